"""Which project a folder belongs to, on real repositories made by git itself."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacit.config import Settings, project_store_path
from tacit.errors import Invalid, NotFound
from tacit.model import Scope
from tacit.project import Project, normal_remote, read_remotes, resolve_project

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Resolve = Callable[..., Project]

GIT_ENVIRON = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
}


def git(folder: Path, *arguments: str) -> None:
    command = ["git", "-C", str(folder), "-c", "protocol.file.allow=always", *arguments]
    subprocess.run(command, check=True, capture_output=True, env=GIT_ENVIRON)


def a_repository(folder: Path, remote: str = "") -> Path:
    """Make a repository with one commit."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "first")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


def a_folder(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def choices(tmp_path: Path) -> Settings:
    return Settings(
        home=str(tmp_path / "tacit"), user="ada", user_home=str(a_folder(tmp_path / "ada"))
    )


@pytest.fixture
def resolve(choices: Settings) -> Resolve:
    def run(folder: Path | str, **changes: object) -> Project:
        return resolve_project(str(folder), choices.replace(**changes))

    return run


@pytest.fixture
def keep_memory(choices: Settings) -> Callable[[Project], None]:
    """Make a store for a project, as its first memory would."""

    def run(project: Project) -> None:
        path = project_store_path(choices, project.id)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "x"):
            pass

    return run


# Git


def test_a_repository_is_its_remote(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "work", "git@github.com:acme/Web-Shop.git")

    project = resolve(shop)

    assert project == Project(
        id=project.id,
        name="web-shop",
        identity="github.com/acme/Web-Shop",
        source="remote",
        root=str(shop),
    )
    assert project.id.startswith("web-shop-")
    assert len(project.id) == len("web-shop-") + 10
    assert Scope(path=f"project:{project.id}").path == f"project:{project.id}"


def test_a_subfolder_is_its_repository(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop")
    deep = a_folder(shop / "src" / "cart")

    assert resolve(deep) == resolve(shop)


def test_clones_of_one_remote_are_one_project(tmp_path: Path, resolve: Resolve) -> None:
    one = a_repository(tmp_path / "one", "https://ada:token@git.example/acme/shop.git")
    two = a_repository(tmp_path / "two", "ssh://git@git.example:2222/acme/shop")

    assert resolve(one).id == resolve(two).id


def test_two_projects_in_folders_of_one_name_differ(tmp_path: Path, resolve: Resolve) -> None:
    folders = [
        a_repository(tmp_path / "a" / "shop"),
        a_repository(tmp_path / "b" / "shop"),
        a_repository(tmp_path / "c" / "shop", "git@github.com:acme/shop.git"),
        a_repository(tmp_path / "d" / "shop", "git@github.com:other/shop.git"),
        a_folder(tmp_path / "e" / "shop"),
    ]

    projects = [resolve(folder) for folder in folders]

    assert len({project.id for project in projects}) == len(folders)
    assert {project.name for project in projects} == {"shop"}


def test_worktrees_share_the_project_of_their_repository(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop")
    git(shop, "worktree", "add", "--quiet", "../feature")
    git(shop, "worktree", "add", "--quiet", "nested/inside")
    deep = a_folder(tmp_path / "feature" / "src")

    assert resolve(deep).id == resolve(shop).id
    assert resolve(shop / "nested" / "inside").id == resolve(shop).id
    assert resolve(deep).root == str(tmp_path / "feature")


def test_worktrees_share_the_remote_of_their_repository(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    git(shop, "worktree", "add", "--quiet", "../feature")

    assert resolve(tmp_path / "feature").identity == "github.com/acme/shop"


def test_worktrees_of_a_bare_repository_share_its_project(tmp_path: Path, resolve: Resolve) -> None:
    a_repository(tmp_path / "origin")
    top = a_folder(tmp_path / "shop")
    git(top, "clone", "--quiet", "--bare", str(tmp_path / "origin"), ".bare")
    git(top / ".bare", "remote", "remove", "origin")
    (top / ".git").write_text("gitdir: ./.bare\n")
    git(top, "worktree", "add", "--quiet", "one")
    git(top, "worktree", "add", "--quiet", "two")

    projects = [resolve(folder) for folder in (top, top / ".bare", top / "one", top / "two")]

    assert {project.id for project in projects} == {projects[0].id}
    assert projects[0].name == "shop"


def test_a_bare_repository_is_a_project(tmp_path: Path, resolve: Resolve) -> None:
    bare = a_folder(tmp_path / "shop.git")
    git(bare, "init", "--quiet", "--bare")

    project = resolve(bare / "refs" / "heads")

    assert (project.source, project.name, project.root) == ("git", "shop", str(bare))
    assert resolve(bare) == project


def test_inside_of_a_git_directory_is_its_repository(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop")
    git(shop, "worktree", "add", "--quiet", "../feature")

    for inside in (shop / ".git", shop / ".git" / "hooks", shop / ".git" / "worktrees/feature"):
        assert resolve(inside) == resolve(shop)


def test_a_submodule_is_its_own_project(tmp_path: Path, resolve: Resolve) -> None:
    library = a_repository(tmp_path / "library")
    shop = a_repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    git(shop, "submodule", "--quiet", "add", str(library), "vendor/library")

    inside = resolve(shop / "vendor" / "library")

    assert inside.id != resolve(shop).id
    assert inside.root == str(shop / "vendor" / "library")
    assert inside.id == resolve(library).id  # its remote is that repository

    git(shop / "vendor" / "library", "remote", "set-url", "origin", "https://git.example/lib")
    assert resolve(shop / "vendor" / "library").identity == "git.example/lib"
    git(shop / "vendor" / "library", "remote", "remove", "origin")
    assert resolve(shop / "vendor" / "library").identity.endswith("/.git/modules/vendor/library")


def test_a_repository_within_another_is_its_own_project(tmp_path: Path, resolve: Resolve) -> None:
    outer = a_repository(tmp_path / "outer")
    inner = a_repository(outer / "tools" / "inner")

    assert resolve(inner).id != resolve(outer).id
    assert resolve(outer / "tools").id == resolve(outer).id


def test_a_git_directory_kept_apart_is_followed(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_folder(tmp_path / "shop")
    git(shop, "init", "--quiet", "--separate-git-dir", str(tmp_path / "apart"))
    git(shop, "remote", "add", "origin", "git@github.com:acme/shop.git")

    assert resolve(shop).identity == "github.com/acme/shop"


def test_a_clone_of_a_local_repository_is_the_same_project(
    tmp_path: Path, resolve: Resolve
) -> None:
    shop = a_repository(tmp_path / "shop")
    git(tmp_path, "clone", "--quiet", "shop", "by-path")
    git(tmp_path, "clone", "--quiet", f"file://{shop}/.git", "by-url")
    git(tmp_path / "by-url", "worktree", "add", "--quiet", "../tree")
    git(tmp_path / "by-url", "remote", "set-url", "origin", "../shop")

    for clone in ("by-path", "by-url", "tree"):
        assert resolve(tmp_path / clone).id == resolve(shop).id


def test_a_local_remote_is_the_same_project_while_it_is_not_mounted(
    tmp_path: Path, resolve: Resolve
) -> None:
    shop = a_repository(tmp_path / "disk" / "shop")
    git(tmp_path, "clone", "--quiet", str(shop), "clone")
    before = resolve(tmp_path / "clone")

    (tmp_path / "disk").rename(tmp_path / "elsewhere")

    assert resolve(tmp_path / "clone") == before


def test_a_symlink_to_a_folder_is_that_folder(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop")
    a_folder(shop / "src")
    (tmp_path / "to-shop").symlink_to(shop)
    (tmp_path / "to-src").symlink_to(shop / "src")
    notes = a_folder(tmp_path / "notes")
    (tmp_path / "to-notes").symlink_to(notes)

    assert resolve(tmp_path / "to-shop") == resolve(shop)
    assert resolve(tmp_path / "to-src") == resolve(shop)
    assert resolve(tmp_path / "to-notes") == resolve(notes)


def test_a_git_directory_behind_a_symlink_is_found(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop")
    (shop / ".git").rename(tmp_path / "kept")
    (shop / ".git").symlink_to(tmp_path / "kept")

    assert resolve(shop).source == "git"
    assert resolve(shop).root == str(shop)


def test_a_repository_is_the_same_after_its_remote_was_renamed(
    tmp_path: Path, resolve: Resolve
) -> None:
    shop = a_repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    before = resolve(shop)

    git(shop, "remote", "rename", "origin", "upstream")

    assert resolve(shop) == before


def test_origin_decides_among_several_remotes(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop")
    git(shop, "remote", "add", "fork", "git@github.com:ada/shop.git")
    git(shop, "remote", "add", "origin", "git@github.com:acme/shop.git")
    git(shop, "remote", "set-url", "--add", "origin", "git@mirror.example:acme/shop.git")

    assert resolve(shop).identity == "github.com/acme/shop"


def test_of_several_remotes_without_origin_none_decides(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop")
    git(shop, "remote", "add", "a", "git@github.com:a/shop.git")
    git(shop, "remote", "add", "b", "git@github.com:b/shop.git")

    assert resolve(shop).source == "git"


def test_memory_kept_before_a_remote_was_added_stays_in_sight(
    tmp_path: Path, resolve: Resolve, keep_memory: Callable[[Project], None]
) -> None:
    shop = a_repository(tmp_path / "shop")
    before = resolve(shop)
    keep_memory(before)

    git(shop, "remote", "add", "origin", "git@github.com:acme/shop.git")

    assert resolve(shop) == before


def test_memory_of_the_remote_wins_over_memory_of_the_path(
    tmp_path: Path, resolve: Resolve, keep_memory: Callable[[Project], None]
) -> None:
    shop = a_repository(tmp_path / "shop")
    keep_memory(resolve(shop))
    elsewhere = a_repository(tmp_path / "elsewhere", "git@github.com:acme/shop.git")
    keep_memory(resolve(elsewhere))

    git(shop, "remote", "add", "origin", "https://github.com/acme/shop")

    assert resolve(shop).id == resolve(elsewhere).id


def test_without_a_remote_or_memory_a_new_remote_is_taken(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop")
    before = resolve(shop)

    git(shop, "remote", "add", "origin", "git@github.com:acme/shop.git")

    assert (before.source, resolve(shop).source) == ("git", "remote")


def test_a_folder_keeps_its_project_when_it_becomes_a_repository(
    tmp_path: Path, resolve: Resolve
) -> None:
    folder = a_folder(tmp_path / "shop")
    before = resolve(folder)

    a_repository(folder)

    assert resolve(folder).id == before.id
    assert (before.source, resolve(folder).source) == ("folder", "git")


def test_the_environment_of_a_git_command_changes_nothing(
    tmp_path: Path, resolve: Resolve, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, other = a_repository(tmp_path / "shop"), a_repository(tmp_path / "other")
    before = resolve(shop)

    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))

    assert resolve(shop) == before


@pytest.mark.parametrize(
    "content",
    ["", "gitdir:", "gitdir: \n", "gitdir: ../gone/.git\n", "garbage", "\0\xff", "x gitdir: ."],
)
def test_a_broken_git_file_makes_its_folder_a_plain_one(
    tmp_path: Path, resolve: Resolve, content: str
) -> None:
    outer = a_repository(tmp_path / "outer")
    broken = a_folder(outer / "broken")
    (broken / ".git").write_text(content)
    deep = a_folder(broken / "src")

    project = resolve(deep)

    assert (project.source, project.root) == ("folder", str(broken))


def test_an_empty_git_folder_is_passed_by_as_git_does(tmp_path: Path, resolve: Resolve) -> None:
    outer = a_repository(tmp_path / "outer")
    a_folder(outer / "inner" / ".git")

    assert resolve(outer / "inner") == resolve(outer)


def test_a_worktree_whose_repository_is_gone_is_a_plain_folder(
    tmp_path: Path, resolve: Resolve
) -> None:
    shop = a_repository(tmp_path / "shop")
    git(shop, "worktree", "add", "--quiet", "../feature")

    shop.rename(tmp_path / "moved")

    assert resolve(tmp_path / "feature").source == "folder"


def test_a_git_config_that_is_not_text_leaves_the_path(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop")
    before = resolve(shop)

    (shop / ".git" / "config").write_bytes(b'[remote "origin"\n\xff\xfe\0 url == "\\')

    assert resolve(shop) == before


def test_a_named_pipe_in_the_place_of_a_git_file_does_not_block(
    tmp_path: Path, resolve: Resolve
) -> None:
    folder = a_folder(tmp_path / "shop")
    os.mkfifo(folder / ".git")
    os.mkfifo(folder / ".tacit.toml")

    assert resolve(folder).source == "folder"


# Overrides


def test_the_choice_of_the_user_comes_first(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    (shop / ".tacit.toml").write_text('project = "from file"\n')
    notes = a_folder(tmp_path / "notes")

    project = resolve(a_folder(shop / "src"), project="Our Shop")

    assert (project.source, project.name, project.identity, project.root) == (
        "override",
        "our-shop",
        "name:Our Shop",
        str(shop),
    )
    assert resolve(notes, project="Our Shop").id == project.id


def test_a_file_names_the_project_of_all_below(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    (shop / ".tacit.toml").write_text('# shared with the app\nproject = "Our Shop"\n')
    notes = a_folder(tmp_path / "notes")
    (notes / ".tacit.toml").write_text('project = "Our Shop"\n')

    here, there = resolve(a_folder(shop / "src")), resolve(a_folder(notes / "2026"))

    assert here.id == there.id == resolve(tmp_path, project="Our Shop").id
    assert (here.source, here.root) == ("file", str(shop))
    assert (there.source, there.root) == ("file", str(notes))


def test_the_nearest_file_decides_within_a_large_repository(
    tmp_path: Path, resolve: Resolve
) -> None:
    shop = a_repository(tmp_path / "shop")
    (shop / ".tacit.toml").write_text('project = "all"')
    part = a_folder(shop / "packages" / "cart")
    (part / ".tacit.toml").write_text('project = "cart"')

    project = resolve(a_folder(part / "src"))

    assert (project.name, project.root) == ("cart", str(shop))
    assert resolve(shop / "packages").name == "all"


def test_a_file_above_the_repository_does_not_reach_into_it(
    tmp_path: Path, resolve: Resolve
) -> None:
    (tmp_path / ".tacit.toml").write_text('project = "all"')
    shop = a_repository(tmp_path / "shop")

    assert resolve(shop).source == "git"
    assert resolve(tmp_path).source == "file"


def test_an_untracked_file_in_the_main_work_tree_holds_in_all_worktrees(
    tmp_path: Path, resolve: Resolve
) -> None:
    shop = a_repository(tmp_path / "shop")
    git(shop, "worktree", "add", "--quiet", "../feature")
    (shop / ".tacit.toml").write_text('project = "Our Shop"')

    assert resolve(tmp_path / "feature").id == resolve(shop).id
    assert resolve(tmp_path / "feature").root == str(tmp_path / "feature")


def test_a_file_in_the_home_directory_does_not_name_what_is_below(
    tmp_path: Path, resolve: Resolve
) -> None:
    home = tmp_path / "ada"
    (home / ".tacit.toml").write_text('project = "me"')
    notes = a_folder(home / "notes")

    assert resolve(notes).source == "folder"
    assert resolve(home).source == "file"


def test_a_repository_cannot_call_itself_by_the_remote_of_another(
    tmp_path: Path, resolve: Resolve
) -> None:
    shop = a_repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    hostile = a_repository(tmp_path / "hostile")

    for name in (resolve(shop).identity, str(shop), resolve(shop).id):
        (hostile / ".tacit.toml").write_text(f'project = "{name}"')
        assert resolve(hostile).id != resolve(shop).id


@pytest.mark.parametrize(
    "content",
    ["", 'name = "shop"', 'project = "a"\nstore = "x"', "project = 7", "project = ", "project"],
)
def test_a_file_that_says_something_else_is_refused_by_name(
    tmp_path: Path, resolve: Resolve, content: str
) -> None:
    (tmp_path / ".tacit.toml").write_text(content)

    with pytest.raises(Invalid) as raised:
        resolve(tmp_path)

    assert str(tmp_path / ".tacit.toml") in str(raised.value)


@pytest.mark.parametrize("name", ["", " shop", "a" * 101, "a\\tb", "https://u:hunter2@host/a"])
def test_a_project_needs_a_name_that_is_one(tmp_path: Path, resolve: Resolve, name: str) -> None:
    (tmp_path / ".tacit.toml").write_text(f'project = "{name}"')

    with pytest.raises(Invalid, match="needs a name") as raised:
        resolve(tmp_path)

    assert "hunter2" not in str(raised.value)


def test_a_wrong_choice_of_the_user_is_refused(tmp_path: Path, resolve: Resolve) -> None:
    with pytest.raises(Invalid, match="TACIT_PROJECT"):
        resolve(tmp_path, project="https://host/a")


# Folders


def test_a_folder_without_git_is_itself(tmp_path: Path, resolve: Resolve) -> None:
    notes = a_folder(tmp_path / "Notes 2026")

    project = resolve(notes)

    assert (project.source, project.name, project.root, project.identity) == (
        "folder",
        "notes-2026",
        str(notes),
        str(notes),
    )


def test_a_folder_belongs_to_the_nearest_above_that_has_memory(
    tmp_path: Path, resolve: Resolve, keep_memory: Callable[[Project], None]
) -> None:
    notes = a_folder(tmp_path / "notes")
    deep = a_folder(notes / "2026" / "may")
    alone = resolve(deep)
    keep_memory(resolve(notes))
    keep_memory(resolve(tmp_path))

    assert alone.root == str(deep)
    assert resolve(deep).root == str(notes)
    assert resolve(deep) == resolve(notes)


def test_memory_of_the_home_directory_does_not_claim_the_folders_in_it(
    tmp_path: Path, resolve: Resolve, keep_memory: Callable[[Project], None]
) -> None:
    home = tmp_path / "ada"
    notes = a_folder(home / "notes")
    keep_memory(resolve(home))
    keep_memory(resolve("/"))

    assert resolve(notes).root == str(notes)
    assert resolve(home).root == str(home)


def test_without_a_home_of_ours_projects_are_still_told_apart(
    tmp_path: Path, resolve: Resolve
) -> None:
    shop = a_repository(tmp_path / "shop", "git@github.com:acme/shop.git")

    assert resolve(shop, home="") == resolve(shop)
    assert resolve(tmp_path, home="") == resolve(tmp_path)


def test_names_in_all_scripts_and_odd_bytes_give_plain_ids(
    tmp_path: Path, resolve: Resolve
) -> None:
    names = ["Données", "日本語", "ラーメン", "...", "a" * 200, os.fsdecode(b"\xff\xfe"), "-x-"]
    folders = [a_folder(tmp_path / name) for name in names]

    projects = [resolve(folder) for folder in folders]

    assert [project.name for project in projects] == [
        "donnees",
        "project",
        "project",
        "project",
        "a" * 40,
        "project",
        "x",
    ]
    assert len({project.id for project in projects}) == len(names)


def test_the_root_of_the_file_system_is_a_project(resolve: Resolve) -> None:
    assert (resolve("/").root, resolve("/").name) == ("/", "project")


def test_a_missing_folder_is_not_found(tmp_path: Path, resolve: Resolve) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")

    for missing in (tmp_path / "gone", tmp_path / "loop"):
        with pytest.raises(NotFound, match="there is no folder"):
            resolve(missing)


@pytest.mark.parametrize("path", ["", "a\0b"])
def test_what_is_no_path_is_refused(resolve: Resolve, path: str) -> None:
    with pytest.raises(Invalid, match="not the path of a folder"):
        resolve(path)


def test_a_file_is_not_a_project(tmp_path: Path, resolve: Resolve) -> None:
    (tmp_path / "a.txt").write_text("")

    with pytest.raises(Invalid, match="is a file"):
        resolve(tmp_path / "a.txt")


def test_an_id_does_not_change_from_version_to_version(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop", "git@github.com:acme/shop.git")

    assert resolve(shop).id == "shop-1ad43557b7"
    assert resolve(shop, project="shop").id == "shop-4f79b6b692"


def test_resolving_writes_nothing(tmp_path: Path, resolve: Resolve) -> None:
    shop = a_repository(tmp_path / "shop")
    before = sorted(tmp_path.rglob("*"))

    resolve(shop)
    resolve(tmp_path)

    assert sorted(tmp_path.rglob("*")) == before


# Addresses


@pytest.mark.parametrize(
    "url",
    [
        "git@host.example:a/b.git",
        "git@host.example:/a/b.git",
        "git@HOST.example:a/b",
        "host.example:a/b/",
        "ssh://git@host.example/a/b.git",
        "ssh://git@host.example:22/a/b",
        "ssh://git@host.example:2222/a/b",
        "git+ssh://git@host.example/a/b",
        "git://host.example/a/b.git/",
        "https://host.example/a/b",
        "https://host.example:8443/a/b.git",
        "https://user:token@host.example/a/b.git",
        "https://token@host.example//a/./b.git",
        "https://host.example/a/b.git?private_token=secret#frag",
        "HTTPS://Host.Example./a/b.git",
        "host.example/a/b",
        " https://host.example/a/b/.git ",
    ],
)
def test_all_ways_to_write_a_remote_are_one(url: str) -> None:
    assert normal_remote(url) == "host.example/a/b"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("git@intranet:a/b", "intranet/a/b"),
        ("https://github.com/Acme/Shop", "github.com/Acme/Shop"),
        ("https://dev.azure.com/o/My Project/_git/r", "dev.azure.com/o/My Project/_git/r"),
        ("ssh://git@[2001:DB8::1]:22/a/b", "[2001:db8::1]/a/b"),
        ("git@[2001:db8::1]:a/b.git", "[2001:db8::1]/a/b"),
        ("git@host.example:~ada/b", "host.example/~ada/b"),
        ("http://localhost:3000/a/b", "localhost:3000/a/b"),
        ("http://127.0.0.1:3000/a/b", "127.0.0.1:3000/a/b"),
        ("ssh://git@localhost:22/a/b", "localhost/a/b"),
    ],
)
def test_what_tells_remotes_apart_is_kept(url: str, expected: str) -> None:
    assert normal_remote(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/srv/git/shop.git",
        "../shop",
        "./shop",
        "vendor/shop",
        "shop",
        "C:/work/shop",
        r"C:\work\shop",
        "file:///srv/shop.git",
        "https://host.example",
        "https://host.example/",
        "https://host.example/.git",
        "https:///a/b",
        "git@host.example:",
        "codecommit::eu-west-1://profile@shop",
        "ext::ssh -i key %S host",
        "https://host.example:port/a",
        "ssh://git@host.example:a/b",
        "user:hunter2@host.example:a/b",
        "https://user:hun/ter2@host.example/a/b",
        "[host:a/b",
        "https://ho st/a",
        "https://host.example/a\nb",
    ],
)
def test_what_names_no_host_for_certain_has_no_normal_form(url: str) -> None:
    assert normal_remote(url) == ""


_STEP = st.text(alphabet="abXY019._-~", min_size=1, max_size=8)
_HOST = st.lists(st.text(alphabet="abz09-", min_size=1, max_size=5), min_size=2, max_size=3)
_FORMS = [
    "git@{host}:{path}",
    "{host}:{path}.git",
    "ssh://git@{host}:22/{path}",
    "https://ada:pw@{host}/{path}.git",
    "http://{host}:8080/{path}/",
    "{host}/{path}",
]


@given(_HOST.map(".".join), st.lists(_STEP, min_size=1, max_size=4).map("/".join))
def test_every_form_of_an_address_has_one_normal_form(host: str, path: str) -> None:
    assume(not host.startswith("127."))
    forms = {normal_remote(form.format(host=host, path=path)) for form in _FORMS}

    assert len(forms) == 1
    assert {normal_remote(form) for form in forms} == forms
    assert {normal_remote(form.format(host=host.upper(), path=path)) for form in _FORMS} == forms


@given(st.text(max_size=40))
def test_any_text_at_all_has_a_normal_form_that_stays(url: str) -> None:
    normal = normal_remote(url)

    assert "@" not in normal
    if "." in normal.partition("/")[0] and ":" not in normal.partition("/")[0]:
        assert normal_remote(normal) in (normal, "")


@given(
    st.sampled_from(["https://ada:{}@host.example/a/b", "https://{}@host.example/a/b.git"]),
    st.text(alphabet="ab12:/?#@%&=[].\\ ", max_size=12),
)
def test_no_password_however_odd_gets_into_an_identity(form: str, password: str) -> None:
    url = form.format(f"1{password}")

    assert normal_remote(url) in ("host.example/a/b", "")


def test_credentials_of_a_remote_appear_nowhere(tmp_path: Path, resolve: Resolve) -> None:
    for number, url in enumerate(
        (
            "https://ada:hunter2@github.com/acme/shop.git",
            "https://hunter2@github.com/acme/shop.git",
            "https://github.com/acme/shop.git?access_token=hunter2",
            "https://ada:12/hunter2@github.com/acme/shop.git",
            "ada:hunter2@github.com:acme/shop.git",
            "ext::git-proxy --password hunter2",
        )
    ):
        shop = a_repository(tmp_path / str(number), url)
        assert "hunter2" not in repr(resolve(shop))


# Git's config


def test_remotes_are_read_however_the_config_is_written() -> None:
    config = (
        "; a comment\n[core]\n\turl = no\n"
        '[Remote "origin"]\r\n\tURL = "https://host/a#1" ; why\r\n\turl = second\r\n'
        '[remote "one"] url = git@host:\\\na/one.git # rest\n'
        "[remote.old]\nurl=old\n"
        '[remote "empty"]\nurl =\n'
        '[remote "pushed"]\npushurl = x\nurlx = y\n'
        '[remote "a]b"]\nurl = bracket\n'
        '[url "https://host/"]\n\tinsteadOf = h:\n\turl = no\n'
        '[branch "x"]\n\tremote = origin\n'
    )

    assert read_remotes(config) == {
        "origin": "https://host/a#1",
        "one": "git@host:a/one.git",
        "old": "old",
        "a]b": "bracket",
    }


@settings(max_examples=60, deadline=None)
@given(
    st.text(
        alphabet=st.characters(min_codepoint=32, max_codepoint=0x24F, exclude_characters="\x7f"),
        max_size=20,
    ),
    st.text(alphabet="abc-_/]", min_size=1, max_size=6),
)
def test_what_git_writes_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, url: str, name: str
) -> None:
    file = tmp_path_factory.mktemp("config") / "config"
    git(file.parent, "config", "--file", str(file), f"remote.{name}.url", f"x{url}x")

    assert read_remotes(file.read_text(encoding="utf-8")) == {name: f"x{url}x"}


@given(st.text())
def test_any_text_at_all_can_be_read_as_a_config(text: str) -> None:
    assert isinstance(read_remotes(text), dict)

"""Which project a folder belongs to: the one resolver, used by every way in and out.

    1  TACIT_PROJECT                      name:<name>     an explicit choice of the user
    2  .tacit.toml, project = "<name>"    name:<name>     up to the top of the repository
    3  git, its remote                    host/path       all clones and worktrees share it
       git, without one                   /its/path       all worktrees share it
    4  a plain folder                     /its/path       or the nearest one above with memory

Writing and reading that compute this differently look like lost memory, and two projects that
come out alike leak into each other: where a rule cannot tell for certain, it keeps them apart.
Names are a space of their own, so that a cloned repository cannot call itself by the address
or path of another. Git is not run: its files are read, which takes less than a millisecond.
GIT_DIR and GIT_WORK_TREE are ignored on purpose. Git sets them for its own hooks and aliases,
and an agent started from one of those must find the memory of the folder it works in.
"""

from __future__ import annotations

import os

from tacit.config import project_store_path
from tacit.errors import Invalid, NotFound
from tacit.plain_toml import read_toml
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from tacit.config import Settings

    Source = Literal["override", "file", "remote", "git", "folder"]

OVERRIDE_FILE = ".tacit.toml"
NAME_CHARS = 100
SLUG_CHARS = 40
HASH_DIGITS = 10  # 40 bits: with a thousand projects two meet with a chance of 1 in 2 million
GIT_FILE_BYTES = 4 << 20  # a config with ten thousand branches is under 1 MB

_USUAL_PORTS = ("", "22", "80", "443", "9418")
_LOOPBACK = ("localhost", "[::1]")


class Project(Value):
    """A project's identity. `id` stands in scopes (`project:<id>`) and in the store's name."""

    id: str
    name: str
    identity: str
    source: Source
    root: str


class _Place(Value):
    """Where a folder stands. `common` is the git directory all worktrees share, or empty."""

    root: str
    common: str = ""
    override: str = ""


def resolve_project(directory: str, settings: Settings) -> Project:
    """Tell the project of a folder, the same from each subfolder, worktree and symlink.

    `root` is the real path of the work tree; of a plain folder it is the one that gives the
    project its identity. Nothing is written. Raises `NotFound` for a missing folder and
    `Invalid` for an override that is not a name.
    """
    place = _find_place(_real_folder(directory), settings)
    if settings.project:
        return _named(settings.project, "override", place.root, "TACIT_PROJECT")
    if place.override:
        return _named(_read_override(place.override), "file", place.root, place.override)
    if place.common:
        return _git_project(place, settings)
    return _folder_project(place.root, settings)


def normal_remote(url: str) -> str:
    """Reduce the ways to write one remote to `host/path`, without user, password and port.

    Empty for what names no host (a local path) or cannot be read for certain; an @ left in
    the path may belong to a password, so that counts as unreadable.
    """
    text = url.strip()
    helper, double_colon, _ = text.partition("::")
    scheme, mark, rest = text.partition("://")
    if double_colon and helper.replace("-", "").isalnum():
        return ""  # `ext::ssh -i …`: a remote helper's own language
    if not text.isprintable() or scheme.lower() == "file":
        return ""
    head = text.partition("/")[0]
    if mark:
        server, _, path = rest.partition("/")
    elif "]:" in head:
        server, _, path = text.partition("]:")
        server += "]"
    elif ":" in head[2:]:  # not a Windows drive
        server, _, path = text.partition(":")
    elif "." in head.strip("."):  # `github.com/a/b` is a host, `vendor/shop` a folder
        server, _, path = text.partition("/")
    else:
        return ""
    host = _normal_host(server)
    if not host or "@" in path:
        return ""
    path = _normal_path(path.partition("?")[0].partition("#")[0] if mark else path)
    return f"{host}/{path}" if path else ""


def read_remotes(config: str) -> dict[str, str]:
    """Read the first `url` of each remote from the text of a git config, in the file's order.

    `include` is not followed and `insteadOf` not applied: they differ from machine to machine.
    """
    found: dict[str, str] = {}
    remote = ""
    lines = iter(config.replace("\r\n", "\n").split("\n"))
    for raw in lines:
        line = raw.strip()
        if line.startswith("["):
            remote, line = _split_header(line) if line[1:7].lower() == "remote" else ("", "")
        if not remote:  # nearly all lines of a config with many branches
            continue
        key, _, value = line.partition("=")
        if key.strip().lower() == "url":
            while (len(value) - len(value.rstrip("\\"))) % 2:  # the line goes on
                value = value[:-1] + next(lines, "")
            url = _unquote(value)
            if url:
                found.setdefault(remote, url)
    return found


def _find_place(start: str, settings: Settings) -> _Place:
    """Walk up to the repository's top, or to the home directory where there is none."""
    override = ""
    for folder in _upwards(start):
        override = override or _override_in(folder)
        repository = _repository_at(folder)
        if repository is not None:
            # A personal, untracked file stands in the main work tree and holds in all of them.
            shared = _path_identity(repository.common) if repository.common else folder
            return repository.replace(override=override or _override_in(shared))
    above = os.path.dirname(override)
    if not override or (above != start and above in _ceilings(settings)):
        return _Place(root=start)
    return _Place(root=above, override=override)


def _repository_at(folder: str) -> _Place | None:
    """Tell the repository whose top this is; one whose `.git` file leads nowhere is a folder."""
    dot_git = os.path.join(folder, ".git")
    if os.path.isfile(dot_git):  # a linked worktree, a submodule or a git directory kept apart
        marker, _, target = _read(dot_git).rstrip("\r\n").partition("gitdir: ")
        followed = target and not marker and _common_dir(os.path.join(folder, target))
        return _Place(root=folder, common=followed or "")
    common = _common_dir(dot_git)
    if common:
        return _Place(root=folder, common=common)
    common = _common_dir(folder)  # a bare repository, or inside of a `.git`
    if common:
        inside = os.path.basename(common) == ".git"
        return _Place(root=os.path.dirname(common) if inside else common, common=common)
    return None


def _common_dir(git_dir: str) -> str:
    """Give the directory that a git directory shares with its worktrees; empty if it is none."""
    if not os.path.lexists(os.path.join(git_dir, "HEAD")):  # unborn, it may be a dangling link
        return ""
    shared = _read(os.path.join(git_dir, "commondir")).strip("\r\n")
    common = os.path.realpath(os.path.join(git_dir, shared))
    whole = all(os.path.isdir(os.path.join(common, part)) for part in ("objects", "refs"))
    return common if whole else ""


def _git_project(place: _Place, settings: Settings) -> Project:
    """Identify a repository by its remote; by its path while only that has a store.

    So memory kept before a remote was added does not seem lost afterwards.
    """
    path = _path_identity(place.common)
    by_path = _identified(path, "git", place.root)
    remote = _remote_identity(place.common, path)
    if not remote:
        return by_path
    by_remote = _identified(remote, "remote", place.root)
    stays = _has_store(by_path, settings) and not _has_store(by_remote, settings)
    return by_path if stays else by_remote


def _folder_project(folder: str, settings: Settings) -> Project:
    """Identify a plain folder: itself, or the nearest above it that has memory already."""
    ceilings = _ceilings(settings)
    for root in _upwards(folder):
        project = _identified(_path_identity(root), "folder", root)
        if (root == folder or root not in ceilings) and _has_store(project, settings):
            return project
    return _identified(_path_identity(folder), "folder", folder)


def _remote_identity(common: str, path: str) -> str:
    """Give the identity of origin, or of the one remote there is; empty when none is certain."""
    remotes = read_remotes(_read(os.path.join(common, "config")))
    url = remotes.get("origin", "")
    if not url and len(remotes) == 1:
        (url,) = remotes.values()
    local = url.removeprefix("file://")
    if local.startswith(("/", "./", "../")) or local[1:3] in (":/", ":\\"):
        # Relative ones start from the main work tree. The path, not what is found there now:
        # a disk that is not mounted must not change who we are.
        return _path_identity(os.path.realpath(os.path.join(path, local)))
    return normal_remote(url)


def _path_identity(path: str) -> str:
    """Write a real path as an identity: a repository's is its folder, also before `git init`.

    `.bare` is the usual name of a bare repository kept beside its worktrees.
    """
    text = path.replace(os.sep, "/")
    return text.removesuffix("/.git").removesuffix("/.bare") or "/"


def _named(name: str, source: Source, root: str, where: str) -> Project:
    good = 0 < len(name) <= NAME_CHARS and name.isprintable() and name == name.strip()
    if not good or "://" in name:
        # The text is left out: an address may hold a password.
        raise Invalid(
            f"{where}: the project needs a name of 1 to {NAME_CHARS} printable characters, "
            "not an address; write for example shop"
        )
    return _identified(f"name:{name}", source, root)


def _identified(identity: str, source: Source, root: str) -> Project:
    name = _slug(identity.removeprefix("name:").rpartition("/")[2].removesuffix(".git"))
    return Project(
        id=f"{name}-{_hash(identity)}", name=name, identity=identity, source=source, root=root
    )


def _slug(text: str) -> str:
    """Reduce text to lower-case ASCII letters, digits and single hyphens, for a file's name."""
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFKD", text).encode("ascii", "ignore").decode()
    spaced = "".join(c if c.isalnum() else " " for c in text.lower())
    return "-".join(spaced.split())[:SLUG_CHARS].strip("-") or "project"


def _hash(identity: str) -> str:
    try:
        from _blake2 import blake2b  # the one of hashlib, without its 3 ms of loading OpenSSL
    except ImportError:
        from hashlib import blake2b
    # File names may hold bytes that are no text, which Python carries as lone surrogates.
    return blake2b(identity.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_DIGITS]


def _has_store(project: Project, settings: Settings) -> bool:
    return bool(settings.home) and os.path.exists(project_store_path(settings, project.id))


def _read_override(path: str) -> str:
    found = read_toml(path)
    name = found.get("project")
    if set(found) != {"project"} or not isinstance(name, str):
        raise Invalid(f'{path}: write project = "name", which is the one key allowed here')
    return name


def _override_in(folder: str) -> str:
    path = os.path.join(folder, OVERRIDE_FILE)
    return path if os.path.isfile(path) else ""


def _real_folder(directory: str) -> str:
    if not directory or "\0" in directory:
        raise Invalid(f"{directory!r} is not the path of a folder")
    real = os.path.realpath(directory)
    if not os.path.exists(real):
        raise NotFound(f"there is no folder {directory}; check the path")
    if not os.path.isdir(real):
        raise Invalid(f"{directory} is a file; give the folder of the project")
    return real


def _upwards(folder: str) -> Iterator[str]:
    """Give the folder and all above it, up to the root of the file system."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _ceilings(settings: Settings) -> tuple[str, ...]:
    """Give the folders that are not a project just because something lies below them."""
    home = settings.user_home and os.path.realpath(settings.user_home)
    return (os.path.abspath(os.sep), home)


def _read(path: str) -> str:
    """Read one of git's small files; empty when it is not there or not readable."""
    if not os.path.isfile(path):  # also keeps a named pipe from blocking us
        return ""
    try:
        with open(path, "rb") as file:
            return file.read(GIT_FILE_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return ""


def _normal_host(server: str) -> str:
    """Lower the host and drop user and port; the port stays where only it tells servers apart.

    A forge is the same whether reached by https or by its ssh port, but on this machine
    tunnels and test servers differ in nothing else.
    """
    address = server.rpartition("@")[2].lower()
    if address.startswith("["):  # IPv6
        host, bracket, port = address.partition("]")
        host, port = host + bracket, port.removeprefix(":")
    else:
        host, _, port = address.partition(":")
    host = host.rstrip(".")
    clean = not set(host) & set(" ?#\\") and host.startswith("[") == host.endswith("]")
    if not clean or (port and not (port.isascii() and port.isdigit())):
        return ""
    here = host in _LOOPBACK or host.startswith("127.")
    return f"{host}:{port}" if here and port not in _USUAL_PORTS else host


def _normal_path(path: str) -> str:
    """Drop empty steps and the `.git` at the end."""
    steps = [step for step in path.split("/") if step not in ("", ".")]
    while steps and steps[-1].endswith(".git"):
        last = steps.pop().removesuffix(".git")
        steps += [last] if last not in ("", ".") else []
    return "/".join(steps)


def _split_header(line: str) -> tuple[str, str]:
    """Split `[remote "name"] rest`, or `[remote.name] rest` as old versions wrote it."""
    section, quote, rest = line[1:].partition('"')
    if quote and "]" not in section:
        name, _, rest = rest.partition('"]')
        return name.replace("\\", "") if section.strip().lower() == "remote" else "", rest
    section, _, rest = line[1:].partition("]")
    section, _, name = section.partition(".")
    return name if section.lower() == "remote" else "", rest


def _unquote(value: str) -> str:
    """Take quotes, escapes and a comment out of a value of a git config."""
    kept: list[str] = []
    quoted = False
    characters = iter(value)
    for character in characters:
        if character == "\\":
            escaped = next(characters, "")
            kept.append({"n": "\n", "t": "\t", "b": "\b"}.get(escaped, escaped))
        elif character == '"':
            quoted = not quoted
        elif character in "#;" and not quoted:
            break
        else:
            kept.append(character)
    return "".join(kept).strip()

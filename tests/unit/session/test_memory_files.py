"""Memory files answer word for word as the tool models were trained on, and forget nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import WordCounter
from tacit.errors import Conflict, Denied, Invalid, NotFound, TacitError
from tacit.model import Kind
from tacit.session.file_paths import MOST_PARTS, resolve
from tacit.session.memory_files import MOST_BYTES
from tacit.store.connect import connect
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tacit.session.memory_files import MemoryFiles

from tacit.model import Scope

PATHS = ["/memories/a.md", "/memories/b.md", "/memories/notes/c.md", "/memories/notes/deep/d.md"]
SECRET = "password = Blau-Regen77!"


def opened(place: str) -> Tacit:
    return Tacit(connect(place), scope=Scope(path="project:shop"), counter=WordCounter())


@pytest.fixture
def tacit(tmp_path: Path) -> Iterator[Tacit]:
    with opened(str(tmp_path / "shop.db")) as tacit:
        yield tacit


@pytest.fixture
def files(tacit: Tacit) -> MemoryFiles:
    return tacit.memory_files


def test_a_file_is_viewed_with_line_numbers(files: MemoryFiles) -> None:
    said = files.create("/memories/a.md", "one\ntwo\n")

    assert said == "File created successfully at: /memories/a.md"
    assert files.view("/memories/a.md") == (
        "Here's the content of /memories/a.md with line numbers:\n     1\tone\n     2\ttwo\n     3\t"
    )
    assert files.view("/memories/a.md", [2, -1]).endswith("numbers:\n     2\ttwo\n     3\t")


def test_a_folder_lists_what_lies_in_it_two_levels_deep(files: MemoryFiles) -> None:
    assert files.view("/memories") == (
        "Here're the files and directories up to 2 levels deep in /memories, "
        "excluding hidden items:\n4K\t/memories"
    )
    for path in [*PATHS, "/memories/.hidden/e.md"]:
        files.create(path, "x" * 1536)

    assert files.view("/memories").split("\n")[1:] == [
        "4K\t/memories",
        "1.5K\t/memories/a.md",
        "1.5K\t/memories/b.md",
        "4K\t/memories/notes/",
        "1.5K\t/memories/notes/c.md",
        "4K\t/memories/notes/deep/",
    ]


def test_every_edit_is_a_revision(tacit: Tacit, files: MemoryFiles) -> None:
    files.create("/memories/plan.md", "ship it\n")
    files.str_replace("/memories/plan.md", "ship", "test")
    files.insert("/memories/plan.md", 1, "then ship")
    files.rename("/memories/plan.md", "/memories/done.md")
    files.delete("/memories/done.md")

    (memory,) = tacit.list(history=True)
    history = tacit.why(memory.id).history
    assert memory.kind is Kind.RESOURCE
    assert [entry.op for entry in history] == ["remember", "edit", "edit", "rename", "forget"]
    assert [entry.memory.text for entry in history][:3] == [
        "ship it\n",
        "test it\n",
        "test it\nthen ship\n",
    ]


def test_what_is_in_a_file_is_found_and_a_deleted_one_can_be_restored(
    tacit: Tacit, files: MemoryFiles
) -> None:
    files.create("/memories/plan.md", "Move the cart to Redis")
    (hit,) = tacit.recall("redis cart")
    files.delete("/memories/plan.md")
    gone = tacit.recall("redis cart")
    tacit.restore(hit.memory.id)

    assert gone == []
    assert "Redis" in files.view("/memories/plan.md")


def test_a_deleted_path_can_be_used_again(files: MemoryFiles) -> None:
    files.create("/memories/a.md", "old")
    files.delete("/memories/a.md")

    files.create("/memories/a.md", "new")

    assert files.view("/memories/a.md").endswith("     1\tnew")


def test_the_same_text_in_two_files_is_two_memories(tacit: Tacit, files: MemoryFiles) -> None:
    files.create("/memories/a.md", "the same words")
    files.create("/memories/b.md", "the same words")

    assert len(tacit.list()) == 2


def test_an_empty_file_is_a_file(files: MemoryFiles) -> None:
    files.create("/memories/a.md", "")

    assert files.view("/memories/a.md").endswith("numbers:\n     1\t")
    files.insert("/memories/a.md", 0, "first")
    assert files.view("/memories/a.md").endswith("     1\tfirst\n     2\t")


def test_secrets_are_not_kept(files: MemoryFiles) -> None:
    files.create("/memories/a.md", SECRET)
    files.insert("/memories/a.md", 1, SECRET)

    assert "Regen77" not in files.view("/memories/a.md")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/etc/passwd", "Path must start with /memories, got: /etc/passwd"),
        ("/memoriesx/a", "Path must start with /memories, got: /memoriesx/a"),
        ("", "Path must start with /memories, got: "),
        ("/memories/../x", "Path /memories/../x would escape /memories directory"),
        ("/memories/a/../../x", "Path /memories/a/../../x would escape /memories directory"),
        ("/memories/..\\x", "Path /memories/..\\x would escape /memories directory"),
    ],
)
def test_no_path_leads_out(files: MemoryFiles, path: str, said: str) -> None:
    for act in (
        lambda: files.view(path),
        lambda: files.create(path, "x"),
        lambda: files.delete(path),
        lambda: files.rename("/memories/a", path),
    ):
        with pytest.raises(Denied) as caught:
            act()
        assert str(caught.value) == said


def test_paths_that_say_the_same_are_the_same(files: MemoryFiles) -> None:
    files.create("/memories//notes/./a.md", "x")

    assert "a.md" in files.view("/memories/notes/b/../a.md")


def test_limits_are_told(files: MemoryFiles) -> None:
    with pytest.raises(Invalid, match="at most 100,000 can be kept"):
        files.create("/memories/a.md", "x" * (MOST_BYTES + 1))
    with pytest.raises(Invalid, match="deeper than 20 levels"):
        resolve("/memories" + "/a" * (MOST_PARTS + 1))
    with pytest.raises(Invalid, match="not printable"):
        resolve("/memories/a\nb")


def test_a_file_is_no_folder(files: MemoryFiles) -> None:
    files.create("/memories/a", "x")
    files.create("/memories/n/b", "x")

    with pytest.raises(Invalid, match="The path /memories/a is not a directory"):
        files.create("/memories/a/b", "x")
    with pytest.raises(Invalid, match="The path /memories/n is not a file"):
        files.insert("/memories/n", 0, "x")


@pytest.mark.parametrize(
    ("act", "error", "said"),
    [
        (
            lambda f: f.view("/memories/x"),
            NotFound,
            "The path /memories/x does not exist. Please provide a valid path.",
        ),
        (lambda f: f.create("/memories/a.md", ""), Conflict, "File /memories/a.md already exists"),
        (lambda f: f.delete("/memories/x"), NotFound, "The path /memories/x does not exist"),
        (lambda f: f.delete("/memories"), Denied, "Cannot delete the /memories directory itself"),
        (
            lambda f: f.rename("/memories/a.md", "/memories/b.md"),
            Conflict,
            "The destination /memories/b.md already exists",
        ),
        (
            lambda f: f.rename("/memories/x", "/memories/y"),
            NotFound,
            "The path /memories/x does not exist",
        ),
        (
            lambda f: f.insert("/memories/a.md", 99, "x"),
            Invalid,
            "Invalid `insert_line` parameter: 99. It should be within the range [0, 3].",
        ),
        (
            lambda f: f.str_replace("/memories/a.md", "four", "x"),
            Invalid,
            "No replacement was performed, old_str `four` did not appear verbatim in "
            "/memories/a.md.",
        ),
        (
            lambda f: f.str_replace("/memories/a.md", "one", "x"),
            Invalid,
            "No replacement was performed. Multiple occurrences of old_str `one` in lines: 1, 3. "
            "Please ensure it is unique",
        ),
    ],
)
def test_complaints_are_those_that_models_know(
    files: MemoryFiles, act: Callable[[MemoryFiles], str], error: type[TacitError], said: str
) -> None:
    files.create("/memories/a.md", "one\ntwo\none\n")
    files.create("/memories/b.md", "x")

    with pytest.raises(error) as caught:
        act(files)

    assert str(caught.value) == said


words = st.text("abc \n", min_size=1, max_size=12).filter(str.strip)
# Files alone: the reference keeps folders that have become empty, and here there are none.
commands = st.one_of(
    st.tuples(st.just("create"), st.sampled_from(PATHS), words),
    st.tuples(st.just("str_replace"), st.sampled_from(PATHS), st.sampled_from("abc"), words),
    st.tuples(st.just("insert"), st.sampled_from(PATHS), st.integers(-1, 4), words),
    st.tuples(st.just("delete"), st.sampled_from([*PATHS, "/memories"])),
    st.tuples(
        st.just("rename"),
        st.sampled_from(PATHS),
        st.sampled_from([*PATHS, "/memories/moved"]),
    ),
    st.tuples(st.just("view"), st.sampled_from(PATHS)),
)


@given(st.lists(commands, max_size=12))
@settings(max_examples=60)
def test_it_answers_like_the_reference(
    tmp_path_factory: Any, script: list[tuple[Any, ...]]
) -> None:
    memory = pytest.importorskip("anthropic.tools.memory")
    refusal = pytest.importorskip("anthropic.lib.tools").ToolError
    folder = tmp_path_factory.mktemp("files")
    theirs = memory.BetaLocalFilesystemMemoryTool(str(folder))
    with opened(str(folder / "shop.db")) as tacit:
        for command in script:
            mine = _ours(tacit.memory_files, command)
            # Where the reference breaks rather than answers, ours only has to say no.
            known = _theirs(theirs, refusal, command)
            assert known in (mine, None), command


def _ours(files: MemoryFiles, command: tuple[Any, ...]) -> str:
    name, *arguments = command
    try:
        return str(getattr(files, name)(*arguments))
    except TacitError as error:
        return str(error)


NAMES = {
    "view": ("path",),
    "create": ("path", "file_text"),
    "str_replace": ("path", "old_str", "new_str"),
    "insert": ("path", "insert_line", "insert_text"),
    "delete": ("path",),
    "rename": ("old_path", "new_path"),
}


def _theirs(tool: Any, refusal: type[Exception], command: tuple[Any, ...]) -> str | None:
    name, *arguments = command
    given = dict(zip(NAMES[name], arguments, strict=True))
    try:
        return str(tool.call({"command": name, **given}))
    except refusal as error:
        return str(error)
    except OSError:
        return None

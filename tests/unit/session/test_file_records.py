"""Programs read and write memory files whole, and never over what another has changed."""

from __future__ import annotations

import threading
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import FrozenClock, WordCounter
from tacit.body import Resource
from tacit.errors import Conflict, Invalid, NotFound
from tacit.model import Scope
from tacit.session.file_record import body_of
from tacit.store.connect import connect
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLAN = "/memories/plan.md"


@pytest.fixture
def tacit(tmp_path: Path, clock: FrozenClock) -> Iterator[Tacit]:
    store = connect(str(tmp_path / "shop.db"))
    scope = Scope(path="project:shop")
    with Tacit(store, scope=scope, counter=WordCounter(), clock=clock) as tacit:
        yield tacit


def test_a_file_is_read_whole_with_its_hash_and_times(tacit: Tacit, clock: FrozenClock) -> None:
    made = clock.now()
    tacit.memory_files.create(PLAN, "tëst\n")
    changed = clock.advance(hours=1)
    tacit.memory_files.insert(PLAN, 1, "ship")

    file = tacit.memory_files.read("/memories/./plan.md")

    assert (file.path, file.text, file.rev, file.size_bytes) == (PLAN, "tëst\nship\n", 2, 11)
    assert file.sha256 == sha256("tëst\nship\n".encode()).hexdigest()
    assert (file.created_at, file.updated_at) == (made, changed)
    assert tacit.get(file.id).text == file.text


def test_a_folder_gives_all_files_within_by_path(tacit: Tacit) -> None:
    for path in ("/memories/b/c/d", "/memories/a", "/memories/b/a"):
        tacit.memory_files.put(path, "x")

    files = tacit.memory_files
    assert [file.path for file in files.files()] == [
        "/memories/a",
        "/memories/b/a",
        "/memories/b/c/d",
    ]
    assert [file.path for file in files.files("/memories/b/c")] == ["/memories/b/c/d"]
    with pytest.raises(NotFound):
        files.files("/memories/none")


def test_nobody_writes_over_what_another_has_changed(tacit: Tacit) -> None:
    files = tacit.memory_files
    seen = files.put(PLAN, "one", sha256="")
    now = files.put(PLAN, "two", sha256=seen.sha256)

    for act in (
        lambda: files.put(PLAN, "three", sha256=seen.sha256),
        lambda: files.remove(PLAN, sha256=seen.sha256),
    ):
        with pytest.raises(Conflict, match=f"has the sha256 {now.sha256}, not {seen.sha256}; read"):
            act()
    with pytest.raises(Conflict, match="already exists"):
        files.put(PLAN, "three", sha256="")
    with pytest.raises(Conflict, match="does not exist, not abc"):
        files.put("/memories/none", "x", sha256="abc")
    assert files.read(PLAN).text == "two"


def test_of_many_that_have_seen_the_same_one_writes(tacit: Tacit) -> None:
    seen = tacit.memory_files.put(PLAN, "begin")
    won: list[str] = []

    def edit(name: str) -> None:
        try:
            won.append(tacit.memory_files.put(PLAN, name, sha256=seen.sha256).text)
        except Conflict:
            return

    threads = [threading.Thread(target=edit, args=(f"by {n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert won == [tacit.memory_files.read(PLAN).text]


def test_a_file_that_is_removed_is_given_once_more_and_can_be_put_anew(tacit: Tacit) -> None:
    files = tacit.memory_files
    files.put(PLAN, "old")
    gone = files.remove(PLAN, sha256=files.read(PLAN).sha256)

    assert gone.text == "old"
    with pytest.raises(NotFound):
        files.read(PLAN)
    assert files.put(PLAN, "new", sha256="").id == gone.id


def test_a_folder_is_neither_read_nor_removed_as_a_file(tacit: Tacit) -> None:
    tacit.memory_files.put("/memories/a/b", "x")

    for act in (tacit.memory_files.read, tacit.memory_files.remove):
        with pytest.raises(Invalid, match="is not a file"):
            act("/memories/a")


def test_the_hash_is_of_what_is_kept(tacit: Tacit) -> None:
    file = tacit.memory_files.put(PLAN, "password = Blau-Regen77!")

    assert "Regen77" not in file.text
    assert tacit.memory_files.put(PLAN, "better", sha256=file.sha256).text == "better"


@given(st.text(" \n\t\r\x0b\x1c\u2028", max_size=30))
def test_a_blank_file_is_kept_to_the_letter(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    place = str(tmp_path_factory.mktemp("blank") / "shop.db")
    with Tacit(connect(place), scope=Scope(path="project:shop"), counter=WordCounter()) as tacit:
        assert tacit.memory_files.put(PLAN, text).text == text
        assert tacit.memory_files.put(PLAN, "words").text == "words"
        assert tacit.memory_files.put(PLAN, text).text == text


def test_an_empty_file_says_so_by_its_type() -> None:
    assert body_of(PLAN, "") == Resource(uri=PLAN, mime="inode/x-empty")

"""The parts of the server by themselves: pages, repeated requests, and what is told of a write."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import Conflict, Invalid
from tacit.interfaces.rest import cursors, document
from tacit.interfaces.rest.app import make_app
from tacit.interfaces.rest.desk import batched, dumped, matches, tag_of
from tacit.interfaces.rest.house import House, Terms
from tacit.interfaces.rest.repeats import KEPT, MOST_KEPT, Once
from tacit.interfaces.rest.scopes import needed
from tacit.interfaces.rest.spans import switch_off
from tacit.interfaces.rest.tokens import Tokens


class Shelf:
    """Memories in the order they came; `look` lists them as the facade does."""

    def __init__(self, count: int) -> None:
        self.kept = [self._made(number) for number in range(count)]

    @staticmethod
    def _made(number: int) -> Any:
        return SimpleNamespace(id=f"{number:06}")

    def add(self) -> None:
        self.kept.append(self._made(len(self.kept)))

    def look(self, *, order: str, limit: int, after: str) -> list[Any]:
        found = [one for one in self.kept if one.id > after]
        return (found if order == "id" else found[::-1])[:limit]


@given(st.integers(0, 60), st.integers(1, 9), st.lists(st.integers(0, 20), max_size=8))
def test_pages_from_the_newest_give_what_was_there_once_and_in_order(count, limit, added):
    shelf, seen, cursor = Shelf(count), [], ""
    wanted = [one.id for one in shelf.kept[::-1]]
    news = iter(added)
    while cursor is not None:
        found, cursor = cursors.page(shelf.look, "newest", cursor, limit)
        seen += [one.id for one in found]
        assert len(found) <= limit
        for _ in range(next(news, 0)):
            shelf.add()

    assert seen == wanted


@given(st.integers(0, 60), st.integers(1, 9))
def test_pages_from_the_oldest_give_everything_once(count, limit):
    shelf, seen, cursor = Shelf(count), [], ""
    while cursor is not None:
        found, cursor = cursors.page(shelf.look, "oldest", cursor, limit)
        seen += [one.id for one in found]

    assert seen == [one.id for one in shelf.kept]


def test_pages_go_on_when_the_last_one_seen_is_gone():
    shelf = Shelf(6)
    first, cursor = cursors.page(shelf.look, "newest", "", 2)
    shelf.kept = [one for one in shelf.kept if one.id != first[-1].id]

    second, _ = cursors.page(shelf.look, "newest", cursor, 2)

    assert [one.id for one in second] == ["000002", "000001"]


@given(st.text(max_size=40))
def test_no_made_up_cursor_is_more_than_refused(cursor):
    try:
        cursors.page(Shelf(3).look, "newest", cursor, 2)
    except Invalid:
        assert cursor


class Clocked:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.at = datetime(2026, 1, 31, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at


def test_what_was_done_is_known_for_a_day(store):
    clock, done = Clocked(), []

    def once(key: str, print_: str = "p") -> tuple[dict[str, Any], bool]:
        def do() -> dict[str, Any]:
            done.append(key)
            return {"number": len(done)}

        return Once(store, "ana", key, print_, clock).done(do, whole=True)

    assert once("a") == ({"number": 1}, False)
    assert once("a") == ({"number": 1}, True)
    assert once("b") == ({"number": 2}, False)
    with pytest.raises(Conflict, match="another request"):
        once("a", "q")
    clock.at += KEPT
    assert once("a") == ({"number": 1}, True)
    clock.at += timedelta(seconds=1)
    assert once("a") == ({"number": 3}, False)


def test_a_key_is_its_callers_own(store):
    clock = Clocked()

    first = Once(store, "ana", "k", "p", clock).done(lambda: {"by": "ana"}, whole=True)
    other = Once(store, "bob", "k", "q", clock).done(lambda: {"by": "bob"}, whole=True)

    assert (first, other) == (({"by": "ana"}, False), ({"by": "bob"}, False))


def test_what_is_kept_goes_with_what_was_done_or_not_at_all(store):
    clock = Clocked()

    def fails() -> dict[str, Any]:
        store.save("done", "1")
        raise Invalid("half way")

    with pytest.raises(Invalid, match="half way"):
        Once(store, "", "k", "p", clock).done(fails, whole=True)

    assert store.load("done") is None
    assert Once(store, "", "k", "p", clock).done(dict, whole=True) == ({}, False)


@pytest.mark.parametrize("key", ["", "x" * 256, "a\nb", "a b", "ü"])
def test_a_key_is_short_and_printable(store, key: str):
    with pytest.raises(Invalid, match="Idempotency-Key"):
        Once(store, "", key, "p", Clocked())


def test_without_a_key_everything_is_done(store):
    clock = Clocked()

    found = [Once(store, "", None, "", clock).done(dict, whole=False) for _ in range(2)]

    assert found == [({}, False)] * 2


def test_there_are_never_too_many_records(store, monkeypatch):
    from tacit.interfaces.rest import repeats

    monkeypatch.setattr(repeats, "SHARES", 1)
    monkeypatch.setattr(repeats, "MOST_KEPT", 3)
    clock = Clocked()
    for number in range(5):
        Once(store, "", f"k{number}", "p", clock).done(dict, whole=True)

    again = [Once(store, "", f"k{n}", "p", clock).done(dict, whole=True)[1] for n in (4, 0)]

    assert MOST_KEPT > 3
    assert again == [True, False]


@given(st.lists(st.text(max_size=30), max_size=40), st.integers(1, 50))
def test_chunks_hold_all_of_the_text(texts, size):
    assert b"".join(batched(iter(texts), size)).decode("utf-8", "surrogatepass") == "".join(texts)


def test_tags_are_of_the_bytes_and_compared_one_by_one():
    tag = tag_of(dumped({"a": "ü"}))

    assert matches(f'"x", W/{tag}', tag)
    assert matches("*", tag)
    assert not matches("", tag)
    assert dumped({"a": "\ud800"}) == b'{"a":"?"}'


def test_every_operation_has_a_name_of_its_own():
    app = make_app(House("nowhere", terms=Terms(page=False)), Tokens("nowhere"))
    names = [
        one["operationId"]
        for methods in app.openapi()["paths"].values()
        for one in methods.values()
    ]

    assert len(names) == len(set(names)) > 80
    assert {"memories_remember", "questions_recall", "mem0_search"} <= set(names)


def test_every_operation_says_what_it_needs_and_what_can_go_wrong():
    app = make_app(House("nowhere", terms=Terms(page=False)), Tokens("nowhere"))
    for path, methods in app.openapi()["paths"].items():
        for method, operation in methods.items():
            assert operation["x-scope"] == needed("http", method.upper(), path)
            assert operation["tags"][0] in document.TAGS, path
            assert operation.get("description") or operation["summary"]
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    assert list(response["content"]) == ["application/problem+json"], path


def test_spans_that_were_never_wanted_cost_nothing():
    switch_off()

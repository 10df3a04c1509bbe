"""What mem0 gives out, in its several shapes, with the history where there is one."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.exchange import mem0
from tacit.model import FacetType
from unit.exchange.opened import all_of, opened, same_twice

if TYPE_CHECKING:
    from pathlib import Path

ITEM = {
    "id": "892db2ae-06d9-49e5-8b3e-585ef9b85b8e",
    "memory": "Prefers short answers",
    "hash": "1a2b",
    "user_id": "ana",
    "agent_id": "reviewer",
    "run_id": "run-7",
    "metadata": {"team": "shop", "rank": 3},
    "categories": ["style", "answers"],
    "created_at": "2026-01-02T10:00:00-08:00",
    "updated_at": "2026-02-02T10:00:00Z",
}
HISTORY = [
    {
        "memory_id": ITEM["id"],
        "old_memory": None,
        "new_memory": "Prefers long answers",
        "event": "ADD",
        "created_at": "2026-01-02T10:00:00-08:00",
    },
    {
        "memory_id": ITEM["id"],
        "old_memory": "Prefers long answers",
        "new_memory": "Prefers short answers",
        "event": "UPDATE",
        "created_at": "2026-01-02T10:00:00-08:00",
        "updated_at": "2026-02-02T10:00:00Z",
    },
]
OTHER = {"id": "b", "memory": "Lives in Berlin", "user_id": "ana", "created_at": "2026-01-03"}


def written(folder: Path, data: object) -> Path:
    path = folder / "mem0.json"
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize(
    "shape",
    [
        lambda items: json.dumps(items),
        lambda items: json.dumps({"results": items, "relations": []}, indent=2),
        lambda items: json.dumps({"count": 2, "memories": items}),
        lambda items: "".join(json.dumps(item) + "\n" for item in items),
    ],
    ids=["list", "results", "memories", "lines"],
)
def test_every_shape_gives_the_same(tmp_path, shape):
    path = tmp_path / "mem0.json"
    path.write_text(shape([ITEM, OTHER]))

    assert mem0.sniff(str(path))
    texts = [draft.text for draft in mem0.read(str(path), str).drafts]
    assert texts == ["Prefers short answers", "Lives in Berlin"]


def test_a_memory_keeps_whose_it_is_and_all_that_is_known(tmp_path):
    (draft,) = mem0.read(str(written(tmp_path, [ITEM])), str).drafts

    assert (draft.author, draft.session) == ("ana", "run-7")
    assert draft.valid_from == datetime(2026, 1, 2, 18, 0, tzinfo=UTC)
    assert draft.source_ref == f"mem0:{ITEM['id']}"
    named = {(m.facet.type, m.facet.name) for m in draft.mentions}
    assert named == {
        (FacetType.TAG, "style"),
        (FacetType.TAG, "answers"),
        (FacetType.PERSON, "reviewer"),
    }
    assert json.loads(draft.body.qualifier)["metadata"] == {"team": "shop", "rank": 3}


@pytest.mark.parametrize(
    "data",
    [[dict(ITEM, history=HISTORY)], [ITEM, *HISTORY]],
    ids=["within the memory", "beside it"],
)
def test_an_earlier_wording_held_until_it_was_changed(tmp_path, data):
    with opened(tmp_path) as tacit:
        tacit.import_from(str(written(tmp_path, data)), "mem0")
        then = datetime(2026, 1, 20, tzinfo=UTC)
        assert [m.text for m in tacit.list(as_of=then)] == ["Prefers long answers"]
        assert [m.text for m in tacit.list()] == ["Prefers short answers"]
        past = next(m for m in tacit.list(history=True) if "long" in m.text)
        links = [(relation, other.text) for relation, other in tacit.why(past.id).links]

    assert past.validity.valid_to == datetime(2026, 2, 2, 10, 0, tzinfo=UTC)
    assert ("superseded_by", "Prefers short answers") in links


def test_what_was_deleted_is_past(tmp_path):
    gone = [
        dict(HISTORY[0], memory_id="g", new_memory="Uses vim"),
        {
            "memory_id": "g",
            "old_memory": "Uses vim",
            "new_memory": None,
            "event": "DELETE",
            "is_deleted": 1,
            "created_at": "2026-02-05T00:00:00Z",
        },
    ]
    with opened(tmp_path) as tacit:
        tacit.import_from(str(written(tmp_path, gone)), "mem0")

        assert [m.text for m in tacit.list(history=True)] == ["Uses vim"]
        assert tacit.list() == []


def test_importing_twice_changes_nothing(tmp_path):
    same_twice(written(tmp_path, [dict(ITEM, history=HISTORY), OTHER]), tmp_path)


def test_a_memory_that_was_updated_is_renewed(tmp_path):
    path = written(tmp_path, [ITEM])
    with opened(tmp_path) as tacit:
        tacit.import_from(str(path))
        written(tmp_path, [dict(ITEM, memory="Prefers answers in one line")])
        assert tacit.import_from(str(path)).new == 0
        (kept,) = tacit.list()
        assert kept.text == "Prefers answers in one line"
        assert len(tacit.why(kept.id).history) == 2


def test_what_has_no_text_is_left_out_and_counted(tmp_path):
    found = mem0.read(str(written(tmp_path, [{"id": "x", "user_id": "a"}, 7, ITEM, ITEM])), str)

    counts = dict(found.counts)
    assert counts["memories"] == 1
    assert counts["left out: no text"] == 1
    assert counts["left out: no memory"] == 1
    assert counts["left out: twice in the file"] == 1


_json = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
_items = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.text(max_size=12) | _json for name in ITEM},
        **{name: st.text(max_size=12) | _json for name in HISTORY[1]},
        "history": st.lists(_json, max_size=3),
        "expiration_date": st.sampled_from(["2026-03-01", "never", 7]),
    },
)


@given(st.lists(_items, max_size=5) | _json, st.binary(max_size=60))
@settings(max_examples=80)
def test_anything_is_read_without_an_error(tmp_path_factory, items, data):
    folder = tmp_path_factory.mktemp("any")
    path = folder / "mem0.json"
    path.write_bytes(json.dumps(items).encode(errors="replace") + data)

    with opened(folder) as tacit:
        assert tacit.import_from(str(path), "mem0").refused == 0
        once = all_of(tacit)
        tacit.import_from(str(path), "mem0")
        assert all_of(tacit) == once


def test_what_is_nested_beyond_reason_is_left_out(tmp_path):
    path = tmp_path / "bomb.json"
    path.write_text("[" * 200_000)

    assert mem0.read(str(path), str).drafts == ()

"""What a memory was made from and what it is anchored to: kept, and asked for exactly."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import a_fact, an_anchor, an_episode
from engines import ENGINES
from tacit.model import State
from tacit.store.protocol import EVERY_STATE, Filter
from tacit.store.transfer import export_lines, import_lines, records
from tacit.write.merge import merge


def found(store, **asked):
    """Give the sources of what a scan finds."""
    return [memory.source_ref for memory in store.scan(Filter(**asked))]


def test_sources_mean_exactly_those(store):
    refs = ("a#1", "a#10", "a", "A#1", "ab#1", "a#1#2", "")
    store.put([a_fact(source_ref=ref) for ref in refs])

    assert found(store, sources=("a#1",)) == ["a#1"]
    assert found(store, sources=("a", "ab#1", "missing")) == ["a", "ab#1"]
    assert found(store, sources=("missing",)) == []
    assert len(found(store)) == len(refs)


def test_many_sources_are_asked_for_at_once(store):
    store.put([a_fact(source_ref=f"git#{number}") for number in range(40)])

    asked = tuple(f"git#{number}" for number in range(10, 1_000))

    assert found(store, sources=asked) == [f"git#{number}" for number in range(10, 40)]


def test_the_parts_of_a_source_are_those_behind_its_hash_sign(store):
    refs = ("a", "a#", "a#1", "a#10", "a#1#2", "a$1", 'a"1', "a/b#1", "ab#1", "b#a#1", "A#1")
    store.put([a_fact(source_ref=ref) for ref in refs])

    assert found(store, parts_of="a") == ["a#", "a#1", "a#10", "a#1#2"]
    assert found(store, parts_of="a#1") == ["a#1#2"]
    assert found(store, parts_of="a/b") == ["a/b#1"]
    assert found(store, parts_of="missing") == []


@pytest.mark.parametrize("source", ["file:100%/_x", "file:Straße/会话.md", 'file:it\'s \\ "here"'])
def test_a_source_may_be_written_in_any_letters(store, source):
    store.put([a_fact(source_ref=f"{source}#ß"), a_fact(source_ref="file:100a/bx#1")])

    assert found(store, parts_of=source) == [f"{source}#ß"]
    assert found(store, sources=(f"{source}#ß",)) == [f"{source}#ß"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    refs=st.lists(st.text('a#$"1é', max_size=4), max_size=8),
    source=st.text("a#1é", min_size=1, max_size=3),
)
@pytest.mark.parametrize("engine", ENGINES)
def test_parts_are_found_by_their_beginning_and_by_nothing_else(
    engine, tmp_path_factory, refs, source
):
    with ENGINES[engine](tmp_path_factory.mktemp("place")) as open_store:
        store = open_store()
        store.put([a_fact(source_ref=ref) for ref in refs])

        parts, exact = found(store, parts_of=source), found(store, sources=(source,))

    assert parts == [ref for ref in refs if ref.startswith(f"{source}#")]
    assert exact == [ref for ref in refs if ref == source]


def test_only_what_is_anchored_to_files_is_anchored(store):
    loose = a_fact("loose", source_ref="loose")
    bound = a_fact("bound", source_ref="bound", anchors=(an_anchor(),))
    store.put([loose, bound])

    assert found(store, anchored=True) == ["bound"]
    assert found(store) == ["loose", "bound"]


def test_sources_and_anchors_join_with_the_other_parts_of_a_filter(store):
    store.put(
        [
            a_fact("one", source_ref="a#1", anchors=(an_anchor(),), state=State.ARCHIVED),
            an_episode("two", source_ref="a#2", anchors=(an_anchor(),)),
            a_fact("three", source_ref="a#3"),
        ]
    )

    assert found(store, parts_of="a") == ["a#2", "a#3"]
    assert found(store, parts_of="a", states=EVERY_STATE, anchored=True) == ["a#1", "a#2"]
    assert found(store, parts_of="a", sources=("a#3", "b#3")) == ["a#3"]


def test_anchors_come_back_in_their_order(store):
    anchors = (an_anchor("src/b.py"), an_anchor("src/a.py", "other"), an_anchor("ü/会 话.py"))
    fact = a_fact(anchors=anchors, unverified=True)

    store.put([fact])

    assert store.get([fact.id]) == [fact]


def test_anchors_and_doubt_follow_a_change(store):
    fact = a_fact(anchors=(an_anchor(held="then"),))
    store.put([fact])
    now = fact.replace(rev=2, anchors=(an_anchor(held="now"),), unverified=True)

    store.put([now])
    assert store.get([fact.id]) == [now]
    assert store.cards([fact.id], Filter())[fact.id].unverified == 1

    store.put([now.replace(rev=3, anchors=(), unverified=False)])
    assert found(store, anchored=True) == []
    assert store.cards([fact.id], Filter())[fact.id].unverified == 0


def test_anchors_go_through_an_export_and_an_import(store):
    anchors = (an_anchor("b.py"), an_anchor("a.py"))
    bound, loose = a_fact("bound", source_ref="a#1", anchors=anchors, unverified=True), a_fact()
    store.put([bound, loose])
    lines = list(export_lines(store))
    store.erase([bound.id, loose.id])

    import_lines(store, lines)

    assert list(store.scan(Filter())) == [bound, loose]
    assert list(export_lines(store)) == lines


def test_an_export_made_before_there_were_anchors_is_still_read(store):
    plain = a_fact()
    store.put([plain])
    lines = list(export_lines(store))
    old = [
        line.replace('"anchors": [], ', "").replace(', "unverified": false', "") for line in lines
    ]
    assert "anchors" not in "".join(old)
    assert "unverified" not in "".join(old)
    store.erase([plain.id])

    import_lines(store, old)

    assert list(store.scan(Filter())) == [plain]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("later_comes", [True, False])
def test_anchors_go_through_a_merge_and_the_later_revision_wins(engine, later_comes, tmp_path):
    then = a_fact(anchors=(an_anchor(held="then"),))
    now = then.replace(rev=2, anchors=(an_anchor(held="now"),), unverified=True)
    other = a_fact("Other words", anchors=(an_anchor("b.py"),))
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    with ENGINES[engine](here) as place, ENGINES[engine](there) as other_place:
        ours, theirs = place(), other_place()
        ours.put([then, other] if later_comes else [now])
        theirs.put([now] if later_comes else [then, other])

        merge(ours, [value for _, value in records(theirs)])

        assert list(ours.scan(Filter())) == [now, other]

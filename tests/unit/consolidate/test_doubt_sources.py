"""What was made from something that no longer holds is in doubt, until it is said anew."""

from __future__ import annotations

import pytest

from batches import a_room, run
from builders import DAY, a_contradiction, a_fact, a_link, a_pattern, an_episode
from fakes import NOON
from tacit.consolidate.doubt_sources import doubt_sources
from tacit.consolidate.merge import merge
from tacit.consolidate.resolve import resolve
from tacit.model import Anchor, Relation, Resolution, Scope, Tier
from tacit.store.protocol import Filter
from tacit.store.sqlite.engine import SqliteStore
from tacit.write.doubt import mark_unverified, sha_of
from tacit.write.history import change

BEFORE, LATER = NOON - 9 * DAY, NOON + DAY


def db(value, **fields):
    """Make a fact about the database."""
    text = f"The database is {value}"
    return a_fact(text, key="db", value=value, **{"valid_from": BEFORE} | fields)


def derived(store, memory, *sources, relation=Relation.DERIVED_FROM):
    """Keep a memory that was made from others."""
    store.put([memory])
    store.link([a_link(memory, source, relation, valid_from=BEFORE) for source in sources])
    return memory


def overturn(store, old, new, at=NOON - DAY):
    """Let a memory take the place of another."""
    ended = old.replace(validity=old.validity.replace(valid_to=at), retired_at=at)
    store.put([ended, new])
    store.link([a_link(new, old, Relation.SUPERSEDES, valid_from=at)])


def now(store, memory):
    """Give a memory as it is now."""
    (found,) = store.get([memory.id])
    return found


@pytest.fixture
def room(store):
    return a_room(store)


@pytest.fixture
def old(store):
    fact = db("Postgres")
    store.put([fact])
    return fact


@pytest.fixture
def made(store, old):
    return derived(store, a_fact("Use psycopg to talk to the database", valid_from=BEFORE), old)


def test_what_was_made_from_a_fact_that_has_another_value_is_in_doubt(room, old, made):
    overturn(room.store, old, db("MySQL", valid_from=NOON - DAY))

    assert run(room, doubt_sources) == {"doubted": 1}

    assert now(room.store, made).unverified
    last = room.store.revisions([made.id])[-1]
    assert (last.op, last.by, last.at) == ("doubt", "consolidate", NOON)
    assert last.note == f"made from {old.short}, which no longer holds"
    assert run(room, doubt_sources) == {}
    assert run(room.replace(now=LATER), doubt_sources) == {}


def test_what_was_settled_against_puts_what_came_of_it_in_doubt(room, made, old):
    other = a_fact("The database is no Postgres", valid_from=NOON - DAY)
    room.store.put([other])
    clash = a_contradiction(old, other)
    room.store.add_contradictions([clash])
    wins = Resolution.B_WINS if clash.b == other.id else Resolution.A_WINS
    resolve(room.store, clash.id, wins, now=NOON - DAY, by="ana")

    assert run(room, doubt_sources) == {"doubted": 1}


def test_nothing_is_in_doubt_while_its_sources_hold(room, made):
    assert run(room, doubt_sources) == {}


@pytest.mark.parametrize("how", ["the same value", "the same words", "merged", "ended alone"])
def test_a_source_that_only_made_way_for_the_same_leaves_no_doubt(room, old, made, how):
    if how == "the same value":
        overturn(room.store, old, db("Postgres", valid_from=NOON - DAY))
    elif how == "the same words":
        overturn(room.store, old, a_fact(old.text, valid_from=NOON - DAY))
    elif how == "ended alone":
        at = NOON - DAY
        room.store.put([old.replace(validity=old.validity.replace(valid_to=at), retired_at=at)])
    else:
        loose = a_fact("The lease of the hall ends in spring for the whole of the team")
        twin = a_fact("The leases of the hall ends in spring for the whole of the team")
        room.store.put([twin])
        derived(room.store, loose, twin)
        derived(room.store, made, loose, twin)
        assert run(room, merge) == {"merged": 1}

    assert run(room, doubt_sources) == {}


def test_doubt_goes_on_to_what_was_made_from_that_whatever_the_order_of_ids(room, old, made):
    further = derived(room.store, a_fact("Pin psycopg", valid_from=BEFORE), made)
    earlier = made.id.replace("019b", "019a")
    first = a_fact("Learn psycopg", valid_from=BEFORE, id=earlier, short="first")
    derived(room.store, first, further)
    overturn(room.store, old, db("MySQL", valid_from=NOON - DAY))

    assert run(room, doubt_sources) == {"doubted": 3}
    assert all(now(room.store, each).unverified for each in (made, further, first))


def test_memories_made_from_each_other_come_to_an_end(room, old, made):
    other = derived(room.store, a_fact("Talk to the database", valid_from=BEFORE), made)
    room.store.link([a_link(made, other, Relation.DERIVED_FROM, valid_from=BEFORE)])
    overturn(room.store, old, db("MySQL", valid_from=NOON - DAY))

    assert run(room, doubt_sources) == {"doubted": 2}
    assert run(room, doubt_sources) == {}


@pytest.mark.parametrize(
    "fields", [{"pinned": True}, {"confirmed_by": "ana"}, {"tier": Tier.MANDATE}]
)
def test_what_a_person_holds_is_not_doubted_nor_what_came_of_it(room, old, fields):
    held = derived(room.store, a_fact("Use psycopg", valid_from=BEFORE, **fields), old)
    derived(room.store, a_fact("Pin psycopg", valid_from=BEFORE), held)
    overturn(room.store, old, db("MySQL", valid_from=NOON - DAY))

    assert run(room, doubt_sources) == {}


@pytest.mark.parametrize("relation", [Relation.RELATED_TO, Relation.ELABORATES])
def test_only_what_was_made_from_it_is_doubted(room, old, relation):
    derived(room.store, a_fact("Near it", valid_from=BEFORE), old, relation=relation)
    overturn(room.store, old, db("MySQL", valid_from=NOON - DAY))

    assert run(room, doubt_sources) == {}


def test_only_the_scopes_of_the_cycle_are_cared_for(room, old, made):
    overturn(room.store, old, db("MySQL", valid_from=NOON - DAY))

    assert run(room.replace(scopes=(Scope(path="project:other"),)), doubt_sources) == {}


def test_a_pattern_that_two_sound_sources_carry_only_loses_a_support(room, old):
    sources = [an_episode(f"Tuned it {n}", valid_from=BEFORE) for n in range(2)]
    room.store.put(sources)
    pattern = a_pattern(valid_from=BEFORE, confidence=0.7)
    derived(room.store, pattern, old, *sources)
    overturn(room.store, old, db("MySQL", valid_from=NOON - DAY))

    assert run(room, doubt_sources) == {"weakened": 1}

    after = now(room.store, pattern)
    assert not after.unverified
    assert after.confidence == pytest.approx(0.6)
    links = room.store.links([pattern.id], (Relation.DERIVED_FROM,))
    assert {link.dst for link in links if link.valid_to is not None} == {old.id}
    assert run(room, doubt_sources) == {}


def test_a_pattern_with_one_sound_source_left_is_doubted(room, old):
    source = an_episode(valid_from=BEFORE)
    room.store.put([source])
    derived(room.store, a_pattern(valid_from=BEFORE), old, source)
    overturn(room.store, old, db("MySQL", valid_from=NOON - DAY))

    assert run(room, doubt_sources) == {"doubted": 1}


@pytest.mark.parametrize("how", ["confirmed", "derived from the new", "renewed"])
def test_the_doubt_ends_when_it_is_confirmed_or_derived_again(room, old, made, how):
    new = db("MySQL", valid_from=NOON - DAY)
    overturn(room.store, old, new)
    run(room, doubt_sources)
    if how == "confirmed":
        change(
            room.store,
            [made.id],
            lambda memory: memory.replace(confirmed_by="ana"),
            op="set",
            by="ana",
            at=NOON,
        )
    elif how == "renewed":
        change(
            room.store,
            [made.id],
            lambda memory: memory.replace(importance=0.9),
            op="renew",
            by="chat:2",
            at=NOON,
        )
    else:
        room.store.link([a_link(made, new, Relation.DERIVED_FROM, valid_from=NOON)])

    assert run(room.replace(now=LATER), doubt_sources) == {"cleared": 1}

    assert not now(room.store, made).unverified
    assert room.store.revisions([made.id])[-1].op == "verify"
    assert run(room.replace(now=LATER), doubt_sources) == {}


def test_the_doubt_ends_when_what_it_was_made_from_is_erased(room, old, made):
    further = derived(room.store, a_fact("Pin psycopg", valid_from=BEFORE), made)
    overturn(room.store, old, db("MySQL", valid_from=NOON - DAY))
    assert run(room, doubt_sources) == {"doubted": 2}

    room.store.erase([old.id])

    assert run(room.replace(now=LATER), doubt_sources) == {"cleared": 2}
    assert not now(room.store, made).unverified
    assert not now(room.store, further).unverified
    last = room.store.revisions([made.id])[-1]
    assert (last.op, last.by, last.note) == (
        "verify",
        "consolidate",
        "what it was made from is gone",
    )
    assert run(room.replace(now=LATER), doubt_sources) == {}


def test_a_doubt_that_changed_files_gave_stays_when_a_source_is_erased(
    room, old, anchored, tmp_path
):
    room = room.replace(root=str(tmp_path))
    (tmp_path / "db.py").write_text("import mysql\n")
    mark_unverified(room.store, str(tmp_path), NOON)
    overturn(room.store, old, db("MySQL", valid_from=NOON - DAY))
    run(room, doubt_sources)

    room.store.erase([old.id])

    assert run(room, doubt_sources) == {}
    assert now(room.store, anchored).unverified
    (tmp_path / "db.py").write_text("import psycopg\n")
    assert run(room, doubt_sources) == {"cleared": 1}


def test_a_doubt_of_files_alone_is_not_ended_here(room, tmp_path):
    room.store.put([a_fact("Use psycopg here", valid_from=BEFORE, unverified=True)])
    loose = a_fact("Import it late", valid_from=BEFORE, anchors=(Anchor(path="a.py", sha="x"),))
    room.store.put([loose])
    mark_unverified(room.store, str(tmp_path), NOON)

    assert run(room, doubt_sources) == {}
    assert now(room.store, loose).unverified


def test_what_was_made_after_its_source_had_fallen_knew_it(room, old):
    overturn(room.store, old, db("MySQL", valid_from=NOON - DAY), at=NOON - DAY)
    derived(room.store, a_fact("It once was Postgres", valid_from=NOON - DAY / 2), old)

    assert run(room, doubt_sources) == {}


@pytest.fixture
def anchored(room, old, tmp_path):
    """Give a memory made from another, and anchored to a file."""
    (tmp_path / "db.py").write_text("import psycopg\n")
    anchor = Anchor(path="db.py", sha=sha_of(str(tmp_path / "db.py")))
    return derived(
        room.store, a_fact("Use psycopg here", valid_from=BEFORE, anchors=(anchor,)), old
    )


def test_files_that_are_as_they_were_do_not_end_a_doubt_about_a_source(
    room, old, anchored, tmp_path
):
    overturn(room.store, old, db("MySQL", valid_from=NOON - DAY))
    run(room, doubt_sources)

    mark_unverified(room.store, str(tmp_path), LATER)

    assert now(room.store, anchored).unverified
    assert run(room, doubt_sources) == {}


def test_two_reasons_to_doubt_both_have_to_end(room, old, anchored, tmp_path):
    store, root = room.store, str(tmp_path)
    room = room.replace(root=root)
    (tmp_path / "db.py").write_text("import mysql\n")
    mark_unverified(store, root, NOON)
    new = db("MySQL", valid_from=NOON - DAY)
    overturn(store, old, new)
    assert run(room, doubt_sources) == {"doubted": 1}
    assert run(room, doubt_sources) == {}

    store.link([a_link(anchored, new, Relation.DERIVED_FROM, valid_from=NOON)])
    assert run(room, doubt_sources) == {}  # the file still holds something else
    assert now(store, anchored).unverified

    (tmp_path / "db.py").write_text("import psycopg\n")
    mark_unverified(store, root, LATER)
    assert now(store, anchored).unverified  # the files know of one reason only
    assert run(room, doubt_sources) == {"cleared": 1}
    assert not now(store, anchored).unverified
    mark_unverified(store, root, LATER)
    assert run(room, doubt_sources) == {}


def test_a_pass_killed_between_batches_goes_on_as_if_undisturbed(store, tmp_path):
    other = SqliteStore(str(tmp_path / "other.db"))
    fact, new = db("Postgres"), db("MySQL", valid_from=NOON - DAY)
    notes = [a_fact(f"Made of it {n}", valid_from=BEFORE) for n in range(120)]
    for each in (store, other):
        each.put([fact])
        for note in notes:
            derived(each, note, fact)
        overturn(each, fact, new)

    assert run(a_room(store), doubt_sources) == {"doubted": 120}
    assert run(a_room(other), doubt_sources, batches=1)["doubted"] < 120
    run(a_room(other), doubt_sources)

    assert list(store.scan(Filter())) == list(other.scan(Filter()))
    assert store.revisions(None) == other.revisions(None)
    other.close()

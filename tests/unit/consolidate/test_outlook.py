"""What is coming: found by reading few memories, and the same as if all had been read."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from aged import a_room, use
from builders import DAY, START, a_fact, a_pattern, an_episode
from tacit.consolidate.capacity import too_many
from tacit.consolidate.forget import LOOKED_AT, fates
from tacit.consolidate.outlook import hardly_used, outlook
from tacit.consolidate.tiers import BINDING_KINDS, tier_moves
from tacit.model import Scope, State, Tier, Trust
from tacit.store.protocol import Filter
from tacit.store.sqlite.engine import SqliteStore

MAKERS = (a_fact, a_pattern, an_episode)
DAYS = (0, 20, 29, 30, 31, 95, 200)


@st.composite
def stores(draw):
    """Draw memories of every standing, and how each of them was used."""
    made = []
    for number in range(draw(st.integers(1, 6))):
        recorded = START - draw(st.sampled_from(DAYS)) * DAY
        memory = draw(st.sampled_from(MAKERS))(
            f"memory {number}",
            state=draw(st.sampled_from(State)),
            tier=draw(st.sampled_from(Tier)),
            trust=draw(st.sampled_from((Trust.HUMAN, Trust.AGENT))),
            confirmed_by=draw(st.sampled_from(("", "", "ana"))),
            valid_from=START - 300 * DAY,
            valid_to=draw(st.sampled_from((None, None, START - 40 * DAY, START + DAY))),
            recorded_at=recorded,
        )
        used = draw(st.sampled_from(({}, {"loaded": 4}, {"loaded": 12, "cited": 12, "helped": 12})))
        made.append((memory, used, recorded))
    return made


@settings(max_examples=150, deadline=None)
@given(stores())
def test_what_is_coming_is_the_same_as_if_every_memory_had_been_looked_at(made):
    with TemporaryDirectory() as folder:
        store = SqliteStore(str(Path(folder) / "memory.db"))
        store.put([memory for memory, _, _ in made])
        for memory, used, recorded in made:
            use(store, memory, recorded, **used)
        room = a_room(store, START)

        assert outlook(room) == _looked_at_one_and_all(room)
        store.close()


def test_what_belongs_to_another_scope_is_not_told(store):
    mine, other = (an_episode(text, recorded_at=START - 90 * DAY) for text in ("Mine.", "Other."))
    other = other.replace(scope=Scope(path="project:bank"))
    store.put([mine, other])
    for memory in (mine, other):
        use(store, memory, START - 80 * DAY, loaded=1)
    room = a_room(store, START).replace(scopes=(mine.scope,))

    assert [move.memory.id for move in outlook(room)] == [mine.id]


def test_those_nothing_can_happen_to_are_not_read(store, monkeypatch):
    old = an_episode("Old.", recorded_at=START - 90 * DAY)
    store.put([old, *(a_fact(f"fact {number}") for number in range(40))])
    read = []
    get = store.get
    monkeypatch.setattr(store, "get", lambda ids: read.extend(ids) or get(ids))

    assert [move.what for move in outlook(a_room(store, START))] == ["archive"]
    assert set(read) == {old.id}


def _looked_at_one_and_all(room):
    found = list(room.store.scan(Filter(states=LOOKED_AT)))
    live = [memory for memory in found if memory.state is State.ACTIVE]
    put_away = fates(room, found)
    going = {move.memory.id for move in put_away}
    return [
        *tier_moves(room, [memory for memory in live if memory.kind in BINDING_KINDS]),
        *put_away,
        *too_many(room, put_away),
        *(move for move in hardly_used(room, live) if move.memory.id not in going),
    ]

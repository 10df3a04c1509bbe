"""Between people: shared memories meet everywhere, private ones never leave home."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import FrozenClock, WordCounter
from tacit.config import Settings
from tacit.errors import Denied
from tacit.model import Scope, State, Visibility
from tacit.store.connect import connect
from tacit.store.owner import say_owner
from tacit.system import Tacit
from tacit.write.agreement import plain
from tacit.write.crossing import shared_records

if TYPE_CHECKING:
    from pathlib import Path

LAPTOPS = ("ana", "bo")
SECRETS = {"ana": "sparrow", "bo": "kestrel"}  # words that only private memories hold


def open_for(folder: Path, user: str, clock: FrozenClock) -> Tacit:
    store = connect(str(folder / f"{user}.db"))
    say_owner(store, user)
    return Tacit(
        store,
        scope=Scope(path="project:shop"),
        clock=clock,
        counter=WordCounter(),
        settings=Settings(home=str(folder / user), user=user),
    )


@pytest.fixture
def people(tmp_path, clock):
    with ExitStack() as opened:
        yield {
            user: opened.enter_context(open_for(tmp_path, user, clock))
            for user in (*LAPTOPS, "team")
        }


def shared_content(tacit: Tacit) -> list[str]:
    """Give what others may have, in a form that can be compared."""
    lines: list[str] = []
    for name, value in shared_records(tacit.store):
        data = plain(value)
        if name == "contradiction":  # when and by which rule it was seen is each store's own
            data = {part: data[part] for part in ("a", "b", "hashes", "resolution")}
        lines.append(json.dumps({"type": name, **data}, sort_keys=True))
    return sorted(lines)


def sync(people: dict[str, Tacit], order: str = "to") -> None:
    team = people["team"].store.path
    for user in LAPTOPS:
        people[user].merge(team, **({"both": True} if order == "both" else {order: True}))


def test_what_is_private_does_not_leave_and_all_else_does(people):
    ana, team = people["ana"], people["team"]
    ana.remember("The sparrow is my own", visibility="private")
    ana.remember("Deploys need two reviews")

    found = ana.merge(team.store.path, to=True)

    assert (found.given.new, found.kept_private) == (1, 1)
    assert [memory.text for memory in team.list()] == ["Deploys need two reviews"]
    assert "sparrow" not in "".join(team.export())
    assert [(each.type, each.count, each.later) for each in found.verified] == [("memory", 1, 0)]


def test_taking_in_another_persons_store_leaves_their_private_memories_there(people):
    ana, bo = people["ana"], people["bo"]
    bo.remember("The kestrel is mine", visibility="private")
    bo.remember("Prices are in cents")

    found = ana.merge(bo.store.path)

    assert (found.new, found.kept_private) == (1, 1)
    assert "kestrel" not in "".join(ana.export())
    with pytest.raises(Denied, match="belongs to bo"):
        ana.merge(bo.store.path, with_private=True)


def test_between_ones_own_stores_private_memories_go_along_unless_told_otherwise(tmp_path, clock):
    with (
        open_for(tmp_path, "ana", clock) as laptop,
        Tacit(connect(str(tmp_path / "desk.db")), scope=laptop.scope, clock=clock) as desk,
    ):
        say_owner(desk.store, "ana")
        laptop.remember("The sparrow is my own", visibility="private")

        assert laptop.merge(desk.store.path, to=True, with_private=False).given.new == 0
        assert laptop.merge(desk.store.path, to=True).given.new == 1


def test_a_dry_run_counts_and_changes_nothing(people):
    ana, team = people["ana"], people["team"]
    ana.remember("Deploys need two reviews")

    found = ana.merge(team.store.path, to=True, dry_run=True)

    assert (found.dry_run, found.given.new, found.verified) == (True, 1, ())
    assert team.status().memories == 0


def test_a_memory_that_is_shared_later_comes_without_its_private_past(people):
    ana, team = people["ana"], people["team"]
    memory = ana.remember("The sparrow sings at dawn", visibility="private")
    ana.edit(memory.id, "The build runs at dawn")
    ana.share([memory.id])

    ana.merge(team.store.path, to=True)

    assert team.get(memory.id).text == "The build runs at dawn"
    assert [revision.op for revision in team.why(memory.id).history] == ["share"]
    assert "sparrow" not in "".join(team.export())


def test_what_is_taken_back_is_put_away_for_others_and_stays_at_home(people):
    ana, bo, team = people["ana"], people["bo"], people["team"]
    memory = ana.remember("The build runs at dawn", author="ana")
    sync(people, "both"), sync(people, "both")
    ana.share([memory.id], back=True)
    ana.edit(memory.id, "The sparrow sings at dawn")
    sync(people, "both"), sync(people, "both")

    assert team.get(memory.id).state is bo.get(memory.id).state is State.FORGOTTEN
    assert ana.get(memory.id).text == "The sparrow sings at dawn"
    assert ana.get(memory.id).visibility is Visibility.PRIVATE
    assert "sparrow" not in "".join(team.export())
    ana.edit(memory.id, "The build runs at ten")
    ana.share([memory.id])
    sync(people, "both"), sync(people, "both")
    assert [memory.text for memory in bo.list()] == ["The build runs at ten"]
    assert "sparrow" not in "".join(team.export())


def test_a_private_value_of_a_key_does_not_end_the_shared_one(people):
    ana = people["ana"]
    shared = ana.remember("key one", key="editor", value="vim")
    ana.clock.advance(hours=1)
    ana.remember("key two", key="editor", value="emacs", visibility="private")

    assert ana.get(shared.id).validity.valid_to is None


def test_a_private_note_leaves_no_word_of_itself_in_a_shared_one(people):
    ana = people["ana"]
    ana.remember("The queue worker retries payments three times")
    ana.clock.advance(hours=1)
    ana.remember("The queue worker retries payments for sparrow", visibility="private")

    shared = "".join(json.dumps(plain(v)) for _, v in shared_records(ana.store))
    assert "sparrow" not in shared


STEPS = st.lists(
    st.tuples(
        st.sampled_from(LAPTOPS),
        st.sampled_from("fact key private edit forget share back link cite to take both".split()),
        st.integers(0, 5),
    ),
    max_size=22,
)


@settings(max_examples=15)
@given(STEPS)
def test_any_interleaving_ends_in_the_same_shared_memory(tmp_path_factory, steps):
    folder, clock = tmp_path_factory.mktemp("people"), FrozenClock()
    with ExitStack() as opened:
        people = {
            user: opened.enter_context(open_for(folder, user, clock)) for user in (*LAPTOPS, "team")
        }
        for user, act, number in steps:
            clock.advance(hours=1)
            do(people, user, act, number)
        for _ in range(3):
            sync(people, "both")

        contents = [shared_content(tacit) for tacit in people.values()]
        assert contents[0] == contents[1] == contents[2]
        for user, word in SECRETS.items():
            for other in people.keys() - {user}:
                assert word not in "".join(people[other].export())
        before = ["".join(tacit.export()) for tacit in people.values()]
        sync(people, "both")
        assert ["".join(tacit.export()) for tacit in people.values()] == before


def do(people: dict[str, Tacit], user: str, act: str, number: int) -> None:
    """Let one person do one thing."""
    tacit, team = people[user], people["team"].store.path
    memories = tacit.list(history=True, order="id")
    chosen = memories[number % len(memories)] if memories else None
    hidden = chosen is not None and chosen.visibility is Visibility.PRIVATE
    if act == "fact":
        tacit.remember(f"Note number {number}")
    elif act == "key":
        tacit.remember(f"It is {number}", key="it", value=str(number % 2))
    elif act == "private":
        tacit.remember(f"Note {number % 2} on {SECRETS[user]}", visibility="private")
    elif act in ("to", "take", "both"):
        tacit.merge(team, **({} if act == "take" else {act: True}))
    elif chosen is None:
        return
    elif act == "edit":
        word = SECRETS[user] if hidden else "all"
        tacit.edit(chosen.id, f"Changed to {number} for {word}")
    elif act == "forget":
        tacit.forget(chosen.id)
    elif act == "share" and hidden:
        tacit.edit(chosen.id, f"Told to all by {user} in {number}")
        tacit.share([chosen.id])
    elif act == "back" and chosen.author in ("", user):
        tacit.share([chosen.id], back=True)
    elif act == "link" and chosen.id != memories[0].id:
        tacit.link(chosen.id, "supports", memories[0].id)
    elif act == "cite":
        tacit.cite([chosen.id], query_id=f"q{number}")

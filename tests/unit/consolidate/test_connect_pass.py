"""Links that the write path did not make: few, each once, and only where something says so."""

from __future__ import annotations

import pytest

from batches import a_room, run
from builders import (
    DAY,
    a_fact,
    a_link,
    a_memory,
    a_mention,
    a_pattern,
    an_anchor,
    an_episode,
)
from fakes import NOON, HashEmbedder
from tacit.body import Action, Episode, Skill
from tacit.consolidate.connect import MOST_TO, connect, ends_in_need
from tacit.model import FacetType, Origin, Relation, Role, Scope, State
from tacit.write.relate import MOST

CARTS = "Carts of the shop are kept in Postgres"
CART_TABLE = "The carts of the shop in Postgres have a table of their own"


def at(memory_of, text, **fields):
    """Make a memory that holds since yesterday."""
    return memory_of(text, **{"valid_from": NOON - DAY} | fields)


def a_how(text, *, needs=(), ends=(), **fields):
    """Make a skill that needs something and ends in something."""
    body = Skill(trigger=text, prerequisites=needs, exit=ends)
    told = "\n".join((text, *needs, *ends))  # as a skill is put in words at write
    return a_memory(body, told, **{"valid_from": NOON - DAY} | fields)


def work(text, *, branch="", days=1, session="s1", **fields):
    """Make an episode on a branch some days ago."""
    on = (a_mention(f"branch {branch}", FacetType.TAG),) if branch else ()
    return an_episode(
        text,
        session=session,
        valid_from=NOON - days * DAY,
        **{"mentions": on} | fields,
    )


def links(store, relation):
    """Give the ends of all links of a relation."""
    return {(link.src, link.dst) for link in store.links(None, (relation,))}


@pytest.fixture
def room(store):
    return a_room(store)


@pytest.mark.parametrize("embedder", [None, HashEmbedder()])
def test_notes_that_belong_together_are_linked_once(room, embedder):
    one, two = at(a_fact, CARTS), at(a_pattern, CART_TABLE)
    room.store.put([one, two, at(a_fact, "Nightly builds push an image")])
    room = room.replace(embedder=embedder)

    assert run(room, connect) == {"links_created": 1}

    (link,) = room.store.links(None)
    assert {link.src, link.dst} == {one.id, two.id}
    assert (link.relation, link.origin) == (Relation.RELATED_TO, Origin.CONSOLIDATED)
    assert 0.4 <= link.weight <= 1.0
    assert link.valid_from == NOON
    assert run(room, connect) == {}
    assert run(room, lambda room, _mark: connect(room, "")) == {}


def test_links_that_are_there_are_not_made_again_in_either_direction(room):
    one, two = at(a_fact, CARTS), at(a_fact, CART_TABLE)
    room.store.put([one, two])
    known = a_link(two, one, weight=0.1)
    room.store.link([known])

    assert run(room, connect) == {}
    assert room.store.links(None) == [known]


@pytest.mark.parametrize(
    "apart",
    [
        {"scope": "project:other"},
        {"state": State.ARCHIVED},
        {"valid_to": NOON - DAY / 2, "retired_at": NOON - DAY / 2},
    ],
)
def test_scopes_do_not_mix_and_what_is_away_is_not_linked(room, apart):
    room.store.put([at(a_fact, CARTS), at(a_fact, CART_TABLE, **apart)])

    assert run(room, connect) == {}


def test_only_the_scopes_of_the_cycle_are_cared_for(room):
    room.store.put([at(a_fact, CARTS), at(a_fact, CART_TABLE)])

    assert run(room.replace(scopes=(Scope(path="project:other"),)), connect) == {}


def test_a_memory_gets_few_links(room):
    colours = "amber birch cedar dune ebony flint grove heath iris jade kelp lime moss".split()
    notes = [at(a_fact, f"The {each} service keeps carts in Postgres") for each in colours * 2]
    notes = [note.replace(hash=note.id) for note in notes]
    room.store.put(notes)

    run(room, connect)

    found = links(room.store, Relation.RELATED_TO)
    for note in notes:
        assert sum(src == note.id for src, _ in found) <= MOST
        assert sum(note.id in ends for ends in found) <= MOST_TO + MOST


def test_work_that_goes_on_with_a_branch_follows_what_was_done_on_it(room):
    first = work("Began the refund", branch="refund", days=9, session="s1")
    second = work("Went on with it", branch="refund", days=8, session="s1")
    later = work("Finished the refund", branch="refund", days=2, session="s2")
    room.store.put([first, second, later, work("Other", branch="cart", days=5, session="s3")])
    room.store.link([a_link(second, first, Relation.FOLLOWS)])

    assert run(room, connect) == {"links_created": 1}
    assert (later.id, second.id) in links(room.store, Relation.FOLLOWS)
    assert run(room, lambda room, _mark: connect(room, "")) == {}


def test_the_trunk_is_no_branch_to_go_on_with(room):
    for branch in ("main", "master"):
        room.store.put([work("a", branch=branch, days=3), work("b", branch=branch, session="s2")])

    assert run(room, connect) == {}


@pytest.mark.parametrize("first", ["who needs", "who provides"])
def test_a_skill_requires_the_one_that_ends_in_what_it_needs(room, first):
    needs = a_how("Deploy the shop", needs=("the image is pushed to the registry",))
    gives = a_how("Build the shop", ends=("image pushed to the registry", "tests are green"))
    for skill in [needs, gives] if first == "who needs" else [gives, needs]:
        room.store.put([skill])
        run(room, connect)

    assert links(room.store, Relation.REQUIRES) == {(needs.id, gives.id)}
    assert run(room, lambda room, _mark: connect(room, "")) == {}


def test_a_skill_does_not_require_what_ends_in_something_else():
    needs = Skill(trigger="deploy", prerequisites=("version 3 is tagged", "the cache is enabled"))

    assert not ends_in_need(needs, Skill(trigger="tag", exit=("version 4 is tagged",)))
    assert not ends_in_need(needs, Skill(trigger="cache", exit=("the cache is disabled",)))
    assert not ends_in_need(needs, Skill(trigger="nothing"))
    assert ends_in_need(needs, Skill(trigger="tag", exit=("tagged is version 3",)))


@pytest.mark.parametrize("said", ["by its actions", "by its mentions", "with the root"])
def test_work_that_wrote_a_file_affects_what_is_anchored_to_it(room, said):
    cart = a_mention("src/cart.py", FacetType.FILE)
    known = at(a_fact, "Totals are in cents", valid_from=NOON - 9 * DAY, mentions=(cart,))
    known = known.replace(anchors=(an_anchor("src/cart.py"),))
    loose = at(a_fact, "The cart is old", valid_from=NOON - 9 * DAY, mentions=(cart,))
    path = "/home/ana/shop/src/cart.py" if said == "with the root" else "src/cart.py"
    actions = (Action(action="edit", target=path),)
    wrote = a_memory(
        Episode(goal="Round totals", actions=() if said == "by its mentions" else actions),
        "Round totals",
        valid_from=NOON - DAY,
        mentions=(cart.replace(role=Role.WRITES),) if said == "by its mentions" else (),
    )
    before = wrote.replace(
        id=wrote.id.replace("019b", "019a"),
        short="earlier",
        validity=wrote.validity.replace(valid_from=NOON - 20 * DAY),
    )
    room.store.put([known, loose, wrote, before])

    run(room.replace(root="/home/ana/shop"), connect)

    assert links(room.store, Relation.AFFECTS) == {(wrote.id, known.id)}


def test_a_file_that_was_read_or_could_not_be_written_affects_nothing(room):
    cart = a_mention("src/cart.py", FacetType.FILE)
    known = at(a_fact, "Totals are in cents", valid_from=NOON - 9 * DAY, mentions=(cart,))
    read = Action(action="read", target="src/cart.py")
    failed = Action(action="edit", target="src/cart.py", error="read-only")
    episode = a_memory(Episode(goal="Look", actions=(read, failed)), "Look", valid_from=NOON)
    room.store.put([known.replace(anchors=(an_anchor("src/cart.py"),)), episode])

    assert run(room, connect) == {}

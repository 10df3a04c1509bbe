"""Teams on PostgreSQL: people come by a token, each may what their role may, and it is on record."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from fakes import FrozenClock, WordCounter
from postgres_server import a_database, address
from tacit.config import Settings
from tacit.errors import Conflict, Denied, Invalid, NotFound
from tacit.happening import Happening, Moment
from tacit.model import Scope
from tacit.store.connect import connect, create_team, join_team
from tacit.store.owner import say_owner
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    OpenAs = Callable[..., Tacit]

SHOP = Scope(path="project:shop")
PEOPLE = {"rita": "reader", "will": "writer", "cora": "curator"}


@pytest.fixture
def open_as(tmp_path: Path, clock: FrozenClock) -> Iterator[OpenAs]:
    with a_database(empty=True) as database, ExitStack() as opened:
        where = address(database)
        create_team(where, "acme", "ada")

        def open_(member: str, team: str = "acme") -> Tacit:
            tacit = Tacit(
                connect(where, tenant=team, member=member, create=False),
                scope=SHOP,
                clock=clock,
                counter=WordCounter(),
                settings=Settings(home=str(tmp_path / member), user=member),
            )
            opened.callback(tacit.close)
            return tacit

        open_.where = where  # type: ignore[attr-defined]
        yield open_


@pytest.fixture
def team(open_as: OpenAs, clock: FrozenClock) -> dict[str, Tacit]:
    """Give ada, who is admin, and a member of every other role."""
    ada = open_as("ada")
    for name, role in PEOPLE.items():
        join_team(open_as.where, ada.invite(name, role), now=clock.now())
    return {"ada": ada} | {name: open_as(name) for name in PEOPLE}


def test_a_token_lets_one_person_in_once_as_what_it_says(open_as, clock):
    ada = open_as("ada")
    token = ada.invite("bo", "curator")

    name, member = join_team(open_as.where, token, now=clock.now())

    assert (name, member.name, member.role) == ("acme", "bo", "curator")
    assert [(m.name, m.role) for m in ada.members()] == [("ada", "admin"), ("bo", "curator")]
    with pytest.raises(Denied, match="unknown, used or too old"):
        join_team(open_as.where, token, now=clock.now())


def test_a_token_that_is_too_old_or_taken_back_lets_nobody_in(open_as, clock):
    ada = open_as("ada")
    old = ada.invite("bo", until=clock.now() + timedelta(hours=1))
    with pytest.raises(Denied):
        join_team(open_as.where, old, now=clock.now() + timedelta(hours=2))
    back = ada.invite("cy")
    assert [each.name for each in ada.invited()] == ["cy"]
    ada.remove_member("cy")
    with pytest.raises(Denied):
        join_team(open_as.where, back, now=clock.now())


def test_a_stranger_cannot_open_the_team(open_as):
    with pytest.raises(Denied, match="not a member"):
        open_as("eve")


@pytest.mark.parametrize(
    ("act", "least"),
    [
        (lambda t, m: t.recall("deploys"), "reader"),
        (lambda t, m: t.remember("Something else entirely"), "writer"),
        (lambda t, m: t.edit(m.id, "Deploys need three reviews"), "curator"),
        (lambda t, m: t.forget(m.id), "curator"),
        (lambda t, m: t.set(m.id, pinned=True), "curator"),
        (lambda t, m: t.set(m.id, tier="mandate"), "curator"),
        (lambda t, m: t.adopt_profile("seed"), "curator"),
        (lambda t, m: (t.learn_start(), t.learn_stop()), "curator"),
        (lambda t, m: t.erase([m.id]), "admin"),
        (lambda t, m: t.invite("dan"), "admin"),
        (lambda t, m: t.set_role("rita", "admin"), "admin"),
        (lambda t, m: t.remove_member("rita"), "admin"),
        (lambda t, m: t.audit(), "admin"),
    ],
)
def test_each_role_may_what_it_may_and_no_more(team, act, least):
    order = ["reader", "writer", "curator", "admin"]
    for name, role in (PEOPLE | {"ada": "admin"}).items():
        memory = team["ada"].remember(f"Deploys need two reviews, says {name}")
        if order.index(role) < order.index(least):
            with pytest.raises(Denied):
                act(team[name], memory)
        else:
            act(team[name], memory)


def test_the_log_of_learning_names_the_member(team):
    team["cora"].adopt_profile("balanced", why="a try")

    assert [(one.by, one.subject) for one in team["ada"].learn_log()] == [("cora", "balanced@1")]


def test_a_writer_changes_what_is_theirs(team):
    will = team["will"]
    mine = will.remember("Prices are in cents")

    assert will.edit(mine.id, "Prices are in euro cents").author == "will"
    assert will.forget(mine.id).state == "forgotten"


def test_what_became_a_rule_of_the_team_is_its_authors_alone_no_more(team):
    said = team["will"].remember("Deploys need two reviews")
    team["cora"].set(said.id, tier="mandate")

    for act in (lambda t: t.edit(said.id, "Deploys need none"), lambda t: t.forget(said.id)):
        with pytest.raises(Denied, match="must be curator"):
            act(team["will"])
    assert team["ada"].get(said.id).text == "Deploys need two reviews"
    assert "three" in team["cora"].edit(said.id, "Deploys need three reviews").text


def test_nobody_speaks_in_anothers_name_unless_they_may_edit_others(team):
    assert team["will"].remember("Cora said so", author="cora").author == "will"
    assert team["cora"].remember("Will said so", author="will").author == "will"


def test_the_last_admin_stays(team):
    ada = team["ada"]
    with pytest.raises(Conflict, match="last admin"):
        ada.set_role("ada", "reader")
    with pytest.raises(Conflict, match="last admin"):
        ada.remove_member("ada")
    ada.set_role("cora", "admin")
    team["cora"].remove_member("ada")
    with pytest.raises(Denied):
        ada.remember("I am still here")


def test_what_admins_do_and_what_was_refused_is_on_record(team):
    with pytest.raises(Denied):
        team["rita"].remember("I may not")
    private = team["will"].remember("Only mine", visibility="private")
    team["will"].share([private.id])

    acts = [(entry.member, entry.act) for entry in team["ada"].audit()]
    assert ("rita", "refused: remember") in acts
    assert ("will", "share") in acts
    assert ("ada", "invite") in acts
    assert ("cora", "join") in acts


def test_a_private_past_stays_its_authors_when_a_memory_is_shared(team):
    will = team["will"]
    memory = will.remember("The sparrow sings at dawn", visibility="private")
    will.edit(memory.id, "The build runs at dawn")
    will.share([memory.id])

    assert team["rita"].get(memory.id).text == "The build runs at dawn"
    assert "sparrow" not in "".join(team["rita"].export())
    assert "sparrow" in "".join(will.export())


def test_two_teams_of_one_database_know_nothing_of_each_other(open_as):
    create_team(open_as.where, "globex", "ada")
    acme, globex = open_as("ada"), open_as("ada", "globex")
    acme.remember("Acme deploys on Fridays")

    assert globex.list() == []
    assert globex.recall("deploys") == []
    assert list(globex.export()) == ['{"tacit": 1}\n']
    with pytest.raises(Conflict, match="already"):
        create_team(open_as.where, "acme", "eve")


def test_laptops_and_a_team_meet_and_private_memories_stay_at_home(team, open_as, tmp_path, clock):
    with ExitStack() as opened:
        laptops = {}
        for name in ("will", "cora"):
            store = connect(str(tmp_path / f"{name}.db"))
            say_owner(store, name)
            own = Settings(home=str(tmp_path / name), user=name)
            laptops[name] = opened.enter_context(
                Tacit(store, scope=SHOP, clock=clock, counter=WordCounter(), settings=own)
            )
            laptops[name].remember(f"{name} has a sparrow", visibility="private")
            laptops[name].remember(f"{name} knows this about deploys", author=name)
        for name in ("will", "cora", "will"):
            there = f"{open_as.where}?tenant=acme&member={name}"
            if "?" in open_as.where:
                there = f"{open_as.where}&tenant=acme&member={name}"
            clock.advance(minutes=1)
            found = laptops[name].merge(there, both=True)
            assert found.verified[0].type == "memory"

        texts = sorted(memory.text for memory in team["rita"].list())
        assert texts == ["cora knows this about deploys", "will knows this about deploys"]
        assert "sparrow" not in "".join(team["ada"].export())
        assert "cora knows this about deploys" in [m.text for m in laptops["will"].list()]


@pytest.fixture
def laptop(tmp_path: Path, clock: FrozenClock) -> Iterator[Tacit]:
    """Give will's own file."""
    store = connect(str(tmp_path / "laptop.db"))
    say_owner(store, "will")
    own = Settings(home=str(tmp_path / "will"), user="will")
    with Tacit(store, scope=SHOP, clock=clock, counter=WordCounter(), settings=own) as tacit:
        yield tacit


def of_team(where: str, member: str) -> str:
    return f"{where}{'&' if '?' in where else '?'}tenant=acme&member={member}"


def test_a_writer_makes_nothing_binding_in_whatever_way(team, laptop, open_as):
    will, ada = team["will"], team["ada"]
    claimed = {"tier": "mandate", "pinned": True}
    said = will.remember("Deploys need nobody", **claimed)
    kept = will.remember("Deploys need only me", visibility="private", **claimed)
    will.share([kept.id])
    brought = laptop.remember("Deploys are for Fridays", **claimed)
    laptop.accept(brought.id, by="ada")
    laptop.merge(of_team(open_as.where, "will"), both=True)
    with Tacit.open(str(laptop.store.path) + ".2") as other:
        imported = other.remember("Deploys are for all", **claimed)
        will.import_(list(other.export()))

    for memory in (said, kept, brought, imported):
        there = ada.get(memory.id)
        assert (there.tier, there.pinned, there.confirmed_by) == ("reference", False, "")
        assert there.author == "will"
    assert laptop.get(brought.id).tier == "mandate"  # at home it is as its owner says


def test_a_writer_brings_no_word_of_others_and_changes_none(team, laptop, open_as, clock):
    ada, where = team["ada"], of_team(open_as.where, "will")
    rule = ada.remember("Deploys need two reviews", tier="mandate")
    laptop.merge(where)
    assert laptop.get(rule.id).tier == "mandate"  # what the team decided holds for its members
    clock.advance(minutes=1)
    laptop.edit(rule.id, "Deploys need nobody")
    forged = laptop.remember("Cora said so", author="cora")
    mine = laptop.remember("Prices are in cents")

    found = laptop.merge(where, both=True)

    assert (found.given.new, found.given.left_out) == (1, 2)
    assert ada.get(rule.id).text == "Deploys need two reviews"
    assert ada.get(mine.id).author == "will"
    with pytest.raises(NotFound):
        ada.get(forged.id)
    laptop.edit(mine.id, "Prices are in euro cents")
    laptop.merge(where, both=True)
    assert ada.get(mine.id).text == "Prices are in euro cents"


@pytest.mark.parametrize("moment", list(Moment))
def test_a_readers_agent_is_attended_like_any_other(team, moment, tmp_path):
    team["ada"].remember("Deploys need two reviews", files=["src/cart.py"])
    told = Happening(
        moment=moment,
        host="claude",
        session="s1",
        folder=str(tmp_path),
        text="deploy the shop with reviews",
        target="src/cart.py",
        output="Error: no reviews",
    )

    team["rita"].attend(told)

    assert [session.id for session in team["rita"].sessions()] == ["claude:s1"]
    assert team["ada"].sessions() == []


def test_a_readers_agent_is_briefed_and_what_it_was_handed_is_on_record(team):
    team["ada"].remember("Deploys need two reviews")
    rita = team["rita"]
    rita.predict(files=["src/cart.py"], record=True, session="s1")

    made = rita.brief("deploy the shop", session="s1")

    assert "two reviews" in made.text
    assert [query.id for query in rita.injected("s1")] == [made.query_id]
    assert rita.cite([made.items[0].memory.id], event="helped", query_id=made.query_id) == 1


def test_who_may_not_set_tiers_neither_confirms_for_others_nor_consolidates(team):
    waiting = team["ada"].remember("Deploys need two reviews", state="candidate")
    own = team["will"].remember("Prices are in cents", state="candidate")

    for name in ("rita", "will"):
        with pytest.raises(Denied, match="to accept"):
            team[name].accept(waiting.id)
        with pytest.raises(Denied, match="to consolidate"):
            team[name].consolidate()
        assert not team[name].may("consolidate")
    assert team["will"].accept(own.id).state == "active"
    team["cora"].accept(waiting.id)
    team["cora"].consolidate()


def test_a_reader_brings_nothing(team, laptop, open_as):
    laptop.remember("Prices are in cents")
    with pytest.raises(Denied, match="rita is a reader"):
        laptop.merge(of_team(open_as.where, "rita"), to=True)


def test_a_file_is_one_persons(open_tacit):
    with pytest.raises(Invalid, match="PostgreSQL"):
        open_tacit().invite("bo")
    with pytest.raises(Invalid, match="PostgreSQL"):
        create_team("memory.db", "acme", "ada")


def test_what_nobody_is_called_cannot_be_changed(team):
    with pytest.raises(NotFound):
        team["ada"].set_role("nobody", "reader")
    with pytest.raises(Invalid, match="role"):
        team["ada"].set_role("rita", "king")


def test_a_group_reads_what_is_its_own(team):
    ada, will, cora = team["ada"], team["will"], team["cora"]
    ada.group("will", "payments"), ada.group("ada", "payments")
    ada.remember("Refunds are booked by hand", scope=Scope(path="team:payments"))

    assert [m.text for m in will.list()] == ["Refunds are booked by hand"]
    assert cora.list() == []
    ada.group("will", "payments", out=True)
    assert will.list() == []


def test_who_joins_in_brings_what_they_shared_and_nothing_private(team, open_as, tmp_path):
    will = team["will"]
    own = Scope(path="user:will")
    will.remember("Will prefers small commits", scope=own, subtype="preference")
    will.remember("Will fears sparrows", scope=own, subtype="preference", visibility="private")
    cora = Settings(
        home=str(tmp_path), user="cora", store=open_as.where, tenant="acme", project="shop"
    )
    with Tacit.open(settings=cora.replace(embedder="off")) as tacit:
        found = tacit.predict(collaborator="will")
        text = tacit.brief(signals={"collaborator": "will"}).text

        assert [each.memory.text for each in found.memories] == ["Will prefers small commits"]
        assert "small commits" in text
        assert "sparrows" not in text
        assert "small commits" not in tacit.brief().text


def test_a_store_opened_by_project_shows_the_groups_one_is_in(team, open_as, tmp_path):
    ada = team["ada"]
    ada.group("cora", "payments"), ada.group("ada", "payments")
    ada.remember("Refunds are booked by hand", scope=Scope(path="team:payments"))
    for name, seen in (("cora", ["Refunds are booked by hand"]), ("will", [])):
        own = Settings(
            home=str(tmp_path), user=name, store=open_as.where, tenant="acme", project="shop"
        )
        with Tacit.open(settings=own.replace(embedder="off")) as tacit:
            assert [memory.text for memory in tacit.list()] == seen

"""Learning through real sessions: off it changes nothing, on it is fair, safe and reversible."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack

import pytest

from attended import Agent, a_home, a_project, open_project
from postgres_server import MEMBER, a_clean_database, address
from tacit.errors import Conflict, Invalid, NotFound
from tacit.learn.log import noted
from tacit.learn.policy import load
from tacit.learn.profiles import adopt, keep
from tacit.profile import DEFAULT

FACT = "The checkout retries a payment three times before it writes a dead letter"
ASK = "Why does the checkout retry a payment three times before the dead letter?"
SILENT = DEFAULT.replace(name="silent", cut_unasked=2.0, cut_question=2.0, cut_other=2.0)


@pytest.fixture
def project(tmp_path):
    return a_project(tmp_path / "shop")


@pytest.fixture(params=["sqlite", "postgres"])
def tacit(request, tmp_path, project, clock):
    with ExitStack() as stack:
        settings = a_home(tmp_path)
        if request.param == "postgres":
            place = address(stack.enter_context(a_clean_database()))
            settings = settings.replace(store=place, user=MEMBER)
        opened = stack.enter_context(open_project(project, settings, clock))
        opened.remember(FACT)
        opened.remember_many(f"Note {n}: page {n} loads its part lazily" for n in range(60))
        yield opened


def said(tacit, session):
    """Let a session start and ask; give all it is told."""
    agent = Agent(tacit, session)
    return agent.start(), agent.asks(ASK)


def worked(tacit, session, went_well):
    """Let a session ask, answer and end; how it went depends on its arm, which is given."""
    agent = Agent(tacit, session)
    agent.asks(ASK)
    agent.answers()
    agent.ends()
    outcome = "success" if went_well(agent.record.profile) else "failure"
    tacit.store.put_session(agent.record.replace(outcome=outcome, pending=False))
    return agent.record.profile


def events(tacit):
    return [one.event for one in noted(tacit.store)]


def test_with_learning_off_one_document_is_looked_for_and_nothing_changes(tacit, monkeypatch):
    before = said(tacit, "s1")
    names, load_ = [], tacit.store.load
    monkeypatch.setattr(tacit.store, "load", lambda name: names.append(name) or load_(name))

    assert said(tacit, "s2") == before
    assert {name for name in names if name.startswith("learn")} == {"learn-policy"}
    assert {one.profile for one in tacit.store.queries()} == {"default@1"}
    assert tacit.store.session("claude:s2").profile == ""


@pytest.mark.parametrize("end", ["stop", "rollback", "pause"])
def test_what_sessions_are_told_is_the_same_to_the_byte_once_learning_is_over(tacit, end):
    before = said(tacit, "s1")
    keep(tacit.store, SILENT)
    tacit.learn_start(["silent"], compare=True, seed=1)
    during = {said(tacit, f"t{n}")[1] for n in range(12)}
    assert len(during) == 2  # one of the arms hands nothing over

    getattr(tacit, f"learn_{end}")()

    for n in range(6):
        assert said(tacit, f"u{n}") == before


def test_each_session_is_served_by_the_arm_it_drew_and_that_is_on_record(tacit):
    keep(tacit.store, SILENT)
    policy = tacit.learn_start(["silent"], compare=True, seed=1)
    arms = Counter()
    for n in range(30):
        _, answer = said(tacit, f"s{n}")
        key = f"claude:s{n}"
        prompt = tacit.store.queries(key)[0]
        assert prompt.profile == policy.assigned(key, prompt.task_type).arm
        assert tacit.store.session(key).profile == prompt.profile
        assert bool(answer) is (prompt.profile == "default@1")
        arms[prompt.profile] += 1

    assert set(arms) == {"default@1", "silent@1"}


def test_a_briefing_for_a_session_uses_its_arm_too_and_one_without_a_session_does_not(tacit):
    keep(tacit.store, SILENT)
    policy = tacit.learn_start(["silent"], compare=True, seed=1)

    for n in range(12):
        made = tacit.brief(ASK, session=f"b{n}")
        assert made.profile == policy.assigned(f"b{n}", made.task_type).arm
    alone = tacit.brief(ASK)
    assert (alone.profile, alone.drawn) == ("default@1", False)


def test_an_arm_stays_for_the_session_though_the_mix_has_moved(tacit):
    from tacit.learn.policy import change

    keep(tacit.store, SILENT)
    policy = tacit.learn_start(["silent"], seed=1)
    agent = Agent(tacit, "s1")
    agent.asks(ASK)
    first = tacit.store.queries(agent.key)[0]
    other = next(arm for arm in policy.arms if arm != first.profile)
    change(tacit.store, policy.replace(explore=0.01, leads={first.task_type: {other: 1.0}}))

    tacit.brief(ASK, session=agent.key)

    again = tacit.store.queries(agent.key)[0]
    assert (again.kind, again.task_type) == ("brief", first.task_type)
    assert again.profile == first.profile


def test_who_names_a_profile_or_has_adopted_another_is_served_by_that(tacit, clock):
    keep(tacit.store, SILENT)
    tacit.learn_start(["silent"], compare=True, seed=1)
    mine = keep(tacit.store, DEFAULT.replace(name="mine"))
    adopt(tacit.store, mine, at=clock.now())
    tacit.profile = mine

    said(tacit, "s1")

    assert {one.profile for one in tacit.store.queries("claude:s1")} == {"mine@1"}


def test_an_arm_that_fails_is_rolled_back_by_a_cycle_and_the_log_says_so(tacit):
    keep(tacit.store, SILENT)
    tacit.learn_start(["silent"], compare=True, seed=1, limits={"least": 20})
    for n in range(120):
        worked(tacit, f"s{n}", lambda arm: arm != "silent@1")

    tacit.consolidate()

    (type_,) = load(tacit.store).barred
    assert set(load(tacit.store).barred[type_]) == {"silent@1"}
    newest = noted(tacit.store)[0]
    assert (newest.event, newest.subject, newest.by) == ("rolled back", "silent@1", "learning")
    assert {worked(tacit, f"t{n}", lambda _arm: True) for n in range(10)} == {"default@1"}


def test_what_helps_is_used_more_day_by_day_and_can_be_taken_back_step_by_step(tacit, clock):
    worse = keep(tacit.store, DEFAULT.replace(name="worse", text=0.6))
    better = keep(tacit.store, DEFAULT.replace(name="better", text=0.4))
    tacit.learn_start([worse.name, better.name], seed=1)
    for day in range(8):
        for n in range(8):
            worked(tacit, f"d{day}-{n}", lambda arm: arm == "better@1")
        clock.advance(hours=20)
        tacit.consolidate()
    policy = load(tacit.store)
    (type_,) = policy.leads
    shares = policy.lead(type_)

    assert shares["better@1"] > shares.get("worse@1", 0.0)
    assert "moved" in events(tacit)
    before = policy.version
    back = tacit.learn_rollback()
    assert (back.version, back.state) == (before - 1, "paused")
    assert events(tacit)[0] == "taken back"
    assert tacit.learn_update().policy == back  # paused: nothing is learnt
    assert tacit.learn_resume().on


def test_a_step_that_is_taken_twice_changes_nothing_the_second_time(tacit, clock):
    tacit.learn_start(["balanced"], seed=1)
    for n in range(10):
        worked(tacit, f"s{n}", lambda _arm: True)
    clock.advance(days=1)

    first = tacit.learn_update()
    again = tacit.learn_update()

    assert again.policy == first.policy
    assert again.notes == ()


def test_the_status_tells_what_is_known_and_that_it_is_too_early(tacit):
    tacit.learn_start(["balanced"], compare=True, seed=1)
    for n in range(20):
        worked(tacit, f"s{n}", lambda _arm, n=n: n % 2)

    found = tacit.learn_status()

    (task,) = found.tasks
    assert task.sessions == found.sessions == 20
    assert {one.verdict for one in task.arms} == {"control", "too early"}
    assert task.more
    assert sum(one.share for one in task.arms) == pytest.approx(1.0)
    line = next(line for line in tacit.learn_explain("balanced") if "balanced@1" in line)
    assert "50% of the sessions" in line
    assert "Too early to tell" in line


def test_what_was_not_drawn_tells_nothing_of_an_arm(tacit):
    tacit.learn_start(["balanced"], compare=True, seed=1)
    worked(tacit, "drawn", lambda _arm: True)
    tacit.learn_pause()
    worked(tacit, "paused", lambda _arm: False)
    tacit.learn_resume()

    (query,) = tacit.store.queries("claude:paused")
    assert (query.profile, query.drawn) == ("default@1", False)
    assert tacit.learn_status().sessions == 1


def test_what_makes_no_sense_is_refused_with_what_to_do(tacit):
    for act in (tacit.learn_pause, tacit.learn_stop, tacit.learn_update, tacit.learn_explain):
        with pytest.raises(Conflict, match="tacit learn start"):
            act()
    with pytest.raises(Conflict, match="nothing was ever learnt"):
        tacit.learn_rollback()
    with pytest.raises(NotFound, match="no profile 'other'"):
        tacit.learn_start(["other"])
    with pytest.raises(Invalid, match="beside default@1"):
        tacit.learn_start(["default"])
    with pytest.raises(Invalid, match="no limit 'speed'"):
        tacit.learn_start(limits={"speed": 1.0})
    tacit.learn_start()
    with pytest.raises(Conflict, match="on already"):
        tacit.learn_start()
    with pytest.raises(Invalid, match="seed@1 is no arm"):
        tacit.learn_explain("seed")
    with pytest.raises(Conflict, match="not paused"):
        tacit.learn_resume()


def test_what_is_known_from_a_replay_is_where_learning_begins(tacit):
    policy = tacit.learn_start(["seed", "static"], known={"static": (30.0, 2.0)})

    assert policy.known == {"static@1": (30.0, 2.0)}
    assert load(tacit.store).known == policy.known

"""Sessions that never told their end, and types of tasks that do without memory."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from attended import Agent, a_home, a_project, open_project
from tacit.assemble.bypass import (
    LEAST_IGNORED,
    LEAST_SESSIONS,
    LOOK_BACK,
    bypassed_types,
    without_use,
)
from tacit.model import Usage, UsageEvent
from tacit.record import Chosen, QueryRecord
from tacit.session.credit import ABANDONED
from tacit.session.worker import lock_path

RULE = "Never edit files under generated/, the build overwrites them"
PAYMENTS = "The checkout retries a payment three times before it writes a dead letter"
FIX = "Fix the error in the checkout: it retries a payment {} times before the dead letter"


@pytest.fixture
def opened(tmp_path, clock):
    """Give a function that opens the project's memory with other settings."""
    project, made = a_project(tmp_path / "shop"), []

    def make(**fields):
        made.append(open_project(project, a_home(tmp_path, **fields), clock))
        return made[-1]

    yield make
    for tacit in made:
        tacit.close()


def killed(agent, rule):
    """Let a session cite a rule, do its work and break off without an end."""
    agent.start()
    agent.asks("Make the checkout retry a payment three times, and run the tests")
    agent.edited("src/checkout.py", "retries = 1", "retries = 3")
    agent.ran("make test", "12 passed")
    agent.answers(f"Applied: [M:{rule.short}]")


@pytest.fixture
def left(opened, clock):
    """Give a session that broke off, with what it was handed, and so long ago that it is over."""
    agent = Agent(opened())
    rule = agent.tacit.remember(RULE, tier="mandate")
    fact = agent.tacit.remember(PAYMENTS)
    killed(agent, rule)
    return agent, rule, fact


# Sessions that were killed


def test_a_session_whose_host_was_killed_is_credited_once(left, clock):
    agent, rule, fact = left
    seen = agent.record.seen
    clock.advance(hours=25)

    agent.tacit.observe_pending()
    first = agent.tally(rule), agent.tally(fact)
    clock.advance(days=3)
    agent.tacit.observe_pending()

    assert first == (agent.tally(rule), agent.tally(fact))
    assert agent.tally(rule)["helped"] == 1
    assert agent.tally(fact)["ignored"] == 1
    assert agent.record.ended == seen


def test_one_that_was_read_while_it_went_on_is_credited_too(left, clock):
    agent, rule, _ = left
    agent.tacit.observe_pending()
    assert (agent.record.pending, agent.record.ended) == (False, None)
    assert "helped" not in agent.tally(rule)

    clock.advance(hours=25)
    agent.tacit.observe_pending()

    assert agent.tally(rule)["helped"] == 1


def test_one_that_was_seen_lately_is_not_over(left, clock):
    agent, rule, fact = left
    clock.advance(hours=ABANDONED / timedelta(hours=1))

    agent.tacit.observe_pending()

    assert agent.record.ended is None
    assert "ignored" not in agent.tally(fact)
    assert "helped" not in agent.tally(rule)


def test_whoever_speaks_again_has_not_ended(left, clock):
    agent, _, _ = left
    clock.advance(hours=25)
    agent.tacit.observe_pending()

    agent.asks("And now write the letter to our customers in Norway")

    assert agent.record.ended is None


def test_the_next_start_sees_to_a_session_that_was_left(left, opened, clock):
    agent, _, _ = left
    agent.tacit.observe_pending()  # it was read: only its credit is due
    tacit = opened(worker=True)
    keep_from_starting(tacit)

    Agent(tacit, "s2").start()
    before = tacit.take_troubles()
    clock.advance(hours=25)
    Agent(tacit, "s3").start()

    assert before == ()
    assert "tacit observe --pending" in tacit.take_troubles()[0]  # it would have been started


def keep_from_starting(tacit):
    """Put a file where the marks of processes lie, so that no test leaves one behind."""
    folder = Path(lock_path(tacit.settings, tacit.project.id)).parent
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("in the way")


# Types of tasks that do without


def judged(tacit, type_prompt, *, sessions=LEAST_SESSIONS, used=False):
    """Let sessions be handed memories at a prompt that they ignore; one uses the last."""
    each = -(-LEAST_IGNORED // sessions)
    kept = tacit.remember_many(f"Note {n} about the {n} checkout" for n in range(each))
    for number in range(sessions):
        session, query = f"claude:old{number}", f"q{tacit.clock.new_id()}"
        record = QueryRecord(
            id=query,
            at=tacit.clock.now(),
            session=session,
            kind="prompt",
            text=type_prompt,
            selected=tuple(Chosen(memory=memory.id) for memory in kept),
        )
        tacit.store.add_queries([record])
        helps = used and number == sessions - 1
        tacit.store.add_usage(
            [
                Usage(
                    query_id=query,
                    memory_id=memory.id,
                    event=UsageEvent.CITED if helps else UsageEvent.IGNORED,
                    at=tacit.clock.now(),
                )
                for memory in kept
            ]
        )


def asked(tacit, session="s1", text=""):
    """Give what a prompt is answered with, one that asks for a fix unless told."""
    tacit.remember(PAYMENTS)
    return Agent(tacit, session).asks(text or FIX.format("three"))


def test_a_type_without_use_goes_without_and_that_is_told(opened):
    tacit = opened(bypass=True)
    judged(tacit, FIX.format("two"))
    tacit.observe_pending()

    said = asked(tacit)

    assert (said, bypassed_types(tacit.store)) == ("", ("debugging",))
    assert tacit.economics("claude:s1").bypassed == {"debugging": 1}
    assert tacit.economics("claude:s1").queries == 0
    assert tacit.economics().bypassed == {"debugging": 1}
    other = "Write a document that explains the payment retries of the checkout dead letter"
    assert "dead letter" in asked(tacit, "s2", other)


@pytest.mark.parametrize(
    ("setting", "more"),
    [(False, {}), (True, {"used": True}), (True, {"sessions": LEAST_SESSIONS - 1})],
    ids=["not asked for", "one was of use", "too few sessions"],
)
def test_any_use_too_little_evidence_or_no_setting_and_memory_is_handed_over(opened, setting, more):
    tacit = opened(bypass=setting)
    judged(tacit, FIX.format("two"), **more)
    tacit.observe_pending()

    assert "dead letter" in asked(tacit)
    assert tacit.economics().bypassed == {}


def test_after_a_while_a_type_is_tried_again(opened, clock):
    tacit = opened(bypass=True)
    judged(tacit, FIX.format("two"))
    tacit.observe_pending()
    assert asked(tacit) == ""

    clock.advance(days=LOOK_BACK.days + 1)
    tacit.observe_pending()

    assert "dead letter" in asked(tacit, "s2")


def test_what_a_session_expanded_was_of_use_to_its_prompt():
    prompts = [
        QueryRecord(
            id=f"q{n}",
            at=None,
            session=f"s{n % LEAST_SESSIONS}",
            kind="prompt",
            selected=(Chosen(memory=f"m{n}"),),
        )
        for n in range(LEAST_IGNORED + 1)
    ]
    expand = QueryRecord(id="e", at=None, session=prompts[-1].session, kind="expand")
    ignored = [
        Usage(query_id=f"q{n}", memory_id=f"m{n}", event=UsageEvent.IGNORED, at=None)
        for n in range(LEAST_IGNORED + 1)
    ]
    last = f"m{LEAST_IGNORED}"
    expanded = Usage(query_id="e", memory_id=last, event=UsageEvent.EXPANDED, at=None)
    typed = [("review", one) for one in prompts]

    assert without_use(typed, [*prompts, expand], ignored) == ("review",)
    assert without_use(typed[1:], [*prompts, expand], ignored) == ("review",)
    assert without_use(typed[2:], [*prompts, expand], ignored) == ()
    assert without_use(typed, [*prompts, expand], [*ignored, expanded]) == ()


# What was put off


def test_what_an_agent_puts_off_is_an_episode_that_its_files_bring_back(opened):
    tacit = opened()
    agent = Agent(tacit)
    agent.asks("Make the checkout retry a payment three times")
    agent.edited("src/checkout.py")
    agent.answers("Done. I'll refactor the retry loop later.")
    agent.answers("Done. I'll refactor the retry loop later.")

    (kept,) = tacit.list(subtypes=["rationalisation"])

    assert kept.kind.value == "episode"
    assert "I'll refactor the retry loop later." in kept.text
    assert kept.id in [one.memory.id for one in tacit.expand("file:src/checkout.py").memories]
    assert tacit.recall("what was put off in the retry loop?")[0].memory.id == kept.id


@pytest.mark.parametrize("fields", [{"write": "manual"}, {"inject": "off"}])
def test_where_nothing_may_be_kept_nothing_of_it_is(opened, fields):
    tacit = opened(**fields)
    agent = Agent(tacit)
    agent.asks("Make the checkout retry a payment three times")

    agent.answers("Done. I'll refactor the retry loop later.")

    assert tacit.list(subtypes=["rationalisation"]) == []

"""A history of sessions whose questions have a known outcome, on a real store."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from builders import a_pattern, a_usage, an_episode
from fakes import NOON
from tacit.model import UsageEvent
from tacit.record import Chosen, QueryRecord, SessionRecord

if TYPE_CHECKING:
    from tacit.learn.genome import Genome
    from tacit.learn.replay import Answer, Case
    from tacit.system import Tacit

ATTEMPTS = 11  # more than are looked at, so that what is ranked behind them is not found
HOUR = timedelta(hours=1)


def sessions_that_used_patterns(tacit: Tacit, sessions: int = 20, attempts: int = ATTEMPTS) -> None:
    """Keep sessions that each asked once and used a pattern that stands behind many episodes."""
    for number in range(sessions):
        at = NOON - timedelta(days=60) + number * timedelta(days=2)
        question = question_of(number)
        told = [
            an_episode(f"{question} for the attempt {place}", recorded_at=at)
            for place in range(attempts)
        ]
        used = a_pattern(f"Ask before {question.split()[1]} goes out", recorded_at=at)
        tacit.store.put([one.replace(scope=tacit.scope) for one in (*told, used)])
        asked(tacit, number, question, used.id, at + HOUR)


def question_of(number: int) -> str:
    """Give what a session asked, in words that no other has."""
    letters = "".join("bcdfghjklm"[int(digit)] for digit in f"{number:02}")
    return f"zop{letters} zit{letters} zal{letters}"


def asked(tacit: Tacit, number: int, text: str, used: str, at: object) -> None:
    """Keep one session with one question, and that the memory was used after it."""
    session, query = f"claude:s-{number:02}", f"q-{number:02}"
    tacit.store.put_session(SessionRecord(id=session, started=at, seen=at, cited=(used,)))
    record = QueryRecord(
        id=query,
        at=at,
        session=session,
        kind="recall",
        text=text,
        selected=(Chosen(memory=used, tokens=10),),
    )
    tacit.store.add_queries([record])
    tacit.store.add_usage([a_usage(used, UsageEvent.CITED, query_id=query, at=at + HOUR)])


def made_up_cases(sessions: int = 24) -> list[Case]:
    """Give cases that need no store."""
    from tacit.learn.replay import Case

    return [
        Case(id=f"c{n:02}", session=f"s{n:02}", at=NOON, text="?", wanted=("right",))
        for n in range(sessions)
    ]


def right_from(least: float) -> object:
    """Answer rightly from a weight of words on; the fewer words, the fewer tokens."""
    from tacit.learn.replay import Answer

    def answer(genome: Genome, _case: Case) -> Answer:
        text = genome.numbers[0]
        return Answer(ids=("right",) if text >= least else (), tokens=100, looked=100)

    return answer

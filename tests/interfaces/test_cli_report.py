"""What people read of their memory: status, report and why, on a terminal and in a pipe."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from builders import a_fact, a_pattern, an_episode
from tacit.clock import Clock
from tacit.interfaces.cli.commands import report
from tacit.interfaces.cli.console import Console
from tacit.model import Level, Usage, UsageEvent
from tacit.record import Chosen, QueryRecord, SessionRecord
from tacit.system import Tacit

if TYPE_CHECKING:
    from conftest import Cli

NOW = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
PIPED = """\
Since 2026-03-02
learnt       3 memories (episode 1, fact 1, pattern 1)
handed over  2 memories
used         1 memory, 50% of them
spent        340 tokens
spared       1,200 tokens
worth        +860 tokens

            learnt  handed    used
2026-03-02       ·       ·       ·
2026-03-03       1       ·       ·
2026-03-04       ·       ·       ·
2026-03-05       1       ·       ·
2026-03-06       ·       1       ·  ██████████
2026-03-07       ·       ·       ·
2026-03-08       1       2       1  ████████████████████
2026-03-09       ·       ·       ·

session     handed    used  tokens
claude:s-2       2       1     240  Fix the refund               2026-03-08 14:00Z
claude:s-1       1       ·     100  Why are tokens signed twice  2026-03-06 11:00Z

memory      handed    used  spared
[abcd2345]       2       1   1,200  Sign tokens with RS256
[wxyz6723]       1       ·       ·  Do not retry refunds
"""


class Still(Clock):
    """A clock that stands still."""

    def now(self) -> datetime:
        return NOW


def worked(tacit: Tacit) -> None:
    """Keep what a week of work leaves behind."""
    said = [
        a_fact("Sign tokens with RS256", short="abcd2345", recorded_at=NOW - 6 * DAY).replace(
            learn_tokens=1200
        ),
        a_pattern("Do not retry refunds", short="wxyz6723", recorded_at=NOW - 4 * DAY),
        an_episode("Moved to Postgres 16", short="pgpg2222", recorded_at=NOW - DAY),
        a_fact("Carts live in Redis", short="cart2222", recorded_at=NOW - 30 * DAY),
    ]
    tacit.store.put([one.replace(scope=tacit.scope) for one in said])
    rule, refund = said[0], said[1]
    for number, (at, goal, chosen, tokens, cited) in enumerate(
        (
            (NOW - 3 * DAY - timedelta(hours=1), "Why are tokens signed twice", [rule], 100, ()),
            (NOW - DAY + timedelta(hours=2), "Fix the refund", [rule, refund], 240, (rule.id,)),
        ),
        1,
    ):
        session = f"claude:s-{number}"
        record = SessionRecord(id=session, started=at, seen=at, goal=goal, cited=cited)
        tacit.store.put_session(record)
        picked = tuple(Chosen(memory=one.id, band="relevant", level="full") for one in chosen)
        query = QueryRecord(
            id=f"q-{number}", at=at, session=session, selected=picked, read_tokens=tokens
        )
        tacit.store.add_queries([query])
        used = [
            Usage(query_id=query.id, memory_id=id_, event=UsageEvent.CITED, at=at) for id_ in cited
        ]
        tacit.store.add_usage(used)


@pytest.fixture
def memory(tmp_path):
    with Tacit.open(str(tmp_path / "shop.db")) as tacit:
        tacit.clock = Still()
        worked(tacit)
        yield tacit


def printed(capsys: pytest.CaptureFixture[str], console: Console, memory: Tacit, **how) -> str:
    report._overview(memory.report(**how), 8, console)
    return capsys.readouterr().out


def test_a_report_tells_a_week_by_day_session_and_memory(capsys, memory):
    assert printed(capsys, Console(), memory) == PIPED


def test_on_a_terminal_a_report_keeps_to_its_width_and_tells_ages(capsys, memory):
    out = printed(capsys, Console(color=True, cells=80), memory)

    plain = re.sub(r"\x1b\[[\d;]*m", "", out)
    assert max(map(len, plain.splitlines())) <= 80
    assert "22 h ago" in plain
    assert "3 d ago" in plain
    assert "\x1b[36mclaude:s-2\x1b[0m" in out
    assert "\x1b" not in PIPED


def test_a_longer_report_leaves_out_the_days_on_which_nothing_happened(capsys, memory):
    out = printed(capsys, Console(), memory, since=NOW - 40 * DAY)

    assert re.findall(r"^2026-\d\d-\d\d", out, re.M) == [
        "2026-02-07",
        "2026-03-03",
        "2026-03-05",
        "2026-03-06",
        "2026-03-08",
    ]


def test_a_quiet_week_says_what_to_do_next(cli: Cli):
    cli("remember", "Sign tokens with RS256", "--quiet")
    short = cli.json("list")[0]["short"]
    cli("erase", short, "--yes")

    out = cli("report").out

    assert out.startswith("Nothing was learnt or handed over since ")
    assert "tacit init" in out


def test_where_no_agent_is_connected_a_report_says_how(cli: Cli):
    cli("remember", "Sign tokens with RS256", "--quiet")

    out = cli("report").out

    assert "learnt       1 memory (fact 1)" in out
    assert "handed over  nothing yet; to connect an agent: tacit init --host claude" in out
    assert "used" not in out.splitlines()[3]


def test_a_report_for_programs_has_every_figure(cli: Cli):
    cli("remember", "Sign tokens with RS256", "--quiet")

    found = cli.json("report", "--since", "30d", "--limit", "3")

    assert (found["learnt"], found["learnt_by_kind"]) == (1, {"fact": 1})
    assert (found["handed"], found["used"], found["spent_tokens"]) == (0, 0, 0)
    assert len(found["days"]) in (31, 32)
    assert (found["sessions"], found["memories"]) == ([], [])


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--since", "+1d"], "not in the past"),
        (["--since", "1990-01-01"], "ten years"),
        (["--limit", "0"], "not above 0"),
        (["weather"], "weather"),
    ],
)
def test_a_report_that_cannot_be_made_is_told_of(cli: Cli, argv: list[str], says: str):
    cli("remember", "Sign tokens with RS256", "--quiet")

    ran = cli("report", *argv)

    assert ran.status == 2
    assert says in ran.err


def test_an_empty_store_is_no_wall_of_zeros(cli: Cli):
    short = cli.keep("Sign tokens with RS256")
    cli("erase", short, "--yes")

    out = cli("status").out

    assert out.startswith("shop  0 memories\n\nNothing is remembered yet.\n  tacit init ")
    told = re.sub(r"\S*/\S*", "", out.split("\n", 1)[1])  # a folder may be called anything
    assert not re.search(r"\b0\b", told)


def test_why_keeps_to_the_width_of_a_terminal(memory, capsys):
    from tacit.interfaces.cli.commands.read import _reasons

    found = memory.why("abcd2345")
    console = Console(color=True, cells=80)

    lines = _reasons(console, memory, found, memory.handed("abcd2345"))

    plain = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in "\n".join(lines).split("\n")]
    assert max(map(len, plain)) <= 80
    assert plain[1].startswith("served: it holds since 2026-01-01 09:00Z")
    assert any(re.match(r"handed +22 h ago +recall +relevant full", line) for line in plain)
    assert memory.show("abcd2345", Level.FULL) in plain[0]

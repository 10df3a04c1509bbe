"""What helps, as a person sees it: reports, pictures, and their own word about memories."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from builders import a_fact
from tacit.interfaces.cli.commands.report import run_report
from tacit.interfaces.cli.console import Console
from tacit.interfaces.cli.options import when
from tacit.model import Usage, UsageEvent
from tacit.record import Chosen, Looked, QueryRecord, SessionRecord
from tacit.system import Tacit

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli

SUBJECTS = ("strategies", "profiles", "sessions", "memories")


def asked(cli: Cli, *sessions: str, outcome: str = "success") -> None:
    """Let scripts be briefed, and say how it went."""
    for session in sessions:
        cli("brief", "fix the error in the refunds of the ledger", "--session", session)
        assert cli("session", "close", session, "--outcome", outcome).status == 0


def worked(sessions: int = 40, *, profiles: tuple[str, ...] = ("default", "seed")) -> None:
    """Keep what many sessions leave behind; every fourth fails, and half of what is handed is used."""
    with Tacit.open(project=".") as tacit:
        used = a_fact("Refunds go through the ledger", learn_tokens=900)
        idle = a_fact("Carts expire after a day")
        tacit.store.put([one.replace(scope=tacit.scope) for one in (used, idle)])
        for number in range(sessions):
            at = tacit.clock.now() - timedelta(hours=sessions - number)
            query = QueryRecord(
                id=f"q-{number}",
                at=at,
                session=f"claude:{number}",
                kind="prompt",
                text="fix the error in the refunds",
                profile=profiles[number % len(profiles)],
                channels=(Looked(channel="text", results=4, ms=2.0),),
                selected=(
                    Chosen(memory=used.id, tokens=20, why="relevant", channel="text"),
                    Chosen(memory=idle.id, tokens=20, why="standing"),
                ),
                read_tokens=40,
            )
            tacit.store.add_queries([query])
            outcome = "failure" if number % 4 == 0 else "success"
            tacit.store.put_session(
                SessionRecord(
                    id=f"claude:{number}", started=at, seen=at, turns=1, goal="Fix the refunds",
                    outcome=outcome, cited=(used.id,),
                )
            )  # fmt: skip
            end = UsageEvent.HURT if outcome == "failure" else UsageEvent.HELPED
            events = [(used.id, UsageEvent.CITED), (used.id, end), (idle.id, UsageEvent.IGNORED)]
            tacit.store.add_usage(
                [
                    Usage(query_id=query.id, memory_id=id_, event=event, at=at)
                    for id_, event in events
                ]
            )


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_report_keeps_to_the_width_of_a_terminal(folder, subject, capsys):
    from argparse import Namespace

    worked()
    given = Namespace(
        subject=subject, since=when("90d"), limit=8, plot=None, store=None, project=None
    )

    run_report(given, Console(cells=80))

    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("40 briefings in 40 sessions since ")


def test_strategies_are_told_with_their_ranges_and_channels(cli: Cli, folder):
    worked(profiles=("default",))

    out = cli("report", "strategies").out

    assert "profile default" in out
    assert "debugging      40  ·······━●━··  75% 60–86  50% 39–61  75%         40   2.0" in out
    assert "text            40  ··········━●  100% 91–100" in out
    assert "standing        40  ●━··········  0% 0–9" in out


def test_a_profile_wins_only_where_the_ranges_do_not_overlap(cli: Cli, folder):
    worked(8)
    few = cli("report", "profiles").out
    worked(40)  # those that fail are all of one profile

    many = cli("report", "profiles").out

    assert "Too few sessions to tell which completes more: the ranges overlap." in few
    assert "seed completes more than the others." in many


def test_few_sessions_are_said_to_be_too_few(cli: Cli, folder):
    worked(3)

    assert "2 of 3 that told their end: too few to tell" in cli("report", "sessions").out
    assert " 2/3 " in cli("report", "strategies").out


def test_memories_are_told_with_what_they_are_worth(cli: Cli, folder):
    worked(8)

    found = cli.json("report", "memories")["memories"]

    first, second = found
    assert (first["cited"], first["helped"], first["hurt"]) == (8, 6, 2)
    assert first["used_share"]["share"] == 1.0
    assert (second["ignored"], second["near_misses"]) == (8, 8)
    assert first["value"] > 0.5 > second["value"]


def test_reports_for_programs_have_counts_and_ranges(cli: Cli, folder):
    worked()

    found = cli.json("report", "strategies")

    assert [one["task_type"] for one in found["strategies"]] == ["debugging", "debugging"]
    completed = found["whole"]["completed"]
    assert (completed["hits"], completed["chances"], completed["clear"]) == (30, 40, True)
    assert set(found) == {"since", "until", "whole", "strategies", "channels"}


def test_nothing_handed_over_is_told_with_what_to_do(cli: Cli, folder):
    cli.keep("Sign tokens with RS256")

    assert cli("report", "strategies").out.startswith("Nothing was handed over since ")


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_subject_is_drawn_into_a_file(cli: Cli, folder: Path, subject):
    worked(6)

    ran = cli("report", subject, "--plot", "seen.png")

    assert ran.status == 0, ran
    assert (folder / "seen.png").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_drawn_is_said_before_anything_else(cli: Cli, folder, monkeypatch):
    worked(2)

    assert "--plot draws a subject" in cli("report", "--plot", "a.png").err
    assert "let it end with one of .png" in cli("report", "profiles", "--plot", "a.txt").err
    assert "cannot write" in cli("report", "profiles", "--plot", "none/a.png").err
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'tacit[bench]'" in cli("report", "profiles", "--plot", "a.png").err


# What a person says


def test_a_person_says_what_helped(cli: Cli, folder):
    short = cli.keep("Refunds go through the ledger")

    ran = cli("helpful", short, short)

    assert ran.out == f"helpful [{short}] Refunds go through the ledger\n"
    assert "helped 1" in cli("why", short).out


def test_what_is_wrong_waits_for_review_and_is_taken_back_as_it_says(cli: Cli, folder):
    short = cli.keep("Refunds go through the ledger")

    ran = cli("wrong", short)

    assert f"tacit review --accept {short}" in ran.err
    assert cli.json("review")["waiting"] == 1
    cli("review", "--accept", short)
    assert cli.json("review")["waiting"] == 0


def test_what_is_wrong_is_put_away_at_once_when_told_so(cli: Cli, folder):
    short = cli.keep("Refunds go through the ledger")

    assert cli.json("wrong", short, "--forget")["memories"][0]["state"] == "forgotten"


def test_what_is_outdated_is_taken_back_as_it_says(cli: Cli, folder):
    short = cli.keep("Refunds go through the ledger")

    ran = cli("outdated", short)

    assert f"tacit edit {short} --set valid_to=" in ran.err
    assert "not served: it held until" in cli("why", short).out
    cli("edit", short, "--set", "valid_to=")
    assert "served: it holds since" in cli("why", short).out


def test_near_misses_are_told_with_what_they_cost_and_how_to_clear_them(cli: Cli, folder):
    worked(6)
    with Tacit.open(project=".") as tacit:
        idle = next(one.short for one in tacit.list() if one.text.startswith("Carts"))
        tacit.store.save(
            "profile/learning/0001", json.dumps({"name": "learning", "near_miss": 0.2})
        )

    off = cli("why", idle).out
    explained = cli("recall", "when do carts expire", "--profile", "learning", "--explain").out

    assert "passed over 6 times where others were used" in off
    assert "costs it nothing with this profile" in off
    assert "times 0.90: passed over where others were used" in explained


# The strategy log


def test_three_queries_closed_with_outcomes_are_in_the_strategy_log(cli: Cli, folder: Path):
    short = cli.keep("Refunds go through the ledger")
    asked(cli, "ci:1", "ci:2")
    asked(cli, "ci:3", outcome="failure")
    cli("helpful", short)

    assert cli("export", ".loki/memory", "--format", "loki").status == 0

    metrics = folder / ".loki" / "metrics"
    (log,) = (metrics / "memory-strategy").glob("*.jsonl")
    first, second, third = (json.loads(line) for line in log.read_text().splitlines())
    day = log.stem.replace("-", "")
    assert [one["query_id"] for one in (first, second, third)] == [
        f"q-{day}-{number:03}" for number in (1, 2, 3)
    ]
    assert first["selected_memories"] == ["fact-001"]
    assert {one["type"] for one in first["retrieval_strategies"]} >= {"keyword", "temporal"}
    assert set(first["retrieval_strategies"][0]) == {"type", "results", "latency_ms"}
    assert [(one["outcome"], one["task_completed"]) for one in (first, third)] == [
        ("success", True),
        ("failure", False),
    ]
    rates = json.loads((metrics / "memory-strategy" / "rates.json").read_text())
    keyword = next(one for one in rates["strategies"] if one["type"] == "keyword")
    assert (keyword["closed"], keyword["success_rate"]) == (3, pytest.approx(0.6667))
    assert keyword["too_few_to_tell"]
    (earned,) = (metrics / "rewards").glob("*.json")
    rewards = json.loads(earned.read_text())["tasks"]
    assert [one["outcome_reward"] for one in rewards] == [1, 1, -1]
    assert [one["preference_reward"] for one in rewards] == [None, None, 1.0]
    (spent,) = (metrics / "efficiency").glob("*.json")
    tasks = json.loads(spent.read_text())["tasks"]
    assert set(tasks[0]["metrics"]) >= {"wall_clock_seconds", "agents_used", "retry_count"}
    dashboard = json.loads((metrics / "dashboard.json").read_text())
    assert (dashboard["window_days"], dashboard["tasks"], dashboard["queries"]) == (7, 3, 3)
    assert "2/3" in cli("report", "strategies").out


def test_the_dashboard_forgets_after_seven_days(cli: Cli, folder: Path):
    worked(24 * 9)

    cli("export", ".loki/memory", "--format", "loki")

    dashboard = json.loads((folder / ".loki" / "metrics" / "dashboard.json").read_text())
    assert dashboard["queries"] in (24 * 7 - 1, 24 * 7)  # the first is just a week old
    assert len(list((folder / ".loki" / "metrics" / "memory-strategy").glob("*.jsonl"))) >= 9


def test_a_memory_that_nobody_asked_has_no_metrics(cli: Cli, folder: Path):
    cli.keep("Refunds go through the ledger")

    cli("export", ".loki/memory", "--format", "loki")

    assert not (folder / ".loki" / "metrics").exists()

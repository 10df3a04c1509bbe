"""Calls that fail again: what counts as a repeat, a warning, and a false one."""

from __future__ import annotations

from session_sets import an_agent_episode
from tacit.bench.heeding import Call, calls_of, heed, repeats, warns

LINT = Call(tool="Bash", target="make lint")
BROKEN = LINT.replace(failed=True, signature="tabs", output="Error: tabs")
OTHER = LINT.replace(failed=True, signature="spaces", output="Error: spaces")
WARNING = "[R:bababbab] `make lint` failed: tabs"
ELSEWHERE = {LINT.key: [("s0", "tabs")]}


def heeded(calls, failures, *, told="", ahead="", after=""):
    return heed(
        calls, failures, "s1", told=told, ahead=lambda _call: ahead, after=lambda _call: after
    )


def test_the_calls_of_an_episode_know_how_they_failed():
    error = {"step": 1, "tool": "Bash", "target": "make test", "text": "Error: no such target"}
    passed, failed = calls_of(an_agent_episode(errors=[error]))

    assert (passed.failed, passed.signature) == (False, "")
    assert failed.failed
    assert "no such target" in failed.signature


def test_a_line_warns_that_names_the_call_and_says_it_failed():
    assert warns(f"x\n{WARNING}", LINT.replace(target="cd app && make lint 2>&1 | tail -3"))
    assert not warns("`make lint` is how to lint here\n`make test` failed: tabs", LINT)


def test_who_heeds_a_warning_does_not_repeat_what_failed_elsewhere():
    without = heeded([BROKEN], ELSEWHERE)

    assert (without["again"], without["avoided"], without["best"]) == (1, 0, 1)
    assert heeded([BROKEN], ELSEWHERE, told=WARNING)["avoided"] == 1
    assert heeded([BROKEN], ELSEWHERE, ahead=WARNING)["avoided"] == 1


def test_what_is_handed_over_at_a_failure_counts_for_the_next_call_only():
    once = heeded([BROKEN], {}, after=WARNING)
    twice = heeded([BROKEN, BROKEN], {}, after=WARNING)

    assert (once["again_own"], once["avoided"]) == (0, 0)
    assert (twice["again_own"], twice["avoided"]) == (1, 1)


def test_a_warning_of_a_call_that_passed_is_false():
    counts = heeded([LINT], ELSEWHERE, told=WARNING)

    assert (counts["warned"], counts["false"], counts["best_false"]) == (1, 1, 1)


def test_another_error_of_the_same_call_is_no_repeat():
    counts = heeded([OTHER], ELSEWHERE, told=WARNING)

    assert (counts["failed"], counts["again"], counts["avoided"], counts["false"]) == (1, 0, 0, 0)


def test_nobody_is_asked_about_a_call_that_never_failed():
    asked = []

    def ahead(call):
        asked.append(call)
        return ""

    heed([LINT], {}, "s1", told="", ahead=ahead, after=lambda _call: "")

    assert asked == []


def test_repeats_are_counted_with_and_without_memory():
    rows = [heeded([BROKEN, LINT], ELSEWHERE, told=told) for told in (WARNING, "")]

    table = repeats(rows)

    assert table["calls that failed again"]["without"] == 2
    assert table["calls that failed again"]["with"] == 1
    assert table["calls that failed again"]["change an episode"] == -0.5
    assert table["warnings"] == {"calls warned of": 2, "false": 1}
    assert table["at best"] == {"avoided": 2, "false": 2}

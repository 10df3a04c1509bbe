"""Commands run in the same order again and again become a skill, if that went well."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions import a_prompt, a_session, committed, edited, ran
from tacit.body import Action, Episode
from tacit.encode.episodes import session_drafts
from tacit.encode.routines import MOST_STEPS, Run, find_routines, routine_drafts, run_of
from tacit.model import Kind, Relation, Trust

RELEASE = ("npm test", "npm run build", "npm run deploy")


def runs(number, steps=RELEASE, ok=True, name="s"):
    return [Run(source_ref=f"{name}{n}#1", steps=steps, ok=ok) for n in range(number)]


def test_three_runs_that_went_well_give_a_skill():
    [draft] = routine_drafts(runs(3))

    assert (draft.kind, draft.subtype) == (Kind.SKILL, "routine")
    assert draft.text == "deploy: `npm test` → `npm run build` → `npm run deploy`"
    assert [step.command for step in draft.body.steps] == list(RELEASE)
    assert (draft.body.runs, draft.body.ok) == (3, 3)
    assert draft.body.trigger == "when it is time to deploy"
    assert draft.trust is Trust.TOOL
    assert draft.source_ref == "routine:npm test>npm run build>npm run deploy"
    assert draft.renews
    assert [(link.relation, link.source_ref) for link in draft.links] == [
        (Relation.DERIVED_FROM, f"s{n}#1") for n in range(3)
    ]
    assert [mention.facet.name for mention in draft.mentions] == list(RELEASE)


@pytest.mark.parametrize(
    "seen",
    [
        runs(2),
        runs(3, ok=False),
        [*runs(2, ok=False), *runs(2, name="t")],
        runs(5, ("npm test", "npm run build")),
        runs(5, ("npm test", "npm run build", "npm test")),
        [],
    ],
)
def test_too_few_runs_failures_and_short_ones_give_none(seen):
    assert routine_drafts(seen) == []


def test_a_few_failures_are_told_and_do_not_matter():
    [draft] = routine_drafts([*runs(4), *runs(1, ok=False, name="t")])

    assert (draft.body.runs, draft.body.ok) == (5, 4)


def test_other_steps_before_and_after_do_not_hide_a_routine():
    seen = [
        Run(source_ref="a", steps=("npm ci", *RELEASE), ok=True),
        Run(source_ref="b", steps=(*RELEASE, "git push"), ok=True),
        Run(source_ref="c", steps=("npm run lint", *RELEASE, "npm start"), ok=True),
    ]

    assert [routine.steps for routine in find_routines(seen)] == [RELEASE]


def test_another_order_is_another_routine():
    assert find_routines([*runs(2), *runs(2, RELEASE[::-1])]) == []


def test_parts_of_a_routine_are_not_told_again():
    longer = ("npm ci", *RELEASE)

    assert [routine.steps for routine in find_routines(runs(3, longer))] == [longer]


def test_more_runs_are_believed_more():
    few, many = routine_drafts(runs(3))[0], routine_drafts(runs(30))[0]

    assert few.confidence < many.confidence <= 0.9
    assert len(many.links) == 20


def test_a_run_is_the_steps_that_went_well_repeats_in_a_row_once():
    episode = Episode(
        outcome="success",
        actions=(
            Action(action="shell", target="cd web && npm test | tail"),
            Action(action="shell", target="npm test"),
            Action(action="shell", target="npm run e2e", error="failed"),
            Action(action="edit", target="npm run lint"),
            Action(action="shell", target="ls; npm run build && npm run deploy"),
            Action(action="shell", target="git add -A"),
        ),
    )

    assert run_of("s#1", episode) == Run(source_ref="s#1", steps=RELEASE, ok=True)
    assert not run_of("s#1", episode.replace(outcome="unknown")).ok


def test_sessions_that_release_three_times_teach_how():
    events = [
        part
        for n in range(3)
        for part in (
            a_prompt(f"Release number {n} of the shop"), edited(),
            ran("npm test"), ran("npm run build && npm run deploy"), committed(f"Release {n}", f"abc123{n}"),
        )
    ]  # fmt: skip
    episodes = [d for d in session_drafts(a_session(*events)) if d.kind is Kind.EPISODE]

    [draft] = routine_drafts([run_of(d.source_ref, d.body) for d in episodes])

    assert draft.text == "commit: `npm test` → `npm run build` → `npm run deploy` → `git commit`"
    assert (draft.body.runs, draft.body.ok) == (3, 3)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.lists(st.sampled_from("abcdef"), max_size=9), st.booleans()), max_size=8)
)
def test_every_routine_stands_in_enough_runs_and_does_not_depend_on_their_order(drawn):
    seen = [
        Run(source_ref=f"s{place}", steps=tuple(steps), ok=ok)
        for place, (steps, ok) in enumerate(drawn)
    ]

    found = find_routines(seen)

    assert {r.steps: (r.runs, r.ok) for r in found} == {
        r.steps: (r.runs, r.ok) for r in find_routines(seen[::-1])
    }
    for routine in found:
        assert 3 <= len(routine.steps) <= MOST_STEPS
        assert len(routine.runs) >= 3
        for run in seen:
            held = "".join(routine.steps) in "".join(run.steps)
            assert held == (run.source_ref in routine.runs)

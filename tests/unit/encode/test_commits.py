"""Commits become episodes, facts and warnings; what says nothing is only counted."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.draft import LinkTo
from tacit.encode.cochange import present_paths
from tacit.encode.commit_text import is_trivial, prose, useful_body
from tacit.encode.commits import MOST_FILES, commit_drafts, ended_sources
from tacit.model import FacetType, Kind, Polarity, Relation, Role
from tacit.observation import Change, Commit

START = datetime(2025, 1, 1, tzinfo=UTC)


def a_commit(number: int, subject: str = "Cache the parsed schema", /, **fields) -> Commit:
    """Give the commit of an hour; its id is its number, a digit, again and again."""
    defaults = {
        "sha": str(number) * 40,
        "at": START + timedelta(hours=number),
        "author": "Mia",
        "changes": (Change(path="src/schema.py"),),
    }
    return Commit(subject=subject, **(defaults | fields))


def drafts_of(*commits: Commit, counts: Counter[str] | None = None):
    return commit_drafts(commits, Counter() if counts is None else counts)


def memories(*commits):
    return [draft for draft in drafts_of(*commits) if not draft.evidence]


def names(draft, type_, role=None):
    return [
        m.facet.name for m in draft.mentions if m.facet.type is type_ and role in (None, m.role)
    ]


def test_a_commit_becomes_an_episode_that_can_be_found_by_what_it_touched():
    commit = a_commit(
        1,
        "fix(auth): refuse expired tokens (#41)",
        body="Clocks drift, because phones sleep.\n\nSigned-off-by: Mia\nCo-authored-by: Tom",
    )

    (draft,) = drafts_of(commit)

    assert draft.kind is Kind.EPISODE
    assert draft.text == ("fix(auth): refuse expired tokens\n\nClocks drift, because phones sleep.")
    assert (draft.subtype, draft.author, draft.valid_from) == ("commit", "Mia", commit.at)
    assert draft.source_ref == f"git:{commit.sha}"
    assert (draft.body.goal, draft.body.outcome) == ("fix(auth): refuse expired tokens", "success")
    assert draft.body.commit == commit.sha
    assert draft.body.artifacts == (f"commit:{commit.sha[:8]}", "pr:41")
    assert names(draft, FacetType.FILE, Role.WRITES) == ["src/schema.py"]
    assert names(draft, FacetType.COMMIT) == [commit.sha[:8]]
    assert names(draft, FacetType.PR) == ["41"]


@pytest.mark.parametrize(
    "subject",
    [
        "wip",
        "WIP: try things",
        "fix typo in the docs",
        "Update README.md",
        "chore: format",
        "run black",
        "lint",
        "Merge branch 'main' into side",
        "minor fixes",
        "address review comments",
        ".",
        "fix tests (#12)",
        "[pre-commit.ci] pre-commit autoupdate",
        "initial commit",
    ],
)
def test_what_says_nothing_is_counted_and_not_kept(subject):
    counts = Counter()

    assert drafts_of(a_commit(1, subject), counts=counts) == []
    assert counts == {"trivial commit": 1}


@pytest.mark.parametrize(
    "subject", ["Cache the parsed schema", "Remove uglify", "Fix the race in the writer", "增加缓存以加快解析速度并减少内存占用，同时保持接口不变"]
)  # fmt: skip
def test_what_says_something_is_kept(subject):
    assert not is_trivial(subject)


def test_a_dull_subject_with_a_reason_below_is_kept():
    (draft,) = drafts_of(
        a_commit(1, "fix", body="The lock was taken twice when a worker was restarted.")
    )

    assert "taken twice" in draft.text


def test_a_bots_bump_is_a_fact_and_no_episode_and_its_other_work_is_neither():
    counts = Counter()

    drafts = drafts_of(
        a_commit(1, "Bump httpx from 1.0 to 1.1", author="dependabot[bot]", body="Bumps [httpx]."),
        a_commit(2, "Synchronise the labels of all issues", author="github-actions[bot]"),
        counts=counts,
    )

    assert [(draft.kind, draft.key, draft.value) for draft in drafts] == [
        (Kind.FACT, "dependency httpx", "1.1")
    ]
    assert counts == {"version commit": 1, "bot commit": 1}


def test_a_persons_upgrade_with_a_reason_is_both():
    drafts = drafts_of(
        a_commit(1, "Upgrade httpx to 1.1", body="Because 1.0 leaks sockets under load.")
    )

    assert [draft.kind for draft in drafts] == [Kind.FACT, Kind.EPISODE]


def test_files_are_named_as_they_are_called_today_and_the_old_name_once():
    one, moved, two, again = (
        a_commit(1, "Add the parser", changes=(Change(path="a.py", status="A"),)),
        a_commit(
            2, "Move the parser away", changes=(Change(path="b.py", old_path="a.py", status="R"),)
        ),
        a_commit(3, "Another file of that name", changes=(Change(path="a.py", status="A"),)),
        a_commit(
            4, "Move the parser again", changes=(Change(path="c.py", old_path="b.py", status="R"),)
        ),
    )

    drafts = drafts_of(one, moved, two, again)

    written = [names(draft, FacetType.FILE, Role.WRITES) for draft in drafts]
    assert written == [["c.py"], ["c.py"], ["a.py"], ["c.py"]]
    about = [names(draft, FacetType.FILE, Role.ABOUT) for draft in drafts]
    assert about == [[], ["a.py"], [], ["b.py"]]


def test_a_commit_of_very_many_files_is_about_none_of_them():
    changes = tuple(Change(path=f"{number}.py") for number in range(MOST_FILES + 1))

    (draft,) = drafts_of(a_commit(1, changes=changes))

    assert names(draft, FacetType.FILE) == []


@pytest.mark.parametrize("named", ["id", "subject"])
def test_a_revert_with_its_cause_becomes_a_warning(named):
    tried = a_commit(1, "Cache the schema between requests (#5)")
    body = "It kept stale schemas in memory after a deploy."
    if named == "id":
        body = f"This reverts commit {tried.sha}.\n\n{body}"
    back = a_commit(2, f'Revert "{tried.subject}"', body=body, at=tried.at + timedelta(days=1))

    first, second, warning = drafts_of(tried, back)

    assert first.body.outcome == "failure"
    assert second.links == (LinkTo(relation=Relation.CONTRADICTS, source_ref=f"git:{tried.sha}"),)
    assert (warning.kind, warning.polarity) == (Kind.PATTERN, Polarity.AVOID)
    assert (warning.subtype, warning.evidence) == ("pitfall", False)
    assert warning.text == (
        '"Cache the schema between requests" was reverted on 2025-01-02: '
        "It kept stale schemas in memory after a deploy."
    )
    assert names(warning, FacetType.FILE, Role.ABOUT) == ["src/schema.py"]
    assert {(link.relation, link.source_ref) for link in warning.links} == {
        (Relation.DERIVED_FROM, f"git:{tried.sha}"),
        (Relation.DERIVED_FROM, f"git:{back.sha}"),
    }
    assert warning.source_ref == f"git:{back.sha}#revert"
    assert warning.renews


TRIED = a_commit(1, "Cache the schema between requests", body="It was parsed for each request.")
BACK = a_commit(
    2,
    f'Revert "{TRIED.subject}"',
    body=f"This reverts commit {TRIED.sha}.\n\nIt kept stale schemas in memory after a deploy.",
)
REST = {
    "the revert was reverted": a_commit(
        3, f'Revert "{BACK.subject}"', body=f"This reverts commit {BACK.sha}."
    ),
    "landed again": a_commit(3, "Reland: cache the schema between requests (#9)"),
    "landed again as it was": a_commit(3, "feat: cache the schema between requests"),
    "its file is gone": a_commit(
        3, "Drop schemas for good", changes=(Change(path="src/schema.py", status="D"),)
    ),
    "long ago": a_commit(3, "Read new columns", at=START + timedelta(days=3000)),
}


@pytest.mark.parametrize("later", REST.values(), ids=REST)
def test_a_revert_that_no_longer_stands_is_no_warning(later):
    assert len(memories(TRIED, BACK)) == 1
    assert memories(TRIED, BACK, later) == []


@pytest.mark.parametrize(
    "body",
    ["", f"This reverts commit {TRIED.sha}.", "No longer needed.", f"See #12.\n\n{TRIED.body}"],
)
def test_a_revert_without_a_cause_is_no_warning(body):
    assert memories(TRIED, BACK.replace(body=body)) == []


def test_a_revert_whose_lines_are_there_again_is_no_warning():
    asked = []

    def standing(share):
        def answer(shas, paths):
            asked.append((list(shas), set(paths)))
            return dict.fromkeys(shas, share)

        return commit_drafts([TRIED, BACK], Counter(), tracked=["src/schema.py"], standing=answer)

    assert [d.subtype for d in standing(0.9) if not d.evidence] == ["pitfall"]
    assert [d for d in standing(0.3) if not d.evidence] == []
    assert asked[0] == ([BACK.sha], {"src/schema.py"})


def test_one_of_many_squashed_commits_that_was_a_revert_is_no_revert():
    body = "* Read the columns anew\n\n" + "* more\n" * 20 + f"This reverts commit {'c' * 40}."

    assert memories(a_commit(1, "Read columns", body=body)) == []


def test_what_later_commits_revert_has_ended():
    assert ended_sources([BACK]) == (f"git:{TRIED.sha}",)
    assert ended_sources([TRIED, BACK, REST["the revert was reverted"]]) == (f"git:{BACK.sha}",)


POLICY = (
    "Customers were charged twice because the job ran again after a restart. Jobs now carry a key, "
    "are tried at most 3 times, oldest first, and on a tie the smaller id goes first.\n\n"
    "Never retry a job without a key: the bank cannot tell it from a new one."
)


def test_a_commit_that_argues_is_a_decision_in_its_whole_words():
    argued = a_commit(1, "Give jobs a key (#4)", body=f"{POLICY}\n\nSigned-off-by: Mia")

    evidence, decision = drafts_of(argued)

    assert (decision.kind, decision.subtype) == (Kind.FACT, "decision")
    assert decision.text == f"Give jobs a key\n\n{POLICY}"
    assert decision.source_ref == f"git:{argued.sha}#decision"
    assert names(decision, FacetType.FILE, Role.ABOUT) == ["src/schema.py"]
    assert (evidence.evidence, evidence.text) == (True, "Give jobs a key")


def test_an_error_with_its_cause_and_fix_is_a_pitfall():
    body = (
        "Workers crashed with KeyError after a deploy. The regression from #5 is that a cached "
        "schema is kept for all tenants, so that one sees the columns of another."
    )
    fixed = a_commit(2, "Fix the cache of schemas", body=body, at=START + timedelta(days=2))

    (pitfall,) = memories(fixed)

    assert (pitfall.kind, pitfall.subtype, pitfall.polarity) == (
        Kind.PATTERN,
        "pitfall",
        Polarity.AVOID,
    )
    assert pitfall.body.avoid == "Workers crashed with KeyError after a deploy."
    assert pitfall.body.do == "Fix the cache of schemas"


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Add a cache", "This adds a cache of schemas and a flag for it.\n\nIt also adds a test."),
        (
            "Add a cache",
            "* add a cache\n\n* fix tests, so that they pass\n\n* add a flag\n\n* docs",
        ),
        ("Add a cache", "Thanks to everybody for the review of this PR, because it was long!"),
        ("Bump httpx from 1.0 to 1.1", "Bumps httpx."),
    ],
)
def test_what_gives_no_reason_stays_evidence(subject, body):
    assert memories(a_commit(1, subject, body=body)) == []


def test_a_decision_holds_only_while_its_code_does():
    old = a_commit(1, "Give jobs a key", body=POLICY)
    newest = a_commit(2, "Read columns", at=START + timedelta(days=1500))
    moved = a_commit(3, "Drop jobs", changes=(Change(path="src/schema.py", status="D"),))

    def kept(share, *commits):
        drafts = commit_drafts(
            commits, Counter(), standing=lambda shas, paths: dict.fromkeys(shas, share)
        )
        return [draft.subtype for draft in drafts if not draft.evidence]

    assert kept(0.1, old) == ["decision"]  # what is recent is believed
    assert kept(0.9, old, newest) == ["decision"]
    assert kept(0.1, old, newest) == []
    assert kept(0.9, old, moved) == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("A cache\nof schemas is kept.\n\n    code(1)\n\nIt is small.", ["A cache of schemas is kept."]),
        ("It was slow when run like this:\n\n    run(1)\n\nNow it is fast again.", ["Now it is fast again."]),
        ("Serve it twice:\n- wip\n1. start the first server", ["1. start the first server"]),
        ("Fixes #12\nhttps://example.org/x\n\nReviewed-by: Tom", []),
        ("```\nkeep this out of it\n```\nThe lock is taken once.", ["The lock is taken once."]),
    ],
)  # fmt: skip
def test_prose_is_what_a_body_says_in_words(body, said):
    assert prose(body) == said


def test_a_body_loses_what_programs_put_there():
    body = (
        "Because it was slow.\n\n* wip\n* split the reader from the writer\n"
        "🤖 Generated with [something]\nReviewed-by: Tom\n---\n"
        "updated-dependencies:\n- dependency-name: httpx\n"
    )

    assert useful_body(body) == "Because it was slow.\n\n* split the reader from the writer"


WORDS = st.sampled_from(
    [
        "Revert \"Cache the schema\"", "Cache the schema", "This reverts commit 0000000.", "wip", "",
        "Fixes: 0000001", "Bump x from 1.0 to 2.0", "regression in 0000002", "fixup! Cache the schema",
    ]
)  # fmt: skip
PATHS = st.sampled_from(["a", "b", "c", "d/e", " "])
CHANGES = st.builds(Change, path=PATHS, old_path=PATHS, status=st.sampled_from("AMDR"))
COMMITS = st.lists(
    st.builds(
        Commit,
        sha=st.integers(0, 9).map(lambda number: f"{number:07x}".ljust(40, "0")),
        at=st.integers(0, 3).map(lambda day: START + timedelta(days=day)),
        author=st.sampled_from(["Mia", "dependabot[bot]", ""]),
        subject=st.one_of(WORDS, st.text(max_size=20)),
        body=st.one_of(WORDS, st.text(max_size=40)),
        changes=st.lists(CHANGES, max_size=4).map(tuple),
    ),
    max_size=8,
)


@given(COMMITS)
@settings(max_examples=100, deadline=None)
def test_any_history_gives_the_same_drafts_each_time_and_each_commit_in_its_place(commits):
    drafts = commit_drafts(commits, Counter())

    assert drafts == commit_drafts(commits, Counter())
    assert [len(paths) <= len(commit.changes) for paths, commit in zip(present_paths(commits), commits, strict=True)] == [True] * len(commits)  # fmt: skip
    order = [commit.sha for commit in commits]
    places = [order.index(d.body.commit) for d in drafts if d.kind is Kind.EPISODE]
    if len(set(order)) == len(order):
        assert places == sorted(places)


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_body_is_read_without_failing_and_nothing_is_invented(body):
    kept = useful_body(body)

    assert set(kept.replace(" …", "").split()) <= set(body.split())

"""Commits become episodes, facts and warnings; what says nothing is only counted."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.draft import LinkTo
from tacit.encode.cochange import present_paths
from tacit.encode.commit_text import is_trivial, useful_body
from tacit.encode.commits import MOST_FILES, commit_drafts, recent_work
from tacit.model import FacetType, Kind, Polarity, Relation, Role
from tacit.observation import Change, Commit, Topic

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
def test_what_was_taken_back_becomes_a_warning(named):
    tried = a_commit(1, "Cache the schema between requests (#5)")
    body = "It kept stale schemas after a deploy."
    if named == "id":
        body = f"This reverts commit {tried.sha}.\n\n{body}"
    back = a_commit(2, f'Revert "{tried.subject}"', body=body, at=tried.at + timedelta(days=1))

    first, second, warning = drafts_of(tried, back)

    assert first.body.outcome == "failure"
    assert second.links == (LinkTo(relation=Relation.CONTRADICTS, source_ref=f"git:{tried.sha}"),)
    assert (warning.kind, warning.polarity) == (Kind.PATTERN, Polarity.AVOID)
    assert warning.subtype == "gotcha"
    assert 'Tried "Cache the schema between requests" and took it back.' in warning.text
    assert "stale schemas" in warning.body.why
    assert "src/schema.py" in warning.text
    assert {(link.relation, link.source_ref) for link in warning.links} == {
        (Relation.DERIVED_FROM, f"git:{tried.sha}"),
        (Relation.DERIVED_FROM, f"git:{back.sha}"),
    }
    assert warning.source_ref == f"git:{back.sha}#revert"
    assert warning.renews


def test_a_revert_of_what_was_read_long_ago_still_names_it():
    old = "c" * 40
    back = a_commit(
        1, 'Revert "Cache the schema between requests"', body=f"This reverts commit {old}."
    )

    _, warning = drafts_of(back)

    assert f"git:{old}" in {link.source_ref for link in warning.links}


def test_what_was_brought_back_is_no_longer_warned_of():
    tried = a_commit(1, "Cache the schema between requests")
    back = a_commit(
        2,
        f'Revert "{tried.subject}"',
        body=f"This reverts commit {tried.sha}.",
        at=START,
    )
    again = a_commit(
        3,
        f'Revert "{back.subject}"',
        body=f"This reverts commit {back.sha}.\n\nThe stale schemas came from elsewhere.",
        at=START,
    )

    whole = drafts_of(tried, back, again)
    later = drafts_of(again)

    (pattern,) = [draft for draft in whole if draft.kind is Kind.PATTERN]
    (renewed,) = [draft for draft in later if draft.kind is Kind.PATTERN]
    assert pattern.polarity is renewed.polarity is Polarity.NEUTRAL
    assert pattern.source_ref == renewed.source_ref == f"git:{back.sha}#revert"
    assert whole[0].body.outcome == "success"


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Keep the cache per tenant", "Fixes: 1111111 (Cache the schema)"),
        ("Fix regression from #5", ""),
        ("Keep the cache per tenant", "The leak was introduced in 1111111."),
        ("fixup! Cache the schema between requests", "Tenants saw each other's schemas."),
    ],
)
def test_what_had_to_be_mended_becomes_a_warning(subject, body):
    tried = a_commit(1, "Cache the schema between requests (#5)", at=START)
    mended = a_commit(2, subject, body=body, at=START + timedelta(days=2))

    *_, warning = drafts_of(tried, mended)

    assert (warning.subtype, warning.polarity) == ("error-fix", Polarity.AVOID)
    assert f"git:{tried.sha}" in {link.source_ref for link in warning.links}
    episode = next(draft for draft in drafts_of(tried, mended) if mended.sha in draft.source_ref)
    assert episode.links[0].relation is Relation.RELATED_TO


def test_a_fault_that_is_long_ago_or_elsewhere_is_not_believed():
    tried = a_commit(1, at=START)
    said = {"body": "The leak was introduced in 1111111."}
    late = a_commit(2, "Keep it per tenant", at=START + timedelta(days=90), **said)
    elsewhere = a_commit(3, "Keep it per user", at=START, changes=(Change(path="x.py"),), **said)

    assert all(draft.kind is Kind.EPISODE for draft in drafts_of(tried, late, elsewhere))


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


def test_the_last_weeks_are_told_by_what_several_commits_share_with_their_dates():
    day = timedelta(days=1)
    commits = [
        a_commit(1, "Rewrite the installer", at=START - 200 * day),
        a_commit(2, "pager: wait for the program to end (#7)", at=START),
        a_commit(3, "Open the pager without a shell", at=START + day),
        a_commit(4, "fix: keep the order of options", at=START + 2 * day),
        a_commit(5, "Bump rich from 13.0 to 14.0", at=START + 3 * day, author="dependabot[bot]"),
        a_commit(6, "Fix docs", at=START + 3 * day, changes=(Change(path="docs/a.md"),)),
        a_commit(7, "Draw colours on old terminals", at=START + 4 * day),
    ]

    fact = recent_work(commits, START + 9 * day)

    assert fact.text == (
        "Worked on from 2025-01-01 to 2025-01-05: pager (2 commits: Open the pager without a "
        "shell, pager: wait for the program to end); Draw colours on old terminals; keep the "
        "order of options"
    )
    assert fact.value.startswith("2025-01-01 to 2025-01-05: pager (2 commits); Draw colours")
    assert (fact.topic, fact.source, fact.at) == (Topic.NOW, f"git:{'7' * 12}", commits[-1].at)


@pytest.mark.parametrize("subjects", [(), ("wip", "Bump rich from 13.0 to 14.0")])
def test_a_history_that_tells_nothing_has_no_recent_work(subjects):
    assert recent_work([a_commit(1, subject) for subject in subjects], START) is None


def test_a_project_left_long_ago_was_last_worked_on_then():
    commits = [a_commit(n, f"Read {word} files") for n, word in enumerate(("ini", "toml"))]

    assert recent_work(commits, START + timedelta(days=900)).text.startswith("Last worked on")

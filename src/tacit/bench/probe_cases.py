"""Cases of the four probes, drawn by rule and a seed from public sets."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from tacit.bench.case import Remember, read_lines
from tacit.bench.sets import agent_sessions, git_history, locomo, swe_issues, version_facts
from tacit.draft import Draft
from tacit.encode.commits import commit_drafts
from tacit.model import Kind
from tacit.observation import Commit
from tacit.text import content_words, index_terms, query_terms
from tacit.value import Value

SEED = 11
CASES = 80  # of each source at most; all where there are fewer
COMMITS = 900  # of each repository that are known; those after them are asked about
ASKED = 0.75  # share of a history after which cases are drawn
ENOUGH = 3  # records that hold a word, here and elsewhere, for it to have several senses

Place = Callable[[str], str]


class Case(Value):
    """One question, what answers it, and what is known of its context."""

    id: str
    query: str
    wanted: frozenset[str]
    files: tuple[str, ...] = ()
    around: bool = False  # asks what happened around the best hit
    passed_over: frozenset[str] = frozenset()


class World(Value):
    """One store's worth of drafts with their names, the same as plain texts, and the cases."""

    source: str
    drafts: tuple[Draft, ...]
    names: tuple[str, ...]
    texts: dict[str, str]
    cases: tuple[Case, ...]


def corrected(place: Place) -> Iterator[World]:
    """Ask for a value that was corrected since: version facts, all of one repository at once."""
    every: list[tuple[str, Case]] = []
    folder = place(version_facts.FOLDER)
    for question in read_lines(folder, "questions.jsonl"):
        if question["kind"] == "current":
            wanted = frozenset({question["evidence"]})
            case = Case(id=question["id"], query=question["question"], wanted=wanted)
            every.append((question["repo"], case))
    drawn = _drawn(every, CASES)
    facts = sorted(read_lines(folder, "facts.jsonl"), key=lambda fact: str(fact["repo"]))
    for repo, group in groupby(facts, key=lambda fact: str(fact["repo"])):
        stated = list(group)
        yield World(
            source="version-facts",
            drafts=tuple(version_facts.draft_of(fact) for fact in stated),
            names=tuple(fact["id"] for fact in stated),
            texts={fact["id"]: fact["statement"] for fact in stated},
            cases=tuple(case for name, case in drawn if name == repo),
        )


def around(place: Place) -> Iterator[World]:
    """Ask when something happened, and what happened just before and after something."""
    yield from _conversations(place, lambda question, _: frozenset(question["evidence"]), 2)
    episodes = list(read_lines(place(agent_sessions.FOLDER), "episodes.jsonl"))
    drafts: list[Draft] = []
    names: list[str] = []
    for episode in episodes:
        made = agent_sessions.drafts_of(episode)
        drafts += made
        names += [episode["id"]] * len(made)
    told = set(names)
    every: list[tuple[str, Case]] = []
    for before, episode, after in zip(episodes, episodes[1:], episodes[2:], strict=False):
        beside = frozenset({before["id"], after["id"]} & told)
        asked = episode["prompts"][0] if episode["prompts"] else ""
        if beside and asked.strip() and episode["id"] in told:
            case = Case(
                id=episode["id"],
                query=asked,
                wanted=beside,
                around=True,
                passed_over=frozenset({episode["id"]}),
            )
            every.append(("", case))
    texts = {
        episode["id"]: "\n".join([*episode["prompts"], episode["final_message"] or ""])
        for episode in episodes
        if episode["id"] in told
    }
    cases = tuple(case for _, case in _drawn(every, CASES))
    yield World(
        source="agent-sessions",
        drafts=tuple(drafts),
        names=tuple(names),
        texts=texts,
        cases=cases,
    )


def apart(place: Place) -> Iterator[World]:
    """Ask multi-hop questions for the evidence that shares no word with them, names included."""

    def unlike(question: dict[str, Any], texts: dict[str, str]) -> frozenset[str]:
        asked = set(query_terms(str(question["question"])))
        evidence = [str(turn) for turn in question["evidence"]]
        return frozenset(e for e in evidence if not asked & set(index_terms(texts.get(e, ""))))

    yield from _conversations(place, unlike, 1)


def _conversations(
    place: Place,
    wanted: Callable[[dict[str, Any], dict[str, str]], frozenset[str]],
    category: int,
) -> Iterator[World]:
    folder = place(locomo.FOLDER)
    questions = [q for q in read_lines(folder, "questions.jsonl") if q["category_id"] == category]
    worlds: list[tuple[str, World]] = []
    every: list[tuple[str, Case]] = []
    for collection in locomo.collections(folder):
        told = next(step for step in collection.steps if isinstance(step, Remember))
        texts = {n: draft.text for n, draft in zip(told.names, told.drafts, strict=True)}
        worlds.append((collection.name, _world("LoCoMo", told.drafts, told.names, texts)))
        for question in questions:
            if question["conv"] == collection.name:
                found = wanted(question, texts) & texts.keys()
                if found:
                    case = Case(id=question["id"], query=question["question"], wanted=found)
                    every.append((collection.name, case))
    drawn = _drawn(every, CASES)
    for name, world in worlds:
        yield world.replace(cases=tuple(case for other, case in drawn if other == name))


def senses(place: Place) -> Iterator[World]:
    """Ask with one word that several modules or repositories use; a file is open."""
    folder = place(git_history.FOLDER)
    commits: list[tuple[str, Commit]] = []
    openings: list[tuple[str, git_history.Opening]] = []
    for repository, steps in git_history.repositories(folder):
        cut = int(ASKED * len(steps))
        known = [step for step in steps[:cut] if isinstance(step, Commit)]
        commits += [(repository, commit) for commit in known[-COMMITS:]]
        openings += [(repository, s) for s in steps[cut:] if isinstance(s, git_history.Opening)]
    words = {commit.sha: set(index_terms(commit.subject)) for _, commit in commits}
    every = [("", case) for repo, o in openings if (case := _sense(repo, o, commits, words))]
    counts: Counter[str] = Counter()
    drafts = [
        draft
        for _, group in groupby(commits, key=lambda pair: pair[0])
        for draft in commit_drafts([commit for _, commit in group], counts)
    ]
    shas = {commit.sha[:12]: commit.sha for _, commit in commits}
    yield World(
        source="git-history",
        drafts=tuple(drafts),
        names=tuple(_sha_of(draft, shas) for draft in drafts),
        texts={c.sha: "\n".join([c.subject, c.body, *_paths(c)]) for _, c in commits},
        cases=tuple(case for _, case in _drawn(every, CASES)),
    )
    yield _issue_senses(place)


def _sense(
    repository: str,
    opening: git_history.Opening,
    commits: Sequence[tuple[str, Commit]],
    words: dict[str, set[str]],
) -> Case | None:
    """Find the word of a task that is most used elsewhere too; right is what changed the file."""
    best: tuple[int, str, frozenset[str]] | None = None
    for word in content_words(opening.task):
        if len(word) < 4 or not word.isalpha():
            continue
        terms = set(query_terms(word))
        holding = [(repo, commit) for repo, commit in commits if terms & words[commit.sha]]
        right = {c.sha for repo, c in holding if repo == repository and opening.opened in _paths(c)}
        elsewhere = len(holding) - len(right)
        if len(right) >= ENOUGH and elsewhere >= ENOUGH and (not best or elsewhere > best[0]):
            best = (elsewhere, word, frozenset(right))
    if best is None:
        return None
    return Case(id=opening.id, query=best[1], wanted=best[2], files=(opening.opened,))


def _issue_senses(place: Place) -> World:
    """Ask with the name of an exception that issues of several files and repositories hold."""
    issues = list(read_lines(place(swe_issues.FOLDER), "issues.jsonl"))
    every: list[tuple[str, Case]] = []
    for issue in issues:
        for name in issue["exceptions"]:
            alike = [o for o in issues if name in o["exceptions"] and o["id"] != issue["id"]]
            for file in issue["fix_files"][:1]:
                right = frozenset(other["id"] for other in alike if file in other["fix_files"])
                if right and len(alike) - len(right) >= ENOUGH:
                    case = Case(
                        id=f"{issue['id']}:{name}",
                        query=name,
                        wanted=right,
                        files=(file,),
                        passed_over=frozenset({issue["id"]}),
                    )
                    every.append(("", case))
    drafts = tuple(swe_issues.draft_of(issue) for issue in issues)
    texts = {
        i["id"]: d.text + "\n" + "\n".join(d.files) for i, d in zip(issues, drafts, strict=True)
    }
    world = _world("swe-issues", drafts, tuple(issue["id"] for issue in issues), texts)
    return world.replace(cases=tuple(case for _, case in _drawn(every, CASES)))


def _world(
    source: str, drafts: tuple[Draft, ...], names: tuple[str, ...], texts: dict[str, str]
) -> World:
    return World(source=source, drafts=drafts, names=names, texts=texts, cases=())


def _sha_of(draft: Draft, shas: dict[str, str]) -> str:
    """Name an episode by its commit; what was learnt from commits beside it has no name."""
    ref = draft.source_ref.removeprefix("git:").partition("#")[0]
    return shas.get(ref[:12], "") if draft.kind is Kind.EPISODE else ""


def _paths(commit: Commit) -> list[str]:
    return [change.path for change in commit.changes]


def _drawn(cases: Sequence[tuple[str, Case]], most: int) -> list[tuple[str, Case]]:
    chance = random.Random(SEED)
    return sorted(chance.sample(list(cases), min(most, len(cases))), key=lambda pair: pair[1].id)


PROBES: dict[str, Callable[[Place], Iterator[World]]] = {
    "corrected fact": corrected,
    "around something": around,
    "no shared words": apart,
    "right sense": senses,
}

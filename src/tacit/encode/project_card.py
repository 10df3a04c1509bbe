"""The project card: what one needs to know on the first day, a line each, every line sourced."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

from tacit.body import Block
from tacit.draft import Draft
from tacit.encode.cochange import is_product
from tacit.encode.commit_text import without_type
from tacit.model import Anchor, Facet, FacetType, Kind, Memory, Mention, Origin, Tier, Trust
from tacit.observation import Commit, ProjectCommand, ProjectFact, Purpose, Topic

LABEL = "project-card"
SOURCE = "project:card"
COMMANDS = "commands:"  # the source of the facts of commands
CI = 4  # the trust of a command that gates in continuous integration
LIMIT = 4_000
MOST_RULES = 6
MOST_PITFALLS = 2
MOST_LATELY = 3
RULE_CHARS = 110
PITFALL_CHARS = 240
SUBJECT_CHARS = 60
LATELY = timedelta(days=28)
SAID = {
    Purpose.SETUP: "Set up the project for development",
    Purpose.TEST: "Run all tests",
    Purpose.TEST_ONE: "Run one test",
    Purpose.LINT: "Lint the code",
    Purpose.FORMAT: "Format the code",
    Purpose.TYPES: "Run the type checkers",
    Purpose.DOCS: "Build the documentation",
    Purpose.BUILD: "Build it",
    Purpose.RELEASE: "Make a release",
    Purpose.RUN: "Run it",
    Purpose.COVERAGE: "Measure what tests cover",
    Purpose.CHECK: "Run all checks at once",
}
_LABELS = (  # in the order of the card
    (Purpose.SETUP, "Set up"),
    (Purpose.TEST, "Test"),
    (Purpose.CHECK, "All checks"),
    (Purpose.TYPES, "Types"),
    (Purpose.LINT, "Lint"),
    (Purpose.FORMAT, "Format"),
    (Purpose.DOCS, "Docs"),
    (Purpose.BUILD, "Build"),
    (Purpose.RUN, "Run"),
    (Purpose.RELEASE, "Release"),
)
_PLACE = re.compile(r"[^\s:,]+:\d+")
_NEWER = re.compile(r"(\d[\w.]*) and newer")
_NO_NEWS = re.compile(
    r"^(?:merge|bump|update|upgrade|release|prepare|version|changelog|revert|v?\d+\.\d+|typo|fix typo|chore\b|ci\b"
    r"|build\(deps|deps\b|docs?\(?deps|\[pre-commit|pre-commit|sync|back to|start|post[- ]release|dependabot|renovate|lint\b|style:)"
    r"|typo|\bbump\b|dependabot|changelog|sponsor",
    re.IGNORECASE,
)
_REVERTED = re.compile(r"\bwas (?:reverted|taken back)\b[^:]*: (?P<why>\S+ \S+ \S+.*)")
_WRONG = re.compile(  # a reason tells what went wrong, or would
    r"\b(?:because|since|as it|due to|br(?:eak|oke)\w*|fail\w*|crash\w*|regress\w*|caus\w+|err(?:or)?s?|wrong\w*|slow\w*|"
    r"leak\w*|bugs?|incompatib\w+|deadlock\w*|race|conflict\w*|(?:do|does|did|is|was|can|could|wo|would)(?:n't| not)|cannot|too)\b",
    re.IGNORECASE,
)
_ISSUE = re.compile(r"\s*(?:\(#\d+\)|\(gh-\d+\)|#\d+|\.)\s*$", re.IGNORECASE)
# What a setting enforces, the tellingest first; others are for recall.
_TELLING = (
    "pytest.filterwarnings", "pytest.addopts", "coverage.", "licence.header", "npmrc.", "ruff.lint",
    "ruff.import-conventions", "eslint.no-restricted", "mypy.strict", "golangci.", "rustfmt.", "ruff.line-length",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a card, and where it comes from."""

    text: str
    sources: tuple[str, ...]


def command_drafts(
    commands: Iterable[ProjectCommand], shas: Mapping[str, str], folder: str = ""
) -> list[Draft]:
    """Make one fact of each command, with the reason it was chosen."""
    return [_command_draft(one, shas, folder) for one in commands]


def _command_draft(one: ProjectCommand, shas: Mapping[str, str], folder: str) -> Draft:
    path = one.source.partition(":")[0]
    sha = shas.get(path, "")
    where = f" in {folder}" if folder else ""
    how = ", as CI does" if _is_of_ci(one) else ""
    note = f" ({one.note})" if one.note else ""
    line = one.line if one.purpose is Purpose.RELEASE else f"`{one.line}`"
    text = f"{SAID[one.purpose]}{where}: {line}{note}{how} ({one.source})"
    text += "".join(f"; also `{said}` ({source})" for said, source in one.also)
    text += f". Elsewhere: {'; '.join(one.others)}" if one.others else ""
    return Draft(
        text=text,
        kind=Kind.FACT,
        key=f"command {one.purpose}{where}",
        value=one.line,
        title=f"{SAID[one.purpose]}{where}: {one.line}"[:80],
        hint=f"{SAID[one.purpose]}{where}: {one.line}",
        subtype="command",
        importance=0.7,
        origin=Origin.EXTRACTED,
        trust=Trust.REPOSITORY,
        source_ref=f"{COMMANDS}{folder or '.'}#{one.purpose}",
        mentions=(Mention(facet=Facet(type=FacetType.FILE, name=path)),) if sha else (),
        anchors=(Anchor(path=path, sha=sha),) if sha else (),
        renews=True,
    )


def card_draft(lines: Sequence[Line]) -> Draft | None:
    """Make the card of a project; None where nothing is known of it."""
    kept = [line for line in lines if line.text]
    if not kept:
        return None
    body = Block(
        label=LABEL,
        limit=LIMIT,
        read_only=True,
        sources=tuple(", ".join(dict.fromkeys(filter(None, line.sources))) for line in kept),
    )
    return Draft(
        text="\n".join(_sourced(line) for line in kept),
        kind=Kind.BLOCK,
        body=body,
        title=LABEL,
        origin=Origin.EXTRACTED,
        trust=Trust.REPOSITORY,
        source_ref=SOURCE,
        renews=True,
    )


def _sourced(line: Line) -> str:
    """Give a line with the place of what it says first, unless it names its places itself."""
    first = next(iter(line.sources), "")
    named = first.partition(":")[0] in line.text
    return f"{line.text} ({first})" if _PLACE.fullmatch(first) and not named else line.text


def card_lines(
    facts: Sequence[ProjectFact],
    commands: Sequence[ProjectCommand],
    *,
    rules: Sequence[Memory] = (),
    pitfalls: Sequence[Memory] = (),
    commits: Sequence[Commit] = (),
) -> list[Line]:
    """Compose the lines of a card, in the order they are needed."""
    made = [
        _what(facts),
        *_commands(commands),
        _layout(facts),
        _binds(facts, rules),
        _now(facts, commits),
        *_beware(pitfalls),
    ]
    return [line for line in made if line is not None]


def _of(facts: Iterable[ProjectFact], key: str) -> ProjectFact | None:
    return next((fact for fact in facts if fact.key == key), None)


def _joined(parts: Iterable[tuple[str, str]], *, head: str = "") -> Line | None:
    """Join what is said, each with its source, by a dot in the middle."""
    some = [(text, source) for text, source in parts if text]
    if not some:
        return None
    return Line(head + " · ".join(text for text, _ in some), tuple(source for _, source in some))


def _what(facts: Sequence[ProjectFact]) -> Line | None:
    parts: list[tuple[str, str]] = []
    if what := _of(facts, "project.what"):
        parts.append(((what.value or what.text).rstrip("."), what.source))
    if release := _of(facts, "project.release"):
        day = f" ({release.at:%Y-%m-%d})" if release.at else ""
        parts.append((f"newest release {release.value}{day}", release.source))
    runtimes = [fact for fact in facts if fact.topic is Topic.RUNTIME]
    stated = [fact for fact in runtimes if fact.key.endswith(".requires")]
    tried = [fact for fact in runtimes if fact.key.endswith(".ci")]
    parts += [(_NEWER.sub(r">=\1", fact.value), fact.source) for fact in stated or tried]
    return _joined(parts)


def _commands(commands: Sequence[ProjectCommand]) -> Iterator[Line]:
    """Give a line for each command; purposes that one command serves share a line."""
    by_purpose = {one.purpose: one for one in commands}
    said: set[str] = set()
    for purpose, _ in _LABELS:
        one = by_purpose.get(purpose)
        # That it is built with the language's own command says nothing.
        if one is None or one.line in said or (purpose is Purpose.BUILD and not one.note):
            continue
        said.add(one.line)
        lines = [(by_purpose[other].line, name) for other, name in _LABELS if other in by_purpose]
        same = [name for line, name in lines if line == one.line]
        head = ", ".join([same[0], *(name.lower() for name in same[1:])])
        yield _command_line(head, one, by_purpose)


def _command_line(
    head: str, one: ProjectCommand, commands: Mapping[Purpose, ProjectCommand]
) -> Line:
    text, sources = f"{head}: {one.line}", [one.source]
    text += f" ({one.note})" if one.note else ""
    if one.purpose is Purpose.TEST:
        text += " as CI does" if _is_of_ci(one) else ""
        for purpose, name in ((Purpose.TEST_ONE, "one"), (Purpose.COVERAGE, "coverage")):
            if (more := commands.get(purpose)) and more.line != one.line:
                text += f"; {name}: {more.line}"
                sources.append(more.source)
    live = one.purpose is Purpose.DOCS
    for said, source in one.also[: 1 if live else 2]:
        text += f"; live: {said.partition(' (')[0]}" if live else f"; also: {said}"
        sources.append(source)
    return Line(text, tuple(sources))


def _is_of_ci(one: ProjectCommand) -> bool:
    return one.trust == CI and one.source.partition(":")[0].endswith((".yml", ".yaml"))


def _layout(facts: Sequence[ProjectFact]) -> Line | None:
    parts = []
    if layout := _of(facts, "project.layout"):
        parts.append((layout.value or layout.text, layout.source))
    if changelog := _of(facts, "changelog"):
        noted = f"releases noted in {changelog.value}"
        if changelog.value.startswith("fragment in "):
            noted = f"a {changelog.value} for each change"
        parts.append((noted, changelog.source))
    return _joined(parts)


def _binds(facts: Sequence[ProjectFact], rules: Sequence[Memory]) -> Line | None:
    """Give what binds: rules that people wrote, then what configuration enforces."""
    firmest = sorted(
        rules, key=lambda rule: (rule.tier is not Tier.MANDATE, -rule.importance, rule.id)
    )
    parts = [(_rule_said(rule.text), _rule_source(rule)) for rule in firmest]
    enforced = [fact for fact in facts if fact.topic is Topic.RULE]
    ranked = sorted(enforced, key=lambda fact: (not fact.why, _telling(fact)))
    parts += [
        (_short(fact.value or fact.text), fact.source)
        for fact in ranked
        if fact.why or _telling(fact) < len(_TELLING)
    ]
    shown = [(text, source) for text, source in parts if text][:MOST_RULES]
    files = [source.partition(":")[0] for _, source in shown]
    placed = [  # a file is named after the last of the rules in a row that it holds
        (f"{text} ({file})" if file and file != after else text, source)
        for (text, source), file, after in zip(shown, files, (*files[1:], ""), strict=False)
    ]
    return _joined(placed, head="Binds: ")


def _rule_said(text: str) -> str:
    """Give a rule as one short sentence; nothing where it is longer."""
    said = re.sub(r"\s*\([^()]*:\d+\)\.?$", "", " ".join(text.split())).rstrip(".")
    return said if len(said) <= RULE_CHARS else ""


def _rule_source(rule: Memory) -> str:
    found = re.search(r"\(([^()\s]+:\d+)\)", rule.text)
    return found[1] if found else rule.source_ref.removeprefix("file:").partition("#")[0]


def _telling(fact: ProjectFact) -> int:
    ranks = (at for at, name in enumerate(_TELLING) if fact.key.startswith(name))
    return next(ranks, len(_TELLING))


def _short(text: str) -> str:
    """Give a rule in few words: without what explains it behind a colon."""
    head, _, _ = text.partition(": ")
    said = (head if len(head.split()) > 2 else text).rstrip(".")
    return said[:1].lower() + said[1:] if said.split(" ")[0].isalpha() else said


def _now(facts: Sequence[ProjectFact], commits: Sequence[Commit]) -> Line | None:
    """Say what is under way: the version in preparation, and what was lately worked on."""
    parts: list[tuple[str, str]] = []
    if version := _of(facts, "project.version"):
        parts.append((version.value, version.source))
    if lately := _lately(commits):
        said = f"lately ({commits[-1].at:%B %Y}): {'; '.join(lately)}"
        parts.append((said, ", ".join(lately.values())))
    return _joined(parts, head="Now: ")


def _lately(commits: Sequence[Commit]) -> dict[str, str]:
    """Give the subjects of the last weeks that say what was changed, the newest first."""
    newest = max((commit.at for commit in commits), default=None)
    found: dict[str, str] = {}
    for commit in reversed(commits):
        subject = _ISSUE.sub("", _ISSUE.sub("", commit.subject.strip()))
        product = any(is_product(change.path) for change in commit.changes)
        old = newest is not None and commit.at < newest - LATELY
        if old or _NO_NEWS.search(subject) or not product:
            continue
        subject = without_type(subject)
        if 12 < len(subject) <= SUBJECT_CHARS:
            found.setdefault(subject, f"commit {commit.sha[:12]}")
    return dict(islice(found.items(), MOST_LATELY))


def _beware(pitfalls: Sequence[Memory]) -> Iterator[Line]:
    """Give the last changes that were reverted and whose reason is known: not to be tried again."""
    said = [(" ".join(memory.text.split()), memory.source_ref) for memory in pitfalls]
    reverted = [
        (text, source)
        for text, source in said
        if (found := _REVERTED.search(text)) and _WRONG.search(found["why"])
    ]
    for text, source in [pair for pair in reverted if len(pair[0]) <= PITFALL_CHARS][
        :MOST_PITFALLS
    ]:
        yield Line(f"Beware: {text}", (source,))

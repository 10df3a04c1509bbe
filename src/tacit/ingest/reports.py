"""Issues and pull requests as trackers export them: GitHub's REST and GraphQL, `gh`, GitLab.

One JSON document, several in a row, or JSON lines; the forms differ in names alone, so every
name a field goes by is tried. What strangers wrote is redacted and cut here; that it is not to
be believed is said where drafts are made.
"""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tacit.ingest.reading import clean_text, json_lines, mapping, moment, read_text
from tacit.observation import Report

LARGEST_EXPORT = 32 << 20  # bytes
MOST_REPORTS = 20_000
MOST_COMMENTS = 20  # the last ones: how it ended is said there
MOST_FILES = 200
MOST_LABELS = 30
NAME_CHARS = 200
COMMENT_CHARS = 2000
DEEPEST = 6  # data.repository.issues.nodes

_PR_SIGNS = (
    "pull_request headRefName head mergeable mergedAt merged_at merge_status source_branch "
    "isDraft closingIssuesReferences"
).split()
_BLANK = re.compile(r"\s*")


def read_reports(path: str, counts: Counter[str]) -> Iterator[Report]:
    """Give the issues and pull requests of an export, each number once, as it stands there."""
    text = read_text(path, counts, most=LARGEST_EXPORT)
    seen: set[tuple[str, str]] = set()
    for item in _items(text or "", counts):
        report = report_of(item, counts)
        if report is None or (report.sort, report.source) in seen:
            counts["no report" if report is None else "repeated"] += 1
            continue
        if len(seen) >= MOST_REPORTS:
            counts["too many reports"] += 1
            return
        seen.add((report.sort, report.source))
        yield report


def report_of(item: dict[str, Any], counts: Counter[str]) -> Report | None:
    """Read one issue or pull request; None for an object that is neither."""
    number = _first(item, "number", "iid")
    title = clean_text(_first(item, "title"), counts, NAME_CHARS)
    if not isinstance(number, int | str) or not str(number).strip() or not title:
        return None
    number = clean_text(str(number), counts, 20)
    url = clean_text(_first(item, "html_url", "web_url", "url"), counts, NAME_CHARS)
    sort = _sort(item, url)
    return Report(
        number=number,
        title=title,
        sort=sort,
        source=url if url.startswith("http") else f"{sort}:{number}",
        text=clean_text(_first(item, "body", "description", "bodyText"), counts),
        state=_state(item),
        author=_name(_first(item, "author", "user"), counts),
        at=moment(_first(item, "created_at", "createdAt")),
        closed_at=moment(_first(item, "merged_at", "mergedAt", "closed_at", "closedAt")),
        labels=_names(item.get("labels"), counts)[:MOST_LABELS],
        files=_names(_first(item, "files", "changes"), counts)[:MOST_FILES],
        comments=tuple(_comments(item, counts)),
    )


def _items(text: str, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """Give the objects of one JSON document, several in a row, or lines of which some are broken."""
    decoder, place = json.JSONDecoder(), 0
    while blank := _BLANK.match(text, place):
        try:
            value, place = decoder.raw_decode(text, blank.end())
        except (ValueError, RecursionError):
            break
        yield from _objects(value, DEEPEST)
    for line in json_lines(io.BytesIO(text[place:].encode(errors="replace")), counts):
        yield from _objects(line, DEEPEST)


def _objects(value: object, depth: int) -> Iterator[dict[str, Any]]:
    """Find the reports in lists and objects, however they are wrapped."""
    if isinstance(value, list):
        for item in value:
            yield from _objects(item, depth)
    elif isinstance(value, dict) and depth:
        if "title" in value or "number" in value:
            yield value
            return
        for inner in value.values():
            yield from _objects(inner, depth - 1)


def _first(item: dict[str, Any], *names: str) -> Any:
    return next((item[name] for name in names if item.get(name) not in (None, "")), None)


def _sort(item: dict[str, Any], url: str) -> str:
    if "/pull/" in url or "/merge_requests/" in url or item.get("__typename") == "PullRequest":
        return "pr"
    return "pr" if any(name in item for name in _PR_SIGNS) else "issue"


def _state(item: dict[str, Any]) -> str:
    state = str(item.get("state") or "").lower()
    merged = _first(item, "merged_at", "mergedAt", "merged")
    if merged or mapping(item.get("pull_request")).get("merged_at") or state == "merged":
        return "merged"
    reason = str(_first(item, "state_reason", "stateReason") or "").lower()
    if state == "closed" and reason in ("not_planned", "duplicate"):
        return "closed as " + reason.replace("_", " ")
    return {"opened": "open", "locked": "closed"}.get(state, state if state.isalpha() else "")


def _listed(value: object) -> list[Any]:
    """Give a list that may be wrapped in `nodes`; a mere count gives none."""
    if isinstance(value, dict):
        value = value.get("nodes") or value.get("edges")
    return value if isinstance(value, list) else []


def _name(value: object, counts: Counter[str]) -> str:
    if isinstance(value, dict):
        value = _first(value, "login", "username", "name", "path", "filename", "new_path")
    return clean_text(value, counts, NAME_CHARS)


def _names(value: object, counts: Counter[str]) -> tuple[str, ...]:
    named = (_name(item, counts) for item in _listed(value)[: 2 * MOST_FILES])
    return tuple(name for name in named if name)


def _comments(item: dict[str, Any], counts: Counter[str]) -> Iterator[str]:
    for comment in _listed(item.get("comments"))[-MOST_COMMENTS:]:
        said = comment if isinstance(comment, dict) else {"body": comment}
        author = _name(_first(said, "author", "user"), counts)
        text = clean_text(_first(said, "body", "bodyText", "note"), counts, COMMENT_CHARS)
        if text and not author.endswith("[bot]"):
            yield text
    for closing in _listed(item.get("closedByPullRequestsReferences"))[:3]:
        if isinstance(closing, dict) and isinstance(closing.get("number"), int):
            yield f"Closed by #{closing['number']}."

"""SWE issues: an issue, and the earlier issues that were fixed in the same file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from tacit.bench.case import Ask, Collection, Remember, read_lines
from tacit.draft import Draft
from tacit.model import Kind

FOLDER = "swe-issues"
LIMIT = 10


def collections(folder: str) -> Iterator[Collection]:
    """Give one store a repository; each issue is asked about before it is remembered."""
    cases = {case["id"]: case for case in read_lines(folder, "cases.jsonl")}
    for repo, group in groupby(read_lines(folder, "issues.jsonl"), key=lambda i: i["repo"]):
        steps: list[Remember | Ask] = []
        for issue in sorted(group, key=lambda issue: int(issue["number"])):
            case = cases.get(issue["id"])
            if case is not None:
                steps.append(
                    Ask(
                        id=issue["id"],
                        category="traceback" if issue["traceback"] else "plain",
                        query=_asked(issue),
                        wanted=frozenset(case["relevant"]),
                    )
                )
            steps.append(Remember(drafts=(draft_of(issue),), names=(issue["id"],)))
        yield Collection(name=repo, steps=tuple(steps))


def _asked(issue: dict[str, Any]) -> str:
    title, text = issue["title"], issue["issue"]
    return text if text.startswith(title) else f"{title}\n{text}"


def draft_of(issue: dict[str, Any]) -> Draft:
    """Give the memory of an issue that was fixed."""
    functions = "\n".join(issue["fix_functions"])
    return Draft(
        text=_asked(issue) + (f"\nFixed in:\n{functions}" if functions else ""),
        kind=Kind.EPISODE,
        title=issue["title"],
        source_ref=f"issue:{issue['id']}",
        files=tuple(issue["fix_files"]),
    )

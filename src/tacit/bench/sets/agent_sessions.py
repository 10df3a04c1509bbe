"""Agent sessions: a first prompt, and earlier work that changed the same files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tacit.bench.case import Ask, Collection, Remember, read_lines
from tacit.clock import parse_time
from tacit.draft import Draft
from tacit.model import Facet, FacetType, Kind, Mention, Role
from tacit.text import content_words

FOLDER = "agent-sessions"
LIMIT = 10
FEW_WORDS = 3


def collections(folder: str) -> Iterator[Collection]:
    """Give one store; an episode is asked about before it or any later one is remembered."""
    episodes = list(read_lines(folder, "episodes.jsonl"))
    steps: list[Remember | Ask] = []
    done = 0
    for case in sorted(read_lines(folder, "cases.jsonl"), key=lambda case: int(case["at"])):
        for episode in episodes[done : case["at"]]:
            ended = parse_time(episode["ended"] or episode["started"])
            steps.append(Remember(drafts=(_draft(episode),), names=(episode["id"],), at=ended))
        done = max(done, case["at"])
        session = episodes[case["at"]]["session"]
        own = frozenset(e["id"] for e in episodes[: case["at"]] if e["session"] == session)
        few = len(content_words(case["query"])) < FEW_WORDS
        asked = {
            "id": case["id"],
            "query": case["query"],
            "wanted": frozenset(other["id"] for other in case["relevant"]),
            "passed_over": own,
            "at": parse_time(case["started"]),
        }
        steps.append(Ask(**asked, category="short" if few else "query"))
        steps.append(Ask(**asked, category="opened", options=_opened(case)))
    yield Collection(name="sessions", steps=tuple(steps))


def _file(name: str, role: Role) -> Mention:
    return Mention(facet=Facet(type=FacetType.FILE, name=name), role=role)


def _opened(case: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return (("files", (case["opened"],)),) if case["opened"] else ()


def _draft(episode: dict[str, Any]) -> Draft:
    commit = episode["commit"] or {}
    parts = [commit.get("subject") or "", *episode["prompts"], episode["final_message"] or ""]
    files = [*episode["files_edited"], *episode["files_touched"], *(commit.get("files") or [])]
    return Draft(
        text="\n".join(part for part in parts if part.strip()) or "(nothing was said)",
        kind=Kind.EPISODE,
        title=commit.get("subject") or "",
        author=episode["dev"] or "",
        session=episode["session"],
        valid_from=parse_time(episode["ended"] or episode["started"]),
        mentions=(
            *(_file(name, Role.WRITES) for name in dict.fromkeys(files)),
            *(_file(name, Role.READS) for name in dict.fromkeys(episode["files_read"])),
        ),
    )

"""A loki-mode memory as its document describes it, and one as its code writes it."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fakes import NOON, FrozenClock, WordCounter
from tacit.exchange import loki
from tacit.ingest.redaction import redact
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.store.protocol import EVERY_STATE, Filter
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from tacit.model import Memory
    from tacit.write.remember import Written

WRITTEN = datetime(2026, 2, 1, 12, 0, tzinfo=UTC)  # when all files were last written

EPISODE: dict[str, Any] = {
    "id": "ep-2026-01-06-001",
    "task_id": "task-042",
    "timestamp": "2026-01-06T10:30:00Z",
    "duration_seconds": 342,
    "agent": "eng-001-backend",
    "context": {
        "phase": "development",
        "goal": "Add the endpoint that books a refund",
        "constraints": ["No new dependencies", "< 200ms response"],
        "files_involved": ["src/routes/refunds.ts", "src/db/refunds.ts"],
    },
    "action_log": [
        {"t": 0, "action": "read_file", "target": "openapi.yaml"},
        {"t": 5, "action": "write_file", "target": "src/routes/refunds.ts", "lines": 40},
        {"t": 120, "action": "run_test", "result": "fail", "error": "no return type"},
        {"t": 140.5, "action": "edit_file", "target": "src/routes/refunds.ts"},
        {"t": 180, "action": "run_test", "result": "pass"},
    ],
    "outcome": "pass",
    "errors_encountered": [
        {
            "type": "Compiler",
            "message": "The handler has no return type",
            "resolution": "Wrote : void behind its arguments",
        }
    ],
    "artifacts_produced": ["src/routes/refunds.ts", "tests/refunds.test.ts"],
    "git_commit": "abc123",
    "mood": {"of": "the agent", "value": 7},
}
FAILED: dict[str, Any] = {
    "id": "ep-2026-01-06-002",
    "task_id": "task-043",
    "timestamp": "2026-01-06T14:00:00Z",
    "duration_seconds": 0,
    "agent": "qa-001",
    "context": {"phase": "testing", "goal": "Test bookings under load", "files_involved": []},
    "action_log": [],
    "outcome": "fail",
    "errors_encountered": [],
    "artifacts_produced": [],
    "git_commit": None,
    "importance": 0.0,
}
PATTERN: dict[str, Any] = {
    "id": "sem-001",
    "pattern": "Handlers of routes need a return type in strict mode",
    "category": "typescript",
    "conditions": ["Strict mode is on", "A handler gives nothing back"],
    "correct_approach": "Write `: void` behind the arguments of the handler",
    "incorrect_approach": "Leaving the return type out",
    "confidence": 0.95,
    "source_episodes": ["ep-2026-01-06-001", "ep-2026-01-05-012"],
    "usage_count": 8,
    "last_used": "2026-01-06T14:00:00Z",
    "links": [
        {"to": "sem-005", "relation": "related_to"},
        {"to": "sem-002", "relation": "supersedes"},
    ],
}
OLD_PATTERN: dict[str, Any] = {
    "id": "sem-002",
    "pattern": "Let the compiler infer what a handler gives back",
    "category": "typescript",
    "conditions": [],
    "correct_approach": "Leave types of handlers to the compiler",
    "incorrect_approach": "",
    "confidence": 0.0,
    "source_episodes": [],
    "usage_count": 0,
    "last_used": None,
    "links": [{"to": "sem-001", "relation": "superseded_by"}],
}
WARNING = {
    "what_fails": "Running the load test against the shared database",
    "why": "Other tests see its bookings",
    "prevention": "Start a database of its own for the load test",
    "source": "ep-2026-01-06-002",
}
FACTS = [
    {"id": "fact-001", "key": "auth.algorithm", "value": "RS256", "confidence": 0.9},
    {"id": "fact-002", "fact": "Refunds are booked by hand on Fridays", "owner": "ana"},
]
SKILL = """\
# Skill: Adding an endpoint

## Prerequisites
- The endpoint stands in openapi.yaml
- The table is there

## Steps
1. Read the endpoint in openapi.yaml
2. Write the handler in src/routes/{name}.ts
3. Check the request against the schema
4. Write contract tests

## Common Errors & Fixes
- No return type: Write `: void` behind the arguments
- Types do not fit: Make them again from openapi.yaml

## Exit Criteria
- All contract tests pass
- No errors of the compiler
"""
LEDGER = {
    "agent_id": "eng-001",
    "last_checkpoint": "2026-01-06T15:00:00Z",
    "tasks_completed": 12,
    "current_task": "task-042",
    "state": {"files_modified": ["src/a.ts"], "uncommitted_changes": True, "last_git_commit": "a1"},
    "context": {"tech_stack": ["ts"], "patterns_learned": ["sem-001"], "current_goal": "refunds"},
}
HANDOFF = {
    "id": "handoff-001",
    "from_agent": "eng-001",
    "to_agent": "qa-001",
    "timestamp": "2026-01-06T16:00:00Z",
    "context": {
        "what_was_done": "The endpoint for refunds",
        "artifacts": ["src/routes/refunds.ts"],
        "git_state": "clean",
        "needs_testing": ["load"],
        "known_issues": [],
        "relevant_patterns": ["sem-001"],
    },
}
INDEX = {
    "version": "1.0",
    "last_updated": "2026-01-25T10:00:00Z",
    "topics": [
        {
            "id": "refunds",
            "summary": "How refunds are booked",
            "relevance_score": 0.92,
            "last_accessed": "2026-01-25T09:30:00Z",
            "token_count": 2400,
        }
    ],
    "total_memories": 47,
    "total_tokens_available": 28500,
}
TIMELINE = {
    "version": "1.0",
    "last_updated": "2026-01-25T10:00:00Z",
    "recent_actions": [
        {
            "timestamp": "2026-01-25T09:45:00Z",
            "action": "Booked the first refund",
            "outcome": "success",
            "topic_id": "refunds",
        }
    ],
    "key_decisions": [
        {
            "decision": "Sign tokens with RS256",
            "rationale": "Others can check them",
            "date": "2026-01-24",
            "topic_id": "refunds",
        }
    ],
    "active_context": {"current_focus": "refunds", "blocked_by": [], "next_up": ["testing"]},
}
ECONOMICS = {
    "session_id": "session-2026-01-25-001",
    "metrics": {
        "discovery_tokens": 150,
        "read_tokens": 2400,
        "ratio": 0.0625,
        "savings_vs_full_load": "78%",
    },
    "breakdown": {"layer1_loads": 1, "layer1_tokens": 100, "layer2_tokens_scanned": 50},
}
CONTINUITY = "# Continuity\n\n## Current State\nBooking refunds\n\n## Next Up\n- the load test\n"


def documented(project: Path) -> Path:
    """Make the tree of the document in a project; give the memory's folder."""
    memory = project / ".loki" / "memory"
    put(memory / "episodic/2026-01-06/task-001.json", EPISODE)
    put(memory / "episodic/2026-01-06/task-002.json", FAILED)
    put(memory / "episodic/index.json", {"2026-01-06": ["task-001", "task-002"]})
    put(memory / "semantic/patterns.json", {"patterns": [PATTERN, OLD_PATTERN], "by": "hand"})
    put(memory / "semantic/anti-patterns.json", {"anti_patterns": [WARNING]})
    put(memory / "semantic/facts.json", {"facts": FACTS})
    said = {"from": "sem-001", "to": "fact-002", "relation": "elaborates", "strength": 0.5}
    put(memory / "semantic/links.json", {"links": [said]})
    put(memory / "skills/api-implementation.md", SKILL)
    put(memory / "skills/debugging.md", "# Skill: Debugging\n\n## Steps\n1. Make it fail again\n")
    put(memory / "ledgers/eng-001.json", LEDGER)
    put(memory / "handoffs/handoff-001.json", HANDOFF)
    lesson = {"description": "Migrations ran twice", "prevention": "Take the lock first"}
    put(memory / "learnings/2026-01-06.json", {"date": "2026-01-06", "learnings": [lesson]})
    put(memory / "index.json", INDEX)
    put(memory / "timeline.json", TIMELINE)
    put(memory / "token_economics.json", ECONOMICS)
    put(memory.parent / "CONTINUITY.md", CONTINUITY)
    return memory


def coded(project: Path) -> Path:
    """Make a tree with the forms that only the code writes; give the memory's folder."""
    memory = project / ".loki" / "memory"
    traced = {
        "id": "ep-0123456789ab",
        "task_id": "t1",
        "timestamp": "2026-01-07T08:00:00",
        "context": {"phase": "ACT", "goal": "Move bookings to the queue", "files_involved": []},
        "action_log": [{"timestamp": 3, "tool": "Edit", "input": "src/q.ts", "output": "done"}],
        "outcome": "success",
        "errors_encountered": [{"error_type": "Timeout", "message": "slow", "resolution": ""}],
        "tokens_used": 5120,
        "files_read": ["src/q.ts"],
        "files_modified": ["src/bookings.ts"],
        "access_count": 3,
        "last_accessed": "2026-01-08T08:00:00Z",
        "_namespace": "shop",
    }
    put(memory / "episodic/2026-01-07/task-ep-0123456789ab.json", traced)
    avoid = {
        "id": "anti-1",
        "pattern": "Avoid: Timeout",
        "category": "anti-pattern",
        "incorrect_approach": "Waiting for the queue within a request",
        "correct_approach": "Answer at once and book later",
        "confidence": 0.7,
        "created_at": "2026-01-07T09:00:00Z",
        "links": [{"to": "ep-0123456789ab", "relation": "supports", "strength": 0.25}],
        "_namespace": "shop",
    }
    stored = {"version": "1.1.0", "patterns": [avoid], "last_updated": "2026-01-07T09:00:00Z"}
    put(memory / "semantic/patterns.json", stored)
    again = {"what_fails": "waiting for the queue  within a request", "why": "", "prevention": ""}
    put(memory / "semantic/anti-patterns.json", {"anti_patterns": [again]})
    both = {
        "id": "skill-load-test",
        "name": "Load test",
        "description": "Puts load on bookings",
        "prerequisites": ["A database of its own"],
        "steps": ["Start the database", {"name": "Put load on it", "command": "make load"}],
        "common_errors": [{"error": "Port taken", "fix": "Choose another"}],
        "exit_criteria": [],
        "importance": 0.5,
        "access_count": 0,
    }
    put(memory / "skills/load-test.json", both)
    heading = "## Common Errors and Fixes"
    told = f"# Skill: Load test\n\nPuts load on bookings.\n\n{heading}\n\n- Port taken: Choose another\n"
    put(memory / "skills/load-test.md", told)
    put(memory / "skills/Move_Bookings.json", {**both, "id": "s-2", "name": "Move Bookings"})
    left = {
        "schema_version": "1.0.0",
        "timestamp": "2026-01-07T10:00:00Z",
        "reason": "context",
        "iteration": 4,
        "files_modified": [],
        "task_status": {"pending": 1, "completed": 2},
        "open_questions": [],
    }
    put(memory / "handoffs/20260107-100000.json", left)
    put(memory / "handoffs/20260107-100000.md", "# Handoff\n\nTwo are done.\n")
    put(memory / "ledgers/LEDGER-20260107.md", "# Ledger\n\nTwo tasks are done.\n")
    put(memory / "vectors/semantic_index.json", {"ids": ["anti-1"], "dimension": 384})
    put(memory / "semantic/patterns.json.lock", "")
    put(memory / ".tmp_1.json", "{half")
    lost = {
        "task_id": "task-9",
        "description": "Book refunds of closed accounts",
        "attempts": [
            {
                "attempt_number": 1,
                "timestamp": "2026-01-07T11:00:00Z",
                "approach": "Open the account again",
                "error_type": "Denied",
                "error_message": "closed accounts stay closed",
                "agent_id": "eng-001",
            }
        ],
        "recovery_strategy": "ask a person",
        "last_reviewed": None,
    }
    put(memory.parent / "queue/dead-letter.json", {"tasks": [lost]})
    shop = {"name": "shop", "display_name": "Shop", "path": "shop", "parent": None}
    listed = {
        "version": "1.0",
        "created_at": "2026-01-01T00:00:00+00:00Z",
        "namespaces": {"shop": shop},
    }
    put(memory / "namespaces.json", listed)
    return memory


def put(path: Path, content: Any) -> None:
    """Write a file, text as it is and all else as JSON, long ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content, indent=2)
    path.write_bytes(text.encode())
    os.utime(path, (WRITTEN.timestamp(), WRITTEN.timestamp()))


def age(folder: Path) -> None:
    """Let all files of a folder have been written when the clock of the tests stands."""
    for path in folder.rglob("*"):
        os.utime(path, (NOON.timestamp(), NOON.timestamp()))


def tree(folder: Path) -> dict[str, Any]:
    """Give what all files of a folder hold: JSON with the order of its keys, text as bytes."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            name = path.relative_to(folder).as_posix()
            found[name] = _ordered(data) if name.endswith(".json") else data
    return found


def _ordered(data: bytes) -> Any:
    """Give JSON such that 1 and 1.0, and other orders of keys, are not the same."""
    try:
        return json.dumps(json.loads(data))
    except ValueError:
        return data


@contextmanager
def opened(folder: Path, name: str = "shop", clock: FrozenClock | None = None) -> Iterator[Tacit]:
    """Open a whole Tacit on a real file, with a clock that stands still."""
    made = Tacit(
        connect(str(folder / f"{name}.db")),
        scope=Scope(path="project:shop"),
        clock=clock or FrozenClock(),
        counter=WordCounter(),
    )
    try:
        yield made
    finally:
        made.close()


def clean(text: str) -> str:
    """Take secrets out of a text."""
    return redact(text).text


def bring(tacit: Tacit, path: Path, **options: Any) -> tuple[Written, dict[str, int]]:
    """Import a memory as the product does; give what was written and what was counted."""
    brought = loki.read(str(path), clean, **options)
    written = tacit.write(brought.drafts)
    for name, document in brought.documents:
        tacit.store.save(name, document)
    return written, dict(brought.counts)


def give(tacit: Tacit, folder: Path, *, originals: bool = True) -> int:
    """Export everything, whatever its state, and let the writer choose."""
    memories = list(tacit.store.scan(Filter(states=EVERY_STATE)))
    return loki.write(
        str(folder),
        memories,
        links=tacit.store.links(None),
        usage=tacit.store.tally([memory.id for memory in memories]),
        load=tacit.store.load if originals else lambda _name: None,
        now=tacit.clock.now(),
    )


def held(path: Path) -> Any:
    """Give the value of a JSON file."""
    return json.loads(path.read_text("utf-8"))


def by_source(tacit: Tacit) -> dict[str, Memory]:
    """Give all memories by where they came from."""
    return {memory.source_ref: memory for memory in tacit.store.scan(Filter(states=EVERY_STATE))}

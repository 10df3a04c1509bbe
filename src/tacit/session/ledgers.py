"""Ledgers: where each agent stands, so that after a crash the next one goes on from there.

A ledger is the block `ledger:<agent>`. Its text is the checkpoint as JSON, with every field
its writer gave; people see it as lines.
"""

from __future__ import annotations

from tacit.clock import show_time
from tacit.errors import Invalid, NotFound
from tacit.model import Trust
from tacit.session import json_text
from tacit.session.editing import Edit, Held, Said
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.session.blocks import Blocks
    from tacit.session.json_text import Record

SORT = "ledger"
LIMIT = 20_000  # characters; a list of changed files may be long
_TOP = (("current_task", "Task"), ("tasks_completed", "Tasks completed"))
_STATE = (
    ("files_modified", "Files changed"),
    ("uncommitted_changes", "Uncommitted changes"),
    ("last_git_commit", "Last commit"),
)
_CONTEXT = (
    ("current_goal", "Goal"),
    ("tech_stack", "Built with"),
    ("patterns_learned", "Learned"),
)


class Ledger(Value):
    """One agent's last checkpoint."""

    agent: str
    record: Record  # all of it, as it was written
    held: Held

    @property
    def last_checkpoint(self) -> str:
        """When it was written, as its writer says."""
        return json_text.word(self.record, "last_checkpoint")

    @property
    def lines(self) -> list[str]:
        """Give it as lines for people."""
        return rendered(self.record)


class Ledgers:
    """The ledgers of all agents."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    def get(self, agent: str) -> Ledger:
        """Give an agent's last checkpoint."""
        held = self._blocks.find(_label(agent), agent)
        if held is None:
            raise NotFound(f"there is no ledger of {agent!r}; see: tacit ledger list")
        return _ledger(agent, held)

    def set(
        self,
        agent: str,
        record: Record,
        *,
        whole: bool = False,
        by: str = "",
        trust: Trust = Trust.AGENT,
    ) -> Ledger:
        """Write a checkpoint: the fields given over those before, or with `whole` them alone.

        On disk when this returns. The time is now, unless the checkpoint says another.
        """
        now = self._blocks.clock.now()

        def tell(old: str) -> Said:
            before = {} if whole or not old else _record(agent, old)
            return _said(agent, _stamped(agent, json_text.merged(before, record), record, now))

        edit = Edit(
            label=_label(agent),
            owner=agent,
            by=by or agent,
            trust=trust,
            create=True,
            whole=whole,
            limit=LIMIT,
        )
        return _ledger(agent, self._blocks.apply(edit, tell))

    # Last: below it, `list` means this method to a type checker.

    def list(self) -> list[Ledger]:
        """Give every agent's last checkpoint, by agent."""
        found = self._blocks.list(sort=SORT)
        return [_ledger(held.body.label.partition(":")[2], held) for held in found]


def rendered(record: Record) -> list[str]:
    """Give a checkpoint as lines for people."""
    state, context = json_text.inner(record, "state"), json_text.inner(record, "context")
    known = {"agent_id", "last_checkpoint", "state", "context", *(name for name, _ in _TOP)}
    return [
        *json_text.lines(context, _CONTEXT[:1]),
        *json_text.lines(record, _TOP),
        *json_text.lines(state, _STATE),
        *json_text.lines(context, _CONTEXT[1:]),
        *json_text.lines(record, [(name, name) for name in record if name not in known]),
    ]


def _ledger(agent: str, held: Held) -> Ledger:
    return Ledger(agent=agent, record=_record(agent, held.text), held=held)


def _record(agent: str, text: str) -> Record:
    """Read a checkpoint; one that is free text, as some agents write, is its notes."""
    found = json_text.read(text)
    return {"agent_id": agent, "notes": text} if found is None else found


def _stamped(agent: str, record: Record, given: Record, now: datetime) -> Record:
    told = record.get("agent_id", agent)
    if told != agent:
        raise Invalid(f"this is a checkpoint of {told!r}, not of {agent!r}")
    head: Record = {"agent_id": agent, "last_checkpoint": show_time(now)}
    if "last_checkpoint" in given:
        head["last_checkpoint"] = given["last_checkpoint"]
    return head | {name: value for name, value in record.items() if name not in head}


def _said(agent: str, record: Record) -> Said:
    text = json_text.write(record)
    shown = rendered(json_text.read(text) or {})
    return Said(
        text=text,
        title=_label(agent),
        hint=_short(f"{agent}: {shown[0]}" if shown else agent, 100),
        summary=_short("; ".join([f"Ledger of {agent}", *shown]), 400),
    )


def _short(text: str, chars: int) -> str:
    from tacit.text import shorten

    return shorten(text, chars)


def _label(agent: str) -> str:
    if not agent.strip():
        raise Invalid("a ledger is an agent's; name the agent")
    return f"{SORT}:{agent}"

"""What an edit of a block is, and what it must keep to. Pure."""

from __future__ import annotations

from tacit.body import Block
from tacit.errors import Conflict, Denied, Invalid
from tacit.model import Memory, State, Tier, Trust
from tacit.value import Value

LIMIT = 5000
LONGEST_NAME = 200
FULL_AT = 0.9  # of its limit; from here on a block asks to be rewritten shorter
MOST_CHARS = 200_000  # the highest limit: a block is small


class Held(Value):
    """A block as it stands, and how full it is."""

    memory: Memory

    @property
    def body(self) -> Block:
        """Its label, owner, limit and whether it may be edited."""
        assert isinstance(self.memory.body, Block)
        return self.memory.body

    @property
    def text(self) -> str:
        """What it says."""
        return self.memory.text

    @property
    def rewrite_wanted(self) -> bool:
        """Tell whether it is so full that it should be put in fewer words."""
        return len(self.text) >= FULL_AT * self.body.limit


class Edit(Value):
    """Which block is edited, by whom, and what must be so for it."""

    label: str
    owner: str = ""
    by: str = ""
    trust: Trust = Trust.AGENT
    rev: int | None = None  # the revision the editor has read; another one is a conflict
    create: bool = False  # make the block when it is not there
    whole: bool = False  # all of the text is new, so it is the editor's word alone
    limit: int | None = None
    read_only: bool | None = None
    states: tuple[State, ...] = (State.ACTIVE,)  # in which it counts as there
    state: State = State.ACTIVE  # in which it is afterwards


class Said(Value):
    """A block's new text; shorter forms where they should not be cut from it."""

    text: str
    title: str = ""
    hint: str = ""
    summary: str = ""


def unchanged(edit: Edit, found: Memory | None) -> None:
    """Refuse to rewrite what another has changed since it was read."""
    there = found.rev if found is not None else 0
    if edit.rev is None or edit.rev == there:
        return
    now = f"is at revision {there}" if there else "is not there"
    raise Conflict(
        f"block {named(edit.label, edit.owner)} {now}, not at {edit.rev}; read it again and redo"
    )


def editable(edit: Edit, memory: Memory) -> None:
    """Refuse to touch a read-only block, unless the edit opens it, and what a person bound to."""
    assert isinstance(memory.body, Block)
    name = named(edit.label, edit.owner)
    if memory.body.read_only and edit.read_only is not False:
        raise Denied(f"block {name} is read-only; nothing was changed")
    binds = memory.pinned or memory.tier is not Tier.REFERENCE
    if binds and edit.trust is not Trust.HUMAN:
        raise Denied(f"a person has made block {name} binding; only a person may change it")


def settled(edit: Edit, memory: Memory) -> Block:
    """Give the block's settings after the edit."""
    assert isinstance(memory.body, Block)
    body = memory.body
    return body.replace(
        limit=body.limit if edit.limit is None else checked_limit(edit.limit),
        read_only=body.read_only if edit.read_only is None else edit.read_only,
    )


def fits(text: str, body: Block) -> None:
    """Refuse a text that is longer than its block may be."""
    if len(text) > body.limit:
        raise Invalid(
            f"block {named(body.label, body.owner)} would have {len(text):,} characters, its "
            f"limit is {body.limit:,}; nothing was changed: say it shorter or raise the limit"
        )


def checked_limit(limit: int) -> int:
    """Refuse a limit that is none."""
    if not 1 <= limit <= MOST_CHARS:
        raise Invalid(f"limit {limit:,} is not between 1 and {MOST_CHARS:,} characters")
    return limit


def checked_name(text: str, what: str, *, needed: bool = True) -> str:
    """Check a label or an owner: one line, and nothing that would be taken out as a secret."""
    from tacit.ingest.redaction import redact

    if needed and not text.strip():
        raise Invalid(f"a block needs a {what}, such as persona")
    if text != " ".join(text.split()) or len(text) > LONGEST_NAME:
        raise Invalid(f"a {what} is one line of at most {LONGEST_NAME} characters, not {text!r}")
    if redact(text).counts:
        raise Invalid(f"this {what} looks like a secret; name the block by something else")
    return text


def named(label: str, owner: str) -> str:
    """Name a block in a message."""
    return f"{label!r} of {owner}" if owner else repr(label)

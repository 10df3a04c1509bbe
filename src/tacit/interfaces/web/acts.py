"""What a person does to a memory: remember, edit, pin, confirm, forget, restore; each can be undone."""

from __future__ import annotations

from tacit.interfaces.web import parts
from tacit.interfaces.web.parts import Tag
from tacit.interfaces.web.sheet import Sheet
from tacit.model import Kind, Tier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from tacit.interfaces.web.frame import Frame
    from tacit.system import Tacit

    Object = dict[str, Any]
    After = Callable[[], Awaitable[None]]

TITLE = 48
KINDS = tuple((kind.value, kind.value) for kind in Kind if kind not in (Kind.BLOCK, Kind.RESOURCE))
TIERS = tuple((tier.value, tier.value) for tier in reversed(tuple(Tier)))


def buttons(frame: Frame, memory: Object, after: After) -> None:
    """Show what can be done to a memory as it is, by who looks at it."""
    if memory["state"] == "candidate":
        drafted(frame, memory, after)
    if memory["state"] in ("archived", "forgotten") and frame.may("restore", memory):
        _button("Restore", "restore", "r", lambda: restore(frame, memory, after), look="strong")
    if frame.may("edit", memory):
        _button("Edit", "edit", "e", lambda: edit(frame, memory, after))
    if frame.may("set", memory):
        word = "Unpin" if memory["pinned"] else "Pin"
        _button(word, "pin", "p", lambda: pin(frame, memory, after))
    if memory["state"] == "active":
        if not memory["confirmed_by"] and frame.may("accept", memory):
            _button("Confirm", "check", "c", lambda: accept(frame, memory, after))
        if frame.may("forget", memory):
            _button("Forget", "forget", "f", lambda: forget(frame, memory, after), look="danger")


def drafted(frame: Frame, memory: Object, after: After) -> None:
    """Show what can be done to a draft that waits."""
    if frame.may("accept", memory):
        _button("Accept", "check", "a", lambda: accept(frame, memory, after), look="strong")
    if frame.may("forget", memory):
        _button("Reject", "forget", "x", lambda: reject(frame, memory, after), look="danger")


def offer_remember(frame: Frame, after: After) -> None:
    """Show the button that keeps something new, to those who may."""
    if frame.may("remember"):
        _button("Remember", "plus", "n", lambda: remember(frame, after))


def _button(
    text: str, picture: str, key: str, act: Callable[[], Awaitable[Any] | None], *, look: str = ""
) -> Tag:
    return parts.button(text, act, look=look, picture_of=picture, key=key)


async def accept(frame: Frame, memory: Object, after: After) -> None:
    """Put a person's word behind a memory; it is served from now on."""
    id_, state, by = memory["id"], memory["state"], memory["confirmed_by"]
    await frame.do(
        lambda tacit: tacit.accept(id_, by=_user(tacit)),
        f"{'Accepted' if state == 'candidate' else 'Confirmed'} {_name(memory)}",
        undo=lambda tacit: tacit.set(id_, by=_user(tacit), state=state, confirmed_by=by),
        after=after,
    )


async def reject(frame: Frame, memory: Object, after: After) -> None:
    """Forget a draft; it does not come back by itself."""
    id_, state = memory["id"], memory["state"]
    await frame.do(
        lambda tacit: tacit.forget(id_, by=_user(tacit)),
        f"Rejected {_name(memory)}",
        undo=lambda tacit: tacit.set(id_, by=_user(tacit), state=state),
        after=after,
    )


async def forget(frame: Frame, memory: Object, after: After) -> None:
    """No longer serve a memory."""
    id_ = memory["id"]
    await frame.do(
        lambda tacit: tacit.forget(id_, by=_user(tacit)),
        f"Forgot {_name(memory)}",
        undo=lambda tacit: tacit.restore(id_, by=_user(tacit)),
        after=after,
    )


async def restore(frame: Frame, memory: Object, after: After) -> None:
    """Serve a memory again."""
    id_, state = memory["id"], memory["state"]
    await frame.do(
        lambda tacit: tacit.restore(id_, by=_user(tacit)),
        f"Restored {_name(memory)}",
        undo=lambda tacit: tacit.set(id_, by=_user(tacit), state=state),
        after=after,
    )


async def pin(frame: Frame, memory: Object, after: After) -> None:
    """Keep a memory where it is, or let it be moved again."""
    id_, pinned = memory["id"], memory["pinned"]
    await frame.do(
        lambda tacit: tacit.set(id_, by=_user(tacit), pinned=not pinned),
        f"{'Unpinned' if pinned else 'Pinned'} {_name(memory)}",
        undo=lambda tacit: tacit.set(id_, by=_user(tacit), pinned=pinned),
        after=after,
    )


async def bind(frame: Frame, memory: Object, tier: str, after: After) -> None:
    """Make a memory more or less binding."""
    id_, before = memory["id"], [tier]

    def change(tacit: Tacit) -> None:
        before[:] = [tacit.get(id_).tier.value]
        tacit.set(id_, by=_user(tacit), tier=tier)

    await frame.do(
        change,
        f"{_name(memory)} is a {tier} now",
        undo=lambda tacit: tacit.set(id_, by=_user(tacit), tier=before[0]),
        after=after,
    )


def edit(frame: Frame, memory: Object, after: After) -> None:
    """Give a memory another text; the old one stays in its history."""
    id_, before = memory["id"], memory["text"]
    sheet = Sheet("Edit what it says")
    with sheet.body:
        field = parts.entry("Text", value=before, kind="area", rows="8")
        Tag("p", "small", "What it said before stays in its history.")

    async def save(filled: dict[str, str]) -> bool:
        return await frame.do(
            lambda tacit: tacit.edit(id_, filled["text"], by=_user(tacit)),
            f"Edited {_name(memory)}",
            undo=lambda tacit: tacit.edit(id_, before, by=_user(tacit)),
            after=after,
        )

    sheet.offer("Save", save, {"text": field})
    sheet.open()


def remember(frame: Frame, after: After) -> None:
    """Keep something a person says."""
    kept: list[str] = []
    sheet = Sheet("Remember something")
    with sheet.body:
        text = parts.entry(
            "What should be known?",
            kind="area",
            rows="4",
            placeholder="We sign tokens with ES256; RS256 keys are retired",
        )
        with Tag("div", "grid-2"):
            kind = parts.choice("Kind", KINDS, "fact")
            tiers = TIERS if frame.may("set") else (("reference", "reference"),)
            tier = parts.choice("How binding", tiers, "reference")

    async def save(filled: dict[str, str]) -> bool:
        def keep(tacit: Tacit) -> None:
            kept[:] = [tacit.remember(**filled, author=_user(tacit)).id]

        return await frame.do(
            keep,
            "Remembered",
            undo=lambda tacit: tacit.forget(kept[0], by=_user(tacit)),
            after=after,
        )

    sheet.offer("Remember", save, {"text": text, "kind": kind, "tier": tier})
    sheet.open()


def _name(memory: Object) -> str:
    title = " ".join(memory["title"].split())
    return f"“{title[:TITLE]}”"


def _user(tacit: Tacit) -> str:
    return tacit.settings.user if tacit.settings else ""

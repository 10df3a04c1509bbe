"""The learning: whether profiles are tried, what is known of each, and the buttons that change it."""

from __future__ import annotations

from tacit.interfaces import wire_evolution, wire_learn
from tacit.interfaces.web import arms, front, parts, say
from tacit.interfaces.web.frame import Frame, page
from tacit.interfaces.web.parts import Tag
from tacit.interfaces.web.sheet import Sheet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from tacit.system import Tacit

    Object = dict[str, Any]
    After = Callable[[], Awaitable[None]]

ENTRIES = 12  # of the log
STATES = {
    "off": "Learning is off: every session gets the profile in use.",
    "compare": "Learning compares: every arm gets as many sessions, and nothing else changes.",
    "adapt": "Learning adapts: what helps more is used more, a little each day.",
    "paused": "Learning is paused: every session gets the profile in use; what was learnt is kept.",
}


@page
async def build(frame: Frame) -> None:
    """Show where learning stands."""
    frame.open("learning", "Learning")
    with Tag("div", "page"):
        parts.heading(
            "Learning",
            "Sessions are given different profiles, and what becomes of them tells which one helps.",
        )
        holder = Tag("div", "column")
        with holder:
            parts.loading()

    async def again() -> None:
        told = await frame.ask(_gather)
        if not holder.is_deleted:
            holder.clear()
            with holder:
                _show(frame, told, again)

    await again()


def _gather(tacit: Tacit) -> Object:
    """Give where learning and breeding stand, the profile in use, and the last of the log."""
    state, adopted = tacit.evolution(), tacit.profile_history()[:1]
    return {
        "learning": wire_learn.standing(tacit.learn_status()),
        "evolution": wire_evolution.evolution(state) if state else None,
        "profile": tacit.profile.ref,
        "why": adopted[0].why if adopted and adopted[0].ref == tacit.profile.ref else "",
        "log": tacit.learn_log(ENTRIES),
    }


def _show(frame: Frame, told: Object, again: After) -> None:
    _state(frame, told, again)
    if told["learning"]["state"] == "off":
        parts.empty(
            "No arms are tried",
            "Start here, or name the profiles to try yourself; until then nothing is changed.",
            "tacit learn start",
        )
    for task in told["learning"]["tasks"]:
        arms.show(task)
    arms.regret(told["learning"]["tasks"])
    front.show(frame, told["evolution"], told["profile"], again)
    _log(told)


def _state(frame: Frame, told: Object, again: After) -> None:
    policy, state = told["learning"]["policy"], told["learning"]["state"]
    with parts.section("Where it stands"):
        Tag("p", "said", STATES[state], role="status")
        if state != "off" and policy["control"] != told["profile"]:
            Tag(
                "p",
                "small",
                f"{told['profile']} was taken into use since, so no session is given an arm: "
                "stop it, and start again.",
            )
        parts.facts(
            [
                ("profile in use", told["profile"]),
                ("because", told["why"]),
                ("control", policy["control"]),
                ("since", say.minute(policy["since"]) if policy["since"] else ""),
                ("sessions", f"{told['learning']['sessions']:,}" if state != "off" else ""),
            ]
        )
        if frame.may("consolidate"):
            with Tag("div", "actions"):
                _buttons(frame, state, again, changed=policy["version"] > 0)


def _buttons(frame: Frame, state: str, again: After, *, changed: bool) -> None:
    """Show what can be done as it stands; each can be undone, but for going back."""

    def offer(
        text: str,
        said: str,
        work: Callable[[Tacit], object],
        undo: Callable[[Tacit], object],
        look: str = "",
    ) -> None:
        async def act() -> None:
            await frame.do(work, said, undo=undo, after=again)

        parts.button(text, act, look=look)

    if state == "off":
        offer(
            "Start",
            "Learning adapts",
            lambda t: t.learn_start(),
            lambda t: t.learn_stop(),
            "strong",
        )
        offer(
            "Compare",
            "Learning compares",
            lambda t: t.learn_start(compare=True),
            lambda t: t.learn_stop(),
        )
    elif state == "paused":
        offer(
            "Resume",
            "Learning goes on",
            lambda t: t.learn_resume(),
            lambda t: t.learn_pause(),
            "strong",
        )
    else:
        offer("Pause", "Learning is paused", lambda t: t.learn_pause(), lambda t: t.learn_resume())
    if state != "off":
        offer("Stop", "Learning is off", lambda t: t.learn_stop(), lambda t: _on_again(t, state))
    if changed:
        parts.button("Roll back", lambda: _roll_back(frame, again), look="danger")


def _on_again(tacit: Tacit, state: str) -> None:
    """Take a stop back: what was learnt holds again, as it stood."""
    tacit.learn_rollback()
    if state != "paused":
        tacit.learn_resume()


def _roll_back(frame: Frame, again: After) -> None:
    sheet = Sheet("Roll back learning?")
    with sheet.body:
        Tag(
            "p",
            "",
            "The last change is taken back, whether learning or a person made it, and learning is "
            "paused. What sessions came to is kept; the change itself is gone.",
        )

    async def go(_filled: dict[str, str]) -> bool:
        return await frame.do(
            lambda tacit: tacit.learn_rollback(), "Took the last change back", after=again
        )

    sheet.offer("Roll it back", go, {})
    sheet.open()


def _log(told: Object) -> None:
    with parts.section("What was done", classes="card list-card"):
        if not told["log"]:
            parts.empty(
                "Nothing was learnt yet", "Every change is put on record here, with its reason."
            )
            return
        with Tag("ul", "list"):
            for one in told["log"]:
                with Tag("li", "item"):
                    with Tag("p", "row"):
                        parts.chip(one.event, "quiet")
                        Tag("strong", "", one.subject)
                        by = f" by {one.by}" if one.by else ""
                        Tag("span", "small", f"{say.minute(one.at)}{by}")
                    if one.why:
                        Tag("p", "small", one.why)

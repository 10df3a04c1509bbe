"""What breeding found: profiles by tokens and by what they find, the champion, and its adoption."""

from __future__ import annotations

from nicegui import ui

from tacit.interfaces.web import charts, parts, say
from tacit.interfaces.web.parts import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from tacit.interfaces.web.frame import Frame
    from tacit.system import Tacit

    Object = dict[str, Any]
    After = Callable[[], Awaitable[None]]

LEGEND = (("front", "not beaten"), ("start", "it began with"), ("champion", "champion"))


def show(frame: Frame, evolution: Object | None, used: str, again: After) -> None:
    """Show the front and the champion; what proved itself can be adopted."""
    if evolution is None:
        with parts.section("Breeding"):
            parts.empty(
                "Nothing was bred yet",
                "Breeding asks again what agents asked, under variants of the profile in use; what "
                "proves itself can be adopted here.",
                "tacit evolve run",
            )
        return
    about = (
        f"Bred from {evolution['base']}: {say.count(evolution['generation'], 'generation')} of "
        f"{evolution['population']}, {evolution['asked']:,} questions asked."
    )
    with parts.section("Breeding", about=about), Tag("div", "grid-2"):
        with Tag("div", "stack"):
            _drawn(evolution)
        with Tag("div", "stack"):
            _champion(frame, evolution, used, again)


def _drawn(evolution: Object) -> None:
    marked = [("front", one) for one in evolution["front"] if one != evolution["champion"]]
    marked += [(name, evolution[name]) for name in ("start", "champion") if evolution[name]]
    if not marked:
        return
    points = [(one["tokens"], one["score"], name) for name, one in marked]
    spent, found = [x for x, _, _ in points], [y for _, y, _ in points]
    said = "; ".join(
        f"{words}: finds {evolution[name]['score']:.0%} with {evolution[name]['tokens']:,.0f} tokens"
        for name, words in LEGEND[1:]
        if evolution[name]
    )
    Tag("p", "small", f"Found of what was used: {min(found):.0%} to {max(found):.0%}, upwards")
    ui.html(
        charts.scatter(points, f"Profiles by tokens and by what they find. {said}"), sanitize=False
    )
    with Tag("div", "chart-scale", aria_hidden="true"):
        Tag("span", "", f"{min(spent):,.0f}")
        Tag("span", "", "tokens a question")
        Tag("span", "", f"{max(spent):,.0f}")
    with Tag("div", "legend"):
        for name, words in LEGEND:
            with Tag("span", "legend-item"):
                ui.html(charts.mark(name), sanitize=False, tag="span").classes("picture")
                Tag("span", "", words)


def _champion(frame: Frame, evolution: Object, used: str, again: After) -> None:
    champion, verdict = evolution["champion"], evolution["verdict"]
    if champion is None:
        parts.empty("No champion yet", "It was stopped before one was chosen.", "tacit evolve run")
        return
    with Tag("p", "row"):
        Tag("strong", "", "Champion")
        won = verdict is not None and verdict["won"]
        parts.chip("proved" if won else "not proved", "verdict-good" if won else "quiet")
    if verdict is None:
        Tag("p", "", "Nothing was found that is better than the profile it began with.")
        return
    parts.facts(
        [
            (name, f"{_value(change['from'])} → {_value(change['to'])}")
            for name, change in champion["changes"].items()
        ]
    )
    gain, before, after = verdict["worth"], verdict["base"], verdict["champion"]
    Tag(
        "p",
        "small",
        f"On {say.count(gain['cases'], 'question')} of {say.count(gain['sessions'], 'session')} that "
        f"played no part: worth {gain['mean']:+.3f}, surely from {gain['low']:+.3f} to "
        f"{gain['high']:+.3f}; found {before['score']:.0%} → {after['score']:.0%}, tokens "
        f"{before['tokens']:,.0f} → {after['tokens']:,.0f}.",
    )
    if evolution["base"] != used:
        Tag("p", "small", f"{used} is in use by now; to breed from it: tacit evolve run")
    elif won and frame.may("set"):
        _adoption(frame, used, again)


def _adoption(frame: Frame, used: str, again: After) -> None:
    def adopt(tacit: Tacit) -> None:
        tacit.adopt_champion(by=tacit.settings.user if tacit.settings else "")

    async def act() -> None:
        await frame.do(
            adopt,
            "The champion is in use",
            undo=lambda tacit: tacit.adopt_profile(used, why="the champion was taken back"),
            after=again,
        )

    with Tag("div", "actions"):
        parts.button("Adopt the champion", act, look="strong", picture_of="check")


def _value(one: object) -> str:
    return f"{one:.3g}" if isinstance(one, float) else str(one)

"""The briefing: what an agent would be handed for a task, within a budget one can drag."""

from __future__ import annotations

from functools import partial

from tacit.assemble.budget import LEAST_BUDGET, PRESETS
from tacit.errors import TacitError
from tacit.interfaces import wire_brief
from tacit.interfaces.web import parts, say
from tacit.interfaces.web.frame import Frame, page, trouble
from tacit.interfaces.web.latest import Latest
from tacit.interfaces.web.parts import Tag
from tacit.profile import BANDS, STRATEGIES, strategy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from tacit.system import Tacit

    Object = dict[str, Any]
    Look = Callable[[], Awaitable[None]]

STEPS = 100
MOST = 16_000  # tokens at the slider's end
ACTIVITIES = [("", "by the task"), *((one.activity, one.activity) for one in STRATEGIES.values())]
BAND_WORDS = {
    "critical": "must be known",
    "relevant": "bears on the task",
    "background": "good to know",
    "index": "only named",
}


class Wish:
    """What the briefing is asked for, as it is typed and dragged."""

    def __init__(self, task: str) -> None:
        self.told = {"task": task, "file": "", "error": "", "branch": "", "activity": ""}
        self.budget = 1_500


@page
async def build(frame: Frame, task: str = "") -> None:
    """Show the briefing of a task."""
    frame.open("briefing", "Briefing")
    wish = Wish(task)
    with Tag("div", "page"):
        parts.heading("Briefing", "What an agent would be handed now, and what each line costs.")
        with Tag("div", "grid-2 briefing"):
            asking = parts.section("Asked for")
            results = Tag("div", "column")

    async def look_now() -> None:
        try:
            made = await frame.ask(lambda tacit: _brief(tacit, wish))
        except TacitError as error:
            made = {"trouble": error}
        if not results.is_deleted:
            results.clear()
            with results:
                _show(made)

    look = Latest(look_now)

    with asking:
        _wishes(wish, look)
    await look()


def _wishes(wish: Wish, look: Look) -> None:
    def told(name: str) -> Callable[[str], Awaitable[None]]:
        async def heard(text: str) -> None:
            wish.told[name] = text
            await look()

        return heard

    hint = "What will the agent do? Nothing here: how a session starts."
    task = wish.told["task"]
    parts.on_typed(
        parts.entry("Task", value=task, kind="area", rows="3", placeholder=hint), told("task")
    )
    with Tag("div", "grid-2"):
        for name, words, example in (
            ("file", "File that is open", "src/auth.py"),
            ("branch", "Branch", "feature/refunds"),
        ):
            parts.on_typed(parts.entry(words, placeholder=example), told(name))
    error = parts.entry("Error that came up", placeholder="AssertionError: the total is 1099")
    parts.on_typed(error, told("error"))
    parts.on_changed(parts.choice("Shared out for", ACTIVITIES), told("activity"))
    _budget(wish, look)


def _budget(wish: Wish, look: Look) -> None:
    """Show the slider: its steps grow, so that small budgets can be chosen finely."""
    with Tag("div", "stack"):
        with Tag("div", "row spread"):
            Tag("span", "field-label", "Budget")
            shown = Tag("strong", "", f"{wish.budget:,} tokens")
        slider = parts.slider("Budget in tokens", 0, STEPS, _step(wish.budget))
        slider.attribute("aria-valuetext", f"{wish.budget:,} tokens")
        presets = Tag("div", "row")

    async def moved(step: str) -> None:
        await use(_tokens(int(step)))

    async def use(tokens: int) -> None:
        wish.budget = tokens
        shown.set_text(f"{tokens:,} tokens")
        slider.attribute("aria-valuetext", f"{tokens:,} tokens")
        await look()

    async def preset(tokens: int) -> None:
        slider.client.run_javascript(f"tacit.put({slider.html_id!r}, {_step(tokens)})")
        await use(tokens)

    parts.on_dragged(slider, moved)
    with presets:
        for name, tokens in PRESETS.items():
            if name != "index":
                parts.button(f"{name} {tokens:,}", partial(preset, tokens))


def _tokens(step: int) -> int:
    """Give the budget at a step, rounded to what a person would say."""
    exact = LEAST_BUDGET * float((MOST / LEAST_BUDGET) ** (step / STEPS))
    unit = 10 if exact < 1_000 else 100
    return max(LEAST_BUDGET, min(MOST, round(exact / unit) * unit))


def _step(tokens: int) -> int:
    """Give the step nearest to a budget."""
    return min(range(STEPS + 1), key=lambda step: abs(_tokens(step) - tokens))


def _brief(tacit: Tacit, wish: Wish) -> Object:
    told = wish.told
    signals = {name: told[name] for name in ("file", "error", "branch") if told[name].strip()}
    made = tacit.brief(
        told["task"],
        signals=signals,
        budget_tokens=wish.budget,
        activity=told["activity"] or None,
    )
    return wire_brief.briefing(made, context=made.text, token_count=made.tokens)


def _show(made: Object) -> None:
    if "trouble" in made:
        trouble(made["trouble"])
        return
    if not made["items"]:
        parts.empty(
            "Nothing that is kept is relevant to this",
            "An agent would be handed nothing, which costs nothing. Say more about the task, or "
            "let Tacit read the project.",
            "tacit observe",
        )
        return
    _shares(made)
    with parts.section("Chosen", classes="card list-card", about=say.memories(len(made["items"]))):
        for band in BANDS:
            chosen = [item for item in made["items"] if item["band"] == band]
            if chosen:
                _band(band, chosen)
        if made["omitted"]:
            with Tag("div", "more"):
                Tag("p", "small", f"No room for {', '.join(made['omitted'][:12])}")
    with parts.section("As the agent reads it"):
        text = Tag("pre", "pre", made["context"], tabindex="0", aria_label="Text of the briefing")
        copy = parts.button("Copy", lambda: None, picture_of="copy")
        copy.on("click", js_handler=f"() => tacit.copy({text.html_id!r})")


def _shares(made: Object) -> None:
    """Show how the budget was used by the bands, and what each was meant to have."""
    activity = made["activity"]
    meant = dict(strategy(activity).bands) if activity else {}
    budget = made["budget"]
    used = f"{made['token_count']:,} of {budget:,} tokens"
    words = " / ".join(dict.fromkeys(w for w in (made["task_type"], activity) if w))
    with parts.section(used, about=f"for {words}" if words else ""):
        parts.stacked(
            [(f"band-{band}", made["bands"].get(band, 0) / budget, band) for band in BANDS],
            label=", ".join(f"{band} {made['bands'].get(band, 0):,}" for band in BANDS),
        ).classes("tall")
        with Tag("div", "bars"):
            for band in BANDS:
                tokens, share = made["bands"].get(band, 0), budget * meant.get(band, 0) // 1000
                with Tag("span", "bars-name row"):
                    Tag("span", f"swatch band-{band}", aria_hidden="true")
                    Tag("span", "", band)
                parts.bar(tokens / (share or budget), f"band-{band}")
                lent = ", lent" if share and tokens > share else ""
                Tag("span", "bars-value", f"{tokens:,}" + (f" of {share:,}{lent}" if share else ""))


def _band(band: str, chosen: list[Object]) -> None:
    tokens = sum(item["tokens"] for item in chosen)
    with Tag("h3", "day row"):
        Tag("span", f"swatch band-{band}", aria_hidden="true")
        Tag("span", "", f"{band}: {BAND_WORDS[band]} · {tokens:,} tokens")
    with Tag("ul", "list"):
        for item in chosen:
            with Tag("li", "item", data_row=""):
                made = parts.link(item["text"], f"/memory/{item['short']}", "item-title clamp")
                made.props["data-open"] = ""
                with Tag("div", "item-foot"):
                    parts.chip(item["kind"], f"kind-{item['kind']}")
                    if item["tier"] != "reference":
                        parts.chip(item["tier"], f"tier-{item['tier']}")
                    Tag("span", "", f"{item['level']}, {item['tokens']:,} tokens")
                    Tag("span", "", item["why"])

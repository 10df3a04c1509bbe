"""The overview: how memory grows, what it holds, what it costs and saves, and what waits."""

from __future__ import annotations

from nicegui import ui

from tacit.interfaces import wire, wire_disclose
from tacit.interfaces.web import acts, charts, listing, parts, say, survey
from tacit.interfaces.web.frame import Frame, page
from tacit.interfaces.web.parts import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.system import Tacit

    Object = dict[str, Any]

NEWEST = 6
ADVICE = 2
BASELINES = {
    "full_load": ("the whole store", "loaded at the start of every session"),
    "top_k": ("all of it in full", "what was shown, without levels"),
    "no_memory": ("no memory", "what was used, found out once more"),
}
DOLLARS = 3.0  # for a million tokens, unless said otherwise


@page
async def build(frame: Frame) -> None:
    """Show the overview."""
    frame.open("overview", "Overview")
    with Tag("div", "page"):
        waits = parts.loading()
        told = await frame.ask(_gather)
        waits.delete()
        with parts.heading("Overview", _place(told["status"])):

            async def again() -> None:
                frame.go("/search")

            acts.offer_remember(frame, again)
        if not told["status"]["memories"]:
            _first_steps()
            return
        _growth(told)
        _figures(told)
        with Tag("div", "grid-2 stretch"):
            _kinds(told["status"])
            _economics(told["economics"])
        with Tag("div", "grid-2"):
            with parts.section("Newest", classes="card list-card"):
                listing.rows(told["newest"], told["now"])
            with Tag("div", "column"):
                _waiting(told)
                _topics(told["index"])
                _earners(told["returns"])


def _gather(tacit: Tacit) -> Object:
    stats = tacit.status()
    return {
        "status": wire.status(tacit, stats, tacit.pending(), 0),
        "growth": survey.growth(tacit),
        "economics": wire_disclose.economics(tacit.economics()),
        "returns": [wire_disclose.returned(one) for one in tacit.roi(limit=5)],
        "newest": [wire.memory(one) for one in tacit.list(limit=NEWEST)],
        "index": wire_disclose.index(tacit.index_view()),
        "open": len(tacit.contradictions()),
        "candidates": len(tacit.candidates()),
        "now": tacit.clock.now(),
    }


def _place(status: Object) -> str:
    project = status["project"]
    return f"{project['name']} · {project['identity']}" if project else status["store"]


def _first_steps() -> None:
    parts.empty(
        "Nothing is kept yet",
        "Let Tacit read what the project already holds: its history, rule files, decision "
        "records and the sessions agents had in it. Then connect an agent.",
        "tacit init --host all",
    )


def _growth(told: Object) -> None:
    status, line = told["status"], told["growth"]
    kept, holds = [one["kept"] for one in line], [one["holds"] for one in line]
    with parts.section("Growth"), Tag("div", "growth"):
        with Tag("div", "stack"):
            label = f"From {say.day(line[0]['at'])} to now, memories grew to {kept[-1]:,}"
            with Tag("div", "chart-frame"):
                Tag("span", "chart-top", f"{max(kept):,}", aria_hidden="true")
                ui.html(charts.growth(kept, holds, label), sanitize=False)
                with Tag("div", "chart-scale", aria_hidden="true"):
                    for one in (line[0], line[len(line) // 2], line[-1]):
                        Tag("span", "", say.day(one["at"]))
            with Tag("div", "legend"):
                for look, words in (("stroke", "kept"), ("stroke dashed", "of them holding")):
                    with Tag("span", "legend-item"):
                        Tag("span", look, aria_hidden="true")
                        Tag("span", "", words)
        with Tag("div", "stack"):
            with Tag("div", "figure"):
                Tag("span", "figure-number large", f"{status['memories']:,}")
                Tag("span", "figure-name", "memories kept")
            parts.facts(
                [
                    ("hold now", f"{holds[-1]:,}"),
                    ("links", f"{status['links']:,}"),
                    ("things named", f"{status['facets']:,}"),
                    ("changes", f"{status['revisions']:,}"),
                    ("size", say.size(status["bytes"])),
                ]
            )


def _figures(told: Object) -> None:
    account = told["economics"]
    saved = account["baselines"]["full_load"]
    share = account["used"] / account["shown"] if account["shown"] else None
    served = account["queries"] > 0
    less = f"{say.percent(saved['share'])} less than the whole store" if served else ""
    with Tag("div", "grid-4"):
        _figure(
            "tokens served", say.amount(account["spent_tokens"]), f"{account['queries']:,} times"
        )
        _figure("tokens saved", say.amount(max(0, saved["saved"])) if served else "–", less)
        _cost(max(0, saved["saved"]))
        _figure("of use", say.percent(share), f"{account['used']:,} of {account['shown']:,} shown")


def _figure(name: str, number: str, about: str) -> None:
    with parts.section(classes="card figure"):
        Tag("span", "figure-name", name)
        Tag("span", "figure-number", number)
        if about:
            Tag("span", "small", about)


def _cost(saved: int) -> None:
    """Show what was saved in money, at a price the reader says."""

    def worth(dollars: float) -> str:
        avoided = saved * dollars / 1_000_000
        return "< $0.01" if 0 < avoided < 0.01 else f"${avoided:,.2f}"

    with parts.section(classes="card figure"):
        Tag("span", "figure-name", "cost avoided")
        shown = Tag("span", "figure-number", worth(DOLLARS))
        with Tag("span", "small price"):
            Tag("span", "", "at $", aria_hidden="true")
            price = parts.entry(
                "Dollars per million tokens",
                value=f"{DOLLARS:g}",
                kind="number",
                hidden_label=True,
                min=0,
                step="any",
            )
            Tag("span", "", "a million", aria_hidden="true")

    def changed(text: str) -> None:
        try:
            shown.set_text(worth(max(0.0, float(text))))
        except ValueError:
            shown.set_text("–")

    parts.on_typed(price, changed)


def _kinds(status: Object) -> None:
    with parts.section("What it holds"):
        _bars("kind", status["by_kind"])
        Tag("h3", "", "How binding it is")
        _bars("tier", status["by_tier"])


def _bars(name: str, counts: dict[str, int]) -> None:
    total, top = sum(counts.values()), max([*counts.values(), 1])
    with Tag("div", "bars"):
        for word, number in counts.items():
            parts.link(word, f"/search?{name}={word}", "bars-name")
            parts.bar(number / top, f"{name}-{word}")
            Tag("span", "bars-value", f"{number:,} · {say.percent(number / total if total else 0)}")


def _economics(account: Object) -> None:
    with parts.section("What it saves"):
        if not account["queries"]:
            parts.empty(
                "Nothing was served yet",
                "Once an agent is connected, what it was handed is counted here.",
                "tacit init --host claude",
            )
            return
        Tag("p", "small", f"{account['spent_tokens']:,} tokens were served. Instead of them:")
        with Tag("div", "bars"):
            for key, (name, about) in BASELINES.items():
                one = account["baselines"][key]
                share = one["share"] or 0.0
                Tag("span", "bars-name", name, title=about)
                parts.bar(share, "polarity-do" if one["saved"] > 0 else "polarity-avoid")
                Tag("span", "bars-value", _saving(one))
        for one in account["actions"][:ADVICE]:
            Tag("p", "small", say.sentence(one["reason"]) + ".")


def _saving(one: Object) -> str:
    if not one["tokens"]:
        return "not known"
    return (
        f"{say.amount(one['saved'])} saved"
        if one["saved"] >= 0
        else f"{say.amount(-one['saved'])} more"
    )


def _waiting(told: Object) -> None:
    """Show what a person should look at."""
    with parts.section("Waits for you"):
        rows = (
            (told["open"], "contradiction", "/contradictions"),
            (told["candidates"], "draft to review", "/review"),
        )
        if not any(number for number, _, _ in rows):
            Tag("p", "small", "Nothing contradicts anything, and no draft waits.")
        for number, name, path in rows:
            if number:
                many = name.replace("draft", "drafts") if "draft" in name else ""
                parts.link(say.count(number, name, many), path)


def _topics(index: Object) -> None:
    topics = [*({"id": one["name"]} | one for one in index["made_topics"]), *index["topics"]]
    if not topics:
        return
    with parts.section("What it is about"), Tag("div", "row"):
        for one in topics[:24]:
            name = one.get("name") or one["id"]
            parts.link(f"{name} {one['memories']:,}", f"/search?q={name}", "chip facet")


def _earners(returns: list[Object]) -> None:
    """Show the memories that saved most."""
    best = [one for one in returns if one["used"]]
    if not best:
        return
    with parts.section("Of most use"), Tag("ul", "stack"):
        for one in best:
            with Tag("li", "row spread"):
                parts.link(one["title"], f"/memory/{one['short']}")
                Tag("span", "small", f"used {say.count(one['used'], 'time')}")

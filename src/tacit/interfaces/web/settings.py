"""The settings: what was chosen and how to change it, the profiles and strategies, and the checks."""

from __future__ import annotations

import os

from tacit.config import CONFIG_FILE, FILE_KEYS
from tacit.errors import TacitError
from tacit.interfaces import wire, wire_advise
from tacit.interfaces.web import parts, say
from tacit.interfaces.web.frame import Frame, page
from tacit.interfaces.web.parts import Tag
from tacit.profile import BANDS, PROFILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.profile import Profile
    from tacit.system import Tacit

    Object = dict[str, Any]

NAMES = ("name", "version", "kinds", "avoid")  # of a profile's fields, those that are no number
LIBRARY = ("default", "seed", "static")


@page
async def build(frame: Frame) -> None:
    """Show the settings and the profiles."""
    frame.open("settings", "Settings")
    with Tag("div", "page"):
        parts.heading("Settings", "What was chosen, and every number retrieval depends on.")
        waits = parts.loading()
        told = await frame.ask(_gather)
        waits.delete()
        with Tag("div", "grid-2"):
            with Tag("div", "column"):
                _place(told, frame)
                _checks(frame)
            _settings(told)
        _strategies(told["strategies"])
        _profiles(told["profile"])


def _gather(tacit: Tacit) -> Object:
    settings = tacit.settings
    chosen = {name: getattr(settings, name) for name in FILE_KEYS} if settings else {}
    if settings is not None:
        chosen["store"] = settings.shown_store
        chosen["token"] = "set" if settings.token else ""  # who looks on need not know it
    return {
        "status": wire.status(tacit, tacit.status(), tacit.pending(), tacit.unverified()),
        "settings": chosen,
        "file": os.path.join(settings.home, CONFIG_FILE) if settings and settings.home else "",
        "strategies": [wire_advise.strategy(one) for one in tacit.strategies()],
        "profile": tacit.profile,
    }


def _place(told: Object, frame: Frame) -> None:
    status, terms = told["status"], frame.house.terms
    project, embedder = status["project"], status["embedder"]
    with parts.section("This store"):
        parts.facts(
            [
                ("project", project["identity"] if project else ""),
                ("folder", project["root"] if project else ""),
                ("store", status["store"]),
                ("your own", status["user_store"] or ""),
                ("size", say.size(status["bytes"])),
                (
                    "embedder",
                    f"{embedder['model']}, {embedder['dimension']}" if embedder else "off",
                ),
                ("without vector", f"{status['pending']:,}" if status["pending"] else ""),
                ("unverified", f"{status['unverified']:,}" if status["unverified"] else ""),
                (
                    "language model",
                    status["language_model"]["name"] if status["language_model"] else "off",
                ),
                ("profile", status["profile"]),
                ("served at", f"http://{terms.host}:{terms.port}"),
                ("since", say.minute(frame.house.started_at)),
            ]
        )


def _checks(frame: Frame) -> None:
    with parts.section("Checks", about="Each path is proved end to end."):
        results = Tag("div", "stack")

        async def examine() -> None:
            results.clear()
            with results:
                Tag("p", "small", "Looking …", role="status")
            try:
                told = await frame.ask(lambda tacit: wire.doctor(tacit.doctor()))
            except TacitError as error:
                frame.tell(str(error), look="bad")
                return
            results.clear()
            with results:
                for one in told["checks"]:
                    with Tag("div", "row"):
                        word = "well" if one["ok"] else "not well"
                        parts.chip(word, "verdict-good" if one["ok"] else "verdict-bad")
                        Tag("strong", "", one["name"])
                        Tag("span", "small", one["detail"])

        parts.button("Check everything", examine, picture_of="check")


def _settings(told: Object) -> None:
    with parts.section("Settings"):
        if told["file"]:
            Tag(
                "p",
                "small",
                "They are read once, when a process starts, from this file; the environment wins over it.",
            )
            Tag("code", "command", told["file"])
        with Tag("dl", "facts"):
            for name, (_, allowed) in FILE_KEYS.items():
                value = told["settings"].get(name)
                shown = str(value).lower() if isinstance(value, bool) else str(value or "–")
                Tag("dt", "", name)
                with Tag("dd"):
                    Tag("code", "", shown)
                    Tag("p", "faint", allowed)


def _strategies(strategies: list[Object]) -> None:
    """Show how a briefing is shared out, and which kinds count more, for each type of task."""
    with parts.section("Types of task", about="How each shares out a briefing."):
        with Tag("div", "bars"):
            for one in strategies:
                Tag("span", "bars-name", one["task_type"])
                shares = one["bands_per_thousand"]
                parts.stacked(
                    [(f"band-{band}", shares[band] / 1000, band) for band in BANDS],
                    label=", ".join(f"{band} {shares[band] / 10:g}%" for band in BANDS),
                )
                best = [kind for kind, factor in one["kinds"].items() if factor == 1.0]
                Tag("span", "bars-value", f"first {', '.join(best) or 'warnings'}")
        with Tag("div", "legend"):
            for band in BANDS:
                with Tag("span", "legend-item"):
                    Tag("span", f"swatch band-{band}", aria_hidden="true")
                    Tag("span", "", band)


def _profiles(used: Profile) -> None:
    """Show the profiles beside each other: first what differs, all the rest on request."""
    shown: list[Profile] = [PROFILES[name] for name in LIBRARY]
    shown += [used] if used not in shown else []
    fields = [name for name in shown[0]._fields if name not in NAMES]
    differ = [name for name in fields if len({getattr(one, name) for one in shown}) > 1]
    with parts.section(
        "Profiles", about=f"In use: {used.name}@{used.version}. To change it: tacit profile set."
    ):
        _table(shown, differ)
        with Tag("details"):
            Tag("summary", "", f"{len(fields) - len(differ)} numbers that are the same in all")
            _table(shown[:1], [name for name in fields if name not in differ])


def _table(shown: list[Profile], fields: list[str]) -> None:
    frame = Tag("div", "table-frame", tabindex="0", role="region", aria_label="Numbers of profiles")
    with frame, Tag("table", "table"):
        with Tag("thead"), Tag("tr"):
            Tag("th", "", "number", scope="col")
            for profile in shown:
                named = (
                    profile.name if profile.version == 1 else f"{profile.name}@{profile.version}"
                )
                Tag("th", "number", named if len(shown) > 1 else "all", scope="col")
        with Tag("tbody"):
            for name in fields:
                with Tag("tr"):
                    Tag("th", "", name, scope="row")
                    for profile in shown:
                        Tag("td", "number", _number(getattr(profile, name)))


def _number(value: object) -> str:
    return f"{value:g}" if type(value) in (int, float) else str(value).lower()

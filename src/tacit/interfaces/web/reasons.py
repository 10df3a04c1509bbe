"""Why a memory was found: the parts of its score as bars, and what each channel gave."""

from __future__ import annotations

from tacit.interfaces.web import parts
from tacit.interfaces.web.parts import Tag
from tacit.retrieve.shares import PARTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Object = dict[str, Any]

BRIEFLY = {
    "text": "words",
    "vector": "meaning",
    "facets": "things named",
    "signal": "open file",
    "linked": "links",
    "author": "the one named",
    "human": "a person’s word",
    "recency": "fresh",
    "used": "of use before",
    "unverified": "unverified",
    "covered": "the question’s words",
    "near": "near as such",
    "files": "its files",
}


def score(hit: Object, top: float) -> None:
    """Show a score as one bar of its parts, and each part on request."""
    times = hit["parts"]["factor"] * hit["parts"]["near_miss"]
    found = {name: hit["parts"][name] * times for name in PARTS}
    scale = max(top, sum(value for value in found.values() if value > 0), 1e-9)
    shares = [
        (f"part-{name}", value / scale, f"{name} {value:.2f}: {PARTS[name]}")
        for name, value in found.items()
    ]
    with Tag("details"):
        with Tag("summary", "score"):
            said = ", ".join(f"{name} {value:.2f}" for name, value in found.items() if value)
            parts.stacked(shares, label=f"score {hit['score']:.2f}: {said}")
            Tag("span", "", f"{hit['score']:.2f}")
            best = sorted((name for name in found if found[name] > 0), key=lambda n: -found[n])
            Tag("span", "faint", " · ".join(BRIEFLY[name] for name in best[:3]))
        with Tag("div", "bars"):
            for name, value in found.items():
                if value:
                    with Tag("span", "bars-name row"):
                        Tag("span", f"swatch part-{name}", aria_hidden="true")
                        Tag("span", "", PARTS[name])
                    parts.bar(abs(value) / scale, f"part-{name}")
                    Tag("span", "bars-value", f"{value:+.2f}")
        Tag("p", "small", _absolute(hit["parts"]))


def _absolute(found: Object) -> str:
    """Say what can be compared between questions: the cover of the words, and the cosine."""
    told = [f"{found['coverage']:.0%} of the question’s words"]
    if found["cosine"] is not None:
        told.append(f"cosine {found['cosine']:.2f}")
    if found["factor"] != 1.0:
        told.append(f"times {found['factor']:.2f} for its tier and kind")
    if found["near_miss"] != 1.0:
        told.append(f"times {found['near_miss']:.2f}: passed over where others were used")
    return " · ".join(told)


def channels(found: Object) -> None:
    """Show what each channel gave, what was cut and what could not be used."""
    with parts.section("How it was found"):
        most = max([pool["candidates"] for pool in found["pools"]] + [1])
        with Tag("div", "bars"):
            for pool in found["pools"]:
                Tag("span", "bars-name", pool["channel"])
                parts.bar(pool["candidates"] / most)
                Tag("span", "bars-value", f"{pool['candidates']:,} in {pool['ms']:.0f} ms")
        if found["cut"]:
            Tag(
                "p", "small", f"{found['cut']:,} were left out: nothing in them is relevant enough."
            )
        if found["missing"]:
            Tag("p", "small", f"Could not be used: {', '.join(found['missing'])}.")
        with Tag("div", "legend", aria_hidden="true"):
            for name, about in PARTS.items():
                with Tag("span", "legend-item", title=about):
                    Tag("span", f"swatch part-{name}")
                    Tag("span", "", name)

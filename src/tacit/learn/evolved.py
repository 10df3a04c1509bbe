"""Where an evolution stands, as one document of the store: so it can go on, be shown and adopted."""

from __future__ import annotations

from tacit import plain_json
from tacit.clock import parse_time, show_time
from tacit.learn.evolve import Evolution, Judged, Plan, Verdict
from tacit.learn.fitness import Figures
from tacit.learn.genome import Genome
from tacit.learn.replay import Gain
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.store.protocol import Store

DOCUMENT = "evolution"


def keep(store: Store, state: Evolution) -> None:
    """Keep where it stands, in place of what was kept before."""
    store.save(DOCUMENT, plain_json.dumps(written(state), ensure_ascii=False))


def kept(store: Store) -> Evolution | None:
    """Give where the last evolution stands, or that there was none."""
    text = store.load(DOCUMENT)
    return read(plain_json.loads(text)) if text else None


def written(state: Evolution) -> dict[str, Any]:
    """Give it as plain JSON."""
    return _plain(state) | {"until": show_time(state.until)}


def read(given: dict[str, Any]) -> Evolution:
    """Give it from plain JSON."""
    champion, verdict = given["champion"], given["verdict"]
    return Evolution(
        **given
        | {
            "plan": Plan(**given["plan"]),
            "origin": _genome(given["origin"]),
            "until": parse_time(given["until"]),
            "population": tuple(map(_genome, given["population"])),
            "judged": tuple(map(_judged, given["judged"])),
            "champion": champion and _judged(champion),
            "verdict": verdict and _verdict(verdict),
        }
        | {name: tuple(given[name]) for name in ("best", "proved", "limits")}
    )


def _plain(value: Value) -> dict[str, Any]:
    return {name: _shown(getattr(value, name)) for name in value._fields}


def _shown(one: Any) -> Any:
    if isinstance(one, tuple):
        return [_shown(item) for item in one]
    return _plain(one) if isinstance(one, Value) else one


def _genome(given: dict[str, Any]) -> Genome:
    return Genome(choices=tuple(given["choices"]), numbers=tuple(given["numbers"]))


def _judged(given: dict[str, Any]) -> Judged:
    parts = {"genome": _genome(given["genome"]), "figures": Figures(**given["figures"])}
    return Judged(**given | parts)


def _verdict(given: dict[str, Any]) -> Verdict:
    return Verdict(
        worth=Gain(**given["worth"]),
        score=Gain(**given["score"]),
        base=Figures(**given["base"]),
        champion=Figures(**given["champion"]),
    )

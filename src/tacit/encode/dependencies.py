"""Manifests become facts: the version of each direct dependency, runtimes, commands. Pure.

A fact of a dependency has the key that version commits use too (`versions.dependency_key`), so
both speak of one thing and the newer word ends the older.
"""

from __future__ import annotations

import re
from collections import Counter
from posixpath import dirname

from tacit.draft import Draft
from tacit.encode.versions import dependency_key
from tacit.model import Anchor, Facet, FacetType, Kind, Mention, Origin, Trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from tacit.observation import Dependency

RUNTIME = "runtime"
MOST_COMMANDS = 40
DOES_CHARS = 120
_EXACT = re.compile(r"(?:={1,3}\s*|v)?(\d[\w.+!-]*)")


def dependency_drafts(
    dependencies: Iterable[Dependency],
    *,
    since: Mapping[str, datetime] | None = None,
    shas: Mapping[str, str] | None = None,
) -> list[Draft]:
    """Make one fact of each dependency of each folder, a locked version before a range.

    `since` tells when each manifest was last changed, so that a fact does not seem newer than
    it is; `shas` the blob ids of manifests, to notice when one changes.
    """
    best: dict[tuple[str, str, str], Dependency] = {}
    for one in dependencies:
        if not one.version.strip() or not one.package.strip():
            continue
        name = (dirname(one.manifest), _normal(one.package), one.ecosystem)
        known = best.get(name)
        if known is None or _certainty(one) > _certainty(known):
            best[name] = one
    sharing = Counter((folder, package) for folder, package, _ in best)
    return [
        _draft(one, since or {}, shas or {}, alone=sharing[folder, package] == 1)
        for (folder, package, _), one in sorted(best.items())
    ]


def command_draft(path: str, commands: Sequence[tuple[str, str]], sha: str = "") -> Draft | None:
    """Make the fact of what can be run here, of one manifest; None when it offers nothing."""
    if not commands:
        return None
    lines = [
        f"{name}: {does[:DOES_CHARS]}" if does else name for name, does in commands[:MOST_COMMANDS]
    ]
    left = len(commands) - len(lines)
    lines += [f"and {left} more"] if left > 0 else []
    return Draft(
        text=f"Commands of {path}:\n" + "\n".join(lines),
        kind=Kind.FACT,
        title=f"Commands of {path}"[:50],
        subtype="commands",
        importance=0.6,
        origin=Origin.EXTRACTED,
        trust=Trust.TOOL,
        source_ref=f"manifest:{path}#commands",
        mentions=(_about(path),),
        anchors=(Anchor(path=path, sha=sha),) if sha else (),
        renews=True,
    )


def _draft(
    one: Dependency, since: Mapping[str, datetime], shas: Mapping[str, str], *, alone: bool
) -> Draft:
    folder = dirname(one.manifest)
    exact = _EXACT.fullmatch(one.version.strip())
    version = exact[1] if exact else one.version.strip()
    part = _normal(one.package)
    if one.ecosystem == RUNTIME:
        part = f"runtime:{part}"
        key = f"runtime {one.package}" + (f" in {folder}" if folder else "")
        text = f"{one.package} {version} is what this runs on ({one.manifest})"
    else:
        key = dependency_key(one.package, folder) + ("" if alone else f" ({one.ecosystem})")
        use = "is used for development" if one.dev else "is used"
        text = f"{one.package} {version} {use} ({one.manifest})"
    sha = shas.get(one.manifest, "")
    return Draft(
        text=text,
        kind=Kind.FACT,
        key=key,
        value=version,
        subtype="runtime" if one.ecosystem == RUNTIME else "dependency",
        importance=0.5 if one.ecosystem == RUNTIME else 0.3,
        valid_from=since.get(one.manifest),
        origin=Origin.EXTRACTED,
        trust=Trust.TOOL,
        source_ref=f"manifest:{one.manifest}#{part}",
        mentions=(_about(one.manifest),),
        anchors=(Anchor(path=one.manifest, sha=sha),) if sha else (),
        renews=True,
    )


def _certainty(one: Dependency) -> tuple[bool, bool, bool]:
    return one.locked, _EXACT.fullmatch(one.version.strip()) is not None, not one.dev


def _normal(package: str) -> str:
    return dependency_key(package).removeprefix("dependency ")


def _about(path: str) -> Mention:
    return Mention(facet=Facet(type=FacetType.FILE, name=path))

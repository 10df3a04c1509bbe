"""What a project states about itself becomes facts: dependencies, runtimes, releases, rules.

A fact of a dependency has the key that version commits use too (`versions.dependency_key`), so
both speak of one thing and the newer word ends the older.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from posixpath import dirname

from tacit.draft import Draft
from tacit.encode.tool_rules import reason
from tacit.encode.versions import dependency_key
from tacit.model import Anchor, Facet, FacetType, Kind, Mention, Origin, Tier, Trust
from tacit.observation import Dependency, ProjectFact, Topic

ELSEWHERE = "project:files"  # the source of facts that tags and folders state, not one file
LISTED_CHARS = 500
_PAGES = (".md", ".rst", ".txt")  # they change often, and hardly ever what they say the project is
_EXACT = re.compile(r"(?:={1,3}\s*|v)?(\d[\w.+!-]*)")
_IMPORTANCE = {Topic.RULE: 0.6, Topic.TOOL: 0.5}

Since = Mapping[str, datetime]  # path → when it was last changed
Shas = Mapping[str, str]  # path → blob id


def dependency_drafts(
    dependencies: Iterable[Dependency], *, since: Since | None = None, shas: Shas | None = None
) -> list[Draft]:
    """Make one fact of each direct dependency that has a version, a locked one before a range.

    Those without are named together. `since` tells when each manifest was last changed, so
    that a fact does not seem newer than it is; `shas` the blob ids, to notice when one changes.
    """
    best: dict[tuple[str, str], Dependency] = {}
    for one in dependencies:
        name = (dirname(one.manifest), _normal(one.package))
        known = best.get(name)
        if one.package.strip() and (known is None or _certainty(one) > _certainty(known)):
            best[name] = one
    stated = [one for one in best.values() if one.version.strip() or reason(one.why)]
    drafts = [_draft(one, since or {}, shas or {}) for one in stated]
    bare: dict[tuple[str, bool], list[Dependency]] = {}
    for one in best.values():
        if one not in stated:
            bare.setdefault((one.manifest, one.dev), []).append(one)
    return drafts + [_together(some, since or {}, shas or {}) for some in bare.values()]


def dependency_keys(dependencies: Iterable[Dependency]) -> tuple[str, ...]:
    """Give the keys of the dependencies that hold; what has another has ended."""
    return tuple({dependency_key(one.package, dirname(one.manifest)) for one in dependencies})


def fact_drafts(
    facts: Iterable[ProjectFact], *, since: Since | None = None, shas: Shas | None = None
) -> list[Draft]:
    """Make a memory of each fact that a project states; what configuration enforces is a rule."""
    drafts: dict[str, Draft] = {}
    for fact in facts:
        path = fact.source.partition(":")[0]
        sha = "" if path.endswith(_PAGES) else (shas or {}).get(path, "")
        rule = fact.topic is Topic.RULE
        place = f"project:{path}" if path in (shas or {}) else ELSEWHERE
        source = f"{place}#{fact.key or fact.text}"
        why = f" Why: {fact.why}" if fact.why else ""
        drafts[source] = Draft(
            text=f"{fact.text} ({fact.source}).{why}",
            summary=fact.text,
            hint=fact.text,
            kind=Kind.FACT,
            key=fact.key,
            value=fact.value or fact.text,
            title=fact.text[:80],
            subtype="rule" if rule else "project",
            tier=Tier.GUARDRAIL if rule else Tier.REFERENCE,
            importance=_IMPORTANCE.get(fact.topic, 0.7),
            valid_from=fact.at or (since or {}).get(path),
            origin=Origin.EXTRACTED,
            trust=Trust.REPOSITORY,
            source_ref=source[:300],
            mentions=(_about(path),) if sha else (),
            anchors=(Anchor(path=path, sha=sha),) if sha else (),
            renews=True,
        )
    return list(drafts.values())


def _draft(one: Dependency, since: Since, shas: Shas) -> Draft:
    exact = _EXACT.fullmatch(one.version.strip())
    version = exact[1] if exact else one.version.strip()
    verb = "Developed with" if one.dev else "Depends on the library"
    asked = one.wanted if one.locked and one.wanted and one.wanted != one.version else ""
    said = f"{asked}, locked at {version}" if asked else version
    place = f"{one.manifest}:{one.line}" if one.line else one.manifest
    because = f" Why: {one.why}" if reason(one.why) else ""
    return _made(
        f"{verb} {f'{one.package} {said}'.strip()} ({place}).{because}",
        one.manifest,
        _normal(one.package),
        since,
        shas,
        key=dependency_key(one.package, dirname(one.manifest)),
        value=version or "any version",
        importance=0.5 if because else 0.3,
    )


def _together(some: list[Dependency], since: Since, shas: Shas) -> Draft:
    first = some[0]
    verb = "Developed with" if first.dev else "Depends on the libraries"
    names = ", ".join(one.package for one in some)
    if len(names) > LISTED_CHARS:
        names = names[:LISTED_CHARS].rpartition(", ")[0] + " and others"
    place = f"{first.manifest}:{first.line}" if first.line else first.manifest
    part = "development" if first.dev else "dependencies"
    text = f"{verb} {names}, in any version ({place})"
    return _made(text, first.manifest, part, since, shas, importance=0.4)


def _made(
    text: str,
    path: str,
    part: str,
    since: Since,
    shas: Shas,
    *,
    key: str = "",
    value: str = "",
    importance: float,
) -> Draft:
    sha = shas.get(path, "")
    return Draft(
        text=text,
        kind=Kind.FACT,
        key=key,
        value=value,
        subtype="dependency",
        importance=importance,
        valid_from=since.get(path),
        origin=Origin.EXTRACTED,
        trust=Trust.REPOSITORY,
        source_ref=f"manifest:{path}#{part}",
        mentions=(_about(path),),
        anchors=(Anchor(path=path, sha=sha),) if sha else (),
        renews=True,
    )


def _certainty(one: Dependency) -> tuple[bool, bool, bool]:
    return one.locked, _EXACT.fullmatch(one.version.strip()) is not None, not one.dev


def _normal(package: str) -> str:
    return dependency_key(package).removeprefix("dependency ")


def _about(path: str) -> Mention:
    return Mention(facet=Facet(type=FacetType.FILE, name=path))

"""Profiles beyond the built-in ones: their versions, kept in the store, and which one is in use.

A version that was kept is never changed: a change is the next version. What is in use is the last
of a list that adopting makes longer and going back makes shorter; both are noted in the log. A name without a version means its newest; the built-in profiles are version 1 of theirs.
"""

from __future__ import annotations

from tacit import plain_json
from tacit.clock import parse_time, show_time
from tacit.errors import Conflict, Invalid, NotFound
from tacit.learn.log import Noted, note
from tacit.learn.written import dumps, loads
from tacit.profile import DEFAULT, PROFILES, Profile
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.store.protocol import Store

_KEPT = "profile/"
_IN_USE = "profile-in-use"
MOST_KEPT = 100  # changes of the profile in use; the oldest are dropped
MOST_VERSIONS = 9_999


class Adopted(Value):
    """That a profile was taken into use: which, when, by whom and why."""

    name: str
    version: int
    at: datetime
    by: str = ""
    why: str = ""

    @property
    def ref(self) -> str:
        """The name and version as people write them."""
        return f"{self.name}@{self.version}"


def known(store: Store) -> list[Profile]:
    """Give every version of every profile: the built-in ones, then those that were kept."""
    return [*PROFILES.values(), *(loads(text) for _, text in store.documents(_KEPT))]


def find(store: Store, named: str) -> Profile:
    """Give a profile by its name, or by name@version."""
    name, mark, wanted = named.partition("@")
    if mark and not wanted.isdigit():
        raise Invalid(
            f"{named!r} names no profile; write a name, or name@version such as default@1"
        )
    kept = store.documents(f"{_KEPT}{name}/") if name else []
    versions = [loads(text) for _, text in kept]
    if name in PROFILES:
        versions.insert(0, PROFILES[name])
    for one in reversed(versions):
        if not mark or one.version == int(wanted):
            return one
    if versions:
        there = ", ".join(str(one.version) for one in versions)
        raise NotFound(f"profile {name!r} has no version {wanted}; it has {there}")
    names = dict.fromkeys(one.name for one in known(store))
    raise NotFound(f"there is no profile {name!r}; there are {', '.join(names)}")


def keep(store: Store, profile: Profile) -> Profile:
    """Keep a profile as the next version of its name; one equal to the newest changes nothing."""
    if not profile.name or set(profile.name) & set("/@\0") or profile.name != profile.name.strip():
        raise Invalid(f"{profile.name!r} is no name of a profile; it may hold no / and no @")
    with store.transaction():
        newest = _newest(store, profile.name)
        if newest is not None and profile.replace(version=newest.version) == newest:
            return newest
        version = newest.version + 1 if newest else 1
        if version > MOST_VERSIONS:
            raise Conflict(
                f"profile {profile.name!r} has {MOST_VERSIONS} versions; take a new name"
            )
        kept = profile.replace(version=version)
        store.save(f"{_KEPT}{kept.name}/{version:04}", dumps(kept))
    return kept


def in_use(store: Store) -> Profile:
    """Give the profile the store uses where nobody names one."""
    uses = adoptions(store)
    return find(store, uses[-1].ref) if uses else DEFAULT


def adopt(store: Store, profile: Profile, *, at: datetime, by: str = "", why: str = "") -> Adopted:
    """Take a profile into use from now on; it must be built-in or kept."""
    find(store, profile.ref)
    adopted = Adopted(name=profile.name, version=profile.version, at=at, by=by, why=why)
    with store.transaction():
        uses = [*adoptions(store), adopted][-MOST_KEPT:]
        store.save(_IN_USE, plain_json.dumps([_record(one) for one in uses]))
        note(store, Noted(at=at, event="adopted", subject=adopted.ref, by=by, why=why))
    return adopted


def adoptions(store: Store) -> list[Adopted]:
    """Give what was taken into use, oldest first; nothing where it was always the default."""
    text = store.load(_IN_USE)
    if not text:
        return []
    return [
        Adopted(
            name=one["name"],
            version=one["version"],
            at=parse_time(one["at"]),
            by=one["by"],
            why=one["why"],
        )
        for one in plain_json.loads(text)
    ]


def rollback(store: Store, *, at: datetime, by: str = "", why: str = "") -> Adopted:
    """Take into use again what was in use before the last change; said twice, go back twice."""
    with store.transaction():
        uses = adoptions(store)
        if not uses:
            raise Conflict("nothing was ever changed: the default is in use")
        before = find(store, uses[-2].ref) if len(uses) > 1 else DEFAULT
        left = uses[:-1]
        store.save(_IN_USE, plain_json.dumps([_record(one) for one in left]))
        note(store, Noted(at=at, event="rolled back", subject=before.ref, by=by, why=why))
    return Adopted(name=before.name, version=before.version, at=at, by=by, why=why)


def _newest(store: Store, name: str) -> Profile | None:
    kept = store.documents(f"{_KEPT}{name}/", backwards=True, limit=1)
    return loads(kept[0][1]) if kept else PROFILES.get(name)


def _record(one: Adopted) -> dict[str, object]:
    return {
        "name": one.name,
        "version": one.version,
        "at": show_time(one.at),
        "by": one.by,
        "why": one.why,
    }

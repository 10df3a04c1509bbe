"""Profiles by way of the facade: which there are, which is in use, and how to change that."""

from __future__ import annotations

from tacit.system.opened import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from tacit.learn.profiles import Adopted
    from tacit.profile import Profile


class Profiles(Opened):
    """What shows and changes the numbers and choices that all else depends on."""

    def profiles(self, name: str = "") -> list[Profile]:
        """Give the newest version of every profile, the built-in ones first; or all of one name."""
        from tacit.learn.profiles import known

        every = known(self.store)
        if name:
            self.find_profile(name)
            return [one for one in every if one.name == name]
        return list({one.name: one for one in every}.values())

    def find_profile(self, named: str) -> Profile:
        """Give a profile by name, its newest version, or by `name@version`."""
        from tacit.learn.profiles import find

        return find(self.store, named)

    def adopt_profile(self, named: str, *, why: str = "", by: str = "") -> Adopted:
        """Take a profile into use from now on, wherever none is named; the log keeps why."""
        from tacit.learn.profiles import adopt

        self._require("set")
        profile = self.find_profile(named)
        adopted = adopt(self.store, profile, at=self.clock.now(), by=by or self._by(), why=why)
        if not self._profile_is_set:
            self.profile = profile
        return adopted

    def change_profile(
        self,
        named: str,
        changes: Mapping[str, Any],
        *,
        start: str = "",
        why: str = "",
        by: str = "",
    ) -> Profile:
        """Keep a profile with some fields changed as its next version, and take it into use.

        `kinds.fact` changes the factor of one kind. With `start` a profile of a new name begins
        as the one named there. `Invalid` tells the field that is unknown or out of its range.
        """
        from tacit.learn.profiles import keep
        from tacit.learn.written import changed

        self._require("set")
        profile = self.find_profile(start or named).replace(name=named.partition("@")[0])
        kept = keep(self.store, changed(profile, changes))
        self.adopt_profile(kept.ref, why=why, by=by)
        return kept

    def keep_profile(self, profile: Profile | Mapping[str, Any]) -> Profile:
        """Keep a profile as the next version of its name, without taking it into use.

        One equal to the newest changes nothing. Given as JSON, what is missing is as in the
        default.
        """
        from tacit.learn.profiles import keep
        from tacit.learn.written import read
        from tacit.profile import Profile

        self._require("set")
        return keep(self.store, profile if isinstance(profile, Profile) else read(profile))

    def profile_history(self) -> list[Adopted]:
        """Give which profiles were taken into use, when, by whom and why, the last first."""
        from tacit.learn.profiles import adoptions

        return adoptions(self.store)[::-1]

    @property
    def _profile_is_set(self) -> bool:
        """Whether a setting names the profile to use, which goes before what is adopted."""
        return self.settings is not None and self.settings.profile != "default"

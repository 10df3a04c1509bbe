"""Learning by way of the facade: compare profiles, let the better ones be used, take it back."""

from __future__ import annotations

from tacit.errors import Conflict, Invalid
from tacit.system.opened import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.learn.log import Noted
    from tacit.learn.policy import Policy
    from tacit.learn.standing import Standing
    from tacit.learn.update import Step

# What is tried beside the profile in use where nobody names arms.
USUAL_ARMS = ("semantic-heavy", "episodic-heavy", "balanced")
MOST_ARMS = 20
LIMITS = ("discount", "explore", "shift", "guardrail", "least", "stretch")


class Learning(Opened):
    """What learns which profile helps."""

    def learn_status(self) -> Standing:
        """Tell where learning stands: arms, shares, evidence, intervals, and when more is known."""
        from tacit.learn.policy import load
        from tacit.learn.rewards import gathered, weighed
        from tacit.learn.standing import standing

        now, policy = self.clock.now(), load(self.store)
        found = [] if policy.mode == "off" else gathered(self.store, policy, now)
        return standing(policy, weighed(found, policy.since or now), now)

    def learn_start(
        self,
        arms: Sequence[str] = (),
        *,
        compare: bool = False,
        seed: int | None = None,
        known: Mapping[str, tuple[float, float]] | None = None,
        limits: Mapping[str, float] | None = None,
    ) -> Policy:
        """Begin to give sessions different profiles, and to learn which of them helps.

        The profile in use is the control and always among the arms. With `compare` every arm is
        given to as many sessions and nothing is changed by what comes of it. `known` are good and
        bad sessions of an arm from elsewhere, such as a replay. `limits` are those of the policy:
        discount, explore, shift, guardrail, least, stretch.
        """
        from tacit.learn.policy import Policy, load
        from tacit.learn.profiles import find

        self._require("consolidate")
        if load(self.store).mode != "off":
            raise Conflict("learning is on already; to begin anew, first: tacit learn stop")
        control = self.profile.ref
        named = [find(self.store, arm).ref for arm in arms or USUAL_ARMS]
        tried = tuple(dict.fromkeys((control, *named)))
        if not 2 <= len(tried) <= MOST_ARMS:
            raise Invalid(f"name 1 to {MOST_ARMS - 1} profiles beside {control}, which is in use")
        now = self.clock.now()
        policy = Policy(
            mode="compare" if compare else "adapt",
            control=control,
            arms=tried,
            seed=self._seed() if seed is None else seed,
            since=now,
            moved=now,
            known={find(self.store, arm).ref: given for arm, given in (known or {}).items()},
        ).replace(**_limits(limits or {}))
        return self._changed(policy, "started", f"{policy.mode}: {', '.join(tried)}")

    def learn_pause(self) -> Policy:
        """Give every session the profile in use; what was learnt is kept."""
        policy = self._running()
        if policy.paused:
            raise Conflict("learning is paused already; to go on: tacit learn resume")
        return self._changed(policy.replace(paused=True), "paused")

    def learn_resume(self) -> Policy:
        """Go on where learning was paused."""
        policy = self._running()
        if not policy.paused:
            raise Conflict("learning is not paused")
        return self._changed(policy.replace(paused=False), "resumed")

    def learn_stop(self) -> Policy:
        """End learning; the profile in use stays as it is."""
        from tacit.learn.policy import Policy

        self._running()
        return self._changed(Policy(), "stopped")

    def learn_update(self) -> Step:
        """Learn from what sessions came to; a cycle does so by itself."""
        from tacit.learn.update import update

        self._running()
        self._require("consolidate")
        return update(self.store, self.clock.now(), by=self._by())

    def learn_rollback(self) -> Policy:
        """Take the last change of learning back, and pause it; said twice, take back two."""
        from tacit.learn.log import Noted, note
        from tacit.learn.policy import go_back

        self._require("consolidate")
        with self.store.transaction():
            policy = go_back(self.store)
            what = f"version {policy.version}, {policy.state}"
            now = self.clock.now()
            note(self.store, Noted(at=now, event="taken back", subject=what, by=self._by()))
        return policy

    def learn_explain(self, arm: str = "") -> list[str]:
        """Tell in plain words why each arm, or one of them, has the share it has."""
        from tacit.learn.profiles import find
        from tacit.learn.standing import explained

        self._running()
        found = self.learn_status()
        named = [find(self.store, arm).ref] if arm else found.policy.arms
        if arm and named[0] not in found.policy.arms:
            raise Invalid(f"{named[0]} is no arm; there are {', '.join(found.policy.arms)}")
        return [line for one in named for line in explained(found, one)]

    def learn_log(self, limit: int = 50) -> list[Noted]:
        """Give what learning did and which profiles were taken into use, the last first."""
        from tacit.learn.log import noted

        return noted(self.store, limit)

    def _running(self) -> Policy:
        from tacit.learn.policy import load

        policy = load(self.store)
        if policy.mode == "off":
            raise Conflict("learning is off; to begin: tacit learn start")
        return policy

    def _changed(self, policy: Policy, event: str, why: str = "") -> Policy:
        from tacit.learn.log import Noted, note
        from tacit.learn.policy import change

        self._require("consolidate")
        with self.store.transaction():
            changed = change(self.store, policy)
            now, by = self.clock.now(), self._by()
            note(self.store, Noted(at=now, event=event, subject="learning", by=by, why=why))
        return changed

    def _seed(self) -> int:
        from binascii import crc32

        return crc32(self.clock.new_id().encode())


def _limits(given: Mapping[str, float]) -> dict[str, float]:
    unknown = [name for name in given if name not in LIMITS]
    if unknown:
        raise Invalid(f"there is no limit {unknown[0]!r}; there are {', '.join(LIMITS)}")
    return {
        name: int(value) if name in ("least", "stretch") else float(value)
        for name, value in given.items()
    }

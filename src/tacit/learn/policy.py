"""What learning may do, and how far it has come: one document of the store, each change a version.

Without the document nothing is learnt and every session gets the profile in use. The profile in
use when learning began is the control; where another was taken into use since, or somebody names
one, the policy is silent. Light enough for a hook.
"""

from __future__ import annotations

from tacit import plain_json
from tacit.clock import parse_time, show_time
from tacit.errors import Conflict, Invalid
from tacit.learn.assign import Assigned, draw, explored, mixed
from tacit.learn.serving import POLICY
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from typing import Any

    from tacit.store.protocol import Store

_KEPT = "learn-policies/"
MOST_KEPT = 400  # versions; the oldest are dropped
MODES = ("off", "compare", "adapt")


class Policy(Value):
    """Which arms are tried, how they are mixed, and the limits that hold."""

    mode: str = "off"
    paused: bool = False
    version: int = 0
    control: str = ""  # the profile that was in use when learning began, as name@version
    arms: tuple[str, ...] = ()  # all that are tried, the control first
    seed: int = 0
    since: datetime | None = None  # when learning began; what was before is no evidence
    moved: datetime | None = None  # when the leads were last changed
    leads: dict[str, dict[str, float]] = {}  # by type of task: what does not explore
    barred: dict[str, dict[str, str]] = {}  # by type of task: arms that fell, and until when
    known: dict[str, tuple[float, float]] = {}  # by arm: good and bad sessions of before

    discount: float = 0.99  # what a session is worth after a day
    explore: float = 0.1  # the share of all sessions that explores
    shift: float = 0.05  # of all draws: the most that changes in a day
    guardrail: float = 0.2  # of the control's mean: the most an arm may surely be below it
    least: int = 50  # sessions of each side before anything is said about them
    stretch: int = 28  # days that a guardrail looks back on, and that an arm which fell is out

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise Invalid(f"mode {self.mode!r} is unknown; use one of {', '.join(MODES)}")
        for name in ("explore", "shift", "guardrail"):
            if not 0.0 < getattr(self, name) < 1.0:
                raise Invalid(f"{name} is {getattr(self, name)}; it must be between 0 and 1")
        if not 0.5 <= self.discount <= 1.0:
            raise Invalid(f"discount is {self.discount}; it must be from 0.5 to 1")
        if self.least < 1 or self.stretch < 1:
            raise Invalid("least and stretch must be above 0")

    @property
    def on(self) -> bool:
        """Whether sessions are given arms."""
        return self.mode != "off" and not self.paused

    @property
    def state(self) -> str:
        """The mode, or that it waits."""
        return "paused" if self.paused and self.mode != "off" else self.mode

    def open_arms(self, task_type: str) -> tuple[str, ...]:
        """Give the arms that may be drawn for a type of task."""
        out = self.barred.get(task_type, {})
        return tuple(arm for arm in self.arms if arm not in out)

    def tried(self, task_type: str) -> dict[str, float]:
        """Give how what explores is divided."""
        return explored(self.control, self.open_arms(task_type))

    def lead(self, task_type: str) -> dict[str, float]:
        """Give how what does not explore is divided: the control's, until something is learnt."""
        if self.mode == "compare":
            arms = self.open_arms(task_type)
            return {arm: 1.0 / len(arms) for arm in arms}
        return self.leads.get(task_type) or {self.control: 1.0}

    def mix(self, task_type: str) -> dict[str, float]:
        """Give the chance of each arm; a comparison gives all the same."""
        if self.mode == "compare":
            return self.lead(task_type)
        return mixed(self.lead(task_type), self.tried(task_type), self.explore)

    def assigned(self, session: str, task_type: str) -> Assigned:
        """Give the arm of a session for a type of task."""
        alike = self.mode == "compare"
        return draw(
            self.lead(task_type),
            self.lead(task_type) if alike else self.tried(task_type),
            self.explore,
            session=session,
            task_type=task_type,
            seed=self.seed,
        )


def load(store: Store) -> Policy:
    """Give the policy that holds; one that is off where none was ever made."""
    text = store.load(POLICY)
    return loads(text) if text else Policy()


def change(store: Store, policy: Policy) -> Policy:
    """Let a policy hold from now on, as the next version."""
    with store.transaction():
        before = load(store)
        changed = policy.replace(version=before.version + 1)
        store.save(f"{_KEPT}{before.version:06}", dumps(before))
        store.save(POLICY, dumps(changed))
        dropped = store.documents(_KEPT, limit=1)
        if dropped and before.version - int(dropped[0][0].removeprefix(_KEPT)) >= MOST_KEPT:
            store.discard([dropped[0][0]])
    return changed


def go_back(store: Store) -> Policy:
    """Let the version before hold again, paused; said twice, go back twice.

    Paused, since learning would else do the same again by itself.
    """
    with store.transaction():
        versions = store.documents(_KEPT, backwards=True, limit=1)
        if not versions:
            raise Conflict("nothing was ever learnt: there is no version to go back to")
        before = loads(versions[0][1])
        before = before.replace(paused=before.mode != "off")
        store.save(POLICY, dumps(before))
        store.discard([versions[0][0]])
    return before


def dumps(policy: Policy) -> str:
    """Write a policy as one line of JSON."""
    return plain_json.dumps(written(policy), ensure_ascii=False)


def written(policy: Policy) -> dict[str, Any]:
    """Give a policy as plain JSON."""
    fields = {name: getattr(policy, name) for name in Policy._fields}
    times = {name: show_time(fields[name]) if fields[name] else None for name in ("since", "moved")}
    known = {arm: list(counts) for arm, counts in policy.known.items()}
    return fields | times | {"arms": list(policy.arms), "known": known}


def loads(text: str) -> Policy:
    """Read a policy that was written."""
    given: Mapping[str, Any] = plain_json.loads(text)
    fields = {name: given[name] for name in Policy._fields if name in given}
    for name in ("since", "moved"):
        fields[name] = parse_time(fields[name]) if fields.get(name) else None
    fields["arms"] = tuple(fields.get("arms", ()))
    fields["known"] = {arm: (good, bad) for arm, (good, bad) in fields.get("known", {}).items()}
    return Policy(**fields)

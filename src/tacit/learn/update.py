"""One step of learning: what became of sessions in, a policy with another mix out.

Evidence is counted anew from the log each time, so a session that ends late counts, and a step that
is taken twice changes nothing the second time. `step` is pure; `update` reads and writes the store.
"""

from __future__ import annotations

from datetime import timedelta

from tacit.clock import parse_time, show_time
from tacit.learn import policy as policies
from tacit.learn.bandit import chances, posterior
from tacit.learn.guardrails import distance, has_fallen, limited
from tacit.learn.log import Noted, note
from tacit.learn.rewards import gathered, weighed
from tacit.learn.sequential import ALPHA
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from numpy.random import Generator

    from tacit.learn.bandit import Evidence, Posterior
    from tacit.learn.policy import Policy
    from tacit.store.protocol import Store

DAY = timedelta(days=1)
SOONEST = timedelta(hours=6)  # between two changes of a mix; each is a version
STILL = 0.0005  # of all draws: a smaller change is none


class Step(Value):
    """What a step came to: the policy after it, and what is to be noted."""

    policy: Policy
    notes: tuple[Noted, ...] = ()


def update(store: Store, now: datetime, *, by: str = "learning") -> Step:
    """Learn from the log what can be learnt now; nothing where learning is off or paused."""
    held = policies.load(store)
    if not held.on or held.since is None:
        return Step(policy=held)
    evidence = weighed(gathered(store, held, now), held.since)
    taken = step(held, evidence, now)
    if taken.policy == held:
        return taken
    with store.transaction():
        changed = policies.change(store, taken.policy)
        for one in taken.notes:
            note(store, one.replace(by=by))
    return taken.replace(policy=changed)


def step(held: Policy, evidence: Evidence, now: datetime) -> Step:
    """Take out what fell, let in what was out long enough, and move the mixes by a little."""
    notes: list[Noted] = []
    held = _let_in(held, now, notes)
    for task_type in evidence.task_types():
        held = _guarded(held, task_type, evidence, now, notes)
    if held.mode == "adapt":
        held = _moved(held, evidence, now, notes)
    return Step(policy=held, notes=tuple(notes))


def believed(
    held: Policy, task_type: str, evidence: Evidence, now: datetime
) -> dict[str, Posterior]:
    """Give what is believed of each arm that may be drawn."""
    today = _day(held, now)
    return {
        arm: posterior(
            evidence.days(task_type, arm),
            today,
            discount=held.discount,
            known=held.known.get(arm, (0.0, 0.0)),
        )
        for arm in held.open_arms(task_type)
    }


def stretch_start(held: Policy, now: datetime) -> int:
    """Give the day on which the present stretch of the guardrail began.

    Stretches do not overlap, so each is a sequence of its own, and what was long ago neither
    hides a fall nor makes one.
    """
    return _day(held, now) // held.stretch * held.stretch


def _day(held: Policy, now: datetime) -> int:
    return max(0, (now - held.since).days) if held.since else 0


def _let_in(held: Policy, now: datetime, notes: list[Noted]) -> Policy:
    barred: dict[str, dict[str, str]] = {}
    for task_type, arms in held.barred.items():
        left = {arm: until for arm, until in arms.items() if parse_time(until) > now}
        notes += [
            _noted(now, "let in", arm, task_type, "it was out long enough")
            for arm in arms
            if arm not in left
        ]
        if left:
            barred[task_type] = left
    return held.replace(barred=barred)


def _guarded(
    held: Policy, task_type: str, evidence: Evidence, now: datetime, notes: list[Noted]
) -> Policy:
    """Take out the arms that surely do worse than the control; what they led, it leads again."""
    since = stretch_start(held, now)
    control = evidence.count(task_type, held.control, since=since)
    others = [arm for arm in held.open_arms(task_type) if arm != held.control]
    for arm in others:
        count = evidence.count(task_type, arm, since=since)
        alpha = ALPHA / max(1, len(held.arms) - 1)
        if not has_fallen(count, control, most=held.guardrail, least=held.least, alpha=alpha):
            continue
        until = show_time(now + held.stretch * DAY)
        barred = held.barred | {task_type: held.barred.get(task_type, {}) | {arm: until}}
        lead = dict(held.leads.get(task_type, {}))
        led = lead.pop(arm, 0.0)
        if led:
            lead[held.control] = lead.get(held.control, 0.0) + led
            held = held.replace(leads=held.leads | {task_type: lead})
        held = held.replace(barred=barred)
        why = (
            f"{count.mean:.0%} of {count.sessions} sessions went well, of the control's "
            f"{control.sessions} at the same time {control.mean:.0%}: more than "
            f"{held.guardrail:.0%} below; out until {until[:10]}"
        )
        notes.append(_noted(now, "rolled back", arm, task_type, why))
    return held


def _moved(held: Policy, evidence: Evidence, now: datetime, notes: list[Noted]) -> Policy:
    passed = now - (held.moved or held.since or now)
    if passed < SOONEST:
        return held
    most = held.shift * min(1.0, passed / DAY) / (1.0 - held.explore)
    leads = dict(held.leads)
    for task_type in evidence.task_types():
        arms = believed(held, task_type, evidence, now)
        wanted = chances(arms, _chance(held, task_type, now))
        before = held.lead(task_type)
        after = limited(before, wanted, most)
        if distance(before, after) < STILL:
            continue
        leads[task_type] = {arm: round(share, 6) for arm, share in after.items() if share > 1e-6}
        best = max(after, key=lambda arm: after[arm])
        why = f"{after[best]:.0%} of what does not explore, {wanted[best]:.0%} likely the best"
        notes.append(_noted(now, "moved", best, task_type, why))
    return held if leads == held.leads else held.replace(leads=leads, moved=now)


def _chance(held: Policy, task_type: str, now: datetime) -> Generator:
    """Give the chance of a day: the same day draws the same."""
    from binascii import crc32

    from numpy.random import default_rng

    return default_rng([held.seed, _day(held, now), crc32(task_type.encode())])


def _noted(now: datetime, event: str, arm: str, task_type: str, why: str) -> Noted:
    where = f"{task_type or 'any task'}: "
    return Noted(at=now, event=event, subject=arm, why=where + why)

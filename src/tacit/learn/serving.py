"""The profile a session is served by while learning is on; loads nothing more while it is off."""

from __future__ import annotations

from tacit.session.credit import HANDED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.profile import Profile
    from tacit.store.protocol import Store

POLICY = "learn-policy"


def arm_of(
    store: Store, in_use: Profile, session: str, task_type: Callable[[], str]
) -> tuple[Profile, str] | None:
    """Give the arm of a session and the type of task it is drawn for; None where none is drawn.

    An arm stays for the session, also where the mix has moved since, unless it fell meanwhile.
    Where another profile is in use than the one learning began with, nothing is drawn.
    """
    text = store.load(POLICY)
    if not text:
        return None
    from tacit.learn.policy import loads
    from tacit.learn.profiles import find

    policy = loads(text)
    if not policy.on or in_use.ref != policy.control:
        return None
    type_ = task_type()
    open_arms = policy.open_arms(type_)
    earlier = (
        one.profile
        for one in store.queries(session)
        if one.drawn and one.task_type == type_ and one.kind in HANDED and one.profile in open_arms
    )
    arm = next(earlier, "") or policy.assigned(session, type_).arm
    return (in_use if arm == policy.control else find(store, arm)), type_

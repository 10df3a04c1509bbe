"""Transfer by way of the facade: what helped in one project is lifted to the person's own store."""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.model import Link, Relation
from tacit.system.writing import Writing
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.learn.transfer import Proposal
    from tacit.model import Memory


class Lifted(Value):
    """What may be lifted or is kept back and why, and the copies that were made."""

    proposals: tuple[Proposal, ...]
    copies: tuple[Memory, ...] = ()


class Lifting(Writing):
    """What makes one project's experience that of all."""

    def transfer(self, *, lift: bool = False, accept: bool = False) -> Lifted:
        """Give the patterns that proved helpful here and may help elsewhere; lift them if told.

        A lifted pattern is copied to the person's own store, which every project of theirs reads.
        What a person said or confirmed is served there at once, the rest after a review, or at
        once with `accept`. Secrets are redacted as in anything that is written.
        """
        from tacit.learn.transfer import copied, proposals
        from tacit.model import Scope
        from tacit.opening import plain_name

        if self.settings is None or not self.settings.user:
            raise Invalid(
                "it is not known whose memory this is; open it with settings, or by project"
            )
        wider = self.user_store
        if wider is None and lift:
            wider = self._personal()
        own = self.store if wider is None and not self._user_location else wider
        found = tuple(proposals(self.store, own, self._own(), self.clock.now()))
        chosen = [one.memory for one in found if not one.kept_back]
        if not lift or not chosen:
            return Lifted(proposals=found)
        scope = Scope(path=f"user:{plain_name(self.settings.user)}")
        made = self.write([copied(memory, scope, accepted=accept) for memory in chosen]).memories
        if wider is self.store:
            now = self.clock.now()
            self.store.link(
                [
                    Link(src=copy.id, dst=old.id, relation=Relation.DERIVED_FROM, valid_from=now)
                    for copy, old in zip(made, chosen, strict=True)
                ]
            )
        for memory in chosen:
            self._audit("lift", memory.id)
        return Lifted(proposals=found, copies=made)

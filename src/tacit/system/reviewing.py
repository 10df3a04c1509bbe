"""Reviewing by way of the facade: what will be done when nobody waits, told before it is done."""

from __future__ import annotations

from tacit.system.consolidating import Consolidating

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.consolidate.moves import Move
    from tacit.consolidate.room import Rules


class Reviewing(Consolidating):
    """What a person may look at before it happens."""

    def outlook(self, rules: Rules | None = None) -> list[Move]:
        """Give what the next cycle will promote, demote, archive, forget and restore, and why.

        What is `proposed` does not happen by itself: a person decides. Nothing is changed.
        """
        from tacit.consolidate.outlook import outlook
        from tacit.consolidate.room import Room

        rooms = (
            Room(
                store=store,
                now=self.clock.now(),
                scope=self.scope,
                counter=self.counter,
                rules=rules or self.rules,
                profile=self.profile,
                scopes=self._own() if store is self.store else (),
            )
            for store in self._stores()
        )
        return [move for room in rooms for move in outlook(room)]

"""Guarding by way of the facade: where secrets are, who asked for them, and who did what."""

from __future__ import annotations

from tacit.errors import Denied
from tacit.model import Memory, State
from tacit.system.writing import Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.roles import AuditEntry


class Guarding(Writing):
    """What keeps watch: the vault and the record of acts."""

    def keep_secret(self, text: str, where: str, **fields: Any) -> Memory:
        """Keep where a secret is, such as `keyring:tacit/prod-deploy`; never the secret itself."""
        from tacit.write.secret_reference import secret_fields

        return self.remember(text, **fields, **secret_fields(where))

    def secrets(self) -> list[Memory]:
        """Give the memories that say where a secret is, oldest first."""
        from tacit.store.protocol import Filter
        from tacit.write.secret_reference import SUBTYPE

        where = Filter(subtypes=(SUBTYPE,), at=self.clock.now(), scopes=self._visible)
        return list(self._reader().scan(where))

    def secret_place(self, ref: str) -> tuple[Memory, str]:
        """Give where a secret is to somebody who is about to fetch it, and put that on record.

        Only what is served counts, and only for those who may see it and write; the secret
        itself is fetched by the caller, and never passes through here.
        """
        from tacit.write.secret_reference import place_of

        store, memory = self._find(ref)
        place = place_of(memory)
        self._require("open the vault", memory, store)
        if memory.state is not State.ACTIVE:
            self._audit("refused: vault get", memory.id, store)
            raise Denied(f"{memory.short} is {memory.state}; restore it first")
        self._audit("vault get", memory.id, store)
        return memory, place

    def audit(self, *, limit: int = 100) -> list[AuditEntry]:
        """Give who did what, the newest first: shares, erasures, secrets asked for, refusals."""
        self._require("read the audit")
        return self.store.audit(limit=limit)

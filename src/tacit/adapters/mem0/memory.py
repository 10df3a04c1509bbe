"""`Memory`: mem0's methods on a memory of Tacit."""

from __future__ import annotations

import logging
import os
from datetime import UTC

from tacit.adapters.holder import Holder
from tacit.adapters.mem0 import checks
from tacit.adapters.mem0.adding import as_said, as_understood, metadata_of, procedure
from tacit.adapters.mem0.checks import Refused
from tacit.adapters.mem0.finding import THRESHOLD, Options, fitting, hits, results
from tacit.adapters.mem0.infer import texts_of, understood
from tacit.adapters.mem0.payload import SOURCE, id_of, item_of, known_of, rows_of, with_known
from tacit.adapters.mem0.place import USED, location
from tacit.config import load_settings, user_store_path
from tacit.retrieve.past import history_of
from tacit.store.protocol import EVERY_STATE, EVERYTHING, SERVED, Filter
from tacit.write.change import rewritten
from tacit.write.history import change
from tacit.write.reembed import embed_now

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    from tacit.model import Memory as Kept
    from tacit.model import State
    from tacit.system import Tacit

BY = "mem0"  # who changed something, in histories
UNSET: Any = object()
_log = logging.getLogger(__name__)


class Memory(Holder):
    """mem0's memory, without a language model and without a vector store of its own."""

    def __init__(self, config: Any = None, *, tacit: Tacit | None = None) -> None:
        """Open the memory a configuration of mem0 names, by default one in Tacit's folder.

        Of the configuration the collection and the path of the vector store count; the models
        are Tacit's own. Or use a memory that is open.
        """
        self.config = config
        self.opened_here = tacit is None
        self.tacit = tacit or _opened(config)

    @classmethod
    def from_config(cls, config_dict: dict[str, Any]) -> Self:
        """Open the memory a configuration of mem0 names."""
        return cls(config_dict)

    def add(
        self,
        messages: Any,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        timestamp: Any = None,
        expiration_date: Any = None,
        infer: bool = True,
        memory_type: str | None = None,
        prompt: str | None = None,
    ) -> dict[str, Any]:
        """Keep what messages say; give what was new.

        With `infer` the sentences that state something are kept, each once for these ids; without
        it every message as it is. A `prompt` is for language models and changes nothing here.
        """
        if timestamp is not None:
            raise Refused(checks.UNSUPPORTED.format("timestamp"))
        last_day = checks.checked_day(expiration_date)
        ids = checks.whose({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        checks.checked_type(memory_type)
        said = texts_of(checks.checked_messages(messages))
        known: dict[str, Any] = metadata_of(metadata, {}, "add()") | ids
        if last_day is not None:
            known["expiration_date"] = last_day
        if memory_type is not None and agent_id is not None:
            return {"results": _added(as_said(self.tacit, procedure(said, known), ids))}
        if not infer:
            return {"results": self._messages(said, known, ids)}
        found = understood(said, of_agent="agent_id" in ids and "user_id" not in ids)
        sayings = [(text, known | {"attributed_to": role}) for text, role in found]
        return {"results": _added(as_understood(self.tacit, sayings, ids))}

    def search(
        self,
        query: str,
        *,
        top_k: int = 20,
        filters: dict[str, Any] | None = None,
        threshold: float | None = THRESHOLD,
        rerank: bool = False,
        explain: bool = False,
        reference_date: Any = None,
        show_expired: bool = False,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Find memories, best first; `filters` say whose they are and what must be so of them.

        The threshold is the cut of the recall: how much must speak for a memory by itself. With
        `rerank` Tacit's reranker is asked, where one is configured.
        """
        if reference_date is not None:
            raise Refused(checks.UNSUPPORTED.format("reference_date"))
        checks.no_ids(kwargs, "search")
        most = _most(kwargs, top_k)
        checks.checked_bounds(threshold, most)
        asked, wanted = checks.checked_query(query), checks.checked_filters(filters)
        if not most:
            return {"results": []}
        options = Options(
            top_k=most,
            threshold=THRESHOLD if threshold is None else float(threshold),
            rerank=rerank,
            explain=explain,
            show_expired=show_expired,
        )
        found = hits(self.tacit, asked, wanted, options)
        return {"results": results(found, self.tacit.profile, options)}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """Give one memory; None where there is none."""
        memory = self._find(memory_id)
        return None if memory is None else item_of(memory) | {"score": None}

    def get_all(
        self,
        *,
        filters: dict[str, Any] | None = None,
        top_k: int = 20,
        show_expired: bool = False,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Give memories without a question, the newest first."""
        checks.no_ids(kwargs, "get_all")
        most = _most(kwargs, top_k)
        checks.checked_bounds(top_k=most)
        wanted = checks.checked_filters(filters)
        found = fitting(self.tacit, wanted, show_expired=show_expired)
        return {"results": [item_of(memory) for memory in found[:most]]}

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: dict[str, Any] | None = None,
        expiration_date: Any = UNSET,
        data: str | None = None,
    ) -> dict[str, str]:
        """Give a memory other words, metadata or another end; what it was stays in its history."""
        words = data if text is None else text
        if words is None and metadata is None and expiration_date is UNSET:
            raise Refused("At least one of text, metadata, or expiration_date must be provided.")
        memory = self._there(memory_id, ". Please provide a valid 'memory_id'")
        known = known_of(memory)
        changed = metadata_of(metadata, known, "update()")
        changed.pop("created_at", None)
        if expiration_date is not UNSET:
            changed["expiration_date"] = checks.checked_day(expiration_date)
        now = self.tacit.clock.now()
        known |= changed | {"updated_at": now.astimezone(UTC).isoformat()}

        def alter(old: Kept) -> Kept:
            short = self.tacit.profile.compression
            new = old if words is None else rewritten(old, words, self.tacit.counter, short)
            return with_known(new, known)

        (edited,) = change(self.tacit.store, [memory.id], alter, op="edit", by=BY, at=now)
        embed_now(self.tacit.store, [edited], self.tacit.embedder)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Forget a memory; its history stays."""
        self.tacit.forget(self._there(memory_id).id, by=BY)
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        """Forget all memories of a user, an agent or a run, or of what they have in common."""
        ids = checks.checked_ids({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        if not ids:
            raise Refused(
                "At least one filter is required to delete all memories. If you want to delete "
                "all memories, use the `reset()` method."
            )
        with self.tacit.store.transaction():
            for memory in fitting(self.tacit, ids, show_expired=True):
                self.tacit.forget(memory.id, by=BY)
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """Give what became of a memory, also of one that was deleted; the first change first."""
        memory = self._find(memory_id, EVERY_STATE)
        return [] if memory is None else rows_of(memory, history_of(self.tacit.store, memory))

    def reset(self) -> None:
        """Erase everything that came by this interface, with its history; other memories stay."""
        every = self.tacit.store.scan(EVERYTHING)
        self.tacit.erase([memory.id for memory in every if memory.source_ref.startswith(SOURCE)])

    def chat(self, query: str) -> None:
        """Do as mem0 does."""
        raise NotImplementedError("Chat function not implemented yet.")

    def _messages(
        self, said: Sequence[dict[str, Any]], known: dict[str, Any], ids: dict[str, str]
    ) -> list[dict[str, Any]]:
        """Keep every message but those of the system."""
        kept = [message for message in said if message["role"] != "system"]
        sayings = []
        for message in kept:
            actor = {"actor_id": str(message["name"])} if message.get("name") else {}
            sayings.append((message["content"], known | {"role": str(message["role"])} | actor))
        added = _added(as_said(self.tacit, sayings, ids))
        return [
            item | {"actor_id": message.get("name") or None, "role": message["role"]}
            for item, message in zip(added, kept, strict=True)
        ]

    def _find(self, memory_id: object, states: tuple[State, ...] = SERVED) -> Kept | None:
        where = Filter(sources=(f"{SOURCE}{memory_id}",), states=states)
        found = [m for m in self.tacit.store.scan(where) if m.retired_at is None]
        return found[-1] if found else None

    def _there(self, memory_id: object, more: str = "") -> Kept:
        memory = self._find(memory_id)
        if memory is None:
            raise Refused(f"Memory with id {memory_id} not found{more}")
        return memory


def _added(memories: Sequence[Kept]) -> list[dict[str, Any]]:
    return [{"id": id_of(each), "memory": each.text, "event": "ADD"} for each in memories]


def _most(more: dict[str, Any], top_k: int) -> Any:
    """Give how many results are wanted: `limit` is what top_k was called before."""
    if unknown := set(more) - {"limit"}:
        _log.warning("mem0 passes over what it does not know, so does this: %s", sorted(unknown))
    return more.get("limit", top_k)


def _opened(config: Any) -> Tacit:
    from tacit.system import Tacit

    given = config.model_dump() if hasattr(config, "model_dump") else config or {}
    if unused := sorted(name for name in given if name not in USED):
        _log.info("Tacit has its own models and store; not used of the configuration: %s", unused)
    home = os.path.dirname(user_store_path(load_settings(os.environ)))
    place, scope = location(given, home)
    return Tacit.open(place, scope=scope.path)

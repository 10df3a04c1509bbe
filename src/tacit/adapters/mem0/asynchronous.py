"""`AsyncMemory`: the same memory for asynchronous programs; the work is done in threads."""

from __future__ import annotations

from functools import partial

from tacit.adapters.mem0.finding import THRESHOLD
from tacit.adapters.mem0.memory import UNSET, Memory
from tacit.adapters.threads import in_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Self

    from tacit.system import Tacit


class AsyncMemory:
    """mem0's asynchronous memory, without a language model or a vector store of its own."""

    def __init__(self, config: Any = None, *, tacit: Tacit | None = None) -> None:
        self._memory = Memory(config, tacit=tacit)
        self.config, self.tacit = config, self._memory.tacit

    @classmethod
    def from_config(cls, config_dict: dict[str, Any]) -> Self:
        """Open the memory a configuration of mem0 names."""
        return cls(config_dict)

    async def add(
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
        llm: Any = None,
    ) -> dict[str, Any]:
        """Keep what messages say; a language model is not asked, whichever is given."""
        call = partial(
            self._memory.add,
            messages,
            user_id=user_id,
            agent_id=agent_id,
            run_id=run_id,
            metadata=metadata,
            timestamp=timestamp,
            expiration_date=expiration_date,
            infer=infer,
            memory_type=memory_type,
            prompt=prompt,
        )
        return await in_thread(call)

    async def search(
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
        """Find memories, best first."""
        call = partial(
            self._memory.search,
            query,
            top_k=top_k,
            filters=filters,
            threshold=threshold,
            rerank=rerank,
            explain=explain,
            reference_date=reference_date,
            show_expired=show_expired,
            **kwargs,
        )
        return await in_thread(call)

    async def get(self, memory_id: str) -> dict[str, Any] | None:
        """Give one memory; None where there is none."""
        return await in_thread(self._memory.get, memory_id)

    async def get_all(
        self,
        *,
        filters: dict[str, Any] | None = None,
        top_k: int = 20,
        show_expired: bool = False,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Give memories without a question, the newest first."""
        call = partial(
            self._memory.get_all, filters=filters, top_k=top_k, show_expired=show_expired, **kwargs
        )
        return await in_thread(call)

    async def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: dict[str, Any] | None = None,
        expiration_date: Any = UNSET,
        data: str | None = None,
    ) -> dict[str, str]:
        """Give a memory other words, metadata or another end."""
        given = (memory_id, text, metadata, expiration_date, data)
        return await in_thread(self._memory.update, *given)

    async def delete(self, memory_id: str) -> dict[str, str]:
        """Forget a memory; its history stays."""
        return await in_thread(self._memory.delete, memory_id)

    async def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        """Forget all memories of a user, an agent or a run."""
        return await in_thread(self._memory.delete_all, user_id, agent_id, run_id)

    async def history(self, memory_id: str) -> list[dict[str, Any]]:
        """Give what became of a memory, also of one that was deleted."""
        return await in_thread(self._memory.history, memory_id)

    async def reset(self) -> None:
        """Erase everything that came by this interface, with its history."""
        await in_thread(self._memory.reset)

    async def chat(self, query: str) -> None:
        """Do as mem0 does."""
        self._memory.chat(query)

    def close(self) -> None:
        """Close the memory if it was opened here."""
        self._memory.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

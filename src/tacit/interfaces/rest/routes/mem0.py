"""The interface of mem0's own server, below `/mem0`: its clients need another address, no more.

What is said is kept as it is said: nothing is inferred from it by a language model. A memory
belongs to a user (its author), an agent and a run (its session), as when it is imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import ConfigDict, Field
from starlette.responses import Response

from tacit.body import Fact
from tacit.clock import parse_time
from tacit.draft import Draft
from tacit.errors import Denied, Invalid
from tacit.interfaces import wire_mem0
from tacit.interfaces.rest.asked import Asked, Line, Words
from tacit.interfaces.rest.desk import AtDesk
from tacit.interfaces.rest.told import Told
from tacit.model import Facet, FacetType, Mention, Origin, Trust

if TYPE_CHECKING:
    from tacit.interfaces.rest.desk import Memo
    from tacit.system import Tacit

router = APIRouter(prefix="/mem0", tags=["mem0"])
WHOSE = ("user_id", "agent_id", "run_id")
MOST_MESSAGES = 1_000
Id = Annotated[str, Path(max_length=300)]
Whose = Annotated[str, Query(max_length=1_000)]
TopK = Annotated[int, Query(ge=1, le=1_000)]


class Message(Asked):
    """One thing that was said."""

    model_config = ConfigDict(extra="ignore")

    role: Line = "user"
    content: Words


class Add(Asked):
    """What is to be kept, and whose it is."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "messages": [{"role": "user", "content": "I prefer small commits"}],
                "user_id": "ana",
            }
        }
    )

    messages: Annotated[list[Message], Field(min_length=1, max_length=MOST_MESSAGES)] | Words
    user_id: Line | None = None
    agent_id: Line | None = None
    run_id: Line | None = None
    metadata: dict[str, Any] | None = None
    expiration_date: Annotated[str, Field(max_length=40)] | None = None
    infer: bool | None = None
    memory_type: Line | None = None
    prompt: Words | None = None


class Update(Asked):
    """What a memory is to say instead."""

    text: Annotated[str, Field(min_length=1, max_length=1_000_000)]
    metadata: dict[str, Any] | None = None


class Search(Asked):
    """A question, and whose memories it is about."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"query": "commits", "filters": {"user_id": "ana"}}}
    )

    query: Annotated[str, Field(min_length=1, max_length=100_000)]
    filters: dict[str, Any] = {}
    top_k: Annotated[int, Field(ge=1, le=100)] = 20
    threshold: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.0
    explain: bool = False
    show_expired: bool = False
    rerank: bool = False


class Results(Told):
    """Memories, or what became of what was said."""

    results: list[dict[str, Any]]


class Done(Told):
    """What was done."""

    message: str


@router.post("/memories", responses={200: {"model": Results}})
async def add(desk: AtDesk, asked: Add) -> Response:
    """Keep what was said, each message as a memory."""
    drafts = _drafts(asked)

    def do(tacit: Tacit) -> Memo:
        written = tacit.write(drafts)
        fresh = {one.id for one in written.fresh}
        return {"ids": [[one.id, one.id in fresh] for one in written.memories]}

    def tell(tacit: Tacit, memo: Memo) -> object:
        ids = [id_ for id_, _ in memo["ids"]]
        by_id = {one.id: one for one in tacit.list(ids=ids, history=True)} if ids else {}
        shown = [wire_mem0.added(by_id[i], new=new) for i, new in memo["ids"] if i in by_id]
        return {"results": shown}

    return await desk.write(do, tell, operation="upsert_memory")


@router.get("/memories", responses={200: {"model": Results}})
async def get_all(
    desk: AtDesk,
    user_id: Whose = "",
    agent_id: Whose = "",
    run_id: Whose = "",
    top_k: TopK = 20,
    show_expired: bool = False,
) -> Response:
    """List the memories of a user, an agent or a run, newest first."""
    filters = _filters({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
    past: dict[str, Any] = {"states": ["active"]} if show_expired else {}

    def give(tacit: Tacit) -> object:
        found = tacit.list(limit=top_k, history=show_expired, **filters, **past)
        return {"results": [wire_mem0.memory(one) for one in found]}

    return await desk.read(give)


@router.delete("/memories", responses={200: {"model": Done}})
async def delete_all(
    desk: AtDesk, user_id: Whose = "", agent_id: Whose = "", run_id: Whose = ""
) -> Response:
    """Forget all memories of a user, an agent or a run; they can be restored."""
    filters = _filters({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
    if not filters:
        raise Invalid("say whose: user_id, agent_id or run_id")

    def do(tacit: Tacit) -> Memo:
        by = desk.by(tacit)
        with tacit.store.transaction():
            gone = [tacit.forget(one.id, by=by) for one in tacit.list(**filters)]
        return {"message": f"{len(gone)} memories were forgotten"}

    return await desk.write(do, lambda _tacit, memo: memo, operation="delete_memory")


@router.get("/memories/{id}", responses={200: {"description": "a memory"}})
async def get(desk: AtDesk, id: Id) -> Response:  # noqa: A002  # the word of the path
    """Give one memory."""
    return await desk.read(lambda tacit: wire_mem0.memory(tacit.get(id)))


@router.put("/memories/{id}", responses={200: {"model": Done}})
async def update(desk: AtDesk, id: Id, to: Update) -> Response:  # noqa: A002
    """Give a memory another text."""

    def do(tacit: Tacit) -> Memo:
        tacit.edit(id, to.text, by=desk.by(tacit))
        return {"message": "Memory updated successfully!"}

    return await desk.write(do, lambda _tacit, memo: memo, operation="update_memory")


@router.delete("/memories/{id}", responses={200: {"model": Done}})
async def delete(desk: AtDesk, id: Id) -> Response:  # noqa: A002
    """Forget a memory; it can be restored."""

    def do(tacit: Tacit) -> Memo:
        tacit.forget(id, by=desk.by(tacit))
        return {"message": "Memory deleted successfully!"}

    return await desk.write(do, lambda _tacit, memo: memo, operation="delete_memory")


@router.get("/memories/{id}/history", responses={200: {"description": "its changes"}})
async def history(desk: AtDesk, id: Id) -> Response:  # noqa: A002
    """Give the changes of a memory, the first first."""
    return await desk.read(lambda tacit: wire_mem0.history(tacit.why(id).history))


@router.post("/search", responses={200: {"model": Results}})
async def search(desk: AtDesk, asked: Search) -> Response:
    """Find what is relevant to a question."""
    filters = _filters(asked.filters)

    def give(tacit: Tacit) -> object:
        hits = tacit.recall(asked.query, limit=asked.top_k, **filters)
        kept = [hit for hit in hits if hit.score >= asked.threshold]
        return {"results": [wire_mem0.memory(hit.memory, hit.score) for hit in kept]}

    return await desk.read(give, "search_memory")


@router.post("/configure", responses={200: {"model": Done}})
async def configure(desk: AtDesk) -> Response:
    """Say that this server is set up by the settings of Tacit."""
    raise Denied("this server is set up by the settings of Tacit, not over HTTP")


@router.post("/reset", responses={200: {"model": Done}})
async def reset(desk: AtDesk) -> Response:
    """Say how everything is erased."""
    raise Denied("nothing is erased so; erase memories by name with POST /erase")


def _drafts(asked: Add) -> list[Draft]:
    if not any((asked.user_id, asked.agent_id, asked.run_id)):
        raise Invalid("say whose: at least one of user_id, agent_id and run_id")
    said = asked.messages
    texts = [said] if isinstance(said, str) else [m.content for m in said if m.role != "system"]
    agent = (asked.agent_id or "").strip()
    mentions = (Mention(facet=Facet(type=FacetType.PERSON, name=agent)),) if agent else ()
    drafts = [
        Draft(
            text=text,
            body=Fact(qualifier=wire_mem0.qualifier(asked.metadata, agent)),
            author=asked.user_id or "",
            session=asked.run_id or "",
            subtype=asked.memory_type or "",
            valid_to=parse_time(asked.expiration_date) if asked.expiration_date else None,
            mentions=mentions,
            origin=Origin.AGENT,
            trust=Trust.AGENT,
        )
        for text in texts
        if text.strip()
    ]
    if not drafts:
        raise Invalid("there is nothing to keep: no message says anything")
    return drafts


def _filters(given: dict[str, Any]) -> dict[str, Any]:
    """Read whose memories are meant; several conditions may be joined by AND."""
    told = {name: value for name, value in given.items() if value not in (None, "", {}, [])}
    for one in told.pop("AND", []):
        if not isinstance(one, dict):
            raise Invalid("AND is a list of objects such as {'user_id': 'ana'}")
        told |= one
    unknown = [name for name in told if name not in WHOSE]
    if unknown or not all(isinstance(value, str) for value in told.values()):
        raise Invalid(f"filters are {', '.join(WHOSE)} with a text each; others are not known")
    found: dict[str, Any] = {}
    if user := told.get("user_id"):
        found["authors"] = [user]
    if run := told.get("run_id"):
        found["sessions"] = [run]
    if agent := told.get("agent_id"):
        found["facets"] = [f"person:{agent}"]
    return found

"""Memories: list and read them, keep new ones, change them, put them away."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from tacit.errors import Invalid
from tacit.interfaces import wire, wire_drafts, wire_http
from tacit.interfaces.rest import asked, asked_more, told
from tacit.interfaces.rest.cursors import page
from tacit.interfaces.rest.desk import AtDesk
from tacit.interfaces.rest.routes.which import filters_of, moment, times_of
from tacit.write.remember import Written

if TYPE_CHECKING:
    from tacit.draft import Draft
    from tacit.interfaces.rest.desk import Desk, Memo
    from tacit.system import Tacit

router = APIRouter(tags=["memories"])
Ref = Annotated[
    str,
    Path(
        max_length=500,
        description="a short name such as abcd2345, the beginning of one, an id, or [M:abcd2345]",
        examples=["abcd2345"],
    ),
]
VERBS = {
    "forget": "No longer serve a memory; it is kept and can be restored.",
    "restore": "Serve a forgotten or archived memory again.",
    "share": "Let others read a memory that was private; one that holds a secret is refused.",
    "take-back": "Make a memory of your own private again.",
    "pin": "Let only a person change a memory or put it away.",
    "unpin": "Let a memory be changed and put away like any other.",
    "confirm": "Put your word behind a memory.",
}
KnownAt = Annotated[asked.Time, Query(description="as it stood then")]


@router.get("/memories", responses={200: {"model": told.Listed}})
async def list_memories(desk: AtDesk, which: Annotated[asked_more.Listed, Query()]) -> Response:
    """List memories, a page at a time."""
    times, filters = times_of(which), filters_of(which)

    def give(tacit: Tacit) -> object:
        def look(*, order: str, limit: int, after: str) -> list[Any]:
            more: dict[str, Any] = {"after": after} if after else {}
            return tacit.list(
                order=order,
                limit=limit,
                history=which.history,
                evidence=which.evidence,
                **times,
                **filters,
                **more,
            )

        found, following = page(look, which.order, which.cursor, which.limit)
        return wire_http.page("memories", [wire.memory(one) for one in found], following)

    return await desk.read(give)


@router.post(
    "/memories",
    status_code=201,
    responses={201: {"model": told.Written}, 200: {"model": told.Written}},
)
async def remember(desk: AtDesk, draft: asked.Draft) -> Response:
    """Keep one memory: 201 when it is new, 200 when it is known and no more than reinforced."""
    return await _remember(desk, [draft.given()])


@router.post(
    "/remember",
    status_code=201,
    responses={201: {"model": told.Written}, 200: {"model": told.Written}},
)
async def remember_many(desk: AtDesk, drafts: asked.Drafts) -> Response:
    """Keep many memories in one step: all of them or none."""
    return await _remember(desk, [one.given() for one in drafts.memories])


@router.get("/memories/{ref}", responses={200: {"model": told.Memory}})
async def show(desk: AtDesk, ref: Ref, known_at: KnownAt | None = None) -> Response:
    """Give one memory; its ETag is what an If-Match is compared with."""
    at = moment(known_at)
    return await desk.read(lambda tacit: wire.memory(tacit.get(ref, known_at=at)))


@router.patch("/memories/{ref}", responses={200: {"model": told.Memory}})
async def edit(desk: AtDesk, ref: Ref, change: asked.Edit) -> Response:
    """Change a memory's text or settings; what it said before stays in its history."""
    fields = change.model_dump(exclude_unset=True)
    text = fields.pop("text", None)
    fields = {name: value for name, value in fields.items() if value is not None}
    if text is None and not fields:
        raise Invalid("there is nothing to change; give a text or a setting")

    def do(tacit: Tacit) -> Memo:
        memory, by = tacit.get(ref), desk.by(tacit)
        # Both or neither: a setting that cannot be must not leave the new text behind.
        both = text is not None and fields
        with tacit.store.transaction() if both else nullcontext():
            if text is not None:
                memory = tacit.edit(memory.id, text, by=by)
            if fields:
                memory = tacit.set(memory.id, by=by, **fields)
        return {"id": memory.id}

    return await _changed(desk, ref, do, "update_memory")


def _putting(verb: str, does: str) -> None:
    """Add the route of one verb for one memory."""

    async def put(desk: AtDesk, ref: Ref) -> Response:
        def do(tacit: Tacit) -> Memo:
            by = desk.by(tacit)
            match verb:
                case "forget":
                    memory = tacit.forget(ref, by=by)
                case "restore":
                    memory = tacit.restore(ref, by=by)
                case "share" | "take-back":
                    (memory,) = tacit.share([ref], back=verb == "take-back")
                case "confirm":
                    memory = tacit.set(ref, by=by, confirmed_by=by)
                case _:
                    memory = tacit.set(ref, by=by, pinned=verb == "pin")
            return {"id": memory.id}

        return await _changed(desk, ref, do, "update_memory")

    router.add_api_route(
        f"/memories/{{ref}}/{verb}",
        put,
        methods=["POST"],
        name=verb,
        description=does,
        responses={200: {"model": told.Memory}},
    )


for _verb, _does in VERBS.items():
    _putting(_verb, _does)


@router.post("/forget", responses={200: {"model": told.Changed}})
async def forget_several(desk: AtDesk, several: asked.Several) -> Response:
    """No longer serve several memories: all of them or none."""
    return await _put_several(desk, several, "forget")


@router.post("/restore", responses={200: {"model": told.Changed}})
async def restore_several(desk: AtDesk, several: asked.Several) -> Response:
    """Serve several memories again: all of them or none."""
    return await _put_several(desk, several, "restore")


@router.post("/erase", responses={200: {"model": told.Changed}})
async def erase(
    desk: AtDesk,
    several: asked.Several,
    yes: Annotated[bool, Query(description="really erase; without it, tell what would be")] = False,
) -> Response:
    """Remove memories for good, with their history; needs the scope admin."""
    shown: list[object] = []

    def do(tacit: Tacit) -> Memo:
        found = {one.id: one for one in map(tacit.get, several.refs)}
        shown.append(wire.changed(list(found.values()), done=yes))
        if yes:
            tacit.erase(list(found))
        return {"done": yes}

    def tell(_tacit: Tacit, memo: Memo) -> object:
        return shown[0] if shown else wire.changed([], done=memo["done"])

    return await desk.write(do, tell, operation="delete_memory", whole=False)


@router.get("/memories/{ref}/history", responses={200: {"model": told.History}})
async def history(desk: AtDesk, ref: Ref, known_at: KnownAt | None = None) -> Response:
    """Give every revision of a memory, the first first."""
    at = moment(known_at)

    def give(tacit: Tacit) -> object:
        return {"history": [wire.revision(one) for one in tacit.why(ref, known_at=at).history]}

    return await desk.read(give)


@router.get("/memories/{ref}/links", responses={200: {"model": told.Links}})
async def links(desk: AtDesk, ref: Ref) -> Response:
    """Give what a memory is linked to, as read from it."""
    return await desk.read(lambda tacit: {"links": wire.explained(tacit.why(ref))["links"]})


@router.post("/memories/{ref}/links", status_code=201, responses={201: {"model": told.Link}})
async def link(desk: AtDesk, ref: Ref, to: asked.Linked) -> Response:
    """Relate a memory to another."""

    def do(tacit: Tacit) -> Memo:
        return wire.link(tacit.link(ref, to.relation, to.to, weight=to.weight))

    return await desk.write(do, lambda _tacit, memo: memo, status=201)


async def _put_several(desk: Desk, several: asked.Several, verb: str) -> Response:
    def do(tacit: Tacit) -> Memo:
        by, change = desk.by(tacit), tacit.forget if verb == "forget" else tacit.restore
        ids = list(dict.fromkeys(tacit.get(ref).id for ref in several.refs))
        with tacit.store.transaction():
            return {"ids": [change(id_, by=by).id for id_ in ids]}

    def tell(tacit: Tacit, memo: Memo) -> object:
        return wire.changed(tacit.list(ids=memo["ids"], history=True), done=True)

    return await desk.write(do, tell, operation="update_memory")


async def _remember(desk: Desk, given: list[dict[str, Any]]) -> Response:
    drafts = [_draft(one, number) for number, one in enumerate(given, 1)]
    made: list[Written] = []

    def do(tacit: Tacit) -> Memo:
        written = tacit.write(drafts)
        made.append(written)
        return {
            "memories": [one.id for one in written.memories],
            "fresh": [one.id for one in written.fresh],
            "reinforced": written.reinforced,
            "renewed": written.renewed,
            "closed": list(written.closed),
            "contradictions": [one.id for one in written.contradictions],
            "redacted": dict(written.redacted),
        }

    def tell(tacit: Tacit, memo: Memo) -> object:
        return wire.written(made[0] if made else _again(tacit, memo))

    def status(memo: Memo) -> int:
        return 201 if memo["fresh"] else 200

    return await desk.write(do, tell, operation="upsert_memory", status=status)


def _draft(fields: dict[str, Any], number: int) -> Draft:
    """Read a draft; whoever asks is a program unless it says that a person speaks."""
    return wire_drafts.read_draft({"origin": "agent", "trust": "agent"} | fields, f"draft {number}")


def _again(tacit: Tacit, memo: Memo) -> Written:
    """Give what a write changed, as far as it is still there."""

    def found(ids: list[str]) -> tuple[Any, ...]:
        by_id = {one.id: one for one in tacit.list(ids=ids, history=True)} if ids else {}
        return tuple(by_id[id_] for id_ in ids if id_ in by_id)

    clashes = set(memo["contradictions"])
    every = tacit.contradictions(open_only=False) if clashes else []
    return Written(
        memories=found(memo["memories"]),
        fresh=found(memo["fresh"]),
        reinforced=memo["reinforced"],
        renewed=memo["renewed"],
        closed=tuple(memo["closed"]),
        contradictions=tuple(one for one in every if one.id in clashes),
        redacted=memo["redacted"],
    )


async def _changed(desk: Desk, ref: str, do: Any, operation: str) -> Response:
    return await desk.write(
        do,
        lambda tacit, memo: wire.memory(tacit.get(memo["id"])),
        operation=operation,
        current=lambda tacit: wire.memory(tacit.get(ref)),
    )

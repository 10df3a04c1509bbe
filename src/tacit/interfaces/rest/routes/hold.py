"""What agents hold: blocks, ledgers, handoffs, and what is being done now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from tacit.errors import Invalid
from tacit.interfaces import wire, wire_hold
from tacit.interfaces.rest import asked_more, told, told_more
from tacit.interfaces.rest.desk import AtDesk

if TYPE_CHECKING:
    from tacit.interfaces.rest.desk import Memo
    from tacit.session.editing import Held
    from tacit.system import Tacit

router = APIRouter(tags=["at hand"])
Label = Annotated[str, Path(max_length=200, description="persona, human, plan, or any name")]
Owner = Annotated[str, Query(max_length=200, description="whose block it is")]
Agent = Annotated[str, Path(max_length=200, examples=["eng-1"])]
AgentNamed = Annotated[str, Query(max_length=200)]
HandoffId = Annotated[str, Path(max_length=200, examples=["h-7"])]


@router.get("/blocks", responses={200: {"model": told_more.Blocks}})
async def blocks(desk: AtDesk, owner: Owner | None = None) -> Response:
    """List the small texts that are always at hand, by label."""
    return await desk.read(
        lambda tacit: {"blocks": [wire_hold.block(one) for one in tacit.blocks.list(owner)]}
    )


@router.get("/blocks/{label}", responses={200: {"model": told_more.Block}})
async def block(desk: AtDesk, label: Label, owner: Owner = "") -> Response:
    """Give one block."""
    return await desk.read(lambda tacit: wire_hold.block(tacit.blocks.get(label, owner)))


@router.put("/blocks/{label}", responses={200: {"model": told_more.Block}})
async def set_block(
    desk: AtDesk, label: Label, to: asked_more.Block, owner: Owner = ""
) -> Response:
    """Write a block; with `old` words are replaced, with `insert` lines are added."""
    if to.old is not None and to.insert:
        raise Invalid("replace words or insert lines, not both")
    if (to.old is not None or to.insert) and (to.limit is not None or to.read_only is not None):
        raise Invalid("limit and read_only go with the whole text")

    def do(tacit: Tacit) -> Memo:
        held = _edited(tacit, label, owner, to, by=desk.by(tacit))
        return {"label": held.body.label, "owner": held.body.owner}

    def now(tacit: Tacit) -> object:
        return wire_hold.block(tacit.blocks.get(label, owner))

    return await desk.write(do, lambda tacit, _memo: now(tacit), current=now)


@router.post("/blocks/{label}/erase", responses={200: {"model": told.Changed}})
async def erase_block(desk: AtDesk, label: Label, owner: Owner = "") -> Response:
    """Remove a block for good, with its history; needs the scope admin."""
    shown: list[object] = []

    def do(tacit: Tacit) -> Memo:
        held = tacit.blocks.get(label, owner)
        shown.append(wire.changed([held.memory], done=True))
        tacit.erase([held.memory.id])
        return {}

    def tell(_tacit: Tacit, _memo: Memo) -> object:
        return shown[0] if shown else wire.changed([], done=True)

    return await desk.write(do, tell, whole=False)


@router.get("/ledgers", responses={200: {"model": told_more.Ledgers}})
async def ledgers(desk: AtDesk) -> Response:
    """Give the last checkpoint of every agent."""
    return await desk.read(
        lambda tacit: {"ledgers": [wire_hold.ledger(one) for one in tacit.ledgers.list()]}
    )


@router.get("/ledgers/{agent}", responses={200: {"model": told_more.Ledger}})
async def ledger(desk: AtDesk, agent: Agent) -> Response:
    """Give where an agent stands."""
    return await desk.read(lambda tacit: wire_hold.ledger(tacit.ledgers.get(agent)))


@router.put("/ledgers/{agent}", responses={200: {"model": told_more.Ledger}})
async def set_ledger(desk: AtDesk, agent: Agent, to: asked_more.Ledger) -> Response:
    """Write a checkpoint: its fields over those before, or with `whole` them alone."""

    def do(tacit: Tacit) -> Memo:
        tacit.ledgers.set(agent, to.ledger, whole=to.whole, by=desk.by(tacit))
        return {}

    def now(tacit: Tacit) -> object:
        return wire_hold.ledger(tacit.ledgers.get(agent))

    return await desk.write(do, lambda tacit, _memo: now(tacit), current=now)


@router.get("/handoffs", responses={200: {"model": told_more.Handoffs}})
async def inbox(
    desk: AtDesk,
    agent: AgentNamed = "",
    accepted: Annotated[bool, Query(description="also what was accepted")] = False,
) -> Response:
    """Give what is open for an agent, oldest first."""

    def give(tacit: Tacit) -> object:
        found = tacit.handoffs.inbox(agent, accepted=accepted)
        return {"handoffs": [wire_hold.handoff(one) for one in found]}

    return await desk.read(give)


@router.post("/handoffs", status_code=201, responses={201: {"model": told_more.Handoff}})
async def send(desk: AtDesk, what: asked_more.Handoff) -> Response:
    """Leave work for the next agent."""

    def do(tacit: Tacit) -> Memo:
        sent = tacit.handoffs.send(
            what.from_agent, what.to_agent, what.context, id=what.id, by=desk.by(tacit)
        )
        return {"id": sent.id}

    return await desk.write(do, _handoff, status=201)


@router.get("/handoffs/{id}", responses={200: {"model": told_more.Handoff}})
async def handoff(desk: AtDesk, id: HandoffId) -> Response:  # noqa: A002  # the word of the path
    """Give one handoff, also an accepted one."""
    return await desk.read(lambda tacit: wire_hold.handoff(tacit.handoffs.get(id)))


@router.post("/handoffs/{id}/accept", responses={200: {"model": told_more.Handoff}})
async def accept(desk: AtDesk, id: HandoffId, who: asked_more.Accept) -> Response:  # noqa: A002
    """Take a handoff on."""

    def do(tacit: Tacit) -> Memo:
        return {"id": tacit.handoffs.accept(id, by=who.by or desk.caller).id}

    return await desk.write(do, _handoff)


@router.get("/continuity", responses={200: {"model": told_more.Continuity}})
async def continuity(desk: AtDesk, agent: AgentNamed = "") -> Response:
    """Tell what is being done now."""
    return await desk.read(lambda tacit: _continuity(tacit, agent))


@router.post("/continuity", responses={200: {"model": told_more.Continuity}})
async def say(desk: AtDesk, turn: asked_more.Turn) -> Response:
    """Say what is being done now; it is laid over what was said before."""

    def do(tacit: Tacit) -> Memo:
        from tacit.session.continuity import Turn

        told_ = Turn(
            goal=turn.goal,
            decisions=tuple(turn.decisions),
            errors=tuple(turn.blockers),
            solved=tuple(turn.solved),
            next=tuple(turn.next),
        )
        tacit.continuity.update(told_, agent=turn.agent)
        return {}

    return await desk.write(do, lambda tacit, _memo: _continuity(tacit, turn.agent))


def _edited(tacit: Tacit, label: str, owner: str, to: asked_more.Block, *, by: str) -> Held:
    given = {"owner": owner, "rev": to.rev, "by": by}
    if to.old is not None:
        return tacit.blocks.replace(label, to.old, to.text, **given)  # type: ignore[arg-type]  # as its fields are
    if to.insert:
        return tacit.blocks.insert(label, to.text, line=to.line, **given)  # type: ignore[arg-type]  # as above
    return tacit.blocks.set(
        label,
        to.text,
        limit=to.limit,
        read_only=to.read_only,
        **given,  # type: ignore[arg-type]  # as above
    )


def _handoff(tacit: Tacit, memo: Memo) -> object:
    return wire_hold.handoff(tacit.handoffs.get(memo["id"]))


def _continuity(tacit: Tacit, agent: str) -> object:
    page, text = tacit.continuity.get(agent), tacit.continuity.text(agent)
    return wire_hold.continuity(page, text, agent)

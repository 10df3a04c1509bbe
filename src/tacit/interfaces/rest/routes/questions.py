"""Questions: recall, briefings, predictions, views, and why a memory is as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from tacit.errors import Invalid
from tacit.interfaces import wire, wire_brief, wire_disclose, wire_predict
from tacit.interfaces.rest import asked, asked_more, told, told_more
from tacit.interfaces.rest.desk import AtDesk
from tacit.interfaces.rest.routes.memories import KnownAt, Ref
from tacit.interfaces.rest.routes.which import filters_of, moment, signals_of, times_of

if TYPE_CHECKING:
    from tacit.interfaces.rest.desk import Memo
    from tacit.system import Tacit

router = APIRouter(tags=["questions"])
Session = Annotated[str, Query(max_length=200, description="charge this session")]


@router.post("/recall", responses={200: {"model": told.Recalled}})
async def recall(desk: AtDesk, query: asked_more.Recall) -> Response:
    """Find what is relevant to a question, best first; nothing relevant is no error."""
    times, filters = times_of(query), filters_of(query)

    def give(tacit: Tacit) -> object:
        found = tacit.recall_explained(
            query.query,
            limit=query.limit,
            channels=query.channels,
            files=query.files,
            profile=query.profile,
            rerank=query.rerank,
            **times,
            **filters,
        )
        return wire.recalled(found)

    return await desk.read(give, "search_memory")


@router.get("/recall", responses={200: {"model": told.Recalled}})
async def recall_briefly(
    desk: AtDesk,
    query: Annotated[str, Query(min_length=1, max_length=2_000)],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> Response:
    """Find what is relevant to a short question."""

    def give(tacit: Tacit) -> object:
        return wire.recalled(tacit.recall_explained(query, limit=limit))

    return await desk.read(give, "search_memory")


@router.post("/brief", responses={200: {"model": told_more.Briefing}})
async def brief(desk: AtDesk, task: asked_more.Brief) -> Response:
    """Give what a task needs within a budget, to be handed to an agent as it is."""
    return await desk.read(lambda tacit: _briefing(tacit, task), "search_memory")


@router.post("/predict", responses={200: {"model": told_more.Prediction}})
async def predict(desk: AtDesk, what: asked_more.Predict) -> Response:
    """Tell which memories and files will be needed next, and how sure that is."""
    signals = signals_of(what.signals)

    def give(tacit: Tacit) -> object:
        found = tacit.predict(signals, what.limit, record=what.record, session=what.session)
        return wire_predict.prediction(found)

    return await desk.read(give, "search_memory")


@router.get("/index", responses={200: {"model": told_more.Index}})
async def index(desk: AtDesk, session: Session = "") -> Response:
    """Show what there is, by topic, in at most 100 tokens."""
    return await desk.read(
        lambda tacit: wire_disclose.index(tacit.index_view(session=session, exact=True))
    )


@router.get("/topics", responses={200: {"description": "what the topics near a question say"}})
async def topics(
    desk: AtDesk,
    about: Annotated[str, Query(min_length=1, max_length=2_000)],
    budget_tokens: Annotated[int, Query(ge=1, le=1_000_000)] = 2_000,
    session: Session = "",
) -> Response:
    """Load what the topics near a question say: nothing, their timeline, or their full text."""

    def give(tacit: Tacit) -> object:
        found = tacit.load_topics(about, budget_tokens=budget_tokens, session=session)
        return wire_disclose.loaded(found)

    return await desk.read(give, "search_memory")


@router.post("/expand", responses={200: {"model": told_more.Expanded}})
async def expand(desk: AtDesk, what: asked_more.Expand) -> Response:
    """Show memories at a level: by name, by `topic:auth` or `file:src/a.py`, with neighbours."""

    def give(tacit: Tacit) -> object:
        found = tacit.expand(
            what.refs,
            level=what.level,
            budget_tokens=what.budget_tokens,
            limit=what.limit,
            before=what.before,
            after=what.after,
            session=what.session,
        )
        return wire_disclose.expanded(found)

    return await desk.read(give, "search_memory")


@router.get("/timeline", responses={200: {"model": told_more.Timeline}})
async def timeline(desk: AtDesk, which: Annotated[asked_more.Around, Query()]) -> Response:
    """Show what happened in order, what was learnt in order, or a short view of both.

    Episodes are shown unless `kind` asks for others; around an `anchor`, every kind.
    """
    times, filters = times_of(which), filters_of(which)
    if which.view and which.learnt:
        raise Invalid("ask for the view or for what was learnt, not both")

    def give(tacit: Tacit) -> object:
        if which.view:
            view = wire_disclose.timeline(tacit.timeline_view(exact=True))
            return {"memories": [], "learnt": [], "view": view}
        if which.learnt:
            if which.anchor:
                filters["ids"] = [tacit.get(which.anchor).id]
            entries = tacit.learnt(limit=which.limit, **times, **filters)
            shown = [wire_disclose.learnt(one) for one in entries]
            return {"memories": [], "learnt": shown, "view": None}
        if which.anchor:
            found = tacit.timeline(
                anchor=which.anchor, before=which.before, after=which.after, **times, **filters
            )
        else:
            chosen = {"kinds": ["episode"]} | filters
            found = tacit.timeline(limit=which.limit, **times, **chosen)
        return {"memories": [wire.memory(one) for one in found], "learnt": [], "view": None}

    return await desk.read(give)


@router.get("/memories/{ref}/why", responses={200: {"model": told.Explained}})
async def why(desk: AtDesk, ref: Ref, known_at: KnownAt | None = None) -> Response:
    """Tell all about a memory: source, history, links, use, and why it is or is not served."""
    at = moment(known_at)

    def give(tacit: Tacit) -> object:
        found = tacit.why(ref, known_at=at)
        handed = [wire_brief.shown_in(query, one) for query, one in tacit.handed(ref)]
        return wire.explained(found) | {"handed": handed}

    return await desk.read(give)


@router.post("/cite", responses={200: {"model": told.Cited}})
async def cite(desk: AtDesk, used: asked.Cite) -> Response:
    """Say that memories were used, helped or hurt; this is what teaches which ones help."""

    def do(tacit: Tacit) -> Memo:
        found = {one.id: one.short for one in map(tacit.get, used.refs)}
        tacit.cite(list(found), event=used.event, query_id=used.query_id, claimed=True)
        return {"event": used.event, "recorded": list(found.values())}

    return await desk.write(do, lambda _tacit, memo: memo)


@router.post("/feedback", responses={200: {"model": told.Judged}})
async def feedback(desk: AtDesk, said: asked.Feedback) -> Response:
    """Take a person's word: helpful, wrong (it waits for review) or outdated (it held until now)."""

    def do(tacit: Tacit) -> Memo:
        judged = tacit.feedback(said.refs, said.verdict, by=desk.by(tacit), forget=said.forget)
        return {"verdict": said.verdict, "judged": [one.short for one in judged]}

    return await desk.write(do, lambda _tacit, memo: memo)


def _briefing(tacit: Tacit, task: asked_more.Brief) -> object:
    from tacit.assemble.formats import formatted

    made = tacit.brief(
        task.task,
        signals=signals_of(task.signals),
        budget_tokens=task.budget_tokens,
        preset=task.preset,
        activity=task.activity,
        session=task.session,
        agent=task.agent,
        exclude=task.exclude,
        phase=task.phase,
    )
    text = formatted(made, task.format, task.task)
    tokens = tacit.counter.count(text) if text else 0
    return wire_brief.briefing(made, context=text, token_count=tokens)

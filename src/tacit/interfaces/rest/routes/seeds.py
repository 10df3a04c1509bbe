"""The context interface of the first design, under its own names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.responses import Response

from tacit.interfaces import wire_brief, wire_predict
from tacit.interfaces.rest import asked_more, told_more
from tacit.interfaces.rest.desk import AtDesk
from tacit.profile import STRATEGIES

if TYPE_CHECKING:
    from tacit.system import Tacit

router = APIRouter(prefix="/context", tags=["context"])


@router.post("/assemble", responses={200: {"model": told_more.Briefing}})
async def assemble(desk: AtDesk, what: asked_more.Assemble) -> Response:
    """Put a context together: what bears on the file, the errors and the activity at hand."""
    told = what.signals
    signals = {
        "file": told.current_file,
        "errors": told.recent_errors,
        "branch": told.branch,
        "task": told.task,
    }
    known = {name: value for name, value in signals.items() if value}
    activities = {one.activity: one.activity for one in STRATEGIES.values()}
    activities |= {name: one.activity for name, one in STRATEGIES.items()}

    def give(tacit: Tacit) -> object:
        made = tacit.brief(
            what.task,
            signals=known,
            budget_tokens=what.budget,
            activity=activities.get(told.activity or "", told.activity),
        )
        tokens = tacit.counter.count(made.text) if made.text else 0
        return wire_brief.briefing(made, context=made.text, token_count=tokens)

    return await desk.read(give, "search_memory")


@router.post("/predict", responses={200: {"model": told_more.Prediction}})
async def predict(desk: AtDesk, what: asked_more.Foresee) -> Response:
    """Tell what will be needed next, now that a file was opened."""

    def give(tacit: Tacit) -> object:
        return wire_predict.prediction(tacit.predict({"file": what.file_opened}, what.limit))

    return await desk.read(give, "search_memory")

"""Every way to read a memory, of every interface; `test_isolation` walks them all.

What can be found from the code is found there: routes, tools, the functions of the page. What
must be listed is compared with the code, so that a new way to read is not forgotten.
"""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.model import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.system import Tacit

    Read = Callable[[Tacit, str, str], object]

EVERY = ("active", "candidate", "archived", "forgotten")


def written_to(tacit: Tacit, act: Callable[[str], object]) -> str:
    """Let something be written to a path of its own; give all that is in it."""
    with tempfile.TemporaryDirectory() as folder:
        act(os.path.join(folder, "out"))
        found = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]
        return " ".join(Path(path).read_bytes().decode("utf-8", "replace") for path in found)


# The method, or the method and how it is asked → a call with a question and a memory's id.
FACADE: dict[str, Read] = {
    "recall_explained": lambda t, q, i: t.recall_explained(q, limit=50),
    "recall": lambda t, q, i: t.recall(q, limit=50, known_at=t.clock.now()),
    "recall, in a group": lambda t, q, i: t.recall(q, scopes=[Scope(path="team:payments")]),
    "brief": lambda t, q, i: (t.brief(q).text, t.brief().text),
    "brief, kept": lambda t, q, i: t.brief(q, session="s").text,
    "brief, index": lambda t, q, i: t.brief(preset="index").text,
    "before_task": lambda t, q, i: t.before_task(q),
    "list": lambda t, q, i: t.list(),
    "list, all": lambda t, q, i: t.list(history=True, states=EVERY),
    "get": lambda t, q, i: t.get(i),
    "show": lambda t, q, i: t.show(i),
    "why": lambda t, q, i: t.why(i),
    "handed": lambda t, q, i: t.handed(i),
    "timeline": lambda t, q, i: t.timeline(),
    "timeline, around": lambda t, q, i: t.timeline(anchor=i),
    "index_view": lambda t, q, i: t.index_view(),
    "timeline_view": lambda t, q, i: t.timeline_view(),
    "load_topics": lambda t, q, i: t.load_topics(q),
    "expand": lambda t, q, i: t.expand([i]),
    "expand, around": lambda t, q, i: t.expand([i], before=2, after=2),
    "predict": lambda t, q, i: t.predict(files=["src/cart.py"], task=q),
    "predict, collaborator": lambda t, q, i: t.predict(collaborator="bo"),
    "score_predictions": lambda t, q, i: t.score_predictions(),
    "for_phase": lambda t, q, i: t.for_phase("1"),
    "contradictions": lambda t, q, i: t.contradictions(open_only=False),
    "candidates": lambda t, q, i: t.candidates(),
    "learnt": lambda t, q, i: t.learnt(),
    "status": lambda t, q, i: t.status(),
    "unverified": lambda t, q, i: t.unverified(),
    "refused": lambda t, q, i: t.refused(),
    "pending": lambda t, q, i: t.pending(),
    "economics": lambda t, q, i: t.economics(),
    "roi": lambda t, q, i: t.roi(),
    "report": lambda t, q, i: t.report(),
    "sessions": lambda t, q, i: t.sessions(),
    "injected": lambda t, q, i: t.injected(),
    "export": lambda t, q, i: list(t.export()),
    "export_to": lambda t, q, i: written_to(t, lambda path: t.export_to("markdown", path)),
    "backup": lambda t, q, i: written_to(t, t.backup),
    "outlook": lambda t, q, i: t.outlook(),
    "consolidate": lambda t, q, i: t.consolidate(dry_run=True),
    "doctor": lambda t, q, i: t.doctor(deep=True),
    "secrets": lambda t, q, i: t.secrets(),
    "secret_place": lambda t, q, i: t.secret_place(i),
    "members": lambda t, q, i: t.members(),
    "invited": lambda t, q, i: t.invited(),
    "audit": lambda t, q, i: t.audit(),
    "effects": lambda t, q, i: t.effects(),
    "transfer": lambda t, q, i: t.transfer(),
    "taken_for": lambda t, q, i: t.taken_for(q),
    "corrections": lambda t, q, i: t.corrections(),
    "learn_status": lambda t, q, i: t.learn_status(),
    "learn_log": lambda t, q, i: t.learn_log(),
    "profile_history": lambda t, q, i: t.profile_history(),
    "blocks": lambda t, q, i: t.blocks.list(),
    "ledgers": lambda t, q, i: t.ledgers.list(),
    "handoffs": lambda t, q, i: t.handoffs.inbox("x"),
    "continuity": lambda t, q, i: (t.continuity.get(), t.continuity.file_text()),
    "memory_files": lambda t, q, i: (t.memory_files.files(), t.memory_files.view("/memories")),
}
# Below the facade: what its methods stand on must hold by itself.
STORE: dict[str, Read] = {
    "revisions": lambda t, q, i: t.store.revisions(None),
    "links": lambda t, q, i: [t.store.get([k.src, k.dst]) for k in t.store.links(None)],
    "mentions": lambda t, q, i: t.store.mentions([m.id for m in t.list()]),
    "usage": lambda t, q, i: [t.store.get([u.memory_id]) for u in t.store.usage()],
    "clashes": lambda t, q, i: [t.store.get([c.a, c.b]) for c in t.store.contradictions()],
    "queries": lambda t, q, i: (t.store.sessions(), t.store.queries()),
    "documents": lambda t, q, i: t.store.documents(""),
}
NOT_READS = frozenset(
    "accept as_member attend may cite close edit erase forget group import_ import_from incognito "
    "invite keep_secret link load_backup merge observe observe_file observe_pending "
    "observe_stream open reembed remember remember_many remove_member resolve rest restore set "
    "set_role share write "  # they change something, or open and close
    "adopt_champion adopt_profile change_profile close_session correct evolve feedback "
    "keep_profile learn_pause learn_rank learn_resume learn_rollback learn_start learn_stop "
    "learn_update take_back_correction "
    "champion evolution find_profile learn_explain profile profile_space profiles replay "  # numbers
    "advise detect drift strategies trim "  # they need no store
    "backups counter dead_letters embedder judge language_model light rules take_troubles "
    "troubles".split()  # models, settings, files of this machine
)
# A command → its arguments; None for one that reads no memory.
COMMANDS: dict[str, str | None] = {
    "recall": "*", "brief": "*", "predict": "--task *", "show": "#", "list": "", "timeline": "",
    "index": "", "expand": "#", "why": "#", "review": "", "session": "list",
    "contradictions": "", "report": "", "economics": "", "block": "list", "continuity": "show",
    "ledger": "list", "handoff": "inbox x", "vault": "list", "status": "", "export": "-",
    "team": "members", "learn": "status",
    **dict.fromkeys(
        "remember cite edit link forget restore erase init observe uninstall consolidate resolve "
        "detect strategies drift advise trim merge share doctor import backup reembed hook mcp "
        "serve completion bench evolve profile helpful wrong outdated".split()
    ),
}  # fmt: skip


def mem0(tacit: Tacit, query: str, id_: str) -> object:
    """Read as mem0 does."""
    from tacit.adapters.mem0 import Memory

    memory = Memory(tacit=tacit)
    found = [memory.get(id_), memory.history(id_)]
    for user in ("bo", "ana"):
        found += [
            memory.get_all(filters={"user_id": user}),
            memory.search(query, filters={"user_id": user}),
        ]
    return found


def langgraph(tacit: Tacit, query: str, id_: str) -> object:
    """Read as LangGraph does."""
    from tacit.adapters.langgraph import TacitStore

    store = TacitStore(tacit)
    return store.search((), query=query), store.list_namespaces(), store.get(("shop",), id_)


def pydantic_ai(tacit: Tacit, query: str, _id: str) -> object:
    """Read as a capability of Pydantic AI does."""
    from tacit.adapters.pydantic_ai import TacitMemory

    return TacitMemory(tacit)._recall(query, 20)


def memory_tool(tacit: Tacit, _query: str, _id: str) -> object:
    """Read as Anthropic's memory tool does."""
    from tacit.adapters.memory_tool import TacitMemoryTool

    return TacitMemoryTool(tacit).call({"command": "view", "path": "/memories"})


ADAPTERS: dict[str, Read] = {
    "mem0": mem0,
    "langgraph": langgraph,
    "pydantic_ai": pydantic_ai,
    "memory_tool": memory_tool,
}


PAGE_WRITES = {"learning._on_again"}  # what undoes a click changes, and gives nothing
FILLED = ("ref", "id_", "name", "wish", "asked", "travel")


def page_reads() -> dict[str, Read]:
    """Find the functions of the page that read: those whose first argument is the memory.

    One that cannot be called with what is filled in fails here, not when chance comes upon it.
    """
    from tacit.interfaces import web

    found: dict[str, Read] = {}
    for module in pkgutil.iter_modules(web.__path__):
        loaded = importlib.import_module(f"tacit.interfaces.web.{module.name}")
        for name, function in vars(loaded).items():
            if inspect.isfunction(function) and function.__module__ == loaded.__name__:
                named = inspect.signature(function).parameters
                path = f"{module.name}.{name}"
                if list(named)[:1] == ["tacit"] and path not in PAGE_WRITES:
                    needed = [n for n, one in named.items() if one.default is one.empty][1:]
                    assert set(needed) <= set(FILLED), f"{path} needs {needed}"
                    found[path] = _filled(function, list(named)[1:])
    return found


def _filled(function: Callable[..., object], named: list[str]) -> Read:
    from tacit.interfaces.web.briefing import Wish
    from tacit.interfaces.web.search import Asked
    from tacit.interfaces.web.timeline import Travel

    def read(tacit: Tacit, query: str, id_: str) -> object:
        given = {
            "ref": id_,
            "id_": "s",
            "name": "file:src/cart.py",
            "wish": Wish(query),
            "asked": Asked(query, "", "", ""),
            "travel": Travel(datetime(2026, 1, 1, tzinfo=UTC), tacit.clock.now()),
        }
        return function(tacit, **{name: given[name] for name in named if name in given})

    return read


def arguments(named: dict[str, Any], query: str, id_: str) -> dict[str, Any]:
    """Fill the arguments of a route or tool by their names; others are left at their defaults."""
    known: dict[str, Any] = {
        **dict.fromkeys(("query", "q", "about", "context", "task", "text"), query),
        **dict.fromkeys(("ref", "id", "anchor"), id_),
        "refs": [id_],
        "names": [id_],
        "files": ["src/cart.py"],
        "label": "persona",
        "agent": "x",
        "sort": "patterns",
        "session": "s",
        "file_opened": "src/cart.py",
        "path": "/memories",
        "user_id": "bo",
        "goal": query,
        "budget_tokens": 2_000,
        "settled": True,
        "history": True,
    }
    return {name: known[name] for name in named if name in known}


def routes(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """Find the routes that read in the server's document: method, path, parameters, body."""
    from tacit.interfaces.rest.scopes import QUESTIONS

    found = []
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            if method == "get" or (method == "post" and path in QUESTIONS):
                asked = {one["name"]: one["in"] for one in told.get("parameters", ())}
                body: dict[str, Any] = {}
                if "requestBody" in told:
                    schema = told["requestBody"]["content"]["application/json"]["schema"]
                    name = schema["$ref"].rpartition("/")[2]
                    body = document["components"]["schemas"][name]["properties"]
                found.append((method, path, asked, body))
    return found

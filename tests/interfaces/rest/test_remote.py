"""A memory over a server is the same memory: the same script, the same values, the same errors."""

from __future__ import annotations

import inspect
import re
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from rest_server import Served, serving

from fakes import HashEmbedder
from tacit import Conflict, Denied, Draft, Invalid, NotFound, Tacit, Unavailable
from tacit.interfaces.rest.tokens import SCOPES
from tacit.model import Facet, FacetType, Kind, Memory, Tier
from tacit.session.continuity import Turn
from tacit.system.remote import carry
from tacit.system.remote.facade import RemoteTacit
from tacit.system.remote.verbs import HELD, HERE, VERBS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from conftest import Cli

LONG_AGO = datetime(2026, 1, 2, 9, 30, tzinfo=UTC)
ERRORS = (NotFound, Invalid, Conflict, Denied, Unavailable)


@pytest.fixture(autouse=True)
def _light(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.opening._embedder", lambda _settings, _store: HashEmbedder())


@pytest.fixture
def remote(server: Served) -> Iterator[Tacit]:
    with Tacit.open(f"http://127.0.0.1:{server.port}") as tacit:
        yield tacit


def the_same(value: Any, names: dict[str, str]) -> Any:
    """Give a value as JSON with what differs from run to run put aside: ids, times, hashes."""
    return _plain(carry.packed(value), names)


def _plain(data: Any, names: dict[str, str]) -> Any:
    if isinstance(data, dict):
        if data.get("$") == "time":
            return "a time" if not str(data["="]).startswith("2026-01-02") else data
        hidden = ("id", "short", "query_id", "ms", "seconds", "bytes", "last", "sha256")
        return {
            key: "…" if key in hidden else _plain(one, names)
            for key, one in data.items()
            if key not in ("hash", "detected_at")
        }
    if isinstance(data, list):
        return [_plain(one, names) for one in data]
    if isinstance(data, float):
        return round(data, 3)  # what is newer by a moment weighs more by a moment
    if isinstance(data, str):
        data = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "a time", data)
        for id_, name in names.items():
            data = data.replace(id_, name)
    return data


def script(tacit: Tacit) -> list[tuple[str, Any]]:
    """Use most of the facade; give what each step gave, or the error it met."""
    steps: list[tuple[str, Any]] = []
    names: dict[str, str] = {}

    def step(name: str, ask: Callable[[], Any]) -> Any:
        try:
            found = ask()
        except ERRORS as error:
            message = _plain(str(error), names)
            steps.append((name, (type(error), message)))
            return None
        for memory in _memories(found):
            names.setdefault(memory.id, f"<{memory.text[:12]}>")
            names.setdefault(memory.short, f"<{memory.text[:12]}>")
        steps.append((name, the_same(found, names)))
        return found

    rule = step(
        "remember",
        lambda: tacit.remember(
            "Sign tokens with RS256",
            key="auth.jwt_alg",
            value="RS256",
            tier="mandate",
            files=["src/auth.py"],
            tags=["auth"],
            valid_from=LONG_AGO,
        ),
    )
    many = step(
        "remember_many",
        lambda: tacit.remember_many(
            [
                "Refunds go through the ledger",
                {"text": "Never retry a refund", "kind": "pattern", "polarity": "avoid"},
                Draft(text="Moved to Postgres 16", kind=Kind.EPISODE, session="s-1"),
            ]
        ),
    )
    written = step("write", lambda: tacit.write([Draft(text="Carts expire after a day")]))
    step("said before", lambda: tacit.remember("Refunds go through the ledger"))
    step("nothing to keep", lambda: tacit.remember(""))
    step("no such field", lambda: tacit.remember("x", colour="red"))
    step("no such tier", lambda: tacit.remember("x", tier="law"))
    step("a list that is none", lambda: tacit.remember("x", files="src/a.py"))
    step("recall", lambda: tacit.recall("how are tokens signed?", limit=3))
    step("recall, by kind", lambda: tacit.recall("refund", kinds=[Kind.PATTERN], limit=2))
    step("recall, by facet", lambda: tacit.recall("sign", facets=["file:src/auth.py"]))
    facet = Facet(type=FacetType.TAG, name="auth")
    step("list, by facet", lambda: tacit.list(facets=[facet]))
    step("recall, then", lambda: tacit.recall("tokens", as_of=LONG_AGO, channels=["text"]))
    step("no such filter", lambda: tacit.recall("x", colours=["red"]))
    step("no such channel", lambda: tacit.recall("x", channels=["smell"]))
    step("list", lambda: tacit.list(limit=10, order="id"))
    step("list, none", lambda: tacit.list(limit=0))
    step("get", lambda: tacit.get(rule.short))
    step("show", lambda: tacit.show(rule.id, "hint"))
    step("show, wrong", lambda: tacit.show(rule.id, "loud"))
    step("get, unknown", lambda: tacit.get("zzzz2222"))
    step("edit", lambda: tacit.edit(many[0].id, "Refunds go through the ledger service", by="ana"))
    step("set", lambda: tacit.set(many[0].id, tier=Tier.GUARDRAIL, importance=0.9, by="ana"))
    step("set, wrong", lambda: tacit.set(many[0].id, colour="red"))
    step("link", lambda: tacit.link(many[1].id, "supports", many[0].id, weight=0.5))
    step("link, wrong", lambda: tacit.link(many[1].id, "likes", many[0].id))
    step("cite", lambda: tacit.cite([rule.id, many[0].short], event="helped"))
    step("cite, wrong", lambda: tacit.cite([rule.id], event="seen"))
    step("why", lambda: tacit.why(many[0].id))
    step("superseded", lambda: tacit.remember("Use ES256", key="auth.jwt_alg", value="ES256"))
    step("why, past", lambda: tacit.why(rule.id))
    step("list, all times", lambda: tacit.list(history=True, keys=["auth.jwt_alg"], order="id"))
    step("forget", lambda: tacit.forget(many[2].id, by="ana"))
    step("restore", lambda: tacit.restore(many[2].id, by="ana"))
    brief = step(
        "brief",
        lambda: tacit.brief(
            "Change how refunds are booked",
            signals={"file": "src/refunds.py"},
            budget_tokens=500,
            session="claude:s-1",
        ),
    )
    step("what it says", lambda: [brief.text, brief.tokens, list(brief.bands), len(brief.items)])
    step("brief, wrong", lambda: tacit.brief("x", budget_tokens=0))
    step("handed", lambda: tacit.handed(many[0].id))
    step("predict", lambda: tacit.predict({"file": "src/auth.py"}, 3))
    step("predict, named", lambda: tacit.predict(file="src/auth.py"))
    step("expand", lambda: tacit.expand(rule.id, level="summary"))
    step("expand, several", lambda: tacit.expand(["tag:auth", many[0].id], budget_tokens=200))
    step("index", lambda: tacit.index_view())
    step("timeline view", lambda: tacit.timeline_view())
    step("topics", lambda: tacit.load_topics("auth"))
    step("timeline", lambda: tacit.timeline(limit=5))
    step("timeline, around", lambda: tacit.timeline(anchor=rule.id, before=1, after=1))
    step("learnt", lambda: tacit.learnt(limit=4))
    step("economics", lambda: tacit.economics())
    step("roi", lambda: tacit.roi(limit=3))
    step("sessions", lambda: tacit.sessions())
    step("injected", lambda: tacit.injected("claude:s-1"))
    step("helpful", lambda: tacit.feedback([many[0].id], "helpful", by="ana"))
    step("nice", lambda: tacit.feedback([many[0].id], "nice"))
    step("closed", lambda: tacit.close_session("claude:none", "success"))
    step("effects", lambda: tacit.effects().memories[:2])
    step("incognito, none", lambda: tacit.incognito("claude:none"))
    step("contradictions", lambda: tacit.contradictions(open_only=False))
    step("resolve, none", lambda: tacit.resolve("nothing", "a_wins"))
    candidate = step("candidate", lambda: tacit.remember("Carts live in Redis", state="candidate"))
    step("candidates", lambda: tacit.candidates())
    step("accept", lambda: tacit.accept(candidate.id, by="ana"))
    step("before a task", lambda: tacit.before_task("fix the refund", limit=2).relevant)
    step("persona", lambda: tacit.blocks.set("persona", "You are careful.", by="ana"))
    step("added", lambda: tacit.blocks.insert("persona", "You are brief.", by="ana"))
    step("stale", lambda: tacit.blocks.rethink("persona", "You are bold.", rev=1))
    step("replaced", lambda: tacit.blocks.replace("persona", "brief", "short", rev=2))
    step("block, none", lambda: tacit.blocks.get("nobody"))
    step("block, found", lambda: tacit.blocks.find("nobody"))
    step("blocks", lambda: tacit.blocks.list())
    step("ledger", lambda: tacit.ledgers.set("eng-1", {"current_phase": "build"}))
    step("ledgers", lambda: tacit.ledgers.list())
    step("send", lambda: tacit.handoffs.send("a", "b", {"known_issues": ["slow"]}, id="h-1"))
    step("inbox", lambda: tacit.handoffs.inbox("b"))
    step("accept it", lambda: tacit.handoffs.accept("h-1", by="b"))
    turn = Turn(goal="Book refunds", decisions=("by the ledger",), next=("test it",))
    step("going on", lambda: tacit.continuity.update(turn, agent="eng-1"))
    step("what now", lambda: tacit.continuity.text("eng-1"))
    step("file", lambda: tacit.memory_files.create("/memories/notes.md", "one\ntwo\n"))
    step("file again", lambda: tacit.memory_files.create("/memories/notes.md", "x"))
    step("view", lambda: tacit.memory_files.view("/memories/notes.md", [1, 1]))
    step("files", lambda: tacit.memory_files.files())
    step("dry run", lambda: tacit.consolidate(dry_run=True, only=["merge", "connect"]))
    said: list[str] = []
    only = ["merge", "forget"]
    step("cycle", lambda: tacit.consolidate(only=only, progress=lambda n, _: said.append(n)))
    step("its steps", lambda: sorted(set(said)))
    step("no such pass", lambda: tacit.consolidate(only=["sing"]))
    step("outlook", lambda: tacit.outlook())
    step("erase", lambda: tacit.erase([many[1].id]))
    step("erased", lambda: tacit.get(many[1].id))
    step("pending", lambda: tacit.pending())
    step("unverified", lambda: tacit.unverified())
    step("status", lambda: tacit.status())
    step("written", lambda: written)
    step("scope", lambda: tacit.scope)
    return steps


def _memories(found: Any) -> list[Memory]:
    many = found if isinstance(found, list) else getattr(found, "memories", None)
    return (
        [one for one in many if isinstance(one, Memory)]
        if isinstance(many, (list, tuple))
        else [found] * isinstance(found, Memory)
    )


def test_the_same_script_gives_the_same_on_a_store_and_over_a_server(folder: Path, remote: Tacit):
    with Tacit.open(str(folder / "near" / "shop.db")) as local:
        near = script(local)
    far = script(remote)

    assert [name for name, _ in near] == [name for name, _ in far]
    for (name, one), (_, other) in zip(near, far, strict=True):
        assert one == other, name
    assert len({name for name, found in near if isinstance(found, tuple)}) > 10  # errors were met


def taken(function: Any) -> str:
    """Give the signature in words; a function that is a default has no address worth comparing."""
    return re.sub(r"<function \S+ at \w+>", "…", str(inspect.signature(function)))


def test_every_method_is_served_or_right_here_or_refused(remote: Tacit):
    public = [name for name in dir(Tacit) if not name.startswith("_")]
    methods = [name for name in public if callable(getattr(Tacit, name))]

    for name in methods:
        here, there = getattr(Tacit, name), getattr(RemoteTacit, name)
        assert taken(here) == taken(there), name
        assert (here is there) <= (name in HERE), name
    assert set(VERBS) <= {
        *methods,
        *(f"{held}.{name}" for held in HELD for name in dir(getattr(remote, held))),
    }
    for name in HELD:
        mine, theirs = getattr(remote, name), vars(__import__(HELD[name][0], fromlist=["x"]))
        for method in [one for one in dir(mine) if not one.startswith("_") and one != "connection"]:
            here = getattr(theirs[HELD[name][1]], method)
            assert taken(here) == taken(getattr(type(mine), method)), method


def test_what_needs_the_store_itself_is_refused_with_a_reason(remote: Tacit, tmp_path: Path):
    for ask in (
        lambda: remote.observe(),
        lambda: remote.backup(str(tmp_path / "copy.db")),
        lambda: remote.merge("other.db"),
        lambda: remote.doctor(),
        lambda: remote.store.stats(),
        lambda: remote.continuity.write(str(tmp_path / "page.md")),
        lambda: remote.blocks.apply(None, None),  # type: ignore[arg-type]  # it is refused first
    ):
        with pytest.raises(Denied, match="needs the store itself"):
            ask()


def test_an_export_travels_from_a_store_to_a_server_and_back(folder: Path, remote: Tacit):
    with Tacit.open(str(folder / "near.db")) as local:
        local.remember_many([f"Rule {number} of the house" for number in range(300)])
        seen: list[int] = []
        found = remote.import_(local.export(), progress=seen.append)

        assert (found.new, found.read["memory"]) == (300, 300)
        assert {one.text for one in remote.list()} == {one.text for one in local.list()}
        assert len(list(remote.export())) == len(list(local.export()))
    with pytest.raises(Invalid, match="first line"):
        remote.import_(["nothing\n"])
    assert len(remote.list(limit=None)) == 300


def test_a_token_opens_a_server_as_far_as_it_goes(location: str, monkeypatch: pytest.MonkeyPatch):
    with serving(location) as server:
        secrets = {scope: server.tokens.add(f"{scope}er", scope) for scope in SCOPES}
        url = f"http://127.0.0.1:{server.port}"
        for token in (None, "tacit_x"):
            with pytest.raises(Denied, match="TACIT_TOKEN"):
                Tacit.open(url, token=token)
        monkeypatch.setenv("TACIT_TOKEN", secrets["write"])
        with Tacit.open(url) as writer, Tacit.open(url, token=secrets["read"]) as reader:
            kept = writer.remember("Sign tokens with RS256")
            assert reader.recall("tokens")[0].memory == kept
            writer.forget(kept.id, by="somebody else")
            assert writer.why(kept.id).history[-1].by == "writeer"
            with pytest.raises(Denied, match="needs the scope write"):
                reader.remember("x y z")
            with pytest.raises(Denied, match="needs the scope admin"):
                writer.erase([kept.id])


def test_each_verb_needs_what_the_table_says(location: str):
    with serving(location) as server:
        secrets = {scope: server.tokens.add(scope, scope) for scope in SCOPES}
        for name, verb in VERBS.items():
            for scope, secret in secrets.items():
                asked = server.post(
                    f"/call/{name}",
                    json={"arguments": {"no such": 1}},
                    headers={"Authorization": f"Bearer {secret}"},
                )
                enough = SCOPES.index(scope) >= SCOPES.index(verb.scope)
                assert (asked.status_code == 403) != enough, (name, scope)
                assert asked.status_code < 500, asked.text


def test_arguments_of_another_type_are_refused_before_anything_is_done(server: Served):
    wrong: list[tuple[str, dict[str, object]]] = [
        ("write", {"drafts": [{"text": 5}]}),
        ("write", {"drafts": [{"text": "x", "confidence": "high"}]}),
        ("write", {"drafts": "x"}),
        ("write", {"drafts": [{"text": "x", "mentions": [{"facet": "auth"}]}]}),
        ("recall_explained", {"query": 5}),
        ("recall_explained", {"query": "x", "limit": True}),
        ("recall_explained", {"query": "x", "vector": "AAAA"}),
        ("recall_explained", {}),
        ("set", {"ref": "x", "importance": "high"}),
        ("get", {"ref": "x", "known_at": "yesterday"}),
        ("get", {"ref": "x", "colour": "red"}),
        ("blocks.set", {"label": "persona", "text": "x", "trust": "nobody"}),
        ("ledgers.set", {"agent": "a", "record": []}),
        ("consolidate", {"rules": {"grace": 1.0}}),
        ("brief", {"signals": []}),
    ]
    for verb, arguments in wrong:
        answer = server.post(f"/call/{verb}", json={"arguments": arguments})
        assert answer.status_code == 400, (verb, answer.text)
    for unknown in ("observe", "backup", "store", "__init__", "blocks.apply", "settings"):
        assert server.post(f"/call/{unknown}", json={}).status_code == 404
    assert server.ask("GET", "/status")["memories"] == 0


def test_a_change_that_is_sent_again_is_done_once(server: Served):
    def ask(verb: str, arguments: dict[str, object]) -> tuple[object, object]:
        sent = {"json": {"arguments": arguments}, "headers": {"Idempotency-Key": f"k-{verb}"}}
        first = server.post(f"/call/{verb}", **sent)
        again = server.post(f"/call/{verb}", **sent)
        assert again.headers.get("idempotency-replayed") == "true", again.text
        return first.json()["answer"], again.json()["answer"]

    first, again = ask("write", {"drafts": [{"text": "Sign tokens with RS256"}]})
    assert first == again
    for verb, arguments in (
        ("blocks.set", {"label": "persona", "text": "You are careful."}),
        ("ledgers.set", {"agent": "eng-1", "record": {"current_phase": "build"}}),
        ("handoffs.send", {"from_agent": "a", "to_agent": "b", "context": {"x": 1}, "id": "h-1"}),
        ("continuity.update", {"turn": {"goal": "Book refunds"}, "agent": "eng-1"}),
    ):
        first, again = ask(verb, arguments)
        assert first == again, verb
    assert server.ask("GET", "/blocks")["blocks"][0]["rev"] == 1
    with server.house.tacit() as tacit:
        kept = " ".join(text for _, text in tacit.store.documents("serve:repeats:"))
    assert "blocks" not in kept
    assert not [word for word in ("RS256", "careful", "build", "refunds") if word in kept]


def test_a_connection_that_was_closed_meanwhile_is_made_anew(server: Served):
    with Tacit.open(f"http://127.0.0.1:{server.port}") as tacit:
        tacit.remember("Sign tokens with RS256")
        tacit.connection._mine.connection.sock.shutdown(2)  # type: ignore[attr-defined]  # as a proxy would

        assert len(tacit.list()) == 1


def test_threads_ask_side_by_side(remote: Tacit):
    remote.remember_many([f"Rule {number} of the house" for number in range(8)])
    found: list[int] = []

    def ask() -> None:
        found.extend(len(remote.recall("rule", limit=8)) for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert found == [8] * 20


def test_a_server_that_is_not_there_is_told_of(server: Served, tmp_path: Path):
    with pytest.raises(Unavailable, match="there is no server at"):
        Tacit.open("http://127.0.0.1:9")
    for wrong in ("http://", "http://ana:secret@127.0.0.1:1", "http://127.0.0.1:x"):
        with pytest.raises(Invalid):
            Tacit.open(wrong)
    with pytest.raises(Invalid, match="token"):
        Tacit.open(str(tmp_path / "shop.db"), token="tacit_x")
    with pytest.raises(Invalid, match="scope"):
        Tacit.open(f"http://127.0.0.1:{server.port}", scope="project:other")
    with pytest.raises(Invalid, match="zone"), Tacit.open(f"http://127.0.0.1:{server.port}") as it:
        it.recall("x", as_of=datetime(2026, 1, 1))


def test_the_settings_may_name_a_server(server: Served, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TACIT_STORE", f"http://127.0.0.1:{server.port}")

    with Tacit.open() as tacit:
        tacit.remember("Sign tokens with RS256")

    assert server.ask("GET", "/status")["memories"] == 1


def test_the_command_line_works_on_a_server(server: Served, cli: Cli):
    store = ("--store", f"http://127.0.0.1:{server.port}")
    short = cli("remember", "Sign tokens with RS256", "--quiet", *store).out.strip()

    assert cli.json("recall", "tokens", *store)[0]["memory"]["short"] == short
    assert cli.json("list", *store)[0]["short"] == short
    assert "Sign tokens" in cli("show", short, *store).out
    assert "Sign tokens" in cli("brief", "sign a token", *store).out
    assert cli("why", short, *store).out.splitlines()[1].startswith("served: it holds since")
    assert cli.json("status", *store)["memories"] == 1
    assert f"server    http://127.0.0.1:{server.port}\n" in cli("status", *store).out
    assert cli.json("report", *store)["learnt"] == 1
    assert cli("cite", short, *store).status == 0
    assert cli("edit", short, "--text", "Sign tokens with ES256", *store).status == 0
    assert cli("forget", short, *store).status == 0
    assert cli.json("list", *store) == []
    assert cli("restore", short, *store).status == 0
    assert cli("timeline", "--kind", "fact", *store).status == 0
    assert cli("consolidate", "--dry-run", *store).status == 0
    assert cli("contradictions", *store).status == 0
    assert cli("erase", short, "--yes", *store).status == 0
    refused = cli("backup", "create", *store)
    assert (refused.status, "needs the store itself" in refused.err) == (5, True)
    away = cli("recall", "tokens", "--store", "http://127.0.0.1:9")
    assert (away.status, "there is no server" in away.err) == (6, True)

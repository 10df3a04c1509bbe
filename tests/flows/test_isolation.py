"""Nobody ever reads what is not theirs to read: two teams, groups, every way to read.

Each text holds a word of its own. After any writes, whoever reads in whatever way finds only
words of memories that are open to them: members of a team's database behind its walls, and people
with a file each that they merge. With `TACIT_ISOLATION_STEPS=10000` either takes that many steps;
without, a short part of them.
"""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
from contextlib import ExitStack, contextmanager, redirect_stderr
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from fakes import FrozenClock, WordCounter
from flows.read_paths import (
    ADAPTERS,
    COMMANDS,
    FACADE,
    NOT_READS,
    STORE,
    arguments,
    page_reads,
    routes,
)
from postgres_server import a_database, address
from tacit.__main__ import main
from tacit.codec import to_json
from tacit.config import Settings
from tacit.errors import Denied, Invalid, NotFound
from tacit.model import Scope
from tacit.store.connect import connect, create_team, join_team
from tacit.store.owner import say_owner
from tacit.system import Tacit
from tacit.system.remote.verbs import VERBS
from tacit.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rest_server import Served

    from flows.read_paths import Read
    from tacit.store.protocol import Store

sys.path.append(str(Path(__file__).parents[1] / "interfaces" / "rest"))

STEPS = int(os.environ.get("TACIT_ISOLATION_STEPS", "0"))
TEAMS = {
    "acme": {"ana": "admin", "bo": "writer", "cy": "curator", "di": "reader"},
    "globex": {"ana": "writer", "eve": "admin"},
}
PEOPLE = [(team, name) for team, names in TEAMS.items() for name in names]
WRITERS = [who for who in PEOPLE if TEAMS[who[0]][who[1]] != "reader"]
NUMBER = st.integers(0, 99)
SCOPES = ("project:shop", "team:payments", "user:bo", "project:shop/agent:x")
WORD = re.compile(r"mark\d+x")
AFAR = sorted(set(VERBS) & {how.partition(",")[0] for how in FACADE} | {"recall", "export"})
TYPED = {name: given for name, given in COMMANDS.items() if given is not None}
READS = FACADE | {f"store, {how}": read for how, read in STORE.items()}


class Kept:
    """What the test knows of a memory: whose it is, and which words were ever said to all."""

    def __init__(self, id_: str, team: str, author: str, scope: str, private: bool) -> None:
        self.id, self.team, self.author, self.scope, self.private = (
            id_,
            team,
            author,
            scope,
            private,
        )
        self.keyed = False
        self.words: list[tuple[str, bool]] = []  # a word, and whether it was said to others

    def hidden_from(self, who: tuple[str, str], groups: set[tuple[str, str]]) -> bool:
        """Tell whether somebody may not know of it now."""
        if who == (self.team, self.author):
            return False
        grouped = self.scope.startswith("team:") and who not in groups
        return who[0] != self.team or self.private or grouped

    def said(self) -> bool:
        """Tell whether any word of it was ever said to others."""
        return any(said for _, said in self.words)

    def open_to(self, who: tuple[str, str], groups: set[tuple[str, str]]) -> set[str]:
        """Give the words of it that somebody may read.

        What was said to all and taken back since may echo in what neighbours took over from it.
        """
        if who == (self.team, self.author):
            return {word for word, _ in self.words}
        if who[0] != self.team or (self.scope.startswith("team:") and who not in groups):
            return set()
        return {word for word, said in self.words if said}


@contextmanager
def written() -> Iterator[io.BytesIO]:
    """Take what is printed, texts and bytes."""
    taken = io.BytesIO()
    before, sys.stdout = sys.stdout, io.TextIOWrapper(taken, encoding="utf-8", write_through=True)
    try:
        with redirect_stderr(io.StringIO()):
            yield taken
    finally:
        sys.stdout.flush()
        sys.stdout.detach()
        sys.stdout = before


def told(value: object) -> str:
    """Give everything within a value as text."""
    if isinstance(value, Value):
        return str(to_json(value)) if hasattr(value, "id") else repr(value)
    if isinstance(value, (list, tuple, set)):
        return " ".join(map(told, value))
    if isinstance(value, dict):
        return " ".join(told(each) for pair in value.items() for each in pair)
    return str(value)


class Isolation(RuleBasedStateMachine):
    """People of two teams write and read."""

    where = ""
    numbers = count(1)
    elsewhere: tuple[str, ...] = ()  # scopes that have no place in a store

    @initialize()
    def begin(self) -> None:
        number = next(self.numbers)
        self.clock, self.words = FrozenClock(), count(1)
        self.kept: list[Kept] = []
        self.asked: dict[tuple[str, str], set[str]] = {}
        self.groups: set[tuple[str, str]] = set()
        self.open: dict[tuple[str, str], Tacit] = {}
        self.served: dict[str, tuple[Served, dict[str, str]]] = {}  # by team, with tokens
        self.ending = ExitStack()
        self.prepare(number)

    def prepare(self, number: int) -> None:
        """Open a memory for each person."""
        raise NotImplementedError

    def tacit(self, store: Store, name: str) -> Tacit:
        return Tacit(
            store,
            scope=Scope(path="project:shop"),
            clock=self.clock,
            counter=WordCounter(),
            settings=Settings(home=os.devnull, user=name),
        )

    def teardown(self) -> None:
        if hasattr(self, "ending"):
            self.ending.close()
        for tacit in getattr(self, "open", {}).values():
            tacit.close()

    def word(self) -> str:
        return f"mark{next(self.words)}x"

    def mine(self, who: tuple[str, str], number: int) -> Kept | None:
        own = [kept for kept in self.kept if (kept.team, kept.author) == who]
        return own[number % len(own)] if own else None

    @rule(
        who=st.sampled_from(WRITERS),
        scope=st.sampled_from(SCOPES),
        private=st.booleans(),
        keyed=st.booleans(),
        kind=st.sampled_from(["fact", "pattern"]),
    )
    def remember(
        self, who: tuple[str, str], scope: str, private: bool, keyed: bool, kind: str
    ) -> None:
        if (scope.startswith("team:") and who not in self.groups) or scope in self.elsewhere:
            return
        self.clock.advance(minutes=1)
        word, more = self.word(), {"kind": kind}
        if keyed:
            more = {"key": "deploy.day", "value": word}
        memory = self.open[who].remember(
            f"Deploys of the cart are done by {word} on {word} days",
            scope=Scope(path=scope),
            visibility="private" if private else "shared",
            files=["src/cart.py"],
            subtype="preference",
            **more,
        )
        kept = Kept(memory.id, who[0], who[1], scope, private)
        kept.words.append((word, not private))
        kept.keyed = keyed
        self.kept.append(kept)

    @rule(who=st.sampled_from(PEOPLE))
    def ask(self, who: tuple[str, str]) -> None:
        """Ask something within a session; what somebody asked is theirs alone."""
        word = self.word()
        self.asked.setdefault(who, set()).add(word)
        self.open[who].brief(f"Mend the cart for {word}", session="s")

    @rule(who=st.sampled_from(WRITERS), number=st.integers(0, 9))
    def edit(self, who: tuple[str, str], number: int) -> None:
        if kept := self.mine(who, number):
            self.clock.advance(minutes=1)
            word = self.word()
            self.open[who].edit(kept.id, f"Now it is {word} for the cart")
            kept.words.append((word, not kept.private))

    @rule(who=st.sampled_from(WRITERS), number=st.integers(0, 9))
    def share(self, who: tuple[str, str], number: int) -> None:
        kept = self.mine(who, number)
        if kept and kept.private:
            self.clock.advance(minutes=1)
            word = self.word()
            self.open[who].edit(kept.id, f"Fit for all: {word}")
            kept.words.append((word, True))
            self.open[who].share([kept.id])
            kept.private = False
            if kept.keyed:  # an edit changes the text; the value is given away with it
                kept.words[0] = (kept.words[0][0], True)

    @rule(who=st.sampled_from(WRITERS), number=st.integers(0, 9))
    def take_back(self, who: tuple[str, str], number: int) -> None:
        if kept := self.mine(who, number):
            self.clock.advance(minutes=1)
            self.open[who].share([kept.id], back=True)
            kept.private = True

    @rule(who=st.sampled_from(WRITERS), number=st.integers(0, 9))
    def forget(self, who: tuple[str, str], number: int) -> None:
        if kept := self.mine(who, number):
            self.clock.advance(minutes=1)
            self.open[who].forget(kept.id)

    @rule(who=st.sampled_from(WRITERS), one=st.integers(0, 9), two=st.integers(0, 9))
    def link(self, who: tuple[str, str], one: int, two: int) -> None:
        a, b = self.mine(who, one), self.mine(who, two)
        if a and b and a is not b:
            self.open[who].link(a.id, "supports", b.id)
            self.open[who].cite([a.id])

    def hidden(self, kept: Kept, who: tuple[str, str]) -> bool:
        return kept.hidden_from(who, self.groups)

    def place(self, who: tuple[str, str]) -> str:
        """Give where a person's memory is."""
        raise NotImplementedError

    def allowed(self, who: tuple[str, str]) -> set[str]:
        open_ = {word for kept in self.kept for word in kept.open_to(who, self.groups)}
        return open_ | self.asked.get(who, set())

    def check(self, who: tuple[str, str], how: str, text: str) -> None:
        foreign = set(WORD.findall(text)) - self.allowed(who)
        at = text.find(min(foreign, default=""))
        assert not foreign, f"{who} read {foreign} by {how}: …{text[max(0, at - 300) : at + 100]}…"

    def look(self, who: tuple[str, str], how: str, number: int, read: Read, tacit: Any) -> None:
        """Read in some way; what is found must be open, and what is hidden not be found by name."""
        target = self.kept[number % len(self.kept)]
        query = f"deploys of the cart {target.words[0][0]}"
        try:
            found = told(read(tacit, query, target.id))
        except (NotFound, Denied, Invalid):
            return
        if how in ("show", "why", "expand", "get"):
            assert not self.hidden(target, who), f"{who} read {target.id} by {how}"
        # What was asked stands in what was told and kept: it is no finding.
        self.check(who, how, found.replace(query, ""))

    @precondition(lambda self: getattr(self, "kept", None))
    @rule(who=st.sampled_from(PEOPLE), how=st.sampled_from(sorted(READS)), number=NUMBER)
    def read(self, who: tuple[str, str], how: str, number: int) -> None:
        self.look(who, how, number, READS[how], self.open[who])

    @precondition(lambda self: getattr(self, "kept", None))
    @rule(who=st.sampled_from(PEOPLE), how=st.sampled_from(sorted(ADAPTERS)), number=NUMBER)
    def read_through_an_adapter(self, who: tuple[str, str], how: str, number: int) -> None:
        self.look(who, how, number, ADAPTERS[how], self.open[who])

    @precondition(lambda self: getattr(self, "kept", None))
    @rule(who=st.sampled_from(PEOPLE), which=NUMBER, number=NUMBER)
    def read_for_the_page(self, who: tuple[str, str], which: int, number: int) -> None:
        pages = sorted(page_reads().items())
        how, read = pages[which % len(pages)]
        self.look(who, f"the page's {how}", number, read, self.open[who])

    @precondition(lambda self: getattr(self, "kept", None))
    @rule(who=st.sampled_from(PEOPLE), command=st.sampled_from(sorted(TYPED)), number=NUMBER)
    def type_(self, who: tuple[str, str], command: str, number: int) -> None:
        filled = {"*": "deploys of the cart", "#": self.kept[number % len(self.kept)].id}
        argv = [filled.get(part, part) for part in TYPED[command].split()]
        with written() as taken:
            main([command, *argv, "--store", self.place(who), "--json"])
        self.check(who, f"tacit {command}", taken.getvalue().decode())

    @precondition(lambda self: getattr(self, "kept", None))
    @rule(who=st.sampled_from(PEOPLE), number=st.integers(0, 99))
    def change_anothers_private(self, who: tuple[str, str], number: int) -> None:
        hidden = [kept for kept in self.kept if self.hidden(kept, who)]
        if not hidden:
            return
        target, tacit = hidden[number % len(hidden)], self.open[who]
        acts: list[Callable[[], Any]] = [
            lambda: tacit.edit(target.id, "changed"),
            lambda: tacit.forget(target.id),
            lambda: tacit.share([target.id]),
            lambda: tacit.erase([target.id]),
            lambda: tacit.cite([target.id]),
        ]
        for act in acts:
            try:
                act()
            except (NotFound, Denied):
                continue
            raise AssertionError(f"{who} changed what is hidden from them")


class Walls(Isolation):
    """Members of two teams of one database, and the servers of both."""

    def prepare(self, number: int) -> None:
        self.teams = {team: f"{team}{number}" for team in TEAMS}
        for team, names in TEAMS.items():
            admin = next(name for name, role in names.items() if role == "admin")
            create_team(self.where, self.teams[team], admin)
            self.open[team, admin] = self.member(team, admin)
            for name, role in names.items():
                if name != admin:
                    token = self.open[team, admin].invite(name, role)
                    join_team(self.where, token, now=self.clock.now())
                    self.open[team, name] = self.member(team, name)

    def member(self, team: str, name: str) -> Tacit:
        store = connect(self.where, tenant=self.teams[team], member=name, create=False)
        return self.tacit(store, name)

    def place(self, who: tuple[str, str]) -> str:
        mark = "&" if "?" in self.where else "?"
        return f"{self.where}{mark}tenant={self.teams[who[0]]}&member={who[1]}"

    def server(self, who: tuple[str, str]) -> tuple[Served, str]:
        """Give the server of a person's team and their token."""
        from rest_server import serving

        team, name = who
        if team not in self.served:
            admin = next(one for one, role in TEAMS[team].items() if role == "admin")
            sets = ("memory-file", "blocks", "handoffs", "knowledge-graph")
            served = self.ending.enter_context(serving(self.place((team, admin)), mcp_sets=sets))
            made = {
                one: served.tokens.add(f"{self.teams[team]}-{one}", "admin", one)
                for one in TEAMS[team]
            }
            self.served[team] = served, made
        served, tokens = self.served[team]
        return served, tokens[name]

    @rule(name=st.sampled_from(["bo", "cy", "ana"]), out=st.booleans())
    def group(self, name: str, out: bool) -> None:
        self.open["acme", "ana"].group(name, "payments", out=out)
        (self.groups.discard if out else self.groups.add)(("acme", name))

    @precondition(lambda self: getattr(self, "kept", None))
    @rule(who=st.sampled_from(PEOPLE), how=st.sampled_from(AFAR), number=NUMBER)
    def read_afar(self, who: tuple[str, str], how: str, number: int) -> None:
        server, token = self.server(who)
        with Tacit.open(str(server.base_url), token=token) as tacit:
            self.look(who, how, number, FACADE[how], tacit)

    @precondition(lambda self: getattr(self, "kept", None))
    @rule(who=st.sampled_from(PEOPLE), which=NUMBER, number=NUMBER)
    def ask_a_route(self, who: tuple[str, str], which: int, number: int) -> None:
        server, token = self.server(who)
        found = routes(server.app.openapi())
        method, path, asked, body = found[which % len(found)]

        def read(_tacit: object, query: str, id_: str) -> str:
            given = arguments(asked, query, "s" if path.startswith("/sessions") else id_)
            at = path.format_map({name: given.get(name, "x") for name in asked})
            inside = {name: value for name, value in given.items() if asked[name] == "query"}
            answer = server.request(
                method,
                at,
                params=inside,
                json=arguments(body, query, id_) if body else None,
                headers={"authorization": f"Bearer {token}"},
            )
            assert answer.status_code < 500, f"{method} {path}: {answer.text}"
            return answer.text

        self.look(who, f"{method} {path}", number, read, None)

    @precondition(lambda self: getattr(self, "kept", None))
    @rule(who=st.sampled_from(PEOPLE), which=NUMBER, number=NUMBER)
    def call_a_tool(self, who: tuple[str, str], which: int, number: int) -> None:
        server, token = self.server(who)
        headers = {
            "authorization": f"Bearer {token}",
            "accept": "application/json, text/event-stream",
        }

        def ask(method: str, params: dict[str, Any]) -> Any:
            body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            return server.ask("POST", "/mcp", json=body, headers=headers)

        tools = [
            tool
            for tool in ask("tools/list", {})["result"]["tools"]
            if tool["annotations"]["readOnlyHint"]
        ]
        tool = tools[which % len(tools)]

        def read(_tacit: object, query: str, id_: str) -> object:
            given = arguments(tool["inputSchema"].get("properties", {}), query, id_)
            return ask("tools/call", {"name": tool["name"], "arguments": given})

        self.look(who, f"the tool {tool['name']}", number, read, None)


class Files(Isolation):
    """People with a file each, who merge; what was said to others they may have read."""

    elsewhere = ("user:bo",)

    def prepare(self, number: int) -> None:
        self.folder = Path(self.ending.enter_context(tempfile.TemporaryDirectory()))
        for team, name in PEOPLE:
            store = connect(self.place((team, name)))
            say_owner(store, name)
            self.open[team, name] = self.tacit(store, name)
        self.groups = set(PEOPLE)  # a file knows no groups

    def place(self, who: tuple[str, str]) -> str:
        return str(self.folder / f"{who[0]}-{who[1]}.db")

    def hidden(self, kept: Kept, who: tuple[str, str]) -> bool:
        return who != (kept.team, kept.author) and (who[0] != kept.team or not kept.said())

    @rule(one=st.sampled_from(PEOPLE), two=st.sampled_from(PEOPLE), both=st.booleans())
    def meet(self, one: tuple[str, str], two: tuple[str, str], both: bool) -> None:
        if one[0] == two[0] and one != two:
            self.clock.advance(minutes=1)
            self.open[one].merge(self.place(two), both=both)
            for who in (one, two):
                self.check(who, "export after a merge", "".join(self.open[who].export()))


def run(machine: type[Isolation]) -> None:
    """Take the steps."""
    examples, steps = (STEPS // 100, 100) if STEPS else (4, 40)
    case = machine.TestCase
    case.settings = settings(
        max_examples=max(1, examples),
        stateful_step_count=steps,
        deadline=None,
        phases=[Phase.generate] if STEPS else tuple(Phase),
    )
    case("runTest").runTest()


@pytest.mark.timeout(STEPS + 300)
def test_nobody_reads_or_changes_what_is_not_theirs(folder_for_commands: None) -> None:
    with a_database(empty=True) as database:
        Walls.where = address(database)
        run(Walls)


@pytest.mark.timeout(STEPS + 300)
def test_between_files_nobody_reads_what_was_never_said_to_them(folder_for_commands: None) -> None:
    run(Files)


def test_every_way_to_read_is_walked() -> None:
    import tacit.adapters
    from tacit.interfaces.cli.parser import GROUPS

    methods = {name for name in dir(Tacit) if not name.startswith("_")}
    assert {how.partition(",")[0] for how in FACADE} | NOT_READS == methods
    assert not set(FACADE) & NOT_READS
    assert {command for group in GROUPS.values() for command, _, _ in group} == set(COMMANDS)
    folder = Path(tacit.adapters.__file__).parent
    holders = [path for path in folder.rglob("*.py") if "(Holder" in path.read_text("utf-8")]
    found = {path.relative_to(folder).parts[0].removesuffix(".py") for path in holders}
    assert found - {"adk", "openai_agents", "claude_agent"} == set(ADAPTERS)  # see read_paths
    assert len(page_reads()) > 10

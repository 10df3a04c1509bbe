"""Nobody ever reads what is not theirs to read: two teams, groups, every way to read.

Each text holds a word of its own. After any writes, whoever reads in whatever way finds only
words of memories that are open to them. With `TACIT_ISOLATION_STEPS=10000` it takes that many steps;
without, a short part of them.
"""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import contextmanager, redirect_stderr
from itertools import count
from typing import TYPE_CHECKING, Any

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from fakes import FrozenClock, WordCounter
from postgres_server import a_database, address
from tacit.__main__ import main
from tacit.codec import to_json
from tacit.config import Settings
from tacit.errors import Denied, NotFound
from tacit.model import Scope
from tacit.store.connect import connect, create_team, join_team
from tacit.system import Tacit
from tacit.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STEPS = int(os.environ.get("TACIT_ISOLATION_STEPS", "0"))
TEAMS = {
    "acme": {"ana": "admin", "bo": "writer", "cy": "curator", "di": "reader"},
    "globex": {"ana": "writer", "eve": "admin"},
}
PEOPLE = [(team, name) for team, names in TEAMS.items() for name in names]
WRITERS = [who for who in PEOPLE if TEAMS[who[0]][who[1]] != "reader"]
SCOPES = ("project:shop", "team:payments", "user:bo", "project:shop/agent:x")
WORD = re.compile(r"mark\d+x")


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


READS: dict[str, Callable[[Tacit, str, str], object]] = {
    "recall": lambda t, q, i: t.recall_explained(q, limit=50),
    "recall of the past": lambda t, q, i: t.recall(q, limit=50, known_at=t.clock.now()),
    "recall in a group": lambda t, q, i: t.recall(q, scopes=[Scope(path="team:payments")]),
    "brief": lambda t, q, i: (t.brief(q).text, t.brief().text),
    "brief, kept": lambda t, q, i: t.brief(q, session="s").text,
    "brief, index": lambda t, q, i: t.brief(preset="index").text,
    "list": lambda t, q, i: t.list(),
    "list, all": lambda t, q, i: t.list(
        history=True, states=("active", "candidate", "archived", "forgotten")
    ),
    "show": lambda t, q, i: t.show(i),
    "why": lambda t, q, i: t.why(i),
    "timeline": lambda t, q, i: t.timeline(),
    "around": lambda t, q, i: t.timeline(anchor=i),
    "index": lambda t, q, i: t.index_view(),
    "timeline view": lambda t, q, i: t.timeline_view(),
    "topics": lambda t, q, i: t.load_topics(q),
    "expand": lambda t, q, i: t.expand([i]),
    "expand around": lambda t, q, i: t.expand([i], before=2, after=2),
    "predict": lambda t, q, i: t.predict(files=["src/cart.py"], task=q),
    "collaborator": lambda t, q, i: t.predict(collaborator="bo"),
    "contradictions": lambda t, q, i: [
        t.store.get([c.a, c.b]) for c in t.contradictions(open_only=False)
    ],
    "learnt": lambda t, q, i: t.learnt(),
    "status": lambda t, q, i: t.status(),
    "export": lambda t, q, i: list(t.export()),
    "revisions": lambda t, q, i: t.store.revisions(None),
    "links": lambda t, q, i: [t.store.get([k.src, k.dst]) for k in t.store.links(None)],
    "mentions": lambda t, q, i: t.store.mentions([m.id for m in t.list()]),
    "usage": lambda t, q, i: [t.store.get([u.memory_id]) for u in t.store.usage()],
    "sessions": lambda t, q, i: (t.store.sessions(), t.store.queries()),
    "documents": lambda t, q, i: t.store.documents(""),
    "outlook": lambda t, q, i: t.outlook(),
    "secrets": lambda t, q, i: t.secrets(),
}
COMMANDS = ("recall|*", "list", "timeline", "export|-", "index", "contradictions", "brief|*")


class Isolation(RuleBasedStateMachine):
    """Members of two teams write and read."""

    where = ""
    numbers = count(1)

    @initialize()
    def begin(self) -> None:
        number = next(self.numbers)
        self.clock, self.words = FrozenClock(), count(1)
        self.kept: list[Kept] = []
        self.groups: set[tuple[str, str]] = set()
        self.open: dict[tuple[str, str], Tacit] = {}
        self.teams = {team: f"{team}{number}" for team in TEAMS}
        for team, names in TEAMS.items():
            admin = next(name for name, role in names.items() if role == "admin")
            create_team(self.where, self.teams[team], admin)
            self.open[team, admin] = self.tacit(team, admin)
            for name, role in names.items():
                if name != admin:
                    token = self.open[team, admin].invite(name, role)
                    join_team(self.where, token, now=self.clock.now())
                    self.open[team, name] = self.tacit(team, name)

    def tacit(self, team: str, name: str) -> Tacit:
        return Tacit(
            connect(self.where, tenant=self.teams[team], member=name, create=False),
            scope=Scope(path="project:shop"),
            clock=self.clock,
            counter=WordCounter(),
            settings=Settings(home=os.devnull, user=name),
        )

    def teardown(self) -> None:
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
    )
    def remember(self, who: tuple[str, str], scope: str, private: bool, keyed: bool) -> None:
        if scope.startswith("team:") and who not in self.groups:
            return
        self.clock.advance(minutes=1)
        word, more = self.word(), {}
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

    @rule(name=st.sampled_from(["bo", "cy", "ana"]), out=st.booleans())
    def group(self, name: str, out: bool) -> None:
        self.open["acme", "ana"].group(name, "payments", out=out)
        (self.groups.discard if out else self.groups.add)(("acme", name))

    def allowed(self, who: tuple[str, str]) -> set[str]:
        return {word for kept in self.kept for word in kept.open_to(who, self.groups)}

    def check(self, who: tuple[str, str], how: str, text: str) -> None:
        foreign = set(WORD.findall(text)) - self.allowed(who)
        at = text.find(min(foreign, default=""))
        assert not foreign, f"{who} read {foreign} by {how}: …{text[max(0, at - 300) : at + 100]}…"

    @precondition(lambda self: getattr(self, "kept", None))
    @rule(
        who=st.sampled_from(PEOPLE), how=st.sampled_from(sorted(READS)), number=st.integers(0, 99)
    )
    def read(self, who: tuple[str, str], how: str, number: int) -> None:
        target = self.kept[number % len(self.kept)]
        query = f"deploys of the cart {target.words[0][0]}"
        try:
            found = told(READS[how](self.open[who], query, target.id))
        except (NotFound, Denied):
            return
        if how in ("show", "why", "expand"):  # by name there is nothing of what is hidden
            assert not target.hidden_from(who, self.groups), f"{who} read {target.id} by {how}"
        # What was asked stands in what was told and kept: it is no finding.
        self.check(who, how, found.replace(query, ""))

    @precondition(lambda self: getattr(self, "kept", None))
    @rule(who=st.sampled_from(PEOPLE), command=st.sampled_from(COMMANDS))
    def type_(self, who: tuple[str, str], command: str) -> None:
        argv = [part.replace("*", "deploys of the cart") for part in command.split("|")]
        mark = "&" if "?" in self.where else "?"
        store = f"{self.where}{mark}tenant={self.teams[who[0]]}&member={who[1]}"
        with written() as taken:
            main([*argv, "--store", store, "--json"])
        self.check(who, f"tacit {command}", taken.getvalue().decode())

    @precondition(lambda self: getattr(self, "kept", None))
    @rule(who=st.sampled_from(PEOPLE), number=st.integers(0, 99))
    def change_anothers_private(self, who: tuple[str, str], number: int) -> None:
        hidden = [kept for kept in self.kept if kept.hidden_from(who, self.groups)]
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


def test_nobody_reads_or_changes_what_is_not_theirs(folder_for_commands: None) -> None:
    examples, steps = (STEPS // 100, 100) if STEPS else (4, 40)
    with a_database(empty=True) as database:
        Isolation.where = address(database)
        case = Isolation.TestCase
        case.settings = settings(
            max_examples=max(1, examples),
            stateful_step_count=steps,
            deadline=None,
            phases=[Phase.generate] if STEPS else tuple(Phase),
        )
        case("runTest").runTest()

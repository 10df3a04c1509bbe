"""Of a session that is incognito nothing is kept, whoever tells of it later."""

from __future__ import annotations

import io
import os
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from attended import Agent
from fakes import FrozenClock, WordCounter
from tacit.ingest.sessions import SKIPPED, without
from tacit.observation import Session
from tacit.observe.streams import incognito
from tacit.record import SessionRecord
from tacit.system import Tacit
from watched import put_sessions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOSTS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a project with sessions of two hosts, in a home of its own."""
    for name in [*HOSTS, *(name for name in os.environ if name.startswith("TACIT_"))]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "ana"))
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "tacit"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    monkeypatch.setattr("tacit.encode.tokens.open_counter", WordCounter)
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    put_sessions(tmp_path / "ana", tmp_path / "shop")
    return tmp_path / "shop"


@pytest.fixture
def tacit(folder: Path, clock: FrozenClock) -> Iterator[Tacit]:
    with Tacit.open(project=str(folder)) as made:
        made.clock = clock
        made.settings = made.settings.replace(worker=False)
        yield made


def from_session(tacit: Tacit, source: str) -> list[str]:
    return [m.source_ref for m in tacit.list(history=True) if m.source_ref.startswith(source)]


def hush(tacit: Tacit, session: str = "s-1") -> None:
    Agent(tacit, session).start()
    tacit.incognito(f"claude:{session}")


@pytest.mark.parametrize("how", ["by name", "by setting"])
def test_the_hosts_transcript_of_it_is_not_read(tacit: Tacit, how: str) -> None:
    if how == "by name":
        hush(tacit)
    else:
        tacit.settings = tacit.settings.replace(inject="off")
        Agent(tacit, "s-1").start()

    report = tacit.observe(only=["sessions"])

    assert report.left_out[SKIPPED] == 1
    assert from_session(tacit, "claude:s-1") == []
    assert from_session(tacit, "codex:c-1") != []
    assert SKIPPED not in tacit.observe(only=["sessions"]).left_out  # it is not read again


def test_one_that_is_not_is_read_as_ever(tacit: Tacit) -> None:
    Agent(tacit, "s-1").start()

    report = tacit.observe(only=["sessions"])

    assert SKIPPED not in report.left_out
    assert from_session(tacit, "claude:s-1") != []


def test_nor_where_its_file_is_named_or_comes_as_a_stream(tacit: Tacit, tmp_path: Path) -> None:
    file = tmp_path / "ana" / ".claude" / "projects" / "-shop" / "s-1.jsonl"
    hush(tacit)

    named = tacit.observe_file(str(file))
    told = tacit.observe_stream(io.BytesIO(file.read_bytes()), "s-1")

    assert named.left_out[SKIPPED] == told.left_out[SKIPPED] == 1
    assert (named.sources[0].seen, told.sources[0].seen) == (0, 0)
    assert from_session(tacit, "claude:s-1") == []
    assert list(tacit.store.observed("claude:s-1")) == []


def test_what_was_seen_before_it_became_incognito_is_not_made_into_memories(tacit: Tacit) -> None:
    agent = Agent(tacit, "s-9")
    agent.asks("Make the checkout retry a payment three times")
    agent.edited("src/checkout.py", "retries = 1", "retries = 3")
    agent.ran("make test", "12 passed")

    record = tacit.incognito("claude:s-9")
    tacit.observe_pending()

    assert (record.pending, record.goal, record.files) == (False, "", ())
    assert from_session(tacit, "claude:s-9") == []


def test_opencode_tells_its_hooks_in_other_words_than_its_database(tacit: Tacit) -> None:
    now = tacit.clock.now()
    for id_, inject in (("claude:ses_1", "off"), ("claude:ses_2", "auto"), ("codex:c", "off")):
        tacit.store.put_session(SessionRecord(id=id_, started=now, seen=now, inject=inject))
    sources = incognito(tacit.store)
    sessions = [
        Session(id="x", host="h", source=source, events=())
        for source in ("opencode:ses_1", "opencode:ses_2", "codex:c", "opencode:c")
    ]

    counts: Counter[str] = Counter()
    kept = [one.source for one in without(sessions, sources, counts)]

    assert kept == ["opencode:ses_2", "opencode:c"]
    assert counts == {SKIPPED: 2}

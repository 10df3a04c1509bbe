"""Sessions of the Claude Agent SDK are kept to the letter, resumed from there, and learnt from."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import FrozenClock, HashEmbedder, WordCounter
from tacit.config import load_settings
from tacit.errors import Denied
from tacit.model import Kind, Scope
from tacit.store.connect import connect
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

sdk = pytest.importorskip("claude_agent_sdk")
from claude_agent_sdk import InMemorySessionStore  # noqa: E402
from claude_agent_sdk.testing import run_session_store_conformance  # noqa: E402

from tacit.adapters.claude_agent import TacitSessionStore  # noqa: E402

KEY = {"project_key": "-srv-shop", "session_id": "7f3c0a52-57c0-4a1d-9d0c-2f6f7b1c1a11"}
SUB = KEY | {"subpath": "subagents/agent-1"}
SECRET = "Blau-Regen77!"


def opened(place: str, **wired: Any) -> Tacit:
    return Tacit(connect(place), scope=Scope(path="project:shop"), counter=WordCounter(), **wired)


@pytest.fixture
def tacit(tmp_path: Path) -> Iterator[Tacit]:
    with opened(str(tmp_path / "shop.db")) as tacit:
        yield tacit


def lines(*said: str, folder: str = "/srv/shop", session: str = KEY["session_id"]) -> list[Any]:
    """Give the lines of a transcript in which a person says something, and is answered."""
    found: list[Any] = []
    for number, words in enumerate(said):
        for role, text in (("user", words), ("assistant", "Noted.")):
            uuid = f"{role}-{number}-{crc32(words.encode())}"
            message = {"role": role, "content": [{"type": "text", "text": text}]}
            at = f"2026-03-01T12:{number:02}:00.000Z"
            about = {"sessionId": session, "cwd": folder, "timestamp": at, "isSidechain": False}
            found.append({"type": role, "uuid": uuid, "message": message, **about})
    return found


def done(work: Any) -> Any:
    return asyncio.run(work)


# The contract


def test_it_keeps_the_contract_of_the_sdk(tmp_path: Path) -> None:
    stores: list[TacitSessionStore] = []

    def make() -> TacitSessionStore:
        stores.append(TacitSessionStore(opened(str(tmp_path / f"{len(stores)}.db"))))
        return stores[-1]

    done(run_session_store_conformance(make))

    for store in stores:
        store.close()
        store.tacit.close()


labels = st.text("ab/#:%é .", min_size=1, max_size=4)
keys = st.builds(
    lambda project, session, part: (
        {"project_key": project, "session_id": session} | ({"subpath": part} if part else {})
    ),
    labels,
    labels.filter(lambda name: "/" not in name),  # the reference takes it for the end of a name
    st.one_of(st.just(""), labels.map(lambda name: f"sub/{name}")),
)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
entries = st.dictionaries(st.text(max_size=5), plain, max_size=3).map(lambda e: {**e, "type": "x"})
steps = st.one_of(
    st.tuples(st.just("append"), keys, st.lists(entries, min_size=1, max_size=3)),
    st.tuples(st.just("append"), keys, st.lists(entries, min_size=1, max_size=3)),
    st.tuples(st.just("delete"), keys),
)


@given(st.lists(steps, max_size=8))
@settings(max_examples=60)
def test_it_answers_as_the_reference_does(
    tmp_path_factory: pytest.TempPathFactory, script: list[tuple[Any, ...]]
) -> None:
    reference = InMemorySessionStore()

    async def work(ours: TacitSessionStore) -> None:
        for name, key, *more in script:
            # The reference takes `a` with the session `b` for `a/b`: such projects are left out.
            if "/" in key["project_key"]:
                continue
            for store in (reference, ours):
                await getattr(store, name)(key, *more)
            project, main = key["project_key"], {k: key[k] for k in ("project_key", "session_id")}
            assert await ours.load(key) == await reference.load(key)
            parts = await reference.list_subkeys(main)
            assert sorted(await ours.list_subkeys(main)) == sorted(parts)
            assert await names(ours, project) == await names(reference, project)

    async def names(store: Any, project: str) -> list[str]:
        return sorted(each["session_id"] for each in await store.list_sessions(project))

    with opened(str(tmp_path_factory.mktemp("store") / "shop.db")) as tacit:
        store = TacitSessionStore(tacit, observe=False)
        done(work(store))


def test_a_line_that_is_sent_again_is_kept_once(tacit: Tacit) -> None:
    store = TacitSessionStore(tacit, observe=False)
    said = lines("We never round before tax.", "Ship it.")
    title = {"type": "custom-title", "customTitle": "Tax"}

    async def work() -> Any:
        await store.append(KEY, said[:2])
        await store.append(KEY, [*said[1:], title])  # a batch that was retried
        await store.append(KEY, [title])  # lines without a name are not compared
        await store.append(SUB, said[:1])  # the same line elsewhere is another
        return await store.load(KEY), await store.load(SUB)

    assert done(work()) == ([*said, title, title], said[:1])


def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    place = str(tmp_path / "shop.db")
    stores = [TacitSessionStore(opened(place), observe=False) for _ in range(3)]

    async def work() -> Any:
        await asyncio.gather(
            *(
                store.append(KEY, [{"type": "x", "uuid": f"{n}-{m}", "n": m} for m in range(5)])
                for n, store in enumerate(stores * 4)
            )
        )
        return await stores[0].load(KEY)

    kept = done(work())
    for store in stores:
        store.tacit.close()

    assert len(kept) == 12 * 5
    for n in range(12):
        assert [e["n"] for e in kept if e["uuid"].startswith(f"{n}-")] == list(range(5))


def test_summaries_tell_what_the_sdk_shows(tmp_path: Path) -> None:
    clock = FrozenClock()
    with opened(str(tmp_path / "shop.db"), clock=clock) as tacit:
        store = TacitSessionStore(tacit, observe=False)

        async def work() -> Any:
            await store.append(KEY, lines("We never round before tax."))
            clock.advance(seconds=5)
            await store.append(KEY, [{"type": "custom-title", "customTitle": "Tax"}])
            return await sdk.list_sessions_from_store(store, directory="/srv/shop")

        (session,) = done(work())

    assert session.session_id == KEY["session_id"]
    assert session.last_modified == int(clock.now().timestamp() * 1000)
    assert (session.custom_title, session.cwd) == ("Tax", "/srv/shop")
    assert session.first_prompt == "We never round before tax."


# What is learnt


def test_memories_are_made_of_a_session_while_it_runs(tacit: Tacit) -> None:
    store = TacitSessionStore(tacit)

    async def work() -> None:
        async with store:
            await store.append(KEY, lines("From now on we never round before tax."))

    done(work())

    assert "never round before tax" in tacit.recall("when do we round?")[0].memory.text
    assert done(store.observe()) == 0  # all of it was observed


def test_a_session_that_grows_adds_to_what_was_learnt(tacit: Tacit) -> None:
    store = TacitSessionStore(tacit, observe=False)
    said = lines("From now on we never round before tax.", "Always keep money in whole cents.")

    async def work() -> list[int]:
        await store.append(KEY, said[:2])
        first = await store.observe()
        await store.append(KEY, said[2:])
        return [first, await store.observe(), await store.observe()]

    first, second, third = done(work())

    assert [bool(new) for new in (first, second, third)] == [True, True, False]
    texts = [memory.text for memory in tacit.list() if memory.kind is not Kind.EPISODE]
    assert sum("never round" in text for text in texts) == 1
    assert sum("whole cents" in text for text in texts) == 1


def test_nothing_is_learnt_without_being_asked(tacit: Tacit) -> None:
    store = TacitSessionStore(tacit, observe=False)
    done(store.append(KEY, lines("From now on we never round before tax.")))
    store.close()

    assert tacit.list() == []


def test_what_could_not_be_observed_waits(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    place = str(tmp_path / "shop.db")
    manual = load_settings(os.environ | {"TACIT_WRITE": "manual"})
    with opened(place, settings=manual) as tacit:
        store = TacitSessionStore(tacit)
        done(store.append(KEY, lines("From now on we never round before tax.")))
        store.close()
        with pytest.raises(Denied):
            done(store.observe())
        assert tacit.list() == []
    with opened(place) as tacit:
        assert done(TacitSessionStore(tacit).observe()) > 0


class BrokenEmbedder(HashEmbedder):
    """Fails in a way nobody has foreseen."""

    def embed(self, texts: Any) -> list[bytes]:
        raise RuntimeError("the model has gone away")


def test_what_fails_in_the_background_is_told_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = str(tmp_path / "shop.db")
    with opened(place, embedder=BrokenEmbedder()) as tacit:
        store = TacitSessionStore(tacit)
        done(store.append(KEY, lines("From now on we never round before tax.")))
        store.close()
        assert tacit.list() == []
    with opened(place) as tacit:
        assert done(TacitSessionStore(tacit).observe()) > 0

    (record,) = [each for each in caplog.records if each.name == "tacit.adapters.claude_agent"]
    assert record.getMessage() == "sessions could not be observed yet: the model has gone away"
    assert record.exc_info


def test_a_project_learns_from_its_own_sessions_alone(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    shop, bank = tmp_path / "shop", tmp_path / "bank"
    for folder in (shop, bank):
        (folder / "src").mkdir(parents=True)
        (folder / ".tacit").write_text(f'project = "{folder.name}"\n')
    gone = str(tmp_path / "gone")

    async def work(store: TacitSessionStore) -> int:
        async with store:
            for number, place in enumerate((shop / "src", bank, gone)):
                said = lines(f"From now on we never use tool {number}.", folder=str(place))
                await store.append(KEY | {"session_id": str(number)}, said)
            await store.append(KEY | {"session_id": "9"}, [{"type": "x"}])
            return await store.observe() + len(store.tacit.list())

    store = TacitSessionStore.open(project=str(shop))
    assert done(work(store)) > 0
    with Tacit.open(project=str(shop)) as tacit:
        texts = " ".join(memory.text for memory in tacit.list())
        assert "tool 0" in texts
        assert "tool 1" not in texts
        assert "tool 2" not in texts


def test_a_subagents_lines_are_part_of_the_session(tacit: Tacit) -> None:
    store = TacitSessionStore(tacit, observe=False)
    side = [line | {"isSidechain": True} for line in lines("Count the words.")]

    async def work() -> int:
        await store.append(KEY, lines("From now on we never round before tax."))
        await store.append(SUB, side)
        return int(await store.observe())

    assert done(work()) > 0
    assert all("Count the words" not in memory.text for memory in tacit.list())


# What is kept, and what goes


def test_secrets_stay_in_transcripts_unless_told_otherwise_and_never_reach_a_memory(
    tacit: Tacit,
) -> None:
    said = lines(f"From now on we always use password = {SECRET} on staging.")
    for redact, key in ((False, KEY), (True, KEY | {"session_id": "2"})):
        store = TacitSessionStore(tacit, redact=redact, observe=False)
        done(store.append(key, said))
        done(store.observe())
        assert (SECRET in json.dumps(done(store.load(key)))) is not redact

    assert tacit.list()
    assert all(SECRET not in memory.text for memory in tacit.list(history=True))


@pytest.mark.parametrize("erase", [False, True])
def test_what_was_learnt_goes_with_its_session_if_asked_to(tacit: Tacit, erase: bool) -> None:
    store = TacitSessionStore(tacit, observe=False, erase=erase)
    tacit.remember("Staging has no outgoing mail")

    async def work() -> None:
        await store.append(KEY, lines("From now on we never round before tax."))
        await store.append(SUB, lines("Count the words."))
        await store.observe()
        await store.delete(SUB)  # a part of it is not the session
        assert any("never round" in memory.text for memory in tacit.list())
        await store.delete(KEY)

    done(work())

    assert any("never round" in memory.text for memory in tacit.list()) is not erase
    assert any("outgoing mail" in memory.text for memory in tacit.list())
    assert done(store.load(KEY)) is None


def test_nothing_is_kept_where_nothing_may_be_written(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    settings = load_settings(os.environ | {"TACIT_WRITE": "off"})
    with opened(str(tmp_path / "shop.db"), settings=settings) as tacit, pytest.raises(Denied):
        done(TacitSessionStore(tacit).append(KEY, lines("x")))


def test_without_the_sdk_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['claude_agent_sdk'] = None; import tacit.adapters.claude_agent"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )

    assert "tacit.errors.Unavailable: the session store needs claude_agent_sdk" in done.stderr
    assert "pip install 'tacit[claude-agent]'" in done.stderr

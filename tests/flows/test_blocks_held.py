"""Blocks survive crashes, and two processes that edit one lose nothing without being told."""

from __future__ import annotations

import pytest

from processes import python, said, stopped, tell, together
from tacit.model import Scope
from tacit.session.continuity import Turn
from tacit.store.connect import connect
from tacit.system import Tacit

EDITOR = """
import sys
from fakes import WordCounter
from tacit.errors import Conflict
from tacit.model import Scope
from tacit.session.continuity import Turn
from tacit.store.connect import connect
from tacit.system import Tacit

path, name, how, count = sys.argv[1:]
tacit = Tacit(connect(path), scope=Scope(path="project:shop"), counter=WordCounter())
seen = tacit.blocks.find("plan")
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(count)):
    if how == "insert":
        tacit.blocks.insert("plan", f"{name} {number}", by=name)
    elif how == "make":
        tacit.blocks.set("plan", name, rev=0, by=name) if not number else None
    else:
        try:
            tacit.blocks.rethink("plan", f"all by {name}", rev=seen.memory.rev, by=name)
            print("done", flush=True)
        except Conflict as clash:
            print(clash, flush=True)
"""


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "shop.db")


def opened(path):
    return Tacit(connect(path), scope=Scope(path="project:shop"))


def editors(path, how, count):
    return [python("-c", EDITOR, path, name, how, count) for name in ("ana", "ben")]


def test_two_processes_that_add_lines_both_get_all_of_them_in(path):
    with opened(path) as tacit:
        tacit.blocks.set("plan", "begin", limit=20_000)

    together(editors(path, "insert", 25))

    with opened(path) as tacit:
        held = tacit.blocks.get("plan")
        wanted = {f"{name} {number}" for name in ("ana", "ben") for number in range(25)}
        assert set(held.text.split("\n")) == wanted | {"begin"}
        history = tacit.why(held.memory.id).history
        assert [r.memory.rev for r in history] == list(range(1, 52))
        assert [len(r.memory.text.split("\n")) for r in history] == list(range(1, 52))


def test_of_two_processes_that_rewrite_what_they_read_one_is_told(path):
    with opened(path) as tacit:
        tacit.blocks.set("plan", "begin")

    outs = together(editors(path, "rethink", 1))

    assert sorted(out.strip() == "done" for out in outs) == [False, True]
    refused = next(out for out in outs if out.strip() != "done")
    assert "is at revision 2, not at 1" in refused
    with opened(path) as tacit:
        held = tacit.blocks.get("plan")
        assert held.memory.rev == 2
        assert held.text.startswith("all by ")


def test_a_block_that_two_processes_make_at_once_is_made_once(path):
    opened(path).close()
    processes = editors(path, "make", 1)
    try:
        for process in processes:
            assert said(process) == "ready"
        for process in processes:
            tell(process)
        errors = [process.communicate(timeout=120)[1] for process in processes]
    finally:
        for process in processes:
            stopped(process)

    assert sorted("Conflict" in error for error in errors) == [False, True]
    with opened(path) as tacit:
        (held,) = tacit.blocks.list()
        assert held.memory.rev == 1


def test_a_checkpoint_survives_the_death_of_its_writer(path):
    code = (
        "import os, sys\n"
        "from fakes import WordCounter\n"
        "from tacit.model import Scope\n"
        "from tacit.store.connect import connect\n"
        "from tacit.system import Tacit\n"
        f"tacit = Tacit(connect({path!r}), scope=Scope(path='project:shop'), counter=WordCounter())\n"
        "tacit.ledgers.set('eng-1', {'current_task': 'one'})\n"
        "tacit.ledgers.set('eng-1', {'current_task': 'two', 'odd': [1]})\n"
        "tacit.blocks.set('findings', 'The cache is cold.')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    process = python("-c", code)
    process.communicate(timeout=120)

    with opened(path) as tacit:
        record = tacit.ledgers.get("eng-1").record
        assert (record["current_task"], record["odd"]) == ("two", [1])
        assert tacit.blocks.get("findings").text == "The cache is cold."


def test_blocks_go_out_and_come_in_with_their_history(path, tmp_path):
    with opened(path) as tacit:
        tacit.blocks.set("plan", "one")
        held = tacit.blocks.rethink("plan", "two")
        lines = list(tacit.export())

    with opened(str(tmp_path / "other.db")) as other:
        other.import_(lines)
        assert other.blocks.get("plan") == held
        assert [r.memory.text for r in other.why(held.memory.id).history] == ["one", "two"]


def test_what_an_agent_holds_is_read_without_anything_heavy(path):
    with opened(path) as tacit:
        tacit.blocks.set("continuity", "# Continuity\n\n## Goal\nShip it\n")
        tacit.handoffs.send("eng-1", "*", {"what_was_done": "all"})
    code = (
        "import sys\n"
        "from tacit.model import Scope\n"
        "from tacit.store.connect import connect\n"
        "from tacit.system import Tacit\n"
        f"with Tacit(connect({path!r}), scope=Scope(path='project:shop')) as tacit:\n"
        "    assert tacit.continuity.get().goal == 'Ship it'\n"
        "    assert len(tacit.handoffs.open_for('')) == 1\n"
        "print(sorted({'typing', 'dataclasses', 'inspect', 'numpy', 'tiktoken', 'onnxruntime',"
        " 'logging', 'subprocess', 'argparse', 'pathlib', 'asyncio', 'tacit.write.remember',"
        " 'tacit.exchange'} & set(sys.modules)))\n"
    )
    process = python("-c", code, watched=False)
    out, err = process.communicate(timeout=120)

    assert (out.strip(), err) == ("[]", "")


def test_a_turn_is_kept_without_a_tokenizer_or_a_model(path):
    code = (
        "import sys\n"
        "from tacit.model import Scope\n"
        "from tacit.session.continuity import Turn\n"
        "from tacit.store.connect import connect\n"
        "from tacit.system import Tacit\n"
        f"with Tacit(connect({path!r}), scope=Scope(path='project:shop')) as tacit:\n"
        "    tacit.continuity.update(Turn(prompt='Add token refresh'))\n"
        "    tacit.continuity.update(Turn(files=('a.py',)))\n"
        "print(sorted({'dataclasses', 'inspect', 'numpy', 'tiktoken', 'onnxruntime'}"
        " & set(sys.modules)))\n"
    )
    process = python("-c", code, watched=False)
    out, err = process.communicate(timeout=120)

    assert (out.strip(), err) == ("[]", "")
    with opened(path) as tacit:
        assert tacit.continuity.get().files == ("a.py",)


def test_ledgers_handoffs_and_continuity_go_to_loki_and_come_back(path, tmp_path):
    checkpoint = {"agent_id": "eng-1", "last_checkpoint": "2026-03-01T09:00:00Z", "odd": [1]}
    with opened(path) as tacit:
        tacit.ledgers.set("eng-1", checkpoint)
        sent = tacit.handoffs.send("eng-1", "qa-1", {"what_was_done": "all"})
        tacit.continuity.update(Turn(prompt="Add token refresh"))
        tacit.export_to("loki", str(tmp_path / "out"))
        page = tacit.continuity.get()

    with opened(str(tmp_path / "other.db")) as other:
        other.import_from(str(tmp_path / "out"), "loki")

        assert other.ledgers.get("eng-1").record == checkpoint
        assert [one.record for one in other.handoffs.inbox("qa-1")] == [sent.record]
        assert other.continuity.get() == page
        other.handoffs.accept(sent.id)
        other.ledgers.set("eng-1", {"odd": [2]})
        other.import_from(str(tmp_path / "out"), "loki")
        assert other.handoffs.inbox("qa-1") == []
        assert other.ledgers.get("eng-1").record["odd"] == [2]


def test_a_phase_that_was_imported_comes_with_what_it_requires(path, tmp_path):
    for name, head in (
        ("01-base", "provides:\n  - schema"),
        ("02-auth", "requires:\n  - phase: 01-base\n    provides: schema"),
        ("03-docs", "provides:\n  - pages"),
    ):
        place = tmp_path / "shop" / ".planning" / "phases" / name
        place.mkdir(parents=True)
        summary = f"---\nphase: {name}\n{head}\n---\n\n# Phase {name}\n\n**{name} is done**\n"
        (place / f"{name[:2]}-01-SUMMARY.md").write_text(summary)
    (tmp_path / "shop" / ".planning" / "STATE.md").write_text("# State\n\nPhase 2 of 3\n")

    with opened(path) as tacit:
        tacit.import_from(str(tmp_path / "shop"), "gsd")

        for name in ("02-auth", "2", "auth"):
            found = [memory.body.phase for memory in tacit.for_phase(name)]
            assert found == ["02-auth", "01-base"]
        assert tacit.blocks.get("state").text.startswith("# State")

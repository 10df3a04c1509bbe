"""A cycle that is killed with -9 goes on, and ends as if nobody had disturbed it."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

import fakes
from fakes import NOON, FrozenClock, HashEmbedder, WordCounter
from tacit.body import Action, Episode, Failure
from tacit.consolidate.passes import PASSES
from tacit.draft import Draft
from tacit.model import Kind, Scope
from tacit.store.connect import connect
from tacit.store.protocol import Filter
from tacit.store.transfer import export_lines
from tacit.system import Tacit

SCOPE = Scope(path="project:shop")
LATER = NOON + timedelta(days=120)
# A process that runs a cycle, and at a batch of a pass kills itself as nothing else can: in the
# middle of what it writes, or just after.
CHILD = """
import os, signal, sys
sys.path.insert(0, {tests!r})
from datetime import timedelta
from fakes import FrozenClock, HashEmbedder, WordCounter, NOON
from tacit.consolidate import cycle as cycles
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit

path, name, batch, where = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
store = connect(path)
clock = FrozenClock(NOON + timedelta(days=120))
tacit = Tacit(store, scope=Scope(path="project:shop"), clock=clock,
              embedder=HashEmbedder(), counter=WordCounter())
Tacit.judge = None
seen = [0]

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def told(pass_, batches):
    if where == "after" and pass_ == name and batches == batch:
        die()

save = store.save
def saved(document, text):
    save(document, text)
    if document == cycles.MARK + name:
        seen[0] += 1
        if where == "within" and seen[0] == batch:
            die()
store.save = saved
tacit.consolidate(progress=told)
"""


def _draft(number: int) -> Draft:
    """Give one of a mix: facts, some said twice, episodes that repeat, some with errors."""
    made = Draft(source_ref=f"seen#{number}", valid_from=NOON)
    if number % 3 == 0:
        part = number if number % 9 else number - 6
        text = f"The {WORDS[part % len(WORDS)]} service keeps its state in table{part}"
        return made.replace(text=text + ("." if part != number else ""))
    goal = f"{WORDS[number % 7]} the {WORDS[number % 5 + 7]} of the shop"
    failed = number % 4 == 0
    error = Failure(type="ImportError", message=f"No module named part{number % 3}")
    path = f"src/{WORDS[number % 5 + 7]}.py"
    body = Episode(
        goal=goal,
        outcome="failure" if failed else "success",
        actions=(Action(action="edit", target=path), Action(action="run", target="make test")),
        errors=(error,) if failed else (),
    )
    return made.replace(
        text=goal, kind=Kind.EPISODE, body=body, session=f"s{number // 4}", files=(path,)
    )


WORDS = (
    "repair extend rename document measure simplify translate invoice basket payment "
    "search account refund coupon stock shipping review basket catalogue profile"
).split()


def _tacit(path: Path) -> Tacit:
    return Tacit(
        connect(str(path)),
        scope=SCOPE,
        clock=FrozenClock(LATER),
        embedder=HashEmbedder(),
        counter=WordCounter(),
    )


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a store with enough in it for several batches of every pass."""
    path = tmp_path_factory.mktemp("killed") / "before.db"
    clock = FrozenClock()
    with Tacit(
        connect(str(path)),
        scope=SCOPE,
        clock=clock,
        embedder=HashEmbedder(),
        counter=WordCounter(),
    ) as tacit:
        for start in range(0, 130, 10):
            tacit.remember_many([_draft(number) for number in range(start, start + 10)])
            clock.advance(hours=1)
        for memory in tacit.store.scan(Filter(), limit=12):
            tacit.cite([memory.id], event="loaded", query_id=f"q{memory.id}")
            tacit.cite([memory.id], event="ignored", query_id=f"q{memory.id}")
    return path


@pytest.fixture(scope="module")
def undisturbed(before: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    path = tmp_path_factory.mktemp("undisturbed") / "whole.db"
    shutil.copyfile(before, path)
    with _tacit(path) as tacit:
        tacit._judge_opened = True
        report = tacit.consolidate()
        assert sum(sum(counts.values()) for counts in report.counts.values()) > 0
        return list(export_lines(tacit.store))


@pytest.mark.parametrize(("batch", "where"), [(1, "within"), (1, "after"), (2, "within")])
@pytest.mark.parametrize("name", [name for name, _ in PASSES])
def test_a_killed_cycle_ends_as_an_undisturbed_one(
    before: Path, undisturbed: list[str], tmp_path: Path, name: str, batch: int, where: str
) -> None:
    path = tmp_path / "memory.db"
    shutil.copyfile(before, path)
    tests = str(Path(fakes.__file__).parent)
    child = subprocess.run(
        [sys.executable, "-c", CHILD.format(tests=tests), path, name, str(batch), where],
        capture_output=True,
        check=False,
    )
    # A pass of a single batch is over before a second one could be killed.
    killed = child.returncode == -signal.SIGKILL
    assert killed or (batch == 2 and child.returncode == 0), child.stderr.decode()
    with _tacit(path) as tacit:
        tacit._judge_opened = True
        report = tacit.consolidate()
        assert report.finished
        # Before the first batch was kept there is nothing to go on with.
        assert report.resumed == (killed and (where, batch, name) != ("within", 1, PASSES[0][0]))
        assert list(export_lines(tacit.store)) == undisturbed

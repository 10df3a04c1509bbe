"""A memory whose file has changed is in doubt until the file is as it was, or it is seen again."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from builders import DAY, START, a_fact
from fakes import FrozenClock, WordCounter
from tacit.model import Anchor, Scope, State
from tacit.store.protocol import EVERY_STATE, Filter
from tacit.system import Tacit
from tacit.write.doubt import LARGEST, mark_unverified, sha_of, unverified_now

NOW = START + DAY


@pytest.fixture
def root(tmp_path):
    """Give the folder of a project with two files."""
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "cart.py").write_text("def total(): ...\n")
    (root / "pay.py").write_text("def pay(): ...\n")
    return root


def anchored(root, *paths, text="The cart sums up in cents", **fields):
    """Make a memory anchored to files as they are now."""
    anchors = tuple(Anchor(path=path, sha=sha_of(str(root / path))) for path in paths)
    return a_fact(text, anchors=anchors, **fields)


def doubted(store):
    """Give the texts of what is marked."""
    return [memory.text for memory in store.scan(Filter(states=EVERY_STATE)) if memory.unverified]


def test_the_id_of_a_file_is_the_one_git_gives_it(root):
    # `git hash-object` of an empty file, and of "what is up, doc?"
    (root / "empty").write_bytes(b"")
    (root / "doc").write_bytes(b"what is up, doc?")

    assert sha_of(str(root / "empty")) == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert sha_of(str(root / "doc")) == "bd9dbf5aae1a3862dd1526723246b20206e5fc37"


def test_what_cannot_be_read_has_no_id(root):
    os.mkfifo(root / "pipe")
    with (root / "large").open("wb") as file:
        file.truncate(LARGEST + 1)

    for name in ("missing", "src", "pipe", "large"):
        assert sha_of(str(root / name)) == ""


def test_nothing_is_in_doubt_while_the_files_are_as_they_were(store, root):
    fact = anchored(root, "src/cart.py", "pay.py")
    store.put([fact, a_fact("loose")])

    assert list(unverified_now(store, str(root))) == [(fact, False)]
    assert mark_unverified(store, str(root), NOW) == 0
    assert store.get([fact.id]) == [fact]


@pytest.mark.parametrize("happens", ["changed", "removed", "replaced by a folder"])
def test_a_file_that_changed_puts_its_memories_in_doubt(store, root, happens):
    cart, pay = anchored(root, "src/cart.py", "pay.py"), anchored(root, "pay.py", text="Pay")
    store.put([cart, pay])
    file = root / "src" / "cart.py"
    if happens == "changed":
        file.write_text("def total(): return 0\n")
    else:
        file.unlink()
    if happens.startswith("replaced"):
        file.mkdir()

    assert mark_unverified(store, str(root), NOW) == 1

    (now,) = store.get([cart.id])
    assert (now.unverified, now.rev, now.anchors) == (True, 2, cart.anchors)
    history = store.revisions([cart.id])
    assert [(r.op, r.by, r.at) for r in history][1:] == [("doubt", "files", NOW)]
    assert store.get([pay.id]) == [pay]


def test_to_look_again_changes_nothing(store, root):
    store.put([anchored(root, "pay.py")])
    (root / "pay.py").write_text("other\n")
    mark_unverified(store, str(root), NOW)
    before = list(store.scan(Filter()))

    assert mark_unverified(store, str(root), NOW + DAY) == 1
    assert list(store.scan(Filter())) == before


def test_a_file_that_is_as_it_was_ends_the_doubt(store, root):
    fact = anchored(root, "pay.py")
    store.put([fact])
    text = (root / "pay.py").read_text()
    (root / "pay.py").unlink()
    mark_unverified(store, str(root), NOW)

    (root / "pay.py").write_text(text)

    assert mark_unverified(store, str(root), NOW + DAY) == 0
    assert doubted(store) == []
    assert [r.op for r in store.revisions([fact.id])] == ["remember", "doubt", "verify"]


def test_what_has_ended_is_not_doubted(store, root):
    store.put([anchored(root, "pay.py", retired_at=NOW, valid_to=NOW)])
    (root / "pay.py").unlink()

    assert mark_unverified(store, str(root), NOW) == 0
    assert doubted(store) == []


def test_every_state_is_looked_at(store, root):
    store.put([anchored(root, "pay.py", text=state.value, state=state) for state in State])
    (root / "pay.py").unlink()

    assert mark_unverified(store, str(root), NOW) == len(State)


def test_what_is_in_doubt_ranks_lower_and_says_why(store, root):
    tacit = Tacit(
        store, scope=Scope(path="project:shop"), clock=FrozenClock(), counter=WordCounter()
    )
    doubtful = anchored(root, "pay.py", text="Refunds are paid in cents by Stripe")
    sure = a_fact("Refunds are paid in cents by Paypal")
    store.put([doubtful, sure])
    before = {hit.memory.id: hit.score for hit in tacit.recall("refunds cents")}
    (root / "pay.py").write_text("other\n")

    mark_unverified(store, str(root), NOW)

    hits = tacit.recall("refunds cents")
    assert [hit.memory.id for hit in hits] == [sure.id, doubtful.id]
    assert [hit.parts.unverified for hit in hits] == [0.0, -tacit.profile.unverified]
    assert hits[1].score < before[doubtful.id]
    assert hits[0].score == before[sure.id]


def test_the_status_of_a_project_tells_how_many_are_in_doubt(root, tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith("TACIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    with Tacit.open(project=str(root)) as tacit:
        tacit.store.put([anchored(root, "pay.py"), anchored(root, "src/cart.py", text="Cart")])
        assert tacit.unverified() == 0
        (root / "pay.py").write_text("other\n")
        assert tacit.unverified() == 1
        assert doubted(tacit.store) == []  # to ask is not to mark

    def status(*options):
        command = [sys.executable, "-m", "tacit", "status", *options]
        return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout

    assert "1 whose files have changed since" in status()
    assert json.loads(status("--json"))["unverified"] == 1

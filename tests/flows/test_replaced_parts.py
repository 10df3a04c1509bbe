"""Encoding, recall and care can each be somebody's own function, named by the user's settings."""

from __future__ import annotations

import os
import sys

import pytest

from lived import observe_session
from tacit import Tacit
from tacit.errors import Invalid, Unavailable
from tacit.model import Kind

OWN = '''
"""Parts of somebody's own, with the signatures of the built-in ones."""

from tacit.consolidate.cycle import Report
from tacit.draft import Draft
from tacit.model import Kind, Origin, Trust
from tacit.retrieve.query import Hit, Parts, Recalled


def encode(session, history=None, granularity="session"):
    """Keep what was asked, and nothing else."""
    return [
        Draft(text=f"asked ({granularity}): {event.text}", kind=Kind.EPISODE, origin=Origin.IMPORT,
              trust=Trust.HUMAN, session=session.id, source_ref=f"{session.source}#{event.id}",
              renews=True)
        for event in session.events if event.what == "prompt"
    ]


def recall(query, store, *, embedder, reranker, now):
    """Give the newest, whatever is asked."""
    newest = store.scan(query.where, order="-recorded_at", limit=query.limit)
    hits = tuple(Hit(memory=memory, score=1.0, parts=Parts(text=1.0)) for memory in newest)
    return Recalled(hits=hits, pools=(), cut=0)


def care(room, *, only=(), seconds=None, progress=lambda name, batches: None):
    """Count what there is and leave it alone."""
    from tacit.store.protocol import Filter

    counts = {"counted": {"memories": room.store.count(Filter())}}
    return Report(counts=counts, seconds=0.0, finished=True, resumed=False)


NUMBER = 7
'''


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Give a function that opens a store with some lines in the user's settings file."""
    for name in [name for name in os.environ if name.startswith("TACIT_")]:
        monkeypatch.delenv(name)
    home, library = tmp_path / "home", tmp_path / "library"
    home.mkdir()
    library.mkdir()
    (library / "own_parts.py").write_text(OWN)
    monkeypatch.setenv("TACIT_HOME", str(home))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    monkeypatch.syspath_prepend(str(library))
    monkeypatch.delitem(sys.modules, "own_parts", raising=False)

    def open_with(*lines):
        (home / "config.toml").write_text("\n".join(lines))
        return Tacit.open(str(tmp_path / "shop.db"))

    yield open_with
    sys.modules.pop("own_parts", None)


def test_sessions_are_encoded_by_the_function_that_is_named(opened):
    with opened('encode_by = "own_parts:encode"') as tacit:
        observe_session(tacit)
        [kept] = tacit.list()

    assert kept.kind is Kind.EPISODE
    assert kept.text.startswith("asked (session): Fix the cart total")


def test_questions_are_answered_by_the_function_that_is_named(opened):
    with opened('recall_by = "own_parts:recall"') as tacit:
        tacit.remember("Totals are kept in cents")

        assert [hit.memory.text for hit in tacit.recall("zebras")] == ["Totals are kept in cents"]
        assert "Totals are kept in cents" in tacit.brief("zebras").text


def test_care_is_taken_by_the_function_that_is_named(opened):
    with opened('care_by = "own_parts:care"') as tacit:
        tacit.remember("Totals are kept in cents")

        assert tacit.consolidate().counts == {"counted": {"memories": 1}}
        assert tacit.consolidate(dry_run=True).dry_run


def test_without_a_setting_the_built_in_parts_are_used(opened):
    with opened() as tacit:
        tacit.remember("Totals are kept in cents")

        assert tacit.recall("zebras") == []
        assert "merge" in tacit.consolidate().counts
    assert "own_parts" not in sys.modules


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("nobodys:recall", "No module named 'nobodys'"),
        ("own_parts:find", "no attribute 'find'"),
        ("own_parts:NUMBER", "which is no function"),
    ],
)
def test_a_part_that_cannot_be_had_says_which_setting_names_it(opened, named, told):
    with opened(f'recall_by = "{named}"') as tacit, pytest.raises((Invalid, Unavailable)) as raised:
        tacit.recall("totals")

    assert f"recall_by names {named}" in str(raised.value)
    assert told in str(raised.value)


def test_what_lies_in_the_present_folder_is_not_imported(opened, tmp_path, monkeypatch):
    project = tmp_path / "project"
    project.mkdir()
    (project / "theirs.py").write_text("def recall(*given, **named):\n    raise SystemExit(3)\n")
    monkeypatch.chdir(project)
    monkeypatch.syspath_prepend(str(project))

    with opened('recall_by = "theirs:recall"') as tacit, pytest.raises(Unavailable, match="theirs"):
        tacit.recall("totals")

    assert "theirs" not in sys.modules


@pytest.mark.parametrize("named", ["own_parts", "own_parts.recall", "own parts:recall", ":recall"])
def test_a_setting_that_names_no_function_is_refused_when_it_is_read(opened, named):
    with pytest.raises(Invalid, match="recall_by must be module:function"):
        opened(f'recall_by = "{named}"')

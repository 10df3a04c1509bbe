from __future__ import annotations

import json
import os
from io import BytesIO

import pytest

from secret_samples import SAMPLES
from tacit import Tacit
from tacit.ingest.redaction import redact
from tacit.write.erased import erased, mark, remember_erased

SAID = {"session": "8", "host": "my-agent", "what": "prompt", "id": "1"}
EVENT = json.dumps(SAID | {"text": "Always install packages with pnpm instead of npm."}).encode()


@pytest.fixture
def open_tacit_at(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith("TACIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    return lambda: Tacit.open(str(tmp_path / "shop.db"))


def test_a_source_that_was_erased_is_known_by_a_hash_alone(store):
    remember_erased(store, ["claude:1#said:2", ""])
    remember_erased(store, ["git:abc"])

    assert erased(store) == {mark("claude:1#said:2"), mark("git:abc")}
    assert "claude" not in store.load("erased")


def test_a_store_in_which_nothing_was_erased_has_no_marks(store):
    assert erased(store) == frozenset()


def test_a_secret_in_a_source_s_name_is_marked_as_the_store_keeps_it():
    sample = next(iter(SAMPLES.values()))
    raw = f"file:{sample.text}"
    kept = redact(raw).text

    assert kept != raw
    assert mark(raw) == mark(kept)


def test_what_was_erased_does_not_come_back_when_its_source_is_read_again(open_tacit_at):
    with open_tacit_at() as tacit:
        tacit.observe_stream(BytesIO(EVENT))
        rule = next(m for m in tacit.list() if m.subtype == "convention")
        tacit.erase([rule.id])

        report = tacit.observe_stream(BytesIO(EVENT))

        assert report.refused == {"erased": 1}
        assert "pnpm" not in "".join(m.text for m in tacit.list(kinds=("fact",)))

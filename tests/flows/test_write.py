"""What may be written, what is the same, and what must never reach the disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from secret_samples import SAMPLES
from tacit.draft import Draft
from tacit.errors import Invalid, NotFound
from tacit.model import Scope


def test_no_secret_reaches_the_file_its_index_or_an_export(open_tacit, tmp_path):
    tacit = open_tacit("vault")
    for sample in SAMPLES.values():
        tacit.remember(sample.text)
        tacit.remember(
            "Something else", kind="episode", title=sample.text[:200], session=sample.text[:200]
        )
    exported = "".join(tacit.export())
    tacit.close()

    raw = b"".join(path.read_bytes() for path in Path(tmp_path).iterdir())
    found = [name for name, sample in SAMPLES.items() if sample.secret.encode() in raw]
    assert len(SAMPLES) >= 40
    assert found == []
    assert [name for name, sample in SAMPLES.items() if sample.secret in exported] == []


def test_an_import_is_redacted_too(open_tacit):
    sample = min(SAMPLES.values(), key=lambda sample: len(sample.text))
    source, target = open_tacit("source"), open_tacit("target")
    source.remember("harmless words to be replaced")
    lines = [
        line.replace("harmless words to be replaced", json.dumps(sample.text)[1:-1])
        for line in source.export()
    ]

    target.import_(lines)

    assert sample.secret not in "".join(target.export())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("   \n\t", "empty"),
        ("a\0b", "NUL"),
        ("half \ud800 a character", "surrogate"),
        ("x" * 10_000_000, "at most"),
        (b"bytes", "string"),
        (17, "string"),
    ],
    ids=["empty", "blank", "nul", "surrogate", "10 MB", "bytes", "number"],
)
def test_what_is_no_text_is_refused_and_nothing_is_written(tacit, text, said):
    with pytest.raises(Invalid, match=said):
        tacit.remember(text)

    assert tacit.status().memories == 0


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kind": "thought"}, "episode, fact"),
        ({"tier": "law"}, "mandate"),
        ({"importance": 2.0}, "between 0 and 1"),
        ({"value": "RS256"}, "needs a key"),
        ({"colour": "red"}, "no field"),
        ({"tags": "auth"}, "list"),
        ({"tier": "mandate", "trust": "web"}, "confirms"),
    ],
)
def test_a_field_that_means_nothing_is_refused_with_what_it_may_be(tacit, fields, said):
    with pytest.raises(Invalid, match=said):
        tacit.remember("Some text", **fields)


def test_a_batch_with_one_bad_draft_keeps_nothing(tacit):
    with pytest.raises(Invalid):
        tacit.remember_many(["one", "two", "\0"])

    assert tacit.status().memories == 0


def test_the_same_words_are_the_same_memory(tacit):
    first = tacit.remember("Use tabs in Makefiles")
    again = tacit.remember("use  TABS in makefiles")

    assert again.id == first.id
    assert tacit.status().memories == 1


def test_a_repetition_in_other_punctuation_strengthens_what_is_there(tacit):
    first = tacit.remember("Deploy with kubectl apply from main", confidence=0.5)
    again = tacit.remember("Deploy with kubectl apply, from main!")

    assert again.id == first.id
    assert again.confidence == pytest.approx(0.625)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The cache is enabled in production", "The cache is disabled in production"),
        ("Retry a failed refund", "Do not retry a failed refund"),
        ("Keep 3 replicas of the index", "Keep 4 replicas of the index"),
        ("Mia reviews what Tom writes", "Tom reviews what Mia writes"),
    ],
)
def test_what_differs_in_meaning_is_never_taken_for_one(tacit, one, other):
    assert tacit.remember(one).id != tacit.remember(other).id


def test_an_episode_that_happens_again_is_another_episode(tacit, clock):
    tacit.remember("The build failed", kind="episode")
    clock.advance(hours=1)
    tacit.remember("The build failed", kind="episode")

    assert tacit.status().memories == 2


def test_turns_of_a_session_follow_one_another(tacit):
    first, second = tacit.remember_many(
        [Draft(text=text, kind="episode", session="s1") for text in ("one", "two")]
    )
    third = tacit.remember("three", kind="episode", session="s1")

    links = {(relation, other.id) for relation, other in tacit.why(second.id).links}
    assert links == {("follows", first.id), ("followed_by", third.id)}


def test_a_person_who_says_it_again_revives_what_was_forgotten(tacit):
    kept = tacit.remember("The staging database is rebuilt every night")
    tacit.forget(kept.id)

    assert tacit.remember("The staging database is rebuilt every night").state == "active"


def test_what_is_erased_leaves_no_trace(open_tacit, tmp_path):
    tacit = open_tacit("gone")
    kept = tacit.remember("The codename is Zanzibarine")
    tacit.edit(kept.id, "The codename was Zanzibarine")

    assert tacit.erase([kept.short]) == 1
    tacit.close()

    raw = b"".join(path.read_bytes() for path in Path(tmp_path).iterdir())
    assert b"anzibarine" not in raw


def test_naming_what_is_not_there_is_an_error_and_changes_nothing(tacit):
    kept = tacit.remember("Something")

    for act in (tacit.forget, tacit.restore, tacit.why, tacit.get):
        with pytest.raises(NotFound):
            act("zzzzzzzz")
    with pytest.raises(NotFound):
        tacit.erase([kept.id, "zzzzzzzz"])
    assert tacit.get(kept.id) == kept


def test_a_failing_embedder_keeps_no_memory_from_being_written(open_tacit):
    from tacit.errors import Unavailable

    class Broken:
        model, dimension = "broken", 8

        def embed(self, texts):
            raise Unavailable("the model is gone")

    tacit = open_tacit(embedder=Broken())
    tacit.remember("The queue is drained at night")

    found = tacit.recall_explained("when is the queue drained?")
    assert [hit.memory.text for hit in found.hits] == ["The queue is drained at night"]
    assert found.missing == ("vector: the model is gone",)


def test_the_users_own_memories_stay_out_of_the_projects_file(open_tacit, tmp_path):
    tacit = open_tacit(user_location=str(tmp_path / "user.db"))
    tacit.remember("I like short answers", scope=Scope(path="user:mia"))
    tacit.remember("This project likes long answers")

    assert tacit.status().memories == 1
    assert len(tacit.recall("which answers are liked?")) == 2

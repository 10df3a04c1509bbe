"""What loki-mode's own tests hold it to, as far as it can be seen at the way in and out."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from loki_tree import (
    EPISODE,
    FAILED,
    PATTERN,
    WRITTEN,
    bring,
    by_source,
    clean,
    coded,
    documented,
    give,
    held,
    opened,
    put,
    tree,
)

from fakes import NOON
from secret_samples import SAMPLES
from tacit.errors import Invalid, NotFound
from tacit.exchange import loki
from tacit.exchange.loki import folder
from tacit.model import Kind, Polarity


@pytest.fixture
def tacit(tmp_path):
    with opened(tmp_path) as made:
        yield made


@pytest.fixture
def there(tmp_path):
    made = tmp_path / "there"
    (made / "episodic").mkdir(parents=True)
    return made


@pytest.fixture
def out(tmp_path):
    return tmp_path / "back"


def an_episode(number, **fields):
    return EPISODE | {"id": f"ep-{number}", "task_id": f"task-{number}"} | fields


def put_episode(there, number, **fields):
    put(there / f"episodic/2026-01-06/task-{number}.json", an_episode(number, **fields))


# 1


@pytest.mark.parametrize(
    ("bad", "counted"),
    [
        (b"{half", "broken"),
        (b"", "empty"),
        (b'{"goal": "\xff\xfe"}', "not utf-8"),
        (b"[1, 2]", "not a record"),
        (b'"text"', "not a record"),
        (b"{}", "empty"),
        (b"[" * 100_000, "broken"),
    ],
)
def test_one_bad_record_never_keeps_the_others_out(tacit, there, bad, counted):
    put_episode(there, 1)
    (there / "episodic/2026-01-06/task-2.json").write_bytes(bad)

    _, counts = bring(tacit, there)

    assert counts == {"episode": 1, counted: 1}


def test_entries_that_are_no_records_are_passed_over(tacit, there):
    put(there / "semantic/patterns.json", {"patterns": [None, 7, [], "x", PATTERN, {}]})

    _, counts = bring(tacit, there)

    assert (counts["pattern"], counts["not a record"], counts["empty"]) == (1, 4, 1)


# 2


def test_missing_and_null_fields_have_defaults_and_come_back_missing_and_null(tacit, there, out):
    nothing = {
        "id": "ep-1",
        "context": {"goal": None},
        "timestamp": None,
        "task_id": "t",
        "importance": None,
    }
    bare = {
        "id": "sem-1",
        "pattern": "Test first",
        "confidence": None,
        "source_episodes": None,
        "links": None,
    }
    put(there / "episodic/2026-01-06/task-1.json", nothing)
    put(there / "semantic/patterns.json", {"patterns": [bare]})
    put(there / "skills/empty.json", {"name": "Nothing yet", "steps": None})

    bring(tacit, there)
    give(tacit, out)

    found = by_source(tacit)
    assert found["loki:ep-1"].importance == 0.5
    assert found["loki:ep-1"].validity.valid_from.isoformat() == "2026-01-06T00:00:00+00:00"
    assert found["loki:sem-1"].confidence == 0.8
    assert tree(there).items() <= tree(out).items()


def test_a_stored_zero_stays_zero(tacit, there, out):
    put(there / "episodic/2026-01-06/task-1.json", FAILED)
    put(there / "semantic/patterns.json", {"patterns": [PATTERN | {"confidence": 0.0}]})

    bring(tacit, there)
    give(tacit, out)

    found = by_source(tacit)
    assert found["loki:ep-2026-01-06-002"].importance == 0.0
    assert found["loki:ep-2026-01-06-002"].body.duration_s == 0.0
    assert found["loki:sem-001"].confidence == 0.0
    assert '"confidence": 0.0' in (out / "semantic/patterns.json").read_text()
    assert '"importance": 0.0' in (out / "episodic/2026-01-06/task-1.json").read_text()


@pytest.mark.parametrize("odd", [True, "12", -3, 1.5, None, [], 10**30])
def test_what_is_no_count_counts_nothing_and_comes_back_as_it_was(tacit, there, out, odd):
    put_episode(there, 1, tokens_used=odd, access_count=odd)
    put(there / "semantic/patterns.json", {"patterns": [PATTERN | {"usage_count": odd}]})

    bring(tacit, there)
    give(tacit, out)
    assert by_source(tacit)["loki:ep-1"].learn_tokens == 0
    assert held(out / "semantic/patterns.json")["patterns"][0]["usage_count"] == odd

    tacit.cite([by_source(tacit)["loki:sem-001"].id])
    give(tacit, out)
    assert held(out / "semantic/patterns.json")["patterns"][0]["usage_count"] == 1


# 3


def test_the_same_episode_saved_twice_is_one(tacit, there):
    put_episode(there, 1)
    put(there / "episodic/2026-01-07/task-1.json", an_episode(1, outcome="failure"))

    _, counts = bring(tacit, there)
    bring(tacit, there)

    assert counts == {"episode": 1, "same id again": 1}
    (kept,) = tacit.list()
    assert kept.body.outcome == "failure"


def test_a_trace_that_has_grown_is_one_episode_with_a_history(tacit, there):
    put_episode(there, 1, outcome="partial")
    bring(tacit, there)
    put_episode(there, 1, outcome="success")
    written, _ = bring(tacit, there)

    assert written.new == 0
    (kept,) = tacit.list()
    assert kept.body.outcome == "success"
    assert [r.memory.body.outcome for r in tacit.why(kept.id).history] == ["partial", "success"]


# 4


def test_writers_at_the_same_time_leave_whole_files(tacit, tmp_path, out):
    bring(tacit, documented(tmp_path / "project"))
    give(tacit, out)
    expected = tree(out)
    memories, links = tacit.list(history=True), tacit.store.links(None)
    documents = dict(loki.read(str(tmp_path / "project"), clean).documents)

    def write(_n):
        return loki.write(str(out), memories, links=links, usage={}, load=documents.get, now=NOON)

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(write, range(8)))) == 1

    assert tree(out) == expected


# 5


def test_memories_are_counted_not_topics(tacit, there, out):
    for number in range(3):
        put_episode(there, number, timestamp=f"2026-01-06T10:30:0{number}Z")
    bring(tacit, there)

    give(tacit, out)

    assert held(out / "index.json")["total_memories"] == 3


# 6


@pytest.mark.parametrize("held_", [{}, {"version": "1.0"}, {"patterns": None}, {"patterns": {}}])
def test_a_file_without_its_patterns_is_mended(tacit, there, out, held_):
    put(there / "semantic/patterns.json", held_)
    bring(tacit, there)
    tacit.remember("Test first", kind="pattern", polarity="do")

    give(tacit, out)

    written = held(out / "semantic/patterns.json")
    assert [p["id"] for p in written["patterns"]] == ["sem-001"]
    assert written.get("version") == held_.get("version")


def test_a_pattern_with_a_known_id_takes_the_place_of_the_one_before(tacit, there):
    put(there / "semantic/patterns.json", {"patterns": [PATTERN, PATTERN | {"pattern": "Newer"}]})

    _, counts = bring(tacit, there)

    assert counts["same id again"] == 1
    assert [m.text.split("\n")[0] for m in tacit.list(kinds=[Kind.PATTERN])] == ["Newer"]


# 7


def test_reading_again_keeps_the_greater_importance_and_adds_use_once(tacit, there, out):
    put(there / "semantic/patterns.json", {"patterns": [PATTERN | {"importance": 0.4}]})
    bring(tacit, there)
    kept = by_source(tacit)["loki:sem-001"]
    tacit.set(kept.id, importance=0.9)
    tacit.cite([kept.id])

    bring(tacit, there)
    give(tacit, out)

    again = by_source(tacit)["loki:sem-001"]
    assert (again.importance, again.confidence) == (0.9, kept.confidence)
    said = held(out / "semantic/patterns.json")["patterns"][0]
    assert (said["importance"], said["usage_count"]) == (0.9, 9)


# 8


@pytest.fixture
def spaces(there):
    listed = {
        n: {"name": n, "parent": p} for n, p in (("shop", "acme"), ("acme", None), ("bank", None))
    }
    put(there / "namespaces.json", {"version": "1.0", "namespaces": listed})
    for name in ("shop", "acme", "bank", "global"):
        put(
            there / name / "semantic/patterns.json",
            {"patterns": [{"id": "sem-1", "pattern": f"As {name} does", "_namespace": name}]},
        )
    stamped = [
        {"id": f"sem-{n}", "pattern": f"At the top for {n}", "_namespace": n}
        for n in ("shop", "bank")
    ]
    put(
        there / "semantic/patterns.json",
        {"patterns": [*stamped, {"id": "old", "pattern": "Bears no stamp"}]},
    )
    return there


def texts(path, **options):
    return {draft.text for draft in loki.read(str(path), clean, **options).drafts}


def test_a_namespace_has_its_own_its_parents_and_the_global_and_no_others(spaces):
    mine = {"As shop does", "As acme does", "As global does", "At the top for shop"}

    assert texts(spaces, namespace="shop") == mine
    assert texts(spaces, namespace="SHOP", legacy=True) == {*mine, "Bears no stamp"}
    assert texts(spaces, namespace="bank") == {
        "As bank does",
        "As global does",
        "At the top for bank",
    }


def test_without_a_namespace_only_the_top_is_read_and_the_others_are_counted(spaces, tacit):
    _, counts = bring(tacit, spaces)

    assert counts["namespace not read"] == 3
    assert {m.text for m in tacit.list()} == {
        "At the top for shop",
        "At the top for bank",
        "Bears no stamp",
    }


def test_namespaces_go_back_into_their_own_folders(spaces, tacit, out):
    bring(tacit, spaces, namespace="shop", legacy=True)
    give(tacit, out)

    for name in ("shop", "acme", "global"):
        path = f"{name}/semantic/patterns.json"
        assert held(out / path) == held(spaces / path)
    assert not (out / "bank").exists()
    assert held(out / "namespaces.json") == held(spaces / "namespaces.json")


@pytest.mark.parametrize("name", ["", "  ", "../bank", "a/b", "..", "x" * 65, "shöp", "/etc"])
def test_a_name_that_could_lead_elsewhere_is_no_namespace(spaces, name):
    with pytest.raises(Invalid, match="no name"):
        loki.read(str(spaces), clean, namespace=name)


def test_a_namespace_that_is_not_there_is_not_found(spaces):
    with pytest.raises(NotFound, match="acme, bank, shop"):
        loki.read(str(spaces), clean, namespace="post")


def test_parents_in_a_circle_end(there):
    listed = {"a": {"parent": "b"}, "b": {"parent": "a"}, "../c": {"parent": "a"}}
    put(there / "namespaces.json", {"namespaces": listed})
    put(there / "b/semantic/patterns.json", {"patterns": [{"id": "x", "pattern": "Of b"}]})

    assert texts(there, namespace="a") == {"Of b"}


# 9


EVIL = ("../../evil", "/etc/passwd", "..\\..\\evil", "a/../../b", "ep\n1", ".", "..", "-" * 5000)


@pytest.mark.parametrize("originals", [True, False])
@pytest.mark.parametrize("evil", EVIL)
def test_no_id_name_or_time_leads_out_of_the_folder(tmp_path, evil, originals):
    there, out = tmp_path / "in/there", tmp_path / "in/out/back"
    put(
        there / "episodic/2026-01-06/task-1.json",
        an_episode(1, id=evil, timestamp=evil, task_id=evil),
    )
    put(
        there / "semantic/patterns.json", {"patterns": [PATTERN | {"id": evil, "created_at": evil}]}
    )
    put(there / "skills/a.json", {"id": evil, "name": evil, "steps": ["Nothing"]})
    put(there / "ledgers/a.json", {"agent_id": evil})
    before = tree(there)
    with opened(tmp_path) as tacit:
        bring(tacit, there)
        tacit.remember(f"# Skill: {evil}\n\n## Steps\n1. Nothing\n", kind="skill")
        tacit.remember("State", kind="block", title=f"ledger:{evil[:400]}".replace("\n", " "))
        give(tacit, out, originals=originals)

    outside = [p for p in tmp_path.rglob("*") if p.is_file() and out not in p.parents]
    assert {p.name for p in outside if there not in p.parents} <= {
        "shop.db",
        "shop.db-wal",
        "shop.db-shm",
    }
    assert tree(there) == before
    if originals:
        assert before.items() <= tree(out).items()


def test_links_of_the_file_system_are_not_followed(tacit, there, tmp_path):
    put(tmp_path / "private/task-9.json", an_episode(9))
    put(tmp_path / "private/secret.md", "# Skill: Secret\n\n## Steps\n1. Nothing\n")
    put_episode(there, 1)
    (there / "episodic/2026-01-07").symlink_to(tmp_path / "private")
    (there / "skills").mkdir()
    (there / "skills/secret.md").symlink_to(tmp_path / "private/secret.md")

    _, counts = bring(tacit, there)

    assert counts["link not followed"] >= 2
    assert list(by_source(tacit)) == ["loki:ep-1"]


# 10


def test_what_stands_in_both_files_is_one_warning_and_no_recommendation(tacit, tmp_path):
    _, counts = bring(tacit, coded(tmp_path / "project"))

    (kept,) = tacit.list(kinds=[Kind.PATTERN])
    assert kept.polarity is Polarity.AVOID
    assert tacit.list(polarities=[Polarity.DO]) == []
    assert counts["said twice"] == 1


# 11


def test_times_filter_within_the_day_and_a_time_without_zone_is_taken(tacit, there):
    put_episode(there, 1, timestamp="2026-01-06T10:30:00")
    put_episode(there, 2, timestamp="2026-01-06T10:30:01+00:00Z")
    bring(tacit, there)

    since = WRITTEN.replace(month=1, day=6, hour=10, minute=30, second=1)

    assert [m.source_ref for m in tacit.list(since=since)] == ["loki:ep-2"]


def test_what_is_dated_in_the_future_happened_when_it_was_written(tacit, there):
    put_episode(there, 1, timestamp="2099-01-01T00:00:00Z")

    _, counts = bring(tacit, there)

    assert counts["dated after its file"] == 1
    (kept,) = tacit.list()
    assert kept.validity.valid_from == WRITTEN


# 12


def test_vectors_are_left_alone_whatever_they_hold(tacit, there):
    put_episode(there, 1)
    put(there / "vectors/episodic_index.json", {"ids": ["ep-1"], "dimension": 7})
    (there / "vectors/episodic_index.npz").write_bytes(b"\x00broken")

    _, counts = bring(tacit, there)

    assert counts == {"episode": 1}
    assert tacit.recall("books a refund")[0].memory.source_ref == "loki:ep-1"


# 13


def test_an_id_stands_once_in_the_index_and_the_index_is_bounded(tacit, there, out):
    bring(tacit, there)
    tacit.remember_many([f"Fact number {n} about bookings" for n in range(600)])
    give(tacit, out)

    ids = [topic["id"] for topic in held(out / "index.json")["topics"]]
    assert len(ids) == len(set(ids)) == 500


# 14


def test_finding_a_memory_does_not_count_as_using_it(tacit, there, out):
    put(there / "semantic/patterns.json", {"patterns": [PATTERN]})
    bring(tacit, there)
    assert tacit.recall("return type of a handler")

    give(tacit, out)

    assert held(out / "semantic/patterns.json") == {"patterns": [PATTERN]}


# 15


def test_an_episode_that_a_pattern_came_from_goes_out_with_it(tacit, there, out):
    put_episode(there, 1)
    put(there / "semantic/patterns.json", {"patterns": [PATTERN | {"source_episodes": ["ep-1"]}]})
    bring(tacit, there)
    tacit.set(by_source(tacit)["loki:ep-1"].id, state="archived")

    give(tacit, out)

    assert held(out / "episodic/2026-01-06/task-1.json")["id"] == "ep-1"
    assert held(out / "semantic/patterns.json")["patterns"][0]["source_episodes"] == ["ep-1"]


# 16


def test_no_secret_gets_into_the_store_its_documents_or_the_way_back(tmp_path):
    there, out = tmp_path / "there", tmp_path / "back"
    put_episode(
        there, 1, context={"goal": "Rotate keys", "notes": [s.text for s in SAMPLES.values()]}
    )
    put(
        there / "episodic/2026-01-06/task-2.json",
        an_episode(2, env={"api_key": "zQ8vL2nR7xW4kT9mB3", "password": 373226362256904}),
    )
    put(there / "CONTINUITY.md", "\n\n".join(sample.text for sample in SAMPLES.values()))
    with opened(tmp_path, "vault") as tacit:
        _, counts = bring(tacit, there)
        give(tacit, out)

    raw = b"".join(path.read_bytes() for path in tmp_path.glob("vault.db*"))
    raw += b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert [name for name, s in SAMPLES.items() if s.secret.encode() in raw] == []
    assert b"zQ8vL2nR7xW4kT9mB3" not in raw
    assert b"373226362256904" not in raw
    assert counts["redacted"] > len(SAMPLES)


# 17


def test_the_phase_is_free_text_and_comes_back(tacit, there, out):
    put_episode(there, 1, context={"goal": "Look around", "phase": "exploring, slowly"})
    bring(tacit, there)
    give(tacit, out)

    assert by_source(tacit)["loki:ep-1"].body.phase == "exploring, slowly"
    assert tree(there).items() <= tree(out).items()


# 18


def test_the_timeline_holds_a_hundred_actions_and_fifty_decisions_newest_first(tacit, out, clock):
    with opened(out.parent, "busy", clock) as busy:
        for number in range(120):
            clock.advance(hours=1)
            busy.remember(f"Booked refund {number}", kind="episode")
            busy.remember(f"Decided on matter {number}", subtype="decision", valid_from=clock.now())
        give(busy, out)

    timeline = held(out / "timeline.json")
    actions = [entry["action"] for entry in timeline["recent_actions"]]
    assert actions == [f"Booked refund {n}" for n in range(119, 19, -1)]
    dates = [entry["date"] for entry in timeline["key_decisions"]]
    assert len(dates) == 50
    assert dates == sorted(dates, reverse=True)


# 19


def test_reading_and_writing_change_neither_the_source_nor_the_store(tacit, tmp_path, out):
    memory = documented(tmp_path / "project")
    bring(tacit, memory)
    files, stored = tree(tmp_path / "project"), list(tacit.export())
    times = {path: os.stat(path).st_mtime_ns for path in memory.rglob("*")}

    loki.read(str(memory), clean)
    give(tacit, out)

    assert tree(tmp_path / "project") == files
    assert {path: os.stat(path).st_mtime_ns for path in memory.rglob("*")} == times
    assert list(tacit.export()) == stored


# 20


def test_links_with_an_end_that_is_not_there_are_no_links_but_come_back(tacit, there, out):
    loose = [
        {"to": "sem-404", "relation": "related_to"},
        {"to": "sem-001", "relation": "related_to"},
        {"to": "sem-405", "relation": "admires"},
        {"relation": "related_to"},
        "sem-7",
    ]
    put(
        there / "semantic/patterns.json",
        {"patterns": [PATTERN | {"links": loose, "source_episodes": []}]},
    )

    _, counts = bring(tacit, there)
    give(tacit, out)

    assert tacit.store.links(None) == []
    assert counts["link not understood"] == 3
    assert tree(there).items() <= tree(out).items()


# Bounds


def test_a_file_with_too_many_entries_is_read_to_its_bound(there, monkeypatch):
    assert folder.MOST_ENTRIES == 50_000
    lines = "".join(f'{{"description": "Mistake {n}"}}\n' for n in range(100_000))
    put(there / "learnings/mistakes.jsonl", lines)

    brought = loki.read(str(there), lambda text: text)

    assert len(brought.drafts) == 50_000
    assert dict(brought.counts)["too many entries"] == 50_000


def test_an_episode_with_a_hundred_thousand_actions_keeps_a_thousand_and_gives_all_back(
    tacit, there, out
):
    log = [{"t": n, "action": "run"} for n in range(100_000)]
    (there / "episodic/2026-01-06").mkdir()
    put(
        there / "episodic/2026-01-06/task-1.json",
        {"id": "ep-1", "goal": "Run on", "action_log": log},
    )

    brought = loki.read(str(there), lambda text: text)

    assert len(brought.drafts[0].body.actions) == 1000
    tacit.write(brought.drafts)
    memories = tacit.list()
    loki.write(str(out), memories, links=(), usage={}, load=dict(brought.documents).get, now=NOON)
    assert len(held(out / "episodic/2026-01-06/task-1.json")["action_log"]) == 100_000


def test_a_file_too_large_and_one_that_is_no_file_are_passed_over(there, monkeypatch, tacit):
    monkeypatch.setattr(folder, "MOST_BYTES", 2000)
    put_episode(there, 1)
    put_episode(there, 2, notes="x" * 3000)
    os.mkfifo(there / "episodic/2026-01-06/task-3.json")

    _, counts = bring(tacit, there)

    assert counts == {"episode": 1, "too large": 1}


def test_long_names_and_half_characters_are_kept_as_far_as_they_can(tacit, there):
    odd = json.dumps(an_episode(1, agent="a" * 3000, id="ep-1")).replace("books", "\\ud800 \\u0000")
    put(there / "episodic/2026-01-06/task-1.json", odd)
    put_episode(there, 2, context={"goal": "Look", "files_involved": ["f" * 3000, "", " "]})

    written, _ = bring(tacit, there)

    assert written.new == 2
    assert by_source(tacit)["loki:ep-1"].author == "a" * 500


def test_what_happened_later_than_the_clock_is_no_worry(tacit, there):
    put_episode(there, 1, timestamp=(NOON + timedelta(days=400)).isoformat(), duration_seconds=-4)

    bring(tacit, there)

    assert tacit.list()[0].body.duration_s is None

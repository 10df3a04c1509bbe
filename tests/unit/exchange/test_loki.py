"""A loki-mode memory comes in, lives here, and goes back without loss."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from loki_tree import (
    EPISODE,
    PATTERN,
    SKILL,
    WARNING,
    age,
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

from fakes import FrozenClock
from tacit.body import Action, Failure
from tacit.draft import Draft
from tacit.errors import Conflict, Denied, Invalid, NotFound, Unavailable
from tacit.exchange import loki
from tacit.model import FacetType, Kind, Polarity, Relation, Role


@pytest.fixture
def tacit(tmp_path):
    with opened(tmp_path) as made:
        yield made


@pytest.fixture
def memory(tmp_path):
    return documented(tmp_path / "there")


@pytest.fixture
def out(tmp_path):
    return tmp_path / "back" / ".loki" / "memory"


# There and back


def test_the_documented_tree_comes_back_the_same(tacit, memory, out, tmp_path):
    bring(tacit, memory)

    files = give(tacit, out)

    assert tree(tmp_path / "back") == tree(tmp_path / "there")
    assert files == len(tree(tmp_path / "there"))


def test_what_the_code_writes_comes_back_the_same(tacit, out, tmp_path):
    bring(tacit, coded(tmp_path / "there"))

    give(tacit, out)

    before, after = tree(tmp_path / "there"), tree(tmp_path / "back")
    ignored = {n for n in before if "vectors/" in n or n.endswith(".lock") or ".tmp_" in n}
    assert {n: before[n] for n in before.keys() - ignored} == {
        n: after[n] for n in after.keys() & before.keys()
    }
    made = {name.removeprefix(".loki/memory/") for name in after.keys() - before.keys()}
    assert made == {
        "index.json",
        "timeline.json",
        "token_economics.json",
        "episodic/index.json",
        "semantic/facts.json",
        "semantic/links.json",
    }


def test_a_skill_comes_back_byte_for_byte(tacit, memory, out):
    bring(tacit, memory)
    give(tacit, out)

    assert (out / "skills/api-implementation.md").read_bytes() == SKILL.encode()


def test_importing_again_on_another_day_changes_nothing(memory, tmp_path):
    clock = FrozenClock()
    with opened(tmp_path, clock=clock) as tacit:
        bring(tacit, memory)
        once = list(tacit.export())
        clock.advance(days=3)

        written, _ = bring(tacit, memory)

        assert written.new == 0
        assert list(tacit.export()) == once


def test_a_project_its_loki_folder_and_the_memory_itself_are_known(memory, tmp_path):
    (tmp_path / "other").mkdir()

    assert loki.sniff(str(memory))
    assert loki.sniff(str(memory.parent))
    assert loki.sniff(str(tmp_path / "there"))
    assert not loki.sniff(str(tmp_path / "other"))
    assert not loki.sniff(str(tmp_path / "nowhere"))


def test_what_is_no_memory_is_refused(tmp_path):
    with pytest.raises(Invalid, match="not a loki-mode memory"):
        loki.read(str(tmp_path), clean)
    with pytest.raises(NotFound):
        loki.read(str(tmp_path / "nowhere"), clean)


# What becomes of it


def test_each_file_becomes_the_kind_it_is(tacit, memory):
    _, counts = bring(tacit, memory)
    found = by_source(tacit)

    assert {ref: (m.kind, m.polarity) for ref, m in found.items() if "lesson" not in ref} == {
        "loki:ep-2026-01-06-001": (Kind.EPISODE, Polarity.NEUTRAL),
        "loki:ep-2026-01-06-002": (Kind.EPISODE, Polarity.NEUTRAL),
        "loki:sem-001": (Kind.PATTERN, Polarity.DO),
        "loki:sem-002": (Kind.PATTERN, Polarity.DO),
        "loki:fact-001": (Kind.FACT, Polarity.NEUTRAL),
        "loki:fact-002": (Kind.FACT, Polarity.NEUTRAL),
        "loki:skill:api-implementation": (Kind.SKILL, Polarity.NEUTRAL),
        "loki:skill:debugging": (Kind.SKILL, Polarity.NEUTRAL),
        "loki:ledger:eng-001": (Kind.BLOCK, Polarity.NEUTRAL),
        "loki:handoff:handoff-001": (Kind.BLOCK, Polarity.NEUTRAL),
        "loki:continuity": (Kind.BLOCK, Polarity.NEUTRAL),
    }
    avoid = [m for ref, m in found.items() if "lesson" in ref]
    assert [m.polarity for m in avoid] == [Polarity.AVOID, Polarity.AVOID]
    assert counts == {"episode": 2, "pattern": 4, "fact": 2, "skill": 2, "block": 3, "view": 4}


def test_an_episode_keeps_all_it_tells(tacit, memory):
    bring(tacit, memory)
    kept = by_source(tacit)["loki:ep-2026-01-06-001"]

    assert kept.author == "eng-001-backend"
    assert kept.validity.valid_from.isoformat() == "2026-01-06T10:30:00+00:00"
    assert kept.body.task_id == "task-042"
    assert kept.body.goal == EPISODE["context"]["goal"]
    assert kept.body.phase == "development"
    assert kept.body.constraints == ("No new dependencies", "< 200ms response")
    assert kept.body.outcome == "success"
    assert kept.body.commit == "abc123"
    assert kept.body.duration_s == 342.0
    assert kept.body.artifacts == ("src/routes/refunds.ts", "tests/refunds.test.ts")
    assert kept.body.actions[1] == Action(
        t=5.0, action="write_file", target="src/routes/refunds.ts", extra=(("lines", "40"),)
    )
    assert [action.t for action in kept.body.actions] == [0.0, 5.0, 120.0, 140.5, 180.0]
    assert kept.body.errors == (Failure(**EPISODE["errors_encountered"][0]),)
    files = {m.facet.name for m in kept.mentions if m.facet.type is FacetType.FILE}
    assert {"src/routes/refunds.ts", "src/db/refunds.ts"} <= files


def test_the_other_form_of_an_action_and_the_files_of_a_trace_are_read(tacit, tmp_path):
    bring(tacit, coded(tmp_path / "there"))
    kept = by_source(tacit)["loki:ep-0123456789ab"]

    assert kept.body.actions == (Action(t=3.0, action="Edit", target="src/q.ts", result="done"),)
    assert kept.body.errors == (Failure(type="Timeout", message="slow"),)
    assert kept.learn_tokens == 5120
    roles = {(m.facet.name, m.role) for m in kept.mentions}
    assert {("src/q.ts", Role.READS), ("src/bookings.ts", Role.WRITES)} <= roles


def test_a_task_that_failed_for_good_is_a_failed_episode(tacit, tmp_path):
    bring(tacit, coded(tmp_path / "there"))
    kept = by_source(tacit)["loki:task-9"]

    assert kept.body.outcome == "failure"
    assert kept.body.goal == "Book refunds of closed accounts"
    assert kept.body.actions[0].action == "Open the account again"
    assert kept.body.errors == (Failure(type="Denied", message="closed accounts stay closed"),)
    assert kept.validity.valid_from.isoformat() == "2026-01-07T11:00:00+00:00"


def test_both_headings_of_known_errors_are_read(tacit, tmp_path, memory):
    bring(tacit, memory)
    bring(tacit, coded(tmp_path / "coded"))
    found = by_source(tacit)

    one, other = found["loki:skill:api-implementation"].body, found["loki:skill:load-test"].body
    assert [fix.error for fix in one.errors] == ["No return type", "Types do not fit"]
    assert [(fix.error, fix.fix) for fix in other.errors] == [("Port taken", "Choose another")]
    assert [step.command for step in other.steps] == ["", "make load"]
    assert one.exit == ("All contract tests pass", "No errors of the compiler")


def test_links_are_there_once_whichever_end_says_them(tacit, memory):
    bring(tacit, memory)
    found = by_source(tacit)
    names = {m.id: ref.removeprefix("loki:") for ref, m in found.items()}
    (warning,) = (r for r, m in found.items() if WARNING["what_fails"] in m.text)

    links = {(names[k.src], k.relation, names[k.dst], k.weight) for k in tacit.store.links(None)}
    assert links == {
        ("sem-001", Relation.SUPERSEDES, "sem-002", 1.0),
        ("sem-001", Relation.DERIVED_FROM, "ep-2026-01-06-001", 1.0),
        ("sem-001", Relation.ELABORATES, "fact-002", 0.5),
        (warning.removeprefix("loki:"), Relation.DERIVED_FROM, "ep-2026-01-06-002", 1.0),
    }


def test_what_was_replaced_at_a_known_time_is_no_longer_served_but_goes_back(tacit, out, tmp_path):
    old = {"id": "sem-1", "pattern": "Sign with HS256", "created_at": "2026-01-01T00:00:00Z"}
    new = {"id": "sem-2", "pattern": "Sign with RS256", "created_at": "2026-01-05T00:00:00Z"}
    new["links"] = [{"to": "sem-1", "relation": "supersedes"}]
    there = tmp_path / "there"
    put(there / "semantic/patterns.json", {"patterns": [old, new]})

    bring(tacit, there)
    give(tacit, out)

    assert [m.text for m in tacit.list()] == ["Sign with RS256"]
    assert held(out / "semantic/patterns.json") == {"patterns": [old, new]}


# What changed here


def test_an_edit_changes_its_field_and_nothing_else(tacit, memory, out):
    bring(tacit, memory)
    found = by_source(tacit)
    pattern, episode = found["loki:sem-001"], found["loki:ep-2026-01-06-001"]
    tacit.edit(pattern.id, pattern.text.replace("need a return type", "declare a return type"))
    tacit.edit(episode.id, episode.text.replace("Add the endpoint", "Write the endpoint"))
    tacit.set(pattern.id, confidence=0.5)
    tacit.edit(
        found["loki:skill:debugging"].id, "# Skill: Debugging\n\n## Steps\n1. Read the log\n"
    )

    give(tacit, out)

    said = held(out / "semantic/patterns.json")["patterns"][0]
    expected = PATTERN | {
        "pattern": "Handlers of routes declare a return type in strict mode",
        "confidence": 0.5,
    }
    assert json.dumps(said) == json.dumps(expected)
    told = held(out / "episodic/2026-01-06/task-001.json")
    goal = {"goal": "Write the endpoint that books a refund"}
    assert json.dumps(told) == json.dumps(EPISODE | {"context": EPISODE["context"] | goal})
    assert (out / "skills/debugging.md").read_text().endswith("1. Read the log\n")


def test_what_was_forgotten_is_in_no_file(tacit, memory, out):
    bring(tacit, memory)
    for ref in ("loki:ep-2026-01-06-001", "loki:sem-002", "loki:skill:debugging"):
        tacit.forget(by_source(tacit)[ref].id)

    give(tacit, out)

    written = "".join(str(held_) for held_ in tree(out).values())
    assert EPISODE["context"]["goal"] not in written
    assert "ep-2026-01-06-001" not in written
    assert "sem-002" not in written
    assert not (out / "skills/debugging.md").exists()
    assert held(out / "index.json")["total_memories"] == 44
    assert held(out / "episodic/2026-01-06/task-002.json")["id"] == "ep-2026-01-06-002"


def test_what_was_erased_does_not_come_back(tacit, memory, out):
    bring(tacit, memory)
    tacit.erase([by_source(tacit)["loki:sem-001"].id])

    give(tacit, out)

    assert [p["id"] for p in held(out / "semantic/patterns.json")["patterns"]] == ["sem-002"]


def test_what_was_put_into_the_archive_goes_back(tacit, memory, out, tmp_path):
    bring(tacit, memory)
    tacit.set(by_source(tacit)["loki:ep-2026-01-06-002"].id, state="archived")

    give(tacit, out)

    assert tree(tmp_path / "back") == tree(tmp_path / "there")


def test_use_is_added_to_what_was_counted(tacit, memory, out):
    bring(tacit, memory)
    pattern, episode = (by_source(tacit)[r] for r in ("loki:sem-001", "loki:ep-2026-01-06-001"))
    tacit.cite([pattern.id])
    tacit.cite([pattern.id])
    tacit.cite([episode.id], event="loaded")

    give(tacit, out)

    said = held(out / "semantic/patterns.json")["patterns"][0]
    assert (said["usage_count"], said["last_used"]) == (10, "2026-03-01T12:00:00Z")
    told = held(out / "episodic/2026-01-06/task-001.json")
    assert (told["access_count"], told["last_accessed"]) == (1, "2026-03-01T12:00:00Z")


def test_a_new_link_stands_in_the_entry_and_in_the_list_and_one_taken_away_in_neither(
    tacit, memory, out
):
    bring(tacit, memory)
    found = by_source(tacit)
    tacit.link(found["loki:sem-002"].id, "contradicts", found["loki:fact-002"].id, weight=0.5)
    gone = [k for k in tacit.store.links(None) if k.relation is Relation.SUPERSEDES]
    tacit.store.unlink(gone)

    give(tacit, out)

    new = {"to": "fact-002", "relation": "contradicts", "strength": 0.5}
    one, other = held(out / "semantic/patterns.json")["patterns"]
    assert one["links"] == [{"to": "sem-005", "relation": "related_to"}]
    assert other["links"] == [new]
    assert {"from": "sem-002", **new} in held(out / "semantic/links.json")["links"]


def test_what_turned_out_to_fail_becomes_an_anti_pattern(tacit, memory, out):
    bring(tacit, memory)
    tacit.set(by_source(tacit)["loki:sem-002"].id, polarity="avoid")

    give(tacit, out)

    assert held(out / "semantic/patterns.json")["patterns"][1]["category"] == "anti-pattern"


def test_the_words_of_a_ledger_can_change(tacit, memory, out):
    bring(tacit, memory)
    ledger = by_source(tacit)["loki:ledger:eng-001"]
    tacit.edit(ledger.id, ledger.text.replace('"tasks_completed": 12', '"tasks_completed": 13'))

    give(tacit, out)

    assert held(out / "ledgers/eng-001.json")["tasks_completed"] == 13


def test_without_the_originals_ids_and_contents_still_go_back(tacit, memory, out):
    bring(tacit, memory)

    give(tacit, out, originals=False)

    said = {p["id"]: p for p in held(out / "semantic/patterns.json")["patterns"]}
    assert said["sem-001"]["confidence"] == 0.95
    assert said["sem-001"]["source_episodes"] == ["ep-2026-01-06-001"]
    told = held(out / "episodic/2026-01-06/task-ep-2026-01-06-001.json")
    assert told["context"]["constraints"] == EPISODE["context"]["constraints"]
    assert told["errors_encountered"] == EPISODE["errors_encountered"]
    assert (out / "skills/api-implementation.md").read_bytes() == SKILL.encode()


# Born here


def _live_here(tacit):
    episode = tacit.remember("Fix the login of partners", kind="episode")
    tacit.remember("Answer webhooks within a second", kind="pattern", polarity="do", importance=0.9)
    tacit.remember("Retrying a payment without a key", kind="pattern", polarity="avoid")
    tacit.remember(key="auth.algorithm", value="RS256")
    tacit.remember("Use queues for mail", subtype="decision")
    tacit.remember(SKILL, kind="skill")
    tacit.remember("The state of eng-2", kind="block", title="ledger:eng-2")
    return episode


def test_what_was_born_here_goes_out_in_full_with_ids_of_its_own(tacit, out):
    episode = _live_here(tacit)
    avoid = next(m for m in tacit.list() if m.polarity is Polarity.AVOID)
    tacit.link(avoid.id, "derived_from", episode.id)

    give(tacit, out)

    told = held(out / "episodic/2026-03-01/task-ep-2026-03-01-001.json")
    assert told["id"] == "ep-2026-03-01-001"
    assert told["context"]["goal"] == "Fix the login of partners"
    patterns = held(out / "semantic/patterns.json")["patterns"]
    assert [(p["id"], p["category"]) for p in patterns] == [
        ("sem-001", ""),
        ("sem-002", "anti-pattern"),
    ]
    assert patterns[1]["source_episodes"] == ["ep-2026-03-01-001"]
    assert set(PATTERN) <= set(patterns[0])
    lesson = held(out / "learnings/2026-03-01.json")["learnings"]
    assert lesson == held(out / "semantic/anti-patterns.json")["anti_patterns"]
    assert lesson == [
        {
            "what_fails": "Retrying a payment without a key",
            "why": "",
            "prevention": "",
            "source": "ep-2026-03-01-001",
        }
    ]
    facts = held(out / "semantic/facts.json")["facts"]
    assert next((f["id"], f["key"], f["value"]) for f in facts) == (
        "fact-001",
        "auth.algorithm",
        "RS256",
    )
    assert held(out / "skills/adding-an-endpoint.json")["id"] == "skill-adding-an-endpoint"
    assert (out / "skills/adding-an-endpoint.md").read_text() == SKILL
    assert (out / "ledgers/eng-2.md").read_text() == "The state of eng-2"
    listed = held(out / "semantic/links.json")["links"]
    assert [(k["from"], k["relation"], k["to"]) for k in listed] == [
        ("sem-002", "derived_from", "ep-2026-03-01-001")
    ]


def test_what_was_born_here_comes_back_as_it_was(tacit, out, tmp_path):
    _live_here(tacit)
    give(tacit, out)
    age(out)

    with opened(tmp_path, "other") as other:
        bring(other, out)
        assert {m.text for m in other.list()} == {m.text for m in tacit.list()}
        assert len(other.list()) == len(tacit.list())


def test_the_index_has_what_its_schema_asks_for_and_counts_memories(tacit, out):
    _live_here(tacit)
    give(tacit, out)

    index = held(out / "index.json")
    assert list(index) == [
        "version",
        "last_updated",
        "topics",
        "total_memories",
        "total_tokens_available",
    ]
    assert index["total_memories"] == 6  # blocks are no memories to loki-mode
    for topic in index["topics"]:
        assert {"id", "summary", "relevance_score", "last_accessed", "token_count"} <= set(topic)
    assert index["topics"][0]["summary"] == "Answer webhooks within a second"
    assert index["total_tokens_available"] == sum(t["token_count"] for t in index["topics"])


def test_the_timeline_holds_decisions_and_ten_words_of_what_happened(tacit, out):
    tacit.remember(" ".join(f"word{n}" for n in range(30)), kind="episode")
    tacit.remember("Use queues for mail", subtype="decision")
    give(tacit, out)

    timeline = held(out / "timeline.json")
    assert timeline["recent_actions"][0]["action"] == " ".join(f"word{n}" for n in range(10))
    assert timeline["key_decisions"][0]["decision"] == "Use queues for mail"
    assert set(timeline["active_context"]) == {"current_focus", "blocked_by", "next_up"}


def test_the_economics_add_up(tacit, out):
    _live_here(tacit)
    give(tacit, out)

    told = held(out / "token_economics.json")
    parts, metrics = told["breakdown"], told["metrics"]
    assert metrics["discovery_tokens"] == parts["layer1_tokens"] + parts["layer2_tokens_scanned"]
    assert metrics["read_tokens"] == parts["layer3_tokens"]
    assert told["baseline_comparison"]["traditional_approach_tokens"] > 0


def test_new_memories_join_the_views_that_were_read(tacit, memory, out):
    bring(tacit, memory)
    tacit.remember("Fix the login of partners", kind="episode")

    give(tacit, out)

    actions = held(out / "timeline.json")["recent_actions"]
    assert [a["action"] for a in actions] == [
        "Fix the login of partners",
        "Booked the first refund",
    ]
    assert held(out / "index.json")["total_memories"] == 48
    assert [t["id"] for t in held(out / "index.json")["topics"]] == ["refunds", "ep-2026-03-01-001"]


# Two that say the same


def test_two_records_that_say_the_same_are_one_memory_and_both_go_back(tacit, out, tmp_path):
    entries = [{"id": f"sem-{n}", "pattern": "Test before a release", "n": n} for n in (1, 2)]
    put(tmp_path / "there/semantic/patterns.json", {"patterns": entries})

    written, _ = bring(tacit, tmp_path / "there")
    give(tacit, out)

    assert written.new == 1
    assert held(out / "semantic/patterns.json")["patterns"] == entries


def test_two_sorts_of_records_may_have_one_id(tacit, out, tmp_path):
    there = tmp_path / "there"
    put(there / "semantic/patterns.json", {"patterns": [{"id": "x-1", "pattern": "Test first"}]})
    put(there / "semantic/facts.json", {"facts": [{"id": "x-1", "fact": "Tests are slow"}]})

    bring(tacit, there)
    give(tacit, out)

    assert held(out / "semantic/facts.json") == held(there / "semantic/facts.json")
    assert held(out / "semantic/patterns.json") == held(there / "semantic/patterns.json")


# Learnings of all projects


def test_the_learnings_of_all_projects_warn_and_recommend(tacit, out, tmp_path):
    folder = tmp_path / "home/.loki/learnings"
    head = {"version": "1.0", "created": "2026-01-01T00:00:00Z"}

    def lines(said):
        entry = {"timestamp": "2026-01-02T00:00:00Z", "project": "shop", "category": "db"}
        return f"{json.dumps(head)}\n{json.dumps({**entry, 'description': said})}\nnot json\n"

    put(folder / "mistakes.jsonl", lines("Dropped a table without a backup"))
    put(folder / "patterns.jsonl", lines("Back up before a migration"))
    put(folder.parent / "skills/other.md", "# Skill: Not asked for\n\n## Steps\n1. Nothing\n")

    assert loki.sniff(str(folder))
    _, counts = bring(tacit, folder)
    give(tacit, out)

    found = {m.text: m.polarity for m in tacit.list()}
    assert found == {
        "Dropped a table without a backup": Polarity.AVOID,
        "Back up before a migration": Polarity.DO,
    }
    assert counts["broken"] == 2
    kept = (out / "learnings/mistakes.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in kept] == [
        json.loads(line) for line in (folder / "mistakes.jsonl").read_text().splitlines()[:2]
    ]


# Where it is written


def test_a_folder_with_something_else_in_it_is_left_alone(tacit, tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"meow")

    with pytest.raises(Conflict, match="not a loki-mode memory"):
        give(tacit, tmp_path / "photos")
    with pytest.raises(Conflict, match="is a file"):
        give(tacit, tmp_path / "photos" / "cat.jpg")

    assert [path.name for path in (tmp_path / "photos").iterdir()] == ["cat.jpg"]


def test_a_memory_may_be_written_over(tacit, memory, tmp_path):
    bring(tacit, memory)
    before = tree(tmp_path / "there")

    give(tacit, memory)

    assert tree(tmp_path / "there") == before


def test_nothing_is_written_through_a_link(tacit, memory, tmp_path):
    bring(tacit, memory)
    (tmp_path / "elsewhere").mkdir()
    shutil.rmtree(memory / "skills")
    (memory / "skills").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(Denied, match="link"):
        give(tacit, memory)

    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_that_cannot_be_replaced_leaves_no_half_of_it(tacit, memory):
    bring(tacit, memory)
    (memory / "index.json").unlink()
    (memory / "index.json").mkdir()

    with pytest.raises(Unavailable, match="cannot write index"):
        give(tacit, memory)

    assert [path.name for path in memory.rglob(".tmp_*")] == []


# Laws

_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
_ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=8,
)


def _records(*names: str) -> st.SearchStrategy[dict]:
    known = st.fixed_dictionaries({}, optional=dict.fromkeys(names, _ANY))
    return st.tuples(known, st.dictionaries(_TEXT, _ANY, max_size=2)).map(
        lambda p: {**p[1], **p[0]}
    )


EPISODES = _records(*EPISODE, "importance", "tokens_used", "access_count", "goal")
PATTERNS = _records(*PATTERN, "importance", "created_at")


@settings(max_examples=40)
@given(
    episodes=st.lists(EPISODES, max_size=3),
    patterns=st.lists(PATTERNS, max_size=3, unique_by=lambda r: str(r.get("id"))),
    facts=st.lists(_records("id", "fact", "key", "value", "confidence"), max_size=2),
)
def test_whatever_the_fields_hold_what_was_taken_in_goes_back_to_the_letter(
    episodes, patterns, facts
):
    with tempfile.TemporaryDirectory() as name, opened(Path(name)) as tacit:
        there, back = Path(name, "there"), Path(name, "back")
        for number, episode in enumerate(episodes):
            record = {**episode, "id": f"ep-{number}"}
            put(there / f"episodic/2026-01-06/task-{number}.json", record)
        put(there / "semantic/patterns.json", {"patterns": patterns})
        put(there / "semantic/facts.json", {"facts": facts})

        brought = loki.read(str(there), lambda text: text)
        written, counts = bring(tacit, there)
        assume(not written.redacted and "redacted" not in counts)  # a secret never goes back
        give(tacit, back)

        before, after = tree(there), tree(back)
        documents = [json.loads(told) for _, told in brought.documents]
        taken = [kept for kept in documents if "record" in kept]
        for path in (kept["path"] for kept in taken if kept["path"].startswith("episodic/")):
            assert after[path] == before[path]
        kept = [kept["record"] for kept in taken]
        said = held(back / "semantic/patterns.json")["patterns"]
        assert [json.dumps(r) for r in said] == [json.dumps(r) for r in patterns if r in kept]


@settings(max_examples=40)
@given(
    data=st.binary(max_size=300) | _ANY.map(lambda value: json.dumps(value).encode()),
    path=st.sampled_from(
        "episodic/2026-01-06/task-1.json episodic/index.json semantic/patterns.json "
        "semantic/anti-patterns.json semantic/facts.json semantic/links.json skills/a.md "
        "skills/a.json ledgers/a.json ledgers/a.md handoffs/a.json learnings/2026-01-06.json "
        "learnings/mistakes.jsonl index.json timeline.json namespaces.json "
        "token_economics.json queue/dead-letter.json CONTINUITY.md".split()
    ),
)
def test_no_bytes_in_any_file_can_stop_the_way_in_or_out(data, path):
    with tempfile.TemporaryDirectory() as name, opened(Path(name)) as tacit:
        there = Path(name, "there")
        (there / "episodic").mkdir(parents=True)
        (there / path).parent.mkdir(parents=True, exist_ok=True)
        (there / path).write_bytes(data)

        bring(tacit, there)
        give(tacit, Path(name, "back"))


def test_a_draft_says_where_it_is_from_and_that_it_may_come_again(memory):
    for draft in loki.read(str(memory), clean).drafts:
        assert isinstance(draft, Draft)
        assert draft.renews
        assert draft.source_ref.startswith("loki:")
        assert (draft.origin, draft.trust) == ("import", "import")


def test_the_product_finds_the_format_by_itself_and_gives_all_back(tacit, memory, out, tmp_path):
    report = tacit.import_from(str(memory))
    tacit.export_to("loki", str(out))

    assert (report.format, report.new, report.refused) == ("loki", 13, 0)
    assert tree(tmp_path / "back") == tree(tmp_path / "there")

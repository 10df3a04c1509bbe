"""An agent's session, told through one door: what is said, what is kept, and what is credited."""

from __future__ import annotations

import json
import subprocess

import pytest

from attended import Agent, a_home, a_project, all_bytes, open_project
from secret_samples import SAMPLES
from tacit.fence import CLOSE, NAME, without_fenced
from tacit.happening import Moment
from tacit.model import Kind, Scope, State

RULE = "Never edit files under generated/, the build overwrites them"
PAYMENTS = "The checkout retries a payment three times before it writes a dead letter"
SEARCH = "The search index is rebuilt every night from the orders table"
ASK_PAYMENTS = "Why does the checkout retry a payment three times before the dead letter?"
ASK_SEARCH = "Change how the search index is rebuilt every night from the orders table"


@pytest.fixture
def project(tmp_path):
    return a_project(tmp_path / "shop")


@pytest.fixture
def opened(tmp_path, project, clock):
    """Give a function that opens the project's memory with other settings."""
    made = []

    def make(**fields):
        made.append(open_project(project, a_home(tmp_path, **fields), clock))
        return made[-1]

    yield make
    for tacit in made:
        tacit.close()


@pytest.fixture
def tacit(opened):
    return opened()


@pytest.fixture
def agent(tacit):
    return Agent(tacit)


def fill(tacit, count=120):
    """Put so much else in that a start has no room for all of it."""
    words = ("mail", "login", "stock", "prices", "taxes", "photos", "reviews", "coupons")
    tacit.remember_many(
        f"Note {n}: the {words[n % 8]} page loads its {words[(n + n // 8 + 1) % 8]} part {n} lazily"
        for n in range(count)
    )


# The start


def test_a_start_tells_what_binds_and_what_stands(agent):
    rule = agent.tacit.remember(RULE, tier="mandate")
    fact = agent.tacit.remember(PAYMENTS)

    text = agent.start()

    assert f"[M:{rule.short}] {RULE}" in text
    assert f"[R:{fact.short}]" in text
    assert agent.record.shown == (rule.id, fact.id)


def test_a_start_without_memories_says_nothing(agent):
    assert agent.start() == ""


def test_with_injection_off_nothing_is_said_or_kept(opened, project):
    agent = Agent(opened(inject="off"))
    agent.tacit.remember(RULE, tier="mandate")

    said = [agent.start(), agent.asks(ASK_PAYMENTS), agent.ran("make test", "E: no", failed=True)]

    assert said == ["", "", ""]
    assert agent.tacit.store.observed(agent.key) == []
    assert not agent.record.pending
    assert agent.record.goal == ""


def test_with_injection_of_the_index_alone_a_start_names_topics_only(opened):
    agent = Agent(opened(inject="index"))
    agent.tacit.remember(PAYMENTS, tags=["payments"])

    text = agent.start()

    assert "payments 1" in text
    assert PAYMENTS not in text
    assert agent.asks(ASK_PAYMENTS) == ""
    assert agent.tacit.store.observed(agent.key) != []


def test_two_starts_without_a_write_between_are_equal_to_the_byte(tacit, clock):
    tacit.remember(RULE, tier="mandate")
    fill(tacit)
    first = Agent(tacit, "s1").start()
    clock.advance(days=9)

    again = Agent(tacit, "s2").start()

    assert first
    assert again == first


def test_a_start_keeps_to_what_hosts_take_however_large_the_store(opened):
    tacit = opened(start_tokens=2_300)
    tacit.remember(RULE, tier="mandate")
    long = "internationalization " * 30
    tacit.remember_many(f"Long note {n}: {long}" for n in range(60))
    agent = Agent(tacit)

    text = agent.start()

    assert RULE in text
    assert 4_000 < len(text) <= 9_500
    assert tacit.counter.count(text) <= 2_400


# Prompts


def test_a_first_prompt_brings_what_it_needs_and_nothing_else(agent):
    fact = agent.tacit.remember(PAYMENTS)
    agent.tacit.clock.advance(days=400)
    fill(agent.tacit)
    assert fact.short not in agent.start()

    text = agent.asks(ASK_PAYMENTS)

    assert fact.short in text
    assert "lazily" not in text


def test_a_prompt_about_nothing_that_is_known_brings_nothing(agent):
    agent.tacit.remember(PAYMENTS)
    agent.start("clear")

    assert agent.asks("Translate the welcome letter for the Japanese customers") == ""


@pytest.mark.parametrize("text", ["yes", "go on", "ok thanks", "", "   ", "👍"])
def test_a_short_word_never_brings_anything(agent, text):
    agent.tacit.remember(PAYMENTS)

    assert agent.asks(text) == ""
    assert agent.record.goal == ""


def test_a_prompt_that_no_person_wrote_is_neither_answered_nor_kept(agent):
    agent.tacit.remember(PAYMENTS)

    assert agent.asks(ASK_PAYMENTS, asked=False) == ""
    assert agent.tacit.store.observed(agent.key) == []


def test_a_shift_of_topic_brings_more_after_a_pause_and_nothing_twice(agent):
    payments, search = agent.tacit.remember_many([PAYMENTS, SEARCH])

    assert payments.short in agent.asks(ASK_PAYMENTS)
    assert agent.asks(ASK_SEARCH) == ""  # too soon
    assert agent.asks("yes") == ""
    assert search.short in agent.asks(ASK_SEARCH)
    assert agent.asks("ok") == agent.asks("yes") == ""
    assert agent.asks(ASK_PAYMENTS) == ""  # it is in the context already
    assert len(set(agent.record.shown)) == len(agent.record.shown) == 2


def test_going_on_about_the_same_is_no_shift(agent):
    agent.tacit.remember(PAYMENTS)
    agent.asks(ASK_PAYMENTS)
    agent.tacit.remember("The dead letter of a payment names the checkout and its three retries")
    for _ in range(3):
        agent.asks("yes")

    assert agent.asks("And where does the checkout write the dead letter of a payment?") == ""


# Compaction and resuming


def test_after_a_compaction_the_rules_and_what_the_goal_needs_come_back(agent):
    agent.tacit.remember(RULE, tier="mandate")
    agent.tacit.remember(PAYMENTS)
    agent.start()
    agent.asks(ASK_PAYMENTS)

    text = agent.start("compact")

    assert RULE in text
    assert PAYMENTS in text
    assert agent.tacit.injected(agent.key)[0].kind == "compact"
    assert agent.tacit.injected(agent.key)[0].text == ASK_PAYMENTS


@pytest.mark.parametrize("cause", ["resume", "fork"])
def test_resuming_repeats_nothing(agent, cause):
    agent.tacit.remember(RULE, tier="mandate")
    agent.start()

    assert agent.start(cause) == ""
    new = agent.tacit.remember(PAYMENTS, tier="mandate")
    assert new.short in agent.start(cause)


def test_a_session_that_is_resumed_has_not_ended(agent):
    agent.start()
    agent.ends()
    assert agent.record.ended

    agent.start("resume")

    assert agent.record.ended is None


# Tools


def test_an_error_brings_its_earlier_fix(agent):
    error = "ModuleNotFoundError: No module named 'stripe'"
    agent.asks("Make the checkout tests pass again")
    agent.ran("make test", f"Traceback (most recent call last):\n{error}", failed=True)
    agent.edited("requirements.txt", "flask\n", "flask\nstripe\n")
    agent.ran("make test", "12 passed")
    agent.answers("The package was missing.")
    agent.ends()
    agent.tacit.observe_pending()
    later = Agent(agent.tacit, "s2")
    later.start("clear")
    later.tacit.store.put_session(later.record.replace(shown=()))

    text = later.ran("make test", f"Traceback (most recent call last):\n{error}", failed=True)

    assert "stripe" in text
    assert "requirements.txt" in text
    assert later.ran("make test", error, failed=True) == ""  # once is enough


def test_a_success_or_an_error_nobody_met_brings_nothing(agent):
    agent.tacit.remember(PAYMENTS)

    assert agent.ran("make test", "ok") == ""
    assert agent.ran("make test", "panic: quaternion overflow at frobnicate", failed=True) == ""


def test_before_an_edit_what_warns_about_the_file_is_said_once(agent):
    guard = agent.tacit.remember(
        "Keep the retry count in checkout.py below five",
        tier="guardrail",
        files=["src/checkout.py"],
    )
    agent.tacit.remember("src/checkout.py was formatted in May", files=["src/checkout.py"])

    text = agent.about_to_edit("src/checkout.py")

    assert f"[G:{guard.short}]" in text
    assert "formatted" not in text
    assert agent.about_to_edit("src/checkout.py") == ""
    assert agent.about_to_edit("src/other.py") == ""


def test_a_subagent_is_told_what_binds_though_the_other_knows_it(agent):
    rule = agent.tacit.remember(RULE, tier="mandate")
    agent.tacit.remember(PAYMENTS)
    agent.start()
    before = agent.record.shown

    text = agent.tell(Moment.SUBAGENT_START, agent="reviewer").context

    assert rule.short in text
    assert PAYMENTS not in text
    assert agent.record.shown == before


# What is kept


def test_a_session_becomes_an_episode_that_the_next_one_starts_with(agent):
    agent.start()
    agent.asks("Make the checkout retry a payment three times")
    agent.edited("src/checkout.py", "retries = 1", "retries = 3")
    agent.ran("make test", "12 passed")
    agent.answers("The checkout now retries three times.")
    agent.ends()
    assert agent.record.pending

    report = agent.tacit.observe_pending()

    assert report.new >= 1
    assert not agent.record.pending
    episodes = agent.tacit.list(kinds=[Kind.EPISODE])
    assert any("retry a payment" in memory.text for memory in episodes)
    assert "retry a payment" in Agent(agent.tacit, "s2").start()
    assert agent.tacit.observe_pending().new == 0


def test_the_page_of_continuity_follows_the_work(agent):
    agent.asks("Make the checkout retry a payment three times")
    agent.edited("src/checkout.py")

    agent.answers("Done.")

    page = agent.tacit.continuity.get()
    assert page.goal == "Make the checkout retry a payment three times"
    assert page.files == ("src/checkout.py",)
    assert "src/checkout.py" in Agent(agent.tacit, "s2").start()


def test_a_command_that_keeps_failing_for_a_goal_becomes_a_dead_letter(agent):
    agent.asks("Make the importer read the orders of the old shop")
    for _ in range(4):
        agent.ran("make import", "ValueError: no rows", failed=True)
    assert agent.tacit.dead_letters.all() == []
    agent.ran("ls", "a.csv")  # another command that passes proves nothing

    agent.ran("make import", "ValueError: no rows", failed=True)

    [letter] = agent.tacit.dead_letters.all()
    assert letter.body.task_id == "Make the importer read the orders of the old shop"


def test_a_command_that_passes_at_last_is_counted_no_more(agent):
    agent.asks("Make the importer read the orders of the old shop")
    for _ in range(4):
        agent.ran("make import", "ValueError: no rows", failed=True)

    agent.ran("make import", "imported 7 orders")
    agent.ran("make import", "ValueError: no rows", failed=True)

    assert agent.tacit.dead_letters.all() == []


def test_a_drift_is_noted_and_not_said(agent):
    from tacit.session.aside import MOST_SIGNALS, signals

    agent.asks("Make the checkout retry a payment three times")

    said = [agent.tell(Moment.PRE_TOOL, tool="shell", target="rm -rf /srv/db").context]
    said += [agent.about_to_edit("src/checkout.py")]

    assert said == ["", ""]
    [signal] = signals(agent.tacit.store, agent.key)
    assert signal["signal"] == "DRIFT_DETECTED"
    assert signal["action"] == "rm -rf /srv/db"
    for _ in range(MOST_SIGNALS + 5):
        agent.tell(Moment.PRE_TOOL, tool="shell", target="rm -rf /srv/db")
    assert len(signals(agent.tacit.store, agent.key)) == MOST_SIGNALS


def test_what_tacit_said_is_not_learnt_when_it_comes_back(agent, tmp_path):
    agent.tacit.remember(RULE, tier="mandate")
    said = agent.start()
    before = len(agent.tacit.list(limit=None))
    agent.asks(f"{said}\nAlways sign the orders with the shop key.")
    agent.ran("cat notes", said)
    agent.answers(f"I read this: {said}")
    agent.ends()

    kept = [json.loads(one.json) for one in agent.tacit.store.observed(agent.key)]
    agent.tacit.observe_pending()

    assert not any(RULE in str(event) or NAME in str(event) for event in kept)
    assert RULE not in agent.record.goal
    learnt = [memory for memory in agent.tacit.list(limit=None) if RULE in memory.text]
    assert len(learnt) == 1
    assert before == 1


def test_an_injected_briefing_in_a_transcript_is_not_learnt(agent, tmp_path):
    agent.tacit.remember(RULE, tier="mandate")
    said = agent.start()
    path = tmp_path / "s1.jsonl"
    lines = [
        {
            "type": "user",
            "message": {"role": "user", "content": f"{said}\nFix the login page title"},
        },
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "text", "text": said}]},
        },
    ]
    stamp = {"sessionId": "s1", "cwd": agent.folder, "timestamp": "2026-03-01T12:00:00Z"}
    path.write_text(
        "".join(
            json.dumps({**stamp, "uuid": f"u{n}", **line}) + "\n" for n, line in enumerate(lines)
        ),
        encoding="utf-8",
    )
    agent.asks("Fix the login page title", transcript=str(path))
    agent.ends()

    agent.tacit.observe_pending()

    assert [m.text for m in agent.tacit.list(limit=None) if RULE in m.text] == [RULE]


def test_secrets_reach_no_byte_of_the_store(opened, project, tmp_path):
    tacit = opened()
    tacit.remember(PAYMENTS)
    agent = Agent(tacit)
    agent.start()
    samples = list(SAMPLES.values())
    for number in range(0, len(samples), 6):
        text = "\n".join(sample.text for sample in samples[number : number + 6])
        agent.asks(f"{text}\nThe checkout payment retries fail three times {number}")
        agent.tell(Moment.PRE_TOOL, tool="shell", target=f"rm -rf /srv/{number} {text}")
        agent.ran(f"echo {text}", f"ValueError: {text}", failed=True)
        agent.ran(f"echo {text}", text)
        agent.edited(f"src/{number}.py", text, f"{text} more")
        agent.answers(f"I saw {text}")
    agent.ends()
    tacit.observe_pending()
    tacit.close()

    held = all_bytes(tmp_path / "home")

    assert b"checkout payment retries fail" in held
    assert [s.type for s in SAMPLES.values() if s.secret.encode() in held] == []


@pytest.mark.parametrize("mode", ["off", "manual"])
def test_where_nothing_may_be_written_nothing_is_captured(opened, tmp_path, mode, clock):
    opened().remember(PAYMENTS)
    agent = Agent(opened(write=mode))
    agent.start()
    text = agent.asks(
        "Why does the checkout retry a payment for xylophones before the dead letter?"
    )
    agent.ran("make xylophones", "ValueError: xylophone", failed=True)
    agent.edited("src/xylophone.py", "xylophone", "b")
    agent.answers("The xylophone is done.")
    agent.ends()

    assert text == "" or PAYMENTS in text
    assert agent.tacit.store.sessions(pending=True) == []
    agent.tacit.close()
    assert b"xylophone" not in all_bytes(tmp_path / "home")


# Whose session it is


def test_a_subfolder_and_a_worktree_are_the_same_project(tmp_path, clock):
    root = tmp_path / "repo"
    root.mkdir()
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "begin"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "side")], check=True)
    (root / "src" / "deep").mkdir(parents=True)
    settings = a_home(tmp_path)
    with open_project(root, settings, clock) as tacit:
        tacit.remember(RULE, tier="mandate")

    for folder in (root / "src" / "deep", tmp_path / "side"):
        with open_project(folder, settings, clock) as tacit:
            assert RULE in Agent(tacit, folder.name).start()


def test_two_projects_share_no_row(tmp_path, clock):
    settings = a_home(tmp_path)
    words = {"left": "quokka", "right": "narwhal"}
    files = {}
    for name, word in words.items():
        with open_project(a_project(tmp_path / name), settings, clock) as tacit:
            agent = Agent(tacit)  # the same session id in both
            tacit.remember(
                f"The {word} service signs its tokens", tier="mandate", files=["src/a.py"]
            )
            agent.start()
            agent.asks(f"Why does the {word} service sign its tokens in src/a.py?")
            agent.edited("src/a.py", word, word)
            agent.ran("make test", f"ValueError: {word}", failed=True)
            agent.answers(f"The {word} is done.")
            agent.ends()
            tacit.observe_pending()
            files[name] = tacit.store.path

    for name, word in words.items():
        other = next(one for one in words.values() if one != word)
        with open_project(tmp_path / name, settings, clock) as tacit:
            said = Agent(tacit, "s2").start()
            assert word in said
            assert other not in said
        with open(files[name], "rb") as file:
            held = file.read()
        assert word.encode() in held
        assert other.encode() not in held


# Credit


def test_a_citation_counts_once_however_often_it_is_said_and_shown(agent):
    rule = agent.tacit.remember(RULE, tier="mandate")
    agent.start()
    agent.asks(ASK_PAYMENTS)
    agent.start("compact")
    agent.answers(f"Done. Applied: [M:{rule.short}] and again [M:{rule.short}]")
    agent.answers(f"Applied: [M:{rule.short}]")

    assert agent.tally(rule)["cited"] == 1
    assert agent.record.cited == (rule.id,)


def test_the_citations_of_codex_are_read_too(tacit):
    agent = Agent(tacit, host="codex")
    rule = tacit.remember(RULE, tier="mandate")
    agent.start()

    agent.answers(f"Done.\n<oai-mem-citation>\ntacit:{rule.short}\n</oai-mem-citation>")

    assert agent.tally(rule)["cited"] == 1


def test_a_mark_that_stands_in_what_was_handed_over_is_no_citation(agent):
    rule = agent.tacit.remember(RULE, tier="mandate")
    said = agent.start()

    agent.answers(f"You told me:\n{said}")

    assert "cited" not in agent.tally(rule)


def test_a_citation_of_what_does_not_exist_changes_nothing(agent):
    agent.answers("Applied: [M:zzzzzzzz]")

    assert agent.record.cited == ()


def test_what_was_handed_over_and_not_cited_was_ignored(agent):
    rule, fact = agent.tacit.remember(RULE, tier="mandate"), agent.tacit.remember(PAYMENTS)
    agent.start()
    agent.asks("Write the yearly letter to our customers in Norway")
    agent.answers(f"Applied: [M:{rule.short}]")
    agent.ends()

    agent.tacit.observe_pending()

    assert "ignored" not in agent.tally(rule)
    assert agent.tally(fact)["ignored"] == 1


def test_where_nobody_asked_anything_nothing_was_ignored(agent):
    fact = agent.tacit.remember(PAYMENTS)
    agent.start()
    agent.ends()

    agent.tacit.observe_pending()

    assert agent.tally(fact) == {"loaded": 1}


@pytest.mark.parametrize(
    ("failed", "event"), [(False, "helped"), (True, "hurt")], ids=["success", "failure"]
)
def test_a_cited_memory_helped_or_hurt_by_how_the_session_went(agent, failed, event):
    rule = agent.tacit.remember(RULE, tier="mandate")
    fact = agent.tacit.remember(PAYMENTS)
    agent.start()
    agent.asks("Make the checkout retry a payment three times, and run the tests")
    agent.edited("src/checkout.py", "retries = 1", "retries = 3")
    agent.ran("make test", "ValueError: boom" if failed else "12 passed", failed=failed)
    agent.answers(f"Applied: [M:{rule.short}]")
    if failed:
        agent.asks("That is wrong, it does not work at all. Revert it.")
        agent.ran("git checkout -- src/checkout.py")
        agent.answers("Reverted.")
    agent.ends()

    agent.tacit.observe_pending()
    agent.tacit.observe_pending()

    assert agent.record.outcome == ("failure" if failed else "success")
    assert agent.tally(rule).get(event) == 1
    assert event not in agent.tally(fact)


def test_what_was_cited_rises_and_what_was_ignored_falls_in_the_next_recall(tacit, clock):
    one = tacit.remember("The ledger service signs tokens with keys of kind alpha")
    two = tacit.remember("The ledger service signs tokens with keys of kind gamma")
    query = "which keys does the ledger service sign tokens with?"
    before = {hit.memory.id: hit.score for hit in tacit.recall(query)}
    agent = Agent(tacit)
    agent.start()
    agent.asks(query)
    agent.answers(f"Applied: [R:{two.short}]")
    agent.ends()
    tacit.observe_pending()

    hits = [hit for hit in tacit.recall(query) if hit.memory.id in before]

    assert before[one.id] == pytest.approx(before[two.id])
    assert [hit.memory.id for hit in hits][:2] == [two.id, one.id]
    after = {hit.memory.id: hit.score for hit in hits}
    assert after[two.id] > before[two.id]
    assert after[one.id] < before[one.id]


# What goes, and what moves


def test_what_is_erased_leaves_no_query_and_no_last_briefing(agent, tmp_path):
    fact = agent.tacit.remember("The quokka signs its tokens", tier="mandate")
    agent.tacit.remember(PAYMENTS)
    agent.start()
    kept = tmp_path / "home" / "briefings"
    assert b"quokka" in all_bytes(kept)

    agent.tacit.erase([fact.id])

    assert agent.tacit.injected(agent.key) == []
    assert all_bytes(kept) == b""
    agent.tacit.close()
    assert b"quokka" not in all_bytes(tmp_path / "home")


def test_a_users_own_memory_that_is_erased_leaves_no_trace_in_the_project(agent, tmp_path):
    fact = agent.tacit.remember(
        "The quokka prefers tabs", tier="mandate", scope=Scope(path="user:ana")
    )
    assert "quokka" in agent.start()

    assert agent.tacit.erase([fact.id]) == 1

    assert agent.tacit.injected(agent.key) == []
    assert agent.tally(fact) == {}
    agent.tacit.close()
    assert b"quokka" not in all_bytes(tmp_path / "home")


@pytest.mark.parametrize("how", ["forget", "archive"])
def test_what_is_put_away_is_not_served_from_the_last_briefing(agent, tmp_path, how):
    fact = agent.tacit.remember("The quokka signs its tokens", tier="mandate")
    agent.start()

    if how == "forget":
        agent.tacit.forget(fact.id)
    else:
        agent.tacit.set(fact.id, state=State.ARCHIVED)

    assert b"quokka" not in all_bytes(tmp_path / "home" / "briefings")


def test_sessions_and_queries_move_with_an_export_to_the_byte(agent, tmp_path, clock):
    agent.tacit.remember(PAYMENTS)
    agent.start()
    agent.asks(ASK_PAYMENTS)
    agent.answers("Done.")
    agent.ends()
    agent.tacit.observe_pending()
    exported = list(agent.tacit.export())
    with open_project(a_project(tmp_path / "other"), a_home(tmp_path), clock) as target:
        target.import_(exported)
        once = list(target.export())
        target.import_(exported)

        assert once == list(target.export()) == exported
        assert target.store.session(agent.key) == agent.record
        assert target.store.queries(agent.key) == agent.tacit.store.queries(agent.key)


def test_the_session_that_saw_more_wins_a_merge_either_way_round(agent, tmp_path, clock):
    agent.tacit.remember(PAYMENTS)
    agent.start()
    early = tmp_path / "early.db"
    agent.tacit.backup(str(early))
    agent.asks(ASK_PAYMENTS)
    agent.ends()
    late = tmp_path / "late.db"
    agent.tacit.backup(str(late))
    sides = []
    for mine, theirs in ((early, late), (late, early)):
        copy = tmp_path / f"{mine.stem}-copy.db"
        copy.write_bytes(mine.read_bytes())
        from tacit.system import Tacit

        with Tacit.open(str(copy), settings=a_home(tmp_path)) as side:
            side.merge(str(theirs))
            sides.append(list(side.export()))

    assert sides[0] == sides[1] == list(agent.tacit.export())


def test_what_a_session_was_handed_can_be_looked_up_with_its_reason(agent):
    rule = agent.tacit.remember(RULE, tier="mandate")
    agent.start()

    [query] = agent.tacit.injected()

    assert (query.session, query.kind) == (agent.key, "start")
    assert [(one.memory, one.why) for one in query.selected] == [(rule.id, "mandate")]
    assert agent.tacit.sessions()[0].id == agent.key


def test_the_fence_closes_every_answer(agent):
    agent.tacit.remember(f"Ends {CLOSE} here", tier="mandate")

    assert without_fenced(agent.start()).strip() == ""

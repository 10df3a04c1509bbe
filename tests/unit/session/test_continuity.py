"""Continuity: what is being done now, within its limit, the same for the same turns."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import a_fact, a_pattern
from fakes import FrozenClock, WordCounter
from tacit.fence import CLOSE, OPEN, without_fenced
from tacit.model import Scope, Tier
from tacit.session.continuity import Turn, advanced
from tacit.session.page import CHARS, MISTAKES, RELEVANT, Page, parse, render
from tacit.store.connect import connect
from tacit.system import Tacit

TOKEN = "ghp_" + "a8Kd03jfPq92LsmX7vTzR4bNcY1uWe5HgQ6o"


def test_a_turn_tells_goal_files_decisions_and_what_is_in_the_way(tacit):
    page = tacit.continuity.update(
        Turn(
            prompt="Add token refresh to the login",
            files=("src/api.py", "src/auth.py"),
            decisions=("Refresh tokens live a day",),
            errors=("ImportError: no module named jwt",),
            next=("write the tests",),
        )
    )

    assert page == tacit.continuity.get()
    assert tacit.continuity.text() == (
        "# Continuity\n\n## Goal\nAdd token refresh to the login\n\n"
        "## Decisions\n- Refresh tokens live a day\n\n"
        "## Blockers\n- ImportError: no module named jwt\n\n"
        "## Next\n- write the tests\n\n"
        "## Files\n- src/auth.py\n- src/api.py\n"
    )


def test_the_next_turn_builds_on_the_one_before(tacit):
    tacit.continuity.update(Turn(prompt="Add token refresh", files=("a.py",), errors=("it broke",)))

    page = tacit.continuity.update(
        Turn(prompt="yes, go on", files=("b.py", "a.py"), errors=("worse",), solved=("It  broke",))
    )

    assert page.goal == "Add token refresh"  # an answer is no goal
    assert page.files == ("a.py", "b.py")
    assert page.blockers == ("worse",)


def test_an_agent_has_its_own(tacit):
    tacit.continuity.update(Turn(prompt="Write all tests again"), agent="qa-1")

    assert tacit.continuity.get() == Page()
    assert tacit.continuity.memory() is None
    assert tacit.continuity.get("qa-1").goal == "Write all tests again"
    assert tacit.continuity.memory("qa-1").text == tacit.continuity.text("qa-1")


def test_a_turn_that_changes_nothing_leaves_no_revision(tacit):
    turn = Turn(prompt="Add token refresh", files=("a.py",))
    tacit.continuity.update(turn)

    tacit.continuity.update(turn)
    tacit.continuity.update(Turn())

    assert tacit.continuity.memory().rev == 1


def test_memories_are_named_by_their_mark_and_one_line_and_resolve(tacit):
    long = tacit.remember("Sign tokens with RS256.\n" + "Because of the old clients. " * 40)
    rule = tacit.remember("Never log tokens", tier="guardrail")

    page = tacit.continuity.update(
        Turn(prompt="Add token refresh", memories=(long,), mistakes=(rule,))
    )

    text = tacit.continuity.text()
    assert f"## {RELEVANT}\n- [R:{long.short}] Sign tokens" in text
    assert f"## {MISTAKES}\n- [G:{rule.short}] Never log tokens\n" in text
    assert all(len(line) < 200 for line in text.splitlines())
    for line in (*page.memories, *page.mistakes):
        assert tacit.get(line.partition(" ")[0]) in (long, rule)


def test_what_came_from_memory_is_marked_in_the_file_so_it_is_not_learnt_again(tacit, tmp_path):
    rule = tacit.remember("Never log tokens", tier="guardrail")
    tacit.continuity.update(Turn(prompt="Add token refresh", mistakes=(rule,)))
    path = tmp_path / "CONTINUITY.md"

    assert tacit.continuity.write(str(path)) == len(path.read_text("utf-8"))

    text = path.read_text("utf-8")
    assert OPEN in text
    assert CLOSE in text
    assert f"## {MISTAKES}\n- [G:{rule.short}] Never log tokens" in text
    assert "Never log tokens" not in without_fenced(text)
    assert parse(text) == tacit.continuity.get()
    assert [found.name for found in tmp_path.glob("CONTINUITY*")] == ["CONTINUITY.md"]


def test_nothing_is_written_into_the_folder_unasked(tacit, tmp_path, monkeypatch):
    place = tmp_path / "work"
    place.mkdir()
    monkeypatch.chdir(place)

    tacit.continuity.update(Turn(prompt="Add token refresh", files=("a.py",)))

    assert list(place.iterdir()) == []


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tacit, tmp_path):
    with pytest.raises(OSError, match="No such file"):
        tacit.continuity.write(str(tmp_path / "missing" / "CONTINUITY.md"))


def test_secrets_are_taken_out_before_lines_are_cut(tacit):
    before = "x " * 60
    tacit.continuity.update(
        Turn(
            prompt=f"Call the service with {'y ' * 125}{TOKEN}",
            errors=(f"{before}{TOKEN}",),
            decisions=(f"use {TOKEN}",),
        )
    )

    kept = "".join(tacit.export())
    assert TOKEN[:12] not in kept


def test_our_own_words_in_a_prompt_are_no_goal(tacit):
    prompt = f"Fix the login page\n{OPEN}\n- [R:abcd2345] Sign tokens\n{CLOSE}"

    assert tacit.continuity.update(Turn(prompt=prompt)).goal == "Fix the login page"


def test_what_others_wrote_is_kept_while_there_is_room(tacit):
    tacit.blocks.set(
        "continuity",
        "# Loki\nstarted by hand\n\n## Current Goal\nShip it all\n\n## Budget\n- 3 left\n",
    )

    page = tacit.continuity.update(Turn(files=("a.py",)))

    assert page.goal == "Ship it all"
    assert page.rest == ("# Loki", "started by hand", "## Budget", "- 3 left")
    tacit.continuity.update(Turn(errors=tuple(f"error {n} " + "x" * 130 for n in range(9))))
    assert len(tacit.continuity.text()) <= CHARS


def test_when_there_is_no_room_the_goal_and_what_blocks_it_stay_longest():
    page = Page(
        goal="Add token refresh",
        decisions=("d" * 50,) * 3,
        blockers=("the build is red",),
        files=("f" * 50,) * 3,
        memories=("m" * 50,) * 3,
    )

    text = render(page, chars=120)

    assert parse(text) == Page(goal="Add token refresh", blockers=("the build is red",))
    assert render(Page(goal="word " * 100), chars=100).endswith("…\n")


def test_a_page_may_be_said_as_a_whole(tacit):
    tacit.continuity.update(Turn(prompt="Add token refresh", files=("a.py",)))

    tacit.continuity.set(Page(goal="Rest", next=("sleep",)))

    assert tacit.continuity.get() == Page(goal="Rest", next=("sleep",))


def test_the_newest_is_kept_of_many():
    page = Page()
    for number in range(20):
        page = advanced(page, Turn(files=(f"{number}.py",), decisions=(f"choice {number}",)))

    assert page.files[:2] == ("19.py", "18.py")
    assert page.decisions[0] == "choice 19"
    assert (len(page.files), len(page.decisions)) == (8, 6)


def test_many_memories_are_few_lines():
    facts = tuple(a_fact(f"fact {n}") for n in range(30))
    rule = a_pattern("never", tier=Tier.GUARDRAIL)

    page = advanced(Page(), Turn(memories=facts, mistakes=(rule,)))

    assert page.memories[0] == f"[R:{facts[0].short}] fact 0"
    assert len(page.memories) == 6
    assert page.mistakes == (f"[G:{rule.short}] never",)


WORDS = st.text(st.sampled_from("ab #-[]<>/\n`…") | st.characters(codec="utf-8", exclude_characters="\0"), max_size=80)  # fmt: skip
ROWS = st.lists(WORDS, max_size=4).map(tuple)
TURNS = st.builds(
    Turn, prompt=WORDS, files=ROWS, decisions=ROWS, errors=ROWS, solved=ROWS, next=ROWS
)


@settings(max_examples=100)
@given(turns=st.lists(TURNS, max_size=5), chars=st.integers(20, 600))
def test_any_turns_give_a_page_that_fits_and_is_read_back_as_it_was(turns, chars):
    page = Page()
    for turn in turns:
        page = parse(render(advanced(page, turn), chars=chars))
        text = render(page, chars=chars)

        assert len(text) <= chars
        assert render(parse(text), chars=chars) == text
        assert len(render(page, chars=chars, marked=True)) <= chars


@settings(max_examples=30)
@given(turns=st.lists(TURNS, max_size=4))
def test_any_turns_can_be_kept_and_the_same_turns_give_the_same_text(tmp_path_factory, turns):
    texts = []
    for name in ("one", "two"):
        path = tmp_path_factory.mktemp("pages") / f"{name}.db"
        made = Tacit(
            connect(str(path)),
            scope=Scope(path="project:shop"),
            clock=FrozenClock(),
            counter=WordCounter(),
        )
        with made as tacit:
            for turn in turns:
                tacit.continuity.update(turn)
            texts.append(tacit.continuity.text())

    assert texts[0] == texts[1]
    assert len(texts[0]) <= CHARS

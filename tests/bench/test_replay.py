"""A scripted agent lives through sessions twice; memory helps where the past holds something."""

from __future__ import annotations

import pytest

from fakes import WordCounter
from session_sets import an_agent_episode, write_lines
from tacit.bench import replay, replayed
from tacit.bench.handing import Told
from tacit.bench.run import main
from tacit.bench.scripted_agent import (
    MOST_STEPS,
    Tree,
    beside,
    explore,
    files_in,
    look,
    tells,
    walk,
)
from tacit.errors import NotFound
from tacit.happening import Happening, Moment
from tacit.model import Scope
from tacit.system import Tacit

FILES = [f"src/part{n:02}/step.py" for n in range(30)]
TREE = Tree(changed={"src/login.py": 3, "src/menu.py": 9, "docs/login.md": 1, "src/old/menu.py": 0})
STALE = "lockfile is stale for package colours, refresh it first"


def test_files_are_explored_by_the_words_of_the_task_then_by_how_often_they_change():
    assert explore("Repair the login page", TREE) == [
        "src/login.py",
        "docs/login.md",
        "src/menu.py",
        "src/old/menu.py",
    ]


def test_a_file_is_meant_by_its_path_or_by_an_end_that_only_it_has():
    named = files_in("Look at `login.py`, menu.py and ./docs/login.md. Not at other.py.", TREE)

    assert named == ["src/login.py", "docs/login.md"]


def test_what_the_person_named_comes_first_then_the_own_session_then_memory():
    handed = ["src/menu.py", "gone.py"]
    order = look("Change login.py", TREE, (), own={"src/old/menu.py"}, handed=handed)

    assert order == ["src/login.py", "src/old/menu.py", "src/menu.py", "docs/login.md"]


def test_both_arms_are_the_same_agent_where_memory_hands_over_nothing():
    needed = ["src/menu.py"]

    assert look("Repair the login", TREE, needed, handed=(), follow=lambda _found: ()) == look(
        "Repair the login", TREE, needed
    )


def test_a_needed_file_leads_to_its_tests_in_both_arms():
    tree = Tree(changed={"a/x.go": 9, "a/y.go": 5, "a/x_test.go": 0, "b/x_test.go": 0})

    assert beside("a/x.go", tree) == ["a/x_test.go"]
    assert look("", tree, ["a/x.go"])[:2] == ["a/x.go", "a/x_test.go"]
    assert look("", tree, ["a/y.go"])[:2] == ["a/x.go", "a/y.go"]


def test_what_goes_with_a_needed_file_is_asked_once_it_is_found():
    asked = []

    def follow(found):
        asked.append(tuple(found))
        return ["src/old/menu.py"]

    order = look("Repair the login", TREE, ["src/login.py"], follow=follow)

    assert asked == [("src/login.py",)]
    assert order[:2] == ["src/login.py", "src/old/menu.py"]


def test_steps_are_counted_to_the_first_and_to_half_of_what_is_needed():
    walked = walk(["a", "b", "c", "d", "e", "f"], {"b", "f", "x"})

    assert (walked.first, walked.half) == (2, 6)
    assert (walked.within_5, walked.within_10) == (1 / 3, 2 / 3)


def test_what_is_never_reached_costs_all_steps():
    walked = walk(["a"], {"x"})

    assert (walked.first, walked.half, walked.within_10) == (MOST_STEPS, MOST_STEPS, 0.0)


def test_an_error_is_told_by_one_line_that_holds_most_of_its_words():
    assert tells(f"- something\n- `make` failed: {STALE}", STALE)
    assert not tells("- lockfile stale\n- package colours\n- refresh first", STALE)


def test_the_folders_of_a_path_and_a_short_message_tell_nothing():
    assert not tells("- work on src/shop/cart/total.py", "changed src/shop/cart/total.py")
    assert not tells("- it failed", "failed")


def wide(id_, day, files, **fields):
    """Give an episode of a project with many files, so that guessing takes long."""
    return an_agent_episode(
        id_,
        started=f"2026-01-{day:02}T10:00:00Z",
        ended=f"2026-01-{day:02}T11:00:00Z",
        actions=[{"tool": "Edit", "target": path} for path in files],
        files_read=FILES,
        files_edited=files,
        **fields,
    )


def replayed_rows(tmp_path, episodes, way="asking"):
    write_lines(tmp_path / "episodes.jsonl", episodes)
    result = replay.run(
        str(tmp_path),
        embedder=None,
        channels=["text", "graph", "recency"],
        profile="default",
        progress=lambda _text: None,
    )
    return result, {row["id"]: row for row in result["raw"][way]}


@pytest.fixture(autouse=True)
def _words_as_tokens(monkeypatch):
    monkeypatch.setattr("tacit.encode.tokens.open_counter", WordCounter)


COLOURS = ["The colours of invoices are wrong, please repair the palette."]


def test_memory_of_the_same_work_leads_to_its_files(tmp_path):
    _, rows = replayed_rows(
        tmp_path,
        [
            wide("e1", 5, [FILES[20]], prompts=COLOURS),
            *(wide(f"x{n}", 6, FILES[:6], prompts=[f"Rename step {n}."]) for n in range(3)),
            wide("e2", 7, [FILES[20]], prompts=["Invoices: the palette of colours broke again."]),
        ],
    )

    assert rows["e2"]["with"]["first"] < rows["e2"]["without"]["first"]
    assert rows["e2"]["about_needed"] >= 1
    assert rows["e2"]["tokens"]["prompt"] > 0


def test_nothing_is_known_before_it_has_ended(tmp_path):
    later = wide("e2", 5, [FILES[20]], prompts=COLOURS)
    _, rows = replayed_rows(tmp_path, [wide("e1", 5, [FILES[20]], prompts=COLOURS), later])

    assert rows["e2"]["needed"] == []
    assert rows["e2"]["handed"] == []


def test_what_comes_of_the_own_session_is_handed_over_in_neither_arm(tmp_path):
    first = wide("e1", 5, [FILES[20]], prompts=COLOURS, session="s")
    _, rows = replayed_rows(
        tmp_path, [first, wide("e2", 6, [FILES[20]], prompts=COLOURS, session="s")]
    )

    assert rows["e2"]["handed"] == []
    assert not rows["e2"]["opening"]
    assert rows["e2"]["with"] == rows["e2"]["without"]


def test_of_what_a_session_is_told_its_own_memories_are_taken_out(store):
    system = Tacit(store, scope=Scope(path="project:shop"))
    rules = ["Never commit colours by hand", "Always write prices in cents"]
    own, other = (system.remember(text, tier="mandate") for text in rules)
    start = Happening(moment=Moment.SESSION_START, host="claude", session="s1", cause="startup")

    all_told = Told(system).hand(start, [])
    handed = Told(system).hand(start, [own.id])

    assert set(all_told.memories) == {own, other}
    assert "colours" not in handed.text
    assert handed.memories == (other,)
    assert 0 < handed.tokens < all_told.tokens


def failing(id_, day, **fields):
    """Give an episode in which a command failed with a telling error."""
    error = {"step": 0, "tool": "Bash", "target": "make colours", "text": f"Error: {STALE}"}
    return an_agent_episode(
        id_,
        started=f"2026-01-{day:02}T10:00:00Z",
        ended=f"2026-01-{day:02}T11:00:00Z",
        actions=[{"tool": "Bash", "target": "make colours"}],
        errors=[error],
        **fields,
    )


def test_an_error_met_before_in_another_session_is_a_known_one(tmp_path):
    told = [f"make colours says the {STALE}. Always refresh the lockfile before make colours."]
    result, rows = replayed_rows(
        tmp_path, [failing("e1", 5, prompts=told), failing("e2", 6, prompts=["make the colours"])]
    )

    (error,) = rows["e2"]["errors"]
    assert rows["e1"]["errors"] == []
    assert error["sort"] == "commands"
    assert error["before"]
    assert error["at"]
    assert result["sections"]["asking: known errors"]["all"]["known"] == 1


def test_an_error_of_the_same_session_is_in_its_own_context(tmp_path):
    _, rows = replayed_rows(
        tmp_path, [failing("e1", 5, session="s"), failing("e2", 6, session="s")]
    )

    assert rows["e2"]["errors"] == []


def test_the_words_of_another_error_show_what_chance_gives():
    row = {"sort": "commands", "fix_seen": False, "fix_before": False, "fix_at": False}
    text = {"text_before": f"- {STALE}", "text_at": "", "before": True, "at": False}
    first = row | text | {"signature": "a", "said": [STALE]}
    second = row | text | {"signature": "b", "said": ["quite another error was printed"]}

    counted = replayed.known_errors([first, second])["all"]

    assert counted["avoided"] == 2
    assert counted["chance before, at"] == "1, 0"


def test_the_command_prints_both_arms(tmp_path, capsys):
    episodes = [wide(f"e{n}", n, [FILES[20]], prompts=COLOURS) for n in (5, 6)]
    write_lines(tmp_path / "episodes.jsonl", episodes)

    main(["replay", "--data", str(tmp_path), "--channels", "text,recency", "--embedder", "off"])

    out = capsys.readouterr().out
    assert "steps to the first" in out
    assert "known errors" in out


def test_without_the_sessions_there_is_an_error(tmp_path):
    with pytest.raises(NotFound, match="is not there"):
        main(["replay", "--data", str(tmp_path / "nothing"), "--embedder", "off"])

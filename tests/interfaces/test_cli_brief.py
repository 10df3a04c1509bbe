"""`tacit brief`, `session` and `cite`: what is handed over, why, and what became of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.encode.tokens import O200k
from tacit.happening import Happening, Moment
from tacit.model import Level
from tacit.system import Tacit

if TYPE_CHECKING:
    from interfaces.conftest import Cli

ID = "claude:3f0c9a12-77aa-4b1c"
COUNTER = O200k()


@pytest.fixture
def filled(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Give a command line whose store knows how tokens are signed, counted for true."""
    monkeypatch.setattr("tacit.encode.tokens.open_counter", O200k)
    cli.keep("Deploys need two reviews", "--tier", "mandate")
    cli.keep("Sign tokens with RS256", "--file", "src/auth.py")
    cli.keep("Do not retry refunds", "--kind", "pattern", "--polarity", "avoid")
    cli.keep("Moved the shop to Postgres 16", "--kind", "episode")
    return cli


def happen(moment: Moment, text: str = "", session: str = "3f0c9a12-77aa-4b1c") -> str:
    """Let something happen in a session and give what is said to the agent."""
    with Tacit.open() as tacit:
        happening = Happening(moment=moment, host="claude", session=session, text=text)
        return tacit.attend(happening).context


@pytest.fixture
def attended(filled: Cli) -> Cli:
    """Give a command line after a session was started and asked something."""
    happen(Moment.SESSION_START)
    happen(Moment.PROMPT, "How do we sign tokens in the shop?")
    return filled


def short_of(cli: Cli, text: str) -> str:
    return next(one["short"] for one in cli.json("list") if text in one["text"])


# brief


def test_stdout_is_the_briefing_and_nothing_else(filled: Cli) -> None:
    ran = filled("brief", "How", "are", "tokens", "signed?")

    with Tacit.open() as tacit:
        assert ran.out == tacit.brief("How are tokens signed?").text
    assert "Sign tokens with RS256" in ran.out
    assert "2 memories, at most" in ran.err


def test_a_briefing_is_the_same_bytes_each_time(filled: Cli) -> None:
    once, again = (filled("brief", "sign tokens").out for _ in range(2))

    assert once == again


def test_where_nothing_is_relevant_stdout_is_empty(cli: Cli) -> None:
    cli.keep("Sign tokens with RS256")

    ran = cli("brief", "kubernetes ingress annotations")

    assert (ran.status, ran.out) == (0, "")
    assert "nothing that is kept is relevant" in ran.err


def test_an_error_may_come_from_a_pipe(filled: Cli) -> None:
    told = filled.json("brief", "--error", "-", stdin="TokenError: sign tokens with RS256\n")

    assert told["task_type"] == "debugging"
    assert told["activity"] == "debugging"
    assert "Sign tokens with RS256" in told["context"]


def test_a_task_may_come_from_a_pipe_but_not_with_an_error(filled: Cli) -> None:
    assert "RS256" in filled("brief", "-", stdin="how are tokens signed?").out
    assert filled("brief", "-", "--error", "-").status == 2


def test_json_has_the_context_its_count_and_the_bands(filled: Cli) -> None:
    told = filled.json("brief", "sign tokens", "--budget", "300")

    assert set(told) >= {"context", "token_count", "bands", "budget", "items", "omitted"}
    assert list(told["bands"]) == ["critical", "relevant", "background", "index"]
    assert told["token_count"] == COUNTER.count(told["context"]) <= told["budget"] == 300
    assert told["context"] == filled("brief", "sign tokens", "--budget", "300").out
    item = next(one for one in told["items"] if one["text"] == "Sign tokens with RS256")
    assert set(item) >= {"short", "band", "level", "tokens", "score", "why"}


def test_the_format_json_is_the_same_as_json(filled: Cli) -> None:
    ran = filled("brief", "sign tokens", "--format", "json")

    assert json.loads(ran.out) == filled.json("brief", "sign tokens")


@pytest.mark.parametrize(
    ("name", "heading"),
    [("ralphy", "## Rules (MUST)"), ("auto-claude", "## Knowledge"), ("gsd", "# STATE")],
)
def test_other_tools_get_their_own_form(filled: Cli, name: str, heading: str) -> None:
    ran = filled("brief", "sign tokens", "--format", name, "--budget", "400")

    assert heading in ran.out.splitlines()
    assert COUNTER.count(ran.out) <= 400


def test_ralphy_gets_its_task_also_where_nothing_is_known(cli: Cli) -> None:
    cli("init", "--empty")

    ran = cli("brief", "Tidy up", "--format", "ralphy")

    assert "## Task\nTidy up\n" in ran.out
    assert "nothing that is kept" in ran.err


def test_the_preset_index_is_what_there_is_and_what_happened(filled: Cli) -> None:
    for number in range(60):
        filled.keep(f"Release {number} went out after the usual checks", "--kind", "episode")

    told = filled.json("brief", "--preset", "index")

    assert "Memory index: 64 memories" in told["context"]
    assert "Release 59" in told["context"]
    assert told["token_count"] == COUNTER.count(told["context"]) <= 600
    assert told["bands"]["index"] > 0


def test_the_preset_index_of_an_empty_store_is_nothing(cli: Cli) -> None:
    cli("init", "--empty")

    assert cli("brief", "--preset", "index").out == ""


def test_a_preset_and_a_budget_exclude_each_other(filled: Cli) -> None:
    assert filled("brief", "x", "--preset", "index", "--budget", "99").status == 2


def test_explain_tells_why_and_how_the_bands_are_filled(filled: Cli) -> None:
    ran = filled("brief", "sign tokens", "--budget", "300", "--explain")

    lines = ran.out.splitlines()
    mandate = next(line for line in lines if "Deploys need two reviews" in line)
    assert mandate.split()[0] == "critical"
    assert "mandate" in mandate
    assert "full" in mandate
    assert any(line.startswith("critical") and "of its share of 75" in line for line in lines)
    assert any(line.startswith("index") and "of its share of 37" in line for line in lines)


def test_explain_names_what_had_no_room(filled: Cli) -> None:
    for number in range(30):
        filled.keep(f"Sign tokens of tenant {number} with slot {number * 7}")

    assert "had no room: " in filled("brief", "sign tokens", "--budget", "90", "--explain").out


def test_a_briefing_for_a_session_is_kept(filled: Cli) -> None:
    filled("brief", "sign tokens", "--session", "script-1")

    (told,) = filled.json("session", "injected", "script-1")["injected"]
    assert (told["kind"], told["text"]) == ("brief", "sign tokens")
    assert "RS256" in filled("session", "injected", "script-1").out


def test_a_briefing_of_an_agent_has_what_waits_for_it(filled: Cli) -> None:
    filled("handoff", "send", "Refresh is done", "--from", "eng-1", "--to", "qa-1")

    assert "Refresh is done" in filled("brief", "sign tokens", "--agent", "qa-1").out
    assert "Refresh is done" not in filled("brief", "sign tokens").out


# session


def test_sessions_are_listed_with_what_they_were_handed(attended: Cli) -> None:
    ran = attended("session", "list")

    assert ran.out.startswith("claude:3f0c9a12  ")
    assert "1 turn" in ran.out
    assert "4 handed, 0 cited" in ran.out
    assert "How do we sign tokens in the shop?" in ran.out


def test_the_list_for_programs_has_every_field(attended: Cli) -> None:
    (told,) = attended.json("session", "list")

    assert (told["id"], told["host"], told["turns"], told["handed"]) == (ID, "claude", 1, 4)
    assert told["goal"] == "How do we sign tokens in the shop?"
    assert told["outcome"] == "unknown"


def test_without_sessions_the_list_says_so(cli: Cli) -> None:
    cli("init", "--empty")

    assert "No session has been seen yet." in cli("session", "list").out


def test_injected_tells_what_was_handed_over_and_why_the_last_first(attended: Cli) -> None:
    attended.keep("Refund requests are signed with another key")
    attended("brief", "Which key are refund requests signed with?", "--session", ID)

    out = attended("session", "injected").out
    told = attended.json("session", "injected")

    assert [one["kind"] for one in told["injected"]] == ["brief", "start"]
    assert out.index("Refund requests are signed") < out.index("Moved the shop")
    mandate = next(line for line in out.splitlines() if "Deploys need two reviews" in line)
    assert {"critical", "full", "mandate"} <= set(mandate.split())
    assert told["session"] == ID


def test_what_was_erased_is_not_named_among_what_was_injected(attended: Cli) -> None:
    short = short_of(attended, "RS256")

    attended("erase", short, "--yes")

    ran = attended("session", "injected")
    assert ran.status == 0
    assert short not in ran.out
    assert "RS256" not in ran.out


@pytest.mark.parametrize("name", [ID, "claude:3f0c9a12", "claude:3f", "3f0c", "claude:3f0c9a12…"])
def test_a_session_is_named_as_shown_or_by_its_beginning(attended: Cli, name: str) -> None:
    assert attended.json("session", "show", name)["id"] == ID


def test_a_beginning_that_several_sessions_share_is_refused(attended: Cli) -> None:
    happen(Moment.SESSION_START, session="3f0d")

    ran = attended("session", "show", "claude:3f0")

    assert ran.status == 4
    assert "claude:3f0d" in ran.err


def test_names_in_a_list_are_whole_where_short_ones_would_be_the_same(attended: Cli) -> None:
    happen(Moment.SESSION_START, session="3f0c9a12-other")

    out = attended("session", "list").out

    assert f"{ID}  " in out
    assert "claude:3f0c9a12-other  " in out


def test_an_unknown_session_is_not_found(attended: Cli) -> None:
    assert attended("session", "show", "codex:1").status == 3
    assert attended("session", "injected", "codex:1").status == 3
    assert attended("session", "incognito", "codex:1").status == 3


def test_an_incognito_session_is_handed_nothing_until_told_otherwise(attended: Cli) -> None:
    ran = attended("session", "incognito", "claude:3f0c")
    said = happen(Moment.SESSION_START)
    assert attended.json("session", "show", ID)["inject"] == "off"
    attended("session", "incognito", "claude:3f0c", "--inject", "auto")

    assert "incognito" in ran.out
    assert said == ""
    assert "Deploys need two reviews" in happen(Moment.SESSION_START)


@pytest.mark.parametrize(
    "argv",
    [("list", "claude:3f"), ("show",), ("incognito",), ("list", "--inject", "off"), ("stop",)],
)
def test_what_makes_no_sense_is_refused(attended: Cli, argv: tuple[str, ...]) -> None:
    assert attended("session", *argv).status == 2


def test_a_session_shows_what_it_cited(attended: Cli) -> None:
    happen(Moment.TURN_END, f"Done. Applied: [R:{short_of(attended, 'RS256')}]")

    ran = attended("session", "show", ID)

    assert "4 handed, 1 cited" in ran.out
    assert "Sign tokens with RS256" in ran.out


# cite and why


def test_cite_records_what_became_of_memories(filled: Cli) -> None:
    short = short_of(filled, "RS256")

    ran = filled("cite", short, f"[R:{short}]", "--event", "helped")

    assert ran.out == f"helped [{short}] Sign tokens with RS256\n"
    assert filled.json("why", short)["usage"] == {"helped": 1}


def test_a_citation_in_a_session_counts_for_what_was_handed_there(attended: Cli) -> None:
    short = short_of(attended, "RS256")

    attended("cite", short, "--session", "claude:3f0c")

    with Tacit.open() as tacit:
        (used,) = [one for one in tacit.store.usage() if one.event == "cited"]
        assert used.query_id == tacit.injected(ID)[-1].id
        assert tacit.store.session(ID).cited == (tacit.get(short).id,)


def test_cite_names_what_it_recorded_for_programs(filled: Cli) -> None:
    short = short_of(filled, "RS256")

    assert filled.json("cite", short) == {"event": "cited", "recorded": [short]}
    assert filled("cite", "zzzz").status == 3


def test_why_tells_where_a_memory_was_handed_over(attended: Cli) -> None:
    short = short_of(attended, "RS256")

    (told,) = attended.json("why", short)["handed"]
    ran = attended("why", short)

    assert (told["session"], told["kind"], told["level"]) == (ID, "start", Level.FULL)
    assert f"full  standing  {ID}" in ran.out


def test_a_reference_with_an_at_sign_names_a_memory(filled: Cli) -> None:
    short = short_of(filled, "RS256")

    assert "Sign tokens with RS256" in filled("show", f"@{short}").out
    assert "Sign tokens with RS256" in filled("expand", f"@{short}").out

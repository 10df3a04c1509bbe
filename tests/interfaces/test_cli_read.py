"""`recall`, `show`, `list`, `why` and `timeline`: finding and looking."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from interfaces.conftest import Cli
    from tacit.model import Memory

MEMORY_FIELDS = """
id short kind subtype polarity tier state text summary hint title tokens key value body mentions
scope visibility valid_from valid_to recorded_at retired_at rev hash pinned confirmed_by confidence
importance temporal author session origin trust source_ref learn_tokens anchors unverified evidence
""".split()


@pytest.mark.usefixtures("seeded")
def test_recall_gives_one_line_a_hit_with_rank_name_kind_text_and_date(cli: Cli) -> None:
    ran = cli("recall", "how are tokens signed?", "--limit", "1")

    assert ran.status == 0
    assert ran.out == " 1  [abcd2345]  fact  Sign tokens with RS256  2026-01-01\n"


@pytest.mark.usefixtures("seeded")
def test_recall_shows_the_tier_of_what_binds(cli: Cli) -> None:
    ran = cli("recall", "reviews of deploys", "--channels", "text")

    assert ran.out.startswith(" 1  [depl3333]  fact  mandate  Deploys need two reviews")


@pytest.mark.usefixtures("seeded")
def test_recall_reads_the_question_from_standard_input(cli: Cli) -> None:
    hits = cli.json("recall", "-", "--limit", "1", stdin="how are tokens signed?\n")

    assert hits[0]["memory"]["short"] == "abcd2345"


@pytest.mark.usefixtures("seeded")
def test_recall_json_is_an_array_of_hits(cli: Cli) -> None:
    hits = cli.json("recall", "tokens")

    assert list(hits[0]) == ["score", "parts", "level", "memory"]
    assert list(hits[0]["memory"]) == MEMORY_FIELDS


@pytest.mark.usefixtures("seeded")
def test_recall_json_explained_tells_how_it_was_found(cli: Cli) -> None:
    found = cli.json("recall", "tokens", "--explain", "--channels", "text,recency")

    assert list(found) == ["hits", "pools", "cut", "missing"]
    assert [pool["channel"] for pool in found["pools"]] == ["text", "recency"]
    assert set(found["pools"][0]) == {"channel", "candidates", "ms"}


@pytest.mark.usefixtures("seeded")
def test_recall_explained_shows_bars_pools_and_what_is_missing(cli: Cli) -> None:
    ran = cli("recall", "tokens", "--explain", "--limit", "1")

    assert "text" in ran.out
    assert "█" in ran.out
    assert "looked    text" in ran.out
    assert "not used  vector: no embedder" in ran.out


@pytest.mark.usefixtures("seeded", "embedding")
def test_recall_explained_measures_with_vectors_and_factors(cli: Cli) -> None:
    cli("reembed")

    out = cli("recall", "deploys reviews", "--explain", "--profile", "seed", "--limit", "1").out

    assert "cosine 0." in out
    assert "times 2.00 for its tier and kind" in out


@pytest.mark.usefixtures("seeded")
def test_recall_notes_a_channel_that_could_not_be_used(cli: Cli) -> None:
    ran = cli("recall", "tokens")

    assert "not used: vector: no embedder" in ran.err
    assert "not used" not in cli("recall", "tokens", "--quiet").err
    assert "not used" not in cli("recall", "tokens", "--channels", "text").err


def test_nothing_found_is_no_error(cli: Cli) -> None:
    cli("init")

    ran = cli("recall", "anything", "--channels", "text")

    assert (ran.status, ran.out) == (0, "Nothing relevant is remembered.\n")
    assert cli.json("recall", "anything") == []
    assert cli("list").out == "No memory fits.\n"
    assert cli("timeline").out == "No episode in this stretch of time.\n"


def test_where_nobody_could_look_is_never_the_same_as_nothing_found(cli: Cli) -> None:
    ran = cli("recall", "anything")

    assert ran.status == 6
    assert ran.out == ""
    assert "there is no store at" in ran.err
    assert "tacit init" in ran.err


@pytest.mark.usefixtures("seeded")
def test_recall_filters(cli: Cli) -> None:
    def shorts(*argv: str) -> set[str]:
        hits = cli.json("recall", "tokens refunds Postgres reviews", "--channels", "text", *argv)
        return {hit["memory"]["short"] for hit in hits}

    assert shorts("--kind", "pattern", "--kind", "episode") == {"wxyz6723", "pgpg2222"}
    assert shorts("--tier", "mandate") == {"depl3333"}
    assert shorts("--polarity", "avoid") == {"wxyz6723"}
    assert shorts("--key", "auth.jwt_alg") == {"abcd2345"}
    assert shorts("--state", "forgotten") == set()
    assert shorts("--until", "2026-01-01") == set()
    assert shorts("--as-of", "2025-06-01") == set()
    assert shorts("--known-at", "2025-06-01") == set()


@pytest.mark.usefixtures("seeded")
def test_recall_takes_profile_files_and_facets(cli: Cli) -> None:
    cli("remember", "Retry in the client", "--file", "src/client.py", "--tag", "http")

    by_facet = cli.json("recall", "retry", "--facet", "file:src/client.py", "--profile", "seed")
    by_file = cli.json("recall", "what is here?", "--file", "src/client.py", "--channels", "graph")

    assert [hit["memory"]["text"] for hit in by_facet] == ["Retry in the client"]
    assert by_file[0]["memory"]["text"] == "Retry in the client"


@pytest.mark.usefixtures("seeded")
def test_global_options_may_stand_before_the_command(cli: Cli) -> None:
    ran = cli("--json", "--quiet", "recall", "tokens", "--limit", "1")

    assert ran.json[0]["memory"]["short"] == "abcd2345"


@pytest.mark.usefixtures("seeded")
def test_show_gives_a_memory_and_what_is_known_about_it(cli: Cli) -> None:
    ran = cli("show", "abcd")

    assert ran.out.startswith("[abcd2345] fact\n")
    assert "auth.jwt_alg = RS256" in ran.out
    assert ran.out.endswith("\n\nSign tokens with RS256\n")
    assert cli("show", "[M:abcd2345]", "--quiet").out == "Sign tokens with RS256\n"


@pytest.mark.parametrize("level", ["full", "summary", "hint", "title"])
@pytest.mark.usefixtures("seeded")
def test_show_gives_each_level(cli: Cli, level: str) -> None:
    text = cli.json("remember", "Many words. " * 60)["memories"][0]

    ran = cli("show", text["short"], "--level", level, "--quiet")

    shown = text["text" if level == "full" else level]
    assert ran.out == shown + "\n"


@pytest.mark.usefixtures("seeded")
def test_show_json_is_the_memory_with_its_use_and_what_it_replaced(cli: Cli) -> None:
    new = cli.keep("Sign tokens with ES256", "--key", "auth.jwt_alg", "--value", "ES256")

    shown, old = cli.json("show", new), cli.json("show", "abcd2345", "--history")

    assert list(shown) == [*MEMORY_FIELDS, "usage", "supersedes", "superseded_by"]
    assert shown["supersedes"] == [old["id"]]
    assert old["superseded_by"] == [shown["id"]]
    assert [entry["op"] for entry in old["history"]] == ["remember", "supersede"]
    assert list(old["history"][0]) == ["rev", "at", "by", "op", "note", "memory"]


@pytest.mark.usefixtures("seeded")
def test_history_tells_what_changed_and_by_whom(cli: Cli) -> None:
    cli("edit", "abcd", "--text", "Sign tokens with ES256")
    cli("edit", "abcd", "--set", "tier=mandate")

    out = cli("show", "abcd", "--history").out

    assert "edit by ana  " in out
    assert "tier reference → mandate" in out


@pytest.mark.usefixtures("seeded")
def test_list_shows_the_newest_first_and_filters(cli: Cli) -> None:
    assert len(cli("list").out.splitlines()) == 4
    assert [m["short"] for m in cli.json("list", "--order", "oldest", "--limit", "1")] == [
        "abcd2345"
    ]
    assert [m["short"] for m in cli.json("list", "--polarity", "avoid")] == ["wxyz6723"]
    assert list(cli.json("list")[0]) == MEMORY_FIELDS


@pytest.mark.usefixtures("seeded")
def test_list_says_when_there_may_be_more(cli: Cli) -> None:
    assert "at most 2 are listed" in cli("list", "--limit", "2").err
    assert cli("list").err == ""


@pytest.mark.usefixtures("seeded")
def test_list_with_history_shows_what_is_past_or_put_away(cli: Cli) -> None:
    cli("remember", "Sign with ES256", "--key", "auth.jwt_alg", "--value", "ES256")
    cli("forget", "wxyz6723")

    now, ever = cli("list").out, cli("list", "--history").out

    assert "abcd2345" not in now
    assert "wxyz6723" not in now
    assert "until 20" in next(line for line in ever.splitlines() if "abcd2345" in line)
    assert "avoid forgotten" in next(line for line in ever.splitlines() if "wxyz6723" in line)


@pytest.mark.usefixtures("seeded")
def test_why_tells_source_history_links_and_whether_it_is_served(cli: Cli) -> None:
    cli("link", "abcd2345", "supports", "wxyz6723")

    out = cli("why", "wxyz").out

    assert out.startswith("[wxyz6723] Do not retry refunds\nserved: it holds since 2026-01-01")
    assert "supported_by [abcd2345] Sign tokens with RS256" in out
    assert "rev 1" in out


@pytest.mark.usefixtures("seeded")
def test_why_tells_who_said_it_where(cli: Cli) -> None:
    short = cli.keep(
        "x y z", "--author", "bo", "--session", "s1", "--source", "commit:abc", "--pin"
    )

    out = cli("why", short).out

    assert "bo, in session s1, from commit:abc; recorded " in out
    assert cli("show", short).out.startswith(f"[{short}] fact pinned\n")


@pytest.mark.usefixtures("seeded")
def test_why_json_has_every_reason(cli: Cli) -> None:
    told = cli.json("why", "abcd2345")

    assert list(told) == [
        "memory",
        "status",
        "history",
        "links",
        "usage",
        "near_misses",
        "near_miss",
        "contradictions",
        "handed",
    ]
    assert told["status"].startswith("served")


@pytest.mark.usefixtures("seeded")
def test_why_tells_that_a_forgotten_memory_is_not_served(cli: Cli) -> None:
    cli("forget", "abcd2345")

    assert "not served: it is forgotten" in cli("why", "abcd2345").out


def test_timeline_gives_exactly_the_episodes_of_the_range_oldest_first(cli: Cli) -> None:
    now = datetime.now(UTC)
    for text, age in (("old", 8), ("first", 6.99), ("second", 3), ("last", 0.1)):
        moment = (now - timedelta(days=age)).isoformat()
        cli("remember", f"{text} thing happened", "--kind", "episode", "--valid-from", moment)
    cli("remember", "a fact of today", "--valid-from", "1d")

    texts = [memory["text"] for memory in cli.json("timeline", "--since", "7d")]

    assert texts == ["first thing happened", "second thing happened", "last thing happened"]


def test_a_range_of_the_timeline_holds_its_start_and_not_its_end(cli: Cli) -> None:
    for second in (9, 10, 11, 12):
        moment = f"2026-01-31T09:30:{second:02}Z"
        cli("remember", f"at {second}", "--kind", "episode", "--valid-from", moment)

    found = cli.json(
        "timeline", "--since", "2026-01-31T09:30:10Z", "--until", "2026-01-31T09:30:12Z"
    )

    assert [memory["text"] for memory in found] == ["at 10", "at 11"]


def test_the_timeline_shows_the_latest_and_says_that_there_are_more(cli: Cli) -> None:
    lines = "\n".join(f"step {number}" for number in range(40))
    cli("remember", "--lines", "-", "--kind", "episode", stdin=lines)

    ran = cli("timeline")

    assert 0 < len(ran.out.splitlines()) < 40
    assert ran.out.splitlines()[-1].endswith("step 39")
    assert "are shown; --since or --limit shows more" in ran.err
    assert len(cli("timeline", "--since", "1h").out.splitlines()) == 40


def test_around_an_anchor_stand_its_neighbours_of_every_kind(cli: Cli) -> None:
    lines = "\n".join(f"step {number}" for number in range(9))
    cli("remember", "--lines", "-", stdin=lines)
    anchor = next(m["short"] for m in cli.json("list") if m["text"] == "step 4")

    ran = cli("timeline", "--anchor", anchor, "-b", "2", "-a", "1")

    assert [line[-1] for line in ran.out.splitlines()] == ["2", "3", "4", "5"]
    assert [line[0] for line in ran.out.splitlines()] == [" ", " ", ">", " "]


@pytest.mark.usefixtures("seeded")
def test_an_anchor_and_a_range_do_not_go_together(cli: Cli) -> None:
    ran = cli("timeline", "--anchor", "abcd2345", "--since", "7d")

    assert ran.status == 2
    assert "not both" in ran.err


@pytest.mark.usefixtures("seeded")
def test_the_timeline_travels_in_time(cli: Cli) -> None:
    cli("remember", "Sign with ES256", "--key", "auth.jwt_alg", "--value", "ES256")

    line = ["timeline", "--kind", "fact", "--key", "auth.jwt_alg"]
    ever = [memory["value"] for memory in cli.json(*line)]
    then = [memory["value"] for memory in cli.json(*line, "--as-of", "2026-02-01")]

    assert ever == ["RS256", "ES256"]
    assert then == ["RS256"]


def test_text_cannot_act_on_the_terminal(cli: Cli) -> None:
    short = cli.keep("harmless \x1b[31mred\x1b]0;title\x07 text")

    for argv in (["show", short], ["list"], ["why", short], ["recall", "harmless"]):
        out = cli(*argv).out
        assert "\x1b" not in out
        assert "\x07" not in out


def test_wide_characters_are_aligned(cli: Cli) -> None:
    cli("remember", "--lines", "-", stdin="認証トークンは署名される\nplain words here\n")

    ends = cli("list").out.splitlines()

    assert ends[0].index("20", 20) == ends[1].index("20", 20) + len("認証トークンは署名される")


def test_the_seeded_memories_are_what_the_store_holds(cli: Cli, seeded: list[Memory]) -> None:
    assert {m["id"] for m in cli.json("list")} == {memory.id for memory in seeded}

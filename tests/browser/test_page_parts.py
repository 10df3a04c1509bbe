"""The pure parts of the page: words, differences, charts, the picture, the budget's steps."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("nicegui")

from tacit.interfaces.web import briefing, charts, differ, picture, say
from tacit.interfaces.web.axes import Scale
from tacit.interfaces.web.latest import Latest

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
WORDS = st.text(st.sampled_from("ab cd,.ä\n"), max_size=60)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (950, "950"),
        (9_500, "9,500"),
        (12_400, "12.4k"),
        (3_100_000, "3.1M"),
        (-20_000, "-20k"),
    ],
)
def test_an_amount_is_read_at_a_glance(number, shown):
    assert say.amount(number) == shown


@pytest.mark.parametrize(
    ("before", "shown"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=5), "5 hours ago"),
        (timedelta(days=40), "1 month ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(days=-3), "4 Jun 2026"),
    ],
)
def test_how_long_ago_something_was(before, shown):
    assert say.ago((NOW - before).isoformat(), NOW) == shown


def test_a_sentence_has_its_times_as_people_write_them():
    said = say.sentence("served: it holds since 2026-04-30T18:33:19.5Z")

    assert said == "Served: it holds since 30 Apr 2026, 18:33"


def test_a_long_memory_is_told_by_its_summary_on_one_line():
    memory = {
        "text": "# Goal\n\n" + "word " * 100,
        "summary": "## Goal\nword by word, issue #7 ```python",
    }

    assert say.words(memory) == "Goal word by word, issue #7"
    assert say.name({"text": "one two three", "summary": ""}, 8) == "one two…"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("See [the guide](docs/guide.md): `make test`", "See the guide: make test"),
        ("Rules:\n- one *thing*\n- **two** things", "Rules: · one thing · two things"),
        ("- first.\n- second", "first. · second"),
        ("Kept as they are: 2 * 3 - 1, a-b, [x], f(x), **kwargs", None),
    ],
)
def test_lists_show_words_and_no_marks(text, told):
    assert say.plain(text) == (told or text)


def test_what_is_joined_from_both_ends_is_one_tie():
    drawn = picture.Picture()
    nodes = [a_node("a"), a_node("b")]
    drawn.add({"nodes": nodes, "edges": [an_edge("a", "b")]}, "a")
    drawn.add({"nodes": nodes, "edges": [an_edge("b", "a")]}, "b")

    assert [node["id"] for _, node in drawn.neighbours("b")] == ["a"]


def test_a_picture_writes_fewer_names_where_there_is_less_room():
    drawn = picture.Picture()
    things = [a_node(f"n{number:02}", memories=50 - number) for number in range(40)]
    drawn.add({"nodes": things, "edges": []})

    shown = [one["label"][":show"] for one in drawn.options()["series"][0]["data"]]
    assert sum(one.startswith("true && (true") for one in shown) == picture.NAMED_ON_A_PHONE
    assert sum(one.startswith("true") for one in shown) == picture.NAMED


@given(WORDS, WORDS)
def test_what_differs_leaves_both_texts_whole(a, b):
    left, right = differ.sides(a, b)

    assert "".join(piece for _, piece in left) == a
    assert "".join(piece for _, piece in right) == b


@given(WORDS, WORDS)
def test_a_change_holds_what_was_and_what_is(before, after):
    pieces = differ.change(before, after)

    assert "".join(piece for mark, piece in pieces if mark != "new") == before
    assert "".join(piece for mark, piece in pieces if mark != "gone") == after


def test_only_what_differs_is_marked_unless_that_is_nearly_all():
    left, right = differ.sides("We run Postgres 14 now", "We run Postgres 16 now")

    assert [piece for differs, piece in left if differs] == ["14"]
    assert [piece for differs, piece in right if differs] == ["16"]
    assert differ.sides("One thing", "quite another matter altogether") == (
        [(False, "One thing")],
        [(False, "quite another matter altogether")],
    )


@given(st.lists(st.integers(0, 10**9), max_size=40))
def test_a_chart_can_be_drawn_of_any_numbers(counts):
    drawn = charts.growth(counts, counts, 'say "so" <b>') + charts.density(counts, "x")

    assert "nan" not in drawn
    assert "<b>" not in drawn


@given(st.integers(0, briefing.STEPS))
def test_the_steps_of_the_budget_rise_and_lead_back(step):
    tokens = briefing._tokens(step)

    assert briefing.LEAST_BUDGET <= tokens <= briefing.MOST
    assert briefing._tokens(briefing._step(tokens)) == tokens
    assert step == 0 or briefing._tokens(step - 1) <= tokens


@given(st.datetimes(), st.timedeltas(timedelta(seconds=1), timedelta(days=4000)))
def test_a_moment_stands_within_its_scale(first, span):
    if first.year > 9000:
        first = first.replace(year=2000)
    scale = Scale(first, first + span)

    assert scale.at(first) == 0
    assert scale.at(first + span) == 100
    assert 0 <= scale.at(first + span / 3) <= 100


def test_what_is_asked_meanwhile_is_done_once_after_it():
    done = []
    waits = asyncio.Event()

    async def act():
        done.append("begun")
        await waits.wait()
        done.append("ended")

    async def drag():
        look = Latest(act)
        first = asyncio.create_task(look())
        await asyncio.sleep(0)
        for _ in range(5):
            await look()
        waits.set()
        await first
        await look()

    asyncio.run(drag())

    assert done == ["begun", "ended"] * 3


def test_what_fails_can_be_asked_again():
    async def fail():
        raise ValueError

    async def twice():
        look = Latest(fail)
        for _ in range(2):
            with pytest.raises(ValueError):
                await look()

    asyncio.run(twice())


def a_node(name, memories=1, *, memory=None):
    return {"id": name, "sort": "tag", "name": name, "memories": memories, "memory": memory}


def an_edge(source, target):
    return {"source": source, "target": target, "relation": "about", "weight": 1}


@given(st.lists(st.lists(st.integers(0, 400), min_size=1, max_size=30), max_size=20))
def test_a_picture_stays_small_and_joins_only_what_is_in_it(looks):
    drawn = picture.Picture()
    for look in looks:
        names = [f"n{number}" for number in dict.fromkeys(look)]
        edges = [an_edge(names[0], name) for name in names[1:]]
        drawn.add({"nodes": [a_node(name) for name in names], "edges": edges}, names[0])

        assert len(drawn.nodes) <= picture.MOST_NODES
        assert drawn.chosen in drawn.nodes
        assert {end for ends in drawn.edges for end in ends} <= set(drawn.nodes)
        options = drawn.options()["series"][0]
        assert [one["id"] for one in options["data"]] == list(drawn.nodes)


def test_a_name_cannot_be_read_as_a_pattern_by_the_chart():
    drawn = picture.Picture()
    drawn.add({"nodes": [a_node("a {b} c")], "edges": []})

    assert drawn.options()["series"][0]["data"][0]["label"]["formatter"] == "a (b) c"

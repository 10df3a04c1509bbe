"""The token account: sums that add up, three baselines, and what each memory returned."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from builders import START, a_fact, an_id
from tacit.assemble.economics import layers, measure, returns, tasks
from tacit.interfaces.wire_disclose import economics as economics_json
from tacit.interfaces.wire_disclose import token_economics
from tacit.model import UsageEvent
from tacit.record import Chosen, QueryRecord

TEN = a_fact("one two three four five six seven eight nine ten", learn_tokens=500, id=an_id(901))
TWO = a_fact("one two", learn_tokens=0, id=an_id(902))
MEMORIES = {memory.id: memory for memory in (TEN, TWO)}


def query(number=1, *, kind="brief", selected=(), **fields):
    at = START + timedelta(minutes=number)
    return QueryRecord(id=f"q{number}", at=at, kind=kind, selected=tuple(selected), **fields)


def shown(memory, tokens, level="full", band="relevant"):
    return Chosen(memory=memory.id, band=band, level=level, tokens=tokens)


def account(*records, store_tokens=10_000, used=(), memories=MEMORIES):
    return measure(records, store_tokens=store_tokens, memories=memories, used=used)


def test_an_account_of_nothing_asks_for_nothing():
    empty = account()

    assert (empty.spent, empty.ratio, empty.actions, empty.bypass) == (0, None, (), False)


def test_looking_and_reading_are_added_up():
    both = account(
        query(1, scan_tokens=30, read_tokens=200), query(2, scan_tokens=10, read_tokens=200)
    )

    assert (both.scan_tokens, both.read_tokens, both.spent) == (40, 400, 440)
    assert both.ratio == 0.1


def test_there_is_no_ratio_where_nothing_was_read():
    assert account(query(scan_tokens=30)).ratio is None


def test_what_was_spent_is_told_apart_by_view():
    first = query(
        1,
        selected=[shown(TEN, 40), shown(TWO, 8, "hint"), shown(TWO, 5, "title", "index")],
        scan_tokens=20,
        read_tokens=40,
    )
    parts = account(first, query(2, kind="timeline", scan_tokens=50)).breakdown

    assert (parts.index_loads, parts.index_tokens) == (1, 12)
    assert (parts.timeline_loads, parts.timeline_tokens) == (2, 58)
    assert (parts.full_loads, parts.full_tokens) == (1, 40)
    assert parts.timeline_available == 2  # the words of what was shown as a hint


def test_the_whole_store_is_one_baseline_a_session():
    one = account(query(1, session="a", read_tokens=400), store_tokens=1_000)
    two = account(
        query(1, session="a", read_tokens=400),
        query(2, session="b", read_tokens=400),
        store_tokens=1_000,
    )

    assert (one.full_load.tokens, one.full_load.saved, one.full_load.share) == (1_000, 600, 0.6)
    assert (two.full_load.tokens, two.full_load.saved) == (2_000, 1_200)


def test_the_full_text_of_what_was_shown_is_another():
    told = query(1, selected=[shown(TEN, 4, "hint")], scan_tokens=4, full_tokens=90)
    untold = query(2, selected=[shown(TEN, 4, "hint")], scan_tokens=4)
    gone = query(3, selected=[Chosen(memory="gone", level="hint", tokens=7)], scan_tokens=7)

    assert account(told).top_k.saved == 86
    assert account(untold).top_k.tokens == 10
    assert account(gone).top_k.tokens == 7


def test_to_learn_again_what_was_used_is_the_third():
    read = query(1, selected=[shown(TEN, 40), shown(TWO, 10)], read_tokens=50)

    assert account(read, used=[TEN.id]).no_memory.saved == 450
    assert account(read).no_memory.saved == -50
    assert account(read).no_memory.share is None
    assert account(read, used=["never shown"]).used == 0


def test_a_memory_that_is_used_twice_in_a_session_is_learnt_once():
    twice = [query(n, selected=[shown(TEN, 40)], read_tokens=40) for n in (1, 2)]

    assert account(*twice, used=[TEN.id, TEN.id]).no_memory.tokens == 500


def test_memory_that_nobody_used_could_be_left_out():
    read = query(1, selected=[shown(TEN, 40)], read_tokens=40)

    assert account(read).bypass
    assert not account(read, used=[TEN.id]).bypass
    assert account(read, used=[TEN.id], store_tokens=50).bypass


def test_a_task_begins_with_each_prompt():
    kinds = ["start", "prompt", "error", "expand", "prompt"]
    records = [query(n, kind=kind, session="a") for n, kind in enumerate(kinds)]

    assert [[r.kind for r in task] for task in tasks(records[::-1])] == [
        ["start"],
        ["prompt", "error", "expand"],
        ["prompt"],
    ]


def test_full_loads_are_counted_by_task_not_by_session():
    kinds = ["prompt", "expand", "expand"] * 3
    many = [query(n, kind=kind, session="a", read_tokens=9) for n, kind in enumerate(kinds)]

    assert account(*many).metrics["full_loads"] == 3
    assert account(*many).breakdown.full_loads == 9


counts = st.integers(0, 5_000)
chosen = st.builds(
    Chosen,
    memory=st.sampled_from([TEN.id, TWO.id, "gone"]),
    band=st.sampled_from(["critical", "relevant", "index", "timeline"]),
    level=st.sampled_from(["full", "summary", "hint", "title"]),
    tokens=counts,
)
records = st.builds(
    QueryRecord,
    id=st.uuids().map(str),
    at=st.just(START),
    session=st.sampled_from(["", "a", "b"]),
    kind=st.sampled_from(["brief", "prompt", "timeline", "index", "expand"]),
    selected=st.lists(chosen, max_size=4).map(tuple),
    scan_tokens=counts,
    read_tokens=counts,
    full_tokens=counts,
)


@given(st.lists(records, max_size=8), counts)
@settings(max_examples=80)
def test_the_exported_sums_always_add_up(given_records, store_tokens):
    made = account(*given_records, store_tokens=store_tokens)
    told = token_economics(made, now="2026-01-01T00:00:00Z")
    metrics, parts, compared = (
        told[name] for name in ("metrics", "breakdown", "baseline_comparison")
    )

    assert metrics["discovery_tokens"] == parts["layer1_tokens"] + parts["layer2_tokens_scanned"]
    assert metrics["read_tokens"] == parts["layer3_tokens"]
    assert compared["progressive_approach_tokens"] == (
        metrics["discovery_tokens"] + metrics["read_tokens"]
    )
    assert compared["tokens_saved"] == (
        compared["traditional_approach_tokens"] - compared["progressive_approach_tokens"]
    )
    assert all(part >= 0 for record in given_records for part in layers(record))


def test_the_export_has_the_fields_of_both_forms():
    told = token_economics(
        account(query(scan_tokens=7, read_tokens=100)), now="2026-01-01T00:00:00Z"
    )

    assert set(told) == {
        "session_id",
        "started_at",
        "metrics",
        "ratio",
        "savings_percent",
        "thresholds_triggered",
        "breakdown",
        "baseline_comparison",
    }
    assert told["metrics"]["savings_vs_full_load"] == "99%"
    assert set(told["breakdown"]) == {
        "layer1_loads",
        "layer1_tokens",
        "layer2_loads",
        "layer2_tokens_scanned",
        "layer2_tokens_available",
        "layer3_loads",
        "layer3_tokens",
    }


def test_the_json_of_an_account_names_all_three_baselines():
    told = economics_json(account(query(scan_tokens=7, read_tokens=100)))

    assert set(told["baselines"]) == {"full_load", "top_k", "no_memory"}
    assert told["spent_tokens"] == 107


def test_a_memory_returns_what_it_would_have_cost_to_learn_each_time_it_was_used():
    records = [query(n, selected=[shown(TEN, 40), shown(TWO, 10)]) for n in (1, 2, 3)]
    tally = {TEN.id: {UsageEvent.CITED: (2, START), UsageEvent.LOADED: (9, START)}}

    ten, two = returns(records, MEMORIES, tally)

    assert (ten.memory, ten.shown, ten.read_tokens, ten.used) == (TEN, 3, 120, 2)
    assert (ten.saved, ten.share) == (880, 0.88)
    assert (two.saved, two.share) == (-30, None)


def test_a_memory_that_was_never_shown_returns_nothing():
    assert returns([], MEMORIES, {}) == []

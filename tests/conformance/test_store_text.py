"""Finding memories by words: any word, best first, whatever the filter leaves."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import DAY, START, a_fact, a_mention, a_pattern, an_episode, reworded
from tacit.clock import micros
from tacit.model import FacetType, Kind, Scope, State, Temporal, Tier, Trust, Validity
from tacit.store.index_text import search_text
from tacit.store.protocol import EVERY_STATE, Filter
from tacit.text import query_terms


def found(store, question, *, limit=20, **asked):
    """Give the ids that match a question, best first."""
    words = query_terms(question)
    return [match.id for match in store.match_text(words, Filter(**asked), limit=limit)]


def test_any_of_the_words_is_enough(store):
    redis, pool = a_fact("sessions live in redis"), a_fact("the pool holds ten connections")
    store.put([redis, pool, a_fact("lunch is at noon")])

    assert set(found(store, "redis connections")) == {redis.id, pool.id}


def test_words_nobody_holds_find_nothing(store):
    store.put([a_fact()])

    assert found(store, "zebra") == []
    assert store.match_text([], Filter(), limit=9) == []


def test_an_empty_store_finds_nothing(store):
    assert found(store, "anything") == []


def test_who_holds_more_of_the_words_comes_first(store):
    both = a_fact("the pool keeps redis connections open")
    one = a_fact("the pool keeps database connections open")
    store.put([one, both, *[a_fact(f"filler number {n}") for n in range(20)]])

    assert found(store, "redis pool") == [both.id, one.id]


def test_a_rare_word_outweighs_a_common_one(store):
    common = [a_fact(f"cache entry {n} of the shop") for n in range(20)]
    rare = a_fact("zebra entry of the shop")
    store.put([*common, rare])

    assert found(store, "cache zebra")[0] == rare.id


def test_scores_fall_and_higher_is_better(store):
    store.put(
        [a_fact("redis"), a_fact("redis and a long tail of other words about nothing at all")]
    )
    store.put([a_fact(f"filler number {n}") for n in range(20)])

    scores = [match.score for match in store.match_text(query_terms("redis"), Filter(), limit=9)]

    assert len(scores) == 2
    assert scores == sorted(scores, reverse=True)


def test_the_limit_holds_and_keeps_the_best(store):
    store.put([a_fact(f"redis and {n} other words in a longer sentence") for n in range(30)])
    best = a_fact("redis redis redis")
    store.put([best])

    assert len(found(store, "redis", limit=7)) == 7
    assert found(store, "redis", limit=1) == [best.id]
    assert found(store, "redis", limit=0) == []


@pytest.mark.parametrize(
    "asked",
    [
        {"scopes": (Scope(path="team:web"),)},
        {"sessions": ("s1",)},
        {"kinds": (Kind.PATTERN,)},
        {"states": (State.ARCHIVED,)},
        {"since": START + DAY},
        {"authors": ("ana",)},
    ],
    ids=lambda asked: next(iter(asked)),
)
def test_filters_hold_when_nearly_all_that_matches_is_filtered_out(store, asked):
    wanted = a_pattern(
        "a longer sentence that says redis only once",
        scope="team:web",
        session="s1",
        state=asked.get("states", (State.ACTIVE,))[0],
        valid_from=START + DAY,
        author="ana",
    )
    store.put([a_fact(f"redis redis {n}") for n in range(300)])
    store.put([wanted])

    assert found(store, "redis", **asked, limit=3) == [wanted.id]


def test_what_is_in_context_already_gives_way_to_the_next_best(store):
    facts = [a_fact(f"redis {'and more ' * n}") for n in range(40)]
    store.put(facts)
    best = found(store, "redis", limit=30)

    rest = found(store, "redis", exclude=tuple(best), limit=30)

    assert len(rest) == 10
    assert not set(rest) & set(best)


def test_a_scope_nobody_uses_finds_nothing(store):
    store.put([a_fact("redis")])

    assert found(store, "redis", scopes=(Scope(path="team:nobody"),)) == []


@pytest.mark.parametrize("current", [False, True])
def test_what_is_over_is_not_found_at_present(store, current):
    over = [
        a_fact(f"redis version {n}", valid_to=START + DAY, retired_at=START + DAY)
        for n in range(20)
    ]
    announced = a_fact("redis leaves soon", valid_to=START + 9 * DAY, retired_at=START + DAY)
    now = a_fact("redis is here")
    store.put([*over, announced, now])

    present = {"at": START + 2 * DAY, "current": current}
    assert set(found(store, "redis", **present)) == {announced.id, now.id}
    assert len(found(store, "redis", limit=50)) == 22


def test_what_held_before_is_found_as_of_then(store):
    over = a_fact("redis", valid_to=START + DAY, retired_at=START + DAY)
    store.put([over])

    assert found(store, "redis", at=START) == [over.id]
    assert found(store, "redis", at=START + 2 * DAY, known_at=START) == [over.id]
    assert found(store, "redis", at=START + 2 * DAY, known_at=START + DAY) == []


@pytest.mark.parametrize(
    "word",
    [
        '"',
        "redis*",
        "NEAR(redis shop)",
        "redis AND",
        "NOT redis",
        "words:redis",
        "-redis",
        "^redis",
        "redis' OR 1=1 --",
        "(",
        "\\",
        "%",
        "kind:fact",
        "",
        " ",
    ],
)
def test_query_syntax_in_a_word_is_just_a_word(store, word):
    fact = a_fact("redis and shop")
    store.put([fact])

    assert store.match_text([word], Filter(), limit=9) == []
    assert [m.id for m in store.match_text([word, "redi"], Filter(), limit=9)] == [fact.id]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))))
def test_no_words_can_break_the_search(store, words):
    fact = a_fact("redis")
    store.put([fact.replace(id="only", short="onlyonly")])

    assert [m.id for m in store.match_text([*words, "redi"], Filter(), limit=9)] == ["only"]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("def getUserName(self):", "user name"),
        ("call get_user_name()", "getUserName"),
        ("fixed src/auth/login.py", "login"),
        ("fixed src/auth/login.py", "src/auth/login.py"),
        ("upgraded to version 3.11.7", "3.11.7"),
        ("written in C++ and C#", "c++"),
        ("the Größe of the Straße", "grosse strasse größe"),
        ("at the café", "cafe"),
        ("at the cafe", "café"),
        ("сессии живут в памяти", "память памяти"),
        ("Η ΟΔΟΣ ΤΗΣ ΜΝΗΜΗΣ", "οδος"),
        ("η οδός της μνήμης", "ΜΝΉΜΗΣ"),
        ("الجلسات في الذاكرة", "الذاكرة"),
        ("ההפעלות בזיכרון", "בזיכרון"),
        ("セッションはメモリにあります", "メモリ"),
        ("会话保存在内存中", "内存"),
        ("세션은 메모리에 있습니다", "메모리"),
        ("เซสชันอยู่ในหน่วยความจำ", "หน่วยความจำ"),
        ("सत्र स्मृति में रहता है", "स्मृति"),
        ("ႠႡႢ ა ⴀ Ꭰ ꭰ", "ႠႡႢ"),
        ("İstanbul", "istanbul"),
        ("ﬁle with a ligature", "file"),
        ("ＦＵＬＬ width", "full"),
        ("the rare sign \U00030000\U00030001", "\U00030000\U00030001"),
    ],
)
def test_words_are_found_in_any_script_and_spelling(store, text, question):
    fact = a_fact(text)
    store.put([fact, a_fact("unrelated entirely")])

    assert found(store, question) == [fact.id]


def test_keys_mentions_and_the_day_of_an_episode_are_searchable(store):
    by_key = a_fact("two", key="billing.currency", value="EUR")
    by_facet = a_fact("three", mentions=(a_mention("src/ledger.py", FacetType.FILE),))
    by_day = an_episode("four", valid_from=datetime(2025, 5, 7, 23, tzinfo=UTC))
    in_auckland = by_day.validity.valid_from.astimezone(timezone(timedelta(hours=12)))
    by_day = by_day.replace(validity=Validity(valid_from=in_auckland))
    store.put([by_key, by_facet, by_day])

    assert "7 may 2025" in store.cards([by_day.id], Filter())[by_day.id].words
    assert found(store, "may 2025") == [by_day.id]
    assert found(store, "currency") == [by_key.id]
    assert found(store, "ledger.py") == [by_facet.id]


def test_a_word_asked_for_in_vain_is_found_once_it_is_there(store):
    store.put([a_fact(f"filler number {n}") for n in range(200)])
    assert found(store, "zebra") == []

    late = a_fact("a zebra at last")
    store.put([late])

    assert found(store, "zebra") == [late.id]


def test_a_word_is_found_that_another_store_has_written(place):
    mine, other = place(), place()
    mine.put([a_fact(f"filler number {n}") for n in range(200)])
    assert found(mine, "zebra") == []

    late = a_fact("a zebra at last")
    other.put([late])

    assert found(mine, "zebra") == [late.id]


def test_count_words_counts_memories_and_leaves_out_what_nobody_holds(store):
    store.put([a_fact("redis redis"), a_fact("redis pool"), a_fact("lunch")])

    counted = store.count_words(["redi", "pool", "zebra"])

    assert counted.total == 3
    assert counted.words == {"redi": 2, "pool": 1}


def test_count_words_follows_what_is_put_replaced_and_erased(store):
    one, two = a_fact("redis"), a_fact("redis")
    store.put([one, two])
    assert store.count_words(["redi"]).words == {"redi": 2}

    store.put([reworded(two, "postgres")])
    assert store.count_words(["redi"]).words == {"redi": 1}

    store.erase([one.id])
    assert store.count_words(["redi"]).words == {}
    assert store.count_words(["redi"]).total == 1


def test_words_counted_before_a_transaction_wrote_are_counted_again_after_it(store):
    store.put([a_fact("redis")])
    with store.transaction():
        assert store.count_words(["redi"]).words == {"redi": 1}
        store.put([a_fact("redis pool")])

    assert store.count_words(["redi"]).words == {"redi": 2}
    assert store.count_words(["redi"]).total == 2


def test_words_that_mark_a_memory_inside_are_not_counted_as_its_words(store):
    store.put([a_fact("over", valid_to=START + DAY, retired_at=START + DAY)])

    words = ["past", "kind:fact", "state:active", "scope:1", "fact", "active"]

    assert store.count_words(words).words.get("past") is None
    assert found(store, "past fact active", states=EVERY_STATE) == []


def test_a_card_tells_what_ranking_needs(store):
    fact = a_pattern(
        "Sessions live in getUserName",
        tier=Tier.GUARDRAIL,
        temporal=Temporal.HABITUAL,
        trust=Trust.AGENT,
        session="s1",
        valid_from=START,
    )
    store.put([fact, a_fact("nothing asked of it")])

    (card,) = store.cards([fact.id, "missing"], Filter()).values()

    assert (card.id, card.words) == (fact.id, search_text(fact))
    assert "session live in get user name getusernam" in card.words
    assert card.terms == len(card.words.split())
    assert (card.kind, card.tier, card.temporal) == ("pattern", "guardrail", "habitual")
    assert (card.trust, card.author, card.session) == ("agent", "", "s1")
    assert card.recorded_at == micros(START)


def test_cards_are_given_only_of_those_the_filter_means(store):
    active, archived = a_fact("redis"), a_fact("redis", state=State.ARCHIVED)
    store.put([active, archived])
    both = [active.id, archived.id]

    assert set(store.cards(both, Filter())) == {active.id}
    assert set(store.cards(both, Filter(states=EVERY_STATE))) == set(both)
    assert store.cards([], Filter()) == {}


def test_count_words_tells_how_long_the_search_texts_are(store):
    assert store.count_words([]).average_terms == 0.0

    short, long = a_fact("redis"), a_fact("the pool holds ten redis connections for the shop")
    store.put([short, long])

    cards = store.cards([short.id, long.id], Filter()).values()
    assert store.count_words([]).average_terms == sum(card.terms for card in cards) / 2

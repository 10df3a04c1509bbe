"""What is found, in any script, with reasons; and nothing where nothing is relevant."""

from __future__ import annotations

import pytest

from tacit.draft import Draft
from tacit.encode.embedding import open_embedder
from tacit.errors import Invalid

SCRIPTS = {
    "english": ("The worker retries failed payments", "retry a payment"),
    "german": ("Die Größe des Puffers überprüfen", "grosse puffer"),
    "chinese": ("支付服务使用重试队列", "重试队列"),
    "japanese": ("決済サービスは再試行キューを使う", "再試行キュー"),
    "korean": ("결제 서비스는 재시도 대기열을 사용한다", "대기열"),
    "russian": ("Очередь повторов для платежей", "повторов"),
    "greek": ("Η ουρά επαναλήψεων πληρωμών", "ουρά"),
    "arabic": ("قائمة إعادة المحاولة للمدفوعات", "المحاولة"),
    "hindi": ("भुगतान सेवा कतार", "कतार"),
    "camelCase": ("Call getUserName before rendering", "user name"),
    "snake_case": ("retry_failed_jobs runs hourly", "failed jobs"),
    "path": ("Fixed in src/auth/session.py", "session.py"),
    "c++": ("The parser is written in C++", "c++ parser"),
}


@pytest.mark.parametrize(("text", "query"), SCRIPTS.values(), ids=SCRIPTS)
def test_words_are_found_in_every_script(tacit, text, query):
    for other, _query in SCRIPTS.values():
        tacit.remember(other)

    assert tacit.recall(query, limit=1)[0].memory.text == text


def test_each_channel_works_alone(open_tacit, embedder):
    tacit = open_tacit(embedder=embedder)
    kept = tacit.remember("src/billing.py rounds half up", files=["src/billing.py"])
    for channel in ("text", "vector", "graph", "recency"):
        found = tacit.recall_explained("rounding in billing.py rounds", channels=[channel])
        assert [pool.channel for pool in found.pools] == [channel]
        if channel != "recency":  # what is merely new is not relevant
            assert [hit.memory.id for hit in found.hits] == [kept.id]


def test_the_parts_add_up_to_the_score(tacit):
    tacit.remember_many(["Cache keys carry the tenant", "Cache entries live an hour"])

    for hit in tacit.recall("how long do cache entries live?"):
        assert hit.parts.score == pytest.approx(hit.score)


def test_a_neighbour_without_the_words_is_found_through_what_stands_beside_it(tacit):
    tacit.remember_many(
        [
            Draft(
                text="Which database do we take for the search index?", kind="episode", session="s"
            ),
            Draft(text="That elephant one, as always.", kind="episode", session="s"),
            Draft(text="Lunch was good today.", kind="episode", session="t"),
        ]
    )

    texts = [hit.memory.text for hit in tacit.recall("database for the search index")]
    assert texts[1] == "That elephant one, as always."


def test_a_linked_memory_is_found_though_it_lacks_the_words(tacit):
    hub = tacit.remember("The invoice job fails on leap days")
    other = tacit.remember("Calendar arithmetic uses the proleptic library")
    tacit.link(other.id, "elaborates", hub.id)

    assert other.id in [hit.memory.id for hit in tacit.recall("invoice job leap days")]


@pytest.mark.parametrize("model", [None, "default"], ids=["words", "the packaged model"])
def test_with_nothing_relevant_nothing_is_given(open_tacit, model):
    tacit = open_tacit(embedder=open_embedder(model) if model else None)
    tacit.remember_many(["Sign tokens with RS256", "Deploy from main with kubectl"])

    assert tacit.recall("wedding cake recipes with marzipan") == []


def test_what_an_open_file_touched_comes_first(tacit):
    tacit.remember("We changed how totals are rounded", files=["src/billing.py"], kind="episode")
    tacit.remember("We changed how totals are shown", files=["src/page.py"], kind="episode")

    (first, *_) = tacit.recall("totals changed", files=["src/page.py"])
    assert first.memory.text == "We changed how totals are shown"


def test_filters_narrow_what_is_found(tacit, clock):
    mandate = tacit.remember("Never log tokens", tier="mandate", tags=["auth"])
    tacit.remember("Tokens live an hour", kind="episode")
    clock.advance(days=2)

    def ids(**filters):
        return [hit.memory.id for hit in tacit.recall("tokens", **filters)]

    assert ids(tiers=["mandate"]) == [mandate.id]
    assert ids(kinds=["fact"]) == [mandate.id]
    assert ids(facets=["tag:auth"]) == [mandate.id]
    assert ids(exclude=[mandate.id]) != [mandate.id]
    assert ids(since=clock.now()) == []
    assert ids(scopes=["project:other"]) == []


def test_forgotten_and_archived_memories_are_not_found(tacit):
    for state in ("archived", "forgotten", "candidate"):
        tacit.remember(f"The {state} rule about tokens", state=state)

    assert tacit.recall("rule about tokens") == []
    assert len(tacit.recall("rule about tokens", states=["archived", "candidate"])) == 2


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "NEAR(a b)",
        "a AND OR",
        "tags:x",
        "*",
        "x'); DROP TABLE memory; --",
        "col:\0",
        "\ud800 x",
    ],
)
def test_a_query_is_never_syntax(tacit, query):
    kept = tacit.remember("The words AND NEAR col tags stand here")

    tacit.recall(query)

    assert tacit.get(kept.id) == kept


def test_a_query_of_a_megabyte_is_answered(open_tacit):
    tacit = open_tacit()
    tacit.remember("The needle is here")

    hits = tacit.recall("needle " + "straw hay " * 100_000)
    assert [hit.memory.text for hit in hits] == ["The needle is here"]


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("", {}),
        (" ", {}),
        (5, {}),
        ("x", {"limit": 0}),
        ("x", {"limit": -3}),
        ("x", {"limit": 10**9}),
        ("x", {"channels": ["smell"]}),
        ("x", {"channels": []}),
        ("x", {"kinds": ["thought"]}),
        ("x", {"facets": ["colour:red"]}),
        ("x", {"wrong": 1}),
    ],
)
def test_a_query_that_means_nothing_is_refused(tacit, query, options):
    with pytest.raises(Invalid):
        tacit.recall(query, **options)


def test_a_reranker_has_the_last_word(open_tacit):
    from fakes import ScriptedReranker

    tacit = open_tacit(reranker=ScriptedReranker({"Tokens live a day": 2.0}))
    tacit.remember_many(["Tokens live an hour", "Tokens live a day"])

    (first, second) = tacit.recall("how long do tokens live an hour", rerank=True)
    assert (first.memory.text, first.parts.rerank) == ("Tokens live a day", 2.0)
    assert second.memory.text == "Tokens live an hour"


@pytest.mark.parametrize("profile", ["default", "seed", "static"])
def test_every_profile_answers(tacit, profile):
    tacit.remember("Tokens live an hour")

    assert len(tacit.recall("how long do tokens live?", profile=profile)) == 1

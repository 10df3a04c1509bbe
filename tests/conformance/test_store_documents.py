"""Documents by the beginning of their names: listed in order, removed by name."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import a_fact

names = st.text(st.sampled_from("ab#:%é漢\U0001f600"), max_size=5)
fresh = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@fresh
@given(st.dictionaries(names, names), names, st.none() | st.integers(0, 4))
def test_a_prefix_gives_its_documents_in_the_order_of_their_names(store, kept, prefix, limit):
    store.discard([name for name, _ in store.documents("")])
    for name, text in kept.items():
        store.save(name, text)

    meant = sorted((name, text) for name, text in kept.items() if name.startswith(prefix))
    assert store.documents(prefix) == meant
    assert store.documents(prefix, limit=limit) == meant[:limit]
    assert store.documents(prefix, backwards=True, limit=limit) == meant[::-1][:limit]


def test_discarding_removes_those_named_and_counts_those_that_were_there(store):
    for name in ("one", "two", "three"):
        store.save(name, "{}")

    assert store.discard(["one", "three", "four"]) == 2
    assert store.discard(["one"]) == store.discard([]) == 0
    assert [name for name, _ in store.documents("")] == ["two"]


def test_a_discarded_document_comes_back_with_its_transaction(store):
    store.save("one", "{}")

    try:
        with store.transaction():
            store.discard(["one"])
            raise LookupError
    except LookupError:
        assert store.load("one") == "{}"


def test_an_erased_memory_takes_the_document_named_by_its_source(store):
    fact = a_fact(source_ref="langgraph:project:shop#users#:ana")
    store.put([fact])
    for name in (fact.source_ref, "langgraph:project:shop#users#:anabel"):
        store.save(name, "{}")

    store.erase([fact.id])

    assert [name for name, _ in store.documents("langgraph:")] == [
        "langgraph:project:shop#users#:anabel"
    ]

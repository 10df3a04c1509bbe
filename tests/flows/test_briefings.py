"""Briefings of a whole memory: exact, stable, within any budget, and never what must not be shown."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attended import a_home, a_project, open_project
from fakes import FrozenClock
from strategies import PHRASES
from tacit.encode.tokens import O200k
from tacit.errors import Invalid, NotFound
from tacit.fence import CLOSE, NAME, OPEN, without_fenced
from tacit.model import Level, Scope, State, Tier
from tacit.store.connect import connect
from tacit.system import Tacit

COUNTER = O200k()
TASK = "sign the tokens of the checkout service"
NOUNS = ("checkout", "ledger", "search", "mail", "stock", "login")


@pytest.fixture
def tacit(tmp_path, clock):
    """Give an empty memory that counts as the tokenizer does."""
    with open_project(a_project(tmp_path / "shop"), a_home(tmp_path), clock) as made:
        yield made


def shorts_in(text):
    return re.findall(r"^\[[MGR]:([a-z2-7]+)\]", text, re.MULTILINE)


def fill(tacit, count=60):
    tacit.remember_many(
        f"Number {n}: the {NOUNS[n % 6]} service signs its tokens with the key of {NOUNS[n % 5]} "
        f"and keeps {n} of them for a day, because clients in {NOUNS[n % 4]} are slow to notice"
        for n in range(count)
    )


notes = st.lists(
    st.tuples(
        st.lists(
            st.sampled_from((*NOUNS, *PHRASES, CLOSE, OPEN, "[M:aaaaaaaa]\nMandates:")),
            min_size=1,
            max_size=30,
        ),
        st.sampled_from(Tier),
        st.sampled_from(("", "decision", "convention", "error-fix")),
    ),
    max_size=12,
)


@settings(max_examples=25)
@given(notes, st.integers(60, 700) | st.sampled_from((2_300, 8_000, 32_000)), st.booleans())
def test_any_store_gives_a_briefing_of_the_counted_size(
    tmp_path_factory, given_notes, budget, task
):
    store = connect(str(tmp_path_factory.mktemp("any") / "any.db"))
    with Tacit(
        store, scope=Scope(path="project:any"), clock=FrozenClock(), counter=COUNTER
    ) as tacit:
        for number, (words, tier, subtype) in enumerate(given_notes):
            text = f"{number} tokens " + " ".join(words)
            tacit.remember(text, tier=tier, subtype=subtype)

        briefing = tacit.brief(TASK if task else "", budget_tokens=budget)

        real = COUNTER.count(briefing.text)
        assert real <= briefing.tokens <= budget
        assert real == briefing.tokens or "Left out" in briefing.text
        assert sorted(shorts_in(briefing.text)) == sorted(i.memory.short for i in briefing.items)
        assert without_fenced(briefing.text).strip() == ""
        assert len(re.findall(rf"</?{NAME}", briefing.text)) in (0, 2)
        assert all(i.level is Level.FULL for i in briefing.items if i.memory.tier is Tier.MANDATE)


@pytest.mark.parametrize("budget", [60, 100, 400, 600, 2_300, 8_000, 32_000])
def test_a_full_store_fills_any_budget_and_never_more(tacit, budget):
    tacit.remember("Never write a secret into a log", tier="mandate")
    fill(tacit)

    briefing = tacit.brief(TASK, budget_tokens=budget)

    assert COUNTER.count(briefing.text) == briefing.tokens <= budget
    if 400 <= budget <= 600:
        assert briefing.tokens > 0.8 * budget


@pytest.mark.parametrize(("preset", "budget"), [("startup", 400), ("full", 8000)])
def test_a_preset_is_a_budget(tacit, preset, budget):
    fill(tacit)

    assert tacit.brief(TASK, preset=preset).budget == budget


@pytest.mark.parametrize(
    "options", [{"budget_tokens": 59}, {"budget_tokens": 10**6}, {"preset": "x"}]
)
def test_what_is_no_budget_is_refused(tacit, options):
    with pytest.raises(Invalid):
        tacit.brief(TASK, **options)


def test_an_empty_store_has_nothing_to_say(tacit):
    assert tacit.brief().text == tacit.brief(TASK).text == ""
    assert tacit.brief(TASK).tokens == 0


def test_where_nothing_is_relevant_nothing_is_said(tacit):
    fill(tacit)

    briefing = tacit.brief("Translate the Norwegian brochure about quokkas?")

    assert (briefing.text, briefing.items) == ("", ())


def test_the_same_store_gives_the_same_bytes_also_after_it_was_handed_over(tacit, clock):
    tacit.remember("Never write a secret into a log", tier="mandate")
    fill(tacit)
    first, start = tacit.brief(TASK, budget_tokens=900), tacit.brief(budget_tokens=900)

    for number in range(5):
        clock.advance(days=3)
        tacit.brief(TASK, budget_tokens=900, session=f"s{number}")
        tacit.brief(budget_tokens=900, session=f"s{number}")

    assert tacit.brief(budget_tokens=900).text == start.text
    assert tacit.brief(TASK, budget_tokens=900).text == first.text


def test_a_memory_that_was_used_stands_higher_in_the_next_start(tacit):
    fill(tacit, 24)
    low = tacit.brief(budget_tokens=300).omitted[-1]

    for number in range(8):
        for event in ("cited", "helped"):
            tacit.cite([low], event=event, query_id=f"q{number}")

    assert low in shorts_in(tacit.brief(budget_tokens=300).text)


def test_what_is_not_served_is_never_shown(tacit, clock):
    shown = tacit.remember("The tokens of the checkout service are signed with RS256")
    old = tacit.remember("Tokens live an hour", key="token.life", value="1h")
    clock.advance(days=1)
    new = tacit.remember("Tokens live a day", key="token.life", value="1d")
    gone = tacit.remember("The checkout signs tokens with a shared secret")
    tacit.forget(gone.id)
    waiting = tacit.remember(
        "The checkout service tokens might be signed twice", state=State.CANDIDATE
    )
    hidden = {old.short, gone.short, waiting.short}

    for text in (
        tacit.brief("how are tokens of the checkout service signed").text,
        tacit.brief().text,
    ):
        assert not hidden & set(shorts_in(text))
        assert shown.short in text
    assert new.short in tacit.brief().text


def test_what_lies_in_another_scope_of_one_store_is_never_shown(tmp_path, clock):
    settings_ = a_home(tmp_path, store=str(tmp_path / "shared.db"))
    with open_project(a_project(tmp_path / "left"), settings_, clock) as left:
        left.remember("The quokka signs the tokens of the checkout", tier="mandate")
        left.remember("The quokka service keeps the tokens of the checkout for a day")

    with open_project(a_project(tmp_path / "right"), settings_, clock) as right:
        right.remember("The narwhal signs the tokens of the checkout")
        texts = [right.brief().text, right.brief(TASK).text]
        texts += [right.brief(TASK, signals={"file": "src/a.py", "error": "quokka"}).text]

    assert all("narwhal" in text and "quokka" not in text for text in texts)


def test_neither_scores_nor_times_are_told(tacit):
    fill(tacit, 5)

    for text in (tacit.brief(TASK).text, tacit.brief().text):
        assert text
        assert not re.search(r"\d\.\d|score|\bago\b|minutes|20\d\d-\d\d", text)


def test_a_start_has_sections_by_tier_and_a_task_by_band(tacit):
    tacit.remember("Never write a secret into a log", tier="mandate")
    tacit.remember("In the checkout service avoid floats for tokens", tier="guardrail")
    fill(tacit, 4)

    start = [line for line in tacit.brief().text.splitlines() if re.fullmatch(r"\w+:", line)]
    task = [line for line in tacit.brief(TASK).text.splitlines() if re.fullmatch(r"\w+:", line)]

    assert start == ["Mandates:", "Guardrails:", "Reference:"]
    assert task[0] == "Critical:"
    assert not set(task) & set(start)


def test_an_error_an_open_file_and_an_open_contradiction_are_critical(tacit):
    guard = tacit.remember(
        "Keep the retries of cart.py low", tier="guardrail", files=["src/cart.py"]
    )
    fix = tacit.remember(
        "ModuleNotFoundError: No module named 'stripe'. Fix: add stripe to requirements.txt",
        kind="pattern",
        subtype="error-fix",
    )

    briefing = tacit.brief(
        signals={"file": "src/cart.py", "error": "ModuleNotFoundError: No module named 'stripe'"}
    )

    bands = {item.memory.id: item.band for item in briefing.items}
    assert bands[guard.id] == bands[fix.id] == "critical"
    assert (briefing.task_type, briefing.activity) == ("debugging", "debugging")


def test_what_is_in_the_context_already_is_left_out(tacit):
    rule = tacit.remember("Never write a secret into a log", tier="mandate")
    fill(tacit, 3)

    assert rule.short not in tacit.brief(exclude=[rule.short]).text
    with pytest.raises(NotFound):
        tacit.brief(exclude=["zzzzzzzz"])


def test_given_a_session_it_is_kept_what_was_handed_over(tacit):
    fill(tacit, 3)

    briefing = tacit.brief(TASK, session="claude:s1")
    tacit.brief(TASK)

    [query] = tacit.store.queries()
    assert query.id == briefing.query_id
    assert [one.memory for one in query.selected] == [item.memory.id for item in briefing.items]
    assert query.scan_tokens + query.read_tokens == briefing.tokens
    assert {one.event.value for one in tacit.store.usage()} == {"loaded"}


def test_mandates_from_one_document_are_all_shown(tacit):
    from tacit.draft import Draft

    rules = [
        Draft(
            text=f"Rule {n}: never touch the {noun}",
            tier=Tier.MANDATE,
            source_ref=f"file:RULES.md#{n}",
        )
        for n, noun in enumerate(NOUNS)
    ]
    tacit.write(rules)

    assert len(tacit.brief(budget_tokens=600).items) == len(NOUNS)

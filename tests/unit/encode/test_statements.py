"""What people and agents said that stays true, and the much that does not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.encode.statements import LONGEST, by_agent, by_person


@pytest.mark.parametrize(
    ("said", "subtype"),
    [
        ("Always run the migrations before the tests.", "convention"),
        ("Never commit generated files to the repository", "convention"),
        ("from now on write commit messages in English", "convention"),
        ("Our convention is to name fixtures after what they give", "convention"),
        ("Remember that the payment sandbox resets every night.", "convention"),
        ("Keep in mind that prices are stored in cents", "convention"),
        ("Note: the staging database is shared by all teams", "convention"),
        ("We never mock the database in integration tests.", "convention"),
        ("you should always squash before merging a branch", "convention"),
        ("we only deploy on weekdays because nobody is on call", "convention"),
        ("Use pnpm instead of npm in this repo.", "convention"),
        ("Don't use mocks in the checkout tests", "convention"),
        ("Avoid adding dependencies without a decision record", "convention"),
        ("I prefer small functions over long comments", "preference"),
        ("I'd prefer explicit imports rather than stars", "preference"),
        ("Prefer composition over inheritance in handlers", "preference"),
        ("I don't want emojis in log messages", "preference"),
        ("No, we use structlog rather than logging here", "correction"),
        ("Actually, invoices are never deleted, only voided", "correction"),
        ("stop using print for errors in this project", "correction"),
        ("That is not correct, our totals always include taxes", "correction"),
        ("We decided to keep sessions in Redis because Postgres was too slow", "decision"),
        ("Let's go with FastAPI instead of Flask", "decision"),
        ("let's use true/false and not on/off for the switch", "decision"),
        ("We'll stick with `zod` since the forms use it", "decision"),
        ("Decision: invoices get their numbers from Postgres sequences", "decision"),
        ("Let's leave the refund flow for later", "question"),
        ("we can clean up the old adapters in a follow-up", "question"),
        ("I'll revisit the cache eventually", "question"),
    ],
)
def test_what_a_person_says_in_general_is_kept(said, subtype):
    [statement] = by_person(said)

    assert statement.subtype == subtype
    assert statement.text == said.removesuffix(" ")


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Add a total to the cart",
        "can you run the tests?",
        "Should we always run the migrations first?",
        "Do we never use mocks here?",
        "What if we use Redis instead of Postgres?",
        "maybe we should use Redis instead of Postgres",
        "I think we never use that module, but check the imports",
        "use the second option instead of the first one",
        "don't run it again, I want to look first",
        "Don't push yet",
        "don't commit the changes",
        "Don't add too many tests, only the core",
        "don't create a PR",
        "never mind, I found the cause myself",
        "we never got the old importer to compile",
        "we only changed the cart module there",
        "you don't understand what a cart is",
        "no problem, we can do the rest of the work tomorrow",
        "No worries, we are good",
        "No, use the blue button",
        "actually the total is fine",
        "stop for a second, the issue was my network",
        "I don't want this in the cart module",
        "remember when we had that outage with carts?",
        "Let's add a field for things we remember for later today",
        "let's use that one",
        "let's keep it",
        "yes",
        "Always…",
        "Never do",
        "Here is what always happens when I start the server:",
    ],
)
def test_questions_doubts_and_instructions_for_now_give_nothing(said):
    assert by_person(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "```\nAlways wear a helmet in the workshop.\n```",
        "See this:\n```python\n# Never call this function twice\n```\nand fix the cart",
        "```\nNever closed: Always wear a helmet in the workshop.",
        "    Always indent code by four spaces in examples",
        "> Always quote what others have said before",
        "<pasted>Always wear a helmet in the workshop.</pasted>",
        "a log line\n" * 60 + "Always wear a helmet in the workshop.\n" + "a log line\n" * 60,
        "Always " + "x" * LONGEST,
    ],
)
def test_pasted_text_and_code_give_nothing(said):
    assert by_person(said) == []


def test_the_edges_of_a_long_prompt_are_the_persons_own():
    said = (
        "Never deploy on Fridays in this project.\n"
        + "line of a log\n" * 100
        + "Always tag the release commit."
    )

    assert [one.text for one in by_person(said)] == [
        "Never deploy on Fridays in this project.",
        "Always tag the release commit.",
    ]


def test_each_sentence_is_weighed_alone_also_in_lower_case():
    said = "that test is odd. we never mock the clock here, e.g. in carts. can you fix it?"

    assert [one.text for one in by_person(said)] == ["we never mock the clock here, e.g. in carts."]


def test_what_leads_into_a_sentence_is_left_out():
    for said in ("- ok, and always lint before a commit", "2) btw: Always lint before a commit"):
        assert [one.text.lower() for one in by_person(said)] == ["always lint before a commit"]


def test_a_decision_keeps_its_reason_and_what_was_rejected():
    [one] = by_person("We decided to use Postgres instead of MySQL because it has arrays.")

    assert one.subtype == "decision"
    assert one.why == "it has arrays"
    assert one.rejected == "MySQL"
    assert not one.avoids


def test_what_is_not_to_be_done_is_known_as_such():
    for said in ("Never deploy on Fridays here", "Avoid using globals in handlers"):
        assert by_person(said)[0].avoids
    assert not by_person("Always deploy on Mondays here")[0].avoids


def test_the_surest_forms_are_believed_most():
    sure, less = by_person("Always tag releases here.\nLet's go with Flask instead of Django.")

    assert sure.confidence > less.confidence


@pytest.mark.parametrize(
    ("said", "subtype"),
    [
        ("I went with a queue rather than a thread because jobs survive a crash.", "decision"),
        ("We chose Redis over Memcached since it keeps its data.", "decision"),
        ("Open question: who pays for refunds of gift cards", "question"),
        ("TODO: cover the refund path of gift cards", "question"),
        ("The old adapter can be left for a follow-up once carts are moved.", "question"),
    ],
)
def test_an_agents_decisions_with_a_reason_and_what_it_left_open_are_kept(said, subtype):
    assert [one.subtype for one in by_agent(said)] == [subtype]


@pytest.mark.parametrize(
    "said",
    [
        "I decided to look at the cart first.",
        "All tests pass and the cart is done.",
        "Always run the tests before a commit.",
        "```\nTODO: cover the refund path of gift cards\n```",
    ],
)
def test_what_an_agent_merely_says_is_not(said):
    assert by_agent(said) == []


@settings(max_examples=80)
@given(
    st.text(max_size=400)
    | st.lists(st.sampled_from(["Always", "never", "use", "x instead of y", "because", ".", "```", "\n", "?", "No,", "let's", "later", "we"]), max_size=40).map(" ".join)
)  # fmt: skip
def test_every_statement_is_a_sentence_of_what_was_said(said):
    for find in (by_person, by_agent):
        statements = find(said)
        assert statements == find(said)
        for one in statements:
            assert one.text in " ".join(said.split())
            assert one.why in one.text
            assert one.rejected in one.text
            assert 0 < one.confidence < 1

"""Bodies in fewer words: the form of each kind, and no word that its source does not hold."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from strategies import bodies
from tacit.body import Action, Block, Episode, Fact, Failure, Pattern, Resource, Skill, Step
from tacit.encode.levels import (
    BODY_HINT_CHARS,
    BODY_TITLE_CHARS,
    SUMMARY_CHARS,
    ShortForms,
    short_forms,
)
from tacit.text import content_words

FRAME = {"ended", "in", "file", "files", "error", "errors"}


def test_a_fact_is_its_key_and_value_with_its_reasons():
    forms = short_forms(Fact(key="db", value="PostgreSQL", why="JSON support, team expertise"))

    assert forms == ShortForms(
        summary="db: PostgreSQL (JSON support, team expertise)",
        hint="db:PostgreSQL(json,team)",
        title="db:PostgreSQL",
    )


def test_a_fact_without_reasons_is_shorter():
    assert short_forms(Fact(key="db", value="PostgreSQL")) == ShortForms(
        summary="db: PostgreSQL", hint="db:PostgreSQL", title="db:PostgreSQL"
    )


def test_a_skill_is_its_steps():
    steps = tuple(Step(name=name) for name in ("test", "build", "deploy"))

    assert short_forms(Skill(trigger="when it is time to release", steps=steps)) == ShortForms(
        hint="release: test→build→deploy", title="release"
    )
    assert short_forms(Skill(steps=steps), "ship").hint == "ship: test→build→deploy"
    assert short_forms(Skill(steps=steps)) == ShortForms()


def test_a_pattern_is_what_to_avoid_and_what_to_do():
    forms = short_forms(Pattern(avoid="No module named yaml", do="pip install pyyaml"))

    assert forms.hint == forms.summary == "No module named yaml → pip install pyyaml"
    assert forms.title == ""


def test_an_episode_is_its_goal_and_how_it_ended():
    forms = short_forms(
        Episode(
            goal="Fix the total of the cart",
            outcome="success",
            actions=(
                Action(action="edit", target="a.py"),
                Action(action="write", target="b.py"),
                Action(action="edit", target="a.py"),
                Action(action="edit", target="c.py", error="failed"),
                Action(action="read", target="d.py"),
            ),
            errors=(Failure(type="KeyError", message="KeyError: 'cart'", resolution="use get"),),
        )
    )

    assert forms.hint == "Fix the total of the cart: success, 2 files, 1 error"
    assert forms.title == "Fix the total of the cart"
    assert forms.summary == "Fix the total of the cart Ended in success. KeyError: 'cart' → use get"


def test_the_title_of_an_episode_comes_before_its_goal_unless_it_is_its_beginning():
    episode = Episode(goal="Fix the total of the cart", actions=(Action(action="look"),))

    assert short_forms(episode, "Correct sums").summary == "Correct sums: Fix the total of the cart"
    assert short_forms(episode, "Fix the total…").summary == "Fix the total of the cart"
    assert short_forms(episode).hint == "Fix the total of the cart"


def test_bodies_that_say_no_more_than_their_text_suggest_nothing():
    for body in (
        Fact(why="so"),
        Fact(key="db"),
        Skill(trigger="x"),
        Pattern(do="x"),
        Pattern(avoid="x"),
        Episode(),
        Resource(uri="https://a.example"),
        Block(label="plan"),
    ):
        assert short_forms(body) == ShortForms()


def test_long_bodies_are_cut_to_the_size_of_a_level():
    long = "word " * 500

    for body in (
        Fact(key="k" * 300, value=long, why=long),
        Pattern(do=long, avoid=long),
        Skill(trigger=long, steps=(Step(name=long),) * 9),
        Episode(goal=long, outcome="partial", errors=(Failure(type="E", message=long, resolution=long),)),
    ):  # fmt: skip
        forms = short_forms(body)
        assert len(forms.summary) <= SUMMARY_CHARS
        assert len(forms.hint) <= BODY_HINT_CHARS
        assert len(forms.title) <= BODY_TITLE_CHARS


@settings(max_examples=100)
@given(bodies, st.sampled_from(["", "Correct the sums", "会话"]))
def test_every_word_of_a_short_form_stands_in_its_source(body, title):
    forms = short_forms(body, title)

    assert forms == short_forms(body, title)
    source = f"{title} {body!r} {_plain(body)}"
    held = source + " " + " ".join(content_words(source))
    for level in (forms.summary, forms.hint, forms.title):
        for word in re.findall(r"[^\W_]+", level):
            assert word in held or word in FRAME or word.isdecimal() or word == "Ended"


def _plain(value: object) -> str:
    """Give the texts of a value as they are, not as Python would write them."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return " ".join(_plain(one) for one in value)
    fields = getattr(value, "_fields", ())
    return " ".join(_plain(getattr(value, field)) for field in fields)

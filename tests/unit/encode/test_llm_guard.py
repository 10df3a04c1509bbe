"""Cache, permission, breaker and budget around a model, in that order; meters shared by processes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import FrozenClock, WordCounter
from processes import ended, python, together
from tacit.encode.breaker import OPEN_SECONDS
from tacit.encode.llm import guard
from tacit.encode.llm.guard import (
    CACHE,
    METER,
    Budget,
    Cache,
    Guarded,
    Meter,
    key_of,
    plausible,
    read_meter,
)
from tacit.encode.llm.providers import open_model
from tacit.encode.ports import Completion, Lost
from tacit.errors import Busy, Denied, Invalid, Unavailable

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from tacit.store.protocol import Store


class Scripted:
    """Answers what it is told, or fails, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, text: str = "one two three", **tokens: int) -> None:
        self.text, self.tokens = text, tokens
        self.error: Exception | None = None
        self.asked: list[tuple[str, str, int]] = []

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> Completion:
        self.asked.append((system, prompt, most_tokens))
        if self.error:
            raise self.error
        return Completion(text=self.text, **self.tokens)


class Kept:
    """Documents in a dict; `busy` makes them refuse."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.busy = False

    def load(self, name: str) -> str | None:
        return self.texts.get(name)

    def save(self, name: str, json: str) -> None:
        self.texts[name] = json

    def transaction(self, *, durable: bool = True) -> AbstractContextManager[None]:
        from contextlib import nullcontext

        if self.busy:
            raise Busy("another process writes")
        return nullcontext()


class Seconds:
    """Seconds, moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Scene:
    """A guarded model with all its parts at hand; words count as tokens."""

    def __init__(self, daily_tokens: int = 1_000, **tokens: int) -> None:
        self.model = Scripted(**tokens)
        self.documents = Kept()
        self.clock, self.seconds = FrozenClock(), Seconds()
        self.alive = True
        self.guarded = Guarded(
            self.model,
            self.documents,
            now=self.clock.now,
            counter=WordCounter(),
            daily_tokens=daily_tokens,
            allowed=lambda: self.alive,
            clean=lambda text: text.replace("hunter2", "[REDACTED]"),
            clock=self.seconds,
        )

    def ask(self, prompt: str = "what is so", most_tokens: int = 10) -> Completion:
        return self.guarded.complete("be brief", prompt, most_tokens=most_tokens)

    def fail(self, error: Exception, times: int = 1) -> None:
        self.model.error = error
        for n in range(times):
            with pytest.raises(Unavailable):
                self.ask(f"question {n}")
        self.model.error = None

    def meter(self, **expected: int) -> bool:
        return self.guarded.meter() == Meter(day="2026-03-01", **expected)


def test_what_the_model_says_it_used_is_counted() -> None:
    scene = Scene(tokens_in=40, tokens_out=7)

    assert scene.ask() == Completion(text="one two three", tokens_in=40, tokens_out=7)
    assert scene.meter(tokens_in=40, tokens_out=7, calls=1)


def test_where_it_does_not_say_our_own_count_is_taken() -> None:
    scene = Scene()

    assert scene.ask() == Completion(text="one two three", tokens_in=5, tokens_out=3)
    assert scene.meter(tokens_in=5, tokens_out=3, calls=1)


@pytest.mark.parametrize(
    ("said", "counted", "taken"),
    [(0, 0, 0), (0, 8, 8), (1, 8, 8), (2, 8, 2), (9, 8, 9), (15_000, 8, 15_000), (10**9, 8, 8)],
)
def test_usage_that_cannot_be_is_not_believed(said: int, counted: int, taken: int) -> None:
    assert plausible(said, counted) == taken


def test_the_same_question_is_paid_for_once() -> None:
    scene = Scene()
    first = scene.ask()

    again = scene.ask()

    assert again == Completion(text=first.text)
    assert len(scene.model.asked) == 1
    assert scene.meter(tokens_in=5, tokens_out=3, calls=1, cached=1)


def test_a_question_that_differs_in_anything_is_another() -> None:
    asked = [("m", "s", "p", 1), ("n", "s", "p", 1), ("m", "sp", "", 1), ("m", "s", "p", 2)]

    assert len({key_of(*each) for each in asked}) == 4


def test_a_kept_answer_needs_no_session_no_budget_and_no_model_that_works() -> None:
    scene = Scene(daily_tokens=15)
    scene.ask()
    scene.alive = False

    assert scene.ask().text == "one two three"


def test_without_a_session_the_model_is_not_asked() -> None:
    scene = Scene()
    scene.alive = False

    with pytest.raises(Denied, match="only while a session is alive"):
        scene.ask()
    assert scene.model.asked == []
    assert scene.meter(refused=1)


def test_a_call_that_might_pass_the_budget_is_not_made() -> None:
    scene = Scene(daily_tokens=20)
    scene.ask("first one here", most_tokens=15)  # 5 in and up to 15 out: fits exactly

    with pytest.raises(Denied, match=r"20 tokens a day, 8 are spent .* may need 20; wait until"):
        scene.ask("second one here", most_tokens=15)
    assert len(scene.model.asked) == 1
    assert scene.meter(tokens_in=5, tokens_out=3, calls=1, refused=1)


def test_a_budget_of_nothing_allows_nothing() -> None:
    scene = Scene(daily_tokens=0)

    with pytest.raises(Denied, match="may use 0 tokens a day"):
        scene.ask()
    assert scene.model.asked == []


def test_a_new_day_begins_with_a_full_budget() -> None:
    scene = Scene(daily_tokens=15)
    scene.ask("first one here")
    with pytest.raises(Denied):
        scene.ask("second one here")

    scene.clock.advance(hours=12)

    scene.ask("second one here")
    assert scene.guarded.meter() == Meter(day="2026-03-02", tokens_in=5, tokens_out=3, calls=1)


def test_a_call_over_midnight_counts_on_the_day_it_ends() -> None:
    clock, documents = FrozenClock(), Kept()
    budget = Budget(documents, clock.now, 100)
    reserved = budget.reserve(50)
    clock.advance(hours=12)

    budget.settle(reserved, 50, tokens_in=5, tokens_out=3, calls=1)

    assert budget.meter() == Meter(day="2026-03-02", tokens_in=5, tokens_out=3, calls=1)


def test_what_is_under_way_counts_against_the_budget() -> None:
    budget = Budget(Kept(), FrozenClock().now, 100)
    budget.reserve(60)

    with pytest.raises(Denied):
        budget.reserve(60)
    assert budget.meter() == Meter(day="2026-03-01", reserved=60, refused=1)


def test_a_failure_that_was_not_billed_costs_nothing() -> None:
    scene = Scene()
    scene.fail(Unavailable("no such model"))

    assert scene.meter(failures=1)


def test_an_answer_that_was_lost_costs_all_it_might() -> None:
    scene = Scene()
    scene.fail(Lost("no answer in time"))

    assert scene.meter(tokens_in=4, tokens_out=10, failures=1)


def test_a_caller_s_mistake_is_no_failure_and_costs_nothing() -> None:
    scene = Scene()
    scene.model.error = Invalid("not a text")

    with pytest.raises(Invalid):
        scene.ask()
    with pytest.raises(Invalid, match="0 tokens"):
        scene.ask(most_tokens=0)
    assert scene.meter()
    assert scene.guarded.state == "closed"


def test_whatever_a_library_raises_is_unavailable() -> None:
    scene = Scene()
    scene.model.error = RuntimeError("out of memory")

    with pytest.raises(Unavailable, match="scripted failed: out of memory"):
        scene.ask()


def test_three_failures_open_the_breaker_and_its_message_says_why_and_how_long() -> None:
    scene = Scene()
    scene.fail(Unavailable("scripted refused: no such model"), times=3)
    scene.seconds.now += 100

    with pytest.raises(Unavailable, match=r"left alone for 200 s.*no such model"):
        scene.ask()
    assert scene.guarded.state == "open"
    assert len(scene.model.asked) == 3
    assert scene.meter(failures=3, refused=1)


def test_the_breaker_heals_by_use() -> None:
    scene = Scene()
    scene.fail(Unavailable("down"), times=3)
    scene.seconds.now += OPEN_SECONDS
    assert scene.guarded.state == "half-open"

    for n in range(3):
        scene.ask(f"again {n}")

    assert scene.guarded.state == "closed"


def test_a_failure_when_half_open_opens_it_again() -> None:
    scene = Scene()
    scene.fail(Unavailable("down"), times=3)
    scene.seconds.now += OPEN_SECONDS

    scene.fail(Unavailable("still down"))

    assert scene.guarded.state == "open"


def test_a_refusal_by_the_budget_does_not_open_the_breaker() -> None:
    scene = Scene(daily_tokens=1)
    for _ in range(5):
        with pytest.raises(Denied):
            scene.ask()

    assert scene.guarded.state == "closed"


def test_secrets_are_neither_sent_nor_kept_nor_told() -> None:
    scene = Scene()
    scene.model.text = "the password is hunter2"

    answer = scene.ask("the password is hunter2, right?")
    scene.model.error = Unavailable("wrong password hunter2")
    with pytest.raises(Unavailable) as caught:
        scene.ask("other")

    assert "hunter2" not in str(scene.model.asked)
    assert answer.text == "the password is [REDACTED]"
    assert "hunter2" not in str(scene.documents.texts)
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_the_cache_holds_no_question() -> None:
    scene = Scene()
    scene.ask("a very particular question")

    assert "particular" not in str(scene.documents.texts)


def test_a_paid_answer_is_given_though_the_store_is_busy() -> None:
    scene = Scene()
    answer = scene.model.complete

    def busy_from_now_on(system: str, prompt: str, *, most_tokens: int) -> Completion:
        scene.documents.busy = True
        return answer(system, prompt, most_tokens=most_tokens)

    scene.model.complete = busy_from_now_on

    assert scene.ask().text == "one two three"
    assert scene.meter(reserved=15)


def test_a_store_that_is_busy_before_the_call_stops_it() -> None:
    scene = Scene()
    scene.documents.busy = True

    with pytest.raises(Busy):
        scene.ask()
    assert scene.model.asked == []


def test_a_busy_store_does_not_withhold_a_kept_answer() -> None:
    scene = Scene()
    scene.ask()
    scene.documents.busy = True

    assert scene.ask().text == "one two three"


def test_the_cache_is_bounded_in_number_and_the_oldest_go_first() -> None:
    cache = Cache(Kept())
    for n in range(guard.MOST_ANSWERS + 2):
        cache.put(str(n), "answer")

    assert cache.get("1") is None
    assert cache.get("2") == "answer"


def test_the_cache_is_bounded_in_size() -> None:
    documents = Kept()
    cache = Cache(documents)
    long = "x" * guard.MOST_ANSWER_CHARS
    for n in range(15):
        cache.put(str(n), long)
    cache.put("too long", long + "x")

    assert cache.get("14") == long
    assert cache.get("0") is None
    assert cache.get("too long") is None
    assert len(documents.texts[CACHE]) < guard.MOST_CHARS + 2_000


def test_the_cache_can_be_cleared() -> None:
    documents = Kept()
    cache = Cache(documents)
    cache.clear()
    assert documents.texts == {}
    cache.put("key", "a quote of a session")
    cache.clear()

    assert cache.get("key") is None
    assert "quote" not in str(documents.texts)


@pytest.mark.parametrize("text", ["", "no JSON", "[]", "null", '{"key": 5}'])
def test_a_cache_that_cannot_be_read_is_empty(text: str) -> None:
    documents = Kept()
    documents.texts[CACHE] = text

    assert Cache(documents).get("key") is None


@pytest.mark.parametrize("text", [None, "", "no JSON", "[]", "{}", '{"day": 5}'])
def test_a_meter_that_cannot_be_read_is_none(text: str | None) -> None:
    assert read_meter(text) is None


def test_a_meter_of_another_version_is_read_as_far_as_it_is_known() -> None:
    text = json.dumps({"day": "2026-03-01", "tokens_in": 7, "calls": "many", "dollars": 3})

    assert read_meter(text) == Meter(day="2026-03-01", tokens_in=7)


@given(
    st.integers(0, 200),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(0, 3)), max_size=20),
)
def test_never_more_is_spent_than_the_day_allows(
    daily: int, calls: list[tuple[int, int, int]]
) -> None:
    budget = Budget(Kept(), FrozenClock().now, daily)
    for tokens, used, fate in calls:
        try:
            reserved = budget.reserve(tokens)
        except Denied:
            continue
        if fate == 0:
            continue  # the process died
        budget.settle(
            reserved, tokens, tokens_in=min(used, tokens), calls=fate == 1, failures=fate == 2
        )

    meter = budget.meter()
    assert 0 <= meter.spent <= daily
    assert meter.reserved >= 0


PROCESS = """
import sys
from fakes import FrozenClock
from tacit.encode.llm.guard import Budget
from tacit.errors import Denied
from tacit.store.sqlite.engine import SqliteStore

store = SqliteStore(sys.argv[1])
budget = Budget(store, FrozenClock().now, 1_000)
print("ready", flush=True)
sys.stdin.readline()
made = 0
for _ in range(40):
    try:
        reserved = budget.reserve(30)
    except Denied:
        continue
    budget.settle(reserved, 30, tokens_in=20, tokens_out=5, calls=1)
    made += 1
store.close()
print(made)
"""


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)  # the processes open a file
def test_processes_share_one_budget_and_lose_no_count(store: Store) -> None:
    outputs = together(python("-c", PROCESS, store.path) for _ in range(2))

    made = sum(int(output.split()[-1]) for output in outputs)
    meter = read_meter(store.load(METER))
    assert meter is not None
    assert meter == Meter(
        day="2026-03-01", tokens_in=20 * made, tokens_out=5 * made, calls=made, refused=80 - made
    )
    assert 970 < meter.spent <= 1_000


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)  # the processes open a file
def test_the_meter_and_the_cache_outlive_the_process(store: Store, clock: FrozenClock) -> None:
    code = """
import sys
from fakes import FrozenClock, WordCounter
from tacit.encode.llm.guard import Guarded
from tacit.encode.llm.command import CommandModel
from tacit.store.sqlite.engine import SqliteStore
store = SqliteStore(sys.argv[1])
model = Guarded(
    CommandModel(f"{sys.executable} -c 'print(input())'"), store, now=FrozenClock().now,
    counter=WordCounter(), daily_tokens=100, allowed=lambda: True, clean=str,
)
print(model.complete("", "one two", most_tokens=5).text)
store.close()
"""
    said = [ended(python("-c", code, store.path)) for _ in range(2)]

    assert [text.split() for text in said] == [["one", "two"]] * 2
    budget = Budget(store, clock.now)
    assert budget.meter() == Meter(day="2026-03-01", tokens_in=2, tokens_out=2, calls=1, cached=1)


@pytest.mark.parametrize("spec", [None, "", "off"])
def test_by_default_there_is_no_model(spec: str | None) -> None:
    assert open_model(spec) is None


@pytest.mark.parametrize(
    "spec",
    [
        "openai:gpt-9",
        "openai:llama3:8b@http://127.0.0.1:11434/v1",
        "openai:@cf/meta/llama@https://models.example.com/v1",
        "anthropic:claude-9",
        "anthropic:claude-9@https://models.example.com",
        "command:claude -p",
    ],
)
def test_a_setting_names_a_model_and_nothing_is_loaded(spec: str) -> None:
    model = open_model(spec)

    assert model is not None
    assert model.name == spec


def test_an_address_is_split_from_the_model() -> None:
    model = open_model("openai:@cf/meta/llama@https://models.example.com/v1")

    assert vars(model)["_model"] == "@cf/meta/llama"
    assert vars(model)["_base_url"] == "https://models.example.com/v1"


@pytest.mark.parametrize(
    "spec",
    [
        "openai",
        "openai:",
        "openai: x",
        "anthropic:@http://x",
        "openai:m@http://",
        "gpt-9",
        "llama:x",
    ],
)
def test_a_setting_that_names_none_is_refused_with_the_forms(spec: str) -> None:
    with pytest.raises(Invalid, match=r"write off, openai:<model>"):
        open_model(spec)


@pytest.mark.parametrize(
    "spec", ["openai:m@https://ana:hunter2@x.example/v1", "openai:m@https://x.example/?key=hunter2"]
)
def test_an_address_with_a_password_is_refused_without_repeating_it(spec: str) -> None:
    with pytest.raises(Invalid, match="must not hold a password") as caught:
        open_model(spec)

    assert "hunter2" not in str(caught.value)

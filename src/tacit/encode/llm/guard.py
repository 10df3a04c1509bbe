"""What stands around every language model: cache, permission, breaker, budget; in this order.

A model that is down or not allowed never stops anything: who asks gets `Unavailable` or
`Denied` at once and goes on by rules. Cache and meter are small documents in the store, changed
in transactions of their own, so that all processes of a project share them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from threading import Lock
from time import monotonic

from tacit.encode.breaker import FAILURES, Breaker
from tacit.encode.llm.answers import whole
from tacit.encode.ports import Completion, Documents, LanguageModel, Lost, TokenCounter
from tacit.errors import Busy, Denied, Invalid, Unavailable
from tacit.value import Value

MOST_TOKENS = 10_000_000  # no model reads or writes more at once: what says so is wrong


class Guarded:
    """A language model that costs no more than it may.

    Not to be asked within a transaction: an answer takes seconds, and others wait to write.
    """

    def __init__(
        self,
        model: LanguageModel,
        documents: Documents,
        *,
        now: Callable[[], datetime],
        counter: TokenCounter,
        daily_tokens: int,
        allowed: Callable[[], bool],
        clean: Callable[[str], str],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Guard `model`; it is asked only while `allowed` says that a session is alive.

        `documents` hold what is counted and kept. `now` gives aware times, `clock` seconds that
        never go back. `clean` takes secrets out of what is sent and of what comes back.
        """
        self.budget = Budget(documents, now, daily_tokens)
        self.breaker = Breaker()
        self._cache = Cache(documents)
        self._model, self._counter = model, counter
        self._allowed, self._clean, self._clock = allowed, clean, clock
        self._telling = Lock()
        self._last_failure = ""

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._model.name

    @property
    def state(self) -> str:
        """Whether the breaker lets calls through now."""
        with self._telling:
            return self.breaker.state(self._clock())

    def meter(self) -> Meter:
        """Give today's use."""
        return self.budget.meter()

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> Completion:
        """Answer from the cache or by the model; `Denied` or `Unavailable` say what to do.

        An answer from the cache costs nothing, so it is given whatever the budget.
        """
        if most_tokens < 1:
            raise Invalid(f"an answer of {most_tokens} tokens cannot be asked for; ask for some")
        system, prompt = self._clean(system), self._clean(prompt)
        key = key_of(self.name, system, prompt, most_tokens)
        kept = self._cache.get(key)
        if kept is not None:
            self.budget.count(cached=1)
            return Completion(text=kept)
        self._admit()
        answer = self._ask(system, prompt, most_tokens)
        with suppress(Busy):  # paid for and good: it is given, though it may be paid for again
            self._cache.put(key, answer.text)
        return answer

    def _admit(self) -> None:
        """Raise where the model may not be asked now."""
        if not self._allowed():
            self.budget.count(refused=1)
            raise Denied(
                f"the language model {self.name} is used only while a session is alive, "
                "and none is; start one or do without"
            )
        with self._telling:
            wait = self.breaker.retry_in(self._clock())
        if wait > 0:
            self.budget.count(refused=1)
            raise Unavailable(
                f"the language model {self.name} failed {FAILURES} times and is left alone for "
                f"{wait:.0f} s; all else goes on by rules. It last said: {self._last_failure}"
            )

    def _ask(self, system: str, prompt: str, most_tokens: int) -> Completion:
        tokens_in = self._counter.count(system) + self._counter.count(prompt)
        reserved = tokens_in + most_tokens
        day = self.budget.reserve(reserved)
        # Where no answer came it may well be billed: all that was set aside counts.
        used = {"tokens_in": tokens_in, "tokens_out": most_tokens, "failures": 1}
        try:
            answer = self._model.complete(system, prompt, most_tokens=most_tokens)
            text = self._clean(answer.text)
            tokens_in = plausible(answer.tokens_in, tokens_in)
            tokens_out = plausible(answer.tokens_out, self._counter.count(text))
            used = {"tokens_in": tokens_in, "tokens_out": tokens_out, "calls": 1}
        except Lost as lost:
            raise self._failed(lost) from None
        except Invalid:  # the caller's mistake says nothing about the model
            used = {}
            raise
        except Exception as failed:  # whatever a model's library raises is its failure
            used = {"failures": 1}
            raise self._failed(failed) from None
        finally:
            self.budget.settle(day, reserved, **used)
        with self._telling:
            self.breaker.succeeded(self._clock())
        return Completion(text=text, tokens_in=tokens_in, tokens_out=tokens_out)

    def _failed(self, failed: Exception) -> Unavailable:
        """Note a failure and give it in words that may be shown and logged."""
        said = self._clean(str(failed))
        if not isinstance(failed, Unavailable):
            said = f"the language model {self.name} failed: {said}"
        with self._telling:
            self.breaker.failed(self._clock())
            self._last_failure = said
        return Lost(said) if isinstance(failed, Lost) else Unavailable(said)


def plausible(said: int, counted: int) -> int:
    """Give what a model says it used, or our own count where that cannot be.

    A model may use more than is seen, for its thinking or its own instructions. It cannot use
    a quarter of what was counted: tokenizers differ by less, and a budget must hold.
    """
    return said if counted / 4 <= said <= MOST_TOKENS and said > 0 else counted


METER = "llm:meter"  # the names of both documents
CACHE = "llm:cache"
DAILY_TOKENS = 100_000
MOST_ANSWERS = 200
MOST_CHARS = 500_000  # of all answers together
MOST_ANSWER_CHARS = 50_000  # a longer one is not kept: it would push out too many others


class Meter(Value):
    """The use of one day, which begins at midnight UTC."""

    day: str
    tokens_in: int = 0
    tokens_out: int = 0
    reserved: int = 0  # set aside for calls under way
    calls: int = 0  # that were answered
    cached: int = 0  # answers that needed no call
    refused: int = 0  # turned away before the model was asked
    failures: int = 0

    @property
    def spent(self) -> int:
        """What counts against the budget."""
        return self.tokens_in + self.tokens_out + self.reserved


class Budget:
    """The meter of a store and the most that may be spent in a day.

    What a call may cost is set aside before it is made and settled afterwards; a process that
    dies in between leaves it set aside until the next day.
    """

    def __init__(
        self, documents: Documents, now: Callable[[], datetime], daily_tokens: int = DAILY_TOKENS
    ) -> None:
        """Count in `documents`; `now` gives aware times, `daily_tokens` 0 allows no call."""
        self.daily_tokens = daily_tokens
        self._documents = documents
        self._now = now

    def meter(self) -> Meter:
        """Give today's meter; a new day begins at nothing."""
        today = f"{self._now():%Y-%m-%d}"
        meter = read_meter(self._documents.load(METER))
        return meter if meter is not None and meter.day == today else Meter(day=today)

    def count(self, **more: int) -> None:
        """Add to counters of today's meter."""
        # Nothing is decided by these numbers; they are not worth an error.
        with suppress(Busy), self._documents.transaction(durable=False):
            self._add(**more)

    def reserve(self, tokens: int) -> str:
        """Set tokens aside and give their day; `Denied` when its budget does not hold them."""
        with self._documents.transaction(durable=False):
            meter = self.meter()
            if meter.spent + tokens <= self.daily_tokens:
                self._add(reserved=tokens)
                return meter.day
            self._add(refused=1)
        raise Denied(
            f"the language model may use {self.daily_tokens:,} tokens a day, {meter.spent:,} are "
            f"spent and this call may need {tokens:,}; wait until midnight UTC or raise the "
            "setting llm_daily_tokens"
        )

    def settle(self, day: str, tokens: int, **more: int) -> None:
        """Release what was set aside on a day and count what was really used.

        After midnight what was set aside has gone with its day, and the use counts today.
        """
        # The answer is worth more than the count: in a busy store it stays set aside.
        with suppress(Busy), self._documents.transaction(durable=False):
            released = tokens if self.meter().day == day else 0
            self._add(reserved=-released, **more)

    def _add(self, **more: int) -> None:
        meter = self.meter()
        counts = {name: getattr(meter, name) for name in Meter._fields}
        counts |= {name: counts[name] + number for name, number in more.items()}
        self._documents.save(METER, json.dumps(counts))


def read_meter(text: str | None) -> Meter | None:
    """Read a meter as any version of Tacit may have written it; None when there is none."""
    data = _object(text)
    if not isinstance(data.get("day"), str):
        return None
    counts = {name: whole(data.get(name)) for name in Meter._fields if name != "day"}
    return Meter(day=str(data["day"]), **counts)


def key_of(name: str, system: str, prompt: str, most_tokens: int) -> str:
    """Give the hash of all that decides an answer."""
    asked = json.dumps([name, system, prompt, most_tokens])
    return sha256(asked.encode()).hexdigest()


class Cache:
    """Answers kept by what was asked, so that the same question is paid for once.

    Bounded in number and size; the oldest go first. It holds the hash of what was asked and the
    answer, never the question.
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def get(self, key: str) -> str | None:
        """Give the answer kept under a key."""
        return self._answers().get(key)

    def put(self, key: str, answer: str) -> None:
        """Keep an answer and let the oldest go that no longer fit."""
        if len(answer) > MOST_ANSWER_CHARS:
            return
        with self._documents.transaction(durable=False):
            answers = self._answers()
            answers.pop(key, None)
            answers[key] = answer
            chars = sum(map(len, answers.values()))
            while len(answers) > MOST_ANSWERS or chars > MOST_CHARS:
                chars -= len(answers.pop(next(iter(answers))))
            self._documents.save(CACHE, json.dumps(answers))

    def clear(self) -> None:
        """Forget all answers: they quote sessions, and what is erased must not stay in them."""
        if self._documents.load(CACHE) is not None:
            self._documents.save(CACHE, "{}")

    def _answers(self) -> dict[str, str]:
        data = _object(self._documents.load(CACHE))
        return {key: answer for key, answer in data.items() if isinstance(answer, str)}


def _object(text: str | None) -> dict[str, object]:
    """Decode a document; one that cannot be read is as good as an empty one."""
    try:
        data = json.loads(text or "{}")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}

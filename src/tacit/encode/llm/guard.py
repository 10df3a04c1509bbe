"""What stands around every language model: cache, permission, breaker, budget; in this order.

A model that is down or not allowed never stops anything: who asks gets `Unavailable` or
`Denied` at once and goes on by rules.
"""

from __future__ import annotations

from tacit.encode.breaker import FAILURES, Breaker
from tacit.encode.llm.cache import key_of
from tacit.encode.llm.port import Completion, Lost
from tacit.errors import Busy, Denied, Invalid, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.encode.breaker import State
    from tacit.encode.llm.cache import Cache
    from tacit.encode.llm.meter import Budget, Meter, Reservation
    from tacit.encode.llm.port import LanguageModel
    from tacit.encode.ports import TokenCounter

MOST_TOKENS = 10_000_000  # no model reads or writes more at once: what says so is wrong


class Guarded:
    """A language model that costs no more than it may.

    Not to be asked within a transaction: an answer takes seconds, and others wait to write.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        budget: Budget,
        cache: Cache,
        counter: TokenCounter,
        allowed: Callable[[], bool],
        clean: Callable[[str], str],
        breaker: Breaker | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """Guard `model`; it is asked only while `allowed` says that a session is alive.

        `clean` takes secrets out of what is sent and of what comes back; `clock` gives seconds
        that never go back.
        """
        from threading import Lock
        from time import monotonic

        self.budget = budget
        self.breaker = breaker or Breaker()
        self._model, self._cache, self._counter = model, cache, counter
        self._allowed, self._clean = allowed, clean
        self._clock = clock or monotonic
        self._telling = Lock()
        self._last_failure = ""

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._model.name

    @property
    def state(self) -> State:
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
        tokens_in = self._counter.count(system) + self._counter.count(prompt)
        reserved = self.budget.reserve(tokens_in + most_tokens)
        answer = self._ask(system, prompt, most_tokens, reserved, tokens_in)
        try:
            self._cache.put(key, answer.text)
        except Busy:  # paid for and good: it is given, though it may be paid for again
            return answer
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
            now = self._clock()
            wait = self.breaker.retry_in(now)
        if wait > 0:
            self.budget.count(refused=1)
            raise Unavailable(
                f"the language model {self.name} failed {FAILURES} times and is left alone for "
                f"{wait:.0f} s; all else goes on by rules. It last said: {self._last_failure}"
            )

    def _ask(
        self, system: str, prompt: str, most_tokens: int, reserved: Reservation, tokens_in: int
    ) -> Completion:
        try:
            answer = self._model.complete(system, prompt, most_tokens=most_tokens)
        except Lost as lost:  # it may well be billed: all that was set aside counts
            out = reserved.tokens - tokens_in
            self.budget.settle(reserved, tokens_in=tokens_in, tokens_out=out, failures=1)
            raise self._failed(lost) from None
        except Invalid:  # the caller's mistake says nothing about the model
            self.budget.settle(reserved)
            raise
        except Exception as failed:  # whatever a model's library raises is its failure
            self.budget.settle(reserved, failures=1)
            raise self._failed(failed) from None
        text = self._clean(answer.text)
        used = Completion(
            text=text,
            tokens_in=plausible(answer.tokens_in, tokens_in),
            tokens_out=plausible(answer.tokens_out, self._counter.count(text)),
        )
        self.budget.settle(reserved, tokens_in=used.tokens_in, tokens_out=used.tokens_out, calls=1)
        with self._telling:
            self.breaker.succeeded(self._clock())
        return used

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

"""What a memory is worth keeping."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from builders import DAY, START, a_fact
from tacit.consolidate.retention import use_of, worth
from tacit.model import Tier, UsageEvent

COUNTS = st.integers(0, 200)


def test_use_counts_what_was_offered_cited_and_of_help():
    use = use_of(
        {
            UsageEvent.LOADED: (7, START + DAY),
            UsageEvent.CITED: (2, START + 2 * DAY),
            UsageEvent.HELPED: (1, START + 3 * DAY),
            UsageEvent.IGNORED: (4, START),
        }
    )

    assert (use.offered, use.cited, use.helped, use.hurt) == (7, 2, 1, 0)
    assert (use.cited_at, use.offered_at) == (START + 3 * DAY, START + DAY)
    assert not use.passed_over


def test_what_was_looked_at_is_used_but_not_cited():
    use = use_of({UsageEvent.LOADED: (1, START), UsageEvent.EXPANDED: (1, START + DAY)})

    assert (use.cited, use.cited_at, use.passed_over) == (0, None, False)


def test_what_was_never_offered_was_not_passed_over():
    assert not use_of({}).passed_over
    assert use_of({UsageEvent.IGNORED: (1, START)}).passed_over


def test_each_part_of_its_worth_raises_it():
    def of(memory=None, tally=None, ties=0, days=10):
        return worth(memory or a_fact(), tally or {}, ties, START + days * DAY).value

    cited = {UsageEvent.CITED: (3, START)}
    assert of(days=1) > of(days=10)
    assert of(tally=cited) > of()
    assert of(a_fact(importance=0.8)) > of(a_fact(importance=0.5))
    assert of(a_fact(tier=Tier.GUARDRAIL)) > of()
    assert of(ties=3) > of(ties=1) > of()


@given(days=st.floats(0, 5000), ties=st.integers(0, 1000), cited=COUNTS, ignored=COUNTS)
def test_worth_is_a_share_of_one(days, ties, cited, ignored):
    tally = {UsageEvent.CITED: (cited, START), UsageEvent.IGNORED: (ignored, START)}

    assert 0.0 <= worth(a_fact(), tally, ties, START + days * DAY).value <= 1.0

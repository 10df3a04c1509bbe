"""What a memory takes from its source when that is read again, and what it keeps."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import DAY, START, a_fact, a_mention, an_anchor, an_episode, an_id, reworded
from strategies import memories
from tacit.model import FacetType, Polarity, State, Tier, Trust
from tacit.write.renew import renewed, verified

KNOWN = a_fact(
    "then", source_ref="a#1", author="ana", confidence=0.5, mentions=(a_mention("pool"),)
)


def fresh(**fields):
    """Give what the source of the known memory says now, a day later."""
    made = reworded(KNOWN, fields.pop("text", "now")).replace(
        id=an_id(), validity=KNOWN.validity.replace(valid_from=START + DAY)
    )
    return made.replace(**fields)


def test_what_is_said_follows_the_source():
    source = fresh(
        confidence=0.7, author="ben", polarity=Polarity.AVOID, subtype="x", learn_tokens=9
    )

    now = renewed(KNOWN, source)

    for name in "body levels hash confidence author polarity subtype learn_tokens".split():
        assert getattr(now, name) == getattr(source, name), name


def test_who_it_is_and_how_long_it_holds_stays():
    known = KNOWN.replace(
        tier=Tier.GUARDRAIL, pinned=True, importance=0.9, state=State.ARCHIVED, trust=Trust.HUMAN
    )

    now = renewed(known, fresh(importance=0.2, trust=Trust.AGENT))

    for name in "id short scope validity recorded_at tier pinned importance state trust".split():
        assert getattr(now, name) == getattr(known, name), name


def test_a_higher_importance_is_taken_over():
    assert renewed(KNOWN, fresh(importance=0.8)).importance == 0.8


def test_what_says_the_same_is_the_same():
    assert renewed(KNOWN, fresh(text="then")) is KNOWN


def test_what_a_changed_text_is_about_is_what_it_names_now():
    now = renewed(KNOWN, fresh(mentions=(a_mention("redis"),)))

    assert [mention.facet.name for mention in now.mentions] == ["redis"]


def test_an_unchanged_text_gains_what_it_is_about_and_loses_nothing():
    source = fresh(text="then", mentions=(a_mention("style", FacetType.TAG),))

    now = renewed(KNOWN, source)

    assert [mention.facet.name for mention in now.mentions] == ["pool", "style"]
    assert renewed(now, source) == now


def test_an_episode_moves_with_its_source_in_time():
    known = an_episode("then", valid_from=START)
    later = an_episode("then, and more", valid_from=START + DAY)

    assert renewed(known, later).validity == later.validity


def test_what_its_source_says_is_over_ends_there():
    ends = KNOWN.validity.replace(valid_to=START + 3 * DAY)

    now = renewed(KNOWN, fresh(text="then", validity=ends, recorded_at=START + 5 * DAY))

    assert now.validity == ends
    assert now.retired_at == START + 5 * DAY  # when that was learnt
    assert renewed(now, fresh(text="then", validity=ends)) == now


def test_what_will_end_goes_on_following_its_source_until_then():
    ends = KNOWN.validity.replace(valid_to=START + 9 * DAY)
    known = renewed(KNOWN, fresh(validity=ends, recorded_at=START + DAY))

    now = renewed(known, fresh(text="other", validity=ends, recorded_at=START + 2 * DAY))
    late = renewed(known, fresh(text="other", validity=ends, recorded_at=START + 9 * DAY))

    assert (now.text, now.retired_at) == ("other", START + DAY)
    assert late is known


def test_an_end_that_is_told_otherwise_is_learnt_anew():
    first, second = (KNOWN.validity.replace(valid_to=START + n * DAY) for n in (8, 9))
    known = renewed(KNOWN, fresh(validity=first, recorded_at=START + DAY))

    now = renewed(known, fresh(validity=second, recorded_at=START + 2 * DAY))

    assert (now.validity, now.retired_at) == (second, START + 2 * DAY)


def test_an_end_before_the_beginning_is_not_taken_over():
    early = KNOWN.validity.replace(valid_from=START - 9 * DAY, valid_to=START - DAY)

    assert renewed(KNOWN, fresh(text="then", validity=early)).validity == KNOWN.validity


@pytest.mark.parametrize(
    ("known", "now"),
    [
        (State.ACTIVE, State.ARCHIVED),
        (State.CANDIDATE, State.CANDIDATE),
        (State.ARCHIVED, State.ARCHIVED),
    ],
)
def test_only_what_is_live_is_put_away_by_its_source(known, now):
    assert renewed(KNOWN.replace(state=known), fresh(state=State.ARCHIVED)).state is now


@pytest.mark.parametrize(
    "decided",
    [{"state": State.FORGOTTEN}, {"retired_at": START + DAY}, {"confirmed_by": "ana"}],
    ids=["forgotten", "ended", "confirmed"],
)
def test_what_was_decided_since_is_left_alone(decided):
    known = KNOWN.replace(**decided)

    assert renewed(known, fresh(anchors=(an_anchor(),))) is known


def test_a_renewed_text_is_no_longer_in_doubt():
    known = KNOWN.replace(anchors=(an_anchor(held="then"),), unverified=True)

    now = renewed(known, fresh(anchors=(an_anchor(held="now"),)))

    assert (now.anchors, now.unverified) == ((an_anchor(held="now"),), False)


def test_what_is_seen_to_hold_again_is_no_longer_in_doubt():
    known = KNOWN.replace(anchors=(an_anchor(held="then"),), unverified=True)

    now = verified(known, fresh(text="then", anchors=(an_anchor(held="now"),)))

    assert (now.anchors, now.unverified) == ((an_anchor(held="now"),), False)


def test_a_source_without_files_verifies_nothing():
    known = KNOWN.replace(anchors=(an_anchor(),), unverified=True)

    assert verified(known, fresh(text="then")) is known


def test_what_ended_is_not_verified():
    known = KNOWN.replace(retired_at=START + DAY, anchors=(an_anchor(held="then"),))

    assert verified(known, fresh(anchors=(an_anchor(held="now"),))) is known


def test_another_source_verifies_the_files_it_has_seen_too():
    known = KNOWN.replace(
        anchors=(an_anchor("a.py", "then"), an_anchor("b.py", "then")), unverified=True
    )
    other = fresh(source_ref="b#1", anchors=(an_anchor("c.py"), an_anchor("b.py", "now")))

    half = verified(known, other)
    whole = verified(half, other.replace(anchors=(*other.anchors, an_anchor("a.py", "now"))))

    assert half.anchors == (an_anchor("a.py", "then"), an_anchor("b.py", "now"))
    assert half.unverified
    assert whole.anchors == (an_anchor("a.py", "now"), an_anchor("b.py", "now"))
    assert not whole.unverified


def test_another_source_gives_its_files_to_a_memory_without_any():
    other = fresh(source_ref="b#1", anchors=(an_anchor(),))

    assert verified(KNOWN, other).anchors == (an_anchor(),)


@settings(max_examples=100)
@given(memories(), memories(), st.booleans())
def test_renewing_twice_is_renewing_once(known, source, same_kind):
    source = source.replace(body=known.body) if same_kind else source

    once = renewed(known, source)

    assert renewed(once, source) == once
    changed = once.validity.valid_to != known.validity.valid_to
    assert not changed or (once.validity.valid_to is None) == (once.retired_at is None)
    assert (once.id, once.scope, once.source_ref) == (known.id, known.scope, known.source_ref)

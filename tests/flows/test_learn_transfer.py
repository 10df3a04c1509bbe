"""What proved helpful in one project is lifted, and found from another."""

from __future__ import annotations

from pathlib import Path

import pytest

from attended import a_home, a_project, open_project
from builders import a_pattern
from fakes import FrozenClock
from proved import helped
from tacit.errors import Invalid
from tacit.model import Anchor
from tacit.system import Tacit

SAID = "Run the linter before every commit, it saves a round of review"
ASKED = "what to run before a commit?"


@pytest.fixture
def shop(tmp_path: Path, clock: FrozenClock):
    """Give the memory of one project."""
    with open_project(a_project(tmp_path / "shop"), a_home(tmp_path), clock) as tacit:
        yield tacit


def sibling(tmp_path: Path, clock: FrozenClock) -> Tacit:
    """Open the memory of another project of the same person."""
    return open_project(a_project(tmp_path / "bakery"), a_home(tmp_path), clock)


def test_a_lifted_pattern_is_found_from_a_sibling_project(shop, tmp_path, clock):
    pattern = shop.remember(SAID, kind="pattern", polarity="do")
    helped(shop, pattern.id, 3)
    with sibling(tmp_path, clock) as bakery:
        assert bakery.recall(ASKED) == []

    shown = shop.transfer()
    done = shop.transfer(lift=True)

    assert [one.why for one in shown.proposals] == ["helped 6 of 6 times, in 3 sessions"]
    assert shown.copies == ()
    (copy,) = done.copies
    assert copy.source_ref == f"memory:{pattern.id}"
    assert copy.scope.path == "user:ana"
    with sibling(tmp_path, clock) as bakery:
        assert [hit.memory.id for hit in bakery.recall(ASKED)] == [copy.id]
    assert shop.transfer().proposals == ()  # not twice


def test_what_no_person_said_waits_for_a_review_unless_accepted(shop, tmp_path, clock):
    pattern = shop.remember(SAID, kind="pattern", trust="agent", tier="guardrail")
    helped(shop, pattern.id, 2)

    (copy,) = shop.transfer(lift=True).copies

    assert (copy.state, copy.tier) == ("candidate", "reference")
    with sibling(tmp_path, clock) as bakery:
        assert bakery.recall(ASKED) == []
    other = shop.remember("Pin the tools a build needs", kind="pattern", trust="agent")
    helped(shop, other.id, 2)
    (accepted,) = shop.transfer(lift=True, accept=True).copies
    assert accepted.state == "active"


def test_what_did_not_surely_help_in_two_sessions_is_not_proposed(shop):
    once = shop.remember(SAID, kind="pattern")
    helped(shop, once.id, 1, each=9)
    doubtful = shop.remember("Restart the cache after a deploy", kind="pattern")
    helped(shop, doubtful.id, 3)
    helped(shop, doubtful.id, 2, event="hurt")
    fact = shop.remember("The shop runs on Postgres 16")
    helped(shop, fact.id, 4)

    assert shop.transfer().proposals == ()


def test_what_is_private_secret_or_about_files_here_stays_and_says_why(shop):
    private = shop.remember(SAID, kind="pattern", visibility="private")
    anchored = shop.remember(
        "Keep totals in cents", kind="pattern", anchors=[Anchor(path="src/pay.py", sha="a" * 40)]
    )
    secret = a_pattern(f"Log in with ghp_{'a1B2' * 9} first", scope=shop.scope)
    shop.store.put([secret])  # from before it was known for one
    for memory in (private, anchored, secret):
        helped(shop, memory.id, 3)

    done = shop.transfer(lift=True)

    assert {one.memory.id: one.kept_back for one in done.proposals} == {
        private.id: "it is private",
        anchored.id: "it speaks of files of this project",
        secret.id: "it holds what looks like a secret",
    }
    assert done.copies == ()


def test_whose_memory_it_is_must_be_known(open_tacit):
    with pytest.raises(Invalid, match="whose memory"):
        open_tacit().transfer()

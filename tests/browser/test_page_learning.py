"""Learning by clicking: begun, watched, paused, taken back; and a champion that proved itself."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect
from windows import PHONE, arrive, visiting

from tacit import Tacit
from tacit.learn.evolve import Evolution, Judged, Plan, Verdict
from tacit.learn.evolved import keep
from tacit.learn.fitness import Figures
from tacit.learn.genome import genome_of
from tacit.learn.profiles import in_use
from tacit.learn.replay import Gain
from tacit.profile import DEFAULT
from tacit.record import Chosen, QueryRecord, SessionRecord

BETTER, GENERATIONS = "balanced@1", 3


@pytest.fixture
def kept(store):
    """Give the module's store as another process sees it, with learning off."""
    with Tacit.open(str(store)) as tacit:
        if tacit.learn_status().policy.mode != "off":
            tacit.learn_stop()
        yield tacit


def worked(tacit, number, arm, task_type, *, well):
    """Keep a session that was handed something by an arm, and how it went."""
    at = datetime.now(UTC)
    query = QueryRecord(
        id=tacit.clock.new_id(),
        at=at,
        session=f"claude:{task_type}-{arm}-{number}",
        kind="prompt",
        text="why?",
        profile=arm,
        drawn=True,
        task_type=task_type,
        selected=(Chosen(memory=tacit.clock.new_id(), tokens=10),),
    )
    tacit.store.add_queries([query])
    outcome = "success" if well else "failure"
    session = SessionRecord(id=query.session, started=at, seen=at, ended=at, outcome=outcome)
    tacit.store.put_session(session)


def fill(tacit):
    """Let every arm work: balanced goes well in debugging, and of reviews there are few."""
    for arm in tacit.learn_status().policy.arms:
        for number in range(120):
            worked(tacit, number, arm, "debugging", well=arm == BETTER or number % 4 == 0)
        for number in range(6):
            worked(tacit, number, arm, "review", well=arm == BETTER or number % 2 == 0)


def bred(*, low):
    """Give an evolution whose champion is worth more by at least so much."""
    origin = genome_of(DEFAULT)
    other = origin.replace(numbers=(origin.numbers[0] / 2, *origin.numbers[1:]))
    third = origin.replace(numbers=(origin.numbers[0] / 4, *origin.numbers[1:]))
    start, champion, cheap = (
        Figures(score=score, hit=score, tokens=tokens, looked=50.0, ms=1.0, cases=20)
        for score, tokens in ((0.4, 300.0), (0.8, 240.0), (0.5, 120.0))
    )
    best = Judged(genome=other, figures=champion, fitness=0.7, changed=1)
    gain = Gain(mean=0.3, low=low, high=0.5, share=0.975, sessions=20, cases=20)
    return Evolution(
        plan=Plan(),
        base="default@1",
        origin=origin,
        until=datetime.now(UTC),
        generation=GENERATIONS,
        judged=(
            Judged(genome=origin, figures=start, fitness=0.3, changed=0),
            Judged(genome=third, figures=cheap, fitness=0.4, changed=1),
            best,
        ),
        champion=best,
        verdict=Verdict(worth=gain, score=gain, base=start, champion=champion),
    )


def toast(page, words):
    return page.locator(".toast", has_text=words)


def click(page, name):
    page.get_by_role("main").get_by_role("button", name=name, exact=True).click()


def test_without_learning_the_page_says_so_and_what_to_do(go, kept):
    page = go("learning")

    expect(page.get_by_text("Learning is off: every session gets")).to_be_visible()
    expect(page.get_by_text("tacit learn start")).to_be_visible()
    expect(page.get_by_text("tacit evolve run")).to_be_visible()
    expect(page.get_by_role("button", name="Roll back")).to_have_count(0)


def test_learning_is_started_watched_paused_and_rolled_back_by_clicking(go, kept):
    page = go("learning")
    click(page, "Start")
    expect(page.get_by_text("Learning adapts: what helps more")).to_be_visible()
    assert kept.learn_status().policy.mode == "adapt"
    fill(kept)
    page.reload()

    arms = page.get_by_role("region", name="Arms for debugging tasks")
    better = arms.get_by_role("row", name=re.compile("balanced@1"))
    expect(better).to_contain_text("better")
    expect(better).to_contain_text("100%")
    expect(better.get_by_role("img", name=re.compile(r"\+\d+% to \+\d+%"))).to_be_visible()
    few = page.get_by_role("region", name="Arms for review tasks")
    expect(few).to_contain_text(re.compile("Too early to tell: needs about [\\d,]+ more sessions"))
    expect(page.get_by_role("region", name="Regret")).to_contain_text("of 480 sessions")

    click(page, "Pause")
    expect(page.get_by_text("Learning is paused: every session")).to_be_visible()
    assert kept.learn_status().policy.paused
    click(page, "Roll back")
    page.get_by_role("dialog").get_by_role("button", name="Roll it back").click()
    expect(toast(page, "Took the last change back")).to_be_visible()
    expect(page.get_by_role("region", name="What was done")).to_contain_text("taken back")
    assert kept.learn_log()[0].event == "taken back"
    click(page, "Resume")
    expect(page.get_by_text("Learning adapts: what helps more")).to_be_visible()


def test_a_stop_is_undone_and_what_was_learnt_still_counts(go, kept):
    page = go("learning")
    click(page, "Compare")
    expect(page.get_by_text("Learning compares: every arm")).to_be_visible()
    fill(kept)
    since = kept.learn_status().policy.since
    click(page, "Stop")
    expect(page.get_by_text("Learning is off: every session")).to_be_visible()
    toast(page, "Learning is off").get_by_role("button", name="Undo").click()

    expect(page.get_by_text("Learning compares: every arm")).to_be_visible()
    found = kept.learn_status()
    assert (found.policy.state, found.policy.since) == ("compare", since)
    assert found.sessions == 4 * 126


def test_a_champion_that_proved_itself_is_adopted_and_taken_back(go, kept):
    keep(kept.store, bred(low=0.1))
    page = go("learning")
    breeding = page.get_by_role("region", name="Breeding")
    drawn = breeding.get_by_role("img", name=re.compile("champion: finds 80% with 240 tokens"))
    expect(drawn).to_be_visible()
    expect(drawn.locator(".dot")).to_have_count(3)
    expect(breeding.get_by_text("proved", exact=True)).to_be_visible()
    breeding.get_by_role("button", name="Adopt the champion").click()

    expect(toast(page, "The champion is in use")).to_be_visible()
    expect(page.get_by_role("region", name="Where it stands")).to_contain_text("evolved@1")
    expect(breeding.get_by_text("evolved@1 is in use by now")).to_be_visible()
    assert in_use(kept.store).ref == "evolved@1"
    assert kept.profile_history()[0].by == "ana"
    toast(page, "The champion is in use").get_by_role("button", name="Undo").click()
    expect(breeding.get_by_role("button", name="Adopt the champion")).to_be_visible()
    assert in_use(kept.store) == DEFAULT


def test_a_champion_that_did_not_prove_itself_is_shown_and_not_offered(go, kept):
    keep(kept.store, bred(low=-0.1))
    page = go("learning")
    breeding = page.get_by_role("region", name="Breeding")

    expect(breeding.get_by_text("not proved", exact=True)).to_be_visible()
    expect(breeding.get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_of_it_can_be_read_by_anybody_and_fits_a_phone(browser, served, kept, scheme):
    from axe_playwright_python.sync_playwright import Axe

    keep(kept.store, bred(low=0.1))
    kept.learn_start()
    fill(kept)
    with visiting(browser, served, color_scheme=scheme, viewport=PHONE) as page:
        arrive(page, served, "learning")
        page.get_by_role("region", name="Arms for debugging tasks").wait_for()
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]

        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

"""What a person changes: done by clicking, seen in the store, and taken back."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from tacit import Tacit


@pytest.fixture
def kept(store):
    """Give the module's store as another process sees it."""
    with Tacit.open(str(store)) as tacit:
        yield tacit


def toast(page, words):
    return page.locator(".toast", has_text=words)


def one(kept, words, **filters):
    return kept.recall(words, channels=["text"], **filters)[0].memory


def test_something_is_remembered_and_taken_back(go, kept):
    page = go("search")
    page.get_by_role("button", name="Remember").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("What should be known?").fill("Gift cards expire after three years")
    sheet.get_by_label("How binding").select_option("guardrail")
    sheet.get_by_role("button", name="Remember").click()

    expect(toast(page, "Remembered")).to_be_visible()
    expect(sheet).to_have_count(0)
    expect(page.locator(".item", has_text="Gift cards")).to_be_visible()
    assert one(kept, "gift cards").tier == "guardrail"
    assert one(kept, "gift cards").author == "ana"
    toast(page, "Remembered").get_by_role("button", name="Undo").click()
    expect(toast(page, "Taken back")).to_be_visible()
    expect(page.locator(".item", has_text="Gift cards")).to_have_count(0)
    assert one(kept, "gift cards", states=["forgotten"]).state == "forgotten"


def test_a_text_is_edited_to_the_last_letter_and_its_history_keeps_the_old_one(go, kept):
    memory = one(kept, "search index rebuilt every night")
    page = go(f"memory/{memory.short}")
    page.get_by_role("button", name="Edit").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("Text")).to_have_value(memory.text)
    sheet.get_by_label("Text").fill("The search index is rebuilt every night at 04:15 UTC")
    sheet.get_by_role("button", name="Save").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("04:15")
    expect(page.locator("ins").first).to_be_visible()
    assert kept.get(memory.id).text.endswith("04:15 UTC")
    toast(page, "Edited").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("03:30")
    assert kept.get(memory.id).text == memory.text
    assert [revision.by for revision in kept.why(memory.id).history[1:]] == ["ana", "ana"]


def test_an_edit_that_is_refused_stays_open_and_says_why(go, kept):
    memory = one(kept, "feature flags")
    page = go(f"memory/{memory.short}")
    page.get_by_role("button", name="Edit").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Text").fill("   ")
    sheet.get_by_role("button", name="Save").click()

    expect(toast(page, "the new text is empty")).to_be_attached()
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    assert kept.get(memory.id).text == memory.text


@pytest.mark.parametrize(
    ("name", "field", "value"), [("Pin", "pinned", True), ("Confirm", "confirmed_by", "ana")]
)
def test_a_memory_is_pinned_and_confirmed(go, kept, name, field, value):
    memory = one(kept, "translations pulled each morning")
    before = getattr(memory, field)
    page = go(f"memory/{memory.short}")
    page.get_by_role("button", name=name, exact=False).first.click()

    expect(page.locator(".toast")).to_be_visible()
    assert getattr(kept.get(memory.id), field) == value
    page.get_by_role("button", name="Undo").click()
    expect(toast(page, "Taken back")).to_be_visible()
    assert getattr(kept.get(memory.id), field) == before


def test_a_memory_is_made_more_binding(go, kept):
    memory = one(kept, "money module for every amount")
    page = go(f"memory/{memory.short}")
    page.get_by_label("Tier").select_option("guardrail")

    expect(page.locator(".chip.tier-guardrail").first).to_be_visible()
    assert kept.get(memory.id).tier == "guardrail"
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".chip.tier-guardrail")).to_have_count(0)
    assert kept.get(memory.id).tier == "reference"


def test_a_memory_is_forgotten_restored_and_forgotten_no_more(go, kept):
    memory = one(kept, "mobile app first version of the cart interface")
    page = go(f"memory/{memory.short}")
    page.get_by_role("button", name="Forget").click()

    expect(page.get_by_role("button", name="Restore")).to_be_visible()
    assert kept.get(memory.id).state == "forgotten"
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Forget")).to_be_visible()
    assert kept.get(memory.id).state == "active"
    page.get_by_role("button", name="Forget").click()
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("button", name="Forget")).to_be_visible()
    assert kept.get(memory.id).state == "active"


def test_drafts_are_accepted_and_rejected_with_a_way_back(go, kept):
    page = go("review")
    drafts = page.get_by_role("region", name="Drafts")
    friday = drafts.locator(".item", has_text="Deploys on Fridays")
    friday.get_by_role("button", name="Accept").click()

    expect(friday).to_have_count(0)
    accepted = one(kept, "deploys on Fridays")
    assert (accepted.state, accepted.confirmed_by) == ("active", "ana")
    toast(page, "Accepted").get_by_role("button", name="Undo").click()
    expect(friday).to_be_visible()
    assert kept.get(accepted.id).state == "candidate"
    friday.get_by_role("button", name="Reject").click()
    expect(friday).to_have_count(0)
    assert kept.get(accepted.id).state == "forgotten"
    toast(page, "Rejected").get_by_role("button", name="Undo").click()
    expect(friday).to_be_visible()
    assert kept.get(accepted.id).state == "candidate"


def test_what_a_cycle_will_do_is_told_with_its_reason_and_can_be_stopped(go, kept):
    page = go("review")
    coming = page.get_by_role("region", name=re.compile("Will be archived"))
    row = coming.locator(".item", has_text="We keep orders in Postgres")
    expect(row).to_contain_text("unused for")
    row.get_by_role("button", name="Keep as it is").click()

    expect(row).to_be_hidden()
    assert one(kept, "orders in Postgres").pinned
    page.get_by_role("button", name="Undo").click()
    expect(row).to_be_visible()
    assert not one(kept, "orders in Postgres").pinned
    page.get_by_role("button", name="Rehearse a cycle").click()
    expect(page.get_by_role("heading", name="What a cycle would do")).to_be_visible()
    assert one(kept, "webhook three times").state == "active"


def test_a_contradiction_is_settled_side_by_side(go, kept):
    (clash,) = kept.contradictions()
    page = go("contradictions")
    article = page.locator("article")
    expect(article.get_by_role("region", name="Side A")).to_contain_text("webhook")
    expect(article.get_by_role("region", name="Side B")).to_contain_text("webhook")
    article.get_by_role("button", name="Keep A").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label(re.compile("^Why")).fill("looked into src/webhooks.py")
    sheet.get_by_role("button", name="Settle it").click()

    expect(page.get_by_text("Nothing contradicts anything")).to_be_visible()
    expect(page.get_by_role("region", name="Settled")).to_contain_text("A was right")
    assert kept.contradictions() == []
    settled = kept.contradictions(open_only=False)[0]
    assert (settled.id, settled.resolution) == (clash.id, "a_wins")
    assert settled.resolution_note == "looked into src/webhooks.py"
    assert kept.get(clash.b).validity.valid_to is not None


def test_two_sides_are_merged_into_one(go, kept):
    kept.remember("Invoices are sent on the first of the month", key="invoice.day", value="1")
    a = kept.remember("We send invoices by post")
    b = kept.remember("We never send invoices by post")
    kept.consolidate(only=("contradict",))
    assert {a.id, b.id} in [{one.a, one.b} for one in kept.contradictions()]
    page = go("contradictions")
    article = page.locator("article", has_text="by post").first
    article.get_by_role("button", name="Merge").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("What is so").fill("Invoices go by post only where a customer asks for it")
    sheet.get_by_role("button", name="Merge", exact=True).click()

    expect(page.get_by_role("region", name="Settled")).to_contain_text("merged into one")
    assert one(kept, "where a customer asks for it").text.startswith("Invoices go by post only")


def test_a_session_is_made_incognito(go, kept):
    session = kept.sessions()[0]
    page = go(f"session/{session.id}")
    page.get_by_role("button", name="Make it incognito").click()

    expect(page.get_by_text("incognito", exact=True)).to_be_visible()
    assert kept.sessions()[0].inject == "off"

"""The page by keys alone, and in the hand: shortcuts, focus, theme, menu."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect
from windows import PHONE, arrive, visiting

from tacit import Tacit


def test_a_slash_leads_to_the_question_from_anywhere(go):
    page = go("overview")
    page.keyboard.press("/")
    expect(page.get_by_role("heading", name="Search")).to_be_visible()
    page.locator(".item").first.wait_for()
    page.keyboard.press("/")

    expect(page.get_by_label("Ask your memory")).to_be_focused()
    page.keyboard.type("refund")
    expect(page.locator(".item").first).to_contain_text("refund", ignore_case=True)
    page.keyboard.press("Escape")
    expect(page.get_by_label("Ask your memory")).not_to_be_focused()


def test_j_and_k_go_along_a_list_and_enter_opens(go):
    page = go("search?q=refund")
    rows = page.locator("[data-row] [data-open]")
    rows.nth(1).wait_for()
    page.keyboard.press("j")
    expect(rows.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(rows.nth(0)).to_be_focused()
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile("/memory/"))
    expect(page.get_by_role("heading", name="What it says")).to_be_visible()


def test_letters_act_on_a_memory_and_u_takes_it_back(go, store):
    with Tacit.open(str(store)) as kept:
        memory = kept.recall("translations pulled", channels=["text"])[0].memory
        page = go(f"memory/{memory.short}")
        page.get_by_role("button", name="Pin").wait_for()
        page.keyboard.press("p")
        expect(page.get_by_role("button", name="Unpin")).to_be_visible()
        assert kept.get(memory.id).pinned
        page.keyboard.press("u")
        expect(page.get_by_role("button", name="Pin", exact=False)).to_contain_text("Pin")
        expect(page.locator(".toast", has_text="Taken back")).to_be_visible()
        assert not kept.get(memory.id).pinned
        page.keyboard.press("e")
        expect(page.get_by_role("dialog").get_by_label("Text")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_letter_that_is_typed_does_nothing_but_stand_there(go, store):
    with Tacit.open(str(store)) as kept:
        before = kept.status().by_state
        page = go("search")
        page.get_by_label("Ask your memory").click()
        page.keyboard.type("pfeu")

        expect(page.get_by_label("Ask your memory")).to_have_value("pfeu")
        assert kept.status().by_state == before


def test_drafts_are_settled_by_keys(go):
    page = go("review")
    page.locator("[data-row]").first.wait_for()
    page.keyboard.press("j")
    page.keyboard.press("a")

    expect(page.locator(".toast", has_text="Accepted")).to_be_visible()
    page.keyboard.press("u")
    expect(page.locator(".toast", has_text="Taken back")).to_be_visible()


@pytest.mark.parametrize(
    ("key", "title"),
    [("t", "Timeline"), ("c", "Contradictions"), ("b", "Briefing"), ("e", "Sessions")],
)
def test_g_and_a_letter_lead_to_a_page(go, key, title):
    page = go("overview")
    page.keyboard.press("g")
    page.keyboard.press(key)

    expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
    expect(page.get_by_role("link", name=title)).to_have_attribute("aria-current", "page")


def test_the_list_of_keys_opens_and_closes(go):
    page = go("overview")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    page.keyboard.press("Escape")

    expect(keys).not_to_be_visible()


def test_going_back_shows_what_was_there_before(go):
    page = go("search?q=refund")
    page.locator(".item a").first.click()
    expect(page.get_by_role("heading", name="What it says")).to_be_visible()
    page.go_back()

    expect(page.get_by_label("Ask your memory")).to_have_value("refund")
    expect(page.locator(".item").first).to_be_visible()


def test_the_theme_follows_the_system_until_one_is_chosen(browser, served):
    with visiting(browser, served, color_scheme="dark") as page:
        arrive(page, served, "overview")
        paper = "getComputedStyle(document.body).backgroundColor"
        dark = page.evaluate(paper)
        page.get_by_role("button", name="Theme: system").click()
        expect(page.get_by_role("button", name="Theme: light")).to_be_visible()
        assert page.evaluate(paper) != dark
        page.reload()
        expect(page.get_by_role("button", name="Theme: light")).to_be_visible()
        page.get_by_role("button", name="Theme: light").click()
        expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()
        assert page.evaluate(paper) == dark


def test_the_menu_of_a_phone_opens_leads_on_and_closes(browser, served):
    with visiting(browser, served, viewport=PHONE, has_touch=True) as page:
        arrive(page, served, "overview")
        expect(page.get_by_role("navigation")).not_to_be_visible()
        page.get_by_role("button", name="Menu").tap()
        page.get_by_role("link", name="Timeline").tap()

        expect(page.get_by_role("heading", name="Timeline")).to_be_visible()
        expect(page.get_by_role("navigation")).not_to_be_visible()

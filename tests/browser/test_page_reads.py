"""What a person looks up: each page does its main task by clicking and typing."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect


def test_the_first_address_leads_to_the_overview(page, served):
    page.goto(served.removesuffix("/ui"))

    expect(page).to_have_url(f"{served}/overview")
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    expect(page).to_have_title("Overview · tacit")


def test_the_overview_tells_growth_kinds_tokens_and_what_waits(go):
    page = go("overview")

    expect(page.get_by_role("img", name=re.compile("memories grew to"))).to_be_visible()
    for words in ("memories kept", "tokens served", "tokens saved", "cost avoided", "of use"):
        expect(page.get_by_text(words, exact=True)).to_be_visible()
    page.get_by_label("Dollars per million tokens").fill("3000000")
    expect(page.get_by_text(re.compile(r"^\$\d"))).to_be_visible()
    page.get_by_role("link", name="1 contradiction").click()
    expect(page.get_by_role("heading", name="These cannot both hold")).to_be_visible()


def test_a_kind_on_the_overview_leads_to_its_memories(go):
    page = go("overview")
    page.get_by_role("link", name="skill", exact=True).click()

    expect(page.get_by_role("button", name="skill", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.locator(".item .kind-skill")).to_have_count(2)
    expect(page.locator(".item")).to_have_count(2)


def test_a_question_is_answered_with_the_reasons(go):
    page = go("search")
    page.get_by_label("Ask your memory").fill("how are tokens signed?")
    first = page.locator(".item").first

    expect(first).to_contain_text("Sign tokens with ES256")
    first.locator("summary").click()
    expect(first.get_by_text("words it shares with the question")).to_be_visible()
    expect(first.get_by_text("of the question’s words")).to_be_visible()
    expect(page.get_by_role("heading", name="How it was found")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?q=how%20are%20tokens%20signed"))


def test_filters_narrow_what_is_found(go):
    page = go("search")
    page.get_by_role("button", name="mandate", exact=True).click()

    expect(page.locator(".item")).to_have_count(2)
    page.get_by_text("More filters").click()
    page.get_by_label("About").fill("file:src/auth.py")
    expect(page.locator(".item")).to_have_count(1)
    page.get_by_label("About").fill("src/auth.py")
    expect(page.get_by_role("alert")).to_contain_text("is not type:name")


def test_nothing_relevant_is_said_to_be_nothing(go):
    page = go("search?q=quantum chromodynamics of penguins")

    expect(page.get_by_text("Nothing that is kept is about this")).to_be_visible()


def test_a_memory_shows_its_levels_its_times_its_history_and_its_links(go):
    page = go("search?q=provider sandbox Sunday")
    page.locator(".item a").first.click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("sandbox is down every Sunday")
    expect(page.locator("del", has_text="02")).to_be_visible()
    expect(page.locator("ins", has_text="01")).to_be_visible()
    page.get_by_role("tab", name=re.compile("^title")).click()
    expect(page.get_by_role("tabpanel")).not_to_contain_text("is down")
    for axis in ("True in the world", "Known to Tacit"):
        expect(page.get_by_text(axis)).to_be_visible()
    page.get_by_role("link", name="tag:payments").click()
    expect(page.locator(".item").first).to_be_visible()
    expect(page).to_have_url(re.compile("facet=tag"))


def test_a_memory_that_is_not_there_is_told_as_such(go):
    page = go("overview")
    page.goto(page.url.replace("overview", "memory/zzzz7777"))

    expect(page.get_by_role("alert")).to_contain_text("zzzz7777")


def test_the_slider_travels_to_what_was_so_then(go):
    page = go("timeline")
    expect(page.locator(".item", has_text="We run Postgres 16").first).to_be_visible()
    slider = page.get_by_label("Moment in time")
    slider.focus()
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("PageUp")

    held = page.get_by_role("region", name="Held then")
    expect(held.get_by_text("We run Postgres 14")).to_be_visible()
    expect(held.get_by_text("We run Postgres 16")).to_have_count(0)
    page.get_by_role("button", name="What was known").click()
    expect(page.get_by_text("What Tacit would have said then")).to_be_visible()
    expect(held.get_by_text("We run Postgres 14")).to_be_visible()
    page.get_by_role("button", name="Now", exact=True).click()
    expect(held.get_by_text("We run Postgres 16")).to_be_visible()
    expect(page.get_by_role("region", name="Over by then")).to_contain_text("We run Postgres 14")


def test_the_graph_begins_with_what_is_named_most_and_grows_by_a_click(go):
    page = go("graph")
    expect(page.locator(".graph svg")).to_be_visible()
    page.get_by_role("button", name="security", exact=True).click()

    expect(page.get_by_role("heading", name="security")).to_be_visible()
    joined = page.get_by_role("region", name="Joined to")
    joined.get_by_role("button", name=re.compile("Sign tokens with ES256")).click()
    expect(page.get_by_role("region", name="Chosen")).to_contain_text("Sign tokens with ES256")
    expect(joined).to_contain_text("supersedes")
    expect(page).to_have_url(re.compile("ref="))
    page.reload()
    expect(page.get_by_role("region", name="Chosen")).to_contain_text("Sign tokens with ES256")


def test_a_node_of_the_graph_can_be_clicked_where_it_is_drawn(go):
    page = go("graph")
    name = page.locator(".graph svg text", has_text="orders").first.bounding_box()
    page.mouse.click(name["x"] + name["width"] / 2, name["y"] - 8)  # the circle above its name

    expect(page.get_by_role("heading", name="orders")).to_be_visible()


def test_a_briefing_follows_the_task_and_the_budget(go):
    page = go("briefing")
    page.get_by_role("textbox", name="Task").fill("rotate the keys that sign tokens")
    chosen = page.get_by_role("region", name="Chosen")

    expect(chosen).to_contain_text("bears on the task")
    expect(chosen).to_contain_text(re.compile("rotate (the )?signing keys", re.IGNORECASE))
    expect(chosen).not_to_contain_text("rebuilt every night")
    expect(page.get_by_label("Text of the briefing")).to_contain_text("<tacit-memory>")
    page.get_by_role("button", name="full 8,000").click()
    expect(page.get_by_role("heading", name=re.compile("of 8,000 tokens"))).to_be_visible()
    page.get_by_label("Budget in tokens").focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", name=re.compile("of 60 tokens"))).to_be_visible()
    page.get_by_role("button", name="startup 400").click()
    expect(page.get_by_label("Budget in tokens")).to_have_attribute("aria-valuetext", "400 tokens")


def test_a_session_tells_what_was_handed_over_and_used(go):
    page = go("sessions")
    page.get_by_role("link", name="Rotate the keys that sign tokens").click()

    expect(page.get_by_role("region", name="At the start")).to_be_visible()
    used = page.locator(".item", has=page.get_by_text("used", exact=True))
    expect(used.first).to_contain_text("Sign tokens with ES256")
    expect(page.get_by_role("region", name="Account")).to_contain_text("tokens")


def test_the_settings_show_what_was_chosen_and_prove_each_path(go):
    page = go("settings")

    expect(page.get_by_role("region", name="Settings")).to_contain_text("embedder")
    expect(page.get_by_role("region", name="Profiles", exact=True)).to_contain_text("seed")
    expect(page.get_by_role("region", name="Types of task")).to_contain_text("debugging")
    page.get_by_role("button", name="Check everything").click()
    expect(page.get_by_role("region", name="Checks").get_by_text("well").first).to_be_visible()


def test_an_address_that_leads_nowhere_says_so(page, served):
    page.goto(f"{served}/overview")
    page.locator("h1").wait_for()
    page.evaluate("document.querySelector('.place').setAttribute('href', '/ui/nowhere')")
    page.locator(".place").first.click()

    expect(page.get_by_text("There is no such page")).to_be_visible()

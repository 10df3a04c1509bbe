"""The page of a team: who signs in sees what a member may see, and is offered what they may do."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from windows import arrive, opening, serving, watching

pytest.importorskip("playwright")

from playwright.sync_api import expect

from postgres_server import a_database, address
from tacit.clock import Clock
from tacit.config import Settings
from tacit.interfaces.rest.tokens import Tokens, path_for
from tacit.model import Scope
from tacit.record import SessionRecord
from tacit.store.connect import connect, create_team, join_team
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

ROLES = {"rita": "reader", "will": "writer"}
SECRET = "sparrow"  # a word of what will keeps for himself
PAGES = (
    *("overview", "search", f"search?q={SECRET}", "timeline", "graph", "sessions", "review"),
    *("contradictions", f"briefing?task={SECRET}%20carts", "settings", "learning"),
)


def as_member(where: str, name: str, home: Path) -> Tacit:
    store = connect(where, tenant="acme", member=name, create=False)
    own = Settings(home=str(home), user=name)
    return Tacit(store, scope=Scope(path="project:shop"), settings=own)


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Serve a team; give the page's address, what was said, and a token for each member."""
    home = tmp_path_factory.mktemp("home")
    with a_database(empty=True) as database:
        where = address(database)
        create_team(where, "acme", "ana")
        there = f"{where}{'&' if '?' in where else '?'}tenant=acme"
        with as_member(where, "ana", home) as ana:
            for name, role in ROLES.items():
                join_team(where, ana.invite(name, role), now=Clock().now())
            shared = ana.remember("Carts are emptied at midnight", files=["src/cart.py"])
            tokens = Tokens(path_for(str(home), ana.store.path))
        with as_member(where, "will", home) as will:
            said = f"The {SECRET} is mine and knows all carts"
            mine = will.remember(said, visibility="private", files=[f"src/{SECRET}.py"])
            now = datetime.now(UTC)
            goal = f"Feed the {SECRET}"
            will.store.put_session(
                SessionRecord(id="claude:s1", host="claude", goal=goal, started=now, seen=now)
            )
        made = {name: tokens.add(name, "admin", name) for name in ROLES}
        with serving(there, home) as page:
            yield {"page": page, "shared": shared.id, "mine": mine.id, **made}


@contextmanager
def signed_in(browser: Browser, team: dict[str, str], name: str) -> Iterator[Page]:
    """Give a window of somebody who has shown their token at the door."""
    with opening(browser) as context, watching(context, team["page"]) as page:
        page.goto(f"{team['page']}/overview")
        page.get_by_label("Token").fill(team[name])
        page.get_by_role("button", name="Enter").click()
        page.get_by_role("heading", name="Overview").wait_for()
        yield page


def kept_on(page: Page) -> str:
    return page.locator(".figure", has_text="memories kept").locator(".figure-number").inner_text()


def offered(page: Page) -> set[str]:
    """Give the names of the buttons of a page that change something."""
    names = {one.split("\n")[0].strip() for one in page.get_by_role("button").all_inner_texts()}
    return names & {
        *("Remember", "Edit", "Pin", "Confirm", "Forget", "Accept", "Reject", "Consolidate now"),
        *("Start", "Compare", "Pause", "Resume", "Stop", "Roll back", "Adopt the champion"),
    }


def test_a_reader_sees_nothing_of_what_another_keeps_for_themselves(browser, team):
    with signed_in(browser, team, "rita") as page:
        for path in PAGES:
            arrive(page, team["page"], path)
            page.wait_for_load_state("networkidle")
            field = page.get_by_role("textbox").all() + page.get_by_role("searchbox").all()
            typed = {one.input_value() for one in field}
            text = page.content()
            for said in typed:
                text = text.replace(said, "")  # what was asked stands in its own field
            assert SECRET not in text, path
        arrive(page, team["page"], "overview")
        assert kept_on(page) == "1"
        page.goto(f"{team['page']}/memory/{team['mine']}")
        expect(page.get_by_text("This could not be shown")).to_be_visible()
        assert "knows all carts" not in page.content()


def test_a_reader_is_offered_nothing_that_would_be_refused(browser, team):
    with signed_in(browser, team, "rita") as page:
        for path in (
            "overview",
            "search",
            "review",
            "contradictions",
            "learning",
            f"memory/{team['shared']}",
        ):
            arrive(page, team["page"], path)
            page.wait_for_load_state("networkidle")
            assert offered(page) == set(), path
        expect(page.get_by_text("Carts are emptied at midnight").first).to_be_visible()
        expect(page.get_by_label("Tier")).to_have_count(0)


def test_a_writer_sees_their_own_and_may_change_it_and_nobody_elses(browser, team):
    with signed_in(browser, team, "will") as page:
        assert kept_on(page) == "2"
        assert offered(page) == {"Remember"}
        arrive(page, team["page"], f"search?q={SECRET}")
        expect(page.locator(".item", has_text=SECRET)).to_be_visible()
        arrive(page, team["page"], "sessions")
        expect(page.get_by_text(f"Feed the {SECRET}")).to_be_visible()
        arrive(page, team["page"], f"memory/{team['shared']}")
        assert offered(page) == set()
        arrive(page, team["page"], f"memory/{team['mine']}")
        assert offered(page) == {"Edit", "Confirm", "Forget"}

        page.get_by_role("button", name="Edit").click()
        sheet = page.get_by_role("dialog")
        sheet.get_by_label("Text").fill(f"The {SECRET} sleeps in the cart")
        sheet.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("sleeps in the cart")

"""What holds on every page: it can be read by anybody, fits a phone, and is safe with any text."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect
from windows import DESK, PHONE, arrive, opening, serving, visiting, watching

from processes import ended, python
from tacit import Tacit

PAGES = (
    *("overview", "search", "search?q=how are tokens signed", "timeline", "graph"),
    *("contradictions", "review", "briefing?task=rotate the signing keys", "sessions", "settings"),
    "learning",
)
SERIOUS = ("serious", "critical")
HALO = 3  # points around the letters of a name that are drawn in the colour of the ground


@pytest.fixture(scope="module")
def every(store):
    """Give the paths of all pages, with one memory and one session."""
    with Tacit.open(str(store)) as kept:
        memory = kept.recall("provider sandbox", channels=["text"])[0].memory
        return (*PAGES, f"memory/{memory.short}", f"session/{kept.sessions()[0].id}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_seriously_keeps_anybody_from_reading(browser, served, every, scheme):
    from axe_playwright_python.sync_playwright import Axe

    # What a page is made of is the same in both themes; its colours are not.
    options = {"resultTypes": ["violations"]}
    if scheme == "dark":
        options["runOnly"] = ["color-contrast"]
    axe = Axe()
    found = {}
    with visiting(browser, served, color_scheme=scheme) as page:
        for path in every:
            arrive(page, served, path)
            for one in axe.run(page, options=options).response["violations"]:
                if one["impact"] in SERIOUS:
                    found[f"{path}: {one['id']}"] = [node["html"] for node in one["nodes"][:3]]

    assert found == {}


def test_no_page_is_wider_than_a_phone(browser, served, every):
    wide = {}
    with visiting(browser, served, viewport=PHONE) as page:
        for path in every:
            arrive(page, served, path)
            width = page.evaluate("document.documentElement.scrollWidth")
            if width > PHONE["width"]:
                wide[path] = width

    assert wide == {}


def test_every_file_comes_from_this_server_and_the_browser_is_told_so(page, served):
    answers = []
    page.on("response", lambda answer: answers.append(answer))
    arrive(page, served, "graph")
    page.locator(".graph svg").wait_for()

    kinds = {Path(answer.url.partition("?")[0]).suffix for answer in answers}
    assert {".css", ".js", ".woff2"} <= kinds
    assert {answer.status for answer in answers} <= {200, 101}
    policy = next(a for a in answers if a.url.endswith("/graph")).headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "connect-src 'self'" in policy


def test_what_would_come_from_elsewhere_is_refused(desk, served):
    page = arrive(desk.new_page(), served, "overview")
    refused = page.evaluate(
        """() => new Promise((resolve) => {
          document.addEventListener("securitypolicyviolation", (event) =>
            resolve(event.effectiveDirective));
          const image = new Image();
          image.src = "//192.0.2.1/seen.png";
        })"""
    )
    page.close()

    assert refused == "img-src"


def test_what_a_memory_says_cannot_act_on_the_page(page, served, store):
    hostile = (
        "<img src=x onerror=\"document.title='taken'\"> "
        "<script>document.title='taken'</script> {{ 7 * 7 }} `${1}` \u2028 </textarea>"
    )
    with Tacit.open(str(store)) as kept:
        memory = kept.remember(hostile, tags=["<b onmouseover=alert(1)>tag"], author="<i>eve</i>")
        kept.edit(memory.id, f"{hostile} and more", by="<u>mallory</u>")
    for place in (
        "overview",
        "search",
        f"memory/{memory.short}",
        "timeline",
        f"graph?ref={memory.short}",
    ):
        arrive(page, served, place)
        assert page.locator("script:text('taken'), img, main i, main b").count() == 0
        assert page.title().endswith("· tacit")
    arrive(page, served, f"memory/{memory.short}")
    expect(page.get_by_role("tabpanel")).to_contain_text("{{ 7 * 7 }}")
    page.get_by_role("button", name="Edit").click()
    field = page.get_by_role("dialog").get_by_label("Text")
    expect(field).to_have_value(f"{memory.text} and more")
    page.keyboard.press("Escape")


@pytest.fixture(scope="module")
def shut(tmp_path_factory):
    """Serve an empty store that nobody may write to, and only to those who show a token."""
    folder = tmp_path_factory.mktemp("shut")
    (folder / "home").mkdir()
    path = folder / "empty.db"
    Tacit.open(str(path)).close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TACIT_HOME", str(folder / "home"))
        patch.setenv("TACIT_WRITE", "off")
        made = python(
            *("-m", "tacit", "--json", "--store", path, "serve"),
            *("--add-token", "ana", "--allow", "admin"),
        )
        token = json.loads(ended(made))["token"]
        with serving(path, folder / "home") as address:
            yield address, token


@pytest.fixture(scope="module")
def inside(browser, shut):
    """Give a browser that has shown its token at the door."""
    address, token = shut
    with opening(browser) as context:
        page = context.new_page()
        page.goto(f"{address}/sessions")
        page.get_by_label("Token").fill(token)
        page.get_by_role("button", name="Enter").click()
        page.get_by_role("heading", name="Sessions").wait_for()
        page.close()
        yield context


def test_without_a_token_a_page_leads_to_the_door(browser, shut):
    with visiting(browser, shut[0]) as page:
        page.goto(f"{shut[0]}/overview")

        expect(page.get_by_label("Token")).to_be_visible()
        assert "/login" in page.url


def test_an_empty_store_says_what_to_do_on_every_page(inside, shut):
    said = {
        "overview": "tacit init --host all",
        "search": "tacit init",
        "timeline": "There is no past yet",
        "graph": "There is nothing to draw yet",
        "contradictions": "Nothing contradicts anything",
        "review": "No draft waits",
        "briefing": "Nothing that is kept is relevant to this",
        "sessions": "tacit init --host all",
        "learning": "tacit evolve run",
    }
    with watching(inside, shut[0]) as page:
        for place, words in said.items():
            arrive(page, shut[0], place)
            expect(page.get_by_text(words).first).to_be_visible()


def test_a_store_nobody_may_write_to_says_so_when_it_is_tried(inside, shut):
    with watching(inside, shut[0]) as page:
        arrive(page, shut[0], "search")
        page.get_by_role("button", name="Remember").click()
        sheet = page.get_by_role("dialog")
        sheet.get_by_label("What should be known?").fill("It opens at nine")
        sheet.get_by_role("button", name="Remember").click()

        expect(page.locator(".toast", has_text="write = 'off'")).to_be_attached()
        expect(sheet).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_no_two_names_in_the_graph_lie_on_each_other(browser, served, viewport):
    with visiting(browser, served, viewport=viewport) as page:
        arrive(page, served, "graph")
        names = page.locator(".graph svg text")
        names.first.wait_for()
        page.locator(".node").first.click()
        page.locator("[aria-label='Joined to']").wait_for()
        boxes = [
            box for one in names.all() if one.text_content().strip() and (box := one.bounding_box())
        ]

    assert len(boxes) > 2
    # Names of what is joined to the chosen one are always shown, and two of them may touch.
    touching = [(one, two) for one, two in combinations(boxes, 2) if _on_each_other(one, two)]
    assert len(touching) <= max(1, len(boxes) // 10)


def _on_each_other(one, two):
    """Tell whether the letters in two boxes share any place."""
    across = min(one["x"] + one["width"], two["x"] + two["width"]) - max(one["x"], two["x"])
    along = min(one["y"] + one["height"], two["y"] + two["height"]) - max(one["y"], two["y"])
    return across > 2 * HALO and along > 2 * HALO

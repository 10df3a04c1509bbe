"""A real server and windows of a real browser, for tests that do what a person does."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from processes import python

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

PATIENCE_MS = 20_000
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}


@contextmanager
def serving(store: Path, home: Path) -> Iterator[str]:
    """Serve a store in a process of its own; give the address of the page."""
    with pytest.MonkeyPatch.context() as patch:
        given = {"TACIT_HOME": str(home), "TACIT_EMBEDDER": "off", "TACIT_USER": "ana"}
        for name, value in given.items():
            patch.setenv(name, value)
        process = python("-m", "tacit", "--json", "--store", store, "serve", "--port", "0")
    try:
        said = process.stdout.readline()
        assert said, process.stderr.read()
        yield json.loads(said)["url"] + "/ui"
    finally:
        process.terminate()
        process.communicate(timeout=60)


@contextmanager
def opening(browser: Browser, **options: object) -> Iterator[BrowserContext]:
    """Give a browser of somebody: what it has loaded once it does not load again."""
    context = browser.new_context(**{"viewport": DESK} | options)
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


@contextmanager
def watching(context: BrowserContext, address: str) -> Iterator[Page]:
    """Give a window; nothing in it may go wrong, and nothing may come from elsewhere."""
    page = context.new_page()
    home = address.removesuffix("/ui")
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda asked: wrong.append(asked.url) if _away(asked.url, home) else None)
    yield page
    page.close()
    assert wrong == []


def _away(url: str, home: str) -> bool:
    return not url.startswith((home, home.replace("http", "ws", 1), "data:", "blob:"))


@contextmanager
def visiting(browser: Browser, address: str, **options: object) -> Iterator[Page]:
    """Give a window of a browser that is opened for it alone."""
    with opening(browser, **options) as context, watching(context, address) as page:
        yield page


def arrive(page: Page, address: str, path: str) -> Page:
    """Open a page and wait until it shows what it is about."""
    page.goto(f"{address}/{path}")
    page.locator("h1").wait_for()
    page.locator(".loading").wait_for(state="detached")
    return page

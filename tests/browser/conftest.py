"""One server, one store and one browser for each module.

After each test it is checked that the browser complained of nothing and asked no other server
for anything.
"""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import shop_memory
from windows import PATIENCE_MS, arrive, opening, serving, watching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give the system's Chromium; without one the tests are skipped aloud, and fail in CI.

    It goes with its module: while it is open, no other test could run an event loop of its own.
    """
    path = chromium.install()
    if not path:
        said = "NO CHROMIUM: nothing about the page was tested; run: python tools/chromium.py"
        if os.environ.get("CI") == "true":
            pytest.fail(said)
        warnings.warn(said, pytest.PytestWarning, stacklevel=1)
        pytest.skip(said)
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=list(chromium.ARGUMENTS))
        yield made
        made.close()


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a filled store to copy from."""
    path = tmp_path_factory.mktemp("filled") / "shop.db"
    shop_memory.fill(path)
    return path


@pytest.fixture(scope="module")
def store(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a filled store of the module's own."""
    return Path(shutil.copy(filled, tmp_path_factory.mktemp("store") / "shop.db"))


@pytest.fixture(scope="module")
def served(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the module's store; give the address of its page."""
    with serving(store, tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[BrowserContext]:
    """Give a browser with windows as wide as a desk."""
    with opening(browser) as made:
        yield made


@pytest.fixture
def page(desk: BrowserContext, served: str) -> Iterator[Page]:
    """Give a window as wide as a desk."""
    with watching(desk, served) as made:
        yield made


@pytest.fixture
def go(page: Page, served: str) -> Callable[[str], Page]:
    """Give a function that opens a page of the server and waits until it is there."""
    return lambda path: arrive(page, served, path)

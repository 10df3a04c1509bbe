"""`tacit bench page`: how long a person waits for each view of a large store.

A real server in a process of its own, a real browser that clicks as a person would, and a store
of made-up memories. Reported is the time from the click until the view shows what it is about,
drawing included; and once, the time of the very first page in a browser that has loaded nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from statistics import median
from typing import Any

from tacit.bench.hook_calls import Place, make_place
from tacit.bench.hook_stores import make_store
from tacit.bench.peers.synthetic import STEMS
from tacit.encode.embedding import open_embedder
from tacit.errors import Unavailable

SIZE = 50_000
ROUNDS = 7
TRIAL = 1_000  # below so many memories it is only tried out, in one round
PATIENCE_MS = 60_000
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync")
# Each view, and what is there once it shows what it is about.
VIEWS = {
    "Overview": ".figure-number.large",
    "Search": ".item",
    "Timeline": ".item",
    "Graph": ".graph svg path",
    "Contradictions": ".empty, article",
    "Review": ".empty, .item",
    "Briefing": ".item",
    "Sessions": ".empty, .item",
    "Settings": ".table",
}
# What a view tells later, when it has had time to find out.
LATER = {"Review": "what is coming"}


def run(sizes: Sequence[int], embedder: str, progress: Callable[[str], None]) -> dict[str, Any]:
    """Measure every view, at the first of the sizes."""
    size = next(iter(sizes), SIZE)
    rounds = ROUNDS if size >= TRIAL else 1
    with tempfile.TemporaryDirectory() as folder:
        place = make_place(folder, embedder)
        make_store(place, size, open_embedder(embedder, threads=0), progress)
        progress(f"page: every view, {rounds} times")
        with _serving(place) as address, _browsing() as browser:
            views = _look(browser, address, rounds)
    return {
        "set": "page",
        "memories": size,
        "rounds": rounds,
        "embedder": embedder,
        "load_average": [round(value, 2) for value in os.getloadavg()],
        "metrics": {"slowest_p50_ms": max(row["p50_ms"] for row in views.values())},
        "categories": views,
    }


@contextmanager
def _serving(place: Place) -> Iterator[str]:
    """Serve the store; give the address of the page."""
    command = [sys.executable, "-m", "tacit", "--json", "serve", "--port", "0"]
    process = subprocess.Popen(
        command,
        cwd=place.folder,
        env=place.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        if not said:
            raise Unavailable("the server did not start; see: tacit serve")
        yield json.loads(said)["url"] + "/ui"
    finally:
        process.terminate()
        process.communicate(timeout=60)


@contextmanager
def _browsing() -> Iterator[Any]:
    path = next((found for name in BROWSERS if (found := shutil.which(name))), "")
    if not path:
        raise Unavailable("there is no Chromium to measure with; install the package chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Unavailable("measuring the page needs: pip install playwright") from None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


def _look(browser: Any, address: str, rounds: int) -> dict[str, dict[str, float]]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE_MS)
    times: dict[str, list[float]] = {"first page": [_timed(lambda: _first(page, address))]}
    for number in range(rounds):
        for name in VIEWS:
            _settled(page)
            times.setdefault(name, []).append(_timed(partial(_go, page, name)))
            # The store has rules in these words, so that something is found every time.
            question = f"change the {STEMS[number]} module without running its tests"
            for what, act in _within(page, name, question).items():
                times.setdefault(what, []).append(_timed(act))
    return {name: _row(found) for name, found in times.items()}


def _first(page: Any, address: str) -> None:
    page.goto(f"{address}/overview")
    _until(page, "Overview", VIEWS["Overview"])


def _go(page: Any, name: str) -> None:
    page.locator(".place", has_text=name).click()
    _until(page, name, VIEWS[name], whole=name not in LATER)


def _until(page: Any, title: str, there: str, *, whole: bool = True) -> None:
    """Wait until a view shows what it is about, looking at every frame that is drawn."""
    page.wait_for_function(
        "([title, there, whole]) => document.querySelector('h1')?.textContent === title "
        "&& document.querySelector(there) && !(whole && document.querySelector('.loading'))",
        arg=[title, there, whole],
        polling="raf",
    )


def _within(page: Any, name: str, question: str) -> dict[str, Callable[[], None]]:
    """Give what is done on a view once it is there, by what it is called in the report."""
    if name == "Search":
        return {"a question": lambda: _ask(page, question), "a memory": lambda: _open(page)}
    if name == "Timeline":
        return {"a step in time": lambda: _drag(page, "Moment in time")}
    if name == "Graph":
        return {"a closer look": lambda: _closer(page)}
    if name in LATER:
        return {LATER[name]: lambda: _settled(page)}
    if name == "Briefing":
        return {"a step of the budget": lambda: _drag(page, "Budget in tokens")}
    return {}


def _ask(page: Any, question: str) -> None:
    page.get_by_label("Ask your memory").fill(question)
    page.wait_for_function("document.querySelector('.score')", polling="raf")


def _open(page: Any) -> None:
    page.locator(".item a").first.click()
    page.wait_for_function("document.querySelector('.axes')", polling="raf")


def _drag(page: Any, label: str) -> None:
    """Move a slider by one step and wait until the list below is new."""
    page.evaluate("document.querySelector('.item').dataset.old = 'yes'")
    page.get_by_label(label).press("ArrowLeft")
    page.wait_for_function(
        "!document.querySelector('[data-old]') && document.querySelector('.item, .empty')",
        polling="raf",
    )


def _closer(page: Any) -> None:
    page.locator(".node").first.click()
    page.wait_for_function("document.querySelector('[aria-label=\"Joined to\"]')", polling="raf")


def _settled(page: Any) -> None:
    """Wait until nothing is on its way, so that one view is not charged for another."""
    page.wait_for_function("!document.querySelector('.loading')", polling="raf")


def _timed(act: Callable[[], None]) -> float:
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1000


def _row(found: Sequence[float]) -> dict[str, float]:
    return {"p50_ms": round(median(found)), "worst_ms": round(max(found))}

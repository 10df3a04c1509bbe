"""Take the pictures of the page for the documents: `python tools/screenshots.py [FOLDER]`.

With `--every FOLDER` each view is taken at three widths, by day and by night, to be looked over.

The store is filled as work fills it. The documents of this repository are committed to a new one
bit by bit over eight months, and observed each time; people say what is written nowhere; agents
ask, are handed memory and say what they used.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import chromium

from tacit.clock import Clock
from tacit.config import load_settings
from tacit.happening import Happening, Moment
from tacit.observation import Tool
from tacit.opening import open_parts
from tacit.system import Tacit

ROOT = Path(__file__).parents[1]
DAYS = 240
BATCHES = 16
START = datetime.now(UTC).replace(hour=9, minute=0, second=0, microsecond=0) - timedelta(days=DAYS)
WIDE = {"width": 1440, "height": 900}
TABLET = {"width": 820, "height": 1180}
PHONE = {"width": 390, "height": 844}
# Days after the start, what was said, and its fields.
SAID: tuple[tuple[int, str, dict[str, object]], ...] = (
    (
        2,
        "A hook answers within three interpreter starts",
        {"key": "hooks.limit", "value": "3", "tags": ["hooks"]},
    ),
    (
        9,
        "Never let a hook end with another status than 0",
        {
            "kind": "pattern",
            "polarity": "avoid",
            "tier": "mandate",
            "tags": ["hooks"],
            "files": ["src/tacit/interfaces/hooks/run.py"],
        },
    ),
    (
        21,
        "Secrets are taken out before anything is written, indexed or embedded",
        {"tier": "mandate", "tags": ["security"], "files": ["src/tacit/ingest/redaction.py"]},
    ),
    (
        40,
        "Do not add a line to two engines; it belongs above the store",
        {"kind": "pattern", "polarity": "avoid", "tier": "guardrail", "tags": ["store"]},
    ),
    (
        66,
        "The cold recall was slow because numpy was imported for a text search; it is imported where it is used now",
        {
            "kind": "episode",
            "tags": ["speed"],
            "files": ["src/tacit/retrieve/recall.py"],
            "learn_tokens": 6400,
        },
    ),
    (
        90,
        "Vectors are compared exactly, in float32, with numpy on one thread",
        {"tags": ["vectors"], "files": ["src/tacit/store/vectors.py"]},
    ),
    (
        121,
        "A hook answers within four interpreter starts",
        {"key": "hooks.limit", "value": "4", "tags": ["hooks"]},
    ),
    (
        150,
        "To release: run make check, raise the version, tag the commit, push the tag",
        {"kind": "skill", "tags": ["release"]},
    ),
    (
        171,
        "A busy store is never taken for a broken one",
        {"tier": "guardrail", "tags": ["store"], "files": ["src/tacit/store/sqlite/database.py"]},
    ),
    (
        190,
        "The cycle runs for at most twenty seconds after a session",
        {"tags": ["consolidate"], "files": ["src/tacit/consolidate/cycle.py"]},
    ),
    (
        214,
        "The cycle never runs after a session",
        {"tags": ["consolidate"], "author": "agent", "trust": "agent"},
    ),
    (
        231,
        "A test that kills the cycle found a mark that was written too early; the batch and its mark are one transaction now",
        {
            "kind": "episode",
            "tags": ["consolidate"],
            "files": ["src/tacit/consolidate/cycle.py"],
            "learn_tokens": 8200,
        },
    ),
)
DRAFTS = (
    "Benchmarks are run with nothing else on the machine",
    "A decision record has a context, a decision and consequences",
    "Names say what a thing is; there is no module called utils",
)
ASKED = (
    (30, "Why do hooks answer by themselves?", "src/tacit/interfaces/hooks/run.py"),
    (58, "Make the cold recall faster", "src/tacit/retrieve/recall.py"),
    (83, "How are near-duplicates found?", "src/tacit/write/batch.py"),
    (110, "Add a setting for the number of threads", "src/tacit/config.py"),
    (142, "Why is a briefing a knapsack?", "src/tacit/assemble/choose.py"),
    (
        176,
        "The store is reported as corrupt when two processes write",
        "src/tacit/store/sqlite/database.py",
    ),
    (203, "What happens when a cycle is killed?", "src/tacit/consolidate/cycle.py"),
    (233, "Keep secrets out of what a tool prints", "src/tacit/ingest/redaction.py"),
)
# Name, path and what is there once it can be shown.
SHOTS = (
    ("overview", "overview", ".figure-number.large"),
    ("search", "search?q=what happens when a cycle is killed?", ".score"),
    ("memory", "memory/{limit}", ".axis"),
    ("timeline", "timeline", ".item"),
    ("graph", "graph", ".graph svg path"),
    ("contradictions", "contradictions", "article"),
    ("review", "review", ".item"),
    ("briefing", "briefing?task=make the hooks answer faster", ".item"),
    ("session", "session/{session}", ".item"),
)
IN_THE_DARK = ("overview", "graph")
# Views that the documents do not show.
MORE = (
    ("sessions", "sessions", ".item"),
    ("learning", "learning", ".card"),
    ("settings", "settings", ".table"),
)


class Calendar(Clock):
    """A clock that is set by hand."""

    at = START

    def now(self) -> datetime:
        """Give the time it was set to."""
        return self.at


def main(folder: Path, *, every: bool) -> None:
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        os.environ.update(
            HOME=work, TACIT_HOME=f"{work}/home", TACIT_USER="ana", TACIT_WORKER="off"
        )
        repository = Path(work) / "tacit"
        named = fill(repository)
        command = [sys.executable, "-m", "tacit", "--json"]
        subprocess.run([*command, "reembed", "--pending"], cwd=repository, check=True)
        server = subprocess.Popen(
            [*command, "serve", "--port", "0"],
            cwd=repository,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            address = json.loads(server.stdout.readline())["url"]
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=chromium.install(), args=list(chromium.ARGUMENTS)
                )
                if every:
                    look_over(browser, address, folder, named)
                else:
                    for_documents(browser, address, folder, named)
                browser.close()
        finally:
            server.terminate()
            server.wait(60)


def for_documents(browser, address: str, folder: Path, named: dict[str, str]) -> None:
    take(browser, address, folder, "light", WIDE, named, SHOTS)
    dark = [shot for shot in SHOTS if shot[0] in IN_THE_DARK]
    take(browser, address, folder, "dark", WIDE, named, dark)
    take(browser, address, folder, "light", PHONE, named, SHOTS[:1], "-phone")


def look_over(browser, address: str, folder: Path, named: dict[str, str]) -> None:
    for size, suffix in ((WIDE, "-wide"), (TABLET, "-tablet"), (PHONE, "-phone")):
        for scheme in ("light", "dark"):
            take(browser, address, folder, scheme, size, named, (*SHOTS, *MORE), suffix)


def fill(repository: Path) -> dict[str, str]:
    """Let a project grow; give what the pictures name."""
    documents = sorted([*ROOT.glob("docs/decisions/*.md"), *ROOT.glob("docs/howto/*.md")])
    days = [DAYS * batch // BATCHES for batch in range(BATCHES)]
    git(repository, "init", "--quiet")
    git(repository, "remote", "add", "origin", "https://git.example.com/acme/tacit.git")
    clock = Calendar()
    parts = open_parts(None, str(repository), None, load_settings(os.environ), create=True)
    with Tacit(**parts | {"clock": clock, "embedder": None}) as tacit:
        for batch, day in enumerate(days):
            clock.at = START + timedelta(days=day)
            commit(repository, documents[batch::BATCHES], clock.at)
            tacit.observe(str(repository))
            after = days[batch + 1] if batch + 1 < BATCHES else DAYS
            tell(tacit, clock, range(day, after))
        clock.at = START + timedelta(days=DAYS - 1)
        for text in DRAFTS:
            tacit.remember(
                text, state="candidate", author="agent", origin="extracted", trust="agent"
            )
        tacit.consolidate(only=("contradict", "connect", "topics"))
        limit = next(one for one in tacit.list(keys=["hooks.limit"]))
        return {"limit": limit.short, "session": tacit.sessions(1)[0].id}


def commit(repository: Path, documents: list[Path], at: datetime) -> None:
    for document in documents:
        place = repository / document.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(document, place)
    title = documents[0].read_text("utf-8").splitlines()[0].lstrip("# ")
    os.environ.update(dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), at.isoformat()))
    git(repository, "add", ".")
    git(repository, "-c", "user.name=ana", "-c", "user.email=ana@example.com",
        "commit", "--quiet", "--message", f"Write down: {title}")  # fmt: skip


def tell(tacit: Tacit, clock: Calendar, days: range) -> None:
    """Let people and agents say what they said in these days."""
    for day, text, fields in SAID:
        if day in days:
            clock.at = START + timedelta(days=day)
            tacit.remember(text, **{"author": "ana"} | fields)
    for number, (day, prompt, file) in enumerate(ASKED):
        if day in days:
            work(tacit, clock, START + timedelta(days=day), number, prompt, file)


def work(
    tacit: Tacit, clock: Calendar, begun: datetime, number: int, prompt: str, file: str
) -> None:
    """Let an agent work for some minutes: it is handed memory, and uses what fits best."""
    session = f"5e55{number:04}-0000-4000-8000-{number:012}"
    found = tacit.recall(prompt, limit=2, channels=["text", "graph"])
    used = " ".join(f"[R:{hit.memory.short}]" for hit in found)
    told = (
        (Moment.SESSION_START, {}),
        (Moment.PROMPT, {"text": prompt}),
        (Moment.POST_TOOL, {"tool": Tool.EDIT, "name": "Edit", "target": file}),
        (Moment.TURN_END, {"text": f"Done. Applied: {used}"}),
        (Moment.SESSION_END, {}),
    )
    for minute, (moment, fields) in enumerate(told):
        clock.at = begun + timedelta(minutes=4 * minute)
        tacit.attend(Happening(host="claude", moment=moment, session=session, **fields))


def git(repository: Path, *arguments: str) -> None:
    repository.mkdir(exist_ok=True)
    subprocess.run(["git", *arguments], cwd=repository, check=True)


def take(browser, address, folder, scheme, size, named, shots, suffix="") -> None:
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    for name, path, there in shots:
        page.goto(f"{address}/ui/{path.format(**named)}")
        page.locator(there).first.wait_for()
        page.locator(".loading").wait_for(state="detached")
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(600)  # what moves has come to rest
        made = folder / f"{name}-{scheme}{suffix}.png"
        page.screenshot(path=str(made))
        print(made)
    context.close()


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if word != "--every"]
    place = Path(given[0]) if given else ROOT / "docs" / "images"
    main(place, every="--every" in sys.argv)

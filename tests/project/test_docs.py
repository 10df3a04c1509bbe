"""The documents tell the truth: their code runs, their links lead somewhere, nothing is left out."""

from __future__ import annotations

import ast
import asyncio
import os
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from pages import (
    PAGES,
    ROOT,
    Shell,
    blocks_of,
    is_typed,
    name_of,
    prose_of,
    shop,
    typed_in,
)

import tacit
from postgres_server import a_database, address

SOURCE = Path(tacit.__file__).parent
RUN = [
    page for page in PAGES if any(b.language == "python" or is_typed(b) for b in blocks_of(page))
]
# Pages with many commands that are not about meaning; loading a model for each would take minutes.
WITHOUT_MODEL = (
    "benchmark-your-data",
    "brief-an-agent",
    "connect-an-agent",
    "fill-a-store-from-a-repository",
    "hand-work-over",
    "import-other-memories",
    "keep-facts-true",
    "keep-secrets-out",
    "move-and-merge",
    "move-from-loki",
    "recall-with-reasons",
    "remote",
    "review-what-was-found",
    "see-what-helps",
    "serve",
    "share-a-project",
    "spend-few-tokens",
    "teams",
    "travel-in-time",
    "use-from-mcp",
    "vault",
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
WRITTEN = [page for page in PAGES if "<!-- Written by " not in prose_of(page)]  # by hand


@pytest.fixture(autouse=True)
def _loop_that_is_closed():
    """Give pages an event loop and close it: what runs an agent without `await` leaves it open."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()


@pytest.fixture
def reference(monkeypatch):
    """Give the script that writes docs/reference."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import make_reference

    return make_reference


@pytest.fixture
def team_database():
    """Give the address of an empty database."""
    with a_database(empty=True) as name:
        yield address(name)


@pytest.mark.skipif(
    not shutil.which("bash") or not shutil.which("git"), reason="needs bash and git"
)
@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_every_block_of_a_page_runs_in_order(page, tmp_path, monkeypatch, request):
    environ = shop(tmp_path, embedder="off" if page.stem in WITHOUT_MODEL else "default")
    for name in [name for name in os.environ if name.startswith("TACIT_")]:
        monkeypatch.delenv(name)
    for name in ("HOME", "TACIT_HOME", "TACIT_EMBEDDER"):
        monkeypatch.setenv(name, environ[name])
    monkeypatch.chdir(tmp_path / "shop")
    names: dict[str, object] = {"__name__": "page"}
    if page.stem == "teams":
        environ["TEAM"] = request.getfixturevalue("team_database")
    shell = Shell(tmp_path / "shop", environ, tmp_path / "stderr")
    try:
        for block in blocks_of(page):
            if block.language == "python":
                code = "\n" * (block.line - 1) + block.text
                exec(compile(code, str(page), "exec", dont_inherit=True), names)
            elif is_typed(block):
                for typed in typed_in(block):
                    shell.run(typed)
    finally:
        shell.close()


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_the_tour_begins_with_memory_of_what_was_there(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import tour

    tour.Tour(tmp_path).read()

    shown, _, again = capfd.readouterr().out.partition("tacit observe")
    assert "Postgres for orders: We will keep orders in Postgres." in shown
    assert "We never round before tax." in shown
    assert "kept 0 memories" in again


def test_what_looks_like_a_session_is_one():
    for page in PAGES:
        for block in blocks_of(page):
            assert is_typed(block) or block.language != "console", f"{name_of(page)}:{block.line}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_somewhere(page):
    for target in LINK.findall(prose_of(page)):
        if target.startswith(("https://", "http://")):
            continue
        path, _, anchor = target.partition("#")
        to = (page.parent / path).resolve() if path else page
        assert to.exists(), f"{name_of(page)} links to {target}"
        if anchor:
            assert anchor in _anchors(to), f"{name_of(page)} links to {target}"


def test_every_page_can_be_reached_from_the_readme():
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        targets = (target.partition("#")[0] for target in LINK.findall(prose_of(page)))
        waiting += [(page.parent / t).resolve() for t in targets if t and "://" not in t]

    assert set(PAGES) <= reached, sorted(map(name_of, set(PAGES) - reached))


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_a_line_holds_one_sentence(page):
    for line in re.sub(r"`[^`\n]*`", "x", prose_of(page)).splitlines():
        if not line.startswith("|"):
            assert not re.search(r"[a-zx)][.!?] [A-Z]", line), f"{name_of(page)}: {line}"


def test_the_reference_is_what_the_code_says(reference):
    assert sorted(path.name for path in reference.stale()) == []


def test_every_setting_and_variable_is_documented_and_none_else():
    in_code = {
        name
        for path in SOURCE.rglob("*.py")
        for name in re.findall(r"\bTACIT_[A-Z_]+\b", path.read_text(encoding="utf-8"))
    }
    page = (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8")
    from tacit.config import FILE_KEYS

    expected = in_code | {f"TACIT_{key.upper()}" for key in FILE_KEYS}
    assert set(re.findall(r"\bTACIT_[A-Z_]+\b", page)) == expected


def test_the_python_page_names_the_whole_public_api():
    page = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    public = [name for name in dir(tacit.Tacit) if not name.startswith("_")]
    methods = [name for name in public if callable(getattr(tacit.Tacit, name))]
    properties = [n for n in public if isinstance(getattr(tacit.Tacit, n), property)]

    assert [name for name in tacit.__all__ if f"`{name}`" not in page] == []
    assert [name for name in methods if f"acit.{name}(" not in page] == []
    assert [name for name in properties if f"tacit.{name}" not in page] == []


def test_every_table_of_the_schema_is_documented():
    schema = (SOURCE / "store/sqlite/schema.sql").read_text(encoding="utf-8")
    tables = re.findall(r"^CREATE (?:VIRTUAL )?TABLE (\w+)", schema, re.MULTILINE)
    page = (ROOT / "docs/reference/schema.md").read_text(encoding="utf-8")

    assert sorted(re.findall(r"^## (\w+)$", page, re.MULTILINE)) == sorted(tables)


def test_the_architecture_names_every_folder_and_nothing_else():
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    (listing,) = re.findall(r"## The rooms\n.*?```text\n(.*?)```", page, re.DOTALL)
    named = re.findall(r"^ *([\w./-]+) {2,}\S", listing, re.MULTILINE)
    folders = {path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("__init__.py")}

    assert sorted(named) == sorted(folders)


def test_the_layers_are_those_that_are_checked():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"## The layers\n.*?```text\n(.*?)```", page, re.DOTALL)

    assert shown.splitlines() == layers


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_the_tour_goes_along_with_a_session(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import tour

    guide = tour.Tour(tmp_path)
    guide.run("init")
    guide.attend()

    said = capfd.readouterr().out
    error = said.partition("hook claude PostToolUseFailure")[2].partition("\n$ ")[0]
    assert "round(sum(cart) * TAX)" in error
    assert "success" in guide.output("session", "list")
    assert " 1 cited" in guide.output("session", "list")


def test_every_module_says_what_it_knows():
    for path in SOURCE.rglob("*.py"):
        module = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.get_docstring(module), path.relative_to(SOURCE)


def test_decisions_are_numbered_without_gaps_and_have_their_three_parts():
    pages = sorted((ROOT / "docs/decisions").glob("*.md"))

    assert [page.name[:4] for page in pages] == [f"{n:04}" for n in range(1, len(pages) + 1)]
    for page in pages:
        headings = re.findall(r"^## (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert headings[:3] == ["Context", "Decision", "Consequences"], page.name


def test_the_changelog_knows_the_version():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert f"## [{tacit.__version__}]" in changes


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", prose_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}

"""Which files of a project are read, as what, and that nothing else is."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from secret_samples import SAMPLES
from tacit.ingest.documents import MOST_DOCUMENTS, find_documents, sort_of
from tacit.ingest.reading import blob_sha

if TYPE_CHECKING:
    from pathlib import Path

RECORD = "# 1. Use Kafka\n\n## Status\n\nAccepted\n\n## Context\n\nLoad.\n\n## Decision\n\nKafka.\n"


@pytest.fixture
def write(tmp_path):
    """Give a function that writes a file of the project."""

    def _write(path: str, text: str | bytes = "Some words.\n") -> Path:
        file = tmp_path / "project" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    _write("main.py", "print()\n")
    return _write


@pytest.fixture
def found(tmp_path):
    """Give a function that reads the project: what was found by path, and the counts."""

    def _found(tracked=None):
        counts: Counter[str] = Counter()
        documents = list(find_documents(str(tmp_path / "project"), tracked, counts))
        paths = [document.path for document in documents]
        assert len(paths) == len(set(paths))
        return {document.path: document for document in documents}, counts

    return _found


@pytest.mark.parametrize(
    ("path", "sort"),
    [
        ("CLAUDE.md", "rule"),
        ("CLAUDE.local.md", "rule"),
        (".claude/CLAUDE.md", "rule"),
        (".claude/rules/api/errors.md", "rule"),
        ("packages/web/AGENTS.md", "rule"),
        ("GEMINI.md", "rule"),
        (".cursor/rules/style.mdc", "rule"),
        ("web/.cursor/rules/style.mdc", "rule"),
        (".cursorrules", "rule"),
        (".windsurfrules", "rule"),
        (".github/copilot-instructions.md", "rule"),
        ("docs/adr/0001-use-kafka.md", "decision"),
        ("doc/adr/0001-use-kafka.md", "decision"),
        ("docs/decisions/use-kafka.md", "decision"),
        ("adr/adr-001.md", "decision"),
        ("docs/adr/template.md", "doc"),
        ("docs/adr/README.md", "readme"),
        ("README.md", "readme"),
        ("readme.rst", "readme"),
        ("README", "readme"),
        ("README.de.md", "readme"),
        ("CHANGELOG.md", "changelog"),
        ("CHANGES.rst", "changelog"),
        ("HISTORY.txt", "changelog"),
        ("CONTRIBUTING.md", "guide"),
        ("ARCHITECTURE.md", "doc"),
        ("docs/guide/install.rst", "doc"),
        ("docs/notes.txt", "doc"),
        ("docs/agents.md", "doc"),
        ("docs/requirements.txt", None),
        ("docs/conf.py", None),
        ("docs/logo.svg", None),
        ("src/main.py", None),
        ("notes.md", None),
        ("license.txt", None),
        (".claude/settings.json", None),
        (".claude/skills/x/README.md", None),
        ("agents.md", None),
    ],
)
def test_a_path_tells_what_a_file_is_for(path, sort):
    assert sort_of(path) == sort


def test_what_matters_most_comes_first(write, found):
    for path in ("CHANGELOG.md", "docs/a.md", "README.md", "docs/adr/0001-k.md", "z/CLAUDE.md"):
        write(path, RECORD)

    documents, _ = found()

    assert list(documents) == [
        "z/CLAUDE.md",
        "docs/adr/0001-k.md",
        "README.md",
        "CHANGELOG.md",
        "docs/a.md",
    ]


def test_a_document_has_its_title_its_fields_and_the_id_git_gives_it(write, found):
    raw = b"---\nowner: Mia\n---\n# Install it\r\n\r\nRun make.\r\n"
    write("docs/install.md", raw)

    documents, _ = found()

    document = documents["docs/install.md"]
    assert document.title == "Install it"
    assert document.meta == (("owner", "Mia"),)
    assert document.text == "# Install it\n\nRun make."
    assert document.sha == blob_sha(raw)


def test_with_tracked_files_only_those_are_read_and_rules_that_are_not(write, found):
    for path in (
        "README.md",
        "docs/a.md",
        "docs/draft.md",
        "CLAUDE.local.md",
        ".claude/rules/r.md",
    ):
        write(path)
    write("src/AGENTS.md")
    write("ignored/deep/CLAUDE.md")

    documents, _ = found(["README.md", "docs/a.md", "src/main.py", "gone.md"])

    assert set(documents) == {
        "README.md",
        "docs/a.md",
        "CLAUDE.local.md",
        ".claude/rules/r.md",
        "src/AGENTS.md",
    }


def test_folders_of_others_and_of_builds_are_passed_over(write, found):
    for folder in ("node_modules/x", ".git", "venv", "build", "dist", "vendor/lib", ".tox", "env"):
        write(f"{folder}/README.md")
    write("inner/.git/HEAD", "ref: refs/heads/main")
    write("inner/README.md")
    write("README.md")

    documents, _ = found()
    tracked, _ = found(["node_modules/x/README.md", "vendor/lib/README.md", "docs/build/how.md"])

    assert list(documents) == ["README.md"]
    assert list(tracked) == []


def test_a_tracked_page_about_building_is_read(write, found):
    write("docs/build/how.md")

    assert list(found(["docs/build/how.md"])[0]) == ["docs/build/how.md"]


def test_a_record_is_one_by_its_parts(write, found):
    write("docs/adr/0001-use-kafka.md", RECORD)
    write("docs/adr/notes.md", "# Notes\n\nNothing was settled.\n")
    write("docs/design/0002-use-redis.md", RECORD)
    write(
        "docs/adr/0003-y.md",
        "In the context of search, facing load, we decided for A to achieve B.",
    )

    documents, _ = found()

    assert {path: d.sort.value for path, d in documents.items()} == {
        "docs/adr/0001-use-kafka.md": "decision",
        "docs/adr/notes.md": "doc",
        "docs/design/0002-use-redis.md": "decision",
        "docs/adr/0003-y.md": "decision",
    }


def test_a_link_to_another_document_is_no_second_one(write, found, tmp_path):
    write("AGENTS.md")
    (tmp_path / "project/CLAUDE.md").symlink_to("AGENTS.md")

    assert list(found()[0]) == ["AGENTS.md"]
    assert list(found(["AGENTS.md", "CLAUDE.md"])[0]) == ["AGENTS.md"]


def test_a_rules_folder_may_be_a_link_within_the_project(write, found, tmp_path):
    write("shared/style.md")
    (tmp_path / "project/.claude").mkdir()
    (tmp_path / "project/.claude/rules").symlink_to("../shared")

    documents, _ = found()

    assert {path: d.sort.value for path, d in documents.items()} == {"shared/style.md": "rule"}


def test_links_that_form_a_loop_end(write, found, tmp_path):
    write("docs/a/page.md")
    (tmp_path / "project/docs/a/up").symlink_to("..")
    (tmp_path / "project/docs/b").symlink_to("a")
    (tmp_path / "project/docs/self.md").symlink_to("self.md")
    (tmp_path / "project/docs/root").symlink_to(tmp_path / "project")

    assert list(found()[0]) == ["docs/a/page.md"]


def test_nothing_outside_the_project_is_read(write, found, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "README.md").write_text("Not ours.")
    write("main.md")
    (tmp_path / "project/README.md").symlink_to(outside / "README.md")
    (tmp_path / "project/docs").symlink_to(outside)

    documents, counts = found()
    tracked, _ = found(["../outside/README.md", str(outside / "README.md"), "README.md", "a\0b"])

    assert documents == {}
    assert counts["outside the project"] == 1
    assert tracked == {}


def test_imports_become_rule_files_but_not_those_in_code(write, found):
    write(
        "CLAUDE.md",
        "See @docs/style.md, and @./notes/git.md.\n`@docs/a.md`\n```\n@docs/b.md\n```\n"
        "Mail mia@docs/c.md or @mia, use @angular/core\n",
    )
    for name in "abc":
        write(f"docs/{name}.md")
    write("docs/style.md", "Use tabs. @more.md")
    write("docs/more.md")
    write("notes/git.md")

    documents, _ = found()

    rules = {path for path, d in documents.items() if d.sort == "rule"}
    assert rules == {"CLAUDE.md", "docs/style.md", "docs/more.md", "notes/git.md"}
    assert documents["docs/a.md"].sort == "doc"


def test_imports_go_four_deep_and_may_go_round(write, found):
    write("CLAUDE.md", "@i/1.md")
    for place in range(1, 7):
        write(f"i/{place}.md", f"Rule {place}. @{place + 1}.md @../CLAUDE.md")

    documents, counts = found()

    assert sorted(documents) == ["CLAUDE.md", "i/1.md", "i/2.md", "i/3.md", "i/4.md"]
    assert counts["imports too deep"] == 1


def test_an_import_cannot_leave_the_project(write, found, tmp_path):
    (tmp_path / "secret.md").write_text("Not for you.")
    write(
        "CLAUDE.md", f"@../secret.md @{tmp_path}/secret.md @../../../../../../etc/passwd @/etc/a.md"
    )
    write("sub/CLAUDE.md", "@../../secret.md")
    (tmp_path / "project/in.md").symlink_to(tmp_path / "secret.md")
    write("GEMINI.md", "@in.md")

    documents, counts = found()

    assert set(documents) == {"CLAUDE.md", "sub/CLAUDE.md", "GEMINI.md"}
    assert counts["outside the project"] == 5


def test_comments_are_dropped_but_not_those_in_code(write, found):
    write(
        "CLAUDE.md",
        "Keep.\n<!-- ids: 1\n2 -->\n`<!-- shown -->`\n```html\n<!-- code -->\n```\n<!-- open\nEnd.",
    )

    documents, _ = found()

    text = documents["CLAUDE.md"].text
    assert "ids" not in text
    assert "<!-- shown -->" in text
    assert "<!-- code -->" in text
    assert text.endswith("End.")


def test_what_is_too_large_binary_or_empty_is_counted(write, found):
    write("docs/huge.md", b"x" * 10_000_000)
    write("docs/image.md", b"\x89PNG\0\0\0")
    write("docs/empty.md", "  \n")
    write("docs/latin.md", "Größe".encode("latin-1"))
    write("docs/wide.md", "Größe".encode("utf-16"))

    documents, counts = found()

    assert {path: d.text for path, d in documents.items()} == {
        "docs/latin.md": "Größe",
        "docs/wide.md": "Größe",
    }
    assert (counts["too large"], counts["binary"], counts["empty"]) == (1, 1, 1)


def test_a_long_document_is_not_cut(write, found):
    text = "\n\n".join(f"Paragraph {place} says something." for place in range(20_000))
    write("docs/long.md", text)

    assert found()[0]["docs/long.md"].text == text


def test_no_secret_of_text_field_or_name_stays(write, found):
    for place, sample in enumerate(SAMPLES.values()):
        write(
            f"docs/{place}.md", f"---\nnote: |\n  {sample.text}\n---\n# {place}\n\n{sample.text}\n"
        )
    token = next(s.secret for s in SAMPLES.values() if s.secret.startswith("ghp_"))
    write(f"docs/{token}.md", "# A page\n")

    documents, counts = found()

    everything = repr(documents)
    assert [name for name, s in SAMPLES.items() if s.secret in everything] == []
    assert sum(counts.values()) >= len(SAMPLES)
    page = next(d for d in documents.values() if d.title == "A page")
    assert "REDACTED" in page.path
    assert page.sha == ""


def test_names_that_are_no_text_are_replaced(write, found, tmp_path):
    write("docs/a.md")
    name = os.fsencode(str(tmp_path / "project/docs")) + b"/\xff\xfe.md"
    try:
        with open(name, "wb") as file:
            file.write(b"Words.")
    except OSError:
        pytest.skip("this file system wants names in UTF-8")

    documents, _ = found()

    assert all(path.encode() for path in documents)
    assert len(documents) == 2


def test_reading_again_gives_the_same(write, found):
    for path in ("CLAUDE.md", "README.md", "docs/adr/0001-k.md", "docs/b.md"):
        write(path, RECORD)

    assert found() == found()
    assert list(found()[0]) == list(found()[0])


@given(data=st.binary(max_size=400))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_or_counted(write, found, data):
    for path in ("CLAUDE.md", "docs/adr/0001-k.md", "README.rst"):
        write(path, data)

    documents, counts = found()

    assert len(documents) == 3 or counts
    assert all(document.text.encode() for document in documents.values())
    assert found()[0] == documents


@pytest.mark.parametrize(
    "piece",
    ["<!--", "<!-- `", "`", "``` ", "```\n", "@a.md ", "---\n", "`` ` ", "<!---->", "~~~\n"],
)
def test_reading_takes_time_in_proportion(write, found, piece):
    write("CLAUDE.md", piece * (600_000 // len(piece)))

    found()  # ends, where a quadratic search would take minutes


def test_bounds_are_counted_and_cut_off_pages_before_rules(write, found):
    for place in range(MOST_DOCUMENTS + 5):
        write(f"docs/{place:05}.md", "x")
    write("z/CLAUDE.md")

    documents, counts = found()

    assert len(documents) == MOST_DOCUMENTS
    assert next(iter(documents)) == "z/CLAUDE.md"
    assert counts == {"too many documents": 1}


def test_folders_too_deep_and_names_too_long_are_counted(write, found):
    write("/".join(["d"] * 14) + "/README.md")
    write("docs/" + "/".join(["long" * 20] * 6) + "/a.md")

    documents, counts = found()

    assert documents == {}
    assert counts == {"folder too deep": 1, "name too long": 1}

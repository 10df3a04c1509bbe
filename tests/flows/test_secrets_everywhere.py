"""Secrets in every place a memory is made from: none of them is found in anything that is left.

All samples are planted at once: in sessions, commits, documents, manifests, reports, events and
the memories of others. Then every byte of the store, its log, its backups, its exports and all
that was printed is searched.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

import pytest

from fakes import WordCounter
from secret_samples import SAMPLES
from tacit.__main__ import main
from tacit.encode.report_drafts import report_drafts
from tacit.exchange.formats import FORMATS
from tacit.ingest.redaction import redact
from tacit.ingest.reports import read_reports
from tacit.system import Tacit
from watched import Repo, claude_session, codex_session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from secret_samples import Sample

LEAST = 7  # characters of a piece of a secret that is looked for
HOSTS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME")
# A sample of these would hide what stands behind it in the same text.
ALONE = [name for name in SAMPLES if name.startswith(("private", "pem cut"))]
LINES = {name: s for name, s in SAMPLES.items() if "\n" not in s.text and name not in ALONE}
SOME = list(SAMPLES.values())[::8]  # for places that are read like others


def names_itself(sample: Sample) -> bool:
    """Tell whether a secret is known without the words around it, and can be a file's name."""
    fits = len(sample.secret) < 200 and not set(sample.secret) & set("/\n\\: ")
    return fits and sample.secret not in redact(f"docs/{sample.secret}.md").text


NAMES = {name: sample for name, sample in SAMPLES.items() if names_itself(sample)}


def pieces(sample: Sample) -> list[str]:
    """Give what to search for: each line of a secret, since line ends may be written in ways."""
    lines = sample.secret.replace("\\n", "\n").replace("→", "\n").split("\n")
    found = [line.strip() for line in lines if "-----" not in line]
    return [line for line in found if len(line) >= LEAST] or [sample.secret]


def plant_commits(repo: Repo) -> None:
    """Put every sample into a subject, a body, a path, and a file that is added and removed."""
    out = io.BytesIO()
    when = 1_767_700_000
    for number, (name, sample) in enumerate(SAMPLES.items()):
        subject = sample.text if name in LINES else "Change the settings"
        message = f"{subject}\n\nBecause of this:\n{sample.text}\n".encode()
        when += 60
        out.write(b"commit refs/heads/main\n")
        out.write(f"committer Mia <mia@shop.example> {when} +0000\n".encode())
        out.write(f"data {len(message)}\n".encode() + message + b"\n")
        if number == 0:
            out.write(b"from refs/heads/main^0\n")
        content = sample.text.encode()
        path = f"paths/{sample.secret}.txt" if name in NAMES else f"paths/{number}.txt"
        quoted = path.replace('"', "_")
        out.write(f'M 100644 inline "{quoted}"\n'.encode())
        out.write(f"data {len(content)}\n".encode() + content + b"\n")
    subprocess.run(
        ["git", "-C", str(repo.path), "fast-import", "--quiet"], input=out.getvalue(), check=True
    )
    repo.git("reset", "-q", "--hard")


def plant_files(repo: Repo) -> None:
    """Put every sample into documents, front matter, records, rules, names, manifests and code."""
    for number, (name, sample) in enumerate(SAMPLES.items()):
        title = json.dumps(sample.text)
        front = f"---\ntitle: {title}\nstatus: {title}\n---\n# Front {number}\n\n{sample.text}\n"
        repo.write(f"docs/front{number}.md", front)
        if name in NAMES:
            repo.write(f"docs/{sample.secret}.md", f"# Named {number}\n\nSome words here.\n")
    for number, sample in enumerate(SOME):
        record = f"# {number}. Decide {number}\n\n## Status\n\nAccepted\n\n## Decision\n\n"
        repo.write(f"docs/adr/{number:04d}-x.md", f"{record}We use this:\n{sample.text}\n")
    rules = "".join(f"- Always use this:\n  {sample.text}\n" for sample in LINES.values())
    repo.write("CLAUDE.md", f"# Rules\n\n{rules}")
    scripts = {f"s{number}": sample.text for number, sample in enumerate(LINES.values())}
    repo.write("package.json", json.dumps({"name": "x", "scripts": scripts}, indent=1))
    targets = "".join(
        f"t{number}:  ## {sample.text}\n\techo {number}\n"
        for number, sample in enumerate(LINES.values())
    )
    repo.write("Makefile", targets)
    urls = [s.secret for n, s in SAMPLES.items() if n.startswith("url ") or n in NAMES]
    repo.write(
        "requirements.txt",
        "".join(f"p{n} @ git+https://jo:{u}@git.acme.io/x@v1\n" for n, u in enumerate(urls))
        + "".join(f"--index-url https://jo:{u}@pypi.acme.io/simple\n" for u in urls),
    )
    code = "".join(
        f"def load_{number}(store):\n    value = store.get({sample.text!r})\n"
        f"    if value is None:\n        raise KeyError({sample.text!r})\n    return value\n\n\n"
        for number, sample in enumerate(SAMPLES.values())
    )
    repo.write("src/load.py", code)
    repo.commit("Add what is needed")


def plant_sessions(home: Path, folder: Path) -> None:
    """Put every sample into what people, agents and tools say."""
    claude = home / ".claude" / "projects" / "-shop"
    codex = home / ".codex" / "sessions" / "2026" / "02" / "02"
    claude.mkdir(parents=True)
    codex.mkdir(parents=True)
    for number, (name, sample) in enumerate(SAMPLES.items()):
        prompt = f"Please fix the basket. Always use what follows.\n{sample.text}"
        said = claude_session(folder, f"s-{number}", prompt=prompt, output=f"\n{sample.text}")
        quoted = json.dumps(sample.text)[1:-1]
        said = said.replace("return sum(lines)", quoted)  # before
        said = said.replace("return sum(line.price for line in lines)", f"x {quoted}")  # after
        said = said.replace("The total adds the prices of the lines now.", f"Done:\\n{quoted}")
        said = said.replace("TypeError: unsupported operand", f"ValueError: {quoted}")
        said = said.replace("pytest -q tests/test_basket.py", f"{quoted}")  # the command
        if name in NAMES:
            said = said.replace("basket.py", f"{sample.secret}.py")
        (claude / f"s-{number}.jsonl").write_text(said)
        if sample not in SOME:
            continue
        said = codex_session(folder, f"c-{number}", prompt=f"We decided on this:\n{sample.text}")
        (codex / f"rollout-2026-02-02T10-00-00-c-{number}.jsonl").write_text(said)


def events() -> bytes:
    """Give event lines with every sample in every field that holds words."""
    lines: list[dict[str, object]] = []
    for number, sample in enumerate(SAMPLES.values()):
        of = {"session": f"e{number}", "host": "my-agent", "title": sample.text}
        of |= {"branch": sample.text, "author": sample.text, "agent": sample.text}
        words = {"text": sample.text, "target": sample.text}
        edit = {"before": sample.text, "after": f"x\n{sample.text}", "name": sample.text}
        lines += [
            of | {"what": "prompt", "id": "1", "text": f"Always do this:\n{sample.text}"},
            of | {"what": "call", "id": "2", "call": "c", "tool": "edit"} | words | edit,
            of | {"what": "result", "id": "3", "call": "c", "failed": True} | words,
            of | {"what": "summary", "id": "4", "text": sample.text},
            of | {"what": "reply", "id": "5", "text": sample.text},
        ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def memories_of_others(folder: Path) -> Iterator[tuple[str, Path]]:
    """Write the files of other memories, with every sample in them."""
    folder.mkdir()
    graph = [
        {
            "type": "entity",
            "name": sample.text.replace("\n", " ") if name in LINES else f"n{number}",
            "entityType": "thing",
            "observations": [sample.text, f"it says\n{sample.text}"],
        }
        for number, (name, sample) in enumerate(SAMPLES.items())
    ]
    (folder / "memory.jsonl").write_text("".join(json.dumps(row) + "\n" for row in graph))
    yield "server-memory", folder / "memory.jsonl"
    items = [
        {
            "id": f"m{number}",
            "memory": sample.text,
            "metadata": {"note": sample.text},
            "categories": [sample.text],
            "user_id": "ana",
            "created_at": "2026-01-02T10:00:00Z",
        }
        for number, sample in enumerate(SAMPLES.values())
    ]
    (folder / "mem0.json").write_text(json.dumps({"results": items}))
    yield "mem0", folder / "mem0.json"
    memory = folder / "loki" / ".loki" / "memory"
    for number, sample in enumerate(SAMPLES.values()):
        episode = {
            "id": f"ep-2026-01-06-{number:03d}",
            "task_id": f"task-{number}",
            "timestamp": "2026-01-06T10:30:00Z",
            "agent": "eng",
            "context": {"phase": "x", "goal": sample.text, "constraints": [sample.text]},
            "action_log": [{"t": 0, "action": "run", "target": sample.text, "error": sample.text}],
            "outcome": "pass",
            "errors_encountered": [
                {"type": "E", "message": sample.text, "resolution": sample.text}
            ],
            "artifacts_produced": [sample.text],
            "extra": {"deep": [sample.text]},
        }
        place = memory / "episodic" / "2026-01-06" / f"task-{number}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(episode))
    patterns = [
        {"id": f"sem-{n}", "pattern": s.text, "category": "x", "correct_approach": s.text}
        for n, s in enumerate(SAMPLES.values())
    ]
    (memory / "semantic").mkdir()
    (memory / "semantic" / "patterns.json").write_text(json.dumps({"patterns": patterns}))
    yield "loki", folder / "loki"
    with Tacit.open(str(folder / "pages.db")) as other:
        other.remember_many(f"A page about number {number}" for number in range(len(SAMPLES)))
        other.export_to("markdown", str(folder / "pages"))
    pages = sorted(p for p in (folder / "pages").rglob("*.md") if "A page about" in p.read_text())
    for page, sample in zip(pages, SAMPLES.values(), strict=True):
        page.write_text(page.read_text().replace("A page about", f"{sample.text}\n\nA page about"))
    yield "markdown", folder / "pages"


def issues(folder: Path) -> Path:
    """Write an export of a tracker with every sample in titles, bodies, comments and labels."""
    made = [
        {
            "number": number,
            "title": f"Fails: {sample.text}",
            "body": f"ValueError: broken\n{sample.text}",
            "state": "closed",
            "user": {"login": "mia"},
            "labels": [{"name": sample.text}],
            "comments": [{"body": f"Fixed by this:\n{sample.text}"}],
            "created_at": "2026-01-02T10:00:00Z",
            "closed_at": "2026-01-03T10:00:00Z",
        }
        for number, sample in enumerate(SAMPLES.values(), 1)
    ]
    (folder / "issues.json").write_text(json.dumps(made))
    return folder / "issues.json"


def printed(*argv: str) -> bytes:
    """Run a command line and give all that it says; it must go well."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert main(list(argv)) == 0, err.getvalue()
    return (out.getvalue() + err.getvalue()).encode()


def remains_of(folder: Path) -> dict[str, bytes]:
    """Give the content and the names of all files below a folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    found = {str(path.relative_to(folder.parent)): path.read_bytes() for path in files}
    return found | {f"names in {folder.name}": "\n".join(map(str, files)).encode()}


@pytest.fixture(scope="module")
def remains(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, bytes]]:
    """Plant all secrets, observe and import everything, and give all that is left of it."""
    folder = tmp_path_factory.mktemp("secrets")
    home, data = folder / "ana", folder / "tacit"
    repo = Repo(folder / "shop")
    repo.write("README.md", "# Shop\n\nA shop that sells tea.\n")
    repo.commit("Begin the shop")
    plant_commits(repo)
    plant_files(repo)
    plant_sessions(home, repo.path)
    with pytest.MonkeyPatch.context() as patch:
        for name in [*HOSTS, *(name for name in os.environ if name.startswith("TACIT_"))]:
            patch.delenv(name, raising=False)
        patch.setenv("HOME", str(home))
        patch.setenv("TACIT_HOME", str(data))
        patch.setenv("TACIT_EMBEDDER", "off")
        patch.setattr("tacit.encode.tokens.open_counter", WordCounter)
        patch.chdir(repo.path)
        found = {"init": printed("init", "--json")}
        with Tacit.open() as tacit:  # open all the while, so that the log of writes is there
            report = tacit.observe_stream(io.BytesIO(events()))
            assert report.sources[0].seen == len(SAMPLES)
            for format_, path in memories_of_others(folder / "others"):
                found[f"import {format_}"] = printed("import", str(path), "--format", format_)
            for report_ in read_reports(str(issues(folder)), Counter()):
                tacit.write(list(report_drafts(report_)))
            tacit.backup()
            found |= remains_of(data)
            assert any(name.endswith("-wal") for name in found)
            found["list"] = printed("list", "--limit", "100000", "--json")
            found["recall"] = printed("recall", "password token key", "--limit", "50")
            found["status"] = printed("status")
            found["export"] = "".join(tacit.export()).encode()
            for format_ in FORMATS.values():
                if format_.writes and format_.name != "tacit":
                    tacit.export_to(format_.name, str(folder / f"out-{format_.name}"))
                    place = folder / f"out-{format_.name}"
                    if place.is_file():
                        found[format_.name] = place.read_bytes()
                    else:
                        found |= remains_of(place)
        found |= remains_of(data)
        yield {name: content.lower() for name, content in found.items()}


def test_everything_was_read(remains: dict[str, bytes]) -> None:
    told = json.loads(remains["init"])
    seen = {one["source"]: one["seen"] for one in told["sources"]}

    assert seen["git"] == len(SAMPLES) + 2
    assert seen["documents"] >= len(SAMPLES) + len(NAMES) + len(SOME)
    assert seen["sessions"] == len(SAMPLES) + len(SOME)
    assert seen["manifests"] >= 1
    assert len(SAMPLES) >= 40
    assert b"[redacted:" in remains["export"]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_secret_within_json_is_found_too(name: str) -> None:
    kept = redact(json.dumps({"output": SAMPLES[name].text})).text

    assert [piece for piece in pieces(SAMPLES[name]) if piece in kept] == []


@pytest.mark.parametrize("name", SAMPLES)
def test_no_secret_is_left_anywhere(remains: dict[str, bytes], name: str) -> None:
    leaks = [
        (piece, place)
        for piece in pieces(SAMPLES[name])
        for place, content in remains.items()
        if piece.lower().encode() in content
    ]

    assert leaks == []

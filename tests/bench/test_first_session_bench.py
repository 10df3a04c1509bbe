"""A clone is read into a home of its own and asked; labels are kept without the texts."""

from __future__ import annotations

import json
import subprocess

import pytest

from tacit.bench import first_session
from tacit.bench.run import main
from tacit.errors import NotFound


def git(folder, *words):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    done = subprocess.run(
        ["git", *who, "-C", str(folder), *words], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture(scope="module")
def clones(tmp_path_factory):
    clone = tmp_path_factory.mktemp("clones") / "orchard"
    clone.mkdir()
    (clone / "README.md").write_text("# Orchard\n\nCounts apples.\n")
    (clone / "CONTRIBUTING.md").write_text(
        "# Contributing\n\nNever edit the generated file crates.json by hand.\n"
    )
    git(clone, "init", "-q", "-b", "main")
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "Begin")
    return clone.parent


@pytest.fixture
def questions(tmp_path, clones):
    rows = [
        ("orchard-1", "May I edit crates.json by hand?", "rule", [r"never edit.{1,40}crates"], []),
        ("orchard-2", "Which database is used?", "decision", ["postgres"], ["mysql"]),
    ]
    with open(tmp_path / "questions.jsonl", "w") as file:
        for id_, text, type_, gold, stale in rows:
            row = {"repo": "farm/orchard", "id": id_, "q": text, "type": type_, "gold": gold}
            file.write(json.dumps(row | {"stale": stale}) + "\n")
    commit = git(clones / "orchard", "rev-parse", "HEAD")
    (tmp_path / "repos.jsonl").write_text(json.dumps({"repo": "farm/orchard", "commit": commit}))
    return tmp_path


def test_questions_are_asked_of_a_clone_and_of_plain_search(questions, clones, capfd):
    where = ["--data", str(questions), "--repos", str(clones)]

    assert main(["repo-questions", *where, "--json"]) == 0

    result = json.loads(capfd.readouterr().out)
    assert result["questions"] == 2
    assert result["sections"]["by type"]["rule"]["hit@5"] == 1.0
    assert result["sections"]["by type"]["decision"]["in_memory"] == 0.0
    assert result["metrics"]["stale@3"] == 0.0
    assert result["sections"]["plain search"]["rule"]["hit@1"] == 1.0


def test_clones_at_other_commits_are_not_asked(questions, clones):
    (questions / "repos.jsonl").write_text(json.dumps({"repo": "farm/orchard", "commit": "0" * 40}))

    with pytest.raises(NotFound, match="no clone at the commits"):
        main(["repo-questions", "--data", str(questions), "--repos", str(clones)])


def test_a_start_is_weighed_by_labels(clones, monkeypatch):
    weighed = first_session.weigh_starts(str(clones), lambda _line: None)

    assert weighed["metrics"]["unlabelled"] == 1.0
    row = weighed["raw"][0]
    monkeypatch.setattr(first_session, "_labels", lambda: {row["key"]: "noise"})

    again = first_session.weigh_starts(str(clones), lambda _line: None)

    assert again["raw"][0]["label"] == "noise"
    assert again["metrics"]["unlabelled"] < 1.0


def test_a_label_names_its_text_without_quoting_it():
    for line in (
        (first_session.resources.files("tacit.bench") / first_session.LABELS)
        .read_text(encoding="utf-8")
        .splitlines()
    ):
        row = json.loads(line)
        assert set(row) <= {"repo", "key", "label", "from", "why"}
        assert row["label"] in ("useful", "marginal", "noise")


def test_citations_do_not_change_what_a_label_is_kept_under():
    assert first_session._key("a", "[M:abcd2345] Use  tox") == first_session._key("a", "Use tox")
    assert first_session._key("a", "Use tox") != first_session._key("b", "Use tox")

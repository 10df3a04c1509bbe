"""A made-up repository is the same every time, and its first reading is measured from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tacit.bench import first_reading
from tacit.bench.bootstrap import make_repository
from tacit.bench.run import main
from tacit.errors import Unavailable


def git(folder, *words):
    done = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("made") / "repository-40")
    make_repository(folder, 40)
    return folder


def test_a_repository_is_the_same_at_every_making(repository, tmp_path):
    make_repository(str(tmp_path / "again"), 40)

    assert git(repository, "rev-parse", "HEAD") == git(str(tmp_path / "again"), "rev-parse", "HEAD")
    assert git(repository, "rev-list", "--count", "HEAD").strip() == "40"
    assert git(repository, "status", "--porcelain") == ""


def test_it_has_the_size_of_a_real_one(repository):
    files = git(repository, "ls-files").split()

    assert 750 < len(files) < 950
    assert max(path.count("/") for path in files) == 3


def test_what_a_command_needs_is_measured(tmp_path):
    out = str(tmp_path / "out")
    hold = "held = bytearray(b'x' * (60 << 20)); print(len(held))"

    ran = first_reading.watch([sys.executable, "-c", hold], out=out, environ=os.environ)

    assert 60 < ran.peak_mb < 400
    assert ran.cpu_seconds > 0
    with open(out, encoding="utf-8") as file:
        assert file.read().strip() == str(60 << 20)


def test_a_command_that_fails_is_no_measurement():
    failing = "import sys; print('gone', file=sys.stderr); sys.exit(3)"

    with pytest.raises(Unavailable, match="ended with 3: gone"):
        first_reading.watch([sys.executable, "-c", failing], environ=os.environ)


def test_the_first_reading_is_set_beside_git_and_the_second_changes_nothing(
    repository, monkeypatch, capsys
):
    monkeypatch.setattr(first_reading, "TIMES", 1)
    monkeypatch.setattr(first_reading, "_embed_sample", lambda _tacit: {"sample": 0})
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))

    main(["bootstrap", "--commits", "40", "--work", os.path.dirname(repository), "--json"])

    result = json.loads(capsys.readouterr().out)
    first = result["sections"]["first reading"]
    assert first["memories"]["new"] > 0
    assert first["ratio"]["wall"] > 1
    assert first["peak memory"]["MB"] > 10
    assert result["sections"]["afterwards"]["second reading"]["changes nothing"] is True
    assert git(repository, "status", "--porcelain") == ""

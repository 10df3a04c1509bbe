"""Reading a repository's history: whatever it holds, and whatever it tries."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from secret_samples import SAMPLES
from tacit.ingest.git import (
    MOST_CHANGES,
    contains,
    head,
    read_commits,
    read_records,
    standing,
    tags,
    tracked_blobs,
)
from tacit.ingest.reading import blob_sha, clean_many

MARK = "m4rk"
SHA = "a" * 40


class Repo:
    """A repository made for one test."""

    def __init__(self, path: Path, *options: str) -> None:
        self.path = str(path)
        self.time = 1_700_000_000
        self.git("init", "-q", "--initial-branch=main", *options, self.path, at="/")

    def git(self, *arguments: str, at: str = "", **environment: str) -> str:
        """Run git without the user's own settings; the clock goes on a minute."""
        self.time += 60
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        stamp = f"@{self.time} +0000"
        variables = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
        for role in ("AUTHOR", "COMMITTER"):
            variables |= {f"GIT_{role}_NAME": "Mia", f"GIT_{role}_EMAIL": "mia@example.com"}
        variables |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        command = ["git", "-C", at or self.path, *arguments]
        done = subprocess.run(
            command, env=clean | variables | environment, capture_output=True, check=True
        )
        return done.stdout.decode(errors="replace").strip()

    def commit(self, message: str = "change", /, **environment: str) -> str:
        """Commit the work tree as it is; give the id."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, **environment)
        return self.git("rev-parse", "HEAD")

    def write(self, path: str, text: str = "text\n") -> None:
        """Write a file below the root."""
        place = Path(self.path, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


@pytest.fixture
def repo(tmp_path):
    return Repo(tmp_path / "repo")


def read(repo, **options):
    counts = options.pop("counts", Counter())
    return list(read_commits(getattr(repo, "path", repo), counts=counts, **options))


def test_commits_come_oldest_first_with_what_they_did_to_each_file(repo):
    repo.write("src/a.py", "one\ntwo\nthree\nfour\n")
    repo.write("b.txt")
    repo.commit("Add both\n\nBecause both are needed.")
    repo.git("mv", "src/a.py", "src/c.py")
    repo.git("rm", "-q", "b.txt")
    repo.commit("Move one, drop the other")

    first, second = read(repo)

    assert (first.subject, first.body, first.author) == (
        "Add both",
        "Because both are needed.",
        "Mia",
    )
    assert [(c.status, c.path) for c in first.changes] == [("A", "b.txt"), ("A", "src/a.py")]
    assert [(c.status, c.path, c.old_path) for c in second.changes] == [
        ("D", "b.txt", ""),
        ("R", "src/c.py", "src/a.py"),
    ]
    assert second.parents == (first.sha,)
    assert first.at < second.at


def test_a_commit_stands_as_far_as_its_lines_are_as_it_left_them(repo):
    repo.write("a.py", "def first():\n    return compute_it()\n")
    first = repo.commit()
    repo.write("a.py", "def first():\n    return compute_it()\n\n\ndef other_thing():\n    pass\n")
    second = repo.commit()
    repo.git("mv", "a.py", "b.py")
    repo.write("b.py", "def other_thing():\n    pass\n")
    third = repo.commit()
    blobs = [tracked_blobs(repo.path)["b.py"]]

    shares = standing(repo.path, [first, second, third, "--all", "f" * 40], blobs)

    assert shares == {}  # an id that is not there fails the whole question
    assert standing(repo.path, [first, second, third], blobs) == {
        first: 0.0,
        second: 1.0,
        third: 1.0,
    }


def test_only_what_came_after_the_watermark_is_read(repo):
    shas = [repo.commit(f"Change number {n}") for n in range(4)]

    assert [commit.sha for commit in read(repo, after=shas[1])] == shas[2:]
    assert read(repo, after=shas[3]) == []


def test_a_watermark_the_repository_has_lost_means_reading_everything(repo):
    repo.commit()
    counts = Counter()

    assert len(read(repo, after="b" * 40, counts=counts)) == 1
    assert len(read(repo, after="--all", counts=counts)) == 1
    assert counts["watermark lost"] == 2


def test_a_limit_keeps_the_newest(repo):
    shas = [repo.commit(f"Change number {n}") for n in range(5)]

    assert [commit.sha for commit in read(repo, limit=2)] == shas[-2:]


def test_merges_are_counted_and_not_given(repo):
    repo.write("a")
    repo.commit("Base")
    repo.git("checkout", "-q", "-b", "side")
    repo.write("b")
    repo.commit("Side")
    repo.git("checkout", "-q", "main")
    repo.write("c")
    repo.commit("Main")
    repo.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
    counts = Counter()

    assert {commit.subject for commit in read(repo, counts=counts)} == {"Base", "Side", "Main"}
    assert counts["merge commit"] == 1


def test_commits_of_the_same_second_keep_their_order(repo):
    at = {"GIT_COMMITTER_DATE": "@1700000000 +0000"}
    shas = [repo.commit(f"Change number {n}", **at) for n in range(6)]

    assert [commit.sha for commit in read(repo)] == shas
    assert read(repo) == read(repo)


@pytest.mark.parametrize("make", ["missing", "plain", "unborn", "broken", "file"])
def test_where_there_is_no_history_nothing_is_given_and_the_counts_say_so(tmp_path, make):
    place = tmp_path / "place"
    if make == "plain":
        place.mkdir()
    elif make == "unborn":
        Repo(place)
    elif make == "broken":
        Repo(place).commit()
        for part in (place / ".git" / "refs" / "heads").iterdir():
            part.write_text("0" * 40 + "\n")
    elif make == "file":
        place.write_text("")
    counts = Counter()

    assert read(str(place), counts=counts) == []
    assert counts["no history"] == 1
    assert (head(str(place)), tags(str(place))) == ("", {})
    assert tracked_blobs(str(tmp_path)) == {}
    assert not contains(str(place), SHA)


def test_without_the_git_program_nothing_is_given(repo, monkeypatch, tmp_path):
    repo.commit()
    monkeypatch.setenv("PATH", str(tmp_path))
    counts = Counter()

    assert read(repo, counts=counts) == []
    assert counts["no history"] == 1


def test_a_history_whose_objects_are_lost_is_read_as_far_as_it_goes(repo):
    repo.write("a", "1")
    first = repo.commit("First")
    repo.write("a", "2")
    repo.commit("Second")
    Path(repo.path, ".git", "objects", first[:2], first[2:]).unlink()
    counts = Counter()

    read(repo, counts=counts)

    assert counts["git failed"] == 1


def test_bare_shallow_and_detached_repositories_are_read(repo, tmp_path):
    for number in range(3):
        repo.write("a", str(number))
        repo.commit(f"Change number {number}")
    bare, shallow = str(tmp_path / "bare"), str(tmp_path / "shallow")
    repo.git("clone", "-q", "--bare", repo.path, bare)
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", shallow)
    repo.git("checkout", "-q", "--detach", "HEAD~1")

    assert len(read(bare)) == 3
    assert tracked_blobs(bare) == {}
    assert [commit.subject for commit in read(shallow)] == ["Change number 2"]
    assert [commit.subject for commit in read(repo)] == ["Change number 0", "Change number 1"]


def test_the_watermark_is_told_from_a_commit_of_another_branch(repo):
    first = repo.commit("First")
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("Side")
    repo.git("checkout", "-q", "main")

    assert contains(repo.path, first)
    assert not contains(repo.path, side)
    assert not contains(repo.path, "--help")
    assert head(repo.path) == first


def test_tracked_files_have_their_blob_ids_from_the_top_also_asked_from_below(repo):
    repo.write("src/a.py", "a = 1\n")
    repo.write("b.txt", "b\n")
    repo.commit()
    repo.write("untracked")

    wanted = {"b.txt": blob_sha(b"b\n"), "src/a.py": blob_sha(b"a = 1\n")}
    assert tracked_blobs(repo.path) == wanted
    assert tracked_blobs(os.path.join(repo.path, "src")) == wanted


def test_tags_light_and_annotated_belong_to_their_commit(repo):
    sha = repo.commit()
    repo.git("tag", "v1.0")
    repo.git("tag", "-a", "-m", "First", "release-1")

    assert tags(repo.path) == {sha: ("release-1", "v1.0")}
    assert read(repo)[0].tags == ("release-1", "v1.0")


def test_secrets_and_addresses_stay_out_of_messages_paths_and_names(repo):
    sample, other = SAMPLES["gitlab pat"], SAMPLES["github ghp"]
    repo.write("harmless.txt")
    repo.commit("A harmless change")
    repo.write(f"notes/{other.secret}.txt")
    repo.commit(
        f"Use {sample.text}\n\nWrite to tom@example.com, pin react@18.2.0.\n{sample.text}",
        GIT_AUTHOR_NAME="tom@example.com",
    )
    counts = Counter()

    commits = read(repo, counts=counts)

    said = repr(commits)
    assert sample.secret not in said
    assert other.secret not in said
    assert "example.com" not in said
    assert "react@18.2.0" in said
    assert (commits[0].subject, commits[1].author) == ("A harmless change", "tom")
    assert any(name.startswith("redacted: ") for name in counts)


@pytest.mark.parametrize("name", SAMPLES)
def test_no_secret_hides_among_other_texts(name):
    sample = SAMPLES[name]
    around = ["Fix the parser", "src/parser.py", "Because it key", "password", "token ="]

    cleaned = clean_many([*around, sample.text, *around], Counter())

    assert sample.secret not in repr(cleaned)


def test_a_commit_of_very_many_files_is_cut_and_counted(repo):
    for number in range(MOST_CHANGES + 5):
        repo.write(f"many/{number}")
    repo.commit()
    counts = Counter()

    (commit,) = read(repo, counts=counts)

    assert len(commit.changes) == MOST_CHANGES
    assert counts["commit with too many files"] == 1


def test_names_that_are_no_utf_8_are_read_as_well_as_can_be(repo):
    place = os.path.join(os.fsencode(repo.path), b"caf\xe9\n.txt")
    with open(place, "wb") as file:
        file.write(b"x")
    repo.git("config", "i18n.commitEncoding", "latin-1")
    repo.git("add", "-A")
    message = Path(repo.path).parent / "message"
    message.write_bytes(b"Gr\xfc\xdfe")
    repo.git("commit", "-q", "-F", str(message))

    (commit,) = read(repo)

    assert commit.subject == "Grüße"
    assert commit.changes[0].path == "caf\ufffd\n.txt"
    assert list(tracked_blobs(repo.path)) == ["caf\ufffd\n.txt"]


@pytest.mark.parametrize("seconds", ["0", "99999999999"])
def test_an_absurd_time_becomes_that_of_the_commit_before(repo, seconds):
    repo.commit("First")
    repo.commit("Second", GIT_COMMITTER_DATE=f"@{seconds} +0000")
    counts = Counter()

    commits = {commit.subject: commit for commit in read(repo, counts=counts)}

    assert counts["absurd time"] == 1
    assert commits["Second"].at in (commits["First"].at, datetime(1970, 1, 1, tzinfo=UTC))


def test_what_a_hostile_configuration_names_is_never_run(repo, tmp_path):
    repo.write("a.txt", "one\n")
    repo.write(".gitattributes", "*.txt diff=evil filter=evil\n")
    repo.commit("First")
    repo.write("a.txt", "two\n")
    repo.commit("Second")
    proof = tmp_path / "proof"
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\ntouch {proof}\n")
    script.chmod(0o755)
    for name in (
        "core.fsmonitor core.pager pager.log core.sshCommand diff.external diff.evil.command "
        "diff.evil.textconv filter.evil.clean filter.evil.smudge gpg.program core.editor "
        "core.askPass core.alternateRefsCommand"
    ).split():
        repo.git("config", name, str(script))
    for name, value in (
        ("log.showSignature", "true"),
        ("log.diffMerges", "on"),
        ("log.showRoot", "false"),
        ("diff.relative", "true"),
        ("color.ui", "always"),
        ("diff.orderFile", "no-such-file"),
        ("format.pretty", "oneline"),
    ):
        repo.git("config", name, value)

    commits = read(repo)

    assert [len(commit.changes) for commit in commits] == [2, 1]
    assert len(tracked_blobs(repo.path)) == 2
    assert not proof.exists()


def test_a_partial_clone_is_read_without_fetching(repo, tmp_path):
    repo.write("a.py", "1\n2\n3\n4\n")
    repo.commit("First")
    repo.git("mv", "a.py", "b.py")
    repo.write("b.py", "1\n2\n3\n4\n5\n")
    repo.commit("Second")
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = str(tmp_path / "clone")
    repo.git("clone", "-q", "--bare", "--filter=blob:none", f"file://{repo.path}", clone)
    counts = Counter()

    commits = read(clone, counts=counts)

    assert [commit.subject for commit in commits] == ["First", "Second"]
    assert {change.status for change in commits[1].changes} == {"A", "D"}
    assert not counts["git failed"]


def test_the_variables_git_sets_for_its_hooks_do_not_lead_astray(repo, tmp_path, monkeypatch):
    other = Repo(tmp_path / "other")
    other.commit("Of another repository")
    repo.commit("Of this one")
    monkeypatch.setenv("GIT_DIR", os.path.join(other.path, ".git"))

    assert [commit.subject for commit in read(repo)] == ["Of this one"]


def test_a_reader_that_stops_early_leaves_no_process_behind(repo):
    for number in range(3):
        repo.commit(f"Change number {number}")
    commits = read_commits(repo.path, counts=Counter())

    assert [commit.subject for commit in islice(commits, 1)] == ["Change number 0"]
    commits.close()


def test_progress_is_told_how_many_are_read(repo):
    for number in range(3):
        repo.commit(f"Change number {number}")
    told: list[int] = []

    read(repo, progress=told.append)

    assert told == [3]


PIECES = st.sampled_from(
    [
        MARK.encode(), SHA.encode(), b"\0", b"\n", b"A", b"R100", b"M", b"D", b"path", b"3\t1\tp",
        b"-\t-\t", b":100644 100644 a b M", b"1700000000", b"\xff\xfe", b"\x01", b"",
    ]
)  # fmt: skip


@given(st.lists(st.one_of(PIECES, st.binary(max_size=20)), max_size=60), st.integers(1, 40))
@settings(max_examples=100, deadline=None)
def test_any_bytes_git_may_print_are_read_without_failing(pieces, size):
    data = b"".join(pieces)
    chunks = [data[at : at + size] for at in range(0, len(data), size)]

    found = list(read_records(chunks, MARK, Counter()))

    assert found == list(read_records([data], MARK, Counter()))
    assert all(path and status in "AMDRCT" for r in found for status, path, _ in r.changes)


PATHS = st.binary(min_size=1, max_size=12).filter(
    lambda p: b"\0" not in p and MARK.encode() not in p
)


@given(st.lists(st.tuples(st.sampled_from("AMDR"), PATHS, PATHS), max_size=8), PATHS)
@settings(max_examples=100, deadline=None)
def test_what_is_written_in_the_layout_is_read_back(changes, subject):
    parts = [MARK.encode(), SHA.encode(), b"", b"1700000000", b"Mia", subject, b"", b""]
    for place, (status, path, old) in enumerate(changes):
        lead = b"\n" if place == 0 else b""
        parts += [lead + status.encode(), *([old, path] if status == "R" else [path])]

    (record,) = read_records([b"\0".join([*parts, b""])], MARK, Counter())

    wanted = [(s, path, old if s == "R" else b"") for s, path, old in changes]
    assert (record.subject, list(record.changes)) == (subject, wanted)

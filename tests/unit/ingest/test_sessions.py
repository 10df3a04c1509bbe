"""Which reader a file wants, and which files of a machine belong to a project."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
from collections import Counter

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit.ingest import sessions
from tacit.ingest.sessions import find_sessions, read_sessions, read_stream

CLAUDE = {"type": "user", "uuid": "u1", "sessionId": "s1", "message": {"content": "use tabs"}}
CODEX = [
    {"type": "session_meta", "payload": {"id": "s1"}},
    {"type": "event_msg", "payload": {"type": "user_message", "message": "use tabs"}},
]
GEMINI = [
    {"sessionId": "s1", "projectHash": "x"},
    {"id": "m", "type": "user", "content": "use tabs"},
]
EVENT = {"what": "prompt", "id": "e", "text": "use tabs", "session": "s1", "host": "mine"}
FILES = {
    "claude": ("a.jsonl", [CLAUDE]),
    "codex": ("rollout-a.jsonl", CODEX),
    "gemini": ("session-a.jsonl", GEMINI),
    "chat": ("b.jsonl", [{"role": "user", "content": "use tabs"}]),
    "mine": ("c.jsonl", [EVENT]),
}


def text_of(lines):
    return "".join(json.dumps(line) + "\n" for line in lines)


def write(path, lines, at=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of(lines))
    if at:
        os.utime(path, (at, at))
    return str(path)


def opencode_database(path, *folders):
    path.parent.mkdir(parents=True, exist_ok=True)
    with apsw.Connection(str(path)) as made:
        made.execute(
            "CREATE TABLE session (id, parent_id, directory, title, time_created);"
            "CREATE TABLE message (id, session_id, time_created, data);"
            "CREATE TABLE part (id, message_id, session_id, time_created, data)"
        )
        for n, folder in enumerate(folders):
            made.execute("INSERT INTO session VALUES (?, NULL, ?, '', ?)", (f"s{n}", folder, n))
            made.execute(
                "INSERT INTO message VALUES (?, ?, 1, ?)", (f"m{n}", f"s{n}", '{"role": "user"}')
            )
            part = json.dumps({"type": "text", "text": "use tabs"})
            made.execute(
                "INSERT INTO part VALUES (?, ?, ?, 1, ?)", (f"p{n}", f"m{n}", f"s{n}", part)
            )
    made.close()
    return str(path)


@pytest.mark.parametrize("host", FILES)
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_and_a_stream_are_read_by_the_host_they_look_like(tmp_path, host, packed):
    name, lines = FILES[host]
    data = text_of(lines).encode()
    path = tmp_path / (name + ".gz" if packed else name)
    path.write_bytes(gzip.compress(data) if packed else data)

    (of_file,) = read_sessions(str(path), Counter())
    (of_stream,) = read_stream(io.BytesIO(data), "s1", Counter())
    assert of_file.host == of_stream.host == host
    assert of_file.events == of_stream.events
    assert [event.text for event in of_file.events] == ["use tabs"]


@pytest.mark.parametrize("data", [b"", b"\x00\x01", b"# Notes\n", b'{"a": 1}\n', b"\xff\xfe{\x00"])
def test_what_no_reader_knows_is_counted(tmp_path, data):
    path = tmp_path / "x"
    path.write_bytes(data)
    counts = Counter()

    assert [*read_sessions(str(path), counts), *read_stream(io.BytesIO(data), "x", counts)] == []
    assert counts["unknown format"] == 2


def test_a_folder_a_missing_file_and_a_broken_archive_give_nothing(tmp_path):
    broken = tmp_path / "x.gz"
    broken.write_bytes(b"no archive")
    counts = Counter()

    for path in (tmp_path, tmp_path / "none", broken):
        assert list(read_sessions(str(path), counts)) == []
    assert (counts["not a file"], counts["unreadable"]) == (2, 1)


def test_a_stream_longer_than_its_head_is_read_to_its_end():
    lines = [
        CLAUDE | {"uuid": f"u{n}", "message": {"content": f"say {n} " + "x" * 1000}}
        for n in range(200)
    ]

    (session,) = read_stream(io.BytesIO(text_of(lines).encode()), "x", Counter())
    assert len(session.events) == 200


def test_of_a_database_of_all_projects_only_the_sessions_of_the_folder_are_given(tmp_path):
    path = opencode_database(tmp_path / "opencode.db", "/home/ann/shop/api", "/home/ann/other")
    counts = Counter()

    assert len(list(read_sessions(path, counts))) == 2
    (session,) = read_sessions(path, counts, "/home/ann/shop")
    assert session.folder == "/home/ann/shop/api"
    assert counts["session of another project"] == 1


def test_sessions_of_a_project_are_found_by_host_newest_first(tmp_path):
    shop, other = str(tmp_path / "shop"), str(tmp_path / "other")
    projects = tmp_path / ".claude" / "projects"
    mangled = "".join(c if c.isalnum() else "-" for c in shop)
    old = write(projects / mangled / "a.jsonl", [CLAUDE | {"cwd": shop}], 1000)
    new = write(projects / mangled / "b.jsonl", [CLAUDE | {"cwd": shop + "/api"}], 2000)
    moved = write(projects / "elsewhere" / "c.jsonl", [CLAUDE | {"cwd": shop}], 500)
    bare = write(projects / mangled / "d.jsonl", [{"type": "summary", "leafUuid": "u"}], 400)
    write(projects / mangled / "e.jsonl", [CLAUDE | {"cwd": other}])
    write(projects / mangled / "a" / "subagents" / "agent-1.jsonl", [CLAUDE | {"cwd": shop}])
    day = tmp_path / ".codex" / "sessions" / "2026" / "03" / "01"
    rollout = write(
        day / "rollout-x.jsonl", [{"type": "session_meta", "payload": {"id": "s", "cwd": shop}}]
    )
    write(
        day / "rollout-y.jsonl",
        [{"type": "session_meta", "payload": {"id": "s", "cwd": shop + "ping"}}],
    )
    digest = hashlib.sha256(shop.encode()).hexdigest()
    chats = tmp_path / ".gemini" / "tmp"
    chat = write(chats / digest / "chats" / "session-1.jsonl", GEMINI)
    write(chats / digest / "logs.json", [[]])
    write(chats / "else" / "chats" / "session-2.jsonl", GEMINI)
    database = opencode_database(tmp_path / ".local" / "share" / "opencode" / "opencode.db", shop)

    found = find_sessions(shop, {"HOME": str(tmp_path)})

    assert [(each.host, each.path) for each in found] == [
        ("claude", new),
        ("claude", old),
        ("claude", moved),
        ("claude", bare),
        ("codex", rollout),
        ("gemini", chat),
        ("opencode", database),
    ]
    assert (found[0].bytes, found[0].modified_ns) == (os.path.getsize(new), 2000 * 10**9)
    assert all(
        list(read_sessions(each.path, Counter(), shop)) or each.path == bare for each in found[:4]
    )


def test_the_places_of_hosts_are_taken_from_the_environment(tmp_path):
    shop = str(tmp_path / "shop")
    claude = write(tmp_path / "c" / "projects" / "p" / "a.jsonl", [CLAUDE | {"cwd": shop}])
    codex = write(
        tmp_path / "x" / "sessions" / "rollout-a.jsonl",
        [{"type": "session_meta", "payload": {"cwd": shop}}],
    )
    opencode = opencode_database(tmp_path / "d" / "opencode" / "opencode.db", shop)
    place = tmp_path / "g" / ".gemini" / "tmp" / "shop"
    log = write(place / "logs.json", [[]])
    (place / ".project_root").write_text(shop)
    environ = {
        "CLAUDE_CONFIG_DIR": str(tmp_path / "c"),
        "CODEX_HOME": str(tmp_path / "x"),
        "XDG_DATA_HOME": str(tmp_path / "d"),
        "GEMINI_CLI_HOME": str(tmp_path / "g"),
    }

    assert [each.path for each in find_sessions(shop, environ)] == [claude, codex, log, opencode]


def test_links_that_go_round_and_files_that_cannot_be_read_are_left_out(tmp_path):
    shop = tmp_path / "shop"
    shop.mkdir()
    projects = tmp_path / ".claude" / "projects"
    path = write(projects / "p" / "a.jsonl", [CLAUDE | {"cwd": str(shop)}])
    (projects / "p" / "round").symlink_to(projects)
    (projects / "p" / "gone.jsonl").symlink_to(projects / "nothing")
    (projects / "p" / "folder.jsonl").mkdir()
    called = tmp_path / "called"
    called.symlink_to(shop)

    for folder in (shop, called):
        assert [f.path for f in find_sessions(str(folder), {"HOME": str(tmp_path)})] == [path]


def test_no_more_files_are_looked_into_than_allowed(tmp_path, monkeypatch):
    monkeypatch.setattr(sessions, "MOST_LOOKED", 2)
    for n in range(4):
        cwd = CLAUDE | {"cwd": str(tmp_path)}
        write(tmp_path / ".claude" / "projects" / "p" / f"{n}.jsonl", [cwd], 1000 + n)

    found = find_sessions(str(tmp_path), {"HOME": str(tmp_path)})
    assert [os.path.basename(each.path) for each in found] == ["3.jsonl", "2.jsonl"]


def test_nothing_is_found_where_nothing_is(tmp_path):
    assert find_sessions(str(tmp_path), {"HOME": str(tmp_path)}) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_without_harm(tmp_path, data):
    path = tmp_path / "any.jsonl"
    path.write_bytes(data)

    assert list(read_sessions(str(path), Counter())) == list(read_sessions(str(path), Counter()))
    list(read_stream(io.BytesIO(data), "x", Counter()))

"""Sessions of OpenCode, read from its database."""

from __future__ import annotations

import json
from collections import Counter

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from secret_samples import SAMPLES
from tacit.fence import fenced
from tacit.ingest import opencode
from tacit.observation import Tool, What

FOLDER = "/home/ann/shop"
AT = 1_772_359_200_000


class Database:
    """A database as the host makes it, with the columns that are read."""

    def __init__(self, path):
        self.path = str(path)
        self.made = apsw.Connection(self.path)
        self.made.execute(
            "CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT,"
            " time_created INTEGER);"
            "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);"
            "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT,"
            " time_created INTEGER, data TEXT);"
        )
        self.n = 0

    def session(self, id_="s1", parent=None, folder=FOLDER, title="Fix the login"):
        self.n += 1
        self.made.execute(
            "INSERT INTO session VALUES (?, ?, ?, ?, ?)", (id_, parent, folder, title, AT + self.n)
        )

    def message(self, role, *parts, session="s1", **about):
        self.n += 1
        key = f"m{self.n:03}"
        data = {"role": role, "time": {"created": AT}, "modelID": "big-1"} | about
        row = (key, session, AT + self.n, json.dumps(data))
        self.made.execute("INSERT INTO message VALUES (?, ?, ?, ?)", row)
        for n, part in enumerate(parts):
            data = part if isinstance(part, str) else json.dumps(part)
            row = (f"{key}.p{n}", key, session, AT + self.n, data)
            self.made.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?)", row)

    def read(self, counts=None):
        return list(opencode.read(self.path, Counter() if counts is None else counts))


def text(words, **fields):
    return {"type": "text", "text": words} | fields


def tool(name, given, output="", call="c1", **state):
    state = {"status": "completed", "input": given, "output": output, "metadata": {}} | state
    return {"type": "tool", "callID": call, "tool": name, "state": state}


@pytest.fixture
def database(tmp_path):
    made = Database(tmp_path / "opencode.db")
    made.session()
    return made


def test_a_session_tells_its_folder_model_title_and_events_in_order(database):
    database.message("user", text("fix the login"))
    database.message(
        "assistant",
        {"type": "step-start"},
        {"type": "reasoning", "text": "hm"},
        tool("bash", {"command": "pytest", "description": "Test"}, "FAILED", metadata={"exit": 1}),
        tool(
            "edit",
            {"filePath": f"{FOLDER}/src/a.py", "oldString": "x", "newString": "y"},
            call="c2",
        ),
        text("Fixed."),
    )
    (session,) = database.read()

    assert (session.source, session.folder, session.title) == (
        "opencode:s1",
        FOLDER,
        "Fix the login",
    )
    assert session.agent == "big-1"
    assert [(e.what, e.tool, e.target, e.failed) for e in session.events] == [
        (What.PROMPT, None, "", False),
        (What.CALL, Tool.SHELL, "pytest", False),
        (What.RESULT, Tool.SHELL, "pytest", True),
        (What.CALL, Tool.EDIT, "src/a.py", False),
        (What.RESULT, Tool.EDIT, "src/a.py", False),
        (What.REPLY, None, "", False),
    ]
    assert session.started.year == 2026


def test_what_the_host_or_tacit_wrote_is_no_prompt(database):
    database.message(
        "user",
        text("Called the Read tool", synthetic=True),
        text("ignored", ignored=True),
        text(fenced("[M:abcdefgh] remembered")),
        {"type": "file", "url": "data:image/png;base64,x"},
        text("use tabs"),
    )
    (session,) = database.read()

    assert [event.text for event in session.events] == ["use tabs"]


def test_a_summary_is_what_the_host_wrote_when_it_compacted(database):
    database.message("assistant", text("Prices are integers."), summary=True)

    assert [event.what for event in database.read()[0].events] == [What.SUMMARY]


def test_a_subagent_belongs_to_its_parent_and_cycles_do_no_harm(database):
    database.session("s2", parent="s1")
    database.session("s3", parent="s4")
    database.session("s4", parent="s3")
    database.message("user", text("look"), session="s2")
    database.message("assistant", text("seen"), session="s2")
    database.message("user", text("lost"), session="s3")
    (session,) = database.read()

    assert [(event.text, event.side) for event in session.events] == [("seen", True)]


def test_a_call_that_was_rejected_failed_and_the_reason_is_a_prompt(database):
    reason = "The user rejected permission to use this tool with the following feedback: use tabs"
    database.message("assistant", tool("write", {"filePath": "a"}, status="error", error=reason))
    _, result, said = database.read()[0].events

    assert (result.failed, result.text) == (True, "The call was rejected.")
    assert (said.what, said.text) == (What.PROMPT, "use tabs")


def test_tools_that_run_or_broke_and_commands_for_subagents(database):
    database.message("user", {"type": "subtask", "prompt": "Look around", "description": "Look"})
    running = tool("read", {"filePath": "a"}, status="running")
    broken = tool("read", {"filePath": "b"}, call="c2", status="error", error="File not found")
    database.message("assistant", running, broken)
    task, _, _, result = database.read()[0].events

    assert (task.tool, task.target, task.text) == (Tool.TASK, "Look", "Look around")
    assert (result.call, result.failed, result.text) == ("c2", True, "File not found")


def test_sessions_come_newest_first_and_tell_their_folders(database):
    database.session("s2", folder="/home/ann/other")
    for session in ("s1", "s2"):
        database.message("user", text("hello there"), session=session)

    assert [session.id for session in database.read()] == ["s2", "s1"]
    assert opencode.folders(database.path) == ["/home/ann/other", FOLDER]


def test_reading_again_gives_the_same_and_changes_nothing(database):
    database.message("user", text("hello there"))
    database.made.close()
    with open(database.path, "rb") as file:
        before = file.read()

    assert database.read() == database.read()
    with open(database.path, "rb") as file:
        assert file.read() == before


def test_broken_rows_and_other_databases_are_counted(database, tmp_path):
    counts = Counter()
    database.message("user", "{not json", "[1]", text("fine words"), {"type": "new"})
    other = tmp_path / "other.db"
    apsw.Connection(str(other)).execute("CREATE TABLE t (x)").close()

    assert len(database.read(counts)[0].events) == 1
    assert (counts["broken line"], counts["unknown: new"]) == (2, 1)
    assert list(opencode.read(str(other), counts)) == []
    assert counts["unknown format"] == 1


def test_no_secret_survives_wherever_it_stands(tmp_path):
    for n, sample in enumerate(SAMPLES.values()):
        made, secret = Database(tmp_path / f"{n}.db"), sample.text
        made.session(folder=secret, title=secret)
        made.message("user", text(secret))
        calls = [
            tool("bash", {"command": secret}, secret, secret),
            tool(secret, {"x": [secret]}, call="2"),
        ]
        made.message("assistant", text(secret), *calls, modelID=secret)

        assert sample.secret not in repr(made.read()), sample.type
        made.made.close()


WORDS = st.sampled_from(
    "type text tool callID state status completed error input output metadata exit time start role "
    "user assistant summary subtask command filePath".split()
)
JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=8) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=10,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(JSON, JSON)
def test_any_json_in_a_row_is_read_without_harm(tmp_path, about, part):
    path = tmp_path / "any.db"
    path.unlink(missing_ok=True)
    made = Database(path)
    made.session()
    made.message("user", json.dumps(part))
    made.made.execute("UPDATE message SET data = ?", (json.dumps(about),))

    repr(made.read()).encode()
    made.made.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.binary(max_size=4000))
def test_any_bytes_are_read_without_harm(tmp_path, data):
    path = tmp_path / "any.db"
    path.write_bytes(b"SQLite format 3\x00" + data)

    assert opencode.sniff(path.read_bytes())
    assert list(opencode.read(str(path), Counter())) == []
    assert opencode.folders(str(path)) == []

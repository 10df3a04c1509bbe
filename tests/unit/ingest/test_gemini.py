"""Chats of the Gemini CLI, old and new, and its log of prompts."""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from secret_samples import SAMPLES
from tacit.fence import fenced
from tacit.ingest import gemini, reading
from tacit.ingest.sessions import read_sessions
from tacit.observation import Tool, What

AT = "2026-03-01T10:00:00.000Z"
HEAD = {"sessionId": "s1", "projectHash": "ab12", "startTime": AT, "lastUpdated": AT}


def user(text, key="m1"):
    return {"id": key, "timestamp": AT, "type": "user", "content": [{"text": text}]}


def model(text, *calls, key="m2", **fields):
    made = {"id": key, "timestamp": AT, "type": "gemini", "content": text, "model": "gemini-9"}
    return made | {"toolCalls": list(calls)} | fields


def call(name, args, output="", key="c1", status="success", **response):
    answer = {"output": output} | response
    result = [{"functionResponse": {"id": key, "name": name, "response": answer}}]
    return {
        "id": key,
        "name": name,
        "args": args,
        "status": status,
        "result": result,
        "timestamp": AT,
    }


def read_bytes(data, counts=None):
    counts = Counter() if counts is None else counts
    return list(gemini.read_lines(io.BytesIO(data), "some", counts))


def read(*lines):
    return read_bytes("".join(json.dumps(each) + "\n" for each in lines).encode())


def test_old_and_new_chats_give_the_same_session():
    messages = [
        user("fix the login"),
        model(
            "It fails.",
            call("run_shell_command", {"command": "pytest"}, "Output: FAILED\nExit Code: 1"),
            call(
                "replace",
                {"file_path": "src/a.py", "old_string": "x", "new_string": "y"},
                "ok",
                "c2",
            ),
        ),
    ]
    (old,) = read_bytes(json.dumps(HEAD | {"messages": messages}, indent=2).encode())
    (new,) = read(HEAD, *messages)

    assert old == new
    assert (old.source, old.agent) == ("gemini:s1", "gemini-9")
    assert [(e.what, e.tool, e.target, e.failed) for e in old.events] == [
        (What.PROMPT, None, "", False),
        (What.REPLY, None, "", False),
        (What.CALL, Tool.SHELL, "pytest", False),
        (What.RESULT, Tool.SHELL, "pytest", True),
        (What.CALL, Tool.EDIT, "src/a.py", False),
        (What.RESULT, Tool.EDIT, "src/a.py", False),
    ]


def test_a_message_that_grew_is_taken_as_it_ended():
    first, last = model("I look"), model("I look at it", call("glob", {"pattern": "*.py"}))
    (session,) = read(HEAD, user("hello there"), first, {"$set": {"lastUpdated": AT}}, last)

    assert [event.text for event in session.events if event.what is What.REPLY] == ["I look at it"]
    assert [event.target for event in session.events if event.what is What.CALL] == ["*.py"]


def test_what_was_taken_back_is_not_kept():
    lines = [
        HEAD,
        user("one thing"),
        model("a"),
        user("no", "m3"),
        {"$rewindTo": "m2"},
        user("two", "m4"),
    ]
    (session,) = read(*lines)

    assert [event.text for event in session.events] == ["one thing", "two"]


def test_a_chat_that_was_set_anew_is_taken_as_set():
    snapshot = user("<state_snapshot>Prices are integers.</state_snapshot>", "m9")
    (session,) = read(HEAD, user("old"), {"$set": {"messages": [snapshot], "summary": "Prices"}})

    assert [(e.what, e.text) for e in session.events] == [(What.SUMMARY, "Prices are integers.")]
    assert session.title == "Prices"


def test_what_the_host_or_tacit_wrote_is_no_prompt():
    found = read(
        HEAD,
        user("This is the Gemini CLI. We are setting up the context for our chat.", "a"),
        user("<session_context>Today is Monday</session_context>", "b"),
        user(fenced("[M:abcdefgh] remembered"), "c"),
        {"id": "d", "type": "info", "content": "Update available", "timestamp": AT},
        user(
            "look @a.py\n--- Content from referenced files ---\nsecret code\n--- End of content ---",
            "e",
        ),
    )

    assert [event.text for session in found for event in session.events] == ["look @a.py"]


def test_errors_and_calls_that_were_stopped_failed():
    (session,) = read(
        HEAD,
        model(
            "x",
            call("read_file", {"file_path": "a"}, key="c1", status="error", error="File not found"),
            call("write_file", {"file_path": "a", "content": "b"}, key="c2", status="cancelled"),
        ),
    )
    results = [event for event in session.events if event.what is What.RESULT]

    assert [event.failed for event in results] == [True, True]
    assert "not found" in results[0].text
    assert "rejected" in results[1].text


def test_a_call_still_running_has_no_result_and_a_file_is_no_exit_code():
    running = call("glob", {"pattern": "*"}, key="c1", status="executing") | {"result": None}
    shown = call("read_file", {"file_path": "a"}, "Exit Code: 1\n", key="c2")
    (session,) = read(HEAD, model("x", running, shown, thoughts=[{"subject": "hm"}]))

    results = [event for event in session.events if event.what is What.RESULT]
    assert [(event.call, event.failed) for event in results] == [("c2", False)]


def test_a_chat_of_a_subagent_is_on_the_side():
    (session,) = read(HEAD | {"kind": "subagent"}, user("Look"), model("Seen."))

    assert [(event.text, event.side) for event in session.events] == [("Seen.", True)]


def test_a_packed_a_cut_and_a_missing_chat_are_read_as_far_as_they_go(tmp_path):
    whole = tmp_path / "session-a.json.gz"
    data = gzip.compress(json.dumps(HEAD | {"messages": [user("use tabs")]}).encode())
    whole.write_bytes(data)
    counts = Counter()

    assert len(list(read_sessions(str(whole), counts))) == 1
    whole.write_bytes(data[:-12])
    assert list(read_sessions(str(whole), counts)) == []
    whole.write_bytes(b"no archive")
    assert list(read_sessions(str(whole), counts)) == []
    assert list(read_sessions(str(tmp_path / "none.json"), counts)) == []
    assert [counts[name] for name in ("broken archive", "unreadable", "not a file")] == [1, 1, 1]


def test_the_folder_beside_the_chats_makes_paths_relative(tmp_path):
    chats = tmp_path / "tmp" / "shop" / "chats"
    chats.mkdir(parents=True)
    (tmp_path / "tmp" / "shop" / ".project_root").write_text("/home/ann/shop")
    path = chats / "session-2026-03-01T10-00-abcdef12.jsonl"
    lines = [HEAD, model("x", call("read_file", {"absolute_path": "/home/ann/shop/src/a.py"}))]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))

    (session,) = read_sessions(str(path), Counter())
    assert (session.folder, session.events[1].target) == ("/home/ann/shop", "src/a.py")


def test_the_log_gives_the_prompts_of_each_session(tmp_path):
    path = tmp_path / "logs.json"
    entries = [
        {"sessionId": "a", "messageId": 0, "type": "user", "message": "use tabs", "timestamp": AT},
        {"sessionId": "a", "messageId": 1, "type": "user", "message": "/quit", "timestamp": AT},
        {
            "sessionId": "b",
            "messageId": 0,
            "type": "user",
            "message": "use spaces",
            "timestamp": AT,
        },
    ]
    path.write_text(json.dumps(entries, indent=2))

    assert gemini.sniff(path.read_bytes())
    found = list(read_sessions(str(path), Counter()))
    assert [(s.id, [e.text for e in s.events]) for s in found] == [
        ("a", ["use tabs"]),
        ("b", ["use spaces"]),
    ]


def test_a_chat_too_large_to_be_read_whole_is_counted(monkeypatch):
    monkeypatch.setattr(reading, "LARGEST_DOCUMENT", 10)
    counts = Counter()

    assert read_bytes(json.dumps(HEAD).encode(), counts) == []
    assert counts["too large"] == 1


def test_no_secret_survives_wherever_it_stands():
    for sample in SAMPLES.values():
        text = sample.text
        found = read(
            HEAD,
            {"$set": {"summary": text, "directories": [text]}},
            user(text),
            model(
                text,
                call(text, {"x": text}, text, text),
                call("write_file", {"file_path": text}, key="2"),
            ),
        )
        assert sample.secret not in repr(found), sample.type


WORDS = st.sampled_from(
    "id type user gemini content text toolCalls name args result status functionResponse response "
    "$set $rewindTo messages sessionId projectHash messageId message directories thoughts".split()
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=12,
)


@given(st.binary(max_size=300) | st.lists(JSON, max_size=4), st.booleans())
def test_any_bytes_and_any_json_are_read_without_harm_and_the_same_each_time(data, whole):
    if isinstance(data, list):
        data = (json.dumps(data) if whole else "\n".join(map(json.dumps, data))).encode()

    gemini.sniff(data)
    once = read_bytes(data)
    assert once == read_bytes(data)
    repr(once).encode()

"""Rollouts of Codex: items and events of all versions become one session."""

from __future__ import annotations

import io
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secret_samples import SAMPLES
from tacit.fence import fenced
from tacit.ingest import codex
from tacit.observation import Tool, What

FOLDER = "/home/ann/shop"
PATCH = """*** Begin Patch
*** Update File: src/auth.py
@@ def login
-    alg = "HS256"
+    alg = "RS256"
*** Add File: /home/ann/shop/src/keys.py
+KEY = None
*** Delete File: src/old.py
*** Update File: src/a.py
*** Move to: src/b.py
+x
*** End Patch
"""


def line(kind, payload, at="2026-03-01T10:00:00.000Z"):
    return {"timestamp": at, "type": kind, "payload": payload}


def meta(**fields):
    about = {"id": "s1", "cwd": FOLDER, "git": {"branch": "main"}, "originator": "codex_cli_rs"}
    return line("session_meta", about | fields)


def item(**payload):
    return line("response_item", payload)


def said(role, *texts):
    kind = "output_text" if role == "assistant" else "input_text"
    return item(type="message", role=role, content=[{"type": kind, "text": t} for t in texts])


def shown(kind, text):
    return line("event_msg", {"type": kind, "message": text})


def call(name, arguments, call_id="c1"):
    given = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return item(type="function_call", name=name, arguments=given, call_id=call_id)


def output(value, call_id="c1", kind="function_call_output"):
    return item(type=kind, call_id=call_id, output=value)


def read(*lines, counts=None):
    data = "".join(json.dumps(each) + "\n" for each in lines).encode()
    return list(codex.read_lines(io.BytesIO(data), "some", Counter() if counts is None else counts))


def events(*lines):
    return [event for session in read(meta(), *lines) for event in session.events]


def test_a_rollout_is_one_session_with_its_folder_branch_and_model():
    (session,) = read(
        meta(),
        line("turn_context", {"cwd": FOLDER, "model": "gpt-9-codex"}),
        said("user", "fix the login"),
        shown("user_message", "fix the login\n"),
        item(type="reasoning", summary=[{"type": "summary_text", "text": "hm"}]),
        call("exec_command", {"cmd": "pytest -q"}),
        output("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nFAILED"),
        said("assistant", "It fails."),
        shown("agent_message", "It fails."),
    )

    assert (session.source, session.folder, session.branch) == ("codex:s1", FOLDER, "main")
    assert session.agent == "gpt-9-codex"
    assert [(e.what, e.text, e.failed) for e in session.events] == [
        (What.PROMPT, "fix the login", False),
        (What.CALL, "", False),
        (What.RESULT, "FAILED", True),
        (What.REPLY, "It fails.", False),
    ]


def test_the_same_words_said_twice_are_two_events():
    found = events(
        *[
            each
            for _ in range(2)
            for each in (said("user", "go on"), shown("user_message", "go on"))
        ]
    )

    assert len(found) == 2
    assert len({event.id for event in found}) == 2


def test_a_rollout_of_events_alone_is_read_too():
    prompt, shell, result = events(
        shown("user_message", "run the tests"),
        line(
            "event_msg",
            {
                "type": "exec_command_end",
                "call_id": "c7",
                "command": ["bash", "-lc", "go test ./..."],
                "aggregated_output": "FAIL",
                "exit_code": 1,
            },
        ),
    )

    assert prompt.what is What.PROMPT
    assert (shell.tool, shell.target) == (Tool.SHELL, "go test ./...")
    assert (result.failed, result.text, result.call) == (True, "FAIL", "c7")


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n  <cwd>/x</cwd>\n</environment_context>",
        "<user_instructions>\nBe kind\n</user_instructions>",
        "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nBe kind\n</INSTRUCTIONS>",
        "<turn_aborted>\nThe user interrupted\n</turn_aborted>",
        "<user_shell_command>\n<command>ls</command>\n</user_shell_command>",
        "<skill>\n<name>x</name>\n</skill>",
        fenced("[M:abcdefgh] remembered"),
    ],
)
def test_what_the_host_or_tacit_adds_is_no_prompt(text):
    (event,) = events(
        said("user", text), said("user", text, "the words"), said("developer", "Be kind")
    )

    assert (event.what, event.text) == (What.PROMPT, "the words")


def test_of_what_an_editor_adds_the_request_alone_is_kept():
    text = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nuse tabs"

    assert [event.text for event in events(said("user", text))] == ["use tabs"]


@pytest.mark.parametrize("shape", ["custom", "function", "shell", "heredoc"])
def test_a_patch_is_one_call_for_each_of_its_files(shape):
    lines = {
        "custom": item(type="custom_tool_call", name="apply_patch", input=PATCH, call_id="c1"),
        "function": call("apply_patch", {"input": PATCH}),
        "shell": call("shell", {"command": ["apply_patch", PATCH]}),
        "heredoc": call("shell_command", {"command": f"apply_patch <<'EOF'\n{PATCH}EOF"}),
    }
    found = events(lines[shape], output("Done!", kind="custom_tool_call_output"))

    assert [(e.tool, e.target) for e in found[:-1]] == [
        (Tool.EDIT, "src/auth.py"),
        (Tool.WRITE, "src/keys.py"),
        (Tool.EDIT, "src/old.py"),
        (Tool.EDIT, "src/b.py"),
    ]
    assert (found[0].before, found[0].after) == ('alg = "HS256"', 'alg = "RS256"')
    assert len({event.id for event in found}) == 5
    assert {event.call for event in found} == {"c1"}


@pytest.mark.parametrize(
    ("value", "text", "failed"),
    [
        ("Exit code: 0\nWall time: 1 seconds\nOutput:\nfine", "fine", False),
        ("Exit code: 2\nWall time: 1 seconds\nOutput:\nbad", "bad", True),
        (json.dumps({"output": "bad", "metadata": {"exit_code": 1}}), "bad", True),
        (json.dumps({"output": "fine", "metadata": {"exit_code": 0}}), "fine", False),
        ({"content": "no", "success": False}, "no", True),
        ([{"type": "input_text", "text": "fine"}], "fine", False),
        ('{"output": 1}', '{"output": 1}', False),
        (None, "", False),
    ],
)
def test_an_output_is_unwrapped_from_every_shape_it_has_had(value, text, failed):
    found = events(call("shell", {"command": ["bash", "-lc", "make"]}), output(value))[1]

    assert (found.text, found.failed, found.target) == (text, failed, "make")


def test_a_patch_that_could_not_be_applied_failed():
    end = {"type": "patch_apply_end", "call_id": "c1", "stderr": "no such line", "success": False}
    patch = item(type="custom_tool_call", name="apply_patch", input=PATCH, call_id="c1")
    found = events(patch, line("event_msg", end), output("ok", kind="custom_tool_call_output"))[-1]

    assert (found.what, found.text, found.failed) == (What.RESULT, "no such line", True)


def test_a_search_of_the_web_is_a_call():
    found = events(
        item(type="web_search_call", id="w1", action={"type": "search", "query": "tabs"})
    )

    assert [(event.tool, event.target) for event in found] == [(Tool.WEB, "tabs")]


def test_what_a_file_says_of_exit_codes_is_no_failure():
    text = "a report\nExit code: 1\nProcess exited with code 1\n"

    assert not events(call("read_file", {"file_path": "a"}), output(text))[1].failed


def test_rollouts_of_before_are_read_too():
    (session,) = read(
        {"id": "old", "timestamp": "2025-06-01T10:00:00Z", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi you"}]},
        {"type": "local_shell_call", "call_id": "c", "action": {"command": ["ls", "-l"]}},
    )

    assert session.id == "old"
    assert [event.target for event in session.events] == ["", "ls -l"]


def test_a_subagent_is_on_the_side_and_its_prompt_is_nobodys():
    (session,) = read(
        meta(source={"subagent": {"thread_spawn": {}}}),
        said("user", "Look"),
        said("assistant", "Ok"),
    )

    assert [(event.what, event.side) for event in session.events] == [(What.REPLY, True)]


def test_a_summary_is_kept_and_a_second_beginning_is_not():
    text = (
        "Another language model started to solve this problem and left notes.\nPrices are integers."
    )
    (session,) = read(
        meta(), line("compacted", {"message": text}), meta(id="parent"), said("user", text)
    )

    assert session.id == "s1"
    assert [(e.what, e.text) for e in session.events] == [(What.SUMMARY, "Prices are integers.")]


def test_other_lines_are_counted():
    counts = Counter()
    read(
        meta(),
        line("event_msg", {"type": "token_count"}),
        line("new_kind", {}),
        item(type="new_item"),
        line("event_msg", {"type": "new_event"}),
        counts=counts,
    )

    names = [
        "left out: token_count",
        "unknown: new_kind",
        "unknown: new_item",
        "unknown: new_event",
    ]
    assert [counts[name] for name in names] == [1, 1, 1, 1]


def test_no_secret_survives_wherever_it_stands():
    for sample in SAMPLES.values():
        text = sample.text
        found = read(
            meta(cwd=text, git={"branch": text}),
            said("user", text),
            said("assistant", text),
            call("exec_command", {"cmd": text}, text),
            output(text, text),
            call("apply_patch", {"input": f"*** Add File: {text}\n+{text}"}, "c2"),
            call(text, text, "c3"),
            line("compacted", {"message": text}),
        )
        assert sample.secret not in repr(found), sample.type


WORDS = st.sampled_from(
    "type payload message role user assistant content text session_meta response_item event_msg "
    "function_call function_call_output call_id name arguments output metadata exit_code git "
    "source subagent compacted exec_command_end command apply_patch shell input".split()
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=12,
)


@given(st.binary(max_size=300) | st.lists(JSON, max_size=4))
def test_any_bytes_and_any_json_are_read_without_harm_and_the_same_each_time(data):
    if isinstance(data, list):
        data = "\n".join(json.dumps(value) for value in data).encode()
    first, second = Counter(), Counter()

    codex.sniff(data)
    once = list(codex.read_lines(io.BytesIO(data), "x", first))
    assert once == list(codex.read_lines(io.BytesIO(data), "x", second))
    assert first == second
    repr(once).encode()

"""Plain chats of three shapes: Markdown, messages with roles, and Tacit's own event lines."""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secret_samples import SAMPLES
from tacit.codec import to_json
from tacit.fence import fenced
from tacit.ingest import chat, reading
from tacit.ingest.sessions import read_sessions
from tacit.observation import Event, Tool, What


def read(data, counts=None):
    data = data if isinstance(data, bytes) else data.encode()
    return list(chat.read_lines(io.BytesIO(data), "some", Counter() if counts is None else counts))


def lines(*values):
    return "".join(json.dumps(value) + "\n" for value in values)


def told(sessions):
    return [(event.what.value, event.text) for session in sessions for event in session.events]


MARKED = {
    "headings": "# A chat\n\n## User\n\nUse tabs.\n\n## Assistant\n\nI do.\n",
    "headings with colons": "### Human:\nUse tabs.\n### Claude:\nI do.\n",
    "bold": "**User**\n\nUse tabs.\n\n---\n\n**Cursor**\n\nI do.\n",
    "bold with colons": "**Human:** Use tabs.\n\n**Assistant:** I do.\n",
    "bold before colons": "**You**: Use tabs.\n**ChatGPT**: I do.\n",
    "plain": "User: Use tabs.\nAI: I do.\n",
    "said": "You said:\nUse tabs.\nChatGPT said:\nI do.\n",
    "with a sign": "## 👤 User\nUse tabs.\n## 🤖 Assistant\nI do.\n",
    "with a time": "**User** (2026-03-01 10:00):\nUse tabs.\n**Assistant** (2026-03-01 10:01):\nI do.\n",
}


@pytest.mark.parametrize("text", MARKED.values(), ids=MARKED)
def test_speakers_are_known_however_a_chat_marks_them(text):
    assert chat.sniff(text.encode())
    assert told(read(text)) == [("prompt", "Use tabs."), ("reply", "I do.")]


def test_a_mark_within_code_or_of_another_sort_is_no_speaker():
    text = (
        "## User\nWhat is this?\n```\n## Assistant\nno\n```\n"
        "## Assistant\nA login:\nUser: admin\n**Human:** nobody\n## System\nhidden\n"
    )

    assert told(read(text)) == [
        ("prompt", "What is this?\n```\n## Assistant\nno\n```"),
        ("reply", "A login:\nUser: admin\n**Human:** nobody"),
    ]


@pytest.mark.parametrize("text", ["", "# Notes\n\nUser guide: read it.\n", "User: alone\n", "a\0b"])
def test_what_has_not_two_speakers_is_no_chat(text):
    assert not chat.sniff(text.encode())
    assert read(text) == []


def test_messages_with_roles_are_read_a_line_each_or_as_a_list():
    messages = [
        {"role": "system", "content": "Be kind"},
        {"role": "user", "content": "run the tests", "timestamp": "2026-03-01T10:00:00Z"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "function": {"name": "shell", "arguments": '{"command": "make test"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "ok"},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "They pass."}],
            "model": "big-1",
        },
    ]
    (by_line,) = read(lines(*messages))
    (as_list,) = read(json.dumps(messages, indent=1))

    assert by_line == as_list
    assert by_line.agent == "big-1"
    assert by_line.started == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert [(e.what, e.tool, e.target) for e in by_line.events] == [
        (What.PROMPT, None, ""),
        (What.CALL, Tool.SHELL, "make test"),
        (What.RESULT, Tool.SHELL, "make test"),
        (What.REPLY, None, ""),
    ]


def test_blocks_of_tools_are_read_as_calls_and_results():
    (session,) = read(
        lines(
            {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "a.py"}}
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "t", "content": "no", "is_error": True}
                ],
            },
        )
    )

    assert [(e.what, e.target, e.failed) for e in session.events] == [
        (What.CALL, "a.py", False),
        (What.RESULT, "a.py", True),
    ]


def test_each_conversation_of_a_file_is_a_session_with_a_name_that_stays():
    one = {"messages": [{"role": "user", "content": "use tabs"}]}
    two = {
        "id": "two",
        "title": "Prices",
        "messages": [{"role": "user", "content": "integers please"}],
    }
    first = read(lines(one, two))

    assert [session.title for session in first] == ["", "Prices"]
    assert first[1].id == "two"
    assert read(lines(two, one)) == first[::-1]
    assert read(json.dumps(two, indent=2)) == first[1:]


def test_a_chat_that_grew_keeps_the_ids_of_its_events():
    text = "User: yes\nAI: ok\nUser: yes\nAI: fine\n"
    (session,), (grown,) = read(text), read("User: start\nAI: ok then\n" + text)

    assert len({event.id for event in session.events}) == 4
    assert {event.id for event in session.events} <= {event.id for event in grown.events}


EVENTS = [
    Event(id="e1", what=What.PROMPT, at=datetime(2026, 3, 1, tzinfo=UTC), text="use tabs"),
    Event(
        id="e2",
        what=What.CALL,
        tool=Tool.EDIT,
        name="Edit",
        call="c",
        target="src/a.py",
        before="x",
        after="y",
    ),
    Event(
        id="e3",
        what=What.RESULT,
        tool=Tool.EDIT,
        name="Edit",
        call="c",
        text="done",
        failed=True,
        side=True,
    ),
]


def event_line(event, **about):
    return {**to_json(event), "session": "s1", "host": "my-agent"} | about


def test_event_lines_come_back_as_they_were_written():
    about = {"folder": "/home/ann/shop", "branch": "main", "agent": "big-1", "author": "ann"}
    data = lines(*[event_line(event, **about) for event in EVENTS])
    (session,) = read(data)

    assert chat.sniff(data.encode())
    assert session.events == tuple(EVENTS)
    assert session.source == "my-agent:s1"
    assert (session.folder, session.branch) == ("/home/ann/shop", "main")
    assert (session.agent, session.author) == ("big-1", "ann")


def test_event_lines_are_cleaned_like_any_other():
    sample = min(SAMPLES.values(), key=lambda each: len(each.text))
    secret = sample.text
    event = Event(
        id=secret,
        what=What.CALL,
        tool=Tool.SHELL,
        text=secret,
        name=secret,
        call=secret,
        target=secret,
        before=secret,
        after=secret,
    )
    (session,) = read(lines(event_line(event, folder=secret, author=secret, session=secret)))

    assert sample.secret not in repr(session)


def test_an_event_line_without_an_id_gets_one_that_stays_and_repeats_count_once():
    line = {"what": "prompt", "text": "use tabs", "session": 7, "host": "x"}
    (session,) = read(lines(line, line))

    assert len(session.events) == 1
    assert session.events[0].id not in ("", "?")


@pytest.mark.parametrize(
    "wrong",
    [
        {"what": "thought"},
        {"host": "No Host"},
        {"host": 3},
        {"session": ""},
        {"at": "soon"},
        {"failed": "yes"},
        {"text": ["a"]},
    ],
)
def test_a_broken_event_line_is_counted(wrong):
    counts = Counter()

    assert read(lines(event_line(EVENTS[0]) | wrong), counts) == []
    assert counts["broken event"] == 1


def test_what_tacit_wrote_is_no_prompt():
    kept = fenced("[M:abcdefgh] remembered")

    assert read(lines({"role": "user", "content": kept})) == []
    assert read(lines(event_line(Event(id="a", what=What.PROMPT, text=kept)))) == []
    assert told(read(f"User: {kept}\nAI: I do.\n")) == [("reply", "I do.")]


def test_files_that_cannot_be_read_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "LARGEST_DOCUMENT", 20)
    path = tmp_path / "a.md.gz"
    counts = Counter()

    for data in (gzip.compress(MARKED["plain"].encode()), gzip.compress(b"x" * 99)[:-9], b"none"):
        path.write_bytes(data)
        assert list(read_sessions(str(path), counts)) == []
    assert list(read_sessions(str(tmp_path), counts)) == []
    names = ["too large", "broken archive", "unreadable", "not a file"]
    assert [counts[name] for name in names] == [1, 1, 1, 1]


def test_sessions_without_end_are_bounded(monkeypatch):
    monkeypatch.setattr(chat, "MOST_SESSIONS", 2)
    counts = Counter()
    found = read(lines(*[event_line(EVENTS[0], session=str(n)) for n in range(1, 4)]), counts)

    assert len(found) == 2
    assert counts["session beyond the bound"] == 1


def test_a_first_line_that_is_broken_does_not_hide_the_others():
    counts = Counter()

    assert told(read("{broken\n" + lines({"role": "user", "content": "use tabs"}), counts)) == [
        ("prompt", "use tabs")
    ]
    assert counts["broken line"] == 1


def test_a_file_is_named_by_its_path_which_is_not_told(tmp_path):
    path = tmp_path / "ann and bob.md"
    path.write_text(MARKED["plain"])
    (session,) = read_sessions(str(path), Counter())

    assert session == next(read_sessions(str(path), Counter()))
    assert "bob" not in session.id


def test_no_secret_survives_wherever_it_stands():
    for sample in SAMPLES.values():
        text = sample.text
        found = [
            *read(f"## User\n{text}\n## Assistant\n{text}\n"),
            *read(
                lines({"messages": [{"role": "user", "content": text}], "id": text, "title": text})
            ),
            *read(
                lines(
                    {"role": "user", "content": text, "session_id": text},
                    {"role": "assistant", "content": text, "id": text, "model": text},
                    {"role": "tool", "tool_call_id": text, "content": text},
                )
            ),
        ]
        assert sample.secret not in repr(found), sample.type


WORDS = st.sampled_from(
    "role user assistant tool content messages message what prompt reply call result id session "
    "host text tool_calls function name arguments at target type tool_use input".split()
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=12,
)
MARKDOWN = st.lists(
    st.sampled_from(["User: a", "## Assistant", "**Human:** b", "```", "text", "AI:", "---", ""])
).map("\n".join)


@given(st.binary(max_size=300) | MARKDOWN | st.lists(JSON, max_size=4), st.booleans())
def test_anything_is_read_without_harm_and_the_same_each_time(data, whole):
    if isinstance(data, list):
        data = json.dumps(data) if whole else "\n".join(map(json.dumps, data))
    data = data if isinstance(data, bytes) else data.encode()

    chat.sniff(data)
    once = read(data)
    assert once == read(data)
    repr(once).encode()

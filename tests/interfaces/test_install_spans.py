"""The editor of settings files: what is put in can be read, and taken out it leaves no trace."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.errors import Conflict, Invalid
from tacit.interfaces.install.entries import hook_values, server_value
from tacit.interfaces.install.json_settings import Wanted, blanks_of, connect, disconnect
from tacit.interfaces.install.program import Program
from tacit.interfaces.install.spans import read_spans
from tacit.interfaces.install.splice import cut, inside, put, refill
from tacit.interfaces.install.toml_settings import connect_toml, disconnect_toml

PROGRAM = Program(words=("/opt/my tools/bin/tacit",), platform="linux")
HOOKS = hook_values("claude", PROGRAM)
SERVER = server_value("claude", PROGRAM)
WANTED = Wanted(hooks=HOOKS, servers=("mcpServers",), server=SERVER)

PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**9), 10**9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
)
KEYS = st.one_of(st.text(max_size=5), st.sampled_from(["hooks", "Stop", "mcpServers", "tacit"]))
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
BLANKS = ["", " ", "\n", "\n  ", "\t", "\r\n", "\r\n    ", "\n\n"]
COMMENTS = [*BLANKS, " // a note\n", "/* a, { note */", "\n  // [\r\n  ", "/**//* x */ "]


@st.composite
def texts(draw: st.DrawFn, value: object, blanks: list[str]) -> str:
    """Write a value with blanks anywhere, and where comments are allowed commas at the end."""
    blank = st.sampled_from(blanks)
    trailing = blanks is COMMENTS

    def written(value: object) -> str:
        if isinstance(value, dict):
            parts = [
                f"{json.dumps(key, ensure_ascii=False)}{draw(blank)}:{draw(blank)}{written(part)}"
                for key, part in value.items()
            ]
        elif isinstance(value, list):
            parts = [written(part) for part in value]
        else:
            return json.dumps(value, ensure_ascii=draw(st.booleans()))
        inner = ",".join(f"{draw(blank)}{part}{draw(blank)}" for part in parts) or draw(blank)
        if parts and trailing and draw(st.booleans()):
            inner += "," + draw(blank)
        return f"{{{inner}}}" if isinstance(value, dict) else f"[{inner}]"

    return draw(blank) + written(value) + draw(blank)


@st.composite
def documents(draw: st.DrawFn, values: st.SearchStrategy[object]) -> tuple[object, str]:
    """Give a value and a text that means it."""
    value = draw(values)
    text = draw(texts(value, draw(st.sampled_from([BLANKS, COMMENTS]))))
    return value, draw(st.sampled_from(["", "\ufeff"])) + text


@settings(max_examples=100)
@given(documents(VALUES))
def test_a_text_is_read_as_what_it_means(document):
    value, text = document

    assert read_spans(text).value() == value


@settings(max_examples=100)
@given(documents(st.dictionaries(KEYS, VALUES, max_size=4)), VALUES)
def test_a_member_put_in_and_taken_out_leaves_the_bytes_as_they_were(document, value):
    before, text = document
    blank = inside(text, ())

    longer = put(text, (), value, "a new key")

    assert read_spans(longer).value() == {**before, "a new key": value}
    root = read_spans(longer)
    again = cut(longer, root, root.parts[-1])
    assert (again if blank is None else refill(again, (), blank)) == text


@settings(max_examples=100)
@given(documents(st.lists(VALUES, max_size=4)), VALUES, st.data())
def test_an_element_put_in_and_taken_out_leaves_the_bytes_as_they_were(document, value, data):
    before, text = document
    blank = inside(text, ())

    longer = put(put(text, (), value), (), "last")

    assert read_spans(longer).value() == [*before, value, "last"]
    for _ in range(2):  # in either order
        root = read_spans(longer)
        ours = root.parts[len(before) :]
        longer = cut(longer, root, data.draw(st.sampled_from(ours)))
    assert (longer if blank is None else refill(longer, (), blank)) == text


@settings(max_examples=100)
@given(documents(st.lists(VALUES, min_size=1, max_size=5)), st.data())
def test_any_element_can_be_taken_out_and_the_others_stay(document, data):
    before, text = document
    root = read_spans(text)
    place = data.draw(st.integers(0, len(before) - 1))

    shorter = cut(text, root, root.parts[place])

    assert read_spans(shorter).value() == before[:place] + before[place + 1 :]
    for note in ("// a note", "// [", "/* a, { note */"):
        outside = text[: root.parts[place].start] + text[root.parts[place].end :]
        assert shorter.count(note) == outside.count(note)


SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "model": PLAIN,
        "hooks": st.dictionaries(
            st.sampled_from(["Stop", "SessionStart", "Other"]),
            st.lists(
                st.fixed_dictionaries(
                    {"hooks": st.lists(st.just({"type": "command", "command": "x"}), max_size=2)},
                    optional={"matcher": st.text(max_size=3)},
                ),
                max_size=2,
            ),
            max_size=3,
        ),
        "mcpServers": st.dictionaries(st.sampled_from(["a", "b"]), VALUES, max_size=2),
    },
)


@settings(max_examples=100)
@given(documents(SETTINGS))
def test_settings_are_connected_once_and_disconnected_to_the_same_bytes(document):
    before, text = document
    blanks = blanks_of(text, WANTED)

    connected = connect(text, WANTED)

    value = read_spans(connected).value()
    for event, element in HOOKS.items():
        assert value["hooks"][event] == [*before.get("hooks", {}).get(event, []), element]
    assert value["mcpServers"] == {**before.get("mcpServers", {}), "tacit": SERVER}
    assert connect(connected, WANTED) == connected
    assert disconnect(connected, ("mcpServers",), blanks) == text


@settings(max_examples=60)
@given(documents(SETTINGS), VALUES, st.sampled_from([None, 1, "\t"]))
def test_what_another_program_wrote_since_stays(document, value, indent):
    before, text = document
    blanks = blanks_of(text, WANTED)
    changed = {"theirs": value, **read_spans(connect(text, WANTED)).value()}
    changed["hooks"]["Stop"] = [{"hooks": [{"command": "new"}]}, *changed["hooks"]["Stop"]]

    left = disconnect(json.dumps(changed, indent=indent), ("mcpServers",), blanks)

    hooks = before.get("hooks", {})
    expected = {"theirs": value, **before}
    expected["hooks"] = {**hooks, "Stop": [{"hooks": [{"command": "new"}]}, *hooks.get("Stop", [])]}
    assert json.loads(left) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"a": }',
        '{"a" 1}',
        '{"a": 1 "b": 2}',
        "{'a': 1}",
        '{"a": "\n"}',
        "{} {}",
        "[1,,2]",
        '{"a": 01}',
        "/* {}",
        '{"a": "\\x"}',
        "[" * 500,
    ],
)
def test_what_is_not_json_is_refused(text):
    with pytest.raises(Invalid, match=r"not valid JSON at line \d+, column \d+"):
        read_spans(text)


def test_the_style_of_the_text_is_kept():
    assert connect('{"a":1}', Wanted(servers=("m",), server=SERVER)) == (
        '{"a":1,"m":{"tacit":{"type":"stdio","command":"/opt/my tools/bin/tacit","args":["mcp"]}}}'
    )
    assert connect('{\r\n\t"a": 1\r\n}\r\n', Wanted(servers=("m",), server=SERVER)) == (
        '{\r\n\t"a": 1,\r\n\t"m": {\r\n\t\t"tacit": {\r\n\t\t\t"type": "stdio",\r\n'
        '\t\t\t"command": "/opt/my tools/bin/tacit",\r\n\t\t\t"args": ["mcp"]\r\n'
        "\t\t}\r\n\t}\r\n}\r\n"
    )


def test_comments_stay_with_what_they_are_about():
    text = '{\n  "a": 1 // one\n  // the end\n}\n'

    assert put(text, (), 2, "b") == '{\n  "a": 1, // one\n  // the end\n  "b": 2\n}\n'


def test_an_older_tacit_is_replaced_and_not_doubled():
    old = hook_values("claude", Program(words=("/old/venv/bin/tacit",), platform="linux"))
    text = json.dumps(
        {
            "hooks": {
                "Stop": [
                    old["Stop"],
                    {"hooks": [{"type": "command", "command": "x"}]},
                    old["Stop"],
                ],
                "Notification": [{"hooks": [{"command": "tacit hook claude Notification"}]}],
            },
            "mcpServers": {"tacit": {"command": "/old/tacit", "args": ["mcp"], "env": {"A": "b"}}},
        },
        indent=4,
    )

    value = read_spans(connect(text, WANTED)).value()

    assert value["hooks"]["Stop"] == [
        HOOKS["Stop"],
        {"hooks": [{"type": "command", "command": "x"}]},
    ]
    assert "Notification" not in value["hooks"]
    assert value["mcpServers"]["tacit"] == {**SERVER, "env": {"A": "b"}}


def test_a_hook_of_ours_among_those_of_others_is_found():
    others = {"type": "command", "command": "say done"}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [others, HOOKS["Stop"]["hooks"][0]]}]}})

    assert json.loads(disconnect(text, None, {})) == {"hooks": {"Stop": [{"hooks": [others]}]}}


@pytest.mark.parametrize(
    "command",
    ["mytacit hook x", "tacit hooks", "echo tacit", "/tacit/run hook", "tacit remember hook"],
)
def test_commands_of_others_are_not_taken_for_ours(command):
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}})

    assert disconnect(text, None, {}) == text


@pytest.mark.parametrize(
    "text", ['{"hooks": []}', '{"hooks": {"Stop": {}}}', "[]", '{"mcpServers": 1}']
)
def test_settings_of_another_shape_are_refused(text):
    with pytest.raises(Invalid):
        connect(text, WANTED)


def test_a_server_of_that_name_which_is_not_ours_is_left_alone():
    with pytest.raises(Conflict, match="does not run Tacit"):
        connect('{"mcpServers": {"tacit": {"url": "https://example.com"}}}', WANTED)


TABLE = {"command": "/bin/tacit", "args": ["mcp"]}
TABLES = st.lists(
    st.sampled_from(
        [
            "# a note\n",
            "\n",
            '[mcp_servers.other]\ncommand = "x" # why\n',
            "[profiles.fast]\nmodel = 'x'\nlist = [\n  [1, 2],\n  3,\n]\n",
            '[[things]]\ntext = """\n[mcp_servers.fake]\n"""\n',
            "[mcp_servers.more.env]\nA = '1'\n",
        ]
    ),
    unique=True,
    max_size=6,
)


@given(TABLES, st.sampled_from(["", 'model = "x"\n', "\ufeffa = 1\n"]), st.booleans())
def test_a_table_put_into_toml_and_taken_out_leaves_the_bytes_as_they_were(tables, head, windows):
    text = head + "".join(tables)
    text = text.replace("\n", "\r\n") if windows else text

    connected = connect_toml(text, TABLE)

    assert connected.startswith(text)
    assert connect_toml(connected, TABLE) == connected
    assert disconnect_toml(connected) == text


def test_the_command_in_toml_is_renewed_and_the_users_keys_stay():
    text = '[mcp_servers.tacit]\ncommand = "/old/tacit"\nargs = ["mcp"]\nenabled = false\n\n[x]\na = 1\n'

    renewed = connect_toml(text, TABLE)

    assert renewed == text.replace("/old/tacit", "/bin/tacit")
    assert disconnect_toml(renewed + "\n[mcp_servers.tacit.env]\nA = '1'\n") == "\n[x]\na = 1\n"


@pytest.mark.parametrize(
    "text", ["mcp_servers = {}\n", "mcp_servers = {a = {command = 'x'}}\n", "a = \n"]
)
def test_toml_that_cannot_be_changed_safely_is_refused(text):
    with pytest.raises(Invalid):
        connect_toml(text, TABLE)

"""What nobody sees is taken out; what scripts and emoji are written with stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.hidden import escaped, printable, without_hidden
from tacit.interfaces.cli.console import Console

HIDDEN = [
    "\u202e", "\u202a", "\u2066", "\u2069", "\u200b", "\u200f", "\u061c", "\ufeff", "\u00ad",
    "\u2060", "\u3164", "\U000e0041", "\U000e007f", "\U000e0101", "\ufe0f", "\u200d", "\u200c",
]  # fmt: skip


@pytest.mark.parametrize("hidden", HIDDEN)
def test_what_nobody_sees_between_letters_goes(hidden):
    assert without_hidden(f"to{hidden}ken{hidden}{hidden} x") == "token x"


@pytest.mark.parametrize(
    "text",
    [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, with a joiner inside a word
        "\U0001f469\u200d\U0001f4bb and \u2764\ufe0f\u200d\U0001f525",  # a coder, a heart on fire
        "1\ufe0f\u20e3 first",
        "\u0915\u094d\u200d\u0937 \u845b\U000e0100",
        "na\u00efve caf\u00e9 \u2192 \u00abok\u00bb\tend\n",
    ],
)
def test_what_scripts_and_emoji_need_stays(text):
    assert printable(text) == text


def test_data_hidden_behind_an_emoji_goes():
    smuggled = "\U0001f600" + "".join(chr(0xE0100 + byte) for byte in b"secret")

    assert len(without_hidden(smuggled)) <= 3


@given(st.text())
def test_what_is_printable_holds_no_control_and_stays_so(text):
    shown = printable(text)

    assert printable(shown) == shown
    assert not set(shown) & set("\x00\x1b\x7f\u202e\u200b")


@given(st.text())
def test_json_with_escapes_is_the_same_value(text):
    assert json.loads(escaped(json.dumps({"x": text}, ensure_ascii=False))) == {"x": text}


def test_a_terminal_shows_colours_and_nothing_that_turns_text_round(capsys):
    console = Console(color=True, cells=80)
    console.result(console.paint("kept", "good") + " \u202egnp.exe\x1b]0;owned\x07\r\u200b")
    console.note("\u2066noted\x1b[2J")
    console.data({"title": "a\u202eb"})
    out, err = capsys.readouterr()

    assert out == "\x1b[32mkept\x1b[0m gnp.exe]0;owned\n" + '{\n  "title": "a\\u202eb"\n}\n'
    assert err == "noted[2J\n"

"""`tacit remember`: every way to hand over what is to be kept, and what is said about it."""

from __future__ import annotations

import json
import stat
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from interfaces.conftest import Cli


def test_a_text_is_kept_and_named(cli: Cli) -> None:
    ran = cli("remember", "Sign tokens with RS256")

    assert ran.status == 0
    short = cli.json("list")[0]["short"]
    assert ran.out == f"remembered [{short}] Sign tokens with RS256\n"


def test_words_need_no_quotes_and_options_may_stand_between(cli: Cli) -> None:
    written = cli.json("remember", "Sign", "--kind", "pattern", "tokens", "with", "RS256")

    assert written["memories"][0]["text"] == "Sign tokens with RS256"
    assert written["memories"][0]["kind"] == "pattern"


def test_every_option_reaches_the_memory(cli: Cli) -> None:
    written = cli.json(
        *("remember", "Sign tokens with RS256", "--key", "auth.jwt_alg", "--value", "RS256"),
        *("--tier", "mandate", "--tag", "auth", "--tag", "jwt", "--file", "src/auth.py"),
        *("--valid-from", "2026-01-31", "--valid-to", "2026-02-28T12:00Z", "--pin"),
        *("--importance", ".9", "--confidence", "0.8", "--author", "ana", "--session", "s1"),
        *("--source", "commit:abc", "--title", "Signing", "--scope", "project:other"),
        *("--polarity", "do"),
    )

    memory = written["memories"][0]
    expected = {
        "key": "auth.jwt_alg",
        "value": "RS256",
        "tier": "mandate",
        "polarity": "do",
        "valid_from": "2026-01-31T00:00:00Z",
        "valid_to": "2026-02-28T12:00:00Z",
        "pinned": True,
        "importance": 0.9,
        "confidence": 0.8,
        "author": "ana",
        "session": "s1",
        "source_ref": "commit:abc",
        "title": "Signing",
        "scope": "project:other",
    }
    assert {name: memory[name] for name in expected} == expected
    mentioned = {(mention["type"], mention["name"]) for mention in memory["mentions"]}
    assert {("tag", "auth"), ("tag", "jwt"), ("file", "src/auth.py")} <= mentioned


def test_json_tells_all_that_changed(cli: Cli) -> None:
    written = cli.json("remember", "Sign tokens with RS256")

    assert list(written) == [
        "memories",
        "new",
        "said_before",
        "reinforced",
        "superseded",
        "contradictions",
        "redacted",
    ]
    assert (written["new"], written["said_before"]) == (1, 0)


def test_what_is_said_again_is_not_kept_twice(cli: Cli) -> None:
    short = cli.keep("Sign tokens with RS256")

    ran = cli("remember", "Sign tokens with RS256")

    assert ran.out == f"said before [{short}] Sign tokens with RS256\n"
    assert len(cli.json("list")) == 1


def test_a_new_value_supersedes_the_old_one(cli: Cli) -> None:
    old = cli.keep("Sign with RS256", "--key", "auth.alg", "--value", "RS256")

    ran = cli("remember", "Sign with ES256", "--key", "auth.alg", "--value", "ES256")

    assert f"superseded [{old}] Sign with RS256\n" in ran.out


def test_a_clash_is_told_and_can_be_looked_at(cli: Cli) -> None:
    fact = ["--key", "auth.alg", "--valid-from", "2026-01-31", "--value"]
    old = cli.keep("Sign with RS256", *fact, "RS256")

    ran = cli("remember", "Sign with ES256", *fact, "ES256")

    clash = f"[{old}] Sign with RS256 (auth.alg: same start, different value)\n"
    assert f"contradicts {clash}" in ran.out
    new = next(m["short"] for m in cli.json("list") if m["short"] != old)
    assert clash in cli("why", new).out
    assert list(cli.json("why", new)["contradictions"][0]) == [
        "id",
        "a",
        "b",
        "detector",
        "score",
        "detected_at",
        "note",
        "suggestion",
        "resolution",
        "resolved_at",
        "resolved_by",
        "resolution_note",
        "merged_into",
    ]


def test_many_superseded_memories_are_counted(cli: Cli) -> None:
    old = "\n".join(f'{{"key": "k{n}", "value": "1"}}' for n in range(7))
    cli("remember", "--jsonl", "-", stdin=old)

    ran = cli("remember", "--jsonl", "-", stdin=old.replace('"1"', '"2"'))

    assert ran.out == "7 memories: 7 new\nsuperseded 7 memories\n"


def test_secrets_are_redacted_and_counted(cli: Cli) -> None:
    ran = cli("remember", "the key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH")

    assert "redacted 1 secret: anthropic-key 1\n" in ran.out
    assert "[REDACTED:anthropic-key]" in ran.out


def test_a_dash_reads_standard_input(cli: Cli) -> None:
    written = cli.json("remember", "-", stdin="Zeile eins über Größe\nZeile zwei\n")

    assert written["memories"][0]["text"] == "Zeile eins über Größe\nZeile zwei\n"


def test_lines_are_kept_one_by_one(cli: Cli) -> None:
    ran = cli("remember", "--lines", "-", stdin="one fact a line\n\nand another\none fact a line\n")

    assert ran.out.startswith("3 memories: 2 new, 1 said before\n")
    assert {memory["text"] for memory in cli.json("list")} == {"one fact a line", "and another"}


def test_lines_share_the_options(cli: Cli) -> None:
    written = cli.json("remember", "--lines", "-", "--kind", "episode", stdin="first\nsecond\n")

    assert [memory["kind"] for memory in written["memories"]] == ["episode", "episode"]


def test_drafts_are_read_as_json_lines(cli: Cli) -> None:
    drafts = [
        {"text": "Deploys need two reviews", "tags": ["release"], "kind": "pattern"},
        {"key": "db.engine", "value": "postgres", "valid_from": "2026-01-31"},
        {
            "text": "Refunds are slow",
            "mentions": [{"type": "symbol", "name": "refund"}],
            "importance": 1,
        },
        {"text": "Tried twice", "body": {"kind": "episode", "goal": "try", "outcome": "failure"}},
    ]

    lines = "\n".join(json.dumps(draft) for draft in drafts)
    written = cli.json("remember", "--jsonl", "-", "--author", "ana", stdin=lines + "\n\n")

    assert [memory["kind"] for memory in written["memories"]] == [
        "pattern",
        "fact",
        "fact",
        "episode",
    ]
    assert {memory["author"] for memory in written["memories"]} == {"ana"}
    assert written["memories"][1]["valid_from"] == "2026-01-31T00:00:00Z"
    assert written["memories"][3]["body"]["outcome"] == "failure"


def test_a_draft_says_more_than_the_options(cli: Cli) -> None:
    line = json.dumps({"text": "Deploys need two reviews", "tier": "mandate"})

    written = cli.json("remember", "--jsonl", "-", "--tier", "guardrail", stdin=line)

    assert written["memories"][0]["tier"] == "mandate"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("not json", "line 2 is not JSON"),
        ("[1]", "line 2: a draft is an object"),
        ('{"text": 5}', "line 2: a field has the wrong type (expected text, got 5)"),
        ('{"text": "a", "colour": "red"}', "line 2: a memory has no field 'colour'"),
        ('{"text": "a", "importance": "high"}', "line 2: a field has the wrong type"),
        ('{"text": "a", "pinned": 1}', "line 2: a field has the wrong type"),
        ('{"text": "a", "tags": "red"}', "line 2: a field has the wrong type"),
        ('{"text": "a", "mentions": [{"type": "planet", "name": "x"}]}', "line 2: a field"),
        ('{"text": "a", "scope": "nowhere"}', "line 2: scope 'nowhere'"),
        ('{"text": "a", "valid_from": "soon"}', "line 2: 'soon' is not a date or time"),
    ],
)
def test_a_broken_draft_is_named_by_its_line_and_nothing_is_kept(
    cli: Cli, line: str, complaint: str
) -> None:
    cli("init")

    ran = cli("remember", "--jsonl", "-", stdin='{"text": "fine"}\n' + line)

    assert ran.status == 2
    assert complaint in ran.err
    assert cli.json("list") == []


@pytest.mark.parametrize("form", [["-"], ["--lines", "-"], ["--jsonl", "-"], ["   "]])
def test_nothing_to_remember_is_an_error(cli: Cli, form: list[str]) -> None:
    ran = cli("remember", *form, stdin=" \n")

    assert ran.status == 2
    assert "nothing to remember" in ran.err


def test_without_a_text_and_a_terminal_it_says_what_to_give(cli: Cli) -> None:
    ran = cli("remember")

    assert ran.status == 2
    assert ran.err == "tacit: there is no text; give one, or - to read standard input\n"


def test_input_that_is_not_utf8_is_refused(cli: Cli) -> None:
    ran = cli("remember", "-", stdin=b"caf\xe9")

    assert ran.status == 2
    assert "not UTF-8" in ran.err


def test_a_key_needs_no_text(cli: Cli) -> None:
    written = cli.json("remember", "--key", "db.engine", "--value", "postgres")

    assert written["memories"][0]["text"] == "db.engine: postgres"


def test_on_a_terminal_the_editor_opens(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(
        "EDITOR", editor(folder, "open(path, 'w').write('written in the editor\\n')")
    )
    monkeypatch.setattr("sys.stdin", Terminal())

    from tacit.__main__ import main

    assert main(["remember", "--kind", "episode"]) == 0
    assert cli.json("list")[0]["text"] == "written in the editor"


def test_the_users_own_memories_go_to_their_own_store(cli: Cli, folder: Path) -> None:
    written = cli.json("remember", "I prefer small commits", "--scope", "user:ana")

    assert written["memories"][0]["scope"] == "user:ana"
    assert (folder.parent / "home" / "user.db").exists()
    assert [m["text"] for m in cli.json("list")] == ["I prefer small commits"]


class Terminal:
    """Standard input of somebody who sits at a terminal."""

    def isatty(self) -> bool:
        return True


def editor(folder: Path, action: str) -> str:
    """Write an editor that does one thing with the file it is given."""
    script = folder.parent / "editor.py"
    script.write_text(f"#!{sys.executable}\nimport sys\npath = sys.argv[-1]\n{action}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return f"{script} --wait"

"""The plugin for OpenCode, run by node: what it tells Tacit, and what it does with the answer."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tacit.interfaces.hooks.events import moment_of
from tacit.interfaces.install.hosts import shim
from tacit.interfaces.install.plan import OWN
from tacit.interfaces.install.program import Program

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="needs node")

# Stands in for `tacit`: writes down what it is told and answers as `tacit hook` does.
TACIT = """\
import json, sys
told = json.load(sys.stdin)
with open(sys.argv[1], "a") as log:
    log.write(json.dumps({"argv": sys.argv[2:], **told}) + "\\n")
event = told["hook_event_name"]
if event == "SessionStart":
    print("<tacit-memory>\\nknown: " + told["source"] + "\\n</tacit-memory>")
elif event in ("UserPromptSubmit", "PostToolUseFailure"):
    text = "about " + told.get("prompt", told.get("error", ""))
    print(json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}))
elif event == "PreCompact":
    print("{ broken")
"""


def play(
    tmp_path: Path, script: str, words: tuple[str, ...] | None = None
) -> tuple[Any, list[dict]]:
    """Run a script with the plugin's hooks as `hooks`; give what it returns and what was told."""
    log = tmp_path / "told.jsonl"
    fake = tmp_path / "fake.py"
    fake.write_text(TACIT)
    program = Program(words=words or (sys.executable, str(fake), str(log)))
    (tmp_path / "tacit.mjs").write_text(shim(program))
    (tmp_path / "play.mjs").write_text(
        'import { Tacit } from "./tacit.mjs"\n'
        f"const hooks = await Tacit({{ directory: {json.dumps(str(tmp_path))}, client: {{}}, $: null }})\n"
        f"const give = async () => {{ {script} }}\n"
        "console.log(JSON.stringify(await give()))\n"
    )
    ran = subprocess.run(
        [NODE or "", str(tmp_path / "play.mjs")], capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 0, ran.stderr
    told = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return json.loads(ran.stdout), told


def test_the_briefing_ends_the_system_prompt_and_stays_the_same(tmp_path: Path) -> None:
    given, told = play(
        tmp_path,
        """
        const turns = []
        for (let turn = 0; turn < 2; turn++) {
          const output = { system: ["you are OpenCode"] }
          await hooks["experimental.chat.system.transform"]({ sessionID: "s1" }, output)
          turns.push(output.system)
        }
        const other = { system: [] }
        await hooks["experimental.chat.system.transform"]({}, other)
        return [...turns, other.system]
        """,
    )

    briefing = "<tacit-memory>\nknown: startup\n</tacit-memory>"
    assert given == [["you are OpenCode", briefing], ["you are OpenCode", briefing], []]
    assert [(one["hook_event_name"], one["session_id"], one["cwd"]) for one in told] == [
        ("SessionStart", "s1", str(tmp_path))
    ]


def test_after_a_compaction_the_briefing_is_asked_for_again(tmp_path: Path) -> None:
    given, told = play(
        tmp_path,
        """
        await hooks["experimental.session.compacting"]({ sessionID: "s1" }, { context: [] })
        await hooks.event({ event: { type: "session.compacted", properties: { sessionID: "s1" } } })
        const output = { system: [] }
        await hooks["experimental.chat.system.transform"]({ sessionID: "s1" }, output)
        return output.system
        """,
    )

    assert given == ["<tacit-memory>\nknown: compact\n</tacit-memory>"]
    assert [one["hook_event_name"] for one in told] == ["PreCompact", "PostCompact", "SessionStart"]


def test_what_fits_a_prompt_is_added_behind_it(tmp_path: Path) -> None:
    given, told = play(
        tmp_path,
        """
        const part = { id: "prt_1", sessionID: "s1", messageID: "m1", type: "text", text: "fix it" }
        const output = { message: {}, parts: [part] }
        await hooks["chat.message"]({ sessionID: "s1" }, output)
        return output.parts
        """,
    )

    assert given[0]["text"] == "fix it"
    assert given[1] == {**given[0], "id": "prt_1t", "text": "about fix it", "synthetic": True}
    assert told[0]["prompt"] == "fix it"


def test_tools_are_told_and_a_failure_is_answered(tmp_path: Path) -> None:
    given, told = play(
        tmp_path,
        """
        const input = { tool: "bash", sessionID: "s1", callID: "c1" }
        await hooks["tool.execute.before"](input, { args: { command: "make" } })
        const output = { title: "", output: "no rule", metadata: { exit: 2 } }
        await hooks["tool.execute.after"](input, output)
        const good = { title: "", output: "done", metadata: { exit: 0 } }
        await hooks["tool.execute.after"]({ ...input, callID: "c2", args: { command: "ls" } }, good)
        return [output.output, good.output]
        """,
    )

    assert given == ["no rule\n\nabout no rule", "done"]
    assert [(one["hook_event_name"], one["tool_name"], one["tool_input"]) for one in told] == [
        ("PostToolUseFailure", "bash", {"command": "make"}),
        ("PostToolUse", "bash", {"command": "ls"}),
    ]


def test_the_end_of_a_turn_carries_the_agents_last_words(tmp_path: Path) -> None:
    _, told = play(
        tmp_path,
        """
        const send = (type, properties) => hooks.event({ event: { type, properties } })
        await send("session.created", { info: { id: "kid", parentID: "s1" } })
        await send("message.updated", { info: { id: "m1", role: "user", sessionID: "s1" } })
        await send("message.part.updated", { part: { type: "text", messageID: "m1", sessionID: "s1", text: "hi" } })
        await send("message.updated", { info: { id: "m2", role: "assistant", sessionID: "s1" } })
        await send("message.part.updated", { part: { type: "text", messageID: "m2", sessionID: "s1", text: "Applied: [G:abcd2345]" } })
        await send("session.idle", { sessionID: "s1" })
        await send("session.idle", { sessionID: "kid" })
        await send("something.new", undefined)
        await hooks["chat.message"]({ sessionID: "kid" }, { parts: [{ type: "text", text: "x" }] })
        await hooks["experimental.chat.system.transform"]({ sessionID: "s1" }, { system: [] })
        await hooks.dispose()
        return null
        """,
    )

    assert [(one["hook_event_name"], one.get("last_assistant_message")) for one in told] == [
        ("Stop", "Applied: [G:abcd2345]"),
        ("SubagentStop", None),
        ("SessionStart", None),
        ("SessionEnd", None),
    ]
    for one in told:
        verb, host, event = one["argv"]
        assert verb == "hook"
        assert moment_of(host, event)


def test_a_tacit_that_is_gone_is_no_reason_to_stop(tmp_path: Path) -> None:
    given, _ = play(
        tmp_path,
        """
        const output = { system: ["x"] }
        await hooks["experimental.chat.system.transform"]({ sessionID: "s1" }, output)
        await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s1" } } })
        return output.system
        """,
        words=(str(tmp_path / "no such program"),),
    )

    assert given == ["x"]


def test_the_shim_can_be_known_as_tacits_and_is_short() -> None:
    text = shim(Program(words=("tacit",)))

    assert text.startswith(OWN)
    assert len(text.splitlines()) < 130

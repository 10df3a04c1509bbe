"""An agent's work from end to end, as hosts run it: real hook processes, a real MCP client.

What one session leaves, the next one starts with; what was cited rises, what was ignored falls.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from hook_processes import environment, run_hook
from interfaces.mcp_client import agent_of, process
from processes import SOURCE


@pytest.fixture
def project(tmp_path):
    """Give a repository and an environment of its own."""
    folder = tmp_path / "shop"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder, environment(tmp_path / "home", TACIT_EMBEDDER="off", HOME=str(tmp_path))


def hook(project, event, **told):
    """Run one hook of Claude Code; give what the agent is handed."""
    folder, environ = project
    payload = {"session_id": "one", "cwd": str(folder), "hook_event_name": event} | told
    ended = run_hook("claude", event, stdin=json.dumps(payload).encode(), environ=environ)
    assert (ended.status, ended.err) == (0, "")
    if not ended.out:
        return ""
    return json.loads(ended.out)["hookSpecificOutput"]["additionalContext"]


def tacit(project, *arguments):
    """Run a command in the project; give what it prints."""
    folder, environ = project
    done = subprocess.run(
        [sys.executable, "-m", "tacit", *arguments],
        cwd=folder,
        env=environ | {"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def recalled(project, question):
    """Give the titles a question finds, best first."""
    return [
        hit["memory"]["text"] for hit in json.loads(tacit(project, "recall", question, "--json"))
    ]


def a_tool(name, given, call, response):
    return {
        "tool_name": name,
        "tool_input": given,
        "tool_use_id": call,
        "tool_response": response,
    }


def work(project, session, lines):
    """Replay the lines of a transcript as the host would tell them to hooks; give what was said."""
    said = []
    calls = {}
    for line in lines:
        content = line["message"]["content"]
        if line["type"] == "user" and isinstance(content, str):
            said.append(hook(project, "UserPromptSubmit", session_id=session, prompt=content))
            continue
        for block in content:
            if block["type"] == "tool_use":
                calls[block["id"]] = block
            elif block["type"] == "text":
                said.append(
                    hook(project, "Stop", session_id=session, last_assistant_message=block["text"])
                )
            else:
                call = calls[block["tool_use_id"]]
                told = a_tool(call["name"], call["input"], call["id"], {"stdout": block["content"]})
                if block["is_error"]:
                    failed = {**told, "error": block["content"]}
                    said.append(hook(project, "PostToolUseFailure", session_id=session, **failed))
                else:
                    said.append(hook(project, "PostToolUse", session_id=session, **told))
    return [one for one in said if one]


def line(type_, content):
    return {"type": type_, "message": {"role": type_, "content": content}}


def call(id_, name, **given):
    return line("assistant", [{"type": "tool_use", "id": id_, "name": name, "input": given}])


def result(id_, text, *, failed=False):
    return line(
        "user",
        [{"type": "tool_result", "tool_use_id": id_, "content": text, "is_error": failed}],
    )


BROKEN = "Traceback (most recent call last):\nKeyError: 'refunded_at'"
TRANSCRIPT = [
    line("user", "Please add refunds to the payment service in src/payments.py"),
    call("c1", "Bash", command="pytest tests/test_payments.py"),
    result("c1", BROKEN, failed=True),
    call("c2", "Read", file_path="src/payments.py"),
    result("c2", "return payment['refunded_at']"),
    call(
        "c3",
        "Edit",
        file_path="src/payments.py",
        old_string="payment['refunded_at']",
        new_string="payment.get('refunded_at')",
    ),
    result("c3", "ok"),
    call("c4", "Bash", command="pytest tests/test_payments.py"),
    result("c4", "4 passed"),
    line("assistant", [{"type": "text", "text": "Refunds work now; the tests pass."}]),
]


def test_what_one_session_leaves_the_next_starts_with(project):
    assert hook(project, "SessionStart", source="startup") == ""
    work(project, "one", TRANSCRIPT)
    hook(project, "SessionEnd", reason="other")
    tacit(project, "observe", "--pending")

    start = hook(project, "SessionStart", session_id="two", source="startup")

    assert "payments.py" in start or "refunds" in start
    assert start == hook(project, "SessionStart", session_id="three", source="startup")


def test_an_error_brings_back_what_mended_it_before(project):
    hook(project, "SessionStart", source="startup")
    work(project, "one", TRANSCRIPT)
    hook(project, "SessionEnd", reason="other")
    tacit(project, "observe", "--pending")
    hook(project, "SessionStart", session_id="two", source="startup")
    hook(project, "SessionStart", session_id="two", source="clear")

    said = work(
        project,
        "four",  # a session that was told nothing at its start
        [call("d1", "Bash", command="python app.py"), result("d1", BROKEN, failed=True)],
    )

    assert "payment.get('refunded_at')" in "".join(said)


def test_after_a_compaction_the_mandates_are_back(project):
    tacit(project, "remember", "Sign tokens with RS256", "--tier", "mandate")
    first = hook(project, "SessionStart", source="startup")

    assert "Sign tokens with RS256" in first
    assert hook(project, "SessionStart", source="resume") == ""
    assert "Sign tokens with RS256" in hook(project, "SessionStart", source="compact")


def test_what_is_remembered_by_mcp_is_in_the_next_start(project):
    folder, environ = project
    served = environ | {"PYTHONPATH": str(SOURCE), "XDG_RUNTIME_DIR": environ["HOME"]}
    with agent_of(process(folder, served)) as agent:
        agent.good("remember", text="Deploys happen from the release branch only")

    assert "release branch" in hook(project, "SessionStart", source="startup")


def test_what_was_cited_rises_and_what_was_ignored_falls(project):
    tacit(project, "remember", "Retry the ledger upload with backoff, first way")
    tacit(project, "remember", "Retry the ledger upload with backoff, other way")
    question = "retry the ledger upload with backoff"
    first, second = recalled(project, question)
    start = hook(project, "SessionStart", source="startup")
    marks = {text.partition("] ")[2]: text.partition("]")[0] + "]" for text in start.splitlines()}
    hook(project, "UserPromptSubmit", prompt="Please make the ledger upload retry properly")
    hook(project, "Stop", last_assistant_message=f"Done. Applied: {marks[second]}")
    hook(project, "SessionEnd", reason="other")
    tacit(project, "observe", "--pending")

    assert recalled(project, question)[:2] == [second, first]


def test_two_projects_and_a_worktree_keep_to_themselves(project, tmp_path):
    folder, environ = project
    git = ["git", "-C", str(folder), "-c", "user.name=ana", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "begin"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "tree")], check=True)
    (folder / "src").mkdir()
    other = tmp_path / "elsewhere" / "shop"
    other.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    tacit(project, "remember", "Invoices are numbered by year")

    starts = {
        name: hook((place, environ), "SessionStart", session_id=name, source="startup")
        for name, place in {
            "root": folder,
            "sub": folder / "src",
            "tree": tmp_path / "tree",
            "other": other,
        }.items()
    }

    assert "Invoices" in starts["root"]
    assert starts["root"] == starts["sub"] == starts["tree"]
    assert starts["other"] == ""
    assert tacit((other, environ), "session", "list", "--json").count('"id"') <= 1


ANSWERS = {
    "on a line of its own": "Refunds are kept for ninety days now.\n\nApplied: {mark}",
    "inline": "Refunds are kept for ninety days now (per {mark}).",
    "in the middle": "As {mark} says, I kept UTC.\n\nRefunds are kept for ninety days now.",
    "not at all": "Refunds are kept for ninety days now.",
}


@pytest.mark.parametrize("form", ANSWERS)
@pytest.mark.parametrize("by", ["hook", "transcript"])
def test_a_session_whose_answer_cites_is_remembered_and_credited(project, tmp_path, form, by):
    tacit(project, "remember", "Refund dates are kept in UTC")
    start = hook(project, "SessionStart", source="startup")
    mark = re.search(r"\[[MGR]:[a-z2-7]+\]", start)[0]
    answer = ANSWERS[form].format(mark=mark)
    told = {}
    if by == "transcript":
        lines = [*TRANSCRIPT[:-1], line("assistant", [{"type": "text", "text": answer}])]
        told["transcript_path"] = written(tmp_path / "one.jsonl", project, lines)
    else:
        work(project, "one", TRANSCRIPT[:-1])
    hook(project, "UserPromptSubmit", prompt="Keep refunds for ninety days", **told)
    hook(project, "Stop", last_assistant_message=answer if by == "hook" else "", **told)
    hook(project, "SessionEnd", reason="other", **told)
    tacit(project, "observe", "--pending")

    memories = json.loads(tacit(project, "list", "--json"))
    [episode] = [one for one in memories if one["kind"] == "episode"]
    [fact] = [one for one in memories if one["text"] == "Refund dates are kept in UTC"]
    usage = json.loads(tacit(project, "why", fact["short"], "--json"))["usage"]
    assert "ninety days" in episode["text"]
    assert mark not in episode["text"]
    assert ("cited" in usage, "ignored" in usage) == (form != "not at all", form == "not at all")


def written(path, project, lines):
    """Write a transcript as the host keeps it; give its path."""
    folder, _ = project
    about = {"sessionId": "one", "cwd": str(folder), "isSidechain": False, "parentUuid": None}
    stamped = [
        {**about, **one, "uuid": f"u{n}", "timestamp": f"2026-03-01T10:{n:02}:00.000Z"}
        for n, one in enumerate(lines)
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in stamped))
    return str(path)

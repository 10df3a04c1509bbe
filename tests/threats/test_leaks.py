"""What goes wrong is told without telling anybody's secret."""

from __future__ import annotations

import json
import socket

import pytest

from hook_processes import environment, run_hook, sample
from secret_samples import SAMPLES

PASSWORD = "hunter2-of-ana"
SAMPLE = next(iter(SAMPLES.values()))


@pytest.mark.parametrize(
    "argv",
    [["list"], ["status"], ["doctor"], ["list", "--json"], ["doctor", "--json"], ["brief", "x"]],
)
def test_a_password_in_the_address_of_a_store_is_in_no_message(victim, argv, tmp_path):
    with socket.socket() as closed:  # a port where nobody listens
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    address = f"postgresql://ana:{PASSWORD}@127.0.0.1:{port}/shop?password={PASSWORD}"

    ran = victim.runs(*argv, TACIT_STORE=address)
    named = victim.runs("--store", address, *argv)

    assert PASSWORD not in ran.all + named.all
    log = tmp_path / "home" / "tacit.log"
    assert not log.exists() or PASSWORD not in log.read_text()


def test_a_hook_that_fails_tells_neither_the_prompt_nor_the_address(folder, tmp_path):
    environ = environment(
        tmp_path / "home", TACIT_STORE=f"postgresql://ana:{PASSWORD}@127.0.0.1:1/x"
    )
    for event in ("SessionStart", "UserPromptSubmit", "PostToolUse"):
        told = sample("claude", event, folder) | {"prompt": SAMPLE.text}
        ended = run_hook("claude", event, stdin=json.dumps(told).encode(), environ=environ)
        assert (ended.status, ended.err) == (0, "")
        assert PASSWORD not in ended.out
    log = (tmp_path / "home" / "tacit.log").read_text()

    assert PASSWORD not in log
    assert SAMPLE.text not in log


def test_a_secret_that_is_refused_is_not_repeated(server):
    secret = SAMPLE.secret
    for body in ({"text": "x", "kind": secret}, {"text": [secret]}, {"text": "x", "tier": secret}):
        answer = server.post("/memories", json=body)
        assert answer.status_code == 422
        assert secret not in answer.text
    answer = server.get("/status", headers={"authorization": f"Bearer {PASSWORD}"})
    assert PASSWORD not in answer.text


def test_a_bug_on_the_command_line_tells_no_secret(folder, capsys, monkeypatch):
    from tacit.interfaces.cli import run

    def broken(_argv):
        raise RuntimeError(f"met {SAMPLE.text}")

    monkeypatch.setattr(run, "_run", broken)
    for argv in (["list"], ["list", "--json"]):
        run.run(argv)

    said = "".join(capsys.readouterr())
    assert "RuntimeError" in said
    assert SAMPLE.secret not in said

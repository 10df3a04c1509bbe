"""Proof that hosts reach Tacit: what their settings say is run, as they would run it."""

from __future__ import annotations

import os

from tacit.errors import TacitError
from tacit.interfaces.install import files
from tacit.interfaces.install.entries import SERVER, is_our_hook, is_our_server
from tacit.interfaces.install.hosts import NAMES, machine_of, places_of, targets
from tacit.interfaces.install.program import Program
from tacit.interfaces.install.spans import find, read_spans
from tacit.interfaces.install.toml_settings import server_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from subprocess import Popen
    from typing import IO

    from tacit.config import Settings
    from tacit.interfaces.install.hosts import Target

    Check = tuple[str, bool, str]

HOOK_SECONDS = 5.0  # what every host gives the start of a session
SERVER_SECONDS = 20.0  # a server that has to load on a busy machine; hosts wait longer
END_SECONDS = 3.0
_STARTS = ("SessionStart", "sessionStart")
_OUTPUT_MAX = 1_000_000


def check_hosts(settings: Settings, environ: Mapping[str, str], root: str = "") -> list[Check]:
    """Run the hook and the server of every host that has them; the text says what is wrong."""
    machine = machine_of(environ, settings.user_home)
    checks: list[Check] = []
    answers: dict[tuple[str, ...], tuple[bool, str]] = {}  # hosts mostly start the same server
    for host in NAMES if settings.user_home else ():
        for where in places_of(host) if root and root != settings.user_home else ("user",):
            for target in targets(host, where, root, machine, Program(words=("tacit",))):
                checks += _check(target, environ, answers)
    return checks


def _check(
    target: Target, environ: Mapping[str, str], answers: dict[tuple[str, ...], tuple[bool, str]]
) -> Iterator[Check]:
    name = target.host if target.where == "user" else f"{target.host} ({target.where})"
    try:
        raw = files.read(os.path.realpath(target.file))
        if raw is None:
            return
        hook, server = _hook_line(target, raw), _server_words(target, raw)
    except (TacitError, OSError) as error:
        yield f"{name} settings", False, f"{target.file}: {error}"
        return
    if hook:
        yield f"{name} hook", *_hook_answers(hook, target.host, environ)
    if server:
        words = tuple(server)
        answers[words] = answers.get(words) or _server_answers(server, environ)
        yield f"{name} server", *answers[words]


def _hook_line(target: Target, raw: bytes) -> list[str] | str:
    """Give how the start of a session is told: words, or a line for a shell."""
    if target.kind == "own":
        return _shim_words(raw.decode("utf-8", "replace"))
    if target.kind != "json" or not raw.strip():
        return []
    root = read_spans(files.decode(raw))
    for event in _STARTS:
        node = find(root, ("hooks", event))
        for element in node.parts if node else ():
            inner = element.member("hooks")
            for part in inner.parts if inner else (element,):
                handler = part.value()
                if isinstance(handler, dict) and is_our_hook(handler):
                    return _words_of(handler)
    return []


def _words_of(handler: dict[str, object]) -> list[str] | str:
    command, arguments = handler.get("command"), handler.get("args")
    if isinstance(arguments, list):
        return [str(command), *map(str, arguments)]
    if command is None and os.name == "nt":
        return ["powershell", "-NoProfile", "-Command", str(handler.get("powershell"))]
    return str(command or handler.get("bash"))


def _shim_words(text: str) -> list[str]:
    from json import loads

    host = "claude"
    for line in text.splitlines():
        if line.startswith("const HOST = "):
            host = loads(line.removeprefix("const HOST = "))
    for line in text.splitlines():
        if line.startswith("const TACIT = "):
            return [*loads(line.removeprefix("const TACIT = ")), "hook", host, "SessionStart"]
    return []


def _server_words(target: Target, raw: bytes) -> list[str]:
    entry: object = None
    if target.kind == "toml":
        entry = server_of(files.decode(raw))
    elif target.servers is not None and raw.strip():
        node = find(read_spans(files.decode(raw)), (*target.servers, SERVER))
        entry = node.value() if node else None
    if not isinstance(entry, dict) or not is_our_server(entry):
        return []
    command, arguments = entry.get("command"), entry.get("args", [])
    words = command if isinstance(command, list) else [command]
    return [str(word) for word in (*words, *arguments)]


def _hook_answers(line: list[str] | str, host: str, environ: Mapping[str, str]) -> tuple[bool, str]:
    """Tell a session's start to the hook, from a folder of no project, and see it end well."""
    import subprocess
    import time
    from json import dumps
    from tempfile import TemporaryDirectory

    shown = line if isinstance(line, str) else " ".join(line)
    with TemporaryDirectory() as folder:
        told = {"hook_event_name": "SessionStart", "session_id": "tacit-doctor", "cwd": folder}
        started = time.perf_counter()
        try:
            ran = subprocess.run(  # noqa: S603  # as the host runs what its settings say
                line,
                shell=isinstance(line, str),
                input=dumps({**told, "source": "startup"}).encode(),
                capture_output=True,
                cwd=folder,
                env={**environ, "TACIT_HOME": folder},
                timeout=HOOK_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False, f"{shown} did not end within {HOOK_SECONDS:.0f} s"
        except OSError as error:
            again = f"run: tacit init --host {host}"
            return False, f"{shown} cannot be run ({error.strerror}); {again}"
        seconds = time.perf_counter() - started
        complaint = (files.read(os.path.join(folder, "tacit.log")) or b"").decode(errors="replace")
    if ran.returncode:
        return False, f"{shown} ended with status {ran.returncode}; run: tacit init --host {host}"
    if complaint:  # a hook ends well also when it could do nothing
        return False, f"{shown} wrote to its log: {complaint.strip().splitlines()[-1]}"
    return True, f"answers the start of a session in {seconds:.2f} s"


def _server_answers(words: list[str], environ: Mapping[str, str]) -> tuple[bool, str]:
    """Start the server, ask it for its tools, and end it."""
    import subprocess
    from json import dumps
    from threading import Timer

    shown = " ".join(words)
    asked: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": _HELLO},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list", "params": {}},
    ]
    try:
        server = subprocess.Popen(  # noqa: S603  # as the host runs what its settings say
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environ),
        )
    except OSError as error:
        return False, f"{shown} cannot be started ({error.strerror}); run: tacit init --host all"
    guard = Timer(SERVER_SECONDS, server.kill)
    guard.start()
    try:
        assert server.stdin is not None
        assert server.stdout is not None
        for message in asked:
            server.stdin.write(dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        server.stdin.flush()
        tools = _tools_in(server.stdout)
    except OSError:
        tools = -1
    finally:
        guard.cancel()
        _end(server)
    if tools < 0:
        return False, f"{shown} did not tell its tools within {SERVER_SECONDS:.0f} s"
    return True, f"{tools} tools"


def _end(server: Popen[bytes]) -> None:
    """End a server the way hosts do: no more input, and then by force."""
    import subprocess

    try:
        server.communicate(timeout=END_SECONDS)
    except (subprocess.TimeoutExpired, OSError):
        server.kill()
        server.communicate()


_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "tacit-doctor", "version": "1"},
}


def _tools_in(stream: IO[bytes]) -> int:
    """Give how many tools the answer to the second message names; -1 when none comes."""
    from json import loads

    for line in stream:
        if len(line) > _OUTPUT_MAX:
            return -1
        try:
            answer = loads(line)
        except ValueError:
            continue
        if isinstance(answer, dict) and answer.get("id") == 2:
            tools = (answer.get("result") or {}).get("tools")
            return len(tools) if isinstance(tools, list) else -1
    return -1

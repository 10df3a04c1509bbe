"""One call of a hook in process: what is read, who is asked, what is printed and noted."""

from __future__ import annotations

import json
import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from tacit.__main__ import main
from tacit.config import load_settings
from tacit.errors import Busy
from tacit.happening import Answer, Happening, Moment
from tacit.interfaces.hooks import log
from tacit.interfaces.hooks.serving import answerer
from tacit.interfaces.warm.call import Call
from tacit.interfaces.warm.place import make_socket_path
from tacit.interfaces.warm.server import serve
from tacit.project import resolve_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Scripted:
    """A memory that keeps what happens and says what it was told to say."""

    opened: ClassVar[list[str]] = []
    happened: ClassVar[list[Happening]] = []
    says: ClassVar[Answer | Exception] = Answer(context="Tokens are signed with RS256")

    @classmethod
    def open(cls, *, project: str, settings: object) -> Scripted:
        assert settings is not None
        assert os.environ["TACIT_SKIP"] == "1"  # nothing it starts is a session of the user's
        cls.opened.append(project)
        return cls()

    def attend(self, happening: Happening) -> Answer:
        self.happened.append(happening)
        if isinstance(self.says, Exception):
            raise self.says
        return self.says

    def take_troubles(self) -> tuple[str, ...]:
        return ()


class Hook:
    """Runs hooks in process, with real descriptors."""

    def __init__(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._stdin = tmp_path / "stdin"
        self._capfd = capfd
        self._monkeypatch = monkeypatch
        self.log = tmp_path / "home" / "tacit.log"

    def __call__(self, *argv: str, told: Any = None) -> str:
        data = told if isinstance(told, bytes) else json.dumps(told).encode()
        self._stdin.write_bytes(data)
        descriptor = os.open(self._stdin, os.O_RDONLY)
        self._monkeypatch.setattr("tacit.interfaces.hooks.run.STANDARD_INPUT", descriptor)
        self._capfd.readouterr()
        try:
            assert main(["hook", *argv]) == 0
        finally:
            os.close(descriptor)
        return self._capfd.readouterr().out

    @property
    def noted(self) -> list[str]:
        """What the log says, without the times."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        return [line.partition(" ")[2] for line in lines]


@pytest.fixture
def hook(
    folder: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Hook]:
    attending = ModuleType("tacit.system.attending")
    attending.Attending = Scripted  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tacit.system.attending", attending)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "no-runtime"))
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    monkeypatch.setattr(Scripted, "opened", [])
    monkeypatch.setattr(Scripted, "happened", [])
    yield Hook(tmp_path, capfd, monkeypatch)
    assert "TACIT_SKIP" not in os.environ


def a_prompt(**more: Any) -> dict[str, Any]:
    return {"session_id": "s1", "prompt": "how are tokens signed?"} | more


def test_a_prompt_is_attended_and_answered(hook: Hook, folder: Path) -> None:
    out = hook("claude", "UserPromptSubmit", told=a_prompt(cwd=str(folder)))

    assert json.loads(out)["hookSpecificOutput"]["additionalContext"].endswith("RS256")
    (happening,) = Scripted.happened
    assert happening.moment is Moment.PROMPT
    assert happening.session == "s1"
    assert Scripted.opened == [str(folder)]
    assert hook.noted == []


def test_the_folder_is_the_one_told_then_the_environments_then_where_it_stands(
    hook: Hook, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = folder / "inner"
    inner.mkdir()
    hook("claude", "Stop", told={"cwd": str(inner)})
    hook("cursor", "stop", told={"workspace_roots": [str(inner)], "cwd": "/elsewhere"})
    hook("cursor", "stop", told={"workspace_roots": [7], "cwd": str(inner)})
    hook("claude", "Stop", told={"cwd": 7})
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(inner))
    hook("claude", "Stop", told={"cwd": ""})

    assert Scripted.opened == [str(inner)] * 3 + [str(folder), str(inner)]


@pytest.mark.parametrize("skip", ["1", "true"])
def test_skipping_says_nothing_and_opens_nothing(
    hook: Hook, monkeypatch: pytest.MonkeyPatch, skip: str
) -> None:
    monkeypatch.setenv("TACIT_SKIP", skip)
    out = hook("claude", "UserPromptSubmit", told=a_prompt())
    monkeypatch.delenv("TACIT_SKIP")

    assert out == ""
    assert Scripted.opened == []
    assert hook.noted == []


@pytest.mark.parametrize(
    ("argv", "out"),
    [
        ((), ""),
        (("claude",), ""),
        (("claude", "Nothing"), ""),
        (("emacs", "SessionStart"), ""),
        (("cursor", "Nothing"), "{}"),
        (("../../etc", "x\ny"), ""),
    ],
)
def test_an_unknown_host_or_event_is_noted(hook: Hook, argv: tuple[str, ...], out: str) -> None:
    assert hook(*argv, told={}) == out
    (line,) = hook.noted
    assert line.endswith(": there is no such host or event")
    assert "/" not in line


@pytest.mark.parametrize("data", [b"", b"   ", b"[1]", b"{", b"\xff\xfe", b"x" * 9_000_000])
@pytest.mark.parametrize(
    ("host", "event", "out"), [("codex", "Stop", ""), ("gemini", "AfterTool", "{}")]
)
def test_what_cannot_be_read_is_noted_without_its_words(
    hook: Hook, data: bytes, host: str, event: str, out: str
) -> None:
    assert hook(host, event, told=data) == out
    (line,) = hook.noted
    assert line.startswith(f"hook {host} {event}: was told ")
    assert len(line) < 120
    assert Scripted.happened == []


@pytest.mark.parametrize(
    ("host", "event", "out"), [("claude", "Stop", ""), ("cursor", "stop", "{}")]
)
def test_an_error_is_noted_and_the_host_told_nothing(
    hook: Hook, monkeypatch: pytest.MonkeyPatch, host: str, event: str, out: str
) -> None:
    monkeypatch.setattr(Scripted, "says", Busy("the store was held for 1 s"))

    assert hook(host, event, told={}) == out
    assert hook.noted == [f"hook {host} {event}: Busy: the store was held for 1 s"]


def test_of_an_unforeseen_error_only_its_place_is_noted(
    hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Scripted, "says", KeyError("the user's secret"))

    assert hook("claude", "Stop", told={}) == ""
    (line,) = hook.noted
    assert line.startswith("hook claude Stop: KeyError at test_hooks_run.py:")


def test_settings_that_cannot_be_read_are_noted_beside_them(
    hook: Hook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TACIT_EMBED_THREADS", "many")

    assert hook("claude", "Stop", told={}) == ""
    (line,) = hook.noted
    assert "TACIT_EMBED_THREADS" in line


def test_a_folder_that_is_gone_is_noted(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tacit.system.attending")
    out = hook("claude", "SessionStart", told={"cwd": "/nowhere/at/all"})

    assert out == ""
    (line,) = hook.noted
    assert "NotFound" in line


def test_the_log_begins_anew_when_it_is_full(hook: Hook) -> None:
    hook.log.parent.mkdir()
    hook.log.write_bytes(b"x" * log.MOST_BYTES)

    hook("claude", "Nothing", told={})

    assert hook.log.stat().st_size < 200
    assert hook.log.with_name("tacit.log.1").stat().st_size == log.MOST_BYTES


def test_a_warm_process_answers_prompts_and_tools_but_not_the_start(
    hook: Hook, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _served(folder, monkeypatch):
        for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"):
            out = hook("claude", event, told=a_prompt(cwd=str(folder), source="user"))
            assert ("RS256" in out) == (event != "Stop")

    own = [happening.event for happening in Scripted.happened]
    assert own == ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"]
    assert len(Scripted.opened) == 2  # the start and the end of the turn; the rest was warm


def test_what_the_warm_process_cannot_answer_the_hook_answers_itself(
    hook: Hook, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _served(folder, monkeypatch, memory=None):
        out = hook("claude", "UserPromptSubmit", told=a_prompt(cwd=str(folder)))

    assert "RS256" in out
    assert len(Scripted.opened) == 1


def test_a_warm_process_refuses_what_is_not_for_it() -> None:
    answer = answerer(Scripted())
    call = Call(host="claude", event="UserPromptSubmit", folder="/", data=b'{"prompt": "x"}')

    assert answer(call.packed())
    assert answer(call.replace(event="SessionStart").packed()) is None
    assert answer(call.replace(host="emacs").packed()) is None
    assert answer(call.replace(data=b"garbage").packed()) is None
    assert answer(b"garbage") is None


class _served:  # noqa: N801  # reads as a word where it is used
    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, memory: object = Scripted
    ) -> None:
        import tempfile

        self._place = tempfile.TemporaryDirectory(prefix="tw")
        monkeypatch.setenv("XDG_RUNTIME_DIR", self._place.name)
        chosen = load_settings(os.environ)
        path = make_socket_path(chosen, resolve_project(str(folder), chosen))
        self._close = serve(path, answerer(memory and Scripted()))

    def __enter__(self) -> None: ...

    def __exit__(self, *_error: object) -> None:
        self._close()
        self._place.cleanup()

"""A language model behind a program: the prompt goes to its standard input.

The program is started without a shell, in an empty folder of its own, so that an agent behind
it (`claude -p`) sees neither the project nor its rules; and with `TACIT_SKIP=1`, so that its
hooks do not observe what Tacit itself has asked.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from subprocess import PIPE, Popen, TimeoutExpired
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic
from typing import IO

from tacit.encode.llm.answers import dig, need_text, used
from tacit.encode.ports import Completion, Lost
from tacit.errors import Invalid, Unavailable
from tacit.text import shorten

DEADLINE_SECONDS = 120.0  # an agent starts slower than a server answers
MOST_BYTES = 1_000_000
MOST_ERROR_BYTES = 4_000


class CommandModel:
    """Runs a program for each answer and reads what it prints."""

    def __init__(self, line: str, *, seconds: float = DEADLINE_SECONDS) -> None:
        """Take the program and its arguments as one line, quoted as in a shell."""
        try:
            self._words = shlex.split(line)
        except ValueError as broken:
            raise Invalid(f"the command {line!r} cannot be split: {broken}") from None
        if not self._words:
            raise Invalid("write command:<program and arguments>, such as command:claude -p")
        self.name = f"command:{line}"
        self._seconds = seconds

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> Completion:
        """Answer the prompt, or raise `Unavailable`; a program knows no limit of tokens."""
        asked = f"{system}\n\n{prompt}" if system else prompt
        with TemporaryDirectory(prefix="tacit-", ignore_cleanup_errors=True) as folder:
            printed = self._run(asked.encode("utf-8", "replace"), folder)
        answer = _agent_answer(printed) or Completion(text=printed)
        need_text(answer.text, self._words[0], most_tokens=most_tokens, why="it printed nothing")
        return answer

    def _run(self, given: bytes, folder: str) -> str:
        program, deadline = self._words[0], monotonic() + self._seconds
        process = self._start(folder)
        output = _Reader(process.stdout, MOST_BYTES)
        errors = _Reader(process.stderr, MOST_ERROR_BYTES, keeps_end=True)
        _in_thread(_feed, process.stdin, given)
        try:
            # The output first: a program that has ended but is not waited for keeps its group's
            # number, so that what it left behind can still be ended with it.
            if not output.done.wait(self._seconds):
                raise Lost(f"{program} did not answer within {self._seconds:g} s and was ended")
            if output.full:
                raise Lost(f"{program} printed more than {MOST_BYTES:,} bytes and was ended")
            status = process.wait(max(0.0, deadline - monotonic()))
        except TimeoutExpired:
            raise Lost(f"{program} did not end within {self._seconds:g} s and was ended") from None
        finally:
            _kill(process)
        if status != 0:
            errors.done.wait(max(0.0, deadline - monotonic()))
            said = errors.text().strip().rpartition("\n")[2]
            raise Unavailable(f"{program} failed with status {status}: {shorten(said, 200)}")
        return output.text()

    def _start(self, folder: str) -> Popen[bytes]:
        program = shutil.which(self._words[0])
        if program is None:
            raise Unavailable(
                f"the program {self._words[0]} is not there; install it or change the setting llm"
            )
        try:
            return Popen(  # noqa: S603  # the user's own setting names the program; no shell
                [os.path.abspath(program), *self._words[1:]],
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                bufsize=0,
                cwd=folder,
                env=os.environ | {"TACIT_SKIP": "1"},
                start_new_session=True,
            )
        except OSError as failed:
            raise Unavailable(f"{program} cannot be run: {failed.strerror}") from failed


class _Reader:
    """What a program prints, read beside it up to a ceiling, where it stops or keeps the end."""

    def __init__(self, stream: IO[bytes] | None, most: int, *, keeps_end: bool = False) -> None:
        self.done = Event()
        self.full = False
        self._bytes = bytearray()
        _in_thread(self._read, stream, most, keeps_end)

    def text(self) -> str:
        return self._bytes.decode("utf-8", "replace")

    def _read(self, stream: IO[bytes], most: int, keeps_end: bool) -> None:
        try:
            with stream:
                while not self.full and (chunk := stream.read(65_536)):
                    self._bytes += chunk
                    if keeps_end:
                        del self._bytes[:-most]  # of errors the last words tell most
                    self.full = len(self._bytes) > most
        finally:
            self.done.set()


def _agent_answer(printed: str) -> Completion | None:
    """Read the JSON of an agent (`claude -p --output-format json`); None for any other text."""
    try:
        said = json.loads(printed)
    except (ValueError, RecursionError):
        return None
    text = dig(said, "result")
    if dig(said, "type") != "result" or not isinstance(text, str):
        return None
    if dig(said, "is_error") is True:
        raise Unavailable(f"the agent failed: {shorten(text, 200)}")
    return used(text, dig(said, "usage"))


def _feed(stream: IO[bytes], given: bytes) -> None:
    # A program need not read all it is given; its answer tells.
    with suppress(BrokenPipeError), stream:
        view = memoryview(given)
        while view:
            view = view[stream.write(view) :]


def _in_thread(work: Callable[..., None], *given: object) -> None:
    Thread(target=work, args=given, daemon=True).start()


def _kill(process: Popen[bytes]) -> None:
    """End a program that still runs, with all it has started."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            from signal import SIGKILL

            os.killpg(process.pid, SIGKILL)
    process.wait()

"""A nightly cycle by the machine's own timers: systemd for the user, or cron.

What would be written is worked out first and can be shown; only then is it written. Every
project has a timer of its own; taking it away leaves what others wrote.
"""

from __future__ import annotations

import os
import subprocess

from tacit.config import make_folder
from tacit.errors import Invalid, Unavailable
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.interfaces.install.program import Program

KINDS = ("systemd", "cron")
SECONDS = 20  # for systemctl and crontab to answer
MOST = 1800  # seconds a night's cycle may take
DEFAULT_TIME = "03:30"


class Timer(Value):
    """What runs a project's cycle every night."""

    kind: str  # systemd or cron
    name: str
    project: str  # its folder
    command: str  # a line for the shell
    at: str  # hours and minutes

    def __post_init__(self) -> None:
        hours, _, minutes = self.at.partition(":")
        told = hours.isdigit() and minutes.isdigit() and len(minutes) == 2
        if not told or int(hours) > 23 or int(minutes) > 59:
            raise Invalid(f"{self.at!r} is no time of day; write hours and minutes, as 03:30")
        if self.kind not in KINDS:
            raise Invalid(f"there is no timer {self.kind!r}; use one of {', '.join(KINDS)}")


def timer_of(kind: str, project: str, folder: str, program: Program, at: str) -> Timer:
    """Give the timer of a project."""
    command = program.bash("consolidate", "--quiet", "--seconds", str(MOST), "--project", folder)
    return Timer(
        kind=kind, name=f"tacit-consolidate-{project}", project=folder, command=command, at=at
    )


def kind_here(environ: Mapping[str, str]) -> str:
    """Give the kind of timer this machine has."""
    if _answers(["systemctl", "--user", "show-environment"], environ):
        return "systemd"
    if _found("crontab", environ):
        return "cron"
    raise Unavailable(
        "neither systemd for users nor cron was found; run this nightly by other means: "
        "tacit consolidate --quiet --project FOLDER"
    )


def shown(timer: Timer, environ: Mapping[str, str]) -> str:
    """Give what would be written, and where."""
    if timer.kind == "cron":
        return f"a line of crontab -e:\n{_cron_line(timer)}\n"
    return "".join(f"{path}:\n{text}\n" for path, text in _units(timer, environ).items())


def install(timer: Timer, environ: Mapping[str, str]) -> None:
    """Write the timer, in place of an earlier one of the project."""
    if timer.kind == "cron":
        others = [line for line in _crontab(environ) if not line.endswith(_tag(timer))]
        _put_crontab([*others, _cron_line(timer)], environ)
        return
    for path, text in _units(timer, environ).items():
        make_folder(os.path.dirname(path))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    _run(["systemctl", "--user", "daemon-reload"], environ)
    _run(["systemctl", "--user", "enable", "--now", f"{timer.name}.timer"], environ)


def remove(timer: Timer, environ: Mapping[str, str]) -> bool:
    """Take the timer away; tell whether there was one."""
    if timer.kind == "cron":
        lines = _crontab(environ)
        others = [line for line in lines if not line.endswith(_tag(timer))]
        if others != lines:
            _put_crontab(others, environ)
        return others != lines
    paths = [path for path in _units(timer, environ) if os.path.exists(path)]
    if paths:
        _run(["systemctl", "--user", "disable", "--now", f"{timer.name}.timer"], environ)
        for path in paths:
            os.remove(path)
        _run(["systemctl", "--user", "daemon-reload"], environ)
    return bool(paths)


def _units(timer: Timer, environ: Mapping[str, str]) -> dict[str, str]:
    """Give the two files systemd wants, by their paths."""
    home = environ.get("XDG_CONFIG_HOME") or os.path.join(environ.get("HOME", ""), ".config")
    folder = os.path.join(home, "systemd", "user")
    command = timer.command.replace("%", "%%")
    service = (
        f"[Unit]\nDescription=Tacit: the nightly cycle of {timer.project}\n\n"
        f"[Service]\nType=oneshot\nNice=10\nExecStart={command}\n"
    )
    when = (
        f"[Unit]\nDescription=Tacit: when the cycle of {timer.project} runs\n\n"
        f"[Timer]\nOnCalendar=*-*-* {timer.at}:00\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )
    return {
        os.path.join(folder, f"{timer.name}.service"): service,
        os.path.join(folder, f"{timer.name}.timer"): when,
    }


def _cron_line(timer: Timer) -> str:
    hours, _, minutes = timer.at.partition(":")
    # A percent sign ends a command of cron unless it is escaped.
    command = timer.command.replace("%", "\\%")
    return f"{int(minutes)} {int(hours)} * * * {command} {_tag(timer)}"


def _tag(timer: Timer) -> str:
    return f"# {timer.name}"


def _crontab(environ: Mapping[str, str]) -> list[str]:
    ended = _call(["crontab", "-l"], environ)
    if ended.returncode and b"no crontab" not in ended.stderr.lower():
        raise Unavailable(f"crontab -l failed: {_said(ended)}")
    return (
        ended.stdout.decode(errors="surrogateescape").splitlines() if not ended.returncode else []
    )


def _put_crontab(lines: Sequence[str], environ: Mapping[str, str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    _run(["crontab", "-"], environ, text.encode(errors="surrogateescape"))


def _run(command: list[str], environ: Mapping[str, str], told: bytes = b"") -> None:
    ended = _call(command, environ, told)
    if ended.returncode:
        raise Unavailable(f"{' '.join(command)} failed: {_said(ended)}")


def _answers(command: list[str], environ: Mapping[str, str]) -> bool:
    return _found(command[0], environ) and not _call(command, environ).returncode


def _found(name: str, environ: Mapping[str, str]) -> bool:
    from shutil import which

    return which(name, path=environ.get("PATH")) is not None


def _call(
    command: list[str], environ: Mapping[str, str], told: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    from shutil import which

    program = which(command[0], path=environ.get("PATH"))
    if program is None:
        raise Unavailable(f"{command[0]} was not found; install it or choose another timer")
    try:
        return subprocess.run(  # noqa: S603 - the machine's own timers
            [program, *command[1:]],
            input=told,
            capture_output=True,
            check=False,
            env=dict(environ),
            timeout=SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{' '.join(command)} gave no answer: {error}") from error


def _said(ended: subprocess.CompletedProcess[bytes]) -> str:
    return ended.stderr.decode(errors="replace").strip() or f"status {ended.returncode}"

"""A nightly cycle by cron or systemd: shown first, written when told, taken away without a trace.

The programs are small working ones: a crontab that keeps its lines in a file, a systemctl that
notes how it was called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from interfaces.conftest import Cli

CRONTAB = """#!/bin/sh
table="{place}/table"
case "$1" in
  -l) if [ -f "$table" ]; then cat "$table"; else echo "no crontab for ana" >&2; exit 1; fi ;;
  -) cat > "$table" ;;
esac
"""
SYSTEMCTL = """#!/bin/sh
echo "$@" >> "{place}/called"
"""


@pytest.fixture
def programs(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a folder of programs before all others; give where they keep what they are told."""
    place = tmp_path / "bin"
    place.mkdir()
    monkeypatch.setenv("PATH", f"{place}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return place


def _put(place: Path, name: str, text: str) -> None:
    (place / name).write_text(text.format(place=place), encoding="utf-8")
    (place / name).chmod(0o755)


def test_a_line_of_cron_is_shown_then_written_then_gone(cli: Cli, programs: Path) -> None:
    _put(programs, "crontab", CRONTAB)
    table = programs / "table"
    table.write_text("5 4 * * * backup # mine\n", encoding="utf-8")

    shown = cli("consolidate", "--install-timer", "cron", "--at", "02:05")
    assert shown.status == 0
    assert "5 2 * * * " in shown.out
    assert "consolidate --quiet" in shown.out
    assert "nothing was written" in shown.err
    assert table.read_text(encoding="utf-8") == "5 4 * * * backup # mine\n"

    cli("consolidate", "--install-timer", "cron", "--at", "02:05", "--yes")
    cli("consolidate", "--install-timer", "cron", "--at", "04:40", "--yes")
    lines = table.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "5 4 * * * backup # mine"
    assert len(lines) == 2
    assert lines[1].startswith("40 4 * * * ")

    gone = cli("consolidate", "--remove-timer", "--install-timer", "cron")
    assert gone.out == "The nightly run was taken away.\n"
    assert table.read_text(encoding="utf-8") == "5 4 * * * backup # mine\n"
    again = cli("consolidate", "--remove-timer", "--install-timer", "cron")
    assert again.out == "There was no nightly run.\n"


def test_a_user_without_a_crontab_gets_one(cli: Cli, programs: Path) -> None:
    _put(programs, "crontab", CRONTAB)
    assert cli("consolidate", "--install-timer", "cron", "--yes").status == 0
    assert (programs / "table").read_text(encoding="utf-8").startswith("30 3 * * * ")


def test_units_of_systemd_are_written_and_switched_on(
    cli: Cli, programs: Path, tmp_path: Path
) -> None:
    _put(programs, "systemctl", SYSTEMCTL)
    told = cli.json("consolidate", "--install-timer", "--yes")
    assert told["kind"] == "systemd"
    folder = tmp_path / "config" / "systemd" / "user"
    service, timer = folder / f"{told['name']}.service", folder / f"{told['name']}.timer"
    assert "ExecStart=" in service.read_text(encoding="utf-8")
    assert "OnCalendar=*-*-* 03:30:00" in timer.read_text(encoding="utf-8")
    called = (programs / "called").read_text(encoding="utf-8")
    assert f"enable --now {told['name']}.timer" in called

    cli("consolidate", "--remove-timer")
    assert not service.exists()
    assert not timer.exists()


def test_a_machine_without_timers_is_told_what_to_do(
    cli: Cli, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(programs))
    ran = cli("consolidate", "--install-timer")
    assert ran.status != 0
    assert "by other means" in ran.err


@pytest.mark.parametrize("at", ["25:00", "3", "03:7", "noon"])
def test_a_time_that_is_none_is_refused(cli: Cli, programs: Path, at: str) -> None:
    _put(programs, "crontab", CRONTAB)
    ran = cli("consolidate", "--install-timer", "cron", "--at", at, "--yes")
    assert ran.status != 0
    assert "no time of day" in ran.err
    assert not (programs / "table").exists()


def test_a_timer_that_fails_says_why(cli: Cli, programs: Path) -> None:
    _put(programs, "crontab", "#!/bin/sh\necho 'you may not' >&2\nexit 1\n")
    ran = cli("consolidate", "--install-timer", "cron", "--yes")
    assert ran.status != 0
    assert "you may not" in ran.err

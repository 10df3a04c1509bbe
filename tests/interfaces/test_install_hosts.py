"""Hosts are connected after a yes, and disconnected to the very bytes from before."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.interfaces.hooks.events import EVENTS, deadline, moment_of
from tacit.interfaces.install.entries import HOOKS, hook_values
from tacit.interfaces.install.hosts import NAMES, machine_of, targets
from tacit.interfaces.install.program import Program, find_program, may_vanish

if TYPE_CHECKING:
    from interfaces.conftest import Cli

SETTINGS = """\
{
    // my model
    "model": "opus",
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "say done"}]}
        ]
    },
    "permissions": {"allow": ["Bash(ls:*)"]},
}
"""
CONFIG = '# mine\nmodel = "o5"\n\n[mcp_servers.other]\ncommand = "x"\n'


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a home with every host in it and settings in some."""
    for name in ("XDG_CONFIG_HOME", "OPENCODE_CONFIG_DIR", "COPILOT_HOME"):
        monkeypatch.delenv(name, raising=False)
    home = Path(os.environ["HOME"])
    for name in (".claude", ".codex", ".gemini", ".cursor", ".copilot", ".config/opencode"):
        (home / name).mkdir(parents=True)
    (home / ".claude/settings.json").write_bytes(SETTINGS.replace("\n", "\r\n").encode())
    (home / ".claude.json").write_text('{"numStartups":3,"projects":{}}')
    (home / ".claude.json").chmod(0o600)
    (home / ".codex/config.toml").write_text(CONFIG)
    (home / ".gemini/settings.json").write_text("{}")
    (home / ".cursor/mcp.json").write_text('\ufeff{\n\t"mcpServers": {}\n}')
    return home


def tree(folder: Path) -> dict[str, bytes | None]:
    """Give all that lies below a folder: paths, and the bytes of files."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def connect(cli: Cli, *argv: str) -> None:
    ran = cli("init", "--empty", *argv, "--yes")
    assert ran.status == 0, ran


def test_all_hosts_are_connected_and_taken_back_byte_for_byte(cli: Cli, home: Path) -> None:
    before = tree(home)

    connect(cli, "--host", "all")
    connected = tree(home)
    ran = cli("uninstall", "--yes")

    assert ran.status == 0
    assert tree(home) == before
    assert not (home.parent / "home/install").exists()
    assert "memories are kept in" in ran.err
    changed = {name for name in connected if connected[name] != before.get(name, b"")}
    assert changed == {
        ".claude/settings.json",
        ".claude.json",
        ".codex/hooks.json",
        ".codex/config.toml",
        ".gemini/settings.json",
        ".cursor/hooks.json",
        ".cursor/mcp.json",
        ".copilot/hooks",
        ".copilot/hooks/tacit.json",
        ".copilot/mcp-config.json",
        ".config/opencode/plugins",
        ".config/opencode/plugins/tacit.js",
        ".config/opencode/opencode.json",
    }


def test_what_others_wrote_is_kept(cli: Cli, home: Path) -> None:
    connect(cli, "--host", "claude", "--host", "codex")

    text = (home / ".claude/settings.json").read_bytes().decode()
    for line in SETTINGS.splitlines()[:5]:
        assert line + "\r\n" in text
    assert '{"hooks": [{"type": "command", "command": "say done"}]},' in text
    assert (home / ".codex/config.toml").read_text().startswith(CONFIG)
    assert json.loads((home / ".claude.json").read_text())["numStartups"] == 3
    assert stat.S_IMODE((home / ".claude.json").stat().st_mode) == 0o600


def test_a_second_time_nothing_changes(cli: Cli, home: Path) -> None:
    connect(cli, "--host", "all")
    before = tree(home)

    ran = cli("init", "--empty", "--host", "all", "--yes")

    assert "connected already" in ran.out
    assert tree(home) == before
    assert cli.json("init", "--empty", "--host", "all", "--yes")["hosts"] == []


def test_a_dry_run_shows_the_diff_and_changes_nothing(cli: Cli, home: Path) -> None:
    before = tree(home.parent)

    ran = cli("init", "--empty", "--host", "codex", "--dry-run")

    assert f"--- {home}/.codex/config.toml" in ran.out
    assert "+[mcp_servers.tacit]" in ran.out
    assert "--- /dev/null" in ran.out
    assert tree(home.parent) == before


def test_without_a_yes_nothing_changes(cli: Cli, home: Path) -> None:
    before = tree(home)

    ran = cli("init", "--empty", "--host", "all")

    assert "+[mcp_servers.tacit]" in ran.out
    assert "nothing was changed; add --yes" in ran.err
    assert tree(home) == before


def test_without_a_host_no_settings_are_touched(cli: Cli, home: Path) -> None:
    before = tree(home)

    assert cli("init", "--empty").status == 0
    assert cli("init", "--empty", "--no-host").status == 0

    assert tree(home) == before


def test_programs_are_told_each_file_and_its_diff(cli: Cli, home: Path) -> None:
    told = cli.json("init", "--empty", "--host", "cursor", "--yes")["hosts"]

    assert [(one["host"], one["file"], one["change"]) for one in told] == [
        ("cursor", f"{home}/.cursor/hooks.json", "create"),
        ("cursor", f"{home}/.cursor/mcp.json", "edit"),
    ]
    assert '+      "tacit": {' in told[1]["diff"].replace("\t", "   ")
    assert (home / ".cursor/hooks.json").exists()
    taken = cli.json("uninstall", "--dry-run")
    assert [one["change"] for one in taken] == ["edit", "remove"]
    assert (home / ".cursor/hooks.json").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".claude/settings.json", b"{ not json"),
        (".claude/settings.json", b"[]"),
        (".claude/settings.json", b'{"hooks": 1}'),
        (".claude/settings.json", b'{"a": "\xff"}'),
        (".claude.json", b'{"mcpServers": {"tacit": {"url": "https://example.com"}}}'),
        (".codex/config.toml", b"a ="),
        (".config/opencode/plugins/tacit.js", b"mine"),
    ],
)
def test_a_file_that_cannot_be_changed_safely_changes_nothing_anywhere(
    cli: Cli, home: Path, name: str, text: bytes
) -> None:
    (home / name).parent.mkdir(exist_ok=True)
    (home / name).write_bytes(text)
    before = tree(home)

    ran = cli("init", "--empty", "--host", "all", "--yes")

    assert ran.status != 0
    assert str(home / name) in ran.err
    assert "nothing was changed" in ran.err
    assert tree(home) == before


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may write anywhere")
def test_a_host_whose_second_file_cannot_be_written_is_put_back(cli: Cli, home: Path) -> None:
    (home / ".codex").chmod(0o500)
    before = tree(home)

    assert cli("init", "--empty", "--host", "codex", "--yes").status != 0

    (home / ".codex").chmod(0o700)
    assert tree(home) == before


def test_a_write_that_fails_midway_puts_the_host_back(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tacit.interfaces.install import files

    before, write = tree(home), files.write

    def failing(path: str, raw: bytes | None, *, private: bool = False) -> None:
        if path.endswith("mcp-config.json") and raw is not None:
            raise OSError(28, "no space left", path)
        write(path, raw, private=private)

    monkeypatch.setattr(files, "write", failing)

    assert cli("init", "--empty", "--host", "copilot", "--yes").status != 0

    assert tree(home) == before
    assert not (home.parent / "home/install").exists()


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_a_linked_settings_file_stays_a_link(cli: Cli, home: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text('{"a": 1}\n')
    real.chmod(0o640)
    link = home / ".claude/settings.json"
    link.unlink()
    link.symlink_to(real)

    connect(cli, "--host", "claude")

    assert link.is_symlink()
    assert "SessionStart" in json.loads(real.read_text())["hooks"]
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    cli("uninstall", "--yes")
    assert link.is_symlink()
    assert real.read_text() == '{"a": 1}\n'


def test_what_others_changed_since_stays(cli: Cli, home: Path) -> None:
    connect(cli, "--host", "all")
    settings = home / ".claude/settings.json"
    text = settings.read_bytes().decode()
    settings.write_bytes(text.replace('"model": "opus"', '"model": "haiku"').encode())
    host = json.loads((home / ".claude.json").read_text())
    (home / ".claude.json").write_text(json.dumps(host | {"numStartups": 4}, indent=2))
    hooks = home / ".cursor/hooks.json"
    hooks.write_text(hooks.read_text().replace('"stop": [', '"stop": [{"command": "./mine"},'))
    config = home / ".codex/config.toml"
    config.write_text(config.read_text() + "\n[profiles.x]\nmodel = 'y'\n")

    assert cli("uninstall", "--yes").status == 0

    assert settings.read_bytes().decode() == SETTINGS.replace("\n", "\r\n").replace("opus", "haiku")
    assert json.loads((home / ".claude.json").read_text()) == {"numStartups": 4, "projects": {}}
    assert json.loads(hooks.read_text()) == {
        "version": 1,
        "hooks": {"stop": [{"command": "./mine"}]},
    }
    assert config.read_text() == CONFIG + "\n[profiles.x]\nmodel = 'y'\n"
    assert not (home / ".copilot/hooks").exists()


def test_a_file_that_was_made_and_then_only_reformatted_is_removed(cli: Cli, home: Path) -> None:
    connect(cli, "--host", "codex")
    hooks = home / ".codex/hooks.json"
    hooks.write_text(json.dumps(json.loads(hooks.read_text())))

    cli("uninstall", "--yes")

    assert not hooks.exists()


def test_hosts_are_taken_out_one_by_one(cli: Cli, home: Path) -> None:
    before = tree(home)
    connect(cli, "--host", "all")
    for host in NAMES:
        assert cli("uninstall", "--host", host, "--yes").status == 0

    assert tree(home) == before


def test_what_is_there_is_found_also_without_a_journal(cli: Cli, home: Path) -> None:
    connect(cli, "--host", "all")
    for path in sorted((home.parent / "home/install").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()

    assert cli("uninstall", "--yes").status == 0

    left = {name: raw for name, raw in tree(home).items() if raw and b"tacit" in raw.lower()}
    assert left == {}
    assert (home / ".claude/settings.json").read_bytes() == SETTINGS.replace("\n", "\r\n").encode()


def test_an_older_tacit_is_replaced_and_the_first_bytes_come_back(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tree(home)
    old = Program(words=("/old/bin/tacit",), platform="linux")
    monkeypatch.setattr("tacit.interfaces.install.program.find_program", lambda _environ: old)
    connect(cli, "--host", "all")
    assert "/old/bin/tacit" in (home / ".codex/hooks.json").read_text()
    monkeypatch.undo()
    for name in ("HOME", "TACIT_HOME"):
        monkeypatch.setenv(name, str(home if name == "HOME" else home.parent / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    monkeypatch.chdir(home.parent / "shop")

    connect(cli, "--host", "all")

    for name, raw in tree(home).items():
        assert b"/old/bin/tacit" not in (raw or b""), name
    claude = (home / ".claude/settings.json").read_text()
    assert claude.count('"SessionStart"]') == 1
    cli("uninstall", "--yes")
    assert tree(home) == before


def test_project_files_are_written_only_when_asked_and_name_no_path_of_this_machine(
    cli: Cli, home: Path, folder: Path
) -> None:
    before = tree(home)

    connect(cli, "--host", "all", "--where", "project")

    made = {name for name, raw in tree(folder).items() if raw is not None}
    assert made == {
        ".claude/settings.json",
        ".mcp.json",
        ".codex/hooks.json",
        ".codex/config.toml",
        ".gemini/settings.json",
        ".cursor/hooks.json",
        ".cursor/mcp.json",
        ".github/hooks/tacit.json",
        ".opencode/plugins/tacit.js",
        "opencode.json",
    }
    assert tree(home) == before
    for name in made:
        assert str(folder.parent) not in (folder / name).read_text()
    server = tomllib.loads((folder / ".codex/config.toml").read_text())["mcp_servers"]["tacit"]
    assert server == {"command": "tacit", "args": ["mcp"]}
    cli("uninstall", "--yes")
    assert tree(folder) == {}


def test_local_settings_are_for_claude_code_alone(cli: Cli, home: Path, folder: Path) -> None:
    connect(cli, "--host", "claude")
    connect(cli, "--host", "claude", "--where", "local")

    projects = json.loads((home / ".claude.json").read_text())["projects"]
    assert list(projects[str(folder)]["mcpServers"]) == ["tacit"]
    assert (folder / ".claude/settings.local.json").exists()
    ran = cli("init", "--empty", "--host", "codex", "--where", "local", "--yes")
    assert ran.status == 2
    assert "Codex has no local settings" in ran.err
    cli("uninstall", "--yes")
    assert (home / ".claude.json").read_text() == '{"numStartups":3,"projects":{}}'
    assert tree(folder) == {}


def test_an_empty_settings_file_is_filled_and_emptied_again(cli: Cli, home: Path) -> None:
    (home / ".gemini/settings.json").write_text("\n")

    connect(cli, "--host", "gemini")

    assert "tacit" in json.loads((home / ".gemini/settings.json").read_text())["mcpServers"]
    cli("uninstall", "--yes")
    assert (home / ".gemini/settings.json").read_text() == "\n"


def test_no_host_found_is_said(cli: Cli) -> None:
    ran = cli("init", "--empty", "--host", "all", "--yes")

    assert ran.status == 2
    assert "no host was found; name one with --host" in ran.err
    assert cli("uninstall", "--yes").out == "Tacit is in no settings of these hosts.\n"


def test_a_host_and_none_do_not_go_together(cli: Cli, home: Path) -> None:
    assert cli("init", "--host", "claude", "--no-host").status == 2


def test_a_host_that_has_the_plugin_is_not_told_twice(cli: Cli, home: Path) -> None:
    (home / ".claude/settings.json").write_text('{"enabledPlugins": {"tacit@tacit": true}}')

    ran = cli("init", "--empty", "--host", "claude", "--yes")

    assert ran.status != 0
    assert "has the plugin of Tacit on" in ran.err
    connect(cli, "--host", "all")
    assert "hooks" not in json.loads((home / ".claude/settings.json").read_text())
    assert (home / ".codex/hooks.json").exists()


@pytest.mark.usefixtures("cli")
def test_a_person_at_a_terminal_is_shown_asked_and_obeyed(home: Path) -> None:
    before = tree(home)

    seen = at_terminal("init", "--empty", answer="")
    assert "found Claude Code, Codex, Gemini CLI, Cursor, GitHub Copilot, OpenCode" in seen
    assert "tacit init --host claude --host codex" in seen
    seen = at_terminal("init", "--empty", "--host", "codex", answer="n\n")
    assert "change 2 files? [y/N]" in seen
    assert "nothing was changed" in seen
    assert tree(home) == before

    seen = at_terminal("init", "--empty", "--host", "codex", answer="y\n")
    assert "made" in seen
    assert "trust" in seen
    assert (home / ".codex/hooks.json").exists()
    assert "found Claude Code, Gemini" in at_terminal("init", "--empty", answer="")
    at_terminal("uninstall", answer="yes\n")
    assert tree(home) == before


def at_terminal(*argv: str, answer: str) -> str:
    """Run a command on a terminal of its own where a person types; give all that was seen."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    os.write(ours, answer.encode())
    process = subprocess.Popen(
        [sys.executable, "-m", "tacit", *argv, "--no-color"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    seen = b""
    try:
        while block := os.read(ours, 65536):
            seen += block
    except OSError:  # Linux says so when the other side is closed
        pass
    os.close(ours)
    assert process.wait(timeout=60) == 0, seen
    return " ".join(seen.decode().split())


@pytest.mark.parametrize("host", HOOKS)
def test_every_hook_is_one_the_hook_command_understands_in_time(host: str) -> None:
    for hook in HOOKS[host]:
        moment = moment_of(host, hook.event)
        assert moment, hook.event
        assert hook.seconds > deadline(moment)
    assert host in EVENTS


def test_units_and_forms_are_those_of_the_host() -> None:
    program = Program(words=("/opt/my tools/tacit",), platform="linux")
    claude, codex, gemini, cursor, copilot = (hook_values(host, program) for host in HOOKS)

    assert claude["SessionStart"]["hooks"][0] == {
        "type": "command",
        "command": "/opt/my tools/tacit",
        "args": ["hook", "claude", "SessionStart"],
        "timeout": 5,
    }
    assert claude["PostToolUse"]["hooks"][0]["async"] is True
    assert codex["SessionEnd"]["hooks"][0] == {
        "type": "command",
        "command": "'/opt/my tools/tacit' hook codex SessionEnd",
        "timeout": 3,
    }
    assert not any("async" in group["hooks"][0] for group in codex.values())
    assert gemini["SessionStart"]["hooks"][0]["timeout"] == 5000
    assert cursor["sessionStart"]["timeout"] == 5
    assert copilot["SessionStart"]["powershell"].startswith("& '/opt/my tools/tacit' hook")
    assert not any(event.lower() == "pretooluse" for event in copilot)


def test_lines_for_a_shell_of_windows_are_quoted_its_way() -> None:
    program = Program(words=("C:\\Program Files\\tacit.exe",), platform="win32")

    assert program.shell("hook") == '"C:\\Program Files\\tacit.exe" hook'
    assert Program(words=("C:\\a\\tacit.exe",), platform="win32").shell() == "C:\\a\\tacit.exe"


def test_the_program_is_the_one_that_runs_and_links_are_not_resolved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, link = tmp_path / "v1" / "tacit", tmp_path / "bin" / "tacit"
    for path in (real, link):
        path.parent.mkdir()
    real.write_text("#!/bin/sh\n")
    real.chmod(0o755)
    link.symlink_to(real)
    monkeypatch.setattr(sys, "argv", [str(link)])

    assert find_program({"PATH": ""}).words == (str(link),)
    assert may_vanish(Program(words=("/home/a/.cache/uv/archive-v0/x/bin/tacit",)))
    assert not may_vanish(Program(words=(str(link),)))


def test_hosts_that_are_told_where_to_look_are_obeyed(tmp_path: Path) -> None:
    environ = {"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x", "XDG_CONFIG_HOME": "/y"}
    machine = machine_of(environ, str(tmp_path))
    program = Program(words=("tacit",))

    found = [
        t.file
        for h in ("claude", "codex", "opencode")
        for t in targets(h, "user", "", machine, program)
    ]

    assert [Path(file).as_posix() for file in found] == [
        "/c/settings.json",
        "/c/.claude.json",
        "/x/hooks.json",
        "/x/config.toml",
        "/y/opencode/plugins/tacit.js",
        "/y/opencode/opencode.json",
    ]


def test_a_file_that_changes_while_one_thinks_is_left_alone(cli: Cli, home: Path) -> None:
    from argparse import Namespace

    from tacit.errors import Conflict
    from tacit.interfaces.cli.commands.install import plan_hosts
    from tacit.interfaces.install.carry_out import connect_hosts

    here, changes = plan_hosts(Namespace(host=["codex"], where="user", project=None))
    (home / ".codex/config.toml").write_text("model = 'new'\n")
    before = tree(home)

    with pytest.raises(Conflict, match="was changed meanwhile"):
        connect_hosts(changes, here.journal)

    assert tree(home) == before


def test_originals_are_kept_for_their_owner_alone(cli: Cli, home: Path) -> None:
    connect(cli, "--host", "claude")

    kept = [path for path in (home.parent / "home/install").rglob("*") if path.is_file()]
    assert len(kept) == 3  # the journal and two originals
    if os.name == "posix":
        assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


def test_a_lost_original_is_made_up_for_by_taking_entries_out(cli: Cli, home: Path) -> None:
    before = tree(home)
    connect(cli, "--host", "all")
    for path in (home.parent / "home/install/originals").iterdir():
        path.write_bytes(b"damaged")

    assert cli("uninstall", "--yes").status == 0

    assert tree(home) == before


def test_a_journal_that_cannot_be_read_is_told(cli: Cli, home: Path) -> None:
    connect(cli, "--host", "claude")
    (home.parent / "home/install/journal.json").write_text("{}")

    ran = cli("uninstall", "--yes")

    assert ran.status != 0
    assert "journal.json cannot be read" in ran.err

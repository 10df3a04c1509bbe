"""The hosts: how to see that one is there, and which of its files hold what of Tacit's."""

from __future__ import annotations

import os

from tacit.errors import Invalid
from tacit.interfaces.install import files
from tacit.interfaces.install.entries import SERVER, hook_values, server_value
from tacit.interfaces.install.json_settings import Wanted
from tacit.interfaces.install.program import SHARED
from tacit.interfaces.install.spans import find, read_spans
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from tacit.interfaces.install.program import Program

    _McpPath = tuple[str, ...] | None
    _File = tuple[str, str, _McpPath]  # the file, what it holds, where in it the servers are

NAMES = {
    "claude": "Claude Code",
    "codex": "Codex",
    "gemini": "Gemini CLI",
    "cursor": "Cursor",
    "copilot": "GitHub Copilot",
    "opencode": "OpenCode",
}
PLACES = ("user", "project", "local")


class Target(Value):
    """One file of a host and what it is to hold: entries in JSON or TOML, or all of it."""

    host: str
    where: str
    root: str  # of the project; empty for the user's own files
    file: str
    wanted: Wanted | None = None
    table: dict[str, Any] = {}
    content: str = ""

    @property
    def kind(self) -> str:
        """How its text is changed: as `json`, as `toml`, or it is Tacit's `own`."""
        return "json" if self.wanted else "toml" if self.table else "own"

    @property
    def servers(self) -> tuple[str, ...] | None:
        """Where in a JSON file the MCP servers are."""
        return self.wanted.servers if self.wanted else None


class Machine(Value):
    """Where hosts keep their settings for one user."""

    home: str
    claude: str
    claude_json: str
    codex: str
    gemini: str
    cursor: str
    copilot: str
    opencode: str


def machine_of(environ: Mapping[str, str], home: str) -> Machine:
    """Find the folders of all hosts, by the variables each of them obeys."""
    claude = environ.get("CLAUDE_CONFIG_DIR") or ""
    config = environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    opencode = environ.get("OPENCODE_CONFIG_DIR") or os.path.join(config, "opencode")
    return Machine(
        home=home,
        claude=claude or os.path.join(home, ".claude"),
        claude_json=os.path.join(claude or home, ".claude.json"),
        codex=environ.get("CODEX_HOME") or os.path.join(home, ".codex"),
        gemini=os.path.join(environ.get("GEMINI_CLI_HOME") or home, ".gemini"),
        cursor=os.path.join(home, ".cursor"),
        copilot=environ.get("COPILOT_HOME") or os.path.join(home, ".copilot"),
        opencode=opencode,
    )


def found_hosts(machine: Machine, root: str) -> list[str]:
    """Give the hosts that are on the machine, or have settings in the project."""
    in_project = {
        "claude": (".claude",),
        "codex": (".codex",),
        "gemini": (".gemini",),
        "cursor": (".cursor",),
        "copilot": (".github/hooks", ".github/copilot"),
        "opencode": (".opencode", "opencode.json", "opencode.jsonc"),
    }
    return [
        host
        for host in NAMES
        if os.path.isdir(getattr(machine, host))
        or (root and any(os.path.exists(os.path.join(root, name)) for name in in_project[host]))
    ]


def plugin_enabled(machine: Machine, root: str) -> bool:
    """Tell whether Claude Code has Tacit's plugin on, which does what its settings would."""
    places = [_in(machine.claude, "settings.json")]
    if root:
        places += [_in(root, ".claude", name) for name in ("settings.json", "settings.local.json")]
    for place in places:
        raw = files.read(place)
        if raw is None or b"enabledPlugins" not in raw:
            continue
        node = find(read_spans(files.decode(raw)), ("enabledPlugins",))
        chosen = node.value() if node else None
        for name, on in chosen.items() if isinstance(chosen, dict) else ():
            if name.partition("@")[0] == SERVER and on is not False:
                return True
    return False


def places_of(host: str) -> tuple[str, ...]:
    """Give where a host's settings can lie; only Claude Code has some for one checkout."""
    return PLACES if host == "claude" else PLACES[:2]


def targets(host: str, where: str, root: str, machine: Machine, program: Program) -> list[Target]:
    """Give the files of one host, in the order in which they are written."""
    if where not in places_of(host):
        allowed = " or ".join(places_of(host))
        raise Invalid(f"{NAMES[host]} has no {where} settings; choose --where {allowed}")
    root = "" if where == "user" else root
    program = SHARED if where == "project" else program
    found: list[Target] = []
    for file, role, servers in _FILES[host](where, root, machine):
        target = Target(host=host, where=where, root=root, file=file)
        if role == "toml":
            target = target.replace(table=server_value(host, program))
        elif role == "shim":
            target = target.replace(content=shim(program))
        else:
            target = target.replace(wanted=_wanted(host, role, servers, program))
        found.append(target)
    return found


def _wanted(host: str, role: str, servers: _McpPath, program: Program) -> Wanted:
    return Wanted(
        hooks=hook_values(host, program) if role != "mcp" else {},
        servers=servers,
        server=server_value(host, program) if servers is not None else {},
        version=1 if role == "versioned" else None,
    )


def shim(program: Program) -> str:
    """Give the plugin for OpenCode, which has no hooks that run a command."""
    from importlib import resources
    from json import dumps

    package = resources.files("tacit.interfaces.install")
    text = package.joinpath("opencode.js").read_text(encoding="utf-8")
    return text.replace('["tacit"]', dumps(program.words, ensure_ascii=False), 1)


_MCP = ("mcpServers",)


def _claude(where: str, root: str, machine: Machine) -> list[_File]:
    if where == "project":
        return [
            (_in(root, ".claude", "settings.json"), "hooks", None),
            (_in(root, ".mcp.json"), "mcp", _MCP),
        ]
    if where == "local":
        path = ("projects", root.replace("\\", "/"), *_MCP)  # so Claude Code writes it anywhere
        return [
            (_in(root, ".claude", "settings.local.json"), "hooks", None),
            (machine.claude_json, "mcp", path),
        ]
    return [
        (_in(machine.claude, "settings.json"), "hooks", None),
        (machine.claude_json, "mcp", _MCP),
    ]


def _codex(where: str, root: str, machine: Machine) -> list[_File]:
    folder = machine.codex if where == "user" else _in(root, ".codex")
    return [(_in(folder, "hooks.json"), "hooks", None), (_in(folder, "config.toml"), "toml", None)]


def _gemini(where: str, root: str, machine: Machine) -> list[_File]:
    folder = machine.gemini if where == "user" else _in(root, ".gemini")
    return [(_in(folder, "settings.json"), "both", _MCP)]


def _cursor(where: str, root: str, machine: Machine) -> list[_File]:
    folder = machine.cursor if where == "user" else _in(root, ".cursor")
    return [(_in(folder, "hooks.json"), "versioned", None), (_in(folder, "mcp.json"), "mcp", _MCP)]


def _copilot(where: str, root: str, machine: Machine) -> list[_File]:
    if where == "project":
        return [(_in(root, ".github", "hooks", "tacit.json"), "versioned", None)]
    return [
        (_in(machine.copilot, "hooks", "tacit.json"), "versioned", None),
        (_in(machine.copilot, "mcp-config.json"), "mcp", _MCP),
    ]


def _opencode(where: str, root: str, machine: Machine) -> list[_File]:
    folder = machine.opencode if where == "user" else root
    plugins = machine.opencode if where == "user" else _in(root, ".opencode")
    settings = _in(folder, "opencode.jsonc")
    if not os.path.exists(settings):
        settings = _in(folder, "opencode.json")
    return [(_in(plugins, "plugins", f"{SERVER}.js"), "shim", None), (settings, "mcp", ("mcp",))]


def _in(folder: str, *names: str) -> str:
    return os.path.join(folder, *names)


_FILES = {
    "claude": _claude,
    "codex": _codex,
    "gemini": _gemini,
    "cursor": _cursor,
    "copilot": _copilot,
    "opencode": _opencode,
}

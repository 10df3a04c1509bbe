"""The plugin for Claude Code and Codex: one folder that both of them can install.

    python -m tacit.interfaces.install.plugin FOLDER

writes it, and the marketplace that offers it, from what `tacit init` would write: there is one
source of what a host is told to run. A plugin cannot know where `tacit` lies, so it is found by
its name.
"""

from __future__ import annotations

import os
import sys

from tacit.interfaces.install.entries import SERVER, hook_values
from tacit.interfaces.install.program import SHARED
from tacit.interfaces.install.splice import pretty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "tacit"
FOLDER = f"plugins/{NAME}"
ABOUT = "Memory for coding agents: what was decided, what works here and what does not."
AUTHOR = {"name": "The Tacit authors"}


def plugin_files() -> dict[str, str]:
    """Give every file of the marketplace and the plugin: path → text."""
    from importlib.resources import files

    from tacit import __version__

    skill = files("tacit.interfaces.install").joinpath("SKILL.md").read_text(encoding="utf-8")
    plain: dict[str, Any] = {
        "name": NAME,
        "version": __version__,
        "description": ABOUT,
        "author": AUTHOR,
        "license": "Apache-2.0",
        "keywords": ["memory", "recall", "mcp"],
    }
    parts = {"skills": "./skills/", "mcpServers": "./.mcp.json", "hooks": "./hooks/codex.json"}
    look = {"displayName": "Tacit", "shortDescription": ABOUT, "category": "Productivity"}
    offered = {
        "name": NAME,
        "source": f"./{FOLDER}",
        "description": ABOUT,
        "category": "productivity",
        "tags": ["memory"],
    }
    found = {
        ".claude-plugin/marketplace.json": {
            "name": NAME,
            "owner": AUTHOR,
            "plugins": [offered],
        },
        f"{FOLDER}/.claude-plugin/plugin.json": plain,
        f"{FOLDER}/.codex-plugin/plugin.json": {**plain, **parts, "interface": look},
        f"{FOLDER}/hooks/hooks.json": {
            "description": ABOUT,
            "hooks": _lists("claude"),
        },
        f"{FOLDER}/hooks/codex.json": {"description": ABOUT, "hooks": _lists("codex")},
        f"{FOLDER}/.mcp.json": {
            "mcpServers": {SERVER: {"command": SHARED.words[0], "args": ["mcp"]}}
        },
    }
    written = {path: pretty(value) + "\n" for path, value in found.items()}
    return {**written, f"{FOLDER}/skills/{NAME}/SKILL.md": skill}


def write_plugin(folder: str) -> None:
    """Write the files below a folder."""
    for path, text in plugin_files().items():
        place = os.path.join(folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)


def _lists(host: str) -> dict[str, list[Any]]:
    return {event: [element] for event, element in hook_values(host, SHARED).items()}


if __name__ == "__main__":
    write_plugin(sys.argv[1])

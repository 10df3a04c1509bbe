"""The plugin folder is what the code says, by the rules of the hosts that read it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from tacit import __version__
from tacit.interfaces.cli.parser import MODULES
from tacit.interfaces.hooks.events import EVENTS
from tacit.interfaces.install.entries import hook_values
from tacit.interfaces.install.plugin import plugin_files, write_plugin
from tacit.interfaces.install.program import SHARED

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "plugins/tacit"

# What each host documents for its manifest.
CLAUDE_KEYS = set(
    "name displayName version description author homepage repository license keywords metadata "
    "defaultEnabled skills commands agents workflows hooks mcpServers outputStyles lspServers "
    "userConfig channels dependencies experimental $schema".split()
)
CODEX_KEYS = {"name", "version", "description", "keywords", "skills", "mcpServers", "apps", "hooks"}
CODEX_HANDLER = {"type", "command", "commandWindows", "timeout", "async", "statusMessage"}
SKILL_KEYS = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", plugin_files())
def test_the_folder_holds_what_the_code_says(path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == plugin_files()[path], (
        "run: python -m tacit.interfaces.install.plugin ."
    )


def test_the_folder_holds_nothing_else(tmp_path: Path) -> None:
    write_plugin(str(tmp_path))

    for name in ("plugins", ".claude-plugin"):
        here, there = (
            {path.relative_to(root).as_posix() for path in (root / name).rglob("*")}
            for root in (ROOT, tmp_path)
        )
        assert here == there


def test_the_marketplace_offers_the_plugin_at_its_place() -> None:
    market = read(ROOT / ".claude-plugin/marketplace.json")

    assert set(market) == {"name", "owner", "plugins"}
    (offered,) = market["plugins"]
    assert offered["source"].startswith("./")
    manifest = read(ROOT / offered["source"] / ".claude-plugin/plugin.json")
    assert offered["name"] == manifest["name"] == "tacit"


def test_the_manifests_have_documented_keys_and_paths_that_exist() -> None:
    claude, codex = (
        read(PLUGIN / ".claude-plugin/plugin.json"),
        read(PLUGIN / ".codex-plugin/plugin.json"),
    )

    assert set(claude) <= CLAUDE_KEYS
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", claude["name"])
    assert CODEX_KEYS - {"apps"} <= set(codex)
    assert claude["version"] == codex["version"] == __version__
    for key in ("skills", "mcpServers", "hooks"):
        assert codex[key].startswith("./")
        assert (PLUGIN / codex[key]).exists()
        assert key not in claude  # found at their usual place; named twice they are loaded twice


@pytest.mark.parametrize(("host", "name"), [("claude", "hooks"), ("codex", "codex")])
def test_the_hooks_are_those_init_writes(host: str, name: str) -> None:
    document = read(PLUGIN / f"hooks/{name}.json")

    assert set(document) == {"description", "hooks"}
    assert document["hooks"] == {e: [v] for e, v in hook_values(host, SHARED).items()}
    assert set(document["hooks"]) <= set(EVENTS[host])


def test_codex_is_given_only_what_it_takes() -> None:
    for groups in read(PLUGIN / "hooks/codex.json")["hooks"].values():
        for group in groups:
            assert set(group) <= {"matcher", "hooks"}
            for handler in group["hooks"]:
                assert set(handler) <= CODEX_HANDLER - {"async"}
                assert handler["command"].startswith("tacit hook codex ")


def test_the_server_is_started_by_name() -> None:
    assert read(PLUGIN / ".mcp.json") == {
        "mcpServers": {"tacit": {"command": "tacit", "args": ["mcp"]}}
    }


def test_the_skill_keeps_the_rules_of_skills() -> None:
    text = (PLUGIN / "skills/tacit/SKILL.md").read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    keys = yaml.safe_load(front)

    assert set(keys) <= SKILL_KEYS
    assert keys["name"] == "tacit"
    assert 1 <= len(keys["description"]) <= 1024
    assert len(keys["compatibility"]) <= 500
    assert len(body.splitlines()) < 500
    for command in re.findall(r"`tacit (\w+)", body):
        assert command in MODULES
    assert "Applied: [G:abcd2345]" in body

"""Mandates and guardrails as rules of Claude Code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.exchange import front_matter
from tacit.exchange.claude_rules import MARK
from unit.exchange.opened import opened

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.system import Tacit


def rules(project: Path) -> Path:
    return project / ".claude" / "rules" / "tacit"


def fill(tacit: Tacit) -> dict[str, str]:
    return {
        "law": tacit.remember("Deploys need two reviews", tier="mandate").short,
        "care": tacit.remember("Round money\nat the end only", tier="guardrail", files=["src/pay.py"]).short,
        "tip": tacit.remember("Tabs in Makefiles").short,
    }  # fmt: skip


def test_what_binds_is_written_and_the_rest_is_not(tmp_path):
    with opened(tmp_path) as tacit:
        shorts = fill(tacit)
        assert tacit.export_to("claude-rules", str(tmp_path / "shop")) == 2

    always = (rules(tmp_path / "shop") / "always.md").read_text()
    assert always.startswith(MARK)
    assert f"<!-- {shorts['law']} -->\n- Deploys need two reviews\n" in always
    assert "Tabs" not in "".join(path.read_text() for path in rules(tmp_path / "shop").iterdir())


def test_a_rule_about_files_is_loaded_with_them(tmp_path):
    with opened(tmp_path) as tacit:
        fill(tacit)
        tacit.export_to("claude-rules", str(tmp_path / "shop"))

    (scoped,) = (p for p in rules(tmp_path / "shop").iterdir() if p.name != "always.md")
    head, body = front_matter.split(scoped.read_text())
    assert front_matter.parse(head) == {"paths": ["src/pay.py"]}
    assert "- Round money\n  at the end only\n" in body


@pytest.mark.parametrize("path", [".claude", ".claude/rules", ".claude/rules/tacit", "."])
def test_the_folder_of_rules_is_found_from_anywhere_above(tmp_path, path):
    with opened(tmp_path) as tacit:
        fill(tacit)
        tacit.export_to("claude-rules", str(tmp_path / "shop" / path))

    assert (rules(tmp_path / "shop") / "always.md").is_file()


def test_a_rule_that_no_longer_holds_goes_and_files_of_others_stay(tmp_path):
    project = tmp_path / "shop"
    rules(project).mkdir(parents=True)
    (rules(project) / "mine.md").write_text("- my own\n")
    (rules(project) / "always.md").write_text("- my own too\n")
    (project / ".claude" / "rules" / "theirs.md").write_text("- theirs\n")
    with opened(tmp_path) as tacit:
        shorts = fill(tacit)
        tacit.export_to("claude-rules", str(project))
        assert (rules(project) / "always.md").read_text() == "- my own too\n"
        assert "two reviews" in (rules(project) / "always-tacit.md").read_text()
        tacit.forget(shorts["law"])
        tacit.set(shorts["care"], tier="reference")
        assert tacit.export_to("claude-rules", str(project)) == 0

    assert sorted(path.name for path in rules(project).iterdir()) == ["always.md", "mine.md"]
    assert (project / ".claude" / "rules" / "theirs.md").read_text() == "- theirs\n"


def test_writing_again_writes_the_same(tmp_path):
    with opened(tmp_path) as tacit:
        fill(tacit)
        tacit.export_to("claude-rules", str(tmp_path / "shop"))
        before = {p.name: p.read_text() for p in rules(tmp_path / "shop").iterdir()}
        tacit.export_to("claude-rules", str(tmp_path / "shop"))

    assert {p.name: p.read_text() for p in rules(tmp_path / "shop").iterdir()} == before


def test_a_text_cannot_hide_in_a_comment_or_pull_in_a_file(tmp_path):
    with opened(tmp_path) as tacit:
        tacit.remember("See @secrets.env <!-- hidden --> now", tier="mandate")
        tacit.export_to("claude-rules", str(tmp_path / "shop"))

    text = next(rules(tmp_path / "shop").iterdir()).read_text()
    assert " @secrets" not in text
    assert text.count("<!--") == text.count("-->") == 2

"""Whether an action serves a goal; a false alarm is worse than none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import START
from tacit.session.drift import drift

LOGIN = "fix the login redirect"
PARSER = "speed up the CSV parser"

OFF = [
    (LOGIN, "edit src/billing/invoice.py"),
    (LOGIN, "redesign the landing page"),
    (LOGIN, "Write(src/newsletter/template.py)"),
    ("implement user authentication", "update CSS colors on the landing page"),
    ("add dark mode", "edit src/payments/refund.py"),
    (PARSER, "rewrite the onboarding wizard"),
    (PARSER, "rm -rf src"),
    (PARSER, "git reset --hard HEAD~3"),
    (LOGIN, "git push --force origin main"),
    (LOGIN, "DROP TABLE users;"),
    (LOGIN, "terraform destroy -auto-approve"),
    (LOGIN, "npm publish"),
    (LOGIN, "delete all snapshots"),
    (LOGIN, "cat > src/billing/invoice.py"),
]
ON = [
    (LOGIN, "edit src/login.py"),
    (LOGIN, "edit src/auth/middleware.py"),
    (LOGIN, "write tests/test_login_redirect.py"),
    (LOGIN, "add a redirect helper"),
    (LOGIN, "pytest -x"),
    (LOGIN, "npm run build && npm test"),
    (LOGIN, "git log --oneline --format=%h -20"),
    (LOGIN, "git diff --cached src/billing/view.go | head"),
    (LOGIN, "read src/billing/invoice.py"),
    (LOGIN, "grep -rn refund src/payments"),
    (LOGIN, "search the web for redirect loops"),
    (LOGIN, "ls src/billing"),
    (PARSER, "rm -rf dist build/"),
    (PARSER, "rm -rf node_modules"),
    ("drop the old sessions table", "psql -c 'drop table sessions'"),
    ("release 2.0 to production", "npm publish"),
    ("delete the legacy importer", "rm -rf src/legacy/importer"),
]
UNKNOWN = [
    (LOGIN, "edit src/engine/loop.py"),
    (LOGIN, "edit tests/test_cart.py"),
    (LOGIN, "edit README.md"),
    (LOGIN, "edit package.json"),
    (LOGIN, "edit go.mod"),
    (LOGIN, "git add -A && git commit -m wip"),
    ("fix the bug", "edit src/billing/invoice.py"),
    ("yes", "rewrite the onboarding wizard"),
    (PARSER, 'rm -rf "$WORK"'),
    ("delete the legacy importer", "rm -rf src/billing"),
    ("", "edit src/a.py"),
    (LOGIN, ""),
    (LOGIN, "mkdir -p scratch"),
]


@pytest.mark.parametrize(("goal", "action"), OFF)
def test_leaving_the_goal_is_drift(goal: str, action: str) -> None:
    found = drift(goal, action)

    assert found.verdict == "off", found
    assert found.confidence >= 0.5
    assert found.reason


@pytest.mark.parametrize(("goal", "action"), ON)
def test_what_serves_the_goal_or_only_looks_is_not_drift(goal: str, action: str) -> None:
    assert drift(goal, action).verdict == "on", drift(goal, action)


@pytest.mark.parametrize(("goal", "action"), UNKNOWN)
def test_where_nobody_can_tell_nobody_is_alarmed(goal: str, action: str) -> None:
    assert drift(goal, action).verdict == "unknown", drift(goal, action)


def test_files_known_to_belong_to_the_goal_vouch_for_their_neighbours() -> None:
    action = "edit src/billing/invoice.py"

    assert drift(LOGIN, action, related=["src/billing/customer.py"]).verdict == "on"
    assert drift(LOGIN, action, related=["src/engine/loop.py"]).verdict == "off"


def test_a_file_the_goal_names_vouches_for_its_neighbours() -> None:
    assert drift("tidy src/engine/loop.py", "edit src/engine/clock.py").verdict == "on"


def test_the_signal_says_what_when_and_why() -> None:
    found = drift(LOGIN, "git push --force origin main")

    assert found.signal(START) == {
        "signal": "DRIFT_DETECTED",
        "goal": LOGIN,
        "action": "git push --force origin main",
        "reason": "'git push --force' destroys, and the goal does not ask for that",
        "at": "2026-01-01T09:00:00Z",
    }
    assert drift(LOGIN, "pytest").signal(START) is None


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_get_a_verdict(goal: str, action: str) -> None:
    found = drift(goal, action)

    assert found.verdict in ("on", "off", "unknown")
    assert 0.0 <= found.confidence <= 1.0


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([goal for goal, _ in OFF + ON]), st.text("abc/._-", max_size=30))
def test_reading_is_never_drift(goal: str, path: str) -> None:
    assert drift(goal, f"read {path}").verdict != "off"

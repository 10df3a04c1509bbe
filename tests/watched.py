"""A small project as it lies on a disk: a real repository, documents, and sessions of two hosts.

Everything has fixed dates and ids, so that two projects made alike are alike to the byte.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

RULES = """\
# Working here

- Always run `make check` before a commit.
- Never edit files under `generated/`.
"""
DECISION = """\
# 1. Keep orders in PostgreSQL

Date: 2026-01-05

## Status

Accepted

## Context

Orders need transactions across several tables.

## Decision

We keep orders in PostgreSQL, because a lost order costs more than a slow one.

## Consequences

Operators run one more server.
"""
README = """\
# Shop

A small shop that sells tea.

## Running

Start the shop with `make run`; it listens on port 8080.
"""
MANIFEST = """\
[project]
name = "shop"
version = "1.2.0"
dependencies = ["flask==3.0.2", "sqlalchemy>=2.0"]
"""
HANDLERS = '''\
from shop.web import HTTPException, router


@router.get("/users/{user_id}")
async def get_user(user_id: int, db: Session = Depends(get_db)) -> UserOut:
    """Give a user."""
    user = await db.get(User, user_id)
    if user is None:
        raise HTTPException(status_code=404, detail="user not found")
    return UserOut.model_validate(user)


@router.get("/orders/{order_id}")
async def get_order(order_id: int, db: Session = Depends(get_db)) -> OrderOut:
    """Give an order."""
    order = await db.get(Order, order_id)
    if order is None:
        raise HTTPException(status_code=404, detail="order not found")
    return OrderOut.model_validate(order)


@router.get("/carts/{cart_id}")
async def get_cart(cart_id: int, db: Session = Depends(get_db)) -> CartOut:
    """Give a cart."""
    cart = await db.get(Cart, cart_id)
    if cart is None:
        raise HTTPException(status_code=404, detail="cart not found")
    return CartOut.model_validate(cart)
'''


class Repo:
    """A repository made by git itself, untouched by the settings of whoever runs the tests."""

    def __init__(self, path: Path, *options: str) -> None:
        self.path = path
        self.time = 1_767_600_000  # 2026-01-05
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "--initial-branch=main", *options, str(path), at=path.parent)

    def git(self, *arguments: str, at: Path | None = None) -> str:
        """Run git; its clock goes on an hour each time."""
        self.time += 3600
        stamp = f"@{self.time} +0000"
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        clean |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        for role in ("AUTHOR", "COMMITTER"):
            clean[f"GIT_{role}_NAME"] = "Mia"
            clean[f"GIT_{role}_EMAIL"] = "mia@shop.example"
            clean[f"GIT_{role}_DATE"] = stamp
        done = subprocess.run(
            ["git", "-C", str(at or self.path), *arguments],
            env=clean,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode(errors="replace").strip()

    def write(self, path: str, text: str | bytes) -> None:
        """Write a file below the root."""
        place = self.path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)

    def commit(self, message: str) -> str:
        """Commit the work tree as it is; give the commit's id."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


def make_shop(path: Path) -> Repo:
    """Make a project with rules, a decision, a manifest, handlers of one shape and a history."""
    repo = Repo(path)
    repo.write("README.md", README)
    repo.write("CLAUDE.md", RULES)
    repo.write("pyproject.toml", MANIFEST)
    repo.write("src/shop/cart.py", "def total(lines):\n    return sum(lines)\n")
    repo.commit("Begin the shop\n\nIt sells tea, because nobody else in town does.")
    repo.write("docs/adr/0001-orders.md", DECISION)
    repo.commit("Decide where orders live")
    repo.write("src/shop/web.py", HANDLERS)
    repo.commit("feat: serve users and orders")
    repo.write("src/shop/cache.py", "CACHE = {}\n")
    wrong = repo.commit("Cache totals in a module-level dict\n\nTotals were slow to compute.")
    repo.git("revert", "--no-commit", wrong)
    repo.commit(
        'Revert "Cache totals in a module-level dict"\n\n'
        f"This reverts commit {wrong}.\n\nThe totals of one customer were shown to another."
    )
    repo.git("mv", "src/shop/cart.py", "src/shop/basket.py")
    repo.commit("Rename cart to basket")
    repo.write("pyproject.toml", MANIFEST.replace("3.0.2", "3.1.0").replace("1.2.0", "1.3.0"))
    repo.commit("chore: flask 3.1.0")
    return repo


def claude_line(kind: str, number: int, folder: Path, session: str, message: object) -> str:
    """Give one line of a Claude Code transcript."""
    return json.dumps(
        {
            "type": kind,
            "uuid": f"{session}-{number}",
            "parentUuid": None,
            "sessionId": session,
            "cwd": str(folder),
            "gitBranch": "main",
            "isSidechain": False,
            "timestamp": f"2026-02-01T10:{number:02d}:00.000Z",
            "message": message,
        }
    )


def claude_session(
    folder: Path, session: str = "s-1", *, prompt: str = "", output: str = ""
) -> str:
    """Give a transcript: a rule, a failing test, an edit, the test passing."""
    fix = {
        "file_path": f"{folder}/src/shop/basket.py",
        "old_string": "return sum(lines)",
        "new_string": "return sum(line.price for line in lines)",
    }
    failed = (
        "Exit code 1\n"
        "E   TypeError: unsupported operand type(s) for +: 'int' and 'Line'\n"
        "FAILED tests/test_basket.py::test_total" + output
    )
    turns: list[tuple[str, object]] = [
        (
            "user",
            prompt or "Fix the total of the basket. Always use Decimal for prices, not float.",
        ),
        ("assistant", [_text("I look at the test first.")]),
        ("assistant", [_use("t1", "Bash", command="pytest -q tests/test_basket.py")]),
        ("user", [_result("t1", failed, failed=True)]),
        ("assistant", [_use("t2", "Edit", **fix)]),
        ("user", [_result("t2", "The file has been updated.")]),
        ("assistant", [_use("t3", "Bash", command="pytest -q tests/test_basket.py")]),
        ("user", [_result("t3", "1 passed in 0.02s")]),
        ("assistant", [_text("The total adds the prices of the lines now.")]),
    ]
    return "".join(
        claude_line(kind, number, folder, session, {"role": kind, "content": content}) + "\n"
        for number, (kind, content) in enumerate(turns)
    )


def codex_session(folder: Path, session: str = "c-1", *, prompt: str = "") -> str:
    """Give a rollout of Codex: one prompt, one command that passes."""

    def line(kind: str, minute: int, payload: dict[str, object]) -> str:
        at = f"2026-02-02T10:{minute:02d}:00.000Z"
        return json.dumps({"timestamp": at, "type": kind, "payload": payload}) + "\n"

    asked = {
        "type": "input_text",
        "text": prompt or "We decided to ship on Tuesdays, please note it.",
    }
    return "".join(
        [
            line("session_meta", 0, {"id": session, "cwd": str(folder), "git": {"branch": "main"}}),
            line("response_item", 1, {"type": "message", "role": "user", "content": [asked]}),
            line(
                "response_item",
                2,
                {
                    "type": "function_call",
                    "name": "shell",
                    "arguments": json.dumps({"command": ["bash", "-lc", "make check"]}),
                    "call_id": "c1",
                },
            ),
            line(
                "response_item",
                3,
                {"type": "function_call_output", "call_id": "c1", "output": "ok"},
            ),
        ]
    )


def put_sessions(home: Path, folder: Path, *, claude: str = "", codex: str = "") -> None:
    """Lay sessions of both hosts where the hosts keep them."""
    place = home / ".claude" / "projects" / "-shop"
    place.mkdir(parents=True, exist_ok=True)
    (place / "s-1.jsonl").write_text(claude or claude_session(folder), encoding="utf-8")
    place = home / ".codex" / "sessions" / "2026" / "02" / "02"
    place.mkdir(parents=True, exist_ok=True)
    name = "rollout-2026-02-02T10-00-00-c-1.jsonl"
    (place / name).write_text(codex or codex_session(folder), encoding="utf-8")


def _text(text: str) -> dict[str, object]:
    return {"type": "text", "text": text}


def _use(call: str, tool: str, **given: str) -> dict[str, object]:
    return {"type": "tool_use", "id": call, "name": tool, "input": given}


def _result(call: str, text: str, *, failed: bool = False) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": failed}

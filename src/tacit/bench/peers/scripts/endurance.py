"""A writer and a reader for any peer, to be run many at once and killed.

    python endurance.py write SCRIPT STORE NAME COUNT     prints `try N`, then `kept N` or `refused N …`
    python endurance.py look SCRIPT STORE < texts         prints the texts that are there

Runs under the peer's own interpreter, therefore only the standard library and no tacit. What is
kept is looked for as the peer finds things: by searching for its own text and vector.
"""

# mypy: disable-error-code="import-not-found"
from __future__ import annotations

import importlib.util
import os
import sys
from array import array
from pathlib import Path
from random import Random
from typing import Any

DIMENSION = 384
SCOPE = "main"


def main(task: str, script: str, store: str, *rest: str) -> None:
    """Write or look."""
    answer = os.dup(1)  # some peers print; only ours may reach the real standard output
    os.dup2(2, 1)
    module, peer = _peer(script)
    directory = Path(store)
    directory.mkdir(parents=True, exist_ok=True)
    opened = peer(directory, False)
    if task == "write":
        name, count = rest[0], int(rest[1])
        for number in range(count):
            _say(answer, f"try {number}")
            try:
                taken = opened.add([_item(module, text_of(name, number))])
            except Exception as error:  # whatever a peer says: it was refused
                _say(answer, f"refused {number} {type(error).__name__}: {error}"[:200])
            else:
                _say(answer, f"kept {number}" if taken else f"refused {number} not taken")
    else:
        for text in sys.stdin.read().splitlines():
            if text in opened.search(_item(module, text), 10):
                _say(answer, text)
    opened.close()


def text_of(name: str, number: int) -> str:
    """Give a text like no other."""
    chance = Random(f"{name}/{number}")
    words = ["".join(chance.choice("bdgklmnprst") + chance.choice("aeiou") for _ in range(3)) for _ in range(8)]  # fmt: skip
    return f"Writer {name} keeps {' '.join(words)} as number {number}"


def _item(module: Any, text: str) -> Any:
    chance = Random(text)
    numbers = [chance.gauss(0, 1) for _ in range(DIMENSION)]
    length = sum(number * number for number in numbers) ** 0.5
    return module.Item(text=text, scope=SCOPE, vector=array("f", (n / length for n in numbers)))


def _peer(script: str) -> tuple[Any, Any]:
    """Load a peer's script and give it with the class that it hands to the harness."""
    import harness

    found: list[Any] = []
    harness.run = lambda peer, _distribution: found.append(peer)
    spec = importlib.util.spec_from_file_location("__main__", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return harness, found[0]


def _say(answer: int, line: str) -> None:
    os.write(answer, line.replace("\n", " ").encode() + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

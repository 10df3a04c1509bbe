"""The shape of the code: sizes, names, the public API, and what an import costs."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tacit

SOURCE = Path(tacit.__file__).parent
PACKAGES = Path(__file__).parents[2] / "packages"
MODULES = sorted(SOURCE.rglob("*.py"))

NOWHERE = str(Path(__file__).with_name("nowhere"))  # no settings of the developer's own

MOST_LINES = 400
# Longer ones, and why they are not split.
LONG = {
    "model.py": "the whole domain is read in one place",
    "store/sqlite/engine.py": "one method for each of the protocol",
    "store/postgres/engine.py": "the same",
}

FORBIDDEN = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc", "v2"}
ALLOWED = {"_common_dir": "git calls it so"}

HEAVY = {
    "numpy",
    "onnxruntime",
    "tokenizers",
    "tiktoken",
    "rich",
    "shtab",
    "tree_sitter",
    "yaml",
    "openai",
    "anthropic",
    "typing",
    "dataclasses",
    "inspect",
}


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def test_modules_are_short_but_for_those_that_say_why():
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}

    assert {name for name, lines in lengths.items() if lines > MOST_LINES} - set(LONG) == set()
    assert set(LONG) <= set(lengths)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_name_says_nothing(path):
    tree = ast.parse(path.read_text("utf-8"))
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    named = {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
    names = {*named, path.stem, path.parent.name} - set(ALLOWED)
    words = {word for name in names for word in _words(name)}

    assert words & FORBIDDEN == set()


def test_the_public_api_is_what_all_says():
    assert tacit.__all__ == sorted(tacit.__all__)
    assert set(tacit._HOMES) == set(tacit.__all__)
    for name in tacit.__all__:
        assert getattr(tacit, name).__module__ == tacit._HOMES[name]


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = tacit.Nothing


def test_every_name_is_also_there_for_type_checkers():
    tree = ast.parse((SOURCE / "__init__.py").read_text("utf-8"))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tacit.")
        for alias in node.names
    }

    assert imported == set(tacit.__all__)


def test_importing_the_package_loads_nothing_heavy():
    assert loaded_by("import tacit") & HEAVY == set()


def test_the_way_of_a_recall_loads_nothing_heavy():
    modules = [
        "tacit." + name_of(path).removesuffix(".py").replace("/", ".")
        for folder in ("retrieve", "store")
        for path in sorted((SOURCE / folder).rglob("*.py"))
        if path.name != "__init__.py" and path.parent.name != "postgres"  # its driver is heavy
    ]
    code = "import tacit.system, tacit.opening, " + ", ".join(modules)

    assert loaded_by(code) & HEAVY == set()


def test_recall_by_words_loads_neither_numpy_nor_a_model(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_HOME", str(tmp_path))
    path = str(tmp_path / "memory.db")
    with tacit.Tacit.open(path) as kept:
        kept.remember("Sign tokens with RS256")
    code = (
        "from tacit import Tacit\n"
        f"with Tacit.open({path!r}) as found:\n"
        "    assert found.recall('how are tokens signed?', channels=['text', 'graph', 'recency'])"
    )

    assert loaded_by(code) & {"numpy", "onnxruntime", "tokenizers", "tiktoken", "rich"} == set()


def test_a_command_loads_its_own_module_alone(tmp_path):
    code = (
        "from tacit.__main__ import main\n"
        f"assert main(['--store', {str(tmp_path / 'memory.db')!r}, '--quiet', 'init', '--empty']) == 0"
    )
    loaded = loaded_by(code, TACIT_EMBEDDER="off")

    commands = {m for m in loaded if m.startswith("tacit.interfaces.cli.commands.")}
    assert commands == {"tacit.interfaces.cli.commands.observe"}
    assert loaded & (HEAVY - {"typing", "dataclasses", "inspect"}) == set()


def loaded_by(code: str, **variables: str) -> set[str]:
    """Give the modules that some code loads in a new interpreter, beyond what it starts with."""
    script = (
        "import sys, json\nbefore = set(sys.modules)\n"
        f"{code}\n"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    sources = [str(SOURCE.parent), *(str(path) for path in PACKAGES.glob("*/src"))]
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("TACIT_", "COV_", "COVERAGE_"))
    }
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env=kept | {"TACIT_HOME": NOWHERE, "PYTHONPATH": os.pathsep.join(sources)} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def _words(name: str) -> set[str]:
    """Split a snake_case or CamelCase name into words."""
    spaced = "".join(f" {char}" if char.isupper() else char for char in name)
    return set(spaced.replace("_", " ").lower().split())

"""What a file imports, and which file of the project that is."""

from __future__ import annotations

import pytest

from tacit.encode.code.imports import imported_files, imports_in, resolve

PROJECT = {
    "src/shop/__init__.py",
    "src/shop/model.py",
    "src/shop/api/__init__.py",
    "src/shop/api/users.py",
    "src/shop/api/orders.py",
    "src/shop/json.py",
    "tools/build.py",
    "tools/clean.py",
    "web/src/pages/home.tsx",
    "web/src/pages/users.ts",
    "web/src/pages/list/index.tsx",
    "web/src/types.ts",
    "web/src/lib/date.ts",
    "web/src/data.json",
}


def test_python_imports_in_all_their_forms():
    text = """
import os, sys as system
import shop.api.users as users
from .model import (Order,
                    User)
from . import users, orders as o
from ..up import x
from os import path

def late():
    import json
"""

    assert [(one.module, *one.names) for one in imports_in(text, "python")] == [
        ("os",),
        ("sys",),
        ("shop.api.users",),
        (".model", "Order", "User"),
        (".", "users", "orders"),
        ("..up", "x"),
        ("os", "path"),
        ("json",),
    ]


def test_typescript_imports_in_all_their_forms():
    text = """
import a, { b } from "./users";
import "side";
import type { T } from '../types.js';
export * from "./all";
export { x } from "@/lib/date";
export const y = 1;
const z = require("./z");
const lazy = await import("./lazy");
const unknown = require(`./${y}`);
import old = require("old");
"""

    assert [one.module for one in imports_in(text, "typescript")] == [
        "./users",
        "side",
        "../types.js",
        "./all",
        "@/lib/date",
        "./z",
        "./lazy",
        "old",
    ]


def test_go_imports():
    found = imports_in('package a\nimport "fmt"\nimport (\n x "a/b"\n)', "go")

    assert [one.module for one in found] == ["fmt", "a/b"]


@pytest.mark.parametrize(
    ("import_", "path", "file"),
    [
        ("shop.model", "src/shop/api/users.py", "src/shop/model.py"),
        ("shop.api", "src/shop/model.py", "src/shop/api/__init__.py"),
        ("shop.model", "tools/build.py", "src/shop/model.py"),
        ("clean", "tools/build.py", "tools/clean.py"),
        (".orders", "src/shop/api/users.py", "src/shop/api/orders.py"),
        ("..model", "src/shop/api/users.py", "src/shop/model.py"),
        (".", "src/shop/api/users.py", "src/shop/api/__init__.py"),
        ("json", "src/shop/model.py", None),  # absolute: the standard one, not the neighbour
        ("numpy", "src/shop/model.py", None),
        ("....far", "tools/build.py", None),
        ("./users", "web/src/pages/home.tsx", "web/src/pages/users.ts"),
        ("./users.js", "web/src/pages/home.tsx", "web/src/pages/users.ts"),
        ("./list", "web/src/pages/home.tsx", "web/src/pages/list/index.tsx"),
        ("../types", "web/src/pages/home.tsx", "web/src/types.ts"),
        ("../data.json", "web/src/pages/home.tsx", "web/src/data.json"),
        ("@/lib/date", "web/src/pages/home.tsx", "web/src/lib/date.ts"),
        ("react", "web/src/pages/home.tsx", None),
        ("../../../../etc/passwd", "web/src/pages/home.tsx", None),
        ("fmt", "main.go", None),
    ],
)
def test_an_import_leads_to_a_file_of_the_project_or_nowhere(import_, path, file):
    assert resolve(import_, path, PROJECT) == file


def test_a_module_taken_from_a_package_is_the_module():
    text = "from shop.api import users, missing\nfrom shop import model\nfrom . import orders\n"

    assert imported_files(text, "python", "src/shop/api/pay.py", PROJECT) == (
        "src/shop/api/users.py",
        "src/shop/model.py",
        "src/shop/api/orders.py",
    )


def test_a_name_taken_from_a_module_leads_to_the_module_and_never_to_the_file_itself():
    text = "from shop.model import Order\nfrom shop.api.users import me\n"

    assert imported_files(text, "python", "src/shop/api/users.py", PROJECT) == (
        "src/shop/model.py",
    )

"""What the configuration of a project's tools enforces, as sentences with the reason beside it.

The one place that knows what a tool's settings mean. A setting that has no sentence here says
nothing; that a tool is in use, and how strict, is said once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from posixpath import basename

from tacit.observation import ProjectFact, ProjectFiles, Setting, Topic

Key = tuple[str, ...]
Settings = list[tuple[Key, Setting]]  # of one tool, each with its key within it

SHOWN_CHARS = 60  # of a setting's value
LONGEST_LIST = 600  # characters of names in one sentence

_FILES = tuple(
    (re.compile(name), tool)
    for name, tool in (
        (r"\.?ruff\.toml", "ruff"),
        (r"\.coveragerc", "coverage"),
        (r"pyrightconfig\.json", "pyright"),
        (r"\.editorconfig", "editorconfig"),
        (r"\.npmrc", "npmrc"),
        (r"\.eslintrc.*|eslint\.config\..*", "eslint"),
        (r"\.prettierrc.*", "prettier"),
        (r"\.?rustfmt\.toml", "rustfmt"),
        (r"\.golangci\.ya?ml", "golangci"),
        (r"\.pre-commit-config\.yaml", "pre-commit"),
        # Their sections are named by the tool.
        (r"pyproject\.toml|setup\.cfg|tox\.ini|\.?mypy\.ini|\.?pytest\.(?:ini|toml)|\.flake8", ""),
        (r"\.isort\.cfg|tsconfig\.json|package\.json|Cargo\.toml", ""),
    )
)
_SECTIONS = {"settings": "isort", "compilerOptions": "typescript", "eslintConfig": "eslint"}

_SWITCHED = {
    "ruff.preview = true": "Ruff's preview rules are in use",
    "ruff.flake8-tidy-imports.ban-relative-imports = all": "Relative imports (with leading dots) are banned: modules import each other by absolute name",
    "ruff.flake8-tidy-imports.ban-relative-imports = parents": "Relative imports from parent packages (`..`) are banned",
    "ruff.isort.force-single-line = true": "One import a line: each imported name has a line of its own",
    "isort.force_single_line = true": "One import a line: each imported name has a line of its own",
    "ruff.isort.combine-as-imports = true": "Imports with `as` from one module stand in one statement",
    "ruff.isort.force-sort-within-sections = true": "`import` and `from` imports are sorted together",
    "black.skip-string-normalization = true": "Quotes of strings stay as they are written",
    "ruff.flake8-type-checking.strict = true": "Imports for types alone stand in an `if TYPE_CHECKING` block",
    "mypy.strict = true": "Types are checked strictly: every function has annotations",
    "mypy.disallow_untyped_defs = true": "Every function has type annotations",
    "mypy.disallow_any_generics = true": "Generic types name their parameters",
    "mypy.warn_unused_ignores = true": "A `type: ignore` that is not needed is an error",
    "mypy.enable_error_code.[] = ignore-without-code": "A `type: ignore` names its error code",
    "mypy.warn_unreachable = true": "Unreachable code is reported by mypy",
    "pytest.xfail_strict = true": "A test marked xfail that passes is a failure",
    "pytest.strict = true": "Pytest is strict: unknown markers and settings, and an xfail that passes, are errors",
    "typescript.strict = true": "TypeScript is strict",
    "typescript.noUncheckedIndexedAccess = true": "What an index gives may be undefined, and must be checked",
    "typescript.verbatimModuleSyntax = true": "Types are imported with `import type`",
    "npmrc.package-lock = false": "npm writes no lock file: package-lock.json is not kept in this repository",
    "npmrc.ignore-scripts = true": "Scripts of installed packages are not run",
    "npmrc.save-exact = true": "Dependencies are added with their exact version",
    "npmrc.engine-strict = true": "Installing fails on a Node version that is not supported",
    "npmrc.allow-git = none": "No dependency is taken from git",
    "prettier.semi = false": "Statements end without a semicolon",
    "prettier.singleQuote = true": "Strings stand in single quotes",
    "prettier.useTabs = true": "Code is indented with tabs",
    "rustfmt.hard_tabs = true": "Code is indented with tabs",
}
COVERED = "The build fails when less than {0}% of the code is covered by tests"
_LINE_LENGTH = "A line of code is at most {} characters long"
_VALUED = {
    "ruff.line-length": _LINE_LENGTH,
    "black.line-length": _LINE_LENGTH,
    "flake8.max-line-length": _LINE_LENGTH,
    "isort.line_length": _LINE_LENGTH,
    "prettier.printWidth": _LINE_LENGTH,
    "rustfmt.max_width": _LINE_LENGTH,
    "golangci.linters.settings.lll.line-length": _LINE_LENGTH,
    "ruff.isort.required-imports.[]": "Every Python file begins with the import `{}`",
    "isort.add_imports.[]": "Every Python file begins with the import `{}`",
    "ruff.pydocstyle.convention": "Docstrings follow the {} convention",
    "ruff.mccabe.max-complexity": "A function's complexity is at most {}",
    "flake8.max-complexity": "A function's complexity is at most {}",
    "ruff.format.quote-style": "Strings stand in {} quotes",
    "mypy.files": "Types are checked in {}",
    "pyright.typeCheckingMode": "Pyright checks types in {} mode",
    "pyright.include": "Pyright checks {}",
    "pytest.python_files": "Test files are named {}",
    "pytest.asyncio_mode": "Async tests run in asyncio's {} mode",
    "pytest.anyio_mode": "Async tests run in anyio's {} mode",
    "pytest.timeout": "A test may take {} seconds",
    "coverage.report.fail_under": COVERED + " ({0}% coverage)",
    "interrogate.fail-under": "At least {}% of the code has docstrings",
    "npmrc.min-release-age": "A dependency must have been released for {} days",
    "prettier.tabWidth": "Code is indented by {} spaces",
    "prettier.trailingComma": "Trailing commas: {}",
}
_ESLINT = {
    "indent = tab": "Code is indented with tabs",
    "indent": "Code is indented by {} spaces (indent)",
    "quotes": "Strings stand in {} quotes",
    "semi = never": "Statements end without a semicolon",
    "semi": "Statements end with a semicolon",
    "eqeqeq": "Values are compared with === and !==",
    "no-console": "`console` is not used",
    "no-var": "`let` and `const`, never `var`",
    "max-len": "A line is at most {} characters long",
    "no-unused-vars": "Unused variables are an error",
    "no-default-export": "No default exports",
    "import/no-default-export": "No default exports",
    "strict": "Each file begins with 'use strict'",
    "@typescript-eslint/no-explicit-any": "`any` is not used as a type",
    "@typescript-eslint/no-floating-promises": "Every promise is awaited or handled",
    "comma-dangle": "Trailing commas: {}",
}
_EDITORCONFIG = {
    "indent_style = tab": "indented with tabs",
    "indent_size": "indented by {} spaces",
    "max_line_length": "lines of at most {} characters",
    "end_of_line": "lines end with {}",
    "quote_type": "strings in {} quotes",
    "insert_final_newline": "a newline at the end",
    "trim_trailing_whitespace": "no trailing blanks",
}
_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0", "none", "unset", "")


def tool_rules(files: ProjectFiles) -> list[ProjectFact]:
    """Give what the configuration of tools enforces, one sentence a rule."""
    tools: dict[str, Settings] = {}
    for one in files.settings:
        tool, key = _tool_of(one)
        tools.setdefault(tool, []).append((key, one))
    found = [
        _rule(tool, ".".join(key).removesuffix(".[]"), text, one)
        for tool, settings in tools.items()
        for key, one in settings
        if (text := _sentence(tool, key, one))
    ]
    for tool, settings in tools.items():
        if summary := _SUMMARIES.get(tool):
            found += summary(settings)
    return list({fact.value or fact.text: fact for fact in reversed(found)}.values())[::-1]


def _tool_of(one: Setting) -> tuple[str, Key]:
    """Give the tool that a setting is of, and the setting's key within it."""
    tool = next((tool for name, tool in _FILES if name.fullmatch(basename(one.path))), None)
    if tool or tool is None or not one.key:
        return tool or "", one.key
    # `[coverage:report]` is the part `report` of coverage, `[tool:pytest]` is pytest.
    key = (*one.key[0].split(":"), *one.key[1:])
    key = key[1:] if key[0] in ("tool", "workspace") and len(key) > 1 else key
    within = key[2:] if key[:2] == ("pytest", "ini_options") else key[1:]
    return _SECTIONS.get(key[0], key[0]), within


def _sentence(tool: str, key: Key, one: Setting) -> str:
    """Say what a setting means; nothing of one that is switched off or not known."""
    name = ".".join((tool, *(part for part in key if part != "lint")))
    if say := _READ.get(name):
        return say(one)
    return _said(_VALUED, name, _shown(one.value)) or _said(_SWITCHED, name, _shown(one.value))


def _said(table: dict[str, str], name: str, value: str) -> str:
    """Give the text of a table for a setting with just this value, else for one with any value."""
    plain = value.lower()
    plain = "true" if plain in _YES else "false" if plain in _NO[:4] else plain
    text = "" if plain in _NO else table.get(name, "")
    return (table.get(f"{name} = {plain}") or text).format(value)


def _values(one: Setting) -> tuple[str, ...]:
    return one.value if isinstance(one.value, tuple) else (str(one.value),)


def _warnings(one: Setting) -> str:
    if "error" not in map(str.strip, _values(one)):
        return ""
    return "Warnings fail the tests: a warning is turned into an error"


def _marker(one: Setting) -> str:
    name, _, said = ("" if isinstance(one.value, tuple) else str(one.value)).partition(":")
    return f"Tests are marked `{name.strip()}`: {said.strip()}" if said.strip() else ""


def _options(one: Setting) -> str:
    text = " ".join(_values(one))
    match = re.search(r"-m[ =]*[\"']?not (\w+)", text)
    parts = [f"Tests marked `{match[1]}` are left out unless asked for"] if match else []
    if re.search(r"(?:-n|--numprocesses)[ =]?(?:auto|logical|\d)", text):
        parts.append("Tests run in parallel")
    if "--strict-markers" in text or "--strict" in text.split():
        parts.append("A test marker must be registered")
    if "--doctest-modules" in text or "--doctest-glob" in text:
        parts.append("Examples in docstrings are run as tests")
    return "; ".join(parts)


_READ: dict[str, Callable[[Setting], str]] = {
    "pytest.filterwarnings": _warnings,
    "pytest.markers": _marker,
    "pytest.markers.[]": _marker,
    "pytest.addopts": _options,
}


def _rule(tool: str, name: str, text: str, one: Setting, setting: str = "") -> ProjectFact:
    item = one.key[-1:] == ("[]",)
    shown = name if item and len(str(one.value)) > SHOWN_CHARS else f"{name} = {_shown(one.value)}"
    return ProjectFact(
        topic=Topic.RULE,
        text=f"{text} ({tool}: {setting or shown})",
        value=text,
        source=one.source,
        key=f"{tool}.{name}.{one.value}"[:120] if item else f"{tool}.{name}",
        why=reason(one.comment),
    )


def _in_use(tool: str, name: str, text: str, one: Setting) -> ProjectFact:
    return ProjectFact(
        topic=Topic.TOOL,
        text=text,
        source=one.source,
        key=f"{tool}.{name}",
        why=reason(one.comment),
    )


def setting(files: ProjectFiles, path: str, key: Key) -> Setting | None:
    """Give the setting of a file at a key."""
    return next((one for one in files.settings if (one.path, one.key) == (path, key)), None)


def reason(comment: str) -> str:
    """Give a comment that may be a reason; a name, an address or a bare version is none."""
    words = [word for word in comment.split() if "://" not in word and any(map(str.isalpha, word))]
    return comment if len(words) > 2 else ""


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = ", ".join(value) if isinstance(value, tuple) else str(value)
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS].rstrip(' ,')}…"


def _editorconfig(settings: Settings) -> Iterator[ProjectFact]:
    """Say how files are written, one sentence for each sort of files."""
    sections: dict[str, list[Setting]] = {}
    for key, one in settings:
        if len(key) == 2:
            sections.setdefault(key[0], []).append(one)
    for section, some in sections.items():
        known = [one for one in some if one.key[-1] in (*_EDITORCONFIG, "indent_style", "charset")]
        said = [_said(_EDITORCONFIG, one.key[-1], str(one.value)) for one in known]
        if any(said):
            where = "All files" if section == "*" else f"Files {section}"
            names = ", ".join(f"{one.key[-1]} = {one.value}" for one in known)
            text = f"{where}: {', '.join(filter(None, said))}"
            yield _rule("editorconfig", section, text, some[0], names)


def _ruff(settings: Settings) -> Iterator[ProjectFact]:
    """Say which rules ruff checks, which not and why, and which names modules are imported by."""
    for key, one in settings:
        name, value = key[-1] if key else "", str(one.value)
        if "flake8-import-conventions" in key and "aliases" in key[:-1]:
            text = f"`{name}` is imported as `{value}` (import {name} as {value})"
            setting = f"import-conventions: {name} = {value}"
            yield _rule("ruff", "import-conventions", text, one, setting)
        if "banned-api" in key and name == "msg":
            yield _rule("ruff", ".".join(key), f"`{key[-2]}` is banned: {value}", one, "banned-api")
        what = {"select": "checks the rules", "ignore": "leaves out"}
        said = what.get(name.removeprefix("extend-"))
        items = [item for other, item in settings if other == (*key, "[]")]
        if said and items and "per-file-ignores" not in key:
            yield _in_use("ruff", name, f"Ruff {said} {_with_comments(items)}", one)


def _with_comments(items: Iterable[Setting]) -> str:
    text = ", ".join(f"{i.value} ({i.comment})" if i.comment else str(i.value) for i in items)
    if len(text) <= LONGEST_LIST:
        return text
    return text[:LONGEST_LIST].rpartition(", ")[0] + " and more"


def _eslint(settings: Settings) -> Iterator[ProjectFact]:
    """Say what ESLint enforces: what is known by a sentence, messages as they are, all by name."""
    rules: dict[str, Settings] = {}
    for key, one in settings:
        if "rules" in key[:-1]:
            at = key.index("rules") + 1
            rules.setdefault(key[at], []).append((key[at + 1 :], one))
    errors: dict[str, Setting] = {}
    for name, parts in rules.items():
        first = parts[0][1]
        severity, *options = _values(first) or ("",)
        if severity not in ("error", "2"):
            continue
        errors[name] = first
        below = [(key, one) for key, one in parts if key and key[0] != "0"]
        options = [str(one.value) for key, one in below if key[-1] not in ("0", "[]")] or options
        text = _said(_ESLINT, name.removeprefix("@stylistic/"), (options or ["error"])[0])
        if text and (options or "{}" not in _ESLINT.get(name, "")):
            setting = f"{name}: {', '.join([severity, *options])}"[:120]
            yield _rule("eslint", name, text, first, setting)
        for key, one in below:
            if key[-1] == "message":
                of = _beside(parts, key)
                text = f"{of}: {one.value}" if of else str(one.value)
                yield _rule("eslint", f"{name}.{of}", text, one, f"{name}: {of}" if of else name)
    if errors:
        text = f"ESLint makes an error of {', '.join(errors)[:LONGEST_LIST]}"
        yield _in_use("eslint", "rules", text, next(iter(errors.values())))


def _beside(parts: Settings, key: Key) -> str:
    """Give what the message of a restriction is about."""
    names = (*key[:-1], "name"), (*key[:-1], "selector"), (*key[:-1], "property")
    return next((str(one.value) for other, one in parts if other in names), "")


def _golangci(settings: Settings) -> Iterator[ProjectFact]:
    for key, one in settings:
        if key in (("linters", "enable"), ("formatters", "enable")):
            what = "checks with" if key[0] == "linters" else "formats with"
            names = ", ".join(_values(one))[:LONGEST_LIST]
            yield _in_use("golangci", key[0], f"golangci-lint {what} {names}", one)


def _hooks(settings: Settings) -> Iterator[ProjectFact]:
    hooks = [one for key, one in settings if key[-1:] == ("id",) and "hooks" in key]
    if hooks:
        names = ", ".join(dict.fromkeys(str(one.value) for one in hooks))
        yield _in_use("pre-commit", "hooks", f"pre-commit runs {names[:LONGEST_LIST]}", hooks[0])


def _tox(settings: Settings) -> Iterator[ProjectFact]:
    for key, one in settings:
        if key in (("env_list",), ("envlist",)):
            names = re.sub(r"[,\s]+(?![^{]*\})", ", ", ", ".join(_values(one))).strip(", ")
            text = f"tox has the environments {names[:LONGEST_LIST]}"
            yield _in_use("tox", "environments", text, one)


def _lints(settings: Settings) -> Iterator[ProjectFact]:
    """Say which lints of Rust are denied or forbidden."""
    for key, one in settings:
        name = "::".join(part for part in key if part != "level")
        if said := {"deny": "denied", "forbid": "forbidden"}.get(str(one.value)):
            text = f"The lint {name} is {said}"
            yield _rule("lints", name, text, one, f"{name} = {one.value}")


_SUMMARIES: dict[str, Callable[[Settings], Iterable[ProjectFact]]] = {
    "editorconfig": _editorconfig,
    "ruff": _ruff,
    "eslint": _eslint,
    "golangci": _golangci,
    "pre-commit": _hooks,
    "tox": _tox,
    "lints": _lints,
}

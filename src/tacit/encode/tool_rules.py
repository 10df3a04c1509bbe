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
Say = Callable[[Setting], str]

SHOWN_CHARS = 60  # of a setting's value
LONGEST_LIST = 600  # characters of names in one sentence

_TOOLS: tuple[tuple[str, Key, str], ...] = (  # file, key before the tool's own, tool
    ("pyproject.toml", ("tool", "pytest", "ini_options"), "pytest"),
    ("pyproject.toml", ("tool",), ""),
    ("setup.cfg", ("tool:pytest",), "pytest"),
    ("tox.ini", ("pytest",), "pytest"),
    ("pytest.ini", ("pytest",), "pytest"),
    (".pytest.ini", ("pytest",), "pytest"),
    ("pytest.toml", ("pytest",), "pytest"),
    (".pytest.toml", ("pytest",), "pytest"),
    ("ruff.toml", (), "ruff"),
    (".ruff.toml", (), "ruff"),
    (".coveragerc", (), "coverage"),
    ("mypy.ini", ("mypy",), "mypy"),
    (".mypy.ini", ("mypy",), "mypy"),
    ("pyrightconfig.json", (), "pyright"),
    ("towncrier.toml", ("tool",), ""),
    (".editorconfig", (), "editorconfig"),
    (".npmrc", (), "npmrc"),
    ("package.json", ("eslintConfig",), "eslint"),
    ("package.json", ("prettier",), "prettier"),
    ("package.json", ("jest",), "jest"),
    ("package.json", ("nyc",), "nyc"),
    ("package.json", ("c8",), "c8"),
    ("package.json", ("commitlint",), "commitlint"),
    ("package.json", ("xo",), "xo"),
    ("tsconfig.json", ("compilerOptions",), "typescript"),
    ("rustfmt.toml", (), "rustfmt"),
    (".rustfmt.toml", (), "rustfmt"),
    ("clippy.toml", (), "clippy"),
    (".clippy.toml", (), "clippy"),
    ("Cargo.toml", ("lints",), "lints"),
    ("Cargo.toml", ("workspace", "lints"), "lints"),
    (".rubocop.yml", (), "rubocop"),
    ("biome.json", (), "biome"),
    ("biome.jsonc", (), "biome"),
    (".nycrc", (), "nyc"),
    (".nycrc.json", (), "nyc"),
    (".c8rc.json", (), "c8"),
    ("setup.cfg", (), ""),  # sections are named by their tool
    ("tox.ini", (), ""),
    (".flake8", (), ""),
    (".isort.cfg", ("settings",), "isort"),
)
_BY_NAME = (
    (re.compile(r"\.eslintrc.*|eslint\.config\..*"), "eslint"),
    (re.compile(r"\.prettierrc.*"), "prettier"),
    (re.compile(r"\.golangci\.ya?ml"), "golangci"),
    (re.compile(r"\.pre-commit-config\.yaml"), "pre-commit"),
    (re.compile(r"\.?(?:markdownlint|yamllint).*"), ""),
)


def tool_rules(files: ProjectFiles) -> list[ProjectFact]:
    """Give what the configuration of tools enforces, one sentence a rule."""
    tools: dict[str, list[tuple[Key, Setting]]] = {}
    for one in files.settings:
        tool, key = _tool_of(one)
        if tool:
            tools.setdefault(tool, []).append((key, one))
    found = [
        fact
        for tool, settings in tools.items()
        for key, one in settings
        for fact in _rules(tool, key, one)
    ]
    for tool, settings in tools.items():
        summary = _SUMMARIES.get(tool)
        if summary is not None:
            found += summary(settings)
    return list({fact.value or fact.text: fact for fact in reversed(found)}.values())[::-1]


def _tool_of(one: Setting) -> tuple[str, Key]:
    """Give the tool that a setting is of, and the setting's key within it."""
    for path, before, tool in _TOOLS:
        if one.path == path and one.key[: len(before)] == before:
            rest = one.key[len(before) :]
            return (
                (tool, rest) if tool else (rest[0].partition(":")[0] if rest else "", _split(rest))
            )
    for name, tool in _BY_NAME:
        if name.fullmatch(basename(one.path)):
            return tool, one.key
    return "", ()


def _split(rest: Key) -> Key:
    """Give the key below a section: `coverage:report` is the part `report` of coverage."""
    part = rest[0].partition(":")[2] if rest else ""
    return (*((part,) if part else ()), *rest[1:])


def _rules(tool: str, key: Key, one: Setting) -> Iterator[ProjectFact]:
    say = _SENTENCES.get((tool, *key))
    text = say(one) if say is not None else ""
    if text:
        yield _rule(tool, ".".join(key).removesuffix(".[]"), text, one)


def _rule(tool: str, name: str, text: str, one: Setting, setting: str = "") -> ProjectFact:
    item = one.key[-1:] == ("[]",)
    setting = setting or (
        name if item and len(str(one.value)) > SHOWN_CHARS else f"{name} = {_shown(one.value)}"
    )
    return ProjectFact(
        topic=Topic.RULE,
        text=f"{text} ({tool}: {setting})",
        value=text,
        source=one.source,
        key=f"{tool}.{name}" if one.key[-1:] != ("[]",) else f"{tool}.{name}.{one.value}"[:120],
        why=reason(one.comment),
    )


def reason(comment: str) -> str:
    """Give a comment that may be a reason; a name, an address or a bare version is none."""
    words = [word for word in comment.split() if "://" not in word and any(map(str.isalpha, word))]
    return comment if len(words) > 2 else ""


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        value = ", ".join(value)
    text = str(value)
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS].rstrip(' ,')}…"


def _on(text: str) -> Say:
    """Say a text of a setting that is switched on."""
    return lambda one: text if str(one.value).lower() in ("true", "yes", "on", "1") else ""


def _off(text: str) -> Say:
    return lambda one: text if str(one.value).lower() in ("false", "no", "off", "0") else ""


def _of(form: str) -> Say:
    """Say a text with the setting's value in it; nothing of one that is switched off."""

    def say(one: Setting) -> str:
        shown = _shown(one.value)
        return (
            form.format(shown)
            if shown and shown.lower() not in ("false", "off", "0", "none")
            else ""
        )

    return say


def _line_length(one: Setting) -> str:
    return (
        f"A line of code is at most {one.value} characters long" if str(one.value).isdigit() else ""
    )


def _warnings(one: Setting) -> str:
    values = one.value if isinstance(one.value, tuple) else (str(one.value),)
    if not any(value.split(":")[0].strip() == "error" and ":" not in value for value in values):
        return ""
    return "Warnings fail the tests: a warning is turned into an error"


def _relative(one: Setting) -> str:
    match str(one.value):
        case "all":
            return "Relative imports (with leading dots) are banned: modules import each other by absolute name"
        case "parents":
            return "Relative imports from parent packages (`..`) are banned"
    return ""


def _required_import(one: Setting) -> str:
    return f"Every Python file begins with the import `{one.value}`" if one.key[-1] == "[]" else ""


def _marker(one: Setting) -> str:
    if one.key[-1] != "[]" and isinstance(one.value, tuple):
        return ""
    name, _, said = str(one.value).partition(":")
    return f"Tests are marked `{name.strip()}`: {said.strip()}" if said.strip() else ""


def _deselected(one: Setting) -> str:
    text = " ".join(one.value) if isinstance(one.value, tuple) else str(one.value)
    match = re.search(r"-m[ =]*[\"']?not (\w+)", text)
    parts = [f"Tests marked `{match[1]}` are left out unless asked for"] if match else []
    if re.search(r"(?:-n|--numprocesses)[ =]?(?:auto|logical|\d)", text):
        parts.append("Tests run in parallel")
    if "--strict-markers" in text or "--strict" in text.split():
        parts.append("A test marker must be registered")
    if "--doctest-modules" in text or "--doctest-glob" in text:
        parts.append("Examples in docstrings are run as tests")
    cover = re.search(r"--cov-fail-under[= ](\d+)", text)
    if cover:
        parts.append(f"The tests fail when less than {cover[1]}% of the code is covered")
    return "; ".join(parts)


def _covered(one: Setting) -> str:
    return f"The build fails when less than {one.value}% of the code is covered by tests ({one.value}% coverage)"


def _alias(one: Setting) -> str:
    name = one.key[-1]
    return f"`{name}` is imported as `{one.value}` (import {name} as {one.value})"


_SENTENCES: dict[Key, Say] = {
    ("ruff", "line-length"): _line_length,
    ("black", "line-length"): _line_length,
    ("black", "line_length"): _line_length,
    ("flake8", "max-line-length"): _line_length,
    ("isort", "line_length"): _line_length,
    ("pycodestyle", "max-line-length"): _line_length,
    ("ruff", "preview"): _on("Ruff's preview rules are in use"),
    ("ruff", "lint", "flake8-tidy-imports", "ban-relative-imports"): _relative,
    ("ruff", "flake8-tidy-imports", "ban-relative-imports"): _relative,
    ("ruff", "lint", "isort", "force-single-line"): _on("One import a line: each imported name has a line of its own"),
    ("ruff", "isort", "force-single-line"): _on("One import a line: each imported name has a line of its own"),
    ("isort", "force_single_line"): _on("One import a line: each imported name has a line of its own"),
    ("ruff", "lint", "isort", "required-imports", "[]"): _required_import,
    ("ruff", "isort", "required-imports", "[]"): _required_import,
    ("isort", "add_imports", "[]"): _required_import,
    ("isort", "add_imports"): lambda one: _required_import(one.replace(key=("[]",))) if isinstance(one.value, str) else "",
    ("ruff", "lint", "isort", "combine-as-imports"): _on("Imports with `as` from one module stand in one statement"),
    ("ruff", "lint", "isort", "force-sort-within-sections"): _on("`import` and `from` imports are sorted together"),
    ("ruff", "lint", "pydocstyle", "convention"): _of("Docstrings follow the {} convention"),
    ("ruff", "pydocstyle", "convention"): _of("Docstrings follow the {} convention"),
    ("pydocstyle", "convention"): _of("Docstrings follow the {} convention"),
    ("ruff", "lint", "mccabe", "max-complexity"): _of("A function's complexity is at most {}"),
    ("flake8", "max-complexity"): _of("A function's complexity is at most {}"),
    ("ruff", "format", "quote-style"): _of("Strings stand in {} quotes"),
    ("ruff", "lint", "flake8-quotes", "inline-quotes"): _of("Strings stand in {} quotes"),
    ("black", "skip-string-normalization"): _on("Quotes of strings stay as they are written"),
    ("ruff", "format", "docstring-code-format"): _on("Code in docstrings is formatted too"),
    ("ruff", "lint", "flake8-type-checking", "strict"): _on("Imports for types alone stand in an `if TYPE_CHECKING` block"),
    ("ruff", "lint", "flake8-annotations", "mypy-init-return"): _on("`__init__` needs no return annotation"),
    ("mypy", "strict"): _on("Types are checked strictly: every function has annotations"),
    ("mypy", "disallow_untyped_defs"): _on("Every function has type annotations"),
    ("mypy", "disallow_any_generics"): _on("Generic types name their parameters"),
    ("mypy", "warn_unused_ignores"): _on("A `type: ignore` that is not needed is an error"),
    ("mypy", "enable_error_code", "[]"): lambda one: "A `type: ignore` names its error code" if one.value == "ignore-without-code" else "",
    ("mypy", "warn_unreachable"): _on("Unreachable code is reported by mypy"),
    ("mypy", "files"): _of("Types are checked in {}"),
    ("mypy", "plugins"): _of("Mypy runs with the plugins {}"),
    ("pyright", "typeCheckingMode"): _of("Pyright checks types in {} mode"),
    ("pyright", "include"): _of("Pyright checks {}"),
    ("pyright", "strict"): _of("Pyright is strict for {}"),
    ("pytest", "filterwarnings"): _warnings,
    ("pytest", "xfail_strict"): _on("A test marked xfail that passes is a failure"),
    ("pytest", "strict"): _on("Pytest is strict: unknown markers and settings, and an xfail that passes, are errors"),
    ("pytest", "python_files"): _of("Test files are named {}"),
    ("pytest", "asyncio_mode"): _of("Async tests run in asyncio's {} mode"),
    ("pytest", "anyio_mode"): _of("Async tests run in anyio's {} mode"),
    ("pytest", "timeout"): _of("A test may take {} seconds"),
    ("pytest", "markers", "[]"): _marker,
    ("pytest", "markers"): _marker,
    ("pytest", "addopts"): _deselected,
    ("pytest", "DJANGO_SETTINGS_MODULE"): _of("Tests run with the Django settings {}"),
    ("pytest", "required_plugins"): _of("Tests need the pytest plugins {}"),
    ("coverage", "report", "fail_under"): _covered,
    ("interrogate", "fail-under"): _of("At least {}% of the code has docstrings"),
    ("nyc", "check-coverage"): _on("The build fails when too little is covered by tests"),
    ("typescript", "strict"): _on("TypeScript is strict"),
    ("typescript", "noUncheckedIndexedAccess"): _on("What an index gives may be undefined, and must be checked"),
    ("typescript", "verbatimModuleSyntax"): _on("Types are imported with `import type`"),
    ("typescript", "erasableSyntaxOnly"): _on("No enums, namespaces or parameter properties: only types that can be erased"),
    ("typescript", "exactOptionalPropertyTypes"): _on("An optional property may be missing, not undefined"),
    ("typescript", "noImplicitAny"): _off("Values without a type are allowed"),
    ("typescript", "target"): _of("TypeScript compiles to {}"),
    ("npmrc", "package-lock"): _off("npm writes no lock file: package-lock.json is not kept in this repository"),
    ("npmrc", "ignore-scripts"): _on("Scripts of installed packages are not run"),
    ("npmrc", "save-exact"): _on("Dependencies are added with their exact version"),
    ("npmrc", "engine-strict"): _on("Installing fails on a Node version that is not supported"),
    ("npmrc", "min-release-age"): _of("A dependency must have been released for {} days"),
    ("npmrc", "legacy-peer-deps"): _on("Peer dependencies that conflict are let pass"),
    ("npmrc", "strict-peer-dependencies"): _on("Peer dependencies that conflict are an error"),
    ("npmrc", "allow-git"): lambda one: "No dependency is taken from git" if one.value == "none" else "",
    ("prettier", "semi"): _off("Statements end without a semicolon"),
    ("prettier", "singleQuote"): _on("Strings stand in single quotes"),
    ("prettier", "printWidth"): _line_length,
    ("prettier", "tabWidth"): _of("Code is indented by {} spaces"),
    ("prettier", "useTabs"): _on("Code is indented with tabs"),
    ("prettier", "trailingComma"): _of("Trailing commas: {}"),
    ("rustfmt", "max_width"): _line_length,
    ("rustfmt", "hard_tabs"): _on("Code is indented with tabs"),
    ("rustfmt", "imports_granularity"): _of("Imports are grouped by {}"),
    ("rustfmt", "group_imports"): _of("Imports are ordered {}"),
    ("clippy", "msrv"): _of("Clippy checks for Rust {}"),
    ("golangci", "linters", "settings", "lll", "line-length"): _line_length,
    ("golangci", "linters-settings", "lll", "line-length"): _line_length,
    ("golangci", "linters", "settings", "gocyclo", "min-complexity"): _of("A function's complexity is below {}"),
}  # fmt: skip


def _editorconfig(settings: list[tuple[Key, Setting]]) -> Iterator[ProjectFact]:
    """Say how files are written, one sentence for each sort of files."""
    sections: dict[str, list[Setting]] = {}
    for key, one in settings:
        if len(key) == 2:
            sections.setdefault(key[0], []).append(one)
    for section, some in sections.items():
        said = [text for one in some if (text := _written(one.key[-1], str(one.value)))]
        if said:
            where = "All files" if section == "*" else f"Files {section}"
            names = ", ".join(
                f"{one.key[-1]} = {one.value}" for one in some if one.key[-1] in _WRITTEN
            )
            yield _rule("editorconfig", section, f"{where}: {', '.join(said)}", some[0], names)


_WRITTEN = {
    "indent_style": "",
    "indent_size": "indented by {} spaces",
    "max_line_length": "lines of at most {} characters",
    "end_of_line": "lines end with {}",
    "quote_type": "strings in {} quotes",
    "insert_final_newline": "a newline at the end",
    "trim_trailing_whitespace": "no trailing blanks",
    "charset": "",
}


def _written(name: str, value: str) -> str:
    if (name, value) == ("indent_style", "tab"):
        return "indented with tabs"
    if value.lower() in ("false", "unset", "off") or (
        name == "indent_size" and not value.isdigit()
    ):
        return ""
    return _WRITTEN.get(name, "").format(value)


def _ruff(settings: list[tuple[Key, Setting]]) -> Iterator[ProjectFact]:
    """Say which rules ruff checks, which not and why, and which names modules are imported by."""
    for key, one in settings:
        if "aliases" in key[:-1] and "flake8-import-conventions" in key:
            yield _rule(
                "ruff",
                "import-conventions",
                _alias(one),
                one,
                f"import-conventions: {key[-1]} = {one.value}",
            )
        if "banned-api" in key and key[-1] == "msg":
            yield _rule(
                "ruff", ".".join(key), f"`{key[-2]}` is banned: {one.value}", one, "banned-api"
            )
        if key[-1:] in (("select",), ("extend-select",)) and isinstance(one.value, tuple):
            items = [i for k, i in settings if k == (*key, "[]")]
            text = f"Ruff checks the rules {_with_comments(items)}"
            yield _tool_fact("ruff", key[-1], text, one)
        if key[-1:] in (("ignore",), ("extend-ignore",)) and "per-file-ignores" not in key:
            items = [i for k, i in settings if k == (*key, "[]")]
            if items:
                yield _tool_fact("ruff", key[-1], f"Ruff leaves out {_with_comments(items)}", one)


def _with_comments(items: Iterable[Setting]) -> str:
    parts = [f"{i.value} ({i.comment})" if i.comment else str(i.value) for i in items]
    text = ", ".join(parts)
    return (
        text if len(text) <= LONGEST_LIST else text[:LONGEST_LIST].rpartition(", ")[0] + " and more"
    )


def _tool_fact(tool: str, name: str, text: str, one: Setting) -> ProjectFact:
    return ProjectFact(
        topic=Topic.TOOL,
        text=text,
        source=one.source,
        key=f"{tool}.{name}",
        why=reason(one.comment),
    )


def _flake8(settings: list[tuple[Key, Setting]]) -> Iterator[ProjectFact]:
    for key, one in settings:
        if key in (("ignore",), ("extend-ignore",), ("select",)):
            what = "checks" if key == ("select",) else "leaves out"
            yield _tool_fact("flake8", key[0], f"Flake8 {what} {_shown(one.value)}", one)


def _eslint(settings: list[tuple[Key, Setting]]) -> Iterator[ProjectFact]:
    """Say what ESLint enforces: what is known by a sentence, messages as they are, names of the rest."""
    rules: dict[str, list[tuple[Key, Setting]]] = {}
    for key, one in settings:
        if "rules" in key[:-1]:
            at = key.index("rules")
            rules.setdefault(key[at + 1], []).append((key[at + 2 :], one))
    errors: list[Setting] = []
    for name, parts in rules.items():
        severity, first = _severity(parts)
        if severity not in ("error", "2"):
            continue
        errors.append(first.replace(value=name))
        options = [
            str(one.value)
            for key, one in parts
            if key and key[-1] not in ("0", "[]") and key[0] != "0"
        ]
        options = options or [str(value) for value in _tuple(first.value)[1:]]
        if say := _ESLINT.get(name):
            text = say(options)
            if text:
                yield _rule(
                    "eslint", name, text, first, f"{name}: {', '.join([severity, *options])}"[:120]
                )
        for key, one in parts:
            if key and key[-1] == "message":
                of = next(
                    (
                        str(o.value)
                        for k, o in parts
                        if k[:-1] == key[:-1] and k[-1] in ("name", "selector", "property")
                    ),
                    "",
                )
                text = f"{of}: {one.value}" if of else str(one.value)
                yield _rule("eslint", f"{name}.{of}", text, one, f"{name}: {of}" if of else name)
    if errors:
        names = ", ".join(str(one.value) for one in errors)
        yield _tool_fact(
            "eslint", "rules", f"ESLint makes an error of {names[:LONGEST_LIST]}", errors[0]
        )


def _severity(parts: list[tuple[Key, Setting]]) -> tuple[str, Setting]:
    _, first = parts[0]
    return str(_tuple(first.value)[0] if _tuple(first.value) else ""), first


def _tuple(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _eslint_indent(options: list[str]) -> str:
    size = options[0] if options else "4"
    return (
        "Code is indented with tabs"
        if size == "tab"
        else f"Code is indented by {size} spaces (indent)"
    )


_ESLINT: dict[str, Callable[[list[str]], str]] = {
    "indent": _eslint_indent,
    "@stylistic/indent": _eslint_indent,
    "quotes": lambda options: f"Strings stand in {(options or ['double'])[0]} quotes",
    "semi": lambda options: "Statements end without a semicolon" if options[:1] == ["never"] else "Statements end with a semicolon",
    "eqeqeq": lambda _: "Values are compared with === and !==",
    "no-console": lambda _: "`console` is not used",
    "no-var": lambda _: "`let` and `const`, never `var`",
    "prefer-const": lambda _: "What is not assigned again is `const`",
    "max-len": lambda options: f"A line is at most {options[0]} characters long" if options else "",
    "no-unused-vars": lambda _: "Unused variables are an error",
    "no-default-export": lambda _: "No default exports",
    "import/no-default-export": lambda _: "No default exports",
    "curly": lambda _: "Blocks of `if` and loops stand in braces",
    "strict": lambda _: "Each file begins with 'use strict'",
    "@typescript-eslint/no-explicit-any": lambda _: "`any` is not used as a type",
    "@typescript-eslint/consistent-type-imports": lambda _: "Types are imported with `import type`",
    "@typescript-eslint/no-floating-promises": lambda _: "Every promise is awaited or handled",
    "comma-dangle": lambda options: f"Trailing commas: {(options or ['never'])[0]}",
}  # fmt: skip


def _golangci(settings: list[tuple[Key, Setting]]) -> Iterator[ProjectFact]:
    for key, one in settings:
        if key in (("linters", "enable"), ("formatters", "enable")) and isinstance(
            one.value, tuple
        ):
            what = "checks with" if key[0] == "linters" else "formats with"
            yield _tool_fact(
                "golangci", key[0], f"golangci-lint {what} {_shown_all(one.value)}", one
            )
        if key[:3] == ("linters", "settings", "depguard") and key[-1] == "desc":
            pkg = next(
                (str(o.value) for k, o in settings if k[:-1] == key[:-1] and k[-1] == "pkg"), ""
            )
            yield _rule(
                "golangci", ".".join(key), f"`{pkg}` is banned: {one.value}", one, "depguard"
            )


def _shown_all(values: tuple[str, ...]) -> str:
    return ", ".join(values)[:LONGEST_LIST]


def _hooks(settings: list[tuple[Key, Setting]]) -> Iterator[ProjectFact]:
    hooks = [one for key, one in settings if key[-1:] == ("id",) and "hooks" in key]
    if hooks:
        names = ", ".join(dict.fromkeys(str(one.value) for one in hooks))
        yield _tool_fact("pre-commit", "hooks", f"pre-commit runs {names[:LONGEST_LIST]}", hooks[0])
    for one in hooks:
        if one.comment and " " in one.comment:
            text = f"The pre-commit hook {one.value}: {one.comment}"
            yield _tool_fact("pre-commit", str(one.value), text, one.replace(comment=""))


def _tox(settings: list[tuple[Key, Setting]]) -> Iterator[ProjectFact]:
    for key, one in settings:
        if key[-1:] in (("env_list",), ("envlist",)) and len(key) == 1:
            values = one.value if isinstance(one.value, tuple) else (str(one.value),)
            names = re.sub(r"[,\s]+(?![^{]*\})", ", ", ", ".join(values)).strip(", ")
            yield _tool_fact(
                "tox", "environments", f"tox has the environments {names[:LONGEST_LIST]}", one
            )


def _lints(settings: list[tuple[Key, Setting]]) -> Iterator[ProjectFact]:
    """Say which lints of Rust are denied or forbidden."""
    for key, one in settings:
        level = str(one.value)
        name = "::".join(part for part in key if part != "level")
        if level in ("deny", "forbid") and key[-1] not in ("priority",):
            yield _rule(
                "lints",
                name,
                f"The lint {name} is {'denied' if level == 'deny' else 'forbidden'}",
                one,
                f"{name} = {level}",
            )


_SUMMARIES: dict[str, Callable[[list[tuple[Key, Setting]]], Iterable[ProjectFact]]] = {
    "editorconfig": _editorconfig,
    "ruff": _ruff,
    "flake8": _flake8,
    "eslint": _eslint,
    "golangci": _golangci,
    "pre-commit": _hooks,
    "tox": _tox,
    "lints": _lints,
}


def workflow_notes(files: ProjectFiles) -> list[ProjectFact]:
    """Give the comments of CI that say why something is done, not what a template explains."""
    found = []
    for one in files.settings:
        name = basename(one.path).rpartition(".")[0]
        if not one.path.startswith(".github/workflows/") or _TEMPLATES.search(name):
            continue
        if "permissions" not in one.key and _REASON.search(one.comment) and len(one.comment) > 40:
            job = one.key[1] if one.key[:1] == ("jobs",) and len(one.key) > 1 else ""
            where = f"{name}, job {job}" if job else name
            text = f"In CI ({where}): {one.comment}"
            key = f"ci.{name}.{'.'.join(one.key)}"[:120]
            found.append(ProjectFact(topic=Topic.TOOL, text=text, source=one.source, key=key))
    return list({fact.text: fact for fact in found}.values())[:MOST_NOTES]


_TEMPLATES = re.compile(r"codeql|scorecard|zizmor|dependency-review|stale|lock|label|greeting")
_REASON = re.compile(
    r"\b(because|since|due to|so that|otherwise|avoid|work ?around|until|fail|broken|unless|prevent|"
    r"instead of|not supported|unsupported|do(?:es)? not|don't|doesn't|must|never|only|required)\b",
    re.IGNORECASE,
)
MOST_NOTES = 12


def text_rules(files: ProjectFiles) -> list[ProjectFact]:
    """Give what commands of CI and scripts enforce: how much is covered, a licence header."""
    lines = [(one.source, str(one.value)) for one in files.settings if _has_commands(one)]
    for path, text in files.texts:
        if path.startswith(("script", "Makefile")):
            lines += [(f"{path}:{n}", line) for n, line in enumerate(text.splitlines(), 1)]
    found: dict[str, ProjectFact] = {}
    for source, line in lines:
        if match := re.search(r"--(?:cov-)?fail[-_]under[ =](\d+)", line):
            text = f"The build fails when less than {match[1]}% of the code is covered by tests"
            text += f" ({match[0]}, {match[1]}% coverage)"
            found.setdefault(
                "coverage.report.fail_under", _text_rule(text, source, "coverage.report.fail_under")
            )
        if match := _LICENCE.search(line):
            text = f"Each source file begins with a licence header; CI checks it with {match[0].split()[0]}"
            found.setdefault("licence.header", _text_rule(text, source, "licence.header"))
    return list(found.values())


_LICENCE = re.compile(
    r"\b(?:addlicense\b(?=[\s\S]*-check)|license-eye|reuse lint|licensure|license-check-and-add|insert-license)"
)


def _has_commands(one: Setting) -> bool:
    return bool(one.key) and (
        one.key[-1] in ("run", "id", "uses")
        or "scripts" in one.key
        or "commands" in one.key
        or "addopts" in one.key
    )


def _text_rule(text: str, source: str, key: str) -> ProjectFact:
    return ProjectFact(topic=Topic.RULE, text=text, value=text, source=source, key=key)

"""What the workflows of CI state: the versions they run, what they enforce, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename

from tacit.encode.tool_rules import COVERED
from tacit.observation import ProjectFact, ProjectFiles, Setting, Topic

MOST_VERSIONS = 12  # in one sentence
MOST_NOTES = 12
WORKFLOWS = ".github/workflows/"

_LANGUAGES = {
    **dict.fromkeys(("python-version", "python", "python_version", "pyversion"), "Python"),
    **dict.fromkeys(("node-version", "node", "node_version"), "Node"),
    **dict.fromkeys(("go-version", "go", "go_version"), "Go"),
    **dict.fromkeys(("ruby-version", "ruby"), "Ruby"),
    **dict.fromkeys(("java-version", "java", "jdk"), "Java"),
    **dict.fromkeys(("php-version", "php-versions", "php"), "PHP"),
    **dict.fromkeys(("rust", "toolchain", "rust-version"), "Rust"),
}
_VERSION = re.compile(r"(?:pypy-?)?\d+(?:\.\d+)*(?:\.x)?(?:t|-dev)?|stable|beta|nightly|lts/\*")
_FORM = re.compile(r"([\d.]*)\$\{\{\s*matrix\.([\w-]+)\s*\}\}([\w.]*)")
_TEMPLATES = re.compile(r"codeql|scorecard|zizmor|dependency-review|stale|lock|label|greeting")
_REASON = re.compile(
    r"\b(because|since|due to|so that|otherwise|avoid|work ?around|until|fail|broken|unless|prevent|"
    r"instead of|not supported|unsupported|do(?:es)? not|don't|doesn't|must|never|only|required)\b",
    re.IGNORECASE,
)
_LICENCE = re.compile(
    r"\b(?:addlicense\b(?=[\s\S]*-check)|license-eye|reuse lint|licensure|license-check-and-add|insert-license)"
)


def ci_versions(files: ProjectFiles) -> Iterator[ProjectFact]:
    """Say which versions of a language CI runs."""
    found: dict[str, dict[str, str]] = {}
    workflows = [one for one in files.settings if one.path.startswith(WORKFLOWS)]
    forms = {  # `go-version: 1.${{ matrix.go }}.x` makes 1.22.x of 22
        match[2]: f"{match[1]}{{}}{match[3]}"
        for one in workflows
        if (match := _FORM.fullmatch(str(one.value)))
    }
    for one in workflows:
        key = next((part for part in reversed(one.key) if part != "[]" and not part.isdigit()), "")
        if key not in _LANGUAGES or {"matrix", "with", "env"}.isdisjoint(one.key):
            continue
        versions = found.setdefault(_LANGUAGES[key], {})
        for value in one.value if isinstance(one.value, tuple) else (str(one.value),):
            if _VERSION.fullmatch(value):
                version = forms.get(key, "{}").format(value).removesuffix(".x")
                versions.setdefault(version, one.source)
    for language, versions in found.items():
        if len(versions) > 1:
            named = sorted(versions, key=_natural)
            listed = ", ".join(named[:MOST_VERSIONS])
            yield ProjectFact(
                topic=Topic.RUNTIME,
                text=f"CI runs {language} {listed}",
                value=f"CI: {language} {listed}",
                source=versions[named[0]],
                key=f"{language.lower()}.ci",
            )


def _natural(text: str) -> list[tuple[int, str]]:
    parts = re.findall(r"\d+|\D+", text)
    return [(int(part), "") if part.isdigit() else (10**6, part) for part in parts]


def command_rules(files: ProjectFiles) -> list[ProjectFact]:
    """Give what commands of CI and scripts enforce: how much is covered, a licence header."""
    lines = [(one.source, str(one.value)) for one in files.settings if _has_commands(one)]
    for path, text in files.texts:
        if path.startswith(("script", "Makefile")):
            lines += [(f"{path}:{n}", line) for n, line in enumerate(text.splitlines(), 1)]
    found: dict[str, ProjectFact] = {}
    for source, line in lines:
        said = {}
        if match := re.search(r"--(?:cov-)?fail[-_]under[ =](\d+)", line):
            text = f"{COVERED.format(match[1])} ({match[0]}, {match[1]}% coverage)"
            said["coverage.report.fail_under"] = text
        if match := _LICENCE.search(line):
            tool = match[0].split()[0]
            text = f"Each source file begins with a licence header; CI checks it with {tool}"
            said["licence.header"] = text
        for key, text in said.items():
            fact = ProjectFact(topic=Topic.RULE, text=text, value=text, source=source, key=key)
            found.setdefault(key, fact)
    return list(found.values())


def _has_commands(one: Setting) -> bool:
    last = one.key[-1:] in (("run",), ("id",), ("uses",))
    return last or not {"scripts", "commands", "addopts"}.isdisjoint(one.key)


def workflow_notes(files: ProjectFiles) -> list[ProjectFact]:
    """Give the comments of CI that say why something is done, not what a template explains."""
    found: dict[str, ProjectFact] = {}
    for one in files.settings:
        name = basename(one.path).rpartition(".")[0]
        if not one.path.startswith(WORKFLOWS) or _TEMPLATES.search(name):
            continue
        if "permissions" not in one.key and _REASON.search(one.comment) and len(one.comment) > 40:
            job = f", job {one.key[1]}" if one.key[0] == "jobs" and len(one.key) > 1 else ""
            text = f"In CI ({name}{job}): {one.comment}"
            key = f"ci.{name}.{'.'.join(one.key)}"[:120]
            found[text] = ProjectFact(topic=Topic.TOOL, text=text, source=one.source, key=key)
    return list(found.values())[:MOST_NOTES]

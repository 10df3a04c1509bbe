"""What a root project is today, as its files and tags state it: whole sentences with a source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from posixpath import basename, dirname

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from tacit.draft import Draft
from tacit.encode.ci_facts import ci_versions, command_rules, workflow_notes
from tacit.encode.release_facts import release_facts
from tacit.encode.tool_rules import Key, reason, setting, tool_rules
from tacit.markdown import blocks, plain
from tacit.model import Anchor, Facet, FacetType, Kind, Mention, Origin, Tier, Trust
from tacit.observation import ProjectFact, ProjectFiles, Topic

ELSEWHERE = "project:files"  # the source of facts that tags and folders state, not one file
WHAT_CHARS = 120  # a longer description is told by its first sentence
MOST_NAMED = 12  # folders in one sentence

_PAGES = (".md", ".rst", ".txt")  # they change often, and hardly ever what they say the project is
_IMPORTANCE = {Topic.RULE: 0.6, Topic.TOOL: 0.5}
_NAMES: tuple[tuple[str, Key], ...] = (
    ("pyproject.toml", ("project",)),
    ("pyproject.toml", ("tool", "poetry")),
    ("setup.cfg", ("metadata",)),
    ("Cargo.toml", ("package",)),
    ("Cargo.toml", ("workspace", "package")),
    ("package.json", ()),
    ("composer.json", ()),
)
_REQUIRED: tuple[tuple[str, str, Key], ...] = (  # language, file, key of the range it supports
    ("Python", "pyproject.toml", ("project", "requires-python")),
    ("Python", "pyproject.toml", ("tool", "poetry", "dependencies", "python")),
    ("Python", "setup.cfg", ("options", "python_requires")),
    ("Node", "package.json", ("engines", "node")),
    ("Rust", "Cargo.toml", ("package", "rust-version")),
    ("Rust", "Cargo.toml", ("workspace", "package", "rust-version")),
    ("PHP", "composer.json", ("require", "php")),
)
_TEXT_REQUIRED: tuple[tuple[str, str, str], ...] = (  # language, file, where the version stands
    ("Go", r"go\.mod", r"^go[ \t]+(\d[\w.]*)"),
    ("Ruby", r".*\.gemspec", r"required_ruby_version\s*=\s*[^\d\n]*[\"'](?:>=|~>)?\s*(\d[\d.]*)"),
    ("Ruby", r"gemfile", r"^ruby\s+[\"'](\d[\d.]*)"),
    ("Java", r"pom\.xml", r"<(?:maven\.compiler\.(?:release|source)|java\.version)>\s*(\d[\d.]*)"),
    ("Java", r"build\.gradle(?:\.kts)?", r"(?:JavaLanguageVersion\.of\(|sourceCompatibility\D{1,25}?)(\d+)"),
    ("Python", r"setup\.py", r"python_requires\s*=\s*[\"']\s*>=\s*(\d[\d.]*)"),
)  # fmt: skip
_DEVELOPED = {  # file and key → the language whose version it names for development
    (".python-version",): "Python",
    (".python-version-default",): "Python",
    (".nvmrc",): "Node",
    (".node-version",): "Node",
    (".ruby-version",): "Ruby",
    (".java-version",): "Java",
    (".go-version",): "Go",
    ("rust-toolchain",): "Rust",
    ("rust-toolchain.toml", "toolchain", "channel"): "Rust",
    (".tool-versions", "nodejs"): "Node",
    (".tool-versions", "golang"): "Go",
    (".tool-versions", "python"): "Python",
    (".tool-versions", "ruby"): "Ruby",
    (".tool-versions", "java"): "Java",
}
_WORKSPACES: tuple[tuple[str, Key], ...] = (
    ("package.json", ("workspaces",)),
    ("package.json", ("workspaces", "packages")),
    ("pnpm-workspace.yaml", ("packages",)),
    ("Cargo.toml", ("workspace", "members")),
    ("pyproject.toml", ("tool", "uv", "workspace", "members")),
)
_ADVERTISEMENT = re.compile(
    r"\b(sponsor|donat|hiring|newsletter|follow us|join us|star us|patreon|discord|translat|"
    r"read this in|other languages|looking for (?:a )?maintainer|backers|slack|gitter|twitter)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[\w)`*\"'][.!?])\s+(?=[A-Z\"'`*(])")
_NEWS = re.compile(
    r"^(?:see|visit|read|check out|go to)\b|\b(?:excited|pleased|proud|happy) to announce|\bis now available\b|\bwe(?:'re| are)\b",
    re.IGNORECASE,
)
_IS = r"(?:the |an? )?{name}(?:['’]s)?(?: [\w()./-]+){{0,3}}? (?:is|are|provides?|lets|makes|allows|gives|adds|helps|offers)\b"
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])|^\|.*")

_SOURCES = ("src", "lib", "source", "app", "pkg", "cmd", "internal", "crates", "packages")
_TESTS = ("tests", "test", "spec", "specs", "__tests__", "testing", "integration_tests", "e2e")
_DOCS = ("docs", "doc", "documentation", "website", "site")
_EXAMPLES = ("examples", "example", "samples", "demo", "demos")
_NO_SOURCE = {
    *_TESTS, *_DOCS, *_EXAMPLES, "scripts", "tools", "bench", "benchmarks", ".github", "testdata",
    "fixtures", "vendor", "third_party",
}  # fmt: skip
_WRITTEN_IN = {
    "Python": ("py", "pyi"), "Node": ("js", "mjs", "cjs", "ts", "tsx", "jsx"), "Rust": ("rs",), "PHP": ("php",),
    "Go": ("go",), "Ruby": ("rb",), "Java": ("java", "kt"),
}  # fmt: skip
_LEAST_SHARE = 0.05  # of the code: a manifest of another language is for its packagers
_TEXT = re.compile(r"\.(?:md|mdx|rst|adoc|txt|html)$")
_TEST_FILE = re.compile(r"(?:_test\.go|\.(?:test|spec)\.[jt]sx?|_spec\.rb|Test\.java)$")
_TEST_FOLDER = re.compile(r"(?:[^/]+/){1,3}(?:tests?|__tests__|spec)/")
_PYTHON_SOURCE = re.compile(r"((?:src|lib|python)/[^/]+)/.*\.py")
_CODE = re.compile(
    r"\.(?:py|pyi|js|mjs|cjs|ts|tsx|jsx|go|rs|rb|java|kt|php|c|cc|cpp|h|hpp|cs|swift|scala|ex|lua)$"
)


def project_facts(files: ProjectFiles) -> list[ProjectFact]:
    """Give what the project is, what it runs on, its newest release and where things lie."""
    name, what = _what(files)
    return [
        *what,
        *_supported(files),
        *_developed(files),
        *ci_versions(files),
        *release_facts(files, name, _NAMES),
        *_layout(files),
        *_workspace(files),
        *tool_rules(files),
        *command_rules(files),
        *workflow_notes(files),
    ]


def fact_drafts(
    facts: Iterable[ProjectFact],
    *,
    since: Mapping[str, datetime] | None = None,
    shas: Mapping[str, str] | None = None,
) -> list[Draft]:
    """Make a memory of each fact that a project states; what configuration enforces is a rule.

    `since` tells when each file was last changed, `shas` its blob id.
    """
    drafts: dict[str, Draft] = {}
    for fact in facts:
        path = fact.source.partition(":")[0]
        sha = "" if path.endswith(_PAGES) else (shas or {}).get(path, "")
        rule = fact.topic is Topic.RULE
        source = f"project:{path}" if path in (shas or {}) else ELSEWHERE
        source = f"{source}#{fact.key or fact.text}"
        drafts[source] = Draft(
            text=f"{fact.text} ({fact.source})." + (f" Why: {fact.why}" if fact.why else ""),
            summary=fact.text,
            hint=fact.text,
            kind=Kind.FACT,
            key=fact.key,
            value=fact.value or fact.text,
            title=fact.text[:80],
            subtype="rule" if rule else "project",
            tier=Tier.GUARDRAIL if rule else Tier.REFERENCE,
            importance=_IMPORTANCE.get(fact.topic, 0.7),
            valid_from=fact.at or (since or {}).get(path),
            origin=Origin.EXTRACTED,
            trust=Trust.REPOSITORY,
            source_ref=source[:300],
            mentions=(Mention(facet=Facet(type=FacetType.FILE, name=path)),) if sha else (),
            anchors=(Anchor(path=path, sha=sha),) if sha else (),
            renews=True,
        )
    return list(drafts.values())


def _what(files: ProjectFiles) -> tuple[str, list[ProjectFact]]:
    """Give the name of a project, and the fact of what it is."""
    name, description, source = "", "", ""
    for path, key in _NAMES:
        named = setting(files, path, (*key, "name"))
        said = setting(files, path, (*key, "description"))
        if named and not name:
            name, source = str(named.value), named.source
        if said and said.value and named and named.value == name:
            description, source = str(said.value), said.source
            break
    if not name and (module := _find(files, r"go\.mod", r"^module\s+(\S+)")):
        name, source = re.sub(r"/v\d+$", "", module[0]).rpartition("/")[2], module[1]
    if not description or description.startswith(("file:", "attr:")):
        description, said_at = _readme_sentence(files, name)
        source = said_at or source
    told = " ".join(description.split())
    told = re.split(r"(?<=\w[.!?])\s+", told)[0] if len(told) > WHAT_CHARS else told
    known = told.lower().startswith(name.rpartition("/")[2].lower())  # it names itself
    text = told if known else ": ".join(filter(None, (name, told)))
    fact = ProjectFact(topic=Topic.WHAT, text=text, value=text, source=source, key="project.what")
    return name, [fact] if text else []


def _find(files: ProjectFiles, name: str, pattern: str) -> tuple[str, str] | None:
    """Give what a pattern finds in the first file of a name, and where it stands."""
    for path, text in files.texts:
        if re.fullmatch(name, path, re.I) and (match := re.search(pattern, text, re.M)):
            return match[1], f"{path}:{text.count(chr(10), 0, match.start(1)) + 1}"
    return None


def _readme_sentence(files: ProjectFiles, name: str) -> tuple[str, str]:
    """Give the sentence of the README that says what the project is, else its first; and where."""
    for path, text in files.texts:
        if not basename(path).lower().startswith("readme"):
            continue
        found: list[tuple[str, str]] = []
        for block in blocks(text, rst=path.endswith(".rst")):
            words = plain(_IMAGE.sub("", block.text)).replace("`", "")
            sentence = _SENTENCE.split(words)[0]
            telling = len(sentence.split()) >= 4 and not _ADVERTISEMENT.search(words)
            if block.type == "paragraph" and telling and not _NEWS.search(sentence):
                title = plain(block.heading[0]).replace("`", "") if block.heading else ""
                called = "|".join(re.escape(one) for one in (name, title) if one)
                said = sentence[:300].rstrip(":"), f"{path}:{block.line}"
                if called and re.match(_IS.format(name=f"(?:{called})"), sentence, re.IGNORECASE):
                    return said
                found.append(said)
        if found:
            return found[0]
    return "", ""


def _supported(files: ProjectFiles) -> Iterator[ProjectFact]:
    found: dict[str, ProjectFact] = {}
    for language, path, key in _REQUIRED:
        one = setting(files, path, key)
        if one and str(one.value).strip():
            fact = _supports(language, str(one.value), one.source, reason(one.comment))
            found.setdefault(language, fact)
    for language, name, pattern in _TEXT_REQUIRED:
        if said := _find(files, name, pattern):
            found.setdefault(language, _supports(language, f">={said[0]}", said[1]))
    endings = Counter(path.rpartition(".")[2] for path in files.paths if _CODE.search(path))
    share = {
        language: sum(endings[end] for end in ends) / max(1, endings.total())
        for language, ends in _WRITTEN_IN.items()
    }
    for language, fact in found.items():
        if not endings or share[language] >= _LEAST_SHARE:
            yield fact


def _supports(language: str, wanted: str, source: str, why: str = "") -> ProjectFact:
    said = range_in_words(wanted)
    least = said.partition(" ")[0]
    value = f"{language} {wanted.strip()}"
    text = f"Needs {value}"
    if said.startswith(f"{least} and newer"):
        value = f"{language} >={said.replace(' and newer', '').replace(', below ', ',<')}"
        text = f"Supports {language} {said}: {value} is required, {least} is the lowest version it runs on"
    return _runtime(f"{language.lower()}.requires", text, value, source, why)


def _runtime(key: str, text: str, value: str, source: str, why: str) -> ProjectFact:
    return ProjectFact(topic=Topic.RUNTIME, text=text, value=value, source=source, key=key, why=why)


def range_in_words(wanted: str) -> str:
    """Say a range of versions as one would: `>=3.10,<4` is "3.10 and newer, below 4"."""
    said = wanted.strip()
    if re.fullmatch(r"v?\d+(?:\.\d+)*", said):
        return f"{said.removeprefix('v')} and newer"
    match = re.fullmatch(r"\^\s*([1-9]\d*)((?:\.\d+)*)", said)
    if match:
        return f"{match[1]}{match[2]} and newer, below {int(match[1]) + 1}"
    try:
        parts = SpecifierSet(re.sub(r"(\d)\s+(?=[<>=!~])", r"\1,", said))
    except InvalidSpecifier:
        return said
    lower = [part.version for part in parts if part.operator == ">="]
    upper = [f"below {part.version}" for part in parts if part.operator in ("<", "<=")]
    rest = sorted(f"not {part.version}" for part in parts if part.operator == "!=")
    if len(lower) != 1 or len(lower) + len(upper) + len(rest) != len(parts):
        return said
    return ", ".join([f"{lower[0]} and newer", *upper, *rest])


def _developed(files: ProjectFiles) -> Iterator[ProjectFact]:
    for one in files.settings:
        if language := _DEVELOPED.get((one.path, *one.key)):
            value = f"{language} {one.value}"
            key, text = f"{language.lower()}.development", f"Is developed with {value}"
            yield _runtime(key, text, value, one.source, reason(one.comment))
    if manager := setting(files, "package.json", ("packageManager",)):
        name, _, version = str(manager.value).partition("+")[0].partition("@")
        yield ProjectFact(
            topic=Topic.TOOL,
            text=f"The package manager is {name} {version}".strip(),
            value=name,
            source=manager.source,
            key="package.manager",
        )


def _layout(files: ProjectFiles) -> Iterator[ProjectFact]:
    tops = {path.partition("/")[0] for path in files.paths if "/" in path}
    parts = [
        ("source", _source_folders(files, tops)),
        ("tests", _first(tops, _TESTS) or _tests_within(files)),
        ("documents", _first(_of_text(files), _DOCS)),
        ("examples", _first(tops, _EXAMPLES)),
    ]
    parts = [(name, where) for name, where in parts if where]
    if len(parts) > 1:
        text = ", ".join(f"{name} in {where}" for name, where in parts)
        brief = ", ".join(f"{name} {where}" for name, where in parts)
        yield ProjectFact(
            topic=Topic.LAYOUT,
            text=text[0].upper() + text[1:],
            value=brief[0].upper() + brief[1:],
            source=parts[0][1].partition(",")[0],
            key="project.layout",
        )


def _first(tops: Iterable[str], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in tops), "")


def _of_text(files: ProjectFiles) -> Counter[str]:
    """Count the texts of each top folder with more of them than code: a `doc` may be a package."""
    found: Counter[str] = Counter()
    for path in files.paths:
        found[path.partition("/")[0]] += bool(_TEXT.search(path)) - bool(_CODE.search(path))
    return +found


def _tests_within(files: ProjectFiles) -> str:
    """Say where tests lie that have no folder of their own at the top."""
    beside = Counter(match[0] for path in files.paths if (match := _TEST_FILE.search(path)))
    if beside:
        return f"files *{beside.most_common(1)[0][0]} beside it"
    folders = Counter(match[0] for path in files.paths if (match := _TEST_FOLDER.match(path)))
    return folders.most_common(1)[0][0].rstrip("/") if folders else ""


def _source_folders(files: ProjectFiles, tops: set[str]) -> str:
    """Give the folders that hold what is released, the packages of Python and Go by name."""
    code = [path for path in files.paths if _CODE.search(path)]
    packages = {match[1] for path in code if (match := _PYTHON_SOURCE.fullmatch(path))} or {
        dirname(path)
        for path in code
        if path.count("/") == 1
        and path.endswith("/__init__.py")
        and dirname(path) not in _NO_SOURCE
    }
    if packages:
        return _listed(sorted(packages))
    counted = Counter(path.partition("/")[0] for path in code if "/" in path)
    if any(path.endswith(".go") and "/" not in path for path in code):
        inner = {path.partition("/")[0] for path in code if path.endswith(".go") and "/" in path}
        return _listed(["the root folder", *sorted(inner - _NO_SOURCE)])
    named = [name for name in _SOURCES if name in counted]
    most = [name for name, _ in counted.most_common() if name not in _NO_SOURCE]
    return _listed(named or most[:3])


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _workspace(files: ProjectFiles) -> Iterator[ProjectFact]:
    found = (setting(files, path, key) for path, key in _WORKSPACES)
    one = next((one for one in found if one and isinstance(one.value, tuple) and one.value), None)
    if one and isinstance(one.value, tuple):
        yield ProjectFact(
            topic=Topic.LAYOUT,
            text=f"The packages of this workspace lie in {_listed(one.value)}",
            value=f"workspace {_listed(one.value)}",
            source=one.source,
            key="project.workspace",
        )

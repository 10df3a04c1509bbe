"""What a root project is today, as its files and tags state it: whole sentences with a source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from posixpath import basename, dirname

from markdown_it import MarkdownIt
from markdown_it.token import Token
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from tacit.encode.tool_rules import reason, text_rules, tool_rules, workflow_notes
from tacit.observation import ProjectFact, ProjectFiles, Setting, Topic

MOST_NAMED = 12  # folders or versions in one sentence

Key = tuple[str, ...]

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
_DEVELOPED = {  # file → the language whose version it names for development
    ".python-version": "Python",
    ".python-version-default": "Python",
    ".nvmrc": "Node",
    ".node-version": "Node",
    ".ruby-version": "Ruby",
    ".java-version": "Java",
    ".go-version": "Go",
    "rust-toolchain": "Rust",
}
_TOOL_VERSIONS = {
    "nodejs": "Node",
    "golang": "Go",
    "python": "Python",
    "ruby": "Ruby",
    "java": "Java",
}
_CI_KEYS = {
    **dict.fromkeys(("python-version", "python", "python_version", "pyversion"), "Python"),
    **dict.fromkeys(("node-version", "node", "node_version"), "Node"),
    **dict.fromkeys(("go-version", "go", "go_version"), "Go"),
    **dict.fromkeys(("ruby-version", "ruby"), "Ruby"),
    **dict.fromkeys(("java-version", "java", "jdk"), "Java"),
    **dict.fromkeys(("php-version", "php-versions", "php"), "PHP"),
    **dict.fromkeys(("rust", "toolchain", "rust-version"), "Rust"),
}
_CI_VERSION = re.compile(r"(?:pypy-?)?\d+(?:\.\d+)*(?:\.x)?(?:t|-dev)?|stable|beta|nightly|lts/\*")

_CI_FORM = re.compile(r"([\d.]*)\$\{\{\s*matrix\.([\w-]+)\s*\}\}([\w.]*)")

_ADVERTISEMENT = re.compile(
    r"\b(sponsor|donat|hiring|newsletter|follow us|join us|star us|patreon|discord|translat|"
    r"read this in|other languages|looking for (?:a )?maintainer|backers|slack|gitter|twitter)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[\w)`*\"'][.!?])\s+(?=[A-Z\"'`*(])")
_RST_SKIPPED = re.compile(r"^\s*(?:\.\. |:|\||[=\-~^*#+\"'.`_]{3,}\s*$)")
_RST_ROLE = re.compile(r":\w+:`([^`<]+?)(?:\s*<[^>]*>)?`|`([^`<]+?)\s*<[^>]*>`_{1,2}|``([^`]+)``")

_TAG = re.compile(r"(?P<before>.*?)(?P<v>v|V)?(?P<version>\d+(?:\.\d+)+[\w.+-]*)")
_RELEASE_WORDS = re.compile(r"(?:release|rel|version|ver|r)?[-_/]?", re.IGNORECASE)
_CHANGELOG = re.compile(
    r"(?:docs/(?:\w+/)?|\.github/)?(?:change-?log|changes|history|news|release[-_]?notes)(?:\.(?:md|rst|txt|markdown|adoc))?",
    re.IGNORECASE,
)
_NOTED = re.compile(
    r"^(?:#{1,4}\s*)?\W{0,4}(?:[\w.-]{1,30}\s+)?(?:version\s+)?\[?v?(\d+\.\d+[\w.]*)\b(.*)$",
    re.IGNORECASE,
)
_DATE = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_LONG_DATE = re.compile(
    r"\b(?:(\d{1,2})(?:st|nd|rd|th)?\s+)?(January|February|March|April|May|June|July|August|September|October|"
    r"November|December)\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})\b"
)
_MONTHS = (
    "January February March April May June July August September October November December".split()
)
_UNRELEASED = re.compile(
    r"unreleased|not (?:yet )?released|in development|tba|tbd|xxxx|upcoming", re.I
)
_OWN_VERSION = re.compile(
    r"""^(?:__version__|VERSION|version|\s*VERSION)\s*(?::\s*\w+\s*)?=\s*["'](\d+\.\d[\w.+-]*)["']""",
    re.MULTILINE,
)

_SOURCES = ("src", "lib", "source", "app", "pkg", "cmd", "internal", "crates", "packages")
_TESTS = ("tests", "test", "spec", "specs", "__tests__", "testing", "integration_tests", "e2e")
_DOCS = ("docs", "doc", "documentation", "website", "site")
_EXAMPLES = ("examples", "example", "samples", "demo", "demos")
_TEXT = re.compile(r"\.(?:md|mdx|rst|adoc|txt|html)$")
_TEST_FILE = re.compile(r"(?:_test\.go|\.(?:test|spec)\.[jt]sx?|_spec\.rb|Test\.java)$")
_TEST_FOLDER = re.compile(r"(?:[^/]+/){1,3}(?:tests?|__tests__|spec)/")
_PYTHON_SOURCE = re.compile(r"(?:src|lib|python)/[^/]+/(?=.*\.py$)")
_CODE = re.compile(
    r"\.(?:py|pyi|js|mjs|cjs|ts|tsx|jsx|go|rs|rb|java|kt|php|c|cc|cpp|h|hpp|cs|swift|scala|ex|lua)$"
)


def project_facts(files: ProjectFiles) -> list[ProjectFact]:
    """Give what the project is, what it runs on, its newest release and where things lie."""
    return [
        *_what(files),
        *_runtimes(files),
        *_releases(files),
        *_layout(files),
        *tool_rules(files),
        *text_rules(files),
        *workflow_notes(files),
    ]


def settings_of(files: ProjectFiles, path: str, key: Key) -> Iterator[Setting]:
    """Give the settings of a file at a key or below it."""
    for one in files.settings:
        if one.path == path and one.key[: len(key)] == key:
            yield one


def setting(files: ProjectFiles, path: str, key: Key) -> Setting | None:
    """Give the setting of a file at a key."""
    return next((one for one in settings_of(files, path, key) if one.key == key), None)


def _what(files: ProjectFiles) -> Iterator[ProjectFact]:
    name, description, source = "", "", ""
    for path, key in _NAMES:
        named = setting(files, path, (*key, "name"))
        said = setting(files, path, (*key, "description"))
        if named is not None and not name:
            name, source = str(named.value), named.source
        if said is not None and said.value and named is not None and named.value == name:
            description, source = str(said.value), said.source
            break
    if not name:
        name, source = _module_name(files)
    if not description or description.startswith(("file:", "attr:")):
        description, said_at = _readme_sentence(files)
        source = said_at or source
    if name or description:
        text = ": ".join(filter(None, (name, " ".join(description.split()))))
        yield ProjectFact(
            topic=Topic.WHAT, text=text, value=text, source=source, key="project.what"
        )


def _module_name(files: ProjectFiles) -> tuple[str, str]:
    for path, text in files.texts:
        match = re.search(r"^module\s+(\S+)", text, re.MULTILINE) if path == "go.mod" else None
        if match:
            name = re.sub(r"/v\d+$", "", match[1]).rsplit("/", 1)[-1]
            return name, f"{path}:{text.count(chr(10), 0, match.start()) + 1}"
    return "", ""


def _readme_sentence(files: ProjectFiles) -> tuple[str, str]:
    """Give the first sentence of the README that says something, and where it stands."""
    for path, text in files.texts:
        if not basename(path).lower().startswith("readme"):
            continue
        paragraphs = _rst_paragraphs(text) if path.endswith(".rst") else _paragraphs(text)
        for line, paragraph in paragraphs:
            sentence = _SENTENCE.split(paragraph)[0].strip()
            if len(sentence.split()) >= 4 and not _ADVERTISEMENT.search(paragraph):
                return sentence[:300], f"{path}:{line}"
    return "", ""


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    tokens = MarkdownIt("commonmark").parse(text)
    quoted = 0
    for before, token in pairwise(tokens):
        quoted += {"blockquote_open": 1, "blockquote_close": -1}.get(before.type, 0)
        if before.type == "paragraph_open" and not quoted and before.level == 0:
            yield (token.map or [0])[0] + 1, " ".join(_plain(token.children or ()).split())


def _plain(children: Iterable[Token]) -> str:
    """Give the words of a paragraph; badges and images have none."""
    parts = []
    for child in children:
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return "".join(parts)


def _rst_paragraphs(text: str) -> Iterator[tuple[int, str]]:
    lines = text.splitlines()
    block: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.strip():
            block.append(line)
            continue
        if block and not any(map(_RST_SKIPPED.match, block)) and not block[0].startswith(" "):
            yield (
                number - len(block),
                _RST_ROLE.sub(lambda m: m[1] or m[2] or m[3], " ".join(block)),
            )
        block = []


def _runtimes(files: ProjectFiles) -> Iterator[ProjectFact]:
    seen: set[str] = set()
    for language, path, key in _REQUIRED:
        found = setting(files, path, key)
        if found is not None and language not in seen and str(found.value).strip():
            seen.add(language)
            yield _supports(language, str(found.value), found.source, reason(found.comment))
    for language, name, pattern in _TEXT_REQUIRED:
        for path, text in files.texts:
            match = (
                re.search(pattern, text, re.MULTILINE) if re.fullmatch(name, path, re.I) else None
            )
            if match and language not in seen:
                seen.add(language)
                line = text.count("\n", 0, match.start(1)) + 1
                yield _supports(language, f">={match[1]}", f"{path}:{line}")
    yield from _developed(files)
    yield from _in_ci(files)


def _supports(language: str, wanted: str, source: str, why: str = "") -> ProjectFact:
    said = range_in_words(wanted)
    least = said.partition(" ")[0]
    value = f"{language} {wanted.strip()}"
    text = f"Needs {value}"
    if said.startswith(f"{least} and newer"):
        value = f"{language} >={said.replace(' and newer', '').replace(', below ', ',<')}"
        text = f"Supports {language} {said}: {value} is required, {least} is the lowest it runs on"
    return ProjectFact(
        topic=Topic.RUNTIME,
        text=text,
        value=value,
        source=source,
        key=f"{language.lower()}.requires",
        why=why,
    )


def range_in_words(wanted: str) -> str:
    """Say a range of versions as one would: `>=3.10,<4` is "3.10 and newer, below 4"."""
    plain = wanted.strip()
    if re.fullmatch(r"v?\d+(?:\.\d+)*", plain):
        return f"{plain.removeprefix('v')} and newer"
    match = re.fullmatch(r"\^\s*(\d+)((?:\.\d+)*)", plain)
    if match and match[1] != "0":
        return f"{match[1]}{match[2]} and newer, below {int(match[1]) + 1}"
    try:
        parts = [
            (one.operator, one.version)
            for one in SpecifierSet(re.sub(r"(\d)\s+(?=[<>=!~])", r"\1,", plain))
        ]
    except InvalidSpecifier:
        return plain
    lower = [version for operator, version in parts if operator == ">="]
    upper = [version for operator, version in parts if operator in ("<", "<=")]
    rest = [f"not {version}" for operator, version in sorted(parts) if operator == "!="]
    if len(lower) != 1 or len(lower) + len(upper) + len(rest) != len(parts):
        return plain
    words = [f"{lower[0]} and newer", *(f"below {version}" for version in upper), *rest]
    return ", ".join(words)


def _developed(files: ProjectFiles) -> Iterator[ProjectFact]:
    for one in files.settings:
        language = _DEVELOPED.get(one.path, "")
        if one.path == ".tool-versions" and one.key:
            language = _TOOL_VERSIONS.get(one.key[0], one.key[0])
        if (one.path, one.key) == ("rust-toolchain.toml", ("toolchain", "channel")):
            language = "Rust"
        if language:
            value = f"{language} {one.value}"
            yield ProjectFact(
                topic=Topic.RUNTIME,
                text=f"Is developed with {value}",
                value=value,
                source=one.source,
                key=f"{language.lower()}.development",
                why=reason(one.comment),
            )
        if (one.path, one.key) == ("package.json", ("packageManager",)):
            name, _, version = str(one.value).partition("+")[0].partition("@")
            yield ProjectFact(
                topic=Topic.TOOL,
                text=f"The package manager is {name} {version}".strip(),
                value=name,
                source=one.source,
                key="package.manager",
            )


def _in_ci(files: ProjectFiles) -> Iterator[ProjectFact]:
    """Say which versions of a language CI runs."""
    found: dict[str, dict[str, str]] = {}
    workflows = [one for one in files.settings if one.path.startswith(".github/workflows/")]
    forms = {  # `go-version: 1.${{ matrix.go }}.x` makes 1.22.x of 22
        match[2]: f"{match[1]}{{}}{match[3]}"
        for one in workflows
        if (match := _CI_FORM.fullmatch(str(one.value)))
    }
    for one in workflows:
        key = next((part for part in reversed(one.key) if part != "[]" and not part.isdigit()), "")
        language = _CI_KEYS.get(key, "")
        values = one.value if isinstance(one.value, tuple) else (str(one.value),)
        form = forms.get(key, "{}")
        if language and ("matrix" in one.key or "with" in one.key or "env" in one.key):
            for value in values:
                if _CI_VERSION.fullmatch(value):
                    version = form.format(value).removesuffix(".x")
                    found.setdefault(language, {}).setdefault(version, one.source)
    for language, versions in found.items():
        if len(versions) > 1:
            named = sorted(versions, key=_natural)
            listed = ", ".join(named[:MOST_NAMED])
            yield ProjectFact(
                topic=Topic.RUNTIME,
                text=f"CI runs {language} {listed}",
                value=f"CI: {language} {listed}",
                source=versions[named[0]],
                key=f"{language.lower()}.ci",
            )


def _natural(text: str) -> list[tuple[int, str]]:
    return [
        (int(part), "") if part.isdigit() else (10**6, part)
        for part in re.findall(r"\d+|\D+", text)
    ]


def parse_version(text: str) -> Version | None:
    """Give a version in the order of versions; None for what is none."""
    try:
        return Version(text)
    except InvalidVersion:
        return None


def _releases(files: ProjectFiles) -> Iterator[ProjectFact]:
    tags = _release_tags(files)
    stated = _stated_version(files)
    noted = _noted_release(files, stated[0] if stated else None)
    released = [one for one in (*tags, *noted) if not one[0].is_prerelease]
    if stated and not stated[0].is_prerelease and not stated[0].local:
        released.append((stated[0], None, stated[1], str(stated[0])))
    if released:
        newest = max(one[0] for one in released)
        same = [one for one in released if one[0] == newest]
        _, at, source, name = next((one for one in same if one[1]), same[0])
        of = f" of {at:%Y-%m-%d}" if at else ""
        yield ProjectFact(
            topic=Topic.RELEASE,
            text=f"The newest release, the latest version, is {name}{of}",
            value=name,
            source=source,
            key="project.release",
            at=at,
        )
        early = [one for one in tags if one[0].is_prerelease and one[0] > newest]
        if early and (not at or (max(early)[1] or at) >= at):
            _, _, source, name = max(early, key=lambda one: one[0])
            yield ProjectFact(
                topic=Topic.RELEASE,
                text=f"The newest pre-release is {name}",
                value=f"pre-release {name}",
                source=source,
                key="project.prerelease",
            )
    if stated and stated[0].is_prerelease:
        yield ProjectFact(
            topic=Topic.RELEASE,
            text=f"The version under way is {stated[2]}",
            value=f"under way {stated[2]}",
            source=stated[1],
            key="project.version",
        )
    final = [one for one in tags if not one[0].is_prerelease]
    if len(final) > 1:
        newest_tag = max(final, key=lambda one: one[0])
        name = newest_tag[2].removeprefix("tag ")
        leading = "with a leading v" if name[:1] in "vV" else ""
        leading = leading or ("without a leading v" if name[:1].isdigit() else "")
        yield ProjectFact(
            topic=Topic.RELEASE,
            text=f"Release tags look like {name}" + (f", {leading}" if leading else ""),
            source=newest_tag[2],
            key="project.tags",
        )
    yield from _version_source(files)
    yield from _noted_in(files)


Release = tuple[Version, datetime | None, str, str]  # version, when, source, as written


def _release_tags(files: ProjectFiles) -> list[Release]:
    """Give the tags that name a release of the whole project, not of one of its parts."""
    found: dict[str, list[Release]] = {}
    for name, at in files.tags:
        match = _TAG.fullmatch(name)
        version = parse_version(match["version"]) if match else None
        if match and version is not None:
            written = match["version"]
            found.setdefault(match["before"], []).append((version, at, f"tag {name}", written))
    plain = [
        one for before, some in found.items() if _RELEASE_WORDS.fullmatch(before) for one in some
    ]
    if plain or not found:
        return plain
    own = str(next((f.value for f in _what(files)), "")).partition(":")[0].lower()
    named = [some for before, some in found.items() if before.strip("-_@/").lower() == own]
    return named[0] if named else []


def _stated_version(files: ProjectFiles) -> tuple[Version, str, str] | None:
    """Give the version that the manifest or its version file states."""
    for path, key in _NAMES:
        one = setting(files, path, (*key, "version"))
        version = parse_version(str(one.value)) if one is not None else None
        if one is not None and version is not None and version.release != (0, 0, 0):
            return version, one.source, str(one.value)
    for path, text in files.texts:
        if path.endswith((".py", ".rb")) or basename(path).lower().startswith("version"):
            match = _OWN_VERSION.search(text) or re.fullmatch(r"\s*v?(\d+\.\d[\w.+-]*)\s*", text)
            version = parse_version(match[1]) if match else None
            if match and version is not None:
                return version, f"{path}:{text.count(chr(10), 0, match.start(1)) + 1}", match[1]
    return None


def _noted_release(files: ProjectFiles, stated: Version | None) -> Iterator[Release]:
    """Give the newest release that a changelog dates, or that the manifest states too."""
    for path, text in files.texts:
        if not _CHANGELOG.fullmatch(path):
            continue
        lines = text.splitlines()
        for number, line in enumerate(lines):
            match = _NOTED.match(line)
            version = parse_version(match[1].rstrip(".")) if match else None
            if match is None or version is None or not _is_heading(lines, number):
                continue
            near = " ".join(lines[number : number + 5])
            at = _date_in(near)
            if not _UNRELEASED.search(near) and (at or version == stated):
                yield version, at, f"{path}:{number + 1}", match[1].rstrip(".")
                break


def _is_heading(lines: list[str], number: int) -> bool:
    line = lines[number]
    below = lines[number + 1].strip() if number + 1 < len(lines) else ""
    underlined = len(below) >= 3 and len(set(below)) == 1 and below[0] in '=-~^*#+"'
    return line.startswith(("#", "**")) or underlined


def _date_in(text: str) -> datetime | None:
    match = _DATE.search(text)
    try:
        if match:
            return datetime(int(match[1]), int(match[2]), int(match[3]), tzinfo=UTC)
        match = _LONG_DATE.search(text)
        if match and (match[1] or match[3]):
            month = _MONTHS.index(match[2]) + 1
            return datetime(int(match[4]), month, int(match[1] or match[3]), tzinfo=UTC)
    except ValueError:
        return None
    return None


def _version_source(files: ProjectFiles) -> Iterator[ProjectFact]:
    path = setting(files, "pyproject.toml", ("tool", "hatch", "version", "path"))
    vcs = setting(files, "pyproject.toml", ("tool", "hatch", "version", "source"))
    if path is not None:
        text, source = f"The version is kept in {path.value}", path.source
    elif vcs is not None and vcs.value == "vcs":
        text, source = "The version comes from the git tags", vcs.source
    elif scm := next(settings_of(files, "pyproject.toml", ("tool", "setuptools_scm")), None):
        text, source = "The version comes from the git tags (setuptools_scm)", scm.source
    else:
        return
    yield ProjectFact(topic=Topic.RELEASE, text=text, source=source, key="version.source")


def _noted_in(files: ProjectFiles) -> Iterator[ProjectFact]:
    """Say where releases are noted, and where a change of one's own is."""
    changelog = next((path for path in files.paths if _CHANGELOG.fullmatch(path)), "")
    fragments = setting(files, "pyproject.toml", ("tool", "towncrier", "directory")) or setting(
        files, "towncrier.toml", ("tool", "towncrier", "directory")
    )
    if fragments is not None:
        folder = str(fragments.value).strip("/")
        text = f"A change is noted as a fragment of its own in {folder} (towncrier)"
        text += f", which becomes {changelog}" if changelog else ""
        yield ProjectFact(
            topic=Topic.RELEASE,
            text=text,
            value=f"fragment in {folder}",
            source=fragments.source,
            key="changelog",
        )
    elif any(path.startswith(".changeset/") for path in files.paths):
        text = "A change is noted as a changeset in .changeset"
        yield ProjectFact(
            topic=Topic.RELEASE, text=text, value="changeset", source=".changeset", key="changelog"
        )
    elif changelog:
        text = f"Releases are noted in {changelog}"
        yield ProjectFact(
            topic=Topic.RELEASE, text=text, value=changelog, source=changelog, key="changelog"
        )


def _layout(files: ProjectFiles) -> Iterator[ProjectFact]:
    tops = Counter(path.partition("/")[0] for path in files.paths if "/" in path)
    source = _source_folders(files, tops)
    parts = [
        ("source", source),
        ("tests", _first(tops, _TESTS) or _tests_within(files)),
        ("documents", _first(_of_text(files), _DOCS)),
        ("examples", _first(tops, _EXAMPLES)),
    ]
    said = [f"{name} in {where}" for name, where in parts if where]
    if len(said) > 1:
        text = ", ".join(said)
        brief = ", ".join(f"{name} {where}" for name, where in parts if where)
        first = next(where for _, where in parts if where).partition(",")[0]
        yield ProjectFact(
            topic=Topic.LAYOUT,
            text=f"{text[0].upper()}{text[1:]}",
            value=f"{brief[0].upper()}{brief[1:]}",
            source=first,
            key="project.layout",
        )
    yield from _workspaces(files)


def _first(tops: Counter[str], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in tops), "")


def _of_text(files: ProjectFiles) -> Counter[str]:
    """Count the texts of each top folder that holds more of them than code: a `doc` may be a package."""
    found: Counter[str] = Counter()
    for path in files.paths:
        top = path.partition("/")[0]
        found[top] += bool(_TEXT.search(path)) - bool(_CODE.search(path))
    return +found


def _tests_within(files: ProjectFiles) -> str:
    """Say where tests lie that have no folder of their own at the top."""
    beside = Counter(match[0] for path in files.paths if (match := _TEST_FILE.search(path)))
    if beside:
        return f"files *{beside.most_common(1)[0][0]} beside it"
    folders = Counter(match[0] for path in files.paths if (match := _TEST_FOLDER.match(path)))
    return folders.most_common(1)[0][0].rstrip("/") if folders else ""


def _source_folders(files: ProjectFiles, tops: Counter[str]) -> str:
    """Give the folders that hold what is released, the packages of Python and Go by name."""
    code = [path for path in files.paths if _CODE.search(path)]
    aside = {*_TESTS, *_DOCS, *_EXAMPLES, "scripts", "tools", "bench", "benchmarks", ".github"}
    packages = sorted(
        {match[0].rstrip("/") for path in code if (match := _PYTHON_SOURCE.match(path))}
    )
    packages = packages or sorted(
        dirname(path)
        for path in code
        if path.endswith("/__init__.py") and path.count("/") == 1 and dirname(path) not in aside
    )
    if packages:
        return _listed(dict.fromkeys(packages))
    if any(path.endswith(".go") and "/" not in path for path in code):
        inner = {path.partition("/")[0] for path in code if path.endswith(".go") and "/" in path}
        return _listed(["the root folder", *sorted(inner - aside)])
    named = [
        name for name in _SOURCES if name in tops and any(p.startswith(f"{name}/") for p in code)
    ]
    if named:
        return _listed(named)
    most = Counter(path.partition("/")[0] for path in code if "/" in path)
    for name in aside:
        del most[name]
    return _listed([name for name, _ in most.most_common(3)])


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _workspaces(files: ProjectFiles) -> Iterator[ProjectFact]:
    places: tuple[tuple[str, Key], ...] = (
        ("package.json", ("workspaces",)),
        ("package.json", ("workspaces", "packages")),
        ("pnpm-workspace.yaml", ("packages",)),
        ("Cargo.toml", ("workspace", "members")),
        ("pyproject.toml", ("tool", "uv", "workspace", "members")),
    )
    for path, key in places:
        one = setting(files, path, key)
        if one is not None and isinstance(one.value, tuple) and one.value:
            yield ProjectFact(
                topic=Topic.LAYOUT,
                text=f"The packages of this workspace lie in {_listed(one.value)}",
                value=f"workspace {_listed(one.value)}",
                source=one.source,
                key="project.workspace",
            )
            return

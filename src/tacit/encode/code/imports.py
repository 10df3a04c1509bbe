"""What a file imports, which file of the project that is, and all of it as one document."""

from __future__ import annotations

import json
import posixpath
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from tacit.encode.code.syntax import as_bytes, language_of, parse, text_of, walk
from tacit.value import Value

TYPE_CHECKING = False  # the parser is loaded when there is something to parse
if TYPE_CHECKING:
    from tree_sitter import Node

MOST_IMPORTS = 500  # of one file
LONGEST_NAME = 300
_SCRIPT_ENDINGS = ("ts", "tsx", "d.ts", "mts", "cts", "js", "jsx", "mjs", "cjs", "json", "vue")
_COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_ROOTS = ("", "src", "lib", "app")
_REQUIRE = {"require", "import"}


class Import(Value):
    """A module a file imports and the names it takes from it."""

    module: str
    names: tuple[str, ...] = ()


def imports(
    text: str | bytes, language: str, counts: Counter[str] | None = None
) -> tuple[str, ...]:
    """Give the modules or paths a file imports, each once, in the order of the text."""
    modules: list[str] = []
    for found in _imports(as_bytes(text), language, counts):
        if found.module.strip("."):
            modules.append(found.module)
        else:  # from . import users: the names are the modules
            modules += [found.module + name for name in found.names] or [found.module]
    return tuple(dict.fromkeys(modules))


def imported_files(
    text: str | bytes,
    language: str,
    path: str,
    known_paths: Collection[str],
    counts: Counter[str] | None = None,
) -> tuple[str, ...]:
    """Give the files of the project a file imports, each once, in the order of the text.

    Here `from package import module` leads to the module, where there is one.
    """
    files: list[str] = []
    for found in _imports(as_bytes(text), language, counts):
        dot = "" if found.module.endswith(".") or language != "python" else "."
        within = [
            resolve(f"{found.module}{dot}{name}", path, known_paths)
            for name in found.names
            if language == "python"
        ]
        whole = resolve(found.module, path, known_paths)
        files += [file for file in within if file] or ([whole] if whole else [])
    return tuple(file for file in dict.fromkeys(files) if file != path)


def resolve(import_: str, importing_path: str, known_paths: Collection[str]) -> str | None:
    """Give the file of the project an import leads to; None for what comes from elsewhere.

    `known_paths` are asked for membership many times: hand in a set. Go imports whole folders
    and is not resolved.
    """
    folder = posixpath.dirname(importing_path)
    candidates: Iterator[str]
    if importing_path.endswith((".py", ".pyi")):
        candidates = _python_candidates(import_, folder, known_paths)
    elif importing_path.endswith(".go"):
        return None
    else:
        candidates = _script_candidates(import_, folder)
    return next((path for path in candidates if path in known_paths), None)


def _imports(source: bytes, language: str, counts: Counter[str] | None) -> list[Import]:
    tree = parse(source, language, counts)
    if tree is None:
        return []
    found: list[Import] = []
    for node in walk(tree.root_node):
        match node.type:
            case "import_statement" if language == "python":
                found += [Import(module=name) for name in _python_names(node, source)]
            case "import_from_statement" | "future_import_statement":
                module = text_of(node.child_by_field_name("module_name"), source)
                if module:
                    names = tuple(_python_names(node, source))
                    found.append(Import(module="".join(module.split()), names=names))
            case "import_statement" | "export_statement" | "import_spec":
                given = node.child_by_field_name("source") or node.child_by_field_name("path")
                found += _quoted(given, source)
            case "call_expression":
                found += _required(node, source)
            case "import_require_clause":  # import x = require("y")
                found += _quoted(node.child_by_field_name("source"), source)
        if len(found) >= MOST_IMPORTS:
            break
    return [one for one in found[:MOST_IMPORTS] if 0 < len(one.module) <= LONGEST_NAME]


def _python_names(node: Node, source: bytes) -> Iterator[str]:
    for name in node.children_by_field_name("name"):
        real = name.child_by_field_name("name") if name.type == "aliased_import" else name
        yield "".join(text_of(real, source).split())


def _required(node: Node, source: bytes) -> list[Import]:
    if text_of(node.child_by_field_name("function"), source) not in _REQUIRE:
        return []
    arguments = node.child_by_field_name("arguments")
    first = arguments.named_child(0) if arguments is not None else None
    return _quoted(first, source)


def _quoted(node: Node | None, source: bytes) -> list[Import]:
    if node is None or "string" not in node.type or node.has_error:
        return []
    text = text_of(node, source)
    return [Import(module=text[1:-1])] if "${" not in text else []


def _python_candidates(module: str, folder: str, known: Collection[str]) -> Iterator[str]:
    dots = len(module) - len(module.lstrip("."))
    parts = [part for part in module[dots:].split(".") if part]
    if dots:
        for _ in range(dots - 1):
            folder = posixpath.dirname(folder)
        yield from _python_files(posixpath.join(folder, *parts))
        return
    for root in _python_roots(folder, known):
        yield from _python_files(posixpath.join(root, *parts))


def _python_roots(folder: str, known: Collection[str]) -> Iterator[str]:
    """Give where absolute modules may begin: the folder above the package, then from the top."""

    def packaged(root: str) -> bool:
        return posixpath.join(root, "__init__.py") in known

    own = folder
    while own and packaged(own):
        own = posixpath.dirname(own)
    yield own
    for above in reversed(list(_above(folder))):
        roots = (posixpath.join(above, name) if name else above for name in _ROOTS)
        yield from (root for root in roots if not packaged(root))


def _python_files(path: str) -> tuple[str, ...]:
    return (f"{path}.py", posixpath.join(path, "__init__.py"), f"{path}.pyi")


def _script_candidates(module: str, folder: str) -> Iterator[str]:
    if module.startswith("."):
        yield from _script_files(posixpath.normpath(posixpath.join(folder, module)))
    elif module.startswith(("@/", "~/")):  # the habit of bundlers for the top of the sources
        for above in _above(folder):
            for name in _ROOTS:
                yield from _script_files(posixpath.join(above, name, module[2:]))


def _script_files(path: str) -> Iterator[str]:
    yield path
    stem, ending = posixpath.splitext(path)
    for other in _COMPILED.get(ending, ()):
        yield stem + other
    for other in _SCRIPT_ENDINGS:
        yield f"{path}.{other}"
    for other in _SCRIPT_ENDINGS:
        yield f"{path}/index.{other}"


def _above(folder: str) -> Iterator[str]:
    """Give a folder and those it lies in, up to the top of the project."""
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


MOST_FILES = 30  # of one importing file
MOST_MODULES = 20


class ImportTable:
    """Path → files and outside modules; filled while files go by on their way elsewhere."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self._uses: dict[str, tuple[list[str], list[str]]] = {}

    def watched(self, files: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
        """Give the files (path, text, blob id) as they come, and note what each imports."""
        for path, text, sha in files:
            self.note(path, text)
            yield path, text, sha

    def note(self, path: str, text: str) -> None:
        """Note what one file imports."""
        language = language_of(path)
        if not language:
            return
        files = imported_files(text, language, path, self._paths)
        self._uses[path] = (list(files[:MOST_FILES]), modules_in(text)[:MOST_MODULES])

    def to_json(self) -> str:
        """Give the document."""
        return json.dumps(self._uses, separators=(",", ":"), sort_keys=True)


IMPORTS = "imports"  # the name of the document that `ImportTable` makes
MOST_LINES = 200
_QUOTES = "'\"`"


def modules_in(text: str) -> list[str]:
    """Give the modules a text imports, as far as its first lines say so plainly."""
    found: dict[str, None] = {}
    for line in text.splitlines()[:MOST_LINES]:
        words = line.strip().rstrip(";").replace("(", " ").replace(")", " ").split()
        name = _module(words)
        if name:
            found[name] = None
    return list(found)


def _module(words: list[str]) -> str:
    """Give the module that a line of code takes from elsewhere; empty where it takes none."""
    if len(words) < 2:
        return ""
    quoted = [word.strip(_QUOTES + ",;") for word in words if word[0] in _QUOTES]
    if words[0] in ("import", "export", "const", "let", "var") and quoted:
        return outermost(quoted[-1]) if {"from", "require", "import"} & set(words) else ""
    if (
        words[0] in ("import", "from", "use")
        and words[1].replace(".", "").replace(":", "").isidentifier()
    ):
        return outermost(words[1])
    return ""


def outermost(module: str) -> str:
    """Give the package a module belongs to; empty for one of the project's own."""
    if module.startswith((".", "/")):
        return ""
    if module.startswith("@"):
        return "/".join(module.split("/")[:2])
    return module.split("/")[0].split(".")[0].split("::")[0]

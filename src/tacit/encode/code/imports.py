"""What a file imports, which file of the project that is, and all of it as one document."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Collection, Iterable, Iterator

from tacit.encode.code.syntax import as_bytes, language_of, parse, text_of, walk
from tacit.value import Value

TYPE_CHECKING = False  # predictions read the document without the parser
if TYPE_CHECKING:
    from tree_sitter import Node

IMPORTS = "imports"  # the name of the document that `ImportTable` makes
MOST_FILES = 30  # of one importing file
MOST_MODULES = 20
MOST_LINES = 200
_SCRIPT_ENDINGS = ("ts", "tsx", "d.ts", "mts", "cts", "js", "jsx", "mjs", "cjs", "json", "vue")
_COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_ROOTS = ("", "src", "lib", "app")
_QUOTES = "'\"`"


class Import(Value):
    """A module a file imports and the names it takes from it."""

    module: str
    names: tuple[str, ...] = ()


def imports_in(text: str | bytes, language: str) -> list[Import]:
    """Give what a file imports, in the order of the text."""
    source = as_bytes(text)
    tree = parse(source, language)
    found: list[Import] = []
    for node in walk(tree.root_node) if tree else ():
        match node.type:
            case "import_statement" if language == "python":
                found += [Import(module=name) for name in _python_names(node, source)]
            case "import_from_statement" | "future_import_statement":
                module = "".join(text_of(node.child_by_field_name("module_name"), source).split())
                found.append(Import(module=module, names=tuple(_python_names(node, source))))
            # The last is import x = require("y").
            case "import_statement" | "export_statement" | "import_spec" | "import_require_clause":
                given = node.child_by_field_name("source") or node.child_by_field_name("path")
                found += _quoted(given, source)
            case "call_expression":
                called = text_of(node.child_by_field_name("function"), source)
                arguments = node.child_by_field_name("arguments")
                if arguments is not None and called in ("require", "import"):
                    found += _quoted(arguments.named_child(0), source)
    return [one for one in found if one.module]


def _python_names(node: Node, source: bytes) -> Iterator[str]:
    for name in node.children_by_field_name("name"):
        real = name.child_by_field_name("name") if name.type == "aliased_import" else name
        yield "".join(text_of(real, source).split())


def _quoted(node: Node | None, source: bytes) -> list[Import]:
    if node is None or "string" not in node.type or node.has_error:
        return []
    text = text_of(node, source)
    return [Import(module=text[1:-1])] if "${" not in text else []


def imported_files(
    text: str | bytes, language: str, path: str, known_paths: Collection[str]
) -> tuple[str, ...]:
    """Give the files of the project a file imports, each once, in the order of the text.

    Here `from package import module` leads to the module, where there is one.
    """
    files: list[str | None] = []
    for found in imports_in(text, language):
        dot = "" if found.module.endswith(".") else "."
        modules = [f"{found.module}{dot}{name}" for name in found.names]  # of Python alone
        within = [file for one in modules if (file := resolve(one, path, known_paths))]
        files += within or [resolve(found.module, path, known_paths)]
    return tuple(file for file in dict.fromkeys(files) if file and file != path)


def resolve(import_: str, importing_path: str, known_paths: Collection[str]) -> str | None:
    """Give the file of the project an import leads to; None for what comes from elsewhere.

    `known_paths` are asked for membership many times: hand in a set. Go imports whole folders
    and is not resolved.
    """
    folder = posixpath.dirname(importing_path)
    candidates: Iterable[str] = ()
    if importing_path.endswith((".py", ".pyi")):
        candidates = _python_candidates(import_, folder, known_paths)
    elif not importing_path.endswith(".go"):
        candidates = _script_candidates(import_, folder)
    return next((path for path in candidates if path in known_paths), None)


def _python_candidates(module: str, folder: str, known: Collection[str]) -> Iterator[str]:
    dots = len(module) - len(module.lstrip("."))
    for _ in range(dots - 1):
        folder = posixpath.dirname(folder)
    parts = [part for part in module[dots:].split(".") if part]
    for root in [folder] if dots else _python_roots(folder, known):
        path = posixpath.join(root, *parts)
        yield from (f"{path}.py", posixpath.join(path, "__init__.py"), f"{path}.pyi")


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


def _script_candidates(module: str, folder: str) -> Iterator[str]:
    if module.startswith("."):
        yield from _script_files(posixpath.normpath(posixpath.join(folder, module)))
    elif module.startswith(("@/", "~/")):  # the habit of bundlers for the top of the sources
        for above in _above(folder):
            for name in _ROOTS:
                yield from _script_files(posixpath.join(above, name, module[2:]))


def _script_files(path: str) -> Iterator[str]:
    stem, ending = posixpath.splitext(path)
    yield path
    yield from (stem + other for other in _COMPILED.get(ending, ()))
    yield from (f"{path}.{other}" for other in _SCRIPT_ENDINGS)
    yield from (f"{path}/index.{other}" for other in _SCRIPT_ENDINGS)


def _above(folder: str) -> Iterator[str]:
    """Give a folder and those it lies in, up to the top of the project."""
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


class ImportTable:
    """Path → files and outside modules; filled while files go by on their way elsewhere."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self._uses: dict[str, tuple[list[str], list[str]]] = {}

    def watched(self, files: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
        """Give the files (path, text, blob id) as they come, and note what each imports."""
        for path, text, sha in files:
            language = language_of(path)
            if language:
                used = imported_files(text, language, path, self._paths)
                self._uses[path] = (list(used[:MOST_FILES]), modules_in(text)[:MOST_MODULES])
            yield path, text, sha

    def to_json(self) -> str:
        """Give the document."""
        return json.dumps(self._uses, separators=(",", ":"), sort_keys=True)


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
    plain = words[1].replace(".", "").replace(":", "").isidentifier()
    return outermost(words[1]) if words[0] in ("import", "from", "use") and plain else ""


def outermost(module: str) -> str:
    """Give the package a module belongs to; empty for one of the project's own."""
    if module.startswith((".", "/")):
        return ""
    if module.startswith("@"):
        return "/".join(module.split("/")[:2])
    return module.split("/")[0].split(".")[0].split("::")[0]

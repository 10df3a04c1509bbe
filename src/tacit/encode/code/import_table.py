"""Which files of a project import which, and what they take from elsewhere, as one document."""

from __future__ import annotations

import json

from tacit.encode.code.imports import imported_files
from tacit.encode.code.parse import language_of
from tacit.encode.code.plain_imports import modules_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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

"""What the open files import: by the document an observation left, else by a look at their text."""

from __future__ import annotations

from tacit import plain_json
from tacit.encode.code.imports import modules_in
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_MODULES = 30


class Uses(Value):
    """Files of the project each file imports, and what is imported from elsewhere."""

    files: dict[str, tuple[str, ...]]
    modules: tuple[str, ...]


def read_imports(document: str | None, opened: Sequence[str], read: Callable[[str], str]) -> Uses:
    """Give what the open files use; a file that was not observed is looked at."""
    try:
        known = plain_json.loads(document) if document else {}
    except ValueError:
        known = {}  # it is made anew when the code is read again
    files: dict[str, tuple[str, ...]] = {}
    modules: dict[str, None] = {}
    for path in opened:
        held = known.get(path) if isinstance(known, dict) else None
        if held is not None:
            files[path] = tuple(held[0])
            modules |= dict.fromkeys(held[1])
        else:
            modules |= dict.fromkeys(modules_in(read(path)))
    return Uses(files=files, modules=tuple(modules)[:MOST_MODULES])

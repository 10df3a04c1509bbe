"""The memory of loki-mode, in and out without loss: a folder of JSON and Markdown files."""

from __future__ import annotations

from tacit.exchange.loki.writing import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.exchange.brought import Brought

__all__ = ["read", "sniff", "write"]


def sniff(path: str) -> bool:
    """Tell whether a path is a loki-mode memory, or a project that has one."""
    from tacit.exchange.loki.place import find

    return find(path) is not None


def read(
    path: str, clean: Callable[[str], str], *, namespace: str | None = None, legacy: bool = False
) -> Brought:
    """Read a memory: `.loki/memory`, a project that has it, or the folder of learnings.

    `clean` takes the secrets out of a text. With a namespace only what is stamped with it, its
    parents and `global` is read; what bears no stamp only with `legacy`.
    """
    from tacit.exchange.loki.reading import read_folder

    return read_folder(path, clean, namespace, legacy=legacy)

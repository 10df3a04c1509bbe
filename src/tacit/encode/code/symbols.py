"""What a file defines: its functions, classes, methods and constants, with their lines."""

from __future__ import annotations

from tacit.encode.code.definitions import FUNCTION, HANDLER, definitions, line_of
from tacit.encode.code.parse import as_bytes, parse
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter

MOST_SYMBOLS = 2_000  # of one file
LONGEST_NAME = 200


class Symbol(Value):
    """A name a file defines; `sort` is function, class, method or constant, lines count from 1."""

    name: str
    sort: str
    line: int
    end_line: int


def symbols(
    text: str | bytes, language: str, counts: Counter[str] | None = None
) -> tuple[Symbol, ...]:
    """Give the definitions of a file in the order of the text; none for what is not parsed.

    What stands within a function is its own affair and left out.
    """
    source = as_bytes(text)
    tree = parse(source, language, counts)
    if tree is None:
        return ()
    found: list[Symbol] = []
    for definition in definitions(tree, source):
        if definition.sort == HANDLER or definition.inside == FUNCTION:
            continue
        if len(definition.name) <= LONGEST_NAME:
            node = definition.outer
            found.append(
                Symbol(
                    name=definition.name,
                    sort=definition.sort,
                    line=line_of(source, node.start_byte),
                    end_line=line_of(source, node.end_byte),
                )
            )
        if len(found) >= MOST_SYMBOLS:
            break
    return tuple(found)

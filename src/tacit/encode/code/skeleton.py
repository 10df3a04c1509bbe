"""The skeleton of a definition: its steps and how they are nested, without names and values.

Definitions of one skeleton are compared with each other, others never are. Steps of the same
form in a row count once, so that five fields and three fields can be of one shape.
"""

from __future__ import annotations

from functools import cache

from tacit.encode.code.parse import MOST_DEPTH
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST = 2_000  # characters; a larger skeleton comes once
_STEPS = {  # besides what is a statement, a clause, a declaration or a definition by its name
    "assignment",
    "augmented_assignment",
    "assignment_expression",
    "yield",
    "jsx_element",
    "jsx_self_closing_element",
    "pair",
    "arrow_function",
    "function_expression",
    "func_literal",
    "property_signature",
    "method_signature",
    "decorator",
    "conditional_expression",
    "ternary_expression",
    "list_comprehension",
    "dictionary_comprehension",
}
_ENDS = ("_statement", "_clause", "_declaration", "_definition")
_UNCOUNTED = {
    "export_statement",
    "decorator",
    "decorated_definition",
    "for_in_clause",
    "if_clause",
}
_COUNTED = {
    "jsx_element",
    "jsx_self_closing_element",
    "pair",
    "property_signature",
    "method_signature",
}


class Skeleton(Value):
    """A form as an s-expression, and how many steps it has."""

    form: str
    steps: int


def skeleton(root: Node) -> Skeleton | None:
    """Give the skeleton of a definition; None for one too deep or too large to be a shape."""
    open_: list[list[str]] = [[]]
    stack: list[tuple[Node | None, str, int]] = [(root, "", 0)]
    steps = 0
    while stack:
        node, closes, depth = stack.pop()
        if node is None:
            form = f"({closes}{''.join(open_.pop())})"
            if len(form) > LONGEST:
                return None
            if open_[-1][-1:] != [form]:
                open_[-1].append(form)
            continue
        if depth > MOST_DEPTH:
            return None
        type_ = node.type
        if _is_step(type_) and not _is_docstring(node):
            steps += _counts(type_)
            open_.append([])
            stack.append((None, type_, depth))
        if node.named_child_count:
            stack += [(child, "", depth + 1) for child in reversed(node.named_children)]
    return Skeleton(form="".join(open_[0]), steps=steps - 1)  # the definition itself is none


@cache
def _is_step(type_: str) -> bool:
    return type_ in _STEPS or type_.endswith(_ENDS)


def _is_docstring(node: Node) -> bool:
    if node.type != "expression_statement" or node.named_child_count != 1:
        return False
    child = node.named_child(0)
    return child is not None and child.type == "string"


@cache
def _counts(type_: str) -> bool:
    return type_ in _COUNTED or (type_.endswith(_ENDS) and type_ not in _UNCOUNTED)

"""What a host sees of a Markdown file: comments are gone, and `@path` names a file to add.

Both are read outside of code alone: what stands in code is shown, not meant. Time grows with
the length of the text, whatever its shape.
"""

from __future__ import annotations

import re

MOST_IMPORTS = 100  # of one file

_FENCE = r"^[ \t]*(?P<mark>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ \t]*(?P=mark)[`~]*[ \t]*$|\Z)"
_SPAN = r"(?<!`)(?P<ticks>`++)[^\n]{0,1000}?(?<!`)(?P=ticks)(?!`)"
_CODE = re.compile(rf"{_FENCE}|{_SPAN}", re.DOTALL | re.MULTILINE)
_CODE_OR_COMMENT = re.compile(rf"{_FENCE}|{_SPAN}|(?P<opens><!--)", re.DOTALL | re.MULTILINE)
_IMPORT = re.compile(r"(?:^|(?<=\s))@([^\s@`\"'<>|*?]{1,300})", re.MULTILINE)


def without_comments(text: str) -> str:
    """Give a text without its HTML comments; one that is not closed stays."""
    if "<!--" not in text:
        return text
    kept, start, place = [], 0, 0
    while (match := _CODE_OR_COMMENT.search(text, place)) is not None:
        place = match.end()
        if not match["opens"]:
            continue
        end = text.find("-->", place)
        if end < 0:
            break
        kept.append(text[start : match.start()])
        start = place = end + len("-->")
    return "".join([*kept, text[start:]])


def imported_paths(text: str) -> list[str]:
    """Give the paths a rule file imports, in order, each once, as written."""
    if "@" not in text:
        return []
    words = (match[1].rstrip(".,;:!)]}") for match in _IMPORT.finditer(_CODE.sub("", text)))
    return list(dict.fromkeys(word for word in words if "." in word))[:MOST_IMPORTS]

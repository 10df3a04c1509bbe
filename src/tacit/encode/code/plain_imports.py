"""What a text imports from elsewhere, by a look at its lines: no grammar, quick enough for a hook."""

from __future__ import annotations

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

"""Small TOML files, such as settings are, read without what `tomllib` costs to load."""

from __future__ import annotations

from tacit.errors import Invalid, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    Number = bool | int | float

TOML_BYTES = 65_536  # a settings file is a page; what is larger is not one


def read_toml(path: str) -> dict[str, object]:
    """Read a small TOML file; `Invalid` when it is not TOML, `Unavailable` when unreadable."""
    try:
        with open(path, "rb") as file:
            data = file.read(TOML_BYTES + 1)
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be read ({error.strerror}); allow it or move it"
        ) from error
    if len(data) > TOML_BYTES:
        raise Invalid(f"{path} is larger than {TOML_BYTES} bytes and cannot be a settings file")
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode()  # the mark some Windows editors write
        plain = read_plain_toml(text)
        if plain is not None:
            return plain
        import tomllib

        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"{path} is not valid TOML: {error}") from error


def read_plain_toml(text: str) -> dict[str, object] | None:
    """Read TOML that is only lines of `key = "text"`, a number, true or false; else None.

    They may stand in tables of one name.

    That is what settings files look like, and `tomllib` brings `typing` and `datetime`: more
    than an interpreter start, in each hook. What is accepted here means the same to `tomllib`.
    """
    found: dict[str, object] = {}
    table = found
    for raw in text.replace("\r\n", "\n").split("\n"):
        line = raw.strip(" \t")
        if not line.isprintable():
            return None
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            name = line[1:-1]
            if not line.endswith("]") or not _is_bare(name) or name in found:
                return None
            found[name] = table = {}
            continue
        key, _, rest = line.partition("=")
        key, value = key.rstrip(" "), _plain_value(rest.strip(" "))
        if not _is_bare(key) or value is None or key in table:
            return None
        table[key] = value
    return found


def _is_bare(key: str) -> bool:
    return key.isascii() and key.replace("_", "a").replace("-", "a").isalnum()


def _plain_value(text: str) -> str | Number | None:
    """Read a quoted text without escapes, a number, true or false; a comment may follow."""
    if text.startswith('"'):
        inner, quote, after = text[1:].partition('"')
        plain = quote and "\\" not in inner and not after.lstrip(" ").partition("#")[0]
        return inner if plain else None
    word = text.partition("#")[0].rstrip(" ")
    if word in ("true", "false"):
        return word == "true"
    whole, point, part = word.partition(".")
    number = word.isascii() and whole.isdigit() and len(word) < 10
    if not number or (whole != "0" and whole[0] == "0"):
        return None
    if point:
        return float(word) if part.isdigit() else None
    return int(word)

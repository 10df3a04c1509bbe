"""Every text of a record made fit to keep: whole characters, no NUL, no secrets.

A secret may be betrayed by the name it stands under, so a text is judged together with its
name. Knows nothing of what the fields mean.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from tacit.codec import Json

LONGEST = 900_000  # characters of one text; what is longer is cut
_LEAST_SECRET = 100_000  # shorter numbers count something


class Scrub:
    """Cleans values with a redactor that is handed in; counts the texts it changed."""

    def __init__(self, clean: Callable[[str], str], counts: Counter[str]) -> None:
        self._clean = clean
        self._counts = counts
        self._names: dict[str, str] = {}  # the same few names stand in every record

    def text(self, text: str) -> str:
        """Give a text as it may be kept."""
        whole = _whole(text)
        return self._counted(whole, self._clean(whole))

    def value(self, value: Json, name: str = "") -> Json:
        """Give a value with all its texts as they may be kept; `name` is what it stands under."""
        if isinstance(value, str):
            return self._under(name, value) if name and value else self.text(value)
        if isinstance(value, list):
            return [self.value(item, name) for item in value]
        if isinstance(value, dict):
            return {self._name(key): self.value(item, key) for key, item in value.items()}
        if isinstance(value, int | float) and abs(value) >= _LEAST_SECRET and name:
            return self._number(name, value)
        return value

    def _under(self, name: str, text: str) -> str:
        whole = _whole(text)
        before = f'{_whole(name)} = "'
        done = self._clean(f'{before}{whole}"')
        if done.startswith(before) and done.endswith('"') and len(done) > len(before):
            return self._counted(whole, done[len(before) : -1])
        return self._counted(whole, self._clean(whole))

    def _number(self, name: str, value: float) -> Json:
        """A number may be a secret too, under the name of one."""
        told = f"{_whole(name)} = {value}"
        done = self._clean(told)
        return value if done == told else self._counted(str(value), done.rpartition(" = ")[2])

    def _name(self, name: str) -> str:
        if name not in self._names:
            self._names[name] = self.text(name)
        return self._names[name]

    def _counted(self, before: str, after: str) -> str:
        self._counts["redacted"] += before != after
        return after


def _whole(text: str) -> str:
    """Give a text that can be kept: half characters and NUL become question marks."""
    return text[:LONGEST].replace("\0", "?").encode(errors="replace").decode()

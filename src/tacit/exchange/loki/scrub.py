"""Every text of a record made fit to keep: whole characters, no NUL, no secrets.

A secret may be betrayed by the name it stands under, so a field is also judged together with
its name. Knows nothing of what the fields mean.
"""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator

    from tacit.codec import Json

# What stands under a secret's name is taken for a secret when it looks like this.
_SAMPLE = "zQ8vL2nR7xW4kT9mB3"
_PLACEHOLDER = re.compile(r"\[REDACTED:[^\]]*\]")
LONGEST = 900_000  # characters of one text; what is longer is cut


class Scrub:
    """Cleans values with a redactor that is handed in; counts what it took out."""

    def __init__(self, clean: Callable[[str], str], counts: Counter[str]) -> None:
        self._clean = clean
        self._counts = counts
        self._telling: dict[str, bool] = {}

    def text(self, text: str) -> str:
        """Give a text as it may be kept."""
        whole = _whole(text[:LONGEST])
        done = self._clean(whole)
        if done != whole:
            self._counts["redacted"] += 1
        return done

    def value(self, value: Json) -> Json:
        """Give a value with all its texts as they may be kept."""
        names: set[str] = set()
        strings = list(_strings(value, names))
        joined = "\n".join(strings)
        fit = max(map(len, strings), default=0) <= LONGEST and _whole(joined) == joined
        if fit and self._clean(joined) == joined and not any(map(self._tells, names)):
            return value  # most records hold no secret, and one look at them is enough
        return self._changed(value, "")

    def _changed(self, value: Json, name: str) -> Json:
        if isinstance(value, str):
            return self._under(name, self.text(value))
        if isinstance(value, list):
            return [self._changed(item, name) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self._changed(item, key) for key, item in value.items()}
        return value

    def _under(self, name: str, text: str) -> str:
        """Judge a text together with the name it stands under."""
        if not name or not text or not self._tells(name):
            return text
        told = f"{name} = {json.dumps(text, ensure_ascii=False)}"
        done = self._clean(told)
        if done == told or _PLACEHOLDER.fullmatch(text):
            return text
        self._counts["redacted"] += 1
        found = _PLACEHOLDER.search(done)
        return found.group() if found else "[REDACTED:secret]"

    def _tells(self, name: str) -> bool:
        if name not in self._telling:
            told = f'{name[:200]} = "{_SAMPLE}"'
            self._telling[name] = self._clean(told) != told
        return self._telling[name]


def _whole(text: str) -> str:
    """Give a text that can be kept: half characters and NUL become question marks."""
    return text.replace("\0", "?").encode(errors="replace").decode()


def _strings(value: Json, names: set[str]) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item, names)
    elif isinstance(value, dict):
        for name, item in value.items():
            names.add(name)
            yield name
            yield from _strings(item, names)

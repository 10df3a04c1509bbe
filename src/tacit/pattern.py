"""Regular expressions that are compiled when they are first used.

Compiling all those a hook might need took it longer than anything else it did, and of most
texts only a few are asked. Flags stand in the expression itself: `(?i)`, `(?m)`, `(?s)`, `(?a)`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    def pattern(source: str) -> re.Pattern[str]:
        """Give an expression to search with."""
        ...

else:

    class pattern:  # noqa: N801  # to its users a function
        """An expression to search with; it becomes its own methods at the first use."""

        def __init__(self, source: str) -> None:
            self.pattern = source

        def __getattr__(self, name: str) -> object:
            import re

            made = re.compile(self.pattern)
            for method in ("search", "match", "fullmatch", "findall", "finditer", "sub", "split"):
                setattr(self, method, getattr(made, method))
            return getattr(made, name)

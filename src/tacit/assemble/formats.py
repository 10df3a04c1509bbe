"""A briefing in the forms that other tools read: the same memories, laid out their way. Pure.

Every form is the same bytes for the same briefing, fences what memory says as data, shows no
memory twice and keeps to the briefing's budget.
"""

from __future__ import annotations

from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.assemble.briefing import Briefing

FORMATS = ("markdown", "ralphy", "auto-claude", "gsd")


def formatted(briefing: Briefing, name: str = "markdown", task: str = "") -> str:
    """Give the briefing in a form; a form may repeat the task."""
    if name == "markdown":
        return briefing.text
    if name == "ralphy":
        from tacit.assemble.format_ralphy import ralphy

        return ralphy(briefing, task)
    if name == "auto-claude":
        from tacit.assemble.format_auto_claude import auto_claude

        return auto_claude(briefing)
    if name == "gsd":
        from tacit.assemble.format_gsd import gsd

        return gsd(briefing, task)
    raise Invalid(f"there is no format {name!r}; there are {', '.join(FORMATS)}")

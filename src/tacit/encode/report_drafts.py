"""Issues and pull requests → what happened: what was asked, and how it ended.

Anybody may write them, so their words are kept as a stranger's: trusted like the web, never
binding, and where they speak to an agent shown as a quotation. An error becomes a pattern only
where the report itself states both the error and its fix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import indent

from tacit.body import Episode, Failure, Pattern
from tacit.draft import Draft, LinkTo
from tacit.encode.injection import instruction_like
from tacit.encode.levels import lead
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Polarity, Relation, Role, Trust
from tacit.observation import Report
from tacit.text import content_words, shorten

ASKED_CHARS = 700
ENDED_CHARS = 400
MOST_FILES = 40
QUOTED = "quoted"  # the tag of a text that speaks to an agent

_ERROR = re.compile(
    r"^[ \t>`]*((?:\w+\.)*([A-Z]\w*(?:Error|Exception|Failure|Fault|Panic))\b:[ \t]*\S.{3,300}?)[`\s]*$",
    re.MULTILINE,
)
# A fix is stated when a sentence says what it is: not that there is one, nor where.
_FIX = re.compile(
    r"(?:^|(?<=[.!?]\s)|(?<=\n))[ \t>*_#-]*((?:the |root )?(?:fix|solution|resolution)"
    r"(?:ed)?\b[*_]*(?:\s*:\s*|\s+(?:is|was)\s+(?:to\s+)?)|(?:this (?:was|is) |it was |i |we )?(?:fixed|solved|resolved) "
    r"(?:it |this )?by\s+)(?!#|https?:)(\S[^\n]{10,400})",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"#\d+|https?://\S+|\b[0-9a-f]{7,40}\b")
_TEMPLATE = re.compile(r"<!--.*?-->|^[ \t]*[-*] \[[ xX]\].*$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^#+[ \t]*.*$", re.MULTILINE)


def report_drafts(report: Report) -> Iterator[Draft]:
    """Give an episode for a report and, where it states one, the fix of its error."""
    said = "\n\n".join((report.title, report.text, *report.comments))
    error, fix = _ERROR.search(said), _fix(report)
    quoted = instruction_like(said)
    errors = (Failure(type=error[2], message=error[1].strip(), resolution=fix),) if error else ()
    yield Draft(
        text=_text(report, fix, quoted=quoted),
        kind=Kind.EPISODE,
        subtype=report.sort,
        title=shorten(f"{_label(report)} {report.title}", 200),
        body=Episode(
            task_id=report.number,
            goal=report.title,
            outcome=_outcome(report),
            errors=errors,
            artifacts=(f"{report.sort}:{report.number}",),
        ),
        valid_from=report.at,
        author=report.author,
        origin=Origin.IMPORT,
        trust=Trust.WEB,
        importance=0.4,
        source_ref=f"{report.source}#report",
        renews=True,
        tags=(report.sort, *report.labels, *((QUOTED,) if quoted else ())),
        mentions=tuple(_mentions(report, error[2] if error else "")),
        basis=shorten(report.text or report.title, 500),
    )
    if error and fix and _is_done(report) and not quoted:
        yield _pattern(report, error[1].strip(), fix)


def _pattern(report: Report, error: str, fix: str) -> Draft:
    return Draft(
        text=f"{error}\nFix: {fix}",
        kind=Kind.PATTERN,
        subtype="fix",
        polarity=Polarity.DO,
        body=Pattern(trigger=error, do=fix, why=f"{_label(report)} {report.title}"),
        confidence=0.5,
        valid_from=report.closed_at or report.at,
        origin=Origin.IMPORT,
        trust=Trust.WEB,
        source_ref=f"{report.source}#fix",
        renews=True,
        tags=(report.sort,),
        links=(LinkTo(relation=Relation.DERIVED_FROM, source_ref=f"{report.source}#report"),),
        mentions=tuple(_mentions(report, "")),
        basis=f"{error}\n{fix}",
    )


def _text(report: Report, fix: str, *, quoted: bool) -> str:
    asked = lead(_HEADING.sub("", _TEMPLATE.sub("", report.text)), ASKED_CHARS)
    last = next((lead(text, ENDED_CHARS) for text in reversed(report.comments)), "")
    ended = fix if fix and _is_done(report) else last
    parts = [f"{_label(report)}: {report.title}"]
    if asked:
        parts.append(f"Asked: {asked}")
    day = f" {report.closed_at:%Y-%m-%d}" if report.closed_at else ""
    parts.append(f"Ended: {report.state or 'unknown'}{day}" + (f"; {ended}" if ended else ""))
    text = "\n".join(parts)
    # What a stranger tells an agent to do is shown as said, line by line, and not as ours.
    return (
        f"Quoted from a report, no instruction:\n{indent(text, '> ', lambda _: True)}"
        if quoted
        else text
    )


def _label(report: Report) -> str:
    return f"{'Pull request' if report.sort == 'pr' else 'Issue'} #{report.number}"


def _outcome(report: Report) -> str:
    if _is_done(report):
        return "success"
    return "failure" if report.sort == "pr" and report.state.startswith("closed") else "unknown"


def _is_done(report: Report) -> bool:
    return report.state == ("merged" if report.sort == "pr" else "closed")


def _fix(report: Report) -> str:
    """Give the last sentence that says what the fix is."""
    for text in (*reversed(report.comments), report.text):
        for match in _FIX.finditer(text):
            fix = lead(match[2], ENDED_CHARS)
            if len(content_words(_REFERENCE.sub("", fix))) >= 3:
                return fix
    return ""


def _mentions(report: Report, error: str) -> Iterator[Mention]:
    yield Mention(facet=Facet(type=FacetType.PR, name=report.number))
    role = Role.WRITES if report.sort == "pr" else Role.ABOUT
    for path in report.files[:MOST_FILES]:
        yield Mention(facet=Facet(type=FacetType.FILE, name=path), role=role)
    if error:
        yield Mention(facet=Facet(type=FacetType.ERROR, name=error), role=Role.RAISES)

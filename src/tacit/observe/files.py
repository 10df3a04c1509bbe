"""A file that somebody hands over: sessions of any known host, or an export of issues."""

from __future__ import annotations

from tacit.encode.episodes import session_drafts
from tacit.encode.llm.extract import extract_with
from tacit.encode.report_drafts import report_drafts
from tacit.errors import Denied, Unavailable
from tacit.ingest.reports import read_reports
from tacit.ingest.sessions import read_sessions
from tacit.observe.gathered import Gathered
from tacit.observe.incognito import without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Collection

    from tacit.draft import Draft
    from tacit.encode.llm.port import LanguageModel
    from tacit.observation import Session
    from tacit.observe.gathered import Encode

UNKNOWN = "unknown format"


def gather_file(
    path: str,
    counts: Counter[str],
    model: LanguageModel | None = None,
    incognito: Collection[str] = (),
    encode: Encode = session_drafts,
) -> Gathered:
    """Encode what a file holds by rule; a language model, where one is given, adds candidates."""
    sessions = list(without(read_sessions(path, counts), incognito, counts))
    if not sessions and counts[UNKNOWN]:
        return _reports(path, counts)
    drafts = [given for session in sessions for given in encode(session)]
    if model is not None:
        drafts += [given for session in sessions for given in _asked(model, session, counts)]
    return Gathered(source="sessions", drafts=tuple(drafts), seen=len(sessions))


def _reports(path: str, counts: Counter[str]) -> Gathered:
    tried: Counter[str] = type(counts)()
    reports = list(read_reports(path, tried))
    if reports:
        del counts[UNKNOWN]
        counts.update(tried)
    drafts = tuple(given for report in reports for given in report_drafts(report))
    return Gathered(source="reports", drafts=drafts, seen=len(reports), stated=True)


def _asked(model: LanguageModel, session: Session, counts: Counter[str]) -> tuple[Draft, ...]:
    """Ask about one session; the rules' drafts stand whether it answers or not."""
    text = "\n".join(
        f"{e.what}: {e.text or e.target}" for e in session.events if e.text or e.target
    )
    try:
        found = extract_with(model, text, source=session.source, session=session.id)
    except (Denied, Unavailable) as failed:
        counts[f"not asked of the language model: {failed.code}"] += 1
        return ()
    for reason, number in found.dropped.items():
        counts[f"said by the language model, dropped: {reason}"] += number
    return found.drafts

"""The gate: what machines propose to keep is kept only when it is worth it and not known yet.

Refused are Tacit's own words coming back, passing states, claims their evidence does not
bear, what a rule file says already and what a memory says already. A person's own writing does not pass
here; what a person said in a session, as read by a rule, does. Nothing is refused silently:
each refusal has a reason, and the reasons are counted.
"""

from __future__ import annotations

import re

from tacit.body import Episode, Pattern
from tacit.encode.injection import harmful, instruction_like
from tacit.fence import CITATION, NAME, without_fenced, without_marks
from tacit.model import Kind, Origin, State, Tier, Trust
from tacit.store.protocol import EVERYTHING, Filter
from tacit.text import query_terms
from tacit.value import Value
from tacit.write.clean import text_of
from tacit.write.cover import coverage, missing_hard, told
from tacit.write.erased import mark
from tacit.write.novelty import Known, nothing_new
from tacit.write.transient import is_transient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.draft import Draft
    from tacit.encode.embedding import Nearness
    from tacit.store.protocol import Reader

LONGEST_WEIGHED = 800  # characters; a longer text is an account with much that is new
SUPPORTED = 0.55  # share of a claim's words that its evidence must hold
QUOTED = 0.9  # share of a claim's words that words which cite a memory hold
CANDIDATES = 12
# What waits is known too, and what a person put away does not come back from elsewhere.
_WEIGHED = (State.ACTIVE, State.CANDIDATE, State.FORGOTTEN)
_PLACEHOLDER = re.compile(
    r"\{\w+\}|\[(?:name|user|project|value|insert\b[^\]]*|placeholder)\]|"
    r"<(?:name|user|value|your\b[^>]*|[a-z]+(?: [a-z]+){2,})>|"
    r"^\W*(?:example|e\.g\.|for instance|sample)\s*[:,]|\blorem ipsum\b|\bTBD\b|\bN/A\b",
    re.I,
)
_SHOWN = re.compile(r"\bfew[- ]shot\b|\bexamples?:\s|\bexample (?:input|output)\b", re.I)
_APPLIED = re.compile(r"(?i)\bapplied:?\s*(?:\[[MGR]:\w+\][,;\s]*)+")  # what was used, not said


class Refusal(Value):
    """Why something is not kept: the class of junk, and the words that show it."""

    text: str
    reason: str  # empty, injected, transient, no evidence, in a rule file, known, rejected, erased
    detail: str = ""


class Gate:
    """Judges drafts against the rules of a project and what a store holds."""

    def __init__(
        self,
        store: Reader,
        rules: Sequence[str],
        now: datetime,
        near: Nearness | None = None,
        erased: frozenset[str] = frozenset(),
    ) -> None:
        self._store = store
        self._now = now
        self._rules = [Known(text=rule, told=told(rule)) for rule in rules if rule.strip()]
        self._near = near
        self._erased = erased
        self._passed: list[tuple[Known, str]] = []  # of this batch, with their sources

    def sift(
        self, drafts: Sequence[Draft], *, stated: bool = False
    ) -> tuple[list[Draft], list[Refusal]]:
        """Give what may be kept, in order, and what may not, with reasons.

        What a source states by itself, a commit or a manifest, is no claim to be weighed.
        """
        kept: list[Draft] = []
        refused: list[Refusal] = []
        rejected = self._rejected(drafts)
        for given in drafts:
            if given.key and (given.source_ref, text_of(given)) in rejected:
                refused.append(
                    Refusal(text=given.text, reason="rejected", detail="a person put it away")
                )
                continue
            judged = self._judge(given, stated)
            if isinstance(judged, Refusal):
                refused.append(judged)
            else:
                kept.append(judged)
        return kept, refused

    def _rejected(self, drafts: Sequence[Draft]) -> set[tuple[str, str]]:
        """Give what a person put away of what these sources said before."""
        sources = tuple({given.source_ref for given in drafts if given.key and given.source_ref})
        where = EVERYTHING.replace(states=(State.FORGOTTEN,), sources=sources)
        found = self._store.scan(where) if sources else ()
        return {(memory.source_ref, memory.text) for memory in found}

    def _judge(self, given: Draft, stated: bool) -> Draft | Refusal:
        """Give the draft as it may be kept, or why it may not."""
        if given.origin is Origin.HUMAN:
            return given
        if self._erased and mark(given.source_ref) in self._erased:
            return Refusal(text=given.text, reason="erased", detail="a person erased it")
        if _is_document(given):
            return _tamed(given)
        weighed = not stated and _is_claim(given)
        reason = _own_words(given)
        if not reason and weighed:
            reason = (
                _placeholder(given)
                or self._passing(given)
                or _unsupported(given)
                or self._in_rules(given)
                or self._known(given)
            )
        if reason:
            return Refusal(text=given.text, reason=reason[0], detail=reason[1])
        if weighed and not isinstance(given.body, Episode):  # it repeats what was said in it
            self._passed.append((Known(text=given.text, told=told(given.text)), given.source_ref))
        return _tamed(given)

    def _passing(self, given: Draft) -> tuple[str, str] | None:
        """Tell whether it speaks of a moment.

        An error with its fix does not, it may come again; nor does what was decided.
        """
        fixed = isinstance(given.body, Pattern) and given.body.do and given.body.avoid
        if fixed or given.subtype == "decision":
            return None
        vector = self._near.vector(given.text) if self._near else None
        model = self._near.model if self._near else ""
        person = given.trust is Trust.HUMAN
        if is_transient(given.text, vector, model, person=person):
            return "transient", "it speaks of a moment"
        return None

    def _in_rules(self, given: Draft) -> tuple[str, str] | None:
        """Tell whether the rule files say it already."""
        found = nothing_new(given.text, self._rules, self._near)
        return ("in a rule file", found) if found else None

    def _known(self, given: Draft) -> tuple[str, str] | None:
        """Tell whether a memory, or something that just passed, says it already."""
        scopes = (given.scope,) if given.scope else ()
        where = Filter(at=self._now, current=True, states=_WEIGHED, scopes=scopes)
        ids = [
            match.id
            for match in self._store.match_text(query_terms(given.text), where, limit=CANDIDATES)
        ]
        known = [
            Known(text=memory.text, told=told(memory.text))
            for memory in self._store.get(ids)
            if memory.source_ref != given.source_ref
            and memory.kind not in (Kind.EPISODE, Kind.RESOURCE)
        ]
        known += [one for one, source in self._passed if source != given.source_ref]
        found = nothing_new(given.text, known, self._near)
        return ("known", found) if found else None


def _is_document(given: Draft) -> bool:
    """Documents and blocks are read as a whole; they claim nothing."""
    kind = Kind(given.body.kind) if given.body is not None else given.kind
    return kind in (Kind.RESOURCE, Kind.BLOCK)


def _is_claim(given: Draft) -> bool:
    """A claim is a short statement; an account of work with its steps is none."""
    body = given.body
    if given.origin is Origin.IMPORT and given.trust in (Trust.HUMAN, Trust.REPOSITORY):
        return False  # a document of the project: its people stand behind it
    if given.key or (isinstance(body, Episode) and (body.actions or body.commit)):
        return False
    return len(given.text) <= LONGEST_WEIGHED


def _own_words(given: Draft) -> tuple[str, str] | None:
    if f"<{NAME}" in given.text or f"</{NAME}" in given.text:
        return "injected", "between Tacit's marks"
    heard = without_fenced(given.basis)
    if heard != given.basis and coverage(told(given.text), told(heard)) < SUPPORTED:
        return "injected", "its evidence stands between Tacit's marks"
    # An account of work may cite what helped; a statement that cites repeats what it was told.
    if isinstance(given.body, Episode) or given.kind is Kind.EPISODE:
        return None
    if CITATION.search(given.text):
        return "injected", "it cites a memory"
    heard = _APPLIED.sub("", heard)
    said = without_marks(heard)
    if said != heard and coverage(told(given.text), told(said)) >= QUOTED:
        return "injected", "its evidence cites a memory"
    return None


def _placeholder(given: Draft) -> tuple[str, str] | None:
    found = _PLACEHOLDER.search(given.text)
    return ("no evidence", f"placeholder {found[0]!r}") if found else None


def _unsupported(given: Draft) -> tuple[str, str] | None:
    """Tell whether a claim goes beyond the words it was made from."""
    if given.origin is Origin.IMPORT:
        return None  # a document is its own evidence
    if not given.source_ref:
        return "no evidence", "it has no source"
    if not given.basis:
        return "no evidence", "no words bear it"
    if _SHOWN.search(given.basis):
        return "no evidence", "its evidence is an example"
    claim, source = told(given.text), told(given.basis)
    share = coverage(claim, source)
    if share < SUPPORTED:
        return "no evidence", f"its evidence holds {share:.0%} of its words"
    missing = missing_hard(claim, source, given.basis, whole=False)
    if missing & claim.numbers or len(missing) > 0.34 * len(claim.hard):
        return "no evidence", f"its evidence lacks {', '.join(sorted(missing)[:3])}"
    return None


def _tamed(given: Draft) -> Draft:
    """Quote and mark what gives orders without the right to; it waits for a person."""
    if given.trust not in (Trust.REPOSITORY, Trust.TOOL, Trust.WEB):
        return given
    # The people of a project may speak to agents in its files, but not ask for harm; what they
    # tell of their product, that `verify=False` works again, asks for nothing.
    asks = given.trust is Trust.REPOSITORY and given.subtype in ("rule", "command")
    suspect = harmful if asks else instruction_like
    if given.trust is not Trust.REPOSITORY:
        given = given.replace(tier=Tier.REFERENCE, pinned=False)
    text = text_of(given)
    orders = [name for name in ("title", "summary", "hint") if suspect(getattr(given, name))]
    if not orders and not suspect(text):
        return given
    return given.replace(
        tier=Tier.REFERENCE,
        pinned=False,
        text=_quoted(text),
        state=State.CANDIDATE,
        tags=tuple(dict.fromkeys((*given.tags, "instruction-like"))),
        **dict.fromkeys(orders, ""),  # made anew, from the quotation
    )


def _quoted(text: str) -> str:
    """Put a text in quotation marks, unless it is one quotation already."""
    whole = text.startswith("“") and text.endswith("”") and text.count("”") == 1
    return text if whole else f"“{text}”"

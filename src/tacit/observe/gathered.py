"""What reading a source gave, and what became of it."""

from __future__ import annotations

from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.draft import Draft
    from tacit.observation import Commit

    # How a session becomes drafts; a history that knows what was committed may come with it.
    Encode = Callable[..., list[Draft]]


class Gathered(Value):
    """What one source gave: drafts, how far it was read, and what it no longer holds."""

    source: str
    drafts: tuple[Draft, ...] = ()
    seen: int = 0  # commits, files, sessions that were looked at
    outcome: str = ""  # of one session that hooks have seen
    cited: tuple[str, ...] = ()  # by it, as short names
    mark: str = ""  # JSON; where to go on the next time
    gone: tuple[str, ...] = ()  # sources that are no longer there
    whole: tuple[str, ...] = ()  # sources whose parts are all among the drafts
    stated: bool = False  # the source itself bears it: it was counted or read, nobody claimed it
    rules: tuple[str, ...] = ()  # statements of rule files, for the gate
    commits: tuple[Commit, ...] = ()  # whose files are to be counted
    anew: bool = False  # the commits are the whole history, not what came since
    documents: tuple[tuple[str, str], ...] = ()  # name, JSON; kept for the project as they are


class SourceReport(Value):
    """What became of one source."""

    source: str
    seen: int = 0
    drafts: int = 0
    new: int = 0
    renewed: int = 0
    refused: int = 0
    ended: int = 0
    seconds: float = 0.0


class Report(Value):
    """What an observation found, kept and left out, and why."""

    sources: tuple[SourceReport, ...]
    kinds: dict[str, int]  # of what is new, by kind and subtype
    refused: dict[str, int]  # by reason
    redacted: dict[str, int]
    left_out: dict[str, int]  # what readers could not use, by name
    unverified: int = 0
    candidates: int = 0
    dry_run: bool = False

    def joined(self, later: Report) -> Report:
        """Give one report of this observation and one that followed it."""

        def added(one: dict[str, int], two: dict[str, int]) -> dict[str, int]:
            return {name: one.get(name, 0) + two.get(name, 0) for name in {**one, **two}}

        return self.replace(
            sources=(*self.sources, *later.sources),
            kinds=added(self.kinds, later.kinds),
            refused=added(self.refused, later.refused),
            redacted=added(self.redacted, later.redacted),
            left_out=added(self.left_out, later.left_out),
            unverified=later.unverified,
            candidates=self.candidates + later.candidates,
        )

    @property
    def new(self) -> int:
        """How many memories are new."""
        return sum(source.new for source in self.sources)

    @property
    def changed(self) -> bool:
        """Whether anything in the store is other than before."""
        return any(s.new or s.renewed or s.ended for s in self.sources)

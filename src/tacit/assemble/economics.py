"""What memory costs in tokens, and what it saves, against three things one could do instead.

To look (an index, hints, titles) costs scan tokens, to read costs read tokens. One could also
have loaded the whole store; or the full text of everything that was shown; or had no memory and
learnt again what was used. The first baseline grows with the store whatever memory does, so it
never stands alone. Works on records of queries; knows nothing of how they came about.
"""

from __future__ import annotations

from collections import Counter

from tacit.assemble.thresholds import Action, actions
from tacit.model import UsageEvent
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tacit.model import Memory
    from tacit.record import Chosen, QueryRecord

USED = (UsageEvent.CITED, UsageEvent.HELPED, UsageEvent.EXPANDED, UsageEvent.NEEDED)
PAID = (UsageEvent.CITED, UsageEvent.HELPED)  # a memory spared learning it once more
READ_LEVELS = ("full", "summary")
NO_INDEX = ("timeline", "topics", "expand")  # kinds of queries that show no index
BYPASS = "bypass"  # the kind of those that went without memory
TARGET_RATIO = 0.1  # below it, looking is cheap
TARGET_SAVINGS = 0.6  # above it, showing little first pays


class Breakdown(Value):
    """Where the tokens went, by view: how often each was loaded and what it cost."""

    index_loads: int = 0
    index_tokens: int = 0
    timeline_loads: int = 0
    timeline_tokens: int = 0
    timeline_available: int = 0  # what the same entries would cost in full
    full_loads: int = 0
    full_tokens: int = 0


class Baseline(Value):
    """Something one could have done instead, and what that would have cost."""

    name: str
    tokens: int
    saved: int  # below 0 where memory cost more

    @property
    def share(self) -> float | None:
        """The part of the baseline that was saved; None where it costs nothing itself."""
        return self.saved / self.tokens if self.tokens else None


class Economics(Value):
    """The token account of one session, or of several."""

    session: str
    queries: int
    scan_tokens: int
    read_tokens: int
    breakdown: Breakdown
    full_load: Baseline  # the whole store, once a session
    top_k: Baseline  # all that was shown, in full
    no_memory: Baseline  # what was used, learnt again
    shown: int  # memories
    used: int
    metrics: dict[str, float | None]  # what the thresholds look at
    actions: tuple[Action, ...]
    bypass: bool  # whether sessions like this may as well go without memory
    bypassed: dict[str, int]  # prompts that did go without, by their type of task

    @property
    def spent(self) -> int:
        """All tokens that memory took."""
        return self.scan_tokens + self.read_tokens

    @property
    def ratio(self) -> float | None:
        """Looking over reading; None where nothing was read."""
        return self.scan_tokens / self.read_tokens if self.read_tokens else None


class Return(Value):
    """What one memory cost and saved."""

    memory: Memory
    learn_tokens: int  # what it cost to find out; 0 where that is not known
    read_tokens: int  # what it cost to show it, all times together
    shown: int
    used: int  # times it was cited or helped

    @property
    def saved(self) -> int:
        """What it would have cost to learn it each time it was used, less what showing it cost."""
        return self.learn_tokens * self.used - self.read_tokens

    @property
    def share(self) -> float | None:
        """The part of that cost that was saved; None where there was none."""
        avoided = self.learn_tokens * self.used
        return self.saved / avoided if avoided else None


def measure(
    records: Sequence[QueryRecord],
    *,
    store_tokens: int,
    memories: Mapping[str, Memory],
    used: Iterable[str],
    session: str = "",
) -> Economics:
    """Add up the records; `used` names the memories that were of use in them."""
    bypassed = Counter(record.task_type for record in records if record.kind == BYPASS)
    records = [record for record in records if record.kind != BYPASS]
    scan = sum(record.scan_tokens for record in records)
    read = sum(record.read_tokens for record in records)
    chosen = [one for record in records for one in record.selected]
    shown = {one.memory for one in chosen}
    used = set(used) & shown
    sessions = len({record.session for record in records})
    top_k = sum(record.full_tokens or _in_full(record.selected, memories) for record in records)
    relearn = sum(memories[id_].learn_tokens for id_ in used if id_ in memories)
    full_load = _baseline("full load", store_tokens * sessions, scan + read)
    metrics = _metrics(records, scan, read, full_load)
    found = actions(metrics) if records else ()
    return Economics(
        session=session,
        queries=len(records),
        scan_tokens=scan,
        read_tokens=read,
        breakdown=_breakdown(records, memories),
        full_load=full_load,
        top_k=_baseline("top k in full", top_k, scan + read),
        no_memory=_baseline("no memory", relearn, scan + read),
        shown=len(shown),
        used=len(used),
        metrics=metrics,
        actions=found,
        bypass=any(one.metric == "tokens_saved" for one in found) or bool(shown and not used),
        bypassed=dict(bypassed),
    )


def returns(
    records: Iterable[QueryRecord],
    memories: Mapping[str, Memory],
    tally: Mapping[str, Mapping[UsageEvent, tuple[int, object]]],
) -> list[Return]:
    """Give what each memory that was shown cost and saved, the best first."""
    times: dict[str, int] = {}
    tokens: dict[str, int] = {}
    for one in (one for record in records for one in record.selected):
        times[one.memory] = times.get(one.memory, 0) + 1
        tokens[one.memory] = tokens.get(one.memory, 0) + one.tokens
    found = [
        Return(
            memory=memory,
            learn_tokens=memory.learn_tokens,
            read_tokens=tokens[id_],
            shown=times[id_],
            used=sum(tally.get(id_, {}).get(event, (0, None))[0] for event in PAID),
        )
        for id_, memory in memories.items()
        if id_ in times
    ]
    return sorted(found, key=lambda one: (-one.saved, -one.used, one.memory.id))


def layers(record: QueryRecord) -> tuple[int, int, int]:
    """Split what a query cost: index, timeline entries, full texts. They add up to the whole."""
    entries = sum(
        one.tokens
        for one in record.selected
        if one.level not in READ_LEVELS and one.band != "index"
    )
    timeline = record.scan_tokens if record.kind in NO_INDEX else min(entries, record.scan_tokens)
    return record.scan_tokens - timeline, timeline, record.read_tokens


def tasks(records: Sequence[QueryRecord]) -> list[list[QueryRecord]]:
    """Split a session's records where a person asked for something new."""
    groups: dict[str, list[list[QueryRecord]]] = {}
    for record in sorted(records, key=lambda one: (one.at, one.id)):
        mine = groups.setdefault(record.session, [[]])
        if record.kind == "prompt" and mine[-1]:
            mine.append([])
        mine[-1].append(record)
    return [group for mine in groups.values() for group in mine]


def _metrics(
    records: Sequence[QueryRecord], scan: int, read: int, full_load: Baseline
) -> dict[str, float | None]:
    grouped = tasks(records)
    return {
        "ratio": scan / read if read else None,
        "savings": full_load.share,
        "full_loads": max((sum(r.read_tokens > 0 for r in task) for task in grouped), default=0),
        "scan_tokens": max((sum(r.scan_tokens for r in task) for task in grouped), default=0),
        "timeline_tokens": max((layers(record)[1] for record in records), default=0),
        "tokens_saved": full_load.saved,
        "scanned": scan,
    }


def _breakdown(records: Sequence[QueryRecord], memories: Mapping[str, Memory]) -> Breakdown:
    split = [layers(record) for record in records]
    entries = [
        one
        for record in records
        for one in record.selected
        if one.level not in READ_LEVELS and one.band != "index"
    ]

    def load(place: int) -> int:
        return sum(parts[place] > 0 for parts in split)

    return Breakdown(
        index_loads=load(0),
        index_tokens=sum(parts[0] for parts in split),
        timeline_loads=load(1),
        timeline_tokens=sum(parts[1] for parts in split),
        timeline_available=_in_full(entries, memories),
        full_loads=load(2),
        full_tokens=sum(parts[2] for parts in split),
    )


def _in_full(chosen: Iterable[Chosen], memories: Mapping[str, Memory]) -> int:
    """Add up what memories cost in full; of one that is gone, what was shown is known."""
    return sum(
        memories[one.memory].levels.tokens[0] if one.memory in memories else one.tokens
        for one in chosen
    )


def _baseline(name: str, tokens: int, spent: int) -> Baseline:
    return Baseline(name=name, tokens=tokens, saved=tokens - spent)

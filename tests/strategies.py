"""Arbitrary domain values for hypothesis: any memory that may exist, in any script."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from builders import an_id, short_for
from tacit.body import (
    OUTCOMES,
    Action,
    Block,
    Episode,
    Fact,
    Failure,
    Fix,
    Pattern,
    Resource,
    Skill,
    Step,
)
from tacit.model import (
    TITLE_CHARS,
    Anchor,
    Facet,
    FacetType,
    Levels,
    Link,
    Memory,
    Mention,
    Origin,
    Polarity,
    Relation,
    Revision,
    Role,
    Scope,
    State,
    Temporal,
    Tier,
    Trust,
    Usage,
    UsageEvent,
    Validity,
    Visibility,
)

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

# One phrase in each script people write in, with what tends to break: marks, emoji, direction.
PHRASES = (
    "The session lives in Redis.",
    "Größe der Straße prüfen",
    "Sitzungen über café führen",
    "сессии живут в памяти",
    "οι συνεδρίες ζουν στη μνήμη ΟΔΟΣ",
    "الجلسات في الذاكرة",
    "ההפעלות בזיכרון",
    "セッションはメモリにあります",
    "会话保存在内存中",
    "세션은 메모리에 있습니다",
    "เซสชันอยู่ในหน่วยความจำ",
    "सत्र स्मृति में रहता है",
    "👩‍💻 deploys 🚀 at 🇩🇪 noon",
    "e\u0301 and é, \u202eright to left\u202c, zero\u200bwidth",
    "a\ttab, a\r\nline and a \\ \"quote\" 'here' % _ ; --",
    "\U0002b740 \U00030000 \U0001f9ff",
)

_characters = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
_texts = st.text(_characters, max_size=40) | st.sampled_from(PHRASES)
_long = st.builds(lambda text, times: text * times, st.sampled_from(PHRASES), st.integers(1, 2000))
_full = (_texts | _long).filter(str.strip)
_names = st.text(_characters, min_size=1, max_size=12).filter(str.strip)
_lists = st.lists(_texts, max_size=3).map(tuple)
_counts = st.integers(0, 2**31 - 1)
_shares = st.floats(0, 1)
_zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))

times = st.datetimes(
    min_value=datetime(1900, 1, 1),
    max_value=datetime(2200, 1, 1),
    timezones=st.just(UTC) | _zones,
)
later = st.timedeltas(min_value=timedelta(microseconds=1), max_value=timedelta(days=4000))

actions = st.builds(
    Action,
    t=st.floats(0, 1e9),
    action=_texts,
    target=_texts,
    result=_texts,
    error=_texts,
    extra=st.lists(st.tuples(_texts, _texts), max_size=2).map(tuple),
)
episodes = st.builds(
    Episode,
    task_id=_texts,
    goal=_texts,
    phase=_texts,
    constraints=_lists,
    actions=st.lists(actions, max_size=3).map(tuple),
    outcome=st.sampled_from(OUTCOMES),
    errors=st.lists(
        st.builds(Failure, type=_texts, message=_texts, resolution=_texts), max_size=2
    ).map(tuple),
    artifacts=_lists,
    commit=_texts,
    duration_s=st.none() | st.floats(0, 1e9),
)
facts = st.builds(
    Fact,
    key=_names,
    value=_texts,
    qualifier=_texts,
    why=_texts,
    rejected=_lists,
    tradeoffs=_lists,
    breaking=_texts,
) | st.builds(Fact, why=_texts)
patterns = st.builds(
    Pattern,
    trigger=_texts,
    conditions=_lists,
    do=_texts,
    avoid=_texts,
    why=_texts,
    template=_texts,
    ast=_texts,
)
skills = st.builds(
    lambda runs, share, **fields: Skill(runs=runs, ok=int(runs * share), **fields),
    runs=st.integers(0, 10**6),
    share=_shares,
    trigger=_texts,
    prerequisites=_lists,
    steps=st.lists(st.builds(Step, name=_texts, command=_texts), max_size=3).map(tuple),
    errors=st.lists(st.builds(Fix, error=_texts, fix=_texts), max_size=2).map(tuple),
    exit=_lists,
)
resources = st.builds(
    Resource,
    uri=_texts,
    mime=_texts,
    chunk=st.none() | _counts,
    of=st.none() | _counts,
)
blocks = st.builds(Block, label=_texts, limit=_counts, read_only=st.booleans(), owner=_texts)
bodies = st.one_of(facts, episodes, patterns, skills, resources, blocks)

levels = st.builds(
    Levels,
    full=_full,
    summary=_texts,
    hint=_texts,
    title=_texts.map(lambda text: text[:TITLE_CHARS]),
    tokens=st.tuples(_counts, _counts, _counts, _counts),
)
_scope_names = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Z"), exclude_characters="/:\0"),
    min_size=1,
    max_size=10,
).filter(lambda name: name == name.strip())
scopes = st.builds(
    lambda names: Scope(
        path="/".join(
            f"{type_}:{name}"
            for type_, name in zip(("team", "project", "agent", "session"), names, strict=False)
        )
    ),
    st.lists(_scope_names, min_size=1, max_size=4),
)


@st.composite
def validities(draw: DrawFn) -> Validity:
    """Any interval in the world, open or closed."""
    start = draw(times)
    length = draw(st.none() | later)
    return Validity(valid_from=start, valid_to=None if length is None else start + length)


@st.composite
def mentions(draw: DrawFn) -> tuple[Mention, ...]:
    """Mentions as a store gives them back: names in normal form, each once, in its order."""
    drawn = draw(
        st.lists(
            st.builds(
                Mention,
                facet=st.builds(Facet, type=st.sampled_from(FacetType), name=_facet_names),
                role=st.sampled_from(Role),
                count=st.integers(1, 10**6),
            ),
            max_size=6,
            unique_by=_mention_place,
        )
    )
    return tuple(sorted(drawn, key=_mention_place))


def _mention_place(mention: Mention) -> tuple[str, str, str]:
    return mention.facet.type.value, mention.facet.norm, mention.role.value


_facet_names = (_names | st.sampled_from(PHRASES)).map(
    lambda name: " ".join(name.casefold().split())
)
_facet_names = _facet_names.filter(
    lambda name: name and Facet(type=FacetType.TAG, name=name).norm == name
)


anchors = st.lists(st.builds(Anchor, path=_texts, sha=_texts), max_size=3).map(tuple)


@st.composite
def memories(draw: DrawFn, ids: SearchStrategy[str] | None = None) -> Memory:
    """Any memory; its short follows from its id."""
    id_ = draw(ids if ids is not None else st.integers(1, 10**9).map(an_id))
    recorded_at = draw(times)
    held = draw(st.none() | later)
    tier, trust = draw(st.sampled_from(Tier)), draw(st.sampled_from(Trust))
    needs_person = tier is not Tier.REFERENCE and trust in (Trust.TOOL, Trust.WEB)
    return Memory(
        id=id_,
        short=short_for(id_),
        body=draw(bodies),
        levels=draw(levels),
        hash=draw(_texts),
        scope=draw(scopes),
        validity=draw(validities()),
        recorded_at=recorded_at,
        retired_at=None if held is None else recorded_at + held,
        subtype=draw(_texts),
        polarity=draw(st.sampled_from(Polarity)),
        rev=draw(st.integers(1, 10**6)),
        tier=tier,
        pinned=draw(st.booleans()),
        confirmed_by=draw(_names if needs_person else _texts),
        state=draw(st.sampled_from(State)),
        confidence=draw(_shares),
        importance=draw(_shares),
        temporal=draw(st.sampled_from(Temporal)),
        visibility=draw(st.sampled_from(Visibility)),
        author=draw(_texts),
        session=draw(_texts),
        origin=draw(st.sampled_from(Origin)),
        trust=trust,
        source_ref=draw(_texts),
        learn_tokens=draw(_counts),
        mentions=draw(mentions()),
        anchors=draw(anchors),
        unverified=draw(st.booleans()),
        evidence=draw(st.booleans()),
    )


@st.composite
def links(draw: DrawFn) -> Link:
    """Any link between two different memories."""
    src, dst = draw(st.lists(st.integers(1, 99), min_size=2, max_size=2, unique=True))
    start, length = draw(times), draw(st.none() | later)
    return Link(
        src=an_id(src),
        dst=an_id(dst),
        relation=draw(st.sampled_from(Relation)),
        weight=draw(_shares),
        origin=draw(st.sampled_from(Origin)),
        valid_from=start,
        valid_to=None if length is None else start + length,
    )


revisions = st.builds(Revision, memory=memories(), at=times, by=_texts, op=_texts)
usages = st.builds(
    Usage,
    query_id=_texts,
    memory_id=st.integers(1, 99).map(an_id),
    event=st.sampled_from(UsageEvent),
    at=times,
    note=_texts,
)

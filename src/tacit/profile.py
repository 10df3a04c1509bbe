"""Every number retrieval depends on, in one named and versioned value.

Nothing else in the code holds a weight, a half-life or a cut, so that comparing, learning
and rolling back all act on one object. `DEFAULT` holds what measured best over all
development sets at once (docs/benchmarks.md); `SEED` holds the numbers of the design
documents Tacit grew from, for comparison; `STATIC` a fixed mix by kind; `LEARNED` weights
fitted to development data. A `Strategy` is what
a type of task changes in any of them, and how its briefing is shared out.
"""

from __future__ import annotations

from tacit.errors import Invalid, NotFound
from tacit.value import Value

# The structural choices, 243 together; what is usual is the default of each field.
CHOICES: dict[str, tuple[str, ...] | tuple[int, ...]] = {
    "granularity": ("action", "session", "hierarchical"),
    "layers": (2, 3, 4),
    "retrieval": ("vector", "hybrid", "graph"),
    "retention": ("time", "usage", "importance"),
    "compression": (5, 10, 20),
}
MOST_NEAR_MISS = 0.2  # of a score: what is passed over is never silenced


class Profile(Value):
    """Weights, half-lives, cuts and sizes of one way to retrieve."""

    name: str
    version: int = 1

    # How many candidates each channel gives, at least, and how many times the limit.
    pool: int = 100
    overfetch: int = 4
    most_terms: int = 64

    # Relevance: the shares of the text and vector channels (where one is missing the other
    # takes both), then what the graph adds: the share of the query's facets that a memory
    # mentions, a file that is open now, and a link to one of the best hits.
    text: float = 0.5
    vector: float = 0.5
    facets: float = 0.15
    signal: float = 0.5
    linked: float = 0.05

    # What a neighbour in the `follows` chain lends, one and two steps away, and the length
    # in terms above which a text lends less: long answers are about many things.
    lend_near: float = 0.5
    lend_far: float = 0.25
    lend_vector: float = 0.3
    lend_terms: int = 64

    # Who said it: the person the query names; any person, where it does not ask the agent.
    author: float = 0.15
    human: float = 0.3

    # How fresh and how proven it is, and how fast memories age. Freshness speaks only where
    # something is being done; a question may well be about long ago.
    recency: float = 0.15
    unverified: float = 0.1
    used: float = 0.1
    half_life_days: float = 7.0
    mandate_half_life_days: float = 30.0

    # Factors on the score.
    mandate: float = 1.0
    guardrail: float = 1.0
    kinds: tuple[tuple[str, float], ...] = ()
    avoid: float | None = None  # of what warns, in the place of its kind's
    evidence: float = 0.75  # of what is only found and cited: what is known goes before it

    # A briefing: how fast the worth of a hit falls with its rank, and how much of it a shorter
    # level keeps (the share of its telling words, to this power).
    brief_rank: float = 1.5
    brief_level: float = 1.0
    brief_level_start: float = 0.4  # at the start of a session

    # Diversity: what being about the same files as a better hit costs.
    diversity: float = 0.2

    # Asked what is so now, a later statement that tells of a change passes an older one of its
    # author when its score is at least this share of the other's (above 1 none ever does) and
    # both hold so many of the question's words.
    renewed: float = 0.6
    renewed_words: int = 2

    # The cut is on absolute relevance: cosine plus a part of the share of the query's words
    # that are covered. Below the first two nothing at all is given, to a question and to
    # other text; a single hit below the third is left out.
    cut_words: float = 0.3
    cut_words_alone: float = 1.5  # where there are no vectors
    cut_question: float = 0.38
    cut_other: float = 0.2
    cut_hit: float = 0.1
    named_alone: bool = True  # whether sharing a name is enough where nothing else is relevant
    # A long text names many things by chance, and no memory covers much of it: below the first
    # nothing is found for it, below the second it is not briefed about; below the third no
    # question is.
    cut_document: float = 0.0
    cut_document_briefed: float = 0.4
    cut_question_briefed: float = 0.45
    # The same where nobody asked: below the first nothing is handed over, and no single hit
    # below the second. Few are handed over then, and somebody waits: fewer are looked at.
    cut_unasked: float = 0.45
    cut_unasked_hit: float = 0.35
    pool_unasked: int = 40

    # What learning may add; 0 leaves the ranking as it is. How much of a query's words a text
    # holds and how near it is to it, as such and not beside the best; how many files it is about;
    # and how much of its score a memory may lose by being passed over where others were used
    # (never more than a fifth).
    covered: float = 0.0
    cosine: float = 0.0
    files: float = 0.0
    near_miss: float = 0.0

    # Structure: how a session is cut into episodes, how many levels of detail the views use,
    # which channels are asked, what decides that a memory is put away, and to what part of a
    # long text a summary shortens it.
    granularity: str = "session"
    layers: int = 4
    retrieval: str = "graph"
    retention: str = "importance"
    compression: int = 10

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                allowed = ", ".join(map(str, choices))
                raise Invalid(
                    f"profile {self.name!r}: {name} is {getattr(self, name)!r}; use one of {allowed}"
                )
        if not 0.0 <= self.near_miss <= MOST_NEAR_MISS:
            raise Invalid(f"profile {self.name!r}: near_miss is not between 0 and {MOST_NEAR_MISS}")
        if self.text + self.vector <= 0:
            raise Invalid(f"profile {self.name!r} gives neither words nor vectors any weight")
        if min(self.half_life_days, self.mandate_half_life_days) <= 0:
            raise Invalid(f"profile {self.name!r} has a half-life that is not above 0")
        if min(self.pool, self.pool_unasked) < 1 or self.overfetch < 1 or self.most_terms < 1:
            raise Invalid(f"profile {self.name!r} must ask for at least one candidate and term")

    @property
    def ref(self) -> str:
        """The name and version as people write them."""
        return f"{self.name}@{self.version}"

    def kind_factor(self, kind: str) -> float:
        """Give the factor of a kind; 1 where none is set, never below .1."""
        return max(0.1, dict(self.kinds).get(kind, 1.0))


DEFAULT = Profile(name="default")

SEED = Profile(
    name="seed",
    text=0.18,
    vector=0.42,
    facets=0.0,
    signal=0.0,
    linked=0.0,
    lend_near=0.0,
    lend_far=0.0,
    lend_vector=0.0,
    author=0.0,
    human=0.0,
    recency=0.2,
    used=0.2,
    mandate=2.0,
    guardrail=1.5,
    evidence=1.0,
    diversity=0.0,
    renewed=2.0,
    cut_question=0.2,
)

STATIC = SEED.replace(
    name="static",
    mandate=1.0,
    guardrail=1.0,
    kinds=(("fact", 1.0), ("pattern", 1.0), ("episode", 0.6), ("skill", 0.4)),
)

# Learnt by tools/rank/train.py from development data whose licence allows that, starting from the
# default; where it is better and where it is not is told in docs/benchmarks.md.
LEARNED = DEFAULT.replace(
    name="learned",
    text=0.4264,
    vector=0.4766,
    facets=0.1937,
    signal=0.5066,
    linked=0.053,
    author=0.1591,
    human=0.3182,
    recency=0.1542,
    used=0.1061,
    unverified=0.1061,
)

DEFAULT_TASK = "implementation"  # what a task is taken for when nobody knows
FLOOR = 0.1  # no kind is ever silenced


class Strategy(Value):
    """What a type of task wants: which kinds, warnings how much, and how a briefing is shared out.

    Factors are scaled so that the largest is 1. `avoid` is that of patterns that warn, in the
    place of their kind's; warnings that bind are asked for apart, whatever the task.
    """

    task_type: str
    activity: str
    kinds: tuple[tuple[str, float], ...]
    avoid: float
    bands: tuple[tuple[str, int], ...]  # per thousand of the budget; they add up to 1000


def _strategy(
    task_type: str, activity: str, weights: tuple[float, ...], shares: tuple[int, ...]
) -> Strategy:
    """Scale the weights of episodes, facts and patterns, skills, and warnings."""
    largest = max(weights)
    episode, fact, skill, avoid = (round(max(FLOOR, weight / largest), 4) for weight in weights)
    return Strategy(
        task_type=task_type,
        activity=activity,
        kinds=(
            ("episode", episode),
            ("fact", fact),
            ("pattern", fact),
            ("resource", fact),
            ("skill", skill),
        ),
        avoid=avoid,
        bands=tuple(zip(BANDS, shares, strict=True)),
    )


BANDS = ("critical", "relevant", "background", "index")
EVEN = (250, 375, 250, 125)  # per thousand; where no activity is known

STRATEGIES = {
    one.task_type: one
    for one in (
        _strategy("exploration", "exploration", (0.6, 0.3, 0.1, 0.0), (150, 350, 300, 200)),
        _strategy("implementation", "feature", (0.15, 0.5, 0.35, 0.0), EVEN),
        _strategy("debugging", "debugging", (0.4, 0.2, 0.0, 0.4), (375, 312, 188, 125)),
        _strategy("review", "review", (0.3, 0.5, 0.0, 0.2), (300, 400, 175, 125)),
        _strategy("refactoring", "refactoring", (0.25, 0.45, 0.3, 0.0), (200, 450, 225, 125)),
    )
}
TASK_TYPES = tuple(STRATEGIES)


def strategy(name: str) -> Strategy:
    """Give the strategy of a task type, or of the activity it belongs to."""
    for one in STRATEGIES.values():
        if name in (one.task_type, one.activity):
            return one
    raise NotFound(f"there is no task type {name!r}; there are {', '.join(STRATEGIES)}")


def tuned(profile: Profile, strategy: Strategy, strength: float = 1.0) -> Profile:
    """Give a profile with the kind factors of a strategy, under both names.

    A strength below 1 draws the factors towards 1, 0 leaves no difference between kinds: what
    is not surely known should not weigh much.
    """
    if not 0.0 <= strength <= 1.0:
        raise Invalid(f"strength {strength} is not between 0 and 1")

    def drawn(factor: float) -> float:
        return round(1.0 - strength * (1.0 - factor), 4)

    return profile.replace(
        name=f"{profile.name}+{strategy.task_type}",
        kinds=tuple((kind, drawn(factor)) for kind, factor in strategy.kinds),
        avoid=drawn(strategy.avoid),
    )


_TUNED = tuple(tuned(DEFAULT, one).replace(name=one.task_type) for one in STRATEGIES.values())


def _leaning(name: str, fact: float, episode: float, skill: float) -> Profile:
    """Weigh the kinds in the ratio given; the largest counts whole."""
    largest = max(fact, episode, skill)
    weights = (("fact", fact), ("pattern", fact), ("episode", episode), ("skill", skill))
    return DEFAULT.replace(
        name=name, kinds=tuple((kind, round(weight / largest, 4)) for kind, weight in weights)
    )


_LEANING = (
    _leaning("semantic-heavy", 0.7, 0.2, 0.1),
    _leaning("episodic-heavy", 0.2, 0.7, 0.1),
    _leaning("balanced", 0.34, 0.33, 0.33),
)
PROFILES = {
    profile.name: profile for profile in (DEFAULT, SEED, STATIC, LEARNED, *_TUNED, *_LEANING)
}


def named(name: str) -> Profile:
    """Give a built-in profile by name."""
    if name not in PROFILES:
        raise NotFound(f"there is no profile {name!r}; there are {', '.join(PROFILES)}")
    return PROFILES[name]

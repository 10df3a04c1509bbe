"""Evolution by way of the facade: the log is asked again, profiles are bred, the champion adopted."""

from __future__ import annotations

from time import perf_counter

from tacit.errors import Conflict, Invalid
from tacit.system.profiles import Profiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tacit.learn.again import Again
    from tacit.learn.evolve import Evolution, Plan
    from tacit.learn.genome import Choice
    from tacit.learn.profiles import Adopted
    from tacit.learn.replay import Case, Replayed
    from tacit.profile import Profile

MOST_QUERIES = 20_000  # of the log, the latest
MOST_GENERATIONS = 1_000
NAME = "evolved"


class Evolving(Profiles):
    """What finds better profiles by what was asked and used."""

    @staticmethod
    def profile_space() -> tuple[tuple[Choice, ...], ...]:
        """Give every way to combine the structural choices of a profile: 243."""
        from tacit.learn.genome import space

        return tuple(space())

    def replay(self, profile: str | Profile | None = None) -> Replayed:
        """Ask again what was asked, under a profile, each question as of its own moment.

        Counted is what was later cited, what helped and what was needed. Without a profile it is
        the one in use.
        """
        from tacit.learn.profiles import find
        from tacit.learn.replay import replay

        found = find(self.store, profile) if isinstance(profile, str) else profile or self.profile
        cases, again = self._past(self.clock.now())
        return replay(cases, lambda case: again.answer(found, case), profile=found.ref)

    def evolve(
        self,
        *,
        generations: int = 8,
        population: int = 12,
        seed: int = 1,
        seconds: float | None = None,
        afresh: bool = False,
        progress: Callable[[Evolution], None] = lambda _state: None,
    ) -> Evolution:
        """Breed profiles from the one in use until so many generations have lived.

        Each generation is kept: what was stopped, or is to live longer, goes on where it was,
        unless `afresh`, another seed or population, or another profile in use. Afterwards the
        champion is held against the profile in use on sessions that played no part. `Conflict`
        where too few sessions have an outcome.
        """
        from tacit.learn.evolve import Plan, Trials, advance, crown, prove, split
        from tacit.learn.evolved import keep
        from tacit.learn.genome import profile_of

        if not 1 <= generations <= MOST_GENERATIONS:
            raise Invalid(f"{generations} generations are not between 1 and {MOST_GENERATIONS}")
        self._require("consolidate")
        plan, base = Plan(seed=seed, population=population), self.profile
        state = self._begun(plan, afresh=afresh)
        cases, again = self._past(state.until)
        training, validation = split(cases, seed)
        trials = Trials(lambda genome, case: again.answer(profile_of(genome, base), case))
        before, started = state, perf_counter()

        def paid(given: Evolution) -> Evolution:
            return given.replace(
                asked=before.asked + trials.asked,
                tokens=before.tokens + trials.tokens,
                seconds=before.seconds + perf_counter() - started,
            )

        while state.generation < generations:
            if seconds is not None and state.generation and perf_counter() - started >= seconds:
                break
            state = paid(advance(state, training, trials))
            keep(self.store, state)
            progress(state)
        state = paid(prove(crown(state, training, trials), validation, trials))
        keep(self.store, state)
        return state

    def evolution(self) -> Evolution | None:
        """Give where the last evolution stands, or that there was none."""
        from tacit.learn.evolved import kept

        return kept(self.store)

    def champion(self) -> Profile:
        """Give the profile of the champion, whether or not it has proved itself."""
        from tacit.learn.genome import profile_of
        from tacit.learn.profiles import find

        state = self.evolution()
        if state is None or state.champion is None:
            raise Conflict("there is no champion yet; run: tacit evolve run")
        return profile_of(state.champion.genome, find(self.store, state.base), NAME)

    def adopt_champion(self, *, by: str = "") -> Adopted:
        """Keep the champion as the next version of the profile `evolved` and take it into use.

        `Conflict` where it has not proved itself on sessions that played no part in finding it.
        """
        from tacit.learn.profiles import keep

        self._require("set")
        profile, state = self.champion(), self.evolution()
        assert state is not None, "a champion has an evolution"
        if state.verdict is None:
            raise Conflict("evolution found nothing better than the profile in use; it stays")
        gain = state.verdict.worth
        told = f"{gain.mean:+.3f}, {gain.share:.1%} sure from {gain.low:+.3f} to {gain.high:+.3f}"
        if not state.verdict.won:
            raise Conflict(f"the champion did not prove itself ({told}); the profile in use stays")
        if state.base != self.profile.ref:
            raise Conflict(
                f"it was bred from {state.base}, and {self.profile.ref} is in use by now; "
                "run: tacit evolve run"
            )
        with self.store.transaction():
            kept = keep(self.store, profile)
            why = f"worth {told}, over {gain.cases} questions of {gain.sessions} sessions"
            return self.adopt_profile(kept.ref, why=why, by=by)

    def _begun(self, plan: Plan, *, afresh: bool) -> Evolution:
        """Give the evolution that goes on, or a new one."""
        from tacit.learn.evolve import begin
        from tacit.learn.genome import genome_of

        state, base = self.evolution(), self.profile.ref
        if state is not None and not afresh and (state.plan, state.base) == (plan, base):
            return state
        return begin(plan, genome_of(self.profile), base=base, until=self.clock.now())

    def _past(self, until: datetime) -> tuple[list[Case], Again]:
        """Give the questions up to a moment whose outcome is known, and who answers them again."""
        from tacit.learn.again import Again
        from tacit.learn.replay import cases_of

        usage = [one for store in self._stores() for one in store.usage() if one.at <= until]
        queries = [one for one in self.store.queries(limit=MOST_QUERIES) if one.at <= until]
        again = Again(self._reader(), usage, embedder=self.embedder, filters=self._seen({}))
        return again.answerable(cases_of(queries, usage)), again

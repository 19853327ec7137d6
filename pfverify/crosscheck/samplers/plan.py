"""What a sampler is tested on: chosen from the exact laws before a draw is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pfverify.crosscheck.samplers.claim import MISSED, EventClaim, least_number, worst_event
from pfverify.crosscheck.samplers.leaks import LeakPair, halves, leaks_of
from pfverify.crosscheck.samplers.pairing import claimed_delta, pairs_of, told, upward
from pfverify.crosscheck.samplers.parts import Chance, Draws, Event, Parts, parts_of
from pfverify.crosscheck.samplers.reading import Key
from pfverify.crosscheck.samplers.result import (
    SamplerFindings,
    SamplerResult,
    SecretDraws,
    TestedClaim,
    TestedEvent,
    TestedLeak,
)
from pfverify.decide.targets import target_of
from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.binomial import rarely_at_least, rarely_at_most
from pfverify.exact.decimals import decimal_text
from pfverify.exact.published import Exact, Extended
from pfverify.exact.refined import Between
from pfverify.exact.written import written
from pfverify.laws.kinds import law_of
from pfverify.laws.law import Law
from pfverify.model.notion import EVENTS
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem

SAMPLER, RELEASE = "sampler", "release"
KINDS = (SAMPLER, RELEASE)
"""The kinds of question about draws: their law alone, or the claim (epsilon, delta) too."""
SIGNATURE = "sampler(x, n, seed=..., scale=...)"
"""How a sampler is called."""
LEVEL = Fraction(1, 10**6)
_DIGITS = 12
_BITS = 128
_ASSUMED = (
    "the draws of a secret are independent of each other, and of those of every other secret",
    "the events were chosen from the exact law before a draw was seen; whoever draws again until "
    "something is refuted needs a smaller level",
    "a draw is taken as the float64 nearest to it, and the exact law as that of outputs rounded so",
    "a fault that is smaller than what would have been seen, or in other events, stays unseen",
)


_HALVES = (
    "events about digits were chosen on one half of the draws (of 400,000 of a secret at most), in "
    "random order, and tested on the other half"
)
_NO_DIGITS = "events about the digits of outputs were not tested"


@dataclass(frozen=True)
class _Tested:
    """The events that the draws of one secret are tested on, with their exact chances."""

    law: Law[Any]
    parts: Parts
    events: list[tuple[Event, Chance]]


@dataclass(frozen=True)
class SamplerPlan:
    """The tests of one question, before any draw is looked at.

    `level`: of all of them together; `kind`: of the question; `draws`: how many there are of each
    secret; `left_out`: of which pairs no events about digits are tested, if so. The law, the claims
    and the digits have equal shares of the level, where there are any.
    """

    kind: str
    level: Fraction
    draws: dict[Key, int]
    tested: dict[Key, _Tested]
    claims: list[EventClaim]
    pairs: list[LeakPair]
    left_out: str | None

    @property
    def tests(self) -> int:
        """How many one-sided tests there are; what is no output has no chance, and needs none."""
        return 2 * (self._events + len(self.claims) + self._leaks)

    @property
    def event_level(self) -> Fraction:
        """The level of each one-sided test of an event."""
        return self._share / (2 * max(self._events, 1))  # a law of one sure output has none

    @property
    def claim_level(self) -> Fraction:
        """The level of each of the two bounds that a claim is held to."""
        return self._share / (2 * len(self.claims))

    @property
    def leak_level(self) -> Fraction:
        """The level of each of the two bounds of an event about digits."""
        return self._share / (2 * self._leaks)

    @property
    def _share(self) -> Fraction:
        return self.level / (1 + bool(self.claims) + bool(self.pairs))

    @property
    def _events(self) -> int:
        return sum(len(one.events) for one in self.tested.values())

    @property
    def _leaks(self) -> int:
        return sum(pair.tests for pair in self.pairs)

    def held(self, draws: Mapping[Key, Draws]) -> tuple[list[TestedEvent], list[TestedClaim]]:
        """Hold draws against every event and every claim.

        Raises InputError for draws that cannot be read.
        """
        events = []
        for key, one in self.tested.items():
            counts, n = one.parts.counts(draws[key]), len(draws[key])
            none = one.parts.impossible, (Fraction(0), Fraction(0))
            for event, chance in [none, *one.events]:
                count = sum(counts[k] for k in event)
                events.append(
                    TestedEvent(
                        *key, one.parts.words(event), written(Between(*chance), _DIGITS), n, count,
                        refuted(n, count, chance, self.event_level),
                    )
                )  # fmt: skip
        return events, [self._held(claim, draws) for claim in self.claims]

    def _held(self, claim: EventClaim, draws: Mapping[Key, Draws]) -> TestedClaim:
        keys = claim.first, claim.second
        counts = [claim.parts.counts(draws[key]) for key in keys]
        first, second = (sum(found[k] for k in claim.event) for found in counts)
        drawn = len(draws[claim.first]), len(draws[claim.second])
        low, high = claim.delta(drawn, (first, second), self.claim_level)
        return TestedClaim(
            claim.first[0], claim.first[1], claim.second[1], claim.parts.words(claim.event),
            written(Between(*claimed_delta(claim.target)), _DIGITS),
            drawn[0], first, drawn[1], second,
            written(Between(*map(_positive, (low, high))), _DIGITS),
            written(Between(*map(_positive, claim.exact())), _DIGITS),
            upward(claim.seen(min(drawn), self.claim_level)), claim.broken_by(low),
        )  # fmt: skip

    def leaks(self, draws: Mapping[Key, Draws], seed: int | None) -> list[TestedLeak]:
        """Choose events about digits on one half of the draws, and test them on the other."""
        split = {key: halves(found, seed) for key, found in draws.items()} if self.pairs else {}
        return [
            told(leak) for pair in self.pairs for leak in leaks_of(pair, split, self.leak_level)
        ]

    def enough(self, excess: Fraction) -> int | None:
        """Return how many draws of each secret would show an excess; None where none is found."""
        if not self.claims:
            return least_number(lambda draws: self._shift(draws) <= excess)
        found = [claim.enough(excess, self.claim_level) for claim in self.claims]
        return None if None in found else max(number for number in found if number is not None)

    def _shift(self, draws: int) -> Fraction:
        """Return how far the chance of an event may be off unseen, by Hoeffding's inequality.

        It is t + s where P(K >= n (p + t)) is at most the level, and P(K < n (p + t)) at most
        `MISSED` where the chance is p + t + s.

        Source: Hoeffding, "Probability inequalities for sums of bounded random variables", 1963.
        """
        with precision(_BITS):
            both = sum((_root(level, draws) for level in (self.event_level, MISSED)), raw(0))
            return min(Fraction(1), Fraction(float(both.upper())) * (1 + Fraction(1, 2**40)))

    def _shift_seen(self) -> Extended:
        return upward(self._shift(min(self.draws.values())))

    def result(
        self,
        draws: Mapping[Key, Draws],
        function: str,
        *,
        called: bool,
        seed: int | None,
        excess: Fraction | None = None,
    ) -> SamplerResult:
        """Return what the draws say. `called`: whether `function` is one, and no file.

        Raises InputError for draws that cannot be read.
        """
        events, claims = self.held(draws)
        leaks = self.leaks(draws, seed)
        failed = (
            any(one.refuted for one in events) or any(one.refuted for one in claims)
            or any(one.refuted for one in leaks)
        )  # fmt: skip
        return SamplerResult(
            function=function,
            kind=self.kind,
            signature=SIGNATURE if called else None,
            found=SamplerFindings.REFUTED if failed else SamplerFindings.NOT_REFUTED,
            level=Exact(decimal_text(self.level)),
            tests=self.tests,
            seed=seed,
            draws=[SecretDraws(*key, number) for key, number in self.draws.items()],
            events=events,
            claims=claims,
            leaks=leaks,
            seen=max(one.seen for one in claims) if claims else self._shift_seen(),
            excess=None if excess is None else Exact(decimal_text(excess)),
            enough=None if excess is None else self.enough(excess),
            assumed=[
                *_ASSUMED, *([_HALVES] if self.pairs else []),
                *([] if self.left_out is None else [f"{_NO_DIGITS} {self.left_out}"]),
            ],
        )


def planned(
    problem: Problem, kind: str, draws: Mapping[Key, int], level: Fraction = LEVEL
) -> SamplerPlan:
    """Return the tests of a problem, for so many draws of each secret that is compared.

    Raises InputError for a kind that is none, a level, noise without a scale, a law whose draws
    cannot be tested, and claims that are not about events.
    Example: ``planned(problem, "sampler", dict.fromkeys(priors_of(problem), 1000)).tests``.
    """
    if kind not in KINDS:
        raise InputError(f"kind: {shorten(kind)!r} is unknown, expected {' or '.join(KINDS)}")
    if not 0 < level <= Fraction(1, 2):
        raise InputError(f"level: {shorten(level)} is no number above 0 and at most 1/2")
    tested = {}
    for key, law in _laws(problem).items():
        parts = parts_of([law], draws[key])
        chances = parts.chances(law)
        chosen = [(event, chances.of(event)) for event in parts.events(chances)]
        tested[key] = _Tested(law, parts, chosen)
    claims = _claims(problem, tested, min(draws.values())) if kind == RELEASE else []
    numeric = all(one.parts.numeric for one in tested.values())
    pairs, left_out = pairs_of(problem, priors_of(problem), numeric, claimed=kind == RELEASE)
    return SamplerPlan(kind, level, dict(draws), tested, claims, pairs, left_out)


def priors_of(problem: Problem) -> dict[Key, Prior]:
    """Return the laws of X under the secrets that are compared, by belief and secret.

    They are those before any steps: what releases takes the steps itself.

    Example: ``list(priors_of(problem))`` is ``[("default", "a"), ("default", "b")]``.
    """
    compared = dict.fromkeys(secret for pair in problem.pairs for secret in pair)
    return {
        (belief, secret): table[secret]
        for belief, table in problem.source.origin.laws.items() for secret in compared
    }  # fmt: skip


def _laws(problem: Problem) -> dict[Key, Law[Any]]:
    """The law of what is released under every secret that is compared."""
    priors = {}
    for item in problem.questions():
        priors[item.belief, item.first] = item.first_prior, item.release
        priors[item.belief, item.second] = item.second_prior, item.release
    return {key: law_of(*priors[key]) for key in priors_of(problem)}


def refuted(draws: int, count: int, chance: Chance, level: Fraction) -> str | None:
    """Return "more" or "fewer" where an exact tail is at most a level, for each chance between.

    Example: ``refuted(100, 100, (Fraction(1, 2), Fraction(1, 2)), Fraction(1, 1000))`` is
    ``"more"``.
    """
    low, high = chance
    if count > draws * high:  # else the tail is 1/2 or so
        return "more" if rarely_at_least(draws, count, high, level) else None
    if count < draws * low:
        return "fewer" if rarely_at_most(draws, count, low, level) else None
    return None


def _claims(problem: Problem, tested: Mapping[Key, _Tested], draws: int) -> list[EventClaim]:
    if problem.notion != EVENTS:
        raise InputError(
            f"form: {problem.form} is not about events; draws are counted in events alone"
        )
    found = []
    for item in problem.questions():
        keys = (item.belief, item.first), (item.belief, item.second)
        target = target_of(item)
        for one, other in (keys, keys[::-1]):
            laws = [tested[key].law for key in (one, other)]
            parts = parts_of(laws, draws)
            first, second = (parts.chances(law) for law in laws)
            event = worst_event(first, second, target)
            found.append(
                EventClaim(one, other, target, parts, event, (first.of(event), second.of(event)))
            )
    return found


def _root(level: Fraction, draws: int) -> Raw:
    return (-raw(level).log() / (2 * draws)).sqrt()


def _positive(value: Fraction) -> Fraction:
    return max(value, Fraction(0))

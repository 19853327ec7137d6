"""The recipes for one user's secret in a sum: each asks for the user's own laws only.

Whatever independent others add is post-processing, so a scale that is private for the user's own
laws is private in every crowd.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import NamedTuple

from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.model.priors.discrete import Discrete
from pfverify.model.systems.derived import derived
from pfverify.model.systems.laws import ABSENT, LAW, NOTHING, VALUE
from pfverify.scales.bernoulli import grown_minus
from pfverify.scales.closed_form import NONE_NEEDED, Proposal, Value, largest_upper
from pfverify.scales.minimum import minimum_scale
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.averages import relaxed
from pfverify.scales.recipes.distances import l1, over_epsilon, wasserstein
from pfverify.scales.recipes.two_points import bernoulli


def user_values(asked: RecipeProblem) -> Proposal:
    """Largest |a - b| (|a| where b is absence) / epsilon: Theorems 1 and 2, (10) and (12)."""
    _require(asked, "values and absence", {VALUE, ABSENT})
    return wasserstein(asked.own)


def user_largest(asked: RecipeProblem) -> Proposal:
    """Largest |value| of a law against absence / epsilon: Theorem 3, (14)."""
    _require(asked, "laws against absence", {VALUE, LAW}, {ABSENT})
    return l1(asked.own)


def user_moment(asked: RecipeProblem) -> Proposal:
    """Root of E e^(|D|/scale) = e^epsilon of a law against absence, largest: Theorem 3, (13)."""
    _require(asked, "laws against absence", {VALUE, LAW}, {ABSENT})
    return relaxed(asked.own)


def user_bernoulli(asked: RecipeProblem) -> Proposal:
    """h / log((e^epsilon - (1 - p))/p) for 0 or h with chance p against absence: (15)."""
    _require(asked, "laws against absence", {VALUE, LAW}, {ABSENT})
    asked.for_a_finite_scale()
    scales = []
    for first, second in asked.own.atoms:
        law = second if first == NOTHING else first
        reach = [abs(atom) for atom in law.atoms if atom]
        if len(reach) > 1:
            raise InputError("the law has more values than 0 and another one")
        for h in reach:
            p = 1 - law.mass.get(Fraction(0), Fraction(0))
            grown = grown_minus(asked.epsilon.exp(), 1 / p, 1 / p - 1)
            scales.append(Value.of(Number.of_rational(h) / grown.log()))
    return largest_upper(scales, asked.grid)


def user_wasserstein(asked: RecipeProblem) -> Proposal:
    """W-infinity of the user's two laws / epsilon: Theorem 4, corrected (audit row M25)."""
    asked.for_laplace_noise()
    return wasserstein(asked.own)


def user_shift_published(asked: RecipeProblem) -> Proposal:
    """Largest shift (17) of the distribution functions / epsilon: Theorem 4 as printed.

    The shift may be any real number > 0, and t runs over the values of both laws; where the
    minimum of (17) is not attained the infimum is taken. It is too small for some laws.
    """
    _require(asked, "laws", {LAW})
    return over_epsilon(asked, max(_shift(*laws) for laws in asked.own.atoms))


def user_two_points(asked: RecipeProblem) -> Proposal:
    """h / epsilon for laws on the same two points, h apart: Lemma 5, (18)."""
    reaches = (pair.distance for pair in asked.once(_two_points))
    return over_epsilon(asked, max(reaches, default=Fraction(0)))


def user_relaxed(asked: RecipeProblem) -> Proposal:
    """h / log((E max(p, q) - min(p, q))/|p - q|), E = e^epsilon: what Lemma 6 comes to."""
    return _relaxed(asked, [Fraction(0)] * len(asked.once(_two_points)))


def user_relaxed_published(asked: RecipeProblem) -> Proposal:
    """h / log(E + (E - 1) psi(x)), largest over the outputs x: Lemma 6, (21), with the rest."""
    points = asked.once(_two_points)
    return _relaxed(asked, [_least_step(asked, pair) for pair in points])


def user_exact(asked: RecipeProblem) -> Proposal:
    """The least scale of laws on the same two points, whatever finite laws the others have."""
    asked.for_laplace_noise()
    return bernoulli(asked.own)


def any_rest(asked: RecipeProblem) -> Proposal:
    """The minimum without knowledge of the others: that of the user's own laws, for any noise."""
    bracket = minimum_scale(asked.problem.for_any_rest(), asked.grid)
    if bracket.upper is None:
        raise InputError(f"no scale works for every rest: {bracket.reason}")
    return bracket.upper, None


def _require(
    asked: RecipeProblem, what: str, first: set[str], second: set[str] | None = None
) -> None:
    """Raise InputError unless the cases of every pair are of these roles, in either order."""
    asked.for_laplace_noise()
    for cases in asked.cases:
        a, b = (case.role for case in cases)
        if not any(x in first and y in (second or first) for x, y in ((a, b), (b, a))):
            raise InputError(f"this recipe is about {what}; a pair is {a} against {b}")


class _TwoPoints(NamedTuple):
    """Two laws on the same two points: their distance, and the masses p, q of the upper one."""

    distance: Fraction
    p: Fraction
    q: Fraction
    secret: str


def _two_points(asked: RecipeProblem) -> list[_TwoPoints]:
    """The pairs of different laws on the same two points; InputError for any other."""
    asked.for_laplace_noise()
    found = []
    for item, (first, second) in zip(asked.items, asked.own.atoms, strict=True):
        few = max(first.size, second.size) <= 2
        atoms = sorted({*first.atoms, *second.atoms}) if few else []
        if not few or len(atoms) > 2:
            raise InputError("not every pair of the user's laws lives on the same two points")
        if first != second:
            p, q = (law.mass.get(atoms[1], Fraction(0)) for law in (first, second))
            found.append(_TwoPoints(atoms[1] - atoms[0], p, q, item.first))
    return found


def _relaxed(asked: RecipeProblem, ratios: list[Fraction]) -> Proposal:
    """Lemma 6 with the least ratio of neighbouring masses of the rest for each pair.

    E + (E - 1) psi = E (1 + psi) - psi, psi = ((1 - M) ratio + m)/(M - m), where m < M are p, q.
    """
    points = asked.once(_two_points)
    if not points:
        return NONE_NEEDED
    asked.for_a_finite_scale()
    scales = []
    for pair, ratio in zip(points, ratios, strict=True):
        low, high = sorted((pair.p, pair.q))
        psi = ((1 - high) * ratio + low) / (high - low)
        grown = grown_minus(asked.epsilon.exp(), 1 + psi, psi)
        scales.append(Value.of(Number.of_rational(pair.distance) / grown.log()))
    return largest_upper(scales, asked.grid)


def _least_step(asked: RecipeProblem, pair: _TwoPoints) -> Fraction:
    """The least Pr(rest = x)/Pr(rest = x - h) where the divisor is not 0."""
    if not asked.problem.source.worked_out:
        raise InputError("this recipe needs the laws of the others")
    rest = derived(asked.system).priors.rest(pair.secret)
    if not isinstance(rest, Discrete):
        raise InputError("the others have a density, this recipe is about atoms")
    mass = rest.mass
    return min(mass.get(x + pair.distance, Fraction(0)) / below for x, below in mass.items())


def _shift(first: Discrete, second: Discrete) -> Fraction:
    """The largest over t of the infimum of the shifts of (17), t an atom of one of the laws."""
    unit, whole = lcm(first.denominator, second.denominator), lcm(first.total, second.total)
    (ones, risen), (others, reached) = (
        _distribution(law, unit, whole) for law in (first, second)
    )
    largest = 0
    for t in {*ones, *others}:
        here, there = risen[bisect_right(ones, t)], reached[bisect_right(others, t)]
        if here > there:  # the first atom of the second law by which it has caught up
            largest = max(largest, others[bisect_left(reached, here) - 1] - t)
        elif here < there:  # back to where the second law had no more
            largest = max(largest, t - others[bisect_right(reached, here) - 1])
    return Fraction(largest, unit)


def _distribution(law: Discrete, unit: int, whole: int) -> tuple[list[int], list[int]]:
    """The atoms, and the distribution function before the first one and at each, in whole numbers
    of a unit."""
    wide, heavy = unit // law.denominator, whole // law.total
    weights = (heavy * int(weight) for weight in law.weights)
    return [wide * int(point) for point in law.points], [*accumulate(weights, initial=0)]

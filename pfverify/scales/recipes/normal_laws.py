"""Recipes for priors that are normal laws, or mixtures of them, under Laplace noise.

Published recipes are worked out as printed, whether or not they are right (13 and 15 are not:
audit rows G25 and G26); calibrate decides each one. A scale belongs to both orders of a pair.
Each raises InputError with the reason where it does not apply: other shapes of priors, epsilon = 0
with different priors, delta = 0 where tau* is needed, other noise.
Source: Gaussian-priors paper, (5), (6), (13), (15), (23); design fact F8; audit rows G07, G25, G26,
G35.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache

from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Ball, Raw, dyadic, fraction_of, largest, lower_end, precision
from pfverify.exact.rising import rising
from pfverify.model.priors.prior import Component
from pfverify.model.question import Question
from pfverify.scales.closed_form import NONE_NEEDED, Proposal, Value, distance_over, largest_upper
from pfverify.scales.component_plan import Edge, bottleneck_plan, monotone_components, w2_plan
from pfverify.scales.normal_tail import LAST_BITS, rational_near, tau_lambert, tau_star
from pfverify.scales.pure_pair import pure_values
from pfverify.scales.reach import Quantile, Reach, ScaledSpread
from pfverify.scales.recipes.asked import RecipeProblem

_RANK_BITS = 128  # to rank the edges of component plans
_TIE_BITS = 256


class _Pair:
    """The components of both priors of one pair."""

    def __init__(self, item: Question) -> None:
        self.names = f"{shorten(item.first, 24)!r} and {shorten(item.second, 24)!r}"
        self.first, self.second = (prior.components for prior in item.priors)
        self.equal = self.first == self.second
        self.one_variance = len({p.variance for p in (*self.first, *self.second)}) == 1

    def single(self) -> tuple[Component, Component]:
        """Return the two components, or InputError where a prior is a mixture of several."""
        if len(self.first) > 1 or len(self.second) > 1:
            raise InputError(
                f"the priors of {self.names} are mixtures, expected single normal laws or points"
            )
        return self.first[0], self.second[0]

    def shift(self) -> Fraction:
        """Return how far the second prior is the first one moved; InputError if it is not."""
        shift = self.second[0].mean - self.first[0].mean
        moved = tuple((w, m + shift, v) for w, m, v in self.first)
        if moved != tuple(map(tuple, self.second)):
            raise InputError(f"the priors of {self.names} are not translates of each other")
        return shift

    def weighted(self, edges: Iterable[Edge]) -> list[tuple[Fraction, Component, Component]]:
        """Return the pairs of laws that a component plan joins."""
        return [(weight, self.first[i], self.second[j]) for i, j, weight in edges]


def gaussian_tau(asked: RecipeProblem) -> Proposal:
    """(|dmu| + tau* |dsd|) / epsilon for normal laws: Theorem 1, (5).

    Example: ``gaussian_tau(RecipeProblem(normal_items, Laplace(), epsilon, delta, Grid(5)))[0]`` is
    ``Fraction(1, 2)``: two normal laws of one width, 1/2 apart, at epsilon = 1.
    """
    return _largest(asked, lambda pair: [_published(asked, pair, asked.once(_tau))])


def gaussian_lambert(asked: RecipeProblem) -> Proposal:
    """The same with the Lambert-W bound (23) in place of tau*; (22) with tau > 0 equals it."""
    return _largest(asked, lambda pair: [_published(asked, pair, asked.once(_lambert))])


def translation(asked: RecipeProblem) -> Proposal:
    """|shift| / epsilon for any two translates: Remark 1, (6). Holds at delta = 0."""
    return _largest(asked, lambda pair: [distance_over(abs(pair.shift()), asked.epsilon)])


def gaussian_pure(asked: RecipeProblem) -> Proposal:
    """A scale at which delta = 0 holds, for normal laws: design fact F8."""

    def values(pair: _Pair) -> tuple[Value, ...]:
        a, b = pair.single()
        return pure_values(abs(a.mean - b.mean), abs(a.variance - b.variance), asked.epsilon)

    return _largest(asked, values)


def mixture_published(asked: RecipeProblem) -> Proposal:
    """Weighted means of (5) over the W2-optimal component plan: Theorem 2, (13).

    Where several plans are W2-optimal, one with the smallest scale is taken. Not private in
    general (audit row G25).
    """
    tau = asked.once(_tau)
    return _largest(asked, lambda pair: [tau.over(_w2_reach(asked, pair), asked.epsilon)])


def mixture_translation_published(asked: RecipeProblem) -> Proposal:
    """Weighted mean of |dmu| / epsilon over matching components: Corollary 2, (15).

    Components match by weight and variance, in the order of their means. Where merging equal
    components has made the weights differ, those of each variance are joined in the order of
    their means. Not private in general (audit row G26).
    """
    return _largest(asked, lambda pair: [distance_over(_matched(pair).distance, asked.epsilon)])


def mixture_safe(asked: RecipeProblem) -> Proposal:
    """The largest scale of an edge of a component plan whose largest edge is the smallest.

    An edge's scale is that of (5) for delta > 0, and of `gaussian_pure` for delta = 0. Every
    edge of the plan is private there, so their mixture is (joint convexity), where (13) takes
    a mean. No component plan does better with these scales, w* included. For delta > 0 the
    argument is for the events form.
    """
    return _largest(asked, lambda pair: _safe(asked, pair))


def _laws(asked: RecipeProblem) -> list[_Pair]:
    """The pairs that ask for noise: equal priors do not."""
    asked.for_laplace_noise()
    return [pair for pair in map(_Pair, asked.items) if not pair.equal]


def _tau(asked: RecipeProblem) -> Quantile:
    return Quantile(tau_star, asked.delta)


def _lambert(asked: RecipeProblem) -> Quantile:
    return Quantile(tau_lambert, asked.delta)


def _largest(asked: RecipeProblem, scales: Callable[[_Pair], Iterable[Value]]) -> Proposal:
    pairs = asked.once(_laws)
    if not pairs:
        return NONE_NEEDED
    asked.for_a_finite_scale()
    return largest_upper([v for pair in pairs for v in scales(pair)], asked.grid)


def _published(asked: RecipeProblem, pair: _Pair, factor: Quantile) -> Value:
    reach = Reach.of([(Fraction(1), *pair.single())])
    factor.require()  # delta = 0 is refused even where no spread needs the quantile
    return factor.over(reach, asked.epsilon)


def _w2_reach(asked: RecipeProblem, pair: _Pair) -> Reach:
    asked.once(_tau).require()
    near = rational_near(lambda: tau_star(asked.delta), _TIE_BITS)

    @cache
    def size(mean: Fraction, first: Fraction, second: Fraction) -> Fraction:
        spread = ScaledSpread(Fraction(1), first, second)
        return mean + near * rational_near(lambda: Ball(spread.ball()), _TIE_BITS)

    def preferred(i: int, j: int) -> Fraction:
        a, b = pair.first[i], pair.second[j]
        if a.variance == b.variance:
            return abs(a.mean - b.mean)
        return size(abs(a.mean - b.mean), *sorted((a.variance, b.variance)))

    plan = w2_plan(pair.first, pair.second, preferred)
    return Reach.of(pair.weighted(plan.edges))


def _safe(asked: RecipeProblem, pair: _Pair) -> Iterable[Value]:
    if pair.one_variance:  # the monotone plan has the shortest longest edge
        edges = monotone_components(pair.first, pair.second)
        longest = max(abs(a.mean - b.mean) for _, a, b in pair.weighted(edges))
        return [distance_over(longest, asked.epsilon)]

    @cache
    def values(mean: Fraction, low: Fraction, high: Fraction) -> tuple[Value, ...]:
        if asked.delta.sign() == 0:
            return pure_values(mean, high - low, asked.epsilon)
        spreads = () if low == high else (ScaledSpread(Fraction(1), low, high),)
        return (asked.once(_tau).over(Reach(mean, spreads), asked.epsilon),)

    def of_edge(a: Component, b: Component) -> tuple[Value, ...]:
        return values(abs(a.mean - b.mean), *sorted((a.variance, b.variance)))

    table = [[of_edge(a, b) for b in pair.second] for a in pair.first]
    levels = _ranked(table)
    top, edges = bottleneck_plan(pair.first, pair.second, levels)
    return [v for i, j, _ in edges if levels[i][j] == top for v in table[i][j]]


def _matched(pair: _Pair) -> Reach:
    """Match components of equal weight and variance, else all of one variance, by their means."""
    for by_weight in (True, False):
        mine, theirs = (_groups(side, by_weight) for side in (pair.first, pair.second))
        sums = [
            {key: sum(part.weight for part in group) for key, group in side.items()}
            for side in (mine, theirs)
        ]
        if sums[0] != sums[1]:
            continue
        edges = []
        for key, whole in sums[0].items():
            left, right = (_scaled(side[key], 1 / Fraction(whole)) for side in (mine, theirs))
            for i, j, weight in monotone_components(left, right):
                edges.append((weight * whole, left[i], right[j]))
        return Reach.of(edges)
    raise InputError(
        f"the priors of {pair.names} have no common weights and variances of components, as "
        "(14) of the Gaussian-priors paper asks"
    )


def _groups(
    components: Iterable[Component], by_weight: bool
) -> dict[tuple[Fraction, Fraction | None], list[Component]]:
    table: dict[tuple[Fraction, Fraction | None], list[Component]] = {}
    for part in components:
        key = part.variance, part.weight if by_weight else None
        table.setdefault(key, []).append(part)
    return table


def _scaled(components: Iterable[Component], factor: Fraction) -> list[Component]:
    return [part._replace(weight=part.weight * factor) for part in components]


def _ranked(table: Sequence[Sequence[tuple[Value, ...]]]) -> list[list[int]]:
    """Return ranks of the largest values of each entry; what is not told apart ranks the same."""
    entries = {entry for row in table for entry in row}
    for bits in rising(_RANK_BITS, LAST_BITS, why="the scale of an edge is not finite"):
        with precision(bits):
            balls = {
                entry: largest([Raw(0), *(value.ball() for value in entry)]) for entry in entries
            }
            if all(ball.is_finite() for ball in balls.values()):
                break
    ranks: dict[tuple[Value, ...], int] = {}
    rank, before = 0, None
    lower = {entry: fraction_of(dyadic(lower_end(ball))) for entry, ball in balls.items()}
    for entry, ball in sorted(balls.items(), key=lambda item: lower[item[0]]):
        if before is not None and before < ball:
            rank, before = rank + 1, ball
        ranks[entry] = rank
        before = ball if before is None else before.max(ball)
    return [[ranks[entry] for entry in row] for row in table]

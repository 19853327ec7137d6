"""Scales of Laplace noise for priors that are normal laws, or mixtures of them.

Published recipes are worked out as printed, whether or not they are right (13 and 15 are not:
audit rows G25 and G26); calibrate decides each one. A scale belongs to both orders of a pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import Protocol

from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Ball, Raw, dyadic, lower_end, precision
from pfverify.exact.number import Number
from pfverify.exact.rising import rising
from pfverify.model.priors.prior import Component
from pfverify.model.problem import PairOfPriors
from pfverify.scales.closed_form import NO_FINITE, Proposal, Value, distance_over, largest_upper
from pfverify.scales.component_plan import Edge, bottleneck_plan, monotone_components, w2_plan
from pfverify.scales.normal_tail import LAST_BITS, rational_near, tau_lambert, tau_star
from pfverify.scales.pure_pair import pure_values
from pfverify.scales.reach import Quantile, Reach, Spread

_RANK_BITS = 128  # to rank the edges of component plans
_TIE_BITS = 256


class _Prior(Protocol):
    @property
    def components(self) -> tuple[Component, ...]: ...


class _Pair:
    """The components of both priors of one pair."""

    def __init__(self, item: PairOfPriors) -> None:
        priors: tuple[_Prior, _Prior] = (item.first_prior, item.second_prior)
        self.names = f"{shorten(item.first, 24)!r} and {shorten(item.second, 24)!r}"
        self.first, self.second = (tuple(prior.components) for prior in priors)
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


class _Recipes:
    """Works out every scale of one problem with Laplace noise."""

    def __init__(
        self, items: Iterable[PairOfPriors], epsilon: Number, delta: Number, digits: int
    ) -> None:
        # a pair of equal priors asks for no noise
        self.pairs = [pair for pair in map(_Pair, items) if not pair.equal]
        self.epsilon, self.delta, self.digits = epsilon, delta, digits
        self.tau = Quantile(tau_star, delta)
        self.lambert = Quantile(tau_lambert, delta)

    def gaussian_tau(self) -> Proposal:
        """(|dmu| + tau* |dsd|) / epsilon for normal laws: Theorem 1, (5)."""
        return self._largest(lambda pair: [self._published(pair, self.tau)])

    def gaussian_lambert(self) -> Proposal:
        """The same with the Lambert-W bound (23) in place of tau*; (22) with tau > 0 equals it."""
        return self._largest(lambda pair: [self._published(pair, self.lambert)])

    def translation(self) -> Proposal:
        """|shift| / epsilon for any two translates: Remark 1, (6). Holds at delta = 0."""
        return self._largest(lambda pair: [distance_over(abs(pair.shift()), self.epsilon)])

    def gaussian_pure(self) -> Proposal:
        """A scale at which delta = 0 holds, for normal laws: design fact F8."""
        return self._largest(lambda pair: self._pure(*pair.single()))

    def mixture_published(self) -> Proposal:
        """Weighted means of (5) over the W2-optimal component plan: Theorem 2, (13).

        Where several plans are W2-optimal, one with the smallest scale is taken. Not private in
        general (audit row G25).
        """
        return self._largest(lambda pair: [self.tau.over(self._w2_reach(pair), self.epsilon)])

    def mixture_translation_published(self) -> Proposal:
        """Weighted mean of |dmu| / epsilon over matching components: Corollary 2, (15).

        Components match by weight and variance, in the order of their means. Where merging equal
        components has made the weights differ, those of each variance are joined in the order of
        their means. Not private in general (audit row G26).
        """
        return self._largest(
            lambda pair: [distance_over(_matched(pair).distance, self.epsilon)]
        )

    def mixture_safe(self) -> Proposal:
        """The largest scale of an edge of a component plan whose largest edge is the smallest.

        An edge's scale is that of (5) for delta > 0, and of `gaussian_pure` for delta = 0. Every
        edge of the plan is private there, so their mixture is (joint convexity), where (13) takes
        a mean. No component plan does better with these scales, w* included. For delta > 0 the
        argument is for the events form.
        """
        return self._largest(self._safe)

    def _largest(self, scales: Callable[[_Pair], Iterable[Value]]) -> Proposal:
        if not self.pairs:
            return "0", "0"
        if self.epsilon.sign() == 0:
            raise InputError(NO_FINITE)
        return largest_upper([v for pair in self.pairs for v in scales(pair)], self.digits)

    def _published(self, pair: _Pair, factor: Quantile) -> Value:
        reach = Reach.of([(Fraction(1), *pair.single())])
        factor.require()  # delta = 0 is refused even where no spread needs the quantile
        return factor.over(reach, self.epsilon)

    def _pure(self, a: Component, b: Component) -> tuple[Value, ...]:
        return pure_values(abs(a.mean - b.mean), abs(a.variance - b.variance), self.epsilon)

    def _w2_reach(self, pair: _Pair) -> Reach:
        self.tau.require()
        near = rational_near(lambda: tau_star(self.delta), _TIE_BITS)

        @cache
        def size(mean: Fraction, first: Fraction, second: Fraction) -> Fraction:
            spread = Spread(Fraction(1), first, second)
            return mean + near * rational_near(lambda: Ball(spread.ball()), _TIE_BITS)

        def preferred(i: int, j: int) -> Fraction:
            a, b = pair.first[i], pair.second[j]
            if a.variance == b.variance:
                return abs(a.mean - b.mean)
            return size(abs(a.mean - b.mean), *sorted((a.variance, b.variance)))

        plan = w2_plan(pair.first, pair.second, preferred)
        return Reach.of(pair.weighted(plan.edges))

    def _safe(self, pair: _Pair) -> Iterable[Value]:
        if pair.one_variance:  # the monotone plan has the shortest longest edge
            edges = monotone_components(pair.first, pair.second)
            longest = max(abs(a.mean - b.mean) for _, a, b in pair.weighted(edges))
            return [distance_over(longest, self.epsilon)]

        @cache
        def values(mean: Fraction, low: Fraction, high: Fraction) -> tuple[Value, ...]:
            if self.delta.sign() == 0:
                return pure_values(mean, high - low, self.epsilon)
            spreads = () if low == high else (Spread(Fraction(1), low, high),)
            return (self.tau.over(Reach(mean, spreads), self.epsilon),)

        def of_edge(a: Component, b: Component) -> tuple[Value, ...]:
            return values(abs(a.mean - b.mean), *sorted((a.variance, b.variance)))

        table = [[of_edge(a, b) for b in pair.second] for a in pair.first]
        levels = _ranked(table)
        top, edges = bottleneck_plan(pair.first, pair.second, levels)
        return [v for i, j, _ in edges if levels[i][j] == top for v in table[i][j]]


def gaussian_recipes(
    items: Iterable[PairOfPriors],
    epsilon: Number,
    delta: Number,
    digits: int,
    *,
    noise: str = "laplace",
) -> dict[str, Callable[[], Proposal]]:
    """Return name of a method -> how to work out its scale, for the pairs of a problem.

    A call returns (decimal scale of `digits` digits, rounded up; its closed form or None), the
    largest over all pairs; ("0", "0") where all priors are equal. `noise` is the kind of the
    problem's noise: the recipes are for Laplace noise.

    A call raises InputError with the reason where the method does not apply: other shapes of
    priors, epsilon = 0 with different priors, delta = 0 where tau* is needed, Gaussian noise.
    Example: ``gaussian_recipes(normal_items, epsilon, delta, 5)["gaussian_tau"]()`` is
    ``("0.5", "0.5")``: two normal laws of one width, 1/2 apart, at epsilon = 1.
    Source: Gaussian-priors paper, (5), (6), (13), (15), (23); design fact F8; audit rows G07,
    G25, G26, G35.
    """
    recipes = _Recipes(items, epsilon, delta, digits)
    methods = {
        "gaussian_tau": recipes.gaussian_tau,
        "gaussian_lambert": recipes.gaussian_lambert,
        "translation": recipes.translation,
        "gaussian_pure": recipes.gaussian_pure,
        "mixture_published": recipes.mixture_published,
        "mixture_translation_published": recipes.mixture_translation_published,
        "mixture_safe": recipes.mixture_safe,
    }
    if noise == "gaussian":
        return dict.fromkeys(methods, _laplace_only)
    return methods


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
            balls = {entry: _top(entry) for entry in entries}
            if all(ball.is_finite() for ball in balls.values()):
                break
    ranks: dict[tuple[Value, ...], int] = {}
    rank, before = 0, None
    for entry, ball in sorted(balls.items(), key=lambda item: _lower(item[1])):
        if before is not None and before < ball:
            rank, before = rank + 1, ball
        ranks[entry] = rank
        before = ball if before is None else before.max(ball)
    return [[ranks[entry] for entry in row] for row in table]


def _top(entry: tuple[Value, ...]) -> Raw:
    top = Raw(0)
    for value in entry:
        top = top.max(value.ball())
    return top


def _lower(ball: Raw) -> Fraction:
    """Return the lower end of a finite ball, exactly."""
    mantissa, exponent = dyadic(lower_end(ball))
    return mantissa * Fraction(2) ** exponent


def _laplace_only() -> Proposal:
    raise InputError("the noise is gaussian: this recipe is for Laplace noise")

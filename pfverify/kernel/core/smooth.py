"""The normal form of sums of normal densities: exact terms, enclosed laws.

Of a goal P against Q, mu = P - e^epsilon Q is split into mu+ - mu-, two positive sums of normal
laws and atoms in which equal components of P and Q are merged first, so that what cancels exactly
is gone.  K is the noise's law, rho = 1/scale for Laplace noise.  For a measure nu

    L(y) = integral over x <= y of e^(rho x) dnu        R(y) = integral over x > y of e^(-rho x) dnu

so that Laplace noise gives K*nu(y) = rho/2 (e^(-rho y) L(y) + e^(rho y) R(y)).  The law N(m, v) has
    L(y) = e^(m rho + v rho^2/2) erfc((v rho - (y - m)) / sqrt(2 v)) / 2
    R(y) = e^(-m rho + v rho^2/2) erfc((v rho + (y - m)) / sqrt(2 v)) / 2
(complete the square),
and an atom x has e^(rho x) where x <= y and e^(-rho x) where x > y.  Gaussian noise of variance s
turns N(m, v) into N(m, v + s).  All summands are positive: enclosures keep relative precision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple, Protocol

from core.enclose import ONE, ZERO, Arithmetic, Interval
from core.grammar import Malformed, Number, combine, shown
from core.kinds import LAWS, Mixture, Prior
from core.rules import Goal
from core.spans import Part
from core.special import erfc, pi
from core.value import form_of, rate_form
from core.work import spend
from core.zero import NIL, Form, Sum, accumulate, constant, enclose_form, exp_form, plus, times

NOTHING = Fraction(0)


class Post(Protocol):
    """What steps make of the numbers of a line, single ones of which have no mass."""

    def outputs(self, places: Sequence[Fraction]) -> list[Part]:
        """The outputs that hold one of some increasing places inside, and what is suppressed; where
        some density is kept, all outputs and the parts between."""


class Smooth(NamedTuple):
    """A law of X made of normal laws and atoms, with its noise, and what becomes of that."""

    components: tuple[tuple[Fraction, Fraction, Fraction], ...]  # as of Mixture, of any total
    scale: Number | None  # of Laplace noise, if that is it
    spread: Fraction  # the variance of gaussian noise, else 0
    nothing: Fraction = NOTHING  # the mass of no row, which is suppressed
    post: Post | None = None  # None: numbers stay what they are

    @property
    def bare(self) -> bool:
        """Whether there is no noise, so that atoms keep their masses."""
        return self.scale is None and not self.spread


Normals = Goal[Smooth, Any]
LAWS[Smooth] = "behind"


def smooth(
    law: Prior | Mixture | Smooth, noise: Any, nothing: Fraction = NOTHING, post: Post | None = None
) -> Smooth:
    """A law of X under a noise; atoms have the variance 0."""
    if noise.kind not in ("laplace", "gaussian", "none"):
        raise Malformed(f"no densities under noise of kind {shown(noise.kind)} in this kernel")
    if isinstance(law, dict):
        spend(16 * len(law))
        components = tuple((x, NOTHING, mass) for x, mass in sorted(law.items()))
    else:
        components = law.components
    spread = noise.amount if noise.kind == "gaussian" else NOTHING
    if not isinstance(spread, Fraction):
        raise Malformed("the variance of gaussian noise must be rational")
    scale = noise.amount if noise.kind == "laplace" else None
    return Smooth(components, scale, spread, nothing, post)


class Term(NamedTuple):
    """sign * weight * N(mean, variance), a part of mu+ (sign 1) or mu- (sign -1)."""

    mean: Fraction
    variance: Fraction
    sign: int
    weight: Interval  # of a positive number


def terms(goal: Normals, epsilon: Form, ar: Arithmetic) -> list[Term]:
    """P - e^epsilon Q by (mean, variance), increasing, every term with its exact sign; those with
    the coefficient 0 are dropped."""
    p = {(mean, variance): weight for mean, variance, weight in goal.P.components}
    q = {(mean, variance): weight for mean, variance, weight in goal.Q.components}
    factor = exp_form(epsilon, ar)
    found = []
    for key in sorted({*p, *q}):
        a, b = p.get(key, NOTHING), q.get(key, NOTHING)
        sign = 1 if a else -1
        if a and b:
            from core.masses import excess_sign

            sign = excess_sign(a, b, epsilon, NOTHING)
        if sign:
            value = ar.sub(ar.of(a), ar.mul(factor, ar.of(b)))
            low, high, e = value if sign > 0 else ar.neg(value)
            found.append(Term(*key, sign, (max(low, 0), high, e)))
    return found


def half(x: Interval) -> Interval:
    """x/2, exactly."""
    return x[0], x[1], x[2] - 1


def add_all(values: Iterable[Interval], ar: Arithmetic) -> Interval:
    """The sum."""
    total = ZERO
    for value in values:
        total = ar.add(total, value)
    return total


def scaled_erfc(at: Form, variance: Fraction, ar: Arithmetic) -> Interval:
    """erfc(f / sqrt(2 variance)) to a relative precision: an error d of the argument z costs about
    2 z d, so z is enclosed with twice as many further bits as its integer part has."""
    low, high, e = ar.div(enclose_form(at, ar), ar.sqrt(ar.of(2 * variance)))
    extra = 2 * max(0, max(low.bit_length(), high.bit_length()) + e) + 8
    fine = ar.finer(extra)
    return erfc(fine.div(enclose_form(at, fine), fine.sqrt(fine.of(2 * variance))), ar)


class Pair(NamedTuple):
    """A number of mu+ and of mu-."""

    plus: Interval
    minus: Interval


class OneSided(NamedTuple):
    """L and R just before or just after a point."""

    left: Pair
    right: Pair


class Point(NamedTuple):
    """What the charts need to know at y: `before` is the limit from the left (an atom at y still
    counts in R), `after` the value (it counts in L)."""

    y: Fraction
    before: OneSided
    after: OneSided
    down: Interval  # e^(-rho y)
    up: Interval  # e^(rho y)
    value: Pair  # 2/rho K*mu (y), continuous


class Split:
    """Enclosures of the laws that a noise makes of mu+ and mu- of a goal.

    `flat` (delta of the pointwise form) adds the measure delta dx, which no noise changes, to mu-:
    then K*mu <= 0 says p <= e^epsilon q + delta.  Masses are then not asked for."""

    def __init__(
        self, goal: Normals, epsilon: Form, ar: Arithmetic, flat: Interval | None = None
    ) -> None:
        self.ar, self.flat, self.goal, self.epsilon = ar, flat, goal, epsilon
        self.scale, spread = goal.P.scale, goal.P.spread
        self.sided = self.scale is not None  # a density is that of one-sided sums, else of bells
        self.rate = NIL if self.scale is None else rate_form(self.scale)
        self.terms = [t._replace(variance=t.variance + spread) for t in terms(goal, epsilon, ar)]
        self.smooth = [t for t in self.terms if t.variance]
        self.atoms = {t.mean: t for t in self.terms if not t.variance}
        self.point = cache(self._point)

    def total(self, values: Iterable[tuple[int, Interval]]) -> Pair:
        """The sum of values, by their signs."""
        found = {1: ZERO, -1: ZERO}
        for sign, value in values:
            found[sign] = self.ar.add(found[sign], value)
        return Pair(found[1], found[-1])

    def scaled_erfc(self, at: Form, variance: Fraction) -> Interval:
        """erfc(f / sqrt(2 variance)) to a relative precision."""
        return scaled_erfc(at, variance, self.ar)

    @cached_property
    def square(self) -> Form:
        """rho^2."""
        scale = self.scale or NOTHING
        return form_of(combine("/", Fraction(1), combine("*", scale, scale)))

    def exponent(self, mean: Fraction, variance: Fraction, way: int) -> Form:
        """f with e^f = the integral of e^(way rho x) over N(m, v): f = way m rho + v rho^2 / 2."""
        return plus(times(self.rate, way * mean), times(self.square, variance / 2))

    def growth(self, term: Term, way: int) -> Interval:
        """weight * integral of e^(way rho x) of the term's law."""
        f, memo = self.exponent(term.mean, term.variance, way), self.ar.memo
        if f not in memo:
            memo[f] = exp_form(f, self.ar)
        return self.ar.mul(term.weight, memo[f])

    def moment(self, way: int) -> Pair:
        """The integral of e^(way rho x) over mu+ and mu- (without the flat part)."""
        return self.total((t.sign, self.growth(t, way)) for t in self.terms)

    def exact_moment(self, way: int) -> Sum:
        """That over mu as an exponential sum."""
        return integral(self.goal, self.epsilon, lambda m, v: self.exponent(m, v, way))

    def _point(self, y: Fraction) -> Point:
        """L, R and the density at y, for Laplace noise."""
        ar, left, right = self.ar, list[tuple[int, Interval]](), list[tuple[int, Interval]]()
        up, down = exp_form(times(self.rate, y), ar), exp_form(times(self.rate, -y), ar)
        for t in self.terms:
            if t.variance:
                drift, away = times(self.rate, t.variance), constant(y - t.mean)
                towards = self.scaled_erfc(plus(drift, times(away, Fraction(-1))), t.variance)
                beyond = self.scaled_erfc(plus(drift, away), t.variance)
                left.append((t.sign, half(ar.mul(self.growth(t, 1), towards))))
                right.append((t.sign, half(ar.mul(self.growth(t, -1), beyond))))
            elif t.mean < y:
                left.append((t.sign, self.growth(t, 1)))
            elif t.mean > y:
                right.append((t.sign, self.growth(t, -1)))
        if self.flat is not None:
            width = ar.div(self.flat, enclose_form(self.rate, ar))  # delta times the scale
            left.append((-1, ar.mul(width, up)))
            right.append((-1, ar.mul(width, down)))
        here = [self.atoms[y]] if y in self.atoms else []
        before = OneSided(self.total(left), self.total(
            [*right, *((t.sign, self.growth(t, -1)) for t in here)]
        ))  # fmt: skip
        after = OneSided(self.total(
            [*left, *((t.sign, self.growth(t, 1)) for t in here)]
        ), self.total(right))  # fmt: skip
        value = [ar.add(ar.mul(down, a), ar.mul(up, b)) for a, b in zip(*after, strict=True)]
        return Point(y, before, after, down, up, Pair(*value))

    def density(self, y: Fraction) -> Pair:
        """K*mu at y; without noise the densities of the parts that have one."""
        ar = self.ar
        if self.sided:
            rate = half(enclose_form(self.rate, ar))
            return Pair(*(ar.mul(rate, value) for value in self.point(y).value))
        return self.total(
            (t.sign, ar.mul(
                ar.mul(t.weight, exp_form(constant(-((y - t.mean) ** 2) / (2 * t.variance)), ar)),
                normal_constant(t.variance, ar),
            )) for t in self.smooth
        )  # fmt: skip

    def beyond(self, y: Fraction, way: int) -> Pair:
        """The masses of (-infinity, y] (way = -1) or [y, infinity) (way = 1) under K*mu, to a
        relative precision far out; without noise only of the parts with densities.

        Laplace noise: that below is nu((-infinity, y]) - (e^(-rho y) L - e^(rho y) R)/2, since an x
        below y gives 1 - e^(-rho (y-x))/2 and one above y gives e^(-rho (x-y))/2.
        """
        ar, found = self.ar, list[tuple[int, Interval]]()
        for t in self.smooth:
            phi = self.scaled_erfc(constant(way * (y - t.mean)), t.variance)
            found.append((t.sign, half(ar.mul(t.weight, phi))))
        if self.sided:
            at, atoms = self.point(y), self.atoms.values()
            found += [(t.sign, t.weight) for t in atoms if (t.mean > y) == (way == 1)]
            for sign, left, right in zip((1, -1), *at.after, strict=True):
                change = half(ar.sub(ar.mul(at.down, left), ar.mul(at.up, right)))
                found.append((sign, change if way == 1 else ar.neg(change)))
        return self.total(found)

    def masses(self, low: Fraction | None, high: Fraction | None) -> Pair:
        """The masses of an interval (None: infinite) under K*mu, as in `beyond`."""
        counted = self.terms if self.sided else self.smooth
        if low is None:
            whole = self.total((t.sign, t.weight) for t in counted)
            return whole if high is None else self.beyond(high, -1)
        if high is None:
            return self.beyond(low, 1)
        way = 1 if all(t.mean <= low for t in counted) else -1
        far, near = (high, low) if way == 1 else (low, high)
        both = zip(self.beyond(near, way), self.beyond(far, way), strict=True)
        return Pair(*(self.ar.sub(more, less) for more, less in both))


def integral(goal: Normals, epsilon: Form, exponent: Callable[[Fraction, Fraction], Form]) -> Sum:
    """What e^exponent of each mean and variance sums up to over P - e^epsilon Q."""
    total: Sum = {}
    for law, sign, shift in ((goal.P, 1, NIL), (goal.Q, -1, epsilon)):
        for mean, variance, weight in law.components:
            accumulate(total, plus(exponent(mean, variance), shift), sign * weight)
    return total


def normal_constant(variance: Fraction, ar: Arithmetic) -> Interval:
    """1 / sqrt(2 pi variance)."""
    return ar.div(ONE, ar.sqrt(ar.mul(pi(ar), ar.of(2 * variance))))

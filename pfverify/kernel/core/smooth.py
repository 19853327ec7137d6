"""Normal mixtures under Laplace, gaussian or no noise: exact terms, enclosed laws.

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

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from core.enclose import ONE, ZERO, Arithmetic, Interval
from core.grammar import Malformed, combine, shown
from core.kinds import Kind, Mixture, Prior, Rule
from core.masses import excess_sign
from core.rules import Goal
from core.special import erfc, pi
from core.value import form_of
from core.work import spend
from core.zero import NIL, Form, Sum, accumulate, constant, enclose_form, exp_form, plus, times
from reader.noise import Noise

NOTHING = Fraction(0)


SIDED = {"laplace": True, "gaussian": False, "none": False}
Normals = Goal[Mixture, Noise]


def mixture_of(prior: Prior | Mixture) -> Mixture:
    """The prior as components; atoms have the variance 0."""
    if isinstance(prior, Mixture):
        return prior
    spend(16 * len(prior))
    return Mixture(tuple((x, NOTHING, mass) for x, mass in sorted(prior.items())))


def _laws(
    p: Prior | Mixture, q: Prior | Mixture, release: object
) -> tuple[Mixture, Mixture]:
    return mixture_of(p), mixture_of(q)


CHARTS = {name: Rule("core.chart") for name in ("equal", "components", "chart")}
KIND = Kind(
    CHARTS,
    {name: Rule("core.chart") for name in ("pure-refuted", "event-refuted", "pointwise-refuted")},
    "the rule is for priors of atoms with (discrete) Laplace noise",
    laws=_laws,
    unscaled=CHARTS,
    hopeless={"moment": Rule("core.moment")},
    no_scale="chart",
)


def is_sided(noise: Noise) -> bool:
    """Whether a density is that of one-sided sums at a point; else it is a sum of bells."""
    if noise.kind not in SIDED:
        raise Malformed(f"no densities under noise of kind {shown(noise.kind)} in this kernel")
    return SIDED[noise.kind]


def is_absent(noise: Noise) -> bool:
    """Whether there is no noise, so that atoms keep their masses."""
    return noise.kind == "none"


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
        sign = excess_sign(a, b, epsilon, NOTHING) if a and b else 1 if a else -1
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


class Sides(NamedTuple):
    """L and R of mu+ and of mu-, just before or just after a point."""

    left_plus: Interval
    left_minus: Interval
    right_plus: Interval
    right_minus: Interval


class Point(NamedTuple):
    """What the charts need to know at y: `before` is the limit from the left (an atom at y still
    counts in R), `after` the value (it counts in L)."""

    y: Fraction
    before: Sides
    after: Sides
    down: Interval  # e^(-rho y)
    up: Interval  # e^(rho y)
    plus: Interval  # 2/rho K*mu+ (y), continuous
    minus: Interval


class Release:
    """Enclosures of the laws that a noise makes of mu+ and mu- of a goal.

    `flat` (delta of the pointwise form) adds the measure delta dx, which no noise changes, to mu-:
    then K*mu <= 0 says p <= e^epsilon q + delta.  Masses are then not asked for."""

    def __init__(
        self, goal: Normals, epsilon: Form, ar: Arithmetic, flat: Interval | None = None
    ) -> None:
        self.ar, self.noise, self.flat = ar, goal.release, flat
        self.sided, self.absent = is_sided(goal.release), is_absent(goal.release)
        spread = goal.release.amount if goal.release.kind == "gaussian" else NOTHING
        if not isinstance(spread, Fraction):
            raise Malformed("the variance of gaussian noise must be rational")
        self.terms = [t._replace(variance=t.variance + spread) for t in terms(goal, epsilon, ar)]
        self.smooth = [t for t in self.terms if t.variance]
        self.atoms = {t.mean: t for t in self.terms if not t.variance}
        self.epsilon, self.P, self.Q = epsilon, goal.P, goal.Q
        self.points: dict[Fraction, Point] = {}

    def scaled_erfc(self, at: Form, variance: Fraction) -> Interval:
        """erfc(f / sqrt(2 variance)) to a relative precision: an error d of the argument z costs
        about 2 z d, so z is enclosed with twice as many further bits as its integer part has."""
        ar = self.ar
        low, high, e = ar.div(enclose_form(at, ar), ar.sqrt(ar.of(2 * variance)))
        extra = 2 * max(0, max(low.bit_length(), high.bit_length()) + e) + 8
        fine = ar.finer(extra)
        return erfc(fine.div(enclose_form(at, fine), fine.sqrt(fine.of(2 * variance))), ar)

    @cached_property
    def square(self) -> Form:
        """rho^2."""
        scale = self.noise.amount or NOTHING
        return form_of(combine("/", Fraction(1), combine("*", scale, scale)))

    def exponent(self, term: Term, way: int) -> Form:
        """f with e^f = the integral of e^(way rho x) over N(m, v): f = way m rho + v rho^2 / 2."""
        drift = times(self.noise.rate, way * term.mean)
        return plus(drift, times(self.square, term.variance / 2))

    def growth(self, term: Term, way: int) -> Interval:
        """weight * integral of e^(way rho x) of the term's law."""
        return self.ar.mul(term.weight, self._exp(self.exponent(term, way)))

    def _exp(self, f: Form) -> Interval:
        memo = self.ar.memo
        if f not in memo:
            memo[f] = exp_form(f, self.ar)
        return memo[f]

    def moment(self, sign: int, way: int) -> Interval:
        """The integral of e^(way rho x) over mu+ or mu- (without the flat part)."""
        return add_all((self.growth(t, way) for t in self.terms if t.sign == sign), self.ar)

    def point(self, y: Fraction) -> Point:
        """L, R and the density at y, for Laplace noise."""
        if y not in self.points:
            self.points[y] = self._point(y)
        return self.points[y]

    def _point(self, y: Fraction) -> Point:
        ar, noise = self.ar, self.noise
        left, right = {1: ZERO, -1: ZERO}, {1: ZERO, -1: ZERO}
        for t in self.terms:
            if t.variance:
                drift, away = times(noise.rate, t.variance), constant(y - t.mean)
                towards = self.scaled_erfc(plus(drift, times(away, Fraction(-1))), t.variance)
                beyond = self.scaled_erfc(plus(drift, away), t.variance)
                left[t.sign] = ar.add(left[t.sign], half(ar.mul(self.growth(t, 1), towards)))
                right[t.sign] = ar.add(right[t.sign], half(ar.mul(self.growth(t, -1), beyond)))
            elif t.mean < y:
                left[t.sign] = ar.add(left[t.sign], self.growth(t, 1))
            elif t.mean > y:
                right[t.sign] = ar.add(right[t.sign], self.growth(t, -1))
        up, down = exp_form(times(noise.rate, y), ar), exp_form(times(noise.rate, -y), ar)
        if self.flat is not None:
            width = ar.div(self.flat, enclose_form(noise.rate, ar))  # delta times the scale
            left[-1] = ar.add(left[-1], ar.mul(width, up))
            right[-1] = ar.add(right[-1], ar.mul(width, down))
        from_left, from_right = dict(left), dict(right)
        if y in self.atoms:
            t = self.atoms[y]
            from_left[t.sign] = ar.add(left[t.sign], self.growth(t, 1))
            from_right[t.sign] = ar.add(right[t.sign], self.growth(t, -1))
        density = [
            ar.add(ar.mul(down, from_left[sign]), ar.mul(up, right[sign])) for sign in (1, -1)
        ]
        before = Sides(left[1], left[-1], from_right[1], from_right[-1])
        after = Sides(from_left[1], from_left[-1], right[1], right[-1])
        return Point(y, before, after, down, up, density[0], density[1])

    def density(self, y: Fraction) -> tuple[Interval, Interval]:
        """(K*mu+, K*mu-) at y; without noise the densities of the parts that have one."""
        ar = self.ar
        if self.sided:
            at, rate = self.point(y), half(enclose_form(self.noise.rate, ar))
            return ar.mul(rate, at.plus), ar.mul(rate, at.minus)
        total = {1: ZERO, -1: ZERO}
        for t in self.smooth:  # without noise the atoms have no density
            bell = exp_form(constant(-((y - t.mean) ** 2) / (2 * t.variance)), ar)
            part = ar.mul(ar.mul(t.weight, bell), normal_constant(t.variance, ar))
            total[t.sign] = ar.add(total[t.sign], part)
        return total[1], total[-1]

    def beyond(self, y: Fraction, way: int) -> tuple[Interval, Interval]:
        """The masses of (-infinity, y] (way = -1) or [y, infinity) (way = 1) under K*mu+ and
        K*mu-, to a relative precision far out; without noise only of the parts with densities.

        Laplace noise: that below is nu((-infinity, y]) - (e^(-rho y) L - e^(rho y) R)/2, since an x
        below y gives 1 - e^(-rho (y-x))/2 and one above y gives e^(-rho (x-y))/2.
        """
        ar = self.ar
        total = {1: ZERO, -1: ZERO}
        for t in self.smooth:
            phi = self.scaled_erfc(constant(way * (y - t.mean)), t.variance)
            total[t.sign] = ar.add(total[t.sign], half(ar.mul(t.weight, phi)))
        if self.sided:
            at = self.point(y)
            for t in self.atoms.values():
                if (t.mean > y) == (way == 1):
                    total[t.sign] = ar.add(total[t.sign], t.weight)
            for sign, left, right in (
                (1, at.after.left_plus, at.after.right_plus),
                (-1, at.after.left_minus, at.after.right_minus),
            ):
                change = half(ar.sub(ar.mul(at.down, left), ar.mul(at.up, right)))
                total[sign] = ar.add(total[sign], change if way == 1 else ar.neg(change))
        return total[1], total[-1]

    def masses(self, low: Fraction | None, high: Fraction | None) -> tuple[Interval, Interval]:
        """The masses of an interval (None: infinite) under K*mu+ and K*mu-, as in `beyond`."""
        ar = self.ar
        counted = self.smooth if self.absent else self.terms
        if low is None and high is not None:
            return self.beyond(high, -1)
        if low is None or high is None:
            return self._whole(counted) if low is None else self.beyond(low, 1)
        way = 1 if all(t.mean <= low for t in counted) else -1
        far, near = (high, low) if way == 1 else (low, high)
        less, more = self.beyond(far, way), self.beyond(near, way)
        return ar.sub(more[0], less[0]), ar.sub(more[1], less[1])

    def _whole(self, counted: list[Term]) -> tuple[Interval, Interval]:
        weights = {1: ZERO, -1: ZERO}
        for t in counted:
            weights[t.sign] = self.ar.add(weights[t.sign], t.weight)
        return weights[1], weights[-1]

    def exact_moment(self, way: int) -> Sum:
        """The integral of e^(way rho x) over mu as an exponential sum, without the flat part."""
        total: Sum = {}
        for components, sign, shift in ((self.P, 1, NIL), (self.Q, -1, self.epsilon)):
            for mean, variance, weight in components.components:
                t = Term(mean, variance, sign, ONE)
                accumulate(total, plus(self.exponent(t, way), shift), sign * weight)
        return total


def normal_constant(variance: Fraction, ar: Arithmetic) -> Interval:
    """1 / sqrt(2 pi variance)."""
    return ar.div(ONE, ar.sqrt(ar.mul(pi(ar), ar.of(2 * variance))))

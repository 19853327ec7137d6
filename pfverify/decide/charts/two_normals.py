"""The hockey-stick divergence of two single normal laws, by counting sign changes (fact F5).

P - e**epsilon Q has at most two sign changes, in the order + - + where P is the wider law and
- + - where it is the narrower one, and at most one where the variances agree. Convolution with a
Laplace or normal density adds none and keeps the order of as many. So the signs of g in both tails
say how many zeros there are, and as many proved brackets determine g everywhere: no chart is
needed. This is a second route to what `chart` computes; the tests hold one against the other.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import erfc as float_erfc
from math import exp, inf, isfinite, log, pi, sqrt

from pfverify.decide.charts.measured_laplace import LaplaceMeasured
from pfverify.decide.charts.order import OneOrder
from pfverify.decide.charts.release import LaplaceRelease, NormalRelease, SmoothRelease
from pfverify.decide.charts.roots import sign_of
from pfverify.exact.ball import Ball, Raw, erfc, raw
from pfverify.laws.rate import Rate

_HALF_WIDTH = 2.0**-56  # of a bracket, in units of log(p/q)
_OUTWARD = 60
_STEPS = 60
_POLISHING = 4

Bracket = tuple[Fraction, Fraction]


def divergence_of_normals(order: OneOrder) -> Ball | None:
    """Enclose sup over B of P(Y in B) - e**epsilon Q(Y in B) at the current precision.

    None where the releases are not those of two single normal laws with positive variances, or
    where this route does not settle it.
    Example: ``divergence_of_normals(question.order(False))``.
    Source: design facts F5, F6.
    """
    if len(order.p) != 1 or len(order.q) != 1:
        return None
    added = order.release.added
    if not (order.p[0].variance + added and order.q[0].variance + added):
        return None
    return _ROUTES[type(order.release)](order)


def _under_laplace(order: OneOrder) -> Ball | None:
    """Laplace noise: brackets of as many zeros as the signs in the tails allow."""
    if not isinstance(order.release, LaplaceRelease):
        raise TypeError("the zeros are those under Laplace noise")
    measured = order.release.measured(order.signed(order.target.of_events()))
    spread = order.p[0].variance - order.q[0].variance
    tails = [measured.limit_sign(side)[0] for side in (-1, 1)]
    if tails == [-1, -1] and spread >= 0:
        return Ball(0)  # the only order left for two changes is - + -, that of a narrower P
    if 0 in tails or None in tails or (tails == [1, 1] and spread <= 0):
        return None
    try:
        zeros = _zeros(measured, order, tails, spread)
    except (OverflowError, ZeroDivisionError, ValueError):  # sizes beyond floats
        return None
    if zeros is None:
        return None
    return Ball(_divergence(measured, zeros, tails[0] == 1))


def _divergence(measured: LaplaceMeasured, zeros: list[Bracket], left_positive: bool) -> Raw:
    """Sum P - e**epsilon Q over the intervals where g > 0, and enclose what the brackets add."""
    total, unknown = raw(0), raw(0)
    start: Fraction | None = None
    positive = left_positive
    for low, high in [*zeros, (None, None)]:
        if positive:
            total += measured.excess([(start, low)])
        if low is not None and high is not None:
            unknown += measured.mass(low, high)[0]
        start, positive = high, not positive
    return total.union(total + unknown)


def _zeros(
    measured: LaplaceMeasured, order: OneOrder, tails: list[int | None], spread: Fraction
) -> list[Bracket] | None:
    """Return proved brackets of all zeros of g, from left to right."""
    ratio = _FloatRatio(order, measured.rate)
    (p,), (q,) = order.p, order.q
    centre = float(p.mean + q.mean) / 2
    reach = max(ratio.p[1], ratio.q[1], 1 / ratio.rho, abs(float(p.mean - q.mean)))
    if tails[0] == tails[1]:  # two zeros around a place of the other sign
        centre = float((p.mean * q.variance - q.mean * p.variance) / -spread)
        if not ratio(centre) * (tails[0] or 0) < 0:
            return None
        sides = [(-1, centre), (1, centre)]
    else:
        sides = [(0, centre)]
    found = []
    for side, middle in sides:
        low = middle if side > 0 else _outward(ratio, middle, -reach, tails[0])
        high = middle if side < 0 else _outward(ratio, middle, reach, tails[1])
        if low is None or high is None:
            return None
        bracket = _proved(measured, ratio, low, high)
        if bracket is None:
            return None
        found.append(bracket)
    return found


def _outward(
    ratio: Callable[[float], float], start: float, step: float, sign: int | None
) -> float | None:
    """Return a place outward at which floats see the sign of that tail."""
    for _ in range(_OUTWARD):
        if ratio(start + step) * (sign or 0) > 0:
            return start + step
        step *= 2
    return None


def _proved(
    measured: LaplaceMeasured, ratio: Callable[[float], float], low: float, high: float
) -> Bracket | None:
    """Find a zero in floats and prove opposite signs of g just beside it."""
    first, second = ratio(low), ratio(high)
    a, b, left, right = low, high, first, second
    x = a
    for _ in range(_STEPS):
        x = b - right * (b - a) / (right - left) if right != left else (a + b) / 2
        if not min(a, b) < x < max(a, b):
            x = (a + b) / 2
        value = ratio(x)
        if not isfinite(value):
            return None
        if value == 0 or abs(b - a) <= 4e-16 * max(abs(a), abs(b)):
            break
        if (value > 0) == (right > 0):
            left *= 0.5 if right == 0 or abs(value / right) > 0.5 else 1 - value / right
            b, right = x, value
        else:
            right *= 0.5 if left == 0 or abs(value / left) > 0.5 else 1 - value / left
            a, left = x, value
        if abs(value) < 1e-13:
            break
    step = max(1e-6 * (high - low), 1e-7 * abs(x))
    slope = (ratio(x + step) - ratio(x - step)) / (2 * step)
    if not slope or not isfinite(slope):
        return None
    # exact steps from the float zero, then half a width to either side
    middle = Fraction(x)
    for _ in range(_POLISHING):
        off = float(measured.log_ratio(middle).mid())
        middle -= Fraction(off / slope)
        if abs(off) < 1e-9:
            break
    half = Fraction(abs(_HALF_WIDTH / slope))
    ends = middle - half, middle + half
    signs = [sign_of(*measured.values(end)) for end in ends]
    wanted = [-1, 1] if slope > 0 else [1, -1]
    return ends if signs == wanted else None


class _FloatRatio:
    """log p(y)/(e**epsilon q(y)) in floats: a proposal, never a verdict."""

    def __init__(self, order: OneOrder, rate: Rate) -> None:
        self.rho = rate.ball().midpoint()
        self.epsilon = order.target.epsilon.ball().midpoint()
        self.p = float(order.p[0].mean), sqrt(order.p[0].variance)
        self.q = float(order.q[0].mean), sqrt(order.q[0].variance)

    def __call__(self, y: float) -> float:
        p, q = self._density(y, *self.p), self._density(y, *self.q)
        return log(p) - log(q) - self.epsilon if p > 0 and q > 0 else 0.0

    def _density(self, y: float, mean: float, sd: float) -> float:
        """2b times the normal-Laplace density (F6); scaled erfc keeps it finite."""
        z, s = (y - mean) / sd, sd * self.rho
        return _scaled(z, s - z) + _scaled(z, s + z)


def _scaled(z: float, a: float) -> float:
    """e**(s**2/2 -+ s z) Phi(-a) with a = s -+ z, that is e**((a**2 - z**2)/2) erfc(a/sqrt2)/2."""
    if a > 25:  # the asymptotic series of e**(a**2/2) erfc(a/sqrt2)/2
        t = 1 / (a * a)
        series = 1 - t * (1 - 3 * t * (1 - 5 * t * (1 - 7 * t * (1 - 9 * t))))
        return exp(-z * z / 2) * series / (a * sqrt(2 * pi))
    exponent = (a - z) * (a + z) / 2
    return exp(exponent) * float_erfc(a / sqrt(2)) / 2 if exponent < 700 else inf


def _under_normal(order: OneOrder) -> Ball | None:
    """Gaussian noise: the zeros of log p/(e**epsilon q) are those of a quadratic polynomial."""
    added = order.release.added
    p, q = order.p[0], order.q[0]
    v, w = p.variance + added, q.variance + added
    epsilon = order.target.epsilon.ball().raw
    shift = q.mean - p.mean  # in coordinates with the mean of P at 0
    a = raw((1 / w - 1 / v) / 2)
    b = raw(-shift / w)
    c = raw(shift * shift / (2 * w)) + raw(w / v).log() / 2 - epsilon
    factor = epsilon.exp()

    def mass(low: Raw | None, high: Raw | None) -> Raw:
        """P - e**epsilon Q of an interval, each law from the tail in which less is lost."""
        one = _interval(low, high, (2 * raw(v)).sqrt())
        moved = [None if end is None else end - raw(shift) for end in (low, high)]
        return one - factor * _interval(moved[0], moved[1], (2 * raw(w)).sqrt())

    if v == w:
        if not shift:
            return Ball(0) if epsilon >= 0 else None
        root = -c / b
        return Ball(mass(None, root) if shift > 0 else mass(root, None))
    inside = b * b - 4 * a * c
    if inside < 0:
        return Ball(0) if v < w else None
    if not inside > 0:
        return None
    root = inside.sqrt()
    # the root of larger size without cancellation, the other from the product
    large = -(b + root) / (2 * a) if b >= 0 else (root - b) / (2 * a)
    other = c / (a * large)
    low, high = (large, other) if large < other else (other, large)
    if not low < high:
        return None
    return Ball(mass(low, high) if v < w else mass(None, low) + mass(high, None))


def _interval(low: Raw | None, high: Raw | None, root: Raw) -> Raw:
    """Mass of an interval under a centred normal law with sqrt(2 variance) = root."""
    if low is None:
        return erfc(-high / root) / 2 if high is not None else raw(1)
    if high is None:
        return erfc(low / root) / 2
    if low > 0:
        return (erfc(low / root) - erfc(high / root)) / 2
    return (erfc(-high / root) - erfc(-low / root)) / 2


_ROUTES: dict[type[SmoothRelease], Callable[[OneOrder], Ball | None]] = {
    LaplaceRelease: _under_laplace,
    NormalRelease: _under_normal,
}

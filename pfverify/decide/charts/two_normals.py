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
from pfverify.exact.ball import (
    Ball,
    Raw,
    current_precision,
    dyadic,
    erfc,
    fraction_of,
    raw,
    upper_end,
)
from pfverify.laws.rate import Rate

_OUTWARD = 60
_STEPS = 60
_CLOSE = 1e-7  # in units of log(p/q): the next secant is about as near as floats can tell
_POLISHING, _FAR = 6, 0.5  # Newton's steps, and from where none is made
_SPARE = 12  # bits of half the precision by which a zero may be missed


def divergence_of_normals(order: OneOrder) -> Ball | None:
    """Enclose sup over B of P(Y in B) - e**epsilon Q(Y in B) at the current precision.

    None where the releases are not those of two single normal laws with positive variances,
    without steps, or where this route does not settle it.
    Example: ``divergence_of_normals(order)``.
    Source: design facts F5, F6.
    """
    if len(order.p) != 1 or len(order.q) != 1 or not order.plain:
        return None
    added = order.release.added
    if not (order.p[0].variance + added and order.q[0].variance + added):
        return None
    rate = order.release.rate
    return _under_normal(order) if rate is None else _under_laplace(order, rate)


def _under_laplace(order: OneOrder, rate: Rate) -> Ball | None:
    """Laplace noise: as many proved zeros as the signs in the tails allow.

    P - e**epsilon Q up to (or from) an output near each zero is what the divergence is but for the
    mass of |g| between the two, which `_near_zero` bounds.
    """
    measured = LaplaceMeasured(order.signed(order.target.of_events()), rate)
    spread = order.p[0].variance - order.q[0].variance
    tails = [measured.limit_sign(side) for side in (-1, 1)]
    if tails == [-1, -1] and spread >= 0:
        return Ball(0)  # the only order left for two changes is - + -, that of a narrower P
    if 0 in tails or None in tails or (tails == [1, 1] and spread <= 0):
        return None
    try:
        zeros = _zeros(_FloatRatio(order, rate), order, tails, spread)
    except (OverflowError, ZeroDivisionError, ValueError):  # sizes beyond floats
        return None
    total, unknown = raw(0), raw(0)
    for rising, side, place in zeros:
        found = _near_zero(measured, order, rising, side, place)
        if found is None:
            return None
        # P exceeds on the side from which the mass is taken, or it is that which is too much
        total += -rising * side * found[0]
        unknown += found[1]
    return Ball(total.union(total + unknown)) if zeros else None


def _near_zero(
    measured: LaplaceMeasured, order: OneOrder, rising: int, side: int, place: float
) -> tuple[Raw, Raw] | None:
    """Return P - e**epsilon Q up to (`side` 1) or from (-1) an output c, and what it may miss.

    g has a zero z near c, where it rises (`rising` 1) or falls (-1); the second number bounds the
    mass of |g| between c and z. None where that is not proved. How: with L and R those of
    P - e**epsilon Q at y, times e**(-rho c) and e**(rho c), and u = e**(2 rho (y - c)), G = L + u R
    is 2b g e**(rho (y - c)), so has the zeros of g, and dG/du = R. Within h <= v/|c - m| of c the
    density of N(m, v) is at most e times that at c. So for h <= b/4 too the slope R changes within
    h of c by at most e**(1/4) h D, where D is e times the sum of the densities of P and of
    e**epsilon Q at c; for h <= |R|/(3 D) that is below |R|/2: the slope keeps its sign, and at
    least half its size. From c to c - h, and more so to c + h, u changes by at least
    1 - e**(-2 rho h) >= 3/2 rho h, since 1 - e**-x >= x - x**2/2. So G has a zero within h of c if
    |G| < 3/4 rho h |R|, and one only; as g dy = G u**(-3/2)/4 du, the mass of |g| up to it is at
    most |G| |G|/(|R|/2) e**(3/4)/4 < 2 G**2/|R|.
    """
    rho, factor = measured.rho, measured.factor
    y = Fraction(place)
    small = 2.0 ** (_SPARE - current_precision() // 2)
    for _ in range(_POLISHING):
        p, q = measured.p.sides(y), measured.q.sides(y)
        slope = (p.right - factor * q.right) * rising
        gap = p.left + p.right - factor * (q.left + q.right)
        off = gap / slope * rising
        if not (slope > 0 and abs(off) < _FAR):
            return None
        half, steep = 1 / (4 * rho), raw(0)
        for (_, mean, variance), size in ((order.p[0], raw(1)), (order.q[0], factor)):
            v, away = raw(variance), abs(raw(mean) - raw(y))
            half = half.min(v / (away + 1 / rho))
            steep += size * (1 - away * away / (2 * v)).exp() / (2 * Raw.pi() * v).sqrt()
        half = half.min(slope / (3 * steep))
        if abs(off) < small and abs(gap) < 3 * rho * half * slope / 4:
            mass = measured.p.beside(y, side, p) - factor * measured.q.beside(y, side, q)
            return mass, upper_end(2 * gap * gap / slope)
        y += fraction_of(dyadic(((-off).log1p() / (2 * rho)).mid()))  # Newton's step in u
    return None


def _zeros(
    ratio: _FloatRatio, order: OneOrder, tails: list[int | None], spread: Fraction
) -> list[tuple[int, int, float]]:
    """Return for each zero of g whether it rises there, a side, and a float near it.

    The side (1: all that is less) is that on which P exceeds, of two zeros between which it does
    the one with less mass. None at all where floats do not see as many as the tails say.
    """
    (p,), (q,) = order.p, order.q
    centre = float(p.mean + q.mean) / 2
    reach = max(ratio.p[1], ratio.q[1], 1 / ratio.rho, abs(float(p.mean - q.mean)))
    if tails[0] == tails[1]:  # two zeros around a place of the other sign
        centre = float((p.mean * q.variance - q.mean * p.variance) / -spread)
        if not ratio(centre) * (tails[0] or 0) < 0:
            return []
        ends = [(_outward(ratio, centre, -reach, tails[0]), centre),
                (centre, _outward(ratio, centre, reach, tails[1]))]  # fmt: skip
    else:
        ends = [(_outward(ratio, centre, -reach, tails[0]),
                 _outward(ratio, centre, reach, tails[1]))]  # fmt: skip
    places = [_zero(ratio, *end) for end in ends]
    first = tails[0] or 0
    less = 1 if sum(places) < 2 * float(p.mean) else -1
    between = tails == [-1, -1]
    return [
        (rising, less if between else -rising, place)
        for rising, place in zip([-first, first], places, strict=False)
    ]


def _outward(
    ratio: Callable[[float], float], start: float, step: float, sign: int | None
) -> float:
    """Return a place outward at which floats see the sign of that tail, or raise ValueError."""
    for _ in range(_OUTWARD):
        if ratio(start + step) * (sign or 0) > 0:
            return start + step
        step *= 2
    raise ValueError("no such place")


def _zero(ratio: Callable[[float], float], low: float, high: float) -> float:
    """Return a float near a zero between two places where floats see both signs."""
    a, b, left, right = low, high, ratio(low), ratio(high)
    x, value = b, right
    for _ in range(_STEPS):
        before, x = (x, value), b - right * (b - a) / (right - left) if right != left else a
        if not min(a, b) < x < max(a, b):
            x = (a + b) / 2
        value = ratio(x)
        if not isfinite(value):
            raise ValueError("no such zero")
        if abs(value) < _CLOSE or abs(b - a) <= 4e-16 * max(abs(a), abs(b)):
            break
        # the value of an end that stays is made smaller (Anderson-Bjorck)
        if (value > 0) == (right > 0):
            left *= 0.5 if right == 0 or abs(value / right) > 0.5 else 1 - value / right
            b, right = x, value
        else:
            right *= 0.5 if left == 0 or abs(value / left) > 0.5 else 1 - value / left
            a, left = x, value
    if value == before[1]:
        return x
    found = x - value * (x - before[0]) / (value - before[1])
    return found if min(a, b) <= found <= max(a, b) else x


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

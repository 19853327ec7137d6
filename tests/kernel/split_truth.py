"""What `core.smooth.Split` encloses, by mpmath: of P - factor Q the sums of mu+ and of mu-."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from core.enclose import Arithmetic, Interval
from core.shapes import parse
from core.smooth import Pair, Smooth, Split
from core.value import form_of
from mpmath import erfc, exp, mp, mpf, sqrt

F = Fraction
BITS = 64
Law = tuple[tuple[Any, Any, Fraction], ...]  # mean, variance and weight
Term = tuple[mpf, mpf, mpf]
# some of P and Q are alike, of which some cancel
P: Law = (
    (0, 0, F(1, 8)),
    (1, 0, F(1, 4)),
    (0, 2, F(1, 8)),
    (-1, 1, F(1, 4)),
    (3, F(1, 2), F(1, 4)),
)
Q: Law = ((1, 0, F(1, 8)), (2, 0, F(1, 4)), (-2, 0, F(1, 8)), (-1, 1, F(1, 8)),
          (3, F(1, 2), F(3, 8)))  # fmt: skip


def goal(scale: Any = None, spread: Any = 0, p: Law = P, q: Law = Q) -> Any:
    def law(of: Law) -> Smooth:
        components = tuple((F(m), F(v), w) for m, v, w in sorted(of))
        return Smooth(components, None if scale is None else F(scale), F(spread))

    return SimpleNamespace(P=law(p), Q=law(q))


def split(epsilon: str, flat: Interval | None = None, **of: Any) -> Split:
    return Split(goal(**of), form_of(parse(epsilon)), Arithmetic(BITS), flat)


def num(x: Any) -> mpf:
    return mpf(F(x).numerator) / F(x).denominator


def signed(factor: mpf, spread: Any = 0, p: Law = P, q: Law = Q) -> list[Term]:
    """Mean, variance and weight of what is left of each law."""
    first, second = ({(num(m), num(v)): num(w) for m, v, w in law} for law in (p, q))
    return [
        (m, v + num(spread), first.get((m, v), 0) - factor * second.get((m, v), 0))
        for m, v in {**first, **second}
    ]


def pair(values: list[mpf]) -> tuple[mpf, mpf]:
    return mp.fsum(x for x in values if x > 0), -mp.fsum(x for x in values if x < 0)


def encloses(found: Interval, value: mpf, bits: int = BITS - 12) -> bool:
    """Whether the value is inside, and near to both ends."""
    low, high = (mp.ldexp(end, found[2]) for end in found[:2])
    rounding = abs(value) * mpf(2) ** -180
    inside = low <= value + rounding and value - rounding <= high
    return bool(inside and high - low <= abs(value) * mpf(2) ** -bits)


def both(found: Pair, values: list[mpf], bits: int = BITS - 12) -> bool:
    expected = pair(values)
    return all(encloses(x, value, bits) for x, value in zip(found, expected, strict=True))


def one_sided(t: Term, y: mpf, rate: mpf, way: int, counts: bool) -> mpf:
    """The integral of e^(way rate x) over what of a term is below y (1) or above (-1); an atom at y
    counts or not."""
    m, v, w = t
    if v:
        at = (v * rate - way * (y - m)) / sqrt(2 * v)
        return w * exp(way * m * rate + v * rate * rate / 2) * erfc(at) / 2
    return w * exp(way * rate * m) if way * m < way * y or (m == y and counts) else mpf(0)


def beyond(t: Term, y: mpf, way: int, rate: mpf | None) -> mpf:
    """The mass of a term above y (1) or below (-1), after Laplace noise or without; of an atom
    without noise nothing is counted."""
    m, v, w = t
    z = way * (y - m)
    tail = erfc(z / sqrt(2 * v)) / 2 if v else mpf(0)
    if rate is None:
        return w * tail
    if not v:
        return w * (exp(-rate * z) / 2 if z > 0 else 1 - exp(rate * z) / 2)
    grown, drift = exp(v * rate * rate / 2) / 4, v * rate
    near = grown * exp(-rate * z) * erfc((drift - z) / sqrt(2 * v))
    far = grown * exp(rate * z) * erfc((drift + z) / sqrt(2 * v))
    return w * (tail + near - far)

"""The largest log ratio (epsilon*) and the largest excess of densities, enclosed.

A lower end is the value at one output, or the limit of a tail; the upper end is a threshold just
above it at which the sign chart proves that nothing is larger. Where the chart shows an output
with more, the search goes on from there (Dinkelbach's iteration), so few charts are needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from pfverify.decide.charts.bare import infinite_place
from pfverify.decide.charts.laplace_order import LaplaceOrder
from pfverify.decide.charts.normal_order import NormalOrder
from pfverify.decide.charts.order import OneOrder, atoms_proved, chart_places
from pfverify.decide.exponential.pair import Target
from pfverify.decide.outcome import Enclosure, exact_enclosure, round_inside
from pfverify.exact.ball import Raw, current_precision, dyadic, precision, raw
from pfverify.exact.decimals import decimal_lower, decimal_step, decimal_text
from pfverify.exact.number import Number

INFINITE = Enclosure("inf", "inf")
_ROUNDS = 60
_GOLDEN = 40
_SHORTER = 4  # digits by which a decimal is so short that the loss may well be it
_BOUND_BITS = 512
_FAR = 20_000  # of the exponent of 2
_LADDER = (-5000, -1000, -300, -100, -30, -12, -6, -3, -1, 0, 1, 2, 3, 6, 12, 30)


@dataclass(frozen=True)
class Supremum:
    """An enclosed supremum and where it is reached (or approached: "-inf", "inf")."""

    value: Enclosure
    where: Fraction | str


Measured = LaplaceOrder | NormalOrder
ValueAt = Callable[[Measured, Fraction], Raw]


def largest_loss(order: OneOrder, digits: int) -> Supremum:
    """Enclose sup over y of log p(y)/q(y) to `digits` significant digits.

    "inf" where Gaussian noise, or none, leaves the ratio unbounded.
    """
    if order.equal:
        return Supremum(Enclosure("0", "0"), "inf")
    if (place := infinite_place(order)) is not None:
        return Supremum(INFINITE, place)
    if order.question.rate is None:
        for side in (1, -1):
            if _unbounded(order, side):
                return Supremum(INFINITE, _end(side))

    def target(threshold: Fraction) -> Target:
        return Target(Number.of_rational(threshold), Number.of_rational(0))

    def value(measured: Measured, y: Fraction) -> Raw:
        p, q = measured.values(y)
        return (p / q).log() + measured.signed.target.epsilon.ball().raw

    found = _search(order, digits, target, "events", value, _tail_losses)
    round_ = round_inside(found.value, _SHORTER)
    if round_ is not None:  # where the supremum is the limit of a tail, a tie there is decided
        question = replace(order.question, target=target(round_), form="events")
        again = OneOrder(question, order.reverse)
        if again.pure_sign(question.target, "events").sign == 0:
            return Supremum(exact_enclosure(round_, digits), found.where)
    return found


def largest_excess(order: OneOrder, digits: int) -> Supremum:
    """Enclose sup over y of p(y) - e**epsilon q(y) (densities), 0 where it is not positive."""
    epsilon = order.question.target.epsilon
    if order.equal or order.pure_sign(Target(epsilon, Number.of_rational(0)), "events").sign in (
        -1,
        0,
    ):
        return Supremum(Enclosure("0", "0"), "inf")

    def target(threshold: Fraction) -> Target:
        return Target(epsilon, Number.of_rational(threshold))

    def value(measured: Measured, y: Fraction) -> Raw:
        p, q = measured.values(y)
        threshold = measured.signed.target.delta.ball().raw
        if isinstance(measured, LaplaceOrder):
            return (p - q) * measured.rho / 2 + threshold
        return p - q + threshold

    return _search(order, digits, target, "pointwise", value, lambda measured: [])


def _search(
    order: OneOrder,
    digits: int,
    target: Callable[[Fraction], Target],
    form: str,
    value: ValueAt,
    tails: Callable[[Measured], list[tuple[Raw, Fraction | str]]],
) -> Supremum:
    best: Fraction | None = None
    where: Fraction | str = "inf"
    seeds = [part.mean for part in (*order.p, *order.q)]
    bits = max(128, 64 + 8 * digits) + order.extra_bits
    last = order.last_bits(bits)
    threshold = Fraction(0)
    with precision(bits):
        measured = order.measured(target(Fraction(0)), form)
        for limit, name in tails(measured):
            low = _lower(limit)
            if low is not None and (best is None or low > best):
                best, where = low, name
        best, where = _improved(measured, value, seeds, best, where)
    for _ in range(_ROUNDS):
        if best is not None and best > 0:
            step = decimal_step(best, digits)
            threshold = ((best / step).__ceil__() + 1) * step
            if threshold - best > 2 * step:
                threshold -= step
        with precision(bits):
            measured = order.measured(target(threshold), form)
            chart = measured.chart(2.0 ** (-0.4 * bits))
            proved = chart.never_positive and atoms_proved(measured)
            if proved and threshold > 0 and best is not None:
                upper = decimal_text(threshold, digits)
                return Supremum(Enclosure(decimal_lower(best, digits), upper), where)
            places = chart_places(chart)
            found, at = _improved(measured, value, places, best, where)
            if found is not None and (best is None or found > best):
                best, where = _polished(measured, value, places, found, at)
                continue
        bits *= 2
        if bits > last:
            break
    lower = "0" if best is None or best <= 0 else decimal_lower(best, digits)
    return Supremum(Enclosure(lower, _some_bound(order, target, form, best)), where)


def _some_bound(
    order: OneOrder, target: Callable[[Fraction], Target], form: str, best: Fraction | None
) -> str:
    """Return a power of ten (wide, but right) that is proved to be an upper end, else "inf"."""
    with precision(_BOUND_BITS + order.extra_bits):
        for exponent in _LADDER:
            threshold = Fraction(10) ** exponent
            if best is not None and threshold < best:
                continue
            measured = order.measured(target(threshold), form)
            if measured.chart(2.0**-200).never_positive and atoms_proved(measured):
                return f"1e{exponent}"
    return "inf"


def _improved(
    measured: Measured,
    value: ValueAt,
    places: list[Fraction],
    best: Fraction | None,
    where: Fraction | str,
) -> tuple[Fraction | None, Fraction | str]:
    for y in places:
        low = _lower(value(measured, y))
        if low is not None and (best is None or low > best):
            best, where = low, y
    return best, where


def _polished(
    measured: Measured,
    value: ValueAt,
    places: list[Fraction],
    best: Fraction,
    where: Fraction | str,
) -> tuple[Fraction, Fraction | str]:
    """Climb by golden sections between the neighbours of the best place."""
    if isinstance(where, str):
        return best, where
    ordered = sorted(set(places))
    lower = [y for y in ordered if y < where]
    upper = [y for y in ordered if y > where]
    a = lower[-1] if lower else where - 1
    b = upper[0] if upper else where + 1
    share = Fraction(382, 1000)
    for _ in range(_GOLDEN):
        unit = (b - a) / 2**12
        c, d = (_short(a + (b - a) * s, unit) for s in (share, 1 - share))
        with precision(max(96, current_precision() // 2)):
            first, second = value(measured, c).mid(), value(measured, d).mid()
        if first > second:
            b = d
        else:
            a = c
    middle = (a + b) / 2
    low = _lower(value(measured, middle))
    return (low, middle) if low is not None and low > best else (best, where)


def _short(x: Fraction, unit: Fraction) -> Fraction:
    grain = Fraction(2) ** (unit.numerator.bit_length() - unit.denominator.bit_length())
    return (x / grain).__round__() * grain


def _lower(value: Raw) -> Fraction | None:
    if not value.is_finite():
        return None
    mantissa, exponent = dyadic(value.lower())
    if abs(exponent) > _FAR:  # of no use as a threshold, and a monster as a fraction
        return None
    return mantissa * Fraction(2) ** exponent


def _tail_losses(measured: Measured) -> list[tuple[Raw, Fraction | str]]:
    """Return the limits of log p/q in both tails, and its values at bare atoms of both laws."""
    if isinstance(measured, LaplaceOrder):
        return [
            ((measured.p.transform(side) / measured.q.transform(side)).log(), _end(side))
            for side in (1, -1)
        ]
    limits: list[tuple[Raw, Fraction | str]] = [
        (raw(atom.p / atom.q).log(), atom.mean) for atom in measured.signed.atoms if atom.q
    ]
    for side in (1, -1):
        p, q = (_top(parts, side) for parts in (measured.signed.first, measured.signed.second))
        if p[:2] == q[:2]:
            limits.append((raw(p[2] / q[2]).log(), _end(side)))
    return limits


def _unbounded(order: OneOrder, side: int) -> bool:
    return _top(order.p, side)[:2] > _top(order.q, side)[:2]


def _top(components: object, side: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return (variance, side * mean, weight) of the term that dominates a tail."""
    return max((c.variance, side * c.mean, c.weight) for c in components)  # type: ignore[attr-defined]


def _end(side: int) -> str:
    return "inf" if side > 0 else "-inf"

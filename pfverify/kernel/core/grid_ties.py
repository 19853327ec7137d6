"""Differences of two releases of points at points of the grid, exactly, for ties.  As in `grid`.

All exponents, epsilon and -sum_i rho_i |c_i - x_i|, are integers over one denominator for each
generator that they are made of, and all masses integers over another: what cancels is gone before
an exponential sum is made of the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul, sub

from core.grammar import Number
from core.points import Point, Rows
from core.shapes import common_denominator
from core.value import form_of
from core.work import product, spend
from core.zero import Form, Sum


class Differences:
    """p - e^epsilon q of two laws, times a whole number and up to the noise's constant."""

    def __init__(self, laws: Sequence[Rows], rates: Sequence[Form], epsilon: Number) -> None:
        forms = [*rates, form_of(epsilon)]
        self.generators = sorted({g for form in forms for g, _ in form}, key=repr)
        whole = common_denominator((c for form in forms for _, c in form), "the rates")
        unit = common_denominator((c for law in laws for x, _ in law for c in x), "the points")
        masses = common_denominator((m for law in laws for _, m in law), "the masses")
        self.below, self.unit = whole * unit, unit
        columns = [[int(dict(form).get(g, 0) * whole) for form in forms] for g in self.generators]
        self.rates = [column[:-1] for column in columns]
        self.epsilon = [column[-1] * unit for column in columns]
        self.laws = [
            [(self._scaled(x), m.numerator * (masses // m.denominator)) for x, m in law]
            for law in laws
        ]
        bits = self.below.bit_length() + masses.bit_length()
        self.cost = sum(map(len, laws)) * (8 + 3 * len(rates) * len(self.rates) + product(bits))

    def _scaled(self, point: Point) -> list[int]:
        return [int(x * self.unit) for x in point]

    def at(self, point: Point) -> Sum:
        """The difference at a point of the grid."""
        spend(self.cost)
        place, nothing = self._scaled(point), [0] * len(self.generators)
        total: dict[tuple[int, ...], int] = {}
        for law, shift, sign in zip(self.laws, (nothing, self.epsilon), (1, -1), strict=True):
            for x, mass in law:
                far = [*map(abs, map(sub, place, x))]
                key = tuple(
                    [n - sum(map(mul, rate, far))
                     for n, rate in zip(shift, self.rates, strict=True)]
                )  # fmt: skip
                total[key] = total.get(key, 0) + sign * mass
        return {self._form(key): Fraction(mass) for key, mass in total.items() if mass}

    def _form(self, key: tuple[int, ...]) -> Form:
        spend(64)
        return frozenset(
            (g, Fraction(n, self.below)) for g, n in zip(self.generators, key, strict=True) if n
        )

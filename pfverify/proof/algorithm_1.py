"""Algorithm 1 of the noise-reduction paper as printed, in exact rational arithmetic.

Everything happens in t = e^(1/theta), where f(t) = sum_x (t^|x-x'| - e^epsilon) pi(x, x') is a
polynomial. Two things the text leaves open are read in its favour: the N of line 5 is the n of the
text, and columns without mass off the diagonal, where line 4 divides by 0, are left out. Nothing
else is repaired. A starting point t_b = t_a^(1/n) that is not rational is bad input.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pfverify.errors import InputError
from pfverify.model.priors.discrete import Discrete
from pfverify.transport.line import monotone_plan

TOLERANCE = Fraction(1, 1000)
MAX_ITERATIONS = 50
_MAX_DISTANCE = 1_000  # the degree of f
_MAX_BITS = 10_000  # of a point: inverse quadratic interpolation can make it grow fivefold


@dataclass(frozen=True)
class PlanColumn:
    """A column x' of a plan: the mass at each distance |x-x'|, and e^epsilon."""

    masses: Mapping[int, Fraction]
    e: Fraction

    def f(self, t: Fraction) -> Fraction:
        """The polynomial of line 3."""
        return sum(((t**d - self.e) * mass for d, mass in self.masses.items()), Fraction(0))

    def start(self, n: int) -> tuple[Fraction, Fraction]:
        """Return t_a = e^Phi and t_b = e^(Phi/n), lines 4 to 6; n is the largest distance."""
        whole, diagonal = sum(self.masses.values(), Fraction(0)), self.masses.get(0, Fraction(0))
        if whole == diagonal:
            raise InputError("line 4 divides by 0: the column has no mass off the diagonal")
        t_a = (self.e * whole - diagonal) / (whole - diagonal)
        return t_a, Fraction(_root(t_a.numerator, n), _root(t_a.denominator, n))


@dataclass(frozen=True)
class Run:
    """The points t_a, t_b, t_c before the first and after every iteration of one column."""

    a: tuple[Fraction, ...]
    b: tuple[Fraction, ...]
    c: tuple[Fraction, ...]

    @property
    def output(self) -> Fraction:
        """The t of max(1/log t_c, 1/log t_b), lines 19 and 20."""
        return min(self.b[-1], self.c[-1])


def columns(p: Discrete, q: Discrete, e: Fraction) -> tuple[dict[Fraction, PlanColumn], int]:
    """Return the columns of the monotone plan that have mass off the diagonal, and n."""
    plan = monotone_plan(p, q)
    masses: dict[Fraction, dict[int, Fraction]] = {}
    for x, z, mass in plan.edges:
        distance = Fraction(abs(x - z), plan.denominator)
        if distance.denominator != 1:
            raise InputError("the distances of the plan must be whole numbers")
        column = masses.setdefault(Fraction(z, plan.denominator), {})
        column[int(distance)] = column.get(int(distance), Fraction(0)) + Fraction(mass, plan.total)
    n = max((d for column in masses.values() for d in column), default=0)
    if n > _MAX_DISTANCE:
        raise InputError(f"a distance of the plan is larger than {_MAX_DISTANCE}")
    return {z: PlanColumn(column, e) for z, column in masses.items() if set(column) != {0}}, n


def run_column(
    column: PlanColumn, n: int, tolerance: Fraction = TOLERANCE, limit: int = MAX_ITERATIONS
) -> Run:
    """Run lines 4 to 18 for one column.

    Raises InputError where line 4 divides by 0 or a point is no manageable rational number.
    """
    f = column.f
    t_a, t_b = column.start(n)
    if abs(f(t_b)) > abs(f(t_a)):  # line 7
        t_a, t_b = t_b, t_a
    t_c = t_a  # line 8
    points = [(t_a, t_b, t_c)]
    while abs(t_b - t_c) > tolerance and len(points) <= limit:  # line 9
        if f(t_a) != f(t_c) and f(t_b) != f(t_c):
            t = _inverse_quadratic((t_a, f(t_a)), (t_b, f(t_b)), (t_c, f(t_c)))  # line 11
        elif f(t_a) != f(t_b):
            t = (t_a * f(t_b) - t_b * f(t_a)) / (f(t_b) - f(t_a))  # line 13
        else:
            t = (t_b + t_c) / 2  # line 15
        if not min(t_b, t_c) < t < max(t_b, t_c):
            t = (t_b + t_c) / 2  # line 17
        if t.denominator.bit_length() > _MAX_BITS:
            raise InputError("a point of the run has too many digits")
        t_a, t_c, t_b = t_c, t_b, t  # line 18
        points.append((t_a, t_b, t_c))
    a, b, c = zip(*points, strict=True)
    return Run(a, b, c)


def run(
    p: Discrete, q: Discrete, e: Fraction, tolerance: Fraction = TOLERANCE,
    limit: int = MAX_ITERATIONS,
) -> Fraction:  # fmt: skip
    """Run all columns; return the t of the noise parameter 1/log t that line 22 returns."""
    found, n = columns(p, q, e)
    if not found:
        raise InputError("no column has mass off the diagonal")
    return min(run_column(column, n, tolerance, limit).output for column in found.values())


Point = tuple[Fraction, Fraction]


def _inverse_quadratic(a: Point, b: Point, c: Point) -> Fraction:
    """The value at 0 of the quadratic in f through three points (t, f(t)).

    Their f are different: f is increasing and line 18 keeps the three t apart.
    """
    (s, u), (t, v), (r, w) = a, b, c
    return (
        s * v * w / ((u - v) * (u - w))
        + t * u * w / ((v - u) * (v - w))
        + r * u * v / ((w - u) * (w - v))
    )


def _root(value: int, n: int) -> int:
    """The whole n-th root; InputError if there is none."""
    low, high = 0, value
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**n <= value else (low, middle - 1)
    if low**n != value:
        raise InputError(f"the starting point t_b is not rational: {n} is not the order of a root")
    return low

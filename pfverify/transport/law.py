"""The two sides of a coupling: points with integer masses over one denominator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.model.priors.discrete import Discrete

Point: TypeAlias = "Fraction | tuple[Fraction, Fraction] | str"
Masses: TypeAlias = "Discrete | Mapping[object, object]"


@dataclass(frozen=True)
class FiniteLaw:
    """Finitely many points with positive masses weight/denominator.

    Attributes: `points`, sorted; `weights`, positive integers, one per point; `denominator`;
    `known`, every point that the input names, those of mass 0 included.
    """

    points: tuple[Point, ...]
    weights: tuple[int, ...]
    denominator: int
    known: frozenset[Point]

    @property
    def total(self) -> Fraction:
        """The sum of the masses."""
        return Fraction(sum(self.weights), self.denominator)


@dataclass(frozen=True)
class Sides:
    """Two laws over one denominator.

    Attributes: `rows` and `columns`, the points with positive mass; `supply` and `demand`,
    their integer masses over `total`; `known`, every point that either law names.
    """

    rows: tuple[Point, ...]
    supply: tuple[int, ...]
    columns: tuple[Point, ...]
    demand: tuple[int, ...]
    total: int
    known: frozenset[Point]


def point(value: object, name: str = "point") -> Point:
    """Return a number as a Fraction, a pair of numbers as a pair of Fractions, text as it is.

    Raises InputError for anything else (floats and NaN too).
    Example: ``point((1, "1/2"))`` is ``(Fraction(1), Fraction(1, 2))``; ``point("1")`` is ``"1"``,
    a name.
    """
    if isinstance(value, str | Fraction):
        return value
    if isinstance(value, tuple | list):
        if len(value) != 2:
            raise InputError(f"{name} {shorten(value)}: expected a pair of coordinates")
        return rational(value[0], name), rational(value[1], name)
    return rational(value, name)


def law(masses: Masses, name: str = "law") -> FiniteLaw:
    """Return the points and integer masses of a prior, or of a table point -> mass.

    Shapes: any number of points, all numbers, or all pairs, or all names. The masses need not
    sum to 1; points of mass 0 are known but carry nothing.
    Raises InputError naming the point whose mass is negative, NaN, or no exact number.
    Example: ``law({"a": "1/4", "b": "3/4"}).weights`` is ``(1, 3)``.
    Source: distribution-privacy paper, section 2.1 (probability distributions).
    """
    if isinstance(masses, Discrete):
        atoms = masses.atoms
        return FiniteLaw(atoms, masses.weights, masses.total, frozenset(atoms))
    if not isinstance(masses, Mapping):
        raise InputError(f"{name}: expected a table point -> mass, got {type(masses).__name__}")
    found: dict[Point, Fraction] = {}
    for key, value in masses.items():
        where = point(key, f"{name}: point")
        mass = rational(value, f"{name}: mass of {show(where)}")
        if mass < 0:
            raise InputError(f"{name}: mass of {show(where)} is {mass}, expected a number >= 0")
        if where in found:
            raise InputError(f"{name}: {show(where)} stands there twice")
        found[where] = mass
    if not any(found.values()):
        raise InputError(f"{name}: no point has positive mass")
    if len({type(key) for key in found}) > 1:
        raise InputError(f"{name}: expected all numbers, all pairs or all names as points")
    scale = lcm(*(mass.denominator for mass in found.values()))
    pairs = sorted((key, int(mass * scale)) for key, mass in found.items() if mass)
    return FiniteLaw(
        tuple(key for key, _ in pairs),
        tuple(weight for _, weight in pairs),
        scale,
        frozenset(found),
    )


def sides(first: Masses, second: Masses, *, factor: Fraction = Fraction(1)) -> Sides:
    """Return two laws over one denominator, the second multiplied by `factor`.

    Raises InputError naming the exact difference if the totals (before the factor) differ.
    Example: ``sides({"a": 1}, {"b": "1/2", "c": "1/2"}).supply`` is ``(2,)``.
    Source: design fact F10.
    """
    p, q = law(first, "first law"), law(second, "second law")
    if p.total != q.total:
        raise InputError(
            f"unequal totals: the first law sums to {shorten(p.total)}, the second to "
            f"{shorten(q.total)}, difference {shorten(p.total - q.total)}, expected 0"
        )
    total = lcm(p.denominator, q.denominator * factor.denominator)
    supply = [weight * (total // p.denominator) for weight in p.weights]
    scale = factor * Fraction(total, q.denominator)
    demand = [weight * scale.numerator // scale.denominator for weight in q.weights]
    common = gcd(total, *supply, *demand)
    return Sides(
        p.points,
        tuple(weight // common for weight in supply),
        q.points,
        tuple(weight // common for weight in demand),
        total // common,
        p.known | q.known,
    )


def numbers(points: Iterable[Point], name: str = "absolute difference") -> list[Fraction]:
    """Return points of the line as numbers; InputError names the first that is none."""
    found = []
    for where in points:
        if not isinstance(where, Fraction):
            raise InputError(f"{name}: {show(where)} is not a number")
        found.append(where)
    return found


def show(where: Point) -> str:
    """Return a point as short text: ``1/2``, ``(0, 1/2)`` or the name."""
    if isinstance(where, tuple):
        return f"({shorten(where[0], 24)}, {shorten(where[1], 24)})"
    return shorten(where, 24)

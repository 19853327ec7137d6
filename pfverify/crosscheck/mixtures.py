"""Families of pairs of normal laws and mixtures."""

from __future__ import annotations

from pfverify.crosscheck.case import Normals, Row, reweighted
from pfverify.crosscheck.draw import DrawStream, normalised
from pfverify.crosscheck.families import DrawnPair, Family, nudged


def _rows(draw: DrawStream, count: int, unit: float = 1.0) -> tuple[Row, ...]:
    """Components whose means and standard deviations are a few units."""
    return tuple(
        (weight, draw.whole(-8, 8) / 4 * unit, (draw.whole(1, 8) / 4 * unit) ** 2)
        for weight in draw.masses(count)
    )


def normal_pair(
    p: tuple[Row, ...],
    q: tuple[Row, ...],
    unit: float = 1.0,
    *,
    epsilon: float | None = None,
    scale: float | None = None,
) -> DrawnPair:
    """Return two mixtures of normal laws, by their rows.

    Example: ``normal_pair(((1.0, 0.0, 1.0),), ((1.0, 1.0, 1.0),)).unit`` is 1.0.
    """
    return DrawnPair(Normals(p), Normals(q), unit, epsilon, scale)


def two_normals(draw: DrawStream, lattice: bool) -> DrawnPair:
    """One normal law each."""
    del lattice
    return normal_pair(_rows(draw, 1), _rows(draw, 1))


def translations(draw: DrawStream, lattice: bool) -> DrawnPair:
    """A law moved by epsilon * scale exactly, or one unit in the last place off: a tie far out."""
    del lattice
    epsilon, scale = draw.whole(1, 16) / 8, draw.whole(1, 32) / 8
    rows = _rows(draw, draw.whole(1, 2))
    shift = epsilon * scale * draw.pick((1, -1))
    moved = tuple((weight, mean + shift, variance) for weight, mean, variance in rows)
    return normal_pair(rows, moved, abs(shift), epsilon=nudged(draw, epsilon), scale=scale)


def random_mixtures(draw: DrawStream, lattice: bool) -> DrawnPair:
    """Two or three components each."""
    del lattice
    return normal_pair(_rows(draw, draw.whole(2, 3)), _rows(draw, draw.whole(2, 3)))


def shared(draw: DrawStream, lattice: bool) -> DrawnPair:
    """The same components with other weights: the ratio is bounded without noise."""
    del lattice
    rows = _rows(draw, draw.whole(2, 3))
    return normal_pair(rows, reweighted(rows, draw.masses(len(rows))))


def with_atoms(draw: DrawStream, lattice: bool) -> DrawnPair:
    """Mixtures of which one component is an atom."""
    del lattice
    sides = []
    for _ in range(2):
        (first, *rest) = _rows(draw, 2)
        sides.append(((first[0], first[1], 0.0), *rest))
    return normal_pair(sides[0], sides[1])


def sizes(draw: DrawStream, lattice: bool) -> DrawnPair:
    """Means and standard deviations of sizes between 1e-6 and 1e6."""
    del lattice
    unit = draw.size(-6, 6)
    return normal_pair(_rows(draw, 1, unit), _rows(draw, 2, unit), unit)


def alike(draw: DrawStream, lattice: bool) -> DrawnPair:
    """The same law twice, or nearly so."""
    del lattice
    rows = _rows(draw, 2)
    if draw.chance(0.5):
        return normal_pair(rows, rows)
    (weight, mean, variance), *rest = rows
    return normal_pair(rows, ((weight, mean + 1 / 1024, variance), *rest))


def light(draw: DrawStream, lattice: bool) -> DrawnPair:
    """A component of little weight far out, which is what tells the laws apart."""
    del lattice
    _, mean, variance = _rows(draw, 1)[0]
    heavy, weight = normalised([1.0, draw.pick((1e-3, 1e-6, 1e-9))])
    p = (heavy, mean, variance), (weight, draw.pick((-30.0, 30.0)), 1.0)
    q = ((1.0, mean, variance),)
    return normal_pair(p, q, 10.0) if draw.chance(0.5) else normal_pair(q, p, 10.0)


MIXTURES: dict[str, Family] = {
    "ties": translations,
    "two normals": two_normals,
    "mixtures": random_mixtures,
    "light components": light,
    "shared components": shared,
    "atoms in mixtures": with_atoms,
    "any size": sizes,
    "alike": alike,
}
"""The families of normal laws, in the order in which they take turns."""

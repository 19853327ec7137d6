"""Families of pairs of atoms, each hard for implementations in its own way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nextafter

from pfverify.crosscheck.case import AtomLaw, Floats, Law
from pfverify.crosscheck.draw import DrawStream, normalised


@dataclass(frozen=True)
class DrawnPair:
    """A pair of laws, and what the numbers of its question go by.

    `unit` is a distance that matters; `epsilon` and `scale` are given where the family is about
    them, and are then not drawn.
    """

    p: Law
    q: Law
    unit: float
    epsilon: float | None = None
    scale: float | None = None


Family = Callable[[DrawStream, bool], DrawnPair]
"""A family draws a pair; the flag says whether the atoms have to be whole numbers."""


def drawn(
    atoms: Floats,
    p: Floats,
    q: Floats,
    *,
    unit: float | None = None,
    epsilon: float | None = None,
    scale: float | None = None,
) -> DrawnPair:
    """Return a pair of atoms; the unit is their width where no other one is given.

    Example: ``drawn((0.0, 2.0), (1.0, 0.0), (0.0, 1.0)).unit`` is 2.
    """
    width = atoms[-1] - atoms[0] or 1.0
    return DrawnPair(AtomLaw(atoms, p), AtomLaw(atoms, q), unit or width, epsilon, scale)


def nudged(draw: DrawStream, number: float) -> float:
    """Return a float, or the next one on either side.

    Example: ``nudged(DrawStream("a"), 1.0) in (1 - 2**-53, 1.0, 1 + 2**-52)`` is True.
    """
    return draw.pick((number, nextafter(number, inf), nextafter(number, -inf)))


def random_pair(draw: DrawStream, lattice: bool) -> DrawnPair:
    """A few atoms with masses of any kind."""
    count = draw.whole(2, 12)
    atoms = draw.places(count, lattice=lattice)
    return drawn(atoms, draw.masses(count), draw.masses(count))


def sparse(draw: DrawStream, lattice: bool) -> DrawnPair:
    """Many masses are 0, so that atoms of one law lie in gaps of the other one."""
    count = draw.whole(4, 30)
    atoms = draw.places(count, lattice=lattice)
    return drawn(atoms, draw.masses(count, 0.7), draw.masses(count, 0.7))


def tie(draw: DrawStream, lattice: bool) -> DrawnPair:
    """A law and its translation by epsilon * scale exactly: the largest loss is epsilon exactly,

    or the numbers are one unit in the last place to either side. All products are exact.
    """
    unit = 1.0 if lattice else 0.015625
    count = draw.whole(1, 5)
    if lattice:
        half = draw.pick((1, 2, 4, 8))
        epsilon, scale = draw.whole(1, 12) / half, float(draw.whole(1, 8) * half)
    else:
        epsilon, scale = draw.whole(1, 16) / 8, draw.whole(1, 64) / 8
    shift = epsilon * scale
    start = sorted({draw.whole(-20, 20) * unit for _ in range(count)})
    law = dict(zip(start, draw.masses(len(start)), strict=True))
    moved = {atom + shift: mass for atom, mass in law.items()}
    atoms = tuple(sorted(law.keys() | moved.keys()))
    p, q = (tuple(table.get(atom, 0.0) for atom in atoms) for table in (law, moved))
    if draw.chance(0.5):
        p, q = q, p
    if draw.chance(0.5):
        epsilon = nudged(draw, epsilon)
    else:
        scale = nudged(draw, scale)
    return drawn(atoms, p, q, unit=shift, epsilon=epsilon, scale=scale)


def tiny_masses(draw: DrawStream, lattice: bool) -> DrawnPair:
    """One atom of a law has a mass of 1e-300, or one that is no normal float."""
    count = draw.whole(2, 8)
    atoms = draw.places(count, lattice=lattice)
    where = draw.pick((0, count - 1, draw.whole(0, count - 1)))
    rest = list(draw.masses(count - 1))
    rest.insert(where, draw.pick((1e-300, 1e-300, 1e-310, 5e-324, 1e-18, 1e-30)))
    light, other = tuple(rest), draw.masses(count)
    return drawn(atoms, light, other) if draw.chance(0.5) else drawn(atoms, other, light)


def any_scale(draw: DrawStream, lattice: bool) -> DrawnPair:
    """The scale is between 1e-6 and 1e6, whatever the atoms are."""
    found = random_pair(draw, lattice)
    return DrawnPair(found.p, found.q, found.unit, scale=draw.size(-6, 6))


def any_size(draw: DrawStream, lattice: bool) -> DrawnPair:
    """Distances, and with them scales, of sizes between 1e-6 and 1e6."""
    atoms = _of_any_size(draw, lattice)
    return drawn(atoms, draw.masses(len(atoms)), draw.masses(len(atoms)))


def _of_any_size(draw: DrawStream, lattice: bool) -> Floats:
    count = draw.whole(2, 8)
    unit = float(draw.whole(1, 10**5)) if lattice else draw.size(-6, 6)
    return tuple(atom * unit for atom in draw.places(count, lattice=True))


def points(draw: DrawStream, lattice: bool) -> DrawnPair:
    """Two point masses."""
    low, high = draw.places(2, lattice=lattice)
    first = draw.chance(0.5)
    p, q = (1.0, 0.0), (0.0, 1.0)
    return drawn((low, high), p if first else q, q if first else p)


def point_and_table(draw: DrawStream, lattice: bool) -> DrawnPair:
    """A point mass beside a table that begins there, at sizes between 1e-6 and 1e6."""
    atoms = _of_any_size(draw, lattice)
    table, point = draw.masses(len(atoms)), (1.0,) + (0.0,) * (len(atoms) - 1)
    p, q = (table, point) if draw.chance(0.5) else (point, table)
    return drawn(atoms, p, q)


def private(draw: DrawStream, lattice: bool) -> DrawnPair:
    """Masses whose ratios are small: for the epsilon drawn no noise is needed, or nearly none."""
    count = draw.whole(1, 8)
    atoms = draw.places(count, lattice=lattice)
    p = draw.masses(count)
    spread = draw.pick((0.0, 1e-9, 0.01, 0.1))
    q = normalised([mass * (1 + spread * (2 * draw.share() - 1)) for mass in p])
    return drawn(atoms, p, q, epsilon=max(draw.pick((3.0, 3.0, 1.0)) * spread, 0.015625))


def far_apart(draw: DrawStream, lattice: bool) -> DrawnPair:
    """Groups of atoms at huge distances, or tiny ones: powers of e overflow and cancel."""
    low, high = draw.places(2, lattice=True), draw.places(3, lattice=True, near=True)
    gap = float(f"1e{draw.pick((3, 6, 12) if lattice else (3, 6, 12, 100, 300))}")
    atoms = tuple(sorted({*low, *(gap + atom for atom in high)}))
    count = len(atoms)
    zeros = draw.pick((0.0, 0.5))
    unit = draw.pick((1.0, gap))
    return drawn(atoms, draw.masses(count, zeros), draw.masses(count, zeros), unit=unit)


def disjoint(draw: DrawStream, lattice: bool) -> DrawnPair:
    """No atom in common."""
    count = draw.whole(2, 12)
    atoms = draw.places(count, lattice=lattice)
    owner = [draw.chance(0.5) for _ in atoms]
    owner[0], owner[-1] = True, False
    sides = []
    for side in (True, False):
        weights = [0.1 + draw.share() if mine is side else 0.0 for mine in owner]
        sides.append(normalised(weights))
    return drawn(atoms, sides[0], sides[1])


def tails(draw: DrawStream, lattice: bool) -> DrawnPair:
    """Laws that are alike but for one outermost atom of little mass, which is the worst output."""
    count = draw.whole(3, 8)
    atoms = list(draw.places(count, lattice=lattice))
    mass = draw.pick((1e-3, 1e-6, 1e-9, 1e-13))
    unit = 1.0 + draw.whole(0, 3)
    away = 40.0 * unit
    bulk = draw.masses(count)
    right = draw.chance(0.5)
    atoms = [*atoms, atoms[-1] + away] if right else [atoms[0] - away, *atoms]
    with_tail = normalised([*bulk, mass] if right else [mass, *bulk])
    without = (*bulk, 0.0) if right else (0.0, *bulk)
    p, q = (with_tail, without) if draw.chance(0.5) else (without, with_tail)
    return drawn(tuple(atoms), p, q, unit=unit)


def one_atom(draw: DrawStream, lattice: bool) -> DrawnPair:
    """Laws that differ at one atom and its neighbour: the worst output is there, in one order."""
    count = draw.whole(3, 10)
    atoms = draw.places(count, lattice=lattice)
    base = [0.2 + draw.share() for _ in atoms]
    where = draw.pick((0, count - 1, draw.whole(0, count - 1)))
    other = list(base)
    other[where] *= draw.pick((1e-6, 1e-3, 0.1, 5.0, 50.0))
    p, q = normalised(base), normalised(other)
    if draw.chance(0.5):
        p, q = q, p
    return drawn(atoms, p, q, unit=atoms[1] - atoms[0])


def many(draw: DrawStream, lattice: bool) -> DrawnPair:
    """Some hundreds of atoms, of which one is worst."""
    count = draw.whole(100, 400)
    return crowd(draw, lattice, count)


def crowd(draw: DrawStream, lattice: bool, count: int) -> DrawnPair:
    """As many atoms as are asked for, with masses that fall from a middle.

    Example: ``len(crowd(DrawStream("a"), True, 50).p.atoms)`` is 50.
    """
    del lattice  # whole numbers in every case
    atoms = tuple(float(k) for k in range(count))
    sides = [
        normalised([_hill(k / count - middle) * (0.9 + 0.2 * draw.share()) for k in range(count)])
        for middle in (0.4, 0.4 + 0.2 * draw.share())
    ]
    return drawn(atoms, sides[0], sides[1], unit=count / 20)


def _hill(x: float) -> float:
    return 1 / (1 + 400 * x * x)


FAMILIES: dict[str, Family] = {
    "ties": tie,
    "random": random_pair,
    "tails": tails,
    "sparse": sparse,
    "one atom": one_atom,
    "points": points,
    "a point and a table": point_and_table,
    "tiny masses": tiny_masses,
    "any scale": any_scale,
    "disjoint": disjoint,
    "any size": any_size,
    "private": private,
    "far apart": far_apart,
    "many": many,
}
"""The families of atoms, in the order in which they take turns."""

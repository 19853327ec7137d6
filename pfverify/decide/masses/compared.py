"""Finitely many numbers, as they are or with a noise table: masses are compared exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from pfverify.decide.breach import Breach, Margin, Place
from pfverify.decide.comparison import Orders
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.masses.finite import Outputs
from pfverify.decide.masses.numbers import law_orders
from pfverify.decide.masses.rational import both_orders
from pfverify.laws.forms import BarePoints
from pfverify.laws.masses import BareAtoms, Masses
from pfverify.model.channels.released import output_law
from pfverify.model.channels.weighted import WeightedLaw
from pfverify.model.priors.joint import Point, point_text
from pfverify.model.target import Target


@dataclass(frozen=True)
class Atoms(Outputs):
    """Outputs that are numbers: the merged atoms of two laws, by `atom`."""

    rule = "no-noise"
    ratio_refuted, mass_refuted = "pure-refuted", "pointwise-refuted"
    atom: Callable[[int], Fraction]

    def place(self, index: int) -> Place:
        """Return an atom."""
        return self.atom(index)

    def one(self, rule: str, margin: Margin, index: int) -> Breach:
        """Return one atom as where the target fails."""
        return Breach(rule, margin, y=self.atom(index))

    def event(self, margin: Margin, indices: Sequence[int]) -> Breach:
        """Return a set of atoms as where the target fails."""
        places = [self.atom(k) for k in indices]
        return Breach("event-refuted", margin, event=[(y, y) for y in places])


class ListedAtoms(Atoms):
    """The same where noise has masses that need not be rational."""

    rule = "channel"


@dataclass(frozen=True)
class JointPoints(Outputs):
    """Outputs that are points of several numbers."""

    rule = "no-noise"
    ratio_refuted, mass_refuted = "pure-refuted", "outputs-refuted"
    points: Sequence[Point]

    def place(self, index: int) -> Place:
        """Return the name of a point."""
        return point_text(self.points[index])

    def one(self, rule: str, margin: Margin, index: int) -> Breach:
        """Return one point as where the target fails."""
        return Breach(rule, margin, point=self.points[index])

    def event(self, margin: Margin, indices: Sequence[int]) -> Breach:
        """Return a set of points as where the target fails."""
        names = [point_text(self.points[k]) for k in indices]
        return Breach("outputs-refuted", margin, outputs=names)


def points_compared(first: BarePoints, second: BarePoints, target: Target) -> Orders:
    """Return both orders of two laws of several numbers, released as they are."""
    joint = first.prior, second.prior
    points = sorted({*joint[0].mass, *joint[1].mass})
    laws = []
    for law in joint:
        whole = lcm(*(mass.denominator for mass in law.mass.values()))
        laws.append(WeightedLaw.of([int(law.mass.get(x, 0) * whole) for x in points], whole))
    return both_orders(laws[0], laws[1], JointPoints(points), target)


def compared(first: Masses[Fraction], second: Masses[Fraction], target: Target) -> Orders:
    """Return both orders of two laws of atoms that are published, or of such with noise."""
    if isinstance(first, BareAtoms) and isinstance(second, BareAtoms):
        return bare_orders(Pair(first.prior, second.prior), target)
    places = sorted({*first.masses, *second.masses})
    p, q = (output_law(tuple(law.mass(y) for y in places)) for law in (first, second))
    return law_orders(p, q, ListedAtoms(places.__getitem__), target)


def bare_orders(pair: Pair, target: Target) -> Orders:
    """Return both orders of a pair without its noise."""
    first, second = map(WeightedLaw.of, pair.columns[1], pair.totals)
    return both_orders(first, second, Atoms(pair.atom), target)

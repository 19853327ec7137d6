"""Hall and Strassen sets: events that prove that no coupling stays inside a relation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from pfverify.errors import InputError
from pfverify.transport.law import Masses, Point, law, show


@dataclass(frozen=True)
class HallSet:
    """An event A with P(A) > factor * Q(N(A)) + slack.

    Attributes: `event`, points of the first law; `neighbours`, every point of the second law
    that is related to one of them; `mass`, P(A); `reachable`, Q(N(A)); `factor` and `slack`,
    1 and 0 for couplings, e**epsilon and delta for approximate liftings.

    Example: ``HallSet((0,), (), Fraction(1), Fraction(0)).excess`` is 1: from a point mass at 0 to
    one at 3, with the relation |x - y| < 3, no coupling has all its edges shorter than 3.
    Source: Strassen 1965, Theorem 11; Hall 1935; design facts F10 and F11.
    """

    event: tuple[Point, ...]
    neighbours: tuple[Point, ...]
    mass: Fraction
    reachable: Fraction
    factor: Fraction = Fraction(1)
    slack: Fraction = Fraction(0)

    @property
    def excess(self) -> Fraction:
        """P(A) - factor * Q(N(A)) - slack, positive in a proof."""
        return self.mass - self.factor * self.reachable - self.slack

    def check(self, first: Masses, second: Masses, related: Callable[[Point, Point], bool]) -> None:
        """Count again from the laws and the relation; raise InputError for the first defect.

        Independent of the flow: it looks at every pair of an event's point and another point.
        """
        p, q = law(first, "first law"), law(second, "second law")
        event, listed = set(self.event), set(self.neighbours)
        for x in event - set(p.points):
            raise InputError(f"Hall set: {show(x)} is no point of the first law")
        for y in listed - set(q.points):
            raise InputError(f"Hall set: {show(y)} is no point of the second law")
        mass = sum(w for x, w in zip(p.points, p.weights, strict=True) if x in event)
        reachable = sum(w for y, w in zip(q.points, q.weights, strict=True) if y in listed)
        for name, said, found in (
            ("mass", self.mass, Fraction(mass, p.denominator)),
            ("reachable mass", self.reachable, Fraction(reachable, q.denominator)),
        ):
            if said != found:
                raise InputError(f"Hall set: the {name} is {found}, not {said}")
        for y in set(q.points) - listed:
            for x in event:
                if related(x, y):
                    raise InputError(f"Hall set: {show(x)} is related to {show(y)}, not listed")
        if self.excess <= 0:
            raise InputError(f"Hall set: excess {self.excess}, expected a number > 0")

"""R of independent outputs: the product (F97).  As in `renyi`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.enclose import ONE, Arithmetic, Interval, Undecided
from core.reduce import composite
from core.renyi import moment_of, order_of, power
from core.rules import Facts, Goal
from core.work import spend
from core.zero import NIL, Sum, multiply

MOST = 64  # factors of an exact product


class OfIndependent:
    """R of a goal whose outputs are independent, so many of each part."""

    def __init__(self, goal: Goal[Any, Any]) -> None:
        order_of(goal)
        found = composite(goal)
        self.facts: Facts = {"F90", "F97"}
        self.parts = []
        for named, count in found.parts():
            one, by = found.part(named, goal.epsilon, goal.delta)
            of = moment_of(one)
            self.facts |= by | of.facts
            self.parts.append((of, count))

    def enclosed(self, ar: Arithmetic) -> Interval | None:
        """As in `Moment`."""
        total = ONE
        for of, count in self.parts:
            found = of.enclosed(ar.finer(count.bit_length() + 8))
            self.facts |= of.facts
            if found is None:
                return None
            total = ar.mul(total, power(found, Fraction(count), ar))
        return total

    def exact(self) -> tuple[Sum, Sum]:
        """As in `Moment`."""
        if sum(count for _, count in self.parts) > MOST:
            raise Undecided("a tie of many releases")
        top, bottom = {NIL: Fraction(1)}, {NIL: Fraction(1)}
        for of, count in self.parts:
            n, d = of.exact()
            for _ in range(count):
                spend(64)
                top, bottom = multiply(top, n), multiply(bottom, d)
        return top, bottom


def moment(goal: Goal[Any, Any]) -> OfIndependent:
    """That of a goal of independent outputs."""
    return OfIndependent(goal)

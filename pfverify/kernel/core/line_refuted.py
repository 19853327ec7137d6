"""Where a bound of two laws on a line fails.  As in `sweep`."""

from __future__ import annotations

from fractions import Fraction

from core.enclose import ZERO, Arithmetic
from core.grammar import canonical, shown
from core.line import Lines
from core.rules import Rejected, Step, at_most
from core.shapes import canonical_rational
from core.sweep import density, difference_at
from core.value import form_of
from core.zero import constant, plus


def require_reached(goal: Lines, y: Fraction | None, what: str) -> None:
    """Rejected unless noise on a lattice can reach y."""
    step = goal.P.noise.step
    if step is None or y is None or ((y - next(iter(goal.P.atoms))) / step).denominator == 1:
        return
    raise Rejected(f"{what} {shown(canonical(y))} is not a point of the lattice")


def require_at(goal: Lines, step: Step, ar: Arithmetic, margin: Fraction, *, ratio: bool) -> None:
    """Rejected unless g at a number, maybe of e^margin Q, is at least 0, or delta and a margin."""
    y, growth = canonical_rational(step["y"], "y"), form_of(goal.epsilon)
    require_reached(goal, y, "the output")
    swept = difference_at(goal, plus(growth, constant(margin)) if ratio else growth, ar, [y])
    excess, bound = swept.pieces[swept.places.index(y) + 1].near(ar), ZERO
    if not ratio:
        scale, level = density(goal.P.noise, goal.delta, ar)
        excess, bound = ar.mul(scale, excess), ar.add(level, ar.of(margin))
    if not any(goal.P.atoms.values()) or not at_most(bound, excess, ar):
        raise Rejected(f"no such margin is proved at {shown(canonical(y))}")

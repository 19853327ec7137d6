"""Masses of the difference of two laws on a line, exactly: exponential sums.  As in `sweep`.

Twice the integral of g between two ends is L - R' at the low one, R - L' at the high one, and what
L - R' gains between them, which is 2 J at an atom.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from core.line import NOTHING, Lines, Noisy, all_mass
from core.sides import LESS, Sides
from core.spans import End, Span
from core.value import form_of
from core.zero import NIL, Form, Sum, accumulate, add, multiply, plus


def mass_between(
    sides: Sides, low: End, high: End, *, begins: bool = True, ends: bool = True
) -> Sum:
    """L - R' at the low end, R - L' at the high one, and what L - R' gains between them: the
    mass, in its unit; on a lattice with cuts between its points."""
    sides.pass_by(low)
    total = add(sides.left_at(low), sides.right_at(low), LESS) if begins else {}
    kappa = {NIL: Fraction(2)} if sides.noise.step is None else all_mass(sides.law)
    while sides.turns and (high is None or sides.turns[-1][0] < high):
        place, x, gained = sides.next()
        far = sides.noise.decay(abs(place - x))
        for f, c in kappa.items():
            sides.count(total, x, plus(far, f), c * gained / 2)
    return add(total, add(sides.right_at(high), sides.left_at(high), LESS)) if ends else total


def exact_mass(
    first: Noisy, second: Noisy, spans: Iterable[Span], growth: Form, *, hidden: bool
) -> Sum:
    """P - e^growth Q of increasing spans, in the unit of masses, with no row where that is in
    them."""
    sides, total = Sides(first, second, growth), dict[Form, Fraction]()
    for low, high in spans:
        total = add(total, mass_between(sides, low, high))
    if hidden:
        no_row = {NIL: first.nothing}
        accumulate(no_row, growth, -second.nothing)
        total = add(total, multiply(all_mass(first), no_row))
    return total


def exact_excess(goal: Lines, value: Sum, level: Fraction) -> int:
    """The sign of P(B) - e^epsilon Q(B) - delta - level, of such a value, decided."""
    from core.masses import excess_sign
    from core.quotients import quotient

    whole = all_mass(goal.P, goal.Q)
    value = add(value, whole, -level)
    mass = quotient(value, whole) if value else NOTHING
    return excess_sign(mass, NOTHING, form_of(goal.epsilon), goal.delta)

"""Without noise: densities and atoms side by side, and what of P has no mass of Q beside it."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.charts.order import OneOrder
from pfverify.exact.ball import precision
from pfverify.model.priors.prior import Component


def infinite_place(order: OneOrder) -> Fraction | None:
    """Return an output at which p/q is infinite without noise, if there is one.

    An atom of P that is none of Q, or the mean of a normal law of P where Q has none.
    """
    return next((part.mean for part in _singular(order)), None)


def singular_mass(order: OneOrder) -> Fraction:
    """Return the mass of P where Q has none, without noise: no epsilon makes up for it."""
    return sum((part.weight for part in _singular(order)), Fraction(0))


def _singular(order: OneOrder) -> list[Component]:
    """Return the components of P where Q has no mass, atoms first; none with noise."""
    if not order.release.bare:
        return []
    theirs = {part.mean for part in order.q if not part.variance}
    found = [part for part in order.p if not part.variance and part.mean not in theirs]
    if not any(part.variance for part in order.q):
        found += [part for part in order.p if part.variance]
    return found


def needs_event(order: OneOrder) -> bool:
    """Say whether an atom, or the lack of a density of Q, breaks a bound: no output then shows it.

    Always false with noise.
    """
    if not order.release.bare:
        return False
    if not any(part.variance for part in order.q):
        return True
    with precision(128):
        return order.measured(order.target).worst_atom() is not None

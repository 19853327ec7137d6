"""Masses of outputs, and laws with them: fractions here, others in `quotients`, loaded for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from core.enclose import Arithmetic, Interval
from core.excess import sign_of_excess
from core.grammar import Number
from core.kinds import Mass
from core.rules import Goal
from core.shapes import common_denominator
from core.work import spend
from core.zero import Form

NOTHING = Fraction(0)

# ---------------------------------------------------------------- single masses


def mass_of(x: Number) -> Mass:
    """A number that is at least 0, by the sign test of its caller."""
    if isinstance(x, Fraction):
        return x
    from core import quotients

    return quotients.mass_of(x)


def total_of(terms: Iterable[tuple[Mass, Mass]]) -> Mass:
    """The sum of products of two masses."""
    rational, others = NOTHING, list[tuple[Mass, Mass]]()
    for x, y in terms:
        spend(16)
        if isinstance(x, Fraction) and isinstance(y, Fraction):
            rational += x * y
        else:
            others.append((x, y))
    if not others:
        return rational
    from core import quotients

    return quotients.total_of(rational, others)


def minus(x: Mass, y: Mass) -> Mass:
    """x - y."""
    return total_of([(x, Fraction(1)), (y, Fraction(-1))])


def enclose_mass(x: Mass, ar: Arithmetic) -> Interval:
    """Enclosure of a mass."""
    if isinstance(x, Fraction):
        return ar.of(x)
    from core import quotients

    return quotients.enclose_mass(x, ar)


def excess_sign(p: Mass, q: Mass, epsilon: Form, delta: Number) -> int:
    """The sign of p - e^epsilon q - delta, decided at rising precision and by the zero test."""
    if isinstance(p, Fraction) and isinstance(q, Fraction):
        return sign_of_excess(p, q, epsilon, delta)
    from core import quotients

    return quotients.excess_sign(p, q, epsilon, delta)


# ---------------------------------------------------------------- laws of outputs


class Outputs(NamedTuple):
    """A law of finitely many outputs, in their order: integers over a common denominator, or, where
    `whole` is 0, masses.  Of a goal the names of the outputs, or atoms, are known."""

    whole: int
    counts: tuple[int, ...]
    masses: tuple[Mass, ...]
    names: tuple[Any, ...] = ()


class Tuples(NamedTuple):
    """A law of tuples: an output of a law and so many dummies, at places that are all alike."""

    base: Outputs
    dummies: int
    dummy: tuple[Fraction, ...]  # the masses of a dummy


Finite = Goal[Outputs, Any]


def outputs_of(masses: Sequence[Mass]) -> Outputs:
    """The law with these masses, as integers over a common denominator where all are fractions."""
    fractions = [x for x in masses if isinstance(x, Fraction)]
    if len(fractions) < len(masses):
        return Outputs(0, (), tuple(masses))
    whole = common_denominator(fractions, "masses")
    return Outputs(whole, tuple(x.numerator * (whole // x.denominator) for x in fractions), ())


def masses_of(law: Outputs) -> Sequence[Mass]:
    """The masses of the outputs, in their order."""
    return [Fraction(n, law.whole) for n in law.counts] if law.whole else law.masses


def mass_of_event(law: Outputs, event: Iterable[int]) -> Mass:
    """The mass of a set of outputs, by their places."""
    if law.whole:
        return Fraction(sum(law.counts[k] for k in event), law.whole)
    return total_of((law.masses[k], Fraction(1)) for k in event)

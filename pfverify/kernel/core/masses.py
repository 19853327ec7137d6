"""Masses of outputs, and laws with them: fractions here, others in `quotients`, loaded for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

from core.enclose import Arithmetic, Interval, Undecided
from core.grammar import Number
from core.kinds import LAWS, Mass
from core.shapes import common_denominator
from core.value import enclose_number, sums_of
from core.work import spend
from core.zero import NIL, SIGN_BITS, Form, Sum, add, exp_form, is_zero, multiply

NOTHING, ONE = Fraction(0), Fraction(1)

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
    return total_of([(x, ONE), (y, -ONE)])


def enclose_mass(x: Mass, ar: Arithmetic) -> Interval:
    """Enclosure of a mass."""
    if isinstance(x, Fraction):
        return ar.of(x)
    from core import quotients

    return quotients.enclose_mass(x, ar)


def excess_sign(p: Mass, q: Mass, epsilon: Form, delta: Number) -> int:
    """The sign of p - e^epsilon q - delta, decided at rising precision and by the zero test."""
    for bits in SIGN_BITS:
        ar = Arithmetic(bits)
        value = ar.sub(enclose_mass(p, ar), ar.mul(exp_form(epsilon, ar), enclose_mass(q, ar)))
        low, high, _ = ar.sub(value, enclose_number(delta, ar))
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        if bits == SIGN_BITS[0]:
            with suppress(Undecided):
                if _is_tie(p, q, epsilon, *sums_of(delta)):
                    return 0
    raise Undecided("the excess of masses is not decided")


def _is_tie(p: Mass, q: Mass, epsilon: Form, n: Sum, d: Sum) -> bool:
    """True only if p = e^epsilon q + n/d."""
    if isinstance(p, Fraction) and isinstance(q, Fraction):
        difference = add({NIL: p}, {epsilon: q}, -ONE)
        return is_zero(add(multiply(difference, d), n, -ONE))
    from core import quotients

    return quotients.is_tie(p, q, epsilon, n, d)


# ---------------------------------------------------------------- laws of outputs


class Steep(NamedTuple):
    """What tells where the ratio of two laws of one channel, each given an input, is the largest
    (F87): at the output `own` of the first, or where its heights are most above the other's, which
    are logarithms of its masses but for a positive factor and a summand.  `ar`, one for each
    channel, keeps enclosures from goal to goal."""

    ar: Arithmetic
    own: int
    heights: tuple[int, ...] = ()


class Outputs(NamedTuple):
    """A law of finitely many outputs, in their order: integers over a common denominator, or, where
    `whole` is 0, masses.  Of a goal the outputs are known too: names, atoms or points."""

    whole: int
    counts: tuple[int, ...]
    masses: tuple[Mass, ...]
    names: tuple[Any, ...] = ()
    by: frozenset[str] = frozenset()  # the facts by which these are their masses
    steep: Steep | None = None


class Tuples(NamedTuple):
    """A law of tuples: an output of a law and so many dummies, at places that are all alike."""

    base: Outputs
    dummies: int
    dummy: tuple[Fraction, ...]  # the masses of a dummy


LAWS |= {Outputs: "outputs", Tuples: "tuples"}


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


def mass_of_event(law: Outputs, event: Sequence[int]) -> Mass:
    """The mass of a set of outputs, by their places."""
    if law.whole:
        return Fraction(sum(law.counts[k] for k in event), law.whole)
    if len(event) == 1:
        return law.masses[event[0]]
    return total_of((law.masses[k], ONE) for k in event)

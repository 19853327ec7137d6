"""The tail of the standard normal law: Q, its inverse tau*, and the Lambert-W bounds of tau*.

Proposals come from Arb's inverse functions; every end of an enclosure is proved by evaluating
erfc, or w + log w, there.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.exact.ball import (
    Ball,
    Raw,
    current_precision,
    erfc,
    fraction_of,
    precision,
    raw,
)
from pfverify.exact.number import Number, number
from pfverify.exact.rising import rising
from pfverify.exact.search import UndecidedError

LAST_BITS = (1 << 16) - 1  # an enclosure that no precision up to here proves is given up
_GUARD = 16  # bits of the working precision that a first bracket leaves unused


def proved_root(increasing: Callable[[Raw], Raw], near: Raw) -> Raw:
    """Enclose the root > 0 of an increasing function, whose signs at both ends are proved.

    `near` is only a proposal. The ball is nan where the working precision proves no bracket.
    Example: ``proved_root(lambda x: x * x - 2, raw(2).sqrt())`` contains 1.41421...
    """
    middle = near.mid()
    if not middle > 0:
        return Raw.nan()
    gap = middle * raw(2) ** (_GUARD - current_precision())
    while gap < middle:
        low, high = middle - gap, middle + gap
        if increasing(low) < 0 and increasing(high) > 0:
            return low.union(high)
        gap *= 16
    return Raw.nan()


def erfc_inverse(x: Raw) -> Raw:
    """Enclose t > 0 with erfc(t) = x, for 0 < x < 1 (nan where that is not proved).

    Example: ``erfc_inverse(raw(Fraction(1, 2)))`` contains 0.47693627...
    """
    if not (x > 0 and x < 1):
        return Raw.nan()
    return proved_root(lambda t: x - erfc(t), x.erfcinv())


def checked_positive_delta(value: object) -> Number:
    """Return delta, exact, if it is proved to lie in (0, 1], or raise InputError."""
    delta = number(value, "delta")
    low, high = delta.sign(), (Number.of_rational(1) - delta).sign()
    if low == 0:
        raise InputError(
            "delta is 0, where tau* is not defined (no tail of a normal law is empty): expected "
            "a number in (0, 1]"
        )
    if low is None or high is None or low < 0 or high < 0:
        raise InputError(f"delta: {shorten(delta.text)} is not proved to lie in (0, 1]")
    return delta


def tau_star(delta: object) -> Ball:
    """Return an enclosure, at the current precision, of tau* = Q**-1(delta/2); 0 at delta = 1.

    The ball is nan where the precision is too low (delta next to 1).
    Raises InputError unless delta is in (0, 1].
    Example: ``tau_star(number("1/100"))`` contains 2.5758293...
    Source: Gaussian-priors paper, (20); audit row G08.
    """
    delta = checked_positive_delta(delta)
    if (Number.of_rational(1) - delta).sign() == 0:
        return Ball(0)
    return Ball(erfc_inverse(delta.ball().raw) * raw(2).sqrt())


def lambert_w0(x: Raw) -> Raw:
    """Enclose W0(x), the solution w of w e**w = x, for x > 0 (nan where x > 0 is not proved).

    Only arguments > 0 occur here, far from the branch point -1/e.
    Example: ``lambert_w0(raw(1))`` contains 0.56714329...
    """
    if not x > 0:
        return Raw.nan()
    goal = x.log()
    return proved_root(lambda w: w + w.log() - goal, x.lambertw())


def tau_lambert(delta: object) -> Ball:
    """Return an enclosure of sqrt(W0(2 / (pi delta**2))), a bound above tau*.

    Raises InputError unless delta is in (0, 1].
    Example: ``tau_lambert(number("1/2"))`` contains 0.98367864...
    Source: Gaussian-priors paper, (23); audit row G35.
    """
    bound = checked_positive_delta(delta).ball().raw
    return Ball(lambert_w0(2 / (Raw.pi() * bound * bound)).sqrt())


def tau_lambert_implicit(delta: object) -> Ball:
    """Return an enclosure of the least tau > 0 with tau**2 >= 2 W0(tau / (sqrt(2 pi) delta)).

    The same number as `tau_lambert`, proved from the inequality as it is printed. tau = 0
    satisfies it too, and is no bound: tau > 0 has to be asked (audit row G34).
    Raises InputError unless delta is in (0, 1]. Source: Gaussian-priors paper, (22).
    """
    bound = checked_positive_delta(delta).ball().raw
    factor = (2 * Raw.pi()).sqrt() * bound
    proposal = (2 / (Raw.pi() * bound * bound)).lambertw().sqrt()
    # divided by tau**2 the gap increases: W0(c tau)/tau**2 decreases in tau
    return Ball(proved_root(lambda t: 1 - 2 * lambert_w0(t / factor) / (t * t), proposal))


def rational_near(value: Callable[[], Ball], bits: int) -> Fraction:
    """Return a rational within a few units in the `bits`-th bit of a number >= 0: a proposal."""
    for working in rising(bits + 64, LAST_BITS):
        with precision(working):
            ends = value().ends()
        if ends is not None:
            return fraction_of(ends[1])
    raise UndecidedError(f"no enclosure of a quantile is proved at {working} bits")

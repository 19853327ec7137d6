"""What proves a curve: at every place a verdict with the upper bound as delta, and one below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from pfverify.answers.curves.pair import KnownPair, log_of
from pfverify.answers.outcome import refutation_of
from pfverify.answers.profile import Known
from pfverify.decide.comparison import Comparison
from pfverify.decide.step import Evidence
from pfverify.errors import UndecidedError
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.model.notion import EVENTS
from pfverify.model.target import Target

_ALL = Fraction(1)


@dataclass(frozen=True)
class ProvedPlace(NoTruth, ask="read its attributes"):
    """What is known at a place, and what proves both ends; None: an end needs no proof."""

    known: Known
    above: Evidence | None
    below: Evidence | None


def proved_places(pair: KnownPair, order: int) -> list[ProvedPlace]:
    """Return what proves all that was found of an order of a pair, by its growths.

    Raises UndecidedError where an end is known, but by nothing that a certificate can say.
    """
    found = pair.found[order]
    return [
        proved_by(found[growth], partial(_held, pair, order, growth), _ALL)
        for growth in sorted(found)
    ]


def proved_by(
    known: Known, held: Callable[[Fraction], Comparison], most: Fraction | None
) -> ProvedPlace:
    """Return what proves both ends, given what is held to a number; `most` needs no proof.

    Raises UndecidedError as `proved_places`.
    """
    above = below = None
    if known.upper != most:
        found = held(known.upper).told()
        if found.sign not in (-1, 0) or found.evidence is None:
            raise _undecided(known, found.reason)
        above = found.evidence
    if known.lower > 0:
        found = held(known.lower).told()
        breach = found.breach() if found.sign == 1 else None
        if breach is None:
            raise _undecided(known, found.reason)
        below = refutation_of(breach)
    return ProvedPlace(known, above, below)


def _held(pair: KnownPair, order: int, growth: Fraction, delta: Fraction) -> Comparison:
    target = Target(log_of(growth), Number.of_rational(delta), EVENTS)
    return pair.compared(order, positive=delta > 0).against(target)


def _undecided(known: Known, why: str | None) -> UndecidedError:
    reason = why or "no event was found"
    return UndecidedError(f"at {known.gamma} no certificate is known: {reason}")

"""The judge of densities: masses where the noise lives on a lattice."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from pfverify.crosscheck.answers import NotAnAnswerError, number_of, table_of
from pfverify.crosscheck.case import Case
from pfverify.crosscheck.finding import CaseOutcome, Finding, Promised
from pfverify.crosscheck.numeric import (
    FLOAT_DIGITS,
    digits_found,
    is_within,
    number_text,
    right_digits,
)
from pfverify.crosscheck.truth import DIGITS
from pfverify.errors import InputError
from pfverify.exact.enclosure import Enclosure
from pfverify.laws.kinds import law_of
from pfverify.oracle.densities import density, mass

_NOTHING = Enclosure("0", "3e-324")  # around what is rounded to 0: at most half the least float


def density_judge(case: Case, answer: object, claim: Promised) -> Finding:
    """Judge the densities at all outputs of a case; the finding is about the worst of them."""
    asked = case.y or ()
    if not asked:
        raise InputError("a case of kind density has no outputs")
    try:
        values = table_of(answer, "density")
        if values.shape != (len(asked),):
            raise NotAnAnswerError(
                f"an array of shape {values.shape} instead of ({len(asked)},) for the density"
            )
        read = [number_of(value, "density") for value in values]
    except NotAnAnswerError as error:
        return Finding(CaseOutcome.NAN, f"the answer is {error}", case, answer)
    truths, right, counted = densities(case), [], []
    for y, value, around in zip(asked, read, truths, strict=True):
        digits = right_digits(value, around)
        few = digits is not None and digits < claim.digits
        near = few and is_within(value, around, claim.absolute)
        if digits is None or near is None:
            words = f"the density at y = {y!r} is undecided"
            return Finding(CaseOutcome.UNDECIDED, words, case, answer)
        right.append(digits)
        counted.append(FLOAT_DIGITS if near else digits)
    k = counted.index(min(counted))
    worst = right[k]
    said = f"the density {number_text(read[k])} at y = {asked[k]!r}"
    outcome, words = digits_found(said, worst, claim.digits, truths[k])
    if outcome is CaseOutcome.WRONG_DIGITS and counted[k] == FLOAT_DIGITS:
        outcome, words = CaseOutcome.SOUND, f"every density is off by at most {claim.absolute!r}"
    return Finding(outcome, words, case, answer, truths[k], None, worst)


def densities(case: Case) -> list[Enclosure]:
    """Enclose the density (under lattice noise: the mass) of a case's law p at its outputs.

    Raises InputError for a case without a scale, and for a noise that is not known.
    Example: ``densities(Case("density", "laplace", case.p, None, scale=2.0, y=(0.0,)))[0].lower``
    is ``'0.25'``.
    """
    if case.scale is None:
        raise InputError("a case of kind density has no scale")
    noise, prior = case.noise_with(Fraction(case.scale)), case.p.prior()
    quantity = density if law_of(prior, noise).no_density is None else mass
    ask: Callable[..., Any] = partial(quantity, prior, noise)
    places = [Fraction(y) for y in case.y or ()]
    nearest = ask(places, nearest=True)
    return [
        ask(y, digits=DIGITS) if near else _NOTHING
        for y, near in zip(places, nearest, strict=True)
    ]

"""The judge of densities: masses where the noise lives on a lattice."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pfverify.crosscheck.answers import NotAnAnswerError, number_of, table_of
from pfverify.crosscheck.case import Case
from pfverify.crosscheck.finding import Claim, Finding, Outcome
from pfverify.crosscheck.numeric import digits_found, number_text, right_digits
from pfverify.crosscheck.truth import DIGITS
from pfverify.decide.charts.laplace import LaplaceLaw
from pfverify.decide.charts.normal import NormalLaw
from pfverify.decide.outcome import positive_enclosure
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.decimals import decimal_upper
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.expsum import CAP_BITS
from pfverify.exact.rising import rising
from pfverify.model.priors.prior import Component

_FIRST_BITS = 128
_NOTHING = Fraction(1, 1 << 1100)  # no float tells a smaller number from 0

Parts = tuple[Component, ...]


def density_judge(case: Case, answer: object, claim: Claim) -> Finding:
    """Judge the densities at all outputs of a case; the finding is about the worst of them."""
    asked = case.y or ()
    try:
        values = table_of(answer, "density")
        if values.shape != (len(asked),):
            raise NotAnAnswerError(
                f"an array of shape {values.shape} instead of ({len(asked)},) for the density"
            )
        read = [number_of(value, "density") for value in values]
    except NotAnAnswerError as error:
        return Finding(Outcome.NAN, f"the answer is {error}", case, answer)
    density = Density(case)
    worst: tuple[int, int, Enclosure] | None = None
    for k, (y, value) in enumerate(zip(asked, read, strict=True)):
        around = density.at(Fraction(y))
        digits = right_digits(value, around)
        if digits is None:
            words = f"the density at y = {y!r} is undecided"
            return Finding(Outcome.UNDECIDED, words, case, answer)
        if worst is None or digits < worst[0]:
            worst = digits, k, around
    if worst is None:
        raise InputError("a case of kind density has no outputs")
    digits, k, around = worst
    said = f"the density {number_text(read[k])} at y = {asked[k]!r}"
    outcome, words = digits_found(said, digits, claim.digits, around)
    return Finding(outcome, words, case, answer, around, None, digits)


class Density:
    """The density (under lattice noise: the mass) of a case's law p with its noise.

    Raises InputError for a case without a scale, KeyError for a noise that is not known.
    Source: design facts F6, F7 and F12.
    """

    def __init__(self, case: Case) -> None:
        if case.scale is None:
            raise InputError("a case of kind density has no scale")
        self._parts, self._scale = case.p.prior().components, Fraction(case.scale)
        self._density = _DENSITIES[case.noise]

    def at(self, y: Fraction) -> Enclosure:
        """Enclose the density at an output, what is far below every float by 0 and another such.

        Example: ``Density(case).at(Fraction(0)).text`` is ``'0.25'``.
        """
        for bits in rising(_FIRST_BITS, CAP_BITS):
            with precision(bits):
                ball = Ball(self._density(self._parts, self._scale, y))
                if ball.raw < raw(_NOTHING):
                    return Enclosure("0", decimal_upper(_NOTHING, 3))
                found = positive_enclosure(ball, DIGITS, "inf")
            if found is not None:
                return found
        return Enclosure("0", "inf")


def _laplace(parts: Parts, scale: Fraction, y: Fraction) -> Raw:
    return LaplaceLaw(parts, raw(1 / scale)).density(y)


def _discrete_laplace(parts: Parts, scale: Fraction, y: Fraction) -> Raw:
    """With t = e**(-1/scale) the mass is (1 - t)/(1 + t) times the sum of t**|y - x|."""
    if y.denominator != 1:
        raise InputError(f"y: {y} is not on the lattice of the integers")
    rate = raw(1 / scale)
    sums, grow, t = LaplaceLaw(parts, rate).sums(y), (rate * raw(y)).exp(), (-rate).exp()
    return (sums.left / grow + sums.right * grow) * (1 - t) / (1 + t)


def _gaussian(parts: Parts, scale: Fraction, y: Fraction) -> Raw:
    return NormalLaw(parts, scale * scale).density(y)


_DENSITIES: dict[str, Callable[[Parts, Fraction, Fraction], Raw]] = {
    "laplace": _laplace,
    "discrete-laplace": _discrete_laplace,
    "gaussian": _gaussian,
}

"""Every scale of two priors: those that recipes propose, and the least private one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pfverify.answers.calibrate import scales_of
from pfverify.answers.methods import CalibrateResult, Method
from pfverify.answers.outcome import target_text
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.decimals import decimal_lower
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.grid import Grid
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import number
from pfverify.exact.published import Infinite
from pfverify.exact.written import exact_enclosure
from pfverify.model.channels.channel import Channel
from pfverify.model.problem import Problem
from pfverify.model.releases.release import Release
from pfverify.model.requirement import checked_delta, checked_epsilon
from pfverify.oracle.answers import FEW_DIGITS, objects, refined
from pfverify.oracle.arguments import AnyPrior, Numbers, Wanted, numbers
from pfverify.oracle.released import ReleasedPair
from pfverify.results import DEFAULT_DIGITS, Shown


@dataclass(frozen=True, repr=False)
class Scales(Shown, NoTruth, ask="read .minimum and .methods"):
    """Scales at one epsilon and delta.

    `methods`: name -> the scale of a recipe; `minimum`: the least private scale, infinite where
    there is none; both are enclosures, or floats. `not_applicable`: name -> why there is none.
    `result` has decimals that are rounded up, with the verdict on each: the float nearest to a
    private scale may be too small. `to_dict`, `to_rows` and `to_frame` are of those.
    """

    methods: dict[str, Any]
    minimum: Any
    not_applicable: dict[str, str]
    result: CalibrateResult

    def _line(self) -> str:
        found = self.minimum.text if isinstance(self.minimum, Enclosure) else self.minimum
        target = target_text(self.result.epsilon, self.result.delta)
        return f"minimum {found} for {target}, and {len(self.methods)} methods"

    def _parts(self) -> list[CalibrateResult]:
        return [self.result]

    def _shown(self) -> CalibrateResult:
        return self.result


@overload
def scales(
    p: AnyPrior, q: AnyPrior, noise: Release, epsilon: AnyNumber | float, delta: Numbers = 0,
    *, digits: int = DEFAULT_DIGITS, nearest: bool = False, exact: bool = False,
) -> Scales: ...
@overload
def scales(
    p: AnyPrior, q: AnyPrior, noise: Release, epsilon: Numbers, delta: Numbers = 0,
    *, digits: int = DEFAULT_DIGITS, nearest: bool = False, exact: bool = False,
) -> Scales | NDArray[np.object_]: ...
def scales(
    p: AnyPrior,
    q: AnyPrior,
    noise: Release,
    epsilon: Numbers,
    delta: Numbers = 0,
    *,
    digits: int = DEFAULT_DIGITS,
    nearest: bool = False,
    exact: bool = False,
) -> Scales | NDArray[np.object_]:
    """Return every applicable scale of a kind of noise for two priors, and the least private one.

    Privacy is meant in both orders, for every event. `epsilon` is a number >= 0 or many; the
    scale of `noise` is ignored. The other parameters are as of `density`.
    Returns `Scales`; for many epsilons an array of them in the same shape.
    Raises InputError for a channel and for no noise, and UndecidedError where a float of a minimum
    is asked for that could not be decided.
    Example: ``scales(Discrete({0: 1}), Discrete({1: 1}), Laplace(), "1/2", nearest=True).minimum``
    is 2.0.
    Source: `pfverify.calibrate`.
    """
    asked = Wanted(digits=digits, nearest=nearest, exact=exact)
    epsilons = numbers(epsilon, "epsilon", exact=exact).each(checked_epsilon)
    deltas = numbers(delta, "delta", exact=exact).each(checked_delta)
    if deltas.shape != ():
        raise InputError("delta: expected one number")
    pair = ReleasedPair.of(p, q, noise, asked)
    if isinstance(noise, Channel):
        raise InputError("noise: a channel has no scale")
    found = [_scales(pair.held_to(value, deltas.values[0]), asked) for value in epsilons.values]
    if epsilons.shape == ():
        return found[0]
    return objects(found, epsilons.shape)


def _scales(problem: Problem, asked: Wanted) -> Scales:
    @cache
    def result(n: int) -> CalibrateResult:
        return scales_of(problem, digits=n)

    def of(name: str, n: int) -> Enclosure:
        if name == "minimum":
            return result(n).minimum
        if name not in result(n).methods:
            raise UndecidedError(f"{name}: no scale was found at {n} digits")
        return _enclosed(result(n).methods[name], n)

    first = result(FEW_DIGITS[0] if asked.nearest else asked.digits)
    values: dict[str, Any] = {
        name: refined(partial(of, name), name, asked, FEW_DIGITS) for name in first.methods
    }
    minimum = values.pop("minimum")
    return Scales(values, minimum, first.not_applicable, first)


def _enclosed(method: Method, digits: int) -> Enclosure:
    """The scale of a recipe: its closed form where that is rational, else what was rounded up."""
    closed = None if method.exact is None else number(method.exact, "scale").fraction
    if closed is not None:
        return exact_enclosure(closed, digits)
    if isinstance(method.scale, Infinite) or not method.scale:
        return Enclosure(method.scale, method.scale)
    scale = Fraction(method.scale)
    least = decimal_lower(scale - Grid(digits).step(scale), digits)
    return Enclosure(least, method.scale)

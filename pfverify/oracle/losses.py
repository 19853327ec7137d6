"""delta(epsilon), epsilon(delta) and epsilon* of two priors under a release."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Unpack, overload

from pfverify.answers.loss import largest
from pfverify.answers.outcome import DEFAULT_DIGITS, checked_digits
from pfverify.decide.comparison import Comparison, Orders
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import Number
from pfverify.exact.written import written
from pfverify.model.releases.release import Release
from pfverify.model.requirement import checked_delta, checked_epsilon
from pfverify.model.target import Target
from pfverify.oracle.answers import (
    BothOptions,
    Enclosed,
    Floats,
    checked_flag,
    nearest_by_digits,
    shaped,
)
from pfverify.oracle.arguments import AnyPrior, AskedValues, Numbers, numbers
from pfverify.oracle.released import ReleasedPair

_ZERO = Number.of_rational(0)
Enclose = Callable[[Comparison, int], Enclosure]


@overload
def delta(
    p: AnyPrior, q: AnyPrior, noise: Release, epsilon: Numbers,
    *, nearest: Literal[True], **more: Unpack[BothOptions],
) -> Floats: ...
@overload
def delta(
    p: AnyPrior, q: AnyPrior, noise: Release, epsilon: Numbers,
    *, nearest: Literal[False] = False, **more: Unpack[BothOptions],
) -> Enclosed: ...
def delta(
    p: AnyPrior,
    q: AnyPrior,
    noise: Release,
    epsilon: Numbers,
    *,
    scale: Numbers | None = None,
    both: bool = False,
    digits: int = DEFAULT_DIGITS,
    nearest: bool = False,
    exact: bool = False,
) -> Enclosed | Floats:
    """Return delta(epsilon), the hockey-stick divergence of P against Q.

    It is the largest P(Y in B) - e**epsilon Q(Y in B) over all events B. `epsilon` is a number
    >= 0 or many, `noise` may be a channel, and `both` means the larger of both orders. The other
    parameters are as of `density`.
    Returns an `Enclosure` or a float; for many scales or epsilons `Enclosures` or an array of
    float64 of shape (scales..., epsilons...).
    Raises InputError naming what is wrong with the arguments.
    Example: ``delta(Discrete({0: 1}), Discrete({1: 1}), Laplace(1), [0, 1], nearest=True)[1]`` is
    0.0.
    Source: design facts F4, F5, F12.
    """
    asked = numbers(epsilon, "epsilon", exact=checked_flag(exact, "exact")).each(checked_epsilon)
    question = ReleasedPair.of(p, q, noise, scale, exact=exact)

    def of(value: Number) -> Enclose:
        target = Target(value, _ZERO)
        return lambda compared, n: written(compared.against(target).exceeding(), n)

    return _answers(question, asked.each(of), "delta", digits, both=both, nearest=nearest)


@overload
def epsilon(
    p: AnyPrior, q: AnyPrior, noise: Release, delta: Numbers,
    *, nearest: Literal[True], **more: Unpack[BothOptions],
) -> Floats: ...
@overload
def epsilon(
    p: AnyPrior, q: AnyPrior, noise: Release, delta: Numbers,
    *, nearest: Literal[False] = False, **more: Unpack[BothOptions],
) -> Enclosed: ...
def epsilon(
    p: AnyPrior,
    q: AnyPrior,
    noise: Release,
    delta: Numbers,
    *,
    scale: Numbers | None = None,
    both: bool = False,
    digits: int = DEFAULT_DIGITS,
    nearest: bool = False,
    exact: bool = False,
) -> Enclosed | Floats:
    """Return epsilon(delta), the least epsilon >= 0 at which P against Q meets delta.

    `delta` is a number in [0, 1] or many; at 0 it is epsilon*, as of `loss`. Infinite where no
    epsilon does. The other parameters and what is returned are as of `delta`.
    Raises InputError naming what is wrong with the arguments.
    Example: ``epsilon(Discrete({0: 1}), Discrete({1: 1}), Laplace(1), 0).text`` is ``"1"``.
    Source: design facts F4, F5, F12.
    """
    asked = numbers(delta, "delta", exact=checked_flag(exact, "exact")).each(checked_delta)
    question = ReleasedPair.of(p, q, noise, scale, exact=exact)

    def of(value: Number) -> Enclose:
        if value.sign() == 0:
            return lambda compared, n: written(compared.loss().value, n)
        target = Target(_ZERO, value)
        return lambda compared, n: written(compared.against(target).least_epsilon(), n)

    return _answers(question, asked.each(of), "epsilon", digits, both=both, nearest=nearest)


@overload
def loss(
    p: AnyPrior, q: AnyPrior, noise: Release, *, nearest: Literal[True], **more: Unpack[BothOptions]
) -> Floats: ...
@overload
def loss(
    p: AnyPrior, q: AnyPrior, noise: Release,
    *, nearest: Literal[False] = False, **more: Unpack[BothOptions],
) -> Enclosed: ...
def loss(
    p: AnyPrior,
    q: AnyPrior,
    noise: Release,
    *,
    scale: Numbers | None = None,
    both: bool = False,
    digits: int = DEFAULT_DIGITS,
    nearest: bool = False,
    exact: bool = False,
) -> Enclosed | Floats:
    """Return epsilon*, the max divergence of P against Q: the supremum of log(p/q).

    Infinite where nothing bounds the ratio. The parameters and what is returned are as of `delta`.
    Raises InputError naming what is wrong with the arguments.
    Example: ``loss(Discrete({0: 1}), Discrete({1: 1}), Laplace(2)).text`` is ``"0.5"``.
    Source: design facts F1, F8.
    """
    question = ReleasedPair.of(p, q, noise, scale, exact=checked_flag(exact, "exact"))
    asked = AskedValues[Enclose]([lambda compared, n: written(compared.loss().value, n)], ())
    return _answers(question, asked, "loss", digits, both=both, nearest=nearest)


def _answers(
    question: ReleasedPair,
    asked: AskedValues[Enclose],
    name: str,
    digits: int,
    *,
    both: bool,
    nearest: bool,
) -> Enclosed | Floats:
    """What is asked at every scale, for one order or the larger of both."""
    digits, nearest = checked_digits(digits), checked_flag(nearest, "nearest")
    both = checked_flag(both, "both")
    found: list[Any] = []
    for release in question.releases.values:
        orders = question.orders(release)
        chosen = orders if both else orders[:1]
        for enclose in asked.values:
            found.append(_one(chosen, enclose, name, digits, nearest=nearest))
    return shaped(found, question.releases.shape + asked.shape, nearest=nearest)


def _one(
    orders: Orders | tuple[Comparison],
    enclose: Enclose,
    name: str,
    digits: int,
    *,
    nearest: bool,
) -> Enclosure | float:
    def enclosed(n: int) -> Enclosure:
        return largest([enclose(compared, n) for compared in orders])

    return nearest_by_digits(enclosed, name) if nearest else enclosed(digits)

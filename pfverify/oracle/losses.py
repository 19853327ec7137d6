"""delta(epsilon), epsilon(delta) and epsilon* of two priors under a release."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Unpack, overload

from pfverify.decide.comparison import Comparison
from pfverify.exact.enclosure import Enclosure, largest_of
from pfverify.exact.number import Number
from pfverify.exact.refined import Refined
from pfverify.exact.written import written
from pfverify.keywords import taking
from pfverify.model.releases.release import Release
from pfverify.model.requirement import checked_delta, checked_epsilon
from pfverify.model.target import Target
from pfverify.oracle.answers import Enclosed, Floats, refined
from pfverify.oracle.arguments import (
    AnyPrior,
    AskedValues,
    EnclosingBoth,
    Numbers,
    RoundingBoth,
    WantedBoth,
    numbers,
)
from pfverify.oracle.released import ReleasedPair

_ZERO = Number.of_rational(0)


@overload
def delta(
    p: AnyPrior, q: AnyPrior, noise: Release, epsilon: Numbers, **more: Unpack[RoundingBoth]
) -> Floats: ...
@overload
def delta(
    p: AnyPrior, q: AnyPrior, noise: Release, epsilon: Numbers, **more: Unpack[EnclosingBoth]
) -> Enclosed: ...
@taking(WantedBoth)
def delta(
    p: AnyPrior, q: AnyPrior, noise: Release, epsilon: Numbers, **options: Any
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
    asked = WantedBoth(**options)
    values = numbers(epsilon, "epsilon", exact=asked.exact).each(checked_epsilon)

    def least_delta(order: Comparison, value: Number) -> Refined:
        return order.against(Target(value, _ZERO)).exceeding()

    return _answers(p, q, noise, asked, values, least_delta, "delta")


@overload
def epsilon(
    p: AnyPrior, q: AnyPrior, noise: Release, delta: Numbers, **more: Unpack[RoundingBoth]
) -> Floats: ...
@overload
def epsilon(
    p: AnyPrior, q: AnyPrior, noise: Release, delta: Numbers, **more: Unpack[EnclosingBoth]
) -> Enclosed: ...
@taking(WantedBoth)
def epsilon(
    p: AnyPrior, q: AnyPrior, noise: Release, delta: Numbers, **options: Any
) -> Enclosed | Floats:
    """Return epsilon(delta), the least epsilon >= 0 at which P against Q meets delta.

    `delta` is a number in [0, 1] or many; at 0 it is epsilon*, as of `loss`. Infinite where no
    epsilon does. The other parameters and what is returned are as of `delta`.
    Raises InputError naming what is wrong with the arguments.
    Example: ``epsilon(Discrete({0: 1}), Discrete({1: 1}), Laplace(1), 0).text`` is ``"1"``.
    Source: design facts F4, F5, F12.
    """
    asked = WantedBoth(**options)
    values = numbers(delta, "delta", exact=asked.exact).each(checked_delta)

    def least_epsilon(order: Comparison, value: Number) -> Refined:
        if value.sign() == 0:
            return order.loss().value
        return order.against(Target(_ZERO, value)).least_epsilon()

    return _answers(p, q, noise, asked, values, least_epsilon, "epsilon")


@overload
def loss(p: AnyPrior, q: AnyPrior, noise: Release, **more: Unpack[RoundingBoth]) -> Floats: ...
@overload
def loss(p: AnyPrior, q: AnyPrior, noise: Release, **more: Unpack[EnclosingBoth]) -> Enclosed: ...
@taking(WantedBoth)
def loss(p: AnyPrior, q: AnyPrior, noise: Release, **options: Any) -> Enclosed | Floats:
    """Return epsilon*, the max divergence of P against Q: the supremum of log(p/q).

    Infinite where nothing bounds the ratio. The parameters and what is returned are as of `delta`.
    Raises InputError naming what is wrong with the arguments.
    Example: ``loss(Discrete({0: 1}), Discrete({1: 1}), Laplace(2)).text`` is ``"0.5"``.
    Source: design facts F1, F8.
    """
    once = AskedValues([_ZERO], ())
    return _answers(
        p, q, noise, WantedBoth(**options), once, lambda order, _: order.loss().value, "loss"
    )


def _answers(
    p: object,
    q: object,
    noise: object,
    asked: WantedBoth,
    values: AskedValues[Number],
    find: Callable[[Comparison, Number], Refined],
    name: str,
) -> Enclosed | Floats:
    """What is found at every scale and value, for one order or the larger of both."""
    pair = ReleasedPair.of(p, q, noise, asked)

    def at(release: Release) -> list[Any]:
        orders = pair.orders(release)
        chosen = orders if asked.both else orders[:1]

        def enclosed(value: Number, digits: int) -> Enclosure:
            return largest_of([written(find(order, value), digits) for order in chosen])

        return [refined(partial(enclosed, value), name, asked) for value in values.values]

    return pair.answers(at, values.shape)

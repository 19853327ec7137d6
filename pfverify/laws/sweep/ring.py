"""The recurrence of a sweep over sorted places, in any arithmetic that adds and multiplies.

Between two places lies a decay tau = e**(-gap rate). The sum over the places up to k, each with its
decay to k, is left_k = left_(k-1) tau_k + m_k; that over the places from k on is its mirror image.
Balls and rows of floats are swept alike; the floats of `lattice`, the limbs of `fixed_point` and
the integers of `whole_sums` have products of their own, and exact sums are written out
(`decays.decayed`): a product of them for each step would take longer.
Source: design facts F1 and F12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar

from pfverify.exact.ball import Raw, raw


class Ring(Protocol):
    """What adds and multiplies."""

    def __add__(self, other: Any, /) -> Self: ...
    def __mul__(self, other: Any, /) -> Self: ...


T = TypeVar("T", bound=Ring)


def running_sums(zero: T, weights: Iterable[Any], factors: Iterable[Any]) -> list[T]:
    """Return s_0 = zero + weights[0], s_k = s_(k-1) * factors[k-1] + weights[k].

    Example: ``running_sums(raw(0), [1, 2], [raw(3)])`` is ``[1, 5]``.
    """
    rest = iter(weights)
    total = zero + next(rest)
    sums = [total]
    append = sums.append
    for weight, factor in zip(rest, factors, strict=True):
        total = total * factor + weight
        append(total)
    return sums


def sums_around(zero: T, weights: Sequence[Any], factors: Sequence[Any]) -> list[T]:
    """Return, at every place, the sum over all of them, by two products for each.

    Example: ``sums_around(raw(0), [1, 2], [raw(3)])`` is ``[7, 5]``.
    """
    sums, beyond = running_sums(zero, weights, factors), zero
    for k in range(len(factors) - 1, -1, -1):
        beyond = (beyond + weights[k + 1]) * factors[k]
        sums[k] += beyond
    return sums


@dataclass(frozen=True)
class BothSides:
    """At every place the sum up to it and that from it on, and the decays between neighbours."""

    left: list[Raw]
    right: list[Raw]
    decays: Sequence[Raw]

    @classmethod
    def of(cls, weights: Sequence[int | Raw], decays: Sequence[Raw]) -> BothSides:
        """Return the sums of weights.

        Example: ``BothSides.of([1, 2], [raw(3)]).right`` is ``[7, 2]``.
        """
        right = running_sums(raw(0), reversed(weights), reversed(decays))
        right.reverse()
        return cls(running_sums(raw(0), weights, decays), right, decays)

    def gaps(self) -> Iterator[tuple[Raw, Raw, Raw]]:
        """Yield for each gap the left sum before it, the right sum behind it, and its decay."""
        return zip(self.left, self.right[1:], self.decays, strict=False)

    def around(self) -> list[Raw]:
        """Return the sum over all places at each."""
        return [*(a + b * tau for a, b, tau in self.gaps()), self.left[-1]]

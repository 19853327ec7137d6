"""What independent releases satisfy, or exceed, together: their epsilons and deltas add (F43)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.grammar import Number, combine
from core.rules import Rejected, Step, margin_of
from core.value import sign


def _sum(terms: list[tuple[int, Number]]) -> Number:
    total: Number = Fraction(0)
    for count, x in terms:
        total = combine("+", total, combine("*", Fraction(count), x))
    return total


def require_within(goal: Any, terms: list[tuple[int, Number, Number]]) -> None:
    """Rejected where so many epsilons, or deltas, sum to more than the goal's."""
    for what, sums, bound in (
        ("epsilons", _sum([(n, epsilon) for n, epsilon, _ in terms]), goal.epsilon),
        ("deltas", _sum([(n, delta) for n, _, delta in terms]), goal.delta),
    ):
        if sign(combine("-", bound, sums)) < 0:
            raise Rejected(f"the {what} of the releases sum to more")


def require_beyond(goal: Any, step: Step, terms: list[tuple[int, Number]], total: Fraction) -> None:
    """Rejected where so many epsilons sum to less than the goal's, or the margins to less than the
    step claims."""
    if sign(combine("-", _sum(terms), goal.epsilon)) < 0 or total < margin_of(step):
        raise Rejected("the losses of the releases sum to less")

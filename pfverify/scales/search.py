"""The one search: from which value of a parameter of a problem on a target is met, or is not.

A scale, a bound, a radius, a threshold, a number of releases or of dummies: a value makes a problem
(or orders that are set up), which is decided, and a larger value never turns the verdict back.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pfverify.decide.comparison import Orders
from pfverify.decide.routes import comparison
from pfverify.decide.verdict import Verdict, joined_lazily, verdict_of
from pfverify.errors import UndecidedError
from pfverify.exact.grid import Grid
from pfverify.exact.search import least_decimal, least_integer
from pfverify.model.problem import Problem

_MOST = 1 << 64  # integers from the first that are asked about


def verdict_of_orders(orders: Orders) -> Verdict:
    """Return the verdict on both orders of a pair, and nothing else about them."""
    return joined_lazily(verdict_of(compared.settled().sign) for compared in orders)


def settled_verdict(problem: Problem) -> Verdict:
    """Return the verdict on all pairs of a problem, and nothing else about them.

    Example: ``settled_verdict(Problem.load("example:census")).value``.
    """
    return joined_lazily(verdict_of_orders(comparison(item)) for item in problem.questions())


class Search:
    """The verdicts at the values of one parameter, each decided as it is asked for.

    From some value on the verdict is `later`, before it the opposite one. `where` tells of a value
    in messages: "at scale {}".
    """

    def __init__(
        self,
        where: str,
        decide: Callable[[Fraction], Verdict],
        text: Callable[[Fraction], str] = str,
        later: Verdict = Verdict.CERTIFIED,
    ) -> None:
        self._where, self._decide, self._text = where, decide, text
        up = {Verdict.CERTIFIED: True, Verdict.REFUTED: False}[later]
        self._answers = {
            Verdict.CERTIFIED: up, Verdict.REFUTED: not up, Verdict.UNDECIDED: None
        }  # fmt: skip
        self._met: dict[Fraction, bool | None] = {}

    def answer(self, value: Fraction) -> bool | None:
        """Return whether the later verdict is reached; None where it is undecided."""
        if value not in self._met:
            self._met[value] = self._answers[self._decide(value)]
        return self._met[value]

    def holds(self, value: Fraction) -> bool:
        """Return whether the later verdict is reached; UndecidedError where it is undecided."""
        answer = self.answer(value)
        if answer is None:
            raise UndecidedError(self._undecided(value))
        return answer

    def decimals(
        self, guess: Fraction | None, grid: Grid
    ) -> tuple[Fraction, Fraction, str | None]:
        """Bracket the turn by decimals, both decided; see `least_decimal`, which raises.

        They are neighbours, unless the text that comes with them says what is undecided between.
        """
        lower, upper = least_decimal(self.holds, guess, grid)
        open_ = [x for x, answer in self._met.items() if answer is None and lower < x < upper]
        return lower, upper, self._undecided(open_[-1]) if open_ else None

    def integers(
        self, start: int, most: int, origin: Fraction = Fraction(0), unit: Fraction = Fraction(1)
    ) -> tuple[int | None, int | None]:
        """Bracket the turn on a lattice by numbers of its units; see `least_integer`."""
        return least_integer(lambda k: self.answer(origin + k * unit), start, most)

    def integers_until_undecided(self, start: int, first: int) -> None:
        """Bracket the turn by integers, the second one `first` from `start`; `ends` has them.

        Raises UndecidedError at the first one that is not decided.
        """
        least_integer(lambda k: self.holds(Fraction(k)), start, _MOST, first)

    def ends(self) -> tuple[Fraction | None, Fraction | None]:
        """Return the last value before the turn that was asked about, and the first behind it."""
        before = [x for x, answer in self._met.items() if answer is False]
        behind = [x for x, answer in self._met.items() if answer is True]
        return max(before, default=None), min(behind, default=None)

    def _undecided(self, value: Fraction) -> str:
        return f"the verdict {self._where.format(self._text(value))} is undecided"

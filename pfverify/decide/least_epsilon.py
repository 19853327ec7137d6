"""The least epsilon at which one order meets its delta, bracketed by decisions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pfverify.decide.comparison import Comparison
from pfverify.errors import UndecidedError
from pfverify.exact.grid import Grid
from pfverify.exact.refined import OnGrid
from pfverify.exact.search import least_decimal

Ends = tuple[Fraction, Fraction]
_HALVINGS = 80


def searched(compared: Comparison, propose: Callable[[Grid], Fraction]) -> OnGrid:
    """Return the least epsilon of one order as a number that is decided candidate by candidate.

    `propose` says about where it is on a grid. It is at most epsilon*, where nothing is left to
    exceed: that is all that is known where a decision on the way is undecided.
    """
    return OnGrid(lambda grid: _bracket(compared, propose, grid), compared.loss().value)


def halved(is_above: Callable[[Fraction], bool], grid: Grid, most: int) -> Fraction:
    """Return about where something stops to hold, at most 2 `most`: by doubling, then by halving.

    Example: ``float(halved(lambda x: x < 3, Grid(6), 64))`` is 3.0.
    """
    low, high = Fraction(0), Fraction(1)
    while high < most and is_above(high):
        low, high = high, 2 * high
    for _ in range(min(grid.bits + 8, _HALVINGS)):
        middle = (low + high) / 2
        low, high = (middle, high) if is_above(middle) else (low, middle)
    return high


def _bracket(compared: Comparison, propose: Callable[[Grid], Fraction], grid: Grid) -> Ends:
    def holds(epsilon: Fraction) -> bool:
        # a proof of pure privacy is not assumed: what delta bounds is compared with delta
        found = compared.against(compared.target.at_epsilon(epsilon)).settled()
        if found.sign is None:
            raise UndecidedError(found.reason or "undecided")
        signs[epsilon] = found.sign
        return found.sign <= 0

    signs: dict[Fraction, int] = {}
    if compared.equal or holds(Fraction(0)):
        return Fraction(0), Fraction(0)
    guess = propose(grid)
    if guess <= 0:  # it is larger, if by less than was seen
        guess = Fraction(1, 10**grid.digits)
    lower, upper = least_decimal(holds, guess, grid)
    if signs.get(upper) == 0 and _falls(compared, upper + (upper - lower)):
        lower = upper
    return lower, upper


def _falls(compared: Comparison, epsilon: Fraction) -> bool:
    """Whether what delta bounds is proved to be below delta at an epsilon.

    It is convex in e**epsilon and never rises: a smaller epsilon that meets delta exactly is then
    the only one. (What no epsilon bounds may equal delta: then all larger ones meet it exactly.)
    """
    return compared.against(compared.target.at_epsilon(epsilon)).settled().sign == -1

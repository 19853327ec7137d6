"""The least epsilon at which one order meets its delta, bracketed by decisions."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.comparison import Comparison
from pfverify.errors import UndecidedError
from pfverify.exact.decimals import decimal_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.grid import Grid
from pfverify.exact.search import least_decimal


def least_epsilon(compared: Comparison, loss: Enclosure, digits: int) -> Enclosure:
    """Enclose the least epsilon >= 0 at which what delta bounds is at most delta.

    `loss` encloses epsilon*, where nothing is left to exceed. Where a decision on the way is
    undecided the ends are 0 and the loss: wide, but right. "inf" where no epsilon does.
    """
    known = compared.known_epsilon(digits)
    if known is not None:
        return known

    def holds(epsilon: Fraction) -> bool:
        # a proof of pure privacy is not assumed: what delta bounds is compared with delta
        found = compared.against(compared.target.at_epsilon(epsilon)).settled()
        if found.sign is None:
            raise UndecidedError(found.reason or "undecided")
        signs[epsilon] = found.sign
        return found.sign <= 0

    signs: dict[Fraction, int] = {}
    try:
        if compared.equal or holds(Fraction(0)):
            return Enclosure("0", "0")
        guess = compared.proposed_epsilon(loss, digits)
        if guess <= 0:  # it is larger, if by less than was seen
            guess = Fraction(1, 10**digits)
        lower, upper = least_decimal(holds, guess, Grid(digits))
    except UndecidedError:
        return Enclosure("0", loss.upper)
    if signs.get(upper) == 0 and _falls(compared, upper + (upper - lower)):
        lower = upper
    return Enclosure(decimal_text(lower, digits), decimal_text(upper, digits))


def _falls(compared: Comparison, epsilon: Fraction) -> bool:
    """Whether what delta bounds is proved to be below delta at an epsilon.

    It is convex in e**epsilon and never rises: a smaller epsilon that meets delta exactly is then
    the only one. (What no epsilon bounds may equal delta: then all larger ones meet it exactly.)
    """
    return compared.against(compared.target.at_epsilon(epsilon)).settled().sign == -1

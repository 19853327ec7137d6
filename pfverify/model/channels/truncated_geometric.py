"""The truncated geometric mechanism on 0, ..., m - 1."""

from __future__ import annotations

from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number
from pfverify.model.channels.channel import Channel, check_size
from pfverify.model.channels.entries import Entry, folded, product, quotient, total
from pfverify.model.channels.parameters import (
    budget_key,
    chance_key,
    checked_count,
    count_key,
    power_of_e,
)

MAX_BITS = 100_000
"""Most bits of a rational entry."""


class TruncatedGeometric(Channel):
    """The two-sided geometric mechanism on the integers, folded onto 0, ..., size - 1.

    P(y | x) is (1-t)/(1+t) t**|y-x| inside, and t**|y-x|/(1+t) at both ends, where all that lies
    beyond is reported. Parameters: `size` >= 2, and exactly one of `epsilon` > 0 (t is
    e**-epsilon) and `ratio`, t itself, in (0, 1).
    Raises InputError naming the key.
    Example: ``TruncatedGeometric(3, ratio="1/2").rows[0]`` is ``(2/3, 1/6, 1/6)``.
    Source: Ghosh, Roughgarden and Sundararajan 2009.
    """

    kind = "truncated-geometric"
    keys = (
        count_key("size", ">= 2: the values are 0 to size - 1", least=2),
        budget_key("> 0; the ratio is e**-epsilon"),
        chance_key("ratio", "in (0, 1)", ends=False),
    )
    one_of = "epsilon", "ratio"
    size: int
    epsilon: Number | None
    ratio: Number | None

    def __init__(
        self, size: object, epsilon: object | None = None, ratio: object | None = None
    ) -> None:
        count = checked_count(size, "size", 2)
        check_size(count, count, "size")
        if (epsilon is None) == (ratio is None):
            got = "neither" if epsilon is None else "both"
            raise InputError(f"epsilon: expected exactly one of epsilon and ratio, got {got}")
        names = tuple(map(str, range(count)))
        kept = self._values(epsilon=epsilon, ratio=ratio)
        ratio_of = folded(kept["ratio"]) if epsilon is None else _of_budget(kept["epsilon"], count)
        self._keep(inputs=names, _outputs=names, size=count, _ratio=ratio_of, **kept)
        if isinstance(self._ratio, Fraction):
            bits = count * self._ratio.denominator.bit_length()
            if bits > MAX_BITS:
                raise InputError(
                    f"size: the entries of {count} inputs have about {bits} bits at this ratio, "
                    f"at most {MAX_BITS} are kept"
                )

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the rows: there are at most two entries for each distance."""
        t, one = self._ratio, Fraction(1)
        beyond = quotient(one, total([one, t]))
        at = product(total([one, product(t, Fraction(-1))]), beyond)
        powers = self._powers()
        inside = [product(at, value) for value in powers]
        ends = [product(beyond, value) for value in powers]
        last = self.size - 1
        return tuple(
            (ends[x], *(inside[abs(y - x)] for y in range(1, last)), ends[last - x])
            for x in range(self.size)
        )

    def _powers(self) -> list[Entry]:
        """The powers of t up to size - 1; each from two halves, so that expressions stay low."""
        if self.epsilon is not None:
            return [power_of_e(self.epsilon, Fraction(-k)) for k in range(self.size)]
        found: list[Entry] = [Fraction(1), self._ratio]
        for k in range(2, self.size):
            found.append(product(found[k // 2], found[k - k // 2]))
        return found

    _ratio: Entry


def _of_budget(epsilon: Number, count: int) -> Entry:
    """The ratio of a budget, which is above 0."""
    if epsilon.sign() == 0:
        raise InputError(f"epsilon: {shorten(epsilon.text)} is exactly 0, expected a number > 0")
    power_of_e(epsilon, Fraction(1 - count))  # refused here where it is too large
    return power_of_e(epsilon, Fraction(-1))

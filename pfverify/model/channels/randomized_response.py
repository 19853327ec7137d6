"""Randomized response: the truth with some chance, else another answer, all alike."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.model.channels.alike import many_names
from pfverify.model.channels.channel import Channel, check_size
from pfverify.model.channels.entries import Entry, folded, product, quotient, total
from pfverify.model.channels.parameters import budget_key, chance_key, names_key, power_of_e


class RandomizedResponse(Channel):
    """k-ary randomized response: the outputs are the inputs.

    Parameters: `inputs`, at least two names, and exactly one of `epsilon` >= 0 (the truth is told
    with chance e**epsilon / (e**epsilon + k - 1)) and `truth`, that chance itself, in [0, 1].
    Raises InputError naming the key.
    Example: ``RandomizedResponse(["a", "b", "c"], epsilon="log(2)").rows[0][0]`` is ``1/2``.
    Source: Warner 1965; Kairouz, Oh and Viswanath 2016.
    """

    kind = "randomized-response"
    alike = True
    keys = (
        names_key("inputs", 2),
        budget_key(">= 0"),
        chance_key("truth", "chance of the true answer, in [0, 1]"),
    )
    one_of = "epsilon", "truth"
    epsilon: Number | None
    truth: Number | None

    def __init__(
        self, inputs: object, epsilon: object | None = None, truth: object | None = None
    ) -> None:
        names = many_names(inputs)
        if (epsilon is None) == (truth is None):
            got = "neither" if epsilon is None else "both"
            raise InputError(f"epsilon: expected exactly one of epsilon and truth, got {got}")
        kept = self._values(epsilon=epsilon, truth=truth)
        chances = _of_epsilon if truth is None else _of_truth
        known = next(number for number in kept.values() if number is not None)
        self._keep(inputs=names, _outputs=names, _chances=chances(known, len(names) - 1), **kept)

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return rows of two different entries; InputError for too many to be written out."""
        check_size(len(self.inputs), len(self.inputs), "inputs")
        return tuple(map(self.row, self.inputs))

    def row(self, name: str) -> tuple[Entry, ...]:
        """Return one row; KeyError for a name that is no input."""
        if name not in self._made:
            (true, other), count, k = self._chances, len(self.inputs), self._place[name]
            self._made[name] = (*(other,) * k, true, *(other,) * (count - 1 - k))
        return self._made[name]

    @cached_property
    def _made(self) -> dict[str, tuple[Entry, ...]]:
        return {}

    _chances: tuple[Entry, Entry]


def _of_epsilon(epsilon: Number, others: int) -> tuple[Entry, Entry]:
    """The chance of the true answer, and that of each other one."""
    grown = power_of_e(epsilon, Fraction(1))
    both = total([grown, Fraction(others)])
    return quotient(grown, both), quotient(Fraction(1), both)


def _of_truth(truth: Number, others: int) -> tuple[Entry, Entry]:
    """The same, from the first."""
    rest = total([Fraction(1), product(folded(truth), Fraction(-1))])
    return folded(truth), quotient(rest, Fraction(others))

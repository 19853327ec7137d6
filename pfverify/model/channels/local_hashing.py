"""Local hashing: the value of a random function at the input is told, mostly as it is."""

from __future__ import annotations

from fractions import Fraction
from itertools import product as tuples

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number
from pfverify.model.channels.alike import FEW, Alike, in_classes, least_whole, many_names, too_many
from pfverify.model.channels.channel import MOST_LISTED, Channel
from pfverify.model.channels.entries import Entry, difference, product, quotient, sign_of, total
from pfverify.model.channels.parameters import budget_key, checked_count, names_key, power_of_e
from pfverify.model.keys import Key

MOST_VALUES = 10**9
"""Most values of a hash function."""


class LocalHashing(Alike):
    """Local hashing: a random function of the inputs is published, and mostly its true value.

    Parameters: `inputs`, at least two names; `epsilon` >= 0, of the randomized response of the
    value: the true one has chance e**epsilon/(e**epsilon + g - 1), each other one 1/(the same);
    `range`, the number g >= 2 of values, by default the whole number that is nearest to
    e**epsilon + 1, of two the lower. The function is drawn uniformly from all functions of the
    inputs to 0, ..., g - 1, and so are the pairs of its values: any law of the function under which
    those of each two inputs are independent and uniform has the same losses and deltas. The outputs
    are the values at all inputs, in their order, and then the value that is told, as in 0,1,1:0. Of
    more than 100 inputs, or 4096 outputs, nothing is written out. Of more than 12 inputs, or where
    nothing is written out, one pair is decided for all: whether the value is that of the one, and
    of the other, decides.
    Raises InputError naming the key.
    Example: ``LocalHashing(["a", "b"], "log(3)", 2).rows[0][:2]`` is ``(3/16, 1/16)``.
    Source: Wang, Blocki, Li and Jha 2017 (optimal local hashing); design fact F86.
    """

    kind = "local-hashing"
    about = "whether the value is that of the one input, and of the other"
    keys = (
        names_key("inputs", 2),
        budget_key(">= 0", needed=True),
        Key("range", "how many values a hash function has, from 2; default the whole number "
            "nearest to e**epsilon + 1", {"type": "integer"}, kept="_given", text=int),
    )  # fmt: skip
    epsilon: Number
    range: int

    def __init__(self, inputs: object, epsilon: object, range: object | None = None) -> None:
        names = many_names(inputs)
        count, given = len(names), None
        self._keep(inputs=names, **self._values(epsilon=epsilon))
        self._keep(_grown=power_of_e(self.epsilon, Fraction(1)))
        if range is not None:
            given = checked_count(range, "range", 2)
            if given > MOST_VALUES:
                raise InputError(f"range: {shorten(given)}, expected at most {MOST_VALUES}")
        values = self._nearest() if given is None else given
        beyond = too_many(count, values ** (count + 1) if count <= MOST_LISTED else 0)
        self._keep(range=values, _given=given, _beyond=beyond, _many=count > FEW or bool(beyond))
        self._keep(_outputs=() if beyond else tuple(self._reports()))

    def _nearest(self) -> int:
        """The least g from 2 with e**epsilon + 1 <= g + 1/2."""

        def reached(g: int) -> bool:
            sign = sign_of(difference(self._grown, g - Fraction(1, 2)))
            if sign is None:
                raise InputError(
                    "range: cannot decide which whole number is nearest to e**epsilon + 1; state it"
                )
            return sign <= 0

        if not reached(MOST_VALUES):
            raise InputError(
                f"range: the whole number nearest to e**epsilon + 1 is above {MOST_VALUES}; state "
                "a lower one"
            )
        return least_whole(reached, 2, MOST_VALUES)

    def _functions(self) -> list[tuple[int, ...]]:
        return list(tuples(range(self.range), repeat=len(self.inputs)))

    def _reports(self) -> list[str]:
        functions = (",".join(map(str, values)) for values in self._functions())
        return [f"{values}:{told}" for values in functions for told in range(self.range)]

    def pair(self) -> Channel:
        """Return whether the value is that of the first input, and of the second.

        Of g values, with D = e**epsilon + g - 1: both e**epsilon, the input alone
        (g - 1) e**epsilon, the other alone g - 1, neither (g - 1)**2, over g D.
        """
        g = self.range
        whole = self._whole()

        def share(count: int, factor: Entry = Fraction(1)) -> Entry:
            return quotient(product(factor, Fraction(count, g)), whole)

        return in_classes(
            self.inputs[:2], share((g - 1) ** 2), share(g - 1),
            share(g - 1, self._grown), share(1, self._grown),
        )  # fmt: skip

    def _whole(self) -> Entry:
        return total([self._grown, Fraction(self.range - 1)])

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return rows of two different entries; InputError for too many to be written out."""
        self._check_written_out()
        functions = self._functions()
        each = Fraction(1, len(functions))
        true, other = (
            quotient(product(factor, each), self._whole()) for factor in (self._grown, Fraction(1))
        )
        return tuple(
            tuple(
                true if values[x] == told else other
                for values in functions for told in range(self.range)
            ) for x in range(len(self.inputs))
        )  # fmt: skip

    _given: int | None
    _grown: Entry

"""Subset selection: some of the inputs are told, and mostly the true one is among them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.model.channels.alike import FEW, Alike, in_classes, least_whole, many_names, too_many
from pfverify.model.channels.channel import MOST_LISTED, Channel
from pfverify.model.channels.entries import Entry, difference, product, quotient, sign_of, total
from pfverify.model.channels.parameters import budget_key, checked_count, names_key, power_of_e
from pfverify.model.keys import Key


class SubsetSelection(Alike):
    """Subset selection: the report is a set of d of the k inputs.

    Parameters: `inputs`, at least two names; `epsilon` >= 0: a set that has the input is
    e**epsilon times as likely as one that has not; `size`, d from 1 to k - 1, by default the whole
    number >= 1 that is nearest to k/(e**epsilon + 1), of two the lower. The outputs are the sets,
    as texts of a bit for each input in their order, which is 1 where the set has it. Of more than
    100 inputs, or 4096 sets, nothing is written out. Of more than 12 inputs one pair is decided for
    all: whether the set has the one, and the other, decides.
    Raises InputError naming the key.
    Example: ``SubsetSelection(["a", "b", "c"], "log(2)").rows[0]`` is ``(1/2, 1/4, 1/4)``.
    Source: Ye and Barg 2018; Wang, Huang, Wang, Nie, Xu, Yang, Li and Qiao 2016; design fact F86.
    """

    kind = "subset-selection"
    about = "whether the set has the one input, and the other"
    keys = (
        names_key("inputs", 2),
        budget_key(">= 0", needed=True),
        Key("size", "how many inputs a set has, from 1; default the whole number nearest to "
            "k/(e**epsilon + 1), of k inputs", {"type": "integer"}, kept="_given", text=int),
    )  # fmt: skip
    epsilon: Number
    size: int

    def __init__(self, inputs: object, epsilon: object, size: object | None = None) -> None:
        names = many_names(inputs)
        count, given = len(names), None
        self._keep(inputs=names, **self._values(epsilon=epsilon))
        self._keep(_grown=power_of_e(self.epsilon, Fraction(1)))
        if size is not None:
            given = checked_count(size, "size", 1)
            if given >= count:
                raise InputError(f"size: {given}, expected fewer than the {count} inputs")
        chosen = self._nearest() if given is None else given
        beyond = too_many(count, comb(count, chosen) if count <= MOST_LISTED else 0)
        self._keep(size=chosen, _given=given, _beyond=beyond, _many=count > FEW or bool(beyond))
        self._keep(_outputs=() if beyond else tuple(self._sets()))

    def _nearest(self) -> int:
        """The least d from 1 with k/(e**epsilon + 1) <= d + 1/2."""
        count = len(self.inputs)

        def reached(d: int) -> bool:
            least = Fraction(2 * count - 2 * d - 1, 2 * d + 1)
            sign = sign_of(difference(self._grown, least))
            if sign is None:
                raise InputError(
                    f"size: cannot decide which whole number is nearest to {count}/(e**epsilon + "
                    "1); state it"
                )
            return sign >= 0

        return least_whole(reached, 1, count - 1)

    def _sets(self) -> list[str]:
        count = len(self.inputs)
        chosen = combinations(range(count), self.size)
        return ["".join("01"[k in one] for k in range(count)) for one in map(set, chosen)]

    def pair(self) -> Channel:
        """Return whether the set has the first input, and the second.

        Of d out of k, with D = d e**epsilon + k - d: both d(d - 1) e**epsilon, the input alone
        d(k - d) e**epsilon, the other alone d(k - d), neither (k - d)(k - d - 1), over (k - 1) D.
        """
        k, d = len(self.inputs), self.size
        whole = total([product(self._grown, Fraction(d)), Fraction(k - d)])

        def share(count: int, factor: Entry = Fraction(1)) -> Entry:
            return quotient(product(factor, Fraction(count, k - 1)), whole)

        return in_classes(
            self.inputs[:2], share((k - d) * (k - d - 1)), share(d * (k - d)),
            share(d * (k - d), self._grown), share(d * (d - 1), self._grown),
        )  # fmt: skip

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return rows of two different entries; InputError for too many to be written out."""
        self._check_written_out()
        k, d = len(self.inputs), self.size
        having, others = Fraction(comb(k - 1, d - 1)), Fraction(comb(k - 1, d))
        whole = total([product(self._grown, having), others])
        entry = {"1": quotient(self._grown, whole), "0": quotient(Fraction(1), whole)}
        return tuple(tuple(entry[name[x]] for name in self.outputs) for x in range(k))

    _given: int | None
    _grown: Entry

"""How often each output came of several that are independent and alike.

The order of such outputs says nothing: all orders of the same counts have the same mass, whatever
the input was, and are joined. So the counts have the divergences of the outputs in their order.
Source: outputs with the same masses count as one (design fact F84).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, combinations_with_replacement, pairwise, repeat
from math import comb, prod
from operator import mul

from pfverify.errors import InputError
from pfverify.model.channels.channel import MAX_ENTRIES
from pfverify.model.channels.entries import Entry, Products, over_one_denominator

MOST_BITS = 1 << 18
"""Of the common denominator of counts."""


Counts = tuple[tuple[int, int], ...]
"""Outputs by their places, each with how often it came, which is not 0."""


def counts(outputs: int, copies: int) -> Iterator[Counts]:
    """Yield how often each of some outputs can come of some copies.

    Example: ``list(counts(2, 2))`` is ``[((0, 2),), ((0, 1), (1, 1)), ((1, 2),)]``.
    """
    if copies < outputs:
        for drawn in combinations_with_replacement(range(outputs), copies):
            yield tuple(Counter(drawn).items())
        return
    whole = copies + outputs - 1
    for bars in combinations(range(whole), outputs - 1):  # between what the last gives, and so on
        ends = pairwise((-1, *bars, whole))
        gaps = [high - low - 1 for low, high in ends]
        yield tuple((k, n) for k, n in enumerate(reversed(gaps)) if n)


def count_of_counts(outputs: int, copies: int) -> int:
    """Return how many counts there are. Example: ``count_of_counts(2, 24)`` is 25."""
    return comb(outputs + copies - 1, copies)


def check_counts(inputs: int, outputs: int, copies: int, where: str) -> None:
    """Raise InputError where there are too many counts to be written out."""
    found = inputs * count_of_counts(outputs, copies)
    if found > MAX_ENTRIES:
        raise InputError(
            f"{where}: {copies} copies of {outputs} outputs are counted in {found} entries, at "
            f"most {MAX_ENTRIES} are written out; [[parts]] with times takes any number"
        )


def counted_names(outputs: Sequence[str], copies: int, where: str) -> tuple[str, ...]:
    """Return the names of counts; InputError where two would have the same.

    Example: ``counted_names(["a", "b"], 2, "copies")`` is ``("2 x a", "1 x a,1 x b", "2 x b")``.
    """
    found = tuple(
        ",".join(f"{n} x {outputs[k]}" for k, n in each) for each in counts(len(outputs), copies)
    )
    if len(set(found)) < len(found):
        raise InputError(f"{where}: two counts of outputs have the same name; rename an output")
    return found


def counted_law(row: Sequence[Entry], copies: int, products: Products) -> tuple[Entry, ...]:
    """Return the multinomial law of the counts, in the order of `counts`.

    Raises InputError for masses that are too long.
    Example: ``counted_law([Fraction(1, 2)] * 2, 2, Products())`` is ``(1/4, 1/2, 1/4)``.
    Source: design fact F84.
    """
    whole = over_one_denominator(row)
    if whole is not None:
        tops, bottom = whole
        if copies * bottom.bit_length() > MOST_BITS:
            raise InputError(
                f"copies: the masses of {copies} of them have about "
                f"{copies * bottom.bit_length()} bits, at most {MOST_BITS} are worked with; "
                "[[parts]] with times takes any number"
            )
        whole_powers = [list(accumulate(repeat(top, copies), mul, initial=1)) for top in tops]
        below = bottom**copies
        return tuple(
            Fraction(_orders(each) * prod(whole_powers[k][n] for k, n in each), below)
            for each in counts(len(row), copies)
        )
    known: list[list[Entry]] = [[Fraction(1), x] for x in row]
    for powers in known:
        for n in range(2, copies + 1):  # of halves, so that expressions stay flat
            powers.append(products.of(powers[n // 2], powers[n - n // 2]))
    found = list[Entry]()
    for each in counts(len(row), copies):
        mass: Entry = Fraction(_orders(each))
        for k, n in each:
            mass = products.of(mass, known[k][n])
        found.append(mass)
    return tuple(found)


def _orders(each: Counts) -> int:
    """In how many orders outputs that come so often can come."""
    sizes = accumulate(n for _, n in each)
    return prod(comb(so_far, n) for so_far, (_, n) in zip(sizes, each, strict=True))

"""The tupling mechanism written out: every tuple is an output of a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeVar

from pfverify import Channel
from pfverify.model.channels.tupling import Tupling

N = TypeVar("N", int, Fraction)


def by_places(law: Sequence[N], dummy: Sequence[N], dummies: int) -> dict[tuple[int, ...], N]:
    """k + 1 times the mass of every tuple, from the definition: the value at each place in turn."""
    places = range(dummies + 1)
    return {
        found: sum(
            law[found[i]] * prod(dummy[found[j]] for j in places if j != i) for i in places
        )
        for found in product(range(len(law)), repeat=len(places))
    }


def tuple_law(
    law: Sequence[Fraction], dummy: Sequence[Fraction], dummies: int
) -> dict[tuple[int, ...], Fraction]:
    """The mass of every tuple, by the indices of its outputs."""
    return {t: total / (dummies + 1) for t, total in by_places(law, dummy, dummies).items()}


def written_out(channel: Tupling) -> Channel:
    """The mechanism as a matrix, whose outputs are the tuples."""
    laws = [tuple_law(row, channel.dummy, channel.dummies) for row in channel.base.rows]
    return Channel.of({
        "kind": "matrix",
        "inputs": list(channel.inputs),
        "outputs": ["/".join(channel.base.outputs[y] for y in t) for t in laws[0]],
        "rows": [[str(mass) for mass in law.values()] for law in laws],
    })

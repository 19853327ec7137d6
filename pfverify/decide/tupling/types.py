"""Sums over tuples by type classes: how often each value is drawn, never in which order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

from pfverify.errors import InputError

MOST_SUMS = 1_000_000
"""Different sums of half tuples that are kept at most: under a gigabyte of integers."""
MOST_BITS = 1 << 31
"""Bits of their numbers of ways, all together."""
_LONGEST = 10_000_000
"""Bits of one number of ways."""

Value = tuple[int, int]
"""What one place adds to P and to Q, in units of the dummy law."""
Weighed = tuple[int, int, int]
"""A sum of values, and the number of ways to reach it."""


@dataclass(frozen=True)
class Halves:
    """Parts of all tuples: each `left` sum meets each `right` one in `ways` orders of places."""

    ways: int
    left: list[Weighed]
    right: list[Weighed]


def halves(weights: Mapping[Value, int], places: int) -> list[Halves]:
    """Split the tuples of `places` values in two, whose sums are few.

    Half of the places and the others; or half of the values, with as many places as they take, and
    the others: whichever has fewer type classes.
    Raises InputError where there are too many.
    """
    small, large = places // 2, places - places // 2
    count = len(weights)
    if comb(places + (count + 1) // 2, places) < comb(large + count - 1, large):
        values = list(weights.items())
        one, other = (_by_places(dict(values[k::2]), places) for k in (0, 1))
        return [
            Halves(comb(places, taken), _rows(one[taken]), _rows(other[places - taken]))
            for taken in range(places + 1)
        ]
    left = _rows(sums(weights, small))
    return [Halves(1, left, left if small == large else _rows(sums(weights, large)))]


def _rows(found: Mapping[Value, int]) -> list[Weighed]:
    return [(up, down, ways) for (up, down), ways in found.items()]


def sums(weights: Mapping[Value, int], places: int) -> dict[Value, int]:
    """Return every sum of `places` independent values, with the number of ways to reach it.

    A type class of counts c has `places`!/prod c! prod weight**c ways; classes with equal sums
    are merged, value by value, so that no class is visited that another one stands for.
    Raises InputError where there are more than `MOST_SUMS`, or fewer that are as long.
    Example: ``sums({(1, 0): 1, (0, 1): 2}, 2)`` is ``{(2, 0): 1, (1, 1): 4, (0, 2): 4}``.
    """
    if len(weights) == 1:
        check_length(places, *weights.values())
        (((up, down), weight),) = weights.items()
        return {(places * up, places * down): weight**places}
    return _by_places(weights, places, only=places)[places]


def _by_places(
    weights: Mapping[Value, int], places: int, only: int | None = None
) -> list[dict[Value, int]]:
    """Return the sums of 0, 1, ..., `places` values (of `only` so many, the others left out)."""
    whole = sum(weights.values())
    check_length(places, whole)
    most = min(MOST_SUMS, MOST_BITS // (places * whole.bit_length() + 1))
    if places >= most:
        raise _too_many(most)
    # both coordinates in one integer, which adds faster than a pair
    shift = (places * max(value[1] for value in weights)).bit_length()
    layers: list[dict[int, int]] = [{} for _ in range(places + 1)]  # by the places filled
    layers[0][0] = 1
    left = len(weights)
    for (up, down), weight in weights.items():
        left -= 1
        packed = (up << shift) + down
        powers = [weight**c for c in range(places + 1)]
        grown: list[dict[int, int]] = [{} for _ in range(places + 1)]
        kept = 0
        for filled, layer in ((filled, layer) for filled, layer in enumerate(layers) if layer):
            ends = range(filled, places + 1) if left or only is None else (only,)
            for end in ends:
                count = end - filled
                ways, step = comb(end, filled) * powers[count], count * packed
                into = grown[end]
                kept -= len(into)
                for total, found in layer.items():
                    into[total + step] = into.get(total + step, 0) + found * ways
                kept += len(into)
                if kept > most:
                    raise _too_many(most)
        layers = grown
    mask = (1 << shift) - 1
    return [
        {(total >> shift, total & mask): ways for total, ways in layer.items()} for layer in layers
    ]


def check_length(places: int, whole: int) -> None:
    """Raise InputError where the number of ways of so many draws is too long to be written.

    Example: ``check_length(10**30, 2)`` raises.
    """
    if places * whole.bit_length() > _LONGEST:
        raise InputError(
            f"tupling: exact masses of its tuples take more than {_LONGEST:,} bits; give fewer "
            "dummies"
        )


def _too_many(most: int) -> InputError:
    return InputError(
        f"tupling: half of its places take more than {most:,} different sums, which an exact "
        "answer has to hold; give fewer dummies, or fewer different outputs"
    )

"""Sums over tuples by type classes: how often each value is drawn, never in which order."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb, factorial, prod

from pfverify.errors import InputError

MOST_SUMS = 1_000_000
"""Different sums of half tuples that are kept at most: under a gigabyte of integers."""
MOST_BITS = 1 << 31
"""Bits of their numbers of ways, all together."""
_LONGEST = 10_000_000
"""Bits of one number of ways."""

Value = tuple[int, int]
"""What one place adds to P and to Q, in units of the dummy law."""


def sums(weights: Mapping[Value, int], places: int) -> dict[Value, int]:
    """Return every sum of `places` independent values, with the number of ways to reach it.

    A type class of counts c has `places`!/prod c! prod weight**c ways; classes with equal sums
    are merged, value by value, so that no class is visited that another one stands for.
    Raises InputError where there are more than `MOST_SUMS`, or fewer that are as long.
    Example: ``sums({(1, 0): 1, (0, 1): 2}, 2)`` is ``{(2, 0): 1, (1, 1): 4, (0, 2): 4}``.
    """
    whole = sum(weights.values())
    check_length(places, whole)
    most = min(MOST_SUMS, MOST_BITS // (places * whole.bit_length() + 1))
    if len(weights) == 1:
        (((up, down), weight),) = weights.items()
        return {(places * up, places * down): weight**places}
    if places >= most:
        raise _too_many(most)
    # both coordinates in one integer, which adds faster than a pair
    shift = (places * max(value[1] for value in weights)).bit_length()
    layers: list[dict[int, int]] = [{} for _ in range(places + 1)]  # by the places left
    layers[places][0] = 1
    left = len(weights)
    for (up, down), weight in weights.items():
        left -= 1
        packed = (up << shift) + down
        powers = [weight**c for c in range(places + 1)]
        grown: list[dict[int, int]] = [{} for _ in range(places + 1)]
        kept = 0
        for rest, layer in ((rest, layer) for rest, layer in enumerate(layers) if layer):
            # the last value fills what is left
            for count in range(rest + 1) if left else (rest,):
                ways, step = comb(rest, count) * powers[count], count * packed
                into = grown[rest - count]
                kept -= len(into)
                for total, found in layer.items():
                    into[total + step] = into.get(total + step, 0) + found * ways
                kept += len(into)
                if kept > most:
                    raise _too_many(most)
        layers = grown
    mask = (1 << shift) - 1
    return {(total >> shift, total & mask): ways for total, ways in layers[0].items()}


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


def type_law(
    law: tuple[Fraction, ...], dummy: tuple[Fraction, ...], dummies: int
) -> dict[tuple[int, ...], Fraction]:
    """Return the exact law of the tupling mechanism by type: counts of outputs -> probability.

    The k + 1 places hold a draw from `law` and k draws from `dummy` in uniform order, so that all
    tuples of a type are equally likely: the type with counts c has k!/prod c! times the sum over
    outputs y of law(y) c_y dummy(y)**(c_y - 1) times the other dummy masses to their counts.
    Example: ``type_law((Fraction(1), Fraction(0)), (Fraction(1, 2),) * 2, 1)`` is
    ``{(2, 0): 1/2, (1, 1): 1/2, (0, 2): 0}``.
    Source: distribution-privacy paper, Algorithm 1, with the position drawn from all k + 1 places.
    """
    outputs, places = range(len(law)), dummies + 1
    found = {}
    for bars in combinations(range(places + len(law) - 1), len(law) - 1):
        ends = (-1, *bars, places + len(law) - 1)
        counts = tuple(b - a - 1 for a, b in pairwise(ends))
        total = sum(
            (
                law[y] * counts[y] * prod(dummy[z] ** (counts[z] - (z == y)) for z in outputs)
                for y in outputs
                if counts[y]
            ),
            Fraction(0),
        )
        found[counts] = total * Fraction(factorial(dummies), prod(map(factorial, counts)))
    return dict(sorted(found.items(), reverse=True))

"""Counts of keys as OpenDP has them: in which ways two maps at a distance may differ.

A key that both maps have is told best where its counts are far above the threshold, as leaving keys
out is done after the noise; one that a single map has, where its count there is largest. Either way
more is told of a key that moves further: with noise whose ratio is monotone the divergence at any
ratio is reached by a half-line, F(t) - ratio F(t - m), which grows with m; and of a key of one side
it is the chance of seeing it. So the pairs that no other one dominates are those in which no key
could move further, each key on both sides, on the first, or on the second. All of them are asked
about, as none of these is the hardest one for every epsilon and delta.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import floor, isqrt
from typing import Any

from pfverify.bridges.keys_step import KeyIn, KeyMove, KeyPair, KeysStep
from pfverify.bridges.opendp_data import KeyedDomain, MovedKeys, Space
from pfverify.bridges.opendp_json import FLOATS, scale_of, typed
from pfverify.errors import InputError, shorten

_MOST = 16  # pairs of data sets
_TooManyError = InputError(
    f"d_in: more than {_MOST} pairs of maps, of which none is the hardest: expected fewer keys"
)
_Split = tuple[Fraction, ...]
_NORMS = {"laplace": 1, "gaussian": 2}


class ThresholdedKeys:
    """Counts with noise, of which those that are at least a threshold are published.

    Raises InputError for a space that is not one of counts, and for an option that is not known.
    """

    def __init__(self, space: Space, law: str, options: Mapping[str, Any]) -> None:
        if not isinstance(space.domain, KeyedDomain):
            raise InputError("threshold: expected a map_domain of keys and counts")
        self.space, counts = space, space.domain.counts
        if space.norm != _NORMS[law]:
            raise InputError(
                f"input_metric: an l0{space.norm}inf_distance is not known with {law} noise"
            )
        if counts.bounds is not None:
            raise InputError("threshold: counts with bounds are not known, expected none")
        self.whole = counts.whole
        self.noise = f"discrete-{law}" if self.whole else law
        if options["k"] not in (None, *([] if self.whole else [FLOATS[counts.kind][1]])):
            raise InputError(f"k: {shorten(options['k'])}: a threshold is known without")
        self.least = typed(options["threshold"], counts.kind, "threshold")
        if self.least < 0:
            raise InputError(f"threshold: {shorten(options['threshold'])} is negative")
        scale = scale_of(options)
        self.size = scale if law == "laplace" else scale**2

    def step(self, moved: MovedKeys) -> KeysStep:
        """Return what is published of all pairs of maps that are hardest to tell apart."""
        return KeysStep(self.noise, self.size, self.least, key_pairs(moved, whole=self.whole))


def key_pairs(moved: MovedKeys, *, whole: bool) -> tuple[KeyPair, ...]:
    """Return all pairs of maps, by what their keys do, that no other pair dominates.

    Raises InputError where they are too many, or infinitely many.
    Example: ``len(key_pairs(MovedKeys(1, Fraction(1), Fraction(1), 1), whole=True))`` is ``2``.
    """
    found: dict[KeyPair, None] = {}
    for split in _splits(moved, whole=whole):
        for pair in _placed(split):
            found.setdefault(pair)
            if len(found) > _MOST:
                raise _TooManyError
    return tuple(found)


def _splits(moved: MovedKeys, *, whole: bool) -> Iterator[_Split]:
    """How far each key moves, the furthest first, where none could move further."""
    keys, far, norm = moved.keys, moved.furthest, moved.norm
    if not keys or not far or not moved.total:
        return
    if whole:
        most, budget = floor(far), floor(moved.total**norm)
        keys = min(keys, budget)  # each moves by 1, at least
        _check_few(keys)
        yield from (
            tuple(map(Fraction, split)) for split in _descending(keys, most, budget, most, norm)
            if not _could_grow(split, most, budget, norm)
        )  # fmt: skip
    elif keys * far**norm <= moved.total**norm:
        _check_few(keys)
        yield (far,) * keys
    elif keys == 1:
        yield (moved.total,)
    else:
        raise InputError(
            f"d_in: floats split l{norm} over keys in infinitely many ways: expected l0 = 1, or "
            f"an l{norm} that lets l0 keys move by linf"
        )


def _descending(
    keys: int, cap: int, left: int, most: int, norm: int
) -> Iterator[tuple[int, ...]]:
    """Moves of so many keys, none above the one before, those that could not grow among them."""
    if not keys:
        yield ()
        return
    for move in range(min(cap, left if norm == 1 else isqrt(left)), -1, -1):
        if move < most and (keys - 1) * move**norm + (move + 1) ** norm <= left:
            return  # whatever follows, this one could grow
        for rest in _descending(keys - 1, move, left - move**norm, most, norm):
            yield (move, *rest)


def _could_grow(split: Sequence[int], most: int, budget: int, norm: int) -> bool:
    left = budget - sum(move**norm for move in split)
    return any(move < most and (move + 1) ** norm - move**norm <= left for move in split)


def _check_few(keys: int) -> None:
    """Raise InputError where so many keys alone are too many pairs, also if all move alike."""
    if (keys + 1) * (keys + 2) > 4 * _MOST:
        raise _TooManyError


def _placed(split: _Split) -> Iterator[KeyPair]:
    """Each way to have the keys that move on both sides or on one, but for the order of sides."""
    moves = Counter(move for move in split if move)
    for counts in product(*(_shares(many) for many in moves.values())):
        turned = tuple((kept, second, first) for kept, first, second in counts)
        if counts >= turned:
            yield tuple(
                KeyMove(move, where)
                for move, shares in zip(moves, counts, strict=True)
                for where, many in zip(KeyIn, shares, strict=True) for _ in range(many)
            )  # fmt: skip


def _shares(many: int) -> Iterator[tuple[int, int, int]]:
    """How many of some keys are on both sides, on the first, and on the second."""
    for kept in range(many, -1, -1):
        for first in range(many - kept, -1, -1):
            yield kept, first, many - kept - first

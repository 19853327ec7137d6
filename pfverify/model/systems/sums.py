"""Laws of sums of independent users, exactly.

Atoms on a common lattice are the coefficients of a product of integer polynomials; sparse atoms,
and components with a variance, are merged one by one. What would not fit in memory is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, gcd, lcm, log2, prod

from pfverify.errors import InputError
from pfverify.exact.polynomials import Polynomial
from pfverify.exact.tokens import is_long
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.mixture import Mixture
from pfverify.model.priors.prior import Component, Prior
from pfverify.model.sums import check_bits
from pfverify.model.systems.weighted import Weighted

MAX_PARTS = 1 << 16
"""Atoms on no lattice of a reasonable size, or components, of one sum."""

MAX_MERGED = 1 << 18
"""Pairs of such atoms, or components, that are merged for one sum of two laws."""

REMEDY = '; rest = "any" needs no sum: what is private for one user alone is so in every crowd'
"""What to do where a sum is too large."""

_DEFERRED = 1 << 10  # bits of masses that are worked out when they are asked for
_SHORT = 4  # times as many points as bits: of more, floats take longer than whole numbers
_SPARSE = 1 << 8  # points of the lattice per atom, from which on atoms are merged one by one

Parts = tuple[Component, ...]
Users = Sequence[tuple[Prior, int]]
"""Independent users: a law, and how many have it."""


class Lattice:
    """The multiples of a step, on which laws are polynomials and sums of users are products."""

    def __init__(self, step: Fraction) -> None:
        self._step = step

    @classmethod
    def of(cls, users: Users, added: Iterable[Prior] = ()) -> Lattice | None:
        """Return the lattice on which all these laws live, None where it is much too fine."""
        users = [*users, *((law, 1) for law in added)]
        laws = [law for law, _ in users if isinstance(law, Discrete)]
        common = lcm(*(law.denominator for law in laws)) if laws else 1
        gaps = (
            (point - law.points[0]) * (common // law.denominator)
            for law in laws
            for point in law.points
        )
        step = gcd(*gaps) or 1
        length = sum(count * _width(law) for law, count in users if isinstance(law, Discrete))
        size = sum(count * len(law.points) for law, count in users if isinstance(law, Discrete))
        dense = length * common / step <= _SPARSE * max(size, 1 << 8)
        return cls(Fraction(step, common)) if dense else None

    def weighted(self, law: Discrete) -> Weighted:
        """Return a law as a polynomial."""
        first, scale = law.points[0], law.denominator * self._step
        places = [(point - first) * scale.denominator // scale.numerator for point in law.points]
        weights = [0] * (places[-1] + 1)
        for place, weight in zip(places, law.weights, strict=True):
            weights[place] = weight
        origin, full = Fraction(first, law.denominator), len(weights) == len(places)
        return Weighted(origin, law.total, places[-1], full, Polynomial(weights))

    def summed(self, parts: Sequence[tuple[Weighted, int]]) -> Weighted:
        """Return the sum of users; InputError where its masses would not fit."""
        last = sum(one.last * count for one, count in parts)
        bits = sum(log2(one.total) * count for one, count in parts)
        check_bits("the sum", last + 1, ceil(bits), REMEDY)
        return Weighted(
            sum((one.origin * count for one, count in parts), Fraction(0)),
            prod(one.total**count for one, count in parts),
            last,
            all(one.full for one, _ in parts),
            parts=tuple(parts),
        )

    def law(self, found: Weighted) -> Discrete:
        """Return the law of a polynomial; a long one is worked out when it is asked for."""
        bits = found.total.bit_length()
        if found.full and bits > _DEFERRED and found.last < _SHORT * bits:
            return Discrete.deferred(found.origin, self._step, found.last + 1, found)
        return Discrete.on_lattice(found.origin, self._step, found.weights.coefficients())


def _width(law: Discrete) -> Fraction:
    return Fraction(law.points[-1] - law.points[0], law.denominator)


class Crowd:
    """Independent users, whose sum is wanted with one more of them, or without one.

    `added` are laws that may be added later: they make the lattice finer. Values have the unit of
    the released quantity.
    Raises InputError where an exact sum would need more memory than `check_bits` allows, or
    more than `MAX_PARTS` parts.
    Example: ``Crowd([(Discrete({0: "1/2", 1: "1/2"}), 2)]).sum().mass[1]`` is ``1/2``.
    Source: multi-user paper, (7)-(9).
    """

    def __init__(self, users: Users, added: Iterable[Prior] = ()) -> None:
        counts: dict[Prior, int] = {}
        for law, count in users:
            counts[law] = counts.get(law, 0) + count
        self._users = counts
        known = list(counts.items())
        shared = Lattice.of(known, added)
        self._lattice = shared or Lattice.of(known)
        self._holds_added = shared is not None

    def sum(self, plus: Prior | None = None, without: Prior | None = None) -> Prior:
        """Return the law of the sum, with one more user and without one of those of a law.

        Raises InputError where it would not fit, and where no user has the law `without`.
        """
        left = dict(self._users)
        if without is not None:
            if not left.get(without):
                raise InputError("no user of the crowd has this law")
            left[without] -= 1
        if self._lattice is None:
            return _merged([*left.items(), *([] if plus is None else [(plus, 1)])])
        found = self._atoms
        if isinstance(without, Discrete):
            one = self._lattice.weighted(without)
            found = Weighted(
                found.origin - one.origin,
                found.total // one.total,
                found.last - one.last,
                found.full and one.full,
                found.weights.divided(one.weights),
            )
        apart = [(law, count) for law, count in left.items() if not isinstance(law, Discrete)]
        if isinstance(plus, Discrete) and self._holds_added:
            found = self._lattice.summed([(found, 1), (self._lattice.weighted(plus), 1)])
        elif plus is not None:
            apart.append((plus, 1))
        return _merged([(self._lattice.law(found), 1), *apart])

    @cached_property
    def _atoms(self) -> Weighted:
        """The sum of the users with atoms alone, on the lattice."""
        if self._lattice is None:
            raise TypeError("these atoms are on no lattice")
        users = [(law, n) for law, n in self._users.items() if isinstance(law, Discrete)]
        return self._lattice.summed([(self._lattice.weighted(law), n) for law, n in users])


def _merged(users: Users) -> Prior:
    """The sum of users, component by component."""
    found = [(law, count) for law, count in users if count]
    if len(found) == 1 and found[0][1] == 1:
        return found[0][0]
    parts: Parts = (Component(Fraction(1), Fraction(0), Fraction(0)),)  # nobody: 0
    for law, count in found:
        parts = _plus(parts, _copies(law, count))
    common = lcm(*(part.weight.denominator for part in parts))
    if not any(part.variance for part in parts):
        return Discrete(counts={part.mean: int(part.weight * common) for part in parts})
    if is_long(Fraction(common)):
        raise InputError(
            "the sum has atoms and normal laws, and exact weights of more than 4300 digits: exact "
            f"sums of these users are too large{REMEDY}"
        )
    return Mixture(parts).normal_form()


def _copies(law: Prior, count: int) -> Parts:
    """The sum of `count` users of one law."""
    lattice = Lattice.of([(law, count)]) if isinstance(law, Discrete) and count > 1 else None
    if lattice is None or not isinstance(law, Discrete):
        return _times(law.components, count)
    return lattice.law(lattice.summed([(lattice.weighted(law), count)])).components


def _times(one: Parts, count: int) -> Parts:
    """The sum of `count` equal users, by doubling."""
    if count == 1:
        return one
    half = _times(one, count // 2)
    both = _plus(half, half)
    return _plus(both, one) if count % 2 else both


def _plus(one: Parts, other: Parts) -> Parts:
    """The sum of two independent laws: means and variances add."""
    weights: dict[tuple[Fraction, Fraction], Fraction] = {}
    if len(one) * len(other) > MAX_MERGED:
        raise _too_many(f"{MAX_MERGED} pairs of")
    for a in one:
        for b in other:
            place = a.mean + b.mean, a.variance + b.variance
            weights[place] = weights.get(place, Fraction(0)) + a.weight * b.weight
        if len(weights) > MAX_PARTS:
            raise _too_many(str(MAX_PARTS))
    return tuple(Component(weight, *place) for place, weight in weights.items())


def _too_many(what: str) -> InputError:
    return InputError(
        f"the sum has more than {what} atoms or normal components, on no common lattice: exact "
        f"sums of these users are too large{REMEDY}"
    )

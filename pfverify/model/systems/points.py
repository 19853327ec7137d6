"""Laws of sums of independent users who add to several numbers at once, exactly.

With the smallest values as origin and the greatest common steps of the coordinates as units, what
a user adds is a polynomial of as many variables, and what all add is their product.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, lcm, log2, prod

from pfverify.errors import InputError, shorten
from pfverify.exact.common import common_step
from pfverify.exact.polynomials import PointPolynomial, product
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint, Point
from pfverify.model.priors.prior import Prior
from pfverify.model.sums import check_bits
from pfverify.model.systems.sums import REMEDY, Users

MAX_POINTS = 1 << 16
"""Of one joint law; one that may have more is refused."""


def added_points(law: Prior, names: Sequence[str], size: int) -> Joint:
    """Return what a user of a law adds to several numbers, given the names of these.

    A law over categories adds one to one cell; a value v adds v to the sum, v over the number of
    users (`size`) to the mean, and 1 to the count. Raises InputError for a density.
    Example: ``added_points(Discrete({5: 1}), ["sum", "count"], 3).mass`` is ``{(5, 1): 1}``.
    """
    if isinstance(law, Finite):
        cells = {name: k for k, name in enumerate(names)}
        return Joint.of(names, {_unit(cells[x], names): mass for x, mass in law.support.items()})
    if not isinstance(law, Discrete):
        raise InputError("a user has a density; several numbers are released of users with values")
    return Joint.of(names, {
        tuple(_share(name, value, size) for name in names): mass
        for value, mass in law.mass.items()
    })  # fmt: skip


def nothing_added(names: Sequence[str]) -> Joint:
    """Return what a user who is not there adds to several numbers.

    Example: ``nothing_added(["sum", "count"]).mass`` is ``{(0, 0): 1}``.
    """
    return Joint.of(names, {(Fraction(0),) * len(names): Fraction(1)})


def _unit(cell: int, names: Sequence[str]) -> Point:
    return tuple(Fraction(k == cell) for k in range(len(names)))


def _share(name: str, value: Fraction, size: int) -> Fraction:
    match name:
        case "sum":
            return value
        case "mean":
            return value / size
        case "count":
            return Fraction(1)
    raise InputError(f"release: {shorten(name)!r} is no number of a system")


class PointCrowd:
    """Independent users, whose sum is wanted with one more of them, or without one.

    `added` are the laws that may be added later. All laws are of the same coordinates.
    Raises InputError where the law of the sum may have more than `MAX_POINTS` points.
    Example: ``PointCrowd([(added_points(Finite({"a": 1}), ["a", "b"], 2), 2)]).sum().mass`` is
    ``{(2, 0): 1}``.
    Source: multi-user paper, (7)-(9), for each coordinate.
    """

    def __init__(self, users: Users, added: Iterable[Prior] = ()) -> None:
        counts: dict[Joint, int] = {}
        for law, count in users:
            counts[_joint(law)] = counts.get(_joint(law), 0) + count
        self._users, more = counts, [_joint(law) for law in added]
        laws = [*counts, *more]
        self._names = laws[0].names
        points = [point for law in laws for point in law.mass]
        self._origin = tuple(map(min, zip(*points, strict=True)))
        self._steps = tuple(_step(column) for column in zip(*points, strict=True))
        self._check_size(more, len({*points}))

    def _check_size(self, added: Sequence[Joint], different: int) -> None:
        """Refuse a sum of too many points, of which there are two bounds."""
        users = sum(self._users.values()) + (1 if added else 0)
        widths = (
            sum(count * _width(law, k) for law, count in self._users.items())
            + max((_width(law, k) for law in added), default=Fraction(0))
            for k in range(len(self._names))
        )
        size = prod(int(w / step) + 1 for w, step in zip(widths, self._steps, strict=True))
        choices = 1  # of how many users add each of the different points
        for k in range(1, different):
            choices = choices * (users + k) // k
            if choices > size:
                break
        size = min(size, choices)
        if size > MAX_POINTS:
            raise InputError(
                f"the joint law of {shorten(', '.join(self._names), 60)} over {users} users has up "
                f"to {shorten(size, 24)} points, more than {MAX_POINTS}{REMEDY}"
            )
        bits = sum(log2(_whole(law)) * count for law, count in self._users.items())
        check_bits("the sum", size, ceil(bits), REMEDY)

    def _polynomial(self, law: Joint) -> PointPolynomial:
        whole = _whole(law)
        return PointPolynomial({
            tuple(int((x - x0) / step) for x, x0, step in
                  zip(point, self._origin, self._steps, strict=True)): int(mass * whole)
            for point, mass in law.mass.items()
        })  # fmt: skip

    @cached_property
    def _together(self) -> PointPolynomial:
        """All users of the crowd."""
        nobody = PointPolynomial({(0,) * len(self._names): 1})
        powers = [self._polynomial(law) ** count for law, count in self._users.items()]
        return product([nobody, *powers])

    def sum(self, plus: Prior | None = None, without: Prior | None = None) -> Joint:
        """Return the law of the sum, with one more user and without one of those of a law.

        Raises InputError where no user has the law `without`.
        """
        found, users = self._together, sum(self._users.values())
        if without is not None:
            if not self._users.get(_joint(without)):
                raise InputError("no user of the crowd has this law")
            found, users = found.divided(self._polynomial(_joint(without))), users - 1
        if plus is not None:
            found, users = found * self._polynomial(_joint(plus)), users + 1
        starts = [users * x for x in self._origin]
        return Joint(self._names, counts=[
            [*(start + k * step for start, k, step in zip(starts, at, self._steps, strict=True)),
             Fraction(weight)]
            for at, weight in found.weights().items()
        ])  # fmt: skip


def _joint(law: Prior) -> Joint:
    if not isinstance(law, Joint):
        raise InputError("a user adds to one number, and several are released")
    return law


def _step(column: Sequence[Fraction]) -> Fraction:
    """The greatest common step between values; 1 where they are all the same."""
    return common_step(x - column[0] for x in column) or Fraction(1)


def _width(law: Joint, coordinate: int) -> Fraction:
    values = [point[coordinate] for point in law.mass]
    return max(values) - min(values)


def _whole(law: Joint) -> int:
    return lcm(*(mass.denominator for mass in law.mass.values()))

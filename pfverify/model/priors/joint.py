"""Priors of several numbers at once: finitely many points, each with its mass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from pfverify.errors import InputError, listed, shorten
from pfverify.exact.argument import Number
from pfverify.exact.number import rational
from pfverify.model.keys import NUMBER, Key
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.entries import checked_amount, checked_total
from pfverify.model.priors.prior import Component, Prior

MAX_COORDINATES = 1000
MOST_POINTS = 4_000_000
"""Of the grid of two priors, all combinations of their coordinates: one of more is refused."""
_LONG = 160  # characters of a repr
_ROWS = {"type": "array", "minItems": 1, "items": {"type": "array", "items": NUMBER}}
Point = tuple[Fraction, ...]
"""One exact number per coordinate."""


class Joint(Prior):
    """A prior of several numbers: finitely many points of rational coordinates.

    Attributes: `names`, those of the coordinates; `mass`, point -> mass > 0, sorted by coordinates.

    Parameters: the names, and exactly one of `rows` (coordinates, then the mass; the masses sum to
    exactly 1) and `counts` (coordinates, then how many records). Points with mass zero are dropped.
    Coordinates have the units of what is released.

    Raises InputError naming the row, or the exact sum of the masses.

    Example: ``Joint(["income", "age"], [[0, 0, "1/2"], [1, 1, "1/2"]]).mass[0, 0]`` is ``1/2``.
    Source: design fact F42.
    """

    __slots__ = ("mass", "names")

    kind = "joint"
    needs_kind = True
    keys = (
        Key(
            "names", "of the coordinates",
            {
                "type": "array", "minItems": 1, "maxItems": MAX_COORDINATES,
                "items": {"type": "string"},
            },
            needed=True, text=list,
        ),
        Key("rows", "coordinates, then the mass; they sum to 1", _ROWS, kept="_texts", text=list),
        Key("counts", "coordinates, then the number of records", _ROWS, written=False),
    )  # fmt: skip
    one_of = "rows", "counts"

    def __init__(
        self,
        names: Sequence[str],
        rows: Iterable[Sequence[Number]] | None = None,
        counts: Iterable[Sequence[Number]] | None = None,
    ) -> None:
        if (rows is None) == (counts is None):
            raise InputError("a joint prior takes exactly one of rows and counts")
        self.names = checked_names(names, "names")
        counted = counts is not None
        table = listed(counts if counted else rows, "counts" if counted else "rows", "a list")
        found: dict[Point, Fraction] = {}
        for place, row in enumerate(table, 1):
            point, amount = _checked_row(row, f"row {place}", len(self.names), counted=counted)
            if point in found:
                raise InputError(f"row {place}: the point {point_text(point)} occurs twice")
            found[point] = amount
        if not found:
            raise InputError("the support is empty: a prior needs at least one row")
        whole = checked_total(list(found.values()), counted=counted)
        self.mass: dict[Point, Fraction] = {
            point: found[point] / whole for point in sorted(found) if found[point]
        }

    @classmethod
    def of(cls, names: Sequence[str], mass: Mapping[Point, Fraction]) -> Joint:
        """Return the prior of a table point -> mass.

        Raises InputError as `Joint`. Example: ``Joint.of(["a"], {(Fraction(0),): Fraction(1)})``.
        """
        return cls(names, [[*point, amount] for point, amount in mass.items()])

    def canonical(self) -> Sequence[Sequence[str]]:
        """Return the names, then every point as its coordinates and the mass, sorted."""
        return [list(self.names), *self._texts]

    @property
    def _texts(self) -> list[list[str]]:
        return [[*map(str, point), str(mass)] for point, mass in self.mass.items()]

    @property
    def has_density(self) -> bool:
        """False: it is points alone."""
        return False

    @property
    def components(self) -> tuple[Component, ...]:
        """Refuse: raises InputError, since there is more than one number."""
        raise InputError("a prior of kind joint is of several numbers, expected one number")

    def axis(self, index: int) -> list[Fraction]:
        """Return the different values of one coordinate, sorted.

        Example: ``Joint(["a", "b"], [[0, 3, 1]]).axis(1)`` is ``[3]``.
        """
        return sorted({point[index] for point in self.mass})

    def marginal(self, chosen: Sequence[int]) -> Joint:
        """Return the law of some of the coordinates, in the order in which they are named.

        Example: ``Joint(["a", "b"], [[0, 3, 1]]).marginal([1]).names`` is ``("b",)``.
        """
        found: dict[Point, Fraction] = {}
        for point, mass in self.mass.items():
            part = tuple(point[k] for k in chosen)
            found[part] = found.get(part, Fraction(0)) + mass
        return Joint.of([self.names[k] for k in chosen], found)

    def one(self, index: int) -> Discrete:
        """Return the law of one coordinate.

        Example: ``Joint(["a", "b"], [[0, 3, 1]]).one(1) == Discrete({3: 1})`` is ``True``.
        """
        part = self.marginal([index])
        return Discrete({point[0]: mass for point, mass in part.mass.items()})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Joint) and (self.names, self.mass) == (other.names, other.mass)

    def __hash__(self) -> int:
        return hash((self.names, *self.mass.items()))

    def __repr__(self) -> str:
        rows = self._texts
        text = f"Joint({list(self.names)!r}, {rows!r})"
        short = f"<Joint of {', '.join(self.names)}: {len(rows)} points>"
        return text if len(text) <= _LONG else short


def point_text(point: Iterable[Fraction]) -> str:
    """Return a point as it is named.

    Example: ``point_text((Fraction(0), Fraction(1, 2)))`` is ``'(0, 1/2)'``.
    """
    return f"({', '.join(map(str, point))})"


def checked_names(names: object, where: str) -> tuple[str, ...]:
    """Return the names of coordinates; InputError that begins with the key that lists them.

    Example: ``checked_names(["income", "age"], "names")`` is ``('income', 'age')``.
    """
    found = listed(names, where, "a list of names")
    if not 1 <= len(found) <= MAX_COORDINATES:
        raise InputError(f"{where}: {len(found)} of them, expected 1 to {MAX_COORDINATES}")
    for name in found:
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise InputError(f"{where}: {shorten(name)!r} is not printable text")
    if len(set(found)) < len(found):
        raise InputError(f"{where}: a name occurs twice, expected different ones")
    return tuple(found)


def _checked_row(
    row: object, where: str, size: int, *, counted: bool
) -> tuple[Point, Fraction]:
    what = "count" if counted else "mass"
    cells = listed(row, where, f"{size} coordinates and a {what}")
    if len(cells) != size + 1:
        raise InputError(
            f"{where}: {len(cells)} numbers, expected {size} "
            f"coordinate{'s' if size > 1 else ''} and a {what}"
        )
    *point, amount = (
        cell if type(cell) is Fraction else rational(cell, where) for cell in cells
    )
    return tuple(point), checked_amount(amount, f"{where}: the {what}", counted=counted)


def by_coordinate(table: Mapping[str, Prior]) -> list[Mapping[str, Prior]]:
    """Return secret -> law of one coordinate, for each; of priors of one number the table alone.

    Example: ``len(by_coordinate({"a": Joint(["x", "y"], [[0, 0, 1]])}))`` is ``2``.
    """
    joint = {secret: prior for secret, prior in table.items() if isinstance(prior, Joint)}
    if not joint:
        return [table]
    size = len(next(iter(joint.values())).names)
    return [{secret: prior.one(k) for secret, prior in joint.items()} for k in range(size)]


def check_alike(tables: Iterable[Mapping[str, Prior]]) -> None:
    """Raise InputError unless all priors are of the same numbers, or all of one.

    Example: ``check_alike([{"a": Joint(["x"], [[0, 1]]), "b": Discrete({0: 1})}])`` raises.
    """
    found: dict[tuple[str, ...] | None, str] = {}
    for table in tables:
        for secret, prior in table.items():
            found.setdefault(prior.names if isinstance(prior, Joint) else None, secret)
    if len(found) > 1:
        (one, first), (other, second), *_ = found.items()
        said = [f"of {', '.join(names)}" if names else "of one number" for names in (one, other)]
        raise InputError(
            f"priors: that of {shorten(first)!r} is {said[0]}, that of {shorten(second)!r} "
            f"{said[1]}; expected the same names in the same order"
        )

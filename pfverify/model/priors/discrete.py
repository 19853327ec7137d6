"""Priors of finitely many atoms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from operator import mul
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number
from pfverify.exact.number import rational
from pfverify.exact.tokens import is_long
from pfverify.model.keys import AMOUNTS
from pfverify.model.priors.columns import (
    MOST_TOTAL,
    Columns,
    columns_of_arrays,
    columns_of_integers,
    columns_of_pairs,
)
from pfverify.model.priors.deferred import Deferred, Nearly
from pfverify.model.priors.entries import (
    ArrayColumn,
    AtomTable,
    checked_amount,
    checked_total,
    counted_keys,
    entries,
    paired,
    texts_of,
)
from pfverify.model.priors.prior import Component, Prior, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_Integers: TypeAlias = "tuple[int, ...] | NDArray[np.int64]"
_SHOWN, _LONG = 8, 120  # atoms of a repr, and its characters
_HASHED = 32  # atoms that a hash is of


class Discrete(Prior):
    """A prior with finitely many rational atoms, kept as integers over two denominators.

    Attributes: `points`, the sorted integer atoms; `denominator`, so that an atom is
    point/denominator; `weights`, positive integers; `total`, their sum, so that a mass is
    weight/total. Atoms with mass 0 are none of the law, and no two priors differ by them; they are
    in `empty`, and among its `places`, which families of the same problem have. Atoms have the unit
    of the released quantity. `records`, how many were counted, is None where masses were given.

    Parameters: exactly one of `mass` (atom -> mass, summing to exactly 1) and `counts`
    (atom -> how many records, integers >= 0 with a positive sum), a mapping, pairs, or a tuple
    of two arrays of numpy, as ``numpy.unique(values, return_counts=True)`` returns. Many counts
    of whole atoms are kept as arrays, and other numbers are made when they are asked for, as are
    the weights of a sum of many users, whose masses are known nearly before that.

    Raises InputError naming the atom, or the exact sum of the masses.

    Example: ``Discrete(counts={0: 376, 1: 204}).mass`` is ``{0: 94/145, 1: 51/145}``.
    Source: finite priors, noise-reduction paper, Assumption 3.1.
    """

    __slots__ = (
        "_columns", "_hash", "_later", "_points", "_weights", "denominator", "empty", "records",
        "total",
    )  # fmt: skip

    kind = "discrete"
    keys = counted_keys({"$ref": "#/$defs/table"}, "atom")
    one_of = "counts", "mass"

    def __init__(
        self,
        mass: AtomTable | None = None,
        counts: AtomTable | None = None,
    ) -> None:
        if (mass is None) == (counts is None):
            raise InputError("a discrete prior takes exactly one of mass and counts")
        found = None if counts is None else columns_of_arrays(counts)
        if found is None:
            table = entries(mass if mass is not None else counts, self.kind, "atom")
            found = None if counts is None else columns_of_pairs(table)
        self._columns: Columns | None = found
        self._hash: int | None = None
        self._later: Deferred | None = None
        self.empty: tuple[Fraction, ...] = ()  # written with mass 0, in any order
        self._points: _Integers
        self._weights: _Integers
        self.records: int | None = None
        if found is None:
            self._read(table, counted=counts is not None)
        else:
            self._points, self._weights = found.points, found.weights
            self.denominator = 1
            self.total = int(found.weights.sum())
            self.empty = tuple(map(Fraction, found.empty))
            self.records = found.factor * self.total

    def _read(self, table: list[tuple[Any, Any]], *, counted: bool) -> None:
        """Keep the entries of a table, read one by one."""
        if not table:
            raise InputError("the support is empty: a prior needs at least one atom")
        atoms: dict[Fraction, Fraction] = {}
        written: dict[Fraction, object] = {}
        for key, value in table:
            atom = _exact(key, "atom")
            if is_long(atom):
                raise InputError("atom: a number of more than 4300 digits")
            where = f"{'count' if counted else 'mass'} of atom {shorten(key, 24)}"
            if atom in written:
                raise InputError(
                    f"duplicate atom: {shorten(written[atom], 24)!r} and {shorten(key, 24)!r} "
                    "are the same number"
                )
            written[atom] = key
            if amount := checked_amount(_exact(value, where), where, counted=counted):
                atoms[atom] = amount
        checked_total(list(atoms.values()), counted=counted)
        self.empty = tuple(atom for atom in written if atom not in atoms)
        self.denominator = lcm(*(atom.denominator for atom in atoms))
        scale = lcm(*(amount.denominator for amount in atoms.values()))
        d = self.denominator
        pairs = sorted(
            (a.numerator * (d // a.denominator), m.numerator * (scale // m.denominator))
            for a, m in atoms.items()
        )
        # of products, such as sums of people, the two ends have little in common
        common = gcd(pairs[-1][1], *(weight for _, weight in pairs))
        if counted:
            self.records = sum(weight for _, weight in pairs)
        self._points = tuple(point for point, _ in pairs)
        self._weights = tuple(weight // common for _, weight in pairs)
        self.total = sum(self._weights)

    @classmethod
    def from_arrays(
        cls, atoms: ArrayColumn | Sequence[Number], counts: ArrayColumn | Sequence[Number]
    ) -> Self:
        """Return the prior of a column of atoms and a column of counts, of one length.

        A column is an array of numpy, a Series of pandas or a list. Arrays of integers are taken as
        they are, without a Python object per atom.
        Raises InputError as `Discrete` does, and for columns of other lengths or dimensions.
        Example: ``Discrete.from_arrays([0, 1], [376, 204]).total`` is ``145``.
        """
        return cls(counts=paired(atoms, counts, "atom"))

    @classmethod
    def of_whole(cls, points: Sequence[int], weights: Sequence[int], denominator: int = 1) -> Self:
        """Return the prior of atoms point/denominator, which rise, with weights >= 0.

        Kept as arrays where they fit, and not read one by one.
        Raises InputError where no weight is positive, or an atom is too long.
        Example: ``Discrete.of_whole([0, 1, 4], [1, 0, 3], 2) == Discrete(counts={0: 1, 2: 3})`` is
        ``True``.
        """
        if not all(weights):
            points = [point for point, weight in zip(points, weights, strict=True) if weight]
            weights = [weight for weight in weights if weight]
        longest = max(abs(number) for number in (denominator, *points[:1], *points[-1:]))
        if not weights or is_long(Fraction(longest)):
            atoms = (Fraction(point, denominator) for point in points)
            return cls(counts=list(zip(atoms, weights, strict=True)))
        unit, common = gcd(denominator, *points), gcd(weights[-1], *weights)  # see `_read`
        made = cls.__new__(cls)
        made._later, made.empty, made.records = None, (), None
        made._points = tuple(points) if unit == 1 else tuple(point // unit for point in points)
        made._weights = tuple(weights) if common == 1 else tuple(w // common for w in weights)
        made.denominator, made.total, made._hash = denominator // unit, sum(made._weights), None
        made._columns = found = columns_of_integers(made._points, made._weights)
        if found is not None:
            made._points, made._weights = found.points, found.weights
        return made

    @classmethod
    def on_lattice(cls, least: Fraction, step: Fraction, weights: Sequence[int]) -> Self:
        """Return the prior of atoms least + k step, k = 0, 1, ..., with weights >= 0.

        Raises as `of_whole`. Example: ``Discrete.on_lattice(Fraction(1), Fraction(1, 2), [1, 0,
        3]) == Discrete(counts={1: 1, 2: 3})`` is ``True``.
        """
        unit = lcm(least.denominator, step.denominator)
        first, gap = int(least * unit), int(step * unit)
        return cls.of_whole(range(first, first + gap * len(weights), gap), weights, unit)

    @classmethod
    def deferred(cls, least: Fraction, step: Fraction, size: int, later: Deferred) -> Self:
        """Return the prior of `size` atoms least + k step, of weights that are worked out later.

        It is `of_whole` of these, and raises as that does. Only of a total of more than 62 bits.
        """
        made = cls.on_lattice(least, step, [1] * size)
        made._points, made._weights, made._columns, made._later = made.points, (), None, later
        made.total = later.total
        return made

    def over(self, count: int) -> Self:
        """Return the law of the value over a number of users.

        Example: ``Discrete({0: "1/2", 2: "1/2"}).over(4).atoms[1]`` is ``1/2``.
        """
        unit = self.denominator * count
        if self._later is None:
            return self.of_whole(self.points, self.weights, unit)
        least, most = self.ends
        step = Fraction(most - least, unit * (self.size - 1))
        return self.deferred(Fraction(least, unit), step, self.size, self._later)

    @property
    def is_deferred(self) -> bool:
        """Whether the weights are still to be worked out."""
        return self._later is not None and not self._weights

    @property
    def nearly(self) -> Nearly | None:
        """The masses nearly, in the order of the atoms, where they are deferred."""
        return None if self._later is None else self._later.nearly()

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the definitions of a discrete prior and of its tables of atoms."""
        return {**super().schema(), "table": AMOUNTS}

    def to_table(self) -> dict[str, Any]:
        """Return kind and masses, also those of 0."""
        if self.empty:
            return {"kind": self.kind, "mass": texts_of(self.places)}
        return {"kind": self.kind, "mass": dict(self._texts())}

    def canonical(self) -> Sequence[Sequence[str]]:
        """Return every atom as (atom, mass), sorted."""
        return list(self._texts())

    def _texts(self) -> Iterable[tuple[str, str]]:
        """The atoms with their masses as text, sorted."""
        if self._columns is not None and self.denominator == 1:
            return self._columns.texts()
        return ((str(atom), str(mass)) for atom, mass in self.mass.items())

    @property
    def has_density(self) -> bool:
        """False: it is atoms alone."""
        return False

    @property
    def size(self) -> int:
        """The number of atoms."""
        return len(self._points)

    @property
    def ends(self) -> tuple[int, int]:
        """The smallest and the largest integer atom."""
        return int(self._points[0]), int(self._points[-1])

    @property
    def points(self) -> tuple[int, ...]:
        """The integer atoms, sorted."""
        if not isinstance(self._points, tuple):
            self._points = tuple(self._points.tolist())
        return self._points

    @property
    def weights(self) -> tuple[int, ...]:
        """The positive weights, in the order of the points."""
        if not isinstance(self._weights, tuple):
            self._weights = tuple(self._weights.tolist())
        if self._later is not None and not self._weights:
            self._weights = self._later.exact()
        return self._weights

    @property
    def columns(self) -> Columns | None:
        """Points and weights as arrays of int64; None where some number has more than 62 bits."""
        if self._columns is None and self.total < MOST_TOTAL:  # else there are none
            self._columns = columns_of_integers(self.points, self.weights)
        return self._columns

    @property
    def atoms(self) -> tuple[Fraction, ...]:
        """The support, sorted."""
        return tuple(Fraction(point, self.denominator) for point in self.points)

    @property
    def places(self) -> dict[Fraction, Fraction]:
        """Atom -> mass, sorted, with those that are written with mass 0.

        Example: ``list(Discrete({1: 1, 0: 0}).places)`` is ``[0, 1]``.
        """
        if not self.empty:
            return self.mass
        return dict(sorted({**dict.fromkeys(self.empty, Fraction(0)), **self.mass}.items()))

    @property
    def mass(self) -> dict[Fraction, Fraction]:
        """Atom -> mass, exact, sorted by atom."""
        return {
            atom: Fraction(weight, self.total)
            for atom, weight in zip(self.atoms, self.weights, strict=True)
        }

    @property
    def components(self) -> tuple[Component, ...]:
        """The atoms as components of variance 0, sorted: the shape of a `Mixture`."""
        return tuple(Component(mass, atom, Fraction(0)) for atom, mass in self.mass.items())

    @property
    def mean(self) -> Fraction:
        """The mean, without a fraction for each atom."""
        total = sum(map(mul, self.points, self.weights))
        return Fraction(total, self.denominator * self.total)

    @property
    def spans(self) -> tuple[Span, ...]:
        """From the smallest atom to the largest."""
        low, high = (Fraction(end, self.denominator) for end in self.ends)
        return (Span(Fraction(0), low, high),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Discrete):
            return False
        if (self.total, self.size) != (other.total, other.size):  # before any weight is worked out
            return False
        if self._later and other._later and self._later.differs(other._later):
            return False
        if self._columns is not None and other._columns is not None:
            return self.denominator == other.denominator and self._columns == other._columns
        return (self.points, self.denominator, self.weights) == (
            other.points, other.denominator, other.weights,
        )  # fmt: skip

    def __hash__(self) -> int:
        if self._hash is None:
            some = range(0, self.size, self.size // _HASHED + 1)
            weights = self._weights if self._later is None else self.weights
            numbers = (int(column[k]) for column in (self._points, weights) for k in some)
            self._hash = hash((self.denominator, self.total, self.size, *numbers))
        return self._hash

    def __repr__(self) -> str:
        """Return what reads back as this prior; many atoms, or long ones, are cut in <>."""
        weights = self._weights if self._later is None else self.weights
        first = zip(self._points[:_SHOWN], weights[:_SHOWN], strict=True)
        masses = (
            (Fraction(int(a), self.denominator), Fraction(int(w), self.total)) for a, w in first
        )
        shown = ", ".join(f"{_literal(a)}: {_literal(m)}" for a, m in masses)
        count = len(self._points)
        if count <= _SHOWN and len(shown) <= _LONG:
            return f"Discrete({{{shown}}})"
        atoms = "atom" if count == 1 else "atoms"
        return f"<Discrete of {count} {atoms}: {shorten(shown, _LONG)}, ...>"


def _literal(value: Fraction) -> str:
    """An exact number as Python reads it: a whole one bare, any other as text."""
    return str(value) if value.denominator == 1 else f"'{value}'"


def _exact(value: object, name: str) -> Fraction:
    """Read one table entry; fractions, plain integers and plain decimal text skip the grammar."""
    if type(value) is Fraction:
        return value
    if type(value) is int:
        return Fraction(value)
    if type(value) is str and value.isascii() and len(value) < 4000:
        whole, _, part = value.partition(".")
        if whole.isdigit() and (part.isdigit() or not part):
            return Fraction(int(whole + part), 10 ** len(part))
    return rational(value, name)

"""The planar Laplace mechanism on a stated finite grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import add

from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.model.channels.channel import MOST_LISTED, check_irrational_size, check_size
from pfverify.model.channels.entries import Entry, difference, folded
from pfverify.model.channels.normalised import Normalised
from pfverify.model.channels.parameters import budget_key, power_of_e
from pfverify.model.channels.symmetry import pairs_up_to, symmetries
from pfverify.model.keys import NUMBERS, Key
from pfverify.model.names import checked_names
from pfverify.model.places import EUCLIDEAN, MANHATTAN, Place, read_places
from pfverify.model.protection import DISTANCE, Protection


def _texts(places: Mapping[str, Place]) -> dict[str, list[str]]:
    return {name: [str(part) for part in place] for name, place in places.items()}


_PLACES = {"type": "object", "minProperties": 1, "additionalProperties": NUMBERS}


class Planar(Normalised):
    """Planar Laplace on finitely many places: P(y | x) is proportional to e**(-epsilon ||x-y||).

    Parameters: `points`, input -> coordinates, in any dimension; `grid`, output -> coordinates
    (default the points themselves); `epsilon` >= 0, per unit of distance. Rows are normalised one
    by one, so that the bound epsilon ||x-x'|| can be exceeded.
    Raises InputError naming the key.
    Example: ``Planar({"a": [0, 0], "b": [3, 4]}, "log(2)/5").rows[0]`` is ``(2/3, 1/3)``.
    Source: Andres, Bordenabe, Chatzikokolakis and Palamidessi 2013; the grid is discretised.
    """

    kind = "planar"
    keys = (
        Key("points", "input -> its coordinates", _PLACES, needed=True, text=_texts),
        budget_key(">= 0, per unit of distance", needed=True),
        Key("grid", "output -> its coordinates; default the points", _PLACES, text=_texts),
    )
    epsilon: Number
    points: dict[str, Place]
    grid: dict[str, Place] | None

    def __init__(self, points: object, epsilon: object, grid: object | None = None) -> None:
        places = _checked_places(points, "points")
        targets = None if grid is None else _checked_places(grid, "grid")
        dimension = len(next(iter(places.values())))
        if targets is not None and len(next(iter(targets.values()))) != dimension:
            raise InputError(f"grid: expected {dimension} coordinates each, as points have")
        self._keep(
            inputs=tuple(places),
            _outputs=tuple(places if targets is None else targets),
            points=places,
            grid=targets,
            **self._values(epsilon=epsilon),
        )
        check_size(len(self.inputs), len(self.outputs), "points" if grid is None else "grid")
        self._weigh(places if targets is None else targets)

    def check_protection(self, protection: Protection) -> None:
        """Raise InputError for distances between other points than the channel's, too."""
        super().check_protection(protection)
        ground = protection.ground
        if ground is not None and ground.places not in ({}, self.points):
            raise InputError("protection: it was made for other points than the channel's")

    def representatives(self, protection: Protection) -> tuple[tuple[str, str], ...] | None:
        """Return one pair of each orbit under the symmetries of many places, if there are any.

        Where the distances of a notion are those of the places, symmetries keep them too.
        """
        ground = protection.ground
        kept = not protection.extended or (
            protection.metric == DISTANCE and ground is not None
            and ground.name in (EUCLIDEAN, MANHATTAN)
        )  # fmt: skip
        if not kept or protection.related is not None or len(self.inputs) <= MOST_LISTED:
            return None
        places = [
            tuple(_scaled(part, self._unit) for part in place) for place in self.points.values()
        ]
        maps = symmetries(places, self._ends)
        if not maps:
            return None
        names = self.inputs
        return tuple((names[i], names[j]) for i, j in pairs_up_to(maps, len(names)))

    def weights(self, name: str) -> tuple[Entry, ...]:
        """Return e to minus epsilon times each distance, less one of the row that is not 0."""
        squares, first = self._squares(name), self._firsts[name]
        return tuple(self._powers[first, square] for square in squares)

    def weight(self, name: str, output: int) -> Entry:
        """Return one weight; KeyError for no input."""
        return self._powers[self._firsts[name], self._squares(name)[output]]

    def whole(self, name: str) -> Entry:
        """Return the sum of the weights: one object for all inputs with the same distances."""
        if name not in self._whole_of:
            key = self._firsts[name], frozenset(Counter(self._squares(name)).items())
            if key not in self._wholes:
                self._wholes[key] = super().whole(name)
            self._whole_of[name] = self._wholes[key]
        return self._whole_of[name]

    def steepest(self, first: str, second: str) -> int | None:
        """Return the place of the first input, where it is an output, too.

        By the triangle inequality no other place is so much nearer to it than to the second.
        """
        del second
        return None if self._rational else self._own.get(self.points[first])

    def _squares(self, name: str) -> tuple[int, ...]:
        """The squares of the distances of all outputs, in squares of the unit."""
        if name not in self._known_squares:
            first, *others = (
                self._apart(axis, part) for axis, part in enumerate(self.points[name])
            )
            for other in others:
                first = list(map(add, first, other))
            self._known_squares[name] = tuple(first)
        return self._known_squares[name]

    def _apart(self, axis: int, part: Fraction) -> list[int]:
        """The squared distances of all outputs along one axis."""
        if (axis, part) not in self._known_apart:
            here = _scaled(part, self._unit)
            self._known_apart[axis, part] = [(end[axis] - here) ** 2 for end in self._ends]
        return self._known_apart[axis, part]

    def _weigh(self, targets: Mapping[str, Place]) -> None:
        """Work out the powers of e that there are, each once."""
        places = (*self.points.values(), *targets.values())
        unit = lcm(*(part.denominator for place in places for part in place))
        ends = [tuple(_scaled(part, unit) for part in place) for place in targets.values()]
        self._keep(
            _unit=unit, _ends=ends, _own={place: k for k, place in enumerate(targets.values())},
            _known_squares={}, _known_apart={}, _wholes={}, _whole_of={},
        )  # fmt: skip
        roots: dict[int, Entry] = {}
        powers: dict[tuple[int, int], Entry] = {}
        firsts: dict[str, int] = {}
        for name in self.inputs:
            squares = self._squares(name)
            first = firsts[name] = _taken_off(squares)
            for square in dict.fromkeys((first, *squares)):
                if square not in roots:
                    away = Number.of_rational(Fraction(square, unit**2))
                    roots[square] = folded(away.sqrt())
                if (first, square) not in powers:
                    nearer = difference(roots[first], roots[square])
                    powers[first, square] = power_of_e(self.epsilon, nearer)
                    if isinstance(powers[first, square], Number):
                        check_irrational_size(len(self.inputs), len(targets), "points")
        rational = not any(isinstance(power, Number) for power in powers.values())
        self._keep(_powers=powers, _rational=rational, _firsts=firsts)

    _unit: int
    _ends: list[tuple[int, ...]]
    _own: dict[Place, int]
    _known_squares: dict[str, tuple[int, ...]]
    _known_apart: dict[tuple[int, Fraction], list[int]]
    _wholes: dict[object, Entry]
    _whole_of: dict[str, Entry]
    _powers: dict[tuple[int, int], Entry]
    _firsts: dict[str, int]
    _rational: bool


def _taken_off(squares: Sequence[int]) -> int:
    """A squared distance that is taken off all, so that their powers are not all small."""
    return 0 if 0 in squares else squares[0]


def _checked_places(value: object, where: str) -> dict[str, Place]:
    if not isinstance(value, Mapping):
        kind = type(value).__name__
        raise InputError(f"{where}: expected a table name -> coordinates, got {kind}")
    checked_names(list(value), where)
    places = read_places(where, value)
    if not next(iter(places.values())):
        raise InputError(f"{where}: the lists are empty, expected at least one coordinate")
    return places


def _scaled(part: Fraction, unit: int) -> int:
    """A coordinate in whole units, of which 1 has so many."""
    return part.numerator * (unit // part.denominator)

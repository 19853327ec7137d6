"""The planar Laplace mechanism on a stated finite grid."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.model.channels.channel import Channel, check_irrational_size, check_size
from pfverify.model.channels.entries import Entry, difference, folded
from pfverify.model.channels.normalised import normalised
from pfverify.model.channels.parameters import budget_key, power_of_e
from pfverify.model.keys import NUMBERS, Key
from pfverify.model.names import checked_names
from pfverify.model.places import Place, read_places
from pfverify.model.protection import Protection


def _texts(places: Mapping[str, Place]) -> dict[str, list[str]]:
    return {name: [str(part) for part in place] for name, place in places.items()}


_PLACES = {"type": "object", "minProperties": 1, "additionalProperties": NUMBERS}


class Planar(Channel):
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
        self._keep(_weights=self._weigh())

    def check_protection(self, protection: Protection) -> None:
        """Raise InputError for distances between other points than the channel's, too."""
        super().check_protection(protection)
        ground = protection.ground
        if ground is not None and ground.places not in ({}, self.points):
            raise InputError("protection: it was made for other points than the channel's")

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the weights of every row, normalised."""
        return tuple(map(normalised, self._weights))

    def _weigh(self) -> tuple[tuple[Entry, ...], ...]:
        """e to minus epsilon times each distance, less a distance of the row that is not 0."""
        targets = self.points if self.grid is None else self.grid
        whole = lcm(*(part.denominator for place in (*self.points.values(), *targets.values())
                      for part in place))  # fmt: skip
        ends = [_scaled(target, whole) for target in targets.values()]
        roots: dict[int, Entry] = {}
        known: dict[tuple[int, int], Entry] = {}
        rows = []
        for point in self.points.values():
            place = _scaled(point, whole)
            squares = [sum((a - b) ** 2 for a, b in zip(place, end, strict=True)) for end in ends]
            first = 0 if 0 in squares else squares[0]
            for square in (first, *squares):
                if square not in roots:
                    away = Number.of_rational(Fraction(square, whole**2))
                    roots[square] = folded(away.sqrt())
                if (first, square) not in known:
                    nearer = difference(roots[first], roots[square])
                    known[first, square] = power_of_e(self.epsilon, nearer)
                    if isinstance(known[first, square], Number):
                        check_irrational_size(len(self.inputs), len(targets), "points")
            rows.append(tuple(known[first, square] for square in squares))
        return tuple(rows)

    _weights: tuple[tuple[Entry, ...], ...]


def _checked_places(value: object, where: str) -> dict[str, Place]:
    if not isinstance(value, Mapping):
        kind = type(value).__name__
        raise InputError(f"{where}: expected a table name -> coordinates, got {kind}")
    checked_names(list(value), where)
    places = read_places(where, value)
    if not next(iter(places.values())):
        raise InputError(f"{where}: the lists are empty, expected at least one coordinate")
    return places


def _scaled(place: Place, factor: int) -> tuple[int, ...]:
    """The coordinates times a multiple of all denominators."""
    return tuple(part.numerator * (factor // part.denominator) for part in place)

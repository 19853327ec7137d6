"""Independent noise on every coordinate of points: each coordinate is an output of its own.

Where X is one point under either secret they are independent; else they are so given X.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.coordinates import Joint, marginal, place_of
from core.grammar import Malformed, Number
from core.kinds import EVENTS, Kind, Prior, Rule, kind_of
from core.reduce import under
from core.rules import Facts, Goal, Rejected, Step, law_of_x
from core.shapes import integer
from core.values import atoms_of, point_of

Of = Goal[Any, Any]
ONE = Fraction(1)


class ByCoordinate:
    """The coordinates of a goal, in order; a step about one alone says its name."""

    named = False

    def __init__(self, goal: Of) -> None:
        self.goal, self.release = goal, goal.release
        self.laws: tuple[Joint, Joint] = law_of_x(goal.P), law_of_x(goal.Q)
        self.names = self.laws[0].names
        if self.laws[1].names != self.names:
            raise Malformed("joint priors must have the same names in the same order")
        if any(len(x) != len(self.names) for law in self.laws for x, _ in law.rows):
            raise Rejected("points whose coordinates have no names")

    def whole(self, step: Step) -> tuple[Of, Facts]:
        """None: no one number stands for all."""
        raise Rejected("several numbers follow from no other goal here")

    def fails_with(self, step: Step) -> Facts:
        """Nothing does."""
        return set()

    def _place(self, named: Any) -> int:
        if type(named) is list:
            return place_of(named, self.laws[0])
        return integer(named, "a coordinate", 0, len(self.names) - 1)

    def _noise(self, place: int) -> Any:
        each = self.release.each
        return self.release._replace(amount=each[place], each=()) if each else self.release

    def part(self, named: Any, epsilon: Number, delta: Number) -> tuple[Of, Facts]:
        """The goal of one coordinate."""
        place = self._place(named)
        p, q = (marginal(law, place) for law in self.laws)
        return under(self.goal, p, q, self._noise(place), epsilon=epsilon, delta=delta), set()

    def parts(self) -> list[tuple[Any, int]]:
        """All of them, of points."""
        if self.shared:
            raise Rejected("coordinates are independent where X is a point under either secret")
        return self.parts_of_x()

    @property
    def shared(self) -> bool:
        """Whether X is no point."""
        return any(len(law.rows) != 1 for law in self.laws)

    def parts_of_x(self) -> list[tuple[Any, int]]:
        """All of them."""
        return [(k, 1) for k in range(len(self.names))]

    def atoms(self) -> list[tuple[Any, Fraction, Fraction]]:
        """The points."""
        return atoms_of(*self.laws)

    def part_of_x(self, named: Any, values: list[Any]) -> tuple[Of, Facts, list[Any]]:
        """One coordinate, and of each point."""
        goal, facts = self.part(named, self.goal.epsilon, ONE)
        place, noise = self._place(named), goal.release
        points: list[Prior] = [{x[place]: ONE} for x in values]
        return goal, facts, [
            kind_of(noise.kind, x, x).laws(x, x, noise)[0] for x in points
        ]  # fmt: skip

    def between(self, x: Any, y: Any) -> Of:
        """The goal of two points."""
        p, q = (point_of(law, at) for law, at in zip(self.laws, (x, y), strict=True))
        return under(self.goal, p, q, self.release)

    def alike(self, x: Any, y: Any) -> Any:
        """Their difference: noise is the same everywhere."""
        return tuple(b - a for a, b in zip(x, y, strict=True))


COMPOSED, FAILS = Rule("composition", EVENTS), Rule("reduce-refuted", EVENTS)
KIND = Kind(
    {"product": Rule("reduce", EVENTS), "composed": COMPOSED, "composed-coupled": COMPOSED},
    {"part-refuted": FAILS, "composed-refuted": COMPOSED},
    "no such rule for several numbers with discrete gaussian noise",
    unscaled={"no-noise": Rule("every-scale", EVENTS)},
    reduction=ByCoordinate,
)

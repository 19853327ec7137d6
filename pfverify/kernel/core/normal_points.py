"""Points with normal noise on every coordinate: judged by numbers that their outputs make.

Up to a factor p and q are sums over the points x of e^(-sum of (y_i - x_i)^2 / (2 V_i)).  Where all
points are on a line with the direction v, the outputs tell what the sum of w_i y_i tells, w_i =
v_i/V_i over the sum of v_i^2/V_i (F75).  Two points are on one, and their divergence is that of
N(0, 1) from N(mu, 1), mu^2 the sum of d_i^2/V_i.  Every sum of the outputs with fixed weights w is
that sum of the coordinates with normal noise of the variance sum of w_i^2 V_i.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from core.coordinates import Joint, Point, Rows
from core.enclose import Arithmetic, Interval, upper_end
from core.grammar import Malformed, bounded
from core.kinds import DIVERGENCE, EVENTS, Kind, Prior, Rule
from core.reduce import under
from core.rules import Facts, Goal, Rejected, Step
from core.shapes import array, canonical_rational, table
from core.smooth import half, scaled_erfc
from core.values import atoms_of
from core.work import product, spend
from core.zero import Form, constant, exp_form, plus

NOTHING = Fraction(0)
Vectors = Goal["Points", Any]


class Points(NamedTuple):
    """A law of points, with the variances of the noise on every coordinate."""

    rows: Rows
    variances: tuple[Fraction, ...]
    names: tuple[str, ...]

    @property
    def law_of_x(self) -> Joint:
        """The law of X."""
        return Joint(self.names, self.rows)


def _laws(p: Joint, q: Joint, release: Any) -> tuple[Points, Points]:
    if p.names != q.names:
        raise Malformed("joint priors must have the same names in the same order")
    amounts = release.each or (release.amount,) * len(p.names)
    if len(amounts) != len(p.names):
        raise Malformed(f"{len(amounts)} scales for {len(p.names)} coordinates")
    if not all(isinstance(v, Fraction) and v > 0 for v in amounts):
        raise Malformed("the variance of gaussian noise must be rational")
    return Points(p.rows, amounts, p.names), Points(q.rows, amounts, q.names)


def _dot(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    total = NOTHING
    for a, b in zip(x, y, strict=True):
        spend(16 + product(a.denominator.bit_length() + b.denominator.bit_length()))
        total = bounded(total + a * b)
    return total


def _line(points: Sequence[Point]) -> Point:
    """The direction of the line that all points are on, of which the first coordinate that moves is
    1; where none moves, that of the first."""
    origin = points[0]
    spend(64 * len(points) * len(origin))
    apart = [[bounded(a - b) for a, b in zip(x, origin, strict=True)] for x in points]
    place = next((k for k in range(len(origin)) if any(d[k] for d in apart)), 0)
    step = next((d for d in apart if d[place]), [Fraction(k == place) for k in range(len(origin))])
    way = tuple(bounded(x / step[place]) for x in step)
    for d in apart:
        if any(x != d[place] * v for x, v in zip(d, way, strict=True)):
            raise Rejected("the points are on no line")
    return way


class Along:
    """What the goals of points follow from."""

    named = False

    def __init__(self, goal: Vectors) -> None:
        self.goal = goal

    def projected(self) -> Goal[Any, Any]:
        """The goal of the one number, where the points are on a line."""
        p, q, variances = self.goal.P, self.goal.Q, self.goal.P.variances
        way = _line([x for x, _ in (*p.rows, *q.rows)])
        precise = [bounded(v / variance) for v, variance in zip(way, variances, strict=True)]
        whole = _dot(way, precise)
        return self.seen([bounded(x / whole) for x in precise])

    def seen(self, weights: Sequence[Fraction], **changed: Any) -> Goal[Any, Any]:
        """The goal of the sum of all outputs with these weights."""
        variances = self.goal.P.variances
        p, q = (self._sums(law, weights) for law in (self.goal.P, self.goal.Q))
        spread = _dot(weights, [bounded(w * v) for w, v in zip(weights, variances, strict=True)])
        noise = self.goal.release._replace(amount=spread, each=())
        return under(self.goal, p, q, noise, **changed)

    def whole(self, step: Step) -> tuple[Goal[Any, Any], Facts]:
        """As `projected`."""
        return self.projected(), {"F75"}

    def fails_with(self, step: Step) -> Facts:
        """A direction says where the goal fails."""
        raise Rejected("a goal of points fails by a direction")

    def part(self, named: Any, epsilon: Any, delta: Any) -> tuple[Goal[Any, Any], Facts]:
        """A sum of all outputs with weights; 0: two points themselves, as they compose."""
        if type(named) is int and named == 0 and not self.shared:
            return self.goal._replace(epsilon=epsilon, delta=delta, kind=TWO), set()
        table(named, "a part", {"direction"})
        weights = [canonical_rational(x, "a weight") for x in array(named["direction"], "weights")]
        if len(weights) != len(self.goal.P.variances) or not any(weights):
            raise Malformed("a direction has a weight for every coordinate, and not all are 0")
        return self.seen(weights, epsilon=epsilon, delta=delta), {"F75"}

    def _sums(self, law: Points, weights: Sequence[Fraction]) -> Prior:
        found: Prior = {}
        for x, mass in law.rows:
            at = _dot(x, weights)
            found[at] = bounded(found.get(at, NOTHING) + mass)
        return found

    def parts(self) -> list[tuple[Any, int]]:
        """Two points, as they compose."""
        if self.shared:
            raise Rejected("several points are no independent parts")
        return [(0, 1)]

    @property
    def shared(self) -> bool:
        """Whether X is no point."""
        return any(len(law.rows) != 1 for law in (self.goal.P, self.goal.Q))

    def parts_of_x(self) -> list[tuple[Any, int]]:
        """None."""
        raise Rejected("points with normal noise have no cells here")

    def part_of_x(self, named: Any, values: list[Any]) -> tuple[Goal[Any, Any], Facts, list[Any]]:
        """None."""
        raise Rejected("points with normal noise have no cells here")

    def atoms(self) -> list[tuple[Any, Fraction, Fraction]]:
        """The points."""
        return atoms_of(self.goal.P.law_of_x, self.goal.Q.law_of_x)

    def between(self, x: Any, y: Any) -> Vectors:
        """The goal of two points."""
        p, q = (self.goal.P._replace(rows=((at, Fraction(1)),)) for at in (x, y))
        return self.goal.about(p, q)

    def alike(self, x: Any, y: Any) -> Any:
        """mu^2."""
        return _square(x, y, self.goal.P.variances)


def _square(x: Point, y: Point, variances: Sequence[Fraction]) -> Fraction:
    """mu^2 of two points."""
    apart = [bounded(b - a) for a, b in zip(x, y, strict=True)]
    return _dot(apart, [bounded(d / v) for d, v in zip(apart, variances, strict=True)])


class TwoPoints:
    """How two points compose: their loss is N(mu^2/2, mu^2) under P, and N(-mu^2/2, mu^2) under Q.
    As in `interfaces.Profile`."""

    at_cuts = on_line = False

    def __init__(self, goal: Vectors, ar: Arithmetic) -> None:
        self.goal, self.ar, self.facts = goal, ar, {"F75"}
        ((x, _),), ((y, _),) = goal.P.rows, goal.Q.rows
        self.square = _square(x, y, goal.P.variances)
        if not self.square:
            raise Rejected("the two points are one")

    def above(self, growth: Form, cut: Fraction | None) -> Interval:
        """As in `Profile`."""
        ar, apart = self.ar, constant(self.square / 2)
        less = plus(growth, constant(-self.square / 2))
        ours, theirs = (
            half(scaled_erfc(at, self.square, ar)) for at in (less, plus(growth, apart))
        )
        return upper_end(ar.sub(ours, ar.mul(exp_form(growth, ar), theirs)))

    def cells(self, cuts: Sequence[Fraction], law: Any) -> list[Interval]:
        """None."""
        raise Rejected("points with normal noise have no cells here")


def profile(goal: Vectors, ar: Arithmetic) -> TwoPoints:
    """That of a goal."""
    return TwoPoints(goal, ar)


def moment(goal: Vectors, step: Step) -> Facts:
    """
    no scale satisfies the goal of the one number     the points are on a line, as in `Along`
    ----------------------------------------------------------------------------------- F75, MGF
    no scale satisfies the goal
    """
    from core.moment import moment as of_one

    return {"F75"} | of_one(Along(goal).projected(), step)


def _outgrows(goal: Vectors) -> bool:
    from core.normals import outgrows

    along = Along(goal)
    try:
        return outgrows(along.projected())
    except Rejected:  # no line
        return any(outgrows(along.seen(way)) for way in _outward(goal))


def _outward(goal: Vectors) -> Iterator[Sequence[Fraction]]:
    """Some directions, in which one end of the points may be one of them: the coordinates, and from
    the middle of the points to each."""
    variances, points = goal.P.variances, [x for x, _ in (*goal.P.rows, *goal.Q.rows)]
    for place in range(len(variances)):
        yield [Fraction(k == place) for k in range(len(variances))]
    spend(64 * len(points) * len(variances))
    middle = tuple(bounded(sum(x, NOTHING) / len(points)) for x in zip(*points, strict=True))
    for x in points:
        if x != middle:
            yield [bounded((a - m) / v) for a, m, v in zip(x, middle, variances, strict=True)]


PROVED = Rule("reduce", EVENTS)
OTHER = "no such rule for points with normal noise"
TWO = Kind({}, {}, OTHER, profile="core.normal_points", moment="core.renyi_points")
KIND = Kind(
    {
        **dict.fromkeys(("equal", "components", "chart"), PROVED),
        "composed-coupled": Rule("composition", EVENTS),
        "renyi": DIVERGENCE,
    },
    {"part-refuted": Rule("reduce-refuted", EVENTS), "renyi-refuted": DIVERGENCE},
    OTHER,
    laws=_laws,
    unscaled={"no-noise": Rule("every-scale", EVENTS)},
    hopeless={"moment": Rule("moment of a line", EVENTS)},
    no_scale="INJS",
    outgrows=_outgrows,
    tail=frozenset({"TAIL", "F75"}),
    reduction=Along,
    moment="core.renyi_points",
)

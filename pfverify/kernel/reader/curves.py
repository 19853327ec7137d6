"""Certificates of curves: what the steps prove of a problem at single places, and between them.

The epsilon and the delta of the problem are not asked for: each place has its own.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from core.curve import ONE, Known, apart, apart_of_tests, both, short
from core.enclose import Undecided
from core.grammar import Malformed, Number, combine, shown
from core.judge import apply, shaped
from core.kinds import CERTIFYING, REFUTING
from core.rules import Facts, Goal, Names, Rejected
from core.shapes import array, canonical_rational, decimal, string, table
from core.value import require_range
from core.work import Check
from reader.goals import ABOVE, BELOW, Bounds, goals_of
from reader.reader import Problem, Uniform, problem_of, require_kinds, require_valid

ZERO = Fraction(0)
ALIKE = {"DPI", "F84", "F86"}  # by which laws stand for others at every epsilon and delta
MOST = 100_000  # places of a certificate
POINT = {"at", "lower", "upper", "below", "above"}
Goals = dict[Names, Goal[Any, Any]]


class Curve(NamedTuple):
    """One kind: what it is, the ends that it may have, the facts by which it follows, and how far
    apart its bounds are, of P and Q and of Q and P, between two ends."""

    words: str
    least: Fraction
    most: Fraction | None
    facts: Facts
    apart: Callable[[list[Known], list[Known], Fraction, Fraction], Fraction]


def _odds(own: list[Known], reverse: list[Known], low: Fraction, high: Fraction) -> Fraction:
    """F103: the chance is 1 - w + w H((1 - w) / w), w the weight of P."""
    if not 0 < low <= high < 1:
        raise Malformed("weights lie between 0 and 1")
    return apart(own, (1 - high) / high, (1 - low) / low, lambda e: 1 / (1 + e))


CURVES = {
    "profile": Curve(
        "delta at every e^epsilon", ONE, None, {"F99", "F100"},
        lambda own, reverse, low, high: apart(own, low, high, lambda e: ONE),
    ),
    "odds": Curve(
        "the chance of a right guess at every weight of P", ZERO, ONE, {"F99", "F100", "F103"},
        _odds,
    ),
    "trade-off": Curve(
        "the least type II error at every type I error, of tests of P against Q", ZERO, ONE,
        {"F99", "F100", "F101", "F102"},
        lambda own, reverse, low, high: apart_of_tests(reverse, low, high),
    ),
}  # fmt: skip


class Places:
    """The goals of a problem, at any epsilon and delta."""

    def __init__(self, problem: Problem, check: Check) -> None:
        """Of a problem that bounds events, at one epsilon for all pairs, whose laws stand for
        themselves, or for others that are alike."""
        if problem.target.form != "events" or type(problem.target.notion) is not Uniform:
            raise Rejected("a curve is one of events, at one epsilon for all pairs")
        if not problem.source.seen()[1] <= ALIKE:
            raise Rejected("what stands for others is not known to along a curve")
        self.problem, self.check, self.facts = problem, check, Facts()
        self._kept: dict[tuple[bool, Bounds], Goals] = {}
        self.names = list(self.goals(True, ABOVE))
        self.bare = problem.release.amount is None

    def goals(self, positive: bool, by: Bounds) -> Goals:
        """Those with some delta, above 0 or 0: a problem is read by no more of it than that."""
        if (positive, by) not in self._kept:
            changed = {"epsilon": 1, "delta": "1/2" if positive else 0}
            read = problem_of({**self.problem.stated, **changed})
            require_valid(read)
            require_kinds(read)
            release = read.release.at(read.release.amount)
            if release.kind == "none":
                self.facts.add("X")
            self.facts |= read.release.seen("certified")[1] | read.source.seen()[1]
            found = {goal.names: goal for goal in goals_of(read, release, self.check, by)}
            self._kept[positive, by] = found
        return self._kept[positive, by]

    def known(self, names: Names, point: Any) -> Known:
        """What one point proves of a pair, and of the divergence at its e^epsilon."""
        table(point, "a point", POINT)
        at = short(canonical_rational(point["at"], "a place"), "a place")
        ends = [short(decimal(point[end], end), "a bound") for end in ("lower", "upper")]
        lower, upper = ends
        if at < 1 or not lower <= upper <= 1:
            raise Malformed("a place is at least 1, and lower <= upper <= 1")
        epsilon: Number = ZERO if at == 1 else combine("log", at)
        require_range("epsilon", epsilon, decide=True)
        if point["above"] is not None:
            step = shaped(point["above"], CERTIFYING[self.bare])
            goal = self._at(names, upper > 0, ABOVE, epsilon, upper)
            self.facts |= apply(goal, step, goal.kind.certified)
        elif upper < 1:
            raise Rejected("an upper bound below 1 needs a step")
        if point["below"] is not None:
            step = shaped(point["below"], REFUTING)
            goal = self._at(names, True, BELOW, epsilon, lower)
            self.facts |= apply(goal, step, goal.kind.refuted)
        elif lower > 0:
            raise Rejected("a lower bound above 0 needs a step")
        return Known(at, lower, upper)

    def _at(
        self, names: Names, positive: bool, by: Bounds, epsilon: Number, delta: Fraction
    ) -> Goal[Any, Any]:
        goal = self.goals(positive, by).get(names)
        if goal is None:
            raise Rejected("a pair that is not there at every delta")
        if positive and delta == 0:
            raise Malformed("a lower bound of 0 has no step")
        return goal._replace(epsilon=epsilon, delta=delta)


def curve(places: Places, step: dict[str, Any]) -> tuple[str, Facts]:
    """
    at every place of every pair and order     H <= upper, as its goal holds with that delta
                                               H > lower, as its goal fails with that delta
    the bounds that follow of the curve between places are at most `gap` apart
    ---------------------------------------------------------------------------------------
    the curve of every pair and order lies between them, from one end to the other
    """
    kind = CURVES.get(string(step["kind"], "the kind"))
    if kind is None:
        raise Malformed(f"the curve {shown(step['kind'])} is not known here")
    low, high = (short(canonical_rational(step[end], end), "an end") for end in ("from", "to"))
    if not kind.least <= low <= high or (kind.most is not None and high > kind.most):
        raise Malformed("the curve goes from one end to another beyond it")
    stated = array(step["pairs"], "pairs")
    if len(stated) != len(places.names):
        raise Rejected(f"{len(stated)} curves for {len(places.names)} pairs in order")
    found: dict[Names, list[Known]] = {}
    for names, one in zip(places.names, stated, strict=True):
        table(one, "a curve", {"belief", "from", "to", "points"})
        if names != (one["belief"], one["from"], one["to"]):
            raise Rejected(f"the curve due here is {shown(names[1], 30)} -> {shown(names[2], 30)}")
        points = array(one["points"], "points")
        if len(points) > MOST:
            raise Malformed(f"more than {MOST} places")
        found[names] = [places.known(names, point) for point in points]
        if any(a.at >= b.at for a, b in zip(found[names], found[names][1:], strict=False)):
            raise Malformed("places must increase")
    apart_most = ZERO
    for (belief, a, b), known in found.items():
        other = found.get((belief, b, a))
        if other is None:
            raise Rejected("a pair without its other order")
        forward, backward = both(known, other), both(other, known)
        apart_most = max(apart_most, kind.apart(forward, backward, low, high))
    if apart_most > short(decimal(step["gap"], "gap"), "the gap"):
        raise Rejected("the bounds are farther apart than is stated")
    places.check.held("curve", kind.facts)
    count = sum(map(len, found.values()))
    ends = f"from {shown(step['from'])[1:-1]} to {shown(step['to'])[1:-1]}"
    text = (
        f"{kind.words} {ends}, of every belief, pair and order ({len(found)}), by {count} places: "
        f"bounds at most {shown(step['gap'])[1:-1]} apart, also between them"
    )
    return text, places.facts | kind.facts


def curved(problem: Problem, steps: list[Any], check: Check) -> tuple[str, Facts]:
    """What the one step of a certificate of a curve proves, in words, and the facts it used."""
    if len(steps) != 1:
        raise Malformed("a certificate of a curve has exactly one step")
    step = table(steps[0], "a step", {"rule", "kind", "from", "to", "gap", "pairs"})
    if step["rule"] != "curve":
        raise Malformed("the step of a certificate of a curve must be curve")
    try:
        return curve(Places(problem, check), step)
    except Undecided as reason:
        raise Rejected(f"curve: {reason}") from None

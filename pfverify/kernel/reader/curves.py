"""Certificates of curves: what the steps prove of a problem at single places, and between them.

The epsilon and the delta of the problem are not asked for: each place has its own.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from core.curve import ONE, Known, apart, apart_of_tests, below_orders, both, short
from core.enclose import Undecided
from core.grammar import Malformed, Number, canonical, combine, shown
from core.judge import apply, shaped
from core.kinds import CERTIFYING, REFUTING, RENYI
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


def _orders(own: list[Known], reverse: list[Known], low: Fraction, high: Fraction) -> Fraction:
    """F104: (a - 1) D_a is convex in the order a, and 0 at a = 1; D_a does not fall."""
    if not low > 1:
        raise Malformed("an order is above 1")
    grown = [Known(a, (a - 1) * lower, (a - 1) * upper) for a, lower, upper in own]
    known = [Known(ONE, ZERO, ZERO), *grown]
    return apart(known, low, high, lambda a: 1 / (a - 1), below_orders)


CURVES = {
    "renyi": Curve("the Renyi divergence at every order", ONE, None, {"F90", "F104"}, _orders),
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

    def __init__(self, problem: Problem, check: Check, *, renyi: bool) -> None:
        """Of a problem that bounds events (or of which divergences are asked), at one epsilon for
        all pairs, whose laws stand for themselves, or for others that are alike."""
        forms = ("events", *RENYI) if renyi else ("events",)
        if problem.target.form not in forms or type(problem.target.notion) is not Uniform:
            raise Rejected("a curve is one of events, at one epsilon for all pairs")
        if not problem.source.seen()[1] <= ALIKE:
            raise Rejected("what stands for others is not known to along a curve")
        self.problem, self.check, self.facts, self.renyi = problem, check, Facts(), renyi
        self._kept: dict[tuple[bool, Bounds], Goals] = {}
        self.names = list(self.goals(True, ABOVE))
        self.bare = problem.release.amount is None

    def goals(self, positive: bool, by: Bounds) -> Goals:
        """Those with some delta, above 0 or 0: a problem is read by no more of it than that."""
        if (positive, by) not in self._kept:
            stated = {key: x for key, x in self.problem.stated.items() if key != "order"}
            changed: dict[str, Any] = {"epsilon": 1, "delta": "1/2" if positive else 0}
            if self.renyi:
                changed = {"epsilon": 1, "delta": 0, "form": RENYI[0], "order": "2"}
            read = problem_of({**stated, **changed})
            require_valid(read)
            require_kinds(read)
            release = read.release.at(read.release.amount)
            if release.kind == "none":
                self.facts.add("X")
            stand = read.release.seen("certified")[1] | read.source.seen()[1]
            if self.renyi:
                from core.renyi import require_own

                require_own(stand)
            self.facts |= stand
            found = {goal.names: goal for goal in goals_of(read, release, self.check, by)}
            self._kept[positive, by] = found
        return self._kept[positive, by]

    def known(self, names: Names, point: Any) -> Known:
        """What one point proves of a pair at its e^epsilon, or at its order."""
        table(point, "a point", POINT)
        at = short(canonical_rational(point["at"], "a place"), "a place")
        ends = [short(decimal(point[end], end), "a bound") for end in ("lower", "upper")]
        found = Known(at, *ends)
        (self._at_order if self.renyi else self._at_growth)(names, point, found)
        return found

    def _at_order(self, names: Names, point: Any, found: Known) -> None:
        from core.renyi import stated_order

        at, lower, upper = found
        stated_order({"order": canonical(at)})
        if not lower <= upper:
            raise Malformed("lower <= upper")
        for end, value, by in (("above", upper, ABOVE), ("below", lower, BELOW)):
            if point[end] is None and (end == "above" or lower > 0):
                raise Rejected("a bound of a divergence needs a step")
            if point[end] is not None:
                goal = self._goal(names, False, by)._replace(epsilon=value, order=at)
                self._settle(goal, point[end], certify=end == "above")

    def _settle(self, goal: Goal[Any, Any], step: Any, *, certify: bool) -> None:
        """By a step of a rule of its kind."""
        named, rules = (
            (CERTIFYING[self.bare], goal.kind.certified) if certify
            else (REFUTING, goal.kind.refuted)
        )  # fmt: skip
        self.facts |= apply(goal, shaped(step, named), rules)

    def _at_growth(self, names: Names, point: Any, found: Known) -> None:
        at, lower, upper = found
        if at < 1 or not lower <= upper <= 1:
            raise Malformed("a place is at least 1, and lower <= upper <= 1")
        epsilon: Number = ZERO if at == 1 else combine("log", at)
        require_range("epsilon", epsilon, decide=True)
        if point["above"] is not None:
            goal = self._goal(names, upper > 0, ABOVE)
            self._settle(goal._replace(epsilon=epsilon, delta=upper), point["above"], certify=True)
        elif upper < 1:
            raise Rejected("an upper bound below 1 needs a step")
        if point["below"] is not None:
            if lower == 0:
                raise Malformed("a lower bound of 0 has no step")
            goal = self._goal(names, True, BELOW)
            self._settle(goal._replace(epsilon=epsilon, delta=lower), point["below"], certify=False)
        elif lower > 0:
            raise Rejected("a lower bound above 0 needs a step")

    def _goal(self, names: Names, positive: bool, by: Bounds) -> Goal[Any, Any]:
        goal = self.goals(positive, by).get(names)
        if goal is None:
            raise Rejected("a pair that is not there at every delta")
        return goal


def curve(places: Places, step: dict[str, Any]) -> tuple[str, Facts]:
    """
    at every place of every pair and order     H <= upper, as its goal holds with that delta
                                               H > lower, as its goal fails with that delta
    (of renyi D with that epsilon in place of H with that delta)
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
        if not places.renyi:
            known, other = both(known, other), both(other, known)
        apart_most = max(apart_most, kind.apart(known, other, low, high))
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
        return curve(Places(problem, check, renyi=step["kind"] == "renyi"), step)
    except Undecided as reason:
        raise Rejected(f"curve: {reason}") from None

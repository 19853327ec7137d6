"""Liftings of relations to laws: a coupling inside the relation, or the event that forbids it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from pfverify.errors import InputError, listed, shorten
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import rational
from pfverify.transport.flow import hall_set
from pfverify.transport.forest import without_cycles
from pfverify.transport.hall import HallSet
from pfverify.transport.law import Masses, Point, Sides, law, point, sides
from pfverify.transport.maxflow import Flow
from pfverify.transport.plan import Plan
from pfverify.transport.relation import Relation, related_pairs


@dataclass(frozen=True)
class Lifting(NoTruth, ask="compare .coupling or .hall with None"):
    """Whether two laws are related by the lifted relation, with its proof.

    Attributes: `coupling`, a coupling with support inside the relation, or None; `hall`, the
    event A with P(A) > Q(N(A)), or None. Exactly one of them is there.
    """

    coupling: Plan | None
    hall: HallSet | None


@dataclass(frozen=True)
class ApproximateLifting(NoTruth, ask="compare .coupling or .event with None"):
    """Whether P(A) <= factor * Q(N(A)) + delta holds for every event A, with its proof.

    Attributes: `coupling`, a plan inside the relation with row sums <= P, column sums
    <= factor * Q and total mass >= P(everything) - delta, or None; `event`, an event that
    violates the bound, or None (exactly one of them is there); `shortfall`, the smallest delta
    for which the bound holds with this factor.
    """

    coupling: Plan | None
    event: HallSet | None
    shortfall: Fraction


def lifting(
    first: Masses, second: Masses, relation: Relation, points: Iterable[object] = ()
) -> Lifting:
    """Decide whether (first, second) is in the lifting of the relation.

    `relation`: pairs (x, y) of known points: points of either law, of mass 0 too, or of
    `points`, the rest of the space. Raises InputError for a pair with an unknown point, unequal
    totals, negative masses.
    Example: ``lifting({"a": 1}, {"b": 1}, [("a", "b")]).coupling.masses()`` is
    ``{("a", "b"): 1}``.
    Source: distribution-privacy paper, Definition 7; Strassen 1965, Theorem 11.
    """
    found = approximate_lifting(first, second, relation, Fraction(1), Fraction(0), points)
    return Lifting(found.coupling, found.event)


def approximate_lifting(
    first: Masses,
    second: Masses,
    relation: Relation,
    factor: Fraction | int | str,
    delta: Fraction | int | str,
    points: Iterable[object] = (),
) -> ApproximateLifting:
    """Decide P(A) <= factor * Q(N(A)) + delta for every event A, by one exact maximum flow.

    `factor` stands for e**epsilon, `delta` has the unit of the masses; both rational, >= 0.
    By max-flow min-cut the bound holds iff all of P but delta can flow through the relation
    into columns of capacity factor * Q. Raises InputError as `lifting`.
    Example: ``approximate_lifting({"a": 1}, {"a": "1/2", "b": "1/2"}, [("a", "a")], 2, 0)
    .shortfall`` is 0: 1 <= 2 * 1/2.
    Source: design fact F11; Sato 2016 and Barthe et al. 2016 (approximate liftings).
    """
    e, slack = (rational(value, name) for value, name in ((factor, "the factor"), (delta, "delta")))
    for value, name in ((e, "the factor"), (slack, "delta")):
        if value < 0:
            raise InputError(f"{name} is {shorten(value)}, expected a number >= 0")
    both = sides(first, second, factor=e)
    allowed = related_columns(both, relation, points)
    flow = Flow(both.supply, both.demand)
    flow.fill(allowed)
    shortfall = Fraction(flow.unsent, both.total)
    if shortfall > slack:
        return ApproximateLifting(None, _event(both, allowed, flow, e, slack, second), shortfall)
    edges = without_cycles(flow.edges(), len(both.rows))
    plan = Plan(both.rows, both.columns, edges, both.total)
    return ApproximateLifting(plan, None, shortfall)


def related_columns(both: Sides, relation: Relation, points: Iterable[object]) -> list[list[int]]:
    """Return for each row the related columns; InputError names a pair with an unknown point."""
    listing = listed(points, "points", "a list of points")
    known = both.known | {point(where) for where in listing}
    row = {x: i for i, x in enumerate(both.rows)}
    column = {y: j for j, y in enumerate(both.columns)}
    allowed: list[list[int]] = [[] for _ in both.rows]
    for x, y in related_pairs(relation, known):
        if x in row and y in column:
            allowed[row[x]].append(column[y])
    return [sorted(columns) for columns in allowed]


def _event(
    both: Sides,
    allowed: list[list[int]],
    flow: Flow,
    factor: Fraction,
    slack: Fraction,
    second: Masses,
) -> HallSet:
    """Return the cut with Q(N(A)) in the unit of the second law (also where the factor is 0)."""
    found = hall_set(both, flow, factor, slack)
    if factor:
        return found
    q = law(second, "second law")
    mass = {y: Fraction(w, q.denominator) for y, w in zip(q.points, q.weights, strict=True)}
    near: set[Point] = {both.columns[j] for i in flow.reached[0] for j in allowed[i]}
    neighbours = tuple(y for y in both.columns if y in near)
    reachable = sum((mass[y] for y in neighbours), Fraction(0))
    return HallSet(found.event, neighbours, found.mass, reachable, factor, slack)

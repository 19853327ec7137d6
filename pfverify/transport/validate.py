"""Everything that can be said about a plan that somebody else computed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pfverify.errors import InputError, require, shorten
from pfverify.exact.no_truth import NoTruth
from pfverify.transport.forest import root
from pfverify.transport.graphs import library
from pfverify.transport.law import Masses, Point, numbers, sides
from pfverify.transport.metric import Distance, Metric
from pfverify.transport.optimality import Optimality, optimality
from pfverify.transport.plan import Plan
from pfverify.transport.relation import Relation, related_pairs

PROPERTIES = ("marginals", "support", "forest", "monotone", "optimal", "connected")


@dataclass(frozen=True)
class Residual:
    """A row or column with a wrong sum: `found` in the plan, `expected` in the law."""

    point: Point
    found: Fraction
    expected: Fraction

    @property
    def excess(self) -> Fraction:
        """found - expected, exact."""
        return self.found - self.expected


@dataclass(frozen=True)
class Edge:
    """An edge of a plan by name: `row`, `column`, `mass`, and `distance` if a metric is given."""

    row: Point
    column: Point
    mass: Fraction
    distance: Distance | None


@dataclass(frozen=True)
class PlanReport(NoTruth, ask="use .holds(name), as in `is True`"):
    """The properties of a plan, each with the edges or points that prove the verdict.

    Attributes: `rows` and `columns`, the residuals that are not 0; `outside`, the edges outside
    the relation or longer than the limit (None if neither was given); `cycle`, the edges of a
    cycle of the support in order, or None for a forest (a vertex of the polytope); `crossing`,
    two edges (x, x'), (z, z') with x < z and x' > z', or None; `on_the_line`, whether crossing
    means anything; `optimality` (None without a metric), for the plan's own marginals;
    `components`, the connected parts of the support as (rows, columns); `heaviest` and `longest`,
    edges (`longest` is None without a metric).
    """

    rows: tuple[Residual, ...]
    columns: tuple[Residual, ...]
    outside: tuple[Edge, ...] | None
    cycle: tuple[Edge, ...] | None
    crossing: tuple[Edge, Edge] | None
    on_the_line: bool
    optimality: Optimality | None
    components: tuple[tuple[tuple[Point, ...], tuple[Point, ...]], ...]
    heaviest: Edge
    longest: Edge | None

    def holds(self, name: str) -> bool | None:
        """Return the verdict on one of `PROPERTIES`; None where there is none.

        Raises InputError for another name. Example: ``report.holds("forest")``.
        """
        if name not in PROPERTIES:
            raise InputError(f"property {shorten(name)}, expected one of {', '.join(PROPERTIES)}")
        return {
            "marginals": not self.rows and not self.columns,
            "support": None if self.outside is None else not self.outside,
            "forest": self.cycle is None,
            "monotone": self.crossing is None if self.on_the_line else None,
            "optimal": None if self.optimality is None else self.optimality.optimal,
            "connected": len(self.components) == 1,
        }[name]


def validate_plan(
    plan: Plan,
    first: Masses,
    second: Masses,
    metric: Metric | None = None,
    *,
    relation: Relation | None = None,
    within: Distance | Fraction | int | None = None,
) -> PlanReport:
    """Return what is right and what is wrong with a plan, exactly and edge by edge.

    `relation`: allowed pairs; `within`: the largest allowed distance (needs a metric); both
    may be given. Points may be numbers, pairs, or names.
    Raises InputError for a plan without edges, unequal totals of the laws, a relation that
    names unknown points, `within` without a metric, points that the metric does not know.
    Example: ``validate_plan(plan, p, q).holds("monotone")`` is True.
    Source: issue "Transport plans as exact matrices"; design fact F10.
    """
    require(plan, Plan, "the plan")
    if metric is not None:
        require(metric, Metric, "the metric")
    both = sides(first, second)
    if not plan.edges:
        raise InputError("plan: no edges with positive mass")
    if within is not None and metric is None:
        raise InputError("within: a distance limit needs a metric")
    named = _Names(plan, metric)
    line = all(isinstance(where, Fraction) for where in (*plan.rows, *plan.columns))
    parts = _parts(plan)
    return PlanReport(
        _residuals(plan.row_sums(), both.rows, both.supply, both.total),
        _residuals(plan.column_sums(), both.columns, both.demand, both.total),
        _outside(named, both.known | {*plan.rows, *plan.columns}, relation, within),
        _cycle(named, plan, len(parts)),
        _crossing(named, plan) if line else None,
        line,
        None if metric is None else optimality(plan, metric),
        _components(plan, parts),
        max(named.edges, key=lambda edge: edge.mass),
        None if metric is None else max(named.edges, key=_length),
    )


class _Names:
    """The edges of a plan by name."""

    def __init__(self, plan: Plan, metric: Metric | None) -> None:
        self.edges = [
            Edge(x, y, mass, None if metric is None else metric.distance(x, y))
            for (x, y), mass in plan.masses().items()
        ]
        self.at = {(i, j): e for (i, j, _), e in zip(plan.edges, self.edges, strict=True)}


def _length(edge: Edge) -> Fraction:
    return Fraction(0) if edge.distance is None else edge.distance.square


def _residuals(
    sums: dict[Point, Fraction],
    points: tuple[Point, ...],
    weights: tuple[int, ...],
    total: int,
) -> tuple[Residual, ...]:
    law = {x: Fraction(w, total) for x, w in zip(points, weights, strict=True)}
    return tuple(
        Residual(x, sums.get(x, Fraction(0)), law.get(x, Fraction(0)))
        for x in dict.fromkeys((*points, *sums))
        if sums.get(x, 0) != law.get(x, 0)
    )


def _outside(
    named: _Names,
    known: frozenset[Point],
    relation: Relation | None,
    within: Distance | Fraction | int | None,
) -> tuple[Edge, ...] | None:
    if relation is None and within is None:
        return None
    pairs = None if relation is None else related_pairs(relation, known)
    if within is not None and not isinstance(within, Distance) and within < 0:
        raise InputError(f"within: {shorten(within)}, expected a number >= 0")
    return tuple(
        edge
        for edge in named.edges
        if (pairs is not None and (edge.row, edge.column) not in pairs)
        or (within is not None and edge.distance is not None and edge.distance > within)
    )


def _parts(plan: Plan) -> list[tuple[list[int], list[int]]]:
    """Return the rows and columns of every connected part, a point without edges included."""
    height, above = len(plan.rows), dict[int, int]()
    for i, j, _ in plan.edges:
        above[root(above, i)] = root(above, height + j)
    parts: dict[int, tuple[list[int], list[int]]] = {}
    for node in range(height + len(plan.columns)):
        rows, columns = parts.setdefault(root(above, node), ([], []))
        if node < height:
            rows.append(node)
        else:
            columns.append(node - height)
    return list(parts.values())


def _cycle(named: _Names, plan: Plan, parts: int) -> tuple[Edge, ...] | None:
    if len(named.at) == len(plan.rows) + len(plan.columns) - parts:  # as few as in a forest
        return None
    found = library().find_cycle(plan.graph())
    edges = []
    for a, b in found:
        (_, i), (_, j) = (a, b) if a[0] == "row" else (b, a)
        edges.append(named.at[i, j])
    return tuple(edges)


def _crossing(named: _Names, plan: Plan) -> tuple[Edge, Edge] | None:
    """Sweep by rows, then columns: an edge below the highest one so far crosses it."""
    xs, ys = numbers(plan.rows), numbers(plan.columns)
    highest: tuple[int, int] | None = None
    for i, j in sorted(named.at, key=lambda edge: (xs[edge[0]], ys[edge[1]])):
        if highest and ys[j] < ys[highest[1]]:
            return named.at[highest], named.at[i, j]
        if highest is None or ys[j] > ys[highest[1]]:
            highest = (i, j)
    return None


def _components(
    plan: Plan, parts: list[tuple[list[int], list[int]]]
) -> tuple[tuple[tuple[Point, ...], tuple[Point, ...]], ...]:
    return tuple(
        (tuple(plan.rows[i] for i in rows), tuple(plan.columns[j] for j in columns))
        for rows, columns in sorted(parts)
        if rows and columns
    )

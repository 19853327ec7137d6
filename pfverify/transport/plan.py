"""Transport plans as sparse exact integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from pfverify.errors import InputError, listed, require, shorten
from pfverify.exact.number import rational
from pfverify.exact.tokens import is_long
from pfverify.transport.graphs import library
from pfverify.transport.law import Point, point, show
from pfverify.transport.line_plan import LinePlan


@dataclass(frozen=True)
class Plan:
    """A coupling as a sparse table of exact masses, with no claim about its marginals.

    Attributes: `rows`, n distinct points of the first law; `columns`, m distinct points of the
    second (Fractions, pairs of Fractions, or names; other exact numbers become Fractions);
    `edges`, sorted triples (row index, column index, integer mass > 0); `total`, so that a mass
    is integer/total.

    Raises InputError naming the edge that is out of order, repeated, outside, or not positive.
    Example: ``Plan(("a",), ("b", "c"), ((0, 0, 1), (0, 1, 3)), 4).masses()`` is
    ``{("a", "b"): 1/4, ("a", "c"): 3/4}``.
    Source: distribution-privacy paper, Definition 5; noise-reduction paper, section 2.
    """

    rows: tuple[Point, ...]
    columns: tuple[Point, ...]
    edges: tuple[tuple[int, int, int], ...]
    total: int

    def __post_init__(self) -> None:
        for side in ("row", "column"):
            points = tuple(point(x, f"plan: {side}") for x in getattr(self, f"{side}s"))
            object.__setattr__(self, f"{side}s", points)
            if len(set(points)) < len(points):
                raise InputError(f"plan: a {side} stands there twice")
        if type(self.total) is not int or self.total <= 0:
            raise InputError(f"plan: total {shorten(self.total)}, expected an integer > 0")
        before = (-1, -1)
        for edge in self.edges:
            i, j, mass = edge
            if type(mass) is not int or mass <= 0:
                raise InputError(f"plan: edge {edge} has mass {shorten(mass)}, expected > 0")
            if not (0 <= i < len(self.rows) and 0 <= j < len(self.columns)):
                raise InputError(f"plan: edge {edge} leaves the table")
            if (i, j) <= before:
                raise InputError(f"plan: edge {edge} is repeated or out of order")
            before = (i, j)

    def row_sums(self) -> dict[Point, Fraction]:
        """Return row -> mass, exact, 0 for a row without edges: the first marginal."""
        return self._sums(0)

    def column_sums(self) -> dict[Point, Fraction]:
        """Return column -> mass, exact, 0 for a column without edges: the second marginal."""
        return self._sums(1)

    def masses(self) -> dict[tuple[Point, Point], Fraction]:
        """Return (row, column) -> mass for every edge, exact, in the order of the edges."""
        return {
            (self.rows[i], self.columns[j]): Fraction(mass, self.total) for i, j, mass in self.edges
        }

    def graph(self) -> Any:
        """Return the plan as a networkx bipartite graph with integer capacities.

        Nodes are ``("row", i)`` and ``("column", j)`` with attributes `point` and `bipartite`
        (0 or 1); an edge has the integer attribute `capacity`, its mass in units of 1/total.
        """
        graph = library().Graph(total=self.total)
        for k, (side, points) in enumerate((("row", self.rows), ("column", self.columns))):
            for i, where in enumerate(points):
                graph.add_node((side, i), point=where, bipartite=k)
        for i, j, mass in self.edges:
            graph.add_edge(("row", i), ("column", j), capacity=mass)
        return graph

    def _sums(self, side: int) -> dict[Point, Fraction]:
        points = self.columns if side else self.rows
        sums = [0] * len(points)
        for edge in self.edges:
            sums[edge[side]] += edge[2]
        return {where: Fraction(mass, self.total) for where, mass in zip(points, sums, strict=True)}


def plan_of_line(plan: LinePlan) -> Plan:
    """Return a plan of the line with its atoms as Fractions.

    Example: ``plan_of_line(monotone_plan(p, q)).row_sums() == p.mass``.
    """
    require(plan, LinePlan, "the plan")
    xs = sorted({x for x, _, _ in plan.edges})
    ys = sorted({y for _, y, _ in plan.edges})
    row = {x: i for i, x in enumerate(xs)}
    column = {y: j for j, y in enumerate(ys)}
    return Plan(
        tuple(Fraction(x, plan.denominator) for x in xs),
        tuple(Fraction(y, plan.denominator) for y in ys),
        tuple(sorted((row[x], column[y], mass) for x, y, mass in plan.edges)),
        plan.total,
    )


def plan_of_masses(
    masses: Mapping[tuple[object, object], object] | Iterable[tuple[object, object, object]],
) -> Plan:
    """Return the plan of a table (from, to) -> mass, or of triples (from, to, mass).

    Masses are exact numbers >= 0 (Fractions, integers, decimal text); zeros are dropped, their
    points stay. Raises InputError naming the edge that is repeated, negative, NaN or inexact.
    Example: ``plan_of_masses({("a", "b"): "1/2", ("a", "c"): "1/2"}).total`` is ``2``.
    """
    found = masses_of(masses, _mass)
    if not found:
        raise InputError("plan: no edges")
    rows, columns = (_sorted({edge[k] for edge in found}) for k in (0, 1))
    total = lcm(*(mass.denominator for mass in found.values()))
    row = {x: i for i, x in enumerate(rows)}
    column = {y: j for j, y in enumerate(columns)}
    edges = sorted((row[x], column[y], int(mass * total)) for (x, y), mass in found.items() if mass)
    return Plan(rows, columns, tuple(edges), total)


def _mass(value: object, name: str) -> Fraction:
    mass = value if isinstance(value, Fraction) else rational(value, name)
    if mass < 0:
        raise InputError(f"{name} is {shorten(mass)}, expected a number >= 0")
    return mass


def masses_of(
    masses: object, read: Callable[[object, str], Fraction]
) -> dict[tuple[Point, Point], Fraction]:
    """Return (from, to) -> mass of a table or of triples, each mass as `read` reads it.

    `read` takes what is given and what it is called. Raises InputError for an edge that is
    repeated, and as `read`.
    Example: ``masses_of([("a", "b", 1)], lambda value, name: Fraction(1))`` is
    ``{("a", "b"): 1}``.
    """
    found: dict[tuple[Point, Point], Fraction] = {}
    for x, y, value in _triples(masses):
        edge = point(x, "plan: from"), point(y, "plan: to")
        arrow = f"edge {show(edge[0])} -> {show(edge[1])}"
        mass = read(value, f"plan: mass of {arrow}")
        if edge in found:
            raise InputError(f"plan: {arrow} stands there twice")
        found[edge] = mass
    return found


def _triples(masses: object) -> list[list[Any]]:
    """Return the entries (from, to, mass) of a table or of a list."""
    if isinstance(masses, Mapping):
        edges = [listed(edge, "plan: edge", "a pair (from, to)") for edge in masses]
        found = [[*edge, mass] for edge, mass in zip(edges, masses.values(), strict=True)]
    else:
        what = "a list of (from, to, mass)"
        found = [listed(entry, "plan: edge", what) for entry in listed(masses, "plan", what)]
    for entry in found:
        if len(entry) != 3:
            raise InputError(f"plan: expected (from, to, mass), got {len(entry)} entries")
    return found


def _sorted(points: set[Point]) -> tuple[Point, ...]:
    if len({type(where) for where in points}) > 1:
        raise InputError("plan: expected all numbers, all pairs or all names on one side")
    return tuple(sorted(points))


def exact_text(value: Fraction) -> str:
    """Return a mass or a distance as text; InputError where it is too long to be read again.

    Example: ``exact_text(Fraction(1, 2))`` is ``"1/2"``.
    """
    if is_long(value):
        raise InputError("a mass or distance of a coupling has more than 4300 digits")
    return str(value)

"""A plan in floating point, moved to the nearest exact plan on the same support."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import isfinite, lcm

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.transport.flow import hall_set
from pfverify.transport.forest import root
from pfverify.transport.graphs import library
from pfverify.transport.hall import HallSet
from pfverify.transport.law import Masses, Sides, show, sides
from pfverify.transport.maxflow import Flow
from pfverify.transport.plan import Plan, masses_of

FloatPlan = Mapping[tuple[object, object], object] | Iterable[tuple[object, object, object]]


class NoPlanError(InputError):
    """No exact plan lives on the support; `hall` is the event that proves it."""

    def __init__(self, message: str, hall: HallSet) -> None:
        super().__init__(message)
        self.hall = hall


def repaired(plan: FloatPlan | Plan, first: Masses, second: Masses) -> Plan:
    """Return the nearest exact plan on the same support.

    Nearest in total mass moved: no coupling of the two laws with its support inside the given
    one has a smaller sum of |mass - given mass| over the edges. On a forest only one coupling
    exists, and that is it; on a support with cycles it is found by exact integer minimum-cost
    flow, and ties are broken by that search. Edges may end with mass 0: they are dropped.

    `plan`: a table (from, to) -> mass, triples (from, to, mass), or a `Plan`; masses may be
    floats, which are read exactly. Raises InputError naming an edge whose mass is negative,
    NaN or infinite, or whose point has no mass in its law; NoPlanError (with a Hall set) if the
    support carries no coupling.
    Example: ``repaired({("a", "c"): 0.3333, ("b", "c"): 0.6667}, {"a": "1/3", "b": "2/3"},
    {"c": 1}).masses()`` is ``{("a", "c"): 1/3, ("b", "c"): 2/3}``.
    Source: design fact F10.
    """
    both = sides(first, second)
    masses = plan.masses() if isinstance(plan, Plan) else masses_of(plan, _mass)
    row = {x: i for i, x in enumerate(both.rows)}
    column = {y: j for j, y in enumerate(both.columns)}
    given: dict[tuple[int, int], Fraction] = {}
    for (x, y), mass in masses.items():
        for side, where in ((row, x), (column, y)):
            if mass and where not in side:
                raise InputError(
                    f"plan: edge {show(x)} -> {show(y)} has mass, but {show(where)} has none in "
                    "its law"
                )
        if mass:
            given[row[x], column[y]] = mass
    flow = _carried(both, given)
    edges, total = flow.edges(), both.total
    if not _forest(given, len(both.rows)):
        edges, total = _nearest(both, given)
    return Plan(both.rows, both.columns, edges, total)


def _mass(value: object, name: str) -> Fraction:
    if isinstance(value, float) and not isfinite(value):
        raise InputError(f"{name} is {value}, expected a finite number >= 0")
    mass = Fraction(value) if isinstance(value, float) else rational(value, name)
    if mass < 0:
        raise InputError(f"{name} is {shorten(value)}, expected a number >= 0")
    return mass


def _carried(both: Sides, given: Mapping[tuple[int, int], Fraction]) -> Flow:
    """Return some coupling on the support, or raise NoPlanError."""
    allowed: list[list[int]] = [[] for _ in both.rows]
    for i, j in sorted(given):
        allowed[i].append(j)
    flow = Flow(both.supply, both.demand)
    flow.fill(allowed)
    if not flow.unsent:
        return flow
    hall = hall_set(both, flow)
    points = ", ".join(show(x) for x in hall.event[:4]) + (", ..." if len(hall.event) > 4 else "")
    raise NoPlanError(
        f"plan: its support carries no exact plan, since the rows {{{points}}} have mass "
        f"{shorten(hall.mass)}, their neighbours {shorten(hall.reachable)}",
        hall,
    )


def _forest(given: Iterable[tuple[int, int]], height: int) -> bool:
    """Whether edges between rows, below `height`, and columns have no cycle."""
    part: dict[int, int] = {}
    for i, j in given:
        a, b = root(part, i), root(part, height + j)
        if a == b:
            return False
        part[a] = b
    return True


def _nearest(
    both: Sides, given: Mapping[tuple[int, int], Fraction]
) -> tuple[tuple[tuple[int, int, int], ...], int]:
    """Minimise the sum of |change|: arcs up are free to grow, arcs down end at the mass."""
    total = lcm(both.total, *(mass.denominator for mass in given.values()))
    scale = total // both.total
    start = {edge: mass.numerator * (total // mass.denominator) for edge, mass in given.items()}
    height = len(both.rows)
    lack = [weight * scale for weight in (*both.supply, *both.demand)]
    for (i, j), mass in start.items():
        lack[i] -= mass
        lack[height + j] -= mass
    networkx = library()
    graph = networkx.DiGraph()
    for node, amount in enumerate(lack):
        graph.add_node(node, demand=-amount if node < height else amount)
    for (i, j), mass in start.items():
        graph.add_edge(i, height + j, weight=1)
        graph.add_edge(height + j, i, weight=1, capacity=mass)
    _, flow = networkx.network_simplex(graph)
    masses = {
        (i, j): mass + flow[i][height + j] - flow[height + j][i] for (i, j), mass in start.items()
    }
    return tuple(sorted((i, j, mass) for (i, j), mass in masses.items() if mass)), total

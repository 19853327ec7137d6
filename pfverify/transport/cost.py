"""The 1-Wasserstein distance, with an optimal plan and a Kantorovich potential."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pfverify.errors import require
from pfverify.exact.corner import corner
from pfverify.transport.law import Masses, Sides, numbers, sides
from pfverify.transport.metric import AbsoluteDifference, DistanceKeys, Metric
from pfverify.transport.mincost import cheapest
from pfverify.transport.plan import Plan

BITS = 64  # binary places of irrational distances


@dataclass(frozen=True)
class Potential:
    """A dual certificate: u(x) + v(y) <= d(x, y) for every row x and column y.

    Attributes: `rows`, u in the order of the plan's rows; `columns`, v in that of its columns;
    both exact. Then sum u dP + sum v dQ is a lower bound of the cost of every coupling.
    """

    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]


@dataclass(frozen=True)
class W1:
    """The least mean distance of a coupling, enclosed.

    Attributes: `lower` and `upper`, exact bounds (equal where the distance is exact: always,
    except for irrational distances of the plane); `plan`, whose cost is at most `upper`;
    `potential`, whose dual value is `lower`.
    """

    lower: Fraction
    upper: Fraction
    plan: Plan
    potential: Potential

    @property
    def value(self) -> Fraction | None:
        """The distance where both bounds agree, else None."""
        return self.lower if self.lower == self.upper else None


def w_1(first: Masses, second: Masses, metric: Metric, bits: int = BITS) -> W1:
    """Return the 1-Wasserstein distance of two laws, with plan and potential.

    On the line by distribution functions in O(n + m) after sorting; for other metrics by exact
    integer minimum-cost flow. Distances of the plane are rounded down to 2**-`bits` for
    `lower` (its potential is feasible for the true distances) and up for `upper` (the true
    cost of the plan is at most that). Laws of total T give T times the distance of the
    normalised laws.
    Raises InputError for unequal totals, negative masses, points that the metric does not know.
    Example: ``w_1({0: 1}, {0: "1/2", 3: "1/2"}, AbsoluteDifference()).value`` is ``3/2``.
    Source: multi-user paper, section 2.1; noise-reduction paper, section 2; design fact F10.
    """
    require(metric, Metric, "the metric")
    both = sides(first, second)
    if isinstance(metric, AbsoluteDifference):
        return _on_the_line(both)
    grid = metric.grid(both.rows, both.columns)

    def costs(i: int) -> list[int]:
        return grid.cost_lower(i, bits)

    found = cheapest(both.supply, both.demand, costs, corner(both.supply, both.demand))
    if not found.check(both.supply, both.demand, costs):
        raise ArithmeticError("the minimum-cost plan failed its own exact check")
    unit = grid.unit(bits)
    dual = sum(u * w for u, w in zip(found.rows, both.supply, strict=True))
    dual += sum(v * w for v, w in zip(found.columns, both.demand, strict=True))
    return W1(
        dual * unit / both.total,
        _cost_upper(grid, found.edges, bits) / both.total,
        Plan(both.rows, both.columns, found.edges, both.total),
        Potential(tuple(u * unit for u in found.rows), tuple(v * unit for v in found.columns)),
    )


def _cost_upper(grid: DistanceKeys, edges: tuple[tuple[int, int, int], ...], bits: int) -> Fraction:
    """Return the cost of the edges, every irrational distance rounded up."""
    cost, row, keys = Fraction(0), -1, list[int]()
    for i, j, mass in edges:
        if i != row:
            row, keys = i, grid.row(i)
        cost += mass * grid.distance(keys[j]).upper(bits) if grid.squared else mass * keys[j]
    return cost if grid.squared else cost / grid.scale


def _on_the_line(both: Sides) -> W1:
    area, potential = line_dual(both)
    plan = Plan(both.rows, both.columns, tuple(corner(both.supply, both.demand)), both.total)
    return W1(area, area, plan, potential)


def line_dual(both: Sides) -> tuple[Fraction, Potential]:
    """Return the area between the distribution functions F and G, which is W1, and its potential.

    The potential u = -v has slope -1 where F > G and +1 where F < G, so it is 1-Lipschitz.
    Weights of 0 are allowed. Source: Santambrogio 2015, Proposition 2.17.
    """
    xs, ys = numbers(both.rows), numbers(both.columns)
    jump: dict[Fraction, int] = {}
    for points, weights, sign in ((xs, both.supply, 1), (ys, both.demand, -1)):
        for x, w in zip(points, weights, strict=True):
            jump[x] = jump.get(x, 0) + sign * w
    height, area = 0, Fraction(0)  # height = F - G before x, in units of 1/total
    value, before = Fraction(0), min(jump)
    level: dict[Fraction, Fraction] = {}
    for x in sorted(jump):
        gap = x - before
        area += abs(height) * gap
        value += gap if height < 0 else -gap if height > 0 else 0
        level[x] = value
        height += jump[x]
        before = x
    potential = Potential(tuple(level[x] for x in xs), tuple(-level[y] for y in ys))
    return area / both.total, potential

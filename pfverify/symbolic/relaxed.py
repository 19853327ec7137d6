"""The relaxed mechanism as a polynomial in t = e**(1/theta), one for every column or row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import sympy

from pfverify.errors import InputError, require, shorten
from pfverify.model.requirement import checked_epsilon
from pfverify.symbolic.plans import PlanMatrix
from pfverify.symbolic.statement import EPSILON, THETA, Statement, StatementCondition, condition
from pfverify.symbolic.translate import Expr, from_fraction, from_number

T = sympy.Symbol("t", positive=True)
"""e**(1/theta), > 1 for every scale."""
U = sympy.Symbol("u", positive=True)
"""t**step = e**(step/theta), the variable of the polynomial."""
STAY = sympy.Symbol("b", real=True)
"""Mass of a column that does not move."""
MOVE = sympy.Symbol("a", real=True)
"""Mass of a column that moves by the one distance h."""
_H = sympy.Symbol("h", real=True)

_MAX_DEGREE = 10_000
_SOURCE = "noise-reduction paper, (11) and section 3.3"


@dataclass(frozen=True)
class RelaxedLine:
    """One column (or row) of a plan under the relaxed condition.

    Attributes: `kind`, "column" or "row"; `atom`, whose line it is; `masses`, pairs (distance,
    mass), distances in the unit of the atoms, different and sorted, masses > 0; `epsilon`, a
    sympy expression; `step`, the largest number that divides every distance (None where no mass
    moves: the line then holds at every scale).
    """

    kind: str
    atom: Fraction
    masses: tuple[tuple[Fraction, Fraction], ...]
    epsilon: Expr

    @property
    def step(self) -> Fraction | None:
        """The largest rational of which every distance is an integer multiple."""
        distances = [distance for distance, _ in self.masses if distance]
        if not distances:
            return None
        below = lcm(*(d.denominator for d in distances))
        return Fraction(gcd(*(int(d * below) for d in distances)), below)

    def in_t(self) -> Statement:
        """State f(t) = sum of mass * (t**distance - e**epsilon), with t = e**(1/theta).

        The line holds where f <= 0. Conditions: t >= 1 (t = 1 is the limit of large scales), and
        epsilon >= 0 where it is a symbol.
        Source: noise-reduction paper, (11) and section 3.3.
        """
        grown = self._sum(lambda d: T ** from_fraction(d))
        return self._statement("t", grown, condition(T, ">=", 1))

    def in_theta(self) -> Statement:
        """State the same f as a function of the scale theta > 0, in the unit of the atoms."""
        grown = self._sum(lambda d: sympy.exp(from_fraction(d) / THETA))
        return self._statement("\\theta", grown, condition(THETA, ">", 0))

    def polynomial(self) -> Expr:
        """Return f as a sympy Poly in u = t**step, so t = u**(1/step), theta = step/log(u).

        Where some mass moves and epsilon > 0, f has exactly one root u > 1: the line holds at
        scales >= step/log(root) and at no others.
        Raises InputError where no mass moves, or the degree would be beyond 10000.
        Example: ``relaxed_columns(two_apart, 0)[0].polynomial()`` is
        ``Poly(u - 1, u, domain='ZZ')`` for the plan between point masses at 0 and 2, with step 2.
        """
        step = self.step
        if step is None:
            raise InputError(
                f"{self.kind} {shorten(self.atom)}: no mass moves, expected a distance > 0"
            )
        degree = max(distance for distance, _ in self.masses) / step
        if degree > _MAX_DEGREE:
            raise InputError(
                f"{self.kind} {shorten(self.atom)}: the polynomial has degree {shorten(degree)}, "
                f"expected at most {_MAX_DEGREE}; use in_t()"
            )
        coefficients: dict[tuple[int, ...], Expr] = {
            (int(distance / step),): from_fraction(mass) for distance, mass in self.masses
        }
        total = from_fraction(sum(mass for _, mass in self.masses))
        coefficients[0,] = coefficients.get((0,), 0) - total * sympy.exp(self.epsilon)
        return sympy.Poly.from_dict(coefficients, U)

    def _sum(self, power: Callable[[Fraction], Expr]) -> Expr:
        grown = sympy.exp(self.epsilon)
        return sympy.Add(*(from_fraction(m) * (power(d) - grown) for d, m in self.masses))

    def _statement(self, variable: str, expression: Expr, bound: StatementCondition) -> Statement:
        named = [bound]
        if self.epsilon == EPSILON:
            named.append(condition(EPSILON, ">=", 0))
        at = sympy.latex(from_fraction(self.atom))
        name = "x'" if self.kind == "column" else "x"
        return Statement(
            f"relaxed/{self.kind} {self.atom} in {variable.lstrip(chr(92))}",
            f"f_{{{name} = {at}}}({variable})",
            expression,
            tuple(named),
            _SOURCE,
        )


def relaxed_columns(plan: PlanMatrix, epsilon: object | None = None) -> tuple[RelaxedLine, ...]:
    """Return the relaxed condition of every column x' of a plan, sorted by atom.

    `epsilon` is an exact number >= 0; None keeps it as the symbol. If every column holds, both
    orders of the pair are private (design fact F9).
    Example: ``relaxed_columns(two_apart)[0].in_t().expression`` is ``t**2 - exp(epsilon)`` for the
    plan between point masses at 0 and 2.
    Source: noise-reduction paper, (11); multi-user paper, (20).
    """
    return _lines(plan, "column", epsilon)


def relaxed_rows(plan: PlanMatrix, epsilon: object | None = None) -> tuple[RelaxedLine, ...]:
    """Return the relaxed condition of every row x of a plan; as `relaxed_columns`.

    Source: noise-reduction paper, (12).
    """
    return _lines(plan, "row", epsilon)


def root_relation() -> Statement:
    """State the relation t = e**(1/theta) between the variable of f and the scale > 0.

    Source: noise-reduction paper, section 3.3.
    """
    return Statement(
        "relaxed/t", "t", sympy.exp(1 / THETA), (condition(THETA, ">", 0),), _SOURCE
    )


def one_distance_scale() -> Statement:
    """State the tight scale of a line that moves mass `a` by one distance h and keeps mass `b`.

    h / log(E + (E - 1) b / a), E = e**epsilon; the scale has the unit of h. Conditions: a > 0,
    b >= 0, h > 0, epsilon > 0. The paper prints h = 1 and the masses of the whole plan; it holds
    with the masses of one column (audit row N27), and then the largest over columns counts.
    Source: noise-reduction paper, example of Theorem 4.1 (before (18)).
    """
    grown = sympy.exp(EPSILON)
    scale = _H / sympy.log(grown + (grown - 1) * STAY / MOVE)
    signs = ((EPSILON, ">"), (MOVE, ">"), (STAY, ">="), (_H, ">"))
    held = tuple(condition(symbol, sign, 0) for symbol, sign in signs)
    source = "noise-reduction paper, example of Theorem 4.1 (before (18))"
    return Statement("relaxed/one-distance", "\\theta", scale, held, source)


def _lines(plan: PlanMatrix, kind: str, epsilon: object | None) -> tuple[RelaxedLine, ...]:
    require(plan, PlanMatrix, "the plan")
    bound = EPSILON if epsilon is None else from_number(checked_epsilon(epsilon))
    tables: dict[Fraction, dict[Fraction, Fraction]] = {}
    for x, other, mass in plan.edges():
        table = tables.setdefault(other if kind == "column" else x, {})
        distance = abs(x - other)
        table[distance] = table.get(distance, Fraction(0)) + mass
    return tuple(
        RelaxedLine(kind, atom, tuple(sorted(table.items())), bound)
        for atom, table in sorted(tables.items())
    )

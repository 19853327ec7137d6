"""The best coupling's scale: a linear programme over all couplings, for columns and for rows.

At a scale theta the columns of a coupling pi fit when, for every x',
sum over x of pi(x, x') e**(|x-x'|/theta) <= e**epsilon Q(x'). Whether some coupling fits is a
linear programme; its least scale is at most the relaxed one, which takes the monotone plan, and
both orders are private there (fact F9). scipy's HiGHS proposes a plan and multipliers in floats.
What is returned is exact: a rational coupling whose lines are decided to fit at `upper`, and
Farkas multipliers that prove that no coupling fits at `lower`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import attrgetter

from pfverify.errors import InputError
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.model.priors.discrete import Discrete
from pfverify.scales.coupling.candidates import SIDES, Candidate, Side, least_scale
from pfverify.scales.coupling.farkas import Multipliers, refuted_below
from pfverify.scales.coupling.optimum import FloatOptimum, optimum
from pfverify.scales.coupling.programme import Programme
from pfverify.scales.coupling.repair import repaired
from pfverify.scales.relaxed import RelaxedPair
from pfverify.transport.line import monotone_plan
from pfverify.transport.line_plan import LinePlan

_TWELVE = Grid(12)
MAX_EDGES = 10_000  # variables: half a second for each side of a pair


@dataclass(frozen=True)
class CouplingScale:
    """A bracket of the least scale at which the lines of some coupling fit, with both proofs.

    Attributes: `side`, columns or rows; `upper`, a decimal at which the lines of `plan` fit;
    `plan`, (x, x') -> exact mass, a coupling of the two priors; `lower`, a decimal at which no
    coupling's lines of this side fit; `multipliers`, (u, v, w) on the atoms in increasing order
    with u(x) + v(x') <= w(x') (e**(|x-x'|/lower) - e**epsilon), w >= 0 and
    sum u P + sum v Q > 0, which proves it (for rows P and Q change places: u belongs to the
    second prior, v and w to the first). Without multipliers (None) `lower` is 0 and claims
    nothing.

    Both ends are proved; that they are close is not, because floats look for them. As a rule
    the relative width is below 1e-9 (besides the rounding of `upper`) for masses above 1e-7;
    with masses of 1e-50 widths of 1e-4 occur.
    """

    side: Side
    lower: Fraction
    upper: Fraction
    plan: dict[tuple[Fraction, Fraction], Fraction]
    multipliers: Multipliers | None


@dataclass(frozen=True)
class _Solved:
    """A programme with its optimum in floats: plans, and how to refute scales below."""

    programme: Programme
    optimum: FloatOptimum

    def plans(self) -> list[LinePlan]:
        """Return the plan, exact; where floats may be far off the optimum, all that they found."""
        best = self.optimum.solution
        found = [best] if best is not None and self.optimum.tight else self.optimum.feasible
        return [repaired(self.programme, one) for one in found]

    def refuted(self) -> tuple[Fraction, Multipliers] | None:
        """Return the largest scale tried that multipliers refute, with them."""
        if self.optimum.solution is None:
            return None
        return refuted_below(self.optimum)


class CouplingPair:
    """Both linear programmes of a pair of priors, with the plans that they propose.

    Raises InputError for more than 10,000 pairs of atoms, and for epsilon = 0 with different
    priors.
    """

    def __init__(
        self,
        first: Discrete,
        second: Discrete,
        epsilon: Number,
        monotone: RelaxedPair | None = None,
    ) -> None:
        self.first, self.second, self.epsilon = first, second, epsilon
        self._programmes: dict[Side, Programme] = {}
        self._solutions: dict[Side, _Solved] = {}
        self.equal = first == second
        if self.equal:
            return
        if epsilon.sign() == 0:
            raise InputError("epsilon is 0 and the priors differ: no coupling fits at any scale")
        edges = len(first.points) * len(second.points)
        if edges > MAX_EDGES:
            raise InputError(
                f"the linear programme would have {edges} variables, more than {MAX_EDGES}"
            )
        self.monotone = monotone or RelaxedPair(monotone_plan(first, second), epsilon)

    def _programme(self, side: Side) -> Programme:
        """Return the programme of a side: that of the rows is the columns' of the swapped pair."""
        if side not in self._programmes:
            priors = (self.first, self.second) if side == "columns" else (self.second, self.first)
            self._programmes[side] = Programme(*priors, self.epsilon)
        return self._programmes[side]

    def candidates(self, side: Side) -> list[Candidate]:
        """Return the proposed plan and the monotone one, first the one that floats find better."""
        monotone, solved = Candidate.of(self.monotone, side), self._solved(side)
        about = solved.optimum.scale if solved.optimum.tight else None
        found = [
            Candidate.of(RelaxedPair(_turned(plan, side), self.epsilon), side, about)
            for plan in solved.plans()
        ]
        if about is not None:  # at the optimum, so that the monotone plan is hardly better
            return [*found, monotone]
        return sorted([*found, monotone], key=attrgetter("scale"))

    @cached_property
    def best_candidates(self) -> list[Candidate]:
        """The candidates of the better side, and the monotone plan on the other one; all
        candidates where floats do not tell the sides apart."""
        found = [one for side in self._best_sides for one in self.candidates(side)]
        return found + [Candidate.of(self.monotone, s) for s in SIDES if s not in self._best_sides]

    @cached_property
    def _best_sides(self) -> tuple[Side, ...]:
        """The side that floats find better; both where they do not tell them apart."""
        first, second = SIDES
        at = self._solved(first).optimum.scale
        if self._programme(second).exceeds(at):
            return (first,)
        # what fits the first side best is a feasible start for the second one
        at = self._solved(second, self._programme(second).rate(at)).optimum.scale
        return (second,) if self._programme(first).exceeds(at) else SIDES

    @property
    def monotone_scale(self) -> Fraction:
        """The least scale at which columns or rows of the monotone plan fit, a proposal."""
        return min(Candidate.of(self.monotone, side).scale for side in SIDES)

    def fits(self, scale: Fraction) -> bool:
        """Decide whether a candidate fits: the monotone plan, which no programme finds, what one
        programme proposes at that scale, and the best ones."""
        return (
            self.monotone.covers(scale)
            or any(Candidate.of(self.monotone, side).holds(scale) for side in SIDES)
            or any(self._proposed(side, scale) for side in SIDES)
            or any(candidate.holds(scale) for candidate in self.best_candidates)
        )

    def _proposed(self, side: Side, scale: Fraction) -> bool:
        """Decide whether the plan that floats propose at a scale fits there."""
        programme = self._programme(side)
        found = programme.solution(programme.rate(scale))
        if found is None or found.value > 1:
            return False
        plan = RelaxedPair(_turned(repaired(programme, found), side), self.epsilon)
        return Candidate.of(plan, side).holds(scale)

    def bracket(self, side: Side, grid: Grid) -> CouplingScale:
        """Return the certified bracket of one side."""
        if self.equal:
            kept = {(atom, atom): mass for atom, mass in self.first.mass.items()}
            return CouplingScale(side, Fraction(0), Fraction(0), kept, None)
        candidates = self.candidates(side)
        upper = least_scale(candidates, grid)
        plan = next(c for c in candidates if c.holds(upper)).pair.plan
        masses = {
            (Fraction(x, plan.denominator), Fraction(z, plan.denominator)): Fraction(
                mass, plan.total
            )
            for x, z, mass in plan.edges
        }
        found = self._solved(side).refuted()
        lower, multipliers = found if found else (Fraction(0), None)
        return CouplingScale(side, lower, upper, masses, multipliers)

    def better(self, grid: Grid) -> CouplingScale:
        """Return the bracket of the side with the smaller upper end, columns where they are equal.

        A side that floats see to be worse is not bracketed, unless its monotone plan may fit:
        every bracket has its proofs, whichever is chosen.
        """
        if self.equal:
            return self.bracket("columns", grid)
        found = {side: self.bracket(side, grid) for side in self._best_sides}
        upper = min(one.upper for one in found.values())
        for side in SIDES:
            if side not in found and self._programme(side).monotone_may_fit(upper):
                found[side] = self.bracket(side, grid)
        return min((found[side] for side in SIDES if side in found), key=attrgetter("upper"))

    def _solved(self, side: Side, rate: float | None = None) -> _Solved:
        """Return the programme of a side, solved in floats, from a feasible rate."""
        if side not in self._solutions:
            programme = self._programme(side)
            start = programme.feasible_rate if rate is None else rate
            self._solutions[side] = _Solved(programme, optimum(programme, start))
        return self._solutions[side]


def columns_scale(
    first: Discrete, second: Discrete, epsilon: Number, *, grid: Grid = _TWELVE
) -> CouplingScale:
    """Bracket the least scale at which the columns of some coupling fit.

    Columns belong to the second prior. Raises InputError as CouplingPair does, UndecidedError
    where a line cannot be decided.

    Example: ``columns_scale(Discrete({0: 1}), Discrete({3: 1}), Number.parse("1")).upper`` is
    ``3``.
    Source: design fact F9.
    """
    return CouplingPair(first, second, epsilon).bracket("columns", grid)


def rows_scale(
    first: Discrete, second: Discrete, epsilon: Number, *, grid: Grid = _TWELVE
) -> CouplingScale:
    """Bracket the least scale at which the rows of some coupling fit (the first prior's atoms).

    Raises and source as `columns_scale`.
    """
    return CouplingPair(first, second, epsilon).bracket("rows", grid)


def coupling_lp(
    first: Discrete, second: Discrete, epsilon: Number, *, grid: Grid = _TWELVE
) -> CouplingScale:
    """Return the bracket of the better side of a pair: both orders are private at its `upper`.

    `upper` never exceeds the relaxed scale (the monotone plan's), nor falls below the least
    private scale. Over several pairs the scale is the largest of the pairs'.
    Raises and source as `columns_scale`.

    Example: ``coupling_lp(p, q, Number.parse("1")).side``.
    """
    return CouplingPair(first, second, epsilon).better(grid)


def _turned(plan: LinePlan, side: Side) -> LinePlan:
    """The plan of a programme from the first prior to the second: the rows' goes back."""
    if side == "columns":
        return plan
    edges = sorted((z, x, mass) for x, z, mass in plan.edges)
    return LinePlan.of_edges(edges, plan.denominator, plan.total)

"""The best coupling's scale: a linear programme over all couplings, for columns and for rows.

At a scale theta the columns of a coupling pi fit when, for every x',
sum over x of pi(x, x') e**(|x-x'|/theta) <= e**epsilon Q(x'). Whether some coupling fits is a
linear programme; its least scale is at most the relaxed one, which takes the monotone plan, and
both orders are private there (fact F9). scipy's HiGHS proposes a plan and multipliers in floats.
What is returned is exact: a rational coupling whose lines are decided to fit at `upper`, and
Farkas multipliers that prove that no coupling fits at `lower`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, lcm, log, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pfverify.decide.outcome import DEFAULT_DIGITS
from pfverify.errors import InputError
from pfverify.exact.ball import Raw, dyadic, lower_end, precision, raw
from pfverify.exact.decimals import decimal_step
from pfverify.exact.number import Number
from pfverify.exact.search import least_decimal, polished
from pfverify.model.priors import Discrete
from pfverify.scales.relaxed import Line, RelaxedPair
from pfverify.transport.line import LinePlan, monotone_plan

MAX_EDGES = 10_000
_TINY_EPSILON, _LARGE_EPSILON = 1e-290, 1e9  # beyond: its limit serves as a proposal
_MAX_DUAL_EPSILON = 1000  # multipliers span a factor e**epsilon
_NEGLIGIBLE = 1e-13  # shares of an atom's mass that floats leave out
_LOG_LONG = 14.0  # log of a cost that counts as long in multipliers
_STRETCH = 1e3  # of every constraint, so that HiGHS drops no coefficient above 1e-12
_TRIES = ((1e-10, True), (1e-10, False), (1e-9, True), (1e-8, True))  # tolerance, presolve
_ROUNDS = 40
_CLOSE, _CLOSE_LARGE = 3e-14, 1e-12  # |log s| at the optimum; for more edges than:
_LARGE = 2500
_AHEAD = 1e-5  # relative step of the slope
_GRID = 60  # bits of a share of an atom's mass
_STEPS_BELOW = (12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)  # relative steps 10**-k below the optimum

Floats = NDArray[np.float64]
Multipliers = tuple[list[Fraction], list[Fraction], list[Fraction]]


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

    side: str
    lower: Fraction
    upper: Fraction
    plan: dict[tuple[Fraction, Fraction], Fraction]
    multipliers: Multipliers | None


@dataclass(frozen=True)
class Candidate:
    """A plan of a pair and the side of it whose lines should fit."""

    plan: LinePlan
    pair: RelaxedPair
    lines: list[Line]
    scale: Fraction

    @classmethod
    def of(cls, plan: LinePlan, epsilon: Number, side: str) -> Candidate:
        """Return the candidate; its scale is a proposal."""
        pair = RelaxedPair(plan, epsilon)
        if side == "columns":
            return cls(plan, pair, pair.columns, pair.column_scale)
        return cls(plan, pair, pair.rows, pair.row_scale)

    def holds(self, scale: Fraction) -> bool:
        """Decide whether every line fits at a scale."""
        return self.pair.all_hold(self.lines, scale)


class CouplingPair:
    """Both linear programmes of a pair of priors, with the plans that they propose.

    Raises InputError for more than 10,000 pairs of atoms, and for epsilon = 0 with different
    priors.
    """

    def __init__(self, first: Discrete, second: Discrete, epsilon: Number) -> None:
        self.first, self.second, self.epsilon = first, second, epsilon
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
        self.monotone = monotone_plan(first, second)

    @cached_property
    def columns(self) -> _Proposal:
        """The columns programme, solved in floats."""
        return _Programme(self.first, self.second, self.epsilon).solved(
            Candidate.of(self.monotone, self.epsilon, "columns").scale
        )

    @cached_property
    def rows(self) -> _Proposal:
        """The rows programme, solved in floats: the columns programme of the swapped pair."""
        return _Programme(self.second, self.first, self.epsilon).solved(
            Candidate.of(self.monotone, self.epsilon, "rows").scale
        )

    def candidates(self, side: str) -> list[Candidate]:
        """Return the proposed plan and the monotone one, the smaller proposed scale first."""
        plans = [self.monotone]
        found = self.columns.plan if side == "columns" else self.rows.plan
        if found is not None:
            plans.append(found if side == "columns" else _swapped(found))
        made = [Candidate.of(plan, self.epsilon, side) for plan in plans]
        return sorted(made, key=_scale)

    def bracket(self, side: str, digits: int) -> CouplingScale:
        """Return the certified bracket of one side."""
        if self.equal:
            kept = {(atom, atom): mass for atom, mass in self.first.mass.items()}
            return CouplingScale(side, Fraction(0), Fraction(0), kept, None)
        candidates = self.candidates(side)
        upper = least_scale([candidates], self.epsilon, digits)
        best = next(c for c in candidates if c.holds(upper))
        masses = {
            (Fraction(x, best.plan.denominator), Fraction(z, best.plan.denominator)): Fraction(
                mass, best.plan.total
            )
            for x, z, mass in best.plan.edges
        }
        found = (self.columns if side == "columns" else self.rows).refuted()
        lower, multipliers = found if found else (Fraction(0), None)
        return CouplingScale(side, lower, upper, masses, multipliers)


def columns_scale(
    first: Discrete, second: Discrete, epsilon: Number, *, digits: int = DEFAULT_DIGITS
) -> CouplingScale:
    """Bracket the least scale at which the columns of some coupling fit.

    Columns belong to the second prior. Raises InputError as CouplingPair does, UndecidedError
    where a line cannot be decided.

    Example: ``columns_scale(Discrete({0: 1}), Discrete({3: 1}), Number.parse("1")).upper`` is
    ``3``.
    Source: design fact F9.
    """
    return CouplingPair(first, second, epsilon).bracket("columns", digits)


def rows_scale(
    first: Discrete, second: Discrete, epsilon: Number, *, digits: int = DEFAULT_DIGITS
) -> CouplingScale:
    """Bracket the least scale at which the rows of some coupling fit (the first prior's atoms).

    Raises and source as `columns_scale`.
    """
    return CouplingPair(first, second, epsilon).bracket("rows", digits)


def coupling_lp(
    first: Discrete, second: Discrete, epsilon: Number, *, digits: int = DEFAULT_DIGITS
) -> CouplingScale:
    """Return the bracket of the better side of a pair: both orders are private at its `upper`.

    `upper` never exceeds the relaxed scale (the monotone plan's), nor falls below the least
    private scale. Over several pairs the scale is the largest of the pairs'.
    Raises and source as `columns_scale`.

    Example: ``coupling_lp(p, q, Number.parse("1")).side``.
    """
    pair = CouplingPair(first, second, epsilon)
    return min((pair.bracket(side, digits) for side in ("columns", "rows")), key=_upper)


def least_scale(pairs: Iterable[list[Candidate]], epsilon: Number, digits: int) -> Fraction:
    """Return the least decimal, rounded up, at which every pair has a candidate that fits."""
    ordered = sorted(pairs, key=lambda candidates: -min(map(_scale, candidates)))
    best = min(ordered[0], key=_scale)
    guess, line = best.scale, best.pair.tightest(best.lines)
    if line is not None:
        tight = line
        guess = polished(lambda s: tight.log_gap(s, epsilon, best.pair.unit), guess, digits)
    return least_decimal(
        lambda s: all(any(c.holds(s) for c in candidates) for candidates in ordered),
        guess,
        digits,
    )[1]


def _scale(candidate: Candidate) -> Fraction:
    return candidate.scale


def _upper(found: CouplingScale) -> Fraction:
    return found.upper


def _swapped(plan: LinePlan) -> LinePlan:
    edges = sorted((z, x, mass) for x, z, mass in plan.edges)
    return LinePlan(tuple(edges), plan.denominator, plan.total)


@dataclass(frozen=True)
class _Solution:
    """The float optimum at one rate: shares of columns per edge, and the dual values."""

    value: float
    row_shares: Floats
    column_shares: Floats
    u: Floats
    v: Floats
    w: Floats


@dataclass(frozen=True)
class _Proposal:
    """What floats found: a plan (repaired, exact) and how to refute scales below the optimum."""

    programme: _Programme
    rate: float
    solution: _Solution | None

    @cached_property
    def plan(self) -> LinePlan | None:
        return None if self.solution is None else self.programme.repaired(self.solution)

    def refuted(self) -> tuple[Fraction, Multipliers] | None:
        """Return the largest scale tried that multipliers refute, with them."""
        if self.solution is None:
            return None
        optimum = self.programme.scale(self.rate)
        for k in _STEPS_BELOW:
            step = decimal_step(optimum, k + 3)
            below = (optimum * (1 - Fraction(1, 10**k)) / step).__floor__() * step
            found = self.programme.multipliers(below)
            if found is not None:
                return below, found
        return None


class _Programme:
    """The columns programme of a pair; distances in units of the width of the support.

    With c = (e**(d/theta) - 1) / (e**epsilon - 1) a column fits when sum pi c <= Q, which is
    well scaled for every epsilon. The rate of floats is tau = width / (epsilon theta).
    """

    def __init__(self, source: Discrete, target: Discrete, epsilon: Number) -> None:
        self.epsilon = epsilon
        self.denominator = lcm(source.denominator, target.denominator)
        self.total = lcm(source.total, target.total)
        self.xs, self.p = self._over_common(source)
        self.zs, self.q = self._over_common(target)
        self.width = max(self.xs[-1], self.zs[-1]) - min(self.xs[0], self.zs[0])
        self.distances = np.array([[abs(x - z) / self.width for z in self.zs] for x in self.xs])
        whole = log(self.total)
        self.log_p = np.array([[log(weight) - whole] for weight in self.p])
        self.log_q = np.array([[log(weight) - whole for weight in self.q]])
        self.about = _about(epsilon)
        self.float_epsilon = float(min(self.about, Fraction(_LARGE_EPSILON)))

    def _over_common(self, prior: Discrete) -> tuple[list[int], list[int]]:
        stretch, factor = self.denominator // prior.denominator, self.total // prior.total
        return [p * stretch for p in prior.points], [w * factor for w in prior.weights]

    def scale(self, rate: float) -> Fraction:
        """Return theta of a float rate."""
        return Fraction(self.width, self.denominator) / (self.about * Fraction(rate))

    def rate(self, scale: Fraction) -> float:
        """Return the float rate of theta."""
        return float(Fraction(self.width, self.denominator) / (self.about * scale))

    def log_costs(self, rate: float, distances: Floats) -> Floats:
        """Return log c, -inf on the diagonal."""
        epsilon = self.float_epsilon
        with np.errstate(divide="ignore"):
            if epsilon < _TINY_EPSILON:
                return np.asarray(np.log(rate * distances))
            return _log_expm1(epsilon * rate * distances) - _log_expm1(np.array(epsilon))

    def solved(self, scale: Fraction) -> _Proposal:
        """Find the rate at which s is 1, from a feasible scale: Newton steps in a bracket."""
        best, rate = None, self.rate(scale)
        at = rate
        close = _CLOSE_LARGE if self.distances.size > _LARGE else _CLOSE
        low, high = (0.0, -inf), (inf, inf)  # rates with log s
        for turn in range(_ROUNDS):
            solution = self.solution(rate)
            if solution is None:
                break
            gap = log(max(solution.value, 1e-300))
            if best is None or gap <= 0 or abs(gap) < close:
                best, at = solution, rate
            if abs(gap) < close or high[0] - low[0] < 1e-15 * rate:
                break  # log s grows at least like log rate
            if gap > 0:
                high = rate, gap
            else:
                low = rate, gap
            new = rate - gap / self.slope(solution, rate)
            if not low[0] < new < high[0]:
                if high[0] == inf:
                    new = 2 * rate
                elif low[0] == 0:
                    new = rate / 2
                elif turn % 2:
                    new = (low[0] + high[0]) / 2
                else:
                    new = low[0] - low[1] * (high[0] - low[0]) / (high[1] - low[1])
            rate = new
        return _Proposal(self, at, best)

    def slope(self, solution: _Solution, rate: float) -> float:
        """Return about d log s / d rate by the weights of the columns (they sum to 1), or nan."""
        ahead = self.log_costs(rate * (1 + _AHEAD), self.distances)
        weights = solution.w * np.exp(self.log_q[0])
        with np.errstate(all="ignore"):
            shares = np.log(np.maximum(solution.column_shares, 0))
            grown = np.exp(shares + ahead).sum(axis=0) @ weights / solution.value
            found = float(np.log(grown)) / (rate * _AHEAD)
        return found if 0 < found < inf else nan

    def solution(self, rate: float) -> _Solution | None:
        """Minimise s with column costs <= s Q at one rate; None where HiGHS gives nothing.

        A variable is the mass of an edge over the largest mass that it could carry, so that no
        coefficient exceeds 1.
        """
        from scipy.optimize import linprog
        from scipy.sparse import csr_array

        log_c = self.log_costs(rate, self.distances)
        log_cap = np.minimum(self.log_p, self.log_q - np.maximum(log_c, 0))
        row, column = np.exp(log_cap - self.log_p), np.exp(log_cap - self.log_q)
        cost = np.exp(log_cap + log_c - self.log_q)
        n, m = log_c.shape
        at, to = np.nonzero(np.maximum(row, column) > _NEGLIGIBLE)
        variables = np.arange(len(at))
        equal = csr_array(
            (
                _STRETCH * np.concatenate([row[at, to], column[at, to]]),
                (np.concatenate([at, n + to]), np.concatenate([variables, variables])),
            ),
            shape=(n + m, len(at) + 1),
        )
        bound = csr_array(
            (
                _STRETCH * np.concatenate([cost[at, to], -np.ones(m)]),
                (
                    np.concatenate([to, np.arange(m)]),
                    np.concatenate([variables, np.full(m, len(at))]),
                ),
            ),
            shape=(m, len(at) + 1),
        )
        kept = self._independent(at, to)
        goal = np.zeros(len(at) + 1)
        goal[-1] = 1
        for tolerance, presolve in _TRIES:
            found: Any = linprog(
                goal,
                A_ub=bound,
                b_ub=np.zeros(m),
                A_eq=equal[kept],
                b_eq=np.full(len(kept), _STRETCH),
                bounds=(0, None),
                method="highs",
                options={
                    "presolve": presolve,
                    "primal_feasibility_tolerance": tolerance,
                    "dual_feasibility_tolerance": tolerance,
                },
            )
            if found.status == 0:
                break
        else:
            return None
        filled = np.zeros((n, m))
        filled[at, to] = found.x[:-1]
        y = np.zeros(n + m)
        y[kept] = _STRETCH * found.eqlin.marginals
        weights = np.maximum(-_STRETCH * found.ineqlin.marginals, 0)
        with np.errstate(all="ignore"):  # what is not finite is no multiplier
            u = y[:n] * np.exp(-self.log_p[:, 0])
            w = weights * np.exp(-self.log_q[0])
            v = y[n:] * np.exp(-self.log_q[0]) - w
        return _Solution(float(found.x[-1]), filled * row, filled * column, u, v, w)

    def _independent(self, at: NDArray[np.intp], to: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the marginals less one (the heaviest) in each component: it follows."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        weights = np.concatenate([self.log_p[:, 0], self.log_q[0]])
        n, size = len(self.log_p), len(weights)
        graph = csr_array((np.ones(len(at)), (at, n + to)), shape=(size, size))
        labels = connected_components(graph, directed=False)[1]
        order = np.argsort(-weights, kind="stable")
        heaviest = order[np.unique(labels[order], return_index=True)[1]]
        return np.setdiff1d(np.arange(size), heaviest)

    def repaired(self, solution: _Solution) -> LinePlan:
        """Turn float shares into an exact coupling on (nearly) the same support.

        Masses go to a grid; those on a spanning forest of the support then follow exactly from
        the marginals. What still does not fit is cut, and the rest coupled monotonically.
        """
        masses: dict[tuple[int, int], int] = {}
        shares = np.maximum(solution.row_shares, solution.column_shares)
        for i, j in zip(*(a.tolist() for a in np.nonzero(shares > _NEGLIGIBLE)), strict=True):
            of_row = solution.row_shares[i, j] >= solution.column_shares[i, j]
            whole = self.p[i] if of_row else self.q[j]
            mass = round(float(shares[i, j]) * 2.0**_GRID) * whole
            if mass > 0:
                masses[i, j] = mass
        rows, columns = [w << _GRID for w in self.p], [w << _GRID for w in self.q]
        _solve_forest(masses, rows, columns)
        _cut(masses, rows, 0)
        _cut(masses, columns, 1)
        for key, mass in _leftover(masses, rows, columns):
            masses[key] = masses.get(key, 0) + mass
        edges = sorted((self.xs[i], self.zs[j], mass) for (i, j), mass in masses.items() if mass)
        return LinePlan(tuple(edges), self.denominator, self.total << _GRID)

    def multipliers(self, scale: Fraction) -> Multipliers | None:
        """Return exact Farkas multipliers that refute a scale, or None where none are found.

        v and w are the floats'; u is the best that they allow, rounded down.
        """
        if scale <= 0 or self.about > _MAX_DUAL_EPSILON:
            return None
        rate = self.rate(scale)
        solution = self.solution(rate)
        if solution is None:
            return None
        u, v, w = solution.u, solution.v, solution.w
        with np.errstate(all="ignore"):
            log_c = self.log_costs(rate, self.distances)
            left_out = (log_c > _LOG_LONG) & (self.log_q - log_c <= self.log_p)
            # edges left out of the programme: a little w pays for their large costs
            wanted = np.where(left_out, np.maximum(u[:, None] + v[None, :], 0), 0)
            asked = np.where(wanted > 0, np.log(wanted) - log_c, -inf)
            needed = np.exp(asked.max(axis=0)) * (1 + 1e-9)
            short = (wanted > 0).any(axis=0)
            w = np.where(short, np.maximum(w, np.maximum(needed, 1e-290)), w)
            # what is violated between atoms of unlike masses, the smaller one pays
            pays = (self.log_p >= self.log_q) & ~left_out  # none of these costs is large
            excess = np.where(pays, u[:, None] + v[None, :] - w * np.expm1(log_c), 0)
            v = v - np.maximum(excess.max(axis=0), 0)
        if not all(np.isfinite(part).all() for part in (v, w)):
            return None
        small = max(0, self.about.denominator.bit_length() - self.about.numerator.bit_length())
        with precision(160 + 2 * small):
            limit = self.epsilon.ball().raw.exp()
            size = _fraction(lower_end(limit - 1))
            grid = size / (1 << 90)
            grid = Fraction(1, 1 << (1 / grid).__ceil__().bit_length()) if grid < 1 else grid
            exact_w = [Fraction(float(value)) for value in w]
            factor = _short(size)
            exact_v = [Fraction(float(value)) * factor for value in v]
            step = Fraction(1, self.denominator) / scale
            rooms: dict[int, Raw] = {}
            balls = [(raw(a), raw(b)) for a, b in zip(exact_w, exact_v, strict=True)]
            exact_u = []
            for x in self.xs:
                least: Raw | None = None
                for z, (weight, value) in zip(self.zs, balls, strict=True):
                    distance = abs(x - z)
                    if distance not in rooms:
                        rooms[distance] = raw(step * distance).exp() - limit
                    low = lower_end(weight * rooms[distance] - value)
                    if not low.is_finite():
                        return None
                    if least is None or low < least:
                        least = low
                if least is None:
                    return None
                exact_u.append(((_fraction(least) / grid).__floor__() - 1) * grid)
        total = sum((a * b for a, b in zip(exact_u, self.p, strict=True)), Fraction(0))
        total += sum((a * b for a, b in zip(exact_v, self.q, strict=True)), Fraction(0))
        return (exact_u, exact_v, exact_w) if total > 0 else None


def _solve_forest(masses: dict[tuple[int, int], int], rows: list[int], columns: list[int]) -> None:
    """Set the masses on a heaviest spanning forest to what the marginals leave for them."""
    n = len(rows)
    parent = list(range(n + len(columns)))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    need = rows + columns
    tree: list[set[int]] = [set() for _ in parent]
    for (i, j), mass in sorted(masses.items(), key=lambda item: -item[1]):
        a, b = root(i), root(n + j)
        if a != b:
            parent[a] = b
            tree[i].add(n + j)
            tree[n + j].add(i)
        else:
            need[i] -= mass
            need[n + j] -= mass
    leaves = [node for node, near in enumerate(tree) if len(near) == 1]
    while leaves:
        leaf = leaves.pop()
        if len(tree[leaf]) != 1:
            continue
        other = tree[leaf].pop()
        tree[other].remove(leaf)
        key = (leaf, other - n) if leaf < n else (other, leaf - n)
        masses[key] = max(need[leaf], 0)
        need[other] -= masses[key]
        if len(tree[other]) == 1:
            leaves.append(other)


def _cut(masses: dict[tuple[int, int], int], targets: Sequence[int], side: int) -> None:
    """Lower the heaviest masses of every line that sums to more than its target."""
    lines: dict[int, list[tuple[int, int]]] = {}
    for key in masses:
        lines.setdefault(key[side], []).append(key)
    for index, keys in lines.items():
        excess = sum(masses[key] for key in keys) - targets[index]
        for key in sorted(keys, key=lambda k: -masses[k]):
            if excess <= 0:
                break
            cut = min(excess, masses[key])
            masses[key] -= cut
            excess -= cut


def _leftover(
    masses: dict[tuple[int, int], int], rows: list[int], columns: list[int]
) -> list[tuple[tuple[int, int], int]]:
    """Couple what the marginals still lack, monotonically."""
    lacking = [list(rows), list(columns)]
    for (i, j), mass in masses.items():
        lacking[0][i] -= mass
        lacking[1][j] -= mass
    out = []
    j = 0
    for i, have in enumerate(lacking[0]):
        while have:
            while not lacking[1][j]:
                j += 1
            mass = min(have, lacking[1][j])
            out.append(((i, j), mass))
            have -= mass
            lacking[1][j] -= mass
    return out


def _log_expm1(values: Floats) -> Floats:
    return np.asarray(values + np.log(-np.expm1(-values)))


def _about(value: Number) -> Fraction:
    """Return a rational near a positive number: a proposal."""
    with precision(128):
        ends = value.ball().ends()
    if ends is None or ends[0][0] <= 0:
        raise InputError("epsilon is too close to 0 for the linear programme's floats")
    mantissa, exponent = ends[0]
    return mantissa * Fraction(2) ** exponent


def _fraction(exact: Raw) -> Fraction:
    mantissa, exponent = dyadic(exact)
    return mantissa * Fraction(2) ** exponent


def _short(value: Fraction) -> Fraction:
    """Round a positive number down to 64 bits."""
    shift = value.numerator.bit_length() - value.denominator.bit_length() - 64
    unit = Fraction(2) ** shift
    return (value / unit).__floor__() * unit

"""The inference rules of smooth goals: normal mixtures, or gaussian noise.

As in `rules`: a rule takes a goal and a step, and returns the names of the facts it used or raises
Rejected.  Notation: that of `smooth`; h is the density of mu without its atoms, g = K*mu the
density of the released difference, D the hockey-stick divergence.  A density or a one-sided sum is
known at a point only to an enclosure; ">= 0" and "<= 0" below are established by it.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from typing import Any

from core.density import cell_sign, interval_text, waves
from core.enclose import ZERO, Arithmetic, Interval, Undecided
from core.grammar import Malformed, Number, combine, shown
from core.masses import excess_sign
from core.rules import Facts, Goal, Rejected, Step, arithmetic, at_most, margin_of
from core.shapes import array, canonical_rational, exact_sum, integer
from core.smooth import Normals, Point, Release, Sides, is_absent, is_sided
from core.spans import End, Span, spans_of, walk
from core.value import enclose_number, form_of, sign
from core.work import spend
from core.zero import constant, exp_form, is_zero, plus
from reader.noise import Noise

MAX_LENGTH = 2048  # bits of a numerator or denominator of a step
MAX_ORDER = 64  # of a Taylor expansion
MAX_ENTRIES = 1 << 16  # of a list of a step

Cell = tuple[End, End, int]  # an interval and the sign of h there


# ---------------------------------------------------------------- the shapes of steps


def _entries(value: Any, what: str) -> list[Any]:
    """A list that is not too long."""
    if len(array(value, what)) > MAX_ENTRIES:
        raise Rejected(f"{what} of more than {MAX_ENTRIES} entries: so many are refused")
    return list(value)


def _rational(value: Any, what: str) -> Fraction:
    x = canonical_rational(value, what)
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > MAX_LENGTH:
        raise Rejected(f"{what} of more than {MAX_LENGTH} bits is refused")
    return x


# ---------------------------------------------------------------- certified without a chart


def equal(goal: Normals, step: Step) -> Facts:
    """
    P = Q     epsilon >= 0     delta >= 0
    --------------------------------------
    p <= e^epsilon q + delta everywhere
    """
    if goal.P != goal.Q:
        raise Rejected("the priors differ")
    return set()


def components(goal: Normals, step: Step) -> Facts:
    """
    pi >= 0     sum over l of pi(i, l) = weight of P_i     sum over i of pi(i, l) = weight of Q_l
    v_i >= v_l  and  |m_i - m_l| rho + (v_i - v_l) rho^2/2 <= epsilon   wherever pi(i, l) > 0
    ------------------------------------------------------------------------------- F8, convexity
    p <= e^epsilon q everywhere

    F8: P_i = Q_l * G with G = N(m, v), m = m_i - m_l, v = v_i - v_l >= 0.  As -|y-x| <= -(y-x) and
    -|y-x| <= y-x, the integral of e^(-rho |y-x|) dG(x) is at most e^(-rho y + m rho + v rho^2/2)
    and at most e^(rho y - m rho + v rho^2/2), hence at most e^(-rho |y| + epsilon).  So
    K*G <= e^epsilon K; convolve with Q_l and sum with the masses pi(i, l).
    """
    if goal.release.kind != "laplace":
        raise Rejected("components are coupled under Laplace noise only")
    P, Q = goal.P.components, goal.Q.components  # noqa: N806
    edges = _entries(step["plan"], "plan")
    seen: set[tuple[int, int]] = set()
    rows: list[list[Fraction]] = [[] for _ in P]
    columns: list[list[Fraction]] = [[] for _ in Q]
    bounded: set[tuple[Fraction, Fraction]] = set()
    for edge in edges:
        if len(array(edge, "an edge")) != 3:
            raise Malformed("an edge must have two indices and a mass")
        i = integer(edge[0], "an index", 0, len(P) - 1)
        l = integer(edge[1], "an index", 0, len(Q) - 1)  # noqa: E741
        mass = canonical_rational(edge[2], "a mass")
        if (i, l) in seen:
            raise Malformed("an edge stands twice")
        seen.add((i, l))
        if mass <= 0:
            raise Rejected("a mass of the plan is not positive")
        rows[i].append(mass)
        columns[l].append(mass)
        mean, variance = abs(P[i][0] - Q[l][0]), P[i][1] - Q[l][1]
        if (mean, variance) not in bounded:
            if variance < 0 or sign(_room(goal, mean, variance)) < 0:
                raise Rejected(f"the edge from component {i} to component {l} is not bounded")
            bounded.add((mean, variance))
    for lines, laws, what in ((rows, P, "row"), (columns, Q, "column")):
        for k, (line, law) in enumerate(zip(lines, laws, strict=True)):
            if exact_sum(line, f"a {what}") != law[2]:
                raise Rejected(f"the {what} {k} of the plan does not sum to its weight")
    return {"F8", "MIX"}


def _room(goal: Normals, mean: Fraction, variance: Fraction) -> Number:
    """epsilon - mean rho - variance rho^2/2."""
    scale = goal.release.amount or Fraction(0)
    drift = combine("/", mean, scale)
    bend = combine("/", variance / 2, combine("*", scale, scale))
    return combine("-", combine("-", goal.epsilon, drift), bend)


# ---------------------------------------------------------------- charts


class Chart:
    """The sign of h on cells, and with it that of g on the pieces of a line."""

    def __init__(self, goal: Normals, step: Step) -> None:
        entries = _entries(step["density"], "density")
        spans = spans_of(entries, "a cell", _rational, more=2, touching=True)
        orders = [integer(entry[2], "an order", 0, MAX_ORDER) for entry in entries]
        count = len(goal.P.components) + len(goal.Q.components) + 1
        references = [integer(entry[3], "a reference", 0, count) for entry in entries]
        points = [_rational(x, "a point") for x in _entries(step["points"], "points")]
        if any(a >= b for a, b in pairwise(points)):
            raise Malformed("points must increase")
        ar = arithmetic(step)
        self.ar, self.goal = ar, goal
        is_flat = goal.form == "pointwise" and not goal.delta_is_zero
        flat = enclose_number(goal.delta, ar) if is_flat else None
        self.release = Release(goal, form_of(goal.epsilon), ar, flat)
        curve = waves(self.release)
        if any(r >= len(curve) for r in references):
            raise Rejected("a reference is not a term of the density")
        signs = [
            cell_sign(curve, low, high, order, r, ar)
            for (low, high), order, r in zip(spans, orders, references, strict=True)
        ]
        self.cells = _merged(spans, signs)
        self.vanishes = not curve  # then h = 0 everywhere
        laplace = is_sided(goal.release)
        if not laplace and points:
            raise Rejected("points are for Laplace noise")
        if laplace and not set(self.release.atoms) <= set(points):
            raise Rejected("an atom is missing among the points")
        if laplace and not points:
            raise Rejected("a chart under Laplace noise needs a point")
        self.facts = {"F5", "F6", "F7"} if laplace else {"CELL"}
        cells = [x for low, high, _ in self.cells for x in (low, high) if x is not None]
        cuts = points if laplace else cells
        ends: list[End] = [None, *sorted(set(cuts)), None]
        self.pieces = [(a, b, self._sign_of_g(a, b)) for a, b in pairwise(ends)]

    def density_signs(self, low: End, high: End) -> set[int]:
        """The s in {1, -1} with s h >= 0 established on the interval."""
        if self.vanishes:
            return {1, -1}
        spend(8 * len(self.cells))
        return {
            s
            for a, b, s in self.cells
            if (a is None or (low is not None and a <= low))
            and (b is None or (high is not None and high <= b))
        }

    def _sign_of_g(self, low: End, high: End) -> int:
        """1 or -1 with that sign times g >= 0 established on the interval, else 0; g <= 0 where
        both are."""
        if not is_sided(self.goal.release):  # g is the density h itself
            return min(self.density_signs(low, high), default=0)
        if low is None and high is not None:
            return self._tail(self.release.point(high), -1)
        if high is None and low is not None:
            return self._tail(self.release.point(low), 1)
        return 0 if low is None or high is None else self._piece(low, high)

    def _piece(self, low: Fraction, high: Fraction) -> int:
        """
        h has one sign on [l, u]; R_mu(l), R_mu(u-) have one sign     (or L_mu(l), L_mu(u-))
        g(l), g(u) have one sign s
        ------------------------------------------------------------------------------- F5
        g has the sign s on [l, u]

        Without atoms inside, R_mu' = -e^(-rho y) h and L_mu' = e^(rho y) h, so that L_mu and R_mu
        are monotone, hence of one sign; (e^(rho y) g)' has the sign of R_mu, (e^(-rho y) g)' that
        of -L_mu.

        L+(u-) e^(-rho y) + R+(l) e^(rho y) <= L-(l) e^(-rho y) + R-(u-) e^(rho y)  at y = l and u
        ------------------------------------------------------------------------------------------
        g <= 0 on [l, u]                                     (with + and - exchanged: g >= 0 on it)

        L increases and R decreases, for mu+ and for mu-; the difference times e^(rho y) is linear
        in e^(2 rho y).
        """
        a, b = self.release.point(low), self.release.point(high)
        ar, start, end = self.ar, a.after, b.before
        if self.density_signs(low, high):
            one_sided = ((_left(start, ar), _left(end, ar)), (_right(start, ar), _right(end, ar)))
            if any(_signs(x) & _signs(y) for x, y in one_sided):
                common = _signs(_value(a, ar)) & _signs(_value(b, ar))
                if common:
                    return min(common)
        for s, first, second in (
            (-1, (end.left_plus, start.left_minus), (start.right_plus, end.right_minus)),
            (1, (start.left_plus, end.left_minus), (end.right_plus, start.right_minus)),
        ):
            left, right = ar.sub(*first), ar.sub(*second)
            bounds = (ar.add(ar.mul(x.down, left), ar.mul(x.up, right)) for x in (a, b))
            if all(s in _signs(bound) for bound in bounds):
                return s
        return 0

    def _tail(self, at: Point, way: int) -> int:
        """The tail [Y, infinity) (way = 1) beyond the last point, all atoms among the points.

        M+ - L-(Y) <= 0                          h <= 0 on it, g(Y) <= 0       h >= 0 on it, M <= 0
        ----------------                         ------------------------      --------------------
        g <= 0 on it                             g <= 0 on it                  g <= 0 on it

        with M = M+ - M- the integral of e^(rho x) dmu, whose equality with 0 is decided by the zero
        test; mirrored signs give g >= 0 (but for the first), and a mirrored line the left tail.
        e^(rho y) 2/rho g = L(y) + e^(2 rho y) R(y) is at most M+ of mu+, since e^(rho (2y - x)) <=
        e^(rho x) for x > y, and at least L-(Y) of mu-.  R has the sign of h on the tail; so
        e^(rho y) g is monotone there, increasing where h >= 0, and its limit has the sign of M
        (F7: normal tails).  A flat part makes h < 0 in the end and M = -infinity.
        """
        ar, release = self.ar, self.release
        counted = at.after.left_minus if way == 1 else at.before.right_minus
        plus_moment, minus_moment = release.moment(1, way), release.moment(-1, way)
        if ar.sub(plus_moment, counted)[1] <= 0:
            return -1
        h_signs = self.density_signs(*((at.y, None) if way == 1 else (None, at.y)))
        here = _signs(_value(at, ar))
        limit: set[int] = set()
        if release.flat is None and h_signs:
            limit = _signs(ar.sub(plus_moment, minus_moment))
            with suppress(Undecided):
                if not limit and is_zero(release.exact_moment(way)):
                    limit = {1, -1}
                    self.facts.add("F3")
        for s in (-1, 1):  # g has the sign s: away from 0 if h has it too, towards its limit if not
            if (s in h_signs and s in here) or (-s in h_signs and s in limit):
                return s
        return 0

    # ------------------------------------------------------------ what follows

    def require_nowhere_positive(self) -> None:
        """Rejected unless g <= 0 is established everywhere (without noise: also at the atoms)."""
        for low, high, s in self.pieces:
            if s != -1:
                raise Rejected(f"the excess is not bounded on {interval_text(low, high)}")
        if is_absent(self.goal.release) and any(self._positive_atoms()):
            raise Rejected("the priors' ratio at an atom is too large")

    def _positive_atoms(self) -> tuple[Fraction, Fraction]:
        """The masses under P and Q of the atoms where P > e^epsilon Q."""
        plus_atoms = {t.mean for t in self.release.atoms.values() if t.sign > 0}
        masses = [
            sum((w for m, v, w in prior.components if not v and m in plus_atoms), Fraction(0))
            for prior in (self.goal.P, self.goal.Q)
        ]
        return masses[0], masses[1]

    def require_divergence(self) -> None:
        """
        sum over pieces of  g >= 0: P(piece) - e^epsilon Q(piece);  g <= 0: 0;  else: P(piece)
        (without noise: + the sum over atoms of [P(x) - e^epsilon Q(x)]_+)      <=  delta
        ---------------------------------------------------------------------------------------
        D <= delta

        "else" uses mu+ in place of P: mu+ >= mu is all that is needed.
        """
        ar, goal = self.ar, self.goal
        p = q = Fraction(0)
        if is_absent(goal.release):
            p, q = self._positive_atoms()
        signs = {s for _, _, s in self.pieces}
        if signs == {1} and is_absent(goal.release):  # all that has a density counts as well
            p += sum((w for _, v, w in goal.P.components if v), Fraction(0))
            q += sum((w for _, v, w in goal.Q.components if v), Fraction(0))
        if signs == {-1} or (signs == {1} and is_absent(goal.release)):  # decided exactly
            if excess_sign(p, q, form_of(goal.epsilon), goal.delta) > 0:
                raise Rejected("the divergence exceeds delta")
            return
        factor = exp_form(form_of(goal.epsilon), ar)
        total = ar.sub(ar.of(p), ar.mul(factor, ar.of(q)))
        for low, high, s in self.pieces:
            if s != -1:
                more, less = self.release.masses(low, high)
                total = ar.add(total, ar.sub(more, less) if s == 1 else more)
        if not at_most(total, enclose_number(goal.delta, ar), ar):
            raise Rejected("the divergence is not bounded by delta with these cells and points")


def _merged(spans: list[Span], signs: list[int]) -> list[Cell]:
    """Touching cells of one sign become one."""
    cells: list[Cell] = []
    for (low, high), s in zip(spans, signs, strict=True):
        if cells and cells[-1][1:] == (low, s) and low is not None:
            cells[-1] = (cells[-1][0], high, s)
        else:
            cells.append((low, high, s))
    return cells


def _signs(x: Interval) -> set[int]:
    """The s in {1, -1} with s x >= 0 established."""
    return {s for s, holds in ((1, x[0] >= 0), (-1, x[1] <= 0)) if holds}


def _left(x: Sides, ar: Arithmetic) -> Interval:
    """L_mu."""
    return ar.sub(x.left_plus, x.left_minus)


def _right(x: Sides, ar: Arithmetic) -> Interval:
    """R_mu."""
    return ar.sub(x.right_plus, x.right_minus)


def _value(x: Point, ar: Arithmetic) -> Interval:
    """2/rho g."""
    return ar.sub(x.plus, x.minus)


def chart(goal: Normals, step: Step) -> Facts:
    """
    delta = 0 or pointwise:  g <= 0 on every piece (the pointwise delta is in g)
    events, delta > 0:       D <= delta by the pieces
    -------------------------------------------------------------- F5, F6, F7 (gaussian noise: CELL)
    the goal holds (without noise: for the priors, and so for every scale)
    """
    found = Chart(goal, step)
    if goal.delta_is_zero or goal.form == "pointwise":
        found.require_nowhere_positive()
    elif goal.form != "events":
        raise Rejected(f"no rule for the form {shown(goal.form)}")
    elif goal.delta != 1:  # D is at most the mass of P
        found.require_divergence()
    return found.facts


# ---------------------------------------------------------------- refuted


def _closed_form(goal: Normals) -> Facts:
    """By which densities and masses are known: with gaussian noise these are normal laws."""
    return {"F6"} if is_sided(goal.release) else set()


def _at(goal: Normals, step: Step, margin: Fraction) -> tuple[Interval, Arithmetic]:
    """Enclosure of p(y) - e^(epsilon + margin) q(y) at the step's y."""
    y = _rational(step["y"], "y")
    ar = arithmetic(step)
    release = Release(goal, plus(form_of(goal.epsilon), constant(margin)), ar)
    return ar.sub(*release.density(y)), ar


def pure_refuted(goal: Normals, step: Step) -> Facts:
    """
    delta = 0     p(y) >= e^(epsilon + margin) q(y)     margin > 0
    --------------------------------------------------------------
    the goal fails at y, and in a neighbourhood: the densities are continuous and positive

    Without noise p and q are the densities without the atoms, of which there are finitely many; P
    must have one.
    """
    if not goal.delta_is_zero:
        raise Rejected("a point refutes a pure bound only")
    if is_absent(goal.release) and not any(v for _, v, _ in goal.P.components):
        raise Rejected("the first prior has no density")
    if _at(goal, step, margin_of(step))[0][0] < 0:
        raise Rejected("no such margin is proved at y")
    return _closed_form(goal)


def pointwise_refuted(goal: Normals, step: Step) -> Facts:
    """
    p(y) - e^epsilon q(y) - delta >= margin > 0
    -------------------------------------------
    the pointwise goal fails at y
    """
    if goal.form != "pointwise":
        raise Rejected("a density at a point does not refute the events form")
    margin = margin_of(step)
    excess, ar = _at(goal, step, Fraction(0))
    if not at_most(ar.add(enclose_number(goal.delta, ar), ar.of(margin)), excess, ar):
        raise Rejected("no such margin is proved at y")
    return _closed_form(goal)


def event_refuted(goal: Normals, step: Step) -> Facts:
    """
    P(Y in B) - e^epsilon P'(Y in B) - delta >= margin > 0      B a union of disjoint intervals
    --------------------------------------------------------------------------------------------
    the goal fails at B (without noise [a, a] is the one output a, and atoms have their masses)
    """
    if goal.form != "events":
        raise Rejected("an event does not refute the pointwise form")
    margin, bare = margin_of(step), is_absent(goal.release)
    entries = _entries(step["event"], "event")
    spans = spans_of(entries, "an interval", _rational, points=bare)
    if not spans:
        raise Malformed("an event must not be empty")
    ar = arithmetic(step)
    release = Release(goal, form_of(goal.epsilon), ar)
    excess = ZERO
    for low, high in spans:
        if low is None or low != high:  # no noise, no atom: a point has no mass
            excess = ar.add(excess, ar.sub(*release.masses(low, high)))
    at = walk(spans)
    for mean, t in sorted(release.atoms.items()) if bare else ():
        if at(mean)[2]:
            excess = ar.add(excess, t.weight if t.sign > 0 else ar.neg(t.weight))
    if not at_most(ar.add(enclose_number(goal.delta, ar), ar.of(margin)), excess, ar):
        raise Rejected("no such margin is proved for the event")
    return _closed_form(goal)


# ---------------------------------------------------------------- no scale at all


def no_scale(goals: list[Goal[Any, Noise]]) -> Facts:
    """
    epsilon = delta = 0     P != Q for some goal, of that epsilon
    ------------------------------------------------------------------- injectivity
    no scale satisfies the goals: p <= q with equal integrals forces p = q, hence P = Q

    gaussian noise, delta = 0     c > 0 for some goal
    ------------------------------------------------------------------- the dominating term
    no scale satisfies the goals

    where c is the coefficient in P - e^epsilon Q, equal components merged, of the largest variance
    and then of the largest mean (or the smallest, for the left tail): at every scale its term
    outgrows the sum of all others in that tail, so that p > e^epsilon q there.
    """
    if not goals[0].delta_is_zero:
        raise Rejected("delta is not 0")
    if any(sign(goal.epsilon) == 0 and goal.P != goal.Q for goal in goals):
        return {"INJS"}
    for goal in goals:
        gaussian = goal.release.kind == "gaussian"
        if gaussian and any(_outermost(goal, way) > 0 for way in (1, -1)):
            return {"TAIL"}
    raise Rejected("no goal is seen to fail at every scale")


def _outermost(goal: Normals, way: int) -> int:
    """The sign of the coefficient that dominates the right (way = 1) or the left tail; 0 if all
    cancel."""
    release = Release(goal, form_of(goal.epsilon), Arithmetic(64))
    last = max(release.terms, key=lambda t: (t.variance, way * t.mean), default=None)
    return last.sign if last else 0

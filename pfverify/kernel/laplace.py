"""Sums over atoms under (discrete) Laplace noise, in linear time.

Write rho = 1/scale, and for atoms x_1 < ... < x_n with gaps d_k = x_{k+1} - x_k
    tau_k = e^(-d_k rho)
    left_k  = P(x_k) + tau_{k-1} left_{k-1}     = sum over x <= x_k of P(x) e^(-(x_k - x) rho)
    right_k = P(x_k) + tau_k right_{k+1}        = sum over x >= x_k of P(x) e^(-(x - x_k) rho)
Between x_k and x_{k+1}, at distance u from x_k, the released density is the noise's constant times
left_k e^(-u rho) + right_{k+1} e^(-(d_k - u) rho); at x_k it is left_k + tau_k right_{k+1}; outside
the hull it is the end atom's value, decaying.  All summands are positive, so interval arithmetic
keeps relative precision however far apart the atoms are.

Weights.  With t = e^(-step rho) for discrete Laplace on step * Z and t = 1 for Laplace, the
integral (or lattice sum) of a signed g = p - e^epsilon q is 1/(1+t) times the sum of
    t g(x_1) and t g(x_n)                   the two tails
    (1-t) g(x_k)                            the lattice points x_k themselves
    (a + b)(t - tau)                        the inside of a gap, a = left_k, b = right_{k+1} of g
For Laplace: a tail integrates to 1/2, a gap to (a+b)(1-tau)/2.  For discrete Laplace the mass
constant is (1-t)/(1+t), a tail sums to t/(1-t), and t + ... + t^(m-1) = (t - tau)/(1-t).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from enclose import ONE, ZERO, Arithmetic, Interval, Undecided, shift_floor, upper_end
from grammar import Number
from reader import Prior
from work import spend, table_of
from zero import (
    NIL,
    Form,
    Sum,
    accumulate,
    add,
    enclose_form,
    exp_form,
    form_of,
    is_zero,
    multiply,
    plus,
    sign_of_sum,
    times,
)


class Goal(NamedTuple):
    """One inequality to prove: P against Q, under noise of rate 1/scale."""

    belief: str
    source: str  # P = prior of `source`
    target: str  # Q = prior of `target`
    P: Prior
    Q: Prior
    epsilon: Number
    delta: Number
    delta_is_zero: bool
    form: str
    step: Fraction | None  # of discrete Laplace noise; None: Laplace
    rate: Form

    def decay(self, distance: Fraction) -> Form:
        """The exponent of e^(-distance * rho)."""
        return times(self.rate, -distance)


class Row(NamedTuple):
    """Atom k with its sums; `tau` decays to the next atom, whose right sums are right_*."""

    atom: Fraction
    left_p: Interval
    left_q: Interval
    gap: Fraction  # 0 at the last atom, where right_p = right_q = 0
    tau: Interval
    right_p: Interval
    right_q: Interval


def support(goal: Goal, extra: Iterable[Fraction] = ()) -> list[Fraction]:
    """All atoms in increasing order, with further points."""
    table_of(extra)
    return sorted({*goal.P, *goal.Q, *extra})


def unit(goal: Goal, ar: Arithmetic) -> Interval:
    """t of the module's docstring."""
    return ONE if goal.step is None else exp_form(goal.decay(goal.step), ar)


def rows(goal: Goal, ar: Arithmetic, extra: Iterable[Fraction] = ()) -> Iterator[Row]:
    """The sums at every atom (and at the extra points), left to right."""
    atoms = support(goal, extra)
    gaps = [b - a for a, b in pairwise(atoms)]
    table_of(gaps)
    decays = {d: exp_form(goal.decay(d), ar) for d in set(gaps)}
    taus, nothing = [decays[d] for d in gaps], Fraction(0)
    masses = [[ar.of(prior.get(x, nothing)) for x in atoms] for prior in (goal.P, goal.Q)]
    rights = []
    for mass in masses:
        right = [mass[-1]]
        for m, tau in zip(mass[-2::-1], reversed(taus), strict=True):
            right.append(ar.add(m, ar.mul(tau, right[-1])))
        rights.append(right)  # from the last atom to the first
    left_p = left_q = tau = ZERO
    for k, atom in enumerate(atoms):
        left_p = ar.add(masses[0][k], ar.mul(tau, left_p))
        left_q = ar.add(masses[1][k], ar.mul(tau, left_q))
        if k == len(gaps):
            yield Row(atom, left_p, left_q, nothing, ZERO, ZERO, ZERO)
        else:
            tau = taus[k]
            right_p, right_q = rights[0][-2 - k], rights[1][-2 - k]
            yield Row(atom, left_p, left_q, gaps[k], tau, right_p, right_q)


def values(row: Row, ar: Arithmetic) -> tuple[Interval, Interval]:
    """(p, q) at the atom, up to the noise's constant."""
    return (
        ar.add(row.left_p, ar.mul(row.tau, row.right_p)),
        ar.add(row.left_q, ar.mul(row.tau, row.right_q)),
    )


# ---------------------------------------------------------------- the positive part, from above


def positive_part_upper(goal: Goal, ar: Arithmetic) -> Interval:
    """A number at least (1+t) times the hockey-stick divergence of the goal (F4), as a point.

    Every piece is nondecreasing in the values of g that it is computed from (the integrand
    [a e^-u + b e^-(w-u)]_+ is nondecreasing in a and in b), so their upper ends are used.
    """
    factor, t = exp_form(form_of(goal.epsilon), ar), unit(goal, ar)
    at_atom = ar.sub(ONE, t)
    total, last = ZERO, ZERO
    for k, row in enumerate(rows(goal, ar)):
        p, q = values(row, ar)
        g = upper_end(ar.sub(p, ar.mul(factor, q)))
        last = g if g[1] > 0 else ZERO
        total = ar.add(total, ar.mul(at_atom, last))
        if k == 0:
            total = ar.add(total, ar.mul(t, last))
        if row.gap:
            a = upper_end(ar.sub(row.left_p, ar.mul(factor, row.left_q)))
            b = upper_end(ar.sub(row.right_p, ar.mul(factor, row.right_q)))
            total = ar.add(total, _gap_upper(goal, ar, a, b, row, t))
    return upper_end(ar.add(total, ar.mul(t, last)))


def _gap_upper(
    goal: Goal, ar: Arithmetic, a: Interval, b: Interval, row: Row, t: Interval
) -> Interval:
    """An upper bound of (1+t) times the positive part inside a gap with end values a, b (points).

    By symmetry a > 0 > b where the signs differ; then g decreases.  If g > 0 up to the far end,
    a tau + b >= 0, it is (a+b)(t-tau).  If a + b tau <= 0, g <= 0 throughout.  Otherwise g is
    positive up to its zero.  In every case  (sqrt(a t) - sqrt(-b tau))^2  is an upper bound:
    the positive part is the sum (t = 1: integral) of the signed g up to some index J, which is
    (1 - v)(a t + b tau / v) with v = t^J (t = 1: v = e^(-u rho)), and over all real v > 0 this has
    its maximum at v = sqrt(-b tau / (a t)).  For t = 1 the bound is attained at the zero.
    """
    tau = row.tau
    if (a[1] <= 0 and b[1] <= 0) or row.gap == goal.step:
        return ZERO
    if a[0] >= 0 and b[0] >= 0:
        return ar.mul(ar.add(a, b), ar.sub(t, tau))
    if a[1] < 0:
        a, b = b, a
    if ar.add(ar.mul(a, tau), b)[0] >= 0:
        return ar.mul(ar.add(a, b), ar.sub(t, tau))
    if ar.add(a, ar.mul(b, tau))[1] <= 0:
        return ZERO
    if goal.step is not None:
        exact = _lattice_split_upper(goal, ar, a, b, row, t)
        if exact is not None:
            return exact
    root = ar.sub(ar.sqrt(ar.mul(a, t)), ar.sqrt(ar.neg(ar.mul(b, tau))))
    return ar.mul(root, root)


def _lattice_split_upper(
    goal: Goal, ar: Arithmetic, a: Interval, b: Interval, row: Row, t: Interval
) -> Interval | None:
    """The same with the exact index: g_j = a t^j + b t^(m-j) decreases in j, so its positive part
    is the sum over 1 <= j <= J of g_j with J the floor of the zero j0 (t^(2 j0) = -b tau / a), cut
    to [0, m-1].  J is one of the integers between the floors of the ends of an enclosure of j0;
    the largest of their sums is at least the one of J."""
    step = goal.step or Fraction(1)
    m = row.gap / step
    try:
        twice = ar.log(ar.div(ar.neg(ar.mul(b, row.tau)), a))
        j0 = ar.div(twice, enclose_form(times(goal.decay(step), Fraction(2)), ar))
    except Undecided:
        return None
    if j0[1].bit_length() + j0[2] > m.numerator.bit_length() + 8:
        return None
    first = max(0, shift_floor(j0[0], j0[2]))
    last = min(m.numerator - 1, max(0, shift_floor(j0[1], j0[2])))
    if last - first > 2:
        return None
    best = ZERO
    for j in range(min(first, last), last + 1):
        v = exp_form(goal.decay(j * step), ar)
        rest = exp_form(goal.decay((m - j) * step), ar)
        total = ar.mul(ar.sub(ONE, v), ar.add(ar.mul(a, t), ar.mul(b, rest)))
        if ar.sub(upper_end(total), best)[1] > 0:
            best = upper_end(total)
    return best


# ---------------------------------------------------------------- signed sums over an event


def event_excess(
    goal: Goal, ar: Arithmetic, event: list[tuple[Fraction | None, Fraction | None]]
) -> Interval:
    """Enclosure of (1+t)(P(Y in B) - e^epsilon P'(Y in B)), B a union of disjoint closed intervals
    in increasing order; None is -infinity as a low end and infinity as a high end.

    The finite ends join the atoms with mass 0; then B consists of whole gaps, atoms and tails.
    """
    factor, t = exp_form(form_of(goal.epsilon), ar), unit(goal, ar)
    at_atom = ar.sub(ONE, t)
    ends = [x for interval in event for x in interval if x is not None]
    total, index, first = ZERO, 0, True
    for row in rows(goal, ar, ends):
        while index < len(event):  # skip the intervals that end before this atom
            high = event[index][1]
            if high is None or high >= row.atom:
                break
            index += 1
        low, high = event[index] if index < len(event) else (row.atom + 1, row.atom + 1)
        inside = low is None or low <= row.atom
        p, q = values(row, ar)
        g = ar.sub(p, ar.mul(factor, q))
        if inside:
            total = ar.add(total, ar.mul(at_atom, g))
        if first and low is None:
            total = ar.add(total, ar.mul(t, g))
        if not row.gap and high is None:
            total = ar.add(total, ar.mul(t, g))
        if row.gap and inside and (high is None or high > row.atom):
            a = ar.sub(row.left_p, ar.mul(factor, row.left_q))
            b = ar.sub(row.right_p, ar.mul(factor, row.right_q))
            total = ar.add(total, ar.mul(ar.add(a, b), ar.sub(t, row.tau)))
        first = False
    return total


# ---------------------------------------------------------------- the same quantities, exactly


def _jumps(goal: Goal) -> dict[Fraction, tuple[Fraction, Fraction]]:
    """{x: (P(x), Q(x))} in increasing order, without those x where P(x) = e^epsilon Q(x) is proved:
    they do not count in p - e^epsilon q."""
    epsilon, nothing = form_of(goal.epsilon), Fraction(0)
    vanishes: dict[Fraction, bool] = {}
    found: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for x in support(goal):
        p, q = goal.P.get(x, nothing), goal.Q.get(x, nothing)
        if p and q:
            ratio = p / q
            if ratio not in vanishes:
                vanishes[ratio] = is_zero(add({NIL: ratio}, {epsilon: Fraction(1)}, Fraction(-1)))
            if vanishes[ratio]:
                continue
        found[x] = p, q
    return found


class _Sides:
    """Exact one-sided sums that move along the atoms, two terms for each:

        left = sum over x <= atom of J(x) e^((x-o) rho)
        right = sum over x > atom of J(x) e^(-(x-o) rho)

    with J = P - e^epsilon Q and an origin o.  What cancels is gone: priors that agree, or are
    translations of each other, leave short sums."""

    def __init__(self, goal: Goal) -> None:
        self.goal, self.epsilon = goal, form_of(goal.epsilon)
        self.jumps = _jumps(goal)
        self.origin = min(goal.P)
        distances = [x - self.origin for x in self.jumps]
        self.alike = max((table_of(v * d for d in distances) for _, v in goal.rate), default=1)
        self.left: Sum = {}
        self.right: Sum = {}
        for x in self.jumps:
            self._count(self.right, x, x - self.origin, 1)

    def _count(self, total: Sum, x: Fraction, distance: Fraction, sign: int) -> None:
        p, q = self.jumps[x]
        f = self.goal.decay(distance)
        accumulate(total, f, sign * p)
        accumulate(total, plus(self.epsilon, f), -sign * q)

    def pass_by(self, x: Fraction) -> None:
        """Move the next atom, x, from the right to the left."""
        if x in self.jumps:
            self._count(self.right, x, x - self.origin, -1)
            self._count(self.left, x, self.origin - x, 1)

    def jump(self, x: Fraction) -> Sum:
        """J(x)."""
        total: Sum = {}
        if x in self.jumps:
            self._count(total, x, Fraction(0), 1)
        return total

    def left_at(self, y: Fraction) -> Sum:
        """sum of J(x) e^(-(y-x) rho) over the atoms on the left."""
        spend(16 * self.alike * len(self.left))
        return _shifted(self.left, self.goal.decay(y - self.origin))

    def right_at(self, y: Fraction) -> Sum:
        """sum of J(x) e^(-(x-y) rho) over the atoms on the right."""
        spend(16 * self.alike * len(self.right))
        return _shifted(self.right, self.goal.decay(self.origin - y))


def exact_values(goal: Goal, atoms: Set[Fraction]) -> Iterator[tuple[Fraction, Sum]]:
    """(a, p - e^epsilon q at a, up to the noise's constant, as an exponential sum), for the given
    atoms in increasing order."""
    sides = _Sides(goal)
    for x in support(goal):
        sides.pass_by(x)
        if x in atoms:
            yield x, add(sides.left_at(x), sides.right_at(x))


def exact_unit(goal: Goal) -> Sum:
    """t of the module's docstring as an exponential sum."""
    return {NIL: Fraction(1)} if goal.step is None else {goal.decay(goal.step): Fraction(1)}


def _shifted(s: Sum, f: Form) -> Sum:
    return {plus(h, f): c for h, c in s.items()}


def _exact_signs(goal: Goal, ar: Arithmetic) -> list[tuple[int, int, int]]:
    """The signs of g(x_k), L_k and R_{k+1} for each atom: by enclosures, else by the zero test."""
    factor = exp_form(form_of(goal.epsilon), ar)
    sides = _Sides(goal)

    def sign(p: Interval, q: Interval, exact: Callable[[], Sum]) -> int:
        low, high, _ = ar.sub(p, ar.mul(factor, q))
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        if is_zero(exact()):
            return 0
        raise Undecided("a sign is not decided at this precision")

    signs = []
    for row in rows(goal, ar):
        x, (p, q) = row.atom, values(row, ar)
        sides.pass_by(x)
        here = sign(p, q, lambda x=x: add(sides.left_at(x), sides.right_at(x)))  # type: ignore[misc]
        left = sign(row.left_p, row.left_q, lambda: sides.left)
        right = sign(row.right_p, row.right_q, lambda: sides.right) if row.gap else 0
        signs.append((here, left, right))
    return signs


Product = tuple[Sum, Sum, Form]  # (a, b, f) for a b e^f with a and b positive


def exact_positive_part(goal: Goal, ar: Arithmetic) -> tuple[Sum, list[Product]]:
    """(A, [S_1, ...]) with (1+t) times the hockey-stick divergence = A - sum of 2 sqrt(S_i), the
    S_i positive.  `ar` serves to decide signs only; an undecided sign raises Undecided.

    L_k and R_k are the one-sided sums of J = P - e^epsilon Q.  With tau_k L_k = L_{k+1} - J_{k+1}
    and tau_k R_{k+1} = R_k - J_k the pieces are
        atom, g > 0:               g(x_k) = L_k + R_k - J_k  times  1 - t, and t for each tail
        gap, g >= 0:               (a+b)(t-tau) = t (L_k + R_{k+1}) - L_{k+1} + J_{k+1} - R_k + J_k
        gap split, t = 1, a = L_k: a - tau b - 2 sqrt(-a b tau),  a - tau b = L_k - R_k + J_k
                          b = L_k: the same with  a - tau b = R_{k+1} - L_{k+1} + J_{k+1}
    so that a run of atoms and gaps with g >= 0 leaves the sums at its ends.
    """
    signs, atoms, t = _exact_signs(goal, ar), support(goal), exact_unit(goal)
    count = len(atoms)
    weights = {which: [[0, 0] for _ in atoms] for which in "LRJ"}  # [c, d] for c + d t
    split: list[int] = []

    def weigh(which: str, k: int, c: int, d: int = 0) -> None:
        weights[which][k][0] += c
        weights[which][k][1] += d

    for k, (here, left, right) in enumerate(signs):
        if here > 0:
            tails = (k == 0) + (k == count - 1)
            for which, way in (("L", 1), ("R", 1), ("J", -1)):
                weigh(which, k, way, way * (tails - 1))
        if k == count - 1 or max(left, right) <= 0:
            continue
        near, far = here, signs[k + 1][0]
        if left < 0:
            near, far = far, near
        if min(left, right) >= 0 or (near > 0 and far >= 0):
            weigh("L", k, 0, 1)
            weigh("R", k + 1, 0, 1)
            weigh("L", k + 1, -1)
            weigh("J", k + 1, 1)
            weigh("R", k, -1)
            weigh("J", k, 1)
        elif near > 0:
            split.append(k)
            if goal.step is None:
                j = k if left > 0 else k + 1
                way = 1 if left > 0 else -1
                weigh("L", j, way)
                weigh("R", j, -way)
                weigh("J", j, 1)
    total: Sum = {}
    products: list[Product] = []
    sides, splits = _Sides(goal), set(split)

    def join(part: Sum) -> None:
        for f, c in part.items():
            accumulate(total, f, c)

    def weighed(which: str, k: int, part: Callable[[], Sum]) -> None:
        c, d = weights[which][k]
        factor = add({NIL: Fraction(c)} if c else {}, t, Fraction(d)) if d or c else {}
        if factor:
            join(multiply(part(), factor))

    for k, x in enumerate(atoms):
        # R_k counts the atom itself: it is the sum of its jump and of what lies to the right
        sides.pass_by(x)
        weighed("R", k, lambda x=x: add(sides.jump(x), sides.right_at(x)))  # type: ignore[misc]
        weighed("L", k, lambda x=x: sides.left_at(x))  # type: ignore[misc]
        weighed("J", k, lambda x=x: sides.jump(x))  # type: ignore[misc]
        if k in splits:
            y = atoms[k + 1]
            a, b = sides.left_at(x), sides.right_at(y)
            if signs[k][1] < 0:
                a, b = b, a
            if goal.step is None:
                products.append((a, add({}, b, Fraction(-1)), goal.decay(y - x)))
            else:
                join(_exact_lattice_split(goal, ar, a, b, y - x))
    return total, products


def _exact_lattice_split(goal: Goal, ar: Arithmetic, a: Sum, b: Sum, gap: Fraction) -> Sum:
    """(1 - t^J)(a t + b t^(m-J)) with J the last index where g_j = a t^j + b t^(m-j) >= 0: found by
    bisection, since a > 0 > b makes g_j decreasing."""
    step = goal.step or Fraction(1)
    m = (gap / step).numerator
    low, high = 0, m  # g_low >= 0 > g_high
    while high - low > 1:
        j = (low + high) // 2
        value = add(_shifted(a, goal.decay(j * step)), _shifted(b, goal.decay((m - j) * step)))
        low, high = (j, high) if sign_of_sum(value, ar) >= 0 else (low, j)
    bracket = add(_shifted(a, goal.decay(step)), _shifted(b, goal.decay((m - low) * step)))
    head: Sum = add({NIL: Fraction(1)}, {goal.decay(low * step): Fraction(1)}, Fraction(-1))
    return multiply(head, bracket)

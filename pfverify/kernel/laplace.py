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

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from enclose import ONE, ZERO, Arithmetic, Interval, Undecided, shift_floor, upper_end
from grammar import Number
from reader import Prior
from zero import (
    NIL,
    Form,
    Sum,
    accumulate,
    add,
    enclose_form,
    exp_form,
    form_of,
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
    return sorted({*goal.P, *goal.Q, *extra})


def unit(goal: Goal, ar: Arithmetic) -> Interval:
    """t of the module's docstring."""
    return ONE if goal.step is None else exp_form(goal.decay(goal.step), ar)


def rows(goal: Goal, ar: Arithmetic, extra: Iterable[Fraction] = ()) -> Iterator[Row]:
    """The sums at every atom (and at the extra points), left to right."""
    atoms = support(goal, extra)
    gaps = [b - a for a, b in pairwise(atoms)]
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


def exact_value(goal: Goal, atom: Fraction) -> Sum:
    """p - e^epsilon q at a point, up to the noise's constant, as an exponential sum."""
    total: Sum = {}
    epsilon = form_of(goal.epsilon)
    for x, mass in goal.P.items():
        accumulate(total, goal.decay(abs(atom - x)), mass)
    for x, mass in goal.Q.items():
        accumulate(total, plus(epsilon, goal.decay(abs(atom - x))), -mass)
    return total


def exact_unit(goal: Goal) -> Sum:
    """t of the module's docstring as an exponential sum."""
    return {NIL: Fraction(1)} if goal.step is None else {goal.decay(goal.step): Fraction(1)}


def _shifted(s: Sum, f: Form) -> Sum:
    return {plus(h, f): c for h, c in s.items()}


def exact_positive_part(goal: Goal, ar: Arithmetic) -> tuple[Sum, list[Sum]]:
    """(A, [S_1, ...]) with (1+t) times the hockey-stick divergence = A - sum of 2 sqrt(S_i), the
    S_i positive.  `ar` serves to decide signs only; an undecided sign raises Undecided."""
    atoms, epsilon, t = support(goal), form_of(goal.epsilon), exact_unit(goal)
    if len(atoms) > 600:
        raise Undecided("more than 600 atoms in an exact equality of delta")
    one: Sum = {NIL: Fraction(1)}
    jumps: list[Sum] = []
    for x in atoms:
        jump: Sum = {}
        accumulate(jump, NIL, goal.P.get(x, Fraction(0)))
        accumulate(jump, epsilon, -goal.Q.get(x, Fraction(0)))
        jumps.append(jump)
    decays = [goal.decay(b - a) for a, b in pairwise(atoms)]
    rights = [jumps[-1]]
    for jump, f in zip(jumps[-2::-1], reversed(decays), strict=True):
        rights.append(add(jump, _shifted(rights[-1], f)))
    rights.reverse()
    total: Sum = {}
    radicands: list[Sum] = []
    left: Sum = {}
    for k in range(len(atoms)):
        left = add(jumps[k], _shifted(left, decays[k - 1])) if k else jumps[0]
        g = add(left, _shifted(rights[k + 1], decays[k])) if k < len(decays) else left
        if sign_of_sum(g, ar) > 0:
            ends = Fraction((k == 0) + (k == len(decays)))
            weight = add(add(one, t, Fraction(-1)), t, ends)  # 1 - t, and t for each tail
            total = add(total, multiply(g, weight))
        if k < len(decays):
            gap = atoms[k + 1] - atoms[k]
            _exact_gap(goal, ar, left, rights[k + 1], gap, total, radicands)
    return total, radicands


def _exact_gap(
    goal: Goal, ar: Arithmetic, a: Sum, b: Sum, gap: Fraction, total: Sum, radicands: list[Sum]
) -> None:
    """Add the inside of one gap to total and radicands (the cases of `_gap_upper`)."""
    signs = sign_of_sum(a, ar), sign_of_sum(b, ar)
    if max(signs) <= 0:
        return
    tau, t = goal.decay(gap), exact_unit(goal)
    part = multiply(add(a, b), add(t, {tau: Fraction(1)}, Fraction(-1)))
    if min(signs) < 0:
        if signs[0] < 0:
            a, b = b, a
        if sign_of_sum(add(a, _shifted(b, tau)), ar) <= 0:
            return
        if sign_of_sum(add(_shifted(a, tau), b), ar) < 0:
            if goal.step is None:
                part = add(a, _shifted(b, tau), Fraction(-1))
                radicands.append(_shifted(multiply(a, add({}, b, Fraction(-1))), tau))
            else:
                part = _exact_lattice_split(goal, ar, a, b, gap)
    for f, c in part.items():
        accumulate(total, f, c)


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

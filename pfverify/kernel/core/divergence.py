"""The hockey-stick divergence of atoms with (discrete) Laplace noise, bounded.  As in `rules`."""

from __future__ import annotations

from core.enclose import ONE, ZERO, Arithmetic, Interval, upper_end
from core.laplace import Atoms, Row, rows, unit, values
from core.rules import Facts, Rejected, Step, arithmetic, at_most
from core.value import enclose_number, form_of
from core.zero import exp_form


def positive_part_upper(goal: Atoms, ar: Arithmetic) -> Interval:
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
    goal: Atoms, ar: Arithmetic, a: Interval, b: Interval, row: Row, t: Interval
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
    if (a[1] <= 0 and b[1] <= 0) or row.gap == goal.release.step:
        return ZERO
    if a[0] >= 0 and b[0] >= 0:
        return ar.mul(ar.add(a, b), ar.sub(t, tau))
    if a[1] < 0:
        a, b = b, a
    if ar.add(ar.mul(a, tau), b)[0] >= 0:
        return ar.mul(ar.add(a, b), ar.sub(t, tau))
    if ar.add(a, ar.mul(b, tau))[1] <= 0:
        return ZERO
    if goal.release.step is not None:
        from core.lattice import lattice_split_upper

        exact = lattice_split_upper(goal, ar, a, b, row, t)
        if exact is not None:
            return exact
    root = ar.sub(ar.sqrt(ar.mul(a, t)), ar.sqrt(ar.neg(ar.mul(b, tau))))
    return ar.mul(root, root)


def delta_upper(goal: Atoms, step: Step) -> Facts:
    """
    tails + atoms + gaps of [p - e^epsilon q]_+  <=  delta        (each piece bounded above)
    ------------------------------------------------------------------------------ F4, F12
    D <= delta

    delta = 1 needs no premise: D is at most the mass of P.
    """
    ar = arithmetic(step)
    if goal.delta == 1:
        return set()
    delta = ar.mul(enclose_number(goal.delta, ar), ar.add(ONE, unit(goal, ar)))
    if not at_most(positive_part_upper(goal, ar), delta, ar):
        raise Rejected("the divergence is not bounded by delta at this precision")
    return {"F4" if goal.release.step is None else "F4L"}

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

from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from core.enclose import ONE, ZERO, Arithmetic, Interval
from core.grammar import Malformed, canonical, shown
from core.kinds import EVENTS, POINTWISE, Kind, Prior, Rule
from core.rules import Goal, Rejected, Step
from core.shapes import array, canonical_rational
from core.work import table_of
from core.zero import exp_form
from reader.noise import Noise
from reader.priors import places

Atoms = Goal[Prior, Noise]
KIND = Kind(
    {
        "pure": Rule("core.pure", measures=True),
        "delta-upper": Rule("core.divergence", EVENTS, measures=True),
        "delta-tie": Rule("core.divergence_tie", EVENTS),
        "pointwise": Rule("core.pointwise", POINTWISE, measures=True),
    },
    {
        "pure-refuted": Rule("core.pure", measures=True),
        "event-refuted": Rule("core.event", measures=True),
        "pointwise-refuted": Rule("core.pointwise", measures=True),
    },
    "the rule is for priors with densities, or gaussian noise",
    unscaled={"no-noise": Rule("core.every_scale")},
    no_scale="INJ",
)


class Row(NamedTuple):
    """Atom k with its sums; `tau` decays to the next atom, whose right sums are right_*."""

    atom: Fraction
    left_p: Interval
    left_q: Interval
    gap: Fraction  # 0 at the last atom, where right_p = right_q = 0
    tau: Interval
    right_p: Interval
    right_q: Interval


def support(goal: Atoms, extra: Collection[Fraction] = ()) -> list[Fraction]:
    """All atoms in increasing order, with further points."""
    return places(goal.P, goal.Q, extra)


def unit(goal: Atoms, ar: Arithmetic) -> Interval:
    """t of the module's docstring."""
    return ONE if goal.release.step is None else exp_form(goal.release.decay(goal.release.step), ar)


def rows(goal: Atoms, ar: Arithmetic, extra: Collection[Fraction] = ()) -> Iterator[Row]:
    """The sums at every atom (and at the extra points), left to right."""
    atoms = support(goal, extra)
    gaps = [b - a for a, b in pairwise(atoms)]
    table_of(gaps)
    decays = {d: exp_form(goal.release.decay(d), ar) for d in set(gaps)}
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


def claimed_ties(goal: Atoms, step: Step) -> set[Fraction]:
    """The atoms claimed to be ties: atoms of the supports, in increasing order."""
    ties = [canonical_rational(a, "a tie") for a in array(step["ties"], "ties")]
    if any(a >= b for a, b in pairwise(ties)):
        raise Malformed("ties must increase")
    for a in ties:
        if a not in goal.P and a not in goal.Q:
            raise Rejected(f"the tie {shown(canonical(a))} is not an atom")
    return set(ties)


def lattice_point(goal: Atoms, y: Fraction, what: str) -> Fraction:
    """The output y, which discrete Laplace noise must be able to reach."""
    step = goal.release.step
    if step is not None and ((y - next(iter(goal.P))) / step).denominator != 1:
        raise Rejected(f"{what} {shown(canonical(y))} is not a point of the lattice")
    return y

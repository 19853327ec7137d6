"""Laws that moves of at most a radius make of a centre (W-infinity balls), with Laplace noise.

Write rho = 1/scale, r for the radius of the first ball and s for that of the second.  At an output
y, up to the noise's constant, a member of the first has at most, and one of the second at least,

    most(y)  = sum of P(x) e^(-rho max(|y-x| - r, 0))           every atom moves towards y
    least(y) = e^(-rho s) sum of Q(x) e^(-rho |y-x|)            every atom moves away from it

and single members have these at y.  The points x - r, x + r of P and x of Q part the line.  With
u = e^(-rho (y-b)) behind a point b, between tau (at the next) and 1, and K = e^(epsilon - rho s)

    most - e^epsilon least = a u + C + b/u,  a = L - K L',  b = R - K R'

where L, R are the sums of what is on the left and right of the piece, at b, and C is the mass of P
that is within r of all of it.  Where a or b is not negative that is largest at an end of the piece;
else at u = sqrt(b/a), where it is C - 2 sqrt(a b), if tau < sqrt(b/a) < 1.  Outside all points the
ratio of most and least does not change.  (F63, F63b)
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from core.enclose import ZERO, Arithmetic, Interval
from core.grammar import Malformed, canonical, shown
from core.kinds import Kind, Prior, Rule
from core.rules import Facts, Goal, Rejected, Step, arithmetic, at_most, margin_of
from core.shapes import array, canonical_rational
from core.value import form_of
from core.work import product, spend, table_of
from core.zero import Form, Sum, accumulate, add, constant, exp_form, multiply, plus, sign_of_sum
from reader.noise import Noise

NIL: Form = constant(Fraction(0))


class Spread(NamedTuple):
    """A centre, and how far its atoms may move."""

    centre: Prior
    radius: Fraction


Balls = Goal[Spread, Noise]


def laws(p: Any, q: Any, release: object = None) -> tuple[Spread, Spread]:
    """Laws of atoms as balls of radius 0."""
    first, second = (x if isinstance(x, Spread) else Spread(x, Fraction(0)) for x in (p, q))
    return first, second


KIND = Kind(
    {"spread": Rule("core.spread")},
    {"spread-refuted": Rule("core.spread")},
    "the rule is not for W-infinity balls",
    laws=laws,
)


def _points(goal: Balls) -> list[Fraction]:
    """Where one of the two turns, in order."""
    (centre, r), other = goal.P, goal.Q.centre
    found = {*(x - r for x in centre), *(x + r for x in centre), *other}
    table_of(found)
    spend(sum(24 + product(x.numerator.bit_length() + x.denominator.bit_length()) for x in found))
    return sorted(found)


def _factor(goal: Balls) -> Form:
    """K of the module's docstring, as an exponent."""
    return plus(form_of(goal.epsilon), goal.release.decay(goal.Q.radius))


class Piece(NamedTuple):
    """a, b, C and tau^2 of the module's docstring; most and K least/.. at the point itself."""

    a: Interval
    b: Interval
    here: Interval
    square: Interval
    most: Interval
    least: Interval


def _pieces(goal: Balls, points: list[Fraction], ar: Arithmetic) -> list[Piece]:
    (centre, r), other = goal.P, goal.Q.centre
    gaps = [b - a for a, b in pairwise(points)]
    table_of(gaps)
    decays = {d: exp_form(goal.release.decay(d), ar) for d in set(gaps)}
    taus, nothing = [decays[d] for d in gaps], Fraction(0)
    behind = [ar.of(centre.get(y - r, nothing)) for y in points]
    ahead = [ar.of(centre.get(y + r, nothing)) for y in points]
    own = [ar.of(other.get(y, nothing)) for y in points]
    rights = [(ZERO, ZERO)]
    for k in range(len(points) - 1, 0, -1):
        right, beyond = rights[-1]
        rights.append(
            (ar.mul(taus[k - 1], ar.add(right, ahead[k])),
             ar.mul(taus[k - 1], ar.add(beyond, own[k])))
        )  # fmt: skip
    rights.reverse()
    factor, left, other_left, here = exp_form(_factor(goal), ar), ZERO, ZERO, nothing
    found = []
    for k, y in enumerate(points):
        tau = taus[k - 1] if k else ZERO
        left, other_left = (
            ar.add(ar.mul(tau, x), more) for x, more in ((left, behind[k]), (other_left, own[k]))
        )
        here += centre.get(y + r, nothing) - centre.get(y - r, nothing)
        right, beyond = rights[k]
        a = ar.sub(left, ar.mul(factor, other_left))
        b = ar.sub(right, ar.mul(factor, beyond))
        after, mass = taus[k] if k < len(taus) else ZERO, ar.of(here)
        found.append(Piece(
            a, b, mass, ar.mul(after, after), ar.add(ar.add(left, right), mass),
            ar.mul(factor, ar.add(other_left, beyond)),
        ))  # fmt: skip
    return found


def _established(piece: Piece, ar: Arithmetic, *, last: bool) -> bool:
    """Whether most <= e^epsilon least at a point and behind it."""
    a, b, here, square = piece.a, piece.b, piece.here, piece.square
    if not at_most(piece.most, piece.least, ar):
        return False
    if last or here[1] == 0 or a[0] >= 0 or b[0] >= 0:
        return True
    if at_most(b, a, ar) or at_most(ar.mul(square, a), b, ar):
        return True
    return a[1] < 0 and b[1] < 0 and at_most(ar.mul(here, here), _four(ar.mul(a, b)), ar)


def _four(x: Interval) -> Interval:
    return x[0], x[1], x[2] + 2


def _sums(goal: Balls, y: Fraction) -> tuple[Sum, Sum, Fraction]:
    """a, b and C behind a point, exactly."""
    (centre, r), other, factor = goal.P, goal.Q.centre, _factor(goal)
    a: Sum = {}
    b: Sum = {}
    here = Fraction(0)
    for x, m in centre.items():
        if x - r <= y < x + r:
            here += m
        else:
            side, far = (a, y - x - r) if x + r <= y else (b, x - r - y)
            accumulate(side, goal.release.decay(far), m)
    for x, m in other.items():
        accumulate(a if x <= y else b, plus(factor, goal.release.decay(abs(y - x))), -m)
    return a, b, here


def _exactly(goal: Balls, y: Fraction, gap: Fraction | None, ar: Arithmetic) -> bool:
    """Whether the same holds at a point and up to the next one, by exact sums."""
    a, b, here = _sums(goal, y)
    if sign_of_sum(add(add(a, b), {NIL: here} if here else {}), ar) > 0:
        return False
    if gap is None or not here:
        return True
    square = {goal.release.decay(2 * gap): Fraction(1)}
    ends = (a, b, add(a, b, Fraction(-1)), add(b, multiply(square, a), Fraction(-1)))
    if any(sign_of_sum(x, ar) >= 0 for x in ends):
        return True
    return sign_of_sum(add({NIL: here * here}, multiply(a, b), Fraction(-4)), ar) <= 0


def spread(goal: Balls, step: Step) -> Facts:
    """
    most <= e^epsilon least at every point, and at the largest value of every piece between two
    (a tie: by exact sums)
    ------------------------------------------------------------------------------------ F63, F3
    p <= e^epsilon q everywhere, of all members
    """
    ar, points = arithmetic(step), _points(goal)
    ties = [canonical_rational(y, "a tie") for y in array(step["ties"], "ties")]
    if any(a >= b for a, b in pairwise(ties)):
        raise Malformed("ties must increase")
    for y in set(ties) - set(points):
        raise Rejected(f"the tie {shown(canonical(y))} is not a point where the bound turns")
    exact = set(ties)
    for k, piece in enumerate(_pieces(goal, points, ar)):
        last = k == len(points) - 1
        if points[k] in exact:
            gap = None if last else points[k + 1] - points[k]
            holds = _exactly(goal, points[k], gap, ar)
        else:
            holds = _established(piece, ar, last=last)
        if not holds:
            where = f"at {shown(canonical(points[k]))}, or behind it"
            raise Rejected(f"the ratio {where}, is not bounded")
    return {"F63", "F3"} if ties else {"F63"}


def spread_refuted(goal: Balls, step: Step) -> Facts:
    """
    delta = 0     most(y) >= e^(epsilon + margin) least(y)     margin > 0
    ----------------------------------------------------------------- F63
    the goal fails at y, for the members that have most and least there
    """
    if not goal.delta_is_zero:
        raise Rejected("a point refutes a pure bound only")
    ar, least = arithmetic(step), margin_of(step)
    y, (centre, r) = canonical_rational(step["y"], "y"), goal.P
    p = q = ZERO
    for x, m in centre.items():
        far = max(abs(y - x) - r, Fraction(0))
        p = ar.add(p, ar.mul(ar.of(m), exp_form(goal.release.decay(far), ar)))
    for x, m in goal.Q.centre.items():
        q = ar.add(q, ar.mul(ar.of(m), exp_form(goal.release.decay(abs(y - x)), ar)))
    factor = exp_form(plus(_factor(goal), constant(least)), ar)
    if not at_most(ar.mul(factor, q), p, ar):
        raise Rejected(f"no such margin is proved at {shown(canonical(y))}")
    return {"F63"}

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
from typing import TYPE_CHECKING, Any, NamedTuple

from core.enclose import ZERO, Arithmetic, Interval
from core.grammar import canonical, shown
from core.kinds import LAWS, Kind, Prior, Rule
from core.line import NOTHING
from core.rules import Goal, Rejected, Step, arithmetic, at_most
from core.shapes import canonical_rational, in_order, increasing
from core.sweep import Piece, Swept, swept
from core.value import form_of
from core.zero import (
    NIL,
    Form,
    Sum,
    accumulate,
    add,
    constant,
    exp_form,
    multiply,
    plus,
    sign_of_sum,
)

if TYPE_CHECKING:
    from core.interfaces import Noise


class Spread(NamedTuple):
    """A centre, and how far its atoms may move."""

    centre: Prior
    radius: Fraction


class Ball(NamedTuple):
    """The same, and the noise that is added."""

    centre: Prior
    radius: Fraction
    noise: Noise


Balls = Goal[Ball, object]
LAWS[Spread] = "spread"


def laws(p: Any, q: Any, release: Any) -> tuple[Ball, Ball]:
    """Laws of atoms as balls of radius 0."""
    first, second = (x if isinstance(x, Spread) else Spread(x, NOTHING) for x in (p, q))
    return Ball(*first, release), Ball(*second, release)


def _points(goal: Balls) -> list[Fraction]:
    """Where one of the two turns, in order."""
    (centre, r, _), other = goal.P, goal.Q.centre
    return in_order((), [*(x - r for x in centre), *(x + r for x in centre), *other])


def _factor(goal: Balls) -> Form:
    """K of the module's docstring, as an exponent."""
    return plus(form_of(goal.epsilon), goal.Q.noise.decay(goal.Q.radius))


def _pieces(goal: Balls, points: list[Fraction], ar: Arithmetic) -> Swept:
    """a and b are L and R' of the piece behind a point."""
    (centre, r, noise), factor = goal.P, exp_form(_factor(goal), ar)
    least = [ar.mul(factor, ar.of(goal.Q.centre.get(y, NOTHING))) for y in points]
    lefts, rights = (
        [(ar.sub(ar.of(centre.get(y - d, NOTHING)), m), 1)
         for y, m in zip(points, least, strict=True)]
        for d in (r, -r)
    )  # fmt: skip
    return swept(noise, points, lefts, rights, ar)


def _established(piece: Piece, here: Interval, ar: Arithmetic) -> bool:
    """Whether most <= e^epsilon least at a point and behind it, where `here` is C."""
    a, b, tau = piece.left, piece.right_far, piece.tau
    if not at_most(ar.add(ar.add(a, b), here), ZERO, ar):
        return False
    if here[1] == 0 or at_most(b, a, ar) or at_most(ar.mul(ar.mul(tau, tau), a), b, ar):
        return True  # it is largest at an end: b <= a too if a >= 0, as a + b + C <= 0
    return a[1] < 0 and b[1] < 0 and at_most(ar.mul(here, here), _four(ar.mul(a, b)), ar)


def _four(x: Interval) -> Interval:
    return x[0], x[1], x[2] + 2


def _sums(goal: Balls, y: Fraction) -> tuple[Sum, Sum, Fraction]:
    """a, b and C behind a point, exactly."""
    (centre, r, noise), other, factor = goal.P, goal.Q.centre, _factor(goal)
    a: Sum = {}
    b: Sum = {}
    here = NOTHING
    for x, m in centre.items():
        if x - r <= y < x + r:
            here += m
        else:
            side, far = (a, y - x - r) if x + r <= y else (b, x - r - y)
            accumulate(side, noise.decay(far), m)
    for x, m in other.items():
        accumulate(a if x <= y else b, plus(factor, noise.decay(abs(y - x))), -m)
    return a, b, here


def _exactly(goal: Balls, y: Fraction, gap: Fraction | None, ar: Arithmetic) -> bool:
    """Whether the same holds at a point and up to the next one, by exact sums."""
    a, b, here = _sums(goal, y)
    if sign_of_sum(add(add(a, b), {NIL: here} if here else {}), ar) > 0:
        return False
    if gap is None or not here:
        return True
    square = {goal.P.noise.decay(2 * gap): Fraction(1)}
    ends = (a, b, add(a, b, Fraction(-1)), add(b, multiply(square, a), Fraction(-1)))
    if any(sign_of_sum(x, ar) >= 0 for x in ends):
        return True
    return sign_of_sum(add({NIL: here * here}, multiply(a, b), Fraction(-4)), ar) <= 0


class BallsDifference:
    """The cover is every point, with the piece behind it up to the next, of which the largest value
    decides (F63; a tie: by exact sums).  At any output single members have `most` and `least`."""

    def __init__(self, goal: Balls, step: Step) -> None:
        self.goal, self.step, self.ar, self.facts = goal, step, arithmetic(step), {"F63"}

    def positive(self) -> str | None:
        """The first point at which, or behind which, the ratio may be larger."""
        goal, ar, points = self.goal, self.ar, _points(self.goal)
        ties = {*increasing(self.step["ties"], "ties")}
        for y in sorted(ties - {*points}):
            raise Rejected(f"the tie {shown(canonical(y))} is not a point where the bound turns")
        self.facts |= {"F3"} if ties else set()
        (centre, r, _), here = goal.P, NOTHING
        pieces = _pieces(goal, points, ar).pieces[1:]
        for y, behind, piece in zip(points, [*points[1:], None], pieces, strict=True):
            here += centre.get(y + r, NOTHING) - centre.get(y - r, NOTHING)
            if y in ties:
                holds = _exactly(goal, y, None if behind is None else behind - y, ar)
            else:
                holds = _established(piece, ar.of(here), ar)
            if not holds:
                return f"the ratio at {shown(canonical(y))}, or behind it, is not bounded"
        return None

    def require_area(self) -> None:
        """Of the members together nothing is known but the ratio."""
        raise Rejected("the divergence of balls is not bounded here")

    def require_at(self, margin: Fraction, *, ratio: bool) -> None:
        """By the members that have most and least there."""
        goal, ar, y = self.goal, self.ar, canonical_rational(self.step["y"], "y")
        p, q = _moved(goal.P, y, goal.P.radius, ar), _moved(goal.Q, y, NOTHING, ar)
        factor = exp_form(plus(_factor(goal), constant(margin)), ar)
        if not (ratio and at_most(ar.mul(factor, q), p, ar)):
            raise Rejected(f"no such margin is proved at {shown(canonical(y))}")

    def require_on(self, margin: Fraction) -> None:
        """Events are those of each member by itself."""
        raise Rejected("an event does not refute a bound of balls here")


def _moved(ball: Ball, y: Fraction, far: Fraction, ar: Arithmetic) -> Interval:
    """What a centre has at y where all atoms have moved so far towards it."""
    total = ZERO
    for x, m in ball.centre.items():
        decay = ball.noise.decay(max(abs(y - x) - far, NOTHING))
        total = ar.add(total, ar.mul(ar.of(m), exp_form(decay, ar)))
    return total


KIND = Kind(
    {"spread": Rule("signs")},
    {"spread-refuted": Rule("place")},
    "the rule is not for W-infinity balls",
    laws=laws,
    difference=BallsDifference,
)

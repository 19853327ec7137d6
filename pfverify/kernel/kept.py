"""The inference rules for atoms with Laplace noise behind clamps and thresholds: the law of the
output has a density where numbers stay what they are, and masses elsewhere.  As in `rules`.

Cut the line at all atoms, at the ends of the parts that the steps make of it, and at more places.
On a piece from a to b, with no atom inside, twice the scale times the density of
g = P - e^epsilon Q is L e^(-(y-a) rho) + R e^(-(b-y) rho): L sums the atoms up to a with their
decay to a, R those from b on.  So g has one zero at most there, and between its ends the sign of g
is that of one of them; twice its integral is (L - L') + (R - R'), L' = L e^(-(b-a) rho), R'
likewise.  Where g falls from a positive value at a to a negative one at b, twice the integral of
its positive part is L - R' - 2 sqrt(-L R'), up to the zero e^(-2 (y-a) rho) = -R'/L; mirrored
where it rises.  The ratio of two such laws is monotone on a piece, so it is bounded by its ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from enclose import Arithmetic, Interval, Undecided
from kinds import EVENTS, Kind, Mass, Prior, Rule
from masses import NOTHING, excess_sign, minus
from quotients import quotient
from rules import Facts, Goal, Rejected, Step, arithmetic, margin_of
from signs import decided_sign
from spans import Span, event_of
from steps import Part
from value import enclose_number, form_of
from work import product, spend
from zero import (
    NIL,
    SIGN_BITS,
    Form,
    Sum,
    accumulate,
    add,
    enclose_sum,
    multiply,
    plus,
)

KIND = Kind(
    {"kept": Rule("kept", EVENTS)},
    {"event-refuted": Rule("kept", EVENTS)},
    "the rule is not for densities that steps keep in part",
)
TWO = Fraction(2)
WHOLE = (Part(None, None, None),)  # without steps
End = Fraction | None

class Kept(NamedTuple):
    """A law of X, and what becomes of it."""

    atoms: Prior
    nothing: Fraction  # the mass of no row, which is suppressed
    noise: Any  # with what decays, and a bound of its size if it has one
    parts: tuple[Part, ...]

    def twice(self) -> Sum:
        """Twice all mass, in the unit of the sums: noise that is truncated has less of it."""
        bound = self.noise.bound
        return {NIL: TWO} if bound is None else {NIL: TWO, self.noise.decay(bound): -TWO}


Kepts = Goal[Kept, Any]


class Piece(NamedTuple):
    """A piece of the line, with L, L', R', R of g: at its low end and at its high end."""

    low: End
    high: End
    left: Sum
    left_far: Sum
    right_far: Sum
    right: Sum

    def at_low(self) -> Sum:
        """g at the low end."""
        return add(self.left, self.right_far)

    def at_high(self) -> Sum:
        """g at the high end."""
        return add(self.left_far, self.right)

    def mass(self) -> Sum:
        """Twice the integral of g."""
        gained = add(self.left, self.right)
        return add(gained, add(self.left_far, self.right_far), -Fraction(1))


def _signed(
    goal: Kepts, at: End, chosen: Sequence[int], atoms: Sequence[Fraction], growth: Form
) -> Sum:
    """The sum of (P - e^epsilon Q) e^(-distance rho) over some of the atoms, to a place."""
    total: Sum = {}
    if at is None:
        return total
    for k in chosen:
        x = atoms[k]
        spend(32)
        decay = goal.P.noise.decay(abs(at - x))
        if p := goal.P.atoms.get(x):
            accumulate(total, decay, p)
        if q := goal.Q.atoms.get(x):
            accumulate(total, plus(decay, growth), -q)
    return total


def _pieces(goal: Kepts, extra: Sequence[Fraction] = ()) -> Iterator[Piece]:
    """The pieces of the line, from left to right."""
    atoms = sorted({*goal.P.atoms, *goal.Q.atoms})
    ends = {x for part in goal.P.parts for x in (part.low, part.high) if x is not None}
    bound = goal.P.noise.bound
    if bound is not None:
        ends |= {y for x in atoms for y in (x - bound, x + bound)}
    places = sorted({*atoms, *ends, *extra})
    spend(sum(24 + product(x.denominator.bit_length()) for x in places))
    growth = form_of(goal.epsilon)
    limits: list[End] = [None, *places, None]
    for low, high in pairwise(limits):
        spend(8 * len(atoms))
        left = [k for k, x in enumerate(atoms) if low is not None and x <= low]
        right = [k for k, x in enumerate(atoms) if high is not None and x >= high]
        if bound is not None:  # of which the noise reaches the piece
            left = [k for k in left if high is not None and high <= atoms[k] + bound]
            right = [k for k in right if low is not None and low >= atoms[k] - bound]
        sums = [
            _signed(goal, at, chosen, atoms, growth)
            for at, chosen in ((low, left), (high, left), (low, right), (high, right))
        ]
        yield Piece(low, high, *sums)


def _in(piece: Piece, low: End, high: End) -> bool:
    """Whether a piece lies between two ends."""
    above = low is None or (piece.low is not None and piece.low >= low)
    return above and (high is None or (piece.high is not None and piece.high <= high))


def _no_row(goal: Kepts) -> Sum:
    """Twice what no row adds to g where the output is suppressed."""
    gap: Sum = {}
    if goal.P.nothing:
        accumulate(gap, NIL, goal.P.nothing)
    if goal.Q.nothing:
        accumulate(gap, form_of(goal.epsilon), -goal.Q.nothing)
    return multiply(gap, goal.P.twice())


def _masses(goal: Kepts, pieces: Sequence[Piece]) -> Iterator[tuple[Part, Sum]]:
    """Each part with one output, with twice its signed mass."""
    for part in goal.P.parts:
        if part.output is None:
            continue
        total: Sum = _no_row(goal) if part.output == "suppressed" else {}
        for piece in pieces:
            if _in(piece, part.low, part.high):
                total = add(total, piece.mass())
        yield part, total


def _mass(goal: Kepts, s: Sum) -> Mass:
    """What a sum is of all mass."""
    return quotient(s, goal.P.twice()) if s else NOTHING


def kept(goal: Kepts, step: Step) -> Facts:
    """
    delta = 0:  g <= 0 at both ends of every piece that keeps its density, and for every output
    else:       the integrals of [g]_+ over these pieces, and the outputs with g > 0,  <= delta
    -------------------------------------------------------------------------------------- F1, F4
    the goal holds
    """
    if goal.delta == 1:
        return set()
    pieces = list(_pieces(goal))
    total: Sum = {}
    roots: list[Sum] = []
    stays = [part for part in goal.P.parts if part.output is None]
    for piece in pieces:
        if not any(_in(piece, part.low, part.high) for part in stays):
            continue
        low, high = decided_sign(piece.at_low()), decided_sign(piece.at_high())
        if max(low, high) <= 0:
            continue
        if goal.delta_is_zero:
            raise Rejected("the ratio of the densities is not bounded")
        if min(low, high) >= 0:
            total = add(total, piece.mass())
            continue
        falls = low > 0
        mine = piece.left if falls else piece.right
        other = piece.right_far if falls else piece.left_far
        total = add(total, add(mine, other, -Fraction(1)))
        roots.append(multiply(multiply(mine, other), {NIL: -Fraction(1)}))
    for _, mass in _masses(goal, pieces):
        if decided_sign(mass) > 0:
            if goal.delta_is_zero:
                raise Rejected("the ratio of the masses of an output is not bounded")
            total = add(total, mass)
    if goal.delta_is_zero:
        return {"F1"}
    if not roots:
        if excess_sign(_mass(goal, total), NOTHING, form_of(goal.epsilon), goal.delta) > 0:
            raise Rejected("the divergence is above delta")
        return {"F4"}
    for bits in SIGN_BITS:
        try:
            if _is_below(goal, total, roots, Arithmetic(bits)):
                return {"F4"}
        except Undecided:
            continue
        if bits == SIGN_BITS[1] and _is_tied(goal, total, roots):
            return {"F4"}
    raise Rejected("the divergence is not bounded by delta")


def _is_below(goal: Kepts, total: Sum, roots: Sequence[Sum], ar: Arithmetic) -> bool:
    """Established total - 2 sum of roots <= delta times twice all mass."""
    bound: Interval = ar.mul(enclose_number(goal.delta, ar), enclose_sum(goal.P.twice(), ar))
    for radicand in roots:
        root = ar.sqrt(enclose_sum(radicand, ar))
        bound = ar.add(bound, ar.add(root, root))
    return ar.sub(bound, enclose_sum(total, ar))[0] >= 0


def _is_tied(goal: Kepts, total: Sum, roots: Sequence[Sum]) -> bool:
    """Whether total - 2 sum of roots = delta times twice all mass, where each radicand, which is
    positive, is one power: the root of c e^f is e^(f/2 + log(c)/2)."""
    from logarithms import collected, root_form

    for radicand in map(collected, roots):
        if len(radicand) != 1:
            return False
        ((f, c),) = radicand.items()
        total = add(total, {root_form(f, c): Fraction(1)}, -TWO)
    try:
        return excess_sign(_mass(goal, total), NOTHING, form_of(goal.epsilon), goal.delta) == 0
    except Undecided:
        return False


def event_refuted(goal: Kepts, step: Step) -> Facts:
    """
    P(B) - e^epsilon Q(B) - delta >= margin > 0      B a union of intervals of the noisy number,
                                                     of which every output is in B or not
    ----------------------------------------------------------------------------------------------
    the goal fails at B
    """
    arithmetic(step)
    event: list[Span] = event_of(step["event"], points=False)
    ends = [x for span in event for x in span if x is not None]
    pieces = list(_pieces(goal, ends))
    spend(8 * len(pieces) * len(event))
    inside = [piece for piece in pieces if any(_in(piece, *span) for span in event)]
    total: Sum = {}
    for piece in inside:
        total = add(total, piece.mass())
    for part in goal.P.parts:
        if part.output is None:
            continue
        own = [piece for piece in pieces if _in(piece, part.low, part.high)]
        taken = [piece for piece in own if piece in inside]
        if taken and len(taken) < len(own):
            raise Rejected("the event cuts an output")
        if taken and part.output == "suppressed":
            total = add(total, _no_row(goal))
    gap = minus(_mass(goal, total), margin_of(step))
    if excess_sign(gap, NOTHING, form_of(goal.epsilon), goal.delta) < 0:
        raise Rejected("no such margin is proved for the event")
    return set()

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

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from core.enclose import ZERO, Arithmetic, Interval, Undecided
from core.kinds import EVENTS, Kind, Mass, Prior, Rule
from core.masses import NOTHING, excess_sign, minus
from core.quotients import quotient
from core.rules import Facts, Goal, Rejected, Step, arithmetic, margin_of
from core.signs import decided_sign
from core.spans import Part, Span, event_of
from core.value import enclose_number, form_of
from core.work import product, spend
from core.zero import NIL, SIGN_BITS, Sum, accumulate, add, enclose_sum, exp_form, multiply, plus

KIND = Kind(
    {"kept": Rule("core.kept", EVENTS)},
    {"event-refuted": Rule("core.kept", EVENTS)},
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
    """L, L', R', R of g on a piece of the line, exactly or enclosed."""

    left: Any
    left_far: Any
    right_far: Any
    right: Any


class View(NamedTuple):
    """The pieces of a line, exactly or enclosed, and how such numbers are added."""

    piece: Callable[[int], Piece]
    plus: Callable[[Any, Any], Any]
    less: Callable[[Any, Any], Any]
    of: Callable[[Sum], Any]

    def at_low(self, k: int) -> Any:
        """g at the low end of a piece."""
        piece = self.piece(k)
        return self.plus(piece.left, piece.right_far)

    def at_high(self, k: int) -> Any:
        """g at the high end."""
        piece = self.piece(k)
        return self.plus(piece.left_far, piece.right)

    def mass(self, k: int) -> Any:
        """Twice the integral of g."""
        piece = self.piece(k)
        gained = self.plus(piece.left, piece.right)
        return self.less(gained, self.plus(piece.left_far, piece.right_far))


Value = Callable[[View], Any]


class Line:
    """The pieces of the line, from left to right: their ends, and which atoms reach them.

    An enclosure of all of them takes one sweep from either side: what decays across a piece, and
    what begins at a place, or ends there as noise with a bound reaches no further.
    """

    def __init__(self, goal: Kepts, extra: Sequence[Fraction] = ()) -> None:
        self.goal = goal
        self.atoms = sorted({*goal.P.atoms, *goal.Q.atoms})
        ends = {x for part in goal.P.parts for x in (part.low, part.high) if x is not None}
        bound = goal.P.noise.bound
        if bound is not None:
            ends |= {y for x in self.atoms for y in (x - bound, x + bound)}
        self.places = sorted({*self.atoms, *ends, *extra})
        spend(sum(24 + product(x.denominator.bit_length()) for x in self.places))
        self.ends: list[tuple[End, End]] = list(pairwise([None, *self.places, None]))
        self._reach = list(self._windows(bound))
        self._views: dict[int, View] = {}

    def _windows(self, bound: End) -> Iterator[tuple[int, int, int]]:
        """Of each piece the first atom that reaches it from the left, the first behind it, and the
        first that does not reach it from there."""
        atoms, size = self.atoms, len(self.atoms)
        first = last = behind = 0
        for low, high in self.ends:
            spend(8)
            while last < size and low is not None and atoms[last] <= low:
                last += 1
            if bound is None:
                yield (0, last, size)
                continue
            while first < last and (high is None or atoms[first] + bound < high):
                first += 1
            behind = max(behind, last)
            while behind < size and low is not None and atoms[behind] - bound <= low:
                behind += 1
            yield first, last, last if low is None else behind

    def exactly(self) -> View:
        """Each piece made of exact sums when it is asked for."""
        return View(self._exact, add, lambda x, y: add(x, y, -Fraction(1)), lambda s: s)

    def _exact(self, k: int) -> Piece:
        low, high = self.ends[k]
        first, last, behind = self._reach[k]
        left, right = self.atoms[first:last], self.atoms[last:behind]
        return Piece(*(
            self._signed(at, some)
            for at, some in ((low, left), (high, left), (low, right), (high, right))
        ))  # fmt: skip

    def _signed(self, at: End, atoms: Sequence[Fraction]) -> Sum:
        """The sum of (P - e^epsilon Q) e^(-distance rho) over some of the atoms, to a place."""
        goal, growth = self.goal, form_of(self.goal.epsilon)
        total: Sum = {}
        if at is None:
            return total
        for x in atoms:
            spend(32)
            decay = goal.P.noise.decay(abs(at - x))
            if p := goal.P.atoms.get(x):
                accumulate(total, decay, p)
            if q := goal.Q.atoms.get(x):
                accumulate(total, plus(decay, growth), -q)
        return total

    def enclosed(self, ar: Arithmetic) -> View:
        """All pieces enclosed."""
        if ar.bits not in self._views:
            found = self._swept(ar)
            self._views[ar.bits] = View(
                found.__getitem__, ar.add, ar.sub, lambda s: enclose_sum(s, ar)
            )
        return self._views[ar.bits]

    def _swept(self, ar: Arithmetic) -> list[Piece]:
        goal, size = self.goal, len(self.places)
        noise, bound = goal.P.noise, goal.P.noise.bound
        growth = exp_form(form_of(goal.epsilon), ar)
        last = ZERO if bound is None else exp_form(noise.decay(bound), ar)
        ways = [ZERO] * size, [ZERO] * size
        index = {x: k for k, x in enumerate(self.places)}
        for x in self.atoms:
            p, q = (ar.of(law.atoms.get(x, NOTHING)) for law in (goal.P, goal.Q))
            mass = ar.sub(p, ar.mul(growth, q))
            for way, sign in zip(ways, (1, -1), strict=True):
                way[index[x]] = ar.add(way[index[x]], mass)
                if bound is not None:
                    end = index[x + sign * bound]
                    way[end] = ar.sub(way[end], ar.mul(mass, last))
        across: list[Interval] = []
        gap, decay = NOTHING, ZERO
        for low, high in pairwise(self.places):
            if high - low != gap:
                gap = high - low
                decay = exp_form(noise.decay(gap), ar)
            across.append(decay)
        left = _one_way(ways[0], across, ar)
        right = _one_way(ways[1][::-1], across[::-1], ar)[::-1]
        return [
            Piece(*(come if first < last else (ZERO, ZERO)),
                  *(gone[::-1] if last < behind else (ZERO, ZERO)))
            for (first, last, behind), come, gone in zip(self._reach, left, right, strict=True)
        ]  # fmt: skip

    def sign(self, value: Value) -> int:
        """The sign of a number that is made of pieces: enclosed, else exactly."""
        for bits in SIGN_BITS[:2]:
            low, high, _ = value(self.enclosed(Arithmetic(bits)))
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
        return decided_sign(value(self.exactly()))

    def inside(self, low: End, high: End) -> list[int]:
        """The pieces between two ends."""
        spend(2 * len(self.ends))
        return [
            k for k, (a, b) in enumerate(self.ends)
            if (low is None or (a is not None and a >= low))
            and (high is None or (b is not None and b <= high))
        ]  # fmt: skip


def _one_way(
    gained: Sequence[Interval], across: Sequence[Interval], ar: Arithmetic
) -> list[tuple[Interval, Interval]]:
    """What comes over each piece, where it begins and where it ends."""
    found, now = [(ZERO, ZERO)], ZERO
    for mass, decay in zip(gained, [*across, ZERO], strict=True):
        now = ar.add(now, mass)
        found.append((now, ar.mul(now, decay)))
        now = found[-1][1]
    return found


def _no_row(goal: Kepts) -> Sum:
    """Twice what no row adds to g where the output is suppressed."""
    gap: Sum = {}
    if goal.P.nothing:
        accumulate(gap, NIL, goal.P.nothing)
    if goal.Q.nothing:
        accumulate(gap, form_of(goal.epsilon), -goal.Q.nothing)
    return multiply(gap, goal.P.twice())


def _sum(pieces: Sequence[int], more: Sum) -> Value:
    """Twice the signed mass of some pieces, and more."""

    def value(view: View) -> Any:
        total = view.of(more)
        for k in pieces:
            total = view.plus(total, view.mass(k))
        return total

    return value


def _outputs(goal: Kepts, line: Line) -> Iterator[tuple[list[int], Sum]]:
    """Of each part with one output its pieces, and what no row adds."""
    for part in goal.P.parts:
        if part.output is not None:
            more: Sum = _no_row(goal) if part.output == "suppressed" else {}
            yield line.inside(part.low, part.high), more


def _mass(goal: Kepts, s: Sum) -> Mass:
    """What a sum is of all mass."""
    return quotient(s, goal.P.twice()) if s else NOTHING


class Positive(NamedTuple):
    """The positive part of g: twice its integral is the sum of `whole` less twice the roots of
    minus the product of both numbers of a piece."""

    whole: list[Value]
    roots: list[tuple[int, bool]]  # a piece, and whether g falls there

    def total(self, view: View) -> Any:
        """The sum without the roots."""
        found = view.of({})
        for value in self.whole:
            found = view.plus(found, value(view))
        return found

    def factors(self, view: View) -> list[tuple[Any, Any]]:
        """Of each root the number that is positive and the one that is negative."""
        found = []
        for k, falls in self.roots:
            piece = view.piece(k)
            found.append(
                (piece.left, piece.right_far) if falls else (piece.right, piece.left_far)
            )
        return found


def _to_the_zero(k: int, *, falls: bool) -> Value:
    """L - R', or R - L'."""

    def value(view: View) -> Any:
        piece = view.piece(k)
        if falls:
            return view.less(piece.left, piece.right_far)
        return view.less(piece.right, piece.left_far)

    return value


def kept(goal: Kepts, step: Step) -> Facts:
    """
    delta = 0:  g <= 0 at both ends of every piece that keeps its density, and for every output
    else:       the integrals of [g]_+ over these pieces, and the outputs with g > 0,  <= delta
    -------------------------------------------------------------------------------------- F1, F4
    the goal holds
    """
    if goal.delta == 1:
        return set()
    line, found = Line(goal), Positive([], [])
    for part in goal.P.parts:
        for k in line.inside(part.low, part.high) if part.output is None else ():
            low, high = line.sign(partial(View.at_low, k=k)), line.sign(partial(View.at_high, k=k))
            if max(low, high) <= 0:
                continue
            if goal.delta_is_zero:
                raise Rejected("the ratio of the densities is not bounded")
            if min(low, high) >= 0:
                found.whole.append(_sum([k], {}))
                continue
            found.whole.append(_to_the_zero(k, falls=low > 0))
            found.roots.append((k, low > 0))
    for pieces, more in _outputs(goal, line):
        value = _sum(pieces, more)
        if line.sign(value) > 0:
            if goal.delta_is_zero:
                raise Rejected("the ratio of the masses of an output is not bounded")
            found.whole.append(value)
    if goal.delta_is_zero:
        return {"F1"}
    for bits in SIGN_BITS:
        try:
            if _is_below(goal, found, line.enclosed(ar := Arithmetic(bits)), ar):
                return {"F4"}
        except Undecided:
            continue
        if bits == SIGN_BITS[1] and _is_tied(goal, found, line.exactly()):
            return {"F4"}
    raise Rejected("the divergence is not bounded by delta")


def _is_below(goal: Kepts, found: Positive, view: View, ar: Arithmetic) -> bool:
    """Established total - 2 sum of roots <= delta times twice all mass."""
    bound: Interval = ar.mul(enclose_number(goal.delta, ar), enclose_sum(goal.P.twice(), ar))
    for mine, other in found.factors(view):
        root = ar.sqrt(ar.neg(ar.mul(mine, other)))
        bound = ar.add(bound, ar.add(root, root))
    low, high, _ = ar.sub(bound, found.total(view))
    if high < 0:
        raise Rejected("the divergence is above delta")
    return low >= 0


def _is_tied(goal: Kepts, found: Positive, view: View) -> bool:
    """Whether total - 2 sum of roots = delta times twice all mass, where each radicand, which is
    positive, is one power: the root of c e^f is e^(f/2 + log(c)/2)."""
    total = found.total(view)
    for mine, other in found.factors(view):
        from core.logarithms import collected, root_form

        radicand = collected(multiply(multiply(mine, other), {NIL: -Fraction(1)}))
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
    ------------------------------------------------------------------------------------------ F45
    the goal fails at B
    """
    arithmetic(step)
    event: list[Span] = event_of(step["event"], points=False)
    line = Line(goal, [x for span in event for x in span if x is not None])
    inside = {k for span in event for k in line.inside(*span)}
    more: Sum = {}
    for own, extra in _outputs(goal, line):
        taken = inside.intersection(own)
        if taken and len(taken) < len(own):
            raise Rejected("the event cuts an output")
        if taken:
            more = add(more, extra)
    value, least = _sum(sorted(inside), more), margin_of(step)
    for bits in SIGN_BITS[:2]:
        ar = Arithmetic(bits)
        needed = ar.add(ar.of(least), enclose_number(goal.delta, ar))
        needed = ar.mul(needed, enclose_sum(goal.P.twice(), ar))
        if ar.sub(value(line.enclosed(ar)), needed)[0] >= 0:
            return {"F45"}
    gap = minus(_mass(goal, value(line.exactly())), least)
    if excess_sign(gap, NOTHING, form_of(goal.epsilon), goal.delta) < 0:
        raise Rejected("no such margin is proved for the event")
    return {"F45"}

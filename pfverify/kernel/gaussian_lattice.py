"""The inference rules for atoms with discrete Gaussian noise on a lattice.  As in `rules`.

In steps of the lattice let the atoms be a_i, c_i = P(a_i) - e^epsilon Q(a_i), v the variance and
h(d) = e^(-d^2/(2v)).  The mass of g = p - e^epsilon q at k is G(k) = sum of c_i h(k - a_i), over
Z = sum of h over the integers.  For a_j > a_i the quotient h(k - a_i) / h(k - a_j) =
e^(-(a_j - a_i)(2k - a_i - a_j)/(2v)) falls in k: where the last atom with c_j != 0 outweighs all
others once, it does at every k beyond, and G has the sign of c_j; mirrored on the left.  For
d >= 0 the sum of h beyond d is at most h(d) r/(1 - r), r = e^(-(2d+1)/(2v)).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, isqrt

from enclose import ONE, ZERO, Arithmetic, Interval, upper_end
from files import canonical_rational
from grammar import Malformed, canonical, shown
from kinds import EVENTS, Kind, Prior, Rule
from noise import Noise
from priors import places
from rules import Facts, Goal, Rejected, Step, arithmetic, at_most, margin_of
from signs import decided_sign
from spans import event_of
from value import enclose_number, form_of
from work import spend
from zero import NIL, Form, Sum, accumulate, constant, exp_form, plus

KIND = Kind(
    {"pure": Rule("gaussian_lattice"), "delta-upper": Rule("gaussian_lattice", EVENTS)},
    {
        "pure-refuted": Rule("gaussian_lattice"),
        "event-refuted": Rule("gaussian_lattice", EVENTS),
    },
    "the rule is not for discrete gaussian noise",
)
MOST = 4_000_000  # atoms times points of the lattice
FIRST_BITS = 96
Atoms = Goal[Prior, Noise]


class Lattice:
    """A goal in steps of the lattice."""

    def __init__(self, goal: Atoms) -> None:
        step, variance = goal.release.step, goal.release.amount
        if step is None or not isinstance(variance, Fraction) or variance <= 0:
            raise Malformed("discrete gaussian noise needs a step and a positive variance")
        found = places(goal.P, goal.Q)
        self.goal, self.step, self.origin = goal, step, found[0]
        self.variance = variance / step**2
        self.atoms = [int((x - self.origin) / step) for x in found]
        self.masses = [(goal.P.get(x, Fraction(0)), goal.Q.get(x, Fraction(0))) for x in found]

    def form(self, distance: int) -> Form:
        """The exponent of h."""
        return constant(-Fraction(distance * distance) / (2 * self.variance))

    def bell(self, distance: int, ar: Arithmetic) -> Interval:
        """h, each distance once."""
        key = "bell", abs(distance)
        if key not in ar.memo:
            ar.memo[key] = exp_form(self.form(distance), ar)
        return ar.memo[key]

    def beyond(self, distance: int, ar: Arithmetic) -> Interval:
        """At least the sum of h beyond a distance >= 0."""
        ratio = exp_form(constant(-Fraction(2 * distance + 1) / (2 * self.variance)), ar)
        return ar.div(ar.mul(self.bell(distance, ar), ratio), ar.sub(ONE, ratio))

    def reach(self, bits: int) -> int:
        """Beyond it h is below about 2^-bits."""
        found = isqrt(ceil(2 * bits * self.variance)) + 2
        if found * len(self.atoms) > MOST:
            raise Rejected("a window of the lattice that is too wide")
        return found

    def whole(self, ar: Arithmetic) -> Interval:
        """Z."""
        reach, total = self.reach(ar.bits), ONE
        for k in range(1, reach + 1):
            spend(32)
            h = self.bell(k, ar)
            total = ar.add(total, ar.add(h, h))
        low, _, e = total
        rest = self.beyond(reach, ar)
        more = ar.add(total, ar.add(rest, rest))
        return ar.fit(*_hull((low, low, e), upper_end(more)))

    def jumps(self, ar: Arithmetic) -> list[Interval]:
        """The c_i."""
        factor = exp_form(form_of(self.goal.epsilon), ar)
        return [ar.sub(ar.of(p), ar.mul(factor, ar.of(q))) for p, q in self.masses]

    def value(self, k: int, jumps: list[Interval], ar: Arithmetic) -> Interval:
        """G(k)."""
        total = ZERO
        spend(32 * len(jumps))
        for a, c in zip(self.atoms, jumps, strict=True):
            total = ar.add(total, ar.mul(c, self.bell(k - a, ar)))
        return total

    def exactly(self, k: int) -> Sum:
        """G(k) as an exponential sum."""
        epsilon, total = form_of(self.goal.epsilon), dict[Form, Fraction]()
        for a, (p, q) in zip(self.atoms, self.masses, strict=True):
            h = self.form(k - a)
            if p:
                accumulate(total, h, p)
            if q:
                accumulate(total, plus(h, epsilon), -q)
        return total

    def jump(self, i: int) -> int:
        """The sign of c_i, decided."""
        p, q = self.masses[i]
        total: Sum = {}
        if p:
            accumulate(total, NIL, p)
        if q:
            accumulate(total, form_of(self.goal.epsilon), -q)
        return decided_sign(total)

    def edge(self, lead: int, way: int) -> int:
        """Where the atom `lead` outweighs all those behind it, and so beyond (way 1: right)."""
        ar = Arithmetic(FIRST_BITS)
        jumps, mine = self.jumps(ar), self.atoms[lead]
        behind = range(lead) if way > 0 else range(lead + 1, len(self.atoms))
        low, high, e = jumps[lead]
        size = (low, high, e) if low > 0 else ar.neg((low, high, e))
        distance = 1
        while distance * len(self.atoms) <= MOST:
            k, rest = mine + way * distance, ZERO
            spend(256 * len(behind) + 64)
            for i in behind:
                power = (k - self.atoms[i]) ** 2 - (k - mine) ** 2
                a, b, f = jumps[i]
                largest = max(abs(a), abs(b))
                decay = exp_form(constant(-Fraction(power) / (2 * self.variance)), ar)
                rest = ar.add(rest, ar.mul((largest, largest, f), decay))
            if ar.sub(size, rest)[0] > 0:
                return k
            distance *= 2
        raise Rejected("a window of the lattice that is too wide")


def _hull(x: Interval, y: Interval) -> Interval:
    from special import hull

    return hull(x, y)


def _leading(lattice: Lattice, order: Iterator[int]) -> int | None:
    """The first of some atoms with c != 0, which must be negative; None where all are 0."""
    for i in order:
        sign = lattice.jump(i)
        if sign > 0:
            raise Rejected("the ratio is not bounded far out")
        if sign < 0:
            return i
    return None


def pure(goal: Atoms, step: Step) -> Facts:
    """
    the first and the last c_i != 0 are negative      G(k) <= 0 between where they dominate
    --------------------------------------------------------------------------------- F48
    p <= e^epsilon q everywhere; hence D <= 0
    """
    if step["ties"] != []:
        raise Malformed("discrete gaussian noise has no list of ties")
    lattice = Lattice(goal)
    count = len(lattice.atoms)
    first = _leading(lattice, iter(range(count)))
    last = _leading(lattice, iter(range(count - 1, -1, -1)))
    if first is None or last is None:
        return {"F48"}
    low, high = lattice.edge(first, -1), lattice.edge(last, 1)
    if (high - low) * count > MOST:
        raise Rejected("a window of the lattice that is too wide")
    ar = arithmetic(step)
    jumps = lattice.jumps(ar)
    for k in range(low, high + 1):
        _, above, _ = lattice.value(k, jumps, ar)
        if above > 0 and decided_sign(lattice.exactly(k)) > 0:
            raise Rejected("the ratio is not bounded at an output")
    return {"F48"}


def delta_upper(goal: Atoms, step: Step) -> Facts:
    """
    sum over a window of [G(k)]_+  +  bounds of the tails  <=  delta Z
    ------------------------------------------------------------------ F48
    D <= delta
    """
    if goal.delta == 1:
        return set()
    lattice, ar = Lattice(goal), arithmetic(step)
    jumps, reach = lattice.jumps(ar), lattice.reach(ar.bits)
    low, high = lattice.atoms[0] - reach, lattice.atoms[-1] + reach
    if (high - low) * len(lattice.atoms) > MOST:
        raise Rejected("a window of the lattice that is too wide")
    total = ZERO
    for k in range(low, high + 1):
        above = upper_end(lattice.value(k, jumps, ar))
        if above[1] > 0:
            total = ar.add(total, above)
    for a, c in zip(lattice.atoms, jumps, strict=True):
        above = upper_end(c)
        if above[1] > 0:
            tails = ar.add(lattice.beyond(a - low, ar), lattice.beyond(high - a, ar))
            total = ar.add(total, ar.mul(above, tails))
    if not at_most(total, ar.mul(enclose_number(goal.delta, ar), lattice.whole(ar)), ar):
        raise Rejected("the divergence is not bounded by delta at this precision")
    return {"F48"}


def _point(lattice: Lattice, y: Fraction) -> int:
    k = (y - lattice.origin) / lattice.step
    if k.denominator != 1:
        raise Rejected(f"{shown(canonical(y))} is not a point of the lattice")
    return int(k)


def pure_refuted(goal: Atoms, step: Step) -> Facts:
    """
    delta = 0     p(y) >= e^(epsilon + margin) q(y)     margin > 0
    --------------------------------------------------------------
    the goal fails at y
    """
    if not goal.delta_is_zero:
        raise Rejected("a point refutes a pure bound only")
    lattice, ar, least = Lattice(goal), arithmetic(step), margin_of(step)
    k = _point(lattice, canonical_rational(step["y"], "y"))
    spend(64 * len(lattice.atoms))
    sides = []
    for which in (0, 1):
        total = ZERO
        for a, masses in zip(lattice.atoms, lattice.masses, strict=True):
            total = ar.add(total, ar.mul(ar.of(masses[which]), lattice.bell(k - a, ar)))
        sides.append(total)
    factor = exp_form(plus(form_of(goal.epsilon), constant(least)), ar)
    if sides[0][0] <= 0 or not at_most(ar.mul(factor, sides[1]), sides[0], ar):
        raise Rejected("no such margin is proved at the output")
    return set()


def event_refuted(goal: Atoms, step: Step) -> Facts:
    """
    sum over B of G(k) >= (delta + margin) Z      margin > 0, B finitely many points of the lattice
    ------------------------------------------------------------------------------------------------
    the goal fails at B
    """
    lattice, ar, least = Lattice(goal), arithmetic(step), margin_of(step)
    jumps, total, count = lattice.jumps(ar), ZERO, 0
    for low, high in event_of(step["event"]):
        if low is None or high is None:
            raise Rejected("an event of finitely many outputs is expected")
        first, last = _point(lattice, low), _point(lattice, high)
        count += last - first + 1
        if count * len(lattice.atoms) > MOST:
            raise Rejected("an event of too many outputs")
        for k in range(first, last + 1):
            total = ar.add(total, lattice.value(k, jumps, ar))
    bound = ar.add(enclose_number(goal.delta, ar), ar.of(least))
    if not at_most(ar.mul(bound, lattice.whole(ar)), total, ar):
        raise Rejected("no such margin is proved for the event")
    return set()

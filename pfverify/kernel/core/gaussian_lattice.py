"""The inference rules for atoms with discrete Gaussian noise on a lattice.  As in `rules`.

In steps of the lattice let the atoms be a_i, c_i = P(a_i) - e^epsilon Q(a_i), v the variance and
h(d) = e^(-d^2/(2v)).  The mass of g = p - e^epsilon q at k is G(k) = sum of c_i h(k - a_i), over
Z = sum of h over the integers.  For a_j > a_i the quotient h(k - a_i) / h(k - a_j) =
e^(-(a_j - a_i)(2k - a_i - a_j)/(2v)) falls in k: where the last atom with c_j != 0 outweighs all
others once, it does at every k beyond, and G has the sign of c_j; mirrored on the left.  For
d >= 0 the sum of h beyond d is at most h(d) r/(1 - r), r = e^(-(2d+1)/(2v)).

An output is a cell of the lattice: one point, or what steps (`gaussian_steps`) make of a run of
them.  G of a cell is the sum over its points, and where it has one sign at all of them it has that.
What is suppressed has c_0 Z besides, c_0 that of no row.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, isqrt
from typing import Any, NamedTuple

from core.enclose import ONE, ZERO, Arithmetic, Interval, upper_end
from core.grammar import Malformed, canonical, shown
from core.kinds import EVENTS, Kind, Prior, Rule
from core.rules import Facts, Goal, Rejected, Step, arithmetic, at_most, margin_of
from core.shapes import canonical_rational, places
from core.signs import decided_sign
from core.spans import event_of
from core.value import enclose_number, form_of
from core.work import spend
from core.zero import NIL, SIGN_BITS, Form, Sum, accumulate, constant, exp_form, plus

KIND = Kind(
    {"pure": Rule("core.gaussian_lattice"), "delta-upper": Rule("core.gaussian_lattice", EVENTS)},
    {
        "pure-refuted": Rule("core.gaussian_lattice"),
        "event-refuted": Rule("core.gaussian_lattice", EVENTS),
    },
    "the rule is not for discrete gaussian noise",
)
MOST = 4_000_000  # atoms times points of the lattice
EXACT = 4096  # points of a cell times atoms, which are summed exactly
NOTHING = Fraction(0)
Atoms = Goal[Any, Any]


class Cell(NamedTuple):
    """An output: its points from `low` to `high` (None: no end)."""

    low: int | None
    high: int | None
    output: str


class Lattice:
    """A goal in steps of the lattice."""

    hidden: Cell | None = None  # what is suppressed, where there may be no row
    nothing = NOTHING, NOTHING  # the masses of no row

    def __init__(self, goal: Atoms) -> None:
        self.read(goal, goal.P, goal.Q, goal.release)

    def read(self, goal: Atoms, p: Prior, q: Prior, noise: Any) -> None:
        """Take two laws of X and the noise."""
        step, variance = noise.step, noise.amount
        if step is None or not isinstance(variance, Fraction) or variance <= 0:
            raise Malformed("discrete gaussian noise needs a step and a positive variance")
        found = places(p, q)
        self.goal, self.step, self.origin = goal, step, found[0] if found else NOTHING
        self.variance = variance / step**2
        self.atoms = [int((x - self.origin) / step) for x in found]
        self.masses = [(p.get(x, NOTHING), q.get(x, NOTHING)) for x in found]

    def cells(self, low: int, high: int) -> list[Cell]:
        """The cells of some points, from left to right."""
        if (high - low) * len(self.atoms) > MOST:
            raise Rejected("a window of the lattice that is too wide")
        return self.runs(low, high)

    def runs(self, low: int, high: int) -> list[Cell]:
        """The same: single points."""
        return [Cell(k, k, "") for k in range(low, high + 1)]

    # ------------------------------------------------------------ sums

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
        """The c_i, and last c_0."""
        factor = exp_form(form_of(self.goal.epsilon), ar)
        pairs = [*self.masses, self.nothing]
        return [ar.sub(ar.of(p), ar.mul(factor, ar.of(q))) for p, q in pairs]

    def value(self, cell: Cell, jumps: list[Interval], ar: Arithmetic) -> Interval:
        """G of a cell, of which points that are far from all atoms are bounded together."""
        total, none = ZERO, jumps[-1]
        if cell == self.hidden:
            total = ar.mul(none, self.whole(ar))
        if not self.atoms:
            return total
        reach, (low, high, _) = self.reach(ar.bits), cell
        first, last = self.atoms[0], self.atoms[-1]
        near = min(first, first if high is None else high) - reach
        far = max(last, last if low is None else low) + reach
        start = near if low is None else max(near, low)
        end = far if high is None else min(far, high)
        if (end - start) * len(self.atoms) > MOST:
            raise Rejected("an output of too many points")
        spend(32 * len(self.atoms) * max(end + 1 - start, 1))
        for a, c in zip(self.atoms, jumps, strict=False):
            sum_of = ZERO
            for k in range(start, end + 1):
                sum_of = ar.add(sum_of, self.bell(k - a, ar))
            total = ar.add(total, ar.mul(c, sum_of))
            for cut, distance in ((start != low, a - start), (end != high, end - a)):
                if cut:
                    b, d, e = ar.mul(c, self.beyond(distance, ar))
                    total = ar.add(total, (min(b, 0), max(d, 0), e))
        return total

    def exactly(self, cell: Cell) -> Sum | None:
        """G of a cell of few points as an exponential sum; where nothing else is suppressed, of no
        row, without Z."""
        epsilon, total, (low, high, _) = form_of(self.goal.epsilon), dict[Form, Fraction](), cell
        if low is None or high is None or (high + 1 - low) * len(self.atoms) > EXACT:
            return None
        pairs = [(NIL, *self.nothing)] if cell == self.hidden else []
        if pairs and low <= high:
            return None
        for a, masses in zip(self.atoms, self.masses, strict=True):
            pairs += [(self.form(k - a), *masses) for k in range(low, high + 1)]
        for h, p, q in pairs:
            if p:
                accumulate(total, h, p)
            if q:
                accumulate(total, plus(h, epsilon), -q)
        return total

    def require_not_positive(
        self, cell: Cell, tried: Sequence[tuple[list[Interval], Arithmetic]]
    ) -> None:
        """Rejected unless G of a cell is at most 0, which one of the precisions or a sum proves."""
        for k, (jumps, ar) in enumerate(tried):
            low, above, _ = self.value(cell, jumps, ar)
            if above <= 0:
                return
            exact = None if k else self.exactly(cell)
            if exact is not None and decided_sign(exact) <= 0:
                return
            if low > 0 or exact is not None:
                break
        raise Rejected("the ratio is not bounded at an output")

    def require_margin(self, cell: Cell, margin: Fraction, ar: Arithmetic) -> Facts:
        """Rejected unless P > e^(epsilon + margin) Q is proved in a cell."""
        factor = exp_form(plus(form_of(self.goal.epsilon), constant(margin)), ar)
        pairs = [*self.masses, self.nothing]
        jumps = [ar.sub(ar.of(p), ar.mul(factor, ar.of(q))) for p, q in pairs]
        if self.value(cell, jumps, ar)[0] <= 0:
            raise Rejected("no such margin is proved at the output")
        return set()

    def all_one(self, cell: Cell) -> bool:
        """Whether a cell is all that is ever published."""
        return (cell.low, cell.high) == (None, None) and self.hidden in (None, cell)

    def jump(self, i: int) -> int:
        """The sign of c_i, decided; after the last atom's that of c_0."""
        p, q = [*self.masses, self.nothing][i]
        total: Sum = {}
        if p:
            accumulate(total, NIL, p)
        if q:
            accumulate(total, form_of(self.goal.epsilon), -q)
        return decided_sign(total)

    def edge(self, lead: int, way: int) -> int:
        """Where the atom `lead` outweighs all those behind it, and so beyond (way 1: right)."""
        for bits in SIGN_BITS[1:4]:
            ar = Arithmetic(bits)
            jumps, mine = self.jumps(ar), self.atoms[lead]
            size = jumps[lead] if jumps[lead][0] > 0 else ar.neg(jumps[lead])
            if size[0] > 0:  # it is not 0, but may be tiny
                break
        behind = range(lead) if way > 0 else range(lead + 1, len(self.atoms))
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
    from core.special import hull

    return hull(x, y)


def pure(goal: Atoms, step: Step) -> Facts:
    """
    G <= 0 in every cell of a window, and in what is suppressed
    beyond it, where there are cells, the first or the last c_i != 0 dominates, and is negative
    ------------------------------------------------------------------------------------------- F48h
    p <= e^epsilon q everywhere; hence D <= 0
    """
    if step["ties"] != []:
        raise Malformed("discrete gaussian noise has no list of ties")
    return require_ratio(Lattice(goal), (arithmetic(step),))


def delta_upper(goal: Atoms, step: Step) -> Facts:
    """
    sum over cells of a window of [G]_+  +  bounds of the tails  <=  delta Z
    ------------------------------------------------------------------------ F48i
    D <= delta
    """
    if goal.delta == 1:
        return set()
    return require_delta(Lattice(goal), arithmetic(step))


def require_ratio(lattice: Lattice, tried: Sequence[Arithmetic]) -> Facts:
    """Rejected unless `pure` holds."""
    count = len(lattice.atoms)
    leads = [i for i in range(count) if lattice.jump(i)]
    if not leads:
        if lattice.jump(count) > 0:
            raise Rejected("the ratio is not bounded where there is no row")
        return {"F48h"}
    ends = lattice.edge(leads[0], -1), lattice.edge(leads[-1], 1)
    cells = lattice.cells(*ends)
    if lattice.all_one(cells[0]):
        return {"F48h"}
    for end, way, lead in ((cells[0].low, -1, leads[0]), (cells[-1].high, 1, leads[-1])):
        if end is None or lattice.jump(lead) < 0:
            continue
        if lattice.cells(end + way, end + way) != [lattice.hidden]:
            raise Rejected("the ratio is not bounded far out")
    known = [(lattice.jumps(ar), ar) for ar in tried]
    for cell in [*cells, *([] if lattice.hidden is None else [lattice.hidden])]:
        lattice.require_not_positive(cell, known)
    return {"F48h", "F48i"}


def require_delta(lattice: Lattice, ar: Arithmetic) -> Facts:
    """Rejected unless `delta_upper` holds."""
    goal, hidden = lattice.goal, lattice.hidden
    if not lattice.atoms:
        raise Rejected("without atoms the ratio is bounded, or nothing")
    jumps, reach, total = lattice.jumps(ar), lattice.reach(ar.bits), ZERO
    low, high = lattice.atoms[0] - reach, lattice.atoms[-1] + reach
    cells = lattice.cells(low, high)
    if hidden is not None and hidden not in cells:
        cells.append(hidden)
    for cell in cells:
        above = upper_end(lattice.value(cell, jumps, ar))
        if above[1] > 0:
            total = ar.add(total, above)
    for a, c in zip(lattice.atoms, jumps, strict=False):
        above = upper_end(c)
        if above[1] > 0:
            tails = ar.add(lattice.beyond(a - low, ar), lattice.beyond(high - a, ar))
            total = ar.add(total, ar.mul(above, tails))
    if not at_most(total, ar.mul(enclose_number(goal.delta, ar), lattice.whole(ar)), ar):
        raise Rejected("the divergence is not bounded by delta at this precision")
    return {"F48i"}


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
    return lattice.require_margin(Cell(k, k, ""), least, ar)


def event_refuted(goal: Atoms, step: Step) -> Facts:
    """
    sum over B of G(k) >= (delta + margin) Z      margin > 0, B finitely many points of the lattice
    ------------------------------------------------------------------------------------------- F48i
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
            total = ar.add(total, lattice.value(Cell(k, k, ""), jumps, ar))
    bound = ar.add(enclose_number(goal.delta, ar), ar.of(least))
    if not at_most(ar.mul(bound, lattice.whole(ar)), total, ar):
        raise Rejected("no such margin is proved for the event")
    return {"F48i"}

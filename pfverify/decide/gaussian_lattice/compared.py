"""Atoms with discrete Gaussian noise, compared on the lattice, with steps after the noise or none.

With atoms a_i, c_i = P(a_i) - e**epsilon Q(a_i) and variance v, all in steps of the lattice, the
mass of g = p - e**epsilon q at k is sum c_i e**(-(k - a_i)**2 / (2v)), up to a factor that both
laws share. Far to the right the last atom with c_i != 0 dominates, and from where it does once it
does on; so the sign of g is known outside a window, and that of outputs of points out there too.
The divergence sums g over the outputs of a window, and bounds the rest by geometric sums.
Source: design facts F45 and F48.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from math import log

from pfverify.decide.breach import Breach, Place
from pfverify.decide.comparison import Difference, Orders, Settled, Supremum
from pfverify.decide.evidence import AtAtoms, ByRule
from pfverify.decide.gaussian_lattice.laws import MOST, WIDE, LatticePair, PointRun
from pfverify.decide.gaussian_lattice.turn import excess_at, turn_of
from pfverify.decide.step import Evidence
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.ball import Ball, Raw, current_precision, precision, raw, rising_sign
from pfverify.exact.expsum import CAP_BITS, Exponent, ExpSum
from pfverify.exact.grid import Grid
from pfverify.exact.refined import INFINITE, ZERO, ByBalls, OnGrid, Refined, rising_balls
from pfverify.exact.rising import rising
from pfverify.exact.search import halved, least_decimal
from pfverify.laws.forms import LatticeRuns
from pfverify.laws.gaussian_lattice import GaussianAtoms
from pfverify.model.notion import Bound
from pfverify.model.steps.step import SUPPRESSED
from pfverify.model.target import Target

_BITS, _PASS_BITS = 96, 128
_TIE_BITS = 1 << 12  # where a sum without end is given up
_EXACT = 4096  # points of an output times atoms, which are summed exactly
_EVENT = 32  # of an event not more than what noise reaches with so many bits
_CAP = "g cannot be told from 0 at an output, and epsilon is outside the exact classes"
_ENDLESS = "an output of too many points may tie: there is no exact test for it"
_NEAR = "the divergence cannot be told from delta; for this noise there is no exact test of a tie"


def compared(
    one: GaussianAtoms | LatticeRuns, two: GaussianAtoms | LatticeRuns, target: Target
) -> Orders:
    """Return both orders of two laws of atoms with noise of one variance, and steps after it."""
    steps, step, rows = one.steps, one.step, [one.row, two.row]
    if any(step.wraps for step in steps):
        raise InputError(
            "post: modulo after discrete-gaussian noise is not worked out; expected laplace, "
            "discrete-laplace or truncated-laplace noise, a table, or other steps"
        )
    origin = min((x for row in rows for x in row.mass), default=Fraction(0))
    first, second = (
        {int((x - origin) / step): m for x, m in row.mass.items()} for row in rows
    )
    variance = one.variance / step**2
    nothing = (1 - rows[0].chance, 1 - rows[1].chance)
    pair = LatticePair(first, second, variance, origin, step, steps, nothing)
    return GaussianLattice(pair, target), GaussianLattice(pair.turned(), target)


class GaussianLattice(Difference):
    """One order of two laws of atoms under discrete Gaussian noise."""

    no_witness = "no margin was proved at the highest precision tried"

    def __init__(self, pair: LatticePair, target: Target) -> None:
        self.pair, self.target = pair, target

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law, or all that is published is."""
        return self.pair.equal

    def against(self, target: Target) -> GaussianLattice:
        """Return the same laws, held to another target."""
        return GaussianLattice(self.pair, target)

    # ---------------------------------------------------------------- the sign of g

    def _jump(self, atom: int) -> ExpSum | None:
        return self._gap(self.pair.p.get(atom, Fraction(0)), self.pair.q.get(atom, Fraction(0)))

    def _gap(self, p: Fraction, q: Fraction) -> ExpSum | None:
        """p - e**epsilon q exactly; None outside the exact classes."""
        epsilon = self.target.epsilon.formal
        if epsilon is None and q:
            return None
        gone = ExpSum({}) if epsilon is None else ExpSum.power(epsilon, q)
        return ExpSum.constant(p) - gone

    @cached_property
    def _ends(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """The first and the last atom with c != 0, each with its sign; None: all are 0.

        UndecidedError where one cannot be told from 0.
        """
        found: list[tuple[int, int]] = []
        for order in (self.pair.atoms, self.pair.atoms[::-1]):
            for atom in order:
                jump = self._jump(atom)
                sign = None if jump is None else jump.sign()
                if sign is None:
                    raise UndecidedError(_CAP)
                if sign:
                    found.append((atom, sign))
                    break
        return (found[0], found[1]) if len(found) == 2 else None

    def _jumps(self) -> dict[int, Raw]:
        growth = self.target.exp_epsilon()
        return {a: p - growth * q for a, p, q in self.pair.columns}

    def _edge(self, leading: int, way: int) -> int:
        """Where the leading atom dominates outward (way 1: to the right)."""
        for bits in rising(_BITS, _TIE_BITS):
            with precision(bits):
                jumps = self._jumps()
                if abs(jumps[leading]) > 0:  # it is not 0, but may be tiny
                    return self._dominated(jumps, leading, way)
        raise UndecidedError(_CAP)

    def _dominated(self, jumps: dict[int, Raw], leading: int, way: int) -> int:
        """The same, at the current precision."""
        others = [(a, abs(c)) for a, c in jumps.items() if (leading - a) * way > 0]
        distance = 1
        while True:
            k = leading + way * distance
            rest = raw(0)
            for a, c in others:
                # e**-((k-a)**2 - (k-leading)**2)/(2v): falls outward
                power = Fraction((k - a) ** 2 - (k - leading) ** 2)
                rest += c * raw(-power / (2 * self.pair.variance)).exp()
            if abs(jumps[leading]) > rest:
                return k
            distance *= 2
            if distance * len(self.pair.atoms) > MOST:
                raise UndecidedError(WIDE)

    def _sign_of(self, output: PointRun) -> int:
        """The sign of g in an output, decided."""

        def gap() -> Ball:
            p, q = self.pair.masses(output)
            return Ball(p - self.target.exp_epsilon() * q)

        sign = rising_sign(gap, _BITS, _BITS)
        if sign is None and (exact := self._exactly(output)) is not None:
            sign = exact.sign()
        elif sign is None:
            sign = rising_sign(gap, 2 * _BITS, _TIE_BITS)
            if sign is None:
                raise UndecidedError(_CAP if self.target.epsilon.formal is None else _ENDLESS)
        if sign is None:
            raise UndecidedError(_CAP)
        return sign

    def _exactly(self, output: PointRun) -> ExpSum | None:
        """g in an output of few points, up to the factor; None of others, or without exact sums."""
        pair, nothing = self.pair, self.pair.nothing
        low, high = output.low, output.high
        if low is None or high is None or (high + 1 - low) * len(pair.atoms) > _EXACT:
            return None
        if output == pair.suppressed:
            return self._gap(*nothing) if low > high else None
        total = ExpSum({})
        for a in pair.atoms:
            jump = self._jump(a)
            if jump is None:
                return None
            for k in range(low, high + 1):
                decay = -Fraction((k - a) ** 2) / (2 * pair.variance)
                total = total + jump * ExpSum.power(Exponent.rational(decay))
        return total

    @cached_property
    def _largest(self) -> tuple[int, PointRun | None]:
        """The sign of the largest g, and an output with this sign (None: it is in a tail)."""
        pair, ends = self.pair, self._ends
        hidden = pair.suppressed
        best: tuple[int, PointRun | None] = (0 if ends is None else -1, None)
        if hidden is not None and (sign := self._sign_where(hidden, ends)) >= 0:
            best = (sign, hidden)
        if best[0] == 1 or ends is None:
            return best
        (first, left), (behind, right) = ends
        window = self._edge(first, -1), self._edge(behind, 1)
        for end, way, sign in ((window[0], -1, left), (window[1], 1, right)):
            (last_one,) = pair.outputs(end, end)
            last = last_one.low if way < 0 else last_one.high
            if last is not None and sign > 0:  # outputs lie out there, where an atom dominates
                (more,) = pair.outputs(last + way, last + way)
                if more != hidden:
                    return 1, more
        outputs = pair.outputs(*window)
        # an outermost atom with c = 0: in that tail the ratio tends to e**epsilon
        for atom, outermost, way in ((first, pair.atoms[0], -1), (behind, pair.atoms[-1], 1)):
            if atom != outermost and not pair.ends(way):
                best = (0, best[1])
        with precision(_BITS):
            for output in outputs:
                sign = self._sign_of(output)
                if sign > 0:
                    return 1, output
                best = (0, output) if sign == 0 else best
        return best

    def _sign_where(self, hidden: PointRun, ends: object) -> int:
        """The sign of g where no row is published: where all c are 0 it is that of no row."""
        if ends is not None:
            return self._sign_of(hidden)
        gap = self._gap(*self.pair.nothing)
        sign = None if gap is None else gap.sign()
        if sign is None:
            raise UndecidedError(_CAP)
        return sign

    # ---------------------------------------------------------------- the divergence

    def _divergence(self, bits: int) -> Raw:
        """Enclose the divergence at the current precision, from a window for so many bits."""
        growth = self.target.exp_epsilon()
        turn = turn_of(self.pair, growth)
        if turn is not None:
            return excess_at(self.pair, growth, turn) / self.pair.bells.whole
        total = self.pair.ranked(bits).excess(growth) + self.pair.near(bits).beyond[0]
        return total / self.pair.bells.whole

    def _against_delta(self) -> tuple[int | None, str | None]:
        delta = self.target.delta
        try:
            if self._largest[0] <= 0:
                return self.target.sign_of_nothing, None
        except UndecidedError:
            pass
        for bits in rising(_BITS, _TIE_BITS):
            with precision(bits):
                gap = Ball(self._divergence(bits) - delta.ball().raw)
            if (sign := gap.certain_sign()) is not None:
                return sign, None
        return None, _NEAR

    @property
    def proved(self) -> Evidence:
        """The rule of the kernel: it needs nothing else, but for whether the ratio is bounded."""
        if self.pair.steps:
            return ByRule("kept")
        if self.target.bound is Bound.RATIO:
            return AtAtoms("pure", ())
        try:
            pure = self.equal or self._largest[0] <= 0
        except UndecidedError:
            pure = False
        return AtAtoms("pure", ()) if pure else AtAtoms("delta-upper")

    @property
    def signs(self) -> Settled:
        """The sign of the largest g."""
        try:
            return Settled(self._largest[0], self.proved, breach=self._breach)
        except UndecidedError as error:
            return Settled(None, self.proved, str(error))

    @property
    def area(self) -> Settled:
        """The sign of the divergence, less delta."""
        if self.target.bound is Bound.EXCESS:
            raise InputError("form: discrete Gaussian noise is decided by events")
        try:
            sign, reason = self._against_delta()
        except UndecidedError as error:
            sign, reason = None, str(error)
        return Settled(sign, self.proved, reason, breach=self._breach)

    def exceeding(self) -> Refined:
        """Return the divergence at the target's epsilon."""
        if self.equal:
            return ZERO
        try:
            with precision(_PASS_BITS):
                known = Ball(self._divergence(_PASS_BITS))
            if not known.raw > 0 and self._largest[0] <= 0:
                return ZERO
        except UndecidedError:
            known = None
        balls = rising_balls(
            lambda: self._divergence(current_precision()), _PASS_BITS, CAP_BITS, known, _PASS_BITS
        )
        return ByBalls(balls, Fraction(1))

    # ---------------------------------------------------------------- losses

    @cached_property
    def _ratios(self) -> list[tuple[float, Place]]:
        """About log p/q of outputs near the atoms, and its limits in the tails: proposals."""
        pair = self.pair
        found: list[tuple[float, Place]] = [
            (log(pair.p[a] / pair.q[a]), place)
            for a, place, way in ((pair.atoms[0], "-inf", -1), (pair.atoms[-1], "inf", 1))
            if pair.p.get(a) and pair.q.get(a) and not pair.ends(way)
        ]
        with precision(_BITS):
            for output, p, q in pair.near(_BITS).of:
                if pair.has_mass(output, 0) and pair.has_mass(output, 1):
                    found.append((Ball((p / q).log()).midpoint(), output.output))
        return found

    @cached_property
    def _alone(self) -> PointRun | None:
        """An output that only P gives."""
        pair = self.pair
        if (pair.q or not pair.p) and pair.suppressed is None:
            return None
        (first,) = pair.outputs(pair.atoms[0], pair.atoms[0])
        after = [] if first.high is None else pair.outputs(first.high + 1, first.high + 1)
        some = [first, *after, *([] if pair.suppressed is None else [pair.suppressed])]
        alone = [one for one in some if pair.has_mass(one, 0) and not pair.has_mass(one, 1)]
        return alone[0] if alone else None

    def loss(self) -> Supremum:
        """Return epsilon*: infinite where P alone has mass, or an atom that is further out."""
        pair = self.pair
        if self.equal:
            return Supremum(ZERO, lambda: self._first)
        if (alone := self._alone) is not None:
            return Supremum(INFINITE, _always(alone.output))
        for a, place, way in ((pair.atoms[0], "-inf", -1), (pair.atoms[-1], "inf", 1)):
            if a not in pair.q and not pair.ends(way):
                return Supremum(INFINITE, _always(place))

        def bracket(grid: Grid) -> tuple[Fraction, Fraction]:
            def holds(epsilon: Fraction) -> bool:
                return self.against(self.target.at_epsilon(epsilon))._largest[0] <= 0

            guess = Fraction(max(value for value, _ in self._ratios))
            return least_decimal(holds, max(guess, Fraction(1, 10**grid.digits)), grid)

        where = max(self._ratios)[1]
        return Supremum(OnGrid(bracket), lambda: where)

    @property
    def _first(self) -> Place:
        """What the first atom is published as."""
        atoms = self.pair.atoms
        return self.pair.outputs(atoms[0], atoms[0])[0].output if atoms else SUPPRESSED

    def alone_sign(self) -> int | None:
        """Return the sign of what P alone gives, less delta; a tie is not told."""
        return -1 if self._alone is None else rising_sign(self._above_alone, _BITS, _TIE_BITS)

    def _above_alone(self) -> Ball:
        """What P alone gives, less delta."""
        pair, found = self.pair, self.pair.near(current_precision())
        total = raw(0) if pair.q else found.beyond[0]
        for output, p, _ in found.of:
            total += raw(0) if pair.has_mass(output, 1) else p
        return Ball(total / pair.bells.whole - self.target.delta.ball().raw)

    def proposed_epsilon(self, grid: Grid) -> Fraction:
        """Return about where the divergence is delta, by halving in balls."""
        return halved(self._is_above, grid, 64)

    def _is_above(self, epsilon: Fraction) -> bool:
        one = self.against(self.target.at_epsilon(epsilon))
        with precision(_BITS):
            return Ball(one._divergence(_BITS) - self.target.delta.ball().raw).midpoint() > 0

    # ---------------------------------------------------------------- where it fails

    def _breach(self) -> Breach | None:
        found = self._at_one() if self.target.bound is Bound.RATIO else self._in_event()
        return next(found, None)

    def _at_one(self) -> Iterator[Breach]:
        """Yield an output where the ratio is too large; of one that only P gives its mass."""
        pair, output = self.pair, self._largest[1]
        if output is None:
            return
        for bits in rising(_BITS, _TIE_BITS):
            with precision(bits):
                p, q = pair.masses(output)
                alone = not pair.has_mass(output, 1)
                ratio = p / pair.bells.whole if alone else (p / q).log()
                margin = ratio if alone else ratio - self.target.epsilon.ball().raw
                if not margin > 0:
                    continue
            if alone:
                yield Breach("outputs-refuted", margin, outputs=[output.output])
            elif pair.steps:
                yield Breach("output-refuted", margin, output=output.output)
            else:
                yield Breach("pure-refuted", margin, y=Fraction(output.output))

    def _in_event(self) -> Iterator[Breach]:
        """Yield the outputs with g > 0, where they are enough."""
        pair = self.pair
        for bits in rising(_BITS, _TIE_BITS):
            with precision(bits):
                growth, total, event = self.target.exp_epsilon(), raw(0), list[PointRun]()
                for output, p, q in pair.near(_EVENT if bits == _BITS else bits).of:
                    if (g := p - growth * q) > 0:
                        total += g
                        event.append(output)
                margin = total / pair.bells.whole - self.target.delta.ball().raw
                if not margin > 0:
                    continue
            if pair.steps:
                yield Breach("outputs-refuted", margin, outputs=[one.output for one in event])
            else:
                yield Breach("event-refuted", margin, event=_runs(event))


def _runs(points: list[PointRun]) -> list[tuple[Place, Place]]:
    """Neighbouring points together."""
    found: list[tuple[PointRun, PointRun]] = []
    for one in points:
        if found and one.low is not None and found[-1][1].low == one.low - 1:
            found[-1] = found[-1][0], one
        else:
            found.append((one, one))
    return [(Fraction(a.output), Fraction(b.output)) for a, b in found]


def _always(place: Place) -> Callable[[], Place]:
    return lambda: place

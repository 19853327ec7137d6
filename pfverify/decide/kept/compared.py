"""Atoms with Laplace noise behind clamps and thresholds: densities in part, masses in part.

Everything is a sum of exponentials, with a square root where the sign changes inside a piece that
keeps its density: g = p - e**epsilon q is A e**(y/scale) + B e**(-y/scale) there, and changes its
sign once at most. Balls decide; the sums are made exactly where these do not.
Source: design facts F1, F3, F4 and F45.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain

from pfverify.decide.breach import Breach, Place, Span
from pfverify.decide.comparison import Difference, Orders, Settled, Supremum
from pfverify.decide.evidence import ByRule
from pfverify.decide.excess import by_balls, largest_sign, positive_margin
from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, Raw, dyadic, fraction_of, precision, raw, rising_sign
from pfverify.exact.expsum import CAP_BITS, Exponent, ExpSum
from pfverify.exact.grid import Grid
from pfverify.exact.radical import RadicalSum
from pfverify.exact.refined import INFINITE, ZERO, Refined, exactly
from pfverify.exact.rising import rising
from pfverify.exact.search import halved
from pfverify.laws.bounded import BoundedAtoms, OutputWindow
from pfverify.laws.forms import KeptPieces
from pfverify.laws.pieces import (
    Amount,
    Atoms,
    Excess,
    LinePiece,
    PieceSums,
    line_pieces,
    positive,
    positive_parts,
)
from pfverify.laws.truncated import TruncatedAtoms
from pfverify.model.notion import Bound
from pfverify.model.steps.chain import Limit, Part
from pfverify.model.steps.step import SUPPRESSED
from pfverify.model.target import Target

_MOST = 10_000  # atoms: half a minute
_MOST_BOUNDED = 2_000  # of noise that is truncated, whose bounds are places too
_UNKNOWN = "a sign is outside the exact classes (epsilon or 1/scale: a rational plus logarithms)"
_TIED = "the divergence may equal delta, and there is no exact test for this tie here"
_PROPOSED_BITS = 128
_DIGITS = 12, 40, 160, 640  # of places inside an event: the first that do are taken


def compared(
    one: KeptPieces | TruncatedAtoms | BoundedAtoms,
    two: KeptPieces | TruncatedAtoms | BoundedAtoms,
    target: Target,
) -> Orders:
    """Return both orders of two laws of which the steps, or the noise, keep densities in part.

    Raises InputError for more than the exact sums can take.
    """
    parts, bound, rate = one.parts, one.bound, one.rate.formal
    if rate is None:
        raise InputError("noise.scale: outside the classes with exact sums, expected a rational")
    rows = [one.row, two.row]
    first, second = (row.mass for row in rows)
    ends = [x for part in parts for x in (part.low, part.high) if x is not None]
    count = len(first) + len(second)
    most = _MOST if bound is None else _MOST_BOUNDED
    if count > most:
        raise InputError(
            f"post: {count} atoms of both priors are more than the {most} that this decision about "
            "kept densities takes; expected fewer, or steps that round"
        )
    twice = Amount.of(ExpSum.constant(2))
    if bound is not None:  # what stays within the bound is all there is
        twice = Amount.of(ExpSum.constant(2) - ExpSum.power(rate.times(-bound), 2))
    p: Atoms = [*first.items()]
    q: Atoms = [*second.items()]
    if isinstance(one, BoundedAtoms):  # what stays in the window is, of every atom
        window = OutputWindow(one.low, one.high, rate, [*first, *second])
        twice = window.whole
        p, q = ([(x, window.weight(x, m)) for x, m in law.items()] for law in (first, second))
    pieces = line_pieces(p, q, rate, ends, bound)
    nothing = (1 - rows[0].chance, 1 - rows[1].chance)
    same = first == second and nothing[0] == nothing[1]
    whole = Whole(tuple(pieces), tuple(parts), nothing, rate, twice, same)
    return KeptComparison(whole, target), KeptComparison(whole.turned(), target)


@dataclass(frozen=True)
class Whole:
    """Two laws on all pieces of the line, and what the steps make of its parts."""

    pieces: tuple[LinePiece, ...]
    parts: tuple[Part, ...]
    nothing: tuple[Fraction, Fraction]
    rate: Exponent
    twice: Amount  # of all mass, in the unit of the sums
    equal: bool  # whether the two laws are the same

    def turned(self) -> Whole:
        """Return the same with the laws changed over."""
        turned = tuple(replace(piece, p=piece.q, q=piece.p) for piece in self.pieces)
        return replace(self, pieces=turned, nothing=self.nothing[::-1])

    def of(self, part: Part) -> list[LinePiece]:
        """Return the pieces of a part."""
        return [
            piece for piece in self.pieces
            if (part.low is None or (piece.start is not None and piece.start >= part.low))
            and (part.high is None or (piece.end is not None and piece.end <= part.high))
        ]  # fmt: skip

    @cached_property
    def kept(self) -> list[LinePiece]:
        """The pieces that keep their density."""
        return [piece for part in self.parts if part.output is None for piece in self.of(part)]

    @cached_property
    def outputs(self) -> list[tuple[Part, Amount, Amount]]:
        """The parts that become single outputs, with twice their masses."""
        found = []
        for part in self.parts:
            if part.output is not None:
                inside = self.of(part)
                p = [*(piece.p.mass for piece in inside), self._no_row(part.output, 0)]
                q = [*(piece.q.mass for piece in inside), self._no_row(part.output, 1)]
                found.append((part, Amount.total(p), Amount.total(q)))
        return found

    @cached_property
    def ratios(self) -> list[tuple[Amount, Amount, Place]]:
        """What has a ratio, with its place: single outputs, and densities at the ends of pieces."""
        found: list[tuple[Amount, Amount, Place]]
        found = [(p, q, part.output or "") for part, p, q in self.outputs]
        for piece in self.kept:
            if piece.start is not None:
                found.append((piece.p.low, piece.q.low, piece.start))
            if piece.end is not None:
                found.append((piece.p.high, piece.q.high, piece.end))
        return [(p, q, place) for p, q, place in found if p.terms or q.terms]

    def _no_row(self, output: str, which: int) -> Amount:
        chance = self.nothing[which] if output == SUPPRESSED else 0
        return Amount.total([]) if not chance else Amount.of(self.twice.make().times(chance))


class KeptComparison(Difference):
    """One order of two laws of which the steps keep densities in part."""

    no_witness = "no event with a margin was found at the highest precision tried"

    def __init__(self, whole: Whole, target: Target) -> None:
        self.whole, self.target = whole, target

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.whole.equal

    def against(self, target: Target) -> KeptComparison:
        """Return the same laws, held to another target."""
        return KeptComparison(self.whole, target)

    @cached_property
    def _growth(self) -> ExpSum | None:
        epsilon = self.target.epsilon.formal
        return None if epsilon is None else ExpSum.power(epsilon)

    @cached_property
    def _signs(self) -> list[int | None]:
        """The sign of p - e**epsilon q of every item."""
        growth = self._growth
        if growth is None:
            return [None]
        return [p.minus(q, growth).sign() for p, q, _ in self.whole.ratios]

    @cached_property
    def _excess(self) -> Excess | None:
        """Twice the divergence; None where a sign inside it is not decided."""
        growth = self._growth
        if growth is None:
            return None
        masses = (positive(p.minus(q, growth)) for _, p, q in self.whole.outputs)
        return Excess.total(chain(positive_parts(self.whole.kept, growth), masses))

    proved = ByRule("kept")

    @property
    def signs(self) -> Settled:
        """The sign at single outputs, and of densities at the ends of pieces."""
        sign = largest_sign(self._signs)
        return Settled(sign, self.proved, _UNKNOWN if sign is None else None, breach=self._breach)

    @property
    def area(self) -> Settled:
        """The sign of the divergence, less delta."""
        if self.target.bound is Bound.EXCESS:
            raise InputError("form: kept densities are judged by events")
        sign, reason = self._against_delta()
        return Settled(sign, self.proved, reason, breach=self._breach)

    def _against_delta(self) -> tuple[int | None, str | None]:
        excess, delta = self._excess, self.target.delta
        if excess is None:
            return None, _UNKNOWN
        exact: RadicalSum | None = None
        for bits in rising(96, CAP_BITS):
            with precision(bits):
                bound = Ball(self.whole.twice.raw() * delta.ball().raw)
                sign = Ball(excess.raw() - bound.raw).certain_sign()
            if sign is not None:
                return sign, None
            if delta.ratio is not None and bits >= 192 and exact is None:
                exact = excess.exact() if excess.is_short else None
                if exact is None or exact.roots():  # with roots the kernel tests no tie
                    continue
                top, bottom = delta.ratio
                gap = exact.times(bottom) - RadicalSum.of(top * self.whole.twice.make())
                if gap.is_zero() is Answer.YES:
                    return 0, None
        return None, _TIED

    # ---------------------------------------------------------------- losses

    def loss(self) -> Supremum:
        """Return epsilon*, the logarithm of the largest ratio of masses or densities."""
        infinite = [at for p, q, at in self.whole.ratios if not q.terms and p.terms]
        if infinite:
            return Supremum(INFINITE, lambda: infinite[0])
        items = [(p, q, at) for p, q, at in self.whole.ratios if p.terms and q.terms]

        def where() -> Place:
            with precision(_PROPOSED_BITS):
                return max(
                    items, key=lambda item: Ball(item[0].raw() / item[1].raw()).midpoint()
                )[2]

        return Supremum(self.least_beside_alone(), where)

    def exceeding(self) -> Refined:
        """Return the divergence at the target's epsilon."""
        excess = self._excess
        if excess is None:
            return by_balls(lambda: raw(0) / 0, Fraction(1))
        if not excess.sums:
            return ZERO
        if self.target.delta.fraction is not None and self._against_delta()[0] == 0:
            return exactly(self.target.delta.fraction)
        return by_balls(lambda: excess.raw() / self._twice(), Fraction(1))

    def _twice(self) -> Raw:
        return self.whole.twice.raw()

    @cached_property
    def _alone(self) -> Amount:
        """What P alone gives, which no epsilon bounds."""
        masses = [(piece.p.mass, piece.q.mass) for piece in self.whole.kept]
        masses += [(p, q) for _, p, q in self.whole.outputs]
        return Amount.total(p for p, q in masses if not q.terms)

    def alone_sign(self) -> int | None:
        """Return the sign of what P alone gives, less delta."""
        alone = self._alone
        if not alone.terms:
            return -1
        if (exact := self.target.delta.ratio) is not None and (sum_ := alone.exact()) is not None:
            sign = (sum_ * exact[1] - exact[0] * self.whole.twice.make()).sign()
            below = exact[1].sign()
            return None if sign is None or below is None else sign * below

        def gap() -> Ball:
            return Ball(alone.raw() / self._twice() - self.target.delta.ball().raw)

        return rising_sign(gap, _PROPOSED_BITS, CAP_BITS)

    def least_beside_alone(self) -> Refined:
        """Return the least epsilon >= 0 with p <= e**epsilon q wherever q > 0."""
        shared = [(p, q) for p, q, _ in self.whole.ratios if p.terms and q.terms]
        if all(p.minus(q, ExpSum.constant(1)).sign() in (-1, 0) for p, q in shared):
            return ZERO

        def largest() -> Raw:
            best = raw(1)
            for p, q in shared:
                best = best.max(p.raw() / q.raw())
            return best.log()

        return by_balls(largest)

    def proposed_epsilon(self, grid: Grid) -> Fraction:
        """Return about where the divergence is delta, by halving in balls."""
        return halved(self._is_above, grid, 1 << 20)

    def _is_above(self, epsilon: Fraction) -> bool:
        one = self.against(self.target.at_epsilon(epsilon))
        if one._excess is None:
            return False
        with precision(_PROPOSED_BITS):
            gap = one._excess.raw() / self._twice() - self.target.delta.ball().raw
            return Ball(gap).midpoint() > 0

    # ---------------------------------------------------------------- where it fails

    def _breach(self) -> Breach | None:
        """Return intervals of densities and single outputs, with what they are made of.

        The ends of intervals inside a piece have a few digits, and more only where these do not do.
        """
        growth = self._growth
        if growth is None:
            return None
        parts = [(part, p.minus(q, growth)) for part, p, q in self.whole.outputs]
        parts = [(part, value) for part, value in parts if value.sign() == 1]
        for digits in _DIGITS:
            kept = [
                one for piece in self.whole.kept
                for one in self._positive_spans(piece, growth, digits)
            ]  # fmt: skip
            total = Amount.total([*(value for _, value in parts), *(value for *_, value in kept)])

            def gap(total: Amount = total) -> Raw:
                return total.raw() / self._twice() - self.target.delta.ball().raw

            last = CAP_BITS if digits == _DIGITS[-1] else 32 * digits
            margin = positive_margin(gap, last=last)
            if margin is not None:
                return self._event([part for part, _ in parts], [one[:2] for one in kept], margin)
        return None

    def _event(
        self, parts: list[Part], kept: list[tuple[Limit, Limit]], margin: Raw
    ) -> Breach:
        event = _joined(kept)
        if not self.whole.outputs:
            return Breach("event-refuted", margin, event=event)
        noisy = _joined([*((part.low, part.high) for part in parts), *kept])
        names = [part.output for part in parts if part.output is not None]
        return Breach("event-refuted", margin, event=event or None, outputs=names, noisy=noisy)

    def _positive_spans(
        self, piece: LinePiece, growth: ExpSum, digits: int
    ) -> list[tuple[Limit, Limit, Amount]]:
        """Where a kept piece is positive: all of it, or up to about its zero."""
        sides = piece.p.minus(piece.q, growth)
        low, high = sides.low.sign(), sides.high.sign()
        if max(low or 0, high or 0) <= 0:
            return []
        if min(low or 0, high or 0) >= 0:
            return [(piece.start, piece.end, sides.mass)]
        if piece.start is None or piece.end is None:
            return []
        if low == 1:
            away = self._to_the_zero(sides.left_low, sides.right_low, digits)
            start, end = piece.start, min(piece.start + away, piece.end)
        else:
            away = self._to_the_zero(sides.right_high, sides.left_high, digits)
            start, end = max(piece.end - away, piece.start), piece.end
        if start == end:
            return []
        value = _between(piece, sides, self.whole.rate, start, end)
        return [(start, end, value)] if value.sign() == 1 else []

    def _to_the_zero(self, near: Amount, far: Amount, digits: int) -> Fraction:
        """About how far the zero is from the end where the density is positive; 0: not known.

        near e**-(d/scale) = -far e**(d/scale) at the zero.
        """
        for bits in rising(_PROPOSED_BITS + 4 * digits, CAP_BITS):
            with precision(bits):
                ratio = -(near.raw() / far.raw())
                away = ratio.log() / (2 * self.whole.rate.ball().raw)
                if away > 0 and away.rel_accuracy_bits() >= 4 * digits:
                    middle = fraction_of(dyadic(away.mid()))
                    return middle.limit_denominator(10**digits)
        return Fraction(0)


def _between(
    piece: LinePiece, sides: PieceSums, rate: Exponent, start: Fraction | None, end: Fraction | None
) -> Amount:
    """Twice the signed mass between two places inside a piece that has two ends."""
    if piece.start is None or piece.end is None or start is None or end is None:
        raise RuntimeError("a piece without an end has no zero")
    (a, b), none = (piece.start, piece.end), Amount.total([])
    left = [none.minus(sides.left_low, ExpSum.power(rate.times(a - y))) for y in (start, end)]
    right = [none.minus(sides.right_high, ExpSum.power(rate.times(y - b))) for y in (start, end)]
    return (left[1] + right[0]).minus(left[0] + right[1], ExpSum.constant(1))


def _joined(spans: Sequence[tuple[Limit, Limit]]) -> list[Span]:
    """Intervals from left to right, touching ones as one."""
    found: list[Span] = []
    for start, end in sorted(spans, key=lambda one: (one[0] is not None, one[0] or Fraction(0))):
        low: Place = "-inf" if start is None else start
        high: Place = "inf" if end is None else end
        if found and found[-1][1] == low:
            low = found.pop()[0]
        found.append((low, high))
    return found

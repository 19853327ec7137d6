"""Masses that are not all rational: quotients of exponential sums, or what balls enclose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache

from pfverify.decide.comparison import Orders, Settled
from pfverify.decide.excess import by_balls, excess_sign, largest_sign
from pfverify.decide.masses.finite import Indices, MassComparison, NamedOutputs, Outputs
from pfverify.decide.masses.grouped import grouped, is_small
from pfverify.decide.masses.rational import both_orders
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.expsum import FIRST_BITS, ZERO_TEST_BITS
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.refined import ZERO, Refined
from pfverify.model.channels.entries import Entry, OutputLaw, as_number, total
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_TIED = "the excess may be exactly 0, and the tie is outside the exact classes"
_ZERO = Number.of_rational(0)


class NumberMasses(MassComparison):
    """One order of two laws of masses that are not all rational."""

    tied, names_excess = _TIED, False

    def __init__(
        self, p: Sequence[Entry], q: Sequence[Entry], outputs: Outputs, target: Target
    ) -> None:
        self.outputs, self.target = outputs, target
        self.p, self.q = [as_number(x) for x in p], [as_number(x) for x in q]
        self._entries = p, q

    @cached_property
    def equal(self) -> bool:
        """Whether the two laws are the same: written alike, or by the zero test."""
        pairs = list(zip(self.p, self.q, strict=True))
        with precision(FIRST_BITS):
            if any(Ball(p.ball().raw - q.ball().raw).certain_sign() for p, q in pairs):
                return False
        return all(p == q or (p - q).sign() == 0 for p, q in pairs)

    def against(self, target: Target) -> NumberMasses:
        """Return the same laws in the same order, held to another target."""
        found = NumberMasses(*self._entries, self.outputs, target)
        _ = self.equal  # which every target asks for
        vars(found).update({key: vars(self)[key] for key in _SHARED if key in vars(self)})
        return found

    def masses(self, index: int) -> tuple[Number, Number]:
        """Return P and Q of one output."""
        return self.p[index], self.q[index]

    def of(self, indices: Iterable[int]) -> tuple[Number, Number]:
        """Return P and Q of a set of outputs."""
        chosen = tuple(indices)
        p, q = (as_number(total(law[k] for k in chosen)) for law in self._entries)
        return p, q

    @cached_property
    def _signs(self) -> list[int | None]:
        """The sign of p - e**epsilon q at every output; what neither law gives is no tie."""
        pairs = zip(self.p, self.q, strict=True)
        return [
            -1 if p.fraction == q.fraction == 0 else excess_sign(p, q, self.target, _ZERO)
            for p, q in pairs
        ]

    @property
    def positive(self) -> Indices:
        """The outputs with p > e**epsilon q."""
        return () if self.equal else tuple(k for k, s in enumerate(self._signs) if s == 1)

    @property
    def unknown(self) -> Indices:
        """The outputs of which it cannot be decided whether p > e**epsilon q."""
        return () if self.equal else tuple(k for k, s in enumerate(self._signs) if s is None)

    @property
    def largest(self) -> Sequence[int]:
        """All outputs: which p - e**epsilon q is the largest is not told."""
        return range(len(self.p))

    @cached_property
    def signs(self) -> Settled:
        """The largest sign at all outputs."""
        sign = -1 if self.equal else largest_sign(self._signs)
        above = self.positive
        where = self.worst if self.worst in above or not above else above[0]
        why = _TIED if sign is None else None
        return Settled(sign, self.proved, why, (), lambda: self.breach((where,)))

    # ---------------------------------------------------------------- losses

    @cached_property
    def without(self) -> Indices:
        """The outputs that Q cannot give."""
        return tuple(k for k, q in enumerate(self.q) if q.sign() == 0)

    @cached_property
    def _infinite(self) -> Indices:
        """The outputs that only P can give."""
        return tuple(k for k in self.without if self.p[k].sign() == 1)

    @property
    def unbounded(self) -> bool:
        """Whether an output has q = 0 < p."""
        return bool(self._infinite)

    @property
    def worst(self) -> int:
        """An output with about the largest ratio p/q; only its name is told."""
        return self._infinite[0] if self._infinite else max(self._log_ratios)[1]

    @cached_property
    def _log_ratios(self) -> list[tuple[float, int]]:
        """About log p/q with its output, where neither is 0: proposals."""
        with precision(ZERO_TEST_BITS):
            return [(Ball(self.ratio_ball(k).log()).midpoint(), k) for k in self.steepest]

    @cached_property
    def steepest(self) -> Indices:
        """The outputs where neither mass is 0."""
        return tuple(k for k, p in enumerate(self.p) if k not in self.without and p.sign() != 0)

    def ratio_ball(self, index: int) -> Raw:
        """Enclose the ratio p/q of an output with q > 0."""
        return self.p[index].ball().raw / self.q[index].ball().raw

    def alone_sign(self) -> int | None:
        """Return the sign of what only P can give, less delta."""
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                beyond = [self.of(self._infinite)[0]]
            case Bound.EXCESS:
                beyond = [self.p[k] for k in self._infinite]
        sign = largest_sign([(mass - self.target.delta).sign() for mass in beyond])
        return sign if self._infinite or sign is not None else -1

    def least_beside_alone(self) -> Refined:
        """Return the least epsilon >= 0 at which no more exceeds: no mass, or none above delta."""
        bounds_mass = self.target.notion.exceeding is Bound.EXCESS
        allowed = self.target.delta if bounds_mass else _ZERO
        pairs = enumerate(zip(self.p, self.q, strict=True))
        finite = [
            (p - allowed, q) for k, (p, q) in pairs if k not in self._infinite and p.sign() != 0
        ]
        if largest_sign([(p - q).sign() for p, q in finite]) in (-1, 0):
            return ZERO

        def largest() -> Raw:
            best = raw(1)
            for p, q in finite:
                best = best.max(p.ball().raw / q.ball().raw)
            return best.log()

        return by_balls(largest)

    def proposed_epsilon(self, grid: Grid) -> Fraction:
        """Return about the least epsilon at the target's delta, from the masses as they are near.

        It is log((P(B) - delta)/Q(B)) of one of the events B of the largest ratios.
        """
        order = [*self._infinite, *(k for _, k in sorted(self._log_ratios, reverse=True))]
        best = 0.0
        with precision(FIRST_BITS + grid.bits):
            above, below = -self.target.delta.ball().raw, raw(0)
            for k in order:
                above, below = above + self.p[k].ball().raw, below + self.q[k].ball().raw
                if above > 0 and below > 0:
                    best = max(best, Ball((above / below).log()).midpoint())
        return Fraction(best)


def law_orders(one: OutputLaw, two: OutputLaw, outputs: Outputs, target: Target) -> Orders:
    """Return both orders of two laws over the same outputs, in whole numbers where these do."""
    if one.weighted is not None and two.weighted is not None:
        return both_orders(one.weighted, two.weighted, outputs, target)
    p, q, outputs = grouped(one.entries, two.entries, outputs, target.notion.exceeding)
    return _known(p, q, outputs, target), _known(q, p, outputs, target)


@lru_cache(maxsize=256)  # pairs of one channel are often about the same masses
def _known_of(p: tuple[Entry, ...], q: tuple[Entry, ...], target: Target) -> dict[str, object]:
    """What is known of masses whatever the outputs are called."""
    found = NumberMasses(p, q, NamedOutputs(()), target)
    if not found.equal:
        _ = found._signs, found._log_ratios
    return {key: value for key, value in vars(found).items() if key in (*_SHARED, "_signs")}


def _known(
    p: Sequence[Entry], q: Sequence[Entry], outputs: Outputs, target: Target
) -> NumberMasses:
    found = NumberMasses(p, q, outputs, target)
    if len(p) <= _FEW and all(is_small(entry) for entry in (*p, *q)):
        vars(found).update(_known_of(tuple(p), tuple(q), target))
    return found


_FEW = 16
"""Different pairs of masses, of which what is known is kept."""
_SHARED = ("p", "q", "equal", "without", "_infinite", "_log_ratios", "steepest")
"""What does not depend on the target."""

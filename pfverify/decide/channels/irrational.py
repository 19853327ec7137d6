"""Laws over named outputs whose masses are not all rational: balls first, then the zero test."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from pfverify.decide.breach import Breach
from pfverify.decide.comparison import Comparison, Decision, Settled, Supremum
from pfverify.decide.evidence import ByRule
from pfverify.decide.least_epsilon import searched
from pfverify.decide.rational import by_balls, positive_margin
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, Raw, precision, raw, rising_sign
from pfverify.exact.expsum import CAP_BITS, ZERO_TEST_BITS
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.refined import ANYTHING, INFINITE, ZERO, Refined, exactly
from pfverify.model.channels.entries import Entry, as_number, total
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_FIRST_BITS = 64
_PROVED = ByRule("channel")
_TIED = "the excess may be exactly 0, and the tie is outside the exact classes"
_ZERO = Number.of_rational(0)


class IrrationalComparison(Comparison):
    """P against Q over named outputs, masses rational or quotients of exponential sums.

    Source: design facts F3 and F11.
    """

    no_witness = "the excess is too small to be written as a decimal"

    def __init__(
        self, names: Sequence[str], p: Sequence[Entry], q: Sequence[Entry], target: Target
    ) -> None:
        self.names, self.target = names, target
        self.p, self.q = [as_number(x) for x in p], [as_number(x) for x in q]
        self._entries = p, q

    @cached_property
    def equal(self) -> bool:
        """Whether the two laws are the same: written alike, or by the zero test."""
        pairs = list(zip(self.p, self.q, strict=True))
        with precision(_FIRST_BITS):
            if any(Ball(p.ball().raw - q.ball().raw).certain_sign() for p, q in pairs):
                return False
        return all(p == q or (p - q).sign() == 0 for p, q in pairs)

    def against(self, target: Target) -> IrrationalComparison:
        """Return the same laws in the same order, held to another target."""
        return IrrationalComparison(self.names, *self._entries, target)

    # ---------------------------------------------------------------- signs

    def _sign(self, p: Number, q: Number, delta: Number) -> int | None:
        """The sign of p - e**epsilon q - delta: balls, then exactly, then balls again."""

        def excess() -> Ball:
            growth = self.target.exp_epsilon()
            return Ball(p.ball().raw - growth * q.ball().raw - delta.ball().raw)

        sign = rising_sign(excess, _FIRST_BITS, ZERO_TEST_BITS)
        if sign is not None:
            return sign
        if p == q and delta.fraction == 0 and self.target.epsilon.fraction == 0:
            return 0
        try:  # where q = 0, e**epsilon does not matter
            grown = _ZERO if q.fraction == 0 else self.target.epsilon.exp() * q
            return (p - grown - delta).sign()
        except InputError:  # e**epsilon is too large to be written
            return rising_sign(excess, ZERO_TEST_BITS, CAP_BITS)

    @cached_property
    def _signs(self) -> list[int | None]:
        """The sign of p - e**epsilon q at every output."""
        return [self._sign(p, q, _ZERO) for p, q in zip(self.p, self.q, strict=True)]

    def _above(self, sign: int | None) -> tuple[int, ...]:
        return tuple(k for k, found in enumerate(self._signs) if found == sign)

    def _of(self, indices: Sequence[int]) -> tuple[Number, Number]:
        p, q = (as_number(total(law[k] for k in indices)) for law in self._entries)
        return p, q

    # ---------------------------------------------------------------- decisions

    def settled(self) -> Settled:
        """Decide the target; equal laws meet every one."""
        sign, reason = self._decided()
        return Settled(sign, _PROVED, reason)

    def _decided(self) -> tuple[int | None, str | None]:
        if self.equal:
            return -1, None
        match self.target.bound:
            case Bound.RATIO:
                sign = _largest(self._signs)
            case Bound.DIVERGENCE if self.target.allows_everything:
                sign = -1
            case Bound.DIVERGENCE:
                sign = self._events_sign()
            case Bound.EXCESS:
                sign = _largest(self._excesses)
        return sign, _TIED if sign is None else None

    @cached_property
    def _excesses(self) -> list[int | None]:
        """The sign of p - e**epsilon q - delta at every output."""
        return [self._sign(p, q, self.target.delta) for p, q in zip(self.p, self.q, strict=True)]

    def _events_sign(self) -> int | None:
        """The sign of the largest P(B) - e**epsilon Q(B) - delta; unknown outputs add a little."""
        sign = self._sign(*self._of(self._above(1)), self.target.delta)
        if sign == 1 or not self._above(None):
            return sign
        found = rising_sign(
            lambda: Ball(self._divergence() - self.target.delta.ball().raw),
            _FIRST_BITS,
            CAP_BITS,
        )
        return -1 if found == -1 else None

    def _divergence(self) -> Raw:
        """Enclose the sum of the positive p - e**epsilon q."""
        growth = self.target.exp_epsilon()
        gaps = (p.ball().raw - growth * q.ball().raw for p, q in zip(self.p, self.q, strict=True))
        found = raw(0)
        for sign, gap in zip(self._signs, gaps, strict=True):
            if sign is None:
                found += gap.nonnegative_part()
            elif sign == 1:
                found += gap
        return found

    def _largest_excess(self) -> Raw:
        """Enclose the largest p - e**epsilon q of one output."""
        growth = self.target.exp_epsilon()
        gaps = [p.ball().raw - growth * q.ball().raw for p, q in zip(self.p, self.q, strict=True)]
        best = gaps[0]
        for gap in gaps[1:]:
            best = best.max(gap)
        return best

    def decided(self) -> Decision:
        """Decide the target; it fails at an output, or an event of outputs."""
        sign, reason = self._decided()
        bounds_ratio = self.target.bound is Bound.RATIO
        return Decision(
            sign=sign,
            loss=self.loss().value,
            delta=None if bounds_ratio else self.exceeding(),
            worst=self.names[self._worst],
            evidence=_PROVED,
            breach=self._breach() if sign == 1 else None,
            reason=reason,
        )

    def _breach(self) -> Breach | None:
        match self.target.bound:
            case Bound.RATIO:
                k = self._worst if self._signs[self._worst] == 1 else self._above(1)[0]
                if _is_zero(self.q[k]):
                    margin = positive_margin(lambda: self.p[k].ball().raw)
                    return self._named((k,), margin)
                margin = positive_margin(
                    lambda: (self.p[k].ball().raw / self.q[k].ball().raw).log()
                    - self.target.epsilon.ball().raw
                )
                return self._one(k, margin, "output-refuted")
            case Bound.DIVERGENCE:
                chosen = self._above(1)
            case Bound.EXCESS:
                chosen = (self._excesses.index(1),)
        p, q = self._of(chosen)
        margin = positive_margin(
            lambda: p.ball().raw
            - self.target.exp_epsilon() * q.ball().raw
            - self.target.delta.ball().raw
        )
        if self.target.bound is Bound.EXCESS:
            return self._one(chosen[0], margin, "mass-refuted")
        return self._named(chosen, margin)

    def _one(self, index: int, margin: Raw | None, rule: str) -> Breach | None:
        return None if margin is None else Breach(rule, margin, output=self.names[index])

    def _named(self, indices: Sequence[int], margin: Raw | None) -> Breach | None:
        if margin is None:
            return None
        return Breach("outputs-refuted", margin, outputs=[self.names[k] for k in indices])

    # ---------------------------------------------------------------- losses

    @cached_property
    def without(self) -> tuple[int, ...]:
        """The outputs that Q cannot give."""
        return tuple(k for k, q in enumerate(self.q) if _is_zero(q))

    @cached_property
    def _infinite(self) -> tuple[int, ...]:
        """The outputs that only P can give."""
        return tuple(k for k in self.without if self.p[k].sign() == 1)

    @cached_property
    def _worst(self) -> int:
        """An output with about the largest ratio p/q; only its name is told."""
        if self._infinite:
            return self._infinite[0]
        return max(self._log_ratios)[1]

    @cached_property
    def _log_ratios(self) -> list[tuple[float, int]]:
        """About log p/q with its output, where neither is 0: proposals."""
        with precision(ZERO_TEST_BITS):
            return [
                (Ball((p.ball().raw / q.ball().raw).log()).midpoint(), k)
                for k, (p, q) in enumerate(zip(self.p, self.q, strict=True))
                if not _is_zero(p) and not _is_zero(q)
            ]

    def loss(self) -> Supremum:
        """Return epsilon*, the logarithm of the largest ratio of masses."""
        return Supremum(self._loss(), lambda: self.names[self._worst])

    def _loss(self) -> Refined:
        if self._infinite:
            return INFINITE
        return ZERO if self.equal else by_balls(self._log_ratio)

    def _log_ratio(self) -> Raw:
        ratios = [
            p.ball().raw / q.ball().raw
            for p, q in zip(self.p, self.q, strict=True)
            if not (_is_zero(p) or _is_zero(q))
        ]
        best = ratios[0]
        for ratio in ratios[1:]:
            best = best.max(ratio)
        return best.log()

    def exceeding(self) -> Refined:
        """Return the divergence, or the largest excess of one output, at the target's epsilon."""
        if self.equal or _largest(self._signs) in (0, -1):
            return ZERO
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                p, q = self._of(self._above(1))
                if not self._above(None) and p.fraction is not None and q.fraction == 0:
                    return exactly(p.fraction)
                return by_balls(self._divergence, Fraction(1))
            case Bound.EXCESS:
                return by_balls(self._largest_excess, Fraction(1))

    def least_epsilon(self) -> Refined:
        """Return the least epsilon: it is searched for where delta is more than no epsilon bounds.

        That is what only P can give, the limit as epsilon grows. Where delta is exactly that, no
        mass of the other outputs may exceed.
        """
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                beyond, allowed = [self._of(self._infinite)[0]], _ZERO
            case Bound.EXCESS:
                beyond, allowed = [self.p[k] for k in self._infinite], self.target.delta
        match _largest([(mass - self.target.delta).sign() for mass in beyond]):
            case 1:
                return INFINITE
            case 0:
                return self._least_without_excess(allowed)
            case None if self._infinite:
                return ANYTHING
            case _:
                return searched(self, self._proposed_epsilon)

    def _least_without_excess(self, allowed: Number) -> Refined:
        """Return the least epsilon >= 0 with p - e**epsilon q <= allowed wherever q > 0."""
        pairs = enumerate(zip(self.p, self.q, strict=True))
        finite = [
            (p - allowed, q) for k, (p, q) in pairs if k not in self._infinite and not _is_zero(p)
        ]
        if _largest([(p - q).sign() for p, q in finite]) in (-1, 0):
            return ZERO

        def largest() -> Raw:
            best = raw(1)
            for p, q in finite:
                best = best.max(p.ball().raw / q.ball().raw)
            return best.log()

        return by_balls(largest)

    def _proposed_epsilon(self, grid: Grid) -> Fraction:
        """Return about the least epsilon at the target's delta, from the masses as they are near.

        It is log((P(B) - delta)/Q(B)) of one of the events B of the largest ratios.
        """
        order = [*self._infinite, *(k for _, k in sorted(self._log_ratios, reverse=True))]
        best = 0.0
        with precision(_FIRST_BITS + grid.bits):
            above, below = -self.target.delta.ball().raw, raw(0)
            for k in order:
                above, below = above + self.p[k].ball().raw, below + self.q[k].ball().raw
                if above > 0 and below > 0:
                    best = max(best, Ball((above / below).log()).midpoint())
        return Fraction(best)


def _is_zero(mass: Number) -> bool:
    """Whether a mass is written as 0, or proved to be."""
    return mass.fraction == 0 if mass.fraction is not None else mass.sign() == 0


def _largest(signs: Sequence[int | None]) -> int | None:
    """The sign of the largest of numbers with these signs."""
    return next((sign for sign in (1, None, 0, -1) if sign in signs), None)

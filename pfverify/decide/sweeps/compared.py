"""Two records of a long chain, compared by enclosures of the densities at every output."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, lru_cache
from math import inf
from typing import NamedTuple

from pfverify.decide.breach import Breach
from pfverify.decide.comparison import Comparison, Orders, Settled, Supremum
from pfverify.decide.evidence import ByRule
from pfverify.decide.sweeps.hockey import Hockey, Unknown
from pfverify.decide.sweeps.parts import BeyondFloats, U
from pfverify.decide.sweeps.sweep import BITS, AreaSweeps, RatioSweeps, Row
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, Raw, fraction_of, precision, raw, raw_float
from pfverify.exact.number import Number
from pfverify.exact.refined import Between, End, Refined
from pfverify.laws.forms import SweptRecord
from pfverify.laws.rate import Rate
from pfverify.model.chains.chain import Record
from pfverify.model.chains.enclosed import LongChain
from pfverify.model.notion import Bound
from pfverify.model.target import Target

RULE = "enclosed"
_STEPS = 60  # halvings of what encloses the least epsilon


def compared(first: SweptRecord, second: SweptRecord, target: Target) -> Orders:
    """Return both orders of what one record of a long chain may be.

    Raises InputError for records of two times.
    """
    both = one, two = first.prior.secret, second.prior.secret
    if one.time != two.time:
        raise InputError(
            f"pairs: {one.text!r} and {two.text!r} are records of two times; in a chain as long as "
            "this one they are compared at one time"
        )
    asked = first.prior.chain, first.scale
    return (
        SweptComparison(asked, both, target),
        SweptComparison(asked, both[::-1], target),
    )


@lru_cache(maxsize=1)  # pairs are asked one by one, and a sweep has them all
def _ratios(chain: LongChain, scale: str) -> RatioSweeps:
    return RatioSweeps(chain, Rate(Number.parse(scale)))


@lru_cache(maxsize=1)
def _areas(chain: LongChain, scale: str) -> AreaSweeps:
    return AreaSweeps(chain, Rate(Number.parse(scale)))


class _Ratio(NamedTuple):
    """The supremum of a ratio: at least and at most, and where it is about reached."""

    low: Raw
    high: Raw | None  # None: not bounded
    place: int


class SweptComparison(Comparison):
    """One order of what a record may be. Source: design facts F1, F4, F7."""

    no_witness = "the excess is > 0, but no margin > 0 is proved by enclosures"

    def __init__(
        self, asked: tuple[LongChain, str], records: tuple[Record, Record], target: Target
    ) -> None:
        self._asked, self._records, self.target = asked, records, target

    @property
    def equal(self) -> bool:
        """Whether it is one and the same record."""
        return self._records[0] == self._records[1]

    def against(self, target: Target) -> SweptComparison:
        """Return the same order, held to another target."""
        return SweptComparison(self._asked, self._records, target)

    # ---------------------------------------------------------------- the ratio

    @cached_property
    def _ratio(self) -> _Ratio:
        """The supremum of the ratio of two densities, which is at least 1."""
        with precision(BITS):
            try:
                low, high, place = self._enclosed_ratio()
            except BeyondFloats:
                return _Ratio(raw(1), None, 0)
            if high is not None and not high.is_finite():
                high = None
            return _Ratio(low if low > 1 and low.is_finite() else raw(1), high, place)

    def _enclosed_ratio(self) -> _Ratio:
        sweeps, (one, two) = _ratios(*self._asked), self._records
        rows = sweeps.rows(*one), sweeps.rows(*two)
        with precision(BITS):
            chances = sweeps.chances.at(*two) / sweeps.chances.at(*one)
            found = [
                _largest(window.low, a, b, chances)
                for window, a, b in zip(sweeps.windows, *rows, strict=True)
            ]
            highs = [ratio.high for ratio in found]
            for upward, totals in ((True, sweeps.totals), (False, sweeps.mirrored)):
                window = sweeps.windows[-1 if upward else 0]
                end, top = sweeps.chain.degree if upward else 0, totals.at(*one)
                found.append(_Ratio(top / totals.at(*two) * chances, None, end))
                if (window.high if upward else window.low) != end:
                    least = sweeps.at_end(rows[1], upward=upward)
                    highs.append(top / least * chances if least > 0 else None)
            best = max(found, key=lambda ratio: float(ratio.low.mid()))
            high = None if None in highs else _most([h for h in highs if h is not None])
            return _Ratio(best.low, high, best.place)

    @cached_property
    def _log_ratio(self) -> tuple[Raw, Raw | None]:
        with precision(BITS):
            low, high, _ = self._ratio
            return low.log().lower(), None if high is None else high.log().upper()

    @property
    def _loss(self) -> Between:
        """epsilon*."""
        low, high = self._log_ratio
        lower = max(_end(low), Fraction(0))
        return Between(lower, inf if high is None else max(_end(high), lower))

    @property
    def _place(self) -> Fraction:
        chain, _ = self._asked
        return chain.least + chain.step * self._ratio.place

    # ---------------------------------------------------------------- the divergence

    @cached_property
    def _hockey(self) -> Hockey | Unknown:
        with precision(BITS):
            return self._hockey_at(self.target.epsilon.ball().raw)

    def _hockey_at(self, epsilon: Raw) -> Hockey | Unknown:
        try:
            return Hockey(_areas(*self._asked), *self._records, epsilon)
        except BeyondFloats:
            return Unknown(raw(0), raw(1), raw(0))

    # ---------------------------------------------------------------- answers

    def settled(self) -> Settled:
        """Decide the target by what encloses it; a tie stays undecided."""
        match self.target.bound:
            case Bound.RATIO:
                sign, what = self._by_ratio(), "loss"
            case Bound.DIVERGENCE:
                sign, what = self._by_area(), "delta"
            case Bound.EXCESS:
                raise InputError("form: a chain as long as this one is decided in the form events")
        if sign is None:
            return Settled(
                None, None, f"the enclosure of the {what} holds the target; exact laws of so long "
                "a chain would be too large",
            )  # fmt: skip
        return Settled(sign, ByRule(RULE), breach=self._breach)

    def _by_ratio(self) -> int | None:
        _, high = self._log_ratio
        with precision(BITS):
            if high is not None and high < self.target.epsilon.ball().raw:
                return -1
            return 1 if self._ratio_margin > 0 else None

    @property
    def _ratio_margin(self) -> Raw:
        return self._ratio.low.log() - self.target.epsilon.ball().raw

    def _by_area(self) -> int | None:
        found = self._hockey
        with precision(BITS):
            delta = self.target.delta.ball().raw
            return -1 if found.high < delta else 1 if found.low > delta else None

    def _breach(self) -> Breach | None:
        """Where the target fails: at an output, or in an event."""
        with precision(BITS):
            if self.target.bound is Bound.RATIO:
                return Breach(RULE, self._ratio_margin, y=self._place)
            margin = self._hockey.of_event - self.target.delta.ball().raw
            return Breach(RULE, margin, event=self._hockey.event()) if margin > 0 else None

    def loss(self) -> Supremum:
        """Return what encloses epsilon*."""
        return Supremum(self._loss, lambda: self._place)

    def exceeding(self) -> Refined:
        """Return what encloses the divergence."""
        found = self._hockey
        with precision(BITS):
            return Between(_end(found.low.lower()), _end(found.high.upper()))

    def least_epsilon(self) -> Refined:
        """Return what encloses the least epsilon, by halving what is known of it."""
        top = self._loss.upper
        with precision(BITS):
            delta = self.target.delta.ball().raw
            surely = Fraction(0)  # too small
            enough: End = top
            for side in (1, -1):
                low, high = Fraction(0), Fraction(64 if top == inf else top)
                for _ in range(_STEPS):
                    middle = Fraction(float((low + high) / 2))
                    area = self._hockey_at(raw(middle))
                    if (area.high < delta) if side == 1 else not area.low > delta:
                        high = middle
                        if side == 1:
                            enough = middle
                    else:
                        low = middle
                        if side == -1:
                            surely = middle
            return Between(surely, enough)


def _largest(low: int, one: Row, two: Row, chances: Raw) -> _Ratio:
    """The supremum over the outputs of one window."""
    error = 1.01 * U * (one.roundings + two.roundings + 4)
    below = two.values + two.missing
    if not below.all():
        raise BeyondFloats("a density of what is possible is 0")
    ratio = one.values / below
    place = int(ratio.argmax())
    unit = chances * raw(2) ** (one.exponent - two.exponent)
    least = raw_float(float(ratio[place])) * (1 - raw_float(error)) * unit
    most = inf
    if two.values.all():
        most = float(((one.values + one.missing) / two.values).max())
    high = None if most == inf else raw_float(most) * (1 + raw_float(error)) * unit
    return _Ratio(least, high, low + place)


def _most(values: list[Raw]) -> Raw:
    found = values[0]
    for value in values[1:]:
        found = found.max(value)
    return found


def _end(value: Raw) -> Fraction:
    ends = Ball(value).ends()
    if ends is None:
        raise ArithmeticError("an enclosure has no ends")
    return fraction_of(ends[0])

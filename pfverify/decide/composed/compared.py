"""Many releases with a delta: the divergence between two bounds, as near as is asked.

Source: design facts F70 to F74.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain
from math import inf, log
from typing import Any, NamedTuple, Self

from pfverify.decide.breach import Breach, proved
from pfverify.decide.comparison import Comparison, Orders, Settled, Supremum
from pfverify.decide.composed.measures import expanded
from pfverify.decide.composed.wholes import ComposedParts, Curve
from pfverify.decide.gap import BESIDE, asked_beside, asked_gap
from pfverify.decide.step import Evidence, Step
from pfverify.exact.ball import dyadic, fraction_of, precision, raw
from pfverify.exact.number import Number
from pfverify.exact.refined import ANYTHING, ZERO, Between, Refined
from pfverify.model.notion import Bound
from pfverify.model.target import Target

EPSILON_GAP = Fraction(1, 10)
"""Of the gap of a divergence: how far apart the ends of a least epsilon are, of it."""
_ROUNDS = 6
_LEAST = Fraction(1, 10**200)
_SIGHT = Fraction(1, 20)  # what verdicts are tried with first: most need no nearer bounds
_HALVINGS, _FINE = 64, Fraction(1, 1 << 30)
_LESS = Fraction(3, 4)  # of a gap, above which finer grids will not close it
_SPARED = Fraction(1, 1 << 28)  # of a margin, for what the kernel rounds otherwise
_CROSSED = "the bounds of releases together contradict each other"
_PURE = "releases together are bounded by their losses where delta is 0"


@dataclass(frozen=True)
class FromAbove(Evidence):
    """The grid, the window and the levels on which the kernel bounds all releases together."""

    written: Mapping[str, Any]
    rule: str = "composed"

    def step(self, bits: int) -> Step:
        """Return the step, whose digits are its own."""
        del bits
        return {"rule": self.rule, **self.written}


class Bounds(NamedTuple):
    """What bounds a divergence, at most what it is, and at least."""

    curve: Curve
    low: Fraction
    high: Fraction


class Composed(Comparison):
    """One order of all releases together, held to a target with a delta > 0.

    `gap`: how far apart its bounds may be, of the divergence; `beside`: what share of delta need
    not be known so well. `borrows`: whether bounds that were worked out for other targets are
    enough, where they are so near.
    """

    tells_loss = False
    no_witness = "the excess is > 0, but no margin > 0 is proved"

    def __init__(
        self, whole: ComposedParts, side: int, target: Target, gap: Fraction, beside: Fraction, *,
        borrows: bool = False,
    ) -> None:  # fmt: skip
        self.whole, self.side, self.target, self.gap = whole, side, target, gap
        self.beside, self.borrows = beside, borrows

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.whole.equal

    def against(self, target: Target) -> Self:
        """Return the same order, held to another target."""
        return type(self)(self.whole, self.side, target, self.gap, self.beside, borrows=True)

    # ---------------------------------------------------------------- delta

    def _of(self, curve: Curve) -> Bounds:
        epsilon = self.target.epsilon
        found = Bounds(curve, curve.least(epsilon), curve.most(epsilon))
        if found.low > found.high:
            raise ArithmeticError(_CROSSED)
        return found

    def _curves(
        self, first: Fraction, beside: Fraction, *, cheap: bool = False
    ) -> Iterator[Bounds]:
        """Better and better bounds of the divergence at the target's epsilon.

        `first`: how near they are at first. `beside`: what of delta need not be known so well.
        `cheap`: nearer ones than are asked for, where that costs little more.
        """
        with precision(64):
            about = self.target.epsilon.ball().midpoint()
        little = max(self._delta * beside, _LEAST)
        aim, before, least = float(first), Fraction(2), float(little)
        if cheap:
            aim = self.whole.cheap(self.side, about, aim, least)
        for _ in range(_ROUNDS):
            curve = self.whole.curve(self.side, about, aim, least)
            if curve is None:
                return
            found = self._of(curve)
            yield found
            low, high = found.low, found.high
            if high - low <= self.gap * max(high, little) or high - low > before * _LESS:
                return
            before = high - low
            aim *= max(0.05, min(0.5, float(self.gap * high / (high - low)) * 0.8))

    @cached_property
    def _delta(self) -> Fraction:
        """The target's delta, about."""
        with precision(64):
            return fraction_of(dyadic(self.target.delta.ball().raw.lower()))

    @property
    def _little(self) -> Fraction:
        """What is so small, also beside delta, that it need not be known so well."""
        return max(self._delta * self.beside, _LEAST)

    @cached_property
    def _near(self) -> tuple[Fraction, Fraction]:
        low, high = Fraction(0), Fraction(1)
        cheap = self.beside == BESIDE  # else they propose, and need not be nearer
        known = map(self._of, self.whole.known(self.side)) if self.borrows else ()
        for found in chain(known, self._curves(self.gap, self.beside, cheap=cheap)):
            low, high = max(low, found.low), min(high, found.high)
            if low > high:
                raise ArithmeticError(_CROSSED)
            if self.borrows and high - low <= self.gap * max(high, self._little):
                break
        # with what a verdict spares, so that delta at either end is decided
        return low - low * _SPARED, min(high + high * _SPARED, Fraction(1))

    @cached_property
    def bounds(self) -> Bounds | None:
        """The first bounds that decide the target, else the last ones; None where there are none.
        """
        found = None
        known = map(self._of, self.whole.known(self.side))
        seen = self._curves(max(self.gap, _SIGHT), max(self.beside, _SIGHT))
        for found in chain(seen, known, self._curves(self.gap, self.beside, cheap=True)):
            if self._sign(found) is not None:
                break
        return found

    def _sign(self, found: Bounds) -> int | None:
        """What bounds say of the target: -1 that it is met, 1 that it is not, None nothing."""
        return -1 if self._is_met(found.high) else 1 if self._fails(found.low) else None

    def _is_met(self, most: Fraction) -> bool:
        """Whether so much is at most delta, with what is spared."""
        return (self.target.delta - Number.of_rational(most * (1 + _SPARED))).sign() in (0, 1)

    def _fails(self, least: Fraction) -> bool:
        """Whether so much is more than delta, with what is spared."""
        return (Number.of_rational(least * (1 - _SPARED)) - self.target.delta).sign() == 1

    @cached_property
    def _settled(self) -> Settled:
        found = self.bounds
        if found is None:
            return Settled(None, None, self._between(Fraction(0), Fraction(1)))
        sign = self._sign(found)
        if sign == -1:
            return Settled(-1, FromAbove(self._written(found.curve), self._rule))
        if sign == 1:
            return Settled(1, None, breach=partial(self._breach, found.curve, found.low))
        return Settled(None, None, self._between(found.low, found.high))

    def _between(self, low: Fraction, high: Fraction) -> str:
        return (
            f"delta lies between {float(low):.8g} and {float(high):.8g}, which is as near as was "
            f"asked ({float(self.gap):g} of it); a smaller --gap tells more"
        )

    def settled(self) -> Settled:
        """Decide the target by the first bound that does."""
        if self.target.bound is Bound.DIVERGENCE:
            return self._settled
        return Settled(None, None, _PURE)

    def exceeding(self) -> Refined:
        """Return the divergence, between two bounds."""
        return ZERO if self.equal else Between(*self._near)

    @property
    def _rule(self) -> str:
        return "composed" if self.whole.plan is None else "composed-coupled"

    def _written(self, curve: Curve) -> dict[str, Any]:
        """What a step from above says."""
        grid = curve.above.grid
        parts: list[dict[str, Any]] = []
        for part, spans in zip(self.whole.parts, curve.proposal.spans, strict=True):
            parts.append({"levels": [list(span) for span in spans]})
            cuts = part.level_cuts(self.side, expanded(spans), grid.step)
            if cuts is not None:
                parts[-1]["cuts"] = [None if y is None else str(y) for y in cuts]
        return self._named(curve, parts, grid.step, (grid.low, grid.high), grid.digits)

    def _named(
        self, curve: Curve, parts: list[dict[str, Any]], step: Fraction, window: tuple[int, int],
        digits: int,
    ) -> dict[str, Any]:  # fmt: skip
        for part, one in zip(self.whole.parts, parts, strict=True):
            if part.named is not None:
                one["part"] = part.named if isinstance(part.named, int) else list(part.named)
        said = {"grid": str(step), "digits": digits, "window": list(window), "parts": parts}
        if self.whole.plan is not None:
            said["plan"] = [
                [atom_text(y), atom_text(x), str(mass)]
                if self.side else [atom_text(x), atom_text(y), str(mass)]
                for x, y, mass in self.whole.plan
            ]
        return said

    def _breach(self, curve: Curve, low: Fraction) -> Breach | None:
        labels = curve.best(self.target.epsilon)
        grid = labels.below.grid
        parts: list[dict[str, Any]] = [
            {"cuts": [str(y) for y in cuts]} if part.on_line else {}
            for part, cuts in zip(self.whole.parts, labels.cuts, strict=True)
        ]
        said = self._named(curve, parts, grid.step, (grid.low, grid.high), grid.digits)
        said.pop("plan", None)
        if labels.apart is not None:
            for one in parts:
                one["apart"] = [atom_text(x) for x in labels.apart]
        with precision(grid.bits):
            margin = raw(low - low * _SPARED) - self.target.delta.ball().raw
        return Breach("composed-refuted", margin, labels=said) if proved(margin) else None

    # ---------------------------------------------------------------- the rest

    def loss(self) -> Supremum:
        """Return epsilon*, of which with a delta nothing is said here."""
        return Supremum(ANYTHING, lambda: "")

    def least_epsilon(self) -> Refined:
        """Return the least epsilon at the target's delta, between two bounds."""
        outlook = self.whole.outlooks[self.side]
        if self.equal:
            return ZERO
        if outlook is None or self.target.bound is Bound.RATIO:
            return ANYTHING
        with precision(64):
            delta = self.target.delta.ball().raw.log()  # which may be beyond what a float holds
            guess = outlook.epsilon_at(float(delta.mid()))
        wide, slope = self.gap * EPSILON_GAP, outlook.slope(guess)
        aim, low, high, before = float(wide), Fraction(0), None, Fraction(1 << 40)
        for _ in range(_ROUNDS):
            wanted = max(1e-9, aim * max(guess, 0.01) * slope)
            wanted, little = min(wanted, 0.1), float(self._little)
            wanted = self.whole.cheap(self.side, guess, wanted, little)
            curve = self.whole.curve(self.side, guess, wanted, little)
            if curve is None:
                break
            least, most = self._ends(curve)
            low = max(low, least)
            if most is None:
                break
            high = most if high is None else min(high, most)
            if low > high:
                raise ArithmeticError(_CROSSED)
            if high - low <= wide * high or high - low > before * _LESS:
                break
            before = high - low
            guess, aim, slope = float(high), aim / 4, self._slope(curve, high)
        return Between(low, inf if high is None else high)

    @staticmethod
    def _slope(curve: Curve, epsilon: Fraction) -> float:
        """About how fast the logarithm of the divergence falls."""
        step = max(epsilon, Fraction(1, 64)) / 64
        here, there = (curve.most(Number.of_rational(x)) for x in (epsilon, epsilon + step))
        if not here > there > 0:
            return 1.0
        ratio = here / there  # which may be beyond what a float holds
        return (log(ratio.numerator) - log(ratio.denominator)) / float(step)

    def _ends(self, curve: Curve) -> tuple[Fraction, Fraction | None]:
        """An epsilon that is not enough (or 0), and one that is, if there is one in the window."""

        def is_met(value: Fraction) -> bool:
            return self._is_met(curve.most(Number.of_rational(value)))

        def fails(value: Fraction) -> bool:
            return self._fails(curve.least(Number.of_rational(value)))

        top = max(Fraction(0), curve.above.grid.high * curve.above.grid.step)
        zero = Fraction(0)
        high = zero if is_met(zero) else _turn(lambda x: not is_met(x), zero, top)[1]
        if not is_met(high):
            return (top if fails(top) else zero), None
        return (_turn(fails, zero, high)[0] if fails(zero) else zero), high


def _turn(
    before: Callable[[Fraction], bool], low: Fraction, high: Fraction
) -> tuple[Fraction, Fraction]:
    """Two near numbers, before something turns and after, by halving."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if before(middle) else (low, middle)
        if high - low <= high * _FINE:
            break
    return low, high


def atom_text(atom: object) -> object:
    """Return an atom as a step names it. Example: ``atom_text((1, 2))`` is ``["1", "2"]``."""
    return [str(x) for x in atom] if isinstance(atom, tuple) else str(atom)


def together(
    whole: ComposedParts, target: Target, order: type[Composed] = Composed
) -> Orders | None:
    """Return both orders of what is composed, held to a target; None where it bounds no events."""
    if target.bound is not Bound.DIVERGENCE:
        return None
    near = asked_gap(), asked_beside()
    return order(whole, 0, target, *near), order(whole, 1, target, *near)

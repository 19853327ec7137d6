"""Outputs that are independent under either secret: the losses of one order add up.

Source: design fact F43.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import NamedTuple

from pfverify.decide.breach import Breach, Place, proved
from pfverify.decide.comparison import Comparison, Settled, Supremum
from pfverify.decide.composed.compared import together
from pfverify.decide.composed.parts import ComparedPart
from pfverify.decide.composed.wholes import ComposedParts
from pfverify.decide.several.reduced import Goal, Named, Reduced
from pfverify.decide.step import Evidence, Step
from pfverify.exact.ball import Ball, dyadic, fraction_of, precision, raw
from pfverify.exact.number import Number
from pfverify.exact.refined import INFINITE, ZERO, Between, ByBalls, Refined, ends_of
from pfverify.exact.rising import rising
from pfverify.exact.simplify import simplest_between
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_FIRST_BITS, _LAST_BITS = 64, 1024
_ROUNDED = Fraction(49_999, 50_000)  # what margins of parts keep when they are written
_OF_NAMED = {"pure-refuted", "output-refuted", "event-refuted", "outputs-refuted"}
_UNBOUNDED = "basic composition does not bound what delta bounds"
_TIED = "the sum of the losses may equal epsilon exactly, for which there is no test"


class Fresh(NamedTuple):
    """One order under a single release, and how many fresh draws are released so.

    Behind steps it is `named`: a coordinate, or the first release of its scale.
    """

    order: Comparison
    times: int
    named: Named | None = None


@dataclass(frozen=True)
class ByParts(Evidence):
    """What proves each part at its own epsilon and delta, which sum to those that are asked."""

    parts: Sequence[tuple[Number, Number, Evidence]]
    named: Sequence[Named | None]
    rule = "product"

    def step(self, bits: int) -> Step:
        """Return the rule with a step for every part."""
        parts: list[Step] = [
            {"epsilon": epsilon.text, "delta": delta.text, "step": evidence.step(bits)}
            for epsilon, delta, evidence in self.parts
        ]
        for part, named in zip(parts, self.named, strict=True):
            if named is not None:
                part["part"] = named if isinstance(named, int) else list(named)
        return {"rule": self.rule, "parts": parts}


def summed(
    parts: Sequence[ComparedPart], target: Target, exact: tuple[Comparison, Comparison] | None
) -> tuple[Reduced, Reduced]:
    """Return both orders of independent outputs: at most the sum, at least each of the parts.

    `exact`: the same otherwise, where that is known; else, with a delta, all composed.
    """
    known = together(ComposedParts(parts), target) if exact is None else exact

    def order(side: int) -> Reduced:
        whole = SummedLosses(
            [Fresh(part.orders[side], part.times, part.named) for part in parts], target
        )
        below = [
            Goal(part.orders[side], release=index if part.named is None else None, part=part.named)
            for index, part in enumerate(parts)
        ]
        return Reduced([whole], below, [] if known is None else [Goal(known[side])], same=whole)

    return order(0), order(1)


class SummedLosses(Comparison):
    """One order of two laws of outputs that are independent under either secret.

    Fresh draws of X given the secret are such. The loss is the sum of the losses; what delta bounds
    is at most the sum of what it is of each part at epsilons that sum to epsilon.
    """

    no_witness = "the excess is > 0, but no margin > 0 is proved"

    def __init__(self, parts: Sequence[Fresh], target: Target) -> None:
        self.parts, self.target = parts, target

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return all(part.order.equal for part in self.parts)

    def against(self, target: Target) -> SummedLosses:
        """Return the same order, held to another target."""
        parts = [part._replace(order=part.order.against(target)) for part in self.parts]
        return SummedLosses(parts, target)

    @property
    def count(self) -> int:
        """How many releases there are."""
        return sum(part.times for part in self.parts)

    # ---------------------------------------------------------------- the loss

    @cached_property
    def _losses(self) -> list[Refined]:
        return [part.order.loss().value for part in self.parts]

    def loss(self) -> Supremum:
        """Return epsilon*, the sum of those of all releases, with the output of the first."""
        return Supremum(self._loss, self._where)

    def _where(self) -> Place:
        places = [part.order.loss().where for part in self.parts]
        if self._named and (len(places) > 1 or isinstance(self.parts[0].named, Sequence)):
            return f"({', '.join(map(str, places))})"
        named = self._named and isinstance(places[0], str)
        return f"(each {places[0]})" if named else places[0]

    def _by_parts(self, parts: Sequence[tuple[Number, Number, Evidence]]) -> ByParts:
        return ByParts(parts, [part.named for part in self.parts])

    @cached_property
    def _loss(self) -> Refined:
        if any(loss == INFINITE for loss in self._losses):
            return INFINITE
        if self.equal:
            return ZERO
        if all(isinstance(loss, Between) for loss in self._losses):
            ends = [ends_of(loss) for loss in self._losses]
            pairs = list(zip(ends, self.parts, strict=True))
            return Between(sum(a * part.times for (a, _), part in pairs),
                           sum(b * part.times for (_, b), part in pairs))  # fmt: skip
        return ByBalls(self._balls, is_exactly=self._is_exactly)

    def _balls(self, bits: int) -> Iterator[Ball]:
        for working in rising(_FIRST_BITS + bits, 8 * (_LAST_BITS + bits)):
            with precision(working + 32):
                total = raw(0)
                for loss, part in zip(self._losses, self.parts, strict=True):
                    low, high = ends_of(loss, working)
                    if high == inf:
                        return
                    total += raw(Fraction(low)).union(raw(Fraction(high))) * part.times
                ball = Ball(total)
            yield ball

    def _is_exactly(self, value: Fraction) -> bool:
        if len(self.parts) > 1:
            return False
        ((order, count, _),) = self.parts
        target = Target(Number.of_rational(value / count), Number.of_rational(0))
        return order.against(target).settled().sign == 0

    @cached_property
    def _ratio(self) -> Settled:
        """Decide whether the losses sum to at most epsilon."""
        epsilon = self.target.epsilon
        zero = Number.of_rational(0)
        if len(self.parts) == 1:
            order, count, _ = self.parts[0]
            own = epsilon / Number.of_rational(count)
            found = order.against(Target(own, zero, self.target.notion)).settled()
            evidence = found.evidence
            product = None if evidence is None else self._by_parts([(own, zero, evidence)])
            return Settled(found.sign, product, found.reason)
        for bits in rising(_FIRST_BITS, _LAST_BITS):
            ends = [ends_of(loss, bits) for loss in self._losses]
            most = _sum([high for _, high in ends], self.parts)
            least = _sum([low for low, _ in ends], self.parts)
            if least is None or (least - epsilon).sign() == 1:
                return Settled(1, None)
            if most is not None and (epsilon - most).sign() in (0, 1):
                found = self._held([Fraction(high) for _, high in ends])
                below = found.sign == 0 and (epsilon - most).sign() == 1
                return replace(found, sign=-1) if below else found
        return self._tied()

    def _tied(self) -> Settled:
        """Decide losses that seem to sum to epsilon: as the simplest numbers that they may be."""
        ends = [ends_of(loss, _LAST_BITS) for loss in self._losses]
        if any(high == inf for _, high in ends):
            return Settled(None, None, _TIED)
        simplest = [simplest_between(Fraction(low), Fraction(high)) for low, high in ends]
        total = _sum(simplest, self.parts)
        if total is None or (self.target.epsilon - total).sign() != 0:
            return Settled(None, None, _TIED)
        return self._held(simplest)

    def _held(self, epsilons: Sequence[Fraction]) -> Settled:
        """Decide whether each part satisfies its epsilon, which sum to the one that is asked."""
        zero, own_parts, ties = Number.of_rational(0), [], True
        for part, epsilon in zip(self.parts, epsilons, strict=True):
            own = Number.of_rational(epsilon)
            held = part.order.against(Target(own, zero, self.target.notion)).settled()
            if held.sign not in (-1, 0) or held.evidence is None:
                return Settled(None, None, held.reason or _TIED)
            ties = ties and held.sign == 0
            own_parts.append((own, zero, held.evidence))
        return Settled(0 if ties else -1, self._by_parts(own_parts))

    # ---------------------------------------------------------------- delta

    def _split(self, target: Target) -> list[Target] | None:
        """An epsilon and a delta for every part, which sum to the target: as their losses do."""
        if len(self.parts) == 1:
            count = Number.of_rational(self.parts[0].times)
            return [Target(target.epsilon / count, target.delta / count, target.notion)]
        ends = [ends_of(loss)[1] for loss in self._losses]
        with precision(128):
            whole = fraction_of(dyadic(target.epsilon.ball().raw.lower()))
        weights = [Fraction(1) if end == inf else Fraction(end) for end in ends]
        total = sum((w * part.times for w, part in zip(weights, self.parts, strict=True)),
                    Fraction(0))  # fmt: skip
        if not total or whole <= 0:
            return None
        delta = target.delta / Number.of_rational(self.count)
        return [
            Target(Number.of_rational(_short(whole * w / total)), delta, target.notion)
            for w in weights
        ]

    def settled(self) -> Settled:
        """Decide the target: by the sum of losses, or meet it by basic composition."""
        pure = self._ratio
        if self.target.bound is Bound.RATIO or self.equal:
            return replace(pure, breach=self._point_breach)
        if pure.sign in (-1, 0):
            return replace(pure, sign=-1)
        if (split := self._split(self.target)) is not None:
            found = [
                part.order.against(own).settled()
                for part, own in zip(self.parts, split, strict=True)
            ]
            proofs = [one.evidence for one in found if one.sign in (-1, 0)]
            if len(proofs) == len(found):
                parts = [(own.epsilon, own.delta, proof) for own, proof
                         in zip(split, proofs, strict=True) if proof is not None]  # fmt: skip
                return Settled(-1, self._by_parts(parts))
        return Settled(None, None, _UNBOUNDED)

    def _point_breach(self) -> Breach | None:
        """An output, or event, of every part, whose log ratios sum to more than epsilon."""
        epsilons = self._refuting_epsilons()
        if epsilons is None:
            return None
        parts, total = [], Fraction(0)
        for part, own in zip(self.parts, epsilons, strict=True):
            if part.named is not None and own.sign() == 0 and len(self.parts) > 1:
                continue  # it adds nothing to the others
            held = part.order.against(Target(own, Number.of_rational(0), self.target.notion))
            found = held.decided().breach
            if found is None or found.rule not in self._rules:
                return None
            if found.part is not None or found.release is not None:  # it is of some of the part
                return None
            margin = _short(_rational(found))
            if margin <= 0:
                return None
            parts.append((own.text, replace(found, margin=margin, part=part.named)))
            total += margin * part.times
        found_parts, margin = tuple(parts), total * _ROUNDED
        if self._named:
            return Breach("product-refuted", margin, parts=found_parts)
        places = tuple(one.y for _, one in parts if one.y is not None)
        single = len(places) == 1
        return Breach(
            "product-refuted", margin, y=places[0] if single else None,
            point=None if single else places, parts=found_parts,
        )  # fmt: skip

    @property
    def _rules(self) -> Set[str]:
        """By which rules a part may exceed its epsilon."""
        return _OF_NAMED if self._named else {"pure-refuted"}

    @property
    def _named(self) -> bool:
        return any(part.named is not None for part in self.parts)

    def _refuting_epsilons(self) -> list[Number] | None:
        """Epsilons below the losses that sum to at least epsilon."""
        epsilon = self.target.epsilon
        if len(self.parts) == 1:
            return [epsilon / Number.of_rational(self.parts[0].times)]
        for bits in rising(_FIRST_BITS, _LAST_BITS):
            lows = [ends_of(loss, bits)[0] for loss in self._losses]
            total = _sum(lows, self.parts)
            if total is None:
                continue
            over = total - epsilon
            if over.sign() != 1:
                continue
            with precision(128):
                share = fraction_of(dyadic(over.ball().raw.lower())) / (2 * self.count)
            if share <= 0:
                continue
            return [Number.of_rational(_short(Fraction(low) - share, share)) for low in lows]
        return None

    def exceeding(self) -> Refined:
        """Return what delta bounds: at most that of basic composition."""
        if self.equal or self._ratio.sign in (-1, 0):
            return ZERO
        upper = [Fraction(1)]
        if (split := self._split(self.target)) is not None:
            each = [
                ends_of(part.order.against(own).exceeding())[1] * part.times
                for part, own in zip(self.parts, split, strict=True)
            ]
            upper.append(Fraction(sum(each)))
        return Between(Fraction(0), min(upper))

    def least_epsilon(self) -> Refined:
        """Return the least epsilon: at most that of basic composition."""
        if self.equal:
            return ZERO
        delta = self.target.delta / Number.of_rational(self.count)
        own = replace(self.target, delta=delta)
        each = sum(
            ends_of(part.order.against(own).least_epsilon())[1] * part.times for part in self.parts
        )
        return Between(Fraction(0), min(ends_of(self._loss)[1], each))


def _sum(values: Sequence[Fraction | float], parts: Sequence[Fresh]) -> Number | None:
    """The sum over all releases; None where it is infinite."""
    if any(value == inf for value in values):
        return None
    pairs = zip(values, parts, strict=True)
    return Number.of_rational(sum((Fraction(v) * p.times for v, p in pairs), Fraction(0)))


def _short(value: Fraction, within: Fraction | None = None) -> Fraction:
    """A short decimal below a number >= 0, to 64 bits however small it is, or one within so much
    above it."""
    if within is not None:
        digits = max(1, -(within.numerator.bit_length() - within.denominator.bit_length())) + 2
        scale = 1 << digits
        return Fraction(-(-value * scale).__floor__(), scale) if value > 0 else Fraction(0)
    small = value.denominator.bit_length() - value.numerator.bit_length()
    scale = 1 << (64 + max(0, small))
    return Fraction((value * scale).__floor__(), scale)


def _rational(found: Breach) -> Fraction:
    """A rational at most the margin of a breach, which is proved to be positive."""
    if isinstance(found.margin, Fraction):
        return found.margin
    if isinstance(found.margin, float) or not proved(found.margin):
        return Fraction(0)
    return fraction_of(dyadic(found.margin.lower()))

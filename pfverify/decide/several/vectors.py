"""Gaussian noise on several numbers: what they come down to on a line.

Of two points the outputs tell what one number does, and of points on one line too (F75). Else a
coupling bounds what delta does from above (F74), and what a linear function of the outputs tells is
a bound from below.
Source: design facts F74 and F75.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import gcd, inf, lcm
from typing import Any

from pfverify.decide.breach import Direction
from pfverify.decide.comparison import Orders, Settled
from pfverify.decide.composed.compared import FromAbove, atom_text
from pfverify.decide.composed.wholes import Decide
from pfverify.decide.several.coordinates import SameLaw, joint_laws, noises_of
from pfverify.decide.several.reduced import Goal, Reduced
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.exact.ball import Raw, dyadic, erfc, fraction_of, precision, raw
from pfverify.exact.corner import corner
from pfverify.exact.number import Number
from pfverify.exact.refined import ZERO, Between, Refined
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.notion import Bound
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import Joint, Point
from pfverify.model.question import Question
from pfverify.model.target import Target

_BITS, _SHORT = 256, 64
_SPARED = Fraction(1, 1 << 40)
_FAR, _HALVINGS = 1 << 40, 100
_HEAVIEST, _MOST_SINGLE = 2, 4  # directions that are asked
OPEN = (
    "with delta = 0 nothing is known of points in several directions with gaussian noise, but that "
    "they lose at least what each linear function of the outputs does"
)
Edge = tuple[Point, Point, Fraction]
"""A point under either secret, and the mass that is coupled."""


def compared(item: Question, decide: Decide) -> Orders:
    """Return both orders of several numbers with Gaussian noise."""
    target, weights = target_of(item), line_weights(item)
    if weights is not None:
        named, orders = Direction(weights), decide(seen(item, weights))
        first, second = (Reduced([], [], [Goal(one, part=named)]) for one in orders)
        return first, second
    shared = _Plans(joint_laws(item), variances_of(item))
    asked = [(Direction(weights), decide(seen(item, weights))) for weights in shared.directions]

    def order(side: int) -> Reduced:
        below = [Goal(orders[side], part=named) for named, orders in asked]
        why = OPEN if target.bound is Bound.RATIO else None
        return Reduced([CoupledNormals(shared, target, side)], below, why=why)

    return order(0), order(1)


def variances_of(item: Question) -> list[Fraction]:
    """Return the variance of every coordinate; InputError for noise without a scale."""
    found = []
    for noise in noises_of(item):
        noise.stated_scale()
        if not isinstance(noise, GaussianNoise) or noise.variance is None:
            raise InputError("noise: expected gaussian noise")
        found.append(noise.variance)
    return found


# ---------------------------------------------------------------- one line


def line_weights(item: Question) -> tuple[Fraction, ...] | None:
    """Return the weights of the outputs in the one number that tells as much as all of them.

    None where the points are not all on one line. The number grows as the first coordinate does
    that moves along it; where none does it is the first coordinate.
    """
    origin, *others = (x for law in joint_laws(item) for x in law.mass)
    apart = [[a - b for a, b in zip(x, origin, strict=True)] for x in others]
    place = next((k for k in range(len(origin)) if any(d[k] for d in apart)), 0)
    unit = [Fraction(k == place) for k in range(len(origin))]
    step = next((d for d in apart if d[place]), unit)
    way = [x / step[place] for x in step]
    if any(x != d[place] * v for d in apart for x, v in zip(d, way, strict=True)):
        return None
    precise = [v / variance for v, variance in zip(way, variances_of(item), strict=True)]
    whole = _dot(way, precise)
    return tuple(x / whole for x in precise)


# ---------------------------------------------------------------- from below


def outward(item: Question) -> Iterator[Sequence[Fraction]]:
    """Yield weights of outputs that grow towards one end of the points: coordinates, and from the
    middle to each point."""
    variances = variances_of(item)
    for k in range(len(variances)):
        yield [Fraction(k == i) for i in range(len(variances))]
    points = [x for law in joint_laws(item) for x in law.mass]
    middle = [sum(x, Fraction(0)) / len(points) for x in zip(*points, strict=True)]
    for x in points:
        if x != tuple(middle):
            yield [(a - m) / v for a, m, v in zip(x, middle, variances, strict=True)]


def seen(item: Question, weights: Sequence[Fraction]) -> Question:
    """Return the question about the sum of all outputs with some weights."""
    first, second = (_along(law, weights) for law in joint_laws(item))
    squares = (w * w * v for w, v in zip(weights, variances_of(item), strict=True))
    noise = GaussianNoise(variance=sum(squares, Fraction(0)))
    return replace(item, first_prior=first, second_prior=second, release=noise)


def _along(law: Joint, weights: Sequence[Fraction]) -> Discrete:
    found: dict[Fraction, Fraction] = {}
    for x, mass in law.mass.items():
        at = _dot(x, weights)
        found[at] = found.get(at, Fraction(0)) + mass
    return Discrete(found)


def _dot(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))


def _whole(weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The same direction in whole numbers, the first of which is positive."""
    unit = lcm(*(w.denominator for w in weights))
    factor = gcd(*(int(w * unit) for w in weights))
    sign = next(1 if w > 0 else -1 for w in weights if w)
    return tuple(w * unit * sign / factor for w in weights)


# ---------------------------------------------------------------- from above


class _Plans:
    """Two laws of points, and some couplings of them."""

    def __init__(self, laws: tuple[Joint, Joint], variances: Sequence[Fraction]) -> None:
        self.laws, self.variances = laws, variances

    @cached_property
    def apart(self) -> list[Fraction]:
        """How far the mean of the second law is from that of the first."""
        means = [
            [sum((x[k] * mass for x, mass in law.mass.items()), Fraction(0))
             for k in range(len(law.names))]
            for law in self.laws
        ]  # fmt: skip
        return [b - a for a, b in zip(*means, strict=True)]

    @property
    def directions(self) -> list[tuple[Fraction, ...]]:
        """Weights of outputs to ask about: where means differ, the heaviest atoms, or few.

        Also those along which the atoms of one law differ: each number alone may show nothing.
        """
        size = len(self.variances)
        steps = [self.apart]
        heavy = sorted(self.plans[0], key=lambda edge: -edge[2])
        moved = [[b - a for a, b in zip(x, y, strict=True)] for x, y, _ in heavy if x != y]
        steps += moved[:_HEAVIEST]
        for law in self.laws:
            x, *others = sorted(law.mass, key=lambda one: -law.mass[one])
            steps += [[b - a for a, b in zip(x, y, strict=True)] for y in others[:1]]
        steps = [step for step in steps if any(step)]
        found = [[d / v for d, v in zip(step, self.variances, strict=True)] for step in steps]
        singles = range(min(size, _MOST_SINGLE))
        found += [[Fraction(k == i) for i in range(size)] for k in singles]
        return list(dict.fromkeys(_whole(weights) for weights in found))

    @cached_property
    def plans(self) -> list[list[Edge]]:
        """Monotone plans: by the coordinates, along the means, and with common mass left alone."""
        weights = [d / v for d, v in zip(self.apart, self.variances, strict=True)]
        orders: list[Callable[[Point], Any]] = [lambda x: x]
        if any(weights):
            orders.append(lambda x: (_dot(x, weights), x))
        first, second = (law.mass for law in self.laws)
        common = {x: min(mass, second[x]) for x, mass in first.items() if x in second}
        found = [_monotone(first, second, order) for order in orders]
        rest = [
            {x: mass - common.get(x, 0) for x, mass in law.items() if mass > common.get(x, 0)}
            for law in (first, second)
        ]
        if common and rest[0]:
            kept = [(x, x, mass) for x, mass in common.items()]
            found.append(kept + _monotone(rest[0], rest[1], orders[-1]))
        return found

    def squares(self, plan: Sequence[Edge]) -> dict[Fraction, Fraction]:
        """Return the masses that are moved by each distance, squared, in units of the scales."""
        found: dict[Fraction, Fraction] = {}
        for x, y, mass in plan:
            moved = [b - a for a, b in zip(x, y, strict=True)]
            square = _dot(moved, [d / v for d, v in zip(moved, self.variances, strict=True)])
            if square:
                found[square] = found.get(square, Fraction(0)) + mass
        return found

    @cached_property
    def moved(self) -> list[dict[Fraction, Fraction]]:
        """The same of every plan."""
        return [self.squares(plan) for plan in self.plans]


def _monotone(
    first: Mapping[Point, Fraction], second: Mapping[Point, Fraction],
    order: Callable[[Point], Any],
) -> list[Edge]:  # fmt: skip
    rows, columns = (sorted(law, key=order) for law in (first, second))
    edges = corner([first[x] for x in rows], [second[x] for x in columns])
    return [(rows[i], columns[k], mass) for i, k, mass in edges]


def normal_divergence(square: Fraction, epsilon: Raw) -> Raw:
    """Return the divergence of N(0, 1) from N(mu, 1), `square` = mu^2 > 0, at this precision.

    The loss is N(mu^2/2, mu^2) under the one and N(-mu^2/2, mu^2) under the other.
    Example: ``normal_divergence(Fraction(1), raw(1)) > 0`` is True.
    Source: design fact F75.
    """
    root, half = (2 * raw(square)).sqrt(), raw(square) / 2
    ours, theirs = (erfc((epsilon + way * half) / root) / 2 for way in (-1, 1))
    return ours - epsilon.exp() * theirs


class CoupledNormals(SameLaw):
    """One order of two laws of points with Gaussian noise, from above: by a coupling."""

    no_witness = "a coupling refutes nothing"

    def __init__(self, shared: _Plans, target: Target, side: int) -> None:
        super().__init__(shared.laws, target, side)
        self.shared = shared

    def against(self, target: Target) -> CoupledNormals:
        """Return the same order, held to another target."""
        return CoupledNormals(self.shared, target, self.side)

    def most(self, epsilon: Fraction) -> tuple[Fraction, Sequence[Edge]]:
        """Return the least bound of the plans at an epsilon, and the plan."""
        found = []
        with precision(_BITS + self._digits * 4):
            at, unit = raw(epsilon), Fraction(2, 10**self._digits)
            for plan, moved in zip(self.shared.plans, self.shared.moved, strict=True):
                total = raw(0)
                for square, mass in moved.items():
                    total += raw(mass) * (normal_divergence(square, at) + raw(unit))
                found.append((min(Fraction(1), _upper(total)), plan))
        return min(found, key=lambda one: one[0])

    @property
    def _digits(self) -> int:
        """Of what the kernel is to know of masses: enough for delta."""
        with precision(64):
            delta = _lower(self.target.delta.ball().raw)
        if delta <= 0:
            return 20
        small = delta.denominator.bit_length() - delta.numerator.bit_length()
        return 20 + max(0, small * 3 // 10)

    @cached_property
    def _epsilon(self) -> Fraction:
        """A rational epsilon of few digits, at most the target's, and very near."""
        given = self.target.epsilon
        if given.fraction is not None:
            return given.fraction
        with precision(_BITS):
            least = max(Fraction(0), _lower(given.ball().raw))
        scale = 1 << max(0, _SHORT + least.denominator.bit_length() - least.numerator.bit_length())
        return Fraction((least * scale).__floor__(), scale)

    def settled(self) -> Settled:
        """Decide the target: it is met where the bound is, else nothing is said."""
        least, plan = self.most(self._epsilon)
        spared = least * (1 + _SPARED)
        if (self.target.delta - Number.of_rational(spared)).sign() in (0, 1):
            return Settled(-1, FromAbove(self._written(plan), "composed-coupled"))
        return Settled(None, None, self.no_witness)

    def _written(self, plan: Sequence[Edge]) -> dict[str, object]:
        place = 1 if self._epsilon else 0
        edges = [(y, x, mass) if self.side else (x, y, mass) for x, y, mass in plan]
        return {
            "grid": str(self._epsilon or 1), "digits": self._digits,
            "window": [place - 1, place + 1], "parts": [{"levels": [[place, place, 1]]}],
            "plan": [[atom_text(x), atom_text(y), str(mass)] for x, y, mass in edges],
        }  # fmt: skip

    def exceeding(self) -> Refined:
        """Return what delta bounds: at most what the coupling says."""
        return ZERO if self.equal else Between(Fraction(0), self.most(self._epsilon)[0])

    def least_epsilon(self) -> Refined:
        """Return the least epsilon: at most one at which the coupling is enough."""
        if self.equal:
            return ZERO
        delta = self.target.delta

        def is_met(epsilon: Fraction) -> bool:
            most = self.most(epsilon)[0]
            return (delta - Number.of_rational(most)).sign() in (0, 1)

        low, high = Fraction(0), Fraction(1)
        if is_met(low):
            return ZERO
        while not is_met(high):
            low, high = high, 2 * high
            if high > _FAR:
                return Between(Fraction(0), inf)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if is_met(middle) else (middle, high)
            if high - low <= high * _SPARED:
                break
        return Between(Fraction(0), high)


def _upper(value: Raw) -> Fraction:
    return fraction_of(dyadic(value.upper()))


def _lower(value: Raw) -> Fraction:
    return fraction_of(dyadic(value.lower()))

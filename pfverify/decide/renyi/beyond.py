"""What bounds the divergences of all large orders, which no list of orders reaches.

The largest log ratio bounds every divergence (design fact F107). Where Gaussian noise leaves it
unbounded, the atoms of P that lie beyond those of Q are moved to the last of these: D_a is at most
the largest log ratio of what that makes of P, and a d^2/(2V), for a distance d (F108). Or all of P
is moved to Q.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from pfverify.decide.comparison import Comparison
from pfverify.decide.renyi.chords import Beyond, Far
from pfverify.decide.step import Step
from pfverify.errors import UndecidedError
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.refined import ends_of
from pfverify.model.notion import EVENTS
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.prior import Component
from pfverify.model.target import Target
from pfverify.transport.line import monotone_plan

Parts = Sequence[Component]
_BITS, _DIGITS = 40, 8  # of a largest log ratio, which is rounded up
_MORE = 1 + Fraction(1, 1 << 24)


def by_ratio(pure: Comparison) -> Far:
    """Return the bound by the largest log ratio, where that is finite."""
    return Far(lambda: _by_ratio(pure, "itself", Fraction(0)))


def by_distance(p: Parts, q: Parts, variance: Fraction, pure: Callable[[Parts], Comparison]) -> Far:
    """Return those of atoms with noise of this variance; `pure` compares another P with Q."""
    laws = [Discrete({part.mean: part.weight for part in law}) for law in (p, q)]
    farthest = monotone_plan(*laws).w_infinity()
    everything = Beyond(Fraction(0), _rise(farthest, variance), lambda _: {"law": "other"})
    low, high = (pick(part.mean for part in q) for pick in (min, max))
    moved = [(part, min(max(part.mean, low), high)) for part in p]
    distance = max(abs(part.mean - place) for part, place in moved)
    weights: dict[Fraction, Fraction] = {}
    for part, place in moved:
        weights[place] = weights.get(place, Fraction(0)) + part.weight
    inside = [Component(weights[x], x, p[0].variance) for x in sorted(weights)]
    limit, law = _rise(distance, variance), "inside" if distance else "itself"
    return Far(lambda: _by_ratio(pure(inside), law, limit), [everything], limit)


def together(parts: Sequence[tuple[Far, int]]) -> Far:
    """Return those of independent outputs, so many of each: they add up (design fact F97)."""
    limit = sum((far.limit * count for far, count in parts), Fraction(0))
    counts = [count for _, count in parts]

    def sums(of: Iterable[Sequence[Beyond]]) -> list[Beyond]:
        return [_sum([*zip(some, counts, strict=True)]) for some in zip(*of, strict=False)]

    def more() -> list[Beyond]:
        return sums(far.bounds[len(far.known) :] for far, _ in parts)

    return Far(more, sums(far.known for far, _ in parts), limit)


def _rise(distance: Fraction, variance: Fraction) -> Fraction:
    return distance**2 / (2 * variance)


def _by_ratio(pure: Comparison, law: str, rise: Fraction) -> list[Beyond]:
    top = ends_of(pure.loss().value, _BITS)[1]
    if not isinstance(top, Fraction):
        return []
    loss = Grid(_DIGITS).above(top * _MORE) if top else Fraction(0)

    def step(bits: int) -> Step:
        target = Target(Number.of_rational(loss), Number.of_rational(0), EVENTS)
        proof = pure.against(target).settled().evidence
        if proof is None:
            raise UndecidedError("the largest log ratio is not proved to be below a larger number")
        return {"law": law, "loss": str(loss), "step": proof.step(bits)}

    return [Beyond(loss, rise, step)]


def _sum(parts: Sequence[tuple[Beyond, int]]) -> Beyond:
    loss = sum((one.loss * count for one, count in parts), Fraction(0))
    rise = sum((one.rise * count for one, count in parts), Fraction(0))
    return Beyond(loss, rise, lambda bits: {"parts": [one.step(bits) for one, _ in parts]})

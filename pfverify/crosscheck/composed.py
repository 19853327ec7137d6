"""Cases of many releases: the pairs that accountants are written for, at numbers where they fail.

A point that moves, a point that moves with some chance in each release (subsampling, in both
orders), and without noise finite channels. The losses of a single release are known, so that each
epsilon stands where the divergence is neither 0 nor 1, but for the cases far out.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt

from pfverify.crosscheck.case import AtomLaw, Case
from pfverify.crosscheck.draw import DrawStream
from pfverify.crosscheck.settings import Settings

_Pair = tuple[AtomLaw, AtomLaw]
_AT, _AWAY = AtomLaw((0.0, 1.0), (1.0, 0.0)), AtomLaw((0.0, 1.0), (0.0, 1.0))
_POINTS: dict[str, tuple[float, float, float]] = {  # scale, count, epsilon
    "100 releases": (10.0, 100.0, 6.0),
    "20 releases of loss about 1": (1.0, 20.0, 13.0),
    "one release": (2.0, 1.0, 0.25),
    "two releases": (1.0, 2.0, 1.5),
    "2000 releases of a small loss": (100.0, 2000.0, 2.0),
    "nearly all losses exceeded": (1.0, 50.0, 1.0),
    "epsilon 0": (10.0, 10.0, 0.0),
    "a delta below 1e-14": (10.0, 100.0, 8.0),
    "a delta below 1e-20": (10.0, 100.0, 9.5),
}
_SAMPLED: dict[str, tuple[float, float, float, float]] = {  # rate, scale, count, epsilon
    "a quarter sampled": (0.25, 2.0, 10.0, 1.0),
    "one in a hundred sampled": (0.01, 1.0, 50.0, 0.25),
}
_TABLES: dict[str, tuple[tuple[float, ...], tuple[float, ...], float, float]] = {
    "randomized response, 3/4": ((0.75, 0.25), (0.25, 0.75), 30.0, 20.0),
    "randomized response, 3/5": ((0.6, 0.4), (0.4, 0.6), 100.0, 10.0),
    "randomized response, one answer": ((0.75, 0.25), (0.25, 0.75), 1.0, 0.5),
    "randomized response, far out": ((0.6, 0.4), (0.4, 0.6), 100.0, 39.0),
    "three answers": ((0.5, 0.25, 0.25), (0.25, 0.25, 0.5), 40.0, 8.0),
    "an answer of one law alone": ((0.5, 0.5, 0.0), (0.5, 0.4375, 0.0625), 10.0, 0.5),
}
_COUNTS = (1.0, 2.0, 5.0, 10.0, 30.0, 100.0, 300.0)
_RATES = (1.0, 1.0, 0.5, 0.25)  # the chance of a move
_AWAY_BY = (0.0, 1.0, 2.0, 4.0)  # standard deviations of the sum, above its mean


def curated(settings: Settings) -> Iterator[Case]:
    """Yield the curated cases, those of one pair in both orders.

    Example: ``next(curated(Settings("accountant"))).count`` is 100.0.
    """
    if settings.noise == "none":
        for name, (p, q, count, epsilon) in _TABLES.items():
            yield _case(settings, _table(p, q), 1.0, count, epsilon, f"curated: {name}")
        return
    for name, (scale, count, epsilon) in _POINTS.items():
        yield _case(settings, (_AT, _AWAY), scale, count, epsilon, f"curated: {name}")
    for name, (rate, scale, count, epsilon) in _SAMPLED.items():
        pair = _sampled(rate)
        yield _case(settings, pair, scale, count, epsilon, f"curated: {name}")
        other = f"curated: {name}, the other order"
        yield _case(settings, pair[::-1], scale, count, epsilon, other)


def generated(settings: Settings, seed: int, index: int) -> Case:
    """Return one case; it depends on nothing but the settings, the seed and the index.

    Example: ``generated(Settings("accountant"), 0, 3).origin`` is
    ``'many releases, number 3 of seed 0'``.
    """
    draw = DrawStream(f"{settings.text}/{seed}/{index}")
    count = draw.pick(_COUNTS)
    if settings.noise == "none":
        size = draw.whole(2, 4)
        pair = _table(draw.masses(size), draw.masses(size))
        scale, loss = 1.0, _mean_loss(*pair)
    else:
        pair, scale = _sampled(draw.pick(_RATES)), draw.size(0, 2)
        loss = 1 / scale
    epsilon = count * loss * loss / 2 + draw.pick(_AWAY_BY) * loss * sqrt(count)
    if settings.epsilons is not None:
        epsilon = min(max(epsilon, settings.epsilons[0]), settings.epsilons[1])
    origin = f"many releases, number {index} of seed {seed}"
    return _case(settings, pair, scale, count, float(f"{epsilon:.3g}"), origin)


def _mean_loss(p: AtomLaw, q: AtomLaw) -> float:
    """About the loss of one release: the root of its mean square, of the answers of both laws."""
    both = [(a, b) for a, b in zip(p.masses, q.masses, strict=True) if a and b]
    return sqrt(sum(a * log(a / b) ** 2 for a, b in both))


def _sampled(rate: float) -> _Pair:
    """A point that moves by 1 with a chance, against the point."""
    return (AtomLaw((0.0, 1.0), (1 - rate, rate)), _AT) if rate < 1 else (_AT, _AWAY)


def _table(p: tuple[float, ...], q: tuple[float, ...]) -> _Pair:
    atoms = tuple(float(k) for k in range(len(p)))
    return AtomLaw(atoms, p), AtomLaw(atoms, q)


def _case(
    settings: Settings, pair: _Pair, scale: float, count: float, epsilon: float, origin: str
) -> Case:
    return Case(
        settings.kind, settings.noise, *pair, epsilon=epsilon, scale=scale, count=count,
        origin=origin,
    )  # fmt: skip

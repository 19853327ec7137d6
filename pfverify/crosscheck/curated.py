"""Curated cases: small questions, each chosen for a mistake that it shows."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, nextafter

from pfverify.crosscheck.case import Case
from pfverify.crosscheck.draw import DrawStream, normalised
from pfverify.crosscheck.families import DrawnPair, crowd, drawn
from pfverify.crosscheck.generated import outputs
from pfverify.crosscheck.mixtures import normal_pair
from pfverify.crosscheck.settings import Settings

_MANY = 10**5
_EPSILON, _DELTA = 0.5, 1e-3

_POINTS = drawn((0.0, 1.0), (1.0, 0.0), (0.0, 1.0))
_CENSUS = drawn((0.0, 1.0), normalised([376.0, 204.0]), normalised([34.0, 35.0]))
_LAST = drawn((0.0, 1.0, 2.0, 3.0, 4.0), (0.2,) * 5, (0.24, 0.24, 0.24, 0.24, 0.04))
_FIRST = drawn((0.0, 1.0, 2.0, 3.0, 4.0), (0.2,) * 5, (0.04, 0.24, 0.24, 0.24, 0.24))
_MIDDLE = drawn((0.0, 1.0, 2.0, 3.0, 4.0), (0.2,) * 5, (0.249, 0.249, 0.004, 0.249, 0.249))
_TAIL = drawn((0.0, 1.0, 60.0), normalised([0.5, 0.5, 1e-9]), (0.5, 0.5, 0.0), unit=2.0)
_LEFT_TAIL = drawn((-60.0, 0.0, 1.0), normalised([1e-9, 0.5, 0.5]), (0.0, 0.5, 0.5), unit=2.0)
_THIRDS = drawn((0.1, 1 / 3, 2**0.5), (0.3, 0.3, 0.4), (0.6, 0.2, 0.2))

_ATOMS: dict[str, DrawnPair] = {
    "point masses": _POINTS,
    "a table of counts": _CENSUS,
    "worst at the last atom": _LAST,
    "worst at the first atom": _FIRST,
    "worst at one atom inside": _MIDDLE,
    "a light atom far out": _TAIL,
    "a light atom far out on the left": _LEFT_TAIL,
    "a mass of 1e-300": drawn((0.0, 1.0, 2.0), (0.5, 0.5, 1e-300), (0.5, 0.5, 0.0)),
    "a mass of 1e-300 alone at its end": drawn((0.0, 3.0), (1.0, 1e-300), (1e-300, 1.0)),
    "supports that take turns": drawn(
        (0.0, 1.0, 2.0, 3.0, 4.0, 5.0), (0.5, 0.0, 0.25, 0.0, 0.25, 0.0),
        (0.0, 0.25, 0.0, 0.25, 0.0, 0.5),
    ),
    "an atom of neither law": drawn((0.0, 1.0, 2.0), (0.75, 0.0, 0.25), (0.25, 0.0, 0.75)),
    "a million apart": drawn((0.0, 1e6), (0.75, 0.25), (0.25, 0.75), unit=1.0),
    "close by, far from 0": drawn((1e15, 1e15 + 1), (0.75, 0.25), (0.25, 0.75)),
    "the same law": drawn((0.0, 1.0), (0.25, 0.75), (0.25, 0.75)),
    "one atom": drawn((3.0,), (1.0,), (1.0,)),
    "already private": drawn((0.0, 1.0), (0.5, 0.5), (0.53125, 0.46875)),
    "masses that do not sum to 1 in floats": drawn(
        tuple(float(k) for k in range(10)), (0.1,) * 10, (0.05,) * 5 + (0.15,) * 5
    ),
    "a Bernoulli law and a point": drawn((0.0, 1.0), (0.5, 0.5), (1.0, 0.0)),
}  # fmt: skip
_OFF_LATTICE: dict[str, DrawnPair] = {
    "atoms on no lattice": _THIRDS,
    "1e-300 apart": drawn((0.0, 1e-300), (0.75, 0.25), (0.25, 0.75)),
    "a tenth apart, which is no float": drawn((0.0, 0.1), (1.0, 0.0), (0.0, 1.0)),
    "a point and a table, a ten-millionth wide": drawn(  # below many an absolute tolerance
        (0.0, 1e-7, 2e-7), (1.0, 0.0, 0.0), (0.25, 0.5, 0.25), unit=1e-7
    ),
    "neighbouring floats": drawn((1.0, nextafter(1.0, 2.0)), (1.0, 0.0), (0.0, 1.0), unit=1.0),
}
_HUGE: dict[str, DrawnPair] = {  # normal noise is not decided that far out in any good time
    "1e300 apart": drawn((-1e300, 0.0), (0.75, 0.25), (0.25, 0.75), unit=1.0),
}
_NORMAL = ((1.0, 0.0, 1.0),)  # one component: weight, mean, variance
_NORMALS: dict[str, DrawnPair] = {
    "one standard deviation apart": normal_pair(_NORMAL, ((1.0, 1.0, 1.0),)),
    "unlike variances": normal_pair(_NORMAL, ((1.0, 1.0, 4.0),), 2.0),
    "a wider law around the same mean": normal_pair(_NORMAL, ((1.0, 0.0, 4.0),), 5.0),
    "shared components": normal_pair(
        ((0.5, 0.0, 1.0), (0.5, 0.0, 4.0)), ((0.25, 0.0, 1.0), (0.75, 0.0, 4.0))
    ),
    "a light component far out": normal_pair(
        ((0.999999, 0.0, 1.0), (1e-6, 30.0, 1.0)), _NORMAL, 10.0
    ),
    "an atom in a mixture": normal_pair(((0.5, 0.0, 0.0), (0.5, 0.0, 1.0)), ((1.0, 1.0, 1.0),)),
    "the same law": normal_pair(_NORMAL, _NORMAL),
}


def curated(settings: Settings, *, large: bool = False) -> Iterator[Case]:
    """Yield the curated cases of a kind, in both orders; with `large` one of 10**5 atoms, last.

    Example: ``next(curated(Settings("loss"))).origin`` is ``'curated: a tie, epsilon 0.5'``.
    """
    pairs = _pairs(settings)
    yield from _ties(settings, pairs[next(iter(pairs))])
    for name, pair in pairs.items():
        yield _case(settings, pair, f"curated: {name}")
        yield _case(settings, _reversed(pair), f"curated: {name}, the other order")
    if large:
        many = crowd(DrawStream("crowd"), True, _MANY)
        yield _case(settings, many, f"curated: {_MANY} atoms")


def _pairs(settings: Settings) -> dict[str, DrawnPair]:
    if settings.laws == "normal":
        return _NORMALS
    if settings.lattice:
        return _ATOMS
    return {**_ATOMS, **_OFF_LATTICE, **({} if settings.noise == "gaussian" else _HUGE)}


def _ties(settings: Settings, pair: DrawnPair) -> Iterator[Case]:
    """Laws that are the translation of each other: the largest loss is 1/scale exactly."""
    for epsilon in (0.5, 0.125, 3.0):
        for name, at in (
            ("a tie", epsilon),
            ("one unit in the last place above a tie", nextafter(epsilon, inf)),
            ("one unit in the last place below a tie", nextafter(epsilon, 0.0)),
        ):
            scale = 1 / epsilon  # exact, or a neighbour of a tie of its own
            yield _case(settings, pair, f"curated: {name}, epsilon {at!r}", at, scale)
        for scale in (nextafter(1 / epsilon, inf), nextafter(1 / epsilon, 0.0)):
            name = f"curated: a scale one unit in the last place off a tie, {scale!r}"
            if settings.kind not in ("scale", "relaxed_columns"):
                yield _case(settings, pair, name, epsilon, scale)
    for scale in (1e-6, 1e6):
        yield _case(settings, pair, f"curated: scale {scale!r}", 1 / scale, scale)


def _reversed(pair: DrawnPair) -> DrawnPair:
    return DrawnPair(pair.q, pair.p, pair.unit)


def _case(
    settings: Settings,
    pair: DrawnPair,
    origin: str,
    epsilon: float = _EPSILON,
    scale: float | None = None,
) -> Case:
    at = 2 * pair.unit if scale is None else scale
    if settings.kind == "delta" and scale is None:
        epsilon = 0.125
    y = outputs(pair.p, at, DrawStream("curated"), lattice=settings.lattice)
    return settings.case(
        pair.p, pair.q, epsilon=epsilon, scale=at, delta=_DELTA, y=y, origin=origin
    )

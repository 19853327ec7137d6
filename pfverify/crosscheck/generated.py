"""Generated cases: families take turns, and the numbers of a question fit the laws drawn."""

from __future__ import annotations

from pfverify.crosscheck.case import Case, Floats, Law, places_of
from pfverify.crosscheck.draw import DrawStream
from pfverify.crosscheck.families import FAMILIES, DrawnPair, Family
from pfverify.crosscheck.mixtures import MIXTURES
from pfverify.crosscheck.settings import Settings

_EPSILONS = (0.5, 1.0, 0.1, 0.25, 2.0, 0.03125)
_DELTAS = (1e-3, 0.1, 1e-6, 0.25, 1e-12)
_FACTORS = (1.0, 2.0, 0.5, 0.1)  # of the unit, for a scale
_SHARES = (0.0, 0.1, 0.5, 0.9, 0.99)  # of the largest loss, for an epsilon
_LARGEST = 20.0  # epsilon of a divergence: above it nothing but 0 is left
_SLOW = {"gaussian": ("many", "far apart")}  # families that take seconds under a noise


def families_of(settings: Settings) -> dict[str, Family]:
    """Return the families that questions are drawn from, in the order of their turns.

    Example: ``"many" in families_of(Settings("loss"))`` is True.
    """
    families = FAMILIES if settings.laws == "atoms" else MIXTURES
    slow = _SLOW.get(settings.noise, ())
    return {name: family for name, family in families.items() if name not in slow}


def generated(settings: Settings, seed: int, index: int) -> Case:
    """Return one case; it depends on nothing but the settings, the seed and the index.

    Example: ``generated(Settings("loss"), 0, 3).origin`` is ``'sparse, number 3 of seed 0'``.
    """
    families = families_of(settings)
    name = tuple(families)[index % len(families)]
    draw = DrawStream(f"{settings.text}/{seed}/{index}")
    found = families[name](draw, settings.lattice)
    return case_of(settings, found, draw, f"{name}, number {index} of seed {seed}")


def case_of(settings: Settings, found: DrawnPair, draw: DrawStream, origin: str) -> Case:
    """Return the question about a pair; numbers that the pair does not give are drawn.

    Example:
    ``case_of(Settings("plan"), DrawnPair(case.p, case.q, 1.0), DrawStream(""), "").noise`` is
    ``''``.
    """
    scale, epsilon = found.scale, found.epsilon
    if scale is None:
        scale = found.unit * draw.pick((*_FACTORS, draw.size(-1, 1)))
    if epsilon is None:
        epsilon = draw.pick((*_EPSILONS, draw.size(-2, 1)))
        if settings.kind == "delta":
            epsilon = draw.pick(_SHARES) * min(found.unit / scale, _LARGEST)
    if settings.epsilons is not None and not (
        settings.epsilons[0] <= epsilon <= settings.epsilons[1]
    ):
        epsilon = _between(draw, *settings.epsilons)
    delta = draw.pick(_DELTAS) if settings.must_have_delta or draw.chance(0.5) else None
    y = outputs(found.p, scale, draw, lattice=settings.lattice)
    return settings.case(
        found.p, found.q, epsilon=epsilon, scale=scale, delta=delta, y=y, origin=origin
    )


def _between(draw: DrawStream, low: float, high: float) -> float:
    """An epsilon of a range: an end, anywhere, or near the lower end, where ranges are long."""
    share = draw.share()
    part = draw.pick((0.0, 1.0, share, share * share * share))
    return min(high, low + (high - low) * part)


def outputs(law: Law, scale: float, draw: DrawStream, *, lattice: bool) -> Floats:
    """Return outputs at places of a law, between them, and far out on both sides.

    Example: ``len(outputs(case.p, 1.0, DrawStream(""), lattice=False))`` is 6.
    """
    places = places_of(law)
    low, high = min(places), max(places)
    kept = [low, high, draw.pick(places), low + (high - low) * draw.share()]
    kept += [low - scale * draw.size(-1, 2), high + scale * draw.size(-1, 2)]
    return tuple(float(round(y)) for y in kept) if lattice else tuple(kept)

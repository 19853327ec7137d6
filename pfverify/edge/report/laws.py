"""Two released laws as floats, for pictures alone: nothing here decides anything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from pfverify.answers.outcome import Place
from pfverify.errors import InputError
from pfverify.laws.floats import log_weights
from pfverify.laws.kept import KeptLaw
from pfverify.laws.kinds import law_of
from pfverify.laws.law import Law
from pfverify.model.channels.channel import Channel
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Release
from pfverify.model.steps.step import SUPPRESSED

_STEPS = 400  # of a drawn curve, besides the atoms
_MOST_ATOMS = 400  # that are drawn as points of a curve
_MOST_STEMS = 200
_SPREADS, _SDS = 6.0, 4.5  # how far beyond the priors a picture goes
_HIGHEST = 700.0  # the logarithm of the highest density
MOST_OUTPUTS = 24


class Stem(NamedTuple):
    """A single output: its name, where it stands, and the logarithms of both masses."""

    name: str
    y: float
    first: float
    second: float


@dataclass(frozen=True)
class Laws:
    """Both laws at places y: `first` and `second` are log densities, or log masses if `masses`.

    `names`: of the outputs of a channel, which stand at 1, 2, ...; `left_out`: how many do not.
    `stems`: single outputs beside densities, each with its name, its place and both log masses.
    """

    y: Sequence[float]
    first: Sequence[float]
    second: Sequence[float]
    masses: bool
    names: Sequence[str] = ()
    left_out: int = 0
    stems: Sequence[Stem] = ()


def drawn_laws(
    release: Release, first: Prior, second: Prior, worst: Fraction | Place,
    reach: float | None = None,
) -> Laws:  # fmt: skip
    """Return the laws of what is released, of many named outputs those of the largest log ratios.

    They go as far beyond the priors as noise of the scale `reach` would; default: of their own.
    Raises InputError that says why nothing is drawn, and as `law_of`.
    """
    if isinstance(release, Channel) and not release.written_out:
        raise InputError("an output is a whole tuple, and there are too many to draw")
    p, q = (law_of(prior, release) for prior in (first, second))
    if not p.is_beside(q):
        raise InputError(
            "without noise this release has both a density and single values of positive mass"
        )
    if isinstance(p, KeptLaw) and isinstance(q, KeptLaw):
        return _in_parts(p, q, (first, second), worst, reach)
    if p.size is not None:
        return _at_atoms(p, q) if p.no_order is None else _named(p, q)
    priors, scale = (first, second), reach or float(p.width(Fraction(0)).mid())
    if p.step is not None:
        return _on_lattice(p, q, p.step, priors, scale)
    return _at(p, q, list(map(Fraction, _places(priors, scale, worst))), masses=False)


def _at(
    p: Law[Any], q: Law[Any], places: Sequence[Any], *, masses: bool, left_out: int = 0,
    stems: Sequence[Stem] = (),
) -> Laws:  # fmt: skip
    """Both laws at numbers."""
    first, second = (log_weights(law, places) for law in (p, q))
    if max((*first, *second), default=0.0) > _HIGHEST:
        raise InputError("a density is too large for a picture")
    y = [float(place) for place in places]
    return Laws(y, first, second, masses, left_out=left_out, stems=stems)


def _named(p: Law[Any], q: Law[Any]) -> Laws:
    logs = [dict(zip(law.outputs, log_weights(law, law.outputs), strict=True)) for law in (p, q)]
    possible = [y for y in p.outputs if max(logs[0][y], logs[1][y]) > -math.inf]
    order = {y: k for k, y in enumerate(p.outputs)}
    chosen = sorted(possible, key=lambda y: -abs(logs[0][y] - logs[1][y]))[:MOST_OUTPUTS]
    chosen.sort(key=order.__getitem__)
    return Laws(
        [float(k) for k in range(1, len(chosen) + 1)],
        [logs[0][y] for y in chosen],
        [logs[1][y] for y in chosen],
        masses=True,
        names=chosen,
        left_out=len(order) - len(chosen),
    )


def _at_atoms(p: Law[Any], q: Law[Any]) -> Laws:
    atoms = sorted({*p.outputs, *q.outputs})
    if len(atoms) > _MOST_STEMS:
        raise InputError(f"there are {len(atoms)} values, too many to draw one by one")
    return _at(p, q, atoms, masses=True)


def _on_lattice(
    p: Law[Any], q: Law[Any], step: Fraction, priors: tuple[Prior, Prior], scale: float
) -> Laws:
    """Masses at points of the lattice: at all of them, or at every so many where that is a lot."""
    spans = [span for prior in priors for span in prior.spans]
    origin = spans[0].low
    beyond = math.ceil(_SPREADS * scale / float(step))
    low = round((min(span.low for span in spans) - origin) / step) - beyond
    high = round((max(span.high for span in spans) - origin) / step) + beyond
    steps = range(low, high + 1)
    kept = steps[:: -(-(len(steps) - 1) // _MOST_STEMS) or 1]
    places = [origin + k * step for k in kept]
    return _at(p, q, places, masses=True, left_out=len(steps) - len(kept))


def _in_parts(
    p: KeptLaw, q: KeptLaw, priors: tuple[Prior, Prior], worst: Fraction | Place,
    reach: float | None,
) -> Laws:  # fmt: skip
    """Densities at places that keep them, with the ends of parts, and stems of single outputs."""
    rows = [prior.other if isinstance(prior, Nothing) else prior for prior in priors]
    scale = reach or max(float(law.width(Fraction(0)).mid()) for law in (p, q))
    known = [row for row in rows if row is not None]
    places = {Fraction(y) for y in _places(known, scale, worst)}
    ends = {x for part in p.parts for x in (part.low, part.high) if x is not None}
    kept = sorted(y for y in places | ends if p.keeps(y))
    names = dict.fromkeys(one.output for law in (p, q) for one in law.singles if one.output)
    masses = [log_weights(law, list(names)) for law in (p, q)]
    aside = float(kept[0]) - float(kept[-1] - kept[0]) / 15
    stems = [
        Stem(name, aside if name == SUPPRESSED else float(Fraction(name)), one, two)
        for name, one, two in zip(names, *masses, strict=True)
    ]
    return _at(p, q, kept, masses=False, stems=stems)


def _places(priors: Sequence[Prior], scale: float, worst: Fraction | Place) -> list[float]:
    """Places evenly spaced, with the atoms where they are few, and the worst output."""
    spans = [span for prior in priors for span in prior.spans]
    beyond = [_SDS * math.sqrt(float(span.variance)) for span in spans]
    low = min(float(span.low) - reach for span, reach in zip(spans, beyond, strict=True))
    high = max(float(span.high) + reach for span, reach in zip(spans, beyond, strict=True))
    low, high = low - _SPREADS * scale, high + _SPREADS * scale
    if not math.isfinite(high - low):
        raise InputError("the laws are too wide for a picture")
    marks = set[float]()
    if not any(isinstance(prior, Discrete) and prior.size > _MOST_ATOMS for prior in priors):
        parts = (part for prior in priors for part in prior.components)
        marks = {float(part.mean) for part in parts if not part.variance}
    if len(marks) > _MOST_ATOMS:
        marks = set()
    if isinstance(worst, Fraction) and low <= float(worst) <= high:
        marks.add(float(worst))
    step = (high - low) / _STEPS
    return sorted({*(low + k * step for k in range(_STEPS)), high, *marks})

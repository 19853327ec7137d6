"""The outputs of a pair at which a grid evaluates both laws, and the laws there, in mpmath."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath

from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Raw, dyadic, fraction_of, precision
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import Number
from pfverify.laws.kept import KeptLaw
from pfverify.laws.kinds import law_of
from pfverify.laws.law import Law
from pfverify.model.priors.nothing import Nothing
from pfverify.model.question import Question

Weigh = Callable[[Any], mpmath.mpf]
"""Output -> its density or mass."""

DIGITS = 30
_BITS = 4 * DIGITS + 32
_SPREAD = 5  # scales, or standard deviations, that a grid goes beyond the priors
_NAMES = 40  # characters of an output's name


@dataclass(frozen=True)
class SampledOutputs:
    """Some outputs, and the two laws there. `every`: there are no other outputs.

    `word` names an output.
    """

    points: Sequence[Any]
    laws: tuple[Weigh, Weigh]
    every: bool
    word: Callable[[Any], str]


def sampled_outputs_of(item: Question, points: int, most: int) -> SampledOutputs:
    """Return what a grid looks at for a pair whose noise has a scale.

    On the line so many points, evenly from 5 scales and standard deviations below the priors to as
    many above, or what is next to them on a lattice; where outputs can be counted all of them, at
    most `most`; of single outputs beside a density their names, and such places as keep theirs.
    Raises InputError where there are more outputs, for a pair without noise of which one law has a
    density and one has atoms, and as `law_of`.
    """
    priors = item.priors
    p, q = (law_of(prior, item.release) for prior in priors)
    if p.size is not None and q.size is not None:
        outputs, word = _outputs(p, q, most)
        return SampledOutputs(outputs, (_weigh(p), _weigh(q)), every=True, word=word)
    if not p.is_beside(q):
        raise InputError(
            "without noise (scale 0) a prior with atoms beside one with a density has "
            "nothing to compare at one output"
        )
    rows = [prior.other if isinstance(prior, Nothing) else prior for prior in priors]
    spans = [span for row in rows if row is not None for span in row.spans]
    with precision(_BITS):
        reach = [_SPREAD * fraction_of(dyadic(p.width(span.variance).mid())) for span in spans]
    low = min(span.low - beyond for span, beyond in zip(spans, reach, strict=True))
    high = max(span.high + beyond for span, beyond in zip(spans, reach, strict=True))
    laws, names = (_weigh(p), _weigh(q)), list[str]()
    if isinstance(p, KeptLaw) and isinstance(q, KeptLaw):
        found = dict.fromkeys(one.output for law in (p, q) for one in law.singles if one.output)
        names, (low, high) = list(found), p.within(low, high)
        points = max(points - len(names), 2)
    places = [low + (high - low) * k / (points - 1) for k in range(points)]
    if p.step is not None:
        origin = min(span.low for span in spans)
        places = sorted({origin + round((y - origin) / p.step) * p.step for y in places})
    return SampledOutputs([*names, *places], laws, every=False, word=_word)


def _word(output: str | Fraction) -> str:
    """A single output by its name, a number in digits."""
    return _name(output) if isinstance(output, str) else shown(number_of(output))


def shown(value: mpmath.mpf) -> str:
    """Return ten digits of a number. Example: ``shown(mpmath.inf)`` is ``'inf'``."""
    return str(mpmath.nstr(value, 10)).removeprefix("+")


def number_of(value: Number | Fraction) -> mpmath.mpf:
    """Return an exact number at the current precision."""
    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    with precision(_BITS):
        return _middle(value.ball().raw)


def _outputs(p: Law[Any], q: Law[Any], most: int) -> tuple[Sequence[Any], Callable[[Any], str]]:
    """All outputs of both laws, and what they are called."""
    if p.no_order is not None:  # names, and both laws have the same ones
        _require(p.size or 0, most)
        return p.outputs, _name
    places = sorted({*p.outputs, *q.outputs})
    _require(len(places), most)
    return places, decimal_text


def _name(output: str | tuple[str, ...]) -> str:
    name = output if isinstance(output, str) else ",".join(output)
    return repr(shorten(name, _NAMES))


def _require(count: int, points: int) -> None:
    if count > points:
        raise InputError(
            f"{shorten(points)} points are too few for {shorten(count)} outputs, all of "
            "which are looked at"
        )


def _weigh(law: Law[Any]) -> Weigh:
    with precision(_BITS):
        at = law.at_precision()

    def weigh(y: Any) -> mpmath.mpf:
        with precision(_BITS):
            return _middle(at.value(y))

    return weigh


def _middle(ball: Raw) -> mpmath.mpf:
    mantissa, exponent = dyadic(ball.mid())
    return mpmath.ldexp(mpmath.mpf(mantissa), exponent)

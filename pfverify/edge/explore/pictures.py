"""The pictures of an explored problem: of each drawn pair at each scale its laws and log ratio.

They are floats that decide nothing. What belongs to one epsilon alone (its bounds, where the pair
fails) is drawn for each of them, and marked with it, so that a page shows one at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pfverify.answers.explored import Explored, key_of
from pfverify.answers.outcome import Directed, Place
from pfverify.edge.ordered import pair_of
from pfverify.edge.pictures import Axis, Band, Bars, GuideLine, Mark, Plot
from pfverify.edge.report.labels import Names
from pfverify.edge.report.law_marks import (
    kind_of,
    law_plot,
    output_axis,
    place_in,
    ratio_plot,
    sizes_of,
    words_of_laws,
    words_of_ratio,
)
from pfverify.edge.report.laws import Laws, drawn_laws
from pfverify.edge.report.sentences import of_picture, words
from pfverify.edge.sentences import sentence
from pfverify.edge.words import plain, size_word
from pfverify.errors import InputError, UndecidedError, shorten
from pfverify.exact.published import Real
from pfverify.model.notion import OfDivergence
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.releases.repeated import Several

_PAIRS, _STATES = 6, 120  # ordered pairs that are drawn, and pictures of pairs at scales
_SPANS = 40  # intervals of an event that are drawn
_BEYOND = 3.0  # how many epsilons a picture of ratios goes up at most
_LARGEST = 1e100  # epsilon that is drawn
_NAME = 24  # characters of an output's name

@dataclass(frozen=True)
class State:
    """A pair at a scale, by their places: its pictures, or why there are none."""

    scale: int
    pair: int
    plots: Sequence[Plot]
    why: str = ""


def drawn_pairs(found: Explored) -> list[Directed]:
    """Return the ordered pairs that are drawn: at the first value that is shown the worst ones."""
    pairs = {key_of(pair): pair for pair in found.values[found.start].pairs}
    most = max(1, min(_PAIRS, _STATES // max(1, len(found.scales))))
    return [*pairs.values()][:most]


def same_pair(pairs: Iterable[Directed], pair: Directed) -> Directed | None:
    """Return a pair as it was decided at another value; None where it is not among those."""
    return next((one for one in pairs if key_of(one) == key_of(pair)), None)


def check_drawable(problem: Problem, scales: Sequence[Real] = ()) -> None:
    """Raise InputError that names what a problem publishes, where no picture shows it.

    Of scales the first and the last are tried.
    """
    tried: list[Real | None] = [*scales[:1], *scales[-1:]] or [None]
    for scale in tried:
        item = next(iter(_at_scale(problem, scale).questions()))
        why = _laws(item, Fraction(0), None)
        if isinstance(why, Laws):
            return
    raise InputError(sentence("explore.undrawn", why=why))


def check_one(problem: Problem) -> None:
    """Raise InputError where more than one number is published."""
    several = isinstance(problem.release, Several)
    if several or (problem.numbers and not problem.release.named):
        what = problem.release.several or f"{len(problem.numbers)} numbers"
        raise InputError(sentence("explore.many", what=shorten(what, 60)))


def states_of(found: Explored, progress: Callable[[int, int], None]) -> list[State]:
    """Return every drawn pair at every scale; `progress(done, total)` is called after each.

    Raises InputError where not one of them can be drawn.
    """
    check_one(found.problem)
    pairs = drawn_pairs(found)
    scales: list[Real | None] = [*found.scales] or [None]
    reach = float(found.scales[found.start // len(found.epsilons)]) if found.scales else None
    states: list[State] = []
    every = [_at_scale(found.problem, scale) for scale in scales]
    for j, pair in enumerate(pairs):
        known: list[Laws | str] = []
        for k, problem in enumerate(every):
            known.append(_laws(_item(problem, pair), _worst(found, k, pair), reach or None))
            progress(j * len(every) + k + 1, len(pairs) * len(every))
        seen = [one for one in known if isinstance(one, Laws)]
        if not seen:
            raise InputError(sentence("explore.undrawn", why=known[0]))
        top = _top(seen, found, pair)
        drawing = _Drawing(found, pair, top)
        for k, one in enumerate(known):
            states.append(State(k, j, [], one) if isinstance(one, str) else
                          State(k, j, drawing.plots(k, one)))  # fmt: skip
    return states


def _at_scale(problem: Problem, scale: Real | None) -> Problem:
    return problem if scale is None else problem.replaced(scale=scale)


def _item(problem: Problem, pair: Directed) -> Question:
    """The question behind an ordered pair, in its order."""
    item, reverse = pair_of(problem, pair)
    return item.turned() if reverse else item


def _worst(found: Explored, k: int, pair: Directed) -> Fraction | Place:
    """The output of the largest ratio of a pair at the scale of a place."""
    here = same_pair(found.at(k, found.start % len(found.epsilons)).pairs, pair)
    return pair.worst_y if here is None else here.worst_y


def _laws(item: Question, worst: Fraction | Place, reach: float | None) -> Laws | str:
    """Both laws of a pair, or why they are not drawn."""
    try:
        return drawn_laws(item.release, item.first_prior, item.second_prior, worst, reach)
    except OverflowError:
        return words("missing.why.too-far")
    except (InputError, UndecidedError) as error:
        return str(error)


def _top(known: Sequence[Laws], found: Explored, pair: Directed) -> float:
    """How far up and down the pictures of ratios of a pair go, the same at every scale."""
    sizes = (size for laws in known for size in sizes_of(laws))
    largest = max((size for size in sizes if size < _LARGEST), default=0.0)
    bounds = [abs(bound) for k in range(len(found.epsilons)) for bound in _bounds(found, k, pair)]
    most = max(bounds, default=0.0)
    return 1.15 * (min(max(largest, most), _BEYOND * most) if most else largest) or 1.0


def _bounds(found: Explored, k: int, pair: Directed) -> list[float]:
    """The epsilon of a pair at the epsilon of a place, where it bounds the log ratio."""
    if isinstance(found.problem.notion, OfDivergence):
        return []
    here = same_pair(found.at(0, k).pairs, pair)
    own = None if here is None else here.epsilon
    bound = float(found.epsilons[k] if own is None else own)
    return [bound] if bound < _LARGEST else []


class _Drawing:
    """What draws one ordered pair."""

    def __init__(self, found: Explored, pair: Directed, top: float) -> None:
        self._found, self._pair, self._top = found, pair, top
        self._names = Names((pair.from_, pair.to)).both(pair)

    def plots(self, k: int, laws: Laws) -> list[Plot]:
        """Return the laws and their log ratio at the scale of a place."""
        heights = [math.exp(log) for logs in (laws.first, laws.second) for log in logs]
        heights += [math.exp(log) for one in laws.stems for log in (one.first, one.second)]
        high, top = 1.05 * max(heights, default=1.0) or 1.0, self._top
        bounds: list[Mark] = [
            GuideLine(sign * bound, f"ink dashes {_at(j)}", upright=False)
            for j in range(len(self._found.epsilons))
            for bound in _bounds(self._found, j, self._pair) for sign in (1, -1)
        ]  # fmt: skip
        told, more = self._told(k, laws), [("dots", words("pictures.moved.dots"))]
        left_out, edge = told["left_out"], words("pictures.moved.edge")
        laws_told = of_picture("densities", **told | {"left_out": f"{left_out}{_outputs(laws)}"})
        ratio_told = words_of_ratio(
            told | {"left_out": f"{left_out}{edge}"}, self._found.problem.notion, self._found.delta
        )
        for one in (laws_told, ratio_told):
            one["keys"] += more
        return [
            law_plot(laws, self._outputs(laws), high, self._failures(k, laws, 0, high), laws_told),
            ratio_plot(laws, self._outputs(laws), top, bounds, self._failures(k, laws, -top, top),
                       ratio_told),
        ]  # fmt: skip

    def _outputs(self, laws: Laws) -> Axis:
        """The axis of the outputs, the same of both pictures: bars have room at its ends."""
        made = output_axis(self._found.problem, laws, sentence("explore.listed"))
        if kind_of(laws) is not Bars or made.low is not None:
            return made
        aside = min((b - a for a, b in pairwise(laws.y)), default=1.0) / 2
        return replace(made, low=laws.y[0] - aside, high=laws.y[-1] + aside)

    def _told(self, k: int, laws: Laws) -> dict[str, Any]:
        scales = self._found.scales
        at = f" at {size_word(self._found.noise)} {plain(scales[k])}" if scales else ""
        return {**self._names, **words_of_laws(laws), "at": at, "worst": ""}

    def _failures(self, k: int, laws: Laws, low: float, high: float) -> list[Mark]:
        """Of every epsilon: where the pair fails, or else the output of the largest ratio."""
        marks: list[Mark] = []
        for j in range(len(self._found.epsilons)):
            pair = same_pair(self._found.at(k, j).pairs, self._pair)
            if pair is not None:
                marks += _failure(pair, laws, (low, high), _at(j))
        return marks


def _outputs(laws: Laws) -> str:
    """Which output has which number, where outputs have names."""
    if not laws.names:
        return ""
    shown = Names(laws.names)
    outputs = (f"{y:.0f} = {shorten(shown.plain(name), _NAME)}"
               for y, name in zip(laws.y, laws.names, strict=True))  # fmt: skip
    return words("pictures.moved.named", outputs="; ".join(outputs))


def _at(epsilon: int) -> str:
    """The classes of what belongs to one epsilon."""
    return f"at e{epsilon}"


def _failure(pair: Directed, laws: Laws, ends: tuple[float, float], at: str) -> list[Mark]:
    witness = pair.witness
    if witness is None:
        place = place_in(laws, pair.worst_y)
        return [] if place is None else [GuideLine(place, f"soft dots {at}")]
    outputs = [output for output in (witness.y, witness.output, *(witness.outputs or []))
               if output is not None]  # fmt: skip
    marks: list[Mark] = []
    for output in outputs[:_SPANS]:
        place = place_in(laws, output)
        marks += [] if place is None else [GuideLine(place, f"bad dots {at}")]
    for low, high in (witness.event or [])[:_SPANS]:
        left, right = max(float(low), laws.y[0]), min(float(high), laws.y[-1])
        if left == right:
            marks.append(GuideLine(left, f"bad dots {at}"))
        elif left < right:
            marks.append(Band([(left, *ends), (right, *ends)], f"bad {at}"))
    return marks


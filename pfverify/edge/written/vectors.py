"""Several numbers with Gaussian noise: the one number that tells as much, or bounds of it.

Source: design facts F74 and F75.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pfverify.decide.several.reduced import Reduced
from pfverify.decide.several.vectors import line_weights, seen
from pfverify.edge.words import brief
from pfverify.edge.written.asked import DIGITS, Worst, event_lines
from pfverify.errors import InputError, shorten
from pfverify.exact.written import written
from pfverify.model.notion import Bound
from pfverify.model.priors.joint import Joint

Lines = Callable[[Worst], list[str]]
_LONG = 24  # characters of a name


def lines(worst: Worst, of_one: Lines) -> list[str]:
    """Return what several numbers come down to; `of_one` writes out what one number decides."""
    first, second = worst.item.priors
    if not (isinstance(first, Joint) and isinstance(second, Joint)):
        raise InputError("--explain: these are not several numbers")
    weights = line_weights(worst.item)
    if weights is None:
        return _bounds(worst)
    if not isinstance(worst.compared, Reduced):
        raise InputError("--explain: this is decided otherwise")
    named = zip(weights, first.names, strict=True)
    terms = [f"{brief(str(w))} {shorten(name, _LONG)}" for w, name in named if w]
    told = (
        "All points are on one line, so that the outputs tell what one number tells (F75), the sum "
        f"Y = {' + '.join(terms)}."
    )
    ((order, *_),) = worst.compared.exact
    return [told, *of_one(replace(worst, item=seen(worst.item, weights), compared=order))]


def _bounds(worst: Worst) -> list[str]:
    compared = worst.compared
    if not isinstance(compared, Reduced) or compared.target.bound is Bound.RATIO:
        raise InputError(
            "--explain: points in several directions with gaussian noise are not written out where "
            "delta is 0"
        )
    most = written(compared.above[0].exceeding(), DIGITS).upper
    least = max(float(written(goal.order.exceeding(), DIGITS).lower) for goal in compared.below)
    told = [
        f"A coupling of the points bounds it by {most} (F74, F75).",
        f"It is at least what sums of the outputs tell: {least:.6g}.",
    ]
    return event_lines(worst, [*told, *worst.undecided()], ".", shown=False)

"""Several different parts: what each loses, and what all of them lose together."""

from __future__ import annotations

from pfverify.decide.several.composition import PartsSummed
from pfverify.decide.several.reduced import Reduced
from pfverify.decide.several.summed import Fresh
from pfverify.edge.words import plain
from pfverify.edge.written.asked import (
    DIGITS,
    SENTENCES,
    SHOWN,
    Worst,
    and_more,
    event_lines,
    rounding_line,
)
from pfverify.errors import InputError
from pfverify.exact.written import written
from pfverify.model.notion import Bound

_SAID = SENTENCES["parts"]


def lines(worst: Worst) -> list[str]:
    """Return the losses of all parts; with a delta also what decides them together."""
    compared = worst.compared
    whole = compared.same if isinstance(compared, Reduced) else None
    if not isinstance(compared, Reduced) or not isinstance(whole, PartsSummed):
        raise InputError("--explain: these are not several parts")
    said = worst.problem.release.several or ""
    told = [_SAID["independent"].format(several=said[:1].upper() + said[1:])]
    told += [_line(part) for part in whole.parts[:SHOWN]]
    told += and_more(whole.parts, "more")
    total = written(whole.loss().value, DIGITS).text
    told.append(f"All together lose {total}, the sum of these (F43).")
    if compared.target.bound is Bound.RATIO:
        bound = f"epsilon = {plain(compared.target.epsilon.text)}"
        return [
            f"The worst order is {worst.pair}.", *told, worst.verdict_line(total, bound),
            *worst.undecided(), rounding_line("parts"),
        ]  # fmt: skip
    told.append(_SAID["composed" if compared.exact else "added"])
    return event_lines(worst, [*told, *worst.undecided()], ".", shown=False)


def _line(part: Fresh) -> str:
    """What one release of a part loses, and how many there are."""
    named = ", ".join(part.named) if isinstance(part.named, tuple) else str(part.named)
    loss = written(part.order.loss().value, DIGITS).text
    times = f"{part.times} * " if part.times > 1 else ""
    return f"  {named}: {times}{loss}"

"""What coordinates or releases lose alone, in words: for the terminal and for reports."""

from __future__ import annotations

from pfverify.answers.leaks import Leak, Leaks
from pfverify.edge.document import counted
from pfverify.edge.words import brief_upper

_SHOWN = 5  # pairs of coordinates


def leak_words(found: Leaks | None) -> list[str]:
    """Return the sentences about what parts lose alone; none where there is one part.

    Example: ``leak_words(None)`` is ``[]``.
    """
    if found is None:
        return []
    what = "delta" if found.of_delta else "loss"
    together = f"{what} together {brief_upper(found.whole.loss.upper)}{_beside(found.whole)}"
    if found.releases is not None:
        scaled = "; ".join(
            f"{brief_upper(one.loss.upper)}" + (f" at {one.names[0]}" if found.alone[1:] else "")
            for one in found.alone[:_SHOWN]
        )
        return [f"One release alone: {what} {scaled}; of all {found.releases} the {together}."]
    alone = ", ".join(f"{one.names[0]} {brief_upper(one.loss.upper)}" for one in found.alone)
    lines = [f"Each coordinate alone: loss of {alone}; the {together}."]
    if found.pairs:
        shown = "; ".join(
            f"{one.names[0]} and {one.names[1]} ({brief_upper(one.loss.upper)})"
            for one in found.pairs[:_SHOWN]
        )
        more = len(found.pairs) - _SHOWN
        rest = f"; and {counted(more, 'more pair')}" if more > 0 else ""
        more_than = "Pairs that lose more together than the losses of both add up to"
        lines.append(f"{more_than}: {shown}{rest}.")
    return lines


def _beside(whole: Leak) -> str:
    return ", more than the losses of each add up to" if whole.more else ""

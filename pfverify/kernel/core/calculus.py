"""The rules by which goals hold whose laws have a normal form; those by which they fail are in
`refutations`.  As in `rules`; what a normal form offers is a `Difference`.

A cover is a list of parts whose union holds every output: points between which a ratio is monotone,
pieces of a line, cells, boxes, or the outputs themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.rules import Facts, Goal, Rejected, Step

if TYPE_CHECKING:
    from core.interfaces import Difference


def signs(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    g <= 0 on every part of a cover of the outputs     (a tie: by the zero test)
    ----------------------------------------------------------------------------
    P(B) <= e^epsilon Q(B) for every event B; of the pointwise form with a delta, whose g has it:
    p <= e^epsilon q + delta everywhere
    """
    return _signs(goal.difference(step))


def _signs(found: Difference) -> Facts:
    where = found.positive()
    if where is not None:
        raise Rejected(where)
    return found.facts


def area(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    sum over a cover of the outputs of [g]_+ <= delta     (a tie: by the zero test)
    -------------------------------------------------------------------------------
    P(B) <= e^epsilon Q(B) + delta for every event B

    No probability exceeds 1; where delta = 0, or of the pointwise form, the premise is that of
    `signs`.
    """
    found = goal.difference(step)
    if goal.form == "events" and goal.delta == 1:
        return set()
    if goal.delta_is_zero or goal.form != "events":
        return _signs(found)
    found.require_area()
    return found.facts

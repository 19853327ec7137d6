"""The relaxed recipes: average e**(distance/scale) over columns or rows of the monotone plan."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import attrgetter

from pfverify.exact.search import least_decimal
from pfverify.scales.closed_form import NONE_NEEDED, Proposal, Value, largest_upper
from pfverify.scales.leading import leading
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.distances import plans
from pfverify.scales.relaxed import PlanSide, RelaxedPair


def relaxed_columns(asked: RecipeProblem) -> Proposal:
    """Every column of every pair."""
    return _least(asked, lambda r, s: r.columns.holds(s), lambda r: r.columns)


def relaxed_rows(asked: RecipeProblem) -> Proposal:
    """Every row of every pair."""
    return _least(asked, lambda r, s: r.rows.holds(s), lambda r: r.rows)


def relaxed(asked: RecipeProblem) -> Proposal:
    """Per pair the smaller of columns and rows; the largest over pairs (fact F9)."""
    return _least(
        asked,
        lambda r, s: r.columns.holds(s) or r.rows.holds(s),
        lambda r: min(r.columns, r.rows, key=attrgetter("scale")),
    )


def relaxed_published(asked: RecipeProblem) -> Proposal:
    """Per pair the larger of columns and rows, as the paper's Table 4 reports."""
    return _least(
        asked,
        lambda r, s: r.columns.holds(s) and r.rows.holds(s),
        lambda r: max(r.columns, r.rows, key=attrgetter("scale")),
    )


def relaxed_pairs(asked: RecipeProblem) -> list[RelaxedPair]:
    """Return the monotone plan of every pair, with its lines."""
    return [RelaxedPair(plan, asked.epsilon) for plan in asked.once(plans)]


def _least(
    asked: RecipeProblem,
    holds: Callable[[RelaxedPair, Fraction], bool],
    propose: Callable[[RelaxedPair], PlanSide],
) -> Proposal:
    """Return the least decimal at which every pair holds, with its closed form."""
    pairs = asked.once(relaxed_pairs)
    if asked.nothing_moves:
        return NONE_NEEDED
    asked.for_a_finite_scale()
    found = leading(
        len(pairs), lambda k: pairs[k].sufficient, lambda k: propose(pairs[k]).scale
    )
    ordered = sorted(range(len(pairs)), key=lambda k: -found.get(k, Fraction(0)))
    side = propose(pairs[ordered[0]])
    upper = least_decimal(
        lambda s: all(pairs[k].covers(s) or holds(pairs[k], s) for k in ordered),
        side.polished(asked.grid),
        asked.grid,
    )[1]
    exact = None
    form = side.closed_form()
    if form is not None:
        rounded, closed = largest_upper([Value.of(form)], asked.grid)
        exact = closed if rounded == upper else None
    return upper, exact

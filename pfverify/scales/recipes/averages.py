"""The relaxed recipes: average e**(distance/scale) over columns or rows of the monotone plan."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pfverify.exact.decimals import decimal_text
from pfverify.exact.search import least_decimal, polished
from pfverify.scales.closed_form import Proposal, Value, largest_upper
from pfverify.scales.recipes.asked import Asked
from pfverify.scales.recipes.distances import plans
from pfverify.scales.relaxed import Line, RelaxedPair

Proposed = tuple[Fraction, list[Line]]
"""About the least scale of a pair, and the lines that ask for it."""


def relaxed_columns(asked: Asked) -> Proposal:
    """Every column of every pair."""
    return _least(asked, lambda r, s: r.all_hold(r.columns, s), _columns)


def relaxed_rows(asked: Asked) -> Proposal:
    """Every row of every pair."""
    return _least(asked, lambda r, s: r.all_hold(r.rows, s), _rows)


def relaxed(asked: Asked) -> Proposal:
    """Per pair the smaller of columns and rows; the largest over pairs (fact F9)."""
    return _least(
        asked,
        lambda r, s: r.all_hold(r.columns, s) or r.all_hold(r.rows, s),
        lambda r: min(_columns(r), _rows(r), key=_scale),
    )


def relaxed_published(asked: Asked) -> Proposal:
    """Per pair the larger of columns and rows, as the paper's Table 4 reports."""
    return _least(
        asked,
        lambda r, s: r.all_hold(r.columns, s) and r.all_hold(r.rows, s),
        lambda r: max(_columns(r), _rows(r), key=_scale),
    )


def _pairs(asked: Asked) -> list[RelaxedPair]:
    return [RelaxedPair(plan, asked.epsilon) for plan in asked.once(plans)]


def _least(
    asked: Asked,
    holds: Callable[[RelaxedPair, Fraction], bool],
    propose: Callable[[RelaxedPair], Proposed],
) -> Proposal:
    """Return the least decimal at which every pair holds, with its closed form."""
    pairs = asked.once(_pairs)
    if asked.nothing_moves:
        return "0", "0"
    asked.for_a_finite_scale()
    ordered = sorted(pairs, key=lambda r: -propose(r)[0])
    scale, lines = propose(ordered[0])
    line, unit = ordered[0].tightest(lines), ordered[0].unit
    if line is not None:
        tight = line
        scale = polished(lambda s: tight.log_gap(s, asked.epsilon, unit), scale, asked.digits)
    upper = least_decimal(
        lambda s: all(holds(pair, s) for pair in ordered), scale, asked.digits
    )[1]
    exact = None
    if line is not None:
        form = line.closed_form(asked.epsilon, unit)
        if form is not None:
            rounded, text = largest_upper([Value.of(form)], asked.digits)
            exact = text if Fraction(rounded) == upper else None
    return decimal_text(upper, asked.digits), exact


def _columns(pair: RelaxedPair) -> Proposed:
    return pair.column_scale, pair.columns


def _rows(pair: RelaxedPair) -> Proposed:
    return pair.row_scale, pair.rows


def _scale(proposed: Proposed) -> Fraction:
    return proposed[0]

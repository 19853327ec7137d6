"""The relaxed recipes: average e**(distance/scale) over columns or rows of the monotone plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from operator import attrgetter

from pfverify.errors import UndecidedError
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.search import least_decimal
from pfverify.scales.closed_form import NONE_NEEDED, Proposal, Value, largest_upper
from pfverify.scales.leading import leading
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.distances import plans
from pfverify.scales.relaxed import PlanSide, RelaxedPair

_Enough = Callable[[Iterable[bool]], bool]  # `any` or `all`: which sides of a pair hold
_ANY = Grid(1)  # where only the largest number is asked for, not its decimal


def relaxed_columns(asked: RecipeProblem) -> Proposal:
    """Every column of every pair."""
    return _least(asked, lambda r: [r.columns], all)


def relaxed_rows(asked: RecipeProblem) -> Proposal:
    """Every row of every pair."""
    return _least(asked, lambda r: [r.rows], all)


def relaxed(asked: RecipeProblem) -> Proposal:
    """Per pair the smaller of columns and rows; the largest over pairs (fact F9)."""
    return _least(asked, lambda r: [r.columns, r.rows], any)


def relaxed_published(asked: RecipeProblem) -> Proposal:
    """Per pair the larger of columns and rows, as the paper's Table 4 reports."""
    return _least(asked, lambda r: [r.columns, r.rows], all)


def relaxed_pairs(asked: RecipeProblem) -> list[RelaxedPair]:
    """Return the monotone plan of every pair, with its lines."""
    return [RelaxedPair(plan, asked.epsilon) for plan in asked.once(plans)]


def _least(
    asked: RecipeProblem,
    sides: Callable[[RelaxedPair], list[PlanSide]],
    enough: _Enough,
) -> Proposal:
    """Return the least decimal at which all sides, or any, of every pair hold; its closed form."""
    pairs = asked.once(relaxed_pairs)
    if asked.nothing_moves:
        return NONE_NEEDED
    asked.for_a_finite_scale()
    worst = min if enough is any else max

    def proposed(pair: RelaxedPair) -> PlanSide:
        return worst(sides(pair), key=attrgetter("scale"))

    def holds(pair: RelaxedPair, scale: Fraction) -> bool:
        return pair.covers(scale) or enough(side.holds(scale) for side in sides(pair))

    found = leading(
        len(pairs), lambda k: pairs[k].sufficient, lambda k: proposed(pairs[k]).scale
    )
    ordered = sorted(range(len(pairs)), key=lambda k: -found.get(k, Fraction(0)))
    lower, upper = least_decimal(
        lambda s: all(holds(pairs[k], s) for k in ordered),
        proposed(pairs[ordered[0]]).polished(asked.grid),
        asked.grid,
    )
    if not any(side.may_be_closed for k in found for side in sides(pairs[k])):
        return upper, None
    try:
        if any(worst(side.sign(upper) for side in sides(pairs[k])) == 0 for k in found):
            return upper, Number.of_rational(upper)
        # floats do not tell lines apart whose scales are close: all that fail at `lower` count
        forms = [
            [_largest(side.closed_forms(lower)) for side in sides(pair) if side.holds(upper)]
            for pair in pairs
            if not holds(pair, lower)
        ]
        form = _largest([_smaller(f) if enough is any else _largest(f) for f in forms])
        if form is None or largest_upper([Value.of(form)], asked.grid)[0] != upper:
            return upper, None  # the search ended farther from it than one decimal
        return upper, form
    except UndecidedError:
        return upper, None


def _largest(forms: Sequence[Number | None]) -> Number | None:
    """Return the largest of some numbers; None where one is unknown, or it is not proved."""
    known = [Value.of(form) for form in forms if form is not None]
    return largest_upper(known, _ANY)[1] if len(known) == len(forms) else None


def _smaller(forms: Sequence[Number | None]) -> Number | None:
    """Return the smaller one of one or two numbers; None where it is not proved."""
    top = _largest(forms)
    return None if top is None else next((form for form in forms if form is not top), top)

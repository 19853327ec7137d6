"""The recipe of the best coupling."""

from __future__ import annotations

from fractions import Fraction

from pfverify.exact.search import least_decimal
from pfverify.scales.closed_form import Proposal
from pfverify.scales.coupling.best import CouplingPair
from pfverify.scales.coupling.candidates import guess_of
from pfverify.scales.leading import leading
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.averages import relaxed_pairs


def coupling_lp(asked: RecipeProblem) -> Proposal:
    """Per pair the better side of the best coupling (a linear programme); largest over pairs.

    The monotone plan is a candidate too, so this never exceeds `relaxed`; where it is good enough
    the programmes of a pair are not solved.
    """
    plans = asked.once(relaxed_pairs)
    pairs = [
        CouplingPair(first, second, asked.epsilon, plan)
        for (first, second), plan in zip(asked.atoms, plans, strict=True)
    ]
    if asked.nothing_moves:
        return Fraction(0), None
    moving = [pair for pair in pairs if not pair.equal]
    found = leading(
        len(moving),
        lambda k: moving[k].monotone.sufficient,
        lambda k: min(moving[k].monotone.columns.scale, moving[k].monotone.rows.scale),
        lambda k: min(candidate.scale for candidate in moving[k].best_candidates),
    )
    ordered = sorted(range(len(moving)), key=lambda k: -found.get(k, Fraction(0)))
    upper = least_decimal(
        lambda s: all(moving[k].fits(s) for k in ordered),
        guess_of(moving[ordered[0]].best_candidates, asked.grid),
        asked.grid,
    )[1]
    return upper, None

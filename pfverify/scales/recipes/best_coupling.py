"""The recipe of the best coupling."""

from __future__ import annotations

from fractions import Fraction

from pfverify.scales.closed_form import Proposal
from pfverify.scales.coupling.best import CouplingPair
from pfverify.scales.coupling.candidates import least_scale
from pfverify.scales.leading import leading
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.averages import relaxed_pairs


def coupling_lp(asked: RecipeProblem) -> Proposal:
    """Per pair the better side of the best coupling (a linear programme); largest over pairs.

    The monotone plan is a candidate too, so this never exceeds `relaxed`; where it is good enough
    the programmes of a pair are not solved.
    """
    plans = asked.once(relaxed_pairs)
    if asked.nothing_moves:
        return Fraction(0), None
    pairs = list({
        pair: CouplingPair(*pair, asked.epsilon, plan)  # times that mirror one another have one
        for pair, plan in zip(asked.atoms, plans, strict=True) if pair[0] != pair[1]
    }.values())  # fmt: skip
    found = leading(
        len(pairs), lambda k: pairs[k].monotone.sufficient, lambda k: pairs[k].monotone_scale
    )
    upper = Fraction(0)
    for k in sorted(range(len(pairs)), key=lambda k: found.get(k, Fraction(0)), reverse=True):
        if not upper or not pairs[k].fits(upper):
            upper = max(upper, least_scale(pairs[k].best_candidates, asked.grid))
    return upper, None

"""The recipe of the best coupling."""

from __future__ import annotations

from pfverify.exact.decimals import decimal_text
from pfverify.scales.closed_form import Proposal
from pfverify.scales.coupling.best import CouplingPair
from pfverify.scales.coupling.candidates import SIDES, least_scale
from pfverify.scales.recipes.asked import Asked


def coupling_lp(asked: Asked) -> Proposal:
    """Per pair the better side of the best coupling (a linear programme); largest over pairs.

    The monotone plan is a candidate too, so this never exceeds `relaxed`.
    """
    pairs = [CouplingPair(first, second, asked.epsilon) for first, second in asked.atoms]
    if asked.nothing_moves:
        return "0", None
    candidates = [
        [candidate for side in SIDES for candidate in pair.candidates(side)]
        for pair in pairs
        if not pair.equal
    ]
    upper = least_scale(candidates, asked.epsilon, asked.digits)
    return decimal_text(upper, asked.digits), None

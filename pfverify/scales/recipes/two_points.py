"""The exact recipe for priors on two points."""

from __future__ import annotations

from fractions import Fraction

from pfverify.errors import InputError
from pfverify.scales.bernoulli import bernoulli_scale
from pfverify.scales.closed_form import Proposal, Value, largest_upper
from pfverify.scales.recipes.asked import RecipeProblem


def bernoulli(asked: RecipeProblem) -> Proposal:
    """Exact least pure scale of two-point pairs, the largest over pairs."""
    if not asked.nothing_moves:
        asked.for_a_finite_scale()
    scales: list[Value] = []
    for first, second in asked.atoms:
        found = bernoulli_scale(first, second, asked.epsilon)
        if found is None:
            raise InputError("not every pair of priors lives on the same two points")
        if found.scale is not None:
            scales.append(Value.of(found.scale))
    return largest_upper(scales, asked.grid) if scales else (Fraction(0), None)

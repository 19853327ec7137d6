"""Recipes for many releases, and for several numbers at once, from what one release needs."""

from __future__ import annotations

from fractions import Fraction

from pfverify.errors import InputError
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.model.problem import Problem
from pfverify.scales.closed_form import NONE_NEEDED, Proposal, Value, largest_upper
from pfverify.scales.minimum import minimum_scale
from pfverify.scales.parts import least_summed, reaches_of, sums_to
from pfverify.scales.recipes.asked import RecipeProblem

_MOST_PARTS = 8  # coordinates whose losses are searched together
_SPARE_DIGITS = 3  # of what one release needs, before it is multiplied


def for_all(asked: RecipeProblem, found: Proposal) -> Proposal:
    """Return what all releases need of what one release does: times their worth, rounded up.

    Sufficient by F40 and F41, whatever the priors.
    Example: ``for_all(RecipeProblem.of(problem, Grid(12)), (Fraction(2), None))[0]`` is
    ``Fraction(2, 1)``.
    """
    least, exact = found
    if not least or asked.worth.fraction == 1:
        return found
    known = Number.of_rational(least) if exact is None else exact
    scale, closed = largest_upper([Value.of(known * asked.worth)], asked.grid)
    return scale, None if exact is None else closed


def collapse(asked: RecipeProblem) -> Proposal:
    """The least scale of one release, times what all are worth: F40, F41.

    It is the least of all releases for delta = 0 and for gaussian noise, else sufficient.
    """
    if asked.repeated is None:
        raise InputError("there is one release")
    one = asked.problem.under(asked.repeated.one)
    return for_all(asked, (_least(one, asked), None))


def _least(problem: Problem, asked: RecipeProblem) -> Fraction:
    """The least scale of one release, with digits to spare."""
    found = minimum_scale(problem, Grid(asked.grid.digits + _SPARE_DIGITS))
    if found.upper is None:
        raise InputError(f"no scale works for one release: {found.reason}")
    return found.upper


def added(asked: RecipeProblem) -> Proposal:
    """The least scale at which the losses of the parts, each alone, sum to at most epsilon.

    Of equal releases: that of one release at its share of epsilon and of delta. A sum bounds
    nothing where parts are not independent given the secret: the verdict says whether it does here.
    Raises InputError for more than `_MOST_PARTS` coordinates.
    """
    repeated, epsilon = asked.repeated, asked.epsilon
    if repeated is not None and len(repeated.shares) == 1 and not asked.is_joint:
        count = Number.of_rational(repeated.count)
        one = asked.problem.under(repeated.one)
        share = one.replaced(epsilon=epsilon / count, delta=asked.delta / count)
        return _rounded(_least(share, asked), asked.grid)
    if asked.delta.sign() != 0:
        raise InputError("losses are added for delta = 0; with delta > 0 parts would share it")
    asked.for_laplace_noise()
    if (size := len(asked.problem.numbers)) > _MOST_PARTS:
        raise InputError(f"losses are added of at most {_MOST_PARTS} coordinates, and X has {size}")
    if sums_to(asked.problem.replaced(scale=0)):
        return Fraction(0), None
    guess, _ = ranges(asked)
    return least_summed(asked.problem, guess, asked.grid), None


def _rounded(least: Fraction, grid: Grid) -> Proposal:
    return (grid.above(least) if least else least), None


def ranges(asked: RecipeProblem) -> Proposal:
    """What the distances of all parts sum to over epsilon: enough whatever their joint law (F43).

    The distance of a part is the largest between a value under one secret and one under the other,
    over what its scale is of the first.
    """
    asked.for_laplace_noise()
    if asked.nothing_moves:
        return NONE_NEEDED
    asked.for_a_finite_scale()
    reaches = reaches_of(asked.problem.replaced(scale=1))
    return largest_upper([Value.of(reach / asked.epsilon) for reach in reaches], asked.grid)

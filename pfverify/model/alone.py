"""Problems about a part of another: one pair of laws, or the laws that families are around."""

from __future__ import annotations

from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.model.families.balls import WInfinityBall
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.sources.families import Families
from pfverify.model.sources.given import Given


def estimate_of(problem: Problem) -> Problem:
    """Return the problem about the laws that families are around: itself without families.

    Raises InputError where a family is around none.
    Example: ``estimate_of(problem) is problem`` is True for plain priors.
    """
    if not isinstance(problem.source, Families):
        return problem
    found = problem.source.estimate()
    if found is None:
        raise InputError(
            "priors: a family (intervals, polytope or any-of) is around no law; expected laws, "
            "confidence regions or balls"
        )
    return Problem.of(
        found, problem.release, problem.requirement, problem.pairs, problem.provenance
    )


def pair_alone(problem: Problem, belief: str, from_: str, to: str, y: object) -> Problem:
    """Return the problem about one secret against another under one belief, whose laws it states.

    Of a W-infinity ball on the whole line it has the member with most (`from_`) or least (`to`)
    density at the output `y`.
    Raises InputError for a pair that is not one of the problem's, and for single inputs.
    Example: ``pair_alone(problem, "default", "a", "b", 0).pairs`` is ``(("a", "b"),)``.
    """
    if problem.protection.of_inputs:
        raise InputError("the problem compares single inputs, whose laws no file states")
    for item in problem.questions():
        if item.belief == belief and {item.first, item.second} == {from_, to}:
            laws = {item.first: item.first_prior, item.second: item.second_prior}
            members = {name: _member(law, y, away=name == to) for name, law in laws.items()}
            return Problem.of(Given.to_one(members), problem.release, problem.requirement)
    raise InputError(f"no pair {shorten(from_)!r}, {shorten(to)!r} under that belief")


def _member(law: Prior, y: object, *, away: bool) -> Prior:
    if not isinstance(law, WInfinityBall):
        return law
    return law.nearest(Fraction(str(y)), away=away)

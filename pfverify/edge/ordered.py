"""The pair of priors that an ordered pair of secrets in a result is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from pfverify.edge.names import distinct
from pfverify.model.problem import Problem
from pfverify.model.question import Question


class Ordered(Protocol):
    """What names an ordered pair of secrets under a belief."""

    @property
    def belief(self) -> str:
        """The belief under which they are compared."""

    @property
    def from_(self) -> str:
        """The secret whose law stands on the left."""

    @property
    def to(self) -> str:
        """The secret whose law stands on the right."""


def pair_of(problem: Problem, ordered: Ordered) -> tuple[Question, bool]:
    """Return the pair of a problem that an ordered one is of, and whether it is its reverse.

    Raises StopIteration for a pair that the problem does not have.
    Example: ``pair_of(problem, certify(problem).pairs[0])[0].belief``.
    """
    asked = {ordered.from_, ordered.to}
    item = next(
        item
        for item in problem.questions()
        if item.belief == ordered.belief and {item.first, item.second} == asked
    )
    return item, ordered.from_ != item.first


def against(ordered: Ordered, pairs: Iterable[Ordered]) -> str:
    """Return an ordered pair in words, with its belief where the pairs have several.

    Example: ``against(certify(problem).pairs[0], certify(problem).pairs)``.
    """
    shown = distinct([ordered.belief, ordered.from_, ordered.to])
    several = len({pair.belief for pair in pairs}) > 1
    under = f" under belief {shown[ordered.belief]}" if several else ""
    return f"{shown[ordered.from_]} against {shown[ordered.to]}{under}"

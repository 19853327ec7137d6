"""Ordered pairs of secrets in a result: which pair of priors one is about, and its names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def shown_names(pairs: Iterable[Ordered]) -> dict[str, str]:
    """Return what to print for each belief and secret of ordered pairs."""
    return distinct(name for pair in pairs for name in (pair.belief, pair.from_, pair.to))


def beliefs_of(pairs: Iterable[Ordered]) -> set[str]:
    """Return the beliefs of ordered pairs."""
    return {pair.belief for pair in pairs}


def against(ordered: Ordered, pairs: Sequence[Ordered]) -> str:
    """Return an ordered pair in words, with its belief where the pairs have several.

    Example: ``against(certify(problem).pairs[0], certify(problem).pairs)``.
    """
    shown, several = shown_names(pairs), len(beliefs_of(pairs)) > 1
    under = f" under belief {shown[ordered.belief]}" if several else ""
    return f"{shown[ordered.from_]} against {shown[ordered.to]}{under}"

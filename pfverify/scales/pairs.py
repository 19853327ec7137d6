"""The pairs of a problem at any scale: each set up once, and decided only where no bound does."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pfverify.decide.comparison import Scaled, Settled
from pfverify.decide.routes import at_any_scale
from pfverify.model.problem import Problem


class Pairs:
    """Every pair of a problem under every belief, set up for any scale of its kind of noise.

    Pairs of equal priors that are held to the same targets are one question, asked once.
    Attributes: `problem`; `items`, in its order; `scaled`, the question of each item.

    Example: ``Pairs(problem).decided`` is 0 until something is asked.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.items = list(problem.questions())
        self.scaled: list[Scaled] = []
        known: dict[object, Scaled] = {}
        for item in self.items:
            # an extended notion may state a distance for each pair of names
            names = (item.first, item.second) if problem.protection.extended else None
            key = item.first_prior, item.second_prior, names
            if key not in known:
                known[key] = at_any_scale(item)
            self.scaled.append(known[key])
        self._alone = len(known) == 1  # no bound tells it from a worse one
        self._decided: set[int] = set()
        self._bounded: set[int] = set()

    def questions(self) -> list[Scaled]:
        """Return the different questions, in the order of their first pair."""
        return list({id(one): one for one in self.scaled}.values())

    def to_decide(self, one: Scaled, scale: Fraction) -> bool:
        """Say whether a question has to be decided at a scale (0: no noise), or a bound covers it.

        Either is counted.
        """
        covered = scale > 0 and not self._alone and one.covers(scale)
        (self._bounded if covered else self._decided).add(id(one))
        return not covered

    def settled(self, one: Scaled, scale: Fraction) -> Iterator[Settled]:
        """Yield both orders of a question, settled at a scale; 0 is no noise."""
        if not self.to_decide(one, scale):
            yield from one.bounded()
            return
        for compared in one.at(scale) if scale else one.bare():
            yield compared.settled()

    @property
    def decided(self) -> int:
        """How many pairs were decided, at one scale or more."""
        return sum(id(one) in self._decided for one in self.scaled)

    @property
    def bounded(self) -> int:
        """How many pairs were asked for but never decided: a bound proves each scale private."""
        return sum(id(one) in self._bounded - self._decided for one in self.scaled)

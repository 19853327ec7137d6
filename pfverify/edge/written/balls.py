"""Two W-infinity balls at their worst output: the members that decide there, written out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pfverify.decide.routes import comparison
from pfverify.edge.ordered import pair_of
from pfverify.edge.written.asked import SENTENCES, Worst
from pfverify.model.alone import pair_alone
from pfverify.model.sources.source import DEFAULT_BELIEF

_MEMBERS = (
    "Of the members of the balls these have most density there on the left, every atom moved "
    "towards y, and least on the right, every atom moved away from it:"
)

_NO_OTHER = (
    "No other output or member is worse: between two points where most or least turns their ratio "
    "has at most one maximum."
)


def lines(worst: Worst, of_atoms: Callable[[Worst], list[str]]) -> list[str]:
    """Return which members are the worst, and their densities at the worst output, written out."""
    found = worst.directed
    alone = pair_alone(worst.problem, found.belief, found.from_, found.to, worst.y)
    directed = replace(found, belief=DEFAULT_BELIEF)
    item, reverse = pair_of(alone, directed)
    compared = comparison(item)[reverse]
    result = replace(worst.result, pairs=[directed], problem=alone)
    own = of_atoms(Worst(alone, item, result, directed, compared))
    return [_MEMBERS, *(_NO_OTHER if line == SENTENCES["why"]["ratio"] else line for line in own)]

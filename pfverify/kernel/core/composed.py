"""The rules of many independent outputs together, with a delta.  As in `rules`.

H_E(P, Q) = sup over events B of P(B) - E Q(B), which the goal bounds at E = e^epsilon; of an output
it is convex in E, does not increase, and is 1 at 0.  Masses are those of `losses`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from core.enclose import Arithmetic, Interval
from core.grammar import Malformed
from core.losses import (
    ABOVE,
    P_BELOW,
    Q_ABOVE,
    Grid,
    Losses,
    Side,
    by_label,
    divergence_above,
    divergence_below,
    labelled,
    over,
    power,
    times,
)
from core.reduce import composite
from core.rules import Facts, Goal, Rejected, Step, margin_of
from core.shapes import array, canonical_rational, increasing, integer, table
from core.value import enclose_number
from core.work import TooMuchWork, spend
from core.zero import constant

if TYPE_CHECKING:
    from core.interfaces import Profile

Of = Goal[Any, Any]
SOME = Fraction(1)  # a delta, so that no rule of pure bounds makes one part of several
FAR = 10_000_000  # of levels, and of the ends of the window
MOST = 1_000_000  # levels


class Said(NamedTuple):
    """What a step says of a part, and the part: how many there are, and how its outputs compare."""

    many: int
    profile: Profile
    table: dict[str, Any]


def _grid(step: Step) -> Grid:
    h = canonical_rational(step["grid"], "grid")
    if h <= 0:
        raise Malformed("the grid must be positive")
    digits = integer(step["digits"], "digits", 10, 2000)
    window = array(step["window"], "window")
    if len(window) != 2:
        raise Malformed("the window must have two ends")
    low, high = (integer(end, "an end of the window", -FAR, FAR) for end in window)
    if low >= high:
        raise Malformed("the window must not be empty")
    return Grid(h, 10**digits, low, high, Arithmetic(4 * digits + 64))


def profile_of(goal: Of, ar: Arithmetic) -> Profile:
    """How the outputs of a goal compose."""
    made = goal.kind.load_profile()
    if made is None:
        raise Rejected("no rule composes what is released here")
    return made(goal, ar)


def _parts(goal: Of, step: Step, grid: Grid, keys: set[str]) -> tuple[list[Said], Facts]:
    """The parts of a step, in order, and the facts by which they are those of the goal."""
    found, facts = composite(goal), set[str]()
    due, parts = found.parts(), array(step["parts"], "parts")
    if len(parts) != len(due):
        raise Rejected("the parts must be those of the goal, each once")
    said = []
    for (name, count), part in zip(due, parts, strict=True):
        table(part, "a part", keys | ({"part"} if found.named else set()), {"cuts"})
        if found.named and (type(part["part"]) is not type(name) or part["part"] != name):
            raise Rejected("the parts are not in order")
        one, by = found.part(name, goal.epsilon, SOME)
        said.append(Said(count, profile_of(one, grid.ar), part))
        facts |= by
    return said, facts


def _levels(value: Any) -> list[int]:
    runs = []
    for entry in array(value, "levels"):
        if len(array(entry, "levels")) != 3:
            raise Malformed("levels must be runs: the first, the last, and the stride")
        first, last = (integer(end, "a level", -FAR, FAR) for end in entry[:2])
        runs.append(range(first, last + 1, integer(entry[2], "a stride", 1, 2 * FAR)))
    count = sum(map(len, runs))
    if count > MOST:
        raise TooMuchWork(f"too much work: more than {MOST} levels")
    spend(16 * count)
    levels = [level for run in runs for level in run]
    if not levels or any(a >= b for a, b in pairwise(levels)):
        raise Malformed("levels must increase, and there must be one")
    return levels


def _above(said: Said, levels: list[int], grid: Grid) -> Losses:
    """Masses over the divergences of a part at its levels."""
    profile = said.profile
    if profile.at_cuts != ("cuts" in said.table):
        raise Rejected("cuts are for normal densities, and those need them")
    cuts: list[Any] = [None] * len(levels)
    if profile.at_cuts:
        cuts = [canonical_rational(x, "a cut") for x in array(said.table["cuts"], "cuts")]
        if len(cuts) != len(levels):
            raise Malformed("there must be as many cuts as levels")
    bounds = [
        min(grid.unit, grid.above(profile.above(constant(level * grid.h), cut)))
        for level, cut in zip(levels, cuts, strict=True)
    ]
    return over(levels, bounds, grid)


def _together(parts: list[tuple[Losses, int]], grid: Grid, side: Side) -> Losses:
    """All parts, each so often."""
    found = [power(one, count, grid, side) for one, count in parts]
    return reduce(lambda a, b: times(a, b, grid, side), found)


def _require_at_most(total: Interval, goal: Of, ar: Arithmetic) -> None:
    if ar.sub(enclose_number(goal.delta, ar), total)[0] < 0:
        raise Rejected("the divergence is not bounded by delta with these levels and digits")


def composed(goal: Of, step: Step) -> Facts:
    """
    the outputs are independent     H_E(P_i, Q_i) <= h_i(E) at E = e^(j h), all levels j of part i
    h_i: masses at levels with h_i(0) >= 1     m: the product of all of them, every mass rounded up,
    from below the window up to it, from above it to infinity     h_m(e^epsilon) <= delta
    ------------------------------------------------------------------------------ F70, F71, F73
    P(B) <= e^epsilon Q(B) + delta for every event B
    """
    grid = _grid(step)
    parts, facts = _parts(goal, step, grid, {"levels"})
    found = [(_above(one, _levels(one.table["levels"]), grid), one.many) for one in parts]
    total = divergence_above(_together(found, grid, ABOVE), goal.epsilon, grid)
    ar = grid.ar
    _require_at_most(ar.div((total, total, 0), (grid.unit, grid.unit, 0)), goal, ar)
    return facts.union({"F70", "F71", "F73"}, *(one.profile.facts for one in parts))


def composed_refuted(goal: Of, step: Step) -> Facts:
    """
    the outputs are independent     each cell of their outputs has a label, an integer
    A_j, B_j: of all outputs whose labels sum to j less than their mass under P and more than that
    under Q     sum over j of [A_j - e^epsilon B_j]_+ >= delta + margin > delta
    ----------------------------------------------------------------------------------- F72, F73
    the goal fails where A_j > e^epsilon B_j

    Sums over the window are labels as well: its highest; what falls below it is in no event.
    """
    grid, found, margin = _grid(step), list[tuple[list[Losses], int]](), margin_of(step)
    parts, facts = _parts(goal, step, grid, set())
    for one in parts:
        profile = one.profile
        if profile.on_line != ("cuts" in one.table):
            raise Rejected("cuts are for laws on a line, and those need them")
        cuts = increasing(one.table["cuts"], "cuts") if profile.on_line else []
        p, q = (profile.cells(cuts, law) for law in (profile.goal.P, profile.goal.Q))
        labels = labelled(p, q, grid)
        laws = [by_label(labels, [*map(rounded, masses)])
                for masses, rounded in ((p, grid.below), (q, grid.above))]  # fmt: skip
        found.append((laws, one.many))
    p_all, q_all = (
        _together([(laws[k], count) for laws, count in found], grid, side)
        for k, side in enumerate((P_BELOW, Q_ABOVE))
    )
    value, ar = grid.ar.of(divergence_below(p_all, q_all, goal.epsilon, grid)), grid.ar
    if ar.sub(value, ar.add(enclose_number(goal.delta, ar), ar.of(margin)))[0] < 0:
        raise Rejected("no such margin is proved for these labels")
    return facts.union({"F72", "F73"}, *(one.profile.facts for one in parts))

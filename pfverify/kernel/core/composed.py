"""The rules of many independent outputs together, with a delta.  As in `rules`.

H_E(P, Q) = sup over events B of P(B) - E Q(B), which the goal bounds at E = e^epsilon; of an output
it is convex in E, does not increase, and is 1 at 0.  Masses are those of `losses`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from core.enclose import ZERO, Arithmetic, Interval
from core.grammar import Malformed, bounded
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
    mixed,
    over,
    power,
    times,
)
from core.reduce import Reduction, composite
from core.rules import Facts, Goal, Rejected, Step, at_most, law_of_x, margin_of
from core.shapes import array, canonical_rational, increasing, integer, table
from core.value import enclose_number, sign
from core.values import atoms_of
from core.work import TooMuchWork, allow_sums, price, spend
from core.zero import constant

if TYPE_CHECKING:
    from core.interfaces import Profile

Of = Goal[Any, Any]
Entry = tuple[Any, Any, Fraction]  # of a plan: two values of X and their mass
NOTHING = Fraction(0)
SOME = Fraction(1)  # a delta, so that no rule of pure bounds makes one part of several
FAR = 10_000_000  # of levels, and of the ends of the window
MOST = 1_000_000  # levels
NOT_BOUNDED = "the divergence is not bounded by delta with these levels and digits"


class Leaf(NamedTuple):
    """A part that follows from no others: the name of the part of the goal that it is a part of,
    its goal, how many there are, the facts by which it is that, and, of one X, the law of its
    outputs for each value of X."""

    name: Any
    goal: Of
    many: int
    facts: Facts
    laws: Sequence[Any] = ()


class Said(NamedTuple):
    """A part: how many there are, how its outputs compare, and what a step says of it."""

    many: int
    profile: Profile
    table: dict[str, Any]


def _grid(step: Step) -> Grid:
    allow_sums()
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


def _tables(
    found: Reduction, due: list[Leaf], step: Step, keys: set[str], more: set[str]
) -> list[dict[str, Any]]:
    """What a step says of each part that is due, in order."""
    parts = array(step["parts"], "parts")
    if not parts:
        raise Malformed("parts must not be empty")
    if len(parts) != len(due):
        raise Rejected("the parts must be those of the goal, each once")
    for (name, *_), part in zip(due, parts, strict=True):
        table(part, "a part", keys | ({"part"} if found.named else set()), more)
        if found.named and (type(part["part"]) is not type(name) or part["part"] != name):
            raise Rejected("the parts are not in order")
    return parts


def _leaves(found: Reduction) -> list[Leaf]:
    """The independent parts, in order, and in place of one that has parts itself these."""
    leaves = []
    for name, count in found.parts():
        one, facts = found.part(name, NOTHING, SOME)
        inner = [Leaf(name, one, 1, set())]
        if one.kind.reduction is not None:
            inner = _leaves(composite(one))
        leaves += [Leaf(name, leaf.goal, count * leaf.many, facts | leaf.facts) for leaf in inner]
        spend(64 * len(inner))
    return leaves


def _leaves_of_x(found: Reduction, values: list[Any]) -> list[Leaf]:
    """The same of parts that are independent given X, with their laws for some values of X."""
    leaves = []
    for name, count in found.parts_of_x():
        spend(256 * len(values))  # all are kept until each is weighed
        one, facts, laws = found.part_of_x(name, values)
        inner = [Leaf(name, one, 1, set(), laws)]
        if one.kind.reduction is not None:
            inner = _leaves_of_x(composite(one), [_point_of(law) for law in laws])
        leaves += [leaf._replace(name=name, many=count * leaf.many, facts=facts | leaf.facts)
                   for leaf in inner]  # fmt: skip
        spend(64 * len(inner))
    return leaves


def _point_of(law: Any) -> Any:
    """The one value of X under a law."""
    of_x = law_of_x(law)
    ((x, _, _),) = atoms_of(of_x, of_x)
    return x


def _parts(goal: Of, step: Step, grid: Grid) -> tuple[list[Said], Facts]:
    """The parts of a goal, in order, and the facts by which they are those of the goal."""
    found, said, facts = composite(goal), list[Said](), set[str]()
    due = _leaves(found)
    tables = _tables(found, due, step, {"levels"}, {"cuts"})
    for leaf, part in zip(due, tables, strict=True):
        said.append(Said(leaf.many, profile_of(leaf.goal, grid.ar), part))
        facts |= leaf.facts
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
        cuts = [
            None if x is None else canonical_rational(x, "a cut")
            for x in array(said.table["cuts"], "cuts")
        ]
        if len(cuts) != len(levels):
            raise Malformed("there must be as many cuts as levels")
    bounds = [
        grid.above(profile.above(constant(level * grid.h), cut))
        for level, cut in zip(levels, cuts, strict=True)
    ]
    return over(levels, bounds, grid)


def _together(parts: list[tuple[Losses, int]], grid: Grid, side: Side) -> Losses:
    """All parts, each so often."""
    found = [power(one, count, grid, side) for one, count in parts]
    return reduce(lambda a, b: times(a, b, grid, side), found)


def _bound(goal: Of, step: Step, grid: Grid) -> tuple[int, Facts]:
    """At least the divergence of all parts of a goal, in units."""
    parts, facts = _parts(goal, step, grid)
    found = [(_above(one, _levels(one.table["levels"]), grid), one.many) for one in parts]
    total = divergence_above(_together(found, grid, ABOVE), goal.epsilon, grid)
    return total, facts.union(("F70", "F71", "F73"), *(one.profile.facts for one in parts))


def _before(goal: Of, step: Step) -> Facts | None:
    """The facts where the step is about another goal, that this one follows from: its parts have no
    names, and the parts of this one have."""
    found = composite(goal)
    parts = array(step["parts"], "parts")
    if not found.named or any(type(part) is not dict or "part" in part for part in parts):
        return None
    one, facts = found.whole(step)
    if step["rule"] not in one.kind.certified:
        raise Rejected(one.kind.other)
    return facts | one.kind.certified[step["rule"]].load(step["rule"])(one, step)


def composed(goal: Of, step: Step) -> Facts:
    """
    the outputs are independent     H_E(P_i, Q_i) <= h_i(E) at E = e^(j h), all levels j of part i
    h_i: masses at levels with h_i(0) >= 1     m: the product of all of them, every mass rounded up,
    from below the window up to it, from above it to infinity     h_m(e^epsilon) <= delta
    ------------------------------------------------------------------------------ F70, F71, F73
    P(B) <= e^epsilon Q(B) + delta for every event B
    """
    if (before := _before(goal, step)) is not None:
        return before
    grid = _grid(step)
    total, facts = _bound(goal, step, grid)
    if not at_most(grid.interval(total), enclose_number(goal.delta, grid.ar), grid.ar):
        raise Rejected(NOT_BOUNDED)
    return facts


def composed_coupled(goal: Of, step: Step) -> Facts:
    """
    the outputs are independent given X     pi(x, y): a coupling of P and Q, the step's plan
    h(x, y): of the points x and y as in `composed`     sum of pi(x, y) h(x, y) <= delta
    ------------------------------------------------------------------------------------ F74
    P(B) <= e^epsilon Q(B) + delta for every event B

    Noise that is the same for every X tells two points apart by their difference.  As epsilon >= 0,
    h(x, x) = 0.
    """
    if (before := _before(goal, step)) is not None:
        return before
    grid, found = _grid(step), composite(goal)
    if not found.shared:
        raise Rejected("a coupling is for releases of one X that is no point")
    if sign(goal.epsilon) < 0:
        raise Rejected("a coupling needs an epsilon of at least 0")
    ar, known, total, facts = grid.ar, dict[Any, Interval](), ZERO, {"F74"}
    for x, y, mass in _plan(step["plan"], found.atoms()):
        if x == y:
            continue
        pair = found.alike(x, y)
        if pair not in known:
            value, by = _bound(found.between(x, y), step, grid)
            known[pair], facts = grid.interval(value), facts | by
        total = ar.add(total, ar.mul(ar.of(mass), known[pair]))
    if not at_most(total, enclose_number(goal.delta, ar), ar):
        raise Rejected(NOT_BOUNDED)
    return facts


def _value(value: Any) -> Any:
    """A value of X, as a step names it."""
    if type(value) is list:
        return tuple(canonical_rational(x, "a coordinate") for x in value)
    return canonical_rational(value, "an atom")


def _plan(value: Any, atoms: list[tuple[Any, Fraction, Fraction]]) -> list[Entry]:
    """A coupling of the masses of atoms."""
    found, pairs = list[Entry](), set[int]()
    left = {x: [p, q] for x, p, q in atoms}
    places = {x: k for k, x in enumerate(left)}
    for entry in array(value, "plan"):
        if len(array(entry, "plan")) != 3:
            raise Malformed("a plan has two atoms and a mass in each entry")
        x, y, mass = _value(entry[0]), _value(entry[1]), canonical_rational(entry[2], "a mass")
        spend(256)
        if x not in left or y not in left:
            raise Rejected("the plan has other atoms")
        pair = places[x] * len(left) + places[y]
        if mass <= 0 or pair in pairs:
            raise Malformed("a plan has positive masses, and each pair once")
        pairs.add(pair)
        found.append((x, y, mass))
        for side, atom in enumerate((x, y)):
            rest = left[atom][side]
            spend(price(rest.denominator.bit_length() + mass.denominator.bit_length()))
            left[atom][side] = bounded(rest - mass)
    if any(p or q for p, q in left.values()):
        raise Rejected("the plan does not have the masses of the priors")
    return found


def _cells(
    one: Of, said: dict[str, Any], laws: Sequence[Any], grid: Grid, values: list[Any]
) -> tuple[list[Losses], list[Losses], Facts]:
    """The labels of a part: their masses from below for P, or for each of some laws, and from above
    for Q, or for each of them; and the facts by which these are their masses.  Labels tell P from
    Q, or where the step says two values of X, whose laws these are, the first from the second."""
    profile = profile_of(one, grid.ar)
    if profile.on_line != ("cuts" in said):
        raise Rejected("cuts are for laws on a line, and those need them")
    cuts = increasing(said["cuts"], "cuts") if profile.on_line else []
    p, q = (profile.cells(cuts, law) for law in (one.P, one.Q))
    rows = [profile.cells(cuts, law) for law in laws]
    if "apart" in said:
        ends = [_value(x) for x in array(said["apart"], "apart")]
        if len(ends) != 2 or not set(ends) <= set(values):
            raise Rejected("two values of X are told apart")
        first, second = (rows[values.index(x)] for x in ends)
        labels = labelled(first, second, grid, grid.low)
    else:
        labels = labelled(p, q, grid, None)
    below = [by_label(labels, [*map(grid.below, row)]) for row in rows or [p]]
    above = [by_label(labels, [*map(grid.above, row)]) for row in rows or [q]]
    return below, above, profile.facts


def composed_refuted(goal: Of, step: Step) -> Facts:
    """
    the outputs are independent     each cell of their outputs has a label, an integer
    A_j, B_j: of all outputs whose labels sum to j less than their mass under P and more than that
    under Q     sum over j of [A_j - e^epsilon B_j]_+ >= delta + margin > delta
    ------------------------------------------------------------------------------- F72, F73
    the goal fails where A_j > e^epsilon B_j

    the same with A_j = sum of P(x) A_j(x), B_j = sum of Q(x) B_j(x)
    ----------------------------------------------------------------
    the same, of outputs that are independent given X

    Sums over the window are labels as well: its highest; what falls below it is in no event.
    """
    grid, found, margin, facts = _grid(step), composite(goal), margin_of(step), {"F72", "F73"}
    atoms = found.atoms() if found.shared else []
    due = _leaves_of_x(found, [x for x, _, _ in atoms]) if found.shared else _leaves(found)
    below, above = list[tuple[list[Losses], int]](), list[tuple[list[Losses], int]]()
    more = {"cuts"} | ({"apart"} if found.shared else set())
    for leaf, said in zip(due, _tables(found, due, step, set(), more), strict=True):
        p, q, used = _cells(leaf.goal, said, leaf.laws, grid, [x for x, _, _ in atoms])
        below.append((p, leaf.many))
        above.append((q, leaf.many))
        facts |= leaf.facts | used
    ones = [Fraction(1)]
    p_all = _average([p for _, p, _ in atoms] or ones, below, grid, P_BELOW)
    q_all = _average([q for _, _, q in atoms] or ones, above, grid, Q_ABOVE)
    value, ar = divergence_below(p_all, q_all, goal.epsilon, grid), grid.ar
    if not at_most(ar.add(enclose_number(goal.delta, ar), ar.of(margin)), ar.of(value), ar):
        raise Rejected("no such margin is proved for these labels")
    return facts


def _average(
    weights: list[Fraction], parts: list[tuple[list[Losses], int]], grid: Grid, side: Side
) -> Losses:
    """The measures of all parts together, given X, and their average over X."""
    return mixed((
        (weight, _together([(of[k], count) for of, count in parts], grid, side))
        for k, weight in enumerate(weights) if weight
    ), grid, side)  # fmt: skip

"""Releases that are judged together, where no one release has the same verdict.  As in `rules`.

Of one X (`several`): what is proved of the one release that they are made of is proved of them
all, and what fails for one of them alone fails for all; nothing else follows from one release.
With a delta both may leave the truth open, which sums on a grid close for a few releases: those of
one X are points (X, .., X), those of fresh draws of X points (X_1, .., X_k), each coordinate with
the noise of a release.
"""

from __future__ import annotations

from collections.abc import Set
from fractions import Fraction
from itertools import product as products
from typing import Any

from core.grammar import Malformed
from core.grid import Box, rates_of
from core.grid_sums import require_lower, require_upper
from core.judge import apply, shaped
from core.kinds import EVENTS, LAWS, REFUTING, Kind, Rule, Rules, kind_of
from core.rules import Facts, Goal, Rejected, Step
from core.shapes import integer
from core.work import TooMuchWork, spend
from reader.joint import Rows
from reader.noise import Noise
from reader.noises import require_law
from reader.several import Many

Releases = Goal[Any, Many]
MOST = 4  # releases on a grid
MOST_ROWS = 1 << 16
REFUTED: Rules = {
    "one-refuted": Rule("core.many", measures=True),
    "grid-event-refuted": Rule("core.many", EVENTS),
}
KIND = Kind(
    {
        "pure": Rule("core.many", EVENTS, measures=True),
        "delta-upper": Rule("core.many", EVENTS, measures=True),
        "delta-tie": Rule("core.many", EVENTS),
        "grid": Rule("core.many", EVENTS),
        "grid-upper": Rule("core.many", EVENTS),
    },
    REFUTED,
    "no such rule for several releases: what fails for the one that they are made of may hold",
    unscaled={"no-noise": Rule("core.many")},
    no_scale="INJ",
)


def of_one(goal: Releases, noise: Noise) -> Goal[Any, Noise]:
    """The goal of one release."""
    kind = kind_of(noise.kind, goal.P, goal.Q)
    if noise.kind == "none" and goal.form != "events":
        require_law(goal.release.stated.kind, goal.P, goal.Q)
    p, q = kind.laws(goal.P, goal.Q, noise)
    return goal.about(p, q, release=noise, kind=kind)


def inner(goal: Releases, value: Any, rules: Set[str]) -> Step:
    """A step inside another, which is about the same pair."""
    names = dict(zip(("belief", "from", "to"), goal.names, strict=True))
    if type(value) is not dict or not names.keys().isdisjoint(value):
        raise Malformed("a step inside another must be a table that names no pair")
    return shaped({**value, **names}, rules)


def _as_one(goal: Releases, step: Step) -> Facts:
    """
    the rule proves the goal of one release at theta     1/theta = sum over releases of 1/theta_i
    ----------------------------------------------------------------------------------- F40
    the goal holds of all of them together     (F40k, F40l where delta is not 0)
    """
    one, name = of_one(goal, goal.release.together()), step["rule"]
    if name not in one.kind.certified:
        raise Rejected(one.kind.other)
    return one.kind.certified[name].load(name)(one, step) | goal.release.stated.by


pure = delta_upper = delta_tie = grid = equal = components = chart = _as_one


def no_noise(goal: Releases, step: Step) -> Facts:
    """
    the rule proves the goal at every scale of one release, by the laws of X
    ------------------------------------------------------------------------ data processing
    the goal holds of all of them together, made of one X
    """
    one = of_one(goal, goal.release.together())
    return one.kind.unscaled["no-noise"].load("no-noise")(one, step)


def one_refuted(goal: Releases, step: Step) -> Facts:
    """
    the goal fails for one of the releases alone
    -------------------------------------------- post-processing
    it fails for all of them together
    """
    parts = goal.release.parts
    one = of_one(goal, parts[integer(step["release"], "release", 0, len(parts) - 1)][0])
    return apply(one, inner(goal, step["step"], REFUTING), one.kind.refuted) | {"DPI"}


def _rows(law: Any) -> Rows:
    """A law as one of points."""
    kind = LAWS.get(type(law).__name__)
    if kind not in ("atoms", "joint"):
        raise Rejected("a grid is for laws of atoms")
    return law.rows if kind == "joint" else tuple(((x,), m) for x, m in law.items())


def _together(rows: Rows, count: int, kind: str) -> Rows:
    """The law of what so many releases add noise to."""
    if kind == "releases":
        return tuple((x * count, m) for x, m in rows)
    if len(rows) ** count > MOST_ROWS:
        raise TooMuchWork("too much work: a grid of so many draws")
    spend(64 * count * len(rows) ** count)
    found = []
    for drawn in products(rows, repeat=count):
        point, mass = tuple[Fraction, ...](), Fraction(1)
        for x, m in drawn:
            point, mass = point + x, mass * m
        found.append((point, mass))
    return tuple(found)


def _box(goal: Releases, cuts: Any, *, one_will_do: bool) -> Box:
    """The grid of the releases; where that is enough, and there are cuts for no more coordinates,
    that of the one release that they are made of."""
    release, laws = goal.release, (_rows(goal.P), _rows(goal.Q))
    size, count = len(laws[0][0][0]), sum(n for _, n in release.parts)
    noises = [release.together()]
    if not (one_will_do and type(cuts) is list and len(cuts) == size):
        if count > MOST:
            raise Rejected(f"a grid is for at most {MOST} releases")
        noises = release.listed()
    if any(noise.kind not in ("laplace", "discrete-laplace") for noise in noises):
        raise Rejected("a grid is for (discrete) Laplace noise")
    rates = [rate for noise in noises for rate in rates_of(noise, size)]
    p, q = (_together(law, len(noises), release.kind) for law in laws)
    return Box(p, q, rates, release.step, cuts)


def grid_upper(goal: Releases, step: Step) -> Facts:
    """
    the upper sum (`grid_sums`) of the releases as one of points is at most delta
    ----------------------------------------------------------------------------- F42b
    D <= delta     (of one X also by the one release that they are made of, F40k, F40l)
    """
    one_will_do = goal.release.kind == "releases"
    facts = require_upper(goal, _box(goal, step["cuts"], one_will_do=one_will_do), step)
    return facts | goal.release.stated.by if one_will_do else facts


def grid_event_refuted(goal: Releases, step: Step) -> Facts:
    """
    the lower sum (`grid_sums`) of the releases as one of points is at least delta + margin
    --------------------------------------------------------------------------------------- F42b
    the goal fails at the cells with a positive excess
    """
    return require_lower(goal, _box(goal, step["cuts"], one_will_do=False), step)

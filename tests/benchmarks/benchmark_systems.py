"""Speed with systems of independent users, whose priors are derived."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import scipy  # whose folders load when they are used
from benchmark_measure import Row, ratio_row, times

from pfverify import Discrete, Laplace, Problem, System, certify
from pfverify.model.priors.prior import Prior
from pfverify.model.systems.derived import derived
from pfverify.model.systems.sums import Crowd

USER = {"P": {"bernoulli": "1/5"}, "Q": {"bernoulli": "9/10"}}
FLOATS = "float64 convolutions, no proof"
WIDE = "verdict for one of n users with 16-point laws"
WIDE_TARGET = 10  # times the float convolutions, for 1,000 users


def one_law(count: int) -> System:
    """A Bernoulli user among `count` others who all have one law."""
    return System([{"bernoulli": "2/3", "count": count}], USER)


def many_laws(count: int) -> list[Discrete]:
    """Different Bernoulli laws, from a fixed seed."""
    rng = Random(count)
    chances = [Fraction(rng.randint(1, 999), 1000) for _ in range(count)]
    return [Discrete({0: 1 - p, 1: p}) for p in chances]


def wide_laws(count: int) -> list[Discrete]:
    """Different laws on 16 points."""
    rng = Random(count)
    return [Discrete(counts={k: rng.randint(1, 9999) for k in range(16)}) for _ in range(count)]


def decided(system: System, scale: int = 1) -> str:
    """Derive the priors anew and decide, both orders."""
    derived.cache_clear()
    return certify(Problem(system=system, noise=Laplace(scale), epsilon=1)).verdict.value


def float_loss(laws: list[np.ndarray], user: tuple[np.ndarray, np.ndarray]) -> float:
    """The largest log ratio at the atoms in float64, for scale 1."""
    while len(laws) > 1:
        halves = zip(laws[::2], laws[1::2], strict=False)
        pairs = [scipy.signal.fftconvolve(a, b) for a, b in halves]
        laws = [*pairs, *laws[len(laws) - len(laws) % 2 :]]
    densities = []
    for own in user:
        prior = np.convolve(laws[0], own)
        left = scipy.signal.lfilter([1], [1, -np.exp(-1)], prior)
        right = scipy.signal.lfilter([1], [1, -np.exp(-1)], prior[::-1])[::-1]
        densities.append(left + right - prior)
    with np.errstate(all="ignore"):
        return float(np.nanmax(np.abs(np.log(densities[0] / densities[1]))))


def floats(laws: list[Discrete]) -> list[np.ndarray]:
    """Masses on 0, 1, 2, ... as floats."""
    return [np.array([float(law.mass.get(Fraction(k), 0)) for k in range(int(law.atoms[-1]) + 1)])
            for law in laws]  # fmt: skip


def in_turn(laws: list[Discrete], sample: int) -> list[Prior]:
    """The rest of some users in turn: one product, and a division for each."""
    crowd = Crowd([(law, 1) for law in laws])
    return [crowd.sum(without=law) for law in laws[:sample]]


def from_scratch(laws: list[Discrete], sample: int) -> list[Prior]:
    """The same rests, each summed anew."""
    return [
        Crowd([(law, 1) for j, law in enumerate(laws) if j != k]).sum() for k in range(sample)
    ]


def system_rows(users: int, repeats: int) -> list[Row]:
    """The rows about systems: `users` Bernoulli users, and a tenth of that with wide laws."""
    user = tuple(np.array([1 - p, p]) for p in (0.2, 0.9))
    few = max(users // 10, 4)
    rows = []
    for work, size, system, laws in (
        ("verdict for one of n Bernoulli users of one law", users, one_law(users),
         [Discrete({0: "1/3", 1: "2/3"})] * users),
        ("verdict for one of n Bernoulli users, all different", few,
         System(many_laws(few), USER), many_laws(few)),
        (WIDE, few,
         System(wide_laws(few), USER), wide_laws(few)),
    ):  # fmt: skip
        tables = floats(laws)
        ours, theirs = times(
            lambda system=system: decided(system),
            lambda tables=tables: float_loss(tables, user),
            repeats=repeats,
        )
        met = ours <= WIDE_TARGET * theirs
        bound = (f"<= {WIDE_TARGET}", met) if work == WIDE and few == 1000 else ()
        rows.append(ratio_row(work, size, ours, FLOATS, theirs, *bound))
    turn, sample = many_laws(few), min(few, 20)
    ours, theirs = times(
        lambda: in_turn(turn, sample), lambda: from_scratch(turn, sample), repeats=1
    )
    work = f"the rest of each of {sample} users among n"
    rows.append(ratio_row(work, few, ours, "each from scratch", theirs))
    return rows

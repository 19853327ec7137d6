"""Small random problems for each source whose laws are worked out, and these by enumeration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from support import chains

from pfverify import Discrete, Problem
from pfverify.errors import InputError

Laws = Mapping[str, Mapping[Fraction, Fraction]]
EPSILONS, SCALES = ("1/20", "1/2", "2"), ("2/5", "3/2", "5")


def _chain(rng: Random) -> tuple[dict[str, Any], Laws]:
    stated = chains.table(rng, hidden=False, longest=4)
    return stated, chains.laws(stated)


def _hmm(rng: Random) -> tuple[dict[str, Any], Laws]:
    stated = chains.table(rng, hidden=True, longest=3)
    return stated, chains.laws(stated)


def _network(rng: Random) -> tuple[dict[str, Any], Laws]:
    stated = chains.network_table(rng, 4)
    return stated, chains.network_laws(stated)


MAKERS: dict[str, Callable[[Random], tuple[dict[str, Any], Laws]]] = {
    "chain": _chain,
    "hmm": _hmm,
    "network": _network,
}
"""A table that states records that depend on each other -> a maker of it, with its laws."""


def cases(name: str, about: str, count: int) -> Iterator[tuple[Problem, Problem]]:
    """Problems that a source states, each beside the same one with its laws typed as priors."""
    rng, made = Random(f"{name} {about}"), 0
    while made < count:
        stated, laws = MAKERS[name](rng)
        target = {"epsilon": rng.choice(EPSILONS), "delta": rng.choice(("0", "1/20"))}
        table = {
            "schema": "pfverify/problem/1", name: stated, **target,
            "noise": {"kind": "laplace", "scale": rng.choice(SCALES)},
        }  # fmt: skip
        try:
            problem = Problem.from_table(table)
        except InputError:  # nothing is to be told apart
            continue
        typed = Problem(
            {secret: Discrete(law) for secret, law in laws.items()},
            noise=problem.noise, pairs=_asked(problem), **target,
        )  # fmt: skip
        made += 1
        yield problem, typed


def _asked(problem: Problem) -> list[tuple[str, str]]:
    return [(item.first, item.second) for item in problem.questions()]

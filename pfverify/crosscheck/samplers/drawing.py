"""Draws of somebody's function in a process of its own, at inputs that a prior draws."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm
from random import Random
from typing import Any

import numpy as np

from pfverify.crosscheck.reply import End, Reply
from pfverify.crosscheck.samplers.pairing import float_scale
from pfverify.crosscheck.samplers.parts import Draws
from pfverify.crosscheck.samplers.plan import SIGNATURE, priors_of
from pfverify.crosscheck.samplers.reading import Key
from pfverify.crosscheck.samplers.wired import read_draws
from pfverify.errors import InputError, shorten
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.workers.function import FunctionProcess, Limits
from pfverify.workers.place import place
from pfverify.workers.process import GoneError, SilentError
from pfverify.workers.wire import BrokenFrameError

_SERVE = "from pfverify.crosscheck.samplers.child import serve; serve()"
_AT_ONCE = 1 << 14  # draws of one call
_POSITIONAL = ("x", "n")
_KEYWORDS = ("seed", "scale")
Input = int | float | str | tuple[int | float, ...] | None
"""What a sampler is called with: a number, the name of an input of a channel, None for no row."""
_Law = Sequence[tuple[Input, Fraction]]


def _discrete(prior: Discrete) -> _Law:
    return [(_plain(atom), mass) for atom, mass in prior.mass.items()]


def _finite(prior: Finite) -> _Law:
    return list(prior.support.items())


def _nothing(prior: Nothing) -> _Law:
    rows = [(_plain(atom), mass) for atom, mass in prior.atoms()]
    return [(None, 1 - prior.chance), *rows]


def _joint(prior: Joint) -> _Law:
    return [(tuple(map(_plain, x)), mass) for x, mass in prior.mass.items()]


INPUTS: dict[type[Prior], Callable[[Any], _Law]] = {
    Discrete: _discrete, Finite: _finite, Joint: _joint, Nothing: _nothing,
}  # fmt: skip
"""Kind of prior -> the inputs that a sampler is called at; a kind without a row is refused."""
ROUNDED = "an input that is no float64 is passed as the nearest one"


@dataclass(frozen=True)
class Sampled:
    """What a function drew, and why its memory was not limited, if so."""

    draws: dict[Key, Draws]
    unlimited: str | None


def drawn(
    function: str,
    problem: Problem,
    numbers: Mapping[Key, int],
    seed: int,
    limits: Limits,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Sampled:
    """Return so many draws of every secret, from MODULE:FUNCTION in a process of its own.

    For each draw X comes from the prior, by a pseudo-random generator with this seed. Raises
    InputError for a prior that has a density, and a function that cannot be used, ends without
    draws, or returns another number of them.
    """
    random = Random(seed)
    asked = {key: _inputs(key, prior, numbers[key], random)
             for key, prior in priors_of(problem).items()}  # fmt: skip
    total, done = sum(numbers.values()), 0
    found: dict[Key, list[Draws]] = {key: [] for key in asked}
    with FunctionProcess(
        _SERVE, place(function), _POSITIONAL, optional=_KEYWORDS, expected=SIGNATURE,
        limits=limits,
    ) as subject:
        named = _named(problem, subject.takes)
        calls = 0
        for key, inputs in asked.items():
            for x, count in inputs.items():
                for start in range(0, count, _AT_ONCE):
                    some = min(_AT_ONCE, count - start)
                    if "seed" in subject.takes:
                        named["seed"] = random.getrandbits(31)
                    found[key].append(_call(subject, function, x, some, named))
                    calls, done = calls + 1, done + some
                    report(done, total)
    return Sampled({key: _joined(parts) for key, parts in found.items()}, subject.unlimited)


def _inputs(key: Key, prior: Prior, number: int, random: Random) -> Counter[Input]:
    """How often the function is asked for a draw at each input: draws from the prior."""
    law = INPUTS.get(type(prior))
    if law is None:
        raise InputError(
            f"the prior of {shorten(key[1], 30)!r} has a density: a function is called at inputs "
            "that can be counted; expected a CSV file of draws instead"
        )
    inputs = law(prior)
    if len(inputs) == 1:
        return Counter({inputs[0][0]: number})
    whole = lcm(*(mass.denominator for _, mass in inputs))
    ends = list(accumulate(int(mass * whole) for _, mass in inputs))
    drawn_at = Counter(bisect_right(ends, random.randrange(whole)) for _ in range(number))
    return Counter({inputs[k][0]: count for k, count in sorted(drawn_at.items())})


def _named(problem: Problem, takes: Sequence[str]) -> dict[str, int | float]:
    scale = float_scale(problem) if "scale" in takes else None
    return {} if scale is None else {"scale": scale}


def _call(
    subject: FunctionProcess, function: str, x: Input, count: int, named: dict[str, int | float]
) -> Draws:
    where = f"{function} at x = {shorten(x, 30)}, n = {count}"
    try:
        found = read_draws(*subject.asked({"draws": [x, count], "named": named}, b""))
    except (SilentError, GoneError) as error:
        raise InputError(f"{where}: {error}") from None
    except BrokenFrameError as error:
        raise InputError(f"{where}: {subject.overwritten(error)}") from None
    if isinstance(found, Reply):
        said = {
            End.RAISED: f"it raised {found.words}",
            End.NO_NUMBER: f"it returned {found.words}",
            End.MEMORY: f"it ran out of memory ({found.words})",
        }.get(found.end, found.words)
        raise InputError(f"{where}: {said}; expected {SIGNATURE} to return n draws")
    if len(found.draws) != count:
        raise InputError(f"{where}: it returned {len(found.draws)} draws, expected {count}")
    return found.draws


def _joined(parts: Sequence[Draws]) -> Draws:
    """All draws of a secret: numbers, or texts where some are names."""
    if all(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate(parts)
    texts: list[str] = []
    for part in parts:
        texts += map(repr, part.tolist()) if isinstance(part, np.ndarray) else part
    return texts


def _plain(atom: Fraction) -> int | float:
    return atom.numerator if atom.denominator == 1 else float(atom)

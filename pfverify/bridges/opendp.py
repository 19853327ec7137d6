"""OpenDP: a measurement as a problem, and its privacy map held to the truth.

Example::

    import opendp.prelude as dp
    from pfverify.bridges.opendp import map_verdict

    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    map_verdict(dp.m.make_laplace(*space, scale=2.0), 1.0).verdict      # "certified"

A measurement is read in the form that `opendp.mod.serialize` gives it. That text, and what `json`
reads of it, are taken too, and need no OpenDP.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

from pfverify.answers.certify import certify
from pfverify.answers.outcome import CertifyResult
from pfverify.bridges.keys_step import KeysStep
from pfverify.bridges.opendp_choices import Inputs, maximum_of, states_maximum
from pfverify.bridges.opendp_data import Distance, furthest
from pfverify.bridges.opendp_json import binary
from pfverify.bridges.opendp_library import said_by, tree_of_measurement
from pfverify.bridges.opendp_measurements import measured_of
from pfverify.bridges.steps import gathered, problem_of_steps, stated
from pfverify.errors import InputError
from pfverify.exact.argument import Number as AnyNumber
from pfverify.model.problem import Problem

_WORST_FIRST = ("refuted", "undecided", "certified")


def problem_of(
    measurement: Any, *, d_in: Distance, epsilon: AnyNumber | float,
    delta: AnyNumber | float = 0, inputs: Inputs | None = None,
) -> Problem:  # fmt: skip
    """Return the problem that a measurement states: the hardest pair of inputs at a distance.

    `measurement`: an OpenDP measurement, or what it serializes to, as text or as the dict of that
    text. `d_in`: the distance of two inputs, in the measurement's input metric. Noise is ideal
    where OpenDP draws on a grid that is as fine as floats are, sums are those of real numbers, and
    integers have no ends. Counts of keys with a threshold have several such pairs, all of which the
    problem has; their `d_in` is three numbers, and a key that is there has a count that is not 0.
    `inputs`: of a noisy maximum, which has a hardest pair with exponential
    noise and delta = 0 alone, two vectors of scores that are at most `d_in` apart.
    Raises InputError naming the constructor, or the option, that is not known.
    Example: ``problem_of({"__function__": "make_randomized_response_bool", "__module__":
    "measurements", "__kwargs__": {"prob": 0.75}}, d_in=1, epsilon=2).pairs`` is
    ``(("with", "without"),)``.
    """
    epsilon, delta = stated(epsilon, "epsilon"), stated(delta, "delta")
    if inputs is not None:
        maximum = maximum_of(tree_of_measurement(measurement))
        return maximum.problem(inputs, d_in, epsilon, delta)
    found = hardest_at(measurement, d_in).problem(epsilon, delta)
    if found is None:
        raise InputError("d_in: nothing tells inputs apart there: there is nothing to decide")
    return found


@dataclass(frozen=True)
class HardestPair:
    """The hardest pair of inputs of a measurement at a distance, or those of which one is.

    `problem` returns the problem of an epsilon and a delta, None where nothing tells inputs apart;
    `pure`: it is the hardest one for delta = 0 alone, and for another InputError is raised.
    `several`: of each pair alone, where there are several.
    """

    problem: Callable[[AnyNumber, AnyNumber], Problem | None]
    pure: bool = False
    several: Sequence[Problem] = ()

    def problems(self, epsilon: AnyNumber, delta: AnyNumber) -> list[Problem]:
        """Return a problem for each pair, none where nothing tells inputs apart."""
        if self.several:
            return [one.replaced(epsilon=epsilon, delta=delta) for one in self.several]
        found = self.problem(epsilon, delta)
        return [] if found is None else [found]


def hardest_at(measurement: Any, d_in: Distance) -> HardestPair:
    """Return the pair of inputs of a measurement that is hardest to tell apart at a distance.

    Raises InputError as `problem_of`.
    Example: ``hardest_at({"__function__": "make_randomized_response_bool", "__module__":
    "measurements", "__kwargs__": {"prob": 0.75}}, 0).problem(1, 0)`` is None.
    """
    tree = tree_of_measurement(measurement)
    if states_maximum(tree):
        maximum = maximum_of(tree)
        maximum.hardest(d_in)
        return HardestPair(partial(maximum.hardest_problem, d_in), pure=True)
    try:
        measured = measured_of(tree)
    except RecursionError:
        raise InputError("measurement: its constructors are nested too deep") from None
    steps = gathered((one.step, 1) for one in measured.of(furthest(measured.source, d_in)))
    if not steps:
        return HardestPair(lambda *_: None)
    first, *others = steps.elements()  # pairs stand alone only where nothing else is published
    several = [*first.problems()] if isinstance(first, KeysStep) and not others else []
    return HardestPair(partial(problem_of_steps, steps), several=several)


def map_verdict(
    measurement: Any, d_in: Distance, *, delta: float | None = None, inputs: Inputs | None = None
) -> CertifyResult:
    """Hold the privacy map of an OpenDP measurement to the truth, at one distance of inputs.

    What the map says at `d_in` is epsilon (and delta, where its measure has one); refuted means
    that the map is wrong. Where the measure is about other divergences `delta` is needed, and the
    epsilon is that of OpenDP's own conversion. Of several hardest pairs the result is that of the
    first one that is refuted, else undecided, else certified. With `inputs`, as of `problem_of`,
    certified is said of these two vectors alone.
    Raises InputError as `problem_of`, without OpenDP, and where the map says nothing.
    Example: ``map_verdict("{}", 1)`` raises an InputError: a text has no map.
    """
    epsilon, least = said_by(measurement, d_in, delta)
    if epsilon == inf:
        raise InputError("map_verdict: the map says inf, which claims nothing")
    claimed = binary(epsilon, "the map's epsilon"), binary(least, "the map's delta")
    if inputs is not None:
        return certify(problem_of(
            measurement, d_in=d_in, epsilon=claimed[0], delta=claimed[1], inputs=inputs
        ))  # fmt: skip
    problems = hardest_at(measurement, d_in).problems(*claimed)
    if not problems:
        raise InputError("d_in: nothing tells inputs apart there: there is nothing to decide")
    return worst_of([certify(one) for one in problems])


def worst_of(found: Sequence[CertifyResult]) -> CertifyResult:
    """Return the first result that is refuted, else that is undecided, else that is certified.

    Raises ValueError for any other verdict, and where there is no result.

    Example: ``worst_of([certify(hardest_at({"__function__": "make_randomized_response_bool",
    "__module__": "measurements", "__kwargs__": {"prob": 0.75}}, 1).problem(2, 0))]).verdict.value``
    is ``"certified"``.
    """
    return min(found, key=lambda one: _WORST_FIRST.index(one.verdict.value))

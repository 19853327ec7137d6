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

from typing import Any

from pfverify.answers.certify import certify
from pfverify.answers.outcome import CertifyResult
from pfverify.bridges.opendp_data import furthest
from pfverify.bridges.opendp_json import binary
from pfverify.bridges.opendp_library import said_by, tree_of_measurement
from pfverify.bridges.opendp_measurements import measured_of
from pfverify.bridges.steps import Steps, gathered, problem_of_steps
from pfverify.errors import InputError
from pfverify.exact.argument import Number as AnyNumber
from pfverify.model.problem import Problem


def problem_of(
    measurement: Any, *, d_in: AnyNumber | float, epsilon: AnyNumber, delta: AnyNumber = 0
) -> Problem:
    """Return the problem that a measurement states: the hardest pair of inputs at a distance.

    `measurement`: an OpenDP measurement, or what it serializes to, as text or as the dict of that
    text. `d_in`: the distance of two inputs, in the measurement's input metric. Noise is ideal
    where OpenDP draws on a grid that is as fine as floats are, sums are those of real numbers, and
    integers have no ends.
    Raises InputError naming the constructor, or the option, that is not known.
    Example: ``problem_of({"__function__": "make_randomized_response_bool", "__module__":
    "measurements", "__kwargs__": {"prob": 0.75}}, d_in=1, epsilon=2).pairs`` is
    ``(("with", "without"),)``.
    """
    return problem_of_steps(steps_of(measurement, d_in), epsilon, delta)


def steps_of(measurement: Any, d_in: AnyNumber | float) -> Steps:
    """Return the steps that a measurement draws for the hardest pair at a distance, counted.

    There are none where no pair at this distance is told apart. Raises InputError as `problem_of`.
    Example: ``len(steps_of({"__function__": "make_randomized_response_bool", "__module__":
    "measurements", "__kwargs__": {"prob": 0.75}}, 0))`` is ``0``.
    """
    try:
        measured = measured_of(tree_of_measurement(measurement))
    except RecursionError:
        raise InputError("measurement: its constructors are nested too deep") from None
    drawn = measured.of(furthest(measured.source, d_in))
    return gathered((one.step, 1) for one in drawn)


def map_verdict(
    measurement: Any, d_in: float, *, delta: float | None = None
) -> CertifyResult:
    """Hold the privacy map of an OpenDP measurement to the truth, at one distance of inputs.

    What the map says at `d_in` is epsilon (and delta, where its measure has one); refuted means
    that the map is wrong. Where the measure is about other divergences `delta` is needed, and the
    epsilon is that of OpenDP's own conversion.
    Raises InputError as `problem_of`, without OpenDP, and where the map says nothing.
    Example: ``map_verdict("{}", 1)`` raises an InputError: a text has no map.
    """
    epsilon, least = said_by(measurement, d_in, delta)
    claimed = binary(epsilon, "the map's epsilon"), binary(least, "the map's delta")
    return certify(problem_of(measurement, d_in=d_in, epsilon=claimed[0], delta=claimed[1]))

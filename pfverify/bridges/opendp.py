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

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pfverify.answers.certify import certify
from pfverify.answers.outcome import CertifyResult
from pfverify.bridges.opendp_data import furthest
from pfverify.bridges.opendp_json import binary, tree_of
from pfverify.bridges.opendp_measurements import measured_of
from pfverify.bridges.steps import gathered, problem_of_steps
from pfverify.errors import InputError, shorten
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
    try:
        measured = measured_of(_tree(measurement))
    except RecursionError:
        raise InputError("measurement: its constructors are nested too deep") from None
    drawn = measured.of(furthest(measured.source, d_in))
    return problem_of_steps(gathered((one.step, 1) for one in drawn), epsilon, delta)


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
    mod = _opendp(measurement)
    if not isinstance(measurement, mod.Measurement):
        raise InputError(
            f"measurement: expected one of OpenDP, got {type(measurement).__name__}; a text or "
            "dict has no map: problem_of takes it, with the epsilon that it claims"
        )
    claimed_epsilon, claimed_delta = _claimed(measurement, d_in, delta)
    return certify(
        problem_of(measurement, d_in=d_in, epsilon=claimed_epsilon, delta=claimed_delta)
    )


# ---------------------------------------------------------------- OpenDP itself


def _opendp(measurement: object) -> Any:
    try:
        from opendp import mod
    except ModuleNotFoundError as error:
        if error.name != "opendp":
            raise
        raise InputError(
            f"measurement: of a {type(measurement).__name__} OpenDP is needed, which is not "
            "installed: pip install '.[opendp]'; expected a text or dict that it serialized"
        ) from None
    return mod


def _tree(measurement: object) -> object:
    """The tree of constructors of a measurement."""
    if isinstance(measurement, str):
        return tree_of(measurement)
    if isinstance(measurement, Mapping):
        return measurement
    mod = _opendp(measurement)
    if not isinstance(measurement, mod.Measurement):
        raise InputError(f"measurement: expected one, got {type(measurement).__name__}")
    if not hasattr(mod, "serialize"):
        raise InputError("measurement: OpenDP writes none before 0.13: pip install '.[opendp]'")
    try:
        text = mod.serialize(measurement)
    except Exception as error:  # OpenDP raises Exception itself
        raise InputError(f"measurement: OpenDP serializes none: {shorten(error, 200)}") from None
    return tree_of(text)


def _claimed(measurement: Any, d_in: float, delta: float | None) -> tuple[Fraction, Fraction]:
    """The epsilon and the delta that a measurement's own map says."""
    measure = str(measurement.output_measure)
    convert = _CONVERSIONS.get(measure)
    if convert is None:
        known = ", ".join(_CONVERSIONS)
        raise InputError(f"measurement: {shorten(measure)} is not known, expected {known}")
    if convert and delta is None:
        raise InputError(f"map_verdict: a {measure} needs a delta, expected delta=")
    if not convert and delta is not None:
        raise InputError(f"map_verdict: a {measure} says its delta itself, expected none")
    try:
        for combinator in convert:
            from opendp import combinators

            options = {"delta": delta} if combinator == "make_fix_delta" else {}
            measurement = getattr(combinators, combinator)(measurement, **options)
        said = measurement.map(d_in)
    except Exception as error:  # OpenDP's, and those of its conversions of types
        raise InputError(f"map_verdict: OpenDP's map: {shorten(error, 200)}") from None
    epsilon, least = said if isinstance(said, tuple) else (said, 0)
    if epsilon == float("inf"):
        raise InputError("map_verdict: the map says inf, which claims nothing")
    return binary(epsilon, "the map's epsilon"), binary(least, "the map's delta")


_CONVERSIONS: Mapping[str, tuple[str, ...]] = {
    "MaxDivergence": (),
    "Approximate(MaxDivergence)": (),
    "SmoothedMaxDivergence": ("make_fix_delta",),
    "ZeroConcentratedDivergence": ("make_zCDP_to_approxDP", "make_fix_delta"),
}

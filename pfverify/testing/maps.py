"""The map of a measurement as one line of a test."""

from __future__ import annotations

from typing import Any

from pfverify.crosscheck.finding import CaseOutcome, Promised
from pfverify.crosscheck.maps.held import MapQuestion, held_function, held_here
from pfverify.crosscheck.maps.stated import distances_of, number_of, values_of
from pfverify.crosscheck.run import CrosscheckFindings
from pfverify.workers.function import Limits
from pfverify.workers.place import place_of


def assert_map(
    measurement: Any,
    d_in: Any,
    claims: Any,
    delta: float | None,
    waste: float | None,
    limits: Limits | None,
) -> None:
    """Pass if what the map of a measurement says is enough; see `assert_sound`, of kind map.

    With `limits` what makes the measurement is called in a process of its own.
    Raises AssertionError with each distance at which it fails, InputError for what asks nothing.
    Example: ``assert_map(lambda: 3, 1, None, None, None, None)`` raises an InputError.
    """
    __tracebackhide__ = True
    asked = MapQuestion(
        [] if d_in is None else distances_of(d_in),
        None if delta is None else float(number_of(delta, "delta")),
        None if claims is None else values_of(claims),
        Promised().waste if waste is None else Promised(waste=waste).waste,
        gated=waste is not None,
    )
    if limits is not None:
        result = held_function(place_of(measurement).text, asked, limits)
    elif callable(measurement) and not hasattr(measurement, "output_measure"):
        name = getattr(measurement, "__qualname__", type(measurement).__name__)
        result = held_here(measurement(), name, asked)
    else:  # OpenDP's measurements can be called too, with data
        result = held_here(measurement, "the measurement", asked)
    if result.found is not CrosscheckFindings.NOTHING:
        rows = [
            f"{one.outcome} at d_in = {one.d_in}: {one.words}"
            for one in result.values if one.outcome is not CaseOutcome.SOUND
        ]  # fmt: skip
        first = f"the map of {result.function} is not sound: {result.found}"
        raise AssertionError("\n".join([first, *rows, *result.assumed]))

"""Points of a curve as one line of a test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pfverify.crosscheck.curves.held import CurveQuestion, held_called, held_here, held_points
from pfverify.crosscheck.curves.stated import axis_of, places_of, points_of
from pfverify.crosscheck.finding import CaseOutcome, Promised
from pfverify.crosscheck.run import CrosscheckFindings
from pfverify.errors import InputError
from pfverify.model.problem import Problem, as_problem
from pfverify.workers.function import Limits
from pfverify.workers.place import place_of


def assert_curve(
    given: Any,
    problem: Problem | str | Path | None,
    curve: str | None,
    places: Any,
    waste: float | None,
    limits: Limits | None,
) -> None:
    """Pass if no point claims more privacy than there is; see `assert_sound`, of kind curve.

    With `limits` a function is called in a process of its own.
    Raises AssertionError with each point at which it fails, InputError for what asks nothing.
    Example: ``assert_curve({1: 0}, None, None, None, None, None)`` raises an InputError.
    """
    __tracebackhide__ = True
    if problem is None:
        raise InputError("problem: missing, points are held to the curve of one")
    asked = CurveQuestion(
        as_problem(problem), "profile" if curve is None else curve,
        Promised().waste if waste is None else Promised(waste=waste).waste, gated=waste is not None,
    )  # fmt: skip
    if not callable(given):
        if places is not None:
            raise InputError("places: a table has its own, so leave them out")
        result = held_points(points_of(given, asked.curve), "the table", asked)
    elif places is None:
        raise InputError("places: at which ones? expected places=[0.5, 1]")
    elif limits is None:
        name = getattr(given, "__qualname__", type(given).__name__)
        result = held_here(given, places_of(places, asked.curve), name, asked)
    else:
        found = places_of(places, asked.curve)
        result = held_called(place_of(given).text, found, asked, limits)
    if result.found is not CrosscheckFindings.NOTHING:
        name = axis_of(asked.curve).place
        rows = [
            f"{one.outcome} at {name} {one.place}: {one.words}"
            for one in result.points if one.outcome is not CaseOutcome.SOUND
        ]  # fmt: skip
        first = f"the curve of {result.function} is not sound: {result.found}"
        raise AssertionError("\n".join([first, *rows, *result.assumed]))

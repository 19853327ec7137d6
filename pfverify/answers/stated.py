"""What every answer repeats of the problem that it is about."""

from __future__ import annotations

from typing import TypedDict

from pfverify.exact.number import Number
from pfverify.exact.published import Real, real
from pfverify.model.notion import Renyi
from pfverify.model.problem import Problem


class Stated(TypedDict):
    """The target of a problem, its noise, and itself, by the names of the fields of results."""

    epsilon: Real
    delta: Real
    form: str
    noise: str
    notion: str | None
    problem: Problem


class StatedAtScale(Stated):
    """The same with the scale of the noise."""

    scale: Real


def stated(problem: Problem) -> Stated:
    """Return what an answer about any scale repeats.

    Example: ``stated(Problem.load("example:census"))["noise"]`` is ``'laplace'``.
    """
    return {
        "epsilon": real(problem.epsilon),
        "delta": real(problem.delta),
        "form": problem.form,
        "noise": problem.release.noise.kind,
        "notion": problem.named_notion,
        "problem": problem,
    }


def stated_order(problem: Problem) -> Real | None:
    """Return the order of the divergence that a problem bounds, None where it bounds none.

    Example: ``stated_order(Problem.load("example:census")) is None`` is ``True``.
    """
    notion = problem.notion
    return real(Number.of_rational(notion.order)) if isinstance(notion, Renyi) else None


def stated_at_scale(problem: Problem) -> StatedAtScale:
    """Return what an answer at the scale of a problem repeats; InputError without one.

    Example: ``stated_at_scale(Problem.load("example:census"))["scale"]``.
    """
    return {**stated(problem), "scale": real(problem.scale())}

"""Figures 4, 5, 8 and 9 of the multi-user paper as numbers: its scales, each with the minimum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pfverify.answers.calibrate import scales_of
from pfverify.answers.methods import CalibrateResult, Minimum, waste_of
from pfverify.decide.verdict import Verdict
from pfverify.edge.multi_user_settings import SETTINGS, Setting
from pfverify.exact.argument import Number
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Extended
from pfverify.model.noises.laplace import Laplace
from pfverify.model.problem import Problem
from pfverify.model.systems.system import System


@dataclass(frozen=True)
class CurveCell(NoTruth, ask="read .all_certified of the whole"):
    """A printed recipe's scale, and the verdict on it."""

    method: str
    scale: Extended
    verdict: Verdict


@dataclass(frozen=True)
class CurveRow(NoTruth, ask="read .all_certified of the whole"):
    """One epsilon. `waste` is the better printed scale over the exact minimum."""

    epsilon: str
    cells: list[CurveCell]
    any_rest: Extended
    minimum: Minimum
    waste: Extended | None


@dataclass(frozen=True)
class Curves(NoTruth, ask="read .all_certified of the whole"):
    """One reading of one figure: theta against epsilon."""

    figure: str
    reading: str
    rows: list[CurveRow]


@dataclass(frozen=True)
class CurvesResult(NoTruth, ask="read .all_certified of the whole"):
    """All settings, in the order of the figures."""

    curves: list[Curves]
    all_certified: bool


def multi_user_curves(progress: Callable[[int, int], None] | None = None) -> CurvesResult:
    """Recompute the scales of Figures 4, 5, 8 and 9 and add the minimum.

    Example: ``multi_user_curves().all_certified`` is True.
    Source: multi-user paper, (13), (14), Lemmas 5 and 6.
    """
    total, done = sum(len(setting.epsilons) for setting in SETTINGS), 0
    curves = []
    for setting in SETTINGS:
        rows = []
        for epsilon in setting.epsilons:
            rows.append(_row(setting, epsilon, scales_of(problem_of(setting, epsilon))))
            done += 1
            if progress:
                progress(done, total)
        curves.append(Curves(setting.figure, setting.reading, rows))
    cells = [cell for one in curves for row in one.rows for cell in row.cells]
    return CurvesResult(curves, all(cell.verdict is Verdict.CERTIFIED for cell in cells))


def problem_of(setting: Setting, epsilon: Number) -> Problem:
    """Return the problem of a setting at one epsilon.

    Example: ``problem_of(SETTINGS[0], 1).source.system.size`` is ``4``.
    """
    system = System(others=setting.others, user=setting.user)
    return Problem(system=system, noise=Laplace(), epsilon=epsilon)


def _row(setting: Setting, epsilon: str, result: CalibrateResult) -> CurveRow:
    found = [result.methods[name] for name in setting.methods]
    cells = [
        CurveCell(name, method.scale, method.verdict)
        for name, method in zip(setting.methods, found, strict=True)
    ]
    waste = waste_of(cells[-1].scale, result.minimum.upper)
    return CurveRow(epsilon, cells, result.methods["any_rest"].scale, result.minimum, waste)

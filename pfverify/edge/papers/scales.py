"""Scales that papers print or plot, recomputed, each beside the least private one.

The cases are `demo.toml`, Table 4 of the noise-reduction paper, and `multi-user.toml`, Figures 4,
5, 8 and 9 of the multi-user paper.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from itertools import islice
from typing import Any

from pfverify.answers.calibrate import scales_of
from pfverify.answers.methods import Method, Minimum, waste_of
from pfverify.decide.verdict import Verdict
from pfverify.edge.packaged import load_example
from pfverify.edge.papers.data import paper
from pfverify.edge.progress import Report, each
from pfverify.exact.argument import Number
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Extended
from pfverify.model.problem import Problem
from pfverify.results import WHERE_SAID


@dataclass(frozen=True, kw_only=True)
class PaperCase:
    """Priors of a paper and what it says of them, for each epsilon.

    The problem is an `example` of the package, or a `system` of users. `methods` are the recipes of
    the paper by our names; `printed` has a row of scales for each, where it prints any.
    """

    methods: list[str]
    epsilons: list[str]
    example: str | None = None
    system: dict[str, Any] = field(default_factory=dict)
    printed: dict[str, str] = field(default_factory=dict)
    title: str | None = None
    figure: str | None = None
    reading: str | None = None


@dataclass(frozen=True, kw_only=True)
class ScaleCell(NoTruth, ask="read .all_certified of the whole"):
    """The scale of a paper's recipe, and the verdict on it.

    Where the paper prints it: as `published`, and whether that is our scale to two decimals.
    """

    method: str
    published: str | None = field(default=None, metadata=WHERE_SAID)
    scale: Extended
    verdict: Verdict
    recomputes: bool | None = field(default=None, metadata=WHERE_SAID)


@dataclass(frozen=True, kw_only=True)
class ScaleRow(NoTruth, ask="read .all_certified of the whole"):
    """One epsilon. `waste` is the last recipe's scale, as printed, over the exact minimum.

    Beside it stands a scale that no paper prints: `relaxed`, the smaller side of the relaxed one,
    or `any_rest`, the least scale without knowledge of the other users.
    """

    epsilon: str
    cells: list[ScaleCell]
    relaxed: Extended | None = field(default=None, metadata=WHERE_SAID)
    any_rest: Extended | None = field(default=None, metadata=WHERE_SAID)
    minimum: Minimum
    waste: Extended | None


@dataclass(frozen=True, kw_only=True)
class ScaleTable(NoTruth, ask="read .all_certified of the whole"):
    """A data set of Table 4 and the `example` with its priors, or a `reading` of a `figure`."""

    title: str | None = field(default=None, metadata=WHERE_SAID)
    example: str | None = field(default=None, metadata=WHERE_SAID)
    figure: str | None = field(default=None, metadata=WHERE_SAID)
    reading: str | None = field(default=None, metadata=WHERE_SAID)
    rows: list[ScaleRow]


@dataclass(frozen=True)
class DemoResult(NoTruth, ask="read .all_certified of the whole"):
    """All five data sets of Table 4, and the printed values that do not recompute."""

    tables: list[ScaleTable]
    mismatches: list[str]
    all_certified: bool


@dataclass(frozen=True)
class CurvesResult(NoTruth, ask="read .all_certified of the whole"):
    """Theta against epsilon for all readings, in the order of the figures."""

    curves: list[ScaleTable]
    all_certified: bool


def demo(progress: Report | None = None) -> DemoResult:
    """Recompute Table 4 of the noise-reduction paper from the packaged priors.

    A printed value recomputes when it is our certified scale rounded to two decimals.
    """
    tables, certified = _recomputed("demo", progress)
    words = paper("demo")["words"]
    mismatches = [
        f"{table.title}, epsilon = {row.epsilon}, {words[cell.method]}: printed "
        f"{cell.published}, but the scale is {cell.scale}"
        for table in tables for row in table.rows for cell in row.cells if not cell.recomputes
    ]  # fmt: skip
    return DemoResult(tables, mismatches, certified)


def multi_user_curves(progress: Report | None = None) -> CurvesResult:
    """Recompute the scales of Figures 4, 5, 8 and 9 and add the minimum.

    Example: ``multi_user_curves().all_certified`` is True.
    Source: multi-user paper, (13), (14), Lemmas 5 and 6.
    """
    return CurvesResult(*_recomputed("multi-user", progress))


def cases_of(name: str) -> list[PaperCase]:
    """Return the cases of a paper's file.

    Example: ``cases_of("multi-user")[0].figure`` is ``"Figure 4"``.
    """
    return [
        PaperCase(**case | {"epsilons": case["epsilons"].split()}) for case in paper(name)["cases"]
    ]


def problem_of(case: PaperCase, epsilon: Number) -> Problem:
    """Return the problem of a case at one epsilon.

    Example: ``problem_of(cases_of("multi-user")[0], 1).source.system.size`` is ``4``.
    """
    if case.example is not None:
        return load_example(case.example).replaced(epsilon=epsilon)
    noise = {"kind": "laplace"}
    table = {"schema": "pfverify/problem/1", "epsilon": 1, "noise": noise, "system": case.system}
    return Problem.from_table(table).replaced(epsilon=epsilon)


def _recomputed(name: str, progress: Report | None) -> tuple[list[ScaleTable], bool]:
    """The tables of a paper, and whether every scale in them is certified."""
    cases, beside = cases_of(name), paper(name)["beside"]
    points = [(case, index) for case in cases for index in range(len(case.epsilons))]
    rows = (_row(case, index, beside) for case, index in each(points, progress))
    tables = [
        ScaleTable(
            title=case.title,
            example=case.example,
            figure=case.figure,
            reading=case.reading,
            rows=list(islice(rows, len(case.epsilons))),
        )
        for case in cases
    ]
    cells = [cell for table in tables for row in table.rows for cell in row.cells]
    return tables, all(cell.verdict is Verdict.CERTIFIED for cell in cells)


def _row(case: PaperCase, index: int, beside: list[str]) -> ScaleRow:
    found = scales_of(problem_of(case, case.epsilons[index]))
    cells = []
    for name in case.methods:
        printed = case.printed[name].split()[index] if case.printed else None
        cells.append(_cell(name, printed, found.methods[name]))
    scales = {name: found.methods[name].scale for name in beside}
    return ScaleRow(
        epsilon=case.epsilons[index],
        cells=cells,
        relaxed=scales.get("relaxed"),
        any_rest=scales.get("any_rest"),
        minimum=found.minimum,
        waste=waste_of(cells[-1].published or cells[-1].scale, found.minimum.upper),
    )


def _cell(name: str, printed: str | None, found: Method) -> ScaleCell:
    rounded = Decimal(str(found.scale)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return ScaleCell(
        method=name,
        published=printed,
        scale=found.scale,
        verdict=found.verdict,
        recomputes=None if printed is None else rounded == Decimal(printed),
    )

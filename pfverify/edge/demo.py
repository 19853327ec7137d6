"""The paper's Table 4, recomputed: printed value, certified value, minimum, waste."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from pfverify.answers.calibrate import scales_of
from pfverify.answers.methods import CalibrateResult, Minimum, waste_of
from pfverify.decide.verdict import Verdict
from pfverify.edge.packaged import load_example
from pfverify.edge.table4 import EPSILONS, TABLE_4, PublishedRows
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Extended

METHODS = {"l1": "l1", "wasserstein": "wasserstein", "relaxed_published": "relaxed"}
"""Our method -> the printed row that it recomputes."""


@dataclass(frozen=True)
class DemoCell(NoTruth, ask="read .all_certified of the whole"):
    """One printed scale: what we certify in its place, and whether it recomputes."""

    method: str
    published: str
    scale: Extended
    verdict: Verdict
    recomputes: bool


@dataclass(frozen=True)
class DemoRow(NoTruth, ask="read .all_certified of the whole"):
    """One epsilon of one data set. `waste` is printed relaxed scale / exact minimum."""

    epsilon: str
    cells: list[DemoCell]
    relaxed: Extended
    minimum: Minimum
    waste: Extended | None


@dataclass(frozen=True)
class DemoTable(NoTruth, ask="read .all_certified of the whole"):
    """One data set of Table 4."""

    title: str
    example: str
    rows: list[DemoRow]


@dataclass(frozen=True)
class DemoResult(NoTruth, ask="read .all_certified of the whole"):
    """All five data sets, and the printed values that do not recompute."""

    tables: list[DemoTable]
    mismatches: list[str]
    all_certified: bool


def demo(progress: Callable[[int, int], None] | None = None) -> DemoResult:
    """Recompute Table 4 of the noise-reduction paper from the packaged priors.

    A printed value recomputes when it is our certified scale rounded to two decimals.
    """
    tables: list[DemoTable] = []
    mismatches: list[str] = []
    total, done = len(TABLE_4) * len(EPSILONS), 0
    for published in TABLE_4:
        problem = load_example(published.example)
        rows = []
        for index, epsilon in enumerate(EPSILONS):
            row = _row(published, index, epsilon, scales_of(problem.replaced(epsilon=epsilon)))
            rows.append(row)
            mismatches += [
                f"{published.title}, epsilon = {epsilon}, {METHODS[cell.method]}: printed "
                f"{cell.published}, but the scale is {cell.scale}"
                for cell in row.cells
                if not cell.recomputes
            ]
            done += 1
            if progress:
                progress(done, total)
        tables.append(DemoTable(published.title, published.example, rows))
    cells = [cell for table in tables for row in table.rows for cell in row.cells]
    certified = all(cell.verdict is Verdict.CERTIFIED for cell in cells)
    return DemoResult(tables, mismatches, certified)


def _row(published: PublishedRows, index: int, epsilon: str, result: CalibrateResult) -> DemoRow:
    cells = []
    for method, printed_row in METHODS.items():
        printed = getattr(published, printed_row)[index]
        found = result.methods[method]
        rounded = Decimal(str(found.scale)).quantize(Decimal("0.01"), ROUND_HALF_UP)
        cells.append(
            DemoCell(method, printed, found.scale, found.verdict, rounded == Decimal(printed))
        )
    waste = waste_of(published.relaxed[index], result.minimum.upper)
    return DemoRow(epsilon, cells, result.methods["relaxed"].scale, result.minimum, waste)

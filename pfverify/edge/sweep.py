"""Sweeps over several values of epsilon, delta or scale."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar

from pfverify.decide.loss import LossResult
from pfverify.decide.outcome import CertifyResult, Enclosure
from pfverify.edge.progress import Report
from pfverify.errors import InputError
from pfverify.exact.decimals import decimal_text
from pfverify.model.problem import Problem
from pfverify.scales.outcome import CalibrateResult

MAX_POINTS = 10_000
Answer = TypeVar("Answer")


def place_text(y: Fraction | str) -> str:
    """Return an output as a decimal or fraction; the limit of a tail stays "-inf" or "inf"."""
    return y if isinstance(y, str) else decimal_text(y)


def split_values(texts: tuple[str, ...], name: str) -> list[str | None]:
    """Return the values of a repeatable option that also takes commas; [None] if not given.

    Example: ``split_values(("0.1,0.2", "1"), "--epsilon")`` is ``["0.1", "0.2", "1"]``.
    """
    if not texts:
        return [None]
    values = [value.strip() for text in texts for value in text.split(",")]
    if not all(values):
        raise InputError(f"{name}: an empty value, expected numbers separated by commas")
    return list(values)


def variants(
    problem: Problem,
    epsilons: list[str | None],
    deltas: list[str | None],
    scales: list[str | None],
) -> Iterator[Problem]:
    """Yield the problem under every combination of the given values."""
    if len(epsilons) * len(deltas) * len(scales) > MAX_POINTS:
        raise InputError(f"the sweep has more than {MAX_POINTS} points")
    for epsilon, delta, scale in product(epsilons, deltas, scales):
        if epsilon is delta is scale is None:
            yield problem
        else:
            yield problem.replaced(epsilon=epsilon, delta=delta, scale=scale)


def answers(
    decide: Callable[..., Answer], problems: Sequence[Problem], digits: int, report: Report
) -> list[Answer]:
    """Return what `decide` says about every problem.

    In a sweep `report` counts problems; of one problem alone, the work inside.
    """
    count = len(problems)

    def step(index: int) -> Report:
        return report if count == 1 else lambda done, total: report(index, count)

    return [
        decide(problem, digits=digits, progress=step(index))
        for index, problem in enumerate(problems, 1)
    ]


def as_csv(results: list[Any]) -> str:
    """Return results of one command as CSV text with a header."""
    rows = [row for result in results for row in _rows(result)]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _rows(result: Any) -> list[dict[str, Any]]:
    if isinstance(result, CertifyResult):
        return _certify_rows(result)
    return _loss_rows(result) if isinstance(result, LossResult) else _calibrate_rows(result)


def _ends(name: str, enclosure: Enclosure | None) -> dict[str, str]:
    return {
        f"{name}_lower": enclosure.lower if enclosure is not None else "",
        f"{name}_upper": enclosure.upper if enclosure is not None else "",
    }


def _certify_rows(result: CertifyResult) -> list[dict[str, Any]]:
    return [
        {
            "epsilon": result.epsilon,
            "delta": result.delta,
            "scale": result.scale,
            "form": result.form,
            "belief": pair.belief,
            "from": pair.from_,
            "to": pair.to,
            "verdict": pair.verdict.value,
            "tie": pair.tie,
            **_ends("loss", pair.loss),
            **_ends("delta", pair.delta),
            "worst_y": place_text(pair.worst_y),
        }
        for pair in result.pairs
    ]


def _loss_rows(result: LossResult) -> list[dict[str, Any]]:
    return [
        {
            "epsilon": result.epsilon,
            "delta": result.delta_target,
            "scale": result.scale,
            "form": result.form,
            "belief": pair.belief,
            "from": pair.from_,
            "to": pair.to,
            **_ends("epsilon_star", pair.epsilon_star),
            **_ends("delta", pair.delta),
            **_ends("epsilon_at_delta", pair.epsilon_at_delta),
            "y": pair.y,
        }
        for pair in result.pairs
    ]


def _calibrate_rows(result: CalibrateResult) -> list[dict[str, Any]]:
    return [
        {
            "epsilon": result.epsilon,
            "delta": result.delta,
            "form": result.form,
            "method": name,
            "scale": method.scale,
            "exact": method.exact or "",
            "verdict": method.verdict.value,
            "waste": method.waste or "",
            "sd": method.sd,
            "mean_abs": method.mean_abs,
            "minimum_lower": result.minimum.lower,
            "minimum_upper": result.minimum.upper,
        }
        for name, method in result.methods.items()
    ]

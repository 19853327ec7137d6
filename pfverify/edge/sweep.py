"""Sweeps over several values of epsilon, delta or scale."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeVar

from pfverify.edge.progress import Report
from pfverify.errors import InputError
from pfverify.model.problem import Problem

MAX_POINTS = 10_000
_TWO_WHOLE = re.compile(r"\s*\d+\s*,\s*\d+\s*", re.ASCII)
Answer = TypeVar("Answer")
Changes = tuple[str | None, str | None, str | None]
"""The epsilon, delta and scale in place of those of a problem; None for what its file says."""


def split_values(texts: tuple[str, ...], name: str) -> list[str | None]:
    """Return the values of a repeatable option that also takes commas; [None] if not given.

    One comma at the end is no value: "0.1," is a sweep over one.
    Example: ``split_values(("0.1,0.2", "1"), "--epsilon")`` is ``["0.1", "0.2", "1"]``.
    """
    if not texts:
        return [None]
    values = [value.strip() for text in texts for value in text.removesuffix(",").split(",")]
    if not all(values):
        raise InputError(f"{name}: an empty value, expected numbers separated by commas")
    return list(values)


def comma_remark(text: str, name: str) -> str | None:
    """Return what to say of the text of an option that may be meant as one number, or None.

    That is two whole numbers with a comma between them.
    Example: ``comma_remark("2,5", "--scale")`` is ``"--scale 2,5: read as the two values 2 and 5; a
    decimal has a point: 2.5"``; ``comma_remark("0.1,0.5", "--epsilon")`` is None.
    """
    if not _TWO_WHOLE.fullmatch(text):
        return None
    first, second = (part.strip() for part in text.split(","))
    read = f"read as the two values {first} and {second}"
    return f"{name} {text.strip()}: {read}; a decimal has a point: {first}.{second}"


def is_sweep(*options: tuple[str, ...]) -> bool:
    """Whether a sweep was written: an option repeated, or with a comma, for one value too.

    Example: ``is_sweep(("0.1,",), ())`` is True.
    """
    return any(len(texts) > 1 or "," in "".join(texts) for texts in options)


def combined(
    epsilons: list[str | None], deltas: list[str | None], scales: list[str | None]
) -> list[Changes]:
    """Return every combination of the given values; InputError for too many."""
    if len(epsilons) * len(deltas) * len(scales) > MAX_POINTS:
        raise InputError(f"the sweep has more than {MAX_POINTS} points")
    return list(product(epsilons, deltas, scales))


def variants(problem: Problem, changes: Sequence[Changes]) -> list[Problem]:
    """Return the problem with every one of these changes."""
    return [
        problem.replaced(epsilon=epsilon, delta=delta, scale=scale)
        if (epsilon, delta, scale) != (None, None, None) else problem
        for epsilon, delta, scale in changes
    ]  # fmt: skip


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

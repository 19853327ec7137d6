"""A function named as MODULE:FUNCTION, held against the exact answer in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pfverify.crosscheck.process import SubjectProcess
from pfverify.crosscheck.question import FunctionQuestion
from pfverify.crosscheck.run import CrosscheckResult, crosscheck
from pfverify.subjects.optional import installed
from pfverify.subjects.registry import PACKAGE, SUBJECTS
from pfverify.workers.function import Limits
from pfverify.workers.place import place


def crosscheck_isolated(
    function: str,
    asked: FunctionQuestion,
    limits: Limits,
    waste: float | None = None,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> CrosscheckResult:
    """Return what a function in a process of its own answers to a question.

    `waste` is what was asked for: then a wasteful answer fails. Raises InputError for a function
    that cannot be used.
    """
    if shipped := SUBJECTS.get(function.removeprefix(f"{PACKAGE}.")):
        installed(shipped.library)  # else each call would raise that it is absent
    with SubjectProcess(
        place(function), asked.parameters, expected=asked.signature, limits=limits
    ) as subject:
        gate = [] if waste is None else ["--waste", str(waste).removesuffix(".0")]
        options = [*gate, *limits.options()]
        found = crosscheck(
            subject, function, asked, gated=waste is not None, options=options, progress=report
        )
    if subject.unlimited is None:
        return found
    unlimited = f"its memory was not limited: {subject.unlimited}"
    return replace(found, assumed=[*found.assumed, unlimited])

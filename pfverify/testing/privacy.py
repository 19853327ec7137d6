"""`assert_private`: a verdict as one line of a test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath
from shlex import quote

from pfverify.answers.certify import certify
from pfverify.answers.outcome import CertifyResult
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.argument import Number as AnyNumber
from pfverify.model.problem import Problem, as_problem
from pfverify.outward import outward


class NotPrivateError(AssertionError):
    """A release that a test takes to be private, and that is refuted.

    Attributes: `result`, the verdict with its witness.
    """

    def __init__(self, result: CertifyResult, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.result = result


def assert_private(
    problem: Problem | str | Path, *, epsilon: AnyNumber | None = None,
    delta: AnyNumber | None = None,
) -> CertifyResult:  # fmt: skip
    """Pass if a problem's release is certified, and return that verdict, which has `write`.

    `problem` may be the name of its file; `epsilon` and `delta` take the place of its own.

    Raises NotPrivateError, which is an AssertionError, where it is refuted: what was promised and
    where that fails, with both sides there, what would do, and the command that says it again.
    Raises UndecidedError where it is not decided, and InputError for what is no problem.
    Example: ``assert_private("example:census", epsilon=2).verdict`` is ``"certified"``.
    """
    __tracebackhide__ = True
    asked = as_problem(problem).replaced(epsilon=epsilon, delta=delta)
    result = certify(asked)
    if result.verdict is Verdict.CERTIFIED:
        return result
    if result.verdict is Verdict.UNDECIDED:
        raise UndecidedError(f"assert_private: undecided: {'; '.join(result.reasons)}")
    if result.verdict is not Verdict.REFUTED:
        raise InputError(f"assert_private: a verdict that proves nothing: {result.verdict}")
    name = str(problem) if isinstance(problem, str | PurePath) else "the problem"
    lines = outward("refuted_lines")(result)
    raise NotPrivateError(result, [f"{name} is not private", *lines, _again(problem, asked)])


def _again(problem: Problem | str | Path, asked: Problem) -> str:
    """How to ask the same again."""
    if not isinstance(problem, str | PurePath):
        return "  again: problem.save('refuted.json'), then pfverify certify refuted.json"
    stated = as_problem(problem)
    words = ["pfverify", "certify", str(problem)]
    for name in ("epsilon", "delta"):
        if getattr(asked, name) != getattr(stated, name):
            words += [f"--{name}", getattr(asked, name).text]
    return f"  again: {' '.join(map(quote, words))}"

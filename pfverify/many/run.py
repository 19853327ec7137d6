"""Many problems answered, by whatever means were asked for: here, or in several processes."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import closing

from pfverify.errors import InputError, PfverifyError, UndecidedError
from pfverify.many.answering import answer
from pfverify.many.means import Means
from pfverify.many.plain import Result, result_of
from pfverify.many.processes import Arrived, answered
from pfverify.many.question import Asked, Command, Data, Part, Question, questions
from pfverify.model.problem import Problem

Report = Callable[[int, int], None]
"""Called with (done, total)."""


class DefectError(Exception):
    """A defect of this package, met in another process."""


def results(
    command: Command, asked: Sequence[Asked], digits: int, means: Means, report: Report
) -> list[Result | PfverifyError]:
    """Return what a command says of every problem; of one about which it fails, the error.

    `report` counts questions: problems, or parts of problems with many pairs.
    Raises DefectError where another process met a defect of this package.
    Example: ``results("certify", [], 12, Means(2), print)`` is ``[]``.
    """
    asking = [questions(command, one, digits) for one in asked]
    found = _answers([question for some in asking for question in some], means, report)
    return [
        _result(command, one.problem, [(each.part, found[_text(each)]) for each in some])
        for one, some in zip(asked, asking, strict=True)
    ]


def _text(question: Question) -> str:
    return json.dumps(question.key())


def _answers(asked: Sequence[Question], means: Means, report: Report) -> dict[str, Data]:
    """The answers, each under the text of its question's key."""
    unique = list({_text(question): question for question in asked}.items())
    data = [question.data() for _, question in unique]
    found: dict[str, Data] = {}
    with closing(_source(data, means)) as arriving:
        for place, one in arriving:
            _stop_for(one)
            found[unique[place][0]] = one
            report(len(found), len(unique))
    return found


def _source(data: Sequence[Data], means: Means) -> Generator[Arrived]:
    if means.jobs > 1:
        yield from answered(data, means.jobs)
    else:
        for place, one in enumerate(data):
            yield place, answer(one)


def _stop_for(one: Data) -> None:
    """Raise where it makes no sense to go on."""
    match one.get("kind"):
        case "internal":
            raise DefectError(one["error"])
        case "versions":
            raise InputError(f"another process cannot answer: {one['error']}")


def _result(
    command: Command, problem: Problem, answers: Sequence[tuple[Part | None, Data]]
) -> Result | PfverifyError:
    """The result, or else the error of the first part that has one."""
    for _, one in answers:
        match one.get("kind"):
            case None:
                continue
            case "undecided":
                return UndecidedError(one["error"])
            case "input":
                return InputError(one["error"])
            case "lost":
                return PfverifyError(one["error"])
            case other:
                raise ValueError(f"an answer of the kind {other!r}")
    return result_of(command, problem, answers)

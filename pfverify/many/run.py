"""Many problems answered, by whatever means were asked for: here, in processes, on a cluster."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing

from pfverify.errors import InputError, PfverifyError, UndecidedError
from pfverify.many.answering import answer
from pfverify.many.journal import Journal, journal
from pfverify.many.means import Means
from pfverify.many.plain import Result, result_of
from pfverify.many.processes import Arrived, answered
from pfverify.many.question import (
    Command,
    CommandQuestion,
    Data,
    NamedProblem,
    PairRange,
    questions,
)
from pfverify.model.problem import Problem

Report = Callable[[int, int], None]
"""Called with (done, total)."""
Say = Callable[[str], None]
"""Called with a line for people."""


class DefectError(Exception):
    """A defect of this package, met in another process."""


def results(
    command: Command,
    asked: Sequence[NamedProblem],
    digits: int,
    means: Means,
    report: Report,
    say: Say,
) -> list[Result | PfverifyError]:
    """Return what a command says of every problem; of one about which it fails, the error.

    `report` counts questions: problems, or parts of problems with many pairs. `say` is called with
    what a file of results already had.
    Raises DefectError where another process met a defect of this package.
    Example: ``results("certify", [], 12, Means(2), print, print)`` is ``[]``.
    """
    asking = [questions(command, one, digits) for one in asked]
    unique = {_text(question): question for some in asking for question in some}
    found: dict[str, Data] = {}
    if means.results is None:
        _answer(unique, found, means, report, say, None)
    elif unique:
        with journal(means.results, unique) as file:
            _say_known(file, len(unique), means, say)
            found |= file.known
            try:
                _answer(unique, found, means, report, say, file)
            except KeyboardInterrupt:
                say(f"{means.results}: the same command goes on from these {len(found)} results")
                raise
            file.finish(found)
    return [
        _result(command, one.problem, [(each.part, found[_text(each)]) for each in some])
        for one, some in zip(asked, asking, strict=True)
    ]


def _text(question: CommandQuestion) -> str:
    return json.dumps(question.key())


def _say_known(file: Journal, count: int, means: Means, say: Say) -> None:
    if file.torn:
        say(f"{means.results}: its last line was not finished, and is asked about again")
    if file.known:
        taken = f"{len(file.known)} of {count} results"
        say(f"{means.results}: {taken} were taken from this file, and not decided again")


def _answer(
    asked: Mapping[str, CommandQuestion],
    found: dict[str, Data],
    means: Means,
    report: Report,
    say: Say,
    file: Journal | None,
) -> None:
    """Find the answers that are missing, each under the text of its question's key."""
    missing = [text for text in asked if text not in found]
    data = [asked[text].data() for text in missing]
    with closing(_source(data, means, say)) as arriving:
        for place, one in arriving:
            _stop_for(one)
            found[missing[place]] = one
            if file is not None:
                file.keep(missing[place], one)
            report(len(found), len(asked))


def _source(data: Sequence[Data], means: Means, say: Say) -> Generator[Arrived]:
    if not data:
        return
    if means.scheduler is not None:
        from pfverify.many import cluster

        yield from cluster.answered(data, means.scheduler, say)
    elif means.jobs > 1:
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
    command: Command, problem: Problem, answers: Sequence[tuple[PairRange | None, Data]]
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

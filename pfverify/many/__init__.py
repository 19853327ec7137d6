"""Many questions at once: processes or a cluster instead of one process, and files of results.

Example::

    from pfverify.many import certify_many

    certify_many(["example:census", "example:bank"], jobs=2)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, TypedDict, TypeVar, Unpack

from pfverify.errors import PfverifyError, listed, require
from pfverify.keywords import taking

if TYPE_CHECKING:
    from pfverify.answers.dummies import DummiesResult
    from pfverify.answers.loss import LossResult
    from pfverify.answers.methods import CalibrateResult
    from pfverify.answers.outcome import CertifyResult
    from pfverify.many.plain import Result
    from pfverify.many.question import Command, NamedProblem
    from pfverify.model.problem import Problem

__all__ = ["calibrate_many", "certify_many", "loss_many"]

Found = TypeVar("Found")


class Options(TypedDict, total=False):
    """How many problems are asked about; described at `certify_many`."""

    digits: int
    jobs: int
    scheduler: str | None
    results: str | Path | None
    progress: Callable[[int, int], None] | None


def _many(
    command: Command,
    problems: Iterable[Problem | str | Path],
    *,
    digits: int = 12,
    jobs: int = 1,
    scheduler: str | None = None,
    results: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Result | PfverifyError]:
    """The results, each at the place of its problem."""
    import warnings

    from pfverify.answers.outcome import checked_digits, checked_progress
    from pfverify.many import run
    from pfverify.many.means import Means

    checked_progress(progress)
    require(scheduler, (str, type(None)), "scheduler")
    require(results, (str, PurePath, type(None)), "results")
    means = Means(jobs, scheduler, None if results is None else Path(results))
    stated = [
        _stated(place, one)
        for place, one in enumerate(listed(problems, "problems", "a list of problems"), 1)
    ]
    found = iter(
        run.results(
            command,
            [one for one in stated if not isinstance(one, PfverifyError)],
            checked_digits(digits),
            means,
            progress or (lambda done, total: None),
            lambda text: warnings.warn(text, stacklevel=6),
        )
    )
    return [one if isinstance(one, PfverifyError) else next(found) for one in stated]


@taking(_many)
def certify_many(
    problems: Iterable[Problem | str | Path], **options: Unpack[Options]
) -> list[CertifyResult | PfverifyError]:
    """Return what `certify` says of every problem, or in its place the error about it.

    Numbers have `digits` digits, 12 where nothing is said. `jobs` processes of this machine work
    at the same time (default: this one alone), or the workers of the Dask `scheduler` (such as
    "tcp://host:8786"). With `results`, a name that ends in .jsonl, answers are kept in that file as
    they arrive, and taken from it by the next call with the same problems, digits and version,
    which a warning says. `progress(done, total)` counts problems, or parts of those with many
    pairs.
    The results can write their certificates, which the kernel checks.
    Raises InputError for options that cannot be used, a scheduler that does not answer, and a file
    of other results.
    Example: ``certify_many(["example:census"])[0].verdict.value`` is ``'certified'``.
    """
    from pfverify.answers.outcome import CertifyResult

    found = _many("certify", problems, **options)
    return [_of_kind(one, CertifyResult) for one in found]


@taking(_many)
def loss_many(
    problems: Iterable[Problem | str | Path], **options: Unpack[Options]
) -> list[LossResult | PfverifyError]:
    """Return what `loss` says of every problem, or in its place the error about it.

    The options are those of `certify_many`, and what it raises.
    Example: ``loss_many(["example:census"])[0].epsilon_star < 1`` is ``True``.
    """
    from pfverify.answers.loss import LossResult

    found = _many("loss", problems, **options)
    return [_of_kind(one, LossResult) for one in found]


@taking(_many)
def calibrate_many(
    problems: Iterable[Problem | str | Path], **options: Unpack[Options]
) -> list[CalibrateResult | DummiesResult | PfverifyError]:
    """Return what `calibrate` says of every problem, or in its place the error about it.

    Of a tupling channel that is the least number of dummies. The options are those of
    `certify_many`, and what it raises.
    Example: ``calibrate_many(["example:census"])[0].minimum < 1`` is ``True``.
    """
    from pfverify.answers.dummies import DummiesResult
    from pfverify.answers.methods import CalibrateResult

    found = _many("calibrate", problems, **options)
    return [
        one if isinstance(one, DummiesResult) else _of_kind(one, CalibrateResult) for one in found
    ]


def _stated(place: int, problem: Problem | str | Path) -> NamedProblem | PfverifyError:
    """What to ask about a problem, or why it cannot be read."""
    from pfverify.many.question import NamedProblem, ProblemText
    from pfverify.model.problem import Problem, as_problem

    try:
        read = as_problem(problem)
    except PfverifyError as error:
        return error
    name = f"problem {place}" if isinstance(problem, Problem) else str(problem)
    return NamedProblem(name, read, ProblemText.of(read))


def _of_kind(one: object, kind: type[Found]) -> Found | PfverifyError:
    if not isinstance(one, (kind, PfverifyError)):
        raise TypeError(f"a result of another kind: {type(one).__name__}")
    return one

"""A command about problems: what was written after it, and its answers by whatever means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pfverify.edge.codes import several_code
from pfverify.edge.commands.options import load, path_of
from pfverify.edge.leave import warn
from pfverify.edge.many import collected
from pfverify.edge.progress import Report, progress
from pfverify.edge.render.shape import Shape
from pfverify.edge.render.show import Form, show
from pfverify.edge.sweep import (
    Changes,
    answers,
    combined,
    comma_remark,
    is_sweep,
    split_values,
    variants,
)
from pfverify.edge.views.registry import views_of
from pfverify.edge.views.view import View
from pfverify.errors import InputError, PfverifyError
from pfverify.many.means import Means
from pfverify.model.named_files import files_of, may_name
from pfverify.model.problem import Problem
from pfverify.model.problem_file import problem_text, table_of_text

if TYPE_CHECKING:
    from pfverify.many.question import Command, NamedProblem


class LoadedProblem(NamedTuple):
    """A named problem with every one of the `changes`, and the file that states it."""

    name: str
    path: Path
    problems: Sequence[Problem]
    shape: Shape
    changes: Sequence[Changes]

    def questions(self) -> list[NamedProblem]:
        """Return a question for each of its numbers."""
        from pfverify.many.question import NamedProblem, ProblemText

        text, is_json = problem_text(self.path), self.path.suffix.lower() == ".json"
        named = may_name(text) and files_of(table_of_text(text, json_format=is_json))
        if named:  # which another machine need not have
            return [
                NamedProblem(self.name, problem, ProblemText.of(problem))
                for problem in self.problems
            ]
        return [
            NamedProblem(self.name, problem, ProblemText(text, is_json, changes))
            for problem, changes in zip(self.problems, self.changes, strict=True)
        ]


class GivenOptions(NamedTuple):
    """What was written after the options that commands about problems share."""

    problems: tuple[str, ...]
    epsilon: tuple[str, ...]
    delta: tuple[str, ...]
    digits: int
    form: Form
    jobs: int
    scheduler: str | None
    results: str | None
    scale: tuple[str, ...] = ()

    @property
    def overrides(self) -> tuple[tuple[str, ...], ...]:
        """What is put in place of the problem's numbers."""
        return self.epsilon, self.delta, self.scale

    def means(self, output: str | None = None) -> Means:
        """Return by what means a command answers.

        Raises InputError for means that there are not, and for a file of results that is the output
        too.
        """
        results = None if self.results is None else Path(self.results)
        means = Means(self.jobs, self.scheduler, results)
        from pfverify.decide.gap import GAP, asked_gap

        if not means.plain and asked_gap() != GAP:
            raise InputError("--gap: not with --jobs, --scheduler and --results; expected it alone")
        if results is not None and output is not None and results == Path(output):
            raise InputError("--results and -o: name the same file, expected two")
        return means

    def load(self, name: str) -> LoadedProblem:
        """Return the problem behind PROBLEM under every combination of the overrides.

        The shape says whether they were written as a sweep, be it over one value. A comma that may
        be a decimal one is remarked upon, on standard error.
        """
        texts = {"--epsilon": self.epsilon, "--delta": self.delta, "--scale": self.scale}
        said = [comma_remark(text, option) for option, given in texts.items() for text in given]
        remarks = list(filter(None, said))
        problem = load(name)
        values = [split_values(given, option) for option, given in texts.items()]
        try:
            changes = combined(*values)
            problems = variants(problem, changes)
        except InputError as error:
            raise InputError("; ".join([str(error), *remarks])) from None
        for remark in remarks:
            warn(remark)
        shape = Shape.SWEEP if is_sweep(*self.overrides) else Shape.ONE
        return LoadedProblem(name, path_of(name), problems, shape, changes)


class ProblemCommand(NamedTuple):
    """A command that answers about problems: by what means.

    `decide` answers here, where no other means are asked for; `code` is the exit code of the
    answers about one problem.
    """

    name: Command
    decide: Callable[..., Any]
    code: Callable[[Sequence[Any]], int]
    given: GivenOptions
    means: Means

    def about(self, loaded: LoadedProblem, report: Report) -> list[Any]:
        """Return the answer about every variant of a problem. Raises the first error."""
        if self.means.plain:
            return answers(self.decide, loaded.problems, self.given.digits, report)
        return _without_errors(self._elsewhere([loaded], report))

    def views(self, loaded: LoadedProblem, found: Sequence[Any]) -> list[View[Any]]:
        """Return the views of the answers about every variant of a problem."""
        return views_of(found, loaded.name, loaded.problems, self.given.digits)

    def several(
        self,
        names: Sequence[str],
        save: Callable[[LoadedProblem, Sequence[Any]], int] | None = None,
        *,
        tally: bool = False,
    ) -> int:
        """Show the answers about every problem, whatever becomes of the others; return the code.

        `save` is called with each problem and its answers, of several at the same time where they
        come from other processes, and returns a code that counts too. `tally`: how many there are
        of each kind is said too.
        """
        from concurrent.futures import ThreadPoolExecutor

        from pfverify.edge.views.failed import TallyView

        saving = ThreadPoolExecutor(self.means.jobs)
        try:
            with progress("problems") as report:
                answers_of = self._answerer(names, report)

                def saved(name: str) -> tuple[LoadedProblem, list[Any], int]:
                    loaded, found = answers_of(name)
                    return loaded, found, 0 if save is None else save(loaded, found)

                ahead = {}
                if not self.means.plain:
                    ahead = {name: saving.submit(saved, name) for name in names}

                def answer(name: str) -> tuple[list[View[Any]], int]:
                    loaded, found, code = ahead[name].result() if name in ahead else saved(name)
                    return self.views(loaded, found), several_code((self.code(found), code))

                views, codes = collected(names, answer, report)
        finally:
            saving.shutdown(cancel_futures=True)
        show(views, self.given.form, [TallyView(views)] if tally else [], Shape.RESULTS)
        return several_code(codes)

    def _answerer(
        self, names: Sequence[str], report: Report
    ) -> Callable[[str], tuple[LoadedProblem, list[Any]]]:
        """What loads a problem and answers about its variants, and raises the first error.

        Here that happens when it is called; by other means all of it has happened before. `report`
        counts what is answered, or problems where that is up to the caller.
        """
        if self.means.plain:
            def here(name: str) -> tuple[LoadedProblem, list[Any]]:
                loaded = self.given.load(name)
                return loaded, self.about(loaded, lambda done, total: None)

            return here
        known = {name: self._loaded(name) for name in names}
        right = [one for one in known.values() if isinstance(one, LoadedProblem)]
        every = iter(self._elsewhere(right, report))
        found = {loaded.name: [next(every) for _ in loaded.problems] for loaded in right}

        def before(name: str) -> tuple[LoadedProblem, list[Any]]:
            loaded = known[name]
            if isinstance(loaded, Exception):
                raise loaded
            return loaded, _without_errors(found[name])

        return before

    def _elsewhere(self, loaded: Sequence[LoadedProblem], report: Report) -> list[Any]:
        from pfverify.many.run import results

        questions = [one for each in loaded for one in each.questions()]
        return results(self.name, questions, self.given.digits, self.means, report, warn)

    def _loaded(self, name: str) -> LoadedProblem | Exception:
        """The problem, or why it cannot be loaded, which is said when it is asked for."""
        try:
            return self.given.load(name)
        except (PfverifyError, OSError) as error:
            return error


def _without_errors(found: Sequence[Any]) -> list[Any]:
    for one in found:
        if isinstance(one, PfverifyError):
            raise one
    return list(found)

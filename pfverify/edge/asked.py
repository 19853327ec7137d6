"""What a command asks about the problems that were named, by whatever means were asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pfverify.edge.codes import several_code
from pfverify.edge.leave import told
from pfverify.edge.many import collected
from pfverify.edge.progress import Report, progress
from pfverify.edge.render.shape import Shape
from pfverify.edge.render.show import Form, show
from pfverify.edge.sweep import Changes, answers
from pfverify.edge.views.registry import views_of
from pfverify.edge.views.view import View
from pfverify.errors import PfverifyError
from pfverify.many.means import Means
from pfverify.many.question import Command, NamedProblem, ProblemText
from pfverify.model.problem import Problem
from pfverify.model.problem_file import problem_text


@dataclass(frozen=True)
class Loaded:
    """A named problem with every one of the `changes`, and the file that states it."""

    name: str
    path: Path
    problems: Sequence[Problem]
    shape: Shape
    changes: Sequence[Changes]

    def asked(self) -> list[NamedProblem]:
        """Return what to ask, each under its own numbers."""
        text, is_json = problem_text(self.path), self.path.suffix.lower() == ".json"
        return [
            NamedProblem(self.name, problem, ProblemText(text, is_json, changes))
            for problem, changes in zip(self.problems, self.changes, strict=True)
        ]


@dataclass(frozen=True)
class Asking:
    """What a command asks about problems, and by what means.

    `decide` answers here, where no other means are asked for; `load` finds a problem by its name.
    """

    command: Command
    decide: Callable[..., Any]
    load: Callable[[str], Loaded]
    digits: int
    means: Means

    def about(self, loaded: Loaded, report: Report) -> list[Any]:
        """Return the answer about every variant of a problem. Raises the first error."""
        if self.means.plain:
            return answers(self.decide, loaded.problems, self.digits, report)
        return _without_errors(self._elsewhere([loaded], report))

    def answerer(
        self, names: Sequence[str], report: Report
    ) -> Callable[[str], tuple[Loaded, list[Any]]]:
        """Return what loads a problem and answers about its variants, and raises the first error.

        Here that happens when it is called; by other means all of it has happened before. `report`
        counts what is answered, or problems where that is up to the caller.
        """
        if self.means.plain:
            def here(name: str) -> tuple[Loaded, list[Any]]:
                loaded = self.load(name)
                return loaded, self.about(loaded, lambda done, total: None)

            return here
        known = {name: self._loaded(name) for name in names}
        right = [one for one in known.values() if isinstance(one, Loaded)]
        every = iter(self._elsewhere(right, report))
        found = {loaded.name: [next(every) for _ in loaded.problems] for loaded in right}

        def before(name: str) -> tuple[Loaded, list[Any]]:
            loaded = known[name]
            if isinstance(loaded, Exception):
                raise loaded
            return loaded, _without_errors(found[name])

        return before

    def several(
        self, names: Sequence[str], code_of: Callable[[Sequence[Any]], int], form: Form
    ) -> int:
        """Show the answers about every problem, whatever becomes of the others; return the code.

        `code_of` is the exit code of the answers about one.
        """
        with progress("problems") as report:
            answers_of = self.answerer(names, report)

            def answer(name: str) -> tuple[list[View[Any]], int]:
                loaded, found = answers_of(name)
                return views_of(found, name, loaded.problems, self.digits), code_of(found)

            views, codes = collected(names, answer, report)
        show(views, form, shape=Shape.RESULTS)
        return several_code(codes)

    def _elsewhere(self, loaded: Sequence[Loaded], report: Report) -> list[Any]:
        from pfverify.many.run import results

        asked = [one for each in loaded for one in each.asked()]
        return results(self.command, asked, self.digits, self.means, report, told)

    def _loaded(self, name: str) -> Loaded | Exception:
        """The problem, or why it cannot be loaded, which is said when it is asked for."""
        try:
            return self.load(name)
        except (PfverifyError, OSError) as error:
            return error


def _without_errors(found: Sequence[Any]) -> list[Any]:
    for one in found:
        if isinstance(one, PfverifyError):
            raise one
    return list(found)

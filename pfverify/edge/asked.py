"""What a command asks about the problems that were named, by whatever means were asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from pfverify.edge.codes import several_code
from pfverify.edge.leave import told
from pfverify.edge.many import collected
from pfverify.edge.progress import Report, progress
from pfverify.edge.render.shape import Shape
from pfverify.edge.render.show import Form, show
from pfverify.edge.sweep import answers, split_values
from pfverify.edge.views.registry import views_of
from pfverify.edge.views.view import View
from pfverify.errors import PfverifyError
from pfverify.many.means import Means
from pfverify.many.question import Asked, Command, Stated
from pfverify.model.problem import Problem
from pfverify.model.problem_file import problem_text

Overrides = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The texts of --epsilon, --delta and --scale."""


@dataclass(frozen=True)
class Loaded:
    """A named problem under every combination of the overrides, and the file that states it."""

    name: str
    path: Path
    problems: Sequence[Problem]
    shape: Shape
    overrides: Overrides

    def asked(self) -> list[Asked]:
        """Return what to ask, each under its own numbers."""
        names = ("--epsilon", "--delta", "--scale")
        one, two, three = (split_values(*pair) for pair in zip(self.overrides, names, strict=True))
        text, is_json = problem_text(self.path), self.path.suffix.lower() == ".json"
        return [
            Asked(self.name, problem, Stated(text, is_json, changes))
            for problem, changes in zip(self.problems, product(one, two, three), strict=True)
        ]


def answers_about(
    command: Command,
    decide: Callable[..., Any],
    loaded: Loaded,
    digits: int,
    means: Means,
    report: Report,
) -> list[Any]:
    """Return the answer of a command about every variant of a problem.

    `decide` gives it here, where no other means are asked for.
    Raises the first error.
    """
    if means.plain:
        return answers(decide, loaded.problems, digits, report)
    from pfverify.many.run import results

    return _without_errors(results(command, loaded.asked(), digits, means, report, told))


def answerer(
    command: Command,
    decide: Callable[..., Any],
    names: Sequence[str],
    load: Callable[[str], Loaded],
    digits: int,
    means: Means,
    report: Report,
) -> Callable[[str], tuple[Loaded, list[Any]]]:
    """Return what loads a problem and answers about its variants, and raises the first error.

    Here that happens when it is called; by other means all of it has happened before. `report`
    counts what is answered, or problems where that is up to the caller.
    """
    if means.plain:
        def here(name: str) -> tuple[Loaded, list[Any]]:
            loaded = load(name)
            return loaded, answers(decide, loaded.problems, digits, lambda done, total: None)

        return here
    from pfverify.many.run import results

    known = {name: _loaded(load, name) for name in names}
    right = [one for one in known.values() if isinstance(one, Loaded)]
    asked = [one for loaded in right for one in loaded.asked()]
    every = iter(results(command, asked, digits, means, report, told))
    found = {loaded.name: [next(every) for _ in loaded.problems] for loaded in right}

    def before(name: str) -> tuple[Loaded, list[Any]]:
        loaded = known[name]
        if isinstance(loaded, Exception):
            raise loaded
        return loaded, _without_errors(found[name])

    return before


def several(
    command: Command,
    decide: Callable[..., Any],
    code_of: Callable[[Sequence[Any]], int],
    names: Sequence[str],
    load: Callable[[str], Loaded],
    digits: int,
    means: Means,
    form: Form,
) -> int:
    """Show the answers about every problem, whatever becomes of the others; the exit code of all.

    `code_of` is the exit code of the answers about one.
    """
    with progress("problems") as report:
        answers_of = answerer(command, decide, names, load, digits, means, report)

        def answer(name: str) -> tuple[list[View[Any]], int]:
            loaded, found = answers_of(name)
            return views_of(found, name, loaded.problems, digits), code_of(found)

        views, codes = collected(names, answer, report)
    show(views, form, shape=Shape.RESULTS)
    return several_code(codes)


def _loaded(load: Callable[[str], Loaded], name: str) -> Loaded | Exception:
    """The problem, or why it cannot be loaded, which is said when it is asked for."""
    try:
        return load(name)
    except (PfverifyError, OSError) as error:
        return error


def _without_errors(found: Sequence[Any]) -> list[Any]:
    for one in found:
        if isinstance(one, PfverifyError):
            raise one
    return list(found)

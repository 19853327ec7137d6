"""From a problem to a page on which scale and epsilon are moved between decided values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pfverify.answers.explored import VALUES, Explored, explored, places_of
from pfverify.answers.outcome import checked_progress
from pfverify.edge.report.report import check_place
from pfverify.errors import InputError, require
from pfverify.exact.argument import Number as AnyNumber
from pfverify.files import save_text
from pfverify.model.problem import Problem, as_problem
from pfverify.results import DEFAULT_DIGITS

FORMATS = (".html",)
_IN_PYTHON = "problem.toml"  # what a page calls a problem that is no file
_MOST_BYTES = 30_000_000  # of a page: what a browser opens at once


def explore(
    problem: Problem | str | Path,
    *,
    scales: Sequence[AnyNumber] | None = None,
    epsilons: Sequence[AnyNumber] | None = None,
    values: int = VALUES,
    digits: int = DEFAULT_DIGITS,
    progress: Callable[[int, int], None] | None = None,
) -> Explored:
    """Decide a problem, whose laws can be drawn, at scales and epsilons around its own.

    `problem` may be the name of its file; there are at most so many `values`, and it takes as long
    as `certify` takes for all of them. `scales` and `epsilons` are decided instead, where they are
    given. `save_explored` writes the page.
    Raises InputError where several numbers are published or the laws cannot be drawn, and as
    `places_of` and `certify`.

    Example: ``explore("example:census", values=4).values[0].verdict``.
    """
    from pfverify.edge.explore.pictures import check_drawable, check_one

    checked_progress(progress)
    problem = as_problem(problem)
    check_one(problem)
    places = places_of(problem, scales=scales, epsilons=epsilons, values=values)
    check_drawable(problem, places.scales)
    return explored(problem, places, digits=digits, progress=progress)


def explored_page(
    found: Explored,
    name: str = _IN_PYTHON,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> str:
    """Return the page of an explored problem as HTML; its commands call the problem `name`.

    `progress(done, total)` is called after each picture.
    Raises InputError where no picture can be drawn, and for a page that would be too large.
    Example: ``explored_page(explore("example:census", values=2))[:15]`` is ``"<!DOCTYPE html>"``.
    """
    from pfverify.edge.explore.page import ExploreWords
    from pfverify.edge.explore.pictures import states_of
    from pfverify.edge.render.explored import html_of_explored

    require(found, Explored, "what is shown")
    page = html_of_explored(ExploreWords(found, name), states_of(found, progress))
    if len(page) > _MOST_BYTES:
        raise InputError(
            f"values: the page would have {len(page) // 10**6} MB, expected at most "
            f"{_MOST_BYTES // 10**6}; decide fewer values"
        )
    return page


def save_explored(
    found: Explored,
    path: str | Path,
    name: str = _IN_PYTHON,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Write the page of an explored problem; the file is complete or not there.

    Raises InputError for a name that does not end in .html, for a file that cannot be written, and
    as `explored_page`.
    Example: ``save_explored(explore("example:census", values=2), "census.html")``.
    """
    check_place(path, FORMATS)
    save_text(Path(path), explored_page(found, name, progress))

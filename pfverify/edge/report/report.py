"""Reports: from a problem to a page, a Markdown text or a PDF."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from pfverify.errors import InputError, require, shorten
from pfverify.files import write_bytes
from pfverify.model.problem import Problem, as_problem

if TYPE_CHECKING:
    from pfverify.edge.report.sections import Report

FORMATS = (".html", ".md", ".pdf")
_LIBRARIES = ("jinja2", "matplotlib")
_IN_PYTHON = "problem.toml"  # what commands of a report call a problem that is no file


def report(problem: Problem | str | Path, certificate: str | Path | None = None) -> Report:
    """Decide a problem and return a report about it.

    Parameters: the problem, or the name of its file; the name of a certificate, which the kernel
    checks first. Of a certificate that the kernel rejects the report says that, and nothing else.
    Raises InputError where the problem has no scale, for a file that cannot be read or is no
    certificate, and where the extra `report` is not installed.

    Example: ``report("census.toml", "census.cert").decided``.
    """
    require_extra()
    if certificate is None:
        name = _IN_PYTHON if isinstance(problem, Problem) else str(problem)
        return written(name, as_problem(problem))
    require(certificate, (str, PurePath), "the certificate")
    if isinstance(problem, Problem):
        raise InputError("a certificate is about a problem file: give the name of the file")
    asked = as_problem(problem)
    return written(str(problem), asked, (Path(problem), Path(certificate), str(certificate)))


def written(
    name: str,
    problem: Problem,
    certificate: tuple[Path, Path, str] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Return the report about a problem that it calls `name`.

    `certificate`: the files of the problem and of the certificate, and what the report calls it.
    Raises InputError as `report`.
    Example: ``written("mine.toml", problem).title`` is ``'Privacy report: mine.toml'``.
    """
    from pfverify.edge.report.facts import Facts, checked_facts, gathered
    from pfverify.edge.report.sections import rejected_report, report_of

    checked = None if certificate is None else checked_facts(*certificate)
    facts = gathered(name, problem, checked, progress)
    return report_of(facts) if isinstance(facts, Facts) else rejected_report(facts)


def save_report(made: Report, path: str | Path) -> None:
    """Write a report as .html, .md or .pdf by its suffix; the file is complete or not there.

    Raises InputError as `check_place`, and for a file that cannot be written.
    Example: ``save_report(report("census.toml"), "census.html")``.
    """
    check_place(path)
    place = Path(path)
    data = _WRITERS[place.suffix.lower()](made)
    try:
        write_bytes(place, data)
    except OSError as error:
        raise InputError(f"{shorten(place, 200)}: cannot write: {error.strerror}") from None


def check_place(path: str | Path) -> None:
    """Raise InputError for a suffix of no format, and for .pdf where there is no Chromium."""
    require(path, (str, PurePath), "the report's file")
    suffix = Path(path).suffix.lower()
    if suffix not in _WRITERS:
        raise InputError(
            f"-o: {shorten(path)!r}, expected a name that ends in {', '.join(FORMATS)}"
        )
    if suffix == ".pdf":
        from pfverify.edge.report.pdf import browser

        browser()


def require_extra() -> None:
    """Raise InputError where what draws and writes pages is not installed."""
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        raise InputError(
            f"a report needs {' and '.join(missing)}: pip install 'pfverify[report]'"
        )


def _page(made: Report) -> str:
    from pfverify.edge.report.page import html_of

    return html_of(made)


def _html(made: Report) -> bytes:
    return _page(made).encode()


def _markdown(made: Report) -> bytes:
    from pfverify.edge.report.markdown import markdown_of

    return markdown_of(made).encode()


def _pdf(made: Report) -> bytes:
    from pfverify.edge.report.pdf import pdf_of

    return pdf_of(_page(made))


_WRITERS: dict[str, Callable[[Report], bytes]] = {
    ".html": _html,
    ".md": _markdown,
    ".pdf": _pdf,
}

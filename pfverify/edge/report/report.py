"""Reports: from a problem to a page, a Markdown text or a PDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from pfverify.answers.footing import FEW
from pfverify.errors import InputError, require, shorten
from pfverify.files import write_bytes
from pfverify.model.problem import Problem, as_problem

if TYPE_CHECKING:
    from pfverify.edge.pages import Report


@dataclass(frozen=True)
class Front:
    """What is given with a report: its title, who answers for it, the date, what is published."""

    title: str | None = None
    owner: str | None = None
    date: str | None = None
    about: str | None = None

    def on(self, made: Report) -> Report:
        """Return the report with this head."""
        from pfverify.edge.report.named import shown

        known = [f"{label}: {shown(text)}" for label, text in (
            ("Owner", self.owner), ("Date", self.date)) if text]  # fmt: skip
        title = shown(self.title) if self.title else made.title
        return replace(made, title=title, by="; ".join(known))


FORMATS = (".html", ".md", ".pdf")
_IN_PYTHON = "problem.toml"  # what commands of a report call a problem that is no file


def report(
    problem: Problem | str | Path,
    certificate: str | Path | None = None,
    *,
    redact: bool = False,
    about: str | None = None,
) -> Report:
    """Decide a problem and return a report about it.

    Parameters: the problem, or the name of its file; the name of a certificate, which the kernel
    checks first; `redact` for a report without the priors and what is worked out from them, to be
    handed on; `about`: what is published, in words (default: the column that the problem names).
    Of a certificate that the kernel rejects the report says that, and nothing else.
    Raises InputError where the problem has no scale, for a file that cannot be read or is no
    certificate.

    Example: ``report("census.toml", "census.cert").decided``.
    """
    front = Front(about=about)
    if certificate is None:
        name = _IN_PYTHON if isinstance(problem, Problem) else str(problem)
        return written(name, as_problem(problem), redact=redact, front=front)
    require(certificate, (str, PurePath), "the certificate")
    if isinstance(problem, Problem):
        raise InputError("a certificate is about a problem file: give the name of the file")
    asked = as_problem(problem)
    files = Path(problem), Path(certificate), str(certificate)
    return written(str(problem), asked, files, redact=redact, front=front)


def written(
    name: str,
    problem: Problem,
    certificate: tuple[Path, Path, str] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    few: int = FEW,
    *,
    redact: bool = False,
    front: Front | None = None,
) -> Report:
    """Return the report about a problem that it calls `name`.

    `certificate`: the files of the problem and of the certificate, and what the report calls it;
    `few`: cells of fewer records are named; `redact`: nothing is said of the priors; `front`: its
    title, owner and date, and what is published.
    Raises InputError as `report`.
    Example: ``written("mine.toml", problem).title`` is ``'Privacy report: mine.toml'``.
    """
    from pfverify.edge.report.facts import checked_facts, gathered
    from pfverify.edge.report.redacted import redacted_report
    from pfverify.edge.report.sections import rejected_report, report_of

    checked = None if certificate is None else checked_facts(*certificate)
    if checked is not None and not checked.result.valid:
        made = rejected_report(name, problem, checked, redacted=redact)
    else:
        facts = gathered(name, problem, checked, progress, few)
        facts = facts if front is None else replace(facts, about=front.about or "")
        made = redacted_report(facts) if redact else report_of(facts)
    return made if front is None else front.on(made)


def save_report(made: Report, path: str | Path) -> None:
    """Write a report as .html, .md or .pdf by its suffix; the file is complete or not there.

    Raises InputError as `check_place`, and for a file that cannot be written.
    Example: ``save_report(report("census.toml"), "census.html")``.
    """
    check_place(path)
    place = Path(path)
    data = _written_as(place.suffix.lower(), made)
    try:
        write_bytes(place, data)
    except OSError as error:
        raise InputError(f"{shorten(place, 200)}: cannot write: {error.strerror}") from None


def check_place(path: str | Path, formats: Sequence[str] = FORMATS) -> None:
    """Raise InputError for a file of no format or in no folder, and for .pdf without Chromium.

    Example: ``check_place("census.md")``; ``check_place("census.md", [".html"])`` raises.
    """
    require(path, (str, PurePath), "the page's file")
    suffix = Path(path).suffix.lower()
    if suffix not in formats:
        raise InputError(
            f"-o: {shorten(path)!r}, expected a name that ends in {', '.join(formats)}"
        )
    if not Path(path).resolve().parent.is_dir():
        raise InputError(f"-o: {shorten(path, 200)!r}: cannot write: there is no such folder")
    if suffix == ".pdf":
        from pfverify.edge.report.pdf import browser

        browser()


def _written_as(suffix: str, made: Report) -> bytes:
    """The bytes of the file of a format; KeyError for another one."""
    if suffix == ".md":
        from pfverify.edge.render.markdown import markdown_of

        return markdown_of(made).encode()
    from pfverify.edge.render.html import html_of
    from pfverify.edge.report.pdf import pdf_of

    writers: dict[str, Callable[[str], bytes]] = {".html": str.encode, ".pdf": pdf_of}
    return writers[suffix](html_of(made))

"""What results offer in Python and in notebooks, from their views."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from pfverify.answers.methods import CalibrateResult
from pfverify.answers.outcome import CertifyResult
from pfverify.decide.verdict import Verdict
from pfverify.edge.certificates import write_answer
from pfverify.edge.mistaken import FileKind, kind_of, same_file
from pfverify.edge.render.notebook import html
from pfverify.edge.views.envelope import object_of
from pfverify.edge.views.problem import ProblemView
from pfverify.edge.views.registry import view_of
from pfverify.edge.views.view import Asked, View
from pfverify.errors import InputError, UndecidedError, require, shorten
from pfverify.exact.published import Exact, Infinite, Irrational
from pfverify.model.problem import Problem

if TYPE_CHECKING:
    import pandas

    from pfverify.edge.certificates import Provable

_NAME = "the problem"


def data_of(result: object) -> dict[str, Any]:
    """Return the data that ``--json`` prints about a result.

    Example: ``data_of(certify(problem))["verdict"]`` is ``'certified'``.
    """
    return object_of(_view(result))


def rows_of(result: object) -> list[dict[str, Any]]:
    """Return the rows of a result, None in an empty cell; InputError for one without a table."""
    rows = _view(result).rows()
    return [{name: None if cell == "" else cell for name, cell in row.items()} for row in rows]


def frame_of(result: object, *, exact: bool) -> pandas.DataFrame:
    """Return the rows as a pandas DataFrame; its numbers are floats unless `exact`.

    Raises InputError without pandas, and for a result without a table.
    """
    require(exact, bool, "exact")
    try:
        import pandas
    except ImportError:
        raise InputError(
            "to_frame: pandas is not installed; pip install pandas, or use to_rows()"
        ) from None
    rows = rows_of(result)
    columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else {})}
    if not exact:
        columns = {name: _floats(values) for name, values in columns.items()}
    return pandas.DataFrame(columns)


def _floats(values: list[Any]) -> list[Any]:
    """A column of numbers as floats, nan where one has none; any other column as it is."""
    given = [value for value in values if value is not None]
    if not given or not all(isinstance(value, Exact | Infinite | Irrational) for value in given):
        return values
    return [float("nan") if value is None else float(value) for value in values]


def html_of(result: object) -> str:
    """Return a result as a notebook shows it: an HTML fragment, all text escaped."""
    return html(_view(result))


def html_of_problem(problem: Problem) -> str:
    """Return a problem as a notebook shows it: what is asked, of which noise and priors."""
    return html(ProblemView(problem))


def write_certificate(
    result: Provable, path: str | Path, problem_path: str | Path | None, *, attest: bool
) -> None:
    """Write the certificate of a result about its problem, or about the file that states it.

    Raises InputError for a file that cannot be used, UndecidedError where nothing was decided.
    """
    require(path, (str, PurePath), "the certificate")
    require(attest, bool, "attest")
    problem, place = result.problem, Path(path)
    if problem is None:
        raise InputError("write: the result does not say which problem it is about")
    if attest and problem_path is None:
        raise InputError("attest: a Statement is about a file; give it as problem=")
    with tempfile.TemporaryDirectory(prefix="pfverify-") as folder:
        stated = Path(folder) / "problem.json"
        if problem_path is None:
            _refuse_other(place)
            problem.save(stated)
        else:
            stated = _checked_file(problem, problem_path, place)
        _refuse_answer(result, attest=attest)
        write_answer(place, stated, problem, result, attest=attest)


def _refuse_other(place: Path) -> None:
    """Refuse to replace a file that is no certificate: it may be the problem's own."""
    try:
        is_there = place.is_file()
    except (OSError, ValueError):  # a name that no file can have: writing says so
        is_there = False
    if is_there and kind_of(place) is not FileKind.CERTIFICATE:
        raise InputError(
            f"{shorten(place, 200)}: this file is there and is no certificate, expected another "
            "name"
        )


def _checked_file(problem: Problem, stated: str | Path, place: Path) -> Path:
    """The file, which states this problem and is not the one to write."""
    if Problem.load(stated) != problem:
        raise InputError(f"{shorten(stated, 200)}: this file states another problem")
    if same_file(place, stated):
        raise InputError(f"{shorten(place, 200)}: the certificate would replace the problem file")
    return Path(stated)


def _refuse_answer(result: Provable, *, attest: bool) -> None:
    """Refuse what has nothing to certify, and what cannot be wrapped."""
    if isinstance(result, CertifyResult):
        _refuse_undecided(result.verdict, result.reasons)
        return
    if attest:
        raise InputError(
            "attest: only the certificate of a verdict is wrapped, not of scales, or of a curve"
        )
    if isinstance(result, CalibrateResult):
        _refuse_undecided(result.minimum.verdict, [result.minimum.reason or ""])


def _refuse_undecided(verdict: Verdict, reasons: Sequence[str]) -> None:
    if verdict is Verdict.UNDECIDED:
        why = reasons[0] if reasons else "no reason is known"
        raise UndecidedError(
            f"undecided, so there is no certificate to write ({why}); ask about another scale, "
            "epsilon or delta"
        )


def _view(result: Any) -> View[Any]:
    problem = getattr(result, "problem", None)
    return view_of(result, _NAME, None if problem is None else Asked("", problem))

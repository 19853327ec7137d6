"""What every result offers: a short text, data, tables, and what a notebook shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pfverify.outward import outward

DEFAULT_DIGITS = 12
"""How many digits of the numbers of a result are printed."""
WHERE_SAID = {"optional": True}
"""Of a field that JSON has only where it is not None."""
UNSAID = {"json": False}
"""Of a field that JSON never has."""
_LINES = 4  # of what a result consists of, in a repr


class Brief:
    """Base of what prints itself in a line, or in a few."""

    def _line(self) -> str:
        """Return what this is, in a line."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it is")

    def _parts(self) -> Sequence[Brief]:
        """Return what it consists of, the first of which are shown."""
        return ()

    def __repr__(self) -> str:
        parts = self._parts()
        lines = [self._line(), *(part._line() for part in parts[:_LINES])]
        if len(parts) > _LINES:
            lines.append(f"… and {len(parts) - _LINES} more")
        return f"<{type(self).__name__}: " + "\n  ".join(lines) + ">"


class Shown(Brief):
    """Base of the answers of the package: the data and the tables of their views."""

    def _shown(self) -> Shown:
        """Return the answer that has a view: this one, or the one that it is made of."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return the data that ``--json`` prints: dicts, lists and text.

        Example: ``certify(problem).to_dict()["verdict"]`` is ``'certified'``.
        """
        found: dict[str, Any] = outward("data_of")(self._shown())
        return found

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the table of the result, a dict for each row; numbers are exact, None is nothing.

        Its columns are those of ``--csv``, but for those about the file and for decimals.
        Raises InputError for a result that has no table.
        Example: ``certify(problem).to_rows()[0]["verdict"]`` is ``'certified'``.
        """
        rows: list[dict[str, Any]] = outward("rows_of")(self._shown())
        return rows

    def to_frame(self, *, exact: bool = False) -> Any:
        """Return the table of `to_rows` as a pandas DataFrame.

        Columns of numbers become floats, to sort and to plot (nan where there is none): they are
        no longer the numbers that were proved. With `exact` they stay those, in object columns.
        Raises InputError without pandas, and for a result that has no table.
        Example: ``certify(problem).to_frame()["verdict"][0]`` is ``'certified'``.
        """
        return outward("frame_of")(self._shown(), exact=exact)

    def _repr_html_(self) -> str:
        text: str = outward("html_of")(self._shown())
        return text


class Certifiable(Shown):
    """Base of the answers that a certificate can prove."""

    def write(
        self, path: str | Path, *, problem: str | Path | None = None, attest: bool = False
    ) -> None:
        """Write the certificate of this result, which the kernel accepts first.

        `problem` is the file of the same problem, if there is one; with `attest` (which needs it)
        the certificate is wrapped as an in-toto Statement about that file.
        Raises UndecidedError where nothing was decided, InputError for a file that cannot be
        written or states another problem, CertificateError where the kernel does not accept it.
        Example: ``certify(problem).write("mine.cert")``.
        """
        outward("write_certificate")(self, path, problem, attest=attest)

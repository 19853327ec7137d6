"""A column of pandas or polars as a prior: its values counted, or values with their counts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior
from pfverify.records.cells import WHOLE, Cell, cell_of

_COUNTS, _SHARES = "count", ("proportion", "mass")
_SHARES_REFUSED = (
    "shares in floats are no exact masses, expected counts, as value_counts() without normalize"
)
LAZY = "a LazyFrame has no rows yet, expected what its collect() returns"
_NAMED = "expected a Series of records, or a frame of values and counts"


def prior_of_column(column: Any) -> Prior:
    """Return the prior of a Series of records, or of values with how often each is there.

    Numbers are atoms, and texts the inputs of a channel. A frame has the values in its first column
    and in the second one, count, how often each is there: ``series.value_counts()`` of polars, and
    with ``reset_index()`` of pandas. Raises InputError for floats that are not whole, missing
    values, and what may be records or counts.
    Example: ``prior_of_column(3)`` raises an InputError.
    """
    if hasattr(column, "columns"):
        return _of_frame(column)
    name = getattr(column, "name", None)
    if name in _SHARES:
        raise InputError(_SHARES_REFUSED)
    if name == _COUNTS:
        raise InputError(
            "a Series with the name count may be records or counts: value_counts().reset_index() "
            "is a frame of values and counts; expected another name of records"
        )
    return _prior((value, 1) for value in _values(column))


def _of_frame(frame: Any) -> Prior:
    if type(frame).__name__ == "LazyFrame":
        raise InputError(LAZY)
    names = [str(name) for name in frame.columns]
    if len(names) != 2 or names[1] not in (_COUNTS, *_SHARES):
        raise InputError(
            f"a frame with the columns {shorten(', '.join(names))!r}: expected values and count; "
            "Problem.from_frame reads records"
        )
    if names[1] != _COUNTS:
        raise InputError(_SHARES_REFUSED)
    return _prior(zip(*(_values(frame[name]) for name in frame.columns), strict=True))


def _values(column: Any) -> list[Any]:
    for method in ("to_list", "tolist"):
        if hasattr(column, method):
            found = getattr(column, method)()
            if isinstance(found, list):
                return found
    raise InputError(f"a {type(column).__name__} gives no list of values, {_NAMED}")


def _prior(counted: Any) -> Prior:
    """The prior of values with their counts."""
    found: Counter[str | Fraction] = Counter()
    for value, count in counted:
        times = cell_of(count, _COUNTS)
        if isinstance(times, float) and times.is_integer() and times <= WHOLE:
            times = int(times)
        if not isinstance(times, int) or times < 0:
            raise InputError(f"count: {shorten(count)} is no number of records")
        found[_atom(value, cell_of(value, "values"))] += times
    if not found:
        raise InputError(f"there are no values, {_NAMED}")
    texts = [atom for atom in found if isinstance(atom, str)]
    if not texts:
        return Discrete(counts={atom: n for atom, n in found.items() if not isinstance(atom, str)})
    if len(texts) < len(found):
        raise InputError(f"texts such as {shorten(texts[0], 30)!r} among numbers")
    return Finite(counts={atom: n for atom, n in found.items() if isinstance(atom, str)})


def _atom(value: object, cell: Cell) -> str | Fraction:
    if cell is None:
        raise InputError("a missing value, expected none: dropna() or drop_nulls() leaves them out")
    if cell in ("true", "false") and not isinstance(value, str):
        raise InputError("truth values are no numbers, expected 0 and 1, as astype(int) makes them")
    if isinstance(cell, float):
        if cell.is_integer() and abs(cell) <= WHOLE:
            return Fraction(cell)
        raise InputError(
            f"{cell!r} is a float, which may not be the number that was written; "
            "Problem.from_frame takes floats="
        )
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int | Fraction):
        return Fraction(cell)
    raise InputError(f"{shorten(value)} is a {type(value).__name__}, expected a number or a text")

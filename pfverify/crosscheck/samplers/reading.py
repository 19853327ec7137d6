"""Files of draws: a row for each, with the secret (or the input) and the output."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf, nan
from pathlib import Path

from pfverify.errors import InputError, shorten

Key = tuple[str, str]
"""A belief and a secret."""
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?", re.ASCII)
_QUOTIENT = re.compile(r"([+-]?[0-9]{1,400})/([0-9]{1,400})", re.ASCII)
_INFINITE = {"inf": inf, "+inf": inf, "-inf": -inf, "infinity": inf, "-infinity": -inf, "nan": nan}
_LONGEST = 400  # characters of a number
_SECRETS = ("secret", "input")


def number_in(text: str) -> float:
    """Return the float64 nearest to the number that a text writes, nan where it writes none.

    Example: ``number_in("1/3")`` is ``0.3333333333333333``.
    """
    text = text.strip()
    if len(text) <= _LONGEST and _NUMBER.fullmatch(text):
        return float(text)
    found = _QUOTIENT.fullmatch(text)
    if found is None or not int(found[2]):
        return _INFINITE.get(text.lower(), nan)
    try:
        return float(Fraction(int(found[1]), int(found[2])))
    except OverflowError:
        return inf


def writes_number(text: str) -> bool:
    """Whether a text writes a number, infinities and nan too.

    Example: ``writes_number("1,5")`` is False.
    """
    return number_in(text) == number_in(text) or text.strip().lower() == "nan"


def draws_of_file(
    path: Path, keys: Sequence[Key], *, numeric: bool
) -> dict[Key, list[str]]:
    """Return the draws of a CSV file, as texts: columns secret (or input) and output.

    With several beliefs there is a column belief too. `numeric`: whether draws have to be
    numbers. Raises InputError with the line that is wrong, and where a secret has no draws.
    """
    found: dict[Key, list[str]] = {key: [] for key in keys}
    beliefs = list(dict.fromkeys(belief for belief, _ in keys))
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            _read(file, found, beliefs, numeric)
    except OSError as error:
        raise InputError(f"{shorten(path, 200)}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{shorten(path, 200)}: not UTF-8 text") from None
    except InputError as error:
        raise InputError(f"{shorten(path, 200)}: {error}") from None
    for belief, secret in keys:
        if not found[belief, secret]:
            under = f" under the belief {shorten(belief, 30)!r}" if len(beliefs) > 1 else ""
            raise InputError(
                f"{shorten(path, 200)}: there are no draws of {shorten(secret, 30)!r}{under}, "
                "expected some of every secret that is compared"
            )
    return found


def _read(
    file: Iterable[str],
    found: dict[Key, list[str]],
    beliefs: list[str],
    numeric: bool,
) -> None:
    """Add the draws of every row."""
    rows = csv.reader(file, strict=True)
    try:
        header = [cell.strip() for cell in next(rows, [])]
        columns = _columns(header, len(beliefs) > 1)
        for row in rows:
            if not row:
                continue
            if len(row) != len(header):
                raise InputError(
                    f"line {rows.line_num}: {len(row)} cells, expected {len(header)}"
                )
            belief = row[columns[0]] if len(beliefs) > 1 else beliefs[0]
            key = belief, row[columns[1]]
            if key not in found:
                raise InputError(
                    f"line {rows.line_num}: {shorten(', '.join(key), 60)!r} is no secret that is "
                    f"compared, expected {shorten(', '.join(secret for _, secret in found), 80)}"
                )
            text = row[columns[2]]
            if numeric and not writes_number(text):
                raise InputError(
                    f"line {rows.line_num}: {shorten(text, 40)!r} is no number, expected an output "
                    "such as 0.25"
                )
            found[key].append(text)
    except csv.Error as error:
        raise InputError(f"line {rows.line_num}: {shorten(error, 100)}") from None


def _columns(header: list[str], with_belief: bool) -> tuple[int, int, int]:
    """Where the belief, the secret and the output stand."""
    wanted = [["belief"] if with_belief else [], _SECRETS, ["output"]]
    places = []
    for names in wanted:
        known = [k for k, name in enumerate(header) if name in names]
        if len(known) != (1 if names else 0):
            columns = "belief, secret and output" if with_belief else "secret and output"
            raise InputError(
                f"line 1: the columns are {shorten(', '.join(header), 60)!r}, expected {columns}"
            )
        places.append(known[0] if known else 0)
    return places[0], places[1], places[2]

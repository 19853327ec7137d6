"""Numbers of results in rows of data and in tables."""

from __future__ import annotations

from fractions import Fraction

from pfverify.exact.decimals import decimal_upper
from pfverify.exact.published import Extended


def rounded_up(scale: str | Extended, places: int) -> str:
    """Return a decimal rounded up to a number of places, with trailing zeros, for tables.

    Example: ``rounded_up("0.556756", 4)`` is ``"0.5568"``.
    """
    if scale == "inf":
        return "inf"
    value = Fraction(scale)
    units = (value * 10**places).__ceil__()
    if value and units < 10 ** (places - 1):  # below 0.1: so many digits, not places
        return decimal_upper(value, places)
    return f"{units // 10**places}.{units % 10**places:0{places}d}"


def brief_upper(end: str | Extended) -> str:
    """Return an upper end rounded up to four places, for the table of a sweep.

    Example: ``brief_upper("0.556756")`` is ``"0.5568"``.
    """
    return "0" if end == "0" else rounded_up(end, 4)


def times(ratio: str | Extended | None, nothing: str) -> str:
    """Return a ratio as "1.25x", `nothing` without one."""
    return nothing if ratio is None else f"{float(ratio):.2f}x"

"""Numbers of results in rows of data and in tables."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.outcome import Enclosure
from pfverify.exact.decimals import decimal_text, decimal_upper


def place_text(y: Fraction | str) -> str:
    """Return an output as a decimal or fraction; the limit of a tail stays "-inf" or "inf"."""
    return y if isinstance(y, str) else decimal_text(y)


def ends(name: str, enclosure: Enclosure | None) -> dict[str, str]:
    """Return the ends of an enclosure as two cells, which are empty without one."""
    return {
        f"{name}_lower": enclosure.lower if enclosure is not None else "",
        f"{name}_upper": enclosure.upper if enclosure is not None else "",
    }


def rounded_up(scale: str, places: int) -> str:
    """Return a decimal rounded up to a number of places, with trailing zeros, for tables.

    Example: ``rounded_up("0.556756", 4)`` is ``"0.5568"``.
    """
    if scale == "inf":
        return scale
    value = Fraction(scale)
    units = (value * 10**places).__ceil__()
    if value and units < 10 ** (places - 1):  # below 0.1: so many digits, not places
        return decimal_upper(value, places)
    return f"{units // 10**places}.{units % 10**places:0{places}d}"


def brief_upper(end: str) -> str:
    """Return an upper end rounded up to four places, for the table of a sweep.

    Example: ``brief_upper("0.556756")`` is ``"0.5568"``; ``brief_upper("0")`` is ``"0"``.
    """
    return str(end) if str(end) == "0" else rounded_up(end, 4)


def times(ratio: str | None, nothing: str) -> str:
    """Return a ratio as "1.25x", `nothing` without one."""
    return nothing if ratio is None else f"{float(ratio):.2f}x"

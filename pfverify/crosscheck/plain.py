"""What a function returned, as plain numbers: written where it runs, read where it is judged.

A number is taken as the number it is: floats of numpy and Python, integers, fractions and decimals
keep every digit. Nothing else is read as a number: not text, not truth values.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from pfverify.errors import shorten
from pfverify.workers.wire import BODY_MOST, BrokenFrameError

Single = float | Fraction
"""A number: a float where it is one (nan and infinities too), else a fraction."""
Plain = Single | list[Single] | list[list[Single]] | np.ndarray[Any, np.dtype[np.float64]]
"""An answer: a number, or numbers in one or two dimensions."""

BITS = 5_000
"""The most bits of the parts of a fraction: squares of them can still be worked with exactly."""
LARGEST = 1_500
"""The largest decimal exponent that is expanded."""
_EXACT_FLOATS = (np.float64, np.float32, np.float16)
_TEXT = re.compile(r"(-?[0-9a-f]{1,1250})/([0-9a-f]{1,1250})|nan|inf|-inf")


class NoNumberError(Exception):
    """An answer that is no number, nor numbers in one or two dimensions."""


def written(value: object) -> tuple[dict[str, Any], bytes]:
    """Return the head and the body that stand for an answer.

    Raises NoNumberError, whose words say what the answer is instead.
    Example: ``written(0.5)[0]`` is ``{"numbers": "float64", "shape": []}``.
    """
    array = _array(value)
    if array.dtype == np.float64:
        body = np.ascontiguousarray(array, "<f8").tobytes()
        head = {"numbers": "float64", "shape": list(array.shape)}
    else:
        body = "\n".join(map(_text, array.ravel().tolist())).encode("ascii")
        head = {"numbers": "exact", "shape": list(array.shape)}
    if len(body) > BODY_MOST:
        raise NoNumberError(f"{array.size} numbers, more than pfverify reads")
    return head, body


def read(head: dict[str, Any], body: bytes) -> Plain:
    """Return the answer behind a head and a body; BrokenFrameError where they state none.

    Example: ``read(*written(Fraction(1, 3)))`` is ``Fraction(1, 3)``.
    """
    shape = head.get("shape")
    if not isinstance(shape, list) or len(shape) > 2 or not all(map(_is_size, shape)):
        raise BrokenFrameError("an answer without a shape")
    size = math.prod(shape)
    if head.get("numbers") == "float64":
        if len(body) != 8 * size:
            raise BrokenFrameError("an answer of another size than its shape")
        array = np.frombuffer(body, "<f8").astype(np.float64).reshape(shape)
        return array if shape else float(array)
    if head.get("numbers") != "exact":
        raise BrokenFrameError("an answer of no kind of numbers")
    texts = body.decode("ascii", "replace").split("\n") if size else []
    if len(texts) != size:
        raise BrokenFrameError("an answer of another size than its shape")
    numbers = [_number(text) for text in texts]
    if not shape:
        return numbers[0]
    if len(shape) == 1:
        return numbers
    return [numbers[start : start + shape[1]] for start in range(0, size, shape[1] or 1)]


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= BODY_MOST


def _array(value: object) -> np.ndarray[Any, Any]:
    """Return the numbers as an array of float64, or of objects that `_text` writes exactly."""
    if not isinstance(value, np.ndarray | np.generic | list | tuple) and hasattr(
        value, "__array__"
    ):
        value = np.asarray(value)  # arrays of other libraries say so
    if isinstance(value, list | tuple):
        value = _stacked(value)
    found = value if isinstance(value, np.ndarray) else np.array(value, dtype=object)
    if isinstance(value, float | np.floating) and type(value) is not np.longdouble:
        found = np.array(value, dtype=np.float64)
    if found.ndim > 2:
        raise NoNumberError(f"numbers in {found.ndim} dimensions")
    if found.dtype in _EXACT_FLOATS:
        return found.astype(np.float64)
    if found.dtype.kind not in "iufO":
        raise NoNumberError(f"an array of {found.dtype}")
    items = [single(item) for item in found.ravel().astype(object)]
    if items and all(isinstance(item, float) for item in items):
        return np.array(items, dtype=np.float64).reshape(found.shape)
    exact = np.empty(len(items), dtype=object)
    exact[:] = items
    return exact.reshape(found.shape)


def _stacked(rows: list[Any] | tuple[Any, ...]) -> np.ndarray[Any, Any]:
    """Return numbers, or rows of them, as an array of objects."""
    rows = [row[()] if isinstance(row, np.ndarray) and not row.ndim else row for row in rows]
    inner = [list(row) for row in rows if isinstance(row, list | tuple | np.ndarray)]
    if inner and (len(inner) < len(rows) or len({len(row) for row in inner}) > 1):
        raise NoNumberError("rows of different lengths")
    items = [item for row in inner for item in row] if inner else rows
    found = np.empty(len(items), dtype=object)
    for place, item in enumerate(items):
        found[place] = item
    return found.reshape(len(inner), len(inner[0])) if inner else found


def single(item: object) -> Single:
    """Return a number as a float where it is one exactly, else as a fraction.

    Raises NoNumberError, whose words say what is there instead.
    Example: ``single(Fraction(1, 2))`` is ``0.5``.
    """
    if isinstance(item, bool | np.bool_):
        raise NoNumberError("a truth value")
    if isinstance(item, np.longdouble):
        return _rational(*item.as_integer_ratio()) if np.isfinite(item) else float(item)
    if isinstance(item, float | np.floating):
        return float(item)
    if isinstance(item, int | np.integer):
        return _rational(int(item), 1)
    if isinstance(item, Fraction):
        return _rational(item.numerator, item.denominator)
    if not isinstance(item, Decimal):
        raise NoNumberError(f"{_named(item)}, which is no number")
    if not item.is_finite():
        return float("nan") if item.is_nan() else float(item)
    if item and abs(item.adjusted()) > LARGEST:
        raise NoNumberError(f"the decimal {shorten(item, 40)}, of too large an exponent")
    return _rational(*item.as_integer_ratio())


def _rational(numerator: int, denominator: int) -> Single:
    if max(numerator.bit_length(), denominator.bit_length()) > BITS:
        raise NoNumberError(f"a number of more than {BITS} bits")
    found = Fraction(numerator, denominator)
    try:
        near = float(found)
    except OverflowError:
        return found
    return near if near == found else found


def _named(item: object) -> str:
    name = type(item).__name__
    return "None" if item is None else f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def _text(item: Single) -> str:
    if isinstance(item, float):
        if not math.isfinite(item):
            return repr(item)
        item = Fraction(item)
    return f"{item.numerator:x}/{item.denominator:x}"


def _number(text: str) -> Single:
    found = _TEXT.fullmatch(text)
    if found is None:
        raise BrokenFrameError("an answer that is no number")
    if found[1] is None:
        return float(text)
    if not (denominator := int(found[2], 16)):
        raise BrokenFrameError("an answer that is no number")
    return Fraction(int(found[1], 16), denominator)

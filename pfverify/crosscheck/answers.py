"""Reading what an implementation returned: exact numbers, or the words for what it is instead."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import isinf, isnan
from typing import Any

from pfverify.crosscheck.plain import BITS, LARGEST
from pfverify.errors import InputError, shorten
from pfverify.exact.published import Infinite

Read = Fraction | Infinite


class NotAnAnswerError(InputError):
    """An answer that is no number, or no array of the shape that was asked for."""


def number_of(answer: object, name: str) -> Read:
    """Return a real number exactly, infinite too.

    Python's and numpy's numbers are read, and arrays without dimensions.
    Raises NotAnAnswerError naming what is there instead. Example: ``number_of(0.5, "loss")`` is
    ``1/2``.
    """
    import numpy as np

    if isinstance(answer, np.ndarray):
        if answer.ndim:
            raise NotAnAnswerError(
                f"an array of shape {answer.shape} instead of one number for the {name}"
            )
        answer = answer[()]
    if isinstance(answer, bool | np.bool_) or answer is None:
        raise NotAnAnswerError(f"{answer!r} instead of a number for the {name}")
    if isinstance(answer, complex | np.complexfloating):
        raise NotAnAnswerError(f"the complex number {shorten(answer)} for the {name}")
    if isinstance(answer, int | np.integer):
        return _bounded(Fraction(int(answer)), name)
    if isinstance(answer, Fraction):
        return _bounded(answer, name)
    if isinstance(answer, Decimal) and answer.is_finite():
        if answer and abs(answer.adjusted()) > LARGEST:
            raise NotAnAnswerError(f"{shorten(answer)}, too large to be read, for the {name}")
        return _bounded(Fraction(answer), name)
    if isinstance(answer, Decimal):
        answer = float("nan") if answer.is_nan() else float(answer)
    if isinstance(answer, float | np.floating):
        if isnan(answer):
            raise NotAnAnswerError(f"nan for the {name}")
        if isinf(answer):
            return Infinite("inf" if answer > 0 else "-inf")
        return _bounded(Fraction(*answer.as_integer_ratio()), name)
    raise NotAnAnswerError(
        f"{shorten(repr(answer), 40)} of type {type(answer).__name__} instead of a number for the "
        f"{name}"
    )


def _bounded(number: Fraction, name: str) -> Fraction:
    """Return a number that can be worked with; NotAnAnswerError for one that is too long."""
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > BITS:
        raise NotAnAnswerError(f"a number of more than {BITS} bits for the {name}")
    return number


def table_of(answer: object, name: str) -> Any:
    """Return an array of numbers, or of objects that may be some; NotAnAnswerError for another.

    Example: ``table_of([[0, 0, 1.0]], "plan").shape`` is ``(1, 3)``.
    """
    import numpy as np

    if answer is None or isinstance(answer, bool | str | bytes):
        raise NotAnAnswerError(f"{shorten(repr(answer), 40)} instead of an array for the {name}")
    try:
        found = np.asarray(answer)
    except Exception as error:  # whatever the answer's own class raises, ragged lists too
        raise NotAnAnswerError(f"no array for the {name}: {shorten(error)}") from None
    if found.dtype.kind not in "iufO":  # of objects each is read for itself
        what = {"c": "complex numbers", "b": "booleans"}.get(
            found.dtype.kind, f"the type {found.dtype}"
        )
        raise NotAnAnswerError(f"an array of {what} instead of floats for the {name}")
    return found

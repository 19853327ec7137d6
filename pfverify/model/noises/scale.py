"""Scales of noise, read exactly: a positive number, or 0 where nothing is added."""

from __future__ import annotations

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number, printable
from pfverify.model.keys import TEXT, Key


def positive_scale(value: object, name: str = "scale") -> Number:
    """Return an exact number proved to be > 0.

    Raises InputError for a number that is not positive, or whose sign cannot be decided.
    """
    scale = printable(value, name)
    sign = scale.sign()
    if sign is None:
        raise InputError(f"{name}: cannot decide whether {shorten(scale.text)} is > 0")
    if sign <= 0:
        what = "is exactly 0" if sign == 0 else "is negative"
        raise InputError(f"{name}: {shorten(scale.text)} {what}, expected a number > 0")
    return scale


def noise_scale(value: object) -> Number:
    """Return an exact number that is written as 0, or proved to be > 0.

    An expression that only cancels to 0, such as log(4)-2*log(2), is bad input: nobody who asks
    for no noise writes it so.
    Raises InputError for a number that is neither.
    Example: ``noise_scale("0").fraction`` is ``Fraction(0)``.
    """
    scale = printable(value, "scale")
    if scale.fraction == 0:
        return scale
    if scale.sign() == -1:
        raise InputError(f"scale: {shorten(scale.text)} is negative, expected a number >= 0")
    return positive_scale(scale)


def scale_key(description: str) -> Key:
    """Return the key of a scale, which may be to be found.

    Example: ``scale_key("theta or b").read("3").text`` is ``"3"``.
    """
    return Key("scale", description, read=noise_scale, text=TEXT)

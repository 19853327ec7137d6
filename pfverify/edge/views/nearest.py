"""Exact numbers as decimals beside their text: to read and to plot, never to decide with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from pfverify.errors import InputError
from pfverify.exact.ball import precision
from pfverify.exact.decimals import decimal_nearest, enclosure_text
from pfverify.exact.number import number, rational
from pfverify.exact.rising import rising

_GUARD = 6  # digits more, of an irrational number before it is rounded
_LAST_BITS = 1 << 17
_TAILS = ("inf", "-inf")
_RATIONAL = re.compile(r"-?[0-9]{1,4000}(?:/[1-9][0-9]{0,3999})?", re.ASCII)


@lru_cache(maxsize=4096)
def nearest(text: str, digits: int) -> str | None:
    """Return the decimal nearest to an exact number; None where it is infinite or no number.

    Example: ``nearest("log(3)", 6)`` is ``"1.09861"``.
    """
    if text in _TAILS:
        return None
    if _RATIONAL.fullmatch(text):
        return decimal_nearest(Fraction(text), digits)
    try:
        value = number(text)
    except InputError:  # a defect that is only known about, a closed form with other functions
        return None
    if value.fraction is not None:
        return decimal_nearest(value.fraction, digits)
    for bits in rising(64 + 4 * digits, _LAST_BITS):
        with precision(bits):
            ends = enclosure_text(value.ball(), digits + _GUARD)
        if ends is not None:
            return decimal_nearest((rational(ends[0]) + rational(ends[1])) / 2, digits)
    return None


def with_nearest(data: Any, paths: Sequence[str], digits: int, names: frozenset[str]) -> Any:
    """Return data in which KEY_decimal follows every key of these paths.

    A path is made of keys ("pairs.worst_y"; lists are gone through, * is any key). The value is the
    nearest decimal; of a list the list of them; None where there is none, and of what is in
    `names`: keys whose text is a name.
    Example: ``with_nearest({"y": "1/2"}, ("y",), 12, frozenset())["y_decimal"]`` is ``"0.5"``.
    """
    return _walked(data, _tree(paths), digits, names)


def _tree(paths: Sequence[str]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for path in paths:
        part = tree
        for key in path.split("."):
            part = part.setdefault(key, {})
    return tree


def _walked(data: Any, tree: dict[str, Any], digits: int, names: frozenset[str]) -> Any:
    if isinstance(data, list):
        return [_walked(part, tree, digits, names) for part in data]
    if not isinstance(data, dict):
        return data
    found = {}
    for key, value in data.items():
        below = tree.get(key, tree.get("*"))
        found[key] = _walked(value, below, digits, names) if below else value
        if below == {}:  # the end of a path
            found[f"{key}_decimal"] = None if key in names else _nearest(value, digits)
    return found


def _nearest(value: Any, digits: int) -> Any:
    if isinstance(value, list):
        return [_nearest(part, digits) for part in value]
    return None if value is None else nearest(value, digits)

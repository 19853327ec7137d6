"""Calling somebody's function: what it takes, and what comes of a call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from pfverify.crosscheck.plain import NoNumberError, written
from pfverify.errors import shorten

KEYWORDS = ("delta",)
"""The optional keywords that a function may have."""
_WORDS = 300  # characters of what is said about an error

Function = Callable[..., object]


class SignatureError(Exception):
    """A function cannot be called as its kind is called; the message says how it is."""


def taken(function: Function, positional: Sequence[str]) -> tuple[str, ...]:
    """Return which of `KEYWORDS` a function takes; none where it does not say.

    Raises SignatureError for one that does not take the positional values.
    Example: ``taken(max, ["a", "b"])`` is ``()``.
    """
    try:
        known = inspect.signature(function)
    except (TypeError, ValueError):  # functions of C may not say
        return ()
    called = f"it is called as {shorten(known, 100)}"
    try:
        bound = known.bind(*positional)
    except TypeError as error:
        raise SignatureError(f"{called}: {error}") from None
    for name in KEYWORDS:
        if name in bound.arguments:
            raise SignatureError(f"{called}: {name} has the place of another value")
    return tuple(name for name in KEYWORDS if _binds(known, positional, name))


def _binds(known: inspect.Signature, positional: Sequence[str], name: str) -> bool:
    try:
        known.bind(*positional, **{name: 0.0})
    except TypeError:
        return False
    return True


def replied(
    function: Function,
    values: Sequence[Any],
    named: dict[str, float],
    caught: tuple[type[BaseException], ...] = (BaseException,),
) -> tuple[dict[str, Any], bytes]:
    """Call a function; return the head and the body of its answer, or of what it raised.

    Example: ``replied(min, [0.5, 2.0], {})[0]`` is ``{"numbers": "float64", "shape": []}``.
    """
    try:
        return written(function(*values, **named))
    except NoNumberError as error:
        return {"no_number": str(error)}, b""
    except MemoryError as error:
        return {"memory": said(error)}, b""
    except caught as error:
        return {"raised": said(error)}, b""


def said(error: BaseException) -> str:
    """Return the type and the message of an error, whatever its class does when it is printed.

    Example: ``said(ValueError("no root"))`` is ``"ValueError: no root"``.
    """
    try:
        text = " ".join(str(error).split())
    except BaseException:
        text = ""
    return shorten(f"{type(error).__name__}: {text}".removesuffix(": "), _WORDS)

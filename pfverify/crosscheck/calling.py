"""Calling somebody's function: what comes of a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pfverify.crosscheck.plain import NoNumberError, written
from pfverify.workers.loading import Function, said

KEYWORDS = ("delta",)
"""The optional keywords that a function may have."""


def replied(
    function: Function,
    values: Sequence[Any],
    named: dict[str, float],
    caught: tuple[type[BaseException], ...] = (BaseException,),
    written: Callable[[object], tuple[dict[str, Any], bytes]] = written,
) -> tuple[dict[str, Any], bytes]:
    """Call a function; return the head and the body of its answer, or of what it raised.

    `written` is what writes an answer: as numbers, unless something else is expected.

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

"""The process in which a subject runs: it calls one function as often as it is asked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pfverify.crosscheck.calling import replied
from pfverify.workers import serving


def serve() -> None:
    """Answer requests until there are none, then end this process."""
    serving.serve(lambda function, head, body: replied(function, *_arguments(head, body)))


def _arguments(head: dict[str, Any], body: bytes) -> tuple[list[Any], dict[str, float]]:
    """Return the values and the named numbers of a request."""
    values, start = [], 0
    for shape in head["shapes"]:
        size = 8 * math.prod(shape)
        array = np.frombuffer(body[start : start + size], "<f8").astype(np.float64).reshape(shape)
        values.append(array if shape else float(array))
        start += size
    count = len(values) - len(head["named"])
    return values[:count], dict(zip(head["named"], values[count:], strict=True))

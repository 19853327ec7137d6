"""Draws on their way out of a sampler's process: numbers, or texts where some are names."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pfverify.crosscheck.plain import NoNumberError, single
from pfverify.crosscheck.reply import End, Reply, reply_of
from pfverify.workers.wire import BODY_MOST, BrokenFrameError

_FLOATS = (np.float64, np.float32, np.float16)


@dataclass(frozen=True)
class ReturnedDraws:
    """Draws that a sampler returned: numbers, or texts."""

    draws: NDArray[np.float64] | list[str]


def written_draws(value: object) -> tuple[dict[str, Any], bytes]:
    """Return the head and the body that stand for draws: the nearest float64, or texts.

    Raises NoNumberError, whose words say what was returned instead of a list of draws.
    Example: ``written_draws([0.5])[0]`` is ``{"draws": "numbers"}``.
    """
    if isinstance(value, str | bytes | dict) or not isinstance(value, Iterable):
        raise NoNumberError(f"a {type(value).__name__} instead of a list of draws")
    shape = getattr(value, "shape", (0,))
    if len(shape) != 1:
        raise NoNumberError(f"an array of {len(shape)} dimensions instead of a list of draws")
    if isinstance(value, np.ndarray) and value.dtype in _FLOATS:
        found = value.astype(np.float64)
    else:
        items = value.tolist() if isinstance(value, np.ndarray) else list(value)
        kept = [item if isinstance(item, str) else single(item) for item in items]
        if any(isinstance(item, str) for item in kept):
            body = json.dumps([item if isinstance(item, str) else str(item) for item in kept])
            return {"draws": "texts"}, _bounded(body.encode("ascii"), len(kept))
        found = np.array([_nearest(item) for item in kept], dtype=np.float64)
    return {"draws": "numbers"}, _bounded(found.astype("<f8").tobytes(), len(found))


def read_draws(head: dict[str, Any], body: bytes) -> ReturnedDraws | Reply:
    """Return the draws behind a head and a body, or what came instead of them.

    Raises BrokenFrameError where they state nothing of the kind.
    Example: ``read_draws(*written_draws([0.5])).draws[0]`` is ``0.5``.
    """
    if head.get("draws") == "numbers":
        if len(body) % 8:
            raise BrokenFrameError("numbers of another size than floats have")
        return ReturnedDraws(np.frombuffer(body, "<f8").astype(np.float64))
    if head.get("draws") == "texts":
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            raise BrokenFrameError("texts that are no JSON") from None
        if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
            raise BrokenFrameError("texts that are none")
        return ReturnedDraws(found)
    reply = reply_of(head, body)
    if reply.end is End.ANSWERED:
        raise BrokenFrameError("an answer that is no draws")
    return reply


def _nearest(item: object) -> float:
    try:
        return float(item) if isinstance(item, Fraction | float) else float("nan")
    except OverflowError:
        return float("inf")


def _bounded(body: bytes, count: int) -> bytes:
    if len(body) > BODY_MOST:
        raise NoNumberError(f"{count} draws, more than pfverify reads at once")
    return body

"""The side of a process that answers: its pipe, and its end with whoever started it."""

from __future__ import annotations

import os
import signal
import sys
from typing import IO

_PR_SET_PDEATHSIG = 1


def pipe() -> tuple[IO[bytes], IO[bytes]]:
    """Return the two ends for pfverify: requests and answers.

    What runs here later finds others as its standard streams: what it prints is no answer.
    """
    requests, answers = os.fdopen(_away(0), "rb"), os.fdopen(_away(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return requests, answers


def _away(number: int) -> int:
    """Return a copy of a descriptor that is none of the standard streams."""
    copy = os.dup(number)
    return copy if copy > 2 else _away(copy)


def end_with_parent() -> None:
    """Let Linux end this process when what started it ends, however it ends."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

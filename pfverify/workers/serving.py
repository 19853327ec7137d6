"""The side of a process that answers: its pipe, and its end with whoever started it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import IO, Any

from pfverify.workers.loading import Function, limited, loaded
from pfverify.workers.wire import read, write

_PR_SET_PDEATHSIG = 1
_CLOSED = 74  # EX_IOERR of sysexits.h: the pipe to pfverify is closed


def serve(
    answered: Callable[[Function, dict[str, Any], bytes], tuple[dict[str, Any], bytes]],
    function_of: Callable[[Any], Any] = lambda named: named,
) -> None:
    """Load the function of the first request, answer the others with it, then end this process.

    `function_of` makes a function of what is named and need not be one. The function never sees
    the pipe: what it prints goes to standard error, at any level. It may end this process at any
    time.
    """
    requests, answers = pipe()
    own = os.getpid()
    end_with_parent()
    first = read(requests)
    if first is None:
        os._exit(0)
    unlimited = limited(first[0]["memory"])
    function, reply = loaded(first[0], function_of)
    write(answers, {**reply, "unlimited": unlimited})
    while function is not None and (request := read(requests)) is not None:
        head, body = answered(function, *request)
        _flush()
        if os.getpid() != own:  # the function forked, and this is the copy
            os._exit(0)
        try:
            write(answers, {**head, "id": request[0]["id"]}, body)
        except OSError:  # the function closed what was not its own
            os._exit(_CLOSED)
    os._exit(0)  # without what the function may have left to be done


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # the function closed or replaced it
            continue


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

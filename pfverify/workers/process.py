"""A process that answers frames of the wire: started anew, never forked, ended with its group."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO, Any

from pfverify.errors import InputError
from pfverify.workers import wire

Frame = tuple[dict[str, Any], bytes]
"""A head and a body."""
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
_LEAVING = 2.0  # seconds in which a process ends whose pipe is closed


class SilentError(Exception):
    """No frame came in time."""


class GoneError(Exception):
    """The process closed its pipe, mostly because it ended."""


class Worker:
    """A process and a thread that waits for it, so that the caller need not wait for ever."""

    def __init__(self, serve: str, *, most: int = wire.BODY_MOST) -> None:
        """Start a process that runs the statement `serve` and answers frames of `most` bytes.

        Raises InputError where this Python cannot start another one.
        """
        if not sys.executable:
            raise InputError("this Python does not know its own program, so it starts no process")
        self._most = most
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-c", _START + serve, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if _is_open(2) else subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for pfverify, which ends the whole group
        )
        self._requests: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        self._replies: queue.SimpleQueue[Frame | Exception] = queue.SimpleQueue()
        threading.Thread(target=self._exchange, daemon=True).start()

    @property
    def number(self) -> int:
        """Its number among the processes of this machine."""
        return self._child.pid

    def asked(self, head: dict[str, Any], body: bytes, seconds: float | None = None) -> Frame:
        """Return the frame that answers a request, within so many seconds where they are given.

        Raises SilentError where none came in time, GoneError where the process ended, and
        BrokenFrameError for a request that is too long or an answer that is no frame.
        """
        self._requests.put((head, body))
        try:
            found = self._replies.get(timeout=seconds)
        except queue.Empty:
            raise SilentError from None
        if isinstance(found, Exception):
            raise found
        return found

    def end(self) -> None:
        """Kill the process and its group, and wait for its end."""
        if sys.platform == "win32":
            self._child.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):  # nobody is left in it
                os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        self._requests.put(None)

    def exit_code(self) -> int | None:
        """Wait for the end of a process that left its pipe; None where it went on, and was killed.

        As subprocess has it: below 0 the number of the signal that ended it.
        """
        try:
            code = self._child.wait(_LEAVING)
        except subprocess.TimeoutExpired:
            code = None
        self.end()
        return code

    def _exchange(self) -> None:
        """Write each request and read its reply, until there is no more of either."""
        requests, replies = _opened(self._child.stdin), _opened(self._child.stdout)
        while (request := self._requests.get()) is not None:
            self._replies.put(_exchanged(requests, replies, request, self._most))
        for stream in (requests, replies):
            with suppress(OSError):  # what was not written is lost with the process
                stream.close()


def _opened(stream: IO[bytes] | None) -> IO[bytes]:
    """Return a pipe that the process was started with."""
    if stream is None:
        raise OSError("a process without its pipes")
    return stream


def _exchanged(
    requests: IO[bytes], replies: IO[bytes], request: Frame, most: int
) -> Frame | Exception:
    """Return the reply to a request, or the exception that stands for its absence."""
    try:
        wire.write(requests, *request, most=most)
        return wire.read(replies, most=most) or GoneError()
    except wire.BrokenFrameError as error:
        return error
    except (OSError, ValueError):
        return GoneError()


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True

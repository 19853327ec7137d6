"""Questions answered by several processes of this machine, which end with the one that asks.

They are started anew, never forked, and only text goes between them. Threads here do nothing but
wait for them: the exact core is entered by processes alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from queue import SimpleQueue
from threading import Lock, Thread

from pfverify.many.question import Data

_TRIES = 3  # processes that may be lost on one question
_START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from pfverify.many.worker import main; main()"
)
Arrived = tuple[int, Data]
"""The place of a question, and its answer."""


def answered(questions: Sequence[Data], jobs: int) -> Iterator[Arrived]:
    """Yield the answer to every question as it arrives, from so many processes.

    A process that is lost is replaced, and its question asked again; after a few that is the
    answer, an error of the kind "lost". Whoever stops asking closes this, which ends them all.
    Example: ``list(answered([], 2))`` is ``[]``.
    """
    waiting = deque(enumerate(questions))
    found: SimpleQueue[Arrived | Exception] = SimpleQueue()
    helpers = [_Helper(waiting, found) for _ in range(min(jobs, len(questions)))]
    try:
        for helper in helpers:
            helper.start()
        for _ in questions:
            one = found.get()
            if isinstance(one, Exception):
                raise one
            yield one
    finally:
        for helper in helpers:
            helper.end()


class _EndedError(Exception):
    """Nobody waits for an answer any more."""


class _Helper(Thread):
    """What hands one process a question after the other."""

    def __init__(self, waiting: deque[Arrived], found: SimpleQueue[Arrived | Exception]) -> None:
        super().__init__(daemon=True)
        self._waiting, self._found = waiting, found
        self._lock, self._over = Lock(), False
        self._process: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        """Ask until nothing waits; what goes wrong is put where answers are waited for."""
        try:
            while self._waiting:
                try:
                    place, question = self._waiting.popleft()
                except IndexError:  # another one took it
                    break
                self._found.put((place, self._answer(question)))
            self.end()
        except _EndedError:
            pass
        except Exception as error:
            self._found.put(error)

    def end(self) -> None:
        """End the process, and start none any more."""
        with self._lock:
            self._over = True
            if self._process is not None:
                self._process.kill()
                self._process.wait()

    def _answer(self, question: Data) -> Data:
        line = json.dumps(question).encode("ascii") + b"\n"
        code = 0
        for _ in range(_TRIES):
            process = self._running()
            answer = _asked(process, line)
            if answer.endswith(b"\n"):
                found: Data = json.loads(answer)
                return found
            code = process.wait()  # its output has ended
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        why = f"the process that worked on it ended {_TRIES} times ({how}; out of memory?)"
        return {"error": why, "kind": "lost"}

    def _running(self) -> subprocess.Popen[bytes]:
        """The process, a new one where there is none that runs."""
        with self._lock:
            if self._over:
                raise _EndedError
            if self._process is None or self._process.poll() is not None:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", _START, json.dumps(sys.path)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                )
            return self._process


def _asked(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    """The line that a process answers to a line; without an end where it is lost."""
    if process.stdin is None or process.stdout is None:
        raise TypeError("a process without pipes")
    try:
        process.stdin.write(line)
        process.stdin.flush()
    except OSError:  # its end of the pipe is closed
        return b""
    return process.stdout.readline()

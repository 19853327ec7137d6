"""Questions answered by several processes of this machine, which end with the one that asks.

They are started anew, never forked, and only text goes between them. Threads here do nothing but
wait for them: the exact core is entered by processes alone.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from queue import SimpleQueue
from threading import Lock, Thread

from pfverify.many.question import Data
from pfverify.workers.process import GoneError, Worker
from pfverify.workers.wire import ANY, BrokenFrameError

_TRIES = 3  # processes that may be lost on one question
_SERVE = "from pfverify.many.worker import main; main()"
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
        self._worker: Worker | None = None

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
            if self._worker is not None:
                self._worker.end()

    def _answer(self, question: Data) -> Data:
        body = json.dumps(question).encode("ascii")
        code = 0
        for _ in range(_TRIES):
            worker = self._running()
            try:
                found: Data = json.loads(worker.asked({}, body)[1])
                return found
            except (GoneError, BrokenFrameError):  # without an answer, or within it
                code = worker.exit_code() or 0
                self._worker = None
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        why = f"the process that worked on it ended {_TRIES} times ({how}; out of memory?)"
        return {"error": why, "kind": "lost"}

    def _running(self) -> Worker:
        """The process, a new one where there is none that runs."""
        with self._lock:
            if self._over:
                raise _EndedError
            if self._worker is None:
                self._worker = Worker(_SERVE, most=ANY)
            return self._worker

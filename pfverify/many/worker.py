"""A process that answers questions: in each frame a question as JSON, and its answer.

It ends with the process that started it, whatever becomes of that: its pipe ends.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from queue import SimpleQueue
from typing import IO

from pfverify.workers.serving import pipe
from pfverify.workers.wire import ANY, read, write


def main() -> None:
    """Answer frames until there are none; then leave at once, unfinished or not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks decides what becomes of this
    requests, answers = pipe()
    bodies: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, bodies), daemon=True).start()
    from pfverify.many.answering import answer

    while True:
        found = json.dumps(answer(json.loads(bodies.get()))).encode("ascii")
        write(answers, {}, found, most=ANY)


def _listen(requests: IO[bytes], bodies: SimpleQueue[bytes]) -> None:
    """Pass questions on, and end the process after the last."""
    try:
        while (frame := read(requests, most=ANY)) is not None:
            bodies.put(frame[1])
    finally:  # half a frame too: whoever wrote it is gone
        os._exit(0)

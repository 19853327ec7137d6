"""A process that answers questions: a line of JSON each, from standard input to standard output.

It ends with the process that started it, whatever becomes of that: its standard input ends.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from queue import SimpleQueue


def main() -> None:
    """Answer the lines of standard input until it ends; then leave at once, unfinished or not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks decides what becomes of this
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    lines: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    from pfverify.many.answering import answer

    while True:
        out.write(json.dumps(answer(json.loads(lines.get()))).encode("ascii") + b"\n")
        out.flush()


def _listen(lines: SimpleQueue[bytes]) -> None:
    """Pass lines on, and end the process after the last."""
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(0)

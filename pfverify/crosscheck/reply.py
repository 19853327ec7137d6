"""What comes of one call of a function."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from pfverify.crosscheck.plain import Plain, read
from pfverify.workers.function import words_of


class End(Enum):
    """How a call ended."""

    ANSWERED = "answered"
    NO_NUMBER = "no number"
    RAISED = "raised"
    MEMORY = "memory"
    DIED = "died"
    TIMEOUT = "timeout"


@dataclass(frozen=True)
class Reply:
    """What came of a call: an answer, or words on what came instead of one."""

    end: End
    answer: Plain | None = None
    words: str = ""


_ENDS = {"no_number": End.NO_NUMBER, "raised": End.RAISED, "memory": End.MEMORY}


def reply_of(head: dict[str, Any], body: bytes) -> Reply:
    """Return what a frame says came of a call.

    Raises BrokenFrameError for one that says nothing of the kind.
    Example: ``reply_of({"raised": "ValueError"}, b"").words`` is ``"ValueError"``.
    """
    for key, end in _ENDS.items():
        if key in head:
            return Reply(end, words=words_of(head[key]))
    return Reply(End.ANSWERED, answer=read(head, body))

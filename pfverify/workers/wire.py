"""Frames on the pipe between pfverify and a process of its own: a JSON head, then raw bytes.

Nothing that is read here can run code: there is no pickle, and every length has a limit.
"""

from __future__ import annotations

import json
import struct
from typing import IO, Any

HEAD_MOST = 1 << 14
"""The most bytes of a head."""
BODY_MOST = 1 << 26
"""The most bytes of a body where nothing else is agreed: 8 million numbers."""
ANY = (1 << 32) - 1
"""The most bytes that a frame can say it has."""
_LENGTHS = struct.Struct(">II")


class BrokenFrameError(Exception):
    """What came over the pipe is no frame."""


def write(
    stream: IO[bytes], head: dict[str, Any], body: bytes = b"", *, most: int = BODY_MOST
) -> None:
    """Write a frame, whose body has at most so many bytes, and flush it.

    Raises BrokenFrameError for one that is too long, OSError where nobody reads.
    """
    text = json.dumps(head).encode("ascii")
    if len(text) > HEAD_MOST or len(body) > most:
        raise BrokenFrameError(f"a frame of {len(text)} and {len(body)} bytes is too long")
    stream.write(_LENGTHS.pack(len(text), len(body)) + text)
    stream.write(body)
    stream.flush()


def read(stream: IO[bytes], *, most: int = BODY_MOST) -> tuple[dict[str, Any], bytes] | None:
    """Return the head and the body of the next frame, None at the end of the stream.

    A body has at most so many bytes.

    Raises BrokenFrameError for anything else, before it takes memory for it.
    """
    start = stream.read(_LENGTHS.size)
    if not start:
        return None
    if len(start) < _LENGTHS.size:
        raise BrokenFrameError("the stream ends within a frame")
    size, more = _LENGTHS.unpack(start)
    if size > HEAD_MOST or more > most:
        raise BrokenFrameError("lengths that no frame has")
    text, body = stream.read(size), stream.read(more)
    if len(text) < size or len(body) < more:
        raise BrokenFrameError("the stream ends within a frame")
    try:
        head = json.loads(text)
    except (ValueError, RecursionError):
        raise BrokenFrameError("a head that is no JSON") from None
    if not isinstance(head, dict):
        raise BrokenFrameError("a head that is no JSON object")
    return head, body

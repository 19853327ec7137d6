"""The one loop of rising precision: every number is tried at growing precision up to an end."""

from __future__ import annotations

from collections.abc import Iterator

from pfverify.errors import UndecidedError

MOST_BITS = 1 << 20  # where a number that is known not to be 0 is given up


def rising(
    first: int, last: int = MOST_BITS, *, factor: int = 2, why: str | None = None
) -> Iterator[int]:
    """Yield the working precisions `first`, `factor` * `first`, ... up to `last`, at least one.

    A loop that reaches the end without an answer goes on behind it; with `why` it raises
    UndecidedError, whose message is `why` and the last precision in bits.
    Example: ``list(rising(64, 256))`` is ``[64, 128, 256]``.
    """
    bits = first
    while True:
        yield bits
        if bits * factor > last:
            break
        bits *= factor
    if why is not None:
        raise UndecidedError(f"{why} at {bits} bits")

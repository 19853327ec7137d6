"""Numbers that keep their enclosures: laws are asked again and again at a few precisions."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from pfverify.exact.ball import Ball, current_precision

_KEPT = 4  # precisions


class KeptBalls:
    """A number that `enclosed` encloses anew, and `ball` once at each of the last precisions."""

    @cached_property
    def _balls(self) -> dict[int, Ball]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """Return what is copied to another process: no enclosures."""
        return {name: value for name, value in vars(self).items() if name != "_balls"}

    def enclosed(self) -> Ball:
        """Work out an enclosure at the current precision."""
        raise NotImplementedError

    def ball(self) -> Ball:
        """Return an enclosure at the current precision."""
        bits, known = current_precision(), self._balls
        if bits not in known:
            if len(known) == _KEPT:
                known.pop(next(iter(known)))
            known[bits] = self.enclosed()
        return known[bits]

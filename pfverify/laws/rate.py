"""The exact number 1/scale of exponential noise."""

from __future__ import annotations

from pfverify.exact.ball import Ball
from pfverify.exact.number import Number


class Rate:
    """The exact number 1/scale, as balls and (where it has one) as an `Exponent`.

    `formal` is the exponent in which products and inverses may be symbols: for equalities.
    """

    def __init__(self, scale: Number) -> None:
        self.scale = scale
        self.exponent = self.formal = scale.reciprocal
        if self.formal is None and scale.formal is not None:
            self.formal = scale.formal.inverse()

    def ball(self) -> Ball:
        """Return an enclosure at the current precision."""
        if self.exponent is not None:
            return self.exponent.ball()
        return Ball(1) / self.scale.ball()

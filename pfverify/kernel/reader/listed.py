"""Noise of finitely many perturbations: the law of Y = X + N is worked out, and has masses.

P(Y = y) is the sum over x of P(x) times the mass of y - x under the noise of x.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from core.grammar import Malformed
from core.kinds import Beliefs, Enclosed, Mass, Pairs
from reader.by_secret import Made
from reader.noise import Noise

Law = dict[Fraction, Any]  # output -> its mass


class Listed(Noise):
    """Such noise; a subclass knows its masses."""

    made_of_x = True

    def drawn(self, x: Fraction) -> Iterable[tuple[Fraction, Mass]]:
        """What it adds to a number, and how likely."""
        raise Malformed("noise without its masses")

    def convolved(self, law: object) -> Law:
        """The law of X + N, or such a measure."""
        raise Malformed("noise without its masses")

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """The laws of Y, worked out when a goal asks for them."""
        return {name: Made(of, partial(self._law, of), 2) for name, of in beliefs.items()}

    def _law(self, laws: Mapping[str, Any], secret: str) -> Law | Enclosed:
        law = laws[secret]
        if isinstance(law, Enclosed):
            return Enclosed(self.convolved(law.low), self.convolved(law.high))
        return self.convolved(law)


def drawn(noise: Noise, x: Fraction) -> Iterable[tuple[Fraction, Mass]]:
    """What such noise adds to a number, and how likely."""
    if not isinstance(noise, Listed):
        raise Malformed("noise without its masses")
    return noise.drawn(x)

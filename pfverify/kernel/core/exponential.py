"""What the rules ask of a noise that a problem states: types only."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from core.zero import Form


class Noise(Protocol):
    """Noise with exponential tails."""

    @property
    def rate(self) -> Form:
        """1/scale."""

    @property
    def step(self) -> Fraction | None:
        """Of the lattice that it lives on."""

    @property
    def bound(self) -> Fraction | None:
        """Of its size, where it is truncated."""

    def decay(self, distance: Fraction) -> Form:
        """The exponent of e^(-distance/scale)."""

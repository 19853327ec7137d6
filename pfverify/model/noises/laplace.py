"""Laplace noise."""

from __future__ import annotations

from fractions import Fraction

from pfverify.exact.argument import Number
from pfverify.exact.ball import Raw, raw
from pfverify.model.noises.scale import scale_key
from pfverify.model.releases.release import Noise, every_prior


class Laplace(Noise):
    """Laplace noise: density exp(-|z|/scale) / (2 scale), variance 2 scale**2.

    `scale` (theta or b) has the unit of the released quantity; None where it is to be found, 0 for
    no noise at all. Raises InputError for a negative scale. Example: ``Laplace("51/25")``.
    Source: noise-reduction paper, (3).
    """

    kind = "laplace"
    more_scale = "F2"
    exponential = True
    by_coordinate = True
    adds_up = "1/scale"
    keys = (scale_key("theta or b"),)
    size_name = "scale"
    variance_text = "2*scale**2"

    def __init__(self, scale: Number | None = None) -> None:
        self._keep(**self._values(scale=scale))

    def sd(self, scale: Fraction) -> Raw:
        """Return sqrt(2) times the scale."""
        return raw(2).sqrt() * raw(scale)

    def mean_abs(self, scale: Fraction) -> Fraction:
        """Return the scale."""
        return scale

    check_priors = every_prior

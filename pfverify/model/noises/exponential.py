"""Exponential noise, which is never negative: for a choice among several noisy numbers."""

from __future__ import annotations

from fractions import Fraction

from pfverify.exact.argument import Number
from pfverify.model.noises.scale import scale_key
from pfverify.model.releases.release import Noise, before_a_choice


class Exponential(Noise):
    """Exponential noise: density exp(-z/scale) / scale from 0 on.

    It is decided where the name of one of several noisy numbers is published (as permute-and-flip
    does for the largest); a number with it, published, tells what lies above it.
    Raises InputError for a negative scale. Example: ``Exponential(2).kind`` is ``"exponential"``.
    Source: McKenna and Sheldon 2020; Ding, Kifer, Steinke and others 2021; design fact F77.
    """

    kind = "exponential"
    more_scale = None
    by_coordinate = True
    keys = (scale_key("theta or b"),)
    size_name = "scale"
    variance_text = "scale**2"

    def __init__(self, scale: Number | None = None) -> None:
        self._keep(**self._values(scale=scale))

    def sd(self, scale: Fraction) -> Fraction:
        """Return the scale."""
        return scale

    def mean_abs(self, scale: Fraction) -> Fraction:
        """Return the scale."""
        return scale

    check_priors = before_a_choice

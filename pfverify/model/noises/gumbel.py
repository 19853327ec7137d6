"""Gumbel noise: for a choice among several noisy numbers."""

from __future__ import annotations

from fractions import Fraction

from pfverify.exact.argument import Number
from pfverify.exact.ball import Raw, raw
from pfverify.model.noises.scale import scale_key
from pfverify.model.releases.release import Noise, before_a_choice


class Gumbel(Noise):
    """Gumbel noise: it is at most z with chance exp(-exp(-z/scale)).

    It is decided where the name of one of several noisy numbers is published: of the largest with
    chances in proportion to exp(x/scale), as the exponential mechanism.
    Raises InputError for a negative scale. Example: ``Gumbel(2).kind`` is ``"gumbel"``.
    Source: design fact F83.
    """

    kind = "gumbel"
    more_scale = None
    by_coordinate = True
    keys = (scale_key("theta or b"),)
    size_name = "scale"
    variance_text = "pi**2*scale**2/6"

    def __init__(self, scale: Number | None = None) -> None:
        self._keep(**self._values(scale=scale))

    def sd(self, scale: Fraction) -> Raw:
        """Return pi/sqrt(6) times the scale."""
        return Raw.pi() / raw(6).sqrt() * raw(scale)

    def mean_abs(self, scale: Fraction) -> Raw:
        """Return the scale times Euler's constant and twice the integral of e**-u/u from 1 on."""
        return raw(scale) * (Raw.const_euler() - 2 * raw(-1).ei())

    check_priors = before_a_choice

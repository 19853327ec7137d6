"""Discrete Laplace noise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from pfverify.exact.argument import Number
from pfverify.exact.ball import Raw, raw
from pfverify.model.noises.on_lattice import check_on_lattice, step_key
from pfverify.model.noises.scale import scale_key
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Noise


class DiscreteLaplace(Noise):
    """Discrete Laplace (two-sided geometric) noise on the lattice step * Z.

    Mass (1-t)/(1+t) t**|k| at k*step, with t = exp(-step/scale). Variance
    2 step**2 t/(1-t)**2. All atoms of two compared priors must lie in one coset of step * Z.
    Raises InputError unless scale >= 0 (0: no noise at all) and step is a rational > 0.
    Example: ``DiscreteLaplace("51/25", step=1)``. Source: design fact F12.
    """

    kind = "discrete-laplace"
    more_scale = "F2"
    exponential = True
    by_coordinate = True
    adds_up = "step/scale"
    has_masses = True
    keys = (scale_key("theta or b"), step_key("lattice step of discrete-laplace, > 0"))
    size_name = "scale"
    variance_text = "another than scale**2"
    step: Fraction

    def __init__(self, scale: Number | None = None, step: Number = 1) -> None:
        self._keep(**self._values(scale=scale, step=step))

    def sd(self, scale: Fraction) -> Raw:
        """Return step * sqrt(2 t) / (1 - t) with t = exp(-step/scale)."""
        t = (-raw(self.step / scale)).exp()
        return raw(self.step) * (2 * t).sqrt() / (1 - t)

    def mean_abs(self, scale: Fraction) -> Raw:
        """Return step * 2 t / (1 - t**2) with t = exp(-step/scale)."""
        t = (-raw(self.step / scale)).exp()
        return raw(self.step) * 2 * t / (1 - t * t)

    def check_priors(
        self, beliefs: Mapping[str, Mapping[str, Prior]], pairs: Iterable[tuple[str, str]]
    ) -> None:
        """Raise InputError unless all priors are atoms, those of a pair in one coset."""
        check_on_lattice(beliefs, pairs, self.step, "discrete Laplace noise")

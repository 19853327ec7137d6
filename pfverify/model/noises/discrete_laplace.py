"""Discrete Laplace noise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, ClassVar

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number
from pfverify.exact.ball import Raw, raw
from pfverify.exact.number import printable, rational
from pfverify.model.noises.on_lattice import check_on_lattice
from pfverify.model.noises.scale import noise_scale, text_of
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
    has_masses = True
    keys: ClassVar[Mapping[str, str]] = {
        "scale": "theta or b",
        "step": "lattice step of discrete-laplace, > 0",
    }
    size_name = "scale"
    variance_text = "another than scale**2"
    step: Fraction

    def __init__(self, scale: Number | None = None, step: Number = 1) -> None:
        self._keep(
            scale=None if scale is None else noise_scale(scale),
            step=rational(printable(step, "step"), "step"),
        )
        if self.step <= 0:
            raise InputError(f"step: {shorten(self.step)} is not > 0")

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> DiscreteLaplace:
        """Return the noise of a table, which has a step; its scale may be missing."""
        if "step" not in table:
            raise InputError("step: missing, expected the lattice step of discrete-laplace noise")
        return cls(table.get("scale"), table["step"])

    def to_table(self) -> dict[str, Any]:
        """Return kind, scale and step."""
        scale = {} if self.scale is None else {"scale": self.scale.text}
        return {"kind": self.kind, **scale, "step": str(self.step)}

    def canonical(self) -> dict[str, str | None]:
        """Return kind, scale and step."""
        return {"kind": self.kind, "scale": text_of(self.scale), "step": str(self.step)}

    def with_scale(self, scale: Number) -> DiscreteLaplace:
        """Return the same kind of noise with another scale."""
        return DiscreteLaplace(scale, self.step)

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

    def __repr__(self) -> str:
        scale = "" if self.scale is None else f"{self.scale.text!r}, "
        return f"DiscreteLaplace({scale}step={str(self.step)!r})"

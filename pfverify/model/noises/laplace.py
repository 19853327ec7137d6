"""Laplace noise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, ClassVar

from pfverify.exact.argument import Number
from pfverify.exact.ball import Raw, raw
from pfverify.model.noises.scale import noise_scale, text_of
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Noise


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
    keys: ClassVar[Mapping[str, str]] = {"scale": "theta or b"}
    size_name = "scale"
    variance_text = "2*scale**2"

    def __init__(self, scale: Number | None = None) -> None:
        self._keep(scale=None if scale is None else noise_scale(scale))

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Laplace:
        """Return the noise of a table; its scale may be missing."""
        return cls(table.get("scale"))

    def to_table(self) -> dict[str, Any]:
        """Return kind and scale."""
        return {"kind": self.kind} | ({} if self.scale is None else {"scale": self.scale.text})

    def canonical(self) -> dict[str, str | None]:
        """Return kind and scale."""
        return {"kind": self.kind, "scale": text_of(self.scale), "step": None}

    def with_scale(self, scale: Number) -> Laplace:
        """Return the same kind of noise with another scale."""
        return Laplace(scale)

    def sd(self, scale: Fraction) -> Raw:
        """Return sqrt(2) times the scale."""
        return raw(2).sqrt() * raw(scale)

    def mean_abs(self, scale: Fraction) -> Fraction:
        """Return the scale."""
        return scale

    def check_priors(
        self, beliefs: Mapping[str, Mapping[str, Prior]], pairs: Iterable[tuple[str, str]]
    ) -> None:
        """Accept every prior."""

    def __repr__(self) -> str:
        return f"Laplace({'' if self.scale is None else repr(self.scale.text)})"

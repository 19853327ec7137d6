"""No noise: X itself is released."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NoReturn

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.number import Number
from pfverify.model.releases.release import Noise, every_prior


class NoNoise(Noise):
    """No noise at all: Y = X, the value itself is published.

    It has no scale to give, to change or to find; the other kinds of noise release the same at
    scale 0. Masses are bounded, so that the pointwise form is about P(a) - e**epsilon Q(a).
    Example: ``NoNoise().kind`` is ``"none"``.
    """

    kind = "none"
    more_scale = None
    has_masses = True
    by_coordinate = True
    keys = ()
    size_name = "scale"
    variance_text = "none"

    def __init__(self) -> None:
        self._keep(scale=Number.of_rational(0))

    @classmethod
    def size_words(cls, scale: str) -> tuple[str, str | None]:
        """Return that nothing is added: it has no size."""
        del scale
        return "the value itself is published", None

    def with_scale(self, scale: AnyNumber) -> NoReturn:
        """Refuse: raises InputError, since there is no scale of no noise."""
        raise InputError(
            f"noise.kind: none has no scale {shorten(scale)}; name a kind of noise: laplace, "
            "discrete-laplace or gaussian"
        )

    def sd(self, scale: Fraction) -> Fraction:
        """Return 0."""
        return Fraction(0)

    def mean_abs(self, scale: Fraction) -> Fraction:
        """Return 0."""
        return Fraction(0)

    check_priors = every_prior

    @classmethod
    def check_keys(cls, table: Mapping[str, Any]) -> None:
        """Raise InputError for every key but the kind."""
        for key in table:
            if key != "kind":
                raise InputError(f"{key}: noise of kind none has no {key}, expected kind alone")

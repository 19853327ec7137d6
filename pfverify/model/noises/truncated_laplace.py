"""Laplace noise that is conditioned to stay within a bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number
from pfverify.exact.ball import Raw, raw
from pfverify.model.keys import Key
from pfverify.model.noises.scale import scale_key
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior
from pfverify.model.ranges import positive
from pfverify.model.releases.release import Noise


class TruncatedLaplace(Noise):
    """Laplace noise conditioned on at most `bound` in size.

    Density exp(-|z|/scale) / (2 scale (1 - exp(-bound/scale))) for |z| <= bound, else 0. `scale`
    and `bound` have the unit of the released quantity. Each scale is decided by itself: of a larger
    one nothing is known. Raises InputError unless scale >= 0 and the bound is a rational > 0.
    Example: ``TruncatedLaplace(1, bound=14).bound`` is ``14``. Source: design fact F47.
    """

    kind = "truncated-laplace"
    more_scale = None
    keys = (
        scale_key("theta or b"),
        Key(
            "bound", "of truncated-laplace: the largest size, rational, > 0", needed=True,
            what="the largest size", read=lambda bound: positive(bound, "bound"),
        ),
    )  # fmt: skip
    size_name = "scale"
    variance_text = "less than 2*scale**2"
    bound: Fraction

    def __init__(self, scale: Number | None = None, bound: Number = 1) -> None:
        self._keep(**self._values(scale=scale, bound=bound))

    def sd(self, scale: Fraction) -> Raw:
        """Return the root of (2 b^2 - t (A^2 + 2 A b + 2 b^2)) / (1 - t), t = exp(-A/b)."""
        t, b, bound = (-raw(self.bound / scale)).exp(), raw(scale), raw(self.bound)
        square = 2 * b * b - t * (bound * bound + 2 * bound * b + 2 * b * b)
        return (square / (1 - t)).sqrt()

    def mean_abs(self, scale: Fraction) -> Raw:
        """Return (b - t (A + b)) / (1 - t), t = exp(-A/b)."""
        t, b, bound = (-raw(self.bound / scale)).exp(), raw(scale), raw(self.bound)
        return (b - t * (bound + b)) / (1 - t)

    def check_priors(
        self, beliefs: Mapping[str, Mapping[str, Prior]], pairs: Iterable[tuple[str, str]]
    ) -> None:
        """Raise InputError unless all priors are atoms."""
        del pairs
        for table in beliefs.values():
            for secret, prior in table.items():
                if not isinstance(prior, Discrete | Nothing):
                    raise InputError(
                        f"prior of {shorten(secret)!r}: truncated-laplace noise takes atoms, not a "
                        f"prior of kind {prior.kind}"
                    )

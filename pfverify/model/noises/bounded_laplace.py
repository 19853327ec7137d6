"""Laplace noise whose outputs stay in a window: the law around each value is renormalised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number
from pfverify.exact.ball import Raw
from pfverify.exact.number import printable, rational
from pfverify.model.keys import Key
from pfverify.model.noises.scale import scale_key
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Noise


def _end(name: str) -> Key:
    return Key(
        name, f"of bounded-laplace: the {name}est output, rational", needed=True,
        what=f"the {name}est output", read=lambda end: rational(printable(end, name), name),
    )  # fmt: skip


class BoundedLaplace(Noise):
    """Laplace noise with outputs in [low, high], renormalised there for each value of X.

    Around x in [low, high] the density is exp(-|y-x|/scale) / (2 scale C(x)) on the window, with
    C(x) = 1 - exp(-(x-low)/scale)/2 - exp(-(high-x)/scale)/2, and 0 elsewhere: the noise depends
    on X. Each scale is decided by itself: of a larger one nothing is known.
    Raises InputError unless scale >= 0 (0: no noise at all) and low < high are rational.
    Example: ``BoundedLaplace(1, low=0, high=10).high`` is ``10``.
    Source: Holohan, Antonatos, Braghin and Mac Aonghusa 2018; design fact F81.
    """

    kind = "bounded-laplace"
    more_scale = None
    alone = True
    keys = (scale_key("theta or b"), _end("low"), _end("high"))
    size_name = "scale"
    variance_text = "another than 2*scale**2"
    low: Fraction
    high: Fraction

    def __init__(
        self, scale: Number | None = None, low: Number = 0, high: Number = 1
    ) -> None:
        self._keep(**self._values(scale=scale, low=low, high=high))
        if self.low >= self.high:
            raise InputError(
                f"high: {shorten(self.high)} is not above low = {shorten(self.low)}"
            )

    @property
    def independent(self) -> bool:
        """False: near an end of the window the noise is another one."""
        return False

    def sd(self, scale: Fraction) -> Raw:
        """Return the root of the mean square error of a value at an end, the largest of all."""
        return self._at_an_end.sd(scale)

    def mean_abs(self, scale: Fraction) -> Raw:
        """Return the mean error of a value at an end, the largest."""
        return self._at_an_end.mean_abs(scale)

    @property
    def _at_an_end(self) -> TruncatedLaplace:
        """Noise whose size is as likely: it goes as far to both sides as this to one."""
        return TruncatedLaplace(self.scale, self.high - self.low)

    def check_priors(
        self, beliefs: Mapping[str, Mapping[str, Prior]], pairs: Iterable[tuple[str, str]]
    ) -> None:
        """Raise InputError unless all priors are atoms in the window."""
        del pairs
        for table in beliefs.values():
            for secret, prior in table.items():
                if not isinstance(prior, Discrete):
                    raise InputError(
                        f"prior of {shorten(secret)!r}: bounded-laplace noise takes atoms, not a "
                        f"prior of kind {prior.kind}"
                    )
                for atom in (prior.atoms[0], prior.atoms[-1]):
                    if not self.low <= atom <= self.high:
                        raise InputError(
                            f"prior of {shorten(secret)!r}: atom {shorten(atom)} is not in the "
                            f"window from {shorten(self.low)} to {shorten(self.high)} of the noise"
                        )

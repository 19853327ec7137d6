"""Discrete Laplace noise that is conditioned to stay within a bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.ball import Raw, raw
from pfverify.exact.number import Number
from pfverify.model.channels.channel import MAX_IRRATIONAL
from pfverify.model.channels.entries import Entry, difference, product, quotient, total
from pfverify.model.keys import Key
from pfverify.model.noises.on_lattice import check_on_lattice, step_key
from pfverify.model.noises.scale import scale_key
from pfverify.model.priors.prior import Prior
from pfverify.model.ranges import positive
from pfverify.model.releases.release import Noise

_ONE, _TWO = Fraction(1), Fraction(2)
_MOST = MAX_IRRATIONAL // 2 - 1  # steps


class TruncatedDiscreteLaplace(Noise):
    """Discrete Laplace noise conditioned on at most `bound` in size, a multiple of the step.

    Mass (1-t)/(1+t-2t**(n+1)) t**|k| at k*step for |k| <= n, with t = exp(-step/scale) and
    n = bound/step. Each scale is decided by itself: of a larger one nothing is known. All atoms of
    two compared priors must lie in one coset of step * Z. Raises InputError unless scale >= 0
    (0: no noise at all), and unless step and bound are rationals > 0, the one a multiple of the
    other. Example: ``TruncatedDiscreteLaplace(1, bound=14).reach`` is ``14``.
    Source: design fact F80.
    """

    kind = "truncated-discrete-laplace"
    more_scale = None
    has_masses = True
    keys = (
        scale_key("theta or b"),
        step_key("and of truncated-discrete-laplace, > 0"),
        Key(
            "bound", "of truncated-discrete-laplace: a multiple of the step, > 0", needed=True,
            what="the largest size", read=lambda bound: positive(bound, "bound"),
        ),
    )  # fmt: skip
    size_name = "scale"
    variance_text = "another than scale**2"
    step: Fraction
    bound: Fraction

    def __init__(
        self, scale: AnyNumber | None = None, step: AnyNumber = 1, bound: AnyNumber = 1
    ) -> None:
        self._keep(**self._values(scale=scale, step=step, bound=bound))
        if (self.bound / self.step).denominator != 1:
            raise InputError(
                f"bound: {shorten(self.bound)} is no multiple of the step {shorten(self.step)}, "
                "expected one: the noise is at most so many steps"
            )
        if self.reach > _MOST:
            raise InputError(
                f"bound: {shorten(self.bound)} is {shorten(self.reach)} steps, at most {_MOST} are "
                "worked out"
            )

    @property
    def reach(self) -> int:
        """The largest number of steps."""
        return int(self.bound / self.step)

    def _power(self, steps: int) -> Entry:
        """t**steps."""
        if not steps:
            return _ONE
        return (Number.of_rational(-steps * self.step) / self.stated_scale()).exp()

    @cached_property
    def by_steps(self) -> list[Entry]:
        """The mass of 0, 1, ... n steps in one direction, exact."""
        powers = [self._power(k) for k in range(self.reach + 2)]
        whole = difference(total([_ONE, powers[1]]), product(_TWO, powers[-1]))
        return [
            quotient(difference(power, after), whole)
            for power, after in pairwise(powers)
        ]

    def sd(self, scale: Fraction) -> Raw:
        """Return step * root of 2 (t + 4 t**2 + ... + n**2 t**n) (1-t)/(1+t-2t**(n+1))."""
        t, n = (-raw(self.step / scale)).exp(), self.reach
        top = 1 + t - t**n * ((n + 1) ** 2 - (2 * n * n + 2 * n - 1) * t + n * n * t * t)
        return raw(self.step) * (2 * t * top / ((1 - t) ** 2 * self._whole(t))).sqrt()

    def mean_abs(self, scale: Fraction) -> Raw:
        """Return step * 2 (t + 2 t**2 + ... + n t**n) (1-t)/(1+t-2t**(n+1))."""
        t, n = (-raw(self.step / scale)).exp(), self.reach
        top = 1 - t**n * (n + 1 - n * t)
        return raw(self.step) * 2 * t * top / ((1 - t) * self._whole(t))

    def _whole(self, t: Raw) -> Raw:
        return 1 + t - 2 * t ** (self.reach + 1)

    def check_priors(
        self, beliefs: Mapping[str, Mapping[str, Prior]], pairs: Iterable[tuple[str, str]]
    ) -> None:
        """Raise InputError unless all priors are atoms, those of a pair in one coset."""
        check_on_lattice(beliefs, pairs, self.step, "truncated discrete Laplace noise")

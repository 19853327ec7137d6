"""Noise that is added to the released quantity."""

from __future__ import annotations

from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number, number, rational


def positive_scale(value: object, name: str = "scale") -> Number:
    """Return an exact number proved to be > 0.

    Raises InputError for a number that is not positive, or whose sign cannot be decided.
    """
    scale = number(value, name)
    sign = scale.sign()
    if sign is None:
        raise InputError(f"{name}: cannot decide whether {shorten(scale.text)} is > 0")
    if sign <= 0:
        what = "is exactly 0" if sign == 0 else "is negative"
        raise InputError(f"{name}: {shorten(scale.text)} {what}, expected a number > 0")
    return scale


class Laplace:
    """Laplace noise: density exp(-|z|/scale) / (2 scale), variance 2 scale**2.

    `scale` (theta or b) has the unit of the released quantity; None where it is to be found.
    Raises InputError unless scale > 0. Example: ``Laplace("51/25")``.
    Source: noise-reduction paper, (3).
    """

    kind = "laplace"
    step: Fraction | None = None

    def __init__(self, scale: object | None = None) -> None:
        self.scale = None if scale is None else positive_scale(scale)

    def with_scale(self, scale: object) -> Laplace:
        """Return the same kind of noise with another scale."""
        return Laplace(scale)

    def __repr__(self) -> str:
        return f"Laplace({'' if self.scale is None else repr(self.scale.text)})"


class DiscreteLaplace:
    """Discrete Laplace (two-sided geometric) noise on the lattice step * Z.

    Mass (1-t)/(1+t) t**|k| at k*step, with t = exp(-step/scale). Variance
    2 step**2 t/(1-t)**2. All atoms of two compared priors must lie in one coset of step * Z.
    Raises InputError unless scale > 0 and step is a rational > 0.
    Example: ``DiscreteLaplace("51/25", step=1)``. Source: design fact F12.
    """

    kind = "discrete-laplace"

    def __init__(self, scale: object | None = None, step: object = 1) -> None:
        self.scale = None if scale is None else positive_scale(scale)
        self.step = rational(step, "step")
        if self.step <= 0:
            raise InputError(f"step: {shorten(self.step)} is not > 0")

    def with_scale(self, scale: object) -> DiscreteLaplace:
        """Return the same kind of noise with another scale."""
        return DiscreteLaplace(scale, self.step)

    def __repr__(self) -> str:
        scale = "" if self.scale is None else f"{self.scale.text!r}, "
        return f"DiscreteLaplace({scale}step={str(self.step)!r})"


Noise = Laplace | DiscreteLaplace

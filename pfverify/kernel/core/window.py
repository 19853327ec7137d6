"""Laplace noise that is renormalised in a window of outputs (F81).

An atom x of mass m counts as one of mass m/(2 C(x)), with C(x) the mass around it in the window:
twice all mass of the sums of `sweep` is then 1.  Exact sums are times the product of all 2 C(x).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from core.zero import NIL, Sum, add, multiply

if TYPE_CHECKING:
    from core.interfaces import Noise


def within(noise: Noise, x: Fraction) -> Sum:
    """2 C(x) = 2 - e^(-(x-low) rho) - e^(-(high-x) rho)."""
    low, high = noise.window or (x, x)
    found: Sum = {NIL: Fraction(2)}
    for far in (x - low, high - x):
        found = add(found, {noise.decay(far) if far else NIL: Fraction(-1)})
    return found


def others(noise: Noise, atoms: Iterable[Fraction], x: Fraction | None = None) -> Sum:
    """The product of 2 C(y) over some atoms y but x: positive, for common denominators."""
    found: Sum = {NIL: Fraction(1)}
    for y in atoms:
        if y != x:
            found = multiply(found, within(noise, y))
    return found

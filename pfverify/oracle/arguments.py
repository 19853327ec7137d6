"""What the oracle is asked, read exactly: one number or many, floats only where they are meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Generic, Literal, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from pfverify.answers.outcome import checked_digits
from pfverify.errors import InputError, listed, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.number import Number, number, rational
from pfverify.model.kinds import PRIORS, of_a_kind
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.mixture import Mixture
from pfverify.model.priors.prior import Component, Prior
from pfverify.results import DEFAULT_DIGITS

T = TypeVar("T")
V = TypeVar("V")
Shape = tuple[int, ...]
Numbers = AnyNumber | float | Sequence[AnyNumber | float] | NDArray[Any]
"""One number or many; floats only with ``exact=True``."""
Columns = tuple[Numbers, Numbers] | tuple[Numbers, Numbers, Numbers]
"""(atoms, masses), or (weights, means, variances), with ``exact=True``."""
AnyPrior = Prior | Columns


class _Options(TypedDict, total=False):
    scale: Numbers | None
    digits: int
    exact: bool


class Enclosing(_Options, total=False):
    """What every question may be asked with, for enclosures; described at `density`."""

    nearest: Literal[False]


class Rounding(_Options):
    """The same for floats."""

    nearest: Literal[True]


class EnclosingBoth(Enclosing, total=False):
    """The same for two priors, which have two orders."""

    both: bool


class RoundingBoth(Rounding, total=False):
    """The same for floats."""

    both: bool


@dataclass(frozen=True)
class Wanted:
    """The options of a question, described at `density`; InputError for what is none.

    Example: ``Wanted(nearest=True).digits`` is ``12``.
    """

    scale: Numbers | None = None
    digits: int = DEFAULT_DIGITS
    nearest: bool = False
    exact: bool = False

    def __post_init__(self) -> None:
        checked_digits(self.digits)
        for name in ("nearest", "exact"):
            _check_flag(getattr(self, name), name)


@dataclass(frozen=True)
class WantedBoth(Wanted):
    """The options of a question about two priors; `both`: of the worse one of two orders.

    Example: ``WantedBoth(both=True).both`` is ``True``.
    """

    both: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_flag(self.both, "both")


def _check_flag(value: object, name: str) -> None:
    """Raise InputError for a flag that is not True or False."""
    if not isinstance(value, bool):
        raise InputError(f"{name}: expected True or False, got {shorten(value)!r}")


@dataclass(frozen=True)
class AskedValues(Generic[T]):
    """The values that were asked for, in order, and the shape of the array that they came in.

    `shape` is () for a single value.
    """

    values: list[T]
    shape: Shape

    def each(self, read: Callable[[T], V]) -> AskedValues[V]:
        """Return what is read of every value, in the same shape."""
        return AskedValues([read(value) for value in self.values], self.shape)


def numbers(value: object, name: str, *, exact: bool) -> AskedValues[Number]:
    """Return exact numbers: of one number, a sequence, or an array of numpy.

    With `exact` a float is the rational number that it is.
    Raises InputError for a float otherwise, for nan and infinities, and for what is no number.
    Example: ``numbers(["1/2", 1], "epsilon", exact=False).shape`` is ``(2,)``.
    """
    asked = _flat(value, name)
    return asked.each(lambda one: _number(one, name, exact=exact))


def rationals(value: object, name: str, *, exact: bool) -> AskedValues[Fraction]:
    """Return rational numbers, read as by `numbers`.

    Raises InputError for a number that is not written as a rational one, too.
    Example: ``rationals("1/2", "y", exact=False).values`` is ``[Fraction(1, 2)]``.
    """
    return _flat(value, name).each(lambda one: _rational(one, name, exact=exact))


def names(value: object, name: str) -> AskedValues[str]:
    """Return names of outputs: one, or a sequence of them.

    Raises InputError for what is no name.
    Example: ``names(["a", "b"], "y").shape`` is ``(2,)``.
    """
    asked = _flat(value, name)
    for one in asked.values:
        if not isinstance(one, str):
            raise InputError(f"{name}: {shorten(one)} is not the name of an output of the channel")
    return asked.each(str)


def prior_of(value: object, name: str, *, exact: bool) -> Prior:
    """Return a prior as a problem keeps it.

    With `exact` also of arrays of floats: a tuple (atoms, masses), or (weights, means, variances)
    of normal laws; masses and weights are divided by their exact sum.
    Raises InputError for anything else, and naming what is wrong with the numbers.
    Example: ``prior_of(([0, 1], [0.5, 0.5]), "p", exact=True)`` is
    ``Discrete({0: "1/2", 1: "1/2"})``.
    """
    if exact and isinstance(value, tuple):
        return _of_arrays(value, name).normal_form()
    return of_a_kind(value, PRIORS, name).normal_form()


def _of_arrays(columns: tuple[object, ...], name: str) -> Prior:
    if len(columns) not in (2, 3):
        raise InputError(
            f"{name}: expected (atoms, masses) or (weights, means, variances), got "
            f"{len(columns)} arrays"
        )
    read = [rationals(listed(column, name, "arrays"), name, exact=True) for column in columns]
    lengths = {len(column.values) for column in read}
    if any(len(column.shape) != 1 for column in read) or len(lengths) != 1:
        raise InputError(f"{name}: expected arrays of one dimension and the same length")
    if lengths == {0}:
        raise InputError(f"{name}: the arrays are empty, expected at least one entry")
    if len(read) == 2:
        atoms, masses = (column.values for column in read)
        return Discrete(counts=list(zip(atoms, _whole(masses, name), strict=True)))
    weights, means, variances = (column.values for column in read)
    shares = _whole(weights, name)
    total = sum(shares)
    rows = zip(shares, means, variances, strict=True)
    return Mixture([Component(Fraction(w, total), *row) for w, *row in rows])


def _whole(masses: list[Fraction], name: str) -> list[int]:
    """Masses in whole numbers of a unit."""
    if min(masses) < 0:
        raise InputError(f"{name}: {shorten(min(masses))} is negative, expected masses >= 0")
    unit = lcm(*{mass.denominator for mass in masses})
    if not any(masses):
        raise InputError(f"{name}: the masses are all 0")
    return [mass.numerator * (unit // mass.denominator) for mass in masses]


def _flat(value: object, name: str) -> AskedValues[Any]:
    """The entries of a sequence or an array; anything else is one entry."""
    if isinstance(value, np.ndarray):
        if not value.size:
            raise InputError(f"{name}: the array is empty")
        plain = value.dtype.kind in "iuf" and value.dtype != np.longdouble
        return AskedValues(value.ravel().tolist() if plain else list(value.ravel()), value.shape)
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        if not len(value):
            raise InputError(f"{name}: the sequence is empty")
        if any(isinstance(one, list | tuple | np.ndarray) for one in value):
            raise InputError(f"{name}: a sequence of sequences; expected an array of numpy")
        return AskedValues(list(value), (len(value),))
    if hasattr(value, "__array__") and not np.isscalar(value):
        return _flat(np.asarray(value), name)
    return AskedValues([value], ())


def _number(value: object, name: str, *, exact: bool) -> Number:
    if isinstance(value, float | np.floating):
        return Number.of_rational(_of_float(value, name, exact=exact))
    return number(value, name)


def _rational(value: object, name: str, *, exact: bool) -> Fraction:
    if isinstance(value, float | np.floating):
        return _of_float(value, name, exact=exact)
    if type(value) is int or type(value) is Fraction:
        return Fraction(value)
    return rational(value, name)


def _of_float(value: float | np.floating[Any], name: str, *, exact: bool) -> Fraction:
    if not np.isfinite(value):
        raise InputError(f"{name}: {value} is not finite")
    if not exact:
        raise InputError(
            f"{name}: {value} is a float, which is not the number you wrote; give it as text "
            f'("{value}") or as a Fraction, or say exact=True to take it as the rational it is'
        )
    return Fraction(*value.as_integer_ratio())

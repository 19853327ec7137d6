"""Rigorous balls (Arb): the only module of the project that has to do with flint's precision.

`flint.ctx.prec` is one global of the process; `precision` is the only place that sets it, and it
keeps other threads out until it has restored it: threads take turns, only processes run side by
side.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce

import flint
from flint import arb, ctx, fmpq

from pfverify.exact.answer import Answer
from pfverify.exact.rising import rising

Raw = arb
"""The raw ball type, for inner loops. A raw comparison that is False decides nothing."""

_ROUNDING = arb(2.0**-52)  # of a float that is nearest to a number, and of its ball
_NOTHING = arb(1e-300)  # what is below it underflows in few products
_NARROW = 2  # radius up to which Arb's exp of a ball is tight
_FAR = 1 << 12  # binary places of a number that is no longer written as a whole one over another
_LARGE = 64  # arguments of erfc beyond this are evaluated at their ends
_TURNS = (
    "several threads are at work, and take turns: the precision of python-flint is one global of "
    "the process. To work side by side use processes: --jobs, or pfverify.many"
)
FLINT_VERSION: str = flint.__version__


class _Turn:
    """The lock of the thread whose turn it is; a forked child starts with a free one."""

    lock = threading.RLock()
    owner: int | None = None  # the thread that has it, as far as another one can see
    depth = 0  # blocks of it that have not ended
    said = False  # whether it was said that a thread had to wait

    @classmethod
    def renew(cls) -> None:
        cls.lock, cls.owner = threading.RLock(), None

    @classmethod
    def said_once(cls) -> None:
        """Say that threads take turns, the first time that one has to wait."""
        if not cls.said:
            cls.said = True
            warnings.warn(_TURNS, RuntimeWarning, stacklevel=4)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Turn.renew)


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work at `bits` bits inside a ``with`` block and restore the precision afterwards.

    One thread at a time: another one waits here until the outermost block has ended, and the
    first one that does is warned that threads gain nothing.
    """
    me, other = threading.get_ident(), _Turn.owner
    if other not in (None, me):
        _Turn.said_once()
    with _Turn.lock:
        owner, depth, before = _Turn.owner, _Turn.depth, int(ctx.prec)
        try:  # nothing is called between here and the end, so that no interrupt comes between
            _Turn.owner, _Turn.depth = me, depth + 1
            ctx.prec = bits
            yield
        finally:  # a block that an interrupt keeps from its end may end after the one around it
            if _Turn.depth > depth:
                ctx.prec = before
                _Turn.owner, _Turn.depth = owner, depth


def current_precision() -> int:
    """Return the working precision in bits."""
    return int(ctx.prec)


def raw(value: int | Fraction) -> arb:
    """Return an enclosure of an exact number as a raw ball at the current precision."""
    if isinstance(value, int):
        return arb(value)
    return arb(fmpq(value.numerator, value.denominator))


def raw_quotient(above: int, below: int) -> arb:
    """Return an enclosure of a quotient of whole numbers, as `raw` does of a Fraction.

    Example: ``raw_quotient(1, 2) == raw(Fraction(1, 2))`` is True.
    """
    return arb(fmpq(above, below))


def raw_float(value: float, radius: float = 0.0) -> arb:
    """Return exactly the number that a float is, as a raw ball, or one of a radius around it."""
    return arb(value, radius) if radius else arb(value)


def float_near(value: arb) -> float | None:
    """Return the float nearest to a number, proved to be off by at most 2**-52 of it; else None.

    Example: ``float_near(raw(1) / 4)`` is ``0.25``.
    """
    found = float(value)
    return found if abs(arb(found) - value) <= abs(value) * _ROUNDING else None


def proved_float(power: arb) -> float | None:
    """Return `float_near` of a number > 0, or 0 where it is below 1e-300; else None."""
    value = float_near(power)
    return 0.0 if value is None and power < _NOTHING else value


def proved_floats(powers: Iterable[arb]) -> list[float] | None:
    """Return `proved_float` of every number; None where it is None of one."""
    found = [proved_float(power) for power in powers]
    known = [value for value in found if value is not None]
    return known if len(known) == len(found) else None


def rounded(values: Sequence[int]) -> list[arb]:
    """Return raw balls around integers >= 0 with hardly more bits than the current precision.

    What is worked out at that precision from integers of many more bits then costs no more than
    from short ones. The first b + 2 bits of a number are off by less than 2**-(b + 1) of it.
    Example: ``rounded([2**5000 + 1])[0].rad() > 0`` is True.
    """
    bits = ctx.prec + 2
    shifts = [max(value.bit_length() - bits, 0) for value in values]
    firsts = [value >> shift for value, shift in zip(values, shifts, strict=True)]
    return scaled(firsts, shifts, arb(2) ** (1 - bits), 1)


def scaled(
    integers: Iterable[int], exponents: Iterable[int], error: arb, factor: int
) -> list[arb]:
    """Return raw balls around factor m 2**e of these integers, which are off by `error` of it.

    The error is a ball, as no float is as small as that of a few thousand bits.
    Example: ``scaled([3], [-1], raw(0), 2)`` is ``[3]``.
    """
    unit = arb(1, error) * factor
    return [arb(pair) * unit for pair in zip(integers, exponents, strict=True)]


def around(value: int, radius: int) -> arb:
    """Return a raw ball around an integer, which is exact, of any size."""
    return arb(value, radius)


def erfc(value: arb) -> arb:
    """Return an enclosure of the complementary error function, tight for huge arguments too.

    Arb's own is (rightly, but uselessly) wide for a large argument that is not a single number;
    erfc falls, so its ends enclose it.
    """
    if abs(value) < _LARGE or not value.is_finite():
        return value.erfc()
    return value.lower().erfc().union(value.upper().erfc())


def exp_range(value: arb) -> arb:
    """Return an enclosure of e to a wide ball, tight at its upper end.

    Arb bounds e to a wide ball with 30-bit bounds, which lose a factor for huge arguments; e to a
    number grows, so the ends enclose it.
    """
    if value.rad() < _NARROW:
        return value.exp()
    return value.lower().exp().union(value.upper().exp())


class Ball:
    """A real number known to lie in an interval; arithmetic keeps the enclosure.

    Comparisons are methods that return an `Answer`; there is no ``<`` on purpose.
    """

    __slots__ = ("raw",)

    def __init__(self, value: arb | int | Fraction) -> None:
        self.raw: arb = value if isinstance(value, arb) else raw(value)

    def __add__(self, other: Ball) -> Ball:
        return Ball(self.raw + other.raw)

    def __sub__(self, other: Ball) -> Ball:
        return Ball(self.raw - other.raw)

    def __mul__(self, other: Ball) -> Ball:
        return Ball(self.raw * other.raw)

    def __truediv__(self, other: Ball) -> Ball:
        return Ball(self.raw / other.raw)

    def __neg__(self) -> Ball:
        return Ball(-self.raw)

    def exp(self) -> Ball:
        """Return an enclosure of e to this number."""
        return Ball(self.raw.exp())

    def log(self) -> Ball:
        """Return an enclosure of the natural logarithm (nan when the ball reaches 0)."""
        return Ball(self.raw.log())

    def sqrt(self) -> Ball:
        """Return an enclosure of the square root (nan when the ball reaches below 0)."""
        return Ball(self.raw.sqrt())

    def normal_cdf(self) -> Ball:
        """Return an enclosure of P(Z <= this number) for a standard normal Z."""
        return Ball(erfc(-self.raw / arb(2).sqrt()) / 2)

    @staticmethod
    def pi() -> Ball:
        """Return an enclosure of pi."""
        return Ball(arb.pi())

    def is_positive(self) -> Answer:
        """Say whether the number is > 0."""
        if self.raw > 0:
            return Answer.YES
        if self.raw <= 0:
            return Answer.NO
        return Answer.UNKNOWN

    def is_negative(self) -> Answer:
        """Say whether the number is < 0."""
        return (-self).is_positive()

    def is_less(self, other: Ball) -> Answer:
        """Say whether this number is < the other."""
        return (other - self).is_positive()

    def certain_sign(self) -> int | None:
        """Return 1 or -1 where the sign is proved, else None (never 0)."""
        if self.raw > 0:
            return 1
        return -1 if self.raw < 0 else None

    def ends(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Return the exact ends as ``(mantissa, exponent of 2)``; None unless finite."""
        if not self.raw.is_finite():
            return None
        return dyadic(self.raw.lower()), dyadic(self.raw.upper())

    def midpoint(self) -> float:
        """Return a float near the number: a proposal, never a verdict."""
        return float(self.raw.mid())

    def __repr__(self) -> str:
        return f"Ball({self.raw.str(15)})"


def dyadic(value: arb) -> tuple[int, int]:
    """Return an exact finite raw ball as ``(mantissa, exponent)``, value = mantissa * 2**exponent.

    Raises ValueError when the ball is not a single dyadic number.
    """
    mantissa, exponent = value.man_exp()
    return int(mantissa), int(exponent)


def fraction_of(end: tuple[int, int]) -> Fraction:
    """Return the number of a mantissa and an exponent of 2, as `dyadic` and `Ball.ends` give it.

    Example: ``fraction_of((3, -1))`` is ``Fraction(3, 2)``.
    """
    mantissa, exponent = end
    return Fraction(mantissa << exponent if exponent > 0 else mantissa, 1 << max(-exponent, 0))


def whole_ends(value: arb) -> tuple[int, int, int] | None:
    """Return whole numbers, over a power of two, around a number > 0 that is not far from 1.

    None of another one. Example: ``whole_ends(raw(1) / 4)`` is ``(1, 1, 4)``.
    """
    if not (value > 0 and value.is_finite()):
        return None
    (low, one), (high, other) = dyadic(value.lower()), dyadic(value.upper())
    power = min(one, other, 0)
    if power < -_FAR or max(one, other) > _FAR:
        return None
    return low << (one - power), high << (other - power), 1 << -power


def lower_end(value: arb) -> arb:
    """Return the lower end of a raw ball as an exact raw ball."""
    return value.lower()


def upper_end(value: arb) -> arb:
    """Return the upper end of a raw ball as an exact raw ball."""
    return value.upper()


def largest(values: Iterable[arb]) -> arb:
    """Return an enclosure of the largest of some numbers, one at least."""
    return reduce(arb.max, values)


def relative_bits(value: Ball) -> int:
    """Return to how many bits a ball tells its number (about; negative where it tells none)."""
    return int(value.raw.rel_accuracy_bits())


def ceiling(value: arb) -> int | None:
    """Return the least integer >= a raw ball that is one number; None where it is none."""
    found = value.ceil().unique_fmpz()
    return None if found is None else int(found)


def rising_sign(number: Callable[[], Ball], first: int, last: int) -> int | None:
    """Return the sign (1 or -1) of a number evaluated at doubling precision, None if never proved.

    `number` is called at `first`, 2 `first`, ... up to `last` bits.
    Example: ``rising_sign(lambda: Ball(3).log() - Ball(1), 64, 1024)`` is ``1``.
    """
    for bits in rising(first, last):
        with precision(bits):
            sign = number().certain_sign()
        if sign is not None:
            return sign
    return None


def power_of_ten(exponent: int) -> arb:
    """Return an enclosure of 10**exponent at the current precision (exponent of any size)."""
    if abs(exponent) < 4096:
        return raw(Fraction(10) ** exponent)
    with precision(ctx.prec + exponent.bit_length() + 16):
        return (arb(10).log() * exponent).exp()


def floor_log10(value: arb) -> int | None:
    """Return floor(log10 |value|), give or take one; None for 0 or a ball that reaches it."""
    magnitude = abs(value)
    if not magnitude > 0:
        return None
    with precision(max(ctx.prec, 128)):
        position = (magnitude.log() / arb(10).log()).mid().floor().unique_fmpz()
    return None if position is None else int(position)

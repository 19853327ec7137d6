"""Numbers of results: they order and convert as numbers, and print the text that is published.

`Exact` is a fraction, `Infinite` an infinity, `Irrational` a number that only an expression
writes. Each also equals its own text, as in ``minimum.upper == "inf"`` (with the hash of the
number: do not mix them with texts as keys).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from decimal import ROUND_05UP, Decimal, InvalidOperation, localcontext
from fractions import Fraction
from numbers import Rational
from typing import Any, NoReturn

from pfverify.errors import InputError, UndecidedError, shorten
from pfverify.exact.ball import precision
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import Number

_PADDED = r"(?:.?[<>^])?(?:[1-9][0-9]*)?s?"  # formats the text as text
_FORMAT_DIGITS = 1100  # of a number that is formatted
_FLOAT_BITS = 80  # of an expression that becomes a float

Relation = Callable[[Any, Any], bool]


class _Ordered:
    """What orders by one comparison, which `_compared` works out, and is shown by its text."""

    __slots__ = ()

    def _compared(self, other: Any, relation: Relation) -> bool:
        """Return whether this number has the relation to another; NotImplemented for no number."""
        raise NotImplementedError

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Any) -> bool:
        return self._compared(other, operator.ge)

    def __repr__(self) -> str:
        return shorten(str(self))


class Exact(_Ordered, Fraction):
    """A rational number that prints as it is published: as a decimal, or as a fraction.

    Comparisons are exact, arithmetic gives plain Fractions, and ``float()`` the nearest float (an
    infinite one where it is too large). A decimal becomes a quotient of integers only when those
    are asked for, so that one such as 1e-40000000 costs nothing.
    Raises ValueError for text that is neither a decimal nor a fraction.
    Example: ``str(Exact("0.50") + 0)`` is ``"1/2"``; ``f"{Exact('2.04'):.1f}"`` is ``"2.0"``.
    """

    __slots__ = ("_decimal", "_text")
    _decimal: Decimal | None
    _text: str | None
    _numerator: int
    _denominator: int

    def __new__(cls, value: str | Fraction) -> Exact:
        """Take the text, or a number whose text is worked out where it is asked for."""
        self = object.__new__(cls)
        self._decimal = None
        if isinstance(value, str):
            self._text = value
            if "/" in value:
                self._keep(Fraction(value))
            else:
                self._decimal = _finite(value)
        else:
            self._text = None
            self._keep(value)
        return self

    def _keep(self, value: Fraction) -> None:
        """Set what a Fraction consists of."""
        self._numerator, self._denominator = value.numerator, value.denominator

    def __getattr__(self, name: str) -> Any:
        """Work out the integers of a decimal when they are first read."""
        if name not in ("_numerator", "_denominator") or self._decimal is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self._keep(Fraction(self._decimal))
        return object.__getattribute__(self, name)

    def __str__(self) -> str:
        if self._text is None:
            self._text = decimal_text(Fraction(self))
        return self._text

    def __format__(self, spec: str) -> str:
        """Format the text where only a width is given, else the number."""
        if _is_padding(spec):
            return format(str(self), spec)
        with localcontext(prec=_FORMAT_DIGITS, rounding=ROUND_05UP):  # keeps which way to round
            value = Decimal(self.numerator) / Decimal(self.denominator)
        return format(value, spec)

    def __float__(self) -> float:
        if self._decimal is not None:
            return float(self._decimal)
        try:
            return super().__float__()
        except OverflowError:
            return float("inf") if self > 0 else float("-inf")

    def __bool__(self) -> bool:
        return self != 0

    def __hash__(self) -> int:  # type: ignore[override]  # typeshed has none for its base
        return Fraction.__hash__(self) if self._decimal is None else hash(self._decimal)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return str(self) == other
        return self._compared(other, operator.eq)

    def _compared(self, other: Any, relation: Relation) -> bool:
        if type(other) is Exact:
            left, right = self._decimal, other._decimal
            if left is not None and right is not None:  # at once, however small they are
                return relation(left, right)
        known = isinstance(other, Rational | Decimal | float)
        return relation(_comparable(self), _comparable(other)) if known else NotImplemented

    def _mpmath_(self, precision: int, rounding: str) -> str:
        """What mpmath reads at its own precision."""
        del precision, rounding
        return str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        value = Fraction(self) if self._text is None else self._text
        return Exact, (value,)

    def __copy__(self) -> Exact:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Exact:
        return self


class Infinite(float):
    """Plus or minus infinity, printed "inf" or "-inf".

    Raises ValueError for any other text. Example: ``Infinite("inf") > 10**9`` is True.
    """

    def __new__(cls, text: str) -> Infinite:
        """Take the text."""
        if text not in ("inf", "-inf"):
            raise ValueError(f"{shorten(text)!r} is not infinite")
        return super().__new__(cls, text)

    def __str__(self) -> str:
        return "inf" if self > 0 else "-inf"

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return str(self) == other if isinstance(other, str) else super().__eq__(other)

    def __hash__(self) -> int:
        return super().__hash__()

    def __reduce__(self) -> tuple[Any, ...]:
        return Infinite, (str(self),)


class Irrational(_Ordered, Number):
    """A number that is written as an expression, such as log(3).

    It orders against numbers exactly; ``==`` compares what is written.
    Raises UndecidedError where an order cannot be decided.
    Example: ``Irrational(Number.parse("log(3)")) > 1`` is True.
    """

    def __init__(self, number: Number) -> None:
        """Take the number."""
        super().__init__(
            number.tree, number.linear, number.ratio, number.reciprocal, operands=number.operands
        )

    def __str__(self) -> str:
        return self.text

    def __format__(self, spec: str) -> str:
        """Format the expression where only a width is given, else about its value."""
        return format(str(self) if _is_padding(spec) else float(self), spec)

    def __float__(self) -> float:
        with precision(_FLOAT_BITS):
            return float(self.ball().raw.mid())

    def _sympy_(self) -> NoReturn:
        """Refuse to become a number of sympy, which would be a float, and decide by it."""
        raise InputError(f"sympy would round {shorten(self)}: write it on the left, or its float()")

    def __hash__(self) -> int:
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        return self.text == other if isinstance(other, str) else super().__eq__(other)

    def _compared(self, other: Any, relation: Relation) -> bool:
        sign = sign_of_difference(self, other)
        return NotImplemented if sign is None else relation(sign, 0)


Extended = Exact | Infinite
"""A published decimal or fraction, or an infinity: an extended real number."""
Real = Exact | Irrational
"""A published number that may only have an expression."""


def extended(value: str | Fraction | Infinite) -> Extended:
    """Return a published number from its text ("inf" and "-inf" are infinite), or as it is.

    Example: ``extended("0.556756")`` is ``"0.556756"``; ``extended("inf") > 3`` is True.
    """
    if isinstance(value, (Exact, Infinite)):  # a union would be made anew each time
        return value
    if value in ("inf", "-inf"):
        return Infinite(str(value))
    return Exact(value)


def order_keys(values: Sequence[Extended]) -> Sequence[Any]:
    """Return what sorts as published numbers do, at once where all are decimals or infinite.

    Example: ``order_keys([extended("0.5")])`` is ``[Decimal("0.5")]``.
    """
    found = [
        Decimal(str(value)) if isinstance(value, Infinite) else value._decimal for value in values
    ]
    return values if None in found else found


def real(number: Number) -> Real:
    """Return a number of the problem as results have it.

    Example: ``real(Number.parse("1/2"))`` is ``"1/2"``.
    """
    return Irrational(number) if number.fraction is None else Exact(number.text)


def latex_of(number: Extended) -> str:
    """Return a decimal as LaTeX, its power of ten apart.

    Example: ``latex_of(extended("-0.5"))`` is ``"-0.5"``.
    """
    text = str(number).replace("inf", "\\infty")
    digits, mark, power = text.partition("e")
    return f"{digits} \\cdot 10^{{{power}}}" if mark else text


def sign_of_difference(left: Exact | Irrational, right: object) -> int | None:
    """Return the sign of left - right; None where `right` is no number that can be compared.

    Raises UndecidedError where it cannot be decided.
    """
    if isinstance(right, float):  # only an infinite one: the others are not what was written
        return None if abs(right) != float("inf") else -1 if right > 0 else 1
    if not isinstance(right, Rational | Decimal | Number):
        return None
    difference = _number(left) - _number(right)
    sign = difference.sign()
    if sign is None:
        raise UndecidedError(f"cannot decide the sign of {shorten(difference.text)}")
    return sign


def _is_padding(spec: str) -> bool:
    """Whether a format is about the text alone: a width and a side, or nothing."""
    return not spec or re.fullmatch(_PADDED, spec, re.DOTALL) is not None


def _number(value: Any) -> Number:
    return value if isinstance(value, Number) else Number.of_rational(Fraction(value))


def _finite(text: str) -> Decimal:
    try:
        found = Decimal(text)
    except InvalidOperation:
        raise ValueError(f"{shorten(text)!r} is not a decimal") from None
    if not found.is_finite():
        raise ValueError(f"{shorten(text)!r} is not finite")
    return found


def _comparable(value: Any) -> Any:
    """A number that compares exactly, and at once however small it is."""
    if isinstance(value, Exact):
        return Fraction(value) if value._decimal is None else value._decimal
    return value

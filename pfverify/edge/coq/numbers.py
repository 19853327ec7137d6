"""Exact numbers as `proofs/coq/Numbers.v` writes them, and the bases of their logarithms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from pfverify.errors import InputError
from pfverify.exact.coprime import coprime_base
from pfverify.exact.number import Number
from pfverify.exact.trees import Tree

_DECIMAL = 10**40  # from here on hexadecimal: coqc reads decimal digits in quadratic time
_FUNCTIONS = {"exp": "Exp", "log": "Log", "sqrt": "Sqrt"}


def integer(value: int) -> str:
    """Return an integer as Coq reads it, hexadecimal where it is long.

    Example: ``integer(-3)`` is ``"-3"``.
    """
    return str(value) if abs(value) < _DECIMAL else hex(value)


def coq_number(number: Number) -> str:
    """Return a number as an expression in the scope of numbers.

    Raises InputError for what no problem file can write.
    Example: ``coq_number(Number.parse("3/log(3)"))`` is ``"(3 / Log 3)%number"``.
    """
    return f"{_argument(_expression(number.tree))}%number"


def coq_decimal(text: str) -> str:
    """Return a decimal as the quotient by a power of ten that it is, digit for digit.

    Example: ``coq_decimal("1.150")`` is ``"(1150 / 1000)%number"``.
    """
    digits, _, power = text.lower().partition("e")
    whole, _, places = digits.partition(".")
    shift = int(power or 0) - len(places)
    top = int(whole + places)
    if shift >= 0:
        return f"{integer(top * 10**shift)}%number"
    return f"({integer(top)} / {integer(10**-shift)})%number"


def logarithm_bases(numbers: Iterable[Number]) -> list[int]:
    """Return coprime whole numbers > 1 over which the logarithms and roots in numbers are written.

    Example: ``logarithm_bases([Number.parse("log(12)"), Number.parse("log(9/2)")])`` is
    ``[2, 3]``.
    """
    found = (value for number in numbers for value in _inside(number.tree, within=False))
    return coprime_base(part for value in found for part in (abs(value.numerator),
                                                             value.denominator))  # fmt: skip


def _inside(tree: Tree, *, within: bool) -> Iterator[Fraction]:
    """The rationals that are written inside logarithms and roots."""
    kind, *parts = tree
    if isinstance(parts[0], Fraction):
        if within:
            yield parts[0]
        return
    for part in parts:
        yield from _inside(part, within=within or kind in ("log", "sqrt"))  # type: ignore[arg-type]


def _expression(tree: Tree) -> str:
    kind, *parts = tree
    if isinstance(parts[0], Fraction):
        return _rational(parts[0])
    operands: list[Tree] = parts  # type: ignore[assignment]
    if kind in _FUNCTIONS:
        return f"{_FUNCTIONS[str(kind)]} {_argument(_expression(operands[0]))}"
    inner = [_operand(part) for part in operands]
    if kind == "-" and len(inner) == 1:
        return f"- {inner[0]}"
    if kind in ("+", "-", "*", "/"):
        return f"{inner[0]} {kind} {inner[1]}"
    raise InputError(f"--coq: there is no Coq expression for {kind!r}")


def _rational(value: Fraction) -> str:
    if value.denominator == 1:
        return integer(value.numerator)
    return f"{_argument(integer(value.numerator))} / {integer(value.denominator)}"


def _argument(text: str) -> str:
    return text if text.isalnum() else f"({text})"


def _operand(tree: Tree) -> str:
    """Applications bind tighter than every operator."""
    text = _expression(tree)
    return text if tree[0] in _FUNCTIONS else _argument(text)

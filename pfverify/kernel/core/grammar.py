"""Numbers as text: fractions, decimals, and the one canonical text of each number.

Whatever else is a number is read by `expressions`, and folded here: subtrees without exp, log and
sqrt to one reduced fraction, and so is the root of the square of a fraction.
"""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from core.terms import Expression

MAX_EXPONENT = 4096  # of scientific notation
MAX_BITS = 14_284  # of a numerator or denominator: at most 4300 decimal digits

LITERAL = r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?"
WORDS = ("exp", "log", "sqrt")


class Malformed(Exception):  # noqa: N818
    """The input is not what its format says."""


def shown(value: object, limit: int = 60) -> str:
    """A value as printable ASCII on one line; a long one is cut, and then its digest tells it
    from others that begin alike."""
    text = value if isinstance(value, str) else str(value)
    quoted = json.dumps(text[:limit])
    if len(text) <= limit:
        return quoted
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return f'{quoted[:-1]}... (sha256 {mark})"'


Number: TypeAlias = "Fraction | Expression"


def canonical(x: Number) -> str:
    """`p` or `p/q` for fractions, else the parenthesised text of the tree."""
    return str(x) if isinstance(x, Fraction) else x.text()


def bounded(x: Fraction) -> Fraction:
    """x, if it is short enough to be printed."""
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > MAX_BITS:
        raise Malformed("a number has more than 4300 digits")
    return x


def combine(op: str, *args: Number) -> Number:
    """The operation, folded when every argument is a fraction."""
    rational = [a for a in args if isinstance(a, Fraction)]
    if op == "sqrt" and rational and rational[0] >= 0:
        p, q = isqrt(rational[0].numerator), isqrt(rational[0].denominator)
        if Fraction(p * p, q * q) == rational[0]:
            return Fraction(p, q)
    if len(rational) < len(args) or op in WORDS:
        from core.terms import MAX_DEPTH, MAX_SIZE, Expression

        found = Expression(op, args)
        if found.depth > MAX_DEPTH or found.size > MAX_SIZE:
            raise Malformed("a number's expression is too deep or too long")
        return found
    if op == "neg":
        return -rational[0]
    a, b = rational
    if op == "/" and b == 0:
        raise Malformed("division by zero in a number")
    return bounded(a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b)


def literal(digits: str, exponent: str | None) -> Fraction:
    """An unsigned decimal literal of a number, exactly."""
    return bounded(scientific(digits, exponent, MAX_EXPONENT))


def scientific(digits: str, exponent: str | None, most: int) -> Fraction:
    """digits times ten to the exponent, of magnitude at most `most`."""
    whole, _, decimals = digits.partition(".")
    power = (exponent or "").lstrip("+-0") or "0"
    if len(power) > len(str(most)) or int(power) > most:
        raise Malformed(f"a scientific exponent beyond {most}")
    if len(whole) + len(decimals) > 4300:
        raise Malformed("a number has more than 4300 digits")
    tens = int(power) * (-1 if "-" in (exponent or "") else 1) - len(decimals)
    return Fraction(int(whole + decimals) * 10 ** max(tens, 0), 10 ** max(-tens, 0))


def unsigned(text: str, what: str, most: int = MAX_EXPONENT) -> Fraction:
    """The value of a text that is one literal, with an exponent up to `most`, and nothing else."""
    match = re.fullmatch(LITERAL, text)
    if match is None:
        raise Malformed(f"{what} must be a decimal")
    return scientific(match[1], match[2], most)

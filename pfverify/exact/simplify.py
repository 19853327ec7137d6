"""Exact numbers as people write them, and whether a number is rational after all.

A text is only proposed here: it is read back, and used where it is proved to be the same number.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor, gcd, lcm

from pfverify.errors import InputError
from pfverify.exact.ball import fraction_of, precision
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.number import Number
from pfverify.exact.trees import OF_TWO, Tree

_BITS = 256  # at which a rational candidate is looked for
_SIMPLE = 1 << 64  # numerator and denominator of a candidate are smaller
_TERMS = 8  # longer sums keep the text that they came with
_LONG = 10**40  # larger coefficients do too
_SQUARES = 100  # squares of numbers up to this are taken out of a root
_SUM, _PRODUCT, _ATOM = range(3)  # how tightly a text binds

Piece = tuple[str, int]
"""A text and how tightly its outermost operation binds."""


def rational_value(number: Number) -> Fraction | None:
    """Return the rational number that this one is proved to equal; None where none is found.

    Found are rationals by their form, and those of up to 19 digits by the exact zero test.
    Example: ``rational_value(number("log(9)/log(3)"))`` is ``2``; of ``log(2)`` it is None.
    """
    if number.fraction is not None:
        return number.fraction
    if number.linear is not None and (value := number.linear.as_rational()) is not None:
        return value
    with precision(_BITS):
        ends = number.ball().ends()
    if ends is None or max(abs(exponent) for _, exponent in ends) > 4 * _BITS:
        return None
    found = simplest_between(*map(fraction_of, ends))
    if max(abs(found.numerator), found.denominator) >= _SIMPLE:
        return None
    return found if _same(number, Number.of_rational(found)) else None


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the least denominator in [low, high].

    Example: ``simplest_between(Fraction(49, 100), Fraction(51, 100))`` is ``1/2``.
    """
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    # matrix of the continued fraction: value = (a x + b) / (c x + d), x in [low, high]
    a, b, c, d = 1, 0, 0, 1
    while (whole := low.__ceil__()) > high:
        below = whole - 1
        a, b, c, d = a * below + b, a, c * below + d, c
        low, high = 1 / (high - below), 1 / (low - below)
    return Fraction(a * whole + b, c * whole + d)


def simple_text(number: Number) -> str:
    """Return a short text of the number, in the number grammar: it reads back as the same number.

    Example: ``simple_text(number("1/2+exp(log(7/4)*(1/2))"))`` is ``"(1+sqrt(7))/2"``.
    """
    plain = number.text
    try:
        text = _piece(number.tree)[0]
        again = Number.parse(text)
    except InputError:  # the rewriting went beyond a size
        return plain
    return text if len(text) <= len(plain) and _same(number, again) else plain


def _same(number: Number, other: Number) -> bool:
    """Whether two numbers are proved equal: by one of their exact forms, or their difference."""
    if number == other:
        return True
    for form, its in ((number.linear, other.linear), (number.reciprocal, other.reciprocal)):
        if form is not None and its is not None and (form == its or (form - its).sign() == 0):
            return True
    try:
        return (number - other).sign() == 0
    except InputError:  # the difference would be too long
        return False


def _piece(tree: Tree) -> Piece:
    """Write a number: as a sum of logarithms or of powers where it is one, else as it was made."""
    number = _of_tree(tree)
    for form in (_linear_piece, _ratio_piece, _reciprocal_piece):
        found = form(number)
        if found is not None:
            return found
    kind, *rest = tree
    if number.fraction is not None:  # too long for the forms above
        text = str(number.fraction)
        return text, _SUM if text[0] == "-" else _PRODUCT if "/" in text else _ATOM
    parts: list[Piece] = [_piece(part) for part in rest if isinstance(part, tuple)]
    if kind in ("exp", "log", "sqrt"):
        return f"{kind}({parts[0][0]})", _ATOM
    if len(parts) == 1:  # a minus sign
        return f"-{_within(parts[0], _PRODUCT)}", _SUM
    return _joined(kind, *parts)


def _of_tree(tree: Tree) -> Number:
    kind, *rest = tree
    if isinstance(rest[0], Fraction):
        return Number.of_rational(rest[0])
    parts = [_of_tree(part) for part in rest if isinstance(part, tuple)]
    named = {"exp": Number.exp, "log": Number.log, "sqrt": Number.sqrt}
    if isinstance(kind, str) and kind in named:
        return named[kind](parts[0])
    if len(parts) == 1 and kind == "-":
        return -parts[0]
    if len(parts) == 2 and kind in OF_TWO:
        found: Number = OF_TWO[kind](*parts)
        return found
    raise InputError(f"{kind} has no text in the number grammar")


def _within(piece: Piece, binding: int) -> str:
    """The text as an operand of an operation that binds this tightly."""
    return piece[0] if piece[1] >= binding else f"({piece[0]})"


def _joined(kind: object, left: Piece, right: Piece) -> Piece:
    if kind in ("+", "-"):
        return f"{left[0]}{kind}{_within(right, _PRODUCT)}", _SUM
    return f"{_within(left, _PRODUCT)}{kind}{_within(right, _ATOM)}", _PRODUCT


def _linear_piece(number: Number) -> Piece | None:
    """A rational plus logarithms, over one denominator."""
    terms = None if number.linear is None else _logarithms(number.linear)
    return None if terms is None else _over_one(terms)


def _reciprocal_piece(number: Number) -> Piece | None:
    """One over a rational plus logarithms."""
    terms = None if number.reciprocal is None else _logarithms(number.reciprocal)
    return None if terms is None else _quotient({"": Fraction(1)}, terms)


def _ratio_piece(number: Number) -> Piece | None:
    """A quotient of sums of powers."""
    if number.ratio is None:
        return None
    top, bottom = (_powers(part) for part in number.ratio)
    return None if top is None or bottom is None else _quotient(top, bottom)


def _logarithms(value: Exponent) -> dict[str, Fraction] | None:
    """{"": rational, "log(3/2)": coefficient, ...}; None where sums are inside logarithms."""
    sizes: dict[Fraction, Fraction] = {}
    terms: dict[str, Fraction] = {}
    for key, coefficient in value.parts.items():
        if key is None:
            terms[""] = coefficient
        elif isinstance(key, int):
            size, base = abs(coefficient), Fraction(key)
            sizes[size] = sizes.get(size, Fraction(1)) * (base if coefficient > 0 else 1 / base)
        else:
            return None
    for size, base in sizes.items():
        if base != 1:
            terms[f"log({max(base, 1 / base)})"] = size if base > 1 else -size
    return terms if _is_short(terms) else None


def _powers(total: ExpSum) -> dict[str, Fraction] | None:
    """{"": rational, "exp(1)*sqrt(2)": coefficient, ...}; None where sums are in exponents."""
    canonical = total.canonical()
    if canonical is None or len(canonical.terms) > _TERMS:
        return None
    terms: dict[str, Fraction] = {}
    for exponent, coefficient in canonical.terms.items():
        factors, inside = [], 1
        for key, power in exponent.parts.items():
            if key is None:
                factors.append(f"exp({power})")
                continue
            if not isinstance(key, int):
                return None
            whole = floor(power)
            coefficient *= Fraction(key) ** whole
            if power - whole == Fraction(1, 2):
                inside *= key
            elif power != whole:
                factors.append(f"exp({_over_one({f'log({key})': power - whole})[0]})")
        outside, inside = _without_squares(inside)
        if inside > 1:
            factors.append(f"sqrt({inside})")
        name = "*".join(sorted(factors))
        terms[name] = terms.get(name, Fraction(0)) + coefficient * outside
    return terms if _is_short(terms) else None


def _without_squares(value: int) -> tuple[int, int]:
    """(a, b) with value = a**2 b, small squares taken out."""
    outside = 1
    for factor in range(2, _SQUARES):
        while value % (factor * factor) == 0:
            value, outside = value // (factor * factor), outside * factor
    return outside, value


def _is_short(terms: Mapping[str, Fraction]) -> bool:
    return len(terms) <= _TERMS and all(
        max(abs(c.numerator), c.denominator) < _LONG for c in terms.values()
    )


def _over_one(terms: Mapping[str, Fraction]) -> Piece:
    """The sum over one common denominator."""
    return _quotient(terms, {"": Fraction(1)})


def _quotient(top: Mapping[str, Fraction], bottom: Mapping[str, Fraction]) -> Piece:
    """The quotient of two sums, with integer coefficients without a common factor."""
    if not any(top.values()):
        return "0", _ATOM
    everything = [c for c in (*top.values(), *bottom.values()) if c]
    content = Fraction(gcd(*(c.numerator for c in everything)),
                       lcm(*(c.denominator for c in everything)))
    if all(c < 0 for c in bottom.values()):
        content = -content
    numerator, denominator = (
        _sum({name: int(c / content) for name, c in side.items() if c}) for side in (top, bottom)
    )
    return numerator if denominator[0] == "1" else _joined("/", numerator, denominator)


def _sum(terms: Mapping[str, int]) -> Piece:
    """A sum with integer coefficients: what is added before what is taken away."""
    texts = []
    for name, c in sorted(terms.items(), key=lambda term: (term[1] < 0, term[0])):
        size = "" if abs(c) == 1 and name else str(abs(c))
        texts.append(("-" if c < 0 else "+") + "*".join(filter(None, (size, name))))
    text = "".join(texts).removeprefix("+")
    if len(texts) > 1 or text.startswith("-"):
        return text, _SUM
    return text, _PRODUCT if "*" in text else _ATOM

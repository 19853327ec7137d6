"""Between sympy expressions and the exact layer: numbers, balls, and decided relations.

Nothing here goes through a float or through sympy's own evaluation: an expression tree is walked
once, either with exact numbers or with balls. Text is never handed to sympy.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, TypeVar

import sympy

from pfverify.errors import InputError, shorten
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, Raw, erfc, precision
from pfverify.exact.expsum import CAP_BITS
from pfverify.exact.number import Number
from pfverify.exact.rising import rising
from pfverify.exact.search import UndecidedError
from pfverify.scales.normal_tail import erfc_inverse, lambert_w0

Expr = Any
"""A sympy expression (sympy has no type stubs)."""

Values = Mapping[str, Number]
"""Name of a symbol -> its exact value."""

_FIRST_BITS = 128
_SIGNS = {
    sympy.StrictLessThan: (-1,),
    sympy.LessThan: (-1, 0),
    sympy.StrictGreaterThan: (1,),
    sympy.GreaterThan: (0, 1),
    sympy.Equality: (0,),
    sympy.Unequality: (-1, 1),
}


_UNARY: dict[str, Callable[[Expr], Expr]] = {
    "exp": sympy.exp, "log": sympy.log, "sqrt": sympy.sqrt, "1/": lambda x: 1 / x,
    "-": operator.neg,
}  # fmt: skip
_BINARY: dict[str, Callable[[Expr, Expr], Expr]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip


def from_fraction(value: Fraction | int) -> Expr:
    """Return a rational number as a sympy Rational. Example: ``from_fraction(2)`` is ``2``."""
    value = Fraction(value)
    return sympy.Rational(value.numerator, value.denominator)


def from_number(value: Number) -> Expr:
    """Return an exact number as a sympy expression.

    Example: ``from_number(Number.parse("3/log(3)"))`` is ``3/log(3)``.
    """
    return _from_tree(value.tree)


def _from_tree(tree: tuple[Any, ...]) -> Expr:
    kind, *rest = tree
    if kind == "rational":
        return from_fraction(rest[0])
    parts = [_from_tree(part) for part in rest]
    if len(parts) == 1 and kind in _UNARY:
        return _UNARY[kind](parts[0])
    if len(parts) == 2 and kind in _BINARY:
        return _BINARY[kind](*parts)
    raise InputError(f"a number with {kind} is not translated: expected + - * / exp log sqrt")


def to_number(expression: Expr, values: Values) -> Number:
    """Return the exact number that an expression is at these values.

    Raises InputError for a missing value, a division by zero, or a function outside exp, log,
    Abs, Max, Min and Piecewise; UndecidedError where a comparison inside cannot be decided.
    Example: ``to_number(sympy.Symbol("y") / 2, {"y": number(3)}).fraction`` is ``3/2``.
    """
    return _Walk(values, lambda value: value, _larger_number, {}).at(expression)


def to_ball(expression: Expr, values: Values) -> Ball:
    """Return an enclosure, at the current precision, of an expression at these values.

    Branches of a Piecewise are chosen by exact decisions only. The ball is not finite where the
    precision does not separate a divisor from 0. Besides the functions of `to_number` it knows pi,
    erfc, erfcinv on (0, 1), and the main branch of LambertW on (0, inf). Raises as `to_number`.
    """
    return _Walk(values, Number.ball, lambda a, b: Ball(a.raw.max(b.raw)), _BALLS).at(expression)


_BALLS: dict[Any, Callable[..., Ball]] = {
    sympy.pi: lambda: Ball(Raw.pi()),
    sympy.sqrt: lambda x: x.sqrt(),
    sympy.erfc: lambda x: Ball(erfc(x.raw)),
    sympy.erfcinv: lambda x: Ball(erfc_inverse(x.raw)),
    sympy.LambertW: lambda x: Ball(lambert_w0(x.raw)),
}
"""What has a ball but no exact number."""


def decide(relation: Expr, values: Values) -> Answer:
    """Say whether a relation holds at these values; ties are decided exactly (design, F3).

    `relation` is a comparison, a membership in the integers, or And, Or, Not of such. UNKNOWN
    only where the sign of a difference lies outside the exact classes.
    Raises as `to_number`.
    Example: ``decide(sympy.Symbol("y") < 3, {"y": number(3)})`` is ``Answer.NO``.
    """
    if relation == sympy.true:
        return Answer.YES
    if relation == sympy.false:
        return Answer.NO
    if isinstance(relation, sympy.Not):
        return _negated(decide(relation.args[0], values))
    if isinstance(relation, sympy.And):
        return all_of(decide(part, values) for part in relation.args)
    if isinstance(relation, sympy.Or):
        return _negated(all_of(_negated(decide(part, values)) for part in relation.args))
    if isinstance(relation, sympy.Contains) and relation.args[1] == sympy.S.Integers:
        return _is_integer(to_number(relation.args[0], values))
    signs = _SIGNS.get(type(relation))
    if signs is None:
        raise InputError(f"condition {shorten(relation)}: expected a comparison")
    left, right = (to_number(side, values) for side in relation.args)
    sign = (left - right).sign()
    if sign is None:
        return Answer.UNKNOWN
    return Answer.YES if sign in signs else Answer.NO


def _negated(answer: Answer) -> Answer:
    return {Answer.YES: Answer.NO, Answer.NO: Answer.YES}.get(answer, Answer.UNKNOWN)


def all_of(answers: Iterable[Answer]) -> Answer:
    """Return the conjunction of three-valued answers: NO where one is, YES where all are.

    Example: ``all_of([Answer.YES, Answer.UNKNOWN])`` is ``Answer.UNKNOWN``.
    """
    found = list(answers)
    if any(answer is Answer.NO for answer in found):
        return Answer.NO
    return Answer.YES if all(answer is Answer.YES for answer in found) else Answer.UNKNOWN


def _is_integer(value: Number) -> Answer:
    """Say whether a number is an integer: the only candidates are those that its ball meets."""
    if value.fraction is not None:
        return Answer.YES if value.fraction.denominator == 1 else Answer.NO
    for bits in rising(_FIRST_BITS, CAP_BITS):
        with precision(bits):
            ends = value.ball().ends()
        if ends is not None:
            low, high = (mantissa * Fraction(2) ** power for mantissa, power in ends)
            inside = range(low.__ceil__(), high.__floor__() + 1)
            if len(inside) <= 1:
                signs = [(value - Number.of_rational(n)).sign() for n in inside]
                if None in signs:
                    return Answer.UNKNOWN
                return Answer.YES if 0 in signs else Answer.NO
    return Answer.UNKNOWN


def _larger_number(left: Number, right: Number) -> Number:
    sign = (left - right).sign()
    if sign is None:
        raise UndecidedError(
            f"cannot decide which of {shorten(left.text)} and {shorten(right.text)} is larger"
        )
    return left if sign >= 0 else right


T = TypeVar("T", Number, Ball)


def _product(left: T, right: T) -> T:
    """Return left * right; exactly 0 where a factor is, whatever the other one's class."""
    if isinstance(left, Number) and left.fraction == 0:
        return left
    if isinstance(right, Number) and right.fraction == 0:
        return right
    return left * right


class _Walk(Generic[T]):
    """One pass over an expression; exact numbers and balls share their operators."""

    def __init__(
        self,
        values: Values,
        wrap: Callable[[Number], T],
        larger: Callable[[T, T], T],
        special: Mapping[Any, Callable[..., T]],
    ) -> None:
        self.values = values
        self.special: Mapping[Any, Callable[..., T]] = special
        self.wrap: Callable[[Number], T] = wrap
        self.larger: Callable[[T, T], T] = larger

    def at(self, expr: Expr) -> T:
        if expr.is_Rational:
            return self.rational(Fraction(int(expr.p), int(expr.q)))
        if expr.is_Symbol:
            return self.symbol(expr)
        if expr == sympy.E:
            return self.rational(1).exp()
        if isinstance(expr, sympy.exp):
            return self.at(expr.args[0]).exp()
        if isinstance(expr, sympy.log) and len(expr.args) == 1:
            return self.at(expr.args[0]).log()
        if expr.is_Pow:
            return self.power(*expr.args)
        if isinstance(expr, sympy.Piecewise):
            return self.at(self.branch(expr))
        if expr in self.special:
            return self.special[expr]()
        parts = [self.at(part) for part in expr.args]
        if expr.is_Add:
            return self.halved(parts, lambda a, b: a + b)
        if expr.is_Mul:
            return self.halved(parts, _product)
        if isinstance(expr, sympy.Abs):
            return self.larger(parts[0], -parts[0])
        if isinstance(expr, sympy.Max):
            return self.halved(parts, self.larger)
        if isinstance(expr, sympy.Min):
            return -self.halved([-part for part in parts], self.larger)
        if expr.func in self.special and len(parts) == 1:
            return self.special[expr.func](*parts)
        raise InputError(
            f"cannot evaluate {shorten(expr)}: expected rational numbers, symbols, + * / and "
            "powers, exp, log, Abs, Max, Min, Piecewise; in enclosures also pi, erfc, erfcinv, "
            "LambertW"
        )

    def rational(self, value: Fraction | int) -> T:
        return self.wrap(Number.of_rational(value))

    def symbol(self, symbol: Expr) -> T:
        if symbol.name not in self.values:
            raise InputError(f"{symbol.name}: missing, expected its value")
        return self.wrap(self.values[symbol.name])

    def power(self, base: Expr, exponent: Expr) -> T:
        if exponent == sympy.S.Half and sympy.sqrt in self.special:
            return self.special[sympy.sqrt](self.at(base))
        if exponent == -sympy.S.Half and sympy.sqrt in self.special:
            return self.rational(1) / self.special[sympy.sqrt](self.at(base))
        if not exponent.is_Integer:
            return (self.at(exponent) * self.at(base).log()).exp()
        factor, count = self.at(base), abs(int(exponent))
        result = self.rational(1)
        while count:
            if count & 1:
                result = result * factor
            count >>= 1
            if count:
                factor = factor * factor
        return result if exponent > 0 else self.rational(1) / result

    def halved(self, parts: Sequence[T], join: Callable[[T, T], T]) -> T:
        """Join many parts by halves, so that the tree of operations stays low."""
        if len(parts) == 1:
            return parts[0]
        half = len(parts) // 2
        return join(self.halved(parts[:half], join), self.halved(parts[half:], join))

    def branch(self, expr: Expr) -> Expr:
        for value, condition in expr.args:
            answer = decide(condition, self.values)
            if answer is Answer.YES:
                return value
            if answer is Answer.UNKNOWN:
                raise UndecidedError(f"cannot decide whether {shorten(condition)} here")
        raise InputError(f"no branch of {shorten(expr)} covers these values")

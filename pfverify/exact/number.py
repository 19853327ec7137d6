"""Text to exact number: the one door through which numbers enter the project.

Grammar: integers, decimals, fractions, scientific notation, ``exp( )``, ``log( )``, ``sqrt( )``,
``+ - * /`` and parentheses. Nothing is ever executed, and sizes are limited before any arithmetic.
"""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import isinf, isqrt
from operator import index
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, fraction_of, precision, raw, rising_sign
from pfverify.exact.expsum import CAP_BITS, FIRST_BITS, Exponent, ExpSum
from pfverify.exact.kept_balls import KeptBalls
from pfverify.exact.quotients import exponent_of, kept_quotient, logarithm_of
from pfverify.exact.rising import rising
from pfverify.exact.tokens import Tokens, UnreadableError, is_long, literal
from pfverify.exact.trees import Tree, ball_of_tree, text_of_tree
from pfverify.outward import outward

MAX_HEIGHT = 200  # operations inside each other (a long sum of logarithms is a high tree)
_MAX_EXP = 10**9  # magnitude of the argument of exp

class Number(KeptBalls):
    """An exact real number, with the exact forms that the decisions need.

    Attributes: `tree`, the expression; `linear`, the number as an `Exponent` (a rational plus
    rational multiples of roots and logarithms); `ratio`, the number as a quotient of two
    exponential sums; `reciprocal`, 1/number as an `Exponent`. A form it has not is None.
    Example: ``Number.parse("3/(1/2-2*log(9/10))").reciprocal.parts`` is
    ``{None: 1/6, 9: -2/3, 10: 2/3}``, that is 1/6 - (2/3) log(9/10).
    Raises InputError for text outside the grammar or beyond its sizes.
    """

    def __init__(
        self,
        tree: Tree,
        linear: Exponent | None = None,
        ratio: tuple[ExpSum, ExpSum] | None = None,
        reciprocal: Exponent | None = None,
        *,
        operands: tuple[Number, ...] = (),
    ) -> None:
        self.height = _height(operands)
        self.operands = operands
        self.tree = tree
        self._ratio = ratio
        self._linear = linear
        self._reciprocal = reciprocal

    @classmethod
    def of_rational(cls, value: Fraction | int) -> Number:
        """Return a rational number."""
        value = Fraction(value)
        return cls(("rational", value), Exponent.rational(value))

    @classmethod
    def parse(cls, text: str) -> Number:
        """Return the number that the text writes.

        Example: ``Number.parse("1/2 + log(3)").text`` is ``"((1/2)+log(3))"``.
        """
        try:
            return _Parser(text).number()
        except InputError as error:
            likely = " or ".join(readings(text))
            if not (likely or isinstance(error, UnreadableError)):
                raise  # log(-1): the grammar, but no number
            grammar = "expected digits, exp( ), log( ), sqrt( ), + - * / and parentheses"
            raise InputError(
                f"cannot read {shorten(text)!r} as a number: {error} "
                f"({f'write {shorten(likely)}' if likely else grammar})"
            ) from None

    @cached_property
    def ratio(self) -> tuple[ExpSum, ExpSum] | None:
        """The number as a quotient of two exponential sums, or None."""
        value = self.fraction
        return self._ratio if value is None else (ExpSum.constant(value), ExpSum.constant(1))

    @cached_property
    def linear(self) -> Exponent | None:
        """The number as an `Exponent`, all of whose parts are known, or None."""
        if self._linear is None and self.ratio is not None:
            return exponent_of(*self.ratio)
        return self._linear

    @cached_property
    def reciprocal(self) -> Exponent | None:
        """1/number as an `Exponent`, or None."""
        if self._reciprocal is None and self.ratio is not None:
            return exponent_of(*reversed(self.ratio))
        return self._reciprocal

    @property
    def fraction(self) -> Fraction | None:
        """The value if the text is written without exp, log and irrational roots, else None."""
        value = self.tree[1]
        return value if isinstance(value, Fraction) else None

    @cached_property
    def text(self) -> str:
        """Canonical text: rational parts folded and reduced, everything else parenthesised."""
        return text_of_tree(self.tree)

    @cached_property
    def formal(self) -> Exponent | None:
        """The number as an `Exponent` in which products and inverses may be mere symbols.

        Enough to prove an equality, never a difference. Example: ``number("1/log(2)").formal``.
        """
        if self.linear is not None:
            return self.linear
        if self.reciprocal is not None:
            return self.reciprocal.inverse()
        kind = self.tree[0]
        parts = [operand.formal for operand in self.operands]
        first = parts[0] if parts else None
        if first is None or kind not in ("+", "-", "*", "/", "1/"):
            return None
        if len(parts) == 1:
            return first.inverse() if kind == "1/" else -first
        second = parts[1]
        if second is None:
            return None
        if kind in ("*", "/"):  # the second operand of a quotient is one over the divisor
            return first.product(second)
        return first + second if kind == "+" else first - second

    def __repr__(self) -> str:
        return f"Number({shorten(self.text)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.tree == other.tree

    def __hash__(self) -> int:
        return hash(self.tree)

    def enclosed(self) -> Ball:
        """Work out an enclosure at the current precision."""
        if (value := self.fraction) is not None:
            return Ball(value)
        if self.linear is not None:
            return self.linear.ball()
        if self.reciprocal is not None:
            return Ball(raw(1)) / self.reciprocal.ball()
        return ball_of_tree(self.tree, {})

    def at_most(self, bits: int = 128) -> Fraction:
        """Return a rational at most the number, which is >= 0; 0 only if no precision tells more.

        Example: ``number("log(2)").at_most() <= Fraction("0.694")``.
        """
        for working in rising(bits, CAP_BITS):
            with precision(working):
                ends = self.ball().ends()
            if ends is not None and (ends[0][0] > 0 or ends[0] == ends[1]):
                return fraction_of(ends[0])
        return Fraction(0)

    def sign(self) -> int | None:
        """Return -1, 0 or 1, or None where the sign could not be decided."""
        if (value := self.fraction) is not None:
            return (value > 0) - (value < 0)
        if self.ratio is not None:
            top, bottom = self.ratio[0].sign(), self.ratio[1].sign()
            return None if top is None or bottom is None else top * bottom
        if self.linear is not None:
            return self.linear.sign()
        if self.reciprocal is not None:
            return self.reciprocal.sign()
        return rising_sign(self.ball, FIRST_BITS, CAP_BITS)

    def __neg__(self) -> Number:
        if (value := self.fraction) is not None:
            return Number.of_rational(-value)
        return Number(
            ("-", self.tree),
            None if self.linear is None else -self.linear,
            None if self.ratio is None else (-self.ratio[0], self.ratio[1]),
            None if self.reciprocal is None else -self.reciprocal,
            operands=(self,),
        )

    def __add__(self, other: Number) -> Number:
        return self._sum(other, "+")

    def __sub__(self, other: Number) -> Number:
        return self._sum(other, "-")

    def _sum(self, other: Number, sign: str) -> Number:
        a, b = self.fraction, other.fraction
        if a is not None and b is not None:
            return _folded(a + b if sign == "+" else a - b)
        right = other if sign == "+" else -other
        linear = ratio = None
        if self.linear is not None and right.linear is not None:
            linear = self.linear + right.linear
        if self.ratio is not None and right.ratio is not None:
            (n, d), (m, e) = self.ratio, right.ratio
            ratio = (n + m, d) if d == e else kept_quotient(n * e + m * d, d * e)
        return Number((sign, self.tree, other.tree), linear, ratio, operands=(self, other))

    def __mul__(self, other: Number) -> Number:
        if self.fraction == 0 or other.fraction == 0:
            return Number.of_rational(0)
        return self.times_as_written(other)

    def times_as_written(self, other: Number) -> Number:
        """Return the product; with a factor 0 it keeps its text, as in the kernel's grammar."""
        a, b = self.fraction, other.fraction
        if a is not None and b is not None:
            return _folded(a * b)
        return self._product(other, ("*", self.tree, other.tree))

    def __truediv__(self, other: Number) -> Number:
        """Return the quotient; InputError when the divisor is 0 or cannot be told from 0."""
        sign = other.sign()
        if sign == 0:
            raise InputError(f"division by zero: {shorten(other.text)} is exactly 0")
        if sign is None:
            raise InputError(f"division by {shorten(other.text)}, which cannot be told from 0")
        a, b = self.fraction, other.fraction
        if a is not None and b is not None:
            return _folded(a / b)
        flipped = Number(
            ("1/", other.tree),
            other.reciprocal,
            None if other.ratio is None else (other.ratio[1], other.ratio[0]),
            other.linear,
            operands=(other,),
        )
        return self._product(flipped, ("/", self.tree, other.tree))

    def _product(self, other: Number, tree: Tree) -> Number:
        linear = ratio = reciprocal = None
        for left, right in ((self, other), (other, self)):
            factor = None if left.linear is None else left.linear.as_rational()
            if factor == 0:  # whatever the other number is, it is defined
                linear, ratio = Exponent.rational(0), (ExpSum.constant(0), ExpSum.constant(1))
                reciprocal = None
                break
            if factor is not None:
                linear = None if right.linear is None else right.linear.times(factor)
                if right.reciprocal is not None:
                    reciprocal = right.reciprocal.times(1 / factor)
            elif left.linear is not None and right.reciprocal is not None:
                quotient = left.linear.quotient(right.reciprocal)
                if quotient is not None:
                    linear = Exponent.rational(quotient)
                    reciprocal = Exponent.rational(1 / quotient) if quotient else None
                    ratio = (ExpSum.constant(quotient), ExpSum.constant(1))
        if ratio is None and self.ratio is not None and other.ratio is not None:
            ratio = kept_quotient(self.ratio[0] * other.ratio[0], self.ratio[1] * other.ratio[1])
        return Number(tree, linear, ratio, reciprocal, operands=(self, other))

    def exp(self) -> Number:
        """Return e to this number; InputError when it is too large to work with."""
        with precision(64):
            limit = Ball(_MAX_EXP)
            ball = self.ball()
        if not (ball.is_less(limit) is Answer.YES and (-ball).is_less(limit) is Answer.YES):
            raise InputError(f"exp({shorten(self.text)}): the argument must be below 1e9 in size")
        formal = self.formal
        ratio = None if formal is None else (ExpSum.power(formal), ExpSum.constant(1))
        return Number(("exp", self.tree), None, ratio, operands=(self,))

    def log(self) -> Number:
        """Return the natural logarithm; InputError unless the number is proved positive."""
        sign = self.sign()
        if sign is None:
            raise InputError(f"log({shorten(self.text)}): cannot decide whether it is positive")
        if sign <= 0:
            raise InputError(f"log({shorten(self.text)}): the argument must be > 0")
        linear = None
        if (value := self.fraction) is not None:
            linear = Exponent.log(value)
        elif self.ratio is not None:
            linear = logarithm_of(self.ratio)
        value = None if linear is None else linear.as_rational()
        ratio = None if value is None else (ExpSum.constant(value), ExpSum.constant(1))
        return Number(("log", self.tree), linear, ratio, operands=(self,))

    def sqrt(self) -> Number:
        """Return the square root, rational where the number is written as a rational square.

        Raises InputError unless the number is proved to be > 0, or is written as 0.
        Example: ``number("9/4").sqrt().fraction`` is ``3/2``; ``number(2).sqrt().text`` is
        ``"sqrt(2)"``.
        """
        value, sign = self.fraction, self.sign()
        if sign is None:
            raise InputError(f"sqrt({shorten(self.text)}): cannot decide whether it is positive")
        if sign < 0:
            raise InputError(f"sqrt({shorten(self.text)}): the argument must be >= 0")
        if sign == 0 and value is None:
            raise InputError(f"sqrt({shorten(self.text)}): the argument is exactly 0: write 0")
        if value is not None:
            top, bottom = isqrt(value.numerator), isqrt(value.denominator)
            if Fraction(top * top, bottom * bottom) == value:
                return Number.of_rational(Fraction(top, bottom))
        ratio = None
        if self.ratio is not None and (power := logarithm_of(self.ratio)) is not None:
            ratio = (ExpSum.power(power.times(Fraction(1, 2))), ExpSum.constant(1))
        return Number(("sqrt", self.tree), None, ratio, operands=(self,))

    def normal_cdf(self) -> Number:
        """Return P(Z <= this number) for a standard normal Z (proofs only: no text writes it)."""
        if self.fraction == 0:
            return Number.of_rational(Fraction(1, 2))
        return Number(("normal_cdf", self.tree), operands=(self,))

    def times_pi(self) -> Number:
        """Return pi times this number (proofs only: no text writes it)."""
        if self.fraction == 0:
            return self
        return Number(("pi", self.tree), operands=(self,))


def number(value: object, name: str = "number") -> Number:
    """Return the exact number for an int, Fraction, Decimal, text or `Number`.

    Integers of numpy are read too, and expressions of sympy where they have an exact form. `name`
    is used in messages. Floats are refused: they have already lost the number that was
    written (0.52 is 13/25 only as text).
    Raises InputError. Example: ``number("0.52").fraction`` is ``Fraction(13, 25)``.
    """
    if isinstance(value, Number):
        return value
    if isinstance(value, str):
        try:
            return Number.parse(value)
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
    if isinstance(value, bool) or value is None:
        raise InputError(f"{name}: {value!r} is not a number")
    if isinstance(value, Fraction):
        return Number.of_rational(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise InputError(f"{name}: {value} is not finite")
        return number(str(value), name)
    if isinstance(value, float) and isinf(value):  # such as the minimum where no scale works
        raise InputError(f"{name}: {value} is not finite")
    if isinstance(value, float) or "float" in type(value).__name__:
        raise InputError(
            f"{name}: {shorten(repr(value))} is a float, which is not the number you wrote; "
            f'give it as text ("{shorten(value)}") or as a Fraction'
        )
    if type(value).__module__.partition(".")[0] == "sympy":
        return _of_sympy(value, name)
    try:
        whole = index(value)  # type: ignore[arg-type]
    except Exception:  # a caller's class may raise anything
        kind = type(value).__name__
        raise InputError(f"{name}: expected a number or text, got {kind}") from None
    return Number.of_rational(whole)


def _of_sympy(value: Any, name: str) -> Number:
    """The exact number of a sympy expression of rationals, powers, exp and log."""
    if getattr(value, "is_Float", False):
        raise InputError(
            f"{name}: {shorten(value)} is a Float of sympy, which is not the number you wrote; "
            "give it as a Rational or as text"
        )
    try:
        found: Number = outward("to_number")(value, {})
    except Exception:  # not all that sympy makes is an expression
        raise InputError(
            f"{name}: {shorten(value)} of sympy has no exact form here, expected rational numbers, "
            "powers, exp and log"
        ) from None
    return found


def readings(text: str) -> list[str]:
    """Return the texts of the grammar that a text outside it may stand for, the likeliest first.

    Example: ``readings("0,5")`` is ``["0.5"]``; ``readings("ln(-1)")`` is ``[]``.
    """
    from pfverify.exact.meant import meant

    found = []
    for one in meant(text):
        with suppress(InputError):
            _Parser(one).number()
            found.append(one)
    return found


def rational(value: object, name: str = "number") -> Fraction:
    """Return an exact rational number; as `number`, but what is not written as one is refused.

    Raises InputError. Example: ``rational("1e-3")`` is ``Fraction(1, 1000)``.
    """
    found = number(value, name)
    if found.fraction is None:
        raise InputError(f"{name}: expected a rational number, got {shorten(found.text)}")
    return found.fraction


def printable(value: object, name: str = "number") -> Number:
    """Return an exact number, as `number`, that can be printed: of at most 4300 digits.

    Text keeps to that by its grammar; integers and Fractions of Python need not.
    Raises InputError. Example: ``printable(10**5000)`` raises.
    """
    found = number(value, name)
    try:
        return found if found.fraction is None else _folded(found.fraction)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _height(operands: tuple[Number, ...]) -> int:
    height = 1 + max((operand.height for operand in operands), default=0)
    if height > MAX_HEIGHT:
        raise InputError(
            f"the expression is too long: more than {MAX_HEIGHT} operations inside each other"
        )
    return height


def _folded(value: Fraction) -> Number:
    if is_long(value):
        raise InputError("the number is too large to work with")
    return Number.of_rational(value)


class _Parser(Tokens):
    """Recursive descent over the tokens of one text."""

    def number(self) -> Number:
        if not self.tokens:
            raise UnreadableError("it is empty")
        value = self.sum()
        if self.at < len(self.tokens):
            raise UnreadableError(f"unexpected {self.tokens[self.at][1]!r}")
        return value

    def sum(self) -> Number:
        value = self.product()
        while sign := self.take("+", "-"):
            right = self.product()
            value = value + right if sign == "+" else value - right
        return value

    def product(self) -> Number:
        value = self.signed()
        while sign := self.take("*", "/"):
            right = self.signed()
            value = value.times_as_written(right) if sign == "*" else value / right
        return value

    def signed(self) -> Number:
        negations = signs = 0
        while sign := self.take("+", "-"):
            signs += 1
            negations += sign == "-"
            self.deeper()
        value = self.atom()
        self.depth -= signs
        for _ in range(negations):
            value = -value
        return value

    def atom(self) -> Number:
        if self.at >= len(self.tokens):
            raise UnreadableError("it ends too early")
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "literal":
            return _folded(literal(text))
        if kind == "word":
            if not self.take("("):
                raise UnreadableError(f"{text} needs an argument in parentheses")
            inside = self.inside()
            return {"exp": inside.exp, "log": inside.log, "sqrt": inside.sqrt}[text]()
        if text == "(":
            return self.inside()
        special = text in "nNiI∞"
        raise UnreadableError(
            "NaN and infinity are not numbers here" if special else f"unexpected {text!r}"
        )

    def inside(self) -> Number:
        self.deeper()
        value = self.sum()
        if not self.take(")"):
            raise UnreadableError("a closing parenthesis is missing")
        self.depth -= 1
        return value

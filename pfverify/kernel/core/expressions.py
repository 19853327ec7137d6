"""Numbers that are written with operations: the parser.  Loaded for a problem that has one.

    sum     = product { ("+" | "-") product }
    product = factor { ("*" | "/") factor }
    factor  = ("+" | "-") factor | "(" sum ")" | word "(" sum ")" | literal
    word    = "exp" | "log" | "sqrt"
    literal = digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ]

Spaces separate tokens.
"""

from __future__ import annotations

import re
from fractions import Fraction

from core.grammar import LITERAL, WORDS, Malformed, Number, combine, literal, shown

MAX_NESTING = 100  # parentheses, calls and minus signs inside each other
TOKEN = re.compile(rf" *(?:{LITERAL}|(exp|log|sqrt|[-+*/()]))")


class _Parser:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.tokens: list[Fraction | str] = []
        position = 0
        body = text.rstrip(" ")
        while position < len(body):
            match = TOKEN.match(body, position)
            if match is None:
                raise Malformed(f"not a number: {shown(text)}")
            digits, exponent, symbol = match.groups()
            self.tokens.append(symbol if symbol else literal(digits, exponent))
            position = match.end()

    def take(self) -> Fraction | str:
        token = self.peek()
        self.at += 1
        return token

    def peek(self) -> Fraction | str:
        return self.tokens[self.at] if self.at < len(self.tokens) else "end"

    def expect(self, symbol: str) -> None:
        if self.take() != symbol:
            raise Malformed(f"not a number: {shown(self.text)}")

    def sum(self, nesting: int) -> Number:
        value = self.product(nesting)
        while self.peek() in ("+", "-"):
            op = str(self.take())
            value = combine(op, value, self.product(nesting))
        return value

    def product(self, nesting: int) -> Number:
        value = self.factor(nesting)
        while self.peek() in ("*", "/"):
            op = str(self.take())
            value = combine(op, value, self.factor(nesting))
        return value

    def factor(self, nesting: int) -> Number:
        if nesting > MAX_NESTING:
            raise Malformed(f"a number nested deeper than {MAX_NESTING}")
        token = self.take()
        if isinstance(token, Fraction):
            return token
        if token in ("+", "-"):
            value = self.factor(nesting + 1)
            return value if token == "+" else combine("neg", value)
        if token in WORDS:
            self.expect("(")
        elif token != "(":
            raise Malformed(f"not a number: {shown(self.text)}")
        value = self.sum(nesting + 1)
        self.expect(")")
        return value if token == "(" else combine(token, value)


def expression(text: str) -> Number:
    """The number that a text stands for."""
    parser = _Parser(text)
    value = parser.sum(0)
    parser.expect("end")
    return value

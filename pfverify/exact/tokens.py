"""The tokens of a text that is to be a number, with limits before any arithmetic."""

from __future__ import annotations

import re
from fractions import Fraction

from pfverify.errors import InputError

MAX_TEXT = 10_000  # characters
MAX_DEPTH = 100  # parentheses, calls and signs inside each other
MAX_DIGITS = 4096  # digits of one literal, and magnitude of a scientific exponent
MAX_BITS = 14_284  # size of a folded rational: at most 4300 digits, so that it can be printed
_TOKEN = re.compile(
    r" *(?:([0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)"
    r"|(exp|log|sqrt)\b|(.))",
    re.DOTALL,
)


class UnreadableError(InputError):
    """A text outside the grammar, and why."""


class Tokens:
    """The tokens of one text, taken from left to right."""

    def __init__(self, text: str) -> None:
        """Cut the text; InputError for one that is too long."""
        if len(text) > MAX_TEXT:
            raise InputError(f"the text has {len(text)} characters, at most {MAX_TEXT} are read")
        self.tokens: list[tuple[str, str]] = []
        for match in _TOKEN.finditer(text.strip(" ")):
            literal, word, mark = match.groups()
            kind = "literal" if literal else "word" if word else "mark"
            self.tokens.append((kind, literal or word or mark))
        self.at = 0
        self.depth = 0

    def take(self, *marks: str) -> str | None:
        """Take the next token if it is one of these marks, and return it."""
        if self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            if kind == "mark" and text in marks:
                self.at += 1
                return text
        return None

    def deeper(self) -> None:
        """Go one level down; too many are an UnreadableError."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UnreadableError(
                f"parentheses, calls and signs are nested more than {MAX_DEPTH} deep"
            )


def literal(text: str) -> Fraction:
    """Return the number of a literal. Example: ``literal("1.5e2")`` is ``Fraction(150, 1)``."""
    digits, _, power = text.lower().partition("e")
    if len(digits) > MAX_DIGITS or len(power) > 8 or abs(int(power or 0)) > MAX_DIGITS:
        raise UnreadableError(f"a literal is beyond {MAX_DIGITS} digits")
    return Fraction(digits.rstrip(".") or "0") * Fraction(10) ** int(power or 0)


def is_long(value: Fraction) -> bool:
    """Say whether the numerator or the denominator has more than 4300 digits, too many to print."""
    return max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS

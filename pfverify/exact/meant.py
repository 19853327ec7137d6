"""What a text outside the number grammar probably means, written inside it: for messages only.

Decimal commas, grouped digits, percents, powers, roots and other spellings of logarithms, as people
and spreadsheets write them. Nothing here makes a number: the one door reads a suggestion again.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

_LONGEST = 64  # characters of a text that is looked at
_MOST_BITS = 400  # of a fraction that is worked out
_MOST_POWERS = 8  # of one factor that is written out
_FUNCTIONS = {"exp": "exp", "log": "log", "ln": "log", "sqrt": "sqrt", "√": "sqrt"}
_BASES = {"log10": 10, "lg": 10, "log2": 2, "lb": 2, "ld": 2}
_PARTS = {"%": 100, "‰": 1000}
_SIGNS = str.maketrans(
    # dashes, times signs, fraction bars, an Arabic decimal point, an apostrophe
    "\u2212\u2010\u2011\u2012\u2013\u2014\u00d7\u00b7\u2219\u22c5\u00f7\u2215\u2044\u066b\u2019",
    "------****///.'",
)
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_UNRAISED = str.maketrans(_RAISED, "0123456789+-")
_TOKEN = re.compile(
    r"\s*(?:(?P<digits>(?:[0-9]+(?:[.,_' ][0-9]+)*[.,]?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<word>(?!e[+-]?[0-9])[A-Za-z]+[0-9]*|√)|(?P<mark>\*\*|[-+*/^()%‰]))"
)
_SUM, _PRODUCT, _ATOM = range(3)  # how tightly a text binds


class _UnknownError(Exception):
    """Nothing is recognised."""


@dataclass(frozen=True)
class _Part:
    """A text in the grammar, how tightly it binds, and its value where it is a small fraction."""

    text: str
    binds: int = _ATOM
    value: Fraction | None = None

    def inside(self, binds: int) -> str:
        """The text where something binds so tightly."""
        return self.text if self.binds >= binds else f"({self.text})"


def meant(text: str) -> list[str]:
    """Return texts of the number grammar that `text` may stand for, the likeliest first.

    Example: ``meant("0,5")`` is ``["0.5"]``; ``meant("2^3")`` is ``["8"]``; ``meant("five")`` is
    ``[]``; ``meant("1,000")`` is ``["1.000", "1000"]``.
    """
    found = []
    for grouped in (False, True):  # 1,000 is two numbers
        try:
            found.append(_Reader(text, grouped=grouped).whole())
        except _UnknownError:
            continue
    return [one for one in dict.fromkeys(found) if one != text.strip()]


def _plain(text: str) -> str:
    """The text in ASCII: digits of all scripts, signs, and ½ and 2³ as quotients and powers."""
    text = re.sub(f"[{_RAISED}]+", lambda m: f"^({m[0].translate(_UNRAISED)})", text)
    text = re.sub(r"([0-9]*)([¼-¾⅐-⅞↉])", _mixed, text)
    text = unicodedata.normalize("NFKC", text).translate(_SIGNS)
    return "".join(str(unicodedata.decimal(mark, mark)) for mark in text)


def _mixed(match: re.Match[str]) -> str:
    top, _, bottom = unicodedata.normalize("NFKC", match[2]).partition("\u2044")
    return f"({int(match[1] or 0) * int(bottom) + int(top)}/{bottom})"


class _Reader:
    """Recursive descent that writes what it reads in the number grammar."""

    def __init__(self, text: str, *, grouped: bool) -> None:
        self.grouped = grouped
        self.tokens: list[tuple[str, str]] = []
        self.at = 0
        plain = _plain(text[: _LONGEST + 1]).strip()
        position = 0
        while position < len(plain):
            match = _TOKEN.match(plain, position)
            if match is None or match.lastgroup is None or len(text) > _LONGEST:
                raise _UnknownError
            self.tokens.append((match.lastgroup, match[match.lastgroup]))
            position = match.end()

    def whole(self) -> str:
        value = self.sum()
        if self.at < len(self.tokens):
            raise _UnknownError
        return value.text

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self, *marks: str) -> str | None:
        kind, text = self.peek()
        if kind == "mark" and text in marks:
            self.at += 1
            return text
        return None

    def sum(self) -> _Part:
        value = self.product()
        while sign := self.take("+", "-"):
            value = _joined(value, sign, self.product())
        return value

    def product(self) -> _Part:
        value = self.signed()
        while True:
            kind, text = self.peek()
            if sign := self.take("*", "/"):
                value = _joined(value, sign, self.signed())
                if sign == "/" and self.tokens[self.at - 1][1] in _PARTS:
                    raise _UnknownError  # is 1/2% half a percent, or 50?
            elif text == "(" or (kind == "word" and text != "e"):  # 2 log(3)
                value = _joined(value, "*", self.power())
            else:
                return value

    def signed(self) -> _Part:
        if sign := self.take("+", "-"):
            part = self.signed()
            if sign == "+":
                return part
            value = None if part.value is None else -part.value
            return _Part(f"-{part.inside(_PRODUCT)}", _SUM, value)
        return self.power()

    def power(self) -> _Part:
        base = self.atom()
        while mark := self.take(*_PARTS, "^", "**"):
            base = _share(base, _PARTS[mark]) if mark in _PARTS else _raised(base, self.signed())
        return base

    def atom(self) -> _Part:
        kind, text = self.peek()
        self.at += 1
        if kind == "digits":
            return _decimal(text, grouped=self.grouped)
        if (kind, text) == ("mark", "("):
            value = self.sum()
            if not self.take(")"):
                raise _UnknownError
            return value
        if kind != "word":
            raise _UnknownError
        if text == "e":
            return _Part("exp(1)")
        argument, word = self.atom().text, text.lower()
        if word in _FUNCTIONS:
            return _Part(f"{_FUNCTIONS[word]}({argument})")
        if word in _BASES:
            return _Part(f"log({argument})/log({_BASES[word]})", _PRODUCT)
        raise _UnknownError


def _decimal(text: str, *, grouped: bool) -> _Part:
    """A literal with a decimal point and without groups of digits."""
    body, _, power = text.lower().partition("e")
    point = _point(body, grouped=grouped)
    whole, decimals = (body, "") if point is None else (body[:point], body[point + 1 :])
    groups = re.split(r"[.,' ]", whole.replace("_", ""))
    right = len(groups) == 1 or (
        1 <= len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    )
    if not right or not (decimals.isdecimal() or not decimals):
        raise _UnknownError
    found = "".join(groups) + (f".{decimals}" if decimals else "")
    found = f"0{found}" if found.startswith(".") else found
    written = f"{found}e{power}" if power else found
    return _Part(written, value=None if power else _small(Fraction(found)))


def _point(body: str, *, grouped: bool) -> int | None:
    """Where the decimal point of a literal is, as a comma perhaps; None for an integer."""
    marks = [at for at, mark in enumerate(body) if mark in ".,"]
    if not marks:
        return None
    kinds = {body[at] for at in marks}
    groups = len(kinds) == 1 and (len(marks) > 1 or (grouped and kinds == {","}))
    return None if groups else marks[-1]


def _fraction(value: Fraction) -> _Part:
    binds = _SUM if value < 0 else _ATOM if value.denominator == 1 else _PRODUCT
    return _Part(str(value), binds, _small(value))


def _small(value: Fraction) -> Fraction | None:
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    return value if bits <= _MOST_BITS else None


def _joined(left: _Part, sign: str, right: _Part) -> _Part:
    """Two parts with a sign between them."""
    value = None
    a, b = left.value, right.value
    if a is not None and b is not None and not (sign == "/" and b == 0):
        value = _small(a + b if sign == "+" else a - b if sign == "-" else
                       a * b if sign == "*" else a / b)  # fmt: skip
    if sign in "+-":
        return _Part(f"{left.text}{sign}{right.inside(_PRODUCT)}", _SUM, value)
    divisor = _ATOM if sign == "/" else _PRODUCT
    return _Part(f"{left.inside(_PRODUCT)}{sign}{right.inside(divisor)}", _PRODUCT, value)


def _share(part: _Part, of: int) -> _Part:
    """A percentage or the like."""
    share = _joined(part, "/", _Part(str(of), value=Fraction(of)))
    return share if share.value is None else _fraction(share.value)


def _raised(base: _Part, power: _Part) -> _Part:
    """A power, which the grammar has not: worked out, or by what it has."""
    if base.text == "exp(1)":
        return _Part(f"exp({power.text})")
    if power.value == Fraction(1, 2):
        return _Part(f"sqrt({base.text})")
    if power.value is None or power.value.denominator > 1:
        return _Part(f"exp({power.inside(_PRODUCT)}*log({base.text}))")
    times = int(power.value)
    if base.text == "10":
        return _Part(f"1e{times}")
    if base.value is not None:
        size = max(base.value.numerator.bit_length(), base.value.denominator.bit_length())
        if size * abs(times) > _MOST_BITS or (base.value == 0 and times < 1):
            raise _UnknownError
        return _fraction(base.value**times)
    if not 1 <= abs(times) <= _MOST_POWERS:
        raise _UnknownError
    product = "*".join([base.inside(_ATOM)] * abs(times))
    return _Part(product if times > 0 else f"1/({product})", _PRODUCT)



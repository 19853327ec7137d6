"""The condition of `--where`: comparisons of columns with values, never anything that is run.

    condition  = conjunction ("or" conjunction)*
    conjunction = part ("and" part)*
    part       = "not" part | "(" condition ")" | column operator value
               | column ["not"] "in" "(" value ("," value)* ")"
    operator   = "=" | "!=" | "<" | "<=" | ">" | ">="

Columns and values are words, or in quotes.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import ge, gt, le, lt

from pfverify.errors import InputError, shorten
from pfverify.records.cells import Cell, day_of, number_of, text_of

_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*')|(?P<mark><=|>=|!=|==|[=<>(),])"""
    r"""|(?P<word>[^\s"'=<>!(),]+))"""
)
_ORDERED = {"<": lt, "<=": le, ">": gt, ">=": ge}
_WORDS = ("and", "or", "not", "in")
_MAX_DEPTH = 50  # of parentheses and nots inside each other


class RowCondition(ABC):
    """What is asked of a row. `columns`: those that it looks at, without repeats."""

    @property
    @abstractmethod
    def columns(self) -> list[str]:
        """The columns that it looks at, without repeats."""

    @abstractmethod
    def holds(self, row: Mapping[str, Cell]) -> bool:
        """Say whether a row meets it; InputError where a cell has no order."""


@dataclass(frozen=True)
class _All(RowCondition):
    parts: Sequence[RowCondition]

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(name for part in self.parts for name in part.columns))

    def holds(self, row: Mapping[str, Cell]) -> bool:
        return all(part.holds(row) for part in self.parts)


@dataclass(frozen=True)
class _Any(_All):
    def holds(self, row: Mapping[str, Cell]) -> bool:
        return any(part.holds(row) for part in self.parts)


@dataclass(frozen=True)
class _Not(RowCondition):
    part: RowCondition

    @property
    def columns(self) -> list[str]:
        return self.part.columns

    def holds(self, row: Mapping[str, Cell]) -> bool:
        return not self.part.holds(row)


@dataclass(frozen=True)
class _Among(RowCondition):
    column: str
    values: Sequence[str]

    @property
    def columns(self) -> list[str]:
        return [self.column]

    def holds(self, row: Mapping[str, Cell]) -> bool:
        cell = row[self.column]
        return any(is_value(cell, value, self.column) for value in self.values)


@dataclass(frozen=True)
class _Compared(RowCondition):
    column: str
    mark: str
    value: str

    @property
    def columns(self) -> list[str]:
        return [self.column]

    def holds(self, row: Mapping[str, Cell]) -> bool:
        cell = row[self.column]
        if not text_of(cell):  # nothing there is neither below nor above
            return False
        ordered = _ORDERED[self.mark]
        if (bound := number_of(self.value, "--where")) is not None:
            exact = cell if isinstance(cell, float) else number_of(cell, self.column)
            if exact is not None:
                return bool(ordered(exact, bound))  # Python compares floats and fractions exactly
        elif (day := day_of(self.value, "--where")) is not None and (
            of_cell := day_of(cell, self.column)
        ) is not None:
            return bool(ordered(of_cell, day))
        raise InputError(
            f"--where: {shorten(text_of(cell), 40)!r} of column {shorten(self.column)!r} is not "
            f"ordered against {shorten(self.value, 40)!r}, expected numbers or dates"
        )


def is_value(cell: Cell, value: str, column: str) -> bool:
    """Say whether a cell is a value: as numbers where both are, else as texts.

    Example: ``is_value("1.0", "1", "x")`` is ``True``.
    """
    if text_of(cell) == value:
        return True
    number = number_of(value, "--where")
    if number is None:
        return False
    return number == (cell if isinstance(cell, float) else number_of(cell, column))


def condition(text: str) -> RowCondition:
    """Return the condition that a text is.

    Raises InputError saying what was expected, and where.
    Example: ``condition("age >= 18 and job in (a, b)").columns`` is ``["age", "job"]``.
    """
    return _Parser(text).whole()


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[tuple[str, str]] = []
        self._at = self._depth = 0
        end = 0
        while text[end:].strip():
            match = _TOKEN.match(text, end)
            if match is None:
                raise self._error(f"cannot read {shorten(text[end:].strip(), 20)!r}")
            end = match.end()
            kind = match.lastgroup or ""
            found = match[kind]
            if kind == "quoted":
                found = found[1:-1].replace(found[0] * 2, found[0])
            self._tokens.append((kind, found))

    def whole(self) -> RowCondition:
        found = self._any()
        if self._at < len(self._tokens):
            raise self._error(f"unexpected {shorten(self._tokens[self._at][1], 20)!r}")
        return found

    def _any(self) -> RowCondition:
        parts = [self._all()]
        while self._word("or"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else _Any(parts)

    def _all(self) -> RowCondition:
        parts = [self._part()]
        while self._word("and"):
            parts.append(self._part())
        return parts[0] if len(parts) == 1 else _All(parts)

    def _part(self) -> RowCondition:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._error("it is nested too deeply")
        if self._word("not"):
            found: RowCondition = _Not(self._part())
        elif self._mark("("):
            found = self._any()
            self._expect(")")
        else:
            found = self._comparison()
        self._depth -= 1
        return found

    def _comparison(self) -> RowCondition:
        column = self._value("a column")
        negated = self._word("not")
        if self._word("in"):
            self._expect("(")
            values = [self._value("a value")]
            while self._mark(","):
                values.append(self._value("a value"))
            self._expect(")")
            among = _Among(column, values)
            return _Not(among) if negated else among
        if negated:
            raise self._error("expected 'in' after 'not'")
        for mark in ("=", "==", "!=", *_ORDERED):
            if self._mark(mark):
                value = self._value("a value")
                if mark in _ORDERED:
                    return _Compared(column, mark, value)
                equal = _Among(column, [value])
                return _Not(equal) if mark == "!=" else equal
        raise self._error(f"expected =, !=, <, <=, >, >= or in after {shorten(column, 20)!r}")

    def _word(self, word: str) -> bool:
        if self._at < len(self._tokens):
            kind, found = self._tokens[self._at]
            if kind == "word" and found.lower() == word:
                self._at += 1
                return True
        return False

    def _mark(self, mark: str) -> bool:
        found = self._at < len(self._tokens) and self._tokens[self._at] == ("mark", mark)
        self._at += found
        return found

    def _expect(self, mark: str) -> None:
        if not self._mark(mark):
            raise self._error(f"expected {mark!r}")

    def _value(self, what: str) -> str:
        if self._at < len(self._tokens):
            kind, found = self._tokens[self._at]
            if kind == "quoted" or (kind == "word" and found.lower() not in _WORDS):
                self._at += 1
                return found
        raise self._error(f"expected {what} (in quotes where it has spaces or signs)")

    def _error(self, why: str) -> InputError:
        return InputError(f"--where {shorten(self._text)!r}: {why}")

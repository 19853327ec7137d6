"""Numbers that are written with exp, log or sqrt: trees.  Loaded for a problem that has one."""

from __future__ import annotations

from fractions import Fraction

from core.work import price, spend

INFIX = ("+", "-", "*", "/")
MAX_DEPTH = 200  # of a tree (a long sum of logarithms is a deep tree)
MAX_SIZE = 1_000_000  # characters of its canonical text


class Expression:
    """An operation (exp, log, sqrt, +, -, *, / or neg) on numbers, at least one of them irrational-
    looking (not folded); equal when operations and arguments are, and so the canonical texts.  It
    keeps no text, which would hold that of every part again: only how long it is, and a hash."""

    __slots__ = ("args", "depth", "key", "op", "size")

    def __init__(self, op: str, args: tuple[Fraction | Expression, ...]) -> None:
        self.op, self.args = op, args
        self.depth: int = 1 + max(a.depth if isinstance(a, Expression) else 0 for a in args)
        # the hash of a fraction is its value modulo a known prime: many have one, so not that
        parts = [a if isinstance(a, Expression) else _written(a, op) for a in args]
        self.key: int = hash((op, *parts))
        size = sum(part.size if isinstance(part, Expression) else len(part) for part in parts)
        self.size: int = size + (3 if op in INFIX or op == "neg" else 2 + len(op))
        spend(16)

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Expression) or self.key != other.key:
            return self is other
        spend(16)
        return self.op == other.op and self.args == other.args

    def __hash__(self) -> int:
        return self.key

    def text(self) -> str:
        """The parenthesised text of the tree."""
        spend(4 + (self.size >> 8))
        parts = [a.text() if isinstance(a, Expression) else _written(a, self.op) for a in self.args]
        if self.op in INFIX:
            return f"({self.op.join(parts)})"
        return f"(-{parts[0]})" if self.op == "neg" else f"{self.op}({parts[0]})"


def _written(x: Fraction, op: str) -> str:
    """A fraction as an argument: it keeps its parentheses inside a sum or product."""
    text = str(x)
    spend(4 + price(4 * len(text)))
    return f"({text})" if x.denominator > 1 and (op in INFIX or op == "neg") else text

"""The expression of a number: an operation with its operands, as text and as an enclosure."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from operator import add, mul, neg, sub, truediv
from typing import Any

from pfverify.exact.ball import Ball, raw

Tree = tuple["str | Fraction | Leaf | Tree", ...]
"""An operation and its operands; ("rational", value) for a rational number."""


class Leaf:
    """A number inside an expression that no operation makes: it is known by its enclosures.

    Attribute: `text`, what stands for it where the expression is written.
    """

    text: str

    def ball(self) -> Ball:
        """Return an enclosure at the current precision."""
        raise NotImplementedError


_NAMED = ("exp", "log", "sqrt", "normal_cdf", "pi")  # written as name(argument)


def text_of_tree(tree: Tree) -> str:
    """Return an expression as text of the grammar."""
    kind, *rest = tree
    if isinstance(rest[0], Fraction):
        return str(rest[0])
    if isinstance(rest[0], Leaf):
        return rest[0].text
    parts = [text_of_tree(part) for part in rest]  # type: ignore[arg-type]
    if kind not in _NAMED:  # a fraction inside an expression keeps its parentheses
        parts = [f"({part})" if re.fullmatch(r"-?\d+/\d+", part) else part for part in parts]
    if kind in _NAMED:
        return f"{kind}({parts[0]})"
    if len(parts) == 1:
        return f"(-{parts[0]})"
    return f"({parts[0]}{kind}{parts[1]})"


def ball_of_tree(tree: Tree, known: dict[int, Ball]) -> Ball:
    """Return the enclosure of an expression.

    Parts that stand in it often, as in powers of matrices, are enclosed once: `known` has them by
    their identity.
    """
    kind, *rest = tree
    if isinstance(rest[0], Fraction):
        return Ball(rest[0])
    if isinstance(rest[0], Leaf):
        return rest[0].ball()
    found = known.get(id(tree))
    if found is None:
        balls = [ball_of_tree(part, known) for part in rest]  # type: ignore[arg-type]
        found = known[id(tree)] = _applied(str(kind), balls)
    return found


def _applied(kind: str, balls: list[Ball]) -> Ball:
    """The operation of a node, of the enclosures of its parts."""
    if len(balls) == 1:
        return _OF_ONE[kind](balls[0])
    found: Ball = OF_TWO[kind](*balls)
    return found


_OF_ONE: dict[str, Callable[[Ball], Ball]] = {
    "exp": Ball.exp,
    "log": Ball.log,
    "sqrt": Ball.sqrt,
    "normal_cdf": Ball.normal_cdf,
    "pi": lambda ball: ball * Ball.pi(),
    "1/": lambda ball: Ball(raw(1)) / ball,
    "-": neg,
}
OF_TWO: dict[object, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul, "/": truediv}
"""The operations of a node with two parts, of numbers or of their enclosures."""

"""A statement: an expression with its conditions, its LaTeX, its exact value and its source."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

import sympy

from pfverify.errors import InputError, require, shorten
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, precision
from pfverify.exact.expsum import CAP_BITS
from pfverify.exact.number import Number, number
from pfverify.exact.rising import rising
from pfverify.exact.search import UndecidedError
from pfverify.symbolic.translate import Expr, Values, all_of, decide, to_ball

Y = sympy.Symbol("y", real=True)
"""The released output, in the unit of the atoms."""
THETA = sympy.Symbol("theta", positive=True)
"""The scale of the noise, in the unit of the atoms."""
EPSILON = sympy.Symbol("epsilon", nonnegative=True)
"""The bound on the log ratio."""

_FEWEST, _BITS = 2, 128


@dataclass(frozen=True)
class StatementCondition:
    """What must hold for a statement to mean anything: its name in words, and the relation."""

    name: str
    relation: Expr


@dataclass(frozen=True)
class Statement:
    """A formula with everything that is needed to use it.

    Attributes: `name`, a permanent identifier; `left`, the LaTeX of what the formula is worth;
    `expression`, a sympy expression; `conditions`, which its symbols must satisfy; `source`, the
    paper and number.

    Example: ``statement.value(p="1/5", q="9/10", h=1, epsilon=1)`` contains 0.69075731....
    """

    name: str
    left: str
    expression: Expr
    conditions: tuple[StatementCondition, ...]
    source: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the symbols that `value` needs, sorted."""
        parts = [self.expression, *(condition.relation for condition in self.conditions)]
        return tuple(sorted({symbol.name for part in parts for symbol in part.free_symbols}))

    @property
    def latex(self) -> str:
        """The statement as LaTeX for math mode: left = expression, then the conditions."""
        text = f"{self.left} = {sympy.latex(self.expression)}"
        if not self.conditions:
            return text
        relations = ",\\; ".join(sympy.latex(c.relation) for c in self.conditions)
        return f"{text} \\qquad \\left({relations}\\right)"

    def holds(self, **values: object) -> Answer:
        """Say whether all conditions hold at these exact values of the symbols.

        Raises InputError for a value that is missing, unknown or not exact.
        Example: ``statement.holds(p=0, q=1, epsilon=0, h=1)`` is ``Answer.NO`` where epsilon > 0.
        """
        exact = self._exact(values)
        return all_of(decide(condition.relation, exact) for condition in self.conditions)

    def value(self, *, bits: int = _BITS, **values: object) -> Ball:
        """Return an enclosure of the expression at exact values of its symbols.

        Values are integers, Fractions, Decimals, text such as ``"log(3)"``, or `Number`; no
        floats. `bits` is the working precision; it is raised only while the enclosure is not
        finite. Comparisons inside are decided exactly.

        Raises InputError for values that are missing, unknown, not exact, or outside a condition
        (which is named); UndecidedError where a condition or a branch cannot be decided.
        Example: ``statement.value(p=0, q=1, epsilon="log(2)", h=1)`` contains 1.4426..., 1/log(2).
        """
        require(bits, int, "bits")
        if not _FEWEST <= bits <= CAP_BITS:
            raise InputError(f"bits: {shorten(bits)}, expected {_FEWEST} to {CAP_BITS}")
        exact = self._exact(values)
        for condition in self.conditions:
            answer = decide(condition.relation, exact)
            if answer is not Answer.YES:
                self._refuse(condition, exact, answer)
        for finer in rising(bits, 2 * CAP_BITS):
            with precision(finer):
                ball = to_ball(self.expression, exact)
            if ball.ends() is not None:
                return ball
        raise UndecidedError(f"{self.name}: no finite value at {finer} bits")

    def _exact(self, values: dict[str, object]) -> dict[str, Number]:
        """Return the values as exact numbers, one for every symbol."""
        known = self.parameters
        for name in values:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"expected {', '.join(known)}"
                raise InputError(f"{self.name}: unknown symbol {shorten(name, 40)!r}; {hint}")
        missing = [name for name in known if name not in values]
        if missing:
            raise InputError(f"{self.name}: {', '.join(missing)} missing, expected exact values")
        return {name: number(value, name) for name, value in values.items()}

    def _refuse(self, condition: StatementCondition, values: Values, answer: Answer) -> None:
        used = sorted(symbol.name for symbol in condition.relation.free_symbols)
        at = ", ".join(f"{name} = {shorten(values[name].text, 40)}" for name in used)
        if answer is Answer.UNKNOWN:
            raise UndecidedError(f"{self.name}: cannot decide {condition.name} at {at}")
        raise InputError(f"{self.name}: the condition {condition.name} does not hold at {at}")


_RELATIONS = {
    ">": sympy.StrictGreaterThan,
    ">=": sympy.GreaterThan,
    "<": sympy.StrictLessThan,
    "<=": sympy.LessThan,
    "!=": sympy.Ne,
}


def condition(left: Expr, sign: str, right: Expr) -> StatementCondition:
    """Return the condition that a comparison holds, named as it is written.

    Example: ``condition(EPSILON, ">", 0).name`` is ``"epsilon > 0"``.
    """
    return StatementCondition(
        f"{left} {sign} {right}", _RELATIONS[sign](left, right, evaluate=False)
    )


def chance(symbol: Expr) -> tuple[StatementCondition, StatementCondition]:
    """Return the conditions of a probability: it is in [0, 1].

    Example: ``chance(EPSILON)[1].name`` is ``"epsilon <= 1"``.
    """
    return condition(symbol, ">=", 0), condition(symbol, "<=", 1)


def latex(expression: Expr) -> str:
    """Return an expression as LaTeX for math mode."""
    return str(sympy.latex(expression))


def latex_text(text: str) -> str:
    r"""Return any text as LaTeX text for math mode.

    Example: ``latex_text("s_i")`` is ``r"\text{s\_i}"``.
    """
    return "\\text{" + "".join(_ESCAPED.get(letter, letter) for letter in text) + "}"


_ESCAPED = {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    **{letter: "\\" + letter for letter in "&%$#_{}"},
}

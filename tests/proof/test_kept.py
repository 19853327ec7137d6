"""Names kept on pages: what is shown, with what the names stand for put in, is what is checked."""

from __future__ import annotations

from typing import Any

import pytest
from support.proofs import EACH, loaded
from sympy.core.function import AppliedUndef

from pfverify.proof.claim import Proved
from pfverify.proof.kept import KeptNames
from pfverify.proof.loader import ProofFile
from pfverify.proof.mathml import lines, width
from pfverify.proof.normal import same
from pfverify.proof.paper_notation import symbols_of
from pfverify.proof.terms import Formula, Relation, mapped, substituted

HEAD = """from pfverify.proof.language import *
a, b = constants("a b")
u, v = variables("u v")
x, z = indices("x z", "X")
m, {symbol} = masses("m"), functions("{name}")
"""
TAIL = """
Claim(id="F1", source=paper("design", "F1"), result=PROVED, words="w", printed=proved(
    statement={statement}, steps=[step("s", {statement}, identity())]))
"""


def read(
    body: str, statement: str, name: str = "h", symbol: str = "h"
) -> tuple[KeptNames, Formula]:
    text = HEAD.format(name=name, symbol=symbol) + body + TAIL.format(statement=statement)
    file = ProofFile(text, "F1.py")
    return KeptNames(file, text), formulas(file)[0]


def formulas(file: ProofFile) -> list[Formula]:
    found = []
    for _, part in file.claim.parts():
        found += part.formulas()
        found += [step.formula for step in part.all_steps()] if isinstance(part, Proved) else []
    return found


def put_in(formula: Formula, equations: list[Formula]) -> Formula:
    """The formula with each name replaced by the right side of its equation, the last one first."""

    def replaced(term: Any, left: Any, right: Any) -> Any:
        if isinstance(left, AppliedUndef):
            if isinstance(term, AppliedUndef) and term.func == left.func:
                return substituted(right, dict(zip(left.args, term.args, strict=True)))
        elif term == left:
            return right
        args = [replaced(arg, left, right) for arg in term.args]
        return term.func(*args) if args else term

    for equation in reversed(equations):
        assert isinstance(equation, Relation)
        left, right = equation.left, equation.right
        formula = mapped(formula, lambda t, le=left, ri=right: replaced(t, le, ri))
    return formula


def check(kept: KeptNames, checked: list[Formula]) -> int:
    """How many formulas are shown otherwise; each says what is checked."""
    shown = [kept.folded(one) for one in checked]
    equations = kept.used(shown)
    for one, short in zip(checked, shown, strict=True):
        assert same(put_in(short, equations), one), one
        assert same(kept.expanded(short), one), one
    return sum(one != short for one, short in zip(checked, shown, strict=True))


@pytest.mark.parametrize("path", EACH)
def test_what_a_page_keeps_names_in_is_what_is_checked(path: Any) -> None:
    here = loaded(path)
    symbols = symbols_of(here.claim)
    wide = any(width(chunk) > 60 for one in formulas(here)
               for line in lines(one, symbols) for chunk in line)  # fmt: skip
    changed = check(KeptNames(here, path.read_text("utf-8")), formulas(here)) if wide else 0
    if path.stem in ("M06", "G21"):
        assert changed > 3


def test_a_term_is_named_where_values_are_put_into_it() -> None:
    kept, formula = read(
        "F = total(m(z) * indicator(u - z), z)\nJ = total(m(x) * m(z) * F, x)\n",
        "at(F, {u: x}) - at(F, {u: x - 1}) <= total(at(F, {u: z}) * m(z), z) * a",
    )
    assert check(kept, [formula]) == 1
    assert str(kept.folded(formula)) == "F(x) - F(x - 1) <= a*sum[z](F(z)*m(z))"
    assert [str(one) for one in kept.used([kept.folded(formula)])] == [
        "F(u) = sum[z](m(z)*[u - z >= 0])"
    ]


def test_a_bound_symbol_is_not_captured() -> None:
    kept, formula = read(
        "F = total(m(z) * indicator(u - z), z)\n",
        "total(at(F, {u: z}) * m(z), z) <= total(m(x) * total(m(z) * indicator(z - z), z), x)",
    )
    assert check(kept, [formula]) == 1
    assert str(kept.folded(formula)).startswith("sum[z](F(z)*m(z)) <= ")
    assert "F(" not in str(kept.folded(formula)).partition("<=")[2]


@pytest.mark.parametrize(("name", "symbol"), [("F", "q"), ("J", "q")])
def test_a_name_that_looks_like_a_symbol_of_the_page_is_not_kept(name: str, symbol: str) -> None:
    body = "F = total(m(z) * indicator(u - z), z)\nE = total(m(z) * exp(u - z), z)\n"
    kept, formula = read(body, f"{symbol}(u) + F <= E", name, symbol)
    assert f"{name}(u)" in str(formula)
    named = {one.name for one in kept.named}  # E looks like the number e
    assert named == (set() if name == "F" else {"F"})


def test_a_part_of_a_sum_and_of_a_product_is_named() -> None:
    body = ("S = u * exp(v) + v * exp(a) + exp(u * v) + exp(b * u) + exp(a * u)\n"
            "T = 2 * abs(u) * abs(v) * abs(u - v) * abs(a - v) / b\n")  # fmt: skip
    kept, formula = read(body, "S + v <= 3 * T * h(u)")
    assert check(kept, [formula]) == 1
    assert str(kept.folded(formula)) == "v + S(u, v) <= 3*T(u, v)*h(u)"

"""Formulas in MathML: every formula of every file, and what each kind of term looks like."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.dom.minidom import parseString

import pytest
from support.proofs import EACH, loaded

from pfverify.errors import InputError
from pfverify.proof.claim import Proved
from pfverify.proof.loader import ProofFile
from pfverify.proof.mathml import lines
from pfverify.proof.notation import sign_of, sign_of_name
from pfverify.proof.paper_notation import symbols_of
from pfverify.proof.terms import relation
from pfverify.proof.written import latex

NAMES = """from pfverify.proof.language import *
a, E = positive("a E")
y = variables("y")
x, z = indices("x z", "X")
pi = masses("pi")
f = functions("f")
Claim(id="F1", source=paper("design", "F1"), result=NOT_CHECKABLE, words="w", not_checkable="n")
"""


def formula(text: str) -> Any:
    return ProofFile(NAMES, "F1.py").expression(text)


def flat(markup: str) -> str:
    """The characters of markup, without invisible ones."""
    text = "".join(re.sub(r"<[^>]+>", "", markup).split())
    return re.sub("&#x206[12];", "", text).replace("&#x2212;", "-").replace("&lt;", "<")


def shown(text: str, **symbols: str) -> list[str]:
    return [flat("".join(line)) for line in lines(formula(text), symbols)]


@pytest.mark.parametrize("path", EACH)
def test_every_formula_of_a_file_has_a_notation(path: Path) -> None:
    claim = loaded(path).claim
    for _, part in claim.parts():
        steps = [step.formula for step in part.steps] if isinstance(part, Proved) else []
        for one in (*part.given.values(), part.statement, *steps):
            for line in lines(one, symbols_of(claim)):
                for chunk in line:
                    parseString(f"<math>{chunk}</math>")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y - a < exp(y / a)", ["y-a<ey/a"]), ("a == 1 and y != 2", ["a=1", "y≠2"]),
        ("total(pi(x, z) * exp(-abs(y - z) / a), x, z) <= E", ["∑x,zπ(x,z)e-|y-z|/a≤E"]),
        ("(y + 1) * total(f(x), x) == 2 * 3 ** y", ["(y+1)∑xf(x)=2·3y"]),
        ("implies(y == 0 or y == 1, f(y) <= 0)", ["(y=0ory=1)⟹f(y)≤0"]),
        ("not (y < a)", ["¬(y<a)"]), ("indicator(y - a) <= maximum(y, a)", ["1[y≥a]≤max(a,y)"]),
        ("sqrt(y) ** 3 <= normal_cdf(-y)", None), ("f(-1/2) == -(y + 1) ** 2", None),
        ("integral(exp(-y), y, 0, oo) == 1", ["∫0∞e-ydy=1"]),
    ],
)  # fmt: skip
def test_formulas_as_they_are_shown(text: str, expected: list[str] | None) -> None:
    found = shown(text)
    if expected is not None:
        assert [line.replace("&#x1D7CF;", "1") for line in found] == expected
    for line in lines(formula(text), {}):
        parseString(f"<math>{''.join(line)}</math>")


def test_signs_and_powers_keep_their_parentheses() -> None:
    assert shown("(a - y) ** 2 == -(a - y)") == ["(a-y)2=y-a"]
    assert shown("a * y == y * f(y)", a="gap") == ["gap·y=yf(y)"]  # not gapy
    assert shown("exp((a - y) / a) == 1") == ["e(a-y)/a=1"]
    assert shown("exp(a) ** 2 <= 1 / (a * (1 + y))") == ["e2a≤1a(y+1)"]
    assert shown("E ** 2 == 1", E="e^epsilon") == ["e2ε=1"]
    assert shown("(E + 1) ** 2 == E ** (1 + a)", E="e^epsilon") == ["(eε+1)2=e(a+1)ε"]


def test_what_is_not_in_the_language_has_no_notation() -> None:
    import sympy

    with pytest.raises(TypeError, match="has no notation"):
        lines(relation("<=", sympy.sin(sympy.Symbol("y", real=True)), 0), {})


def test_names_in_the_notation_of_a_paper() -> None:
    assert [sign_of_name(n, {}).text for n in ("theta", "x0", "F_y", "near", "z'")] == [
        "θ", "x_0", "F_y", "near", "z\u2032",
    ]  # fmt: skip
    assert sign_of("mu_ij^*").latex() == r"\mu_{i j}^{*}"
    assert sign_of("x'").latex() == "x'"
    for bad in ("", "<b>", "x y", "x_{1}", "a" + "_" * 2):
        with pytest.raises(InputError, match="is no notation"):
            sign_of(bad)


def test_latex_has_the_notation_too() -> None:
    text = latex(formula("E * pi(x, z) <= 1"), {"E": "e^epsilon", "z": "x'", "pi": "p"})
    assert text == r"e^{\epsilon} p{\left(x,x' \right)} \le 1"
    assert latex(formula("E * pi(x, z) <= 1")) == r"E \pi{\left(x,z \right)} \le 1"


def test_what_joins_formulas_stands_in_parentheses_beside_others() -> None:
    assert shown("implies(y < a, y == 0 and a == 1)") == ["y<a⟹(y=0anda=1)"]
    assert shown("implies(y < a, implies(y == 0, a == 1))") == ["y<a⟹(y=0⟹a=1)"]
    assert shown("(y < a or y == 0) and iff(a == 1, y == 1)") == [
        "(y<aory=0)", "(a=1⟹y=1)", "(y=1⟹a=1)",
    ]  # fmt: skip


def test_a_line_may_be_broken_before_what_is_added() -> None:
    (line,) = lines(formula("y - a <= f(y) + exp(a) - 2 * y"), {})
    assert sorted(map(flat, line)) == sorted(["y", "-a", "≤f(y)", "+ea", "-2y"])


def test_the_number_e_is_upright_and_a_letter_is_not() -> None:
    upright = '<mi mathvariant="normal">e</mi>'
    assert upright in lines(formula("exp(a) == 1"), {})[0][0]
    assert upright in sign_of("e^epsilon").mathml()
    assert sign_of_name("e", {}).mathml() == "<mi>e</mi>"

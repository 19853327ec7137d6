"""The table of functions: each row against an independent evaluation, and nothing without a row."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy as sp

from pfverify.exact.number import Number
from pfverify.proof import heads, language
from pfverify.proof.bounded import may_be_unbounded
from pfverify.proof.calculus import NotSmooth, derived
from pfverify.proof.defined import unshown
from pfverify.proof.heads import HEADS, Head, head_of
from pfverify.proof.loader import ProofFile
from pfverify.proof.meaning import Instance, value
from pfverify.proof.normal import equal, normal
from pfverify.proof.numbers import NoMeaning
from pfverify.proof.terms import Area, Constant, Variable, relation, require_manageable

c = Constant("c")
v = Variable("v")
INDEPENDENT: dict[Any, Any] = {
    sp.exp: mpmath.exp,
    sp.log: mpmath.log,
    sp.Abs: abs,
    sp.Max: lambda *xs: max(xs),
    sp.Min: lambda *xs: min(xs),
    heads.AtLeastZero: lambda x: mpmath.mpf(x >= 0),
    heads.NormalCdf: lambda x: mpmath.ncdf(x),
    heads.Spread: lambda x: x,
}
POINTS = [Fraction(-7, 3), Fraction(-1), Fraction(0), Fraction(1, 5), Fraction(1), Fraction(4)]
IDS = [head.kind.__name__ for head in HEADS]


def several(head: Head) -> bool:
    return head.kind in (sp.Max, sp.Min)


def applied(head: Head, *arguments: Any) -> Any:
    return head.kind(*arguments, Fraction(1, 2)) if several(head) else head.kind(*arguments)


def exact(term: Any, x: Fraction) -> Number:
    return value(term, Instance({"c": Number.of_rational(x)}))


def near(x: Number) -> Any:
    return mpmath.mpf(x.ball().midpoint())


def real(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def test_every_row_is_tried_here() -> None:
    assert {head.kind for head in HEADS} == set(INDEPENDENT)


@pytest.mark.parametrize("head", HEADS, ids=IDS)
def test_value_and_domain(head: Head) -> None:
    for x in POINTS:
        term = applied(head, c)
        others = [real(Fraction(1, 2))] if several(head) else []
        if head.domain is not None and x <= 0:
            with pytest.raises(NoMeaning):
                exact(term, x)
            continue
        want = INDEPENDENT[head.kind](real(x), *others)
        assert abs(near(exact(term, x)) - want) <= 1e-14 * max(1, abs(want))
    asked = [condition for condition, _ in unshown(applied(head, c), [])]
    assert asked == ([relation(">", c, 0)] if head.domain else [])


@pytest.mark.parametrize("head", HEADS, ids=IDS)
def test_derivative(head: Head) -> None:
    if head.slope is None:
        with pytest.raises(NotSmooth):
            derived(applied(head, v), v)
        return
    found = derived(head.kind(v * v + 1), v).subs(v, c)
    for x in POINTS:
        want = mpmath.diff(lambda y: INDEPENDENT[head.kind](y * y + 1), real(x))
        assert abs(near(exact(found, x)) - want) <= 1e-12 * max(1, abs(want))


@pytest.mark.parametrize("head", HEADS, ids=IDS)
def test_the_normal_form_reads_arguments_up_to_their_own(head: Head) -> None:
    first, second = (c + 1) ** 2 - c**2, 2 * c + 1
    assert equal(applied(head, first), applied(head, second))
    assert not equal(applied(head, first), applied(head, first + 1))


@pytest.mark.parametrize("head", HEADS, ids=IDS)
def test_no_name_of_a_proof_file_is_taken_for_a_function(head: Head) -> None:
    for name in {head.word, *({head.kind.__name__} & heads.OWN_NAMES)} - {""}:
        with pytest.raises(language.InputError, match="cannot be a name"):
            language.functions(name)
    foreign = language.functions("Max")(c, 1)  # sympy's class is called so, this is another
    assert head_of(foreign) is None
    assert normal(foreign) != normal(sp.Max(c, 1))


@pytest.mark.parametrize("term", [sp.sin(v), sp.sign(v), sp.floor(v)], ids=str)
def test_a_function_without_a_row_is_refused_everywhere(term: Any) -> None:
    assert head_of(term) is None
    with pytest.raises(TypeError, match="not in the language"):
        normal(term)
    with pytest.raises(NoMeaning, match="not in the language"):
        value(term.subs(v, c), Instance({"c": Number.of_rational(1)}))
    with pytest.raises(NotSmooth):
        derived(term, v)
    assert may_be_unbounded(Area(term, v, 0, 1))


class Cosh(sp.Function):  # type: ignore[misc]
    """A function that is only in this test."""

    nargs = 1

    def _eval_is_extended_real(self) -> bool:
        return True


def test_a_function_is_added_by_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    half = Number.of_rational(Fraction(1, 2))
    row = Head(
        Cosh, "cosh", lambda u: Cosh(u), value=lambda x: (x.exp() + (-x).exp()) * half,
        form=lambda u: heads.application("Cosh", u), slope=lambda u: (sp.exp(u) - sp.exp(-u)) / 2,
    )  # fmt: skip
    monkeypatch.setitem(heads._BY_KIND, Cosh, row)
    monkeypatch.setitem(language.LANGUAGE, row.word, row.build)
    claim = 'Claim("T", paper("design", "F1"), "t", NOT_CHECKABLE, not_checkable="t")'
    file = ProofFile(f'a = constants("a")\n{claim}', "t")
    term = file.expression("cosh(2 * a)")
    require_manageable(term)
    assert equal(term, Cosh(file.names["a"] + file.names["a"]))
    found = value(term, Instance({"a": Number.of_rational(1)}))
    assert abs(near(found) - mpmath.cosh(2)) < 1e-14
    assert equal(derived(Cosh(3 * v), v), 3 * (sp.exp(3 * v) - sp.exp(-3 * v)) / 2)
    assert not may_be_unbounded(Area(Cosh(v), v, 0, 1))

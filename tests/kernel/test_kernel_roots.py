"""Roots in exponents: the kernel finds the ties that the package finds, and no others."""

from __future__ import annotations

from random import Random

import mpmath
import pytest
from core.enclose import Arithmetic, Undecided
from core.shapes import parse
from core.value import enclose_number, form_of, require_defined, sign
from core.zero import NIL, Sum, accumulate, enclose_form, is_zero, rational_value
from support.roots import identity, near_identity

from pfverify.exact.number import number

EQUAL = [
    ("exp(sqrt(8))", "exp(2*sqrt(2))"),
    ("exp(sqrt(1/2))", "exp(sqrt(2)/2)"),
    ("3*exp(sqrt(2))", "exp(sqrt(2)+log(3))"),
    ("exp(sqrt(6))", "exp(sqrt(2)*sqrt(3))"),
    ("sqrt(2)*exp(sqrt(5))", "exp(sqrt(5)+log(2)/2)"),
    ("exp(1/(1+sqrt(2)+sqrt(3)))", "exp((2+sqrt(2)-sqrt(6))/4)"),
    ("exp(2/(sqrt(7)-sqrt(5)))", "exp(sqrt(7)+sqrt(5))"),
    ("exp(exp(log(54)/3))", "exp(3*exp(log(2)/3))"),
    ("exp(log(2*exp(sqrt(6))-1))", "2*exp(sqrt(2)*sqrt(3))-1"),
    ("exp(sqrt(10403)*sqrt(103*107)/1e3)", "exp(103*sqrt(101*107)/1e3)"),
    ("exp(sqrt(2)*log(3))", "exp(log(9)*sqrt(1/2))"),
    (f"exp(sqrt({4 * 10**400 + 28})/1e200)", f"exp(sqrt({10**400 + 7})/5e199)"),
]


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_equal_numbers_are_found_equal(left: str, right: str) -> None:
    assert sign(parse(f"({left})-({right})")) == 0
    assert sign(parse(f"({left})-({right})+1e-300")) == 1
    assert sign(parse(f"({left})-({right})-1e-30")) == -1


@pytest.mark.parametrize(
    ("left", "right"),
    [  # the first three are equal, but not by the laws of the zero test
        ("exp(sqrt(2)+sqrt(3))", "exp(sqrt(5+2*sqrt(6)))"),
        ("exp(1+sqrt(2))", "exp(sqrt(3+2*sqrt(2)))"),
        ("exp(exp(log(7+5*sqrt(2))/3))", "exp(1+sqrt(2))"),
        ("exp(sqrt(2))", "exp(sqrt(2)+1e-30*sqrt(3))"),
        ("exp(sqrt(2)*log(3))", "exp(sqrt(3)*log(2))"),
        ("exp(sqrt(2))", "exp(-sqrt(2))"),
        ("exp(sqrt(2))", "2"),
    ],
)
def test_no_other_sum_is_called_zero(left: str, right: str) -> None:
    total: Sum = {}
    accumulate(total, form_of(parse(left).args[0]), parse("1"))  # type: ignore[union-attr, arg-type]
    other = form_of(parse(f"log({right})"))
    accumulate(total, other, parse("-1"))  # type: ignore[arg-type]
    assert not is_zero(total)


def test_nested_roots_stay_undecided() -> None:
    with pytest.raises(Undecided):
        sign(parse("exp(1+sqrt(2))-exp(sqrt(3+2*sqrt(2)))"))


SEEDS = [range(start, start + 20) for start in range(0, 120, 20)]


@pytest.mark.parametrize(
    "seeds", [*SEEDS, pytest.param(range(5000), marks=pytest.mark.long)], ids=str
)
def test_both_readers_decide_random_sums_alike(seeds: range) -> None:
    counts = {0: 0, 1: 0, -1: 0}
    for seed in seeds:
        rng = Random(seed)
        zero = rng.random() < 0.5
        text = identity(rng) if zero else near_identity(rng)
        found = sign(parse(text))
        assert (found == 0) is zero, text
        assert number(text).sign() == found, text
        counts[found] += 1
    print("signs", counts)
    assert counts[0] > 0.2 * len(seeds)
    assert min(counts[1], counts[-1]) > 0.05 * len(seeds)


ROOTS = ["sqrt(2)", "sqrt(3)", "sqrt(8/3)", "sqrt(6)", "sqrt(5)/4", "2", "sqrt(101*103)", "log(3)"]


def test_forms_have_the_value_of_the_number() -> None:
    """Sums of roots and logarithms, multiplied and inverted."""
    ar = Arithmetic(200)
    rational = 0
    for seed in range(300):
        rng = Random(seed)
        a, b = (
            "+".join(f"{rng.randint(1, 5)}*{x}" for x in rng.sample(ROOTS, rng.randint(1, 3)))
            for _ in range(2)
        )
        text = rng.choice([f"({a})*({b})", f"({a})/({b})", f"1/({a})+log(3)", f"1/(1/({a}))"])
        x = parse(text)
        require_defined(x)
        form = form_of(x)
        rational += rational_value(form) is not None
        ends = [
            (mpmath.ldexp(low, e), mpmath.ldexp(high, e))
            for low, high, e in (enclose_form(form, ar), enclose_number(x, ar))
        ]
        low, high = max(low for low, _ in ends), min(high for _, high in ends)
        assert low <= high, text
        assert all(b - a < mpmath.mpf(10) ** -40 for a, b in ends), text
        if "log" not in text:  # a sum of square roots has one as its inverse
            assert all(g[0] in ("one", "exp") for g, _ in form), text
    assert rational > 5
    assert form_of(parse("sqrt(2)*sqrt(8)-4")) == NIL

"""Masses that are quotients of exponential sums: their values, and which are fractions."""

from __future__ import annotations

from fractions import Fraction

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core.enclose import Arithmetic, Interval
from core.irrational import sum_of
from core.masses import Mass, enclose_mass, excess_sign, mass_of, total_of
from core.powers import power
from core.quotients import UNDIVIDED, quotient, shares
from core.shapes import parse
from core.value import enclose_number, form_of, sign
from core.zero import NIL, Sum, enclose_sum, exp_form

HALF = Fraction(1, 2)


def close(x: Interval, y: Interval, ar: Arithmetic) -> bool:
    """The same number to 60 digits."""
    low, high, e = ar.sub(x, y)
    return low <= 0 <= high and (high - low) * Fraction(2) ** e < Fraction(1, 10**60)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("2*log(3)", 0),
        ("3*log(3)+log(5)", 0),
        ("-2*log(3)", 0),
        ("5/2*log(3)", 1),
        ("-5/2*log(3)+7/3*log(5)+1", 3),
        ("log(3)/2", 1),
        ("1000*log(2)-999*log(3)", 0),
        ("5000*log(3)+2*log(5)", 1),  # too long to be worked out
        ("2*log(5)+5000*log(3)", 1),
        ("4*log(2/3)+exp(1)/9", 1),
    ],
)
def test_whole_powers_of_rationals_are_worked_out(text: str, rest: int) -> None:
    ar, f = Arithmetic(256), form_of(parse(text))
    h, c = power(f)
    assert len(h) == rest
    ratio = ar.div(ar.mul(ar.of(c), exp_form(h, ar)), exp_form(f, ar))
    assert close(ratio, ar.of(Fraction(1)), ar)


TEXTS = [
    "exp(-1)", "1/(1+exp(1))", "exp(1)/(1+exp(1))", "1/(exp(1)*3)", "(1-exp(-2))/3", "exp(-2)/7",
    "1/(2*exp(1/3)+5*exp(1/7))", "exp(1)/(exp(1)+exp(2))-exp(-3)", "sqrt(2)/2", "1-sqrt(1/3)",
    "exp(1/2)/(exp(3/2)*4)", "(exp(1)+2)/(3*exp(1)+9)", "1/exp(exp(1))",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_masses_have_the_value_of_the_number(text: str) -> None:
    ar = Arithmetic(256)
    mass = mass_of(parse(text))
    assert close(enclose_mass(mass, ar), enclose_number(parse(text), ar), ar)
    for other in TEXTS:
        both = total_of([(mass, mass_of(parse(other))), (HALF, mass), (HALF, Fraction(1, 3))])
        number = parse(f"({text})*({other})+({text})/2+1/6")
        assert close(enclose_mass(both, ar), enclose_number(number, ar), ar), other


def test_what_is_a_fraction_is_seen() -> None:
    f, g = form_of(parse("1/3")), form_of(parse("sqrt(2)"))
    below: Sum = {f: Fraction(6), g: Fraction(3), NIL: Fraction(1, 5)}
    for c in (Fraction(1, 2), Fraction(2), Fraction(-3, 7)):
        assert quotient({h: c * v for h, v in below.items()}, below) == c
    for h in below:
        mass = quotient({**below, h: below[h] * 2}, below)
        assert not isinstance(mass, Fraction)
    assert quotient({f: Fraction(3)}, {f: Fraction(6)}) == HALF
    kept = quotient({f: Fraction(3), g: Fraction(1)}, {f: Fraction(6)})
    ar = Arithmetic(256)
    value = ar.div(enclose_sum({f: Fraction(3), g: Fraction(1)}, ar), enclose_sum(
        {f: Fraction(6)}, ar))  # fmt: skip
    assert close(enclose_mass(kept, ar), value, ar)


@pytest.mark.parametrize("texts", [["0", "0"], ["1", "1", "1"], ["0", "log(2)"], ["0", "1"],
                                   ["1/2", "log(3)", "-7"]], ids=str)  # fmt: skip
def test_shares_have_their_values_and_the_sum_1(texts: list[str]) -> None:
    ar = Arithmetic(256)
    forms = [form_of(parse(text)) for text in texts]
    masses = shares(forms)
    assert close(enclose_mass(total_of((m, Fraction(1)) for m in masses), ar), ar.of(
        Fraction(1)), ar)  # fmt: skip
    for mass, text in zip(masses, texts, strict=True):
        number = parse(f"exp({text})/({'+'.join(f'exp({other})' for other in texts)})")
        assert close(enclose_mass(mass, ar), enclose_number(number, ar), ar)


def test_the_sign_of_an_excess_with_ends_of_one_bit() -> None:
    none = Fraction(0)
    for p, q, way in ((HALF, none, 1), (none, HALF, -1), (HALF, HALF, 0), (none, none, 0)):
        assert excess_sign(p, q, NIL, none) == way
    assert excess_sign(HALF, none, NIL, HALF) == 0
    e: Mass = mass_of(parse("exp(-1)"))
    one, two = form_of(parse("1")), form_of(parse("2"))
    inner = mass_of(parse("1/(1+exp(1))"))
    outer = mass_of(parse("exp(1)/(1+exp(1))"))
    for p, q, epsilon, way in (
        (e, mass_of(parse("exp(-2)")), one, 0),
        (e, mass_of(parse("exp(-2)")), two, -1),
        (outer, inner, one, 0),
        (outer, inner, NIL, 1),
        (inner, outer, NIL, -1),
        (total_of([(outer, HALF), (inner, HALF)]), HALF, NIL, 0),
        (total_of([(outer, HALF), (inner, HALF)]), total_of([(e, HALF), (HALF, HALF)]), NIL, 1),
    ):
        assert excess_sign(p, q, epsilon, none) == way
        assert excess_sign(p, q, epsilon, parse("1e-60")) == (way or -1)


SUM = "(1+2*exp(-1)+exp(-2)+exp(1/3))"
OTHER = "(1+exp(sqrt(2)))"


@pytest.mark.parametrize(("text", "sizes"), [  # of the denominator, in terms
    (f"exp(-1)/{SUM}+exp(-2)/{SUM}+1/{SUM}", 4),
    (f"exp(-1)/{SUM}-exp(-2)/{SUM}-(1/{SUM}-exp(1/3)/{SUM})", 4),
    (f"1/{OTHER}-exp(-1)/{SUM}+exp(1)/{SUM}-1/3-2/{OTHER}", 8),
    (f"1/{SUM}-(exp(-1)/{OTHER}-(1/{SUM}-exp(2)/{OTHER}))", 8),
    (f"1/{SUM}-1/{SUM}+2/{OTHER}", 2),  # what cancels leaves no denominator
    (f"2/{OTHER}-(1/{SUM}-(-1/{SUM}))", 8),
    ("exp(-1)-exp(-2)+1/3-1/2", 1),
])  # fmt: skip
def test_what_has_one_denominator_is_added_before_it_is_multiplied_out(
    text: str, sizes: int
) -> None:
    ar, x = Arithmetic(256), parse(text)
    above, below = sum_of(x)
    assert len(below) == sizes
    value = ar.div(enclose_sum(above, ar), enclose_sum(below, ar))
    assert close(value, enclose_number(x, ar), ar)


def test_the_sign_of_a_long_sum_of_quotients() -> None:
    whole = "+".join(f"exp(-{abs(k)})" for k in range(-15, 16))
    row = "+".join(f"exp(-{abs(k)})/({whole})" for k in range(-15, 16))
    assert sign(parse(f"{row}-1")) == 0
    assert sign(parse(f"1-({row})+1e-80")) == 1
    assert sign(parse(f"{row}-1-1e-80")) == -1
    assert sign(parse(f"{row}-exp(-1)/({whole})-1")) == -1


def test_what_is_no_quotient_of_sums_is_e_to_its_logarithm() -> None:
    ar = Arithmetic(256)
    for text in ("log(2)", "log(3)/log(5)", "exp(1)*log(1+exp(1))"):
        assert close(enclose_mass(mass_of(parse(text)), ar), enclose_number(parse(text), ar), ar)


def test_a_single_term_is_no_denominator() -> None:
    f, g = form_of(parse("1/3")), form_of(parse("sqrt(2)"))
    assert shares([f, f, f]) == [Fraction(1, 3)] * 3
    kept = quotient({f: Fraction(3), g: Fraction(1)}, {f: Fraction(6)})
    assert isinstance(kept, dict)
    assert [*kept] == [UNDIVIDED]
    both = shares([f, g])
    assert [[*x] for x in both if isinstance(x, dict)] == [[frozenset({(f, 1), (g, 1)})]] * 2

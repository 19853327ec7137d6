"""Refutations whose margins are tiny or huge end, and so does the kernel on them."""

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from support.problems import limited, problem

from pfverify import certify
from pfverify.certificate.build import kernel_word
from pfverify.exact.ball import precision, raw
from pfverify.exact.decimals import LARGEST_MARGIN, margin_text

pytestmark = pytest.mark.usefixtures("kernel_here")

NEAR_ONE = "1-exp(-10000)"  # the margin has more than 4300 digits
CASES = {
    "tiny": (0, 1, 1, NEAR_ONE, 0, "events"),
    "huge": (0, "1e4000", "1e-4000", 1, 0, "events"),
    "tiny event": (0, 1, 1, 0, "1-exp(-1/2)-exp(-10000)", "events"),
    "tiny excess": (0, 1, 1, 0, "1/2-exp(-1)/2-exp(-10000)", "pointwise"),
}


def table(case):
    x, y, scale, epsilon, delta, form = case
    return {
        "schema": "pfverify/problem/1",
        "epsilon": str(epsilon),
        "delta": str(delta),
        "form": form,
        "noise": {"kind": "laplace", "scale": str(scale)},
        "priors": {
            name: {"kind": "discrete", "mass": {str(atom): 1}}
            for name, atom in (("a", x), ("b", y))
        },
    }


@pytest.mark.parametrize("name", CASES)
def test_a_refutation_by_any_margin_ends(name):
    x, y, scale, epsilon, delta, form = CASES[name]
    with limited(60):
        result = certify(problem({x: 1}, {y: 1}, scale, epsilon, delta, form))
        assert result.verdict == "refuted"
        margins = [Fraction(pair.witness.margin) for pair in result.pairs]
        assert min(margins) > 0
        if name == "huge":
            assert max(margins) < 10**8000 < 2 * min(margins)
        else:
            mp.prec = 200
            truth = mp.exp(-10000)
            for margin in margins:
                assert truth * mpf("0.999") < mpf(margin.numerator) / margin.denominator <= truth
        assert kernel_word(table(CASES[name])) == "refuted"


@given(st.integers(1, 10**6), st.integers(-12_000, 12_000), st.integers(1, 12))
@example(1, -50_000, 1)
@example(1, 50_000, 12)
@settings(max_examples=40, deadline=None)
def test_the_text_of_a_margin_is_just_below_it(mantissa, power, digits):
    with precision(128):
        text = margin_text(raw(mantissa) * raw(Fraction(10)) ** power, digits)
    value = mantissa * Fraction(10) ** power
    if value >= 10**LARGEST_MARGIN:
        assert text == f"1e{LARGEST_MARGIN}"
    else:
        written = Fraction(text)
        assert 0 < written <= value < written * (1 + Fraction(2, 10 ** (digits - 1)))


def test_no_margin_is_written_for_what_is_not_proved_positive():
    with precision(64):
        assert margin_text(raw(0)) is None
        assert margin_text(raw(-1)) is None
        assert margin_text(raw(1) / 3 - raw(Fraction(1, 3))) is None
        assert margin_text(raw(1) / 0) is None

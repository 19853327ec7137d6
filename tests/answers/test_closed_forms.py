"""Scales with a closed form: exact decimals stay exact, and `exact` is the scale's own number."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest
from support import problems
from support.examples import discrete_examples, smooth_examples
from support.readers import kernel_number

from pfverify import Gaussian, Laplace, Problem
from pfverify.answers.calibrate import calibrate
from pfverify.answers.methods import CalibrateResult
from pfverify.edge.packaged import load_example
from pfverify.exact.ball import precision
from pfverify.exact.decimals import enclosure_text
from pfverify.exact.number import number


def read_back(result: CalibrateResult, digits: int = 12) -> int:
    """Every closed form is the same number to both readers and rounds up to its scale."""
    seen = 0
    for name, method in result.methods.items():
        if method.exact is None:
            continue
        value = number(method.exact)
        assert kernel_number(method.exact) == value.text, name
        assert "√" not in method.exact
        if value.fraction is not None:
            assert Fraction(method.scale) >= value.fraction
            if len(method.exact) <= digits and "/" not in method.exact:
                assert Fraction(method.scale) == value.fraction, name
        else:
            with precision(400):
                ends = enclosure_text(value.ball(), digits)
            assert ends is not None
            assert ends[1] == method.scale, name
        seen += 1
    return seen


# many pairs of normal laws: the others have the same recipes
MANY_PAIRS = {"ten-users", "cholesterol", "laplace-or-gaussian"}
READ_BACK = [n for n in (*discrete_examples(), *smooth_examples()) if n not in MANY_PAIRS]


@pytest.mark.parametrize("name", READ_BACK)
def test_closed_forms_of_packaged_problems_read_back(name: str) -> None:
    asked = load_example(name)
    read_back(calibrate(asked))


# epsilon and the texts that mean the same rational: each scale of a unit move is a short decimal
SAME = [
    ("5", "0.2"), ("log(exp(5))", "0.2"), ("1/2", "2"), ("log(exp(2))/4", "2"),
    ("log(32)/log(2)", "0.2"), ("sqrt(2)*sqrt(8)", "0.25"), ("0.16", "6.25"),
    ("1/log(exp(8))", "8"), ("(1+sqrt(2))*(sqrt(2)-1)*5", "0.2"),
]  # fmt: skip


@pytest.mark.parametrize(("epsilon", "scale"), SAME)
def test_exact_decimals_are_printed_exactly(epsilon: str, scale: str) -> None:
    """`bernoulli` at epsilon = 5 was 0.200000000001, so 0.2001 on the screen."""
    result = calibrate(problems.problem({0: 1}, {1: 1}, 1, epsilon))
    for name in ("l1", "wasserstein", "relaxed", "relaxed_published", "bernoulli"):
        method = result.methods[name]
        assert method.scale == scale, name
        assert method.exact == scale, name
    assert result.methods["coupling_lp"].scale == scale
    assert result.minimum.upper == scale


@pytest.mark.parametrize("rounds", [10, pytest.param(25, marks=pytest.mark.long)])
def test_short_rational_scales_of_random_two_point_pairs(rounds: int) -> None:
    """Where the log of the odds is rational, all recipes name that decimal; others round up."""
    rng = Random("closed forms")
    forms = 0
    for _ in range(rounds):
        p, q = (Fraction(rng.randint(0, 20), 20) for _ in range(2))
        if p == q:
            continue
        epsilon = rng.choice(["5", "1/4", "log(3)", "sqrt(2)", "log(exp(2))", "sqrt(log(5))"])
        tables = [{0: 1 - m, 2: m} for m in (p, q)]
        forms += read_back(calibrate(problems.problem(*tables, 1, epsilon)))
    assert forms > 2 * rounds


@pytest.mark.parametrize(
    ("first", "second", "epsilon", "scale", "exact"),
    [
        ((0, 1), (1, 4), 1, "1.82287565554", "(1+sqrt(7))/2"),
        ((0, 1), (0, 9), 1, "2", "2"),  # 8/(2 b^2) = 1
        ((0, 1), (3, 9), 1, "4", "4"),  # 3/b + 8/(2 b^2) = 1
        ((0, 1), (0, 4), "3/2", "1", "1"),
        ((0, 1), (5, 1), "log(exp(5))", "1", "1"),
        ((0, 1), (0, 9), "log(exp(1))", "2", "2"),
        ((0, 1), (3, 9), "sqrt(4)*log(exp(1/2))", "4", "4"),
    ],
)
def test_scales_of_normal_laws(
    first: tuple[int, int], second: tuple[int, int], epsilon: object, scale: str, exact: str
) -> None:
    asked = Problem(
        priors={"a": Gaussian(*first), "b": Gaussian(*second)}, noise=Laplace(), epsilon=epsilon
    )
    method = calibrate(asked).methods["gaussian_pure"]
    assert (method.scale, method.exact) == (scale, exact)


def test_the_root_sign_is_only_on_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    from pfverify.edge.cli import main

    assert main(["calibrate", "example:gaussian-pair"]) == 0
    assert "(1+√7)/2" in capsys.readouterr().out
    assert main(["calibrate", "example:gaussian-pair", "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out)["methods"]["gaussian_pure"]["exact"] == "(1+sqrt(7))/2"

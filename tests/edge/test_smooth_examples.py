"""What the packaged problems with normal priors show, against numbers found without pfverify.

The numbers are 20-digit mpmath values of the excess P(B) - e^epsilon Q(B) on the worst event,
from erfc closed forms of the normal-Laplace distribution function and root finding.
"""

from __future__ import annotations

import tomllib
from fractions import Fraction

import mpmath
import pytest

from pfverify import Laplace, Problem, calibrate, certify, loss
from pfverify.edge.packaged import example_text, load_example

CERTIFIED = ("cholesterol", "education", "gaussian-pair")
EXCESS = {  # (from, to): the divergence at the file's epsilon
    "theorem-2-fails": (("apart", "together"), "0.10517363755926182612"),
    "corollary-2-fails": (("after", "before"), "0.030539760466586187189"),
    "ten-users": (("present", "absent"), "0.00078750558417467230057"),
    "laplace-or-gaussian": (("high", "low"), "0.015595467775940323205"),
}


@pytest.mark.parametrize("name", CERTIFIED)
def test_these_are_private(name: str) -> None:
    assert certify(load_example(name)).verdict == "certified"


@pytest.mark.parametrize("name", EXCESS)
def test_these_are_refuted_with_a_witness(name: str) -> None:
    (first, second), excess = EXCESS[name]
    problem = load_example(name)
    result = certify(problem)
    assert result.verdict == "refuted"
    worst = next(pair for pair in result.pairs if (pair.from_, pair.to) == (first, second))
    assert worst.verdict == "refuted"
    assert worst.witness is not None
    margin = Fraction(worst.witness.margin)
    assert margin > 0
    if problem.delta.text != "0":
        assert margin <= Fraction(excess) - Fraction(problem.delta.text)


@pytest.mark.parametrize("name", EXCESS)
def test_the_divergence_contains_the_independent_value(name: str) -> None:
    (first, second), excess = EXCESS[name]
    found = loss(load_example(name))
    pair = next(pair for pair in found.pairs if (pair.from_, pair.to) == (first, second))
    half = Fraction(1, 10**19)  # the text of the value is rounded
    assert Fraction(pair.delta.lower) <= Fraction(excess) + half
    assert Fraction(excess) - half <= Fraction(pair.delta.upper)
    assert Fraction(pair.delta.upper) - Fraction(pair.delta.lower) < Fraction(1, 10**10)


def test_laplace_noise_of_the_same_variance_is_private() -> None:
    smooth = load_example("laplace-or-gaussian")
    assert smooth.noise.variance == 2
    same = Problem(beliefs=smooth.beliefs, noise=Laplace(1), epsilon=1, delta=0)  # 2 * 1**2 = 2
    assert certify(same).verdict == "certified"
    less = Problem(beliefs=smooth.beliefs, noise=Laplace("0.999"), epsilon=1, delta=0)
    assert certify(less).verdict == "refuted"


def test_the_pair_is_private_from_the_closed_form_on() -> None:
    """The least scale b solves 1/b + 3/(2 b^2) = 1."""
    found = calibrate(load_example("gaussian-pair")).minimum
    with mpmath.workdps(30):
        least = Fraction(mpmath.nstr((1 + mpmath.sqrt(7)) / 2, 25))
    assert Fraction(found.lower) < least <= Fraction(found.upper)
    assert Fraction(found.upper) - Fraction(found.lower) < Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("name", "enough", "too_small"),
    [("education", "0.08", "0.07"), ("cholesterol", "0.04", "0.03")],
)
def test_the_fits_need_no_noise(name: str, enough: str, too_small: str) -> None:
    problem = load_example(name)
    assert f"below delta = {enough}." in example_text(name)
    assert calibrate(problem.replaced(delta=enough)).minimum.upper == "0"
    assert calibrate(problem.replaced(delta=too_small)).minimum.upper != "0"


def test_theorem_2_asks_for_the_same_scale_at_every_delta() -> None:
    """So the file's delta is free: any below the excess is refuted, and one above is certified."""
    data = tomllib.loads(example_text("theorem-2-fails"))
    variances = {c["variance"] for c in data["priors"]["apart"]["components"]}
    assert variances == {data["priors"]["together"]["variance"]}
    problem = load_example("theorem-2-fails")
    assert certify(problem.replaced(delta="0.1051")).verdict == "refuted"
    assert certify(problem.replaced(delta="0.1052")).verdict == "certified"

"""Normal laws at the ends of what charts tell: enormous noise, and the edge of the pure bound."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from support.slices import sliced

from pfverify import Gaussian, GaussianNoise, Laplace, Problem, certify, loss
from pfverify.certificate.build import kernel_word
from pfverify.decide.verdict import Verdict

pytestmark = pytest.mark.usefixtures("kernel_here")


@pytest.mark.parametrize(("exponent", "variance"), sliced(2, [60, 70, 100], [1, 2]))
@pytest.mark.parametrize(("digits", "verdict"), [("3.9", "refuted"), ("4.0", "certified")])
def test_noise_far_beyond_the_priors_against_a_tiny_delta(exponent, variance, digits, verdict):
    """epsilon = 0: the total variation of shifts by 1 is 2 Phi(1/(2 sigma)) - 1."""
    problem = Problem(
        priors={"a": Gaussian(0, 1), "b": Gaussian(1, variance)},
        noise=GaussianNoise(f"1e{exponent}"),
        epsilon=0,
        delta=f"{digits}e-{exponent + 1}",
    )
    result = certify(problem)
    assert str(result.verdict) == verdict
    with mpmath.workdps(40 + exponent):
        truth = mpmath.mpf(10) ** -exponent / mpmath.sqrt(2 * mpmath.pi)
        for pair in result.pairs:
            assert pair.delta is not None
            low, high = Fraction(pair.delta.lower), Fraction(pair.delta.upper)
            close = mpmath.mpf(10) ** (-exponent - 11)
            assert abs(mpmath.mpf(low.numerator) / low.denominator - truth) < close
            assert abs(mpmath.mpf(high.numerator) / high.denominator - truth) < close


@pytest.mark.parametrize("delta", ["3.9e-61", "4e-61"])
def test_the_kernel_follows(delta):
    data = {
        "schema": "pfverify/problem/1",
        "epsilon": 0,
        "delta": delta,
        "noise": {"kind": "gaussian", "scale": "1e60"},
        "priors": {
            "a": {"kind": "gaussian", "mean": 0, "variance": 1},
            "b": {"kind": "gaussian", "mean": 1, "variance": 1},
        },
    }
    assert kernel_word(data) == ("refuted" if delta == "3.9e-61" else "certified")


@pytest.mark.parametrize("scale", ["(1+exp(log(7)/2))/2", "2"])
def test_loss_and_certify_agree_where_a_coupling_bounds_the_ratio(scale):
    """At the least pure scale, (1 + sqrt 7)/2, no chart tells delta from 0; the coupling does."""
    problem = Problem(
        priors={"a": Gaussian(0, 1), "b": Gaussian(1, 4)}, noise=Laplace(scale), epsilon=1
    )
    assert certify(problem).verdict is Verdict.CERTIFIED
    found = loss(problem)
    assert (found.delta.lower, found.delta.upper) == ("0", "0")
    assert all((pair.delta.lower, pair.delta.upper) == ("0", "0") for pair in found.pairs)

"""OpenDP's thresholded counts: the exact chance by summing the noise, both verdicts re-checked."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from pfverify import DiscreteLaplace, certify, check
from pfverify.certificate.build import write_verdict
from pfverify.edge.thresholded import one_row, published, reported
from pfverify.exact.number import Number
from pfverify.subjects.optional import installed

SAID = Fraction(0.004925833956035741)  # by OpenDP 0.16.0, at scale 1 and threshold 5


@pytest.mark.parametrize(("scale", "threshold"), [(1, 5), (1, 2), (3, 7), (2, 28)])
def test_the_chance_is_the_sum_of_the_noise_from_the_threshold_on(scale, threshold):
    with mpmath.workdps(40):
        ratio = mpmath.exp(mpmath.mpf(-1) / scale)
        masses = (ratio ** abs(z) for z in range(threshold - 1, 400 * scale))
        total = mpmath.fsum(masses) * (1 - ratio) / (1 + ratio)
        bound = Number.parse(published(scale, threshold)).at_most(128)
        exact = mpmath.mpf(bound.numerator) / bound.denominator
        assert abs(total - exact) < total * mpmath.mpf(10) ** -25


@pytest.mark.parametrize(
    ("delta", "verdict"),
    [(SAID, "refuted"), (published(1, 5), "certified"), ("0.0133", "refuted")],
)
def test_the_kernel_agrees_about_both_deltas(delta, verdict, tmp_path):
    problem = one_row(DiscreteLaplace(1), 5, 1, delta)
    result = certify(problem)
    assert result.verdict.value == verdict
    path, proof = tmp_path / "row.toml", tmp_path / "row.cert"
    problem.save(path)
    write_verdict(proof, path, problem, result, attest=False)
    found = check(path, proof)
    assert (found.accepted, found.word) == (True, verdict)


@pytest.mark.skipif(installed("opendp") != "0.16.0", reason="the delta is that of OpenDP 0.16.0")
def test_the_reported_delta_is_that_of_opendp():
    assert reported(1, 5) == (1.0, float(SAID))


def test_what_no_release_has_is_refused():
    for scale, threshold in ((0, 5), (1, 1)):
        with pytest.raises(ValueError, match="at least"):
            published(scale, threshold)

"""OpenDP's thresholded mechanisms for one row: what is released, and the delta that they report.

A count of integers gets noise, and its key is published where the sum is at least the threshold. A
key that only one row has is never published without that row, so that the chance of publishing it
with the row is the exact delta, whatever epsilon is.

Source: issue 2922 of OpenDP.
"""

from __future__ import annotations

from fractions import Fraction

from pfverify.exact.argument import Number
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.nothing import Nothing
from pfverify.model.problem import Problem
from pfverify.model.releases.release import Noise
from pfverify.subjects.opendp_samplers import thresholding


def published(scale: int, threshold: int) -> str:
    """Return the exact chance that a key with the count 1 is published: P(1 + Z >= threshold).

    Raises ValueError for a scale below 1 or a threshold below 2.
    Example: ``published(1, 5)`` is ``"exp(-4)/(1+exp(-1))"``.
    """
    if scale < 1 or threshold < 2:
        raise ValueError("expected a scale of at least 1 and a threshold of at least 2")
    tail, ratio = Fraction(threshold - 1, scale), Fraction(1, scale)
    return f"exp(-{tail})/(1+exp(-{ratio}))"


def one_row(noise: Noise, threshold: int, epsilon: Number, delta: Number) -> Problem:
    """Return what one row is promised: a count of 1 with a threshold, against no row at all.

    Example: ``certify(one_row(DiscreteLaplace(1), 5, 1, "0.01")).verdict.value`` is ``"refuted"``.
    """
    laws = {"one row": Discrete({1: 1}), "no row": Nothing()}
    steps = [{"threshold": {"at": threshold}}]
    return Problem(laws, noise=noise, post=steps, epsilon=epsilon, delta=delta)


def claimed(scale: int, threshold: int) -> tuple[Problem, Problem]:
    """Return what one row is promised by OpenDP's Laplace mechanism, and by the exact delta.

    Both have the epsilon that OpenDP reports; InputError where it is not installed.
    """
    epsilon, delta = map(Fraction, reported(scale, threshold))
    row = one_row(DiscreteLaplace(scale), threshold, epsilon, delta)
    return row, row.replaced(delta=published(scale, threshold))


def reported(scale: int, threshold: int) -> tuple[float, float]:
    """Return the epsilon and the delta that OpenDP reports for one row with one key.

    Raises InputError where OpenDP is not installed.
    Example: ``reported(1, 5)`` is ``(1.0, 0.004925833956035741)`` in OpenDP 0.16.0.
    """
    loss, delta = thresholding("laplace", scale, threshold).map((1, 1, 1))
    return float(loss), float(delta)


def reported_gaussian(scale: int, threshold: int) -> float:
    """Return the delta, beside rho, that OpenDP reports of `make_gaussian_threshold` for one row.

    Raises InputError where OpenDP is not installed.
    Example: ``reported_gaussian(2, 5)`` is ``0.022750137373805046`` in OpenDP 0.16.0.
    """
    return float(thresholding("gaussian", scale, threshold).map((1, 1, 1))[1])

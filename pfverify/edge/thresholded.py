"""OpenDP's thresholded Laplace mechanism for one row: what it releases, and the delta it reports.

A count of integers gets discrete Laplace noise, and its key is published where the sum is at least
the threshold. A key that only one row has is never published without that row, so that the chance
of publishing it with the row is the exact delta, whatever epsilon is.

Source: issue 2922 of OpenDP.
"""

from __future__ import annotations

from fractions import Fraction

from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.nothing import Nothing
from pfverify.model.problem import Problem
from pfverify.subjects.optional import library


def published(scale: int, threshold: int) -> str:
    """Return the exact chance that a key with the count 1 is published: P(1 + Z >= threshold).

    Raises ValueError for a scale below 1 or a threshold below 2.
    Example: ``published(1, 5)`` is ``"exp(-4)/(1+exp(-1))"``.
    """
    if scale < 1 or threshold < 2:
        raise ValueError("expected a scale of at least 1 and a threshold of at least 2")
    tail, ratio = Fraction(threshold - 1, scale), Fraction(1, scale)
    return f"exp(-{tail})/(1+exp(-{ratio}))"


def one_row(
    scale: int, threshold: int, epsilon: Fraction | int, delta: Fraction | str
) -> Problem:
    """Return what one row is promised: whether its key is seen, with the row and without it.

    Example: ``certify(one_row(1, 5, 1, "0.01")).verdict.value`` is ``"refuted"``.
    """
    return Problem(
        {"one row": Discrete({1: 1}), "no row": Nothing()}, noise=DiscreteLaplace(scale),
        post=[{"threshold": {"at": threshold}}], epsilon=epsilon, delta=delta,
    )  # fmt: skip


def reported(scale: int, threshold: int) -> tuple[float, float]:
    """Return the epsilon and the delta that OpenDP reports for one row with one key.

    Raises InputError where OpenDP is not installed.
    Example: ``reported(1, 5)`` is ``(1.0, 0.004925833956035741)`` in OpenDP 0.16.0.
    """
    return _reported("make_laplace_threshold", "l01inf_distance", scale, threshold)


def reported_gaussian(scale: int, threshold: int) -> float:
    """Return the delta, beside rho, that OpenDP reports of `make_gaussian_threshold` for one row.

    Raises InputError where OpenDP is not installed.
    Example: ``reported_gaussian(2, 5)`` is ``0.022750137373805046`` in OpenDP 0.16.0.
    """
    return _reported("make_gaussian_threshold", "l02inf_distance", scale, threshold)[1]


def _reported(maker: str, distance: str, scale: int, threshold: int) -> tuple[float, float]:
    dp = library("opendp.prelude", "OpenDP")
    dp.enable_features("contrib")
    space = (
        dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T="i64")),
        getattr(dp, distance)(dp.absolute_distance(T="i64")),
    )
    release = getattr(dp.m, maker)(*space, scale=float(scale), threshold=threshold)
    loss, delta = release.map((1, 1, 1))
    return float(loss), float(delta)

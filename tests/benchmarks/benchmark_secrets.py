"""Speed with many secrets, whose pairs share their priors."""

from __future__ import annotations

from benchmark_growth import many_secrets
from benchmark_measure import Row, ratio_row, seconds_text, times

from pfverify import calibrate, certify
from pfverify.scales.coupling.best import coupling_lp

CALIBRATE_TARGET, COUPLINGS_TARGET = 5, 15  # seconds for all pairs of 42 secrets
IN_CALLS = 5  # certify() calls that calibrate may take


def secrets_rows(secrets: int, repeats: int) -> list[Row]:
    """calibrate, and the best coupling of every pair, beside one certify() of all pairs."""
    problem = many_secrets(secrets)
    pairs = list(problem.questions())
    scales, verdicts = times(
        lambda: calibrate(problem), lambda: certify(problem), repeats=repeats
    )
    (couplings,) = times(
        lambda: [coupling_lp(p.first_prior, p.second_prior, problem.epsilon) for p in pairs],
        repeats=1,
    )
    size, against = f"{len(pairs):,} pairs", "whole certify() call"
    return [
        ratio_row(
            f"calibrate, {secrets} secrets", size, scales, against, verdicts,
            f"<= {CALIBRATE_TARGET} s, <= {IN_CALLS}",
            scales <= min(CALIBRATE_TARGET, IN_CALLS * verdicts),
        ),
        ratio_row(
            f"best couplings, {secrets} secrets", size, couplings, against, verdicts,
            f"<= {seconds_text(COUPLINGS_TARGET)}", couplings <= COUPLINGS_TARGET,
        ),
    ]  # fmt: skip

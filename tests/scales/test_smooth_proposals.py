"""Proposals for the least scale of priors with densities: so near that few exact decisions do."""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.problems import limited
from support.smooth_problems import parts_of, smooth_problem

from pfverify import GaussianNoise, Problem
from pfverify.decide.outcome import Verdict
from pfverify.scales.minimum import Bracket, minimum_scale
from pfverify.scales.smooth_scale import SmoothScale

MOST_DECISIONS = 8


def counted(
    problem: Problem, digits: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[Bracket, list[Verdict]]:
    """The bracket, and the verdicts that were decided exactly on the way to it."""
    verdicts: list[Verdict] = []
    decide = SmoothScale.verdict

    def verdict(self: SmoothScale, scale: Fraction) -> Verdict:
        verdicts.append(decide(self, scale))
        return verdicts[-1]

    monkeypatch.setattr(SmoothScale, "verdict", verdict)
    with limited(60):
        return minimum_scale(problem, digits), verdicts


@pytest.mark.parametrize("digits", [3, 12, 30])
def test_far_apart_laws_of_very_different_widths(
    digits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event of one scale says little of the next: its roots creep by 1 % a round."""
    p = parts_of(("2/9", 2, "1/500"), ("7/9", 20000, 0))
    q = parts_of((1, -2 * 10**9, 3))
    problem = smooth_problem(p, q, GaussianNoise(1), 100, "1e-6")
    bracket, verdicts = counted(problem, digits, monkeypatch)
    assert bracket.upper is not None
    assert bracket.reason is None
    known, near = Fraction("195675969.985486"), Fraction(1, 10**6)
    assert bracket.lower - near < known < bracket.upper + near
    assert {Verdict.REFUTED, Verdict.CERTIFIED} == set(verdicts)
    assert len(verdicts) <= MOST_DECISIONS

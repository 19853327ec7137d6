"""The decision on one scale of a problem, kept with what proves it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pfverify.decide.certify import certify
from pfverify.decide.outcome import Directed, Verdict, verdict_of
from pfverify.decide.routes import at_any_scale
from pfverify.decide.step import Evidence, Step, goal_keys
from pfverify.exact.no_truth import NoTruth
from pfverify.model.problem import Problem

Goal = tuple[str, str, str]
"""A belief, and an ordered pair of its secrets."""


@dataclass(frozen=True)
class DecidedScale(NoTruth, ask="read .verdict"):
    """The verdict on exactly one scale.

    Attributes: `proofs`, of both orders of every pair in the order of the problem, where it is
    certified; `worst`, the outcome of the worst ordered pair, where it is refuted.
    """

    verdict: Verdict
    proofs: tuple[tuple[Goal, Evidence], ...] = ()
    worst: Directed | None = None

    def steps(self, bits: int) -> list[Step] | None:
        """Return the certificate steps that prove the verdict; None where there are none."""
        if self.worst is not None and self.worst.proof is not None:
            goal = self.worst.belief, self.worst.from_, self.worst.to
            return [{**goal_keys(*goal), **self.worst.proof.step(bits)}]
        if self.verdict is not Verdict.CERTIFIED:
            return None
        return [{**goal_keys(*goal), **proof.step(bits)} for goal, proof in self.proofs]


def decided_scale(problem: Problem, scale: str) -> DecidedScale:
    """Decide a problem at one decimal scale; "0" is no noise.

    Enclosures and a witness are worked out only where the scale is refuted.
    Example: ``decided_scale(problem, "100").verdict.value`` is ``'certified'``.
    """
    proofs: list[tuple[Goal, Evidence]] = []
    undecided = False
    for item in problem.pairs_of_priors():
        scaled = at_any_scale(problem, item)
        orders = scaled.bare() if scale == "0" else scaled.at(Fraction(scale))
        names = (item.first, item.second), (item.second, item.first)
        for compared, (source, to) in zip(orders, names, strict=True):
            found = compared.settled()
            verdict = verdict_of(found.sign)
            if verdict is Verdict.REFUTED:
                worst = certify(problem.replaced(scale=scale)).pairs[0]
                return DecidedScale(Verdict.REFUTED, worst=worst)
            if verdict is Verdict.UNDECIDED or found.evidence is None:
                undecided = True
            else:
                proofs.append(((item.belief, source, to), found.evidence))
    if undecided:
        return DecidedScale(Verdict.UNDECIDED)
    return DecidedScale(Verdict.CERTIFIED, tuple(proofs))

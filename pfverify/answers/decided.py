"""The decision on one scale of a problem, kept with what proves it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pfverify.answers.certify import decided_pairs, verdict_on
from pfverify.answers.outcome import Directed
from pfverify.decide.comparison import Settled
from pfverify.decide.step import Evidence, Step, goal_keys
from pfverify.decide.verdict import Verdict, verdict_of
from pfverify.exact.no_truth import NoTruth
from pfverify.model.problem import Problem
from pfverify.results import DEFAULT_DIGITS
from pfverify.scales.pairs import Pairs

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
    return decided_at(Pairs(problem), scale)


def decided_at(pairs: Pairs, scale: str) -> DecidedScale:
    """Decide pairs that are set up at one decimal scale; see `decided_scale`.

    Where a bound covers the scale it takes the place of a decision, with the same evidence.
    """
    at = Fraction(scale)
    proofs: list[tuple[Goal, Evidence]] = []
    known: dict[int, list[Settled]] = {}
    undecided = False
    for item, scaled in zip(pairs.items, pairs.scaled, strict=True):
        if id(scaled) not in known:
            known[id(scaled)] = []
            for found in pairs.settled(scaled, at):
                if found.sign == 1:
                    return DecidedScale(Verdict.REFUTED, worst=_worst(pairs, scale))
                known[id(scaled)].append(found)
        names = (item.first, item.second), (item.second, item.first)
        for found, (source, to) in zip(known[id(scaled)], names, strict=True):
            if verdict_of(found.sign) is Verdict.UNDECIDED or found.evidence is None:
                undecided = True
            else:
                proofs.append(((item.belief, source, to), found.evidence))
    if undecided:
        return DecidedScale(Verdict.UNDECIDED)
    return DecidedScale(Verdict.CERTIFIED, tuple(proofs))


def _worst(pairs: Pairs, scale: str) -> Directed:
    """Return the worst ordered pair at a refuted scale, which is none that a bound covers."""
    at = Fraction(scale)
    problem = pairs.problem.replaced(scale=scale)
    items = [
        item.under(problem.release)
        for item, one in zip(pairs.items, pairs.scaled, strict=True)
        if at == 0 or not one.covers(at)
    ]
    return verdict_on(problem, decided_pairs(problem, items, DEFAULT_DIGITS)).pairs[0]

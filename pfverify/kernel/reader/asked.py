"""What certificates of scales, and those of couplings, ask of a problem and prove of it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from core.kinds import law_kind, module_of
from core.rules import Facts, Names, Rejected
from core.work import Check
from reader.goals import certified, goals_of, refuted
from reader.reader import Problem
from reader.tables import noise_kind

if TYPE_CHECKING:
    from reader.protocols import Release


def scaled(problem: Problem, steps: list[Any], check: Check) -> tuple[str, Facts]:
    """What the steps prove of scales of the noise, of gaussian noise standard deviations, in words,
    and the facts they used."""
    from core.scales import Scaled, scales

    release, noise = problem.release, noise_kind(problem.release.kind)
    if noise.monotone is None:
        raise Rejected(f"noise of kind {release.kind} has no scales")

    def at(scale: Fraction) -> Release:
        return release.at({"scale": scale, "variance": scale * scale}[str(noise.amount)])

    no_density = problem.target.form == "pointwise" and noise.dense
    above = " (every scale above 0; at 0 itself atoms have no density)" if no_density else ""
    rises = {noise.monotone} | getattr(release, "rises", set())
    asked = Scaled(
        lambda: list(goals_of(problem, at(Fraction(1)), check)),
        lambda scale, steps: certified(problem, at(scale), steps, check),
        lambda scale, steps: refuted(problem, at(scale), steps, check)[1],
        rises, getattr(release, "along", ""), above, check,
    )  # fmt: skip
    lines, facts = scales(asked, steps)
    return "; ".join(lines), facts


def coupled(problem: Problem, steps: list[Any], check: Check) -> str:
    """What the steps prove, in words, of couplings of pairs of priors that have atoms on the line,
    where they are about noise under a release with Laplace noise."""
    from core.couplings import Pair, couplings

    release, pairs = problem.release, set(problem.pairs)
    laplace = release.kind in ("laplace", "discrete-laplace")

    def pair_of(names: Names, noisy: bool) -> Pair:
        belief, a, b = names
        if (a, b) not in pairs:
            raise Rejected("the problem has no such pair")
        if belief not in problem.beliefs:
            raise Rejected("the problem has no such belief")
        p, q = (problem.source.beliefs[belief][s] for s in (a, b))
        if release.kind == "channel":
            raise Rejected("the rule is for numbers, not for the outputs of a channel")
        if law_kind(p) == "joint":
            raise Rejected("the rule is for numbers, not for joint priors")
        if release.seen("coupling")[0] != "one release":
            raise Rejected("the rule is for one release")
        if not (isinstance(p, dict) and isinstance(q, dict)):
            raise Rejected("the rule is for priors of atoms that are not too long")
        if noisy and (not laplace or problem.target.notion.name != "distp"):
            raise Rejected("the rule is for (discrete) Laplace noise")
        module_of(release.kind, p, q)
        return Pair(p, q, problem.target.epsilon)

    return "; ".join(couplings(pair_of, steps, check))

"""Certificates of scales: verdicts at named scales, and the smallest private scale."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from core.enclose import Undecided
from core.grammar import Malformed, shown
from core.judge import apply, certified, goals_of, names_of, refuted, said, shaped, where
from core.kinds import HOPELESS, UNSCALED
from core.rules import Facts, Goal, Rejected, Step
from core.shapes import array, decimal, table
from core.work import Check
from reader.reader import Problem
from reader.tables import noise_kind

if TYPE_CHECKING:
    from reader.protocols import Release


def _at(problem: Problem, scale: Fraction) -> Release:
    """The release at a scale: of gaussian noise that is the standard deviation."""
    amounts = {"scale": scale, "variance": scale * scale}
    return problem.release.at(amounts[str(noise_kind(problem.release.kind).amount)])


def _without_noise(problem: Problem, steps: list[Any], check: Check) -> Facts:
    """One step no-noise where every prior has atoms; else one step per goal, in order."""
    goals = _goals(problem, check)
    if all("no-noise" in goal.kind.unscaled for goal in goals):
        return _atoms_without_noise(goals, steps)
    found = [shaped(step, UNSCALED) for step in steps]
    if len(found) != len(goals):
        raise Rejected(f"{len(found)} steps for {len(goals)} goals")
    facts = {"DPI"}
    for goal, step in zip(goals, found, strict=True):
        none = goal.release.at(None)
        p, q = goal.kind.laws(goal.P, goal.Q, none)
        facts |= apply(goal.about(p, q, release=none), step, goal.kind.unscaled)
    return facts


def _goals(problem: Problem, check: Check) -> list[Goal[Any, Any]]:
    """Those at some scale."""
    return list(goals_of(problem, problem.release.at(Fraction(1)), check))


def _atoms_without_noise(goals: list[Goal[Any, Any]], steps: list[Any]) -> Facts:
    if len(steps) != 1 or steps[0] != {"rule": "no-noise"}:
        raise Malformed("the scale 0 needs the one step no-noise")
    facts: Facts = set()
    for goal in goals:
        no_noise = goal.kind.unscaled["no-noise"].load("no-noise")
        try:
            facts |= no_noise(goal, steps[0])
        except (Rejected, Undecided) as reason:
            raise Rejected(f"no-noise {said(goal)}: {reason}") from None
    goals[0].check.held("no-noise", facts)
    return facts


def _no_scale(problem: Problem, steps: list[Any], check: Check) -> Facts:
    goals = _goals(problem, check)
    if len(steps) != 1:
        raise Malformed("the upper end inf needs one step")
    if steps[0] != {"rule": "no-scale"}:
        step = shaped(steps[0], HOPELESS)
        for goal in goals:
            if goal.names == names_of(step):
                return apply(goal, step, goal.kind.hopeless)
        raise Rejected(f"{where(step)}: the problem has no such goal")
    if not all(goal.kind.no_scale for goal in goals):
        raise Malformed("no rule for goals of these kinds at every scale")
    from core.no_scale import no_scale

    facts = no_scale(goals)
    check.held("no-scale", facts)
    return facts


def _scale(problem: Problem, step: Step, check: Check) -> tuple[str, Facts]:
    """A named scale with its own certified or refuted steps."""
    method, verdict = step["method"], step["verdict"]
    if not (type(method) is str and 0 < len(method) <= 64 and method.isascii()):
        raise Malformed("a method must be a short ASCII name")
    if not method.replace("_", "").replace("-", "").isalnum():
        raise Malformed("a method must be a short ASCII name")
    scale, steps = decimal(step["scale"], "scale"), array(step["steps"], "steps")
    if verdict not in ("certified", "refuted"):
        raise Malformed("the verdict of a scale must be certified or refuted")
    line = f"scale {shown(step['scale'])[1:-1]} (labelled {shown(method)}) {verdict}"
    if verdict == "refuted":
        refuted(problem, _at(problem, scale), steps, check)
        return line, set()
    if scale == 0:
        return line + _above_zero(problem), _without_noise(problem, steps, check)
    return line, certified(problem, _at(problem, scale), steps, check)


def _above_zero(problem: Problem) -> str:
    """What the scale 0 stands for where the form bounds densities, which atoms lack without
    noise."""
    bounds_densities = problem.target.form == "pointwise" and noise_kind(problem.release.kind).dense
    return " (every scale above 0; at 0 itself atoms have no density)" if bounds_densities else ""


def _minimum(problem: Problem, step: Step, check: Check) -> tuple[str, Facts]:
    """
    lower = 0, or a goal fails at the scale lower
    the goals hold at the scale upper | upper = 0 and no-noise | upper = inf and no-scale or moment
    --------------------------------------------------------------------------- monotonicity, F2
    the smallest private scale lies in [lower, upper]
    """
    upper_steps = array(step["upper_steps"], "upper_steps")
    lower = decimal(step["lower"], "lower")
    line = f"minimum in [{shown(step['lower'])[1:-1]}, {shown(step['upper'])[1:-1]}]"
    line += getattr(problem.release, "along", "")  # of several scales
    if step["lower_step"] is None:
        if lower != 0:
            raise Rejected("a positive lower end needs a refuting step")
    elif lower == 0:
        raise Malformed("the lower end 0 has no step")
    else:
        refuted(problem, _at(problem, lower), [step["lower_step"]], check)
    if step["upper"] == "inf":
        return "minimum inf", _no_scale(problem, upper_steps, check)
    upper = decimal(step["upper"], "upper")
    if lower > upper:
        raise Rejected("the lower end exceeds the upper end")
    if upper == 0:
        return line + _above_zero(problem), _without_noise(problem, upper_steps, check)
    facts = certified(problem, _at(problem, upper), upper_steps, check)
    rises: Facts = getattr(problem.release, "rises", set())
    by = {str(noise_kind(problem.release.kind).monotone)} | rises
    check.held("minimum", by)
    return line, facts | by


def scales(problem: Problem, steps: list[Any], check: Check) -> tuple[list[str], Facts]:
    """What the steps prove of scales, in words, and the facts they used."""
    keys = {
        "scale": {"rule", "method", "scale", "verdict", "steps"},
        "minimum": {"rule", "lower", "upper", "lower_step", "upper_steps"},
    }
    if not steps:
        raise Rejected("a certificate of scales without a scale")
    lines: list[str] = []
    facts: Facts = set()
    for i, value in enumerate(steps):
        rule = value.get("rule") if type(value) is dict else None
        if type(rule) is not str or rule not in keys:
            raise Malformed(f"step {i + 1} of a scales certificate must be scale or minimum")
        step = table(value, "a step", keys[rule])
        try:
            line, used = (_scale if rule == "scale" else _minimum)(problem, step, check)
        except (Rejected, Undecided) as reason:
            raise Rejected(f"step {i + 1} ({rule}): {reason}") from None
        lines.append(line)
        facts |= used
    return lines, facts

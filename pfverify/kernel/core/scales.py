"""Certificates of scales: verdicts at named scales, and the smallest private scale."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from core.enclose import Undecided
from core.grammar import Malformed, shown
from core.judge import apply, names_of, said, shaped, where
from core.kinds import FORMS, HOPELESS, UNSCALED, kind_of
from core.rules import Facts, Goal, Rejected, Step, law_of_x
from core.shapes import array, decimal, table
from core.work import Check


class Scaled(NamedTuple):
    """The goals of a problem by the scales of its noise."""

    goals: Callable[[], list[Goal[Any, Any]]]  # those at some scale
    certified: Callable[[Fraction, list[Any]], Facts]  # by which all of them hold at one
    refuted: Callable[[Fraction, list[Any]], Facts]  # by which one is shown to fail there
    rises: Facts  # by which more noise is as private
    along: str  # said of several scales
    above: str  # said of the scale 0, at which the form bounds densities that atoms lack
    check: Check


def _without_noise(of: Scaled, steps: list[Any]) -> Facts:
    """One step no-noise where every prior has atoms; else, or for divergences, one step per goal,
    in order."""
    goals = of.goals()
    if goals[0].form in FORMS and all("no-noise" in goal.kind.unscaled for goal in goals):
        return _atoms_without_noise(goals, steps)
    found = [shaped(step, UNSCALED) for step in steps]
    if len(found) != len(goals):
        raise Rejected(f"{len(found)} steps for {len(goals)} goals")
    facts = {"DPI"}
    for goal, step in zip(goals, found, strict=True):
        none, kind = goal.release.at(None), goal.kind
        rules, laws = kind.unscaled, (law_of_x(goal.P), law_of_x(goal.Q))
        if goal.form not in FORMS and "no-noise" in rules:  # by what X itself is judged
            kind = kind_of(none.kind, *laws)
            rules = kind.certified
        about = goal.about(*kind.laws(*laws, none), release=none, kind=kind)
        facts |= apply(about, step, rules)
    return facts


def _atoms_without_noise(goals: list[Goal[Any, Any]], steps: list[Any]) -> Facts:
    if steps != [{"rule": "no-noise"}]:
        raise Malformed("the scale 0 needs the one step no-noise")
    facts: Facts = set()
    for goal in goals:
        try:
            facts |= goal.kind.unscaled["no-noise"].load("no-noise")(goal, steps[0])
        except (Rejected, Undecided) as reason:
            raise Rejected(f"no-noise {said(goal)}: {reason}") from None
    goals[0].check.held("no-noise", facts)
    return facts


def _no_scale(goals: list[Goal[Any, Any]], steps: list[Any]) -> Facts:
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
    from core.every_scale import no_scale

    facts = no_scale(goals)
    goals[0].check.held("no-scale", facts)
    return facts


def _scale(of: Scaled, step: Step) -> tuple[str, Facts]:
    """A named scale with its own certified or refuted steps."""
    method, verdict = step["method"], step["verdict"]
    short = type(method) is str and 0 < len(method) <= 64 and method.isascii()
    if not (short and method.replace("_", "").replace("-", "").isalnum()):
        raise Malformed("a method must be a short ASCII name")
    scale, steps = decimal(step["scale"], "scale"), array(step["steps"], "steps")
    if verdict not in ("certified", "refuted"):
        raise Malformed("the verdict of a scale must be certified or refuted")
    line = f"scale {shown(step['scale'])[1:-1]} (labelled {shown(method)}) {verdict}"
    if verdict == "refuted":
        return line, of.refuted(scale, steps)
    if scale == 0:
        return line + of.above, _without_noise(of, steps)
    return line, of.certified(scale, steps)


def minimum(of: Scaled, step: Step) -> tuple[str, Facts]:
    """
    lower = 0, or a goal fails at the scale lower
    the goals hold at the scale upper | upper = 0 and no-noise | upper = inf and no-scale or moment
    --------------------------------------------------------------------------- monotonicity, F2
    the smallest private scale lies in [lower, upper]
    """
    upper_steps = array(step["upper_steps"], "upper_steps")
    lower = decimal(step["lower"], "lower")
    line = f"minimum in [{shown(step['lower'])[1:-1]}, {shown(step['upper'])[1:-1]}]{of.along}"
    below: Facts = set()
    if step["lower_step"] is None:
        if lower != 0:
            raise Rejected("a positive lower end needs a refuting step")
    elif lower == 0:
        raise Malformed("the lower end 0 has no step")
    else:
        below = of.refuted(lower, [step["lower_step"]])
    if step["upper"] == "inf":
        return "minimum inf", below | _no_scale(of.goals(), upper_steps)
    upper = decimal(step["upper"], "upper")
    if lower > upper:
        raise Rejected("the lower end exceeds the upper end")
    if upper == 0:
        return line + of.above, below | _without_noise(of, upper_steps)
    of.check.held("minimum", of.rises)
    return line, below | of.rises | of.certified(upper, upper_steps)


RULES = {
    "scale": (_scale, {"rule", "method", "scale", "verdict", "steps"}),
    "minimum": (minimum, {"rule", "lower", "upper", "lower_step", "upper_steps"}),
}


def scales(of: Scaled, steps: list[Any]) -> tuple[list[str], Facts]:
    """What the steps prove of scales, in words, and the facts they used."""
    if not steps:
        raise Rejected("a certificate of scales without a scale")
    lines: list[str] = []
    facts: Facts = set()
    for i, value in enumerate(steps):
        name = value.get("rule") if type(value) is dict else None
        if type(name) is not str or name not in RULES:
            raise Malformed(f"step {i + 1} of a scales certificate must be scale or minimum")
        rule, keys = RULES[name]
        try:
            line, used = rule(of, table(value, "a step", keys))
        except (Rejected, Undecided) as reason:
            raise Rejected(f"step {i + 1} ({name}): {reason}") from None
        lines.append(line)
        facts |= used
    return lines, facts

"""Whether steps of a certificate prove or refute goals, which only say how that is to be done."""

from __future__ import annotations

from collections.abc import Set
from fractions import Fraction
from typing import Any

from core.enclose import Undecided
from core.grammar import Malformed, Number, combine, shown
from core.kinds import STEPS, Rules
from core.rules import Facts, Goal, Names, Rejected, Step
from core.shapes import string, table
from core.value import sign
from core.work import TooMuchWork


def said(goal: Goal[Any, Any]) -> str:
    """The secrets of a goal, in a message."""
    return f"{shown(goal.names[1], 30)} -> {shown(goal.names[2], 30)}"


def plain(delta: Number) -> Number:
    """delta, as 0 or 1 where it is written otherwise and proved equal to one of them."""
    ends = (Fraction(0), Fraction(1))
    return next((end for end in ends if sign(combine("-", delta, end)) == 0), delta)


def where(step: Step) -> str:
    """A step in a message."""
    return f"{step['rule']} {shown(step['from'], 30)} -> {shown(step['to'], 30)}"


def shaped(value: Any, rules: Set[str], keys: dict[str, set[str]] = STEPS) -> Step:
    """A step of one of the rules, in the shape that its rule demands."""
    if type(value) is not dict or type(value.get("rule")) is not str:
        raise Malformed("a step must be a table with a rule")
    if value["rule"] not in rules:
        raise Malformed(f"the rule {shown(value['rule'])} is not one for this place")
    table(value, "a step", keys[value["rule"]])
    for key in ("belief", "from", "to"):
        string(value[key], key)
    return dict(value)


def names_of(step: Step) -> Names:
    """The goal that a step is about."""
    return step["belief"], step["from"], step["to"]


def apply(goal: Goal[Any, Any], step: Step, rules: Rules) -> Facts:
    """The facts by which a step, by one of the rules of its goal's kind, settles the goal."""
    name = step["rule"]
    try:
        if goal.names != names_of(step):
            wanted = f"{said(goal)} of belief {shown(goal.names[0], 30)}"
            raise Rejected(f"the step due here is {wanted}")
        if name not in rules:
            raise Rejected(goal.kind.other)
        if goal.form not in rules[name].forms:
            raise Rejected(f"the rule does not prove the {goal.form} form")
        if goal.enclosed and (step.get("ties") or not rules[name].measures):
            raise TooMuchWork("too much work: this needs exact priors, and they are too long")
        facts = rules[name].load(name)(goal, step)
    except (Rejected, Undecided) as reason:
        raise Rejected(f"{where(step)}: {reason}") from None
    goal.check.held(name, facts)
    return facts

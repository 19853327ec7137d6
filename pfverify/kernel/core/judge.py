"""Goals of a problem, and whether steps of a certificate prove or refute them.

The goals come from the problem alone; the steps only say how to prove them.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from core.enclose import Undecided
from core.grammar import Malformed, Number, combine, shown
from core.kinds import CERTIFYING, REFUTING, STEPS, Enclosed, Rules, kind_of, module_of
from core.rules import Facts, Goal, Names, Rejected, Step
from core.shapes import string, table
from core.value import sign
from core.work import Check, TooMuchWork, spend
from reader.reader import Problem

if TYPE_CHECKING:
    from reader.protocols import Release


Bounds = tuple[str, str]  # which bounds of enclosed priors stand for P and Q
ABOVE, BELOW = ("high", "low"), ("low", "high")  # what holds for them holds, or fails, for P and Q


def goals_of(
    problem: Problem, release: Release, check: Check, by: Bounds | None = None,
    only: Names | None = None,
) -> Iterator[Goal[Any, Any]]:  # fmt: skip
    """Every belief, every pair, both orders (or `only` one of them), under the problem's release at
    some amount.

    P <= P' and Q' <= Q: p' <= e^epsilon q' + delta (of each event or output) gives the same of p
    and q, whose failure gives that of any P'' >= P and Q'' <= Q."""
    notion, stated, delta, form = problem.target
    delta = plain(delta)
    for belief, priors in problem.beliefs.items():
        for a, b in problem.pairs:
            # a partial source may rule one of them out
            for source, target in ((a, b), (b, a)) if a in priors and b in priors else ():
                spend(64)
                names = belief, source, target
                if only not in (None, names):
                    continue
                found = [priors[source], priors[target]]
                p, q = (_bound(prior, k, by) for k, prior in enumerate(found))
                module_of(problem.release.kind, p, q)  # also where nothing of it is added
                kind = kind_of(release.kind, p, q)
                if release.kind == "none" and form != "events":
                    from reader.noises import require_law

                    require_law(problem.release.kind, p, q)
                enclosed = any(isinstance(prior, Enclosed) for prior in found)
                laws, epsilon = kind.laws(p, q, release), notion.epsilon(stated, names)
                yield Goal(names, *laws, epsilon, delta, form, release, kind, enclosed, check)


def said(goal: Goal[Any, Any]) -> str:
    """The secrets of a goal, in a message."""
    return f"{shown(goal.names[1], 30)} -> {shown(goal.names[2], 30)}"


def _bound(prior: Any, k: int, by: Bounds | None) -> Any:
    if not isinstance(prior, Enclosed):
        return prior
    if by is None:
        raise TooMuchWork("too much work: this needs exact priors, and they are too long")
    return {"low": prior.low, "high": prior.high}[by[k]]


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


def certified(problem: Problem, release: Release, steps: list[Any], check: Check) -> Facts:
    """One step per goal, in order."""
    found = [shaped(step, CERTIFYING[release.amount is None]) for step in steps]
    facts: Facts = {"X"} if release.kind == "none" else set()
    count = 0
    for goal in goals_of(problem, release, check, ABOVE):
        if count == len(found):
            raise Rejected(f"no step for {said(goal)}")
        facts |= apply(goal, found[count], goal.kind.certified)
        count += 1
    if count != len(found):
        raise Rejected("more steps than goals")
    return facts


def refuted(problem: Problem, release: Release, steps: list[Any], check: Check) -> Step:
    """One step that refutes one of the goals."""
    if len(steps) != 1:
        raise Malformed("a refutation has exactly one step")
    step = shaped(steps[0], REFUTING)
    for goal in goals_of(problem, release, check, BELOW, names_of(step)):
        apply(goal, step, goal.kind.refuted)
        return step
    raise Rejected(f"{where(step)}: the problem has no such goal")

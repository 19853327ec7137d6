"""Goals of a problem, and whether steps of a certificate prove or refute them.

The goals come from the problem alone; the steps only say how to prove them.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from fractions import Fraction
from typing import Any, NamedTuple

from enclose import Undecided
from files import string, table
from grammar import Malformed, Number, combine, shown
from kinds import CERTIFYING, REFUTING, STEPS, Enclosed, Kind, Rules, kind_of, noise_kind
from reader import Problem
from rules import Facts, Names, Rejected, Step
from value import sign
from work import TooMuchWork, spend


class Goal(NamedTuple):
    """One inequality to prove, as its kind states it."""

    names: Names
    kind: Kind
    statement: Any
    enclosed: bool  # whether its P and Q are bounds of the priors

    def text(self) -> str:
        """The secrets, in a message."""
        return f"{shown(self.names[1], 30)} -> {shown(self.names[2], 30)}"


# the facts that every rule used in this check: one check at a time
USED: dict[str, Facts] = {}


Bounds = tuple[str, str]  # which bounds of enclosed priors stand for P and Q
ABOVE, BELOW = ("high", "low"), ("low", "high")  # what holds for them holds, or fails, for P and Q


def goals_of(
    problem: Problem, amount: Number | None, by: Bounds | None = None, only: Names | None = None
) -> Iterator[Goal]:
    """Every belief, every pair, both orders (or `only` one of them), under noise of a given
    positive scale (gaussian noise: of a given variance); None: the release of X itself, or of a
    channel's output.

    P <= P' and Q' <= Q: p' <= e^epsilon q' + delta (of each event or output) gives the same of p
    and q, whose failure gives that of any P'' >= P and Q'' <= Q."""
    if amount is not None and (problem.noise == "none" or amount == 0):
        raise Rejected("no noise has no amount")
    delta = _plain(problem.delta)
    about, epsilon = problem.protection, problem.epsilon
    makers: dict[str, Any] = {}
    for belief, priors in problem.beliefs.items():
        for a, b in problem.pairs:
            for source, target in ((a, b), (b, a)):
                spend(64)
                names = belief, source, target
                if only not in (None, names):
                    continue
                found = [priors[source], priors[target]]
                p, q = (_bound(prior, k, by) for k, prior in enumerate(found))
                kind = kind_of(problem.noise, p, q)  # also where nothing of it is added
                if amount is None and problem.released is None:
                    kind = kind_of("none", p, q)
                if kind.goals not in makers:
                    makers[kind.goals] = kind.maker()(problem, amount)
                if about is not None and about.metric is not None:
                    epsilon = about.metric.times(problem.epsilon, names)
                bounds = epsilon, delta, delta == 0, problem.form
                enclosed = any(isinstance(prior, Enclosed) for prior in found)
                yield Goal(names, kind, makers[kind.goals](names, p, q, bounds), enclosed)


def _bound(prior: Any, k: int, by: Bounds | None) -> Any:
    if not isinstance(prior, Enclosed):
        return prior
    if by is None:
        raise TooMuchWork("too much work: this needs exact priors, and they are too long")
    return {"low": prior.low, "high": prior.high}[by[k]]


def _plain(delta: Number) -> Number:
    """delta, as 0 or 1 where it is written otherwise and proved equal to one of them."""
    ends = (Fraction(0), Fraction(1))
    return next((end for end in ends if sign(combine("-", delta, end)) == 0), delta)


def released_goals(
    problem: Problem, by: Bounds | None = None, only: Names | None = None
) -> Iterator[Goal]:
    """The goals of the release of X itself, which must have what its form bounds."""
    from bare import require_law

    for goal in goals_of(problem, None, by, only):
        priors = problem.beliefs[goal.names[0]]
        require_law(problem, priors[goal.names[1]], priors[goal.names[2]])
        yield goal


def _questions(
    problem: Problem, amount: Number | None, by: Bounds, only: Names | None = None
) -> Iterator[Goal]:
    if amount is None and problem.released is None:
        return released_goals(problem, by, only)
    return goals_of(problem, amount, by, only)


def amount_of(problem: Problem, scale: Fraction) -> Fraction:
    """What `goals_of` wants for a scale: of gaussian noise the scale is the standard deviation."""
    return {"scale": scale, "variance": scale * scale}[str(noise_kind(problem.noise).amount)]


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


def apply(goal: Goal, step: Step, rules: Rules) -> Facts:
    """The facts by which a step, by one of the rules of its goal's kind, settles the goal."""
    name = step["rule"]
    try:
        if goal.names != names_of(step):
            wanted = f"{goal.text()} of belief {shown(goal.names[0], 30)}"
            raise Rejected(f"the step due here is {wanted}")
        if name not in rules:
            raise Rejected(goal.kind.other)
        if goal.statement.form not in rules[name].forms:
            raise Rejected(f"the rule does not prove the {goal.statement.form} form")
        if goal.enclosed and (step.get("ties") or not rules[name].measures):
            raise TooMuchWork("too much work: this needs exact priors, and they are too long")
        facts = rules[name].load(name)(goal.statement, step)
    except (Rejected, Undecided) as reason:
        raise Rejected(f"{where(step)}: {reason}") from None
    USED.setdefault(name, set()).update(facts)
    return facts


def certified(problem: Problem, amount: Number | None, steps: list[Any]) -> Facts:
    """One step per goal, in order."""
    found = [shaped(step, CERTIFYING[amount is None]) for step in steps]
    facts: Facts = {"X"} if amount is None and problem.released is None else set()
    count = 0
    for goal in _questions(problem, amount, ABOVE):
        if count == len(found):
            raise Rejected(f"no step for {goal.text()}")
        facts |= apply(goal, found[count], goal.kind.certified)
        count += 1
    if count != len(found):
        raise Rejected("more steps than goals")
    return facts


def refuted(problem: Problem, amount: Number | None, steps: list[Any]) -> Step:
    """One step that refutes one of the goals."""
    if len(steps) != 1:
        raise Malformed("a refutation has exactly one step")
    step = shaped(steps[0], REFUTING)
    for goal in _questions(problem, amount, BELOW, names_of(step)):
        apply(goal, step, goal.kind.refuted)
        return step
    raise Rejected(f"{where(step)}: the problem has no such goal")

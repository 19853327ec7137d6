"""The goals of a problem, which come from it alone, and whether steps of a certificate prove them
all, or refute one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from core.grammar import Malformed
from core.judge import apply, names_of, plain, said, shaped, where
from core.kinds import CERTIFYING, REFUTING, Enclosed, kind_of, module_of
from core.rules import Facts, Goal, Names, Rejected, Step
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
    notion, stated, delta, form, order = problem.target
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
                if release.kind == "none" and form == "pointwise":
                    from reader.noises import require_law

                    require_law(problem.release.kind, p, q)
                enclosed = any(isinstance(prior, Enclosed) for prior in found)
                laws, epsilon = kind.laws(p, q, release), notion.epsilon(stated, names)
                yield Goal(
                    names, *laws, epsilon, delta, form, release, kind, enclosed, check, order
                )


def _bound(prior: Any, k: int, by: Bounds | None) -> Any:
    if not isinstance(prior, Enclosed):
        return prior
    if by is None:
        raise TooMuchWork("too much work: this needs exact priors, and they are too long")
    return {"low": prior.low, "high": prior.high}[by[k]]


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


def refuted(
    problem: Problem, release: Release, steps: list[Any], check: Check
) -> tuple[Step, Facts]:
    """One step that refutes one of the goals, and the facts by which it does."""
    if len(steps) != 1:
        raise Malformed("a refutation has exactly one step")
    step = shaped(steps[0], REFUTING)
    for goal in goals_of(problem, release, check, BELOW, names_of(step)):
        facts: Facts = {"X"} if release.kind == "none" else set()
        return step, facts | apply(goal, step, goal.kind.refuted)
    raise Rejected(f"{where(step)}: the problem has no such goal")

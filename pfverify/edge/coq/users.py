"""A sum of users as `proofs/coq/Systems.v` has it: each user's own law, and none of the sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import lcm

from pfverify.edge.coq.claims import AcceptedClaim, Group
from pfverify.edge.coq.names import CoqNames
from pfverify.edge.coq.tables import folded, table_lines
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.model.sources.users import Users
from pfverify.model.systems.laws import ABSENT, VALUE, with_presence
from pfverify.model.systems.system import System

CALLED = "users"
"""The identifier of the system."""
_MOST_STEPS = 40_000  # of sums in one file: some seconds in Coq


def users_of(problem: Problem, claim: AcceptedClaim) -> System | None:
    """Return the system of a problem whose theorems are about the users, and not about their sum.

    That is so where `Systems.v` has a theorem for the claim, and Coq works out what it needs: the
    protected user's own laws decide where they are values, and where nothing is known of the
    others; else the law of the sum, where that takes it some seconds. None for other problems.
    """
    if not isinstance(problem.source, Users) or problem.noise.step is not None:
        return None
    system = problem.source.system
    if system.protect is not None or system.numbers:
        return None
    if claim.form is not None or claim.silent or claim.at_ends:
        return None
    if system.rest == "any":
        return system
    if not all(isinstance(one.law, Discrete) for one in system.others):
        return None
    values = all(
        system.user[name].role in (VALUE, ABSENT) for pair in problem.pairs for name in pair
    )
    sums = len(claim.scales) + 2 if claim.scale is None else 1
    return system if values or sums * _steps(system) <= _MOST_STEPS else None


def _steps(system: System) -> int:
    """About how many products of masses the law of the sum takes."""
    laws = [one.law for one in system.others if isinstance(one.law, Discrete)]
    unit = lcm(*(law.denominator for law in laws))
    steps, size = 0, 1
    for one, law in zip(system.others, laws, strict=True):
        reach = (max(0, *law.points) - min(0, *law.points)) * (unit // law.denominator)
        steps += one.count * law.size * (size + one.count * reach // 2)
        size += one.count * reach
    return steps


def of_user_alone(groups: Sequence[Group], system: System) -> list[Group]:
    """Return the same pairs with what the protected user reports in place of what is released."""
    return [
        Group(group.epsilon, [
            replace(item, first_prior=system.user[item.first].law,
                    second_prior=system.user[item.second].law)
            for item in group.items
        ])
        for group in groups
    ]  # fmt: skip


def divisor_of(system: System) -> int:
    """Return what the sum is divided by.

    Example: ``divisor_of(Problem.load("example:students-mean").source.system)`` is ``649``.
    """
    return 1 if system.release == "sum" else system.size


def system_lines(system: System, names: CoqNames) -> Iterator[str]:
    """Yield the definitions of the others' laws, and of the system."""
    mixed = system.presence_model == "independent"
    rows: list[str] = []
    for number, one in enumerate(system.others, 1):
        law = with_presence(one.law, one.presence) if mixed else one.law
        if not isinstance(law, Discrete):
            raise TypeError(f"a table of {type(law).__name__}")
        name = names.new("others", str(number))
        rows.append(f"({one.count}%positive, {name})")
        yield from table_lines(name, law, law.denominator, names)
    made = f"Systems.System [{'; '.join(rows)}] {divisor_of(system)}"
    yield from folded(f"Definition {CALLED} := {made}.")

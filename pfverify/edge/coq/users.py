"""A sum of users as `proofs/coq/Systems.v` has it: each user's own law, and none of the sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pfverify.edge.coq.claims import Group
from pfverify.edge.coq.names import Names
from pfverify.edge.coq.tables import folded, table_lines
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.model.systems.laws import ABSENT, VALUE, with_presence
from pfverify.model.systems.system import System

CALLED = "users"
"""The identifier of the system."""


def users_of(problem: Problem) -> System | None:
    """Return the system of a problem that `Systems.v` decides by the protected user alone.

    That loses nothing where the user reports a value or is absent; the others have atoms, and their
    laws are known. None for other problems.
    """
    system = problem.system
    if system is None or problem.noise.step is not None:
        return None
    if system.protect is not None or system.rest != "known":
        return None
    values = all(
        system.user[name].role in (VALUE, ABSENT) for pair in problem.pairs for name in pair
    )
    atoms = all(isinstance(one.law, Discrete) for one in system.others)
    return system if values and atoms else None


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


def system_lines(system: System, names: Names) -> Iterator[str]:
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
    divisor = 1 if system.release == "sum" else system.size
    yield from folded(f"Definition {CALLED} := System [{'; '.join(rows)}] {divisor}.")

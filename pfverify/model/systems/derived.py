"""The secrets, pairs and priors that a system of users gives."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from pfverify.errors import InputError, shorten
from pfverify.model.priors.by_secret import BySecret
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.mixture import Mixture
from pfverify.model.priors.prior import Prior
from pfverify.model.systems.laws import ABSENT, LAW, NOTHING, VALUE
from pfverify.model.systems.points import PointCrowd
from pfverify.model.systems.sums import Crowd
from pfverify.model.systems.system import PAIR_SETS, Other, System, UserCase

MAX_PAIRS = 1_000_000
"""Of users who are protected in turn."""

_KEPT = 16  # sums that are kept once they are worked out: each may be large


class Secret(NamedTuple):
    """What is to be hidden: the protected user is this case, all the others are the rest.

    `leaves`: what the user of the crowd adds whose place it is, None where that user is none of
    the crowd.
    """

    case: UserCase
    leaves: Prior | None


class DerivedPriors(BySecret):
    """Secret -> prior of what is released, the sum say; worked out when asked for.

    Example: ``derived(system).priors["yes"].atoms[0]`` is ``1``.
    Source: multi-user paper, (7)-(9), without the factors that cancel.
    """

    def __init__(self, system: System, secrets: dict[str, Secret]) -> None:
        super().__init__(secrets)
        self._system, self._secrets = system, secrets
        known = [] if system.rest == "any" else [(_adds(system, x), x.count) for x in system.others]
        if system.protect == "each" and system.rest == "known":
            known += [(system.adds(case), 1) for case in system.user.values()]
        added = {system.adds(secret.case) for secret in secrets.values()}
        self._crowd = PointCrowd(known, added) if system.numbers else Crowd(known, added)
        self._found: dict[str, Prior] = {}

    def __getitem__(self, name: str) -> Prior:
        if name not in self._found:
            if self._system.rest == "known" and len(self._found) >= _KEPT:
                self._found.pop(next(iter(self._found)))
            secret = self._secrets[name]
            self._found[name] = self._released(self._system.adds(secret.case), secret.leaves)
        return self._found[name]

    def rest(self, name: str) -> Prior:
        """Return the law of what all the others add to the released quantity.

        Example: ``derived(system).priors.rest("yes").mass[1]`` is ``2/3``.
        """
        return self._released(None, self._secrets[name].leaves)

    def _released(self, plus: Prior | None, leaves: Prior | None) -> Prior:
        if self._system.rest == "any":
            leaves = None  # nobody is in the crowd
        found = self._crowd.sum(plus=plus, without=leaves)
        return _divided(found, self._system.size) if self._system.release == "mean" else found


class Derived(NamedTuple):
    """What a problem takes from a system; `pairs` None means every pair of secrets."""

    secrets: dict[str, Secret]
    priors: DerivedPriors
    pairs: list[tuple[str, str]] | None


@lru_cache(maxsize=1)
def derived(system: System) -> Derived:
    """Return the priors of a system's secrets, and the pairs that its pair set means.

    Those of the last system are kept: the same problem is asked again with another scale.

    Raises InputError where there is no pair of that kind.
    """
    if system.protect == "each":
        return _of_each(system)
    secrets = {name: Secret(case, None) for name, case in system.user.items()}
    pairs = None
    if system.pair_set is not None:
        roles = PAIR_SETS[system.pair_set]
        pairs = [
            (a, b) for a, b in combinations(secrets, 2)
            if sorted((system.user[a].role, system.user[b].role)) == sorted(roles)
        ]  # fmt: skip
        if not pairs:
            raise InputError(f"pair_set: no pair of secrets is {_named(roles)} in the table user")
    return Derived(secrets, DerivedPriors(system, secrets), pairs)


def _named(roles: tuple[str, str]) -> str:
    words = {VALUE: "a point", LAW: "a law", ABSENT: "absence"}
    return f"{words[roles[0]]} against {'another' if roles[0] == roles[1] else words[roles[1]]}"


def _of_each(system: System) -> Derived:
    """Every user in turn; users who are alike are one."""
    secrets: dict[str, Secret] = {}
    pairs: list[tuple[str, str]] = []
    for who, law, leaves in _users(system):
        cases = _cases_of(law, system.pair_set or "", who)
        names = {f"{who} {word}": Secret(case, leaves) for word, case in cases.items()}
        if names.keys() & secrets.keys():
            raise InputError(f"user: {shorten(who)!r} is also what one of the others is called")
        secrets |= names
        *own, last = names
        values = system.pair_set == "values"  # else absence is the last
        if len(pairs) + (len(names) * len(own) // 2 if values else len(own)) > MAX_PAIRS:
            raise InputError(f"pair_set: the users' values make more than {MAX_PAIRS} pairs")
        pairs += combinations(names, 2) if values else ((name, last) for name in own)
    if not pairs:
        raise InputError("protect: no user has two values, nothing is to be told apart")
    return Derived(secrets, DerivedPriors(system, secrets), pairs)


def _users(system: System) -> Iterator[tuple[str, Prior, Prior]]:
    """Each kind of user: what it is called, its law, and what it adds in the crowd."""
    at = 1
    for one in system.others:
        who = f"user {at}" if one.count == 1 else f"users {at} to {at + one.count - 1}"
        at += one.count
        yield who, one.law, _adds(system, one)
    for name, case in system.user.items():
        yield name, case.law, system.adds(case)


def _adds(system: System, one: Other) -> Prior:
    """What one of the others adds, who is there or not."""
    mixed = system.presence_model == "independent"
    return system.adds(UserCase(LAW, one.law), one.presence if mixed else Fraction(1))


def _cases_of(law: Prior, pair_set: str, who: str) -> dict[str, UserCase]:
    absent = {ABSENT: UserCase(ABSENT, NOTHING)}
    if pair_set == "laws-absent":
        return {"present": UserCase(LAW, law)} | absent
    if isinstance(law, Finite):
        values = {f"= {name}": UserCase(VALUE, Finite({name: 1})) for name in law.support}
    elif isinstance(law, Discrete):
        values = {f"= {atom}": UserCase(VALUE, Discrete({atom: 1})) for atom in law.atoms}
    else:
        raise InputError(f"pair_set: {who} has a density, and so no values to list")
    return values if pair_set == "values" else values | absent


def _divided(law: Prior, count: int) -> Prior:
    """The law of the value over a number of users."""
    if isinstance(law, Discrete):
        return law.over(count)
    n = Fraction(count)
    parts = [part._replace(mean=part.mean / n, variance=part.variance / n**2)
             for part in law.components]  # fmt: skip
    return Mixture(parts).normal_form()

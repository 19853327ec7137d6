"""Laws that come from a system of independent users."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pfverify.errors import InputError, told_at
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Release
from pfverify.model.requirement import Requirement
from pfverify.model.sources.given import check_name
from pfverify.model.sources.source import DEFAULT_BELIEF, Source
from pfverify.model.systems.derived import derived
from pfverify.model.systems.sums import REMEDY
from pfverify.model.systems.system import System


class Users(Source):
    """The sum (or mean) over the users of a `System`; its secrets are what one of them may be.

    Raises InputError for what is no system.
    Example: ``Users(system).system.size``.
    Source: multi-user paper, section 3.
    """

    law_word = "user"
    remedy = REMEDY
    _pairs: list[tuple[str, str]] | None
    system: System

    def __init__(self, system: object) -> None:
        if type(system) is not System:
            raise InputError(f"system: expected System, got {type(system).__name__}")
        alone = system.rest == "any"
        self._keep(
            system=system, part_alone=alone, worked_out=not alone, numbers=system.numbers,
            unit=system.size if system.release == "mean" else 1,
        )  # fmt: skip

    @classmethod
    def from_table(cls, table: Any) -> Users:
        """Return the users of the table `[system]`; InputError that begins with "system"."""
        with told_at("system."):
            system = System.from_table(table)
        return cls(system)

    def for_release(self, release: Release, required: Requirement) -> Users:
        """Return the same users with their laws worked out.

        Raises InputError for a release of named inputs, a notion between priors that are given, and
        where no pair is what the system asks for.
        """
        if self.part_alone and not release.noise.independent:
            raise InputError(
                "system.rest: any needs noise that does not depend on X, and here each X has its "
                "own; expected known"
            )
        if release.named and release.plain:
            raise InputError("system: a channel takes priors over its inputs, not a system")
        if self.part_alone and not release.additive:
            raise InputError(
                "system.rest: any says nothing of what is done to the noisy sum (where it is "
                "rounded depends on the others); expected known"
            )
        protection = required.protection
        if protection.extended:
            raise InputError(
                f"notion: {protection.notion} is between priors that are given, and those of a "
                "system are worked out"
            )
        with told_at("system: "):
            found = derived(self.system)
        for secret in found.priors:
            check_name("system.user: the secret", secret)
        if self.numbers or self.part_alone:
            first = next(iter(found.priors))
            release.over({DEFAULT_BELIEF: {first: found.priors[first]}})
        users = Users(self.system)
        users._keep(laws={DEFAULT_BELIEF: found.priors}, _pairs=found.pairs)
        return users

    def pairs(self, stated: object) -> object:
        """Return the pairs of the system's pair set, or those that the problem states."""
        if stated is not None and self.names_pairs:
            raise InputError("pairs: the system's pair_set says which pairs are meant, not both")
        return stated if self._pairs is None else self._pairs

    @property
    def names_pairs(self) -> bool:
        """Whether the system has a pair set."""
        return self.system.pair_set is not None

    def assumed(self) -> list[str]:
        """Return what is taken for granted about the users."""
        return self.system.assumed()

    def stated(self) -> list[tuple[str, str, str]]:
        """Return what the protected user may be."""
        user = self.system.to_table().get("user", {})
        return [(DEFAULT_BELIEF, name, _case(case)) for name, case in user.items()]

    def laws_of_records(self) -> Mapping[str, Prior]:
        """Return the laws that the protected user may have."""
        return {name: case.law for name, case in self.system.user.items()}

    def said(self, *, sized: bool = True) -> str:
        """Return over whom the sum or mean is, and what is known of the others."""
        users = f"{self.system.size} users" if sized else "users"
        x = f"X is the {self.system.released} over {users}"
        if self.part_alone:
            return f"{x}; of the others nothing is known but that they are independent."
        return f"{x}, worked out from their laws."

    def tables(self) -> dict[str, Any]:
        """Return `system`."""
        return {"system": self.system.to_table()}

    def canonical_tables(self) -> dict[str, Any]:
        """Return `system`, in its one form."""
        return {"system": self.system.canonical()}

    def key(self) -> object:
        """Return the system."""
        return self.system


def _case(case: object) -> str:
    if isinstance(case, dict):
        return ", ".join(f"{key} {value}" for key, value in case.items())
    return str(case)

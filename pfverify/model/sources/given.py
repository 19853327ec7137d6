"""Laws that are given, prior by prior, for one adversary or several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pfverify.errors import InputError, shorten, told_at
from pfverify.model.kinds import PRIORS, of_a_kind
from pfverify.model.priors.joint import check_alike
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Laws
from pfverify.model.sources.source import DEFAULT_BELIEF, OfLaws, tables_of
from pfverify.outward import outward

AS_GIVEN = "the beliefs are exactly the priors given"


class Given(OfLaws):
    """Priors under each belief: belief -> {secret -> prior}.

    Raises InputError naming what was wrong.
    Example: ``Given({"default": {"a": Discrete({0: 1})}}).names_pairs`` is ``False``.
    """

    def __init__(self, beliefs: object) -> None:
        self._keep(laws=checked_tables(beliefs))

    @classmethod
    def to_one(cls, priors: object) -> Given:
        """Return the priors of one adversary: secret -> prior."""
        return cls({DEFAULT_BELIEF: priors})

    def assumed(self) -> list[str]:
        """Return that the priors are taken as they are."""
        return [AS_GIVEN]

    def laws_of_records(self) -> Mapping[str, Prior]:
        """Return the priors under the one belief that records give."""
        return self.laws.get(DEFAULT_BELIEF, {})

    def tables(self) -> dict[str, Any]:
        """Return `priors`, or `beliefs` where there are several."""
        return prior_tables(self.laws)


def prior_tables(laws: Laws) -> dict[str, Any]:
    """Return `priors` of a problem file, or `beliefs` where there are several.

    Example: ``prior_tables({"default": {}})`` is ``{"priors": {}}``.
    """
    return tables_of({
        belief: {"priors": {secret: prior.to_table() for secret, prior in table.items()}}
        for belief, table in laws.items()
    })  # fmt: skip


def check_name(what: str, name: object) -> None:
    """Raise InputError that begins with `what` unless a name is printable text."""
    if not isinstance(name, str):
        raise InputError(f"{what} {shorten(name)!r} is not text")
    if not name.strip() or not name.isprintable():
        raise InputError(f"{what} {shorten(ascii(name))} is empty or not printable text")


def checked_tables(tables: object) -> dict[str, Mapping[str, Prior]]:
    """Return priors in the form that problems keep, belief by belief.

    Raises InputError naming what was wrong. Example: ``checked_tables({})`` raises.
    """
    if not isinstance(tables, Mapping):
        raise InputError(f"beliefs: expected a table, got {shorten(tables)!r}")
    if not tables:
        raise InputError("beliefs: there is none, expected at least one")
    found: dict[str, Mapping[str, Prior]] = {
        name: _checked_table(name, table) for name, table in tables.items()
    }
    check_alike(found.values())
    return found


def _checked_table(belief: object, table: object) -> dict[str, Prior]:
    """Return the priors of one belief after checking names and types."""
    check_name("beliefs: the belief", belief)
    if not isinstance(table, Mapping):
        raise InputError(f"priors: expected a table secret -> prior, got {shorten(table)!r}")
    found = {}
    for secret, prior in table.items():
        check_name("priors: the secret", secret)
        found[secret] = _prior(prior, f"prior of {shorten(secret)!r}").normal_form()
    return found


def _prior(value: object, where: str) -> Prior:
    """A prior, or the one that an object of another library is."""
    reader = _OTHERS.get(type(value).__module__.partition(".")[0])
    if reader is None:
        return of_a_kind(value, PRIORS, where)
    with told_at(f"{where}: "):
        found: Prior = outward(reader)(value)
    return found


_OTHERS = {
    "pandas": "prior_of_column", "polars": "prior_of_column", "scipy": "prior_of_frozen",
}  # fmt: skip
"""Library -> what reads a prior of it."""

"""A sum of independent users, one of whom has a secret: who they are, and what is released."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pfverify.errors import InputError, listed, shorten, told_at
from pfverify.model.fixed import Fixed
from pfverify.model.keys import Key
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import MAX_COORDINATES, checked_names
from pfverify.model.priors.prior import Prior
from pfverify.model.systems.laws import (
    ABSENT,
    LAW,
    NOTHING,
    VALUE,
    law_schema,
    read_chance,
    read_law,
    read_named_law,
    with_presence,
)
from pfverify.model.systems.points import added_points, nothing_added
from pfverify.model.words import check_keys

MAX_USERS = 10**9
_SURE = Fraction(1)
_CHOICES = {
    "release": ("sum", "mean", "histogram"),
    "presence_model": ("all", "independent"),
    "rest": ("known", "any"),
    "pair_set": ("values", "values-absent", "laws-absent", "laws"),
    "protect": ("each",),
}
NUMBERS = ("sum", "mean", "count")
"""What may be released together, in one list."""
PAIR_SETS = {
    "values": (VALUE, VALUE),
    "values-absent": (VALUE, ABSENT),
    "laws-absent": (LAW, ABSENT),
    "laws": (LAW, LAW),
}
"""The four pair sets of the paper: what the two secrets of a pair are."""

_LISTED = "sum, mean and count"
_TABLE = "a table such as { bernoulli = \"1/3\" }, { mass = { ... } } or { mean = 0, variance = 1 }"


@dataclass(frozen=True)
class Other:
    """`count` users who have the same law when present, each there with chance `presence`."""

    law: Prior
    count: int = 1
    presence: Fraction = Fraction(1)


@dataclass(frozen=True)
class UserCase:
    """What the protected user may be: `role` is "value", "law" or "absent"."""

    role: str
    law: Prior


class System(Fixed):
    """Independent users whose sum (or mean) is released; the priors of a problem come from it.

    Parameters
    - others: tables that are each a law (one of `mass`, `counts`, `bernoulli`, `point`, `mean`
      with `variance` or `sd`, `components`) with `count` (default 1: so many such users) and
      `presence` (default 1: the chance that each is there).
    - user: secret -> a law as above, or the text "absent": what the protected user may be. A
      `point` is a value, anything else a law. Without it `protect` must be "each".
    - release: "sum", or "mean": the sum over the fixed public number of users, whoever is there. Or
      "histogram": how many users are in each of the `categories`; each adds one to one cell, and
      the laws are `mass`, `counts` or `point` over the categories. Or a list of at least two of
      "sum", "mean" and "count" (of those who are there): these numbers together.
    - categories: the names of the cells of a histogram.
    - presence_model: "all" (all others are there, as in the paper, where the chances of presence
      cancel) or "independent" (each is there with its chance: a mixture).
    - rest: "known", or "any": the others may have any laws at all, as long as they are independent
      of the user. Then the user's own laws decide, as a rest that adds 0 is the worst.
    - pair_set: "values", "values-absent", "laws-absent" or "laws"; default every pair of secrets.
    - protect: "each" protects every user in turn: one value against another, or against absence,
      or the law against absence, as `pair_set` says. The user of `user`, if any, has one law then.

    Raises InputError naming the key.
    Example: ``System(others=[{"bernoulli": "2/3", "count": 50}], user={"yes": {"point": 1},
    "no": {"point": 0}}).size`` is ``51``.
    Source: multi-user paper, section 3.
    """

    others: tuple[Other, ...]
    user: dict[str, UserCase]
    release: str | tuple[str, ...]
    categories: tuple[str, ...]
    presence_model: str
    rest: str
    pair_set: str | None
    protect: str | None

    def __init__(
        self,
        others: object = (),
        user: Mapping[str, object] | None = None,
        release: str | Sequence[str] = "sum",
        presence_model: str = "all",
        rest: str = "known",
        pair_set: str | None = None,
        protect: str | None = None,
        categories: Sequence[str] | None = None,
    ) -> None:
        chosen = {"release": release, "presence_model": presence_model, "rest": rest}
        chosen |= {
            key: value for key, value in (("pair_set", pair_set), ("protect", protect))
            if value is not None
        }  # fmt: skip
        if isinstance(release, list | tuple):
            release = _together(chosen.pop("release"))
        for key, value in chosen.items():
            if not isinstance(value, str) or value not in _CHOICES[key]:
                expected = " or ".join(_CHOICES[key])
                raise InputError(f"{key}: {shorten(value)!r} is unknown, expected {expected}")
        if (release == "histogram") != (categories is not None):
            raise InputError("categories: they are the cells of a histogram; expected both or none")
        cells = () if categories is None else checked_names(categories, "categories")
        entries = listed(others, "others", "a list of users")
        crowd = tuple(_other(entry, f"others[{k}]", cells) for k, entry in enumerate(entries))
        cases = _cases({} if user is None else user, cells)
        if sum(one.count for one in crowd) >= MAX_USERS:
            raise InputError(f"others: {MAX_USERS} users or more, expected fewer")
        self._keep(
            others=crowd, user=cases, release=release, presence_model=presence_model, rest=rest,
            pair_set=pair_set, protect=protect, categories=cells,
        )  # fmt: skip
        if self.numbers and not cells:
            self._check_values()
        if presence_model == "all":
            for k, one in enumerate(crowd):
                if one.presence == 0:
                    raise InputError(
                        f"others[{k}].presence: 0, but with presence_model all the others are "
                        "there; leave this user out, or choose independent"
                    )
        if protect is None and len(cases) < 2:
            raise InputError("user: expected at least two secrets, a law, a point or absence each")
        if protect == "each":
            self._check_each()

    def _check_values(self) -> None:
        laws = [(f"others[{k}]", one.law) for k, one in enumerate(self.others)]
        laws += [(f"user.{shorten(name, 30)}", case.law) for name, case in self.user.items()]
        for where, law in laws:
            if not isinstance(law, Discrete):
                raise InputError(
                    f"{where}: the law has a density; a list of numbers is released of users with "
                    "values"
                )

    def _check_each(self) -> None:
        if self.pair_set not in ("values", "values-absent", "laws-absent"):
            raise InputError(
                "protect: each needs pair_set values, values-absent or laws-absent (of the others "
                "only one law is known)"
            )
        if len(self.user) > 1 or any(case.role == ABSENT for case in self.user.values()):
            raise InputError("protect: with each, the table user names one law or none")
        if self.size < 1:
            raise InputError("others: there is nobody to protect")

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the numbers that are released together; none where it is one number."""
        return self.categories if isinstance(self.release, str) else self.release

    def adds(self, case: UserCase, presence: Fraction = _SURE) -> Prior:
        """Return what a user of a case, there with a chance, adds to the released sums.

        Example: ``system.adds(system.user["yes"]) == Discrete({1: 1})`` is ``True``.
        """
        if not self.numbers:
            return with_presence(case.law, presence)
        if case.role == ABSENT:
            return nothing_added(self.numbers)
        return with_presence(added_points(case.law, self.numbers, self.size), presence)

    @property
    def size(self) -> int:
        """How many users there are, present or not: the others and the protected one."""
        return sum(one.count for one in self.others) + (1 if self.user else 0)

    def for_any_rest(self) -> System:
        """Return the same system, about whose others nothing is known.

        Example: ``system.for_any_rest().rest`` is ``'any'``.
        """
        kept = {key: getattr(self, key) for key in (*_CHOICES, "others", "user")}
        return System(**{**kept, "rest": "any", "categories": self.categories or None})

    def assumed(self) -> list[str]:
        """Return what the priors take for granted about the users, in words."""
        if self.rest == "any":
            words = ["of the others it is assumed only that they are independent of the user"]
            if self._compares_laws():
                words.append("the laws of the user's value are exactly those given")
        else:
            words = ["the users are independent, with the laws given", self._presence()]
        if self.release == "mean" or (not self.categories and "mean" in self.numbers):
            words.append(f"the mean divides by {self.size}, the public number of users, whoever "
                         "is there")  # fmt: skip
        return words

    def _compares_laws(self) -> bool:
        """Whether some secret is a law of the user's value, which then is taken as it is given."""
        if self.pair_set is not None:
            return LAW in PAIR_SETS[self.pair_set]
        return any(case.role == LAW for case in self.user.values())

    def _presence(self) -> str:
        if self.presence_model == "independent":
            return (
                "each of the others is there with its own chance, independently (the laws mix "
                "those who are there; presence_model = all takes everybody as present)"
            )
        if all(one.presence == 1 for one in self.others):
            return "all others are present"
        return (
            "all others are present: the laws are those given that they are, in which the chances "
            "of presence cancel (presence_model = independent mixes instead)"
        )

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> System:
        """Read the table `system` of a problem file; InputError naming the key."""
        check_keys(table, ("others", "user", "categories", *_CHOICES))
        return cls(**table)

    def to_table(self) -> dict[str, Any]:
        """Return the table that `from_table` reads as this system.

        Example: ``System.from_table(system.to_table()) == system`` is ``True``.
        """
        return {
            **{key: value for key, value in self._named().items() if value is not None},
            "others": [
                {**_law_table(one.law), "count": one.count, "presence": str(one.presence)}
                for one in self.others
            ],
            **({"user": {name: _case_table(case) for name, case in self.user.items()}}
               if self.user else {}),
        }  # fmt: skip

    def canonical(self) -> dict[str, Any]:
        """Return the one form of the system that goes into the digest of a problem."""
        return {
            **self._named(),
            "others": [[one.law.canonical(), one.count, str(one.presence)] for one in self.others],
            "user": [[name, case.role, case.law.canonical()] for name, case in self.user.items()],
        }

    def _named(self) -> dict[str, Any]:
        """What is chosen, and the cells of a histogram."""
        named = {key: getattr(self, key) for key in _CHOICES}
        if self.numbers:
            named["release"] = self.release if self.categories else list(self.release)
        return named | ({"categories": list(self.categories)} if self.categories else {})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, System) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        chosen = [getattr(self, key) for key in _CHOICES]
        return (*chosen, self.categories, self.others, tuple(self.user.items()))

    def __repr__(self) -> str:
        users = "user" if self.size == 1 else "users"
        return f"<System of {self.size} {users}, {self.released}>"

    @property
    def released(self) -> str:
        """What is released, in words."""
        if self.categories:
            return f"histogram of {', '.join(self.categories)}"
        return self.release if isinstance(self.release, str) else " and ".join(self.release)


def system_schema() -> dict[str, Any]:
    """Return the definitions of a system and of its users, for the published schema."""
    choices: dict[str, Any] = {key: {"enum": list(values)} for key, values in _CHOICES.items()}
    choices["release"] = {
        "anyOf": [choices["release"], {"type": "array", "items": {"enum": list(NUMBERS)}}],
        "description": "one number, a histogram of categories, or numbers together; default sum",
    }
    return {
        "system": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "others": {"type": "array", "items": {"$ref": "#/$defs/other"}},
                "user": {
                    "type": "object",
                    "minProperties": 1,
                    "additionalProperties": {"$ref": "#/$defs/case"},
                    "description": "secret -> a law, a point, or absent",
                },
                **choices,
                "categories": {
                    "type": "array", "minItems": 1, "maxItems": MAX_COORDINATES,
                    "items": {"type": "string"}, "description": "the cells of a histogram",
                },
            },
        },
        "other": law_schema(
            Key("count", "so many such users; default 1", {"type": "integer"}),
            Key("presence", "the chance that each is there; default 1"),
        ),
        "case": {"if": {"type": "object"}, "then": law_schema(), "else": {"const": ABSENT}},
    }  # fmt: skip


def _together(release: object) -> tuple[str, ...]:
    """The numbers that a list names, at least two different ones."""
    found = checked_names(release, "release")
    for name in found:
        if name not in NUMBERS:
            raise InputError(f"release: {shorten(name)!r} in a list is unknown, expected {_LISTED}")
    if len(found) < 2:
        raise InputError(f"release: a list of one, expected at least two of {_LISTED}")
    return found


def _other(entry: object, where: str, cells: tuple[str, ...]) -> Other:
    if isinstance(entry, Other):
        entry = {"law": entry.law, "count": entry.count, "presence": entry.presence}
    if isinstance(entry, Prior):
        entry = {"law": entry}
    if not isinstance(entry, Mapping):
        raise InputError(f"{where}: expected {_TABLE}, got {shorten(entry)!r}")
    table = dict(entry)
    count, presence = table.pop("count", 1), table.pop("presence", 1)
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise InputError(f"{where}.count: {shorten(count)} is no number of users, expected >= 1")
    chance = read_chance(presence, f"{where}.presence")
    return Other(_law(table, where, cells).law, count, chance)


def _cases(table: object, cells: tuple[str, ...]) -> dict[str, UserCase]:
    if not isinstance(table, Mapping):
        raise InputError(f"user: expected a table secret -> law, got {shorten(table)!r}")
    return {name: _case(entry, f"user.{shorten(name, 30)}", cells) for name, entry in table.items()}


def _case(entry: object, where: str, cells: tuple[str, ...]) -> UserCase:
    if isinstance(entry, UserCase):
        return entry
    if isinstance(entry, Prior):
        entry = {"law": entry}
    if isinstance(entry, str):
        if entry == ABSENT:
            return UserCase(ABSENT, NOTHING)
        raise InputError(f'{where}: {shorten(entry)!r} is unknown, expected "absent" or a law')
    if not isinstance(entry, Mapping):
        raise InputError(f"{where}: expected \"absent\" or {_TABLE}, got {shorten(entry)!r}")
    return _law(dict(entry), where, cells)


def _law(table: dict[str, Any], where: str, cells: tuple[str, ...]) -> UserCase:
    """The law of a table, or of the prior that Python callers give under "law"."""
    law = table.get("law")
    with told_at(f"{where}: "):
        if cells:
            mass = law.mass if isinstance(law, Finite) and len(table) == 1 else None
            return UserCase(*read_named_law(table if mass is None else {"mass": mass}, cells))
        if isinstance(law, Prior) and len(table) == 1:
            return UserCase(LAW, law.normal_form())
        return UserCase(*read_law(table))


def _law_table(law: Prior) -> dict[str, Any]:
    table = law.to_table()
    table.pop("kind")
    return table


def _case_table(case: UserCase) -> Any:
    if case.role == ABSENT:
        return ABSENT
    if case.role == VALUE:
        if isinstance(case.law, Finite):
            return {"point": next(iter(case.law.support))}
        return {"point": str(case.law.components[0].mean)}
    return _law_table(case.law)

"""Systems of independent users: their secrets and pairs, as a table states them.

Everything comes from the problem's table `system`, nothing from the certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from core.grammar import Malformed, shown
from core.kinds import Mixture
from core.shapes import MAX_PAIRS, array, integer, number, string, table
from core.work import spend
from reader.places import Kept
from reader.priors import Given, canonical_prior, require_name
from reader.tables import NOISES
from reader.users import (
    ABSENT,
    LAW,
    NOBODY,
    VALUE,
    Case,
    Crowd,
    Numbers,
    Others,
    Secret,
    chance_of,
)

if TYPE_CHECKING:
    from reader.protocols import Release

MAX_USERS = 10**9  # of one system; so many are refused
CHOICES = {  # what may be chosen; the first is meant where nothing is, unless nothing may be
    "release": ("sum", "mean"),
    "presence_model": ("all", "independent"),
    "rest": ("known", "any"),
    "pair_set": ("values", "values-absent", "laws-absent", "laws"),
    "protect": ("each",),
}
PAIR_SETS = {  # what the two secrets of a pair are
    "values": (VALUE, VALUE),
    "values-absent": (ABSENT, VALUE),
    "laws-absent": (ABSENT, LAW),
    "laws": (LAW, LAW),
}


def _others(value: Any, what: str, read: Callable[[Any, str], Case]) -> Others:
    if type(value) is not dict:
        raise Malformed(f"{what} must be a table")
    count, presence = value.get("count", 1), value.get("presence", 1)
    integer(count, f"{what}: count", 1, MAX_USERS - 1)
    law = {key: part for key, part in value.items() if key not in ("count", "presence")}
    return Others(read(law, what), count, chance_of(presence, f"{what}: presence"))


def _choice(value: Any, key: str) -> str | None:
    if key not in value:
        return None if key in ("pair_set", "protect") else CHOICES[key][0]
    text = string(value[key], key)
    if text not in CHOICES[key]:
        raise Malformed(f"{key} must be one of {', '.join(CHOICES[key])}")
    return text


def source(problem: Any, release: Release) -> Given:
    """The system of a problem."""
    keys = {"others", "user", "categories", *CHOICES}
    value = table(problem["system"], "the system", set(), keys)
    numbers = None
    if "categories" in value or type(value.get("release")) is list:
        from core.coordinates import Joint
        from reader.joint import require_joint
        from reader.vectors import numbers_of

        numbers = numbers_of(value)
        require_joint(problem, release, {"": {"": Joint(numbers.names, ())}})  # as each law will be
        value = {key: part for key, part in value.items() if key != "release"}
    choices = {key: _choice(value, key) for key in CHOICES}
    numbers = numbers or Numbers(str(choices["release"]))
    known, mixed = choices["rest"] == "known", choices["presence_model"] == "independent"
    if not known and "post" in problem and not hasattr(release, "before"):
        raise Malformed("steps after the noise need a rest that is known")  # they act on the sum
    if not known and "pre" in problem:
        raise Malformed("steps of pre act on the sum, of which rest any leaves all but one unknown")
    entries = array(value.get("others", []), "others")
    others = [_others(entry, f"others {k + 1}", numbers.case) for k, entry in enumerate(entries)]
    if sum(one.users for one in others) >= MAX_USERS:
        raise Malformed(f"{MAX_USERS} users or more")
    cases = value.get("user", {})
    if type(cases) is not dict or ("user" in value and not cases):
        raise Malformed("user must be a table of at least one secret")
    user = {
        name: NOBODY if entry == ABSENT else numbers.case(entry, f"user {shown(name)}")
        for name, entry in cases.items()
    }
    if not mixed and any(one.presence == 0 for one in others):
        raise Malformed("a presence of 0, but all the others are there")
    each = choices["protect"] == "each"
    secrets, pairs = _secrets(choices["pair_set"], others, user, each)
    for name in secrets:
        require_name(name)
    if pairs is not None and "pairs" in problem:
        raise Malformed("the system's pair_set says which pairs are meant, not both")
    asked = problem if pairs is None else {"pairs": [list(pair) for pair in pairs]}
    written = {
        **choices, **numbers.canonical(),
        "others": [[canonical_prior(a.law), n, str(chance)] for a, n, chance in others],
        "user": [[name, role, canonical_prior(law)] for name, (role, law) in user.items()],
    }  # fmt: skip

    size = sum(one.users for one in others) + (1 if user else 0)
    told = "with the laws given" if known else "the laws of the others unknown"
    if known and any(one.presence != 1 for one in others):
        told += ", each there with its chance" if mixed else ", all there"
    told += f", the mean over {size}" if numbers.has_mean else ""
    masses = problem.get("form") == "pointwise" and not NOISES[release.kind].dense
    if masses and not known and number(problem.get("delta", 0), "delta") != 0:
        told += ", none of them with a density"

    rest = [one if mixed else one._replace(presence=Fraction(1)) for one in others] if known else []
    if known and each:
        rest += [Others(case, 1, Fraction(1)) for case in user.values()]
    makes = Crowd(numbers, size, rest, secrets)

    def law(name: str) -> object:
        every = len(secrets) * (len(secrets) - 1) // 2
        return makes.law(name, len(asked["pairs"]) if "pairs" in asked else every)

    return Given(
        {"default": Kept(secrets, law)},
        asked, f"users independent, {told}", "users", written={"system": written},
        stand=frozenset(() if known else {"DPI"}),
    )  # fmt: skip


# ---------------------------------------------------------------- secrets and pairs

Pairs = list[tuple[str, str]]


def _pairs(pair_set: str, cases: Mapping[str, Case], room: int) -> Pairs:
    """The pairs of a set, in the order of the cases."""
    first, second = PAIR_SETS[pair_set]
    at = {name: k for k, name in enumerate(cases)}
    of = {role: [name for name in cases if cases[name].role == role] for role in (first, second)}
    alike, a, b = first == second, len(of[first]), len(of[second])
    if (a * (a - 1) // 2 if alike else a * b) > room:
        raise Malformed("too many pairs")
    spend(8 * a * b)
    if alike:
        return list(combinations(of[first], 2))
    mixed = [(x, y) if at[x] < at[y] else (y, x) for x in of[first] for y in of[second]]
    return sorted(mixed, key=lambda pair: (at[pair[0]], at[pair[1]]))


def _secrets(
    pair_set: str | None, others: list[Others], user: dict[str, Case], each: bool
) -> tuple[dict[str, Secret], Pairs | None]:
    """The secrets of the named user, or (`each`) of every user in turn, of whom those of one entry
    are alike and the named one, if any, is the last; and the pairs of the set, if there is one."""
    if not each and len(user) < 2:
        raise Malformed("user must name at least two secrets")
    if each and pair_set not in ("values", "values-absent", "laws-absent"):
        raise Malformed("protect each needs the pair_set values, values-absent or laws-absent")
    if each and (len(user) > 1 or any(case.role == ABSENT for case in user.values())):
        raise Malformed("with protect each, user names one law or none")
    if each and not others and not user:
        raise Malformed("nobody to protect")
    secrets: dict[str, Secret] = {}
    pairs: Pairs = []
    users = _every_user(str(pair_set), others, user) if each else [("", user)]
    for place, (who, cases) in enumerate(users):
        if cases.keys() & secrets.keys():
            raise Malformed(f"two users are called {shown(who)}")
        secrets |= {name: Secret(case, place if each else None) for name, case in cases.items()}
        pairs += _pairs(pair_set, cases, MAX_PAIRS - len(pairs)) if pair_set else []
    if pair_set and not pairs:
        what = "no user has two values" if each else f"no pair of the set {pair_set}"
        raise Malformed(f"{what}: nothing to decide")
    return secrets, pairs if pair_set else None


def _every_user(
    pair_set: str, others: list[Others], user: dict[str, Case]
) -> Iterator[tuple[str, dict[str, Case]]]:
    """The name of each user, or of those of one entry, and what such a user may be."""
    first, users = 1, []
    for one in others:
        last = first + one.users - 1
        users.append((f"user {first}" if first == last else f"users {first} to {last}", one.case))
        first = last + 1
    for who, (_, law) in (*users, *user.items()):
        if pair_set != "laws-absent" and isinstance(law, Mixture):
            raise Malformed(f"{shown(who)} has a density, and so no values to list")
        cases = {f"{who} present": Case(LAW, law)} if pair_set == "laws-absent" else {
            f"{who} = {x}": Case(VALUE, {x: Fraction(1)}) for x in law
        }  # fmt: skip
        yield who, cases if pair_set == "values" else {**cases, f"{who} {ABSENT}": NOBODY}

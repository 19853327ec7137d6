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
from core.shapes import MAX_PAIRS, array, number, string, table
from core.work import spend
from reader.by_secret import Kept
from reader.priors import Given, require_name
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
    numbers_of,
)

if TYPE_CHECKING:
    from reader.protocols import Release

MAX_USERS = 10**9  # of one system; so many are refused
CHOICES = {
    "release": ("sum", "mean"),
    "presence_model": ("all", "independent"),
    "rest": ("known", "any"),
    "pair_set": ("values", "values-absent", "laws-absent", "laws"),
    "protect": ("each",),
}
DEFAULTS = {"release": "sum", "presence_model": "all", "rest": "known"}
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
    if type(count) is not int or not 0 < count < MAX_USERS:
        raise Malformed(f"{what}: count must be an integer from 1 to {MAX_USERS - 1}")
    law = {key: part for key, part in value.items() if key not in ("count", "presence")}
    return Others(read(law, what), count, chance_of(presence, f"{what}: presence"))


def _choice(value: Any, key: str) -> str | None:
    if key not in value:
        return DEFAULTS.get(key)
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
        from reader.joint import Joint, require_joint

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
    secrets, pairs = (_every_user if each else _one_user)(choices["pair_set"], others, user)
    for name in secrets:
        require_name(name)
    if pairs is not None and "pairs" in problem:
        raise Malformed("the system's pair_set says which pairs are meant, not both")
    asked = problem if pairs is None else {"pairs": [list(pair) for pair in pairs]}
    written = {
        **choices, **numbers.canonical(),
        "others": [[one.case.canonical(), one.users, str(one.presence)] for one in others],
        "user": [[name, case.role, case.canonical()] for name, case in user.items()],
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
        stand=("belief", frozenset() if known else frozenset({"DPI"})),
    )  # fmt: skip


# ---------------------------------------------------------------- secrets and pairs

Made = tuple[dict[str, Secret], list[tuple[str, str]] | None]


def _pairs(pair_set: str, cases: Mapping[str, Case]) -> list[tuple[str, str]]:
    """The pairs of a set, in the order of the secrets."""
    spend(4 * len(cases) ** 2)
    return [
        (a, b)
        for a, b in combinations(cases, 2)
        if tuple(sorted((cases[a].role, cases[b].role))) == PAIR_SETS[pair_set]
    ]


def _one_user(pair_set: str | None, others: list[Others], user: dict[str, Case]) -> Made:
    if len(user) < 2:
        raise Malformed("user must name at least two secrets")
    secrets = {name: Secret(case, None) for name, case in user.items()}
    if pair_set is None:
        return secrets, None
    pairs = _pairs(pair_set, user)
    if not pairs:
        raise Malformed(f"no pair of the set {pair_set}: nothing to decide")
    return secrets, pairs


def _every_user(pair_set: str | None, others: list[Others], user: dict[str, Case]) -> Made:
    """Every user in turn; those of one entry are alike.  The named user, if any, is the last."""
    if pair_set not in ("values", "values-absent", "laws-absent"):
        raise Malformed("protect each needs the pair_set values, values-absent or laws-absent")
    if len(user) > 1 or any(case.role == ABSENT for case in user.values()):
        raise Malformed("with protect each, user names one law or none")
    if not others and not user:
        raise Malformed("nobody to protect")
    secrets: dict[str, Secret] = {}
    pairs: list[tuple[str, str]] = []
    for place, (who, of) in enumerate(_named(others, user)):
        cases = {f"{who} {word}": case for word, case in _cases(pair_set, of.law, who).items()}
        if cases.keys() & secrets.keys():
            raise Malformed(f"two users are called {shown(who)}")
        secrets |= {name: Secret(case, place) for name, case in cases.items()}
        pairs += _pairs_of_each(pair_set, list(cases), MAX_PAIRS - len(pairs))
    if not pairs:
        raise Malformed("no user has two values: nothing to decide")
    return secrets, pairs


def _pairs_of_each(pair_set: str, names: list[str], room: int) -> list[tuple[str, str]]:
    """The pairs of one of many users, whose last case is absence unless only values are meant."""
    values, before = pair_set == "values", len(names) - 1
    if (before * len(names) // 2 if values else before) > room:
        raise Malformed("too many pairs")
    return list(combinations(names, 2)) if values else [(name, names[-1]) for name in names[:-1]]


def _named(others: list[Others], user: dict[str, Case]) -> Iterator[tuple[str, Case]]:
    first = 1
    for one in others:
        last = first + one.users - 1
        yield (f"user {first}" if first == last else f"users {first} to {last}"), one.case
        first = last + 1
    yield from user.items()


def _cases(pair_set: str, law: Any, who: str) -> dict[str, Case]:
    """What a protected user of a law may be, by the words that follow its name."""
    if pair_set == "laws-absent":
        return {"present": Case(LAW, law), ABSENT: NOBODY}
    if isinstance(law, Mixture):
        raise Malformed(f"{shown(who)} has a density, and so no values to list")
    values = {f"= {x}": Case(VALUE, {x: Fraction(1)}) for x in law}
    return values if pair_set == "values" else {**values, ABSENT: NOBODY}

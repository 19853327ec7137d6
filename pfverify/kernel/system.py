"""Systems of independent users: their secrets and pairs, and the priors that the users make.

Everything comes from the problem's table `system`, nothing from the certificate.  Priors are worked
out when a goal asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from by_secret import BySecret
from crowd import Group, Law, Places, Points, added, crowd, rows
from files import MAX_PAIRS, array, rational, string, table
from grammar import Malformed, shown
from kinds import NOISES, Enclosed, Mixture
from priors import canonical_prior, prior, require_name
from work import spend

if TYPE_CHECKING:
    from reader import Problem

MAX_USERS = 10**9  # of one system; so many are refused
KEPT = 1 << 30  # bits of priors that are kept, some 130 MB
VALUE, LAW, ABSENT = "value", "law", "absent"
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


class Case(NamedTuple):
    """What one user may be."""

    role: str
    law: Law


NOBODY = Case(ABSENT, {Fraction(0): Fraction(1)})


class Others(NamedTuple):
    """So many users of one law, each there with a chance."""

    law: Law
    users: int
    presence: Fraction


class Secret(NamedTuple):
    """The protected user is this case; whose place among the others it takes, if anybody's."""

    case: Case
    place: int | None


class _Parsed(NamedTuple):
    choices: dict[str, str | None]
    others: list[Others]
    user: dict[str, Case]
    secrets: dict[str, Secret]
    asked: dict[str, Any]


class System(_Parsed):
    """A parsed system, the source of its users' laws; `asked` is the table that tells the pairs."""

    of, notion, partial = "users", "distp", False

    @property
    def size(self) -> int:
        """The number of users, there or not."""
        return sum(one.users for one in self.others) + (1 if self.user else 0)

    @property
    def pairs(self) -> int:
        """The number of pairs of secrets that are asked about."""
        every = len(self.secrets) * (len(self.secrets) - 1) // 2
        return len(self.asked["pairs"]) if "pairs" in self.asked else every

    @cached_property
    def beliefs(self) -> Mapping[str, Mapping[str, Law | Enclosed]]:
        """The prior of each secret, in the one belief."""
        return {"default": Priors(self)}

    def canonical(self) -> dict[str, Any]:
        """The system, which stands for its beliefs, as it goes into a digest."""
        users = {
            "others": [[canonical_prior(a), n, str(z)] for a, n, z in self.others],
            "user": [[name, a.role, canonical_prior(a.law)] for name, a in self.user.items()],
        }
        return {"system": {**self.choices, **users}}

    def given(self, problem: Problem) -> str:
        """What is taken for granted about the users, in words."""
        told = "with the laws given"
        if self.choices["rest"] == "any":
            told = "the laws of the others unknown"
        elif any(one.presence != 1 for one in self.others):
            mixed = self.choices["presence_model"] == "independent"
            told += ", each there with its chance" if mixed else ", all there"
        mean = f", the mean over {self.size}" if self.choices["release"] == "mean" else ""
        masses = problem.target.form == "pointwise" and not NOISES[problem.release.kind].dense
        unsaid = masses and problem.target.delta != 0 and self.choices["rest"] == "any"
        density = ", none of them with a density" if unsaid else ""
        return f"users independent, {told}{mean}{density}"


# ---------------------------------------------------------------- the table


class Kind(NamedTuple):
    """One way to write a law: the keys that may come with its own, its role and its reader."""

    also: set[str]
    role: str
    read: Callable[[Any, str], Law]


def _point(value: Any, what: str) -> Law:
    return {rational(value["point"], what): Fraction(1)}


def _coin(value: Any, what: str) -> Law:
    p = _chance(value["bernoulli"], f"{what}: bernoulli")
    return {Fraction(x): mass for x, mass in ((0, 1 - p), (1, p)) if mass}


def _atoms(value: Any, what: str) -> Law:
    return prior({"kind": "discrete", **value}, what)


def _normal(value: Any, what: str) -> Law:
    return prior({"kind": "gaussian", **value}, what)


def _components(value: Any, what: str) -> Law:
    return prior({"kind": "mixture", **value}, what)


KINDS = {
    "point": Kind(set(), VALUE, _point),
    "bernoulli": Kind(set(), LAW, _coin),
    "mass": Kind(set(), LAW, _atoms),
    "counts": Kind(set(), LAW, _atoms),
    "mean": Kind({"variance", "sd"}, LAW, _normal),
    "components": Kind(set(), LAW, _components),
}


def _chance(value: Any, what: str) -> Fraction:
    chance = rational(value, what)
    if not 0 <= chance <= 1:
        raise Malformed(f"{what} must lie in [0, 1]")
    return chance


def _case(value: Any, what: str) -> Case:
    """A law of one of the kinds, as a table of its own keys."""
    named = [key for key in KINDS if type(value) is dict and key in value]
    if len(named) != 1:
        raise Malformed(f"{what} must be a table with exactly one of {', '.join(KINDS)}")
    kind = KINDS[named[0]]
    return Case(kind.role, kind.read(table(value, what, {named[0]}, kind.also), what))


def _others(value: Any, what: str) -> Others:
    if type(value) is not dict:
        raise Malformed(f"{what} must be a table")
    count, presence = value.get("count", 1), value.get("presence", 1)
    if type(count) is not int or not 0 < count < MAX_USERS:
        raise Malformed(f"{what}: count must be an integer from 1 to {MAX_USERS - 1}")
    law = {key: part for key, part in value.items() if key not in ("count", "presence")}
    return Others(_case(law, what).law, count, _chance(presence, f"{what}: presence"))


def _choice(value: Any, key: str) -> str | None:
    if key not in value:
        return DEFAULTS.get(key)
    text = string(value[key], key)
    if text not in CHOICES[key]:
        raise Malformed(f"{key} must be one of {', '.join(CHOICES[key])}")
    return text


def source(problem: Any, release: object) -> System:
    """The system of a problem."""
    value = table(problem["system"], "the system", set(), {"others", "user", *CHOICES})
    choices = {key: _choice(value, key) for key in CHOICES}
    if choices["rest"] == "any" and "post" in problem:  # a step may act on the whole sum alone
        raise Malformed("steps after the noise need a rest that is known")
    if choices["rest"] == "any" and "pre" in problem:
        raise Malformed("steps of pre act on the sum, of which rest any leaves all but one unknown")
    entries = array(value.get("others", []), "others")
    others = [_others(entry, f"others {k + 1}") for k, entry in enumerate(entries)]
    if sum(one.users for one in others) >= MAX_USERS:
        raise Malformed(f"{MAX_USERS} users or more")
    cases = value.get("user", {})
    if type(cases) is not dict or ("user" in value and not cases):
        raise Malformed("user must be a table of at least one secret")
    user = {
        name: NOBODY if entry == ABSENT else _case(entry, f"user {shown(name)}")
        for name, entry in cases.items()
    }
    if choices["presence_model"] == "all" and any(one.presence == 0 for one in others):
        raise Malformed("a presence of 0, but all the others are there")
    each = choices["protect"] == "each"
    secrets, pairs = (_every_user if each else _one_user)(choices["pair_set"], others, user)
    for name in secrets:
        require_name(name)
    if pairs is not None and "pairs" in problem:
        raise Malformed("the system's pair_set says which pairs are meant, not both")
    asked = problem if pairs is None else {"pairs": [list(pair) for pair in pairs]}
    return System(choices, others, user, secrets, asked)


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
    for place, (who, law) in enumerate(_named(others, user)):
        cases = {f"{who} {word}": case for word, case in _cases(pair_set, law, who).items()}
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


def _named(others: list[Others], user: dict[str, Case]) -> Iterator[tuple[str, Law]]:
    first = 1
    for one in others:
        last = first + one.users - 1
        yield (f"user {first}" if first == last else f"users {first} to {last}"), one.law
        first = last + 1
    for name, case in user.items():
        yield name, case.law


def _cases(pair_set: str, law: Law, who: str) -> dict[str, Case]:
    """What a protected user of a law may be, by the words that follow its name."""
    if pair_set == "laws-absent":
        return {"present": Case(LAW, law), ABSENT: NOBODY}
    if isinstance(law, Mixture):
        raise Malformed(f"{shown(who)} has a density, and so no values to list")
    values = {f"= {x}": Case(VALUE, {x: Fraction(1)}) for x in law}
    return values if pair_set == "values" else {**values, ABSENT: NOBODY}


# ---------------------------------------------------------------- priors


def size_of(prior: Law | Enclosed) -> int:
    """Of a prior in memory, about, in bits."""
    if isinstance(prior, Enclosed):
        masses = list(prior.high.values())
    else:
        masses = [mass for _, _, mass in rows(prior)]
    return sum(4000 + 2 * mass.denominator.bit_length() for mass in masses)


class Priors(BySecret):
    """Secret -> the law of the released sum or mean."""

    def __init__(self, system: System) -> None:
        super().__init__(system.secrets)
        self._system = system
        self._kept: dict[str, Law | Enclosed] = {}
        self._sizes: dict[str, int] = {}
        self._rest: tuple[int | None, Points] | None = None
        crowd = [(self._released(one), one.users) for one in system.others]
        if system.choices["protect"] == "each":
            crowd += [(case.law, 1) for case in system.user.values()]
        self._crowd = crowd if system.choices["rest"] == "known" else []

    @cached_property
    def _places(self) -> Places:
        """Of the users and of the laws of the secrets, one of which is added."""
        return Places(self._crowd + [(one.case.law, 1) for one in self._system.secrets.values()])

    def _released(self, one: Others) -> Law:
        """What a user of the others adds, who is there or not."""
        if self._system.choices["presence_model"] == "all" or one.presence == 1:
            return one.law
        masses = {(Fraction(0), Fraction(0)): 1 - one.presence}
        for mean, variance, mass in rows(one.law):
            masses[mean, variance] = masses.get((mean, variance), 0) + one.presence * mass
        parts = sorted((*place, mass) for place, mass in masses.items() if mass)
        if isinstance(one.law, Mixture) and one.presence:
            return Mixture(tuple(parts))
        return {mean: mass for mean, _, mass in parts}

    def __getitem__(self, name: str) -> Law | Enclosed:
        if name not in self._kept:
            found = self._prior(self._system.secrets[name])
            self._sizes[name] = size_of(found)
            while self._kept and sum(self._sizes.values()) > KEPT:
                oldest = next(iter(self._kept))
                del self._kept[oldest], self._sizes[oldest]
            self._kept[name] = found
        return self._kept[name]

    def _prior(self, secret: Secret) -> Law | Enclosed:
        place = secret.place if self._crowd else None
        if self._rest is None or self._rest[0] != place:
            self._rest = place, crowd(self._groups(place))
        found = added(self._rest[1], self._places.points(secret.case.law))
        mean = self._system.choices["release"] == "mean"
        return self._places.law(found, self._system.size if mean else 1, self._system.pairs)

    def _groups(self, left: int | None) -> list[Group]:
        """The users but one of a place, those of one law together."""
        counts: dict[tuple[tuple[int, int], ...], int] = {}
        for place, (law, count) in enumerate(self._crowd):
            points = tuple(self._places.points(law))
            counts[points] = counts.get(points, 0) + count - (place == left)
        return [Group(list(points), count) for points, count in counts.items() if count]

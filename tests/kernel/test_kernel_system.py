"""Systems of users: the law of every secret against all that the users may be, one by one; what is
said of them, the pairs, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core.coordinates import Joint
from core.grammar import Malformed
from core.kinds import Mixture
from reader import reader, system, users
from reader.noise import Noise
from reader.users import ABSENT, LAW, NOBODY, VALUE, Case

F = Fraction
Table = dict[str, Any]
Masses = dict[Any, Fraction]

COIN: Table = {"bernoulli": "1/3"}
DICE: Table = {"mass": {"0": "1/2", "4": "1/3", "-1": "1/6"}}
TWO: Table = {"a": {"point": 1}, "b": {"point": 3}}
THREE: Table = {**TWO, "gone": "absent"}
NONE: Table = {"kind": "none"}


def read(table: Table, **more: Any) -> reader.Problem:
    """What the kernel reads."""
    noise = {"kind": "laplace", "scale": "7/2"}
    stated = {"schema": "pfverify/problem/1", "epsilon": 1, "noise": noise, "system": table}
    return reader.parse_problem(json.dumps(stated | more).encode(), True)


def said(table: Table, **more: Any) -> str:
    found = read(table, **more)
    return found.source.given(found)


# ---------------------------------------------------------------- laws, with all users one by one


def values(law: Any) -> Masses:
    """What somebody's value is; none of who is not there."""
    if law == "absent":
        return {None: F(1)}
    if "point" in law:
        return {F(law["point"]): F(1)}
    if "mass" in law:
        return {F(x): F(law["mass"][x]) for x in sorted(law["mass"], key=F)}
    chance = F(law["bernoulli"])
    return {F(x): mass for x, mass in ((0, 1 - chance), (1, chance)) if mass}


def law_of(table: Table, own: Any, without: int | None = None, named: Any = None) -> Masses:
    """The law of the released numbers where the protected user is `own`, who takes the place of one
    of an entry of the others; `named` is one more of the others."""
    each, mixed = [], table.get("presence_model") == "independent"
    for k, entry in enumerate(table.get("others", [])):
        law = {key: x for key, x in entry.items() if key not in ("count", "presence")}
        chance = F(entry.get("presence", 1)) if mixed else F(1)
        there = {x: mass * chance for x, mass in values(law).items()} | {None: 1 - chance}
        each += [there] * (entry.get("count", 1) - (k == without))
    each += [] if named is None else [values(named)]
    size = len(each) + 1
    each = [] if table.get("rest") == "any" else each
    found: Masses = {}
    for people in product(*(one.items() for one in (*each, values(own)))):
        mass = F(1)
        for _, chance in people:
            mass *= chance
        seen = [x for x, _ in people if x is not None]
        release = table.get("release", "sum")
        numbers = {"sum": F(sum(seen)), "mean": F(sum(seen)) / size, "count": F(len(seen))}
        if isinstance(release, list):
            key: Any = tuple(numbers[name] for name in release)
        else:
            key = numbers[release]
        found[key] = found.get(key, F(0)) + mass
    return {x: mass for x, mass in found.items() if mass}


def masses_of(law: Any) -> Masses:
    return dict(law.rows) if isinstance(law, Joint) else dict(law)


OTHERS: list[Table] = [COIN | {"count": 2}, DICE | {"presence": "3/4", "count": 2}, {"point": -2}]
EMPTY: list[Table] = [COIN | {"presence": 0, "count": 2}, COIN]
NAMED: dict[str, Table] = {
    "sum": {"others": OTHERS},
    "mean": {"others": OTHERS, "release": "mean"},
    "independent": {"others": OTHERS, "presence_model": "independent"},
    "independent mean": {"others": OTHERS, "presence_model": "independent", "release": "mean"},
    "nobody is there": {"others": EMPTY, "presence_model": "independent"},
    "any": {"others": OTHERS, "rest": "any"},
    "mean of any": {"others": OTHERS, "rest": "any", "release": "mean"},
    "nobody else": {"others": []},
    "numbers": {"others": OTHERS, "release": ["mean", "sum", "count"]},
    "sum and count": {"others": OTHERS, "release": ["count", "sum"],
                      "presence_model": "independent"},
}  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_the_law_of_every_secret_of_a_user(name: str) -> None:
    table = NAMED[name]
    user = {**THREE, "die": DICE}
    found = read({**table, "user": user})
    assert [*found.beliefs["default"]] == [*user]
    for secret, own in user.items():
        assert masses_of(found.beliefs["default"][secret]) == law_of(table, own)


EACH: dict[str, Table] = {
    "sum": {"others": [COIN | {"count": 2}, DICE]},
    "mean": {"others": [COIN | {"count": 2}, DICE, COIN], "release": "mean"},
    "independent": {"others": [COIN | {"count": 2, "presence": "1/4"}, DICE],
                    "presence_model": "independent"},
    "one more": {"others": [COIN], "user": {"me": DICE}, "release": "mean"},
    "only one": {"user": {"me": DICE}, "release": "mean"},
    "any": {"others": [COIN | {"count": 2}], "user": {"me": DICE}, "rest": "any"},
}  # fmt: skip


@pytest.mark.parametrize("name", EACH)
@pytest.mark.parametrize("turn", [1, -1])
def test_the_law_of_every_secret_of_each_user(name: str, turn: int) -> None:
    """Whichever is asked for first."""
    table = EACH[name]
    named = table.get("user", {}).get("me")
    expected: dict[str, Masses] = {}
    first = 1
    for k, entry in enumerate(table.get("others", [])):
        last = first + entry.get("count", 1) - 1
        who = f"user {first}" if first == last else f"users {first} to {last}"
        law = {key: x for key, x in entry.items() if key not in ("count", "presence")}
        owns = {f"{who} = {x}": {"point": str(x)} for x in values(law)} | {f"{who} absent": ABSENT}
        expected |= {secret: law_of(table, own, k, named) for secret, own in owns.items()}
        first = last + 1
    if named:
        owns = {f"me = {x}": {"point": str(x)} for x in values(named)} | {"me absent": ABSENT}
        expected |= {secret: law_of(table, own) for secret, own in owns.items()}
    found = read({**table, "protect": "each", "pair_set": "values-absent"}).beliefs["default"]
    assert [*found] == [*expected]
    for secret in [*expected][::turn]:
        assert masses_of(found[secret]) == expected[secret], secret


def test_the_histogram_of_users() -> None:
    others = [{"mass": {"x": "1/4", "y": "3/4"}, "presence": "1/2"}, {"point": "z"}]
    user = {"x": {"point": "x"}, "y or z": {"counts": {"z": 1, "y": 3}}, "gone": "absent"}
    table = {"others": others, "release": "histogram", "categories": ["x", "y", "z"]}
    found = read({**table, "user": user, "presence_model": "independent"}).beliefs["default"]
    rest = {(0, 0, 1): F(1, 2), (1, 0, 1): F(1, 8), (0, 1, 1): F(3, 8)}
    own = {"x": {(1, 0, 0): F(1)}, "y or z": {(0, 1, 0): F(3, 4), (0, 0, 1): F(1, 4)},
           "gone": {(0, 0, 0): F(1)}}  # fmt: skip
    for name, law in own.items():
        expected: Masses = {}
        for (x, m), (y, n) in product(rest.items(), law.items()):
            point = tuple(F(a + b) for a, b in zip(x, y, strict=True))
            expected[point] = expected.get(point, F(0)) + m * n
        assert masses_of(found[name]) == expected


def test_users_with_densities() -> None:
    others = [{"mean": 1, "variance": 2, "presence": "1/2"}, {"point": 5}]
    user = {"a": {"mean": "1/3", "sd": 3}, "b": "absent"}
    table = {"others": others, "user": user, "presence_model": "independent"}
    for release, n in (("sum", 1), ("mean", 3)):
        found = read({**table, "release": release}).beliefs["default"]
        both = {(F(6), F(2)): F(1, 2), (F(5), F(0)): F(1, 2)}
        for name, (mean, variance) in (("a", (F(1, 3), F(9))), ("b", (F(0), F(0)))):
            parts = [((m + mean) / n, (v + variance) / n**2, w) for (m, v), w in both.items()]
            assert found[name] == Mixture(tuple(sorted(parts)))


# ---------------------------------------------------------------- what is said

THERE: list[Table] = [COIN | {"count": 2}]
MAYBE: list[Table] = [*THERE, COIN | {"presence": "1/2"}]
DENSE = ", none of them with a density"
UNKNOWN = "the laws of the others unknown"
SAID: list[tuple[Table, Table, str]] = [
    ({"others": THERE}, {}, "with the laws given"),
    ({"others": MAYBE}, {}, "with the laws given, all there"),
    ({"others": MAYBE, "presence_model": "independent"}, {},
     "with the laws given, each there with its chance"),
    ({"others": THERE, "presence_model": "independent"}, {}, "with the laws given"),
    ({"others": MAYBE, "release": "mean"}, {}, "with the laws given, all there, the mean over 4"),
    ({"others": THERE, "release": ["mean", "count"]}, {}, "with the laws given, the mean over 3"),
    ({"others": THERE, "release": ["sum", "count"]}, {}, "with the laws given"),
    ({"others": MAYBE, "rest": "any"}, {}, UNKNOWN),
    ({"others": MAYBE, "rest": "any", "release": "mean"}, {}, f"{UNKNOWN}, the mean over 4"),
    ({"others": THERE, "rest": "any"}, {"form": "pointwise", "delta": "1/2", "noise": NONE},
     UNKNOWN + DENSE),
    ({"others": THERE, "rest": "any"}, {"form": "pointwise", "delta": 0, "noise": NONE}, UNKNOWN),
    ({"others": THERE, "rest": "any"}, {"form": "pointwise", "noise": NONE}, UNKNOWN),
    ({"others": THERE, "rest": "any"}, {"delta": "1/2", "noise": NONE}, UNKNOWN),
    ({"others": THERE, "rest": "any"}, {"form": "pointwise", "delta": "1/2"}, UNKNOWN),
    ({"others": THERE}, {"form": "pointwise", "delta": "1/2", "noise": NONE},
     "with the laws given"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "more", "words"), SAID)
def test_what_is_taken_for_granted(table: Table, more: Table, words: str) -> None:
    assert said({**table, "user": TWO}, **more) == f"users independent, {words}"
    facts = {"DPI"} if table.get("rest") == "any" else set()
    assert read({**table, "user": TWO}, **more).source.seen() == ("belief", facts)


def test_the_mean_is_over_all_users() -> None:
    each = {"protect": "each", "pair_set": "laws-absent", "release": "mean"}
    for table, size in (({"others": THERE}, 2), ({"others": THERE, "user": {"me": COIN}}, 3),
                        ({"user": {"me": COIN}}, 1)):  # fmt: skip
        assert said({**table, **each}) == (
            f"users independent, with the laws given, the mean over {size}"
        )


# ---------------------------------------------------------------- pairs


def test_the_pairs_of_a_set_are_in_the_order_of_the_secrets() -> None:
    one = Case(VALUE, {F(1): F(1)})
    coin = Case(LAW, {F(0): F(1, 2), F(1): F(1, 2)})
    cases = {"a": NOBODY, "b": one, "c": NOBODY, "d": coin, "e": one, "f": coin, "g": one}
    for pair_set, pairs in (
        ("values", "be bg eg"),
        ("values-absent", "ab ae ag bc ce cg"),
        ("laws-absent", "ad af cd cf"),
        ("laws", "df"),
    ):
        expected = [tuple(pair) for pair in pairs.split()]
        assert system._pairs(pair_set, cases, len(expected)) == expected
        with pytest.raises(Malformed, match="too many pairs"):
            system._pairs(pair_set, cases, len(expected) - 1)


def test_the_pairs_of_all_users_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"others": [DICE | {"count": 9}, DICE, COIN], "protect": "each", "pair_set": "values"}
    monkeypatch.setattr(system, "MAX_PAIRS", 7)
    assert len(read(table).pairs) == 3 + 3 + 1
    monkeypatch.setattr(system, "MAX_PAIRS", 6)
    with pytest.raises(Malformed, match="too many pairs"):
        read(table)


@pytest.mark.parametrize(("more", "pairs"), [
    ({}, 3),
    ({"pairs": [["a", "b"], ["b", "gone"]]}, 2),
    ({"system": {"pair_set": "values"}}, 1),
    ({"system": {"pair_set": "values-absent"}}, 2),
    ({"system": {"user": {**THREE, "d": COIN}}}, 6),
])  # fmt: skip
def test_a_law_is_made_for_as_many_pairs_as_are_asked_about(
    more: Table, pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []

    def law(_: users.Crowd, name: str, count: int) -> Masses:
        counts.append(count)
        return {}

    monkeypatch.setattr(users.Crowd, "law", law)
    table = {"others": [COIN], "user": THREE, **more.get("system", {})}
    found = read(table, **{key: x for key, x in more.items() if key != "system"})
    assert found.beliefs["default"]["a"] == {}
    assert counts == [pairs]


def test_what_each_user_may_be() -> None:
    coin = Case(LAW, {F(0): F(2, 3), F(1): F(1, 3)})
    three = Case(VALUE, {F(3): F(1)})
    others = [users.Others(coin, 2, F(1)), users.Others(three, 1, F(1))]
    no, yes = (Case(VALUE, {F(x): F(1)}) for x in (0, 1))
    values = [
        ("users 1 to 2", {"users 1 to 2 = 0": no, "users 1 to 2 = 1": yes}),
        ("user 3", {"user 3 = 3": three}),
        ("me", {"me = 0": no, "me = 1": yes}),
    ]
    assert [*system._every_user("values", others, {"me": coin})] == values
    assert [*system._every_user("values-absent", others, {"me": coin})] == [
        (who, {**cases, f"{who} absent": NOBODY}) for who, cases in values
    ]
    assert [*system._every_user("laws-absent", others, {"me": coin})] == [
        (who, {f"{who} present": Case(LAW, one.law), f"{who} absent": NOBODY})
        for (who, _), one in zip(values, (coin, three, coin), strict=True)
    ]


# ---------------------------------------------------------------- what is refused

EVERY: Table = {"protect": "each", "pair_set": "values-absent"}
MOST = 10**9
REFUSED: list[tuple[Table, Table, str]] = [
    ({"others": [COIN, 3], "user": TWO}, {}, "others 2 must be a table"),
    ({"others": [COIN | {"count": MOST}], "user": TWO}, {},
     f"others 1: count must be an integer from 1 to {MOST - 1}"),
    ({"others": [COIN | {"count": MOST - 1}, COIN], "user": TWO}, {}, f"{MOST} users or more"),
    ({"user": {**TWO, " ": COIN}}, {}, 'the name " " is empty or not printable'),
    ({"others": [COIN], "user": {}}, {}, "user must be a table of at least one secret"),
    ({"others": [COIN], "user": []}, {}, "user must be a table of at least one secret"),
    ({"others": [COIN], "user": [COIN]}, {}, "user must be a table of at least one secret"),
    ({"others": [COIN], "user": {"a": COIN}}, {}, "user must name at least two secrets"),
    ({"others": [COIN]}, {}, "user must name at least two secrets"),
    ({"others": EMPTY, "user": TWO}, {}, "a presence of 0, but all the others are there"),
    ({"others": [COIN], "user": TWO, "rest": "any"}, {"pre": [{"clamp": [0, 1]}]},
     "steps of pre act on the sum, of which rest any leaves all but one unknown"),
    ({"others": [COIN], "user": TWO, "pair_set": "laws"}, {},
     "no pair of the set laws: nothing to decide"),
    ({"others": [{"point": 3}], "protect": "each", "pair_set": "values"}, {},
     "no user has two values: nothing to decide"),
    ({"others": [COIN], "user": TWO, **EVERY}, {}, "with protect each, user names one law or none"),
    ({"others": [COIN], "user": {"me": "absent"}, **EVERY}, {},
     "with protect each, user names one law or none"),
    (EVERY, {}, "nobody to protect"),
    ({"others": [COIN], "protect": "each"}, {},
     "protect each needs the pair_set values, values-absent or laws-absent"),
    ({"others": [COIN], "protect": "each", "pair_set": "laws"}, {},
     "protect each needs the pair_set values, values-absent or laws-absent"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "more", "words"), REFUSED)
def test_what_is_refused(table: Table, more: Table, words: str) -> None:
    with pytest.raises(Malformed) as refused:
        read(table, **more)
    assert str(refused.value) == words


def test_steps_go_with_a_rest_that_is_known() -> None:
    """Or with releases that keep what was before the steps."""
    stated: Table = {"system": {"others": [COIN], "user": TWO, "rest": "any"}, "post": []}
    with pytest.raises(Malformed) as refused:
        system.source(stated, Noise("laplace", F(1), None))
    assert str(refused.value) == "steps after the noise need a rest that is known"
    wrapped = read(stated["system"], post=[{"clamp": [0, 1]}])
    assert hasattr(wrapped.release, "before")
    assert wrapped.pairs == [("a", "b")]
    for more in ({"post": [{"clamp": [0, 1]}]}, {"pre": [{"clamp": [0, 1]}]}):
        assert read({"others": [COIN], "user": TWO}, **more).pairs == [("a", "b")]
    assert len(read({"others": [COIN], **EVERY}).pairs) == 2
    assert len(read({"user": {"me": COIN}, **EVERY}).pairs) == 2

"""Systems of users: their priors against the enumeration of all outcomes, and what is refused."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Laplace, Problem, certify
from pfverify.errors import InputError
from pfverify.model.digest import problem_digest
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.mixture import Mixture
from pfverify.model.systems import sums
from pfverify.model.systems.laws import with_presence
from pfverify.model.systems.sums import Crowd
from pfverify.model.systems.system import System

FOUR = {
    "others": [
        {"mass": {1: "0.01", 2: "0.04", 3: "0.1", 4: "0.2", 5: "0.65"}, "presence": "9/10"},
        {"mass": {1: "0.7", 2: "0.2", 3: "0.05", 4: "0.04", 5: "0.01"}},
        {"mass": dict.fromkeys(range(1, 6), "1/5")},
    ],
    "user": {
        "five": {"point": 5}, "three": {"point": 3}, "absent": "absent",
        "P": {"mass": {1: "0.4", 2: "0.1", 4: "0.1", 5: "0.4"}},
        "Q": {"mass": {2: "0.05", 3: "0.9", 4: "0.05"}},
    },
}  # fmt: skip


def problem(system: System, **more: Any) -> Problem:
    return Problem(system=system, noise=Laplace(1), epsilon=1, **more)


def mass(table: dict[Fraction, Fraction]) -> dict[Any, str]:
    return {str(x): str(m) for x, m in table.items()}


@st.composite
def laws(draw: Any) -> dict[Fraction, Fraction]:
    atoms = draw(st.lists(st.fractions(-3, 3, max_denominator=4), min_size=1, max_size=3,
                          unique=True))  # fmt: skip
    weights = [draw(st.integers(1, 5)) for _ in atoms]
    return {x: Fraction(w, sum(weights)) for x, w in zip(atoms, weights, strict=True)}


CHANCES = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(2, 3)])
SEEN = {"mixed": 0, "mean": 0, "any": 0, "sparse": 0}


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(laws(), CHANCES), min_size=1, max_size=3), laws(), st.booleans(),
    st.booleans(), st.booleans(), st.booleans(),
)  # fmt: skip
def priors_are_those_of_all_outcomes(
    crowd: list[tuple[dict[Fraction, Fraction], Fraction]], user: dict[Fraction, Fraction],
    mixed: bool, mean: bool, unknown: bool, sparse: bool,
) -> None:  # fmt: skip
    points, sums._SPARSE = sums._SPARSE, 0 if sparse else sums._SPARSE
    try:
        system = System(
            others=[{"mass": mass(law), "presence": str(z)} for law, z in crowd],
            user={"P": {"mass": mass(user)}, "absent": "absent"},
            presence_model="independent" if mixed else "all",
            release="mean" if mean else "sum", rest="any" if unknown else "known",
        )  # fmt: skip
        found = problem(system).beliefs["default"]
        priors = {name: found[name].mass for name in ("P", "absent")}
    finally:
        sums._SPARSE = points
    for name, own in (("P", user), ("absent", {Fraction(0): Fraction(1)})):
        table: dict[Fraction, Fraction] = {}
        choices = [[(x, m * (z if mixed else 1)) for x, m in law.items()]
                   + [(Fraction(0), 1 - z)] * mixed for law, z in crowd]  # fmt: skip
        for outcome in product(own.items(), *([] if unknown else choices)):
            x = sum((x for x, _ in outcome), Fraction(0)) / (len(crowd) + 1 if mean else 1)
            chance = Fraction(1)
            for _, m in outcome:
                chance *= m
            table[x] = table.get(x, Fraction(0)) + chance
        assert priors[name] == {x: m for x, m in sorted(table.items()) if m}
    for key, case in (("mixed", mixed), ("mean", mean), ("any", unknown), ("sparse", sparse)):
        SEEN[key] += case


def test_priors_are_those_of_all_outcomes() -> None:
    SEEN.update(dict.fromkeys(SEEN, 0))
    priors_are_those_of_all_outcomes()
    assert min(SEEN.values()) >= 4


@settings(deadline=None, max_examples=40)
@given(st.lists(laws(), min_size=2, max_size=4), st.integers(1, 3))
def test_a_user_who_leaves_the_crowd(tables: list[dict[Fraction, Fraction]], count: int) -> None:
    users = [(Discrete(mass(table)), count) for table in tables]
    whole = Crowd(users)
    for law, _ in users:
        assert Crowd([(whole.sum(without=law), 1), (law, 1)]).sum() == whole.sum()
    with pytest.raises(InputError, match="no user"):
        whole.sum(without=Discrete({99: 1}))


def test_normal_users_add_means_and_variances() -> None:
    crowd = Crowd([(Mixture([{"weight": 1, "mean": 1, "variance": 2}]), 3),
                   (Discrete({0: "1/2", 1: "1/2"}), 1)])  # fmt: skip
    assert crowd.sum() == Mixture([
        {"weight": "1/2", "mean": 3, "variance": 6}, {"weight": "1/2", "mean": 4, "variance": 6},
    ])  # fmt: skip
    one = Mixture([{"weight": 1, "mean": 1, "variance": 2}])
    assert crowd.sum(without=one) == Crowd([(one, 2), (Discrete({0: "1/2", 1: "1/2"}), 1)]).sum()
    system = System(others=[{"mean": 1, "variance": 4, "count": 3}], release="mean",
                    user={"here": {"mean": 1, "sd": 2}, "away": "absent"})  # fmt: skip
    priors = problem(system).beliefs["default"]
    assert priors["here"] == Mixture([{"weight": 1, "mean": 1, "variance": 1}])
    assert priors["away"] == Mixture([{"weight": 1, "mean": "3/4", "variance": "3/4"}])


@pytest.mark.parametrize(
    ("pair_set", "pairs"),
    [
        ("values", {("five", "three")}),
        ("values-absent", {("five", "absent"), ("three", "absent")}),
        ("laws-absent", {("absent", "P"), ("absent", "Q")}),
        ("laws", {("P", "Q")}),
    ],
)
def test_pair_sets(pair_set: str, pairs: set[tuple[str, str]]) -> None:
    found = problem(System(**FOUR, pair_set=pair_set))
    assert {*found.pairs} == pairs
    assert Problem.from_table(found.to_table()) == found
    assert Problem.from_text(found.to_toml()) == found
    assert len(problem(System(**FOUR)).pairs) == 10
    with pytest.raises(InputError, match="not both"):
        problem(System(**FOUR, pair_set=pair_set), pairs=[("P", "Q")])


def test_each_user_in_turn_is_that_user_before_the_others() -> None:
    crowd = [{"bernoulli": "1/3", "count": 2}, {"mass": {1: "1/2", 3: "1/2"}, "presence": "1/2"}]
    for model in ("all", "independent"):
        each = System(others=crowd, protect="each", pair_set="laws-absent", presence_model=model)
        found = problem(each)
        assert found.pairs == (
            ("users 1 to 2 present", "users 1 to 2 absent"), ("user 3 present", "user 3 absent"),
        )  # fmt: skip
        alone = System(others=[{"bernoulli": "1/3"}, crowd[1]], presence_model=model,
                       user={"present": {"bernoulli": "1/3"}, "absent": "absent"})  # fmt: skip
        for word in ("present", "absent"):
            prior = found.beliefs["default"][f"users 1 to 2 {word}"]
            assert prior == problem(alone).beliefs["default"][word]
    values = problem(System(others=crowd, protect="each", pair_set="values"))
    assert ("user 3 = 1", "user 3 = 3") in values.pairs
    named = System(others=crowd[:1], user={"Ann": {"point": 7}}, protect="each",
                   pair_set="values-absent")  # fmt: skip
    assert problem(named).beliefs["default"]["Ann absent"] == Crowd(
        [(Discrete({0: "2/3", 1: "1/3"}), 2)]
    ).sum()


def test_what_is_taken_for_granted_is_said() -> None:
    assert "cancel" in " ".join(certify(problem(System(**FOUR))).assumed)
    mixed = certify(problem(System(**FOUR, presence_model="independent", release="mean"))).assumed
    assert any("its own chance" in text for text in mixed)
    assert any("divides by 4" in text for text in mixed)
    unknown = certify(problem(System(**FOUR, rest="any"))).assumed
    assert any("only that they are independent" in text for text in unknown)
    assert not any("priors given" in text for text in unknown)
    users: tuple[tuple[dict[str, Any], bool], ...] = (
        ({"a": {"bernoulli": "1/3"}, "b": {"bernoulli": "1/2"}}, True),
        ({"a": {"point": 0}, "b": {"point": 1}, "c": "absent"}, False),
    )
    for user, said in users:  # that of points and absence nothing else is believed
        found = certify(problem(System(user=user, rest="any"))).assumed
        assert ("the laws of the user's value are exactly those given" in found) is said


def test_a_bound_on_masses_says_nothing_of_others_with_a_density() -> None:
    user = {"a": {"bernoulli": "1/2"}, "b": {"bernoulli": "3/5"}}
    asked: dict[str, Any] = {"noise": NoNoise(), "epsilon": 0, "form": "pointwise"}
    for delta, said in (("1/10", True), (0, False)):
        unknown = certify(Problem(system=System(user=user, rest="any"), delta=delta, **asked))
        assert unknown.certified is said
        assert any("none of the others has a density" in text for text in unknown.assumed) is said
    crowd = [{"mean": 0, "variance": "1/1000000"}]
    known = certify(Problem(system=System(others=crowd, user=user), delta="1/10", **asked))
    assert known.refuted


def test_the_digest_is_of_the_system() -> None:
    digests = {
        problem_digest(problem(System(**(FOUR | change))))
        for change in (
            {}, {"release": "mean"}, {"rest": "any"}, {"presence_model": "independent"},
            {"others": FOUR["others"][:2]}, {"user": {**FOUR["user"], "five": {"point": 6}}},
            {"others": [FOUR["others"][0] | {"presence": "8/10"}, *FOUR["others"][1:]]},
            {"others": [*FOUR["others"][:2], FOUR["others"][2] | {"count": 2}]},
        )
    }
    assert len(digests) == 8


HALF = {"bernoulli": "1/2"}
LONG = f"{10**99 + 1}/{3 * 10**99}"  # the powers of which soon have more than 4300 digits
TWO = {"a": {"point": 0}, "b": {"point": 1}}


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"others": [HALF | {"presence": "3/2"}], "user": TWO}, "others[0].presence: 3/2 is outsi"),
        ({"others": [HALF | {"presence": 0}], "user": TWO}, "leave this user out"),
        ({"others": [{"bernoulli": 2}], "user": TWO}, "others[0]: bernoulli: 2 is outside [0, 1]"),
        ({"others": [{"mass": {0: "1/2"}}], "user": TWO}, "others[0]: the masses sum to 1/2"),
        ({"others": [HALF | {"count": 0}], "user": TWO}, "others[0].count: 0 is no number"),
        ({"others": [HALF | {"count": "5"}], "user": TWO}, "others[0].count: 5 is no number"),
        ({"others": [HALF | {"count": True}], "user": TWO}, "others[0].count: True is no number"),
        ({"others": [HALF | {"count": 10**9}], "user": TWO}, "users or more"),
        ({"others": [HALF | {"point": 1}], "user": TWO}, "others[0]: a law is written with one"),
        ({"others": [HALF | {"sd": 1}], "user": TWO}, "others[0]: sd does not go with bernoulli"),
        ({"others": [HALF | {"chance": 1}], "user": TWO}, "others[0]: unknown key 'chance'"),
        ({"others": [{"mean": 1}], "user": TWO}, "exactly one of variance and sd, got neither"),
        ({"others": ["absent"], "user": TWO}, "others[0]: expected a table"),
        ({"others": "x", "user": TWO}, "others: expected a list"),
        ({"user": {"a": {"point": 1}}}, "user: expected at least two secrets"),
        ({"user": {}}, "user: expected at least two secrets"),
        ({"user": TWO | {"c": "away"}}, "user.c: 'away' is unknown"),
        ({"user": TWO | {"c": 3}}, "user.c: expected \"absent\" or a table"),
        ({"user": TWO, "release": "max"}, "release: 'max' is unknown, expected sum or mean"),
        ({"user": TWO, "pair_set": "laws"}, "no pair of secrets is a law against"),
        ({"user": TWO, "protect": "each"}, "protect: each needs pair_set"),
        ({"user": TWO, "protect": "each", "pair_set": "values"}, "names one law or none"),
        ({"others": [HALF], "user": {"user 1": HALF}, "protect": "each",
          "pair_set": "laws-absent"}, "'user 1' is also what one of the others is called"),
        ({"protect": "each", "pair_set": "values"}, "there is nobody to protect"),
        ({"others": [{"point": 1}], "protect": "each", "pair_set": "values"}, "no user has two"),
        ({"others": [{"mean": 1, "sd": 1}], "protect": "each", "pair_set": "values"}, "a density"),
        ({"others": [{"bernoulli": "1/3", "count": 99999}] * 3, "user": TWO}, "more than 128 MiB"),
    ],
)  # fmt: skip
def test_what_is_refused(table: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError) as caught:
        next(problem(System.from_table(table)).questions())
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_sparse_sums_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "MAX_PARTS", 1 << 10)
    wide = [{"mass": {0: "1/2", f"{3**k}/{7**k + 2}": "1/2"}} for k in range(1, 20)]
    with pytest.raises(InputError, match="exact sums of these users are too large"):
        problem(System(others=wide, user=TWO)).beliefs["default"]["a"]


def test_a_user_whose_values_lie_far_apart() -> None:
    """On the lattice of all laws there would be 10^12 points."""
    far = {"mass": {0: "1/2", 10**12: "1/2"}}
    fine = {"mass": {0: "1/2", "1/1000000000000": "1/2"}}
    for user in (far, fine):
        for rest in ("known", "any"):
            system = System(others=[HALF], user={"P": user, "b": "absent"}, rest=rest)
            found = problem(system).beliefs["default"]["P"]
            if rest == "any":
                assert found == system.user["P"].law
            else:
                assert len(found.mass) == 4
                assert {*found.mass.values()} == {Fraction(1, 4)}


def test_many_alike_beside_a_finer_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who are alike are summed on their own lattice, and then merged; more is refused."""
    fine = {"mass": {0: "1/2", "1/1000000000": "1/2"}}
    crowd = [{"bernoulli": "1/2", "count": 100}, fine]
    found = problem(System(others=crowd, user=TWO)).beliefs["default"]["a"].mass
    assert len(found) == 202
    assert found[Fraction(50)] == Fraction(comb(100, 50), 2**101)
    wide = {"mass": {0: "1/3", 1: "1/3", 10**9: "1/3"}, "count": 30000}
    normal = {"components": [{"weight": "1/2", "mean": k, "variance": 1} for k in (0, 1)]}
    monkeypatch.setattr(sums, "MAX_MERGED", 1 << 12)
    for many in (wide, normal | {"count": 30000}):
        with pytest.raises(InputError, match="are too large"):
            problem(System(others=[many], user=TWO)).beliefs["default"]["a"]
    monkeypatch.undo()
    coins = {"bernoulli": LONG, "count": 50}
    with pytest.raises(InputError, match="more than 4300 digits: exact sums"):
        problem(System(others=[coins, {"mean": 0, "sd": 1}], user=TWO)).beliefs["default"]["a"]


def test_too_many_pairs_of_values() -> None:
    many = {"counts": dict.fromkeys(range(2000), 1)}
    with pytest.raises(InputError, match="pair_set: the users' values make more than"):
        problem(System(others=[many], protect="each", pair_set="values"))
    assert len(problem(System(others=[many], protect="each", pair_set="values-absent")).pairs) == (
        2000
    )


def test_a_copy_once_the_priors_are_known() -> None:
    asked = problem(System(**FOUR))
    assert certify(asked).refuted
    assert certify(pickle.loads(pickle.dumps(asked))).refuted
    assert copy.deepcopy(asked) == asked


def test_a_file(tmp_path: Any) -> None:
    path = tmp_path / "four.toml"
    path.write_text(problem(System(**FOUR, pair_set="laws")).to_toml())
    assert Problem.load(path) == problem(System(**FOUR, pair_set="laws"))
    path.write_text(path.read_text().replace("presence =", "presense =", 1))
    with pytest.raises(InputError, match=r"system\.others\[0\]: unknown key 'presense'; did you"):
        Problem.load(path)
    path.write_text(problem(System(**FOUR)).to_toml().replace("[system]", "priors = {}\n[system]"))
    with pytest.raises(InputError):
        Problem.load(path)


def test_a_presence_of_one_changes_nothing() -> None:
    law = Discrete({3: 1})
    assert with_presence(law, Fraction(1)) is law


def test_masses_too_long_for_a_number_are_compared_with_delta() -> None:
    """A crowd whose least mass has more than 4300 digits, against a user who is not there."""
    system = System(others=[{"bernoulli": LONG, "count": 50}],
                    user={"one": {"point": 1}, "away": "absent"})  # fmt: skip
    assert certify(Problem(system=system, noise=NoNoise(), epsilon=1)).refuted

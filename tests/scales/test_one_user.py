"""The recipes for one user in a sum: the paper's numbers, and what each may promise."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support.users import as_text

from pfverify import Discrete, Laplace, Problem, System, calibrate, certify
from pfverify.answers.methods import CalibrateResult
from pfverify.edge.document import text_of
from pfverify.edge.views.calibrate import CalibrateView
from pfverify.errors import InputError
from pfverify.exact.grid import Grid
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.one_user import _shift, user_shift_published, user_wasserstein

FOUR = [
    {"mass": {1: "0.01", 2: "0.04", 3: "0.1", 4: "0.2", 5: "0.65"}},
    {"mass": {1: "0.7", 2: "0.2", 3: "0.05", 4: "0.04", 5: "0.01"}},
    {"mass": dict.fromkeys(range(1, 6), "1/5")},
]
P4 = {"mass": {1: "0.4", 2: "0.1", 4: "0.1", 5: "0.4"}}
Q4 = {"mass": {2: "0.05", 3: "0.9", 4: "0.05"}}
ALWAYS = {  # scales that are private whatever the others are
    "user_values", "user_largest", "user_moment", "user_bernoulli", "user_wasserstein",
    "user_two_points", "user_relaxed", "user_relaxed_published", "user_exact", "any_rest",
    "minimum",
}  # fmt: skip


def scales(user: dict[str, Any], others: Any = FOUR, epsilon: object = 1,
           **more: Any) -> CalibrateResult:  # fmt: skip
    system = System(others=others, user=user, **more)
    return calibrate(Problem(system=system, noise=Laplace(1), epsilon=epsilon))


@pytest.mark.parametrize(
    ("user", "found"),
    [
        ({"a": {"point": 5}, "b": {"point": 3}},
         {"user_values": "2", "user_wasserstein": "2", "minimum": "2"}),
        ({"a": {"point": 5}, "b": "absent"},
         {"user_values": "5", "user_largest": "5", "minimum": "5"}),
        ({"P": P4, "b": "absent"},
         {"user_largest": "5", "user_moment": "3.46976961269", "minimum": "3.46976961269"}),
        ({"P": P4, "Q": Q4},
         {"user_wasserstein": "2", "user_shift_published": "2", "any_rest": "1.66940742107",
          "minimum": "1.09470305987"}),
        ({"P": {"bernoulli": "1/5"}, "Q": {"bernoulli": "9/10"}},
         {"user_two_points": "1", "user_exact": "0.690757310383", "minimum": "0.690757310383"}),
    ],
)  # fmt: skip
def test_the_four_user_example(user: dict[str, Any], found: dict[str, str]) -> None:
    """Multi-user paper, Figures 1 to 7; audit rows M26, M28."""
    methods = scales(user).methods
    for name, scale in found.items():
        assert str(methods[name].scale).startswith(scale)
        assert methods[name].certified
    half = scales(user, epsilon="1/2").methods
    for name in ("user_values", "user_largest", "user_wasserstein"):
        if name in found:
            assert half[name].scale == str(2 * Fraction(found[name]))


def test_the_relaxed_condition_of_figure_4() -> None:
    """Multi-user paper, Figure 4; audit row M21."""
    found = scales({"P": P4, "b": "absent"}, epsilon="1/10").methods
    assert str(found["user_moment"].scale).startswith("30.556")
    assert found["user_largest"].scale == "50"


def test_the_relaxed_condition_of_figure_8() -> None:
    """Audit row M32: what Lemma 6 comes to, and the exact form, at epsilon 1/10."""
    found = scales({"P": {"bernoulli": "1/5"}, "Q": {"bernoulli": "9/10"}}, epsilon="1/10").methods
    assert str(found["user_relaxed"].scale).startswith("7.88480")
    assert found["user_relaxed_published"].scale == found["user_relaxed"].scale
    assert str(found["user_exact"].scale).startswith("7.0440")
    assert found["user_relaxed"].exact is not None


def test_the_closed_form_against_absence() -> None:
    found = scales({"P": {"bernoulli": "1/3"}, "b": "absent"}).methods
    assert found["user_bernoulli"].scale == found["user_moment"].scale == found["minimum"].scale
    assert found["user_bernoulli"].exact == "1/log(3*exp(1)-2)"


def test_the_printed_shift_is_too_small() -> None:
    """Audit rows M25 and M39: real shifts, and Table 4 with the secrets swapped."""
    first = {"mass": {1: "0.2", 2: "0.225", 3: "0.5", 4: "0.075"}}
    second = {"mass": {2: "0.075", 3: "0.5", 4: "0.225", 5: "0.2"}}
    user = {"a": second, "b": first}
    result = scales(user, others=[], epsilon="log(2)")
    found = result.methods
    assert found["user_shift_published"].exact == "1/log(2)"
    assert found["user_shift_published"].refuted
    said = " ".join(text_of(line.text) for line in CalibrateView(result, "p").sections()[0].notes)
    assert "user_shift_published: as printed in a paper, and known to be too small for some" in said
    assert found["user_wasserstein"].exact == "2/log(2)"
    assert found["user_wasserstein"].certified
    far = scales({"a": {"mass": {3: 1}}, "b": {"mass": {0: 1}}}, others=[]).methods
    assert far["user_shift_published"].refuted


def test_mean_and_any_rest() -> None:
    mean = scales({"a": {"point": 5}, "b": {"point": 3}}, release="mean").methods
    assert mean["user_values"].scale == mean["minimum"].scale == "0.5"
    alone = scales({"P": P4, "Q": Q4}, rest="any")
    assert alone.methods["any_rest"].scale == alone.minimum.upper == "1.66940742107"
    assert "needs the laws" in scales(
        {"P": {"bernoulli": "1/5"}, "Q": {"bernoulli": "9/10"}}, rest="any"
    ).not_applicable["user_relaxed_published"]


def test_a_crowd_with_densities() -> None:
    """The user's laws are atoms, the others are normal: Theorem 1 asks for nothing else."""
    found = scales({"a": {"point": 1}, "b": {"point": 0}}, others=[{"mean": 0, "variance": 1}])
    assert found.methods["user_values"].scale == "1"
    assert found.methods["user_values"].certified
    assert "density" in found.not_applicable["user_relaxed_published"]


def test_recipes_ask_for_their_pairs() -> None:
    found = scales({"P": P4, "b": "absent", "a": {"point": 5}}).not_applicable
    for name in ("user_values", "user_shift_published", "user_two_points", "user_exact"):
        assert "\n" not in found[name]
    plain = Problem({"a": System(user={"a": {"point": 1}, "b": {"point": 2}}).user["a"].law,
                     "b": System(user={"a": {"point": 1}, "b": {"point": 2}}).user["b"].law},
                    noise=Laplace(1), epsilon=1)  # fmt: skip
    assert not any(name.startswith("user_") for name in calibrate(plain).methods)
    with pytest.raises(InputError, match="no system"):
        plain.for_any_rest()


def _law(rng: Random, binary: bool) -> dict[str, Any]:
    if binary:
        return {"bernoulli": str(Fraction(rng.randint(0, 12), 12))}
    atoms = rng.sample(range(-3, 6), rng.randint(1, 4))
    weights = [rng.randint(1, 9) for _ in atoms]
    return {"mass": {a: f"{w}/{sum(weights)}" for a, w in zip(atoms, weights, strict=True)}}


def random_system(rng: Random) -> System:
    """A small system with two secrets of any roles."""
    binary = rng.random() < 0.5
    user = [_law(rng, binary), rng.choice(["absent", _law(rng, binary), _law(rng, binary)])]
    return System(
        others=[_law(rng, rng.random() < 0.7) | {"presence": rng.choice(["1", "1/2"]),
                                                 "count": rng.randint(1, 2)}
                for _ in range(rng.randint(0, 2))],
        user=dict(zip(rng.sample(["P", "Q"], 2), user, strict=True)),
        presence_model=rng.choice(["all", "independent"]), release=rng.choice(["sum", "mean"]),
    )  # fmt: skip


def check_scales(count: int, seed: int) -> Counter[str]:
    """Every scale of `ALWAYS` is private, none is below the minimum, equal ones are equal."""
    rng, seen = Random(seed), Counter[str]()
    for _ in range(count):
        epsilon = rng.choice(["1/10", "1/2", "1", "log(3)", "2"])
        problem = Problem(system=random_system(rng), noise=Laplace(1), epsilon=epsilon)
        result = calibrate(problem, digits=8)
        methods, minimum = result.methods, Fraction(result.minimum.upper)
        for name in ALWAYS & {*methods}:
            assert methods[name].certified, (name, problem.to_toml())
            assert Fraction(methods[name].scale) >= minimum
            seen[name] += 1
        if "user_exact" in methods:
            assert methods["user_exact"].scale == methods["minimum"].scale
        if "user_relaxed_published" in methods:
            assert methods["user_relaxed_published"].scale == methods["user_relaxed"].scale
        if "user_bernoulli" in methods:
            assert methods["user_bernoulli"].scale == methods["user_moment"].scale
        if "user_shift_published" in methods:
            shift = methods["user_shift_published"]
            assert Fraction(shift.scale) <= Fraction(methods["user_wasserstein"].scale)
            seen["refuted shift"] += shift.refuted
    return seen


def test_scales_of_random_systems() -> None:
    seen = check_scales(20, 1)
    assert all(seen[name] >= 1 for name in ALWAYS - {"user_values"}), seen
    assert seen["refuted shift"] >= 1


@pytest.mark.long
@pytest.mark.parametrize("block", range(20))
def test_battery_of_systems(block: int) -> None:
    """5,000 systems."""
    seen = check_scales(250, 1000 + block)
    assert all(seen[name] >= 10 for name in ALWAYS - {"user_values"}), seen


def test_the_shift_is_at_most_w_infinity() -> None:
    asked = RecipeProblem.of(
        Problem(system=System(user={"P": P4, "Q": Q4}), noise=Laplace(1), epsilon=1), Grid(12)
    )
    assert user_shift_published(asked) == user_wasserstein(asked)
    assert as_text(user_wasserstein(asked), asked.grid) == ("2", "2")


def test_the_printed_shift_of_laws_on_other_lattices() -> None:
    """As (17) has it, with halves against thirds: in each order its own."""
    first = Discrete({"0": "1/4", "2/3": "1/4", "7/2": "1/2"})
    second = Discrete({"0": "1/2", "2/3": "1/6", "3": "1/3"})
    assert (_shift(first, second), _shift(second, first)) == (Fraction(7, 3), Fraction(17, 6))


def test_verdicts_do_not_depend_on_presence_when_all_are_there() -> None:
    """Audit row M48: the chances of presence cancel."""
    chance = [one | {"presence": "1/3"} for one in FOUR]
    for others in (FOUR, chance):
        system = System(others=others, user={"P": P4, "Q": Q4})
        problem = Problem(system=system, noise=Laplace("1.0947"), epsilon=1)
        assert certify(problem).refuted
        assert certify(problem.replaced(scale="1.09471")).certified
    mixed = System(others=chance, user={"P": P4, "Q": Q4}, presence_model="independent")
    other = Problem(system=mixed, noise=Laplace(1), epsilon=1)
    assert other.beliefs["default"]["P"] != problem.beliefs["default"]["P"]

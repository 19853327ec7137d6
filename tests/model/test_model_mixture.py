"""Gaussian and mixture priors and Gaussian noise: exact, in one form, in files, and refused."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Mixture,
    Problem,
)
from pfverify.answers.methods import spread
from pfverify.exact.ball import Ball, precision, raw
from pfverify.exact.number import Number
from pfverify.model.digest import canonical_problem, problem_digest
from pfverify.model.priors.prior import Component, Prior
from pfverify.model.releases.release import Noise
from pfverify.model.schema import problem_schema
from pfverify.model.words import meant

F = Fraction
POINT = Discrete({0: 1})


def part(weight: Any, mean: Any, **width: Any) -> dict[str, Any]:
    return {"weight": weight, "mean": mean, **width}


def problem(first: Prior, second: Prior = POINT, noise: Noise | None = None) -> Problem:
    return Problem(priors={"a": first, "b": second}, noise=noise or Laplace(1), epsilon=1)


# ---------------------------------------------------------------- the exact form


def test_numbers_are_exact_in_every_spelling() -> None:
    exact = (Component(F(1), F(1, 10), F(1, 100)),)
    for mean, width in (
        ("0.1", {"sd": "0.1"}),
        ("1/10", {"variance": "1e-2"}),
        (F(1, 10), {"sd": F(1, 10)}),
        (Decimal("0.1"), {"variance": Decimal("0.010")}),
        ("3/30", {"sd": Number.parse("2/20")}),
    ):
        assert Gaussian(mean, **width).components == exact
        assert Mixture([part(1, mean, **width)]).components == exact


def test_one_law_has_one_form() -> None:
    split = Mixture(
        [
            part("1/6", 3, variance=4),
            part(0, 99, sd=1),
            part("1/3", -1, sd=0),
            part("1/4", 3, variance=1),
            part("1/4", 3, sd="6/3"),
        ]
    )
    assert split.components == (
        Component(F(1, 3), F(-1), F(0)),
        Component(F(1, 4), F(3), F(1)),
        Component(F(5, 12), F(3), F(4)),
    )
    same = Mixture(split.components)  # `Component` is read as well as tables
    assert same == split
    assert hash(same) == hash(split)
    assert split != Mixture([part("1/3", -1, sd=0), part("2/3", 3, sd=2)])


def test_a_gaussian_is_the_mixture_with_one_component() -> None:
    one = Gaussian(2, sd=3)
    assert isinstance(one, Mixture)
    assert one == Mixture([part("1/2", 2, variance=9), part("1/2", 2, sd=3)])
    assert hash(one) == hash(Mixture([part(1, 2, sd=3)]))
    assert one != Gaussian(2, variance=3)
    assert one == Gaussian(2, 9)


def test_large_numbers_keep_their_repr_on_one_short_line() -> None:
    long = Gaussian("1e4000", sd="1e-2000")
    assert len(repr(long)) < 120
    many = Mixture([part("1/9", k, sd=1) for k in range(9)])
    assert repr(many).endswith("+ ...)")


def test_discrete_priors_have_components_of_the_same_shape() -> None:
    prior = Discrete(counts={5: 3, "-1/2": 1})
    assert prior.components == (
        Component(F(1, 4), F(-1, 2), F(0)),
        Component(F(3, 4), F(5), F(0)),
    )
    assert Mixture(prior.components).components == prior.components


def test_a_problem_turns_a_mixture_of_atoms_into_the_equal_discrete_prior() -> None:
    atoms = Mixture([part("1/4", 2, sd=0), part("1/4", 2, variance=0), part("1/2", "-1/3", sd=0)])
    kept = problem(atoms).beliefs["default"]["a"]
    assert kept == Discrete({2: "1/2", "-1/3": "1/2"})
    assert Gaussian(7, variance=0).normal_form() == Discrete({7: 1})
    assert POINT.normal_form() is POINT
    both = Mixture([part("1/2", 2, sd=0), part("1/2", 2, sd=1)])
    assert problem(both).beliefs["default"]["a"] is both
    # discrete Laplace noise sees atoms there, and their lattice
    problem(Gaussian(4, sd=0), noise=DiscreteLaplace(1, 2))
    with pytest.raises(InputError, match="lattice"):
        problem(Gaussian(3, sd=0), noise=DiscreteLaplace(1, 2))


def test_smooth_pairs() -> None:
    cases: list[tuple[Prior, Prior, Noise, bool]] = [
        (POINT, POINT, Laplace(1), False),
        (POINT, POINT, DiscreteLaplace(1), False),
        (POINT, POINT, GaussianNoise(1), True),
        (Gaussian(0, sd=0), POINT, Laplace(1), False),
        (Gaussian(0, sd=1), POINT, Laplace(1), True),
        (POINT, Gaussian(0, sd=1), Laplace(1), True),
    ]
    for first, second, noise, smooth in cases:
        (item,) = problem(first, second, noise).questions()
        assert item.is_smooth is smooth
        assert item.first_prior.has_density is (first == Gaussian(0, sd=1))


def test_work_about_atoms_names_the_secret_or_the_noise() -> None:
    normal = Gaussian(0, sd=1)
    (item,) = problem(POINT, Discrete({1: 1})).questions()
    item = item.under(Laplace(1))
    assert item.discrete_priors("plans", exponential=True) == (POINT, Discrete({1: 1}))
    with pytest.raises(InputError, match=r"^plans; the noise is gaussian$"):
        item.under(GaussianNoise(1)).discrete_priors("plans", exponential=True)
    pairs: list[tuple[Prior, Prior, str]] = [
        (normal, POINT, "a"), (POINT, normal, "b"), (normal, normal, "a")
    ]  # fmt: skip
    for first, second, secret in pairs:
        (item,) = problem(first, second).questions()
        with pytest.raises(InputError, match=rf"^plans; the prior of '{secret}' has a density$"):
            item.discrete_priors("plans")


# ---------------------------------------------------------------- Gaussian noise


@pytest.mark.parametrize(
    ("scale", "variance"),
    [("3/2", F(9, 4)), ("0.1", F(1, 100)), ("log(4)/log(2)", F(4)), ("exp(log(2)/2)", F(2)),
     ("exp(log(8)/2)+exp(log(2)/2)", F(18)), ("exp(log(2)/2)/exp(log(3)/2)", F(2, 3)),
     ("exp(1)*exp(-1)", F(1))],
)  # fmt: skip
def test_a_scale_is_kept_as_its_exact_square(scale: str, variance: Fraction) -> None:
    noise = GaussianNoise(scale)
    assert noise.variance == variance
    again = GaussianNoise(variance=variance)
    assert again.scale is not None
    assert again.scale == noise.scale
    assert GaussianNoise(again.scale).variance == variance
    with precision(256):
        gap = Ball(again.scale.ball().raw ** 2 - raw(variance))
        assert gap.certain_sign() is None
        assert gap.raw.rad() < raw(F(1, 10**60))


def test_another_scale_makes_the_same_kind_of_noise() -> None:
    asked = problem(POINT, Discrete({1: 1}), GaussianNoise(variance=2))
    assert asked.scale().text == "exp((log(2)/2))"
    changed = asked.replaced(scale="5/2").noise
    assert isinstance(changed, GaussianNoise)
    assert changed.variance == F(25, 4)
    again = asked.replaced(epsilon=2).noise
    assert isinstance(again, GaussianNoise)
    assert again.variance == 2
    open_ = problem(POINT, Discrete({1: 1}), GaussianNoise())
    with pytest.raises(InputError, match="scale"):
        open_.scale()
    assert open_.replaced(scale=3).scale().text == "3"


def test_the_spread_of_gaussian_noise_is_rounded_up() -> None:
    import mpmath

    with mpmath.workdps(40):
        true = mpmath.mpf("2.5") * mpmath.sqrt(2 / mpmath.pi)
        for digits in (3, 12, 25):
            sd, mean = spread(GaussianNoise(), "2.5", digits)
            assert sd == "2.5"
            assert true <= mpmath.mpf(mean) < true * (1 + mpmath.mpf(10) ** (2 - digits))
    assert spread(GaussianNoise(), "0", 12) == ("0", "0")
    assert spread(GaussianNoise(), "inf", 12) == ("inf", "inf")


# ---------------------------------------------------------------- files and digests

BASE = {
    "schema": "pfverify/problem/1",
    "epsilon": "1/2",
    "noise": {"kind": "laplace", "scale": 1},
}


def from_json(**keys: Any) -> Problem:
    return Problem.from_text(json.dumps(BASE | keys), json_format=True)


def test_toml_and_json_and_every_spelling_have_one_digest() -> None:
    toml = """
schema  = "pfverify/problem/1"
epsilon = 0.5
[noise]
kind  = "laplace"
scale = 1.0
[priors.a]
kind = "gaussian"
mean = 0.25
sd   = 1.5
[priors.b]
kind = "mixture"
components = [
  { weight = 0.5, mean = 3, variance = 0 },
  { weight = "1/4", mean = 1e-1, sd = "1/3" },
  { weight = 0.25, mean = "0.1", variance = "1/9" },
]
[priors.c]
kind = "mixture"
components = [{ weight = 1, mean = 2, sd = 0 }]
"""
    priors = {
        "a": {"kind": "mixture", "components": [part(1, "1/4", variance="9/4")]},
        "b": {
            "kind": "mixture",
            "components": [part("0.50", 0.1, sd="2/6"), part("1/2", "3.0", sd=0)],
        },
        "c": {"kind": "discrete", "counts": {"2": 7}},
    }
    first, second = Problem.from_text(toml, json_format=False), from_json(priors=priors)
    assert first.beliefs == second.beliefs
    assert problem_digest(first) == problem_digest(second)
    assert canonical_problem(first)["beliefs"] == [
        [
            "default",
            [
                ["a", [["1/4", "9/4", "1"]]],
                ["b", [["1/10", "1/9", "1/2"], ["3", "0", "1/2"]]],
                ["c", [("2", "1")]],
            ],
        ]
    ]


def test_the_digest_of_gaussian_noise_has_the_variance_alone() -> None:
    priors = {"a": {"kind": "discrete", "mass": {"0": 1}}, "b": {"kind": "gaussian", "mean": 0,
                                                                "sd": 1}}  # fmt: skip
    noises: list[dict[str, Any]] = [{"scale": "3/2"}, {"scale": 1.5}, {"variance": "9/4"},
                                    {"scale": "exp(log(9/4)/2)"}]  # fmt: skip
    digests = set()
    for noise in noises:
        found = from_json(noise={"kind": "gaussian", **noise}, priors=priors)
        digests.add(problem_digest(found))
        assert canonical_problem(found)["noise"] == {
            "kind": "gaussian", "scale": None, "step": None, "variance": "9/4"
        }  # fmt: skip
    assert len(digests) == 1
    blank = from_json(noise={"kind": "gaussian"}, priors=priors)
    assert canonical_problem(blank)["noise"]["variance"] is None
    assert problem_digest(blank) not in digests
    laplace = from_json(priors=priors)
    assert canonical_problem(laplace)["noise"] == {"kind": "laplace", "scale": "1", "step": None}


def test_what_differs_has_different_digests() -> None:
    found = [
        problem_digest(problem(first, second))
        for first, second in (
            (Gaussian(0, sd=1), POINT),
            (Gaussian(1, sd=1), POINT),
            (Gaussian(0, sd=2), POINT),
            (POINT, Gaussian(0, sd=1)),
            (Mixture([part("1/3", 0, sd=1), part("2/3", 1, sd=1)]), POINT),
            (Mixture([part("2/3", 0, sd=1), part("1/3", 1, sd=1)]), POINT),
        )
    ]
    assert len(set(found)) == len(found)


KERNEL = Path(str(files("pfverify"))) / "kernel"


@pytest.mark.parametrize(
    "noise",
    [{"kind": "laplace", "scale": "1/log(3)"}, {"kind": "gaussian", "scale": "0.3"},
     {"kind": "gaussian", "variance": "2"}, {"kind": "gaussian", "scale": "exp(log(2)/2)"},
     {"kind": "gaussian"}],
    ids=str,
)  # fmt: skip
def test_the_kernel_finds_the_same_digest(tmp_path: Path, noise: dict[str, str]) -> None:
    priors = {
        "a": {"kind": "gaussian", "mean": "-0.5", "sd": "1/3"},
        "b": {
            "kind": "mixture",
            "components": [part("1/2", "-1/2", variance="1/9"), part("1/4", 7, sd=0),
                           part("1/4", "-0.5", sd="2/6"), part(0, 9, sd=1)],
        },
        "c": {"kind": "mixture", "components": [part("1/2", 1, sd=0), part("1/2", 0, sd="0.0")]},
    }  # fmt: skip
    path = tmp_path / "problem.json"
    path.write_text(json.dumps(BASE | {"noise": noise, "priors": priors}))
    code = "import pathlib, sys; sys.path.insert(0, sys.argv[1]); from reader import reader;" \
        "print(reader.digest(reader.parse_problem(pathlib.Path(sys.argv[2]).read_bytes(), True)))"
    command = [sys.executable, "-I", "-S", "-c", code, str(KERNEL), str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == problem_digest(Problem.load(path))


numbers = st.fractions(min_value=-50, max_value=50, max_denominator=60)
laws = st.tuples(st.integers(0, 9), numbers, st.sampled_from(["variance", "sd"]), numbers)
mixtures = st.lists(laws, min_size=1, max_size=6).filter(lambda rows: any(r[0] for r in rows))


@settings(max_examples=30, deadline=None)
@given(mixtures, st.randoms(use_true_random=False))
def test_mixtures_come_back_from_files(rows: list[Any], rng: random.Random) -> None:
    total = sum(row[0] for row in rows)
    parts = [part(F(w, total), mean, **{key: abs(width)}) for w, mean, key, width in rows]
    given_ = Mixture(parts)
    assert sum(c.weight for c in given_.components) == 1
    keys = [(c.mean, c.variance) for c in given_.components]
    assert keys == sorted(set(keys))
    assert all(c.weight > 0 and c.variance >= 0 for c in given_.components)
    # the first two moments are those of the rows, whatever was merged
    for power in (1, 2):
        assert sum(c.weight * c.mean**power for c in given_.components) == sum(
            p["weight"] * p["mean"] ** power for p in parts
        )
    assert sum(c.weight * c.variance for c in given_.components) == sum(
        p["weight"] * (p["variance"] if "variance" in p else p["sd"] ** 2) for p in parts
    )
    shuffled = rng.sample(parts, len(parts))
    halves = [q | {"weight": q["weight"] / 2} for q in shuffled for _ in range(2)]
    assert Mixture(halves) == given_
    written = [{key: str(value) for key, value in q.items()} for q in halves]
    file = {"priors": {"a": {"kind": "mixture", "components": written},
                       "b": {"kind": "discrete", "counts": {"0": 1}}}}  # fmt: skip
    read = from_json(**file)
    assert read.beliefs["default"]["a"] == given_.normal_form()
    again = Problem(beliefs=read.beliefs, noise=Laplace(1), epsilon="0.5")
    assert problem_digest(again) == problem_digest(read)
    Draft202012Validator(problem_schema()).validate(BASE | file)


def test_the_schema_is_a_schema_and_refuses_what_the_reader_refuses() -> None:
    schema = problem_schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for text, json_text in {**BAD_PRIORS, **BAD_NOISES}.items():
        if json_text[0] == "shape":
            assert not validator.is_valid(BASE | keys_of(text)), text


# ---------------------------------------------------------------- bad input

# the JSON of a prior or noise -> (whether the schema sees it, words of the one line)
BAD_PRIORS: dict[str, tuple[str, tuple[str, ...]]] = {
    '{"kind": "gaussian", "mean": 0, "variance": -1}': (
        "value", ("priors.a: variance: -1 is negative", ">= 0")),
    '{"kind": "gaussian", "mean": 0, "sd": "-1/2"}': (
        "value", ("priors.a: sd: -1/2 is negative", ">= 0")),
    '{"kind": "gaussian", "mean": 0, "sd": 1, "variance": 1}': (
        "shape", ("priors.a: expected exactly one of variance and sd", "both")),
    '{"kind": "gaussian", "mean": 0}': (
        "shape", ("priors.a: expected exactly one of variance and sd", "neither")),
    '{"kind": "gaussian", "sd": 1}': ("shape", ("priors.a: missing key 'mean'",)),
    '{"kind": "gaussian", "mean": 0, "std": 1}': (
        "shape", ("priors.a: unknown key 'std'", "'sd'", "standard deviation")),
    '{"kind": "gaussian", "mean": 0, "sigma": 1}': ("shape", ("unknown key 'sigma'", "'sd'")),
    '{"kind": "gaussian", "mean": 0, "stddev": 1}': ("shape", ("unknown key 'stddev'", "'sd'")),
    '{"kind": "gaussian", "mean": 0, "scale": 1}': ("shape", ("unknown key 'scale'", "'sd'")),
    '{"kind": "gaussian", "mean": 0, "var": 1}': ("shape", ("unknown key 'var'", "'variance'")),
    '{"kind": "gaussian", "mean": 0, "sigma^2": 1}': ("shape", ("'variance' (sd squared)",)),
    '{"kind": "gaussian", "mu": 0, "sd": 1}': ("shape", ("unknown key 'mu'", "'mean'")),
    '{"kind": "gaussian", "mean": 0, "sd": 1, "weight": 1}': (
        "shape", ("unknown key 'weight'", "expected one of kind, mean, variance, sd")),
    '{"kind": "gaussian", "mean": "inf", "sd": 1}': ("value", ("priors.a: mean", "infinity")),
    '{"kind": "gaussian", "mean": 0, "sd": "nan"}': ("value", ("priors.a: sd", "NaN")),
    '{"kind": "gaussian", "mean": 0, "variance": "log(2)"}': (
        "value", ("priors.a: variance", "rational", "log(2)")),
    '{"kind": "gaussian", "mean": 0, "sd": "exp(log(2)/2)"}': (
        "value", ("priors.a: sd", "rational", "variance")),
    '{"kind": "gaussian", "mean": 0, "sd": "1e-4000"}': ("value", ("priors.a: sd", "digits")),
    '{"kind": "gaussian", "mean": 0, "sd": null}': ("shape", ("priors.a.sd", "null")),
    '{"kind": "gaussian", "mean": true, "sd": 1}': ("shape", ("priors.a.mean", "truth value")),
    '{"kind": "gausian", "mean": 0, "sd": 1}': ("shape", ("priors.a.kind", "'gaussian'?")),
    '{"kind": "normal", "mean": 0, "sd": 1}': ("shape", ("priors.a.kind", "'gaussian'?")),
    '{"kind": "discrete", "mean": 0}': ("shape", ("'mean'", "expected one of kind, counts, mass")),
    '{"mean": 0, "sd": 1}': ("shape", ("priors.a: missing key 'kind'",)),
    '{"kind": "mixture"}': ("shape", ("priors.a: missing key 'components'",)),
    '{"kind": "mixture", "component": []}': ("shape", ("'component'", "'components'?")),
    '{"kind": "mixture", "components": []}': ("shape", ("priors.a.components", "empty")),
    '{"kind": "mixture", "components": {"weight": 1}}': (
        "shape", ("priors.a.components", "expected a list", "a table")),
    '{"kind": "mixture", "components": [1]}': (
        "shape", ("priors.a.components[0]", "expected a table", "'1'")),
    '{"kind": "mixture", "components": [{"weight": 1, "mean": 0}]}': (
        "shape", ("priors.a.components[0]", "variance and sd", "neither")),
    '{"kind": "mixture", "components": [{"mean": 0, "sd": 1}]}': (
        "shape", ("priors.a.components[0]", "missing key 'weight'")),
    '{"kind": "mixture", "components": [{"p": 1, "mean": 0, "sd": 1}]}': (
        "shape", ("priors.a.components[0]", "unknown key 'p'", "'weight'?")),
    '{"kind": "mixture", "components": [{"weight": 1, "mean": 0, "Sigma": 1}]}': (
        "shape", ("priors.a.components[0]", "unknown key 'Sigma'", "'sd'")),
    '{"kind": "mixture", "components": [{"weight": "1/2", "mean": 0, "sd": 1}, '
    '{"weight": "1/3", "mean": 0, "sd": 2}]}': (
        "value", ("priors.a", "the weights sum to 5/6", "exactly 1")),
    '{"kind": "mixture", "components": [{"weight": 0, "mean": 0, "sd": 1}]}': (
        "value", ("priors.a", "the weights sum to 0", "exactly 1")),
    '{"kind": "mixture", "components": [{"weight": 2, "mean": 0, "sd": 1}, '
    '{"weight": -1, "mean": 0, "sd": 2}]}': (
        "value", ("priors.a: components[1]: weight: -1 is negative", ">= 0")),
    # beyond the components that the schema is shown
    '{"kind": "mixture", "components": [{"weight": 1, "mean": 0, "sd": 1}, '
    '{"weight": 0, "mean": 0, "sd": 1}, {"weight": 0, "mean": 0, "sd": 1}, '
    '{"weight": 0, "mean": 0, "std": 1}]}': (
        "shape", ("components[3]: unknown key 'std'", "'sd'")),
    '{"kind": "mixture", "components": [{"weight": 1, "mean": 0, "sd": 1}, '
    '{"weight": 0, "mean": 0, "sd": 1}, {"weight": 0, "mean": 0, "sd": 1}, [0]]}': (
        "shape", ("components[3]: expected a table", "list")),
}  # fmt: skip

BAD_NOISES: dict[str, tuple[str, tuple[str, ...]]] = {
    **{
        f'{{"noise": {{"kind": "{kind}", "{name}": 1}}}}': (
            "shape", (f"noise: unknown key '{name}'", "did you mean 'scale'", "b*sqrt(2)"))
        for kind in ("laplace", "gaussian")
        for name in ("sigma", "sd", "theta", "b", "std")
    },
    '{"noise": {"kind": "laplace", "variance": 1}}': (
        "value", ("noise: variance", "gaussian", "2*scale**2", "'scale'")),
    '{"noise": {"kind": "gaussian", "variance": -2}}': ("value", ("noise: variance: -2", ">= 0")),
    '{"noise": {"kind": "none", "scale": 0}}': ("value", ("noise: scale", "none")),
    '{"noise": {"kind": "none", "step": 1}}': ("value", ("noise: step", "none")),
    '{"noise": {"kind": "none", "variance": 1}}': ("value", ("noise: variance", "none")),
    '{"noise": {"kind": "gaussian", "variance": "log(2)"}}': (
        "value", ("noise: variance", "rational")),
    '{"noise": {"kind": "gaussian", "scale": "log(4)-2*log(2)"}}': (
        "value", ("noise: scale", "exactly 0")),
    '{"noise": {"kind": "gaussian", "scale": -1}}': ("value", ("noise: scale", "negative")),
    '{"noise": {"kind": "gaussian", "scale": "log(2)"}}': (
        "value", ("noise: scale: log(2)", "rational", "variance = scale**2")),
    '{"noise": {"kind": "gaussian", "scale": "exp(log(2)/3)"}}': (
        "value", ("noise: scale", "rational", "variance = scale**2")),
    '{"noise": {"kind": "gaussian", "scale": "exp(log(2)/2)+1"}}': (
        "value", ("noise: scale", "rational", "variance = scale**2")),
    '{"noise": {"kind": "gaussian", "scale": "exp(1e8*log(2))"}}': (
        "value", ("noise: scale: its square", "too large")),
    '{"noise": {"kind": "gaussian", "scale": "1e-4000"}}': (
        "value", ("noise: scale: its square", "too large")),
    '{"noise": {"kind": "gaussian", "scale": "log(4)/log(2)*1e3000"}}': (
        "value", ("noise: scale: its square", "too large")),
    '{"noise": {"kind": "gaussian", "scale": 1, "variance": 1}}': (
        "shape", ("noise: expected at most one of scale and variance",)),
    '{"noise": {"kind": "gaussian", "scale": 1, "step": 1}}': (
        "value", ("noise: step: only discrete-laplace",)),
    '{"noise": {"kind": "normal", "scale": 1}}': ("shape", ("noise.kind", "'gaussian'?")),
    '{"noise": {"kind": "discrete-laplace", "scale": 1, "step": 1}}': (
        "value", ("prior of 'a'", "density", "laplace or gaussian")),
}  # fmt: skip


def keys_of(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    b = {"kind": "discrete", "counts": {"0": 1}}
    if "noise" in found:
        return found | {"priors": {"a": {"kind": "gaussian", "mean": 0, "sd": 1}, "b": b}}
    return {"priors": {"a": found, "b": b}}


@pytest.mark.parametrize("text", [*BAD_PRIORS, *BAD_NOISES])
def test_bad_files_are_one_clear_line(text: str) -> None:
    _, words = {**BAD_PRIORS, **BAD_NOISES}[text]
    with pytest.raises(InputError) as caught:
        from_json(**keys_of(text))
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300
    for word in words:
        assert word in message, message


BAD_CALLS: dict[str, tuple[Callable[[], Any], str]] = {
    "float variance": (lambda: Gaussian(0, variance=0.5),
        'variance: 0.5 is a float, which is not the number you wrote; give it as text ("0.5") or '
        "as a Fraction"),
    "float sd": (lambda: Gaussian(0, sd=0.1),
        'sd: 0.1 is a float, which is not the number you wrote; give it as text ("0.1") or as a '
        "Fraction"),
    "float weight": (lambda: Mixture([part(0.5, 0, sd=1), part(0.5, 1, sd=1)]),
        "components[0]: weight: 0.5 is a float, which is not the number you wrote; give it as "
        'text ("0.5") or as a Fraction'),
    "float mean": (lambda: Gaussian(float("inf"), sd=1), "mean: inf is not finite"),
    "decimal nan": (lambda: Gaussian(Decimal("nan"), sd=1), "mean: NaN is not finite"),
    "variance < 0": (lambda: Gaussian(0, variance="-1/2"),
        "variance: -1/2 is negative, expected a number >= 0"),
    "sd < 0": (lambda: Gaussian(0, sd=-3), "sd: -3 is negative, expected a number >= 0"),
    "both": (lambda: Gaussian(0, variance=1, sd=1),
        "expected exactly one of variance and sd, got both"),
    "neither": (lambda: Gaussian(0), "expected exactly one of variance and sd, got neither"),
    "second has both": (lambda: Mixture([part(1, 0, sd=1), part(0, 0, sd=1, variance=1)]),
        "components[1]: expected exactly one of variance and sd, got both"),
    "second is < 0": (lambda: Mixture([part(1, 0, sd=1), part(0, 0, variance=-1)]),
        "components[1]: variance: -1 is negative, expected a number >= 0"),
    "sum": (lambda: Mixture([part("1/2", 0, sd=1), part("0.4999", 0, sd=1)]),
        "the weights sum to 9999/10000, expected exactly 1"),
    "no mean": (lambda: Mixture([{"weight": 1, "sd": 1}]), "components[0]: missing key 'mean'"),
    "mu": (lambda: Mixture([{"weight": 1, "mu": 0, "sd": 1}]),
        "components[0]: unknown key 'mu'; did you mean 'mean'?"),
    "std": (lambda: Mixture([part(1, 0, std=1)]),
        "components[0]: unknown key 'std'; did you mean 'sd' (the standard deviation)?"),
    "var": (lambda: Mixture([part(1, 0, var=1)]),
        "components[0]: unknown key 'var'; did you mean 'variance' (sd squared)?"),
    "a key that is no text": (lambda: Mixture([{1: 1}]),  # type: ignore[dict-item]
        "components[0]: unknown key '1'; expected one of weight, mean, variance, sd"),
    "empty": (lambda: Mixture([]),
        "components: the list is empty, expected at least one component"),
    "a table": (lambda: Mixture(part(1, 0, sd=1)),  # type: ignore[arg-type]
        "components: expected a list of tables of weight, mean, and variance or sd, got dict"),
    "a number": (lambda: Mixture(5),  # type: ignore[arg-type]
        "components: expected a list of tables of weight, mean, and variance or sd, got int"),
    "tuples": (lambda: Mixture([(1, 0, 1)]),  # type: ignore[list-item]
        "components[0]: expected a table of weight, mean, and variance or sd, got tuple"),
    "a bad Component": (lambda: Mixture([Component(F(1), F(0), F(-1))]),
        "components[0]: variance: -1 is negative, expected a number >= 0"),
    "noise with both": (lambda: GaussianNoise(1, variance=1),
        "gaussian noise takes at most one of scale and variance, got both"),
    "noise float": (lambda: GaussianNoise(variance=0.5),
        'variance: 0.5 is a float, which is not the number you wrote; give it as text ("0.5") or '
        "as a Fraction"),
    "noise e": (lambda: GaussianNoise("exp(1)"),
        "scale: exp(1) is not shown to have a rational square, which gaussian noise needs; "
        "expected a rational number, or variance = scale**2 in its place"),
    "no prior": (lambda: problem(7),  # type: ignore[arg-type]
        "prior of 'a': expected Discrete, Gaussian, Mixture, Finite, Nothing, Joint, "
        "MassIntervals, Confidence, TotalVariationBall, WInfinityBall, Polytope or AnyOf, got int"),
    "lattice": (lambda: problem(Gaussian(0, sd=1), noise=DiscreteLaplace(1)),
        "prior of 'a': it has a density (a positive variance); discrete Laplace noise needs atoms "
        "on a lattice, expected laplace or gaussian noise"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_calls_say_exactly_what_was_wrong(name: str) -> None:
    act, message = BAD_CALLS[name]
    with pytest.raises(InputError) as caught:
        act()
    assert str(caught.value) == message


def test_weights_that_are_too_long_to_print_are_refused() -> None:
    parts = [part(F(1, 10**4000 + k), 0, sd=1) for k in range(2)]
    rest = part(1 - sum(q["weight"] for q in parts), 1, sd=1)
    with pytest.raises(InputError, match=r"mean 0 and variance 1 sum to a fraction of more than"):
        Mixture([*parts, rest])


def test_hints_never_name_a_key_that_there_is_not() -> None:
    assert meant("std", ("mean", "sd")) == "sd"
    assert meant("STD", ("kind", "scale")) == "scale"
    assert meant("std-dev", ("sd",)) == "sd"
    assert meant("weigth", ("weight", "mean")) == "weight"
    assert meant("mean", ("kind", "counts", "mass")) is None
    assert meant("sigma", ("counts", "mass")) is None

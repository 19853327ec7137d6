"""A problem that is written is read as the same problem; what is equal has one digest."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Mixture,
    NoNoise,
    Problem,
)
from pfverify.edge.packaged import example_names, load_example
from pfverify.model.digest import canonical_problem, problem_digest
from pfverify.model.schema import check_shape

HOSTILE = [
    'a "quoted" one', "'single'", "back\\slash", "[section]", "a.b.c", "# no comment", "key = 1",
    "é", "東京", "😀", "{}", '"""', "0", "-1", "a=b", " x ",
]  # fmt: skip
printable = st.text(min_size=1, max_size=12).filter(lambda s: bool(s.strip()) and s.isprintable())
names = st.one_of(st.sampled_from(HOSTILE), printable)
rationals = st.fractions(-9, 9, max_denominator=12)
variances = st.fractions(0, 4, max_denominator=5)
integers = st.dictionaries(st.integers(-5, 5), st.integers(1, 9), min_size=1, max_size=4)
atoms = st.builds(lambda counts: Discrete(counts=counts), integers)
normals = st.builds(Gaussian, rationals, variances)


@st.composite
def mixtures(draw: st.DrawFn) -> Mixture:
    weights = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    sizes = [Fraction(weight, sum(weights)) for weight in weights]
    return Mixture(
        [{"weight": w, "mean": draw(rationals), "variance": draw(variances)} for w in sizes]
    )


SCALES = [None, 0, 1, "51/25", "log(3)", "1/log((exp(1)-1/2)/(1/2))", "sqrt(2)", "exp(1/3)-1"]
smooth = st.one_of(
    st.sampled_from(SCALES).map(Laplace),
    st.sampled_from([GaussianNoise(), GaussianNoise(0), GaussianNoise("3/2"),
                     GaussianNoise(variance="2/3"), NoNoise()]),
)  # fmt: skip
lattice = st.builds(DiscreteLaplace, st.sampled_from(SCALES), st.sampled_from([1, "1/2", "1/3"]))


@st.composite
def problems(draw: st.DrawFn, name: st.SearchStrategy[str] = names) -> Problem:
    noise = draw(st.one_of(smooth, lattice))
    prior = atoms if isinstance(noise, DiscreteLaplace) else st.one_of(atoms, normals, mixtures())
    secrets = draw(st.lists(name, min_size=2, max_size=4, unique=True))
    pairs = draw(st.none() | st.just([(secrets[1], secrets[0])]))
    beliefs = draw(st.lists(st.just("default") | name, min_size=1, max_size=2, unique=True))
    return Problem(
        beliefs={b: {secret: draw(prior) for secret in secrets} for b in beliefs},
        noise=noise,
        epsilon=draw(st.sampled_from([0, "1/2", "log(3)", "log(4)-2*log(2)", "exp(-1)"])),
        delta=draw(st.sampled_from([0, "1e-5", "exp(-2)", 1])),
        pairs=pairs,
        form=draw(st.sampled_from(["events", "pointwise"])),
    )


@pytest.mark.slow
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(problem=problems())
def test_what_is_written_is_read_as_the_same(problem: Problem, tmp_path: Path) -> None:
    digest = problem_digest(problem)
    check_shape(problem.to_table())
    again = [Problem.from_table(problem.to_table()), Problem.from_text(problem.to_toml())]
    for name in ("p.toml", "p.json", "p.JSON"):
        problem.save(tmp_path / name)
        again.append(Problem.load(tmp_path / name))
    for found in again:
        assert found == problem
        assert hash(found) == hash(problem)
        assert problem_digest(found) == digest
        assert found.to_table() == problem.to_table()
    assert tomllib.loads(problem.to_toml()) == problem.to_table()
    assert json.loads((tmp_path / "p.json").read_text("utf-8")) == problem.to_table()


few = problems(st.sampled_from(["a", "b"]))


@settings(max_examples=80, deadline=None)
@given(one=few, two=few)
def test_problems_are_equal_when_their_canonical_forms_are(one: Problem, two: Problem) -> None:
    same = canonical_problem(one) == canonical_problem(two)
    assert (one == two) is same
    assert (problem_digest(one) == problem_digest(two)) is same
    assert hash(one) == hash(two) or not same


PAIR = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}


def small(**changed: Any) -> Problem:
    return Problem(**{"priors": PAIR, "noise": Laplace(1), "epsilon": "1/2", **changed})


def test_each_part_of_a_problem_tells_it_from_others() -> None:
    third = {**PAIR, "c": Discrete({2: 1})}
    parts: list[dict[str, Any]] = [
        {}, {"epsilon": "1/3"}, {"delta": "1/3"}, {"form": "pointwise"}, {"noise": Laplace(2)},
        {"noise": Laplace()}, {"noise": GaussianNoise(1)}, {"noise": DiscreteLaplace(1)},
        {"noise": NoNoise()}, {"priors": dict(reversed(PAIR.items()))}, {"priors": third},
        {"priors": third, "pairs": [("a", "b")]}, {"pairs": [("b", "a")]},
        {"priors": None, "beliefs": {"other": PAIR}},
        {"priors": None, "beliefs": {"default": PAIR, "other": PAIR}},
    ]  # fmt: skip
    found = [small(**part) for part in parts]
    assert len(set(found)) == len(found)
    assert len({problem_digest(p) for p in found}) == len(found)
    assert small() == small(epsilon="0.5", noise=Laplace("1.0"), delta="0")
    assert small() == small(priors={**PAIR, "b": Gaussian(1, variance=0)})
    assert small() != "a problem"
    assert small(noise=GaussianNoise("3/2")) == small(noise=GaussianNoise(variance="9/4"))


def test_every_packaged_problem_is_written_as_it_is(tmp_path: Path) -> None:
    for name in example_names():
        problem = load_example(name)
        problem.save(tmp_path / "p.toml")
        assert Problem.load(tmp_path / "p.toml") == problem


def test_the_layout_is_that_of_the_readme() -> None:
    half = {"weight": "1/2", "mean": 0, "sd": 1}
    mixture = Mixture([half, half | {"mean": 1, "sd": 0}])
    priors = {"higher=yes": Discrete(counts={0: 376, 1: 204}), "fit": mixture}
    assert small(priors=priors).to_toml() == (
        'schema = "pfverify/problem/1"\nepsilon = "1/2"\ndelta = "0"\nform = "events"\n'
        'pairs = [["higher=yes", "fit"]]\n\n[noise]\nkind = "laplace"\nscale = "1"\n\n'
        '[priors."higher=yes"]\nkind = "discrete"\nmass = { "0" = "94/145", "1" = "51/145" }\n\n'
        '[priors.fit]\nkind = "mixture"\ncomponents = [\n'
        '  { weight = "1/2", mean = "0", variance = "1" },\n'
        '  { weight = "1/2", mean = "1", variance = "0" },\n]\n'
    )


@pytest.mark.parametrize("name", ["a\nb", "a\x7f", "\x00", "\ud800", "\u2028", " "])
def test_names_that_no_file_should_have_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="not printable text"):
        small(priors={**PAIR, name: Discrete({2: 1})})


@settings(max_examples=20, deadline=None)
@given(problem=problems(printable))
@example(problem=small(priors={c * 5000: Discrete({0: 1}) for c in "xyz"}, noise=Laplace("1e4000")))
@example(problem=small(priors={str(k): Discrete({k: 1}) for k in range(500)}))
def test_a_repr_is_one_short_line(problem: Problem) -> None:
    text = repr(problem)
    assert "\n" not in text
    assert len(text) < 300
    assert problem.form in text


def test_a_repr_says_secrets_noise_and_target() -> None:
    assert repr(small(delta="1e-2")) == (
        "<Problem 'a', 'b'; Laplace('1'); epsilon=1/2, delta=1/100, events>"
    )
    many = {str(k): Discrete({k: 1}) for k in range(5)}
    two = small(priors=None, beliefs={"x": many, "y": many})
    assert repr(two).startswith("<Problem '0', '1', '2', ... 5 secrets under 2 beliefs; ")


def test_what_cannot_be_saved_is_one_line_and_leaves_no_file(tmp_path: Path) -> None:
    long = small(noise=Laplace("1e4000*1e200"))  # 4201 digits: it is printed, but not read
    (tmp_path / "there.toml").write_text("as it was")
    (tmp_path / "folder.toml").mkdir()
    for problem, name, words in [
        (small(), "p.csv", "ends in .toml or .json"), (small(), "p", "ends in .toml or .json"),
        (small(), "none/p.toml", "cannot write"), (small(), "folder.toml", "cannot write"),
        (small(), "a\0.toml", "no file can have this name"), (long, "there.toml", "4096 digits"),
    ]:  # fmt: skip
        with pytest.raises(InputError) as caught:
            problem.save(tmp_path / name)
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="expected str or PurePath, got int"):
        small().save(3)  # type: ignore[arg-type]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder.toml", "there.toml"]
    assert (tmp_path / "there.toml").read_text() == "as it was"


def test_what_python_gives_is_read_as_a_file_is() -> None:
    table = small().to_table()
    assert Problem.from_table({**table, "epsilon": Fraction(1, 2), "delta": 0}) == small()
    assert Problem.from_table({**table, "pairs": (("a", "b"),)}) == small()
    nested: dict[str, Any] = {}
    nested["priors"] = nested
    for bad, words in [
        ([], "expected a table of keys, got list"), ("epsilon = 1", "got str"),
        ({}, "missing key 'schema'"), ({**table, "epsilon": 0.5}, "epsilon: 0.5 is a float"),
        ({**table, 3: 4}, "unknown key '3'"), ({**table, "noise": None}, "noise: expected a table"),
        ({**table, "priors": {3: table["priors"]["a"], "b": table["priors"]["b"]}}, "not text"),
        ({**table, **nested}, "nested too deeply"), ({**table, "pairs": {"a": "b"}}, "a list"),
    ]:  # fmt: skip
        with pytest.raises(InputError) as caught:
            Problem.from_table(bad)
        assert words in str(caught.value), caught.value
        assert "\n" not in str(caught.value)

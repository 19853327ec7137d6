"""The registries of noises and priors: reader, schema and digest come from them."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any

import mpmath
import pytest

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
    TruncatedLaplace,
    certify,
)
from pfverify.answers.methods import spread
from pfverify.exact.ball import Ball, precision
from pfverify.model.digest import problem_digest
from pfverify.model.keys import NUMBER, Key
from pfverify.model.kinds import NOISES, PRIORS, of_a_kind
from pfverify.model.priors.prior import Component, Prior
from pfverify.model.releases.kinds import OF_NOISE
from pfverify.model.releases.release import Noise
from pfverify.model.schema import problem_schema, schema_text

BASE = {
    "schema": "pfverify/problem/1",
    "epsilon": "1/2",
    "priors": {
        "a": {"kind": "discrete", "counts": {"0": 1, "1": 2}},
        "b": {"kind": "discrete", "mass": {"0": "1/3", "1": "2/3"}},
    },
}
PAIR = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}


class Wide(Laplace):
    """A subclass of a noise, of another name: nobody has shown that it is Laplace noise."""

    kind = "wide"
    keys = (*Laplace.keys, Key("shape", "whatever it is"))

    def __init__(self, scale: Any = None, shape: Any = None) -> None:
        self._keep(**self._values(scale=scale, shape=shape))


class Point(Prior):
    """A prior that becomes atoms: one file, and one line in the registry."""

    __slots__ = ("at",)

    kind = "point"

    def __init__(self, at: object) -> None:
        self.at = Fraction(str(at))

    @classmethod
    def schema(cls) -> dict[str, Any]:
        keys = {"kind": {"const": cls.kind}, "at": NUMBER}
        return {"point": {"type": "object", "required": ["at"], "properties": keys}}

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Point:
        return cls(table["at"])

    def to_table(self) -> dict[str, Any]:
        return {"kind": self.kind, "at": str(self.at)}

    def canonical(self) -> list[list[str]]:
        return self.normal_form().canonical()

    def normal_form(self) -> Discrete:
        return Discrete({self.at: 1})

    @property
    def has_density(self) -> bool:
        return False

    @property
    def components(self) -> tuple[Component, ...]:
        return self.normal_form().components


def test_the_names_are_those_of_the_classes() -> None:
    assert {name: kind.kind for name, kind in NOISES.items()} == {name: name for name in NOISES}
    assert {name: kind.kind for name, kind in PRIORS.items()} == {name: name for name in PRIORS}
    assert list(NOISES) == [
        "laplace", "discrete-laplace", "gaussian", "none", "truncated-laplace", "table",
        "discrete-gaussian", "truncated-discrete-laplace", "bounded-laplace", "exponential",
        "gumbel",
    ]  # fmt: skip
    assert list(PRIORS) == [
        "discrete", "gaussian", "mixture", "finite", "nothing", "joint", "intervals", "confidence",
        "tv-ball", "winf-ball", "polytope", "any-of",
    ]  # fmt: skip


def test_the_published_schema_is_what_the_registries_make() -> None:
    """After a change: python -m pfverify.model.schema > problem.schema.json, in its folder."""
    published = files("pfverify.model").joinpath("problem.schema.json").read_text("utf-8")
    assert published == schema_text()


def test_exactly_the_registered_classes_are_taken() -> None:
    class Other(Laplace):
        pass

    for noise in (Wide(1), Other(1)):
        with pytest.raises(InputError) as caught:
            Problem(PAIR, noise=noise, epsilon=1)
        *others, last = (kind.__name__ for kind in {**NOISES, **OF_NOISE}.values())
        offered = f"expected {', '.join(others)} or {last}"
        assert str(caught.value) == f"noise: {offered}, got {type(noise).__name__}"

    class Table(Discrete):
        pass

    for prior in (Table({0: 1}), Point(0)):
        with pytest.raises(InputError) as caught:
            Problem({**PAIR, "c": prior}, noise=Laplace(1), epsilon=1)
        *others, last = (kind.__name__ for kind in PRIORS.values())
        offered = f"expected {', '.join(others)} or {last}"
        assert str(caught.value) == f"prior of 'c': {offered}, got {type(prior).__name__}"
    for prior in (Gaussian(0, sd=1), Mixture([Component(Fraction(1), Fraction(0), Fraction(1))])):
        assert of_a_kind(prior, PRIORS, "prior") is prior


def test_a_new_noise_is_read_written_and_digested_from_the_registry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = BASE | {"noise": {"kind": "wide", "scale": "2"}}
    with pytest.raises(InputError, match=r"^noise\.kind: 'wide' is unknown, expected laplace, dis"):
        Problem.from_table(table)
    monkeypatch.setitem(NOISES, "wide", Wide)
    found = Problem.from_table(table)
    assert type(found.noise) is Wide
    assert problem_digest(found) != problem_digest(
        Problem.from_table(BASE | {"noise": {"kind": "laplace", "scale": "2"}})
    )
    noises = problem_schema()["properties"]["noise"]["properties"]
    assert noises["kind"]["enum"][-2:] == ["wide", "geometric"]
    assert noises["shape"]["description"] == "whatever it is"
    for kind in ("laplace", "gaussian", "discrete-laplace", "none"):  # none of them has a shape
        with pytest.raises(InputError, match=r"^noise: shape: "):
            Problem.from_table(BASE | {"noise": {"kind": kind, "shape": 1}})


def test_a_new_prior_becomes_atoms(monkeypatch: pytest.MonkeyPatch) -> None:
    priors = {**BASE["priors"], "c": {"kind": "point", "at": "1/2"}}  # type: ignore[dict-item]
    table = BASE | {"noise": {"kind": "laplace", "scale": 1}, "priors": priors}
    with pytest.raises(InputError, match=r"^priors\.c\.kind: 'point' is unknown, expected discr"):
        Problem.from_table(table)
    monkeypatch.setitem(PRIORS, "point", Point)
    assert Problem.from_table(table).beliefs["default"]["c"] == Discrete({"1/2": 1})


@pytest.mark.parametrize("table", [
    {"kind": "laplace"}, {"kind": "laplace", "scale": "51/25"}, {"kind": "laplace", "scale": "0"},
    {"kind": "laplace", "scale": "log(3)"},
    {"kind": "discrete-laplace", "scale": "51/25", "step": "1/2"},
    {"kind": "discrete-laplace", "step": "1"},
    {"kind": "gaussian"}, {"kind": "gaussian", "scale": "3/2"},
    {"kind": "gaussian", "variance": "2"}, {"kind": "none"},
    {"kind": "truncated-laplace", "scale": "1", "bound": "5/2"},
    {"kind": "table", "weights": {"-1/2": "1/4", "0": "3/4"}},
    {"kind": "table", "by": {"0": {"0": "1"}, "1": {"-1": "1"}}, "larger": {"1": "1"}},
    {"kind": "discrete-gaussian", "variance": "2", "step": "1/2"},
], ids=json.dumps)  # fmt: skip
def test_a_noise_writes_the_table_that_it_reads(table: dict[str, Any]) -> None:
    assert NOISES[table["kind"]].from_table(table).to_table() == table


def mass(noise: DiscreteLaplace, theta: Fraction, k: int) -> mpmath.mpf:
    t = mpmath.exp(-mpmath.mpf(str(noise.step)) / float(theta))
    return (1 - t) / (1 + t) * t ** abs(k)


@pytest.mark.parametrize(
    "noise",
    [Laplace(), DiscreteLaplace(step="1/2"), GaussianNoise(), TruncatedLaplace(bound="3/2")],
)
def test_moments_are_those_of_the_law(noise: Noise) -> None:
    theta = Fraction(3, 4)
    with mpmath.workdps(30):
        size = mpmath.mpf(3) / 4
        if isinstance(noise, DiscreteLaplace):
            terms = [(k, mass(noise, theta, k)) for k in range(-400, 401)]
            square = mpmath.fsum(m * (mpmath.mpf(k) / 2) ** 2 for k, m in terms)
            mean = mpmath.fsum(m * abs(mpmath.mpf(k) / 2) for k, m in terms)
        else:
            law = {
                "laplace": lambda z: mpmath.exp(-z / size) / size,
                "gaussian": lambda z: 2 * mpmath.npdf(z, 0, size),
                "truncated-laplace": lambda z: mpmath.exp(-z / size) / size / (1 - mpmath.exp(-2)),
            }[noise.kind]  # twice the density, on the right of 0
            ends = [0, 1, 1.5] if isinstance(noise, TruncatedLaplace) else [0, 1, 5, 20, 60]
            square = mpmath.quad(lambda z: z * z * law(z), ends)
            mean = mpmath.quad(lambda z: z * law(z), ends)
        with precision(100):
            found = Ball(noise.sd(theta)), Ball(noise.mean_abs(theta))
        for ball, true in zip(found, (mpmath.sqrt(square), mean), strict=True):
            middle = mpmath.mpf(ball.raw.mid().str(25, radius=False))
            assert abs(middle - true) < mpmath.mpf(10) ** -20
        texts = spread(noise, "0.75", 12)
        for text, true in zip(texts, (mpmath.sqrt(square), mean), strict=True):
            assert true - mpmath.mpf(10) ** -20 <= mpmath.mpf(text) < true * (1 + 1e-10)


def test_no_noise_has_no_spread() -> None:
    assert NoNoise().sd(Fraction(1)) == NoNoise().mean_abs(Fraction(1)) == 0


def test_every_noise_has_words_for_its_size() -> None:
    found = {name: kind.size_words("exp((log(2)/2))") for name, kind in NOISES.items()}
    assert found == {
        "laplace": ("scale", "exp((log(2)/2))"),
        "discrete-laplace": ("scale", "exp((log(2)/2))"),
        "gaussian": ("variance", "2"),
        "none": ("the value itself is published", None),
        "truncated-laplace": ("scale", "exp((log(2)/2))"),
        "table": ("weights as stated", None),
        "discrete-gaussian": ("variance", "2"),
        "truncated-discrete-laplace": ("scale", "exp((log(2)/2))"),
        "bounded-laplace": ("scale", "exp((log(2)/2))"),
        "exponential": ("scale", "exp((log(2)/2))"),
        "gumbel": ("scale", "exp((log(2)/2))"),
    }
    assert GaussianNoise.size_words("3/2") == ("sigma", "3/2")


@pytest.mark.parametrize(
    ("name", "value"),
    [("form", "xyz"), ("pairs", ()), ("beliefs", {}), ("epsilon", -1), ("delta", 2), ("noise", 3)],
)
def test_a_problem_is_not_changed_after_it_was_checked(name: str, value: object) -> None:
    problem = Problem(priors=PAIR, noise=Laplace(3), epsilon=1)
    with pytest.raises(AttributeError, match=f"Problem.{name} cannot be set"):
        setattr(problem, name, value)
    with pytest.raises(AttributeError, match=f"Problem.{name} cannot be deleted"):
        delattr(problem, name)
    assert problem == Problem(priors=PAIR, noise=Laplace(3), epsilon=1)


@pytest.mark.parametrize("noise", [Laplace(3), DiscreteLaplace(3), GaussianNoise(3), NoNoise()])
@pytest.mark.parametrize("name", ["scale", "step", "variance", "kind", "exponential"])
def test_a_noise_is_not_changed_after_it_was_checked(noise: Noise, name: str) -> None:
    before = repr(noise), noise.canonical()
    with pytest.raises(AttributeError, match=f"{name} cannot be set: make another"):
        setattr(noise, name, Fraction(-1))
    assert (repr(noise), noise.canonical()) == before


def test_problems_are_copied_and_pickled() -> None:
    for noise in (Laplace("log(3)"), DiscreteLaplace(3), GaussianNoise(variance=2), NoNoise()):
        problem = Problem(priors=PAIR, noise=noise, epsilon=1)
        assert copy.deepcopy(problem) == problem == pickle.loads(pickle.dumps(problem))


def test_no_verdict_comes_from_nothing_to_compare() -> None:
    problem = Problem(priors=PAIR, noise=Laplace(3), epsilon=1)
    problem.beliefs.clear()
    with pytest.raises(ValueError, match="no verdict"):
        certify(problem)

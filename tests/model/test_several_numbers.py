"""Problem files about several numbers, and about many releases of one: read, refused, written."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pfverify.errors import InputError
from pfverify.model.digest import problem_digest
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.priors.joint import Joint
from pfverify.model.problem import Problem
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import Budget, Repeated
from pfverify.model.releases.stepped import Stepped

JOINT = """
[priors.a]
kind = "joint"
names = ["x", "y"]
rows = [[0, 0, "1/2"], [1, 1, "1/2"]]
[priors.b]
kind = "joint"
names = ["x", "y"]
counts = [[0, 1, 3], [1, 0, 3], [2, 2, 0]]
"""
ONE = """
[priors.a]
kind = "discrete"
mass = { 0 = 1 }
[priors.b]
kind = "discrete"
mass = { 0 = "1/2", 2 = "1/2" }
"""


def read(noise: str, priors: str, more: str = "") -> Problem:
    """A problem with this table of noise."""
    text = f'schema = "pfverify/problem/1"\nepsilon = 1\n{more}\n[noise]\n{noise}\n{priors}'
    return Problem.from_text(text)


@pytest.mark.parametrize(
    ("noise", "priors"),
    [
        ('kind = "laplace"\nscale = 1', JOINT),
        ('kind = "laplace"\nscale = ["3", "1/log(2)"]', JOINT),
        ('kind = "discrete-laplace"\nstep = "1/2"\nscale = [1, 2]', JOINT),
        ('kind = "laplace"\nscale = [3, 2]\nreleases = 4', JOINT),
        ('kind = "none"', JOINT),
        ('kind = "laplace"\nscale = 3\nreleases = 10', ONE),
        ('kind = "laplace"\nscale = 3\nreleases = 10\ndraws = "fresh"', ONE),
        ('kind = "laplace"\nscales = [3, 2, 3]\nreleases = 3', ONE),
        ('kind = "gaussian"\nscales = [1, 2]', ONE),
        ('kind = "gaussian"\nvariance = 2\nreleases = 3', ONE),
        ('kind = "laplace"\ntotal = "6/5"', ONE),
        ('kind = "gaussian"\ntotal = "6/5"', ONE),
        ('kind = "discrete-laplace"\nstep = 1\ntotal = "6/5"', ONE),
        ('kind = "laplace"\nreleases = 10', ONE),
    ],
)
def test_a_problem_reads_back_as_itself(noise: str, priors: str) -> None:
    problem = read(noise, priors)
    for again in (Problem.from_table(problem.to_table()), Problem.from_text(problem.to_toml())):
        assert again == problem
        assert problem_digest(again) == problem_digest(problem)


@pytest.mark.parametrize(
    ("noise", "priors", "said"),
    [
        ('kind = "laplace"\nscale = [1, 2, 3]', JOINT, "3 scales"),
        ('kind = "laplace"\nscale = [1, 2]', ONE, "2 scales"),
        ('kind = "laplace"\nscale = [1, 0]', JOINT, "scale 2"),
        ('kind = "truncated-laplace"\nbound = 3\nscale = [1, 2]', JOINT, "list"),
        ('kind = "truncated-laplace"\nbound = 3\nscale = 1', JOINT, "not worked out"),
        ('kind = "laplace"\nscale = 1\nreleases = 2\ndraws = "fresh"', JOINT, "no rule"),
        ('kind = "laplace"\nscales = [1, 2]', JOINT, "no rule"),
        ('kind = "laplace"\nscales = [1, 2]\nreleases = 3', ONE, "scales has 2"),
        ('kind = "laplace"\nscales = [1, 2]\nscale = 3', ONE, "in place of scale"),
        ('kind = "laplace"\nscales = [1, 0]', ONE, "scale 2 of scales"),
        ('kind = "laplace"\ntotal = 1\nscale = 1', ONE, "in place of scale"),
        ('kind = "laplace"\ntotal = 1\ndraws = "fresh"', ONE, "expected no draws"),
        ('kind = "laplace"\ntotal = 1\nreleases = 2', ONE, "expected no releases"),
        ('kind = "laplace"\ntotal = 0', ONE, "total"),
        ('kind = "laplace"\nscale = 1\ndraws = "same"', ONE, "how many"),
        ('kind = "laplace"\nscale = 1\nreleases = 0', ONE, "releases"),
        ('kind = "laplace"\nscale = 1\nreleases = "5/2"', ONE, "whole number"),
        ('kind = "laplace"\nscale = 1\nreleases = 2000000', ONE, "whole number"),
        ('kind = "none"\nreleases = 2', ONE, "none"),
        ('kind = "truncated-laplace"\nbound = 3\ntotal = 2', ONE, "nothing is known"),
        ('kind = "discrete-gaussian"\nstep = 1\ntotal = 2', ONE, "nothing is"),
        ('kind = "laplace"\nscale = 1\n[[post]]\nfloor = { to = 1 }', JOINT, "missing"),
        ('kind = "laplace"\nscale = 1\n[[pre]]\nclamp = [0, 1]', JOINT, "joint"),
        ('kind = "discrete-laplace"\nscale = 1\nstep = 2', JOINT, "multiple"),
    ],
)
def test_what_combines_without_a_rule_is_refused(noise: str, priors: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        read(noise, priors)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("priors", [JOINT, ONE])
def test_pointwise_is_refused(priors: str) -> None:
    noise = 'kind = "laplace"\nscale = 1' + ("" if priors is JOINT else "\nreleases = 2")
    for delta in ("0", "1/10"):
        with pytest.raises(InputError, match="post-processing"):
            read(noise, priors, f'form = "pointwise"\ndelta = "{delta}"')


@pytest.mark.parametrize("line", ["releases = 52", "scale = 3", 'draws = "fresh"'])
def test_a_key_of_the_noise_at_the_top_is_told_its_table(line: str) -> None:
    with pytest.raises(InputError, match=r"it is a key of the table \[noise\]"):
        read('kind = "laplace"\nscale = 1', ONE, line)


@pytest.mark.parametrize(
    ("names", "rows", "said"),
    [
        (["x", "y"], [[0, 1]], "2 numbers"),
        (["x", "y"], [[0, 0, "1/2"], [0, 0, "1/2"]], "twice"),
        (["x", "y"], [[0, 0, "1/2"]], "sum to 1/2"),
        (["x", "y"], [[0, 0, 2], [0, 1, -1]], "-1"),
        (["x", "x"], [[0, 0, 1]], "twice"),
        ([], [[1]], "0 of them"),
        ([str(k) for k in range(1001)], [[0] * 1001 + [1]], "1001 of them, expected 1 to 1000"),
        ([" "], [[0, 1]], "printable"),
        (["x"], [], "empty"),
    ],
)
def test_rows_of_a_joint_prior(names: list[str], rows: list[list[object]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Joint(names, rows)  # type: ignore[arg-type]


def test_priors_of_other_names_are_not_compared() -> None:
    with pytest.raises(InputError, match="same names"):
        read('kind = "laplace"\nscale = 1', JOINT.replace('["x", "y"]', '["y", "x"]', 1))
    with pytest.raises(InputError, match="one number"):
        read('kind = "laplace"\nscale = 1', JOINT + '[priors.c]\nkind = "discrete"\nmass = {0 = 1}')


def test_what_releases_are_worth() -> None:
    ten = Repeated(Laplace(3), count=10)
    assert repr(ten.collapsed) == "Laplace('3/10')"
    mixed = Repeated(Laplace(), scales=[3, 2, 3])
    assert mixed.collapsed.noise.stated_scale().fraction == Fraction(6, 7)
    normal = Repeated(GaussianNoise(), scales=[1, 2]).collapsed
    assert isinstance(normal, GaussianNoise)
    assert normal.variance == Fraction(4, 5)
    assert Budget(GaussianNoise(), "4/5").one.variance == Fraction(5, 4)  # type: ignore[union-attr]


@pytest.mark.parametrize("noise", [TruncatedLaplace(1, 3), DiscreteGaussian(1), TableNoise({0: 1})])
def test_many_releases_of_other_noise_are_no_one_release(noise: Noise) -> None:
    """Of three releases with truncated Laplace noise one at a third of the scale says too little.

    Beyond the bound of the one there is mass 0.00118, beyond that of one of the three 0.129.
    """
    many = Repeated(noise, count=3)
    assert not many.collapses
    with pytest.raises(InputError, match=r"^releases: nothing is known of many releases with"):
        _ = many.collapsed
    with pytest.raises(InputError, match=r"^total: nothing is known of many releases with"):
        Budget(noise, 3)


def test_x_itself_is_no_release_to_repeat() -> None:
    with pytest.raises(InputError, match=r"^releases: nothing is known of many releases with none"):
        Repeated(NoNoise(), count=3)


@pytest.mark.parametrize(
    ("wrap", "name"),
    [
        (lambda one: Repeated(one, count=2), "Repeated"),
        (lambda one: Budget(one, 1), "Budget"),
        (lambda one: Coordinates(one, [1]), "Coordinates"),
        (lambda one: Stepped(one, [{"round": {"to": 1}}]), "Stepped"),
    ],
)
@pytest.mark.parametrize(
    "one", [Budget(Laplace(), 1), Repeated(Laplace(1), count=3), "laplace", None]
)
def test_what_is_no_noise_is_refused(
    wrap: Callable[[Any], object], name: str, one: object
) -> None:
    said = rf"^noise: {name} takes noise on one number, .*, not {type(one).__name__}$"
    with pytest.raises(InputError, match=said):
        wrap(one)


def test_another_scale_keeps_the_ratios() -> None:
    found = Coordinates(Laplace(), ["3", "2"]).with_scale(6)
    assert isinstance(found, Coordinates)
    assert [scale.text for scale in found.scales] == ["6", "4"]
    assert repr(Coordinates(Laplace(), ["3", "2"]).with_scale(0)) == "Laplace('0')"
    again = Repeated(Laplace(), scales=[3, 2, 3]).with_scale(6)
    assert again.collapsed.noise.stated_scale().fraction == Fraction(12, 7)
    assert again.tables(read('kind = "laplace"', ONE).protection)["noise"]["scales"] == [
        "6", "4", "6",
    ]  # fmt: skip


def test_too_many_names_in_a_file_are_told_how_many_may_be() -> None:
    names = [f"c{k}" for k in range(1001)]
    user = {"a": {"point": "c0"}, "b": {"point": "c1"}}
    system = {"release": "histogram", "rest": "any", "categories": names, "user": user}
    table = {"schema": "pfverify/problem/1", "epsilon": 1, "noise": {"kind": "laplace", "scale": 2}}
    with pytest.raises(InputError, match="categories: 1001 of them, expected at most 1000"):
        Problem.from_table({**table, "system": system})
    Problem.from_table({**table, "system": {**system, "categories": names[:9]}})

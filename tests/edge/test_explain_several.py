"""certify --explain of several numbers and of many releases: the numbers, redone by hand."""

from __future__ import annotations

import re
from math import exp

import pytest

from pfverify import Discrete, GaussianNoise, InputError, Laplace, Problem, certify
from pfverify.edge.explain import explained
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Budget, Repeated

NAMES = ["income", "age"]
P = {(0, 0): "1/2", (1, 2): "1/4", (3, 1): "1/4"}
Q = {(0, 1): "1/3", (2, 2): "1/3", (3, 0): "1/3"}


def lines_of(release: Release, epsilon: str = "1/2", delta: str = "0") -> list[str]:
    laws = {"U": Discrete(dict.fromkeys(range(5), "1/5")), "T": Discrete({2: 1})}
    made = Problem(laws, noise=Laplace(), epsilon=epsilon, delta=delta).under(release)
    return explained(made, certify(made)).lines


def test_the_worst_point_of_several_numbers() -> None:
    laws = {
        name: Joint(NAMES, [[*x, mass] for x, mass in law.items()])
        for name, law in (("P", P), ("Q", Q))
    }
    problem = Problem(laws, noise=Laplace(), epsilon="1/2")
    problem = problem.under(Coordinates(Laplace(), ["1", "3/2"]))
    text = "\n".join(explained(problem, certify(problem)).lines)
    assert "The worst output is y = (0, 0), from P against Q." in text
    assert "of the scales 1 on income, 1.5 on age." in text
    front = 1 / (2 * 1 * 2 * 1.5)
    for name, law in (("P", P), ("Q", Q)):
        value = front * sum(
            eval(mass) * exp(-a - b / 1.5) for (a, b), mass in law.items()
        )
        said = re.search(rf"p\(y \| {name}\) = .*\n  = .* = (\S+)\n", text)
        assert said is not None
        assert abs(float(said[1]) - value) < 1e-9 * value
    assert "1/4 e^(-1/1-2/(1.5))" in text
    assert "no output off the grid" in text


def test_many_releases_come_down_to_one() -> None:
    ten = lines_of(Repeated(Laplace(3), count=10))
    assert ten[0].startswith("10 releases, all of one X: together they tell what one release at "
                             "scale 0.3 tells")  # fmt: skip
    assert lines_of(Laplace("3/10")) == ten[1:]
    total = lines_of(Budget(Laplace(), "10/3"))
    assert total[0].startswith("Any releases of one X whose 1/scale sum to at most 10/3")
    assert total[1:] == ten[1:]
    normal = lines_of(Repeated(GaussianNoise(3), count=10), "1", "1/100")
    assert "variance 0.9" in normal[0]
    for other in (Repeated(Laplace(3), count=2, draws="fresh"), Repeated(Laplace(3), count=9)):
        with pytest.raises(InputError, match="what several decides with laplace noise"):
            lines_of(other, "1", "1/100")

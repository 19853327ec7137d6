"""Draws of several numbers, and of all releases of one."""

from __future__ import annotations

from typing import Any

import pytest

from pfverify import Discrete, Gaussian, InputError, Laplace, Problem, sample
from pfverify.decide.verdict import Verdict
from pfverify.model.lattices import largest_step
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.repeated import Budget, Repeated
from pfverify.sampling.sample import planned

POINTS = {"a": Joint(["x", "y"], [[0, 0, "1/2"], [1, 2, "1/2"]]),
          "b": Joint(["x", "y"], [[0, 2, 1]])}  # fmt: skip
LINE = {"a": Discrete({0: 1}), "b": Discrete({1: "1/2", 2: "1/2"})}
TINY, HUGE = "1/1000", 10**6


def problem(noise: Any, priors: Any = POINTS) -> Problem:
    return Problem(priors, noise=noise, epsilon=10**4)


def test_each_coordinate_has_its_own_scale() -> None:
    """e**-1000 and 10**-6 are the chances that this fails."""
    asked = problem(Coordinates(DiscreteLaplace(1, 1), [TINY, HUGE]))
    found = sample(asked, 20)
    assert found.several == "scales 1/1000, 1000000 by coordinate"
    assert [draw[0] for draw in found.draws] == ["0"] * 20
    assert len({draw[1] for draw in found.draws}) > 10
    assert found.warnings == ["each draw is for a release of its own; an average of several is "
                              "other noise"]  # fmt: skip
    released = sample(problem(Coordinates(DiscreteLaplace(1, 1), [TINY, TINY])), value=[1, "4/2"])
    assert (released.drawn, released.draws) == ("release", [("1", "2")])
    one = sample(problem(DiscreteLaplace(TINY, 1)), value="0,2")
    assert one.draws == [("0", "2")]


def test_all_releases_are_drawn_in_order() -> None:
    noise = Repeated(DiscreteLaplace(1, 1), scales=[TINY, HUGE, TINY])
    found = sample(problem(noise, LINE), value=2)
    assert [found.draws[k] for k in (0, 2)] == ["2", "2"]
    assert found.draws[1] != "2"
    assert found.warnings == ["these are all 3 releases, in order: one draw more would be one "
                              "release more"]  # fmt: skip
    fresh = sample(problem(Repeated(DiscreteLaplace(TINY, 1), count=4, draws="fresh"), LINE))
    assert (fresh.drawn, fresh.draws) == ("noise", ["0"] * 4)
    vectors = sample(problem(Repeated(DiscreteLaplace(TINY, 1), count=2)), value=[0, 2])
    assert vectors.draws == [("0", "2")] * 2


def test_the_same_releases_on_a_lattice() -> None:
    scales = [3, "5/2"]
    for noise, drawn in (
        (Coordinates(Laplace(), scales), Coordinates(DiscreteLaplace(1, "1/2"), scales)),
        (Repeated(Laplace(3), count=2), Repeated(DiscreteLaplace(3, "1/2"), count=2)),
    ):
        asked = problem(noise)
        assert largest_step(asked.beliefs, asked.pairs) == 1
        assert asked.on_lattice("1/2") == problem(drawn)
        with pytest.raises(InputError, match="not all on one lattice; the largest step that wo"):
            asked.on_lattice("2/3")
    listed = Repeated(Laplace(3), scales=[3, 4])
    lattice = problem(listed, LINE).on_lattice(1)
    assert lattice == problem(Repeated(DiscreteLaplace(3, 1), scales=[3, 4]), LINE)


@pytest.mark.parametrize(
    ("noise", "priors", "asked", "why"),
    [
        (Laplace(1), POINTS, {}, "laplace noise is continuous"),
        (DiscreteLaplace(1, 1), POINTS, {"value": 1}, "value: expected 2 numbers"),
        (DiscreteLaplace(1, 1), POINTS, {"value": "1"}, "value: 1 numbers, expected 2: x, y"),
        (DiscreteLaplace(1, 1), POINTS, {"value": [1, 0.5]}, "value: expected an exact"),
        (DiscreteLaplace(1, 1), POINTS, {"value": [1, 3]}, "value: it has mass 0"),
        (DiscreteLaplace(1, 1), POINTS, {"value": [1, 2], "count": 2}, "2 draws for one value"),
        (Repeated(DiscreteLaplace(1, 1), count=3), LINE, {"count": 2}, "about 3 releases: all"),
        (Repeated(DiscreteLaplace(1, 1), count=3, draws="fresh"), LINE, {"value": 1}, "own draw"),
        (Budget(DiscreteLaplace(1, 1), 2), LINE, {}, "total: each scale may depend"),
        (Repeated(Laplace(1), count=2), {"a": Gaussian(0, sd=1), "b": Gaussian(1, sd=1)}, {},
         "laplace noise is continuous"),
    ],
)  # fmt: skip
def test_what_is_not_drawn(noise: Any, priors: Any, asked: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        planned(problem(noise, priors), **asked)


def test_nothing_is_drawn_where_it_is_refuted() -> None:
    refuted = Problem(LINE, noise=Repeated(DiscreteLaplace(1, 1), count=5), epsilon=1)
    assert planned(refuted).done(Verdict.REFUTED).draws == []

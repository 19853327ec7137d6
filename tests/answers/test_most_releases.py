"""How many releases a scale allows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import (
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    GaussianNoise,
    InputError,
    Laplace,
    Problem,
    TruncatedLaplace,
    calibrate,
    certify,
)
from pfverify.answers.most_releases import MostReleasesResult, most_releases
from pfverify.edge.cli import main
from pfverify.exact.published import Infinite
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.release import Noise, Release
from pfverify.model.releases.repeated import MOST_RELEASES, Budget, Repeated

U = Discrete(dict.fromkeys(range(5), "1/5"))
T = Discrete({2: 1})
POINTS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}


def asked(noise: Noise, epsilon: Any, delta: Any = 0, laws: Any = None) -> Problem:
    return Problem(laws or {"U": U, "T": T}, noise=noise, epsilon=epsilon, delta=delta)


def most(problem: Problem) -> tuple[Any, Any]:
    found = most_releases(problem).most
    return found.lower, found.upper


def fresh(one: Noise, count: int = 1) -> Release:
    return Repeated(one, count=count, draws="fresh")


@pytest.mark.parametrize(("scale", "epsilon", "count"), [
    (12, 1, 12), ("12-1/1000000000000000000000000000000", 1, 11), ("36/log(3)", "log(9)", 72),
    ("1/2", 1, 0),
])  # fmt: skip
def test_ties_are_decided(scale: Any, epsilon: Any, count: int) -> None:
    """Points at a distance of 1 lose k/scale, which may be epsilon exactly; fresh draws as well."""
    problem = asked(Laplace(scale), epsilon, laws=POINTS)
    assert most(problem) == (count, count)
    assert most(problem.under(fresh(problem.noise))) == (count, count)


def test_the_number_is_how_often_the_least_scale_of_one_goes_into_the_scale() -> None:
    """For delta = 0 theta_min(k) is k theta_min(1) (F40), of gaussian noise sqrt(k) times (F41)."""
    least = calibrate(asked(Laplace(), 1)).minimum.upper
    for scale in (1, 7, 50):
        count = int(scale / least)
        assert most(asked(Laplace(scale), 1)) == (count, count)
    sigma = calibrate(asked(GaussianNoise(), 1, "1/100")).minimum.upper
    count = int((30 / sigma) ** 2)
    assert most(asked(GaussianNoise(30), 1, "1/100")) == (count, count)


def test_any_number_where_nothing_more_is_revealed() -> None:
    close = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: "1/3", 1: "2/3"})}
    problem = asked(Laplace(1), 1, laws=close)
    assert most(problem) == ("inf", "inf")
    assert most_releases(problem).found is None
    lower, upper = most(problem.under(fresh(problem.noise)))
    assert 1 < lower == upper < 100  # of fresh draws more are revealed
    same = {"a": T, "b": T}
    assert most(asked(Laplace(1), 0, laws=same).under(fresh(Laplace(1)))) == ("inf", "inf")
    assert most(asked(Laplace(1), 0, 1).under(fresh(Laplace(1)))) == ("inf", "inf")


def test_two_bounds_where_delta_leaves_them_apart() -> None:
    found = most_releases(asked(DiscreteLaplace(8, step=1), 1, "1/20"))
    assert found.most.lower == 16
    assert 16 < found.most.upper < 60  # one X that is no point: by a coupling, and by labels
    assert found.most.reason is not None
    assert found.found is not None
    assert certify(found.found).certified
    grid = most_releases(asked(Laplace(1), "1/2", "1/10", POINTS))
    assert grid.most.upper == 0
    assert grid.verdict.value == "refuted"
    some = most_releases(asked(Laplace(2), "1/2", "1/10", POINTS))  # refuted on a grid of outputs
    assert some.most.lower == some.most.upper == 1


def test_points_leave_no_number_open() -> None:
    """Of 100 releases delta(6) is 3.6176e-10; the last number below 1e-6 is found, and the next."""
    found = most_releases(asked(Laplace(10), 6, "1e-6", POINTS))
    assert found.most.lower == found.most.upper
    assert found.found is not None
    assert certify(found.found).certified
    for noise in (TruncatedLaplace(3, bound=30), DiscreteGaussian(5)):
        some = most_releases(asked(noise, 3, "1/100", POINTS))
        assert some.most.lower == some.most.upper > 1


def test_a_scale_for_more_than_a_problem_states() -> None:
    found = most_releases(asked(Laplace(10**9), 1, laws=POINTS)).most
    assert (found.lower, found.upper) == (MOST_RELEASES, "inf")
    assert f"at most {MOST_RELEASES} releases" in str(found.reason)


def test_what_it_is_not_about() -> None:
    problem = asked(Laplace(1), 1)
    for other in (Repeated(Laplace(1), scales=["1", "2"]), Budget(Laplace(), 1)):
        with pytest.raises(InputError, match="--releases: "):
            most_releases(problem.under(other))
    with pytest.raises(InputError, match="scale"):
        most_releases(asked(Laplace(), 1))


def test_it_is_asked_for_on_the_command_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked(Laplace(30), 1).save(tmp_path / "one.toml")
    assert main(["calibrate", str(tmp_path / "one.toml"), "--releases"]) == 0
    assert "  At most 33 releases (certified); 34 are refuted.\n" in capsys.readouterr().out
    out = tmp_path / "many.json"
    words = ["calibrate", str(tmp_path / "one.toml"), "--releases", "--json", "--write", str(out)]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["most"]["upper"] == "33"
    written = Problem.load(out)
    assert isinstance(written.release, Repeated)
    assert written.release.count == 33
    assert certify(written).certified
    assert main([*words[:2], "--epsilon", "1/100", "--releases"]) == 0
    assert "Not even one release is private (refuted)." in capsys.readouterr().out


masses = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any)


@settings(max_examples=20, deadline=None)
@given(masses, masses, st.integers(1, 20), st.sampled_from(["same", "fresh"]))
def test_one_more_is_refuted(first: list[int], second: list[int], scale: int, draws: str) -> None:
    one, two = (Discrete(counts=dict(enumerate(law))) for law in (first, second))
    problem = asked(Laplace(scale), 1, 0, {"a": one, "b": two})
    found: MostReleasesResult = most_releases(
        problem.under(Repeated(Laplace(scale), count=9, draws=draws))
    )
    assert found.most.lower == found.most.upper
    if found.found is not None:
        assert certify(found.found).certified
    if not isinstance(found.most.upper, Infinite):
        more = Repeated(Laplace(scale), count=int(found.most.upper) + 1, draws=draws)
        assert certify(problem.under(more)).refuted


@pytest.mark.parametrize("vector", [False, True])
def test_what_is_assumed_of_all_releases(vector: bool) -> None:
    rows = {"a": [[0, 0, 1]], "b": [[1, 1, 1]]}
    joint = {name: Joint(["x", "y"], own) for name, own in rows.items()}
    found = most_releases(asked(Laplace(12), 1, laws=joint if vector else POINTS))
    assert found.found is not None
    told = certify(found.found).assumed
    assert "the noise of each release is drawn independently of that of the others" in told
    assert any("noise of each number" in words for words in told) == vector
    count = [words for words in told if words.startswith(str(found.most.lower))]
    assert len(count) == 1  # the number is the answer, and all else is assumed in both
    assert found.assumed == [words for words in told if words not in count]

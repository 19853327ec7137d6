"""`assert_private`: what passes, what a failure shows, and the plugin of pytest."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from math import exp
from pathlib import Path
from typing import Any

import pytest

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Finite,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Problem,
    UndecidedError,
    certify,
)
from pfverify.model.channels.matrix import Matrix
from pfverify.model.composed import NamedTimes, separately
from pfverify.testing import NotPrivateError, assert_private, plugin

POINTS = {"here": Discrete({1: 1}), "away": Discrete({0: 1})}


def thin(**more: Any) -> Problem:
    return Problem(POINTS, **({"noise": Laplace("1/2"), "epsilon": 1} | more))


def failure(problem: Any, **more: Any) -> str:
    with pytest.raises(NotPrivateError) as caught:
        assert_private(problem, **more)
    assert caught.value.result.verdict == "refuted"
    return str(caught.value)


def test_what_is_certified_passes(tmp_path: Path) -> None:
    place = tmp_path / "thin.toml"
    thin(epsilon=2).save(place)
    for problem in (place, str(place), thin(epsilon=2)):
        assert assert_private(problem).verdict == "certified"
    assert assert_private(thin(), epsilon=2).epsilon == 2
    assert assert_private(thin(), delta="2/5").delta == certify(thin(delta="2/5")).delta
    assert_private(place).write(tmp_path / "thin.cert")


def test_a_failure_is_a_diff_with_what_would_do(tmp_path: Path) -> None:
    place = tmp_path / "a thin one.json"
    thin(epsilon=2).save(place)
    said = failure(place, epsilon=1).splitlines()
    assert said[:3] == [
        f"{place} is not private",
        "- P(Y in B|s) <= e^1 P(Y in B|s') for every event B",
        "+ here against away: y = 1: log ratio above epsilon by 0.999999",
    ]
    assert "    p(y | here) = 1 * [ 1 ]" in said
    assert any("p(y | away)" in line for line in said)
    for line in ("epsilon = 2 would do", "scale = 1 would do (the least is above 0.999999)"):
        assert f"  {line}" in said
    assert said[-1] == f"  again: pfverify certify '{place}' --epsilon 1"
    assert_private(place, epsilon=2)


@pytest.mark.parametrize(("noise", "first", "second"), [
    (Laplace("1/2"), 1 - exp(-0.5) / 2, exp(-1.5) / 2),  # B = [3/4, inf), where p > e q
    (DiscreteLaplace("1/2"), 1 / (1 + exp(-2)), exp(-2) / (1 + exp(-2))),
])  # fmt: skip
def test_both_probabilities_of_an_event_are_told(noise: Any, first: float, second: float) -> None:
    said = failure(thin(noise=noise, delta="1/10"))
    told = [line.split("=")[1].split(",")[0] for line in said.splitlines() if "P(B | " in line]
    assert [float(x) for x in told] == [pytest.approx(first), pytest.approx(second)]


def test_an_event_of_a_channel_is_told() -> None:
    channel = Matrix(["x", "y"], ["u", "v"], [["3/4", "1/4"], ["1/4", "3/4"]])
    priors = {"a": Finite({"x": 1}), "b": Finite({"y": 1})}
    said = failure(Problem(priors, channel=channel, epsilon="1/2", delta="1/100"))
    assert "P(B | a) = 0.75" in said
    assert "P(B | b) = 0.25" in said
    assert "problem.save('refuted.json')" in said


def test_what_no_number_would_mend_says_so() -> None:
    normal = Gaussian(0, variance=1), Gaussian(1, variance=1)
    problem = Problem(dict(zip("ab", normal, strict=True)), noise=GaussianNoise(1), epsilon=1)
    said = failure(problem)
    assert "no finite epsilon would do at this delta" in said
    assert "delta = " in said


def test_undecided_is_an_error_of_its_own() -> None:
    parts = [NamedTimes(name, thin(noise=Laplace(b))) for name, b in (("a", "1/log(2)"), ("b", 1))]
    problem = separately(parts, epsilon="log(2)+1")  # a tie, for which there is no exact test
    with pytest.raises(UndecidedError, match="assert_private: undecided: the sum of the losses"):
        assert_private(problem)


@pytest.mark.parametrize(("problem", "options", "said"), [
    ("no-such-file.toml", {}, "no-such-file.toml"),
    (3, {}, "the problem"),
    (thin(), {"epsilon": 0.5}, "epsilon"),
    (thin(), {"delta": 2}, "delta"),
    (thin(noise=Laplace()), {}, "scale"),
])  # fmt: skip
def test_what_is_no_problem_is_bad_input(problem: Any, options: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        assert_private(problem, **options)


def test_pytest_finds_the_plugin_by_its_entry_point() -> None:
    stated = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    assert stated["project"]["entry-points"]["pytest11"] == {"pfverify": plugin.__name__}


SUITE = """
from pfverify import Discrete, Laplace, Problem

POINTS = {"here": Discrete({1: 1}), "away": Discrete({0: 1})}

def test_fails(assert_private):
    something = "not shown"
    assert_private(Problem(POINTS, noise=Laplace("1/2"), epsilon=1))

def test_passes(assert_private):
    assert_private(Problem(POINTS, noise=Laplace("1/2"), epsilon=2))

def test_other():
    assert 1 == 2
"""


def run(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p",
               "pfverify.testing.plugin", *words]  # fmt: skip
    env = {
        "PYTHONPATH": ":".join(filter(None, sys.path)), "PATH": "/usr/bin:/bin",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # where it is installed it is there already
    }  # fmt: skip
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=env
    ).stdout


def test_the_plugin_shows_the_refutation_alone(tmp_path: Path) -> None:
    (tmp_path / "test_release.py").write_text(SUITE)
    shown = run(tmp_path, "-q")
    assert "2 failed, 1 passed" in shown
    part = shown.split("test_other")[0]
    assert "something" not in part
    assert "pluggy" not in part
    assert "E   + here against away: y = 1" in part
    assert "assert 1 == 2" in shown  # others are shown as ever
    full = run(tmp_path, "-q", "--tb=native")
    assert "Traceback" in full


def test_the_plugin_imports_nothing_before_it_is_asked(tmp_path: Path) -> None:
    (tmp_path / "test_other.py").write_text(
        "import sys\n"
        "def test_other():\n"
        "    own = {name for name in sys.modules if name.startswith('pfverify')}\n"
        "    assert own == {'pfverify', 'pfverify.version', 'pfverify.testing',\n"
        "                   'pfverify.testing.plugin'}\n"
        "    assert not {'numpy', 'flint', 'sympy', 'hypothesis.core'} & set(sys.modules)\n"
    )
    assert "1 passed" in run(tmp_path, "-q")

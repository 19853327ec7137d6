"""`assert_sound` of kind sampler and release: a sampler that is right, and ones that are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pfverify import Discrete, DiscreteLaplace, InputError, Laplace, Problem
from pfverify.testing import assert_sound

PROBLEM = Problem(
    {"here": Discrete({1: 1}), "away": Discrete({0: 1})}, noise=DiscreteLaplace(2), epsilon="1/2"
)
NUMBER: dict[str, Any] = {"problem": PROBLEM, "draws": 6000}


def noise(scale: float, seed: int, n: int) -> Any:
    rng, fail = np.random.default_rng(seed), -np.expm1(-1 / scale)
    return rng.geometric(fail, n) - rng.geometric(fail, n)


def right(x: int, n: int, seed: int = 0, scale: float = 1.0) -> Any:
    return x + noise(scale, seed, n)


def thin(x: int, n: int, seed: int = 0, scale: float = 1.0) -> Any:
    return x + noise(scale / 2, seed, n)


def ended(x: int, n: int) -> Any:
    raise ValueError("no draws")


@pytest.mark.parametrize("kind", ["sampler", "release"])
def test_a_right_sampler_passes(kind: str, tmp_path: Path) -> None:
    assert_sound(right, kind, **NUMBER)
    place = tmp_path / "release.json"
    PROBLEM.save(place)
    assert_sound(right, kind, problem=place, draws=2000, level="1/1000", seed=3)


@pytest.mark.parametrize(("kind", "said"), [
    ("sampler", "The law fails"), ("release", "The claim fails"),
])  # fmt: skip
def test_a_sampler_of_too_little_noise_fails(kind: str, said: str) -> None:
    with pytest.raises(AssertionError, match=said) as caught:
        assert_sound(thin, kind, **NUMBER)
    assert "refuted at level" in str(caught.value)


def textbook(x: float, n: int, seed: int = 0) -> Any:
    return x + np.random.default_rng(seed).laplace(0, 1, n)


@pytest.mark.parametrize("kind", ["sampler", "release"])
def test_a_sampler_whose_digits_tell_fails(kind: str) -> None:
    problem = Problem(PROBLEM.beliefs["default"], noise=Laplace(1), epsilon=1)
    with pytest.raises(AssertionError, match="The digits tell: from here to away") as caught:
        assert_sound(textbook, kind, problem=problem, draws=6000)
    assert "The law fails" not in str(caught.value)


@pytest.mark.parametrize(("function", "options", "said"), [
    (right, {}, "problem: missing"),
    (right, {"problem": "no-such.toml"}, "no-such.toml"),
    (right, NUMBER | {"draws": 0}, "draws: 0 is no number from 1"),
    (right, NUMBER | {"draws": 2.5}, "draws: 2.5 is no number from 1"),
    (right, NUMBER | {"level": 0.5}, "level"),
    (right, NUMBER | {"cases": 3}, "cases: nothing that the kind sampler takes"),
    (right, NUMBER | {"noise": "laplace"}, "noise: nothing that the kind sampler takes"),
    (lambda x, n: [x] * n, NUMBER, "another process cannot import it"),
    (ended, NUMBER, "no draws"),
])  # fmt: skip
def test_what_asks_nothing_is_refused(
    function: Callable[..., Any], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        assert_sound(function, "sampler", **options)


def test_other_kinds_have_no_problem() -> None:
    with pytest.raises(InputError, match="problem: nothing that the kind scale takes"):
        assert_sound(right, "scale", problem=PROBLEM)

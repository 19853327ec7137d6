"""OpenDP's samplers as subjects: what they return, and their laws as far as these are known."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from pfverify import Discrete, DiscreteLaplace, GaussianNoise, InputError, Laplace, Problem
from pfverify.crosscheck.samplers.plan import planned
from pfverify.crosscheck.samplers.result import SamplerFindings
from pfverify.subjects import opendp_samplers as subject

A, B = ("default", "a"), ("default", "b")


@pytest.mark.parametrize(
    ("sampler", "noise"),
    [
        (subject.discrete_laplace, DiscreteLaplace(2)),
        (subject.laplace, Laplace(2)),
        (subject.gaussian, GaussianNoise(2)),
    ],
)
def test_a_sampler_has_the_law_that_it_is_said_to_have(sampler, noise) -> None:
    problem = Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=noise, epsilon=1)
    draws = {A: sampler(0, 3000, 2.0), B: sampler(1, 3000, 2.0)}
    plan = planned(problem, "sampler", dict.fromkeys(draws, 3000))
    assert plan.result(draws, "", called=True, seed=0).found is SamplerFindings.NOT_REFUTED


def test_integers_give_integers() -> None:
    for sampler in (subject.discrete_laplace, subject.discrete_gaussian):
        found = sampler(3, 100, 2.0)
        assert np.array_equal(found, np.rint(found))


def test_thresholds_publish_numbers_or_nothing() -> None:
    for sampler in (subject.laplace_threshold, subject.gaussian_threshold):
        assert sampler(None, 3) == ["suppressed"] * 3
        found = sampler(5, 200, 2.0)
        assert len(found) == 200
        assert "suppressed" in found
        assert all(y >= subject.THRESHOLD for y in found if isinstance(y, int))


def test_without_the_library_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    for sampler in (subject.laplace, subject.gaussian_threshold):
        with pytest.raises(InputError, match="needs OpenDP: in the checkout, pip install"):
            sampler(0, 1)

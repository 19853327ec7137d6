"""The packaged problems with steps after the noise, and the numbers that their files tell."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.examples import stepped_examples
from support.kernel_run import accepted_certificate

from pfverify import InputError, Problem, certify, loss, sample
from pfverify.edge.cli import main
from pfverify.edge.packaged import example_text, load_example
from pfverify.edge.smtlib import smtlib_text

TOLD = {"rounded-count": "0", "threshold": "0.01338980"}  # delta
CHANGED: list[tuple[str, dict[str, Any], str]] = [
    ("threshold", {"delta": "exp(-5)/(1+exp(-1))"}, "0.01338980"),
    ("rounded-count", {"scale": 1}, "0.117"),
    ("rounded-count", {"scale": "1/100"}, "0.0000226"),
]


TRUNCATED = [
    ("13.6636894", "certified", "9.9999999597e-7"),
    ("13.6636893", "refuted", "1.000000096e-6"),
]


def test_all_are_here() -> None:
    assert {*TOLD} == {*stepped_examples()}


@pytest.mark.parametrize("name", TOLD)
def test_each_is_a_tie_that_the_kernel_accepts(name: str) -> None:
    problem, delta = load_example(name), TOLD[name]
    found = certify(problem)
    assert (found.verdict, any(pair.tie for pair in found.pairs)) == ("certified", True)
    assert accepted_certificate(problem.to_table(), problem, found)[1] == "certified"
    told = loss(problem).delta
    assert told is not None
    assert str(told.lower).startswith(delta)


@pytest.mark.parametrize(("name", "change", "delta"), CHANGED)
def test_what_the_files_tell_of_other_numbers(
    name: str, change: dict[str, Any], delta: str
) -> None:
    problem = load_example(name).replaced(**change)
    assert certify(problem).verdict == "refuted"
    told = loss(problem).delta
    assert told is not None
    assert str(told.lower).startswith(delta)


@pytest.mark.parametrize(("bound", "verdict", "delta"), TRUNCATED)
def test_truncated_noise_meets_its_delta_from_the_published_bound_on(
    bound: str, verdict: str, delta: str
) -> None:
    """log(1 + (e - 1)/(2 delta)) = 13.66368939596998 for scale 1, epsilon 1 and delta = 1e-6."""
    table = tomllib.loads(example_text("truncated"))
    assert table["noise"]["bound"] == "13.6636894"
    table["noise"]["bound"] = bound
    problem = Problem.from_text(json.dumps(table), json_format=True)
    found = certify(problem)
    assert found.verdict == verdict
    assert accepted_certificate(problem.to_table(), problem, found)[1] == verdict
    told = loss(problem).delta
    assert told is not None
    assert told.lower < Fraction(delta) * (1 + Fraction(1, 10**6))
    assert told.upper > Fraction(delta) * (1 - Fraction(1, 10**6))


def test_the_draws_of_truncated_noise_are_refused_as_those_of_laplace_noise() -> None:
    with pytest.raises(InputError, match="truncated-laplace noise is continuous"):
        sample(load_example("truncated"))


def test_what_is_not_written_out_of_steps_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["certify", "--explain", "--latex", "example:threshold"]) == 2
    assert "--latex: the law of a release of kind steps is not" in capsys.readouterr().err
    with pytest.raises(InputError, match="a release of kind steps has no SMT-LIB form"):
        smtlib_text(load_example("threshold"), Path("p.toml"), Path("p.cert"))

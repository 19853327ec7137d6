"""A Renyi divergence as an (epsilon, delta), against what is so, and where there is none."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    NoNoise,
    Problem,
    Repeated,
    loss,
)
from pfverify.answers.converted import _implied
from pfverify.edge.cli import main
from pfverify.exact.number import number
from pfverify.model.notion import Renyi

UNIFORM, POINT = Discrete(dict.fromkeys(range(5), "1/5")), Discrete({2: 1})


def asked(noise: Any, order: object = 2, first: Any = UNIFORM, second: Any = POINT) -> Problem:
    return Problem({"a": first, "b": second}, noise=noise, epsilon=1, form=Renyi(order))


def mp(value: Fraction) -> Any:
    return mpmath.mpf(value.numerator) / value.denominator


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(["9/8", "2", "7/2", "20"]), st.sampled_from(["1/2", "1/1000", "1e-9"]),
       st.sampled_from([Laplace("1/2"), Laplace(3), DiscreteLaplace(2, step=1),
                        GaussianNoise(2)]))  # fmt: skip
def test_both_rules_are_bounds_and_the_sharper_one_is_sharper(
    order: str, delta: str, noise: Any
) -> None:
    found = loss(asked(noise, order), to_delta=delta)
    said, divergence = found.converted, found.divergence
    assert said is not None
    assert divergence is not None
    assert said.epsilon_exact.upper <= said.epsilon <= said.epsilon_simple
    a, d, most = mp(Fraction(order)), mp(Fraction(delta)), mp(Fraction(divergence.upper))
    simple = most - mpmath.log(d) / (a - 1)
    sharp = most - (mpmath.log(d) + mpmath.log(a)) / (a - 1) + mpmath.log(1 - 1 / a)
    for value, told in ((simple, said.epsilon_simple), (sharp, said.epsilon)):
        assert abs(mp(Fraction(told)) - max(value, 0)) < mpmath.mpf("1e-9") * (1 + abs(value))


def test_the_sharper_rule_is_met_by_a_point() -> None:
    """p/q = 4 = a/(a-1) e^epsilon where p is not 0: delta = 1/2 at epsilon = log 2, D = log 4."""
    p, q = Discrete({0: 1}), Discrete({0: "1/4", 1: "3/4"})
    told = next(one for one in loss(asked(NoNoise(), 2, p, q)).pairs if one.from_ == "a")
    assert told.divergence is not None
    _, sharp = _implied(told.divergence, Fraction(2), number("1/2"), 12)
    assert abs(mp(Fraction(sharp)) - mpmath.log(2)) < mpmath.mpf("1e-10")
    events = Problem({"a": p, "b": q}, noise=NoNoise(), epsilon="log(2)", delta="1/2")
    delta = next(one.delta for one in loss(events).pairs if one.from_ == "a")
    assert delta.lower == delta.upper == Fraction(1, 2)


def test_the_exact_epsilon_is_that_of_the_form_events() -> None:
    noise = Repeated(Laplace(3), count=5, draws="fresh")
    found = loss(asked(noise), to_delta="1/100").converted
    assert found is not None
    events = Problem({"a": UNIFORM, "b": POINT}, noise=noise, epsilon=1, delta="1/100")
    assert found.epsilon_exact == loss(events).epsilon_at_delta


def test_an_infinite_divergence_says_nothing() -> None:
    wide = asked(GaussianNoise(1), 2, Gaussian(0, variance=1), Gaussian(1, variance=4))
    said = loss(wide, to_delta="1/100").converted
    assert said is not None
    assert str(said.epsilon) == str(said.epsilon_simple) == "inf"
    assert said.epsilon_exact.upper < 10


@pytest.mark.parametrize("delta", ["0", "1", "-1/2", "3/2", "x", None])
def test_what_is_no_delta_is_refused(delta: Any) -> None:
    if delta is None:
        with pytest.raises(InputError, match="to_delta: the form is events, expected renyi"):
            loss(Problem({"a": UNIFORM, "b": POINT}, noise=Laplace(1), epsilon=1), to_delta="1/2")
        return
    with pytest.raises(InputError, match="to_delta"):
        loss(asked(Laplace(1)), to_delta=delta)


def test_the_command_says_it_and_its_json_is_as_the_schema_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "renyi.json"
    path.write_text(json.dumps(asked(Laplace(3)).to_table()))
    assert main(["loss", str(path), "--to-delta", "1e-5"]) == 0
    assert "At delta = 0.00001 that gives epsilon = 10.1514003" in capsys.readouterr().out
    assert main(["loss", str(path), "--to-delta", "1e-5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    schema = json.loads((files("pfverify.edge") / "schemas/loss.schema.json").read_text())
    jsonschema.validate(found, schema)
    assert found["converted"]["delta"] == "1/100000"
    assert main(["loss", str(path), "--to-delta", "1e-5", "--jobs", "2"]) == 2
    assert "--to-delta: not with --jobs" in capsys.readouterr().err
    assert main(["loss", str(path), "--to-delta", "2"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_nothing_follows_from_the_order_1() -> None:
    with pytest.raises(InputError, match="to_delta: of order 1 no delta follows"):
        loss(asked(Laplace(3), order=1), to_delta="1/100")

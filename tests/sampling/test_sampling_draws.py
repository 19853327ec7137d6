"""`pfverify.sample`: what is drawn in Python, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pfverify import (
    Channel,
    Discrete,
    DiscreteLaplace,
    Finite,
    GaussianNoise,
    InputError,
    Laplace,
    NoNoise,
    Problem,
    Protection,
    System,
    sample,
)
from pfverify.decide.verdict import Verdict
from pfverify.edge.packaged import load_example
from pfverify.exact.decimals import decimal_text
from pfverify.sampling.sample import planned


def small(**more: Any) -> Problem:
    priors = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: 1})}
    return Problem(**({"priors": priors, "noise": DiscreteLaplace(2), "epsilon": 1} | more))


def test_noise_alone_is_drawn_without_a_claim() -> None:
    result = sample(DiscreteLaplace("1/log(3)", step="1/4"), 5)
    assert (result.verdict, result.proved_by, len(result.draws)) == (None, None, 5)
    assert "nothing is claimed" in result.warnings[0]
    assert all(isinstance(draw, Fraction) for draw in result.draws)
    assert (result.scale == "(1/log(3))", result.step == Fraction(1, 4)) == (True, True)
    assert {str(draw) for draw in result.draws} <= {decimal_text(draw) for draw in result.draws}
    with pytest.raises(InputError, match="about no value"):
        sample(DiscreteLaplace(1), value=3)


@pytest.mark.parametrize(
    ("noise", "words"),
    [(Laplace(1), "continuous.*--lattice"), (GaussianNoise(1), "kind discrete-gaussian"),
     (NoNoise(), "no noise to draw"), (DiscreteLaplace(0), "adds nothing"),
     (DiscreteLaplace(), "missing")],
)  # fmt: skip
def test_other_noise_is_refused_alone_and_in_a_problem(noise: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        sample(noise)
    with pytest.raises(InputError, match=words):
        sample(small(noise=noise))


def test_a_result_is_a_line_data_and_a_table() -> None:
    result = sample(small(), 6)
    assert repr(result).startswith("<SampleResult: certified, noise ")
    assert repr(result).endswith(", ..., discrete-laplace scale 2>")
    assert result.to_dict()["draws"] == [str(draw) for draw in result.draws]
    assert [row["draw"] for row in result.to_rows()] == result.draws
    assert list(result.to_frame()["draw"]) == [float(draw) for draw in result.draws]
    assert "certified" in result._repr_html_()
    refuted = sample(small(noise=DiscreteLaplace("1/9")), uncertified=True)
    assert "refuted" in repr(refuted)
    nothing = planned(small()).done(Verdict.REFUTED)
    assert "nothing drawn" in repr(nothing)
    assert nothing.to_rows()[0]["draw"] is None


def test_a_certificate_is_about_a_file() -> None:
    with pytest.raises(InputError, match="expected the file's name"):
        sample(small(), certificate="c")


def test_values_are_those_that_a_compared_prior_covers() -> None:
    three = {"a": Discrete({0: 1}), "b": Discrete({1: 1}), "c": Discrete({5: 1})}
    asked = small(priors=three, pairs=[("a", "b")])
    assert len(sample(asked, value=1).draws) == 1
    with pytest.raises(InputError, match="mass 0"):
        sample(asked, value=5)
    beliefs = {"x": {"a": Discrete({0: 1}), "b": Discrete({1: 1})},
               "y": {"a": Discrete({2: 1}), "b": Discrete({1: 1})}}  # fmt: skip
    several = Problem(beliefs=beliefs, noise=DiscreteLaplace(2), epsilon=1)
    assert sample(several, value=2).drawn == "release"


def test_inputs_are_those_that_a_compared_prior_covers() -> None:
    table = {"kind": "randomized-response", "inputs": ["a", "b", "c"], "truth": "1/2"}
    channel = Channel.of(table)
    priors = {"p": Finite({"a": 1, "c": 0}), "q": Finite({"b": 1})}
    asked = Problem(priors, channel=channel, epsilon=1)
    assert sample(asked, value="b").draws[0] in "abc"
    with pytest.raises(InputError, match="value: it has mass 0 under every prior"):
        sample(asked, value="c")
    related = Protection("dp", inputs=channel.inputs, inputs_related=[["a", "c"]])
    alone = Problem(channel=channel, protection=related, epsilon=2)
    assert sample(alone, value="c").drawn == "output"
    with pytest.raises(InputError, match="value: it has mass 0"):
        sample(alone, value="b")


def test_with_any_rest_a_value_may_be_anything() -> None:
    """The others may add whatever they want, on no lattice at all."""
    user = {"yes": {"point": 1}, "no": {"point": 0}}
    known = System([{"bernoulli": "1/2", "count": 3}], user)
    noise = DiscreteLaplace(2)
    for system, value in ((known, 4), (known.for_any_rest(), "1000/3"),
                          (known.for_any_rest(), Fraction(1, 10**599))):  # fmt: skip
        asked = Problem(system=system, noise=noise, epsilon=1)
        (draw,) = sample(asked, value=value).draws
        assert isinstance(draw, Fraction)
        assert (draw - Fraction(value)).denominator == 1
    with pytest.raises(InputError, match="mass 0"):
        sample(Problem(system=known, noise=noise, epsilon=1), value=5)
    with pytest.raises(InputError, match="more than 600 digits"):
        sample(asked, value=Fraction(1, 10**700))


def test_a_draw_of_a_mean_is_on_its_lattice() -> None:
    asked = load_example("students-mean").on_lattice("1/649")
    result = sample(asked, 5)
    assert all((draw * 649).denominator == 1 for draw in result.draws)
    assert result.verdict is Verdict.CERTIFIED


@pytest.mark.parametrize("verdict", [v for v in Verdict if v is not Verdict.CERTIFIED])
def test_no_other_verdict_draws(verdict: Verdict) -> None:
    plan = planned(load_example("census").on_lattice(1))
    assert plan.done(verdict).draws == []
    assert len(plan.done(verdict, uncertified=True).draws) == 1

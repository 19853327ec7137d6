"""Ties that cancel as symbols, although epsilon or 1/scale is outside the linear class (F3)."""

import json

import pytest
from support.problems import limited, problem

from pfverify import certify
from pfverify.certificate.build import kernel_word

pytestmark = pytest.mark.usefixtures("kernel_here")

TIES = [
    (1, "log(2)", "1/log(2)"),
    (3, "3*log(2)", "1/log(2)"),
    (2, "2*log(4)", "1/(2*log(2))"),
    (1, "1/(log(2)*log(2))", "log(2)*log(2)"),
    (1, "1/(log(2)*log(6))", "log(2)*log(2)+log(3)*log(2)"),
    (5, "5*(1+log(2))", "1/(1+log(2))"),
    (1, "log(2)/log(3)", "log(3)/log(2)"),
    (1, "exp(1)*log(2)", "1/(log(2)*exp(1))"),
    (1, "(sqrt(3)+1)/2", "sqrt(3)-1"),
    (2, "1/sqrt(2)+1/2", "4*sqrt(2)-4"),
    (1, "1/(sqrt(6)+log(3))", "sqrt(2)*sqrt(3)+log(9)/2"),
]


def table(distance, scale, epsilon, delta="0"):
    prior = {str(k): "1/3" for k in range(3)}
    moved = {str(k + distance): "1/3" for k in range(3)}
    return {
        "schema": "pfverify/problem/1",
        "epsilon": epsilon,
        "delta": delta,
        "noise": {"kind": "laplace", "scale": scale},
        "priors": {
            "a": {"kind": "discrete", "mass": prior}, "b": {"kind": "discrete", "mass": moved}
        },
    }


@pytest.mark.parametrize(("distance", "scale", "epsilon"), TIES)
def test_an_identity_is_a_tie_and_the_kernel_sees_it(distance, scale, epsilon):
    third = "1/3"
    p = dict.fromkeys(range(3), third)
    q = {k + distance: third for k in range(3)}
    with limited(60):
        result = certify(problem(p, q, scale, epsilon))
        assert result.verdict == "certified"
        assert [pair.tie for pair in result.pairs] == [True, True]
        assert kernel_word(table(distance, scale, epsilon)) == "certified"
        near = f"{epsilon}-1/10^40".replace("10^40", "1e40")
        assert certify(problem(p, q, scale, near)).verdict == "refuted"
        assert kernel_word(table(distance, scale, near)) == "refuted"
        near = near.replace("-1/1e40", "+1/1e40")
        assert certify(problem(p, q, scale, near)).verdict == "certified"


def test_a_tie_of_delta_cancels_as_well():
    # point masses at distance 1, epsilon = 0: the divergence is 1 - exp(-1/(2 scale))
    delta = "1-exp(-1/(2*log(2)))"
    with limited(60):
        result = certify(problem({0: 1}, {1: 1}, "log(2)", 0, delta))
        assert result.verdict == "certified"
        assert [pair.tie for pair in result.pairs] == [True, True]
        data = table(1, "log(2)", "0", delta)
        data["priors"] = {
            name: {"kind": "discrete", "mass": {atom: 1}} for name, atom in (("a", "0"), ("b", "1"))
        }
        assert kernel_word(data) == "certified"


def test_what_only_looks_alike_is_refuted_or_certified_by_numbers():
    for epsilon, word in (("1/log(3)", "refuted"), ("1/log(19/10)", "certified")):
        data = table(1, "log(2)", epsilon)
        assert kernel_word(json.loads(json.dumps(data))) == word


def test_a_translated_normal_law_ties_as_a_symbol_too():
    data = table(1, "log(2)", "1/log(2)")
    data["priors"] = {
        name: {"kind": "gaussian", "mean": mean, "variance": 1}
        for name, mean in (("a", 0), ("b", 1))
    }
    with limited(60):
        assert kernel_word(data) == "certified"
        assert kernel_word(data | {"epsilon": "1/log(2)-1/1000"}) == "refuted"


@pytest.mark.parametrize("epsilon", ["log(2)*log(2)", "log(2)/log(3)", "1/(1+log(2))"])
def test_without_noise_a_delta_in_the_same_symbols_is_a_tie(epsilon):
    delta = f"3/4-exp({epsilon})/4"
    priors = {"a": {"0": "3/4", "1": "1/4"}, "b": {"0": "1/4", "1": "3/4"}}
    value = {
        "schema": "pfverify/problem/1",
        "epsilon": epsilon,
        "delta": delta,
        "noise": {"kind": "none"},
        "priors": {name: {"kind": "discrete", "mass": mass} for name, mass in priors.items()},
    }
    assert kernel_word(value) == "certified"
    assert kernel_word(value | {"delta": f"{delta}-1e-40"}) == "refuted"

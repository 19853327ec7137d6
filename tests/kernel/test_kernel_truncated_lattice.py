"""The kernel's reading of truncated discrete Laplace noise, and of geometric noise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder as kb
import pytest
from core.enclose import Arithmetic
from core.grammar import Malformed, canonical
from core.masses import enclose_mass, total_of
from mpmath import exp, mpf
from reader import noise as noises
from reader import truncated_lattice
from reader.listed import Listed, drawn
from reader.noise import SEVERAL, Noise
from reader.outputs import facts_of

Json = dict[str, Any]
NOISE = {"kind": "truncated-discrete-laplace", "scale": "1", "step": "1", "bound": "2"}
POINTS = {name: {"kind": "discrete", "mass": {x: "1"}} for name, x in (("a", "0"), ("b", "1"))}
ONE = Fraction(1)


def problem(epsilon: str, delta: str, **noise: Any) -> Json:
    stated = {key: value for key, value in {**NOISE, **noise}.items() if value is not None}
    return {"schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "noise": stated,
            "priors": POINTS}  # fmt: skip


def proof(value: Json, rule: str = "channel") -> Json:
    steps = [{"rule": rule, "belief": "default", "from": a, "to": b} for a, b in ("ab", "ba")]
    return kb.certificate(value, "certified", steps)


def said(value: Json, rule: str = "channel") -> str:
    return kb.run(value, proof(value, rule))[0]


def test_the_mass_that_one_law_alone_reaches() -> None:
    exact = "exp(-2)*(1-exp(-1))/(1+exp(-1)-2*exp(-3))"
    assert said(problem("1", exact)) == "certified"
    assert said(problem("1", f"{exact} - 1e-30")) == "rejected"
    assert said(problem("1", exact, bound="1")) == "rejected"
    assert said(problem("1", exact, bound="3")) == "certified"
    assert said(problem("1", exact, scale="11/10")) == "rejected"


@pytest.mark.parametrize("scale", ["1", "2/3", "1/log(3)", "sqrt(2)"])
@pytest.mark.parametrize(("step", "bound"), [("1", "3"), ("1/2", "1/2"), ("3", "6")])
def test_masses_are_in_proportion_and_sum_to_1(scale: str, step: str, bound: str) -> None:
    found = truncated_lattice.noise(
        {"noise": {**NOISE, "scale": scale, "step": step, "bound": bound}}
    )
    table = dict(drawn(found, ONE))
    h, last = Fraction(step), Fraction(bound)
    assert list(table) == [k * h for k in range(-int(last / h), int(last / h) + 1)]
    low, high, e = enclose_mass(total_of((m, ONE) for m in table.values()), Arithmetic(128))
    assert low * Fraction(2) ** e <= 1 <= high * Fraction(2) ** e
    t = exp(-mpf(h.numerator) / h.denominator / kb.real(scale))
    first = enclose_mass(table[Fraction(0)], Arithmetic(128))
    for n, m in table.items():
        expected = t ** (abs(n) / h) * first[0] * mpf(2) ** first[2]
        value = enclose_mass(m, Arithmetic(128))
        assert abs(value[0] * mpf(2) ** value[2] - expected) < mpf(10) ** -30


def test_the_law_of_y_is_a_sum_over_atoms() -> None:
    found = truncated_lattice.noise({"noise": {**NOISE, "scale": "1/log(2)"}})
    law = found.convolved({Fraction(0): Fraction(1, 3), Fraction(3): Fraction(2, 3)})
    assert law == {
        Fraction(k): Fraction(x, 30) for k, x in
        {-2: 1, -1: 2, 0: 4, 1: 2 + 2, 2: 1 + 4, 3: 8, 4: 4, 5: 2}.items()
    }  # fmt: skip
    apart = found.convolved({Fraction(-9): Fraction(1)})
    assert [*apart] == [Fraction(k) for k in range(-11, -6)]
    with pytest.raises(Malformed, match="needs priors of atoms"):
        found.convolved(None)


def test_most_masses_of_a_law() -> None:
    found = truncated_lattice.noise({"noise": {**NOISE, "bound": "499"}})
    atoms = {Fraction(1000 * k): Fraction(1, 1002) for k in range(1002)}  # 999 masses each
    with pytest.raises(Malformed, match="of so many atoms"):
        found.convolved(atoms)


@pytest.mark.parametrize("other", [{"bound": "3"}, {"scale": "2"}, {"step": "1/2"}])
def test_a_certificate_of_another_noise(other: Json) -> None:
    value = problem("1", "1/2")
    word, message = kb.run(problem("1", "1/2", **other), proof(value))
    assert word == "rejected"
    assert "another problem" in message


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        ({"bound": "0"}, "a multiple"),
        ({"bound": "-2"}, "a multiple"),
        ({"bound": "-2", "step": "-1"}, "must be positive"),
        ({"bound": "5/2"}, "a multiple"),
        ({"step": "0"}, "must be positive"),
        ({"bound": "-1/2", "step": "-1/2"}, "must be positive"),
        ({"step": "3/2"}, "a multiple"),
        ({"bound": "exp(1)"}, "must be rational"),
        ({"bound": None}, "bound"),
        ({"step": None}, "step"),
        ({"scale": "-1"}, ""),
        ({"variance": "1"}, "variance"),
        ({"bound": "1000000"}, "too many perturbations"),
        ({"bound": "400000"}, ""),
    ],
)
def test_what_states_no_such_noise(noise: Json, message: str) -> None:
    value = problem("1", "1/2", **noise)
    try:
        word, found = kb.run(value, proof(problem("1", "1/2")) | {"problem": kb.digest(value)})
    except Malformed as reason:
        word, found = "malformed", str(reason)
    assert word in ("malformed", "rejected")
    assert message in found


def test_atoms_lie_on_one_lattice() -> None:
    value = problem("1", "1/2")
    value["priors"] = {**POINTS, "b": {"kind": "discrete", "mass": {"1/2": "1"}}}
    with pytest.raises(Malformed, match="multiples of the step"):
        kb.digest(value)


def test_there_is_no_other_scale() -> None:
    found = truncated_lattice.noise({"noise": NOISE})
    assert found.at(found.amount) is found
    assert found.made_of_x
    for other in (None, Fraction(2), Fraction(0)):
        with pytest.raises(Malformed, match="its own scale"):
            found.at(other)
    unscaled = {key: NOISE[key] for key in ("kind", "step", "bound")}
    without = truncated_lattice.noise({"noise": unscaled})
    with pytest.raises(Malformed, match="its own scale"):
        without.at(None)


def test_scale_0_publishes_x_itself() -> None:
    assert said(problem("1", "1", scale="0"), "no-noise") == "certified"
    assert said(problem("1", "1", scale="0"), "channel") == "rejected"
    assert said(problem("1", "0.999", scale="0"), "no-noise") == "rejected"


@pytest.mark.parametrize("rule", ["no-noise", "kept", "pure", "channel"])
def test_one_rule_proves_it(rule: str) -> None:
    value = problem("1", "1/2")
    more = {"bits": 128, "ties": []} if rule == "pure" else {}
    steps = [
        {"rule": rule, "belief": "default", "from": a, "to": b, **more} for a, b in ("ab", "ba")
    ]
    word, _ = kb.run(value, kb.certificate(value, "certified", steps))
    expected = {"channel": "certified", "no-noise": "malformed"}  # with an amount of noise
    assert word == expected.get(rule, "rejected")


def test_steps_after_it_have_masses() -> None:
    value = problem("1", "1/3") | {"post": [{"clamp": ["-1", "2"]}]}
    assert said(value) == "certified"
    assert said(value | {"delta": "1/50"}) == "rejected"
    found = noises.release({"noise": NOISE})
    assert facts_of(found, [], single=False) == {"F80"}


def test_noise_without_its_masses() -> None:
    for noise in (Noise("table", None, None), Listed("table", None, None)):
        with pytest.raises(Malformed, match="without its masses"):
            drawn(noise, ONE)
    with pytest.raises(Malformed, match="without its masses"):
        Listed("table", None, None).convolved({})


# ------------------------------------------------------------------------------- geometric


@pytest.mark.parametrize(
    ("noise", "kind", "scale", "step", "bound"),
    [
        ({"p": "1/2"}, "discrete-laplace", "(1/log(2))", "1", None),
        ({"p": "1/3", "step": "1/2"}, "discrete-laplace", "((1/2)/log(3/2))", "1/2", None),
        ({"p": "1/2", "bound": "3"}, "truncated-discrete-laplace", "(1/log(2))", "1", "3"),
        ({"bound": "3"}, "truncated-discrete-laplace", None, "1", "3"),
        ({}, "discrete-laplace", None, "1", None),
    ],
)
def test_geometric_noise_is_discrete_laplace_noise(
    noise: Json, kind: str, scale: str | None, step: str, bound: str | None
) -> None:
    found = noises.release({"noise": {"kind": "geometric", **noise}})
    texts = [None if x is None else canonical(x) for x in (found.amount, found.step, found.bound)]
    assert (found.kind, *texts) == (kind, scale, step, bound)


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        ({"p": "1"}, "between 0 and 1"), ({"p": "0"}, "between 0 and 1"),
        ({"p": "-1/2"}, "between 0 and 1"), ({"p": "log(2)"}, "must be rational"),
        ({"p": "1/2", "scale": "1"}, "scale"), ({"scale": "1"}, "scale"),
        ({"p": "1/2", "scale": ["1", "2"]}, "scale"), ({"p": "1/2", "variance": "1"}, "variance"),
        ({"p": "1/2", "step": "0"}, "must be positive"),
        ({"p": "1/2", "bound": "1/2"}, "a multiple"),
        ({"p": "1/2", "scales": ["1"]}, "in place of"), ({"weights": {"0": "1"}}, "weights"),
    ],
)
def test_what_states_no_geometric_noise(noise: Json, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        noises.release({"noise": {"kind": "geometric", **noise}})


def test_keys_of_several_releases_stay() -> None:
    several = noises.release({"noise": {"kind": "geometric", "p": "1/2", "releases": 2}})
    assert several.size == 2
    assert {"releases", "scales", "draws", "total"} == SEVERAL

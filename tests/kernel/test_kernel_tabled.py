"""The kernel's own reading of noise tables, and what it works out from them."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from core.grammar import Malformed
from core.kinds import Enclosed
from core.work import TooMuchWork, checking
from reader import tabled
from reader.files import canonical_json

import checker  # isort: skip

CELL = {"-1": "1/4", "0": "1/2", "1": "1/4"}
POINTS = {x: {"kind": "discrete", "mass": {x: "1"}} for x in ("0", "1")}


def stated(noise: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "schema": "pfverify/problem/1", "epsilon": "1", "delta": "1/4", "priors": POINTS,
        "noise": {"kind": "table", **noise}, **more,
    }  # fmt: skip


def answer(problem: dict[str, Any], result: str, steps: list[dict[str, Any]]) -> tuple[str, str]:
    """The kernel's answer to steps about a problem, with the digest that it works out itself."""
    from reader import reader

    certificate = {
        "schema": "pfverify/certificate/1", "produced_by": {}, "result": result, "steps": steps,
        "problem": reader.digest(reader.problem_of(problem)),
    }  # fmt: skip
    data = json.dumps(problem).encode()
    return checker.check_bytes(data, True, canonical_json(certificate))


def both(rule: str = "no-noise") -> list[dict[str, Any]]:
    return [{"rule": rule, "belief": "default", "from": a, "to": b} for a, b in ("01", "10")]


BY = {"by": {"0": {"0": "1"}}, "larger": CELL}


@pytest.mark.parametrize(
    ("noise", "delta", "word"),
    [
        ({"weights": CELL}, "1/4", "certified"),
        ({"weights": CELL}, "0.2499", "rejected"),
        (BY, "3/4", "certified"),
        (BY, "0.7499", "rejected"),
        ({"by": {"0": {"0": "1"}, "1": {"-1": "1"}}}, "0", "certified"),  # both publish 0
    ],
)
def test_what_is_certified(noise: dict[str, Any], delta: str, word: str) -> None:
    found, message = answer(stated(noise, delta=delta), "certified", both())
    assert found == word, message
    if word == "certified":
        assert "by the law of X with the noise of the table, exactly" in message
        assert "exact draws from the noise table, independent cell keys" in message
        assert "no noise" not in message


def test_what_is_refuted() -> None:
    step = {"belief": "default", "from": "1", "to": "0", "bits": 64, "margin": "0.1"}
    event = step | {"rule": "event-refuted", "event": [["1", "2"]]}
    for noise, word in ((BY, "refuted"), ({"weights": CELL}, "rejected")):
        found, message = answer(stated(noise), "refuted", [event])
        assert found == word, message
    pure = step | {"rule": "pure-refuted", "y": "2"}
    for y, word in (("2", "refuted"), ("0", "rejected"), ("7", "rejected")):
        problem = stated({"weights": CELL}, delta="0")
        assert answer(problem, "refuted", [pure | {"y": y}])[0] == word


@pytest.mark.parametrize("rule", ["pure", "equal", "channel", "delta-upper"])
def test_rules_of_other_noise_prove_nothing(rule: str) -> None:
    word, _ = answer(stated({"weights": CELL}), "certified", both(rule))
    assert word in ("rejected", "malformed")


@pytest.mark.parametrize(
    ("noise", "more", "said"),
    [
        ({}, {}, "either weights or by"),
        ({"weights": CELL, "by": {"0": CELL}}, {}, "either weights or by"),
        ({"weights": CELL, "larger": CELL}, {}, "either weights or by"),
        ({"weights": CELL, "scale": "1"}, {}, "not supported"),
        ({"weights": {"0": "1/2"}}, {}, "the weights sum to"),
        ({"weights": {"0": "3/2", "1": "-1/2"}}, {}, "a negative weight"),
        ({"weights": {"0": "1/2", "0.0": "1/2"}}, {}, "occurs twice"),
        ({"weights": {}}, {}, "sum to"),
        ({"weights": []}, {}, "must be tables"),
        ({"by": {}}, {}, "at least one value of X"),
        ({"by": {"0": CELL, "0.0": CELL}}, {}, "two tables for X"),
        ({"by": {"exp(1)": CELL}}, {}, "must be rational"),
        ({"by": {"0": CELL}}, {}, "no table for X"),
        ({"by": {"1": CELL}, "larger": CELL}, {}, "no table for X"),
        ({"weights": CELL}, {"priors": {
            "0": POINTS["0"], "1": {"kind": "gaussian", "mean": "0", "variance": "1"}}},
         "needs priors of atoms"),
        ({"by": {"0": CELL, "1": CELL, "2": CELL}}, {"priors": None, "system": {
            "rest": "any", "user": {"a": {"point": "0"}, "b": {"point": "1"}}}},
         "does not depend on X"),
    ],
)  # fmt: skip
def test_what_is_malformed(noise: dict[str, Any], more: dict[str, Any], said: str) -> None:
    problem = {key: value for key, value in stated(noise, **more).items() if value is not None}
    try:
        word, message = answer(problem, "certified", both())
    except Malformed as reason:
        word, message = "malformed", str(reason)
    assert (word, said in message) == ("malformed", True), message


VECTORS = {
    "0": {"kind": "joint", "names": ["x", "y"], "rows": [["0", "0", "1"]]},
    "1": {"kind": "joint", "names": ["x", "y"], "rows": [["1", "0", "1/2"], ["1", "1", "1/2"]]},
}


@pytest.mark.parametrize(("delta", "word"), [("0.3614", "certified"), ("0.3613", "rejected")])
def test_every_cell_has_noise_of_its_own(delta: str, word: str) -> None:
    found, message = answer(stated({"weights": CELL}, delta=delta, priors=VECTORS), "certified",
                            both())  # fmt: skip
    assert found == word, message
    assert word != "certified" or "by the law of X with the noise of the table" in message


@pytest.mark.parametrize(("margin", "word"), [
    ("0.04", "refuted"), ("0.5", "rejected"), ("0", "rejected"),
])  # fmt: skip
def test_a_set_of_points_refutes(margin: str, word: str) -> None:
    """P(x = 2) is 1/4, and Q(x = 2) is 0."""
    outputs = [f"(2, {y})" for y in (-1, 0, 1, 2)]
    step = {"rule": "outputs-refuted", "belief": "default", "from": "1", "to": "0", "bits": 64,
            "margin": margin, "outputs": outputs}  # fmt: skip
    problem = stated({"weights": CELL}, delta="1/5", priors=VECTORS)
    assert answer(problem, "refuted", [step])[0] == word
    for other in (["(7, 7)"], [*outputs, outputs[0]], []):
        assert answer(problem, "refuted", [step | {"outputs": other}])[0] != "refuted"


def test_the_laws_of_several_cells_are_products() -> None:
    from core.coordinates import Joint

    noise = tabled.noise({"noise": {"kind": "table", "by": {"0": {"0": "1"}, "1": CELL}}})
    nil, one, half, quarter = Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 4)
    law = Joint(("x", "y"), (((nil, one), half), ((one, nil), half)))
    found = noise.convolved(law)
    wanted = {(0, 0): 2 * quarter * half, (0, 1): half * half, (0, 2): quarter * half,
              (1, 0): half * half, (2, 0): quarter * half}  # fmt: skip
    assert (found.names, dict(found.rows)) == (("x", "y"), wanted)
    far = law._replace(rows=(((Fraction(0), Fraction(5)), Fraction(1)),))
    with pytest.raises(Malformed, match="no table for X"):
        noise.convolved(far)
    many = Joint(("x",) * 40, (((Fraction(1),) * 40, Fraction(1)),))
    with checking(100), pytest.raises(TooMuchWork):
        noise.convolved(many)


def test_the_law_is_the_convolution() -> None:
    rng = Random("tabled")
    for _ in range(100):
        law, weights = (
            {Fraction(rng.randint(-6, 6), rng.choice([1, 2, 3])): rng.randint(1, 9) for _ in "abc"}
            for _ in "ab"
        )
        p = {x: Fraction(m, sum(law.values())) for x, m in sorted(law.items())}
        w = {n: Fraction(m, sum(weights.values())) for n, m in sorted(weights.items())}
        noise = tabled.Tabled({}, w)
        found = noise.convolved(p)
        sums = {x + n for x in p for n in w}
        assert found == {y: sum(p[x] * w.get(y - x, 0) for x in p) for y in sums}
        assert list(found) == sorted(sums)
        assert sum(found.values()) == 1
        half = {x: m / 2 for x, m in p.items()}
        bounds = noise.laws({"b": {"s": Enclosed(half, p)}}, [])["b"]["s"]
        assert bounds == Enclosed({y: m / 2 for y, m in found.items()}, found)


def test_a_small_file_asks_for_no_long_work() -> None:
    """A long law and a long table have the product of both as terms: each is charged."""
    noise = tabled.Tabled({}, {Fraction(k, 7): Fraction(1, 3000) for k in range(3000)})
    law = {Fraction(k): Fraction(1, 3000) for k in range(3000)}
    with checking(0) as check:
        with pytest.raises(TooMuchWork):
            noise.convolved(law)
        assert check.spent > 128


def test_steps_take_a_table_and_no_other_noise_without_an_amount() -> None:
    post = [{"threshold": {"at": "1"}}]
    problem = stated({"weights": CELL}, post=post)
    assert answer(problem, "certified", both("channel"))[0] == "certified"
    lacking = stated({}, post=post) | {"noise": {"kind": "laplace"}}
    with pytest.raises(Malformed, match="no scale"):
        answer(lacking, "certified", both("channel"))
    with pytest.raises(Malformed, match="no table for X"):
        answer(stated({"by": {"0": CELL}}, post=post), "certified", both("channel"))

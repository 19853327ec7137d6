"""OpenDP: its own maps, closed forms, brute force over inputs, and certificates."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import erfc, exp, inf, log, nextafter, sqrt
from typing import Any

import opendp.prelude as dp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opendp import mod
from support.kernel_run import accepted_certificate, kernel_said

from pfverify import InputError, certify, loss
from pfverify.bridges.opendp import map_verdict, problem_of
from pfverify.decide.verdict import Verdict
from pfverify.model.digest import problem_digest
from pfverify.model.problem import Problem

dp.enable_features("contrib", "honest-but-curious")

FLOAT = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
F = Fraction


def records(size: int | None = None, kind: Any = int) -> Any:
    atoms = dp.atom_domain(T=float, nan=False) if kind is float else dp.atom_domain(T=kind)
    return dp.vector_domain(atoms, size=size), dp.symmetric_distance()


def summed(low: float, high: float, noise: Any, size: int | None = None) -> Any:
    space = records(size, type(low))
    return space >> dp.t.then_clamp((low, high)) >> dp.t.then_sum() >> noise


CLAMPED = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.5), nan=False), size=10), records()[1]


def averaged(noise: Any) -> Any:
    return records(10, float) >> dp.t.then_clamp((0.0, 1.5)) >> dp.t.then_mean() >> noise


def counted(noise: Any) -> Any:
    return records() >> dp.t.then_count() >> noise


def laplace(scale: float, **more: Any) -> Any:
    return dp.m.then_laplace(scale=scale, **more)


def clamped(scale: float, low: int, high: int) -> Any:
    return dp.m.then_geometric(scale=scale, bounds=(low, high))


# name -> the measurement, the distance of inputs, and the least epsilon for delta = 0
PURE: dict[str, tuple[Callable[[], Any], float, Fraction | float]] = {
    "laplace": (lambda: dp.m.make_laplace(*FLOAT, scale=0.7), 1.5, F(1.5) / F(0.7)),
    "discrete laplace": (lambda: dp.m.make_laplace(*INT, scale=0.7), 3, 3 / F(0.7)),
    "noise": (lambda: dp.m.make_noise(*FLOAT, dp.max_divergence(), scale=0.3), 0.1,
              F(0.1) / F(0.3)),
    "k, a multiple": (lambda: dp.m.make_laplace(*FLOAT, scale=0.7, k=-3), 1.0, 1 / F(0.7)),
    "k, no multiple": (lambda: dp.m.make_laplace(*FLOAT, scale=0.7, k=-3), 1.01,
                       F(9, 8) / F(0.7)),
    "k, the least": (lambda: dp.m.make_laplace(*FLOAT, scale=0.7, k=-1074), 1.01,
                     F(1.01) / F(0.7)),
    "k, very fine": (lambda: dp.m.make_laplace(*FLOAT, scale=0.7, k=-1000), 1.0, 1 / F(0.7)),
    "geometric": (lambda: dp.m.make_geometric(*INT, scale=1.3), 2, 2 / F(1.3)),
    "clamped": (lambda: dp.m.make_geometric(*INT, scale=1.3, bounds=(2, 9)), 3, 3 / F(1.3)),
    "clamped near": (lambda: dp.m.make_geometric(*INT, scale=1.3, bounds=(2, 9)), 30, 7 / F(1.3)),
    "bounded domain": (
        lambda: dp.m.make_laplace(dp.atom_domain(bounds=(0, 5)), dp.absolute_distance(T=int),
                                  scale=1.3), 30, 5 / F(1.3)),
    "response of two": (lambda: dp.m.make_randomized_response_bool(0.7), 1, log(0.7 / 0.3)),
    "response of three": (lambda: dp.m.make_randomized_response(["a", "b", "c"], 0.6), 1, log(3)),
    "count": (lambda: counted(laplace(1.3)), 3, 3 / F(1.3)),
    "sum": (lambda: summed(-3, 2, laplace(1.3)), 2, 6 / F(1.3)),
    "sum of floats": (lambda: summed(-0.5, 2.5, laplace(1.3)), 2, 5 / F(1.3)),
    "sum of so many": (lambda: summed(-3, 2, laplace(1.3), size=10), 5, 10 / F(1.3)),
    "sum of few": (lambda: summed(-3, 2, laplace(1.3), size=2), 50, 10 / F(1.3)),
    "clamped sum": (lambda: summed(0, 5, clamped(1.3, 0, 100)), 3, 15 / F(1.3)),
    "mean": (lambda: averaged(laplace(0.5)), 4, F(3, 5)),
    "mean and sum": (
        lambda: records(10, float) >> dp.t.then_clamp((0.0, 1.5)) >> dp.c.make_composition([
            dp.t.make_mean(*CLAMPED) >> laplace(0.5), dp.t.make_sum(*CLAMPED) >> laplace(10.0),
        ]), 2, F(3, 10) + F(3, 20)),
    "clamped twice": (
        lambda: records() >> dp.t.then_clamp((-9, 2)) >> dp.t.then_clamp((-1, 20))
        >> dp.t.then_sum() >> laplace(1.0), 2, F(4)),
    "composition": (
        lambda: dp.c.make_composition([summed(0, 10, laplace(10.0)), counted(laplace(2.0))]), 2,
        F(3)),
    "composition inside": (
        lambda: records() >> dp.t.then_count()
        >> dp.c.make_composition([dp.m.make_laplace(*INT, scale=4.0)] * 3), 2, F(3, 2)),
    "composed responses": (
        lambda: dp.c.make_composition([dp.m.make_randomized_response_bool(p) for p in (0.7, 0.6)]),
        1, log(0.7 / 0.3) + log(1.5)),
    "approximate": (lambda: dp.c.make_approximate(dp.m.make_laplace(*FLOAT, scale=2.0)), 1.0,
                    F(1, 2)),
}  # fmt: skip




def accepted(problem: Problem) -> str:
    """The verdict on a problem, whose certificate the kernel accepts."""
    result = certify(problem)
    _, word, said = accepted_certificate(problem.to_table(), problem, result)
    assert word == result.verdict, said
    return word


@pytest.mark.parametrize("name", PURE)
def test_a_map_is_certified_and_what_is_less_than_the_truth_refuted(name: str) -> None:
    make, d_in, least = PURE[name]
    measurement = make()
    found = map_verdict(measurement, d_in)
    assert found.verdict == "certified"
    assert found.problem is not None
    assert accepted(found.problem) == "certified"
    text = mod.serialize(measurement)
    smaller = F(least) * F(999_999, 1_000_000)
    assert accepted(problem_of(text, d_in=d_in, epsilon=smaller)) == "refuted"
    if isinstance(least, Fraction):  # a tie
        assert accepted(problem_of(measurement, d_in=d_in, epsilon=least)) == "certified"
    ends = loss(problem_of(json.loads(text), d_in=d_in, epsilon=0)).epsilon_star
    assert ends.lower <= F(least) * (1 + F(1, 10**12))
    assert ends.upper >= F(least) * (1 - F(1, 10**12))
    assert ends.upper - ends.lower < ends.upper / 10**9


def gaussian(scale: float) -> Any:
    return dp.m.then_gaussian(scale=scale)


WITH_DELTA: dict[str, tuple[Callable[[], Any], float]] = {
    "gaussian": (lambda: dp.m.make_gaussian(*FLOAT, scale=1.5), 1.0),
    "discrete gaussian": (lambda: dp.m.make_gaussian(*INT, scale=1.5), 2),
    "k": (lambda: dp.m.make_gaussian(*FLOAT, scale=1.5, k=-1), 0.75),
    "noise": (lambda: dp.m.make_noise(*INT, dp.zero_concentrated_divergence(), scale=1.5), 1),
    "sum": (lambda: summed(-3, 2, gaussian(4.0)), 2),
    "composition": (
        lambda: dp.c.make_composition([summed(-3, 2, gaussian(4.0)), counted(gaussian(2.0))]), 1),
    "curve": (lambda: dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*INT, scale=1.5)), 1),
    "pure": (lambda: dp.c.make_pureDP_to_zCDP(dp.m.make_laplace(*INT, scale=1.5)), 1),
}  # fmt: skip


@pytest.mark.parametrize("name", WITH_DELTA)
def test_maps_of_other_measures_are_held_at_a_delta(name: str) -> None:
    make, d_in = WITH_DELTA[name]
    measurement, delta = make(), 1e-5
    found = map_verdict(measurement, d_in, delta=delta)
    assert found.verdict == "certified"
    assert found.problem is not None
    assert accepted(found.problem) == "certified"
    asked = problem_of(measurement, d_in=d_in, epsilon=0, delta=F(delta))
    least = loss(asked).epsilon_at_delta
    assert least is not None
    assert least.upper <= found.problem.epsilon.fraction
    below = asked.replaced(epsilon=least.lower * F(999, 1000))
    assert accepted(below) == "refuted"
    with pytest.raises(InputError, match="needs a delta, expected delta="):
        map_verdict(measurement, d_in)


def test_a_gaussian_loss_is_its_closed_form() -> None:
    def below(x: float) -> float:
        return erfc(-x / sqrt(2)) / 2

    problem = problem_of(
        dp.m.make_gaussian(*FLOAT, scale=1.5), d_in=2.0, epsilon="1/2", delta="1/9"
    )
    move = 2 / 1.5
    delta = below(move / 2 - 0.5 / move) - exp(0.5) * below(-move / 2 - 0.5 / move)
    assert float(loss(problem).delta.lower) == pytest.approx(delta, rel=1e-9)


def test_a_wrong_map_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    measurement = counted(laplace(2.0))
    monkeypatch.setattr(mod.Measurement, "map", lambda self, d_in: d_in / 2 * 0.999)
    found = map_verdict(measurement, 3)
    assert found.verdict == "refuted"
    assert found.problem is not None
    assert accepted(found.problem) == "refuted"
    monkeypatch.setattr(mod.Measurement, "map", lambda self, d_in: inf)
    with pytest.raises(InputError, match="says inf"):
        map_verdict(measurement, 3)
    monkeypatch.setattr(mod.Measurement, "map", lambda self, d_in: "much")
    with pytest.raises(InputError, match="the map's epsilon: much"):
        map_verdict(measurement, 3)


def test_a_wrong_map_of_a_delta_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    measurement = dp.m.make_gaussian(*INT, scale=2.0)
    monkeypatch.setattr(mod.Measurement, "map", lambda self, d_in: (1.5, 1e-6))
    assert map_verdict(measurement, 1, delta=1e-6).verdict == "refuted"


def test_a_claim_of_another_problem_is_no_certificate() -> None:
    """With the numbers of one measurement the kernel refuses what is proved of another."""
    text = mod.serialize(counted(clamped(2.0, 0, 50)))
    problem = problem_of(text, d_in=4, epsilon=2)
    proof, word, _ = accepted_certificate(problem.to_table(), problem, certify(problem))
    assert word == "certified"
    smaller = problem_of(text.replace('"scale": 2.0', '"scale": 1.75'), d_in=4, epsilon=2)
    assert smaller != problem
    word, _ = kernel_said(smaller, Verdict.CERTIFIED, proof["steps"])
    assert word != "certified"


# ---------------------------------------------------------------- which pair is the hardest one


@given(
    st.integers(-3, 3), st.integers(0, 4), st.integers(1, 3),
    st.one_of(st.none(), st.integers(0, 3)),
)  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_sums_move_as_far_as_any_data(low: int, width: int, d_in: int, size: int | None) -> None:
    high = low + width
    sizes = range(4) if size is None else [size]
    data = [one for n in sizes for one in combinations_with_replacement(range(low, high + 1), n)]
    far = max(
        abs(sum(a) - sum(b)) for a, b in product(data, repeat=2)
        if (Counter(a) - Counter(b)).total() + (Counter(b) - Counter(a)).total() <= d_in
    )  # fmt: skip
    text = mod.serialize(summed(low, high, laplace(1.0), size))
    if not far:
        with pytest.raises(InputError, match="nothing to decide"):
            problem_of(text, d_in=d_in, epsilon=1)
        return
    laws = problem_of(text, d_in=d_in, epsilon=1).to_table()["priors"]
    (with_, without) = (F(*map(int, law["mass"])) for law in laws.values())
    assert abs(with_ - without) == far


@given(st.integers(1, 12), st.sampled_from([0.5, 1.0, 3.0]), st.sampled_from([0.0, 0.25, 1.0]))
@settings(max_examples=25, deadline=None)
def test_clamped_noise_is_told_apart_as_far_as_any_inputs(
    d_in: int, scale: float, epsilon: float
) -> None:
    low, high = -1, 3

    @cache
    def law(x: int) -> dict[int, float]:
        t, found = exp(-1 / scale), Counter[int]()
        for z in range(-200, 201):
            found[min(max(x + z, low), high)] += (1 - t) / (1 + t) * t ** abs(z)
        return found

    def delta(p: dict[int, float], q: dict[int, float]) -> float:
        return sum(max(p[y] - exp(epsilon) * q[y], 0.0) for y in range(low, high + 1))

    inputs = range(low - 13, high + 14)
    most = max(
        delta(law(min(max(a, low), high)), law(min(max(b, low), high)))
        for a, b in product(inputs, repeat=2) if abs(a - b) <= d_in
    )  # fmt: skip
    measurement = dp.m.make_geometric(*INT, scale=scale, bounds=(low, high))
    found = loss(problem_of(measurement, d_in=d_in, epsilon=F(epsilon), delta="1/9")).delta
    assert float(found.lower) == pytest.approx(most, rel=1e-9, abs=1e-12)


@given(st.integers(0, 5), st.integers(1, 200))
@settings(max_examples=25, deadline=None)
def test_rounded_floats_are_as_far_apart_as_any(power: int, d_in: int) -> None:
    """OpenDP's own rounding: at a small scale it publishes the multiple of 2**k alone."""
    k, far = power - 3, d_in / 32
    step = 2.0**k
    rounded = dp.m.make_laplace(*FLOAT, scale=1e-3 * step, k=k)
    ties = [(n - 0.5) * step for n in range(int(far / step) + 3)]
    places = [0.0, far, *ties, *(nextafter(x, -inf) for x in ties)]
    images = [(x, rounded(x)) for x in places]
    most = max(v - u for (x, u), (y, v) in product(images, repeat=2) if 0 <= F(y) - F(x) <= far)
    text = mod.serialize(dp.m.make_laplace(*FLOAT, scale=1.0, k=k))
    epsilon = loss(problem_of(text, d_in=far, epsilon=0)).epsilon_star
    assert float(epsilon.upper) == pytest.approx(most, rel=1e-9)


# ---------------------------------------------------------------- what is refused


def changed(measurement: Any, old: str, new: str) -> str:
    text = str(mod.serialize(measurement))
    assert old in text
    return text.replace(old, new)


NUMBER = dp.m.make_laplace(*FLOAT, scale=2.0)
GRID = dp.m.make_laplace(*FLOAT, scale=2.0, k=-2)
VECTOR = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=3)
MAXIMUM = dp.m.make_noisy_max(
    VECTOR, dp.linf_distance(T=float), dp.max_divergence(), scale=2.0
)
COUNT = counted(laplace(2.0))
REFUSED: list[tuple[Any, Any, str]] = [
    (dp.m.make_laplace(VECTOR, dp.l1_distance(T=float), scale=2.0), 1.0, "l1_distance: this"),
    (dp.c.make_composition([MAXIMUM] * 2), 1.0,
     "make_noisy_max: this measurement is not known: known where it is not part of another"),
    (dp.m.make_user_measurement(*FLOAT, dp.max_divergence(), lambda x: x, lambda d: d), 1.0,
     "OpenDP serializes none"),
    (records(10, float) >> dp.t.then_clamp((0.0, 1.0)) >> dp.t.then_variance() >> laplace(1.0), 2,
     "make_variance: this transformation is not known"),
    (changed(averaged(laplace(1.0)), '"size": 10', '"size": 0'), 2, "make_mean: expected floats"),
    (changed(averaged(laplace(1.0)), '"size": 10', '"size": null'), 2, "a known number of records"),
    (changed(summed(0, 2, laplace(1.0), 3), "make_sum", "make_mean"), 2, "expected floats, and a"),
    (dp.c.make_composition([summed(-3, 2, laplace(1.0)), summed(0, 9, laplace(1.0))]), 1,
     "no pair of inputs is known that is the hardest"),
    (dp.c.make_composition([NUMBER, GRID]), 1.1, "no pair of inputs is known"),
    (summed(0, 5, clamped(1.0, 0, 20)), 5, "not known which data"),
    (summed(0.0, 5.0, laplace(1.0, k=-3)), 1, "k: known where the number itself"),
    (changed(GRID, '"0.16.0"', '"0.13.0"') if mod.__version__ == "0.16.0" else "{}", 1.0,
     "as of OpenDP 0.14|no constructor"),
    (changed(GRID, '"k": -2', '"k": true'), 1.0, "k: True is no whole number"),
    (changed(GRID, '"k": -2', '"k": -2000'), 1.0, "k: -2000 is no whole number from -1074"),
    (changed(GRID, '"k": -2', '"k": 1000'), 1e-30, "k: it is not known which floats"),
    (changed(NUMBER, '"scale": 2.0', '"scale": -2.0'), 1.0, "scale: -2 is not > 0"),
    (changed(NUMBER, '"scale": 2.0', '"scale": NaN'), 1.0, "NaN is no finite number"),
    (changed(NUMBER, '"scale": 2.0', '"scale": 1e999'), 1.0, "no finite number"),
    (changed(NUMBER, '"scale": 2.0', '"scale": true'), 1.0, "scale: True is no number"),
    (changed(NUMBER, '"scale": 2.0', '"scale": "2"'), 1.0, "scale: 2 is no number"),
    (changed(NUMBER, '"scale": 2.0', f'"scale": {10**400}'), 1.0, "is no f64"),
    (changed(NUMBER, '"k": null', '"k": null, "bias": 1'), 1.0, "option 'bias' is not known"),
    (changed(NUMBER, '"scale": 2.0, ', ""), 1.0, "option 'scale' is missing"),
    (changed(NUMBER, '"MaxDivergence"', '"Renyi"'), 1.0, "MO: Renyi is not known"),
    (changed(NUMBER, '"nan": false', '"nan": null'), 1.0, "floats that may be nan"),
    (changed(NUMBER, '"T": "f64"', '"T": "f16"'), 1.0, "f16 is no type of numbers"),
    (changed(NUMBER, '"make_laplace"', '"make_lapalce"'), 1.0, "make_lapalce: this measurement"),
    (changed(NUMBER, '"measurements"', '"os"'), 1.0, "this measurement is not known"),
    (changed(COUNT, '"symmetric_distance"', '"change_one_distance"'), 1, "change_one_distance"),
    (changed(COUNT, '"TO": "i32"', '"TO": "i8"'), 200, "by 200, out of i8"),
    (COUNT, 1.5, "d_in: 1.5 is no whole number"),
    (COUNT, -1, "d_in: -1 is negative"),
    (COUNT, 2**40, "out of i32"),
    (COUNT, 0, "nothing tells inputs apart"),
    (NUMBER, True, "d_in: True is no number"),
    (NUMBER, inf, "d_in: inf is no finite number"),
    (NUMBER, "one", "d_in: one is no finite number"),
    (dp.m.make_laplace(*INT, scale=1.0), 1.5, "no i32"),
    (dp.m.make_randomized_response_bool(0.7), 0.5, "no whole number"),
    (changed(dp.m.make_randomized_response_bool(0.7), "0.7", "0.4"), 1, "prob: 0.4 is outside"),
    (changed(dp.m.make_randomized_response(["a", "b"], 0.7), '"b"', '"a"'), 1, "each once"),
    (changed(dp.m.make_randomized_response(["a", "b"], 0.7), '"b"', "3"), 1, "all of one type"),
    (changed(dp.m.make_randomized_response(["a", "b"], 0.7), '["a", "b"]', "[[]]"), 1, "a list of"),
    ("{", 1, "no JSON of OpenDP"),
    ("[" * 100_000, 1, "no JSON of OpenDP"),
    ("[]", 1, "is no constructor of OpenDP"),
    ({"__function__": "make_laplace"}, 1, "is no constructor of OpenDP"),
    ({"__function__": [], "__module__": "", "__kwargs__": {}}, 1, "is no constructor"),
    ({"__function__": "make_laplace", "__module__": "measurements", "__kwargs__": []}, 1,
     "its options are no table"),
    (3, 1, "measurement: expected one, got int"),
]  # fmt: skip


@pytest.mark.parametrize(("measurement", "d_in", "said"), REFUSED)
def test_what_cannot_be_taken_is_named(measurement: Any, d_in: Any, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        problem_of(measurement, d_in=d_in, epsilon=1)
    assert "\n" not in str(caught.value)


def test_constructors_are_not_nested_without_end() -> None:
    deep = json.loads(mod.serialize(NUMBER))
    for _ in range(5000):
        deep = {"__function__": "make_approximate", "__module__": "combinators",
                "__kwargs__": {"measurement": deep}}  # fmt: skip
    with pytest.raises(InputError, match="nested too deep"):
        problem_of(deep, d_in=1, epsilon=1)


def nodes(tree: Any) -> list[tuple[Any, Any]]:
    """Each place in a tree, as what holds it and its key there."""
    if not isinstance(tree, dict | list):
        return []
    keys = [*tree] if isinstance(tree, dict) else [*range(len(tree))]
    return [(tree, key) for key in keys] + [one for key in keys for one in nodes(tree[key])]


JUNK = [
    None, True, -1, 0, 0.5, 1e308, 10**30, "", "f64", "i8", [], {}, [0], {"__tuple__": [3, 1]},
    {"__tuple__": ["a", None]}, json.loads(mod.serialize(NUMBER)),
]  # fmt: skip


@given(st.sampled_from([*PURE]), st.data())
@settings(max_examples=150, deadline=None)
def test_a_hostile_tree_is_a_problem_or_refused(name: str, data: st.DataObject) -> None:
    tree = {"": json.loads(mod.serialize(PURE[name][0]()))}
    for _ in range(data.draw(st.integers(1, 2))):
        holder, key = data.draw(st.sampled_from(nodes(tree)))
        holder[key] = deepcopy(data.draw(st.sampled_from(JUNK)))
    with suppress(InputError):
        found = problem_of(tree[""], d_in=PURE[name][1], epsilon=1)
        assert Problem.from_table(found.to_table()) == found


def test_a_text_has_no_map() -> None:
    with pytest.raises(InputError, match="expected one of OpenDP, got str"):
        map_verdict(mod.serialize(NUMBER), 1.0)
    with pytest.raises(InputError, match="says its delta itself"):
        map_verdict(NUMBER, 1.0, delta=0.5)
    with pytest.raises(InputError, match="OpenDP's map"):
        map_verdict(COUNT, 1.5)


def test_a_text_needs_no_opendp() -> None:
    code = (
        "import sys; sys.modules['opendp'] = None\n"
        "from pfverify import InputError, certify\n"
        "from pfverify.bridges.opendp import map_verdict, problem_of\n"
        "text = sys.stdin.read()\n"
        "print(certify(problem_of(text, d_in=1, epsilon='1/2')).verdict)\n"
        "try: map_verdict(text, 1)\n"
        "except InputError as error: print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], input=mod.serialize(NUMBER), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert run.stdout.splitlines()[0] == "certified"
    assert "pip install '.[opendp]'" in run.stdout


def test_a_target_in_floats_is_the_decimals_that_print_as_them() -> None:
    made = dp.m.make_laplace(*FLOAT, scale=2.0)
    asked = problem_of(made, d_in=1, epsilon=0.1, delta=1e-6)
    same = problem_of(made, d_in=1, epsilon="1/10", delta="1/1000000")
    assert problem_digest(asked) == problem_digest(same)

"""certify --explain: for every route, and with numbers that another arithmetic gives too."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import mpmath
import pytest
from support.smooth_oracle import Law

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Mixture,
    Problem,
    certify,
)
from pfverify.decide.routes import REDUCTIONS, ROUTES, VECTORS
from pfverify.edge import explain
from pfverify.edge.explain import WRITERS, check_explainable, explained
from pfverify.edge.packaged import load_example
from pfverify.edge.written.asked import TooWide, intervals, rounded, summed
from pfverify.exact.ball import precision, raw
from pfverify.model.noises.none import NoNoise

TWO = Mixture([{"weight": "1/3", "mean": -1, "variance": "1/4"},
               {"weight": "2/3", "mean": 2, "variance": 0}])  # fmt: skip
NORMAL = Gaussian(1, variance=2)


def problem(first: Any, second: Any, noise: Any, **more: Any) -> Problem:
    return Problem({"a": first, "b": second}, **({"noise": noise, "epsilon": 1} | more))


def told(asked: Problem) -> list[str]:
    return explained(asked, certify(asked)).lines


def number(lines: list[str], start: str) -> float:
    """The last number of the line that starts so."""
    line = next(line for line in lines if line.startswith(start)).removesuffix("...")
    return float(Fraction(re.findall(r"[-+0-9.e/]+", line)[-1]))


def test_every_route_has_a_writer_and_no_other_name_has() -> None:
    unwritten = {"sweeps", "coordinates"}  # enclosures, and two bounds, alone
    assert set(WRITERS) | unwritten == {
        *ROUTES, *(one.name for one in (*REDUCTIONS.values(), *VECTORS.values()))
    }  # fmt: skip
    assert unwritten.isdisjoint(WRITERS)


def test_a_route_without_a_writer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(explain.WRITERS, "charts")
    with pytest.raises(InputError, match="--explain: what charts decides with laplace noise"):
        check_explainable(problem(NORMAL, TWO, Laplace(1)))


def test_noise_that_a_writer_does_not_know_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = WRITERS["charts"]
    monkeypatch.setitem(
        explain.WRITERS, "charts", type(writer)(writer.lines, frozenset({"laplace"}))
    )
    check_explainable(problem(NORMAL, TWO, Laplace(1)))
    with pytest.raises(InputError, match="with gaussian noise is not written out"):
        check_explainable(problem(NORMAL, TWO, GaussianNoise(1)))


def cases() -> Iterator[Any]:
    noises = {"laplace": Laplace("3/2"), "gaussian": GaussianNoise("3/2"), "none": NoNoise()}
    for name, noise in noises.items():
        for delta in (0, "1/20"):
            for form in ("events", "pointwise"):
                yield pytest.param(noise, delta, form, id=f"{name}-{delta}-{form}")


@pytest.mark.parametrize(("noise", "delta", "form"), list(cases()))
@pytest.mark.parametrize(
    "pair",
    [(NORMAL, Gaussian(0, variance=1)), (NORMAL, Gaussian(2, variance=2)), (NORMAL, NORMAL),
     (TWO, NORMAL), (TWO, Mixture([{"weight": 1, "mean": 2, "variance": 3}]))],
    ids=["wider", "moved", "equal", "atoms", "one"],
)  # fmt: skip
def test_what_charts_decide_is_written_out(pair: Any, noise: Any, delta: Any, form: str) -> None:
    asked = problem(*pair, noise, delta=delta, form=form)
    try:
        result = certify(asked)
    except InputError:
        return  # a form that is not decided without noise
    lines = explained(asked, result).lines
    verdict = result.pairs[0].verdict.value
    assert any(line.startswith("So ") and verdict in line for line in lines)
    assert any(line.startswith("Rounding: ") for line in lines) or pair[0] == pair[1]
    assert all(line == line.strip("\n") and "\n" not in line for line in lines)


def laws_of(asked: Problem, first: str) -> list[Law]:
    """The laws of a problem of two secrets, that of the one which is named first."""
    noise = asked.noise
    size = noise.variance if isinstance(noise, GaussianNoise) else asked.scale().fraction
    priors = next(iter(asked.beliefs.values()))
    named = [priors[first], *(prior for name, prior in priors.items() if name != first)]
    return [Law(list(prior.components), (noise.kind, size)) for prior in named]


@pytest.mark.parametrize("noise", [Laplace(1), GaussianNoise(1)], ids=["laplace", "gaussian"])
def test_densities_at_an_output_are_those_of_the_grid(noise: Any) -> None:
    asked = problem(
        TWO, NORMAL, noise, epsilon="1/10", delta="1/50", form="pointwise"
    )
    lines = told(asked)
    assert re.match(r"The worst output is next to y = -?\d+(\.\d{1,15})?, from ", lines[0])
    y = Fraction(re.findall(r"y = (-?[0-9.]+)", lines[0])[0])
    p, q = (float(law.at(y)) for law in laws_of(asked, re.findall(r"from (\w)", lines[0])[0]))
    sums = [float(line.split()[-1]) for line in lines if line.startswith("  = ")]
    assert sums == [pytest.approx(p, rel=2e-9), pytest.approx(q, rel=2e-9)]
    bound = math.exp(0.1) * q + 0.02
    assert number(lines, "  plus delta = 1/50") == pytest.approx(bound, rel=2e-9)


def test_the_limit_of_a_tail_is_said() -> None:
    lines = told(load_example("gaussian-pair"))
    assert lines[0] == "The ratio is largest in the limit y -> inf, from wide against narrow."
    assert "2b e^(y/b) p(y) -> mean of e^(X/b), b = 2" in lines[1]
    assert number(lines, "wide: ") != number(lines, "narrow: ")
    limit = float(mpmath.exp(mpmath.mpf(7) / 8))  # mu/b + v/(2b^2): 1 of the wide, 1/8 of the other
    assert number(lines, "p(y | wide)/p(y | narrow) ->") == pytest.approx(limit, rel=2e-9)


def test_the_other_tail_has_the_other_sign() -> None:
    mirrored = problem(Gaussian(-1, variance=4), Gaussian(0, variance=1), Laplace(2))
    lines = told(mirrored)
    assert "y -> -inf" in lines[0]
    assert "2b e^(-y/b) p(y) -> mean of e^(-X/b)" in lines[1]
    assert number(lines, "p(y | a)/p(y | b) ->") == pytest.approx(float(mpmath.exp(0.875)))


def test_a_tie_of_moved_laws_is_shown_by_a_coupling() -> None:
    moved = problem(Gaussian(0, variance=3), Gaussian(2, variance=3), Laplace(2))
    lines = told(moved)
    assert "So 2.718281828 = 2.718281828: certified here." in lines
    assert "  1: N(0, 3) -> N(2, 3) needs 1" in lines
    assert "epsilon = 1, so no output is worse." in lines


@pytest.mark.parametrize(
    ("first", "words"),
    [(Gaussian(0, variance=4), "The first one outgrows the second, so p/q -> inf."),
     (Mixture([{"weight": "1/2", "mean": 0, "variance": 1},
               {"weight": "1/2", "mean": 0, "variance": 4}]), "p/q -> inf")],
)  # fmt: skip
def test_a_tail_of_normal_noise_goes_to_the_widest_law(first: Any, words: str) -> None:
    lines = told(problem(first, Gaussian(0, variance=1), GaussianNoise(1)))
    assert any(words in line for line in lines)
    assert any(line.startswith("So inf > ") for line in lines)


def test_alike_tails_go_to_the_ratio_of_weights() -> None:
    parts = [{"mean": 0, "variance": 1}, {"mean": 0, "variance": 4}]
    one, two = (Mixture([part | {"weight": w} for part, w in zip(parts, ws, strict=True)])
                for ws in (("1/2", "1/2"), ("1/4", "3/4")))  # fmt: skip
    lines = told(problem(one, two, GaussianNoise(1)))
    assert "They are alike, so p/q -> the ratio of their weights, 3/2." in lines


@pytest.mark.parametrize("noise", [Laplace(5), GaussianNoise(1)], ids=["laplace", "gaussian"])
@pytest.mark.parametrize("delta", ["1/1000", "9/10"])
def test_the_event_has_the_probabilities_of_an_integral(noise: Any, delta: str) -> None:
    asked = problem(TWO, NORMAL, noise, epsilon="1/100", delta=delta)
    lines = told(asked)
    event = next(line for line in lines if line.startswith("B"))
    first = re.findall(r"from (\w)", lines[0])[0]
    spans = [
        [mpmath.mpf(end.replace("inf", "150")) for end in span]
        for span in re.findall(r"(\S+) <= Y <= (\S+)", event)
    ]
    with mpmath.workdps(20):
        masses = [
            sum(mpmath.quad(lambda y, law=law: mpmath.mpf(law.at(y)),
                            sorted({*span, *(x for x in (-1, 1, 2) if span[0] < x < span[1])}))
                for span in spans)
            for law in laws_of(asked, first)
        ]  # fmt: skip
    names = (first, "b" if first == "a" else "a")
    for name, mass in zip(names, masses, strict=True):
        assert number(lines, f"P(B | {name}) = ") == pytest.approx(float(mass), rel=1e-6)


def test_a_channel_shows_the_sum_over_inputs_exactly() -> None:
    lines = told(load_example("home-and-out"))
    assert "  x = 'home': prior 4/5 under home, 0 under out; P(y | x) = 1/2" in lines
    assert "P(y | home) = 13/30" in lines
    assert "e^epsilon * P(y | out) = 13/5 * 1/6 = 13/30" in lines
    assert "So 13/30 = 13/30: certified here." in lines


def test_a_channel_shows_its_event() -> None:
    lines = told(load_example("preprocessing-breaks-delta"))
    assert "  y = 'no': 1 under first, 0 under last" in lines
    assert "P(B | first) = 1" in lines
    assert "P(B) - e^epsilon Q(B) - delta >= 0.5 > 0" in lines


def test_planar_masses_are_rounded_and_say_so() -> None:
    channel = {"kind": "planar", "points": {"a": [0, 0], "b": [1, 1], "c": [2, 0]}, "epsilon": 1}
    asked = Problem.from_table(
        {"schema": "pfverify/problem/1", "epsilon": 1, "channel": channel}
    )
    lines = told(asked)
    assert any(line.startswith("  x = 'a': prior ") for line in lines)
    p = number(lines, "P(y | a) = ")
    weights = [1, *(float(mpmath.exp(-d)) for d in (mpmath.sqrt(2), 2))]
    assert any(p == pytest.approx(w / sum(weights), rel=1e-9) for w in weights)
    assert "a number with ... is rounded down to 10 digits" in lines[-1]


def test_long_fractions_are_rounded_and_say_so() -> None:
    channel = {"kind": "randomized-response", "inputs": ["a", "b"], "epsilon": f"log({3**90})"}
    asked = Problem.from_table(
        {"schema": "pfverify/problem/1", "epsilon": f"log({3**90})", "channel": channel}
    )
    lines = told(asked)
    assert any(line.startswith("So 1... = 1...: certified") for line in lines)


@pytest.mark.parametrize("name", ["largest-move", "truncated-geometric", "close-beliefs-fail"])
def test_an_epsilon_per_unit_of_distance_is_said(name: str) -> None:
    lines = told(load_example(name))
    assert re.match(r"epsilon is \S+ per unit of distance, and the distance of the pair \S+: "
                    r"epsilon = \S+\.$", lines[0])  # fmt: skip


def test_tuples_are_written_out() -> None:
    asked = load_example("tupling-eta-fails")
    lines = told(asked)
    assert "1 dummy and the true output" in lines[0]
    assert "B: the tuples with Q(y) = 0" in lines
    lines = told(asked.replaced(delta=0))
    assert "So 1 > 0: refuted here." in lines


def test_without_noise_masses_are_compared() -> None:
    bare = problem(Discrete({0: "1/2", 3: "1/2"}), Discrete({0: "1/4", 3: "3/4"}), NoNoise(),
                   epsilon="log(2)")  # fmt: skip
    lines = told(bare)
    assert "e^epsilon * P(y | b) = 2 * 1/4 = 1/2" in lines
    assert "So 1/2 = 1/2: certified here." in lines
    lines = told(bare.replaced(epsilon=0, delta="1/10"))
    assert "P(B | a) = 1/2" in lines
    assert "So 1/4 = delta" not in " ".join(lines)


def test_an_atom_without_a_decimal_of_12_digits_is_found_without_noise() -> None:
    atom = Mixture([{"weight": "1/7", "mean": 0, "variance": 1},
                    {"weight": "6/7", "mean": "1/3", "variance": 0}])  # fmt: skip
    lines = told(problem(atom, NORMAL, NoNoise()))
    assert "P(Y = y | a) = 6/7" in lines
    assert any(line.startswith("So 0.8571428571 > 0: refuted") for line in lines)


def test_a_density_where_the_other_law_is_an_atom_is_no_mass() -> None:
    lines = told(problem(Gaussian(5, variance=4), Discrete({5: 1}), NoNoise()))
    assert "p(y | b) = 0: there are atoms only" in lines
    assert any(line.startswith("So 0.1994711402 > 0: refuted") for line in lines)


def test_limits_may_have_any_exponent() -> None:
    lines = told(problem(Gaussian(0, variance=10**6), Gaussian(1, variance=1), Laplace("1/100")))
    assert any(re.search(r"e21714\d{5}", line) for line in lines)


@pytest.mark.parametrize("noise", [Laplace(2), DiscreteLaplace(2, 1)], ids=["laplace", "discrete"])
def test_atoms_are_written_out_as_they_were_and_say_what_is_rounded(noise: Any) -> None:
    lines = told(problem(Discrete({0: 1}), Discrete({0: "1/2", 1: "1/2"}), noise))
    assert lines[0].startswith("The worst output is y = ")
    assert lines[-2].endswith("so no other output is worse.")
    assert lines[-1].startswith("Rounding: numbers beside = are rounded down to 10 digits")


def test_long_masses_are_cut() -> None:
    lines = told(load_example("students-mean"))
    assert max(map(len, lines)) < 1500
    assert any("..." in line for line in lines)


def test_a_number_that_is_not_known_asks_for_more_bits() -> None:
    with precision(64):
        assert rounded(raw(Fraction(1, 3))) == "0.3333333333"
        assert rounded(raw(Fraction(1, 10))) == "0.1"
        with pytest.raises(TooWide):
            rounded(raw(1) / 3 - raw(Fraction(1, 3)))


def test_what_is_too_much_is_counted() -> None:
    text, total = summed((raw(k), partial(str, k)) for k in range(14))
    assert text.endswith("3 + 2 + (2 smaller terms)")
    assert total == 91
    assert intervals([("0", "1")] * 8).endswith(" or 2 more intervals")

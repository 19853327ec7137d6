"""Several different parts in one problem: against closed forms, products of outputs, and fresh
draws of one of them; each verdict with a certificate that the kernel accepts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import exp, prod
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.kernel_run import accepted_certificate, kernel_digest

from pfverify import InputError, Problem, calibrate, certify, loss
from pfverify.answers.outcome import CertifyResult
from pfverify.decide.gap import within
from pfverify.model.digest import problem_digest
from pfverify.model.protection import Protection
from pfverify.model.releases.composition import MOST_TIMES, ComposedReleases

F = Fraction

Json = dict[str, Any]
TWO_HALVES = 0.609522219740248  # two releases of scale 1/2 of 0 and 1, at epsilon 1


def atoms(**masses: str) -> Json:
    return {"kind": "discrete", "mass": {name.lstrip("x"): mass for name, mass in masses.items()}}


POINTS = {"a": atoms(x0="1"), "b": atoms(x1="1")}
MIXED = {"a": atoms(x0="1/3", x1="2/3"), "b": atoms(x0="1/2", x1="1/2")}
CHAIN = {
    "states": {"t": "0", "u": "1"}, "length": 1, "start": {"t": "1/2", "u": "1/2"},
    "transition": {"t": {"t": "1"}, "u": {"u": "1"}}, "release": "sum",
}  # fmt: skip
USER = {"a": {"point": 0}, "b": {"point": 1}}
CHANNEL = {"kind": "randomized-response", "inputs": ["a", "b"], "epsilon": "1/2"}
INPUTS = {name: {"kind": "finite", "mass": {name: "1"}} for name in "ab"}
VECTOR = {name: {"kind": "joint", "names": ["x", "y"], "rows": [[k, k, 1]]}
          for k, name in enumerate("ab")}  # fmt: skip


def laplace(scale: Any, **more: Any) -> Json:
    return {"kind": "laplace", "scale": scale, **more}


PARTS: Mapping[str, Json] = {
    "laplace": {"noise": laplace(2), "priors": POINTS},
    "mixed": {"noise": laplace(3), "priors": MIXED},
    "lattice": {"noise": {"kind": "discrete-laplace", "scale": 2, "step": 1}, "priors": MIXED},
    "gaussian": {"noise": {"kind": "gaussian", "scale": 3}, "priors": POINTS},
    "table": {"noise": {"kind": "table", "weights": {"-1": "1/4", "0": "1/2", "1": "1/4"}},
              "priors": POINTS},
    "channel": {"channel": CHANNEL, "priors": INPUTS},
    "steps": {"noise": laplace(2), "post": [{"round": {"to": 1}}], "priors": POINTS},
    "kept": {"noise": laplace(2), "post": [{"clamp": [0, 1]}], "priors": MIXED},
    "same": {"noise": laplace(4, releases=2), "priors": POINTS},
    "shared": {"noise": laplace(6, releases=2), "priors": MIXED},
    "fresh": {"noise": laplace(6, releases=2, draws="fresh"), "priors": MIXED},
    "listed": {"noise": {"kind": "laplace", "scales": [4, 6], "draws": "fresh"}, "priors": POINTS},
    "total": {"noise": {"kind": "laplace", "total": "1/3"}, "priors": MIXED},
    "vector": {"noise": laplace(4), "priors": VECTOR},
    "system": {"noise": laplace(3),
               "system": {"others": [{"bernoulli": "1/3", "count": 2}], "user": USER}},
    "any": {"noise": laplace(3), "system": {"user": USER, "rest": "any"}},
    "behind": {"noise": laplace(4, releases=2), "post": [{"clamp": [0, 1]}], "priors": POINTS},
    "before": {"noise": laplace(2), "pre": [{"clamp": [0, 1]}], "priors": MIXED},
}  # fmt: skip


def whole(*parts: Json, epsilon: Any = 1, delta: Any = 0) -> Problem:
    return Problem.from_table({
        "schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "parts": [*parts],
    })  # fmt: skip


def times(part: Json, count: int) -> Json:
    return {"times": count, **part}


def proved(problem: Problem) -> CertifyResult:
    """The verdict, which the kernel accepts unless it is open."""
    found = certify(problem)
    assert kernel_digest(problem.to_table()) == problem_digest(problem)
    if not found.undecided:
        _, word, message = accepted_certificate(problem.to_table(), problem, found)
        assert word == found.verdict, message
    return found


def test_two_fresh_laplace_releases_have_their_closed_form() -> None:
    half = {"noise": laplace("1/2"), "priors": POINTS}
    for problem in (whole(times(half, 2), delta="1/2"), whole(half, half, delta="1/2")):
        delta = loss(problem).delta
        assert float(delta.lower) <= TWO_HALVES <= float(delta.upper)
        assert float(delta.upper) - float(delta.lower) < 1e-3
        assert proved(problem).refuted
        assert proved(problem.replaced(delta="0.6098")).certified


@pytest.mark.parametrize("name", [name for name in PARTS if name not in ("shared", "total")])
@pytest.mark.parametrize("beside", ["laplace", "channel"])
def test_losses_of_parts_add(name: str, beside: str) -> None:
    problem = whole(times(PARTS[name], 2), PARTS[beside], epsilon=100)
    alone = [loss(whole(PARTS[one])).epsilon_star for one in (name, beside)]
    together = loss(problem).epsilon_star
    if "inf" in str(together.upper):
        assert any("inf" in str(one.upper) for one in alone)
        return
    total = 2 * Fraction(alone[0].upper) + Fraction(alone[1].upper)
    assert abs(Fraction(together.upper) - total) < Fraction(1, 10**8)
    if Fraction(alone[0].lower) == 0:
        return  # behind steps of which little is known
    assert proved(problem).certified
    less = Fraction(together.lower) / 2
    assert not proved(problem.replaced(epsilon=str(less))).certified


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize(("epsilon", "delta"), [("1/2", "1/50"), ("1/2", "2/5"), ("1/20", "3/5")])
def test_every_kind_of_part_is_decided_with_a_proof(name: str, epsilon: str, delta: str) -> None:
    problem = whole(PARTS[name], PARTS["laplace"], epsilon=epsilon, delta=delta)
    assert Problem.from_text(problem.to_toml()) == problem
    proved(problem)


@pytest.mark.parametrize("name", ["laplace", "lattice", "gaussian", "channel", "fresh", "steps"])
def test_times_are_so_many_copies(name: str) -> None:
    part, other = PARTS[name], PARTS["laplace"]
    one = whole(times(part, 3), other, delta="1/10")
    copies = whole(part, part, part, other, delta="1/10")
    swapped = whole(other, times(part, 2), part, delta="1/10")
    found = [loss(problem) for problem in (one, copies, swapped)]
    assert len({problem_digest(problem) for problem in (one, copies, swapped)}) == 3
    for result in found:
        for other_result in found:
            assert result.delta.lower <= other_result.delta.upper
            assert result.epsilon_star.lower <= other_result.epsilon_star.upper
    assert len({certify(problem).verdict for problem in (one, copies, swapped)}) == 1


@pytest.mark.parametrize("name", ["laplace", "mixed", "lattice", "gaussian", "table"])
@pytest.mark.parametrize("delta", [0, "1/20"])
def test_one_part_so_often_is_that_many_fresh_draws(name: str, delta: Any) -> None:
    part = PARTS[name]
    noise = {**part["noise"], "releases": 3, "draws": "fresh"}
    stated = {"schema": "pfverify/problem/1", "epsilon": "3/2", "delta": delta}
    fresh = Problem.from_table({**stated, **part, "noise": noise})
    parts = whole(times(part, 3), epsilon="3/2", delta=delta)
    verdict = certify(fresh)
    if not verdict.undecided:  # of an infinite loss a part tells where it is infinite
        assert certify(parts).verdict is verdict.verdict
    found, same = loss(parts), loss(fresh)
    for one, other in ((found.epsilon_star, same.epsilon_star), (found.delta, same.delta)):
        assert one.lower <= other.upper
        assert other.lower <= one.upper


Rows = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


@st.composite
def channels(draw: st.DrawFn) -> Rows:
    size = draw(st.integers(2, 3))

    def law() -> tuple[Fraction, ...]:
        weights = draw(st.lists(st.integers(0, 5), min_size=size, max_size=size).filter(any))
        return tuple(Fraction(weight, sum(weights)) for weight in weights)

    return law(), law()


def as_part(rows: Rows, count: int) -> Json:
    outputs = [f"y{k}" for k in range(len(rows[0]))]
    channel = {"kind": "matrix", "inputs": ["a", "b"], "outputs": outputs,
               "rows": [[str(x) for x in row] for row in rows]}  # fmt: skip
    return {"times": count, "channel": channel, "priors": INPUTS}


def truth(parts: list[tuple[Rows, int]], epsilon: Fraction) -> float:
    """The divergence, over every combination of outputs."""
    each = [list(zip(*rows, strict=True)) for rows, count in parts for _ in range(count)]
    masses = [
        (float(prod(p for p, _ in row)), float(prod(q for _, q in row))) for row in product(*each)
    ]
    return sum(max(0.0, p - exp(epsilon) * q) for p, q in masses)


@settings(max_examples=6, deadline=None)
@given(
    st.lists(st.tuples(channels(), st.integers(1, 2)), min_size=1, max_size=3),
    st.sampled_from(["0", "1/4", "1", "5/2"]), st.sampled_from(["1/100", "1/7", "1/2"]),
)  # fmt: skip
@example([  # nearly all of P is what Q never gives, and the rest no loss at all
    (((F(1, 2), F(3, 8), F(1, 8)), (F(0), F(1, 4), F(3, 4))), 2),
    (((F(1, 2), F(1, 2)), (F(0), F(1))), 2), (((F(2, 5), F(3, 5)), (F(3, 5), F(2, 5))), 1),
], "1", "1/2")  # fmt: skip
def test_channels_together_are_their_product(
    parts: list[tuple[Rows, int]], epsilon: str, delta: str
) -> None:
    problem = whole(*(as_part(*part) for part in parts), epsilon=epsilon, delta=delta)
    turned = [((rows[1], rows[0]), count) for rows, count in parts]
    exactly = max(truth(parts, Fraction(epsilon)), truth(turned, Fraction(epsilon)))
    with within("1/20"):
        verdict = proved(problem)
    found = [pair.delta for pair in verdict.pairs if pair.delta is not None]
    assert max(float(delta.lower) for delta in found) <= exactly + 1e-12
    assert exactly - 1e-12 <= max(float(delta.upper) for delta in found)
    assert not (verdict.certified and exactly > float(Fraction(delta)) + 1e-9)
    assert not (verdict.refuted and exactly < float(Fraction(delta)) - 1e-9)


def rows_behind(low: int, high: int, least: int, chance: Fraction) -> list[tuple[float, float]]:
    """What is published of a clamped number, if it is at least so much and there is a row."""
    lattice, found = range(-80, 100), dict[int | None, list[float]]()
    total = sum(exp(-(k**2) / 18) for k in range(-80, 81))
    for side, (law, here) in enumerate([({3: 1.0}, float(chance)), ({3: 0.5, 9: 0.5}, 0.5)]):
        for k in lattice:
            shown = min(max(k, low), high)
            mass = sum(p * exp(-((k - x) ** 2) / 18) for x, p in law.items()) / total
            found.setdefault(shown if shown >= least else None, [0.0, 0.0])[side] += here * mass
        found.setdefault(None, [0.0, 0.0])[side] += 1 - here
    return [(p, q) for p, q in found.values()]


@pytest.mark.parametrize("chance", [0, Fraction(1, 4), 1])
@pytest.mark.parametrize(("low", "high", "least"), [(6, 20, 5), (0, 20, 8), (0, 4, 5)])
def test_rows_that_may_be_missing_are_weighed_once(
    low: int, high: int, least: int, chance: Fraction
) -> None:
    """Whether steps hide no number, some or all: the bounds are those of the products."""
    row = {"kind": "nothing", "or": atoms(x3="1"), "chance": str(chance)}
    part = {
        "noise": {"kind": "discrete-gaussian", "scale": 3, "step": 1},
        "post": [{"clamp": [low, high]}, {"threshold": {"at": least}}],
        "priors": {"a": row if chance else {"kind": "nothing"},
                   "b": {"kind": "nothing", "or": atoms(x3="1/2", x9="1/2"), "chance": "1/2"}},
    }  # fmt: skip
    each = rows_behind(low, high, least, Fraction(chance))
    verdict = proved(whole(times(part, 2), epsilon="1/2", delta="1/5"))
    for pair in verdict.pairs:
        ways = [x if pair.from_ == "a" else x[::-1] for x in each]
        exactly = sum(max(0.0, p * r - exp(0.5) * q * s) for (p, q), (r, s) in product(ways, ways))
        assert pair.delta.lower - Fraction(1, 10**12) <= exactly
        assert exactly <= pair.delta.upper + Fraction(1, 10**12)
    assert len(verdict.pairs) == 2


# ------------------------------------------------------------------------------- what is refused


def refused(match: str, *parts: Json, **more: Any) -> None:
    table = {"schema": "pfverify/problem/1", "epsilon": 1, "parts": [*parts], **more}
    with pytest.raises(InputError, match=match) as error:
        Problem.from_table(table)
    assert "\n" not in str(error.value)
    from support.kernel_run import checker

    data = json.dumps(table).encode()
    assert checker.check_bytes(data, True, b"{}\n")[0] == "malformed"


@pytest.mark.parametrize("count", [0, -1, True, MOST_TIMES + 1])
def test_times_are_a_positive_integer(count: Any) -> None:
    refused(r"parts\[0\].times", times(PARTS["laplace"], count))


def test_there_are_not_too_many_in_all() -> None:
    refused("1000001 releases in all", times(PARTS["laplace"], MOST_TIMES), PARTS["laplace"])


@pytest.mark.parametrize("key", ["schema", "epsilon", "delta", "form", "pairs", "notion"])
def test_the_target_stands_beside_the_parts(key: str) -> None:
    refused(rf"parts\[0\].{key}: not in a part", {**PARTS["laplace"], key: 1})


@pytest.mark.parametrize("key", ["noise", "priors", "system", "post", "channel"])
def test_a_release_and_a_source_stand_in_each_part(key: str) -> None:
    refused(f"{key}: not beside parts", PARTS["laplace"], **{key: {}})


def test_parts_are_about_the_same_secrets_and_beliefs() -> None:
    other = {"noise": laplace(1), "priors": {"a": POINTS["a"], "c": POINTS["b"]}}
    refused(r"parts\[1\]: its secrets are a, c", PARTS["laplace"], other, pairs=[["a", "b"]])
    refused(r"parts\[1\]: its", PARTS["laplace"], other)
    believed = {"noise": laplace(1), "beliefs": {"x": {"priors": POINTS}}}
    refused(r"parts\[1\]: its beliefs are x", PARTS["laplace"], believed)
    refused("parts", PARTS["laplace"], {"noise": laplace(1), "chain": CHAIN})


def test_families_and_parts_without_a_scale_are_no_parts() -> None:
    family = {"a": {"kind": "tv-ball", "mass": {"0": "1"}, "radius": "1/10"}, "b": POINTS["b"]}
    refused(r"parts\[1\]: a family", PARTS["laplace"], {"noise": laplace(1), "priors": family})
    refused(r"parts\[0\]: noise.scale: missing", {"noise": {"kind": "laplace"}, "priors": POINTS})
    refused(r"parts\[0\]: expected exactly one of", {"channel": CHANNEL})
    refused("parts: it is empty")
    refused(r"parts\[0\]", {"parts": [PARTS["laplace"]]})
    refused("pointwise", PARTS["laplace"], form="pointwise")
    refused("notion", PARTS["laplace"], notion="xdistp")


def test_there_is_no_one_scale_to_calibrate() -> None:
    with pytest.raises(InputError, match="calibrate: the problem has several parts"):
        calibrate(whole(PARTS["laplace"], PARTS["channel"]))


def test_a_composition_is_of_releases() -> None:
    inner = whole(PARTS["laplace"]).release
    for parts in ([], [(inner, 1)], [(inner, 0)], [(1, 1)]):
        with pytest.raises(InputError, match="parts"):
            ComposedReleases(parts)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="notion: dp"):
        inner.inputs_compared(Protection("dp"))
    assert "parts[0]" not in inner.several
    assert json.dumps(whole(PARTS["laplace"]).to_table())

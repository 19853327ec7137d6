"""Steps after discrete Gaussian noise, against sums of 60 digits over every point of a window."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any

import pytest
from support import tally
from support.kernel_run import accepted_certificate, kernel_said
from support.oracles import ctx, mpf, real
from support.problems import limited
from support.steps_cases import chain, priors
from support.steps_oracle import NO_ROW, inputs, published
from support.tally import Record

from pfverify import Discrete, DiscreteGaussian, InputError, Nothing, Problem, certify, loss

Json = dict[str, Any]
Law = dict[Any, Any]
NEAR = Fraction(1, 10**9)
FAR = (10**6, 10**6 + 7, 3 * 10**6)
BLOCKS, EACH = 10, 60
SHOWN = ("problems", "verdicts", "kernel")
REACHED = (
    "clamp", "round", "floor", "ceil", "threshold", "bins", "nothing", "certified", "refuted",
    "epsilon* infinite", "epsilon* 0", "epsilon* in a tail", "epsilon* finite", "delta 0",
)  # fmt: skip


def case(rng: Random) -> Json:
    unit = Fraction(rng.choice(["1", "1", "1/2", "2"]))
    origin = rng.choice([Fraction(0), Fraction(1, 2), Fraction(-2)])
    width = rng.choice([1, 2, 4, 8])
    places = rng.sample(range(width + 1), rng.randint(1, min(4, width + 1)))
    atoms = sorted(origin + unit * k for k in places)
    variance = rng.choice(["1/4", "1", "2", "4", "20/3"])
    noise = {"kind": "discrete-gaussian", "step": str(unit), "variance": variance}
    post = chain(rng, atoms, {"kind": "laplace"})  # without modulo
    hides = any("threshold" in one for one in post)
    laws = priors(rng, "ab", atoms, hides)
    if "or" not in laws["b"] and rng.random() < 0.5:  # both with the outermost atoms
        laws = {name: {"kind": "discrete", "mass": _spread(rng, atoms)} for name in "ab"}
    return {"schema": "pfverify/problem/1", "noise": noise, "post": post, "priors": laws}


def _spread(rng: Random, atoms: list[Fraction]) -> Json:
    sizes = [rng.choice([1, 2, 5]) for _ in atoms]
    return {str(x): f"{s}/{sum(sizes)}" for x, s in zip(atoms, sizes, strict=True)}


class Truth:
    """The masses of all outputs, and what the ratio tends to far out."""

    def __init__(self, table: Json) -> None:
        self.table = table
        step, variance = (Fraction(table["noise"][key]) for key in ("step", "variance"))
        (laws,) = inputs(table).values()
        self.laws = laws
        atoms = sorted({x for law in laws.values() for x in law if x != NO_ROW})
        reach = int(24 * isqrt(int(4 * variance / step**2) + 1)) + 8
        origin = atoms[0] if atoms else Fraction(0)
        last = int((atoms[-1] - origin) / step) if atoms else 0
        half = real(variance / step**2) * 2
        bell = [ctx.exp(-mpf(d * d) / half) for d in range(2 * reach + last + 2)]
        whole = bell[0] + 2 * sum(bell[1:])
        self.masses: dict[str, Law] = {name: {} for name in laws}
        for k in range(-reach, last + reach + 1):
            output = published(table["post"], origin + k * step)
            for name, law in laws.items():
                found = sum((real(m) * bell[abs(k - int((x - origin) / step))]
                             for x, m in law.items() if x != NO_ROW), mpf(0))  # fmt: skip
                self.masses[name][output] = self.masses[name].get(output, 0) + found / whole
        for name, law in laws.items():
            if NO_ROW in law:
                before = self.masses[name].get("suppressed", 0)
                self.masses[name]["suppressed"] = before + real(law[NO_ROW])
        self.ends = [(atoms[0], -1), (atoms[-1], 1)] if atoms else []

    def delta(self, a: str, b: str, growth: Any) -> Any:
        p, q = self.masses[a], self.masses[b]
        gaps = (p.get(y, 0) - growth * q.get(y, 0) for y in {**p, **q})
        return sum((gap for gap in gaps if gap > 0), mpf(0))

    def star(self, a: str, b: str, counts: Counter[str]) -> Any:
        """None where it is infinite."""
        p, q = self.masses[a], self.masses[b]
        ratios = []
        for end, way in self.ends:
            images = {published(self.table["post"], end + way * far) for far in FAR}
            if len(images) == 1:
                continue
            mine, other = (self.laws[name].get(end, Fraction(0)) for name in (a, b))
            if mine and not other:
                return None
            if mine:
                ratios.append(real(mine / other))
        tail = max(ratios, default=mpf(0))
        for y, mass in p.items():
            if mass > 0 and not q.get(y, 0):
                return None
            if mass > 0:
                ratios.append(mass / q[y])
        counts["epsilon* in a tail"] += max(ratios) == tail > 1
        return max(ctx.log(max(ratios)), mpf(0))


def encloses(found: Any, value: Any) -> bool:
    if value is None or str(found.upper) == "inf":
        return value is None and str(found.upper) == "inf"
    low, high = (real(Fraction(str(x))) for x in (found.lower, found.upper))
    slack = max(abs(value), mpf(10) ** -30) * mpf(10) ** -10
    return bool(low - slack <= value <= high + slack and high - low <= 2 * slack)


def problem_of(table: Json, epsilon: Any, delta: Any) -> Problem:
    value = table | {"epsilon": str(epsilon), "delta": str(delta)}
    return Problem.from_text(json.dumps(value), json_format=True)


def decided(table: Json, epsilon: Any, delta: Any, word: str, counts: Counter[str]) -> None:
    problem = problem_of(table, epsilon, delta)
    found = certify(problem)
    assert found.verdict == word, (str(epsilon), str(delta), word, found)
    _, said, message = accepted_certificate(problem.to_table(), problem, found)
    assert said == word, (str(epsilon), str(delta), message)
    counts.update(["verdicts", "kernel", word])


def checked(table: Json, epsilon: str, counts: Counter[str]) -> None:
    truth, growth = Truth(table), ctx.exp(real(Fraction(epsilon)))
    found = loss(problem_of(table, epsilon, "1/10"))
    deltas, stars = [], []
    for pair in found.pairs:
        delta = truth.delta(pair.from_, pair.to, growth)
        star = truth.star(pair.from_, pair.to, counts)
        assert encloses(pair.delta, delta if delta > mpf(10) ** -50 else mpf(0)), (pair, delta)
        assert encloses(pair.epsilon_star, star), (pair.epsilon_star, star)
        deltas.append(delta)
        stars.append(star)
    delta, star = max(deltas), None if None in stars else max(stars)
    if delta > real(NEAR):
        near = Fraction(ctx.nstr(delta, 40))
        decided(table, epsilon, near * (1 - NEAR), "refuted", counts)
        if near * (1 + NEAR) < 1:
            decided(table, epsilon, near * (1 + NEAR), "certified", counts)
    counts["delta 0"] += delta < mpf(10) ** -50
    if star is None:
        decided(table, 3, 0, "refuted", counts)
        counts["epsilon* infinite"] += 1
    elif star > real(NEAR):
        near = Fraction(ctx.nstr(star, 40))
        decided(table, near * (1 - NEAR), 0, "refuted", counts)
        decided(table, near * (1 + NEAR), 0, "certified", counts)
        counts["epsilon* finite"] += 1
    else:
        counts["epsilon* 0"] += 1


def battery(seed: str, count: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for k in range(count):
        rng = Random(f"{seed} {k}")
        table = case(rng)
        try:
            with limited(30):
                checked(table, rng.choice(["0", "1/10", "1/2", "2"]), counts)
        except AssertionError as reason:
            raise AssertionError(f"{json.dumps(table)}: {reason}") from None
        counts["problems"] += 1
        counts.update(key for step in table["post"] for key in step)
        counts["nothing"] += any(law["kind"] == "nothing" for law in table["priors"].values())
    return counts


@pytest.mark.parametrize("block", range(3))
def test_steps_after_discrete_gaussian_noise(block: int, record_property: Record) -> None:
    counts = battery(f"default {block}", 4)
    tally.report("steps after discrete Gaussian noise", counts, SHOWN, record_property)


@pytest.mark.long
@pytest.mark.parametrize("block", range(BLOCKS))
def test_steps_after_discrete_gaussian_noise_long(block: int, record_property: Record) -> None:
    counts = battery(f"block {block}", EACH)
    tally.report("steps after discrete Gaussian noise", counts, SHOWN, record_property)
    tally.reached(counts, *REACHED)


# ---------------------------------------------------------------- by hand

ROW, POINTS = Discrete({1: 1}), {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
SHARED = {"a": Discrete({0: "1/2", 3: "1/2"}), "b": Discrete({0: "1/4", 2: "1/2", 3: "1/4"})}
KEPT = [{"threshold": {"at": 5}}]


def stated(laws: Any, post: Any, epsilon: Any = 1, delta: Any = 0, variance: Any = 4) -> Problem:
    noise = DiscreteGaussian(variance=variance)
    return Problem(laws, noise=noise, post=post, epsilon=epsilon, delta=delta)


def word(problem: Problem) -> str:
    found: str = accepted_certificate(problem.to_table(), problem, certify(problem))[1]
    return found


def tail(first: int, variance: int, atom: int = 1) -> Any:
    bell = {k: ctx.exp(-mpf((k - atom) ** 2) / (2 * variance)) for k in range(-99, 101)}
    return sum(m for k, m in bell.items() if k >= first) / sum(bell.values())


@pytest.mark.parametrize(("keep", "first"), [("at-least", 5), ("above", 6)])
def test_a_thresholded_count(keep: str, first: int) -> None:
    """Against no row delta is the chance to be published, whatever epsilon is."""
    post = [{"threshold": {"at": 5, "keep": keep}}]
    problem = stated({"row": ROW, "none": Nothing()}, post, 5)
    found, value = loss(problem), tail(first, 4)
    assert (str(found.epsilon_star.upper), str(found.epsilon_at_delta)) == ("inf", "None")
    assert encloses(found.pairs[0].delta, value)
    near = Fraction(ctx.nstr(value, 30))
    assert word(problem.replaced(delta=near * (1 + NEAR))) == "certified"
    assert word(problem.replaced(delta=near * (1 - NEAR))) == "refuted"
    assert certify(problem.replaced(delta=near * (1 - NEAR))).pairs[0].witness.outputs is not None
    at_most = loss(problem.replaced(delta="1/100"))
    assert str(at_most.epsilon_at_delta.upper) == "inf"
    maybe = stated({"row": ROW, "some": Nothing(ROW, "1/10")}, post, "log(10)")
    assert certify(maybe).pairs[0].tie  # of every output that is kept
    assert word(maybe) == "certified"
    assert word(maybe.replaced(epsilon="23/10")) == "refuted"


def test_without_a_number_that_is_hidden_no_row_is_told_apart() -> None:
    post = [{"clamp": [0, 10]}, {"threshold": {"at": -5}}]
    problem = stated({"row": ROW, "some": Nothing(ROW, "1/2")}, post, 9, "1/2 - 1e-9")
    assert [p.witness.outputs for p in certify(problem).pairs if p.witness is not None] == [
        ["suppressed"]
    ]
    assert word(problem) == "refuted"
    assert word(problem.replaced(delta="1/2 + 1e-9")) == "certified"


def test_what_never_changes_is_private_at_once() -> None:
    for post in ([{"clamp": [5, 5]}], [{"clamp": [0, 3]}, *KEPT]):
        problem = stated(POINTS, post, 0)
        assert certify(problem).verdict == "certified"
        assert word(problem) == "certified"
    none = stated({"a": Nothing(), "b": Nothing()}, KEPT, 0)
    assert word(none) == "certified"


def test_steps_never_raise_what_is_lost() -> None:
    """The bare release bounds each chain at the same scale; a coarser chain loses less."""
    bare = loss(Problem(SHARED, noise=DiscreteGaussian(variance=2), epsilon="1/5"))
    for post in ([{"round": {"to": 2}}], [{"clamp": [0, 2]}], KEPT, [{"bins": {"edges": [1]}}]):
        found = loss(stated(SHARED, post, "1/5", variance=2))
        for one, other in zip(found.pairs, bare.pairs, strict=True):
            assert Fraction(one.delta.lower) <= Fraction(other.delta.upper)
            assert Fraction(one.epsilon_star.lower) <= Fraction(other.epsilon_star.upper)


def test_points_that_are_not_joined_are_as_without_steps() -> None:
    fine = [{"round": {"to": "1/10"}}]
    for laws in (SHARED, POINTS):
        one = loss(stated(laws, fine, "1/5"))
        other = loss(Problem(laws, noise=DiscreteGaussian(variance=4), epsilon="1/5"))
        assert (one.delta, one.epsilon_star) == (other.delta, other.epsilon_star)


def test_an_endless_output_that_ties_is_undecided() -> None:
    """0 and 1 are as likely on their own side of 1/2: the ratio of the bins is 1 at delta = 0."""
    mirrored = {"a": Discrete({0: "1/2", 2: "1/2"}), "b": Discrete({1: 1})}
    found = certify(stated(mirrored, [{"clamp": [1, 1]}, {"bins": {"edges": [9]}}], 0))
    assert found.verdict == "certified"
    symmetric = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({-1: "1/2", 2: "1/2"})}
    undecided = certify(stated(symmetric, [{"bins": {"edges": [1]}}], 0))
    assert undecided.verdict == "undecided"
    assert "no exact test" in undecided.pairs[0].reason


STEP = {"belief": "default", "from": "a", "to": "b"}
OTHER = STEP | {"from": "b", "to": "a"}


def said(problem: Problem, verdict: str, *steps: Json) -> str:
    return kernel_said(problem, verdict, list(steps))[0]


def test_the_kernel_takes_no_proof_of_what_is_false() -> None:
    proof = [{"rule": "kept", **way} for way in (STEP, OTHER)]
    clamp = [{"clamp": [0, 1]}]
    assert said(stated(POINTS, clamp, "0.85", variance=1), "certified", *proof) == "certified"
    for laws, post, epsilon, delta in (
        (POINTS, clamp, "0.844780741793", 0), (POINTS, clamp, "1/2", "1/100"),
        (POINTS, [{"threshold": {"at": 1}}], 20, 0), (POINTS, [{"clamp": [0, 2]}], "0.85", 0),
        ({"a": ROW, "b": Nothing()}, KEPT, 20, "1/1000000"),
        ({"a": ROW, "b": Nothing(ROW, "1/2")}, [{"clamp": [0, 9]}, {"threshold": {"at": -1}}],
         9, "49/100"),
    ):  # fmt: skip
        assert said(stated(laws, post, epsilon, delta, 1), "certified", *proof) == "rejected"
    bare = Problem(POINTS, noise=DiscreteGaussian(variance=1), epsilon="0.85")
    assert said(bare, "certified", *proof) in ("malformed", "rejected")
    for rule in ("pure", "delta-upper", "channel"):
        wrong = [{"rule": rule, "bits": 128, "ties": [], **way} for way in (STEP, OTHER)]
        keys = {"pure": ("bits", "ties"), "delta-upper": ("bits",), "channel": ()}[rule]
        wrong = [{k: v for k, v in one.items() if k not in ("bits", "ties") or k in keys}
                 for one in wrong]  # fmt: skip
        problem = stated(POINTS, clamp, "0.85", variance=1)
        assert said(problem, "certified", *wrong) in ("malformed", "rejected")


def test_the_kernel_takes_no_refutation_of_what_is_true() -> None:
    thresholded = stated(POINTS, [{"threshold": {"at": 2}}], 1, variance=4)
    one = {"rule": "output-refuted", "bits": 128, "output": "6", "margin": "0.37", **OTHER}
    assert said(thresholded, "refuted", one) == "refuted"
    assert said(thresholded, "refuted", one | {"margin": "0.38"}) == "rejected"
    assert said(thresholded, "refuted", one | {"output": "9999"}) == "refuted"  # far out
    for name in ("1", "6.0", "13/2", "suppressed", "[6, inf)", "x", ""):
        assert said(thresholded, "refuted", one | {"output": name}) in ("rejected", "malformed")
    assert said(thresholded, "refuted", one | STEP) == "rejected"
    many = {"rule": "outputs-refuted", "bits": 128, "margin": "0.0001", **OTHER}
    names = ["5", "6", "7", "8", "9"]
    with_delta = thresholded.replaced(delta="1/1000")
    assert said(with_delta, "refuted", many | {"outputs": names}) == "refuted"
    for wrong in ([], ["5", "5"], ["2"], ["suppressed"], ["99999"]):
        assert said(with_delta, "refuted", many | {"outputs": wrong}) in ("rejected", "malformed")
    event = {"rule": "event-refuted", "bits": 128, "event": [["5", "9"]], "margin": "0.0001"}
    assert said(with_delta, "refuted", event | OTHER) == "rejected"  # of the noisy number
    point = {"rule": "pure-refuted", "bits": 128, "y": "6", "margin": "0.37", **OTHER}
    assert said(thresholded, "refuted", point) == "rejected"


def test_a_refutation_far_out_is_accepted() -> None:
    problem = stated(POINTS, [{"floor": {"to": 10}}], 1, variance=1000)
    assert word(problem) == "refuted"


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="no route decides"):
        certify(Problem(POINTS, noise=DiscreteGaussian(1), epsilon=1, post=KEPT, form="pointwise"))
    with pytest.raises(InputError, match="needs all atoms"):
        stated({"a": Discrete({0: 1}), "b": Discrete({"1/3": 1})}, KEPT)

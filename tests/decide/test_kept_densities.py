"""Clamps and thresholds after Laplace noise: densities in part, against distribution functions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import mpmath
import pytest
from support.kernel_run import accepted_certificate

from pfverify import (
    Discrete,
    Gaussian,
    InputError,
    Laplace,
    Nothing,
    Problem,
    TruncatedLaplace,
    calibrate,
    certify,
    loss,
)
from pfverify.certificate.checking import run_kernel
from pfverify.certificate.statement import canonical_text
from pfverify.edge.words import failure_place
from pfverify.exact.enclosure import Enclosure
from pfverify.model.digest import problem_digest

F = Fraction
Law = dict[Fraction, Fraction]
FINE = 60  # pieces between two break points, for the oracle


def suppressed_or(y: float, steps: list[dict[str, Any]]) -> Any:
    """What a number becomes, by the words of the guide."""
    image: Any = y
    for step in steps:
        ((key, value),) = step.items()
        if image == "suppressed":
            continue
        if key == "clamp":
            image = min(max(image, value[0]), value[1])
        elif image < value["at"] or (image == value["at"] and value["keep"] == "above"):
            image = "suppressed"
    return image


def below(law: Law, scale: Fraction, y: Any) -> Any:
    """P(X + N <= y)."""
    total = mpmath.mpf(0)
    for x, m in law.items():
        u = (mpmath.mpf(y) - mpmath.mpf(x.numerator) / x.denominator) / float(scale)
        mass = mpmath.mpf(m.numerator) / m.denominator
        total += mass * (mpmath.exp(u) / 2 if u < 0 else 1 - mpmath.exp(-u) / 2)
    return total


def oracle(
    p: Law, q: Law, scale: Fraction, steps: list[dict[str, Any]], epsilon: Fraction
) -> tuple[Any, Any]:
    """Lower bounds of delta and of epsilon*, from a fine partition of the outputs."""
    ends = {float(x) for x in (*p, *q)}
    for step in steps:
        ends |= {float(v) for v in step.get("clamp", [])}
        ends |= {float(step["threshold"]["at"])} if "threshold" in step else set()
    low, high = min(ends) - 30 * float(scale), max(ends) + 30 * float(scale)
    places = [low, *sorted(ends), high]
    cuts: list[float] = []
    for a, b in pairwise(places):
        cuts += [a + (b - a) * k / FINE for k in range(FINE)]
    cuts.append(high)
    masses: dict[Any, list[Any]] = {}
    growth = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
    lower = [below(law, scale, cuts[0]) for law in (p, q)]
    for a, b in pairwise(cuts):
        upper = [below(law, scale, b) for law in (p, q)]
        y = (a + b) / 2
        image = suppressed_or(y, steps)
        key = ("kept", a) if image == y else image
        for k in (0, 1):
            masses.setdefault(key, [mpmath.mpf(0)] * 2)[k] += upper[k] - lower[k]
        lower = upper
    delta = sum((max(m - growth * n, mpmath.mpf(0)) for m, n in masses.values()), mpmath.mpf(0))
    star = max(mpmath.log(m / n) for m, n in masses.values() if m > 1e-9 and n > 0)
    return delta, star


def drawn(random: Random) -> tuple[Law, Law, Fraction, list[dict[str, Any]], Fraction]:
    def law() -> Law:
        atoms = random.sample(range(-4, 9), random.randint(1, 4))
        sizes = [random.randint(1, 5) for _ in atoms]
        return {F(x, 2): F(s, sum(sizes)) for x, s in zip(atoms, sizes, strict=True)}

    steps: list[dict[str, Any]] = []
    for _ in range(random.randint(1, 2)):
        if random.random() < 0.5:
            a = F(random.randint(-4, 6), 2)
            steps.append({"clamp": [a, a + F(random.randint(0, 6), 2)]})
        else:
            keep = random.choice(["at-least", "above"])
            steps.append({"threshold": {"at": F(random.randint(-3, 8), 2), "keep": keep}})
    return law(), law(), F(random.choice([1, 2, 3]), 2), steps, F(random.randint(0, 6), 10)


def problem_of(case: Any, delta: Any = "1/50") -> Problem:
    p, q, scale, steps, epsilon = case
    return Problem(
        {"a": Discrete(p), "b": Discrete(q)}, noise=Laplace(scale), post=steps,
        epsilon=epsilon, delta=delta,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_losses_and_deltas_are_those_of_distribution_functions(seed: int) -> None:
    random = Random(seed)
    for _ in range(3):
        case = drawn(random)
        p, q, scale, steps, epsilon = case
        if p == q:
            continue
        problem = problem_of(case)
        found = loss(problem)
        for pair in found.pairs:
            laws = (p, q) if pair.from_ == "a" else (q, p)
            with mpmath.workdps(30):
                delta, star = oracle(*laws, scale, steps, epsilon)
            assert pair.delta is not None
            assert float(pair.delta.upper) >= float(delta) - 1e-9
            assert float(pair.delta.lower) <= float(delta) + 2e-3
            if str(pair.epsilon_star.upper) != "inf":
                assert float(pair.epsilon_star.upper) >= float(star) - 1e-6
                assert float(pair.epsilon_star.lower) <= float(star) + 0.6


def kernel_word(problem: Problem) -> str:
    found: str = accepted_certificate(problem.to_table(), problem, certify(problem))[1]
    return found


@pytest.mark.parametrize("seed", range(6))
def test_the_kernel_follows_every_verdict_on_both_sides_of_the_truth(seed: int) -> None:
    random, words = Random(100 + seed), set()
    for _ in range(5):
        case = drawn(random)
        problem = problem_of(case)
        delta = loss(problem).delta
        assert delta is not None
        targets = ["0", "1/50"]
        if 0 < float(delta.lower) < 1:
            near = F(str(delta.upper)) + F(1, 10**9), F(str(delta.lower)) - F(1, 10**9)
            targets += [str(x) for x in near if x > 0]
        for target in targets:
            asked = problem.replaced(delta=target)
            verdict = certify(asked).verdict
            assert verdict == kernel_word(asked)
            words.add(verdict)
    assert words == {"certified", "refuted"}


def excess_of(witness: Any, case: Any, *, turned: bool) -> Any:
    """P(B) - e**epsilon Q(B) of the event that is published, by distribution functions."""
    p, q, scale, steps, epsilon = case
    laws = (q, p) if turned else (p, q)
    spans = [(float(low), float(high)) for low, high in witness.event or []]
    inside = {F(x) if x != "suppressed" else x for x in witness.outputs}
    ends = {end for span in spans for end in span}
    for step in steps:
        ends |= {float(v) for v in step.get("clamp", [])}
        ends |= {float(step["threshold"]["at"])} if "threshold" in step else set()
    cuts = [-1e3, *sorted(end for end in ends if abs(end) < 1e3), 1e3]
    total, growth = mpmath.mpf(0), mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
    for a, b in pairwise(cuts):
        y = (a + b) / 2
        image = suppressed_or(y, steps)
        if any(low < y < high for low, high in spans) if image == y else image in inside:
            first, second = (below(law, scale, b) - below(law, scale, a) for law in laws)
            total += first - growth * second
    return total


def test_an_event_is_of_what_is_published() -> None:
    """Intervals of densities, and single outputs by name: what steps make of the noisy numbers."""
    random, seen = Random(6), set()
    for _ in range(30):
        case = drawn(random)
        for pair in certify(problem_of(case)).pairs:
            if (witness := pair.witness) is None:
                continue
            with mpmath.workdps(30):
                exact = excess_of(witness, case, turned=pair.from_ == "b") - mpmath.mpf(1) / 50
            assert float(witness.margin) <= exact <= float(witness.margin) * (1 + 1e-4)
            seen.add((witness.event is None, bool(witness.outputs)))
            said = failure_place(witness)
            assert ("(" in said, "{" in said) == (witness.event is not None, bool(witness.outputs))
    assert seen == {(False, False), (False, True), (True, True)}


def test_steps_never_lose_more_than_the_noise_alone() -> None:
    random, less = Random(7), 0
    for _ in range(12):
        p, q, scale, steps, epsilon = drawn(random)
        after = loss(problem_of((p, q, scale, steps, epsilon)))
        before = loss(
            Problem({"a": Discrete(p), "b": Discrete(q)}, noise=Laplace(scale), epsilon=epsilon)
        )
        assert after.delta is not None
        assert before.delta is not None
        assert after.delta.lower <= before.delta.upper
        assert after.epsilon_star.lower <= before.epsilon_star.upper
        less += after.delta.upper < before.delta.lower
    assert less > 1


def test_a_row_that_may_not_exist() -> None:
    """Under Laplace noise the tie is e**-4 / 2, the tail of a row of value 1 above 5."""
    post = [{"threshold": {"at": 5}}]
    laws = {"row": Discrete({1: 1}), "none": Nothing()}
    tie = Problem(laws, noise=Laplace(1), post=post, epsilon=5, delta="exp(-4)/2")
    assert [pair.tie for pair in certify(tie).pairs] == [True, False]
    assert kernel_word(tie) == "certified"
    assert kernel_word(tie.replaced(delta="0.0091")) == "refuted"
    maybe = laws | {"none": Nothing(Discrete({1: 1}), "9/10")}
    near = Problem(maybe, noise=Laplace(1), post=post, epsilon="log(10/9)")
    assert kernel_word(near) == "certified"
    assert kernel_word(near.replaced(epsilon="log(11/10)")) == "refuted"


def test_too_many_atoms_are_refused() -> None:
    many = Discrete(counts=dict.fromkeys(range(10_000), 1))
    problem = Problem(
        {"a": many, "b": Discrete({0: 1})}, noise=Laplace(1), post=[{"clamp": [0, 5]}], epsilon=1
    )
    with pytest.raises(InputError, match="10001 atoms of both priors are more than the 10000"):
        certify(problem)


@pytest.mark.parametrize("delta", [0, "1/20", "1/100"])
def test_many_atoms_behind_clamps(delta: Any) -> None:
    """A clamp far outside changes nothing, and one inside makes nothing worse."""
    random = Random(300)
    laws = {name: Discrete(counts={x: random.randint(1, 99) for x in range(300)}) for name in "ab"}
    asked: dict[str, Any] = {"noise": Laplace(10), "epsilon": "1/10", "delta": delta}
    bare = Problem(laws, **asked)
    far = Problem(laws, post=[{"clamp": [-900, 1200]}], **asked)
    near = Problem(laws, post=[{"clamp": [20, 41]}, {"threshold": {"at": 30}}], **asked)
    results = [certify(problem) for problem in (bare, far, near)]
    for one, same, less in zip(*(result.pairs for result in results), strict=True):
        assert abs(one.loss.lower - same.loss.lower) < F(1, 10**11)
        assert less.loss.lower < one.loss.upper
        if one.delta is not None and same.delta is not None and less.delta is not None:
            assert abs(one.delta.lower - same.delta.lower) < F(1, 10**11)
            assert 0 <= less.delta.lower < one.delta.upper
    assert results[0].verdict == results[1].verdict == kernel_word(far)
    assert kernel_word(near) == results[2].verdict


@pytest.mark.parametrize("off", [10, 30, 100])
def test_a_refutation_by_any_margin_has_its_event(off: int) -> None:
    """Where the density is too large up to 10**-off behind an atom alone."""
    laws = {"a": Discrete({3: 1}), "b": Discrete({3: "3/8", 4: "1/8", 0: "1/2"})}
    problem = Problem(laws, noise=Laplace("1/log(4)"), post=[{"clamp": ["7/2", 5]}], epsilon=1)
    largest = F(128, 65)  # at 7/2
    for epsilon, word in ((largest, "certified"), (largest - F(1, 10**off), "refuted")):
        asked = problem.replaced(epsilon=f"log({epsilon})")
        assert certify(asked).verdict == kernel_word(asked) == word


def test_truncated_noise_at_published_values() -> None:
    """Geng, Ding, Guo and Kumar's bound is met with equality; a larger bound may be worse (F47)."""
    points = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    for bound, verdict in (("13.66368939598", "certified"), ("13.66368939", "refuted")):
        asked = Problem(points, noise=TruncatedLaplace(1, bound), epsilon=1, delta="1e-6")
        assert certify(asked).verdict == kernel_word(asked) == verdict
    apart = {"a": Discrete({0: "1/2", 5: "1/2"}), "b": Discrete({1: "1/2", 6: "1/2"})}
    found = [
        loss(Problem(apart, noise=TruncatedLaplace(3, bound), epsilon=0)).delta
        for bound in ("4.5", 5)
    ]
    assert [str(one.lower)[:6] for one in found if one is not None] == ["0.1178", "0.1311"]


@pytest.mark.parametrize("post", [[{"threshold": {"at": 6}}], [{"clamp": [6, 9]}]])
def test_what_truncated_noise_never_reaches_loses_nothing(post: Any) -> None:
    """Both laws have all of their mass in one output: the ratio is 1 exactly, epsilon* is 0."""
    noise, priors = TruncatedLaplace(1, "1/4"), {"a": Discrete({-2: 1}), "b": Discrete({5: 1})}
    for pair in loss(Problem(priors, noise=noise, post=post, epsilon=0)).pairs:
        assert str(pair.epsilon_star.upper) == "0"


def test_truncated_noise_has_no_scales_to_find() -> None:
    problem = Problem(
        {"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=TruncatedLaplace(1, 9), epsilon=1
    )
    assert "is not always more private" in calibrate(problem).not_applicable["minimum"]
    with pytest.raises(InputError, match="bound: 0 is not > 0"):
        TruncatedLaplace(1, 0)
    with pytest.raises(InputError, match="takes atoms"):
        Problem({"a": Gaussian(0, sd=1), "b": Discrete({0: 1})}, noise=TruncatedLaplace(1, 9),
                epsilon=1)  # fmt: skip


def test_the_kernel_takes_no_scales_of_truncated_noise() -> None:
    problem = Problem(
        {"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=TruncatedLaplace(1, 9), epsilon=1,
        delta="1/100",
    )  # fmt: skip
    _, word, _ = accepted_certificate(problem.to_table(), problem, certify(problem))
    assert word == "certified"
    claimed = {
        "schema": "pfverify/certificate/1", "problem": problem_digest(problem),
        "produced_by": {"pfverify": "0"}, "result": "scales",
        "steps": [{"rule": "scale", "method": "x", "scale": "5", "verdict": "certified",
                   "steps": [{"rule": "kept", "belief": "default", "from": a, "to": b}
                             for a, b in (("a", "b"), ("b", "a"))]}],
    }  # fmt: skip
    stated = problem.to_toml().encode()
    found = run_kernel(Path("p.toml"), stated, canonical_text(claimed).encode())
    assert (found.word, "no scales" in found.message) == ("rejected", True), found.message


def test_the_least_epsilon_is_finite_where_delta_is_just_what_one_law_alone_gives() -> None:
    """What one law alone reaches is delta exactly: then the rest decides, and no epsilon fails."""
    row = {"row": Discrete({1: 1}), "none": Nothing()}
    post = [{"threshold": {"at": 5}}]
    exact = Problem(row, noise=Laplace(1), post=post, epsilon=5, delta="exp(-4)/2")
    assert {one.epsilon_at_delta for one in loss(exact).pairs} == {Enclosure("0", "0")}
    less = exact.replaced(delta="exp(-4)/2-1/1000000")
    assert Enclosure("inf", "inf") in {one.epsilon_at_delta for one in loss(less).pairs}
    points = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    alone = "(exp(-1)-exp(-2))/(2*(1-exp(-2)))"  # of truncated noise, on its last unit
    for delta, bounds in ((alone, (F(1) - F(1, 10**9), F(1) + F(1, 10**9))), ("0.134", None)):
        found = loss(Problem(points, noise=TruncatedLaplace(1, 2), epsilon=1, delta=delta))
        for one in found.pairs:
            assert one.epsilon_at_delta is not None
            if bounds is None:
                assert str(one.epsilon_at_delta.lower) == "inf"
            else:
                low, high = F(str(one.epsilon_at_delta.lower)), F(str(one.epsilon_at_delta.upper))
                assert bounds[0] < low <= 1 <= high < bounds[1]

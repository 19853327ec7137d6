"""Laplace noise renormalised in a window: against integrals, symmetries and the kernel."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import mpmath
import pytest
from support.kernel_run import accepted_certificate, kernel_digest, kernel_said

from pfverify import (
    BoundedLaplace,
    Discrete,
    Gaussian,
    InputError,
    Laplace,
    Problem,
    calibrate,
    certify,
    loss,
    sample,
)
from pfverify.decide.verdict import Verdict
from pfverify.edge.cli import main
from pfverify.exact.answer import Answer
from pfverify.exact.ball import precision
from pfverify.laws.kinds import law_of
from pfverify.model.digest import problem_digest

MIXED = {"a": Discrete({0: "1/2", 3: "1/2"}), "b": Discrete({1: "1/3", 5: "2/3"})}
ENDS = {"a": Discrete({0: 1}), "b": Discrete({6: 1})}


def real(x: Any) -> mpmath.mpf:
    x = Fraction(str(x))
    return mpmath.mpf(x.numerator) / x.denominator


class Truth:
    """Densities by the definition, integrals by quadrature between zeros that are found."""

    def __init__(self, scale: Fraction, low: Fraction, high: Fraction) -> None:
        mpmath.mp.dps = 30
        self.scale, self.low, self.high = real(scale), real(low), real(high)

    def within(self, x: mpmath.mpf) -> mpmath.mpf:
        ends = [mpmath.exp(-far / self.scale) / 2 for far in (x - self.low, self.high - x)]
        return 1 - sum(ends)

    def density(self, prior: Discrete, y: mpmath.mpf) -> mpmath.mpf:
        return sum(
            real(m) * mpmath.exp(-abs(y - real(x)) / self.scale) / (2 * self.scale)
            / self.within(real(x)) for x, m in prior.mass.items()
        )

    def places(self, *laws: Discrete) -> list[mpmath.mpf]:
        return sorted({self.low, self.high, *(real(x) for law in laws for x in law.atoms)})

    def divergence(self, p: Discrete, q: Discrete, epsilon: Any) -> mpmath.mpf:
        growth = mpmath.exp(real(epsilon))

        def g(y: mpmath.mpf) -> mpmath.mpf:
            return self.density(p, y) - growth * self.density(q, y)

        total = mpmath.mpf(0)
        places = self.places(p, q)
        for a, b in pairwise(places):
            cuts = [a, b]
            if g(a) * g(b) < 0:
                cuts.insert(1, mpmath.findroot(g, (a, b), solver="anderson"))
            for c, d in pairwise(cuts):
                if g((c + d) / 2) > 0:
                    total += mpmath.quad(g, [c, d])
        return total

    def error(self, x: Fraction, power: int) -> mpmath.mpf:
        """The mean of |y - x|**power around a value."""
        prior, at = Discrete({x: 1}), real(x)
        return mpmath.quad(
            lambda y: abs(y - at) ** power * self.density(prior, y), [self.low, at, self.high]
        )

    def loss(self, p: Discrete, q: Discrete) -> mpmath.mpf:
        return mpmath.log(max(self.density(p, y) / self.density(q, y) for y in self.places(p, q)))


def kernel_word(problem: Problem) -> str:
    return accepted_certificate(problem.to_table(), problem, certify(problem))[1]


def within(value: mpmath.mpf, ends: Any) -> bool:
    little = mpmath.mpf(10) ** -20
    return real(ends.lower) - little <= value <= real(ends.upper) + little


def random_case(rng: Random) -> tuple[dict[str, Discrete], BoundedLaplace]:
    low, high = Fraction(rng.randint(-4, 0), 2), Fraction(rng.randint(6, 14), 2)
    laws = {}
    for name in "ab":
        places = rng.sample([low, high, *(Fraction(k, 2) for k in range(7))], rng.randint(1, 4))
        weights = [rng.randint(1, 5) for _ in {*places}]
        laws[name] = Discrete({
            x: Fraction(w, sum(weights)) for x, w in zip({*places}, weights, strict=True)
        })
    return laws, BoundedLaplace(Fraction(rng.randint(1, 12), 3), low, high)


@pytest.mark.parametrize("seed", range(16))
def test_it_is_as_integrals_say(seed: int) -> None:
    rng = Random(seed)
    laws, noise = random_case(rng)
    assert noise.scale is not None
    assert noise.scale.fraction is not None
    truth = Truth(noise.scale.fraction, noise.low, noise.high)
    epsilon = Fraction(rng.randint(0, 4), 4)
    problem = Problem(laws, noise=noise, epsilon=epsilon, delta="1/20")
    worst = mpmath.mpf(0)
    for pair in loss(problem).pairs:
        p, q = laws[pair.from_], laws[pair.to]
        assert within(truth.loss(p, q), pair.epsilon_star)
        delta = truth.divergence(p, q, epsilon)
        assert within(delta, pair.delta)
        worst = max(worst, delta)
    verdict = certify(problem).verdict
    assert verdict is (Verdict.CERTIFIED if worst <= mpmath.mpf("0.05") else Verdict.REFUTED)
    assert kernel_word(problem) == verdict
    pure = problem.replaced(delta=0)
    assert kernel_word(pure) == certify(pure).verdict


def test_the_law_is_a_law() -> None:
    law = law_of(MIXED["a"], BoundedLaplace(3, -1, 7))
    truth = Truth(Fraction(3), Fraction(-1), Fraction(7))
    with precision(128):
        at = law.at_precision()
        for y in (Fraction(-1), Fraction(0), Fraction(5, 2), Fraction(7)):
            assert abs(float(at.value(y).mid()) - truth.density(MIXED["a"], real(y))) < 1e-12
            cuts = [z for z in (-1, 0, 3) if z < y] + [real(y)]
            below = mpmath.quad(lambda z: truth.density(MIXED["a"], z), cuts) if y > -1 else 0
            assert abs(float(at.below(y).mid()) - below) < 1e-12
        assert at.value(Fraction(8)) == 0
        assert at.below(Fraction(8)) == 1
    assert law.known_weight(Fraction(-2)) == 0
    assert law.known_below(Fraction(-2)) == 0
    point = law_of(Discrete({0: 1}), BoundedLaplace("1/log(2)", 0, 2))
    assert point.reaches(Fraction(1), Fraction(2, 3)) is Answer.YES  # (1 - 1/2)/(1 - 1/4)
    assert point.reaches(Fraction(1), Fraction(1, 2)) is Answer.NO
    assert point.reaches(Fraction(2), Fraction(1)) is Answer.YES
    assert point.weighs(Fraction(3), Fraction(0)) is Answer.YES
    two = law_of(MIXED["a"], BoundedLaplace(2, 0, 6))
    assert two.weighs(Fraction(1), Fraction(1, 2)) is Answer.NO
    assert two.reaches(Fraction(1), Fraction(1, 2)) is Answer.NO
    assert point.shape(Fraction(1)) is None


# ------------------------------------------------------------------------------- ties


@pytest.mark.parametrize(("scale", "epsilon"), [("2", "3"), ("6/log(3)", "log(3)")])
def test_a_loss_that_is_met_exactly_holds(scale: str, epsilon: str) -> None:
    """Both ends of the window have the same C, so that their loss is the width over the scale."""
    problem = Problem(ENDS, noise=BoundedLaplace(scale, 0, 6), epsilon=epsilon)
    result = certify(problem)
    assert result.verdict is Verdict.CERTIFIED
    assert all(pair.tie for pair in result.pairs)
    assert kernel_word(problem) == "certified"
    less = problem.replaced(epsilon=f"{epsilon}-1e-20")
    assert certify(less).verdict is Verdict.REFUTED
    assert kernel_word(less) == "refuted"


def test_a_loss_with_two_different_c_is_met_exactly() -> None:
    """0 against 1 in [0, 2], s = e^(-1/scale) = 1/2: at 0 the ratio is C(1)/C(0) / s = 8/3."""
    laws = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    noise = BoundedLaplace("1/log(2)", 0, 2)
    problem = Problem(laws, noise=noise, epsilon="log(8/3)")
    assert certify(problem).verdict is Verdict.CERTIFIED
    assert kernel_word(problem) == "certified"
    assert certify(problem.replaced(epsilon="log(8/3)-1e-20")).verdict is Verdict.REFUTED


def test_a_delta_that_is_met_exactly_is_not_refuted() -> None:
    """Both ends at epsilon = 0: p exceeds q up to the middle, by (1 - t)/(1 + t), t = e^-3."""
    bare = Problem(ENDS, noise=BoundedLaplace(1, 0, 6), epsilon=0,
                   delta="(1-exp(-3))/(1+exp(-3))")  # fmt: skip
    result = certify(bare)
    assert result.verdict in (Verdict.CERTIFIED, Verdict.UNDECIDED)  # never refuted at a tie
    if result.verdict is Verdict.CERTIFIED:
        assert kernel_word(bare) == "certified"
    less = bare.replaced(delta="(1-exp(-3))/(1+exp(-3))-1e-20")
    assert certify(less).verdict is Verdict.REFUTED
    assert kernel_word(less) == "refuted"


def test_equal_laws_are_private() -> None:
    problem = Problem({"a": MIXED["a"], "b": MIXED["a"]}, noise=BoundedLaplace(3, 0, 6), epsilon=0)
    assert certify(problem).verdict is Verdict.CERTIFIED
    assert kernel_word(problem) == "certified"


# ------------------------------------------------------------------------------- metamorphic


@pytest.mark.parametrize("seed", range(4))
def test_a_mirror_another_unit_and_a_shift_change_nothing(seed: int) -> None:
    rng = Random(seed)
    laws, noise = random_case(rng)
    problem = Problem(laws, noise=noise, epsilon="1/3", delta="1/10")
    assert noise.scale is not None
    for factor, shift in ((-1, 0), (3, 2)):
        ends = sorted(factor * end + shift for end in (noise.low, noise.high))
        moved = {
            name: Discrete({factor * x + shift: m for x, m in law.mass.items()})
            for name, law in laws.items()
        }
        other = Problem(
            moved, noise=BoundedLaplace(f"({noise.scale.text})*{abs(factor)}", *ends),
            epsilon="1/3", delta="1/10",
        )  # fmt: skip
        one, two = loss(problem), loss(other)
        assert (one.epsilon_star, one.delta) == (two.epsilon_star, two.delta)


def test_a_wide_window_is_nearly_laplace_noise() -> None:
    wide = Problem(MIXED, noise=BoundedLaplace(1, -60, 60), epsilon="1/4")
    bare = Problem(MIXED, noise=Laplace(1), epsilon="1/4")
    one, other = (real(loss(problem).delta.upper) for problem in (wide, bare))
    assert abs(one - other) < mpmath.mpf(10) ** -12


def test_many_atoms_are_decided() -> None:
    laws = {
        "a": Discrete({k: Fraction(1, 41) for k in range(41)}),
        "b": Discrete({k: Fraction(k + 1, 861) for k in range(41)}),
    }
    for delta in ("0", "1/50", "1/10"):
        problem = Problem(laws, noise=BoundedLaplace(5, 0, 40), epsilon="1/4", delta=delta)
        assert kernel_word(problem) == certify(problem).verdict


# ------------------------------------------------------------------------------- the kernel refuses


@pytest.mark.parametrize(
    ("other", "word"),
    [({}, "certified"), ({"scale": "29/10"}, "rejected"), ({"high": "21/2"}, "certified"),
     ({"low": "-1/2"}, "rejected")],
)  # fmt: skip
def test_the_proof_of_one_noise_is_tried_on_another(other: dict[str, str], word: str) -> None:
    problem = Problem(MIXED, noise=BoundedLaplace(3, 0, 10), epsilon="1/5", delta="0.14758")
    steps = [{"rule": "kept", "belief": "default", "from": a, "to": b} for a, b in ("ab", "ba")]
    table = problem.to_table()
    table["noise"] |= other
    changed = Problem.from_table(table)
    assert certify(changed).verdict is (
        Verdict.CERTIFIED if word == "certified" else Verdict.REFUTED
    )
    assert kernel_said(changed, Verdict.CERTIFIED, steps)[0] == word


def test_an_event_beyond_the_window_proves_nothing() -> None:
    problem = Problem(MIXED, noise=BoundedLaplace(3, 0, 10), epsilon="1/5", delta="0.14")
    step = {"rule": "event-refuted", "belief": "default", "from": "b", "to": "a", "bits": 128,
            "margin": "1e-4"}  # fmt: skip
    for event, word in (
        ([["4.27", "10"]], "refuted"), ([["4.27", "11"]], "rejected"),
        ([["4.27", "inf"]], "rejected"), ([["-inf", "1"]], "rejected"),
    ):  # fmt: skip
        text = [[str(Fraction(x)) if "inf" not in x else x for x in span] for span in event]
        assert kernel_said(problem, Verdict.REFUTED, [{**step, "event": text}])[0] == word


def test_the_digest_is_that_of_the_kernel() -> None:
    table = Problem(MIXED, noise=BoundedLaplace("3/2", "-1/2", 7), epsilon=1).to_table()
    assert problem_digest(Problem.from_table(table)) == kernel_digest(table)


# ------------------------------------------------------------------------------- the rest


def test_scales_are_tried_one_by_one() -> None:
    problem = Problem(MIXED, noise=BoundedLaplace(3, 0, 10), epsilon="1/5", delta="0.15")
    found = calibrate(problem)
    assert "not always more private" in found.not_applicable["minimum"]
    for method in found.methods.values():
        again = problem.under(problem.release.noise.with_scale(str(method.scale)))
        assert certify(again).verdict is method.verdict


def test_its_error_is_that_of_a_value_at_an_end() -> None:
    noise, truth = BoundedLaplace(2, 0, 5), Truth(Fraction(2), Fraction(0), Fraction(5))
    errors = []
    for x in (0, 1, Fraction(5, 2)):
        size, square = (truth.error(Fraction(x), power) for power in (1, 2))
        errors.append((mpmath.sqrt(square), size))
    assert abs(float(noise.sd(Fraction(2)).mid()) - errors[0][0]) < 1e-12
    assert abs(float(noise.mean_abs(Fraction(2)).mid()) - errors[0][1]) < 1e-12
    assert errors == sorted(errors, reverse=True)


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        ({"high": None}, "high: missing, expected the highest output"),
        ({"low": 10}, "high: 10 is not above low = 10"),
        ({"low": "sqrt(2)"}, "low: "),
        ({"scale": -1}, "scale: -1 is negative"),
        ({"low": 2}, "prior of 'a': atom 0 is not in the window from 2 to 10"),
        ({"high": 4}, "prior of 'b': atom 5 is not in the window"),
        ({"step": 1}, "step: only discrete-laplace noise has a step"),
        ({"releases": 2}, "noise: bounded-laplace noise on several numbers, in many releases"),
        ({"total": 2, "scale": None}, "noise: bounded-laplace noise on several numbers"),
    ],
)
def test_bad_input_is_one_line(
    noise: dict[str, Any], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stated = {"kind": "bounded-laplace", "scale": 1, "low": 0, "high": 10, **noise}
    table = Problem(MIXED, noise=Laplace(1), epsilon=1).to_table()
    table["noise"] = {key: x for key, x in stated.items() if x is not None}
    path = tmp_path / "p.json"
    path.write_text(json.dumps(table), "utf-8")
    code = main(["certify", str(path)])
    told = capsys.readouterr().err
    assert (code, told.count("\n")) == (2, 1)
    assert message in told


def test_what_is_not_worked_out_is_refused() -> None:
    from pfverify.model.releases.composition import ComposedReleases

    noise = BoundedLaplace(1, 0, 10)
    with pytest.raises(InputError, match="before steps is not worked out"):
        Problem(MIXED, noise=noise, epsilon=1, post=[{"round": {"to": 1}}])
    with pytest.raises(InputError, match=r"^parts\[0\]: noise: bounded-laplace noise"):
        ComposedReleases([(noise, 2)])
    with pytest.raises(InputError, match="takes atoms, not a prior of kind gaussian"):
        Problem(MIXED | {"b": Gaussian(0, sd=1)}, noise=noise, epsilon=1)
    with pytest.raises(InputError, match="continuous"):
        sample(noise)
    known = Problem.load("example:four-users-laws").to_table() | {"noise": noise.to_table()}
    known["noise"] |= {"high": 40}
    assert certify(Problem.from_table(known | {"delta": "1/10"})).verdict is Verdict.CERTIFIED
    system = {key: x for key, x in known["system"].items() if key != "others"} | {"rest": "any"}
    with pytest.raises(InputError, match=r"system\.rest: any needs noise that does not depend"):
        Problem.from_table(known | {"system": system})
    with pytest.raises(InputError, match="no route decides"):
        certify(Problem(MIXED, noise=noise, epsilon=1, form="pointwise", delta="1/10"))

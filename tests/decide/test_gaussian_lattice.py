"""Discrete Gaussian noise: known values, sums of floats with many digits, and the kernel."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import mpmath
import pytest
from support.kernel_run import accepted_certificate

from pfverify import (
    Discrete,
    DiscreteGaussian,
    InputError,
    Problem,
    certify,
    loss,
)

F = Fraction
POINTS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
SPREAD = {"a": Discrete(dict.fromkeys(range(5), "1/5")), "b": Discrete({2: 1})}


def asked(priors: Any, variance: Any, epsilon: Any, delta: Any = 0, step: Any = 1) -> Problem:
    noise = DiscreteGaussian(variance=variance, step=step)
    return Problem(priors, noise=noise, epsilon=epsilon, delta=delta)


def kernel_word(problem: Problem) -> str:
    found: str = accepted_certificate(problem.to_table(), problem, certify(problem))[1]
    return found


@pytest.mark.parametrize(
    ("priors", "variance", "epsilon", "delta"),
    [
        (POINTS, 1, 1, "0.141351339405"),
        (POINTS, 4, 1, "0.00724877684595"),
        (POINTS, "1/4", 1, "0.603204869166"),
        (POINTS, "1/2", 1, "0.189658529428"),
        (POINTS, "0.55", 1, "0.192107878401"),  # more noise, and less private
        (SPREAD, 4, "1/10", "0.0828790853438"),
    ],
)
def test_known_values(priors: Any, variance: Any, epsilon: Any, delta: str) -> None:
    found = loss(asked(priors, variance, epsilon))
    assert found.delta is not None
    assert str(found.delta.lower) == delta
    above, below = F(delta) + F(1, 10**9), F(delta) - F(1, 10**9)
    assert kernel_word(asked(priors, variance, epsilon, above)) == "certified"
    assert kernel_word(asked(priors, variance, epsilon, below)) == "refuted"


def summed(p: Any, q: Any, variance: Fraction, growth: Any) -> Any:
    reach = int(12 * float(variance) ** 0.5) + 3
    points = range(-reach - 5, reach + 15)

    def mass(law: Any, k: int) -> Any:
        v = mpmath.mpf(variance.numerator) / variance.denominator
        return sum(
            mpmath.mpf(m.numerator) / m.denominator * mpmath.exp(-((k - int(x)) ** 2) / (2 * v))
            for x, m in law.items()
        )

    whole = sum(mass({F(0): F(1)}, k) for k in range(-reach - 20, reach + 21))
    gaps = [mass(p, k) - growth * mass(q, k) for k in points]
    return sum(max(gap, mpmath.mpf(0)) for gap in gaps) / whole


def test_divergences_are_sums_over_the_lattice() -> None:
    random, positive = Random(5), 0
    for _ in range(12):
        laws = []
        for _ in range(2):
            atoms = random.sample(range(8), random.randint(1, 4))
            sizes = [random.randint(1, 6) for _ in atoms]
            laws.append({F(x): F(s, sum(sizes)) for x, s in zip(atoms, sizes, strict=True)})
        variance, epsilon = F(random.randint(1, 20), 3), F(random.randint(0, 8), 5)
        priors = {"a": Discrete(laws[0]), "b": Discrete(laws[1])}
        found = loss(asked(priors, variance, epsilon, "1/20"))
        with mpmath.workdps(40):
            growth = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
            for pair in found.pairs:
                p, q = laws if pair.from_ == "a" else laws[::-1]
                true = summed(p, q, variance, growth)
                assert pair.delta is not None
                assert mpmath.mpf(str(pair.delta.lower)) - mpmath.mpf(10) ** -25 <= true
                assert true <= mpmath.mpf(str(pair.delta.upper)) + mpmath.mpf(10) ** -25
                positive += true > 0.001
        problem = asked(priors, variance, epsilon, "1/20")
        assert kernel_word(problem) == certify(problem).verdict
    assert positive > 8


def test_shared_ends_bound_the_loss_and_tie_far_out() -> None:
    shared = {"a": Discrete({0: "1/2", 1: "1/4", 2: "1/4"}),
              "b": Discrete({0: "1/4", 1: "1/4", 2: "1/2"})}  # fmt: skip
    assert str(loss(asked(shared, 1, 1)).epsilon_star.upper) == "0.69314718056"
    tie = certify(asked(shared, 1, "log(2)"))
    assert (tie.verdict, tie.pairs[0].rule) == ("certified", "pure")
    assert kernel_word(asked(shared, 1, "log(2)")) == "certified"
    assert kernel_word(asked(shared, 1, "69/100")) == "refuted"
    # what is left of the outermost atoms is tiny, and still decides the tail
    assert kernel_word(asked(shared, 1, "log(2) + 1e-40")) == "certified"
    assert kernel_word(asked(shared, 1, "log(2) - 1e-40")) == "refuted"
    assert str(loss(asked(POINTS, 1, 1)).epsilon_star.upper) == "inf"


def test_the_step_is_a_unit() -> None:
    half = {"a": Discrete({0: 1}), "b": Discrete({"1/2": 1})}
    one, other = loss(asked(half, 1, 1, step="1/2")), loss(asked(POINTS, 4, 1))
    assert one.delta == other.delta


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="discrete Gaussian noise needs all atoms"):
        asked({"a": Discrete({0: 1}), "b": Discrete({"1/3": 1})}, 1, 1)
    with pytest.raises(InputError, match="no route decides"):
        certify(Problem(POINTS, noise=DiscreteGaussian(1), epsilon=1, form="pointwise"))

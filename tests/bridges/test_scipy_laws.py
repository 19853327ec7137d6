"""Laws of scipy.stats as priors: exactly theirs, or refused with the reason."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import scipy.stats as ss
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Discrete, Gaussian, InputError, Laplace, Mixture, Problem, certify
from pfverify.bridges.scipy_laws import prior_of_frozen

F = Fraction
TAKEN: list[tuple[Any, Any]] = [
    (ss.norm(1, 2), Gaussian(1, sd=2)),
    (ss.norm(), Gaussian(0, sd=1)),
    (ss.norm(scale=0.1, loc=-3), Gaussian(-3, sd="1/10")),
    (ss.bernoulli(0.3), Discrete({0: F(7, 10), 1: F(3, 10)})),
    (ss.bernoulli(F(1, 3)), Discrete({0: F(2, 3), 1: F(1, 3)})),
    (ss.bernoulli(1), Discrete({1: 1})),
    (ss.binom(2, 0.5, loc=3), Discrete({3: F(1, 4), 4: F(1, 2), 5: F(1, 4)})),
    (ss.binom(n=2, p=0.5), Discrete({0: F(1, 4), 1: F(1, 2), 2: F(1, 4)})),
    (ss.randint(-1, 2), Discrete({x: F(1, 3) for x in (-1, 0, 1)})),
    (ss.hypergeom(4, 2, 2), Discrete({0: F(1, 6), 1: F(2, 3), 2: F(1, 6)})),
    (ss.rv_discrete(values=([0, 2], [0.2, 0.8])), Discrete({0: F(1, 5), 2: F(4, 5)})),
    (ss.rv_discrete(values=([0, 2], [0.2, 0.8]))(loc=1), Discrete({1: F(1, 5), 3: F(4, 5)})),
]


@pytest.mark.parametrize(("law", "prior"), TAKEN)
def test_a_law_is_the_prior_that_it_says(law: Any, prior: Any) -> None:
    asked: dict[str, Any] = {"noise": Laplace(9), "epsilon": 1}
    found, same = (Problem({"a": x, "b": Gaussian(0, sd=1) if isinstance(prior, Gaussian)
                            else Discrete({0: 1})}, **asked) for x in (law, prior))  # fmt: skip
    assert found == same
    assert certify(found).verdict == certify(same).verdict
    assert Problem.from_table(found.to_table()) == found


@pytest.mark.skipif(not hasattr(ss, "Normal"), reason="scipy 1.15 has objects of laws")
def test_objects_of_laws_are_taken() -> None:
    normal, other = ss.Normal(mu=1, sigma=0.5), ss.Normal()
    assert prior_of_frozen(normal) == Gaussian(1, sd="1/2")
    mixed = ss.Mixture([normal, other], weights=[0.25, 0.75])
    assert prior_of_frozen(mixed) == Mixture([
        {"weight": "1/4", "mean": 1, "sd": "1/2"}, {"weight": "3/4", "mean": 0, "sd": 1},
    ])  # fmt: skip
    with pytest.raises(InputError, match="Mixture: of a Uniform, expected Normal alone"):
        prior_of_frozen(ss.Mixture([normal, ss.Uniform(a=0, b=1)]))


@given(st.integers(0, 12), st.integers(0, 100), st.integers(1, 9), st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_masses_are_those_of_scipy_and_sum_to_one(n: int, part: int, good: int, k: int) -> None:
    p = part / 100
    for law in (ss.binom(n, p), ss.hypergeom(9, good, k), ss.bernoulli(p), ss.randint(-n, good)):
        prior = prior_of_frozen(law)
        assert isinstance(prior, Discrete)
        assert sum(prior.mass.values()) == 1
        for x, mass in prior.mass.items():
            assert float(mass) == pytest.approx(float(law.pmf(int(x))), rel=1e-9, abs=1e-12)


REFUSED: list[tuple[Any, str]] = [
    (ss.poisson(3), "poisson: it has infinitely many values"),
    (ss.geom(0.5), "geom: it has infinitely many values"),
    (ss.uniform(), "uniform: a prior with a density is normal"),
    (ss.laplace(), "laplace: a prior with a density is normal"),
    (ss.boltzmann(1.4, 19), "boltzmann: its chances are not exactly"),
    (ss.multivariate_normal([0, 0]), "a multivariate_normal_frozen of scipy is not known"),
    (ss.gaussian_kde([1, 2, 3]), "a gaussian_kde of scipy is not known"),
    (ss.norm([0, 1], 1), r"loc: \[0, 1\] is no finite number"),
    (ss.norm(0, 0), "norm: the scale 0 is not > 0"),
    (ss.norm(0, -1), "norm: the scale -1 is not > 0"),
    (ss.norm(float("nan")), "loc: nan is no finite number"),
    (ss.bernoulli(1.5), r"p: 1.5 is outside \[0, 1\]"),
    (ss.binom(2.5, 0.5), "n: 2.5 is not a whole number from 0 to 1000"),
    (ss.binom(10**6, 0.5), "n: 1000000 is not a whole number from 0 to 1000"),
    (ss.randint(3, 3), "randint: 0 values"),
    (ss.randint(0, 10**9), "randint: 1000000000 values"),
    (ss.hypergeom(4, 5, 2), "hypergeom: 5 of 4"),
    (ss.rv_discrete(values=([0, 1, 2], [1 / 3] * 3)), "the chances sum to 0.9999|9999999"),
    (ss.norm, "a norm_gen of scipy is not known, expected norm"),
]


@pytest.mark.parametrize(("law", "said"), REFUSED)
def test_another_law_is_refused_with_the_reason(law: Any, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        Problem({"a": law, "b": Discrete({0: 1})}, noise=Laplace(4), epsilon=1)
    assert str(caught.value).startswith("prior of 'a': ")
    assert "\n" not in str(caught.value)

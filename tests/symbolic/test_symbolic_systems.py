"""Statements about systems of users: against the derived priors, and against calibrate."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from support.latex_grammar import assert_latex

from pfverify import Discrete, Gaussian, InputError, Laplace, Problem, System, calibrate
from pfverify.exact.ball import Ball, precision, raw
from pfverify.symbolic.systems import largest_value, present_or_absent, released_law, two_values

OTHERS = [
    {"bernoulli": "1/3", "count": 3, "presence": "2/3"},
    {"mass": {-1: "1/4", "5/2": "3/4"}, "presence": "1/2"},
    {"mean": 1, "variance": "1/9", "count": 2},
]
USER = {"five": {"point": 5}, "P": {"mass": {0: "1/2", 3: "1/2"}}, "away": "absent"}


@pytest.mark.parametrize("release", ["sum", "mean"])
@pytest.mark.parametrize("model", ["all", "independent"])
@pytest.mark.parametrize("rest", ["known", "any"])
def test_the_law_is_that_of_the_derived_prior(release: str, model: str, rest: str) -> None:
    system = System(OTHERS, USER, release=release, presence_model=model, rest=rest)
    priors = Problem(system=system, noise=Laplace(1), epsilon=1).beliefs["default"]
    for secret in USER:
        law = released_law(system, secret)
        assert_latex(law.latex)
        for s in (Fraction(0), Fraction(1, 3), Fraction(-2)):
            found = law.value(**({"s": s} if law.parameters else {}), bits=200)
            with precision(200):
                total = raw(0)
                for weight, mean, variance in priors[secret].components:
                    total += raw(weight) * raw(mean * s + variance * s**2 / 2).exp()
                gap = Ball(total) - found
            assert gap.certain_sign() is None
            assert gap.raw.rad() < 1e-40


def test_the_closed_forms_are_the_scales_of_calibrate() -> None:
    rng = Random("systems")
    for _ in range(8):
        atoms = rng.sample(range(-4, 6), 2)
        law = Discrete(counts={a: rng.randint(1, 5) for a in atoms})
        user = {"P": law, "a": "absent"}
        problem = Problem(system=System([], user), noise=Laplace(1), epsilon="1/2")
        methods = calibrate(problem).methods
        largest = largest_value(law).value(epsilon="1/2")
        assert largest.raw == raw(Fraction(methods["user_largest"].scale))
        scale = Fraction(methods["user_moment"].scale)
        condition = present_or_absent(law)
        assert condition.value(theta=scale, epsilon="1/2").certain_sign() in (-1, None)
        below = condition.value(theta=scale * (1 - Fraction(1, 10**10)), epsilon="1/2")
        assert below.certain_sign() == 1
    assert two_values(Fraction(5), Fraction(3)).value(epsilon=1).raw == 2


def test_what_is_refused() -> None:
    system = System(OTHERS, USER)
    with pytest.raises(InputError, match="has no secret 'Q', it has 'five', 'P', 'away'"):
        released_law(system, "Q")
    for state in (present_or_absent, largest_value):
        with pytest.raises(InputError, match="expected Discrete, got Gaussian"):
            state(Gaussian(0, 1))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="epsilon > 0"):
        two_values(Fraction(1), Fraction(2)).value(epsilon=0)

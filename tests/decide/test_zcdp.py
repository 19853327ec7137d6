"""The form zcdp against dense orders in mpmath, at its known values, at ties, and at its limits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kernel_run import accepted_certificate

from pfverify import (
    Channel,
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    NoNoise,
    Problem,
    Repeated,
    calibrate,
    certify,
    loss,
)
from pfverify.decide.renyi.bracketed import rho_of
from pfverify.decide.renyi.chords import is_below
from pfverify.model.notion import Renyi

UNIFORM, POINT = Discrete(dict.fromkeys(range(5), "1/5")), Discrete({2: 1})
ONE = Discrete({0: 1}), Discrete({1: 1})
PLACES = [mpmath.mpf(2) ** (k / mpmath.mpf(4)) for k in range(-60, 33)]
"""Orders less 1 at which the oracle looks."""


def problem(first: Any, second: Any, noise: Any, rho: object = 1, form: object = "zcdp") -> Problem:
    return Problem({"a": first, "b": second}, noise=noise, epsilon=rho, form=form)


def kernel_word(of: Problem) -> str:
    return accepted_certificate(of.to_table(), of, certify(of))[1]


def rhos(of: Problem) -> dict[str, tuple[Fraction, Any]]:
    """The ends of the largest divergence over its order, by the first secret."""
    return {
        pair.from_: (pair.divergence.lower, pair.divergence.upper)
        for pair in loss(of).pairs if pair.divergence is not None
    }  # fmt: skip


def mp(x: Any) -> Any:
    value = Fraction(x)
    return mpmath.mpf(value.numerator) / value.denominator


def dense(p: list[Fraction], q: list[Fraction]) -> Any:
    """The largest D_a/a of masses over many orders, and what it comes to at 1."""
    with mpmath.workdps(40):
        pairs = [(mp(x), mp(y)) for x, y in zip(p, q, strict=True) if x]
        found = mpmath.fsum(x * mpmath.log(x / y) for x, y in pairs)
        for place in PLACES:
            a = 1 + place
            r = mpmath.fsum(y * (x / y) ** a for x, y in pairs)
            found = max(found, mpmath.log(r) / (a * (a - 1)))
        return found


def masses() -> Any:
    whole = st.lists(st.integers(1, 9), min_size=3, max_size=3)
    return whole.map(lambda found: [Fraction(x, sum(found)) for x in found])


@settings(max_examples=20, deadline=None)
@given(masses(), masses())
def test_masses_against_dense_orders(p: list[Fraction], q: list[Fraction]) -> None:
    one, two = (Discrete(dict(enumerate(law))) for law in (p, q))
    found = rhos(problem(one, two, NoNoise()))
    for secret, first, second in (("a", p, q), ("b", q, p)):
        low, high = found[secret]
        most = dense(first, second)
        assert mp(high) >= most * (1 - mpmath.mpf("1e-13"))
        # between two orders of the oracle it is not much larger
        assert mp(low) <= most * mpmath.mpf("1.01")


@settings(max_examples=12, deadline=None)
@given(masses(), masses(), st.sampled_from(["1/2", "9/10", "999/1000", "1001/1000", "11/10"]))
def test_a_verdict_is_that_of_dense_orders_and_the_kernel_has_it(
    p: list[Fraction], q: list[Fraction], share: str
) -> None:
    if p == q:
        return
    most = max(dense(p, q), dense(q, p))
    rho = Fraction(str(mpmath.nstr(most, 15))) * Fraction(share)
    asked = problem(*(Discrete(dict(enumerate(law))) for law in (p, q)), NoNoise(), rho)
    found = certify(asked)
    if Fraction(share) < 1:
        assert found.refuted
    elif Fraction(share) > Fraction(101, 100):
        assert found.certified
    assert kernel_word(asked) == str(found.verdict)


def test_randomized_response_comes_to_its_kullback_leibler_divergence() -> None:
    rows = {"kind": "matrix", "inputs": ["a", "b"], "outputs": ["x", "y"],
            "rows": [["3/4", "1/4"], ["1/4", "3/4"]]}  # fmt: skip
    asked = Problem(channel=Channel.of(rows), form="zcdp", epsilon="log(3)/2")
    low, high = rhos(asked)["a"]
    with mpmath.workdps(30):
        assert mp(low) <= mpmath.log(3) / 2 <= mp(high)
    assert high - low <= Fraction(2, 10**12)
    found = certify(asked)  # a tie of the limit
    assert found.undecided
    assert "Kullback-Leibler" in found.reasons[0]
    for more, word in (("1/100000000", "certified"), ("-1/100000000", "refuted")):
        near = asked.replaced(epsilon=f"log(3)/2 + {more}")
        assert kernel_word(near) == str(certify(near).verdict) == word


@pytest.mark.parametrize("scale", ["1/2", "3"])
def test_two_points_with_laplace_noise(scale: str) -> None:
    """D_a/a falls in a here, from d + e^-d - 1, d the distance over the scale."""
    low, high = rhos(problem(*ONE, Laplace(scale)))["a"]
    with mpmath.workdps(30):
        d = 1 / mp(scale)
        assert mp(low) <= d + mpmath.exp(-d) - 1 <= mp(high)
    assert (high - low) / low < Fraction(1, 10**11)


def test_it_is_at_least_every_divergence_over_its_order() -> None:
    noise = Laplace(3)
    found = rhos(problem(UNIFORM, POINT, noise))
    for order in ("9/8", "3", "8", "40"):
        for pair in loss(problem(UNIFORM, POINT, noise, 1, Renyi(order))).pairs:
            assert pair.divergence is not None
            assert Fraction(pair.divergence.lower) / Fraction(order) <= found[pair.from_][1]


def test_two_gaussian_points_tie_exactly() -> None:
    asked = problem(*ONE, GaussianNoise(variance="3/2"), "1/3")
    assert [pair.tie for pair in certify(asked).pairs] == [True, True]
    third = Fraction("0.333333333333"), Fraction("0.333333333334")
    assert rhos(asked) == dict.fromkeys("ab", third)
    assert kernel_word(asked) == "certified"
    less = asked.replaced(epsilon=Fraction(1, 3) - Fraction(1, 10**30))
    assert kernel_word(less) == "refuted"
    witness = certify(less).pairs[0].witness
    assert witness is not None
    assert str(witness.order) == "inf"


def test_a_law_that_is_moved_ties_where_the_limit_is() -> None:
    moved = Discrete({x + 3: "1/5" for x in range(5)})
    asked = problem(UNIFORM, moved, GaussianNoise(2), "9/8")
    assert [pair.tie for pair in certify(asked).pairs] == [True, True]
    assert kernel_word(asked) == "certified"
    assert kernel_word(asked.replaced(epsilon="112/100")) == "refuted"


def test_atoms_that_reach_beyond_others_with_gaussian_noise() -> None:
    """Where neither law is moved as a whole by what its ends are."""
    p, q = Discrete({0: "9/10", 3: "1/10"}), Discrete({0: "1/10", 2: "9/10"})
    asked = problem(p, q, GaussianNoise(1), 2)
    low, high = rhos(asked)["a"]
    assert Fraction(1, 2) <= low <= high < 2
    for pair in loss(problem(p, q, GaussianNoise(1), 2, Renyi(3))).pairs:
        assert pair.divergence is not None
        assert Fraction(pair.divergence.lower) / 3 <= rhos(asked)[pair.from_][1]
    for rho in ("2", "3/10"):
        one = asked.replaced(epsilon=rho)
        assert kernel_word(one) == str(certify(one).verdict) != "undecided"


def test_normal_laws_of_two_variances_have_no_rho() -> None:
    laws = Gaussian(0, variance=1), Gaussian(1, variance=2)
    asked = problem(*laws, GaussianNoise(3), 1)
    found = certify(asked)
    assert found.refuted
    assert rhos(asked)["b"][1] == "inf"
    assert kernel_word(asked) == "refuted"
    least = calibrate(asked).minimum
    assert least.upper == "inf"
    assert "different variances" in str(least.reason)
    one = problem(Gaussian(0, variance=1), Gaussian(1, variance=1), GaussianNoise(3), "1/20")
    assert [pair.tie for pair in certify(one).pairs] == [True, True]


def test_an_output_that_only_one_law_has_is_refuted() -> None:
    asked = problem(Discrete({0: "1/2", 1: "1/2"}), Discrete({0: 1}), NoNoise(), 100)
    assert certify(asked).refuted
    assert kernel_word(asked) == "refuted"
    assert rhos(asked)["a"] == ("inf", "inf")


def test_equal_laws_and_rho_0() -> None:
    assert kernel_word(problem(UNIFORM, UNIFORM, Laplace(1), 0)) == "certified"
    assert kernel_word(problem(UNIFORM, POINT, Laplace(1), 0)) == "refuted"
    assert kernel_word(problem(UNIFORM, POINT, GaussianNoise(1), 0)) == "refuted"


@pytest.mark.parametrize("noise", [Laplace(3), DiscreteLaplace(3, step=1), GaussianNoise(3)])
def test_fresh_draws_add_up(noise: Any) -> None:
    one = rhos(problem(UNIFORM, POINT, noise))
    many = problem(UNIFORM, POINT, Repeated(noise, count=4, draws="fresh"))
    for secret, (low, high) in rhos(many).items():
        assert 4 * one[secret][0] <= high
        assert low <= 4 * one[secret][1]
    for rho in (1, "1/50"):
        asked = many.replaced(epsilon=rho)
        assert kernel_word(asked) == str(certify(asked).verdict) != "undecided"


def test_known_scales() -> None:
    found = calibrate(problem(UNIFORM, POINT, GaussianNoise(), "1/40"))
    assert str(found.minimum.upper) == "8.94427191"  # 2/sqrt(2 rho), as that for a moved law
    assert str(found.methods["zcdp_w_inf"].scale) == "8.94427191"
    found = calibrate(problem(UNIFORM, POINT, Laplace(), "1/40"))
    assert str(found.minimum.upper) == "2.37660185412"
    assert found.methods["zcdp_w_inf"].certified


def test_a_least_scale_is_the_root_of_rho() -> None:
    asked = problem(*ONE, Laplace(), "1/10")
    least = calibrate(asked, digits=6).minimum
    for scale, inside in ((least.lower, False), (least.upper, True)):
        low, high = rhos(asked.replaced(scale=str(scale)))["a"]
        assert (high <= Fraction(1, 10)) if inside else (low > Fraction(1, 10))


def test_scale_0_where_no_noise_is_needed() -> None:
    near = Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "2/5", 1: "3/5"})
    for noise in (Laplace(), GaussianNoise()):
        assert calibrate(problem(*near, noise, "1/10")).minimum.upper == 0


@pytest.mark.parametrize(
    ("noise", "prior"),
    [(Laplace(1), Gaussian(0, variance=1)), (Repeated(Laplace(1), count=3), Discrete({0: 1}))],
)
def test_what_no_route_takes_is_refused_by_name(noise: Any, prior: Any) -> None:
    for ask in (certify, loss, calibrate):
        with pytest.raises(InputError, match=r"form: zcdp.* is (not )?decided of"):
            ask(problem(prior, UNIFORM, noise))


@settings(max_examples=60, deadline=None)
@given(*[st.fractions(0, 9, max_denominator=16) for _ in range(4)])
def test_what_a_chord_needs_is_enough_and_not_much_too_much(
    low: Fraction, width: Fraction, at_low: Fraction, rise: Fraction
) -> None:
    x = 1 + low, at_low if low else Fraction(0)
    y = x[0] + width + 1, x[1] + rise
    need = rho_of(x, y, 64)
    if low:
        assert is_below(x, y, need)
        assert not need or not is_below(x, y, need * Fraction(999, 1000))


@pytest.mark.parametrize("epsilon", ["log(2)", "1/2", "sqrt(2)/3"])
def test_a_rho_that_no_order_meets_is_no_tie(epsilon: str) -> None:
    priors = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: 1})}
    found = certify(Problem(priors, noise=Laplace(2), epsilon=epsilon, form="zcdp"))
    assert (found.verdict.value, [pair.tie for pair in found.pairs]) == ("certified", [False] * 2)

"""The form renyi of mixtures of normal laws of several variances, against quadrature in mpmath."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kernel_run import accepted_certificate

from pfverify import Gaussian, GaussianNoise, Mixture, NoNoise, Problem, calibrate, certify, loss
from pfverify.decide.renyi.bells import OfBells
from pfverify.decide.renyi.mixtures import OfMixtures
from pfverify.exact.ball import Ball, precision
from pfverify.model.notion import Renyi
from pfverify.model.priors.prior import Component

Parts = list[tuple[str, str, str]]  # weight, mean, variance


def mixture(parts: Parts) -> Mixture:
    return Mixture([dict(zip(("weight", "mean", "variance"), x, strict=True)) for x in parts])


def problem(p: Any, q: Any, order: object, noise: Any, epsilon: object = 1) -> Problem:
    return Problem({"a": p, "b": q}, noise=noise, epsilon=epsilon, form=Renyi(order))


def ends(of: Problem) -> dict[str, tuple[Any, Any]]:
    return {x.from_: (x.divergence.lower, x.divergence.upper)  # type: ignore[union-attr]
            for x in loss(of).pairs}  # fmt: skip


def kernel_word(of: Problem) -> str:
    return accepted_certificate(of.to_table(), of, certify(of))[1]


def mp(x: Any) -> Any:
    return mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator


def by_quadrature(p: Any, q: Any, order: Any, added: Any) -> Any:
    def density(law: Any, y: Any) -> Any:
        return mpmath.fsum(
            mp(w) * mpmath.npdf(y, mp(m), mpmath.sqrt(mp(v) + mp(added)))
            for w, m, v in law.components
        )

    a = mp(order)
    cuts = mpmath.linspace(-36, 36, 37)
    found = mpmath.quad(lambda y: density(p, y) ** a * density(q, y) ** (1 - a), cuts)
    return mpmath.log(found) / (a - 1)


def test_at_equality_of_the_widths_the_means_decide() -> None:
    """N(0,2) against halves at -1 and 1 of variance 1, order 2: h falls as e to a line."""
    wide, two = Gaussian(0, variance=2), mixture([("1/2", "-1", "1"), ("1/2", "1", "1")])
    asked = problem(wide, two, 2, NoNoise(), "33/1000")
    low, high = ends(asked)["a"]
    assert str(low).startswith("0.0326441720847")
    assert str(high) == "0.0326441720848"
    assert kernel_word(asked) == "certified"
    less = asked.replaced(epsilon="0.0326441720847")
    assert kernel_word(less) == "refuted"


@pytest.mark.parametrize(
    ("means", "order", "infinite"),
    [
        (("-1", "1"), "2", False),
        (("0", "1"), "2", True),  # to the left h is level far out
        (("0", "0"), "2", True),
        (("-1", "1"), "201/100", True),  # in any finite window next to nothing is seen of it
        (("-1", "1"), "199/100", False),
        (("0", "0"), "199/100", False),
    ],
)
def test_where_it_is_infinite(means: Any, order: str, infinite: bool) -> None:
    two = mixture([("1/3", means[0], "1"), ("1/3", means[1], "1"), ("1/3", "0", "1/2")])
    asked = problem(Gaussian(0, variance=2), two, order, NoNoise(), 5)
    low, _ = ends(asked)["a"]
    assert (low == "inf") is infinite
    assert kernel_word(asked) == ("refuted" if infinite else "certified")


def test_a_weight_that_no_window_shows_makes_it_infinite() -> None:
    """A share of 1e-60 that is wider than the second law, and would be missed by quadrature."""
    tiny = Fraction(1, 10**60)
    p = Mixture([Component(1 - tiny, Fraction(0), Fraction(1)),
                 Component(tiny, Fraction(0), Fraction(2))])  # fmt: skip
    asked = problem(p, Gaussian(0, variance=1), 2, NoNoise(), 5)
    assert ends(asked)["a"] == ("inf", "inf")
    assert kernel_word(asked) == "refuted"


def parts() -> Any:
    one = st.tuples(
        st.integers(1, 4), st.integers(-3, 3), st.sampled_from(["1/2", "1", "2"])
    )
    some = st.lists(one, min_size=1, max_size=3, unique_by=lambda x: (x[1], x[2]))

    def made(found: Any) -> Mixture:
        total = sum(x[0] for x in found)
        return mixture([(f"{w}/{total}", str(m), v) for w, m, v in found])

    return some.map(made)


@settings(max_examples=4, deadline=None)
@given(parts(), parts(), st.sampled_from(["9/8", "3/2", "2", "7/2"]),
       st.sampled_from(["1/2", "1"]))  # fmt: skip
def test_mixtures_against_quadrature(p: Any, q: Any, order: str, variance: str) -> None:
    found = ends(problem(p, q, order, GaussianNoise(variance=variance)))
    a, added = Fraction(order), Fraction(variance)
    for secret, one, two in (("a", p, q), ("b", q, p)):
        wide, narrow = (max(v for _, _, v in x.components) + added for x in (one, two))
        lead = a * narrow - (a - 1) * wide
        if lead < 1:  # infinite, or too long for quadrature in a window
            assert lead >= 0 or found[secret][0] == "inf"
            continue
        with mpmath.workdps(20):
            value = by_quadrature(one, two, order, variance)
            low, high = map(mp, found[secret])
            assert low - mpmath.mpf("1e-12") <= value <= high + mpmath.mpf("1e-12")


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), st.integers(-2, 2)), min_size=1, max_size=3,
                unique_by=lambda x: x[1]), st.sampled_from(["3/2", "2", "5"]))  # fmt: skip
def test_cells_and_equal_steps_find_one_number(found: Any, order: str) -> None:
    one = Fraction(1)
    total = sum(w for w, _ in found)
    p = [Component(Fraction(w, total), Fraction(m), one) for w, m in found]
    q = [Component(Fraction(1, 2), Fraction(-1), one), Component(Fraction(1, 2), one, one)]
    with precision(64):
        cells = OfMixtures(p, q, Fraction(order)).ball()
        steps = OfBells(p, q, one, Fraction(order)).ball()
        assert cells.overlaps(steps)
        assert Ball(cells).raw.rad() < 2**-50 * Ball(cells).raw


def test_atoms_and_densities_without_noise() -> None:
    """R is that of the atoms and of the densities: 1/4/(1/2) + 3/4 sqrt(..) of equal laws."""
    half = mixture([("1/2", "0", "0"), ("1/2", "1", "1")])
    fourth = mixture([("1/4", "0", "0"), ("3/4", "1", "1")])
    asked = problem(half, fourth, 2, NoNoise(), "log(4/3)+1e-9")
    low, high = (mp(x) for x in ends(asked)["a"])
    with mpmath.workdps(20):
        assert low - mpmath.mpf("1e-15") <= mpmath.log(mpmath.mpf(4) / 3) <= high
    assert kernel_word(asked) == "certified"
    for other in (Gaussian(1, variance=1), mixture([("1/2", "3", "0"), ("1/2", "1", "1")])):
        bare = problem(half, other, 2, NoNoise())
        assert ends(bare)["a"] == ("inf", "inf")
        assert kernel_word(bare) == "refuted"


def test_the_least_scale_is_decided_on_both_sides() -> None:
    wide, two = Gaussian(0, variance=3), mixture([("1/2", "-1", "1"), ("1/2", "1", "1/2")])
    asked = problem(wide, two, 2, GaussianNoise(), "1/50")
    found = calibrate(asked).minimum
    assert certify(asked.replaced(scale=str(found.upper))).certified
    assert certify(asked.replaced(scale=str(found.lower))).refuted
    assert kernel_word(asked.replaced(scale=str(found.upper))) == "certified"


def test_laws_far_apart_are_undecided_and_say_so() -> None:
    far = mixture([("1/2", "0", "1"), ("1/2", "1" + "0" * 400, "2")])
    found = certify(problem(far, Gaussian(0, variance=3), 2, GaussianNoise(1)))
    assert found.verdict.value in ("undecided", "refuted")
    if found.verdict.value == "undecided":
        assert "too far apart" in found.reasons[0]

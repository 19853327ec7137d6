"""The form renyi against sums and quadrature in mpmath, at ties, and at its limits."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
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
from pfverify.model.notion import Renyi

UNIFORM, POINT = Discrete(dict.fromkeys(range(5), "1/5")), Discrete({2: 1})
ORDERS = [Fraction(x) for x in ("9/8", "3/2", "2", "5/2", "3", "7", "20")]
SCALES = [Fraction(x) for x in ("1/5", "1/2", "1", "3", "10")]


def problem(
    first: Discrete, second: Discrete, noise: Any, order: object, epsilon: object = 1
) -> Problem:
    return Problem(
        {"a": first, "b": second}, noise=noise, epsilon=epsilon, form=Renyi(order)
    )  # fmt: skip


def kernel_word(of: Problem) -> str:
    return accepted_certificate(of.to_table(), of, certify(of))[1]


def divergences(of: Problem, digits: int = 12) -> dict[str, tuple[Fraction, Fraction]]:
    """The ends by the first secret."""
    return {
        pair.from_: (Fraction(pair.divergence.lower), Fraction(pair.divergence.upper))
        for pair in loss(of, digits=digits).pairs if pair.divergence is not None
    }  # fmt: skip


def mp(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def about(found: tuple[Fraction, Fraction], value: Any, error: str = "1e-14") -> bool:
    slack = mpmath.mpf(error)
    return bool(mp(found[0]) - slack <= value <= mp(found[1]) + slack)


def by_quadrature(p: Discrete, q: Discrete, order: Fraction, scale: Fraction) -> Any:
    """The divergence with Laplace noise, by pieces between atoms; both tails are exponentials."""
    theta, a = mp(scale), mp(order)

    def density(law: Discrete, y: Any) -> Any:
        parts = (mp(m) * mpmath.exp(-abs(y - mp(x)) / theta) for x, m in law.mass.items())
        return mpmath.fsum(parts) / (2 * theta)

    def h(y: Any) -> Any:
        return density(p, y) ** a * density(q, y) ** (1 - a)

    atoms = [mp(x) for x in sorted({*p.mass, *q.mass})]
    total = theta * (h(atoms[0]) + h(atoms[-1]))
    for low, high in pairwise(atoms):
        total += mpmath.quad(h, mpmath.linspace(low, high, int((high - low) / theta) + 2))
    return mpmath.log(total) / (a - 1)


def by_sums(p: Discrete, q: Discrete, order: Fraction, scale: Fraction) -> Any:
    """The divergence with discrete Laplace noise on the integers, point by point."""
    t, a = mpmath.exp(-1 / mp(scale)), mp(order)
    low, high = min([*p.mass, *q.mass]), max([*p.mass, *q.mass])
    reach = int(80 * scale) + 80

    def mass(law: Discrete, y: int) -> Any:
        parts = (mp(m) * t ** abs(y - int(x)) for x, m in law.mass.items())
        return mpmath.fsum(parts) * (1 - t) / (1 + t)

    points = range(int(low) - reach, int(high) + reach + 1)
    total = mpmath.fsum(mass(p, y) ** a * mass(q, y) ** (1 - a) for y in points)
    return mpmath.log(total) / (a - 1)


def laws(low: int = -6, high: int = 6) -> Any:
    return st.dictionaries(st.integers(low, high), st.integers(1, 5), min_size=1, max_size=4).map(
        lambda counts: Discrete(counts=counts)
    )


@settings(max_examples=6, deadline=None)
@given(laws(), laws(), st.sampled_from(ORDERS), st.sampled_from(SCALES[1:]))
def test_laplace_noise_against_quadrature(
    p: Discrete, q: Discrete, order: Fraction, scale: Fraction
) -> None:
    found = divergences(problem(p, q, Laplace(scale), order))
    with mpmath.workdps(20):
        assert about(found["a"], by_quadrature(p, q, order, scale))


@settings(max_examples=15, deadline=None)
@given(laws(), laws(), st.sampled_from(ORDERS), st.sampled_from([x for x in SCALES if x <= 3]))
def test_discrete_laplace_noise_against_sums(
    p: Discrete, q: Discrete, order: Fraction, scale: Fraction
) -> None:
    found = divergences(problem(p, q, DiscreteLaplace(scale, step=1), order))
    with mpmath.workdps(30):
        assert about(found["a"], by_sums(p, q, order, scale))


@settings(max_examples=30, deadline=None)
@given(laws(0, 3), laws(0, 3), st.sampled_from(ORDERS))
def test_masses_against_their_sum(p: Discrete, q: Discrete, order: Fraction) -> None:
    found = loss(problem(p, q, NoNoise(), order)).pairs
    for pair, one, other in ((x, *((p, q) if x.from_ == "a" else (q, p))) for x in found):
        ends = pair.divergence
        assert ends is not None
        if not one.mass.keys() <= other.mass.keys():
            assert ends.lower == ends.upper == "inf"
            continue
        with mpmath.workdps(30):
            a = mp(order)
            terms = (mp(m) ** a * mp(other.mass[x]) ** (1 - a) for x, m in one.mass.items())
            value = mpmath.log(mpmath.fsum(terms)) / (a - 1)
            assert about((Fraction(ends.lower), Fraction(ends.upper)), value)


@settings(max_examples=5, deadline=None)
@given(laws(), laws(), st.sampled_from(SCALES))
def test_it_rises_in_the_order_to_the_loss(p: Discrete, q: Discrete, scale: Fraction) -> None:
    star = loss(problem(p, q, Laplace(scale), 2)).epsilon_star
    before = Fraction(0)
    for order in (*ORDERS, Fraction(60)):
        upper = divergences(problem(p, q, Laplace(scale), order))["a"][1]
        assert upper >= before
        before = upper
    assert before <= star.upper


@settings(max_examples=15, deadline=None)
@given(laws(), laws(), st.sampled_from(ORDERS))
def test_it_falls_in_the_scale(p: Discrete, q: Discrete, order: Fraction) -> None:
    uppers = [divergences(problem(p, q, Laplace(x), order))["a"][1] for x in SCALES]
    assert uppers == sorted(uppers, reverse=True)


KNOWN = [  # (scale, order) -> of the uniform law against the point, and back
    ("3", "2", "0.0209575773157", "0.0247692003518"),
    ("3", "3/2", "0.0161974872328", "0.0181175420005"),
]


@pytest.mark.parametrize(("scale", "order", "there", "back"), KNOWN)
def test_known_values(scale: str, order: str, there: str, back: str) -> None:
    found = divergences(problem(UNIFORM, POINT, Laplace(scale), order))
    assert about(found["a"], mpmath.mpf(there), "1e-12")
    assert about(found["b"], mpmath.mpf(back), "1e-12")


def test_known_scales_and_their_order() -> None:
    found = calibrate(problem(UNIFORM, POINT, Laplace(), 2, "1/10"))
    least, plan, far = (
        found.methods[name].scale for name in ("minimum", "renyi_coupling", "renyi_w_inf")
    )
    assert [str(x) for x in (least, plan, far)] == [
        "1.77401800463", "4.1324078689", "5.89199991008",
    ]  # fmt: skip
    assert all(found.methods[name].certified for name in ("renyi_coupling", "renyi_w_inf"))
    assert found.minimum.lower == Fraction("1.77401800462")


def test_what_needs_no_noise_and_what_no_noise_meets() -> None:
    near = Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "2/5", 1: "3/5"})
    assert calibrate(problem(*near, Laplace(), 2, 1)).minimum.upper == 0
    assert calibrate(problem(*near, Laplace(), 2, 0)).minimum.upper == "inf"


ONE = Discrete({0: 1}), Discrete({1: 1})
TIES = {
    "two points": problem(*ONE, Laplace("1/log(2)"), 2, "log(17/12)"),
    "order 5/2": problem(*ONE, Laplace("1/log(4)"), "5/2", "(2/3)*log(5/8*8 + 3/8/32)"),
    "lattice": problem(*ONE, DiscreteLaplace("1/log(2)", step=1), 2, "log(3/2)"),
    "equal laws": problem(UNIFORM, UNIFORM, Laplace(1), 2, 0),
    "masses": problem(
        Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "1/4", 1: "3/4"}), NoNoise(), 2, "log(4/3)"
    ),
}


@pytest.mark.parametrize("name", TIES)
def test_a_tie_is_certified_and_a_little_less_refuted(name: str) -> None:
    asked = TIES[name]
    assert any(pair.tie for pair in certify(asked).pairs) or certify(asked).certified
    if name == "masses":
        assert [pair.tie for pair in certify(asked).pairs if pair.from_ == "a"] == [True]
        asked = problem(
            Discrete({0: "1/4", 1: "3/4"}), Discrete({0: "1/2", 1: "1/2"}), NoNoise(), 2,
            "log(5/4)",
        )  # fmt: skip
        assert {pair.from_: pair.tie for pair in certify(asked).pairs}["a"]
        return
    assert certify(asked).certified
    assert kernel_word(asked) == "certified"
    if name != "equal laws":
        less = asked.replaced(epsilon=asked.epsilon.at_most() - Fraction(1, 10**9))
        assert certify(less).refuted
        assert kernel_word(less) == "refuted"


def test_a_point_under_q_and_a_whole_order_is_exact() -> None:
    """R of the uniform law against the point is 347/300."""
    asked = problem(UNIFORM, POINT, Laplace("1/log(2)"), 2, "log(347/300)")
    signs = {pair.from_: (pair.verdict.value, pair.tie) for pair in certify(asked).pairs}
    assert signs == {"a": ("certified", True), "b": ("refuted", False)}


def test_ties_of_orders_that_are_not_whole_are_exact_for_rational_masses() -> None:
    rows = {"kind": "matrix", "inputs": ["a", "b"], "outputs": ["x", "y"],
            "rows": [["1/3", "2/3"], ["2/3", "1/3"]]}  # fmt: skip
    asked = Problem(
        channel=Channel.of(rows), form=Renyi("3/2"),
        epsilon="2*log((1/6)*sqrt(2) + (4/3)/sqrt(2))",
    )  # fmt: skip
    assert [pair.tie for pair in certify(asked).pairs] == [True, True]
    assert kernel_word(asked) == "certified"


def test_a_tie_outside_the_exact_class_is_undecided_with_the_reason() -> None:
    """An epsilon that is log(17/12), of which no zero test knows it."""
    found = certify(problem(*ONE, Laplace("1/log(2)"), 2, "log(log(2) + 17/12 - log(2))"))
    assert found.verdict.value == "undecided"
    assert set(found.reasons) == {
        "the divergence may equal epsilon, and the tie is outside the exact classes"
    }
    assert all(pair.proof is None and pair.divergence is not None for pair in found.pairs)


def test_laws_that_agree_to_thirty_digits() -> None:
    """D_2 of masses 1/2 + d and 1/2 - d against halves is log(1 + 4 d^2), with noise less."""
    d = Fraction(1, 10**30)
    near = Discrete({0: Fraction(1, 2) + d, 1: Fraction(1, 2) - d})
    half = Discrete({0: "1/2", 1: "1/2"})
    low, high = divergences(problem(near, half, Laplace("1/100"), 2))["a"]
    assert 39 * d * d / 10 < low <= high <= 4 * d * d
    assert (high - low) / low < Fraction(1, 10**10)


def test_far_atoms_and_tiny_scales_cost_little_and_are_enclosed() -> None:
    far = Discrete({0: "1/2", 1000: "1/2"}), Discrete({0: "1/4", 1000: "3/4"})
    for scale in ("1/10", "1/1000"):
        low, high = divergences(problem(*far, Laplace(scale), 2))["a"]
        assert about((low, high), mpmath.log(mpmath.mpf(4) / 3), "1e-11")


def test_a_large_order_or_lattice_is_undecided_and_says_so() -> None:
    wide = Discrete({0: 1}), Discrete({0: "1/2", 10**9: "1/2"})
    asked = problem(*wide, DiscreteLaplace(10**8, step=1), "3/2", "1/1000")
    found = certify(asked)
    assert found.verdict.value == "undecided"
    assert "too much to sum over" in found.reasons[0]


WIDE = Gaussian(1, variance=4)


def normal(order: object, scale: object, epsilon: object = "1/2") -> Problem:
    return Problem(
        {"a": Gaussian(0, variance=1), "b": WIDE}, noise=GaussianNoise(scale=scale),
        epsilon=epsilon, form=Renyi(order),
    )  # fmt: skip


@pytest.mark.parametrize("order", ["3/2", "2", "7/2"])
@pytest.mark.parametrize("scale", ["1/2", "2", "5"])
def test_normal_laws_against_quadrature(order: str, scale: str) -> None:
    a, s = mp(Fraction(order)), mp(Fraction(scale)) ** 2
    for pair in loss(normal(order, scale)).pairs:
        ends = pair.divergence
        assert ends is not None
        (m, v), (n, w) = ((0, 1 + s), (1, 4 + s)) if pair.from_ == "a" else ((1, 4 + s), (0, 1 + s))
        if (1 - a) * v + a * w <= 0:
            assert ends.lower == "inf"
            continue

        def h(y: Any, p: Any = (m, v), q: Any = (n, w)) -> Any:
            one, two = (
                -((y - x) ** 2) / (2 * z) - mpmath.log(2 * mpmath.pi * z) / 2 for x, z in (p, q)
            )
            return mpmath.exp(a * one + (1 - a) * two)

        with mpmath.workdps(20):
            width = mpmath.sqrt(v * w / ((1 - a) * v + a * w))
            cuts = [k * 6 * width for k in range(-8, 9)]
            value = mpmath.log(mpmath.quad(h, cuts)) / (a - 1)
        assert about((Fraction(ends.lower), Fraction(ends.upper)), value, "1e-11")


def test_the_known_scale_of_normal_laws_and_where_it_is_infinite() -> None:
    found = calibrate(normal(2, None))
    assert str(found.minimum.upper) == "2.20654986318"
    for scale, infinite in (("1414/1000", True), ("1415/1000", False)):
        asked = normal(2, scale, 10**6)
        assert (loss(asked).divergence.upper == "inf") is infinite  # type: ignore[union-attr]
        assert kernel_word(asked) == ("refuted" if infinite else "certified")


def test_ties_of_normal_laws_are_exact() -> None:
    asked = Problem(
        {"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=GaussianNoise(variance="3/2"),
        epsilon="5/6", form=Renyi("5/2"),
    )  # fmt: skip
    assert [pair.tie for pair in certify(asked).pairs] == [True, True]
    assert kernel_word(asked) == "certified"
    assert kernel_word(asked.replaced(epsilon="83/100")) == "refuted"


BELLS = [  # laws, variance, order
    ({0: "9/10", 3: "1/10"}, {0: 1}, "1", "2"),
    ({0: "9/10", 3: "1/10"}, {0: 1}, "1", "3/2"),  # p is 0 in places that are not real
    ({0: "1/3", 10: "2/3"}, {0: "1/2", 10: "1/2"}, "1", "30"),
    ({-1: "1/2", 1: "1/2"}, {0: "1/4", 2: "3/4"}, "1/2", "5/2"),
]


@pytest.mark.parametrize("case", BELLS)
def test_atoms_with_gaussian_noise_against_quadrature(case: Any) -> None:
    p, q, variance, order = Discrete(case[0]), Discrete(case[1]), *map(Fraction, case[2:])
    asked = problem(p, q, GaussianNoise(variance=variance), order)
    found = divergences(asked)
    with mpmath.workdps(20):
        a, v = mp(order), mp(variance)

        def bell(law: Discrete, y: Any) -> Any:
            parts = (mp(m) * mpmath.exp(-((y - mp(x)) ** 2) / (2 * v)) for x, m in law.mass.items())
            return mpmath.fsum(parts) / mpmath.sqrt(2 * mpmath.pi * v)

        for secret, one, two in (("a", p, q), ("b", q, p)):
            value = mpmath.quad(
                lambda y, one=one, two=two: bell(one, y) ** a * bell(two, y) ** (1 - a),
                mpmath.linspace(-18, 26, 23),
            )
            assert about(found[secret], mpmath.log(value) / (a - 1), "1e-11")
    assert kernel_word(asked) == str(certify(asked).verdict)


def test_known_values_with_gaussian_noise() -> None:
    asked = problem(Discrete({0: "9/10", 3: "1/10"}), Discrete({0: 1}), GaussianNoise(1), 2, "1/2")
    assert about(divergences(asked)["a"], mpmath.mpf("4.40697335249"), "1e-11")
    least = calibrate(asked).minimum
    assert certify(asked.replaced(scale=str(least.upper))).certified
    assert certify(asked.replaced(scale=str(least.lower))).refuted


@pytest.mark.parametrize("noise", [Laplace(3), DiscreteLaplace(3, step=1)])
def test_fresh_draws_add_up(noise: Any) -> None:
    one = divergences(problem(UNIFORM, POINT, noise, "5/2"), 20)
    both = Repeated(noise, count=7, draws="fresh")
    asked = problem(UNIFORM, POINT, both, "5/2", "3/10")
    many = divergences(asked, 20)
    for secret, (low, high) in one.items():
        assert 7 * low <= many[secret][1]
        assert many[secret][0] <= 7 * high
    assert kernel_word(asked) == str(certify(asked).verdict)
    assert kernel_word(asked.replaced(epsilon=1)) == "certified"


def test_fresh_draws_of_several_scales_and_without_noise() -> None:
    noise = Repeated(Laplace(), scales=["1/log(2)", "1/log(4)"], draws="fresh")
    asked = problem(*ONE, noise, 2, "log(17/12) + log(43/16)")
    assert [pair.tie for pair in certify(asked).pairs] == [True, True]
    assert kernel_word(asked) == "certified"
    near = Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "2/5", 1: "3/5"})
    bare = problem(*near, Repeated(Laplace(0), count=3, draws="fresh"), 2, "3*log(51/50)")
    found = certify(bare)
    assert found.refuted or found.certified
    assert kernel_word(bare) == str(found.verdict)
    many = problem(*near, Repeated(Laplace(), count=30, draws="fresh"), 2, 1)
    least = calibrate(many).minimum
    assert certify(many.replaced(scale=str(least.upper))).certified
    assert certify(many.replaced(scale=str(least.lower))).refuted


def test_gaussian_releases_of_one_x_are_one() -> None:
    many = Repeated(GaussianNoise(variance=2), count=4)
    asked = Problem({"a": Gaussian(0, variance=1), "b": Gaussian(1, variance=1)}, noise=many,
                    epsilon=1, form=Renyi(2))  # fmt: skip
    one = Problem({"a": Gaussian(0, variance=1), "b": Gaussian(1, variance=1)},
                  noise=GaussianNoise(variance="1/2"), epsilon=1, form=Renyi(2))  # fmt: skip
    assert divergences(asked) == divergences(one)
    assert kernel_word(asked) == str(certify(asked).verdict)


@pytest.mark.parametrize(
    ("noise", "prior"),
    [
        (Laplace(1), Gaussian(0, variance=1)),
        (Repeated(Laplace(1), count=3), Gaussian(0, variance=1)),
    ],
)
def test_what_no_route_takes_is_refused_by_name(noise: Any, prior: Any) -> None:
    asked = Problem({"a": prior, "b": UNIFORM}, noise=noise, epsilon=1, form=Renyi(2))
    for ask in (certify, loss, calibrate):
        with pytest.raises(InputError, match=r"form: renyi.* is (not )?decided of"):
            ask(asked)


def test_an_order_that_is_too_large_for_steps_is_undecided() -> None:
    """It was divided by a step of 0."""
    asked = problem(Discrete({0: "1/2", 1: "1/2"}), POINT, GaussianNoise("1/1000"), "65535/2")
    assert "trapezoidal" in certify(asked).reasons[0]


def test_an_exact_margin_is_proved() -> None:
    """D = 1 against 1/2: a margin of 1/2 was written, which no enclosure proves."""
    asked = problem(*ONE, GaussianNoise(1), 2, "1/2")
    assert kernel_word(asked) == "refuted"


@pytest.mark.parametrize("epsilon", ["1e10", "1e40"])
def test_where_hardly_any_noise_is_needed_a_scale_is_found(epsilon: str) -> None:
    priors = {"a": Discrete({0: "1/3", 1: "2/3"}), "b": Discrete({1: "1/2", 2: "1/2"})}
    found = calibrate(Problem(priors, noise=Laplace(), epsilon=epsilon, form=Renyi(2)))
    assert 0 < Fraction(str(found.minimum.upper)) <= 10 / Fraction(epsilon)
    found = calibrate(Problem(priors, noise=Laplace(), epsilon=epsilon, form="zcdp"))
    assert found.methods["l1"].verdict.value == "certified"  # where no scale may be the least

"""The normal-Laplace law and the published forms: identities, quadrature, the audit's numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import pytest
import sympy
from support.latex_grammar import assert_latex
from support.users import users_scale

from pfverify import Laplace, Problem
from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.number import number
from pfverify.model.priors.mixture import Gaussian, Mixture
from pfverify.scales.normal_tail import tau_lambert as tau_lambert_ball
from pfverify.scales.normal_tail import tau_star as tau_star_ball
from pfverify.scales.pure_pair import expected_decay as decay_ball
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.normal_laws import gaussian_pure, gaussian_tau
from pfverify.symbolic import gaussian
from pfverify.symbolic.gaussian import (
    DELTA,
    MU,
    MU_I,
    MU_J,
    SIGMA,
    SIGMA_I,
    SIGMA_J,
    TAU,
    B,
    corollary_1,
    expected_decay,
    identical_users,
    mixture_release_density,
    normal_density,
    point_masses_least,
    pure_tail_scale,
    q_function,
    release_density,
    release_distribution,
    release_slope,
    tau_lambert,
    tau_lambert_implicit,
    tau_star,
    theorem_1,
    theorem_1_point_masses,
)
from pfverify.symbolic.statement import EPSILON, Y
from pfverify.symbolic.translate import to_ball

DENSITY, DISTRIBUTION, SLOPE = (
    statement().expression for statement in (release_density, release_distribution, release_slope)
)
FORMS = (
    release_density, release_distribution, release_slope, tau_star, tau_lambert,
    tau_lambert_implicit, theorem_1, theorem_1_point_masses, point_masses_least, corollary_1,
    identical_users, pure_tail_scale, expected_decay,
)  # fmt: skip
LAWS = [  # y, mu, sigma, b
    ("0", "0", "1", "1"), ("7/2", "1", "2", "3/4"), ("-5", "1/3", "1/10", "2"),
    ("1", "0", "3", "40"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def fifty_digits() -> Any:
    with mpmath.workdps(50):
        yield


def mp(value: Ball | str) -> Any:
    """The midpoint of a narrow ball, or exact text, as mpmath sees it."""
    if isinstance(value, str):
        exact = Fraction(value)
        return mpmath.mpf(exact.numerator) / exact.denominator
    assert value.raw.rel_accuracy_bits() > 140
    return mpmath.mpf(value.raw.mid().str(60, radius=False))


def close(value: Ball, expected: Any, digits: int = 38) -> bool:
    return bool(abs(mp(value) - expected) <= abs(expected) * mpmath.mpf(10) ** -digits)


def same(a: Ball, b: Ball) -> bool:
    return bool(a.raw.overlaps(b.raw)) and (a - b).raw.rad() < 1e-30


# -- the law of the release -----------------------------------------------------------------------


def test_the_differential_equation_of_the_law() -> None:
    """(1 - b**2 D**2) p = phi, p' and F' as stated: as expressions, for all values."""
    for zero in (
        DENSITY - B**2 * sympy.diff(DENSITY, Y, 2) - normal_density(),
        DENSITY - B**2 * sympy.diff(SLOPE, Y) - normal_density(),
        sympy.diff(DENSITY, Y) - SLOPE,
        sympy.diff(DISTRIBUTION, Y) - DENSITY,
    ):
        assert sympy.simplify(sympy.expand(zero)) == 0
    # and the test would see a wrong factor
    wrong = DENSITY - 2 * B**2 * sympy.diff(SLOPE, Y) - normal_density()
    assert sympy.simplify(sympy.expand(wrong)) != 0


def test_mirrored_laws() -> None:
    """p is even about mu, F(mu) = 1/2, and F(mu + t) + F(mu - t) = 1."""
    assert sympy.simplify(DISTRIBUTION.subs(Y, MU) - sympy.Rational(1, 2)) == 0
    other = DENSITY.subs(Y, 2 * MU - Y)
    assert sympy.simplify(sympy.expand(DENSITY - other)) == 0
    for y, mu, sigma, b in LAWS:
        at = {"mu": mu, "sigma": sigma, "b": b, "bits": 256}
        mirrored = str(2 * Fraction(mu) - Fraction(y))
        values = [release_distribution().value(y=where, **at) for where in (y, mirrored)]
        with precision(256):
            assert same(values[0] + values[1], Ball(1))


@pytest.mark.parametrize(("y", "mu", "sigma", "b"), LAWS)
def test_the_law_by_quadrature(y: str, mu: str, sigma: str, b: str) -> None:
    """The convolution itself, cut where the Laplace density has its corner."""
    at = {"y": y, "mu": mu, "sigma": sigma, "b": b, "bits": 300}
    where, m, s, scale = (mp(text) for text in (y, mu, sigma, b))
    ends = sorted({where, *(m + k * s for k in range(-16, 17, 4))})

    def over(kernel: Any) -> Any:
        """The mean of a kernel of y - x over the prior."""
        total = mpmath.quad(
            lambda x: mpmath.exp(-(((x - m) / s) ** 2) / 2) * kernel(where - x), ends
        )
        return total / (s * mpmath.sqrt(2 * mpmath.pi))

    def below(z: Any) -> Any:
        return mpmath.exp(z / scale) / 2 if z < 0 else 1 - mpmath.exp(-z / scale) / 2

    density = over(lambda z: mpmath.exp(-abs(z) / scale) / (2 * scale))
    slope = over(lambda z: -mpmath.sign(z) * mpmath.exp(-abs(z) / scale) / (2 * scale**2))
    assert close(release_density().value(**at), density, 30)
    assert close(release_distribution().value(**at), over(below), 30)
    if Fraction(y) == Fraction(mu):
        assert release_slope().value(**at).raw.contains(0)
    else:
        assert close(release_slope().value(**at), slope, 28)


def test_little_noise_and_large_noise() -> None:
    """With next to no noise the law is the prior: p = phi + b**2 phi'' + ..., no overflow."""
    at = {"y": 3, "mu": 0, "sigma": 2}
    tiny = release_density().value(**at, b="1e-9", bits=512)
    with precision(512):
        phi = to_ball(normal_density(), {k: number(v) for k, v in at.items()})
        ratio = (tiny - phi).raw / (phi.raw * raw(Fraction(1, 10**18)))
        assert abs(ratio - raw(Fraction(5, 16))) < 1e-15
    for b in ("1e-6", "1e6"):
        for name in (release_density, release_distribution, release_slope):
            assert name().value(**at, b=b, bits=200).raw.rel_accuracy_bits() > 40


def test_mixtures_are_sums() -> None:
    prior = Mixture(
        [
            {"weight": "1/4", "mean": 0, "variance": 0},
            {"weight": "1/4", "mean": 2, "variance": 3},
            {"weight": "1/2", "mean": -1, "sd": "1/2"},
        ]
    )
    expression = mixture_release_density(prior.components, "3/2")
    assert expression.free_symbols == {Y}
    assert mixture_release_density(prior.components).free_symbols == {Y, B}
    with precision(256):
        for y in ("-3", "0", "2", "31/7"):
            value = to_ball(expression, {"y": number(y)})
            at = {"y": y, "b": "3/2", "bits": 256}
            atom = (-raw(abs(Fraction(y)) / Fraction(3, 2))).exp() / 3
            root = "exp(log(3)/2)"
            expected = (
                Ball(atom / 4)
                + Ball(Fraction(1, 4)) * release_density().value(mu=2, sigma=root, **at)
                + Ball(Fraction(1, 2)) * release_density().value(mu=-1, sigma="1/2", **at)
            )
            assert same(value, expected)
    with pytest.raises(InputError, match="there is none"):
        mixture_release_density([])
    with pytest.raises(InputError, match="expected a number > 0"):
        mixture_release_density(prior.components, 0)


# -- quantiles ------------------------------------------------------------------------------------


def test_q_is_the_tail_of_the_normal_density() -> None:
    assert q_function(sympy.Integer(0)) == sympy.Rational(1, 2)
    x = sympy.Symbol("x", real=True)
    density = normal_density(x).subs({MU: 0, SIGMA: 1})
    assert sympy.simplify(sympy.diff(q_function(x), x) + density) == 0
    assert sympy.limit(q_function(x), x, sympy.oo) == 0
    with precision(256):
        for t in ("-3", "1/7", "2", "20"):
            value = to_ball(q_function(TAU), {"tau": number(t)})
            assert close(value, mpmath.erfc(mp(t) / mpmath.sqrt(2)) / 2)


@pytest.mark.parametrize("delta", ["1/2", "1/10", "3/10", "1/100", "999/1000", "exp(-40)"])
def test_the_quantile_and_its_bounds(delta: str) -> None:
    star, lambert = (f().value(delta=delta, bits=300) for f in (tau_star, tau_lambert))
    with precision(300):
        assert same(star, tau_star_ball(number(delta)))
        assert same(lambert, tau_lambert_ball(number(delta)))
        # Q(tau*) = delta/2, and the bound is strictly above (row G35)
        twice = Ball((star.raw / raw(2).sqrt()).erfc())
        assert same(twice, number(delta).ball())
        assert star.is_less(lambert) is Answer.YES


def test_numbers_of_the_audit() -> None:
    """Rows G07 and G09."""
    for statement, values, text in (
        (tau_star, {"delta": "1/2"}, "0.67448975"),
        (tau_lambert, {"delta": "1/2"}, "0.98367865"),
        (tau_star, {"delta": "999/1000"}, "0.00125331"),
        (tau_lambert, {"delta": "999/1000"}, "0.64759924"),
        (theorem_1, {**pair(0, 2, 0, 1), "delta": "1/100"}, "2.57582930"),
        (theorem_1, {**pair(0, 2, 0, 1), "delta": "1/10"}, "1.64485363"),
        (theorem_1, {**pair(0, 2, 0, 1), "delta": "3/10"}, "1.03643339"),
        (theorem_1, {**pair(1, 2, 0, 1), "delta": "1/10"}, "2.64485363"),
    ):
        gap = statement().value(**values).raw - raw(Fraction(text))
        assert abs(gap) < 1e-8, text


def pair(mu_i: Any, sigma_i: Any, mu_j: Any, sigma_j: Any, epsilon: Any = 1) -> dict[str, Any]:
    return {
        "mu_i": mu_i, "sigma_i": sigma_i, "mu_j": mu_j, "sigma_j": sigma_j, "epsilon": epsilon,
    }  # fmt: skip


def test_the_two_lambert_forms() -> None:
    """(22) with tau > 0 starts exactly at (23); with tau = 0 it would start at 0 (row G34)."""
    defect = tau_lambert_implicit()
    assert defect.expression.subs(TAU, 0) == 0  # the printed set contains tau = 0
    with pytest.raises(InputError, match="the condition tau > 0 does not hold"):
        defect.value(tau=0, delta="1/2")
    # with w = W0(tau/(sqrt(2 pi) delta)): w e**w = tau/(sqrt(2 pi) delta), and tau**2 = 2 w
    # gives tau**2 e**(tau**2) = 2/(pi delta**2), which is (23)
    inside = TAU / (sympy.sqrt(2 * sympy.pi) * DELTA)
    halved = (TAU**2 / 2) * sympy.exp(TAU**2 / 2) / inside
    squared = sympy.simplify(halved**2 * 2 / (sympy.pi * DELTA**2))
    assert sympy.simplify(squared - TAU**2 * sympy.exp(TAU**2)) == 0
    for delta in ("1/2", "1/100", "9/10"):
        lambert = tau_lambert().value(delta=delta, bits=300)
        near = Fraction(lambert.raw.mid().str(40, radius=False))
        step = Fraction(1, 10**30)
        assert defect.value(tau=near - step, delta=delta, bits=300).is_negative() is Answer.YES
        assert defect.value(tau=near + step, delta=delta, bits=300).is_positive() is Answer.YES
        star = tau_star().value(delta=delta, bits=300)
        low = Fraction(star.raw.mid().str(40, radius=False))
        # between 0 and (23) the inequality fails: tau* itself is outside the set
        assert defect.value(tau=low, delta=delta, bits=300).is_negative() is Answer.YES


# -- scales ---------------------------------------------------------------------------------------


def test_theorem_1_without_spread_is_the_scale_of_differential_privacy() -> None:
    for same_sd in (0, SIGMA):
        limit = theorem_1().expression.subs({SIGMA_I: same_sd, SIGMA_J: same_sd})
        assert sympy.simplify(limit - theorem_1_point_masses().expression) == 0
        assert DELTA not in limit.free_symbols
    value = theorem_1().value(**pair(3, 0, 1, 0, "1/2"), delta="1/10", bits=200)
    assert value.raw.contains(4)
    assert theorem_1_point_masses().value(mu_i=3, mu_j=1, epsilon="1/2").raw.contains(4)
    without_slack = sympy.limit(point_masses_least().expression, DELTA, 0)
    assert without_slack == theorem_1_point_masses().expression


def test_point_masses_meet_delta_exactly_at_their_least_scale() -> None:
    """What misses epsilon is integrated up to the point where the densities cross."""
    for delta, epsilon, distance in (("1/10", "1", 1), ("1/2", "1/3", 5)):
        at = {"mu_i": 0, "mu_j": distance, "epsilon": epsilon, "delta": delta, "bits": 256}
        b = mp(point_masses_least().value(**at))
        e, d = mp(epsilon), mpmath.mpf(distance)
        cut = (d - e * b) / 2  # left of it the density of 0 exceeds e**epsilon times the other

        def excess(y: Any, b: Any = b, e: Any = e, d: Any = d) -> Any:
            return (mpmath.exp(-abs(y) / b) - mpmath.exp(e - abs(y - d) / b)) / (2 * b)

        assert abs(excess(cut)) < 1e-40
        found = mpmath.quad(excess, [-mpmath.inf, 0, cut])
        assert abs(found - mp(delta)) < 1e-25
        del at["delta"]
        assert mp(theorem_1_point_masses().value(**at)) > b


def test_statements_are_the_scales_of_the_recipes() -> None:
    for (mu, sd), delta, epsilon in product(
        ((1, 2), (0, 3), (-2, 1)), ("1/100", "1/2"), ("1/3", "log(3)")
    ):
        first, second = Gaussian(mu, sd=sd), Gaussian(0, sd=1)
        if first == second:
            continue
        values = {**pair(mu, sd, 0, 1, epsilon), "bits": 200}
        items = [_item(first, second)]
        asked = RecipeProblem(items, Laplace(), number(epsilon), number(delta), Grid(12))
        for recipe, ball in (
            (gaussian_tau, theorem_1().value(**values, delta=delta)),
            (gaussian_pure, pure_tail_scale().value(**values)),
        ):
            scale, exact = recipe(asked)
            if recipe is gaussian_tau or exact:
                gap = raw(Fraction(scale)) - ball.raw
                assert gap > -1e-25
                assert gap < 1e-10 * ball.raw
            else:  # the tails are only necessary
                assert ball.raw < raw(Fraction(scale))
        user = users_scale([(mu, sd**2), (7, 1)], epsilon, delta)
        term = gaussian.corollary_1().value(
            mu_k=7, sigma_k=1, sigma_rest=sd, epsilon=epsilon, delta=delta, bits=200
        )
        assert abs(raw(Fraction(user[0])) - term.raw) < 1e-10 * term.raw
        count = users_scale([(mu, sd**2)], epsilon, delta, count=5)
        term = identical_users().value(
            mu=mu, sigma=sd, K=5, epsilon=epsilon, delta=delta, bits=200
        )
        assert abs(raw(Fraction(count[0])) - term.raw) < 1e-10 * term.raw


def _item(first: Gaussian, second: Gaussian) -> Any:
    (item,) = Problem({"a": first, "b": second}, noise=Laplace(1), epsilon=1).questions()
    return item


def test_the_root_of_the_tails_is_a_root() -> None:
    value = pure_tail_scale().expression
    m, v = sympy.Abs(MU_I - MU_J), sympy.Abs(SIGMA_I**2 - SIGMA_J**2)
    assert sympy.simplify(EPSILON * value**2 - m * value - v / 2) == 0
    at = pure_tail_scale().value(**pair(0, 1, 1, 2), bits=256)
    assert close(at, (1 + mpmath.sqrt(7)) / 2)


def test_the_expected_decay_is_the_ball_of_the_scales() -> None:
    for mu, sigma, b in (("0", "1", "2"), ("3", "1/2", "1/9"), ("1", "7", "30")):
        value = expected_decay().value(mu=mu, sigma=sigma, b=b, bits=256)
        with precision(256):
            ball = decay_ball(Fraction(mu), Fraction(sigma) ** 2, raw(Fraction(b)))
            assert same(value, Ball(ball))


# -- refuted claims of the paper ------------------------------------------------------------------


def beyond(point: str, parts: list[tuple[str, Any, Any]], b: Any) -> Ball:
    """P(Y > point) for weighted normal laws (weight, mean, sd) with Laplace noise."""
    total = Ball(0)
    with precision(256):
        for weight, mean, sd in parts:
            value = release_distribution().value(y=point, mu=mean, sigma=sd, b=b, bits=256)
            total = total + Ball(Fraction(weight)) * (Ball(1) - value)
    return total


EXCESS = [
    # point, law over, law under, b, epsilon, P(B) - e**epsilon Q(B) on B = [point, oo)
    ("4", [("1", 2, "exp(log(2)/2)")], [("1", 1, 1)], 1, 1, "0.035859"),
    ("37/2", [("1", 10, "exp(log(10)/2)")], [("1", 9, 3)], 1, 1, "0.0007845"),
    ("9", [("1/2", 0, 1), ("1/2", 10, 1)], [("1", 0, 1)], 5, 1, "0.104896886851742"),
    ("3", [("1/2", 0, 1), ("1/2", 2, 1)], [("1", 0, 1)], 1, 1, "0.038850454763"),
    ("1069", [("5/8", 0, 1), ("3/8", 1100, 1)], [("5/8", 0, 1), ("3/8", 1000, 1)], "75/2", 1,
     "0.211964"),
    ("5", [("1/2", 1, 1), ("1/2", 3, 1)], [("1", 0, 1)], "2/log(4)", "log(4)", "0.0191425134"),
]  # fmt: skip


@pytest.mark.parametrize(("point", "over", "under", "b", "epsilon", "text"), EXCESS)
def test_events_that_refute_printed_scales(
    point: str, over: Any, under: Any, b: Any, epsilon: Any, text: str
) -> None:
    """Rows G21 (K = 2 and 10), G25 (three priors), G26."""
    p, q = beyond(point, over, b), beyond(point, under, b)
    with precision(256):
        excess = p - number(epsilon).ball().exp() * q
        unit = Fraction(1, 10 ** (len(text) - 2))
        assert abs(excess.raw - raw(Fraction(text))) < raw(unit)
        assert excess.is_positive() is Answer.YES


@pytest.mark.parametrize("count", [2, 10, 1000])
def test_the_tail_ratio_of_identical_users_does_not_fade(count: int) -> None:
    """Row G21: mu = sigma = epsilon = b = 1. The log ratio of the tails tends to 3/2 at every K."""
    y = 40 * count
    values = [
        release_density().value(y=y, mu=k, sigma=f"exp(log({k})/2)", b=1, bits=4000)
        for k in (count, count - 1)
    ]
    with precision(4000):
        gap = (values[0] / values[1]).log() - Ball(Fraction(3, 2))
        assert abs(gap.raw) < 1e-6


# -- statements -----------------------------------------------------------------------------------


def test_every_form_says_what_it_is() -> None:
    forms = [state() for state in FORMS]
    assert len({form.name for form in forms}) == len(forms) == 13
    for form in forms:
        assert_latex(form.latex)
        assert form.latex.startswith(f"{form.left} = ")
        for condition in form.conditions:
            assert sympy.latex(condition.relation) in form.latex
        assert form.conditions
        assert form.source


@pytest.mark.parametrize(
    ("name", "values", "condition"),
    [
        ("tau_star", {"delta": 0}, "delta > 0"),
        ("tau_star", {"delta": 1}, "delta < 1"),
        ("tau_lambert", {"delta": "1+1e-50"}, "delta < 1"),
        ("tau_lambert_implicit", {"tau": "-1e-9", "delta": "1/2"}, "tau > 0"),
        ("theorem_1", {**pair(0, 1, 0, 2, 0), "delta": "1/2"}, "epsilon > 0"),
        ("theorem_1", {**pair(0, "-1/2", 0, 2), "delta": "1/2"}, "sigma_i >= 0"),
        ("theorem_1", {**pair(0, 1, 0, 2), "delta": "log(4)-2*log(2)"}, "delta > 0"),
        ("theorem_1_point_masses", {"mu_i": 0, "mu_j": 1, "epsilon": 0}, "epsilon > 0"),
        ("release_density", {"y": 0, "mu": 0, "sigma": 0, "b": 1}, "sigma > 0"),
        ("release_slope", {"y": 0, "mu": 0, "sigma": 1, "b": 0}, "b > 0"),
        ("identical_users", {"mu": 0, "sigma": 1, "K": "1/2", "delta": "1/2", "epsilon": 1},
         "K >= 1"),
        ("corollary_1", {"mu_k": 0, "sigma_k": 1, "sigma_rest": -1, "delta": "1/2", "epsilon": 1},
         "sigma_rest >= 0"),
    ],
)  # fmt: skip
def test_values_outside_a_condition_are_refused_by_its_name(
    name: str, values: dict[str, Any], condition: str
) -> None:
    statement = getattr(gaussian, name)()
    with pytest.raises(InputError) as caught:
        statement.value(**values)
    assert f"the condition {condition} does not hold" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert statement.holds(**values) is Answer.NO

"""delta(epsilon), epsilon(delta), epsilon*, trade-off functions and scales, against mpmath."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from oracle_truth import Truth, ctx, divergence, mass_of, mpf, of_text, positive_set, real, rounded

from pfverify import (
    Channel,
    Discrete,
    DiscreteLaplace,
    Enclosure,
    Finite,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Mixture,
    NoNoise,
    Problem,
    calibrate,
    loss,
    oracle,
)

HALF = Fraction(1, 2**53)
ZERO, ONE = Discrete({0: 1}), Discrete({1: 1})
RESPONSE = Channel.of({"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"})
A, B = Finite({"a": 1, "b": 0}), Finite({"a": "1/4", "b": "3/4"})


def parts(*rows: tuple[Any, Any, Any]) -> list[tuple[Fraction, Fraction, Fraction]]:
    return [(Fraction(w), Fraction(m), Fraction(v)) for w, m, v in rows]


PAIRS = {
    "laplace atoms": ("laplace", 2, parts(("1/3", 0, 0), ("2/3", 3, 0)),
                      parts(("1/2", 1, 0), ("1/2", 4, 0))),
    "laplace normals": ("laplace", "1/2", parts((1, 0, 1)), parts((1, 1, 4))),
    "laplace mixtures": ("laplace", 1, parts(("1/3", 0, 1), ("2/3", 2, "1/4")),
                         parts(("1/2", 0, 0), ("1/2", 1, 2))),
    "gaussian atoms": ("gaussian", 1, parts(("1/3", 0, 0), ("2/3", 3, 0)),
                       parts(("1/2", 1, 0), ("1/2", 4, 0))),
    "gaussian mixtures": ("gaussian", "1/2", parts(("1/3", 0, 1), ("2/3", 2, "1/4")),
                          parts(("1/2", 0, 0), ("1/2", 1, 2))),
    "no noise": ("none", 1, parts(("1/3", 0, 1), ("2/3", 2, "1/4")), parts((1, 1, 2))),
    "lattice": ("discrete-laplace", 2, parts(("1/3", 0, 0), ("2/3", 3, 0)),
                parts(("1/2", 1, 0), ("1/2", 4, 0))),
}  # fmt: skip


SLOW = {"laplace normals", "gaussian atoms", "gaussian mixtures"}


@pytest.fixture(
    params=[pytest.param(n, marks=pytest.mark.long) if n in SLOW else n for n in PAIRS]
)
def pair(request: pytest.FixtureRequest) -> tuple[Truth, Truth]:
    kind, scale, p, q = PAIRS[request.param]
    return Truth(p, kind, Fraction(scale)), Truth(q, kind, Fraction(scale))


def ask(pair: tuple[Truth, Truth], what: Any, *rest: Any, **options: Any) -> Any:
    p, q = pair
    return what(p.prior, q.prior, p.noise, *rest, **options)


def test_delta_is_that_of_mpmath(pair: tuple[Truth, Truth]) -> None:
    epsilons = [Fraction(0), Fraction(1, 2)]
    found = ask(pair, oracle.delta, epsilons)
    floats = ask(pair, oracle.delta, epsilons, nearest=True)
    larger = ask(pair, oracle.delta, epsilons, both=True, nearest=True)
    backward = ask(pair[::-1], oracle.delta, epsilons, nearest=True)
    assert floats[0] > 0.05
    for k, epsilon in enumerate(epsilons):
        truth = divergence(*pair, ctx.exp(real(epsilon)))
        assert floats[k] == rounded(truth)
        assert Fraction(found[k].lower) <= Fraction(floats[k]) + Fraction(1, 10**14)
        slack = mpf(10) ** -30
        assert of_text(found[k].lower) - slack <= truth <= of_text(found[k].upper) + slack
        assert larger[k] == max(floats[k], backward[k])


def test_epsilon_of_delta_and_delta_of_epsilon_are_inverse(pair: tuple[Truth, Truth]) -> None:
    deltas = ["1/10", "1/1000"]
    for delta, found in zip(deltas, ask(pair, oracle.epsilon, deltas), strict=True):
        at = [Fraction(found.lower), Fraction(found.upper)]
        above, below = ask(pair, oracle.delta, at)
        assert below.lower <= Fraction(delta) <= above.upper
        assert abs(Fraction(above.upper) / Fraction(delta) - 1) < Fraction(1, 10**9)


def test_epsilon_at_delta_0_is_the_loss_and_bounds_every_log_ratio(
    pair: tuple[Truth, Truth],
) -> None:
    star = ask(pair, oracle.loss)
    assert ask(pair, oracle.epsilon, 0) == star
    kind = pair[0].kind
    ys = [Fraction(k) if kind == "discrete-laplace" else Fraction(k, 3) for k in range(-30, 30)]
    ratios = ask(pair, oracle.log_ratio, ys)
    assert all(ratio.lower <= star.upper for ratio in ratios)
    if "atoms" not in str(kind) and star.upper != "inf" and kind == "laplace":
        assert max(ratio.upper for ratio in ratios) > Fraction(star.upper) * Fraction(9, 10)


def test_every_scale_is_asked_at_once() -> None:
    p, q = (Discrete({0: "1/3", 3: "2/3"}), Discrete({1: "1/2", 4: "1/2"}))
    scales = ["1/2", 2, 40]
    many = oracle.delta(p, q, Laplace(), ["1/10", "1/2"], scale=scales, nearest=True)
    assert many.shape == (3, 2)
    for k, scale in enumerate(scales):
        one = oracle.delta(p, q, Laplace(scale), ["1/10", "1/2"], nearest=True)
        assert (many[k] == one).all()
    assert (np.diff(many, axis=0) <= 0).all()
    mixed = oracle.loss(p, q, Laplace(), scale=[0, "1/log(2)", 2])  # no noise, and an irrational
    for one, scale in zip(mixed, [0, "1/log(2)", 2], strict=True):
        assert one == oracle.loss(p, q, Laplace(scale))
    stated = loss(Problem({"p": p, "q": q}, noise=Laplace(2), epsilon="1/10"))
    assert oracle.loss(p, q, Laplace(), scale=2, both=True) == stated.epsilon_star
    assert oracle.delta(p, q, Laplace(), "1/10", scale=2, both=True) == stated.delta


def test_a_divergence_half_way_between_two_floats_goes_to_the_even_one() -> None:
    p = Discrete({0: Fraction(1, 2) + HALF / 2, 1: Fraction(1, 2) - HALF / 2})
    assert oracle.delta(p, ONE, NoNoise(), 0, nearest=True) == 0.5
    # 1 - e**(-1/(2 scale)) = 1/2 + 3 * 2**-54
    share = 1 / (Fraction(1, 2) - 3 * HALF / 2)
    noise = Laplace(f"1/(2*log({share}))")
    assert oracle.delta(ZERO, ONE, noise, 0, nearest=True) == 0.5 + 2.0**-52
    assert oracle.loss(ZERO, ONE, Laplace(1 / (1 + HALF)), nearest=True) == 1.0


# ------------------------------------------------------------------- trade-off functions


def test_the_trade_off_of_shifted_noise_has_its_closed_form() -> None:
    alphas = [Fraction(k, 6) for k in range(7)] + [Fraction(1, 10**9)]
    found = oracle.tradeoff(ZERO, ONE, Laplace("2/3"), alphas, nearest=True)
    mu = ctx.mpf(3) / 2
    for alpha, near in zip(alphas, found, strict=True):
        a = real(alpha)
        if a < ctx.exp(-mu) / 2:
            truth = 1 - ctx.exp(mu) * a
        else:
            truth = ctx.exp(-mu) / (4 * a) if 2 * a <= 1 else ctx.exp(-mu) * (1 - a)
        assert near == rounded(truth), alpha
    alphas = [Fraction(1, 10**6), Fraction(1, 10), Fraction(1, 2), Fraction(99, 100)]
    found = oracle.tradeoff(ZERO, ONE, GaussianNoise("1/2"), alphas)
    for alpha, one in zip(alphas, found, strict=True):
        z = -ctx.sqrt(2) * ctx.erfinv(2 * real(alpha) - 1)
        truth = ctx.ncdf(z - 2)
        assert of_text(one.lower) <= truth <= of_text(one.upper)
        assert Fraction(one.upper) / Fraction(one.lower) - 1 < Fraction(1, 10**11)


def test_the_trade_off_is_that_of_likelihood_ratio_tests(pair: tuple[Truth, Truth]) -> None:
    """f has the slope -t at the level of the test that rejects where q > t p."""
    p, q = pair
    for growth in (mpf(3) / 2, mpf(1) / 3) if p.kind != "laplace" else (mpf(3) / 2,):
        if p.kind == "discrete-laplace":
            places = map(Fraction, range(-160, 160))
            ys = [y for y in places if q.weight(y) > growth * p.weight(y)]
            level, power = (ctx.fsum(map(law.weight, ys)) for law in (p, q))
        else:
            event = positive_set(q, p, growth)
            level, power = mass_of(p, event), mass_of(q, event)
        if not level:
            continue
        alpha = Fraction(float(level))
        found = ask(pair, oracle.tradeoff, alpha)
        truth = 1 - power - growth * (real(alpha) - level)
        slack = mpf(10) ** -30
        assert of_text(found.lower) - slack <= truth <= of_text(found.upper) + slack, growth
        # the divergence of Q against P, back from f
        assert abs(divergence(q, p, growth) - (1 - truth - growth * real(alpha))) < slack


@pytest.mark.parametrize("name", ["laplace atoms", "lattice"])
def test_the_trade_off_is_convex_and_falls_from_1_to_0(name: str) -> None:
    kind, scale, p, q = PAIRS[name]
    pair = Truth(p, kind, Fraction(scale)), Truth(q, kind, Fraction(scale))
    alphas = [Fraction(k, 4) for k in range(5)]
    found = ask(pair, oracle.tradeoff, alphas, nearest=True)
    assert found[0] == 1.0
    assert found[-1] == 0.0
    assert (np.diff(found) < 0).all()
    assert (np.diff(found, 2) > 0).all()
    assert (found <= [1 - float(a) for a in alphas]).all()
    backward = ask(pair[::-1], oracle.tradeoff, alphas, nearest=True)
    assert (ask(pair, oracle.tradeoff, alphas, nearest=True, both=True)
            == np.minimum(found, backward)).all()  # fmt: skip
    # the tests the other way round: the inverse function
    again = ask(pair[::-1], oracle.tradeoff, found[1:3], exact=True, nearest=True)
    assert np.allclose(again, [1 / 4, 1 / 2], rtol=1e-13)


def test_a_trade_off_too_small_to_write_is_near_0() -> None:
    found = oracle.tradeoff(ZERO, Discrete({10**6: 1}), Laplace("1/1000"), "1/10")
    assert found.lower == 0
    assert found.upper < Fraction(1, 10**2000)
    found = ask((Truth(PAIRS["gaussian atoms"][2], "gaussian", Fraction(1, 10**4)),
                 Truth(PAIRS["gaussian atoms"][3], "gaussian", Fraction(1, 10**4))),
                oracle.tradeoff, "1/10")  # fmt: skip
    assert found.lower == 0
    assert found.upper < Fraction(1, 10**100)
    small = 1 - Fraction(1, 10**30)
    found = oracle.tradeoff(ZERO, ONE, Laplace(1), [small, Fraction(1, 10**300)], nearest=True)
    assert found.tolist() == [rounded(ctx.exp(-1) / mpf(10) ** 30), 1.0]


def test_finitely_many_masses_are_tested_exactly() -> None:
    p = Discrete({0: "1/2", 1: "1/4", 2: "1/4"})
    q = Discrete({1: "1/4", 2: "1/2", 3: "1/4"})
    found = oracle.tradeoff(p, q, NoNoise(), [0, "1/8", "1/4", "3/8", "1/2", 1])
    assert [one.text for one in found] == ["0.75", "0.5", "0.25", "0.125", "0", "0"]
    random = Random(7)
    for _ in range(5):
        masses = [[random.randint(0, 5) for _ in range(4)] for _ in range(2)]
        if not all(map(any, masses)):
            continue
        laws = [Discrete(counts=dict(enumerate(m))) for m in masses]
        alpha = Fraction(random.randint(0, 10), 10)
        best = min(_type_two(*(law.mass for law in laws), alpha))
        assert oracle.tradeoff(*laws, NoNoise(), alpha, nearest=True) == float(best)
    channel = oracle.tradeoff(A, B, RESPONSE, ["0", "1/8", "1"])
    assert [one.text for one in channel] == ["1", "0.6875", "0"]


def _type_two(p: dict[Any, Any], q: dict[Any, Any], alpha: Fraction) -> list[Fraction]:
    """Type II errors of every test that rejects a set, and one more output in part."""
    outputs = sorted({*p, *q})
    found = []
    for code in range(2 ** len(outputs)):
        chosen = {y for k, y in enumerate(outputs) if code >> k & 1}
        level = sum((p.get(y, 0) for y in chosen), Fraction(0))
        if level > alpha:
            continue
        missed = 1 - sum((q.get(y, 0) for y in chosen), Fraction(0))
        found.append(missed)
        for y in outputs:
            if y not in chosen and p.get(y, 0):
                part = min(Fraction(1), (alpha - level) / p[y])
                found.append(missed - part * q.get(y, 0))
    return found


def test_atoms_beside_a_density_are_rejected_for_nothing_at_level_0() -> None:
    normal = Gaussian(0, 1)
    half = Mixture([{"weight": "1/2", "mean": 0, "variance": 1},
                    {"weight": "1/2", "mean": 5, "variance": 0}])  # fmt: skip
    found = oracle.tradeoff(normal, half, NoNoise(), [0, "1/4", 1])
    assert [found[0].text, found[2].text] == ["0.5", "0"]
    assert found[1].lower <= Fraction(3, 8) <= found[1].upper


# ------------------------------------------------------------------- scales


def test_scales_are_those_of_calibrate() -> None:
    p, q = Discrete(counts={0: 376, 1: 204}), Discrete(counts={0: 34, 1: 35})
    found = oracle.scales(p, q, Laplace(), ["1/4", "1/10"])
    assert found.shape == (2,)
    stated = calibrate(Problem({"p": p, "q": q}, noise=Laplace(), epsilon="1/4"))
    assert found[0].minimum == stated.minimum
    assert found[0].methods.keys() == stated.methods.keys() - {"minimum"}
    for name, one in found[0].methods.items():
        assert one.lower <= stated.methods[name].scale == one.upper
    floats = oracle.scales(p, q, Laplace(), 0.25, exact=True, nearest=True)
    # Bernoulli laws: the closed form of the noise-reduction paper, worked out here
    a, b = real(Fraction(51, 145)), real(Fraction(35, 69))
    e = ctx.exp(mpf(1) / 4)
    ratio = min((e * (1 - a) - (1 - b)) / (b - e * a), (b * e - a) / ((1 - a) - e * (1 - b)))
    assert floats.methods["bernoulli"] == rounded(1 / ctx.log(ratio)) == floats.minimum
    assert floats.methods["wasserstein"] == 4.0
    with pytest.raises(TypeError, match="no truth value"):
        bool(floats)
    infinite = oracle.scales(Gaussian(0, 1), Gaussian(1, 1), GaussianNoise(), 1)
    assert infinite.minimum.lower == "inf"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (lambda: oracle.delta(ZERO, ONE, Laplace(1), -1), "epsilon: .*negative"),
        (lambda: oracle.delta(ZERO, ONE, Laplace(1), 0.5), "exact=True"),
        (lambda: oracle.delta(ZERO, ONE, Laplace(), 1), "noise: it has no scale"),
        (lambda: oracle.delta(ZERO, ONE, Laplace(1), 1, both="yes"), "both: "),
        (lambda: oracle.delta(Gaussian(0, 1), ZERO, DiscreteLaplace(1), 1), "atoms on a lattice"),
        (lambda: oracle.delta(A, ONE, RESPONSE, 1), "finite"),
        (lambda: oracle.epsilon(ZERO, ONE, Laplace(1), 2), "delta: 2 is outside"),
        (lambda: oracle.epsilon(ZERO, ONE, Laplace(1), "a"), "delta: "),
        (lambda: oracle.loss(ZERO, "a", Laplace(1)), "q: expected Discrete"),
        (lambda: oracle.loss(ZERO, ONE, Laplace(1), digits="12"), "digits: "),
        (lambda: oracle.tradeoff(ZERO, ONE, Laplace(1), 2), "alpha: 2 is outside"),
        (lambda: oracle.tradeoff(ZERO, ONE, Laplace(1), "log(2)"), "alpha: expected a rational"),
        (lambda: oracle.scales(ZERO, ONE, NoNoise(), 1), "none has no scale"),
        (lambda: oracle.scales(A, B, RESPONSE, 1), "a channel has no scale"),
        (lambda: oracle.scales(ZERO, ONE, Laplace(), 1, [0, 0]), "delta: expected one number"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_line(asked: Any, why: str) -> None:
    with pytest.raises(InputError, match=why) as caught:
        asked()
    assert "\n" not in str(caught.value)


def test_losses_of_channels_and_tuples_are_there() -> None:
    tuples = Channel.of({"kind": "tupling", "dummies": 2, "base": RESPONSE.to_table()})
    for channel in (RESPONSE, tuples):
        assert isinstance(oracle.delta(A, B, channel, "1/10"), Enclosure)
        assert oracle.loss(A, B, channel, nearest=True) > 0
        levels = oracle.tradeoff(A, B, channel, ["1/4", "1/2", 1], nearest=True)
        assert levels[0] > levels[1] > levels[2] == 0
    with pytest.raises(InputError, match="too many to ask for one by one"):
        oracle.mass(A, tuples, "a")
    with pytest.raises(InputError, match="alpha: 0 is not worked out"):
        oracle.tradeoff(A, B, tuples, 0)


def test_the_oracle_lists_its_questions_alone() -> None:
    """Submodules stood in dir()."""
    assert dir(oracle) == sorted(oracle.__all__)


def test_scales_are_a_result_like_the_others() -> None:
    """They had no data, no table and no short text."""
    for nearest in (False, True):
        found = oracle.scales(ZERO, ONE, Laplace(), "1/2", nearest=nearest)
        assert len(repr(found)) < 700
        assert repr(found).startswith("<Scales: minimum ")
        assert found.to_dict() == found.result.to_dict()
        assert found.to_rows() == found.result.to_rows()
        assert found._repr_html_() == found.result._repr_html_()
        assert list(found.to_frame()["method"]) == [row["method"] for row in found.to_rows()]

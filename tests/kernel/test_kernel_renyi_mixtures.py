"""The kernel's own number for mixtures of normal laws, what it accepts, and what it refuses."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import exp, pi, sqrt
from typing import Any

import kernel_builder as kb
import pytest
from checker import check_bytes
from core import renyi_normals
from core.enclose import Arithmetic, Undecided
from core.kinds import Mixture, kind_of
from core.renyi_mixtures import OfMixtures
from core.renyi_series import near, weighted
from core.rules import Goal
from core.work import Check, checking
from hypothesis import given, settings
from hypothesis import strategies as st
from reader.noise import Noise

from pfverify.decide.renyi import mixtures
from pfverify.exact.ball import Ball, fraction_of, precision
from pfverify.model.priors.prior import Component

Json = dict[str, Any]
Law = tuple[tuple[Fraction, Fraction, Fraction], ...]  # mean, variance, weight
TWO = ((Fraction(-1), Fraction(1), Fraction(1, 2)), (Fraction(1), Fraction(1), Fraction(1, 2)))
WIDE = ((Fraction(0), Fraction(2), Fraction(1)),)


def moment(p: Law, q: Law, order: Any, variance: Any = 0) -> Any:
    noise = Noise("gaussian" if variance else "none", Fraction(variance), None)
    kind = kind_of(noise.kind, Mixture(p), Mixture(q))
    about = Fraction(1), Fraction(0), "renyi", noise, kind, False, Check(0), Fraction(order)
    laws = kind.laws(Mixture(p), Mixture(q), noise)
    return renyi_normals.moment(Goal(("default", "a", "b"), *laws, *about))


def of(p: Law, q: Law, order: Any, bits: int = 64) -> tuple[Fraction, Fraction] | None:
    with checking(10**6):
        found = moment(p, q, order).enclosed(Arithmetic(bits))
    if found is None:
        return None
    low, high, e = found
    return Fraction(low) * Fraction(2) ** e, Fraction(high) * Fraction(2) ** e


def components(law: Law) -> list[Component]:
    return [Component(w, m, v) for m, v, w in law]


def laws() -> Any:
    one = st.tuples(st.integers(-4, 4).map(Fraction), st.sampled_from([1, 2, 3]).map(Fraction),
                    st.integers(1, 5))  # fmt: skip
    return st.lists(one, min_size=2, max_size=3, unique_by=lambda x: x[:2]).map(
        lambda found: tuple(
            (m, v, Fraction(w, sum(x[2] for x in found))) for m, v, w in sorted(found)
        )
    )


@settings(max_examples=6, deadline=None)
@given(laws(), laws(), st.sampled_from(["9/8", "3/2", "2", "3", "9"]))
def test_two_programs_have_one_number(p: Law, q: Law, order: str) -> None:
    other = mixtures.OfMixtures(components(p), components(q), Fraction(order))
    if len({v for law in (p, q) for _, v, _ in law}) == 1:
        return
    found = of(p, q, order)
    assert (found is None) is other.infinite
    if found is None:
        return
    with precision(96):
        two = Ball(other.ball()).ends()
    assert two is not None
    least, most = map(fraction_of, two)
    assert found[0] <= most
    assert least <= found[1]
    assert found[1] >= 1
    assert (found[1] - found[0]) * 2**48 < found[0]


def apart(*means: int) -> Law:
    """Normal laws of variance 1, equally likely."""
    return tuple((Fraction(x), Fraction(1), Fraction(1, len(means))) for x in means)


@pytest.mark.parametrize(("p", "q", "order"), [
    (apart(0), apart(-4, 4), "2"), (apart(0), apart(-4, 4), "3/2"), (apart(-4, 4), apart(0), "3/2"),
])  # fmt: skip
def test_zeros_of_either_law_beside_the_line_are_kept_off(p: Law, q: Law, order: str) -> None:
    """Where the other law alone would allow steps that are far too large."""
    found = of(p, q, order)
    assert found is not None

    def density(law: Law, y: float) -> float:
        return sum(float(w) * exp(-((y - float(x)) ** 2) / 2) for x, _, w in law)

    a, total = float(Fraction(order)), 0.0
    for k in range(-16 * 64, 16 * 64):  # so fine that the rule of trapezoids is off by 1e-15
        total += density(p, k / 64) ** a * density(q, k / 64) ** (1 - a)
    assert float(found[0]) == pytest.approx(total / 64 / sqrt(2 * pi), rel=1e-12)
    assert found[0] < found[1] < found[0] * (1 + Fraction(1, 2**48))


def coefficients(s: Fraction, t: Fraction, a: Fraction, count: int) -> list[Fraction]:
    """Those of (1 + s T)^a (1 + t T)^(1 - a), as a product of two binomial series."""

    def binomial(x: Fraction, power: Fraction) -> list[Fraction]:
        found = [Fraction(1)]
        for k in range(count - 1):
            found.append(found[-1] * (power - k) / (k + 1) * x)
        return found

    first, second = binomial(s, a), binomial(t, 1 - a)
    return [sum(first[j] * second[k - j] for j in range(k + 1)) for k in range(count)]


@settings(max_examples=20, deadline=None)
@given(
    st.tuples(*[st.integers(-900, 900)] * 2), st.tuples(*[st.integers(0, 90)] * 2),
    st.sampled_from(["9/8", "3/2", "2", "7", "40"]),
    st.lists(st.integers(-99, 99), min_size=1, max_size=5),
)  # fmt: skip
def test_a_sum_of_coefficients_holds_all_numbers_that_are_so_near(
    middles: tuple[int, int], off: tuple[int, int], order: str, weights: list[int]
) -> None:
    w, unit = 10, Fraction(1, 1 << 10)
    s_and_t = [*zip(middles, off, strict=True)]
    with checking(10**6):
        low, high, e = weighted(*s_and_t, Fraction(order), [(x, 3) for x in weights], w)
    ends = [[(x + way * far) * unit for way in (-1, 1)] for x, far in s_and_t]
    for s, t, way in product(*ends, (-3, 3)):
        found = coefficients(s, t, Fraction(order), 2 * len(weights))
        value = sum((x + way) * unit * g for x, g in zip(weights, found[::2], strict=True))
        assert low * Fraction(2) ** e <= value <= high * Fraction(2) ** e


@pytest.mark.parametrize(("middles", "off", "order", "weights", "w"), [
    ((178, -141), (0, 32), "2", [0, 0, 0, -256], 8),  # t is off, s is not
    ((22, 444), (0, 128), "3/2", [0, 1024, 0, 0], 10),
    ((-8, -15), (0, 16), "3", [0, 16], 4),
    ((-3, 1), (0, 0), "3/2", [0, 0, 0, 16], 4),  # only the quotients are off
    ((8, -8), (0, 0), "7", [0, -8], 3),
    ((-12, 8), (0, 0), "101/100", [0, 0, 64, 0], 6),
])  # fmt: skip
def test_a_sum_of_coefficients_is_as_far_off_as_it_says(
    middles: tuple[int, int], off: tuple[int, int], order: str, weights: list[int], w: int
) -> None:
    """Where it is hardly less: numbers of few bits, at the ends of what they may be."""
    unit = Fraction(1, 1 << w)
    s, t = zip(middles, off, strict=True)
    with checking(10**6):
        low, high, e = weighted(s, t, Fraction(order), [(x, 0) for x in weights], w)
    for x, y in product(*([z - far, z + far] for z, far in (s, t))):
        found = coefficients(x * unit, y * unit, Fraction(order), 2 * len(weights))
        value = sum(z * unit * g for z, g in zip(weights, found[::2], strict=True))
        assert low * Fraction(2) ** e <= value <= high * Fraction(2) ** e


def test_a_weight_that_is_off_weighs_all_that_a_coefficient_may_be() -> None:
    """(1 + s T)^2/(1 + 0) has s^2, 0 <= s <= 1/2, and its weight is from -1 to 1."""
    with checking(10**6):
        low, high, e = weighted((64, 64), (0, 0), Fraction(2), [(0, 0), (0, 256)], 8)
    assert low * Fraction(2) ** e <= -Fraction(1, 4)
    assert high * Fraction(2) ** e >= Fraction(1, 4)


@pytest.mark.parametrize("ends", [(-7, 9, -3), (5, 6, 2), (-9, -8, -5), (0, 1, -9), (-1, 0, -1)])
@pytest.mark.parametrize("w", [2, 3, 8])
def test_what_a_number_is_near_to_is_near_to_both_of_its_ends(
    ends: tuple[int, int, int], w: int
) -> None:
    middle, off = near(ends, w)
    low, high = (Fraction(x) * Fraction(2) ** (ends[2] + w) for x in ends[:2])
    assert middle - off <= low <= high <= middle + off
    assert 2 * off <= high - low + 3


def test_the_known_number_and_more_bits() -> None:
    """e^D for D = 0.03264417208478212..."""
    for bits, share in ((64, 2**50), (128, 2**112)):
        found = of(WIDE, TWO, 2, bits)
        assert found is not None
        low, high = found
        assert low < Fraction("1.03318283853062323461734797107496316236138") < high
        assert (high - low) * share < 1


def test_infinite_is_decided_exactly() -> None:
    def at(mean: str, order: str) -> bool:
        return moment(WIDE, ((Fraction(mean), *TWO[0][1:]), TWO[1]), order).infinite is True

    assert [at(mean, order) for mean, order in (
        ("-1", "2"), ("0", "2"), ("-1/1000000000000000000000", "2"), ("-1", "2000001/1000000"),
        ("-1", "1999999/1000000"), ("1/2", "2"), ("1/2", "3/2"))] == [
            False, True, False, True, False, True, False]  # fmt: skip


def test_what_is_too_long_is_left_undecided() -> None:
    """h falls so slowly that no few cells reach its tail, or the cells are too many."""
    slow = ((Fraction(-1, 10**30), Fraction(1), Fraction(1, 2)), TWO[1])
    with pytest.raises(Undecided), checking(10**6):
        moment(WIDE, slow, 2).enclosed(Arithmetic(64))
    with pytest.raises(Undecided, match="a tie"):
        moment(WIDE, TWO, 2).exact()
    assert isinstance(moment(WIDE, TWO, 2), OfMixtures)


def problem(epsilon: str, order: str = "2", mean: str = "-1") -> Json:
    stated = kb.problem({"0": 1}, {"1": 1}, epsilon, scale=None, form="renyi", order=order)
    parts = [{"weight": "1/2", "mean": x, "variance": "1"} for x in (mean, "1")]
    return stated | {"noise": {"kind": "none"}, "priors": {
        "a": {"kind": "gaussian", "mean": "0", "variance": "2"},
        "b": {"kind": "mixture", "components": parts},
    }}  # fmt: skip


def word(value: Json, result: str, steps: list[Any]) -> str:
    certificate = kb.certificate(value, result, steps)
    data = json.dumps(certificate, sort_keys=True, separators=(",", ":")).encode()
    return check_bytes(json.dumps(value).encode(), True, data)[0]


def step(rule: str, *goal: str, **more: Any) -> Json:
    return kb.step(rule, *goal, **more, bits=64)


BOTH = [step("renyi"), step("renyi", "b", "a")]


def test_what_holds_is_accepted_and_what_does_not_is_refused() -> None:
    assert word(problem("33/1000"), "certified", BOTH) == "certified"
    for less in ("0.0326441720847", "1/100", "0"):
        assert word(problem(less), "certified", BOTH) == "rejected"
    for order, mean in (("201/100", "-1"), ("2", "0"), ("2", "1/2")):
        assert word(problem("9", order, mean), "certified", BOTH) == "rejected"
        for margin, said in (("inf", "refuted"), ("1", "rejected")):
            claimed = [step("renyi-refuted", margin=margin)]
            assert word(problem("9", order, mean), "refuted", claimed) == said


def test_a_margin_is_no_larger_than_it_is() -> None:
    for margin, found in (("0.0226", "refuted"), ("0.0227", "rejected"), ("inf", "rejected")):
        claimed = [step("renyi-refuted", margin=margin)]
        assert word(problem("1/100"), "refuted", claimed) == found

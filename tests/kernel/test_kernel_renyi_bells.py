"""How far off sums over places may be from integrals of bells, and what their tails are at most."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder as kb
import mpmath
import pytest
from core.enclose import Arithmetic, Undecided
from core.grammar import Malformed
from core.kinds import kind_of
from core.renyi_bells import OfBells
from core.renyi_normals import moment
from core.rules import Goal
from core.work import Check, checking
from mpmath import mpf
from reader.noise import Noise

Law = dict[Fraction, Fraction]
HALVES = {Fraction(0): Fraction(1, 2), Fraction(4): Fraction(1, 2)}
POINT = {Fraction(2): Fraction(1)}
SPREAD = {Fraction(-1): Fraction(1, 3), Fraction(3): Fraction(2, 3)}
AR = Arithmetic(96)
SQUARE = mpmath.cosh(4)  # R of order 2 of HALVES and POINT: e^(2 2) and e^(-2 2), each a half


def goal(p: Law, q: Law, order: str, variance: int = 1) -> Goal[Any, Any]:
    release = Noise("gaussian", Fraction(variance), None)
    kind = kind_of("gaussian", p, q)
    about = Fraction(1), Fraction(0), "renyi", release, kind, False, Check(0), Fraction(order)
    return Goal(("default", "a", "b"), *kind.laws(p, q, release), *about)


def bells(p: Law, q: Law, order: str, variance: int = 1) -> OfBells:
    of = moment(goal(p, q, order, variance))
    assert isinstance(of, OfBells)
    return of


def real(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def end(x: Any, k: int) -> mpf:
    return mpf(x[k]) * mpf(2) ** x[2]


def density(law: Law, y: mpf, variance: int = 1) -> mpf:
    """Without the factor that makes it a density."""
    return mpmath.fsum(
        real(w) * mpmath.exp(-((y - real(x)) ** 2) / (2 * variance)) for x, w in law.items()
    )


def whole(p: Law, q: Law, order: str) -> mpf:
    """R by the trapezoidal rule, with so small steps that nothing is seen of its error."""
    a, s = real(Fraction(order)), mpf(1) / 8
    found = (density(p, k * s) ** a * density(q, k * s) ** (1 - a) for k in range(-90, 120))
    return mpmath.fsum(found) * s / mpmath.sqrt(2 * mpmath.pi)


# ---------------------------------------------------------------- the error


@pytest.mark.parametrize("order", ["3/2", "2", "7"])
@pytest.mark.parametrize(("b", "s"), [("1/4", "1/20"), ("3/5", "1/3"), ("2/3", "1/8")])
def test_the_error_is_that_of_the_strip_and_of_the_steps(order: str, b: str, s: str) -> None:
    """2 e^(b^2/2) cos(b range/(2 sd))^(1 - a) / (e^(2 pi b/s) - 1), range 4 and sd 3."""
    of = bells(POINT, HALVES, order, 9)
    found = of._error(Fraction(b), Fraction(s), AR.sqrt(AR.of(Fraction(9))), AR)
    width = real(Fraction(b))
    slope = mpmath.cos(width * 4 / 6) ** (1 - real(Fraction(order)))
    turns = mpmath.exp(2 * mpmath.pi * width / real(Fraction(s))) - 1
    error = 2 * mpmath.exp(width**2 / 2) * slope / turns
    assert error <= end(found, 1) < error * (1 + mpf(10) ** -6)


def test_a_strip_reaches_no_zero() -> None:
    """cos(b range/2) > 0 up to pi/2, of which 3/2 are looked at."""
    of = bells(POINT, HALVES, "2")
    assert end(of._error(Fraction(149, 200), Fraction(1, 8), AR.of(Fraction(1)), AR), 1) > 0
    for b in ("3/4", "151/200", "9/10", "3"):
        with pytest.raises(Undecided, match="too wide"):
            of._error(Fraction(b), Fraction(1, 8), AR.of(Fraction(1)), AR)


def test_of_a_whole_order_only_zeros_of_q_count() -> None:
    for order, p, q, far in (
        ("2", HALVES, POINT, 0), ("7", POINT, HALVES, 4), ("2", SPREAD, HALVES, 4),
        ("3/2", HALVES, POINT, 4), ("3/2", POINT, SPREAD, 4), ("9/8", POINT, HALVES, 4),
    ):  # fmt: skip
        assert bells(p, q, order).range == far


def test_zeros_of_p_count_where_the_order_is_not_whole() -> None:
    """Without them the sum is off by 2e-7 of itself, more than any bound of it says."""
    exact = mpmath.log(whole(HALVES, POINT, "3/2")) * 2
    laws = {"0": "1/2", "4": "1/2"}, {"2": 1}
    for off, word in ((mpf("1e-9"), "certified"), (-mpf("1e-9"), "rejected")):
        value = kb.problem(*laws, epsilon=mpmath.nstr(exact + off, 20), form="renyi", order="3/2")
        value["noise"] = {"kind": "gaussian", "variance": 1}
        assert kb.run(value, kb.certificate(value, "certified", kb.both("renyi", 48)))[0] == word


@pytest.mark.parametrize("error", ["1/3", "3/5", "7/8"])
def test_the_sum_is_so_far_off_either_way(error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of = bells(HALVES, POINT, "2")
    monkeypatch.setattr(of, "_error", lambda b, s, sd, ar: ar.of(Fraction(error)))
    with checking(10**6):
        found = of.enclosed(AR)
    e = real(Fraction(error))
    for k, exact in enumerate((SQUARE / (1 + e), SQUARE / (1 - e))):
        assert abs(end(found, k) / exact - 1) < mpf(10) ** -20


@pytest.mark.parametrize("error", ["1", "1000001/1000000", "9"])
def test_an_error_of_the_whole_says_nothing(error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of = bells(HALVES, POINT, "2")
    monkeypatch.setattr(of, "_error", lambda b, s, sd, ar: ar.of(Fraction(error)))
    with checking(10**6), pytest.raises(Undecided, match="too large"):
        of.enclosed(AR)


# ---------------------------------------------------------------- what it is not for


def test_laplace_noise_beside_a_density_is_refused() -> None:
    """What D is without the noise is no bound of it from below."""
    halves = [{"weight": "1/2", "mean": x, "variance": 1} for x in (0, 2)]
    value = kb.problem({}, {}, epsilon="1/10", form="renyi", order="2", priors={
        "a": {"kind": "mixture", "components": halves},
        "b": {"kind": "gaussian", "mean": 0, "variance": 1},
    })  # fmt: skip
    steps = [kb.step("renyi-refuted", margin="0.001")]
    assert kb.run(value, kb.certificate(value, "refuted", steps))[0] == "malformed"
    value["noise"] = {"kind": "none"}  # where it is that D
    assert kb.run(value, kb.certificate(value, "refuted", steps))[0] == "refuted"


@pytest.mark.parametrize("law", ["P", "Q"])
@pytest.mark.parametrize("change", ["scale", "post"])
def test_other_noise_and_steps_of_either_law_are_refused(law: str, change: str) -> None:
    of = goal(HALVES, POINT, "2")
    changed = getattr(of, law)._replace(**{change: Fraction(1)})
    with pytest.raises(Malformed, match="is not known here"):
        OfBells(of._replace(**{law: changed}))


# ---------------------------------------------------------------- tails


@pytest.mark.parametrize("order", ["3/2", "2", "7"])
@pytest.mark.parametrize("laws", [(HALVES, SPREAD), (SPREAD, HALVES), (POINT, HALVES)])
def test_a_tail_is_at_most_what_is_said(order: str, laws: tuple[Law, Law]) -> None:
    a, s = Fraction(order), Fraction(1, 4)
    p, q = ([(x, AR.of(w), AR.of(x)) for x, w in law.items()] for law in laws)
    of = bells(*laws, order)
    for way, pick in ((1, max), (-1, min)):
        last = [pick(law) for law in laws]
        behind = way * max(way * x for x in (*last, a * last[0] + (1 - a) * last[1]))
        for far in ("1/8", "1", "5/2"):
            y = behind + way * Fraction(far)
            found = end(of._tail(p, q, AR.of(y), AR.of(s), way, AR), 1)
            exact = mpmath.fsum(
                density(laws[0], z) ** real(a) * density(laws[1], z) ** real(1 - a)
                for z in (real(y + way * k * s) for k in range(100))
            )
            assert exact <= found
        for inside in (y - way * Fraction(far), *last):
            with pytest.raises(Undecided, match="not behind all atoms"):
                of._tail(p, q, AR.of(inside), AR.of(s), way, AR)


def test_a_tail_is_a_series_of_its_first_term() -> None:
    """Of one atom each, h(y) / (1 - e^(-s |y - middle|)): here the middle is 2 2 - 1 = 3."""
    p, q = ([(Fraction(x), AR.of(Fraction(1)), AR.of(Fraction(x)))] for x in (2, 1))
    of = bells(HALVES, POINT, "2")
    for y, way in ((Fraction(7, 2), 1), (Fraction(1, 2), -1)):
        found = end(of._tail(p, q, AR.of(y), AR.of(Fraction(1, 3)), way, AR), 1)
        first = mpmath.exp((real(y) - 1) ** 2 / 2 - (real(y) - 2) ** 2)
        exact = first / (1 - mpmath.exp(-real(abs(y - 3)) / 3))
        assert exact <= found < exact * (1 + mpf(10) ** -20)


@pytest.mark.parametrize("ends", [(-9, 17), (-2, 30), (-14, 11), (-2, 11)])
def test_what_no_place_is_for_is_in_the_tails(
    ends: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of places 1/2 apart, the first two behind all atoms and few beyond."""
    of, b, s = bells(HALVES, POINT, "2"), Fraction(10), Fraction(1, 2)
    first, last = ends[0] - 3, ends[1] + 3
    monkeypatch.setattr(of, "_plan", lambda ar: (b, s, first, last))
    with checking(10**6):
        found = of.enclosed(AR)
    assert end(found, 0) <= SQUARE <= end(found, 1)
    assert end(found, 1) < SQUARE * 2

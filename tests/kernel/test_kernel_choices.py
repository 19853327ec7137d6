"""The kernel's chances of choices, by integrals and sums in another way, and what it refuses."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import exp
from typing import Any

import kernel_builder as kb
import pytest
from core.chances import Beside, Chances, Exactly, Nearly, chance_of, interval_of, total_with
from core.enclose import Arithmetic, Undecided
from core.grammar import Malformed
from core.kinds import Chance
from core.masses import enclose_mass, masses_of
from core.normal_chances import Grid, Normals
from core.proportions import Proportions
from core.value import rate_form
from mpmath import exp as exp_of
from mpmath import inf, mp, mpf, quad
from reader import choices
from reader.joint import joint

Json = dict[str, Any]
F = Fraction
BITS = 160


def middle(x: tuple[int, int, int]) -> float:
    low, high, e = x
    return float((F(low) + F(high)) / 2 * F(2) ** e)


def numbers_of(rate: Fraction) -> list[tuple[Any, Any]]:
    """Both kinds of numbers, with what makes a float of one."""
    form, ar = rate_form(1 / rate), Arithmetic(BITS)
    return [
        (Nearly(form, BITS), lambda x: middle(interval_of(x, BITS))),
        (Exactly(form), lambda x: middle(enclose_mass(x, ar))),
    ]


def both(rate: Fraction, step: Fraction | None) -> list[tuple[Any, Any]]:
    """The sums in both kinds of numbers, with what makes a float of one."""
    return [(Chances(numbers, step), value) for numbers, value in numbers_of(rate)]


def on_line(at: int, rate: int, others: Sequence[Beside], unit: Fraction) -> float:
    """The chance by an integral."""
    def density(y: Any) -> Any:
        r = rate * mpf(unit.numerator) / unit.denominator
        found = r / 2 * exp_of(-r * abs(y - at))
        for other in others:
            s = other.rate * mpf(unit.numerator) / unit.denominator
            d = y - mpf(other.at.numerator) / other.at.denominator
            below = (1 - exp_of(-s * d) / 2 if d > 0 else exp_of(s * d) / 2) if s else mpf(d > 0)
            found *= below if other.below else 1 - below
        return found

    with mp.workdps(25):
        places = sorted({at, *(float(other.at) for other in others)})
        return float(quad(density, [-inf, *places, inf]))


def on_lattice(at: int, rate: int, others: Sequence[Beside], unit: Fraction) -> float:
    """The chance by a sum over many points, each number's own mass counted up."""
    far = 80

    def weight(r: int, d: int) -> float:
        s = exp(-float(unit) * r)
        return (1 - s) / (1 + s) * s ** abs(d) if r else float(d == 0)

    total = 0.0
    for y in range(at - far, at + far + 1):
        found = weight(rate, y - at)
        for other in others:
            points = range(int(other.at) - 2 * far, y)
            less = sum(weight(other.rate, z - int(other.at)) for z in points)
            equal = weight(other.rate, y - int(other.at))
            below = less + float(other.share) * equal
            found *= below if other.below else 1 - below
        total += found
    return total


SIDES = [
    [Beside(F(1), 1, True)],
    [Beside(F(0), 2, True), Beside(F(3), 1, True)],
    [Beside(F(2), 1, True), Beside(F(2), 1, True), Beside(F(1), 3, True)],
    [Beside(F(1), 1, True), Beside(F(3), 2, False)],
    [Beside(F(1), 0, True), Beside(F(3), 2, False)],
    [Beside(F(1), 0, False), Beside(F(0), 1, True)],
    [Beside(F(-2), 1, False), Beside(F(5), 1, False)],
]


@pytest.mark.parametrize("others", SIDES, ids=range(len(SIDES)))
@pytest.mark.parametrize("rate", [1, 2])
def test_chances_on_the_line_are_integrals(others: Sequence[Beside], rate: int) -> None:
    for at, unit in ((1, F(1, 2)), (4, F(1))):
        wanted = on_line(at, rate, others, unit)
        for sums, value in both(unit, None):
            assert value(sums.of_noisy(F(at), rate, others)) == pytest.approx(wanted, abs=1e-13)


@pytest.mark.parametrize("share", [F(0), F(1), F(1, 3)])
@pytest.mark.parametrize("others", SIDES, ids=range(len(SIDES)))
def test_chances_on_a_lattice_are_sums(others: Sequence[Beside], share: Fraction) -> None:
    told = [other._replace(share=share) if other.rate else other for other in others]
    for at, rate, unit in ((1, 1, F(1, 2)), (3, 2, F(1))):
        wanted = on_lattice(at, rate, told, unit)
        for sums, value in both(unit, F(1)):
            assert value(sums.of_noisy(F(at), rate, told)) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(("places", "rates"), [
    ([0, 1], [1, 1]), ([2, 0, 1], [1, 2, 3]), ([1, 1, 1], [2, 1, 2]), ([0, 5, 5, 2, 0], [1] * 5),
    ([3, 0, 4, 4, 1, 9, 2], [3, 1, 1, 2, 2, 1, 1]),
])  # fmt: skip
def test_the_greatest_of_all_is_the_greatest_of_each(
    places: Sequence[int], rates: Sequence[int]
) -> None:
    """What shares its factors, beside one number after the other."""
    at = [F(x) for x in places]
    for sums, value in both(F(1, 2), None):
        together = sums.greatest(at, rates)
        assert sum(map(value, together)) == pytest.approx(1, abs=1e-13)
        for k, found in enumerate(together):
            others = [Beside(x, r, True) for j, (x, r) in enumerate(zip(at, rates, strict=True))
                      if j != k]  # fmt: skip
            alone = sums.of_noisy(at[k], rates[k], others)
            assert value(found) == pytest.approx(value(alone), abs=1e-13)
            wanted = on_line(places[k], rates[k], others, F(1, 2))
            assert value(alone) == pytest.approx(wanted, abs=1e-12)


def normal(value: tuple[int, int, int]) -> Any:
    low, high, e = value
    with mp.workdps(40):
        return (mpf(low) + mpf(high)) / 2 * mpf(2) ** e


@pytest.mark.parametrize("others", SIDES[:4] + SIDES[6:], ids=range(5))
def test_chances_with_gaussian_noise_are_integrals(others: Sequence[Beside]) -> None:
    """A rate stands for the variance; at more bits the ends are nearer, and around the same."""
    others = [other._replace(rate=other.rate or 1) for other in others]
    with mp.workdps(40):
        for at, variance in ((F(1), F(2)), (F(1, 3), F(1, 2))):
            def density(y: Any, at: Any = at, variance: Any = variance) -> Any:
                def less(z: Any, of: Fraction) -> Any:
                    root = mp.sqrt(2 * mpf(of.numerator) / of.denominator)
                    return mp.erfc(-z / root) / 2

                v = mpf(variance.numerator) / variance.denominator
                found = mp.exp(-(y - mpf(at.numerator) / at.denominator) ** 2 / 2 / v)
                found /= mp.sqrt(2 * mp.pi * v)
                for other in others:
                    z = y - mpf(other.at.numerator) / other.at.denominator
                    found *= less(z if other.below else -z, F(other.rate))
                return found

            wanted, kept = quad(density, [-30, -3, 0, 3, 30]), []
            for bits in (12, 40, 100):
                low, high, e = Normals(bits).of_noisy(at, variance, [*map(_as_variance, others)])
                assert mpf(low) * mpf(2) ** e <= wanted <= mpf(high) * mpf(2) ** e
                kept.append(F(high - low) * F(2) ** e)
            assert kept[0] > kept[1] > kept[2]
            assert kept[0] < F(1, 2**5)
            assert kept[2] < F(1, 2**80)


def _as_variance(other: Beside) -> Beside:
    return other._replace(rate=F(other.rate))


def test_the_greatest_with_gaussian_noise_is_the_greatest_of_each() -> None:
    places, variances = [F(0), F(3), F(1, 2), F(60)], [F(1), F(2), F(1, 3), F(1)]
    of = Normals(80)
    together = of.greatest(places, variances)
    assert float(sum(map(normal, together))) == pytest.approx(1, abs=1e-20)
    for k, found in enumerate(together):
        others = [Beside(x, v, True) for j, (x, v) in enumerate(zip(places, variances, strict=True))
                  if j != k]  # fmt: skip
        alone = of.of_noisy(places[k], variances[k], others)
        assert float(normal(found) / normal(alone)) == pytest.approx(1, abs=1e-15)
    assert 0 < normal(together[0]) < mpf(10) ** -300


def test_the_step_is_a_power_of_two_of_what_all_places_share() -> None:
    for places in ([F(1, 3), F(1, 4)], [F(1, 7), F(2)], [F(5)], [F(1, 4096)]):
        grid = Grid([(x, F(len(places))) for x in places], 64)
        step = grid.unit * grid.stride
        assert step**2 <= F(28) / 64 < (4 * step) ** 2
        assert [place * grid.unit for place in grid.places] == places


@pytest.mark.parametrize(("low", "high", "wanted"), [
    (None, None, 1), (1, None, 0.6914624612740131), (None, 1, 0.3085375387259869), (3, 1, 0),
    (1, 1, 0), (0, 4, 0.6826894921370859), (4, 6, 0.1359051219832778), (-1, 0, 0.0918480526625990),
])  # fmt: skip
def test_gaussian_noise_alone_lies_between_places(low: Any, high: Any, wanted: float) -> None:
    """Of variance 4 around 2."""
    others = [Beside(F(x), 0, below) for x, below in ((low, True), (high, False)) if x is not None]
    assert float(normal(Normals(64).of_noisy(F(2), F(4), others))) == pytest.approx(
        wanted, abs=1e-12
    )


def test_gaussian_noise_beside_numbers_without_it_is_not_told() -> None:
    of = Normals(64)
    with pytest.raises(Undecided, match="without noise beside"):
        of.of_noisy(F(0), F(1), [Beside(F(1), 0, True), Beside(F(1), F(1), True)])
    with pytest.raises(Undecided, match="without noise beside"):
        of.of_fixed(F(0), [Beside(F(1), 0, True)])
    fixed = of.of_fixed(F(0), [Beside(F(1), F(1), True), Beside(F(1), F(1), False)])
    low = 0.15865525393145707
    assert float(normal(fixed)) == pytest.approx(low * (1 - low), abs=1e-15)


def late(at: int, rate: int, others: Sequence[Beside], unit: Fraction) -> float:
    """The chance with exponential noise, by an integral."""
    def density(y: Any) -> Any:
        r = mpf(unit.numerator) / unit.denominator
        found = rate * r * exp_of(-rate * r * (y - at)) if y >= at else mpf(0)
        for other in others:
            d = y - mpf(other.at.numerator) / other.at.denominator
            below = 1 - exp_of(-other.rate * r * d) if d >= 0 else mpf(0)
            below = below if other.rate else mpf(d > 0)
            found *= below if other.below else 1 - below
        return found

    with mp.workdps(25):
        places = sorted({at, *(float(other.at) for other in others)})
        return float(quad(density, [*places, places[-1] + 30, inf]))


@pytest.mark.parametrize("others", SIDES, ids=range(len(SIDES)))
@pytest.mark.parametrize("rate", [1, 2])
def test_chances_with_exponential_noise_are_integrals(others: Sequence[Beside], rate: int) -> None:
    for at, unit in ((1, F(1, 2)), (4, F(1))):
        wanted = late(at, rate, others, unit)
        for numbers, value in numbers_of(unit):
            of = Chances(numbers, None, late=True)
            assert value(of.of_noisy(F(at), rate, others)) == pytest.approx(wanted, abs=1e-13)


def test_the_greatest_with_exponential_noise_is_what_permute_and_flip_names() -> None:
    """Of two that are d apart the smaller has e**(-d)/2."""
    for numbers, value in numbers_of(F(1)):
        of = Chances(numbers, None, late=True)
        small, great = map(value, of.greatest([F(0), F(3)], [1, 1]))
        assert small == pytest.approx(exp(-3) / 2, abs=1e-15)
        assert great == pytest.approx(1 - exp(-3) / 2, abs=1e-15)
        fixed = of.of_fixed(F(1), [Beside(F(2), 1, False), Beside(F(0), 1, True)])
        assert value(fixed) == pytest.approx(1 - exp(-1), abs=1e-15)
        assert value(of.of_fixed(F(1), [Beside(F(2), 1, True)])) == 0
        assert value(of.of_fixed(F(1), [Beside(F(1), 1, False)])) == 1


def test_proportions_are_those_of_weights() -> None:
    weights = [exp(k / 2) for k in (0, 3, 1)]
    for numbers, value in numbers_of(F(1, 2)):
        of = Proportions(numbers)
        found = [*map(value, of.greatest([F(0), F(3), F(1)], [1, 1, 1]))]
        assert found == pytest.approx([w / sum(weights) for w in weights], abs=1e-15)
        # the second, behind the last
        sides = [Beside(F(0), 1, True), Beside(F(1), 1, False)]
        try:
            second = value(of.of_noisy(F(3), 1, sides))
        except Undecided:  # a product of quotients, which is enclosed
            assert isinstance(numbers, Exactly)
            continue
        wanted = weights[2] / sum(weights) * weights[1] / (weights[0] + weights[1])
        assert second == pytest.approx(wanted, abs=1e-15)
    with pytest.raises(Malformed, match="several scales"):
        of.of_noisy(F(0), 1, [Beside(F(1), 2, True)])
    with pytest.raises(Malformed, match="several scales"):
        of.ordered([(F(0), 1), (F(1), 1)], [Beside(F(1), 2, True)])
    with pytest.raises(Malformed, match="several scales"):
        of.ordered([(F(0), 1), (F(1), 2)], [])
    near, value = numbers_of(F(1, 2))[0]
    three = Proportions(near).ordered(
        [(F(3), 1), (F(0), 1), (F(1), 1)], [Beside(F(3), 1, False), Beside(F(0), 1, False),
                                            Beside(F(2), 1, True)])  # fmt: skip
    a, b, c, d = (exp(k / 2) for k in (3, 0, 1, 2))
    assert value(three) == pytest.approx(a / (a + b + c + d) * b / (b + c + d) * c / (c + d))
    with pytest.raises(Malformed, match="more than one"):
        of.of_noisy(F(0), 1, [Beside(F(1), 1, False), Beside(F(1), 1, False)])
    with pytest.raises(Malformed, match="without it"):
        of.of_fixed(F(0), [Beside(F(1), 1, True)])
    with pytest.raises(Undecided, match="nothing is drawn"):
        of.of_noisy(F(0), 0, [])


def test_a_fixed_number_is_beside_others_alone() -> None:
    others = [Beside(F(1), 1, True), Beside(F(3), 2, False), Beside(F(2), 1, True)]
    half = [1 - exp(-1 / 2) / 2, 1 - exp(-1) / 2, 1 / 2]
    for sums, value in both(F(1, 2), None):
        found = value(sums.of_fixed(F(2), others))
        assert found == pytest.approx(half[0] * half[1] * half[2], abs=1e-14)
        with pytest.raises(Undecided, match="nothing is drawn"):
            sums.of_fixed(F(2), [Beside(F(1), 0, True)])
    s = exp(-1 / 2)
    for sums, value in both(F(1, 2), F(1)):
        below = 1 - s**2 / (1 + s)  # of 1, at most 2
        found = value(sums.of_fixed(F(2), [Beside(F(1), 1, True, F(1))]))
        assert found == pytest.approx(below, abs=1e-14)
        strict = value(sums.of_fixed(F(2), [Beside(F(1), 1, True)]))
        assert strict == pytest.approx(1 - s / (1 + s), abs=1e-14)


def test_what_is_near_holds_the_number() -> None:
    """At few bits too: the ends of a chance lie around the one at many."""
    others = [Beside(F(k % 3), 1, True) for k in range(9)]
    form = rate_form(F(3))
    for step in (None, F(1)):
        fine = interval_of(Chances(Nearly(form, 400), step).of_noisy(F(1), 1, others), 400)
        for bits in (8, 24, 60):
            low, high, e = interval_of(
                Chances(Nearly(form, bits), step).of_noisy(F(1), 1, others), bits
            )
            scale, mine = F(2) ** e, F(2) ** fine[2]
            assert low * scale <= fine[0] * mine <= fine[1] * mine <= high * scale
    assert F(high - low) * scale < F(1, 2**40)


def test_products_and_quotients_of_what_is_near_hold_theirs() -> None:
    near = Nearly(rate_form(F(1)), 20)
    numbers = [near.of(F(k, 7)) for k in (-9, -1, 0, 2, 30)]
    for (c, e), (d, f) in product(numbers, numbers):
        found, off = near.times((c, e), (d, f))
        for a, b in product((c - e, c, c + e), (d - f, d, d + f)):
            assert abs(F(a * b, 1 << 20) - found) <= off
        if d > f:
            found, off = near.over((c, e), (d, f))
            for a, b in product((c - e, c, c + e), (d - f, d, d + f)):
                assert abs(F(a << 20, b) - found) <= off
    with pytest.raises(Undecided, match="not separated from 0"):
        near.over((5, 0), (1, 1))


def test_rationals_and_lengths_that_are_near_are_what_they_say() -> None:
    """At few bits, where a place too few is seen."""
    near = Nearly(rate_form(F(3)), 6)
    nothing, some = near.of(F(0)), near.of(F(1, 3))
    assert near.times(nothing, some) == near.times(some, nothing) == nothing == (0, 0)
    assert near.times(near.of(F(3)), near.of(F(-2))) == (-384, 0)
    assert near.times((3, 0), (1, 0))[1] > 0
    assert near.fall(F(0)) == (64, 0)
    assert near.times((0, 1), some)[1] > 0
    assert near.times(some, (0, 1))[1] > 0
    for value in (F(1, 3), F(-1, 3), F(5, 7), F(-9, 7), F(2), F(0), F(-3), F(1, 2)):
        c, e = near.of(value)
        assert abs(value * 64 - c) <= e <= 1
        assert e == 0 or value.denominator > 1
        for other in (F(1, 3), F(-2, 7), F(3)):
            found, off = near.times((c, e), near.of(other))
            assert abs(value * other * 64 - found) <= off <= 12
            if other > 0:
                found, off = near.over((c, e), near.of(other))
                assert abs(value / other * 64 - found) <= off <= 40
    c, e = near.long(F(2))
    assert abs(F(2, 3) * 64 - c) <= e <= 2
    wide = (20, 5)
    for d, f in ((9, 0), (9, 4), (64, 1)):
        found, off = near.over(wide, (d, f))
        for a, b in product((15, 25), (d - f, d + f)):
            assert abs(F(a * 64, b) - found) <= off


def test_masses_that_are_enclosed_are_summed_with_others() -> None:
    ar = Arithmetic(64)
    third = chance_of([(F(1), lambda ar: ar.of(F(1, 3)))])
    found = total_with(F(1, 2), [(third, F(1, 4)), (F(1, 6), F(1)), (F(1, 2), third)])
    assert isinstance(found, Chance)
    assert middle(enclose_mass(found, ar)) == pytest.approx(1 / 2 + 1 / 12 + 1 / 6 + 1 / 6)
    with pytest.raises(Undecided, match="a product of masses"):
        total_with(F(0), [(third, third)])


def test_a_length_over_an_irrational_scale_is_no_sum() -> None:
    from core.grammar import combine

    exact = Exactly(rate_form(combine("log", F(2))))
    with pytest.raises(Undecided, match="irrational"):
        exact.long(F(1))


# ---------------------------------------------------------------- problems


def problem(**more: Any) -> Json:
    points = {"a": [["0", "1", "1"]], "b": [["1", "0", "1"]]}
    return {
        "schema": "pfverify/problem/1", "epsilon": "3/2", "delta": "0",
        "noise": {"kind": "laplace", "scale": "1"}, "post": [{"select": "argmax"}],
        "priors": {name: {"kind": "joint", "names": ["x", "y"], "rows": rows}
                   for name, rows in points.items()},
        **more,
    }  # fmt: skip


LATTICE = {"kind": "discrete-laplace", "scale": "1", "step": "1"}


def proof(value: Json) -> Json:
    steps = [{"rule": "channel", "belief": "default", "from": a, "to": b} for a, b in ("ab", "ba")]
    return kb.certificate(value, "certified", steps)


def said(value: Json) -> str:
    return kb.run(value, proof(value))[0]


def test_the_larger_of_two_loses_log_of_four_thirds_e_less_one() -> None:
    assert said(problem(epsilon="log(4*exp(1)/3-1)")) == "certified"
    assert said(problem(epsilon="log(4*exp(1)/3-1)-1e-30")) == "rejected"
    assert said(problem(epsilon="0", delta="1-3*exp(-1)/2")) == "certified"
    assert said(problem(epsilon="0", delta="1-3*exp(-1)/2-1e-30")) == "rejected"
    assert said(problem(epsilon="log(4*exp(1)/3-1)", post=[{"select": "argmin"}])) == "certified"


def test_what_is_enclosed_decides_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "FEW", 0)
    assert said(problem(epsilon="log(4*exp(1)/3-1)+1e-30")) == "certified"
    assert said(problem(epsilon="log(4*exp(1)/3-1)-1e-30")) == "rejected"
    assert said(problem(epsilon="log(4*exp(1)/3-1)")) == "rejected"  # a tie has no exact form then


def points(a: Sequence[int], b: Sequence[int]) -> Json:
    names = [f"c{k}" for k in range(len(a))]
    return {name: {"kind": "joint", "names": names, "rows": [[*map(str, x), "1"]]}
            for name, x in (("a", a), ("b", b))}  # fmt: skip


FIRST = {"noise": {"kind": "laplace", "scale": "4"}, "priors": points((0, 1, 3), (1, 2, 2))}
BELOW = {"noise": {"kind": "laplace", "scale": "4"}, "priors": points((0, -1, -3), (-1, -2, -2))}


@pytest.mark.parametrize(("more", "key", "threshold"), [
    (FIRST, "first-above", "2"), (BELOW, "first-below", "-2"),
    (FIRST | {"noise": {"kind": "laplace", "scale": ["4", "4", "4"]}}, "first-above", "2"),
])  # fmt: skip
@pytest.mark.parametrize("few", [0, 4096])
def test_known_losses_of_the_first_above_a_noisy_threshold(
    more: Json, key: str, threshold: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choices, "FEW", few)
    post = [{key: {"threshold": threshold, "scale": "2"}}]
    assert said(problem(**more, post=post, epsilon="0.493831517157")) == "certified"
    assert said(problem(**more, post=post, epsilon="0.493831517156")) == "rejected"
    other = [{key: {"threshold": threshold, "scale": "3"}}]
    assert said(problem(**more, post=other, epsilon="0.493831517156")) != said(
        problem(**more, post=other, epsilon="1/100")
    )


def masses_at(x: Sequence[int], **more: Any) -> list[float]:
    """The masses of all names given a point, as the kernel reads a problem."""
    law = joint(points(x, x)["a"], "a")
    found = choices.release(problem(**more)).laws({"": {"a": law}}, [])[""]["a"]
    return [middle(enclose_mass(mass, Arithmetic(80))) for mass in masses_of(found)]


@pytest.mark.parametrize("noise", [{"kind": "laplace", "scale": "1"}, LATTICE], ids=["", "lattice"])
def test_a_threshold_without_noise_is_each_number_alone(noise: Json) -> None:
    found = masses_at((1, 3), noise=noise, post=[{"first-above": {"threshold": "2"}}])
    s = exp(-1)
    one, three = (s / (1 + s), 1 - s * s / (1 + s)) if "step" in noise else (s / 2, 1 - s / 2)
    assert found == pytest.approx([one, (1 - one) * three, (1 - one) * (1 - three)])


@pytest.mark.parametrize("noise", [
    {"kind": "none"}, {"kind": "laplace", "scale": "0"}, LATTICE | {"scale": "0"},
], ids=["none", "laplace", "discrete-laplace"])  # fmt: skip
def test_numbers_without_noise_beside_a_noisy_threshold(noise: Json) -> None:
    """On the line, whatever step noise of scale 0 states."""
    choice = {"first-above": {"threshold": "0", "scale": "1", "kind": "laplace"}}
    found = masses_at((1, 3), noise=noise, post=[choice])
    one, three = (1 - exp(-d) / 2 for d in (1, 3))
    assert found == pytest.approx([one, three - one, 1 - three])


@pytest.mark.parametrize("few", [0, 4096])
def test_a_lattice_counts_equal_ones_as_above(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "FEW", few)
    s, far = exp(-1), 60
    mass = {k: (1 - s) / (1 + s) * s ** abs(k) for k in range(-far, far + 1)}
    wanted = [0.0, 0.0, 0.0]
    for t, w in mass.items():
        tails = [sum(m for k, m in mass.items() if k + x >= t) for x in (1, 2)]
        wanted[0] += w * tails[0]
        wanted[1] += w * (1 - tails[0]) * tails[1]
        wanted[2] += w * (1 - tails[0]) * (1 - tails[1])
    post = [{"first-above": {"threshold": "0", "scale": "1"}}]
    found = masses_at((1, 2), noise=LATTICE, post=post)
    assert found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("few", [0, 4096])
@pytest.mark.parametrize(("which", "x"), [("argmax", (0, 0, 1)), ("argmin", (1, 1, 0))])
def test_at_random_equal_ones_have_the_same_chance(
    which: str, x: Sequence[int], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choices, "FEW", few)
    found = masses_at(x, noise=LATTICE, post=[{"select": which, "ties": "random"}])
    s, far = exp(-1), 30
    mass = {k: (1 - s) / (1 + s) * s ** abs(k) for k in range(-far, far + 1)}
    first = 0.0
    for (a, p), (b, q) in product(mass.items(), mass.items()):
        for c, r in mass.items():
            top = max(a, b, c + 1)
            first += p * q * r * (a == top) / ((a == top) + (b == top) + (c + 1 == top))
    assert found == pytest.approx([first, first, 1 - 2 * first], abs=1e-9)


def test_messages_and_digests_name_the_choice() -> None:
    post = [{"first-above": {"threshold": "2", "scale": "2"}}]
    value = problem(**FIRST, post=post, epsilon="1/2")
    word, message = kb.run(value, proof(value))
    assert (word, "noise=laplace scale=4 post=first-above" in message) == ("certified", True)
    assert "(F77)" in message
    written = [choices.choice_of([post]).written for post in (
        {"select": "argmin"}, {"select": "argmax", "ties": "last"},
        {"first-below": {"threshold": "4/2", "scale": "6/4", "kind": "laplace"}},
    )]  # fmt: skip
    assert written == [
        {"select": "argmin", "ties": "first"}, {"select": "argmax", "ties": "last"},
        {"first-below": {"threshold": "2", "scale": "3/2", "kind": "laplace"}},
    ]  # fmt: skip


@pytest.mark.parametrize("ties", choices.TIES)
def test_ties_go_by_the_rule(ties: str) -> None:
    """Of equal numbers on a lattice the first wins more often, at random all alike."""
    law = joint({"kind": "joint", "names": ["x", "y", "z"], "rows": [["0", "0", "0", "1"]]}, "a")
    release = choices.release(
        problem(noise=LATTICE, post=[{"select": "argmax", "ties": ties}])
    )
    found = release.laws({"": {"a": law}}, [])[""]["a"]
    masses = [middle(enclose_mass(x, Arithmetic(80))) for x in masses_of(found)]
    assert sum(masses) == pytest.approx(1)
    order = sorted(masses, reverse=ties == "first")
    assert masses == pytest.approx([1 / 3] * 3) if ties == "random" else masses == order
    assert ties == "random" or len({*masses}) == 3


@pytest.mark.parametrize(("more", "words"), [
    ({"post": [{"select": "argmax"}, {"select": "argmax"}]}, "the only step"),
    ({"post": [{"select": "argmax", "coordinate": "x"}]}, "a choice"),
    ({"post": [{"select": "median"}]}, "argmax or argmin"),
    ({"post": [{"select": "argmax", "ties": "both"}]}, "ties first, last or random"),
    ({"post": [{"first-above": {"scale": "1"}}]}, "first-above"),
    ({"post": [{"first-above": {"threshold": "1", "scale": "0"}}]}, "stated without one"),
    ({"post": [{"first-above": {"threshold": "1", "scale": "-1"}}]}, "scale"),
    ({"post": [{"first-above": {"threshold": "1", "scale": "1", "kind": "gaussian"}}]}, "laplace"),
    ({"post": [{"first-above": {"threshold": "1", "kind": "discrete-laplace"}}]}, "not known"),
    ({"noise": {"kind": "discrete-gaussian", "scale": "1", "step": "1"}}, "not known"),
    ({"noise": {"kind": "none"}}, "a threshold needs laplace, gaussian, exponential"),
    ({"noise": {"kind": "laplace"}}, "no scale"),
    ({"noise": {"kind": "laplace", "scale": "0"}}, "a threshold needs laplace"),
    ({"noise": {"kind": "laplace", "scale": "1", "releases": 2}}, "follows one release"),
    ({"noise": {"kind": "laplace", "scale": ["1", "exp(1)"]}}, "no rational multiples"),
    ({"noise": {"kind": "laplace", "scale": ["1", "9999"]}}, "too large"),
    ({"noise": {"kind": "laplace", "scale": ["1", "1", "1"]}}, "3 scales for 2"),
    ({"noise": {"kind": "gaussian", "scale": ["1", "1", "1"]}}, "3 scales for 2"),
    ({"noise": {"kind": "gaussian", "scale": "1"},
      "post": [{"first-above": {"threshold": "1", "scale": "exp(1)"}}]}, "square"),
    ({"noise": {"kind": "exponential", "scale": "1"}, "post": [{"select": "argmin"}]}, "large"),
    ({"noise": {"kind": "gumbel", "scale": "1"},
      "post": [{"first-below": {"threshold": "1", "scale": "1"}}]}, "large"),
    ({"noise": {"kind": "gumbel", "scale": ["1", "2"]}}, "several scales"),
    ({"noise": {"kind": "gumbel", "scale": "1", "step": "1"}}, "step"),
    ({"noise": {"kind": "exponential", "scale": "1", "releases": 2}}, "follows one release"),
    ({"noise": {"kind": "exponential", "scale": "1"},
      "post": [{"first-above": {"threshold": "1", "scale": "1", "kind": "laplace"}}]}, "not known"),
    ({"post": [{"select": "argmax", "top": 9}]}, "the order of more than 8"),
    ({"post": [{"select": "argmax", "top": 3}], "priors": points((0, 1, 2), (1, 1, 1))},
     "the order of more than 2 numbers is not known with such noise"),
    ({"post": [{"select": "argmax", "top": "2"}]}, "whole number"),
    ({"post": [{"select": "argmax", "top": 0}]}, "whole number"),
    ({"post": [{"first-above": {"threshold": "1", "count": 3}}]}, "3 of 2 numbers"),
    ({"post": [{"first-above": {"threshold": "1", "count": True}}]}, "whole number"),
    ({"post": [{"first-above": {"threshold": "1", "redraw": 1}}]}, "true or false"),
    ({"noise": LATTICE, "post": [{"first-above": {"threshold": "1/2"}}]}, "one lattice"),
])  # fmt: skip
def test_what_is_no_choice_is_malformed(more: Json, words: str) -> None:
    word, message = kb.run(problem(**more), proof(problem()))
    assert (word, words in message) == ("malformed", True), message


@pytest.mark.parametrize("kind", ["exponential", "gumbel"])
def test_noise_before_a_choice_is_for_nothing_else(kind: str) -> None:
    value = problem(noise={"kind": kind, "scale": "1"})
    assert said(value) == "certified"
    for post in (None, [{"coordinate": "x", "clamp": ["0", "1"]}]):
        other = {key: x for key, x in value.items() if key != "post"}
        other |= {} if post is None else {"post": post}
        word, message = kb.run(other, proof(value))
        assert (word, "not stated so" in message) == ("malformed", True), message


def test_outputs_have_names_of_their_own() -> None:
    def named(post: Json, names: Sequence[str]) -> tuple[str, ...]:
        return choices.choice_of([post]).outputs(names)

    assert named({"select": "argmax", "top": 2}, "abc") == (
        "a, b", "a, c", "b, a", "b, c", "c, a", "c, b"
    )  # fmt: skip
    two = {"first-above": {"threshold": "1", "count": 2}}
    assert named(two, "abc") == ("a, b", "a, c", "b, c", "a, none", "b, none", "c, none", "none")
    with pytest.raises(Malformed, match="have one name"):
        named({"select": "argmax", "top": 2}, ["a", "a, a"])
    with pytest.raises(Malformed, match="too many outputs"):
        named({"select": "argmax", "top": 2}, [str(k) for k in range(257)])
    with pytest.raises(Malformed, match="too many outputs"):
        named({"first-above": {"threshold": "1", "count": 4}}, [str(k) for k in range(40)])


@pytest.mark.parametrize("change", [
    {"post": [{"select": "argmax", "top": 2}]}, {"noise": {"kind": "gumbel", "scale": "1"}},
    {"noise": {"kind": "exponential", "scale": "1"}},
    {"noise": {"kind": "gaussian", "variance": "1"}},
])  # fmt: skip
def test_what_is_chosen_and_with_what_noise_is_in_the_digest(change: Json) -> None:
    value = problem()
    word, message = kb.run({**value, **change}, proof(value))
    assert (word, "digest" in message) == ("rejected", True) or word == "malformed", message


def test_a_kept_threshold_is_another_than_one_drawn_anew() -> None:
    def masses(**more: Any) -> list[float]:
        post = [{"first-above": {"threshold": "1", "scale": "2", "count": 2, **more}}]
        return masses_at((1, 2), post=post)

    anew, kept = masses(redraw=True), masses(redraw=False)
    assert anew == masses()
    assert sum(anew) == pytest.approx(1, abs=1e-15)
    assert sum(kept) == pytest.approx(1, abs=1e-15)
    assert kept[0] > anew[0] + 0.01  # of both above: they go together
    assert kept[3] == pytest.approx(anew[3])


def test_lists_are_joint_priors_of_one_point() -> None:
    value = problem()
    del value["priors"]
    rows = {"a": ["0", "1"], "b": ["1", 0]}
    listed = {**value, "lists": {"names": ["x", "y"], "rows": rows}}
    word, message = kb.run(listed, proof(problem()))
    assert (word, "single lists of numbers" in message) == ("certified", True), message
    for other, words in (
        ({"names": ["x", "y"], "rows": {"a": ["0"], "b": ["1", "0"]}}, "coordinates"),
        ({"names": ["x", "y"], "rows": []}, "a table of secrets"),
        ({"names": ["x", "y"]}, "lists"),
        ({"names": ["x", "y"], "rows": rows, "kind": "joint"}, "lists"),
        ({"names": ["x", "y"], "rows": {"a": 1, "b": ["1", "0"]}}, "a list"),
    ):
        word, message = kb.run({**value, "lists": other}, proof(problem()))
        assert (word, words in message) == ("malformed", True), message


def test_a_number_may_not_be_named_none() -> None:
    value = problem(post=[{"first-above": {"threshold": "1", "scale": "1"}}])
    for law in value["priors"].values():
        law["names"] = ["x", "none"]
    assert "no number may be named" in kb.run(value, proof(problem()))[1]


def test_a_part_of_what_is_counted_says_nothing_of_a_choice() -> None:
    """With rest = any the laws are those of one user's part, to which anything may be added."""
    value = problem()
    del value["priors"]
    value["system"] = {
        "release": "histogram", "categories": ["x", "y"], "rest": "any",
        "user": {"a": {"point": "x"}, "b": {"point": "y"}},
    }  # fmt: skip
    with pytest.raises(Malformed, match="rest = any"):
        choices.release(value)
    assert kb.run(value, proof(problem()))[0] == "malformed"

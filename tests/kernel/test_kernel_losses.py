"""Masses of a loss on a grid: from above, multiplied, from below."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import kernel_builder as kb
import pytest
from core import work
from core.enclose import Arithmetic
from core.grammar import Number
from core.losses import (
    ABOVE,
    P_BELOW,
    Q_ABOVE,
    Grid,
    Losses,
    Side,
    by_label,
    divergence_above,
    divergence_below,
    labelled,
    mixed,
    over,
    power,
    times,
)
from core.rules import Rejected
from core.shapes import parse
from mpmath import mp, mpf

F = Fraction
mp.dps = 60


def grid(h: str = "1/10", digits: int = 20, low: int = -100, high: int = 100) -> Grid:
    return Grid(F(h), 10**digits, low, high, Arithmetic(4 * digits + 64))


def real(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def value(found: Losses, at: mpf, of: Grid) -> mpf:
    """h(e^at), in units."""
    total = mpf(found.beyond)
    for k, mass in enumerate(found.masses):
        loss = (found.low + k) * real(of.h)
        total += max(mpf(0), mass * (1 - mp.exp(at - loss)))
    return total


def divergence(p: list[mpf], q: list[mpf], at: mpf) -> mpf:
    return sum((max(mpf(0), a - mp.exp(at) * b) for a, b in zip(p, q, strict=True)), mpf(0))


def laws(random: Random, size: int) -> tuple[list[mpf], list[mpf]]:
    found = []
    for _ in range(2):
        weights = [mpf(random.choice((0, 1, random.random()))) + mpf("1e-9") for _ in range(size)]
        found.append([w / sum(weights) for w in weights])
    if random.random() < 0.5:  # an output that the other law has not
        found[1] = [mpf(0), *found[1][1:]]
        found[1] = [w / sum(found[1]) for w in found[1]]
    return found[0], found[1]


# ---------------------------------------------------------------- from above


@pytest.mark.parametrize("seed", range(12))
def test_masses_over_a_divergence(seed: int) -> None:
    random = Random(seed)
    of = grid()
    p, q = laws(random, random.randrange(2, 6))
    levels = sorted(random.sample(range(-60, 61), random.randrange(1, 20)))
    bounds = [int(mp.ceil(divergence(p, q, j * real(of.h)) * of.unit)) for j in levels]
    found = over(levels, bounds, of)
    assert min(found.masses) >= 0
    assert found.beyond == bounds[-1]
    assert sum(found.masses) + found.beyond >= of.unit
    for j, bound in zip(levels, bounds, strict=True):
        here = value(found, j * real(of.h), of)
        assert bound - mpf("1e-30") <= here
        assert here <= bound + 10**6  # and not much more
    for k in range(-150, 151, 3):  # so that it is above everywhere
        at = k * real(of.h) / 2
        assert value(found, at, of) >= divergence(p, q, at) * of.unit - mpf("1e-30")


def test_masses_that_are_exact() -> None:
    """One output, of which Q has e^-1: the loss is 1."""
    of = grid("1")
    e = mp.exp(1)
    bounds = [int(mp.ceil(max(mpf(0), 1 - mp.exp(j) / e) * of.unit)) for j in range(-2, 4)]
    found = over(range(-2, 4), bounds, of)
    assert (found.low, found.beyond) == (-2, 0)
    assert [round(x / of.unit, 12) for x in found.masses] == [0, 0, 0, 1, 0, 0]
    assert over([5], [of.unit // 4], of) == Losses(5, [3 * of.unit // 4], of.unit // 4)
    assert over([5], [2 * of.unit], of) == Losses(5, [0], 2 * of.unit)


def test_levels_outside_the_window() -> None:
    of = grid("1", low=-1, high=2)
    found = over([-4, -3, 3, 4], [of.unit, of.unit, of.unit // 2, of.unit // 4], of)
    free = over([-4, -3, 3, 4], [of.unit, of.unit, of.unit // 2, of.unit // 4],
                grid("1", low=-9, high=9))  # fmt: skip
    assert (found.low, len(found.masses)) == (-1, 4)
    assert found.masses == [sum(free.masses[:2]), 0, 0, 0]
    assert found.beyond == free.beyond + sum(free.masses[2:])
    assert sum(found.masses) + found.beyond == sum(free.masses) + free.beyond
    edge = over([-1, 2], [of.unit, 0], of)
    assert (edge.low, len(edge.masses), edge.beyond) == (-1, 4, 0)


def test_levels_that_are_too_close() -> None:
    with pytest.raises(Rejected, match="too close"):
        over([0, 1], [10**10, 0], grid(f"1/{10**60}", 10))
    with pytest.raises(Rejected, match="sum to more than 2"):
        over([0, 1], [10**10, 0], grid(f"1/{10**25}", 10))
    close = grid("1/2", 10)
    with pytest.raises(Rejected, match="sum to more than 2"):  # 2.54.. times what is to be bounded
        over([0, 1], [close.unit, 0], close)
    over([0, 1], [close.unit // 2, 0], close)


def test_masses_stay_short() -> None:
    of = grid(digits=10)
    one = Losses(0, [of.unit], of.unit // 3)
    two = times(one, one, of, ABOVE)
    assert sum(two.masses) + two.beyond <= 2 * of.unit
    with pytest.raises(Rejected, match="sum to more than 2"):
        times(two, one, of, ABOVE)
    assert times(Losses(0, [2 * of.unit]), Losses(0, [of.unit]), of, ABOVE).masses == [2 * of.unit]


# ---------------------------------------------------------------- products


def exactly(a: Losses, b: Losses, unit: int) -> tuple[dict[int, F], F]:
    found: dict[int, F] = {}
    for (i, x), (k, y) in product(enumerate(a.masses), enumerate(b.masses)):
        place = a.low + b.low + i + k
        found[place] = found.get(place, F(0)) + F(x * y, unit)
    of_a, of_b = sum(a.masses) + a.beyond, sum(b.masses) + b.beyond
    return found, F(of_a * of_b - sum(a.masses) * sum(b.masses), unit)


def losses(random: Random, beyond: bool = True) -> Losses:
    masses = [random.randrange(10**5) for _ in range(random.randrange(1, 8))]
    return Losses(random.randrange(-6, 4), masses, random.randrange(10**5) if beyond else 0)


@pytest.mark.parametrize("seed", range(30))
def test_products_rounded_up(seed: int) -> None:
    random = Random(seed)
    low = random.randrange(-12, 6)
    of = Grid(F(1, 2), 10**6, low, low + random.randrange(1, 12), Arithmetic(64))
    a, b = losses(random), losses(random)
    found, (exact, beyond) = times(a, b, of, ABOVE), exactly(a, b, of.unit)
    wanted: dict[int, F] = {}
    for place, mass in exact.items():
        if place > of.high:
            beyond += mass
        else:
            wanted[max(place, low)] = wanted.get(max(place, low), F(0)) + mass
    places = range(found.low, found.low + len(found.masses))
    assert set(wanted) <= set(places) <= set(range(of.low, of.high + 1))
    for place, mass in zip(places, found.masses, strict=True):
        assert mass == -(-wanted.get(place, F(0)) // 1)
    assert found.beyond == -(-beyond // 1)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(("side", "up"), [(P_BELOW, 0), (Q_ABOVE, 1)])
def test_products_of_labels(seed: int, side: Side, up: int) -> None:
    random = Random(seed)
    low = random.randrange(-12, 6)
    of = Grid(F(1, 2), 10**6, low, low + random.randrange(1, 12), Arithmetic(64))
    a, b = losses(random, beyond=False), losses(random, beyond=False)
    found, (exact, _) = times(a, b, of, side), exactly(a, b, of.unit)
    wanted: dict[int, F] = {}
    for place, mass in exact.items():
        if place >= low:
            wanted[min(place, of.high)] = wanted.get(min(place, of.high), F(0)) + mass
    places = range(found.low, found.low + len(found.masses))
    assert set(wanted) <= set(places) <= set(range(of.low, of.high + 1))
    for place, mass in zip(places, found.masses, strict=True):
        exact_mass = wanted.get(place, F(0))
        assert mass == (-(-exact_mass // 1) if up else exact_mass // 1)
    assert found.beyond == 0


def test_sides_of_the_window_that_all_leave() -> None:
    of = Grid(F(1), 100, 3, 5, Arithmetic(64))
    low, high = Losses(0, [10, 20]), Losses(4, [10, 20], 5)
    ten = Losses(0, [10])
    assert times(low, ten, of, ABOVE) == Losses(3, [3])
    assert times(high, high, of, ABOVE) == Losses(5, [0], 13)  # 12.25
    assert times(low, ten, of, P_BELOW) == Losses(3, [0])
    assert times(high._replace(beyond=0), high._replace(beyond=0), of, Q_ABOVE) == Losses(5, [9])


@pytest.mark.parametrize("count", range(1, 20))
def test_powers_are_as_many_products(count: int) -> None:
    of = Grid(F(1), 2**20, -1000, 1000, Arithmetic(64))
    assert power(Losses(-1, [of.unit]), count, of, ABOVE) == Losses(-count, [of.unit])
    one = Losses(0, [of.unit // 2, of.unit // 2])
    plain = one
    for _ in range(count - 1):
        plain = times(plain, one, of, ABOVE)
    assert power(one, count, of, ABOVE) == plain  # sums of a power of 2: nothing is rounded


# ---------------------------------------------------------------- at epsilon


@pytest.mark.parametrize("text", ["0", "1/2", "2/5", "3/10", "7", "log(2)", "2*log(exp(1/20))",
                                  "1/10", "123/1000", "99/10", "10", "100"])  # fmt: skip
@pytest.mark.parametrize("seed", range(4))
def test_the_divergence_of_masses(text: str, seed: int) -> None:
    random, of = Random(seed), grid()
    masses = [random.randrange(10**19) for _ in range(random.randrange(1, 200))]
    found = Losses(random.randrange(-100, 50), masses, random.randrange(10**18))
    epsilon: Number = parse(text)
    exact = value(found, kb.real(text), of)
    above = divergence_above(found, epsilon, of)
    assert exact - mpf("1e-9") <= above <= exact + 3


def test_the_divergence_below_all_and_above_all_masses() -> None:
    of = grid()
    assert divergence_above(Losses(-5, [7, 8], 3), F(0), of) == 3
    assert divergence_above(Losses(-5, [7, 8], 3), F(50), of) == 3
    here = divergence_above(Losses(90, [of.unit]), F(9), of)
    assert of.unit * mpf("1e-30") - 1 <= here <= 1  # it is at its own loss


def test_an_epsilon_that_is_not_enclosed() -> None:
    of = Grid(F(1, 10**40), 10**10, -9, 9, Arithmetic(104))
    with pytest.raises(Rejected, match="an epsilon that is not enclosed"):
        divergence_above(Losses(int(mp.log(2) * 10**40), [1]), parse("log(2)"), of)


@pytest.mark.parametrize("text", ["50", "99", "1e4000", "exp(100)", "exp(1e12)"])
def test_an_epsilon_beyond_all_masses(text: str) -> None:
    """However far: no number is as long as it, or as e^epsilon."""
    found = Losses(0, [10**19, 10**19], 7)
    assert divergence_above(found, parse(text), grid()) == 7
    if text != "exp(1e12)":
        epsilon = parse(text)
        assert divergence_below(found, Losses(0, [0, 1]), epsilon, grid()) == F(1, 10)
        assert divergence_below(found, Losses(-9, [1]), epsilon, grid()) == F(1, 5)


@pytest.mark.parametrize("text", ["0", "1/2", "log(2)", "3"])
@pytest.mark.parametrize("seed", range(6))
def test_the_divergence_of_labels(text: str, seed: int) -> None:
    random, of = Random(seed), grid()
    p, q = ([random.randrange(10**19) for _ in range(50)] for _ in range(2))
    low = random.randrange(-20, 5)
    factor = mp.exp(kb.real(text))
    exact = sum((max(mpf(0), a - factor * b) for a, b in zip(p, q, strict=True)), mpf(0))
    found = divergence_below(Losses(low, p), Losses(low, q), parse(text), of) * of.unit
    assert exact - 3 <= real(found) <= exact


def test_labels_have_to_meet() -> None:
    p, q = Losses(0, [10, 20]), Losses(1, [10])
    assert divergence_below(p, q, F(0), grid(digits=10)) == F(20, 10**10)
    assert divergence_below(q, p, F(0), grid(digits=10)) == 0
    assert divergence_below(p, Losses(0, [9]), F(0), grid(digits=10)) == F(21, 10**10)


# ---------------------------------------------------------------- labels


def test_labels_are_about_the_loss() -> None:
    of = grid("1/10", 20, -5, 30)

    def masses(*values: float) -> list[tuple[int, int, int]]:
        return [of.ar.of(F(x)) for x in values]

    p, q = masses(0.5, 0.25, 0, 0.125, 0.125, 0.5), masses(0.25, 0.5, 0.25, 0, 1e-6, 0.1)
    assert labelled(p, q, of, None) == [7, -5, None, 30, 30, 16]
    tiny = [(1, 1, -200)]
    assert labelled(tiny, masses(0.5), of, None) == [None]
    assert labelled(tiny, masses(0.5), of, -5) == [-5]
    assert labelled(masses(0.5), tiny, of, None) == [30]


def test_masses_by_label() -> None:
    assert by_label([3, None, 1, 3], [1, 2, 4, 8]) == Losses(1, [4, 0, 9])
    assert by_label([-2], [5]) == Losses(-2, [5])
    with pytest.raises(Rejected, match="no cell is in an event"):
        by_label([None, None], [1, 2])


def test_masses_cost_what_there_is_memory_for() -> None:
    """Twenty million places are far too many; a few thousand cost next to nothing."""
    of = grid(low=-(10**7), high=10**7)
    for far in (10**3, 10**7):
        for made in (
            lambda far=far: by_label([-far, far], [1, 2]),
            lambda far=far: over([-far, far], [of.unit, 0], of),
        ):
            with work.checking(1000) as check:
                if far == 10**3:
                    assert len(made().masses) == 2001
                    assert check.spent < 50_000
                else:
                    with pytest.raises(work.TooMuchWork):
                        made()


def test_averages_are_rounded() -> None:
    of = grid(digits=10)
    terms = [(F(1, 3), Losses(2, [10, 1])), (F(2, 3), Losses(2, [10, 0]))]
    assert mixed(terms, of, P_BELOW) == Losses(2, [9, 0])
    assert mixed(terms, of, Q_ABOVE) == Losses(2, [11, 1])
    assert mixed([(F(1), Losses(2, [10, 1]))], of, P_BELOW) == Losses(2, [10, 1])
    assert mixed([(F(1), Losses(2, [10, 1]))], of, Q_ABOVE) == Losses(2, [10, 1])
    for other in (Losses(1, [1, 1]), Losses(2, [1])):
        with pytest.raises(Rejected, match="of different labels"):
            mixed([terms[0], (F(2, 3), other)], of, P_BELOW)
    with pytest.raises(Rejected, match="no measure"):
        mixed([], of, Q_ABOVE)


def test_units_of_intervals() -> None:
    of = grid(digits=10)
    third = of.ar.of(F(1, 3))
    assert (of.below(third), of.above(third)) == (3333333333, 3333333334)
    assert of.below((-5, 3, 0)) == 0
    assert of.above((0, 1, -300)) == 1
    assert of.above((0, 10**9, 10**12)) == of.above((1, 1, 0)) == of.unit  # of what is at most 1
    low, high, e = of.interval(3)
    assert low * F(2) ** e <= F(3, 10**10) <= high * F(2) ** e


# ---------------------------------------------------------------- with few bits


def coarse(bits: int, h: str = "1/3") -> Grid:
    return Grid(F(h), 1000, -40, 40, Arithmetic(bits))


@pytest.mark.parametrize("bits", [6, 9, 14])
@pytest.mark.parametrize("seed", range(12))
def test_few_bits_are_on_the_safe_side(bits: int, seed: int) -> None:
    """Every enclosure is wide here, so that the wrong end of one would show."""
    random, of = Random(seed), coarse(bits)
    p, q = laws(random, random.randrange(2, 6))
    levels = sorted(random.sample(range(-12, 13), random.randrange(2, 12)))
    bounds = [int(mp.ceil(divergence(p, q, j * real(of.h)) * of.unit)) for j in levels]
    try:
        found = over(levels, bounds, of)
    except Rejected:
        return
    for j, bound in zip(levels, bounds, strict=True):
        assert value(found, j * real(of.h), of) >= bound - mpf("1e-30")
    for text in ("0", "1/2", "1", "log(2)", "5/3", "2", "10/3"):
        epsilon, at = parse(text), kb.real(text)
        try:
            above = divergence_above(found, epsilon, of)
        except Rejected:
            continue
        assert above >= value(found, at, of)
        assert above <= value(found, at, of) + mpf(50_000) / 2**bits + 2
        ours, theirs = found, Losses(found.low, found.masses[::-1])
        exact = sum((max(mpf(0), a - mp.exp(at) * b)
                     for a, b in zip(ours.masses, theirs.masses, strict=True)), mpf(0))  # fmt: skip
        assert real(divergence_below(ours, theirs, epsilon, of)) * of.unit <= exact


def test_an_epsilon_beside_a_level() -> None:
    """With few bits the level may be below it: its mass counts all the same."""
    of = Grid(F(1, 7), 10**6, -40, 40, Arithmetic(8))
    for k in range(1, 30):
        for near in (F(0), F(1, 1000), F(-1, 1000)):
            epsilon = F(k, 7) - near
            exact = value(Losses(k, [of.unit]), real(epsilon), of)
            found = divergence_above(Losses(k, [of.unit]), epsilon, of)
            assert exact <= found <= exact + 10_000
            assert found > 0 or near <= 0


def test_steps_of_many_levels_fall_fast_enough() -> None:
    """What is far above epsilon loses e^-(its distance) at least; a wrong end adds up."""
    for bits in (6, 8, 10):
        for h in ("1/3", "1/10", "2/7", "1"):
            of = Grid(F(h), 10**6, -40, 40, Arithmetic(bits))
            for far in (5, 10, 20):
                one = Losses(1, [0] * far + [of.unit])
                assert divergence_above(one, F(0), of) >= value(one, mpf(0), of)


def test_a_long_step_beside_a_level() -> None:
    of = Grid(F(5), 10**6, -40, 40, Arithmetic(8))
    for k in range(5, 30):
        epsilon = F(5 * k) - F(1, 4)
        exact = value(Losses(k, [of.unit]), real(epsilon), of)
        assert divergence_above(Losses(k, [of.unit]), epsilon, of) >= exact


def test_labels_without_an_excess_add_nothing() -> None:
    of = coarse(4)
    none, much = Losses(0, [1] * 40), Losses(0, [1000] * 40)
    assert divergence_below(none, much, F(0), of) == 0
    assert divergence_below(Losses(50, [1] * 40), none, F(0), of) == F(40, 1000)

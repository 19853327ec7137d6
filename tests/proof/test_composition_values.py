"""Numbers of vectors and of many releases, by brute force at 50 digits, and facts F40 to F44.

Nothing here uses the toolkit: other tests may take the table as what is known.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from mpmath import MPContext

ctx = MPContext()
ctx.dps = 50
mpf, log, exp, cosh = ctx.mpf, ctx.log, ctx.exp, ctx.cosh
Law = dict[tuple[int, ...], Fraction]

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
SAME: Law = {(0, 0): HALF, (1, 1): HALF}
OTHER: Law = {(0, 1): HALF, (1, 0): HALF}
THREE: Law = {(0, 0): HALF, (1, 2): Fraction(1, 4), (3, 1): Fraction(1, 4)}
EVEN: Law = {(0, 1): THIRD, (2, 2): THIRD, (3, 0): THIRD}
UNIFORM: Law = {(x,): Fraction(1, 5) for x in range(5)}
TWO: Law = {(2,): Fraction(1)}


def real(mass: Fraction) -> Any:
    return mpf(mass.numerator) / mass.denominator


def density(law: Law, y: Any, scales: list[Any]) -> Any:
    """What a release of a law has at y, up to the factor of the noise."""
    def far(x: tuple[int, ...]) -> Any:
        return sum(abs(a - b) / mpf(s) for a, b, s in zip(y, x, scales, strict=True))

    return sum(real(mass) * exp(-far(x)) for x, mass in law.items())


def grid(p: Law, q: Law) -> list[Any]:
    """The coordinates of atoms, in every combination."""
    return [*product(*(sorted({*axis}) for axis in zip(*p, *q, strict=True)))]


def ordered(p: Law, q: Law, scales: list[Any]) -> tuple[Any, Any]:
    """The largest log p/q on the grid, and where."""
    return max((log(density(p, y, scales) / density(q, y, scales)), y) for y in grid(p, q))


def loss(p: Law, q: Law, scales: list[Any]) -> Any:
    return max(ordered(p, q, scales)[0], ordered(q, p, scales)[0])


def copies(law: Law, k: int) -> Law:
    """X as often as it is released: one draw."""
    return {x * k: mass for x, mass in law.items()}


def fresh(first: Law, second: Law) -> Law:
    return {x + z: m * n for (x, m), (z, n) in product(first.items(), second.items())}


def many(k: int, theta: Any) -> Any:
    """The loss of k releases of UNIFORM against TWO, at outputs of all kinds."""
    return loss(copies(UNIFORM, k), copies(TWO, k), [theta] * k)


def delta_of_two() -> Any:
    """delta at 1/2 of two releases of 0 against 1, theta = 1, from the law of the log ratio.

    Of one release it is 1 with chance 1/2, 1 - 2y for y in (0, 1) of density e^-y/2, else -1.
    """
    def one(ratio: Any) -> Any:  # what the other release adds to this log ratio
        end = min(max(mpf(1) / 4 + ratio / 2, mpf(0)), mpf(1))  # the sum exceeds 1/2 up to there
        inside = (1 - exp(-end) - exp(-mpf(1) / 2 - ratio) * (exp(end) - 1)) / 2
        atoms = ((mpf(1), mpf(1) / 2), (mpf(-1), exp(-1) / 2))
        return inside + sum(w * max(1 - exp(mpf(1) / 2 - ratio - r), 0) for r, w in atoms)

    between = ctx.quad(lambda y: exp(-y) / 2 * one(1 - 2 * y), [0, mpf(3) / 4])
    return one(mpf(1)) / 2 + between


def least(epsilon: Any) -> Any:
    """The common scale at which SAME against OTHER has a loss."""
    return ctx.findroot(lambda theta: loss(SAME, OTHER, [theta, theta]) - epsilon,
                        (mpf("0.7"), mpf(1)), solver="illinois")  # fmt: skip


ORDERED = ordered(UNIFORM, TWO, [3])[0], ordered(TWO, UNIFORM, [3])[0]
BESIDE = fresh(UNIFORM, TWO), fresh(TWO, UNIFORM)
KNOWN = {  # the digits that are printed, and a recomputation
    "least scale at 1/2": ("0.921626281652047", lambda: least(mpf(1) / 2)),
    "least scale at log 2": ("0.759325717500207", lambda: least(log(2))),
    "three atoms": ("0.977625422994281", lambda: loss(THREE, EVEN, [1, mpf(3) / 2])),
    "one release": ("0.368199133285", lambda: many(1, 3)),
    "five releases": ("1.93298887178", lambda: loss(UNIFORM, TWO, [mpf(3) / 5])),
    "five times one": ("1.84099566642", lambda: 5 * many(1, 3)),
    "ten releases": ("5.09355455682", lambda: loss(UNIFORM, TWO, [mpf(3) / 10])),
    "(U, T) beside (T, U)": ("0.4767", lambda: loss(*BESIDE, [3, 3])),
    "its sum": ("0.7364", lambda: 2 * many(1, 3)),
    "delta of two": ("0.350495989981", delta_of_two),
    "delta of one": ("0.527633447259", lambda: 1 - exp(-mpf(3) / 4)),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_values(name: str) -> None:
    text, value = KNOWN[name]
    assert abs(value() - mpf(text)) <= mpf(10) ** -len(text.partition(".")[2]) / 2


def test_values_that_have_a_closed_form() -> None:
    for a, b in ((1, 1), (2, 1), (mpf("0.3"), mpf(7))):
        closed = log(cosh((a + b) / mpf(2)) / cosh((a - b) / mpf(2)))
        assert abs(loss(SAME, OTHER, [1 / mpf(a), 1 / mpf(b)]) - closed) < mpf(10) ** -45
    for axis in range(2):  # each alone: one law
        assert sorted(x[axis] for x in SAME) == sorted(x[axis] for x in OTHER)
    assert abs(loss(SAME, OTHER, [1 / log(2 + ctx.sqrt(3))] * 2) - log(2)) < mpf(10) ** -45
    assert ordered(THREE, EVEN, [1, mpf(3) / 2])[1] == (0, 0)
    theta = 1 / log(2)
    assert abs(many(1, theta) - log(2)) < mpf(10) ** -45
    assert abs(many(2, theta) - log(mpf(341) / 80)) < mpf(10) ** -45
    assert Fraction(341, 80) > 4
    first, second = ORDERED
    assert abs(loss(*BESIDE, [3, 3]) - (first + second)) < mpf(10) ** -45  # F43: ordered losses


def test_releases_of_one_draw_are_one_release() -> None:
    """F40, on the grid of all outputs; the sum of the losses fails from the fifth release on."""
    for k in (2, 3):
        assert abs(many(k, 3) - loss(UNIFORM, TWO, [mpf(3) / k])) < mpf(10) ** -45
    fails = [k for k in range(2, 11) if loss(UNIFORM, TWO, [mpf(3) / k]) > k * many(1, 3)]
    assert fails == [*range(5, 11)]


def test_no_output_exceeds_the_grid() -> None:
    """F42, with masses that are 0 under one secret; the loss is at most that of F43's ranges."""
    random = Random(42)
    for _ in range(12):
        axes = random.randint(1, 3)
        points = [tuple(random.randint(-3, 3) for _ in range(axes)) for _ in range(6)]
        p, q = (dict.fromkeys(random.sample(points, 3), THIRD) for _ in range(2))
        scales = [mpf(random.randint(1, 8)) / 4 for _ in range(axes)]
        most = ordered(p, q, scales)[0]
        for _ in range(10):
            y = [mpf(random.uniform(-5, 5)) for _ in range(axes)]
            assert log(density(p, y, scales) / density(q, y, scales)) <= most + mpf(10) ** -40
        ranges = [max(axis) - min(axis) for axis in zip(*p, *q, strict=True)]
        assert most <= sum(r / s for r, s in zip(ranges, scales, strict=True))


def pieces(points: list[Fraction], scale: float, step: int) -> list[dict[Fraction, float]]:
    """The pieces of an axis: corners with weights (F42c, F42e). Step 0 is the line."""
    t = float(exp(-mpf(step) / scale))
    found = [{points[0]: t}, {points[-1]: t}, *({v: 1 - t} for v in points)]
    for a, b in pairwise(points):
        far = float(exp(-real(b - a) / scale))
        found.append(dict.fromkeys((a, b), (t - far) / (1 + far)))
    return [{v: w / (1 + t) for v, w in piece.items()} for piece in found]


def bounds(
    p: Law, q: Law, scale: float, factor: float, axis: list[Fraction], step: int = 0
) -> tuple[float, float]:
    """The two sums of F42b, for two coordinates with one list of points."""
    at = [real(v) for v in axis]
    scales = [mpf(scale)] * 2
    g = {(v, w): float(density(p, (y, z), scales) - factor * density(q, (y, z), scales))
         for (v, y), (w, z) in product(zip(axis, at, strict=True), repeat=2)}  # fmt: skip
    low = high = 0.0
    for first, second in product(pieces(axis, scale, step), repeat=2):
        terms = [m * n * g[v, w] for (v, m), (w, n) in product(first.items(), second.items())]
        low += max(sum(terms), 0)
        high += sum(max(term, 0) for term in terms)
    return low, high


def test_delta_is_between_two_sums_that_meet() -> None:
    """F42b and F42f: two releases of 0 against 1, whose delta is known; the gap falls as n^-2."""
    true, e = float(KNOWN["delta of two"][0]), float(exp(mpf(1) / 2))
    found = [bounds({(0, 0): Fraction(1)}, {(1, 1): Fraction(1)}, 1, e, [
        Fraction(k, n) for k in range(n + 1)]) for n in (1, 2, 4, 8, 16)]  # fmt: skip
    assert all(low <= true <= high for low, high in found)
    assert all(a[0] <= b[0] and b[1] <= a[1] for a, b in pairwise(found))
    gaps = [high - low for low, high in found]
    assert gaps[-1] < gaps[-2] / 3 < gaps[-3] / 9


def test_on_a_lattice_with_every_point_they_are_equal() -> None:
    c, window = float((1 - exp(-1)) / (1 + exp(-1))), range(-25, 30)
    low, high = bounds(THREE, EVEN, 1, 1.25, [Fraction(v) for v in range(4)], 1)
    near = [[float(exp(-abs(y - x))) for x in range(4)] for y in window]
    direct = sum(max(sum(float(m) * a[x] * b[z] for (x, z), m in THREE.items())
                     - 1.25 * sum(float(m) * a[x] * b[z] for (x, z), m in EVEN.items()), 0)
                 for a, b in product(near, repeat=2))  # fmt: skip
    assert low == pytest.approx(high, abs=1e-12)
    assert low == pytest.approx(c * c * direct, abs=1e-9)
    apart = bounds(THREE, EVEN, 1, 1.25, [Fraction(v) for v in (0, 1, 3)], 1)
    assert apart[0] <= low <= apart[1]


def test_adaptive_releases_are_mixtures_of_one_release() -> None:
    """F40 on a lattice: the weights are >= 0 and add up to 1, also if the scale is chosen late."""
    t, first = Fraction(1, 6), HALF  # the products of t_i are at least t on every path

    def noise(ratio: Fraction, far: int) -> Fraction:
        return (1 - ratio) / (1 + ratio) * ratio ** abs(far)

    def chance(y: int, z: int, x: int) -> Fraction:
        return noise(first, y - x) * noise(THIRD if y >= 0 else HALF, z - x)

    def weight(y: int, z: int, x: int) -> Fraction:
        beside = chance(y, z, x - 1) + chance(y, z, x + 1)
        return ((1 + t * t) * chance(y, z, x) - t * beside) / (1 - t) ** 2

    window = range(-14, 15)
    for x in (0, 1):
        weights = [weight(y, z, x) for y, z in product(window, repeat=2)]
        assert min(weights) >= 0
        assert 0.999 < sum(weights) < 1
    for y, z in ((0, 0), (-2, 3), (4, 1)):
        mixed = sum(weight(y, z, x) * noise(t, x - 1) for x in range(-20, 21))
        assert 0 <= chance(y, z, 1) - mixed < 1e-12


def test_what_one_coordinate_adds_at_most_and_that_nothing_is_added_in_general() -> None:
    """F43b: at a scale near 0 both together reveal as much as one likes, each one nothing."""
    losses = [loss(SAME, OTHER, [mpf(1) / k] * 2) for k in (1, 10, 100)]
    assert all(k - log(2) <= found <= 2 * k for k, found in zip((1, 10, 100), losses, strict=True))

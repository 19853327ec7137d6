"""The exact probabilities of the samplers' decision trees enclose those of the laws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count, pairwise

import pytest
from decision_tree import Choices, tree
from hypothesis import given
from hypothesis import strategies as st
from support import tally

from pfverify import Channel, DiscreteGaussian, DiscreteLaplace, InputError
from pfverify.exact.ball import Ball, precision, raw
from pfverify.exact.number import Number
from pfverify.model.channels.entries import as_number
from pfverify.sampling import gaussian as sampling_gaussian
from pfverify.sampling.bits import Bits
from pfverify.sampling.channels import place, sampler
from pfverify.sampling.coins import interval, survives
from pfverify.sampling.laplace import Sizes, sizes_of, steps
from pfverify.sampling.noises import drawer

SMALL = Fraction(1, 1 << 14)


def first_of(draw: Callable[[Bits], Iterator[object]]) -> Callable[[Bits], object]:
    return lambda bits: next(draw(bits))


def power(rate: Number | Fraction, times: int = 1) -> Callable[[], Ball]:
    """e to minus a rate, some times."""
    exact = as_number(rate)
    return lambda: (-(exact.ball() * Ball(times))).exp()


def laplace(rate: Number | Fraction, k: int) -> Callable[[], Ball]:
    """(1 - t)/(1 + t) t**|k|."""
    t, one = power(rate), Ball(1)
    return lambda: (one - t()) / (one + t()) * power(rate, abs(k))()


@pytest.mark.parametrize("bound", range(1, 12))
def test_whole_numbers_below_a_bound_are_uniform(bound: int) -> None:
    found = tree(lambda bits: bits.below(bound), SMALL)
    assert found.left < Fraction(1, 10)
    assert set(found.law) == set(range(bound))
    assert len(set(found.law.values())) == 1, "by symmetry"
    assert found.encloses(0, Fraction(1, bound))


@pytest.mark.parametrize(("top", "bottom"), [(0, 1), (0, 3), (1, 1), (1, 2), (2, 3), (5, 7)])
def test_a_rational_coin_has_its_chance(top: int, bottom: int) -> None:
    found = tree(lambda bits: bits.coin(top, bottom), SMALL)
    assert found.left < Fraction(1, 20)
    assert found.encloses(True, Fraction(top, bottom))
    assert found.encloses(False, 1 - Fraction(top, bottom))


RATES = [Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(1), Fraction(5, 3), Fraction(4)]


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("coins", [True, False], ids=["coins", "bits"])
def test_survival_has_chance_e_to_minus_a_rational_rate(rate: Fraction, coins: bool) -> None:
    found = tree(lambda bits: survives(rate.numerator, rate.denominator, bits), SMALL, coins=coins)
    assert found.left < (Fraction(1, 500) if coins else Fraction(1, 10))
    assert found.encloses(True, power(rate))
    near = power(rate + Fraction(1, 100 if coins else 3))
    assert rate == 4 or not found.encloses(True, near), "a wrong law would not be seen"


NUMBERS = ["log(3)/8", "log(2)", "1/log(3)", "sqrt(2)/10", "log((exp(1)-1/2)/(1/2))", "3*log(5)"]
WHOLE = (0, 0)  # of a random number no bit is drawn yet


class Parts(Sizes):
    """The same law taken apart otherwise, as it may be: n = 2**below, and so many places."""

    def __init__(self, rate: str, below: int, places: int) -> None:
        super().__init__(Number.parse(rate))
        self.below, self.places = below, places


@pytest.mark.parametrize("text", ["1/70", "log(3)/200", "1/1000", "sqrt(2)/500", "1/1000000007"])
def test_the_part_below_is_kept_with_its_chance(text: str) -> None:
    sizes, rate = Sizes(Number.parse(text)), Number.parse(text)
    n = 1 << sizes.below
    assert n > 1
    for u in {0, 1, n // 2, n - 1}:
        found = tree(lambda bits, u=u: sizes.keeps(u, bits, WHOLE), SMALL / 8)
        assert found.left < Fraction(1, 200)
        assert found.encloses(True, power(rate, u))
        assert found.encloses(False, lambda u=u: Ball(1) - power(rate, u)())
        assert not found.encloses(True, lambda u=u: power(rate, u)() - Ball(Fraction(1, 100)))


@pytest.mark.parametrize("text", NUMBERS)
def test_the_place_above_has_its_chance(text: str) -> None:
    sizes, rate, one = Sizes(Number.parse(text)), Number.parse(text), Ball(1)
    n = 1 << sizes.below
    found = tree(lambda bits: sizes.place(bits, WHOLE), SMALL)
    assert found.left < Fraction(1, 4)
    for v in range(5):
        assert found.encloses(v, lambda v=v: (one - power(rate, n)()) * power(rate, n * v)())


class Known(Parts):
    """A rate whose t is a fraction: no first bits decide, u is kept and v drawn by exact coins."""

    def __init__(self, t: Fraction, below: int) -> None:
        super().__init__("1", below, 1)
        self.t = t

    def thresholds(self, count: int) -> tuple[list[int], list[int]]:
        return [0], [1 << count]

    def place(self, bits: Bits, begun: tuple[int, int]) -> int:
        return next(v for v in count() if not self.keeps(1 << self.below, bits, begun))

    def keeps(self, low: int, bits: Bits, begun: tuple[int, int]) -> bool:
        chance = self.t**low
        return bits.coin(chance.numerator, chance.denominator)


@pytest.mark.parametrize(
    ("text", "below"),
    [("1/10", 0), ("1/2", 0), ("1/2", 1), ("7/9", 0), ("7/9", 1), ("7/9", 2), ("9/10", 3)],
)
def test_noise_has_its_law_where_its_parts_have_theirs(text: str, below: int) -> None:
    """However many halvings u has; closer, since each part is few choices here."""
    sizes = Known(Fraction(text), below)
    t = sizes.t
    found = tree(first_of(lambda bits: steps(sizes, bits)), Fraction(1, 1 << 14), coins=True)
    assert found.left < Fraction(2, 5)
    for k in range(-12, 13):
        law = (1 - t) / (1 + t) * t ** abs(k)
        assert found.encloses(k, law)
        assert found.law.get(k) == found.law.get(-k), "by symmetry, path by path"
    assert not found.encloses(0, (1 - t) / (1 + t) + Fraction(2, 5)), "a wrong law is seen"


@pytest.mark.parametrize(
    ("t", "below", "places"),
    [("1/10", 0, 1), ("1/2", 0, 1), ("1/2", 1, 3), ("7/9", 0, 4), ("7/9", 1, 1), ("7/9", 2, 2),
     ("9/10", 3, 16)],
)  # fmt: skip
def test_noise_has_its_law_however_its_size_is_taken_apart(
    t: str, below: int, places: int
) -> None:
    """Thresholds that are powers of 1/2 too: no enclosure ever leaves a random number that ties."""
    sizes, exact = Parts(f"-log({t})", below, places), Fraction(t)
    found = tree(first_of(lambda bits: steps(sizes, bits)), Fraction(1, 1 << 13))
    assert found.left < Fraction(2, 3)
    assert found.paths > 100
    for k in range(-12, 13):
        assert found.encloses(k, (1 - exact) / (1 + exact) * exact ** abs(k))
        assert found.law.get(k) == found.law.get(-k), "by symmetry, path by path"


@pytest.mark.parametrize("rate", ["1/7", "1/2", "1", "5/3", "2", "4", "1/100", *NUMBERS])
def test_noise_has_its_law_bit_by_bit(rate: str) -> None:
    sizes = sizes_of(DiscreteLaplace(Number.of_rational(1) / Number.parse(rate), step=1))
    found = tree(first_of(lambda bits: steps(sizes, bits)), Fraction(1, 1 << 13))
    assert found.left < Fraction(2, 3)
    assert found.paths > 100
    for k in range(-9, 10):
        assert found.encloses(k, laplace(Number.parse(rate), k)), k
        assert found.law.get(k) == found.law.get(-k), "by symmetry, path by path"


@pytest.mark.parametrize("step", [Fraction(1), Fraction(2, 3)])
def test_noise_is_drawn_in_multiples_of_its_step(step: Fraction) -> None:
    found = tree(first_of(drawer(DiscreteLaplace("4/3", step=step))), Fraction(1, 1 << 12))
    rate = step / Fraction(4, 3)
    for k in range(-3, 4):
        assert found.encloses(k * step, laplace(rate, k))
        assert found.law[k * step] > 0


def gaussian(variance: Fraction, k: int) -> Callable[[], Ball]:
    """e**(-k**2/(2v)) over the sum of all, which 40 terms make to 60 digits for v <= 5."""
    powers = [power(Fraction(j * j) / (2 * variance)) for j in range(-40, 41)]
    top = power(Fraction(k * k) / (2 * variance))
    return lambda: top() / sum((one() for one in powers), Ball(0))


@pytest.mark.parametrize("variance", ["1/2", 3])
def test_discrete_gaussian_noise_has_its_law(variance: str | int) -> None:
    v = Fraction(variance)
    found = tree(first_of(drawer(DiscreteGaussian(variance=v))), Fraction(1, 1 << 12), coins=True)
    assert found.paths > 30
    for k in range(-6, 7):
        assert found.encloses(k, gaussian(v, k)), k
        assert found.law.get(k) == found.law.get(-k), "by symmetry, path by path"
    assert not found.encloses(0, lambda: Ball(Fraction(1, 20)) * gaussian(v, 0)())


@pytest.mark.parametrize("variance", ["1/9", "1/2", 1, "5/3", 40, "1000001/7"])
def test_what_is_drawn_and_kept_has_the_weight_of_a_normal_law(
    variance: str | int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of every size the chance of being drawn times that of being kept, as exponents."""
    v, found = Fraction(variance), []
    for size in (0, 1, 2, 17, 400):
        exponents = []

        def drawn(sizes: Sizes, _: Bits, size: int = size, to: list = exponents) -> Iterator[int]:  # type: ignore[type-arg]
            ((_, rate),) = sizes.rate.linear.parts.items()
            to.append(size * rate)
            yield size

        def kept(top: int, bottom: int, bits: Bits, to: list = exponents) -> bool:  # type: ignore[type-arg]
            to.append(Fraction(top, bottom))
            return True

        monkeypatch.setattr(sampling_gaussian, "laplace_steps", drawn)
        monkeypatch.setattr(sampling_gaussian, "survives", kept)
        assert next(sampling_gaussian.steps(v, Bits())) == size
        found.append(sum(exponents) - Fraction(size * size) / (2 * v))
    assert len(set(found)) == 1


def test_discrete_gaussian_noise_is_drawn_in_multiples_of_its_step() -> None:
    draw = first_of(drawer(DiscreteGaussian(variance="1/9", step="1/3")))
    found = tree(draw, Fraction(1, 1 << 9), coins=True)
    assert all((3 * k).denominator == 1 for k in found.law)  # type: ignore[operator]
    assert found.encloses(Fraction(1, 3), gaussian(Fraction(1), 1))


def test_what_leaves_out_the_second_zero_is_seen_to_be_wrong() -> None:
    """The tests can fail: without drawing a negative 0 again, 0 comes up too often."""

    sizes = Known(Fraction(1, 2), 0)

    def wrong(bits: Bits) -> int:
        negative = bits.take(1)
        size = sizes.place(bits, WHOLE)
        return -size if negative else size

    found = tree(wrong, Fraction(1, 1 << 15), coins=True)
    assert not found.encloses(0, Fraction(1, 3))
    assert not found.encloses(1, Fraction(1, 6))


# ---------------------------------------------------------------- thresholds and ties

DEEP = ["1/64", "1/65", "1e-9", "1e-40*log(3)", "sqrt(2)/1e9", "1e-3000"]


@given(text=st.sampled_from([*DEEP, "1/2", "3*log(5)", "40", "1e9"]), count=st.integers(1, 200))
def test_thresholds_enclose_their_numbers_closely(text: str, count: int) -> None:
    sizes = Sizes(Number.parse(text))
    lows, highs = sizes.thresholds(count)
    assert len(lows) == len(highs) == sizes.places
    assert all(low <= high <= low + 2 for low, high in zip(lows, highs, strict=True))
    assert [*lows] == sorted(lows)
    assert [*highs] == sorted(highs)
    for k in {1, (sizes.places + 1) // 2, sizes.places}:
        with precision(20_000):
            exact = (Ball(1) - power(Number.parse(text), k << sizes.below)()) * Ball(1 << count)
            assert not Ball(lows[k - 1]).raw > exact.raw
            assert not Ball(highs[k - 1]).raw < exact.raw


REACHED: Counter[str] = Counter()


@given(text=st.sampled_from(DEEP), count=st.integers(1, 200), data=st.data())
def test_chords_enclose_the_chance_of_being_kept(
    text: str, count: int, data: st.DataObject
) -> None:
    sizes = Sizes(Number.parse(text))
    n = 1 << sizes.below
    u = data.draw(st.one_of(st.sampled_from([0, 1, n // 2, n - 1]), st.integers(0, n - 1)))
    ((low,), (high,)) = sizes._chords(u, count)
    REACHED["all"] += 1
    REACHED["apart by more than a unit"] += high > low + 1
    REACHED["of 1"] += high == 1 << count
    assert 0 <= low <= high <= 1 << count
    # the thresholds are within 2 of one another, and both chords are rounded outwards
    assert high - low <= 3 + (1 << count >> 10), "few random numbers are left open"
    with precision(20_000):
        exact = power(Number.parse(text), u)() * Ball(1 << count)
        assert not Ball(low).raw > exact.raw
        assert not Ball(high).raw < exact.raw


def test_chords_of_every_sort_were_tried() -> None:
    tally.reached(REACHED, "apart by more than a unit", "of 1", least=5 if REACHED["all"] else 0)




def fixed(*thresholds: Fraction, slack: int) -> Callable[[int], tuple[list[int], list[int]]]:
    """Enclosures that never become exact: `slack` units on either side."""

    def bounds(count: int) -> tuple[list[int], list[int]]:
        exact = [threshold * (1 << count) for threshold in thresholds]
        return [x.__floor__() - slack for x in exact], [x.__ceil__() + slack for x in exact]

    return bounds


@pytest.mark.parametrize("slack", [0, 1, 3])
@pytest.mark.parametrize(
    "thresholds",
    [(0,), (1,), ("1/2",), ("1/4", "1/2"), ("1/3", "1/3"), (0, "3/8", "3/8", 1), ("2/7", "5/7")],
    ids=str,
)
def test_an_interval_has_the_chance_of_its_length(thresholds: tuple, slack: int) -> None:
    """Thresholds that are dyadic too: a random number that ties with one is drawn on."""
    ends = [Fraction(0), *map(Fraction, thresholds), Fraction(1)]
    found = tree(lambda bits: interval(fixed(*ends[1:-1], slack=slack), bits), Fraction(1, 1 << 20))
    assert found.left < Fraction(1, 1 << 11)
    for k, (low, high) in enumerate(pairwise(ends)):
        assert found.encloses(k, high - low)
        assert (k in found.law) == (low < high), "an interval without length never comes up"


# ---------------------------------------------------------------- channels

ROWS = [
    ("1/2", "1/3", "1/6"),
    (0, "1/4", 0, "3/4", 0),
    (1,),
    ("log(4)/log(2)-1",),
    ("sqrt(2)*sqrt(2)-1", 0),
    ("exp(-1)", "1-exp(-1)"),
    (0, "log(2)/2", 0, "1-log(2)", "log(2)/2", 0),
    ("sqrt(2)-1", "1/5", "9/5-sqrt(2)"),
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_row_is_drawn_with_its_masses(row: tuple[object, ...]) -> None:
    inputs, outputs = ["x"], [f"y{k}" for k in range(len(row))]
    channel = Channel.of({"kind": "matrix", "inputs": inputs, "outputs": outputs, "rows": [row]})
    found = tree(lambda bits: place(channel.rows[0], bits), Fraction(1, 1 << 17))
    assert found.left < Fraction(1, 50)
    for k, mass in enumerate(channel.rows[0]):
        assert found.encloses(k, as_number(mass).ball)
        assert (k in found.law) == (mass != 0), "an output without mass never comes up"


RESPONSE = {"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"}
BUDGET = {"kind": "randomized-response", "inputs": ["a", "b", "c"], "epsilon": 1}
CHANNELS = {
    "matrix": {"kind": "matrix", "inputs": ["a"], "outputs": ["x", "y"], "rows": [["1/3", "2/3"]]},
    "randomized-response": BUDGET,
    "rappor": {"kind": "rappor", "inputs": ["a", "b"], "flip": "1/2"},
    "unary": {"kind": "unary", "inputs": ["a", "b"], "epsilon": 1, "variant": "optimised"},
    "subset-selection": {"kind": "subset-selection", "inputs": ["a", "b", "c"], "epsilon": 1},
    "local-hashing": {"kind": "local-hashing", "inputs": ["a", "b"], "epsilon": "log(2)",
                      "range": 2},
    "truncated-geometric": {"kind": "truncated-geometric", "size": 3, "epsilon": 1},
    "exponential": {"kind": "exponential", "inputs": ["a", "b"], "outputs": ["x", "y"],
                    "scores": [[0, 1], [1, 0]], "epsilon": 1},
    "planar": {"kind": "planar", "points": {"a": [0, 0], "b": [1, 1]}, "epsilon": 1},
    "composition": {"kind": "composition", "parts": [RESPONSE, RESPONSE]},
    "product": {"kind": "product", "parts": [RESPONSE, RESPONSE]},
    "cascade": {"kind": "cascade", "parts": [RESPONSE, RESPONSE]},
    "mixture": {"kind": "mixture", "parts": [RESPONSE, RESPONSE], "weights": ["1/3", "2/3"]},
    "tupling": {"kind": "tupling", "base": RESPONSE, "dummies": 2,
                "dummy": {"a": "1/3", "b": "2/3"}},
}  # fmt: skip


@pytest.mark.parametrize("kind", [kind for kind in CHANNELS if kind != "tupling"])
def test_every_kind_of_channel_is_drawn_from_its_rows(kind: str) -> None:
    channel = Channel.of(CHANNELS[kind])
    for name, row in zip(channel.inputs, channel.rows, strict=True):
        found = tree(sampler(channel, name), Fraction(1, 1 << 13))
        assert found.left < Fraction(1, 20)
        for output, mass in zip(channel.outputs, row, strict=True):
            assert found.encloses(output, as_number(mass).ball)


def test_a_tuple_hides_the_output_at_every_place_alike() -> None:
    """The law of the tuples, by hand: the mean over the places of the true output."""
    channel = Channel.of(CHANNELS["tupling"])
    true, dummy = {"a": Fraction(3, 4), "b": Fraction(1, 4)}, {"a": Fraction(1, 3)}
    dummy["b"] = 1 - dummy["a"]
    found = tree(sampler(channel, "a"), Fraction(1, 10**6), coins=True)
    assert found.left == 0
    assert len(found.law) == 8
    for names, mass in found.law.items():
        masses = [
            true[names[at]] * dummy[names[at - 1]] * dummy[names[at - 2]] for at in range(3)
        ]
        assert mass == sum(masses) / 3


def test_the_trees_are_of_every_kind_of_channel() -> None:
    from pfverify.model.channels.kinds import CHANNELS as KINDS

    assert set(CHANNELS) == set(KINDS)


def test_a_path_is_followed() -> None:
    bits = Choices((1, 0, 1), coins=False)
    assert (bits.take(3), raw(1) == 1) == (5, True)
    with pytest.raises(InputError):
        sampler(Channel.of(RESPONSE), "c")

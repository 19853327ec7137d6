"""The source of random bits, good and hostile; no floats; the same short time at every scale."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import pfverify.sampling
from pfverify import DiscreteLaplace, InputError
from pfverify.errors import UndecidedError
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.kinds import NOISES
from pfverify.model.releases.merged import MergedOutputs
from pfverify.sampling import channels, noises
from pfverify.sampling.bits import Bits, RandomnessError
from pfverify.sampling.coins import interval
from pfverify.sampling.laplace import sizes_of, steps

ROOM = Path(pfverify.sampling.__file__).parent
SCALES = ["1/2", "1e9", "1e-9", "log(3)", "1/log(3)", "1e9*log(3)", "sqrt(2)/1e9", "1e40/7"]


# ---------------------------------------------------------------- what the room is made of


def trees() -> list[tuple[str, ast.Module]]:
    return [(path.name, ast.parse(path.read_text("utf-8"))) for path in ROOM.glob("*.py")]


def test_no_float_and_no_other_randomness_is_in_the_room() -> None:
    """Not even a quotient of whole numbers; the one `/` is between exact numbers."""
    assert len(trees()) >= 5
    divided = []
    for name, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant):
                assert not isinstance(node.value, float | complex), name
            if isinstance(node, ast.Name | ast.Attribute):
                word = node.id if isinstance(node, ast.Name) else node.attr
                assert word not in {"float", "midpoint", "random", "uniform", "seed"}, name
            if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
                divided.append(ast.unparse(node))
            if isinstance(node, ast.Import):
                assert [alias.name for alias in node.names] == ["secrets"], name
            if isinstance(node, ast.ImportFrom):
                tops = {"__future__", "abc", "bisect", "collections", "dataclasses", "fractions"}
                tops |= {"itertools", "pathlib", "pfverify", "typing"}
                tops |= {"math"} if [alias.name for alias in node.names] == ["isqrt"] else set()
                assert (node.module or "").split(".")[0] in tops, name
    assert divided == ["Number.of_rational(noise.step) / noise.scale"]


def test_every_kind_has_a_sampler_or_a_refusal() -> None:
    assert set(noises.SAMPLERS) == set(NOISES.values())
    assert set(channels.SAMPLERS) == {*CHANNELS.values(), MergedOutputs}


def test_a_kind_without_a_row_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    response = Channel.of({"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"})
    monkeypatch.delitem(noises.SAMPLERS, DiscreteLaplace)
    monkeypatch.delitem(channels.SAMPLERS, type(response))
    with pytest.raises(InputError, match="discrete-laplace noise has no exact sampler"):
        noises.drawer(DiscreteLaplace(1))
    with pytest.raises(InputError, match="randomized-response has no exact sampler"):
        channels.sampler(response, "a")


# ---------------------------------------------------------------- bits


@pytest.mark.parametrize("word", [1, 4, 32, 64, 4096])
def test_first_bits_are_all_those_of_the_source(word: int) -> None:
    words: list[int] = []

    def source(count: int) -> int:
        words.append(random.getrandbits(count))
        return words[-1]

    random = Random(word)
    bits = Bits(source, word)
    found = [*islice(bits.firsts(), 3 * word // bits.first)]
    whole = [part for one in words for part in _parts(one, bits.first, word)]
    assert (len(words), found) == (3, whole)


def _parts(value: int, size: int, word: int) -> list[int]:
    return [value >> at & ((1 << size) - 1) for at in range(0, word, size)]


def test_a_word_is_taken_apart_evenly() -> None:
    with pytest.raises(ValueError, match="a word of 40 bits, expected a multiple of 32"):
        Bits(word=40)


def test_bits_come_in_the_order_of_the_source() -> None:
    words = iter([0b1011, 0b0010, 0b1111])
    bits = Bits(lambda count: next(words), word=4)
    assert [bits.take(n) for n in (1, 2, 0, 3, 6)] == [0b1, 0b01, 0, 0b100, 0b101111]


def test_the_default_source_is_the_operating_systems() -> None:
    import secrets

    assert Bits()._source == secrets.randbits
    assert Bits().take(64) != Bits().take(64)


@pytest.mark.parametrize("wrong", [-1, 1 << 64, 0.5, True, None, "1", Fraction(1)], ids=repr)
def test_a_source_that_gives_no_bits_is_refused(wrong: object) -> None:
    with pytest.raises(RandomnessError, match="expected a whole number of 64 bits"):
        Bits(lambda count: wrong).take(1)


@pytest.mark.parametrize("word", [0, (1 << 64) - 1, 0x5555555555555555, 1], ids=hex)
@pytest.mark.parametrize("text", [text.replace("1e-9", "1e-3").replace("/1e9", "/1e3")
                                  for text in SCALES])  # fmt: skip
def test_a_source_that_is_stuck_ends_in_a_draw_or_an_error(word: int, text: str) -> None:
    sizes = sizes_of(DiscreteLaplace(text))
    bits = Bits(lambda count: word)
    with suppress(RandomnessError, UndecidedError):
        assert isinstance(next(steps(sizes, bits)), int)


def test_stuck_sources_are_found_out() -> None:
    with pytest.raises(RandomnessError, match="broken"):
        Bits(lambda count: (1 << count) - 1).below(3)
    with pytest.raises(RandomnessError, match="broken"):
        next(steps(sizes_of(DiscreteLaplace(2)), Bits(lambda count: (1 << count) - 1)))
    negative = iter([1, 0] * 10_000)  # a negative 0 each time
    with pytest.raises(RandomnessError, match="broken"):
        next(steps(sizes_of(DiscreteLaplace(2)), Bits(lambda count: next(negative), word=32)))


def test_an_exhausted_source_ends_with_its_own_error() -> None:
    words = [1 << 62] * 3
    with pytest.raises(IndexError):
        draws(lambda: Bits(lambda count: words.pop()))


def test_a_source_that_follows_the_threshold_is_given_up() -> None:
    """The random number that ties with 1/3, which has chance 0: all its bits, then an error."""

    def bounds(count: int) -> tuple[list[int], list[int]]:
        return [(1 << count) // 3], [(1 << count) // 3 + 1]

    with pytest.raises(UndecidedError, match="from a threshold at 1048576 bits"):
        interval(bounds, Bits(lambda count: 0x5555555555555555))


def test_enclosures_that_never_shrink_are_given_up() -> None:
    with pytest.raises(UndecidedError, match="cannot be told"):
        interval(lambda count: ([0], [1 << count]), Bits())


# ---------------------------------------------------------------- scales


def counted(seed: int) -> tuple[Bits, list[int]]:
    rng, words = Random(seed), [0]

    def source(count: int) -> int:
        words[0] += 1
        return rng.getrandbits(count)

    return Bits(source), words


@pytest.mark.parametrize("text", SCALES)
def test_a_draw_takes_few_random_bits_at_every_scale(text: str) -> None:
    sizes = sizes_of(DiscreteLaplace(text))
    bits, words = counted(1)
    draws = [*islice(steps(sizes, bits), 400)]
    assert words[0] / 400 < 10
    large = text in ("1e9", "1e9*log(3)", "1e40/7")
    assert (len(set(draws)) > 390) == large


@pytest.mark.parametrize(
    ("noise", "words"),
    [
        (DiscreteLaplace(), "missing"),
        (DiscreteLaplace(0), "adds nothing"),
        (DiscreteLaplace(Fraction(10) ** 4000), "thousands of digits"),
        (DiscreteLaplace("1e4000*log(3)"), "thousands of digits"),
        (DiscreteLaplace(1, step=Fraction(1, 10**4000)), "thousands of digits"),
    ],
)
def test_what_cannot_be_drawn_is_refused(noise: DiscreteLaplace, words: str) -> None:
    with pytest.raises(InputError, match=words):
        sizes_of(noise)


def draws(make: Callable[[], Bits]) -> list[int]:
    return [*islice(steps(sizes_of(DiscreteLaplace(7)), make()), 50)]


def test_two_runs_draw_differently() -> None:
    assert draws(Bits) != draws(Bits)
    assert draws(lambda: counted(5)[0]) == draws(lambda: counted(5)[0])

"""Draws against the exact law by Pearson's chi-square, from bits that are the same in every run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice, permutations, product, repeat
from math import prod
from random import Random
from typing import Any

import mpmath
import pytest
import scipy  # whose folders load when they are used
from support import tally
from support.tally import Record

from pfverify import Channel, DiscreteLaplace
from pfverify.model.channels.entries import as_number
from pfverify.sampling.bits import Bits
from pfverify.sampling.channels import sampler
from pfverify.sampling.laplace import Sizes
from pfverify.sampling.noises import drawer

DRAWS = 2_000
LEAST = 8  # expected draws of a cell; those of less are one cell together
LIMIT = 1e-6  # of the chance of a larger chi-square: a right sampler fails once in a million
one, log = mpmath.mpf(1), mpmath.log
SCALES = {
    "1/3": one / 3, "1": one, "5/2": 5 * one / 2, "11/4": 11 * one / 4, "2000": 2000 * one,
    "1/log(3)": 1 / log(3), "log(5)": log(5), "3*sqrt(2)": 3 * mpmath.sqrt(2),
    "50*log(2)": 50 * log(2), "1/log((exp(1)-1/2)/(1/2))": 1 / log(2 * mpmath.e - 1),
}  # fmt: skip
RESPONSE = {"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"}
CHANNELS = [
    {"kind": "randomized-response", "inputs": ["a", "b", "c"], "epsilon": "log(3)"},
    {"kind": "randomized-response", "inputs": ["a", "b", "c"], "epsilon": 1},
    {"kind": "truncated-geometric", "size": 6, "epsilon": "1/2"},
    {"kind": "truncated-geometric", "size": 6, "ratio": "2/3"},
    {"kind": "composition", "parts": [RESPONSE, RESPONSE]},
    {"kind": "tupling", "base": RESPONSE, "dummies": 2, "dummy": {"a": "1/3", "b": "2/3"}},
]


def seeded(seed: int) -> Bits:
    return Bits(Random(seed).getrandbits, word=[64, 4096, 32][seed % 3])


def p_value(found: Counter[object], law: Mapping[object, float], count: int) -> float:
    """Of the chi-square; what has too little mass for a cell is in one cell with all the rest."""
    cells = {key: mass for key, mass in law.items() if mass * count >= LEAST}
    rest = 1 - sum(cells.values())
    other = count - sum(found[key] for key in cells)
    statistic = sum((found[key] - count * m) ** 2 / (count * m) for key, m in cells.items())
    if rest * count > 1e-9:
        statistic += (other - count * rest) ** 2 / (count * rest)
    else:
        assert other == 0
    return float(scipy.stats.chi2.sf(statistic, max(1, len(cells) - (rest * count <= 1e-9))))


def laplace(scale: str, width: int = 1) -> dict[object, float]:
    """Masses of k // width, by mpmath, which the sampler does not use."""
    t = mpmath.e ** (-1 / SCALES[scale])
    widest = int(20 / -log(t)) + 2
    masses: dict[object, float] = {}
    for k in range(-widest, widest + 1):
        masses[k // width] = masses.get(k // width, 0) + float((1 - t) / (1 + t) * t ** abs(k))
    return masses


def outputs(channel: Channel, name: str) -> dict[object, float]:
    if channel.written_out:
        return {y: float(as_number(mass).ball().midpoint())
                for y, mass in zip(channel.outputs, channel.row(name), strict=True)}  # fmt: skip
    base = channel.base
    true = dict(zip(base.outputs, map(float, base.row(name)), strict=True))
    dummy = dict(zip(base.outputs, map(float, channel.dummy), strict=True))
    places = range(channel.dummies + 1)
    return {
        names: sum(true[names[at]] * prod(dummy[names[k]] for k in places if k != at)
                   for at in places) / len(places)
        for names in product(base.outputs, repeat=len(places))
    }  # fmt: skip


Draws = Callable[[Bits], Iterator[object]]


def binned(draw: Draws, width: int) -> Draws:
    return lambda bits: (found // width for found in draw(bits))  # type: ignore[operator]


def one_by_one(draw: Callable[[Bits], object]) -> Draws:
    return lambda bits: map(draw, repeat(bits))


def cases(seeds: int) -> Iterator[tuple[str, Draws, dict[object, float], int]]:
    for seed in range(seeds):
        for scale in SCALES:
            noise = DiscreteLaplace(scale)
            kind = "real" if "(" in scale else "rational"
            width = 1 + int(SCALES[scale] / 4)  # so that large scales have cells too
            yield f"{kind} noise", binned(drawer(noise), width), laplace(scale, width), seed
        for table in CHANNELS:
            channel = Channel.of(table)
            for name in channel.inputs:
                law = outputs(channel, name)
                yield channel.kind, one_by_one(sampler(channel, name)), law, seed


def battery(seeds: int, draws: int, record: Record) -> None:
    counts: Counter[str] = Counter()
    for kind, draw, law, seed in cases(seeds):
        bits = seeded(1000 * seed + sum(counts.values()))
        found = Counter(islice(draw(bits), draws))
        found_p = p_value(found, law, draws)
        assert found_p > LIMIT, (kind, law, found)
        counts[kind] += 1
        counts["chi-squares"] += 1
        counts["below 1/10"] += found_p < 0.1
        counts["draws"] += draws
        counts["cells"] += sum(mass * draws >= LEAST for mass in law.values())
    assert counts["cells"] > 4 * counts["chi-squares"]
    tally.reached(counts, "rational noise", "real noise", "tupling", "composition", least=seeds)
    # as often small as chance has it: a statistic that is never small tests nothing
    expected = counts["chi-squares"] / 10
    assert expected / 4 - 2 < counts["below 1/10"] < 3 * expected + 4
    tally.report("samplers", counts, ("chi-squares", "draws"), record)


def test_draws_follow_their_laws(record_property: Record) -> None:
    battery(1, DRAWS, record_property)


@pytest.mark.long
def test_many_draws_follow_their_laws(record_property: Record) -> None:
    battery(10, 5 * DRAWS, record_property)


def test_a_wrong_law_is_found() -> None:
    """The power: a scale that is a tenth off, and a 0 that comes up with either sign."""
    draw, bits = drawer(DiscreteLaplace("5/2")), seeded(7)
    found: Counter[object] = Counter(islice(draw(bits), 10 * DRAWS))
    assert p_value(found, laplace("5/2"), 10 * DRAWS) > LIMIT
    assert p_value(found, laplace("11/4"), 10 * DRAWS) < LIMIT
    more = found + Counter({0: found[0] // 4})
    assert p_value(more, laplace("5/2"), sum(more.values())) < LIMIT


def test_successive_draws_are_independent() -> None:
    """Pairs of draws that follow each other have the product law."""
    draws = drawer(DiscreteLaplace("5/2"))(seeded(11))
    pairs: Counter[object] = Counter(islice(zip(draws, draws, strict=True), 5 * DRAWS))
    law = laplace("5/2")
    near = [k for k in law if abs(k) < 9]
    both = {(a, b): law[a] * law[b] for a, b in [*permutations(near, 2), *((k, k) for k in near)]}
    assert p_value(pairs, both, 5 * DRAWS) > LIMIT


def test_what_first_bits_leave_open_is_drawn_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both rare ways are taken, as often as they should be, and the law is that of all draws."""
    called: Counter[str] = Counter()
    for name in ("place", "keeps"):
        before = getattr(Sizes, name)

        def counting(*given: object, name: str = name, before: Any = before) -> object:
            called[name] += 1
            return before(*given)

        monkeypatch.setattr(Sizes, name, counting)
    found: Counter[object] = Counter(
        islice(binned(drawer(DiscreteLaplace(2000)), 400)(seeded(2)), 5 * DRAWS)
    )
    assert p_value(found, laplace("2000", 400), 5 * DRAWS) > LIMIT
    # n = 32, m = 256: beyond all places with chance e**-4.096, not below t**n with chance 0.01587
    assert 100 <= called["place"] <= 240
    assert 90 <= called["keeps"] <= 240

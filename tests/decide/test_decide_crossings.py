"""The divergence of many atoms from the zeros of g, beside the sum over all gaps."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Discrete, DiscreteLaplace, Laplace
from pfverify.decide.exponential import crossings, events
from pfverify.decide.exponential.crossings import divergence_at_zeros
from pfverify.decide.exponential.pair import Pair
from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.number import number
from pfverify.laws.rate import Rate
from pfverify.laws.sweep.fixed_point import Blocks, FixedSums
from pfverify.laws.sweep.positive import lattice_divergence, line_divergence
from pfverify.model.target import Target


def every_gap(pair: Pair, rate: Rate, target: Target, reverse: bool) -> Raw:
    """The same divergence without zeros and floats."""
    sums = events.signed_sums(pair, rate, target, reverse)
    if pair.step is None:
        return line_divergence(sums)
    return lattice_divergence(sums, rate.ball().raw, pair.step, pair.steps)


def random_pair(
    seed: int, size: int, most: int, fill: int, noise: Laplace | DiscreteLaplace
) -> Pair:
    rng = Random(seed)
    unit = Fraction(1, 3) if noise.step is None else 2 * noise.step
    priors = []
    for _ in range(2):
        atoms = [k * unit for k in rng.sample(range(size * fill), size)]
        priors.append(Discrete(counts={atom: rng.randint(1, most) for atom in atoms}))
    return Pair(priors[0], priors[1], noise.step)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6), size=st.integers(64, 140), fill=st.integers(1, 3),
    most=st.sampled_from([3, 1000, 2**26 - 1, 2**40, 2**50]),
    scale=st.sampled_from(["1/9", "1", "10", "400", "log(2)"]),
    epsilon=st.sampled_from(["0", "1/100", "1/2", "log(3)", "3"]),
    step=st.sampled_from([None, "1", "1/2"]), bits=st.sampled_from([96, 128, 200]),
)  # fmt: skip
def test_it_is_the_sum_over_all_gaps(
    seed: int, size: int, fill: int, most: int, scale: str, epsilon: str, step: str | None,
    bits: int,
) -> None:  # fmt: skip
    noise = Laplace(scale) if step is None else DiscreteLaplace(scale, step)
    pair = random_pair(seed, size, most, fill, noise)
    rate, target = Rate(number(scale)), Target(number(epsilon), number("1/10"))
    from_, crossings._FROM = crossings._FROM, 0
    try:
        with precision(bits):
            for reverse in (False, True):
                found = divergence_at_zeros(pair, rate, target, reverse)
                expected = every_gap(pair, rate, target, reverse)
                if found is not None:
                    assert found.overlaps(expected)
                    assert found.rad() < raw(Fraction(1, 2 ** (bits - 12)))
                else:  # a power below what floats have, or g = 0 at an atom
                    assert scale == "1/9" or most == 3
    finally:
        crossings._FROM = from_


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), most=st.sampled_from([1, 9, 2**20, 2**45, 2**61 // 150]),
       scale=st.sampled_from(["1/30", "1", "60", "3000"]))  # fmt: skip
def test_fixed_sums_are_the_sums_of_powers(seed: int, most: int, scale: str) -> None:
    rng = Random(seed)
    places = np.cumsum([0, *(rng.randint(1, 5) for _ in range(149))])
    weights = [[rng.randint(0, most) for _ in places] for _ in range(2)]
    blocks = Blocks(places, 1, [np.array(column, np.int64) for column in weights])
    rate = Rate(number(scale))
    atoms = np.array(sorted(rng.sample(range(150), 20)))
    with precision(100):
        sums = FixedSums.of(blocks, lambda: rate.ball().raw)
        assert sums is not None
        factors = raw(1) / blocks.totals[0], -raw(2).sqrt() / blocks.totals[1]
        sides = sums.left(atoms, factors), sums.right(atoms, factors)
    with precision(200):
        factors = raw(1) / blocks.totals[0], -raw(2).sqrt() / blocks.totals[1]
        for side, found in zip((-1, 1), sides, strict=True):
            for atom, value in zip(atoms.tolist(), found, strict=True):
                total = raw(0)
                for k in range(atom, -1, -1) if side < 0 else range(atom, 150):
                    far = abs(int(places[k] - places[atom]))
                    signed = weights[0][k] * factors[0] + weights[1][k] * factors[1]
                    total += signed * (-rate.ball().raw * far).exp()
                assert value.contains(total)
                assert value.rad() < raw(Fraction(1, 2**90))


def asked(first: Discrete, second: Discrete, scale: str, epsilon: str) -> Raw | None:
    pair, target = Pair(first, second), Target(number(epsilon), number(0))
    with precision(96):
        return divergence_at_zeros(pair, Rate(number(scale)), target, False)


def test_nothing_is_said_where_g_may_be_0_at_an_atom() -> None:
    rising = {k: k + 1 for k in range(201)}
    falling = {k: 201 - k for k in range(201)}  # the mirror image: g(100) = 0
    assert asked(Discrete(counts=rising), Discrete(counts=falling), "2", "0") is None
    assert asked(Discrete(counts=rising), Discrete(counts=falling), "2", "1/2") is not None


@pytest.mark.parametrize("far", [2**62, 10**30])
def test_nothing_is_said_of_weights_beyond_64_bits(far: int) -> None:
    large = Discrete(counts={k: far + k for k in range(200)})
    assert asked(large, Discrete(counts={k: 200 - k for k in range(200)}), "3", "1/9") is None


def test_nothing_is_said_where_floats_underflow_or_there_is_no_lattice() -> None:
    left, right = ({k + far: k % 7 + 1 for k in range(200)} for far in (0, 300))
    assert asked(Discrete(counts=left), Discrete(counts=right), "1/4", "1/2") is None
    assert asked(Discrete(counts=left), Discrete(counts=right), "4", "1/2") is not None
    spread = Discrete(counts={k * k * k: k + 1 for k in range(200)})
    assert asked(spread, Discrete(counts=left), "4", "1/2") is None

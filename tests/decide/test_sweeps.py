"""Chains whose densities are enclosed in one sweep, against exact laws of the same chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from support import chains

from pfverify import Chain, Discrete, Laplace, Problem, calibrate, certify, loss
from pfverify.answers.certify import decided_pairs
from pfverify.certificate.build import refused_ahead, write_verdict
from pfverify.certificate.checking import TooLargeError
from pfverify.decide.sweeps import windows
from pfverify.decide.sweeps.compared import RULE
from pfverify.decide.sweeps.parts import SMALL, Bounded, U
from pfverify.decide.sweeps.sweep import RatioSweeps, Sweep
from pfverify.decide.sweeps.windows import Window
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError
from pfverify.exact.ball import precision, raw, raw_float
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import Number
from pfverify.laws.rate import Rate
from pfverify.model.chains import enclosed
from pfverify.model.chains.enclosed import LongChain
from pfverify.model.chains.paths import ChainLaws

TWO = {"low": {"low": "7/10", "high": "3/10"}, "high": {"low": "3/10", "high": "7/10"}}


@contextmanager
def swept() -> Iterator[None]:
    """Chains of any length are swept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(enclosed, "MOST_BITS", -1)
        yield


@contextmanager
def narrow(depth: float) -> Iterator[None]:
    """Short chains have several windows, and tails beyond them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "_DEPTH", depth)
        patch.setattr(windows, "_ALL", -1)
        patch.setattr(windows, "_TAIL", 3.0)
        yield


def counted(length: int, stay: str = "7/10", **more: Any) -> Chain:
    go = str(1 - Fraction(stay))
    turn = {"low": {"low": stay, "high": go}, "high": {"low": go, "high": stay}}
    return Chain(["low", "high"], "stationary", turn, length, "count", "high", **more)


def stated(chain: Chain, scale: object = 3, epsilon: object = 1, delta: object = 0) -> Problem:
    return Problem(chain=chain, noise=Laplace(scale), epsilon=epsilon, delta=delta)


def meet(one: Enclosure | None, other: Enclosure | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.lower <= other.upper and other.lower <= one.upper


def agree(make: Any) -> Counter[str]:
    """Hold the verdicts and the enclosures of a swept problem to the exact ones."""
    with swept():
        problem = make()
        found, lost = certify(problem), loss(problem)
    exact = make()
    truth = {(p.from_, p.to): p for p in certify(exact).pairs}
    losses = {(p.from_, p.to): p for p in loss(exact).pairs}
    met: Counter[str] = Counter()
    assert {(p.from_, p.to) for p in found.pairs} == truth.keys()
    for one in found.pairs:
        other = truth[one.from_, one.to]
        assert one.verdict in (other.verdict, Verdict.UNDECIDED)
        assert (one.reason is not None) == one.undecided
        assert meet(one.loss, other.loss)
        assert meet(one.delta, other.delta)
        assert one.rule == (None if one.undecided else RULE)
        met[one.verdict.value] += 1
        met["tight"] += one.loss.upper - one.loss.lower < Fraction(1, 10**7)
    for measured in lost.pairs:
        other = losses[measured.from_, measured.to]
        assert meet(measured.delta, other.delta)
        assert meet(measured.epsilon_at_delta, other.epsilon_at_delta)
    return met


def at_random(seeds: range, longest: int) -> Counter[str]:
    met: Counter[str] = Counter()
    for seed in seeds:
        draw = Random(seed)
        table = chains.table(draw, hidden=seed % 3 == 2, longest=longest)
        scale, epsilon = draw.choice(("1/2", "1", "3", "log(3)", "40")), draw.choice(("1/10", "1"))
        delta = draw.choice((0, "1/20"))
        chain = Chain.from_table(table)
        try:
            with narrow(draw.choice((1.0, 4.0, 1e9))):
                found = agree(lambda: stated(chain, scale, epsilon, delta))  # noqa: B023
                met += found
                met["ratios undecided"] += 0 if delta else found["undecided"]
        except InputError as error:
            assert "nothing is to be told apart" in str(error), seed  # noqa: PT017
    return met


def test_random_chains() -> None:
    met = at_random(range(9), 6)
    assert met["certified"] > 20
    assert met["refuted"] > 0


@pytest.mark.long
def test_many_random_chains() -> None:
    met = at_random(range(1000, 1400), 30)
    assert met["certified"] > 1000
    assert met["refuted"] > 1000
    # with a delta the narrow windows leave more: what is beyond them counts whole
    assert met["ratios undecided"] < (met["certified"] + met["refuted"]) / 50


def test_what_is_missing_is_never_lost() -> None:
    """Not even where all values are too small: products of what is missing do not underflow."""
    lost = Bounded(np.zeros((2, 2, 3)), 0, 1, SMALL)
    for _ in range(8):
        lost = lost.then(lost)
        assert 0 < lost.missing <= 1
    assert lost.exponent < -500 * 2**8 + 2_000
    halved = lost.outside(Bounded(np.zeros((2, 2, 2)), 0, 1, SMALL), before=True)
    assert 0 < halved.missing <= 1


@pytest.mark.parametrize(
    ("scale", "delta"),
    [("1e-300", 0), ("1e-300", "1/10"), ("1/1000", 0), ("1e300", 0), ("1e300", "1/10")],
)
def test_what_floats_do_not_hold_is_undecided(scale: str, delta: object) -> None:
    turn = {"low": {"high": 1}, "high": {"low": 1}}
    start = {"low": "1/2", "high": "1/2"}
    chain = Chain(["low", "high"], start, turn, 100, "count", "high", at=[1, 50])
    with swept():
        found = certify(stated(chain, scale, 1, delta))
    exact = certify(stated(chain, scale, 1, delta))
    truth = {(pair.from_, pair.to): pair.verdict for pair in exact.pairs}
    for pair in found.pairs:
        assert pair.verdict in (truth[pair.from_, pair.to], Verdict.UNDECIDED)
    assert any(pair.undecided and pair.reason for pair in found.pairs)


def test_one_chain_whole() -> None:
    with narrow(6.0):
        met = agree(lambda: stated(counted(40, at=[1, 20, 40]), 1))
    assert met["tight"] == 6


def test_near_ties() -> None:
    chain = Chain({"low": 0, "high": 2}, "stationary", TWO, 1)
    for epsilon, verdict in (("2", "undecided"), ("2.000001", "certified"), ("1.9999", "refuted")):
        with swept():
            (one, two) = certify(stated(chain, 1, epsilon)).pairs
        assert {str(one.verdict), str(two.verdict)} == {verdict}
        assert one.reason is None or "exact laws" in one.reason


def test_records_of_tiny_chance() -> None:
    tiny = f"1/{10**30}"
    rare = {"low": {"low": str(1 - Fraction(tiny)), "high": tiny}, "high": {"low": 1}}
    chain = Chain({"low": 0, "high": 1}, "stationary", rare, 60, at=[1, 30])
    assert agree(lambda: stated(chain, 3))["tight"] == 4


def density(law: Discrete, tilt: float, rate: Fraction, place: int) -> Any:
    """Up to a constant, as a ball: sum of mass * e**(-rate |x - place|) * tilt**place."""
    total = raw(0)
    for atom, mass in law.mass.items():
        total += raw(mass) * (-raw(rate) * abs(int(atom) - place)).exp()
    return total * raw_float(tilt) ** place


def off_by(length: int) -> tuple[float, float]:
    """The largest error of a density, and the bound of it, in units of u."""
    chain = counted(length, at=[1, length // 2])
    exact, long = ChainLaws(chain), LongChain(ChainLaws(chain))
    sweep = Sweep(long, Rate(Number.parse("2")), Window(1.1, 0, length))
    worst = bound = 0.0
    for rows in sweep.blocks(chain.times):
        for (time, name), row in rows.items():
            if time not in chain.times:
                continue
            law = exact[f"t={time}:{name}"]
            assert isinstance(law, Discrete)
            with precision(200):
                for place in range(0, length + 1, 7):
                    truth = density(law, 1.1, Fraction(1, 2), place) / 2  # each has chance 1/2
                    found = raw_float(float(row.values[place])) * raw(2) ** row.exponent
                    off = abs(float(((found - truth) / truth).mid())) / U
                    worst, bound = max(worst, off), max(bound, 1.01 * row.roundings)
                    assert off <= 1.01 * row.roundings
    return worst, bound


def test_rounding_is_within_its_bound_and_is_there() -> None:
    worst, bound = off_by(90)
    assert 0.5 < worst < bound  # without a bound, or with one of a single rounding, this fails


def test_windows_meet_and_are_tilted_apart() -> None:
    with narrow(4.0):
        sweeps = RatioSweeps(LongChain(ChainLaws(counted(60))), Rate(Number.parse("1")))
    assert len(sweeps.windows) > 2
    assert all(one.high == two.low for one, two in pairwise(sweeps.windows))
    assert sweeps.windows[0].low > 0
    assert np.all(np.diff([window.tilt for window in sweeps.windows]) > 0)


def test_the_same_whatever_is_asked_first() -> None:
    with swept():
        problem = stated(counted(30))
        items = list(problem.questions())
        forth = decided_pairs(problem, items, 9)
        back = decided_pairs(problem, items[::-1], 9)
    assert {(p.from_, p.to): p.loss for p in forth} == {(p.from_, p.to): p.loss for p in back}


def test_long_chains_are_swept_and_short_ones_exact() -> None:
    kinds = {
        length: type(stated(counted(length)).beliefs["default"]) for length in (200, 1000, 4000)
    }
    assert kinds == {200: ChainLaws, 1000: ChainLaws, 4000: LongChain}
    assert isinstance(stated(counted(4000, at=[7])).beliefs["default"], ChainLaws)


def test_what_a_sweep_does_not_do(tmp_path: Any) -> None:
    with swept():
        chain = counted(9)
        problem = stated(chain)
        place = tmp_path / "long.toml"
        problem.save(place)
        result = certify(problem)
        assert result.certified
        assert any("which the kernel does not do again" in words for words in result.assumed)
        assert "some 300 records" in str(refused_ahead(place, problem))
        with pytest.raises(TooLargeError, match="some 300 records"):
            write_verdict(tmp_path / "c", place, problem, result, attest=False)
        assert not (tmp_path / "c").exists()
        with pytest.raises(InputError, match="is enclosed, not written out"):
            calibrate(problem)
        two = Problem(
            chain=chain, noise=Laplace(3), epsilon=1, pairs=[("t=1:low", "t=2:high")]
        )
        with pytest.raises(InputError, match="records of two times"):
            certify(two)
        with pytest.raises(InputError, match="kind enclosed"):
            certify(Problem(chain=chain, noise=Laplace(3), epsilon=1, pre=[{"clamp": [0, 1]}]))
        with pytest.raises(InputError, match="is enclosed"):
            certify(Problem(chain=chain, noise=Laplace(3), epsilon=1, delta="1/9",
                            form="pointwise"))  # fmt: skip
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(enclosed, "MOST_WORK", 1)
            assert isinstance(stated(chain).beliefs["default"], ChainLaws)

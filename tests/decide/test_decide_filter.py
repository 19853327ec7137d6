"""The float pass never drops an atom that exact evaluation could find worst."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from pfverify import Discrete, Laplace
from pfverify.decide.exponential import filter as float_pass
from pfverify.decide.exponential.filter import Lattice, surviving_atoms
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.exponential.pure import _candidates
from pfverify.decide.rate import Rate
from pfverify.exact.ball import precision
from pfverify.exact.number import number


def random_pair(rng: Random, kind: str) -> Pair:
    n = rng.choice([200, 333, 1000])
    if kind == "full":
        points = list(range(n))
    elif kind == "holes":
        points = sorted(rng.sample(range(3 * n), n))
    else:  # a lattice of step 1/7, shifted
        points = [Fraction(k, 7) - 5 for k in range(n)]
    top = rng.choice([3, 1000, 10**30])
    tables = [{x: rng.randint(0, top) for x in points} for _ in range(2)]
    for table in tables:
        table[points[0]] = 1
    return Pair(Discrete(counts=tables[0]), Discrete(counts=tables[1]), Laplace())


@pytest.mark.parametrize("kind", ["full", "holes", "fractions"])
def test_survivors_hold_every_atom_that_balls_cannot_drop(kind):
    rng, used = Random(7), 0
    for _ in range(12):
        pair = random_pair(rng, kind)
        rate = Rate(number(Fraction(rng.randint(1, 400), rng.choice([1, 10]))))
        with precision(128):
            survivors = surviving_atoms(pair, rate.ball().raw)
            if survivors is None:
                continue
            used += 1
            high, low = _candidates(pair, rate)
        assert set(high) <= set(survivors.high)
        assert set(low) <= set(survivors.low)
    assert used >= 5


def test_the_stated_error_bound_holds_against_balls():
    rng = Random(3)
    pair = random_pair(rng, "full")
    rate = Rate(number(20))
    with precision(200):
        powers = float_pass._powers(rate.ball().raw)
        lattice = Lattice.of(pair)
        p, q = lattice.sums(powers)
        bound = float_pass.error_bound(lattice.blocks)
        for k in range(0, len(pair), 17):
            exact = pair.log_ratio(k, rate.ball().raw)
            computed = np.log(p[k] / q[k])
            assert abs(computed - float(exact.mid())) <= bound


def test_underflow_and_sparse_supports_leave_the_pass():
    far = Pair(Discrete(counts=dict.fromkeys(range(300), 1)),
               Discrete(counts={5000 + k: 1 for k in range(300)}), Laplace())
    with precision(64):
        assert surviving_atoms(far, Rate(number(1)).ball().raw) is None
        near = Pair(Discrete(counts=dict.fromkeys(range(300), 1)),
                    Discrete(counts={k: k + 1 for k in range(300)}), Laplace())
        assert surviving_atoms(near, Rate(number(1)).ball().raw) is not None
        assert surviving_atoms(near, Rate(number("1/1000")).ball().raw) is None

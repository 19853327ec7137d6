"""The float pass never drops an atom that exact evaluation could find worst."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from pfverify import Discrete
from pfverify.decide.exponential.filter import surviving_atoms
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.exponential.pure import PureRatios, _candidates, pure_orders
from pfverify.decide.largest import AtPlaces
from pfverify.exact.ball import precision, raw_float
from pfverify.exact.number import Number, number
from pfverify.exact.written import written
from pfverify.laws.rate import Rate


def random_pair(rng: Random, kind: str) -> Pair:
    n = rng.choice([200, 333, 1000])
    if kind == "full":
        points = list(range(n))
    elif kind == "holes":
        points = sorted(rng.sample(range(3 * n), n))
    elif kind == "mirrored":
        points = list(range(n))
    else:  # a lattice of step 1/7, shifted
        points = [Fraction(k, 7) - 5 for k in range(n)]
    top = rng.choice([3, 1000, 10**30])
    tables = [{x: rng.randint(0, top) for x in points} for _ in range(2)]
    for table in tables:
        table[points[0]] = 1
    if kind == "mirrored":  # both orders have the same loss
        tables[1] = dict(zip(reversed(points), tables[0].values(), strict=True))
    return Pair(Discrete(counts=tables[0]), Discrete(counts=tables[1]))


def by_balls(pair: Pair, rate: Rate, epsilon: Number) -> list[AtPlaces[int]]:
    """Both orders by balls alone."""
    ratios = PureRatios(pair, rate)
    return [ratios.by_balls(epsilon, reverse=reverse) for reverse in (False, True)]


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
        for logs, left in zip((high, low), survivors, strict=True):
            assert set(logs) <= set(left.atoms)
            if len(left.atoms) == 1:
                assert left.loss.raw.contains(logs[left.atoms[0]])
    assert used >= 5


def test_rounding_long_weights_keeps_what_the_pass_encloses():
    rng, longer = Random(9), 0
    for _ in range(6):
        tables = [{k: rng.getrandbits(rng.choice([50, 1500])) + 1 for k in range(90)} for _ in "ab"]
        pair = Pair(*(Discrete(counts=table) for table in tables))
        rate = Rate(number(rng.choice(["1", "1/10", "7"])))
        with precision(64):
            longer += any(weight != 0 and not isinstance(weight, int)
                          for weight in pair.rounded_weights()[0])  # fmt: skip
            found = _candidates(pair, rate)
        for reverse, logs in enumerate(found):
            with precision(300):
                exact = {k: pair.log_ratio(k, rate.ball().raw) for k in range(len(pair))}
                exact = {k: -x if reverse else x for k, x in exact.items()}
            best = max(exact, key=lambda k: exact[k].mid())
            assert best in logs
            assert all(logs[k].contains(exact[k]) for k in logs)
    assert longer


def test_the_stated_error_bound_holds_against_balls():
    rng = Random(3)
    pair = random_pair(rng, "full")
    rate = Rate(number(20))
    with precision(200):
        lattice, unit = pair.lattice, rate.ball().raw / pair.denominator
        p, q = lattice.sums(lattice.powers(unit))
        bound = lattice.error_bound
        for k in range(0, len(pair), 17):
            exact = pair.log_ratio(k, rate.ball().raw)
            assert abs(raw_float(float(p[k] / q[k])).log() - exact) <= raw_float(bound)


def test_underflow_and_sparse_supports_leave_the_pass():
    far = Pair(Discrete(counts=dict.fromkeys(range(300), 1)),
               Discrete(counts={5000 + k: 1 for k in range(300)}))
    with precision(64):
        assert surviving_atoms(far, Rate(number(1)).ball().raw) is None
        near = Pair(Discrete(counts=dict.fromkeys(range(300), 1)),
                    Discrete(counts={k: k + 1 for k in range(300)}))
        assert surviving_atoms(near, Rate(number(1)).ball().raw) is not None
        # powers that floats cannot hold are left out
        high, low = surviving_atoms(near, Rate(number("1/1000")).ball().raw)
        assert (high.atoms, low.atoms) == ([0], [299])
        holes = Pair(Discrete(counts=dict.fromkeys(range(0, 15000, 50), 1)),
                     Discrete(counts=dict.fromkeys(range(1, 15000, 90), 1)))
        assert surviving_atoms(holes, Rate(number(1)).ball().raw) is None


@pytest.mark.parametrize("digits", [3, 12])
def test_floats_give_the_answer_of_balls_or_none(digits):
    rng, cleared = Random(17), 0
    for _ in range(25):
        kind = rng.choice(["full", "holes", "fractions", "mirrored"])
        pair = random_pair(rng, kind)
        rate = Rate(number(Fraction(rng.randint(1, 400), rng.choice([1, 10]))))
        epsilon = number(rng.choice(["1/10", "1", "5", "log(3)"]))
        ratios = PureRatios(pair, rate)
        assert ratios.survivors is None or pair.lattice is not None
        pair.lattice = None
        orders = pure_orders(pair, rate, epsilon)
        for reverse, order in zip((False, True), orders, strict=True):
            known = ratios.by_floats(epsilon, reverse=reverse)
            if known is not None:
                assert (known.sign, known.worst) == (order.sign, order.worst)
                assert written(known.amount, digits) == written(order.amount, digits)
                cleared += 1
    assert cleared >= 10


# ---------------------------------------------------------------- whole numbers, off a lattice


def sparse_pair(rng: Random, top: int) -> Pair:
    """Places far more than atoms, weights from 0 to `top`, one prior as another's mirror or not."""
    n = rng.choice([200, 300, 500])
    points = sorted(rng.sample(range(9 * n), n))
    tables = [{x: rng.randint(0, top) for x in points} for _ in range(2)]
    for table in tables:
        table[points[0]] = table[points[-1]] = 1
    if rng.random() < 0.2:
        tables[1] = dict(zip(points, reversed(tables[0].values()), strict=True))
    return Pair(Discrete(counts=tables[0]), Discrete(counts=tables[1]))


def test_whole_sums_are_off_by_what_is_said() -> None:
    """Weights that are cut, since their sum is above 2**88, as well; 200 bits are the truth."""
    rng, reached = Random(23), Counter[str]()
    for _ in range(30):
        top = rng.choice([1, 50, 10**6, 10**24, 10**40])
        pair = sparse_pair(rng, top)
        rate = Rate(number(Fraction(rng.randint(20, 4000), rng.choice([1, 10]))))
        found = pair.whole_ratios(rate)
        if found is None:
            reached["too small"] += 1
            continue
        reached["cut" if max(pair.totals) >> 88 else "whole"] += 1
        reached["as close as floats"] += found.error < 1e-15
        reached["less close"] += found.error > 1e-14
        with precision(200):
            for k in {0, len(pair) - 1, *range(0, len(pair), 23)}:
                exact = pair.log_ratio(k, rate.ball().raw)
                assert abs(raw_float(float(found.ratio[k])).log() - exact) <= raw_float(found.error)
    assert min(reached["cut"], reached["whole"], reached["as close as floats"]) >= 5, reached


def test_whole_sums_give_the_answer_of_balls() -> None:
    rng, used = Random(29), 0
    for _ in range(30):
        pair = sparse_pair(rng, rng.choice([50, 10**6, 10**40]))
        rate = Rate(number(Fraction(rng.randint(20, 4000), rng.choice([1, 10]))))
        epsilon = number(rng.choice(["1/10", "1", "5", "log(3)"]))
        assert pair.lattice is None
        used += pair.whole_ratios(rate) is not None
        orders = pure_orders(pair, rate, epsilon)
        for one, other in zip(orders, by_balls(pair, rate, epsilon), strict=True):
            assert (one.sign, one.worst) == (other.sign, other.worst)
            assert written(one.amount, 12) == written(other.amount, 12)
    assert used >= 20


def test_a_tie_off_a_lattice_is_decided_exactly() -> None:
    """One prior is the other, moved by 1: beyond all atoms the loss is 1/scale in both orders."""
    rng = Random(31)
    weights = {3 * k: rng.randint(1, 9) for k in sorted(rng.sample(range(3000), 300))}
    moved = {x + 1: weight for x, weight in weights.items()}
    pair = Pair(Discrete(counts=weights), Discrete(counts=moved))
    rate, tie, above = Rate(number(500)), number("1/500"), number("1/500 + 1e-40")
    assert pair.lattice is None
    assert pair.whole_ratios(rate) is not None
    for epsilon, sign in ((tie, 0), (above, -1)):
        orders = pure_orders(pair, rate, epsilon)
        assert [order.sign for order in orders] == [sign, sign]
        assert [order.worst for order in orders] == [0, len(pair) - 1]


def test_sums_too_small_and_too_many_gaps_are_left_to_balls() -> None:
    far = Pair(Discrete(counts={10 * k: 1 for k in range(300)}),
               Discrete(counts={50_000 + 10 * k: 1 for k in range(300)}))
    assert far.whole_ratios(Rate(number(1))) is None
    squares = [k * k for k in range(400)]
    apart = Pair(Discrete(counts=dict.fromkeys(squares, 1)),
                 Discrete(counts={x: x % 7 + 1 for x in squares}))
    assert apart.lattice is None
    assert apart.whole_ratios(Rate(number(10**5))) is None
    assert [o.sign for o in pure_orders(far, Rate(number(10)), number(1))] == [1, 1]
    both = Rate(number(10**5)), number("1/100")
    assert [(o.sign, o.worst) for o in pure_orders(apart, *both)] == [
        (o.sign, o.worst) for o in by_balls(apart, *both)
    ]

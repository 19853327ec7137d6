"""What floats tell of rational masses is so, and what they leave open is decided exactly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import accumulate
from random import Random

from support import tally

from pfverify.decide.excess import clear_sign, excess_sign, least_epsilon_of
from pfverify.decide.masses.finite import NamedOutputs
from pfverify.decide.masses.ranking import Ranking
from pfverify.decide.masses.rational import RationalMasses, both_orders
from pfverify.exact.ball import float_near, precision, raw
from pfverify.exact.number import Number, number
from pfverify.exact.written import written
from pfverify.model.channels.weighted import TINY, WeightedLaw
from pfverify.model.notion import POINTWISE
from pfverify.model.target import Target

DELTAS = ["0", "1/10", "1-exp(-1/1000000)", "exp(-40)-exp(-41)", "1-exp(-1/10000000000000)", "1",
          "1e-305", "1e-320"]  # fmt: skip
EPSILONS = ["0", "1/2", "log(3)", "log(3/2)", "1e-30", "40", "700", "1e30"]
WEIGHTS = {
    "small": lambda rng: rng.randint(0, 3),
    "counts": lambda rng: rng.randint(1, 10**6),
    "close": lambda rng: 10**17 + rng.randint(-1, 1),  # ratios that floats cannot tell apart
    "long": lambda rng: 10**30 + rng.randint(-1, 1),
    "wide": lambda rng: 10 ** rng.choice([0, 1, 40, 280]),
    "tiny": lambda rng: 10 ** rng.choice([0, 1, 300, 330]),  # masses below those of floats
}


def a_law(rng: Random, kind: str, size: int) -> WeightedLaw:
    weights = [WEIGHTS[kind](rng) for _ in range(size)]
    weights[0] += not any(weights)
    return WeightedLaw.of(weights, sum(weights))


def laws(rng: Random) -> tuple[str, WeightedLaw, WeightedLaw]:
    kind, size = rng.choice(list(WEIGHTS)), rng.randint(1, 12)
    return kind, a_law(rng, kind, size), a_law(rng, rng.choice([kind, "small"]), size)


def exactly(law: WeightedLaw) -> list[Fraction]:
    return [Fraction(weight, law.total) for weight in law.weights.tolist()]


def order_of(p: WeightedLaw, q: WeightedLaw, target: Target, *, turned: bool) -> RationalMasses:
    names = NamedOutputs([f"y{k}" for k in range(len(p.weights))])
    order = both_orders(q, p, names, target)[1] if turned else both_orders(
        p, q, names, target)[0]  # fmt: skip
    assert isinstance(order, RationalMasses)
    return order


def prefixes(p: list[Fraction], q: list[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """P and Q of the sets of the largest ratios: one of them needs the most epsilon."""
    bare = sum((a for a, b in zip(p, q, strict=True) if not b), Fraction(0))
    rest = sorted((x for x in zip(p, q, strict=True) if x[1]), key=lambda x: x[0] / x[1])
    sums = accumulate(reversed(rest), lambda x, y: (x[0] + y[0], x[1] + y[1]), initial=(bare, 0))
    return [(Fraction(a), Fraction(b)) for a, b in sums]


def test_what_floats_say_of_ratios_is_so() -> None:
    rng, counts = Random("ratios"), Counter[str]()
    for _ in range(400):
        kind, p, q = laws(rng)
        ranking = Ranking.of(p, q)
        if turned := rng.random() < 0.5:
            ranking = ranking.turned()
        tops, bottoms = map(exactly, ranking.laws)
        ratio = {k: tops[k] / bottoms[k] if bottoms[k] else None for k in ranking.order.tolist()}
        assert sorted(ratio) == [k for k, (a, b) in enumerate(zip(tops, bottoms, strict=True))
                                 if a or b]  # fmt: skip
        assert {k for k in ratio if ratio[k] is None} == set(ranking.order[: ranking.bare].tolist())
        finite = [value for value in ratio.values() if value is not None]
        top = None if len(finite) < len(ratio) else max(finite)
        first = ranking.order[: ranking.steepest].tolist()
        assert {k for k, value in ratio.items() if value == top} <= set(first)
        for value in rng.sample(finite, min(3, len(finite))):
            moved = value * (1 + Fraction(rng.randint(-40, 40), 2**53))
            with precision(200):
                bound = float_near(raw(moved))
            above, end = ranking.split(bound)
            for place, k in enumerate(ranking.order.tolist()):
                over = ratio[k] is None or ratio[k] > moved
                assert over if place < above else True
                assert place < end or (not over and ratio[k] != moved)
            counts["in doubt"] += end - above
            counts["told"] += len(ratio) - (end - above)
            counts["floats" if p.floats is not None and q.floats is not None else "none"] += 1
        counts[kind] += 1
        counts["turned"] += turned
        counts[str(ranking.laws[0].weights.dtype)] += 1
    tally.reached(counts, "in doubt", "told", "floats", "none", "turned", "int64", "object",
                  *WEIGHTS)  # fmt: skip


def test_the_event_and_the_output_that_need_most_epsilon_are_kept() -> None:
    rng, counts = Random("hardest"), Counter[str]()
    for _ in range(400):
        kind, p, q = laws(rng)
        delta = number(rng.choice(DELTAS))
        form = rng.choice(["events", "pointwise"])
        target = Target(Number.of_rational(0), delta, *([POINTWISE] if form == "pointwise" else []))
        order = order_of(p, q, target, turned=rng.random() < 0.5)
        tops, bottoms = map(exactly, order.ranking.laws)
        if form == "events":
            sets = prefixes(tops, bottoms)
            kept = len(order._hardest(*order.ranking.hardest(target.float_delta))) - 1
        else:
            sets = list(zip(tops, bottoms, strict=True))
            kept = len(order.ranking.hardest_alone(target.float_delta))
        assert written(order.least_epsilon(), 12) == written(least_epsilon_of(sets, delta), 12)
        counts["left out"] += max(0, len({x for x in sets if x[1]}) - kept)
        counts["kept more than one"] += kept > 1
        for what in (kind, form, delta.text):
            counts[what] += 1
    tally.reached(counts, "left out", "kept more than one", "events", "pointwise", *WEIGHTS,
                  *(number(text).text for text in DELTAS))  # fmt: skip


def test_bounds_in_floats_hold_the_exact_quotients_and_excesses() -> None:
    rng, counts = Random("bounds"), Counter[str]()
    for _ in range(300):
        kind, p, q = laws(rng)
        ranking = Ranking.of(p, q)
        if p.floats is None or q.floats is None or not ranking.order[ranking.bare :].size:
            continue
        tops, bottoms = map(exactly, ranking.laws)
        delta = Fraction(rng.randint(0, 10**9), 10**9) * Fraction(1, 10 ** rng.choice([0, 20]))
        if rng.random() < 0.5:  # nearly what the first outputs have
            delta = min(Fraction(1), tops[int(ranking.order[0])] * (1 + Fraction(1, 10**16)))
        middle, slack = ranking._quotients(ranking._sums, float(delta))
        bounds = middle - slack, middle + slack
        above = list(accumulate(tops[k] for k in ranking.order.tolist()))
        below = list(accumulate(bottoms[k] for k in ranking.order.tolist()))
        for k, (low, high) in enumerate(zip(*map(list, bounds), strict=True), ranking.bare):
            exact = (above[k] - delta) / below[k]
            assert Fraction(float(low)) <= exact <= Fraction(float(high))
            counts["cancelled"] += abs(exact) * 10**12 < above[k] / below[k]
        counts[kind] += 1
    tally.reached(counts, "cancelled", "counts", "close", "long", "wide")


def test_equal_excesses_of_different_masses_are_all_kept() -> None:
    rng, lost = Random("equal excesses"), 0
    for _ in range(100):
        growth, whole = rng.choice([3, 7, 10]), 10 ** rng.choice([12, 17, 25])
        gap, moved = rng.randint(1, whole // 100), rng.randint(1, whole // 100)
        q = [rng.randint(1, whole // 100)] * 2
        q[1] += moved
        p = [gap + growth * b for b in q]
        both = [WeightedLaw.of([*x, whole - sum(x)], whole) for x in (p, q)]
        target = Target(number(f"log({growth})"), number("1/10"), POINTWISE)
        order = order_of(*both, target, turned=False)
        kept = {k for k, _, _ in order.ranking.largest_excesses(target.float_growth)}
        if p[0] - growth * q[0] >= whole - sum(p) - growth * (whole - sum(q)):
            assert {0, 1} <= set(order.largest) <= kept
        floats = [a - growth * b for a, b in zip(*(law.floats for law in both), strict=True)]
        lost += floats[0] != floats[1]
    assert lost > 10


def test_a_delta_that_a_float_knows_badly_leaves_out_nothing_that_matters() -> None:
    """(P - delta)/Q of two sets are a millionth apart, and Q of one is a hundredth of the other's.

    At 53 bits 1 - exp(-1e-13) is known to about a thousandth only.
    """
    for size in (12, 13, 14):
        delta = number(f"1-exp(-1/{10**size})")
        for change in (Fraction(1, 10**6), Fraction(-1, 10**6)):
            unit = Fraction(1, 10 ** (size + 1))
            with precision(400):  # any rational near delta does
                near = Fraction(round(float(delta.ball().raw.mid()) * 1e40), 10**40)
            p = [20 * unit, (20 * unit - near) * 100 * (1 + change)]
            q = [unit, 100 * unit]
            whole = 10**60
            both = [WeightedLaw.of([int(x * whole) for x in (*m, 1 - sum(m))], whole)
                    for m in (p, q)]  # fmt: skip
            order = order_of(*both, Target(Number.of_rational(0), delta), turned=False)
            sets = prefixes(*map(exactly, both))
            with precision(2000):
                best = max(sets[1:], key=lambda s: (raw(s[0]) - delta.ball().raw) / raw(s[1]))
            assert best == sets[1 if change < 0 else 2]
            least = least_epsilon_of([best], delta)
            assert written(order.least_epsilon(), 12) == written(least, 12)


def test_what_exceeds_is_as_by_whole_numbers() -> None:
    rng, counts = Random("exceeds"), Counter[str]()
    for _ in range(400):
        kind, p, q = laws(rng)
        tops, bottoms = exactly(p), exactly(q)
        epsilon = number(rng.choice(EPSILONS))
        ratios = [a / b for a, b in zip(tops, bottoms, strict=True) if b and a >= b]
        if ratios and rng.random() < 0.5:  # exactly a ratio, or nearly
            moved = rng.choice(ratios) + Fraction(rng.choice([0, 0, 1]), 10**40)
            epsilon = number(f"log({moved})")
            counts["near"] += 1
        order = order_of(p, q, Target(epsilon, number("1/10")), turned=rng.random() < 0.5)
        target = order.target
        signs = [excess_sign(a, b, target, Number.of_rational(0))
                 for a, b in zip(tops, bottoms, strict=True)]  # fmt: skip
        assert None not in signs
        assert order.positive == tuple(k for k, sign in enumerate(signs) if sign == 1)
        assert order.unknown == ()
        assert order.above == order.of(order.positive)
        counts["tie"] += 0 in signs
        counts["positive"] += 1 in signs
        # the largest excess of one output
        single = RationalMasses(order.ranking, order.outputs, Target(epsilon, target.delta,
                                                                     POINTWISE))  # fmt: skip
        if epsilon.fraction == 0 or epsilon.text.startswith("log("):
            growth = Fraction(epsilon.text[4:-1]) if epsilon.fraction is None else Fraction(1)
            gaps = [a - growth * b for a, b in zip(tops, bottoms, strict=True)]
            best = {k for k, gap in enumerate(gaps) if gap == max(gaps)}
            masses = {single.masses(k) for k in single.largest}
            if max(gaps) >= 0:
                assert masses >= {(tops[k], bottoms[k]) for k in best}
            counts["single"] += len(single.largest) < len(set(zip(tops, bottoms, strict=True)))
        counts[kind] += 1
    tally.reached(counts, "near", "tie", "positive", "single", *WEIGHTS)


def test_floats_never_give_the_wrong_sign_of_an_excess() -> None:
    rng, counts = Random("signs"), Counter[str]()
    for _ in range(3000):
        growth = Fraction(rng.randint(1, 50), rng.choice([1, 3, 7]))
        if growth < 1:
            continue
        q = Fraction(rng.randint(0, 10**9), rng.choice([10**9, 10**12, 10**290, 10**330]))
        delta = Fraction(rng.randint(0, 10**6), rng.choice([10**6, 10**9, 10**310]))
        exact = growth * q + delta
        p = exact * (1 + Fraction(rng.randint(-60, 60), 2 ** rng.choice([30, 50, 53, 54, 60])))
        target = Target(number(f"log({growth})"), Number.of_rational(min(delta, Fraction(1))))
        if not 0 <= p <= 1 or delta > 1:
            continue
        found, sign = clear_sign(p, q, target), (p > exact) - (p < exact)
        assert found in (None, sign)
        counts["told" if found else "left"] += 1
        counts["tie"] += sign == 0
        counts["small"] += exact < Fraction(1, 10**200)
    assert clear_sign(Fraction(1), Fraction(1, 2), Target(number("1e30"), number(0))) is None
    tally.reached(counts, "told", "left", "tie", "small")


def test_masses_that_floats_do_not_know_have_no_floats() -> None:
    for least, known in ((10**289, True), (10**291, False), (10**400, False)):
        law = WeightedLaw.of([1, 0, least - 1], least)
        assert (law.floats is not None) == known
    law = WeightedLaw.of([1, 0, 2**61 - 1], 2**61)
    assert law.weights.dtype == int
    assert law.floats is not None
    assert law.floats[0] > TINY > law.floats[1] == 0

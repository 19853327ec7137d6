"""Sets of atoms that a float filter leaves out are never the ones that need the most epsilon."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from support import tally

from pfverify import Discrete
from pfverify.decide.excess import least_epsilon_of
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.masses.compared import bare_orders
from pfverify.decide.masses.rational import RationalMasses
from pfverify.exact.ball import precision, raw
from pfverify.exact.number import Number, number
from pfverify.exact.written import written
from pfverify.model.noises.none import NoNoise
from pfverify.model.target import Target

DELTAS = ["0", "1/10", "1-exp(-1/1000000)", "exp(-40)-exp(-41)", "1-exp(-1/10000000000000)"]


def law(rng: Random, unit: int) -> Discrete:
    """Many atoms with masses of very different sizes, most of it in the last."""
    masses = [Fraction(rng.randint(1, 9), unit ** rng.randint(1, 3)) for _ in range(12)]
    return Discrete({**dict(enumerate(masses)), 12: 1 - sum(masses)})


def order_of(pair: Pair, target: Target) -> RationalMasses:
    order, _ = bare_orders(pair, (target, target))
    assert isinstance(order, RationalMasses)
    return order


def quotient(p: int, q: int, whole: int, delta: Number) -> object:
    return (raw(Fraction(p, whole)) - delta.ball().raw) / raw(Fraction(q, whole))


def test_the_set_that_needs_most_is_kept() -> None:
    rng, counts = Random("promising"), Counter[str]()
    for _ in range(60):
        unit = rng.choice([10**3, 10**5, 10**7])
        delta = number(rng.choice(DELTAS))
        target = Target(Number.of_rational(0), delta)
        order = order_of(Pair(law(rng, unit), law(rng, unit), NoNoise()), target)
        ratios = sorted(range(len(order.p)), key=lambda k: Fraction(order.p[k], order.q[k]),
                        reverse=True)  # fmt: skip
        sets = [(sum(order.p[k] for k in ratios[:n]), sum(order.q[k] for k in ratios[:n]))
                for n in range(1, len(ratios) + 1)]  # fmt: skip
        kept = order._promising(sets)
        with precision(2000):
            best = max(sets, key=lambda s: quotient(*s, order.whole, delta))
        assert best in kept
        counts["left out"] += len(sets) - len(kept)
        masses = [(Fraction(p, order.whole), Fraction(q, order.whole)) for p, q in sets]
        found = written(order.least_epsilon(), 12)
        assert found == written(least_epsilon_of(masses, delta), 12)
        counts[delta.text] += 1
    tally.reached(counts, "left out", *(number(text).text for text in DELTAS))


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
            laws = [Discrete({0: m[0], 1: m[1], 2: 1 - sum(m)}) for m in (p, q)]
            target = Target(Number.of_rational(0), delta)
            order = order_of(Pair(*laws, NoNoise()), target)
            sets = [(sum(order.p[:n]), sum(order.q[:n])) for n in (1, 2, 3)]
            with precision(2000):
                best = max(sets, key=lambda s: quotient(*s, order.whole, delta))
            assert best == sets[0 if change < 0 else 1]
            assert best in order._promising(sets)
            masses = [(Fraction(a, order.whole), Fraction(b, order.whole)) for a, b in sets]
            found = written(order.least_epsilon(), 12)
            assert found == written(least_epsilon_of(masses, delta), 12)

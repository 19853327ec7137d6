"""Zero tests: ties built on purpose, near-ties, radicals, towers, logarithms of sums."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import gcd, prod
from random import Random

import pytest
from support.problems import limited

from pfverify.exact.answer import Answer
from pfverify.exact.coprime import coprime_base, exponents_over, integer_root, perfect_power
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.radical import RadicalSum

F = Fraction


def radical(base: int | Fraction, power: Fraction, coefficient: int | Fraction = 1) -> ExpSum:
    return ExpSum.power(Exponent.log(F(base)).times(power), coefficient)


def e_to(value: Fraction | int, coefficient: Fraction | int = 1) -> ExpSum:
    return ExpSum.power(Exponent.rational(value), coefficient)


def test_coprime_base_properties() -> None:
    rng = Random(1)
    for _ in range(300):
        numbers = [rng.randint(1, 80) ** rng.randint(1, 4) for _ in range(rng.randint(1, 6))]
        base = coprime_base(numbers)
        assert all(gcd(a, b) == 1 for i, a in enumerate(base) for b in base[:i])
        assert all(perfect_power(b) == (b, 1) and b > 1 for b in base)
        for n in numbers:
            powers = exponents_over(base, n)
            assert prod(b**k for b, k in zip(base, powers, strict=True)) == n
    with pytest.raises(ValueError, match="not a product"):
        exponents_over([2], 6)


def test_integer_roots_and_perfect_powers() -> None:
    rng = Random(2)
    for _ in range(300):
        n, k = rng.randint(0, 10**30), rng.randint(1, 12)
        root = integer_root(n, k)
        assert root**k <= n < (root + 1) ** k
    assert perfect_power(2**60 * 3**30) == (12, 30)
    assert perfect_power(6**35) == (6, 35)


@pytest.mark.parametrize("digits", [600, 4000])
def test_long_numbers_do_not_hang(digits: int) -> None:
    n = 10**digits + 7
    with limited(5):
        assert coprime_base([n, n * n]) == [n]
        assert coprime_base([3**digits * 7, 7]) == [3, 7]


ZEROS = {
    "sqrt 12": radical(12, F(1, 2)) - radical(3, F(1, 2), 2),
    "cube root 54": radical(54, F(1, 3)) - radical(2, F(1, 3), 3),
    "8**(2/3)": radical(8, F(2, 3)) - ExpSum.constant(4),
    "(9/4)**(-1/2)": radical(F(9, 4), F(-1, 2)) - ExpSum.constant(F(2, 3)),
    "sqrt 18 + sqrt 8": radical(18, F(1, 2)) + radical(8, F(1, 2)) - radical(2, F(1, 2), 5),
    "e sqrt 20": ExpSum.power(Exponent.rational(1) + Exponent.log(F(20)).times(F(1, 2)))
    - ExpSum.power(Exponent.rational(1) + Exponent.log(F(5)).times(F(1, 2)), 2),
    "binomial": (e_to(1) + ExpSum.constant(1)) * (e_to(1) - ExpSum.constant(1))
    - e_to(2) + ExpSum.constant(1),
    "log 64 / 6": radical(64, F(1, 6)) - ExpSum.constant(2),
}


@pytest.mark.parametrize("name", ZEROS)
def test_zeros_are_found(name: str) -> None:
    assert ZEROS[name].is_zero() is Answer.YES
    assert ZEROS[name].sign() == 0


@pytest.mark.parametrize("name", ZEROS)
@pytest.mark.parametrize("tiny", ["1e-40", "1e-100", "1e-300", "-1e-40", "-1e-300"])
def test_near_ties_have_their_sign(name: str, tiny: str) -> None:
    total = ZEROS[name] + ExpSum.constant(F(tiny))
    assert total.is_zero() is Answer.NO
    assert total.sign() == (-1 if tiny.startswith("-") else 1)


def test_random_sums_never_lie() -> None:
    """A sum times another, minus its expansion, is zero; plus anything it is not."""
    rng = Random(3)
    counts: Counter[str] = Counter()
    for _ in range(150):
        parts = []
        for _ in range(2):
            total = ExpSum({})
            for _ in range(rng.randint(1, 4)):
                exponent = Exponent.rational(F(rng.randint(-4, 4), rng.randint(1, 3)))
                exponent += Exponent.log(F(rng.randint(1, 30), rng.randint(1, 30))).times(
                    F(rng.randint(-3, 3), rng.randint(1, 3))
                )
                total += ExpSum.power(exponent, F(rng.randint(-5, 5), rng.randint(1, 4)))
            parts.append(total)
        a, b = parts
        square = (a + b) * (a + b) - a * a - b * b - (a * b).times(2)
        assert square.sign() == 0
        counts["zero"] += 1
        tiny = F(rng.choice([-1, 1]), 10 ** rng.randint(20, 90))
        assert (square + ExpSum.constant(tiny)).sign() == (1 if tiny > 0 else -1)
        counts["nonzero"] += 1
    assert counts["zero"] == counts["nonzero"] == 150


def test_towers_and_logarithms_of_sums() -> None:
    tower = Exponent.of_sum(e_to(1))  # e**e
    total = ExpSum.power(tower) * ExpSum.power(-tower) - ExpSum.constant(1)
    assert total.sign() == 0
    assert (ExpSum.power(tower) - ExpSum.constant(15)).sign() == 1
    assert (ExpSum.power(tower) - ExpSum.constant(16)).sign() == -1
    grown = e_to(1) - ExpSum.constant(F(1, 2))
    log = Exponent.log_of_sum(grown)  # log(e - 1/2)
    assert (ExpSum.power(log) - grown).sign() == 0
    assert (ExpSum.power(log.times(F(3))) - grown * grown * grown).sign() == 0
    assert (ExpSum.power(log.times(F(1, 2))) * ExpSum.power(log.times(F(1, 2))) - grown).sign() == 0
    for k in (40, 100, 300):
        near = ExpSum.power(log.times(F(2))) - grown * grown + ExpSum.constant(F(1, 10**k))
        assert near.sign() == 1
        assert (-near).sign() == -1


def test_square_roots_of_sums() -> None:
    x = e_to(1) + ExpSum.constant(1)
    root = RadicalSum.root(x)
    assert (root * root - RadicalSum.of(x)).is_zero() is Answer.YES
    four = RadicalSum.root(x.times(4)) - root - root
    assert four.is_zero() is Answer.YES
    assert (root - RadicalSum.of(x)).is_zero() is Answer.NO
    # (sqrt a + sqrt b)**2 = a + b + 2 sqrt(ab)
    y = e_to(2) + ExpSum.constant(3)
    both = root + RadicalSum.root(y)
    total = both * both - RadicalSum.of(x + y) - (root * RadicalSum.root(y)).times(
        ExpSum.constant(2)
    )
    assert total.is_zero() is Answer.YES
    # the conjugate vanishes, the number itself does not: sqrt(e**2 + 2 e + 1) = e + 1
    square = RadicalSum.root(x * x)
    assert (square - RadicalSum.of(x)).is_zero() is Answer.YES
    assert (square + RadicalSum.of(x)).is_zero() is Answer.NO
    for k in (40, 200):
        shifted = RadicalSum.root(x * x + ExpSum.constant(F(1, 10**k))) - RadicalSum.of(x)
        assert shifted.is_zero() is Answer.NO


def test_square_roots_that_balls_tell_from_zero_have_no_norm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With three roots it has so many terms that a loss of five atoms took twenty seconds."""
    near, far = (
        RadicalSum.root(e_to(4) + e_to(-k)) - RadicalSum.of(e_to(2)) for k in (4000, 1000)
    )
    monkeypatch.setattr(RadicalSum, "__mul__", None)
    assert far.is_zero() is Answer.NO
    with pytest.raises(TypeError):  # what is zero, or nearer than any ball, needs it
        near.is_zero()


def test_quotients_of_logarithms() -> None:
    log = Exponent.log
    assert log(F(8)).quotient(log(F(4))) == F(3, 2)
    assert log(F(1, 27)).quotient(log(F(9))) == F(-3, 2)
    assert log(F(6)).quotient(log(F(2))) is None
    assert (log(F(12)) - log(F(3)) - log(F(4))).sign() == 0
    assert (log(F(12)) - log(F(3)) - log(F(4)) + Exponent.rational(F(1, 10**200))).sign() == 1

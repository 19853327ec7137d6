"""Logarithms and roots as generators: which are roots, sums with roots of long numbers, and the
room that whole powers have."""

from __future__ import annotations

from fractions import Fraction

import pytest
from core.enclose import Undecided
from core.logarithms import MAX_POWER_BITS, collected, is_root, log_form
from core.zero import UNIT, Form, Sum, constant, is_zero, plus, times

HALF = Fraction(1, 2)


def log(n: int) -> Form:
    return log_form(Fraction(n))


def root(n: int) -> Form:
    """The root of n as it is."""
    return frozenset({(("exp", times(log(n), HALF)), Fraction(1))})


def test_what_is_a_root() -> None:
    for f in (times(log(2), HALF), times(log(5), Fraction(1, 3)), plus(log(2), log(3))):
        assert is_root(("exp", f))
        assert not is_root(("exp", plus(f, constant(HALF))))
        assert not is_root(("exp", plus(f, root(2))))
    assert not is_root(("exp", constant(HALF)))
    assert not is_root(("log", Fraction(2)))
    assert not is_root(UNIT)
    assert not is_root(("quotient", log(2), log(3)))


@pytest.mark.parametrize(("p", "q"), [(53, 59), (3, 101), (101 * 103, 107), (10**20 + 39, 2)])
def test_roots_of_long_numbers_over_a_common_base(p: int, q: int) -> None:
    """sqrt(p^2 q) = p sqrt(q), and nothing near it."""
    left, right = root(p * p * q), times(root(q), Fraction(p))
    c = Fraction(7, 3)
    assert is_zero({left: c, right: -c})
    assert is_zero({plus(left, log(5)): c, right: -5 * c})
    assert not is_zero({left: c, right: c})
    assert not is_zero({left: c, times(right, 1 + Fraction(1, 10**30)): -c})
    assert not is_zero({root(p * p * q + 1): c, right: -c})


def test_powers_of_all_terms_have_a_length_together() -> None:
    """256 times that of one: 2^n is taken as 2 n bits, and 5 as 3; from the least power on."""
    whole, least = MAX_POWER_BITS // 2, -300_000

    def terms(last: int, five: int) -> Sum:
        powers = [*[(whole, 0)] * 255, (last, 0), (0, five)]
        return {
            plus(plus(times(log(2), Fraction(least + n)), times(log(5), Fraction(m))),
                 constant(Fraction(k))): Fraction(1)
            for k, (n, m) in enumerate(powers)
        }  # fmt: skip

    assert len(collected(terms(whole, 0))) == 257
    with pytest.raises(Undecided, match="powers too large for the exact zero test"):
        collected(terms(whole - 1, 1))  # one bit more than there is room for

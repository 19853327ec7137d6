"""Products of polynomials by one product of two numbers."""

from __future__ import annotations

import time
from random import Random

import kernel_builder as kb  # noqa: F401  (the kernel's path)
import pytest
from core import convolution
from core.convolution import convolved
from core.rules import Rejected
from core.work import TooMuchWork, checking


def plainly(a: list[int], b: list[int]) -> list[int]:
    found = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for k, y in enumerate(b):
            found[i + k] += x * y
    return found


@pytest.mark.parametrize("seed", range(30))
def test_the_coefficients_of_a_product(seed: int) -> None:
    random = Random(seed)
    a, b = (
        [random.choice((0, 1, 9, 10**k - 1, random.randrange(10**k)))
         for _ in range(random.randrange(1, 40))]
        for k in (random.randrange(1, 60), random.randrange(1, 60))
    )  # fmt: skip
    assert convolved(a, b) == plainly(a, b)


@pytest.mark.parametrize("digits", [1, 2, 20, 300])
def test_the_greatest_coefficients_stay_in_their_slots(digits: int) -> None:
    for size in (1, 9, 10, 11, 99, 101):
        most = [10**digits - 1] * size
        assert convolved(most, most) == plainly(most, most)
        assert convolved(most, [0]) == [0] * size


def test_products_of_too_many_digits() -> None:
    long = [10**2149]
    assert convolved(long, long[:]) == [10**4298] if convolution.LONGEST >= 4301 else True
    with pytest.raises(Rejected, match="too many digits"):
        convolved([10**2200], [10**2200])
    with checking(0), pytest.raises(TooMuchWork, match="a product of more than"):
        convolved([1] * 10_000_000, [1] * 10_000_000)


def test_as_many_digits_as_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convolution, "MOST", 9)  # three slots of three digits
    assert convolved([1, 2], [3, 4]) == [3, 10, 8]
    monkeypatch.setattr(convolution, "MOST", 8)
    with pytest.raises(TooMuchWork):
        convolved([1, 2], [3, 4])
    monkeypatch.setattr(convolution, "LONGEST", 3)
    monkeypatch.setattr(convolution, "MOST", 9)
    assert convolved([1, 2], [3, 4]) == [3, 10, 8]
    monkeypatch.setattr(convolution, "LONGEST", 2)
    with pytest.raises(Rejected):
        convolved([1, 2], [3, 4])


def test_the_price_of_a_product_is_near_its_time() -> None:
    many = [10**40 - 1] * 3000
    convolved(many, many)
    start = time.process_time()
    with checking(1 << 20) as check:
        convolved(many, many)
    seconds = time.process_time() - start
    assert check.spent > 100_000
    assert seconds < 6 * 0.25e-6 * check.spent

"""Quotients of polynomials in lowest terms: proved by multiplying out, whatever was proposed."""

from collections import Counter

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pfverify.exact.polynomials import _PRIME, Polynomial

COEFFICIENTS = st.lists(st.integers(-5, 5), min_size=1, max_size=5).filter(any)
SEEN = Counter()


def stripped(coefficients):
    while coefficients and not coefficients[-1]:
        coefficients = coefficients[:-1]
    return coefficients


@given(COEFFICIENTS, COEFFICIENTS, COEFFICIENTS, st.sampled_from([0, 1, 2, 40]))
@example([1], [_PRIME], [1, 1], 1)  # nothing is left of the second modulo the prime
@example([_PRIME], [1], [1, 1], 1)
@example([1, 3**200], [1, -(3**200)], [1, 1], 3)  # ratios of more than 260 bits
@example([1, 3**100], [1, -(3**100)], [1, 1], 3)
@example([1, 1], [1, -1], [0, _PRIME], 1)  # and nothing of what they share
@settings(derandomize=True)
def quotients_agree(first, second, shared, times):
    factor = Polynomial(shared) ** times
    mine, theirs = Polynomial(first) * factor, Polynomial(second) * factor
    u, v = mine.lowest_terms(theirs)
    assert (u * theirs).coefficients() == (v * mine).coefficients()
    assert u.coefficients()
    assert v.coefficients()
    degrees = [len(p.coefficients()) for p in (mine, u)]
    assert degrees[1] <= degrees[0]
    SEEN["shortened" if degrees[1] < degrees[0] else "as they are"] += 1
    if max(map(abs, first + second)) <= 5 and max(map(abs, shared)) <= 5:
        assert degrees[1] <= len(stripped(first))
        SEEN["as short as it was made"] += degrees[1] == len(stripped(first)) < degrees[0]


def test_quotients_in_lowest_terms_are_the_same_quotients():
    SEEN.clear()
    quotients_agree()
    assert len(SEEN) == 3
    assert min(SEEN.values()) > 5

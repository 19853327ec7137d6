"""Theorem 3 of the distribution-privacy paper, as exact numbers, beside the exact delta."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations
from math import floor
from random import Random

import pytest

from pfverify.decide.tupling.laws import TupleLaws
from pfverify.errors import InputError
from pfverify.exact.number import Number, number
from pfverify.scales.tupling_bound import (
    Reading,
    bound_at_delta,
    bound_at_epsilon,
    in_class,
    published_bound,
    repaired_bound,
    worst_delta,
)

F = Fraction
ZERO = number(0)


def close(found: Number, value: float) -> bool:
    return abs(found.ball().midpoint() - value) < 1e-9


@pytest.mark.parametrize(
    ("outputs", "dummies", "beta", "alpha", "growth", "published", "exact"),
    [(2, 3, "3/4", "1", "13/2", 0.6113791301, 0), (3, 6, "1/2", "3/2", "8", 0.0995741367, 6.86e-4)],
)
def test_the_bound_is_far_above_the_exact_delta(
    outputs: int,
    dummies: int,
    beta: str,
    alpha: str,
    growth: str,
    published: float,
    exact: float,
) -> None:
    """Ledger row D22."""
    bound = published_bound(outputs, dummies, number(beta), ZERO, number(alpha))
    assert (bound.epsilon - number(f"log({growth})")).sign() == 0
    assert close(bound.delta, published)
    found = worst_delta(outputs, dummies, F(beta), F(growth))
    assert abs(float(found) - exact) < 1e-6
    assert (exact == 0) == (found == 0)


def test_the_bound_fails_for_eta_as_printed() -> None:
    """Ledger row D23: both point laws belong to the class only as printed."""
    beta, eta = number("1/20"), number("1/3")
    bound = published_bound(3, 1, beta, eta, number("1/10"))
    assert (bound.epsilon - number("log(29/14)")).sign() == 0
    assert close(bound.delta, 0.3340042586)
    points = (F(1), F(0), F(0)), (F(0), F(1), F(0))
    p, q = TupleLaws(*points, (F(1, 3),) * 3, 1).event(F(29, 14), reverse=False)
    assert (p, q) == (F(2, 3), 0)
    for law in points:
        assert in_class(law, beta, eta, Reading.UNIFORM)
        assert not in_class(law, beta, eta, Reading.RELEASED)


def test_the_bound_fails_in_the_other_reading_too_and_its_repair_holds() -> None:
    """Ledger row D24: one letter of mass 5/6 each, and ten of mass 1/60 that the other lacks."""
    outputs, beta, eta, alpha = 24, number("1/60"), number("5/6"), number("7/240")
    small = (F(1, 60),) * 10
    first = (F(5, 6), *small, *(F(0),) * 13)
    second = (*(F(0),) * 11, F(5, 6), *small, *(F(0),) * 2)
    for law in (first, second):
        assert in_class(law, beta, eta, Reading.RELEASED)
    bound = published_bound(outputs, 1, beta, eta, alpha)
    assert (bound.epsilon - number("log(7)")).sign() == 0
    p, q = TupleLaws(first, second, (F(1, outputs),) * outputs, 1).event(F(7), reverse=False)
    assert p - 7 * q == F(121, 144)
    assert (Number.of_rational(F(121, 144)) - bound.delta).sign() == 1
    with pytest.raises(InputError, match="alpha"):  # the repair leaves less room for it
        repaired_bound(outputs, 1, beta, eta, alpha)


def test_the_repaired_bound_holds_for_random_laws() -> None:
    """Row D24: beta is such that each law releases more than it with chance at most eta."""
    rng, told = Random("repaired"), 0
    for _ in range(60):
        outputs, dummies = rng.randint(2, 4), rng.randint(6, 12)
        laws = [[rng.choice((1, 1, 2, 3)) for _ in range(outputs)] for _ in range(2)]
        first, second = ([F(w, sum(law)) for w in law] for law in laws)
        beta = rng.choice(first)
        eta = max(sum((x for x in law if x > beta), F(0)) for law in (first, second))
        left = dummies * (1 - eta)
        alpha = left / outputs * F(rng.randint(1, 19), 20)
        if not alpha:
            continue
        exact = number(str(beta)), number(str(eta)), number(str(alpha))
        for law in (first, second):
            assert in_class(law, exact[0], exact[1], Reading.RELEASED)
        bound = repaired_bound(outputs, dummies, *exact)
        growth = (dummies + (alpha + beta) * outputs) / (left - alpha * outputs)
        tuples = TupleLaws(first, second, (F(1, outputs),) * outputs, dummies)
        p, q = tuples.event(growth, reverse=False)
        assert (Number.of_rational(p - growth * q) - bound.delta).sign() in (-1, 0)
        told += (bound.delta - number(1)).sign() == -1
    assert told >= 5  # of the promises, so many say something


def test_the_class_of_beta_one_is_everything() -> None:
    """Ledger row D25."""
    for law in ((F(1), F(0)), (F(1, 3), F(2, 3))):
        for reading in Reading:
            assert in_class(law, number(1), ZERO, reading)


def test_a_prior_below_beta_may_release_more_and_leave_the_class() -> None:
    """Ledger row D21: a channel that always says the same, and a prior of two halves."""
    for reading in Reading:
        assert not in_class((F(1), F(0)), number("1/2"), ZERO, reading)
        assert in_class((F(1, 2), F(1, 2)), number("1/2"), ZERO, reading)


def test_the_printed_delta_rises_with_the_dummies_and_the_exact_one_falls() -> None:
    """Ledger row D27, at one alpha."""
    printed = [
        published_bound(2, k, number("3/4"), ZERO, number("1/2")).delta for k in range(2, 7)
    ]
    assert all((b - a).sign() == 1 for a, b in pairwise(printed))
    exact = [worst_delta(2, k, F(3, 4), F(2)) for k in range(2, 7)]
    assert exact == sorted(exact, reverse=True)
    assert exact[-1] < exact[0]


def test_the_best_alpha_meets_its_target_and_no_other_is_better() -> None:
    beta, eta, delta = number("3/4"), number("1/1000"), number("1/100")
    best = bound_at_delta(2, 40, beta, eta, delta)
    assert best is not None
    again = published_bound(2, 40, beta, eta, best.alpha)
    assert close(again.delta, 0.01)
    assert (again.epsilon - best.epsilon).sign() in (0, None)
    less = published_bound(2, 40, beta, eta, best.alpha * number("9/10"))
    assert (less.delta - delta).sign() == 1
    assert (less.epsilon - best.epsilon).sign() == -1

    back = bound_at_epsilon(2, 40, beta, eta, best.epsilon)
    assert back is not None
    assert close(back.alpha, best.alpha.ball().midpoint())
    assert close(back.delta, 0.01)


def test_an_alpha_that_is_rational_is_seen_to_be() -> None:
    best = bound_at_epsilon(2, 3, number("3/4"), ZERO, number("log(13/2)"))
    assert best is not None
    assert best.alpha.fraction == 1


def test_without_an_alpha_there_is_no_bound() -> None:
    beta = number("3/4")
    assert bound_at_delta(2, 3, beta, ZERO, number("1/100")) is None  # too few dummies
    assert bound_at_delta(2, 40, beta, number("1/10"), number("1/10")) is None  # delta = eta
    assert bound_at_epsilon(2, 3, beta, ZERO, number("1/10")) is None


@pytest.mark.parametrize("outputs", [2, 3, 4, 5])
@pytest.mark.parametrize("beta", [F(3, 10), F(2, 5), F(1, 2), F(7, 10), F(1)])
def test_the_worst_laws_are_the_worst_of_all_extreme_ones(outputs: int, beta: Fraction) -> None:
    full = floor(1 / beta)
    law = [beta] * full + [1 - full * beta] + [F(0)] * outputs
    if any(law[outputs:]):
        with pytest.raises(InputError, match=r"^beta: "):
            worst_delta(outputs, 1, beta, F(2))
        return
    first, dummy = law[:outputs], (F(1, outputs),) * outputs
    for growth in (F(1), F(3, 2), F(4)):
        found = []
        for second in set(permutations(first)):
            p, q = TupleLaws(first, second, dummy, 2).event(growth, reverse=False)
            found.append(p - growth * q)
        assert worst_delta(outputs, 2, beta, growth) == max(found)


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ((0, 3, "1/2", "0", "1"), "outputs"),
        ((2, 0, "1/2", "0", "1"), "dummies"),
        ((2, 3, "0", "0", "1"), "beta"),
        ((2, 3, "3/2", "0", "1"), "beta"),
        ((2, 3, "1/2", "-1", "1"), "eta"),
        ((2, 3, "1/2", "2", "1"), "eta"),
        ((2, 3, "1/2", "0", "0"), "alpha"),
        ((2, 3, "1/2", "0", "3/2"), "alpha"),
    ],
)
def test_what_the_theorem_is_not_about_is_refused(
    values: tuple[int, int, str, str, str], name: str
) -> None:
    outputs, dummies, *texts = values
    with pytest.raises(InputError, match=f"^{name}: "):
        published_bound(outputs, dummies, *(number(text) for text in texts))

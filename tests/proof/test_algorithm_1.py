"""Algorithm 1 in exact arithmetic against a second run in mpmath and the audit's values."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

import pytest
from mpmath import mp, mpf

from pfverify.errors import InputError
from pfverify.model.priors.discrete import Discrete
from pfverify.proof import algorithm_1
from pfverify.proof.algorithm_1 import PlanColumn, run_column
from pfverify.proof.procedures import algorithm_1_scale, trace_b, trace_c

F = Fraction
HALVES = {F(1): F(1, 2), F(2): F(1, 2)}, {F(0): F(1)}  # f(t) = (t + t^2)/2 - e^epsilon
GAP = {F(0): F(1, 2), F(2): F(1, 2)}, {F(0): F(1)}  # f(t) = (1 + t^2)/2 - e^epsilon


def prior(table: Mapping[Fraction, Fraction]) -> Discrete:
    return Discrete(mass=table)


def printed(masses: Mapping[int, Fraction], e: Fraction, n: int, tolerance: Fraction) -> list[mpf]:
    """The t_b of lines 3 to 18, written a second time from the paper, in 400 digits."""

    def f(t: mpf) -> mpf:
        return sum(
            (t**d - mpf(e.numerator) / e.denominator) * m.numerator / m.denominator
            for d, m in masses.items()
        )

    whole, stay = sum(masses.values()), masses.get(0, F(0))
    phi = mp.log(
        (mpf(1) * (e * whole - stay).numerator / (e * whole - stay).denominator)
        / (mpf(1) * (whole - stay).numerator / (whole - stay).denominator)
    )
    a, b = mp.exp(1 / (1 / phi)), mp.exp(1 / (n / phi))
    if abs(f(b)) > abs(f(a)):
        a, b = b, a
    c, found = a, [b]
    tiny = mpf(10) ** -350  # equal up to rounding
    while abs(b - c) > mpf(tolerance.numerator) / tolerance.denominator and len(found) < 30:
        fa, fb, fc = f(a), f(b), f(c)
        if abs(fa - fc) > tiny and abs(fb - fc) > tiny:  # Lagrange interpolation of t at f = 0
            s = (
                a * fb * fc / ((fa - fb) * (fa - fc))
                + b * fa * fc / ((fb - fa) * (fb - fc))
                + c * fa * fb / ((fc - fa) * (fc - fb))
            )
        elif abs(fa - fb) > tiny:
            s = b - fb * (b - a) / (fb - fa)
        else:
            s = (b + c) / 2
        if not (min(b, c) + tiny < s < max(b, c) - tiny):
            s = (b + c) / 2
        a, c, b = c, b, s
        found.append(b)
    return found


def cases() -> list[tuple[dict[int, Fraction], Fraction, int]]:
    rng = random.Random(1)
    made = []
    for _ in range(150):
        n, root = rng.randint(1, 5), F(rng.randint(3, 8), 2)
        distances = sorted({n, *(rng.randint(1, n) for _ in range(3))})
        weights = [rng.randint(1, 5) for _ in distances]
        off = F(rng.randint(1, 4), 4)
        masses = {d: off * w / sum(weights) for d, w in zip(distances, weights, strict=True)}
        if off < 1:
            masses[0] = 1 - off
        made.append((masses, root**n * off + 1 - off, n))  # so that t_b = root
    return made


def test_the_run_agrees_with_a_second_one() -> None:
    steps = 0
    with mp.workdps(400):
        for masses, e, n in cases():
            tolerance = F(1, 10**6)
            try:
                run = run_column(PlanColumn(masses, e), n, tolerance, limit=29)
            except InputError:  # too many digits
                continue
            other = printed(masses, e, n, tolerance)
            assert len(other) == len(run.b)
            for exact, approximate in zip(run.b, other, strict=True):
                gap = abs(mpf(exact.numerator) / exact.denominator - approximate)
                assert gap < mpf(10) ** -100
            steps += len(run.b)
    assert steps > 500


def test_the_audits_runs() -> None:
    start, step = trace_b(*HALVES, 4, 0, 1).values()
    assert (start, step) == (2, F(16, 7))
    assert list(trace_c(*HALVES, 4, 0, 1).values()) == [4, 2]
    found, n = algorithm_1.columns(*map(prior, HALVES), F(4))
    assert (n, found[F(0)].f(F(16, 7)), found[F(0)].f(F(2))) == (2, F(-12, 49), -1)
    t_b = trace_b(*GAP, F(5, 2), 0, 50)
    assert [t_b[k] for k in range(4)] == [2, 3, F(5, 2), F(11, 4)]
    assert all(F(5, 2) <= t_b[k] <= 3 for k in range(1, len(t_b)))
    # the root is t = 2: the output has too little noise
    assert algorithm_1.run(*map(prior, GAP), F(5, 2)) == F(1365, 512)
    assert algorithm_1_scale(*GAP, F(5, 2)) == "1/log(1365/512)"


def test_distance_one_needs_no_step() -> None:
    column = PlanColumn({0: F(12, 25), 1: F(1, 50)}, F(2))
    run = run_column(column, 1)
    assert (run.b, run.c, run.output) == ((26,), (26,), 26)
    assert column.f(F(26)) == 0


def test_the_largest_noise_of_the_columns_is_returned() -> None:
    # columns 1 and 2 move all mass by 1 (t = 2) and half of it (t = 3)
    p = {F(0): F(1, 2), F(1): F(1, 4), F(2): F(1, 4)}
    q = {F(0): F(1, 4), F(1): F(1, 4), F(2): F(1, 2)}
    found, n = algorithm_1.columns(prior(p), prior(q), F(2))
    assert (sorted(found), n) == ([1, 2], 1)
    assert algorithm_1.run(prior(p), prior(q), F(2)) == 2


def test_the_limit_of_iterations_ends_the_loop() -> None:
    run = run_column(PlanColumn({1: F(1, 2), 2: F(1, 2)}, F(4)), 2, F(0), limit=7)
    assert len(run.a) == len(run.b) == len(run.c) == 8


@pytest.mark.parametrize(
    ("p", "q", "e", "message"),
    [
        ({F(0): F(1)}, {F(0): F(1)}, 2, "no column has mass off the diagonal"),
        ({F(0): F(1)}, {F(1, 2): F(1)}, 2, "whole numbers"),
        (*HALVES, 2, "not rational"),
    ],
)
def test_what_cannot_be_run_exactly_is_refused(
    p: Mapping[Fraction, Fraction], q: Mapping[Fraction, Fraction], e: int, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        algorithm_1.run(prior(p), prior(q), F(e))


def test_a_column_without_distance_divides_by_zero() -> None:
    with pytest.raises(InputError, match="divides by 0"):
        PlanColumn({0: F(1)}, F(2)).start(1)
    with pytest.raises(InputError, match="no mass off the diagonal"):
        trace_b(*HALVES, 4, 1, 1)

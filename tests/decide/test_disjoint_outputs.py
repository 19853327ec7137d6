"""The least epsilon where one law has outputs that the other never gives: their mass stays."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from pfverify import Channel, Problem, certify, loss
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import number

INFINITE = Enclosure("inf", "inf")
MASSES = ("0", "0", "exp(-1)", "1/2", "1/3", "sqrt(2)/4")


def channel(rows: list[list[str]], dummies: int | None = None) -> Channel:
    outputs = [str(k) for k in range(len(rows[0]))]
    table: dict[str, Any] = {"kind": "matrix", "inputs": ["a", "b"], "outputs": outputs,
                             "rows": rows}  # fmt: skip
    if dummies is not None:
        table = {"kind": "tupling", "base": table, "dummies": dummies, "dummy": "uniform"}
    return Channel.of(table)


def least(rows: list[list[str]], delta: str, **more: Any) -> Enclosure:
    """The least epsilon of the first row against the second one."""
    problem = Problem(
        channel=channel(rows, more.pop("dummies", None)), epsilon=1, delta=delta, **more
    )
    found = next(pair for pair in loss(problem).pairs if pair.from_ == "a").epsilon_at_delta
    assert found is not None
    return found


@pytest.mark.parametrize("form", ["events", "pointwise"])
def test_disjoint_outputs_need_an_infinite_epsilon(form: str) -> None:
    """It was searched for without end."""
    rows = [["exp(-1)", "1-exp(-1)", "0", "0"], ["0", "0", "exp(-1)", "1-exp(-1)"]]
    assert least(rows, "1/100", form=form) == INFINITE


@pytest.mark.parametrize("delta", ["1/3-1e-60", "1/4"])
def test_a_rational_disjoint_mass_above_delta_is_infinite_too(delta: str) -> None:
    """The other masses are not rational: the answer was [0, inf], or none."""
    rows = [["1/3", "exp(-1)", "2/3-exp(-1)"], ["0", "1-exp(-1)", "exp(-1)"]]
    assert least(rows, delta) == INFINITE
    assert least(rows, "1/3+1e-60").upper < 1


@pytest.mark.parametrize(("form", "ends"), [("events", "log(2)"), ("pointwise", "log(3/2)")])
def test_a_delta_that_is_the_disjoint_mass(form: str, ends: str) -> None:
    """Every larger epsilon meets it exactly too: the first decimal that did was called exact."""
    shifted = "1/2" if form == "events" else "3/8+exp(-2)"
    rows = [["exp(-2)", shifted, f"1-exp(-2)-({shifted})"], ["0", "1/4", "3/4"]]
    found = least(rows, "exp(-2)", form=form)
    assert found.lower < found.upper
    assert found.lower < number(ends).at_most(200) < found.upper


def test_least_epsilons_of_random_rows_are_what_certify_says() -> None:
    """Just above the least epsilon certified, just below refuted; infinite: refuted at 1000."""
    rng = Random("disjoint outputs")
    seen = {"infinite": 0, "finite": 0, "zero": 0}
    for _ in range(60):
        rows = []
        for _ in range(2):
            kept = rng.choices(MASSES, k=3)
            while sum(float(number(mass).ball().raw.mid()) for mass in kept) > 1:
                kept = rng.choices(MASSES, k=3)
            kept.append(f"1-({'+'.join(kept)})")
            rng.shuffle(kept)
            rows.append(kept)
        delta = rng.choice(["1/100", "exp(-1)", "1/3", "sqrt(2)/5", "1/2"])
        found = least(rows, delta)
        if found == INFINITE:
            seen["infinite"] += 1
            asked = [("1000", "refuted")]
        elif found.upper == 0:
            seen["zero"] += 1
            asked = [("0", "certified")]
        else:
            assert found.upper - found.lower < Fraction(1, 10**9)
            seen["finite"] += 1
            asked = [(str(found.upper), "certified"), (str(found.lower - 1e-12), "refuted")]
        for epsilon, verdict in asked:
            problem = Problem(channel=channel(rows), epsilon=epsilon, delta=delta)
            pairs = certify(problem).pairs
            assert next(pair for pair in pairs if pair.from_ == "a").verdict == verdict
    assert min(seen.values()) >= 5, seen


def test_tuples_that_one_law_never_gives_are_compared_with_delta_exactly() -> None:
    """One dummy of four outputs, two of which b never has: (1-exp(-1)) times 2/4 are impossible."""
    rows = [["exp(-1)", "0", "1/2", "1/2-exp(-1)"], ["1-exp(-1)", "exp(-1)", "0", "0"]]
    mass = "(1-exp(-1))/2"
    assert least(rows, f"{mass}-1e-700", dummies=1) == INFINITE
    assert least(rows, f"{mass}+1e-30", dummies=1).upper < 1000
    assert least(rows, mass, dummies=1) == Enclosure("0", "inf")  # said to be open, and quickly


@pytest.mark.parametrize("digits", [1, 3, 12, 30])
def test_no_delta_is_above_1(digits: int) -> None:
    """[1, 1.00000000001] was printed: of masses that are not rational, and of a delta near 1."""
    rows = [["exp(-1)", "1-exp(-1)", "0"], ["exp(-300)", "0", "1-exp(-300)"]]
    near = [["1", "0"], ["1e-90", "1-1e-90"]]
    for table, notion in product((rows, near), ("events", "pointwise")):
        problem = Problem(channel=channel(table), epsilon="1/3", delta="1/9", form=notion)
        for pair in loss(problem, digits=digits).pairs:
            assert pair.delta.upper <= 1
    certain = [["exp(-1)", "1-exp(-1)", "0"], ["0", "0", "1"]]
    whole = Problem(channel=channel(certain), epsilon=1, delta="1/9")
    assert loss(whole, digits=digits).delta == Enclosure("1", "1")

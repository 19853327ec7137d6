"""A loss that is exactly a short decimal is printed as that decimal, both ends alike."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support import problems

from pfverify import Gaussian, Laplace, Problem, certify, loss
from pfverify.edge.explain import explained
from pfverify.edge.words import between
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.written import round_inside

HALF = Enclosure("0.5", "0.5")


def exact(enclosure: Enclosure | None) -> str | None:
    assert enclosure is not None
    return enclosure.lower if enclosure.lower == enclosure.upper else None


@pytest.mark.parametrize("epsilon", [1, "1/2", "1/4", "log(2)", "sqrt(2)"])
@pytest.mark.parametrize("digits", [1, 3, 12, 40])
def test_point_masses_lose_their_distance_over_the_scale(epsilon: Any, digits: int) -> None:
    """Whatever epsilon is asked for; it was known only where it is the loss itself."""
    asked = problems.problem({0: 1}, {1: 1}, 2, epsilon)
    assert [pair.epsilon_star for pair in loss(asked, digits=digits).pairs] == [HALF, HALF]
    assert [pair.loss for pair in certify(asked, digits=digits).pairs] == [HALF, HALF]


@pytest.mark.parametrize(
    ("scale", "value"),
    [("4", "0.25"), ("0.8", "1.25"), ("1/log(exp(5))", "5"), ("sqrt(2)*sqrt(8)", "0.25"),
     ("1e40", "1e-40")],
)  # fmt: skip
def test_other_short_losses(scale: str, value: str) -> None:
    found = loss(problems.problem({0: 1}, {1: 1}, scale, 7))
    assert exact(found.epsilon_star) == value


def test_losses_that_are_no_decimals_keep_two_ends() -> None:
    for scale in ("3", "1/log(2)", "7"):
        found = loss(problems.problem({0: 1}, {1: 1}, scale, 7)).epsilon_star
        assert Fraction(found.lower) < Fraction(found.upper)


def test_many_tied_atoms() -> None:
    """A uniform prior and its translate lose the shift over the scale at a whole side of atoms."""
    n = 40
    first, second = ({k + shift: Fraction(1, n) for k in range(n)} for shift in (0, 1))
    found = loss(problems.problem(first, second, 8, 1))
    assert exact(found.epsilon_star) == "0.125"


def test_exact_divergences_and_excesses() -> None:
    quarter = {"scale": "1/log(4)", "epsilon": 0, "delta": "1/3"}
    found = loss(problems.problem({0: 1}, {1: 1}, **quarter))
    assert exact(found.delta) == "0.5"  # 1 - e**-(log(4)/2)
    assert exact(found.epsilon_star) is None
    lattice = loss(problems.problem({0: 1}, {1: 1}, **quarter, step=1))
    assert exact(lattice.delta) == "0.6"
    point = loss(problems.problem({0: 1}, {1: 1}, **quarter, step=1, form="pointwise"))
    assert exact(point.delta) == "0.45"  # 3/5 (1 - 1/4)


def test_the_least_epsilon_at_a_tie_is_exact() -> None:
    found = loss(problems.problem({0: 1}, {1: 1}, 1, 1, "1-exp(-1/4)"))
    assert found.epsilon_at_delta == HALF
    found = loss(problems.problem({0: 1}, {1: 1}, 1, 1, "1/4"))
    assert exact(found.epsilon_at_delta) is None


def test_random_exact_losses_are_ties_and_all_losses_are_enclosed() -> None:
    """What is printed as exact is a tie at that epsilon, decided on its own."""
    rng = Random("exact losses")
    counts = {"exact": 0, "not": 0}
    for _ in range(40):
        if rng.random() < 0.5:
            tables = [{rng.randint(-3, 3): 1} for _ in range(2)]
        else:
            tables = [{rng.randint(-3, 3): Fraction(1, 3), 5: Fraction(2, 3)} for _ in range(2)]
        if tables[0] == tables[1]:
            continue
        asked = problems.problem(*tables, rng.choice([1, "5/2", 4, "1/3", 10, 3]), 100)
        for pair in loss(asked).pairs:
            value = exact(pair.epsilon_star)
            if value is None:
                counts["not"] += 1
                for end, verdict in (("lower", "refuted"), ("upper", "certified")):
                    at = asked.replaced(epsilon=getattr(pair.epsilon_star, end))
                    (one,) = [p for p in certify(at).pairs if p.from_ == pair.from_]
                    assert (one.verdict, one.tie) == (verdict, False)
            else:
                counts["exact"] += 1
                (one,) = [p for p in certify(asked.replaced(epsilon=value)).pairs
                          if p.from_ == pair.from_]  # fmt: skip
                assert one.tie
    assert min(counts.values()) > 10


@pytest.mark.parametrize(
    ("second", "scale", "value"),
    [((1, 1), 2, "0.5"), ((5, 1), 4, "1.25"), ((1, 4), 5, "0.26"), ((0, 4), 1, "1.5")],
)
def test_normal_laws_with_the_supremum_in_a_tail(
    second: tuple[int, int], scale: int, value: str
) -> None:
    """|shift|/b + (difference of variances)/(2 b**2), in the limit of a tail."""
    asked = Problem(
        priors={"a": Gaussian(0, 1), "b": Gaussian(*second)}, noise=Laplace(scale), epsilon=7
    )
    (one,) = [pair for pair in loss(asked).pairs if pair.from_ == "b"]
    assert exact(one.epsilon_star) == value


@pytest.mark.parametrize(
    ("ends", "value"),
    [(("0.499999999999", "0.500000000001"), "1/2"), (("0.5", "0.500000000001"), "1/2"),
     (("1.38629436111", "1.38629436112"), None), (("0.5", "0.5"), None), (("0", "inf"), None),
     (("0", "0.1"), None), (("0.24", "0.26"), "1/4"), (("0.3", "0.4"), None)],
)  # fmt: skip
def test_the_decimal_worth_a_test(ends: tuple[str, str], value: str | None) -> None:
    assert round_inside(Enclosure(*ends)) == (None if value is None else Fraction(value))


def test_exact_losses_in_words() -> None:
    assert between(HALF) == "exactly 1/2"
    assert between(Enclosure("2", "2")) == "exactly 2"
    assert between(Enclosure("0.26", "0.26")) == "exactly 0.26"
    assert between(Enclosure("0", "0")) == "exactly 0"


def test_an_explanation_writes_exact_decimals_exactly() -> None:
    """1/(2 scale) = 1/10 was written as the end below it of its enclosure."""
    asked = problems.problem({0: 1}, {1: 1}, 5, "1/5")
    text = "\n".join(explained(asked, certify(asked)).lines)
    assert "in front: 0.1." in text
    assert "99999" not in text

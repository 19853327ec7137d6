"""With xdp and xdistp the loss is given per unit of distance too: the epsilon to write."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pfverify import Channel, Discrete, Laplace, Problem, Protection, certify, loss
from pfverify.exact.number import number

ROWS = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/8", "3/8", "1/2"]]


def xdp(b: int = 3) -> Problem:
    """Three inputs at the places 0, b and 7."""
    channel = {"kind": "matrix", "inputs": ["a", "b", "c"], "outputs": ["u", "v", "w"],
               "rows": ROWS}  # fmt: skip
    points = {"a": [0], "b": [b], "c": [7]}
    protection = Protection("xdp", inputs=["a", "b", "c"], points=points)
    return Problem(channel=Channel.of(channel), protection=protection, epsilon=1)


@pytest.mark.parametrize("digits", [3, 12, 50])
def test_the_loss_per_unit_is_the_least_epsilon_of_the_notion(digits: int) -> None:
    """log(2)/3 between a and b, which is more than log(4)/7 between a and c: the worst pair."""
    problem = xdp()
    found = loss(problem, digits=digits)
    per_unit = found.epsilon_star_per_unit
    assert per_unit is not None
    assert per_unit.lower < number("log(2)/3").at_most(400) < per_unit.upper
    assert found.epsilon_star >= "log(4)-1e-2"  # that of the pair with the largest loss
    assert certify(problem.replaced(epsilon=str(per_unit.upper))).certified
    assert certify(problem.replaced(epsilon=str(per_unit.lower))).refuted
    for pair in found.pairs:
        far = abs(Fraction("abc".index(pair.from_) * 3) - "abc".index(pair.to) * 3)
        far += 1 if "c" in (pair.from_, pair.to) else 0
        own = pair.epsilon_star_per_unit
        assert own is not None
        assert own.lower * far <= pair.epsilon_star.upper
        assert own.upper * far >= pair.epsilon_star.lower


def test_exact_losses_are_exact_per_unit_and_others_have_none() -> None:
    apart = {"a": Discrete(mass={0: 1}), "b": Discrete(mass={4: 1})}
    extended = Problem(apart, noise=Laplace(5), epsilon=1, protection=Protection("xdistp"))
    found = loss(extended)
    assert (found.epsilon_star.text, found.epsilon_star_per_unit.text) == ("0.8", "0.2")
    assert found.to_dict()["pairs"][0]["epsilon_star_per_unit"] == {"lower": "0.2", "upper": "0.2"}
    plain = loss(Problem(apart, noise=Laplace(5), epsilon=1))
    assert plain.epsilon_star_per_unit is None
    assert "epsilon_star_per_unit" not in plain.to_dict()


def test_a_loss_without_a_distance_is_infinite_per_unit() -> None:
    found = loss(xdp(b=0))
    assert found.epsilon_star.upper < 2
    assert found.epsilon_star_per_unit.text == "inf"

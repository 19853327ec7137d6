"""dp-accounting as a peer in floats: two laws on the same outputs, delta at some epsilons.

Its estimate is meant to be pessimistic. Where it is below the exact delta that is counted and
reported, and has to be a matter of rounding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import log
from random import Random
from typing import Any

import pytest
from support import tally

from contract.channel_cases import law
from pfverify import Channel, Finite, Problem, loss

ROUNDING = 1e-3  # how far a pessimistic value may be below: it works on a grid of losses
PAIRS = 60


def problem_of(p: list[Fraction], q: list[Fraction], epsilon: Fraction) -> Problem:
    outputs = [f"y{k}" for k in range(len(p))]
    channel = Channel.of({"kind": "matrix", "inputs": ["p", "q"], "outputs": outputs,
                          "rows": [list(map(str, p)), list(map(str, q))]})  # fmt: skip
    priors = {"p": Finite({"p": 1}), "q": Finite({"q": 1})}
    return Problem(priors, channel=channel, epsilon=epsilon, delta="1/2")


def exact_delta(p: list[Fraction], q: list[Fraction], epsilon: Fraction) -> float:
    found = loss(problem_of(p, q, epsilon)).pairs
    return float(next(pair for pair in found if pair.from_ == "p").delta.upper)


def test_the_accountant_is_near_and_where_it_is_below_is_counted(
    record_property: Callable[[str, Any], None],
) -> None:
    pld = pytest.importorskip(
        "dp_accounting.pld.privacy_loss_distribution", reason="dp-accounting is not installed"
    )
    rng, counts, worst = Random("accountant"), Counter[str](), 0.0
    for _ in range(PAIRS):
        p, q = law(rng, 5), law(rng, 5, zeros=0.1)
        logs = [[log(x) if x else float("-inf") for x in side] for side in (p, q)]
        made = pld.from_two_probability_mass_functions(
            {k: x for k, x in enumerate(logs[1]) if x > float("-inf")},
            {k: x for k, x in enumerate(logs[0]) if x > float("-inf")},
            value_discretization_interval=1e-4,
        )
        for epsilon in (Fraction(0), Fraction(1, 4), Fraction(1)):
            theirs = float(made.get_delta_for_epsilon(float(epsilon)))
            ours = exact_delta(p, q, epsilon)
            assert abs(theirs - ours) < ROUNDING
            counts["compared"] += 1
            counts["below the exact delta"] += theirs < ours - 1e-15
            worst = max(worst, ours - theirs)
    tally.reached(counts, "compared", least=PAIRS)
    tally.report("pessimistic deltas of an accountant", counts,
                 ["compared", "below the exact delta"], record_property)  # fmt: skip
    assert worst < 1e-9  # never below by more than floats round

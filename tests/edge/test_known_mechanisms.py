"""Mechanisms that testers of privacy by samples publish numbers about, decided from definitions.

The numbers are those of the published reports of such testers for the same parameters: they are
estimates, and fall on both sides of the exact loss.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import mpmath
import pytest

from pfverify import Channel, Problem, Protection, certify, loss


class Known(NamedTuple):
    """A mechanism: its table, the related inputs, its exact loss, what is published about it."""

    table: dict[str, Any]
    related: list[list[str]]
    exact: str
    printed: str  # the loss that the reports call the true one
    estimates: tuple[str, ...]


KNOWN = {
    # Erlingsson et al. 2014, steps 1 and 2, f = 0.95: four hashes each, no bit in common
    "one-time RAPPOR": Known(
        {
            "kind": "rappor", "inputs": ["a", "b"], "flip": "19/20",
            "codes": {"a": "11110000", "b": "00001111"},
        },
        [["a", "b"]], "8*log(21/19)", "0.80", ("0.6005", "0.7906"),
    ),
    # Balcer and Vadhan 2018, algorithm 4.8: 5 people, epsilon 0.1 made log(1 + 2^-3)
    "truncated geometric": Known(
        {"kind": "truncated-geometric", "size": 6, "ratio": "8/9"},
        [[str(k), str(k + 1)] for k in range(5)], "log(9/8)", "0.12",
        ("0.1440", "0.1509", "0.1743"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_the_exact_loss_is_met_and_the_estimates_are_not(name: str) -> None:
    known = KNOWN[name]
    channel = Channel.of(known.table)
    held = Protection("dp", inputs=channel.inputs, inputs_related=known.related)
    problem = Problem(channel=channel, protection=held, epsilon=known.exact)
    result = certify(problem)
    assert result.certified
    assert any(pair.tie for pair in result.pairs)
    assert certify(problem.replaced(epsilon=f"{known.exact}-1/1000000")).refuted
    found = loss(problem).epsilon_star
    low, high = mpmath.mpf(found.lower), mpmath.mpf(found.upper)
    assert high - low < 1e-9
    assert abs(high - mpmath.mpf(known.printed)) < 0.005  # printed to two places
    for estimate in known.estimates:
        assert not low <= mpmath.mpf(estimate) <= high


def test_the_estimates_fall_on_both_sides() -> None:
    """Below the exact loss they promise too much, above it they refuse what is private."""
    exact = {"one-time RAPPOR": 8 * mpmath.log(mpmath.mpf(21) / 19),
             "truncated geometric": mpmath.log(mpmath.mpf(9) / 8)}  # fmt: skip
    below = [mpmath.mpf(e) < exact[n] for n, known in KNOWN.items() for e in known.estimates]
    assert set(below) == {True, False}
    assert exact["one-time RAPPOR"] > mpmath.mpf(KNOWN["one-time RAPPOR"].printed)

"""A worked example: how to add a step after the noise that never decreases.

The toy is a clamp with one end. It is its cuts and what becomes of the parts between them: cells,
arrays, kept densities and what lies far out follow for every noise, and no chain of steps has to
learn of it. Two files are touched:

1. pfverify/model/steps/limits.py: the class below;
2. pfverify/model/steps/kinds.py: its row in STEPS. Files, the schema and digests come with that.

The kernel knows its own steps alone: a new one is malformed until its reader says the same.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from support.kernel_run import accepted_certificate

from pfverify import (
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    InputError,
    Laplace,
    Problem,
    TruncatedLaplace,
    certify,
    loss,
)
from pfverify.edge.views.data import as_data
from pfverify.exact.argument import Number
from pfverify.exact.number import rational
from pfverify.model.keys import Key
from pfverify.model.steps import kinds
from pfverify.model.steps.limits import CutStep
from pfverify.model.steps.places import Cut

# ------------------------------------------ file 1: model/steps/limits.py


class Raise(CutStep):
    """Numbers below `low` become it."""

    key = "raise"
    keys = (Key("low", needed=True),)
    low: Fraction

    def __init__(self, low: Number) -> None:
        self._keep(low=rational(low, "low"))
        self._keep_parts([Cut(self.low, after=True)], [self.low, None])

    @property
    def words(self) -> str:
        return f"raise to {self.low}"


# ------------------------------------------------------------------------------- the tests


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 2."""
    monkeypatch.setitem(kinds.STEPS, "raise", Raise)


POINTS = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({1: "1/4", 2: "3/4"})}
NORMALS = {"a": Gaussian(0, variance=1), "b": Gaussian(1, variance=2)}
FAR = Fraction(10**6)
TOY, CLAMP, LONG = {"raise": {"low": "1/2"}}, {"clamp": ["1/2", FAR]}, {"round": {"to": "1/8"}}
CHAINS = {
    "alone": [], "rounded": [{"round": {"to": 1}}], "hidden": [{"threshold": {"at": 1}}],
}  # fmt: skip


def problem(post: list[Any], priors: Any, noise: Any, delta: str = "0") -> Problem:
    return Problem(priors, noise=noise, post=post, epsilon="1/2", delta=delta)


def test_what_is_not_registered_is_no_step() -> None:
    with pytest.raises(InputError, match="unknown key 'raise'"):
        problem([TOY], POINTS, Laplace(1))


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("delta", ["0", "1/10"])
@pytest.mark.parametrize("after", CHAINS)
@pytest.mark.parametrize(("priors", "noise"), [
    pytest.param(POINTS, Laplace(1), id="laplace"),
    pytest.param(POINTS, DiscreteLaplace(2), id="discrete-laplace"),
    pytest.param(POINTS, TruncatedLaplace(1, 3), id="truncated-laplace"),
    pytest.param(POINTS, DiscreteGaussian(1), id="discrete-gaussian"),
    pytest.param(NORMALS, Laplace(1), id="normal-laws"),
])  # fmt: skip
def test_in_one_row_it_is_read_and_decided(
    priors: Any, noise: Any, after: str, delta: str
) -> None:
    """Where the end is far out, a clamp says the same, within what noise has there."""
    asked, same = (
        problem([step, *CHAINS[after]], priors, noise, delta) for step in (TOY, CLAMP)
    )
    assert Problem.from_text(asked.to_toml()) == asked != same
    assert certify(asked).verdict == certify(same).verdict
    for ours, theirs in zip(loss(asked).pairs, loss(same).pairs, strict=True):
        for one, other in ((ours.epsilon_star, theirs.epsilon_star), (ours.delta, theirs.delta)):
            assert (one is None) == (other is None)
            if one is not None and other is not None and one.upper != "inf":
                assert float(one.upper) == pytest.approx(float(other.upper), abs=1e-9)


@pytest.mark.usefixtures("registered")
def test_many_outputs_are_decided_in_arrays() -> None:
    law = {
        name: Discrete(counts={x: 1 + (x * times) % 7 for x in range(60)})
        for name, times in (("a", 2), ("b", 3))
    }
    found, expected = (
        as_data(loss(problem([step, LONG], law, Laplace(5)))) for step in (TOY, CLAMP)
    )
    assert found.pop("assumed") != expected.pop("assumed")
    assert found["pairs"] == expected["pairs"]


@pytest.mark.usefixtures("registered")
def test_the_kernel_takes_none_but_its_own() -> None:
    asked = problem([TOY], POINTS, Laplace(1))
    stated, known = asked.to_table(), problem([CLAMP], POINTS, Laplace(1))
    word, message = accepted_certificate(stated, asked, certify(known))[1:]
    assert (word, "a step of post must be one of clamp" in message) == ("malformed", True), message

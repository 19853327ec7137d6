"""The grid of two laws of points as a normal form: where the ratio is largest, and both sums."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core.box import Boxed
from core.coordinates import Rows
from core.grammar import Malformed
from core.grid import KIND, BoxDifference
from core.rules import Goal, Rejected
from core.shapes import parse
from core.work import Check
from core.zero import constant
from mpmath import exp, log, mpf, nstr

F = Fraction


def rows_of(*masses: tuple[int, str]) -> Rows:
    """Points (x, 0)."""
    return tuple(((F(x), F(0)), F(m)) for x, m in masses)


def difference(
    p: Rows, q: Rows, epsilon: str = "0", delta: str = "0", bits: int = 64, **said: Any
) -> BoxDifference:
    rates = constant(F(1)), constant(F(1))
    laws = Boxed(p, rates, None), Boxed(q, rates, None)
    numbers = parse(epsilon), parse(delta)
    goal = Goal(("", "a", "b"), *laws, *numbers, "events", None, KIND, False, Check(0))
    return BoxDifference(goal, {"bits": bits, **said})


NEAR = mpf(10) ** -12


def test_the_ratio_at_a_place_far_from_most_mass() -> None:
    """There both laws are below 2^-400; the loss is log 2 there, and less elsewhere."""
    p, q = rows_of((0, "1/2"), (200, "1/2")), rows_of((0, "3/4"), (200, "1/4"))
    tiny = exp(mpf(-200))
    loss = log((1 + tiny) / (mpf(1) / 2 + 3 * tiny / 2))
    for part, said in ((NEAR, None), (-NEAR, "the ratio at (200, 0) is not bounded")):
        assert difference(p, q, nstr(loss * (1 + part), 40)).positive() == said
    # as little at 300 as comes there from 0, which 64 bits of what is at 0 do not tell from nothing
    p, q = rows_of((0, "1"), (300, f"1/{int(exp(mpf(300)))}")), rows_of((0, "1"))
    for epsilon, said in (("0.7", None), ("0.69", "the ratio at (300, 0) is not bounded")):
        assert difference(p, q, epsilon).positive() == said


def test_ties_increase() -> None:
    p, q = rows_of((0, "1/2"), (1, "1/2")), rows_of((0, "1/2"), (1, "1/2"))
    assert difference(p, q, ties=[["0", "0"], ["1", "0"]]).positive() is None
    for ties in ([["0", "0"], ["0", "0"]], [["1", "0"], ["0", "0"]]):
        with pytest.raises(Malformed, match="ties must increase"):
            difference(p, q, ties=ties).positive()


def test_both_sums_of_a_divergence() -> None:
    """Of two points at a distance of 2, with a cut where no law exceeds the other: 1 - 1/e."""
    p, q = rows_of((0, "1")), rows_of((2, "1"))
    top = 1 - exp(mpf(-1))
    cut: dict[str, Any] = {"cuts": [["1"], []]}
    for part in (NEAR, -NEAR):
        bound = difference(p, q, "0", nstr(top * (1 + part), 40), **cut)
        if part > 0:
            bound.require_area()
            assert bound.facts == {"F42b"}
        else:
            with pytest.raises(Rejected, match="the upper sum is not bounded by delta"):
                bound.require_area()
            assert bound.facts == set()
        event = difference(p, q, "0", nstr(top - mpf("0.01"), 40), **cut)
        margin = F(nstr(mpf("0.01") * (1 - part), 40))
        if part > 0:
            event.require_on(margin)
            assert event.facts == {"F42b"}
        else:
            with pytest.raises(Rejected, match="no such margin is proved for the cells"):
                event.require_on(margin)
            assert event.facts == set()

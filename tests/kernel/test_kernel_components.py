"""Couplings of the components of two mixtures: what masses there may be, and of whom."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import smooth_cases as sc
from core.components import components
from core.rules import Rejected
from core.smooth import Normals

PLAN = [[0, 0, "1/4"], [0, 1, "1/4"], [1, 1, "1/2"]]


def goal() -> Normals:
    """Of two components each, all within epsilon of each other."""
    p = sc.mixture(("1/2", 0, 1), ("1/2", 2, 1))
    q = sc.mixture(("1/4", 0, 1), ("3/4", 1, 1))
    return sc.goals(sc.problem(p, q, 9, 0, 1))[0]


def refused(what: Normals, plan: list[Any]) -> str:
    with pytest.raises(Rejected) as found:
        components(what, sc.step("components", plan=plan))
    return str(found.value)


def test_masses_are_positive_though_lines_sum() -> None:
    assert components(goal(), sc.step("components", plan=PLAN)) == {"F8", "MIX"}
    for plan in (
        [*PLAN, [1, 0, "0"]],
        [[1, 0, "0"], *PLAN],
        [[0, 0, "1/2"], [0, 1, "0"], [1, 0, "-1/4"], [1, 1, "3/4"]],
        [[0, 0, "9/4"], [0, 1, "-7/4"], [1, 0, "-2"], [1, 1, "5/2"]],
        [[0, 0, "3/8"], [0, 1, "1/8"], [1, 0, "-1/8"], [1, 1, "5/8"]],
    ):
        assert refused(goal(), plan) == "a mass of the plan is not positive"


def test_lines_sum_to_their_weights() -> None:
    for plan, said in (
        (PLAN[:2], "row 1"),
        (PLAN[1:], "row 0"),
        ([[0, 1, "1/2"], [1, 1, "1/2"]], "column 0"),
        ([[0, 0, "1/2"], [1, 1, "1/2"]], "column 0"),
    ):
        assert refused(goal(), plan) == f"the {said} of the plan does not sum to its weight"


def test_no_row_has_no_component() -> None:
    one = goal()
    for p, q in ((Fraction(1, 2), 0), (0, Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2))):
        left, right = (law._replace(nothing=Fraction(x)) for law, x in ((one.P, p), (one.Q, q)))
        assert refused(one._replace(P=left, Q=right), PLAN) == "no row has no component"

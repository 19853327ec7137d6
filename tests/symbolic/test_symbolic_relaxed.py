"""The relaxed polynomial: three forms that agree, and the scales of calibrate as its roots."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
import sympy
from support import oracles, problems
from support.examples import small_examples
from support.latex_grammar import assert_latex

from pfverify.answers.calibrate import calibrate
from pfverify.edge.packaged import load_example
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, precision
from pfverify.exact.number import Number, number
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.scales.plan_line import PlanLine
from pfverify.symbolic.plans import PlanMatrix, plan_matrix
from pfverify.symbolic.relaxed import (
    RelaxedLine,
    one_distance_scale,
    relaxed_columns,
    relaxed_rows,
    root_relation,
)
from pfverify.symbolic.translate import to_ball, to_number


def middle(ball: Ball) -> object:
    return oracles.mpf(ball.raw.mid().str(75, radius=False))


def lines_of(plan: PlanMatrix, epsilon: object | None = None) -> list[RelaxedLine]:
    return [*relaxed_columns(plan, epsilon), *relaxed_rows(plan, epsilon)]


def plans() -> list[PlanMatrix]:
    rng = Random("symbolic relaxed")
    found = []
    for kind in ("lattice", "rational", "negative") * 4:
        p, q = oracles.random_pair(rng, kind, 6)
        found.append(plan_matrix(Discrete(p), Discrete(q)))
    return found


def packaged_plans(name: str) -> list[PlanMatrix]:
    return [
        plan_matrix(pair.first_prior, pair.second_prior)
        for pair in load_example(name).questions()
    ]


def test_the_three_forms_are_the_direct_sum() -> None:
    rng = Random("relaxed forms")
    for plan in plans():
        for line in lines_of(plan):
            theta, epsilon = Fraction(rng.randint(1, 60), 7), Fraction(rng.randint(0, 20), 9)
            direct = sum(
                oracles.real(mass)
                * (
                    oracles.ctx.exp(oracles.real(abs(x - other)) / oracles.real(theta))
                    - oracles.ctx.exp(oracles.real(epsilon))
                )
                for x, other, mass in plan.edges()
                if line.atom == (other if line.kind == "column" else x)
            )
            t = f"exp({1 / theta})"
            found = [
                line.in_t().value(t=t, epsilon=epsilon, bits=250),
                line.in_theta().value(theta=theta, epsilon=epsilon, bits=250),
            ]
            assert_latex(line.in_t().latex)
            assert_latex(line.in_theta().latex)
            if line.step is not None:
                u = Number.parse(f"exp({line.step / theta})")
                values = {"u": u, "epsilon": number(epsilon)}
                with precision(250):
                    found.append(to_ball(line.polynomial().as_expr(), values))
            for value in found:
                assert abs(middle(value) - direct) <= (abs(direct) + 1) * oracles.CLOSE
            relation = root_relation().value(theta=theta, bits=200)
            with precision(200):
                assert relation.raw.overlaps(number(t).ball().raw)


def worst(lines: list[RelaxedLine], scale: Fraction) -> Ball:
    """The largest f of the lines at a scale."""
    largest = None
    for line in lines:
        value = line.in_theta().value(theta=scale, bits=200)
        largest = value if largest is None else Ball(largest.raw.max(value.raw))
    assert largest is not None
    return largest


def check_scale(plan: PlanMatrix, problem: Problem) -> int:
    """The decimal of calibrate holds for every line; one unit less fails for one of them."""
    methods, checked = calibrate(problem).methods, 0
    for name, build in (("relaxed_columns", relaxed_columns), ("relaxed_rows", relaxed_rows)):
        lines = list(build(plan, problem.epsilon))
        scale = Fraction(methods[name].scale)
        if scale == 0:
            assert all(line.step is None for line in lines)
            continue
        assert not worst(lines, scale).raw > 0
        assert worst(lines, scale * (1 - Fraction(1, 10**10))).raw > 0
        checked += 1
    return checked


@pytest.mark.parametrize("name", [n for n in small_examples() if n != "tie-delta"])
def test_packaged_scales_are_the_roots(name: str) -> None:
    problem = load_example(name)
    for plan in packaged_plans(name):
        assert check_scale(plan, problem) == 2


def test_random_scales_are_the_roots() -> None:
    rng = Random("relaxed roots")
    checked = 0
    for plan in plans():
        p, q = plan.row_sums(), plan.column_sums()
        epsilon = rng.choice(["1/10", "1", "log(3)", "5/2"])
        checked += check_scale(plan, problems.problem(p, q, 1, epsilon))
    assert checked > 15


def test_one_root_beyond_one_by_sturm() -> None:
    """E rational: sympy counts the roots u > 1 exactly, and there is one for every moving line."""
    counted = 0
    for name in ("census", "bank", "simulation-2"):
        for plan in packaged_plans(name):
            for line in lines_of(plan, "log(5/2)"):
                if line.step is None:
                    continue
                polynomial = line.polynomial()
                assert polynomial.domain.is_QQ
                assert polynomial.count_roots(1, None) == 1
                assert polynomial.eval(1) == sum(m for _, m in line.masses) * (
                    1 - sympy.Rational(5, 2)
                )
                # the certified root, turned into a scale, is where the line is tight
                ((low, high),) = [
                    interval
                    for interval, _ in polynomial.intervals(eps=sympy.Rational(1, 10**20))
                    if interval[0] > 1
                ]
                ends = [Fraction(int(end.p), int(end.q)) for end in (low, high)]
                signs = [polynomial.eval(end) for end in (low, high)]
                assert signs[0] <= 0 <= signs[1]
                assert ends[1] - ends[0] <= Fraction(1, 10**20)
                counted += 1
    assert counted > 20


def test_ties_at_the_root_are_exact() -> None:
    """One distance: at the closed form f is exactly 0 in t, for log and for plain epsilon."""
    for distance, epsilon in ((3, "log(3)"), ("1/2", "2/7"), (1, "1")):
        (line,) = relaxed_columns(plan_matrix(Discrete({0: 1}), Discrete({distance: 1})), epsilon)
        # t**distance = e**epsilon
        rate = number(epsilon) / number(distance)
        f = line.in_t().expression
        assert to_number(f, {"t": rate.exp()}).sign() == 0
        less = (rate - number("1e-30")).exp()
        assert to_number(f, {"t": less}).sign() == -1


def test_one_distance_is_the_closed_form_of_scales() -> None:
    checked = 0
    for plan in [*plans(), *packaged_plans("student"), *packaged_plans("simulation-2")]:
        for line in lines_of(plan):
            moved = [(distance, mass) for distance, mass in line.masses if distance]
            if len(moved) != 1:
                continue
            ((h, a),) = moved
            b = dict(line.masses).get(Fraction(0), Fraction(0))
            whole = (a + b).denominator * a.denominator
            unit = Fraction(1, h.denominator)
            other = PlanLine(tuple((int(d / unit), int(m * whole)) for d, m in line.masses))
            for epsilon in ("1/3", "log(2)"):
                expected = other.closed_form(number(epsilon), unit)
                value = one_distance_scale().value(a=a, b=b, h=h, epsilon=epsilon, bits=200)
                assert expected is not None
                with precision(200):
                    assert value.raw.overlaps(expected.ball().raw)
                    assert (value - expected.ball()).raw.rad() < 1e-40
                # and it is a zero of f
                f = line.in_theta()
                low, high = (
                    Fraction(value.raw.mid().str(30, radius=False)) * (1 + s * Fraction(1, 10**25))
                    for s in (-1, 1)
                )
                assert f.value(theta=low, epsilon=epsilon).raw > 0
                assert f.value(theta=high, epsilon=epsilon).raw < 0
            checked += 1
    assert checked > 10


@pytest.mark.parametrize(
    ("values", "condition"),
    [
        ({"epsilon": 0, "a": 1, "b": 1, "h": 1}, "epsilon > 0"),
        ({"epsilon": 1, "a": 0, "b": 1, "h": 1}, "a > 0"),
        ({"epsilon": 1, "a": 1, "b": "-1e-9", "h": 1}, "b >= 0"),
        ({"epsilon": 1, "a": 1, "b": 0, "h": 0}, "h > 0"),
    ],
)
def test_one_distance_refuses_by_name(values: dict[str, object], condition: str) -> None:
    with pytest.raises(InputError, match=condition):
        one_distance_scale().value(**values)
    assert_latex(one_distance_scale().latex)


def test_edges_of_the_conditions() -> None:
    (line,) = relaxed_columns(plan_matrix(Discrete({0: 1}), Discrete({2: 1})))
    f = line.in_t()
    assert f.parameters == ("epsilon", "t")
    # t = 1, epsilon = 0: the limit of large scales is a tie
    assert f.value(t=1, epsilon=0).ends() == ((0, 0), (0, 0))
    for values, condition in (
        ({"t": "1-1e-50", "epsilon": 0}, "t >= 1"),
        ({"t": 1, "epsilon": "-1e-50"}, "epsilon >= 0"),
    ):
        with pytest.raises(InputError, match=condition):
            f.value(**values)
    for theta in (0, "-1"):
        with pytest.raises(InputError, match="theta > 0"):
            line.in_theta().value(theta=theta, epsilon=1)
        with pytest.raises(InputError, match="theta > 0"):
            root_relation().value(theta=theta)
    with pytest.raises(InputError, match="epsilon"):
        relaxed_columns(plan_matrix(Discrete({0: 1}), Discrete({2: 1})), -1)
    assert_latex(root_relation().latex)


def test_lines_without_moved_mass_and_of_huge_degree() -> None:
    same = Discrete({0: "1/2", 5: "1/2"})
    for line in lines_of(plan_matrix(same, same)):
        assert line.step is None
        with pytest.raises(InputError, match="no mass moves"):
            line.polynomial()
        assert line.in_theta().value(theta="1/100", epsilon="1/9").raw < 0
    wide = plan_matrix(Discrete({0: "1/2", 20001: "1/2"}), Discrete({20002: 1}))
    (line,) = relaxed_columns(wide)
    assert line.step == 1
    with pytest.raises(InputError, match="degree 20002"):
        line.polynomial()
    assert line.in_theta().value(theta=10000, epsilon=1).raw > 0


def test_steps_and_lines_sort() -> None:
    plan = plan_matrix(Discrete({0: "1/2", "1/2": "1/2"}), Discrete({"5/4": 1}))
    (column,) = relaxed_columns(plan)
    assert column.step == Fraction(1, 4)
    assert column.masses == ((Fraction(3, 4), Fraction(1, 2)), (Fraction(5, 4), Fraction(1, 2)))
    assert column.polynomial().degree() == 5
    for found in (relaxed_columns, relaxed_rows):
        atoms = [line.atom for line in found(plans()[0])]
        assert all(a < b for a, b in pairwise(atoms))
    even = relaxed_columns(plan_matrix(Discrete({0: "1/2", 2: "1/2"}), Discrete({6: 1})))[0]
    assert even.step == 2
    assert str(even.polynomial().as_expr()) == "u**3/2 + u**2/2 - exp(epsilon)"
    rows = relaxed_rows(plan)
    assert [line.atom for line in rows] == [0, Fraction(1, 2)]
    assert [line.kind for line in rows] == ["row", "row"]
    (documented,) = relaxed_columns(plan_matrix(Discrete({0: 1}), Discrete({2: 1})))
    assert str(documented.in_t().expression) == "t**2 - exp(epsilon)"

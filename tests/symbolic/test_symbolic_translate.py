"""Sympy trees read by the exact layer: values, ties, undecided comparisons, refusals."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
import sympy
from support import oracles

from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, precision
from pfverify.exact.number import Number, number
from pfverify.exact.search import UndecidedError
from pfverify.symbolic.translate import decide, from_fraction, from_number, to_ball, to_number

X, Z = sympy.Symbol("x", real=True), sympy.Symbol("z", real=True)
TEXTS = [
    "1/3", "-7/2", "log(3)", "3/log(3)", "1/log((exp(1)-1/2)/(1/2))", "exp(1)/2", "-exp(-1/4)+1",
    "log(6/5)*log(2)", "3/(1/2-2*log(9/10))", "exp(log(3)/2)", "1/(2*log(7))-exp(2/3)", "2-log(2)",
    "log(1/1000000007)", "exp(1/3)*exp(1/6)", "1/(1/log(3))", "-(log(2)-2)",
]  # fmt: skip


def overlap(a: Ball, b: Ball) -> bool:
    return bool(a.raw.overlaps(b.raw)) and (a - b).raw.rad() < 1e-25


@pytest.mark.parametrize("text", TEXTS)
def test_numbers_survive_the_way_through_sympy(text: str) -> None:
    value = number(text)
    expression = from_number(value)
    back = to_number(expression, {})
    with precision(200):
        assert overlap(value.ball(), to_ball(expression, {}))
        assert overlap(value.ball(), back.ball())
        assert not overlap(value.ball(), to_ball(expression + sympy.Rational(1, 10**20), {}))
    assert (back - value).sign() in (0, None)


def test_a_number_of_600_digits_is_not_factored() -> None:
    big = number(f"log({10**600 + 7})/2")
    with precision(128):
        ratio = big.exp().ball() / to_ball(from_number(big.exp()), {})
        assert overlap(ratio, Ball(1))


def random_tree(rng: Random, depth: int) -> tuple[object, object]:
    """A sympy expression in x and z, and the same value for mpmath at x = 3/7, z = log 2."""
    if depth == 0:
        kind = rng.randint(0, 2)
        if kind == 0:
            value = Fraction(rng.randint(-9, 9), rng.randint(1, 5))
            return from_fraction(value), oracles.real(value)
        return (X, oracles.real(Fraction(3, 7))) if kind == 1 else (Z, oracles.ctx.log(2))
    (a, u), (b, v) = random_tree(rng, depth - 1), random_tree(rng, depth - 1)
    kind = rng.randint(0, 6)
    if kind == 0:
        return a + b, u + v
    if kind == 1:
        return a * b, u * v
    if kind == 2:
        return sympy.exp(a / 9), oracles.ctx.exp(u / 9)
    if kind == 3:
        return sympy.Abs(a), abs(u)
    if kind == 4:
        return sympy.Max(a, b), max(u, v)
    if kind == 5:
        return sympy.Min(a, b), min(u, v)
    return sympy.log(1 + a**2), oracles.ctx.log(1 + u**2)


@pytest.mark.parametrize("count", [50, pytest.param(150, marks=pytest.mark.long)])
def test_random_trees_have_the_values_of_mpmath(count: int) -> None:
    rng = Random("symbolic trees")
    values = {"x": number("3/7"), "z": number("log(2)")}
    exact = 0
    for _ in range(count):
        tree, value = random_tree(rng, 3)
        with precision(220):
            ball = to_ball(tree, values)
            assert abs(oracles.mpf(ball.raw.mid().str(70, radius=False)) - value) < (
                abs(value) + 1
            ) * oracles.CLOSE
            try:
                other = to_number(tree, values).ball()
            except (InputError, UndecidedError):
                continue
        exact += 1
        assert ball.raw.overlaps(other.raw)
    assert exact > count / 2


@pytest.mark.parametrize(
    ("relation", "values", "answer"),
    [
        (X < 3, {"x": "3"}, "no"),
        (X <= 3, {"x": "3"}, "yes"),
        (X < 3, {"x": "3-1e-90"}, "yes"),
        (X > 3, {"x": "3+1e-90"}, "yes"),
        (X >= 3, {"x": "3-1e-90"}, "no"),
        (sympy.Eq(sympy.exp(X), 3), {"x": "log(9)/2"}, "yes"),
        (sympy.Eq(sympy.exp(X), 3), {"x": "log(9)/2+1e-70"}, "no"),
        (sympy.Ne(sympy.exp(X), 3), {"x": "log(9)/2"}, "no"),
        (sympy.exp(X) * sympy.exp(Z) > sympy.Rational(6), {"x": "log(2)", "z": "log(3)"}, "no"),
        (sympy.And(X < 3, Z < 2), {"x": "2", "z": "2"}, "no"),
        (sympy.Or(X < 3, Z < 2), {"x": "2", "z": "2"}, "yes"),
        (sympy.Or(X < 3, Z < 2), {"x": "3", "z": "2"}, "no"),
        (sympy.Not(sympy.Contains(X, sympy.S.Integers)), {"x": "1/2"}, "yes"),
        (sympy.Contains(X / 2, sympy.S.Integers), {"x": "log(exp(4))"}, "yes"),
        (sympy.Contains(X, sympy.S.Integers), {"x": "log(9)/log(3)"}, "yes"),
        (sympy.Contains(X, sympy.S.Integers), {"x": "log(9)/log(3)+1e-80"}, "no"),
        (sympy.Contains(X, sympy.S.Integers), {"x": "log(2)"}, "no"),
        (sympy.Contains(X, sympy.S.Integers), {"x": "-5"}, "yes"),
        # 0 times a number outside the exact classes is 0
        (X * (sympy.exp(Z) - 1) > 0, {"x": "0", "z": "1/log(3)"}, "no"),
        ((sympy.exp(Z) - 1) * X >= 0, {"x": "0", "z": "1/log(3)"}, "yes"),
        (sympy.true, {}, "yes"),
        (sympy.false, {}, "no"),
        # outside the exact classes: log 2 log 3 against itself, written with log 4
        (X < Z, {"x": "log(2)*log(3)", "z": "log(4)*log(3)/2"}, "unknown"),
        (sympy.And(X < Z, X > 5), {"x": "log(2)*log(3)", "z": "log(4)*log(3)/2"}, "no"),
        (sympy.Or(X < Z, X < 5), {"x": "log(2)*log(3)", "z": "log(4)*log(3)/2"}, "yes"),
        (
            sympy.Contains(X, sympy.S.Integers),
            {"x": "2*log(2)*log(3)-log(4)*log(3)+1"},
            "unknown",
        ),
    ],
)
def test_relations_are_decided_exactly(
    relation: object, values: dict[str, str], answer: str
) -> None:
    exact = {name: number(text) for name, text in values.items()}
    assert decide(relation, exact) is Answer(answer)


def test_an_undecided_branch_is_no_guess() -> None:
    same = {"x": number("log(2)*log(3)"), "z": number("log(4)*log(3)/2")}
    steps = sympy.Piecewise((1, X < Z), (2, True), evaluate=False)
    for read in (to_ball, to_number):
        with pytest.raises(UndecidedError, match="x < z"):
            read(steps, same)
    with pytest.raises(UndecidedError, match="larger"):
        to_number(sympy.Max(X, Z), same)
    # enclosures need no decision for a maximum: both are the same number
    with precision(128):
        assert overlap(to_ball(sympy.Max(X, Z), same), same["x"].ball())


def test_what_cannot_be_read_is_refused() -> None:
    for expression in (sympy.sin(X), sympy.EulerGamma * X, sympy.I, sympy.Float("0.1") * X):
        for read in (to_ball, to_number):
            with pytest.raises(InputError, match="cannot evaluate"):
                read(expression, {"x": number(1)})
    for expression in (sympy.pi * X, sympy.erfc(X), sympy.erfcinv(X), sympy.LambertW(X)):
        with pytest.raises(InputError, match="cannot evaluate"):
            to_number(expression, {"x": number("1/2")})
    with pytest.raises(InputError, match="x: missing"):
        to_ball(X, {})
    with pytest.raises(InputError, match="no branch"):
        to_ball(sympy.Piecewise((1, X < 0)), {"x": number(0)})
    with pytest.raises(InputError, match="expected a comparison"):
        decide(sympy.Contains(X, sympy.S.Naturals), {"x": number(0)})
    with pytest.raises(InputError, match="division by zero"):
        to_number(1 / X, {"x": number(0)})


def test_inner_trees_of_numbers_are_read_too() -> None:
    log = number("log(3)")
    assert from_number(Number(("1/", log.tree))) == 1 / sympy.log(3)
    assert from_number(Number(("-", log.tree))) == -sympy.log(3)


@pytest.mark.parametrize(
    "tree", [number(1).normal_cdf().tree, number(2).times_pi().tree, ("**", number(1).tree),
             ("+", number(1).tree), ("exp", number(1).tree, number(1).tree)],
)  # fmt: skip
def test_unknown_trees_of_numbers_are_refused(tree: tuple[object, ...]) -> None:
    with pytest.raises(InputError, match="not translated"):
        from_number(Number(tree))


def test_powers() -> None:
    values = {"x": number("3/2"), "z": number("log(5)")}
    for power in (-7, -1, 0, 1, 2, 31):
        expected = Fraction(3, 2) ** power
        assert to_number(X**power, values).fraction == expected
        with precision(128):
            assert to_ball(X**power, values).raw.contains(Ball(expected).raw.mid())
    root = to_number(X ** sympy.Rational(5, 2), values)
    assert (root * root - number(str(Fraction(3, 2) ** 5))).sign() == 0
    assert (to_number(sympy.Integer(2) ** Z, values).log() - number("log(2)*log(5)")).sign() in (
        0,
        None,
    )

"""`certify --explain --latex`: a fragment that TeX reads, and whose numbers are the verdict's."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise

import mpmath
import pytest
import sympy
from support.examples import discrete_examples, smooth_examples
from support.latex_grammar import assert_latex

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Gaussian,
    InputError,
    Laplace,
    Mixture,
    Problem,
    certify,
)
from pfverify.answers.outcome import CertifyResult
from pfverify.edge.cli import main
from pfverify.edge.latex import Fragment, fragment
from pfverify.edge.packaged import load_example
from pfverify.exact.ball import Ball
from pfverify.exact.enclosure import Enclosure
from pfverify.symbolic.divergence import divergence
from pfverify.symbolic.statement import Y

A, B = Discrete({0: "1/2", 2: "1/2"}), Discrete({0: "1/4", 1: "1/2", 3: "1/4"})
NARROW, WIDE = Gaussian(0, 1), Gaussian(1, 4)
MIXED = Mixture([{"weight": "1/2", "mean": 0, "variance": 1},
                 {"weight": "1/2", "mean": 2, "variance": 0}])  # fmt: skip
OWN = {
    f"{name} {form} {delta}": Problem(priors, noise=noise, epsilon=epsilon, delta=delta, form=form)
    for name, priors, noise, epsilon in (
        ("atoms", {"a": A, "b_%": B}, Laplace(2), "1/2"),
        ("logs", {"a": A, "b": B}, Laplace("2/log(3)"), "log(3)"),
        ("lattice", {"a": A, "b": B}, DiscreteLaplace("3/2", 1), "1/3"),
        ("normals", {"a": NARROW, "b": WIDE}, Laplace(2), "1/2"),
        ("mixed", {"a": NARROW, "b": MIXED}, Laplace(2), 1),
        ("atoms and normal", {"a": A, "b": WIDE}, Laplace(2), "1/2"),
        ("interior", {"a": NARROW, "b": Gaussian(0, 4)}, Laplace(20), "1/100"),
    )
    for form in ("events", "pointwise")
    for delta in (0, "1/50")
}
CROWD = "students-mean"  # megabytes of formulas, which take half a minute: in the batteries
PACKAGED = [
    pytest.param(name, marks=pytest.mark.long if name == CROWD else ())
    for name in (*discrete_examples(), *smooth_examples()) if name != "laplace-or-gaussian"
]  # fmt: skip


@cache
def asked(name: str) -> Problem:
    return OWN[name] if name in OWN else load_example(name)


@cache
def answered(name: str) -> tuple[CertifyResult, Fragment]:
    result = certify(asked(name))
    return result, fragment(asked(name), result)


def ends(ball: Ball) -> tuple[Fraction, Fraction]:
    found = ball.ends()
    assert found is not None
    low, high = (mantissa * Fraction(2) ** power for mantissa, power in found)
    return low, high


def inside(ball: Ball, enclosure: Enclosure) -> bool:
    """Whether a narrow ball lies in an enclosure, or around an end that is the number itself."""
    (low, high), slack = ends(ball), Fraction(1, 10**15)
    return Fraction(enclosure.lower) - slack <= low <= high <= Fraction(enclosure.upper) + slack


@pytest.mark.parametrize("name", [*PACKAGED, *OWN])
def test_every_display_is_latex(name: str) -> None:
    comment, *displays = answered(name)[1].lines
    assert comment.startswith("% ")
    assert len(displays) == 4
    for display in displays:
        assert display.startswith("\\[ ")
        assert display.endswith(" \\]")
        assert_latex(display[3:-3])


@pytest.mark.parametrize("name", [*PACKAGED, *OWN])
def test_the_printed_expression_is_worth_what_is_printed(name: str) -> None:
    result, shown = answered(name)
    value, worst = shown.stated.value, result.pairs[0]
    found = worst.loss if result.delta == "0" else worst.delta
    assert found is not None
    if value is None:  # the enclosure is all there is
        assert str(found.lower) in shown.lines[4]
        return
    assert inside(value.value(bits=300), found)
    assert sympy.latex(value.expression) in shown.lines[3]
    for end in {found.lower, found.upper}:
        assert str(end).partition("e")[0] in shown.lines[4]


def test_where_a_closed_form_is_stated() -> None:
    stated = {name for name in OWN if answered(name)[1].stated.value is not None}
    expected = {f"{kind} {form} 0" for kind in ("atoms", "logs", "lattice")
                for form in ("events", "pointwise")}  # fmt: skip
    expected |= {f"{kind} pointwise 1/50" for kind in ("atoms", "logs", "lattice")}
    expected |= {f"normals {form} 0" for form in ("events", "pointwise")}
    assert expected <= stated
    assert not {name for name in stated if name.startswith("interior")}


def function(name: str, which: int):
    expression = answered(name)[1].stated.laws[which].expression
    return sympy.lambdify(Y, expression, "mpmath")


@pytest.mark.parametrize("name", [name for name in OWN if name.endswith("events 1/50")])
def test_the_printed_integral_is_the_divergence(name: str) -> None:
    """The integrand between its sign changes, at 30 digits; on a lattice its sum."""
    problem, (result, _) = asked(name), answered(name)
    found = result.pairs[0].delta
    assert found is not None
    p, q = function(name, 0), function(name, 1)
    with mpmath.workdps(30):
        growth = mpmath.exp(mpmath.mpf(str(sympy.N(_number(problem.epsilon.text), 40))))

        def gap(y: object) -> object:
            return p(mpmath.mpf(y)) - growth * q(mpmath.mpf(y))

        if problem.noise.step is not None:
            total = mpmath.fsum(max(0, gap(y)) for y in range(-200, 200))
        else:
            grid = [mpmath.mpf(k) / 8 for k in range(-800, 801)]
            cuts = [grid[0]]
            for a, b in pairwise(grid):
                if a == int(a) and (abs(a) < 20 or a % 10 == 0):
                    cuts.append(a)
                if gap(a) * gap(b) < 0:
                    cuts.append(mpmath.findroot(gap, (a, b), solver="anderson"))
            cuts.append(grid[-1])
            total = mpmath.quad(lambda y: max(0, gap(y)), sorted(set(cuts)))
        assert float(found.lower) - 1e-11 <= total <= float(found.upper) + 1e-11


def _number(text: str) -> object:
    return {"1/2": sympy.Rational(1, 2), "1/3": sympy.Rational(1, 3), "log(3)": sympy.log(3),
            "1": sympy.Integer(1), "1/100": sympy.Rational(1, 100)}[text]  # fmt: skip


@pytest.mark.parametrize("name", ["normals events 0", "mixed pointwise 1/50", "lattice events 0"])
def test_the_laws_are_laws(name: str) -> None:
    for which in (0, 1):
        law = function(name, which)
        if asked(name).noise.step is not None:
            total = mpmath.fsum(law(mpmath.mpf(y)) for y in range(-120, 120))
        else:
            total = mpmath.quad(law, [-80, -10, -3, 0, 1, 2, 3, 10, 80])
        assert abs(total - 1) < 1e-9


def test_the_other_order_is_worth_something_else() -> None:
    result = answered("atoms events 0")[0]
    worst = result.pairs[0]
    other = divergence(asked("atoms events 0"), worst.belief, worst.to, worst.from_, worst.worst_y)
    assert other.value is not None
    assert not inside(other.value.value(), worst.loss)


def test_the_relation_is_the_verdict() -> None:
    tie = fragment(load_example("tie-point-masses"), certify(load_example("tie-point-masses")))
    assert tie.lines[-1].endswith("D_{\\infty} = \\epsilon = \\log{\\left(3 \\right)} \\]")
    for scale, relation in (("1", ">"), ("4", "\\leq")):
        problem = Problem({"a": A, "b": B}, noise=Laplace(scale), epsilon="1/2")
        shown = fragment(problem, certify(problem))
        assert f"D_{{\\infty}} {relation} \\epsilon = \\frac{{1}}{{2}}" in shown.lines[-1]


def test_the_command_prints_the_fragment_alone(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["certify", "example:tie-delta", "--explain", "--latex"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert out.splitlines() == fragment(asked("tie-delta"), certify(asked("tie-delta"))).lines
    assert main([*arguments, "--delta", "0,1/10"]) == 1
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("%")] == [
        "% refuted: low against high", "% refuted: low against high",
    ]  # fmt: skip
    assert out.count("\\[") == out.count("\\]") == 8


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["example:census", "--latex"], "--latex: only with --explain"),
        (["example:census", "--explain", "--latex", "--json"], "--explain: not with --json"),
        (["example:census", "--explain", "--latex", "--grid", "5"], "--grid: not with --explain"),
        (["example:census", "--explain", "--latex", "--scale", "0"], "without noise"),
        (["example:laplace-or-gaussian", "--explain", "--latex"],
         "a gaussian prior with gaussian noise is not stated, expected laplace noise"),
    ],
)  # fmt: skip
def test_what_is_not_stated_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert main(["certify", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err


def test_a_new_kind_of_noise_is_refused() -> None:
    class Another(Laplace):
        kind = "another"

    problem = Problem({"a": A, "b": B}, noise=Laplace(1), epsilon=1)
    problem.__dict__["release"] = Another(1)
    with pytest.raises(InputError, match="discrete prior with another noise is not stated"):
        divergence(problem, "default", "a", "b")

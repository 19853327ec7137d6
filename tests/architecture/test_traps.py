"""The soundness traps that the design names, each as a test on the code or on the library."""

import ast
import contextlib
import io
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

import pfverify
from pfverify import Discrete, InputError, Laplace, Problem, certify
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, Raw, current_precision, precision

ROOT = Path(pfverify.__file__).parent


@pytest.fixture(scope="module")
def sources():
    """The syntax tree of every file of the package."""
    return {
        str(path.relative_to(ROOT)): ast.parse(path.read_text("utf-8"))
        for path in ROOT.rglob("*.py")
    }


def calls(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func
            yield name.id if isinstance(name, ast.Name) else getattr(name, "attr", None)


def test_mpmath_intervals_do_not_enclose_and_are_not_used(sources):
    """mpmath issue 1181: at 53 bits iv.exp(2**-42) ends below e**(2**-42)."""
    mpmath.iv.prec = 53
    upper = mpmath.mpf(mpmath.iv.exp(mpmath.mpf(2) ** -42)._mpi_[1])  # exact binary end
    with precision(200):
        exact = Ball(Fraction(1, 2**42)).exp()
        mantissa, exponent = upper.man_exp
        end = Ball(Fraction(mantissa) * Fraction(2) ** exponent)
        assert end.is_less(exact) is Answer.YES
    for name, tree in sources.items():
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert "iv" not in used, name


def test_nothing_executes_text(sources):
    forbidden = {"eval", "exec", "sympify", "parse_expr", "compile"}
    for name, tree in sources.items():
        found = forbidden & set(calls(tree))
        modules = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        assert "pickle" not in modules, name
        # re.compile is no execution of Python
        assert found <= {"compile"}, name


def test_no_check_hides_in_an_assert(sources):
    for name, tree in sources.items():
        assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree)), name


def test_the_precision_is_set_in_one_place_and_restored(sources):
    setters = [
        name
        for name, tree in sources.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AugAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Attribute) and target.attr == "prec"
    ]
    managers = [
        name
        for name, tree in sources.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("workprec", "extraprec")
    ]
    assert set(setters) | set(managers) == {"exact/ball.py"}
    before = current_precision()

    def failing():
        with precision(999):
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        failing()
    assert current_precision() == before


def test_an_undecided_comparison_has_no_truth_value():
    with precision(64):
        third = Ball(Fraction(1, 3))
        gap = third - third
        assert gap.is_positive() is Answer.UNKNOWN
        assert gap.is_negative() is Answer.UNKNOWN
        nan = Ball(Raw("nan"))
        assert nan.is_positive() is Answer.UNKNOWN
        assert nan.is_less(third) is Answer.UNKNOWN
    with pytest.raises(TypeError):
        bool(gap.is_positive())


def test_floats_are_refused_at_the_door():
    for build in (
        lambda: Laplace(0.5),
        lambda: Discrete({0: 0.5, 1: 0.5}),
        lambda: Discrete({0.5: 1}),
        lambda: Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=Laplace(1),
                        epsilon=0.1),
    ):
        with pytest.raises(InputError, match="float"):
            build()


def test_huge_sums_are_abbreviated_in_messages():
    table = {k: Fraction(1, 3**k) for k in range(9000, 9004)}
    with pytest.raises(InputError) as caught:
        Discrete(mass=table)
    assert len(str(caught.value)) < 300


def test_verdicts_are_the_same_under_optimisation():
    """-OO leaves out what -O does, and docstrings too."""
    code = (
        "from pfverify import *\n"
        "p = lambda s: Problem({'a': Discrete({0: 1}), 'b': Discrete({1: 1})},"
        " noise=Laplace(s), epsilon=1)\n"
        "print([certify(p(s)).verdict.value for s in ('1', '0.99', '1.01')])\n"
    )
    expected = "['certified', 'refuted', 'certified']\n"
    here = io.StringIO()
    with contextlib.redirect_stdout(here):
        exec(code, {})
    run = subprocess.run(
        [sys.executable, "-OO", "-c", code], capture_output=True, text=True, check=True
    )
    assert here.getvalue() == run.stdout == expected


def test_a_grid_never_certifies():
    from pfverify.answers.grid import grid_certify

    problem = Problem({"a": Discrete({0: 1}), "b": Discrete({0: 1})}, noise=Laplace(1), epsilon=1)
    assert grid_certify(problem, 5).verdict.value == "observed on a grid"
    assert certify(problem).verdict.value == "certified"

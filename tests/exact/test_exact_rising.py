"""Every loop of rising precision uses `rising`, which has an end."""

import ast
from pathlib import Path

import pytest

import pfverify
from pfverify.errors import UndecidedError
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.rising import MOST_BITS, rising

ROOT = Path(pfverify.__file__).parent


def loops():
    """The functions outside the kernel with a `while` loop that works with a precision."""
    for path in sorted(ROOT.rglob("*.py")):
        if "kernel" in path.parts:
            continue
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for loop in (node for node in ast.walk(function) if isinstance(node, ast.While)):
                names = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name)}
                if names & {"bits", "precision", "working"}:
                    yield f"{path.relative_to(ROOT).as_posix()}:{function.name}"


def test_rising_is_the_one_loop_of_rising_precision():
    assert list(loops()) == ["exact/rising.py:rising"]


def test_the_precisions_rise_to_the_last_and_then_the_reason_is_given():
    assert list(rising(64, 300)) == [64, 128, 256]
    assert list(rising(64, 10)) == [64]
    assert list(rising(100, 2000, factor=4)) == [100, 400, 1600]
    assert max(rising(64)) <= MOST_BITS
    with pytest.raises(UndecidedError, match="nothing is proved at 128 bits"):
        list(rising(64, 128, why="nothing is proved"))


def test_a_sum_known_not_to_be_zero_is_given_up_at_the_last_precision():
    tiny = ExpSum.constant(1) - ExpSum.power(Exponent.rational(1))
    assert tiny.sign() == -1
    near = ExpSum.power(Exponent.rational(-(10**7))) + ExpSum.constant(1) - ExpSum.constant(1)
    assert near.sign() == 1  # one term: no precision is needed

"""What mypy says to callers: exact numbers are taken in every shape, floats are refused, and no
result is true or false."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pfverify

TAKEN = '''\
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
from typing_extensions import assert_type

from pfverify import (
    CalibrateResult, CertifyResult, Directed, Discrete, DiscreteLaplace, Enclosure, Finite,
    Gaussian, GaussianNoise, InputError, Laplace, LossResult, Method, Minimum, Number, Problem,
    UndecidedError, Verdict, Witness, calibrate, certify, check, loss, oracle,
)
from pfverify.oracle.answers import Enclosed, Floats

Laplace(1), Laplace("0.5"), Laplace(Fraction(1, 2)), Laplace(Decimal("0.5")), Laplace(np.int64(2))
DiscreteLaplace("1/2", step=1), GaussianNoise(variance="2")
Discrete({0: "1/2", 1: "1/2"}), Discrete(counts={"0": 1, "1": 2}), Discrete({Fraction(1): 1})
Discrete(counts=[(0, 376), (1, 204)]), Discrete(counts=zip([0, 1], [2, 3]))
Discrete(counts=(np.array([0, 1]), np.array([2, 3]))), Finite({"a": "1/2", "b": "1/2"})
Discrete.from_arrays(np.array([0, 1]), [2, "3"])
Gaussian(0, sd="1/2")

def ask(problem: Problem, number: Number) -> list[Enclosure | None]:
    again = problem.replaced(epsilon=number, delta="1e-6", scale=2)
    result = certify(again)
    assert_type(result, CertifyResult)
    assert_type(loss("mine.toml"), LossResult)
    assert_type(calibrate(Path("mine.toml")), CalibrateResult)
    assert_type(result.verdict, Verdict)
    Laplace(calibrate(again).minimum.lower if False else "1"), Problem(
        {"a": Discrete({0: 1})}, noise=Laplace(result.scale), epsilon=result.epsilon)
    result.write("x.cert")
    rows = result.to_rows()
    assert rows[0]["loss_upper"] <= 1
    found: Witness | None = result.pairs[0].witness
    if found is not None and found.margin > Fraction(1, 10):
        raise UndecidedError(str(found.y))
    least: Minimum = calibrate(again).minimum
    if least <= 2 and least.upper < Decimal(3) and float(least) < 0.5:
        raise InputError(f"{least.upper:.3f}")
    methods: dict[str, Method] = calibrate(again).methods
    assert max(method.scale for method in methods.values()) > 0
    return [pair.loss for pair in result.pairs]

p, noise = Discrete({0: 1}), Laplace(1)
assert_type(oracle.density(p, noise, 0, scale=2), Enclosed)
assert_type(oracle.cdf(p, noise, [0, 1], nearest=True, digits=3), Floats)
assert_type(oracle.delta(p, p, noise, 1, both=True), Enclosed)
assert_type(oracle.tradeoff(p, p, noise, '1/2', nearest=True), Floats)
assert_type(oracle.scales(p, p, noise, 1), oracle.Scales)
'''

REFUSED = {  # name -> an expression that mypy has to refuse, and the code of its error
    "a float": ("Laplace(0.5)", "arg-type"),
    "a float step": ("DiscreteLaplace(1, step=0.5)", "arg-type"),
    "a float variance": ("GaussianNoise(variance=0.5)", "arg-type"),
    "float masses": ("Discrete({0: 0.5, 1: 0.5})", "arg-type"),
    "float counts": ("Discrete(counts=[(0, 1.5)])", "list-item"),
    "a float mean": ("Gaussian(0.5, 1)", "arg-type"),
    "a float mass of an input": ('Finite({"a": 0.5})', "arg-type"),
    "a float epsilon": ("Problem({}, epsilon=0.1)", "arg-type"),
    "a float delta": ("Problem({}, epsilon=1, delta=1e-6)", "arg-type"),
    "a float of numpy": ("Laplace(np.float64(0.5))", "arg-type"),
    "a replaced float": ('Problem.load("p").replaced(scale=0.5)', "arg-type"),
    "a density at no output": ("oracle.density(Discrete({0: 1}), Laplace(1))", "call-overload"),
    "a result that is text": ('certify("p").scale + "1"', "operator"),
}

SNIPPET = """\
from pfverify import certify, check, Problem

def decided(problem: Problem) -> int:
    result = certify(problem)
    {use}
    return 0
"""
USES = {  # name -> a use of a result, and whether mypy has to refuse it
    "if": ("if result:\n        return 1", True),
    "if_verdict": ("if result.verdict:\n        return 1", True),
    "assert": ("assert result", True),
    "assert_check": ("assert check('a', 'b')", True),
    "assert_certified": ("assert result.certified", False),
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What mypy says of the file of what is taken ("taken"), of each refused line and of each use,
    in one run."""
    folder = tmp_path_factory.mktemp("mypy")
    head = "import numpy as np\n\nfrom pfverify import *\nfrom pfverify import oracle\n\n"
    (folder / "taken.py").write_text(TAKEN)
    lines = [line for line, _ in REFUSED.values()]
    (folder / "refused.py").write_text(head + "\n".join(lines) + "\n")
    for name, (use, _) in USES.items():
        (folder / f"use_{name}.py").write_text(SNIPPET.format(use=use))
    files = sorted(path.name for path in folder.glob("*.py"))
    path = folder / "path"  # the package alone, however it is installed
    path.mkdir()
    (path / "pfverify").symlink_to(Path(pfverify.__file__).parent)
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--strict", "--warn-unreachable",
         "--follow-imports=silent", "--ignore-missing-imports", *files],
        capture_output=True, text=True, cwd=folder, check=False,
        env={**os.environ, "MYPYPATH": str(path)},
    )  # fmt: skip
    assert f"checked {len(files)} source files" in run.stdout, run.stdout + run.stderr
    found: dict[str, list[str]] = {name: [] for name in ("taken", *REFUSED, *USES)}
    names, first = list(REFUSED), head.count("\n") + 1
    for line in run.stdout.splitlines():
        match = re.match(r"(\w+)\.py:(\d+): error: .*\[([\w-]+)\]", line)
        if match:
            refused = match[1] == "refused"
            where = names[int(match[2]) - first] if refused else match[1].removeprefix("use_")
            found[where].append(match[3])
    return found


def test_exact_numbers_and_results_are_typed(said: dict[str, list[str]]) -> None:
    assert said["taken"] == []


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_exact_is_refused(name: str, said: dict[str, list[str]]) -> None:
    assert REFUSED[name][1] in said[name]


@pytest.mark.parametrize("name", USES)
def test_the_truth_of_a_result_is_refused(name: str, said: dict[str, list[str]]) -> None:
    assert set(said[name]) == ({"unreachable"} if USES[name][1] else set())

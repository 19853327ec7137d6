"""No result is true or false: a refuted one must never pass an ``assert``."""

import dataclasses
import enum
import importlib
import os
import pkgutil
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import pfverify
from pfverify import Discrete, Laplace, Problem, calibrate, certify, check, loss
from pfverify.answers.certify import CertifyResult
from pfverify.answers.grid import GridResult, grid_certify
from pfverify.answers.loss import LossResult
from pfverify.answers.methods import CalibrateResult
from pfverify.certificate.checking import CheckResult
from pfverify.crosscheck.finding import Finding
from pfverify.decide.verdict import Verdict
from pfverify.edge.coupling import PairCoupling, PlanCheck
from pfverify.edge.demo import DemoResult
from pfverify.proof.outcome import Outcome
from pfverify.scales.bernoulli import BernoulliScale
from pfverify.transport.lifting import ApproximateLifting, Lifting
from pfverify.transport.validate import PlanReport

ROOT = Path(pfverify.__file__).parent
RESULTS = [
    CertifyResult, LossResult, CalibrateResult, CheckResult, GridResult, PlanCheck, PairCoupling,
    DemoResult, Outcome, Lifting, ApproximateLifting, PlanReport, BernoulliScale, Finding,
]  # fmt: skip
# what a judgement is made of: data, none of which says yes or no
DATA = {"Plan", "HallSet", "Edge", "Residual", "NegativeCycle", "Potential", "Number", "Fraction",
        "Exact", "Infinite", "Irrational", "Problem", "Case"}
# what a proof file says, before anything is checked
LANGUAGE = {"pfverify.proof.claim", "pfverify.proof.meaning", "pfverify.proof.terms"}


def classes():
    for info in pkgutil.walk_packages([str(ROOT)], "pfverify."):
        if ".kernel" in info.name or info.name.endswith(("__main__", "fit_mixtures")):
            continue
        for value in vars(importlib.import_module(info.name)).values():
            if isinstance(value, type) and value.__module__ == info.name:
                yield value


def parts(kind):
    """The classes of this project that occur in a type."""
    if isinstance(kind, type) and kind.__module__.startswith("pfverify."):
        yield kind
    for part in typing.get_args(kind):
        yield from parts(part)


def reached():
    """Every class of a part of a result, and every one that carries a verdict."""
    todo, seen = list(RESULTS), set()
    for cls in classes():
        known = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
        if "verdict" in [f.name for f in known] and cls.__module__ not in LANGUAGE:
            todo.append(cls)
    while todo:
        cls = todo.pop()
        if cls in seen or cls.__name__ in DATA:
            continue
        seen.add(cls)
        if dataclasses.is_dataclass(cls):
            todo += [p for hint in typing.get_type_hints(cls).values() for p in parts(hint)]
    return sorted(seen, key=lambda cls: (cls.__module__, cls.__name__))


@pytest.mark.parametrize("cls", reached(), ids=lambda cls: cls.__name__)
def test_no_part_of_a_result_is_truthy(cls):
    things = list(cls) if issubclass(cls, enum.Enum) else [object.__new__(cls)]
    for thing in things:
        with pytest.raises(TypeError, match=rf"^{cls.__name__} has no truth value: "):
            bool(thing)


def test_the_known_results_are_among_them():
    names = {cls.__name__ for cls in reached()}
    assert {"Directed", "Verdict", "Method", "MinimumMethod", "Witness", "Enclosure", "Minimum",
            "DirectedLoss", "Result", "Optimality", "Property"} <= names
    assert len(names) >= 25


@pytest.fixture
def refuted():
    priors = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    return Problem(priors, noise=Laplace(1), epsilon="1/2")


def test_a_refuted_problem_never_passes_an_assert(refuted):
    results = [certify(refuted), certify(refuted).pairs[0], certify(refuted).verdict]
    results += [loss(refuted), calibrate(refuted), calibrate(refuted).methods["minimum"]]
    results += [grid_certify(refuted, 3), loss(refuted).delta, certify(refuted).pairs[0].witness]
    for result in results:
        for use in (bool, lambda r: not r, lambda r: r or 1, lambda r: [x for x in [r] if x]):
            with pytest.raises(TypeError, match="no truth value"):
                use(result)


def test_a_failed_check_never_passes_an_assert(tmp_path):
    problem, proof = tmp_path / "p.toml", tmp_path / "p.cert"
    problem.write_text(pfverify.edge.packaged.example_text("census"))
    proof.write_text("{}")
    result = check(problem, proof)
    with pytest.raises(TypeError, match=r"CheckResult has no truth value: use \.accepted"):
        bool(result)
    assert not result.accepted
    assert not result.certified
    assert not result.refuted


def test_the_properties_say_what_the_verdict_says(refuted):
    for scale, verdict in (("1", Verdict.REFUTED), ("2", Verdict.CERTIFIED)):
        result = certify(refuted.replaced(scale=scale))
        for part in (result, *result.pairs):
            found = (part.certified, part.refuted, part.undecided)
            assert found == (verdict is Verdict.CERTIFIED, verdict is Verdict.REFUTED, False)
    minimum = calibrate(refuted).methods["minimum"]
    assert minimum.certified
    assert not minimum.refuted


def test_what_a_check_accepts_need_not_be_private():
    assert CheckResult("refuted", "", 0).accepted
    assert CheckResult("refuted", "", 0).refuted
    assert not CheckResult("refuted", "", 0).certified
    assert not CheckResult("certified", "", 1).certified


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
def said_by_mypy(tmp_path_factory):
    """What mypy says of a file for each use, in one run."""
    folder = tmp_path_factory.mktemp("mypy")
    files = [folder / f"use_{name}.py" for name in USES]
    for file, (use, _) in zip(files, USES.values(), strict=True):
        file.write_text(SNIPPET.format(use=use))
    path = folder / "path"  # the package alone, however it is installed
    path.mkdir()
    (path / "pfverify").symlink_to(ROOT)
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--strict", "--warn-unreachable",
         "--follow-imports=silent", "--ignore-missing-imports", *map(str, files)],
        capture_output=True, text=True, cwd=folder, check=False,
        env={**os.environ, "MYPYPATH": str(path)},
    )  # fmt: skip
    assert run.returncode == 1, run.stdout + run.stderr
    assert "checked 5 source files" in run.stdout
    return run.stdout


@pytest.mark.parametrize("name", USES)
def test_mypy_refuses_the_truth_of_a_result(name, said_by_mypy):
    _, refused = USES[name]
    lines = [line for line in said_by_mypy.splitlines() if line.startswith(f"use_{name}.py:")]
    assert bool(lines) == refused, said_by_mypy
    assert all("[unreachable]" in line for line in lines)

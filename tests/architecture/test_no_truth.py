"""No result is true or false: a refuted one must never pass an ``assert``."""

import dataclasses
import enum
import importlib
import pkgutil
import typing
from functools import cache
from pathlib import Path

import pytest

import pfverify
from pfverify import Discrete, Laplace, Problem, calibrate, certify, check, loss
from pfverify.answers.certify import CertifyResult
from pfverify.answers.coupling import PairCoupling
from pfverify.answers.grid import GridResult, grid_certify
from pfverify.answers.loss import LossResult
from pfverify.answers.methods import CalibrateResult
from pfverify.answers.plan_check import PlanCheck
from pfverify.certificate.checking import CheckResult
from pfverify.crosscheck.finding import Finding
from pfverify.decide.verdict import Verdict
from pfverify.edge.papers.scales import DemoResult
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
        if ".kernel" in info.name or info.name.endswith("__main__"):
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


@cache
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


def without_truth(cls):
    """Whether every thing of a class says so where it is taken for true or false."""
    things = list(cls) if issubclass(cls, enum.Enum) else [object.__new__(cls)]
    said = []
    for thing in things:
        try:
            said.append(f"it is {bool(thing)}")
        except TypeError as error:
            said.append(str(error))
    return all(words.startswith(f"{cls.__name__} has no truth value: ") for words in said)


def test_no_part_of_a_result_is_truthy():
    assert [cls for cls in reached() if not without_truth(cls)] == []


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

"""The SMT-LIB export: z3 confirms what the file expects, in both directions."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.examples import discrete_examples

from pfverify import Problem, certify
from pfverify.answers.calibrate import calibrate
from pfverify.certificate.build import write_verdict
from pfverify.certificate.checking import check
from pfverify.edge.packaged import example_path
from pfverify.edge.smtlib import smtlib_text
from pfverify.errors import InputError

z3 = pytest.importorskip("z3")

SECONDS = 60
ATOMIC = [
    name for name in discrete_examples() if name != "students-mean"  # 649 lattice steps: refused
]


def answer(text: str) -> str:
    """What z3 says to the assertions of a text."""
    solver = z3.Solver()
    solver.set("timeout", SECONDS * 1000)
    solver.from_string(text)
    return str(solver.check())


def expected(text: str) -> str:
    (found,) = re.findall(r"^; expected: (\w+)$", text, re.MULTILINE)
    return found


def exported(folder: Path, data: dict[str, Any]) -> tuple[str, str]:
    """(verdict, text) of a problem, through its certificate."""
    path, certificate = folder / "problem.json", folder / "problem.cert"
    path.write_text(json.dumps(data))
    problem = Problem.load(path)
    result = certify(problem)
    write_verdict(certificate, path, problem, result, attest=False)
    return result.verdict.value, smtlib_text(problem, path, certificate)


def data_of(problem: Problem, **changes: Any) -> dict[str, Any]:
    """A packaged problem as plain data, pure epsilon, with another scale or epsilon."""
    noise = {"kind": problem.noise.kind, "scale": changes.get("scale", problem.scale().text)}
    if problem.noise.step is not None:
        noise["step"] = str(problem.noise.step)
    return {
        "schema": "pfverify/problem/1",
        "epsilon": changes.get("epsilon", problem.epsilon.text),
        "noise": noise,
        "pairs": [list(pair) for pair in problem.pairs],
        "beliefs": {
            belief: {"priors": {
                secret: {"kind": "discrete",
                         "mass": {str(a): str(m) for a, m in prior.mass.items()}}  # type: ignore[union-attr]
                for secret, prior in table.items()}}
            for belief, table in problem.beliefs.items()
        },
    }  # fmt: skip


def confirmed(folder: Path, data: dict[str, Any]) -> str:
    """The verdict, where z3 answers as the file expects and the bounds alone are consistent."""
    verdict, text = exported(folder, data)
    assert verdict in text.splitlines()[0]
    assert answer(text) == expected(text) == "unsat"
    # not because nothing satisfies the bounds and equations
    bare = text[: text.index("; asserted is its negation")]
    assert answer(bare) == "sat"
    return verdict


@pytest.mark.parametrize("name", ATOMIC)
def test_packaged_problems_are_confirmed_both_ways(name: str, tmp_path: Path) -> None:
    """At its own scale, at the minimum's upper end, and (refuted) at its lower end."""
    problem = Problem.load(example_path(name))
    verdict = confirmed(tmp_path, data_of(problem))
    assert verdict == certify(problem.replaced(delta=0)).verdict
    minimum = calibrate(problem.replaced(delta=0)).minimum
    if minimum.upper not in ("0", "inf"):
        assert confirmed(tmp_path, data_of(problem, scale=str(minimum.upper))) == "certified"
        assert confirmed(tmp_path, data_of(problem, scale=str(minimum.lower))) == "refuted"
    else:
        assert confirmed(tmp_path, data_of(problem, epsilon="1/1000")) == "refuted"


TIES: list[tuple[dict[str, Any], str, str]] = [
    # masses of both, scale, epsilon
    ({"a": {"0": "1"}, "b": {"3": "1"}}, "6", "1/2"),
    ({"a": {"0": "1"}, "b": {"3": "1"}}, "3/log(3)", "log(3)"),
    ({"a": {"0": "1"}, "b": {"1": "1"}}, "2/log(2)", "log(2)/2"),
    ({"a": {"0": "1/2", "1": "1/2"}, "b": {"1": "1"}}, "1/log(2*exp(1/3)-1)", "1/3"),
    ({"a": {"0": "1/2", "1": "1/2"}, "b": {"1": "1"}}, "1/log(2*sqrt(2)-1)", "log(2)/2"),
    ({"a": {"0": "1/2", "2": "1/2"}, "b": {"2": "2/3", "4": "1/3"}}, "4", "1"),
    ({"a": {"0": "1/3", "1": "2/3"}, "b": {"2": "1/3", "3": "2/3"}}, "10/3", "3/5"),
    ({"a": {"0": "1/3", "1": "2/3"}, "b": {"2": "1/3", "3": "2/3"}}, "2/sqrt(2)", "sqrt(2)"),
    ({"a": {"0": "1/2", "1": "1/2"}, "b": {"0": "1/4", "1": "3/4"}}, "1/log(5/3)", "log(5/4)"),
    ({"a": {"0": "1"}, "b": {"0": "1"}}, "1", "0"),
]


def tied(masses: dict[str, dict[str, str]], scale: str, epsilon: str) -> dict[str, Any]:
    return {
        "schema": "pfverify/problem/1", "epsilon": epsilon,
        "noise": {"kind": "laplace", "scale": scale},
        "priors": {name: {"kind": "discrete", "mass": mass} for name, mass in masses.items()},
    }  # fmt: skip


@pytest.mark.parametrize(("masses", "scale", "epsilon"), TIES)
def test_ties_are_confirmed(
    masses: dict[str, dict[str, str]], scale: str, epsilon: str, tmp_path: Path
) -> None:
    data = tied(masses, scale, epsilon)
    assert confirmed(tmp_path, data) == "certified"


def test_random_problems_are_confirmed(tmp_path: Path) -> None:
    rng = Random("smtlib")
    counts = {"certified": 0, "refuted": 0}
    for _ in range(24):
        n = rng.randint(2, 4)
        masses = {}
        for name in "ab":
            weights = [rng.randint(0, 5) for _ in range(n)]
            weights[rng.randrange(n)] += 1
            masses[name] = {str(k): str(Fraction(w, sum(weights)))
                            for k, w in enumerate(weights) if w}
        epsilon = rng.choice(["1/2", "0.2", "log(2)", "0.1", "log(3)/6"])
        scale = rng.choice(["1", "2", "1/log(2)", "3.3", "7", "12"])
        counts[confirmed(tmp_path, tied(masses, scale, epsilon))] += 1
    assert min(counts.values()) > 5


def test_a_changed_digit_turns_the_answer(tmp_path: Path) -> None:
    """A false claim in the file is found: another mass, another bound of E."""
    _, text = exported(tmp_path, tied({"a": {"0": "1"}, "b": {"3": "1"}}, "6", "1/2"))
    assert answer(text) == "unsat"
    false = text.replace("(/ 1.0 1.0)", "(/ 1.1 1.0)", 1)
    assert false != text
    assert answer(false) == "sat"
    data = tied({"a": {"0": "1/2", "1": "1/2"}, "b": {"0": "1/5", "1": "4/5"}}, "3", "1/2")
    verdict, text = exported(tmp_path, data)
    assert verdict == "certified"
    assert answer(text) == "unsat"
    (line,) = re.findall(r"\(assert \(and \(<= \S+ E\).*", text)
    assert answer(text.replace(line, "(assert (and (<= 1.0 E) (<= E 1.06)))")) == "sat"
    assert answer(text.replace("(/ 4.0 5.0)", "(/ 1.0 50.0)")) == "sat"


def test_what_has_no_polynomial_form_is_refused(tmp_path: Path) -> None:
    masses = {"a": {"0": "1"}, "b": {"1/7": "1/2", "100": "1/2"}}
    with pytest.raises(InputError, match="lattice steps wide") as caught:
        exported(tmp_path, tied(masses, "1000", "1"))
    assert "\n" not in str(caught.value)


def test_a_refutation_by_an_event_is_refused(tmp_path: Path) -> None:
    """The kernel takes it (from other hands), but it is about no single atom."""
    exported(tmp_path, tied({"a": {"0": "1"}, "b": {"1": "1"}}, "1", "1/2"))
    path, certificate = tmp_path / "problem.json", tmp_path / "problem.cert"
    proof = json.loads(certificate.read_text())
    (step,) = proof["steps"]
    del step["y"]
    step |= {"rule": "event-refuted", "from": "a", "to": "b", "event": [["-inf", "0"]]}
    step["margin"] = "0.01"
    certificate.write_text(json.dumps(proof, sort_keys=True, separators=(",", ":")))
    assert check(path, certificate).refuted
    with pytest.raises(InputError, match="refutation by an event"):
        smtlib_text(Problem.load(path), path, certificate)

"""Problems about channels that once were decided wrongly, or not at all."""

from __future__ import annotations

import json
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.kernel_run import accepted_certificate, checker

from pfverify import InputError, Laplace, Problem, certify
from pfverify.edge.cli import main
from pfverify.edge.packaged import load_example
from pfverify.model.channels.combined import Composition
from pfverify.model.channels.matrix import Matrix
from pfverify.model.channels.planar import Planar
from pfverify.model.channels.tupling import Tupling
from pfverify.model.digest import problem_digest
from pfverify.model.priors.discrete import Discrete
from pfverify.model.protection import Protection


def _table(rows: list[list[str]], **more: Any) -> dict[str, Any]:
    return {
        "schema": "pfverify/problem/1",
        "epsilon": "0",
        "channel": {"kind": "matrix", "inputs": ["a", "b"], "outputs": ["x", "y"], "rows": rows},
        **more,
    }


def claimed(table: dict[str, Any], result: str, steps: list[dict[str, Any]]) -> tuple[str, str]:
    """The kernel's answer to a certificate with the digest of the problem, whoever made it."""
    data = json.dumps(table).encode()
    certificate = {
        "schema": "pfverify/certificate/1",
        "problem": checker.digest(checker.problem_of(checker.parse_file(data, is_json=True))),
        "produced_by": {"tests": "1"},
        "result": result,
        "steps": steps,
    }
    text = json.dumps(certificate, sort_keys=True, separators=(",", ":"))
    word, message = checker.check_bytes(data, True, text.encode())
    return word, message


@pytest.mark.parametrize(
    "rows",
    [
        [["exp(log(3))/4", "1/4"], ["3/4", "1/4"]],
        [["exp(0)/2", "1/2"], ["1/2", "sqrt(4)/4"]],
        [["1-exp(0)", "exp(0)"], ["0", "1"]],
    ],
)
def test_the_kernel_reads_entries_that_are_fractions_in_disguise(rows: list[list[str]]) -> None:
    table = _table(rows)
    problem = Problem.from_table(table)
    assert accepted_certificate(table, problem, certify(problem))[1] == "certified"


@pytest.mark.parametrize(
    "rows",
    [
        [["sqrt(2)/2", "1-sqrt(2)/2"], ["1/sqrt(2)", "1-1/sqrt(2)"]],
        [["exp(-1)", "1-exp(-1)"], ["1/exp(1)", "1-1/exp(1)"]],
    ],
)
@pytest.mark.parametrize("delta", ["0", "1/1000"])
def test_laws_that_are_equal_but_written_otherwise_lose_nothing(
    rows: list[list[str]], delta: str
) -> None:
    (first, second) = certify(Problem.from_table(_table(rows, delta=delta))).pairs
    assert {(o.loss.lower, o.loss.upper) for o in (first, second)} == {(0, 0)}


def test_what_only_one_law_gives_is_decided_at_any_epsilon() -> None:
    rows = [["1", "0"], ["exp(-1)", "1-exp(-1)"]]
    table = _table(rows, epsilon="1e300", delta="1-exp(-1)")
    problem = Problem.from_table(table)
    result = certify(problem)
    assert result.verdict.value == "certified"
    assert accepted_certificate(table, problem, result)[1] == "certified"


# ---------------------------------------------------------------- tupling


def _tuples(rows: list[list[str]], **more: Any) -> dict[str, Any]:
    table = _table(rows, **more)
    return {**table, "channel": {"kind": "tupling", "base": table["channel"], "dummies": 1}}


def test_tuples_are_certified_at_an_epsilon_beyond_what_can_be_written() -> None:
    table = _tuples([["1", "0"], ["1/2", "1/2"]], epsilon="1e300", delta="1/4")
    problem = Problem.from_table(table)
    assert accepted_certificate(table, problem, certify(problem))[1] == "certified"


def test_dummies_that_are_rational_in_disguise_are_refused() -> None:
    table = _tuples([["3/4", "1/4"], ["1/4", "3/4"]], delta="1/10")
    table["channel"]["dummy"] = {"x": "exp(0)"}
    with pytest.raises(InputError, match="rational"):
        certify(Problem.from_table(table))


# ---------------------------------------------------------------- Python


class Deceiving(Matrix):
    """Says one thing, and puts out another."""

    def worked_out(self) -> tuple[tuple[Fraction, ...], ...]:
        return ((Fraction(1, 2),) * 2,) * 2


ROWS = [["3/4", "1/4"], ["1/4", "3/4"]]
HONEST = Matrix(["a", "b"], ["x", "y"], ROWS)
DECEIVING = Deceiving(["a", "b"], ["x", "y"], ROWS)
PLANE = Planar({"0": [0, 0], "1": [5, 5]}, 1)


def test_a_class_derived_from_a_channel_is_no_channel() -> None:
    for made in (
        lambda: Problem(channel=DECEIVING, epsilon=1),
        lambda: Composition([HONEST, DECEIVING]),
        lambda: Tupling(DECEIVING, 1),
    ):
        with pytest.raises(InputError, match="expected a channel, got Deceiving"):
            made()


def test_a_class_derived_from_protection_is_none() -> None:
    class Lenient(Protection):
        """Multiplies epsilon by more than it says."""

    held = Lenient("xdp", inputs=["a", "b"], metric=[["a", "b", 1]])
    with pytest.raises(InputError, match="expected Protection, got Lenient"):
        Problem(channel=HONEST, protection=held, epsilon=1)


@pytest.mark.parametrize(
    "held",
    [
        Protection("xdp", inputs=["0", "1"]),
        Protection("xdp", inputs=["0", "1"], points={"0": [0], "1": [1]}),
        Protection("xdp", inputs=["0", "1", "2"]),
        Protection("xdp", inputs=["0", "2"]),
        Protection("xdp", inputs=["0", "2"], distance=[["0", "2", 1]]),
        Protection("xdp"),
    ],
)
def test_distances_are_between_the_inputs_of_the_channel_at_its_places(held: Protection) -> None:
    with pytest.raises(InputError, match="protection"):
        Problem(channel=PLANE, protection=held, epsilon=1)


def test_distances_of_inputs_are_not_for_noise() -> None:
    priors = {"s": Discrete({0: 1}), "t": Discrete({1: 1})}
    held = Protection("xdistp", inputs=["0", "1"], points={"0": [0], "1": [9]})
    with pytest.raises(InputError, match="protection"):
        Problem(priors, noise=Laplace(1), protection=held, epsilon=1)


def test_what_a_protection_was_made_of_can_be_changed_later_without_effect() -> None:
    related, points = [["a", "b"]], {"a": [0], "b": [1]}
    held = Protection("xdp", inputs=["a", "b"], inputs_related=related, points=points)
    problem = Problem(channel=HONEST, protection=held, epsilon=1)
    before = problem_digest(problem)
    related.append(["b", "a"])
    points["b"][0] = 9
    assert problem_digest(problem) == before


def test_a_relation_can_come_from_an_iterator() -> None:
    held = Protection("dp", inputs=["a", "b"], inputs_related=iter([iter(["a", "b"])]))
    problem = Problem(channel=HONEST, protection=held, epsilon=1)
    assert Problem.from_table(problem.to_table()) == problem


# ---------------------------------------------------------------- noise

STEPS = [
    {"rule": "chart", "belief": "default", "from": a, "to": b, "bits": 64, "density": {},
     "points": []}
    for a, b in (("s", "t"), ("t", "s"))
]  # fmt: skip


def _with_noise(**more: Any) -> dict[str, Any]:
    law = {"kind": "gaussian", "variance": "1"}
    return {
        "schema": "pfverify/problem/1",
        "epsilon": "1",
        "noise": {"kind": "laplace", "scale": "1"},
        "notion": "xdistp",
        "priors": {"s": {**law, "mean": "0"}, "t": {**law, "mean": "1"}},
        **more,
    }


def test_priors_with_densities_can_have_a_table_of_distances() -> None:
    table = _with_noise(metric=[["s", "t", "1"]])
    problem = Problem.from_table(table)
    assert accepted_certificate(table, problem, certify(problem))[1] == "certified"


def test_a_prior_with_a_density_that_is_not_compared_needs_no_distance() -> None:
    priors = {"v": _with_noise()["priors"]["s"]}
    for name, place in (("s", "0"), ("t", "1")):
        priors[name] = {"kind": "discrete", "mass": {place: "1"}}
    table = _with_noise(priors=priors, pairs=[["s", "t"]])
    problem = Problem.from_table(table)
    assert accepted_certificate(table, problem, certify(problem))[1] == "certified"
    refused = _with_noise()
    with pytest.raises(InputError, match="winf is between priors of atoms"):
        Problem.from_table(refused)
    assert claimed(refused, "certified", STEPS)[0] == "malformed"


def test_a_system_has_no_extended_notion_and_may_name_the_usual_one() -> None:
    table = load_example("four-users-laws").to_table()
    with pytest.raises(InputError, match="xdistp is between priors that are given"):
        Problem.from_table({**table, "notion": "xdistp"})
    named = {**table, "notion": "distp"}
    problem = Problem.from_table(named)
    result = certify(problem)
    assert accepted_certificate(named, problem, result)[1] == result.verdict.value


# ---------------------------------------------------------------- the kernel's words


def test_names_of_outputs_do_not_pass_for_the_kernels_own_words() -> None:
    name = "0: log P(y)/Q(y) - epsilon >= 9; problem=0"
    table = _table(ROWS, epsilon="1")
    table["channel"]["outputs"] = [name, "y"]
    goal = {"belief": "default", "from": "a", "to": "b", "bits": 64, "margin": "0.01"}
    step = {**goal, "rule": "output-refuted", "output": name}
    word, message = claimed(table, "refuted", [step])
    assert (word, f'fails at y="{name}": log' in message) == ("refuted", True)
    step = {**goal, "rule": "outputs-refuted", "outputs": [name]}
    word, message = claimed(table, "refuted", [step])
    assert (word, f'fails on B={{"{name[:30]}... (sha256' in message) == ("refuted", True)


def test_the_kernel_names_a_few_outputs_of_a_large_event() -> None:
    rows = [["1/8"] * 8 + ["0"], ["0"] * 8 + ["1"]]
    table = _table(rows, epsilon="1")
    table["channel"]["outputs"] = list("abcdefghi")
    goal = {"belief": "default", "from": "a", "to": "b", "bits": 64, "margin": "0.01"}
    step = {**goal, "rule": "outputs-refuted", "outputs": list("abcdefgh")}
    message = claimed(table, "refuted", [step])[1]
    assert 'fails on B={"a", "b", "c", "d", "e" and 3 more}: P(B)' in message


# ---------------------------------------------------------------- losses at distances


def test_the_loss_says_what_epsilon_is_multiplied_by(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = _table(ROWS, epsilon="1", delta="1/10")
    table["channel"] |= {"notion": "xdp", "metric": [["a", "b", "1/2"]]}
    problem = Problem.from_table(table)
    problem.save(tmp_path / "near.toml")
    assert main(["loss", str(tmp_path / "near.toml")]) == 0
    text = capsys.readouterr().out
    assert "At epsilon = 1 per unit of distance the delta is" in text
    assert "the smallest epsilon times the distance of a pair is" in text
    # log((3/4 - 1/10)/(1/4)), reached at twice that epsilon
    assert "between 0.955511445027 and 0.955511445028" in text
    assert certify(problem.replaced(epsilon="0.955511445028")).verdict.value == "refuted"
    assert certify(problem.replaced(epsilon="2*0.955511445028")).verdict.value == "certified"


# ---------------------------------------------------------------- small files


def test_many_channels_one_after_the_other_are_decided_at_once() -> None:
    part = {"kind": "randomized-response", "inputs": ["a", "b"], "epsilon": "1"}
    table = _table(ROWS, epsilon="1") | {"channel": {"kind": "cascade", "parts": [part] * 24}}
    started = time.process_time()
    assert certify(Problem.from_table(table)).verdict.value == "certified"
    assert time.process_time() - started < 5  # 0.1 with shared parts worked out once, else hours

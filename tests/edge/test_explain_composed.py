"""Many outputs together, with a delta: what is said of their bounds, and of where they fail."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import mpmath
import pytest
from edge.test_json_schemas import validated

from pfverify import (
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Joint,
    Laplace,
    Problem,
    TruncatedLaplace,
    certify,
)
from pfverify.answers.outcome import Witness
from pfverify.edge.cli import main
from pfverify.edge.explain import check_explainable, explained
from pfverify.edge.words import failure_place, is_event, witness_words
from pfverify.many.plain import plain_result, result_of
from pfverify.model.releases.repeated import Repeated

AT_0, AT_1 = Discrete({0: 1}), Discrete({1: 1})
MIXED = Discrete({0: "1/2", 1: "1/2"})
BELOW_52 = [{"bins": {"edges": ["-1000", "52", "10000"]}}]
ADDED = "the outputs whose losses add up to more than epsilon"


def asked(first: Any, second: Any, noise: Any, epsilon: Any, delta: Any, **more: Any) -> Problem:
    return Problem({"a": first, "b": second}, noise=noise, epsilon=epsilon, delta=delta, **more)


def of_bins(delta: Any, count: int = 24) -> Problem:
    """49 and 50 with noise of scale 2, of which it is published whether it is at least 52."""
    noise = Repeated(DiscreteLaplace(2, 1), count=count)
    return asked(Discrete({49: 1}), Discrete({50: 1}), noise, 1, delta, post=BELOW_52)


def written(problem: Problem) -> tuple[Any, list[str]]:
    result = certify(problem)
    return result.pairs[0], explained(problem, result).lines


def number(lines: Sequence[str], start: str) -> float:
    line = next(line for line in lines if line.startswith(start))
    return float(re.findall(r"[-0-9.e]+", line)[-1].rstrip("."))


def binomial(count: int) -> Any:
    """delta at epsilon = 1 of the bins, from b against a: how many outputs are at least 52.

    The two bins beyond -1000 and 10000 have almost no mass.
    """
    t = mpmath.exp(mpmath.mpf(-1) / 2)
    p, q = t**2 / (1 + t), t**3 / (1 + t)
    return mpmath.fsum(
        comb(count, k) * max(p**k * (1 - p)**(count - k)
                             - mpmath.e * q**k * (1 - q)**(count - k), 0)
        for k in range(count + 1)
    )  # fmt: skip


# ---------------------------------------------------------------- what is written out


@pytest.mark.parametrize(("delta", "verdict"), [("1e-6", "refuted"), ("1/5", "certified")])
def test_both_bounds_enclose_the_divergence_that_a_binomial_law_has(
    delta: str, verdict: str
) -> None:
    found, lines = written(of_bins(delta))
    assert found.verdict.value == verdict
    assert (found.from_, found.to) == ("b", "a")
    truth = float(binomial(24))
    least = number(lines, "So the divergence is at least")
    most = number(lines, "So the divergence is at most")
    assert least <= truth * (1 + 1e-9)
    assert truth * (1 - 1e-9) <= most
    assert most - least < truth / 20  # so wide are bounds that only decide
    assert lines[0].startswith("24 releases, all of one X, then the steps in post: one of 4 bins")
    assert any("  24 outputs with scale 2, then the steps: " in line for line in lines)
    decides = "below" if verdict == "refuted" else "above"
    assert f"The bound from {decides} decides." in lines
    margins = [line for line in lines if line.startswith("P(B) - e^epsilon Q(B) - delta >= ")]
    assert len(margins) == (verdict == "refuted")
    for line in margins:
        assert 0 < float(line.split()[-3]) < truth


@pytest.mark.parametrize("delta", ["1/10", "1/5"])
def test_what_is_said_of_the_grid_is_what_the_certificate_has(delta: str) -> None:
    noise = Repeated(Laplace(1), scales=[4, 6, 4, 6, 6])
    found, lines = written(asked(AT_0, AT_1, noise, "1/4", delta))
    assert found.proof is not None
    step = found.proof.step(64)
    assert step["rule"] == ("composed" if found.certified else "composed-refuted")
    (grid,) = [line for line in lines if "losses are multiples of h = " in line]
    assert f"h = {step['grid']}, and masses whole numbers over 10^{step['digits']}." in grid
    low, high = step["window"]
    assert any(f"Sums from {low} h to {high} h are kept" in line for line in lines)
    rows = [line.strip() for line in lines if " outputs with scale " in line]
    assert [row.partition(":")[0] for row in rows] == [
        "2 outputs with scale 4", "3 outputs with scale 6"
    ]
    if found.certified:
        for row, part in zip(rows, step["parts"], strict=True):
            levels = [x for a, b, stride in part["levels"] for x in range(a, b + 1, stride)]
            said = f"{len(levels)} levels from {levels[0]} h to {levels[-1]} h"
            assert row.endswith(f": {said}")


def test_a_coupling_and_normal_densities_are_told() -> None:
    noise = Repeated(DiscreteGaussian(3, step=1), count=4)
    _, lines = written(asked(MIXED, AT_1, noise, 1, "1/20"))
    assert lines[0].startswith("4 releases, all of one X, which is no point: ")
    assert any("for each of 1 pair of two values of X" in x and "(F74)" in x for x in lines)
    assert not any("(F76)" in line for line in lines)
    normal = Gaussian(0, variance=1), Gaussian(1, variance=1)
    fresh = Repeated(GaussianNoise(3), count=10, draws="fresh")
    _, lines = written(asked(*normal, fresh, 1, "1/20"))
    assert any("(F76)" in line for line in lines)
    assert not any("(F74)" in line for line in lines)


def test_coordinates_behind_steps_are_named() -> None:
    names = ["u", "v"]
    steps = [{"coordinate": "u", "bins": {"edges": ["0", "1"]}}]
    pair = [Joint(names, [[x, x, 1]]) for x in (0, 1)]
    problem = asked(*pair, Laplace(1), "1/2", "2/5", post=steps)
    found, lines = written(problem)
    assert found.rule is not None
    told = " ".join(lines)
    if found.rule.startswith("composed"):
        assert "u: 1 output with scale 1, then the steps" in told
        assert "v: 1 output with scale 1:" in told
    else:
        assert "Without the steps the target is met" in told


def test_what_is_met_without_the_steps_is_written_out_without_them() -> None:
    problem = of_bins("1/10", 2)
    alone = asked(Discrete({49: 1}), Discrete({50: 1}),
                  Repeated(DiscreteLaplace(2, 1), count=2), 1, "1/10")  # fmt: skip
    found, lines = written(problem)
    assert found.certified
    assert lines[1].startswith("Without the steps the target is met")
    assert lines[2:] == written(alone)[1]


def test_a_part_that_fails_alone_and_shares_that_are_met_are_told() -> None:
    names = ["u", "v"]
    steps = [{"coordinate": "u", "bins": {"edges": ["0", "1"]}}]
    first = Joint(names, [[0, 0, "1/2"], [1, 0, "1/2"]])
    problem = asked(first, Joint(names, [[1, 2, 1]]), Laplace(1), 1, "1/5", post=steps)
    found, lines = written(problem)
    assert found.rule == "part-refuted"
    assert any(line == f"It fails at {failure_place(found.witness)}." for line in lines)
    assert any(" alone" in line for line in lines)


def test_a_step_with_delta_0_is_still_refused() -> None:
    with pytest.raises(InputError, match="--explain: steps behind several numbers, releases"):
        check_explainable(of_bins(0))
    check_explainable(of_bins("1/10"))


@pytest.mark.parametrize(
    "noise", [DiscreteGaussian(3, step=1), TruncatedLaplace(2, bound=10), Laplace(3)],
    ids=lambda one: one.kind,
)  # fmt: skip
@pytest.mark.parametrize("delta", [0, "1/10", "1/2"])
@pytest.mark.parametrize("first", [AT_0, MIXED], ids=["point", "mixed"])
def test_many_releases_of_any_noise_are_written_out(noise: Any, delta: Any, first: Any) -> None:
    found, lines = written(asked(first, AT_1, Repeated(noise, count=4), 1, delta))
    assert lines
    assert "" not in lines
    if found.undecided:
        assert f"Undecided: {found.reason}." in lines


def test_each_share_of_fresh_releases_has_its_own_noise() -> None:
    noise = Repeated(DiscreteGaussian(3, step=1), scales=[3, 4, 5], draws="fresh")
    _, lines = written(asked(AT_0, AT_1, noise, 4, "1/5"))
    told = [line for line in lines if "discrete Gaussian noise of variance" in line.lower()
            or "N discrete Gaussian noise" in line]  # fmt: skip
    assert [re.findall(r"v = (\d+)", line)[0] for line in told] == ["9", "16", "25"]


# ---------------------------------------------------------------- where they fail


def test_labels_are_an_event_in_words() -> None:
    witness = Witness("0.25", loss_step="1/240")
    assert is_event(witness)
    assert failure_place(witness) == f"B = {ADDED}"
    assert witness_words(witness, "1/10") == (
        f"B = {ADDED}: P(B) - e^epsilon Q(B) above delta by 0.25"
    )
    assert not is_event(Witness("0.25", y="0"))


def test_a_witness_by_labels_has_the_step_of_their_grid() -> None:
    problem = of_bins("1e-6")
    found = certify(problem).pairs[0]
    assert found.rule == "composed-refuted"
    assert found.witness is not None
    assert found.proof is not None
    assert found.witness.loss_step == Fraction(found.proof.step(64)["grid"])
    assert (found.witness.about, found.witness.y, found.witness.event) == (None, None, None)
    again = result_of("certify", problem, [(None, plain_result(certify(problem)))])
    assert again.to_dict() == certify(problem).to_dict()


def test_json_and_the_report_say_that_it_is_an_event(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = str(tmp_path / "bins.toml")
    of_bins("1e-6").save(name)
    assert main(["certify", name, "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert validated(data) == "certify"
    witness = data["pairs"][0]["witness"]
    assert witness.keys() == {"margin", "loss_step", "loss_step_decimal"}
    page = tmp_path / "bins.md"
    assert main(["report", name, "-o", str(page)]) == 1
    assert f"For the event B = {ADDED}, the probability under" in page.read_text("utf-8")
    capsys.readouterr()
    assert main(["certify", name, "--explain"]) == 1
    assert f"at B = {ADDED}: P(B) - e^epsilon Q(B) above delta by" in capsys.readouterr().out

"""Where a scale on the way is undecided, and where epsilon does not matter."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import Any

import pytest
from support.slices import sliced

from pfverify import Discrete, DiscreteLaplace, GaussianNoise, Laplace, Problem, calibrate
from pfverify.certificate.checking import check
from pfverify.decide.comparison import Scaled
from pfverify.decide.verdict import Verdict
from pfverify.edge.cli import main
from pfverify.model.problem import Problem as Loaded
from pfverify.scales import minimum

HALF = {"0": "1/2", "1": "1/2"}
NOISES = [Laplace(1), DiscreteLaplace(1, step=1), GaussianNoise(1)]


def written(tmp_path: Any, p: dict[str, Any], q: dict[str, Any], noise: Any, **more: Any) -> Any:
    path = tmp_path / "problem.json"
    priors = {"a": {"kind": "discrete", "mass": p}, "b": {"kind": "discrete", "mass": q}}
    data = {"schema": "pfverify/problem/1", "noise": noise, "priors": priors, **more}
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize(
    ("laws", "noise", "epsilon"),
    sliced(
        3,
        [({"0": 1}, {"1": 1}, 1), (HALF, {"1": 1}, "1/2")],
        [{"kind": "laplace"}, {"kind": "gaussian"}, {"kind": "discrete-laplace", "step": 1}],
        ["1/log(2)", "log(2)*log(2)", "exp(exp(1))"],
    ),
)
def test_epsilon_that_does_not_matter(tmp_path, laws, noise, epsilon):
    """What exceeds has q = 0, or delta is 1: no epsilon is needed to see that no noise is."""
    p, q, delta = laws
    path = written(tmp_path, p, q, noise, epsilon=epsilon, delta=delta)
    minimum = calibrate(Loaded.load(path)).minimum
    assert (minimum.lower, minimum.upper, minimum.verdict) == ("0", "0", Verdict.CERTIFIED)
    certificate = tmp_path / "scales"
    assert main(["calibrate", str(path), "-o", str(certificate)]) == 0
    assert "minimum in [0, 0]" in check(path, certificate).message


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("delta", [0, "1/20"])
@pytest.mark.parametrize("places", [-1, 0, 3])
def test_an_undecided_scale_is_stepped_around(monkeypatch, noise, delta, places):
    """Both ends are decided, outside the window that is not, and the reason says so."""
    if isinstance(noise, GaussianNoise) and not delta:
        delta = "1/10"
    first, second = Discrete(mass={0: "2/3", 2: "1/3"}), Discrete(mass={0: "1/5", 1: "4/5"})
    problem = Problem(priors={"a": first, "b": second}, noise=noise, epsilon="1/2", delta=delta)
    exact = calibrate(problem, digits=9).minimum
    assert exact.reason is None
    middle = Fraction(exact.upper)
    window = middle * Fraction(10) ** (places - 9)
    reached = 0

    honest = minimum.verdict_at

    def verdict(scaled: Scaled, scale: Fraction) -> Verdict:
        nonlocal reached
        if abs(scale - middle) <= window:
            reached += 1
            return Verdict.UNDECIDED
        return honest(scaled, scale)

    monkeypatch.setattr(minimum, "verdict_at", verdict)
    found = calibrate(problem, digits=9).minimum
    assert reached
    lower, upper = Fraction(found.lower), Fraction(found.upper)
    assert lower < middle - window
    assert middle + window < upper
    assert upper - lower < 20 * (window + middle * Fraction(1, 10**8))
    assert "undecided" in str(found.reason)
    assert found.verdict is Verdict.CERTIFIED


def test_an_undecided_value_leaves_the_other_rows_of_a_sweep(monkeypatch, tmp_path, capsys):
    honest = minimum.verdict_at

    def verdict(scaled: Scaled, scale: Fraction) -> Verdict:
        undecided = scaled.at(scale)[0].target.epsilon.fraction == 2
        return Verdict.UNDECIDED if undecided else honest(scaled, scale)

    monkeypatch.setattr(minimum, "verdict_at", verdict)
    path = written(tmp_path, {"0": 1}, {"1": 1}, {"kind": "laplace"}, epsilon=1)
    arguments = ["calibrate", str(path), "--epsilon", "1,2,4"]
    assert main([*arguments, "--csv"]) == 3
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    found = {row["epsilon"]: row for row in rows if row["method"] == "minimum"}
    assert [(e, row["scale"], row["verdict"]) for e, row in found.items()] == [
        ("1", "1", "certified"), ("2", "inf", "undecided"), ("4", "0.25", "certified"),
    ]  # fmt: skip
    assert found["2"]["minimum_lower"] == "0"
    assert main([*arguments, "--json"]) == 3
    minima = [one["minimum"] for one in json.loads(capsys.readouterr().out)["sweep"]]
    assert "undecided" in minima[1]["reason"]
    assert minima[0]["reason"] is None
    assert main(arguments) == 3
    assert "is undecided: the verdict at scale" in capsys.readouterr().out
    certificate = tmp_path / "scales"
    path = written(tmp_path, {"0": 1}, {"1": 1}, {"kind": "laplace"}, epsilon=2)
    assert main(["calibrate", str(path), "-o", str(certificate)]) == 3
    assert not certificate.exists()

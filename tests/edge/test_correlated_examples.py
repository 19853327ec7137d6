"""The packaged problems about correlated records, and the numbers that their files tell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.examples import correlated_examples
from support.kernel_run import accepted_certificate

from pfverify import certify
from pfverify.edge.cli import main
from pfverify.edge.packaged import load_example
from pfverify.exact.grid import Grid
from pfverify.scales.minimum import minimum_scale

# the smallest scale
TOLD = {"weather": "2.25722797066", "flu": "4.05306090435", "activity": "2.58883236417"}


@pytest.mark.parametrize("name", TOLD)
def test_each_is_certified_and_its_minimum_is_as_told(name: str) -> None:
    problem = load_example(name)
    found = certify(problem)
    assert accepted_certificate(problem.to_table(), problem, found)[1] == "certified"
    upper = minimum_scale(problem, Grid(12)).upper
    assert upper is not None
    assert f"{float(upper):.11f}" == TOLD[name]


def test_all_are_here() -> None:
    assert {*TOLD} <= {*correlated_examples()}


def test_calibrate_says_what_the_published_recipes_cover(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = load_example("weather").to_table()
    problem.pop("pairs")
    short = tmp_path / "short.json"
    short.write_text(json.dumps(problem | {"chain": problem["chain"] | {"length": 8}}))
    assert main(["calibrate", str(short)]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "cover every number that one record moves by at most as much" in printed
    for name in ("chain_group", "chain_quilt", "chain_quilt_approx", "minimum"):
        assert name in printed
    assert "chain_inferential: not applicable: the matrix of influences has spectral" in printed

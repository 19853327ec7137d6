"""Zero noise on the command line: certified, checked, or refused in one line."""

from __future__ import annotations

import json
import tomllib
from itertools import combinations
from pathlib import Path

import pytest

from pfverify import Problem, certify, check
from pfverify.certificate.build import write_verdict
from pfverify.edge.cli import main
from pfverify.edge.packaged import example_text
from pfverify.edge.papers.scales import cases_of

pytestmark = pytest.mark.usefixtures("kernel_here")

MINE = """
schema = "pfverify/problem/1"
epsilon = "log(2)"
form = "{form}"
[noise]
kind = "{kind}"
{more}
[priors.a]
kind = "discrete"
mass = {{ "0" = "1/2", "1" = "1/2" }}
[priors.b]
kind = "discrete"
mass = {{ "0" = "1/4", "1" = "3/4" }}
"""


def written(folder: Path, kind: str, more: str = "", form: str = "events") -> Path:
    path = folder / "mine.toml"
    path.write_text(MINE.format(kind=kind, more=more, form=form))
    return path


@pytest.mark.parametrize(
    ("kind", "more"),
    [("none", ""), ("laplace", "scale = 0"), ("gaussian", 'variance = "0"'),
     ("discrete-laplace", "scale = 0.0\nstep = 1")],
)
def test_no_noise_is_certified_and_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, more: str
) -> None:
    path, proof = written(tmp_path, kind, more), tmp_path / "mine.cert"
    assert main(["certify", str(path), "-o", str(proof)]) == 0
    assert main(["check", str(path), str(proof), "--expect", "certified"]) == 0
    said = capsys.readouterr().out
    assert "no noise: the release is X itself" in said
    assert "real-valued noise" not in said
    assert main(["loss", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["epsilon_star"]["lower"].startswith("0.693147")
    assert "the value itself is published: no noise" in found["assumed"]
    assert main(["coupling", str(path)]) == 0


def test_scale_0_of_a_noisy_file_is_an_option(tmp_path: Path) -> None:
    path = written(tmp_path, "laplace", "scale = 3")
    assert main(["certify", str(path), "--scale", "0"]) == 0
    assert main(["certify", str(path), "--scale", "0", "--epsilon", "0.6"]) == 1
    assert main(["certify", str(path), "--scale=-1"]) == 2


@pytest.mark.parametrize(
    "words",
    [["calibrate"], ["certify", "--scale", "1"]],
)
def test_what_needs_noise_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    path = written(tmp_path, "none")
    assert main([words[0], str(path), *words[1:]]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "none" in error or "without noise" in error


def test_pointwise_atoms_of_laplace_noise_are_bad_input(tmp_path: Path) -> None:
    path = written(tmp_path, "laplace", "scale = 0", "pointwise")
    assert main(["certify", str(path)]) == 2
    assert main(["certify", str(written(tmp_path, "none", "", "pointwise"))]) == 0


def test_export_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, proof = written(tmp_path, "none"), tmp_path / "mine.cert"
    assert main(["certify", str(path), "-o", str(proof)]) == 0
    assert main(["export", str(proof), "--problem", str(path), "--smtlib"]) == 2
    assert "without noise" in capsys.readouterr().err


def test_the_rows_of_table_4_with_minimum_0_are_certified_without_noise(tmp_path: Path) -> None:
    path, proof = tmp_path / "row.json", tmp_path / "row.cert"
    certified = 0
    for case in cases_of("demo"):
        data = tomllib.loads(example_text(case.example), parse_float=str)
        for epsilon in case.epsilons:
            changed = {**data, "epsilon": epsilon, "noise": {**data["noise"], "scale": 0}}
            path.write_text(json.dumps(changed))
            problem = Problem.load(path)
            result = certify(problem)
            if result.verdict == "certified":
                certified += 1
                write_verdict(proof, path, problem, result, attest=False)  # the kernel accepts it
    assert certified == 25
    assert check(path, proof).word == "certified"


LAWS = {
    "normal": {"kind": "gaussian", "mean": 0, "variance": 1},
    "wide": {"kind": "gaussian", "mean": 0, "variance": 4},
    "half": {"kind": "mixture", "components": [
        {"weight": "1/2", "mean": 0, "variance": 0}, {"weight": "1/2", "mean": 0, "variance": 1}]},
    "most": {"kind": "mixture", "components": [
        {"weight": "1/10", "mean": 0, "variance": 0},
        {"weight": "9/10", "mean": 0, "variance": 1}]},
    "two": {"kind": "mixture", "components": [
        {"weight": "1/2", "mean": 0, "variance": 1}, {"weight": "1/2", "mean": 0, "variance": 4}]},
    "atoms": {"kind": "discrete", "mass": {"0": "1/2", "3": "1/2"}},
}


@pytest.mark.parametrize(("target", "words"), [
    (("1/2", "0", "events"), {"refuted"}),
    (("2", "1/4", "events"), {"certified", "refuted"}),
    (("1/2", "1/100", "pointwise"), {"certified", "refuted"}),
])
def test_the_kernel_agrees_about_laws_with_densities(
    tmp_path: Path, target: tuple[str, str, str], words: set[str]
) -> None:
    path, proof = tmp_path / "laws.json", tmp_path / "laws.cert"
    epsilon, delta, form = target
    found: set[str] = set()
    for first, second in combinations(LAWS, 2):
        if form == "pointwise" and not {first, second} <= {"normal", "wide", "two"}:
            continue  # no density
        path.write_text(json.dumps({
            "schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "form": form,
            "noise": {"kind": "laplace", "scale": 0},
            "priors": {"a": LAWS[first], "b": LAWS[second]},
        }))
        problem = Problem.load(path)
        result = certify(problem)
        write_verdict(proof, path, problem, result, attest=False)  # the kernel accepts it
        found.add(str(result.verdict))
    assert found == words


def test_a_loss_without_noise_names_no_scale(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["loss", str(written(tmp_path, "none"))]) == 0
    assert "mine.toml: without noise the privacy loss is between 0.69" in capsys.readouterr().out
    assert main(["loss", str(written(tmp_path, "laplace", "scale = 0"))]) == 0
    assert "mine.toml: at scale 0 the privacy loss is between 0.69" in capsys.readouterr().out


def test_a_negative_scale_is_told_that_0_is_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["certify", str(written(tmp_path, "laplace")), "--scale", "-1"]) == 2
    assert capsys.readouterr().err == (
        "pfverify: scale: -1 is negative, expected a number >= 0\n"
    )


@pytest.mark.parametrize(
    ("kind", "more", "published"),
    [("laplace", "", False), ("gaussian", "", False), ("discrete-laplace", "step = 1", True)],
)
def test_a_pointwise_minimum_of_0_says_publish_only_where_certify_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, more: str, published: bool
) -> None:
    path = str(written(tmp_path, kind, more, "pointwise"))
    assert main(["calibrate", path, "--json"]) == 0
    minimum = json.loads(capsys.readouterr().out)["minimum"]
    assert minimum["upper"] == "0"
    assert ("the value itself is published" in minimum["reason"]) is published
    assert ("every scale above 0 is private" in minimum["reason"]) is not published
    assert main(["certify", path, "--scale", "0"]) == (0 if published else 2)

"""Commands that are about atoms say so, in one line, where a prior has a density."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pfverify import Discrete, Gaussian, GaussianNoise, InputError, Laplace, Problem
from pfverify.edge.cli import main
from pfverify.symbolic.laplace import density

ATOMS = {"kind": "discrete", "mass": {"0": "1/2", "1": "1/2"}}
NORMAL = {"kind": "mixture", "components": [{"weight": "1/2", "mean": 0, "sd": 1},
                                            {"weight": "1/2", "mean": 3, "sd": 0}]}  # fmt: skip
LAPLACE = {"kind": "laplace", "scale": 1}
GAUSSIAN = {"kind": "gaussian", "variance": 2}


def written(folder: Path, noise: dict[str, Any], **priors: dict[str, Any]) -> str:
    path = folder / "problem.json"
    data = {"schema": "pfverify/problem/1", "epsilon": 1, "delta": "1/2", "noise": noise,
            "priors": priors}  # fmt: skip
    path.write_text(json.dumps(data))
    return str(path)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err


@pytest.mark.parametrize(
    ("noise", "prior", "reason"),
    [(LAPLACE, NORMAL, "the prior of 'b' has a density"),
     (GAUSSIAN, ATOMS, "the noise is gaussian")],
    ids=["density", "gaussian noise"],
)  # fmt: skip
@pytest.mark.parametrize(
    ("command", "words"),
    [(["export", "--smtlib", "--problem"], "export: only priors of atoms with Laplace noise")],
    ids=["export"],
)  # fmt: skip
def test_what_is_about_atoms_with_laplace_noise(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    noise: dict[str, Any],
    prior: dict[str, Any],
    reason: str,
    command: list[str],
    words: str,
) -> None:
    path = written(tmp_path, noise, a=ATOMS, b=prior)
    certificate = tmp_path / "some.cert"
    certificate.write_text("{}\n")
    extra = [str(certificate)] if command[0] == "export" else []
    message = refused(capsys, *command, path, *extra)
    assert words in message
    assert message.endswith(f"; {reason}\n")


@pytest.mark.parametrize("extra", [[], ["--pair", "a,b"], ["--json"], ["--plan"], ["-o"]], ids=str)
def test_plans_are_about_atoms(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, extra: list[str]
) -> None:
    path = written(tmp_path, LAPLACE, a=ATOMS, b=NORMAL)
    if extra in (["--plan"], ["-o"]):
        plan = tmp_path / "plan.csv"
        plan.write_text("from,to,mass\n0,0,1\n")
        extra = [*extra, str(plan)]
    message = refused(capsys, "coupling", path, *extra)
    assert "coupling: plans are about atoms; the prior of 'b' has a density" in message


def test_the_other_pairs_of_a_mixed_problem_still_have_plans(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = {"kind": "gaussian", "mean": 2, "sd": 0}
    path = written(tmp_path, LAPLACE, a=ATOMS, b=NORMAL, c=other)
    assert main(["coupling", path, "--pair", "a,c", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"][0]["w_infinity"] == "2"
    assert "'b'" in refused(capsys, "coupling", path)


def test_gaussian_noise_has_plans_but_no_lines(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = written(tmp_path, GAUSSIAN, a=ATOMS, b={"kind": "discrete", "counts": {"0": 1}})
    assert main(["coupling", path, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["pairs"]
    assert {found["w_1"][end] for end in ("lower", "upper")} == {"0.5"}
    assert found["coupling_lp"] is None
    assert "gaussian" in found["coupling_lp_not_applicable"]


def test_formulas_are_about_atoms() -> None:
    point, normal = Discrete({0: 1}), Gaussian(0, sd=1)
    with pytest.raises(InputError, match="secret 'b': the prior has a density, expected"):
        density(Problem(priors={"a": point, "b": normal}, noise=Laplace(1), epsilon=1), "b")
    asked = Problem(priors={"a": point, "b": normal}, noise=GaussianNoise(1), epsilon=1)
    with pytest.raises(InputError, match="secret 'a': gaussian noise, expected a discrete"):
        density(asked, "a")

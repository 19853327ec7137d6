"""The form zcdp in files and in Python, what is printed of it, and what is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pfverify import Discrete, InputError, Laplace, Problem
from pfverify.edge.cli import main
from pfverify.edge.latex import latex_of_problem
from pfverify.model.digest import canonical_problem, problem_digest
from pfverify.model.notion import Zcdp, exact_notion, stated_notion

PRIORS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}


def table(**changes: Any) -> dict[str, Any]:
    return Problem(PRIORS, noise=Laplace(1), epsilon=1, form="zcdp").to_table() | changes


def test_it_is_written_without_an_order_and_read_back() -> None:
    asked = Problem.from_table(table())
    assert (asked.form, asked.notion) == ("zcdp", Zcdp())
    assert "order" not in asked.to_table()
    assert Problem.from_text(asked.to_toml()) == asked
    assert canonical_problem(asked)["form"] == "zcdp"
    assert problem_digest(asked) != problem_digest(Problem.from_table(table(form="events")))
    ways = [exact_notion("zcdp"), exact_notion({"kind": "zcdp"}), stated_notion({"form": "zcdp"})]
    assert set(ways) == {Zcdp()}


BAD = {
    "delta": ({"delta": "1e-6"}, "delta: 1/1000000, expected 0 or none: the form zcdp has no"),
    "delta of 1": ({"delta": 1}, "the form zcdp has no delta"),
    "an order": ({"order": 2}, "order: not with the form zcdp"),
    "in capitals": ({"form": "zCDP"}, "form: 'zCDP' is unknown"),
    "a list": ({"form": ["zcdp"]}, "form"),
    "less than 0": ({"epsilon": -1}, "epsilon"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_exit_code_2(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changes, words = BAD[name]
    with pytest.raises(InputError) as error:
        Problem.from_table(table(**changes))
    assert words in str(error.value)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(table(**changes)))
    for command in ("certify", "loss", "calibrate"):
        assert main([command, str(path)]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert words in said


def test_families_are_refused() -> None:
    ball = {"kind": "confidence", "counts": {"0": 5, "1": 7}, "level": "0.95"}
    with pytest.raises(InputError, match="form: families are not decided in the form zcdp"):
        Problem.from_table(table(priors={"a": ball, "b": ball}))


def test_what_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(table(epsilon="1/4")))
    assert main(["certify", str(path), "--explain"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    for words in (
        "Disproved: D_a(P(Y|s) : P(Y|s')) <= 0.25 a for Renyi divergences of every order a > 1",
        "over the order, above epsilon by 0.", "is to be at most rho a (a-1), rho = 0.25",
    ):  # fmt: skip
        assert words in said
    assert main(["certify", str(path), "--json"]) == 1
    witness = json.loads(capsys.readouterr().out)["pairs"][0]["witness"]
    assert {"order", "order_decimal", "margin"} <= witness.keys()
    assert main(["loss", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["form"] == "zcdp"
    assert "order" not in found
    assert found["divergence"] == found["pairs"][0]["divergence"]
    page = tmp_path / "page.html"
    assert main(["report", str(path), "-o", str(page)]) == 1
    assert "of all orders" in page.read_text("utf-8")
    path.write_text(json.dumps(table(epsilon="1/2")))
    assert main(["report", str(path), "-o", str(page)]) == 0
    assert "zero-concentrated" in page.read_text("utf-8")
    assert main(["certify", str(path), "--explain"]) == 0
    assert "g is convex and g(1) = 0" in capsys.readouterr().out
    assert "for every order" in latex_of_problem(Problem.load(path))


def test_what_states_a_bound_on_ratios_refuses_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, proof = tmp_path / "mine.json", tmp_path / "mine.cert"
    path.write_text(json.dumps(table()))
    assert main(["certify", str(path), "-o", str(proof)]) == 0
    capsys.readouterr()
    proofs = Path(__file__).parents[2] / "proofs"
    for way, words in (("--coq", "no Coq rule for the form zcdp"), ("--smtlib", "only pure-eps")):
        more = ["--proofs", str(proofs)] if way == "--coq" else []
        assert main(["export", way, str(proof), "--problem", str(path), *more]) == 2
        assert words in capsys.readouterr().err
    assert main(["certify", str(path), "--explain", "--latex"]) == 2
    assert "is not stated in LaTeX" in capsys.readouterr().err

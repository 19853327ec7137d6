"""The form renyi in files and in Python: its order, and what is refused in one line."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pfverify import Discrete, InputError, Laplace, Problem
from pfverify.edge.cli import main
from pfverify.model.digest import canonical_problem, problem_digest
from pfverify.model.notion import Renyi, exact_notion, stated_notion
from pfverify.model.schema import problem_schema

PRIORS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}


def table(**changes: Any) -> dict[str, Any]:
    asked = Problem(PRIORS, noise=Laplace(1), epsilon=1, form=Renyi("5/2"))
    return asked.to_table() | changes


def test_it_is_written_beside_its_order_and_read_back() -> None:
    asked = Problem.from_table(table())
    assert (asked.form, asked.notion) == ("renyi(order=5/2)", Renyi("2.5"))
    assert {key: asked.to_table()[key] for key in ("form", "order")} == {
        "form": "renyi", "order": "5/2"
    }  # fmt: skip
    assert Problem.from_text(asked.to_toml()) == asked
    assert canonical_problem(asked)["order"] == "5/2"
    assert problem_digest(asked) == problem_digest(Problem.from_table(table(order="10/4")))
    assert problem_digest(asked) != problem_digest(Problem.from_table(table(order=3)))
    assert "order" in problem_schema()["properties"]


def test_three_ways_to_say_it_in_python() -> None:
    ways = [Renyi("5/2"), "renyi(order=5/2)", {"kind": "renyi", "order": Fraction(5, 2)}]
    assert len({exact_notion(way) for way in ways}) == 1
    assert stated_notion({"form": "renyi", "order": "5/2"}) == ways[0]
    assert Renyi(2) != Renyi(3)


BAD = {
    "below 1": ({"order": "1/2"}, "order: 1/2, expected a rational number above 1 of the form "
                "renyi, or 1 in loss"),
    "irrational": ({"order": "log(9)"}, "expected a rational number above 1"),
    "too long": ({"order": "1000001/1000"}, "at most 65536"),
    "a list": ({"order": [2]}, "order: expected a number or text"),
    "a truth value": ({"order": True}, "order"),
    "delta": ({"delta": "1e-6"}, "delta: 1/1000000, expected 0 or none"),
    "another form": ({"form": "events"}, "order: not with the form events"),
    "no such form": ({"form": "renyj"}, "form: 'renyj' is unknown"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_exit_code_2(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changes, words = BAD[name]
    with pytest.raises(InputError, match=r"order|delta|form") as error:
        Problem.from_table(table(**changes))
    assert words in str(error.value)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(table(**changes)))
    for command in ("certify", "loss", "calibrate"):
        assert main([command, str(path)]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert words in said


def test_a_missing_order_is_told() -> None:
    stated = table()
    del stated["order"]
    with pytest.raises(InputError, match="missing key 'order' of the form renyi"):
        Problem.from_table(stated)
    with pytest.raises(InputError, match="missing key 'order'"):
        exact_notion("renyi")


def test_families_are_refused() -> None:
    ball = {"kind": "confidence", "counts": {"0": 5, "1": 7}, "level": "0.95"}
    with pytest.raises(InputError, match="form: families are not decided in the form renyi"):
        Problem.from_table(table(priors={"a": ball, "b": ball}))


def test_what_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(table(epsilon="1/2")))
    assert main(["certify", str(path), "--explain"]) == 1
    said = capsys.readouterr().out
    for words in (
        "Disproved: D(P(Y|s) : P(Y|s')) <= 0.5 for the Renyi divergence of order 5/2",
        "by its divergence above epsilon by 0.", "R is the sum, or integral, of q (p/q)^5/2",
    ):  # fmt: skip
        assert words in said
    assert main(["certify", str(path), "--explain", "--latex"]) == 2
    assert "is not stated in LaTeX" in capsys.readouterr().err
    assert main(["loss", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["order"], found["form"]) == ("5/2", "renyi(order=5/2)")
    assert found["divergence"] == found["pairs"][0]["divergence"]
    for command in ("report", "certify"):
        page = tmp_path / f"{command}.html"
        if command == "report":
            assert main(["report", str(path), "-o", str(page)]) == 1
            assert "divergence of order 5/2" in page.read_text("utf-8").replace("\n", " ")


def test_what_states_a_bound_on_ratios_refuses_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a theorem nor polynomials say anything of a divergence, and no line is drawn."""
    path, proof = tmp_path / "mine.json", tmp_path / "mine.cert"
    path.write_text(json.dumps(table(epsilon=2, noise={"kind": "laplace", "scale": "1"})))
    assert main(["certify", str(path), "-o", str(proof)]) == 0
    capsys.readouterr()
    proofs = Path(__file__).parents[2] / "proofs"
    for way, words in (("--coq", "no Coq rule for the form renyi"), ("--smtlib", "only pure-eps")):
        more = ["--proofs", str(proofs)] if way == "--coq" else []
        assert main(["export", way, str(proof), "--problem", str(path), *more]) == 2
        assert words in capsys.readouterr().err
    assert main(["loss", str(path), "--plot"]) == 0
    assert "-epsilon" not in capsys.readouterr().out

"""``pfverify coupling`` of a channel problem: couplings of priors over inputs, or Hall sets."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pfverify.edge.cli import main

NEAR = "from,to\nhome,office\nhome,shop\nshop,park\npark,park\npark,office\n"


@pytest.fixture
def relation(tmp_path: Path) -> str:
    path = tmp_path / "near.csv"
    path.write_text(NEAR)
    return str(path)


@pytest.fixture
def places(tmp_path: Path) -> str:
    """Two laws whose W-infinity is sqrt(2): a -> b -> c, and not a -> c."""
    table: dict[str, Any] = {
        "schema": "pfverify/problem/1", "epsilon": 1,
        "channel": {"kind": "planar", "epsilon": "1", "notion": "xdistp",
                    "points": {"a": [0, 0], "b": [1, 1], "c": [2, 0]}},
        "priors": {"left": {"kind": "finite", "mass": {"a": "1/2", "b": "1/2"}},
                   "right": {"kind": "finite", "mass": {"b": "1/2", "c": "1/2"}}},
    }  # fmt: skip
    path = tmp_path / "places.json"
    path.write_text(json.dumps(table))
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["coupling", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def answered(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    found: list[dict[str, Any]] = json.loads(out)["pairs"]
    return found


def test_each_order_has_its_coupling_or_its_hall_set(
    capsys: pytest.CaptureFixture[str], relation: str
) -> None:
    """Home can be out inside the relation; out cannot be home: nothing leads there."""
    there, back = answered(capsys, "example:home-and-out", "--relation", relation)
    assert (there["from"], there["related"], there["hall"]) == ("home", True, None)
    edges = {(row["from"], row["to"]): Fraction(row["mass"]) for row in there["plan"]}
    allowed = {tuple(line.split(",")) for line in NEAR.splitlines()[1:]}
    assert set(edges) <= allowed
    leaving = {x: sum(m for (a, _), m in edges.items() if a == x) for x, _ in edges}
    assert leaving == {"home": Fraction(4, 5), "shop": Fraction(1, 10), "park": Fraction(1, 10)}
    assert (back["from"], back["related"], back["plan"]) == ("out", False, None)
    assert Fraction(back["hall"]["mass"]) > Fraction(back["hall"]["reachable"])


def test_w_infinity_over_the_distance_of_inputs(
    capsys: pytest.CaptureFixture[str], places: str
) -> None:
    for pair in answered(capsys, places):
        assert pair["w_infinity"] == "sqrt(2)"
        assert pair["related"] is None
        assert len(pair["plan"]) == 2
        assert pair["hall"]["mass"] == "1/2"


def test_figure_1_of_the_paper(capsys: pytest.CaptureFixture[str]) -> None:
    """Its coupling is the only one that moves nothing by more than 1."""
    there, _ = answered(capsys, "example:largest-move")
    assert there["w_infinity"] == "1"
    edges = {(row["from"], row["to"]): Fraction(row["mass"]) for row in there["plan"]}
    tenths = {("1", "1"): 2, ("2", "1"): 1, ("2", "2"): 2, ("2", "3"): 2, ("3", "3"): 3}
    assert edges == {edge: Fraction(mass, 10) for edge, mass in tenths.items()}


@pytest.mark.parametrize(("within", "related"), [("1.4", False), ("1.5", True), ("2", True)])
def test_inputs_within_a_distance_are_related(
    capsys: pytest.CaptureFixture[str], places: str, within: str, related: bool
) -> None:
    found = answered(capsys, places, "--within", within, "--pair", "left,right")
    assert [pair["related"] for pair in found] == [related, related]


def test_the_words(capsys: pytest.CaptureFixture[str], places: str, relation: str) -> None:
    assert "W-infinity = sqrt(2)" in run(capsys, places)[1]
    code, out, _ = run(capsys, "example:home-and-out", "--relation", relation)
    assert code == 0
    assert "not related: no coupling stays inside" in out
    assert "density" not in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["example:home-and-out"], "no distance of inputs; say which are related with --relation"),
        (["example:home-and-out", "--within", "1"], "no distance of inputs"),
        (["example:home-and-out", "--require", "forest"], "--require: only with --plan"),
        (["example:home-and-out", "-o", "c.cert"], "with a channel only --relation"),
    ],
)
def test_what_cannot_be_answered_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    arguments: list[str], words: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x,y\n", "expected the header from,to"),
        ("from,to\nhome\n", "line 2: expected 2 cells"),
        ("from,to\nhome,moon\n", "line 2: 'moon' is no input of the channel"),
    ],
)
def test_a_wrong_relation_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "relation.csv"
    path.write_text(text)
    code, out, err = run(capsys, "example:home-and-out", "--relation", str(path))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_both_relations_at_once_and_a_negative_distance(
    capsys: pytest.CaptureFixture[str], places: str, tmp_path: Path
) -> None:
    path = tmp_path / "relation.csv"
    path.write_text("from,to\na,b\n")
    assert "--within: not with" in run(capsys, places, "--relation", str(path), "--within", "1")[2]
    assert "--within: -1, expected" in run(capsys, places, "--within", "-1")[2]

"""The command curve: what it prints, its certificate, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pfverify.edge.cli import main

CENSUS = "example:census"


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["curve", *words])
    return code, *capsys.readouterr()


def test_words_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = asked(capsys, CENSUS, "--to", "1", "--gap", "1/100")
    assert (code, err) == (0, "")
    assert out.startswith("example:census: delta at every epsilon from 0 to 1, between bounds")
    assert "for all values between the points" in out


@pytest.mark.parametrize(
    ("kind", "place", "value"),
    [("profile", "growth", "delta"), ("trade-off", "type_1", "type_2"),
     ("odds", "weight", "success"), ("renyi", "order", "divergence")],
)  # fmt: skip
def test_json_has_the_points_of_every_pair(
    kind: str, place: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = asked(capsys, CENSUS, "--kind", kind, "--gap", "1/100", "--json")
    found = json.loads(out)
    assert (code, found["schema"], found["kind"]) == (0, "pfverify/curve/1", kind)
    assert len(found["pairs"]) == 2
    for points in (found["curve"], *(pair["points"] for pair in found["pairs"])):
        assert all(float(p[value]["lower"]) <= float(p[value]["upper"]) for p in points)
        assert all(place in p and f"{place}_decimal" in p for p in points)


def test_csv_has_a_row_for_every_point(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = asked(capsys, CENSUS, "--to", "1", "--gap", "1/100", "--csv")
    head, *rows = out.splitlines()
    assert head.startswith("kind,belief,from,to,growth,epsilon_lower,epsilon_upper,delta_lower,")
    assert all(row.startswith("profile,default,") for row in rows)


def test_one_certificate_is_of_the_whole_curve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = str(tmp_path / "census.curve")
    assert asked(capsys, CENSUS, "--gap", "1/100", "-o", proof)[0] == 0
    assert main(["check", CENSUS, proof, "--expect", "curve"]) == 0
    assert capsys.readouterr().out.startswith("curve: delta at every e^epsilon from 1 to ")
    assert main(["check", CENSUS, proof, "--expect", "certified"]) == 1
    assert main(["check", "example:gaussian-pair", proof]) == 1


def test_a_picture_is_drawn_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = asked(capsys, CENSUS, "--gap", "1/100", "--plot")
    assert (code, "delta at every epsilon" in out) == (0, True)
    file = tmp_path / "curve.svg"
    words = ["--kind", "trade-off", "--gap", "1/100", "--plot", str(file)]
    assert asked(capsys, CENSUS, *words)[0] == 0
    assert file.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--from", "-1"], "--from: -1 is below 0"),
        (["--from", "2", "--to", "1"], "expected a range of epsilon >= 0"),
        (["--gap", "2"], "--gap: 2 is not from 1e-15 to less than 1"),
        (["--kind", "odds", "--to", "1"], "expected weights in (0, 1)"),
        (["--kind", "trade-off", "--from", "-1/2"], "expected chances in [0, 1]"),
        (["--to", "a"], "--to:"),
    ],
)
def test_what_is_no_range_is_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = asked(capsys, CENSUS, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err

"""From a scale that calibrate found, or that an option gives, to the problem that is certified."""

from __future__ import annotations

import random
import shlex
import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import InputError, calibrate
from pfverify.answers.methods import CalibrateResult
from pfverify.edge.cli import main
from pfverify.edge.scaled import scale_of
from pfverify.exact.number import number
from pfverify.model.problem import Problem
from pfverify.model.provenance import OF_REGIONS, WARNING

NEWCOMER = {
    "attribute": ["--secret", "bad", "--public", "age"],
    "count": ["--secret", "bad", "--public", "bad=yes", "--release", "count"],
    "mean": ["--secret", "bad", "--public", "amount", "--release", "mean", "--clip", "0,5000"],
}


@pytest.mark.parametrize("name", NEWCOMER)
def test_a_newcomer_goes_from_csv_to_a_report_by_what_is_printed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(7)
    rows = (
        f"{chance.choice(['yes', 'no', 'no'])},{chance.randrange(18, 40)},"
        f"{chance.lognormvariate(6, 1):.2f}\n"
        for _ in range(200)
    )
    monkeypatch.chdir(tmp_path)
    Path("bank.csv").write_text("bad,age,amount\n" + "".join(rows))
    pending, run = [["prior", "bank.csv", *NEWCOMER[name], "-o", f"{name}.toml"]], []
    while pending:
        command = pending.pop(0)
        run.append(command[0])
        assert main(command) == 0
        for line in capsys.readouterr().out.splitlines():
            if line.startswith("Next: "):
                said = line.removeprefix("Next: ").split(" && ")
                pending += [shlex.split(one)[1:] for one in said]
    assert run == ["prior", "calibrate", "certify", "report"]
    made = [f"{name}-scaled.toml", f"{name}-scaled.cert"]
    assert main(["check", *made, "--expect", "certified"]) == 0
    assert Path(f"{name}-scaled.html").stat().st_size > 1000
    before, after = (tomllib.loads(Path(file).read_text()) for file in (f"{name}.toml", made[0]))
    kinds = {law["kind"] for law in after.get("priors", {}).values()}
    assert kinds == ({"confidence"} if name == "attribute" else set())
    for table in (before, after):
        warning = table["provenance"].pop("warning")
        assert warning.startswith(OF_REGIONS if table is after and kinds else WARNING)
    ends = {
        "attribute": "(region, rounded up)", "mean": "(every-value, rounded up)",
        "count": "(every-value, rounded up; what any two values need, no record used)",
    }  # fmt: skip
    assert after["provenance"].pop("calibrated").endswith(f" {ends[name]}")
    assert before["provenance"] == after["provenance"]
    counts = [
        {secret: law["counts"] for secret, law in table.get("priors", {}).items()}
        for table in (before, after)
    ]
    assert counts[0] == counts[1]  # counts stay counts


@cache
def census() -> CalibrateResult:
    return calibrate("example:census")


@given(
    method=st.sampled_from(["l1", "relaxed_rows", "coupling_lp", "minimum"]),
    places=st.integers(0, 15),
)
@settings(deadline=None)
def test_scales_are_rounded_up_to_the_next_decimal(method: str, places: int) -> None:
    exact, rounded = Fraction(census().methods[method].scale), scale_of(census(), method, places)
    assert exact <= Fraction(rounded) < exact + Fraction(1, 10**places)
    assert (Fraction(rounded) * 10**places).denominator == 1
    assert Fraction(rounded) >= exact


def test_only_a_certified_scale_is_taken() -> None:
    for method, expected in {
        "relaxd": "did you mean 'relaxed'?", "bernoulli": "not applicable: ",
        "nothing": "expected l1, wasserstein", "regio": "did you mean 'region'?",
    }.items():  # fmt: skip
        with pytest.raises(InputError, match=f"--method.*{expected}".replace("?", r"\?")):
            scale_of(census(), method)
    fails = calibrate("example:theorem-2-fails")
    refuted = [name for name, method in fails.methods.items() if method.refuted]
    assert refuted
    for name in refuted:
        with pytest.raises(InputError, match="refuted; choose one that is certified"):
            scale_of(fails, name)
    with pytest.raises(InputError, match=r"expected .*minimum, region$"):
        scale_of(census(), "nothing")


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [
        ("census", ["--scale", "0.7"], 0), ("census", ["--scale", "1/3"], 1),
        ("census", ["--epsilon", "2", "--delta", "1e-3"], 0),
        ("gaussian-pair", ["--scale", "sqrt(1600)"], 0), ("home-and-out", ["--epsilon", "3"], 0),
        ("laplace-or-gaussian", ["--scale", "20"], 0), ("students-mean", ["--scale", "0.1"], 0),
    ],
)  # fmt: skip
def test_a_certificate_of_given_numbers_comes_with_its_problem(
    name: str, options: list[str], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cert, problem = tmp_path / "mine.cert", tmp_path / "mine.cert.toml"
    assert main(["certify", f"example:{name}", *options, "-o", str(cert)]) == code
    assert f"wrote {problem}, the problem that {cert} is about" in capsys.readouterr().err
    expected = "refuted" if code else "certified"
    assert main(["check", str(problem), str(cert), "--expect", expected]) == 0
    written = Problem.load(problem)
    if options[0] == "--scale":
        assert written.noise.scale == number(options[1])


def test_variance_gives_way_to_the_scale_and_kind_none_keeps_none(tmp_path: Path) -> None:
    prior = "\n[priors.%s]\nkind = 'discrete'\ncounts = { 0 = %d, 1 = %d }\n"
    priors = prior % ("a", 1, 1) + prior % ("b", 1, 2)
    head = 'schema = "pfverify/problem/1"\nepsilon = 2\ndelta = 1e-2\n[noise]\n'
    for noise, option in (
        ('kind = "gaussian"\nvariance = 2\n', ["--scale", "3"]), ('kind = "none"\n', []),
    ):  # fmt: skip
        (tmp_path / "p.toml").write_text(head + noise + priors)
        given = ["certify", str(tmp_path / "p.toml"), *option, "--epsilon", "1.5"]
        assert main([*given, "-o", str(tmp_path / "p.cert")]) == 0
        table = tomllib.loads((tmp_path / "p.cert.toml").read_text())
        assert table["epsilon"] == "1.5"
        kind = {"kind": "gaussian", "scale": "3"} if option else {"kind": "none"}
        assert table["noise"] == kind


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("calibrate example:census --method l1", "--method: only with --write"),
        ("calibrate example:census --write x.txt", ".toml or .json"),
        ("calibrate example:census --write x.toml --epsilon 1,2,3", "one problem has one scale"),
        ("calibrate example:census example:tie-delta --write x.toml", "one problem file"),
        ("calibrate example:dummies --write x.toml", "a channel has no scales"),
        ("calibrate example:census --write x.toml --method nothing", "is unknown"),
        ("calibrate example:census --write x.toml", "--method region (all laws that they leave"),
        ("calibrate example:census --write x.toml --places 2", "or --method minimum (the counts"),
        (
            "calibrate example:gaussian-pair --write x.toml --method region",
            "--method region: no prior is counted from records",
        ),
        ("calibrate p.toml --write p.toml", "--write: p.toml is an input"),
        ("certify example:census --scale 1,2,3 -o x.cert", "expected no sweep"),
        ("certify p.cert.toml --scale 1 -o p.cert", "p.cert.toml is an input"),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_line(
    command: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("p.toml", "p.cert.toml"):
        assert main(["calibrate", "example:census", "--write", name, "--method", "l1"]) == 0
    capsys.readouterr()
    assert main(shlex.split(command)) == 2
    err = capsys.readouterr().err
    assert expected in err
    assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.cert.toml", "p.toml"]


def test_data_on_standard_output_stays_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = str(tmp_path / "x.json")
    asked = ["--csv", "--write", output, "--method", "minimum"]
    assert main(["calibrate", "example:census", *asked]) == 0
    out, err = capsys.readouterr()
    assert "Wrote" not in out
    assert f"Wrote {output}: scale = " in err
    assert Problem.load(output).noise.scale == number(scale_of(census(), "minimum"))

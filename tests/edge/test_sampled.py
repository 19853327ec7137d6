"""`pfverify crosscheck --kind sampler` and `--kind release`: words, data, exit codes, bad input."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pfverify import Problem
from pfverify.edge.cli import main

MINE = '''
import numpy as np

def right(x, n, seed=0, scale=1.0):
    return np.rint((x + np.random.default_rng(seed).laplace(0, scale, n)) * 2**24) / 2**24

def floats(x, n, seed=0, scale=1.0):
    return x + np.random.default_rng(seed).laplace(0, scale, n)

def wide(x, n, seed=0, scale=1.0):
    return x + np.random.default_rng(seed).laplace(0, 2 * scale, n)

def even(x, n, seed=0):
    """A count of halves, rounded: halves go to the even number."""
    source = np.random.default_rng(seed)
    p = 1 - np.exp(-0.5)
    return np.rint(x + (source.geometric(p, n) - source.geometric(p, n)) / 2)

def up(x, n, seed=0):
    source = np.random.default_rng(seed)
    p = 1 - np.exp(-0.5)
    return np.floor(x + (source.geometric(p, n) - source.geometric(p, n)) / 2 + 0.5)
'''
POINTS = """
schema = "pfverify/problem/1"
epsilon = "1/2"
delta = DELTA
[noise]
kind = "laplace"
scale = 1
[priors.a]
kind = "discrete"
mass = { "0" = 1 }
[priors.b]
kind = "discrete"
mass = { "1" = 1 }
"""
COUNT = """
schema = "pfverify/problem/1"
epsilon = 1
delta = DELTA
[noise]
kind = "discrete-laplace"
scale = 1
step = 1
[[post]]
threshold = { at = 5, keep = "KEEP" }
[priors.row]
kind = "discrete"
mass = { "1" = 1 }
[priors."no row"]
kind = "nothing"
"""
HALVES = """
schema = "pfverify/problem/1"
epsilon = 1
[noise]
kind = "discrete-laplace"
scale = 1
step = "1/2"
[[post]]
round = { to = 1, ties = "TIES" }
[priors.a]
kind = "discrete"
mass = { "0" = 1 }
[priors.b]
kind = "discrete"
mass = { "1/2" = 1 }
"""
REPORTED = '"exp(-5)/(1+exp(-1))"'  # by OpenDP, its issue 2922
EXACT = '"exp(-4)/(1+exp(-1))"'
OPENDP = "pfverify.subjects.opendp_samplers"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE, "utf-8")
    stated(tmp_path, POINTS, DELTA='"1/4"')
    return tmp_path


def stated(folder: Path, text: str, **values: str) -> None:
    for name, value in values.items():
        text = text.replace(name, value)
    (folder / "p.toml").write_text(text, "utf-8")


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["crosscheck", *arguments])
    out, err = capsys.readouterr()
    assert err == ""
    return code, " ".join(out.split())


def data(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code, out = asked(capsys, *arguments, "--json")
    found = json.loads(out)
    schema = json.loads(Path(f"{SCHEMAS}/sampler.schema.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(found)
    return code, found


SCHEMAS = Path(__import__("pfverify").__file__).parent / "edge" / "schemas"
RELEASE = ("--kind", "release", "--problem", "p.toml")


@pytest.mark.usefixtures("folder")
def test_a_right_sampler_is_not_refuted_and_that_is_no_proof(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out = asked(capsys, "mine.py:right", "--kind", "sampler", "--problem", "p.toml",
                      "--draws", "20000", "--excess", "1/100")  # fmt: skip
    assert code == 0
    assert out.startswith("mine.py:right: not refuted 20000 draws of each of 2 secrets of p.toml, ")
    assert "That is no proof. A chance that is off by more than 0.0" in out
    assert "draws of each secret show an excess of 0.01" in out
    code, out = asked(capsys, "mine.py:right", *RELEASE, "--draws", "20000")
    assert code == 0
    assert "That is no proof. An excess of delta above 0.0" in out
    claim = r"Claim: from a to b, event y <= 0\.2\d+: delta is at least 0\.1"
    assert re.search(claim, out)
    code, out = asked(capsys, "mine.py:right", *RELEASE, "--draws", "20")
    assert (code, "So few draws show no excess at all" in out) == (0, True)


@pytest.mark.usefixtures("folder")
def test_digits_that_tell_are_refuted_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--kind", "sampler", "--problem", "p.toml", "--draws", "8000")
    code, out = asked(capsys, "mine.py:floats", *options)
    assert code == 1
    assert out.startswith("mine.py:floats: refuted at level 1e-06")
    assert "The digits tell: from a to b, floats that are reachable by scale * log(U): " in out
    assert "where 0.2212 is allowed" in out
    assert "The law fails" not in out
    code, found = data(capsys, "mine.py:floats", *options)
    assert code == 1
    assert len(found["leaks"]) == 16
    worst = max(found["leaks"], key=lambda one: float(one["delta"]["lower"]))
    assert worst["refuted"]
    assert (worst["draws"], worst["draws_to"]) == (4000, 4000)
    assert worst["count_to"] < 20 < worst["count"]
    code, out = asked(capsys, "mine.py:right", *options)
    assert code == 0
    assert "Digits: 16 events (lowest bit, size and lowest bit, " in out
    assert "none given the other, would have been seen (in 99 of 100 runs)" in out


@pytest.mark.usefixtures("folder")
def test_so_few_draws_tell_nothing_by_their_digits(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = asked(capsys, "mine.py:floats", "--kind", "sampler", "--problem", "p.toml",
                      "--draws", "20")  # fmt: skip
    assert code == 0
    assert "tested on the other. So few draws show no excess at all" in out


def test_a_wrong_sampler_and_a_wrong_claim_are_refuted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = asked(capsys, "mine.py:wide", "--kind", "sampler", "--problem", "p.toml",
                      "--draws", "2000")  # fmt: skip
    assert code == 1
    assert out.startswith("mine.py:wide: refuted at level 1e-06")
    assert "The law fails: given a, y <= " in out
    assert "which is more than it explains" in out
    stated(folder, POINTS, DELTA='"1/10"')
    code, found = data(capsys, "mine.py:right", *RELEASE, "--draws", "20000", "--seed", "4")
    assert (code, found["found"], found["seed"]) == (1, "refuted", 4)
    assert [one["refuted"] for one in found["claims"]] == [True, True]
    assert not any(one["refuted"] for one in found["events"])
    assert list(found)[:4] == ["schema", "version", "problem", "digest"]
    assert found["problem"] == "p.toml"
    low, exact = (float(found["claims"][0][key]["lower"]) for key in ("delta", "exact"))
    assert 0.1 < low < exact < 0.222


def test_a_level_is_shared_by_all_tests(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stated(folder, POINTS, DELTA='"1/5"')
    found = {}
    for level in ("1e-6", "1/20"):
        _, one = data(capsys, "mine.py:right", *RELEASE, "--draws", "5000", "--level", level)
        found[level] = [float(claim["delta"]["lower"]) for claim in one["claims"]]
    assert found["1e-6"][0] < found["1/20"][0]


def test_a_file_of_draws(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{secret},{k / 100}" for secret in "ab" for k in range(-300, 300)]
    (folder / "draws.csv").write_text("secret,output\n" + "\n".join(rows), "utf-8")
    code, found = data(capsys, "draws.csv", "--kind", "sampler", "--problem", "p.toml")
    assert (code, found["signature"], found["seed"]) == (1, None, None)  # they are uniform
    assert [one["draws"] for one in found["draws"]] == [600, 600]
    code, out = asked(capsys, "draws.csv", *RELEASE)
    assert "600 draws of each of 2 secrets" in out
    assert main(["crosscheck", "draws.csv", *RELEASE, "--csv"]) == 1
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(table) == len(found["events"])
    assert {row["refuted"] for row in table} == {"", "more", "fewer"}
    assert main(["crosscheck", "draws.csv", *RELEASE, "--draws", "3"]) == 2
    assert "a file has its own draws" in capsys.readouterr().err


def test_opendp_s_delta_is_refuted_from_its_own_draws(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its issue 2922: what is below 5 is suppressed, and the tail above 5 is computed."""
    stated(folder, COUNT, DELTA=REPORTED, KEEP="at-least")
    mechanism = f"{OPENDP}:laplace_threshold"
    code, found = data(capsys, mechanism, *RELEASE, "--draws", "20000")
    assert code == 1
    assert not any(one["refuted"] for one in found["events"])  # its noise is what it says
    (there, back) = found["claims"]
    assert (there["from"], there["to"], there["refuted"]) == ("row", "no row", True)
    assert there["event"] == "'5 and more'"
    assert float(there["delta"]["lower"]) > 0.0049258
    assert not back["refuted"]
    stated(folder, COUNT, DELTA=EXACT, KEEP="at-least")
    assert data(capsys, mechanism, *RELEASE, "--draws", "20000")[0] == 0
    # as its delta reads, 5 itself would be suppressed: its draws refute that law
    stated(folder, COUNT, DELTA=REPORTED, KEEP="above")
    code, found = data(capsys, mechanism, *RELEASE, "--draws", "20000")
    assert (code, [one["refuted"] for one in found["events"]].count("more") > 0) == (1, True)


def test_ties_that_are_rounded_the_other_way_are_found(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for ties, other in (("even", "up"), ("up", "even")):
        stated(folder, HALVES, TIES=ties)
        arguments = ("--kind", "sampler", "--problem", "p.toml", "--draws", "1000")
        assert asked(capsys, f"mine.py:{ties}", *arguments)[0] == 0
        assert asked(capsys, f"mine.py:{other}", *arguments)[0] == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--kind", "sampler"], "expected MODULE:FUNCTION or DRAWS.csv, and --problem FILE"),
        (["mine.py:right", "--kind", "sampler"], "expected MODULE:FUNCTION or DRAWS.csv, and"),
        (["gone.csv", *RELEASE], "gone.csv: No such file"),
        (["mine.py:gone", *RELEASE], "there is no 'gone'"),
        (["mine.py:right", *RELEASE, "--cases", "3"], "--kind release: takes --problem, --draws"),
        (["mine.py:right", *RELEASE, "--noise", "laplace"], "--kind release: takes --problem"),
        (["mine.py:right", *RELEASE, "--draws", "0"], "--draws: 0 is no number from 1 to 10000000"),
        (["mine.py:right", *RELEASE, "--level", "2"], "level: 2 is no number above 0"),
        (["mine.py:right", *RELEASE, "--level", "often"], "cannot read 'often'"),
        (["mine.py:right", *RELEASE, "--excess", "0"], "excess: '0' is no number above 0"),
        (["mine.py:right", "--kind", "scale", "--draws", "3"], "only with --kind sampler or"),
        (["mine.py:right", "--kind", "release", "--problem", "gone.toml"], "gone.toml"),
        (["mine.py:right", "--kind", "draws"], "accountant, sampler, release"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert main(["crosscheck", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_the_problem_is_read_and_not_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (folder / "p.toml").read_bytes()
    asked(capsys, "mine.py:wide", *RELEASE, "--draws", "100")
    assert (folder / "p.toml").read_bytes() == before
    assert Problem.load(folder / "p.toml").release.noise.scale is not None

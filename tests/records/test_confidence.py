"""Confidence regions from records: what is written, asked for, refused, and said in a report."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Confidence, InputError, Laplace, Problem, System, certify, check
from pfverify.answers.calibrate import least_scale
from pfverify.edge.cli import main
from pfverify.exact.binomial import interval

ROWS = "smoker,job,age\n" + "".join(
    f"{smoker},{job},{age}\n" * times
    for smoker, job, age, times in (
        ("yes", "a", 1, 30), ("yes", "b", 2, 50), ("no", "a", 1, 40), ("no", "b", 3, 35),
    )
)  # fmt: skip


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(ROWS)
    return path


def test_a_newcomer_goes_from_a_table_to_a_report(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(tmp_path / name) for name in ("p.toml", "s.toml", "c.cert", "r.html")]
    problem, scaled, cert, page = files
    asked = ["--secret", "smoker", "--public", "job=a", "--confidence", "0.95"]
    assert main(["prior", str(table), *asked, "--epsilon", "1/2", "-o", problem]) == 0
    assert "random sample" in " ".join(capsys.readouterr().out.split())
    family = Problem.load(problem).source.stated_laws["default"]["smoker=yes"]  # type: ignore[attr-defined]
    assert family == Confidence({"0": 50, "1": 30}, "95/100")
    assert main(["calibrate", problem, "--write", scaled]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "If every law were exactly the one that its family is around, the scale would be" in out
    assert main(["certify", scaled, "-o", cert]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "1 pair of secrets, both orders, every member of the families: 4 pairs" in out
    assert "with a probability of at least 95 %" in out
    assert check(scaled, cert).word == "certified"
    assert main(["report", scaled, "--cert", cert, "-o", page]) == 0
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", Path(page).read_text("utf-8")))
    assert "holds any belief in the families of this report" in text
    assert "the 95 % confidence region of 80 records" in text
    assert "one of the 4 beliefs" not in text
    assert main(["report", scaled, "--cert", cert, "--redact", "-o", page]) == 0
    text = Path(page).read_text("utf-8")
    assert "any law of a family" in text
    assert not re.search(r"\b(80|75) records|4 pairs|smoker=yes #", text)


def test_an_alphabet_has_values_that_no_record_has() -> None:
    rows = [("a", 0)] * 9 + [("a", 1)] * 8 + [("b", 0)] * 7 + [("b", 1)] * 9
    problems = [
        Problem.from_records(rows, epsilon=1, confidence="0.9", alphabet=alphabet)
        for alphabet in (None, ["0", "1", "2"])
    ]
    few, more = (next(iter(one.source.stated_laws["default"].values())) for one in problems)  # type: ignore[attr-defined]
    assert few.alphabet is None
    assert more.alphabet == ("0", "1", "2")
    assert len(problems[0].beliefs) == 4 < len(problems[1].beliefs)
    again = Problem.from_table(problems[1].to_table())
    assert again == problems[1]


@pytest.mark.parametrize(("options", "said"), [
    ({"confidence": 2}, "--confidence|confidence: 2 is not between 0 and 1"),
    ({"confidence": "0.9", "release": "sum", "rest": "known"}, "goes with rest=\"any\""),
    ({"confidence": "0.9", "release": "histogram"}, "a region is of one number"),
    ({"confidence": "0.9", "release": "sum", "absent": "a"}, "already"),
    ({"confidence": "0.9", "release": "sum", "absent": "a #1"}, "already"),
    ({"confidence": "0.9", "release": "sum", "alphabet": range(6)}, "have 6 values, expected at"),
    ({"confidence": "0.9", "fit": "gaussian"}, "leave out"),
    ({"alphabet": [1]}, "goes with"),
])  # fmt: skip
def test_what_does_not_go_together_is_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Problem.from_records([("a", 0), ("b", 1)], epsilon=1, **options)  # type: ignore[arg-type]


def test_the_command_refuses_in_one_line(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = ["prior", str(table), "--secret", "smoker"]
    for options, said in (
        (["--public", "age", "--confidence", "1"], "not between 0 and 1"),
        (["--public", "age", "--alphabet", "1,2,3"], "--alphabet: goes with --confidence"),
        (["--public", "age,job=a", "--confidence", "0.9"], "it is for one column"),
        (["--public", "age", "--confidence", "0.9", "--alphabet", "1,2"], "alphabet: it lacks"),
    ):
        assert main([*base, *options]) == 2
        err = capsys.readouterr().err
        assert said in err
        assert err.count("\n") == 1


def test_the_joint_level_counts_every_interval_of_the_file() -> None:
    """One interval for each secret on two values: with a third secret each is wider."""
    counts = {"0": 40, "1": 60}
    ends = []
    for size in (2, 3):
        region = {str(k): Confidence(counts, "0.95") for k in range(size)}
        problem = Problem(region, noise=Laplace(1), epsilon=1)
        laws = [law for pair in problem.beliefs.values() for law in pair.values()]
        ends.append(max(law.mass[Fraction(1)] for law in laws))  # type: ignore[attr-defined]
    highs = [interval(100, 60, Fraction(1, 20) / size, 10**9)[1] for size in (2, 3)]
    assert ends == [Fraction(high, 10**9) for high in highs]
    assert ends[0] < ends[1]


def test_json_of_calibrate_has_the_estimate(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "p.toml")
    asked = ["--secret", "smoker", "--public", "age", "--confidence", "0.95"]
    assert main(["prior", str(table), *asked, "-o", path]) == 0
    capsys.readouterr()
    assert main(["calibrate", path, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert set(data["estimate"]) == {"lower", "upper", "reason"}
    least = Fraction(data["minimum"]["upper"])
    assert least > 0
    assert certify(Problem.load(path).replaced(scale=least)).certified


COUNTS = {"a": {0: 30, 2: 5, 3: 9}, "b": {0: 20, 2: 11, 3: 2}}
RECORDS = [(s, x) for s, counts in COUNTS.items() for x, n in counts.items() for _ in range(n)]


@pytest.mark.parametrize(
    ("more", "value", "over"),
    [
        ({"release": "sum"}, {}, 1),
        ({"release": "mean"}, {}, len(RECORDS)),
        ({"release": "sum", "delta": "1/50"}, {"delta": "1/50"}, 1),
        ({"release": "sum", "alphabet": [0, 1, 2, 3]}, {"alphabet": [0, 1, 2, 3]}, 1),
        ({"release": "count", "public": "x=3"}, {"public": "x=3"}, 1),
    ],
)
def test_in_a_sum_the_region_is_that_of_one_record(
    more: dict[str, Any], value: dict[str, Any], over: int
) -> None:
    """Two routes to one number: the extreme laws as users of a system of which nothing is known
    of the others, and the family of laws of one record, of which the order of places decides."""
    rows = [{"secret": s, "x": x} for s, x in RECORDS]
    asked: dict[str, Any] = {"public": "x", "epsilon": "1/2", "confidence": "0.95"}
    found = Problem.from_records(rows, secret="secret", **{**asked, **more})
    alone = Problem.from_records(rows, secret="secret", **{**asked, **value})
    assert found.to_table()["system"]["rest"] == "any"
    counted = Problem.from_records(
        rows, secret="secret", **{**asked, **value, "confidence": None, "alphabet": None}
    )
    least, one, known = (least_scale(problem, 9).upper for problem in (found, alone, counted))
    assert abs(Fraction(str(least)) * over - Fraction(str(one))) <= Fraction(str(one)) / 10**7
    assert one > known  # the region asks for more than the counts alone
    compared = {name for pair in found.pairs for name in pair}
    assert all(first.split(" #")[0] != second.split(" #")[0] for first, second in found.pairs)
    assert compared == {*found.beliefs["default"]}
    assert found.provenance is not None
    assert "95 % confidence regions" in (found.provenance.region or "")


@settings(max_examples=15, deadline=None)
@given(st.fractions(0, 1, max_denominator=50), st.fractions(0, 1, max_denominator=50),
       st.fractions(0, 1, max_denominator=9), st.booleans())  # fmt: skip
def test_every_law_of_the_region_is_hidden_in_every_crowd(
    at: Fraction, other: Fraction, crowd: Fraction, absent: bool
) -> None:
    rows = [{"s": s, "x": x} for s, ones in (("a", 12), ("b", 31)) for x in [1] * ones + [0] * 40]
    asked: dict[str, Any] = {"secret": "s", "public": "x=1", "epsilon": 1, "release": "count"}
    if absent:
        asked["absent"] = "away"
    problem = Problem.from_records(rows, confidence="0.9", **asked)
    user = problem.to_table()["system"]["user"]
    ends = {
        name: sorted(Fraction(user[f"s={name} #{k}"]["mass"]["1"]) for k in (1, 2))
        for name in "ab"
    }
    chances = [
        low + share * (high - low)
        for share, (low, high) in zip((at, other), ends.values(), strict=True)
    ]
    scale = least_scale(problem, 9).upper
    cases: dict[str, Any] = {n: {"bernoulli": p} for n, p in zip("ab", chances, strict=True)}
    cases |= {"away": "absent"} if absent else {}
    inside = System([{"bernoulli": crowd, "count": 3}], cases)
    assert certify(Problem(system=inside, noise=Laplace(str(scale)), epsilon=1)).certified


def test_a_value_that_is_the_secret_needs_no_region(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "p.toml")
    asked = ["--secret", "smoker", "--confidence", "0.95", "-o", out]
    for public in (["--public", "smoker=yes", "--release", "count", "--absent", "away"],
                   ["--public", "smoker", "--release", "histogram"]):  # fmt: skip
        assert main(["prior", str(table), *asked, *public]) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert "any: of the 154 others only independence is assumed, whatever their laws" in said
        assert "the secrets are the values themselves, of which nothing is counted" in said
        problem = Problem.load(out)
        assert problem.to_table()["system"]["rest"] == "any"
        assert all("#" not in name for pair in problem.pairs for name in pair)
        assert problem.provenance is not None
        assert problem.provenance.region is None
    # one category under each secret is what was counted, and no value of the secret
    rows = [{"s": s, "x": f"of {s}"} for s in "aabb"]
    with pytest.raises(InputError, match="a region is of one number"):
        Problem.from_records(rows, secret="s", public="x", epsilon=1, release="histogram",
                             confidence="0.9")  # fmt: skip


def test_the_way_from_a_table_to_a_count_in_a_region(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem, scaled, cert = (str(tmp_path / name) for name in ("p.toml", "s.toml", "c.cert"))
    asked = ["--secret", "smoker", "--public", "job=a", "--release", "count"]
    assert main(["prior", str(table), *asked, "--confidence", "0.95", "-o", problem]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Assumed: Confidence regions say how far" in said
    assert "rests on one record's value having a law in the confidence regions." in said
    assert "smoker=yes: 80" in said
    assert main(["calibrate", problem, "--write", scaled, "--method", "minimum"]) == 0
    assert main(["certify", scaled, "-o", cert]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "the laws given are the extreme ones of the 95 % confidence regions" in said
    assert check(scaled, cert).word == "certified"
    assert main(["prior", str(table), *asked[:2], "--public", "age", "--release", "sum",
                 "--confidence", "0.9", "--alphabet", "1,2,3,4,5,6"]) == 2  # fmt: skip
    err = capsys.readouterr().err
    assert "have 6 values, expected at most 5 beside --release: say fewer values (--bins" in err
    assert err.count("\n") == 1

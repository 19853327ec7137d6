"""Confidence regions from records: what is written, asked for, refused, and said in a report."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from pfverify import Confidence, InputError, Laplace, Problem, certify, check
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
    assert "For the laws alone that the families are around, the scale is" in out
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
    assert "any of a family" in text
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
    ({"confidence": "0.9", "release": "count"}, "leave out"),
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

"""Both scales of counted priors: of the counts as exact, and of all laws that they leave possible.

The table is like one of a town: few people get the benefit, and few are old.
"""

from __future__ import annotations

import csv
import json
import random
import shlex
import tomllib
from fractions import Fraction
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from pfverify import Problem, certify
from pfverify.answers.calibrate import least_scale
from pfverify.answers.methods import Minimum, RegionScale
from pfverify.answers.region import region_scale
from pfverify.edge.cli import main
from pfverify.edge.region_words import region_words
from pfverify.model.counted import region_of
from pfverify.model.digest import problem_digest

AGES = {20: (400, 45), 30: (500, 50), 40: (450, 60), 50: (300, 42), 70: (60, 3), 80: (20, 1),
        85: (2, 0)}  # fmt: skip
"""Age -> records without and with the benefit."""


def town(path: Path, ages: dict[int, tuple[int, int]] = AGES) -> Path:
    rows = [
        (benefit, age, 100 * age + k % 97) for age, counts in ages.items()
        for benefit, count in zip(("no", "yes"), counts, strict=True) for k in range(count)
    ]  # fmt: skip
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("benefit", "age", "income"), *rows])
    return path


def flat(text: str) -> str:
    return " ".join(text.replace("\\", "").split())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    town(Path("town.csv"))


ASKED = ["prior", "town.csv", "--secret", "benefit", "--public", "age", "--epsilon", "1"]


def least(problem: Problem) -> Minimum:
    return least_scale(problem, 12)


@pytest.mark.usefixtures("here")
def test_both_scales_are_given_from_the_table_to_the_report(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*ASKED, "--confidence", "0.95", "-o", "region.toml"]) == 0
    capsys.readouterr()
    assert main([*ASKED, "-o", "town.toml"]) == 0
    counted = flat(capsys.readouterr().out)
    exact, whole = (least(Problem.load(f"{name}.toml")).upper for name in ("town", "region"))
    assert 0 < 3 * exact < whole  # the counts cannot carry the scale that they give
    assert "Next: pfverify calibrate town.toml --write town-scaled.toml --method region" in counted
    assert main(["calibrate", "town.toml"]) == 0
    found = flat(capsys.readouterr().out)
    assert f"at most {exact} (certified)" in found
    assert main(["certify", "town.toml", "--scale", "2"]) in (0, 1)
    said = "the counts of the records are exact (prior --confidence 0.95 allows"
    assert said in flat(capsys.readouterr().out)

    following = counted.split("Next: pfverify ")[1].split(" Confidential")[0]
    assert main(shlex.split(following)) == 0
    out = capsys.readouterr().out
    wrote = "(region, for all laws that the counts leave possible, rounded up), certified"
    assert wrote in flat(out)
    scaled = Problem.load("town-scaled.toml")
    scale = scaled.scale().fraction
    assert scale is not None
    assert Fraction(str(whole)) <= scale < Fraction(str(whole)) * Fraction(101, 100)
    asked = Problem.load("region.toml")
    assert problem_digest(scaled) == problem_digest(asked.replaced(scale=scale))
    told = tomllib.loads(Path("town-scaled.toml").read_text())["provenance"]["warning"]
    assert told == tomllib.loads(Path("region.toml").read_text())["provenance"]["warning"]
    (line,) = (one for one in out.splitlines() if one.startswith("Next: "))
    for one in line.removeprefix("Next: ").split(" && "):
        assert main(shlex.split(one)[1:]) == 0
    assert main(["check", "town-scaled.toml", "town-scaled.cert", "--expect", "certified"]) == 0
    assert main(["report", "town-scaled.toml", "-o", "region.md"]) == 0
    assert main(["calibrate", "town.toml", "--write", "m.toml", "--method", "minimum"]) == 0
    assert "(minimum, for the counts as exact, rounded up)" in flat(capsys.readouterr().out)
    assert main(["report", "m.toml", "-o", "exact.md"]) == 0
    reported = flat(Path("exact.md").read_text())
    assert "is not private for all of them." in reported
    around = "If every law were exactly the one that its family is around, the scale would be above"
    assert around in flat(Path("region.md").read_text())
    assert counted.index("region: it is") < counted.index("Next: ") < counted.index("Confidential")
    assert "minimum: the scale is" in counted
    assert "all laws that the counts leave possible at 95 % (recommended)" in counted
    assert "The recipes below are for the counts as exact" in found
    for text in (found, reported):
        assert "takes the counts of the records as exact (--method minimum)." in text
        assert "at 95 % (--method region; prior --confidence 0.95 writes them) it is" in text
    for text in (counted, found, reported):
        assert "of benefit=yes may have value 80 (1 of 201 records) and only" in text
        assert "With neighbouring values merged until each has 20 records of every secret" in text


@pytest.mark.usefixtures("here")
def test_merging_gives_what_it_is_said_to_give(capsys: pytest.CaptureFixture[str]) -> None:
    merge = ["--merge-rare", "20"]
    assert main([*ASKED, "-o", "town.toml"]) == 0
    assert main([*ASKED, *merge, "-o", "merged.toml"]) == 0
    assert main([*ASKED, *merge, "--confidence", "0.95", "-o", "both.toml"]) == 0
    found = region_scale(Problem.load("town.toml"), few=20)
    assert found is not None
    assert found.merged is not None
    assert found.least is not None
    assert found.merged.region is not None
    assert found.merged.region.upper < found.least.upper
    for name, scale in (("merged", found.merged.counts), ("both", found.merged.region)):
        assert scale == least_scale(Problem.load(f"{name}.toml"), 4)
    table = tomllib.loads(Path("merged.toml").read_text())
    counts = [law["counts"] for law in table["priors"].values()]
    assert [*counts[0]] == [*counts[1]] == ["20", "30", "40", "50"]  # 50 to 85 as 50
    assert min(n for law in counts for n in law.values()) >= 20
    assert "50 to 85 as 50" in table["provenance"]["bins"]
    capsys.readouterr()
    assert main(["certify", "both.toml", "--scale", "30"]) == 0
    said = flat(capsys.readouterr().out)
    assert "neighbours merged until each has 20 records per secret, by these records" in said
    assert "(a confidence level is meant for intervals chosen beforehand)" in said


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("options", "said"), [
    (["--public", "age", "--merge-rare", "500"], "500: a secret has 201 records, fewer than 500"),
    (["--public", "age", "--merge-rare", "150"], "all values would become one"),
    (["--public", "age", "--merge-rare", "-1"], "'-1', expected a number of records"),
    (["--public", "age=20", "--merge-rare", "5"], "it merges neighbouring numbers"),
    (["--public", "age", "--release", "mean", "--merge-rare", "5"], "it merges neighbouring"),
    (["--public", "age,income", "--merge-rare", "5"], "it is for one column"),
])  # fmt: skip
def test_what_cannot_be_merged_is_refused_in_one_line(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prior", "town.csv", "--secret", "benefit", *options, "-o", "x.toml"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("options", "why"), [
    (["--public", "age", "--fit", "gaussian"], "fitted laws have no confidence regions"),
    (["--public", "age,income"], "confidence regions are of one number"),
    (
        ["--public", "age", "--release", "mean", "--clip", "0,99"],
        "of a mean over all rows prior --confidence 0.95 writes them, if you also say intervals, "
        "at most 5 (--bins)",
    ),
])  # fmt: skip
def test_where_there_is_no_region_one_phrase_says_why(
    options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    delta = ["--delta", "1e-6", "--noise", "gaussian"] if "--fit" in options else []
    asked = ["prior", "town.csv", "--secret", "benefit", *options, *delta, "-o", "x.toml"]
    assert main(asked) == 0
    said = flat(capsys.readouterr().out)
    assert f"None is worked out for all laws that they leave possible: {why}." in said
    assert "--method region" not in said


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("options", [
    ["--secret", "benefit", "--public", "age=20", "--release", "count", "--confidence", "0.95"],
    ["--secret", "benefit", "--public", "benefit=yes", "--release", "count"],
    ["--secret", "age", "--public", "age", "--release", "histogram"],
])  # fmt: skip
def test_regions_are_no_advice_where_they_are_stated_or_nothing_is_counted(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prior", "town.csv", *options, "-o", "x.toml"]) == 0
    assert main(["calibrate", "x.toml"]) == 0
    assert "as exact" not in flat(capsys.readouterr().out)
    asked = ["prior", "town.csv", "--secret", "benefit", "--public", "age=20", "-o", "y.toml"]
    assert main([*asked, "--release", "count"]) == 0
    advice = "of a count over all rows prior --confidence 0.95 writes them."
    assert advice in flat(capsys.readouterr().out)  # and it can be followed
    assert main([*asked, "--release", "count", "--confidence", "0.95"]) == 0


@pytest.mark.usefixtures("here")
def test_the_advice_to_say_intervals_can_be_followed(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["prior", "town.csv", "--secret", "benefit", "--public", "age", "--release", "mean",
             "--clip", "0,99", "--confidence", "0.95", "-o", "x.toml"]  # fmt: skip
    assert main(asked) == 2
    assert "expected at most 5" in capsys.readouterr().err
    assert main([*asked, "--bins", "0,20,40,60,80,100"]) == 0


@pytest.mark.usefixtures("here")
def test_at_epsilon_0_it_is_said_that_no_scale_works_and_nothing_hangs_on_cells(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for options in (["--public", "age"], ["--public", "age=20", "--release", "count"]):
        base = ["prior", "town.csv", "--secret", "benefit", "--epsilon", "0"]
        assert main([*base, *options, "-o", "x.toml"]) == 0
        said = flat(capsys.readouterr().out)
        assert "No scale works: epsilon = delta = 0 and the priors of" in said
        assert "Choose an epsilon above 0 (--epsilon)." in said
        for words in ("hangs", "Leaving", "Next:", "does not exist", "--method"):
            assert words not in said, words
        assert main(["calibrate", "x.toml"]) == 0
        said = flat(capsys.readouterr().out)
        assert said.count("No scale works: ") == 1
        assert "hangs" not in said


@pytest.mark.usefixtures("here")
def test_of_members_the_worst_of_each_direction_is_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*ASKED, "--confidence", "0.95", "-o", "region.toml"]) == 0
    capsys.readouterr()
    assert main(["certify", "region.toml", "--scale", "40", "--json"]) == 0
    pairs = json.loads(capsys.readouterr().out)["pairs"]
    assert len(pairs) > 10
    assert main(["certify", "region.toml", "--scale", "40"]) == 0
    out = capsys.readouterr().out
    assert f"Of {len(pairs)} pairs of members each row is the worst one" in flat(out)
    rows = [line for line in out.splitlines() if "│" in line]
    assert len(rows) == 2
    worst = max(float(pair["loss"]["upper"]) for pair in pairs)
    assert any(f"{worst:.6f}"[:7] in row for row in rows)


def test_too_many_values_are_refused_and_many_take_a_while() -> None:
    rows = [(k % 2, k // 4) for k in range(4 * 800)]
    found = region_scale(Problem.from_records(rows, epsilon=1), few=20)
    assert found is not None
    assert (found.least, found.long) == (None, True)
    assert found.why == "800 values of X in 1 pair take a while"
    assert found.merged is not None
    assert found.merged.region is not None
    assert found.merged.values == 80
    words = " ".join(region_words(found, "scale"))
    assert "calibrate --write FILE --method region works it out" in words
    rows = [(k % 2, k // 2) for k in range(2 * 3001)]
    found = region_scale(Problem.from_records(rows, epsilon=1))
    assert found == RegionScale(
        Fraction(19, 20), why="there are 3001 values of X, and at most 3000 are worked out"
    )


def test_what_has_no_counts_has_no_region() -> None:
    for name in ("gaussian-pair", "dummies", "wrong-prior", "threshold"):
        assert region_scale(Problem.load(f"example:{name}")) is None


def test_the_region_is_wider_than_the_counts_on_random_tables() -> None:
    """It holds the counts themselves, so that its scale is never smaller: two routes agree."""
    chance, larger = random.Random(4), 0
    for _ in range(12):
        sizes = [chance.randrange(9, 60) for _ in range(2)]
        rows = [(s, chance.randrange(4 + s)) for s in (0, 1) for _ in range(sizes[s])]
        problem = Problem.from_records(rows, epsilon="1/2")
        found = region_scale(problem)
        assert found is not None
        assert found.least is not None
        assert found.least == least(region_of(problem))
        assert found.least.upper >= least(problem).upper
        larger += found.least.upper > least(problem).upper
        if found.least.upper > 0:
            assert certify(problem.replaced(scale=found.least.upper)).certified
        for cell in found.cells:
            assert cell.most > cell.least
    assert larger >= 10


@pytest.mark.usefixtures("here")
def test_json_has_the_region_and_keeps_to_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ASKED, "-o", "town.toml"]) == 0
    capsys.readouterr()
    for command, name in ((["calibrate", "town.toml"], "calibrate"), (ASKED, "prior")):
        assert main([*command, "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        folder = resources.files("pfverify.edge.schemas")
        schema = json.loads(folder.joinpath(f"{name}.schema.json").read_text())
        jsonschema.validate(data, schema)
        assert data["region"]["level"] == "0.95"
        region = least(region_of(Problem.load("town.toml")))
        assert data["region"]["minimum"]["upper"] == str(region.upper)
        assert data["region"]["words"]


@pytest.mark.usefixtures("here")
def test_what_is_hidden_and_what_is_not_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    base = ["prior", "town.csv", "--secret", "benefit", "--scale", "900"]
    assert main([*base, "--public", "income", "-o", "p.toml"]) == 0
    counted = flat(capsys.readouterr().out)
    main(["report", "p.toml", "-o", "p.md"])
    said = "What is hidden is benefit: which of its values somebody has. The published column "
    assert "pfverify prior town.csv --secret income --public income says how" in counted
    for text in (counted, flat(Path("p.md").read_text())):
        assert f"{said}itself (income) is not" in text
    more = ["--public", "age", "--release", "mean", "--clip", "0,99", "--where", "age < 80"]
    assert main([*base, *more, "-o", "p.toml"]) == 0
    said = flat(capsys.readouterr().out).split(": of that an output")[1]
    command = said.split("pfverify ")[1].split(" says how")[0]
    main(["report", "p.toml", "-o", "p.md"])  # at 900 every value from 0 to 99 is hidden
    assert "So is what somebody adds (age): at this scale every value is." in (
        flat(Path("p.md").read_text())
    )
    assert main([*shlex.split(command), "-o", "q.toml"]) == 0
    capsys.readouterr()
    assert main([*base, "--public", "age,income", "-o", "p.toml"]) == 0
    assert "The published columns themselves (age,income) are not" in flat(capsys.readouterr().out)
    own = ["--secret", "age", "--public", "age", "--release", "mean", "--clip", "0,99"]
    assert main(["prior", "town.csv", *own, "-o", "p.toml"]) == 0
    assert "What is hidden" not in flat(capsys.readouterr().out)


@pytest.mark.usefixtures("here")
def test_who_asks_to_hide_the_published_number_is_told_how(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Path("town.csv").open("a") as file:
        file.writelines(f"no,20,{k}\n" for k in range(1200))
    asked = ["prior", "town.csv", "--secret", "income", "--public", "income"]
    scales = []
    for options in (["--clip", "0,5000"], ["--clip", "0,5000", "--release", "mean"]):
        assert main([*asked, *options]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        Path("bounds.json").write_text(err.split("its two bounds: ")[1])
        assert main(["calibrate", "bounds.json"]) == 0
        capsys.readouterr()
        scales.append(least(Problem.load("bounds.json")).upper)
    rows = len(Path("town.csv").read_text().splitlines()) - 1
    assert scales[0] == 5000
    assert Fraction(5000, rows) <= Fraction(str(scales[1])) < Fraction(5001, rows)
    assert main([*asked, "--epsilon", "0.5"]) == 2
    err = capsys.readouterr().err
    assert '"epsilon": "0.5"' in err
    assert '"mass": {"LOW": 1}' in err
    assert main([*asked, "--release", "mean", "--bins", "0,2000,5000,10000", "-o", "x.toml"]) == 0
    assert "income=0 to below 2000: " in capsys.readouterr().out

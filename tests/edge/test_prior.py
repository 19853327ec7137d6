"""`pfverify prior`: from a table to a problem, equal in every count, or one line that says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from pfverify.edge.cli import main
from pfverify.edge.packaged import load_example
from pfverify.model.digest import problem_digest
from pfverify.model.problem import Problem

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the public data files are not here")

CODES = (
    "State-gov=0,Self-emp-not-inc=1,Private=2,Federal-gov=3,Local-gov=4,?=5,Self-emp-inc=6,"
    "Without-pay=7,Never-worked=8"
)
PATIENTS = "age,sex,cp,trestbps,chol,fbs,restecg,thalach,exang,oldpeak,slope,ca,thal,num"
# the packaged problem -> the command that makes it; the rows of adult.test end in a full stop
REGENERATED = {
    "census": [
        "adult.csv.gz", "--secret", "marital-status", "--public", "workclass", "--codes", CODES,
        "--where", "workclass != ? or income in ('<=50K', '>50K')", "--short-names",
        "--pairs", "Married-civ-spouse:Never-married", "--scale", "1.15",
    ],
    "student": [
        "student-por.csv", "--secret", "higher", "--public", "romantic", "--codes", "no=0,yes=1",
        "--pairs", "yes:no", "--scale", "0.53",
    ],
    "bank": [
        "bank-full.csv.gz", "--secret", "loan", "--public", "marital", "--codes", "order",
        "--pairs", "yes:no", "--scale", "0.46",
    ],
    "students-mean": [
        "student-por.csv", "--secret", "romantic", "--public", "romantic", "--codes", "no=0,yes=1",
        "--release", "mean", "--absent", "absent", "--pairs", "yes:no,yes:absent,no:absent",
        "--short-names", "--scale", "1/649",
    ],
    "education": [
        "adult.csv.gz", "--secret", "race", "--public", "education-num", "--fit", "mixture",
        "--where", "income in ('<=50K', '>50K')", "--pairs", "Black:Asian-Pac-Islander",
        "--delta", "1/2", "--scale", "1.82",
    ],
}  # fmt: skip


@needs_data
@pytest.mark.parametrize("name", REGENERATED)
def test_a_packaged_problem_is_regenerated_by_one_command(name: str, tmp_path: Path) -> None:
    file, *options = REGENERATED[name]
    output = tmp_path / "made.toml"
    if name == "education":
        pytest.importorskip("sklearn")
    assert main(["prior", str(DATA / file), *options, "--epsilon", "1", "-o", str(output)]) == 0
    made = Problem.load(output)
    assert made == load_example(name)
    assert problem_digest(made) == problem_digest(load_example(name))

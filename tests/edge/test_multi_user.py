"""The multi-user paper's figures as numbers: the counts, the scales, and the printed axes."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from pfverify.edge.cli import main
from pfverify.edge.papers import scales
from pfverify.edge.papers.scales import CurvesResult, cases_of, multi_user_curves, problem_of

COUNTS = Path(__file__).resolve().parents[3] / "shared" / "data" / "priors.json"
SETTINGS = cases_of("multi-user")
OF_SIX = {"multiuser-adult-relationship", "multiuser-adult-relationship-all"}  # not binary


@pytest.fixture(scope="module")
def found() -> CurvesResult:
    return multi_user_curves()


def test_every_scale_is_certified_and_none_is_below_the_minimum(found: CurvesResult) -> None:
    assert found.all_certified
    assert len(found.curves) == len(SETTINGS) == 14
    for curve in found.curves:
        for row in curve.rows:
            least = Fraction(row.minimum.upper)
            strict, relaxed = (Fraction(cell.scale) for cell in row.cells)
            assert strict >= relaxed >= Fraction(row.any_rest) >= least >= 0


def test_the_largest_scales_are_those_of_the_axes(found: CurvesResult) -> None:
    """The paper prints no numbers: at epsilon = 0.1 its curves end at these."""
    ends = {"Figure 4": 50, "Figure 5(a)": 160, "Figure 5(b)": 20, "Figure 5(c)": 30,
            "Figure 9(a)": 10, "Figure 9(b)": 10, "Figure 9(c)": 10, "Figure 8": 200}  # fmt: skip
    for curve in found.curves:
        assert Fraction(curve.rows[0].cells[0].scale) == ends[curve.figure]
    relaxed = {c.figure: c.rows[0].cells[1].scale for c in found.curves}
    assert str(relaxed["Figure 4"]).startswith("30.556")


def test_no_noise_is_needed_for_close_laws(found: CurvesResult) -> None:
    """Where the laws differ little against epsilon, the printed forms still ask for noise."""
    loans = next(curve for curve in found.curves if curve.figure == "Figure 9(c)")
    assert loans.rows[-1].minimum.upper == "0"
    assert Fraction(loans.rows[-1].cells[1].scale) > 0


def test_the_counts_are_those_of_the_data() -> None:
    if not COUNTS.exists():
        pytest.skip("the count tables are not beside the project")
    tables = [
        {*map(_law, entry["counts"].values())}
        for entry in json.loads(COUNTS.read_text("utf-8"))["priors"]
        if entry["paper"] == "ding-multi-user" and entry["id"] not in OF_SIX
    ]
    ours = [
        {_law(law["counts"]) for law in setting.system["user"].values() if "counts" in law}
        for setting in SETTINGS if "others" not in setting.system
    ]  # fmt: skip
    assert sorted(map(sorted, ours)) == sorted(map(sorted, tables))


def _law(counts: dict[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items()))


def test_the_problems_are_files() -> None:
    for setting in SETTINGS:
        problem = problem_of(setting, "1/2")
        assert type(problem).from_text(problem.to_toml()) == problem


def test_the_command(
    found: CurvesResult, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it prints of the curves; the examples of its help run it as it is."""
    monkeypatch.setattr(scales, "multi_user_curves", lambda _: found)
    assert main(["demo", "--multi-user", "--json"]) == 0
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert (data["all_certified"], err) == (True, "")
    assert {"figure", "reading", "rows"} == set(data["curves"][0])
    assert main(["demo", "--multi-user"]) == 0
    out, _ = capsys.readouterr()
    assert "Figure 9(c): loan, job blue-collar against management" in out
    assert "no noise" in out

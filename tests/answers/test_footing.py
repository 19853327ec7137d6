"""What a smallest scale rests on: the cells of few records, and the scale without them."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pfverify import Discrete, InputError, Laplace, Problem
from pfverify.answers.calibrate import least_scale
from pfverify.answers.footing import footing, hangs
from pfverify.edge.cli import main
from pfverify.edge.footing_words import footing_words

AGES = {30: (900, 250), 40: (800, 260), 81: (2, 1), 83: (1, 0), 85: (8, 0), 86: (0, 2)}
"""Age -> records without and with a loan: 14 of them are above 80."""


def rows_of(ages: dict[int, tuple[int, int]]) -> list[tuple[str, int]]:
    return [
        (loan, age) for age, counts in ages.items()
        for loan, count in zip(("no", "yes"), counts, strict=True) for _ in range(count)
    ]  # fmt: skip


def table(path: Path, ages: dict[int, tuple[int, int]]) -> Path:
    lines = [f"{loan},{age}" for loan, age in rows_of(ages)]
    path.write_text("\n".join(["loan,age", *lines, ""]), "utf-8")
    return path


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_scale_that_hangs_on_14_rows_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out, page = table(tmp_path / "b.csv", AGES), tmp_path / "b.toml", tmp_path / "b.md"
    asked = ["prior", str(data), "--secret", "loan", "--public", "age", "--scale", "30"]
    assert main([*asked, "-o", str(out)]) == 0
    counted = flat(capsys.readouterr().out)
    assert main(["calibrate", str(out)]) == 0
    found = flat(capsys.readouterr().out)
    assert main(["report", str(out), "-o", str(page)]) == 0
    reported = flat(page.read_text("utf-8").replace("\\", ""))
    for text in (counted, found, reported):
        assert "5 cells have fewer than 20 records: value 83 of loan=no: 1; value 81 of" in text
        assert "without all 5 (14 records) it is 0: the value itself is published." in text
        assert "hangs on these 14 records. Leaving out the rarest raises it and leaving" in text
        assert "86 under loan=yes (2 of 513 records), never under loan=no" in text
    capsys.readouterr()
    assert main(["calibrate", str(out), "--few", "2", "--json"]) == 0
    rests = json.loads(capsys.readouterr().out)["rests_on"]
    assert [cell["value"] for cell in rests["rare_cells"]] == ["83", "81"]
    assert main(["calibrate", str(out), "--few", "0"]) == 0
    assert "records:" not in capsys.readouterr().out
    assert main(["calibrate", str(out), "--few", "-1"]) == 2


counts = st.tuples(*[st.just(0) | st.integers(0, 30)] * 2)
ages = st.dictionaries(st.integers(0, 6), counts, min_size=1, max_size=5)


def test_without_the_cells_is_without_their_rows() -> None:
    met: Counter[str] = Counter()

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow],
              derandomize=True)  # fmt: skip
    @given(ages, st.integers(1, 12))
    def each(ages: dict[int, tuple[int, int]], few: int) -> None:
        compare(ages, few, met)

    each()
    assert min(met[case] for case in ("asked", "hangs", "alone", "zero")) >= 1, met


def compare(ages: dict[int, tuple[int, int]], few: int, met: Counter[str]) -> None:
    """Against the same question about a table that never had these rows."""
    big = {10: (40, 45), 11: (44, 41), **ages}
    found = footing(Problem.from_records(rows_of(big), epsilon="1/2"), few=few)
    cells = {(age, k): n for age, both in big.items() for k, n in enumerate(both) if 0 < n < few}
    assert len(found.rare) == len(cells)
    assert [cell.records for cell in found.rare] == sorted(cells.values())
    fewest = min(cells.values(), default=0)
    for bound, answer in ((fewest, found.without_rarest), (few, found.without_rare)):
        left = {
            age: (both[0] if (age, 0) not in cells or both[0] > bound else 0,
                  both[1] if (age, 1) not in cells or both[1] > bound else 0)
            for age, both in big.items()
        }  # fmt: skip
        if not cells:
            assert answer is None
            continue
        least = least_scale(Problem.from_records(rows_of(left), epsilon="1/2"), 4)
        assert answer is not None
        assert (answer.lower, answer.upper) == (least.lower, least.upper)
        met["asked"] += 1
    met["hangs"] += bool(hangs(found))
    met["alone"] += bool(found.alone)
    assert found.least is not None
    met["zero"] += found.least.upper == 0


def test_leaving_out_rare_records_may_raise_the_scale_and_that_is_said() -> None:
    """10 people of 60 are what keeps the value 60 from being told by one secret alone."""
    rows = rows_of({20: (500, 500), 60: (30, 10)})
    found = footing(Problem.from_records(rows, epsilon=1))
    left = rows_of({20: (500, 500), 60: (30, 0)})
    without = least_scale(Problem.from_records(left, epsilon=1), 4)
    assert found.least is not None
    assert found.without_rare == without
    assert without.upper > Fraction(3, 2) * found.least.upper > 0
    assert hangs(found) == [True, True]
    said = " ".join(footing_words(found, "scale"))
    assert "It hangs on these 10 records. Leaving them out raises it" in said
    assert "Merge such values with their neighbours instead (pfverify prior --merge-rare" in said
    alone = Problem.from_records(rows_of({20: (500, 500), 60: (12, 0)}), epsilon=1)
    assert "It hangs on these 12 records. Leaving them out lowers it." in words(alone)


def words(problem: Problem) -> str:
    return " ".join(footing_words(footing(problem), "scale"))


def test_without_records_nothing_is_said_of_them_but_lone_values_are_named() -> None:
    both = {0: "1/2", 1: "1/2"}
    lone = {0: "1/2", 1: "49/100", 9: "1/100"}
    said = words(Problem({"a": Discrete(both), "b": Discrete(lone)}, noise=Laplace(), epsilon=1))
    assert "9 under b (probability 0.01), never under a. Without them it is 0" in said
    assert "record" not in said.replace("one record more or fewer", "")
    wide = {0: Discrete({0: "9/10", 1: "1/10"}), 1: Discrete({0: "1/10", 1: "9/10"})}
    even = Problem({"a": wide[0], "b": wide[1]}, noise=Laplace(), epsilon=1)
    assert words(even) == ""


def test_a_minimum_of_0_says_what_it_rests_on() -> None:
    rows = rows_of({0: (300, 250), 1: (300, 350)})
    said = words(Problem.from_records(rows, epsilon=1))
    assert said.startswith("The smallest scale is 0, so that the value itself is published.")
    assert "value 0: 300 of 600 records under no against 250 of 600 records under yes" in said
    assert "a ratio of 1.2" in said


def test_a_mean_names_values_of_records_and_a_known_rest_is_not_asked_again() -> None:
    rows = rows_of({0: (300, 250), 1: (300, 350), 7: (1, 0)})
    said = words(Problem.from_records(rows, epsilon=1, release="mean", rest="any"))
    assert "value 7 of no: 1." in said
    assert "without the rarest (1 record) it is 0" in said
    known = words(Problem.from_records(rows, epsilon=1, release="mean"))
    assert "value 7 of no: 1." in known
    assert "not worked out: the law of the others comes from the same records" in known


def test_records_that_the_prior_cannot_come_from_are_told() -> None:
    problem = Problem.from_records(rows_of({0: (3, 2), 1: (2, 3)}), epsilon=1)
    wrong = problem.to_table()
    wrong["provenance"]["records"]["no"] = 7
    said = words(Problem.from_table(wrong))
    assert "[provenance] tells of records of no that its prior cannot come from." in said
    assert "of no:" not in said


def test_few_is_a_number_of_records() -> None:
    with pytest.raises(InputError, match="--few"):
        footing(Problem.load("example:census"), few=-1)


def test_intervals_are_advised_only_where_they_help() -> None:
    rows = [{"s": k % 2, "x": k % 3, "y": k % 5} for k in range(60)]
    several = Problem.from_records(rows, secret="s", public=["x", "y"], epsilon=1)
    said = words(several)
    assert "is not worked out: the priors are of several numbers." in said
    assert "--bins" not in said

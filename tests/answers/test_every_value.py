"""The scale that hides every value of one record in a sum: its value, and that it is enough."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Discrete, DiscreteLaplace, GaussianNoise, Laplace, Problem, System
from pfverify.answers.calibrate import least_scale
from pfverify.answers.every_value import every_value
from pfverify.answers.footing import footing
from pfverify.edge.cli import main
from pfverify.edge.footing_words import footing_words
from pfverify.model.releases.repeated import Repeated

ROWS = [("yes", 1), ("yes", 4), ("no", 2), ("no", 4), ("no", 3), ("no", 9)]
KEYS = {"secret": "s", "public": "x", "epsilon": "1/2"}


def counted(rows: list[tuple[str, int]] = ROWS, **options: Any) -> Problem:
    asked: dict[str, Any] = {**KEYS, "release": "sum", "rest": "any", **options}
    return Problem.from_records([{"s": s, "x": x} for s, x in rows], **asked)


@pytest.mark.parametrize(
    ("options", "scale", "bounds"),
    [  # of six records, at epsilon 1/2
        ({"clip": [0, 50]}, 100, ("0", "50")),
        ({"clip": [0, 50], "absent": "away"}, 100, ("0", "50")),
        ({"clip": [10, 50], "absent": "away"}, 100, ("10", "50")),  # from 0 to 50
        ({"clip": [0, 50], "release": "mean"}, Fraction(100, 6), ("0", "50")),
        ({"clip": [0, 50], "rest": "known"}, 100, ("0", "50")),
        ({"bins": [0, 4, 20]}, 20, ("2", "12")),
        ({"bins": [0, 4, 20], "clip": [0, 20]}, 20, ("2", "12")),  # 20 itself is in no interval
        ({"bin_width": 10, "clip": [0, 99]}, 180, ("5", "95")),
        ({"public": "x=4", "release": "count"}, 2, ("0", "1")),
        ({}, 16, ("1", "9")),  # nothing bounds them
        ({"release": "histogram"}, 4, None),
        ({"noise": DiscreteLaplace(step=1), "clip": [0, 50]}, 100, ("0", "50")),
    ],
)
def test_it_is_the_range_over_epsilon(
    options: dict[str, Any], scale: Fraction | int, bounds: tuple[str, str] | None
) -> None:
    found = every_value(counted(**options))
    assert found is not None
    assert found.bounds == bounds
    assert found.stated == bool(options)
    assert found.absent == ("absent" in options)
    upper, lower = Fraction(str(found.least.upper)), Fraction(str(found.least.lower))
    assert lower < scale <= upper
    assert upper - scale < Fraction(scale, 1000)


def test_there_is_none_where_nothing_else_is_said() -> None:
    points: dict[str, Any] = {"secret": "x", "release": "sum"}
    value = Problem.from_records([{"s": s, "x": x} for s, x in ROWS], **KEYS)
    by_hand = System([], {"a": {"bernoulli": "1/2"}, "b": {"bernoulli": "1/3"}}, rest="any")
    for problem in (
        counted(**points), value, counted(fit="gaussian"), counted([("yes", 1), ("no", 1)]),
        Problem(system=by_hand, noise=Laplace(), epsilon=1),  # of no records
    ):  # fmt: skip
        assert every_value(problem) is None
    assert every_value(counted(**points, rest="known")) is not None


def test_it_is_not_said_where_the_smallest_scale_is_the_same() -> None:
    for rest, same in (("known", False), ("any", True)):
        rows: dict[str, Any] = {"secret": "x", "absent": "away", "rest": rest, "release": "sum"}
        problem = counted([("a", 0), ("a", 5), ("b", 0), ("b", 0)], **rows)
        assert (every_value(problem) is None) == same  # two points already
        minimum = least_scale(problem, 12)
        assert footing(problem, minimum).every_value is None  # at epsilon 1/2 the crowd is no help
    laws = counted(clip=[0, 50])
    assert footing(laws, least_scale(laws, 12)).every_value == every_value(laws)


def test_with_a_delta_it_is_that_of_two_points() -> None:
    found = every_value(counted(noise=GaussianNoise(), delta="1e-5", clip=[0, 50]))
    assert found is not None
    two = {"a": Discrete({0: 1}), "b": Discrete({50: 1})}
    alone = Problem(two, noise=GaussianNoise(), epsilon="1/2", delta="1e-5")
    assert found.least == least_scale(alone, 4)


laws = st.dictionaries(st.integers(-3, 5), st.integers(1, 9), min_size=1, max_size=4)


@settings(deadline=None, max_examples=20)
@given(laws, laws, laws, st.sampled_from(["0", "1/20"]))
def test_no_law_between_the_bounds_needs_more_whatever_the_others_are(
    yes: dict[int, int], no: dict[int, int], others: dict[int, int], delta: str
) -> None:
    rows = [(s, x) for s, law in (("yes", yes), ("no", no)) for x, n in law.items()
            for _ in range(n)]  # fmt: skip
    found = every_value(counted(rows, clip=[-3, 5], delta=delta))
    assert found is not None
    enough = Fraction(str(found.least.upper))
    crowd = [{"counts": {str(x): n for x, n in others.items()}, "count": 3}]
    user = {
        name: {"counts": {str(x): n for x, n in law.items()}}
        for name, law in (("yes", yes), ("no", no))
    }
    problem = Problem(system=System(crowd, user), noise=Laplace(), epsilon="1/2", delta=delta)
    least = least_scale(problem, 6)
    assert least.upper != "inf"
    assert Fraction(str(least.lower)) < enough


def test_prior_and_calibrate_say_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = tmp_path / "d.csv", str(tmp_path / "p.toml")
    data.write_text("s,x\n" + "".join(f"{s},{x}\n" for s, x in ROWS))
    asked = ["prior", str(data), "--secret", "s", "--public", "x", "--release", "mean"]
    clip = ["--clip", "0,60", "--rest", "any", "--absent", "away"]

    def said(*command: str) -> str:
        assert main([*command]) == 0
        return " ".join(capsys.readouterr().out.split())

    expected = (
        "From scale 10 (rounded up) on every value from 0 to 60 is hidden, and whether it is "
        "there, whatever is believed of the record, and of the others if they are independent of "
        "it. A smaller scale rests on the laws of one record's value in this file. To take it: "
        "pfverify calibrate FILE --write NEW --method every-value."
    )
    assert expected in said(*asked, *clip, "-o", out)
    assert expected in said("calibrate", out)
    new = str(tmp_path / "new.toml")
    assert main(["calibrate", out, "--write", new]) == 2
    err = capsys.readouterr().err
    assert "--method every-value (whatever is believed of one record) or --method minimum" in err
    assert err.count("\n") == 1
    assert "scale = 10 (every-value, whatever is believed of one record, rounded up)" in said(
        "calibrate", out, "--write", new, "--method", "every-value"
    )
    assert main(["certify", new]) == 0
    told = Problem.load(new).provenance
    assert told is not None
    assert told.calibrated == "10 (every-value, rounded up)"  # a mean: of how many records


def test_the_words_of_other_sums() -> None:
    def said(**options: Any) -> str:
        found = footing_words(footing(counted(release="mean", **options)), "scale")
        return next(one for one in found if one.startswith("From scale"))

    free = said(rest="known")
    assert "every value from 1 to 9 (the least and the largest here: nothing bounds others)" in free
    assert "A smaller scale rests on the laws in this file, those of the others too. " in free
    weekly = Repeated(Laplace(), count=52)
    assert said(clip=[0, 60], noise=weekly).startswith("From scale 1040 (rounded up) on every")


def test_of_a_histogram_it_is_the_category() -> None:
    found = footing(counted(release="histogram", absent="away"))
    (words,) = [one for one in footing_words(found, "scale") if one.startswith("From scale")]
    assert words.startswith("From scale 4 (rounded up) on its category is hidden, and whether it")

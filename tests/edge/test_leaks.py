"""What coordinates and releases lose alone, beside what all of them do: certify and report."""

from __future__ import annotations

from pathlib import Path

import pytest

from pfverify import Discrete, GaussianNoise, Laplace, Problem
from pfverify.answers.leaks import leaks
from pfverify.edge.cli import main
from pfverify.edge.leak_words import leak_words
from pfverify.edge.render.markdown import markdown_of
from pfverify.edge.report.report import report
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Budget, Repeated

U = Discrete(dict.fromkeys(range(5), "1/5"))
T = Discrete({2: 1})
NAMES = ["income", "age", "rank"]


def of_three(*, hides: bool) -> Problem:
    """Income and age tell the secret together alone; rank tells nothing, or all that is left."""
    rank = 0 if hides else 1
    same = Joint(NAMES, [[0, 0, 0, "1/2"], [1, 1, rank, "1/2"]])
    apart = Joint(NAMES, [[0, 1, 0, "1/2"], [1, 0, 0, "1/2"]])
    made = Problem(priors={"a": same, "b": apart}, noise=Laplace(), epsilon=1)
    return made.under(Coordinates(Laplace(), ["1", "1", "2"]))


def of_one(release: Release, delta: str = "0") -> Problem:
    made = Problem(priors={"U": U, "T": T}, noise=Laplace(), epsilon=1, delta=delta)
    return made.under(release)


def test_the_pair_that_leaks_more_than_its_parts_is_named() -> None:
    found = leaks(of_three(hides=True))
    assert found is not None
    assert [one.loss.upper for one in found.alone] == [0, 0, 0]
    assert [one.names for one in found.pairs] == [("income", "age")]
    assert leak_words(found) == [
        "Each coordinate alone: loss of income 0, age 0, rank 0; the loss together 0.4338, more "
        "than the losses of each add up to.",
        "Pairs that lose more together than the losses of both add up to: income and age (0.4338).",
    ]
    more = leaks(of_three(hides=False))
    assert more is not None
    assert len(more.pairs) == 3
    assert more.pairs[0].loss.upper >= more.pairs[1].loss.upper >= more.pairs[2].loss.upper


def test_one_release_stands_beside_all() -> None:
    ten = leak_words(leaks(of_one(Repeated(Laplace(3), count=10))))
    assert ten == [
        "One release alone: loss 0.3682; of all 10 the loss together 5.0936, more than the "
        "losses of each add up to."
    ]
    fresh = leak_words(leaks(of_one(Repeated(Laplace(3), count=4, draws="fresh"))))
    assert fresh == ["One release alone: loss 0.3682; of all 4 the loss together 1.4728."]
    listed = leak_words(leaks(of_one(Repeated(Laplace(3), scales=["3", "2"]))))
    assert listed[0].startswith("One release alone: loss 0.3682 at scale 3; 0.5281 at scale 2; of")
    normal = leak_words(leaks(of_one(Repeated(GaussianNoise(3), count=10), "1/100")))
    assert normal[0].startswith("One release alone: delta 0.0001")
    for single in (Laplace(3), Repeated(Laplace(3), count=1), Budget(Laplace(), 1)):
        assert leaks(of_one(single)) is None


def test_certify_says_so_to_people(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    of_three(hides=True).save(tmp_path / "p.toml")
    assert main(["certify", str(tmp_path / "p.toml")]) == 0
    assert "  Each coordinate alone: loss of income 0, age 0" in capsys.readouterr().out
    assert main(["certify", str(tmp_path / "p.toml"), "--csv"]) == 0
    assert "alone" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (of_three(hides=True), [
            "scales 1, 1, 2 by coordinate", "2 points (income, age, rank)",
            "## What each part leaks alone", "income and age (0.4338)",
            "The 3 published numbers are Y = X + N", "There is more than one number.",
            "Every number has noise of its own scale.",
            "publish exactly what was decided (scales 1, 1, 2 by coordinate)",
        ]),
        (of_one(Repeated(Laplace(3), count=4)), [
            "4 releases, all of one X", "One release alone: loss 0.3682",
            "At the output y = 0 of every release, the density",
            "A scale of 3.618 (of each of 4 releases, all of one X) is enough",
        ]),
        (of_one(Budget(Laplace(), "1/2")), ["any releases of one X whose 1/scale sum"]),
    ],
)  # fmt: skip
def test_a_report_is_about_all_numbers(problem: Problem, said: list[str]) -> None:
    text = markdown_of(report(problem)).replace("\\", "")
    for words in said:
        assert words in text

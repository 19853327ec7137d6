"""Single lists of numbers in place of priors: what they state, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.kernel_run import accepted_certificate, kernel_digest

from pfverify import Exponential, Joint, Laplace, Problem, certify
from pfverify.errors import InputError
from pfverify.model.digest import problem_digest

LISTS = {"names": ["x", "y"], "rows": {"with": [3, "1/2"], "without": [2, 1]}}


def asked(lists: Any, **more: Any) -> Problem:
    return Problem(lists=lists, **{"noise": Laplace(2), "epsilon": 1, **more})


@pytest.mark.parametrize("more", [
    {}, {"post": [{"select": "argmax"}], "noise": Exponential(2)},
    {"post": [{"first-above": {"threshold": 2, "scale": 4}}], "delta": "1/10"},
], ids=["numbers", "largest", "first"])  # fmt: skip
def test_lists_are_joint_priors_of_one_row(more: Any) -> None:
    priors = {
        "with": Joint(["x", "y"], [[3, "1/2", 1]]), "without": Joint(["x", "y"], [[2, 1, 1]]),
    }  # fmt: skip
    found, same = asked(LISTS, **more), asked(None, priors=priors, **more)
    assert problem_digest(found) == problem_digest(same) == kernel_digest(found.to_table())
    ours, theirs = certify(found), certify(same)
    assert [str(pair.loss) for pair in ours.pairs] == [str(pair.loss) for pair in theirs.pairs]
    assert any("no prior is assumed" in words for words in ours.assumed)
    _, word, message = accepted_certificate(found.to_table(), found, ours)
    assert word == ours.verdict
    assert "single lists of numbers" in message


def test_a_file_says_it_again(tmp_path: Path) -> None:
    problem = asked(LISTS)
    problem.save(tmp_path / "lists.toml")
    again = Problem.load(tmp_path / "lists.toml")
    assert again == problem
    assert again.to_table()["lists"] == {
        "names": ["x", "y"], "rows": {"with": ["3", "1/2"], "without": ["2", "1"]},
    }  # fmt: skip


@pytest.mark.parametrize(("lists", "words"), [
    ({"names": ["x", "y"], "rows": {"a": [1]}}, "lists.rows.a: 1 numbers, expected 2"),
    ({"names": ["x", "y"], "rows": {}}, "lists.rows: expected a table of secrets"),
    ({"names": ["x", "y"], "rows": [1, 2]}, "lists.rows: expected a table of secrets"),
    ({"names": ["x", "x"], "rows": {"a": [1, 2]}}, "lists.rows.a: names"),
    ({"names": "x", "rows": {"a": [1]}}, "lists.names"),
    ({"names": ["x"], "rows": {"a": ["one"]}}, "lists.rows.a"),
    ({"names": ["x"]}, "lists.rows: missing"), ({"rows": {"a": [1]}}, "lists.names: missing"),
    ({"names": ["x"], "rows": {"a": [1]}, "counts": 1}, "counts"),
    ([1], "lists: expected a table with names and rows"),
])  # fmt: skip
def test_bad_lists_are_told_in_a_line(lists: Any, words: str) -> None:
    with pytest.raises(InputError) as told:
        asked(lists)
    assert words in str(told.value)
    assert "\n" not in str(told.value)


def test_lists_and_priors_are_not_stated_together() -> None:
    priors = {"with": Joint(["x"], [[3, 1]]), "without": Joint(["x"], [[2, 1]])}
    with pytest.raises(InputError, match="exactly one of"):
        asked(LISTS, priors=priors)

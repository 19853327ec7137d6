"""A whole cross-check: what every end of a call comes to, what is kept, when it stops."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pfverify.crosscheck.case import AtomLaw, Case
from pfverify.crosscheck.finding import CaseOutcome, Promised
from pfverify.crosscheck.question import FunctionQuestion, question, question_about
from pfverify.crosscheck.replay import case_of, command, text_of
from pfverify.crosscheck.reply import End, Reply
from pfverify.crosscheck.run import (
    CrosscheckFindings,
    CrosscheckResult,
    crosscheck,
    found_in,
    judged,
)
from pfverify.errors import InputError

ATOMS = (0.0, 1.0)
CASE = Case(
    "scale", "laplace", AtomLaw(ATOMS, (1.0, 0.0)), AtomLaw(ATOMS, (0.0, 1.0)), epsilon=0.1,
    origin="mine",
)  # fmt: skip


class Replies:
    """A callee that answers each call with the next of some replies, the last one for ever."""

    def __init__(self, *replies: Reply, takes: tuple[str, ...] = ()) -> None:
        self.replies, self.takes, self.calls = list(replies), takes, 0

    def call(self, values: list[Any], named: dict[str, float]) -> Reply:
        self.calls += 1
        assert "delta" in self.takes or not named
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def checked(callee: Replies, asked: FunctionQuestion, **more: Any) -> CrosscheckResult:
    return crosscheck(callee, "mine:scale", asked, **more)


@pytest.mark.parametrize(
    ("reply", "outcome", "words"),
    [
        (Reply(End.ANSWERED, 9.0), CaseOutcome.UNSOUND, "9.0"),
        (Reply(End.ANSWERED, 10.0), CaseOutcome.SOUND, "10.0"),
        (Reply(End.ANSWERED, 31.0), CaseOutcome.WASTEFUL, "31.0"),
        (Reply(End.NO_NUMBER, words="a str"), CaseOutcome.NAN, "the answer is a str"),
        (Reply(End.RAISED, words="ValueError"), CaseOutcome.CRASH, "it raised ValueError"),
        (Reply(End.DIED, words="its process died"), CaseOutcome.CRASH, "its process died"),
        (Reply(End.MEMORY, words="MemoryError"), CaseOutcome.MEMORY, "it ran out of memory"),
        (Reply(End.TIMEOUT, words="no answer"), CaseOutcome.TIMEOUT, "no answer"),
    ],
    ids=lambda value: str(value.end.value) if isinstance(value, Reply) else "",
)
def test_every_end_of_a_call_is_an_outcome(reply: Reply, outcome: CaseOutcome, words: str) -> None:
    """Of two points 1 apart at epsilon = 0.1, which as a float is a little more than 1/10."""
    found = judged(reply, CASE, Promised())
    assert found.outcome is outcome
    assert words in found.words


@pytest.mark.parametrize(
    ("outcomes", "gated", "found"),
    [
        ([CaseOutcome.SOUND], False, CrosscheckFindings.NOTHING),
        ([CaseOutcome.WASTEFUL], False, CrosscheckFindings.NOTHING),
        ([CaseOutcome.WASTEFUL], True, CrosscheckFindings.FAILED),
        ([CaseOutcome.UNDECIDED], False, CrosscheckFindings.UNDECIDED),
        ([CaseOutcome.UNDECIDED, CaseOutcome.NAN], False, CrosscheckFindings.FAILED),
        ([CaseOutcome.NAN, CaseOutcome.UNSOUND], False, CrosscheckFindings.UNSOUND),
        *(([one, CaseOutcome.SOUND], False, CrosscheckFindings.FAILED) for one in (
            CaseOutcome.WRONG_DIGITS, CaseOutcome.CRASH, CaseOutcome.TIMEOUT, CaseOutcome.MEMORY,
            CaseOutcome.NAN,
        )),
    ],
    ids=str,
)  # fmt: skip
def test_the_worst_outcome_counts(
    outcomes: list[CaseOutcome], gated: bool, found: CrosscheckFindings
) -> None:
    assert found_in(Counter(outcomes), gated=gated) is found
    with pytest.raises(TypeError, match="no truth value"):
        bool(found)


@pytest.mark.parametrize(("end", "most", "more"), [(End.TIMEOUT, 10, 4), (End.DIED, 50, 60)])
def test_it_stops_where_no_call_ends(end: End, most: int, more: int) -> None:
    """With a few more calls for a smaller case."""
    callee = Replies(Reply(end, words="it was so"))
    found = checked(callee, question("scale"))
    assert (found.asked, found.planned, found.stopped) == (
        most, 200, f"{most} calls ended so: it was so",
    )  # fmt: skip
    assert most < callee.calls <= most + more
    assert [one.count for one in found.smallest] == [most]


def test_the_smallest_case_is_of_the_same_outcome_and_the_factors_are_finite() -> None:
    callee = Replies(Reply(End.ANSWERED, 1e9), *[Reply(End.ANSWERED, float("nan"))] * 2,
                     Reply(End.ANSWERED, 0.0))  # fmt: skip
    found = checked(callee, question("scale", count=6))
    assert {(one.outcome, one.count) for one in found.outcomes} == {
        (CaseOutcome.WASTEFUL, 1), (CaseOutcome.NAN, 2), (CaseOutcome.UNSOUND, 3),
    }  # fmt: skip
    kept = {one.outcome: one for one in found.smallest}
    assert list(kept) == [CaseOutcome.UNSOUND, CaseOutcome.WASTEFUL, CaseOutcome.NAN]
    assert (kept[CaseOutcome.NAN].first, kept[CaseOutcome.UNSOUND].first) == (2, 4)
    assert kept[CaseOutcome.UNSOUND].case["origin"].startswith("shrunk from: curated")
    assert kept[CaseOutcome.UNSOUND].problem is not None
    assert found.largest_factor == found.median_factor > 10**8
    assert [one.number for one in found.answers] == [1, 2, 3, 4, 5, 6]


def test_only_a_function_that_takes_delta_is_asked_with_one() -> None:
    for takes, named in (((), False), (("delta",), True)):
        asked = question("scale", count=6)
        cases = list(asked.cases(delta="delta" in takes))
        assert any(case.delta is not None for case in cases) is named
        checked(Replies(Reply(End.ANSWERED, 1e9), takes=takes), asked)
    with_delta = Case.from_dict({**CASE.to_dict(), "delta": {"hex": ["0x1p-3"]}})
    with pytest.raises(InputError, match="the case has a delta: expected scale"):
        checked(Replies(Reply(End.ANSWERED, 1e9)), question_about(with_delta))


def test_a_case_is_asked_again_bit_by_bit(tmp_path: Path) -> None:
    bare = replace(CASE, origin="")
    assert case_of(text_of(CASE)) == bare
    assert " " not in text_of(CASE)
    words = shlex.split(command(CASE, "mine:scale", ["--digits", "9"]))
    assert words[:7] == ["pfverify", "crosscheck", "mine:scale", "--kind", "scale", "--digits", "9"]
    assert case_of(words[-1]) == bare
    (tmp_path / "one.json").write_text(json.dumps(CASE.to_dict()))
    assert case_of(str(tmp_path / "one.json")) == CASE
    long = Case("plan", "", *(AtomLaw(tuple(map(float, range(999))), (1.0,) * 999),) * 2)
    assert command(long, "mine:plan", []).endswith("--replay REPORT (a file that --json wrote: "
                                                   "999 atoms)")  # fmt: skip


@pytest.mark.parametrize(
    "text", ["{" * 9000 + '"a":', '{"a": 1', "[1]", "x\0y", "n" * 5000, "\ud800"]
)
def test_what_is_no_case_is_one_line(text: str) -> None:
    with pytest.raises(InputError, match=r"--replay") as error:
        case_of(text)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"p": {"hex": ["-0x1p+0", "0x1p+1"]}}, "expected a number >= 0"),
        ({"p": {"hex": ["0x0p+0", "0x0p+0"]}}, "all 0"),
        ({"p": {"hex": ["0x1p+0"]}}, "2 atoms and 1 masses"),
        ({"atoms": {"hex": ["0x0p+0", "inf"]}}, "case: atoms: inf is not finite"),
        ({"epsilon": {"hex": ["nan"]}}, "case: epsilon: nan is not finite"),
        ({"epsilon": {"hex": ["-0x1p+0"]}}, "epsilon: -1 is negative"),
        ({"noise": "cauchy"}, "noise: 'cauchy' is unknown"),
        ({"kind": "loss"}, "a case of kind loss has no scale"),
    ],
)
def test_a_case_that_is_no_question_is_one_line(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=f"^--replay: .*{words}"):
        case_of(json.dumps(CASE.to_dict() | change))


def test_a_question_repeats_what_is_not_the_default() -> None:
    assert question("loss").options() == []
    assert question("loss", claim=Promised("nearest", 9)).options() == [
        "--claim", "nearest", "--digits", "9",
    ]  # fmt: skip
    assert question("plan", claim=Promised(tolerance=0.5)).options() == ["--tolerance", "0.5"]
    with pytest.raises(InputError, match="the case is of kind scale, not loss"):
        question_about(CASE, "loss")


def test_normal_noise_is_not_asked_about_atoms_that_it_takes_hours_to_decide() -> None:
    for noise, asked in (("laplace", 2), ("gaussian", 0)):
        cases = question("loss", noise=noise, count=90).cases(delta=False)
        assert sum("1e300 apart" in case.origin for case in cases) == asked
        sizes = [case.size for case in question("loss", noise=noise).cases(delta=False)]
        assert (max(sizes) == 10**5) is (noise == "laplace")

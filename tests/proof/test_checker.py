"""Whole claims: an error planted in a file is found, and the step that notices it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from pfverify.certificate.build import kernel_word
from pfverify.proof.check import check_claim
from pfverify.proof.loader import ProofFile, load_proof
from pfverify.proof.outcome import Outcome
from pfverify.proof.run import prove, prove_changed

N09 = Path(__file__).resolve().parents[2] / "proofs" / "noise-reduction" / "N09.py"
TEXT = N09.read_text("utf-8")


def planted(*edits: tuple[str, str]) -> Outcome:
    text = TEXT
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return check_claim(ProofFile(text, "N09.py").claim, kernel_word)


def test_without_an_error_the_claim_is_proved() -> None:
    outcome = planted()
    assert (outcome.failure, outcome.result) == ("", "PROVED")
    assert len(outcome.steps) == 11


def test_a_statement_may_join_what_several_steps_say() -> None:
    outcome = planted((BOTH_STEP, ""))
    assert (outcome.failure, outcome.result) == ("", "PROVED")


COLUMN_STEP = """            step("column bound", total(pi(x, z) * far, x) <= E * near * Q,
                 arithmetic("columns", "column above")),
"""
END = "        ],\n    ),\n"
BOTH_STEP = TEXT[TEXT.index('            step("both"') : TEXT.index(END)]
LAST_STEPS = TEXT[TEXT.index('            step("second order"') : TEXT.index(END)]

PLANTED = {
    "a constant in a step": (
        [('step("tangent", 2 / E', 'step("tangent", 3 / E')], "tangent", "does not follow"),
    "a constant further on": (
        [('step("Jensen", 2 / E * Q', 'step("Jensen", 3 / E * Q')], "Jensen", "the sum says"),
    "a sign in a step": (
        [('step("triangle", far <= near * grow', 'step("triangle", far <= near * shrink')],
        "triangle", "does not follow"),
    "a strict relation": (
        [("near * shrink <= far, arithmetic()", "near * shrink < far, arithmetic()")],
        "triangle back", "does not follow"),
    "the hypothesis is gone": (
        [('given={"columns": total(pi(x, z) * (grow - E), x) <= 0}', "given={}")],
        "column bound", "no earlier fact 'columns'"),
    "the hypothesis says nothing": (
        [('total(pi(x, z) * (grow - E), x) <= 0}', "0 <= 0}")], "column bound", "does not follow"),
    "a hypothesis is not used": (
        [('arithmetic("columns", "column above")', 'arithmetic("column above")')],
        "column bound", "does not follow"),
    "another weight": (
        [('"triangle", x, weight=pi(x, z))', '"triangle", x, weight=pi(z, x))')],
        "column above", "the sum says"),
    "a weight that may be negative": (
        [('integrate("triangle", x, weight=pi(x, z))', 'integrate("triangle", x, weight=x)')],
        "column above", "the weight is not >= 0"),
    "another index": (
        [('integrate("column bound", z)', 'integrate("column bound", x)')],
        "first order", "the sum says"),
    "a step is missing": ([(COLUMN_STEP, "")], "first order", "no earlier fact 'column bound'"),
    "a step from nowhere": (
        [('integrate("tangent", x', 'integrate("Jensen", x')], "Jensen", "no earlier fact"),
    "a name twice": ([('step("Jensen"', 'step("columns"')], "columns", "used twice"),
    "one half of the statement is missing": (
        [(LAST_STEPS, "")], "the statement", "something else"),
    "one half of the statement is weaker": (
        [(LAST_STEPS, 'step("second order", q <= 2 * E * p, arithmetic("first order"))')],
        "second order", "does not follow"),
    "the halves are of another formula": (
        [(BOTH_STEP, ""), ("statement=p <= E * q and", "statement=p < E * q and")],
        "the statement", "something else"),
    "a stronger statement": (
        [("statement=p <= E * q and q <= E * p", "statement=p <= E * q and q <= (E - 1/100) * p")],
        "the statement", "something else"),
    "no steps": ([(TEXT[TEXT.index("        steps=["):], "        steps=[],\n    ),\n)\n")],
                 "the statement", "no step proves it"),
    "another result": ([("result=PROVED", "result=REFUTED")], "the file", "declares REFUTED"),
    "a result with nothing behind it": (
        [("result=PROVED", "result=REPAIRED")], "the file", "declares REPAIRED"),
    "no example": (
        [("        example=instance(theta=1, E=4, X=[0, 1], pi={(0, 0): 1/2, (1, 1): 1/4, "
          "(0, 1): 1/4}),\n", "")], "the example", "need an example"),
    "an example where a hypothesis fails": (
        [("E=4, X", "E=1, X")], "the example", "'columns' does not hold"),
    "an example that is incomplete": ([("theta=1, E=4", "E=4")], "the example", "does not hold"),
    "an example against the declarations": (
        [("(0, 1): 1/4}", "(0, 1): -1/4}")], "the example", "negative"),
    "contradictory hypotheses": (
        [("given={", 'given={"more": total(pi(x, z) * (grow - E), x) > 0, ')],
        "the example", "'more' does not hold"),
    "contradictory hypotheses about every number": (
        [("given={", 'given={"more": y != 100, ')], "the example", "'more' does not hold"),
    "a statement that is false in the example": (
        [("statement=p <= E * q and q <= E * p", "statement=total(pi(x, z), x, z) <= 1/2")],
        "the statement", "false in the example"),
    "a quotient by what may be 0": (
        [('step("Jensen"', 'step("share", Q / Q <= 1 + 1 / Q, arithmetic()), step("Jensen"')],
        "share", "it needs"),
}  # fmt: skip


SLOW = "one half of the statement is missing"  # a counterexample is looked for, and there is none


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long if name == SLOW else ()) for name in PLANTED],
)
def test_a_planted_error_is_found_at_its_step(name: str) -> None:
    edits, step, why = PLANTED[name]
    outcome = planted(*edits)
    assert outcome.failed_step == step
    assert why in outcome.failure
    assert outcome.result == ""


def test_one_name_for_two_things() -> None:
    outcome = planted(
        ('pi = masses("pi")\n', 'pi = masses("pi")\nh = functions("theta")\n'),
        ('step("Jensen"', 'step("more", h(x) == h(x), identity()), step("Jensen"'),
    )
    assert outcome.failed_step == "the file"
    assert "'theta' stands for two things" in outcome.failure


def test_a_false_statement_comes_with_a_counterexample() -> None:
    outcome = planted(('step("tangent", 2 / E', 'step("tangent", 3 / E'))
    assert "E = " in outcome.counterexample


@pytest.mark.parametrize(
    ("change", "step"),
    [
        ("columns = 1 <= 0", "the example"),
        ("drop columns", "column bound"), ("columns = 0 <= 0", "column bound"),
        ("tangent = 3 / E - grow / E**2 <= shrink", "tangent"),
        ("statement = p <= q", "the statement"), ("grow = exp(abs(x - z) / E)", "triangle"),
    ],
)  # fmt: skip
def test_a_change_made_on_purpose_is_found(change: str, step: str) -> None:
    assert prove_changed(N09, change).failed_step == step


def test_a_file_of_another_name_or_folder_fails(tmp_path: Path) -> None:
    for place, why in (("noise-reduction/N10.py", "the claim's id"), ("design/N09.py", "folder")):
        path = tmp_path / place
        path.parent.mkdir()
        path.write_text(TEXT, "utf-8")
        (outcome,) = prove([path])
        assert why in outcome.failure


def test_a_fault_of_the_program_is_a_failure_and_no_traceback() -> None:
    def kernel(_: object) -> str:
        raise AssertionError("a fault\nin two lines")

    text = """
Claim(id="F1", source=paper("design", "F1"), words="none", result=PROVED, printed=proved(
    statement=verdict("A", "certified"), steps=[step("kernel", verdict("A", "certified"),
    certificate(problem({0: 1}, {1: 1}, epsilon=1, scale=1)))]))
"""
    outcome = check_claim(ProofFile(text, "test").claim, kernel)
    assert (outcome.failed_step, outcome.result) == ("kernel", "")
    assert outcome.failure == "AssertionError: a fault in two lines"
    assert load_proof(N09).claim.id == "N09"

"""What is checked is what is written: a term that sympy cancels has to have a value all the same.

Each claim is refused as it stands, and proved with the hypothesis that gives its terms a value.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.proofs import FILES, SOME, loaded

from pfverify.proof.breaking import broken
from pfverify.proof.check import check_claim
from pfverify.proof.claim import Proved
from pfverify.proof.loader import ProofFile
from pfverify.proof.normal import same
from pfverify.proof.outcome import Outcome
from pfverify.proof.terms import mapped, simplified

DECLARATIONS = """
b, (a, c) = positive("b"), constants("a c")
x, y, v = variables("x y v")
k, o = indices("k", "X"), member("o", "X")
r = draws("r", "L")
P, f = masses("P"), functions("f")
half = instance(x=1/2, a=1, c=1, o=1, X=[1, 2], P={1: 1, 2: 1}, f={1: 1, 2: 1}, L=law({1: 1}))
"""
# name: the claim, what it needs, and what is then given
CLAIMS = {
    "a quotient": ("a/a == 1", "a != 0", "a != 0"),
    "a quotient twice": ("c/(c/a) == a", "c/a != 0", "a*c != 0"),
    "a root squared": ("sqrt(a)*sqrt(a) == a", "0 <= a", "a >= 0"),
    "the fourth power of a fourth root": ("(a**(1/4))**4 == a", "0 <= a", "a >= 0"),
    "e^log": ("exp(log(a)) == a", "0 < a", "a > 0"),
    "logs of sums": ("log(a + c) - log(c + a) == 0", "0 < a + c", "a + c > 0"),
    "0 times": ("0*log(a) <= 0", "0 < a", "a > 0"),
    "a power 0": ("(1/a)**0 == 1", "a != 0", "a != 0"),
    "1 to a power": ("1**(1/a) == 1", "a != 0", "a != 0"),
    "the largest": ("maximum(a/a, 1) == 1", "a != 0", "a != 0"),
    "an inverse in a function": ("f(1/a - 1/a + o) == f(o)", "a != 0", "a != 0"),
    "a sum": ("total(P(k)/P(k), k) == total(1, k)", "P(k) != 0", "P(k) > 0"),
    "a standard deviation": ("normal_cdf(c, c, a) == 1/2", "a != 0", "a > 0"),
    "a derivative": ("derivative(log(a), a) == 1/a", "a != 0", "a > 0"),
    "a difference": ("difference(1/a, v, o) == 0", "a != 0", "a != 0"),
    "put in": ("at(v/v, {v: a}) == 1", "a != 0", "a != 0"),
    "by a name": ("cancelled == 1", "a != 0", "a != 0"),
    "a mean": ("mean(r, r) - mean(r, r) == 0", "mean[r](r) has a value", "integrable(r, r)"),
    "0 means": ("0*mean(r, r) == 0", "mean[r](r) has a value", "integrable(r, r)"),
    "a mean inside": ("exp(mean(r, r) - mean(r, r)) == 1", "has a value", "integrable(r, r)"),
    "an area": ("0*integral(f(v), v, 0, 1) == 0", "has a value", None),
}
# for every number there is no hypothesis, but a guard
GUARDED = {
    "x/x == 1": "x != 0",
    "sqrt(x)*sqrt(x) == x": "x >= 0",
    "exp(log(x)) == x": "x > 0",
    "total(x/x, k) == total(1, k)": "x < 0",
}


def outcome(statement: str, given: str = "", rule: str = "arithmetic()") -> Outcome:
    rest = f"given={{'h': {given}}}, example=half" if given else ""
    text = f"""{DECLARATIONS}
cancelled = a/a
Claim(id="F1", source=paper("design", "F1"), words="none", result=PROVED, printed=proved(
    statement={statement}, steps=[step("it", {statement}, {rule})], {rest}))
"""
    return check_claim(ProofFile(text, "test").claim, lambda _: "")


@pytest.mark.parametrize("name", CLAIMS)
def test_what_cancels_has_to_have_a_value(name: str) -> None:
    statement, needed, given = CLAIMS[name]
    refused = outcome(statement)
    assert refused.failed_step == "it"
    assert needed in refused.failure
    if given is not None:
        assert outcome(statement, given).failure == ""


@pytest.mark.parametrize("statement", GUARDED)
def test_a_guard_gives_a_value(statement: str) -> None:
    assert "which nothing shows" in outcome(statement).failure
    assert outcome(f"implies({GUARDED[statement]}, {statement})").failure == ""


@pytest.mark.parametrize("name", ["a standard deviation", "a derivative", "logs of sums"])
def test_a_hypothesis_that_is_too_weak_is_noticed(name: str) -> None:
    assert "it needs 0 < " in outcome(CLAIMS[name][0], "a != 0").failure


@pytest.mark.parametrize("hypothesis", ["a/a == 1", "0*log(a) == 0", "sqrt(a)**2 == a"])
def test_a_hypothesis_has_to_have_a_value(hypothesis: str) -> None:
    """Else it would say in silence that a is not 0."""
    found = outcome("b > 0", hypothesis)
    assert found.failed_step == "h"
    assert "which nothing shows" in found.failure


def test_what_has_no_value_is_not_refuted() -> None:
    text = DECLARATIONS + 'Claim(id="F1", source=paper("design", "F1"), words="none", ' \
        "result=REFUTED, printed=refuted(statement=a/a == 2, instance=instance(a=NUMBER)))"
    one, zero = (check_claim(ProofFile(text.replace("NUMBER", number), "t").claim, lambda _: "")
                 for number in "10")  # fmt: skip
    assert one.failure == ""
    assert zero.failed_step == "the counterexample"
    assert "UNKNOWN" in zero.failure


def test_inner_steps_are_checked_as_they_are_written() -> None:
    text = f"""{DECLARATIONS}
i, j, n, m = indices("i", "X"), indices("j", "X"), member("n", "X"), member("m", "X")
Claim(id="F1", source=paper("design", "F1"), words="none", result=PROVED, printed=proved(
    given={{"chain": is_chain([i, j], [o, n])}}, example=instance(X=[1, 2], o=1, n=2),
    statement=k*k >= 0,
    steps=[step("base", o*o >= 0, arithmetic()),
           step("all", k*k >= 0, induction("chain", "base", k, v*v >= 0, v, m, [
               step("CANCELS", c/c == 1, arithmetic()), step("m", m*m >= 0, arithmetic())]))]))
"""
    wrong = check_claim(ProofFile(text, "t").claim, lambda _: "")
    assert wrong.failed_step == "all"
    assert "CANCELS: it needs c != 0" in wrong.failure
    right = check_claim(ProofFile(text.replace("c/c", "b/b"), "t").claim, lambda _: "")
    assert right.failure == ""


def test_a_change_for_teaching_is_read_as_written() -> None:
    path = next(p for p in FILES if p.stem == "F19")
    claim = broken(path, "statement = log(u)/log(u) == 1")
    assert "0 < u" in check_claim(claim, lambda _: "").failure


@pytest.mark.parametrize(
    "files", [SOME, pytest.param(FILES, marks=pytest.mark.long)], ids=["some", "whole"]
)
def test_both_readings_of_every_file_are_one(files: list[Path]) -> None:
    """What is written is, simplified, what is proved: over all formulas of proofs/, or some."""
    counted = 0
    for path in files:
        for name, part in loaded(path).claim.parts():
            assert part.written is not None
            pairs = [(part.given[h], part.written.given[h]) for h in part.given]
            pairs.append((part.statement, part.written.statement))
            if isinstance(part, Proved):
                pairs += [(s.formula, s.written) for s in part.steps if s.written is not None]
                assert len(pairs) == len(part.given) + 1 + len(part.steps)
            for formula, written in pairs:
                assert same(mapped(written, simplified), formula), (path.stem, name)
                counted += formula != written
    assert counted > 2 * len(files)  # formulas that are written otherwise than sympy reads them


def test_draws_that_change_places_cancel_nothing() -> None:
    """f(r, s) = (r^2 - s^2)/(r^2 + s^2)^2 for uniform draws: the iterated mean is -pi/2, not 0."""
    text = f"""{DECLARATIONS}
s, g = draws("s", "L"), functions("g")
swapped = mean(g(r, s) - g(s, r), r, s)
Claim(id="F1", source=paper("design", "F1"), words="none", result=PROVED, printed=proved(
    given={{"r": integrable(g(r, s), r), "s": integrable(g(s, r), r)MORE}},
    example=instance(L=law({{1: 1}}), g={{(1, 1): 1}}),
    statement=swapped == 0, steps=[step("it", swapped == 0, RULE)]))
"""
    for rule in ("identity()", "arithmetic()"):
        alone = text.replace("RULE", rule).replace("MORE", "")
        assert "has a value" in check_claim(ProofFile(alone, "t").claim, lambda _: "").failure
        both = text.replace("RULE", rule).replace("MORE", ", 'both': integrable(g(r, s), r, s)")
        assert check_claim(ProofFile(both, "t").claim, lambda _: "").failure == ""


@pytest.mark.parametrize(("statement", "accepted"), [
    ("(1 + a)**c == 2", True), ("a**c == 2", False), ("0**(c - 1) == 2", False),
    ("(a - 1)**(1 + c) == 2", False),
])  # fmt: skip
def test_a_power_without_a_value_is_not_refuted(statement: str, accepted: bool) -> None:
    """b^u is e^(u log b) unless u is a number: for b <= 0 it is nothing that could be false."""
    text = DECLARATIONS + 'Claim(id="F1", source=paper("design", "F1"), words="none", ' \
        f"result=REFUTED, printed=refuted(statement={statement}, instance=instance(a=0, c=1)))"
    assert (check_claim(ProofFile(text, "t").claim, lambda _: "").failure == "") is accepted

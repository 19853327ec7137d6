"""A relation of sums that holds term by term: the terms are read off, then shown and summed."""

from __future__ import annotations

import pytest

from pfverify.certificate.build import kernel_word
from pfverify.proof.check import check_claim
from pfverify.proof.loader import ProofFile
from pfverify.proof.outcome import Outcome

NAMES = """
b = positive("b")
a = constants("a")
x, w = indices("x w", "X")
y = variables("y")
z, v = draws("z", "Z"), draws("v", "V")
f, g = functions("f g")
P, R = masses("P R")
low, high = f(x) <= g(x), f(z) <= g(z)
"""
FACTS = {"low": "low", "high": "high", "exist": "integrable(f(z), z) and integrable(g(z), z)"}


def outcome(statement: str, rule: str, *names: str) -> Outcome:
    given = ", ".join(f"{name!r}: {FACTS[name]}" for name in names)
    text = f"""{NAMES}
Claim(id="F1", source=paper("design", "F1"), words="none", result=PROVED, printed=proved(
    given={{{given}}}, example=instance(a=1, b=1, X=[0], f={{"else": 0}}, g={{"else": 1}},
        P={{}}, R={{}}, Z=law({{0: 1}}), V=law({{0: 1}})),
    statement={statement}, steps=[step("s", {statement}, {rule})]))
"""
    return check_claim(ProofFile(text, "test").claim, kernel_word, examples=False)


LOW, HIGH = 'arithmetic("low")', 'arithmetic("high")'


@pytest.mark.parametrize(
    ("statement", "rule", "facts", "term"),
    [
        ("total(P(x) * f(x), x) <= total(P(x) * g(x), x)", f"termwise({LOW}, x)", ["low"],
         "P(x)*f(x) <= P(x)*g(x)"),
        ("total(P(x) * f(x), x) <= total(P(x) * g(x), x)", f"termwise({LOW}, x, weight=P(x))",
         ["low"], "f(x) <= g(x)"),
        ("b * total(f(x), x) + a * total(f(x), x) <= b * total(g(x), x) + a * total(f(x), x)",
         f"termwise({LOW}, x)", ["low"], "a*f(x) + b*f(x) <= a*f(x) + b*g(x)"),
        ("0 <= total(P(x), x)", "termwise(arithmetic(), x)", [], "0 <= P(x)"),
        ("total(P(x) * P(w), x, w) == total(P(x), x) * total(P(w), w)",
         "termwise(identity(), x, w)", [], "P(w)*P(x) = P(w)*P(x)"),
        ("mean(f(z), z) <= mean(g(z), z) + b", f"termwise({HIGH}, z)", ["high", "exist"],
         "f(z) <= b + g(z)"),
        ("implies(a > 0, total(P(x) * f(x), x) <= total(P(x) * g(x), x))", f"termwise({LOW}, x)",
         ["low"], "(0 < a) -> (P(x)*f(x) <= P(x)*g(x))"),
        ("total(R(w) * mean(P(z), z), w) <= total(R(w) * mean(2 * P(z), z), w)",
         "termwise(arithmetic(), w)", [], None),
    ],
)  # fmt: skip
def test_the_terms_are_read_off(
    statement: str, rule: str, facts: list[str], term: str | None
) -> None:
    found = outcome(statement, rule, *facts)
    if term is None:  # no fact about the mean inside
        assert found.failed_step == "s"
        return
    assert found.failure == ""
    assert found.steps[0] == f"printed: each term [{rule[9:rule.index('(', 9)]}] {term}"
    assert found.steps[1].startswith("printed: s [termwise]")


@pytest.mark.parametrize(
    ("statement", "rule", "facts"),
    [
        # nothing is summed on one side: that side is one term, not a sum of terms
        ("total(P(x), x) <= b", "termwise(arithmetic(), x)", []),
        ("total(f(x), x) <= g(x)", f"termwise({LOW}, x)", ["low"]),
        ("f(x) <= total(g(x), x)", f"termwise({LOW}, x)", ["low"]),
        ("total(f(x), x) <= total(g(x), x) + b", f"termwise({LOW}, x)", ["low"]),
        # the weight can be negative, or the terms do not compare
        ("total(a * f(x), x) <= total(a * g(x), x)", f"termwise({LOW}, x, weight=a)", ["low"]),
        ("total(a * f(x), x) <= total(a * g(x), x)", f"termwise({LOW}, x)", ["low"]),
        ("total(g(x), x) <= total(f(x), x)", f"termwise({LOW}, x)", ["low"]),
        ("total(f(x), x) < total(g(x), x)", "termwise(arithmetic(), x)", ["low"]),
        # a product of two sums is no sum of products
        ("total(P(x), x) * total(P(x), x) <= total(P(x) * P(x), x)", "termwise(identity(), x)", []),
        ("total(P(x), x)**2 <= total(P(x)**2, x)", "termwise(arithmetic(), x)", []),
        # another index than the one summed over
        ("total(f(x), x) <= total(g(x), x)", f"termwise({LOW}, w)", ["low"]),
        ("total(f(x), x) <= total(g(x), x)", f"termwise({LOW}, x, w)", ["low"]),
        ("total(f(x), x) <= total(g(x), x)", f"termwise({LOW}, y)", ["low"]),
        ("total(f(x), x) <= total(g(x), x)", f"termwise({LOW}, z)", ["low"]),
        # means that are not known to exist, or of another law
        ("mean(f(z), z) <= mean(g(z), z)", f"termwise({HIGH}, z)", ["high"]),
        ("mean(f(z), z) <= mean(g(v), v)", f"termwise({HIGH}, z)", ["high", "exist"]),
        # a guard on the index does not pass through the sum
        ("implies(x > 0, total(f(x), x) <= total(g(x), x))",
         'termwise(arithmetic("low"), x)', ["low"]),
        ("f(a) <= g(a) and b > 0", f"termwise({LOW}, x)", ["low"]),
    ],
)  # fmt: skip
def test_what_is_no_sum_of_these_terms_is_not_shown(
    statement: str, rule: str, facts: list[str]
) -> None:
    try:
        found = outcome(statement, rule, *facts)
    except Exception as error:  # refused when the file is read
        assert "termwise: expected a relation" in str(error)  # noqa: PT017
        return
    assert found.failure


def test_the_fact_about_the_terms_is_not_kept() -> None:
    """It holds where the sum's guard holds, and its name is used again by the next sum."""
    steps = """[step("s", total(f(x), x) <= total(g(x), x), termwise(arithmetic("low"), x)),
        step("t", total(P(x), x) >= 0, termwise(arithmetic(), x)),
        step("u", f(x) <= g(x), arithmetic("each term"))]"""
    text = f"""{NAMES}
Claim(id="F1", source=paper("design", "F1"), words="none", result=PROVED, printed=proved(
    given={{"low": low}}, example=instance(X=[0], f={{"else": 0}}, g={{"else": 1}}, P={{}}),
    statement=f(x) <= g(x), steps={steps}))
"""
    found = check_claim(ProofFile(text, "test").claim, kernel_word, examples=False)
    assert (found.failed_step, found.failure) == ("u", "there is no earlier fact 'each term'")

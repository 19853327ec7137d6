"""Sums along a chain collapse: the domain must be one, and the term the same at every member."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from pfverify.certificate.build import kernel_word
from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.proof.chains import chain_formula
from pfverify.proof.check import check_claim
from pfverify.proof.loader import ProofFile
from pfverify.proof.meaning import as_instance, truth_for_all
from pfverify.proof.outcome import Outcome
from pfverify.proof.terms import Constant, IndexConstant, Variable

NAMES = """
h, c = positive("h c")
d = constants("d")
u, v = variables("u v")
j, k, i = indices("j k i", "X")
m = indices("m", "Y")
o, n = member("o n", "X")
p, q = member("p q", "Y")
f, g = functions("f g")
whole, halves = is_chain([j, k], [o, n]), is_chain([j, k], [o, n], 1/2)
"""
FOUR = "X=[0, 1, 2, 3], o=0, n=3"


def outcome(statement: str, rule: str, rest: str, before: str = "") -> Outcome:
    text = f"""{NAMES}
Claim(id="F1", source=paper("design", "F1"), words="none", result=PROVED, printed=proved(
    statement={statement}, steps=[{before} step("s", {statement}, {rule})], {rest}))
"""
    return check_claim(ProofFile(text, "test").claim, kernel_word)


GIVEN = f"given={{'c': whole}}, example=instance({FOUR}, f={{'else': 0}})"
PLAIN = "total(f(k) - f(k - 1), k) == f(n) - f(o - 1)"
OF_F = "telescope('c', k, f(u), u, [j, k], [o, n])"
CASES: dict[str, tuple[str, str, str, str]] = {
    "differences": (PLAIN, OF_F, GIVEN, ""),
    "in another letter": ("total(f(i) - f(i - 1), i) == f(n) - f(o - 1)",
                          "telescope('c', i, f(u), u, [j, k], [o, n])", GIVEN, ""),
    "squares": ("total(2*k - 1, k) == n**2 - (o - 1)**2",
                "telescope('c', k, u**2, u, [j, k], [o, n])", GIVEN, ""),
    "another value": ("total(f(k) - f(k - 1), k) == f(n) - f(o)", OF_F, GIVEN, "something else"),
    "an inequality": ("total(f(k) - f(k - 1), k) <= f(n) - f(o - 1)", OF_F, GIVEN, "an equation"),
    # sum of k (k - (k - 1)) is not n n - n (o - 1), nor 0
    "a term of the index": ("total(k*f(k) - k*f(k - 1), k) == k*f(n) - k*f(o - 1)",
                            "telescope('c', k, k*f(u), u, [j, k], [o, n])", GIVEN, "depend on k"),
    "a term of another index": ("total(i*f(k) - i*f(k - 1), k) == i*f(n) - i*f(o - 1)",
                                "telescope('c', k, i*f(u), u, [j, k], [o, n])", GIVEN, ""),
    "no fact": (PLAIN, OF_F.replace("'c'", "'d'"), GIVEN, "no earlier fact 'd'"),
    "a step that is another": ("total(f(k) - f(k - 1/2), k) == f(n) - f(o - 1/2)",
                               "telescope('c', k, f(u), u, [j, k], [o, n], 1/2)", GIVEN,
                               "does not say"),
    "ends the other way round": ("total(f(k) - f(k - 1), k) == f(o) - f(n - 1)",
                                 "telescope('c', k, f(u), u, [j, k], [n, o])", GIVEN,
                                 "does not say"),
    "another domain": ("total(g(m) - g(m - 1), m) == g(q) - g(p - 1)",
                       "telescope('c', m, g(u), u, [j, k], [o, n])",
                       f"given={{'c': whole}}, example=instance({FOUR}, Y=[0], p=0, q=0, "
                       "g={'else': 0})", "does not run over this chain"),
    "a part of what a chain is": (PLAIN, OF_F,
        "given={'c': implies(j != k, abs(j - k) >= 1) and o <= k and k <= n}, "
        "example=instance(X=[0, 5], o=0, n=5, f={'else': 0})", "does not say"),
    "no chain": (PLAIN, OF_F, "given={'c': whole}, "
                 "example=instance(X=[0, 1, 3], o=0, n=3, f={'else': 0})", "does not hold"),
    "a term without a value": ("total(1/k - 1/(k - 1), k) == 1/n - 1/(o - 1)",
                               "telescope('c', k, 1/u, u, [j, k], [o, n])", GIVEN, "!= 0"),
    "a real variable is no index": ("total(0*f(k), k) == f(n) - f(o - 1)",
                                    "telescope('c', v, f(u), u, [j, k], [o, n])", GIVEN,
                                    "does not run over"),
    "a step of the variable": ("total(f(k) - f(k - u), k) == f(n) - f(o - u)",
        "telescope('c', k, f(u), u, [j, k], [o, n], u)",
        "given={'c': is_chain([j, k], [o, n], u)}, "
        "example=instance(X=[0], o=0, n=0, f={'else': 0})",
        "does not hold"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_sum_along_a_chain_collapses(name: str) -> None:
    statement, rule, rest, why = CASES[name]
    found = outcome(statement, rule, rest)
    assert (found.failure == "") is (why == ""), found.failure
    assert why in found.failure


@pytest.mark.parametrize("indices", ["[j, j]", "[j, m]", "[u, v]", "[o, k]"])
def test_a_chain_needs_two_indices_of_one_domain(indices: str) -> None:
    with pytest.raises(InputError):
        outcome(PLAIN, OF_F, f"given={{'c': is_chain({indices}, [o, n])}}")


def test_a_chain_has_members_at_its_ends() -> None:
    with pytest.raises(InputError):
        outcome(PLAIN, OF_F, "given={'c': is_chain([j, k], [j, k])}")


def test_the_formula_says_what_a_chain_is() -> None:
    j, k = (Variable(name, "X") for name in "jk")
    o, n = (IndexConstant(name, "X") for name in "on")
    formula = chain_formula(j, k, o, n, Constant("h"))
    letters = [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2)]
    met = {True: 0, False: 0}
    for bits, step in product(range(1, 16), (Fraction(0), Fraction(1, 2), Fraction(1))):
        points = [x for place, x in enumerate(letters) if bits >> place & 1]
        for first, last in product(points, points):
            whole = [first]
            while step > 0 and whole[-1] + step <= last:
                whole.append(whole[-1] + step)
            is_chain = step > 0 and whole == points and whole[-1] == last
            instance = as_instance(X=points, o=first, n=last, h=step)
            answer = truth_for_all(formula, instance)
            assert answer is (Answer.YES if is_chain else Answer.NO), (points, first, last, step)
            met[is_chain] += 1
    assert met[True] > 10
    assert met[False] > 100

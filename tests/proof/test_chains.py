"""Induction along a chain: from the first member, and from each one to the next."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from pfverify.certificate.build import kernel_word
from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.proof.chains import chain_formula
from pfverify.proof.check import check_claim
from pfverify.proof.instances import as_instance
from pfverify.proof.loader import ProofFile
from pfverify.proof.meaning import truth_for_all
from pfverify.proof.outcome import Outcome
from pfverify.proof.terms import Constant, IndexConstant, Variable

NAMES = """
h, c = positive("h c")
d = constants("d")
u, v, y = variables("u v y")
j, k, i = indices("j k i", "X")
w = indices("w", "Y")
o, n, m = member("o n m", "X")
q = member("q", "Y")
f, g = functions("f g")
whole = is_chain([j, k], [o, n])
up = implies(i != o, f(i) >= f(i - 1) + 1)
rises = f(u) >= u - o
moves = implies(i != o, f(i) + f(i - 1) == g(o) and g(i) == g(o))
all_y = g(y) + f(u) >= d
"""
FOUR = "X=[0, 1, 2, 3], o=0, n=3"
NEXT = "step('s', at(rises, {u: m}), arithmetic('before', 'not first', use('up', {i: m})))"
GIVEN = "{'c': whole, 'up': up, 'base': f(o) >= 0}"
TABLE = "f={0: 0, 1: 1, 2: 2, 3: 4, 'else': 0}"


def outcome(
    *, given: str = GIVEN, statement: str = "at(rises, {u: i})", chain: str = "'c'",
    base: str = "'base'", over: str = "i", formula: str = "rises", variable: str = "u",
    member: str = "m", steps: str = NEXT, before: str = "", example: str = f"{FOUR}, {TABLE}",
    rest: str = "", after: str = "",
) -> Outcome:  # fmt: skip
    rule = f"induction({chain}, {base}, {over}, {formula}, {variable}, {member}, [{steps}])"
    text = f"""{NAMES}
Claim(id="F1", source=paper("design", "F1"), words="none", result=PROVED, printed=proved(
    given={given}, example=instance({example}), statement={statement}, {rest}
    steps=[{before} step("by induction", {statement}, {rule}), {after}]))
"""
    claim = ProofFile(text, "test").claim
    return check_claim(claim, kernel_word, examples=False)  # the steps before the example


def test_from_each_member_to_the_next() -> None:
    found = outcome()
    assert found.failure == ""
    assert found.steps[0].startswith("printed: at m: s [arithmetic]")
    assert found.steps[1].startswith("printed: by induction [induction]")


def test_it_holds_before_for_all_values_of_the_other_variables() -> None:
    """The step may use it at other values of y."""
    both = "f(u) + g(y) == f(o) + g(y) and f(u) == f(o)"
    found = outcome(
        given="{'c': whole, 'up': implies(i != o, f(i) == f(i - 1))}", formula=both,
        before=f"step('base', at({both}, {{u: o}}), arithmetic()),",
        statement=f"at({both}, {{u: i}})", example=f"{FOUR}, f={{'else': 1}}, g={{'else': 0}}",
        steps=f"step('s', at({both}, {{u: m}}), arithmetic(use('before', {{y: 7}}), 'not first', "
              "use('up', {i: m})))",
    )  # fmt: skip
    assert found.failure == ""


def test_integrals_that_exist_at_every_member_exist_in_the_step() -> None:
    area = "integral(exp(-v), v, u, oo) <= exp(-u)"
    base = ("step('value o', integral(exp(-v), v, o, oo) == exp(-o), antiderivative(-exp(-v))),"
            f"step('base', at({area}, {{u: o}}), arithmetic('value o')),")  # fmt: skip
    every = "step('value', integral(exp(-v), v, u, oo) == exp(-u), antiderivative(-exp(-v))),"
    value = "use('value', {u: m})"
    for before, fails in ((base, True), (every + base, False)):
        found = outcome(
            given="{'c': whole}", example=FOUR, formula=area, statement=f"at({area}, {{u: i}})",
            before=before,
            steps=f"step('s', at({area}, {{u: m}}), arithmetic({'' if fails else value}))",
        )  # fmt: skip
        assert ("no step has shown" in found.failure) is fails  # that the one at i exists
        assert fails or not found.failure
    shown = "step('value i', integral(exp(-v), v, i, oo) == exp(-i), antiderivative(-exp(-v))),"
    found = outcome(
        given="{'c': whole}", example=FOUR, formula=area, statement=f"at({area}, {{u: i}})",
        before=shown + "step('value o', integral(exp(-v), v, o, oo) == exp(-o), "
               f"antiderivative(-exp(-v))), step('base', at({area}, {{u: o}}), "
               "arithmetic('value o')),",
        steps=f"step('s', at({area}, {{u: m}}), arithmetic(use('value i', {{i: m}})))",
    )  # fmt: skip
    assert found.failure == ""


REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "no base": ({"base": "'nothing'"}, "no earlier fact 'nothing'"),
    "the base at another member": (
        {"given": GIVEN.replace("f(o) >= 0", "f(n) >= n - o")}, "the base must be"),
    "the base for another formula": (
        {"given": GIVEN.replace("f(o) >= 0", "f(o) >= -1")}, "the base must be"),
    "the base with a free variable fixed": (
        {"given": "{'c': whole, 'up': up, 'base': g(d) + f(o) >= d}", "formula": "all_y",
         "statement": "at(all_y, {u: i})", "example": f"{FOUR}, {TABLE}, d=0, g={{'else': 0}}",
         "steps": "step('s', at(all_y, {u: m}), arithmetic('before', use('up', {i: m}), "
                  "'not first'))"}, "the base must be"),
    "no chain": ({"chain": "'up'"}, "does not say that a domain is a chain"),
    "a part of what a chain is": (
        {"given": GIVEN.replace("whole", "implies(j != k, abs(j - k) >= 1) and o <= k and k <= n")},
        "does not say that a domain is a chain"),
    "a set with a gap is no chain": (
        {"example": f"X=[0, 1, 3], o=0, n=3, {TABLE}"}, "does not hold in it"),
    "it is assumed one step later": (
        {"steps": NEXT.replace("'not first'", "'not first', use('before', {u: m + 1})")},
        "u is no free variable"),
    "it is used for the next one": (
        {"steps": NEXT.replace("'before', 'not first', use('up', {i: m})", "'by induction'")},
        "no earlier fact 'by induction'"),
    "the step assumes what it shows": (
        {"steps": NEXT.replace("'not first', use('up', {i: m})", "'not first'")},
        "does not follow"),
    "the member is in a fact": (
        {"given": GIVEN.replace("'up': up", "'up': implies(m != o, f(m) >= f(m - 1) + 1)"),
         "example": f"{FOUR}, {TABLE}, m=2",
         "steps": NEXT.replace("use('up', {i: m})", "'up'")}, "it is to be any member"),
    "the member is in the formula": (
        {"formula": "rises and f(u) >= f(u)*indicator(m - m)", "member": "m",
         "given": GIVEN.replace("'base'", "'m': f(m) == f(m), 'base'"),
         "example": f"{FOUR}, {TABLE}, m=2"}, "any member"),
    "the member is what the data say": (
        {"rest": f"data=instance({FOUR}, m=1, {TABLE}),",
         "steps": "step('s', at(rises, {u: m}), finite())"}, "no data"),
    "the member is an index": ({"member": "k"}, "does not run over this chain"),
    "the member is of another domain": ({"member": "q"}, "does not run over this chain"),
    "a real variable is no member": ({"over": "v", "statement": "at(rises, {u: v})"},
                                     "does not run over this chain"),
    "an index of another domain": ({"over": "w", "statement": "at(rises, {u: w})"},
                                   "does not run over this chain"),
    "the conclusion is about every number": ({"statement": "rises"}, "the induction shows"),
    "the conclusion is about another formula": (
        {"statement": "f(i) >= i - o + 1"}, "the induction shows"),
    "the formula has the index": (
        {"formula": "f(u) >= i - o", "statement": "f(i) >= i - o"}, "without i"),
    "the formula is in a constant": (
        {"formula": "f(d) >= d - o", "variable": "d"}, "in a real variable"),
    "the formula is in an index": (
        {"formula": "f(k) >= k - o", "variable": "k"}, "in a real variable"),
    "no step": ({"steps": ""}, "its last step must be"),
    "the last step is another": (
        {"steps": "step('s', f(m) >= f(m - 1) + 1, arithmetic('not first', use('up', {i: m})))"},
        "its last step must be"),
    "a step of another size": (
        {"given": GIVEN.replace("whole", "is_chain([j, k], [o, n], 2)"),
         "example": "X=[0, 2], o=0, n=2, f={0: 0, 1: 1, 2: 2, 'else': 0}"}, "does not follow"),
    "the first one has none before it": (
        {"given": "{'c': whole, 'up': f(i) >= f(i - 1) + 1, 'base': f(o) >= 0, 'z': f(n) <= n}",
         "example": f"{FOUR}, f={{0: 0, 1: 1, 2: 2, 3: 3, 'else': -1}}",
         "statement": "at(f(u - 1) >= u - 1 - o, {u: i})", "formula": "f(u - 1) >= u - 1 - o"},
        "the base must be"),
    "the names of its facts are taken": (
        {"given": GIVEN.replace("'up'", "'before'")}, "is used twice"),
    "what was shown for the member is gone": (
        {"after": "step('later', f(m) >= f(m - 1) + 1, arithmetic('s'))"},
        "no earlier fact 's'"),
    "without a value at the first member": (
        {"formula": "1/(u - o) >= 0", "statement": "1/(i - o) >= 0",
         "before": "step('b', 0*y <= 0, arithmetic()),"}, "needs"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_induction_is_refused(name: str) -> None:
    changed, why = REFUSED[name]
    found = outcome(**changed)
    assert why in found.failure, found.failure


def chain(indices: str, ends: str) -> None:
    text = NAMES.replace("is_chain([j, k], [o, n])", f"is_chain([{indices}], [{ends}])")
    ProofFile(text + 'Claim(id="F1", source=paper("design", "F1"), words="none", '
              'result=NOT_CHECKABLE, not_checkable="for tests")', "test")  # fmt: skip


def test_a_chain_has_two_indices_and_two_ends() -> None:
    chain("j, k", "o, n")
    for indices, ends in (("j, j", "o, n"), ("j, w", "o, n"), ("u, v", "o, n"), ("o, k", "o, n"),
                          ("j, k", "j, k"), ("j, k", "o, q")):  # fmt: skip
        with pytest.raises(InputError):
            chain(indices, ends)


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

"""Claims that check because they say little are refused; what a part is about is shown."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from pfverify.certificate.build import kernel_word
from pfverify.errors import InputError
from pfverify.proof.check import check_claim
from pfverify.proof.loader import ProofFile
from pfverify.proof.outcome import Outcome

NAMES = """
a, b = constants("a b")
E = positive("E")
u, v = variables("u v")
x, z = indices("x z", "X")
f, g = functions("f g")
P, pi = masses("P pi")
"""


REAL_HK = "arithmetic('h', 'k')"


def outcome(result: str, parts: str) -> Outcome:
    text = f"""{NAMES}
Claim(id="F1", source=paper("design", "F1"), words="none", result={result}, {parts})
"""
    return check_claim(ProofFile(text, "test").claim, kernel_word)


def proved(statement: str, rule: str = "arithmetic()", rest: str = "") -> str:
    return f"proved(statement={statement}, steps=[step('s', {statement}, {rule})], {rest})"


def test_a_statement_about_data_shows_its_data() -> None:
    found = outcome("PROVED", "printed=" + proved("a == 1", "finite()", "data=instance(a=1)"))
    assert found.failure == ""
    (part,) = found.stated
    assert part.statement == "a = 1, where a = 1"
    assert part.data == "a = 1"
    assert r"\text{where } a = 1" in part.latex
    shown = json.loads(json.dumps(dataclasses.asdict(found)))["stated"][0]
    assert (shown["data"], shown["data_latex"]) == ("a = 1", "a = 1")


def test_hypotheses_and_examples_are_shown_in_words_and_latex() -> None:
    rest = "given={'h': f(x) >= a**2}, example=instance(X=[0, 1], a=0, f={0: 1/2, 'else': 1})"
    found = outcome("PROVED", "printed=" + proved("f(x) >= 0", "arithmetic('h')", rest))
    assert found.failure == ""
    (part,) = found.stated
    assert part.instances == ["a = 0; X = {0, 1}; f = {(0): 1/2, else: 1}"]
    assert part.given_latex["h"] == r"a^{2} \le f{\left(x \right)}"
    assert r"f(0) = \mathtt{1/2};\ f = 1 \text{ elsewhere}" in part.instances_latex[0]


def test_a_counterexample_and_its_problem_are_shown() -> None:
    found = outcome("REFUTED", "printed=refuted(statement=verdict('A', 'certified'), "
                    "problem=problem({0: 1}, {1: 1}, epsilon=1, scale=1/2))")  # fmt: skip
    assert found.failure == ""
    assert '"scale": "1/2"' in found.stated[0].statement
    found = outcome("REFUTED", "printed=refuted(statement=v <= a, instance=instance(a=1), "
                    "at={v: 2})")  # fmt: skip
    assert found.stated[0].instances == ["a = 1; v = 2"]


TABLES = {  # rows that fit, and rows that were once read as 0
    "arity": ("P(x) <= 1", "X=[0], P={0: 1}", "X=[0], P={(0, 0): 1}"),
    "arity of some rows": ("pi(x, z) <= 1", "X=[0, 1], pi={(0, 1): 1}",
                           "X=[0, 1], pi={(0, 1): 1, (0,): 1/2}"),
    "off the domain": ("P(x) <= 1", "X=[0, 1], P={0: 1/2, 1: 1/2}", "X=[0, 1], P={0: 1/2, 2: 2}"),
    "off the domain of the second": ("pi(x, z) <= 1", "X=[0, 1], pi={(0, 1): 1}",
                                     "X=[0, 1], pi={(0, 1): 1, (0, 2): 5}"),
    "a function outside its table": ("f(x) <= 1", "X=[0, 1], f={0: 1, 1: 1}",
                                     "X=[0, 1], f={0: 1}"),
    "an empty table": ("f(x) <= 1", "X=[0, 1], f={'else': 1}", "X=[0, 1], f={}"),
    "between the rows": ("f(a) <= 1", "a=1/2, f={0: 1, 'else': 1}", "a=1/2, f={0: 1, 1: 1}"),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("place", ["data", "example", "counterexample"])
def test_a_table_fits_its_function(name: str, place: str) -> None:
    statement, good, bad = TABLES[name]

    def checked(values: str) -> Outcome:
        if place == "data":
            part = proved(statement, "finite()", f"data=instance({values})")
        elif place == "example":
            part = proved(f"{statement} or E < 0", "arithmetic('h')",
                          f"given={{'h': {statement}}}, example=instance({values})")  # fmt: skip
        else:
            return outcome("REFUTED", f"printed=refuted(given={{'h': {statement}}}, "
                           f"statement=not ({statement}), instance=instance({values}))")
        return outcome("PROVED", f"printed={part}")

    assert checked(good).failure == ""
    if name == "arity of some rows":
        with pytest.raises(InputError, match="numbers of arguments"):
            checked(bad)
    else:
        assert checked(bad).failure


GUARDS = {
    "never": ("implies(a > a, E < 0)", "", False),
    "at some constant": ("implies(a > 2, a > 1)", "", True),
    "in the example only": ("implies(b > 2, b > a)", "given={'h': a == 0}, "
                            "example=instance(a=0, b=3)", True),
    "not in the example": ("implies(b > 2, b > a)", "given={'h': a == 0}, "
                           "example=instance(a=0, b=1)", False),
    "in the second example": ("implies(b > 2, b > a)", "given={'h': a == 0}, "
                              "example=[instance(a=0, b=1), instance(a=0, b=3)]", True),
    "at a variable": ("implies(0 <= v and v <= 1, v**2 <= 1)", "", True),
    "at no variable": ("implies(v**2 < 0, v == 5)", "", False),
    "far away": ("implies(v > 1000, v > 1)", "", False),
    "far away, where the file says": ("implies(v > 1000, v > 1)", "meets={v: 1001}", True),
    "not where the file says": ("implies(v > 1000, v > 1)", "meets={v: 5}", False),
    "below another guard": ("implies(v > 1, implies(v < 1, v == 5))", "", False),
    "in one of two parts": ("v == v and implies(v < v, v == 5)", "", False),
    "beside a truth": ("v == v or implies(v < v, v == 5)", "", False),
    "both ways": ("iff(v > 1, 2 * v > 2)", "", True),
    "both ways, of nothing": ("iff(v < v, v + 1 < v)", "", False),
}  # fmt: skip


@pytest.mark.parametrize("name", GUARDS)
def test_a_guard_inside_a_statement_is_met_somewhere(name: str) -> None:
    statement, rest, accepted = GUARDS[name]
    using = "arithmetic('h')" if "'h'" in rest else "arithmetic()"
    found = outcome("PROVED", "printed=" + proved(statement, using, rest))
    assert (found.failure == "") is accepted
    assert accepted or "the guard" in found.failure
    assert accepted or found.result == ""


RIGHT, WRONG = proved("a*E <= a*E + 1"), "refuted(statement=a*E <= 0, instance=instance(a=1, E=1))"


@pytest.mark.parametrize(
    ("corrected", "accepted"),
    [
        (RIGHT, True), (proved("b == b"), False), (proved("v <= v + 1"), False),
        (proved("2*a <= 2*a"), False), (proved("E**2 > 0"), False),
    ],
)  # fmt: skip
def test_a_repair_is_about_what_is_printed(corrected: str, accepted: bool) -> None:
    found = outcome("REPAIRED", f"printed={WRONG}, corrected={corrected}")
    assert (found.failure == "") is accepted
    assert accepted or "no term in common" in found.failure


def test_a_problem_can_be_what_a_repair_shares() -> None:
    A = "problem({0: 1}, {1: 1}, epsilon=1, scale=1/2)"
    wrong = f"refuted(statement=verdict('A', 'certified'), problem={A})"
    for name, accepted in (("A", True), ("B", False)):
        right = proved(f"verdict({name!r}, 'refuted')", f"certificate({A})")
        found = outcome("REPAIRED", f"printed={wrong}, corrected={right}")
        assert (found.failure == "") is accepted


@pytest.mark.parametrize(
    ("printed", "corrected", "word"),
    [
        ("refuted(statement=v**2 < 0, at={v: 1})", proved("v**2 >= 0"),
         "contrary to what is printed, at every instance"),
        ("refuted(statement=total(P(x), x) <= 0, instance=instance(X=[0], P={0: 1}))",
         "proved(statement=total(P(x), x) >= 0, steps=[step('p', P(x) >= 0, arithmetic()), "
         "step('s', total(P(x), x) >= 0, integrate('p', x))])", ""),
        ("refuted(given={'h': P(x) <= 1}, statement=total(P(x), x) <= 1, "
         "instance=instance(X=[0, 1], P={0: 1, 1: 1}))",
         "proved(statement=total(P(x), x) <= 1 + total(P(x), x)**2, given={'h': P(x) <= 1}, "
         "example=instance(X=[0], P={0: 1}), "
         "steps=[step('s', total(P(x), x) <= 1 + total(P(x), x)**2, arithmetic())])", ""),
        ("refuted(statement=total(P(x)*x**2, x) == 0, instance=instance(X=[1], P={1: 1}))",
         "proved(statement=0 <= total(P(x)*x**2, x), steps=[step('p', 0 <= P(x)*x**2, "
         "arithmetic()), step('s', 0 <= total(P(x)*x**2, x), integrate('p', x))])",
         "weaker than what is printed"),
        (WRONG, RIGHT, ""),
    ],
)  # fmt: skip
def test_a_repair_says_what_it_is_beside_what_is_printed(
    printed: str, corrected: str, word: str
) -> None:
    found = outcome("REPAIRED", f"printed={printed}, corrected={corrected}")
    assert (found.failure, found.comparison) == ("", word)


@pytest.mark.parametrize(
    ("second", "accepted"),
    [
        ("proved(statement=a**2 >= 0, steps=[step('t', a**2 >= 0, arithmetic())])", False),
        ("proved(statement=2*a**2 - a**2 >= 0, steps=[step('t', a**2 >= 0, arithmetic())])", False),
        (proved("a**2 >= -1"), True),
        (proved("a**2 >= 0", "arithmetic()", "given={'h': a == 1}, example=instance(a=1)"), True),
    ],
)
def test_two_readings_are_two(second: str, accepted: bool) -> None:
    found = outcome("BOTH_READINGS", f"readings=[{proved('a**2 >= 0')}, {second}]")
    assert (found.failure == "") is accepted
    assert accepted or "same as another reading" in found.failure


TRUTH = "{'kind': 'randomized-response', 'inputs': ['0', '1'], 'truth': 3/4}"
ANSWERED = f"{{0: 1/2, 1: 1/2}}, {{0: 1}}, channel={TRUTH}"
N01, N11 = "normal_prior(0, 1)", "normal_prior(1, 1)"
MIXED = "mixture_prior({1: 1/2, 2: 1/2}, {1: 0, 2: 2}, {1: 1, 2: 1})"
PROBLEMS = {
    "normal laws, translated": (f"{N01}, {N11}, epsilon=1, scale=1", "certified"),
    "normal laws, too little noise": (f"{N01}, {N11}, epsilon=1, scale=9/10", "refuted"),
    "Gaussian noise": (f"{N01}, {N11}, epsilon=1, noise='gaussian', variance=2", "refuted"),
    "a mixture": (f"{MIXED}, {N01}, epsilon=1, scale=1, delta=388/10000", "refuted"),
    "a mixture, enough noise": (f"{MIXED}, {N01}, epsilon=1, scale=2", "certified"),
    "a variance": ("normal_prior(0, variance=2), normal_prior(0, 1), epsilon=1, scale=1/10",
                   "refuted"),
    "a channel": (f"{ANSWERED}, epsilon='log(2)'", "certified"),
    "a channel, too little epsilon": (f"{ANSWERED}, epsilon='log(19/10)'", "refuted"),
    "a channel, a delta": (f"{ANSWERED}, epsilon=0, delta=1/4", "certified"),
}  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_kernel_decides_problems_with_densities_and_channels(name: str) -> None:
    arguments, word = PROBLEMS[name]
    other = {"certified": "refuted", "refuted": "certified"}[word]
    for said, accepted in ((word, True), (other, False)):
        rule = f"certificate(problem({arguments}))"
        found = outcome("PROVED", f"printed={proved(f'verdict({name!r}, {said!r})', rule)}")
        assert (found.failure == "") is accepted


@pytest.mark.parametrize(
    "arguments",
    ["normal_prior(0)", "normal_prior(0, 1, 1)", "mixture_prior({1: 1/2}, {1: 0}, {1: 1})"],
)
def test_a_prior_that_is_none_is_refused(arguments: str) -> None:
    part = proved("verdict('A', 'certified')",
                  f"certificate(problem({arguments}, {N01}, epsilon=1, scale=5))")  # fmt: skip
    assert outcome("PROVED", f"printed={part}").failure


def test_a_channel_and_noise_are_refused() -> None:
    def refuted(more: str) -> Outcome:
        problem = f"problem({ANSWERED}, epsilon=1/2{more})"
        return outcome("REFUTED", f"printed=refuted(statement=verdict('A', 'certified'), "
                       f"problem={problem})")  # fmt: skip

    assert refuted("").failure == ""
    for more in (", scale=1", ", step=1"):
        assert "noise" in refuted(more).failure
    with pytest.raises(InputError, match="unknown key 'noise'"):
        refuted(", noise='gaussian'")


def test_the_tables_of_a_mixture_have_the_same_keys() -> None:
    with pytest.raises(InputError, match="the same components"):
        outcome("PROVED", "printed=mixture_prior({1: 1}, {1: 0, 2: 2}, {1: 1})")


REFUTATIONS: dict[str, tuple[str, bool]] = {
    "the kernel refutes it": ("statement=verdict('A', 'certified'), problem=BAD", True),
    "the kernel certifies it": ("statement=verdict('A', 'certified'), problem=GOOD", False),
    "it is refuted, and said so": ("statement=verdict('A', 'refuted'), problem=BAD", False),
    "without a problem": ("statement=verdict('A', 'certified')", False),
    "hypotheses fail": ("given={'h': a == 1}, statement=verdict('A', 'certified'), problem=BAD, "
                        "instance=instance(a=2)", False),
    "hypotheses hold": ("given={'h': a == 1}, statement=verdict('A', 'certified'), problem=BAD, "
                        "instance=instance(a=1)", True),
    "certified where it should not be": (
        "statement=verdict('A', 'refuted'), problem=GOOD, verdict='certified'", True),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUTATIONS)
def test_a_verdict_is_refuted_by_the_kernel(name: str) -> None:
    arguments, accepted = REFUTATIONS[name]
    for word, scale in (("BAD", "1/2"), ("GOOD", "1")):
        arguments = arguments.replace(word, f"problem({N01}, {N11}, epsilon=1, scale={scale})")
    found: Any = outcome("REFUTED", f"printed=refuted({arguments})")
    assert (found.failure == "") is accepted


DENIED = "denied(printed=v**2 + E < 0, statement=v**2 + E > 0, " \
         "words='below 0 (left out: a limit)', " \
         "steps=[step('s', v**2 + E > 0, arithmetic())])"
# v <= E would hold for every v: it fails from some v on
LIMIT = "denied(printed=v <= E, statement=implies(v > E, v**2 > E**2), " \
        "words='v <= E (left out: a limit)', " \
        "steps=[step('s', implies(v > E, v**2 > E**2), arithmetic())], example=instance(E=1))"


@pytest.mark.parametrize(
    ("result", "parts", "accepted"),
    [
        ("REFUTED", f"printed={DENIED}", True),
        ("PROVED", f"printed={DENIED}", False),
        ("REPAIRED", f"printed={DENIED}", False),
        ("REPAIRED", f"printed={DENIED}, corrected={proved('v**2 + E >= E')}", True),
        ("REPAIRED", f"printed={DENIED}, corrected={proved('a*b == b*a')}", False),
        ("REFUTED", f"printed={DENIED.replace('v**2 + E > 0', 'v**2 - E > 0')}", False),
        ("REFUTED", f"printed={DENIED.replace('words', 'example=instance(E=1), words')}", True),
        # the formula of what is printed: its negation follows, and what is corrected is about it
        ("REFUTED", f"printed={DENIED.replace('E < 0', 'E < 1')}", False),
        ("REFUTED", f"printed={DENIED.replace('E < 0', 'E <= 0')}", True),
        ("REFUTED", f"printed={DENIED.replace('printed=v**2 + E < 0, ', '')}", False),
        ("REFUTED", f"printed={DENIED.replace('E < 0', 'E/v < 0')}", False),
        ("REPAIRED", f"printed={DENIED.replace('printed=v**2', 'printed=-b**2')}, "
         f"corrected={proved('v**2 + E >= E')}", False),
        ("REFUTED", f"printed={LIMIT}", False),
        ("REFUTED", f"printed={LIMIT.replace('words', 'at={v: 1 + E}, words')}", True),
        ("REFUTED", f"printed={LIMIT.replace('words', 'at={v: 1 - E}, words')}", False),
        ("REFUTED", f"printed={LIMIT.replace('words', 'at={v: 1/a}, words')}", False),
        # a hypothesis (E > 0) is about this constant, not about another in its place
        ("REFUTED", "printed="
         + DENIED.replace("E < 0", "E > -1").replace("words", "at={E: -v**2}, words"), False),
        ("REFUTED", f"printed={LIMIT.replace('words', 'at={E: v - 1}, words')}", False),
        ("REPAIRED", f"printed={WRONG}, corrected={DENIED}", False),
        ("PROVED", f"printed={RIGHT}, tighter={DENIED}", False),
        ("REFUTED", "printed=" + DENIED.replace("below 0 (left out: a limit)", ""), False),
        # the hypotheses that are printed are stated, or it is said which are left out
        ("REFUTED", "printed=" + DENIED.replace("left out", "so it is"), False),
        ("REFUTED", "printed=" + DENIED.replace("left out", "so it is").replace(
            "words", "given={'v': E > 1}, example=instance(E=2), words"), True),
        ("REFUTED", "printed=" + DENIED.replace("left out", "so it is").replace(
            "printed=v**2 + E < 0", "printed=implies(E > 0, v**2 + E < 0)"), True),
        ("BOTH_READINGS", f"readings=[{DENIED}, {RIGHT}]", True),
    ],
)
def test_what_is_printed_is_denied_by_what_is_proved(
    result: str, parts: str, accepted: bool
) -> None:
    try:
        found = outcome(result, parts)
    except InputError:
        assert not accepted
        return
    assert (found.failure == "") is accepted
    if accepted and result != "BOTH_READINGS":
        assert found.stated[0].kind == "proved against it"


@pytest.mark.parametrize(
    ("name", "accepted"),
    [
        ("1", True), ("scale 1", True), ("at 1", True), ("1.0", True), ("Table 4", True),
        ("Laplace", True), ("2", False), ("less at 2", False), ("1/2", False),
        ("discrete Laplace", False), ("Gaussian noise", False), ("the certified one", False),
    ],
)
def test_the_name_of_a_problem_does_not_contradict_it(name: str, accepted: bool) -> None:
    case = f"problem({N01}, {N11}, epsilon=1, scale=1)"
    refuted = f"printed=refuted(verdict('{name}', 'refuted'), problem={case}, verdict='certified')"
    shown = (f"printed=proved(verdict('{name}', 'certified'), steps=[step('s', verdict('{name}', "
             f"'certified'), certificate({case}))])")  # fmt: skip
    for result, parts in (("REFUTED", refuted), ("PROVED", shown)):
        found: Any = outcome(result, parts)
        assert (found.failure == "") is accepted, found.failure
        assert accepted or "is called" in found.failure or "tells a verdict" in found.failure


@pytest.mark.parametrize(
    ("statement", "accepted"),
    [
        ("a <= b", False),
        ("2*a - a <= b", False),
        ("a <= b and b <= 3", False),
        ("2*a <= 2*b", False),
        ("E + 1 > 0 and -b <= -a", True),
        ("not (not (a/3 <= b/3))", False),
        ("not (b < a) and not (b > 3)", False),
        ("a < b or a == b", False),
        ("implies(2 < 3, a <= b)", False),
        ("a <= b or 1 < 0", False),
        ("a <= b or 0 < 1", True),
        ("a <= b and b <= 4", True),
        ("a <= b + 1", True),
    ],
)
def test_a_hypothesis_is_no_statement(statement: str, accepted: bool) -> None:
    part = proved(statement, "arithmetic('h', 'k')", "given={'h': a <= b, 'k': b <= 3}, "
                  "example=instance(a=0, b=1)")  # fmt: skip
    found = outcome("PROVED", f"printed={part}")
    assert (found.failure == "") is accepted
    if not accepted:
        assert found.failure == "it is among the hypotheses: nothing is proved"


def test_hypotheses_that_are_the_statement_together_are_no_proof() -> None:
    given = "given={'h': a <= b, 'k': b <= a, 'l': b <= 3}, example=instance(a=0, b=0)"
    found = outcome("PROVED", f"printed={proved('a == b', REAL_HK, given)}")
    assert found.failure == "it is among the hypotheses: nothing is proved"
    assert outcome("PROVED", f"printed={proved('2*a == b + b', REAL_HK, given)}").failure
    given = given.replace("b <= a", "b <= a + E - 1 and E == 1").replace("b=0", "b=0, E=1")
    assert outcome("PROVED", f"printed={proved('a == b', REAL_HK, given)}").failure == ""


def test_data_and_example_are_of_the_same_functions() -> None:
    """Where P has no row it is 0 in the data, whatever an example puts there."""
    for row, elsewhere, accepted in (("{0: 1}", "'else': 1/2", False), ("{0: 1}", "", True),
                                     ("{0: 1, 'else': 1}", "'else': 1", True),
                                     ("{0: 1, 'else': 1}", "", False)):  # fmt: skip
        sign = ">= 0" if row == "{0: 1}" and not elsewhere else "> 0"
        part = ("proved(statement=P(1) <= 1 and b*b >= 0, steps=[step('p', P(1) <= 1, finite()), "
                f"step('s', b*b >= 0, arithmetic())], given={{'h': P(v) {sign}}}, "
                f"data=instance(P={row}), example=instance(P={{0: 1, {elsewhere}}}))")
        found = outcome("PROVED", f"printed={part}")
        assert (found.failure == "") is accepted
        assert accepted or found.failure == "P is something else in the data"

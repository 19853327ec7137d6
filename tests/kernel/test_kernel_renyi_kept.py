"""The kernel's own number of densities that end or are kept in part, and on a lattice."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import kernel_builder as kb
import pytest
from checker import check_bytes
from core import facts, renyi_lattice
from core.enclose import Arithmetic, Undecided
from core.grammar import Malformed
from core.kinds import kind_of
from core.rules import Goal
from core.work import Check, checking
from reader.noise import Noise

Json = dict[str, Any]
HALVES, FOURTHS = {"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"}
TRUNCATED = {"kind": "truncated-laplace", "scale": "1", "bound": "3"}
WINDOW = {"kind": "bounded-laplace", "scale": "1", "low": "-1", "high": "5/2"}
LATTICE = {"kind": "discrete-gaussian", "variance": "1", "step": "1"}
LAPLACE = {"kind": "laplace", "scale": "1"}
KEEP: Json = {"post": [{"threshold": {"at": "1", "keep": "at-least"}}]}
KEEP_0: Json = {"post": [{"threshold": {"at": "0", "keep": "at-least"}}]}
CASES: list[tuple[Json, Json, str, str]] = [  # noise, steps, just above D_2 and just below
    (TRUNCATED, {}, "0.0552723870158", "0.0552723870157"),
    (WINDOW, {}, "0.0417950655638", "0.0417950655637"),
    (LATTICE, {}, "0.0555410033305", "0.0555410033304"),
    (TRUNCATED, {"post": [{"clamp": ["0", "1"]}]}, "0.0496574004709", "0.0496574004708"),
    (TRUNCATED, {"post": [{"threshold": {"at": "0", "keep": "at-least"}}]}, "0.0502834572302",
     "0.0502834572301"),
    (LAPLACE, KEEP_0, "0.0439799967503", "0.0439799967502"),
    (LAPLACE, {"post": [{"clamp": ["0", "100"]}]}, "0.0439799967503", "0.0439799967502"),
    (LATTICE, {"post": [{"clamp": ["0", "1"]}]}, "0.0406019513849", "0.0406019513848"),
]  # fmt: skip


def problem(noise: Json, epsilon: str, p: Json = HALVES, q: Json = FOURTHS, **more: Any) -> Json:
    stated = kb.problem(p, q, epsilon, scale=None, form="renyi", order="2")
    return stated | {"noise": noise} | more


def word(value: Json, result: str, steps: list[Any]) -> str:
    certificate = kb.certificate(value, result, steps)
    data = json.dumps(certificate, sort_keys=True, separators=(",", ":")).encode()
    return check_bytes(json.dumps(value).encode(), True, data)[0]


BOTH = [kb.step("renyi"), kb.step("renyi", "b", "a")]


def refuting(margin: str, *goal: str) -> list[Json]:
    return [kb.step("renyi-refuted", *goal, margin=margin)]


@pytest.mark.parametrize("case", CASES)
def test_what_holds_is_accepted_and_a_little_less_refused(case: Any) -> None:
    noise, steps, above, below = case
    assert word(problem(noise, above, **steps), "certified", BOTH) == "certified"
    assert word(problem(noise, below, **steps), "certified", BOTH) == "rejected"
    less = problem(noise, "1/100", **steps)
    exact = Fraction(below) - Fraction(1, 100)
    assert word(less, "refuted", refuting(kb_decimal(exact))) == "refuted"
    more = exact + Fraction(1, 10**12)
    assert word(less, "refuted", refuting(kb_decimal(more))) == "rejected"


def kb_decimal(x: Fraction) -> str:
    return f"{x.numerator * 10**13 // x.denominator / 10**13:.13f}"


@pytest.mark.parametrize("mass", ["1/2", "1/1000000000000000000000000000000"])
def test_an_end_makes_it_infinite_and_nothing_else_is_said_of_it(mass: str) -> None:
    p = {"0": str(1 - Fraction(mass)), "1": mass}
    value = problem(TRUNCATED, "9", p, {"0": "1"})
    assert word(value, "certified", BOTH) == "rejected"
    assert word(value, "refuted", refuting("inf")) == "refuted"
    assert word(value, "refuted", refuting("1")) == "rejected"
    assert word(value, "refuted", refuting("inf", "b", "a")) == "rejected"  # that one is finite
    clamped = problem(TRUNCATED, "9", p, {"0": "1"}, post=[{"clamp": ["0", "1"]}])
    assert word(clamped, "certified", BOTH) == "certified"
    assert word(clamped, "refuted", refuting("inf")) == "rejected"


def test_a_row_that_is_never_there() -> None:
    for noise in (LAPLACE, LATTICE):
        value = problem(noise, "9", HALVES, HALVES, **KEEP)
        value["priors"]["b"] = {"kind": "nothing"}
        assert word(value, "refuted", refuting("inf")) == "refuted"
        assert word(value, "refuted", refuting("inf", "b", "a")) == "rejected"
        assert word(value, "certified", BOTH) == "rejected"


def test_what_is_suppressed_whoever_is_there_tells_nothing() -> None:
    always = [{"clamp": ["0", "0"]}, {"threshold": {"at": "5", "keep": "at-least"}}]
    other = [{"clamp": ["0", "6"]}, always[1]]  # from 5 on numbers are published
    for noise in (LAPLACE, LATTICE):
        for law in ({"kind": "nothing"}, {"kind": "nothing", "chance": "1/3", "or": {
                "kind": "discrete", "mass": {"0": "1"}}}):  # fmt: skip
            value = problem(noise, "1/10", HALVES, HALVES, post=always)
            value["priors"]["b"] = law
            for goal in (("a", "b"), ("b", "a")):
                assert word(value, "refuted", refuting("inf", *goal)) == "rejected"
                assert word(value, "refuted", refuting("0.0001", *goal)) == "rejected"
            assert word(value, "certified", BOTH) == "certified"
        value["priors"]["b"] = {"kind": "nothing"}
        assert word(value | {"post": other}, "refuted", refuting("inf")) == "refuted"
        assert word(value | {"post": other}, "certified", BOTH) == "rejected"


def test_order_1_has_no_certificate() -> None:
    for noise in (TRUNCATED, LATTICE, LAPLACE):
        with pytest.raises(Malformed, match="a rational above 1"):
            word(problem(noise, "9") | {"order": "1"}, "certified", BOTH)


def test_too_many_points_are_left_undecided() -> None:
    wide = Noise("discrete-gaussian", Fraction(10**9), Fraction(1))
    laws = {Fraction(0): Fraction(1)}, {Fraction(0): Fraction(1, 2), Fraction(1): Fraction(1, 2)}
    kind = kind_of(wide.kind, *laws)
    about = Fraction(1), Fraction(0), "renyi", wide, kind, False, Check(0), Fraction(2)
    goal: Any = Goal(("default", "a", "b"), *kind.laws(*laws, wide), *about)
    with pytest.raises(Undecided, match="too many points"), checking(10**6):
        renyi_lattice.moment(goal).enclosed(Arithmetic(64))
    with pytest.raises(Undecided, match="a tie"):
        renyi_lattice.moment(goal).exact()


def test_its_facts_are_named() -> None:
    assert {"F115", "F116", "F117"} <= facts.FACTS.keys()


def test_what_is_far_from_all_atoms_counts() -> None:
    far = LATTICE | {"variance": "1"}  # order 9: around 9 * 3 - 8 * 0; about 9 * 9/2
    value = problem(far, "402/10", {"3": 1}, {"0": 1}) | {"order": "9"}
    assert word(value, "certified", BOTH) == "rejected"
    assert word(value | {"epsilon": "406/10"}, "certified", BOTH) == "certified"
    assert word(value | {"epsilon": "40"}, "refuted", refuting("0.4")) == "refuted"


def test_an_output_beyond_all_that_is_looked_at_counts() -> None:
    deep = {"post": [{"threshold": {"at": "-200", "keep": "at-least"}}]}
    value = problem(LATTICE, "2", {"0": 1}, {"0": 1}, **deep)
    half = {"kind": "nothing", "chance": "1/2", "or": {"kind": "discrete", "mass": {"0": "1"}}}
    value["priors"]["b"] = half  # suppressed with 1/2, which hardly ever happens under a
    assert word(value, "certified", BOTH) == "rejected"
    assert word(value, "refuted", refuting("1000", "b", "a")) == "refuted"
    assert word(value, "refuted", refuting("0.001")) == "rejected"  # log 2


@pytest.mark.parametrize("laws", [(HALVES, {"0": "1/3", "2": "2/3"}), ({"2": "1"}, HALVES)])
@pytest.mark.parametrize("turned", [False, True])
def test_tails_hold_what_is_left_out(
    laws: tuple[Json, Json], turned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stated = [{Fraction(x): Fraction(m) for x, m in law.items()} for law in laws]
    if turned:
        stated = [{-x: m for x, m in law.items()} for law in stated]
    noise = Noise("discrete-gaussian", Fraction(2), Fraction(1))
    kind = kind_of(noise.kind, *stated)
    about = Fraction(1), Fraction(0), "renyi", noise, kind, False, Check(0), Fraction(2)
    for p, q in (stated, stated[::-1]):
        goal: Any = Goal(("default", "a", "b"), *kind.laws(p, q, noise), *about)
        exact = _ends(renyi_lattice.moment(goal).enclosed(Arithmetic(256)))
        monkeypatch.setattr(renyi_lattice, "GUARD", -60)  # next to no reach
        low, high = _ends(renyi_lattice.moment(goal).enclosed(Arithmetic(64)))
        monkeypatch.undo()
        assert low < exact[0] <= exact[1] < high < 2 * low


def _ends(x: Any) -> tuple[Fraction, Fraction]:
    return x[0] * Fraction(2) ** x[2], x[1] * Fraction(2) ** x[2]


@pytest.mark.parametrize("step", [{"floor": {"to": "1"}}, {"clamp": ["-10", "3"]}])
def test_an_output_that_only_one_law_reaches_makes_it_infinite(step: Json) -> None:
    value = problem(TRUNCATED, "9", HALVES, {"0": "1"}, post=[step])  # 3 and more
    assert word(value, "certified", BOTH) == "rejected"
    assert word(value, "refuted", refuting("inf")) == "refuted"
    assert word(value, "refuted", refuting("inf", "b", "a")) == "rejected"

"""The kernel's own number of a divergence, what it accepts, and what it refuses."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from typing import Any

import kernel_builder as kb
import pytest
from checker import check_bytes
from core import renyi, renyi_line, renyi_normals, renyi_series
from core.enclose import Arithmetic, Undecided
from core.grammar import Malformed
from core.kinds import kind_of
from core.masses import outputs_of
from core.rules import Goal, Rejected
from core.work import Check, checking
from hypothesis import given, settings
from hypothesis import strategies as st
from reader.noise import Noise

from pfverify import Discrete
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.renyi.line import OfAtoms
from pfverify.decide.renyi.normal import _moment
from pfverify.exact.ball import Ball, fraction_of, precision
from pfverify.exact.number import number
from pfverify.laws.rate import Rate
from pfverify.model.priors.prior import Component

Json = dict[str, Any]
UNIFORM: Json = {str(k): "1/5" for k in range(5)}


def problem(order: Any = "2", epsilon: str = "1/5", scale: str = "1/log(2)", **more: Any) -> Json:
    stated = kb.problem(UNIFORM, {"2": 1}, epsilon, scale=scale, form="renyi", order=order)
    return stated | more


def kb_bytes(certificate: Json) -> bytes:
    return json.dumps(certificate, sort_keys=True, separators=(",", ":")).encode()


def word(value: Json, result: str, steps: list[Any]) -> tuple[str, str]:
    certificate = kb.certificate(value, result, steps)
    return check_bytes(json.dumps(value).encode(), True, kb_bytes(certificate))


def both(rule: str = "renyi", **more: Any) -> list[Any]:
    return [kb.step(rule, "a", "b", **more), kb.step(rule, "b", "a", **more)]


def goal(p: Json, q: Json, order: Any, scale: Any, step: Any = None) -> Any:
    release = Noise("laplace" if step is None else "discrete-laplace", Fraction(scale), step)
    kind = kind_of(release.kind, p, q)
    about = Fraction(1), Fraction(0), "renyi", release, kind, False, Check(0), Fraction(order)
    return Goal(("default", "a", "b"), *kind.laws(p, q, release), *about)


def ends(x: Any) -> tuple[Fraction, Fraction]:
    low, high, e = x
    return Fraction(low) * Fraction(2) ** e, Fraction(high) * Fraction(2) ** e


def laws() -> Any:
    whole = st.dictionaries(st.integers(-9, 9), st.integers(1, 6), min_size=1, max_size=4)
    return whole.map(
        lambda found: {
            Fraction(x): Fraction(found[x], sum(found.values())) for x in sorted(found)
        }
    )


@settings(max_examples=12, deadline=None)
@given(
    laws(), laws(), st.sampled_from(["9/8", "3/2", "2", "5/2", "7", "70"]),
    st.sampled_from(["1/10", "1/2", "1", "3", "50"]), st.sampled_from([None, Fraction(1)]),
)  # fmt: skip
def test_two_programs_have_one_number(p: Any, q: Any, order: str, scale: str, step: Any) -> None:
    if order == "70" and scale == "1/10":
        return
    with checking(10**6):
        low, high = ends(renyi_line.moment(goal(p, q, order, scale, step)).enclosed(Arithmetic(96)))
    pair, rate = Pair(Discrete(p), Discrete(q), step), Rate(number(scale))
    with precision(96):
        found = Ball(OfAtoms(pair, rate, Fraction(order), turned=False).ball()).ends()
    assert found is not None
    least, most = map(fraction_of, found)
    assert low <= most
    assert least <= high
    assert 0 < (high - low) * 10**20 < low
    assert high >= 1


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=1, max_size=5),
       st.integers(2, 9))  # fmt: skip
def test_masses_of_a_whole_order_are_summed_exactly(pairs: Any, order: int) -> None:
    p, q = zip(*pairs, strict=True)
    if not sum(p):
        return
    one, two = ([Fraction(x, sum(law)) for x in law] for law in (p, q))
    names = tuple(f"y{k}" for k in range(len(p)))
    asked = goal({Fraction(0): Fraction(1)}, {Fraction(0): Fraction(1)}, order, 1)
    found = renyi.moment(
        asked.about(outputs_of(one)._replace(names=names), outputs_of(two)._replace(names=names))
    )
    exact = sum(a**order * b ** (1 - order) for a, b in zip(one, two, strict=True))
    with checking(10**6):
        ((_, top),), ((_, bottom),) = (x.items() for x in found.exact())
        low, high = ends(found.enclosed(Arithmetic(64)))
    assert top / bottom == exact
    assert low <= exact <= high


@settings(max_examples=12, deadline=None)
@given(laws(), laws(), st.sampled_from(["3/2", "2", "7"]), st.sampled_from(["1", "9", "100"]))
def test_two_programs_sum_bells_to_one_number(p: Any, q: Any, order: str, variance: str) -> None:
    release = Noise("gaussian", Fraction(variance), None)
    kind = kind_of("gaussian", p, q)
    about = Fraction(1), Fraction(0), "renyi", release, kind, False, Check(0), Fraction(order)
    of = renyi_normals.moment(Goal(("default", "a", "b"), *kind.laws(p, q, release), *about))
    with checking(10**6):
        low, high = ends(of.enclosed(Arithmetic(64)))
    parts = [[Component(m, x, Fraction(0)) for x, m in law.items()] for law in (p, q)]
    with precision(64):
        found = Ball(_moment(*parts, Fraction(variance), Fraction(order)).ball()).ends()
    assert found is not None
    least, most = map(fraction_of, found)
    assert low <= most
    assert least <= high
    assert 0 <= (high - low) * 10**12 < low
    assert high >= 1


def test_an_exact_sum_is_within_its_enclosure() -> None:
    p = {Fraction(x): Fraction(1, 3) for x in (-1, 0, 2)}
    point = {Fraction(0): Fraction(1)}
    from core.zero import enclose_sum

    for case in (goal(p, point, 3, 2), goal(point, {Fraction(5): Fraction(1)}, "5/2", 2),
                 goal(point, {Fraction(5): Fraction(1)}, "5/2", 2, Fraction(1))):  # fmt: skip
        ar, of = Arithmetic(96), renyi_line.moment(case)
        with checking(10**6):
            top, bottom = of.exact()
            found = ends(ar.div(enclose_sum(top, ar), enclose_sum(bottom, ar)))
            low, high = ends(of.enclosed(ar))
        assert low <= found[1]
        assert found[0] <= high
    with pytest.raises(Undecided, match="several atoms"):
        renyi_line.moment(goal(point, p, 2, 1)).exact()
    with pytest.raises(Undecided, match="several atoms"):
        renyi_line.moment(goal(p, point, "5/2", 1)).exact()


def test_what_holds_is_accepted_and_what_does_not_is_refused() -> None:
    assert word(problem(), "certified", both())[0] == "certified"
    for less in ("163/1000", "1/10", "0"):
        found, message = word(problem(epsilon=less), "certified", both())
        assert (found, "above epsilon" in message) == ("rejected", True)
    tie = kb.problem({"0": 1}, {"1": 1}, "log(17/12)", scale="1/log(2)", form="renyi", order="2")
    assert word(tie, "certified", both())[0] == "certified"
    near = tie | {"epsilon": "log(17/12) - 1/10000000000000000000000000000000000000000000000000"}
    assert word(near, "certified", both())[0] == "rejected"
    short = word(problem(), "certified", both()[:1])
    assert short[0] == "rejected"


def test_a_margin_is_no_larger_than_it_is() -> None:
    value = problem(epsilon="1/10")
    for margin, found in (("0.0633", "refuted"), ("0.0634", "rejected"), ("0", "rejected"),
                          ("inf", "rejected"), ("-1", "malformed")):  # fmt: skip
        step = kb.step("renyi-refuted", "b", "a", margin=margin)
        assert word(value, "refuted", [step])[0] == found, margin
    step = kb.step("renyi-refuted", "a", "b", margin="0.0633")  # the other order is smaller
    assert word(value, "refuted", [step])[0] == "rejected"


def test_an_infinite_divergence_has_an_infinite_margin() -> None:
    value = kb.problem({"0": "1/2", "1": "1/2"}, {"0": 1}, "9", form="renyi", order="2")
    value["noise"] = {"kind": "none"}
    assert word(value, "refuted", [kb.step("renyi-refuted", margin="inf")])[0] == "refuted"
    assert word(value, "refuted", [kb.step("renyi-refuted", margin="1")])[0] == "rejected"
    assert word(value, "refuted", [kb.step("renyi-refuted", "b", "a", margin="inf")])[0] == (
        "rejected"
    )
    found, message = word(value, "certified", both())
    assert (found, "infinite" in message) == ("rejected", True)


OTHER_RULES = ["pure", "delta-upper", "pointwise", "no-noise", "channel", "kept"]


@pytest.mark.parametrize("rule", OTHER_RULES)
def test_rules_of_other_forms_prove_nothing(rule: str) -> None:
    keys = kb.step(rule, ties=[]) if rule in ("pure", "pointwise") else kb.step(rule)
    if rule in ("no-noise", "channel", "kept"):
        del keys["bits"]
    steps = [keys, keys | {"from": "b", "to": "a"}]
    assert word(problem(epsilon="9"), "certified", steps)[0] in ("rejected", "malformed")


def test_its_rules_prove_no_other_form() -> None:
    for form in ("events", "pointwise"):
        value = kb.problem(UNIFORM, {"2": 1}, "1", scale="1/log(2)", form=form)
        assert word(value, "certified", both())[0] == "rejected"
        step = kb.step("renyi-refuted", "b", "a", margin="0.01")
        assert word(value | {"epsilon": "1/10"}, "refuted", [step])[0] == "rejected"


BAD = {
    "no order": {"order": None},
    "an order without the form": {"form": "events"},
    "order 1": {"order": "1"},
    "a negative order": {"order": "-2"},
    "no number": {"order": "log(9)"},
    "a huge order": {"order": "1000000000001/2"},
    "a list": {"order": ["2"]},
    "another name": {"form": "Renyi"},
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_order_is_malformed(case: str) -> None:
    value = deepcopy(problem()) | BAD[case]
    value = {key: x for key, x in value.items() if x is not None}
    certificate = kb.certificate(problem(), "certified", both())
    found = check_bytes(json.dumps(value).encode(), True, kb_bytes(certificate))
    assert found[0] == "malformed"


def test_another_order_is_another_problem() -> None:
    certificate = kb_bytes(kb.certificate(problem(), "certified", both()))
    found, message = check_bytes(json.dumps(problem("5/2", "9")).encode(), True, certificate)
    assert (found, "digest" in message) == ("rejected", True)
    assert kb.digest(problem("2")) == kb.digest(problem("4/2")) != kb.digest(problem("3"))


def test_a_delta_beside_it_proves_nothing() -> None:
    assert word(problem(epsilon="9", delta="1/2"), "certified", both())[0] == "malformed"


def test_kinds_without_its_number_refuse() -> None:
    value = problem(epsilon="9")
    wide = {"kind": "gaussian", "mean": 0, "variance": 4}
    two = value | {"priors": value["priors"] | {"b": wide}}
    found, message = word(two, "certified", both())
    assert (found, "other noise" in message) == ("malformed", True)
    value["noise"] = {"kind": "gaussian", "variance": 1}
    bare = [{"rule": "minimum", "lower": "0", "upper": "inf", "lower_step": None,
             "upper_steps": [{"rule": "no-scale"}]}]  # fmt: skip
    value["epsilon"] = "1"
    assert word(value, "scales", bare)[0] == "rejected"


def test_what_stands_for_others_is_looked_at() -> None:
    renyi.require_own({"DPI", "F84"})
    for facts in ({"F61"}, {"F40", "DPI"}, {"F60"}, {"F63"}, {"F74"}):
        with pytest.raises(Rejected, match="not known to in the form renyi"):
            renyi.require_own(facts)


def test_scales_without_noise_are_those_of_the_masses() -> None:
    value = kb.problem({"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"}, "log(4/3)", scale=None,
                       form="renyi", order="2")  # fmt: skip
    minimum = {"rule": "minimum", "lower": "0", "upper": "0", "lower_step": None,
               "upper_steps": both()}  # fmt: skip
    assert word(value, "scales", [minimum])[0] == "scales"
    bare = minimum | {"upper_steps": [{"rule": "no-noise"}]}
    assert word(value, "scales", [bare])[0] == "malformed"
    assert word(value | {"epsilon": "1/5"}, "scales", [minimum])[0] == "rejected"


def test_a_moment_needs_an_order() -> None:
    plain = kb.goal({Fraction(0): Fraction(1)}, {Fraction(0): Fraction(1)}, 1, 0)
    with pytest.raises(Malformed, match="has an order"):
        renyi.renyi(plain, {"bits": 64})
    with pytest.raises(Undecided):
        renyi.power((0, 1, 0), Fraction(2), Arithmetic(64))


def exact_sum(s: Fraction, t: Fraction, a: Fraction, weights: list[Fraction]) -> Fraction:
    """By the product of both binomial series."""
    count = 2 * len(weights)

    def binomial(x: Fraction, power: Fraction) -> list[Fraction]:
        found = [Fraction(1)]
        for k in range(count):
            found.append(found[-1] * x * (power - k) / (k + 1))
        return found

    one, two = binomial(s, a), binomial(t, 1 - a)
    return sum(
        (w * sum(one[j] * two[2 * k - j] for j in range(2 * k + 1)) for k, w in enumerate(weights)),
        Fraction(0),
    )


unit = st.fractions(-1, 1, max_denominator=50)


@settings(max_examples=40, deadline=None)
@given(unit, unit, st.sampled_from(["9/8", "2", "5/2", "7", "70"]), st.integers(1, 12),
       st.integers(0, 1000))  # fmt: skip
def test_a_weighted_sum_of_coefficients_encloses_the_exact_one(
    s: Fraction, t: Fraction, order: str, count: int, off: int
) -> None:
    w, ar, a = 80, Arithmetic(96), Fraction(order)
    weights = [Fraction(1, 3 * 5**k) for k in range(count)]
    given_s, given_t = ((x + y, z) for (x, z), y in zip(
        (renyi_series.near(ar.of(x), w) for x in (s, t)), (off, -off), strict=True))  # fmt: skip
    said = [renyi_series.near(ar.of(x), w) for x in weights]
    apart = [(x, d + off) for x, d in (given_s, given_t)]
    low, high = ends(renyi_series.weighted(apart[0], apart[1], a, said, w))
    assert low <= exact_sum(s, t, a, weights) <= high
    if off == 0:
        assert (high - low) * 2**40 < 1 + sum(
            abs(exact_sum(Fraction(1), Fraction(-1), a, [Fraction(0)] * k + [x]))
            for k, x in enumerate(weights)
        )


@pytest.mark.parametrize(
    "noise", [{"kind": "none"}, {"kind": "table", "weights": {"0": "3/5", "1": "2/5"}}]
)
def test_steps_behind_known_masses_are_outputs(noise: Json) -> None:
    bare = noise["kind"] == "none"  # what is 0 stays 0, with 1/2 and 1/4; else 3/10 and 3/20
    value = kb.problem({"0": "1/2", "2": "1/2"}, {"0": "1/4", "2": "3/4"}, scale=None, form="renyi",
                       order="2") | {"noise": noise, "post": [{"clamp": ["0", "1/2"]}]}  # fmt: skip
    p, q = (Fraction(1, 2), Fraction(1, 4)) if bare else (Fraction(3, 10), Fraction(3, 20))
    found = p * p / q + (1 - p) ** 2 / (1 - q)
    for epsilon, answer in ((f"log({found})", "certified"), (f"log({found})-exp(-30)", "rejected")):
        value["epsilon"] = epsilon
        steps = [kb.step("renyi"), kb.step("renyi", "b", "a")]
        assert kb.run(value, kb.certificate(value, "certified", steps))[0] == answer

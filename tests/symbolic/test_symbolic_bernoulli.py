"""The Bernoulli closed forms: against calibrate, against certify, against the printed forms."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
import sympy
from support import oracles, problems
from support.latex_grammar import assert_latex

from pfverify.answers.calibrate import calibrate
from pfverify.edge.packaged import load_example
from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, precision
from pfverify.exact.number import number
from pfverify.exact.search import UndecidedError
from pfverify.model.priors.discrete import Discrete
from pfverify.scales.bernoulli import bernoulli_scale
from pfverify.symbolic.bernoulli import (
    P,
    Q,
    any_two,
    fixed_report,
    least_scale,
    present_or_absent,
    prior_divergence,
    relaxed_two,
)
from pfverify.symbolic.statement import EPSILON
from pfverify.transport.line import monotone_plan

ONE = Fraction(1)
FORMS = (
    fixed_report, present_or_absent, any_two, relaxed_two, prior_divergence, least_scale,
)  # fmt: skip


def two_point(p: Fraction, h: Fraction = ONE) -> Discrete:
    return Discrete({0: 1 - p, h: p})


def same(a: Ball, b: Ball) -> bool:
    return bool(a.raw.overlaps(b.raw)) and (a - b).raw.rad() < 1e-40


def middle(ball: Ball) -> Fraction:
    """An exact number next to a value, to make problems of."""
    return Fraction(ball.raw.mid().str(40, radius=False))


def random_cases(name: str, count: int) -> list[tuple[Fraction, Fraction, Fraction, str]]:
    """p, q (often at 0, 1 or equal), h, epsilon."""
    rng = Random(f"bernoulli {name}")
    epsilons = ["1/10", "1/2", "1", "log(2)", "log(3/2)", "log(4)/2", "3", "1/log(3)"]
    cases = []
    for _ in range(count):
        p, q = (Fraction(rng.randint(0, n), n) for n in (rng.randint(1, 9), rng.randint(1, 9)))
        h = Fraction(rng.randint(1, 20), rng.randint(1, 5))
        epsilon = rng.choice(epsilons)
        cases.append((p, q, h, epsilon))
    return cases


@pytest.mark.parametrize("count", [100, pytest.param(300, marks=pytest.mark.long)])
def test_the_least_scale_is_the_method_of_calibrate(count: int) -> None:
    found = {"none": 0, "some": 0}
    for p, q, h, epsilon in random_cases("calibrate", count):
        expected = bernoulli_scale(two_point(p, h), two_point(q, h), number(epsilon))
        value = least_scale().value(p=p, q=q, h=h, epsilon=epsilon, bits=200)
        assert expected is not None
        if expected.scale is None:
            assert value.ends() == ((0, 0), (0, 0))
            found["none"] += 1
        else:
            with precision(200):
                assert same(value, expected.scale.ball())
            found["some"] += 1
    assert min(found.values()) > count / 8


@pytest.mark.parametrize("name", ["student", "simulation-1"])
def test_packaged_two_point_problems(name: str) -> None:
    problem = load_example(name)
    (pair,) = problem.questions()
    p, q = (prior.mass.get(ONE, Fraction(0)) for prior in (pair.first_prior, pair.second_prior))
    for epsilon in ("1/100", "1/10", "1"):
        method = calibrate(problem.replaced(epsilon=epsilon)).methods["bernoulli"]
        value = least_scale().value(p=p, q=q, h=1, epsilon=epsilon, bits=200)
        if method.exact is None or method.scale == "0":
            assert method.scale == "0"
            assert value.ends() == ((0, 0), (0, 0))
        else:
            with precision(200):
                assert same(value, number(method.exact).ball())


def test_the_least_scale_splits_refuted_from_certified() -> None:
    """By certify, with a random independent rest added to both secrets."""
    rng = Random("bernoulli split")
    checked = 0
    for p, q, h, epsilon in random_cases("split", 60):
        theta = least_scale().value(p=p, q=q, h=h, epsilon=epsilon, bits=200)
        size = rng.randint(1, 3)
        rest = dict(
            zip((h * k for k in rng.sample(range(5), size)), oracles.random_masses(rng, size),
                strict=True)
        )  # fmt: skip
        tables = [
            oracles.convolved({k: m for k, m in t.items() if m}, rest)
            for t in ({Fraction(0): 1 - p, h: p}, {Fraction(0): 1 - q, h: q})
        ]
        scale = middle(theta)
        if scale == 0:
            assert problems.verdict(*tables, "1/1000", epsilon) == "certified"
            continue
        above, below = scale * (1 + Fraction(1, 10**9)), scale * (1 - Fraction(1, 10**9))
        assert problems.verdict(*tables, above, epsilon) == "certified"
        assert problems.verdict(*tables, below, epsilon) == "refuted"
        checked += 1
    assert checked > 20


def test_the_printed_minimum_of_the_audit_is_the_same_formula() -> None:
    """Row M28: min of two bounds, p < q. Both are 1 + (E - 1)/denominator, identically."""
    grown = sympy.exp(EPSILON)
    first = (1 - P) - grown * (1 - Q)
    second = Q - grown * P
    assert sympy.expand((grown * Q - P) - first - (grown - 1)) == 0
    assert sympy.expand((grown * (1 - P) - (1 - Q)) - second - (grown - 1)) == 0
    # which denominator is the larger is the sign of p + q - 1
    assert sympy.expand(first - second - (grown - 1) * (P + Q - 1)) == 0
    for p, q, _, epsilon in random_cases("denominators", 200):
        low, high = min(p, q), max(p, q)
        d = prior_divergence().value(p=p, q=q, epsilon=epsilon, bits=200)
        with precision(200):
            e = number(epsilon).ball().exp()
            ones = Ball(high) - e * Ball(low)
            zeros = Ball(1 - low) - e * Ball(1 - high)
            assert same(d, Ball(ones.raw.max(zeros.raw)))


def test_ties_of_the_condition_are_decided() -> None:
    """|p-q| = (E-1) min(p, 1-q) at E = 2: exactly no noise there, some noise just before."""
    at = {"p": "1/4", "q": "1/2", "h": 1}
    for epsilon in ("log(2)", "log(4)/2", "log(1/3)+log(6)"):
        assert least_scale().value(**at, epsilon=epsilon).ends() == ((0, 0), (0, 0))
    before = least_scale().value(**at, epsilon="log(2)-1e-60")
    assert before.raw > 0
    assert before.raw < 0.01
    after = least_scale().value(**at, epsilon="log(2)+1e-60")
    assert after.ends() == ((0, 0), (0, 0))


def test_what_cannot_be_decided_is_said() -> None:
    """An epsilon outside the exact classes, equal to log 2 in disguise."""
    disguise = "log(2)+log(2)*log(3127)-log(2)*log(53)-log(2)*log(59)"
    with pytest.raises(UndecidedError, match="cannot decide whether"):
        least_scale().value(p="1/4", q="1/2", h=1, epsilon=disguise)
    zero = "log(2)*log(3127)-log(2)*log(53)-log(2)*log(59)"
    assert any_two().holds(epsilon=zero) is Answer.UNKNOWN
    with pytest.raises(UndecidedError, match="epsilon > 0"):
        any_two().value(epsilon=zero)


@pytest.mark.parametrize(
    ("statement", "values", "condition"),
    [
        (fixed_report(), {"a": 0, "epsilon": 1}, "a != 0"),
        (fixed_report(), {"a": 1, "epsilon": 0}, "epsilon > 0"),
        (present_or_absent(), {"p": 0, "epsilon": 1}, "p > 0"),
        (present_or_absent(), {"p": "1+1e-40", "epsilon": 1}, "p <= 1"),
        (present_or_absent(), {"p": 1, "epsilon": "log(4)-2*log(2)"}, "epsilon > 0"),
        (any_two(), {"epsilon": "-1"}, "epsilon > 0"),
        (relaxed_two(), {"p": "1/2", "q": "2/4", "epsilon": 1}, "p != q"),
        (relaxed_two(), {"p": "-1e-30", "q": 1, "epsilon": 1}, "p >= 0"),
        (relaxed_two(), {"p": 0, "q": "1+1e-30", "epsilon": 1}, "q <= 1"),
        (least_scale(), {"p": 0, "q": 1, "h": 0, "epsilon": 1}, "h > 0"),
        (least_scale(), {"p": 2, "q": 1, "h": 1, "epsilon": 1}, "p <= 1"),
        (least_scale(), {"p": 1, "q": -1, "h": 1, "epsilon": 1}, "q >= 0"),
        (least_scale(), {"p": 1, "q": 1, "h": 1, "epsilon": 0}, "epsilon > 0"),
        (prior_divergence(), {"p": 1, "q": 1, "epsilon": 0}, "epsilon > 0"),
    ],
)
def test_values_outside_a_condition_are_refused_by_its_name(
    statement: object, values: dict[str, object], condition: str
) -> None:
    with pytest.raises(InputError) as caught:
        statement.value(**values)  # type: ignore[attr-defined]
    assert f"the condition {condition} does not hold" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert statement.holds(**values) is Answer.NO  # type: ignore[attr-defined]


@pytest.mark.parametrize("count", [50, pytest.param(150, marks=pytest.mark.long)])
def test_relations_between_the_forms(count: int) -> None:
    """(15) and (12) are the least scale of their priors; (18) and (21) are never below it."""
    equal = 0
    for p, q, h, epsilon in random_cases("order", count):
        common = {"epsilon": epsilon, "bits": 200}
        with precision(200):
            least = least_scale().value(p=p, q=q, h=1, **common)
            sufficient = any_two().value(**common)
            assert not least.raw > sufficient.raw
            if p != q:
                relaxed = relaxed_two().value(p=p, q=q, **common)
                assert not least.raw > relaxed.raw
                assert not relaxed.raw > sufficient.raw
                # no reduction exactly where one of them is certain to be 0 (row M38)
                assert same(relaxed, sufficient) == (min(p, q) == 0)
                equal += min(p, q) == 0
            if p:
                present = present_or_absent().value(p=p, **common)
                assert same(present, least_scale().value(p=0, q=p, h=1, **common))
            for a in (h, -h):
                fixed = fixed_report().value(a=a, **common)
                assert same(fixed, least_scale().value(p=0, q=1, h=h, **common))
                assert same(fixed, least_scale().value(p=1, q=0, h=h, **common))
    assert equal > count / 15


def test_lemma_6_for_a_finite_rest() -> None:
    """(21) by hand over all outputs of a rest, past its end; and the columns or rows it is."""
    rng = Random("lemma 6")
    for p, q, _, epsilon in random_cases("lemma 6", 40):
        if p == q:
            continue
        size = rng.randint(1, 4)
        rest = dict(zip(range(size), oracles.random_masses(rng, size), strict=True))
        low, high = min(p, q), max(p, q)
        psi = [
            ((1 - high) * rest.get(x, Fraction(0)) / rest[x - 1] + low) / (high - low)
            for x in range(1, size + 1)
        ]
        with precision(200):
            e = number(epsilon).ball().exp()
            scales = [Ball(1) / (e + (e - Ball(1)) * Ball(value)).log() for value in psi]
            largest = scales[0]
            for scale in scales[1:]:
                largest = Ball(largest.raw.max(scale.raw))
            assert same(relaxed_two().value(p=p, q=q, epsilon=epsilon, bits=200), largest)


def test_printed_numbers() -> None:
    """Audit rows M28 and M32."""
    at = {"p": "1/5", "q": "9/10"}
    for statement, values, digits in (
        (least_scale(), {**at, "h": 1, "epsilon": 1}, "0.69076"),
        (least_scale(), {**at, "h": 1, "epsilon": "1/10"}, "7.0440"),
        (relaxed_two(), {**at, "epsilon": "1/10"}, "7.8848"),
        (present_or_absent(), {"p": 1, "epsilon": "1/4"}, "4.0000"),
        (present_or_absent(), {"p": "1/2", "epsilon": "log(2)"}, "0.91024"),
    ):
        low = Ball(Fraction(digits) - Fraction(1, 20000))
        high = Ball(Fraction(digits) + Fraction(1, 20000))
        value = statement.value(**values)
        assert low.is_less(value) is Answer.YES
        assert value.is_less(high) is Answer.YES


def test_every_form_says_what_it_is() -> None:
    forms = [state() for state in FORMS]
    assert len({form.name for form in forms}) == len(forms)
    for form in forms:
        assert_latex(form.latex)
        assert form.latex.startswith(f"{form.left} = ")
        for condition in form.conditions:
            assert sympy.latex(condition.relation) in form.latex
        assert form.source
        assert "epsilon" in form.parameters
    assert "multi-user paper, (15)" in {form.source for form in forms}


def test_the_plan_of_two_point_priors_moves_what_the_forms_say() -> None:
    """E - 1 times the smallest of the four masses against |p - q|, the moved mass."""
    for p, q, h, _ in random_cases("moved", 50):
        plan = monotone_plan(two_point(p, h), two_point(q, h))
        assert plan.w_1() == abs(p - q) * h

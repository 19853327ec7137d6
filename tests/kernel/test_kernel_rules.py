"""Decisions of the kernel on small random problems, against direct sums at 60 digits."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import kernel_builder as kb
import pytest
from core.enclose import Arithmetic
from core.every_scale import no_noise, no_scale
from core.grammar import Malformed
from core.line import Lines
from core.line_masses import event_spans
from core.line_refuted import require_reached
from core.masses import excess_sign
from core.rules import Facts, Rejected, arithmetic, at_most
from core.value import form_of
from core.work import Check
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mpmath import mpf
from reader import reader
from reader.goals import goals_of
from support.rational_truth import Law, Rational


def named(name: str) -> Callable[[Lines, kb.Json], Facts]:
    """The rule of a step, as a goal's kind has it."""

    def rule(goal: Lines, step: kb.Json) -> Facts:
        rules = {**goal.kind.certified, **goal.kind.refuted}
        return rules[name].load(name)(goal, {**step, "rule": name})

    return rule


pure, pointwise = named("pure"), named("pointwise")
delta_upper, delta_tie = named("delta-upper"), named("delta-tie")
pure_refuted, event_refuted = named("pure-refuted"), named("event-refuted")
pointwise_refuted = named("pointwise-refuted")
SCALES = [
    "1",
    "1/2",
    "51/25",
    3,
    "0.37",
    "1/log(3)",
    "2/log(5/2)",
    "3/(1/2-2*log(9/10))",
    "1/log((exp(1)-1/2)/(1/2))",
    "exp(1/3)",
    "1e3",
    "1e-3",
]
EPSILONS = [0, "1/2", 1, "log(3)", "1/3+log(2)", "0.01", 2, 5]
DELTAS = [0, 0, "1/10", "1/1000", "1-exp(-1/4)", "0.52", "1/2"]


def draw(rng: random.Random, lattice: bool) -> kb.Json:
    """A problem of few atoms, near and far, in integers or fractions."""
    unit = rng.choice([Fraction(1), Fraction(1, 3), Fraction(5, 2)])
    spread = rng.choice([1, 3, 10]) if lattice else rng.choice([1, 3, 10, 1000])

    def prior() -> kb.Json:
        n = rng.randint(1, 4)
        return {str(rng.randint(0, spread) * unit): rng.randint(1, 9) for _ in range(n)}

    p, q = prior(), prior()
    value = kb.problem(
        p,
        q,
        rng.choice(EPSILONS),
        rng.choice(DELTAS),
        rng.choice(SCALES),
        step=str(unit) if lattice else None,
        form=rng.choice(["events", "events", "pointwise"]),
    )
    for name, weights in (("a", p), ("b", q)):
        value["priors"][name] = {"kind": "discrete", "counts": weights}
    return value


def check_one(value: kb.Json) -> str:
    cert = kb.proved(value)
    word, message = kb.run(value, cert)
    if word not in ("certified", "refuted"):
        return f"{word}: {message}"
    assert word == cert["result"]
    assert kb.is_true(value, cert, word)
    return word


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40), st.booleans())
def test_every_search_result_is_confirmed(seed: int, lattice: bool) -> None:
    value = draw(random.Random(seed), lattice)
    answer = check_one(value)
    # a tie outside the complete classes is the only reason not to decide
    assert answer in ("certified", "refuted") or "tie" in answer or "equal" in answer, (
        value,
        answer,
    )


def _battery(n: int) -> Counter[str]:
    answers: Counter[str] = Counter()
    for seed in range(n):
        value = draw(random.Random(seed), seed % 2 == 0)
        answers[check_one(value)] += 1
    return answers


def test_decisions_are_reached() -> None:
    answers = _battery(200)
    decided = answers["certified"] + answers["refuted"]
    print(f"decided {decided} of {sum(answers.values())}: {answers}")
    assert decided >= 195
    assert min(answers["certified"], answers["refuted"]) >= 40


@pytest.mark.long
def test_decisions_are_reached_long() -> None:
    answers = _battery(5000)
    decided = answers["certified"] + answers["refuted"]
    print(f"decided {decided} of {sum(answers.values())}: {answers}")
    assert decided >= 4900


def near_the_edge(seed: int) -> int:
    """Target values 10^-25 above the true one are certified, 10^-25 below it refuted."""
    rng = random.Random(seed)
    value = draw(rng, seed % 2 == 0)
    form = rng.choice(["pure", "events", "pointwise"])
    value.update(
        delta=0 if form == "pure" else "1/1000000", epsilon=rng.choice(["0", "1/2", "log(2)"])
    )
    value["form"] = "pointwise" if form == "pointwise" else "events"
    scale = kb.real(value["noise"]["scale"])
    releases = [kb.Release(value, *goal, scale) for goal in kb.ordered_goals(value)]
    edge = max(r.loss() if form == "pure" else r.excess() + r.delta for r in releases)
    if not mpf(10) ** -20 < edge < (50 if form == "pure" else mpf("0.99")):
        return 0
    for shift, expected in ((1, "certified"), (-1, "refuted")):
        target = kb.fraction_text(edge + shift * mpf(10) ** -25)
        value["epsilon" if form == "pure" else "delta"] = target
        cert = kb.proved(value)
        assert cert["result"] == expected
        word, message = kb.run(value, cert)
        assert word == expected, (value, message)
        # and the certificates for the other side are not accepted
        value["epsilon" if form == "pure" else "delta"] = kb.fraction_text(
            edge - shift * mpf(10) ** -25
        )
        other = {**cert, "problem": kb.digest(value)}
        if expected == "certified":
            assert kb.run(value, other)[0] == "rejected", value
    return 1


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_values_near_the_edge(start: int) -> None:
    done = sum(near_the_edge(seed) for seed in range(start, start + 20))
    print("edges:", done)
    assert done > 9


@pytest.mark.long
def test_values_near_the_edge_long() -> None:
    print("edges:", sum(near_the_edge(seed) for seed in range(3000)))


DYADIC = [(0, 4), (1, 3), (2, 2), (3, 1), (4, 0)]  # quarters at 0 and at 1


@pytest.mark.parametrize("step", [None, "1", "1/4"])
@pytest.mark.parametrize("scale", ["1", "1/4"])
def test_sums_with_ends_of_one_bit(scale: str, step: str | None) -> None:
    """epsilon = 0 and masses of quarters: delta is the largest excess, not a little less."""
    laws = [{str(x): w for x, w in enumerate(law) if w} for law in DYADIC]
    laws += [{"0": 1, "1": 2, "3": 1}, {"0": 1, "1": 1, "2": 2}]
    for p, q in combinations(laws, 2):
        value = kb.problem(p, q, 0, 0, scale, step=step)
        for name, weights in (("a", p), ("b", q)):
            value["priors"][name] = {"kind": "discrete", "counts": weights}
        releases = [kb.Release(value, *goal, kb.real(scale)) for goal in kb.ordered_goals(value)]
        edge = max(release.divergence() for release in releases)
        for shift, word in ((1, "certified"), (-1, "rejected")):
            value["delta"] = kb.fraction_text(edge + shift * mpf(10) ** -25)
            cert = kb.certificate(value, "certified", kb.both("delta-upper"))
            assert kb.run(value, cert)[0] == word, (p, q)


# ---------------------------------------------------------------- exact values of delta


def exact_edge(seed: int) -> int:
    """delta-tie proves the exact value and nothing near it."""
    rng = random.Random(seed)
    lattice = seed % 2 == 0
    h = rng.choice([Fraction(1), Fraction(2), Fraction(1, 3)])
    base, factor = rng.choice([2, 3, 4, 9]), rng.choice([1, 2, 3])

    def prior() -> Law:
        weights = {rng.randint(-3, 6): rng.randint(1, 9) for _ in range(rng.randint(1, 4))}
        return {x: Fraction(w, sum(weights.values())) for x, w in weights.items()}

    return exactly(prior(), prior(), base, factor, h, lattice)


def exactly(p: Law, q: Law, base: int, factor: int, h: Fraction, lattice: bool) -> int:
    """1 where delta is neither 0 nor 1, which are no ties."""
    oracle = Rational(p, q, base, factor)
    target = str(oracle.lattice()) if lattice else oracle.laplace_text()
    if not mpf(10) ** -6 < kb.real(target) < 1:
        return 0
    value = kb.problem(
        {str(x * h): str(m) for x, m in p.items()},
        {str(x * h): str(m) for x, m in q.items()},
        f"log({factor})",
        target,
        f"{h}/log({base})",
        str(h) if lattice else None,
    )
    step, bits = kb.step("delta-tie"), 160
    goal = reader_goal(value)
    delta_tie(goal, step)
    r = kb.Release(value, "default", "a", "b", kb.real(value["noise"]["scale"]))
    assert abs(r.excess()) < kb.TOLERANCE
    for other in (f"{target}+1e-30", f"{target}-1e-30"):
        near = reader_goal({**value, "delta": other})
        with pytest.raises(Rejected):
            delta_tie(near, {**step, "bits": bits})
        if other.endswith("+1e-30"):
            delta_upper(near, {**step, "bits": bits})
        else:
            with pytest.raises(Rejected):
                delta_upper(near, {**step, "bits": bits})
    return 1


QUARTERS = [
    {x: Fraction(m, 4) for x, m in enumerate(law) if m}
    for law in ((4,), (2, 2), (2, 0, 2), (0, 4), (1, 2, 1), (1, 1, 2), (2, 1, 1), (3, 1, 0))
]


@pytest.mark.parametrize(("base", "factor"), [(2, 1), (16, 1), (16, 2), (81, 3)])
@pytest.mark.parametrize("lattice", [False, True])
def test_exact_values_where_sums_vanish(base: int, factor: int, lattice: bool) -> None:
    """Quarters at 0, 1 and 2: often a one-sided sum, or all of p - e^epsilon q at an atom, is 0."""
    pairs = permutations(QUARTERS, 2)
    done = sum(exactly(p, q, base, factor, Fraction(1), lattice) for p, q in pairs)
    assert done > 25, done


def reader_goal(value: kb.Json) -> Lines:
    problem = reader.problem_of(value)
    return next(goals_of(problem, problem.release, Check(0)))


@pytest.mark.parametrize("start", range(0, 150, 15))
def test_exact_values_of_delta(start: int) -> None:
    done = sum(exact_edge(seed) for seed in range(start, start + 15))
    print("exact values:", done)
    assert done > 6


@pytest.mark.long
def test_exact_values_of_delta_long() -> None:
    print("exact values:", sum(exact_edge(seed) for seed in range(4000)))


A, B = "(3/4-exp(1/2)/4)", "(3/4*exp(1/2)-1/4)"
RADICAL = f"{A}-exp(log({A}*{B}*exp(-3))/2)"


def test_one_radical_by_squaring() -> None:
    """delta = a - sqrt(-a b tau) with a, b not monomial: proved by squaring, and only it."""
    value = kb.problem({"0": "3/4", "1": "1/4"}, {"0": "1/4", "1": "3/4"}, "1/2", RADICAL, "1/3")
    cert = kb.certificate(value, "certified", kb.both("delta-tie"))
    assert kb.run(value, cert)[0] == "certified"
    for other in (f"{RADICAL}+1e-20", f"{RADICAL}-1e-20", RADICAL.replace("-exp(log", "+exp(log")):
        changed = {**value, "delta": other}
        assert kb.run(changed, {**cert, "problem": kb.digest(changed)})[0] == "rejected"


def test_one_radical_twice() -> None:
    """Mirror-symmetric priors: one radical in two gaps, delta = a - b tau - 2 sqrt(-a b tau)."""
    end = "(9/20*exp(1/2)-1/4)"  # -b
    a = f"(1/2-exp(1/2)/10-{end}*exp(-3))"
    radical = f"{a}+{end}*exp(-3)-2*exp(log({a}*{end}*exp(-3))/2)"
    p, q = {"-1": "1/4", "0": "1/2", "1": "1/4"}, {"-1": "9/20", "0": "1/10", "1": "9/20"}
    value = kb.problem(p, q, "1/2", radical, "1/3")
    step = kb.step("delta-tie")
    delta_tie(reader_goal(value), step)
    assert abs(kb.Release(value, "default", "a", "b", 1 / mpf(3)).excess()) < kb.TOLERANCE
    for other in (f"{radical}+1e-20", f"{radical}-1e-20"):
        with pytest.raises(Rejected):
            delta_tie(reader_goal({**value, "delta": other}), step)


def test_different_radicals_are_not_taken_for_one() -> None:
    """A delta that would be exact if the second radical were the first."""
    m, zero, n = "(1/5-9/20*exp(1/2))", "(1/2-exp(1/2)/10)", "(3/10-9/20*exp(1/2))"
    b, a = f"({zero}+exp(-3)*{n})", f"({zero}+exp(-3)*{m})"
    whole = f"({b}-{m}*exp(-3)+{a}-{n}*exp(-3))/2"
    p, q = {"-1": "1/5", "0": "1/2", "1": "3/10"}, {"-1": "9/20", "0": "1/10", "1": "9/20"}
    roots = [f"exp(log(-{b}*{m}*exp(-3))/2)", f"exp(log(-{a}*{n}*exp(-3))/2)"]
    truth = kb.problem(p, q, "1/2", f"{whole}-{roots[0]}-{roots[1]}", "1/3")
    assert abs(kb.Release(truth, "default", "a", "b", 1 / mpf(3)).excess()) < kb.TOLERANCE
    for root in roots:
        value = {**truth, "delta": f"{whole}-2*{root}"}
        with pytest.raises(Rejected):
            delta_tie(reader_goal(value), kb.step("delta-tie"))


def test_two_radicals_are_refused() -> None:
    """The sum of two different radicals is outside the rule even when it is delta."""
    value = kb.problem(
        {"0": "1/2", "1": "1/5", "9": "3/10"},
        {"0": "1/10", "1": "4/5", "9": "1/10"},
        "1/7",
        "1/2",
        "1/3",
    )
    cert = kb.certificate(value, "certified", kb.both("delta-tie"))
    word, message = kb.run(value, cert)
    assert word == "rejected"
    assert "more than one distinct radical" in message


def test_facts_are_cited() -> None:
    expected = {
        "pure-plain": ["(F1)"],
        "pure-tie-radicals": ["(F1)", "(F3)"],
        "delta-upper-plain": ["(F4)"],
        "delta-upper-lattice": ["(F4L)"],
        "delta-tie-one-half": ["(F3)", "(F4)"],
        "delta-tie-lattice": ["(F3)", "(F4L)"],
        "pointwise-plain": ["(F4b)"],
        "pointwise-tie": ["(F3)", "(F4b)"],
        "no-noise-pure": ["data processing"],
        "no-scale-plain": ["injective"],
        "scale-and-minimum": ["(F1)", "(F2:"],
        "pure-refuted-plain": [],
    }
    for name, facts in expected.items():
        case = json.loads((kb.CORPUS / "accept" / f"{name}.json").read_text())
        _, message = kb.run(case["problem"], case["certificate"])
        cited = [f for f in ("(F1)", "(F2:", "(F3)", "(F4)", "(F4b)", "(F12)") if f in message]
        assert all(f in message for f in facts)
        assert set(cited) <= set(facts)
        assert "assuming ideal real-valued noise, one release, beliefs as given" in message


# ---------------------------------------------------------------- ties among atoms that are not


def attempt(rule: Callable[..., Facts], value: kb.Json, **more: Any) -> Facts | None:
    """The facts that the rule used, or None where it rejects."""
    try:
        return rule(reader_goal(value), kb.step("", **more))
    except Rejected:
        return None


def ties_among_others(seed: int) -> int:
    """epsilon or delta is the exact value at one atom: a tie there proves nothing elsewhere."""
    rng = random.Random(seed)
    lattice, ratios = seed % 2 == 0, seed % 3 == 0
    base, factor = rng.choice([2, 3, 4]), 1 if ratios else rng.choice([1, 2])

    def prior() -> Law:
        weights = {rng.randint(-3, 6): rng.randint(1, 9) for _ in range(rng.randint(2, 4))}
        return {x: Fraction(w, sum(weights.values())) for x, w in weights.items()}

    p, q = prior(), prior()
    ps, qs = (Rational(x, {}, base, 1) for x in (p, q))
    atoms = sorted({*p, *q})
    # Laplace at the scale 1/log(base) has an irrational constant: only the lattice has exact ties
    if p == q or not (ratios or lattice):
        return 0
    values = {
        a: ps.g(a) / qs.g(a)
        if ratios
        else (ps.g(a) - factor * qs.g(a)) * Fraction(base - 1, base + 1)
        for a in atoms
    }
    done = 0
    for target in {*values.values()}:
        if target < 1 if ratios else target <= 0:
            continue
        value = kb.problem(
            {str(x): str(m) for x, m in p.items()},
            {str(x): str(m) for x, m in q.items()},
            f"log({target})" if ratios else f"log({factor})",
            0 if ratios else str(target),
            f"1/log({base})",
            "1" if lattice else None,
            form="events" if ratios else "pointwise",
        )
        rule = pure if ratios else pointwise
        ties = [str(a) for a in atoms if values[a] == target]
        holds = all(v <= target for v in values.values())
        facts = attempt(rule, value, ties=ties)
        fact = {"F1", "F12"} if ratios and lattice else {"F1"} if ratios else {"F4b"}
        assert facts == (fact | {"F3"} if holds else None), value
        # a tie is claimed where there is none; the ties are out of order; one is not an atom
        untied = [str(a) for a in atoms if values[a] != target]
        for other in (sorted({*ties, *untied}, key=Fraction), [*ties[:-1], "99"]):
            assert not untied or attempt(rule, value, ties=other) is None
        for repeated in ([ties[0], ties[0]], [str(atoms[1]), str(atoms[0])]):
            with pytest.raises(Malformed, match="ties must increase"):
                attempt(rule, value, ties=repeated)
        done += 1 + holds
    return done


def test_a_tie_proves_nothing_at_other_atoms() -> None:
    done = sum(ties_among_others(seed) for seed in range(60))
    print("exact targets:", done)
    assert done > 60


def test_ties_with_a_rational_rate() -> None:
    """Laplace densities: c = 1/(2 scale) is exact, and only the true value is a tie."""
    value = kb.problem({"0": 1}, {"5": 1}, "log(2)", "(1-2*exp(-10))", "1/2", form="pointwise")
    assert attempt(pointwise, value, ties=["0"]) == {"F4b", "F3"}
    for other in ("1-2*exp(-10)+1e-30", "1-2*exp(-10)-1e-30", "1/2-exp(-10)"):
        assert attempt(pointwise, {**value, "delta": other}, ties=["0"]) is None


def test_monomial_radicands() -> None:
    """Two atoms: delta = whole - sqrt(c e^f), proved by merging c and the factor into the exponent.
    In the last case c = 2 appears only when two terms are collected."""
    one, both = {"0": 1}, {"0": "1/2", "1": "1/2"}
    cases = [(one, f, f"1-exp(log({f})/2-1)") for f in (1, 2, 3, "9/4")]
    for p, factor, delta in [*cases, (both, "5/2", "1/2-exp(-1)")]:
        value = kb.problem(p, {"1": 1}, f"log({factor})", delta, "1/2")
        assert attempt(delta_tie, value) == {"F3", "F4"}, factor
        for other in (f"{delta}+1e-30", f"{delta}-1e-30", "1-exp(-1)", "1/2-exp(log(1/2)/2-1)"):
            same = kb.real(other) == kb.real(delta)
            assert (attempt(delta_tie, {**value, "delta": other}) is None) != same


# ---------------------------------------------------------------- the priors themselves


def without_noise(seed: int) -> None:
    """no-noise against the same sums in fractions, on both sides of an exact equality and on it."""
    rng = random.Random(seed)
    lattice, form = rng.random() < 0.5, rng.choice(["events", "pointwise"])
    factor = rng.choice([1, 2, 3])

    def prior() -> Law:
        weights = {rng.randint(0, 4): rng.randint(1, 9) for _ in range(rng.randint(1, 4))}
        return {x: Fraction(w, sum(weights.values())) for x, w in weights.items()}

    p, q = prior(), prior()
    gaps = [p.get(x, Fraction(0)) - factor * q.get(x, Fraction(0)) for x in {*p, *q}]
    total = sum((max(g, Fraction(0)) for g in gaps), Fraction(0))
    least = total if form == "events" else max(gaps)
    tiny = Fraction(1, 10**40)
    for delta in (Fraction(0), least - tiny, least, least + tiny, Fraction(1)):
        if not 0 <= delta <= 1:
            continue
        value = kb.problem(
            {str(x): str(m) for x, m in p.items()},
            {str(x): str(m) for x, m in q.items()},
            f"log({factor})",
            str(delta),
            1,
            "1" if lattice else None,
            form=form,
        )
        # densities have no atoms, so delta does not help there
        holds = least <= (delta if form == "events" or lattice else 0)
        goal = reader_goal(value)
        if holds:
            assert no_noise(goal, {}) == {"DPI"}
        else:
            with pytest.raises(Rejected):
                no_noise(goal, {})


@pytest.mark.parametrize(
    ("form", "step", "delta", "holds"),
    [
        ("events", None, "1/4", True),
        ("events", "1", "1/4", True),
        ("events", "1", "0.2499", False),
        ("pointwise", "1", "1/4", True),  # released masses are averages of masses
        ("pointwise", "1", "0.2499", False),
        ("pointwise", None, "1/4", False),  # densities are not
        ("pointwise", None, "0", False),
    ],
)
def test_delta_at_every_scale(form: str, step: str | None, delta: str, holds: bool) -> None:
    """P and Q differ by 1/4 at each of two atoms."""
    laws = {"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"}
    goal = reader_goal(kb.problem(*laws, 0, delta, 1, step=step, form=form))
    if holds:
        assert no_noise(goal, {}) == {"DPI"}
    else:
        with pytest.raises(Rejected):
            no_noise(goal, {})


def test_priors_without_noise() -> None:
    for seed in range(150):
        without_noise(seed)


def test_signs_of_excesses() -> None:
    """Exact ends and equalities included; the zero test decides equalities."""
    cases: list[tuple[Any, Any, str, str, int]] = [
        (1, 0, "0", "0", 1),
        (0, 1, "0", "0", -1),
        (1, 1, "0", "0", 0),
        (0, 0, "0", "0", 0),
        (0, 0, "1", "1/3", -1),
        ("1/2", "1/4", "log(2)", "0", 0),
        ("1/2", "1/4", "log(2)", "1e-4000", -1),
        ("1/2+1e-100", "1/4", "log(2)", "0", 1),
        ("1/2", "1/4", "log(2)-1e-100", "0", 1),
        ("1/2", "1/6", "1", "1/2-exp(1)/6", 0),
        ("1/2", "1/6", "1", "1/2-exp(1)/6-1e-50", 1),
        ("2/3", "1/3", "0", "1/3", 0),
    ]
    for p, q, epsilon, delta, expected in cases:
        numbers = [reader.number(str(x), "a number") for x in (p, q, epsilon, delta)]
        p_, q_, epsilon_, delta_ = numbers
        assert excess_sign(p_, q_, form_of(epsilon_), delta_) == expected, (
            p,
            q,
            epsilon,
            delta,
        )


# ---------------------------------------------------------------- limits, shapes and words


def test_limits_of_bits() -> None:
    for bits in (32, 64, 200_000):
        assert arithmetic({"bits": bits}).bits == bits
    for bits in (31, 200_001, -64, True, "64", 64.0, None):
        with pytest.raises(Malformed, match="bits must be an integer from 32 to 200000"):
            arithmetic({"bits": bits})


def test_equal_ends_are_at_most() -> None:
    ar = Arithmetic(64)
    for x, y, answer in (
        ((1, 1, 0), (1, 1, 0), True),
        ((1, 1, 0), (2, 2, -1), True),
        ((-1, 1, 0), (1, 1, 0), True),
        ((1, 1, 0), (1, 2, 0), True),
        ((1, 2, 0), (1, 2, 0), False),
        ((1, 1, 0), (0, 0, 0), False),
        ((5, 5, -900), (0, 0, 0), False),
        ((0, 0, 0), (1, 1, -900), True),
    ):
        assert at_most(x, y, ar) is answer


LATTICE = {"1/2": "1/2", "2": "1/2"}


def test_points_of_the_lattice() -> None:
    """The lattice is the one through the atoms, not the one through 0."""
    goal = reader_goal(kb.problem(LATTICE, {"1/2": "1"}, 1, 0, 1, "3/2"))
    for y in ("1/2", "2", "-1", "7/2", "-301/1"):
        x = Fraction(y)
        if (x - Fraction(1, 2)) % Fraction(3, 2) == 0:
            require_reached(goal, x, "the output")
    for y in ("0", "-1/2", "1", "3/2", "5/2", "1/3"):
        with pytest.raises(Rejected, match="is not a point of the lattice"):
            require_reached(goal, Fraction(y), "the output")
    line = reader_goal(kb.problem(LATTICE, {"1/2": "1"}, 1, 0, 1))
    require_reached(line, Fraction(1, 3), "the output")


def spans_of_event(goal: Lines, event: Any) -> Any:
    return event_spans(goal, {"event": event})


def test_shapes_of_events() -> None:
    line = reader_goal(kb.problem(LATTICE, {"1/2": "1"}, 1, 0, 1))
    lattice = reader_goal(kb.problem(LATTICE, {"1/2": "1"}, 1, 0, 1, "3/2"))
    half, two, minus = Fraction(1, 2), Fraction(2), Fraction(-1)
    good: list[tuple[list[list[str]], Any]] = [
        ([["-inf", "inf"]], [(None, None)]),
        ([["-inf", "-1"], ["1/2", "inf"]], [(None, minus), (half, None)]),
        ([["-1", "1/2"], ["2", "inf"]], [(minus, half), (two, None)]),
        ([["-inf", "-1"], ["1/2", "2"], ["7/2", "5"]], None),
    ]
    for event, expected in good:
        assert spans_of_event(line, event) == (expected or spans_of_event(line, event))
    far = Fraction(3, 4)  # cuts of the lattice lie between its points, and neighbours are together
    for event, expected in (
        ([["-inf", "inf"]], [(None, None)]),
        ([["-inf", "-1"], ["2", "inf"]], [(None, minus + far), (two - far, None)]),
        ([["-inf", "-1"], ["1/2", "inf"]], [(None, None)]),
        ([["-1", "1/2"], ["7/2", "5"]], [(minus - far, half + far), (two + far, 5 + far)]),
        ([["-1", "1/2"], ["2", "inf"]], [(minus - far, None)]),
    ):
        assert spans_of_event(lattice, event) == expected
    assert spans_of_event(lattice, [["2", "2"]]) == [(two - far, two + far)]
    assert spans_of_event(lattice, [["-1", "-1"], ["1/2", "2"], ["5", "5"]]) == [
        (minus - far, two + far), (5 - far, 5 + far)]  # fmt: skip
    bad: list[tuple[Any, str]] = [
        ([["2", "2"]], "must not be empty"),
        ([["2", "-1"]], "must not be empty"),
        ([], "an event must not be empty"),
        ([["2"]], "two ends"),
        ([["-1", "1/2", "2"]], "two ends"),
        ([["inf", "2"]], "an end"),
        ([["-1", "-inf"]], "an end"),
        ([["-1", "1/2"], ["1/2", "2"]], "disjoint and increasing"),
        ([["1/2", "2"], ["-4", "-1"]], "disjoint and increasing"),
        ([["-1", "inf"], ["2", "inf"]], "disjoint and increasing"),
        ([["-1", "2"], ["-inf", "5"]], "disjoint and increasing"),
        ([["-4", "-1"], ["1/2", "5"], ["2", "7/2"]], "disjoint and increasing"),
        ([["-4", "-1"], ["1/2", "inf"], ["2", "7/2"]], "disjoint and increasing"),
        ([["-4", "-1"], ["1/2", "2"], ["2", "7/2"]], "disjoint and increasing"),
    ]
    for event, message in bad:
        with pytest.raises(Malformed, match=message):
            spans_of_event(line, event)
    with pytest.raises(Malformed, match="must not be empty"):
        spans_of_event(lattice, [["2", "-1"]])
    for off in ([["0", "2"]], [["-1", "1"]], [["-inf", "1"]], [["1", "inf"]]):
        with pytest.raises(Rejected, match=r"the end \S+ is not a point of the lattice"):
            spans_of_event(lattice, off)
        assert len(spans_of_event(line, off)) == 1


def test_margins() -> None:
    """The divergence of two far points: refutations hold up to the true margin, not beyond."""
    value = kb.problem({"0": 1}, {"1000": 1}, 0, "1/4", 1)
    for margin, works in (("0.74", True), ("0.75", False), ("0.76", False)):
        facts = attempt(event_refuted, value, event=[["-inf", "500"]], margin=margin)
        assert facts == ({"F45"} if works else None)
    far = {**value, "delta": 0, "epsilon": 3}
    for margin, works in (("996.999", True), ("997.001", False)):
        assert attempt(pure_refuted, far, y="0", margin=margin) == (set() if works else None)
    dense = {**value, "form": "pointwise"}
    for margin, works in (("0.249", True), ("0.25", False), ("0.26", False)):
        assert attempt(pointwise_refuted, dense, y="0", margin=margin) == (set() if works else None)
    for rule, right in ((event_refuted, value), (pure_refuted, far), (pointwise_refuted, dense)):
        with pytest.raises(Rejected, match="a margin must be positive"):
            rule(
                reader_goal(right),
                kb.step("", y="0", event=[["-inf", "500"]], margin="0"),
            )
    for rule, wrong in ((event_refuted, dense), (pure_refuted, value), (pointwise_refuted, value)):
        with pytest.raises(Rejected, match="refute"):
            rule(
                reader_goal(wrong),
                kb.step("", y="0", event=[["-inf", "500"]], margin="0.1"),
            )


def test_delta_one_needs_no_premise() -> None:
    """D <= 1 always, also where the enclosure of D reaches beyond 1."""
    value = kb.problem({"0": 1}, {str(10**9): 1}, 0, 1, 1)
    assert attempt(delta_upper, value) == set()
    assert attempt(delta_upper, {**value, "delta": "1-1e-60"}) is None


def test_no_scale_needs_all_three_premises() -> None:
    def goals(epsilon: Any, delta: Any, q: kb.Json) -> list[Lines]:
        problem = reader.problem_of(kb.problem({"0": 1}, q, epsilon, delta, 1))
        return list(goals_of(problem, problem.release, Check(0)))

    assert no_scale(goals(0, 0, {"1": 1})) == {"INJ"}
    assert no_scale([*goals(0, 0, {"0": 1}), *goals(0, 0, {"1": 1})]) == {"INJ"}
    for epsilon, delta, q in ((1, 0, {"1": 1}), (0, "1/9", {"1": 1}), (0, 0, {"0": 1})):
        with pytest.raises(Rejected):
            no_scale(goals(epsilon, delta, q))

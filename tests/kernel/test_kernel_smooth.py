"""Goals with densities: laws, cells, every rule accepted, every premise violated once, edges, and
random certificates, against mpmath."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import kernel_builder as kb
import mpmath
import pytest
import smooth_cases as sc
import split_truth as st
from core import density, smooth, work
from core.chart import Chart
from core.density import cell_sign, waves
from core.enclose import Arithmetic, Interval, Undecided
from core.grammar import Malformed
from core.rules import Rejected
from core.smooth import Normals, Split
from core.value import form_of
from core.work import TooMuchWork
from mpmath import mp, mpf
from reader import reader
from smooth_cases import Truth, mixture, normal, problem, step

from pfverify import Problem
from pfverify.model.digest import problem_digest

Json = dict[str, Any]
Record = Callable[[str, Any], None]
ATOMS = {"kind": "discrete", "mass": {"0": "1/3", "2": "2/3"}}
GAUSS = {"kind": "gaussian", "variance": 2}


def value_of(x: Interval) -> tuple[mpf, mpf]:
    return mpmath.ldexp(x[0], x[2]), mpmath.ldexp(x[1], x[2])


def inside(x: Interval, value: mpf, slack: str = "1e-45") -> bool:
    low, high = value_of(x)
    room = abs(value) * mpf(slack) + mpf("1e-55")
    return bool(low - room <= value <= high + room)


def width(x: Interval) -> mpf:
    low, high = value_of(x)
    return high - low


def goal_of(value: Json, source: str = "a") -> Normals:
    return next(g for g in sc.goals(value) if g.names[1] == source)


def judged(goal: Normals, found: Json) -> set[str]:
    """The facts by which the kernel's rule takes the step."""
    rules = {**goal.kind.certified, **goal.kind.refuted}
    return rules[found["rule"]].load(found["rule"])(goal, found)


def accepted(goal: Normals, found: Json) -> bool:
    """Whether the kernel's rule takes the step; nothing but its own two refusals may happen."""
    try:
        judged(goal, found)
    except (Rejected, Undecided, Malformed):
        return False
    return True


@pytest.fixture(scope="module", autouse=True)
def _worked_out_once() -> Iterator[None]:
    """Most of the time is the kernel's: series of erfc and expansions on cells, the same ones for
    the search, for its chart and for every damaged copy of that.  Each is worked out once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(smooth, "erfc", kept(smooth.erfc))
        patch.setattr(density, "_expansion", kept(density._expansion))
        yield


def kept(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function with its values; of an Arithmetic only the bits count."""
    values: dict[Any, Any] = {}

    def known(*arguments: Any) -> Any:
        key = tuple(
            x.bits if isinstance(x, Arithmetic) else tuple(x) if isinstance(x, list) else x
            for x in arguments
        )
        if key not in values:
            values[key] = function(*arguments)
        return values[key]

    return known


# ---------------------------------------------------------------- the oracle itself


def test_the_oracle_by_quadrature() -> None:
    value = problem(
        mixture(("1/2", 0, 1), ("1/4", 2, "1/4"), ("1/4", "1/3", 0)), normal(1, 4), 1, "1/10", "3/2"
    )
    with mpmath.workdps(25):
        for noise in (value["noise"], GAUSS):
            truth = Truth({**value, "noise": noise}, "a", "b")
            b, s = mpf(3) / 2, mpmath.sqrt(2)

            def noise_density(d: mpf, b: mpf = b, s: mpf = s, kind: str = noise["kind"]) -> mpf:
                if kind == "gaussian":
                    return mpmath.npdf(d, 0, s)
                return mpmath.exp(-abs(d) / b) / (2 * b)

            for y in map(mpf, ("-3", "0.3", "1.7", "6")):
                direct = sum(
                    w * noise_density(y - m)
                    if not v
                    else w
                    * mpmath.quad(
                        lambda x, m=m, v=v, y=y, k=noise_density: (
                            mpmath.npdf(x, m, mpmath.sqrt(v)) * k(y - x)
                        ),
                        sorted({m - 12, m, y, m + 12}),
                    )
                    for w, m, v in truth.P
                )
                assert abs(direct - truth.density(truth.P, y)) < mpf(10) ** -12
            ends = [mpf(-40), mpf(-2), mpf(0), mpf(1) / 3, mpf(1), mpf(3), mpf(40)]
            absolute = sum(
                mpmath.quad(lambda y, t=truth: max(t.g(y), mpf(0)), [a, c])
                for a, c in pairwise(sorted({*ends, *truth.roots(truth.g)}))
            )
            assert abs(absolute - truth.divergence()) < mpf(10) ** -12


# ---------------------------------------------------------------- laws and cells


def draw_prior(rng: random.Random, atoms: bool = True) -> Json:
    n = rng.randint(1, 3)
    weights = [rng.randint(1, 5) for _ in range(n)]
    parts = []
    for w in weights:
        variance = rng.choice([0, "1/4", 1, 1, 2, 4] if atoms else ["1/4", 1, 2, 4])
        parts.append(
            (str(Fraction(w, sum(weights))), str(Fraction(rng.randint(-6, 6), 2)), variance)
        )
    return mixture(*parts)


def draw(rng: random.Random, kind: str | None = None) -> Json:
    """A random problem with at least one density among the priors."""
    kind = kind or rng.choice(["laplace", "laplace", "gaussian"])
    noise: Json = {"kind": "gaussian", "variance": rng.choice(["1/4", 1, 3])}
    if kind == "laplace":
        noise = {"kind": "laplace", "scale": rng.choice(["1/2", 1, 2, "7/3", "1/log(2)"])}
    p, q = draw_prior(rng), draw_prior(rng, atoms=rng.random() < 0.5)
    if all(part["variance"] == 0 for part in p["components"] + q["components"]):
        q = normal(1, 2)
    return problem(p, q, rng.choice([0, "1/2", 1, "log(2)"]), 0, noise)


def laws(count: int, seed: int) -> int:
    rng = random.Random(seed)
    checked = 0
    for _ in range(count):
        value = draw(rng)
        goal, truth = goal_of(value), Truth(value, "a", "b")
        bits = rng.choice([64, 128])
        release = Split(goal, form_of(goal.epsilon), Arithmetic(bits))
        y = Fraction(rng.randint(-40, 40), rng.choice([1, 2, 7]))
        if rng.random() < 0.2:
            y *= 40
        elif release.atoms and rng.random() < 0.5:
            y = rng.choice(list(release.atoms))
        z = sc.mp_of(y)
        plus, minus = release.density(y)
        difference = release.ar.sub(plus, minus)
        assert inside(difference, truth.g(z)), (value, y)
        assert width(plus) <= value_of(plus)[1] * mpf(2) ** (12 - bits)
        for x, whole in zip(release.beyond(y, -1), release.masses(None, None), strict=True):
            assert -(mpf(2) ** (12 - bits)) <= value_of(x)[0]
            assert value_of(x)[1] <= value_of(whole)[1] + mpf(2) ** (12 - bits)
        mass = release.ar.sub(*release.masses(None, y))
        assert inside(mass, truth.mass(-mpmath.inf, z)), (value, y)
        checked += 2
        if truth.kind == "laplace":
            checked += sides(release, truth, y)
    return checked


def sides(release: Split, truth: Truth, y: Fraction) -> int:
    """L and R before and after a point, and at every atom."""
    ar = release.ar
    for point in {y, *release.atoms}:
        at, z = release.point(point), sc.mp_of(point)
        jump = mpf(0)
        for prior, sign in ((truth.P, 1), (truth.Q, -truth.factor)):
            jump += sum(sign * w / (2 * truth.scale) for w, m, v in prior if not v and m == z)
        left, right = truth.sided(z, 1), truth.sided(z, -1)
        unit = 2 * truth.scale
        for x, before, beyond in ((at.before, left - jump, right + jump), (at.after, left, right)):
            found = ar.mul(at.down, ar.sub(*x.left))
            assert inside(found, unit * before), (point, "left")
            found = ar.mul(at.up, ar.sub(*x.right))
            assert inside(found, unit * beyond), (point, "right")
    for way in (1, -1):
        difference = ar.sub(*release.moment(way))
        weighed = [
            mpmath.fsum(
                w * mpmath.exp(way * m / truth.scale + v / (2 * truth.scale**2))
                for w, m, v in prior
            )
            for prior in (truth.P, truth.Q)
        ]
        assert inside(difference, weighed[0] - truth.factor * weighed[1])
    return 4 * (1 + len(release.atoms)) + 2


def test_laws_against_mpmath(record_property: Record) -> None:
    checked = laws(150, 1)
    print("laws:", checked)
    record_property("kernel enclosures", checked)
    assert checked > 1000


@pytest.mark.long
def test_laws_against_mpmath_long(record_property: Record) -> None:
    record_property("kernel enclosures", laws(10_000, 2))


def signs(count: int, seed: int) -> Counter[str]:
    """Whatever cell the kernel signs has that sign at forty points of it."""
    rng = random.Random(seed)
    tally: Counter[str] = Counter()
    while tally["tried"] < count:
        value = draw(rng)
        value["epsilon"] = rng.choice([0, "1/2", 1, "log(2)"])
        if rng.random() < 0.3:
            value.update(form="pointwise", delta="1/50")
        goal = goal_of(value)
        ar = Arithmetic(96)
        flat = ar.of(Fraction(1, 50)) if value["delta"] else None
        release = Split(goal, form_of(goal.epsilon), ar, flat)
        curve = waves(release)
        factor = mpmath.exp(kb.real(value["epsilon"]))
        parts = [
            (w, m, v + (sc.mp_of(sc.spread(goal))))
            for prior, c in (
                (sc.law(value["priors"]["a"]), 1),
                (sc.law(value["priors"]["b"]), -factor),
            )
            for w, m, v in ((c * w, m, v) for w, m, v in prior)
        ]
        bells = [(w / mpmath.sqrt(2 * mp.pi * v), m, -1 / (2 * v)) for w, m, v in parts if v]

        def h(x: mpf, bells: Any = bells, flat: Any = flat) -> mpf:
            bell = mpmath.fsum(w * mpmath.exp(k * (x - m) ** 2) for w, m, k in bells)
            return bell - (mpf(1) / 50 if flat else 0)

        for _ in range(12):
            kind = rng.choice(["range", "taylor", "taylor", "left", "right"])
            low: Fraction | None = Fraction(rng.randint(-64, 64), 8)
            high: Fraction | None = low + Fraction(rng.choice([1, 3, 8, 20]), rng.choice([8, 32]))
            if kind == "left":
                low = None
            elif kind == "right":
                high = None
            order = rng.randint(1, 14) if kind == "taylor" else 0
            tally["tried"] += 1
            if not curve:
                continue
            try:
                found = cell_sign(curve, low, high, order, rng.randrange(len(curve)), ar)
            except (Rejected, Undecided):
                continue
            tally[kind] += 1
            a = sc.mp_of(low if low is not None else high - 30)
            b = sc.mp_of(high if high is not None else low + 30)
            for k in range(41):
                assert found * h(a + (b - a) * k / 40) > 0, (value, low, high, order)
    return tally


def test_cells_have_the_sign(record_property: Record) -> None:
    tally = signs(1500, 3)
    print("cells:", dict(tally))
    record_property("kernel cells", sum(v for k, v in tally.items() if k != "tried"))
    assert min(tally[k] for k in ("range", "taylor", "left", "right")) > 25


@pytest.mark.long
def test_cells_have_the_sign_long() -> None:
    signs(60_000, 4)


# ---------------------------------------------------------------- accepted by hand

N01, N14 = normal(0, 1), normal(1, 4)


def certified(value: Json, steps: list[Json]) -> str:
    word, message = sc.answer(value, steps)
    assert word == "certified", message
    for source, target in (("a", "b"), ("b", "a")):
        assert Truth(value, source, target).excess() < mpf(10) ** -25
    return message


def rejected(value: Json, steps: list[Json], why: str = "", word: str = "rejected") -> None:
    found, message = sc.answer(value, steps)
    assert (found, "beyond this kernel" in message) == (word, False), message
    assert why in message


def test_pure_for_gaussian_priors() -> None:
    """N(0,1) against N(1,4) at epsilon 1, just above b = (1 + sqrt 7)/2: one order by its tail."""
    plan = step("components", "b", "a", plan=[[0, 0, "1"]])
    for scale, word in (("1.8228756556", "certified"), ("1.8228756553", "rejected")):
        value = problem(N01, N14, 1, 0, scale)
        steps = [sc.chart(value, goal_of(value)), plan]
        if word == "certified":
            message = certified(value, steps)
            assert "(F8)" in message
            assert "(F5)" in message
            assert "scale=4557189139/2500000000" in message
        else:
            rejected(value, steps, "the edge from component 0 to component 0 is not bounded")
            refuting = step("pure-refuted", "b", "a", bits=200, y="40", margin="1e-11")
            word, message = sc.answer(value, [refuting], "refuted")
            assert word == "refuted", message


def test_delta_of_events_by_charts() -> None:
    value = problem(N01, N14, 1, "1/100", "1.64")
    edge = Truth(value, "b", "a").divergence()
    for noise in ({"kind": "laplace", "scale": "1.64"}, GAUSS):
        value["noise"] = noise
        edge = Truth(value, "b", "a").divergence()
        for shift, word in ((1, "certified"), (-1, "rejected")):
            value["delta"] = kb.fraction_text(edge + shift * mpf(10) ** -12)
            steps = sc.prove(value, bits=96)
            if word == "certified":
                message = certified(value, steps)
                assert (noise["kind"] == "gaussian") == ("variance=2;" in message)
                assert f"noise={noise['kind']}" in message
            else:
                rejected(value, steps, "the divergence is not bounded by delta")


def test_mixtures_with_atoms() -> None:
    p = mixture(("1/2", 0, 0), ("1/2", 1, 1))
    q = mixture(("1/4", 0, 0), ("1/4", "1/2", 0), ("1/2", 1, 2))
    for form, delta in (("events", 0), ("events", "1/20"), ("pointwise", "1/30")):
        value = problem(p, q, 1, delta, 3, form=form)
        certified(value, sc.prove(value, bits=96))
    value = problem(ATOMS, normal(1, "1/2"), 2, "3/10", {"kind": "gaussian", "variance": 1})
    certified(value, sc.prove(value))


def test_equal_priors() -> None:
    same = mixture(("1/2", 0, 1), ("1/2", 0, 1))
    for noise in (1, GAUSS):
        for form, delta in (("events", 0), ("pointwise", "1/9")):
            value = problem(N01, same, 0, delta, noise, form=form)
            steps = [step("equal"), step("equal", "b", "a")]
            certified(value, steps)
            if not delta:  # and h vanishes
                points = ["0"] if noise == 1 else []
                bare = {"bits": 64, "density": [], "points": points}
                flat = problem(N01, same, 0, 0, noise)
                assert certified(flat, [steps[0], step("chart", "b", "a", **bare)])
            value["priors"]["b"] = N14
            rejected(value, steps, "the priors differ")


def test_what_cancels_is_gone() -> None:
    """epsilon = log 2, the same component with weights 1/2 and 1/4: only the other terms remain,
    and the difference vanishes where there is none."""
    p = mixture(("1/2", 0, 4), ("1/2", 0, 0))
    q = mixture(("1/4", 0, 4), ("3/4", 0, "1/4"))
    value = problem(p, q, "log(2)", "1/2", 1)
    goal = goal_of(value)
    terms = Split(goal, form_of(goal.epsilon), Arithmetic(64)).terms
    assert [(t.mean, t.variance, t.sign) for t in terms] == [(0, 0, 1), (0, Fraction(1, 4), -1)]
    certified(value, sc.prove(value))
    gone = problem(
        mixture(("1/2", 0, 4), ("1/2", 0, 0)), mixture(("1/2", 0, 4), ("1/2", 1, 0)), 0, "1/5", 4
    )
    assert not waves(Split(goal_of(gone), form_of(Fraction(0)), Arithmetic(64)))
    points = ["0", "1/2", "1"]
    steps = [
        step("chart", *w, bits=96, density=[], points=points) for w in (("a", "b"), ("b", "a"))
    ]
    certified(gone, steps)


def test_ties_of_translated_priors() -> None:
    """b = |dm|/epsilon exactly: by components, and by a chart whose tail is a tie."""
    for shift, epsilon, scale in (("3", "3/2", 2), ("1", "log(2)", "1/log(2)")):
        p = mixture(("1/2", 0, 1), ("1/2", 2, 1))
        q = mixture(("1/2", shift, 1), ("1/2", str(2 + int(shift)), 1))
        value = problem(p, q, epsilon, 0, scale)
        plan = [[0, 0, "1/2"], [1, 1, "1/2"]]
        steps = [step("components", *w, plan=plan) for w in (("a", "b"), ("b", "a"))]
        certified(value, steps)
        simple = problem(N01, normal(shift, 1), epsilon, 0, scale)
        charts = sc.prove(simple, bits=96)
        assert "(F3)" in certified(simple, charts)
        certified(simple, [charts[0], step("components", "b", "a", plan=[[0, 0, "1"]])])
        for less in (f"{epsilon}-1e-30", f"{epsilon}-1e-9"):
            rejected({**value, "epsilon": less}, steps, "is not bounded")
            rejected({**simple, "epsilon": less}, charts)


def test_tie_of_a_wider_law() -> None:
    """|m|/b + v/(2 b^2) = epsilon exactly, at a rational and at an irrational scale."""
    plan = [step("components", "b", "a", plan=[[0, 0, "1"]])]
    for prior, epsilon, scale in (
        (normal("1/2", 2), 1, 1),
        (normal(0, 4), 1, "exp(log(3/2)/2)"),
        (normal(1, 4), 1, "3/(exp(log(7)/2)-1)"),
    ):
        value = problem(N01, prior, epsilon, 0, scale)
        found = sc.chart(value, goal_of(value), bits=96)
        certified(value, [found, *plan])
        near = {**value, "epsilon": f"{epsilon}-1e-40"}
        rejected(near, [found, *plan], "is not bounded")


def test_pure_with_gaussian_noise() -> None:
    """Pure where the other prior has every component, at least e^-epsilon as heavy; the reverse
    order fails at every scale."""
    p, q = N01, mixture(("1/2", 0, 1), ("1/2", 0, 4))
    value = problem(p, q, "log(2)", 0, GAUSS)
    goal = goal_of(value)
    assert accepted(goal, sc.chart(value, goal))
    assert Truth(value, "a", "b").loss() <= mpmath.log(2) + mpf(10) ** -25
    reverse = step("pure-refuted", "b", "a", bits=96, y="9", margin="0.5")
    assert sc.answer(value, [reverse], "refuted")[0] == "refuted"
    inf = {"rule": "minimum", "lower": "0", "upper": "inf", "lower_step": None}
    word, message = sc.answer(value, [{**inf, "upper_steps": [{"rule": "no-scale"}]}], "scales")
    assert word == "scales", message
    assert "dominates a tail" in message


# ---------------------------------------------------------------- every premise violated once


def changed(found: Json, **new: Any) -> Json:
    return {**found, **new}


def test_premises_of_charts() -> None:
    value = problem(N01, N14, 1, "1/20", "1.64")
    steps = sc.prove(value)
    goal = goal_of(value, "b")
    chart_b = steps[1]
    assert accepted(goal_of(value), steps[0])
    assert accepted(goal, chart_b)
    density = chart_b["density"]
    # a cell over a zero of h
    root = Truth({**value, "noise": {"kind": "gaussian", "variance": "1/10000000000"}}, "b", "a")
    zero = sc.near(root.roots(root.g)[0], 20)
    wrong = [[str(zero - 1), str(zero + 1), 12, 0]]
    with pytest.raises(Rejected, match="the sign of the density is not proved"):
        judged(goal, changed(chart_b, density=wrong))
    for order in (0, 1, 2, 40):
        assert not accepted(goal, changed(chart_b, density=[[*wrong[0][:2], order, 0]]))
    # tails that begin too early, orders at infinity
    for cell in (["0", "inf", 0, 0], ["0", "inf", 0, 1], ["-inf", "1", 0, 1], ["9", "inf", 1, 1]):
        assert not accepted(goal, changed(chart_b, density=[cell]))
    assert not accepted(goal, changed(chart_b, density=[["-inf", "inf", 0, 1]]))
    # parts that no cell covers count with all their mass
    assert not accepted(goal, changed(chart_b, density=[]))
    assert not accepted(goal, changed(chart_b, density=density[1:-1]))
    assert not accepted(goal, changed(chart_b, density=density[: len(density) // 2]))
    # too few points
    assert not accepted(goal, changed(chart_b, points=["0"]))
    assert not accepted(goal, changed(chart_b, points=[]))
    # bits that are too few, and the other order
    tight = {**value, "delta": kb.fraction_text(Truth(value, "b", "a").divergence() + mpf("1e-12"))}
    assert accepted(goal_of(tight, "b"), chart_b)
    assert not accepted(goal_of(tight, "b"), changed(chart_b, bits=32))
    assert not accepted(goal_of(value), chart_b | {"from": "a", "to": "b"}) or (
        Truth(value, "a", "b").excess() <= 0
    )
    rejected(value, steps[::-1], 'the step due here is "a" -> "b"')
    rejected(value, [steps[0], steps[1] | {"belief": "other"}], "the step due here")
    rejected(value, steps[:1], "no step for")
    rejected(value, [*steps, steps[0]], "more steps than goals")


def test_an_atom_must_be_a_point() -> None:
    value = problem(mixture(("1/2", 0, 0), ("1/2", 1, 1)), normal(1, 1), 1, "9/10", 2)
    goal = goal_of(value)
    good = sc.chart(value, goal)
    assert accepted(goal, good)
    points = [x for x in good["points"] if x != "0"]
    with pytest.raises(Rejected, match="an atom is missing"):
        judged(goal, changed(good, points=points))
    # under gaussian noise there are no points at all
    other = {**value, "noise": GAUSS}
    found = sc.chart(other, goal_of(other))
    assert accepted(goal_of(other), found)
    with pytest.raises(Rejected, match="points are for Laplace noise"):
        judged(goal_of(other), changed(found, points=["0"]))


def test_gaps_in_a_pure_chart() -> None:
    """Without any one of its cells a cover of the whole line is none."""
    p, q = normal(0, 1), mixture(("1/2", 1, 4), ("1/2", -1, 4))
    value = problem(p, q, 2, 0, {"kind": "gaussian", "variance": 1})
    goal = goal_of(value)
    good = sc.chart(value, goal)
    assert accepted(goal, good)
    for i in range(len(good["density"])):
        cells = good["density"][:i] + good["density"][i + 1 :]
        with pytest.raises(Rejected, match="the excess is not bounded on"):
            judged(goal, changed(good, density=cells))
    assert len(good["density"]) > 3


def test_gaps_between_the_points_of_a_pure_chart() -> None:
    """Under Laplace noise two points too far apart prove nothing of what is between them."""
    p, q = normal(0, "1/4"), mixture(("1/2", -2, "1/4"), ("1/2", 2, "1/4"))
    value = problem(p, q, 1, 0, 1)
    loss = Truth(value, "a", "b").loss()
    value["epsilon"] = kb.fraction_text(loss + mpf("1e-3"))
    goal = goal_of(value)
    good = sc.chart(value, goal)
    assert accepted(goal, good)
    for points in (["-1", "1"], good["points"][:3], [good["points"][0], good["points"][-1]]):
        with pytest.raises(Rejected, match="the excess is not bounded on"):
            judged(goal, changed(good, points=points))
    with pytest.raises(Rejected, match="the excess is not bounded on"):
        judged(goal, changed(good, density=[]))


@pytest.mark.parametrize(
    ("new", "error"),
    [
        ({"points": ["1", "0"]}, Malformed),
        ({"points": ["0", "0"]}, Malformed),
        ({"points": ["0.5"]}, Malformed),
        ({"points": [0]}, Malformed),
        ({"points": ["log(2)"]}, Malformed),
        ({"points": "0"}, Malformed),
        ({"density": [["0", "0", 4, 0]]}, Malformed),
        ({"density": [["1", "0", 4, 0]]}, Malformed),
        ({"density": [["0", "2", 4, 0], ["1", "3", 4, 0]]}, Malformed),
        ({"density": [["0", "inf", 0, 0], ["1", "3", 4, 0]]}, Malformed),
        ({"density": [["0", "1", 4, 0], ["-inf", "3", 0, 0]]}, Malformed),
        ({"density": [["inf", "1", 0, 0]]}, Malformed),
        ({"density": [["0", "-inf", 0, 0]]}, Malformed),
        ({"density": [["0", "1", 4]]}, Malformed),
        ({"density": [["0", "1", 65, 0]]}, Malformed),
        ({"density": [["0", "1", -1, 0]]}, Malformed),
        ({"density": [["0", "1", True, 0]]}, Malformed),
        ({"density": [["0", "1", 4, 9]]}, Malformed),
        ({"density": [["0", "1", 4, 2]]}, Rejected),
        ({"density": [["0", "1", 4, None]]}, Malformed),
        ({"density": {}}, Malformed),
        ({"density": ["01"]}, Malformed),
        ({"bits": 16}, Malformed),
        ({"bits": "64"}, Malformed),
        ({"bits": 200_000}, TooMuchWork),
        ({"points": [str(2**3000)]}, Rejected),
        ({"points": [str(k) for k in range(900_000)]}, Rejected),
        ({"density": [[str(k), str(k + 1), 64, 0] for k in range(100_000)]}, Rejected),
        ({"density": [[str(k), str(k + 1), 64, 0] for k in range(60_000)]}, Rejected),
    ],
)
def test_shapes_and_sizes_of_charts(new: Json, error: type[Exception]) -> None:
    value = problem(N01, N14, 1, "1/20", "1.64")
    base = {"bits": 64, "density": [], "points": ["0"]}
    goal = goal_of(value)
    with work.checking(0), pytest.raises(error):
        judged(goal, step("chart", **{**base, **new}))


@pytest.mark.parametrize("way", [1, -1])
def test_the_bound_of_a_tail_counts_its_own_side(way: int) -> None:
    """Far from 0, where e^(rho x) and e^(-rho x) differ most: the tail where P is heavier."""
    value = problem(normal(-20 * way, 1), normal(-21 * way, 1), "1/2", 0, 1)
    points = sorted([-23 * way, -20 * way])
    found = step("chart", bits=96, density=[], points=[str(y) for y in points])
    pieces = Chart(goal_of(value), found).pieces[::way]
    assert (pieces[0][2], pieces[-1][2]) == (-1, 0)
    truth = Truth(value, "a", "b")
    assert truth.tail(-way) < truth.epsilon < truth.tail(way)


def test_one_sided_sums_must_have_a_sign() -> None:
    """Density >= 0 between two atoms of Q, g < 0 at both, and yet g > 0 half-way: L and R change
    their signs there."""
    atoms = {"kind": "discrete", "mass": {"-1": "1/2", "1": "1/2"}}
    value = problem(normal(0, "1/100"), atoms, 1, 0, "1/4")
    truth = Truth(value, "a", "b")
    assert truth.g(mpf(1)) < 0 < truth.g(mpf(0))
    cells = [["-inf", "inf", 0, 0]]
    found = step("chart", bits=96, density=cells, points=["-1", "1"])
    with pytest.raises(Rejected, match="the excess is not bounded on \\[-1, 1\\]"):
        judged(goal_of(value), found)
    value["epsilon"] = (
        40  # both ends alone would not do here either, but the bound of monotony does
    )
    assert accepted(goal_of(value), found)


@pytest.mark.parametrize("mirror", [1, -1])
@pytest.mark.parametrize(("source", "epsilon"), [("b", "1"), ("a", "0")])
def test_a_tail_needs_its_near_end_or_its_far_end(source: str, epsilon: str, mirror: int) -> None:
    """h and the limit have one sign in the tail, g at its near end the other: nothing is known of
    the tail, and all is once it begins beyond the zero of g."""
    value = problem(N01, normal(mirror, 4), epsilon, "1/9", "1.64")
    goal = goal_of(value, source)
    truth = Truth(value, source, "b" if source == "a" else "a")
    density = sc.cells(goal)
    near_end = density[-1][0] if mirror > 0 else density[0][1]
    s = 1 if source == "b" else -1
    y = sc.mp_of(Fraction(near_end))
    assert s * truth.g(y) < 0
    assert s * (truth.tail(mirror) - truth.epsilon) > 0
    far = str(Fraction(near_end) + 20 * mirror)
    for end, expected in ((near_end, 0), (far, s)):
        found = step("chart", bits=128, density=density, points=[end])
        pieces = Chart(goal, found).pieces
        assert pieces[-1 if mirror > 0 else 0][2] == expected
    assert s * truth.g(sc.mp_of(Fraction(far))) > 0


def test_premises_of_components() -> None:
    p = mixture(("1/2", 0, 1), ("1/2", 2, 2))
    q = mixture(("1/4", 0, 1), ("1/4", "1/2", 1), ("1/2", 2, 1))
    value = problem(p, q, 1, 0, 1)
    goal = goal_of(value)
    plan = [[0, 0, "1/4"], [0, 1, "1/4"], [1, 2, "1/2"]]
    assert judged(goal, step("components", plan=plan)) == {"F8", "MIX"}
    for wrong, error in (
        (plan[:2], Rejected),  # a row and a column too small
        ([*plan[:2], [1, 2, "1/3"]], Rejected),
        ([*plan, [0, 2, "1/9"]], Rejected),
        ([[0, 0, "1/2"], [0, 1, "0"], [1, 2, "1/2"]], Rejected),
        ([[0, 0, "3/4"], [0, 1, "-1/4"], [1, 2, "1/2"]], Rejected),
        ([[1, 0, "1/4"], [0, 1, "1/4"], [0, 2, "1/4"], [1, 2, "1/4"]], Rejected),  # too far
        ([*plan, plan[0]], Malformed),
        ([[0, 0, "1/4"], [0, 1, "1/4"], [2, 2, "1/2"]], Malformed),
        ([[0, 0, "1/4"], [0, 1, "1/4"], [1, 3, "1/2"]], Malformed),
        ([[0, 0, "1/4"], [0, 1, "1/4"], [1, -1, "1/2"]], Malformed),
        ([[0, 0, "1/4"], [0, 1, "1/4"], ["1", 2, "1/2"]], Malformed),
        ([[0, 0, "0.25"], [0, 1, "1/4"], [1, 2, "1/2"]], Malformed),
        ([[0, 0], [0, 1, "1/4"], [1, 2, "1/2"]], Malformed),
        ({}, Malformed),
        ([], Rejected),
        ([[0, 0, "1"]] * 70_000, Rejected),
    ):
        with pytest.raises(error):
            judged(goal, step("components", plan=wrong))
    # the reverse order needs a narrower law over a wider one
    back = [[i, j, mass] for j, i, mass in plan]
    with pytest.raises(Rejected, match="the edge from component 2 to component 1"):
        judged(goal_of(value, "b"), step("components", "b", "a", plan=back))
    for spread in (Fraction(9), Fraction(0)):
        laws = [law._replace(scale=None, spread=spread) for law in (goal.P, goal.Q)]
        other = goal._replace(P=laws[0], Q=laws[1])
        with pytest.raises(Rejected, match="Laplace noise only"):
            judged(other, step("components", plan=plan))


def test_rules_of_the_other_kind_are_rejected() -> None:
    value = problem(N01, N14, 1, "1/20", "1.64")
    steps = sc.prove(value)
    for rule, more in (("pure", {"ties": []}), ("pointwise", {"ties": []}), ("delta-upper", {})):
        rejected(value, [step(rule, bits=64, **more), steps[1]], "is for priors of atoms")
    atoms = kb.problem({"0": 1}, {"1": 1}, 1, 0, 2)
    for found in (
        step("equal"),
        step("components", plan=[[0, 0, "1"]]),
        step("chart", bits=64, density=[], points=["0", "1"]),
    ):
        rejected(atoms, [found, found | {"from": "b", "to": "a"}], "is for priors with densities")
    # gaussian noise makes atoms smooth, whatever the rule
    noisy = {**atoms, "noise": {"kind": "gaussian", "scale": 2}}
    rejected(noisy, kb.both("pure", 64, {"ties": []}), "is for priors of atoms")
    rejected(value, [step("no-noise", bits=64), steps[1]], "not one for this place", "malformed")
    for found in (steps[0] | {"ties": []}, {k: v for k, v in steps[0].items() if k != "points"}):
        rejected(value, [found, steps[1]], "", "malformed")


def test_couplings_of_densities_or_under_gaussian_noise_are_rejected() -> None:
    """F9 is about Laplace noise; distances are about atoms."""
    line = {"edges": [["0", "1", "1"]], "side": "rows", "scale": "2", "bits": 64}
    value = kb.problem({"0": 1}, {"1": 1}, 1, 0, 2)
    assert sc.answer(value, [step("lines-fit", **line)], "coupling")[0] == "coupling"
    noisy = {**value, "noise": {"kind": "gaussian", "scale": 2}}
    within = step("coupling", edges=[["0", "1", "1"]], within="1")
    assert sc.answer(noisy, [within], "coupling")[0] == "coupling"
    farkas = {"side": "rows", "scale": "1/2", "bits": 64, "u": ["0"], "v": ["0"], "w": ["0"]}
    for found in (step("lines-fit", **line), step("lines-do-not-fit", **{**farkas, "scale": "1"})):
        word, message = sc.answer(noisy, [found], "coupling")
        assert (word, "Laplace noise" in message) == ("rejected", True), message
    word, message = sc.answer(problem(N01, ATOMS), [within], "coupling")
    assert (word, "priors of atoms" in message) == ("rejected", True)


# ---------------------------------------------------------------- refutations


def decimal(x: mpf) -> str:
    """A decimal just below x > 0."""
    return f"{int(mpmath.floor(x * mpf(10) ** 30))}e-30"


def positive(truth: Truth) -> list[list[str]]:
    """The event g > 0."""
    roots = [sc.near(y, 60) for y in truth.roots(truth.g)]
    ends = ["-inf", *map(str, roots), "inf"]
    first = 0 if truth.g(sc.mp_of(roots[0]) - 1) > 0 else 1
    return [[ends[i], ends[i + 1]] for i in range(first, len(ends) - 1, 2)]


def test_refutations() -> None:
    value = problem(N01, N14, 1, "1/100", 1)
    for noise in (value["noise"], GAUSS):
        noisy = {**value, "noise": noise}
        truth = Truth(noisy, "b", "a")
        excess, event = truth.divergence() - truth.delta, positive(truth)
        found = step(
            "event-refuted", "b", "a", bits=128, event=event, margin=decimal(excess * mpf("0.9999"))
        )
        word, message = sc.answer(noisy, [found], "refuted")
        assert word == "refuted", message
        above = kb.fraction_text(excess * mpf("1.001"))
        for new, error in (
            ({"margin": str(float(Fraction(above)))}, "rejected"),
            ({"margin": "0"}, "rejected"),
            ({"margin": "-1"}, "malformed"),
            ({"event": [["9", "10"]]}, "rejected"),
            ({"event": [["-inf", "inf"]]}, "rejected"),
            ({"event": []}, "malformed"),
            ({"event": [["5", "6"], ["1", "2"]]}, "malformed"),
            ({"event": [["0", "0"]]}, "malformed"),
            ({"event": [["-inf", "0"], ["0", "inf"]]}, "malformed"),
            ({"event": [["0", "1", 4, 0]]}, "malformed"),
            ({"from": "a", "to": "b"}, "rejected"),
            ({"bits": 150_000}, "rejected"),
        ):
            word, message = sc.answer(noisy, [{**found, **new}], "refuted")
            assert word == error, (new, message)
        dense = {**noisy, "form": "pointwise", "delta": "1/1000"}
        y = max(truth.grid(60), key=truth.g)
        over = truth.g(y) - mpf(1) / 1000
        assert over > 0
        found = step(
            "pointwise-refuted", "b", "a", bits=96, y=str(sc.near(y, 30)),
            margin=decimal(over * mpf("0.99")),
        )  # fmt: skip
        assert sc.answer(dense, [found], "refuted")[0] == "refuted"
        assert sc.answer(noisy, [found], "refuted")[0] == "rejected"
        more = {**found, "margin": str(float(over) * 1.01)}
        assert sc.answer(dense, [more], "refuted")[0] == "rejected"
        ratio = {**noisy, "delta": 0}
        logs = mpmath.log(truth.density(truth.P, y) / truth.density(truth.Q, y)) - 1
        point = {"y": str(sc.near(y, 40)), "bits": 96}
        for share, word in (("0.99", "refuted"), ("1.01", "rejected")):
            found = step("pure-refuted", "b", "a", margin=decimal(logs * mpf(share)), **point)
            assert sc.answer(ratio, [found], "refuted")[0] == word
            assert sc.answer(noisy, [found], "refuted")[0] == "rejected"


# ---------------------------------------------------------------- scales


def test_scale_zero_and_minimum() -> None:
    """Mixtures that are private by themselves, an atomic pair among them."""
    p = mixture(("1/2", 0, 0), ("1/2", 0, 1))
    q = mixture(("1/2", 0, 0), ("1/4", 0, 1), ("1/4", 2, 4))
    for noise in (1, {"kind": "gaussian", "variance": 1}):
        value = problem(p, q, "log(4)", 0, noise)
        value["priors"]["c"] = {"kind": "discrete", "mass": {"0": "1/4", "1": "3/4"}}
        value["priors"]["d"] = {"kind": "discrete", "mass": {"0": "3/4", "1": "1/4"}}
        value["pairs"] = [["a", "b"], ["c", "d"]]
        value["delta"] = "1/5"
        bare = {"bits": 64, "density": [], "points": []}
        none = [
            g._replace(P=g.P._replace(scale=None, spread=Fraction(0))) for g in sc.goals(value)
        ][:2]
        steps = [step("chart", *g.names[1:], bits=96, density=sc.cells(g), points=[]) for g in none]
        # under Laplace noise a goal about atoms stays one, and has the rule of its own
        rule = ("no-noise", {}) if noise == 1 else ("chart", bare)
        steps += [step(rule[0], *way, **rule[1]) for way in (("c", "d"), ("d", "c"))]
        zero = {"rule": "scale", "method": "none", "scale": "0", "verdict": "certified"}
        least = {"rule": "minimum", "lower": "0", "upper": "0", "lower_step": None}
        both = [{**zero, "steps": steps}, {**least, "upper_steps": steps}]
        word, message = sc.answer(value, both, "scales")
        assert word == "scales", message
        assert "minimum in [0, 0]" in message
        assert "data processing" in message
        for wrong, found in (
            ([{"rule": "no-noise"}], "malformed"),
            (steps[:-1], "rejected"),
            ([steps[0], *steps[:1], *steps[2:]], "rejected"),
            ([{**steps[0], "points": ["0"]}, *steps[1:]], "rejected"),
            ([step("components", plan=[[0, 0, "1"]]), *steps[1:]], "rejected"),
            ([step("equal"), *steps[1:]], "rejected"),
        ):
            assert sc.answer(value, [{**zero, "steps": wrong}], "scales")[0] == found, wrong
        # the other order of the mixtures fails by its density, the atoms by their ratio
        for new in ({"delta": "1/25"}, {"epsilon": "log(2)", "delta": "1/25"}, {"delta": 0}):
            tighter = {**value, **new}
            word, message = sc.answer(tighter, [{**zero, "steps": steps}], "scales")
            assert word == "rejected", message


def test_atoms_without_noise_are_compared_exactly() -> None:
    """Under gaussian noise two laws of atoms are smooth goals; their ties are decided."""
    p, q = {"0": "1/2", "1": "1/2"}, {"0": "1/5", "2": "4/5"}
    value = kb.problem(p, q, "log(2)", "3/5", 1)
    value["noise"] = {"kind": "gaussian", "scale": 1}
    bare = {"bits": 64, "density": [], "points": []}
    steps = [step("chart", *way, **bare) for way in (("a", "b"), ("b", "a"))]
    zero = {"rule": "scale", "method": "x", "scale": "0", "verdict": "certified", "steps": steps}
    # a over b: 1/2 - 2/5 + 1/2 = 3/5; b over a: 4/5
    assert sc.answer(value, [zero], "scales")[0] == "rejected"
    for delta, word in (("4/5", "scales"), ("4/5-1e-30", "rejected"), (0, "rejected")):
        assert sc.answer({**value, "delta": delta}, [zero], "scales")[0] == word
    value["form"] = "pointwise"
    assert sc.answer({**value, "delta": "4/5"}, [zero], "scales")[0] == "rejected"
    value["priors"]["b"]["mass"] = {"0": "1/4", "1": "3/4"}
    assert sc.answer({**value, "epsilon": "log(2)"}, [zero], "scales")[0] == "rejected"
    for found in steps:  # the flat part is a density: -3/5 everywhere
        found["density"] = [["-inf", "inf", 0, 0]]
    assert sc.answer({**value, "epsilon": "log(2)"}, [zero], "scales")[0] == "scales"
    assert sc.answer({**value, "epsilon": "log(2)-1e-30"}, [zero], "scales")[0] == "rejected"


def test_minimum_of_gaussian_noise_is_a_standard_deviation() -> None:
    value = problem(N01, normal(1, 1), 1, "1/20", {"kind": "gaussian"})
    ends = []
    for sigma in ("1.0", "1.1", "1.2", "1.3"):
        truth = Truth(value, "a", "b", mpf(sigma))
        ends.append((sigma, truth.divergence() <= mpf("0.05")))
    lower = max(s for s, private in ends if not private) if not ends[0][1] else "0.1"
    upper = "3"
    noisy = {**value, "noise": {"kind": "gaussian", "scale": upper}}
    truth = Truth(value, "b", "a", mpf(lower))
    event = positive(truth)
    excess = truth.divergence() - mpf("0.05")
    assert excess > 0
    refuting = step(
        "event-refuted", "b", "a", bits=96, event=event, margin=decimal(excess * mpf("0.9"))
    )
    minimum = {
        "rule": "minimum", "lower": lower, "upper": upper,
        "lower_step": refuting, "upper_steps": sc.prove(noisy),
    }  # fmt: skip
    word, message = sc.answer(value, [minimum], "scales")
    assert word == "scales", message
    assert f"minimum in [{lower}, {upper}]" in message
    assert "scales are standard deviations" in message
    assert "N(0, s') = N(0, s) + independent noise" in message
    squared = {**minimum, "upper": "9"}  # the steps' cells belong to the variance 9, not 81
    assert sc.answer(value, [squared], "scales")[0] == "rejected" or (
        Truth(value, "a", "b", mpf(9)).excess() <= 0
    )
    assert sc.answer(value, [{**minimum, "lower": "2.9"}], "scales")[0] == "rejected"
    # nothing to certify without a variance
    rejected(value, sc.prove(noisy), "the problem has no scale")


def test_no_scale() -> None:
    inf = {"rule": "minimum", "lower": "0", "upper": "inf", "lower_step": None}
    inf["upper_steps"] = [{"rule": "no-scale"}]
    gauss, laplace = {"kind": "gaussian"}, {"kind": "laplace"}
    heavy = mixture(("1/2", 0, 4), ("1/2", 0, 1))
    light = mixture(("2/5", 0, 4), ("3/5", 1, 1))
    for p, q, epsilon, delta, noise, word in (
        (N01, N14, 0, 0, laplace, "scales"),
        (N01, N01, 0, 0, laplace, "rejected"),
        (N01, N14, 1, 0, laplace, "rejected"),
        (N01, N14, 0, "1/10", laplace, "rejected"),
        (N01, N14, 5, 0, gauss, "scales"),
        (N01, N14, 5, "1/9", gauss, "rejected"),
        (N01, N01, 0, 0, gauss, "rejected"),
        (heavy, light, 1, 0, gauss, "rejected"),  # both orders, both tails: 1/2 < e 2/5
        (heavy, light, "1/10", 0, gauss, "scales"),
        (heavy, light, "log(5/4)", 0, gauss, "rejected"),  # the term cancels: the next one decides
        (ATOMS, normal(0, 1), 1, 0, gauss, "scales"),
        (ATOMS, {"kind": "discrete", "mass": {"0": "1/2", "2": "1/2"}}, 1, 0, gauss, "rejected"),
        (ATOMS, {"kind": "discrete", "mass": {"0": "1/2", "3": "1/2"}}, 1, 0, gauss, "scales"),
    ):
        value = problem(p, q, epsilon, delta, noise)
        found, message = sc.answer(value, [inf], "scales")
        if epsilon == "log(5/4)":  # heavy - 5/4 light = 1/2 N(0,1) - 3/4 N(1,1): left tail > 0
            word = "scales"
        assert found == word, (value, message)
        if word == "scales" and noise is gauss and epsilon != "log(5/4)":
            sources = (("a", "b"), ("b", "a"))
            for sigma in (mpf("0.3"), mpf(5)):
                assert max(
                    Truth(value, *way, sigma).tail(s) for way in sources for s in (1, -1)
                ) > kb.real(epsilon)


# ---------------------------------------------------------------- edges and random certificates


def edge(seed: int, tally: Counter[str]) -> None:
    """A target 1e-9 above the true value is certified by the search's chart, and neither that chart
    nor damaged ones are accepted for a target below it."""
    rng = random.Random(seed)
    value = draw(rng)
    form = rng.choice(["pure", "events", "events", "pointwise"])
    gaussian = value["noise"]["kind"] == "gaussian"
    if form == "pure" and gaussian:
        form = "events"
    key = "epsilon" if form == "pure" else "delta"
    if form != "pure":
        value["delta"] = "1/1000"
    value["form"] = "pointwise" if form == "pointwise" else "events"
    truth = Truth(value, "a", "b")
    if form == "pure":
        target = truth.loss()
        if max(truth.tail(1), truth.tail(-1)) > target - mpf(10) ** -7 or target < mpf("0.01"):
            return  # a supremum at infinity is the subject of the ties
    else:
        target = truth.divergence() if form == "events" else truth.highest(truth.g)
    if not mpf("1e-4") < target < mpf("0.85") and form != "pure":
        return
    if rng.random() < 0.5:  # far from the edge, too
        above, below = target * mpf("1.1"), target * mpf("0.9")
    else:
        above, below = target + mpf(10) ** -9, target - mpf(10) ** -9
    held = {**value, key: kb.fraction_text(above)}
    failed = {**value, key: kb.fraction_text(below)}
    good = sc.chart(held, goal_of(held), bits=96)
    if accepted(goal_of(held), good):
        tally["certified"] += 1
        tally[form] += 1
        tally["gaussian" if gaussian else "laplace"] += 1
    else:
        tally["missed"] += 1
    goal = goal_of(failed)
    for found in (good, sc.chart(failed, goal, bits=96)):
        for _ in range(4):
            assert not accepted(goal, found), (seed, failed)
            tally["refused"] += 1
            found = damaged(found, rng)
    for _ in range(4):  # damage to a true statement may be accepted
        tally["damaged, accepted"] += accepted(goal_of(held), damaged(good, rng))


def damaged(found: Json, rng: random.Random) -> Json:
    """A chart with an entry dropped, moved, merged, doubled or made up."""
    found = copy.deepcopy(found)
    cells, points = found["density"], found["points"]
    kind = rng.choice(["drop", "move", "merge", "order", "silly", "thin"])
    if kind == "drop" and cells:
        del cells[rng.randrange(len(cells))]
    elif kind == "thin" and len(points) > 2:
        found["points"] = points[:: rng.choice([2, 3])]
    elif kind == "move" and cells:
        cell, i = rng.choice(cells), rng.randrange(2)
        if not cell[i].endswith("inf"):
            cell[i] = str(Fraction(cell[i]) + Fraction(rng.randint(-9, 9), 64))
    elif kind == "merge" and len(cells) > 1:
        i = rng.randrange(len(cells) - 1)
        cells[i : i + 2] = [[cells[i][0], cells[i + 1][1], rng.choice([0, 4, 12]), cells[i][3]]]
    elif kind == "order" and cells:
        cell = rng.choice(cells)
        cell[2:] = [rng.choice([0, 1, 2, 5, 20]), rng.randrange(3)]
    else:
        ends = sorted({Fraction(rng.randint(-80, 80), 8) for _ in range(rng.randint(2, 9))})
        inner = [[str(a), str(b), rng.choice([0, 3, 9]), 0] for a, b in pairwise(ends)]
        keep = rng.choice([inner, [*cells[:1], *inner[:1]], cells])
        found["density"] = [c for c in keep if rng.random() < 0.9]
        if points:
            found["points"] = [str(x) for x in sorted({*ends, *map(Fraction, points[::4])})]
    return found


def edges(seeds: Iterable[int]) -> Counter[str]:
    tally: Counter[str] = Counter()
    with mpmath.workdps(40):
        for seed in seeds:
            edge(seed, tally)
    return tally


@pytest.mark.slow
def test_edges_and_damaged_charts(record_property: Record) -> None:
    """Four random edges; the batteries try these, four others near them, and 96 more."""
    tally = edges((8, 10, 11, 12))
    print(dict(tally))
    record_property("kernel charts", sum(tally.values()))
    assert tally["certified"] >= 4
    assert tally["missed"] == 0
    assert tally["refused"] >= 30
    assert min(tally[k] for k in ("pure", "events", "pointwise", "laplace", "gaussian")) >= 1
    assert tally["damaged, accepted"] >= 1


@pytest.mark.long
@pytest.mark.parametrize("start", [8, *range(1000, 1096, 8)])
def test_edges_and_damaged_charts_long(start: int, record_property: Record) -> None:
    tally = edges(range(start, start + 8))
    print(dict(tally))
    record_property("kernel charts", sum(tally.values()))
    assert tally["certified"] >= 2
    assert tally["refused"] >= 30


# ---------------------------------------------------------------- metamorphic


def moved(prior: Json, factor: Fraction, shift: Fraction) -> Json:
    prior = copy.deepcopy(prior)
    for part in prior["components"]:
        part["mean"] = str(Fraction(part["mean"]) * factor + shift)
        part["variance"] = str(Fraction(part["variance"]) * factor**2)
    return prior


@cache
def close(kind: str, sign: int) -> tuple[Json, Json]:
    """A problem whose delta is just above or below the true one, and its chart."""
    p = mixture(("1/2", 0, 0), ("1/2", 1, 1))
    q = mixture(("1/3", 0, 0), ("1/3", "1/2", 2), ("1/3", 2, 1))
    base = problem(p, q, "1/20", "1/10", 2 if kind == "laplace" else GAUSS)
    edge_value = Truth(base, "a", "b").divergence()
    value = {**base, "delta": kb.fraction_text(edge_value + sign * mpf(10) ** -8)}
    return value, sc.chart(value, goal_of(value), bits=96)


@pytest.mark.parametrize("factor", [Fraction(-1), Fraction(3), Fraction(1, 1000), Fraction(10**6)])
def test_units_and_reflections(factor: Fraction) -> None:
    """The same problem in other units, mirrored and shifted: the mapped chart is accepted, and for
    a target that fails rejected."""
    shift = Fraction(1, 3)
    for kind in ("laplace", "gaussian"):
        for sign in (1, -1):
            value, found = close(kind, sign)
            goal, noise = goal_of(value), value["noise"]
            assert accepted(goal, found) == (sign > 0)
            key = "scale" if noise["kind"] == "laplace" else "variance"
            size = Fraction(noise[key]) * (abs(factor) if key == "scale" else factor**2)
            other = {
                **value,
                "noise": {**noise, key: str(size)},
                "priors": {k: moved(v, factor, shift) for k, v in value["priors"].items()},
            }

            def there(x: str) -> str:
                if x.endswith("inf"):
                    return x if factor > 0 else ("-inf" if x == "inf" else "inf")
                return str(Fraction(x) * factor + shift)

            turned = other["priors"]["b"]["components"] + other["priors"]["a"]["components"]
            assert turned
            mapped = changed(found, points=sorted(map(there, found["points"]), key=Fraction))
            count = len(waves(Split(goal, form_of(goal.epsilon), Arithmetic(64))))
            order = sorted(range(count), key=lambda k: reindex(goal, factor, shift)[k])
            cells = []
            for low, high, n, r in found["density"]:
                ends = [there(low), there(high)][:: 1 if factor > 0 else -1]
                cells.append([*ends, n, order.index(r)])
            mapped["density"] = cells if factor > 0 else cells[::-1]
            assert accepted(goal_of(other), mapped) == (sign > 0), (factor, noise)


def reindex(goal: Normals, factor: Fraction, shift: Fraction) -> list[tuple[Fraction, Fraction]]:
    release = Split(goal, form_of(goal.epsilon), Arithmetic(64))
    return [(t.mean * factor + shift, t.variance * factor**2) for t in release.smooth]


def test_atoms_as_narrow_laws() -> None:
    """A problem of atoms, and the same with tiny variances instead: the same decision."""
    one, two = mixture(("1/2", 0, 0), ("1/2", 1, 1)), mixture(("1/2", 1, 0), ("1/2", 1, 1))
    atoms = problem(one, two, 0)
    tiny = Fraction(1, 10**12)
    for delta, word in (("0.2", True), ("0.01", False)):
        atoms["delta"] = delta
        narrow = copy.deepcopy(atoms)
        for prior in narrow["priors"].values():
            for part in prior["components"]:
                part["variance"] = part["variance"] or str(tiny)
        expected = Truth(atoms, "a", "b").excess() <= 0
        assert (Truth(narrow, "a", "b").excess() <= 0) == expected == word
        assert accepted(goal_of(atoms), sc.chart(atoms, goal_of(atoms))) == word


# ---------------------------------------------------------------- single leaves


@pytest.mark.long
def test_single_leaf_mutations_of_smooth_certificates(record_property: Record) -> None:
    """Any one entry of a problem or a certificate replaced: what is still accepted is true."""
    from test_kernel_mutation import leaves, others, replaced

    rng = random.Random(12)
    tally: Counter[str] = Counter()
    with mpmath.workdps(40):
        tail_tie = problem(N01, normal("1/2", 2), 1, 0, 1)
        plan = step("components", "b", "a", plan=[[0, 0, "1"]])
        events = problem(mixture(("1/2", 0, 0), ("1/2", 0, 1)), normal(0, 1), 1, "1/9", 1)
        cases = [
            (tail_tie, [sc.chart(tail_tie, goal_of(tail_tie)), plan]),
            (events, sc.prove(events)),
            (noisy := problem(N01, normal(1, 2), 1, "1/8", GAUSS), sc.prove(noisy)),
        ]  # fmt: skip
        for value, steps in cases:
            cert = kb.certificate(value, "certified", steps)
            assert kb.run(value, cert)[0] == "certified"
            for part, whole in (("certificate", cert), ("problem", value)):
                for path in leaves(whole):
                    old: Any = whole
                    for key in path:
                        old = old[key]
                    for new in others(old, rng):
                        if rng.random() > (0.02 if part == "certificate" else 0.2):
                            continue
                        mutant = replaced(whole, path, new)
                        leaf(value, cert, part, mutant, tally, (path, new))
    print(dict(tally))
    record_property(
        "kernel leaves tried", sum(tally[w] for w in ("certified", "rejected", "malformed"))
    )
    record_property("kernel leaves accepted", tally["certified"])
    assert tally["rejected"] > 30
    assert tally["malformed"] > 100
    assert tally["certified"] > 10


def leaf(value: Json, cert: Json, part: str, mutant: Json, tally: Counter[str], what: Any) -> None:
    if part == "problem":
        value = mutant
        try:
            cert = {**cert, "problem": kb.digest(value)}
        except Exception:  # malformed: only the kernel's own answer matters
            tally["unreadable"] += 1
    else:
        cert = mutant
    word, message = kb.run(value, cert)
    assert "beyond this kernel" not in message, what
    tally[word] += 1
    if word != "malformed" and word != "rejected":
        assert word == "certified"
        assert largest_excess(json.dumps(value)) < mpf(10) ** -20, what


@cache
def largest_excess(text: str) -> mpf:
    """Of a problem in both orders."""
    return max(Truth(json.loads(text), *way).excess() for way in (("a", "b"), ("b", "a")))


# ---------------------------------------------------------------- reading and running


FORMS = [
    (normal("1/2", 4), normal("0.5", "4.0")),
    (normal("1/2", 4), {"kind": "gaussian", "mean": "0.5", "sd": 2}),
    (normal("1/2", 4), mixture((1, "1/2", 4), (0, 9, 1))),
    (mixture(("1/2", 1, 2), ("1/2", 0, 0)), mixture(("1/4", 0, 0), ("1/2", 1, 2), ("1/4", 0, 0))),
    (normal(3, 0), {"kind": "discrete", "mass": {"3": 1}}),
    (mixture(("1/3", 2, 0), ("2/3", 1, 0)), {"kind": "discrete", "counts": {"1": 2, "2": 1}}),
]


@pytest.mark.parametrize("pair", FORMS)
def test_one_normal_form_and_one_digest(pair: tuple[Json, Json]) -> None:
    digests = set()
    for prior in pair:
        for noise in ({"kind": "laplace", "scale": 2}, {"kind": "gaussian", "scale": "3/2"}):
            value = problem(prior, N14, 1, 0, noise)
            ours = kb.digest(value)
            assert ours == problem_digest(Problem.from_text(json.dumps(value), json_format=True))
            digests.add(ours)
    assert len(digests) == 2


def test_noise_of_a_variance() -> None:
    same = set()
    for noise in (
        {"kind": "gaussian", "variance": 2},
        {"kind": "gaussian", "scale": "exp(log(2)/2)"},
        {"kind": "gaussian", "scale": "exp(log(8)/2)/2"},
    ):
        same.add(kb.digest(problem(N01, N14, 1, 0, noise)))
    assert len(same) == 1
    other = kb.digest(problem(N01, N14, 1, 0, {"kind": "gaussian", "scale": 2}))
    assert other not in same
    assert reader.problem_of(problem(N01, N14, 1, 0, {"kind": "gaussian"})).release.amount is None


def test_an_isolated_interpreter(tmp_path: Path) -> None:
    value = problem(N01, N14, 1, 0, "1.9")
    steps = [sc.chart(value, goal_of(value)), step("components", "b", "a", plan=[[0, 0, "1"]])]
    files = tmp_path / "p.json", tmp_path / "c.json"
    files[0].write_text(json.dumps(value))
    for found, code in ((steps, 0), (steps[::-1], 1)):
        files[1].write_bytes(reader.canonical_json(kb.certificate(value, "certified", found)))
        for flags in ((), ("-O",)):
            done = subprocess.run(
                [sys.executable, "-I", "-S", *flags, str(kb.KERNEL), *map(str, files)],
                capture_output=True, text=True, timeout=100, check=False, cwd="/",
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (code, ""), done.stdout
            assert done.stdout.startswith("certified: " if code == 0 else "rejected: ")


def test_hostile_events_are_refused_at_once() -> None:
    goal = goal_of(problem(N01, N14, 1, "1/9", 1))
    event = [[str(2 * k), str(2 * k + 1)] for k in range(200_000)]
    start = time.monotonic()
    with pytest.raises(Rejected, match="refused"):
        judged(goal, step("event-refuted", bits=4096, event=event, margin="0.1"))
    assert time.monotonic() - start < 10


# ---------------------------------------------------------------- every sum of a few terms


def factor_of(epsilon: str) -> mpf:
    return {"0": mpf(1), "log(2)": mpf(2), "1/3": mpmath.exp(mpf(1) / 3)}[epsilon]


@pytest.mark.parametrize(("epsilon", "count"), [("0", 7), ("log(2)", 5), ("1/3", 7)])
def test_terms_have_their_signs_and_cancel_exactly(epsilon: str, count: int) -> None:
    with mp.workprec(300):
        expected = {(m, v): w for m, v, w in st.signed(factor_of(epsilon)) if w}
        found = st.split(epsilon).terms
        assert len(found) == len(expected) == count
        for term in found:
            weight = expected[st.num(term.mean), st.num(term.variance)]
            assert term.sign == mpmath.sign(weight)
            assert st.encloses(term.weight, abs(weight))
        keys = [(term.mean, term.variance) for term in found]
        assert keys == sorted(keys)


def test_a_weight_that_is_not_told_from_0_is_at_least_0() -> None:
    """And of the sign that it has."""
    p, q = Fraction(1, 3) + Fraction(1, 2**81), Fraction(1, 3)
    for first, second, sign in ((p, q, 1), (q, p, -1)):
        laws = st.goal(p=((0, 1, first), (1, 1, 1 - first)), q=((0, 1, second), (1, 1, 1 - second)))
        found = smooth.terms(laws, form_of(Fraction(0)), Arithmetic(32))
        assert [term.sign for term in found] == [sign, -sign]
        for term in found:
            low, high, e = term.weight
            assert low == 0
            assert high * Fraction(2) ** e >= Fraction(1, 2**81)
    assert smooth.half((3, 5, 7)) == (3, 5, 6)


@pytest.mark.parametrize("epsilon", ["0", "log(2)", "1/3"])
@pytest.mark.parametrize("flat", [None, (1, 1, -3)])
def test_one_sided_sums_of_a_few_terms(epsilon: str, flat: Interval | None) -> None:
    """With and without the measure delta dx, which is a part of mu-."""
    with mp.workprec(250):
        terms, rate = st.signed(factor_of(epsilon)), mpf(3) / 2
        found = st.split(epsilon, flat, scale="2/3")
        flat_part = mpf(0) if flat is None else mpf(1) / 8 / rate
        for y in (Fraction(-2), Fraction(-1, 3), Fraction(1), Fraction(2), Fraction(40)):
            at, point = st.num(y), found.point(y)
            up, down = mpmath.exp(rate * at), mpmath.exp(-rate * at)
            assert st.encloses(point.up, up)
            assert st.encloses(point.down, down)
            for side, counted in ((point.before, False), (point.after, True)):
                left = [st.one_sided(t, at, rate, 1, counted) for t in terms]
                right = [st.one_sided(t, at, rate, -1, not counted) for t in terms]
                left, right = [*left, -flat_part * up], [*right, -flat_part * down]
                assert st.both(side.left, left)
                assert st.both(side.right, right)
            value = [a * down + b * up for a, b in zip(left, right, strict=True)]
            assert st.both(point.value, value)
            assert st.both(found.density(y), [rate / 2 * x for x in value])


@pytest.mark.parametrize("way", [1, -1])
def test_moments_of_a_few_terms(way: int) -> None:
    with mp.workprec(250):
        grown = [w * mpmath.exp(way * m + v / 2) for m, v, w in st.signed(mpf(2))]
        assert st.both(st.split("log(2)", scale="1").moment(way), grown)


NOISES: list[Json] = [{}, {"spread": "3/4"}, {"scale": "2/3"}]
SIDES = {
    "all": {},
    "atoms": {"p": st.P[:2], "q": st.Q[1:3]},
    "right": {"p": st.P[1:2], "q": st.Q[4:]},
}


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize("sides", SIDES)
@pytest.mark.parametrize("epsilon", ["0", "1/3"])
def test_masses_of_a_few_terms(epsilon: str, noise: Json, sides: str) -> None:
    """Far out to a relative precision, on the side where all means are below."""
    rate = mpf(3) / 2 if "scale" in noise else None
    with mp.workprec(400):
        found = st.split(epsilon, **noise, **SIDES[sides])
        terms = st.signed(factor_of(epsilon), noise.get("spread", 0), **SIDES[sides])
        terms = [t for t in terms if t[1] or rate is not None]
        for y in (-12, 0, 1, 3, 12):
            for way in (1, -1):
                values = [st.beyond(t, mpf(y), way, rate) for t in terms]
                assert st.both(found.beyond(Fraction(y), way), values, 20)
        for low, high in ((None, None), (None, 1), (1, None), (0, 2), (-1, 1), (3, 5), (12, 13)):
            above = [t[2] if low is None else st.beyond(t, mpf(low), 1, rate) for t in terms]
            less = [mpf(0) if high is None else st.beyond(t, mpf(high), 1, rate) for t in terms]
            values = [a - b for a, b in zip(above, less, strict=True)]
            ends = (None if end is None else Fraction(end) for end in (low, high))
            for x, value in zip(found.masses(*ends), st.pair(values), strict=True):
                assert inside(x, value)
                assert width(x) <= (value if low in (3, 12) else 1) * mpf(2) ** -20


@pytest.mark.parametrize("spread", [0, Fraction(3, 4)])
def test_densities_of_a_few_terms(spread: Fraction) -> None:
    with mp.workprec(250):
        terms = [t for t in st.signed(mpf(2), spread) if t[1]]
        found = st.split("log(2)", spread=spread)
        for y in (-2, 0, 1, 7):
            bells = [w * mpmath.npdf(y, m, mpmath.sqrt(v)) for m, v, w in terms]
            assert st.both(found.density(Fraction(y)), bells)


def test_far_arguments_keep_their_relative_precision() -> None:
    found = st.split("0", scale="1")
    for y, v in ((100, 1), (1000, 7), (-30, 9), (0, 1), (3, 2)):
        with mp.workprec(4000 if y < 0 else 300):
            value = mpmath.erfc(y / mpmath.sqrt(2 * v))
            assert st.encloses(found.scaled_erfc(form_of(Fraction(y)), Fraction(v)), value)

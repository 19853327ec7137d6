"""How the outputs of each normal form compare: from above at every E, and cells of them."""

from __future__ import annotations

import json
from fractions import Fraction
from math import exp, log
from typing import Any

import composed_builder as cb
import composed_truth as ct
import joint_corpus as jc
import pytest
from core.composed import profile_of
from core.enclose import Arithmetic, Interval
from core.gaussian_lattice import Lattice
from core.interfaces import Profile
from core.reduce import composite
from core.rules import Goal, Rejected
from core.work import Check
from core.zero import constant
from reader import reader
from reader.goals import goals_of

F = Fraction
AR = Arithmetic(128)
HALF = cb.atoms({0: "1/2", 1: "1/2"})
THIRDS = cb.atoms(dict.fromkeys(range(3), "1/3"))
LATTICE = {"kind": "discrete-laplace", "scale": 2, "step": 1}
GAUSS = {"kind": "discrete-gaussian", "scale": 2, "step": 1}
CUT = {"kind": "truncated-laplace", "scale": 2, "bound": 3}
TABLE = {"kind": "table", "weights": {"0": "1/2", "1": "1/4", "-1": "1/4"}}
LAPLACE, NORMAL = {"kind": "laplace", "scale": 2}, {"kind": "gaussian", "scale": 1}
BINS, CLAMP = [{"bins": {"edges": ["1/2", 2]}}], [{"clamp": [-1, 2]}]
CASES = [
    (LAPLACE, []), (LATTICE, []), (GAUSS, []), (CUT, []), (TABLE, []), (LAPLACE, BINS),
    (LAPLACE, CLAMP), (CUT, CLAMP), (CUT, BINS), (LATTICE, BINS), (LATTICE, CLAMP), (GAUSS, BINS),
    (GAUSS, CLAMP), (TABLE, BINS), (TABLE, CLAMP),
]  # fmt: skip


def normal(mean: int) -> Any:
    return {"kind": "gaussian", "mean": mean, "sd": 1}


def goal_of(value: Any) -> Goal[Any, Any]:
    problem = reader.problem_of(json.loads(json.dumps(value)))
    release = problem.release.at(problem.release.amount)
    return next(iter(goals_of(problem, release, Check(0))))


def of(noise: Any, p: Any, q: Any, steps: Any = ()) -> Profile:
    """The profile of one fresh release."""
    more = {"post": [*steps]} if steps else {}
    value = jc.problem(p, q, 1, "1/2", {**noise, "releases": 2, "draws": "fresh"}, **more)
    found = composite(goal_of(value))
    one, _ = found.part(found.parts()[0][0], F(0), F(1))
    return profile_of(one, AR)


def ends(x: Interval) -> tuple[float, float]:
    low, high = (float(end * F(2) ** x[2]) for end in x[:2])
    return low, high


def truth(noise: Any, p: Any, q: Any, steps: Any, epsilon: Fraction) -> float:
    value = jc.problem(p, q, str(epsilon), "1/2", noise, **({"post": [*steps]} if steps else {}))
    return ct.divergence(value, "default", "a", "b")


@pytest.mark.parametrize(("noise", "steps"), CASES, ids=str)
@pytest.mark.parametrize(("p", "q"), [(cb.point(0), cb.point(1)), (HALF, cb.point(2))],
                         ids=["points", "atoms"])  # fmt: skip
def test_divergences_and_cells(noise: Any, steps: Any, p: Any, q: Any) -> None:
    found = of(noise, p, q, steps)
    assert not found.at_cuts
    last = 1.0
    for epsilon in (F(-2), F(-1, 2), F(0), F(1, 10), F(1, 2), F(1), F(5, 2)):
        above = ends(found.above(constant(epsilon), None))[1]
        exact = truth(noise, p, q, steps, epsilon)
        assert exact - 1e-12 <= above <= exact + 2e-4
        assert above <= last + 1e-12
        last = above
    cuts = []
    if found.on_line:
        cuts = [F(k) for k in range(-1, 3)] if steps else [F(k) for k in range(-3, 6)]
    rows = [[ends(x) for x in found.cells(cuts, law)] for law in (found.goal.P, found.goal.Q)]
    for row in rows:
        assert sum(low for low, _ in row) <= 1 + 1e-15
        assert sum(high for _, high in row) >= 1 - 1e-12
        assert all(high - low < 1e-15 for low, high in row)
    below = sum(max(0.0, a[0] - b[1]) for a, b in zip(*rows, strict=True))
    exact = truth(noise, p, q, steps, F(0))
    assert below <= exact + 2e-4
    assert below >= exact - (0.1 if found.on_line else 2e-4)
    assert found.facts or steps


def test_cells_of_a_line_are_up_to_their_cuts() -> None:
    """On a lattice with the point itself."""
    found = of(LATTICE, cb.point(0), cb.point(1))
    rate = 0.6065306597126334
    middle = (1 - rate) / (1 + rate)
    cells = [ends(x)[0] for x in found.cells([F(0)], found.goal.P)]
    assert cells == pytest.approx([(1 + middle) / 2, (1 - middle) / 2], abs=1e-12)
    with pytest.raises(Rejected, match="the cut \"1/2\" is not a point of the lattice"):
        found.cells([F(1, 2)], found.goal.P)
    line = of(LAPLACE, cb.point(0), cb.point(1))
    assert (found.facts, line.facts) == ({"F45e"}, set())
    cells = [ends(x)[0] for x in line.cells([F(0), F(1)], line.goal.P)]
    assert line.facts == {"F45"}
    for one, fact in ((found, "F4L"), (line, "F4")):
        one.facts.clear()
        one.above(constant(F(1)), None)
        assert one.facts == {fact}
    assert cells == pytest.approx([0.5, 0.5 - rate / 2, rate / 2], abs=1e-12)
    clamped = of(LAPLACE, cb.point(0), cb.point(1), CLAMP)
    assert len(clamped.cells([F(-1), F(0), F(2)], clamped.goal.P)) == 4
    for cut in ("-2", "3"):
        with pytest.raises(Rejected, match="cuts an output"):
            clamped.cells([F(cut)], clamped.goal.P)
    assert len(clamped.cells([], clamped.goal.P)) == 3


def test_laws_of_other_outputs() -> None:
    for noise in (LAPLACE, GAUSS, TABLE):
        first = of(noise, cb.point(0), cb.point(1), BINS)
        other = of(noise, cb.point(0), cb.point(1), [{"bins": {"edges": ["1/2", 5]}}])
        with pytest.raises(Rejected, match="laws of different outputs"):
            first.cells([], other.goal.P)
    every = of(GAUSS, HALF, cb.point(1))  # P has all atoms
    assert len(every.cells([], every.goal.P)) == len(every.cells([], every.goal.Q))
    gauss, far = of(GAUSS, cb.point(0), cb.point(1)), of(GAUSS, cb.point(2), cb.point(3))
    with pytest.raises(Rejected, match="laws of different outputs"):
        gauss.cells([], far.goal.P)
    table, far = of(TABLE, cb.point(0), cb.point(1)), of(TABLE, cb.point(2), cb.point(3))
    with pytest.raises(Rejected, match="laws of different outputs"):
        table.cells([], far.goal.P)
    one = of(TABLE, cb.point(0), cb.point(1))
    other = of(TABLE, cb.point(0), cb.point(0))
    assert [ends(x)[0] for x in one.cells([], other.goal.P)] == [0.25, 0.5, 0.25, 0.0]


# ---------------------------------------------------------------- normal densities


@pytest.mark.parametrize("way", [1, -1])
def test_normal_densities_at_their_cuts(way: int) -> None:
    """Of points 0 and way: the loss 1/2 - way y."""
    found = of(NORMAL, cb.point(0), cb.point(way))
    assert found.at_cuts
    assert found.on_line
    for level in (F(-1), F(0), F(1, 2), F(3)):
        cut = way * (F(1, 2) - level)
        safe = cut + way * F(1, 10**12)
        above = ends(found.above(constant(level), safe))[1]
        exact = ct.of_normals(1.0, float(level)) if level > 0 else None
        if exact is not None:
            assert exact - 1e-12 <= above <= exact + 1e-10
        with pytest.raises(Rejected, match="not proved to be at most its level"):
            found.above(constant(level), cut - way * F(1, 10**12))
    with pytest.raises(Rejected, match="at least a level without a cut"):
        found.above(constant(F(0)), None)
    cells = [ends(x) for x in found.cells([F(-1), F(0), F(2)], found.goal.P)]
    table = [0.15865525393145707, 0.3413447460685429, 0.47724986805182085, 0.022750131948179195]
    assert [low for low, _ in cells] == pytest.approx(table)
    assert all(high - low < 1e-30 for low, high in cells)
    other = [ends(x)[0] for x in found.cells([F(way), F(way) + 1], found.goal.Q)]
    assert other == pytest.approx([0.5, 0.3413447460685429, 0.15865525393145707])


@pytest.mark.parametrize(
    ("p", "q"),
    [
        (HALF, cb.point(2)), (cb.atoms({0: "9/10", 1: "1/10"}), cb.point(0)),
        (cb.point(0), cb.atoms({0: "9/10", 1: "1/10"})),
        (cb.atoms({0: "1/2", 1: "1/4", 2: "1/4"}), cb.atoms({0: "1/4", 1: "1/4", 2: "1/2"})),
        (cb.atoms({0: "1/4", 1: "1/4", 2: "1/2"}), THIRDS), (HALF, HALF),
    ],
)  # fmt: skip
def test_mixtures_with_a_monotone_ratio(p: Any, q: Any) -> None:
    """At a cut the bound is the divergence at the ratio there: none is below it by enumeration."""
    found = of(NORMAL, p, q)
    masses = [{float(F(x)): float(F(m)) for x, m in law["mass"].items()} for law in (p, q)]

    def density(law: dict[float, float], y: float) -> float:
        return float(sum(m * exp(-((y - x) ** 2) / 2) for x, m in law.items()))

    for y in (-2.0, -0.5, 0.0, 0.3, 1.0, 2.5):
        loss = log(density(masses[0], y) / density(masses[1], y))
        level = F(loss).limit_denominator(10**9) + F(1, 10**8)
        above = ends(found.above(constant(level), F(y)))[1]
        exact = truth(NORMAL, p, q, (), level)
        assert exact - 1e-6 <= above <= exact + 2e-4


@pytest.mark.parametrize(
    ("p", "q", "noise"),
    [
        (cb.atoms({0: "1/2", 2: "1/2"}), cb.point(1), NORMAL),
        (cb.atoms({0: "1/4", 1: "1/2", 2: "1/4"}), THIRDS, NORMAL),
        (normal(0), cb.point(1), NORMAL),
        (normal(0), normal(1), LAPLACE),
    ],
)  # fmt: skip
def test_ratios_that_are_not_known_to_be_monotone(p: Any, q: Any, noise: Any) -> None:
    found = of(noise, p, q)
    with pytest.raises(Rejected, match="composition needs a monotone ratio"):
        found.above(constant(F(0)), F(0))
    with pytest.raises(Rejected, match="composition needs a monotone ratio"):
        found.above(constant(F(-9)), None)
    for law in (found.goal.P, found.goal.Q):  # from below any do
        cells = [ends(x) for x in found.cells([F(-1), F(0), F(2)], law)]
        assert sum(low for low, _ in cells) == pytest.approx(1)
        assert all(high - low < 1e-30 for low, high in cells)


def test_a_level_below_all_losses() -> None:
    """Of {0: 9/10, 1: 1/10} against 0 the loss falls to log(9/10), and no further."""
    p, q = cb.atoms({0: "9/10", 1: "1/10"}), cb.point(0)
    found = of(NORMAL, p, q)
    assert ends(found.above(constant(F(-2, 10)), None))[1] == pytest.approx(1 - exp(-0.2), abs=1e-9)
    for level in (F(-1, 10), F(0)):  # log(9/10) = -0.105...
        with pytest.raises(Rejected, match="at least a level without a cut"):
            found.above(constant(level), None)
    turned = of(NORMAL, q, p)  # the loss rises to the left, to log(10/9), and falls without end
    with pytest.raises(Rejected, match="at least a level without a cut"):
        turned.above(constant(F(-100)), None)


def test_normal_priors_of_one_variance() -> None:
    found = of({"kind": "gaussian", "variance": 3}, normal(0), normal(1))  # 4 together
    above = ends(found.above(constant(F(1, 8)), F(1, 10**12)))[1]
    assert above == pytest.approx(ct.of_normals(0.5, 0.125), abs=1e-9)


def test_steps_behind_normal_densities_compose_from_below_alone() -> None:
    found = of(NORMAL, cb.point(0), cb.point(1), BINS)
    with pytest.raises(Rejected, match="composition needs a monotone ratio"):
        found.above(constant(F(0)), F(0))
    cells = [ends(x)[0] for x in found.cells([F(-10), F(1), F(10)], found.goal.P)]
    assert sum(cells) == pytest.approx(1, abs=1e-9)
    assert len([x for x in cells if x]) == 3


@pytest.mark.parametrize("level", [F(-1), F(0)])
def test_normal_laws_of_two_variances_have_no_level_below_all_losses(level: F) -> None:
    """Their means are one, and the ratio of their densities falls to 0."""
    found = of({"kind": "gaussian", "variance": 3}, normal(0), cb.point(0))
    with pytest.raises(Rejected, match="composition needs a monotone ratio"):
        found.above(constant(level), None)


def test_what_has_no_profile() -> None:
    value = jc.problem(jc.SAME, jc.OTHER, 1, "1/2", {"kind": "laplace", "scale": 1})
    with pytest.raises(Rejected, match="no rule composes what is released here"):
        profile_of(goal_of(value), AR)


# ---------------------------------------------------------------- discrete gaussian noise


def test_what_is_beyond_the_window_counts() -> None:
    """From above all mass does: at an E beyond all losses of the window what is left is it."""
    found: Any = of(GAUSS, cb.point(0), cb.point(1))
    far = found.above(constant(F(1000)), None)
    assert far[1] > 0
    assert far[1] * F(2) ** far[2] < F(1, 2**100)


@pytest.mark.parametrize(("p", "q"), [(0, 1), (1, 0), (0, 0)])
def test_a_narrow_window_loses_nothing(p: int, q: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies beyond it on either side is bounded, and counts as never Q's."""
    monkeypatch.setattr(Lattice, "reach", lambda *_: 5)
    found = of(GAUSS, cb.point(p), cb.point(q))
    for epsilon in (F(0), F(1, 2), F(1), F(3, 2), F(5)):
        above = ends(found.above(constant(epsilon), None))[1]
        exact = truth(GAUSS, cb.point(p), cb.point(q), (), epsilon)
        assert exact <= above
        assert above <= exact + 0.02
    # the mass beyond 5, of one side or of both, and of the points between them
    weights = {k: exp(-k * k / 8) for k in range(-60, 61)}
    beyond = sum(w for k, w in weights.items() if k > 5 or k < -5) / sum(weights.values())
    ends_of = 0.75 * beyond if p == q else 0.5 * beyond
    assert ends(found.above(constant(F(5)), None))[1] >= ends_of

"""The best coupling's scale: between the minimum and relaxed, with proofs that the kernel takes."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from support import oracles, problems
from support.oracles import ctx
from support.problems import limited

from pfverify import Discrete, InputError, calibrate
from pfverify.certificate.build import write_scales
from pfverify.certificate.checking import check
from pfverify.edge.packaged import example_path, load_example
from pfverify.exact.decimals import decimal_text
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.scales.coupling import programme as module
from pfverify.scales.coupling.best import CouplingScale, columns_scale, coupling_lp, rows_scale
from pfverify.scales.relaxed import RelaxedPair
from pfverify.transport.line import monotone_plan

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "kernel"))

import kernel_builder as kb

Table = dict[Any, Any]
SIDES = {"columns": columns_scale, "rows": rows_scale}
EPSILONS = ("1/100", "1/2", "1", "3", "log(3)", "10")


def number(epsilon: Any) -> Number:
    return Number.parse(str(epsilon))


def growth(epsilon: Any) -> Any:
    return ctx.exp(ctx.mpf(kb.mpmath.nstr(kb.real(epsilon), 55)))


def lines(found: CouplingScale, scale: Fraction) -> dict[Fraction, Any]:
    """Sum of plan e**(d/scale) over each column or row, by mpmath."""
    out: dict[Fraction, Any] = {}
    for (x, z), mass in found.plan.items():
        key = z if found.side == "columns" else x
        out[key] = out.get(key, 0) + oracles.real(mass) * ctx.exp(oracles.real(abs(x - z) / scale))
    return out


def is_coupling(found: CouplingScale, p: Discrete, q: Discrete) -> None:
    assert all(mass > 0 for mass in found.plan.values())
    for axis, prior in ((0, p), (1, q)):
        sums: dict[Fraction, Fraction] = {}
        for key, mass in found.plan.items():
            sums[key[axis]] = sums.get(key[axis], Fraction(0)) + mass
        assert sums == prior.mass


def accepted(found: CouplingScale, p: Discrete, q: Discrete, epsilon: str) -> None:
    """The kernel takes the plan at `upper` and the multipliers at `lower`, and nothing else."""
    tables = [{str(a): str(m) for a, m in prior.mass.items()} for prior in (p, q)]
    tables = [t if len(t) > 1 else dict.fromkeys(t, 1) for t in tables]
    problem = kb.problem(*tables, epsilon)

    def word(rule: str, scale: Fraction, **keys: Any) -> str:
        step = kb.step(rule, bits=256, side=found.side, scale=decimal_text(scale, 60), **keys)
        return kb.run(problem, kb.certificate(problem, "coupling", [step]))[0]

    edges = [[str(x), str(z), str(mass)] for (x, z), mass in sorted(found.plan.items())]
    target = (q if found.side == "columns" else p).mass
    limit = growth(epsilon)
    sums = lines(found, found.upper)
    slack = [1 - total / (limit * oracles.real(target[k])) for k, total in sums.items()]
    tie = min(slack) < ctx.mpf(10) ** -40  # equality: no enclosure shows it
    upper = found.upper * (1 + Fraction(1, 10**12)) if tie else found.upper
    assert word("lines-fit", upper, edges=edges) == "coupling"
    assert found.multipliers is not None
    names = zip("uvw", found.multipliers, strict=True)
    keys = {name: [str(value) for value in values] for name, values in names}
    assert word("lines-do-not-fit", found.lower, **keys) == "coupling"
    assert word("lines-fit", found.lower, edges=edges) == "rejected"
    assert word("lines-do-not-fit", found.upper, **keys) == "rejected"


def width(found: CouplingScale) -> float:
    return float((found.upper - found.lower) / found.upper)


@pytest.mark.parametrize("rounds", [2, pytest.param(6, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", oracles.KINDS)
def test_order_of_scales_plans_and_multipliers(kind: str, rounds: int) -> None:
    """theta_min <= theta_LP <= relaxed, and both ends of every bracket are proved."""
    rng = Random(f"lp {kind}")
    for _ in range(rounds):
        p, q = (Discrete(t) for t in oracles.random_pair(rng, kind, 8))
        epsilon = rng.choice(EPSILONS)
        with limited():
            result = calibrate(problems.problem(p, q, 1, epsilon))
        methods = {name: Fraction(m.scale) for name, m in result.methods.items()}
        assert methods["minimum"] <= methods["coupling_lp"] <= methods["relaxed"]
        assert methods["relaxed"] <= methods["wasserstein"] <= methods["l1"]
        assert result.methods["coupling_lp"].verdict.value == "certified"
        assert result.methods["coupling_lp"].exact is None
        brackets = [find(p, q, number(epsilon)) for find in SIDES.values()]
        for found in brackets:
            is_coupling(found, p, q)
            assert width(found) < 1e-9, (p, q, epsilon)
            limit = growth(epsilon)
            target = (q if found.side == "columns" else p).mass
            for point, total in lines(found, found.upper).items():
                assert total <= limit * oracles.real(target[point]) * (1 + ctx.mpf(10) ** -40)
            assert found.upper <= methods[f"relaxed_{found.side}"]
            accepted(found, p, q, epsilon)
        assert min(found.upper for found in brackets) == methods["coupling_lp"]
        assert coupling_lp(p, q, number(epsilon)).upper == methods["coupling_lp"]


def test_the_best_coupling_is_often_strictly_better() -> None:
    """Same atoms, unlike masses: moving mass in several columns at once pays."""
    rng = Random("strict")
    better: Counter[str] = Counter()
    for _ in range(15):
        p, q = (
            Discrete(dict(enumerate(oracles.random_masses(rng, rng.randint(3, 6)))))
            for _ in range(2)
        )
        with limited():
            result = calibrate(problems.problem(p, q, 1, rng.choice(("1/4", "1/2", "1"))))
        scales = {name: Fraction(m.scale) for name, m in result.methods.items()}
        assert scales["minimum"] <= scales["coupling_lp"] <= scales["relaxed"]
        better["relaxed"] += scales["coupling_lp"] < scales["relaxed"]
        better["minimum"] += scales["minimum"] < scales["coupling_lp"]
        better["by a tenth"] += scales["coupling_lp"] < scales["relaxed"] * Fraction(9, 10)
    assert better["relaxed"] >= 4
    assert better["by a tenth"] >= 1
    assert better["minimum"] >= 10


def two_by_two(p: Table, q: Table, epsilon: Any) -> Any:
    """The columns' scale of 2 x 2 priors: at each scale the one free mass has an interval."""
    (x, a), (y, _) = p.items()
    (z, c), (t, d) = q.items()
    limit = growth(epsilon)

    def fits(scale: Any) -> bool:
        cost = {
            (i, j): ctx.exp(oracles.real(abs(i - j)) / scale) for i in (x, y) for j in (z, t)
        }
        # m = pi(x, z): column z holds m and c - m, column t holds a - m and d - a + m
        low, high = oracles.real(max(Fraction(0), a - d)), oracles.real(min(a, c))
        for slope, rest in (
            (cost[x, z] - cost[y, z], (limit - cost[y, z]) * oracles.real(c)),
            (
                cost[y, t] - cost[x, t],
                limit * oracles.real(d) - cost[x, t] * oracles.real(a)
                - cost[y, t] * oracles.real(d - a),
            ),
        ):  # fmt: skip
            if slope > 0:
                high = min(high, rest / slope)
            elif slope < 0:
                low = max(low, rest / slope)
            elif rest < 0:
                return False
        return bool(low <= high)

    low, high = ctx.mpf(10) ** -6, ctx.mpf(10) ** 6
    for _ in range(120):
        middle = ctx.sqrt(low * high)
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


@pytest.mark.parametrize("rounds", [8, pytest.param(25, marks=pytest.mark.long)])
def test_two_by_two_against_the_one_free_mass(rounds: int) -> None:
    rng = Random("two by two")
    for _ in range(rounds):
        p, q = (
            dict(zip(oracles.random_atoms(rng, 2, "negative"), oracles.random_masses(rng, 2),
                     strict=True))
            for _ in range(2)
        )  # fmt: skip
        if p == q:
            continue
        epsilon = rng.choice(EPSILONS)
        first, second = Discrete(p), Discrete(q)
        for found, expected in (
            (columns_scale(first, second, number(epsilon)), two_by_two(p, q, epsilon)),
            (rows_scale(first, second, number(epsilon)), two_by_two(q, p, epsilon)),
        ):
            assert abs(oracles.real(found.upper) / expected - 1) < 1e-10
            assert abs(oracles.real(found.lower) / expected - 1) < 1e-10
            assert oracles.real(found.lower) < expected * (1 + ctx.mpf(10) ** -30)


def plain_value(p: Discrete, q: Discrete, epsilon: float, scale: float) -> float:
    """The least largest excess of a column, by a plain dense programme in the masses."""
    xs, zs = ([float(a) for a in prior.atoms] for prior in (p, q))
    cost = np.exp(np.abs(np.subtract.outer(xs, zs)) / scale) / np.exp(epsilon)
    n, m = cost.shape
    rows = np.kron(np.eye(n), np.ones(m))
    columns = np.kron(np.ones(n), np.eye(m))
    masses = [[float(v) for v in prior.mass.values()] for prior in (p, q)]
    bound = np.hstack([columns * cost.ravel(), -np.array(masses[1])[:, None]])
    equal = np.hstack([np.vstack([rows, columns]), np.zeros((n + m, 1))])
    found = linprog(
        [0.0] * (n * m) + [1.0],
        A_ub=bound,
        b_ub=np.zeros(m),
        A_eq=equal,
        b_eq=masses[0] + masses[1],
    )
    assert found.status == 0
    return float(found.fun)


def test_against_a_plain_programme() -> None:
    rng = Random("plain")
    for _ in range(15):
        p, q = (Discrete(t) for t in oracles.random_pair(rng, "lattice", 8))
        epsilon = rng.choice(("1/2", "1", "3"))
        for found, pair in (
            (columns_scale(p, q, number(epsilon)), (p, q)),
            (rows_scale(p, q, number(epsilon)), (q, p)),
        ):
            goal = float(Fraction(epsilon))
            assert plain_value(*pair, goal, float(found.upper) * (1 + 1e-5)) < 1
            assert plain_value(*pair, goal, float(found.lower) * (1 - 1e-5)) > 1


def test_rows_are_the_columns_of_the_swapped_pair() -> None:
    rng = Random("swap")
    for _ in range(10):
        p, q = (Discrete(t) for t in oracles.random_pair(rng, "rational", 6))
        columns, rows = columns_scale(q, p, number(1)), rows_scale(p, q, number(1))
        assert columns.upper == rows.upper
        assert columns.lower == rows.lower
        assert columns.multipliers == rows.multipliers


def test_scaling_translation_and_mirror() -> None:
    rng = Random("laws")
    for _ in range(4):
        p, q = (Discrete(t).mass for t in oracles.random_pair(rng, "lattice", 6))
        base = coupling_lp(Discrete(p), Discrete(q), number("1/2"))
        for factor, shift in ((1, Fraction(7, 3)), (1000, 0), (Fraction(1, 8), -5), (-1, 2)):
            moved = [{a * factor + shift: m for a, m in t.items()} for t in (p, q)]
            found = coupling_lp(*map(Discrete, moved), number("1/2"))
            assert abs(found.upper / abs(factor) / base.upper - 1) < Fraction(1, 10**9)
            assert width(found) < 1e-9


def test_monotone_in_epsilon() -> None:
    rng = Random("epsilon")
    for _ in range(6):
        p, q = (Discrete(t) for t in oracles.random_pair(rng, "negative", 6))
        found = [coupling_lp(p, q, number(e)).upper for e in ("1/4", "1", "4")]
        assert found == sorted(found, reverse=True)


CASES = {
    # example: (better side, LP scale, relaxed scale), at the file's own epsilon
    "census": ("columns", "0.935664900894", "1"),
    "bank": ("rows", "0.358050835862", "0.358050835862"),
    "student": ("rows", "0.476293749506", "0.476293749506"),
    "simulation-1": ("rows", "0.261673361618", "0.261673361618"),
    "simulation-2": ("columns", "1", "1"),
    "tie-bernoulli": ("columns", "0.671194938967", "0.671194938967"),
    "tie-delta": ("columns", "2", "2"),
    "tie-point-masses": ("columns", "2.73071767989", "2.73071767989"),
}


@pytest.mark.parametrize("name", CASES)
def test_packaged_examples(name: str, tmp_path: Path) -> None:
    problem = load_example(name)
    side, scale, relaxed = CASES[name]
    result = calibrate(problem)
    assert result.methods["coupling_lp"].scale == scale
    assert result.methods["relaxed"].scale == relaxed
    assert result.methods["coupling_lp"].verdict.value == "certified"
    item = next(problem.questions())
    found = coupling_lp(item.first_prior, item.second_prior, problem.epsilon)
    assert (found.side, found.upper) == (side, Fraction(scale))
    assert width(found) < 2e-11
    accepted(found, item.first_prior, item.second_prior, problem.epsilon.text)
    certificate = tmp_path / "scales.cert"
    write_scales(certificate, example_path(name), problem, result)
    word = check(example_path(name), certificate)
    assert (word.word, word.valid) == ("scales", True)
    assert f'scale {scale} (labelled "coupling_lp") certified' in word.message


def test_the_order_of_methods() -> None:
    methods = list(calibrate(load_example("student")).methods)
    assert methods.index("relaxed_published") < methods.index("coupling_lp")
    assert methods[-1] == "minimum"


@pytest.mark.parametrize("rounds", [8, pytest.param(25, marks=pytest.mark.long)])
def test_masses_over_many_decades(rounds: int) -> None:
    """Width promised "as a rule": counted, and every end still proved by the kernel."""
    rng = Random("decades")
    counts: Counter[bool] = Counter()
    for _ in range(rounds):
        p, q = (
            Discrete(
                counts={a: rng.choice([1, 5, 10**3, 10**6])
                        for a in rng.sample(range(12), rng.randint(1, 6))}
            )
            for _ in range(2)
        )  # fmt: skip
        if p == q:
            continue
        epsilon = rng.choice([*EPSILONS, "20"])
        for find in SIDES.values():
            found = find(p, q, number(epsilon))
            is_coupling(found, p, q)
            counts[width(found) < 1e-9] += 1
            if found.multipliers is not None:
                accepted(found, p, q, epsilon)
    assert counts[True] >= 1.6 * rounds
    assert counts[False] <= rounds / 6


@pytest.mark.parametrize("epsilon", ["1e-30", "1e-12", "200", "900"])
def test_epsilon_of_any_size(epsilon: str) -> None:
    p, q = Discrete({0: "1/2", 3: "1/2"}), Discrete({0: "1/3", 1: "1/3", 3: "1/3"})
    for find in SIDES.values():
        found = find(p, q, number(epsilon))
        is_coupling(found, p, q)
        assert width(found) < 1e-9
        accepted(found, p, q, epsilon)


def test_many_atoms_whose_long_edges_never_pay() -> None:
    """Multipliers that leave long edges violated by a little are mended where that is cheap."""
    p, q = (Discrete(counts=random_counts(44, seed)) for seed in (1, 2))
    assert all(width(find(p, q, number(1))) < 1e-9 for find in SIDES.values())
    assert width(coupling_lp(p, q, number(1))) < 1e-9


def random_counts(size: int, seed: int) -> dict[int, int]:
    rng = Random(seed)
    return {k: rng.randint(1, 1000) for k in range(size)}


def test_more_digits_than_floats_have() -> None:
    """The plan is the same, its scale is looked for in balls."""
    p, q = (Discrete(counts=random_counts(7, seed)) for seed in (3, 4))
    for find in SIDES.values():
        few, many = (find(p, q, number(1), grid=Grid(digits)) for digits in (12, 30))
        assert many.lower < many.upper <= few.upper < many.upper * (1 + Fraction(1, 10**11))
        at_most = growth(1)
        target = (q if many.side == "columns" else p).mass
        ratios = [v / oracles.real(target[k]) for k, v in lines(many, many.upper).items()]
        assert at_most * (1 - ctx.mpf(10) ** -28) < max(ratios) <= at_most


def test_far_clusters_and_huge_atoms() -> None:
    """Clusters of equal mass far away: edges between them never pay."""
    p = Discrete({0: "1/4", 1: "1/4", 10**6: "1/4", 10**6 + 1: "1/4"})
    q = Discrete({0: "1/5", 1: "3/10", 10**6: "3/10", 10**6 + 1: "1/5"})
    found = coupling_lp(p, q, number(1))
    assert found.upper < 1
    assert width(found) < 1e-9
    assert all(abs(x - z) <= 1 for x, z in found.plan)
    accepted(found, p, q, "1")
    for atom in ("1e400", "1e-400"):
        found = coupling_lp(Discrete({0: 1}), Discrete({atom: 1}), number(1))
        assert found.upper == Fraction(atom)


def test_masses_below_all_floats() -> None:
    """HiGHS says nonsense here, and Newton's slope is 0 in floats: no division by it."""
    sizes = "mmlsmlmllllmllmsmmlsllmlmllsllmmsssllsmmlmmllllmlllllsssslslssm"
    weights = [10 ** {"s": 0, "m": 25, "l": 320}[size] for size in sizes]
    p = Discrete(counts=dict(enumerate(weights)))
    q = Discrete(counts={k: w + (k % 7 == 0) for k, w in enumerate(weights)})
    found = coupling_lp(p, q, number("1/100"))
    is_coupling(found, p, q)
    assert found.upper <= relaxed_scale(p, q, "1/100")


@pytest.mark.parametrize("wide", [1000, 10**30])
def test_a_solver_that_lies_makes_no_wrong_bracket(
    wide: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What HiGHS says is a proposal: gone, 0, far too large or wrong by half, now and then."""
    honest, counts, rounds = module.Programme.solution, Counter[Any](), 20
    rng = Random(f"lies {wide}")

    def lies(programme: module.Programme, rate: float) -> module.Solution | None:
        found = honest(programme, rate)
        counts["solves"] += 1
        if found is None or rng.random() < 1 / 2:
            return found
        lie = rng.choice([None, -0.0, 1e-20, 1e300, 2 * found.value, found.value / 2])
        counts[None if lie is None else "value"] += 1
        return None if lie is None else replace(found, value=lie)

    monkeypatch.setattr(module.Programme, "solution", lies)
    for _ in range(rounds):
        size, epsilon = rng.choice([3, 5, 8]), rng.choice(["1/100", "1", "20"])
        p, q = (Discrete(counts={k: rng.randint(1, wide) for k in range(size)}) for _ in "pq")
        found, solves = coupling_lp(p, q, number(epsilon)), counts["solves"]
        is_coupling(found, p, q)
        assert found.upper <= relaxed_scale(p, q, epsilon)
        target = (q if found.side == "columns" else p).mass
        ratios = [v / oracles.real(target[k]) for k, v in lines(found, found.upper).items()]
        assert max(ratios) <= growth(epsilon) * (1 + ctx.mpf(10) ** -40)
        assert counts["solves"] - solves < 200
    assert counts[None] > rounds
    assert counts["value"] > 2 * rounds


def relaxed_scale(p: Discrete, q: Discrete, epsilon: str) -> Fraction:
    """A little more than the relaxed scale."""
    plan = RelaxedPair(monotone_plan(p, q), number(epsilon))
    return min(plan.columns.scale, plan.rows.scale) * (1 + Fraction(1, 10**11))


def test_equal_priors_and_no_scale() -> None:
    p, q = Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "1/3", 1: "2/3"})
    for epsilon in (0, 1):
        found = coupling_lp(p, p, number(epsilon))
        assert (found.lower, found.upper, found.multipliers) == (0, 0, None)
        is_coupling(found, p, p)
    with pytest.raises(InputError, match="epsilon is 0"):
        coupling_lp(p, q, number(0))
    result = calibrate(problems.problem(p, q, 1, 0))
    assert "epsilon is 0" in result.not_applicable["coupling_lp"]
    assert calibrate(problems.problem(p, p, 1, 0)).methods["coupling_lp"].scale == "0"


def test_too_many_atoms_are_not_applicable() -> None:
    p = Discrete(counts=dict.fromkeys(range(201), 1))
    q = Discrete(counts=dict.fromkeys(range(1, 201), 1))
    with pytest.raises(InputError, match="40200 variables, more than 10000"):
        coupling_lp(p, q, number(1))
    result = calibrate(problems.problem(p, q, 1, 1))
    assert "coupling_lp" not in result.methods
    assert "40200" in result.not_applicable["coupling_lp"]


def test_the_largest_pair_counts() -> None:
    rng = Random("several")
    tables = [oracles.random_pair(rng, "lattice", 5)[0] for _ in range(3)]
    from pfverify import Laplace, Problem

    priors = {name: Discrete(t) for name, t in zip("xyz", tables, strict=True)}
    asked = Problem(priors=priors, noise=Laplace(), epsilon=1)
    singles = [
        coupling_lp(i.first_prior, i.second_prior, asked.epsilon).upper
        for i in asked.questions()
    ]
    assert Fraction(calibrate(asked).methods["coupling_lp"].scale) == max(singles)


@pytest.mark.parametrize("status", ["all", "later"])
def test_a_solver_that_fails_leaves_the_monotone_plan(
    monkeypatch: pytest.MonkeyPatch, status: str
) -> None:
    """Whatever floats propose, what comes out is proved."""
    problem = load_example("census")
    item = next(problem.questions())
    solve, calls = module.Programme.solution, Counter[str]()

    def failing(self: Any, rate: float) -> Any:
        calls["solved"] += 1
        return None if status == "all" or calls["solved"] > 1 else solve(self, rate)

    monkeypatch.setattr(module.Programme, "solution", failing)
    found = columns_scale(item.first_prior, item.second_prior, problem.epsilon)
    is_coupling(found, item.first_prior, item.second_prior)
    assert (found.lower, found.multipliers) == (0, None)
    assert Fraction("0.9356") < found.upper <= 1
    assert found.upper == 1 or status == "later"


def test_a_solver_that_lies_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans and duals off by a percent: the plan is repaired, the multipliers are refused."""
    problem = load_example("census")
    item = next(problem.questions())
    solve, rng = module.Programme.solution, np.random.default_rng(5)

    def noisy(self: Any, rate: float) -> Any:
        found = solve(self, rate)
        if found is None:
            return None
        shape = found.row_shares.shape
        factor = 1 + 0.01 * rng.standard_normal(shape)
        return module.Solution(
            found.value, found.row_shares * factor, found.column_shares * factor,
            found.u * 1.01, found.v * 1.01, found.w,
        )  # fmt: skip

    monkeypatch.setattr(module.Programme, "solution", noisy)
    found = columns_scale(item.first_prior, item.second_prior, problem.epsilon)
    is_coupling(found, item.first_prior, item.second_prior)
    assert found.lower < Fraction("0.935664900894") <= found.upper <= 1
    for point, total in lines(found, found.upper).items():
        limit = ctx.exp(1) * oracles.real(item.second_prior.mass[point])
        assert total <= limit * (1 + ctx.mpf(10) ** -40)


@pytest.mark.parametrize("factor", [0.01, 1e6])
def test_a_solver_that_lies_about_the_sides_is_not_worse_than_relaxed(
    monkeypatch: pytest.MonkeyPatch, factor: float
) -> None:
    """Whichever side it makes look better, the monotone plan's better side is a bound."""
    rng, solve = Random("sides"), module.Programme.solution

    def lying(self: Any, rate: float) -> Any:
        found = solve(self, rate)
        return None if found is None else replace(found, value=found.value * factor)

    monkeypatch.setattr(module.Programme, "solution", lying)
    for _ in range(12):
        p, q = (Discrete(t) for t in oracles.random_pair(rng, "lattice", 6))
        assert coupling_lp(p, q, number(1)).upper <= relaxed_scale(p, q, "1")
        with limited():
            methods = calibrate(problems.problem(p, q, 1, 1)).methods
        assert Fraction(methods["coupling_lp"].scale) <= Fraction(methods["relaxed"].scale)

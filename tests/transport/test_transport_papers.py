"""The printed tables and figures of the papers, and where the code finds their misprints.

Sources: Ding, multi-user paper (Tables 2-6, Figures 1-3, 6, 7, Appendix A); noise-reduction
paper (Proposition 5.1, (22)); Kawamoto and Murakami (Figure 1, Definitions 5-7).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, product
from random import Random

import pytest
from line_forms import delta_star, mixed_difference_plan

from pfverify import Discrete
from pfverify.transport.flow import w_infinity
from pfverify.transport.lifting import lifting
from pfverify.transport.line import delta_star_printed, monotone_plan
from pfverify.transport.metric import AbsoluteDifference
from pfverify.transport.plan import plan_of_line, plan_of_masses
from pfverify.transport.validate import validate_plan


def law(*masses, start=1):
    return {start + k: Fraction(m) for k, m in enumerate(masses) if Fraction(m)}


# multi-user paper, Tables 2 and 3
USERS = [
    law("0.01", "0.04", "0.1", "0.2", "0.65"),
    law("0.7", "0.2", "0.05", "0.04", "0.01"),
    law("0.2", "0.2", "0.2", "0.2", "0.2"),
]
P4 = law("0.4", "0.1", "0", "0.1", "0.4")
Q4 = law("0", "0.05", "0.9", "0.05", "0")
# multi-user paper, Tables 4-6
P = law("0.2", "0.225", "0.5", "0.075", "0")
Q = law("0", "0.075", "0.5", "0.225", "0.2")
TABLE_5 = [
    ["0.2", "0.42", "0.925", "1", "1"],
    ["0", "0.075", "0.575", "0.925", "1"],
]
TABLE_6 = {
    (1, 2): "0.075", (1, 3): "0.125", (2, 3): "0.225", (3, 3): "0.15", (3, 4): "0.225",
    (3, 5): "0.125", (4, 5): "0.075",
}  # fmt: skip


def plus(*laws):
    total = {0: Fraction(1)}
    for one in laws:
        found = {}
        for (x, a), (y, b) in product(total.items(), one.items()):
            found[x + y] = found.get(x + y, Fraction(0)) + a * b
        total = found
    return total


@pytest.mark.parametrize(
    ("figure", "first", "second", "longest"),
    [
        (1, {5: Fraction(1)}, {3: Fraction(1)}, 2),
        (2, {5: Fraction(1)}, {0: Fraction(1)}, 5),
        (3, P4, {0: Fraction(1)}, 5),
        (6, P4, Q4, 2),
        (7, {0: Fraction("0.8"), 1: Fraction("0.2")}, {0: Fraction("0.1"), 1: Fraction("0.9")}, 1),
    ],
)
def test_figures_of_the_multi_user_paper(figure, first, second, longest):
    p, q = (Discrete(plus(*USERS, user)) for user in (first, second))
    plan = monotone_plan(p, q)
    assert plan.w_infinity() == longest
    assert max(delta_star(p, q).values()) == longest
    found = w_infinity(p, q, AbsoluteDifference())
    assert found.distance == longest
    assert found.hall.excess > 0
    report = validate_plan(found.plan, p, q, AbsoluteDifference(), within=longest)
    assert [report.holds(name) for name in ("marginals", "support", "monotone", "optimal")] == [
        True
    ] * 4
    if figure in (1, 2):  # a translation: every edge has that length
        assert {x - y for x, y, _ in plan.edges} == {longest}


def test_table_6_is_the_monotone_plan():
    plan = plan_of_line(monotone_plan(Discrete(P), Discrete(Q)))
    assert plan.masses() == {edge: Fraction(m) for edge, m in TABLE_6.items()}
    assert plan == plan_of_line(mixed_difference_plan(Discrete(P), Discrete(Q)))
    assert plan == plan_of_masses(TABLE_6)


def test_table_5_has_two_wrong_entries():
    """Ledger M43: F_i(2) = 0.425, printed 0.42; F_j(4) = 0.8, printed 0.925."""
    wrong = {}
    for side, (masses, printed) in enumerate(zip((P, Q), TABLE_5, strict=True)):
        exact = list(accumulate(masses.get(x, Fraction(0)) for x in range(1, 6)))
        for x, (found, said) in enumerate(zip(exact, printed, strict=True), 1):
            if found != Fraction(said):
                wrong[side, x] = (found, said)
    assert wrong == {(0, 2): (Fraction(17, 40), "0.42"), (1, 4): (Fraction(4, 5), "0.925")}


def test_delta_star_of_the_example_and_its_wrong_equality():
    """Ledger M44, M45: 2, 1, 2, 1, 0; the printed 'equal' for 2, 3, 4 needs the wrong Table 5."""
    p, q = Discrete(P), Discrete(Q)
    lattice = [Fraction(x) for x in range(1, 6)]
    printed = delta_star_printed(p, q, lattice, Fraction(1))
    assert list(printed.values()) == [2, 1, 2, 1, 0]
    assert delta_star(p, q) == {1: 2, 2: 1, 3: 2, 4: 1}
    steps = [
        [b - a for a, b in zip([Fraction(0), *row], row, strict=False)]
        for row in ([Fraction(v) for v in line] for line in TABLE_5)
    ]
    wrong = [Discrete({x: m for x, m in zip(lattice, row, strict=True) if m}) for row in steps]
    misprinted = delta_star_printed(*wrong, lattice, Fraction(1))
    assert len({misprinted[x] for x in lattice[1:4]}) == 1


def test_real_delta_makes_the_printed_form_too_small():
    """Ledger M25, M39: with every real Delta > 0 the infimum is below W-infinity."""
    one, zero = Discrete({1: 1}), Discrete({0: 1})
    grid = [Fraction(k, 7) for k in range(-7, 15)]
    printed = delta_star_printed(one, zero, [Fraction(0), Fraction(1)], None)
    assert max(printed.values()) == 0
    assert max(delta_star_printed(one, zero, grid, None).values()) == Fraction(6, 7)
    assert max(delta_star(one, zero).values()) == monotone_plan(one, zero).w_infinity() == 1
    # the paper's own Table 4 with its secrets swapped
    points = [Fraction(x) for x in range(1, 6)]
    assert max(delta_star_printed(Discrete(Q), Discrete(P), points, None).values()) == 1
    assert max(delta_star_printed(Discrete(Q), Discrete(P), points, Fraction(1)).values()) == 2
    assert max(delta_star(Discrete(Q), Discrete(P)).values()) == 2


def test_the_alphabet_alone_makes_the_printed_form_too_small():
    """Ledger M25: over the alphabet {0, 3} with integer Delta the supremum is 1, not 3."""
    alphabet, hull = [Fraction(0), Fraction(3)], [Fraction(x) for x in range(4)]
    for p, q in [
        (Discrete({3: 1}), Discrete({0: 1})),
        (Discrete({0: "1/4", 3: "3/4"}), Discrete({0: "3/4", 3: "1/4"})),
    ]:
        assert max(delta_star_printed(p, q, alphabet, Fraction(1)).values()) == 1
        assert max(delta_star_printed(p, q, hull, Fraction(1)).values()) == 3
        assert max(delta_star(p, q).values()) == 3


def test_printed_form_is_right_over_all_lattice_points():
    rng = Random(25)
    for _ in range(200):
        h = Fraction(rng.randint(1, 5), rng.randint(1, 4))
        pair = []
        for _ in range(2):
            atoms = rng.sample(range(-6, 7), rng.randint(1, 6))
            pair.append(Discrete(counts={k * h: rng.randint(1, 4) for k in atoms}))
        ends = [int(a / h) for prior in pair for a in (prior.atoms[0], prior.atoms[-1])]
        hull = [k * h for k in range(min(ends), max(ends) + 1)]
        exact = monotone_plan(*pair).w_infinity()
        assert max(delta_star_printed(*pair, hull, h).values()) == exact
        assert max(delta_star(*pair).values()) == exact


def test_printed_form_by_direct_search():
    """`delta_star_printed` is (25) word for word: the least multiple found by trying them."""
    rng = Random(3)
    for _ in range(40):
        p, q = (
            {Fraction(k): Fraction(1, 3) for k in rng.sample(range(-4, 5), 3)} for _ in range(2)
        )

        def below(table, x):
            return sum((m for a, m in table.items() if a <= x), Fraction(0))

        points = [Fraction(k, 2) for k in range(-10, 11)]
        for x, found in delta_star_printed(
            Discrete(p), Discrete(q), points, Fraction(1, 2)
        ).items():
            f, g = below(p, x), below(q, x)
            if f == g:
                assert found == 0
                continue
            sign = 1 if f > g else -1
            steps = (Fraction(k, 2) for k in range(1, 60))
            assert found == next(d for d in steps if sign * below(q, x + sign * d) >= sign * f)


def test_optimal_plans_of_w_1_differ_in_their_longest_edge():
    """Ledger M05: unif{0,1} to unif{1,2} has plans of cost 1 with longest edge 1 and 2."""
    p, q = Discrete(counts={0: 1, 1: 1}), Discrete(counts={1: 1, 2: 1})
    short = plan_of_masses({(0, 1): "1/2", (1, 2): "1/2"})
    long = plan_of_masses({(0, 2): "1/2", (1, 1): "1/2"})
    for plan, longest, monotone in ((short, 1, True), (long, 2, False)):
        report = validate_plan(plan, p, q, AbsoluteDifference())
        assert report.holds("marginals")
        assert report.holds("optimal")
        assert report.longest.distance == longest
        assert report.holds("monotone") is monotone
    assert plan_of_line(monotone_plan(p, q)) == short


def test_last_term_of_22_must_be_the_previous_one():
    """Noise-reduction paper (22), ledger N39: the printed last term repeats (x, x')."""
    p, q = Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "1/2", 1: "1/2"})
    f, g = ({-1: Fraction(0), 0: Fraction(1, 2), 1: Fraction(1)} for _ in range(2))

    def joint(x, y):
        return min(f[x], g[y])

    exact = plan_of_line(mixed_difference_plan(p, q)).masses()
    for x, y in product((0, 1), repeat=2):
        three = joint(x, y) - joint(x - 1, y) - joint(x, y - 1)
        assert three + joint(x - 1, y - 1) == exact.get((x, y), 0)
    assert joint(0, 0) - joint(-1, 0) - joint(0, -1) + joint(0, 0) == 1
    assert exact[0, 0] == Fraction(1, 2)


def printed_form(p, q, n):
    """Proposition 5.1 (2), as printed."""
    form = {(0, y): q.get(y, Fraction(0)) for y in range(n)}
    form |= {(x, n): p.get(x, Fraction(0)) for x in range(1, n + 1)}
    form[0, n] = p.get(0, Fraction(0)) + q.get(n, Fraction(0)) - 1
    return {edge: mass for edge, mass in form.items() if mass}


def test_proposition_5_1_of_the_noise_reduction_paper():
    """(1) holds iff pi(0, n) > 0, and then (2) is the plan (ledger N36, N37)."""
    rng = Random(51)
    seen = set()
    for _ in range(400):
        n = rng.randint(1, 5)
        pair = []
        for heavy in (0, n):
            weights = [rng.randint(0, 3) for _ in range(n + 1)]
            weights[heavy] += rng.randint(0, 12)
            weights[rng.randrange(n + 1)] += 1
            pair.append({x: Fraction(w, sum(weights)) for x, w in enumerate(weights) if w})
        p, q = pair
        plan = plan_of_line(monotone_plan(Discrete(p), Discrete(q))).masses()
        condition = p.get(0, 0) > 1 - q.get(n, 0)
        assert condition == (plan.get((0, n), 0) > 0)
        if condition:
            assert plan == printed_form(p, q, n)
        seen.add(condition)
    assert seen == {True, False}
    # noise-reduction paper, Table 2
    p = {0: Fraction("0.50001"), 2: Fraction("0.00001"), 3: Fraction("0.49998")}
    q = {0: Fraction("0.49996"), 1: Fraction("0.00001"), 3: Fraction("0.50003")}
    plan = plan_of_line(monotone_plan(Discrete(p), Discrete(q))).masses()
    assert plan == printed_form(p, q, 3)
    assert plan[0, 3] == Fraction("0.00004")


def test_proposition_5_1_form_fails_for_the_mirrored_worst_case():
    """Ledger N37: a worst case through (1, 0) makes the printed pi(0, 1) negative."""
    p, q = law("1/4", "3/4", start=0), law("3/4", "1/4", start=0)
    plan = plan_of_line(monotone_plan(Discrete(p), Discrete(q)))
    assert plan.masses()[1, 0] == Fraction(1, 2)
    assert printed_form(p, q, 1)[0, 1] == Fraction(-1, 2)


FIGURE_1 = {(1, 1): "0.2", (2, 1): "0.1", (2, 2): "0.2", (2, 3): "0.2", (3, 3): "0.3"}


def test_figure_1_of_the_distribution_privacy_paper():
    """Ledger D03-D05: a coupling, largest move 1 = W-infinity, and liftings of relations."""
    first, second = law("0.2", "0.5", "0.3"), law("0.3", "0.2", "0.5")
    gamma = plan_of_masses(FIGURE_1)
    report = validate_plan(gamma, first, second, AbsoluteDifference(), within=1)
    assert report.holds("marginals")
    assert report.holds("support")
    assert report.longest.distance == 1
    found = w_infinity(first, second, AbsoluteDifference())
    assert found.distance == 1
    assert found.hall.excess > 0
    points = range(1, 4)
    full = lifting(first, second, list(product(points, repeat=2)))
    assert validate_plan(full.coupling, first, second).holds("marginals")
    near = lifting(first, second, [(x, y) for x in points for y in points if abs(x - y) <= 1])
    assert near.coupling is not None
    same = lifting(first, second, [(x, x) for x in points])
    assert same.coupling is None
    assert same.hall.event == (2,)
    assert same.hall.excess == Fraction("0.3")

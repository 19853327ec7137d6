"""Families of priors: their extreme laws by an independent enumeration, and the pairs that decide.

The oracle states each region by inequalities (of a ball one for every event) and solves for every
choice of those that may be tight, in fractions; it knows nothing of corners or of orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from random import Random
from typing import Any

import pytest

from pfverify import Discrete, Enclosure, InputError, Laplace, Problem, Repeated, certify, loss
from pfverify.exact.binomial import interval
from pfverify.model.families import expanded as expansion
from pfverify.model.families.balls import TotalVariationBall, WInfinityBall
from pfverify.model.families.clipped import NoLawError, extreme_points
from pfverify.model.families.confidence import Confidence
from pfverify.model.families.expanded import expanded, of_noise
from pfverify.model.families.family import Members
from pfverify.model.families.intervals import MassIntervals
from pfverify.model.families.listed import AnyOf, Polytope
from pfverify.model.families.regions import Box, Law, Moved, OrderedRegion, TotalVariation
from pfverify.model.priors.prior import Prior

F = Fraction
Rows = list[tuple[Sequence[int], int]]
"""Coefficients of the masses, and what their sum is at most."""
Made = tuple[OrderedRegion, Rows]


# ---------------------------------------------------------------- the oracle


def solved(lines: Rows, size: int) -> list[Fraction] | None:
    """The only point on so many lines, None where there is none or many."""
    rows = [[F(x) for x in (*line, most)] for line, most in lines]
    for k in range(size):
        pivot = next((row for row in rows[k:] if row[k]), None)
        if pivot is None:
            return None
        rows.remove(pivot)
        rows.insert(k, [x / pivot[k] for x in pivot])
        for i, row in enumerate(rows):
            if i != k and row[k]:
                rows[i] = [x - row[k] * y for x, y in zip(row, rows[k], strict=True)]
    return [row[-1] for row in rows]


def vertices(rows: Rows, size: int, whole: int) -> set[tuple[Fraction, ...]]:
    """The vertices of the laws of this sum that meet the rows; masses are >= 0 by rows of these."""
    sides = [([-(i == k) for i in range(size)], 0) for k in range(size)]
    free = [([x - line[-1] for x in line[:-1]], most - line[-1] * whole)
            for line, most in [*rows, *sides]]  # fmt: skip
    free = [(line, most) for line, most in dict.fromkeys((tuple(x), m) for x, m in free)]
    found = set()
    for tight in combinations(free, size - 1):
        point = solved(list(tight), size - 1)
        if point is not None and all(
            sum(a * x for a, x in zip(line, point, strict=True)) <= most for line, most in free
        ):
            found.add((*point, whole - sum(point)))
    return found


def events(size: int) -> list[tuple[int, ...]]:
    return list(product((0, 1), repeat=size))


def box(source: Random, size: int) -> Made | None:
    low = [source.randint(0, 3) for _ in range(size)]
    high = [x + source.choice([0, 1, 2, 5]) for x in low]
    whole = source.randint(1, 12)
    if not sum(low) <= whole <= sum(high):
        return None
    lines = [[int(i == k) for i in range(size)] for k in range(size)]
    rows: Rows = [(line, most) for line, most in zip(lines, high, strict=True)]
    rows += [([-x for x in line], -least) for line, least in zip(lines, low, strict=True)]
    return Box(low, high, whole), rows


def centre_of(source: Random, size: int) -> Law:
    found = [source.choice([0, 1, 1, 2, 3, 5]) for _ in range(size)]
    found[source.randrange(size)] += 1
    return tuple(found)


def near(source: Random, size: int) -> Made | None:
    """Of every event the chance rises by at most the radius."""
    centre = centre_of(source, size)
    radius = source.randint(0, sum(centre))
    rows: Rows = [
        (event, sum(x for x, inside in zip(centre, event, strict=True) if inside) + radius)
        for event in events(size)
    ]
    return TotalVariation(centre, radius), rows


def moved(source: Random, size: int) -> Made | None:
    """Of every event the places that it reaches have as much as it had (Strassen)."""
    centre, places = centre_of(source, size), sorted(source.sample(range(7), size))
    radius = source.randint(0, 4)
    ways = [[j for j in range(size) if abs(places[j] - x) <= radius] for x in places]
    rows: Rows = []
    for event in events(size):
        reached = {j for k, inside in enumerate(event) if inside for j in ways[k]}
        had = sum(x for x, inside in zip(centre, event, strict=True) if inside)
        rows.append(([-(j in reached) for j in range(size)], -had))
    return Moved(centre, ways), rows


KINDS: dict[str, Callable[[Random, int], Made | None]] = {
    "box": box, "tv": near, "winf": moved,
}  # fmt: skip


def regions(kind: str, number: int, sizes: Sequence[int], seed: int) -> list[tuple[int, Made]]:
    source, found = Random(f"{kind} {seed}"), []
    while len(found) < number:
        size = source.choice(sizes)
        made = KINDS[kind](source, size)
        if made is not None:
            found.append((size, made))
    return found


# ---------------------------------------------------------------- regions


@pytest.mark.parametrize("kind", KINDS)
def test_corners_are_laws_of_the_region_and_all_its_vertices_are_among_them(kind: str) -> None:
    seen: Counter[int] = Counter()
    for size, (region, rows) in [*regions(kind, 800, [2, 3], 1), *regions(kind, 12, [4], 2)]:
        found = [*region.corners()]
        assert len(found) <= region.count
        assert {sum(law) for law in found} == {region.whole}
        assert min(map(min, found)) >= 0
        for line, most in rows:
            assert all(sum(a * x for a, x in zip(line, p, strict=True)) <= most for p in found)
        expected = vertices(rows, size, region.whole)
        assert expected <= {*found}
        seen[len(expected)] += 1
    assert {1, 2, 3, 4} <= seen.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_the_fullest_law_has_the_largest_sum_for_every_order_and_ties(kind: str) -> None:
    source, ties = Random(5), 0
    for size, (region, rows) in regions(kind, 700, [2, 3], 3):
        laws = vertices(rows, size, region.whole)
        keys = [F(source.randint(-2, 2)) for _ in range(size)]
        ties += len({*keys}) < size
        law = region.fullest(keys)
        for values in (keys, [x**3 for x in keys], [F(2) ** int(x) for x in keys]):
            best = max(sum(a * x for a, x in zip(values, p, strict=True)) for p in laws)
            assert sum(a * x for a, x in zip(values, law, strict=True)) == best
        for line, most in rows:
            assert sum(a * x for a, x in zip(line, law, strict=True)) <= most
    assert 100 < ties < 600


def test_extreme_points_of_constraints_are_the_vertices() -> None:
    source, seen = Random(8), Counter[int]()
    for _ in range(1000):
        size = source.choice([2, 3, 3, 3, 4]) if source.random() < 0.1 else source.choice([2, 3])
        rows: Rows = []
        for _ in range(source.randint(0, 4)):
            line = [source.choice([-1, 0, 0, 1, 2]) for _ in range(size)]
            rows.append((line, source.randint(-1, 2)))
            if source.random() < 0.2:
                rows.append(([-x for x in line], -rows[-1][1]))
        expected = vertices(rows, size, 1)
        seen[len(expected)] += 1
        exact = [([F(x) for x in line], F(most)) for line, most in rows]
        if not expected:
            with pytest.raises(NoLawError) as caught:
                extreme_points(size, exact)
            last = caught.value.row
            assert not vertices(rows[: last + 1], size, 1)
            assert vertices(rows[:last], size, 1)
            continue
        whole, laws = extreme_points(size, exact)
        assert laws == sorted({*laws})
        assert {tuple(F(x, whole) for x in law) for law in laws} == expected
    assert min(seen[k] for k in range(5)) > 5


# ---------------------------------------------------------------- pairs that decide


def seen(law: Prior, places: range, base: Fraction) -> list[Fraction]:
    """The chance of every place under noise of mass base^distance, of base 0 none."""
    assert isinstance(law, Discrete)
    whole, masses = sum(law.weights), [*zip(law.atoms, law.weights, strict=True)]
    return [sum((w * base ** int(abs(x - a)) for a, w in masses), F(0)) / whole for x in places]


def largest(above: Sequence[list[Fraction]], below: Sequence[list[Fraction]]) -> Fraction | None:
    """The largest ratio of two of these at any place; None: infinite."""
    tops, bottoms = [*map(max, zip(*above, strict=True))], [*map(min, zip(*below, strict=True))]
    if any(top and not bottom for top, bottom in zip(tops, bottoms, strict=True)):
        return None
    return max(top / bottom for top, bottom in zip(tops, bottoms, strict=True) if top)


def more(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else max(one, other)


def test_pairs_by_place_have_the_worst_ratio_of_all_members(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No extreme law and no average has a larger ratio, at an atom or anywhere else."""
    monkeypatch.setattr(expansion, "FEW", 0)
    source, infinite, inner, line = Random(13), 0, 0, range(-1, 8)
    for number in range(300):
        size = source.choice([2, 3, 3, 4])
        places = tuple(F(x) for x in sorted(source.sample(range(7), size)))
        made: list[OrderedRegion] = []
        while len(made) < 2:
            found = KINDS[source.choice([*KINDS])](source, size)
            made += [] if found is None else [found[0]]
        members = [Members(places, region) for region in made]
        base = F(0) if number % 5 == 0 else F(1, source.choice([2, 3]))
        by_place = expanded({"": dict(zip("ab", members, strict=True))}, of_noise(places))
        assert by_place.ratio_only
        assert len(by_place.laws) == 2 * size
        found_there: Fraction | None = F(0)
        for pair in by_place.laws.values():
            p, q = ([seen(pair[s], line, base)] for s in "ab")
            found_there = more(found_there, more(largest(p, q), largest(q, p)))
        p, q = ([seen(law, line, base) for law in of.extreme()] for of in members)
        expected = more(largest(p, q), largest(q, p))
        assert found_there == expected
        infinite += expected is None
        p, q = ([seen(average(source, of.extreme()), line, base)] for of in members)
        between = more(largest(p, q), largest(q, p))
        assert expected is None or (between is not None and between <= expected)
        inner += between is not None and between != expected
    assert 15 < infinite < 150
    assert inner > 100


def average(source: Random, laws: Sequence[Prior]) -> Discrete:
    """A law between some of these."""
    mass: dict[Fraction, Fraction] = {}
    weights = [source.randint(0, 3) for _ in laws]
    weights[0] += 1
    for weight, law in zip(weights, laws, strict=True):
        assert isinstance(law, Discrete)
        for x, w in zip(law.atoms, law.weights, strict=True):
            mass[x] = mass.get(x, F(0)) + F(weight * w, sum(law.weights) * sum(weights))
    return Discrete(mass)


CENTRE, OTHER = {0: "1/2", 1: "1/4", 2: "1/4"}, Discrete({0: "1/3", 1: "1/3", 2: "1/3"})


def about(first: Prior, second: Prior = OTHER, **more: Any) -> Problem:
    return Problem(
        priors={"a": first, "b": second}, noise=more.pop("noise", Laplace(2)),
        epsilon=more.pop("epsilon", "1/2"), **more,
    )  # fmt: skip


@pytest.mark.parametrize("delta", ["0", "1/50"])
@pytest.mark.parametrize("family", [
    TotalVariationBall(CENTRE, 0), WInfinityBall(CENTRE, 0, alphabet=[0, 1, 2]),
    MassIntervals({str(x): [m, m] for x, m in CENTRE.items()}), AnyOf([CENTRE]),
    Polytope([0, 1, 2], [{"weights": {"0": 1}, "equal": "1/2"},
                               {"weights": {"1": 4}, "equal": 1}]),
], ids=lambda family: family.kind)  # fmt: skip
def test_a_family_of_one_law_is_that_law(family: Prior, delta: str) -> None:
    point, found = (about(prior, delta=delta) for prior in (Discrete(CENTRE), family))
    assert certify(found).verdict is certify(point).verdict
    assert loss(found).epsilon_star == loss(point).epsilon_star
    assert loss(found).delta == loss(point).delta


@pytest.mark.parametrize("ball", [TotalVariationBall, WInfinityBall])
@pytest.mark.parametrize("delta", ["0", "1/50"])
def test_a_larger_radius_has_no_smaller_loss(ball: type[Prior], delta: str) -> None:
    found = [
        loss(about(ball(CENTRE, radius, alphabet=[0, 1, 2]), delta=delta)).epsilon_star
        for radius in ("0", "1/10", "1/4", "1", "3/2", "2", "5")
    ]
    assert all(float(a.upper) <= float(b.upper) for a, b in pairwise(found))
    assert float(found[0].upper) < float(found[-1].upper)


def test_a_higher_level_has_no_smaller_loss_and_intervals_share_what_may_fail() -> None:
    counts = {0: 30, 1: 20, 2: 10}
    found = [
        loss(about(Confidence(counts, level))).epsilon_star
        for level in ("1/2", "9/10", "19/20", "999/1000")
    ]
    assert all(float(a.upper) < float(b.upper) for a, b in pairwise(found))
    for more, intervals in ((OTHER, 3), (Confidence(counts, "19/20"), 6),
                            (Confidence({0: 4, 1: 9}, "19/20", alphabet=[0, 1]), 4)):  # fmt: skip
        low, high = interval(60, 30, F(1, 20) / intervals, 10**9)
        laws = [law["a"] for law in about(Confidence(counts, "19/20"), more).beliefs.values()]
        found_there = [F(law.weights[0], sum(law.weights)) for law in laws]
        assert {min(found_there), max(found_there)} == {F(low, 10**9), F(high, 10**9)}
    with pytest.raises(InputError, match="expected one level for all"):
        about(Confidence(counts, "19/20"), Confidence(counts, "9/10"))


@pytest.mark.parametrize(("first", "more", "said"), [
    (AnyOf([CENTRE]), {"noise": Repeated(Laplace(1), count=2, draws="fresh")}, "fresh draws of a"),
    (AnyOf([CENTRE]), {"pre": [{"clamp": [0, 1]}]}, "steps before the noise beside families"),
    (AnyOf([CENTRE]), {"pairs": [("a", "c")]}, "'c' names no prior"),
    (TotalVariationBall(CENTRE, "1/9", alphabet=[0, 1]), {}, "alphabet: it lacks '2'"),
], ids=lambda x: str(x)[:30])  # fmt: skip
def test_what_is_not_worked_out_is_refused(first: Prior, more: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        about(first, **more)


FRESH = [{0: "9/200", 1: "1/200", 1000: "19/20"}, {0: "17/1600", 1: "323/1600", 1000: "63/80"}]


def test_fresh_draws_of_an_average_lose_more_than_those_of_any_extreme_law() -> None:
    """Why they are refused: what is proved of the extreme laws fails for a member."""
    noise = Repeated(Laplace(1), scales=["1/10", 50], draws="fresh")
    other = Discrete({0: "1/400", 1: "19/400", 1000: "19/20"})
    middle = {x: F(m) / 2 + F(FRESH[1][x]) / 2 for x, m in FRESH[0].items()}
    losses = [
        float(loss(about(Discrete(law), other, noise=noise, epsilon=3)).epsilon_star.upper)
        for law in (*FRESH, middle)
    ]
    assert losses[2] > max(losses[:2]) + 0.4


def anywhere(*atoms: str) -> dict[str, Any]:
    return {"kind": "intervals", "mass": {atom: [0, 1] for atom in atoms}}


def test_atoms_off_one_lattice_are_not_ordered_by_distance() -> None:
    """By distance alone every pair would be on one lattice: near atoms of the other are no help."""
    table: dict[str, Any] = {
        "schema": "pfverify/problem/1", "epsilon": 1,
        "noise": {"kind": "discrete-laplace", "scale": 1000, "step": 1},
        "priors": {
            "a": anywhere("50.5", "51.5", "52.5", "100", "101", "102"),
            "b": anywhere("0", "1", "2", "150.5", "151.5", "152.5"),
        },
    }  # fmt: skip
    with pytest.raises(InputError, match="all atoms of a pair on one lattice"):
        Problem.from_table(table)
    table["noise"]["step"] = "1/2"
    assert len(Problem.from_table(table).beliefs) == 24
    assert loss(Problem.from_table(table)).epsilon_star == Enclosure("0.102", "0.102")


def test_the_order_of_atoms_counts_for_equality_as_for_the_digest() -> None:
    one, other = (about(AnyOf([dict(law)])) for law in (CENTRE.items(), [*CENTRE.items()][::-1]))
    assert one != other
    assert one == about(AnyOf([{"0": "1/2", "1": "0.25", "2": "1/4"}]))

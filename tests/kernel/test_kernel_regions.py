"""The regions of families on few places: their extreme laws, and the fullest one of each order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, permutations, product
from random import Random
from typing import Any

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core.grammar import Malformed
from reader import coverage, families
from reader.families_stated import FAMILY_KINDS, Stated, laid_out, rows_of
from reader.regions import Box, Listed, Moved, Near, Region, extreme_laws

F = Fraction
LEVEL = F(1, 20)


def inside(region: Region, law: Sequence[int]) -> bool:
    """Whether a law is one of the region's, by its definition."""
    if isinstance(region, Box):
        return all(a <= m <= b for a, m, b in zip(region.low, law, region.high, strict=True))
    if isinstance(region, Near):
        away = sum(abs(m - c) for m, c in zip(law, region.centre, strict=True))
        return away <= 2 * region.radius
    raise NotImplementedError


def regions(rng: Random) -> Region:
    n = rng.randint(1, 4)
    if rng.random() < 0.5:
        low = [rng.randint(0, 2) for _ in range(n)]
        high = [a + rng.randint(0, 3) for a in low]
        return Box(low, high, rng.randint(sum(low), sum(high)))
    centre = tuple(rng.randint(0, 3) for _ in range(n))
    return Near(centre, rng.randint(0, 4), sum(centre))


def test_the_laws_of_boxes_and_of_balls() -> None:
    """All corners are inside; every law has at most what the fullest one has on the first places of
    an order, which some corner has; every law on the sum of a subset is between two corners."""
    for seed in range(250):
        region = regions(Random(seed))
        if region.whole == 0:
            continue
        corners = extreme_laws(region)
        n, whole = len(corners[0]), region.whole
        laws = [x for x in product(range(whole + 1), repeat=n) if sum(x) == whole
                and inside(region, x)]  # fmt: skip
        assert set(corners) <= set(laws)
        assert len(corners) <= region.size
        for order in permutations(range(n)):
            found = region.fullest(order)  # type: ignore[union-attr]
            assert found in corners
            for k, mass in enumerate(accumulate(found[i] for i in order), 1):
                assert mass == max(sum(x[i] for i in order[:k]) for x in laws)
        for weights in product((0, 1), repeat=n):
            most = max(sum(w * m for w, m in zip(weights, x, strict=True)) for x in laws)
            assert most == max(sum(w * m for w, m in zip(weights, x, strict=True)) for x in corners)


def test_the_laws_of_moves() -> None:
    for seed in range(150):
        rng = Random(seed)
        n = rng.randint(1, 4)
        ways = [sorted(rng.sample(range(n), rng.randint(1, n))) for _ in range(n)]
        centre = tuple(rng.choice([0, 1, 3]) for _ in range(n))
        region = Moved(centre, ways, sum(centre))
        made = []
        for chosen in product(*ways):
            law = [0] * n
            for k, m in zip(chosen, region.centre, strict=True):
                law[k] += m
            made.append(tuple(law))
        corners = [*region.corners()]
        assert set(corners) == set(made)
        assert len(corners) == region.size
        for order in permutations(range(n)):
            found = region.fullest(order)
            assert found in made
            for k, mass in enumerate(accumulate(found[i] for i in order), 1):
                assert mass == max(sum(x[i] for i in order[:k]) for x in made)


def test_listed_laws_are_a_box_if_there_is_one() -> None:
    _, one, _ = read({"kind": "any-of", "laws": [{"0": "1/3", "1": "2/3"}]}, [0, 1])
    assert one == Box((1, 2), (1, 2), 3)
    assert (one.fullest([0, 1]), one.size) == ((1, 2), 1)
    _, two, _ = read({"kind": "any-of", "laws": [{"0": "1/3", "1": "2/3"}, {"0": 1}]}, [0, 1])
    assert two == Listed([(1, 2), (3, 0)], 3)


def read(value: dict[str, Any], every: Sequence[Any] = (), share: Fraction = LEVEL) -> Any:
    """The region of a family with its places, and its laws as masses."""
    one = Stated(value, None, "it", False)
    places = laid_out(one, [F(x) for x in every])
    region = FAMILY_KINDS[one.kind].region(one, places, share)
    return places, region, [tuple(F(m, region.whole) for m in law) for law in extreme_laws(region)]


def test_intervals() -> None:
    value = {"kind": "intervals", "mass": {"0": ["1/4", "1/2"], "1": "1/4", "3": [0, 1]}}
    places, region, laws = read(value, [0, 1, 2, 3])
    assert places == [0, 1, 3]
    assert set(laws) == {(F(1, 4), F(1, 4), F(1, 2)), (F(1, 2), F(1, 4), F(1, 4))}
    assert region.size == 4
    one = {"kind": "intervals", "mass": {"0": 0, "1": 1}}
    assert read(one, [0, 1])[2] == [(0, 1)]
    for ends in (["1/2", "1/4"], ["-1/4", "1/4"], ["1/4", "5/4"], ["1/4"], ["1/4", "1/2", 1]):
        with pytest.raises(Malformed):
            read({"kind": "intervals", "mass": {"0": ends, "1": [0, 1]}}, [0, 1])
    for told in ({"0": ["1/4", "1/3"], "1": ["1/2", "3/5"]}, {"0": "3/4", "1": ["1/2", 1]}):
        with pytest.raises(Malformed):
            read({"kind": "intervals", "mass": told}, [0, 1])
    for told in ({"0": ["1/4", "1/3"], "1": ["1/2", "2/3"]}, {"0": "1/2", "1": ["1/2", 1]}):
        assert len(set(read({"kind": "intervals", "mass": told}, [0, 1])[2])) == 1


def test_confidence() -> None:
    """Of two places one chance is estimated; of one it is known; of more each is."""
    unit = coverage.UNIT
    two = {"kind": "confidence", "counts": {"0": 30, "1": 10}, "level": "0.95"}
    _, region, _ = read(two, [0, 1])
    low, high = coverage.interval(40, 10, LEVEL)
    assert region == Box([unit - high, low], [unit - low, high], unit)
    more = {**two, "counts": {"0": 30, "1": 10, "2": 0}}
    _, region, _ = read(more, [0, 1, 2])
    ends = [coverage.interval(40, k, LEVEL) for k in (30, 10, 0)]
    assert region == Box([low for low, _ in ends], [high for _, high in ends], unit)
    _, region, _ = read(two, [0, 1, 2])  # a place without records
    assert region == Box([low for low, _ in ends], [high for _, high in ends], unit)
    single = {"kind": "confidence", "counts": {"5": 3}, "level": "0.95"}
    assert read(single, [5])[1] == Box([unit], [unit], unit)


@pytest.mark.parametrize(("places", "intervals"), [(1, 0), (2, 1), (3, 3), (4, 4)])
def test_the_level_is_shared_by_all_intervals(places: int, intervals: int) -> None:
    def of(kind: str, count: int) -> tuple[Stated, list[Any]]:
        masses = {str(k): 1 for k in range(count)}
        known = {"intervals": {"mass": {x: [0, 1] for x in masses}},
                 "confidence": {"counts": masses, "level": "0.9"}}[kind]  # fmt: skip
        one = Stated({"kind": kind, **known}, None, "it", False)
        return one, laid_out(one, [F(k) for k in range(count)])

    share = families._share([of("confidence", places), of("intervals", 3), of("confidence", 3)])
    assert share == F(1, 10) / (intervals + 3)
    assert families._share([of("confidence", 1)]) == F(1, 10)
    assert families._share([of("intervals", 3)]) == 0


def test_balls() -> None:
    half = {"mass": {"0": "1/2", "3": "1/2"}}
    _, region, laws = read({"kind": "tv-ball", "radius": "1/4", **half}, [0, 1, 3])
    assert region == Near((2, 0, 2), 1, 4)
    assert (F(1, 4), F(1, 4), F(1, 2)) in laws
    for radius in (1, 2, "3/2"):  # all laws
        _, region, _ = read({"kind": "tv-ball", "radius": radius, **half}, [0, 1, 3])
        assert region == Near((1, 0, 1), 2, 2)
    near = {"kind": "winf-ball", "radius": 1, "alphabet": [0, 1, 2, 4], "mass": {"1": 1}}
    _, region, laws = read(near, [0, 1, 2, 4])
    assert set(laws) == {(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0)}
    assert read({**near, "radius": 0}, [0, 1, 2, 4])[2] == [(0, 1, 0, 0)]
    with pytest.raises(Malformed):
        read({**near, "radius": -1}, [0, 1, 2, 4])
    with pytest.raises(Malformed):
        read({**near, "alphabet": [0, 2]}, [0, 2])
    below = {**near, "alphabet": [-1, 0, 1], "mass": {"-1": 1}}
    assert set(read(below, [-1, 0, 1])[2]) == {(1, 0, 0), (0, 1, 0)}


def polytope(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "polytope", "alphabet": [0, 1, 2], "constraints": [*rows]}


def test_polytopes() -> None:
    mean = {"0": 0, "1": 1, "2": 2}
    for side, laws in (
        ("at-most", {(1, 0, 0), (F(1, 2), 0, F(1, 2)), (0, 1, 0)}),
        ("at-least", {(0, 0, 1), (F(1, 2), 0, F(1, 2)), (0, 1, 0)}),
        ("equal", {(F(1, 2), 0, F(1, 2)), (0, 1, 0)}),
    ):
        value = polytope({"weights": mean, side: 1})
        assert set(read(value, [0, 1, 2])[2]) == laws
        rows = rows_of(Stated(value, None, "it", False))
        assert rows == [["polytope", "0", "1", "2"], [side, "1", "0", "0", "1", "1", "2", "2"]]
    two = polytope({"weights": {"0": 1}, "at-most": "1/2"}, {"weights": {"2": -2}, "at-least": -1})
    assert set(read(two, [0, 1, 2])[2]) == {
        (F(1, 2), F(1, 2), 0), (F(1, 2), 0, F(1, 2)), (0, F(1, 2), F(1, 2)), (0, 1, 0)
    }  # fmt: skip
    for bad in ({"weights": mean}, {"weights": mean, "at-most": 1, "equal": 1},
                {"weights": [1], "equal": 1}, {"weights": {"7": 1}, "equal": 1}):  # fmt: skip
        with pytest.raises(Malformed):
            read(polytope(bad), [0, 1, 2])


def test_averages_of_laws() -> None:
    value = {
        "kind": "any-of",
        "laws": [{"0": "1/2", "1": "1/2"}, {"1": 1}, {"2": "1/3", "0": "2/3"}],
    }
    _, region, laws = read(value, [0, 1, 2])
    assert laws == [(F(1, 2), F(1, 2), 0), (0, 1, 0), (F(2, 3), 0, F(1, 3))]
    assert region.size == 3
    assert rows_of(Stated(value, None, "it", False)) == [
        ["any-of"], ["0", "1/2", "1", "1/2"], ["1", "1"], ["2", "1/3", "0", "2/3"]
    ]  # fmt: skip

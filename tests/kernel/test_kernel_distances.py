"""Distances of named inputs, and W-infinity of priors against its meaning for sets of inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any, TypeVar

import pytest
from core.grammar import MAX_BITS, Malformed, Number
from core.shapes import parse
from core.value import sign
from reader import distances
from reader.distances import Ground, Law

F = Fraction
NAMES = "abcde"
Value = TypeVar("Value")


def refusal(read: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(Malformed) as refused:
        read(*arguments)
    return str(refused.value)


# ---------------------------------------------------------------- W-infinity


def subsets(names: Sequence[str]) -> list[tuple[str, ...]]:
    return [found for n in range(len(names) + 1) for found in combinations(names, n)]


def reaches(p: Law, q: Law, near: Callable[[str, str], bool]) -> bool:
    """Whether no set of inputs has more mass under p than all that is near it has under q: by
    Strassen's theorem there is a coupling of near ones then."""
    return all(
        sum(p[a] for a in chosen) <= sum(m for b, m in q.items() if any(near(a, b) for a in chosen))
        for chosen in subsets([*p])
    )


def laws(rng: Random, most: int) -> Law:
    """Positive masses of some inputs, often with equal sums of different ones."""
    names = rng.sample(NAMES, rng.randint(1, most))
    counts = [rng.choice([1, 1, 2, 3]) for _ in names]
    return {x: F(n, sum(counts)) for x, n in zip(names, counts, strict=True)}


def within(ground: Ground, most: Fraction) -> Callable[[str, str], bool]:
    return lambda a, b: a == b or ground.key(a, b) <= most


def by_both(found: dict[tuple[str, str], Value]) -> Callable[[str, str], Value]:
    return lambda a, b: found[min(a, b), max(a, b)]


def test_w_infinity_is_the_least_level_at_which_every_set_reaches() -> None:
    rng = Random(1)
    for _ in range(250):
        p, q = laws(rng, 4), laws(rng, 4)
        far = {(a, b): F(rng.randint(0, 6), 2) for a in NAMES for b in NAMES}
        ground = Ground(by_both(far))
        levels = sorted({F(0)} | {ground.key(a, b) for a in p for b in q if a != b})
        expected = next(t for t in levels if reaches(p, q, within(ground, t)))
        found = distances.w_infinity(p, q, ground)
        if p == q:
            assert found == 0
        else:  # what moves at all has a level of its own, the least of which may be 0
            assert found == max(expected, min(ground.key(a, b) for a in p for b in q if a != b))


def test_w_infinity_of_places_is_a_root() -> None:
    """Half of the mass goes from a to b, at (3, 4), the rest to c, which is near, or nowhere."""
    ground = distances.euclidean({"a": (F(0), F(0)), "b": (F(3), F(4)), "c": (F(1), F(1))})
    half = F(1, 2)
    assert distances.w_infinity({"a": F(1)}, {"a": half, "b": half}, ground) == 5
    assert distances.w_infinity({"a": F(1)}, {"c": half, "b": half}, ground) == 5
    assert str(distances.canonical(distances.w_infinity({"a": F(1)}, {"c": F(1)}, ground))) == (
        "sqrt(2)"
    )
    assert distances.w_infinity({"a": F(1)}, {"a": F(1)}, ground) == 0


def test_flows_in_all_small_graphs() -> None:
    p, q = {"a": F(1, 2), "b": F(1, 3), "c": F(1, 6)}, {"d": F(1, 2), "e": F(1, 3), "f": F(1, 6)}
    for bits in product((False, True), repeat=9):
        allowed = {xy for xy, bit in zip(product(p, q), bits, strict=True) if bit}
        ways = {a: [b for b in q if (a, b) in allowed] for a in p}
        near = {(a, b): (a, b) in allowed for a, b in product(p, q)}
        assert distances.has_full_flow(p, q, ways) is reaches(p, q, by_both(near))


def test_the_path_of_a_flow_is_a_shortest_one_with_room() -> None:
    begin, end, a, b, c = distances.BEGIN, distances.END, *[("from", x) for x in "abc"]
    room = {begin: {a: 1, b: 1}, a: {c: 1}, b: {end: 0}, c: {end: 1}}
    assert distances._path(room) == [(begin, a), (a, c), (c, end)]
    assert distances._path({**room, b: {end: 2}}) == [(begin, b), (b, end)]
    assert distances._path({**room, a: {c: 0}}) == []
    assert distances._path({**room, begin: {a: 0, b: 0}}) == []


def test_w_infinity_of_numbers_is_that_of_inputs() -> None:
    rng = Random(2)
    for _ in range(200):
        places = dict(zip(NAMES, (F(n, 3) for n in rng.sample(range(-9, 9), 5)), strict=True))
        p, q = laws(rng, 5), laws(rng, 5)
        found = distances.on_numbers(
            {places[x]: m for x, m in p.items()}, {places[x]: m for x, m in q.items()}
        )
        assert found == distances.w_infinity(p, q, distances.of_numbers(places))


# ---------------------------------------------------------------- places and distances


def test_places_have_one_dimension() -> None:
    found = distances.points_of({"a": ["1", 2], "b": ["-1/2", "0.5"]}, "it")
    assert found == {"a": (F(1), F(2)), "b": (F(-1, 2), F(1, 2))}
    assert distances.canonical_points(found) == {"a": ["1", "2"], "b": ["-1/2", "1/2"]}
    assert distances.points_of({"a": [0]}, "it") == {"a": (F(0),)}
    for value in ({}, [], None, "a", [["a", 1]]):
        assert refusal(distances.points_of, value, "it") == "it must be a table of places"
    for value in ({"a": []}, {"a": [], "b": [1]}, {"a": [1], "b": []}, {"a": [1], "b": [1, 2]}):
        assert refusal(distances.points_of, value, "it") == (
            "it must have one dimension, at least 1"
        )
    assert refusal(distances.points_of, {"a": 1}, "it") == "it must be an array"
    assert refusal(distances.points_of, {"a": ["exp(1)"]}, "it") == ('it, "a" must be rational')


def test_distances_of_places() -> None:
    points = {"a": (F(1), F(-2)), "b": (F(-1, 2), F(5)), "c": (F(1), F(3))}
    straight, round_corners = distances.euclidean(points), distances.manhattan(points)
    for (x, p), (y, q) in product(points.items(), repeat=2):
        assert straight.key(x, y) == (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2
        assert round_corners.distance(x, y) == abs(p[0] - q[0]) + abs(p[1] - q[1])
    assert distances.canonical(straight.distance("a", "b")) == "sqrt(205/4)"
    assert straight.distance("a", "c") == 5
    numbers = distances.of_numbers({"a": F(1, 2), "b": F(-3)})
    assert numbers.distance("a", "b") == numbers.distance("b", "a") == F(7, 2)
    with pytest.raises(ValueError, match="zip"):
        distances.square((F(1),), (F(1), F(2)))
    with pytest.raises(ValueError, match="zip"):
        distances.manhattan({"a": (F(1),), "b": (F(1), F(2))}).key("a", "b")
    long = F(1, 2 ** (MAX_BITS // 2) + 1)
    for of in (distances.euclidean, distances.manhattan):
        far = of({"a": (long, F(0)), "b": (F(0), 1 / F(3 ** (MAX_BITS // 2 + 9)))})
        assert refusal(far.distance, "a", "b") == "a number has more than 4300 digits"


def test_roots_are_exact_or_of_few_digits() -> None:
    """All digits of the numerator and of the denominator together count."""
    assert distances.root(F(9, 4)) == F(3, 2)
    assert distances.root(F(0)) == 0
    most = 2 ** (MAX_BITS - 1) + 1  # no square, as it is between two next to each other
    half = 2 ** (MAX_BITS // 2 - 1) + 1
    for x in (F(2), F(2, 3), F(most), F(1, most), F(half, half - 2)):
        assert not isinstance(distances.root(x), F)
    for x in (F(most, 2), F(2, most), F(8 * half, half - 2), F(half, 8 * (half - 2))):
        assert refusal(distances.root, x) == "a number has more than 4300 digits"
    assert distances.root(F(half, half - 2) ** 2) == F(half, half - 2)  # where it is rational


def test_tables_of_pairs() -> None:
    known = {"a", "b", "c"}
    entries: list[Any] = [["a", "b", "0"], ["c", "a", "exp(1)"], ["b", "c", 3]]
    found = distances.table_of_pairs(entries, "it", known)
    assert [*found] == [("a", "b"), ("c", "a"), ("b", "c")]
    assert distances.canonical_table(found) == [
        ["a", "b", "0"], ["c", "a", "exp(1)"], ["b", "c", "3"]
    ]  # fmt: skip
    for x, y in found:
        assert distances.looked_up(found, "it", x, y) == distances.looked_up(found, "it", y, x)
    assert distances.looked_up({("a", "b"): 0, ("b", "a"): 1}, "it", "a", "b") == 0
    assert refusal(distances.looked_up, found, "it", "a", "a") == ('it lacks the pair "a", "a"')
    different = "it: {}, {} are not two different known names"
    for more, said in (
        (["a", "b"], "it: an entry must be [a, b, distance]"),
        (["a", "b", 1, 2], "it: an entry must be [a, b, distance]"),
        (("a", "b", 1), "it: an entry must be [a, b, distance]"),
        (["a", 1, 1], "it must be a string"),
        ([1, "a", 1], "it must be a string"),
        (["a", "a", 1], different.format('"a"', '"a"')),
        (["a", "d", 1], different.format('"a"', '"d"')),
        (["d", "a", 1], different.format('"d"', '"a"')),
        (["a", "b", 1], 'it: the pair "a", "b" occurs twice'),
        (["b", "a", 1], 'it: the pair "b", "a" occurs twice'),
    ):
        assert refusal(distances.table_of_pairs, [entries[0], more], "it", known) == said
    assert refusal(distances.table_of_pairs, [["a", "b", "-1e-9"]], "it", known) == (
        'it, "a", "b" must be at least 0'
    )
    assert refusal(distances.table_of_pairs, [["a", "b", "1-exp(1)"]], "it", known) == (
        'it, "a", "b" must be at least 0'
    )
    assert refusal(distances.table_of_pairs, [], "it", known) == "it has no entry"
    assert refusal(distances.table_of_pairs, {}, "it", known) == "it must be an array"


def test_distances_of_a_table_are_rational_for_w_infinity() -> None:
    table: dict[tuple[str, str], Number] = {("a", "b"): F(1, 2), ("b", "c"): F(2)}
    ground = distances.of_table(table, "it")
    assert ground.distance("b", "a") == F(1, 2)
    assert ground.distance("c", "b") == 2
    assert ground.distance("a", "a") == 0  # of which no table has an entry
    assert refusal(ground.distance, "a", "c") == 'it lacks the pair "a", "c"'
    assert sign(parse("sqrt(2)")) == 1
    table["a", "c"] = parse("sqrt(2)")
    assert refusal(distances.of_table, table, "it") == "it: a distance must be rational"

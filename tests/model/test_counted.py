"""Priors that are counts: what was counted, the region of it, and values that are merged."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Confidence, Discrete, InputError, Laplace, Problem
from pfverify.model.counted import counts_of, merged_values, region_of, with_counts
from pfverify.model.digest import problem_digest


def of_counts(*laws: dict[object, int]) -> Problem:
    priors = {f"s{k}": Discrete(counts=law) for k, law in enumerate(laws)}
    return Problem(priors, noise=Laplace(2), epsilon=1)


@pytest.mark.parametrize("many", [0, 600])
def test_a_prior_knows_the_records_that_it_was_counted_from(many: int) -> None:
    """By whole columns of many and one by one; without a part in the law."""
    table = {0: 4, 1: 0, 2: 6} | dict.fromkeys(range(3, many), 2)
    law = Discrete(counts=table)
    assert law.records == sum(table.values())
    assert law.empty == (1,)
    bare = Discrete({x: Fraction(n, sum(table.values())) for x, n in table.items()})
    assert bare == law
    assert (bare.records, bare.empty) == (None, (1,))
    columns = np.array([*table]), np.array([*table.values()])
    assert Discrete(counts=columns).records == law.records
    assert Discrete(counts=columns).empty == law.empty
    assert law.over(2).records is None


def test_the_region_is_what_prior_confidence_writes() -> None:
    rows = [("a", 0)] * 9 + [("a", 2)] * 8 + [("b", 0)] * 6 + [("b", "12.5")] * 12
    counted = Problem.from_records(rows, epsilon=1)
    asked = Problem.from_records(rows, epsilon=1, confidence="0.95")
    assert problem_digest(region_of(counted)) == problem_digest(asked)
    saved = Problem.from_table(counted.to_table())  # masses, and how many records there were
    assert saved.source.laws["default"]["a"].records is None  # type: ignore[attr-defined]
    assert problem_digest(region_of(saved)) == problem_digest(asked)
    assert with_counts(counted, counts_of(counted)) == counted


def test_a_value_that_was_counted_0_times_is_a_place_of_the_region() -> None:
    problem = of_counts({0: 40, 1: 60, 7: 0}, {0: 50, 1: 50})
    region = region_of(problem)
    family = region.source.stated_laws["default"]["s0"]  # type: ignore[attr-defined]
    assert family == Confidence({"0": 40, "1": 60, "7": 0}, "0.95")
    assert any(7 in law.mass for laws in region.beliefs.values() for law in laws.values())  # type: ignore[attr-defined]


def test_a_law_beside_counts_stays() -> None:
    priors = {"a": Discrete(counts={0: 4, 1: 6}), "b": Discrete({0: "1/2", 1: "1/2"})}
    region = region_of(Problem(priors, noise=Laplace(2), epsilon=1))
    stated = region.source.stated_laws["default"]  # type: ignore[attr-defined]
    assert isinstance(stated["a"], Confidence)
    assert stated["b"] == priors["b"]


tables = st.lists(
    st.dictionaries(st.integers(0, 12), st.integers(0, 30), min_size=1), min_size=1, max_size=3
)


def test_merged_values_have_enough_records_and_no_group_could_be_split() -> None:
    met: Counter[str] = Counter()

    @settings(max_examples=150, deadline=None, derandomize=True)
    @given(tables, st.integers(1, 25))
    def each(tables: list[dict[int, int]], least: int) -> None:
        known = [{Fraction(x): n for x, n in table.items()} for table in tables]
        if any(sum(table.values()) < least for table in known):
            with pytest.raises(InputError, match="fewer than"):
                merged_values(known, least)
            met["refused"] += 1
            return
        meant = merged_values(known, least)
        assert [*meant] == sorted({x for table in known for x in table})
        groups: dict[Fraction, list[Fraction]] = {}
        for x, point in meant.items():
            groups.setdefault(point, []).append(x)
        assert [x for group in groups.values() for x in group] == [*meant]  # neighbours

        def enough(values: list[Fraction]) -> bool:
            return all(sum(table.get(x, 0) for x in values) >= least for table in known)

        for point, group in groups.items():
            assert point in group
            assert enough(group)
            rows = {x: sum(table.get(x, 0) for table in known) for x in group}
            below = sum(n for x, n in rows.items() if x < point)
            above = sum(n for x, n in rows.items() if x > point)
            assert 2 * max(below, above) <= sum(rows.values())
            split = (k for k in range(1, len(group)) if enough(group[:k]) and enough(group[k:]))
            assert next(split, None) is None
            met["merged"] += len(group) > 1
        met["several"] += len(groups) > 1

    each()
    assert min(met[case] for case in ("refused", "merged", "several")) >= 5, met


def test_values_are_merged_by_looking_at_each_a_few_times() -> None:
    """Not at all of a group for each of them: 18,369 values took a minute."""

    class Seen(dict[Fraction, int]):
        looks = 0

        def get(self, key: Fraction, default: int = 0) -> int:  # type: ignore[override]
            Seen.looks += 1
            return super().get(key, default)

    rows = Seen({Fraction(x): 1 for x in range(300)})
    assert set(merged_values([rows], 300).values()) == {Fraction(149)}
    assert 300 <= Seen.looks <= 3 * 300

"""The published recipes for chains of records: known values, other ways to count, their limits."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import inf, log
from random import Random
from typing import Any

import numpy as np
import pytest
from support import chains

from pfverify import Chain, InputError, Laplace, Problem
from pfverify.exact.grid import Grid
from pfverify.scales.minimum import minimum_scale
from pfverify.scales.recipes import correlated
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.table import recipes_for


def binary(stay: str, length: int = 100, **more: Any) -> Chain:
    go = str(1 - Fraction(stay))
    rows = {"low": {"low": stay, "high": go}, "high": {"low": go, "high": stay}}
    return Chain(**{"states": {"low": 0, "high": 1}, "start": "stationary", "transition": rows,
                    "length": length, **more})  # fmt: skip


def asked(chain: Any, epsilon: str = "1") -> RecipeProblem:
    return RecipeProblem.of(Problem(chain=chain, noise=Laplace(), epsilon=epsilon), Grid(12))


KNOWN = [
    ("7/10", "chain_group", 100), ("7/10", "chain_quilt", 6.7236),
    ("7/10", "chain_quilt_approx", 15.5724), ("6/10", "chain_inferential", 3.8873),
    ("6/10", "chain_quilt", 3.5718), ("1/2", "chain_quilt", 1), ("1/2", "chain_inferential", 2),
]  # fmt: skip


@pytest.mark.parametrize(("stay", "name", "value"), KNOWN)
def test_the_known_values(stay: str, name: str, value: float) -> None:
    scale, _ = getattr(correlated, name)(asked(binary(stay)))
    assert abs(float(scale) - value) < 6e-5


@pytest.mark.parametrize(("stay", "least"), [("7/10", 2.25722797066), ("6/10", 1.46729298038)])
def test_the_known_minima(stay: str, least: float) -> None:
    problem = Problem(chain=binary(stay), noise=Laplace(), epsilon=1)
    upper = minimum_scale(problem, Grid(12)).upper
    assert upper is not None
    assert abs(float(upper) - least) < 1e-11


def test_closed_forms() -> None:
    _, exact = correlated.chain_quilt(asked(binary("7/10")))
    assert exact is not None
    assert exact.text == "(5/(1-log(17689/13689)))"


def by_enumeration(stated: dict[str, Any], epsilon: float) -> float:
    """MQMExact from the joint law of all records, quilt by quilt."""
    names, length = list(stated["states"]), stated["length"]
    joint: dict[tuple[str, ...], Fraction] = {}
    for path in product(names, repeat=length):
        mass = Fraction(stated["start"].get(path[0], 0))
        for k in range(length - 1):
            step = stated["transition"]
            rows = step[k] if isinstance(step, list) else step
            mass *= Fraction(rows[path[k]].get(path[k + 1], 0))
        if mass:
            joint[path] = mass
    worst = 0.0
    for i in range(length):
        best = length / epsilon
        for left, right in product([None, *range(i)], [None, *range(i + 1, length)]):
            at = [k for k in (left, right) if k is not None]
            laws: dict[str, dict[tuple[str, ...], Fraction]] = {}
            for path, mass in joint.items():
                law = laws.setdefault(path[i], {})
                key = tuple(path[k] for k in at)
                law[key] = law.get(key, Fraction(0)) + mass
            told = 0.0
            for p, q in product(laws.values(), repeat=2):
                for key, mass in p.items():
                    other = q.get(key, Fraction(0)) / sum(q.values())
                    told = max(told, log(mass / sum(p.values()) / other) if other else inf)
            nearby = (length if right is None else right) - (-1 if left is None else left) - 1
            if told < epsilon:
                best = min(best, nearby / (epsilon - told))
        worst = max(worst, best)
    return worst


def test_quilts_of_random_chains_by_enumeration() -> None:
    met: Counter[str] = Counter()
    for seed in range(400):
        draw = Random(seed)
        stated = chains.table(draw, hidden=False, longest=5)
        if stated["release"] in ("mean", "weighted") or "at" in stated:
            continue
        stated |= {"release": "count", "count": next(iter(stated["states"]))}
        chain = Chain.from_table(stated)
        try:
            scale, _ = correlated.chain_quilt(asked(chain, "2"))
        except InputError as error:
            assert "told apart" in str(error)  # noqa: PT017
            continue
        assert float(scale) == pytest.approx(by_enumeration(stated, 2.0), rel=1e-10), seed
        met["whole" if scale == Fraction(chain.length, 2) else "a quilt"] += 1
    assert met["a quilt"] >= 15, met
    assert met["whole"] >= 15, met


def test_several_chains_take_the_worse_influence() -> None:
    both = correlated.chain_quilt(asked({"a": binary("7/10"), "b": binary("6/10")}))
    assert both == correlated.chain_quilt(asked(binary("7/10")))
    # each alone is best with another quilt
    skew = {"low": {"low": "1/5", "high": "4/5"}, "high": {"low": "2/5", "high": "3/5"}}
    other = binary("1/2", transition=skew)
    alone = [correlated.chain_quilt(asked(one))[0] for one in (binary("6/10"), other)]
    assert correlated.chain_quilt(asked({"a": binary("6/10"), "b": other}))[0] >= max(alone)


def test_group_privacy_is_about_what_one_record_can_change() -> None:
    weighted = binary("7/10", 3, release="weighted", weights=["2", "-5", "1"])
    assert correlated.chain_group(asked(weighted))[0] == 15
    mean = binary("7/10", 10, release="mean")
    assert correlated.chain_group(asked(mean))[0] == 1


def test_the_bound_of_the_eigengap_is_one() -> None:
    # what a record tells of another is at most what the bound says
    rows = {"a": {"a": "1/2", "b": "1/2"}, "b": {"b": "1/4", "c": "3/4"}, "c": {"a": 1}}
    chain = Chain({"a": 0, "b": 1, "c": 2}, "stationary", rows, 40)
    problem = asked(chain)
    assert correlated.chain_quilt(problem)[0] <= correlated.chain_quilt_approx(problem)[0]
    for stay in ("7/10", "9/10", "2/10"):
        one = asked(binary(stay))
        assert correlated.chain_quilt(one)[0] <= correlated.chain_quilt_approx(one)[0]


def test_influences_of_neighbours_by_a_dense_matrix() -> None:
    chain = binary("6/10", 12)
    size, logs = 12, [log(9 / 13 / (1 / 2)), log((1 / 2) / (4 / 13)), log(6 / 4)]
    matrix = np.zeros((size, size))
    for k in range(size):
        for at in (k - 1, k + 1):
            if 0 <= at < size:
                matrix[k, at] = (logs[2] if k in (0, size - 1) else max(logs[:2])) / 2
    want = 2 * np.linalg.inv(np.eye(size) - matrix).sum(axis=1).max()
    assert float(correlated.chain_inferential(asked(chain))[0]) == pytest.approx(want, rel=1e-11)


@pytest.mark.parametrize(
    ("name", "chain", "message"),
    [
        ("chain_inferential", binary("7/10"), "spectral norm 1.17"),
        ("chain_inferential", binary("1", 5, start={"low": "1/2", "high": "1/2"}),
         "without impossible steps"),
        ("chain_quilt_approx", binary("7/10", 5, start={"low": "1/3", "high": "2/3"}),
         "start stationary"),
        ("chain_quilt_approx", binary("0", 5), "its eigengap is 0"),
        ("chain_quilt", Chain(["a", "b"], {"a": 1}, {s: {"a": "1/2", "b": "1/2"} for s in "ab"}, 3,
                              observation={"a": {0: 1}, "b": {1: 1}}), "the chain is hidden"),
    ],
)  # fmt: skip
def test_where_they_do_not_apply(name: str, chain: Chain, message: str) -> None:
    with pytest.raises(InputError, match=message):
        getattr(correlated, name)(asked(chain))


def test_other_noise_and_no_epsilon_have_none() -> None:
    with pytest.raises(InputError, match="no finite scale"):
        correlated.chain_quilt(asked(binary("7/10"), "0"))
    names = {recipe.name for recipe in recipes_for(asked(binary("7/10")))}
    assert {"chain_group", "chain_inferential", "chain_quilt", "chain_quilt_approx"} <= names


def test_chains_of_several_beliefs_and_far_numbers() -> None:
    small = binary("7/10", 5, release="weighted", weights=["1"] * 5)
    large = binary("7/10", 5, release="weighted", weights=["1", "1", "7", "1", "1"])
    both = correlated.chain_quilt(asked({"small": small, "large": large}))
    assert both == correlated.chain_quilt(asked(large))
    tiny = {"low": {"low": "1/10", "high": "9/10"}, "high": {"low": f"1/{10**400}",
            "high": f"{10**400 - 1}/{10**400}"}}  # fmt: skip
    assert correlated.chain_quilt(asked(binary("1/2", 3, transition=tiny)))[0] == 3
    with pytest.raises(InputError, match="worked out for epsilon from"):
        correlated.chain_quilt(asked(binary("7/10"), "1e-120"))
    long = binary("999/1000", 1_200, at=[600])
    assert correlated.chain_quilt(asked(long))[0] > 900

"""HiGHS by scipy's bindings and by linprog: the same optima, and whatever the bindings become."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from math import inf
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support import oracles

from pfverify import Discrete
from pfverify.exact.number import Number
from pfverify.scales.coupling import programme as module
from pfverify.scales.coupling.best import columns_scale, coupling_lp
from pfverify.scales.coupling.programme import Programme
from pfverify.scales.coupling.solver import Minimiser, Pattern, bindings

PACKAGE = "scipy.optimize._highspy"
KNOWN = ("1.15", "1.16", "1.17")  # releases of scipy whose bindings these are


@pytest.fixture
def anew() -> Iterator[None]:
    """What is known of the bindings is forgotten before and after."""
    bindings.cache_clear()
    yield
    bindings.cache_clear()


def core() -> Any:
    found = bindings()
    if found is None:
        pytest.skip("this scipy has no bindings that are known")
    return found


def test_the_bindings_of_these_releases_are_known() -> None:
    if version("scipy").startswith(KNOWN):
        assert bindings() is not None


def random_programme(rng: np.random.Generator) -> tuple[Pattern, list[np.ndarray[Any, Any]]]:
    """s >= sums of costs over groups, and other sums that are given: always feasible."""
    columns, given, groups = rng.integers(3, 12), rng.integers(1, 4), rng.integers(1, 4)
    rows = given + groups
    at, to = rng.integers(0, given, columns), given + rng.integers(0, groups, columns)
    at[:given] = np.arange(given)
    start = np.concatenate([[0], groups + 2 * np.arange(columns + 1)]).astype(np.int32)
    row = np.concatenate([np.arange(given, rows), np.stack([at, to], 1).ravel()])
    lower = np.concatenate([np.ones(given), np.full(groups, -inf)])
    upper = np.concatenate([np.ones(given), np.zeros(groups)])
    values = [
        np.concatenate(
            [-np.ones(groups), np.stack([np.ones(columns), rng.random(columns)], 1).ravel()]
        )
        for _ in range(4)
    ]
    return Pattern(start, row.astype(np.int32), lower, upper), values


def test_both_ways_find_the_same_optimum() -> None:
    """From the last basis, with more columns, and anew; the duals prove both."""
    rng = np.random.default_rng(3)
    highs = core()
    for _ in range(60):
        pattern, values = random_programme(rng)
        given = int(np.sum(pattern.lower == pattern.upper))
        groups = len(pattern.lower) - given
        few = Pattern(
            pattern.start[: given + 2],
            pattern.row[: groups + 2 * given],
            pattern.lower,
            pattern.upper,
        )
        ways = [Minimiser(one, range(given + 1), range(given, given + groups - 1))
                for one in (highs, None)]  # fmt: skip
        for which, value in [(few, v[: groups + 2 * given]) for v in values[:2]] + [
            (pattern, v) for v in values
        ]:
            found = [way.optimum(which, value) for way in ways]
            for one in found:
                assert one is not None
                assert one.variables.min() >= 0
                assert np.isclose(one.duals[:given].sum(), one.variables[0], atol=1e-9)
                assert np.isclose(one.duals[given:].sum(), -1)
                assert one.duals[given:].max() <= 0
            assert np.isclose(found[0].variables[0], found[1].variables[0], atol=1e-9)


@pytest.mark.parametrize("warm", [False, True])
def test_what_has_no_optimum(warm: bool) -> None:
    """Nothing is 1 and 2, from whatever basis; the next programme is solved all the same."""
    start, row = np.array([0, 0, 2], np.int32), np.array([0, 1], np.int32)
    bounds = np.array([1.0, 2])
    pattern = Pattern(start, row, bounds, bounds)
    for one in (core(), None):
        way = Minimiser(one, [0, 1] if warm else [], [])
        assert way.optimum(pattern, np.ones(2)) is None
        found = way.optimum(pattern, np.array([1.0, 2]))
        assert found is not None
        assert list(found.variables) == [0, 1]
    assert Minimiser(core(), [0, 1], []).optimum(pattern, np.array([inf, 2])) is None


def changed(**methods: Any) -> Callable[[Any], Any]:
    """The bindings with other methods of their solver."""
    return lambda highs: SimpleNamespace(
        **(vars(highs) | {"_Highs": type("Highs", (highs._Highs,), methods)})
    )


def signs(solver: Any) -> Any:
    found = solver.as_it_was()
    duals = [-dual for dual in found.row_dual]
    return SimpleNamespace(col_value=found.col_value, row_dual=duals)


OTHERS: dict[str, Callable[[Any], Any]] = {
    "gone": lambda highs: None,  # and the module with it
    "renamed": lambda highs: SimpleNamespace(Highs=highs._Highs),
    "fields": lambda highs: SimpleNamespace(**(vars(highs) | {"HighsLp": SimpleNamespace})),
    "options": changed(setOptionValue=None),
    "call": changed(passModel=lambda solver, model, names: None),
    "signs": lambda highs: changed(as_it_was=highs._Highs.getSolution, getSolution=signs)(highs),
    "status": changed(getModelStatus=lambda solver: None),
}


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize("other", OTHERS)
def test_other_bindings_are_not_used(monkeypatch: pytest.MonkeyPatch, other: str) -> None:
    first, second = Discrete({0: "1/2", 1: "1/4", 3: "1/4"}), Discrete({0: "1/4", 2: "3/4"})
    expected = columns_scale(first, second, Number.parse("1"))
    if other == "gone":
        monkeypatch.setitem(sys.modules, PACKAGE, None)
    else:
        monkeypatch.setattr(f"{PACKAGE}._core", OTHERS[other](core()))
    bindings.cache_clear()
    assert bindings() is None
    found = columns_scale(first, second, Number.parse("1"))
    assert abs(found.upper / expected.upper - 1) < 1e-11
    assert abs(found.lower / expected.lower - 1) < 1e-11


def test_linprog_finds_the_scales_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways, pair by pair, each with its proofs."""
    rng, near = Random("both ways"), 0
    core()
    for _ in range(25):
        p, q = (Discrete(t) for t in oracles.random_pair(rng, rng.choice(oracles.KINDS), 7))
        epsilon = Number.parse(rng.choice(("1/100", "1/2", "1", "log(3)", "10")))
        fast = coupling_lp(p, q, epsilon)
        with monkeypatch.context() as patched:
            patched.setattr(module, "bindings", lambda: None)
            plain = coupling_lp(p, q, epsilon)
        for one, other in ((fast, plain), (plain, fast)):
            assert one.lower <= other.upper
        near += abs(fast.upper - plain.upper) <= fast.upper / 10**11
    assert near >= 23


def test_only_some_edges_of_many_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that come later keep the basis; the optimum is that of all edges at once."""
    rng, more = Random("some edges"), 0
    for _ in range(12):
        p, q = (Discrete(counts={k: rng.randint(1, 99) for k in range(12)}) for _ in range(2))
        programme, few = (Programme(p, q, Number.parse("1")) for _ in range(2))
        rate = 2 * programme.feasible_rate
        whole = programme.solution(rate)
        with monkeypatch.context() as patched:
            patched.setattr(module, "_MANY", 10)
            patched.setattr(module, "_CHEAP", -1.0)
            found, again = few.solution(rate), few.solution(rate)
        assert whole is not None
        assert found is not None
        assert again is not None
        assert np.isclose(found.value, whole.value, rtol=1e-9)
        assert np.isclose(again.value, whole.value, rtol=1e-9)
        assert few._edges is not None
        more += len(few._edges.number) < 144
    assert more >= 6


def test_edges_that_cannot_carry_the_masses() -> None:
    """Where 1/6 has to go at a cost of e**900, s is inf, not that of what is left."""
    p, q = Discrete({0: "1/2", 3: "1/2"}), Discrete({0: "1/3", 1: "1/3", 3: "1/3"})
    for first, second in ((p, q), (q, p)):
        programme = Programme(first, second, Number.parse("900"))
        found = programme.solution(3.0)
        assert found is not None
        assert found.value == inf
        assert programme.exceeds(programme.scale(3.0))
        assert not programme.exceeds(programme.scale(programme.feasible_rate))

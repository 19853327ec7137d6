"""Counts given as arrays, beside the same counts given one by one."""

from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction
from math import gcd
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import tally

from pfverify import Discrete, InputError, Laplace, Mixture, Problem, certify
from pfverify.exact.number import rational
from pfverify.model.digest import problem_digest
from pfverify.model.priors import columns
from pfverify.model.priors.prior import Component

KINDS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint64, ">i4"]
MANY = range(600)  # entries from which Python tables are kept as columns


def one_by_one(table: dict[Any, Any]) -> Discrete:
    """The prior without columns: a Fraction is no plain integer."""
    prior = Discrete(counts={Fraction(atom): Fraction(count) for atom, count in table.items()})
    assert prior._columns is None
    return prior


def problem(*priors: Discrete) -> Problem:
    return Problem(dict(zip("ab", priors, strict=True)), noise=Laplace(3), epsilon="1/2")


@settings(suppress_health_check=[HealthCheck.too_slow])  # of a loaded machine
@given(
    table=st.dictionaries(st.integers(-100, 100), st.integers(0, 100), min_size=1, max_size=9),
    kinds=st.tuples(st.sampled_from(KINDS), st.sampled_from(KINDS)),
    far=st.sampled_from([1, 10**7, 2**54]),
)
def test_arrays_are_the_table_of_their_entries(
    table: dict[int, int], kinds: tuple[Any, Any], far: int
) -> None:
    table = {atom * far: count for atom, count in table.items()}
    if not any(table.values()):
        table[0] = 1
    atoms, counts = list(table), list(table.values())
    kind = kinds[0] if all(np.can_cast(np.min_scalar_type(x), kinds[0]) for x in atoms) else "i8"
    prior = Discrete.from_arrays(np.array(atoms, kind), np.array(counts, kinds[1]))
    slow = one_by_one(table)
    assert prior._columns is not None
    assert prior == slow == Discrete(counts=table)
    assert slow == prior
    assert hash(prior) == hash(slow)
    assert repr(prior) == repr(slow)
    assert (prior.atoms, prior.mass, prior.total) == (slow.atoms, slow.mass, slow.total)
    assert {type(number) for number in (*prior.points, *prior.weights, prior.total)} == {int}
    assert prior.canonical() == slow.canonical()
    assert prior.to_table() == slow.to_table()
    other = Discrete({0: "1/3", 1: "2/3"})
    asked = problem(prior, other), problem(slow, other)
    assert asked[0] == asked[1]
    assert problem_digest(asked[0]) == problem_digest(asked[1])
    assert certify(asked[0]) == certify(asked[1])


@given(st.lists(st.integers(0, 50), min_size=1, max_size=12))
def test_columns_of_a_prior_are_its_points_and_weights(counts: list[int]) -> None:
    if not any(counts):
        counts[0] = 1
    prior = one_by_one(dict(enumerate(counts)))
    found = prior.columns
    assert found is not None
    assert found == Discrete.from_arrays(np.arange(len(counts)), np.array(counts)).columns
    assert tuple(found.points.tolist()) == prior.points
    assert tuple(found.weights.tolist()) == prior.weights
    assert gcd(*prior.weights) == 1
    assert found != Discrete(counts={5: 1, 6: 2}).columns


def test_every_large_table_of_integers_is_kept_as_columns() -> None:
    table = {3 * k - 700: k % 7 for k in MANY}
    expected = one_by_one(table)
    series = pd.Series(table)
    shapes: list[Any] = [
        table, list(table.items()), {str(k): v for k, v in table.items()}, series,
        {str(k): str(v) for k, v in reversed(table.items())},
        {np.int64(k): np.uint8(v) for k, v in table.items()},
        zip(table, table.values(), strict=True),
    ]  # fmt: skip
    for counts in shapes:
        prior = Discrete(counts=counts)
        assert prior._columns is not None
        assert prior == expected
    for pair in (
        (list(table), list(table.values())), (series.index, series), (tuple(table), series.array),
    ):  # fmt: skip
        assert Discrete.from_arrays(*pair) == expected


@pytest.mark.parametrize(("key", "value"), [
    ("007", 1), (" 7", 1), ("+7", 1), (True, 1), (7, True), (7.0, 1), ("7.5", 1), ("7", -1),
    (7, "1.5"), ("x", 1), (None, 1), (2**62, 1), (2**70, 1), (7, 2**70), ("9" * 5000, 1), (8, -1),
    (Fraction(15, 2), 1), ("1_0", 1), ("", 1), ("0", 1), ("-0", 1), ("\u0667", 1),
    (np.uint64(2**63), 1),
])  # fmt: skip
def test_what_is_no_plain_integer_is_read_as_in_a_small_table(
    key: Any, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same prior, or the same line about what is wrong."""

    def read() -> object:
        try:
            return Discrete(counts=[*((k + 20, 2) for k in MANY), (0, 3), (key, value)])
        except InputError as error:
            return str(error)

    found = read()
    monkeypatch.setattr(columns, "_MANY", 10**6)
    assert found == read()


@pytest.mark.parametrize(("atoms", "counts", "message"), [
    (np.array([0, 1]), np.array([1]), "2 atoms and 1 amounts, expected as many"),
    ([0, 1], [1], "2 atoms and 1 amounts, expected as many"),
    (np.array([0, 0]), np.array([1, 2]), "duplicate atom: '0' and '0' are the same number"),
    (np.array([0, 1]), np.array([3, -1]), "count of atom 1 is -1, expected a number >= 0"),
    (np.array([0, 1]), np.array([0, 0]), "the counts are all 0: a prior needs at least one record"),
    (np.array([0, 1]), np.array([1.0, 2.0]), "count of atom 0: 1.0 is a float"),
    (np.array([0.5, np.nan]), np.array([1, 2]), "atom: 0.5 is a float"),
    (np.array([np.nan]), np.array([1]), "atom: nan is a float"),
    (np.array([True, False]), np.array([1, 2]), "atom: True is not a number"),
    (np.array([0, 1]), np.array([True, True]), "count of atom 0: True is not a number"),
    (np.array([], int), np.array([], int), "the support is empty: a prior needs at least one atom"),
    (np.array([[0, 1]]), np.array([1, 2]), "atoms: expected one column, got ndarray"),
    (np.array(3), np.array([1]), "atoms: expected one column, got ndarray"),
    ([0, 1], np.array([[1, 2]]), "amounts: expected one column, got ndarray"),
    ({0: 1}, [1], "atoms: expected one column, got dict"),
    ([0], {1}, "amounts: expected one column, got set"),
    ("01", [1, 2], "atoms: expected a column of numbers, got '01'"),
    (np.array(["a"]), np.array([1]), "atom: cannot read 'a' as a number"),
    (np.ma.array([0, 1], mask=[0, 1]), np.array([1, 2]), "atom: None is not a number"),
    (np.array([0, 1], "datetime64[s]"), np.array([1, 2]), "atom: expected a number or text"),
])  # fmt: skip
def test_wrong_columns_are_told_in_one_line(atoms: Any, counts: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        Discrete.from_arrays(atoms, counts)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_integers_beyond_64_bits_are_exact() -> None:
    far = np.array([2**63, 2**64 - 1], np.uint64)
    assert Discrete.from_arrays(far, far).points == (2**63, 2**64 - 1)
    assert Discrete.from_arrays(far, far).columns is None
    large = np.array([2**62, 2**62 - 1, 2**62 - 3])
    prior = Discrete.from_arrays(np.array([-(2**63), 0, 2**63 - 1]), large)
    assert prior.weights == tuple(map(int, large))
    assert prior.total == sum(map(int, large))  # wraps in 64 bits


def test_a_prior_does_not_change_with_the_arrays_it_was_made_of() -> None:
    atoms, counts = np.arange(3), np.array([2, 4, 6])
    prior = Discrete.from_arrays(atoms, counts)
    atoms[0], counts[0] = 7, 7
    assert prior == Discrete(counts={0: 1, 1: 2, 2: 3})
    assert prior.columns is not None
    for column in (prior.columns.points, prior.columns.weights):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 5
    assert pickle.loads(pickle.dumps(prior)) == prior


def test_spans_of_time_are_no_integers():
    with pytest.raises(InputError, match="expected a number or text, got timedelta64"):
        Discrete(counts=[(np.timedelta64(k, "s"), 1) for k in range(600)])


def test_the_repr_of_a_few_atoms_reads_back() -> None:
    """Discrete({0: 1/2}) was a prior of floats, which are refused."""
    seen = {"whole": 0, "cut": 0}

    @settings(deadline=None)
    @given(st.dictionaries(st.fractions(max_denominator=50), st.integers(1, 99), min_size=1,
                           max_size=10))  # fmt: skip
    def reads_back(counts: dict[Fraction, int]) -> None:
        prior = Discrete(counts=counts)
        text = repr(prior)
        if text.startswith("Discrete("):
            seen["whole"] += 1
            assert eval(text, {"Discrete": Discrete}) == prior
        else:
            seen["cut"] += 1
            assert text.startswith(f"<Discrete of {len(prior.atoms)} atom")

    reads_back()
    assert min(seen.values()) > 0, seen


def test_reprs_of_priors() -> None:
    half = Discrete({0: "1/2", "1/3": "1/2"})
    assert repr(half) == "Discrete({0: '1/2', '1/3': '1/2'})"
    assert eval(repr(half)) == half
    many = Discrete(counts=dict.fromkeys(range(9), 1))
    assert repr(many).startswith("<Discrete of 9 atoms: 0: '1/9', 1: '1/9', ")
    assert repr(Discrete({10**300: 1})).startswith("<Discrete of 1 atom: 1000")


def test_whole_atoms_with_weights_are_the_prior_of_the_same_table() -> None:
    rng, counts = Random("whole"), Counter[str]()
    for _ in range(300):
        least, step = (Fraction(rng.randint(-9, 9), rng.choice([1, 2, 6])) for _ in "ab")
        step = abs(step) or Fraction(1)
        top = rng.choice([3, 10**6, 2**61, 10**30])
        factor = rng.choice([1, 1, 6, 2**70])
        weights = [factor * rng.randint(0, top) * rng.choice([0, 1, 1]) for _ in range(7)]
        weights = rng.choice([weights] * 9 + [[0, 0]])
        table = {least + k * step: weight for k, weight in enumerate(weights) if weight}
        if not table:
            with pytest.raises(InputError, match="the support is empty"):
                Discrete.on_lattice(least, step, weights)
            counts["empty"] += 1
            continue
        found, read = Discrete.on_lattice(least, step, weights), one_by_one(table)
        assert found == read
        assert hash(found) == hash(read)
        assert (found.atoms, found.total) == (read.atoms, read.total)
        assert (found.denominator, found.weights) == (read.denominator, read.weights)
        assert repr(found) == repr(read)
        assert pickle.loads(pickle.dumps(found)) == read
        counts["arrays" if found._columns is not None else "long"] += 1
        counts["zeros"] += 0 in weights
        counts["common factor"] += gcd(*weights) > 1
        counts["finer"] += found.denominator < (least + step).denominator
    tally.reached(counts, "empty", "arrays", "long", "zeros", "common factor", "finer")
    with pytest.raises(InputError, match="4300 digits"):
        Discrete.on_lattice(Fraction(10**4301), Fraction(1), [1, 1])


@given(
    st.dictionaries(st.fractions(max_denominator=12), st.integers(1, 9), min_size=1, max_size=5),
    st.integers(1, 12),
)
def test_what_is_read_off_the_columns_is_that_of_the_atoms(
    counts: dict[Fraction, int], count: int
) -> None:
    prior = Discrete(counts=counts)
    parts = [Component(mass, atom, Fraction(0)) for atom, mass in prior.mass.items()]
    for law in (prior, Mixture(parts)):
        assert law.components == tuple(parts)
        assert law.mean == sum(atom * mass for atom, mass in prior.mass.items())
        assert law.spans == ((0, min(prior.mass), max(prior.mass)),)
    divided = Discrete.of_whole(prior.points, prior.weights, prior.denominator * count)
    assert divided == Discrete(counts={atom / count: n for atom, n in counts.items()})
    assert divided.mass == {atom / count: mass for atom, mass in prior.mass.items()}
    assert hash(divided) == hash(Discrete(mass=divided.mass))


def test_the_spans_of_a_mixture_are_by_variance() -> None:
    table = ((1, 3, 0), (2, -1, 4), (4, 5, 4), (1, 2, 0))
    law = Mixture([Component(Fraction(w, 8), Fraction(m), Fraction(v)) for w, m, v in table])
    assert sorted(law.spans) == [(0, 2, 3), (4, -1, 5)]
    assert law.mean == Fraction(23, 8)


def test_plain_decimals_are_read_as_the_grammar_reads_them() -> None:
    """They skip it, which takes long; nothing else does."""
    plain = ("0", "007", "1.", "0.50", "174.42", "1." + "0" * 3000 + "1")
    for text in (*plain, "1e2", " 5", "-1.5", ".5", "1/3", "+2", "1.-5"):
        assert next(iter(Discrete({text: 1}).mass)) == rational(text)
    for text in ("", ".", "1.2.3", "1..2", "1_0", "1.x", "٣", "1.²"):
        with pytest.raises(InputError):
            Discrete({text: 1})

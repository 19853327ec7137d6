"""Bad input: InputError, one line, that names what was wrong and where."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pfverify import (
    Discrete,
    DiscreteLaplace,
    InputError,
    Laplace,
    NoNoise,
    Nothing,
    Problem,
    certify,
)

P, Q = Discrete({0: 1}), Discrete({1: 1})
PAIR = {"a": P, "b": Q}


def problem(**changed: Any) -> Problem:
    return Problem(**{"priors": PAIR, "noise": Laplace(1), "epsilon": 1, **changed})


TABLE: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "sum of masses": (lambda: Discrete({0: "1/2", 1: "1/3"}), ("sum", "5/6", "1")),
    "sum by a hair": (lambda: Discrete({0: "1/2", 1: "0.4999999999"}), ("sum", "9999999999/")),
    "long sum": (lambda: Discrete({k: f"1/{10**300 + k}" for k in range(9)}), ("sum", "bits")),
    "negative mass": (lambda: Discrete({0: "-1/2", 1: "3/2"}), ("mass of atom 0", "-1/2", ">= 0")),
    "negative count": (lambda: Discrete(counts={3: -1, 1: 2}), ("count of atom 3", "-1")),
    "half a count": (lambda: Discrete(counts={3: "1/2"}), ("count of atom 3", "1/2", "integer")),
    "no counts": (lambda: Discrete(counts={3: 0}), ("counts", "0")),
    "empty support": (lambda: Discrete({}), ("support", "empty")),
    "duplicate atoms": (lambda: Discrete({"0": "1/2", "0.0": "1/2"}), ("duplicate", "0.0")),
    "duplicate fraction": (lambda: Discrete({"2/4": 1, "0.5": 0}), ("duplicate", "2/4")),
    "float mass": (lambda: Discrete({0: 0.5, 1: 0.5}), ("mass of atom 0", "float")),
    "float atom": (lambda: Discrete({0.1: 1}), ("atom", "float")),
    "nan mass": (lambda: Discrete({0: float("nan")}), ("mass of atom 0", "nan")),
    "nan text": (lambda: Discrete({0: "nan"}), ("mass of atom 0", "nan")),
    "log mass": (lambda: Discrete({0: "log(2)", 1: "1-log(2)"}), ("mass of atom 0", "rational")),
    "bool mass": (lambda: Discrete({0: True}), ("mass of atom 0", "True")),
    "list": (lambda: Discrete([1]), ("entry 1", "pair", "'1'")),  # type: ignore[list-item]
    "mass and counts": (lambda: Discrete({0: 1}, counts={0: 1}), ("exactly one",)),
    "neither": (lambda: Discrete(), ("exactly one",)),
    "scale that is 0 after all": (lambda: Laplace("log(1)"), ("scale", "exactly 0", "> 0")),
    "scale of none": (lambda: NoNoise().with_scale(1), ("noise.kind", "none", "laplace")),
    "scale < 0": (lambda: Laplace("-1/2"), ("scale", "-1/2", ">= 0")),
    "scale cancels": (lambda: Laplace("log(4)-2*log(2)"), ("scale", "0")),
    "scale nan": (lambda: Laplace(float("nan")), ("scale", "nan")),
    "scale inf": (lambda: Laplace("inf"), ("scale", "inf")),
    "step 0": (lambda: DiscreteLaplace(1, 0), ("step", "0")),
    "step log": (lambda: DiscreteLaplace(1, "log(2)"), ("step", "rational")),
    "epsilon < 0": (lambda: problem(epsilon=-1), ("epsilon", "-1", ">= 0")),
    "epsilon hardly < 0": (lambda: problem(epsilon="log(2)-log(2)-1e-300"), ("epsilon", ">= 0")),
    "epsilon nan": (lambda: problem(epsilon=float("nan")), ("epsilon", "nan")),
    "epsilon missing": (lambda: problem(epsilon=None), ("epsilon",)),
    "delta > 1": (lambda: problem(delta="1.5"), ("delta", "3/2", "[0, 1]")),
    "delta hardly > 1": (lambda: problem(delta="1+1e-300"), ("delta", "[0, 1]")),
    "delta < 0": (lambda: problem(delta="-1e-9"), ("delta", "[0, 1]")),
    "form": (lambda: problem(form="event"), ("form", "event", "events or pointwise")),
    "unknown secret": (lambda: problem(pairs=[("a", "bb")]), ("pairs", "'bb'", "'b'")),
    "itself": (lambda: problem(pairs=[("a", "a")]), ("pairs", "'a'", "itself")),
    "no pairs": (lambda: problem(pairs=[]), ("pairs", "empty")),
    "three": (lambda: problem(pairs=[("a", "b", "a")]), ("pairs", "two names")),
    "text pair": (lambda: problem(pairs=["ab"]), ("pairs", "ab")),
    "pairs a number": (lambda: problem(pairs=5), ("pairs",)),
    "one secret": (lambda: problem(priors={"a": P}), ("'a'", "two secrets")),
    "no secret": (lambda: problem(priors={}), ("two secrets",)),
    "priors a list": (lambda: problem(priors=[P, Q]), ("priors",)),
    "not a prior": (lambda: problem(priors={"a": P, "b": {0: 1}}), ("'b'", "prior")),
    "belief a number": (lambda: problem(priors=None, beliefs={"x": 5}), ("x",)),
    "no belief": (lambda: problem(priors=None, beliefs={}), ("beliefs",)),
    "both": (lambda: problem(beliefs={"x": PAIR}), ("exactly one",)),
    "belief lacks a secret": (
        lambda: problem(priors=None, beliefs={"x": PAIR, "y": {"a": P}}), ("'b'", "'y'"),
    ),
    "later belief has one more secret": (
        lambda: problem(priors=None, beliefs={"x": PAIR, "y": {**PAIR, "c": Q}}), ("'c'",),
    ),
    "noise": (lambda: problem(noise="laplace"), ("noise", "Laplace")),
    "noise a class": (lambda: problem(noise=Laplace), ("noise", "Laplace")),
    "secret not text": (lambda: problem(priors={1: P, 2: Q}), ("secret",)),
    "off the lattice": (
        lambda: problem(noise=DiscreteLaplace(1, "2/3")), ("'b'", "atom 1", "2/3", "lattice"),
    ),
    "no scale": (lambda: certify(problem(noise=Laplace())), ("scale", "missing")),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_bad_input_is_one_clear_line(name: str) -> None:
    act, words = TABLE[name]
    with pytest.raises(InputError) as caught:
        act()
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300
    for word in words:
        assert word in message, message


def test_what_is_fine() -> None:
    prior = Discrete({"-3/2": "1/2", 4: 0, "1e-3": "0.5"})
    assert prior.mass == {Fraction(-3, 2): Fraction(1, 2), Fraction(1, 1000): Fraction(1, 2)}
    assert Discrete(counts={0: 376, 1: 204}).mass[Fraction(0)] == Fraction(94, 145)
    assert Discrete(counts={0: 2, 1: 2}) == Discrete({1: "1/2", "0.0": "1/2"})
    problem(epsilon=0, delta=1)
    problem(epsilon="log(4)-2*log(2)", delta="exp(0)")
    problem(pairs=[("a", "b"), ("b", "a")])
    problem(noise=DiscreteLaplace("1/log(4)", "1/3"))


def test_huge_atoms_and_targets_give_no_traceback() -> None:
    for make in (
        lambda: problem(priors={"a": P, "b": Discrete({"1e4000*1e4000": 1})}),
        lambda: problem(epsilon="1e-4000*1e-4000"),
        lambda: problem(noise=Laplace("1e4000*1e4000")),
    ):
        with contextlib.suppress(InputError):
            assert certify(make()).verdict.value in ("certified", "refuted")


@pytest.mark.parametrize("row", [3, "mass", [("0", 1)], Discrete({0: 1})])
def test_a_row_that_is_no_table_is_told_by_its_key(row: object) -> None:
    message = r"^or: expected a table of a discrete prior, got "
    with pytest.raises(InputError, match=message):
        Nothing.from_table({"kind": "nothing", "or": row, "chance": "1/2"})

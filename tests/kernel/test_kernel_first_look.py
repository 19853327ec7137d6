"""The first look at a pure bound, in integers alone: what it clears is true, all else is open."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import kernel_builder as kb
import pytest
from core import first_look, sweep
from core.calculus import signs
from core.enclose import Arithmetic
from core.sweep import difference_at
from core.value import form_of
from hypothesis import given, settings
from hypothesis import strategies as st
from reader.noise import Noise

FINE = Arithmetic(512)
ONE, NEAR = Fraction(1), Fraction(1, 10**45)  # the last beyond a first look


def asked(p: Any, q: Any, epsilon: Fraction, scale: Fraction = ONE, step: Any = None) -> Any:
    kind = "laplace" if step is None else "discrete-laplace"
    return kb.goal(p, q, epsilon, Fraction(0), release=Noise(kind, scale, step))


def excesses(goal: Any) -> dict[Fraction, int]:
    """The sign of p - e^epsilon q by enclosures at many bits, 0 where they do not tell."""
    swept, found = difference_at(goal, form_of(goal.epsilon), FINE), {}
    for x, piece in zip(swept.places, swept.pieces[1:], strict=True):
        low, high, _ = piece.near(FINE)
        found[x] = (low > 0) - (high < 0)
    return found


atoms = st.one_of(
    st.integers(-4, 4).map(Fraction),
    st.fractions(-3, 3, max_denominator=6),
    st.integers(-3, 3).map(lambda k: Fraction(k * 10**30)),
    st.sampled_from([Fraction(1, 10**40), Fraction(10**308), Fraction(1, 2**300)]),
)
weights = st.one_of(
    st.integers(1, 1000),
    st.sampled_from([1, 2**60, 10**30, 2**255, 2**1074]),  # with it others are subnormal masses
)


@st.composite
def laws(draw: st.DrawFn) -> dict[Fraction, Fraction]:
    table = draw(st.dictionaries(atoms, weights, min_size=1, max_size=6))
    whole = sum(table.values())
    return {x: Fraction(n, whole) for x, n in sorted(table.items())}


def test_what_is_cleared_holds() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=200, deadline=None, derandomize=True)
    @given(
        laws(),
        laws(),
        st.sampled_from([Fraction(0), Fraction(1, 10), ONE, Fraction(50), Fraction(1000)]),
        st.sampled_from([ONE, Fraction(51, 25), Fraction(1, 1000)]),
        st.sampled_from([32, 128, 300]),
    )
    def ask(p: Any, q: Any, epsilon: Fraction, scale: Fraction, bits: int) -> None:
        goal = asked(p, q, epsilon, scale)
        found, signs = first_look.first_look(goal, Arithmetic(bits)), excesses(goal)
        left = signs.keys() if found is None else found
        assert left <= signs.keys()
        assert all(signs[x] <= 0 for x in signs.keys() - left)
        seen["cleared"] += len(signs) - len(left)
        seen["broken"] += sum(sign > 0 for sign in signs.values())
        seen["true, open"] += sum(signs[x] < 0 for x in left)
        seen["all open"] += len(left) == len(signs)
        seen["none open"] += not left

    ask()
    for what in ("cleared", "broken", "true, open", "all open", "none open"):
        assert seen[what] > 30, what


@pytest.mark.parametrize("step", [None, Fraction(1)])
def test_a_tie_and_all_but_the_last_bit_of_one(step: Fraction | None) -> None:
    """Points at 0 and 1, at scale 1: the loss is 1, at 0, and -1 at 1."""
    p, q = {Fraction(0): ONE}, {ONE: ONE}
    found = {
        distance: first_look.first_look(asked(p, q, 1 + distance, step=step), Arithmetic(128))
        for k in range(1, 60)
        for distance in (Fraction(1, 10**k), -Fraction(1, 10**k), Fraction(0))
    }
    assert all(left == {0} for distance, left in found.items() if distance <= 0)
    cleared = [distance for distance, left in found.items() if not left]
    assert min(cleared) == Fraction(1, 10**38)  # of 128 bits
    assert len(cleared) == 38


@pytest.mark.parametrize("place", [Fraction(10**308), Fraction(1, 3**200), Fraction(1 << 256)])
def test_numbers_that_are_long_stay_open(place: Fraction) -> None:
    half, short = Fraction(1, 2), Fraction((1 << 256) - 1)
    q = {Fraction(0): Fraction(1, 3), ONE: Fraction(2, 3)}
    for x, left in ((place, True), (short, False)):
        goal = asked({Fraction(0): half, x: half}, {**q, x: Fraction(0)}, Fraction(3))
        assert (first_look.first_look(goal, Arithmetic(128)) is None) is left


def test_masses_that_are_long_stay_open() -> None:
    for mass, left in ((Fraction(1, 2**1074), True), (Fraction(1, 2**255), False)):
        law = {Fraction(0): mass, ONE: 1 - mass}
        goal = asked(law, {Fraction(0): Fraction(1, 2), ONE: Fraction(1, 2)}, ONE)
        assert (first_look.first_look(goal, Arithmetic(128)) is None) is left


def test_enclosures_are_made_where_integers_do_not_tell_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Any] = []

    def counted(*arguments: Any) -> Any:
        made.append(arguments)
        return difference_at(*arguments)

    monkeypatch.setattr(sweep, "difference_at", counted)
    step = {"bits": 256, "ties": [], "rule": "pure"}
    p, q = {Fraction(0): ONE}, {ONE: ONE}
    assert signs(asked(p, q, 1 + Fraction(1, 10)), step) == {"F1"}
    assert not made
    assert signs(asked(p, q, 1 + NEAR), step) == {"F1"}
    assert len(made) == 1
    assert signs(asked(p, q, ONE), {**step, "ties": ["0"]}) == {"F1", "F3"}
    assert len(made) == 1  # what is tied is proved already


def test_sums_below_zero_take_the_upper_power() -> None:
    """J is -2 and then 1: left sums -2 and 1 - 2 tau, of which the lower bound takes tau high."""
    unit = 1 << first_look.UNIT
    half = (unit >> 1, (unit >> 1) + 1)
    assert first_look._sums([-2 * unit, unit], [half]) == [-2 * unit, -2]
    assert first_look._sums([2 * unit, unit], [half]) == [2 * unit, 2 * unit]
    assert first_look._sums([-1, 0], [half]) == [-1, -1]  # rounded down
    assert first_look._sums([5], []) == [5]

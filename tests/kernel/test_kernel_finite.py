"""Which outputs exceed a bound: those that a first enclosure leaves open are decided."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core.calculus import area
from core.enclose import Undecided
from core.finite import CHANNEL, Finite, _event
from core.finite import exceeding as exceeding_of
from core.grammar import Number
from core.masses import Mass, Outputs, excess_sign, mass_of, minus, outputs_of
from core.refutations import event
from core.rules import Goal, Rejected
from core.shapes import parse
from core.value import form_of
from core.work import Check
from reader.noise import Noise

TINY = Fraction(1, 1 << 200)  # far below what 128 bits tell apart
HALF = Fraction(1, 2)
BOTH = pytest.mark.parametrize("whole", [True, False])


def law(masses: Sequence[Mass], whole: bool) -> Outputs:
    """A law of the outputs y0, y1, ..., over a common denominator or as masses."""
    names = tuple(f"y{k}" for k in range(len(masses)))
    found = outputs_of(masses) if whole else Outputs(0, (), tuple(masses))
    assert bool(found.whole) is whole
    return found._replace(names=names)


def goal(
    p: Sequence[Mass],
    q: Sequence[Mass],
    epsilon: str = "0",
    whole: bool = True,
    **more: Any,
) -> Finite:
    about = {"delta": Fraction(0), "form": "events", "enclosed": False, "check": Check(0), **more}
    laws, release = (law(p, whole), law(q, whole)), Noise("none", None, None)
    names = "default", "a", "b"
    return Goal(names, *laws, parse(epsilon), release=release, kind=CHANNEL, **about)


def exceeding(goal: Finite, limit: Number) -> list[int]:
    return exceeding_of(goal.P, goal.Q, form_of(goal.epsilon), limit)


@BOTH
def test_an_excess_of_200_binary_places_is_seen(whole: bool) -> None:
    nothing = Fraction(0)
    above, below = [HALF + TINY, HALF - TINY], [HALF, HALF]
    assert exceeding(goal(above, below, whole=whole), nothing) == [0]
    assert exceeding(goal(below, above, whole=whole), nothing) == [1]
    assert exceeding(goal(below, below, whole=whole), nothing) == []
    quarters = [Fraction(1, 4), Fraction(3, 4)]
    for shift, found in ((TINY, [0]), (nothing, []), (-TINY, [])):
        p = [Fraction(3, 4) + shift, Fraction(1, 4) - shift]
        assert exceeding(goal(p, quarters, "log(3)", whole), nothing) == found
    with pytest.raises(Rejected, match='the ratio at "y0" is too large'):
        area(goal(above, below, whole=whole), {})


E60 = Fraction(367879441171442321595523770161460867445811131031767834507836, 10**60)  # < 1/e


@BOTH
def test_a_limit_that_is_met_within_60_digits(whole: bool) -> None:
    limit, rest = parse("exp(-1)"), Fraction(1, 8)
    for more in (Fraction(0), rest):  # Q has no mass there, or some
        for p, found in ((E60 + more, []), (E60 + Fraction(1, 10**60) + more, [0])):
            masses = goal([p, 1 - p], [more, 1 - more], whole=whole)
            assert exceeding(masses, limit) == found


@BOTH
def test_a_limit_of_a_half(whole: bool) -> None:
    """The largest excess is 1/4, or 3/4."""
    for p, found in ((Fraction(3, 8), []), (Fraction(7, 8), [0])):
        masses = goal([p, 1 - p], [Fraction(1, 8), Fraction(7, 8)], "1e-9", whole)
        assert exceeding(masses, HALF) == found
        assert exceeding(masses, Fraction(1)) == []


@BOTH
def test_the_first_output_is_named(whole: bool) -> None:
    p, q = [HALF, HALF, Fraction(0)], [Fraction(1, 8), Fraction(1, 8), Fraction(3, 4)]
    with pytest.raises(Rejected, match='the ratio at "y0" is too large'):
        area(goal(p, q, whole=whole), {})


def test_a_mass_that_cannot_be_enclosed_is_not_dropped() -> None:
    """About 1/2, a quotient of differences of 60 digits, which are not told from 0."""
    mass = mass_of(parse("(exp(1e-60)-1)/(exp(2e-60)-1)"))
    masses = goal([mass], [Fraction(1, 4)], whole=False)
    with pytest.raises(Undecided):
        exceeding(masses, Fraction(0))


def test_the_sign_of_an_excess_of_masses_of_both_kinds() -> None:
    """1/e lies between 1/4 and 1/2."""
    mass, zero = mass_of(parse("exp(-1)")), form_of(Fraction(0))
    for other, way in ((Fraction(1, 4), 1), (HALF, -1)):
        assert excess_sign(mass, other, zero, Fraction(0)) == way
        assert excess_sign(other, mass, zero, Fraction(0)) == -way
    assert excess_sign(mass, mass, zero, Fraction(0)) == 0


def test_a_tie_of_masses_of_both_kinds() -> None:
    """1/e = e^(2 log 2 - 1)/4, from a law of irrational masses to one of fractions."""
    mass, fractions = mass_of(parse("exp(-1)")), [Fraction(1, 4), Fraction(3, 4)]
    masses = goal([mass, minus(Fraction(1), mass)], fractions, whole=False)
    for epsilon, found in (("2*log(2)-1", []), ("2*log(2)-1-1e-50", [0])):
        tied = masses._replace(Q=law(fractions, whole=True), epsilon=parse(epsilon))
        assert exceeding(tied, Fraction(0)) == found


def test_the_ends_of_an_enclosure_of_128_bits_are_no_excess_apart() -> None:
    """3 q is above or below p by 10^-42, where the common denominator of p is 1."""
    third = Fraction(1, 3)
    for epsilon, found in (("log(3)-1e-42", [0]), ("log(3)", []), ("log(3)+1e-42", [])):
        masses = goal([Fraction(1), Fraction(0)], [third, 1 - third], epsilon)
        assert exceeding(masses, Fraction(0)) == found


@BOTH
def test_a_limit_whose_enclosure_reaches_below_0(whole: bool) -> None:
    """1 - e^-1e-60, at 128 bits; a mass of 1e-50 exceeds it, one of 1e-70 does not."""
    limit = parse("1-exp(-1e-60)")
    for mass, found in (("1e-50", [0]), ("1e-70", [])):
        p = [Fraction(mass), 1 - Fraction(mass)]
        assert exceeding(goal(p, [Fraction(0), Fraction(1)], whole=whole), limit) == found


@BOTH
def test_a_limit_whose_enclosure_reaches_above_1(whole: bool) -> None:
    """By far; that of e^epsilon has as few binary places."""
    limit, p, q = parse("exp(200)-exp(200)+1e-50"), [HALF, HALF], [Fraction(0), Fraction(1)]
    assert exceeding(goal(p, q, "200", whole=whole), limit) == [0]


@BOTH
def test_laws_of_one_goal_have_as_many_outputs(whole: bool) -> None:
    with pytest.raises(ValueError, match="longer"):
        exceeding(goal([HALF], [HALF, HALF], whole=whole), Fraction(0))


def test_what_a_step_names_is_an_output() -> None:
    for names in (("u",), ("u", "v", "w")):
        for name in names:
            assert _event(names, {"output": name}) == [names.index(name)]
        assert _event(names, {"outputs": [*names[::-1]]}) == [*range(len(names))][::-1]
        with pytest.raises(Rejected, match=r'^no output "x"$'):
            _event(names, {"outputs": ["u", "x", "y"]})
        with pytest.raises(Rejected, match=r'^no output "x"$'):
            _event(names, {"output": "x"})


def test_an_event_refutes_the_pointwise_form_of_a_ratio_of_masses() -> None:
    step = {"rule": "outputs-refuted", "outputs": ["y0"], "margin": "0.25", "bits": 64}
    p, q = [Fraction(3, 4), Fraction(1, 4)], [HALF, HALF]
    for form, delta in (("events", Fraction(0)), ("pointwise", Fraction(0))):
        assert event(goal(p, q, form=form, delta=delta), step) == set()
    with pytest.raises(Rejected, match="an event does not refute the pointwise form"):
        event(goal(p, q, form="pointwise", delta=Fraction(1, 8)), step | {"margin": "0.125"})

"""Laws that every judge has to keep, on cases of every family."""

from dataclasses import replace
from itertools import islice
from math import inf, nextafter

import pytest
from crosscheck.planted import number, upward

from pfverify.crosscheck.case import AtomLaw
from pfverify.crosscheck.cases import cases
from pfverify.crosscheck.finding import CaseOutcome, Promised
from pfverify.crosscheck.kinds import KINDS, judge
from pfverify.crosscheck.settings import Settings

ASKED = [Settings("scale"), Settings("loss"), Settings("delta")]
MORE = [*ASKED, Settings("scale", delta=True), Settings("delta", "discrete-laplace")]
# with the distance of one case to the next that is looked at
FEW_AND_MANY = [
    *(pytest.param(settings, 19, id=settings.text) for settings in ASKED),
    *(pytest.param(settings, 2, id=f"many {settings.text}", marks=pytest.mark.long)
      for settings in MORE),
]  # fmt: skip


def some(settings, step):
    """Cases of every family, and curated ones."""
    return islice(cases(settings, number=190), 0, None, step)


def outcome(case, answer, **claim):
    return judge(case, answer, Promised(**claim)).outcome


def moved(case, factor=1.0, shift=0.0):
    """The same case with other places, and with them another scale."""
    laws = [AtomLaw(tuple(factor * atom + shift for atom in law.atoms), law.masses)
            for law in (case.p, case.q)]  # fmt: skip
    scale = None if case.scale is None else factor * case.scale
    return replace(case, p=laws[0], q=laws[1], scale=scale)


@pytest.mark.parametrize(("settings", "step"), FEW_AND_MANY)
def test_one_unit_in_the_last_place_on_either_side_of_the_truth(settings, step):
    for case in some(settings, step):
        truth = number(case)
        assert outcome(case, truth) is CaseOutcome.SOUND
        if truth == inf:
            continue
        below = nextafter(truth, -inf)
        exact = KINDS[case.kind].truth(case).enclosure
        if below < exact.lower:
            assert outcome(case, below) is CaseOutcome.UNSOUND
            assert outcome(case, below, side="lower") is CaseOutcome.SOUND
        if truth > exact.upper:
            assert outcome(case, truth, side="lower") is CaseOutcome.UNSOUND
        assert outcome(case, nextafter(truth, inf), side="lower") is CaseOutcome.UNSOUND
        assert outcome(case, truth, side="nearest", digits=14) is CaseOutcome.SOUND


@pytest.mark.parametrize(("settings", "step"), FEW_AND_MANY)
def test_both_orders_are_meant(settings, step):
    for case in some(settings, step):
        other = replace(case, p=case.q, q=case.p)
        truth = number(case)
        assert number(other) == truth
        for answer in (truth, nextafter(truth, 0.0), truth / 2):
            assert outcome(other, answer) is outcome(case, answer)


# the step of discrete noise stays 1, so that atoms 8 times as far apart are another question
@pytest.mark.parametrize(
    ("settings", "step"), [p for p in FEW_AND_MANY if p.values[0].noise != "discrete-laplace"]
)
def test_the_unit_of_the_atoms_does_not_matter(settings, step):
    for case in some(settings, step):
        if max(map(abs, case.p.atoms)) > 1e100 or case.origin.startswith("curated: 1e-300"):
            continue  # the other unit would not be exact
        larger, truth = moved(case, 8.0), number(case)
        factor = 8.0 if case.kind == "scale" else 1.0
        assert number(larger) == factor * truth
        below = nextafter(truth, 0.0)
        assert outcome(larger, factor * below) is outcome(case, below)


@pytest.mark.parametrize(("settings", "step"), FEW_AND_MANY)
def test_neither_do_a_translation_and_the_total_mass(settings, step):
    for case in some(settings, step):
        truth = number(case)
        if all(atom.is_integer() and abs(atom) < 2**40 for atom in case.p.atoms):
            assert number(moved(case, shift=1024.0)) == truth
        heavier = [AtomLaw(law.atoms, tuple(4 * mass for mass in law.masses))
                   for law in (case.p, case.q)]  # fmt: skip
        assert number(replace(case, p=heavier[0], q=heavier[1])) == truth


@pytest.mark.parametrize(("settings", "step"), FEW_AND_MANY)
def test_what_is_above_a_sound_answer_is_not_unsound(settings, step):
    for case in some(settings, step):
        found = [outcome(case, factor * max(number(case), 1e-9) if number(case) < inf else inf)
                 for factor in (0.5, 1 - 2**-40, 1.0, 1 + 2**-40, 1.5, 3.0, 1e9)]  # fmt: skip
        unsound = [one is CaseOutcome.UNSOUND for one in found]
        assert unsound == sorted(unsound, reverse=True)
        assert CaseOutcome.UNDECIDED not in found


def test_an_upward_rounding_is_one():
    assert upward(KINDS["loss"].truth(next(cases(Settings("loss")))).enclosure.upper) == 0.5

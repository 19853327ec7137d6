"""Shrinking: the same outcome, a smaller case, the same one every time, within its calls."""

from fractions import Fraction
from itertools import islice
from math import inf, nextafter

import pytest
from crosscheck.planted import PLANTED, judged

from pfverify.crosscheck.case import AtomLaw, Case
from pfverify.crosscheck.cases import cases
from pfverify.crosscheck.finding import CaseOutcome, Finding, Promised
from pfverify.crosscheck.kinds import judge
from pfverify.crosscheck.numeric import gap_of
from pfverify.crosscheck.question import question
from pfverify.crosscheck.settings import Settings
from pfverify.crosscheck.shrink import MOST, cost, shrunk, smaller
from pfverify.errors import InputError
from pfverify.exact.enclosure import Enclosure


def first_found(subject, kind, at_least=4):
    """The first finding that is not sound about a case of some size."""
    found = (judged(subject, case) for case in cases(Settings(kind)) if case.size >= at_least)
    return next(finding for finding in found if finding.outcome is not CaseOutcome.SOUND)


@pytest.mark.parametrize(("kind", "mistake", "size"), [
    ("loss", "one order", 2), ("loss", "times 1 - 1e-12", 2), ("plan", "transposed", 2),
    ("density", "no last atom", 2), ("delta", "no first atom", 3),
])  # fmt: skip
def test_a_finding_shrinks_to_a_few_atoms_and_round_numbers(kind, mistake, size):
    subject = PLANTED[kind, mistake]
    finding = first_found(subject, kind)
    calls = []

    def asked(case):
        calls.append(case)
        return judged(subject, case)

    found = shrunk(finding, asked, most=120)
    assert len(calls) <= 120
    assert found.outcome is finding.outcome
    assert found.case.size <= size
    assert cost(found.case) < cost(finding.case)
    assert found.case.origin == f"shrunk from: {finding.case.origin}"
    again = shrunk(finding, lambda case: judged(subject, case), most=120)
    assert again.case == found.case


def test_nothing_smaller_is_the_case_itself():
    finding = first_found(PLANTED["loss", "one order"], "loss")
    assert shrunk(finding, lambda case: Finding(CaseOutcome.SOUND, "", case)) is finding
    assert shrunk(finding, lambda case: pytest.fail("called"), most=0) is finding
    for most in (-1, True, 1.5, None):
        with pytest.raises(InputError, match="most"):
            shrunk(finding, lambda case: finding, most=most)


def test_it_ends_where_every_case_fails():
    settings = Settings("density")
    (*_, case) = cases(settings, number=90)
    calls = []

    def crashes(case):
        calls.append(case)
        return Finding(CaseOutcome.CRASH, "it crashed", case)

    found = shrunk(crashes(case), crashes)
    assert len(calls) <= MOST + 1
    assert (found.case.size, len(found.case.y)) == (1, 1)
    assert cost(found.case) == (1, 1, 0)


@pytest.mark.parametrize("settings", [
    Settings("scale", delta=True), Settings("delta", "discrete-laplace"), Settings("density"),
    Settings("plan"), Settings("loss", laws="normal"), Settings("density", "gaussian", "normal"),
], ids=lambda one: one.text)  # fmt: skip
def test_every_smaller_case_is_a_law_still(settings):
    for case in islice(cases(settings, number=110), 0, 110, 5 if settings.laws == "atoms" else 20):
        if case.size > 8:
            continue
        for one in smaller(case):
            assert one.p.prior() is not None
            assert (one.q is None) == (case.q is None)
            assert one.y is None or len(one.y) >= 1
            assert one.scale is None or 0 < one.scale < inf
            if isinstance(one.p, AtomLaw):
                assert list(one.p.atoms) == sorted(set(one.p.atoms))
                assert abs(sum(one.p.masses) - 1) < 1e-6
            if settings.lattice and isinstance(one.p, AtomLaw):
                assert all(atom.is_integer() for atom in one.p.atoms)


def test_a_case_without_noise_of_its_own_costs_its_numbers():
    law = AtomLaw((0.0, 1.0), (0.25, 0.75))
    assert cost(Case("plan", "", law, law)) == (2, 0, 16)


def test_a_mistake_is_not_made_smaller_to_an_error_of_rounding():
    settings, subject = Settings("loss"), PLANTED["loss", "one order"]

    def asked(case):  # one order, and one unit in the last place too low in any case
        return judge(case, nextafter(subject(case), 0.0))

    found = [asked(case) for case in islice(cases(settings), 80)]
    unsound = [one for one in found if one.outcome is CaseOutcome.UNSOUND]
    (rough, *_) = [one for one in unsound if one.beyond_rounding]
    assert not all(one.beyond_rounding for one in unsound)
    small = shrunk(rough, asked, most=60)
    assert small.beyond_rounding
    assert small.gap > Fraction(1, 10**9)


def test_how_far_an_unsound_answer_is_off():
    half = Case("loss", "laplace", AtomLaw((0.0, 1.0), (1.0, 0.0)), AtomLaw((0.0, 1.0), (0.0, 1.0)),
                scale=2.0)  # fmt: skip
    assert judge(half, 0.25).gap == Fraction(1, 2)
    assert judge(half, 1.0, Promised("lower")).gap == 1
    assert judge(half, -0.5).gap == 2
    assert judge(half, 0.5).gap is None
    assert judge(half, 0.51, Promised("nearest")).beyond_rounding
    assert not judge(half, 0.50000000001, Promised("nearest")).beyond_rounding
    never = Case("loss", "gaussian", half.p, half.q, scale=2.0)
    assert judge(never, 7.0).gap == 1
    assert gap_of(Fraction(1), Enclosure("0", "2")) is None
    assert gap_of(Fraction(-1), Enclosure("0", "0")) == inf
    assert gap_of(Fraction(1), Enclosure("1", "inf")) is None


def test_a_case_is_not_shrunk_out_of_the_range_that_is_asked():
    """1 is the simplest epsilon, but nobody asked about it."""
    asked = question("scale", epsilons=(0.2, 0.4))
    case = next(iter(asked.cases(delta=False)))
    asked_about = []

    def always(smaller):
        asked_about.append(smaller.epsilon)
        return Finding(CaseOutcome.CRASH, "", smaller)

    found = shrunk(always(case), always, asks=asked.settings.asks)
    assert len(asked_about) > 3
    assert all(0.2 <= epsilon <= 0.4 for epsilon in asked_about)
    assert 0.2 <= found.case.epsilon <= 0.4

"""The strategy of cases: what it draws can be asked and judged, and hypothesis makes it small."""

import sys

import pytest
from crosscheck.planted import PLANTED, SOUND, judged
from hypothesis import HealthCheck, Phase, find, given, settings

from pfverify.crosscheck.finding import CaseOutcome
from pfverify.errors import InputError
from pfverify.testing import cases

FEW = settings(max_examples=25, deadline=None, derandomize=True, database=None,
               suppress_health_check=list(HealthCheck))  # fmt: skip


@pytest.mark.parametrize("kind", SOUND)
def test_a_sound_implementation_passes(kind):
    @FEW
    @given(cases(kind))
    def passes(case):
        assert case.kind == kind
        finding = judged(SOUND[kind], case)
        assert finding.outcome is CaseOutcome.SOUND, finding.words

    passes()


@pytest.mark.parametrize("options", [
    {"kind": "loss", "laws": "normal"}, {"kind": "scale", "delta": True},
    {"kind": "delta", "noise": "discrete-laplace"}, {"kind": "density", "noise": "gaussian"},
], ids=str)  # fmt: skip
def test_every_question_is_drawn(options):
    @settings(FEW, max_examples=8)
    @given(cases(**options))
    def asked(case):
        positional, named = case.arguments()
        assert len(positional) >= 3
        assert set(named) <= {"delta"}
        assert case.p.prior() is not None

    asked()


def test_hypothesis_finds_a_planted_mistake_and_makes_it_small():
    def fails(case):
        return judged(PLANTED["loss", "one order"], case).outcome is CaseOutcome.UNSOUND

    quick = settings(FEW, max_examples=200, phases=(Phase.generate, Phase.shrink))
    assert find(cases("loss"), fails, settings=quick).size <= 5


def test_what_is_no_question_is_an_error_when_it_is_asked_for(monkeypatch):
    with pytest.raises(InputError, match="a scale of gaussian noise needs a delta"):
        cases("scale", noise="gaussian")
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(InputError, match=r"in the checkout, pip install '\.\[testing\]'"):
        cases("loss")

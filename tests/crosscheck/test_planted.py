"""Planted mistakes are found within 200 cases, and sound implementations pass."""

from itertools import islice

import pytest
from crosscheck.planted import PLANTED, SOUND, judged

from pfverify.crosscheck.cases import cases
from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.settings import Settings

FOUND = {"density": CaseOutcome.WRONG_DIGITS}


@pytest.mark.parametrize(("kind", "mistake"), PLANTED, ids=str)
def test_a_planted_mistake_is_found(kind, mistake):
    subject, wanted = PLANTED[kind, mistake], FOUND.get(kind, CaseOutcome.UNSOUND)
    found = (judged(subject, case).outcome is wanted for case in cases(Settings(kind)))
    assert any(found)


def check_sound(settings, number, step=1):
    for case in islice(cases(settings, number=number), 0, None, step):
        finding = judged(SOUND[settings.kind], case)
        assert finding.outcome is CaseOutcome.SOUND, (case.origin, finding.words)


@pytest.mark.parametrize("kind", SOUND)
def test_a_sound_implementation_passes(kind):
    check_sound(Settings(kind), 200, step=5)


@pytest.mark.parametrize("settings", [
    Settings("scale", delta=True), Settings("scale", "discrete-laplace"),
    Settings("delta", "discrete-laplace"), Settings("density", "gaussian"),
], ids=lambda one: one.text)  # fmt: skip
def test_a_sound_implementation_passes_with_other_settings(settings):
    check_sound(settings, 80, step=11)


ALL = [
    *(Settings(kind) for kind in SOUND), Settings("scale", delta=True),
    *(Settings(kind, "discrete-laplace") for kind in ("scale", "loss", "delta", "density")),
]  # fmt: skip
SMOOTH = [
    *(Settings(kind, noise, "normal") for kind in ("loss", "delta", "density")
      for noise in ("laplace", "gaussian")),
    Settings("scale", "laplace", "normal"), Settings("scale", "gaussian", "normal", delta=True),
    Settings("delta", "gaussian"), Settings("scale", "gaussian", delta=True),
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("settings", ALL, ids=lambda one: one.text)
def test_a_sound_implementation_passes_10_000(settings):
    check_sound(settings, 10_000)


@pytest.mark.long
@pytest.mark.parametrize("settings", SMOOTH, ids=lambda one: one.text)
def test_a_sound_implementation_passes_where_laws_have_densities(settings):
    check_sound(settings, 300)

"""The accountant protocol of Opacus, which is not installed: a history of noise, rates, steps."""

from __future__ import annotations

from math import inf
from types import SimpleNamespace
from typing import Any

import pytest
from dp_accounting import dp_event as events

from pfverify import InputError
from pfverify.bridges.dp_accounting import CertifiedAccountant
from pfverify.bridges.opacus import CertifiedHistory


def test_a_history_is_what_its_events_are() -> None:
    history = CertifiedHistory([(1.0, 0.01, 3), (2.0, 0.02, 2), (3.0, 1.0, 2)], gap="1/5")
    steps = [
        events.SelfComposedDpEvent(events.PoissonSampledDpEvent(q, events.GaussianDpEvent(z)), n)
        for z, q, n in history.history
    ]
    accountant = CertifiedAccountant(gap="1/5").compose(events.ComposedDpEvent(steps))
    assert history.proved == accountant.proved
    assert history.bounds(1e-6) == accountant.bounds(delta=1e-6)
    assert len(history) == 7
    assert history.certificate(1e-3).verdict == "certified"


def test_steps_are_noted_as_the_optimizer_takes_them() -> None:
    history = CertifiedHistory()
    hook = history.get_optimizer_hook_fn(0.01)
    for noise, iterations in ((1.0, 1), (1.0, 1), (1.0, 2), (2.0, 1)):
        hook(SimpleNamespace(noise_multiplier=noise, accumulated_iterations=iterations))
    assert history.history == [(1.0, 0.01, 2), (1.0, 0.02, 1), (2.0, 0.01, 1)]
    other = CertifiedHistory()
    other.load_state_dict(history.state_dict())
    assert other.history == history.history
    assert other.state_dict({"of": "mine"})["mechanism"] == "pfverify"


def test_nothing_costs_nothing_and_no_noise_everything() -> None:
    assert CertifiedHistory().get_epsilon(delta=1e-5) == 0
    assert CertifiedHistory([(1.0, 0.0, 9), (0.0, 0.0, 3)]).get_epsilon(delta=1e-5) == 0
    assert CertifiedHistory([(0.0, 0.5, 1)]).get_epsilon(delta=1e-5, eps_error=0.1) == inf
    assert CertifiedHistory([(0.0, 0.5, 0)]).get_epsilon(delta=1e-5) == 0


@pytest.mark.parametrize(("entry", "said"), [
    ((1.0, 0.5), "is no .noise multiplier, sample rate, steps"),
    ((-1.0, 0.5, 1), "noise_multiplier: -1.0 is negative"),
    ((1.0, 1.5, 1), "sample_rate: 1.5 is outside"),
    ((1.0, 0.5, 1.5), "history: 1.5 is no number of steps"),
    ((1.0, 0.5, True), "history: True is no number of steps"),
    (("x", 0.5, 1), "noise_multiplier: x is no finite number"),
    ((True, 0.5, 1), "noise_multiplier: True is no number"),
])  # fmt: skip
def test_an_entry_that_states_no_step_is_refused(entry: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        CertifiedHistory([entry]).get_epsilon(delta=1e-5)


def test_a_state_without_a_history_is_refused() -> None:
    with pytest.raises(InputError, match="it has no history"):
        CertifiedHistory().load_state_dict({})

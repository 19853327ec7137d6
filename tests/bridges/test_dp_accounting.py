"""dp-accounting: its own tests of accountants, its own numbers, closed forms, and certificates."""

from __future__ import annotations

import unittest
from collections.abc import Iterator
from importlib.metadata import version
from math import exp, inf, log
from random import Random
from typing import Any

import pytest
from dp_accounting import dp_event as events
from dp_accounting import privacy_accountant_test as own_tests
from dp_accounting.gaussian_mechanism import get_epsilon_gaussian
from dp_accounting.pld import pld_privacy_accountant as pld
from dp_accounting.pld import pld_privacy_accountant_test as pld_tests
from dp_accounting.privacy_accountant import NeighboringRelation, UnsupportedEventError
from support.kernel_run import accepted_certificate

from pfverify import InputError, certify, loss
from pfverify.answers.loss import LossResult
from pfverify.bridges.dp_accounting import CertifiedAccountant, problem_of
from pfverify.bridges.opacus import CertifiedHistory
from pfverify.model.digest import problem_digest
from pfverify.model.problem import Problem

ADD, REPLACE, SPECIAL = (
    NeighboringRelation.ADD_OR_REMOVE_ONE, NeighboringRelation.REPLACE_ONE,
    NeighboringRelation.REPLACE_SPECIAL,
)  # fmt: skip


class TestAsAnAccountant(own_tests.PrivacyAccountantTest):  # type: ignore[misc]
    """What dp-accounting asks of every accountant."""

    def _make_test_accountants(self) -> list[CertifiedAccountant]:
        return [CertifiedAccountant(relation) for relation in NeighboringRelation]


# of its accountant's own tests, those about an event that is not taken, and of a number that takes
# many minutes to twelve digits
NOT_TAKEN = {"test_truncated_subsampled_gaussian_basic", "test_mixture_of_gaussians_basic"}


def each_of(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from each_of(one)
        else:
            yield one


def test_it_passes_the_tests_of_the_accountant_that_it_replaces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def made(relation: NeighboringRelation = ADD, **_: Any) -> CertifiedAccountant:
        return CertifiedAccountant(relation)

    monkeypatch.setattr(pld, "PLDAccountant", made)
    found = [*each_of(
        unittest.defaultTestLoader.loadTestsFromTestCase(pld_tests.PldPrivacyAccountantTest)
    )]  # fmt: skip
    taken = [one for one in found if one.id().rpartition(".")[2] not in NOT_TAKEN]
    assert len(taken) == len(found) - len(NOT_TAKEN) > 60
    result = unittest.TestResult()
    unittest.TestSuite(taken).run(result)
    assert not result.failures, result.failures[0][1]
    assert not result.errors, result.errors[0][1]
    assert result.testsRun == len(taken)


# ---------------------------------------------------------------- its numbers

ONE = {
    "gaussian": (events.GaussianDpEvent(1.5), [ADD, REPLACE, SPECIAL]),
    "laplace": (events.LaplaceDpEvent(4.0), [ADD, SPECIAL]),
    "discrete": (events.DiscreteLaplaceDpEvent(0.3, 2), [ADD, SPECIAL]),
    "mixture": (events.MixtureOfGaussiansDpEvent(3.0, [0, 1], [0.7, 0.3]), [ADD]),
    "response": (events.RandomizedResponseDpEvent(0.5, 7), [REPLACE, SPECIAL]),
    "sampled": (events.PoissonSampledDpEvent(0.1, events.GaussianDpEvent(1.0)),
                [ADD, REPLACE, SPECIAL]),
    "sampled laplace": (events.PoissonSampledDpEvent(0.2, events.LaplaceDpEvent(1.0)), [ADD]),
}  # fmt: skip
CASES = [(name, relation) for name, (_, known) in ONE.items() for relation in known]


@pytest.mark.parametrize(("name", "relation"), [case for case in CASES if case[0] != "mixture"])
def test_one_event_is_what_a_fine_estimate_says(name: str, relation: NeighboringRelation) -> None:
    event = ONE[name][0]
    ours = CertifiedAccountant(relation).compose(event)
    theirs = pld.PLDAccountant(relation).compose(event)
    for delta in (1e-6, 1e-2):
        low, high = ours.bounds(delta=delta)
        assert low <= high <= low + 1e-9 + 1e-9 * high
        assert theirs.get_epsilon(delta) == pytest.approx(high, rel=1e-4, abs=1e-4)
    for epsilon in (0.0, 0.25, 1.0):
        low, high = ours.bounds(epsilon=epsilon)
        assert low <= high
        assert theirs.get_delta(epsilon) == pytest.approx(high, rel=1e-3, abs=1e-8)


def test_a_mixture_of_two_is_a_poisson_sample() -> None:
    sample = events.PoissonSampledDpEvent(0.3, events.GaussianDpEvent(3.0))
    ours = [CertifiedAccountant().compose(one, 4).proved for one in (ONE["mixture"][0], sample)]
    assert ours[0] == ours[1]


def test_what_is_composed_lies_around_its_estimate() -> None:
    rng, seen = Random("events"), set()
    for _ in range(6):
        some = rng.sample(["gaussian", "laplace", "discrete", "sampled laplace"], 2)
        seen |= {*some}
        event = events.ComposedDpEvent([
            events.SelfComposedDpEvent(ONE[name][0], rng.randint(1, 6)) for name in some
        ])  # fmt: skip
        low, high = CertifiedAccountant(gap="1/20").compose(event, 2).bounds(delta=1e-5)
        estimate = pld.PLDAccountant().compose(event, 2).get_epsilon(1e-5)
        assert low <= estimate * (1 + 1e-4)
        assert high >= estimate * (1 - 1e-3)
        assert high - low <= high / 50
    assert len(seen) == 4


def test_gaussian_events_are_one_whatever_their_number() -> None:
    event = events.ComposedDpEvent([
        events.SelfComposedDpEvent(events.GaussianDpEvent(30.0), 1000),
        events.GaussianDpEvent(6.0),
    ])  # fmt: skip
    low, high = CertifiedAccountant().compose(event).bounds(delta=1e-6)
    sigma = (1000 / 900 + 1 / 36) ** -0.5
    assert low <= get_epsilon_gaussian(sigma, 1e-6) * (1 + 1e-9)
    assert high == pytest.approx(get_epsilon_gaussian(sigma, 1e-6), rel=1e-9)


def test_closed_forms() -> None:
    laplace = CertifiedAccountant().compose(events.LaplaceDpEvent(0.5))
    assert laplace.get_epsilon(0) == pytest.approx(2, abs=1e-9)
    assert laplace.get_delta(1) == pytest.approx(1 - exp(-0.5), abs=1e-9)
    told = CertifiedAccountant(REPLACE).compose(events.RandomizedResponseDpEvent(0.5, 4), 3)
    assert told.get_epsilon(0) == pytest.approx(3 * log(5), abs=1e-9)
    assert CertifiedAccountant().compose(events.GaussianDpEvent(1.0)).get_epsilon(0) == inf


@pytest.mark.skipif(version("dp-accounting") != "0.6.0", reason="it may be mended since")
@pytest.mark.parametrize("relation", [REPLACE, SPECIAL])
def test_its_accountant_counts_randomized_responses_once(relation: NeighboringRelation) -> None:
    """dp-accounting 0.6.0: five of them are given the epsilon of one, which is refuted."""
    event = events.SelfComposedDpEvent(events.RandomizedResponseDpEvent(0.5, 10), 5)
    claimed = pld.PLDAccountant(relation).compose(event).get_epsilon(1e-5)
    assert claimed < 2.5
    assert CertifiedAccountant(relation).compose(event).bounds(delta=1e-5)[0] > 8
    problem = problem_of(event, epsilon="5/2", delta="1e-5", neighbors=relation)
    found = certify(problem)
    assert accepted_certificate(problem.to_table(), problem, found)[1] == "refuted"


# ---------------------------------------------------------------- problems and certificates


@pytest.mark.parametrize(("name", "relation"), CASES)
def test_the_certificate_is_accepted(name: str, relation: NeighboringRelation) -> None:
    accountant = CertifiedAccountant(relation, gap="1/5").compose(ONE[name][0], 2)
    found = accountant.certificate(1e-3)
    assert found.verdict == "certified"
    low, high = accountant.bounds(delta=1e-3)
    assert low <= found.epsilon <= high * 1.11 + 0.1
    problem = problem_of(ONE[name][0], epsilon=1, neighbors=relation)
    assert Problem.from_table(problem.to_table()) == problem
    _, word, _ = accepted_certificate(problem.to_table(), problem, certify(problem))
    assert word in ("certified", "refuted")


def test_floats_are_the_decimals_that_print_as_them() -> None:
    event = events.PoissonSampledDpEvent(0.1, events.GaussianDpEvent(1.1))
    table = problem_of(event, epsilon=1).to_table()
    assert table["priors"]["with"]["mass"] == {"0": "9/10", "1": "1/10"}
    assert table["noise"]["scale"] == "11/10"
    assert loss(problem_of(event, epsilon=1)).delta.upper < 1
    asked = problem_of(event, epsilon=0.1, delta=1e-6)
    assert problem_digest(asked) == problem_digest(
        problem_of(event, epsilon="1/10", delta="1/1000000")
    )
    found = [CertifiedAccountant(gap=gap).compose(event) for gap in (0.05, "1/20")]
    assert found[0].bounds(delta=1e-3) == found[1].bounds(delta=1e-3)


def test_what_was_found_is_kept_until_there_is_more(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Problem] = []

    def counted(problem: Problem, **more: Any) -> LossResult:
        asked.append(problem)
        return loss(problem, **more)

    monkeypatch.setattr("pfverify.bridges.steps.loss", counted)
    accountant = CertifiedAccountant().compose(events.LaplaceDpEvent(2.0))
    history = CertifiedHistory([(1.0, 1.0, 1)])
    for _ in range(2):
        accountant.get_epsilon(0.1)
        accountant.bounds(delta=0.1)
        accountant.certificate(0.1)
        history.get_epsilon(delta=0.1)
        history.bounds(0.1)
    assert len(asked) == 2
    assert accountant.compose(events.LaplaceDpEvent(2.0)).get_epsilon(0.1) > 0.5
    history.history.append((2.0, 1.0, 1))
    assert history.get_epsilon(delta=0.1) > 1
    assert len(asked) == 4


@pytest.mark.parametrize(("event", "said"), [
    (events.UnsupportedDpEvent(), "this kind of event is not known"),
    (events.GaussianDpEvent(-1.0), "noise_multiplier: -1.0 is not > 0"),
    (events.GaussianDpEvent(float("nan")), "noise_multiplier: nan is no finite number"),
    (events.LaplaceDpEvent(inf), "noise_multiplier: inf is no finite number"),
    (events.DiscreteLaplaceDpEvent(0.5, 1.5), "sensitivity: 1.5 is no whole number > 0"),
    (events.RandomizedResponseDpEvent(0.5, 3), "neighboring_relation must be `REPLACE_ONE`"),
    (events.PoissonSampledDpEvent(1.5, events.GaussianDpEvent(1.0)), "is outside"),
    (events.PoissonSampledDpEvent(0.5, events.DiscreteLaplaceDpEvent(1.0, 1)),
     "not before DiscreteLaplaceDpEvent"),
    (events.MixtureOfGaussiansDpEvent(1.0, [0.0, 1.0], [0.5, 0.4]), "the chances sum to 9/10"),
    (events.SampledWithoutReplacementDpEvent(9, 3, events.GaussianDpEvent(1.0)), "not known"),
    (events.NonPrivateDpEvent(), "it is not private"),
    (events.NoOpDpEvent(), "none of them tells anything"),
])  # fmt: skip
def test_what_cannot_be_taken_says_what_and_why(event: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        problem_of(event, epsilon=1)
    if "private" not in said and "tells" not in said:
        with pytest.raises(UnsupportedEventError, match="caused by subevent"):
            CertifiedAccountant().compose(events.SelfComposedDpEvent(event, 3))


def test_numbers_outside_their_range_are_refused() -> None:
    accountant = CertifiedAccountant().compose(events.LaplaceDpEvent(1.0))
    wrong: list[dict[str, float]] = [
        {"delta": -0.1}, {"delta": 1.5}, {"epsilon": -1.0}, {}, {"delta": 0, "epsilon": 1},
        {"delta": float("nan")},
    ]  # fmt: skip
    for asked in wrong:
        with pytest.raises(InputError):
            accountant.bounds(**asked)
    with pytest.raises(InputError, match="no finite epsilon"):
        CertifiedAccountant().compose(events.GaussianDpEvent(1.0)).certificate(0)
    with pytest.raises(TypeError):
        accountant.compose(0.5)


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    import subprocess
    import sys

    code = "import sys, pfverify, pfverify.bridges, pfverify.bridges.opacus; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"dp_accounting", "torch", "opacus"} & set(run.stdout.split())

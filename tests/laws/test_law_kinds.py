"""The law of a release: one for whatever a route decides, and the same number by every view."""

from __future__ import annotations

from fractions import Fraction
from math import exp, inf, isclose, log
from random import Random
from typing import Any

import pytest
from contract.contract_cases import NOISE_MAKERS, PRIOR_MAKERS

from pfverify import (
    Channel,
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Mixture,
    NoNoise,
    TruncatedLaplace,
    UndecidedError,
    WInfinityBall,
    oracle,
)
from pfverify.decide.routes import ROUTES
from pfverify.exact.answer import Answer
from pfverify.exact.ball import precision, raw
from pfverify.laws.bells import whole_sum
from pfverify.laws.floats import log_weights
from pfverify.laws.kinds import ADDED, form_of, has_form, law_of
from pfverify.laws.law import Smooth
from pfverify.model.chains.enclosed import Enclosed
from pfverify.model.priors.joint import Joint

ATOMS = Discrete({0: "1/3", 4: "2/3"})
MIXED = Mixture([{"weight": "1/3", "mean": -1, "variance": "1/4"},
                 {"weight": "2/3", "mean": 2, "variance": 0}])  # fmt: skip
RESPONSE = Channel.of({"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"})
TUPLES = Channel.of(
    {"kind": "tupling", "base": {"kind": "randomized-response", "inputs": ["a", "b"],
                                 "truth": "3/4"}, "dummies": 2}
)  # fmt: skip


UNWRITTEN = {Enclosed, Joint, WInfinityBall}  # of which no law is written out


def test_a_law_is_written_out_or_it_is_known_which_is_not() -> None:
    """Of every kind of noise, and none, with every kind of prior that it takes."""
    seen: set[str] = set()
    for noise, row in ADDED.items():
        for kind in row:  # none of noise that a choice has to follow
            release = NOISE_MAKERS[noise](Fraction(3))
            prior = PRIOR_MAKERS[kind](Random(1)) if kind in PRIOR_MAKERS else None
            if prior is None:
                assert kind in UNWRITTEN
                continue
            form = form_of(prior, release)
            assert (form.law is None) == (kind in UNWRITTEN)
            assert set(form.forms) <= set(ROUTES)
            seen |= set(form.forms)
    assert seen == {"masses", "points", "exponential", "kept", "charts", "gaussian-lattice", "grid"}


def test_a_kind_without_a_law_is_refused_by_name() -> None:
    class Other(Laplace):
        """A kind of its own."""

    with pytest.raises(InputError, match="worked out for discrete priors with laplace noise"):
        law_of(ATOMS, Other(1))
    with pytest.raises(InputError, match="discrete priors with randomized-response chan"):
        law_of(ATOMS, RESPONSE)
    for noise in (Laplace(), DiscreteLaplace(), GaussianNoise(), DiscreteGaussian(),
                  TruncatedLaplace()):
        with pytest.raises(InputError, match="noise: it has no scale"):
            law_of(ATOMS, noise)


@pytest.mark.parametrize("noise", [Laplace("3/2"), DiscreteLaplace("3/2"), GaussianNoise(2),
                                   DiscreteGaussian(2), TruncatedLaplace(2, bound=10**7)])
@pytest.mark.parametrize("prior", [ATOMS, MIXED, Gaussian(1, 2)], ids=["atoms", "mixed", "normal"])
def test_logarithms_are_those_of_the_oracle_however_far_out(prior: Any, noise: Any) -> None:
    if not has_form(prior, noise):
        return
    law, places = law_of(prior, noise), [Fraction(y) for y in (-40, 0, 3, 10**6)]
    ask = oracle.density if law.no_density is None else oracle.mass
    for y, found in zip(places, log_weights(law, places), strict=True):
        if abs(y) < 100:
            assert isclose(exp(found), ask(prior, noise, y, nearest=True), rel_tol=1e-12)
        else:
            assert -inf < found < -(10**5)


def test_what_is_no_output_has_the_logarithm_of_0() -> None:
    lattice = law_of(ATOMS, DiscreteLaplace(1))
    assert log_weights(lattice, [Fraction(1, 2)]) == [-inf]
    within = law_of(ATOMS, TruncatedLaplace(1, bound=1))
    assert log_weights(within, [Fraction(2), Fraction(6), Fraction(5, 2)]) == [-inf] * 3
    assert log_weights(within, [Fraction(1), Fraction(5)])[0] > -inf
    bare = law_of(ATOMS, NoNoise())
    assert log_weights(bare, [Fraction(4), Fraction(1)]) == [pytest.approx(log(2 / 3)), -inf]


def test_a_distribution_function_has_its_exact_values() -> None:
    law = law_of(ATOMS, TruncatedLaplace(1, bound=1))
    third = Fraction(1, 3)
    assert (law.known_below(Fraction(2)), law.known_below(Fraction(-2))) == (third, 0)
    assert law.reaches(Fraction(4), Fraction(2, 3)) is Answer.YES
    assert law.reaches(Fraction(4), Fraction(3, 5)) is Answer.NO
    assert law.weighs(Fraction(0), Fraction(1, 4)) is Answer.NO


@pytest.mark.parametrize("variance", ["1/50", "1/7", "1/6", 1, 40])
def test_both_forms_of_the_sum_over_a_lattice_agree(variance: str | int) -> None:
    v = Fraction(variance)
    with precision(200):
        plain = sum(((-raw(Fraction(k * k) / (2 * v))).exp() for k in range(-300, 301)), raw(0))
        assert (whole_sum(v) - plain).contains(raw(0))
        assert abs(whole_sum(v) - plain) < raw(Fraction(1, 2**180))


def test_a_variance_too_large_for_sums_is_refused() -> None:
    law = law_of(ATOMS, DiscreteGaussian(10**7))
    with precision(96):
        assert law.at_precision().weight(Fraction(0)).value() > 0
        with pytest.raises(InputError, match="too large for sums"):
            law.at_precision().below(Fraction(0))


def test_a_mass_that_is_not_told_from_0_is_said() -> None:
    class Unknown(Smooth):
        whole = raw(1)

        def density(self, y: Fraction) -> Any:
            return raw(0).union(raw(1))

        below = above = density

    law = law_of(MIXED, Laplace(1))
    law.at_precision = Unknown  # type: ignore[method-assign]
    with pytest.raises(UndecidedError, match="not told from 0"):
        log_weights(law, [Fraction(0)])


def test_tuples_have_the_mean_over_the_place_of_the_true_output() -> None:
    law = law_of(Finite({"a": 1}), TUPLES)
    assert law.size == len(law.outputs) == 4
    assert law.outputs[1] == ("a", "a", "b")
    at = law.at_precision()
    # the true output is a in 2 places of 3, with 3/4 then, else b with 1/4; dummies are uniform
    expected = Fraction(2 * 3 + 1, 3 * 4) / 4
    assert at.weight(("a", "a", "b")).value().contains(raw(expected))
    with pytest.raises(InputError, match="no order"):
        at.below(("a", "a", "b"))


def test_only_laws_of_one_kind_are_beside_each_other() -> None:
    normal, atoms = law_of(Gaussian(0, 1), NoNoise()), law_of(ATOMS, NoNoise())
    both = law_of(MIXED, NoNoise())
    assert normal.is_beside(normal)
    assert atoms.is_beside(atoms)
    assert not any(one.is_beside(other) for one, other in
                   [(normal, atoms), (atoms, normal), (both, both), (normal, both)])  # fmt: skip


def test_what_cannot_be_counted_has_no_list_and_what_can_no_width() -> None:
    with pytest.raises(TypeError):
        _ = law_of(ATOMS, Laplace(1)).outputs
    with pytest.raises(TypeError):
        law_of(ATOMS, NoNoise()).width(Fraction(0))

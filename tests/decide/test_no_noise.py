"""X itself is released: verdicts, losses and witnesses against enumeration in exact arithmetic."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Mixture,
    NoNoise,
    Problem,
    calibrate,
    certify,
    loss,
)
from pfverify.answers.outcome import Directed
from pfverify.exact.enclosure import Enclosure

BARE = [NoNoise(), Laplace(0), GaussianNoise("0"), GaussianNoise(variance=0), DiscreteLaplace(0)]
MASSES = [NoNoise(), DiscreteLaplace("0.0", 1)]
EPSILONS = {"0": 1, "log(3/2)": Fraction(3, 2), "log(2)": 2, "log(3)": 3, "log(10)": 10}
DELTAS = ["0", "1/12", "1/4", "1/3", "1/2", "1"]
TABLE = st.dictionaries(st.integers(0, 4), st.integers(1, 4), min_size=1, max_size=4)



def divergence(p: Discrete, q: Discrete, growth: Fraction) -> Fraction:
    atoms = {*p.mass, *q.mass}
    gaps = (p.mass.get(x, Fraction(0)) - growth * q.mass.get(x, Fraction(0)) for x in atoms)
    return sum((max(gap, Fraction(0)) for gap in gaps), Fraction(0))


def largest(p: Discrete, q: Discrete, growth: Fraction) -> Fraction:
    return max(m - growth * q.mass.get(x, Fraction(0)) for x, m in p.mass.items())


def ratio(p: Discrete, q: Discrete) -> Fraction | None:
    if not p.mass.keys() <= q.mass.keys():
        return None
    return max(m / q.mass[x] for x, m in p.mass.items())


def within(x: mpmath.mpf | Fraction, enclosure: Enclosure) -> bool:
    low, high = (mpmath.mpf(end) for end in (enclosure.lower, enclosure.upper))
    value = mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x
    return bool(low - 1e-25 <= value <= high + 1e-25)


def check_witness(pair: Directed, p: Discrete, q: Discrete, growth: Fraction, delta: Fraction,
                  form: str) -> None:
    """The margin is a positive lower bound of what the witness exceeds."""
    witness = pair.witness
    assert witness is not None
    margin = Fraction(witness.margin)
    assert margin > 0
    if witness.event is not None:
        assert all(low == high for low, high in witness.event)
        places = [Fraction(low) for low, _ in witness.event]
        assert len(set(places)) == len(places)
        total = sum((p.mass.get(x, Fraction(0)) - growth * q.mass.get(x, Fraction(0))
                     for x in places), Fraction(0))
        assert total - delta >= margin
        return
    y = Fraction(str(witness.y))
    if delta == 0:
        exact = mpmath.log(mpmath.mpf(p.mass[y].numerator) / p.mass[y].denominator
                           * q.mass[y].denominator / q.mass[y].numerator)
        gap = exact - mpmath.log(mpmath.mpf(growth.numerator) / growth.denominator)
        assert gap >= mpmath.mpf(witness.margin)
    else:
        assert form == "pointwise"
        assert p.mass[y] - growth * q.mass.get(y, Fraction(0)) - delta >= margin


def decided(problem: Problem) -> dict[str, Directed]:
    return {pair.from_: pair for pair in certify(problem).pairs}


SEEN: Counter[str] = Counter()


@pytest.mark.parametrize("form", ["events", "pointwise"])
def test_random_tables_are_decided_as_by_enumeration(form: str) -> None:
    SEEN.clear()

    @settings(max_examples=250, deadline=None, derandomize=True,
              suppress_health_check=list(HealthCheck))
    @given(TABLE, TABLE, st.sampled_from(sorted(EPSILONS)), st.sampled_from(DELTAS),
           st.integers(0, 4))
    def runs(a: dict[int, int], b: dict[int, int], epsilon: str, delta: str, kind: int) -> None:
        priors = {"a": Discrete(counts=a), "b": Discrete(counts=b)}
        noises: list[Any] = BARE if form == "events" else MASSES
        problem = Problem(priors=priors, noise=noises[kind % len(noises)], epsilon=epsilon,
                          delta=delta, form=form)
        growth, bound = Fraction(EPSILONS[epsilon]), Fraction(delta)
        found, measured = decided(problem), {x.from_: x for x in loss(problem).pairs}
        for source, target in (("a", "b"), ("b", "a")):
            p, q, pair = priors[source], priors[target], found[source]
            worst = (divergence if form == "events" else largest)(p, q, growth)
            truth = "certified" if worst <= bound else "refuted"
            assert pair.verdict == truth, (problem, pair)
            tie = worst == bound if bound or form == "events" else ratio(p, q) == growth
            if bound == 0:
                tie = ratio(p, q) == growth
            if not (form == "events" and bound == 1):
                assert pair.tie == tie, (pair, worst)
            top = ratio(p, q)
            if top is None:
                assert pair.loss == Enclosure("inf", "inf")
            else:
                assert pair.loss is not None
                with mpmath.workdps(40):
                    assert within(mpmath.log(mpmath.mpf(top.numerator) / top.denominator),
                                  pair.loss)
            assert within(max(worst, Fraction(0)), measured[source].delta)
            if truth == "refuted":
                check_witness(pair, p, q, growth, bound, form)
                assert pair.rule in ("pure-refuted", "event-refuted", "pointwise-refuted")
            else:
                assert pair.rule == "no-noise"
            least = measured[source].epsilon_at_delta
            if least is not None and form == "events":
                if least.upper == "inf":
                    assert sum(m for x, m in p.mass.items() if x not in q.mass) > bound
                else:
                    with mpmath.workdps(40):
                        here = mpmath.exp(mpmath.mpf(least.upper))
                        gaps = [mpmath.mpf(m.numerator) / m.denominator
                                - here * mpmath.mpf(float(q.mass.get(x, 0)))
                                for x, m in p.mass.items()]
                        assert sum(max(g, 0) for g in gaps) <= float(bound) + 1e-9
            SEEN[truth] += 1
            SEEN["tie"] += tie
            SEEN["disjoint"] += not p.mass.keys() & q.mass.keys()
            SEEN["infinite"] += top is None

    runs()
    assert min(SEEN[case] for case in ("certified", "refuted", "tie", "disjoint", "infinite")) > 9


def test_certified_without_noise_is_certified_at_every_scale() -> None:
    reached = 0

    @settings(max_examples=60, deadline=None, derandomize=True,
              suppress_health_check=list(HealthCheck))
    @given(TABLE, TABLE, st.sampled_from(sorted(EPSILONS)), st.sampled_from(DELTAS),
           st.sampled_from(["1/100", "1", "7"]))
    def runs(a: dict[int, int], b: dict[int, int], epsilon: str, delta: str, scale: str) -> None:
        nonlocal reached
        problem = Problem(priors={"a": Discrete(counts=a), "b": Discrete(counts=b)},
                          noise=Laplace(0), epsilon=epsilon, delta=delta)
        if certify(problem).verdict == "certified":
            reached += 1
            assert certify(problem.replaced(scale=scale)).verdict == "certified"
            assert calibrate(problem).minimum.upper == "0"

    runs()
    assert reached > 9


def test_laws_with_densities_too() -> None:
    one = Mixture([{"weight": "1/2", "mean": 0, "variance": 1},
                   {"weight": "1/2", "mean": 0, "variance": 4}])
    other = Mixture([{"weight": "1/4", "mean": 0, "variance": 1},
                     {"weight": "3/4", "mean": 0, "variance": 4}])
    for noise, scale in ((Laplace(0), 3), (GaussianNoise(0), 2), (NoNoise(), None)):
        problem = Problem(priors={"a": one, "b": other}, noise=noise, epsilon="log(2)")
        assert certify(problem).verdict == "certified"
        if scale is not None:
            assert certify(problem.replaced(scale=scale)).verdict == "certified"
        close = problem.replaced(epsilon="0.4")  # the tails need log(3/2) = 0.405...
        assert certify(close).verdict == "refuted"
        assert certify(close).pairs[0].rule == "pure-refuted"


@pytest.mark.parametrize("noise", [Laplace(0), GaussianNoise(0)], ids=lambda noise: noise.kind)
def test_atoms_have_no_density_for_the_pointwise_form(noise: Any) -> None:
    problem = Problem(priors={"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=noise,
                      epsilon=1, delta="1/2", form="pointwise")
    for ask in (certify, loss):
        with pytest.raises(InputError, match="no density") as caught:
            ask(problem)
        assert "\n" not in str(caught.value)
    assert calibrate(problem).minimum.upper not in ("0", "inf")  # the file's scale is not asked


def test_a_mixture_with_atoms_has_no_density_and_normal_laws_have_their_own() -> None:
    mixed = Mixture([{"weight": "1/2", "mean": 0, "variance": 0},
                     {"weight": "1/2", "mean": 0, "variance": 1}])
    for other in (mixed, Discrete({0: 1})):
        problem = Problem(priors={"a": Gaussian(0, 1), "b": other}, noise=NoNoise(), epsilon=1,
                          form="pointwise")
        with pytest.raises(InputError, match="no density"):
            certify(problem)
    # N(0, 1) against N(1, 1): the density exceeds by 0.0984... = sup of phi(y) - e phi(y - 1)
    laws = {"a": Gaussian(0, 1), "b": Gaussian(1, 1)}
    for delta, verdict in (("0.0984", "refuted"), ("0.0985", "certified")):
        problem = Problem(priors=laws, noise=NoNoise(), epsilon=1, delta=delta, form="pointwise")
        assert certify(problem).verdict == verdict


def test_what_is_assumed_says_that_the_value_is_published() -> None:
    problem = Problem(priors={"a": Discrete({0: 1}), "b": Discrete({0: 1})}, noise=Laplace(0),
                      epsilon=1)
    for assumed in (certify(problem).assumed, loss(problem).assumed):
        assert "the value itself is published: no noise" in assumed
        assert not any("ideal" in words for words in assumed)
    assert any("ideal" in words for words in calibrate(problem).assumed)


def test_noise_of_kind_none_has_no_scale_to_find() -> None:
    problem = Problem(priors={"a": Discrete({0: 1}), "b": Discrete({0: 1})}, noise=NoNoise(),
                      epsilon=1)
    for ask in (lambda: calibrate(problem), lambda: problem.replaced(scale=1)):
        with pytest.raises(InputError, match="none has no scale"):
            ask()


def test_epsilon_does_not_matter_where_the_other_prior_has_nothing() -> None:
    problem = Problem(priors={"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({1: 1})},
                      noise=NoNoise(), epsilon="1/log(2)", delta="1/2")
    result = certify(problem)
    assert result.verdict == "certified"
    assert result.pairs[0].tie


def test_huge_and_tiny_numbers_end() -> None:
    tiny = Fraction(1, 10**3000)
    priors = {"a": Discrete({0: tiny, 1: 1 - tiny}), "b": Discrete({0: tiny**2, 1: 1 - tiny**2})}
    for epsilon, verdict in (("1e30", "certified"), (6907, "refuted"), (6908, "certified")):
        problem = Problem(priors=priors, noise=NoNoise(), epsilon=epsilon)
        assert certify(problem).verdict == verdict

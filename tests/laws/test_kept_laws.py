"""Laws of kept densities: their single outputs, their parts as draws see them, and pictures."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import exp, inf, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import laplace, norm

from pfverify import (
    Discrete,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Nothing,
    Problem,
    TruncatedLaplace,
    certify,
)
from pfverify.answers.sampled_outputs import sampled_outputs_of
from pfverify.crosscheck.samplers.parts import MixedParts, parts_of
from pfverify.crosscheck.samplers.plan import planned, priors_of
from pfverify.edge.pictured import log_ratio
from pfverify.edge.pictures import Plot
from pfverify.edge.report.laws import drawn_laws
from pfverify.laws.floats import log_weights
from pfverify.laws.kept import KeptLaw
from pfverify.laws.kinds import law_of

CLAMP = [{"clamp": ["-1/3", 3]}]
BOTH = [*CLAMP, {"threshold": {"at": "1/2", "keep": "at-least"}}]
ATOMS = Discrete({0: "1/2", 2: "1/2"})


def question(first: Any, noise: Any, post: Any, second: Any = ATOMS) -> Any:
    asked = Problem({"a": first, "b": second}, noise=noise, post=post, epsilon=1, delta="1/10")
    return next(asked.questions())


def law(first: Any, noise: Any, post: Any) -> KeptLaw:
    item = question(first, noise, post)
    found = law_of(item.first_prior, item.release)
    assert isinstance(found, KeptLaw)
    return found


CDFS: list[tuple[Any, Any, Callable[[float], float]]] = [
    (ATOMS, Laplace(2), lambda y: (laplace.cdf(y, 0, 2) + laplace.cdf(y, 2, 2)) / 2),
    (ATOMS, GaussianNoise(2), lambda y: (norm.cdf(y, 0, 2) + norm.cdf(y, 2, 2)) / 2),
    (Gaussian(1, variance=3), GaussianNoise(1), lambda y: norm.cdf(y, 1, 2)),
]


@pytest.mark.parametrize(("prior", "noise", "cdf"), CDFS)
def test_masses_and_densities_are_those_of_scipy(prior: Any, noise: Any, cdf: Any) -> None:
    found = law(prior, noise, BOTH)
    assert [one.output for one in found.singles] == ["suppressed", "3"]
    told = [exp(x) for x in log_weights(found, ["suppressed", "3"])]
    assert told == pytest.approx([cdf(0.5), 1 - cdf(3)], rel=1e-12)
    places = [Fraction(1, 2), Fraction(7, 5), Fraction(3)]
    slopes = [(cdf(float(y) + 1e-6) - cdf(float(y) - 1e-6)) / 2e-6 for y in places]
    assert [exp(x) for x in log_weights(found, places)] == pytest.approx(slopes, rel=1e-4)
    assert log_weights(found, [Fraction(0), Fraction(4)]) == [-inf, -inf]


def test_no_row_has_its_mass_where_it_is_suppressed() -> None:
    found = law(Nothing(ATOMS, "1/4"), Laplace(2), BOTH)
    below = (laplace.cdf(0.5, 0, 2) + laplace.cdf(0.5, 2, 2)) / 2
    assert exp(log_weights(found, ["suppressed"])[0]) == pytest.approx(3 / 4 + below / 4)
    never = law(Nothing(), Laplace(2), BOTH)
    assert log_weights(never, ["suppressed", "3", Fraction(1)]) == [0, -inf, -inf]


def test_a_bound_leaves_no_mass_beyond_it() -> None:
    found = law(Discrete({0: 1}), TruncatedLaplace(1, 2), CLAMP)
    assert log_weights(found, ["3", Fraction(5, 2)]) == [-inf, -inf]


def test_steps_that_keep_nothing_have_no_such_law() -> None:
    item = question(ATOMS, GaussianNoise(1), [{"round": {"to": "1", "ties": "up"}}])
    with pytest.raises(InputError, match="where they keep no density"):
        law_of(item.first_prior, item.release)


def drawn(number: int, scale: float, seed: int, *, at: float = 0.5) -> list[str]:
    """Draws of ATOMS with Laplace noise behind both steps."""
    rng = np.random.default_rng(seed)
    y = rng.choice([0.0, 2.0], number) + rng.laplace(0, scale, number)
    y = np.clip(y, -1 / 3, 3)
    return ["suppressed" if v < at else repr(float(v)) for v in y]


def test_draws_fall_into_parts_as_their_words_say() -> None:
    parts = parts_of([law(ATOMS, Laplace(2), BOTH)], 1000)
    assert isinstance(parts, MixedParts)
    counts = parts.counts(["suppressed", "3", "3.0", "0.5", "2.9", "0.25", "4", "nan", "x"])
    assert counts[parts.names.index("suppressed")] == 1
    assert counts[parts.names.index("3")] == 2
    assert counts[1] == 1
    assert counts[-1] == 4
    assert sum(counts) == 9
    cells = [k for k, name in enumerate(parts.names) if name is None]
    assert parts.words(frozenset(cells)) == "0.5 < y <= 3"
    assert parts.words(frozenset({0})) == "'suppressed'"
    assert parts.counts(np.array([3.0, 1.0, inf]))[-1] == 1


def test_chances_of_parts_add_up() -> None:
    for prior in (ATOMS, Nothing(ATOMS, "1/3"), Nothing()):
        found = law(prior, Laplace(2), BOTH)
        parts = parts_of([found], 1000)
        low, high = parts.chances(found).of(frozenset(range(parts.size)))
        assert low <= 1 <= high or high == 1
        assert high - low < 10**-12


@pytest.mark.parametrize(("scale", "at", "word"), [(2.0, 0.5, "not refuted"),
                                                   (3.0, 0.5, "refuted"),
                                                   (2.0, 0.6, "refuted")])  # fmt: skip
def test_a_sampler_of_kept_densities_is_held_to_its_law(scale: float, at: float, word: str) -> None:
    asked = Problem({"a": ATOMS, "b": Discrete({0: "1/2", 2: "1/2"})}, noise=Laplace(2),
                    post=BOTH, epsilon=1, delta="1/10")  # fmt: skip
    keys = list(priors_of(asked))
    plan = planned(asked, "sampler", dict.fromkeys(keys, 20_000))
    draws = {key: drawn(20_000, scale, k, at=at) for k, key in enumerate(keys)}
    assert plan.result(draws, "f", called=True, seed=0).found == word


def test_pictures_have_stems_beside_the_density() -> None:
    item = question(Nothing(ATOMS, "1/2"), Laplace(2), BOTH, Discrete({1: 1}))
    laws = drawn_laws(item.release, item.first_prior, item.second_prior, "suppressed")
    assert [one.name for one in laws.stems] == ["suppressed", "3"]
    assert laws.stems[0].y < laws.y[0] == 0.5
    assert laws.y[-1] == 3 == laws.stems[1].y
    total = sum(exp(one.first) for one in laws.stems)
    total += np.trapezoid([exp(x) for x in laws.first], laws.y)
    assert total == pytest.approx(1, abs=1e-4)


def test_a_plot_shows_single_outputs_beside_the_curve(tmp_path: Path) -> None:
    asked = Problem({"a": ATOMS, "b": Discrete({1: 1})}, noise=Laplace(2), post=BOTH, epsilon=1)
    found = log_ratio(asked, certify(asked).pairs[0])
    assert min(found.xs) == 0.5
    assert max(found.xs) == 3
    assert len(found.singles) == 2
    assert found.singles[0][0] < 0.5
    first = (laplace.cdf(0.5, 0, 2) + laplace.cdf(0.5, 2, 2)) / 2
    size = abs(log(first / laplace.cdf(0.5, 1, 2)))
    assert abs(found.singles[0][1]) == pytest.approx(size, rel=1e-9)
    assert isinstance(found.picture(), Plot)
    seen = sampled_outputs_of(next(asked.questions()), 20, 20)
    assert len(seen.points) == 20
    assert seen.word(seen.points[0]) == "'suppressed'"

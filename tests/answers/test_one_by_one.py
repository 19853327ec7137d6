"""Scales of noise of which no larger one is known to be more private: each is decided by itself."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import (
    CalibrateResult,
    Discrete,
    DiscreteGaussian,
    Laplace,
    Problem,
    TruncatedLaplace,
    calibrate,
    certify,
)
from pfverify.edge.cli import main
from pfverify.model.releases.release import Noise
from pfverify.model.releases.stepped import Stepped

POINTS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}


def asked(noise: Noise, epsilon: Any, delta: Any, laws: Any = POINTS, post: Any = None) -> Problem:
    return Problem(laws, noise=noise, post=post, epsilon=epsilon, delta=delta)


def confirmed(problem: Problem, found: CalibrateResult) -> int:
    """Every row has the verdict of certify on exactly its numbers; how many there are."""
    for method in found.methods.values():
        noise = problem.release.noise.with_scale(str(method.scale))
        if method.bound is not None:
            noise = TruncatedLaplace(str(method.scale), str(method.bound))
        release = problem.release
        steps = release.steps if isinstance(release, Stepped) else None
        again = problem.under(noise if steps is None else Stepped(noise, steps))
        assert certify(again).verdict is method.verdict
    return len(found.methods)


def test_the_published_bound_is_decided_at_its_decimals() -> None:
    problem = asked(TruncatedLaplace(bound=14), 1, "1e-6")
    found = calibrate(problem)
    row = found.methods["truncated_published"]
    assert (str(row.scale), row.exact, str(row.bound), row.verdict, row.waste) == (
        "1", "1", "13.663689396", "certified", None
    )  # fmt: skip
    assert found.to_dict()["methods"]["truncated_published"]["bound"] == "13.663689396"
    assert "bound" not in found.to_dict()["methods"]["tried"]
    assert "not always more private" in found.not_applicable["minimum"]
    assert any(words.startswith("tried: the least of the scales that") for words in found.assumed)
    assert confirmed(problem, found) == 2


def delta_of(sigma: Any, epsilon: int, distance: int) -> Any:
    """The published formula, by a direct sum."""
    sigma = mpmath.mpf(str(sigma))
    mass = {k: mpmath.exp(-mpmath.mpf(k) ** 2 / (2 * sigma**2)) for k in range(-200, 201)}
    whole = sum(mass.values())
    low = epsilon * sigma**2 / distance - mpmath.mpf(distance) / 2
    first = sum(m for k, m in mass.items() if k > low)
    second = sum(m for k, m in mass.items() if k > low + distance)
    return (first - mpmath.exp(epsilon) * second) / whole


@pytest.mark.parametrize(("delta", "distance"), [("1e-3", 1), ("1e-2", 2)])
def test_published_scales_of_discrete_gaussian_noise(delta: str, distance: int) -> None:
    laws = {"a": Discrete({0: 1}), "b": Discrete(counts={distance: 2, distance - 1: 1})}
    problem = asked(DiscreteGaussian(), 1, delta, laws)
    found = calibrate(problem, digits=8)
    with mpmath.workdps(30):
        exact = found.methods["discrete_gaussian_exact"]
        sigma, step = Fraction(str(exact.scale)), Fraction(1, 10**7)
        assert delta_of(float(sigma), 1, distance) <= mpmath.mpf(delta) * (1 + mpmath.mpf("1e-7"))
        assert delta_of(float(sigma - 3 * step), 1, distance) > mpmath.mpf(delta)
        rest = mpmath.log(1 / mpmath.mpf(delta))
        closed = distance * (mpmath.sqrt(1 + rest) + mpmath.sqrt(rest)) / mpmath.sqrt(2)
        near = found.methods["discrete_gaussian_concentrated"]
        assert 0 <= mpmath.mpf(str(near.scale)) - closed < 1e-6
    assert exact.certified
    assert near.certified
    assert confirmed(problem, found) == 3
    assert found.minimum.upper == found.methods["tried"].scale


def test_a_scale_between_certified_ones_may_fail() -> None:
    """Discrete Gaussian noise, 0 against 1: delta .18966 at variance .5, .19211 at .55 (F48)."""
    verdicts = [
        certify(asked(DiscreteGaussian(variance=v), 1, "1903/10000")).verdict
        for v in ("1/2", "11/20", "1")
    ]
    assert verdicts == ["certified", "refuted", "certified"]
    found = calibrate(asked(DiscreteGaussian(), 1, "1903/10000"), digits=6)
    assert "minimum" not in found.methods


@pytest.mark.parametrize("noise", [TruncatedLaplace(2, bound=9), DiscreteGaussian(2)])
def test_what_has_no_recipe_says_so(noise: Noise) -> None:
    found = calibrate(asked(noise, 1, 0), digits=4)
    assert found.methods == {}
    assert {"minimum", "tried"} < set(found.not_applicable)
    assert found.minimum.upper == "inf"
    said = {why for name, why in found.not_applicable.items() if name.count("_")}
    assert said == {"delta is 0: this recipe is for delta above 0"}
    same = {"a": Discrete({0: 1}), "b": Discrete({0: 1})}
    assert confirmed(asked(noise, 1, "1/9", same), calibrate(asked(noise, 1, "1/9", same))) >= 1


def test_shared_ends_have_scales_at_delta_0() -> None:
    laws = {"a": Discrete({0: "1/2", 2: "1/2"}), "b": Discrete({0: "1/3", 1: "1/3", 2: "1/3"})}
    problem = asked(DiscreteGaussian(2), 1, 0, laws)
    found = calibrate(problem, digits=4)
    assert found.methods["tried"].certified
    assert confirmed(problem, found) == 1


@settings(max_examples=5, deadline=None)
@given(
    st.dictionaries(st.integers(0, 3), st.integers(1, 4), min_size=1, max_size=2),
    st.dictionaries(st.integers(0, 3), st.integers(1, 4), min_size=1, max_size=2),
    st.sampled_from(["1/2", "2"]), st.sampled_from(["1/10", "1/100", "3/5"]),
    st.sampled_from([None, [{"threshold": {"at": 2}}]]),
)  # fmt: skip
def test_no_row_is_certified_but_by_certify(
    one: dict[int, int], other: dict[int, int], epsilon: str, delta: str, post: Any
) -> None:
    laws = {"a": Discrete(counts=one), "b": Discrete(counts=other)}
    problem = asked(TruncatedLaplace(1, bound=6), epsilon, delta, laws, post)
    confirmed(problem, calibrate(problem, digits=4))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.toml"
    asked(TruncatedLaplace(1, bound=14), 1, "1e-6").save(path)
    assert main(["calibrate", str(path)]) == 0
    out = capsys.readouterr().out
    assert "1 with bound 13.6637" in out
    assert "at exactly the scale that is shown" in out
    assert main(["calibrate", str(path), "--delta", "0"]) == 3
    assert "No scale that was tried is certified" in capsys.readouterr().out
    for more in (["-o", "x.cert"], ["--write", "x.toml"], ["--plot"]):
        assert main(["calibrate", str(path), *more]) == 2


@pytest.mark.long
def test_a_report_shows_them(tmp_path: Path) -> None:
    path, page = tmp_path / "t.toml", tmp_path / "t.html"
    for noise in (TruncatedLaplace(1, bound=14), DiscreteGaussian(6)):
        asked(noise, 1, "1e-6").save(path)
        assert main(["report", str(path), "-o", str(page)]) == 0
        assert "at exactly the" in page.read_text("utf-8")


def test_rows_of_steps_come_back_from_other_processes() -> None:
    from pfverify.many import calibrate_many

    problem = asked(Laplace(), "1/2", "1/100", POINTS, [{"round": {"to": 10}}])
    (found,) = calibrate_many([problem], jobs=2)
    assert isinstance(found, CalibrateResult)
    assert "below" in found.methods
    assert found.to_dict() == calibrate(problem).to_dict()

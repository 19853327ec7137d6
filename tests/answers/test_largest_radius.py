"""How wrong the priors may be: radii that a scale tolerates, and the laws alone beside families."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import (
    AnyOf,
    Confidence,
    Discrete,
    Gaussian,
    InputError,
    Laplace,
    MassIntervals,
    Problem,
    TotalVariationBall,
    WInfinityBall,
    calibrate,
    certify,
    largest_radius,
)
from pfverify.answers.largest_radius import Ball
from pfverify.edge.cli import main
from pfverify.model.alone import estimate_of
from pfverify.model.digest import problem_digest
from pfverify.model.priors.prior import Prior

HALVES, THIRDS = Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "1/3", 1: "2/3"})


def asked(first: Prior, second: Prior, scale: object = 1, epsilon: object = "1/2") -> Problem:
    """A problem about two priors with Laplace noise."""
    return Problem({"a": first, "b": second}, noise=Laplace(scale), epsilon=epsilon)  # type: ignore[arg-type]


def test_the_radius_in_total_variation_of_two_points_is_known() -> None:
    """Laws (1-m, m) at scale 1: the worst loss is at m +- r, in closed form."""
    problem = asked(HALVES, THIRDS)
    found = largest_radius(problem, "tv")
    t = math.exp(-1)

    def worst(r: float) -> float:
        """The loss at 0 of (1/2 + r) against (1/3 - r): the other orders lose less."""
        p, q = 0.5 + r, 1 / 3 - r
        return math.log((p + (1 - p) * t) / (q + (1 - q) * t))

    assert worst(float(found.radius.lower)) < 0.5 < worst(float(found.radius.upper))
    assert found.found is not None
    assert len(found.found.beliefs) == 9  # the centre and two extreme laws, of each
    assert certify(found.found).certified
    assert str(found.radius.lower) == found.told.removeprefix("radius = ")


def test_the_radius_in_w_infinity_of_two_points_is_known() -> None:
    """(d + 2 r)/scale <= epsilon."""
    points = asked(Discrete({0: 1}), Discrete({1: 1}), scale=4, epsilon=1)
    found = largest_radius(points, "winf")
    assert str(found.radius.lower) == "1.5"  # a tie, which is private
    assert str(found.radius.upper) == "1.50000000001"


def test_both_ends_are_decided_and_a_priori_cases_are_told() -> None:
    for ball, kind in (("tv", TotalVariationBall), ("winf", WInfinityBall)):
        found = largest_radius(asked(HALVES, THIRDS), ball)  # type: ignore[arg-type]
        around = [
            asked(*(kind(law.mass, str(end)) for law in (HALVES, THIRDS)))
            for end in (found.radius.lower, found.radius.upper)
        ]
        assert certify(around[0]).certified
        assert certify(around[1]).refuted
    refuted = largest_radius(asked(HALVES, THIRDS, scale="1/4", epsilon="1/20"), "tv")
    assert (refuted.radius.lower, refuted.radius.upper) == (0, 0)
    assert refuted.verdict.value == "refuted"
    every = largest_radius(asked(HALVES, THIRDS, scale=10), "tv")
    assert str(every.radius.lower) == str(every.radius.upper) == "inf"


@pytest.mark.parametrize("ball", ["tv", "winf"])
def test_no_ball_is_private_where_epsilon_is_0(ball: Ball) -> None:
    found = largest_radius(asked(HALVES, HALVES, epsilon=0), ball)
    assert found.radius.lower == 0 < found.radius.upper < Fraction(1, 10**30)
    assert found.reason is not None
    assert "no ball" in found.reason
    assert found.verdict.value == "certified"  # the priors themselves


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(2, 12))
def test_a_larger_scale_never_tolerates_less(first: int, second: int, scale: int) -> None:
    p, q = (Discrete({0: Fraction(n, 10), 1: Fraction(10 - n, 10)}) for n in (first, second))
    radii = [
        largest_radius(asked(p, q, Fraction(k * scale, 4)), "tv", digits=4).radius.upper
        for k in (1, 2)
    ]
    assert radii[0] <= radii[1]


def test_balls_are_around_the_counts_of_a_family() -> None:
    region = Confidence(counts={0: 376, 1: 204}, level="0.95")
    other = TotalVariationBall(counts={0: 34, 1: 35}, radius="1/100")
    plain = asked(Discrete(counts={0: 376, 1: 204}), Discrete(counts={0: 34, 1: 35}), 3)
    assert largest_radius(asked(region, other, 3), "tv").radius == largest_radius(
        plain, "tv"
    ).radius


@pytest.mark.parametrize(("first", "said"), [
    (Gaussian(0, 1), "priors of atoms"),
    (MassIntervals({"0": ["1/4", "3/4"], "1": ["1/4", "3/4"]}), "around no law"),
])  # fmt: skip
def test_what_has_no_balls_is_refused(first: Prior, said: str) -> None:
    second = Gaussian(1, 1) if first.kind == "gaussian" else HALVES
    with pytest.raises(InputError, match=said):
        largest_radius(asked(first, second), "tv")


def test_calibrate_says_what_the_laws_alone_need() -> None:
    counts = ({0: 376, 1: 204}, {0: 34, 1: 35})
    region = asked(*(Confidence(counts=of, level="0.95") for of in counts))
    found, plain = calibrate(region), calibrate(asked(*(Discrete(counts=of) for of in counts)))
    assert plain.estimate is None
    assert found.estimate == plain.minimum
    assert found.estimate is not None
    assert found.estimate.upper == 0
    assert str(found.minimum.upper) == "0.575966939113"
    assert estimate_of(region).beliefs == asked(*(Discrete(counts=of) for of in counts)).beliefs
    none = calibrate(asked(AnyOf([{0: 1}, {1: 1}]), HALVES))
    assert none.estimate is None


def test_balls_in_total_variation_keep_the_alphabet_of_a_family() -> None:
    """On their two atoms all laws are private; a third that a family may use is far from these."""
    laws = ({0: "1/2", 1: "1/2"}, {0: "1/3", 1: "2/3"})
    assert str(largest_radius(asked(*map(Discrete, laws), epsilon=1), "tv").radius.lower) == "inf"
    for alphabet, own in (([0, 1, 10], None), (None, {0: "1/3", 1: "2/3", 10: 0})):
        second = TotalVariationBall(own or laws[1], "1/100", alphabet=alphabet)
        wide = asked(TotalVariationBall(laws[0], "1/100", alphabet=alphabet), second, epsilon=1)
        found = largest_radius(wide, "tv")
        assert str(found.radius.lower) == "0.000132007703883"
        for radius, verdict in ((found.radius.lower, "certified"), (found.radius.upper, "refuted")):
            balls = (
                TotalVariationBall(law, str(radius), alphabet=alphabet)
                for law in (laws[0], own or laws[1])
            )
            assert str(certify(asked(*balls, epsilon=1)).verdict) == verdict


def test_the_command_writes_the_certified_radius(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, written, cert = tmp_path / "p.toml", tmp_path / "ball.toml", tmp_path / "ball.cert"
    asked(HALVES, THIRDS).save(path)
    assert main(["calibrate", str(path), "--radius", "tv", "--write", str(written)]) == 0
    out = capsys.readouterr().out
    assert "in total variation (certified)" in out
    assert f"Wrote {written}: radius = " in out
    assert main(["certify", str(written), "-o", str(cert)]) == 0
    assert main(["check", str(written), str(cert), "--expect", "certified"]) == 0
    capsys.readouterr()
    assert main(["calibrate", str(path), "--radius", "winf", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "pfverify/largest-radius/1"
    assert data["ball"] == "winf"
    assert main(["calibrate", str(path), "--radius", "tv", "--releases"]) == 2
    assert "--radius: not with --releases" in capsys.readouterr().err


# ---------------------------------------------------------------- places of mass 0


def test_a_place_of_mass_0_is_a_place_of_every_ball(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A quarter of the mass may be at 9, where the other prior has none."""
    empty = Discrete({0: "1/3", 9: 0, 1: "2/3"})
    bare, named = asked(HALVES, THIRDS, epsilon=3), asked(HALVES, empty, epsilon=3)
    assert bare == named
    free, bound = (largest_radius(one, "tv") for one in (bare, named))
    assert (free.alphabet, bound.alphabet) == (["0", "1"], ["0", "1", "9"])
    assert free.radius.lower == "inf"  # between 0 and 1 no law loses more than 1
    assert 0 < bound.radius.lower < bound.radius.upper < Fraction(1, 10)
    centres = {name: TotalVariationBall(law.mass, bound.radius.lower, alphabet=[0, 1, 9])
               for name, law in (("a", HALVES), ("b", THIRDS))}  # fmt: skip
    stated = Problem(centres, noise=Laplace(1), epsilon=3)
    assert bound.found is not None
    assert bound.found.beliefs == stated.beliefs
    families = Problem({**centres, "b": empty}, noise=Laplace(1), epsilon=3)
    around = largest_radius(families, "tv")
    assert around.radius == bound.radius
    assert largest_radius(named, "winf").alphabet is None

    path, balls = tmp_path / "empty.toml", tmp_path / "balls.toml"
    named.save(path)
    assert main(["calibrate", str(path), "--radius", "tv", "--write", str(balls)]) == 0
    said = capsys.readouterr().out
    assert "The laws have mass on 3 places (the alphabet): 0, 1, 9" in said
    assert 'alphabet = ["0", "1", "9"]' in balls.read_text()
    assert problem_digest(Problem.load(balls)) == problem_digest(bound.found)


def test_the_same_law_beside_a_ball_means_the_same_as_in_a_ball() -> None:
    """With mass written as 0 at 9, whether it stands in a ball or in a prior beside one."""
    mass = {0: "1/3", 9: 0, 1: "2/3"}
    ball = TotalVariationBall(HALVES.mass, "1/4")
    one = Problem({"a": ball, "b": Discrete(mass)}, noise=Laplace(1), epsilon=3)
    both = Problem({"a": ball, "b": TotalVariationBall(mass, 0)}, noise=Laplace(1), epsilon=3)
    assert certify(one).refuted
    assert certify(both).refuted
    left = Problem({"a": ball, "b": THIRDS}, noise=Laplace(1), epsilon=3)
    assert certify(left).certified
    assert problem_digest(left) != problem_digest(one)
    assert left != one


@pytest.mark.parametrize("count", [3, 600])
def test_places_of_mass_0_are_kept_and_are_none_of_the_law(count: int) -> None:
    import numpy as np

    rows = {k: k % 3 for k in range(count)}
    kept = [k for k in rows if k % 3 == 0]
    points = np.array([*rows]), np.array([*rows.values()])
    for law in (Discrete(counts=rows), Discrete(counts=points), Discrete.from_arrays(*points)):
        assert [*law.places] == [*rows]
        assert [x for x, mass in law.places.items() if not mass] == kept
        assert law == Discrete(counts={k: n for k, n in rows.items() if n})
        assert [*Discrete.from_table(law.to_table()).places] == [*rows]
        assert len(law.canonical()) == len(law.atoms) == count - len(kept)

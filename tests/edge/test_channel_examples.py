"""What the packaged problems on distribution privacy show, against fractions worked out by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from support.examples import channel_examples

from pfverify import Channel, InputError, Problem, calibrate, certify, loss
from pfverify.answers.dummies import calibrate_dummies
from pfverify.certificate.build import write_verdict
from pfverify.certificate.checking import check
from pfverify.edge.cli import main
from pfverify.edge.packaged import example_path, load_example
from pfverify.exact.enclosure import Enclosure
from pfverify.model.channels.combined import Cascade, Composition
from pfverify.model.channels.tupling import Tupling
from pfverify.model.protection import Protection

pytestmark = pytest.mark.usefixtures("kernel_here")

# name -> verdict, largest ratio of an output (None: infinite), delta at the file's epsilon
SHOWN = {
    "close-beliefs-fail": ("refuted", None, Fraction(1)),
    "composition-breaks-distp": ("refuted", Fraction(5), Fraction(1, 16)),
    "home-and-out": ("certified", Fraction(13, 5), Fraction(0)),
    "largest-move": ("certified", Fraction(5, 4), Fraction(0)),
    "preprocessing-breaks-delta": ("refuted", None, Fraction(1)),
    "rappor-one-time": ("certified", Fraction(9), Fraction(0)),
    "truncated-geometric": ("certified", Fraction(32), Fraction(0)),
    "tupling-dummies": ("certified", None, Fraction(1, 1458)),
    "tupling-eta-fails": ("refuted", None, Fraction(2, 3)),
    "wasserstein-not-needed": ("certified", Fraction(2), Fraction(0)),
}


def encloses(found: Enclosure, value: mpmath.mpf) -> bool:
    low, high = (mpmath.mpf(end) for end in (found.lower, found.upper))
    return bool(low - 1e-11 <= value <= high + 1e-11)


def test_all_are_here() -> None:
    assert {*SHOWN, "dummies"} == set(channel_examples())


def test_the_number_of_dummies_is_the_least(tmp_path: Path) -> None:
    problem, path = load_example("dummies"), example_path("dummies")
    found = calibrate_dummies(problem).dummies
    assert isinstance(problem.release, Tupling)
    assert (found.lower, found.upper) == (problem.release.dummies - 1, problem.release.dummies)
    result, proof = certify(problem), tmp_path / "certificate"
    assert result.certified
    write_verdict(proof, path, problem, result, attest=False)
    assert check(path, proof).word == "certified"
    fewer = {**problem.release.to_table(), "dummies": found.lower}
    assert certify(problem.under(Channel.of(fewer))).refuted


def test_calibrate_counts_dummies_and_refuses_other_channels(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["calibrate", "example:dummies", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["dummies"] == {"lower": 21, "upper": 22, "reason": None}
    with pytest.raises(InputError, match="calibrate: the problem releases through a channel"):
        calibrate(load_example("home-and-out"))


@pytest.mark.parametrize("name", SHOWN)
def test_verdict_ratio_and_delta(name: str) -> None:
    verdict, ratio, delta = SHOWN[name]
    problem = load_example(name)
    result, found = certify(problem), loss(problem)
    assert result.verdict == verdict
    if ratio is None:
        assert found.epsilon_star.upper == "inf"
    else:
        value = mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator)
        assert encloses(found.epsilon_star, value)
    assert encloses(found.delta, mpmath.mpf(delta.numerator) / delta.denominator)


@pytest.mark.parametrize("name", SHOWN)
def test_the_kernel_agrees(name: str, tmp_path: Path) -> None:
    problem, path = load_example(name), tmp_path / "certificate"
    result = certify(problem)
    write_verdict(path, example_path(name), problem, result, attest=False)
    assert check(example_path(name), path).word == result.verdict


def test_places_are_told_apart_by_less_than_single_inputs() -> None:
    """Theorem 1 promises log(3) = 1.0986; the two distributions differ by log(13/5) only."""
    problem = load_example("home-and-out")
    assert [pair.tie for pair in certify(problem).pairs] == [True, False]
    assert certify(problem.replaced(epsilon="log(2.599)")).verdict == "refuted"


def test_two_answers_need_more_than_the_sum() -> None:
    """Table 1 promises log(4) for the pair; the inputs' epsilons add up to log(9), which holds."""
    problem = load_example("composition-breaks-distp")
    assert isinstance(problem.release, Composition)
    answer = problem.release.parts[0]
    alone = Problem(problem.beliefs["default"], channel=answer, epsilon="log(2)")
    assert certify(alone).verdict == "certified"
    assert certify(problem.replaced(epsilon="log(5)")).verdict == "certified"
    inputs = Problem(channel=problem.release, epsilon="log(9)")
    assert [pair.tie for pair in certify(inputs).pairs] == [True, True]


def test_a_map_before_a_channel_multiplies_delta() -> None:
    whole = load_example("preprocessing-breaks-delta").release
    assert isinstance(whole, Cascade)
    channel = whole.parts[1]
    near = Protection("dp", inputs=channel.inputs, inputs_related=[["0", "1"], ["1", "2"]])
    for epsilon in ("0", "log(2)"):
        asked = Problem(channel=channel, protection=near, epsilon=epsilon, delta="1/2")
        assert certify(asked).verdict == "certified"


def test_known_mechanisms_meet_their_epsilon_with_equality() -> None:
    """From the definitions: 2 log((1 - f/2)/(f/2)) of two bits, and log(1/t) per unit."""
    for name in ("rappor-one-time", "truncated-geometric"):
        assert all(pair.tie for pair in certify(load_example(name)).pairs)


def test_noise_below_the_wasserstein_rule_is_enough() -> None:
    problem = load_example("wasserstein-not-needed")
    result = certify(problem)
    assert result.verdict == "certified"
    assert any(pair.tie for pair in result.pairs)
    assert certify(problem.replaced(scale="0.91")).verdict == "refuted"
    assert calibrate(problem).minimum.upper == "0.910239226627"  # 1/log(3); the rule: 1.4427

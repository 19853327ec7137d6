"""What the distribution-privacy paper says besides its bounds: each statement at an instance.

Noise and distances (sections 2.5 and 5), the class of laws of Theorem 3, and more dummies.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from pfverify.answers.calibrate import scales_of
from pfverify.answers.certify import certify
from pfverify.decide.tupling.laws import TupleLaws
from pfverify.edge.packaged import load_example
from pfverify.exact.decimals import decimal_upper
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.model.channels.kinds import Channel
from pfverify.model.priors.finite import Finite
from pfverify.scales.distribution import between
from pfverify.scales.quality import quality_loss
from pfverify.scales.tupling_bound import Reading, in_class


@dataclass(frozen=True)
class FactRow(NoTruth, ask="compare .holds with True"):
    """A statement at an instance: what is printed, and what is exact there."""

    source: str
    instance: str
    published: str
    exact: str
    holds: bool
    proof: str


def facts() -> list[FactRow]:
    """Return the statements, in the order of the paper.

    Example: ``[row.proof for row in facts() if not row.holds]`` is ``["D18", "D21", "D26"]``.
    Source: distribution-privacy paper; ledger rows D03, D04, D15, D18, D19, D21, D25 to D28.
    """
    return [_moved(), *_noise(), *_classes(), *_more_dummies()]


def _moved() -> FactRow:
    problem = load_example("largest-move")
    ground = problem.protection.ground
    (item,) = problem.questions()
    first, second = item.first_prior, item.second_prior
    if ground is None or not (isinstance(first, Finite) and isinstance(second, Finite)):
        raise TypeError("example:largest-move has finite priors and a distance")
    reach = between(ground, (first, second))
    widest = max(ground.square(x, z) for x in first.support for z in second.support)
    return FactRow(
        "Example 1, Definition 6", "the two laws of Figure 1 (example:largest-move)",
        "largest move 1, at most the diameter", f"W-infinity {reach}, diameter {sqrt(widest):g}",
        reach == 1 and reach * reach <= widest, "D04",
    )  # fmt: skip


def _noise() -> list[FactRow]:
    """Laplace noise and W-infinity: enough, and not needed."""
    problem = load_example("wasserstein-not-needed")
    least = scales_of(problem).minimum
    rule = problem.replaced(scale="1/log(2)")
    instance = "(1/2, 1/2) on 0 and 1 against 0, epsilon = log(2), W-infinity = 1"
    below = certify(problem)
    return [
        FactRow(
            "abstract, section 5.2", instance,
            "noise needs the scale W-infinity/epsilon = 1/log(2)",
            f"1/log(3) is private: {decimal_upper(Fraction(least.upper), 4)} is the least",
            not below.certified, "D18",
        ),
        FactRow(
            "section 5.2", instance, "the scale 1/log(2) is enough",
            f"{certify(rule).verdict.value}", certify(rule).certified, "D19",
        ),
    ]  # fmt: skip


def _classes() -> list[FactRow]:
    """The class of laws with A#lambda[y] <= beta, of a channel that always answers the same."""
    beta, none = Number.parse("1/2"), Number.of_rational(0)
    constant = [Fraction(1), Fraction(0)]
    inside = in_class(constant, beta, none, Reading.UNIFORM)
    everything = in_class(constant, Number.of_rational(1), none, Reading.UNIFORM)
    words = {True: "in the class", False: "not in the class"}
    instance = "a channel that always answers the same, (1/2, 1/2), beta = 1/2"
    return [
        FactRow("section 6.2", instance, "in the class: no input has more than beta",
                f"{words[inside]}: that answer has mass 1", inside, "D21"),
        FactRow("section 6.2", "the same, beta = 1", "all laws are in the class",
                words[everything], everything, "D25"),
        FactRow("section 6.2", instance, "the class tends to all laws: this channel tells nothing",
                f"{words[inside]}: the class is empty", inside, "D26"),
    ]  # fmt: skip


def _more_dummies() -> list[FactRow]:
    """Delta and quality loss of one, two and three dummies."""
    names = ["0", "1", "2"]
    base = {"kind": "randomized-response", "inputs": names, "truth": "1/2"}
    half, none = Fraction(1, 2), Fraction(0)
    first, second = (half, half, none), (none, half, half)
    growth, third = Fraction(2), [Fraction(1, 3)] * 3
    deltas, losses = [], []
    for dummies in (1, 2, 3):
        p, q = TupleLaws(first, second, third, dummies).event(growth, reverse=False)
        deltas.append(p - growth * q)
        channel = Channel.of({"kind": "tupling", "base": base, "dummies": dummies})
        loss = quality_loss({"0": Fraction(1)}, channel, _square)
        if not isinstance(loss, Fraction):
            raise TypeError("distances on a line are rational")
        losses.append(loss)
    return [
        FactRow(
            "section 6.2", "three outputs, (1/2, 1/2, 0) against (0, 1/2, 1/2), epsilon = log(2)",
            "more dummies hide more", "delta " + ", ".join(map(str, deltas)) + " with 1, 2, 3",
            deltas == sorted(deltas, reverse=True), "D27",
        ),
        FactRow(
            "section 6.3", "randomized response with truth 1/2 of the place 0 of 0, 1, 2",
            "more dummies cost less", "loss " + ", ".join(map(str, losses)) + " with 1, 2, 3",
            losses == sorted(losses, reverse=True), "D28",
        ),
    ]  # fmt: skip


def _square(place: str, other: str) -> Fraction:
    return Fraction((int(place) - int(other)) ** 2)

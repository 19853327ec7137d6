"""Every scale and bracket of calibrate against its definition and against the oracle's verdict."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import kernel_builder as kb
import pytest
from mpmath import mpf
from scale_truth import CLOSE, Recipes, last_place
from support import tally
from support.discrete_cases import FORMS, NOISES, bare, random_case
from support.problems import limited
from support.tally import Record

from pfverify import Problem, calibrate
from pfverify.answers.methods import CalibrateResult, Method

Json = dict[str, Any]
ISSUE = 16_500
BLOCKS, EACH = 50, 330  # scales in one block
DIGITS = 12
NAMES = (
    "l1", "wasserstein", "relaxed_columns", "relaxed_rows", "relaxed", "relaxed_published",
    "bernoulli", "coupling_lp", "minimum",
)  # fmt: skip
SHOWN = ("scales", "brackets", "closed forms", "minimum 0", "minimum inf", "wrong")
SLACK = 1e-6  # of the float programme


class Verdicts:
    """The oracle's verdict at any scale of one problem."""

    def __init__(self, value: Json) -> None:
        self.value, self.goals = value, kb.ordered_goals(value)
        self.known: dict[str, mpf] = {}

    def worst(self, scale: str) -> mpf:
        """The largest excess over the ordered pairs; > 0 iff the scale is not private."""
        if scale not in self.known:
            if Fraction(scale) == 0:
                found = [kb._prior_excess(self.value, *goal) for goal in self.goals]
            else:
                real = kb.real(scale)
                found = [kb.Release(self.value, *goal, real).excess() for goal in self.goals]
            self.known[scale] = max(found)
        return self.known[scale]

    def private(self, scale: str) -> bool:
        return bool(self.worst(scale) <= CLOSE)


def scaled(name: str, method: Method, recipes: Recipes, verdicts: Verdicts) -> None:
    """One recipe: the least decimal that meets its condition, its verdict, its closed form."""
    scale = method.scale
    if scale == "inf":
        return
    assert (method.verdict.value == "certified") == verdicts.private(scale), (name, method)
    if name == "coupling_lp":
        if Fraction(scale) > 0:
            assert recipes.best_line(float(scale) * (1 + SLACK)) < 1 + 1e-9, method
            assert recipes.best_line(float(scale) * (1 - SLACK)) > 1 - 1e-9, method
        return
    if name == "minimum":
        return
    if Fraction(scale) == 0:  # nothing moves, or (two points) the priors are private
        tiny = mpf(10) ** -30
        assert not recipes.moved or recipes.gap(name, tiny) <= CLOSE, (name, method)
        return
    assert recipes.gap(name, kb.real(scale)) <= CLOSE, (name, method)
    below = Fraction(scale) - last_place(scale, DIGITS)
    assert recipes.gap(name, kb.Release.mp(below)) > 0, (name, method)
    if method.exact is not None:
        assert abs(recipes.gap(name, kb.real(method.exact))) < mpf(10) ** -40, (name, method)


def moments(method: Method, noise: Json, minimum: str) -> None:
    """Spread and waste, up to their rounding."""
    if method.scale in ("0", "inf"):
        return
    s = kb.real(method.scale)
    sd, mean = kb.mpmath.sqrt(2) * s, s
    if "step" in noise:
        h = kb.real(noise["step"])
        t = kb.mpmath.exp(-h / s)
        sd, mean = h * kb.mpmath.sqrt(2 * t) / (1 - t), 2 * h * t / (1 - t * t)
    for text, value in ((method.sd, sd), (method.mean_abs, mean)):
        assert value * (1 - mpf(10) ** -40) <= kb.real(text) <= value * (1 + mpf(10) ** -10), method
    if method.waste is not None:
        waste = Fraction(method.scale) / Fraction(minimum)
        assert waste * (1 - Fraction(1, 10**5)) <= Fraction(method.waste) <= waste, method


def bracket(value: Json, found: CalibrateResult, verdicts: Verdicts, counts: Counter[str]) -> None:
    """The minimum: its lower end fails, its upper end holds, and they are close."""
    low, high = found.minimum.lower, found.minimum.upper
    if high == "inf":
        counts["minimum inf"] += 1
        assert kb.real(value["epsilon"]) == kb.real(value["delta"]) == 0, value
        assert found.minimum.reason
        return
    assert verdicts.private(high), (value, found.minimum)
    if high == "0":
        counts["minimum 0"] += 1
        assert (low, bool(found.minimum.reason)) == ("0", True)
        return
    assert Fraction(low) > 0, (value, found.minimum)
    assert verdicts.worst(low) > CLOSE, (value, found.minimum)
    assert Fraction(high) - Fraction(low) <= 2 * last_place(high, DIGITS), found.minimum
    counts["brackets"] += 1


def battery(seed: str, count: int) -> Counter[str]:
    """Counts of the scales of one block; any disagreement fails."""
    counts: Counter[str] = Counter()
    k = 0
    while counts["scales"] < count:
        form, noise = FORMS[k % 3], NOISES[k // 3 % 2]
        rng = Random(f"{seed} {k}")
        if k % 7 == 3:
            value = bare(rng, form, noise, tie=k % 2 == 0).table
        else:
            value = random_case(rng, form, noise).table
        k += 1
        with limited(60):
            found = calibrate(Problem.from_text(json.dumps(value), json_format=True), digits=DIGITS)
        recipes, verdicts = Recipes(value), Verdicts(value)
        bracket(value, found, verdicts, counts)
        for name, method in found.methods.items():
            try:
                scaled(name, method, recipes, verdicts)
                moments(method, value["noise"], found.minimum.upper)
            except AssertionError as reason:
                raise AssertionError(f"{value}: {reason}") from None
            counts["scales"] += 1
            counts[name] += 1
            counts["closed forms"] += method.exact is not None
            counts[method.verdict.value] += 1
        counts["not applicable"] += len(found.not_applicable)
        counts[f"{noise} {form}"] += 1
    return counts


def complete(counts: Counter[str], least: int) -> None:
    """Every recipe, noise and form, both ends of the minimum, closed forms."""
    tally.reached(counts, *NAMES, "brackets", "closed forms", "minimum 0", least=least)
    tally.reached(counts, *(f"{noise} {form}" for noise in NOISES for form in FORMS))


def test_scales(record_property: Record) -> None:
    counts = battery("default", 240)
    tally.report("scales of calibrate against the oracle", counts, SHOWN, record_property)
    complete(counts, 2)


@pytest.mark.long
@pytest.mark.parametrize("block", range(BLOCKS))
def test_scales_long(block: int, record_property: Record) -> None:
    assert BLOCKS * EACH >= ISSUE
    counts = battery(f"block {block}", EACH)
    tally.report("scales of calibrate against the oracle", counts, SHOWN, record_property)
    complete(counts, 1)

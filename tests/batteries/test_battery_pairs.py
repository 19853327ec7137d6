"""Ordered pairs of tables of atoms against sums, zeros and radicals that share nothing with it.

Verdict, enclosures, witness and the kernel's word on the certificate, for problems drawn at random,
a hair beside a tie, and on a tie that holds by algebra.
"""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import kernel_builder as kb
import pytest
from mpmath import mpf
from support import tally
from support.discrete_cases import FORMS, NOISES, Case, near_one, random_case, unnoised, worst
from support.kernel_run import accepted_certificate
from support.problems import decided
from support.tally import Record

from pfverify import InputError, Problem
from pfverify.answers.outcome import Directed
from pfverify.exact.enclosure import Enclosure

ISSUE = 19_400  # ordered pairs
BLOCKS, PROBLEMS = 50, 200  # of one block; most problems have two ordered pairs
SHOWN = ("ordered pairs", "ties", "certified", "refuted", "wrong")
SILENT = ("none", "laplace", "discrete-laplace", "gaussian")  # at scale 0
FAMILIES = ("rational", "translated", "bernoulli", "radical", "peak")  # with ties by algebra
RULES = (
    "pure", "delta-upper", "delta-tie", "pointwise",
    "pure-refuted", "event-refuted", "pointwise-refuted",
)  # fmt: skip


def excess(release: kb.Release) -> mpf:
    """> 0 iff the ordered pair fails; without the bound of 0 that `Release.excess` puts on it."""
    return release.loss() - release.epsilon if release.delta == 0 else release.excess()


def encloses(found: Enclosure, value: mpf) -> bool:
    """Whether two decimals enclose the oracle's number, but for its own last digits."""
    error = (1 + abs(value)) * mpf(10) ** -45
    low, high = (mpf("inf") if x == "inf" else kb.real(x) for x in (found.lower, found.upper))
    return bool(low - error <= value <= high + error)


def judged(case: Case, found: Directed, release: kb.Release, counts: Counter[str]) -> None:
    """One ordered pair."""
    over = excess(release)
    if near_one(over):
        expected = "certified"
        counts["ties"] += 1
        assert case.tie or found.tie, case
        assert found.tie or release.P == release.Q or release.delta == 1, (case, found)
    else:
        expected = "refuted" if over > 0 else "certified"
        assert not found.tie, (case, found)
    assert found.verdict.value == expected, (case, found)
    assert found.loss is not None
    assert encloses(found.loss, release.loss()), (case, found)
    if found.delta is not None:
        value = over + release.delta if release.delta else release.divergence()
        assert encloses(found.delta, value), (case, found)
        counts["enclosures of delta"] += 1
    if expected == "refuted":
        witnessed(found, release, counts)
    counts[expected] += 1
    counts[str(found.rule)] += 1
    counts["ordered pairs"] += 1


def witnessed(found: Directed, release: kb.Release, counts: Counter[str]) -> None:
    """A margin is positive and true at the output, or on the event, that it is about."""
    assert found.witness is not None
    if found.witness.event is not None:
        true = kb.probability_excess(release, found.witness.event) - release.delta
        counts["events"] += 1
    else:
        y = kb.exact(found.witness.y)
        if release.delta == 0:
            true = kb.mpmath.log(release.p(y, release.P) / release.p(y, release.Q))
            true -= release.epsilon
        else:
            true = release.g(y) - release.delta
    assert 0 < kb.real(found.witness.margin) <= true, found


def battery(seeds: range) -> Counter[str]:
    """Counts of what was decided; any disagreement fails."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        rng = Random(f"pairs {seed}")
        form, noise = FORMS[seed % 3], NOISES[seed // 3 % 2]
        case = random_case(rng, form, noise)
        problem = Problem.from_text(json.dumps(case.table), json_format=True)
        result = decided(problem)
        outcomes = {(o.belief, o.from_, o.to): o for o in result.pairs}
        goals = kb.ordered_goals(case.table)
        assert set(goals) == set(outcomes)
        scale = kb.real(case.table["noise"]["scale"])
        tight = counts["ties"]
        for goal in goals:
            judged(case, outcomes[goal], kb.Release(case.table, *goal, scale), counts)
        assert not case.tie or counts["ties"] > tight, case
        _, word, message = accepted_certificate(case.table, problem, result)
        assert word == result.verdict.value, (case, message)
        counts["accepted"] += 1
        counts[case.kind] += 1
        counts[f"{noise} {form}"] += 1
    return counts


def without_noise(seeds: range) -> Counter[str]:
    """The same for the priors themselves, by sums over their atoms."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        form, noise = FORMS[seed % 3], SILENT[seed // 3 % 4]
        case = unnoised(Random(f"bare {seed}"), form, noise, tie=seed % 2 == 0)
        problem = Problem.from_text(json.dumps(case.table), json_format=True)
        counts[f"{noise} {form}"] += 1
        if form == "pointwise" and noise in ("laplace", "gaussian"):
            with pytest.raises(InputError, match="no density"):
                decided(problem)
            continue
        result = decided(problem)
        for found in result.pairs:
            gaps = kb._bare_gaps(case.table, found.belief, found.from_, found.to).values()
            value = max(gaps) if form == "pointwise" else sum(max(g, mpf(0)) for g in gaps)
            over = value - kb.real(case.table["delta"])
            counts["ties"] += near_one(over)
            expected = "refuted" if over > 0 and not near_one(over) else "certified"
            assert found.verdict.value == expected, (case, found)
            if found.delta is not None:
                assert encloses(found.delta, max(value, mpf(0))), (case, found)
            counts[expected] += 1
            counts["ordered pairs"] += 1
        _, word, message = accepted_certificate(case.table, problem, result)
        assert word == result.verdict.value, (case, message)
    return counts


def complete(counts: Counter[str], least: int = 1) -> None:
    """Every noise with every form, every rule, and every kind of tie and near-tie."""
    tally.reached(counts, *(f"{noise} {form}" for noise in NOISES for form in FORMS), least=least)
    tally.reached(counts, *RULES, "events", "enclosures of delta", least=least)


def test_pairs(record_property: Record) -> None:
    counts = battery(range(-120, 0))
    tally.report("ordered pairs of atoms against the oracle", counts, SHOWN, record_property)
    complete(counts, 3)
    tally.reached(counts, "ties", "certified", "refuted", least=20)
    tally.reached(counts, *(f"{family} tie" for family in FAMILIES))


def test_pairs_without_noise(record_property: Record) -> None:
    counts = without_noise(range(-72, 0))
    tally.report("ordered pairs of atoms against the oracle", counts, SHOWN, record_property)
    tally.reached(counts, *(f"{noise} {form}" for noise in SILENT for form in FORMS), least=3)
    tally.reached(counts, "ties", "certified", "refuted", least=10)


@pytest.mark.long
@pytest.mark.parametrize("block", range(BLOCKS))
def test_pairs_long(block: int, record_property: Record) -> None:
    assert 2 * BLOCKS * PROBLEMS >= ISSUE
    counts = battery(range(block * PROBLEMS, (block + 1) * PROBLEMS))
    tally.report("ordered pairs of atoms against the oracle", counts, SHOWN, record_property)
    assert counts["ordered pairs"] >= 2 * PROBLEMS
    silent = without_noise(range(block * PROBLEMS // 10, (block + 1) * PROBLEMS // 10))
    tally.report("ordered pairs of atoms against the oracle", silent, SHOWN, record_property)
    complete(counts)
    tally.reached(counts, "ties", "certified", "refuted", least=20)
    for family in FAMILIES:
        assert counts[f"{family} tie"] + counts[f"{family} beside a tie"] > 0, (family, counts)


def test_the_oracle_sees_a_target_that_is_moved() -> None:
    """Where the target is raised above, or put below, the true value the oracle changes sides."""
    rng, moved = Random("oracle"), 0
    for k in range(40):
        case = random_case(rng, FORMS[k % 3])
        form = FORMS[k % 3]
        key = "epsilon" if form == "pure" else "delta"
        at = worst(case.table, form)
        if not mpf("1e-3") < at < mpf("0.9"):
            continue
        for sign in (1, -1):
            target = kb.fraction_text(at + sign * mpf(10) ** -30)
            value = {**case.table, key: target}
            scale = kb.real(value["noise"]["scale"])
            found = max(excess(kb.Release(value, *g, scale)) for g in kb.ordered_goals(value))
            assert (found > 0) == (sign < 0), value
            moved += 1
    assert moved > 20

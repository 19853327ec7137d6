"""Forged certificates: whatever the kernel takes is true, by oracles that it does not share."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import forging
import kernel_builder as kb
import pytest
from forged_truth import Judge
from forging import FORGERS, Pair
from support import smooth_cases, tally
from support.discrete_cases import FORMS, NOISES, random_case, unnoised
from support.kernel_run import accepted_certificate, problem_table
from support.problems import limited
from support.tally import Record
from test_kernel_smooth import draw

from pfverify import Problem, calibrate, certify
from pfverify.answers.coupling import distances_of, with_best
from pfverify.answers.methods import CalibrateResult
from pfverify.certificate.couplings import coupling_steps

Json = dict[str, Any]
ISSUE = 144_000
BLOCKS, FORGED = 60, 2_400
SHOWN = ("tried", "accepted, all true", "rejected", "malformed")
WORDS = {"certified", "refuted", "scales", "coupling"}
ROUNDS = 2  # through all forgers, for one certificate
CELLS = 40  # a chart of more cells takes long to check


def parsed(table: Json) -> Any:
    return Problem.from_text(json.dumps(table), json_format=True)


def verdicts(rng: Random, k: int) -> Pair | None:
    """A certificate of `certify` for atoms."""
    table = random_case(rng, FORMS[k % 3], NOISES[k // 3 % 2]).table
    problem = parsed(table)
    cert, word, _ = accepted_certificate(table, problem, certify(problem))
    return Pair(table, cert) if word in WORDS else None


def densities(rng: Random, k: int) -> Pair | None:
    """A certificate of `certify` for normal laws and mixtures."""
    if rng.random() < 0.3:
        problem = smooth_cases.random_problem(rng)
        table = problem_table(problem)
    else:
        table = draw(rng)
        table["delta"] = rng.choice([0, "1/10", "1/4", "1/4"])
        table["form"] = rng.choice(["events", "events", "pointwise"])
        problem = parsed(table)
    with limited(60):
        result = certify(problem)
    cert, word, _ = accepted_certificate(table, problem, result)
    small = sum(len(step.get("density", [])) for step in cert["steps"]) <= CELLS
    return Pair(table, cert) if word in WORDS and small else None


def all_scales(rng: Random, k: int) -> Pair | None:
    """A certificate of scales: those of `calibrate`, proved by the test's own search."""
    table = random_case(rng, FORMS[k % 3], NOISES[k // 3 % 2]).table
    with limited(60):
        found = calibrate(parsed(table))
    cert = kb.certificate(table, "scales", scale_steps(table, found))
    return Pair(table, cert) if kb.run(table, cert)[0] == "scales" else None


def scale_steps(table: Json, found: CalibrateResult) -> list[Json]:
    names = [name for name in found.methods if name != "minimum"][:3]
    listed = [kb.scale_step(table, name, str(found.methods[name].scale)) for name in names]
    low, high = str(found.minimum.lower), str(found.minimum.upper)
    ends: list[Json] = [{"rule": "no-scale"}] if high == "inf" else [{"rule": "no-noise"}]
    if high not in ("0", "inf"):
        ends = kb.prove(table, high)[1]
    low = "0" if high == "inf" else low
    lower = None if low == "0" else kb.prove(table, low)[1][0]
    step = {"rule": "minimum", "lower": low, "upper": high}
    return [*listed, {**step, "lower_step": lower, "upper_steps": ends}]


def plans(rng: Random, k: int) -> Pair | None:
    """A certificate of couplings, distances and lines."""
    table = {**random_case(rng, "pure").table, "epsilon": rng.choice(["1/2", 1, "log(3)"])}
    problem = parsed(table)
    steps: list[Json] = []
    for item in problem.questions():
        steps += coupling_steps(with_best(problem, distances_of(item)))
    cert = kb.certificate(table, "coupling", steps)
    return Pair(table, cert) if kb.run(table, cert)[0] == "coupling" else None


def silent(rng: Random, k: int) -> Pair | None:
    """A certificate of `certify` for a release without noise."""
    noise = rng.choice(["none", "discrete-laplace"])
    table = unnoised(rng, FORMS[k % 3], noise, tie=rng.random() < 0.5).table
    problem = parsed(table)
    cert, word, _ = accepted_certificate(table, problem, certify(problem))
    return Pair(table, cert) if word in WORDS else None


MAKERS = (silent, verdicts, verdicts, all_scales, verdicts, plans, verdicts, densities)


def originals(seed: str) -> Iterator[tuple[str, Pair]]:
    """True certificates without end, of every kind in turn."""
    k = 0
    while True:
        for make in MAKERS:
            found = make(Random(f"{seed} {k}"), k)
            k += 1
            if found is not None:
                yield make.__name__, found


def battery(seed: str, count: int) -> Counter[str]:
    """Counts of answers by kind of forgery; an accepted falsehood fails."""
    counts: Counter[str] = Counter()
    judge, rng = Judge(), Random(seed)
    source = originals(seed)
    made, before = next(source)
    while counts["tried"] < count:
        name, pair = next(source)
        word, _ = kb.run(*pair)
        assert judge.is_true(*pair, word), pair
        counts[f"original {name}"] += 1
        counts[f"original {word}"] += 1
        for forger in FORGERS * ROUNDS:
            other = before if made == name or rng.random() < 0.5 else pair
            forged = forger(rng, pair, other)
            if forged is not None and forged != pair:
                judged(forger.__name__, forged, judge, counts)
        made, before = name, pair
    return counts


def judged(kind: str, forged: Pair, judge: Judge, counts: Counter[str]) -> None:
    """The kernel's answer to one forgery."""
    with limited(60):
        word, message = kb.run(*forged)
    counts["tried"] += 1
    counts[f"{kind} tried"] += 1
    assert "beyond this kernel" not in message, (forged, message)
    if word not in WORDS:
        counts[word] += 1
        return
    assert word == forged.cert["result"]
    assert judge.is_true(*forged, word), (kind, forged, message)
    counts["accepted, all true"] += 1
    counts[f"accepted {word}"] += 1
    counts[f"{kind} accepted"] += 1


def complete(counts: Counter[str], least: int) -> None:
    """Every kind of original and of forgery, refused and taken."""
    names = {forger.__name__ for forger in FORGERS}
    rare = {"chart"}  # few originals have one
    tally.reached(counts, *(f"{name} tried" for name in names - rare), least=least)
    tally.reached(counts, *(f"{name} tried" for name in names & rare))
    tally.reached(counts, *(f"original {make.__name__}" for make in MAKERS))
    tally.reached(counts, *(f"accepted {word}" for word in WORDS), least=least)
    tally.reached(counts, "rejected", "malformed", "accepted, all true", least=20 * least)


def test_forged(record_property: Record) -> None:
    counts = battery("default", 600)
    tally.report("forged certificates", counts, SHOWN, record_property)
    complete(counts, 2)
    # some changes leave a truth: a smaller margin, a larger target, fewer bits
    tally.reached(counts, "margin accepted", "bits accepted", "problem accepted")


@pytest.mark.long
@pytest.mark.parametrize("block", range(BLOCKS))
def test_forged_long(block: int, record_property: Record) -> None:
    assert BLOCKS * FORGED >= ISSUE
    counts = battery(f"block {block}", FORGED)
    tally.report("forged certificates", counts, SHOWN, record_property)
    complete(counts, 3)


def test_the_judge_knows_what_is_false() -> None:
    """Claims that are true become false by a target, an output, an event or a scale."""
    judge = Judge()
    far = kb.problem({"0": 1}, {"1": 1}, 1, 0, 1)
    proved = kb.proved(far)
    assert judge.is_true(far, proved, "certified")
    assert not judge.is_true({**far, "epsilon": "1-1e-30"}, proved, "certified")
    smooth = {
        **far,
        "epsilon": "1/2",
        "priors": {
            "a": {"kind": "gaussian", "mean": 0, "variance": 1},
            "b": {"kind": "gaussian", "mean": 1, "variance": 1},
        },
    }
    wide = {**smooth, "noise": {"kind": "laplace", "scale": "2"}}
    assert judge.is_true(wide, proved, "certified")
    assert not judge.is_true(smooth, proved, "certified")
    for form, step, most in (
        ("events", {"rule": "pure-refuted", "y": "-9"}, "0.4999"),
        ("events", {"rule": "event-refuted", "event": [["-inf", "0"]]}, "0.05"),
    ):
        value = {**smooth, "form": form, "delta": 0 if "y" in step else "1/100"}
        for margin, expected in (("1e-6", True), (most, None), ("0.9", False)):
            cert = kb.certificate(value, "refuted", [kb.step(**step, margin=margin)])
            assert expected is None or judge.is_true(value, cert, "refuted") == expected
    assert "pure" in forging.SHAPES

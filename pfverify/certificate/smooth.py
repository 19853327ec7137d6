"""Steps of certificates for priors with densities: sign charts and plans of components."""

from __future__ import annotations

from typing import Any

from pfverify.decide.charts.chart import Chart, End
from pfverify.decide.charts.order import OneOrder, Proof, SmoothQuestion
from pfverify.decide.outcome import Directed
from pfverify.errors import PfverifyError
from pfverify.model.noises.none import NoNoise
from pfverify.model.problem import PairOfPriors, Problem
from pfverify.scales.minimum import scale_question
from pfverify.scales.smooth_scale import SmoothScale

Step = dict[str, Any]


def goal_keys(belief: str, source: str, target: str) -> Step:
    """Return the keys that name a goal."""
    return {"belief": belief, "from": source, "to": target}


def smooth_step(outcome: Directed, bits: int) -> Step:
    """Return the step that certifies one order."""
    keys = goal_keys(outcome.belief, outcome.from_, outcome.to)
    proof: Proof = outcome.proof
    return _step(keys, proof, bits)


def bare_steps(problem: Problem, item: PairOfPriors, bits: int) -> list[Step]:
    """Return the steps that prove both orders of a pair without noise."""
    question = SmoothQuestion.of(problem, item, NoNoise())
    steps = []
    for reverse in (False, True):
        names = (item.second, item.first) if reverse else (item.first, item.second)
        proof = _proved(question.order(reverse))
        steps.append(_step(goal_keys(item.belief, *names), proof, bits))
    return steps


def no_scale_step(problem: Problem, bits: int) -> Step:
    """Return the step that proves that no scale works, for a problem where that is so.

    The rule `moment` where the proof is a place of moment generating functions, else `no-scale`.
    """
    for item in problem.pairs_of_priors():
        scaled = scale_question(problem, item)
        if scaled.never() is None:
            continue
        if not isinstance(scaled, SmoothScale) or scaled.moment is None or scaled.dominated:
            return {"rule": "no-scale"}
        reverse, place = scaled.moment
        names = (item.second, item.first) if reverse else (item.first, item.second)
        return {
            "rule": "moment",
            **goal_keys(item.belief, *names),
            "bits": bits,
            "t": str(place.factor),
            "log": None if place.base is None else str(place.base),
        }
    raise PfverifyError("no pair is known to fail at every scale")


def _proved(order: OneOrder) -> Proof:
    target, form = order.question.target, order.question.form
    if target.delta.sign() == 0 or form == "pointwise":
        found = order.pure_sign(target, form)
        sign, proof = found.sign, found.proof
    else:
        events = order.events(None)
        sign, proof = events.sign, events.proof
    if sign is None or sign > 0:
        raise PfverifyError("the priors themselves do not meet the target")
    return proof


def _step(keys: Step, proof: Proof, bits: int) -> Step:
    step: Step = {"rule": proof.rule, **keys}
    if proof.rule == "components" and proof.plan is not None:
        step["plan"] = [[i, k, str(mass)] for i, k, mass in proof.plan]
    if proof.rule == "chart" and proof.chart is not None:
        step |= {"bits": max(bits, proof.bits), **_chart(proof.chart)}
    return step


def _chart(chart: Chart) -> Step:
    return {
        "density": [
            [_end(cell.low, "-inf"), _end(cell.high, "inf"), cell.order, cell.reference]
            for cell in chart.cells
        ],
        "points": [str(y) for y in chart.points],
    }


def _end(end: End, infinite: str) -> str:
    return infinite if end is None else str(end)

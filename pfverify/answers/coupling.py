"""The couplings of a problem's pairs: the cheapest plan, its distances, and the best scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from pfverify.answers.outcome import ordered_line
from pfverify.answers.plan_check import (
    Property,
    decimal_or_fraction,
    priors_with_atoms,
    properties_of,
)
from pfverify.errors import InputError, UndecidedError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.results import UNSAID, Brief, Shown
from pfverify.scales.coupling.best import CouplingScale, coupling_lp
from pfverify.transport.cost import W1, w_1
from pfverify.transport.flow import WInfinity, w_infinity
from pfverify.transport.hall import HallSet
from pfverify.transport.lifting import lifting
from pfverify.transport.metric import AbsoluteDifference, Metric
from pfverify.transport.plan import Plan, exact_text
from pfverify.transport.plan_file import Pairs
from pfverify.transport.validate import validate_plan

ASSUMED = "a scale of a coupling is about epsilon alone (delta = 0), ideal noise and one release"


@dataclass(frozen=True)
class SolvedPair:
    """Both distances of a pair with their proofs, and its best coupling, or why there is none."""

    item: Question
    infinity: WInfinity
    one: W1
    best: CouplingScale | None = None
    no_best: str | None = None


@dataclass(frozen=True, repr=False)
class PairCoupling(Brief, NoTruth, ask="read its attributes"):
    """A pair's plan (the cheapest one), distances with their proofs, and the best scale.

    `potential` gives u(x) at the rows and v(x') at the columns with u + v <= distance, so that the
    mean of u under the first prior plus that of v under the second is the lower end of `w_1`.
    """

    belief: str
    from_: str
    to: str
    plan: list[dict[str, str]]
    w_1: Enclosure
    potential: dict[str, dict[str, str]]
    w_infinity: str
    hall: dict[str, Any] | None
    lifting: dict[str, Any] | None
    properties: list[Property]
    coupling_lp: dict[str, str] | None
    coupling_lp_not_applicable: str | None

    def _line(self) -> str:
        said = f"W1 {self.w_1.text}, W-infinity {shorten(self.w_infinity)}"
        return ordered_line(self.from_, self.to, said)


@dataclass(frozen=True, repr=False)
class Couplings(Shown, NoTruth, ask="read its attributes"):
    """The couplings of a problem's pairs. `solved` is what their certificate is made of."""

    epsilon: str
    noise: str
    assumed: list[str]
    pairs: list[PairCoupling]
    solved: list[SolvedPair] = field(metadata=UNSAID, repr=False)

    def _line(self) -> str:
        return f"epsilon {shorten(self.epsilon)}, {self.noise}"

    def _parts(self) -> Sequence[Brief]:
        return self.pairs


def couplings(
    problem: Problem,
    items: list[Question],
    metric: Metric | None = None,
    relation: Pairs | None = None,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Couplings:
    """Return the couplings of these pairs of a problem.

    `metric` takes the place of the distance |x - x'|; then no best coupling is looked for.
    `relation`: whether each pair is in its lifting is answered too.
    """
    pairs, solved = [], []
    known: dict[tuple[Prior, Prior], SolvedPair] = {}  # of a chain, one for times that mirror
    for done, item in enumerate(items, 1):
        found = known.get(item.priors) or distances_of(item, metric)
        if item.priors in known:
            found = replace(found, item=item)
        elif metric is None:
            found = with_best(problem, found)
        else:
            found = replace(found, no_best="only for |x - x'|")
        known[item.priors] = found
        solved.append(found)
        pairs.append(_described(found, metric, relation))
        report(done, len(items))
    assumed = [*problem.source.assumed(), ASSUMED]
    return Couplings(problem.epsilon.text, problem.noise.kind, assumed, pairs, solved)


def distances_of(item: Question, metric: Metric | None = None) -> SolvedPair:
    """Return W-infinity and W1 of one pair with the plans that attain them."""
    used = metric or AbsoluteDifference()
    priors = priors_with_atoms(item)
    return SolvedPair(item, w_infinity(*priors, used), w_1(*priors, used))


def with_best(problem: Problem, pair: SolvedPair) -> SolvedPair:
    """Return a pair with the least scale of the linear programme; or why there is none."""
    if not problem.noise.exponential:
        kind = problem.noise.kind
        why = f"the lines of a coupling are about Laplace noise, the noise is {kind}"
        return replace(pair, no_best=why)
    try:
        best = coupling_lp(*priors_with_atoms(pair.item), problem.requirement.one_epsilon)
    except (InputError, UndecidedError) as error:
        return replace(pair, no_best=str(error))
    return replace(pair, best=best)


def _described(
    pair: SolvedPair, metric: Metric | None, relation: Pairs | None
) -> PairCoupling:
    item, one, best = pair.item, pair.one, pair.best
    reach, priors = pair.infinity.distance, priors_with_atoms(item)
    report = validate_plan(one.plan, *priors, metric or AbsoluteDifference(), relation=relation)
    return PairCoupling(
        item.belief,
        item.first,
        item.second,
        plan_rows(one.plan),
        Enclosure(decimal_or_fraction(one.lower), decimal_or_fraction(one.upper)),
        {
            "rows": _potential(one.plan.rows, one.potential.rows),
            "columns": _potential(one.plan.columns, one.potential.columns),
        },
        str(reach) if (value := reach.value) is None else exact_text(value),
        hall_data(pair.infinity.hall),
        None if relation is None else _lifted(item, relation),
        properties_of(report),
        None
        if best is None
        else {
            "side": best.side,
            "lower": decimal_text(best.lower),
            "upper": decimal_text(best.upper),
        },
        pair.no_best,
    )


def _lifted(item: Question, relation: Pairs) -> dict[str, Any]:
    found = lifting(*priors_with_atoms(item), relation)
    if found.coupling is not None:
        return {"related": True, "coupling": plan_rows(found.coupling), "hall": None}
    return {"related": False, "coupling": None, "hall": hall_data(found.hall)}


def _potential(points: tuple[Any, ...], values: tuple[Fraction, ...]) -> dict[str, str]:
    return {str(x): exact_text(value) for x, value in zip(points, values, strict=True)}


def plan_rows(plan: Plan) -> list[dict[str, str]]:
    """Return the edges of a plan as rows of exact text."""
    return [
        {"from": str(x), "to": str(y), "mass": exact_text(mass)}
        for (x, y), mass in plan.masses().items()
    ]


def hall_data(hall: HallSet | None) -> dict[str, Any] | None:
    """Return a Hall set as exact text."""
    if hall is None:
        return None
    return {
        "event": [str(x) for x in hall.event],
        "mass": exact_text(hall.mass),
        "neighbours": [str(y) for y in hall.neighbours],
        "reachable": exact_text(hall.reachable),
    }

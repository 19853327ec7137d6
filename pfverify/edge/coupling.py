"""The couplings of a problem's pairs, and the judgement on a plan that somebody else computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from pfverify.answers.outcome import ordered_line
from pfverify.certificate.couplings import distance_steps, exact_text, line_steps
from pfverify.edge.plan_file import PlanTable, headed_rows, read_plan, require_common
from pfverify.edge.progress import Report
from pfverify.errors import InputError, UndecidedError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import rational
from pfverify.files import write_text
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.results import Brief, Shown
from pfverify.scales.coupling.best import CouplingScale, coupling_lp
from pfverify.transport.cost import W1, w_1
from pfverify.transport.flow import WInfinity, w_infinity
from pfverify.transport.hall import HallSet
from pfverify.transport.lifting import lifting
from pfverify.transport.metric import AbsoluteDifference, Metric, TableMetric
from pfverify.transport.plan import Plan, plan_of_masses
from pfverify.transport.repair import repaired
from pfverify.transport.validate import PROPERTIES, PlanReport, validate_plan

Pairs = list[tuple[Fraction, Fraction]]

ASSUMED = "a scale of a coupling is about epsilon alone (delta = 0), ideal noise and one release"
_LINE_BITS = 192  # of the enclosures that propose a coupling's dual values


@dataclass(frozen=True)
class Property(NoTruth, ask="compare .verdict"):
    """A property of a plan: `verdict` yes, no, or not asked, and the edges that show it."""

    name: str
    verdict: str
    detail: str


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
    """The couplings of a problem's pairs. `steps` are those of their certificate."""

    epsilon: str
    noise: str
    assumed: list[str]
    pairs: list[PairCoupling]
    steps: list[dict[str, Any]] = field(metadata={"json": False}, repr=False)

    def _line(self) -> str:
        return f"epsilon {shorten(self.epsilon)}, {self.noise}"

    def _parts(self) -> Sequence[Brief]:
        return self.pairs


@dataclass(frozen=True, repr=False)
class PlanCheck(Shown, NoTruth, ask="use .valid"):
    """The judgement on a given plan."""

    belief: str
    from_: str
    to: str
    valid: bool
    floats: bool
    defect: str
    properties: list[Property]
    failed: list[str]

    def _line(self) -> str:
        failed = f", failed {', '.join(self.failed)}" if self.failed else ""
        said = f"{'valid' if self.valid else 'invalid'}{failed}"
        return ordered_line(self.from_, self.to, said)


@dataclass(frozen=True)
class Work:
    """What was computed for one pair, for output and for the certificate."""

    item: Question
    infinity: WInfinity
    one: W1
    best: CouplingScale | None


def chosen_pairs(problem: Problem, pair: str | None, belief: str | None) -> list[Question]:
    """Return the pairs of a problem that were asked for.

    Raises InputError for a pair or belief that the problem does not have, and, without a channel,
    for a chosen pair with a prior that has a density.
    """
    items = list(problem.questions())
    if belief is not None:
        items = [item for item in items if item.belief == belief]
        if not items:
            raise InputError(f"--belief: there is no belief {shorten(belief)} with a pair")
    if pair is not None:
        known = [(item, f"{item.first},{item.second}") for item in items]
        items = [item for item, name in known if name == pair.strip()]
        if not items:
            names = "; ".join(dict.fromkeys(name for _, name in known))
            raise InputError(f"--pair: {shorten(pair)} is no pair, expected one of: {names}")
    if not problem.release.named:
        for item in items:
            _priors(item)
    return items


def _priors(item: Question) -> tuple[Discrete, Discrete]:
    return item.discrete_priors("coupling: plans are about atoms")


def read_metric(path: Path) -> TableMetric:
    """Read a table of distances: CSV with the header from,to,distance.

    Raises InputError for a table that is not a metric (it names the triple).
    """
    table: dict[tuple[object, object], object] = {}
    for a, b, distance in _read_csv(path, ("from", "to", "distance")):
        if (a, b) in table:
            raise InputError(f"{path}: the pair {shorten(a)}, {shorten(b)} stands there twice")
        table[a, b] = distance
    return TableMetric(table)


def read_relation(path: Path) -> Pairs:
    """Read a relation: CSV with the header from,to."""
    return [(a, b) for a, b in _read_csv(path, ("from", "to"))]


def _read_csv(path: Path, columns: tuple[str, ...]) -> list[list[Fraction]]:
    rows = [
        [rational(cell, f"{path}, line {number}") for cell in row]
        for number, row in headed_rows(path, columns)
    ]
    require_common(path, "the numbers", (x for row in rows for x in row), len(rows))
    return rows


def only_pair(items: list[Question]) -> Question:
    """Return the one pair that a plan is about; InputError where there are several."""
    if len(items) == 1:
        return items[0]
    beliefs = {item.belief for item in items}
    way = f"--belief {sorted(beliefs)[0]}" if len(beliefs) > 1 else "--pair A,B"
    raise InputError(f"--plan: the problem has several pairs, say which, as with {way}")


# ---------------------------------------------------------------- the pairs' own couplings


def couplings(
    problem: Problem,
    items: list[Question],
    metric: Metric | None,
    relation: Pairs | None,
    report: Report,
) -> Couplings:
    """Return the couplings of these pairs, with the steps of their certificate."""
    pairs, steps = [], []
    for done, item in enumerate(items, 1):
        found, more = _coupled(problem, item, metric, relation)
        pairs.append(found)
        steps += more
        report(done, len(items))
    assumed = [*problem.source.assumed(), ASSUMED]
    return Couplings(problem.epsilon.text, problem.noise.kind, assumed, pairs, steps)


def _coupled(
    problem: Problem, item: Question, metric: Metric | None, relation: Pairs | None
) -> tuple[PairCoupling, list[dict[str, Any]]]:
    """One pair's couplings, as data and as certificate steps."""
    work = work_of(item, metric)
    if metric is not None:
        return described(work, "only for |x - x'|", metric, relation), []
    work, reason = with_best(problem, work)
    steps = distance_steps(item, work.infinity, work.one)
    if work.best is not None:
        steps += line_steps(item, work.best, _LINE_BITS)
    return described(work, reason, metric, relation), steps


def work_of(item: Question, metric: Metric | None) -> Work:
    """Compute distances, plans and, on the line, the best coupling's scale of one pair."""
    used = metric or AbsoluteDifference()
    infinity = w_infinity(*_priors(item), used)
    one = w_1(*_priors(item), used)
    return Work(item, infinity, one, None)


def with_best(problem: Problem, work: Work) -> tuple[Work, str | None]:
    """Add the least scale of the linear programme; or the reason why there is none."""
    item = work.item
    if not problem.noise.exponential:
        kind = problem.noise.kind
        return work, f"the lines of a coupling are about Laplace noise, the noise is {kind}"
    try:
        best = coupling_lp(*_priors(item), problem.requirement.one_epsilon)
    except (InputError, UndecidedError) as error:
        return work, str(error)
    return Work(item, work.infinity, work.one, best), None


def described(
    work: Work, reason: str | None, metric: Metric | None, relation: Pairs | None
) -> PairCoupling:
    """Return one pair's couplings as data."""
    item = work.item
    report = validate_plan(
        work.one.plan,
        *_priors(item),
        metric or AbsoluteDifference(),
        relation=relation,
    )
    best, reach = work.best, work.infinity.distance
    return PairCoupling(
        item.belief,
        item.first,
        item.second,
        plan_rows(work.one.plan),
        Enclosure(decimal_or_fraction(work.one.lower), decimal_or_fraction(work.one.upper)),
        {
            "rows": _potential(work.one.plan.rows, work.one.potential.rows),
            "columns": _potential(work.one.plan.columns, work.one.potential.columns),
        },
        str(reach) if (value := reach.value) is None else exact_text(value),
        hall_data(work.infinity.hall),
        None if relation is None else _lifted(item, relation),
        _properties(report),
        None
        if best is None
        else {
            "side": best.side,
            "lower": decimal_text(best.lower),
            "upper": decimal_text(best.upper),
        },
        reason,
    )


def _lifted(item: Question, relation: Pairs) -> dict[str, Any]:
    found = lifting(*_priors(item), relation)
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


def decimal_or_fraction(value: Fraction) -> str:
    """Return a rational as a short exact decimal, or as a fraction."""
    fraction = exact_text(value)
    text = decimal_text(value)
    return text if len(text) <= 20 else fraction


# ---------------------------------------------------------------- a given plan


def judged_file(
    item: Question,
    path: Path,
    metric: Metric | None,
    relation: Pairs | None,
    within: str | None,
    require: tuple[str, ...],
    repair: Path | None,
) -> PlanCheck:
    """Return the judgement on a file with a plan; write its nearest exact plan to `repair`.

    Raises InputError for a file that is no plan, and as `judged` and `repaired_csv`.
    """
    table = read_plan(path)
    limit = None if within is None else rational(within, "--within")
    result = judged(item, table, metric, relation, limit, require)
    if repair is not None:
        write_text(repair, repaired_csv(item, table))
    return result


def judged(
    item: Question,
    table: PlanTable,
    metric: Metric | None,
    relation: Pairs | None,
    within: Fraction | None,
    require: tuple[str, ...],
) -> PlanCheck:
    """Return the judgement on a plan file for one pair.

    Wrong marginals, an edge outside `within` or the relation, and a required property that does
    not hold make it invalid. Raises InputError for a property that there is not.
    """
    for name in require:
        if name not in PROPERTIES:
            raise InputError(f"--require: {shorten(name)}, expected one of {', '.join(PROPERTIES)}")
        if name == "support" and within is None and relation is None:
            raise InputError("--require support: say which with --within T or --relation FILE")
    plan = plan_of_masses(table.rows)
    report = validate_plan(
        plan,
        *_priors(item),
        metric or AbsoluteDifference(),
        relation=relation,
        within=within,
    )
    properties = _properties(report)
    demanded = {"marginals", "support", *require}
    failed = [p.name for p in properties if p.name in demanded and p.verdict == "no"]
    residuals = [abs(r.excess) for r in (*report.rows, *report.columns)]
    defect = max(residuals, default=Fraction(0))
    return PlanCheck(
        item.belief,
        item.first,
        item.second,
        not failed,
        table.floats,
        _size(defect, table.floats),
        properties,
        failed,
    )


def _size(defect: Fraction, about: bool) -> str:
    """Return a defect exactly, or (floats, or too long) about, also beyond the floats' range."""
    if not about:
        try:
            return decimal_or_fraction(defect)
        except InputError:
            pass
    return f"about {Decimal(defect.numerator) / Decimal(defect.denominator):.3g}"


def repaired_csv(item: Question, table: PlanTable) -> str:
    """Return the nearest exact plan on the same support as CSV.

    Raises InputError (with a Hall set) where the support carries no exact plan.
    """
    exact = repaired(table.rows, *_priors(item))
    lines = [f"{x},{y},{exact_text(mass)}" for (x, y), mass in exact.masses().items()]
    return "\n".join(["from,to,mass", *lines]) + "\n"


def _properties(report: PlanReport) -> list[Property]:
    words = {True: "yes", False: "no", None: "not asked"}
    details = {
        "marginals": _residuals(report),
        "support": _edges(report.outside or (), "outside: "),
        "forest": _edges(report.cycle or (), "a cycle of edges: "),
        "monotone": _edges(report.crossing or (), "these cross: "),
        "optimal": _optimality(report),
        "connected": f"{len(report.components)} component(s)",
    }
    found = [Property(name, words[report.holds(name)], details[name]) for name in PROPERTIES]
    for name, edge in (("heaviest edge", report.heaviest), ("longest edge", report.longest)):
        if edge is not None:
            found.append(Property(name, "is", _edge(edge)))
    return found


def _edge(edge: Any) -> str:
    length = "" if edge.distance is None else f", length {shorten(edge.distance)}"
    return f"{edge.row} -> {edge.column} (mass {shorten(edge.mass, 30)}{length})"


def _edges(edges: Any, start: str) -> str:
    if not edges:
        return ""
    more = f" and {len(edges) - 6} more" if len(edges) > 6 else ""
    return start + "; ".join(_edge(edge) for edge in edges[:6]) + more


def _residuals(report: PlanReport) -> str:
    wrong = [("row", r) for r in report.rows] + [("column", r) for r in report.columns]
    texts = [
        f"{what} {r.point} sums to {shorten(r.found, 30)}, expected "
        f"{shorten(r.expected, 30)}"
        for what, r in wrong[:4]
    ]
    more = f" and {len(wrong) - 4} more" if len(wrong) > 4 else ""
    return "; ".join(texts) + more


def _optimality(report: PlanReport) -> str:
    found = report.optimality
    if found is None or found.cycle is None:
        return ""
    removed = ", ".join(f"{x} -> {y}" for x, y in found.cycle.removed[:4])
    added = ", ".join(f"{x} -> {y}" for x, y in found.cycle.added[:4])
    saving = shorten(found.cycle.saving)
    return f"a negative cycle: move mass from {removed} to {added} (saves {saving})"
